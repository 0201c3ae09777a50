/* SPDX-License-Identifier: MIT */
/* Buffers and their mappings. A mapping waits only when it must: ranges that
 * were never written, discarded buffers (new memory) and discarded ranges
 * (staging memory, copied by the GPU) do not. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

static void
choose_memory(struct tgsiamd_screen *screen, struct tgsiamd_resource *res)
{
   const struct pipe_resource *b = &res->base;

   res->bo_flags = TGSIAMD_BO_CPU_ACCESS;
   switch (b->usage) {
   case PIPE_USAGE_STAGING:
      res->domain = TGSIAMD_GTT; /* cached: the CPU may read it */
      break;
   case PIPE_USAGE_STREAM:
   case PIPE_USAGE_DYNAMIC:
      res->domain = TGSIAMD_GTT;
      res->bo_flags |= TGSIAMD_BO_WRITE_COMBINE;
      break;
   default:
      res->domain = TGSIAMD_VRAM;
      break;
   }
   if (b->flags & (PIPE_RESOURCE_FLAG_MAP_PERSISTENT | PIPE_RESOURCE_FLAG_MAP_COHERENT)) {
      res->domain = TGSIAMD_GTT;
      res->bo_flags &= ~TGSIAMD_BO_WRITE_COMBINE;
   }
   if (b->bind & PIPE_BIND_SHARED)
      res->bo_flags |= TGSIAMD_BO_SHAREABLE;
}

static uint32_t
buffer_align(const struct tgsiamd_resource *res)
{
   /* Descriptors of constant buffers and CP reads want 256 at most. */
   return res->base.width0 >= 4096 ? 4096 : 256;
}

struct pipe_resource *
tgsiamd_buffer_create(struct tgsiamd_screen *screen, const struct pipe_resource *templ)
{
   struct tgsiamd_resource *res = CALLOC_STRUCT(tgsiamd_resource);

   if (!res)
      return NULL;
   res->base = *templ;
   res->base.screen = &screen->base;
   res->base.next = NULL;
   pipe_reference_init(&res->base.reference, 1);
   util_range_init(&res->valid_range);
   choose_memory(screen, res);
   if (!tgsiamd_resource_alloc(screen, res, templ->width0, buffer_align(res))) {
      util_range_destroy(&res->valid_range);
      FREE(res);
      return NULL;
   }
   return &res->base;
}

void
tgsiamd_buffer_invalidate(struct tgsiamd_context *ctx, struct tgsiamd_resource *res)
{
   /* A buffer that was made for persistent mapping is not mapped now, or the
    * caller would not throw its contents away. */
   if (res->shared || res->pinned)
      return;
   if (!tgsiamd_resource_busy(ctx, res, TGSIAMD_WRITE)) {
      util_range_set_empty(&res->valid_range);
      return;
   }
   if (tgsiamd_resource_alloc(ctx->screen, res, res->base.width0, buffer_align(res))) {
      util_range_set_empty(&res->valid_range);
      tgsiamd_rebind_resource(ctx, res);
   }
}

static struct tgsiamd_transfer *
transfer_create(struct tgsiamd_context *ctx, struct pipe_resource *res, unsigned usage,
                const struct pipe_box *box)
{
   struct tgsiamd_transfer *t = slab_zalloc(&ctx->transfer_pool);

   if (t) {
      pipe_resource_reference(&t->base.resource, res);
      t->base.usage = usage;
      t->base.box = *box;
   }
   return t;
}

/* Memory that stands for a busy range until it is unmapped. */
static void *
map_staging(struct tgsiamd_context *ctx, struct pipe_resource *res, unsigned usage,
            const struct pipe_box *box, struct pipe_transfer **out)
{
   struct pipe_resource *staging = NULL;
   struct tgsiamd_transfer *t;
   unsigned offset, shift = box->x % 64;
   void *map;

   u_upload_alloc(ctx->base.stream_uploader, 0, box->width + shift, 64, &offset, &staging, &map);
   if (!staging)
      return NULL;
   t = transfer_create(ctx, res, usage, box);
   if (!t) {
      pipe_resource_reference(&staging, NULL);
      return NULL;
   }
   t->staging = staging;
   t->staging_offset = offset + shift;
   *out = &t->base;
   return (char *)map + shift;
}

