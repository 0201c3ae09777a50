/* SPDX-License-Identifier: MIT */
/* Texture mappings: linear textures directly, tiled ones through a linear
 * staging texture that the 3D engine copies from and to, formats that it
 * cannot draw to through the CPU (texture_tile.c). Of multisampled textures a
 * resolved version is mapped. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

static uint32_t
bo_usage(unsigned usage)
{
   return usage & PIPE_MAP_WRITE ? TGSIAMD_WRITE : TGSIAMD_READ;
}

static struct tgsiamd_transfer *
transfer_create(struct tgsiamd_context *ctx, struct pipe_resource *res, unsigned level,
                unsigned usage, const struct pipe_box *box)
{
   struct tgsiamd_transfer *t = slab_zalloc(&ctx->transfer_pool);

   if (t) {
      pipe_resource_reference(&t->base.resource, res);
      t->base.level = level;
      t->base.usage = usage;
      t->base.box = *box;
   }
   return t;
}

static void
transfer_destroy(struct tgsiamd_context *ctx, struct tgsiamd_transfer *t)
{
   pipe_resource_reference(&t->staging, NULL);
   pipe_resource_reference(&t->base.resource, NULL);
   free(t->cpu_copy);
   slab_free(&ctx->transfer_pool, t);
}

static void *
map_linear(struct tgsiamd_context *ctx, struct tgsiamd_texture *tex, struct tgsiamd_transfer *t)
{
   unsigned usage = t->base.usage;
   uint8_t *map;

   if (!(usage & PIPE_MAP_UNSYNCHRONIZED) &&
       !tgsiamd_resource_sync(ctx, &tex->r, bo_usage(usage), usage & PIPE_MAP_DONTBLOCK))
      return NULL;
   map = tgsiamd_bo_map(tex->r.bo);
   if (!map)
      return NULL;
   t->base.stride = tgsiamd_texture_linear_stride(tex, t->base.level);
   t->base.layer_stride = tex->surf.u.gfx9.surf_slice_size;
   return map + tgsiamd_texture_linear_offset(tex, t->base.level, &t->base.box);
}

static void *
map_by_cpu(struct tgsiamd_context *ctx, struct tgsiamd_texture *tex, struct tgsiamd_transfer *t)
{
   const struct pipe_box *box = &t->base.box;
   enum pipe_format format = tex->r.base.format;
   uint8_t *map;

   t->base.stride = util_format_get_stride(format, box->width);
   t->base.layer_stride = util_format_get_2d_size(format, t->base.stride, box->height);
   t->cpu_copy = malloc(MAX2(t->base.layer_stride * box->depth, 1));
   if (!t->cpu_copy)
      return NULL;
   if (t->base.usage & PIPE_MAP_READ) {
      if (!tgsiamd_resource_sync(ctx, &tex->r, TGSIAMD_READ, t->base.usage & PIPE_MAP_DONTBLOCK))
         return NULL;
      map = tgsiamd_bo_map(tex->r.bo);
      if (!map)
         return NULL;
      tgsiamd_tile_copy(ctx->screen, tex, map, t->base.level, box, t->cpu_copy, t->base.stride,
                        t->base.layer_stride, false);
   }
   return t->cpu_copy;
}

static struct pipe_resource *
create_staging(struct tgsiamd_context *ctx, struct tgsiamd_texture *tex, const struct pipe_box *box)
{
   struct pipe_resource templ = {
      .target = box->depth > 1 ? PIPE_TEXTURE_2D_ARRAY : PIPE_TEXTURE_2D,
      .format = tex->r.base.format,
      .width0 = box->width,
      .height0 = box->height,
      .depth0 = 1,
      .array_size = box->depth,
      .usage = PIPE_USAGE_STAGING,
   };

   return tgsiamd_texture_create(ctx->screen, &templ);
}

static void *
map_by_blit(struct tgsiamd_context *ctx, struct tgsiamd_texture *tex, struct tgsiamd_transfer *t)
{
   struct pipe_box zero = {0};
   struct tgsiamd_texture *staging;
   uint8_t *map;

   t->staging = create_staging(ctx, tex, &t->base.box);
   if (!t->staging)
      return NULL;
   staging = tgsiamd_texture(t->staging);
   if (t->base.usage & PIPE_MAP_READ) {
      tgsiamd_copy_region(&ctx->base, t->staging, 0, 0, 0, 0, &tex->r.base, t->base.level, &t->base.box);
      if (!tgsiamd_resource_sync(ctx, &staging->r, TGSIAMD_READ, false))
         return NULL;
   }
   map = tgsiamd_bo_map(staging->r.bo);
   if (!map)
      return NULL;
   t->base.stride = tgsiamd_texture_linear_stride(staging, 0);
   t->base.layer_stride = staging->surf.u.gfx9.surf_slice_size;
   return map + tgsiamd_texture_linear_offset(staging, 0, &zero);
}

static void
blit_samples(struct tgsiamd_context *ctx, struct pipe_resource *dst, const struct pipe_box *dst_box,
             struct pipe_resource *src, const struct pipe_box *src_box)
{
   struct pipe_blit_info info = {
      .dst = {.resource = dst, .format = dst->format, .box = *dst_box},
      .src = {.resource = src, .format = src->format, .box = *src_box},
      .mask = util_format_get_mask(dst->format),
      .filter = PIPE_TEX_FILTER_NEAREST,
   };

   ctx->base.blit(&ctx->base, &info);
}

static void *
map_multisampled(struct tgsiamd_context *ctx, struct tgsiamd_texture *tex, struct tgsiamd_transfer *t)
{
   const struct pipe_box *box = &t->base.box;
   struct pipe_resource templ = {
      .target = box->depth > 1 ? PIPE_TEXTURE_2D_ARRAY : PIPE_TEXTURE_2D,
      .format = tex->r.base.format,
      .width0 = box->width,
      .height0 = box->height,
      .depth0 = 1,
      .array_size = box->depth,
   };
   struct pipe_box whole;
   void *map;

   u_box_3d(0, 0, 0, box->width, box->height, box->depth, &whole);
   t->staging = tgsiamd_texture_create(ctx->screen, &templ);
   if (!t->staging)
      return NULL;
   if (t->base.usage & PIPE_MAP_READ)
      blit_samples(ctx, t->staging, &whole, &tex->r.base, box);
   map = tgsiamd_texture_map(&ctx->base, t->staging, 0, t->base.usage, &whole, &t->resolved);
   if (map) {
      t->base.stride = t->resolved->stride;
      t->base.layer_stride = t->resolved->layer_stride;
   }
   return map;
}

static bool
needs_cpu(struct tgsiamd_context *ctx, struct tgsiamd_texture *tex)
{
   struct tgsiamd_color_format color;

   return util_format_is_depth_or_stencil(tex->r.base.format) ||
          util_format_is_compressed(tex->r.base.format) ||
          (ctx->screen->debug & DBG_CPUCOPY) ||
          /* No format to copy its bits through. */
          (!tgsiamd_color_format(tex->r.base.format, &color) && tex->surf.bpe == 3);
}

