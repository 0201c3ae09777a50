/* SPDX-License-Identifier: MIT */
/* Algebraic rules of 32-bit integers. */
#include "opt_algebraic.h"

ir_val
ir_simplify_sum(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->src[0], y = inst->src[1];
   if (inst->op == IR_ISUB)
      return y->op == IR_CONST ? ir_iadd(b, x, ir_imm(b, -y->imm)) : NULL;
   if (x->op == IR_CONST && y->op != IR_CONST) {
      inst->src[0] = y;
      inst->src[1] = x;
      x = inst->src[0];
      y = inst->src[1];
   }
   if (ir_is_const(y, 0))
      return x;
   if (y->op == IR_CONST && x->op == IR_IADD && x->src[1]->op == IR_CONST)
      return ir_iadd(b, x->src[0], ir_imm(b, x->src[1]->imm + y->imm));
   if (x->op == IR_INEG)
      return ir_isub(b, y, x->src[0]);
   return y->op == IR_INEG ? ir_isub(b, x, y->src[0]) : NULL;
}

ir_val
ir_simplify_equal(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->src[0], y = inst->src[1];
   if (x->op == IR_IADD && y->op == IR_IADD && x->src[1]->op == IR_CONST && ir_is_const(y->src[1], x->src[1]->imm))
      return ir_op2(b, inst->op, x->src[0], y->src[0]);
   return NULL;
}

/* The topmost bits: */
ir_val
ir_simplify_field(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val first = inst->src[1], width = inst->src[2];
   if (first->op != IR_CONST || width->op != IR_CONST || first->imm + width->imm != 32 || !first->imm || first->imm > 31)
      return NULL;
   return ir_op2(b, inst->op == IR_UBFE ? IR_LSHR : IR_ASHR, inst->src[0], first);
}

ir_val
ir_simplify_min(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->src[0], y = inst->src[1];
   (void)b;
   return y->op == IR_CONST && ir_largest(x, 4) <= y->imm ? x : NULL;
}

ir_val
ir_simplify_product(struct ir_builder *b, struct ir_inst *inst)
{
   for (unsigned i = 0; i < 2; i++) {
      ir_val k = inst->src[i];
      if (k->op != IR_CONST)
         continue;
      if (k->imm == 0)
         return k;
      if (inst->op == IR_IMUL && !(k->imm & (k->imm - 1)))
         return ir_shl(b, inst->src[1 - i], ir_imm(b, __builtin_ctz(k->imm)));
   }
   return NULL;
}

/* x << y; `y` is a constant. */
static ir_val
simplify_shl(struct ir_builder *b, ir_val x, ir_val y)
{
   if (x->op == IR_SHL && x->src[1]->op == IR_CONST) {
      uint32_t sum = (y->imm & 31) + (x->src[1]->imm & 31);
      return sum > 31 ? ir_imm(b, 0) : ir_shl(b, x->src[0], ir_imm(b, sum));
   }
   if (x->op == IR_IADD && x->src[1]->op == IR_CONST && ir_uses(b->sh, x) == 1)
      return ir_iadd(b, ir_shl(b, x->src[0], y), ir_imm(b, x->src[1]->imm << (y->imm & 31)));
   /* Down and up again: an offset that is whole elements already */
   if ((x->op == IR_LSHR || x->op == IR_ASHR) && ir_is_const(x->src[1], y->imm) && y->imm < 32)
      return ir_zero_bits(x->src[0], 4) >= y->imm ? x->src[0] : ir_iand(b, x->src[0], ir_imm(b, ~0u << y->imm));
   return NULL;
}

ir_val
ir_simplify_shift(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->src[0], y = inst->src[1];
   if (y->op == IR_CONST && (y->imm & 31) == 0)
      return x;
   if (y->op == IR_IAND && (ir_is_const(y->src[1], 31) || ir_is_const(y->src[0], 31)))
      return ir_op2(b, inst->op, x, y->src[ir_is_const(y->src[1], 31) ? 0 : 1]);
   return inst->op == IR_SHL && y->op == IR_CONST ? simplify_shl(b, x, y) : NULL;
}

static bool
is_mask(ir_val v)
{
   return ir_const_select(v) && ir_is_const(v->src[1], ~0u) && ir_is_const(v->src[2], 0);
}

ir_val
ir_simplify_and(struct ir_builder *b, struct ir_inst *inst)
{
   for (unsigned i = 0; i < 2; i++) {
      ir_val k = inst->src[i], o = inst->src[1 - i];
      if (ir_is_const(k, ~0u) || k == o)
         return o;
      if (ir_is_const(k, 0))
         return k;
      if (k->op == IR_CONST) {
         /* Low bits cut off where there are none, or above a sum with a whole number of units */
         unsigned low = __builtin_ctz(k->imm);
         if (k->imm == ~0u << low && ir_zero_bits(o, 4) >= low)
            return o;
         if (k->imm == ~0u << low && o->op == IR_IADD && o->src[1]->op == IR_CONST && ir_zero_bits(o->src[1], 0) >= low)
            return ir_iadd(b, ir_iand(b, o->src[0], k), o->src[1]);
      }
      /* b2i(c) & x */
      if (is_mask(k)) {
         if (ir_const_select(o) && ir_is_const(o->src[2], 0))
            return ir_select(b, ir_band(b, k->src[0], o->src[0]), o->src[1], o->src[2]);
         return ir_select(b, k->src[0], o, ir_imm(b, 0));
      }
   }
   return NULL;
}

ir_val
ir_simplify_or(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->src[0], y = inst->src[1];
   if (ir_is_const(y, 0))
      return x;
   if (ir_is_const(x, 0))
      return y;
   if (inst->op == IR_IXOR)
      return NULL;
   if (x == y)
      return x;
   return is_mask(x) && is_mask(y) ? ir_b2i(b, ir_bor(b, x->src[0], y->src[0])) : NULL;
}

ir_val
ir_simplify_twice(struct ir_builder *b, struct ir_inst *inst)
{
   (void)b;
   return inst->src[0]->op == inst->op ? inst->src[0]->src[0] : NULL;
}
