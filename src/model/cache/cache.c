/* SPDX-License-Identifier: MIT */
/* The list of writes that some cache does not know of yet. It is short: waits,
 * flushes and invalidations empty it. */
#include "cache.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msg.h"
#include "obs/report.h"

#define MAX_WRITES 64 /* more at a time: the oldest is forgotten */
#define MAX_BOUND 10
#define MAX_RELEASES 16
#define MAX_CPU 256 /* ranges kept for the CPU; beyond: forgotten */

struct write {
   struct cache_part part;
   uint32_t work;       /* draw or dispatch that wrote */
   uint32_t serial;     /* of the last write */
   uint16_t pending;    /* enum cache_todo */
   uint8_t writer;
};

struct release { uint64_t va; uint32_t what, serial; };

static _Thread_local unsigned current_stage;

struct model_cache {
   struct model_report *report;
   pthread_mutex_t lock; /* waves of several threads write and read */
   unsigned num, next;
   uint64_t lo, hi;     /* all writes lie within */
   uint32_t work, serial;
   uint32_t own_work, own_done; /* invalidated by a program of this work itself */
   unsigned last;
   struct write writes[MAX_WRITES];
   unsigned num_cpu;
   struct { uint64_t lo, hi; } cpu[MAX_CPU];
   unsigned num_bound, num_releases;
   uint64_t bound_lo, bound_hi;
   struct cache_part bound[MAX_BOUND];
   struct release releases[MAX_RELEASES];
};

static const struct writer_row { const char *name; uint16_t pending; } writers[CACHE_WRITERS] = {
   [CACHE_CB] = { "CB", CACHE_FLUSH_CB | CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I | CACHE_SYNC_PFP },
   [CACHE_DB] = { "DB", CACHE_FLUSH_DB | CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I | CACHE_SYNC_PFP },
   [CACHE_CP] = { "the CP", CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I | CACHE_SYNC_PFP },
   [CACHE_PFP] = { "the PFP", CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I },
   [CACHE_DMA] = { "CP DMA", CACHE_WAIT_DMA | CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I | CACHE_SYNC_PFP },
   [CACHE_EVENT] = { "an event", CACHE_INV_L1 | CACHE_INV_K },
   [CACHE_SHADER] = { "a shader", CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I | CACHE_SYNC_PFP },
   [CACHE_SCALAR] = { "a scalar store", CACHE_WB_K | CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I | CACHE_SYNC_PFP },
};

#define OUT (CACHE_FLUSHES | CACHE_WAITS)
static const struct reader_row { const char *name; uint16_t needs; } readers[CACHE_READERS] = {
   [CACHE_L1] = { "vector memory", OUT | CACHE_INV_L1 | CACHE_INV_L2 },
   [CACHE_L1_META] = { "vector memory", OUT | CACHE_INV_L1 | CACHE_INV_L2 | CACHE_INV_META },
   [CACHE_K] = { "scalar load", OUT | CACHE_INV_K | CACHE_INV_L2 },
   [CACHE_I] = { "instruction fetch", OUT | CACHE_INV_I },
   [CACHE_L2_CLIENT] = { "CP or GLC load", OUT },
   [CACHE_PREFETCH] = { "the CP's prefetch parser or index fetch", OUT | CACHE_SYNC_PFP },
   [CACHE_RB] = { "CB or DB", OUT },
};

/* How a stream does what is missing. */
static const struct { uint16_t bit; const char *text; } todo_names[] = {
   { CACHE_FLUSH_CB, "CB flush" },
   { CACHE_FLUSH_DB, "DB flush" },
   { CACHE_WB_K, "K$ write-back (s_dcache_wb)" },
   { CACHE_WAIT_VS, "VS_PARTIAL_FLUSH" },
   { CACHE_WAIT_PS, "PS_PARTIAL_FLUSH" },
   { CACHE_WAIT_CS, "CS_PARTIAL_FLUSH" },
   { CACHE_WAIT_DMA, "DMA_DATA with CP_SYNC" },
   { CACHE_INV_L1, "L1 invalidation" },
   { CACHE_INV_K, "K$ invalidation" },
   { CACHE_INV_I, "I$ invalidation" },
   { CACHE_INV_L2, "L2 invalidation" },
   { CACHE_INV_META, "L2 metadata invalidation" },
   { CACHE_SYNC_PFP, "PFP_SYNC_ME" },
};

