/* SPDX-License-Identifier: MIT */
/* The context: bound state, what of it is dirty, and the open command stream. */
#ifndef TGSIAMD_CONTEXT_H
#define TGSIAMD_CONTEXT_H

#include "pipe/p_context.h"
#include "pipe/p_state.h"
#include "util/list.h"
#include "util/slab.h"
#include "util/u_blitter.h"
#include "util/u_dynarray.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include "pm4.h"
#include "packets.h"
#include "resource.h"
#include "screen.h"
#include "shader.h"
#include "state/state.h"

/* What changed since it was last emitted. Emit blocks name the bits that they
 * look at (emit/emit.c). */
#define DIRTY_BLEND        (1ull << 0)
#define DIRTY_BLEND_COLOR  (1ull << 1)
#define DIRTY_DSA          (1ull << 2)
#define DIRTY_STENCIL_REF  (1ull << 3)
#define DIRTY_RASTERIZER   (1ull << 4)
#define DIRTY_FRAMEBUFFER  (1ull << 5)
#define DIRTY_VIEWPORT     (1ull << 6)
#define DIRTY_SCISSOR      (1ull << 7)
#define DIRTY_SAMPLE_MASK  (1ull << 8)
#define DIRTY_VS           (1ull << 9)  /* the bound shader */
#define DIRTY_PS           (1ull << 10)
#define DIRTY_VS_VARIANT   (1ull << 11) /* the machine code in use */
#define DIRTY_PS_VARIANT   (1ull << 12)
#define DIRTY_VERTEX       (1ull << 13) /* elements or buffers */
#define DIRTY_PRIM         (1ull << 14) /* kind of primitive that is rasterised */
#define DIRTY_QUERY        (1ull << 15) /* occlusion counting starts or stops */
#define DIRTY_SCRATCH      (1ull << 16)
#define DIRTY_CLIP         (1ull << 17)
#define DIRTY_STREAMOUT    (1ull << 18) /* targets, or whether they are active */
#define DIRTY_GS           (1ull << 19) /* the bound shader */
#define DIRTY_GS_RING      (1ull << 20)
#define DIRTY_ALL          ((1ull << 21) - 1)

/* Cache operations, done before the next draw, copy or at the end of a stream. */
#define BARRIER_FLUSH_CB   (1u << 0) /* colour caches to L2 */
#define BARRIER_FLUSH_DB   (1u << 1)
#define BARRIER_INV_L1     (1u << 2) /* vector caches */
#define BARRIER_INV_SCALAR (1u << 3)
#define BARRIER_INV_INST   (1u << 4)
#define BARRIER_INV_L2     (1u << 5) /* written back as well */
#define BARRIER_WB_L2      (1u << 6)
#define BARRIER_VS_DONE    (1u << 7) /* earlier waves have finished */
#define BARRIER_PS_DONE    (1u << 8)
#define BARRIER_PFP        (1u << 9) /* the front end must not run ahead */
#define BARRIER_CS_DONE    (1u << 10)
#define BARRIER_WAVES_DONE (BARRIER_VS_DONE | BARRIER_PS_DONE | BARRIER_CS_DONE)

enum tgsiamd_list { LIST_BUFFERS, LIST_TEXTURES, LIST_IMAGES, LIST_INTERNAL, LIST_COUNT };

#define MAX_VIEWPORTS 16

#define NUM_STAGES (TGSIAMD_GS + 1) /* VS, PS, CS, GS in the order of enum tgsiamd_stage */

/* Bindings of one shader stage. */
struct tgsiamd_stage_state {
   struct pipe_constant_buffer consts[TGSIAMD_MAX_CONST_BUFFERS];
   struct tgsiamd_sampler *samplers[TGSIAMD_MAX_SAMPLERS];
   struct pipe_sampler_view *views[TGSIAMD_MAX_SAMPLERS];
   unsigned num_views;
   struct pipe_shader_buffer buffers[TGSIAMD_MAX_SHADER_BUFFERS];
   struct pipe_image_view images[TGSIAMD_MAX_IMAGES];
   uint32_t dirty_lists;            /* bit: enum tgsiamd_list */
   uint64_t list_va[LIST_COUNT];    /* as uploaded */
   uint32_t const0[4];              /* V# of constant buffer 0 */
};

/* A handle that shaders of a context may use (bindless.c). */
struct tgsiamd_resident {
   struct tgsiamd_bindless *b;
   bool writes;
};

/* A ring of scratch memory, a place for each wave that uses any. */
struct tgsiamd_scratch {
   struct tgsiamd_bo *bo;
   uint32_t wave_bytes, waves;
   uint32_t missing;                /* bytes of a wave for which there was no memory: that was said */
};

struct tgsiamd_context {
   struct pipe_context base;
   struct tgsiamd_screen *screen;
   struct tgsiamd_stream *stream;
   struct tgsiamd_cs cs;
   struct blitter_context *blitters[2]; /* u_blitter clears while it blits stencil */
   unsigned blit_depth;
   struct slab_child_pool transfer_pool;
   struct u_upload_mgr *desc_uploader;
   struct util_debug_callback debug;
   bool lost;
   bool has_draws, has_grids;       /* since the stream began */
   bool cb_dirty, db_dirty;         /* drawn to since the last flush of the caches */

