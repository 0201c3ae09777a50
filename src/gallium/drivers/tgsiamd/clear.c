/* SPDX-License-Identifier: MIT */
/* Clears: rectangles drawn by u_blitter. */
#include "context.h"

#include "util/u_framebuffer.h"
#include "util/u_surface.h"

static void
clear(struct pipe_context *pctx, unsigned buffers, const struct pipe_scissor_state *scissor,
      const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct blitter_context *b;

   if (!tgsiamd_check_render_condition(ctx))
      return;
   b = tgsiamd_blitter_begin(ctx, BLIT_CONSTANTS);
   util_blitter_clear(b, ctx->fb.width, ctx->fb.height,
                      util_framebuffer_get_num_layers(&ctx->fb), buffers, color, depth, stencil,
                      util_framebuffer_get_num_samples(&ctx->fb) > 1);
   tgsiamd_blitter_end(ctx);
}

static void
clear_render_target(struct pipe_context *pctx, struct pipe_surface *dst,
                    const union pipe_color_union *color, unsigned x, unsigned y, unsigned width,
                    unsigned height, bool render_condition_enabled)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct blitter_context *b;

   if (render_condition_enabled && !tgsiamd_check_render_condition(ctx))
      return;
   b = tgsiamd_blitter_begin(ctx, BLIT_FRAMEBUFFER | (render_condition_enabled ? 0 : BLIT_NO_COND));
   util_blitter_clear_render_target(b, dst, color, x, y, width, height);
   tgsiamd_blitter_end(ctx);
}

static void
clear_depth_stencil(struct pipe_context *pctx, struct pipe_surface *dst, unsigned flags,
                    double depth, unsigned stencil, unsigned x, unsigned y, unsigned width,
                    unsigned height, bool render_condition_enabled)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct blitter_context *b;

   if (render_condition_enabled && !tgsiamd_check_render_condition(ctx))
      return;
   b = tgsiamd_blitter_begin(ctx, BLIT_FRAMEBUFFER | (render_condition_enabled ? 0 : BLIT_NO_COND));
   util_blitter_clear_depth_stencil(b, dst, flags, depth, stencil, x, y, width, height);
   tgsiamd_blitter_end(ctx);
}

void
tgsiamd_init_clear(struct tgsiamd_context *ctx)
{
   ctx->base.clear_texture = util_clear_texture;
   ctx->base.clear = clear;
   ctx->base.clear_render_target = clear_render_target;
   ctx->base.clear_depth_stencil = clear_depth_stencil;
}
