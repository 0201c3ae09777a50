/* SPDX-License-Identifier: MIT */
/* What all launches share: user SGPRs, scratch slots, export registers. */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct spi_ps *spi_ps_create(void) { return calloc(1, sizeof(struct spi_ps)); }
void spi_ps_destroy(struct spi_ps *ps) { free(ps); }

struct spi *spi_create(void)
{
   struct spi *spi = calloc(1, sizeof(struct spi));

   if (spi)
      spi->ps = spi_ps_create(), spi->tile = spi_ps_create();
   if (spi && (!spi->ps || !spi->tile)) {
      spi_destroy(spi);
      return NULL;
   }
   return spi;
}

void spi_destroy(struct spi *spi)
{
   if (spi) {
      free(spi->group);
      spi_ps_destroy(spi->ps);
      spi_ps_destroy(spi->tile);
   }
   free(spi);
}

void spi_follow(struct spi *spi, const struct spi *of)
{
   memcpy(spi, of, offsetof(struct spi, ps));
}

struct sq_wave_init *spi_group(struct spi *spi, unsigned num_waves)
{
   if (num_waves > spi->group_size) {
      free(spi->group);
      spi->group = calloc(num_waves, sizeof(*spi->group));
      spi->group_size = num_waves;
   }
   return spi->group;
}

void spi_user_sgprs(const struct model_env *env, struct sq_wave_init *w, uint32_t base, unsigned num)
{
   if (num > 32) {
      model_violation(env->report, CHECK_REGISTER, "USER_SGPR is %u, 32 is the most", num);
      num = 32;
   }
   w->sgpr_undef = 0;
   for (unsigned i = 0; i < num; i++) {
      w->sgpr[i] = reg_sh(env->regs, base + i * 4);
      if (!env->regs->sh_written[(base - REGS_SH_BASE) / 4 + i])
         w->sgpr_undef |= 1ull << i;
   }
   w->num_sgprs = num;
}

uint32_t spi_scratch(const struct model_env *env, struct sq_wave_init *w, uint32_t tmpring, unsigned slot)
{
   unsigned waves = G_0286E8_WAVES(tmpring), bytes = G_0286E8_WAVESIZE(tmpring) * 1024;

   if (slot >= waves && bytes) {
      model_violation(env->report, CHECK_STATE, "scratch ring has %u waves, wave %u needs one", waves, slot);
      slot = 0;
   }
   w->scratch_size = bytes;
   w->scratch_offset = slot * bytes;
   return slot * bytes;
}

void spi_store_export(uint32_t dst[4][64], unsigned en, bool compr, uint64_t exec,
                      const uint32_t *const src[4])
{
   for (unsigned c = 0; c < 4; c++) {
      if (compr ? (c > 1 || !(en >> (2 * c) & 3)) : !(en >> c & 1))
         continue;
      if (!src[c])
         continue;
      if (exec == ~0ull) {
         memcpy(dst[c], src[c], sizeof(dst[c]));
      } else {
         for (unsigned i = 0; i < 64; i++)
            if (exec >> i & 1)
               dst[c][i] = src[c][i];
      }
   }
}
