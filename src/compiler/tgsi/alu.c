/* SPDX-License-Identifier: MIT */
/* 32-bit float arithmetic. Semantics: tgsi.rst and, where that is silent,
 * what Mesa's interpreter does. */
#include <math.h>

#include "ops.h"

/* Calls fn for every channel of the write mask, then stores all: a source may
 * be the destination under another swizzle. */
#define FOREACH_CHAN(t, c)                                                                        \
   for (unsigned c = 0; c < 4; c++)                                                               \
      if (tr_mask(t) & (1u << c))

static ir_val
mul(struct tr *t, ir_val x, ir_val y)
{
   return ir_op2(B(t), t->legacy_math ? IR_FMUL_LEGACY : IR_FMUL, x, y);
}

static ir_val
one(struct tr *t)
{
   return ir_immf(B(t), 1.0f);
}

static ir_val
alu_op(struct tr *t, unsigned c)
{
   ir_val s[3] = { NULL };
   unsigned n = ir_op_infos[t->op->op].num_src;

   for (unsigned i = 0; i < n; i++)
      s[i] = tr_src(t, i, c);
   switch (n) {
   case 1:
      return ir_op1(B(t), t->op->op, s[0]);
   case 2:
      return ir_op2(B(t), t->op->op, s[0], s[1]);
   default:
      return ir_op3(B(t), t->op->op, s[0], s[1], s[2]);
   }
}

/* op: the IR operation, source by source, channel by channel. */
void
tr_op_alu(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = alu_op(t, c);
   tr_dst(t, v);
}

/* op: the IR operation of the x channels, for all channels. */
void
tr_op_alu_repl(struct tr *t)
{
   tr_dst_all(t, alu_op(t, 0));
}

void
tr_op_mov(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = tr_src(t, 0, c);
   tr_dst(t, v);
}

void
tr_op_mul(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = mul(t, tr_src(t, 0, c), tr_src(t, 1, c));
   tr_dst(t, v);
}

static ir_val
mad(struct tr *t, ir_val x, ir_val y, ir_val z)
{
   if (t->legacy_math)
      return ir_fadd(B(t), mul(t, x, y), z);
   return ir_fmad(B(t), x, y, z);
}

void
tr_op_mad(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = mad(t, tr_src(t, 0, c), tr_src(t, 1, c), tr_src(t, 2, c));
   tr_dst(t, v);
}

/* op: compare; arg: TR_SWAP exchanges the operands. */
static ir_val
compare(struct tr *t, unsigned c)
{
   ir_val x = tr_src(t, 0, c), y = tr_src(t, 1, c);
   return t->op->arg ? ir_op2(B(t), t->op->op, y, x) : ir_op2(B(t), t->op->op, x, y);
}

/* 1.0 or 0.0 */
void
tr_op_fset(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = ir_b2f(B(t), compare(t, c));
   tr_dst(t, v);
}

/* ~0 or 0, of floats and of integers */
void
tr_op_iset(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = ir_b2i(B(t), compare(t, c));
   tr_dst(t, v);
}

/* x ** y for x >= 0. 0 ** 0 is 1: the product must be 0, not NaN. */
static ir_val
powr(struct tr *t, ir_val x, ir_val y)
{
   return ir_fexp2(B(t), ir_op2(B(t), IR_FMUL_LEGACY, ir_flog2(B(t), x), y));
}

void
tr_op_pow(struct tr *t)
{
   tr_dst_all(t, powr(t, tr_src(t, 0, 0), tr_src(t, 1, 0)));
}

void
tr_op_lit(struct tr *t)
{
   const unsigned mask = tr_mask(t);
   ir_val v[4] = { one(t), NULL, NULL, one(t) };
   ir_val x = tr_src(t, 0, 0);

   if (mask & TGSI_WRITEMASK_Y)
      v[1] = ir_fmax(B(t), x, ir_imm(B(t), 0));
   if (mask & TGSI_WRITEMASK_Z) {
      ir_val base = ir_fmax(B(t), tr_src(t, 0, 1), ir_imm(B(t), 0));
      ir_val exp = ir_fmax(B(t), ir_fmin(B(t), tr_src(t, 0, 3), ir_immf(B(t), 128.0f)),
                           ir_immf(B(t), -128.0f));
      v[2] = ir_select(B(t), ir_flt(B(t), ir_imm(B(t), 0), x), powr(t, base, exp),
                       ir_imm(B(t), 0));
   }
   tr_dst(t, v);
}

