/* SPDX-License-Identifier: MIT */
/* Dead code: keeps what writes, ends lanes or steers, and what that needs.
 * Also the shared rewriting of uses. */
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

void
ir_update_uses(struct ir_shader *sh)
{
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst)
         ir_update_sources(inst);
      if (b->cond)
         b->cond = ir_now(b->cond);
   }
}

void
ir_update_loop_phis(struct ir_shader *sh)
{
   ir_foreach_block(sh, b) {
      for (struct ir_inst *phi = b->loop && b == b->loop->header ? b->first : NULL; phi && phi->op == IR_PHI; phi = phi->next)
         ir_update_sources(phi);
   }
}

/* Values in loops that seem dead, until a phi at the loop's top wants one: */
struct later {
   struct ir_inst **seen;    /* all of them */
   struct ir_inst **wanted;  /* those whose sources are wanted now, too */
   uint32_t num_seen, num_wanted, max_seen, max_wanted;
};

static void
push(struct ir_shader *sh, struct ir_inst ***list, uint32_t *num, uint32_t *max, struct ir_inst *inst)
{
   if (*num == *max)
      *list = ir_temp_grow(sh, *list, max, sizeof(**list));
   (*list)[(*num)++] = inst;
}

static inline void
want(struct ir_shader *sh, struct later *l, ir_val v)
{
   const uint32_t none = (sh->count & 0xff) << IR_USES_BITS; /* the walk was there already */
   if (v->uses > none && v->uses >> IR_USES_BITS == none >> IR_USES_BITS) {
      v->uses++;
      return;
   }
   if (v->uses == none)
      push(sh, &l->wanted, &l->num_wanted, &l->max_wanted, v);
   v->uses = none + 1;
}

static void
want_sources(struct ir_shader *sh, struct later *l, struct ir_inst *inst)
{
   for (unsigned i = 0; i < inst->num_src; i++)
      want(sh, l, inst->src[i]);
}

/* One walk from the end: what no later instruction wants is dead, but in a loop. */
bool
ir_opt_dce(struct ir_shader *sh)
{
   struct later l = {0};
   bool progress = false;
   sh->count++;
   sh->num_live = 0;
   for (uint32_t i = sh->num_blocks; i-- > 0;) {
      struct ir_block *b = sh->blocks[i];
      if (b->term == IR_TERM_IF) /* unreachable or not: passes look at it */
         want(sh, &l, b->cond);
      ir_foreach_inst_reverse_safe(b, inst) {
         if (ir_uses(sh, inst) || (ir_info(inst)->flags & IR_F_WRITES)) {
            want_sources(sh, &l, inst);
            sh->num_live++;
         } else if (b->loop) {
            inst->uses = (sh->count & 0xff) << IR_USES_BITS;
            push(sh, &l.seen, &l.num_seen, &l.max_seen, inst);
         } else {
            ir_remove(inst);
            progress = true;
         }
         while (l.num_wanted) {
            want_sources(sh, &l, l.wanted[--l.num_wanted]);
            sh->num_live++;
         }
      }
   }
   for (uint32_t i = 0; i < l.num_seen; i++) {
      if (!ir_uses(sh, l.seen[i])) {
         ir_remove(l.seen[i]);
         progress = true;
      }
   }
   return progress;
}
