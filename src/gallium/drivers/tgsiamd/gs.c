/* SPDX-License-Identifier: MIT */
/* Geometry shaders: programs of vertex and geometry shader together, and the
 * ring that emitted vertices pass through on their way to the copy shader. */
#include "context.h"

#include "util/u_math.h"
#include "util/u_memory.h"

/* Waves that may write to the ring at once: 32 a shader engine, and as many
 * whose vertices still wait for the copy shader. */
#define WAVES_PER_SE 64
#define MAX_RING_PER_SE (63u << 20)

static bool
program(struct tgsiamd_context *ctx, struct tgsiamd_shader *gs, struct tgsiamd_shader *vs,
        struct tgsiamd_variant *v)
{
   struct tgsiamd_shader_binary *bin[2];

   if (!tgsiamd_compile_gs(ctx->screen->gfx, vs->tokens, gs->tokens, &v->key, ctx->screen->compile_options, bin))
      return false;
   tgsiamd_variant_take(ctx, gs, v, bin[0], false);
   tgsiamd_variant_take(ctx, gs, v->copy, bin[1], true);
   return true;
}

struct tgsiamd_variant *
tgsiamd_get_gs_variant(struct tgsiamd_context *ctx, struct tgsiamd_shader *gs, struct tgsiamd_shader *vs,
                       const struct tgsiamd_key *key)
{
   struct tgsiamd_variant *v;

   simple_mtx_lock(&gs->lock);
   for (v = gs->variants; v; v = v->next) {
      if (v->vs_id == vs->id && !memcmp(&v->key, key, sizeof(*key)))
         goto out;
   }
   v = CALLOC_STRUCT(tgsiamd_variant);
   if (v)
      v->copy = CALLOC_STRUCT(tgsiamd_variant);
   if (!v || !v->copy)
      goto fail;
   v->key = v->copy->key = *key;
   v->vs_id = vs->id;
   if (!program(ctx, gs, vs, v))
      goto fail;
   v->next = gs->variants;
   gs->variants = v;
out:
   simple_mtx_unlock(&gs->lock);
   return v;
fail:
   if (v)
      FREE(v->copy);
   FREE(v);
   simple_mtx_unlock(&gs->lock);
   return NULL;
}

bool
tgsiamd_update_gs_ring(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_shader_info *info;
   unsigned num_se = MAX2(ctx->screen->info->max_se, 1);
   unsigned dwords = 0;
   uint64_t size;
   struct tgsiamd_bo *bo;

   if (!ctx->gs_variant)
      return true;
   info = &ctx->gs_variant->info;
   for (unsigned s = 0; s < 4; s++)
      dwords += info->gs_vertex_dwords[s];
   size = (uint64_t)dwords * info->gs_max_vertices * 4 * 64 * WAVES_PER_SE * num_se;
   size = MIN2(align64(MAX2(size, 1), 256 * num_se), (uint64_t)MAX_RING_PER_SE * num_se);
   if (size <= ctx->gsvs_ring_size)
      return true;
   bo = tgsiamd_bo_create(ctx->screen->dev, size, 4096, TGSIAMD_VRAM, 0);
   if (!bo)
      return false;
   /* Waves in flight keep the old one through the stream's reference. */
   tgsiamd_bo_reference(&ctx->gsvs_ring, NULL);
   ctx->gsvs_ring = bo;
   ctx->gsvs_ring_size = size;
   ctx->dirty |= DIRTY_GS_RING;
   ctx->stage[TGSIAMD_VS].dirty_lists |= 1u << LIST_INTERNAL;
   ctx->stage[TGSIAMD_GS].dirty_lists |= 1u << LIST_INTERNAL;
   return true;
}
