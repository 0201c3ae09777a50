/* SPDX-License-Identifier: MIT */
/* Sampler views: T# (SQ_IMG_RSRC_WORD0..7) of textures, V# of buffer textures. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "amdgfxregs.h"

/* GFX9 has no 1D depth textures, so ac_surface lays all 1D textures out as 2D;
 * the compiler gives such images a y coordinate. */
static uint32_t
image_type(enum pipe_texture_target target, bool resource_1d, bool msaa)
{
   switch (target) {
   case PIPE_TEXTURE_1D:
      return resource_1d ? V_008F1C_SQ_RSRC_IMG_1D : V_008F1C_SQ_RSRC_IMG_2D;
   case PIPE_TEXTURE_1D_ARRAY:
      return resource_1d ? V_008F1C_SQ_RSRC_IMG_1D_ARRAY : V_008F1C_SQ_RSRC_IMG_2D_ARRAY;
   case PIPE_TEXTURE_3D:
      return V_008F1C_SQ_RSRC_IMG_3D;
   case PIPE_TEXTURE_CUBE:
   case PIPE_TEXTURE_CUBE_ARRAY:
      return V_008F1C_SQ_RSRC_IMG_CUBE;
   case PIPE_TEXTURE_2D_ARRAY:
      return msaa ? V_008F1C_SQ_RSRC_IMG_2D_MSAA_ARRAY : V_008F1C_SQ_RSRC_IMG_2D_ARRAY;
   default:
      return msaa ? V_008F1C_SQ_RSRC_IMG_2D_MSAA : V_008F1C_SQ_RSRC_IMG_2D;
   }
}

/* Border colours pass the format's swizzle on GFX9; only where alpha and red
 * end up matters for the colours that the hardware has built in. */
static uint32_t
border_swizzle(const uint8_t swizzle[4])
{
   if (swizzle[3] == PIPE_SWIZZLE_X)
      return swizzle[2] == PIPE_SWIZZLE_Y ? V_008F20_BC_SWIZZLE_WZYX : V_008F20_BC_SWIZZLE_WXYZ;
   if (swizzle[0] == PIPE_SWIZZLE_X)
      return swizzle[1] == PIPE_SWIZZLE_Y ? V_008F20_BC_SWIZZLE_XYZW : V_008F20_BC_SWIZZLE_XWYZ;
   if (swizzle[1] == PIPE_SWIZZLE_X)
      return V_008F20_BC_SWIZZLE_YXWZ;
   if (swizzle[2] == PIPE_SWIZZLE_X)
      return V_008F20_BC_SWIZZLE_ZYXW;
   return V_008F20_BC_SWIZZLE_XYZW;
}

static bool
is_stencil_view(enum pipe_format format)
{
   return format == PIPE_FORMAT_S8_UINT || format == PIPE_FORMAT_X24S8_UINT ||
          format == PIPE_FORMAT_X32_S8X24_UINT;
}

