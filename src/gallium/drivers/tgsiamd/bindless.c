/* SPDX-License-Identifier: MIT */
/* Bindless textures and images. A handle is the GPU address of a slot of its own
 * that holds the descriptor (abi.h); shaders read it without any list. Handles
 * belong to the screen, as contexts share them; which are resident is a matter of
 * each context. A resource with a handle keeps its memory until it dies. */
#include "context.h"

#include "util/hash_table.h"
#include "util/u_inlines.h"
#include "util/u_range.h"

/* GL's names for the access of images. */
#define ACCESS_READ_ONLY 0x88B8

struct tgsiamd_bindless {
   struct pipe_reference reference;
   struct tgsiamd_bo *slot;
   struct pipe_resource *res;
};

static void
unref(struct tgsiamd_bindless *b)
{
   if (!pipe_reference(&b->reference, NULL))
      return;
   tgsiamd_bo_reference(&b->slot, NULL);
   pipe_resource_reference(&b->res, NULL);
   FREE(b);
}

static uint64_t
create_handle(struct tgsiamd_context *ctx, struct pipe_resource *res, const uint32_t *words, unsigned dwords)
{
   struct tgsiamd_screen *screen = ctx->screen;
   struct tgsiamd_bindless *b = CALLOC_STRUCT(tgsiamd_bindless);
   void *map = NULL;

   if (!b)
      return 0;
   pipe_reference_init(&b->reference, 1);
   /* Old slots are not used again before the GPU is done with them. */
   b->slot = tgsiamd_bo_create(screen->dev, TGSIAMD_TEXTURE_HANDLE_BYTES, 64, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   if (b->slot)
      map = tgsiamd_bo_map(b->slot);
   if (!map) {
      unref(b);
      return 0;
   }
   memcpy(map, words, dwords * 4);
   pipe_resource_reference(&b->res, res);
   tgsiamd_resource(res)->pinned = true;
   simple_mtx_lock(&screen->bindless_lock);
   _mesa_hash_table_u64_insert(screen->bindless, b->slot->va, b);
   simple_mtx_unlock(&screen->bindless_lock);
   return b->slot->va;
}

static uint64_t
create_texture_handle(struct pipe_context *pctx, struct pipe_sampler_view *view,
                      const struct pipe_sampler_state *state)
{
   uint32_t words[TGSIAMD_TEXTURE_HANDLE_BYTES / 4] = {0};
   struct tgsiamd_sampler *sampler = pctx->create_sampler_state(pctx, state);

   if (!sampler)
      return 0;
   tgsiamd_texture_words((struct tgsiamd_sampler_view *)view, words);
   memcpy(words + TGSIAMD_SAMPLER_OFFSET(0) / 4, sampler->words, sizeof(sampler->words));
   pctx->delete_sampler_state(pctx, sampler);
   return create_handle(tgsiamd_context(pctx), view->texture, words, ARRAY_SIZE(words));
}

static uint64_t
create_image_handle(struct pipe_context *pctx, const struct pipe_image_view *image)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   uint32_t words[8] = {0};

   if (!tgsiamd_image_slot(ctx, image, words))
      return 0;
   return create_handle(ctx, image->resource, words, ARRAY_SIZE(words));
}

static void
delete_handle(struct pipe_context *pctx, uint64_t handle)
{
   struct tgsiamd_screen *screen = tgsiamd_context(pctx)->screen;
   struct tgsiamd_bindless *b;

   simple_mtx_lock(&screen->bindless_lock);
   b = _mesa_hash_table_u64_search(screen->bindless, handle);
   if (b)
      _mesa_hash_table_u64_remove(screen->bindless, handle);
   simple_mtx_unlock(&screen->bindless_lock);
   if (b)
      unref(b);
}

/* Puts a handle on the context's list or takes it off. Returns the resource that
 * became resident, else NULL. */
static struct tgsiamd_resource *
make_resident(struct tgsiamd_context *ctx, uint64_t handle, bool resident, bool writes)
{
   struct util_dynarray *list = &ctx->resident;
   struct tgsiamd_bindless *b;

   if (!resident) {
      util_dynarray_foreach(list, struct tgsiamd_resident, r) {
         if (r->b->slot->va == handle) {
            unref(r->b);
            *r = util_dynarray_pop(list, struct tgsiamd_resident);
            break;
         }
      }
      return NULL;
   }
   simple_mtx_lock(&ctx->screen->bindless_lock);
   b = _mesa_hash_table_u64_search(ctx->screen->bindless, handle);
   if (b)
      p_atomic_inc(&b->reference.count);
   simple_mtx_unlock(&ctx->screen->bindless_lock);
   if (!b)
      return NULL;
   struct tgsiamd_resident entry = {b, writes};
   util_dynarray_append(list, struct tgsiamd_resident, entry);
   ctx->resident_listed = false;
   return tgsiamd_resource(b->res);
}

static void
make_texture_handle_resident(struct pipe_context *pctx, uint64_t handle, bool resident)
{
   make_resident(tgsiamd_context(pctx), handle, resident, false);
}

static void
make_image_handle_resident(struct pipe_context *pctx, uint64_t handle, unsigned access, bool resident)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   bool writes = access != ACCESS_READ_ONLY;
   struct tgsiamd_resource *res = make_resident(ctx, handle, resident, writes);

   if (res && writes && res->base.target == PIPE_BUFFER)
      util_range_add(&res->base, &res->valid_range, 0, res->base.width0);
   if (res)
      tgsiamd_render_barrier(ctx, "images were rendered to");
}

void
tgsiamd_use_resident(struct tgsiamd_context *ctx)
{
   if (ctx->resident_listed)
      return;
   util_dynarray_foreach(&ctx->resident, struct tgsiamd_resident, r) {
      tgsiamd_stream_use(ctx->stream, r->b->slot, TGSIAMD_READ);
      tgsiamd_use(ctx, tgsiamd_resource(r->b->res), r->writes ? TGSIAMD_READ | TGSIAMD_WRITE : TGSIAMD_READ);
   }
   ctx->resident_listed = true;
}

void
tgsiamd_init_bindless(struct tgsiamd_context *ctx)
{
   util_dynarray_init(&ctx->resident, NULL);
   ctx->base.create_texture_handle = create_texture_handle;
   ctx->base.delete_texture_handle = delete_handle;
   ctx->base.make_texture_handle_resident = make_texture_handle_resident;
   ctx->base.create_image_handle = create_image_handle;
   ctx->base.delete_image_handle = delete_handle;
   ctx->base.make_image_handle_resident = make_image_handle_resident;
}

void
tgsiamd_finish_bindless(struct tgsiamd_context *ctx)
{
   util_dynarray_foreach(&ctx->resident, struct tgsiamd_resident, r)
      unref(r->b);
   util_dynarray_fini(&ctx->resident);
}

bool
tgsiamd_init_screen_bindless(struct tgsiamd_screen *screen)
{
   simple_mtx_init(&screen->bindless_lock, mtx_plain);
   screen->bindless = _mesa_hash_table_u64_create(NULL);
   return screen->bindless != NULL;
}

/* Handles live as long as their textures: none is left when the screen goes. */
void
tgsiamd_finish_screen_bindless(struct tgsiamd_screen *screen)
{
   if (screen->bindless)
      _mesa_hash_table_u64_destroy(screen->bindless);
   simple_mtx_destroy(&screen->bindless_lock);
}
