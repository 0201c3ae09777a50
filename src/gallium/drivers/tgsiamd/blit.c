/* SPDX-License-Identifier: MIT */
/* Blits and copies by Mesa's u_blitter; the CPU does what it cannot. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_surface.h"

struct blitter_context *
tgsiamd_blitter_begin(struct tgsiamd_context *ctx, unsigned saves)
{
   struct tgsiamd_stage_state *ps = &ctx->stage[TGSIAMD_PS];
   struct blitter_context *b;

   assert(ctx->blit_depth < ARRAY_SIZE(ctx->blitters));
   b = ctx->blitters[ctx->blit_depth++];
   util_blitter_save_vertex_buffer_slot(b, ctx->vbufs);
   util_blitter_save_vertex_elements(b, ctx->velems);
   util_blitter_save_vertex_shader(b, ctx->vs);
   util_blitter_save_geometry_shader(b, ctx->gs);
   util_blitter_save_so_targets(b, ctx->num_so_targets, ctx->so_targets);
   util_blitter_save_rasterizer(b, ctx->rs);
   util_blitter_save_viewport(b, ctx->viewport);
   util_blitter_save_scissor(b, ctx->scissor);
   util_blitter_save_window_rectangles(b, ctx->window_rects_include, ctx->num_window_rects, ctx->window_rects);
   util_blitter_save_fragment_shader(b, ctx->ps);
   util_blitter_save_blend(b, ctx->blend);
   util_blitter_save_depth_stencil_alpha(b, ctx->dsa);
   util_blitter_save_stencil_ref(b, &ctx->stencil_ref);
   util_blitter_save_sample_mask(b, ctx->sample_mask, 0);
   if (saves & BLIT_CONSTANTS)
      util_blitter_save_fragment_constant_buffer_slot(b, ps->consts);
   if (saves & BLIT_FRAMEBUFFER)
      util_blitter_save_framebuffer(b, &ctx->fb);
   if (saves & BLIT_TEXTURES) {
      util_blitter_save_fragment_sampler_states(b, 2, (void **)ps->samplers);
      util_blitter_save_fragment_sampler_views(b, 2, ps->views);
   }
   if (saves & BLIT_NO_COND)
      util_blitter_save_render_condition(b, ctx->render_cond, ctx->render_cond_inverted,
                                         ctx->render_cond_mode);
   return b;
}

void
tgsiamd_blitter_end(struct tgsiamd_context *ctx)
{
   ctx->blit_depth--;
}

/* A format of the same size whose bits survive sampling and rendering. */
static enum pipe_format
copy_format(unsigned bytes)
{
   switch (bytes) {
   case 1:
      return PIPE_FORMAT_R8_UNORM;
   case 2:
      return PIPE_FORMAT_R8G8_UNORM;
   case 4:
      return PIPE_FORMAT_R8G8B8A8_UNORM;
   case 8:
      return PIPE_FORMAT_R16G16B16A16_UINT;
   case 16:
      return PIPE_FORMAT_R32G32B32A32_UINT;
   default:
      return PIPE_FORMAT_NONE;
   }
}

static bool
can_draw_copy(struct pipe_resource *dst, struct pipe_resource *src)
{
   unsigned bytes = util_format_get_blocksize(src->format);

   return dst->target != PIPE_BUFFER && src->target != PIPE_BUFFER &&
          !util_format_is_compressed(dst->format) && !util_format_is_compressed(src->format) &&
          !util_format_is_depth_or_stencil(dst->format) &&
          !util_format_is_depth_or_stencil(src->format) &&
          bytes == util_format_get_blocksize(dst->format) &&
          copy_format(bytes) != PIPE_FORMAT_NONE;
}

