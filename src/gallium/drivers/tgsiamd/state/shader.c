/* SPDX-License-Identifier: MIT */
/* Shader state objects. */
#include "context.h"

static void *
create_vs(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return tgsiamd_create_shader(tgsiamd_context(pctx), TGSIAMD_VS, state);
}

static void *
create_fs(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return tgsiamd_create_shader(tgsiamd_context(pctx), TGSIAMD_PS, state);
}

static void
bind_vs(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->vs != state) {
      ctx->vs = state;
      ctx->dirty |= DIRTY_VS;
   }
}

static void
bind_fs(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->ps != state) {
      ctx->ps = state;
      ctx->dirty |= DIRTY_PS;
   }
}

static void *
create_gs(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return tgsiamd_create_shader(tgsiamd_context(pctx), TGSIAMD_GS, state);
}

static void
bind_gs(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->gs != state) {
      ctx->gs = state;
      ctx->dirty |= DIRTY_GS;
   }
}

static void
delete_shader(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (!state)
      return;
   if (ctx->vs == state)
      ctx->vs = NULL;
   if (ctx->gs == state)
      ctx->gs = NULL;
   if (ctx->ps == state)
      ctx->ps = NULL;
   tgsiamd_delete_shader(ctx, state);
}

void
tgsiamd_init_state_shader(struct tgsiamd_context *ctx)
{
   ctx->base.create_vs_state = create_vs;
   ctx->base.bind_vs_state = bind_vs;
   ctx->base.delete_vs_state = delete_shader;
   ctx->base.create_gs_state = create_gs;
   ctx->base.bind_gs_state = bind_gs;
   ctx->base.delete_gs_state = delete_shader;
   ctx->base.create_fs_state = create_fs;
   ctx->base.bind_fs_state = bind_fs;
   ctx->base.delete_fs_state = delete_shader;
}
