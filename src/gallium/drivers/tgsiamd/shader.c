/* SPDX-License-Identifier: MIT */
/* Shaders and their compiled variants. */
#include "context.h"

#include <stdio.h>

#include "nir/nir_to_tgsi.h"
#include "tgsi/tgsi_dump.h"
#include "tgsi/tgsi_parse.h"
#include "util/u_atomic.h"
#include "util/u_debug.h"
#include "util/u_math.h"
#include "util/u_memory.h"

static uint32_t last_id;

void *
tgsiamd_create_shader(struct tgsiamd_context *ctx, enum tgsiamd_stage stage,
                      const struct pipe_shader_state *state)
{
   struct tgsiamd_shader *shader = CALLOC_STRUCT(tgsiamd_shader);

   if (!shader)
      return NULL;
   shader->stage = stage;
   shader->id = p_atomic_inc_return(&last_id);
   if (state->type == PIPE_SHADER_IR_NIR) {
      tgsiamd_prepare_nir(state->ir.nir);
      shader->tokens = nir_to_tgsi(state->ir.nir, ctx->base.screen);
   } else {
      shader->tokens = tgsi_dup_tokens(state->tokens);
   }
   if (!shader->tokens) {
      FREE(shader);
      return NULL;
   }
   tgsi_scan_shader(shader->tokens, &shader->scan);
   shader->so = state->stream_output;
   simple_mtx_init(&shader->lock, mtx_plain);
   return shader;
}

static void
delete_variant(struct tgsiamd_context *ctx, struct tgsiamd_variant *v)
{
   if (ctx->vs_variant == v)
      ctx->vs_variant = NULL;
   if (ctx->gs_variant == v)
      ctx->gs_variant = NULL;
   if (ctx->ps_variant == v)
      ctx->ps_variant = NULL;
   if (ctx->cs_variant == v)
      ctx->cs_variant = NULL;
   tgsiamd_bo_reference(&v->bo, NULL);
   FREE(v);
}

void
tgsiamd_delete_shader(struct tgsiamd_context *ctx, struct tgsiamd_shader *shader)
{
   if (shader->stippled)
      tgsiamd_delete_shader(ctx, shader->stippled);
   for (struct tgsiamd_variant *v = shader->variants, *next; v; v = next) {
      next = v->next;
      if (v->copy)
         delete_variant(ctx, v->copy);
      delete_variant(ctx, v);
   }
   simple_mtx_destroy(&shader->lock);
   tgsi_free_tokens(shader->tokens);
   FREE(shader);
}

static bool
upload(struct tgsiamd_context *ctx, struct tgsiamd_variant *v, const struct tgsiamd_shader_binary *bin)
{
   uint64_t size = (uint64_t)bin->code_dwords * 4;
   void *map;

   /* SPI_SHADER_PGM_LO counts in 256 bytes. */
   v->bo = tgsiamd_bo_create(ctx->screen->dev, size, 256, TGSIAMD_VRAM, TGSIAMD_BO_CPU_ACCESS);
   map = v->bo ? tgsiamd_bo_map(v->bo) : NULL;
   if (!map) {
      tgsiamd_bo_reference(&v->bo, NULL);
      return false;
   }
   memcpy(map, bin->code, size);
   return true;
}

#define LDS_BLOCK    512
#define LDS_PER_SIMD 16384

static unsigned
lds_blocks(const struct tgsiamd_shader *shader, const struct tgsiamd_shader_info *info)
{
   return DIV_ROUND_UP(MAX2(info->lds_bytes, shader->lds_bytes), LDS_BLOCK);
}

/* Waves that a SIMD can have by registers and, in compute groups, by LDS. */
static unsigned
max_waves(const struct tgsiamd_shader *shader, const struct tgsiamd_shader_binary *bin)
{
   const uint32_t *size = bin->info.block_size;
   const unsigned lds = lds_blocks(shader, &bin->info) * LDS_BLOCK;
   const unsigned threads = size[0] ? size[0] * size[1] * size[2] : 1024;

   if (shader->stage != TGSIAMD_CS || !lds)
      return bin->stats.max_waves;
   return CLAMP(LDS_PER_SIMD / DIV_ROUND_UP(lds, DIV_ROUND_UP(threads, 64)), 1, bin->stats.max_waves);
}

