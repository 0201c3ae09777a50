/* SPDX-License-Identifier: MIT */
/* 32-bit integer division. The hardware has none: a float reciprocal gives an
 * estimate of 2^32 / y, one Newton step in integers makes it exact to within
 * two, and two conditional corrections finish. Constants divide by one
 * multiplication of high halves. Division by zero gives what
 * TGSI's reference gives: ~0 unsigned, 0 for IDIV, ~0 for MOD. */
#include "passes.h"

static void
udivmod(struct ir_builder *b, ir_val x, ir_val y, ir_val *quot, ir_val *rem)
{
   ir_val z = ir_f2u(b, ir_fmul(b, ir_frcp(b, ir_u2f(b, y)), ir_imm(b, 0x4f7ffffe))); /* just below 2^32 */
   ir_val err = ir_imul(b, ir_ineg(b, y), z);
   z = ir_iadd(b, z, ir_op2(b, IR_UMUL_HI, z, err));
   ir_val q = ir_op2(b, IR_UMUL_HI, x, z);
   ir_val r = ir_isub(b, x, ir_imul(b, q, y));
   for (unsigned i = 0; i < 2; i++) {
      q = ir_select(b, ir_uge(b, r, y), ir_iadd(b, q, ir_imm(b, 1)), q);
      r = ir_umin(b, r, ir_isub(b, r, y)); /* wraps far up when there is less than y */
   }
   *quot = q;
   *rem = r;
}

/* x / d for a constant d as a product with a rounded 2^(32+n) / d. Where that has
 * 33 bits, the top one is added apart (Granlund and Montgomery 1994, figure 4.1). */
static ir_val
udiv_const(struct ir_builder *b, ir_val x, uint32_t d)
{
   unsigned even = 0, n = 0;
   while (!((d >> even) & 1))
      even++;
   uint32_t odd = d >> even;
   while (n < 32 && (1ull << n) < odd)
      n++;
   /* An even divisor always leaves room: x >> even has fewer bits. */
   for (unsigned bits = n; bits-- > 0;) {
      uint64_t power = 1ull << (32 + bits), up = power / odd + 1;
      if (up >> 32 || up * odd - power > (uint64_t)1 << (bits + even))
         continue;
      ir_val t = even ? ir_lshr(b, x, ir_imm(b, even)) : x;
      ir_val hi = ir_op2(b, IR_UMUL_HI, t, ir_imm(b, up));
      return bits ? ir_lshr(b, hi, ir_imm(b, bits)) : hi;
   }
   uint32_t m = (((1ull << n) - odd) << 32) / odd + 1;
   ir_val hi = ir_op2(b, IR_UMUL_HI, x, ir_imm(b, m));
   ir_val rest = ir_isub(b, x, hi);
   ir_val sum = ir_iadd(b, ir_lshr(b, rest, ir_imm(b, 1)), hi);
   return n > 1 ? ir_lshr(b, sum, ir_imm(b, n - 1)) : sum;
}

static ir_val
unsigned_div(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y)
{
   ir_val q, r;
   if (y->op == IR_CONST && y->imm && !(y->imm & (y->imm - 1))) {
      return op == IR_UDIV ? ir_lshr(b, x, ir_imm(b, __builtin_ctz(y->imm)))
                           : ir_iand(b, x, ir_imm(b, y->imm - 1));
   }
   if (y->op == IR_CONST && y->imm) {
      q = udiv_const(b, x, y->imm);
      return op == IR_UDIV ? q : ir_isub(b, x, ir_imul(b, q, y));
   }
   udivmod(b, x, y, &q, &r);
   ir_val result = op == IR_UDIV ? q : r;
   return ir_select(b, ir_i2b(b, y), result, ir_imm(b, ~0u));
}

static ir_val
signed_div(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y)
{
   ir_val q, r;
   if (y->op == IR_CONST && y->imm) {
      uint32_t d = (int32_t)y->imm < 0 ? -y->imm : y->imm;
      ir_val sign = ir_ashr(b, x, ir_imm(b, 31)), size = ir_isub(b, ir_ixor(b, x, sign), sign);
      q = d & (d - 1) ? udiv_const(b, size, d) : ir_lshr(b, size, ir_imm(b, __builtin_ctz(d)));
      q = ir_isub(b, ir_ixor(b, q, sign), sign);
      if ((int32_t)y->imm < 0)
         q = ir_ineg(b, q);
      return op == IR_IDIV ? q : ir_isub(b, x, ir_imul(b, q, y));
   }
   ir_val sx = ir_ashr(b, x, ir_imm(b, 31)), sy = ir_ashr(b, y, ir_imm(b, 31));
   ir_val ax = ir_isub(b, ir_ixor(b, x, sx), sx), ay = ir_isub(b, ir_ixor(b, y, sy), sy);
   udivmod(b, ax, ay, &q, &r);
   ir_val sign = op == IR_IDIV ? ir_ixor(b, sx, sy) : sx; /* the remainder has the dividend's sign */
   ir_val u = op == IR_IDIV ? q : r;
   ir_val result = ir_isub(b, ir_ixor(b, u, sign), sign);
   return ir_select(b, ir_i2b(b, y), result, ir_imm(b, op == IR_IDIV ? 0 : ~0u));
}

static bool
is_zero_extended(ir_val x)
{
   return x->op == IR_VEC && ir_is_const(x->src[1], 0);
}

/* Of pairs: by 32 bits when both have no more, for which signs do not matter. */
static ir_val
div64(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y)
{
   const bool is_mod = op == IR_UMOD64 || op == IR_IMOD64;
   if (!is_zero_extended(x) || !is_zero_extended(y))
      return ir_lower_div64(b, op, x, y);
   ir_val by_zero = ir_imm(b, op == IR_IDIV64 ? 0 : ~0u), some = ir_i2b(b, y->src[0]);
   ir_val r = unsigned_div(b, is_mod ? IR_UMOD : IR_UDIV, x->src[0], y->src[0]);
   ir_val v[2] = { ir_select(b, some, r, by_zero), ir_select(b, some, ir_imm(b, 0), by_zero) };
   return ir_vec(b, 2, v);
}

static const enum ir_op divisions[] = {
   IR_UDIV, IR_UMOD, IR_IDIV, IR_IMOD, IR_UDIV64, IR_UMOD64, IR_IDIV64, IR_IMOD64,
};
#define NUM_DIVISIONS (sizeof(divisions) / sizeof(divisions[0]))

static bool
is_division(enum ir_op op)
{
   for (unsigned i = 0; i < NUM_DIVISIONS; i++) {
      if (op == divisions[i])
         return true;
   }
   return false;
}

void
ir_lower_int(struct ir_shader *sh)
{
   bool any = false;
   for (unsigned i = 0; i < NUM_DIVISIONS; i++)
      any |= sh->made[divisions[i]];
   if (!any)
      return;
   ir_foreach_block(sh, blk) {
      ir_foreach_inst_safe(blk, inst) {
         if (!is_division(inst->op))
            continue;
         struct ir_builder b = ir_builder_before(sh, inst);
         ir_val x = ir_now(inst->src[0]), y = ir_now(inst->src[1]);
         ir_replace(inst, inst->comps == 2 ? div64(&b, inst->op, x, y)
                          : inst->op == IR_UDIV || inst->op == IR_UMOD ? unsigned_div(&b, inst->op, x, y)
                                                                       : signed_div(&b, inst->op, x, y));
      }
   }
   ir_update_uses(sh);
}
