/* SPDX-License-Identifier: MIT */
/* Merged ES-GS waves of GFX9. Vertices of a batch run as the ES part, its
 * primitives as the GS part of the same waves; what passes between them lies
 * in LDS (VGT_ESGS_RING_ITEMSIZE dwords a vertex).
 *
 * SGPRs: s0-1 SPI_SHADER_USER_DATA_ADDR_*_GS, s2 offset in the GSVS ring, s3
 * counts and numbers of the wave, s4 offset of tessellation's buffer, s5
 * scratch offset, from s8 user data. VGPRs: v0, v1, v4 places of the
 * primitive's vertices in LDS (two 16-bit numbers each), v2 primitive, v3
 * invocation, from v5 what a vertex shader gets. */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <string.h>

#define MSG_GS      2
#define MSG_GS_DONE 3

static void gs_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr,
                      bool done, bool vm, uint64_t exec, const uint32_t *const src[4])
{
   struct spi *spi = ctx;
   (void)wave, (void)en, (void)compr, (void)done, (void)vm, (void)exec, (void)src;
   model_violation(spi->env->report, CHECK_STATE, "geometry shader exports to target %u", target);
}

/* Bits 3:0 message, 5:4 what to do (1 cut, 2 emit, 3 both), 9:8 stream. */
static void gs_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
   struct spi *spi = ctx;
   struct msg_gs_out *out = spi->gs_out;
   unsigned id = simm & 15, op = simm >> 4 & 3, stream = simm >> 8 & 3;

   (void)m0;
   if (id == MSG_GS_DONE)
      return;
   if (id != MSG_GS) {
      model_violation(spi->env->report, CHECK_MODEL, "s_sendmsg 0x%x from a geometry shader", simm);
      return;
   }
   for (unsigned l = 0; l < 64; l++) {
      unsigned t = wave * 64 + l;
      if (!(exec >> l & 1) || t >= out->num_threads)
         continue;
      uint16_t *n = &out->count[stream][t];
      if (op & 2) {
         if (*n >= spi->gs_max_verts) {
            model_violation(spi->env->report, CHECK_STATE, "geometry shader emits more than VGT_GS_MAX_VERT_OUT %u vertices",
                            spi->gs_max_verts);
            continue;
         }
         ++*n;
         out->cut[stream][t][*n] = 0;
      }
      if (op & 1)
         out->cut[stream][t][*n] = 1;
   }
}

static void wave_sgprs(const struct model_env *env, struct sq_wave_init *w, unsigned wave, unsigned num_waves,
                       unsigned es, unsigned gs)
{
   const struct regs *r = env->regs;
   unsigned user = G_00B22C_USER_SGPR(w->rsrc2) | G_00B22C_USER_SGPR_MSB_GFX9(w->rsrc2) << 5;

   if (user > 32)
      user = 32;

   w->sgpr[0] = reg_sh(r, R_00B208_SPI_SHADER_USER_DATA_ADDR_LO_GS);
   w->sgpr[1] = reg_sh(r, R_00B20C_SPI_SHADER_USER_DATA_ADDR_HI_GS);
   w->sgpr[2] = wave * reg_ctx(r, R_028AB0_VGT_GSVS_RING_ITEMSIZE) * 64 * 4;
   w->sgpr[3] = es | gs << 8 | wave << 24 | num_waves << 28;
   w->sgpr[4] = 0;
   w->sgpr[5] = G_00B22C_SCRATCH_EN(w->rsrc2) ?
                spi_scratch(env, w, reg_ctx(r, R_0286E8_SPI_TMPRING_SIZE), wave) : 0;
   w->sgpr[6] = w->sgpr[7] = 0;
   w->sgpr_undef = 0;
   for (unsigned i = 0; i < user; i++) {
      w->sgpr[8 + i] = reg_sh(r, R_00B330_SPI_SHADER_USER_DATA_ES_0 + i * 4);
      if (!r->sh_written[(R_00B330_SPI_SHADER_USER_DATA_ES_0 - REGS_SH_BASE) / 4 + i])
         w->sgpr_undef |= 1ull << (8 + i);
   }
   w->num_sgprs = 8 + user;
}

