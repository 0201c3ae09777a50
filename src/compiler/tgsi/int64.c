/* SPDX-License-Identifier: MIT */
/* 64-bit integers out of 32-bit operations. */
#include "ops.h"

struct i64 { ir_val lo, hi; };

static ir_val
imm(struct tr *t, uint32_t v)
{
   return ir_imm(B(t), v);
}

static struct i64
imm64(struct tr *t, uint64_t v)
{
   return (struct i64){ imm(t, v), imm(t, v >> 32) };
}

static struct i64
split(struct tr *t, ir_val vec)
{
   return (struct i64){ ir_extract(B(t), vec, 0), ir_extract(B(t), vec, 1) };
}

static ir_val
join(struct tr *t, struct i64 x)
{
   ir_val v[2] = { x.lo, x.hi };
   return ir_vec(B(t), 2, v);
}

static struct i64
src64(struct tr *t, unsigned n, unsigned pair)
{
   return split(t, tr_src64(t, n, pair));
}

static struct i64
select64(struct tr *t, ir_val c, struct i64 x, struct i64 y)
{
   return (struct i64){ ir_select(B(t), c, x.lo, y.lo), ir_select(B(t), c, x.hi, y.hi) };
}

/* 0 or 1 */
static ir_val
bit(struct tr *t, ir_val cond)
{
   return ir_select(B(t), cond, imm(t, 1), imm(t, 0));
}

static struct i64
op2(struct tr *t, enum ir_op op, struct i64 x, struct i64 y)
{
   return split(t, ir_op64(B(t), op, join(t, x), join(t, y), NULL));
}

static ir_val
cmp(struct tr *t, enum ir_op op, struct i64 x, struct i64 y)
{
   return ir_op2(B(t), op, join(t, x), join(t, y));
}

static ir_val
sign(struct tr *t, struct i64 x)
{
   return ir_ashr(B(t), x.hi, imm(t, 31));
}

/* x or -x: m is 0 or ~0. */
static struct i64
negate_if(struct tr *t, struct i64 x, ir_val m)
{
   struct i64 flipped = { ir_ixor(B(t), x.lo, m), ir_ixor(B(t), x.hi, m) }, mm = { m, m };
   return op2(t, IR_ISUB64, flipped, mm);
}

static struct i64
mul64(struct tr *t, struct i64 x, struct i64 y)
{
   struct i64 r = split(t, ir_op64(B(t), IR_UMAD64, x.lo, y.lo, join(t, imm64(t, 0))));
   r.hi = ir_iadd(B(t), r.hi, ir_imul(B(t), x.lo, y.hi));
   r.hi = ir_iadd(B(t), r.hi, ir_imul(B(t), x.hi, y.lo));
   return r;
}

/* op: IR_SHL64, IR_LSHR64, IR_ASHR64 */
static struct i64
shift64(struct tr *t, enum ir_op op, struct i64 x, ir_val count)
{
   return split(t, ir_op64(B(t), op, join(t, x), count, NULL));
}

#define FOREACH_PAIR(t, p)                                                                        \
   for (unsigned p = 0; p < 2; p++)                                                               \
      if (tr_mask(t) & (3u << (2 * p)))

/* op: enum tr_i64; the result has 64 bits. */
void
tr_op_i64(struct tr *t)
{
   ir_val v[2] = { NULL };

   FOREACH_PAIR(t, p) {
      struct i64 x = src64(t, 0, p), r = x, y = x;
      if (t->inst->Instruction.NumSrcRegs > 1)
         y = src64(t, 1, p);
      switch (t->op->op) {
      case TR_I64_MUL:
         r = mul64(t, x, y);
         break;
      case TR_I64_NEG:
         r = op2(t, IR_ISUB64, imm64(t, 0), x);
         break;
      case TR_I64_ABS:
         r = negate_if(t, x, sign(t, x));
         break;
      case TR_I64_SSG: {
         ir_val nonzero = ir_i2b(B(t), ir_ior(B(t), x.lo, x.hi));
         r.hi = sign(t, x);
         r.lo = ir_ior(B(t), r.hi, bit(t, nonzero));
         break;
      }
      case TR_I64_IMIN:
      case TR_I64_UMIN:
         r = select64(t, cmp(t, t->op->op == TR_I64_IMIN ? IR_ILT64 : IR_ULT64, x, y), x, y);
         break;
      case TR_I64_IMAX:
      case TR_I64_UMAX:
         r = select64(t, cmp(t, t->op->op == TR_I64_IMAX ? IR_ILT64 : IR_ULT64, x, y), y, x);
         break;
      }
      v[p] = join(t, r);
   }
   tr_dst64(t, v);
}

/* op: one of two sources and a result of 64 bits. */
void
tr_op_i64_alu(struct tr *t)
{
   ir_val v[2] = { NULL };

   FOREACH_PAIR(t, p)
      v[p] = ir_op64(B(t), t->op->op, tr_src64(t, 0, p), tr_src64(t, 1, p), NULL);
   tr_dst64(t, v);
}

/* op: IR_SHL64..; the count of pair p stands in channel 2 p. */
void
tr_op_i64_shift(struct tr *t)
{
   ir_val v[2] = { NULL };

   FOREACH_PAIR(t, p) {
      ir_val count = tr_src_as(t, 1, 2 * p, TGSI_TYPE_UNSIGNED);
      v[p] = join(t, shift64(t, t->op->op, src64(t, 0, p), count));
   }
   tr_dst64(t, v);
}

