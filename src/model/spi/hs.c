/* SPDX-License-Identifier: MIT */
/* Merged LS-HS waves of GFX9: the vertices of a group of patches run as LS,
 * their output points as HS; what passes between them lies in LDS.
 *
 * SGPRs: s0-1 SPI_SHADER_USER_DATA_ADDR_*_HS, s2 offset in the off-chip buffer,
 * s3 counts and numbers of the wave, s4 offset of the factors, s5 scratch
 * offset, from s8 user data. VGPRs: v0 primitive, v1 patch of the group and
 * output point, from v2 vertex, its number in the group, instance. In a wave
 * without HS threads Raven loads these from v0 instead. */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <string.h>

static void hs_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr,
                      bool done, bool vm, uint64_t exec, const uint32_t *const src[4])
{
   struct spi *spi = ctx;
   (void)wave, (void)en, (void)compr, (void)done, (void)vm, (void)exec, (void)src;
   model_violation(spi->env->report, CHECK_STATE, "tessellation shader exports to target %u", target);
}

static void hs_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
   struct spi *spi = ctx;
   (void)wave, (void)m0, (void)exec;
   model_violation(spi->env->report, CHECK_MODEL, "s_sendmsg 0x%x from a tessellation shader", simm);
}

static void wave_sgprs(const struct model_env *env, struct sq_wave_init *w, unsigned wave, unsigned num_waves,
                       unsigned ls, unsigned hs)
{
   const struct regs *r = env->regs;
   unsigned user = G_00B42C_USER_SGPR(w->rsrc2) | G_00B42C_USER_SGPR_MSB_GFX9(w->rsrc2) << 5;

   if (user > 32)
      user = 32;

   w->sgpr[0] = reg_sh(r, R_00B408_SPI_SHADER_USER_DATA_ADDR_LO_HS);
   w->sgpr[1] = reg_sh(r, R_00B40C_SPI_SHADER_USER_DATA_ADDR_HI_HS);
   w->sgpr[2] = 0;
   w->sgpr[3] = ls | hs << 8 | wave << 24 | num_waves << 28;
   w->sgpr[4] = 0;
   w->sgpr[5] = G_00B42C_SCRATCH_EN(w->rsrc2) ?
                spi_scratch(env, w, reg_ctx(r, R_0286E8_SPI_TMPRING_SIZE), wave) : 0;
   w->sgpr[6] = w->sgpr[7] = 0;
   w->sgpr_undef = 0;
   for (unsigned i = 0; i < user; i++) {
      w->sgpr[8 + i] = reg_sh(r, R_00B430_SPI_SHADER_USER_DATA_LS_0 + i * 4);
      if (!r->sh_written[(R_00B430_SPI_SHADER_USER_DATA_LS_0 - REGS_SH_BASE) / 4 + i])
         w->sgpr_undef |= 1ull << (8 + i);
   }
   w->num_sgprs = 8 + user;
}

static void wave_vgprs(struct sq_wave_init *w, const struct msg_patches *p, unsigned first, unsigned ls, unsigned hs)
{
   unsigned base = hs ? 2 : 0;

   memset(w->vgpr, 0, 6 * sizeof(w->vgpr[0]));
   for (unsigned l = 0; l < hs; l++) {
      unsigned t = first + l, patch = t / p->out_points;
      w->vgpr[0][l] = p->prim_id[patch];
      w->vgpr[1][l] = patch | (t % p->out_points) << 8;
   }
   for (unsigned l = 0; l < ls; l++) {
      w->vgpr[base][l] = p->vertex_id[first + l];
      w->vgpr[base + 1][l] = first + l;
      w->vgpr[base + 2][l] = p->instance_id;
   }
   w->num_vgprs = base + G_00B428_LS_VGPR_COMP_CNT(w->rsrc1) + 1;
}

static unsigned part(unsigned total, unsigned first)
{
   return total <= first ? 0 : total - first < 64 ? total - first : 64;
}

void spi_run_hs(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                const struct msg_patches *p)
{
   const struct regs *r = env->regs;
   const struct sq_sink sink = { .ctx = spi, .export = hs_export, .message = hs_message };
   unsigned ls = p->num_patches * p->in_points, hs = p->num_patches * p->out_points;
   unsigned num_waves = ((ls > hs ? ls : hs) + 63) / 64;
   struct sq_wave_init *waves;

   if (num_waves > 15) {
      model_violation(env->report, CHECK_STATE, "a group of %u patches makes %u waves", p->num_patches, num_waves);
      return;
   }
   waves = spi_group(spi, num_waves);
   spi->env = env;
   for (unsigned n = 0; n < num_waves; n++) {
      struct sq_wave_init *w = &waves[n];

      w->stage = SQ_LSHS;
      w->pc = ((uint64_t)reg_sh(r, R_00B414_SPI_SHADER_PGM_HI_LS) & 0xff) << 40 |
              (uint64_t)reg_sh(r, R_00B410_SPI_SHADER_PGM_LO_LS) << 8;
      w->rsrc1 = reg_sh(r, R_00B428_SPI_SHADER_PGM_RSRC1_HS);
      w->rsrc2 = reg_sh(r, R_00B42C_SPI_SHADER_PGM_RSRC2_HS);
      w->exec = ~0ull;
      w->m0 = 0;
      w->num_attrs = 0;
      w->scratch_va = 0;
      w->scratch_size = 0;
      wave_sgprs(env, w, n, num_waves, part(ls, n * 64), part(hs, n * 64));
      wave_vgprs(w, p, n * 64, part(ls, n * 64), part(hs, n * 64));
   }
   env->stats->vertices += ls;
   ports->run(ports->ctx, waves, num_waves, G_00B42C_LDS_SIZE_GFX9(waves[0].rsrc2) * 512, &sink);
}
