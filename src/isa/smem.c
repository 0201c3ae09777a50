/* SPDX-License-Identifier: MIT */
/* Offsets of scalar memory instructions. IMM stands in `idxen` and SOFFSET_EN
 * in `offen` while an instruction is in the form of the fields; in an unpacked
 * one `offen` is set only for the GFX9 form that has both, and matters only
 * when its constant part is 0. */
#include "layout.h"

static bool has_offset(const struct isa_inst *inst)
{
   return isa_op_infos[inst->op].src_type[1] != ISA_TYPE_NONE;
}

const char *isa_smem_pack(enum tgsiamd_gfx gfx, struct isa_inst *inst)
{
   bool sgpr = inst->src[1] != ISA_NONE;
   if (!has_offset(inst))
      return NULL;
   switch (gfx) {
   case TGSIAMD_GFX6:
   case TGSIAMD_GFX7:
      if (sgpr) {
         if (inst->offset)
            return "the offset is an SGPR or a constant, not both";
         inst->offset = inst->src[1];
         inst->src[1] = ISA_NONE;
         return NULL;
      }
      if (inst->offset & 3)
         return "the offset of this generation counts dwords";
      inst->offset >>= 2;
      if (gfx == TGSIAMD_GFX7 && (uint32_t)inst->offset > 255) {
         inst->literal = inst->offset & 0x3fffffff;
         inst->offset = ISA_LITERAL;
         return NULL;
      }
      inst->idxen = true;
      return NULL;
   case TGSIAMD_GFX8:
   case TGSIAMD_GFX9:
   case TGSIAMD_GFX90A:
   case TGSIAMD_GFX940:
   case TGSIAMD_GFX950:
      inst->idxen = true;
      if (!sgpr) {
         inst->offen = false;
         return NULL;
      }
      if (inst->offset || inst->offen) {
         if (gfx == TGSIAMD_GFX8)
            return "the offset is an SGPR or a constant, not both";
         inst->offen = true;
         return NULL;
      }
      inst->idxen = false;
      inst->offset = inst->src[1];
      inst->src[1] = ISA_NONE;
      return NULL;
   case TGSIAMD_GFX10:
   case TGSIAMD_GFX10_3:
   case TGSIAMD_GFX11:
   case TGSIAMD_GFX12:
      return NULL;
   case TGSIAMD_GFX_COUNT:
      break;
   }
   return "unknown generation";
}

bool isa_smem_unpack(enum tgsiamd_gfx gfx, struct isa_inst *inst)
{
   bool imm = inst->idxen;
   if (gfx >= TGSIAMD_GFX10)
      return has_offset(inst) || inst->offset == 0;
   inst->idxen = false;
   if (!has_offset(inst))
      return !imm && !inst->offen && inst->offset == 0;
   if (gfx <= TGSIAMD_GFX7) {
      if (imm) {
         inst->offset *= 4;
         return true;
      }
      if (gfx == TGSIAMD_GFX7 && inst->offset == ISA_LITERAL) {
         inst->num_dwords++; /* decode reads it */
         return true;
      }
   } else {
      if (imm) {
         if (!inst->offen)
            inst->src[1] = ISA_NONE;
         return true;
      }
      if (inst->offen)
         return false; /* an SGPR alone stands in OFFSET */
   }
   if (inst->offset < 0 || inst->offset > 127 || !isa_valid_scalar(gfx, inst->offset, 1, false))
      return false;
   inst->src[1] = inst->offset;
   inst->offset = 0;
   return true;
}
