/* SPDX-License-Identifier: MIT */
/* Primitive assembly: PA_SU_*, PA_CL_* (rasterizer, viewport, guard band, clip outputs). */
#include "context.h"
#include "emit.h"

#include "util/u_math.h"
#include "util/u_prim.h"
#include "amdgfxregs.h"

/* PA_SU_HARDWARE_SCREEN_OFFSET counts in 16 pixels and has 9 bits. */
#define MAX_SCREEN_OFFSET 8176
/* Signed 16-bit window coordinates with 1/256 of a pixel: QUANT_MODE 16_8, the
 * only one that Vega10 and Raven rasterise right in every mode of the binner. */
#define MAX_COORD_16_8 32767

void
tgsiamd_emit_pa_rasterizer(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_rasterizer *rs = ctx->rs;
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t sizes[3] = {rs->pa_su_point_size, rs->pa_su_point_minmax, rs->pa_su_line_cntl};

   cs_set_reg(cs, R_028814_PA_SU_SC_MODE_CNTL, rs->pa_su_sc_mode_cntl);
   cs_set_regs(cs, R_028A00_PA_SU_POINT_SIZE, 3, sizes);
   /* The pattern restarts for every line of a list, and for every strip. */
   cs_set_reg(cs, R_028A0C_PA_SC_LINE_STIPPLE,
              rs->pa_sc_line_stipple |
                 S_028A0C_AUTO_RESET_CNTL(ctx->rast_prim == PIPE_PRIM_LINES ? 1 : 2));
   cs_set_reg(cs, R_028A48_PA_SC_MODE_CNTL_0, rs->pa_sc_mode_cntl_0);
   cs_set_reg(cs, R_028230_PA_SC_EDGERULE, rs->pa_sc_edgerule);
   cs_set_reg(cs, R_0286D4_SPI_INTERP_CONTROL_0, rs->spi_interp_control);
}

void
tgsiamd_emit_pa_poly_offset(struct tgsiamd_context *ctx)
{
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   float units = s->offset_units, scale = s->offset_scale * 16.0f;
   uint32_t format = 0;

   if (!ctx->rs->poly_offset || !ctx->fb.zsbuf)
      return;
   /* Units are multiples of the smallest step of the depth format. */
   if (!s->offset_units_unscaled) {
      switch (tgsiamd_depth_format(ctx->fb.zsbuf->texture->format)) {
      case V_028040_Z_16:
         units *= 4;
         format = S_028B78_POLY_OFFSET_NEG_NUM_DB_BITS(-16);
         break;
      case V_028040_Z_32_FLOAT:
         format = S_028B78_POLY_OFFSET_NEG_NUM_DB_BITS(-23) | S_028B78_POLY_OFFSET_DB_IS_FLOAT_FMT(1);
         break;
      default:
         units *= 2;
         format = S_028B78_POLY_OFFSET_NEG_NUM_DB_BITS(-24);
         break;
      }
   }
   uint32_t values[6] = {format,      fui(s->offset_clamp), fui(scale),
                         fui(units), fui(scale),           fui(units)};
   cs_set_regs(&ctx->cs, R_028B78_PA_SU_POLY_OFFSET_DB_FMT_CNTL, 6, values);
}

/* The guard band: how far outside the viewport (in units of it) primitives are
 * drawn unclipped, and how far outside they can be thrown away. The screen
 * offset puts the viewports in the middle of the range of window coordinates. */
static void
emit_guard_band(struct tgsiamd_context *ctx, float quant_range)
{
   unsigned count = tgsiamd_num_viewports(ctx);
   float guard[2], discard[2];
   uint32_t offset[2];

   for (unsigned i = 0; i < 2; i++) {
      float pixels = 0, first = INFINITY, last = -INFINITY;

      for (unsigned v = 0; v < count; v++) {
         const struct pipe_viewport_state *vp = &ctx->viewport[v];
         first = MIN2(first, vp->translate[i] - fabsf(vp->scale[i]));
         last = MAX2(last, vp->translate[i] + fabsf(vp->scale[i]));
      }
      offset[i] = (uint32_t)CLAMP((first + last) / 2, 0, MAX_SCREEN_OFFSET) & ~15u;
      if (ctx->rast_prim == PIPE_PRIM_POINTS)
         pixels = ctx->rs->max_point_size;
      else if (u_reduced_prim(ctx->rast_prim) == PIPE_PRIM_LINES)
         pixels = ctx->rs->state.line_width;
      guard[i] = INFINITY;
      discard[i] = 1.0f;
      for (unsigned v = 0; v < count; v++) {
         const struct pipe_viewport_state *vp = &ctx->viewport[v];
         float half = MAX2(fabsf(vp->scale[i]), 0.5f), center = vp->translate[i] - offset[i];

         guard[i] = MIN3(guard[i], (quant_range + center) / half, (quant_range - center) / half);
         discard[i] = MAX2(discard[i], 1.0f + pixels / (2 * half));
      }
      guard[i] = MAX2(guard[i], 1.0f);
      discard[i] = MIN2(discard[i], guard[i]);
   }
   uint32_t bands[4] = {fui(guard[1]), fui(discard[1]), fui(guard[0]), fui(discard[0])};
   cs_set_regs(&ctx->cs, R_028BE8_PA_CL_GB_VERT_CLIP_ADJ, 4, bands);
   cs_set_reg(&ctx->cs, R_028234_PA_SU_HARDWARE_SCREEN_OFFSET,
              S_028234_HW_SCREEN_OFFSET_X(offset[0] >> 4) | S_028234_HW_SCREEN_OFFSET_Y(offset[1] >> 4));
}

