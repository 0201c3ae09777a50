/* SPDX-License-Identifier: MIT */
/* Transform feedback. The shader stores by itself (the compiler's
 * lower_streamout.c); the VGT counts how far each buffer is filled. The count is
 * loaded when streamout begins and stored when it ends, which also happens
 * around every submission: the VGT's counters do not survive it. */
#include "context.h"
#include "streamout.h"

#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_range.h"
#include "amdgfxregs.h"
#include "sid.h"

static struct pipe_stream_output_target *
create_target(struct pipe_context *pctx, struct pipe_resource *buffer, unsigned offset, unsigned size)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_so_target *t = CALLOC_STRUCT(tgsiamd_so_target);

   if (!t)
      return NULL;
   t->filled = tgsiamd_bo_create(ctx->screen->dev, 4, 4, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   if (!t->filled) {
      FREE(t);
      return NULL;
   }
   pipe_reference_init(&t->base.reference, 1);
   t->base.context = pctx;
   pipe_resource_reference(&t->base.buffer, buffer);
   t->base.buffer_offset = offset;
   t->base.buffer_size = size;
   util_range_add(buffer, &tgsiamd_resource(buffer)->valid_range, offset, offset + size);
   return &t->base;
}

static void
destroy_target(struct pipe_context *pctx, struct pipe_stream_output_target *target)
{
   struct tgsiamd_so_target *t = (struct tgsiamd_so_target *)target;

   pipe_resource_reference(&t->base.buffer, NULL);
   tgsiamd_bo_reference(&t->filled, NULL);
   FREE(t);
}

static void
set_targets(struct pipe_context *pctx, unsigned count, struct pipe_stream_output_target **targets,
            const unsigned *offsets)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->so_active && tgsiamd_reserve(ctx, STREAMOUT_DWORDS)) {
      tgsiamd_streamout_end(ctx);
      tgsiamd_barrier(ctx, BARRIER_VS_DONE | BARRIER_INV_L1 | BARRIER_INV_SCALAR | BARRIER_WB_L2 | BARRIER_PFP,
                      "streamout buffers unbound");
   }
   if (count)
      tgsiamd_barrier(ctx, BARRIER_WAVES_DONE, "earlier shaders may read the streamout buffers");
   for (unsigned i = 0; i < PIPE_MAX_SO_BUFFERS; i++) {
      pipe_so_target_reference(&ctx->so_targets[i], i < count ? targets[i] : NULL);
      if (i < count && targets[i] && offsets[i] != ~0u)
         ((struct tgsiamd_so_target *)targets[i])->filled_valid = false;
   }
   ctx->num_so_targets = count;
   ctx->dirty |= DIRTY_STREAMOUT;
   for (unsigned s = 0; s < NUM_STAGES; s++)
      ctx->stage[s].dirty_lists |= 1u << LIST_INTERNAL;
}

void
tgsiamd_streamout_key(const struct tgsiamd_shader *shader, struct tgsiamd_streamout *so)
{
   const struct pipe_stream_output_info *info = &shader->so;

   for (unsigned i = 0; i < 4; i++)
      so->stride[i] = info->stride[i];
   for (unsigned i = 0; i < info->num_outputs; i++) {
      const struct pipe_stream_output *o = &info->output[i];

      so->outputs[i] = (struct tgsiamd_so_output){
         .semantic = shader->scan.output_semantic_name[o->register_index],
         .index = shader->scan.output_semantic_index[o->register_index],
         .start = o->start_component,
         .num = o->num_components,
         .buffer = o->output_buffer,
         .stream = o->stream,
         .offset = o->dst_offset,
      };
      so->buffers |= 1u << o->output_buffer;
   }
   so->num_outputs = info->num_outputs;
}

