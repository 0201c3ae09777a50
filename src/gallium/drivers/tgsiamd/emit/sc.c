/* SPDX-License-Identifier: MIT */
/* Scan converter: scissors, sample positions and masks, PA_SC_MODE_CNTL_1. */
#include "context.h"
#include "emit.h"
#include "sample_positions.h"

#include "util/u_math.h"
#include "amdgfxregs.h"

#define MAX_SCISSOR 16384

static void
scissor_of_viewport(const struct tgsiamd_context *ctx, unsigned i, uint32_t regs[2])
{
   const struct pipe_viewport_state *vp = &ctx->viewport[i];
   const struct pipe_scissor_state *scissor = &ctx->scissor[i];
   /* What is outside of the viewport is not drawn, though the guard band lets it through. */
   int minx = floorf(vp->translate[0] - fabsf(vp->scale[0]));
   int miny = floorf(vp->translate[1] - fabsf(vp->scale[1]));
   int maxx = ceilf(vp->translate[0] + fabsf(vp->scale[0]));
   int maxy = ceilf(vp->translate[1] + fabsf(vp->scale[1]));

   if (ctx->rs->state.scissor) {
      minx = MAX2(minx, (int)scissor->minx);
      miny = MAX2(miny, (int)scissor->miny);
      maxx = MIN2(maxx, (int)scissor->maxx);
      maxy = MIN2(maxy, (int)scissor->maxy);
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
   regs[0] = S_028250_TL_X(minx) | S_028250_TL_Y(miny) | S_028250_WINDOW_OFFSET_DISABLE(1);
   regs[1] = S_028254_BR_X(maxx) | S_028254_BR_Y(maxy);
}

/* A bit of the rule says whether pixels are drawn that lie in the rectangles of
 * the bit's number, one rectangle a binary digit. */
static void
emit_window_rects(struct tgsiamd_context *ctx)
{
   const unsigned used = BITFIELD_MASK(ctx->num_window_rects);
   uint32_t rule = 0, rects[TGSIAMD_MAX_WINDOW_RECTS][2];

   for (unsigned in = 0; in < 16; in++) {
      if (!used || !(in & used) == !ctx->window_rects_include)
         rule |= 1u << in;
   }
   cs_set_reg(&ctx->cs, R_02820C_PA_SC_CLIPRECT_RULE, rule);
   for (unsigned i = 0; i < ctx->num_window_rects; i++) {
      const struct pipe_scissor_state *r = &ctx->window_rects[i];
      rects[i][0] = S_028210_TL_X(r->minx) | S_028210_TL_Y(r->miny);
      rects[i][1] = S_028214_BR_X(r->maxx) | S_028214_BR_Y(r->maxy);
   }
   if (used)
      cs_set_regs(&ctx->cs, R_028210_PA_SC_CLIPRECT_0_TL, 2 * ctx->num_window_rects, rects[0]);
}

void
tgsiamd_emit_sc_scissor(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   unsigned count = tgsiamd_num_viewports(ctx);
   uint32_t scissors[MAX_VIEWPORTS][2];

   for (unsigned i = 0; i < count; i++)
      scissor_of_viewport(ctx, i, scissors[i]);
   cs_set_regs(cs, R_028250_PA_SC_VPORT_SCISSOR_0_TL, 2 * count, scissors[0]);
   cs_set_reg(cs, R_028208_PA_SC_WINDOW_SCISSOR_BR,
              S_028208_BR_X(ctx->fb.width) | S_028208_BR_Y(ctx->fb.height));
   emit_window_rects(ctx);
}

/* PA_SC_AA_SAMPLE_LOCS: four samples a register, 4 bits signed a coordinate; all
 * pixels of the 2x2 block alike. */
static void
emit_sample_locations(struct tgsiamd_cs *cs, unsigned samples)
{
   static const uint32_t pixel[] = {
      R_028BF8_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0, R_028C08_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y0_0,
      R_028C18_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y1_0, R_028C28_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_0,
   };
   const struct tgsiamd_sample_pos *pos = tgsiamd_sample_positions(samples);
   uint32_t locs[2] = {0};

   for (unsigned i = 0; i < samples; i++)
      locs[i / 4] |= ((pos[i].x & 0xfu) | (pos[i].y & 0xfu) << 4) << (i % 4 * 8);
   for (unsigned i = 0; i < ARRAY_SIZE(pixel); i++)
      cs_set_regs(cs, pixel[i], 2, locs);
}

/* PA_SC_CENTROID_PRIORITY: sample numbers from the nearest to the centre to the
 * farthest, 4 bits each, repeated to 16 entries. Returns the largest distance. */
static unsigned
emit_centroid_priority(struct tgsiamd_cs *cs, unsigned samples)
{
   const struct tgsiamd_sample_pos *pos = tgsiamd_sample_positions(samples);
   uint64_t priority = 0;
   unsigned order[TGSIAMD_MAX_SAMPLES], farthest = 0;

   for (unsigned i = 0; i < samples; i++) {
      unsigned distance = pos[i].x * pos[i].x + pos[i].y * pos[i].y, at = i;

      for (; at > 0; at--) {
         const struct tgsiamd_sample_pos *p = &pos[order[at - 1]];
         if (p->x * p->x + p->y * p->y <= (int)distance)
            break;
         order[at] = order[at - 1];
      }
      order[at] = i;
      farthest = MAX3(farthest, abs(pos[i].x), abs(pos[i].y));
   }
   for (unsigned i = 0; i < 16; i++)
      priority |= (uint64_t)order[i % samples] << (i * 4);
   uint32_t regs[2] = {priority, priority >> 32};
   cs_set_regs(cs, R_028BD4_PA_SC_CENTROID_PRIORITY_0, 2, regs);
   return farthest;
}

void
tgsiamd_emit_sc_msaa(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   unsigned samples = tgsiamd_framebuffer_samples(ctx), log = util_logbase2(samples);
   unsigned iter = tgsiamd_sample_shading(ctx) ? log : 0;
   bool linear = false;
   uint32_t mask = ctx->sample_mask & BITFIELD_MASK(samples);
   uint32_t masks[2], line_and_aa[2] = {0, 0}; /* PA_SC_LINE_CNTL, PA_SC_AA_CONFIG */

   /* 16 bits a pixel, the mask repeated; without multisampling it counts for nothing. */
   for (unsigned i = samples; i < 16; i *= 2)
      mask |= mask << i;
   masks[0] = masks[1] = ctx->rs->state.multisample ? mask | mask << 16 : 0xffffffff;
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      if (ctx->fb.cbufs[i])
         linear |= tgsiamd_texture(ctx->fb.cbufs[i]->texture)->surf.is_linear;
   }
   unsigned distance = emit_centroid_priority(cs, samples);
   /* Without GL_MULTISAMPLE a pixel is covered or not as a whole, and the shader
    * sees one sample. */
   if (samples > 1 && ctx->rs->state.multisample) {
      line_and_aa[0] = S_028BDC_EXPAND_LINE_WIDTH(1);
      line_and_aa[1] = S_028BE0_MSAA_NUM_SAMPLES(log) | S_028BE0_MAX_SAMPLE_DIST(distance) |
                       S_028BE0_MSAA_EXPOSED_SAMPLES(log);
   }
   cs_set_regs(cs, R_028BDC_PA_SC_LINE_CNTL, 2, line_and_aa);
   cs_set_reg(cs, R_028804_DB_EQAA,
              S_028804_HIGH_QUALITY_INTERSECTIONS(1) | S_028804_INCOHERENT_EQAA_READS(1) |
                 S_028804_INTERPOLATE_COMP_Z(1) | S_028804_STATIC_ANCHOR_ASSOCIATIONS(1) |
                 S_028804_MAX_ANCHOR_SAMPLES(log) | S_028804_PS_ITER_SAMPLES(iter) |
                 S_028804_MASK_EXPORT_NUM_SAMPLES(log) | S_028804_ALPHA_TO_MASK_NUM_SAMPLES(log));
   cs_set_reg(cs, R_028A4C_PA_SC_MODE_CNTL_1,
              S_028A4C_WALK_SIZE(linear) | S_028A4C_WALK_FENCE_ENABLE(!linear) |
                 S_028A4C_WALK_FENCE_SIZE(ctx->screen->info->num_tile_pipes == 2 ? 2 : 3) |
                 S_028A4C_OUT_OF_ORDER_WATER_MARK(7) | S_028A4C_WALK_ALIGN8_PRIM_FITS_ST(1) |
                 S_028A4C_SUPERTILE_WALK_ORDER_ENABLE(1) | S_028A4C_TILE_WALK_ORDER_ENABLE(1) |
                 S_028A4C_MULTI_SHADER_ENGINE_PRIM_DISCARD_ENABLE(1) |
                 S_028A4C_FORCE_EOV_CNTDWN_ENABLE(1) | S_028A4C_FORCE_EOV_REZ_ENABLE(1) |
                 S_028A4C_PS_ITER_SAMPLE(iter > 0));
   cs_set_regs(cs, R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0, 2, masks);
   emit_sample_locations(cs, samples);
}
