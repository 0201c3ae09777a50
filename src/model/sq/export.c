/* SPDX-License-Identifier: MIT */
/* EXP: hands the four source registers to the sink. */
#include "wave.h"

#define EXP_NULL 9

static void h_export(struct sq_wave *w, const struct sq_inst *i)
{
   const struct isa_inst *isa = &i->isa;
   const uint32_t *src[4] = {NULL};
   uint64_t exec = sq_exec(w);

   for (unsigned n = 0; n < 4; n++) {
      /* compressed: src0 holds components 0 and 1, src1 the others */
      bool on = isa->exp_compr ? n < 2 && isa->exp_en >> (2 * n) & 3 : isa->exp_en >> n & 1;
      if (!on || i->src[n].kind != SQ_SRC_VGPR)
         continue;
      sq_need_vgpr(w, i, i->src[n].reg, 1, exec, "export");
      src[n] = w->vgpr[i->src[n].reg];
   }
   if (sq_sdef64(w, ISA_EXEC) != ~0ull) {
      sq_uninit(w, i, -1, "EXEC of an export");
      w->sdef[ISA_EXEC] = w->sdef[ISA_EXEC_HI] = ~0u;
   }
   const unsigned target = isa->exp_target;
   w->env->stats->exports[target < 8 ? 0 : target < 12 ? 1 : target < 32 ? 2 : 3] += target != EXP_NULL;
   if (w->sink && w->sink->export) {
      sq_fp_host(w);
      sq_place(w, i, -1);
      w->sink->export(w->sink->ctx, w->index, isa->exp_target, isa->exp_en, isa->exp_compr, isa->exp_done,
                      isa->exp_vm, exec, src);
   }
   sq_issue_exp(w, i);
}

bool sq_decode_export(struct sq_inst *i)
{
   if (i->isa.enc != ISA_ENC_EXP)
      return false;
   i->fn = h_export;
   return true;
}