static bool
init_texture(struct tgsiamd_sampler_view *view, struct tgsiamd_texture *tex)
{
   const struct pipe_sampler_view *s = &view->base;
   const struct pipe_resource *res = &tex->r.base;
   const struct gfx9_surf_layout *layout = &tex->surf.u.gfx9;
   struct tgsiamd_tex_format fmt;
   bool stencil = tex->is_depth && is_stencil_view(s->format);
   unsigned width = res->width0, height = res->height0, depth = s->u.tex.last_layer;
   unsigned mode = layout->swizzle_mode, pitch = layout->epitch;
   uint8_t swizzle[4];
   uint8_t view_swizzle[4] = {s->swizzle_r, s->swizzle_g, s->swizzle_b, s->swizzle_a};

   if (!tgsiamd_tex_format(s->format, &fmt))
      return false;
   view->plane_offset = tex->offset;
   if (stencil) {
      view->plane_offset += layout->zs.stencil_offset;
      mode = layout->zs.stencil_swizzle_mode;
      pitch = layout->zs.stencil_epitch;
   }
   /* A view with other blocks than the resource sees other sizes. */
   if (util_format_get_blockwidth(s->format) != util_format_get_blockwidth(res->format)) {
      width = util_format_get_nblocksx(res->format, width) * util_format_get_blockwidth(s->format);
      height = util_format_get_nblocksy(res->format, height) * util_format_get_blockheight(s->format);
   }
   if (s->target == PIPE_TEXTURE_1D_ARRAY)
      height = 1;
   if (s->target == PIPE_TEXTURE_3D)
      depth = res->depth0 - 1;

   /* Samples take the place of levels. */
   unsigned first_level = s->u.tex.first_level, last_level = s->u.tex.last_level, max_level = res->last_level;
   if (res->nr_samples > 1) {
      first_level = 0;
      last_level = max_level = util_logbase2(res->nr_samples);
   }

   util_format_compose_swizzles(fmt.swizzle, view_swizzle, swizzle);
   view->words[1] = S_008F14_DATA_FORMAT(fmt.data) | S_008F14_NUM_FORMAT(fmt.num);
   view->words[2] = S_008F18_WIDTH(width - 1) | S_008F18_HEIGHT(height - 1) | S_008F18_PERF_MOD(4);
   view->words[3] = S_008F1C_DST_SEL_X(tgsiamd_sq_sel(swizzle[0])) |
                    S_008F1C_DST_SEL_Y(tgsiamd_sq_sel(swizzle[1])) |
                    S_008F1C_DST_SEL_Z(tgsiamd_sq_sel(swizzle[2])) |
                    S_008F1C_DST_SEL_W(tgsiamd_sq_sel(swizzle[3])) |
                    S_008F1C_BASE_LEVEL(first_level) |
                    S_008F1C_LAST_LEVEL(last_level) | S_008F1C_SW_MODE(mode) |
                    S_008F1C_TYPE(image_type(s->target, layout->resource_type == RADEON_RESOURCE_1D, res->nr_samples > 1));
   view->words[4] = S_008F20_DEPTH(depth) | S_008F20_PITCH(pitch) |
                    S_008F20_BC_SWIZZLE(border_swizzle(util_format_description(s->format)->swizzle));
   view->words[5] = S_008F24_BASE_ARRAY(s->target == PIPE_TEXTURE_3D ? 0 : s->u.tex.first_layer) |
                    S_008F24_MAX_MIP(max_level);
   return true;
}

static bool
init_buffer(struct tgsiamd_context *ctx, struct tgsiamd_sampler_view *view)
{
   const struct pipe_sampler_view *s = &view->base;
   const uint32_t word3 = tgsiamd_buffer_format(ctx->screen->info, s->format);
   unsigned stride = util_format_get_blocksize(s->format);

   if (!word3)
      return false;
   view->plane_offset = s->u.buf.offset;
   view->words[5] = S_008F04_STRIDE(stride);
   view->words[6] = MIN2(s->u.buf.size, s->texture->width0 - s->u.buf.offset) / stride;
   view->words[7] = word3;
   return true;
}

/* An image is a view of one level with nothing swizzled; cubes are arrays. */
bool
tgsiamd_image_words(struct tgsiamd_context *ctx, const struct pipe_image_view *image,
                    uint32_t words[8], uint64_t *plane_offset)
{
   struct pipe_resource *res = image->resource;
   struct tgsiamd_sampler_view view = {
      .base = {
         .format = image->format, .texture = res, .target = res->target,
         .swizzle_r = PIPE_SWIZZLE_X, .swizzle_g = PIPE_SWIZZLE_Y,
         .swizzle_b = PIPE_SWIZZLE_Z, .swizzle_a = PIPE_SWIZZLE_W,
      },
   };
   bool ok;

   if (res->target == PIPE_BUFFER) {
      view.base.u.buf.offset = image->u.buf.offset;
      view.base.u.buf.size = image->u.buf.size;
      ok = init_buffer(ctx, &view);
   } else {
      if (res->target == PIPE_TEXTURE_CUBE || res->target == PIPE_TEXTURE_CUBE_ARRAY)
         view.base.target = PIPE_TEXTURE_2D_ARRAY;
      view.base.u.tex.first_level = view.base.u.tex.last_level = image->u.tex.level;
      view.base.u.tex.first_layer = image->u.tex.first_layer;
      view.base.u.tex.last_layer = image->u.tex.last_layer;
      ok = init_texture(&view, tgsiamd_texture(res));
      /* The hardware ignores it; shaders take it as the slice of a 2D image. */
      if (res->target == PIPE_TEXTURE_3D)
         view.words[5] |= S_008F24_BASE_ARRAY(image->u.tex.first_layer);
   }
   memcpy(words, view.words, sizeof(view.words));
   *plane_offset = view.plane_offset;
   return ok;
}

