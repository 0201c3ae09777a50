/* SPDX-License-Identifier: MIT */
/* PM4 packets that order work: events, releases, acquires, waits. Work is
 * done in order, so a flush has nothing left to wait for; what events write
 * to memory (counts, timestamps, fences) is real. */
#include "cp_internal.h"

#include <errno.h>
#include <time.h>

#include "amdgfxregs.h"
#include "sid.h"

bool cp_compare(unsigned function, uint32_t value, uint32_t ref)
{
   switch (function) {
   case 0: return true;
   case 1: return value < ref;
   case 2: return value <= ref;
   case 3: return value == ref;
   case 4: return value != ref;
   case 5: return value >= ref;
   case 6: return value > ref;
   default: return false;
   }
}

/* --- events --- */

/* Occlusion counts: 64 bits per render backend, 16 bytes apart, bit 63 set. */
static void write_zpass(struct cp *cp, uint64_t va)
{
   cache_write_bytes(cp->env->cache, CACHE_EVENT, va, 16 * cp->config.num_rb);
   for (unsigned rb = 0; rb < cp->config.num_rb; rb++) {
      const uint64_t n = cp->config.pipeline ? pipeline_zpass_count(cp->config.pipeline, rb) : 0;
      const uint64_t v = n | 1ull << 63;
      if (!vm_write(cp->env->vm, VM_CP, va + 16 * rb, &v, 8))
         return;
   }
}

static void read_stats(struct cp *cp, uint64_t out[11])
{
   for (unsigned i = 0; i < 11; i++)
      out[i] = 0;
   if (cp->config.pipeline)
      pipeline_stats(cp->config.pipeline, out);
}

/* The counters of streamout stop and go on with those of the pipeline: what a
 * driver draws for itself in between belongs to no query. */
static void so_switch(struct cp *cp, bool on)
{
   if (on != cp->so_stopped || !cp->config.pipeline)
      return;
   for (unsigned i = 0; i < 4; i++) {
      uint64_t now[2];
      pipeline_so_stats(cp->config.pipeline, i, now);
      for (unsigned k = 0; k < 2; k++) {
         if (on)
            cp->so_skipped[i][k] += now[k] - cp->so_stop[i][k];
         else
            cp->so_stop[i][k] = now[k];
      }
   }
   cp->so_stopped = !on;
}

static void stats_switch(struct cp *cp, bool on)
{
   uint64_t now[11];
   so_switch(cp, on);
   if (on == cp->stats_on)
      return;
   read_stats(cp, now);
   for (unsigned i = 0; i < 11; i++) {
      if (on)
         cp->stats_start[i] = now[i];
      else
         cp->stats[i] += now[i] - cp->stats_start[i];
   }
   cp->stats_on = on;
}

static void write_stats(struct cp *cp, uint64_t va)
{
   uint64_t now[11];
   read_stats(cp, now);
   for (unsigned i = 0; i < 11; i++)
      now[i] = cp->stats[i] + (cp->stats_on ? now[i] - cp->stats_start[i] : 0);
   cache_write_bytes(cp->env->cache, CACHE_EVENT, va, sizeof(now));
   vm_write(cp->env->vm, VM_CP, va, now, sizeof(now));
}

static void write_streamout(struct cp *cp, uint64_t va, unsigned stream)
{
   const uint64_t valid = 1ull << 63; /* says that the value has come */
   uint64_t so[2] = { 0, 0 };
   if (cp->config.pipeline)
      pipeline_so_stats(cp->config.pipeline, stream, so);
   for (unsigned k = 0; k < 2 && stream < 4; k++)
      so[k] = (cp->so_stopped ? cp->so_stop[stream][k] : so[k]) - cp->so_skipped[stream][k];
   const uint64_t v[2] = { so[1] | valid, so[0] | valid }; /* needed, written */
   cache_write_bytes(cp->env->cache, CACHE_EVENT, va, sizeof(v));
   vm_write(cp->env->vm, VM_CP, va, v, sizeof(v));
}

enum event_kind { EV_NONE, EV_CB, EV_DB, EV_CBDB, EV_ZPASS, EV_STATS_START, EV_STATS_STOP, EV_STATS, EV_STREAMOUT, EV_SO_FLUSH };

