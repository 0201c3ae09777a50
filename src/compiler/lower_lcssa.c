/* SPDX-License-Identifier: MIT */
/* Loop-closed SSA. Lanes can leave a loop in different rounds, so a value that
 * is the same for all lanes inside may differ outside. A value used outside its
 * loop goes through a phi in the exit block, which divergence analysis can then
 * call divergent. A bool goes as 0 / ~0. */
#include <stdlib.h>

#include "passes.h"

static bool
used_outside(const struct ir_loop *loop, const struct ir_block *use)
{
   return !ir_loop_contains(loop, use);
}

/* Value to use outside of `loop` for `v`, made in it. */
static ir_val
close_value(struct ir_shader *sh, const struct ir_loop *loop, ir_val v)
{
   struct ir_block *exit = loop->exit;
   ir_val inside = v;
   if (v->type == IR_TYPE_BOOL) {
      struct ir_builder b = ir_builder_at_end(sh, v->block);
      b.before = v->next;
      inside = ir_b2i(&b, v);
   }
   struct ir_inst *phi = ir_inst_create(sh, IR_PHI, inside->comps, exit->num_preds);
   for (uint32_t i = 0; i < exit->num_preds; i++)
      phi->src[i] = inside;
   struct ir_builder b = ir_builder_at_end(sh, exit);
   b.before = exit->first;
   ir_insert(&b, phi);
   if (v->type != IR_TYPE_BOOL)
      return phi;
   struct ir_inst *after = exit->first;
   while (after && after->op == IR_PHI)
      after = after->next;
   b.before = after;
   return ir_i2b(&b, phi);
}

/* One loop: uses outside of values inside. */
static void
close_loop(struct ir_shader *sh, const struct ir_loop *loop, ir_val *closed)
{
   uint32_t num = sh->num_ids;
   memset(closed, 0, num * sizeof(*closed));
   for (uint32_t i = loop->exit->index; i < sh->num_blocks; i++) {
      struct ir_block *b = sh->blocks[i];
      if (!b->reachable)
         continue;
      /* The exit's own phis read at the breaks, inside the loop. */
      ir_foreach_inst(b, inst) {
         for (unsigned k = 0; k < inst->num_src; k++) {
            struct ir_block *use = inst->op == IR_PHI ? b->preds[k] : b;
            ir_val v = inst->src[k];
            if (v->id >= num || !ir_loop_contains(loop, v->block) || !used_outside(loop, use))
               continue;
            if (!closed[v->id])
               closed[v->id] = close_value(sh, loop, v);
            inst->src[k] = closed[v->id];
         }
      }
      if (b->cond && b->cond->id < num && b->term == IR_TERM_IF && ir_loop_contains(loop, b->cond->block)) {
         if (!closed[b->cond->id])
            closed[b->cond->id] = close_value(sh, loop, b->cond);
         b->cond = closed[b->cond->id];
      }
   }
   /* A header of an outer loop stands before, and its phi may read our value
    * at the outer latch. */
   for (const struct ir_loop *outer = loop->parent; outer; outer = outer->parent) {
      struct ir_block *h = outer->header;
      ir_foreach_inst(h, phi) {
         if (phi->op != IR_PHI)
            break;
         for (unsigned k = 0; k < phi->num_src; k++) {
            ir_val v = phi->src[k];
            if (v->id >= num || !ir_loop_contains(loop, v->block) || !used_outside(loop, h->preds[k]))
               continue;
            if (!closed[v->id])
               closed[v->id] = close_value(sh, loop, v);
            phi->src[k] = closed[v->id];
         }
      }
   }
}

void
ir_lower_lcssa(struct ir_shader *sh)
{
   bool any = false;
   ir_foreach_block(sh, b)
      any |= b->loop != NULL;
   if (!any)
      return;
   /* Constants have no place that matters: keep them out of loops. */
   ir_foreach_block(sh, b) {
      ir_foreach_inst_safe(b, inst) {
         if ((inst->op == IR_CONST || inst->op == IR_UNDEF) && b->loop) {
            ir_remove(inst);
            struct ir_builder at = ir_builder_at_end(sh, sh->blocks[0]);
            at.before = sh->blocks[0]->first;
            ir_insert(&at, inst);
         }
      }
   }
   /* Inner loops first: their exit phis lie in the outer loop. Program order
    * of latches is that order. */
   ir_foreach_block(sh, b) {
      if (!b->loop || b->loop->latch != b || !b->loop->exit->reachable)
         continue;
      ir_val *closed = malloc((sh->num_ids + 1) * sizeof(*closed));
      if (!closed) {
         ir_error(sh, "out of memory");
         return;
      }
      close_loop(sh, b->loop, closed);
      free(closed);
   }
}
