/* SPDX-License-Identifier: MIT */
/* 64-bit integer division. As for 32 bits (lower_int.c), a float reciprocal
 * gives an estimate of 2^64 / y of about 20 bits, two Newton steps in integers
 * make it good to within two, and two conditional corrections finish. Operands
 * whose high halves are 0 are divided in 32 bits. Division by zero gives what
 * TGSI's reference gives. */
#include "passes.h"

static ir_val
imm(struct ir_builder *b, uint32_t v)
{
   return ir_imm(b, v);
}

static ir_val
pair(struct ir_builder *b, ir_val lo, ir_val hi)
{
   ir_val v[2] = { lo, hi };
   return ir_vec(b, 2, v);
}

static ir_val
imm64(struct ir_builder *b, uint64_t v)
{
   return pair(b, imm(b, v), imm(b, v >> 32));
}

static ir_val
lo(struct ir_builder *b, ir_val x)
{
   return x->op == IR_VEC ? x->src[0] : ir_extract(b, x, 0);
}

static ir_val
hi(struct ir_builder *b, ir_val x)
{
   return x->op == IR_VEC ? x->src[1] : ir_extract(b, x, 1);
}

static ir_val
op2(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y)
{
   return ir_op64(b, op, x, y, NULL);
}

static ir_val
select64(struct ir_builder *b, ir_val c, ir_val x, ir_val y)
{
   return pair(b, ir_select(b, c, lo(b, x), lo(b, y)), ir_select(b, c, hi(b, x), hi(b, y)));
}

/* Low 64 bits of the product. */
static ir_val
mul(struct ir_builder *b, ir_val x, ir_val y)
{
   ir_val r = ir_op64(b, IR_UMAD64, lo(b, x), lo(b, y), imm64(b, 0));
   ir_val high = ir_iadd(b, hi(b, r), ir_imul(b, lo(b, x), hi(b, y)));
   return pair(b, lo(b, r), ir_iadd(b, high, ir_imul(b, hi(b, x), lo(b, y))));
}

/* High 64 bits of the product. No sum overflows: (2^32-1)^2 + 2 (2^32-1) < 2^64. */
static ir_val
mul_hi(struct ir_builder *b, ir_val x, ir_val y)
{
   ir_val zero = imm(b, 0), low = ir_op2(b, IR_UMUL_HI, lo(b, x), lo(b, y));
   ir_val t = ir_op64(b, IR_UMAD64, lo(b, x), hi(b, y), pair(b, low, zero));
   ir_val u = ir_op64(b, IR_UMAD64, hi(b, x), lo(b, y), pair(b, lo(b, t), zero));
   ir_val sum = ir_op64(b, IR_UMAD64, hi(b, x), hi(b, y), pair(b, hi(b, t), zero));
   return op2(b, IR_IADD64, sum, pair(b, hi(b, u), zero));
}

/* A little less than 2^64 / y. */
static ir_val
estimate(struct ir_builder *b, ir_val y)
{
   ir_val f = ir_fadd(b, ir_fmul(b, ir_u2f(b, hi(b, y)), imm(b, 0x4f800000)), ir_u2f(b, lo(b, y)));
   ir_val r = ir_fmul(b, ir_frcp(b, f), imm(b, 0x5f7ffff0)); /* below 2^64 by more than roundings add */
   ir_val high = ir_op1(b, IR_FTRUNC, ir_fmul(b, r, imm(b, 0x2f800000)));
   ir_val low = ir_fadd(b, ir_fmul(b, high, imm(b, 0xcf800000)), r);
   return pair(b, ir_f2u(b, low), ir_f2u(b, high));
}

static void
udivmod(struct ir_builder *b, ir_val x, ir_val y, ir_val *quot, ir_val *rem)
{
   ir_val z = estimate(b, y), minus_y = op2(b, IR_ISUB64, imm64(b, 0), y);
   for (unsigned i = 0; i < 2; i++)
      z = op2(b, IR_IADD64, z, mul_hi(b, z, mul(b, minus_y, z)));
   ir_val q = mul_hi(b, x, z), r = op2(b, IR_ISUB64, x, mul(b, q, y));
   for (unsigned i = 0; i < 2; i++) {
      ir_val more = ir_op2(b, IR_UGE64, r, y);
      q = op2(b, IR_IADD64, q, pair(b, ir_select(b, more, imm(b, 1), imm(b, 0)), imm(b, 0)));
      r = select64(b, more, op2(b, IR_ISUB64, r, y), r);
   }
   *quot = q;
   *rem = r;
}

/* x or -x: m is 0 or ~0. */
static ir_val
negate_if(struct ir_builder *b, ir_val x, ir_val m)
{
   return op2(b, IR_ISUB64, pair(b, ir_ixor(b, lo(b, x), m), ir_ixor(b, hi(b, x), m)), pair(b, m, m));
}

ir_val
ir_lower_div64(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y)
{
   const bool is_signed = op == IR_IDIV64 || op == IR_IMOD64, is_mod = op == IR_UMOD64 || op == IR_IMOD64;
   ir_val sx = NULL, sy = NULL, q, r;
   if (is_signed) {
      sx = ir_ashr(b, hi(b, x), imm(b, 31));
      sy = ir_ashr(b, hi(b, y), imm(b, 31));
   }
   ir_val zero = ir_ieq(b, ir_ior(b, lo(b, y), hi(b, y)), imm(b, 0));
   udivmod(b, is_signed ? negate_if(b, x, sx) : x, is_signed ? negate_if(b, y, sy) : y, &q, &r);
   ir_val result = is_mod ? r : q;
   if (is_signed)
      result = negate_if(b, result, is_mod ? sx : ir_ixor(b, sx, sy)); /* the remainder has the dividend's sign */
   return select64(b, ir_bnot(b, zero), result, imm64(b, op == IR_IDIV64 ? 0 : ~0ull));
}
