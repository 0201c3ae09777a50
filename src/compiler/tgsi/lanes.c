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

#define WAVE_SIZE 64

/* Bits 32 * chan to 32 * chan + 31 of a mask of lanes below this one, and maybe
 * with this one. */
static ir_val
lanes_below(struct tr *t, unsigned chan, bool with_this)
{
   struct ir_builder *b = B(t);
   ir_val lane = ir_sysval(b, IR_SV_LANE_ID), zero = ir_imm(b, 0);
   ir_val bit = ir_shl(b, ir_imm(b, 1), ir_iand(b, lane, ir_imm(b, 31)));
   ir_val below = ir_op2(b, IR_ISUB, bit, ir_imm(b, 1));

   if (with_this)
      below = ir_ior(b, below, bit);
   below = ir_select(b, ir_ult(b, lane, ir_imm(b, 32 * (chan + 1))), below, ir_imm(b, ~0u));
   return ir_select(b, ir_ult(b, lane, ir_imm(b, 32 * chan)), zero, below);
}

/* NULL: not one of a subgroup's. */
ir_val
tr_subgroup_sysval(struct tr *t, unsigned semantic, unsigned chan)
{
   struct ir_builder *b = B(t);

   if (semantic == TGSI_SEMANTIC_SUBGROUP_SIZE)
      return ir_imm(b, WAVE_SIZE);
   if (semantic == TGSI_SEMANTIC_SUBGROUP_INVOCATION)
      return ir_sysval(b, IR_SV_LANE_ID);
   if (semantic < TGSI_SEMANTIC_SUBGROUP_EQ_MASK || semantic > TGSI_SEMANTIC_SUBGROUP_LT_MASK)
      return NULL;
   if (chan >= WAVE_SIZE / 32)
      return ir_imm(b, 0);
   switch (semantic) {
   case TGSI_SEMANTIC_SUBGROUP_EQ_MASK:
      return ir_ixor(b, lanes_below(t, chan, true), lanes_below(t, chan, false));
   case TGSI_SEMANTIC_SUBGROUP_GE_MASK:
      return ir_ixor(b, lanes_below(t, chan, false), ir_imm(b, ~0u));
   case TGSI_SEMANTIC_SUBGROUP_GT_MASK:
      return ir_ixor(b, lanes_below(t, chan, true), ir_imm(b, ~0u));
   case TGSI_SEMANTIC_SUBGROUP_LE_MASK:
      return lanes_below(t, chan, true);
   default:
      return lanes_below(t, chan, false);
   }
}

/* 64 bits in xy, counted in core clocks. */
void
tr_op_clock(struct tr *t)
{
   ir_val now = ir_clock(B(t)), zero = ir_imm(B(t), 0);
   ir_val v[4] = { ir_extract(B(t), now, 0), ir_extract(B(t), now, 1), zero, zero };

   tr_dst(t, v);
}
