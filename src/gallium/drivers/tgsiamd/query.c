/* SPDX-License-Identifier: MIT */
/* Queries: occlusion counts (ZPASS_DONE), time (end-of-pipe timestamps), streamout and pipeline statistics, and
 * conditional rendering by their results.
 *
 * A query has slots of GPU memory; each stretch of a stream in which it is
 * active fills one, so that other processes' work between our submissions is
 * not counted. An occlusion slot has a pair of 64-bit counters (begin, end) per
 * render backend, bit 63 set when valid; a time slot has two timestamps. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "sid.h"
#include "amdgfxregs.h"

#define BUFFER_BYTES 32768
#define EVENT_DWORDS 24
#define VALID        (1ull << 63)

struct tgsiamd_query {
   unsigned type;
   unsigned stream, num_streams;   /* vertex streams of a streamout query */
   struct list_head link;          /* in ctx->active_queries */
   struct tgsiamd_bo *bo;
   uint64_t *map;
   unsigned slot_bytes, num_slots; /* slots in use, the open one included */
   uint64_t partial, partial_needed; /* sums of slots that were reused */
   uint64_t partial_stats[11];     /* by PIPE_STAT_QUERY_* */
   struct tgsiamd_fence *fence;    /* GPU_FINISHED */
};

static bool
is_occlusion(unsigned type)
{
   return type == PIPE_QUERY_OCCLUSION_COUNTER || type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

/* SAMPLE_STREAMOUTSTATS writes two counters: primitives that wanted room, and
 * primitives written. A slot has them at its begin and at its end, for each stream. */
enum { SO_NEEDED, SO_WRITTEN };

static bool
is_streamout(unsigned type)
{
   return type == PIPE_QUERY_PRIMITIVES_GENERATED || type == PIPE_QUERY_PRIMITIVES_EMITTED ||
          type == PIPE_QUERY_SO_STATISTICS || type == PIPE_QUERY_SO_OVERFLOW_PREDICATE ||
          type == PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE;
}

/* What SAMPLE_PIPELINESTAT writes, in its order, as Gallium numbers it. */
#define NUM_STATS 11
static const uint8_t statistics[NUM_STATS] = {
   PIPE_STAT_QUERY_PS_INVOCATIONS, PIPE_STAT_QUERY_C_PRIMITIVES,   PIPE_STAT_QUERY_C_INVOCATIONS,
   PIPE_STAT_QUERY_VS_INVOCATIONS, PIPE_STAT_QUERY_GS_INVOCATIONS, PIPE_STAT_QUERY_GS_PRIMITIVES,
   PIPE_STAT_QUERY_IA_PRIMITIVES,  PIPE_STAT_QUERY_IA_VERTICES,    PIPE_STAT_QUERY_HS_INVOCATIONS,
   PIPE_STAT_QUERY_DS_INVOCATIONS, PIPE_STAT_QUERY_CS_INVOCATIONS,
};

/* Bytes of the values that one event writes: the second follows. */
static unsigned
sample_bytes(const struct tgsiamd_query *q)
{
   return q->type == PIPE_QUERY_PIPELINE_STATISTICS ? NUM_STATS * 8 : is_streamout(q->type) ? 16 : 8;
}

static void
reset(struct tgsiamd_context *ctx, struct tgsiamd_query *q)
{
   q->num_slots = 0;
   q->partial = q->partial_needed = 0;
   memset(q->partial_stats, 0, sizeof(q->partial_stats));
   memset(q->map, 0, BUFFER_BYTES);
   if (!is_occlusion(q->type))
      return;
   /* Render backends that are off never write: their counters are valid zeros. */
   for (unsigned slot = 0; slot < BUFFER_BYTES / q->slot_bytes; slot++) {
      for (unsigned rb = 0; rb < ctx->screen->num_rb; rb++) {
         uint64_t *pair = q->map + slot * q->slot_bytes / 8 + rb * 2;
         if (!(ctx->screen->info->enabled_rb_mask & (1u << rb)))
            pair[0] = pair[1] = VALID;
      }
   }
}

static struct pipe_query *
create_query(struct pipe_context *pctx, unsigned type, unsigned index)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_query *q;

   if (!is_occlusion(type) && !is_streamout(type) && type != PIPE_QUERY_PIPELINE_STATISTICS && type != PIPE_QUERY_TIMESTAMP && type != PIPE_QUERY_TIME_ELAPSED &&
       type != PIPE_QUERY_TIMESTAMP_DISJOINT && type != PIPE_QUERY_GPU_FINISHED)
      return NULL;
   q = CALLOC_STRUCT(tgsiamd_query);
   if (!q)
      return NULL;
   q->type = type;
   q->num_streams = type == PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE ? 4 : 1;
   q->stream = q->num_streams > 1 ? 0 : index;
   q->slot_bytes = is_occlusion(type) ? ctx->screen->num_rb * 16 : 2 * sample_bytes(q) * q->num_streams;
   q->bo = tgsiamd_bo_create(ctx->screen->dev, BUFFER_BYTES, 256, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   q->map = q->bo ? tgsiamd_bo_map(q->bo) : NULL;
   if (!q->map) {
      tgsiamd_bo_reference(&q->bo, NULL);
      FREE(q);
      return NULL;
   }
   list_inithead(&q->link);
   return (struct pipe_query *)q;
}

static void
destroy_query(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct tgsiamd_query *q = (struct tgsiamd_query *)pq;

   list_del(&q->link);
   tgsiamd_bo_reference(&q->bo, NULL);
   tgsiamd_fence_reference(&q->fence, NULL);
   FREE(q);
}

/* The first or second value of the newest slot. */
static void
emit_sample(struct tgsiamd_context *ctx, struct tgsiamd_query *q, bool second)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   uint64_t va = q->bo->va + (q->num_slots - 1) * q->slot_bytes + (second ? sample_bytes(q) : 0);

   if (!tgsiamd_reserve(ctx, EVENT_DWORDS))
      return;
   cs_begin(cs, EVENT_DWORDS);
   if (is_occlusion(q->type)) {
      pkt_event_write_data(cs, V_028A90_ZPASS_DONE, 1, va);
   } else if (is_streamout(q->type)) {
      static const uint8_t events[] = {V_028A90_SAMPLE_STREAMOUTSTATS, V_028A90_SAMPLE_STREAMOUTSTATS1,
                                       V_028A90_SAMPLE_STREAMOUTSTATS2, V_028A90_SAMPLE_STREAMOUTSTATS3};
      for (unsigned s = 0; s < q->num_streams; s++)
         pkt_event_write_data(cs, events[(q->stream + s) & 3], 3, va + 32 * s);
   } else if (q->type == PIPE_QUERY_PIPELINE_STATISTICS) {
      pkt_event_write(cs, V_028A90_PIPELINESTAT_START, 0);
      pkt_event_write_data(cs, V_028A90_SAMPLE_PIPELINESTAT, 2, va);
   } else {
      pkt_event_write_data(cs, V_028A90_ZPASS_DONE, 1, ctx->fence_bo->va + 16);
      pkt_release_mem(cs, V_028A90_BOTTOM_OF_PIPE_TS, 0, EOP_DATA_SEL_TIMESTAMP, va, 0);
   }
   cs_end(cs);
   tgsiamd_stream_use(ctx->stream, q->bo, TGSIAMD_WRITE);
}

