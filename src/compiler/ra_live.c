/* SPDX-License-Identifier: MIT */
/* Lives of units, one unit at a time: from each read that no write in its block
 * precedes, back through predecessors to the writes; over the logical graph for
 * VGPRs and the linear graph for SGPRs (see mir.h). The work is that of the
 * operands and of the blocks that a unit lives in, not units times blocks. */
#include <stdlib.h>

#include "ra.h"

enum kind { READ, READ_KEPT, READ_WRITE, WRITE, WRITE_WIDE };

struct event { uint32_t pos, next, block : 29, kind : 3; };

/* Events of a unit in program order: a list of indices + 1. */
struct events { uint32_t first, last_block; };

struct state {
   struct mir_program *p;
   struct ir_arena *mem;      /* of the result */
   struct event *events;
   uint32_t num_events, max_events;
   struct events *of;         /* by unit */
   uint32_t *early, *first_early; /* blocks that have the unit in early_units */
   /* by block: the unit that was there last, + 1 */
   uint32_t *in, *out, *writes, *is_early;
   uint32_t *work, *through;  /* blocks to visit; blocks without events */
   uint32_t num_through;
   struct ra_range *ranges;   /* of the unit that is worked on */
   uint32_t num, max;
};

static const struct event *
next_event(const struct state *s, uint32_t index)
{
   return index ? &s->events[index - 1] : NULL;
}

static void
add_events(struct state *s, const struct mir_inst *inst, mir_reg r, unsigned n, enum kind kind)
{
   for (unsigned k = n; k-- > 0;) {
      struct events *of = &s->of[mir_unit_id(r) + k];
      if (s->num_events == s->max_events)
         s->events = ir_temp_grow(s->p->sh, s->events, &s->max_events, sizeof(*s->events));
      s->events[s->num_events] = (struct event){ inst->pos, of->first, inst->block->index, kind };
      if (!of->first)
         of->last_block = inst->block->index;
      of->first = ++s->num_events;
   }
}

/* Walks backwards, so that lists that grow at their heads are in program order.
 * Scalar loads may be replayed after a translation fault on GPUs that retry
 * (XNACK): the result must not stand where the address was. */
static void
collect_events(struct state *s)
{
   for (uint32_t i = s->p->num_blocks; i-- > 0;) {
      for (const struct mir_inst *inst = s->p->blocks[i]->last; inst; inst = inst->prev) {
         const struct isa_op_info *info = mir_info(inst);
         bool reads_def = info && (info->flags & ISA_READS_DST), keeps = info && info->unit == ISA_UNIT_SMEM;
         for (unsigned k = 2; k-- > 0;) {
            if (mir_is_virt(inst->def[k]))
               add_events(s, inst, inst->def[k], inst->def_n[k],
                          reads_def ? READ_WRITE : inst->def_n[k] > 4 && keeps ? WRITE_WIDE : WRITE);
         }
         for (unsigned k = 4; k-- > 0;) {
            if (mir_is_virt(inst->src[k]))
               add_events(s, inst, inst->src[k], inst->src_n[k], keeps ? READ_KEPT : READ);
         }
      }
   }
}

static void
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
   s->early = ir_temp_any(s->p->sh, (sum + 1) * sizeof(*s->early));
   mir_foreach_block(s->p, b) {
      for (uint32_t i = 0; i < b->num_early; i++)
         s->early[--s->first_early[b->early_units[i]]] = b->index;
   }
}

