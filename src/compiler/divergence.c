/* SPDX-License-Identifier: MIT */
/* Divergence: which values differ between lanes, which branches split the
 * wave, which loops lanes leave at different times. Starts from "uniform" and
 * iterates to the fixed point. Wants loop-closed SSA. */
#include "passes.h"

struct state {
   struct ir_shader *sh;
   struct ir_block **if_of_merge; /* by block index */
   bool changed;
};

static bool
sysval_divergent(uint32_t sv)
{
   switch (sv) {
   case IR_SV_BASE_VERTEX: case IR_SV_START_INSTANCE: case IR_SV_DRAW_ID: case IR_SV_PRIM_MASK:
      return false;
   default:
      return sv < IR_SV_BLOCK_ID_X || sv == IR_SV_LIVE_LANE || (sv >= IR_SV_GS_VTX01 && sv <= IR_SV_LANE_ID);
   }
}

static bool
phi_divergent(struct state *s, const struct ir_inst *phi)
{
   const struct ir_block *b = phi->block;
   for (unsigned i = 0; i < phi->num_src; i++) {
      if (phi->src[i]->divergent)
         return true;
   }
   /* Loop exits and latches collect lanes from several places and rounds. */
   for (uint32_t i = 0; i < b->num_preds; i++) {
      const struct ir_block *p = b->preds[i];
      if (p->term == IR_TERM_BREAK && p->loop->exit == b && p->loop->divergent)
         return true;
   }
   if (b->loop && b->loop->latch == b && b->loop->divergent && b->num_preds > 1)
      return true;
   const struct ir_block *branch = s->if_of_merge[b->index];
   return branch && branch->divergent_cond && b->num_preds > 1;
}

static bool
inst_divergent(struct state *s, const struct ir_inst *inst)
{
   switch (inst->op) {
   case IR_PHI:
      return phi_divergent(s, inst);
   case IR_SYSVAL:
      return sysval_divergent(inst->imm);
   case IR_READFIRST: case IR_BALLOT: case IR_FIRST_LANE: case IR_READ_LANE: case IR_CLOCK:
      return false;
   default:
      break;
   }
   if (ir_info(inst)->flags & IR_F_DIVERGES)
      return true;
   for (unsigned i = 0; i < inst->num_src; i++) {
      if (inst->src[i]->divergent)
         return true;
   }
   return false;
}

static void
visit_block(struct state *s, struct ir_block *b)
{
   ir_foreach_inst(b, inst) {
      if (!inst->divergent && inst->comps && inst_divergent(s, inst)) {
         inst->divergent = true;
         s->changed = true;
      }
   }
   if (b->term == IR_TERM_IF && !b->divergent_cond && b->cond->divergent) {
      b->divergent_cond = true;
      s->changed = true;
   }
}

/* A break or continue inside a divergent `if` of the loop splits it. */
static void
visit_loops(struct state *s)
{
   struct ir_shader *sh = s->sh;
   const struct ir_block *open[IR_MAX_NESTING * 2];
   uint32_t n = 0;
   ir_foreach_block(sh, b) {
      while (n && open[n - 1]->merge == b)
         n--;
      if (b->term == IR_TERM_BREAK || b->term == IR_TERM_CONTINUE) {
         for (uint32_t i = 0; i < n && !b->loop->divergent && b->reachable; i++) {
            if (open[i]->divergent_cond && ir_loop_contains(b->loop, open[i])) {
               b->loop->divergent = true;
               s->changed = true;
            }
         }
      }
      if (b->term == IR_TERM_IF)
         open[n++] = b;
   }
}

void
ir_divergence(struct ir_shader *sh)
{
   struct state s = { .sh = sh };
   ir_renumber(sh); /* isel's tables have no room for values that are gone */
   s.if_of_merge = ir_temp(sh, sh->num_blocks * sizeof(*s.if_of_merge));
   ir_foreach_block(sh, b) {
      b->divergent_cond = false;
      if (b->loop)
         b->loop->divergent = false;
      ir_foreach_inst(b, inst)
         inst->divergent = false;
      if (b->term == IR_TERM_IF)
         s.if_of_merge[b->merge->index] = b;
   }
   do {
      s.changed = false;
      ir_foreach_block(sh, b) {
         if (b->reachable)
            visit_block(&s, b);
      }
      visit_loops(&s);
   } while (s.changed && sh->loops);
}