static uint64_t
sum_slots(struct tgsiamd_context *ctx, const struct tgsiamd_query *q)
{
   uint64_t sum = 0;

   for (unsigned slot = 0; slot < q->num_slots; slot++) {
      const uint64_t *values = q->map + slot * q->slot_bytes / 8;

      if (!is_occlusion(q->type)) {
         sum += values[1] - values[0];
         continue;
      }
      for (unsigned rb = 0; rb < ctx->screen->num_rb; rb++) {
         uint64_t begin = values[rb * 2], end = values[rb * 2 + 1];
         if ((begin & VALID) && (end & VALID))
            sum += end - begin;
      }
   }
   return sum;
}

/* Sum of one of the streamout counters. */
static uint64_t
sum_streamout(const struct tgsiamd_query *q, unsigned counter)
{
   uint64_t sum = counter == SO_WRITTEN ? q->partial : q->partial_needed;

   for (unsigned i = 0; i < q->num_slots * q->num_streams; i++) {
      const uint64_t *values = q->map + i * 4;
      uint64_t begin = values[counter], end = values[2 + counter];
      if ((begin & VALID) && (end & VALID))
         sum += end - begin;
   }
   return sum;
}

static void
sum_statistics(const struct tgsiamd_query *q, uint64_t sums[NUM_STATS])
{
   memcpy(sums, q->partial_stats, sizeof(q->partial_stats));
   for (unsigned slot = 0; slot < q->num_slots; slot++) {
      const uint64_t *values = q->map + slot * q->slot_bytes / 8;
      for (unsigned i = 0; i < NUM_STATS; i++)
         sums[statistics[i]] += values[NUM_STATS + i] - values[i];
   }
}

