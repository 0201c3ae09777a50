/* SPDX-License-Identifier: MIT */
/* Lives of units, one unit at a time: from each read that no write in its block
 * precedes, back through predecessors to the writes; over the logical graph for
 * VGPRs and the linear graph for SGPRs (see mir.h). The work is that of the
 * operands and of the blocks that a unit lives in, not units times blocks. */
#include <stdlib.h>

#include "ra.h"

enum kind { READ, READ_KEPT, READ_WRITE, WRITE, WRITE_WIDE };

struct event { uint32_t pos, block; uint8_t kind; };

struct state {
   struct mir_program *p;
   struct event *events;      /* by unit, then in program order */
   uint32_t *first_event;     /* by unit; one more than there are */
   uint32_t *early, *first_early; /* blocks that have the unit in early_units */
   /* by block: the unit that was there last, + 1 */
   uint32_t *in, *out, *writes, *is_early;
   uint32_t *work, *through;  /* blocks to visit; blocks without events */
   uint32_t num_through;
   struct ra_range *pool;
   uint32_t num, max;
   bool failed;
};

static bool
reads_def(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return info && (info->flags & ISA_READS_DST);
}

/* Scalar loads may be replayed after a translation fault on GPUs that retry
 * (XNACK): the result must not stand where the address was. */
static bool
keeps_sources(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return info && info->unit == ISA_UNIT_SMEM;
}

/* Counts the events of every unit, or stores them where `next` says. */
static void
walk_operands(struct state *s, uint32_t *counts, bool store)
{
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < 6; i++) {
            mir_reg r = i < 4 ? inst->src[i] : inst->def[i - 4];
            unsigned n = i < 4 ? inst->src_n[i] : inst->def_n[i - 4];
            if (!mir_is_virt(r))
               continue;
            enum kind kind = i < 4 ? keeps_sources(inst) ? READ_KEPT : READ
                             : reads_def(inst) ? READ_WRITE : n > 4 && keeps_sources(inst) ? WRITE_WIDE : WRITE;
            for (unsigned k = 0; k < n; k++) {
               uint32_t at = counts[mir_unit_id(r) + k]++;
               if (store)
                  s->events[at] = (struct event){ inst->pos, b->index, kind };
            }
         }
      }
   }
}

static bool
collect_events(struct state *s)
{
   uint32_t n = s->p->num_units, sum = 0;
   uint32_t *next = malloc((n + 1) * sizeof(*next));
   if (next) {
      walk_operands(s, s->first_event, false);
      for (uint32_t u = 0; u <= n; u++) {
         uint32_t count = s->first_event[u];
         s->first_event[u] = next[u] = sum;
         sum += count;
      }
      s->events = malloc((sum + 1) * sizeof(*s->events));
      if (s->events)
         walk_operands(s, next, true);
   }
   free(next);
   return s->events != NULL;
}

static bool
collect_early(struct state *s)
{
   uint32_t n = s->p->num_units, sum = 0;
   mir_foreach_block(s->p, b) {
      for (uint32_t i = 0; i < b->num_early; i++)
         s->first_early[b->early_units[i]]++;
   }
   for (uint32_t u = 0; u <= n; u++) {
      sum += s->first_early[u];
      s->first_early[u] = sum; /* the end: filling counts it down to the start */
   }
   s->early = malloc((sum + 1) * sizeof(*s->early));
   mir_foreach_block(s->p, b) {
      for (uint32_t i = 0; s->early && i < b->num_early; i++)
         s->early[--s->first_early[b->early_units[i]]] = b->index;
   }
   return s->early != NULL;
}

/* Where the unit is alive at a block's start and end. */
static void
spread(struct state *s, uint32_t u)
{
   const struct event *e = s->events + s->first_event[u], *end = s->events + s->first_event[u + 1];
   bool vgpr = s->p->units[u].file == MIR_VGPR;
   uint32_t mark = u + 1, n = 0, block = ~0u;

   for (uint32_t i = s->first_early[u]; i < s->first_early[u + 1]; i++)
      s->is_early[s->early[i]] = mark;
   for (const struct event *i = e; i < end; i++) {
      if (i->block != block && i->kind < WRITE) {
         s->in[i->block] = mark;
         s->work[n++] = i->block;
      }
      if (i->kind >= WRITE)
         s->writes[i->block] = mark;
      block = i->block;
   }
   s->num_through = 0;
   while (n) {
      const struct mir_block *b = s->p->blocks[s->work[--n]];
      struct mir_block *const *preds = vgpr ? b->lpreds : b->xpreds;
      uint32_t num = vgpr ? b->num_lpreds : b->num_xpreds;
      for (uint32_t k = 0; k < num; k++) {
         const struct mir_block *p = preds[k];
         if (s->out[p->index] == mark)
            continue;
         if (!vgpr && p->early_target == b && s->is_early[p->index] == mark)
            continue;
         s->out[p->index] = mark;
         if (s->writes[p->index] == mark || s->in[p->index] == mark)
            continue;
         s->in[p->index] = mark;
         s->work[n++] = p->index;
         s->through[s->num_through++] = p->index;
      }
   }
}

