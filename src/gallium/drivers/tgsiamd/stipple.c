/* SPDX-License-Identifier: MIT */
/* Polygon stipple: the hardware has none. A second version of the pixel shader
 * looks its pixel up in a 32x32 texture of the pattern and kills it. */
#include "context.h"
#include "stipple.h"

#include "tgsi/tgsi_parse.h"
#include "util/u_box.h"
#include "util/u_inlines.h"
#include "util/u_prim.h"
#include "util/u_pstipple.h"

/* Above what the state tracker may bind. */
#define STIPPLE_UNIT (TGSIAMD_MAX_SAMPLERS - 1)

/* 0 keeps a pixel, 255 kills it: what the transformed shader expects. Mesa's
 * own upload does not survive a mapping that fails. */
static void
upload_pattern(struct pipe_context *pctx, struct pipe_resource *texture, const uint32_t pattern[32])
{
   uint8_t texels[32][32];
   struct pipe_box box;
   for (unsigned y = 0; y < 32; y++) {
      for (unsigned x = 0; x < 32; x++)
         texels[y][x] = pattern[y] >> (31 - x) & 1 ? 0 : 255;
   }
   u_box_2d(0, 0, 32, 32, &box);
   pctx->texture_subdata(pctx, texture, 0, PIPE_MAP_WRITE, &box, texels, sizeof(texels[0]), sizeof(texels));
}

void
tgsiamd_stipple_set(struct tgsiamd_context *ctx, const struct pipe_poly_stipple *stipple)
{
   struct pipe_context *pctx = &ctx->base;

   if (!ctx->stipple_texture) {
      ctx->stipple_texture = util_pstipple_create_stipple_texture(pctx, NULL);
      if (!ctx->stipple_texture)
         return;
      ctx->stipple_view = util_pstipple_create_sampler_view(pctx, ctx->stipple_texture);
      ctx->stipple_sampler = util_pstipple_create_sampler(pctx);
   }
   upload_pattern(pctx, ctx->stipple_texture, stipple->stipple);
}

void
tgsiamd_stipple_finish(struct tgsiamd_context *ctx)
{
   if (ctx->stipple_sampler)
      ctx->base.delete_sampler_state(&ctx->base, ctx->stipple_sampler);
   pipe_sampler_view_reference(&ctx->stipple_view, NULL);
   pipe_resource_reference(&ctx->stipple_texture, NULL);
}

static struct tgsiamd_shader *
stippled(struct tgsiamd_context *ctx, struct tgsiamd_shader *shader)
{
   simple_mtx_lock(&shader->lock);
   if (!shader->stippled) {
      struct tgsi_token *tokens =
         util_pstipple_create_fragment_shader(shader->tokens, NULL, STIPPLE_UNIT, TGSI_FILE_INPUT);
      struct pipe_shader_state state = {.type = PIPE_SHADER_IR_TGSI, .tokens = tokens};

      if (tokens) {
         shader->stippled = tgsiamd_create_shader(ctx, TGSIAMD_PS, &state);
         tgsi_free_tokens(tokens);
      }
   }
   simple_mtx_unlock(&shader->lock);
   return shader->stippled;
}

struct tgsiamd_shader *
tgsiamd_stipple_shader(struct tgsiamd_context *ctx)
{
   struct tgsiamd_stage_state *ps = &ctx->stage[TGSIAMD_PS];
   struct tgsiamd_shader *shader;

   if (!ctx->rs->state.poly_stipple_enable || !ctx->stipple_view || !ctx->stipple_sampler ||
       u_reduced_prim(ctx->rast_prim) != PIPE_PRIM_TRIANGLES)
      return ctx->ps;
   shader = stippled(ctx, ctx->ps);
   if (!shader)
      return ctx->ps;
   if (ps->views[STIPPLE_UNIT] != ctx->stipple_view) {
      pipe_sampler_view_reference(&ps->views[STIPPLE_UNIT], ctx->stipple_view);
      ps->dirty_lists |= 1u << LIST_TEXTURES;
   }
   if (ps->samplers[STIPPLE_UNIT] != ctx->stipple_sampler) {
      ps->samplers[STIPPLE_UNIT] = ctx->stipple_sampler;
      ps->dirty_lists |= 1u << LIST_TEXTURES;
   }
   return shader;
}