static bool
finish(struct tgsiamd_context *ctx, struct tgsiamd_query *q, bool wait)
{
   if (tgsiamd_stream_references(ctx->stream, q->bo, TGSIAMD_READ | TGSIAMD_WRITE))
      tgsiamd_flush(ctx, NULL, "query result");
   return tgsiamd_bo_wait(q->bo, wait ? UINT64_MAX : 0, TGSIAMD_READ);
}

/* Adds finished slots to the partial sums, so that they can be used again. */
static void
fold_slots(struct tgsiamd_context *ctx, struct tgsiamd_query *q)
{
   uint64_t partial = is_streamout(q->type) ? sum_streamout(q, SO_WRITTEN) : q->partial + sum_slots(ctx, q);
   uint64_t needed = is_streamout(q->type) ? sum_streamout(q, SO_NEEDED) : 0;
   uint64_t stats[NUM_STATS] = {0};

   if (q->type == PIPE_QUERY_PIPELINE_STATISTICS)
      sum_statistics(q, stats);
   reset(ctx, q);
   memcpy(q->partial_stats, stats, sizeof(stats));
   q->partial = partial;
   q->partial_needed = needed;
}

static void
open_slot(struct tgsiamd_context *ctx, struct tgsiamd_query *q)
{
   if ((q->num_slots + 1) * q->slot_bytes > BUFFER_BYTES) {
      finish(ctx, q, true);
      fold_slots(ctx, q);
   }
   q->num_slots++;
   emit_sample(ctx, q, false);
}

static void
count_active(struct tgsiamd_context *ctx, const struct tgsiamd_query *q, int add)
{
   if (is_streamout(q->type)) {
      ctx->num_so_queries += add;
      ctx->dirty |= DIRTY_QUERY;
   }
   if (!is_occlusion(q->type))
      return;
   ctx->num_occlusion += add;
   if (q->type == PIPE_QUERY_OCCLUSION_COUNTER)
      ctx->num_precise_occlusion += add;
   ctx->dirty |= DIRTY_QUERY;
}

static bool
begin_query(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_query *q = (struct tgsiamd_query *)pq;

   if (q->type == PIPE_QUERY_TIMESTAMP || q->type == PIPE_QUERY_GPU_FINISHED ||
       q->type == PIPE_QUERY_TIMESTAMP_DISJOINT)
      return true;
   finish(ctx, q, true); /* its memory is written by the CPU below */
   reset(ctx, q);
   open_slot(ctx, q);
   list_addtail(&q->link, &ctx->active_queries);
   count_active(ctx, q, 1);
   return true;
}

static bool
end_query(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_query *q = (struct tgsiamd_query *)pq;

   switch (q->type) {
   case PIPE_QUERY_GPU_FINISHED:
      tgsiamd_flush(ctx, &q->fence, "GPU_FINISHED query");
      return true;
   case PIPE_QUERY_TIMESTAMP_DISJOINT:
      return true;
   case PIPE_QUERY_TIMESTAMP:
      finish(ctx, q, true);
      reset(ctx, q);
      q->num_slots = 1;
      emit_sample(ctx, q, true);
      return true;
   default:
      emit_sample(ctx, q, true);
      list_delinit(&q->link);
      count_active(ctx, q, -1);
      return true;
   }
}

static uint64_t
ticks_to_ns(const struct tgsiamd_context *ctx, uint64_t ticks)
{
   uint64_t khz = MAX2(ctx->screen->info->clock_crystal_freq, 1);

   return ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
}

