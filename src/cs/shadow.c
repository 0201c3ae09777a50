/* SPDX-License-Identifier: MIT */
/* Register shadow. */
#include <assert.h>
#include <string.h>

#include "shadow.h"
#include "sid.h"

static bool
locate(uint32_t reg, unsigned *bank, uint32_t *index)
{
   static const uint32_t base[SHADOW_BANKS] = {
      [SHADOW_CONTEXT] = SI_CONTEXT_REG_OFFSET,
      [SHADOW_SH] = SI_SH_REG_OFFSET,
      [SHADOW_UCONFIG] = CIK_UCONFIG_REG_OFFSET,
   };

   for (unsigned b = 0; b < SHADOW_BANKS; b++) {
      if (reg >= base[b] && reg < base[b] + SHADOW_BANK_REGS * 4) {
         *bank = b;
         *index = (reg - base[b]) / 4;
         return true;
      }
   }
   return false;
}

void
shadow_forget_all(struct tgsiamd_shadow *shadow)
{
   memset(shadow->known, 0, sizeof(shadow->known));
}

void
shadow_forget(struct tgsiamd_shadow *shadow, uint32_t reg)
{
   unsigned bank;
   uint32_t index;

   if (locate(reg, &bank, &index))
      shadow->known[bank][index / 32] &= ~(1u << (index % 32));
}

bool
shadow_write(struct tgsiamd_shadow *shadow, uint32_t reg, uint32_t count, const uint32_t *values)
{
   unsigned bank;
   uint32_t index;
   bool changed = false;

   if (!locate(reg, &bank, &index) || index + count > SHADOW_BANK_REGS)
      return true;
   for (uint32_t i = 0; i < count; i++) {
      uint32_t *known = &shadow->known[bank][(index + i) / 32];
      uint32_t bit = 1u << ((index + i) % 32);
      uint32_t *value = &shadow->value[bank][index + i];

      if (!(*known & bit) || *value != values[i]) {
         changed = true;
         *known |= bit;
         *value = values[i];
      }
   }
   return changed;
}
