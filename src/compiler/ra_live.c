/* SPDX-License-Identifier: MIT */
/* Lives of units that one block does not tell (ra_local.c), one unit at a time: from
 * each read that no write in its block precedes, back through predecessors to the
 * writes; over the logical graph for VGPRs and the linear graph for SGPRs (see mir.h).
 * Where the unit is only alive, whole regions are taken at once (ra_regions.c): the
 * work is that of the operands, not that of all blocks that all units live in. */
#include <stdlib.h>

#include "ra.h"

enum kind { READ, READ_KEPT, READ_WRITE, WRITE, WRITE_WIDE };

struct event { uint32_t pos, next, block : 29, kind : 3; };

/* Events of a unit in program order: a list of indices + 1. */
struct events { uint32_t first, last_block; };

struct state {
   struct mir_program *p;
   struct ra_local local;
   struct event *events;      /* of the units that are not local */
   uint32_t num_events, max_events;
   struct events *of;         /* by unit */
   uint32_t *early, *first_early; /* blocks that have the unit in early_units */
   /* by block: the unit that was there last, + 1. `in` is for blocks whose predecessors
    * have been seen to. */
   uint32_t *in, *out, *writes, *is_early;
   const struct ra_regions *regions[2]; /* by file; NULL: nobody asked yet */
   uint32_t *reading;         /* blocks that read the unit before they write it */
   uint32_t *written, num_written; /* blocks that write it */
   uint32_t *work, num_work;  /* others, at whose end it is alive */
   struct stretch { uint32_t first, last; } *through; /* blocks, none of which writes it */
   uint32_t num_through;
   struct ra_range *ranges;   /* of the unit that is worked on */
   uint32_t num, max;
};

static const struct event *
next_event(const struct state *s, uint32_t index)
{
   return index ? &s->events[index - 1] : NULL;
}

static __attribute__((noinline)) void
add_event(struct state *s, const struct mir_inst *inst, uint32_t unit, enum kind kind)
{
   struct events *of = &s->of[unit];
   if (s->num_events == s->max_events)
      s->events = ir_temp_grow(s->p->sh, s->events, &s->max_events, sizeof(*s->events));
   s->events[s->num_events] = (struct event){ inst->pos, of->first, inst->block->index, kind };
   if (!of->first)
      of->last_block = inst->block->index;
   of->first = ++s->num_events;
}