static bool
get_query_result(struct pipe_context *pctx, struct pipe_query *pq, bool wait,
                 union pipe_query_result *result)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_query *q = (struct tgsiamd_query *)pq;

   switch (q->type) {
   case PIPE_QUERY_GPU_FINISHED:
      result->b = !q->fence || tgsiamd_fence_wait(q->fence, wait ? UINT64_MAX : 0);
      return result->b;
   case PIPE_QUERY_TIMESTAMP_DISJOINT:
      result->timestamp_disjoint.frequency = (uint64_t)ctx->screen->info->clock_crystal_freq * 1000;
      result->timestamp_disjoint.disjoint = false;
      return true;
   default:
      break;
   }
   if (!finish(ctx, q, wait))
      return false;
   switch (q->type) {
   case PIPE_QUERY_OCCLUSION_COUNTER:
      result->u64 = q->partial + sum_slots(ctx, q);
      break;
   case PIPE_QUERY_TIME_ELAPSED:
      result->u64 = ticks_to_ns(ctx, q->partial + sum_slots(ctx, q));
      break;
   case PIPE_QUERY_TIMESTAMP:
      result->u64 = ticks_to_ns(ctx, q->map[1]);
      break;
   case PIPE_QUERY_PRIMITIVES_EMITTED:
      result->u64 = sum_streamout(q, SO_WRITTEN);
      break;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
      result->u64 = sum_streamout(q, SO_NEEDED);
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS:
      sum_statistics(q, result->pipeline_statistics.counters);
      break;
   case PIPE_QUERY_SO_STATISTICS:
      result->so_statistics.num_primitives_written = sum_streamout(q, SO_WRITTEN);
      result->so_statistics.primitives_storage_needed = sum_streamout(q, SO_NEEDED);
      break;
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      result->b = sum_streamout(q, SO_NEEDED) != sum_streamout(q, SO_WRITTEN);
      break;
   default:
      result->b = q->partial + sum_slots(ctx, q) != 0;
      break;
   }
   return true;
}

static void
set_active_query_state(struct pipe_context *pctx, bool enable)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   /* Internal draws are not counted. */
   list_for_each_entry(struct tgsiamd_query, q, &ctx->active_queries, link) {
      if (q->type == PIPE_QUERY_TIME_ELAPSED)
         continue;
      if (enable)
         open_slot(ctx, q);
      else
         emit_sample(ctx, q, true);
   }
}

static void
render_condition(struct pipe_context *pctx, struct pipe_query *query, bool condition,
                 enum pipe_render_cond_flag mode)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   ctx->render_cond = query;
   ctx->render_cond_inverted = condition;
   ctx->render_cond_mode = mode;
}

bool
tgsiamd_check_render_condition(struct tgsiamd_context *ctx)
{
   union pipe_query_result result = {0};
   bool wait = ctx->render_cond_mode == PIPE_RENDER_COND_WAIT ||
               ctx->render_cond_mode == PIPE_RENDER_COND_BY_REGION_WAIT;

   if (!ctx->render_cond)
      return true;
   if (!get_query_result(&ctx->base, ctx->render_cond, wait, &result))
      return true; /* not known yet: draw */
   /* A predicate fills only one byte. */
   return (result.u64 != 0) != ctx->render_cond_inverted;
}

void
tgsiamd_queries_suspend(struct tgsiamd_context *ctx)
{
   list_for_each_entry(struct tgsiamd_query, q, &ctx->active_queries, link)
      emit_sample(ctx, q, true);
}

void
tgsiamd_queries_resume(struct tgsiamd_context *ctx)
{
   list_for_each_entry(struct tgsiamd_query, q, &ctx->active_queries, link) {
      if ((q->num_slots + 1) * q->slot_bytes > BUFFER_BYTES) {
         /* The stream has just begun: everything before is submitted. */
         tgsiamd_bo_wait(q->bo, UINT64_MAX, TGSIAMD_READ);
         fold_slots(ctx, q);
      }
      q->num_slots++;
      emit_sample(ctx, q, false);
   }
}

void
tgsiamd_init_query(struct tgsiamd_context *ctx)
{
   list_inithead(&ctx->active_queries);
   ctx->base.create_query = create_query;
   ctx->base.destroy_query = destroy_query;
   ctx->base.begin_query = begin_query;
   ctx->base.end_query = end_query;
   ctx->base.get_query_result = get_query_result;
   ctx->base.set_active_query_state = set_active_query_state;
   ctx->base.render_condition = render_condition;
}
