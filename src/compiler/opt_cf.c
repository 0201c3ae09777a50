/* SPDX-License-Identifier: MIT */
/* Control flow: branches on constants go, empty branches go, straight blocks
 * join, and small arms without side effects are run by everybody and picked
 * from by selects: narrowing and restoring EXEC costs more than a few
 * instructions do. Structure stays: what is left of a removed branch is plain
 * code in the same order. */
#include "passes.h"

#define MAX_ARM_COST 8  /* instructions of both arms together */
#define MAX_SELECTS  6

struct state {
   struct ir_shader *sh;
   uint32_t *structural; /* how often a block is a merge, header, latch or exit */
   bool progress;
};

static void
find_structure(struct state *s)
{
   ir_foreach_block(s->sh, b) {
      if (b->reachable && b->term == IR_TERM_IF)
         s->structural[b->merge->index]++;
      if (b->loop && b == b->loop->header) {
         s->structural[b->index]++;
         s->structural[b->loop->latch->index]++;
         s->structural[b->loop->exit->index]++;
      }
   }
}

static bool
const_bool(ir_val v, bool *value)
{
   if ((v->op != IR_IEQ && v->op != IR_INE) || v->src[0]->op != IR_CONST || v->src[1]->op != IR_CONST)
      return false;
   *value = (v->src[0]->imm == v->src[1]->imm) == (v->op == IR_IEQ);
   return true;
}

static void
forget_pred(struct ir_block *block, const struct ir_block *pred)
{
   for (uint32_t i = 0; i < block->num_preds; i++) {
      if (block->preds[i] != pred)
         continue;
      memmove(&block->preds[i], &block->preds[i + 1], (block->num_preds - i - 1) * sizeof(*block->preds));
      block->num_preds--;
      ir_foreach_inst(block, phi) {
         if (phi->op != IR_PHI)
            break;
         memmove(&phi->src[i], &phi->src[i + 1], (phi->num_src - i - 1) * sizeof(*phi->src));
         phi->num_src--;
      }
      return;
   }
}

static void
take_branch(struct state *s, struct ir_block *b, bool value)
{
   struct ir_block *lost = b->succ[value ? 1 : 0];
   b->succ[0] = b->succ[value ? 0 : 1];
   b->succ[1] = NULL;
   b->term = IR_TERM_JUMP;
   b->cond = NULL;
   s->structural[b->merge->index]--;
   b->merge = NULL;
   forget_pred(lost, b);
   s->progress = true;
}

static bool
is_cheap(const struct ir_inst *inst)
{
   uint32_t flags = ir_info(inst)->flags;
   if (!(flags & IR_F_PURE) || (flags & IR_F_CROSS) || inst->op == IR_PHI)
      return false;
   switch (inst->op) {
   case IR_LOAD_CONST: case IR_LOAD_DESC: case IR_LOAD_FMT: case IR_LOAD_ATTRIB: case IR_TEX:
   case IR_FRCP: case IR_FRSQ: case IR_FSQRT: case IR_FEXP2: case IR_FLOG2: case IR_FSIN: case IR_FCOS:
   case IR_IMUL: case IR_UMUL_HI: case IR_IMUL_HI:
      return false;
   default:
      return inst->comps == 1;
   }
}

/* Cost of an arm that can be run by everybody; -1 when it cannot. */
static int
arm_cost(const struct ir_block *arm, const struct ir_block *merge)
{
   int n = 0;
   if (arm->term != IR_TERM_JUMP || arm->succ[0] != merge || arm->num_preds != 1)
      return -1;
   ir_foreach_inst(arm, inst) {
      if (!is_cheap(inst))
         return -1;
      n += inst->op != IR_CONST && inst->op != IR_UNDEF && inst->op != IR_FNEG && inst->op != IR_FABS;
   }
   return n;
}

