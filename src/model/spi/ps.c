/* SPDX-License-Identifier: MIT */
/* Pixel waves: gathers quads of one draw, 16 a wave, in the order in which
 * they were rasterised, and runs their shader.
 * SGPRs: user data, PRIM_MASK, scratch offset. EXEC has the covered pixels;
 * the other lanes of a quad are helpers that s_wqm brings in. */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <string.h>

#define EXP_MRTZ 8
#define EXP_NULL 9

void spi_begin_draw(struct spi *spi, const struct model_env *env, const struct geom_samples *samples)
{
   const struct regs *r = env->regs;
   uint32_t interp = reg_ctx(r, R_0286D4_SPI_INTERP_CONTROL_0);
   uint32_t in_control = reg_ctx(r, R_0286D8_SPI_PS_IN_CONTROL);

   spi->samples = *samples;
   spi->ps_ena = reg_ctx(r, R_0286CC_SPI_PS_INPUT_ENA);
   spi->ps_addr = reg_ctx(r, R_0286D0_SPI_PS_INPUT_ADDR);
   spi->baryc_cntl = reg_ctx(r, R_0286E0_SPI_BARYC_CNTL);
   spi->msaa = G_028A48_MSAA_ENABLE(reg_ctx(r, R_028A48_PA_SC_MODE_CNTL_0));
   spi->num_inputs = G_0286D8_NUM_INTERP(in_control);
   if (spi->num_inputs > GEOM_MAX_PARAMS) {
      model_violation(env->report, CHECK_REGISTER, "SPI_PS_IN_CONTROL.NUM_INTERP is %u", spi->num_inputs);
      spi->num_inputs = GEOM_MAX_PARAMS;
   }
   spi->param_gen = G_0286D8_PARAM_GEN(in_control);
   if (spi->ps_ena & ~spi->ps_addr)
      model_violation(env->report, CHECK_STATE, "SPI_PS_INPUT_ENA 0x%x has bits that SPI_PS_INPUT_ADDR 0x%x lacks",
                      spi->ps_ena, spi->ps_addr);
   if (G_0286CC_LINE_STIPPLE_TEX_ENA(spi->ps_ena))
      model_violation(env->report, CHECK_MODEL, "SPI_PS_INPUT_ENA.LINE_STIPPLE_TEX_ENA is not done");
   if (G_02880C_PRIMITIVE_ORDERED_PIXEL_SHADER(reg_ctx(r, R_02880C_DB_SHADER_CONTROL)) ||
       reg_ctx(r, R_028C40_PA_SC_SHADER_CONTROL) & (S_028C40_LOAD_COLLISION_WAVEID(1) | S_028C40_LOAD_INTRAWAVE_COLLISION(1)))
      model_violation(env->report, CHECK_MODEL, "primitive ordered pixel shaders are not done");
   if (!(spi->ps_ena & 0x7f))
      model_violation(env->report, CHECK_STATE, "SPI_PS_INPUT_ENA 0x%x enables no barycentric", spi->ps_ena);

   for (unsigned i = 0; i < spi->num_inputs; i++) {
      uint32_t v = reg_ctx(r, R_028644_SPI_PS_INPUT_CNTL_0 + i * 4);
      struct spi_input *in = &spi->input[i];
      in->offset = G_028644_OFFSET(v) & 0x1f;
      in->use_default = G_028644_OFFSET(v) & 0x20;
      in->default_val = G_028644_DEFAULT_VAL(v);
      in->flat = G_028644_FLAT_SHADE(v) && G_0286D4_FLAT_SHADE_ENA(interp);
      in->sprite = G_028644_PT_SPRITE_TEX(v);
      in->cyl_wrap = G_028644_CYL_WRAP(v);
      in->half = G_028644_FP16_INTERP_MODE(v);
      in->valid[0] = G_028644_ATTR0_VALID(v);
      in->valid[1] = G_028644_ATTR1_VALID(v);
      in->default_hi = G_028644_USE_DEFAULT_ATTR1(v);
      in->default_val_hi = G_028644_DEFAULT_VAL_ATTR1(v);
      in->sprite_hi = G_028644_PT_SPRITE_TEX_ATTR1(v);
      if (in->half && !in->valid[0])
         model_violation(env->report, CHECK_STATE, "SPI_PS_INPUT_CNTL_%u 0x%x has FP16_INTERP_MODE without ATTR0_VALID", i, v);
      if (G_028644_DUP(v))
         model_violation(env->report, CHECK_MODEL, "SPI_PS_INPUT_CNTL_%u.DUP is not done", i);
   }
   spi->sprite_ena = G_0286D4_PNT_SPRITE_ENA(interp);
   spi->sprite_top = G_0286D4_PNT_SPRITE_TOP_1(interp);
   spi->sprite_ovrd[0] = G_0286D4_PNT_SPRITE_OVRD_X(interp);
   spi->sprite_ovrd[1] = G_0286D4_PNT_SPRITE_OVRD_Y(interp);
   spi->sprite_ovrd[2] = G_0286D4_PNT_SPRITE_OVRD_Z(interp);
   spi->sprite_ovrd[3] = G_0286D4_PNT_SPRITE_OVRD_W(interp);
   spi_check_links(spi, env);
   spi->ps->num_quads = spi->ps->num_prims = 0;
   spi->ps->exec = 0;
}