void *
tgsiamd_texture_map(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                    unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_texture *tex = tgsiamd_texture(pres);
   struct tgsiamd_transfer *t;
   void *map;

   if ((usage & PIPE_MAP_DIRECTLY) && !tex->surf.is_linear)
      return NULL;
   t = transfer_create(ctx, pres, level, usage, box);
   if (!t)
      return NULL;
   if (pres->nr_samples > 1)
      map = map_multisampled(ctx, tex, t);
   else if (tex->surf.is_linear)
      map = map_linear(ctx, tex, t);
   else if (needs_cpu(ctx, tex))
      map = map_by_cpu(ctx, tex, t);
   else
      map = map_by_blit(ctx, tex, t);
   if (!map) {
      transfer_destroy(ctx, t);
      return NULL;
   }
   *out = &t->base;
   return map;
}

void
tgsiamd_texture_unmap(struct pipe_context *pctx, struct pipe_transfer *ptransfer)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_transfer *t = (struct tgsiamd_transfer *)ptransfer;
   struct tgsiamd_texture *tex = tgsiamd_texture(ptransfer->resource);

   if (t->resolved) {
      struct pipe_box whole = t->resolved->box;

      tgsiamd_texture_unmap(pctx, t->resolved);
      if (ptransfer->usage & PIPE_MAP_WRITE)
         blit_samples(ctx, ptransfer->resource, &ptransfer->box, t->staging, &whole);
   } else if (ptransfer->usage & PIPE_MAP_WRITE) {
      if (t->cpu_copy) {
         uint8_t *map = NULL;
         if (tgsiamd_resource_sync(ctx, &tex->r, TGSIAMD_WRITE, false))
            map = tgsiamd_bo_map(tex->r.bo);
         if (map)
            tgsiamd_tile_copy(ctx->screen, tex, map, ptransfer->level, &ptransfer->box, t->cpu_copy,
                              ptransfer->stride, ptransfer->layer_stride, true);
      } else if (t->staging) {
         struct pipe_box box;
         u_box_3d(0, 0, 0, ptransfer->box.width, ptransfer->box.height, ptransfer->box.depth, &box);
         tgsiamd_copy_region(pctx, ptransfer->resource, ptransfer->level, ptransfer->box.x,
                             ptransfer->box.y, ptransfer->box.z, t->staging, 0, &box);
      }
   }
   transfer_destroy(ctx, t);
}
