/* SPDX-License-Identifier: MIT */
/* Instructions between lanes and scalars: readlane, writelane, readfirstlane,
 * swap. They look at EXEC in their own way or not at all. */
#include "wave.h"

/* Indexing mode moves the source VGPR of v_readlane and v_readfirstlane too. */
static unsigned vgpr_of(struct sq_wave *w, const struct sq_inst *i)
{
   unsigned r = i->src[0].reg;
   if (w->idx_on && w->sgpr[ISA_M0] >> 12 & 1)
      r += w->sgpr[ISA_M0] & 0xff;
   return r < SQ_VGPRS ? r : 0;
}

static void h_readlane(struct sq_wave *w, const struct sq_inst *i)
{
   unsigned r = vgpr_of(w, i);
   sq_need_src(w, i, 1, 0, "lane number");
   unsigned lane = sq_src32(w, &i->src[1]) & 63;
   sq_set_s32(w, i->dst, w->vgpr[r][lane], w->vdef[r] >> lane & 1 ? ~0u : 0);
}
static void h_readfirstlane(struct sq_wave *w, const struct sq_inst *i)
{
   uint64_t exec = sq_exec(w);
   unsigned lane = exec ? (unsigned)__builtin_ctzll(exec) : 0;
   if (i->src[0].kind != SQ_SRC_VGPR) {
      sq_set_s32(w, i->dst, sq_src32(w, &i->src[0]), sq_src_def32(w, &i->src[0]));
      return;
   }
   unsigned r = vgpr_of(w, i);
   if (!exec) {
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_EXEC, "EXEC is 0: lane 0 is read, which nothing may have written");
   }
   sq_set_s32(w, i->dst, w->vgpr[r][lane], w->vdef[r] >> lane & 1 ? ~0u : 0);
}
static void h_writelane(struct sq_wave *w, const struct sq_inst *i)
{
   unsigned r = i->dst;
   if (w->idx_on && w->sgpr[ISA_M0] >> 15 & 1)
      r = (r + (w->sgpr[ISA_M0] & 0xff)) % SQ_VGPRS;
   sq_need_src(w, i, 1, 0, "lane number");
   unsigned lane = sq_src32(w, &i->src[1]) & 63;
   w->vgpr[r][lane] = sq_src32(w, &i->src[0]);
   w->vdef[r] = (w->vdef[r] & ~(1ull << lane)) | (uint64_t)(sq_src_def32(w, &i->src[0]) == ~0u) << lane;
}
static void h_swap(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t old[64] __attribute__((aligned(64)));
   uint64_t exec = sq_exec(w);
   const uint32_t *mask = sq_exec_words(w, exec);
   unsigned a = i->dst, b = i->src[0].reg;
   memcpy(old, w->vgpr[a], 256);
   sq_blend(w->vgpr[a], w->vgpr[b], mask, 1);
   sq_blend(w->vgpr[b], old, mask, 1);
   uint64_t da = w->vdef[a], db = w->vdef[b];
   w->vdef[a] = (da & ~exec) | (db & exec);
   w->vdef[b] = (db & ~exec) | (da & exec);
}

bool sq_decode_lane(struct sq_inst *i)
{
   switch (i->isa.op) {
   case ISA_V_READLANE_B32: i->fn = h_readlane; break;
   case ISA_V_READFIRSTLANE_B32: i->fn = h_readfirstlane; break;
   case ISA_V_WRITELANE_B32: i->fn = h_writelane; break;
   case ISA_V_SWAP_B32: i->fn = h_swap; break;
   default: return false;
   }
   return true;
}
