/* SPDX-License-Identifier: MIT */
/* Lanes of a wave that look at each other, and the clock. Votes and ballots are
 * in misc.c. */
#include "ops.h"

/* READ_INVOC dst, value, lane: the number is the same in all lanes, or the
 * result is undefined; the first lane's is taken. */
void
tr_op_read_invoc(struct tr *t)
{
   ir_val lane = ir_op1(B(t), IR_READFIRST, tr_src_as(t, 1, 0, TGSI_TYPE_UNSIGNED));
   ir_val v[4] = { NULL };

   for (unsigned c = 0; c < 4; c++) {
      if (tr_mask(t) & (1u << c))
         v[c] = ir_read_lane(B(t), tr_src_as(t, 0, c, TGSI_TYPE_UNTYPED), lane);
   }
   tr_dst(t, v);
}

/* 64 bits in xy, counted in core clocks. */
void
tr_op_clock(struct tr *t)
{
   ir_val now = ir_clock(B(t)), zero = ir_imm(B(t), 0);
   ir_val v[4] = { ir_extract(B(t), now, 0), ir_extract(B(t), now, 1), zero, zero };

   tr_dst(t, v);
}
