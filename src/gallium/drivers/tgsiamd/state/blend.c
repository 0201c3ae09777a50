/* SPDX-License-Identifier: MIT */
/* Blend state: CB_BLENDn_CONTROL, CB_COLOR_CONTROL, CB_TARGET_MASK, DB_ALPHA_TO_MASK. */
#include "context.h"

#include "util/u_dual_blend.h"
#include "amdgfxregs.h"

static uint32_t
translate_func(unsigned func)
{
   static const uint8_t funcs[] = {
      [PIPE_BLEND_ADD] = V_028780_COMB_DST_PLUS_SRC,
      [PIPE_BLEND_SUBTRACT] = V_028780_COMB_SRC_MINUS_DST,
      [PIPE_BLEND_REVERSE_SUBTRACT] = V_028780_COMB_DST_MINUS_SRC,
      [PIPE_BLEND_MIN] = V_028780_COMB_MIN_DST_SRC,
      [PIPE_BLEND_MAX] = V_028780_COMB_MAX_DST_SRC,
   };

   return funcs[func];
}

static uint32_t
translate_factor(unsigned factor)
{
   static const uint8_t factors[32] = {
      [PIPE_BLENDFACTOR_ONE] = V_028780_BLEND_ONE,
      [PIPE_BLENDFACTOR_SRC_COLOR] = V_028780_BLEND_SRC_COLOR,
      [PIPE_BLENDFACTOR_SRC_ALPHA] = V_028780_BLEND_SRC_ALPHA,
      [PIPE_BLENDFACTOR_DST_ALPHA] = V_028780_BLEND_DST_ALPHA,
      [PIPE_BLENDFACTOR_DST_COLOR] = V_028780_BLEND_DST_COLOR,
      [PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE] = V_028780_BLEND_SRC_ALPHA_SATURATE,
      [PIPE_BLENDFACTOR_CONST_COLOR] = V_028780_BLEND_CONSTANT_COLOR_GFX6,
      [PIPE_BLENDFACTOR_CONST_ALPHA] = V_028780_BLEND_CONSTANT_ALPHA_GFX6,
      [PIPE_BLENDFACTOR_ZERO] = V_028780_BLEND_ZERO,
      [PIPE_BLENDFACTOR_INV_SRC_COLOR] = V_028780_BLEND_ONE_MINUS_SRC_COLOR,
      [PIPE_BLENDFACTOR_INV_SRC_ALPHA] = V_028780_BLEND_ONE_MINUS_SRC_ALPHA,
      [PIPE_BLENDFACTOR_INV_DST_ALPHA] = V_028780_BLEND_ONE_MINUS_DST_ALPHA,
      [PIPE_BLENDFACTOR_INV_DST_COLOR] = V_028780_BLEND_ONE_MINUS_DST_COLOR,
      [PIPE_BLENDFACTOR_INV_CONST_COLOR] = V_028780_BLEND_ONE_MINUS_CONSTANT_COLOR_GFX6,
      [PIPE_BLENDFACTOR_INV_CONST_ALPHA] = V_028780_BLEND_ONE_MINUS_CONSTANT_ALPHA_GFX6,
      [PIPE_BLENDFACTOR_SRC1_COLOR] = V_028780_BLEND_SRC1_COLOR_GFX6,
      [PIPE_BLENDFACTOR_SRC1_ALPHA] = V_028780_BLEND_SRC1_ALPHA_GFX6,
      [PIPE_BLENDFACTOR_INV_SRC1_COLOR] = V_028780_BLEND_INV_SRC1_COLOR_GFX6,
      [PIPE_BLENDFACTOR_INV_SRC1_ALPHA] = V_028780_BLEND_INV_SRC1_ALPHA_GFX6,
   };

   return factors[factor];
}

static bool
reads_src_alpha(unsigned factor)
{
   return factor == PIPE_BLENDFACTOR_SRC_ALPHA || factor == PIPE_BLENDFACTOR_INV_SRC_ALPHA ||
          factor == PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE;
}