struct model_cache *cache_create(struct model_report *report)
{
   struct model_cache *c = calloc(1, sizeof(*c));
   if (c) {
      c->report = report;
      pthread_mutex_init(&c->lock, NULL);
   }
   return c;
}

void cache_destroy(struct model_cache *c)
{
   if (c)
      pthread_mutex_destroy(&c->lock);
   free(c);
}

static bool overlap(const struct cache_part *a, const struct cache_part *b)
{
   if (a->base == b->base)
      return a->level0 <= b->level1 && b->level0 <= a->level1 && a->slice0 <= b->slice1 && b->slice0 <= a->slice1;
   return a->base < b->base + b->size && b->base < a->base + a->size;
}

static void bounds(struct model_cache *c)
{
   c->lo = ~0ull;
   c->hi = 0;
   for (unsigned i = 0; i < c->num; i++) {
      const struct cache_part *p = &c->writes[i].part;
      c->lo = p->base < c->lo ? p->base : c->lo;
      c->hi = p->base + p->size > c->hi ? p->base + p->size : c->hi;
   }
}

void cache_unbind(struct model_cache *c)
{
   if (c) {
      c->num_bound = 0;
      c->bound_lo = ~0ull;
      c->bound_hi = 0;
   }
}

void cache_bind(struct model_cache *c, const struct cache_part *p)
{
   if (c && c->num_bound < MAX_BOUND) {
      c->bound[c->num_bound++] = *p;
      c->bound_lo = p->base < c->bound_lo ? p->base : c->bound_lo;
      c->bound_hi = p->base + p->size > c->bound_hi ? p->base + p->size : c->bound_hi;
   }
}

static bool is_bound(const struct model_cache *c, const struct cache_part *p)
{
   if (p->base >= c->bound_hi || p->base + p->size <= c->bound_lo)
      return false;
   for (unsigned i = 0; i < c->num_bound; i++) {
      if (overlap(&c->bound[i], p))
         return true;
   }
   return false;
}

void cache_begin_work(struct model_cache *c)
{
   if (c)
      c->work++;
}

void cache_end_work(struct model_cache *c)
{
   cache_begin_work(c);
}

void cache_begin_waves(struct model_cache *c, unsigned stage)
{
   if (c)
      current_stage = stage;
}

unsigned cache_stage(const struct model_cache *c)
{
   (void)c;
   return current_stage;
}

void cache_own_sync(struct model_cache *c, uint32_t what)
{
   if (!c)
      return;
   pthread_mutex_lock(&c->lock);
   if (c->own_work != c->work)
      c->own_done = 0;
   c->own_work = c->work;
   c->own_done |= what & (CACHE_INV_L1 | CACHE_INV_K);
   for (unsigned i = 0; i < c->num; i++) {
      if (c->writes[i].work == c->work)
         c->writes[i].pending &= (uint16_t)~(what & CACHE_WB_K);
   }
   pthread_mutex_unlock(&c->lock);
}

static bool is_shader(unsigned writer)
{
   return writer == CACHE_SHADER || writer == CACHE_SCALAR;
}

/* Shaders write piece by piece: neighbours become one entry. */
static bool joins(const struct write *w, enum cache_writer writer, const struct cache_part *p)
{
   if (w->writer != writer)
      return false;
   if (memcmp(&w->part, p, sizeof(*p)) == 0)
      return true;
   return is_shader(writer) && !p->level1 && !p->slice1 && !w->part.level1 && !w->part.slice1 &&
          p->base <= w->part.base + w->part.size && w->part.base <= p->base + p->size;
}

/* A writer that another cache's dirty lines would come over: copies it. */
static bool find_lost(const struct model_cache *c, enum cache_writer writer, const struct cache_part *p,
                      struct write *lost)
{
   for (unsigned i = 0; i < c->num; i++) {
      const struct write *w = &c->writes[i];
      if ((w->pending & (CACHE_FLUSH_CB | CACHE_FLUSH_DB)) && w->work != c->work && w->writer != writer &&
          overlap(&w->part, p)) {
         *lost = *w;
         return true;
      }
   }
   return false;
}

