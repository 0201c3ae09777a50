/* SPDX-License-Identifier: MIT */
/* 64-bit floats. The IR's drcp and drsq are what the hardware has: estimates
 * within 2^29 ULP, some 23 bits, made exact here by Newton's iterations in fused arithmetic. */
#include "ops.h"

typedef ir_val dval; /* vector of two dwords, low first */

static dval
op1(struct tr *t, enum ir_op op, dval x)
{
   return ir_op64(B(t), op, x, NULL, NULL);
}

static dval
op2(struct tr *t, enum ir_op op, dval x, dval y)
{
   return ir_op64(B(t), op, x, y, NULL);
}

static dval
fma64(struct tr *t, dval x, dval y, dval z)
{
   return ir_op64(B(t), IR_DFMA, x, y, z);
}

static dval
make(struct tr *t, ir_val lo, ir_val hi)
{
   ir_val v[2] = { lo, hi };
   return ir_vec(B(t), 2, v);
}

static dval
imm64(struct tr *t, double d)
{
   uint64_t bits;
   memcpy(&bits, &d, 8);
   return make(t, ir_imm(B(t), (uint32_t)bits), ir_imm(B(t), bits >> 32));
}

static ir_val
hi(struct tr *t, dval x)
{
   return ir_extract(B(t), x, 1);
}

static dval
neg64(struct tr *t, dval x)
{
   return make(t, ir_extract(B(t), x, 0), ir_ixor(B(t), hi(t, x), ir_imm(B(t), 0x80000000)));
}

static dval
abs64(struct tr *t, dval x)
{
   return make(t, ir_extract(B(t), x, 0), ir_iand(B(t), hi(t, x), ir_imm(B(t), 0x7fffffff)));
}

static dval
select64(struct tr *t, ir_val cond, dval x, dval y)
{
   return make(t, ir_select(B(t), cond, ir_extract(B(t), x, 0), ir_extract(B(t), y, 0)),
               ir_select(B(t), cond, hi(t, x), hi(t, y)));
}

/* Two of Newton's iterations for 1 / x, from an estimate. */
static dval
newton_rcp(struct tr *t, dval x)
{
   dval r = op1(t, IR_DRCP, x), nx = neg64(t, x), one = imm64(t, 1.0);

   for (unsigned i = 0; i < 2; i++)
      r = fma64(t, fma64(t, nx, r, one), r, r);
   return r;
}

/* The significand's quotient q, its exponent, and what 0, infinity and NaN
 * give. Working on significands nothing overflows or gets denormal on the way. */
static dval
finish_quotient(struct tr *t, dval q, ir_val exponent, dval y, dval x)
{
   return ir_op64(B(t), IR_DDIV_FIXUP, op2(t, IR_DLDEXP, q, exponent), y, x);
}

static dval
rcp64(struct tr *t, dval x)
{
   dval r = newton_rcp(t, op1(t, IR_DFREXP_MANT, x));
   return finish_quotient(t, r, ir_ineg(B(t), ir_op1(B(t), IR_DFREXP_EXP, x)), x, imm64(t, 1.0));
}

static dval
div64(struct tr *t, dval x, dval y)
{
   dval mx = op1(t, IR_DFREXP_MANT, x), my = op1(t, IR_DFREXP_MANT, y);
   ir_val exponent = ir_isub(B(t), ir_op1(B(t), IR_DFREXP_EXP, x), ir_op1(B(t), IR_DFREXP_EXP, y));
   dval r = newton_rcp(t, my), q = op2(t, IR_DMUL, mx, r);
   dval rest = fma64(t, neg64(t, my), q, mx);

   return finish_quotient(t, fma64(t, rest, r, q), exponent, y, x);
}

/* The iterations for roots would multiply 0 and infinity for these. */
static ir_val
is_zero_or_inf(struct tr *t, dval x)
{
   return ir_op1_imm(B(t), IR_DCLASS, x, IR_CLASS_ZERO | IR_CLASS_POS_INF);
}

static dval
sqrt64(struct tr *t, dval x)
{
   dval y = op1(t, IR_DRSQ, x), half = imm64(t, 0.5);
   /* g converges to sqrt(x), h to 1 / (2 sqrt(x)). */
   dval g = op2(t, IR_DMUL, x, y), h = op2(t, IR_DMUL, y, half);

   for (unsigned i = 0; i < 2; i++) {
      dval r = fma64(t, neg64(t, h), g, half);
      g = fma64(t, g, r, g);
      h = fma64(t, h, r, h);
   }
   g = fma64(t, fma64(t, neg64(t, g), g, x), h, g);
   return select64(t, is_zero_or_inf(t, x), x, g);
}

static dval
rsq64(struct tr *t, dval x)
{
   dval y = op1(t, IR_DRSQ, x), xy = op2(t, IR_DMUL, x, y);
   dval e = fma64(t, neg64(t, xy), y, imm64(t, 1.0));
   /* y / sqrt(1 - e), where e is below 2^-22: y + y e (1/2 + 3/8 e). Two of Newton's
    * iterations are longer and no better. */
   dval r = fma64(t, op2(t, IR_DMUL, y, e), fma64(t, e, imm64(t, 0.375), imm64(t, 0.5)), y);

   return select64(t, is_zero_or_inf(t, x), y, r);
}

