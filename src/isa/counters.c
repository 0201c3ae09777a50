/* SPDX-License-Identifier: MIT */
/* Which wait counters an instruction moves. The table's column is GFX9's; what
 * other generations count otherwise follows from what the op does. */
#include "layout.h"

/* Writes memory and brings nothing back. */
static bool only_writes(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   unsigned flags = isa_op_infos[inst->op].flags;
   return flags & ISA_ATOMIC ? !isa_returns(gfx, inst) : (flags & ISA_STORES) != 0;
}

static unsigned image_counter(const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   if (strstr(info->name, "bvh"))
      return ISA_CNT_BVH;
   return info->flags & ISA_SAMPLES || inst->op == ISA_IMAGE_MSAA_LOAD ? ISA_CNT_SAMPLE : ISA_CNT_VM;
}

unsigned isa_counters(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   unsigned counters = info->counters;
   if (info->unit == ISA_UNIT_VMEM || info->unit == ISA_UNIT_FLAT) {
      /* GFX6 counts until the data has left the registers. */
      if (gfx == TGSIAMD_GFX6 && info->flags & (ISA_STORES | ISA_ATOMIC))
         counters |= ISA_CNT_EXP;
      if (gfx >= TGSIAMD_GFX10 && only_writes(gfx, inst))
         counters = (counters & ~ISA_CNT_VM) | ISA_CNT_VS;
      else if (gfx >= TGSIAMD_GFX12 && inst->enc == ISA_ENC_MIMG)
         counters = image_counter(inst);
   } else if (inst->gds || info->unit == ISA_UNIT_GDS) {
      counters |= ISA_CNT_EXP;
   } else if (gfx >= TGSIAMD_GFX12 && info->unit != ISA_UNIT_LDS && counters & ISA_CNT_LGKM) {
      counters = (counters & ~ISA_CNT_LGKM) | ISA_CNT_KM;
   }
   return counters;
}