void *
tgsiamd_buffer_map(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                   unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_resource *res = tgsiamd_resource(pres);
   struct tgsiamd_transfer *t;
   bool read_write_free = !(usage & (PIPE_MAP_READ | PIPE_MAP_PERSISTENT | PIPE_MAP_UNSYNCHRONIZED));
   void *map;

   if (read_write_free && (usage & PIPE_MAP_WRITE) && !res->shared &&
       !util_ranges_intersect(&res->valid_range, box->x, box->x + box->width))
      usage |= PIPE_MAP_UNSYNCHRONIZED;
   else if (read_write_free && (usage & PIPE_MAP_DISCARD_RANGE) && box->x == 0 &&
            box->width == (int)pres->width0)
      usage |= PIPE_MAP_DISCARD_WHOLE_RESOURCE;

   if (!(usage & PIPE_MAP_UNSYNCHRONIZED)) {
      bool whole = read_write_free && (usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE);
      bool range = read_write_free && (usage & PIPE_MAP_DISCARD_RANGE);

      if (whole)
         tgsiamd_buffer_invalidate(ctx, res);
      if ((whole || range) && tgsiamd_resource_busy(ctx, res, TGSIAMD_WRITE)) {
         map = map_staging(ctx, pres, usage, box, out);
         if (map)
            return map;
      }
      if (!tgsiamd_resource_sync(ctx, res, usage & PIPE_MAP_WRITE ? TGSIAMD_WRITE : TGSIAMD_READ,
                                 usage & PIPE_MAP_DONTBLOCK))
         return NULL;
   }
   map = tgsiamd_bo_map(res->bo);
   if (!map)
      return NULL;
   t = transfer_create(ctx, pres, usage, box);
   if (!t)
      return NULL;
   if ((usage & PIPE_MAP_WRITE) && (usage & PIPE_MAP_PERSISTENT))
      util_range_add(pres, &res->valid_range, box->x, box->x + box->width);
   *out = &t->base;
   return (char *)map + box->x;
}

/* `start` is relative to the mapped box. */
static void
written(struct tgsiamd_context *ctx, struct tgsiamd_transfer *t, unsigned start, unsigned size)
{
   struct tgsiamd_resource *res = tgsiamd_resource(t->base.resource);
   unsigned offset = t->base.box.x + start;

   if (t->staging)
      tgsiamd_copy_buffer(ctx, res, tgsiamd_resource(t->staging), offset, t->staging_offset + start, size);
   util_range_add(&res->base, &res->valid_range, offset, offset + size);
}

void
tgsiamd_buffer_flush_region(struct pipe_context *pctx, struct pipe_transfer *ptransfer,
                            const struct pipe_box *box)
{
   struct tgsiamd_transfer *t = (struct tgsiamd_transfer *)ptransfer;

   if (ptransfer->resource->target == PIPE_BUFFER &&
       (ptransfer->usage & PIPE_MAP_WRITE) && (ptransfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
      written(tgsiamd_context(pctx), t, box->x, box->width);
}

void
tgsiamd_buffer_unmap(struct pipe_context *pctx, struct pipe_transfer *ptransfer)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_transfer *t = (struct tgsiamd_transfer *)ptransfer;

   if ((ptransfer->usage & PIPE_MAP_WRITE) && !(ptransfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
      written(ctx, t, 0, ptransfer->box.width);
   pipe_resource_reference(&t->staging, NULL);
   pipe_resource_reference(&ptransfer->resource, NULL);
   slab_free(&ctx->transfer_pool, t);
}

void
tgsiamd_buffer_subdata(struct pipe_context *pctx, struct pipe_resource *pres, unsigned usage,
                       unsigned offset, unsigned size, const void *data)
{
   struct pipe_transfer *transfer;
   struct pipe_box box;
   void *map;

   u_box_1d(offset, size, &box);
   if (!(usage & PIPE_MAP_DIRECTLY))
      usage |= PIPE_MAP_DISCARD_RANGE;
   map = tgsiamd_buffer_map(pctx, pres, 0, PIPE_MAP_WRITE | usage, &box, &transfer);
   if (!map)
      return;
   memcpy(map, data, size);
   tgsiamd_buffer_unmap(pctx, transfer);
}
