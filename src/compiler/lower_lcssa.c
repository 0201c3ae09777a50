/* SPDX-License-Identifier: MIT */
/* Loop-closed SSA. Lanes can leave a loop in different rounds, so a value that
 * is the same for all lanes inside may differ outside. A value used outside its
 * loop goes through a phi in the exit block, which divergence analysis can then
 * call divergent. A bool goes as 0 / ~0. */
#include "passes.h"

/* The same in every round and on every lane that comes there. */
static bool
is_invariant(const struct ir_loop *loop, ir_val v)
{
   if ((ir_info(v)->flags & (IR_F_PURE | IR_F_CROSS)) != IR_F_PURE || v->op == IR_PHI)
      return false;
   for (unsigned i = 0; i < v->num_src; i++) {
      if (ir_loop_contains(loop, v->src[i]->block))
         return false;
   }
   return true;
}

static struct ir_inst *
behind_phis(struct ir_block *b)
{
   struct ir_inst *i = b->first;
   while (i && i->op == IR_PHI)
      i = i->next;
   return i;
}

/* Made again at the exit: a descriptor must not become a phi. */
static ir_val
make_again(struct ir_shader *sh, struct ir_block *exit, ir_val v)
{
   struct ir_inst *copy = ir_inst_create(sh, v->op, v->comps, v->num_src);
   struct ir_builder b = ir_builder_at_end(sh, exit);

   copy->imm = v->imm;
   copy->tex = v->tex; /* the whole union */
   memcpy(copy->src, v->src, v->num_src * sizeof(*v->src));
   b.before = behind_phis(exit);
   ir_insert(&b, copy);
   return copy;
}

static ir_val
close_scalar(struct ir_shader *sh, struct ir_block *exit, ir_val inside)
{
   struct ir_inst *phi = ir_inst_create(sh, IR_PHI, inside->comps, exit->num_preds);
   for (uint32_t i = 0; i < exit->num_preds; i++)
      phi->src[i] = inside;
   struct ir_builder b = ir_builder_at_end(sh, exit);
   b.before = exit->first;
   ir_insert(&b, phi);
   return phi;
}

/* Phis are scalars: a vector is taken apart and put together again. */
static ir_val
close_vector(struct ir_shader *sh, struct ir_block *exit, ir_val v)
{
   ir_val comps[16];
   struct ir_builder in = ir_builder_at_end(sh, v->block), out = ir_builder_at_end(sh, exit);

   in.before = v->next;
   for (unsigned i = 0; i < v->comps; i++)
      comps[i] = close_scalar(sh, exit, ir_op1_imm(&in, IR_EXTRACT, v, i));
   out.before = behind_phis(exit);
   return ir_vec(&out, v->comps, comps);
}

/* Value to use outside of `loop` for `v`, made in it. */
static ir_val
close_value(struct ir_shader *sh, const struct ir_loop *loop, ir_val v)
{
   struct ir_block *exit = loop->exit;
   if (v->comps > 1)
      return is_invariant(loop, v) ? make_again(sh, exit, v) : close_vector(sh, exit, v);
   if (v->type != IR_TYPE_BOOL)
      return close_scalar(sh, exit, v);
   struct ir_builder b = ir_builder_at_end(sh, v->block);
   b.before = v->next;
   ir_val phi = close_scalar(sh, exit, ir_b2i(&b, v));
   b = ir_builder_at_end(sh, exit);
   b.before = behind_phis(exit);
   return ir_i2b(&b, phi);
}

struct state {
   struct ir_shader *sh;
   ir_val *closed;     /* by id: what stands for the value behind its innermost loop */
   uint32_t max;
};

/* What a use in `use` reads instead of v: one phi for every loop that lies
 * between, inner ones first. */
static ir_val
closed_value(struct state *s, ir_val v, const struct ir_block *use)
{
   while (v->block->loop && !ir_loop_contains(v->block->loop, use)) {
      if (v->id >= s->max) {
         uint32_t max = s->sh->num_ids * 2;
         ir_val *closed = ir_temp(s->sh, max * sizeof(*closed));
         if (s->max)
            memcpy(closed, s->closed, s->max * sizeof(*closed));
         s->closed = closed;
         s->max = max;
      }
      ir_val new = s->closed[v->id];
      if (!new) {
         new = close_value(s->sh, v->block->loop, v);
         s->closed[v->id] = new;
      }
      v = new;
   }
   return v;
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
   struct state s = { .sh = sh };
   ir_foreach_block(sh, b) {
      if (!b->reachable)
         continue;
      ir_foreach_inst(b, inst) {
         for (unsigned k = 0; k < inst->num_src; k++) {
            if (inst->op == IR_PHI || inst->src[k]->block->loop != b->loop)
               inst->src[k] = closed_value(&s, inst->src[k], inst->op == IR_PHI ? b->preds[k] : b);
         }
      }
      if (b->term == IR_TERM_IF)
         b->cond = closed_value(&s, b->cond, b);
   }
}