   uint64_t dirty;
   uint32_t barriers;

   /* state objects and parameters */
   struct tgsiamd_blend *blend;
   struct tgsiamd_dsa *dsa;
   struct tgsiamd_rasterizer *rs;
   struct tgsiamd_vertex_elements *velems;
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_clip_state clip;
   struct pipe_framebuffer_state fb;
   struct pipe_viewport_state viewport[MAX_VIEWPORTS];
   struct pipe_scissor_state scissor[MAX_VIEWPORTS];
   struct pipe_scissor_state window_rects[TGSIAMD_MAX_WINDOW_RECTS];
   unsigned num_window_rects;
   bool window_rects_include;       /* draw inside of them, or outside */
   struct pipe_resource *stipple_texture;
   struct pipe_sampler_view *stipple_view;
   void *stipple_sampler;
   uint32_t sample_mask;
   unsigned min_samples;            /* pixel shader invocations a pixel at least */
   struct pipe_vertex_buffer vbufs[PIPE_MAX_ATTRIBS];
   uint32_t vbuf_mask;
   struct tgsiamd_stage_state stage[NUM_STAGES];
   uint64_t vertex_list_va;
   uint32_t vertex_desc[TGSIAMD_NUM_VERTEX_IN_SGPRS][4]; /* the first of them */

   /* shaders */
   struct tgsiamd_shader *vs, *gs, *ps;
   /* vs_variant is what the hardware's vertex stage runs: with a geometry shader
    * its copy shader. gs_variant: vertex and geometry shader, NULL without. */
   struct tgsiamd_variant *vs_variant, *gs_variant, *ps_variant;
   struct tgsiamd_bo *gsvs_ring;    /* what geometry shaders emit */
   uint64_t gsvs_ring_size;
   struct tgsiamd_shader *compute;
   struct tgsiamd_variant *cs_variant;
   struct util_dynarray globals;    /* struct pipe_resource *, by set_global_binding */
   uint64_t global_base;            /* address of the window that their addresses count in */
   struct pipe_resource *cs_input;  /* arguments of the dispatch */
   unsigned cs_input_offset;
   struct tgsiamd_scratch scratch, cs_scratch; /* grids may run beside draws */

   /* transform feedback */
   struct pipe_shader_buffer hw_atomics[TGSIAMD_MAX_HW_ATOMIC_BUFFERS]; /* of all stages */
   struct pipe_stream_output_target *so_targets[PIPE_MAX_SO_BUFFERS];
   unsigned num_so_targets;
   bool so_active;                  /* the VGT counts */
   unsigned num_so_queries;

   /* the draw */
   enum pipe_prim_type rast_prim;
   bool indexed;
   bool strip_adj;                  /* a triangle strip with adjacency */
   uint32_t last_num_instances;     /* ~0: unknown */

   struct util_dynarray resident;   /* struct tgsiamd_resident */
   bool resident_listed;            /* on the submission's list */

   struct tgsiamd_bo *fence_bo;     /* scratch memory of end-of-pipe events */
   uint32_t fence_value;

   /* queries */
   struct list_head active_queries;
   uint32_t num_occlusion, num_precise_occlusion;
   struct pipe_query *render_cond;
   bool render_cond_inverted;
   enum pipe_render_cond_flag render_cond_mode;
};

static inline struct tgsiamd_context *
tgsiamd_context(struct pipe_context *ctx)
{
   return (struct tgsiamd_context *)ctx;
}

/* The bindings of a stage, NULL for stages that do not exist here. */
static inline struct tgsiamd_stage_state *
tgsiamd_stage_state(struct tgsiamd_context *ctx, enum pipe_shader_type shader)
{
   switch (shader) {
   case PIPE_SHADER_VERTEX:
      return &ctx->stage[TGSIAMD_VS];
   case PIPE_SHADER_GEOMETRY:
      return &ctx->stage[TGSIAMD_GS];
   case PIPE_SHADER_FRAGMENT:
      return &ctx->stage[TGSIAMD_PS];
   case PIPE_SHADER_COMPUTE:
      return &ctx->stage[TGSIAMD_CS];
   default:
      return NULL;
   }
}

/* context.c */
struct pipe_context *tgsiamd_context_create(struct pipe_screen *screen, void *priv, unsigned flags);
/* Submits the stream and starts a new one. */
void tgsiamd_flush(struct tgsiamd_context *ctx, struct tgsiamd_fence **fence, const char *why);
/* Room for `dwords`; false when there is no memory (the work is dropped). */
bool tgsiamd_reserve(struct tgsiamd_context *ctx, uint32_t dwords);
/* Puts the resource on the submission's list. */
static inline void
tgsiamd_use(struct tgsiamd_context *ctx, struct tgsiamd_resource *res, uint32_t usage)
{
   tgsiamd_stream_use(ctx->stream, res->bo, usage);
}

