/* SPDX-License-Identifier: MIT */
/* Resource life: creation, destruction, and waiting for the GPU. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_transfer.h"

static struct pipe_resource *
resource_create(struct pipe_screen *pscreen, const struct pipe_resource *templ)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);

   return templ->target == PIPE_BUFFER ? tgsiamd_buffer_create(screen, templ)
                                       : tgsiamd_texture_create(screen, templ);
}

static void
resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *pres)
{
   struct tgsiamd_resource *res = tgsiamd_resource(pres);

   if (pres->target == PIPE_BUFFER)
      util_range_destroy(&res->valid_range);
   tgsiamd_bo_reference(&res->bo, NULL);
   FREE(res);
}

bool
tgsiamd_resource_alloc(struct tgsiamd_screen *screen, struct tgsiamd_resource *res, uint64_t size,
                       uint32_t align)
{
   struct tgsiamd_bo *bo = tgsiamd_bo_create(screen->dev, size, align, res->domain, res->bo_flags);

   if (!bo) {
      if (screen->debug & DBG_MSG)
         tgsiamd_error("no memory for a resource of %llu bytes", (unsigned long long)size);
      return false;
   }
   tgsiamd_bo_reference(&res->bo, NULL);
   res->bo = bo;
   res->va = bo->va;
   return true;
}

bool
tgsiamd_resource_busy(struct tgsiamd_context *ctx, struct tgsiamd_resource *res, uint32_t usage)
{
   /* A write has to wait for every user, a read only for writers. */
   uint32_t by = usage & TGSIAMD_WRITE ? TGSIAMD_READ | TGSIAMD_WRITE : TGSIAMD_WRITE;

   return tgsiamd_stream_references(ctx->stream, res->bo, by) ||
          !tgsiamd_bo_wait(res->bo, 0, usage);
}

bool
tgsiamd_resource_sync(struct tgsiamd_context *ctx, struct tgsiamd_resource *res, uint32_t usage,
                      bool dontblock)
{
   uint32_t by = usage & TGSIAMD_WRITE ? TGSIAMD_READ | TGSIAMD_WRITE : TGSIAMD_WRITE;

   if (tgsiamd_stream_references(ctx->stream, res->bo, by)) {
      tgsiamd_flush(ctx, NULL, "the CPU needs a resource");
      if (dontblock)
         return false;
   }
   return tgsiamd_bo_wait(res->bo, dontblock ? 0 : UINT64_MAX, usage);
}

static struct pipe_resource *
resource_from_user_memory(struct pipe_screen *pscreen, const struct pipe_resource *templ, void *memory)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);
   struct tgsiamd_resource *res;

   if (templ->target != PIPE_BUFFER || ((uintptr_t)memory & 4095))
      return NULL;
   res = CALLOC_STRUCT(tgsiamd_resource);
   if (!res)
      return NULL;
   res->base = *templ;
   res->base.screen = pscreen;
   pipe_reference_init(&res->base.reference, 1);
   util_range_init(&res->valid_range);
   util_range_add(&res->base, &res->valid_range, 0, templ->width0);
   res->domain = TGSIAMD_GTT;
   res->shared = true;
   res->bo = tgsiamd_bo_from_pointer(screen->dev, memory, templ->width0);
   if (!res->bo) {
      util_range_destroy(&res->valid_range);
      FREE(res);
      return NULL;
   }
   res->va = res->bo->va;
   return &res->base;
}

static void
flush_resource(struct pipe_context *pctx, struct pipe_resource *res)
{
   /* Surfaces have no compression metadata that others could not read. */
}

static void
invalidate_resource(struct pipe_context *pctx, struct pipe_resource *pres)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (pres->target == PIPE_BUFFER)
      tgsiamd_buffer_invalidate(ctx, tgsiamd_resource(pres));
}

void
tgsiamd_init_screen_resource(struct tgsiamd_screen *screen)
{
   screen->base.resource_create = resource_create;
   screen->base.resource_destroy = resource_destroy;
   screen->base.resource_from_user_memory = resource_from_user_memory;
   tgsiamd_init_screen_share(screen);
}

void
tgsiamd_init_context_resource(struct tgsiamd_context *ctx)
{
   ctx->base.buffer_map = tgsiamd_buffer_map;
   ctx->base.buffer_unmap = tgsiamd_buffer_unmap;
   ctx->base.transfer_flush_region = tgsiamd_buffer_flush_region;
   ctx->base.buffer_subdata = tgsiamd_buffer_subdata;
   ctx->base.texture_map = tgsiamd_texture_map;
   ctx->base.texture_unmap = tgsiamd_texture_unmap;
   ctx->base.texture_subdata = u_default_texture_subdata;
   ctx->base.clear_buffer = tgsiamd_clear_buffer;
   ctx->base.flush_resource = flush_resource;
   ctx->base.invalidate_resource = invalidate_resource;
}