/* VGT_EVENT_INITIATOR types that streams may send. */
static const struct event_row { const char *name; uint8_t kind, stream, index; } events[64] = {
#define EV(type, kind, stream, index) [V_028A90_##type] = { #type, kind, stream, index }
   EV(CACHE_FLUSH_TS, EV_CBDB, 0, 5),
   EV(CACHE_FLUSH, EV_CBDB, 0, 7),
   EV(CS_PARTIAL_FLUSH, EV_NONE, 0, 4),
   EV(VS_PARTIAL_FLUSH, EV_NONE, 0, 4),
   EV(PS_PARTIAL_FLUSH, EV_NONE, 0, 4),
   EV(BREAK_BATCH, EV_NONE, 0, 0),
   EV(VGT_FLUSH, EV_NONE, 0, 0),
   EV(CACHE_FLUSH_AND_INV_TS_EVENT, EV_CBDB, 0, 5),
   EV(CACHE_FLUSH_AND_INV_EVENT, EV_CBDB, 0, 7),
   EV(BOTTOM_OF_PIPE_TS, EV_NONE, 0, 5),
   EV(FLUSH_AND_INV_DB_DATA_TS, EV_DB, 0, 5),
   EV(FLUSH_AND_INV_DB_META, EV_NONE, 0, 0),
   EV(FLUSH_AND_INV_CB_DATA_TS, EV_CB, 0, 5),
   EV(FLUSH_AND_INV_CB_META, EV_NONE, 0, 0),
   EV(FLUSH_AND_INV_CB_PIXEL_DATA, EV_CB, 0, 0),
   EV(CS_DONE, EV_NONE, 0, 6),
   EV(PS_DONE, EV_NONE, 0, 6),
   EV(ZPASS_DONE, EV_ZPASS, 0, 1),
   EV(PIPELINESTAT_START, EV_STATS_START, 0, 0),
   EV(PIPELINESTAT_STOP, EV_STATS_STOP, 0, 0),
   EV(SAMPLE_PIPELINESTAT, EV_STATS, 0, 2),
   EV(SO_VGTSTREAMOUT_FLUSH, EV_SO_FLUSH, 0, 0),
   EV(SAMPLE_STREAMOUTSTATS, EV_STREAMOUT, 0, 3),
   EV(SAMPLE_STREAMOUTSTATS1, EV_STREAMOUT, 1, 3),
   EV(SAMPLE_STREAMOUTSTATS2, EV_STREAMOUT, 2, 3),
   EV(SAMPLE_STREAMOUTSTATS3, EV_STREAMOUT, 3, 3),
   EV(THREAD_TRACE_START, EV_NONE, 0, 0),
   EV(THREAD_TRACE_STOP, EV_NONE, 0, 0),
   EV(THREAD_TRACE_MARKER, EV_NONE, 0, 0),
   EV(THREAD_TRACE_FINISH, EV_NONE, 0, 0),
   EV(PERFCOUNTER_START, EV_NONE, 0, 0),
   EV(PERFCOUNTER_STOP, EV_NONE, 0, 0),
   EV(PERFCOUNTER_SAMPLE, EV_NONE, 0, 0),
#undef EV
};

static uint32_t flushes(const struct event_row *e)
{
   switch (e->kind) {
   case EV_CB: return CACHE_FLUSH_CB;
   case EV_DB: return CACHE_FLUSH_DB;
   case EV_CBDB: return CACHE_FLUSH_CB | CACHE_FLUSH_DB;
   default: return 0;
   }
}

/* Partial flushes hold the stream until the waves are gone. Cache flushes only
 * start: some later event at the end of the pipe tells that they are done. */
static void order_event(struct cp *cp, const struct event_row *e, unsigned type)
{
   switch (type) {
   case V_028A90_CS_PARTIAL_FLUSH:
      cache_sync(cp->env->cache, CACHE_WAIT_CS);
      break;
   case V_028A90_VS_PARTIAL_FLUSH:
      cache_sync(cp->env->cache, CACHE_WAIT_VS);
      break;
   case V_028A90_PS_PARTIAL_FLUSH:
      cache_sync(cp->env->cache, CACHE_WAIT_VS | CACHE_WAIT_PS);
      break;
   default:
      if (flushes(e))
         cache_release(cp->env->cache, flushes(e), 0);
   }
}

