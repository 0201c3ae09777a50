/* SPDX-License-Identifier: MIT */
/* Framebuffer, viewport, scissor, sample mask. */
#include "context.h"

#include "util/u_framebuffer.h"
#include "util/u_resource.h"

static void
set_framebuffer_state(struct pipe_context *pctx, const struct pipe_framebuffer_state *fb)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (util_framebuffer_state_equal(&ctx->fb, fb))
      return;
   /* What was drawn may be sampled from now on. */
   tgsiamd_render_barrier(ctx, "framebuffer unbound");
   /* What compute shaders read or wrote may be drawn to. */
   tgsiamd_barrier(ctx, BARRIER_CS_DONE, "framebuffer bound");
   util_copy_framebuffer_state(&ctx->fb, fb);
   ctx->dirty |= DIRTY_FRAMEBUFFER;
   ctx->stage[TGSIAMD_PS].dirty_lists |= 1u << LIST_INTERNAL; /* sample positions, colour buffers */
}

unsigned
tgsiamd_fbfetch_kind(const struct tgsiamd_context *ctx)
{
   unsigned kind = 0;

   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      const struct pipe_resource *res = ctx->fb.cbufs[i] ? ctx->fb.cbufs[i]->texture : NULL;

      if (res && res->nr_samples > 1)
         kind |= TGSIAMD_FBFETCH_MSAA;
      if (res && (res->target == PIPE_TEXTURE_3D || util_texture_is_array(res->target) ||
                  res->target == PIPE_TEXTURE_CUBE))
         kind |= TGSIAMD_FBFETCH_LAYERED;
   }
   return kind;
}

unsigned
tgsiamd_framebuffer_samples(const struct tgsiamd_context *ctx)
{
   return MAX2(util_framebuffer_get_num_samples(&ctx->fb), 1);
}

/* gl_SampleID and gl_SamplePosition make the shader run for every sample, as do
 * reads of the framebuffer. */
static bool
reads_sample(const struct tgsi_shader_info *scan)
{
   for (unsigned i = 0; i < scan->num_system_values; i++) {
      unsigned semantic = scan->system_value_semantic_name[i];
      if (semantic == TGSI_SEMANTIC_SAMPLEID || semantic == TGSI_SEMANTIC_SAMPLEPOS)
         return true;
   }
   return false;
}

bool
tgsiamd_sample_shading(const struct tgsiamd_context *ctx)
{
   const struct tgsi_shader_info *scan = &ctx->ps->scan;

   return tgsiamd_framebuffer_samples(ctx) > 1 && ctx->rs->state.multisample &&
          (ctx->min_samples > 1 || scan->uses_fbfetch || scan->uses_persp_sample || scan->uses_linear_sample ||
           reads_sample(scan));
}

static void
set_viewport_states(struct pipe_context *pctx, unsigned start, unsigned count,
                    const struct pipe_viewport_state *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   for (unsigned i = 0; i < count && start + i < MAX_VIEWPORTS; i++)
      ctx->viewport[start + i] = state[i];
   ctx->dirty |= DIRTY_VIEWPORT;
}

static void
set_scissor_states(struct pipe_context *pctx, unsigned start, unsigned count,
                   const struct pipe_scissor_state *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   for (unsigned i = 0; i < count && start + i < MAX_VIEWPORTS; i++)
      ctx->scissor[start + i] = state[i];
   ctx->dirty |= DIRTY_SCISSOR;
}

static void
set_window_rectangles(struct pipe_context *pctx, bool include, unsigned count, const struct pipe_scissor_state *rects)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   ctx->window_rects_include = include;
   ctx->num_window_rects = count;
   for (unsigned i = 0; i < count; i++)
      ctx->window_rects[i] = rects[i];
   ctx->dirty |= DIRTY_SCISSOR;
}

static void
set_sample_mask(struct pipe_context *pctx, unsigned mask)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   ctx->sample_mask = mask;
   ctx->dirty |= DIRTY_SAMPLE_MASK;
}

static void
set_min_samples(struct pipe_context *pctx, unsigned min_samples)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->min_samples == min_samples)
      return;
   ctx->min_samples = min_samples;
   /* The pixel shader's key says whether it runs once a sample. */
   ctx->dirty |= DIRTY_FRAMEBUFFER;
   ctx->stage[TGSIAMD_PS].dirty_lists |= 1u << LIST_INTERNAL; /* sample positions */
}

void
tgsiamd_init_state_framebuffer(struct tgsiamd_context *ctx)
{
   ctx->base.set_framebuffer_state = set_framebuffer_state;
   ctx->base.set_viewport_states = set_viewport_states;
   ctx->base.set_scissor_states = set_scissor_states;
   ctx->base.set_window_rectangles = set_window_rectangles;
   ctx->base.set_sample_mask = set_sample_mask;
   ctx->base.set_min_samples = set_min_samples;
   ctx->base.create_surface = tgsiamd_create_surface;
   ctx->base.surface_destroy = tgsiamd_surface_destroy;
}
