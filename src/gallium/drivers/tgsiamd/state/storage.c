/* SPDX-License-Identifier: MIT */
/* What shaders may write: shader buffers, atomic counters and images. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_range.h"

/* True when there is one. */
static bool
bind_buffer(struct pipe_shader_buffer *dst, const struct pipe_shader_buffer *src)
{
   pipe_resource_reference(&dst->buffer, src ? src->buffer : NULL);
   dst->buffer_offset = dst->buffer ? src->buffer_offset : 0;
   dst->buffer_size = dst->buffer ? src->buffer_size : 0;
   return dst->buffer;
}

static void
may_be_written(const struct pipe_shader_buffer *b)
{
   util_range_add(b->buffer, &tgsiamd_resource(b->buffer)->valid_range, b->buffer_offset,
                  b->buffer_offset + b->buffer_size);
}

static void
set_shader_buffers(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                   unsigned count, const struct pipe_shader_buffer *buffers, unsigned writable)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_stage_state *stage = tgsiamd_stage_state(ctx, shader);

   if (!stage)
      return;
   for (unsigned i = 0; i < count && start + i < TGSIAMD_MAX_SHADER_BUFFERS; i++) {
      struct pipe_shader_buffer *dst = &stage->buffers[start + i];

      if (bind_buffer(dst, buffers ? &buffers[i] : NULL) && (writable & (1u << i)))
         may_be_written(dst);
   }
   stage->dirty_lists |= 1u << LIST_BUFFERS;
}

/* Counters of TGSI's file HWATOMIC, one list for all stages. */
static void
set_hw_atomic_buffers(struct pipe_context *pctx, unsigned start, unsigned count, const struct pipe_shader_buffer *buffers)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   for (unsigned i = 0; i < count && start + i < TGSIAMD_MAX_HW_ATOMIC_BUFFERS; i++) {
      struct pipe_shader_buffer *dst = &ctx->hw_atomics[start + i];

      if (bind_buffer(dst, buffers ? &buffers[i] : NULL))
         may_be_written(dst);
   }
   for (unsigned s = 0; s < NUM_STAGES; s++)
      ctx->stage[s].dirty_lists |= 1u << LIST_BUFFERS;
}

static void
set_shader_images(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                  unsigned count, unsigned unbind, const struct pipe_image_view *images)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_stage_state *stage = tgsiamd_stage_state(ctx, shader);

   if (!stage)
      return;
   for (unsigned i = 0; i < count + unbind && start + i < TGSIAMD_MAX_IMAGES; i++) {
      struct pipe_image_view *dst = &stage->images[start + i];

      util_copy_image_view(dst, images && i < count ? &images[i] : NULL);
      if (dst->resource && dst->resource->target == PIPE_BUFFER && (dst->access & PIPE_IMAGE_ACCESS_WRITE))
         util_range_add(dst->resource, &tgsiamd_resource(dst->resource)->valid_range, dst->u.buf.offset,
                        dst->u.buf.offset + dst->u.buf.size);
   }
   stage->dirty_lists |= 1u << LIST_IMAGES;
   /* The colour and depth blocks may hold newer texels in their caches. */
   tgsiamd_render_barrier(ctx, "images were rendered to");
}

void
tgsiamd_init_state_storage(struct tgsiamd_context *ctx)
{
   ctx->base.set_shader_buffers = set_shader_buffers;
   ctx->base.set_hw_atomic_buffers = set_hw_atomic_buffers;
   ctx->base.set_shader_images = set_shader_images;
}
