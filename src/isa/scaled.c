/* SPDX-License-Identifier: MIT */
/* CDNA4's scaled matrix ops: v_mfma_ld_scale_b32 and a v_mfma_*_f8f6f4 with
 * ABID 1 behind it are one instruction of four dwords. OP_SEL and OP_SEL_HI
 * choose a byte of each scale. */
#include "layout.h"

/* OP_SEL_HI of a third source: clear where the load is a part of a scaled op. */
#define ALONE (1u << 14)

bool isa_can_scale(uint16_t op)
{
   return op == ISA_V_MFMA_F32_16X16X128_F8F6F4 || op == ISA_V_MFMA_F32_32X32X64_F8F6F4;
}

unsigned isa_scaled_encode(enum tgsiamd_gfx gfx, struct isa_inst *inst, uint32_t *out, const char **why)
{
   struct isa_inst load, op = *inst;
   if (!isa_can_scale(inst->op) || inst->abid || !isa_is_vgpr(inst->scale[0]) || !isa_is_vgpr(inst->scale[1])) {
      if (why)
         *why = "scales are two VGPRs of a matrix op of 8 bit and narrower types";
      return 0;
   }
   isa_inst_init(&load, ISA_V_MFMA_LD_SCALE_B32);
   load.src[0] = inst->scale[0];
   load.src[1] = inst->scale[1];
   load.op_sel = inst->op_sel & 3;
   load.op_sel_hi = (load.op_sel_hi & ~3) | (inst->op_sel_hi & 3);
   op.scale[0] = op.scale[1] = 0;
   op.op_sel = 0;
   unsigned num = isa_encode(gfx, &load, out, why);
   unsigned rest = num ? isa_encode(gfx, &op, out + num, why) : 0;
   if (!rest)
      return 0;
   out[0] &= ~ALONE;
   out[num] |= 1 << 11; /* ABID */
   return inst->num_dwords = num + rest;
}

/* 0 where the code is no scaled op; it may be another one then. */
unsigned isa_scaled_decode(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst)
{
   struct isa_inst load;
   if (num < 4 || code[0] & ALONE)
      return 0;
   const uint32_t first[2] = {code[0] | ALONE, code[1]};
   if (!isa_decode(gfx, first, 2, &load) || load.op != ISA_V_MFMA_LD_SCALE_B32 || !isa_is_vgpr(load.src[0]) ||
       !isa_is_vgpr(load.src[1]) || !isa_decode(gfx, code + 2, 2, inst) || !isa_can_scale(inst->op) || inst->abid != 1)
      return 0;
   inst->abid = 0;
   inst->scale[0] = load.src[0];
   inst->scale[1] = load.src[1];
   inst->op_sel = load.op_sel & 3;
   inst->op_sel_hi = load.op_sel_hi & 3;
   return inst->num_dwords = 4;
}
