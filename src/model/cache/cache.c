/* SPDX-License-Identifier: MIT */
/* The list of writes that some cache does not know of yet. It is short: a
 * flush or invalidation empties it. */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "obs/report.h"

#define MAX_WRITES 64 /* more at a time: the oldest is forgotten */

struct write {
   struct cache_part part;
   uint8_t writer;
   uint8_t pending;     /* CACHE_* that must still happen before a read is safe */
};

struct model_cache {
   uint32_t serial;
   unsigned num, next;
   uint64_t lo, hi;     /* all writes lie within */
   struct write writes[MAX_WRITES];
   unsigned num_bound;
   struct cache_part bound[10];
};

struct model_cache *cache_create(void)
{
   struct model_cache *c = calloc(1, sizeof(*c));
   if (c)
      c->serial = 1;
   return c;
}

void cache_destroy(struct model_cache *c)
{
   free(c);
}

uint32_t cache_serial(const struct model_cache *c)
{
   return c ? c->serial : 0;
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
   if (c)
      c->num_bound = 0;
}

void cache_bind(struct model_cache *c, const struct cache_part *p)
{
   if (c && c->num_bound < 10)
      c->bound[c->num_bound++] = *p;
}

static bool is_bound(const struct model_cache *c, const struct cache_part *p)
{
   for (unsigned i = 0; i < c->num_bound; i++) {
      if (overlap(&c->bound[i], p))
         return true;
   }
   return false;
}

void cache_write(struct model_cache *c, enum cache_writer writer, const struct cache_part *p)
{
   static const uint8_t pending[] = { [CACHE_CB] = CACHE_FLUSH_CB | CACHE_INV_L1 | CACHE_INV_K,
                                      [CACHE_DB] = CACHE_FLUSH_DB | CACHE_INV_L1 | CACHE_INV_K,
                                      [CACHE_CP] = CACHE_INV_L1 | CACHE_INV_K };
   if (!c || !p->size)
      return;
   for (unsigned i = 0; i < c->num; i++) {
      struct write *w = &c->writes[i];
      if (w->writer == writer && memcmp(&w->part, p, sizeof(*p)) == 0) {
         if ((w->pending & pending[writer]) != pending[writer])
            c->serial++;
         w->pending |= pending[writer];
         return;
      }
   }
   struct write *w = c->num < MAX_WRITES ? &c->writes[c->num++] : &c->writes[c->next++ % MAX_WRITES];
   *w = (struct write){ .part = *p, .writer = (uint8_t)writer, .pending = pending[writer] };
   bounds(c);
   c->serial++;
}

void cache_read(struct model_cache *c, struct model_report *report, enum cache_reader reader,
                const struct cache_part *p)
{
   static const char *const writers[] = { [CACHE_CB] = "CB", [CACHE_DB] = "DB", [CACHE_CP] = "CP" };
   static const char *const readers[] = { [CACHE_L1] = "vector memory", [CACHE_K] = "scalar load",
                                          [CACHE_L2_CLIENT] = "CP or index fetch" };
   static const uint8_t needs[] = { [CACHE_L1] = CACHE_FLUSH_CB | CACHE_FLUSH_DB | CACHE_INV_L1,
                                    [CACHE_K] = CACHE_FLUSH_CB | CACHE_FLUSH_DB | CACHE_INV_K,
                                    [CACHE_L2_CLIENT] = CACHE_FLUSH_CB | CACHE_FLUSH_DB };
   if (!c || !c->num || p->base >= c->hi || p->base + p->size <= c->lo)
      return;
   for (unsigned i = 0; i < c->num; i++) {
      const struct write *w = &c->writes[i];
      const unsigned missing = w->pending & needs[reader];
      if (!missing || !overlap(&w->part, p) || (w->writer != CACHE_CP && is_bound(c, p)))
         continue;
      model_violation(report, CHECK_CACHE, "%s reads 0x%llx..0x%llx that %s wrote:%s%s%s%s missing", readers[reader],
                      (unsigned long long)p->base, (unsigned long long)(p->base + p->size), writers[w->writer],
                      missing & CACHE_FLUSH_CB ? " CB flush" : "", missing & CACHE_FLUSH_DB ? " DB flush" : "",
                      missing & CACHE_INV_L1 ? " L1 invalidation" : "", missing & CACHE_INV_K ? " K$ invalidation" : "");
      return;
   }
}

void cache_write_bytes(struct model_cache *c, enum cache_writer writer, uint64_t va, uint64_t size)
{
   const struct cache_part p = { .base = va, .size = size };
   cache_write(c, writer, &p);
}

void cache_read_bytes(struct model_cache *c, struct model_report *report, enum cache_reader reader, uint64_t va,
                      uint64_t size)
{
   const struct cache_part p = { .base = va, .size = size, .level1 = UINT16_MAX, .slice1 = UINT16_MAX };
   if (c && c->num)
      cache_read(c, report, reader, &p);
}

void cache_sync(struct model_cache *c, uint32_t what)
{
   if (!c || !c->num)
      return;
   /* An invalidation before the flush helps nobody: old data can come back. */
   for (unsigned i = 0; i < c->num;) {
      struct write *w = &c->writes[i];
      unsigned done = what;
      if (w->pending & ~what & (CACHE_FLUSH_CB | CACHE_FLUSH_DB))
         done &= ~(CACHE_INV_L1 | CACHE_INV_K);
      w->pending &= (uint8_t)~done;
      if (w->pending)
         i++;
      else
         *w = c->writes[--c->num];
   }
   bounds(c);
   c->serial++;
}
