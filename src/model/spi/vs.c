/* SPDX-License-Identifier: MIT */
/* Vertex waves of the hardware VS stage on GFX9.
 * VGPRs: v0 vertex number, v1 instance, v2 primitive, or after tessellation u, v,
 * patch of the group, primitive (RSRC1.VGPR_COMP_CNT says how many). SGPRs: user
 * data, streamout, off-chip offset, scratch offset (RSRC2). */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <string.h>

#define EXP_POS0   12
#define EXP_PARAM0 32

static void vs_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr,
                      bool done, bool vm, uint64_t exec, const uint32_t *const src[4])
{
   struct spi *spi = ctx;
   struct msg_vs_out *out = spi->vs_out;

   (void)wave, (void)vm;
   if (compr)
      model_violation(spi->env->report, CHECK_MODEL, "compressed export to target %u from a vertex shader", target);
   if (target >= EXP_POS0 && target < EXP_POS0 + 4) {
      spi_store_export(out->pos[target - EXP_POS0], en, false, exec, src);
      out->pos_lanes[target - EXP_POS0] |= exec;
      if (spi->pos_done)
         model_violation(spi->env->report, CHECK_STATE, "vertex shader exports position %u after its last one",
                         target - EXP_POS0);
      spi->pos_done |= done;
   } else if (target >= EXP_PARAM0 && target < EXP_PARAM0 + GEOM_MAX_PARAMS) {
      spi_store_export(out->param[target - EXP_PARAM0], en, false, exec, src);
      out->param_lanes[target - EXP_PARAM0] |= exec;
   } else {
      model_violation(spi->env->report, CHECK_STATE, "vertex shader exports to target %u", target);
   }
}

static void vs_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
   struct spi *spi = ctx;
   (void)wave, (void)m0, (void)exec;
   model_violation(spi->env->report, CHECK_MODEL, "s_sendmsg 0x%x from a vertex shader", simm);
}

static void vs_system_sgprs(const struct model_env *env, struct sq_wave_init *w, const struct msg_streamout *so)
{
   uint32_t rsrc2 = w->rsrc2;

   if (G_00B12C_SO_EN(rsrc2)) {
      /* Configuration: vertices to write in 22:16, stream in 25:24. Then the index
       * of the first, which is 0 as the buffers' offsets are those of this wave. */
      w->sgpr[w->num_sgprs++] = so ? so->num_vertices << 16 | so->stream << 24 : 0;
      w->sgpr[w->num_sgprs++] = 0;
   } else if (G_00B12C_OC_LDS_EN(rsrc2)) {
      w->sgpr[w->num_sgprs++] = 0; /* the configuration comes with tessellation, too */
   }
   for (unsigned i = 0; i < 4; i++)
      if (rsrc2 >> (8 + i) & 1)
         w->sgpr[w->num_sgprs++] = so ? so->offset[i] : 0;
   if (G_00B12C_OC_LDS_EN(rsrc2))
      w->sgpr[w->num_sgprs++] = 0; /* off-chip buffer: one group at a time */
   if (G_00B12C_SCRATCH_EN(rsrc2)) {
      uint32_t offset = spi_scratch(env, w, reg_ctx(env->regs, R_0286E8_SPI_TMPRING_SIZE), 0);
      w->sgpr[w->num_sgprs++] = offset;
   }
}

void spi_run_vs(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                const struct msg_vgt_batch *batch, const struct msg_streamout *so, struct msg_vs_out *out)
{
   const struct regs *r = env->regs;
   struct sq_wave_init *w = &spi->wave;
   const struct sq_sink sink = { .ctx = spi, .export = vs_export, .message = vs_message };
   unsigned n = batch->num_verts;

   w->stage = SQ_VS;
   w->pc = ((uint64_t)reg_sh(r, R_00B124_SPI_SHADER_PGM_HI_VS) & 0xff) << 40 |
           (uint64_t)reg_sh(r, R_00B120_SPI_SHADER_PGM_LO_VS) << 8;
   w->rsrc1 = reg_sh(r, R_00B128_SPI_SHADER_PGM_RSRC1_VS);
   w->rsrc2 = reg_sh(r, R_00B12C_SPI_SHADER_PGM_RSRC2_VS);
   w->exec = n >= 64 ? ~0ull : (1ull << n) - 1;
   w->m0 = 0;
   w->num_attrs = 0;
   w->scratch_va = 0;
   w->scratch_size = 0;
   spi_user_sgprs(env, w, R_00B130_SPI_SHADER_USER_DATA_VS_0,
                  G_00B12C_USER_SGPR(w->rsrc2) | G_00B12C_USER_SGPR_MSB_GFX9(w->rsrc2) << 5);
   vs_system_sgprs(env, w, so);

   w->num_vgprs = G_00B128_VGPR_COMP_CNT(w->rsrc1) + 1;
   memcpy(w->vgpr[0], batch->vertex_id, n * 4);
   memcpy(w->vgpr[1], batch->instance_id, n * 4);
   memcpy(w->vgpr[2], batch->prim_id, n * 4);
   memcpy(w->vgpr[3], batch->fourth, n * 4);
   for (unsigned v = 0; v < 4; v++)
      memset(&w->vgpr[v][n], 0, (64 - n) * 4);

   memset(out->pos_lanes, 0, sizeof(out->pos_lanes));
   memset(out->param_lanes, 0, sizeof(out->param_lanes));
   spi->vs_out = out;
   spi->pos_done = false;
   spi->env = env;
   env->stats->vertices += n;
   ports->run(ports->ctx, w, 1, 0, &sink);
   if (out->pos_lanes[0] != w->exec && !(so && so->stream) && !model_failed(env->report))
      model_violation(env->report, CHECK_STATE,
                      "vertex shader at 0x%llx left lanes 0x%llx without a position",
                      (unsigned long long)w->pc, (unsigned long long)(w->exec & ~out->pos_lanes[0]));
   else if (!(so && so->stream) && !model_failed(env->report))
      spi_check_vs(spi, env, out, w->exec, w->pc);
   if (!spi->pos_done && !(so && so->stream) && !model_failed(env->report))
      model_violation(env->report, CHECK_STATE, "vertex shader at 0x%llx ended without DONE on its last position",
                      (unsigned long long)w->pc);
}