/* `copy`: the program is what the driver adds to a geometry shader. */
static void
report(struct tgsiamd_context *ctx, const struct tgsiamd_shader *shader,
       const struct tgsiamd_shader_binary *bin, bool copy)
{
   static const char *const names[] = {"vertex", "pixel", "compute", "geometry", "tess-control", "tess-eval"};
   static const char *const db_names[] = {"VS", "PS", "CS", "GS", "TCS", "TES"};
   const struct tgsiamd_shader_stats *s = &bin->stats;
   const char *name = copy ? "copy" : names[shader->stage];

   if (bin->dump)
      fputs(bin->dump, stderr);
   if (bin->times) {
      uint64_t ns = 0;
      for (unsigned i = 0; i < TGSIAMD_MAX_PASS_TIMES; i++)
         ns += bin->times[i].ns;
      tgsiamd_error("%s: compiled in %.1f us", name, ns / 1e3);
   }
   if (bin->error) {
      util_debug_message(&ctx->debug, ERROR, "%s shader %u cannot be compiled: %s", name, shader->id, bin->error);
      tgsiamd_error("%s shader %u cannot be compiled: %s", name, shader->id, bin->error);
      return;
   }
   if (ctx->screen->debug & DBG_STATS)
      tgsiamd_error("%s: %u inst, %u salu, %u valu, %u smem, %u vmem, %u exp, %u waits, "
                    "%u sgprs, %u vgprs, %u bytes, %u waves, %u+%u spills", name, s->instructions,
                    s->salu, s->valu, s->smem, s->vmem, s->exports, s->waits, bin->info.num_sgprs,
                    bin->info.num_vgprs, s->code_bytes, s->max_waves, s->sgpr_spills, s->vgpr_spills);
   /* The line that Mesa's shader-db looks for. Registers count as allocated, LDS in blocks.
    * There is one a stage, the application's program. */
   if (copy)
      return;
   util_debug_message(&ctx->debug, SHADER_INFO,
                      "Shader Stats: SGPRS: %u VGPRS: %u Code Size: %u LDS: %u Scratch: %u Max Waves: %u "
                      "Spilled SGPRs: %u Spilled VGPRs: %u PrivMem VGPRs: %u DivergentLoop: %u, InlineUniforms: 0, "
                      "ParamExports: %u, (%s, W64)", align(bin->info.num_sgprs, 8), align(bin->info.num_vgprs, 4),
                      s->code_bytes, lds_blocks(shader, &bin->info), bin->info.scratch_bytes_per_wave,
                      max_waves(shader, bin), s->sgpr_spills, s->vgpr_spills, s->private_dwords, s->divergent_loop,
                      bin->info.num_param_exports, db_names[shader->stage]);
}

void
tgsiamd_variant_take(struct tgsiamd_context *ctx, const struct tgsiamd_shader *shader,
                     struct tgsiamd_variant *v, struct tgsiamd_shader_binary *bin, bool copy)
{
   v->info = bin->info;
   report(ctx, shader, bin, copy);
   /* A variant that failed stays in the list without code: it is not tried again. */
   if (!bin->error && !upload(ctx, v, bin))
      tgsiamd_error("no memory for a shader");
   tgsiamd_shader_binary_free(bin);
}

struct tgsiamd_variant *
tgsiamd_get_variant(struct tgsiamd_context *ctx, struct tgsiamd_shader *shader,
                    const struct tgsiamd_key *key)
{
   struct tgsiamd_shader_binary *bin;
   struct tgsiamd_variant *v;

   simple_mtx_lock(&shader->lock);
   for (v = shader->variants; v; v = v->next) {
      if (!memcmp(&v->key, key, sizeof(*key)))
         goto out;
   }
   v = CALLOC_STRUCT(tgsiamd_variant);
   bin = v ? tgsiamd_compile(ctx->screen->gfx, shader->tokens, key, ctx->screen->compile_options) : NULL;
   if (!bin) {
      FREE(v);
      v = NULL;
      goto out;
   }
   v->key = *key;
   tgsiamd_variant_take(ctx, shader, v, bin, false);
   v->next = shader->variants;
   shader->variants = v;
out:
   simple_mtx_unlock(&shader->lock);
   return v;
}