/* Body: type and index, address for events that write. */
void cp_event_write(struct cp *cp, const struct cp_packet *p)
{
   const struct event_row *e = &events[p->body[0] & 63];
   const unsigned index = (p->body[0] >> 8) & 15;
   if (!e->name) {
      cp_bad(cp, p, "unknown event type");
      return;
   }
   if (index != e->index && !(e->kind == EV_ZPASS && p->count == 1))
      model_violation(cp->report, CHECK_PACKET, "EVENT_WRITE %s with event index %u, which belongs to others",
                      e->name, index);
   const bool writes = e->kind == EV_ZPASS || e->kind == EV_STATS || e->kind == EV_STREAMOUT;
   if (writes && p->count < 3) {
      cp_bad(cp, p, "an event that writes needs an address");
      return;
   }
   const uint64_t va = writes ? CP_LO_HI(p->body[1] & ~7u, p->body[2] & 0xffff) : 0;
   switch ((enum event_kind)e->kind) {
   case EV_NONE:
   case EV_CB:
   case EV_DB:
   case EV_CBDB:
      order_event(cp, e, p->body[0] & 63);
      break;
   case EV_ZPASS:
      write_zpass(cp, va);
      break;
   case EV_STATS_START:
      stats_switch(cp, true);
      break;
   case EV_STATS_STOP:
      stats_switch(cp, false);
      break;
   case EV_STATS:
      write_stats(cp, va);
      break;
   case EV_STREAMOUT:
      write_streamout(cp, va, e->stream);
      break;
   case EV_SO_FLUSH:
      /* The stream waits for this bit: CP_STRMOUT_CNTL.OFFSET_UPDATE_DONE. */
      regs_write(cp->config.regs, cp->report, R_0300FC_CP_STRMOUT_CNTL, S_0084FC_OFFSET_UPDATE_DONE(1));
      break;
   }
}

/* Body: event and cache actions, selects, address, data. */
void cp_release_mem(struct cp *cp, const struct cp_packet *p)
{
   const struct event_row *e = &events[p->body[0] & 63];
   const unsigned data_sel = p->body[1] >> 29, index = (p->body[0] >> 8) & 15;
   const uint64_t va = CP_LO_HI(p->body[2], p->body[3]);
   uint64_t value = CP_LO_HI(p->body[4], p->body[5]);
   if (!e->name || e->index != index || (index != 5 && index != 6)) {
      cp_bad(cp, p, "no end-of-pipe or end-of-shader event");
      return;
   }
   if (data_sel != EOP_DATA_SEL_DISCARD && (va & (data_sel == EOP_DATA_SEL_VALUE_32BIT ? 3 : 7))) {
      cp_bad(cp, p, "address is not aligned");
      return;
   }
   uint32_t done = flushes(e) | (index == 6 ? CACHE_WAIT_CS : CACHE_WAITS);
   /* Writeback and invalidation of the whole L2 takes the L1 along. */
   const uint32_t whole_l2 = EVENT_TC_ACTION_ENA | EVENT_TC_WB_ACTION_ENA;
   const uint32_t metadata = EVENT_TC_ACTION_ENA | EVENT_TC_MD_ACTION_ENA;
   if (p->body[0] & EVENT_TCL1_ACTION_ENA)
      done |= CACHE_INV_L1;
   if ((p->body[0] & (whole_l2 | EVENT_TC_MD_ACTION_ENA)) == whole_l2)
      done |= CACHE_INV_L1 | CACHE_INV_L2 | CACHE_INV_META;
   if ((p->body[0] & metadata) == metadata)
      done |= CACHE_INV_META;
   cache_release(cp->env->cache, done, data_sel == EOP_DATA_SEL_DISCARD ? 0 : va);
   if (data_sel != EOP_DATA_SEL_DISCARD)
      cache_write_bytes(cp->env->cache, CACHE_EVENT, va, data_sel == EOP_DATA_SEL_VALUE_32BIT ? 4 : 8);
   switch (data_sel) {
   case EOP_DATA_SEL_DISCARD:
      break;
   case EOP_DATA_SEL_VALUE_32BIT:
      vm_write(cp->env->vm, VM_CP, va, &value, 4);
      break;
   case EOP_DATA_SEL_TIMESTAMP:
      value = cp->config.clock(cp->config.clock_ctx);
      vm_write(cp->env->vm, VM_CP, va, &value, 8);
      break;
   case EOP_DATA_SEL_VALUE_64BIT:
      vm_write(cp->env->vm, VM_CP, va, &value, 8);
      break;
   default:
      cp_bad(cp, p, "unknown or unmodelled data select");
   }
}

/* --- acquires --- */

