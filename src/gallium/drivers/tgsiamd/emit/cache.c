/* SPDX-License-Identifier: MIT */
/* Cache flushes and waits (GFX9). ACQUIRE_MEM does not wait for the pipeline
 * there: colour and depth caches are flushed by an end-of-pipe event that
 * writes a number to memory, which the CP then waits for. */
#include "context.h"
#include "emit.h"

#include "util/format/u_format.h"
#include "sid.h"
#include "amdgfxregs.h"

static void
print(uint32_t barriers, const char *why)
{
   static const char *const names[] = {"cb", "db", "l1", "scalar", "inst", "l2", "wb-l2", "vs-done",
                                       "ps-done", "pfp", "cs-done"};
   char text[128] = "";

   for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
      if (barriers & (1u << i)) {
         strcat(text, " ");
         strcat(text, names[i]);
      }
   }
   tgsiamd_error("barrier:%s (%s)", text, why);
}

void
tgsiamd_barrier(struct tgsiamd_context *ctx, uint32_t barriers, const char *why)
{
   if ((ctx->screen->debug & DBG_FLUSH) && (barriers & ~ctx->barriers))
      print(barriers, why);
   ctx->barriers |= barriers;
}

/* On GFX9 the colour and depth blocks put single-sampled colour and depth where
 * shaders look for it in L2, but not multisampled images and stencil. */
void
tgsiamd_render_barrier(struct tgsiamd_context *ctx, const char *why)
{
   const struct pipe_surface *zs = ctx->fb.zsbuf;
   uint32_t barriers = BARRIER_INV_L1;

   if (ctx->cb_dirty)
      barriers |= BARRIER_FLUSH_CB;
   if (ctx->db_dirty)
      barriers |= BARRIER_FLUSH_DB;
   if (tgsiamd_framebuffer_samples(ctx) > 1 ||
       (ctx->db_dirty && zs && util_format_has_stencil(util_format_description(zs->format))))
      barriers |= BARRIER_INV_L2;
   if (ctx->cb_dirty || ctx->db_dirty)
      tgsiamd_barrier(ctx, barriers, why);
}

/* Flushes CB and/or DB into L2 (and L2 as asked), and waits for it. */
static void
flush_render_caches(struct tgsiamd_context *ctx, uint32_t barriers)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   bool cb = barriers & BARRIER_FLUSH_CB, db = barriers & BARRIER_FLUSH_DB;
   uint64_t va = ctx->fence_bo->va;
   uint32_t event, tc_flags = 0;

   if (cb)
      pkt_event_write(cs, V_028A90_FLUSH_AND_INV_CB_META, 0);
   if (db)
      pkt_event_write(cs, V_028A90_FLUSH_AND_INV_DB_META, 0);
   event = cb && db ? V_028A90_CACHE_FLUSH_AND_INV_TS_EVENT
           : cb     ? V_028A90_FLUSH_AND_INV_CB_DATA_TS
                    : V_028A90_FLUSH_AND_INV_DB_DATA_TS;
   if (barriers & BARRIER_INV_L2)
      tc_flags = EVENT_TC_ACTION_ENA | EVENT_TC_WB_ACTION_ENA;
   /* A ZPASS_DONE must come before end-of-pipe events on GFX9, or they may hang. */
   pkt_event_write_data(cs, V_028A90_ZPASS_DONE, 1, va + 16);
   ctx->fence_value++;
   pkt_release_mem(cs, event, tc_flags, EOP_DATA_SEL_VALUE_32BIT, va, ctx->fence_value);
   pkt_wait_reg_mem(cs, va, ctx->fence_value, 0xffffffff, WAIT_REG_MEM_EQUAL);
   tgsiamd_stream_use(ctx->stream, ctx->fence_bo, TGSIAMD_WRITE);
   if (cb)
      ctx->cb_dirty = false;
   if (db)
      ctx->db_dirty = false;
}

void
tgsiamd_emit_barriers(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t b = ctx->barriers;
   uint32_t coher = 0;

   if (!b)
      return;
   ctx->barriers = 0;
   cs_begin(cs, BARRIER_DWORDS);
   if ((b & BARRIER_CS_DONE) && ctx->has_grids)
      pkt_event_write(cs, V_028A90_CS_PARTIAL_FLUSH, 4);
   if (b & (BARRIER_FLUSH_CB | BARRIER_FLUSH_DB)) {
      flush_render_caches(ctx, b);
      if (b & BARRIER_INV_L2)
         b &= ~(BARRIER_INV_L2 | BARRIER_WB_L2);
   } else if (ctx->has_draws) {
      if (b & BARRIER_PS_DONE)
         pkt_event_write(cs, V_028A90_PS_PARTIAL_FLUSH, 4);
      else if (b & BARRIER_VS_DONE)
         pkt_event_write(cs, V_028A90_VS_PARTIAL_FLUSH, 4);
   }

   if (b & BARRIER_INV_INST)
      coher |= S_0085F0_SH_ICACHE_ACTION_ENA(1);
   if (b & BARRIER_INV_SCALAR)
      coher |= S_0085F0_SH_KCACHE_ACTION_ENA(1);
   if (b & BARRIER_INV_L2) {
      pkt_acquire_mem(cs, coher | S_0085F0_TC_ACTION_ENA(1) | S_0085F0_TCL1_ACTION_ENA(1) |
                             S_0301F0_TC_WB_ACTION_ENA(1));
      coher = 0;
   } else {
      /* L1 invalidation and L2 write-back do not go together. */
      if (b & BARRIER_WB_L2) {
         pkt_acquire_mem(cs, coher | S_0301F0_TC_WB_ACTION_ENA(1) | S_0301F0_TC_NC_ACTION_ENA(1));
         coher = 0;
      }
      if (b & BARRIER_INV_L1) {
         pkt_acquire_mem(cs, coher | S_0085F0_TCL1_ACTION_ENA(1));
         coher = 0;
      }
   }
   if (coher)
      pkt_acquire_mem(cs, coher);
   if (b & BARRIER_PFP)
      pkt_pfp_sync_me(cs);
   cs_end(cs);
}
