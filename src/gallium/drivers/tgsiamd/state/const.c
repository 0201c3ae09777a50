/* SPDX-License-Identifier: MIT */
/* Constant buffers. User memory is copied into GPU memory at once. */
#include "context.h"

#include "util/u_inlines.h"

static void
set_constant_buffer(struct pipe_context *pctx, enum pipe_shader_type shader, uint slot,
                    bool take_ownership, const struct pipe_constant_buffer *cb)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_stage_state *stage;
   struct pipe_constant_buffer *dst;

   stage = tgsiamd_stage_state(ctx, shader);
   if (!stage || slot >= TGSIAMD_MAX_CONST_BUFFERS)
      return;
   dst = &stage->consts[slot];
   stage->dirty_lists |= 1u << LIST_BUFFERS;

   if (!cb || (!cb->buffer && !cb->user_buffer)) {
      pipe_resource_reference(&dst->buffer, NULL);
      memset(dst, 0, sizeof(*dst));
      return;
   }
   if (cb->user_buffer) {
      struct pipe_resource *buffer = NULL;
      unsigned offset = 0;

      /* Scalar loads fetch whole dwords. */
      u_upload_data(ctx->base.const_uploader, 0, cb->buffer_size, 64, cb->user_buffer, &offset,
                    &buffer);
      pipe_resource_reference(&dst->buffer, NULL);
      dst->buffer = buffer;
      dst->buffer_offset = offset;
      dst->buffer_size = buffer ? cb->buffer_size : 0;
      return;
   }
   if (take_ownership) {
      pipe_resource_reference(&dst->buffer, NULL);
      dst->buffer = cb->buffer;
   } else {
      pipe_resource_reference(&dst->buffer, cb->buffer);
   }
   dst->buffer_offset = cb->buffer_offset;
   dst->buffer_size = cb->buffer_size;
}

void
tgsiamd_init_state_const(struct tgsiamd_context *ctx)
{
   ctx->base.set_constant_buffer = set_constant_buffer;
}