void
tr_op_exp(struct tr *t)
{
   const unsigned mask = tr_mask(t);
   ir_val v[4] = { NULL, NULL, NULL, one(t) };
   ir_val x = tr_src(t, 0, 0);
   ir_val floor = ir_ffloor(B(t), x);

   if (mask & TGSI_WRITEMASK_X)
      v[0] = ir_fexp2(B(t), floor);
   if (mask & TGSI_WRITEMASK_Y)
      v[1] = ir_fadd(B(t), x, ir_fneg(B(t), floor));
   if (mask & TGSI_WRITEMASK_Z)
      v[2] = ir_fexp2(B(t), x);
   tr_dst(t, v);
}

void
tr_op_log(struct tr *t)
{
   ir_val x = ir_fabs(B(t), tr_src(t, 0, 0));
   ir_val log = ir_flog2(B(t), x);
   ir_val floor = ir_ffloor(B(t), log);
   ir_val v[4] = { floor, NULL, log, one(t) };

   if (tr_mask(t) & TGSI_WRITEMASK_Y)
      v[1] = mul(t, x, ir_fexp2(B(t), ir_fneg(B(t), floor)));
   tr_dst(t, v);
}

void
tr_op_dst(struct tr *t)
{
   const unsigned mask = tr_mask(t);
   ir_val v[4] = { one(t), NULL, NULL, NULL };

   if (mask & TGSI_WRITEMASK_Y)
      v[1] = mul(t, tr_src(t, 0, 1), tr_src(t, 1, 1));
   if (mask & TGSI_WRITEMASK_Z)
      v[2] = tr_src(t, 0, 2);
   if (mask & TGSI_WRITEMASK_W)
      v[3] = tr_src(t, 1, 3);
   tr_dst(t, v);
}

/* arg: number of components. */
void
tr_op_dp(struct tr *t)
{
   ir_val sum = mul(t, tr_src(t, 0, 0), tr_src(t, 1, 0));

   for (unsigned c = 1; c < t->op->arg; c++)
      sum = mad(t, tr_src(t, 0, c), tr_src(t, 1, c), sum);
   tr_dst_all(t, sum);
}

/* s0 * (s1 - s2) + s2 */
void
tr_op_lrp(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c) {
      ir_val s2 = tr_src(t, 2, c);
      v[c] = mad(t, tr_src(t, 0, c), ir_fadd(B(t), tr_src(t, 1, c), ir_fneg(B(t), s2)), s2);
   }
   tr_dst(t, v);
}

void
tr_op_cmp(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c) {
      ir_val neg = ir_flt(B(t), tr_src(t, 0, c), ir_imm(B(t), 0));
      v[c] = ir_select(B(t), neg, tr_src(t, 1, c), tr_src(t, 2, c));
   }
   tr_dst(t, v);
}

/* 0 and NaN give 0. */
void
tr_op_ssg(struct tr *t)
{
   ir_val v[4] = { NULL };
   ir_val zero = ir_imm(B(t), 0);

   FOREACH_CHAN(t, c) {
      ir_val x = tr_src(t, 0, c);
      ir_val pos = ir_select(B(t), ir_flt(B(t), zero, x), one(t), zero);
      v[c] = ir_select(B(t), ir_flt(B(t), x, zero), ir_immf(B(t), -1.0f), pos);
   }
   tr_dst(t, v);
}

void
tr_op_div(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = mul(t, tr_src(t, 0, c), ir_frcp(B(t), tr_src(t, 1, c)));
   tr_dst(t, v);
}