static void wave_vgprs(const struct model_env *env, struct sq_wave_init *w, const struct msg_vgt_batch *batch,
                       unsigned instances, unsigned first_thread, unsigned es, unsigned gs)
{
   unsigned item = reg_ctx(env->regs, R_028AAC_VGT_ESGS_RING_ITEMSIZE);

   memset(w->vgpr, 0, 9 * sizeof(w->vgpr[0]));
   for (unsigned l = 0; l < gs; l++) {
      unsigned t = first_thread + l;
      const struct msg_vgt_prim *p = &batch->prims[t / instances];
      uint32_t at[6] = { 0 };
      for (unsigned i = 0; i < batch->prim_verts; i++)
         at[i] = p->v[i] * item;
      w->vgpr[0][l] = at[0] | at[1] << 16;
      w->vgpr[1][l] = at[2] | at[3] << 16;
      w->vgpr[2][l] = p->prim_id;
      w->vgpr[3][l] = t % instances;
      w->vgpr[4][l] = at[4] | at[5] << 16;
   }
   memcpy(w->vgpr[5], batch->vertex_id, es * 4);
   memcpy(w->vgpr[6], batch->instance_id, es * 4);
   memcpy(w->vgpr[7], batch->prim_id, es * 4);
   memcpy(w->vgpr[8], batch->fourth, es * 4);
   w->num_vgprs = 5 + G_00B22C_ES_VGPR_COMP_CNT(w->rsrc2) + 1;
}

/* The largest group that VGT_GS_ONCHIP_CNTL allows must fit the LDS that the
 * shader asks for, even if this one is smaller. Vertices are counted after each
 * primitive: its others may come on top. */
static void check_lds(const struct model_env *env, unsigned prim_verts, uint32_t rsrc2)
{
   uint32_t cntl = reg_ctx(env->regs, R_028A44_VGT_GS_ONCHIP_CNTL), item = reg_ctx(env->regs, R_028AAC_VGT_ESGS_RING_ITEMSIZE);
   unsigned verts = G_028A44_ES_VERTS_PER_SUBGRP(cntl), most = verts + prim_verts - 1;

   if (most > G_028A44_GS_PRIMS_PER_SUBGRP(cntl) * prim_verts)
      most = G_028A44_GS_PRIMS_PER_SUBGRP(cntl) * prim_verts;
   if (most * item * 4 > G_00B22C_LDS_SIZE(rsrc2) * 512)
      model_violation(env->report, CHECK_STATE, "a group of %u vertices of %u dwords (VGT_GS_ONCHIP_CNTL 0x%x) does not fit %u bytes of LDS",
                      most, item, cntl, G_00B22C_LDS_SIZE(rsrc2) * 512);
}

void spi_run_gs(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                const struct msg_vgt_batch *batch, unsigned instances, struct msg_gs_out *out)
{
   const struct regs *r = env->regs;
   const struct sq_sink sink = { .ctx = spi, .export = gs_export, .message = gs_message };
   unsigned threads = batch->num_prims * instances, num_waves = (threads + 63) / 64;
   struct sq_wave_init *waves = spi_group(spi, num_waves);
   uint32_t rsrc2 = reg_sh(r, R_00B22C_SPI_SHADER_PGM_RSRC2_GS);

   /* VGT_GS_INSTANCE_CNT.CNT has 7 bits, so that threads fit GEOM_GS_MAX_THREADS. */
   check_lds(env, batch->prim_verts, rsrc2);
   spi->env = env;
   spi->gs_out = out;
   spi->gs_max_verts = reg_ctx(r, R_028B38_VGT_GS_MAX_VERT_OUT);
   if (spi->gs_max_verts > GEOM_GS_MAX_VERTS)
      spi->gs_max_verts = GEOM_GS_MAX_VERTS;
   out->num_threads = threads;
   memset(out->count, 0, sizeof(out->count));
   for (unsigned t = 0; t < threads; t++) {
      out->prim_id[t] = batch->prims[t / instances].prim_id;
      for (unsigned s = 0; s < 4; s++)
         out->cut[s][t][0] = 0;
   }
   for (unsigned n = 0; n < num_waves; n++) {
      struct sq_wave_init *w = &waves[n];
      unsigned gs = threads - n * 64 < 64 ? threads - n * 64 : 64, es = n ? 0 : batch->num_verts;

      w->stage = SQ_ESGS;
      w->pc = ((uint64_t)reg_sh(r, R_00B214_SPI_SHADER_PGM_HI_ES) & 0xff) << 40 |
              (uint64_t)reg_sh(r, R_00B210_SPI_SHADER_PGM_LO_ES) << 8;
      w->rsrc1 = reg_sh(r, R_00B228_SPI_SHADER_PGM_RSRC1_GS);
      w->rsrc2 = rsrc2;
      w->exec = ~0ull;
      w->m0 = 0;
      w->num_attrs = 0;
      w->scratch_va = 0;
      w->scratch_size = 0;
      wave_sgprs(env, w, n, num_waves, es, gs);
      wave_vgprs(env, w, batch, instances, n * 64, es, gs);
   }
   env->stats->vertices += batch->num_verts;
   ports->run(ports->ctx, waves, num_waves, G_00B22C_LDS_SIZE(rsrc2) * 512, &sink);
}