/* An array when the other colour buffers are. */
bool
tgsiamd_surface_image_words(struct tgsiamd_context *ctx, const struct pipe_surface *surf, bool layered,
                            uint32_t words[8], uint64_t *plane_offset)
{
   struct pipe_resource *res = surf->texture;
   enum pipe_texture_target target = res->target;

   if (layered && target != PIPE_TEXTURE_3D)
      target = target == PIPE_TEXTURE_1D || target == PIPE_TEXTURE_1D_ARRAY ? PIPE_TEXTURE_1D_ARRAY
                                                                            : PIPE_TEXTURE_2D_ARRAY;
   struct tgsiamd_sampler_view view = {
      .base = {
         .format = surf->format, .texture = res, .target = target,
         .swizzle_r = PIPE_SWIZZLE_X, .swizzle_g = PIPE_SWIZZLE_Y,
         .swizzle_b = PIPE_SWIZZLE_Z, .swizzle_a = PIPE_SWIZZLE_W,
         .u.tex = {
            .first_level = surf->u.tex.level, .last_level = surf->u.tex.level,
            .first_layer = surf->u.tex.first_layer, .last_layer = surf->u.tex.last_layer,
         },
      },
   };

   if (!init_texture(&view, tgsiamd_texture(res)))
      return false;
   memcpy(words, view.words, sizeof(view.words));
   *plane_offset = view.plane_offset;
   return true;
}

static struct pipe_sampler_view *
create_sampler_view(struct pipe_context *pctx, struct pipe_resource *res,
                    const struct pipe_sampler_view *templ)
{
   struct tgsiamd_sampler_view *view = CALLOC_STRUCT(tgsiamd_sampler_view);
   bool ok;

   if (!view)
      return NULL;
   view->base = *templ;
   view->base.context = pctx;
   view->base.texture = NULL;
   pipe_resource_reference(&view->base.texture, res);
   pipe_reference_init(&view->base.reference, 1);
   ok = res->target == PIPE_BUFFER ? init_buffer(tgsiamd_context(pctx), view)
                                   : init_texture(view, tgsiamd_texture(res));
   if (!ok) {
      tgsiamd_error("no sampler view of %s", util_format_name(templ->format));
      pipe_resource_reference(&view->base.texture, NULL);
      FREE(view);
      return NULL;
   }
   return &view->base;
}

static void
sampler_view_destroy(struct pipe_context *pctx, struct pipe_sampler_view *view)
{
   pipe_resource_reference(&view->texture, NULL);
   FREE(view);
}

static void
set_sampler_views(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                  unsigned count, unsigned unbind, bool take_ownership,
                  struct pipe_sampler_view **views)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_stage_state *stage;

   stage = tgsiamd_stage_state(ctx, shader);
   if (!stage)
      return;
   for (unsigned i = 0; i < count + unbind && start + i < TGSIAMD_MAX_SAMPLERS; i++) {
      struct pipe_sampler_view **dst = &stage->views[start + i];
      struct pipe_sampler_view *src = views && i < count ? views[i] : NULL;

      if (take_ownership) {
         pipe_sampler_view_reference(dst, NULL);
         *dst = src;
      } else {
         pipe_sampler_view_reference(dst, src);
      }
   }
   stage->num_views = 0;
   for (unsigned i = 0; i < TGSIAMD_MAX_SAMPLERS; i++) {
      if (stage->views[i])
         stage->num_views = i + 1;
   }
   stage->dirty_lists |= 1u << LIST_TEXTURES;
}

void
tgsiamd_init_state_view(struct tgsiamd_context *ctx)
{
   ctx->base.create_sampler_view = create_sampler_view;
   ctx->base.sampler_view_destroy = sampler_view_destroy;
   ctx->base.set_sampler_views = set_sampler_views;
}