/* Viewports that the last vertex stage can choose from. */
static inline unsigned
tgsiamd_num_viewports(const struct tgsiamd_context *ctx)
{
   return ctx->vs_variant->info.writes_viewport ? MAX_VIEWPORTS : 1;
}

/* draw.c */
void tgsiamd_init_draw(struct tgsiamd_context *ctx);
/* scratch.c */
/* Makes the ring large enough for waves of `bytes`; false without memory, which is reported. */
bool tgsiamd_update_scratch(struct tgsiamd_context *ctx, struct tgsiamd_scratch *ring, uint32_t bytes);
/* gs.c */
/* Makes the GSVS ring large enough; false without memory. */
bool tgsiamd_update_gs_ring(struct tgsiamd_context *ctx);
/* blit.c */
void tgsiamd_init_blit(struct tgsiamd_context *ctx);
/* Saves the state that a u_blitter operation changes. It restores only what it
 * changed, and a saved thing that is not restored leaks: be exact. */
#define BLIT_TEXTURES    (1u << 0)
#define BLIT_FRAMEBUFFER (1u << 1)
#define BLIT_CONSTANTS   (1u << 2)
#define BLIT_NO_COND     (1u << 3) /* not subject to conditional rendering */
struct blitter_context *tgsiamd_blitter_begin(struct tgsiamd_context *ctx, unsigned saves);
void tgsiamd_blitter_end(struct tgsiamd_context *ctx);
/* Copies through the 3D engine without regard to the formats' meaning. */
void tgsiamd_copy_region(struct pipe_context *pctx, struct pipe_resource *dst, unsigned dst_level,
                         unsigned dstx, unsigned dsty, unsigned dstz, struct pipe_resource *src,
                         unsigned src_level, const struct pipe_box *box);
/* bindless.c */
void tgsiamd_init_bindless(struct tgsiamd_context *ctx);
void tgsiamd_finish_bindless(struct tgsiamd_context *ctx);
/* Puts what resident handles point to on the submission's list. */
void tgsiamd_use_resident(struct tgsiamd_context *ctx);
/* compute.c */
void tgsiamd_init_compute(struct tgsiamd_context *ctx);
void tgsiamd_finish_compute(struct tgsiamd_context *ctx);
/* clear.c */
void tgsiamd_init_clear(struct tgsiamd_context *ctx);
/* query.c */
void tgsiamd_init_query(struct tgsiamd_context *ctx);
void tgsiamd_queries_suspend(struct tgsiamd_context *ctx);
void tgsiamd_queries_resume(struct tgsiamd_context *ctx);
/* False when conditional rendering says not to draw. */
bool tgsiamd_check_render_condition(struct tgsiamd_context *ctx);
/* fence.c */
void tgsiamd_init_context_fence(struct tgsiamd_context *ctx);
/* state/framebuffer.c */
/* Samples of the bound framebuffer, at least 1. */
unsigned tgsiamd_framebuffer_samples(const struct tgsiamd_context *ctx);
/* The pixel shader runs once for every sample: asked for, or it looks at one. */
bool tgsiamd_sample_shading(const struct tgsiamd_context *ctx);
/* TGSIAMD_FBFETCH_*: what pixel shaders that read the framebuffer find. */
unsigned tgsiamd_fbfetch_kind(const struct tgsiamd_context *ctx);
/* descriptors.c */
/* The T# of a view, or the V# of a buffer's behind 16 bytes of nothing. */
void tgsiamd_texture_words(const struct tgsiamd_sampler_view *view, uint32_t words[8]);
/* The same of an image; false when its format has no hardware form. */
bool tgsiamd_image_slot(struct tgsiamd_context *ctx, const struct pipe_image_view *image, uint32_t words[8]);
/* The register of the vertex shader's first user SGPR: it may run in the merged ES-GS stage. */
uint32_t tgsiamd_vs_user_data(const struct tgsiamd_context *ctx);
/* Uploads the dirty descriptor lists; false without memory. */
bool tgsiamd_update_descriptors(struct tgsiamd_context *ctx);
/* The same for a dispatch. */
bool tgsiamd_update_compute_descriptors(struct tgsiamd_context *ctx);
/* Marks everything that may refer to the memory of `res`. */
void tgsiamd_rebind_resource(struct tgsiamd_context *ctx, struct tgsiamd_resource *res);
void tgsiamd_use_bound_resources(struct tgsiamd_context *ctx);

/* emit/: cache.c */
/* Asks for cache operations; `why` is printed with TGSIAMD_DEBUG=flush. */
void tgsiamd_barrier(struct tgsiamd_context *ctx, uint32_t barriers, const char *why);
/* What was rendered and may still be in the caches is going to be read by shaders. */
void tgsiamd_render_barrier(struct tgsiamd_context *ctx, const char *why);
#define BARRIER_DWORDS 80
void tgsiamd_emit_barriers(struct tgsiamd_context *ctx);
/* emit/: start.c */
void tgsiamd_emit_start(struct tgsiamd_context *ctx);
/* emit/: emit.c */
#define STATE_DWORDS 1400
void tgsiamd_emit_state(struct tgsiamd_context *ctx);

#endif