static void coherence(struct cp *cp, uint32_t cntl, uint64_t base, uint64_t size)
{
   uint32_t what = 0;
   if (cp->config.pipeline && G_0301F0_SH_ICACHE_ACTION_ENA(cntl))
      pipeline_invalidate_code(cp->config.pipeline);
   if (G_0301F0_CB_ACTION_ENA(cntl))
      what |= CACHE_FLUSH_CB;
   if (G_0301F0_DB_ACTION_ENA(cntl))
      what |= CACHE_FLUSH_DB;
   if (G_0301F0_TCL1_ACTION_ENA(cntl))
      what |= CACHE_INV_L1;
   if (G_0301F0_SH_KCACHE_ACTION_ENA(cntl))
      what |= CACHE_INV_K;
   if (G_0301F0_SH_ICACHE_ACTION_ENA(cntl))
      what |= CACHE_INV_I;
   if (G_0301F0_SH_KCACHE_WB_ACTION_ENA(cntl))
      what |= CACHE_WB_K;
   if (G_0301F0_TC_ACTION_ENA(cntl) && G_0301F0_TC_WB_ACTION_ENA(cntl) && !G_0301F0_TC_NC_ACTION_ENA(cntl))
      what |= CACHE_INV_L2 | CACHE_INV_META;
   cache_sync_range(cp->env->cache, what, base, size > UINT64_MAX - base ? UINT64_MAX : base + size);
}

/* Body: COHER_CNTL, size and base in 256 bytes, poll interval. */
void cp_acquire_mem(struct cp *cp, const struct cp_packet *p)
{
   const uint64_t size = CP_LO_HI(p->body[1], p->body[2] & 0xffffff), base = CP_LO_HI(p->body[3], p->body[4] & 0xffffff);
   coherence(cp, p->body[0], base << 8, size << 8);
}

void cp_surface_sync(struct cp *cp, const struct cp_packet *p)
{
   coherence(cp, p->body[0], (uint64_t)p->body[2] << 8,
             p->body[1] == UINT32_MAX ? UINT64_MAX : (uint64_t)p->body[1] << 8);
}

void cp_pfp_sync_me(struct cp *cp, const struct cp_packet *p)
{
   (void)p;
   cache_sync(cp->env->cache, CACHE_SYNC_PFP);
}

/* --- waits --- */

static uint64_t now_ms(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static bool read_poll(struct cp *cp, const struct cp_packet *p, uint32_t *value)
{
   const bool memory = (p->body[0] >> 4) & 1;
   if (memory) {
      const uint32_t *m = vm_ptr(cp->env->vm, VM_CP, CP_LO_HI(p->body[1] & ~3u, p->body[2]), 4, false);
      if (!m)
         return false;
      *value = __atomic_load_n(m, __ATOMIC_ACQUIRE);
      return true;
   }
   if (!regs_read(cp->config.regs, 4 * p->body[1], value)) {
      model_fail(cp->report, EINVAL, CHECK_REGISTER, "wait for 0x%05x, which is no register", 4 * p->body[1]);
      return false;
   }
   return true;
}

/* Body: function and space, address or register, reference, mask, interval.
 * Only the CPU can still change memory: another thread of the process. */
void cp_wait_reg_mem(struct cp *cp, const struct cp_packet *p)
{
   const uint64_t start = now_ms();
   uint32_t value;
   while (read_poll(cp, p, &value)) {
      if (cp_compare(p->body[0] & 7, value & p->body[4], p->body[3])) {
         if (p->body[0] >> 4 & 1)
            cache_waited(cp->env->cache, CP_LO_HI(p->body[1] & ~3u, p->body[2]));
         return;
      }
      if (now_ms() - start >= cp->config.hang_ms) {
         model_fail(cp->report, ETIME, CHECK_HANG,
                    "WAIT_REG_MEM never ends: %s 0x%llx holds 0x%x, mask 0x%x, function %u, reference 0x%x",
                    (p->body[0] >> 4) & 1 ? "memory" : "register",
                    (unsigned long long)CP_LO_HI(p->body[1], p->body[2]), value, p->body[4], p->body[0] & 7,
                    p->body[3]);
         return;
      }
      nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
   }
}

/* Body: as WAIT_REG_MEM up to the mask, then address and data to write. */
void cp_cond_write(struct cp *cp, const struct cp_packet *p)
{
   uint32_t value;
   if (!read_poll(cp, p, &value) || !cp_compare(p->body[0] & 7, value & p->body[4], p->body[3]))
      return;
   if ((p->body[0] >> 8) & 3)
      vm_write(cp->env->vm, VM_CP, CP_LO_HI(p->body[5] & ~3u, p->body[6]), &p->body[7], 4);
   else
      regs_write(cp->config.regs, cp->report, 4 * p->body[5], p->body[7]);
}

/* The stream waits here until its writer sets the valid bit. */
void cp_rewind(struct cp *cp, const struct cp_packet *p)
{
   if (!(p->body[0] >> 31))
      model_fail(cp->report, ETIME, CHECK_HANG, "REWIND that never becomes valid");
}