/* True: the write is lost, as *lost says. */
static bool note_write(struct model_cache *c, enum cache_writer writer, const struct cache_part *p, uint32_t more,
                       struct write *lost)
{
   static const uint16_t waits[SQ_STAGE_COUNT] = { [SQ_VS] = CACHE_WAIT_VS, [SQ_PS] = CACHE_WAIT_PS,
                                                   [SQ_CS] = CACHE_WAIT_CS, [SQ_LSHS] = CACHE_WAIT_VS,
                                                   [SQ_ESGS] = CACHE_WAIT_VS };
   uint32_t pending = writers[writer].pending | more;
   if (is_shader(writer))
      pending |= waits[current_stage];
   c->serial++;
   for (unsigned n = 0; n < c->num; n++) {
      const unsigned i = n == 0 ? c->last % c->num : n == c->last % c->num ? 0 : n;
      struct write *w = &c->writes[i];
      if (!joins(w, writer, p))
         continue;
      const uint64_t end = p->base + p->size, old = w->part.base + w->part.size;
      w->part.base = p->base < w->part.base ? p->base : w->part.base;
      w->part.size = (end > old ? end : old) - w->part.base;
      w->pending |= (uint16_t)pending;
      w->work = c->work;
      w->serial = c->serial;
      c->last = i;
      c->lo = w->part.base < c->lo ? w->part.base : c->lo;
      c->hi = end > c->hi ? end : c->hi;
      return false;
   }
   const bool is_lost = p->base < c->hi && p->base + p->size > c->lo && find_lost(c, writer, p, lost);
   c->last = c->num < MAX_WRITES ? c->num++ : c->next++ % MAX_WRITES;
   c->writes[c->last] = (struct write){ .part = *p, .writer = (uint8_t)writer, .pending = (uint16_t)pending,
                                        .work = c->work, .serial = c->serial };
   bounds(c);
   return is_lost;
}

/* ---- for the CPU ---- */

static void note_cpu(struct model_cache *c, uint64_t lo, uint64_t hi)
{
   for (unsigned n = c->num_cpu, i = n; i-- > 0 && i + 4 >= n;) { /* shaders write piece by piece */
      if (lo > c->cpu[i].hi || hi < c->cpu[i].lo)
         continue;
      c->cpu[i].lo = lo < c->cpu[i].lo ? lo : c->cpu[i].lo;
      c->cpu[i].hi = hi > c->cpu[i].hi ? hi : c->cpu[i].hi;
      return;
   }
   if (c->num_cpu < MAX_CPU) {
      c->cpu[c->num_cpu].lo = lo;
      c->cpu[c->num_cpu++].hi = hi;
   }
}

void cache_cpu_note(struct model_cache *c, uint64_t va, uint64_t size)
{
   if (!c || !size)
      return;
   pthread_mutex_lock(&c->lock);
   note_cpu(c, va, va + size);
   pthread_mutex_unlock(&c->lock);
}

void cache_cpu_writes(struct model_cache *c, void (*wrote)(void *ctx, uint64_t va, uint64_t size), void *ctx)
{
   if (!c)
      return;
   pthread_mutex_lock(&c->lock);
   for (unsigned i = 0; i < c->num_cpu; i++)
      wrote(ctx, c->cpu[i].lo, c->cpu[i].hi - c->cpu[i].lo);
   c->num_cpu = 0;
   pthread_mutex_unlock(&c->lock);
}

void cache_write(struct model_cache *c, enum cache_writer writer, const struct cache_part *p, uint32_t more)
{
   if (!c || !p->size)
      return;
   struct write lost;
   pthread_mutex_lock(&c->lock);
   const bool is_lost = note_write(c, writer, p, more, &lost);
   if (is_shader(writer) || writer == CACHE_CB || writer == CACHE_DB || writer == CACHE_DMA)
      note_cpu(c, p->base, p->base + p->size);
   pthread_mutex_unlock(&c->lock);
   if (is_lost) /* a report may run other waves: not under the lock */
      model_violation(c->report, CHECK_CACHE,
                      "%s writes 0x%llx..0x%llx while %s may hold it dirty: %s flush missing; its lines would come over it",
                      writers[writer].name, (unsigned long long)p->base, (unsigned long long)(p->base + p->size),
                      writers[lost.writer].name, writers[lost.writer].name);
}

static void complain(struct model_report *report, enum cache_reader reader, const struct cache_part *p,
                     const struct write *w, unsigned missing)
{
   char text[160] = "";
   int n = 0;
   for (unsigned i = 0; i < sizeof(todo_names) / sizeof(todo_names[0]); i++) {
      if (missing & todo_names[i].bit)
         n += snprintf(text + n, n < (int)sizeof(text) ? sizeof(text) - n : 0, "%s%s", n ? ", " : "", todo_names[i].text);
   }
   model_violation(report, CHECK_CACHE, "%s reads 0x%llx..0x%llx that %s wrote: missing %s", readers[reader].name,
                   (unsigned long long)p->base, (unsigned long long)(p->base + p->size), writers[w->writer].name, text);
}

