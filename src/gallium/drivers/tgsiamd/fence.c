/* SPDX-License-Identifier: MIT */
/* Gallium's fences are the winsys' fences. */
#include "context.h"

static struct tgsiamd_fence *
to_fence(struct pipe_fence_handle *fence)
{
   return (struct tgsiamd_fence *)fence;
}

static void
fence_reference(struct pipe_screen *screen, struct pipe_fence_handle **dst,
                struct pipe_fence_handle *src)
{
   tgsiamd_fence_reference((struct tgsiamd_fence **)dst, to_fence(src));
}

static bool
fence_finish(struct pipe_screen *screen, struct pipe_context *ctx,
             struct pipe_fence_handle *fence, uint64_t timeout)
{
   return tgsiamd_fence_wait(to_fence(fence), timeout == PIPE_TIMEOUT_INFINITE ? UINT64_MAX : timeout);
}

static int
fence_get_fd(struct pipe_screen *screen, struct pipe_fence_handle *fence)
{
   return tgsiamd_fence_export_sync_file(to_fence(fence));
}

static void
create_fence_fd(struct pipe_context *pctx, struct pipe_fence_handle **out, int fd,
                enum pipe_fd_type type)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   *out = (struct pipe_fence_handle *)
      tgsiamd_fence_import(ctx->screen->dev, fd, type == PIPE_FD_TYPE_SYNCOBJ);
}

static void
fence_server_sync(struct pipe_context *pctx, struct pipe_fence_handle *fence)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   /* What was recorded before need not wait. */
   tgsiamd_flush(ctx, NULL, "fence_server_sync");
   tgsiamd_stream_wait_for(ctx->stream, to_fence(fence));
}

void
tgsiamd_init_screen_fence(struct tgsiamd_screen *screen)
{
   screen->base.fence_reference = fence_reference;
   screen->base.fence_finish = fence_finish;
   screen->base.fence_get_fd = fence_get_fd;
}

void
tgsiamd_init_context_fence(struct tgsiamd_context *ctx)
{
   ctx->base.create_fence_fd = create_fence_fd;
   ctx->base.fence_server_sync = fence_server_sync;
}