void
tgsiamd_copy_region(struct pipe_context *pctx, struct pipe_resource *dst, unsigned dst_level,
                    unsigned dstx, unsigned dsty, unsigned dstz, struct pipe_resource *src,
                    unsigned src_level, const struct pipe_box *box)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct pipe_surface dst_templ, *dst_surf;
   struct pipe_sampler_view src_templ, *src_view;
   struct pipe_box dst_box;
   struct blitter_context *b;

   if (dst->target == PIPE_BUFFER && src->target == PIPE_BUFFER) {
      struct tgsiamd_resource *buffer = tgsiamd_resource(dst);
      tgsiamd_copy_buffer(ctx, buffer, tgsiamd_resource(src), dstx, box->x, box->width);
      util_range_add(dst, &buffer->valid_range, dstx, dstx + box->width);
      return;
   }
   /* Depth and stencil go through the tests' outputs, the format's meaning kept. */
   if (dst->format == src->format && util_format_is_depth_or_stencil(dst->format) &&
       util_blitter_is_copy_supported(ctx->blitters[0], dst, src)) {
      b = tgsiamd_blitter_begin(ctx, BLIT_TEXTURES | BLIT_FRAMEBUFFER | BLIT_NO_COND);
      util_blitter_copy_texture(b, dst, dst_level, dstx, dsty, dstz, src, src_level, box);
      tgsiamd_blitter_end(ctx);
      return;
   }
   if (!can_draw_copy(dst, src)) {
      util_resource_copy_region(pctx, dst, dst_level, dstx, dsty, dstz, src, src_level, box);
      return;
   }
   util_blitter_default_dst_texture(&dst_templ, dst, dst_level, dstz);
   util_blitter_default_src_texture(ctx->blitters[0], &src_templ, src, src_level);
   dst_templ.format = src_templ.format = copy_format(util_format_get_blocksize(src->format));
   src_templ.swizzle_r = PIPE_SWIZZLE_X;
   src_templ.swizzle_g = PIPE_SWIZZLE_Y;
   src_templ.swizzle_b = PIPE_SWIZZLE_Z;
   src_templ.swizzle_a = PIPE_SWIZZLE_W;

   dst_surf = pctx->create_surface(pctx, dst, &dst_templ);
   src_view = pctx->create_sampler_view(pctx, src, &src_templ);
   if (dst_surf && src_view) {
      u_box_3d(dstx, dsty, dstz, abs(box->width), abs(box->height), abs(box->depth), &dst_box);
      b = tgsiamd_blitter_begin(ctx, BLIT_TEXTURES | BLIT_FRAMEBUFFER | BLIT_NO_COND);
      util_blitter_blit_generic(b, dst_surf, &dst_box, src_view, box, src->width0,
                                src->height0, PIPE_MASK_RGBA, PIPE_TEX_FILTER_NEAREST, NULL, false,
                                false, 0);
      tgsiamd_blitter_end(ctx);
   }
   pipe_surface_reference(&dst_surf, NULL);
   pipe_sampler_view_reference(&src_view, NULL);
}

static void
blit(struct pipe_context *pctx, const struct pipe_blit_info *in)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct pipe_blit_info info = *in;
   struct blitter_context *b;

   if (in->render_condition_enable && !tgsiamd_check_render_condition(ctx))
      return;
   if (util_try_blit_via_copy_region(pctx, &info, false))
      return;
   if ((info.mask & PIPE_MASK_S) && !util_blitter_is_blit_supported(ctx->blitters[0], &info)) {
      /* One bit at a time with KILL. */
      b = tgsiamd_blitter_begin(ctx, BLIT_TEXTURES | BLIT_FRAMEBUFFER | BLIT_CONSTANTS);
      util_blitter_stencil_fallback(b, info.dst.resource, info.dst.level, &info.dst.box,
                                    info.src.resource, info.src.level, &info.src.box,
                                    info.scissor_enable ? &info.scissor : NULL);
      tgsiamd_blitter_end(ctx);
      info.mask &= ~PIPE_MASK_S;
   }
   if (!info.mask)
      return;
   if (!util_blitter_is_blit_supported(ctx->blitters[0], &info)) {
      tgsiamd_error("no blit from %s to %s", util_format_short_name(info.src.format),
                    util_format_short_name(info.dst.format));
      return;
   }
   b = tgsiamd_blitter_begin(ctx, BLIT_TEXTURES | BLIT_FRAMEBUFFER |
                                 (info.render_condition_enable ? 0 : BLIT_NO_COND));
   util_blitter_blit(b, &info);
   tgsiamd_blitter_end(ctx);
}

void
tgsiamd_init_blit(struct tgsiamd_context *ctx)
{
   ctx->base.resource_copy_region = tgsiamd_copy_region;
   ctx->base.blit = blit;
}
