/* SPDX-License-Identifier: MIT */
/* Context creation, submission, barriers between API operations. */
#include "context.h"
#include "sample_positions.h"
#include "streamout.h"

#include "stipple.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "dump.h"

#define END_DWORDS (BARRIER_DWORDS + 1024) /* room that suspending queries may need */

static void
observe_ib(void *data, const uint32_t *ib, uint32_t dwords, uint64_t va)
{
   struct tgsiamd_context *ctx = data;

   tgsiamd_dump_ib(stderr, ib, dwords, va, ctx->screen->info->gfx_level);
}

static void
begin_stream(struct tgsiamd_context *ctx)
{
   ctx->cs.ib = tgsiamd_stream_space(ctx->stream);
   ctx->cs.limit = 0;
   ctx->dirty = DIRTY_ALL;
   for (unsigned s = 0; s < NUM_STAGES; s++)
      ctx->stage[s].dirty_lists = ~0u;
   ctx->last_num_instances = ~0u;
   ctx->has_draws = ctx->has_grids = false;
   ctx->resident_listed = false;
   ctx->cb_dirty = ctx->db_dirty = false;
   tgsiamd_stream_reserve(ctx->stream, 256);
   tgsiamd_emit_start(ctx);
   ctx->barriers = 0;
   tgsiamd_barrier(ctx, BARRIER_INV_INST | BARRIER_INV_SCALAR | BARRIER_INV_L1 | BARRIER_INV_L2 |
                           BARRIER_PFP, "start of a stream: the CPU has written memory");
}

bool
tgsiamd_reserve(struct tgsiamd_context *ctx, uint32_t dwords)
{
   if (tgsiamd_stream_reserve(ctx->stream, dwords))
      return true;
   util_debug_message(&ctx->debug, OUT_OF_MEMORY, "no memory for commands");
   if (ctx->screen->debug & DBG_MSG)
      tgsiamd_error("no memory for commands");
   return false;
}

/* Says so once; nothing is drawn any more. */
static void
lose(struct tgsiamd_context *ctx, const char *why)
{
   if (ctx->lost)
      return;
   ctx->lost = true;
   util_debug_message(&ctx->debug, ERROR, "the context is lost: %s", why);
   tgsiamd_error("the context is lost: %s", why);
}

void
tgsiamd_flush(struct tgsiamd_context *ctx, struct tgsiamd_fence **fence, const char *why)
{
   uint32_t barriers = BARRIER_WAVES_DONE | BARRIER_WB_L2;
   int r;

   if (ctx->screen->debug & DBG_FLUSH)
      tgsiamd_error("submission (%s)", why);
   if (tgsiamd_stream_reserve(ctx->stream, END_DWORDS)) {
      tgsiamd_queries_suspend(ctx);
      tgsiamd_streamout_end(ctx);
      if (ctx->cb_dirty)
         barriers |= BARRIER_FLUSH_CB;
      if (ctx->db_dirty)
         barriers |= BARRIER_FLUSH_DB;
      tgsiamd_barrier(ctx, barriers, "end of a stream");
      tgsiamd_emit_barriers(ctx);
   }
   r = tgsiamd_stream_submit(ctx->stream, fence);
   if (r)
      lose(ctx, strerror(-r));
   begin_stream(ctx);
   tgsiamd_queries_resume(ctx);
}

static void
flush(struct pipe_context *pctx, struct pipe_fence_handle **fence, unsigned flags)
{
   tgsiamd_flush(tgsiamd_context(pctx), (struct tgsiamd_fence **)fence, "pipe_context::flush");
}

static void
texture_barrier(struct pipe_context *pctx, unsigned flags)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   tgsiamd_barrier(ctx, BARRIER_INV_L1, "texture_barrier");
   tgsiamd_render_barrier(ctx, "texture_barrier");
}

static void
memory_barrier(struct pipe_context *pctx, unsigned flags)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   /* Updates from the CPU wait for the GPU or are copies: those are shaders' work, too. */
   uint32_t barriers = BARRIER_WAVES_DONE | BARRIER_INV_L1 | BARRIER_INV_SCALAR;

   if (flags & (PIPE_BARRIER_INDEX_BUFFER | PIPE_BARRIER_INDIRECT_BUFFER))
      barriers |= BARRIER_PFP;
   if (flags & PIPE_BARRIER_FRAMEBUFFER)
      barriers |= BARRIER_FLUSH_CB | BARRIER_FLUSH_DB;
   tgsiamd_barrier(ctx, barriers, "memory_barrier");
}

static enum pipe_reset_status
get_device_reset_status(struct pipe_context *pctx)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   switch (tgsiamd_stream_reset_status(ctx->stream)) {
   case TGSIAMD_RESET_GUILTY:
      lose(ctx, "it hung the GPU");
      return PIPE_GUILTY_CONTEXT_RESET;
   case TGSIAMD_RESET_INNOCENT:
      lose(ctx, "the GPU was reset");
      return PIPE_INNOCENT_CONTEXT_RESET;
   case TGSIAMD_RESET_UNKNOWN:
      return PIPE_UNKNOWN_CONTEXT_RESET;
   case TGSIAMD_RESET_NONE:
      break;
   }
   return ctx->lost ? PIPE_UNKNOWN_CONTEXT_RESET : PIPE_NO_RESET;
}

static void
set_debug_callback(struct pipe_context *pctx, const struct util_debug_callback *cb)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (cb)
      ctx->debug = *cb;
   else
      memset(&ctx->debug, 0, sizeof(ctx->debug));
}