/* op: FSIN or FCOS, which take turns in a limited range. */
void
tr_op_sincos(struct tr *t)
{
   ir_val turns = ir_fmul(B(t), tr_src(t, 0, 0), ir_immf(B(t), (float)(0.5 / M_PI)));
   tr_dst_all(t, ir_op1(B(t), t->op->op, ir_ffract(B(t), turns)));
}

void
tr_op_ldexp(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = ir_op2(B(t), IR_FLDEXP, tr_src(t, 0, c), tr_src(t, 1, c));
   tr_dst(t, v);
}

/* Address registers hold integers. */
void
tr_op_arl(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = ir_f2i(B(t), ir_ffloor(B(t), tr_src(t, 0, c)));
   tr_dst(t, v);
}

void
tr_op_arr(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c) {
      ir_val x = ir_fadd(B(t), tr_src(t, 0, c), ir_immf(B(t), 0.5f));
      v[c] = ir_f2i(B(t), ir_ffloor(B(t), x));
   }
   tr_dst(t, v);
}

/* Two halves from .xy, rounded to nearest even. */
void
tr_op_pk2h(struct tr *t)
{
   ir_val lo = ir_op1(B(t), IR_F2F16, tr_src(t, 0, 0));
   ir_val hi = ir_op1(B(t), IR_F2F16, tr_src(t, 0, 1));
   tr_dst_all(t, ir_ior(B(t), lo, ir_shl(B(t), hi, ir_imm(B(t), 16))));
}

/* .xz from the low half, .yw from the high half of .x. */
void
tr_op_up2h(struct tr *t)
{
   ir_val x = tr_src(t, 0, 0);
   ir_val lo = ir_op1(B(t), IR_F16_2F, x);
   ir_val hi = ir_op1(B(t), IR_F16_2F, ir_lshr(B(t), x, ir_imm(B(t), 16)));
   ir_val v[4] = { lo, hi, lo, hi };
   tr_dst(t, v);
}

/* arg: 2 for PK2US, 4 for PK4UB; op: 1 when signed (PK4B). Rounds to nearest:
 * the document's formula. */
void
tr_op_pk_norm(struct tr *t)
{
   const unsigned n = t->op->arg, bits = 32 / n;
   const float scale = t->op->op ? 127.0f : (float)((1u << bits) - 1);
   ir_val result = NULL;

   for (unsigned c = 0; c < n; c++) {
      ir_val x = tr_src_as(t, 0, c, TGSI_TYPE_FLOAT);
      ir_val lo = ir_immf(B(t), t->op->op ? -1.0f : 0.0f);
      x = ir_fmin(B(t), ir_fmax(B(t), x, lo), one(t));
      x = ir_frndne(B(t), ir_fmul(B(t), x, ir_immf(B(t), scale)));
      x = t->op->op ? ir_iand(B(t), ir_f2i(B(t), x), ir_imm(B(t), 0xff)) : ir_f2u(B(t), x);
      if (c)
         x = ir_shl(B(t), x, ir_imm(B(t), c * bits));
      result = result ? ir_ior(B(t), result, x) : x;
   }
   tr_dst_all(t, result);
}

/* The inverse; arg and op likewise. */
void
tr_op_up_norm(struct tr *t)
{
   const unsigned n = t->op->arg, bits = 32 / n;
   ir_val x = tr_src_as(t, 0, 0, TGSI_TYPE_UNSIGNED);
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c) {
      ir_val off = ir_imm(B(t), (c % n) * bits), width = ir_imm(B(t), bits);
      if (t->op->op) {
         ir_val f = ir_op1(B(t), IR_I2F, ir_op3(B(t), IR_IBFE, x, off, width));
         f = ir_fmul(B(t), f, ir_immf(B(t), 1.0f / 127.0f));
         v[c] = ir_fmax(B(t), f, ir_immf(B(t), -1.0f));
      } else {
         ir_val f = ir_op1(B(t), IR_U2F, ir_op3(B(t), IR_UBFE, x, off, width));
         v[c] = ir_fmul(B(t), f, ir_immf(B(t), 1.0f / (float)((1u << bits) - 1)));
      }
   }
   tr_dst(t, v);
}
