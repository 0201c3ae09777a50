/* SPDX-License-Identifier: MIT */
/* SET_*_REG packets over the register shadow. */
#include "pm4.h"
#include "sid.h"

void
cs_set_regs(struct tgsiamd_cs *cs, uint32_t reg, uint32_t count, const uint32_t *values)
{
   uint32_t packet, base;

   if (!shadow_write(&cs->shadow, reg, count, values))
      return;
   if (reg >= SI_CONTEXT_REG_OFFSET && reg < SI_CONTEXT_REG_END) {
      packet = PKT3_SET_CONTEXT_REG;
      cs->context_written = true;
      base = SI_CONTEXT_REG_OFFSET;
   } else if (reg >= SI_SH_REG_OFFSET && reg < SI_SH_REG_END) {
      packet = PKT3_SET_SH_REG;
      base = SI_SH_REG_OFFSET;
   } else {
      assert(reg >= CIK_UCONFIG_REG_OFFSET && reg < CIK_UCONFIG_REG_END);
      packet = PKT3_SET_UCONFIG_REG;
      base = CIK_UCONFIG_REG_OFFSET;
   }
   cs_emit(cs, PKT3(packet, count, 0));
   cs_emit(cs, (reg - base) / 4);
   cs_emit_array(cs, values, count);
}

void
cs_set_uconfig_reg_index(struct tgsiamd_cs *cs, uint32_t reg, uint32_t index, uint32_t value)
{
   if (!shadow_write(&cs->shadow, reg, 1, &value))
      return;
   cs_emit(cs, PKT3(PKT3_SET_UCONFIG_REG_INDEX, 1, 0));
   cs_emit(cs, (reg - CIK_UCONFIG_REG_OFFSET) / 4 | index << 28);
   cs_emit(cs, value);
}