static void
add_range(struct state *s, uint32_t first, uint32_t start, uint32_t end)
{
   if (s->num > first && s->pool[s->num - 1].end == start) {
      s->pool[s->num - 1].end = end;
      return;
   }
   if (s->num == s->max) {
      uint32_t max = s->max ? s->max * 2 : 256;
      struct ra_range *pool = realloc(s->pool, max * sizeof(*pool));
      if (!pool) {
         s->failed = true;
         return;
      }
      s->pool = pool;
      s->max = max;
   }
   s->pool[s->num++] = (struct ra_range){ start, end };
}

/* A part of a scalar load that nobody reads is written when the rest is: who
 * took its register before would have to wait for the load. It is held until
 * the first read of the rest, which waits anyway. */
static uint32_t
unread_until(const struct state *s, uint32_t u, const struct event *write)
{
   uint32_t group = u - s->p->units[u].index, until = 2 * s->p->blocks[write->block]->last_pos + 2;
   for (uint32_t other = group; other < group + s->p->units[u].size; other++) {
      uint32_t lo = s->first_event[other], end = s->first_event[other + 1], hi = end;
      while (lo < hi) {
         uint32_t mid = (lo + hi) / 2;
         if (s->events[mid].pos <= write->pos)
            lo = mid + 1;
         else
            hi = mid;
      }
      if (lo < end && s->events[lo].block == write->block && s->events[lo].kind < WRITE &&
          2 * s->events[lo].pos + 1 < until)
         until = 2 * s->events[lo].pos + 1;
   }
   return until;
}

/* Ranges inside one block that has events; returns the first one behind it. */
static const struct event *
block_ranges(struct state *s, uint32_t u, uint32_t first, const struct event *e, const struct event *end)
{
   const struct mir_block *b = s->p->blocks[e->block];
   bool open = s->in[b->index] == u + 1;
   uint32_t start = 2 * b->first_pos, last = start;
   for (; e < end && e->block == b->index; e++) {
      if (e->kind >= WRITE) {
         if (open)
            add_range(s, first, start, last);
         start = 2 * e->pos + 1;
         last = start + 1;
         open = true;
         bool unread = e + 1 == end || e[1].block != e->block || e[1].kind >= WRITE;
         if (e->kind == WRITE_WIDE && unread && s->out[b->index] != u + 1)
            last = unread_until(s, u, e);
      } else {
         last = 2 * e->pos + (e->kind == READ ? 1 : 2);
      }
   }
   if (s->out[b->index] == u + 1)
      last = 2 * b->last_pos + 2;
   if (open)
      add_range(s, first, start, last);
   return e;
}

static int
by_index(const void *x, const void *y)
{
   uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
   return a < b ? -1 : a > b;
}

static void
unit_ranges(struct state *s, uint32_t u, uint32_t first)
{
   const struct event *e = s->events + s->first_event[u], *end = s->events + s->first_event[u + 1];
   uint32_t t = 0;
   if (s->num_through > 1)
      qsort(s->through, s->num_through, sizeof(*s->through), by_index);
   while (e < end || t < s->num_through) {
      /* A block with events may be on the list too: one that only reads. */
      if (e == end || (t < s->num_through && s->through[t] < e->block)) {
         const struct mir_block *b = s->p->blocks[s->through[t++]];
         add_range(s, first, 2 * b->first_pos, 2 * b->last_pos + 2);
      } else {
         t += t < s->num_through && s->through[t] == e->block;
         e = block_ranges(s, u, first, e, end);
      }
   }
}

static uint32_t
number(struct mir_program *p)
{
   uint32_t pos = 0;
   mir_foreach_block(p, b) {
      b->first_pos = pos;
      mir_foreach_inst(b, inst)
         inst->pos = pos++;
      b->last_pos = b->first ? pos - 1 : pos;
      pos = b->last_pos + 1; /* an empty block has a place of its own */
   }
   return pos;
}