static void
move_to_end(struct ir_shader *sh, struct ir_block *from, struct ir_block *to)
{
   ir_foreach_inst_safe(from, inst) {
      struct ir_builder b = ir_builder_at_end(sh, to);
      ir_remove(inst);
      ir_insert(&b, inst);
   }
}

/* An `if` of two small arms becomes selects at the end of its block. */
static void
flatten(struct state *s, struct ir_block *b)
{
   struct ir_block *t = b->succ[0], *e = b->succ[1], *merge = b->merge;
   int cost_t = arm_cost(t, merge), cost_e = arm_cost(e, merge);
   unsigned selects = 0;
   if (cost_t < 0 || cost_e < 0 || cost_t + cost_e > MAX_ARM_COST || merge->num_preds != 2)
      return;
   unsigned index_t = merge->preds[0] == t ? 0 : 1;
   ir_foreach_inst(merge, phi) {
      if (phi->op != IR_PHI)
         break;
      if (phi->comps != 1)
         return;
      selects++;
   }
   if (selects > MAX_SELECTS)
      return;
   move_to_end(s->sh, t, b);
   move_to_end(s->sh, e, b);
   ir_foreach_inst_safe(merge, phi) {
      if (phi->op != IR_PHI)
         break;
      struct ir_builder at = ir_builder_at_end(s->sh, b);
      ir_replace(phi, ir_select(&at, ir_now(b->cond), ir_now(phi->src[index_t]), ir_now(phi->src[1 - index_t])));
   }
   b->term = IR_TERM_JUMP;
   b->succ[0] = merge;
   b->succ[1] = NULL;
   b->cond = NULL;
   b->merge = NULL;
   s->structural[merge->index]--;
   merge->preds[0] = b;
   merge->num_preds = 1;
   t->num_preds = e->num_preds = 0;
   t->succ[0] = e->succ[0] = NULL;
   t->reachable = e->reachable = false;
   s->progress = true;
}

/* Straight code in two blocks becomes one. */
static void
join(struct state *s, struct ir_block *b)
{
   while (b->term == IR_TERM_JUMP) {
      struct ir_block *next = b->succ[0];
      if (next->num_preds != 1 || s->structural[next->index] || next->loop != b->loop ||
          (next->first && next->first->op == IR_PHI))
         return;
      move_to_end(s->sh, next, b);
      b->term = next->term;
      b->cond = next->cond;
      b->merge = next->merge;
      for (unsigned i = 0; i < 2; i++) {
         b->succ[i] = next->succ[i];
         for (uint32_t k = 0; b->succ[i] && k < b->succ[i]->num_preds; k++) {
            if (b->succ[i]->preds[k] == next)
               b->succ[i]->preds[k] = b;
         }
         next->succ[i] = NULL;
      }
      next->cond = NULL;
      next->merge = NULL;
      next->term = IR_TERM_JUMP;
      next->num_preds = 0;
      next->reachable = false;
      s->progress = true;
   }
}

bool
ir_opt_cf(struct ir_shader *sh)
{
   struct state s = { .sh = sh };
   s.structural = ir_temp(sh, sh->num_blocks * sizeof(*s.structural));
   find_structure(&s);
   /* From the end: inner branches before those around them. */
   for (uint32_t i = sh->num_blocks; i-- > 0;) {
      struct ir_block *b = sh->blocks[i];
      bool value;
      if (!b->reachable)
         continue;
      if (b->term == IR_TERM_IF && const_bool(b->cond, &value)) {
         take_branch(&s, b, value); /* what is lost goes below, all together */
      } else if (b->term == IR_TERM_IF) {
         join(&s, b->succ[0]);
         join(&s, b->succ[1]);
         flatten(&s, b);
      }
   }
   /* From the first block of straight code, which takes each instruction once. */
   for (uint32_t i = 0; i + 1 < sh->num_blocks; i++) {
      if (sh->blocks[i]->reachable)
         join(&s, sh->blocks[i]);
   }
   if (s.progress) {
      ir_cleanup_cfg(sh);
      ir_update_uses(sh);
   }
   return s.progress;
}