/* Nothing of an earlier wave stays where this one exports nothing: which wave
 * that was depends on the number of threads. */
static void clear_rest(uint32_t dst[4][64], unsigned en, bool compr, uint64_t exec)
{
   if (exec != ~0ull || en != 15)
      memset(dst, 0, compr ? 2 * sizeof(dst[0]) : 4 * sizeof(dst[0]));
}

static void ps_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr,
                      bool done, bool vm, uint64_t exec, const uint32_t *const src[4])
{
   struct spi *spi = ctx;
   struct msg_pixels *res = &spi->ps->result;

   (void)wave;
   if (spi->ps->done_seen)
      model_violation(spi->env->report, CHECK_STATE, "pixel shader exports to target %u after its last export", target);
   if (target < 8) {
      if (!res->color[target])
         clear_rest(spi->ps->color[target], en, compr, exec);
      spi_store_export(spi->ps->color[target], en, compr, exec, src);
      res->color[target] = (const uint32_t (*)[64])spi->ps->color[target];
      res->color_en[target] |= en;
      res->color_compr[target] = compr;
   } else if (target == EXP_MRTZ) {
      if (!res->mrtz)
         clear_rest(spi->ps->mrtz, en, compr, exec);
      spi_store_export(spi->ps->mrtz, en, compr, exec, src);
      res->mrtz = (const uint32_t (*)[64])spi->ps->mrtz;
      res->mrtz_en |= en;
      res->mrtz_compr = compr;
   } else if (target != EXP_NULL) {
      model_violation(spi->env->report, CHECK_STATE, "pixel shader exports to target %u", target);
   }
   if (vm)
      res->valid &= exec;
   if (done)
      spi->ps->done_seen = true;
}

static void ps_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
   struct spi *spi = ctx;
   (void)wave, (void)m0, (void)exec;
   model_violation(spi->env->report, CHECK_MODEL, "s_sendmsg 0x%x from a pixel shader", simm);
}

/* PRIM_MASK: bit q - 1 says that quad q begins another primitive; the upper
 * half is the parameters' place in LDS. */
static uint32_t prim_mask(const struct spi *spi)
{
   uint32_t mask = 0;
   for (unsigned q = 1; q < spi->ps->num_quads; q++)
      mask |= (spi->ps->quad_prim[q] != spi->ps->quad_prim[q - 1]) << (q - 1);
   return mask;
}

static bool has_pixel(const struct spi_ps *ps, const struct model_watch *watch)
{
   for (unsigned q = 0; q < ps->num_quads; q++)
      if ((watch->x & ~1) == ps->quad[q].x && (watch->y & ~1) == ps->quad[q].y)
         return true;
   return false;
}

void spi_ps_run(struct spi *spi, struct spi_ps *ps, const struct model_env *env, const struct spi_ports *ports)
{
   const struct regs *r = env->regs;
   struct sq_wave_init *w = &spi->wave;
   struct spi_ps *open = spi->ps;
   const struct sq_sink sink = { .ctx = spi, .export = ps_export, .message = ps_message };

   spi->ps = ps;
   spi->env = env;
   w->stage = SQ_PS;
   w->pc = ((uint64_t)reg_sh(r, R_00B024_SPI_SHADER_PGM_HI_PS) & 0xff) << 40 |
           (uint64_t)reg_sh(r, R_00B020_SPI_SHADER_PGM_LO_PS) << 8;
   w->rsrc1 = reg_sh(r, R_00B028_SPI_SHADER_PGM_RSRC1_PS);
   w->rsrc2 = reg_sh(r, R_00B02C_SPI_SHADER_PGM_RSRC2_PS);
   w->scratch_va = 0;
   w->scratch_size = 0;
   spi_user_sgprs(env, w, R_00B030_SPI_SHADER_USER_DATA_PS_0,
                  G_00B02C_USER_SGPR(w->rsrc2) | G_00B02C_USER_SGPR_MSB_GFX9(w->rsrc2) << 5);
   w->m0 = prim_mask(spi);
   w->sgpr[w->num_sgprs++] = w->m0;
   if (G_00B02C_WAVE_CNT_EN(w->rsrc2))
      w->sgpr[w->num_sgprs++] = 0;
   if (G_00B02C_SCRATCH_EN(w->rsrc2)) {
      uint32_t offset = spi_scratch(env, w, reg_ctx(r, R_0286E8_SPI_TMPRING_SIZE), 0);
      w->sgpr[w->num_sgprs++] = offset;
   }

   w->exec = ps->exec;
   w->watched = env->watch && has_pixel(ps, env->watch);
   w->num_attrs = spi->num_inputs + spi->param_gen;
   for (unsigned q = 0; q < 16; q++)
      w->quad_attrs[q] = ps->prims[q < ps->num_quads ? ps->quad_prim[q] : 0].attrs;
   spi_fill_ps_vgprs(spi, w);
   if (ps->num_quads < 16)
      for (unsigned v = 0; v < w->num_vgprs; v++)
         memset(&w->vgpr[v][ps->num_quads * 4], 0, (64 - ps->num_quads * 4) * sizeof(uint32_t));

   memset(&ps->result, 0, sizeof(ps->result));
   ps->result.valid = w->exec;
   ps->done_seen = false;
   ports->run(ports->ctx, w, 1, 0, &sink);
   if (!ps->done_seen && !model_failed(env->report)) {
      model_violation(env->report, CHECK_STATE, "pixel shader at 0x%llx ended without its last export",
                      (unsigned long long)w->pc);
      ps->result.valid = 0;
   } else if (!model_failed(env->report)) {
      spi_check_ps(env, &ps->result, w->pc);
   }
   ps->result.num_quads = ps->num_quads;
   ps->result.quads = ps->quad;
   spi->ps = open;
}

