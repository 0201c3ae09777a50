/* SPDX-License-Identifier: MIT */
/* Scan converter: scissors, sample positions and masks, PA_SC_MODE_CNTL_1. */
#include "context.h"
#include "emit.h"

#include "util/u_math.h"
#include "amdgfxregs.h"

#define MAX_SCISSOR 16384

void
tgsiamd_emit_sc_scissor(struct tgsiamd_context *ctx)
{
   const struct pipe_viewport_state *vp = &ctx->viewport;
   struct tgsiamd_cs *cs = &ctx->cs;
   /* What is outside of the viewport is not drawn, though the guard band lets it through. */
   int minx = floorf(vp->translate[0] - fabsf(vp->scale[0]));
   int miny = floorf(vp->translate[1] - fabsf(vp->scale[1]));
   int maxx = ceilf(vp->translate[0] + fabsf(vp->scale[0]));
   int maxy = ceilf(vp->translate[1] + fabsf(vp->scale[1]));

   if (ctx->rs->state.scissor) {
      minx = MAX2(minx, (int)ctx->scissor.minx);
      miny = MAX2(miny, (int)ctx->scissor.miny);
      maxx = MIN2(maxx, (int)ctx->scissor.maxx);
      maxy = MIN2(maxy, (int)ctx->scissor.maxy);
   }
   minx = CLAMP(minx, 0, MAX_SCISSOR);
   miny = CLAMP(miny, 0, MAX_SCISSOR);
   maxx = CLAMP(maxx, 0, MAX_SCISSOR);
   maxy = CLAMP(maxy, 0, MAX_SCISSOR);
   /* With BR at 0 the hardware takes TL into account only when it is not 0. */
   if (maxx <= minx || maxy <= miny) {
      minx = miny = 1;
      maxx = maxy = 1;
   }
   uint32_t scissor[2] = {
      S_028250_TL_X(minx) | S_028250_TL_Y(miny) | S_028250_WINDOW_OFFSET_DISABLE(1),
      S_028254_BR_X(maxx) | S_028254_BR_Y(maxy),
   };
   cs_set_regs(cs, R_028250_PA_SC_VPORT_SCISSOR_0_TL, 2, scissor);
   cs_set_reg(cs, R_028208_PA_SC_WINDOW_SCISSOR_BR,
              S_028208_BR_X(ctx->fb.width) | S_028208_BR_Y(ctx->fb.height));
}

void
tgsiamd_emit_sc_msaa(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   bool linear = false;
   uint32_t mask = ctx->sample_mask & 1 ? 0xffff : 0;
   uint32_t masks[2] = {mask | mask << 16, mask | mask << 16};
   uint32_t line_and_aa[2] = {0, 0}; /* PA_SC_LINE_CNTL, PA_SC_AA_CONFIG */
   uint32_t zero[2] = {0, 0};

   if (!ctx->rs->state.multisample)
      masks[0] = masks[1] = 0xffffffff;
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      if (ctx->fb.cbufs[i])
         linear |= tgsiamd_texture(ctx->fb.cbufs[i]->texture)->surf.is_linear;
   }
   cs_set_regs(cs, R_028BDC_PA_SC_LINE_CNTL, 2, line_and_aa);
   cs_set_reg(cs, R_028804_DB_EQAA,
              S_028804_HIGH_QUALITY_INTERSECTIONS(1) | S_028804_INCOHERENT_EQAA_READS(1) |
                 S_028804_INTERPOLATE_COMP_Z(1) | S_028804_STATIC_ANCHOR_ASSOCIATIONS(1));
   cs_set_reg(cs, R_028A4C_PA_SC_MODE_CNTL_1,
              S_028A4C_WALK_SIZE(linear) | S_028A4C_WALK_FENCE_ENABLE(!linear) |
                 S_028A4C_WALK_FENCE_SIZE(ctx->screen->info->num_tile_pipes == 2 ? 2 : 3) |
                 S_028A4C_OUT_OF_ORDER_WATER_MARK(7) | S_028A4C_WALK_ALIGN8_PRIM_FITS_ST(1) |
                 S_028A4C_SUPERTILE_WALK_ORDER_ENABLE(1) | S_028A4C_TILE_WALK_ORDER_ENABLE(1) |
                 S_028A4C_MULTI_SHADER_ENGINE_PRIM_DISCARD_ENABLE(1) |
                 S_028A4C_FORCE_EOV_CNTDWN_ENABLE(1) | S_028A4C_FORCE_EOV_REZ_ENABLE(1));
   cs_set_regs(cs, R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0, 2, masks);
   /* One sample in the centre. */
   cs_set_reg(cs, R_028BF8_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0, 0);
   cs_set_reg(cs, R_028C08_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y0_0, 0);
   cs_set_reg(cs, R_028C18_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y1_0, 0);
   cs_set_reg(cs, R_028C28_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_0, 0);
   cs_set_regs(cs, R_028BD4_PA_SC_CENTROID_PRIORITY_0, 2, zero);
}
