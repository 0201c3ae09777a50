/* SPDX-License-Identifier: MIT */
/* Derivatives, discarding, interpolation at other places, lanes of a wave. */
#include "ops.h"

#define FOREACH_CHAN(t, c)                                                                        \
   for (unsigned c = 0; c < 4; c++)                                                               \
      if (tr_mask(t) & (1u << c))

/* Every stage but the pixel shader lacks quads. */
static bool
require_ps(struct tr *t)
{
   if (t->stage == TGSIAMD_PS)
      return true;
   tr_error(t, "only pixel shaders have it");
   return false;
}

/* op: DDX or DDY; arg: 1 fine. */
void
tr_op_deriv(struct tr *t)
{
   ir_val v[4] = { NULL };

   if (!require_ps(t))
      return;
   FOREACH_CHAN(t, c)
      v[c] = ir_op1_imm(B(t), t->op->op, tr_src(t, 0, c), t->op->arg);
   tr_dst(t, v);
}

void
tr_op_kill(struct tr *t)
{
   if (require_ps(t))
      ir_kill_if(B(t), tr_true(t));
}

/* Discards where any component is negative. */
void
tr_op_kill_if(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];
   unsigned tested = 0;
   ir_val any = NULL;

   if (!require_ps(t))
      return;
   for (unsigned c = 0; c < 4; c++) {
      unsigned bit = 1u << tr_swizzle(src, c);
      if (tested & bit)
         continue;
      tested |= bit;
      ir_val neg = ir_flt(B(t), tr_src(t, 0, c), ir_imm(B(t), 0));
      any = any ? ir_op2(B(t), IR_BOR, any, neg) : neg;
   }
   ir_kill_if(B(t), any);
}

void
tr_op_read_helper(struct tr *t)
{
   if (!require_ps(t))
      return;
   ir_val live = ir_sysval(B(t), IR_SV_LIVE_LANE);
   tr_dst_all(t, ir_b2i(B(t), ir_ieq(B(t), live, ir_imm(B(t), 0))));
}

/* An attribute of a pixel shader, named as source 0. */
static const struct tr_io_decl *
interp_source(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];
   const int index = src->Register.Index;

   if (!require_ps(t))
      return NULL;
   if (src->Register.File != TGSI_FILE_INPUT || src->Register.Indirect ||
       src->Register.Dimension || index < 0 || index >= TR_MAX_IO ||
       !t->scan->inputs[index].declared ||
       t->scan->inputs[index].semantic == TGSI_SEMANTIC_POSITION ||
       t->scan->inputs[index].semantic == TGSI_SEMANTIC_FACE) {
      tr_error(t, "the source is no plain input");
      return NULL;
   }
   return &t->scan->inputs[index];
}

void
tr_op_interp_centroid(struct tr *t)
{
   ir_val v[4] = { NULL };

   if (!interp_source(t))
      return;
   FOREACH_CHAN(t, c) {
      v[c] = tr_interp_at(t, t->inst->Src[0].Register.Index, tr_swizzle(&t->inst->Src[0], c),
                          TGSI_INTERPOLATE_LOC_CENTROID);
   }
   tr_dst(t, v);
}

/* The attribute at an offset in pixels from the centre: the barycentrics move
 * with the window position. i/w and j/w and 1/w are linear in the window, so the
 * move is made on them. */
void
tr_interp_moved(struct tr *t, const ir_val off[2])
{
   ir_val moved[3], v[4] = { NULL };
   struct ir_builder *b = B(t);
   const struct tr_io_decl *in = interp_source(t);

   if (!in)
      return;
   const bool is_linear = in->interp == TGSI_INTERPOLATE_LINEAR;
   const unsigned n = is_linear ? 2 : 3;
   for (unsigned i = 0; i < n; i++) {
      ir_val x = ir_sysval(b, (is_linear ? IR_SV_LINEAR_CENTER_I : IR_SV_PERSP_PULL_I) + i);
      ir_val dx = ir_op1_imm(b, IR_DDX, x, 1), dy = ir_op1_imm(b, IR_DDY, x, 1);
      moved[i] = ir_fmad(b, dy, off[1], ir_fmad(b, dx, off[0], x));
   }
   if (!is_linear) {
      ir_val w = ir_frcp(b, moved[2]);
      moved[0] = ir_fmul(b, moved[0], w);
      moved[1] = ir_fmul(b, moved[1], w);
   }
   FOREACH_CHAN(t, c) {
      v[c] = tr_interp_ij(t, t->inst->Src[0].Register.Index, tr_swizzle(&t->inst->Src[0], c),
                          moved[0], moved[1]);
   }
   tr_dst(t, v);
}

void
tr_op_interp_offset(struct tr *t)
{
   ir_val off[2];

   for (unsigned i = 0; i < 2; i++)
      off[i] = tr_src_as(t, 1, i, TGSI_TYPE_FLOAT);
   tr_interp_moved(t, off);
}

/* The lanes where a condition holds, as two dwords. */
void
tr_op_ballot(struct tr *t)
{
   ir_val mask = ir_ballot(B(t), ir_i2b(B(t), tr_src_as(t, 0, 0, TGSI_TYPE_UNSIGNED)));
   ir_val v[4] = {
      ir_extract(B(t), mask, 0), ir_extract(B(t), mask, 1), ir_imm(B(t), 0), ir_imm(B(t), 0),
   };
   tr_dst(t, v);
}

static ir_val
any_lane(struct tr *t, ir_val cond)
{
   ir_val mask = ir_ballot(B(t), cond);
   return ir_i2b(B(t), ir_ior(B(t), ir_extract(B(t), mask, 0), ir_extract(B(t), mask, 1)));
}

/* op: enum tr_vote, over the active lanes. */
void
tr_op_vote(struct tr *t)
{
   ir_val cond = ir_i2b(B(t), tr_src_as(t, 0, 0, TGSI_TYPE_UNSIGNED));
   ir_val not_all = any_lane(t, ir_op1(B(t), IR_BNOT, cond)), result;

   switch (t->op->op) {
   case TR_VOTE_ANY:
      result = any_lane(t, cond);
      break;
   case TR_VOTE_ALL:
      result = ir_op1(B(t), IR_BNOT, not_all);
      break;
   default: /* all or none */
      result = ir_op1(B(t), IR_BNOT, ir_op2(B(t), IR_BAND, not_all, any_lane(t, cond)));
      break;
   }
   tr_dst_all(t, ir_b2i(B(t), result));
}