/* op: IR_IEQ64..; one dword a pair, in .x and .z. */
void
tr_op_i64_cmp(struct tr *t)
{
   ir_val v[4] = { imm(t, 0), imm(t, 0), imm(t, 0), imm(t, 0) };

   FOREACH_PAIR(t, p)
      v[2 * p] = v[2 * p + 1] = ir_b2i(B(t), ir_op2(B(t), t->op->op, tr_src64(t, 0, p), tr_src64(t, 1, p)));
   tr_dst(t, v);
}

static ir_val
d_op2(struct tr *t, enum ir_op op, ir_val x, ir_val y)
{
   return ir_op64(B(t), op, x, y, NULL);
}

static ir_val
d_op1(struct tr *t, enum ir_op op, ir_val x)
{
   return ir_op64(B(t), op, x, NULL, NULL);
}

/* hi * 2^32 + lo; the addition rounds once. */
static ir_val
to_double(struct tr *t, struct i64 x, bool is_signed)
{
   ir_val hi = d_op1(t, is_signed ? IR_I2D : IR_U2D, x.hi);
   hi = d_op2(t, IR_DLDEXP, hi, imm(t, 32));
   return d_op2(t, IR_DADD, hi, d_op1(t, IR_U2D, x.lo));
}

/* Truncates; hi = floor(x / 2^32), lo the rest. The conversions saturate each
 * half, which saturates the whole but for negative numbers of unsigned. */
static struct i64
from_double(struct tr *t, ir_val d, bool is_signed)
{
   ir_val trunc = d_op1(t, IR_DTRUNC, d);
   ir_val high = d_op1(t, IR_DFLOOR, d_op2(t, IR_DLDEXP, trunc, imm(t, (uint32_t)-32)));
   ir_val scaled = d_op2(t, IR_DLDEXP, high, imm(t, 32));
   ir_val v[2] = { ir_extract(B(t), scaled, 0),
                   ir_ixor(B(t), ir_extract(B(t), scaled, 1), imm(t, 0x80000000)) };
   ir_val low = d_op2(t, IR_DADD, trunc, ir_vec(B(t), 2, v));
   struct i64 r = { ir_op1(B(t), IR_D2U, low), ir_op1(B(t), is_signed ? IR_D2I : IR_D2U, high) };
   return r;
}

/* To float without rounding twice: the 64 bits are brought to 32 with what is
 * cut off or-ed into the last bit, which is far below the float's. */
static ir_val
to_float(struct tr *t, struct i64 x, bool is_signed)
{
   ir_val s = is_signed ? sign(t, x) : imm(t, 0);
   struct i64 m = is_signed ? negate_if(t, x, s) : x;
   ir_val lead = ir_op1(B(t), IR_FFBH_U, m.hi); /* ~0 when the high half is 0 */
   ir_val is_small = ir_ieq(B(t), m.hi, imm(t, 0));
   ir_val shift = ir_iand(B(t), lead, imm(t, 31));
   struct i64 n = shift64(t, IR_SHL64, m, shift);
   ir_val sticky = bit(t, ir_i2b(B(t), n.lo));
   ir_val big = ir_u2f(B(t), ir_ior(B(t), n.hi, sticky));
   big = ir_op2(B(t), IR_FLDEXP, big, ir_isub(B(t), imm(t, 32), shift));
   ir_val f = ir_select(B(t), is_small, ir_u2f(B(t), m.lo), big);
   return ir_ior(B(t), f, ir_iand(B(t), s, imm(t, 0x80000000)));
}

/* op: TR_I64_FROM_*; .x makes .xy, .y makes .zw; doubles pair to pair. */
void
tr_op_i64_from(struct tr *t)
{
   ir_val v[2] = { NULL };
   const unsigned op = t->op->op;

   FOREACH_PAIR(t, p) {
      struct i64 r;
      if (op == TR_I64_FROM_U32 || op == TR_I64_FROM_I32) {
         r.lo = tr_src_as(t, 0, p, TGSI_TYPE_SIGNED);
         r.hi = op == TR_I64_FROM_I32 ? ir_ashr(B(t), r.lo, imm(t, 31)) : imm(t, 0);
      } else {
         const bool from_float = op == TR_I64_FROM_F_U || op == TR_I64_FROM_F_I;
         ir_val d = from_float ? d_op1(t, IR_F2D, tr_src_as(t, 0, p, TGSI_TYPE_FLOAT))
                               : tr_src64(t, 0, p);
         r = from_double(t, d, op == TR_I64_FROM_F_I || op == TR_I64_FROM_D_I);
      }
      v[p] = join(t, r);
   }
   tr_dst64(t, v);
}

/* arg: signed. .xy makes .x, .zw makes .y. */
void
tr_op_i64_to_f(struct tr *t)
{
   ir_val v[4] = { imm(t, 0), imm(t, 0), imm(t, 0), imm(t, 0) };

   for (unsigned c = 0; c < 2; c++) {
      if (tr_mask(t) & (1u << c))
         v[c] = to_float(t, src64(t, 0, c), t->op->arg);
   }
   tr_dst(t, v);
}

void
tr_op_i64_to_d(struct tr *t)
{
   ir_val v[2] = { NULL };

   FOREACH_PAIR(t, p)
      v[p] = to_double(t, src64(t, 0, p), t->op->arg);
   tr_dst64(t, v);
}