/* Where the unit is alive at a block's start and end. */
static void
spread(struct state *s, uint32_t u)
{
   bool vgpr = s->p->units[u].file == MIR_VGPR;
   uint32_t mark = u + 1, n = 0, block = ~0u;

   for (uint32_t i = s->first_early[u]; i < s->first_early[u + 1]; i++)
      s->is_early[s->early[i]] = mark;
   for (const struct event *i = next_event(s, s->of[u].first); i; i = next_event(s, i->next)) {
      if (i->block != block && i->kind < WRITE) {
         s->in[i->block] = mark;
         s->work[n++] = i->block;
      }
      if (i->kind >= WRITE)
         s->writes[i->block] = mark;
      block = i->block;
   }
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
add_range(struct state *s, uint32_t start, uint32_t end)
{
   if (s->num && s->ranges[s->num - 1].end == start) {
      s->ranges[s->num - 1].end = end;
      return;
   }
   if (s->num == s->max)
      s->ranges = ir_temp_grow(s->p->sh, s->ranges, &s->max, sizeof(*s->ranges));
   s->ranges[s->num++] = (struct ra_range){ start, end };
}

/* A part of a scalar load that nobody reads is written when the rest is: who
 * took its register before would have to wait for the load. It is held until
 * the first read of the rest, which waits anyway. */
static uint32_t
unread_until(const struct state *s, uint32_t u, const struct event *write)
{
   uint32_t group = u - s->p->units[u].index, until = 2 * s->p->blocks[write->block]->last_pos + 2;
   for (uint32_t other = group; other < group + s->p->units[u].size; other++) {
      const struct event *e = next_event(s, s->of[other].first);
      while (e && e->pos <= write->pos)
         e = next_event(s, e->next);
      if (e && e->block == write->block && e->kind < WRITE && 2 * e->pos + 1 < until)
         until = 2 * e->pos + 1;
   }
   return until;
}

/* Ranges inside one block that has events; returns the first one behind it. */
static const struct event *
block_ranges(struct state *s, uint32_t u, const struct event *e)
{
   const struct mir_block *b = s->p->blocks[e->block];
   bool open = s->in[b->index] == u + 1;
   uint32_t start = 2 * b->first_pos, last = start;
   while (e && e->block == b->index) {
      const struct event *next = next_event(s, e->next);
      if (e->kind >= WRITE) {
         if (open)
            add_range(s, start, last);
         start = 2 * e->pos + 1;
         last = start + 1;
         open = true;
         bool unread = !next || next->block != e->block || next->kind >= WRITE;
         if (e->kind == WRITE_WIDE && unread && s->out[b->index] != u + 1)
            last = unread_until(s, u, e);
      } else {
         last = 2 * e->pos + (e->kind == READ ? 1 : 2);
      }
      e = next;
   }
   if (s->out[b->index] == u + 1)
      last = 2 * b->last_pos + 2;
   if (open)
      add_range(s, start, last);
   return e;
}

static int
by_index(const void *x, const void *y)
{
   uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
   return a < b ? -1 : a > b;
}

static void
unit_ranges(struct state *s, uint32_t u)
{
   const struct event *e = next_event(s, s->of[u].first);
   uint32_t t = 0;
   s->num_through = 0;
   /* Most units are written and read in one block. */
   if (e && (e->kind < WRITE || e->block != s->of[u].last_block))
      spread(s, u);
   if (s->num_through > 1)
      qsort(s->through, s->num_through, sizeof(*s->through), by_index);
   while (e || t < s->num_through) {
      /* A block with events may be on the list too: one that only reads. */
      if (!e || (t < s->num_through && s->through[t] < e->block)) {
         const struct mir_block *b = s->p->blocks[s->through[t++]];
         add_range(s, 2 * b->first_pos, 2 * b->last_pos + 2);
      } else {
         t += t < s->num_through && s->through[t] == e->block;
         e = block_ranges(s, u, e);
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

void
ra_lives_find(struct mir_program *p, struct ir_arena *mem, struct ra_lives *lives)
{
   struct state s = { .p = p, .mem = mem };
   uint32_t n = p->num_units, blocks = p->num_blocks + 1;
   lives->mem = mem;
   lives->num_pos = number(p);
   lives->num_units = n;
   lives->unit = ir_arena_alloc(mem, (n + 1) * sizeof(*lives->unit));
   uint32_t *by_block = ir_temp(p->sh, 6 * (size_t)blocks * sizeof(*by_block));
   s.in = by_block;
   s.out = s.in + blocks;
   s.writes = s.out + blocks;
   s.is_early = s.writes + blocks;
   s.work = s.is_early + blocks;
   s.through = s.work + blocks;
   s.of = ir_temp(p->sh, (n + 1) * sizeof(*s.of));
   s.first_early = ir_temp(p->sh, (n + 2) * sizeof(*s.first_early));
   collect_events(&s);
   collect_early(&s);
   for (uint32_t u = 0; u < n; u++) {
      struct ra_life *l = &lives->unit[u];
      s.num = 0;
      if (p->units[u].everywhere)
         add_range(&s, 0, 2 * lives->num_pos + 2);
      else
         unit_ranges(&s, u);
      l->num = l->max = s.num;
      l->ranges = s.num ? ir_arena_alloc(mem, s.num * sizeof(*l->ranges)) : NULL;
      if (s.num)
         memcpy(l->ranges, s.ranges, s.num * sizeof(*l->ranges));
   }
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
ra_alive_at(const struct ra_life *l, uint32_t pos)
{
   uint32_t at = ra_first_after(l, 0, pos);
   return at < l->num && l->ranges[at].start <= pos;
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
reserve(struct ir_arena *mem, struct ra_life *l, uint32_t num)
{
   if (num <= l->max)
      return;
   uint32_t max = num < 8 ? 8 : num * 2;
   struct ra_range *r = ir_arena_alloc(mem, max * sizeof(*r));
   if (l->num)
      memcpy(r, l->ranges, l->num * sizeof(*r));
   l->ranges = r;
   l->max = max;
}

/* Ranges that touch become one. */
static void
insert(struct ir_arena *mem, struct ra_life *l, struct ra_range r)
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
      reserve(mem, l, l->num + 1);
      memmove(&l->ranges[at + 1], &l->ranges[at], (l->num - at) * sizeof(r));
      l->ranges[at] = r;
      l->num++;
   }
}

void
ra_merge(struct ir_arena *mem, struct ra_life *a, const struct ra_life *b)
{
   if (b->num < 4 || b->num * 8 < a->num) {
      for (uint32_t i = 0; i < b->num; i++)
         insert(mem, a, b->ranges[i]);
      return;
   }
   uint32_t i = a->num, k = b->num, to = i + k, n = 0;
   reserve(mem, a, to);
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
