/* SPDX-License-Identifier: MIT */
/* 32-bit integer arithmetic beyond one-to-one operations, and UCMP. */
#include "ops.h"

#define FOREACH_CHAN(t, c)                                                                        \
   for (unsigned c = 0; c < 4; c++)                                                               \
      if (tr_mask(t) & (1u << c))

/* s0 * s1 + s2 */
void
tr_op_umad(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = ir_iadd(B(t), ir_imul(B(t), tr_src(t, 0, c), tr_src(t, 1, c)), tr_src(t, 2, c));
   tr_dst(t, v);
}

/* The condition is an integer; what is chosen has no type (float modifiers). */
void
tr_op_ucmp(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c) {
      ir_val cond = ir_i2b(B(t), tr_src_as(t, 0, c, TGSI_TYPE_UNSIGNED));
      v[c] = ir_select(B(t), cond, tr_src_as(t, 1, c, TGSI_TYPE_FLOAT),
                       tr_src_as(t, 2, c, TGSI_TYPE_FLOAT));
   }
   tr_dst(t, v);
}

void
tr_op_issg(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c)
      v[c] = ir_imax(B(t), ir_imin(B(t), tr_src(t, 0, c), ir_imm(B(t), 1)), ir_imm(B(t), ~0u));
   tr_dst(t, v);
}

/* op: UBFE or IBFE, which take the width modulo 32. */
void
tr_op_bfe(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c) {
      ir_val x = tr_src(t, 0, c), width = tr_src(t, 2, c);
      ir_val all = ir_uge(B(t), width, ir_imm(B(t), 32));
      v[c] = ir_select(B(t), all, x, ir_op3(B(t), t->op->op, x, tr_src(t, 1, c), width));
   }
   tr_dst(t, v);
}

/* s0 with its bits [s2, s2 + s3) from s1 */
void
tr_op_bfi(struct tr *t)
{
   ir_val v[4] = { NULL };

   FOREACH_CHAN(t, c) {
      ir_val insert = tr_src(t, 1, c), offset = tr_src(t, 2, c), width = tr_src(t, 3, c);
      ir_val mask = ir_op2(B(t), IR_BFM, width, offset);
      ir_val mixed = ir_op3(B(t), IR_BFI, mask, ir_shl(B(t), insert, offset), tr_src(t, 0, c));
      v[c] = ir_select(B(t), ir_uge(B(t), width, ir_imm(B(t), 32)), insert, mixed);
   }
   tr_dst(t, v);
}

/* op: FFBH_U or FFBH_I, which count from bit 31 and give -1 when there is none. */
void
tr_op_msb(struct tr *t)
{
   ir_val v[4] = { NULL };
   ir_val none = ir_imm(B(t), ~0u);

   FOREACH_CHAN(t, c) {
      ir_val lead = ir_op1(B(t), t->op->op, tr_src(t, 0, c));
      v[c] = ir_select(B(t), ir_ieq(B(t), lead, none), none,
                       ir_isub(B(t), ir_imm(B(t), 31), lead));
   }
   tr_dst(t, v);
}
