/* SPDX-License-Identifier: MIT */
/* Compute dispatch: walks the grid, builds the waves of each group.
 * COMPUTE_NUM_THREAD_*, START_*, PGM_RSRC2 and DISPATCH_INITIATOR. */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <stdlib.h>
#include <string.h>

static void cs_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr,
                      bool done, bool vm, uint64_t exec, const uint32_t *const src[4])
{
   struct spi *spi = ctx;
   (void)wave, (void)en, (void)compr, (void)done, (void)vm, (void)exec, (void)src;
   model_violation(spi->env->report, CHECK_STATE, "compute shader exports to target %u", target);
}

static void cs_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
   struct spi *spi = ctx;
   (void)wave, (void)m0, (void)exec;
   model_violation(spi->env->report, CHECK_MODEL, "s_sendmsg 0x%x from a compute shader", simm);
}

/* What is the same for all groups of a dispatch. */
struct dispatch {
   uint32_t rsrc1, rsrc2;
   uint64_t pc;
   uint32_t tmpring;
   unsigned full[3], partial[3];  /* threads of a group, of the last one */
   unsigned lds_bytes;
   bool partial_en;
};

static bool read_dispatch(struct dispatch *d, const struct model_env *env, uint32_t initiator)
{
   const struct regs *r = env->regs;

   d->rsrc1 = reg_sh(r, R_00B848_COMPUTE_PGM_RSRC1);
   d->rsrc2 = reg_sh(r, R_00B84C_COMPUTE_PGM_RSRC2);
   d->pc = ((uint64_t)reg_sh(r, R_00B834_COMPUTE_PGM_HI) & 0xff) << 40 |
           (uint64_t)reg_sh(r, R_00B830_COMPUTE_PGM_LO) << 8;
   d->tmpring = reg_sh(r, R_00B860_COMPUTE_TMPRING_SIZE);
   for (unsigned i = 0; i < 3; i++) {
      uint32_t v = reg_sh(r, R_00B81C_COMPUTE_NUM_THREAD_X + i * 4);
      d->full[i] = G_00B81C_NUM_THREAD_FULL(v);
      d->partial[i] = G_00B81C_NUM_THREAD_PARTIAL(v);
   }
   d->partial_en = G_00B800_PARTIAL_TG_EN(initiator);
   d->lds_bytes = G_00B84C_LDS_SIZE(d->rsrc2) * 512;
   uint64_t threads = (uint64_t)d->full[0] * d->full[1] * d->full[2];
   if (!threads || threads > 2048) {
      model_violation(env->report, CHECK_STATE, "COMPUTE_NUM_THREAD_* make a group of %llu threads",
                      (unsigned long long)threads);
      return false;
   }
   return true;
}

static void wave_sgprs(const struct model_env *env, const struct dispatch *d, struct sq_wave_init *w,
                       const uint32_t group[3], unsigned wave, unsigned num_waves)
{
   unsigned user = G_00B84C_USER_SGPR(d->rsrc2);
   if (user > 16) {
      model_violation(env->report, CHECK_REGISTER, "COMPUTE_PGM_RSRC2.USER_SGPR is %u, there are 16 registers", user);
      user = 16;
   }
   spi_user_sgprs(env, w, R_00B900_COMPUTE_USER_DATA_0, user);
   for (unsigned i = 0; i < 3; i++)
      if (d->rsrc2 >> (7 + i) & 1)
         w->sgpr[w->num_sgprs++] = group[i];
   if (G_00B84C_TG_SIZE_EN(d->rsrc2)) /* first wave, ordered id 0, wave in group, waves */
      w->sgpr[w->num_sgprs++] = (wave == 0 ? 0x80000000u : 0) | wave << 6 | num_waves;
   if (G_00B84C_SCRATCH_EN(d->rsrc2)) {
      uint32_t offset = spi_scratch(env, w, d->tmpring, wave);
      w->sgpr[w->num_sgprs++] = offset;
   }
}

static void run_group(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                      const struct dispatch *d, const uint32_t group[3], const unsigned size[3])
{
   const struct sq_sink sink = { .ctx = spi, .export = cs_export, .message = cs_message };
   unsigned threads = size[0] * size[1] * size[2], num_waves = (threads + 63) / 64;

   spi_group(spi, num_waves);
   unsigned x = 0, y = 0, z = 0;
   for (unsigned n = 0; n < num_waves; n++) {
      struct sq_wave_init *w = &spi->group[n];
      unsigned lanes = threads - n * 64 < 64 ? threads - n * 64 : 64;

      w->stage = SQ_CS;
      w->pc = d->pc;
      w->rsrc1 = d->rsrc1;
      w->rsrc2 = d->rsrc2;
      w->exec = lanes == 64 ? ~0ull : (1ull << lanes) - 1;
      w->m0 = 0;
      w->num_attrs = 0;
      w->scratch_va = 0;
      w->scratch_size = 0;
      wave_sgprs(env, d, w, group, n, num_waves);
      w->num_vgprs = G_00B84C_TIDIG_COMP_CNT(d->rsrc2) + 1;
      for (unsigned i = 0; i < 64; i++) {
         w->vgpr[0][i] = x;
         w->vgpr[1][i] = y;
         w->vgpr[2][i] = z;
         if (++x == size[0]) {
            x = 0;
            if (++y == size[1]) {
               y = 0;
               z++;
            }
         }
      }
   }
   ports->run(ports->ctx, spi->group, num_waves, d->lds_bytes, &sink);
}

void spi_dispatch(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                  const struct msg_dispatch *msg)
{
   struct dispatch d;
   uint32_t start[3], end[3], group[3];

   if (!G_00B800_COMPUTE_SHADER_EN(msg->initiator))
      return;
   if (!read_dispatch(&d, env, msg->initiator))
      return;
   if (G_00B84C_TIDIG_COMP_CNT(d.rsrc2) == 3) {
      model_violation(env->report, CHECK_REGISTER, "COMPUTE_PGM_RSRC2.TIDIG_COMP_CNT is 3");
      return;
   }
   spi->env = env;
   for (unsigned i = 0; i < 3; i++) {
      start[i] = G_00B800_FORCE_START_AT_000(msg->initiator) ? 0 :
                 reg_sh(env->regs, R_00B810_COMPUTE_START_X + i * 4);
      end[i] = msg->groups[i];
      if (G_00B800_USE_THREAD_DIMENSIONS(msg->initiator)) {
         /* The size is in threads and a last partial group follows from it. */
         d.partial[i] = msg->groups[i] % d.full[i];
         d.partial_en = true;
         end[i] = (msg->groups[i] + d.full[i] - 1) / d.full[i];
      }
   }
   for (group[2] = start[2]; group[2] < end[2]; group[2]++) {
      for (group[1] = start[1]; group[1] < end[1]; group[1]++) {
         for (group[0] = start[0]; group[0] < end[0]; group[0]++) {
            unsigned size[3];
            for (unsigned i = 0; i < 3; i++)
               size[i] = d.partial_en && group[i] == end[i] - 1 && d.partial[i] ? d.partial[i] : d.full[i];
            run_group(spi, env, ports, &d, group, size);
            if (model_failed(env->report))
               return;
         }
      }
   }
}