/* Results for the pairs of the write mask: .xy is pair 0, .zw pair 1. */
#define FOREACH_PAIR(t, p)                                                                        \
   for (unsigned p = 0; p < 2; p++)                                                               \
      if (tr_mask(t) & (3u << (2 * p)))

/* op: DADD..; one, two or three sources. */
void
tr_op_d_alu(struct tr *t)
{
   dval v[2] = { NULL };
   const unsigned n = ir_op_infos[t->op->op].num_src;

   FOREACH_PAIR(t, p) {
      v[p] = ir_op64(B(t), t->op->op, tr_src64(t, 0, p), n > 1 ? tr_src64(t, 1, p) : NULL,
                     n > 2 ? tr_src64(t, 2, p) : NULL);
   }
   tr_dst64(t, v);
}

/* What is marked precise rounds twice, as it says; else contraction is allowed. */
void
tr_op_d_mad(struct tr *t)
{
   dval v[2] = { NULL };

   FOREACH_PAIR(t, p) {
      dval x = tr_src64(t, 0, p), y = tr_src64(t, 1, p), z = tr_src64(t, 2, p);
      v[p] = t->inst->Instruction.Precise ? op2(t, IR_DADD, op2(t, IR_DMUL, x, y), z) : fma64(t, x, y, z);
   }
   tr_dst64(t, v);
}

/* op: enum tr_d_special */
void
tr_op_d_special(struct tr *t)
{
   dval v[2] = { NULL };

   FOREACH_PAIR(t, p) {
      dval x = tr_src64(t, 0, p);
      switch (t->op->op) {
      case TR_D_ABS:
         v[p] = abs64(t, x);
         break;
      case TR_D_NEG:
         v[p] = neg64(t, x);
         break;
      case TR_D_RCP:
         v[p] = rcp64(t, x);
         break;
      case TR_D_RSQ:
         v[p] = rsq64(t, x);
         break;
      case TR_D_SQRT:
         v[p] = sqrt64(t, x);
         break;
      case TR_D_DIV:
         v[p] = div64(t, x, tr_src64(t, 1, p));
         break;
      case TR_D_SSG: {
         dval zero = imm64(t, 0.0);
         ir_val pos = ir_op2(B(t), IR_DLT, zero, x), neg = ir_op2(B(t), IR_DLT, x, zero);
         v[p] = select64(t, neg, imm64(t, -1.0), select64(t, pos, imm64(t, 1.0), zero));
         break;
      }
      }
   }
   tr_dst64(t, v);
}

/* Compares of pairs write one dword: pair 0 to .x, pair 1 to .z. */
void
tr_op_d_cmp(struct tr *t)
{
   ir_val v[4] = { ir_imm(B(t), 0), ir_imm(B(t), 0), ir_imm(B(t), 0), ir_imm(B(t), 0) };

   FOREACH_PAIR(t, p)
      v[2 * p] = ir_b2i(B(t), ir_op2(B(t), t->op->op, tr_src64(t, 0, p), tr_src64(t, 1, p)));
   v[1] = v[0];
   v[3] = v[2];
   tr_dst(t, v);
}

/* From 32 bits: .x makes .xy, .y makes .zw. */
void
tr_op_d_from(struct tr *t)
{
   dval v[2] = { NULL };

   FOREACH_PAIR(t, p)
      v[p] = op1(t, t->op->op, tr_src(t, 0, p));
   tr_dst64(t, v);
}

/* To 32 bits: .xy makes .x, .zw makes .y. */
void
tr_op_d_to(struct tr *t)
{
   ir_val v[4] = { ir_imm(B(t), 0), ir_imm(B(t), 0), ir_imm(B(t), 0), ir_imm(B(t), 0) };

   for (unsigned c = 0; c < 2; c++) {
      if (tr_mask(t) & (1u << c))
         v[c] = ir_op1(B(t), t->op->op, tr_src64(t, 0, c));
   }
   tr_dst(t, v);
}

/* The exponent of pair p stands in the first channel of the pair. */
void
tr_op_d_ldexp(struct tr *t)
{
   dval v[2] = { NULL };

   FOREACH_PAIR(t, p)
      v[p] = op2(t, IR_DLDEXP, tr_src64(t, 0, p), tr_src(t, 1, 2 * p));
   tr_dst64(t, v);
}

/* Destination 0 gets the significand, destination 1 the exponent. */
void
tr_op_d_fracexp(struct tr *t)
{
   dval x = tr_src64(t, 0, 0);
   dval mant = op1(t, IR_DFREXP_MANT, x);
   ir_val exp = ir_op1(B(t), IR_DFREXP_EXP, x);
   ir_val e[4] = { exp, exp, exp, exp };
   dval v[2] = { mant, mant };

   tr_dst64(t, v);
   tr_dst_n(t, 1, e);
}