bool
ra_lives_find(struct mir_program *p, struct ra_lives *lives)
{
   struct state s = { .p = p };
   uint32_t n = p->num_units, blocks = p->num_blocks + 1;
   memset(lives, 0, sizeof(*lives));
   lives->num_pos = number(p);
   lives->num_units = n;
   lives->unit = calloc(n + 1, sizeof(*lives->unit));
   uint32_t *by_unit = calloc(2 * (n + 2), sizeof(*by_unit)), *by_block = calloc(6 * (size_t)blocks, sizeof(*by_block));
   if (lives->unit && by_unit && by_block) {
      s.first_event = by_unit;
      s.first_early = by_unit + n + 2;
      s.in = by_block;
      s.out = s.in + blocks;
      s.writes = s.out + blocks;
      s.is_early = s.writes + blocks;
      s.work = s.is_early + blocks;
      s.through = s.work + blocks;
      s.failed = !collect_events(&s) || !collect_early(&s);
      for (uint32_t u = 0; u < n && !s.failed; u++) {
         uint32_t first = s.num;
         if (p->units[u].everywhere) {
            add_range(&s, first, 0, 2 * lives->num_pos + 2);
         } else {
            spread(&s, u);
            unit_ranges(&s, u, first);
         }
         lives->unit[u].num = lives->unit[u].max = s.num - first;
      }
      uint32_t at = 0;
      for (uint32_t u = 0; u < n && !s.failed; u++) {
         lives->unit[u].ranges = s.pool + at;
         at += lives->unit[u].num;
      }
   } else {
      s.failed = true;
   }
   lives->pool = s.pool;
   free(by_unit);
   free(by_block);
   free(s.events);
   free(s.early);
   return !s.failed;
}

void
ra_lives_free(struct ra_lives *lives)
{
   for (uint32_t u = 0; lives->unit && u < lives->num_units; u++)
      ra_life_free(&lives->unit[u]);
   free(lives->unit);
   free(lives->pool);
   lives->unit = NULL;
   lives->pool = NULL;
}

void
ra_life_free(struct ra_life *l)
{
   if (l->own)
      free(l->ranges);
}

uint32_t
ra_first_after(const struct ra_life *l, uint32_t from, uint32_t pos)
{
   uint32_t lo = from, hi = l->num;
   while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (l->ranges[mid].end <= pos)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

bool
ra_overlap(const struct ra_life *a, const struct ra_life *b)
{
   uint32_t at = 0;
   if (a->num > b->num) {
      const struct ra_life *t = a;
      a = b;
      b = t;
   }
   for (uint32_t i = 0; i < a->num && at < b->num; i++) {
      at = ra_first_after(b, at, a->ranges[i].start);
      if (at < b->num && b->ranges[at].start < a->ranges[i].end)
         return true;
   }
   return false;
}

static void
reserve(struct ra_life *l, uint32_t num)
{
   if (num <= l->max)
      return;
   uint32_t max = num < 8 ? 8 : num * 2;
   struct ra_range *r = l->own ? realloc(l->ranges, max * sizeof(*r)) : malloc(max * sizeof(*r));
   if (!l->own && l->num)
      memcpy(r, l->ranges, l->num * sizeof(*r));
   l->ranges = r;
   l->max = max;
   l->own = true;
}

/* Ranges that touch become one. */
static void
insert(struct ra_life *l, struct ra_range r)
{
   uint32_t at = l->num && l->ranges[l->num - 1].end <= r.start ? l->num : ra_first_after(l, 0, r.start);
   bool joins_prev = at && l->ranges[at - 1].end == r.start, joins_next = at < l->num && l->ranges[at].start == r.end;
   if (joins_prev && joins_next) {
      l->ranges[at - 1].end = l->ranges[at].end;
      memmove(&l->ranges[at], &l->ranges[at + 1], (l->num - at - 1) * sizeof(r));
      l->num--;
   } else if (joins_prev) {
      l->ranges[at - 1].end = r.end;
   } else if (joins_next) {
      l->ranges[at].start = r.start;
   } else {
      reserve(l, l->num + 1);
      memmove(&l->ranges[at + 1], &l->ranges[at], (l->num - at) * sizeof(r));
      l->ranges[at] = r;
      l->num++;
   }
}

void
ra_merge(struct ra_life *a, const struct ra_life *b)
{
   if (b->num < 4 || b->num * 8 < a->num) {
      for (uint32_t i = 0; i < b->num; i++)
         insert(a, b->ranges[i]);
      return;
   }
   uint32_t i = a->num, k = b->num, to = i + k, n = 0;
   reserve(a, to);
   struct ra_range *r = a->ranges;
   while (k) {
      if (i && r[i - 1].start > b->ranges[k - 1].start)
         r[--to] = r[--i];
      else
         r[--to] = b->ranges[--k];
   }
   to = a->num + b->num;
   for (i = 0; i < to; i++) {
      if (n && r[n - 1].end == r[i].start)
         r[n - 1].end = r[i].end;
      else
         r[n++] = r[i];
   }
   a->num = n;
}