/* Waits until the VGT has written its counters back; up to 12 dwords. */
static void
flush_vgt(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;

   shadow_forget(&cs->shadow, R_0300FC_CP_STRMOUT_CNTL);
   cs_set_reg(cs, R_0300FC_CP_STRMOUT_CNTL, 0);
   shadow_forget(&cs->shadow, R_0300FC_CP_STRMOUT_CNTL);
   pkt_event_write(cs, V_028A90_SO_VGTSTREAMOUT_FLUSH, 0);
   pkt_wait_reg(cs, R_0300FC_CP_STRMOUT_CNTL, S_0084FC_OFFSET_UPDATE_DONE(1), S_0084FC_OFFSET_UPDATE_DONE(1),
                WAIT_REG_MEM_EQUAL);
}

/* The buffers of each stream; only buffers that are bound count. */
static uint32_t
buffer_config(const struct tgsiamd_context *ctx, const struct tgsiamd_streamout *so)
{
   uint32_t config = 0;

   for (unsigned i = 0; i < so->num_outputs; i++) {
      const struct tgsiamd_so_output *o = &so->outputs[i];
      if (ctx->so_targets[o->buffer])
         config |= 1u << (o->stream * 4 + o->buffer);
   }
   return config;
}

void
tgsiamd_streamout_begin(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_streamout *so = &ctx->vs_variant->key.vs.so;
   struct tgsiamd_cs *cs = &ctx->cs;
   bool on = ctx->num_so_targets && so->num_outputs;

   if (on && ctx->so_active)
      return;
   if (!on && ctx->so_active)
      tgsiamd_streamout_end(ctx);

   cs_begin(cs, STREAMOUT_DWORDS);
   /* Counting primitives works without buffers as well. */
   uint32_t streams = on || ctx->num_so_queries;
   for (unsigned i = 1; i < 4 && streams && ctx->gs_variant; i++)
      streams |= (ctx->gs_variant->info.gs_vertex_dwords[i] > 0) << i;
   cs_set_reg(cs, R_028B94_VGT_STRMOUT_CONFIG, streams); /* STREAMOUT_0_EN.. */
   cs_set_reg(cs, R_028B98_VGT_STRMOUT_BUFFER_CONFIG, on ? buffer_config(ctx, so) : 0);
   if (on) {
      flush_vgt(ctx);
      for (unsigned i = 0; i < ctx->num_so_targets; i++) {
         struct tgsiamd_so_target *t = (struct tgsiamd_so_target *)ctx->so_targets[i];
         if (!t)
            continue;
         uint32_t size[2] = {(t->base.buffer_offset + t->base.buffer_size) / 4, so->stride[i]};
         t->stride = so->stride[i];
         cs_set_regs(cs, R_028AD0_VGT_STRMOUT_BUFFER_SIZE_0 + 16 * i, 2, size);
         pkt_strmout_load(cs, i, t->filled_valid ? t->filled->va : 0, t->base.buffer_offset / 4);
         tgsiamd_stream_use(ctx->stream, t->filled, TGSIAMD_READ | TGSIAMD_WRITE);
         tgsiamd_use(ctx, tgsiamd_resource(t->base.buffer), TGSIAMD_READ | TGSIAMD_WRITE);
      }
      ctx->so_active = true;
   }
   cs_end(cs);
}

void
tgsiamd_streamout_end(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;

   if (!ctx->so_active)
      return;
   cs_begin(cs, STREAMOUT_DWORDS);
   flush_vgt(ctx);
   for (unsigned i = 0; i < ctx->num_so_targets; i++) {
      struct tgsiamd_so_target *t = (struct tgsiamd_so_target *)ctx->so_targets[i];
      if (!t)
         continue;
      pkt_strmout_store(cs, i, t->filled->va);
      t->filled_valid = true;
      /* Primitives of later draws must not be counted as written. */
      cs_set_reg(cs, R_028AD0_VGT_STRMOUT_BUFFER_SIZE_0 + 16 * i, 0);
   }
   cs_end(cs);
   ctx->so_active = false;
   ctx->dirty |= DIRTY_STREAMOUT;
}

void
tgsiamd_init_streamout(struct tgsiamd_context *ctx)
{
   ctx->base.create_stream_output_target = create_target;
   ctx->base.stream_output_target_destroy = destroy_target;
   ctx->base.set_stream_output_targets = set_targets;
}