static uint32_t
blend_control(const struct pipe_rt_blend_state *rt)
{
   bool separate = rt->rgb_func != rt->alpha_func || rt->rgb_src_factor != rt->alpha_src_factor ||
                   rt->rgb_dst_factor != rt->alpha_dst_factor;
   uint32_t control = S_028780_ENABLE(1) | S_028780_COLOR_COMB_FCN(translate_func(rt->rgb_func)) |
                      S_028780_COLOR_SRCBLEND(translate_factor(rt->rgb_src_factor)) |
                      S_028780_COLOR_DESTBLEND(translate_factor(rt->rgb_dst_factor));

   if (separate)
      control |= S_028780_SEPARATE_ALPHA_BLEND(1) |
                 S_028780_ALPHA_COMB_FCN(translate_func(rt->alpha_func)) |
                 S_028780_ALPHA_SRCBLEND(translate_factor(rt->alpha_src_factor)) |
                 S_028780_ALPHA_DESTBLEND(translate_factor(rt->alpha_dst_factor));
   return control;
}

static void *
create_blend_state(struct pipe_context *pctx, const struct pipe_blend_state *state)
{
   struct tgsiamd_blend *blend = CALLOC_STRUCT(tgsiamd_blend);
   bool logicop = state->logicop_enable && state->logicop_func != PIPE_LOGICOP_COPY;

   if (!blend)
      return NULL;
   blend->alpha_to_coverage = state->alpha_to_coverage;
   blend->alpha_to_one = state->alpha_to_one;
   blend->dual_src = util_blend_state_is_dual(state, 0);

   for (unsigned i = 0; i < 8; i++) {
      const struct pipe_rt_blend_state *rt = &state->rt[state->independent_blend_enable ? i : 0];

      if (blend->dual_src && i > 0) {
         /* The second source is colour output 1: it has to look enabled. */
         if (i == 1)
            blend->cb_blend_control[1] = S_028780_ENABLE(1);
         continue;
      }
      blend->cb_target_mask |= (uint32_t)rt->colormask << (4 * i);
      if (!rt->colormask || !rt->blend_enable || logicop)
         continue;
      blend->cb_blend_control[i] = blend_control(rt);
      blend->enabled |= 1u << i;
      if (reads_src_alpha(rt->rgb_src_factor) || reads_src_alpha(rt->rgb_dst_factor))
         blend->needs_alpha |= 1u << i;
   }

   /* A raster operation of two operands in both nibbles: ROP3 ignores the pattern.
    * Two quads at a time need the SX to down-convert, which is not set up. */
   blend->cb_color_control =
      S_028808_MODE(blend->cb_target_mask ? V_028808_CB_NORMAL : V_028808_CB_DISABLE) |
      S_028808_ROP3(logicop ? state->logicop_func | state->logicop_func << 4 : 0xcc) |
      S_028808_DISABLE_DUAL_QUAD(1);
   /* Dithered: the four pixels of a quad round alpha differently. */
   const bool dither = state->alpha_to_coverage_dither;
   blend->db_alpha_to_mask =
      S_028B70_ALPHA_TO_MASK_ENABLE(state->alpha_to_coverage) | S_028B70_OFFSET_ROUND(dither) |
      S_028B70_ALPHA_TO_MASK_OFFSET0(dither ? 3 : 2) | S_028B70_ALPHA_TO_MASK_OFFSET1(dither ? 1 : 2) |
      S_028B70_ALPHA_TO_MASK_OFFSET2(dither ? 0 : 2) | S_028B70_ALPHA_TO_MASK_OFFSET3(2);
   return blend;
}

static void
bind_blend_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->blend != state) {
      ctx->blend = state;
      ctx->dirty |= DIRTY_BLEND;
   }
}

static void
delete_blend_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->blend == state)
      ctx->blend = NULL;
   FREE(state);
}

static void
set_blend_color(struct pipe_context *pctx, const struct pipe_blend_color *color)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   ctx->blend_color = *color;
   ctx->dirty |= DIRTY_BLEND_COLOR;
}

void
tgsiamd_init_state_blend(struct tgsiamd_context *ctx)
{
   ctx->base.create_blend_state = create_blend_state;
   ctx->base.bind_blend_state = bind_blend_state;
   ctx->base.delete_blend_state = delete_blend_state;
   ctx->base.set_blend_color = set_blend_color;
}