const struct msg_pixels *spi_ps_result(const struct spi_ps *ps) { return &ps->result; }

void spi_flush(struct spi *spi, const struct model_env *env, const struct spi_ports *ports)
{
   if (!spi->ps->num_quads)
      return;
   env->stats->quads += spi->ps->num_quads;
   env->stats->pixels_shaded += __builtin_popcountll(spi->ps->exec);
   spi->ps = ports->wave(ports->ctx, spi->ps);
   spi->ps->num_quads = spi->ps->num_prims = 0;
   spi->ps->exec = 0;
}

static void add_quad(struct spi *spi, struct spi_ps *ps, const struct msg_quad *quad)
{
   if (!ps->num_prims || ps->prims[ps->num_prims - 1].prim.serial != quad->prim->serial) {
      struct spi_prim *p = &ps->prims[ps->num_prims++];
      p->prim = *quad->prim;
      spi_build_attrs(spi, p);
   }
   unsigned q = ps->num_quads++;
   ps->quad[q] = *quad;
   ps->quad[q].prim = &ps->prims[ps->num_prims - 1].prim;
   ps->quad_prim[q] = ps->num_prims - 1;
   ps->exec |= (uint64_t)((quad->cover[0] != 0) | (quad->cover[1] != 0) << 1 | (quad->cover[2] != 0) << 2 |
                          (quad->cover[3] != 0) << 3) << (q * 4);
}

void spi_add_quad(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                  const struct msg_quad *quad)
{
   if (spi->ps->num_quads == 16)
      spi_flush(spi, env, ports);
   add_quad(spi, spi->ps, quad);
}

bool spi_tile_is_open(const struct spi *spi, const struct msg_sc_prim *prim, int x, int y)
{
   for (unsigned q = 0; q < spi->ps->num_quads; q++) {
      const struct msg_quad *quad = &spi->ps->quad[q];
      if ((quad->x & ~7) == x && (quad->y & ~7) == y && quad->prim->serial != prim->serial)
         return true;
   }
   return false;
}

/* Interpolation gives P0 at every pixel: barycentrics are finite, and adding a
 * zero of either sign changes nothing but -0. */
static bool is_flat(const struct spi_prim *p, uint32_t attrs)
{
   const double rw = p->prim.rw.c;

   if (attrs && !(p->prim.affine && rw > 1e-30 && rw < 1e30))
      return false;
   for (; attrs; attrs &= attrs - 1) {
      const uint32_t (*a)[3] = p->attrs[__builtin_ctz(attrs)];
      for (unsigned c = 0; c < 4; c++)
         if ((a[c][1] | a[c][2]) & 0x7fffffff || a[c][0] == 0x80000000)
            return false;
   }
   return true;
}

struct spi_ps *spi_tile(struct spi *spi, const struct msg_sc_prim *prim, int x, int y, uint32_t attrs)
{
   struct spi_ps *ps = spi->tile;

   ps->num_quads = ps->num_prims = 0;
   ps->exec = 0;
   for (unsigned q = 0; q < 16; q++) {
      const struct msg_quad quad = {
         .prim = prim, .x = x + (int)(q & 3) * 2, .y = y + (int)(q >> 2) * 2,
         .cover = { 1, 1, 1, 1 }, .input_cover = { 1, 1, 1, 1 },
      };
      add_quad(spi, ps, &quad);
      if (!q && !is_flat(&ps->prims[0], attrs))
         return NULL;
   }
   return ps;
}

void spi_tile_count(const struct model_env *env)
{
   env->stats->raster_quads += 16;
   env->stats->quads += 16;
   env->stats->pixels_shaded += 64;
}