void cache_read(struct model_cache *c, struct model_report *report, enum cache_reader reader,
                const struct cache_part *p)
{
   /* What it reads depends on which waves wrote before. */
   if (c && reader != CACHE_RB && is_bound(c, p))
      model_order(report);
   if (!c || !c->num || p->base >= c->hi || p->base + p->size <= c->lo)
      return;
   pthread_mutex_lock(&c->lock);
   unsigned needs = readers[reader].needs;
   if (c->own_work == c->work)
      needs &= ~c->own_done;
   for (unsigned i = 0; i < c->num; i++) {
      const struct write *w = &c->writes[i];
      unsigned missing = w->pending & needs;
      if (reader == CACHE_RB) /* each of the two sees its own cache */
         missing &= w->writer == CACHE_CB ? ~CACHE_FLUSH_CB : w->writer == CACHE_DB ? ~CACHE_FLUSH_DB : ~0u;
      if (!missing || !overlap(&w->part, p))
         continue;
      if (is_shader(w->writer) ? w->work == c->work : w->writer <= CACHE_DB && is_bound(c, p))
         continue;
      /* Without the lock: what is reported in its turn waits for other waves. */
      const struct write found = *w;
      pthread_mutex_unlock(&c->lock);
      complain(report, reader, p, &found, missing);
      return;
   }
   pthread_mutex_unlock(&c->lock);
}

void cache_write_bytes(struct model_cache *c, enum cache_writer writer, uint64_t va, uint64_t size)
{
   const struct cache_part p = { .base = va, .size = size };
   cache_write(c, writer, &p, 0);
}

void cache_read_bytes(struct model_cache *c, struct model_report *report, enum cache_reader reader, uint64_t va,
                      uint64_t size)
{
   const struct cache_part p = { .base = va, .size = size, .level1 = UINT16_MAX, .slice1 = UINT16_MAX };
   if (c)
      cache_read(c, report, reader, &p);
}

/* Applies `what` to the writes up to `serial` within [lo, hi). */
static void apply(struct model_cache *c, uint32_t what, uint32_t serial, uint64_t lo, uint64_t hi)
{
   for (unsigned i = 0; i < c->num;) {
      struct write *w = &c->writes[i];
      uint32_t done = what;
      if ((int32_t)(w->serial - serial) > 0 || w->part.base < lo || w->part.base >= hi) {
         i++;
         continue;
      }
      /* An invalidation before the data are out helps nobody: old data can come back. */
      if (w->pending & ~what & OUT)
         done &= ~(uint32_t)CACHE_LATE;
      w->pending &= (uint16_t)~done;
      if (w->pending)
         i++;
      else
         *w = c->writes[--c->num];
   }
   bounds(c);
}

void cache_sync(struct model_cache *c, uint32_t what)
{
   if (!c)
      return;
   if (what == CACHE_ALL)
      c->num_releases = 0;
   if (c->num && what)
      apply(c, what, c->serial, 0, UINT64_MAX);
}

void cache_sync_range(struct model_cache *c, uint32_t what, uint64_t lo, uint64_t hi)
{
   if (c && c->num && what)
      apply(c, what, c->serial, lo, hi);
}

void cache_release(struct model_cache *c, uint32_t what, uint64_t va)
{
   if (!c)
      return;
   if (c->num_releases == MAX_RELEASES) {
      /* The two oldest become one; that the older can be waited for is forgotten. */
      c->releases[1].what |= c->releases[0].what & CACHE_WAITS;
      memmove(c->releases, c->releases + 1, --c->num_releases * sizeof(c->releases[0]));
   }
   c->releases[c->num_releases++] = (struct release){ va, what, c->serial };
}

void cache_waited(struct model_cache *c, uint64_t va)
{
   if (!c)
      return;
   for (unsigned n = c->num_releases; n-- > 0;) {
      if (c->releases[n].va != va)
         continue;
      for (unsigned i = 0; i <= n; i++)
         apply(c, c->releases[i].what, c->releases[i].serial, 0, UINT64_MAX);
      c->num_releases -= n + 1;
      memmove(c->releases, c->releases + n + 1, c->num_releases * sizeof(c->releases[0]));
      return;
   }
}