void
tgsiamd_emit_pa_viewport(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   bool halfz = ctx->rs->state.clip_halfz;
   unsigned count = tgsiamd_num_viewports(ctx);
   uint32_t transforms[MAX_VIEWPORTS][6], ranges[MAX_VIEWPORTS][2];

   for (unsigned i = 0; i < count; i++) {
      const struct pipe_viewport_state *vp = &ctx->viewport[i];
      float near = halfz ? vp->translate[2] : vp->translate[2] - vp->scale[2];
      float far = vp->translate[2] + vp->scale[2];

      for (unsigned k = 0; k < 3; k++) {
         transforms[i][2 * k] = fui(vp->scale[k]);
         transforms[i][2 * k + 1] = fui(vp->translate[k]);
      }
      ranges[i][0] = fui(MIN2(near, far));
      ranges[i][1] = fui(MAX2(near, far));
   }
   cs_set_regs(cs, R_02843C_PA_CL_VPORT_XSCALE, 6 * count, transforms[0]);
   cs_set_regs(cs, R_0282D0_PA_SC_VPORT_ZMIN_0, 2 * count, ranges[0]);
   cs_set_reg(cs, R_028818_PA_CL_VTE_CNTL,
              S_028818_VTX_W0_FMT(1) | S_028818_VPORT_X_SCALE_ENA(1) |
                 S_028818_VPORT_X_OFFSET_ENA(1) | S_028818_VPORT_Y_SCALE_ENA(1) |
                 S_028818_VPORT_Y_OFFSET_ENA(1) | S_028818_VPORT_Z_SCALE_ENA(1) |
                 S_028818_VPORT_Z_OFFSET_ENA(1));
   cs_set_reg(cs, R_028BE4_PA_SU_VTX_CNTL,
              S_028BE4_PIX_CENTER(ctx->rs->state.half_pixel_center) |
                 S_028BE4_ROUND_MODE(V_028BE4_X_ROUND_TO_EVEN) | S_028BE4_QUANT_MODE(V_028BE4_X_16_8_FIXED_POINT_1_256TH));
   emit_guard_band(ctx, MAX_COORD_16_8);
}

void
tgsiamd_emit_pa_clip(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_shader_info *vs = &ctx->vs_variant->info;
   unsigned clip = vs->clip_dist_mask & ctx->vs_variant->key.vs.clip_distances;
   /* Clip distances do nothing to points: they cull instead. */
   unsigned cull = vs->cull_dist_mask | clip;
   unsigned distances = vs->clip_dist_mask | vs->cull_dist_mask;
   bool misc = vs->writes_psize || vs->writes_edgeflag || vs->writes_layer || vs->writes_viewport;

   cs_set_reg(&ctx->cs, R_02881C_PA_CL_VS_OUT_CNTL,
              clip | cull << 8 | S_02881C_USE_VTX_POINT_SIZE(vs->writes_psize) |
                 S_02881C_USE_VTX_EDGE_FLAG(vs->writes_edgeflag) |
                 S_02881C_USE_VTX_RENDER_TARGET_INDX(vs->writes_layer) |
                 S_02881C_USE_VTX_VIEWPORT_INDX(vs->writes_viewport) |
                 S_02881C_VS_OUT_MISC_VEC_ENA(misc) | S_02881C_VS_OUT_MISC_SIDE_BUS_ENA(misc) |
                 S_02881C_VS_OUT_CCDIST0_VEC_ENA((distances & 0x0f) != 0) |
                 S_02881C_VS_OUT_CCDIST1_VEC_ENA((distances & 0xf0) != 0));
   cs_set_reg(&ctx->cs, R_028810_PA_CL_CLIP_CNTL, ctx->rs->pa_cl_clip_cntl);
}