static void
destroy(struct pipe_context *pctx)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   util_unreference_framebuffer_state(&ctx->fb);
   tgsiamd_stipple_finish(ctx);
   for (unsigned s = 0; s < NUM_STAGES; s++) {
      for (unsigned i = 0; i < TGSIAMD_MAX_SHADER_BUFFERS; i++)
         pipe_resource_reference(&ctx->stage[s].buffers[i].buffer, NULL);
      for (unsigned i = 0; i < TGSIAMD_MAX_IMAGES; i++)
         pipe_resource_reference(&ctx->stage[s].images[i].resource, NULL);
      for (unsigned i = 0; i < TGSIAMD_MAX_CONST_BUFFERS; i++)
         pipe_resource_reference(&ctx->stage[s].consts[i].buffer, NULL);
      for (unsigned i = 0; i < TGSIAMD_MAX_SAMPLERS; i++)
         pipe_sampler_view_reference(&ctx->stage[s].views[i], NULL);
   }
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->hw_atomics); i++)
      pipe_resource_reference(&ctx->hw_atomics[i].buffer, NULL);
   tgsiamd_finish_bindless(ctx);
   tgsiamd_finish_compute(ctx);
   for (unsigned i = 0; i < PIPE_MAX_SO_BUFFERS; i++)
      pipe_so_target_reference(&ctx->so_targets[i], NULL);
   for (unsigned i = 0; i < PIPE_MAX_ATTRIBS; i++)
      pipe_vertex_buffer_unreference(&ctx->vbufs[i]);
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->blitters); i++) {
      if (ctx->blitters[i])
         util_blitter_destroy(ctx->blitters[i]);
   }
   if (ctx->desc_uploader)
      u_upload_destroy(ctx->desc_uploader);
   if (pctx->const_uploader && pctx->const_uploader != pctx->stream_uploader)
      u_upload_destroy(pctx->const_uploader);
   if (pctx->stream_uploader)
      u_upload_destroy(pctx->stream_uploader);
   if (ctx->stream)
      tgsiamd_stream_destroy(ctx->stream);
   tgsiamd_bo_reference(&ctx->scratch.bo, NULL);
   tgsiamd_bo_reference(&ctx->cs_scratch.bo, NULL);
   tgsiamd_bo_reference(&ctx->gsvs_ring, NULL);
   tgsiamd_bo_reference(&ctx->fence_bo, NULL);
   if (ctx->transfer_pool.parent)
      slab_destroy_child(&ctx->transfer_pool);
   FREE(ctx);
}

static bool
init_memory(struct tgsiamd_context *ctx)
{
   struct tgsiamd_device *dev = ctx->screen->dev;
   void *map;

   ctx->stream = tgsiamd_stream_create(dev);
   ctx->fence_bo = tgsiamd_bo_create(dev, 4096, 4096, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   if (!ctx->stream || !ctx->fence_bo)
      return false;
   if (ctx->screen->debug & DBG_IB)
      tgsiamd_stream_observe(ctx->stream, observe_ib, ctx);
   map = tgsiamd_bo_map(ctx->fence_bo);
   if (!map)
      return false;
   memset(map, 0, 4096);
   return true;
}

struct pipe_context *
tgsiamd_context_create(struct pipe_screen *pscreen, void *priv, unsigned flags)
{
   struct tgsiamd_context *ctx = CALLOC_STRUCT(tgsiamd_context);
   struct pipe_context *pctx;

   if (!ctx)
      return NULL;
   pctx = &ctx->base;
   ctx->screen = tgsiamd_screen(pscreen);
   pctx->screen = pscreen;
   pctx->priv = priv;
   pctx->destroy = destroy;
   pctx->flush = flush;
   pctx->texture_barrier = texture_barrier;
   pctx->memory_barrier = memory_barrier;
   pctx->get_device_reset_status = get_device_reset_status;
   pctx->set_debug_callback = set_debug_callback;
   ctx->sample_mask = ~0u;
   slab_create_child(&ctx->transfer_pool, &ctx->screen->transfer_pool);

   tgsiamd_init_state_blend(ctx);
   tgsiamd_init_state_dsa(ctx);
   tgsiamd_init_state_rasterizer(ctx);
   tgsiamd_init_state_framebuffer(ctx);
   tgsiamd_init_state_vertex(ctx);
   tgsiamd_init_state_sampler(ctx);
   tgsiamd_init_state_view(ctx);
   tgsiamd_init_state_const(ctx);
   tgsiamd_init_state_storage(ctx);
   tgsiamd_init_state_shader(ctx);
   tgsiamd_init_bindless(ctx);
   tgsiamd_init_compute(ctx);
   tgsiamd_init_streamout(ctx);
   tgsiamd_init_sample_positions(ctx);
   tgsiamd_init_context_resource(ctx);
   tgsiamd_init_context_fence(ctx);
   tgsiamd_init_draw(ctx);
   tgsiamd_init_blit(ctx);
   tgsiamd_init_clear(ctx);
   tgsiamd_init_query(ctx);

   if (!init_memory(ctx))
      goto fail;
   begin_stream(ctx);
   pctx->stream_uploader = u_upload_create_default(pctx);
   pctx->const_uploader = u_upload_create(pctx, 256 * 1024, 0, PIPE_USAGE_STREAM, 0);
   ctx->desc_uploader = u_upload_create(pctx, 256 * 1024, 0, PIPE_USAGE_STREAM, 0);
   if (!pctx->stream_uploader || !pctx->const_uploader || !ctx->desc_uploader)
      goto fail;
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->blitters); i++) {
      ctx->blitters[i] = util_blitter_create(pctx);
      if (!ctx->blitters[i])
         goto fail;
   }
   return pctx;

fail:
   tgsiamd_error("no memory for a context");
   destroy(pctx);
   return NULL;
}
