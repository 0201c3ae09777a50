/* SPDX-License-Identifier: MIT */
/* Dead code: keeps what writes, ends lanes or steers, and what that needs.
 * Also the shared rewriting of uses. */
#include <stdlib.h>

#include "passes.h"

void
ir_rewrite_uses(struct ir_shader *sh, ir_val *map, uint32_t num)
{
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < inst->num_src; i++)
            inst->src[i] = ir_map_find(map, num, inst->src[i]);
      }
      if (b->cond)
         b->cond = ir_map_find(map, num, b->cond);
   }
}

bool
ir_opt_dce(struct ir_shader *sh)
{
   ir_val *work = malloc((sh->num_ids + 1) * sizeof(*work));
   uint32_t n = 0;
   bool progress = false;
   if (!work)
      return false;
#define KEEP(v) do { ir_val kept_ = (v); if (!kept_->pass_flags) { kept_->pass_flags = 1; work[n++] = kept_; } } while (0)
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst)
         inst->pass_flags = 0;
   }
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst) {
         if (ir_info(inst)->flags & IR_F_WRITES)
            KEEP(inst);
      }
      if (b->reachable && b->term == IR_TERM_IF)
         KEEP(b->cond);
   }
   while (n) {
      ir_val v = work[--n];
      for (unsigned i = 0; i < v->num_src; i++)
         KEEP(v->src[i]);
   }
#undef KEEP
   ir_foreach_block(sh, b) {
      ir_foreach_inst_safe(b, inst) {
         if (!inst->pass_flags) {
            ir_remove(inst);
            progress = true;
         }
      }
   }
   free(work);
   return progress;
}
