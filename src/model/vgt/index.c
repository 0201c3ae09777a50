/* SPDX-License-Identifier: MIT */
/* VGT's DMA: reads indices of 8, 16 or 32 bits, finds restart indices
 * (VGT_MULTI_PRIM_IB_RESET_EN/_INDX), adds VGT_INDX_OFFSET and clamps to
 * VGT_MIN/MAX_VTX_INDX. Indices beyond the buffer (VGT_DMA_MAX_SIZE) are 0. */
#include "index.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include "vm/vm.h"
#include <string.h>

void vgt_indices_init(struct vgt_indices *in, const struct model_env *env, const struct msg_draw *draw)
{
   const struct regs *r = env->regs;

   memset(in, 0, sizeof(*in));
   in->env = env;
   in->draw = draw;
   in->offset = reg_uc(r, R_030928_VGT_INDX_OFFSET);
   in->min = reg_uc(r, R_030924_VGT_MIN_VTX_INDX);
   in->max = reg_uc(r, R_030920_VGT_MAX_VTX_INDX);
   in->restart_en = draw->indexed && G_03092C_RESET_EN(reg_uc(r, R_03092C_VGT_MULTI_PRIM_IB_RESET_EN));
   in->restart = reg_ctx(r, R_02840C_VGT_MULTI_PRIM_IB_RESET_INDX);
   in->mask = draw->index_size >= 4 ? ~0u : (1u << (8 * draw->index_size)) - 1;
   if (!G_03092C_MATCH_ALL_BITS(reg_uc(r, R_03092C_VGT_MULTI_PRIM_IB_RESET_EN)))
      in->restart &= in->mask;
}

/* Makes the part of the buffer around `at` readable. */
static bool map_window(struct vgt_indices *in, uint64_t at)
{
   unsigned size = in->draw->index_size;
   uint64_t va = in->draw->index_va + at * size, avail = 0;
   const uint8_t *p = vm_probe(in->env->vm, VM_INDEX, va, false, &avail);

   if (!p || avail < size) {
      vm_ptr(in->env->vm, VM_INDEX, va, size, false); /* reports the fault */
      return false;
   }
   in->host = p;
   in->host_first = at;
   in->host_count = avail / size;
   return true;
}

bool vgt_index(struct vgt_indices *in, uint32_t pos, uint32_t *index)
{
   uint64_t at = (uint64_t)pos + in->draw->first_index;
   uint32_t v = (uint32_t)at;

   if (in->draw->indexed) {
      v = 0;
      if (at < in->draw->max_indices) {
         if (!in->host || at < in->host_first || at - in->host_first >= in->host_count) {
            if (!map_window(in, at)) {
               *index = 0;
               return true;
            }
         }
         const uint8_t *p = in->host + (at - in->host_first) * in->draw->index_size;
         in->env->stats->read[VM_INDEX] += in->draw->index_size;
         if (in->draw->index_size == 1) {
            v = *p;
         } else if (in->draw->index_size == 2) {
            uint16_t h;
            memcpy(&h, p, 2);
            v = h;
         } else {
            memcpy(&v, p, 4);
         }
      }
      if (in->restart_en && v == in->restart)
         return false;
   }
   v += in->offset;
   if (v < in->min)
      v = in->min;
   if (v > in->max)
      v = in->max;
   *index = v;
   return true;
}