/* Most units are local, and most operands one dword. */
static inline void
add_events(struct state *s, const struct mir_inst *inst, mir_reg r, unsigned n, enum kind kind)
{
   const uint32_t *home = &s->local.home[mir_unit_id(r)];
   while (n-- > 0) {
      if (home[n] == RA_NOT_LOCAL)
         add_event(s, inst, mir_unit_id(r) + n, kind);
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

/* In what was found last? Most of the rest is. */
static bool
is_found(const struct state *s, uint32_t block)
{
   const struct stretch *last = s->num_through ? &s->through[s->num_through - 1] : NULL;
   return last && block >= last->first && block <= last->last;
}

/* The first block behind the last write in front of `block`. */
static uint32_t
behind_writes(const struct state *s, uint32_t block)
{
   uint32_t lo = 0, hi = s->num_written;
   while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (s->written[mid] < block)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo ? s->written[lo - 1] + 1 : 0;
}

static void
alive_at_end(struct state *s, uint32_t mark, uint32_t block)
{
   if (s->out[block] == mark || is_found(s, block))
      return;
   s->out[block] = mark;
   if (s->writes[block] != mark)
      s->work[s->num_work++] = block;
}

static void
alive_at_start(struct state *s, uint32_t mark, const struct mir_block *b)
{
   if (s->in[b->index] == mark)
      return;
   s->in[b->index] = mark;
   if (s->p->units[mark - 1].file == MIR_VGPR) {
      for (uint32_t k = 0; k < b->num_lpreds; k++) {
         const struct mir_block *p = b->lpreds[k];
         if (p->num_lpreds || !p->index) /* no lane comes to the latch of a loop of one turn */
            alive_at_end(s, mark, p->index);
      }
      return;
   }
   for (uint32_t k = 0; k < b->num_xpreds; k++) {
      const struct mir_block *p = b->xpreds[k];
      if (p->early_target != b || s->is_early[p->index] != mark)
         alive_at_end(s, mark, p->index);
   }
}

#define MANY_PREDS 4

/* A block that many breaks lead to: what is alive at its start is alive in the region in
 * front of it, as a whole, if there is one. Returns the block that is alive at its start
 * then, or this one. */
static uint32_t
region_before(struct state *s, uint32_t mark, uint32_t block)
{
   if (s->p->units[mark - 1].file != MIR_VGPR || s->p->blocks[block]->num_lpreds < MANY_PREDS || s->in[block] == mark)
      return block;
   const uint32_t first = ra_region_start(s->regions[MIR_VGPR], block, behind_writes(s, block));
   if (first < block) {
      s->in[block] = mark;
      if (!is_found(s, block - 1) || !is_found(s, first))
         s->through[s->num_through++] = (struct stretch){ first, block - 1 };
   }
   return first;
}

/* From where a block starts that reads it back to where the unit was written. */
static void
follow(struct state *s, uint32_t mark, uint32_t block)
{
   const struct ra_regions *regions = s->regions[s->p->units[mark - 1].file];
   alive_at_start(s, mark, s->p->blocks[region_before(s, mark, block)]);
   while (s->num_work) {
      uint32_t last = s->work[--s->num_work], first = ra_region_start(regions, last, behind_writes(s, last));
      if (is_found(s, last))
         continue;
      s->through[s->num_through++] = (struct stretch){ first, last };
      alive_at_start(s, mark, s->p->blocks[region_before(s, mark, first)]);
   }
}

/* Where the unit is alive at a block's start and end. */
static void
spread(struct state *s, uint32_t u)
{
   const enum mir_file file = s->p->units[u].file;
   const uint32_t mark = u + 1;
   uint32_t block = ~0u, num_reading = 0;

   if (!s->regions[file])
      s->regions[file] = ra_regions_find(s->p, file, s->local.defines);
   for (uint32_t i = s->first_early[u]; i < s->first_early[u + 1]; i++)
      s->is_early[s->early[i]] = mark;
   s->num_written = 0;
   for (const struct event *i = next_event(s, s->of[u].first); i; i = next_event(s, i->next)) {
      if (i->block != block && i->kind < WRITE)
         s->reading[num_reading++] = i->block;
      if (i->kind >= WRITE && s->writes[i->block] != mark) {
         s->written[s->num_written++] = i->block;
         s->writes[i->block] = mark;
      }
      block = i->block;
   }
   while (num_reading--) /* the last first: they are mostly found with it */
      follow(s, mark, s->reading[num_reading]);
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
   bool open = e->kind < WRITE;
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
by_first(const void *x, const void *y)
{
   uint32_t a = ((const struct stretch *)x)->first, b = ((const struct stretch *)y)->first;
   return a < b ? -1 : a > b;
}

#define FEW 24

/* They were found from the end, mostly. */
static void
sort_stretches(struct state *s)
{
   struct stretch *t = s->through;
   uint32_t n = s->num_through;
   for (uint32_t i = 0; i < n / 2; i++) {
      struct stretch other = t[n - 1 - i];
      t[n - 1 - i] = t[i];
      t[i] = other;
   }
   if (n > FEW)
      qsort(t, n, sizeof(*t), by_first);
   for (uint32_t i = 1; i < n; i++) {
      struct stretch it = t[i];
      uint32_t at = i;
      for (; at && t[at - 1].first > it.first; at--)
         t[at] = t[at - 1];
      t[at] = it;
   }
}

static void
unit_ranges(struct state *s, uint32_t u)
{
   const struct event *e = next_event(s, s->of[u].first);
   uint32_t t = 0, done = 0; /* blocks before it */
   s->num_through = 0;
   /* Most units are written and read in one block. */
   if (e && (e->kind < WRITE || e->block != s->of[u].last_block))
      spread(s, u);
   if (s->num_through > 1)
      sort_stretches(s);
   while (e || t < s->num_through) {
      if (t < s->num_through && (!e || s->through[t].first <= e->block)) {
         struct stretch it = s->through[t++]; /* some lie in each other */
         it.first = it.first < done ? done : it.first;
         if (it.first > it.last)
            continue;
         add_range(s, 2 * s->p->blocks[it.first]->first_pos, 2 * s->p->blocks[it.last]->last_pos + 2);
         done = it.last + 1;
      } else if (e->block < done) {
         e = next_event(s, e->next); /* a read where it is alive anyway */
      } else {
         e = block_ranges(s, u, e);
      }
   }
}

/* What one block does not tell. */
static void
find_rest(struct state *s, struct ra_lives *lives, const uint32_t *rest, uint32_t num_rest)
{
   struct mir_program *p = s->p;
   uint32_t n = p->num_units, blocks = p->num_blocks + 1;
   uint32_t *by_block = ir_temp(p->sh, 4 * (size_t)blocks * sizeof(*by_block));
   s->in = by_block;
   s->out = s->in + blocks;
   s->writes = s->out + blocks;
   s->is_early = s->writes + blocks;
   s->reading = ir_temp_any(p->sh, 3 * (size_t)blocks * sizeof(*s->reading));
   s->written = s->reading + blocks;
   s->work = s->written + blocks;
   s->through = ir_temp_any(p->sh, 2 * (size_t)blocks * sizeof(*s->through));
   s->of = ir_temp(p->sh, (n + 1) * sizeof(*s->of));
   s->first_early = ir_temp(p->sh, (n + 2) * sizeof(*s->first_early));
   s->max_events = 3 * p->num_insts + 64; /* more than most have */
   s->events = ir_temp_any(p->sh, s->max_events * sizeof(*s->events));
   collect_events(s);
   collect_early(s);
   for (uint32_t i = 0; i < num_rest; i++) {
      const uint32_t u = rest[i];
      struct ra_life *l = &lives->unit[u];
      s->num = 0;
      if (p->units[u].everywhere)
         add_range(s, 0, 2 * lives->num_pos + 2);
      else
         unit_ranges(s, u);
      l->num = l->max = s->num;
      l->ranges = s->num ? ir_arena_alloc(lives->mem, s->num * sizeof(*l->ranges)) : NULL;
      if (s->num)
         memcpy(l->ranges, s->ranges, s->num * sizeof(*l->ranges));
   }
}

void
ra_lives_find(struct mir_program *p, struct ir_arena *mem, struct ra_lives *lives)
{
   struct state s = { .p = p };
   uint32_t num_rest = 0, *rest = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*rest));
   lives->mem = mem;
   lives->num_pos = ra_local_find(p, mem, &s.local);
   lives->num_units = p->num_units;
   lives->unit = ir_arena_alloc(mem, (p->num_units + 1) * sizeof(*lives->unit));
   for (uint32_t u = 0; u < p->num_units; u++) {
      const uint32_t home = s.local.home[u];
      lives->unit[u] = (struct ra_life){ &s.local.range[u], home != 0, home != 0 };
      rest[num_rest] = u;
      num_rest += (home == RA_NOT_LOCAL) | p->units[u].everywhere;
   }
   if (num_rest)
      find_rest(&s, lives, rest, num_rest);
}
