/* SPDX-License-Identifier: MIT */
/* What is spilled: a walk over the program, which takes the best group out wherever
 * too many registers are alive at once. Groups that are alive stand in a heap; one
 * that comes up where it has a hole sleeps until it is alive again. */
#include <stdlib.h>

#include "ra_spill.h"

/* A group that is alive somewhere. */
struct candidate {
   uint32_t first, start;
   uint64_t score;           /* long for what spilling it costs; 0: cannot be spilled */
   uint32_t sleeper;         /* the next one that wakes where this one does, + 1 */
};

struct choice_state {
   struct spiller *s;
   struct spill_walk *w;
   int32_t *change;          /* registers taken and given back, by position */
   int32_t *change_wide;     /* the same for vectors of VGPRs that can be split */
   struct candidate *groups; /* those that can be spilled, in the order of their starts */
   uint32_t num_groups;
   uint32_t *heap;           /* of those that were alive when they were put there: the best is the first */
   uint32_t heap_size;
   uint32_t *wake;           /* by position: who wakes there, + 1 */
   uint32_t *stuck;          /* by position: 1 where too much is left */
};

static bool
is_splittable(const struct mir_unit *u)
{
   return u->file == MIR_VGPR && u->size > 1 && !u->no_spill && !u->fixed;
}

/* Counts the group's registers; gives it a score. */
static struct candidate
candidate(const struct choice_state *c, uint32_t first)
{
   struct spiller *s = c->s;
   struct candidate g = { .first = first, .start = ~0u };
   const struct mir_unit *unit = &s->p->units[first];
   bool wide = is_splittable(unit);
   uint64_t length = 0;
   for (unsigned k = 0; k < unit->size; k++) {
      const struct ra_life *l = &c->s->lives->unit[first + k];
      for (uint32_t r = 0; r < l->num; r++) {
         length += l->ranges[r].end - l->ranges[r].start;
         c->change[l->ranges[r].start]++;
         c->change[l->ranges[r].end]--;
         c->change_wide[l->ranges[r].start] += wide;
         c->change_wide[l->ranges[r].end] -= wide;
      }
      if (l->num && l->ranges[0].start < g.start)
         g.start = l->ranges[0].start;
   }
   if (spill_possible(s, first) && length >= 8) {
      bool remade = spill_can_remake(s, first);
      if (remade || !c->w->only_remade)
         g.score = length * 256 / (s->info[first].uses + s->info[first].defs + 1) + 1;
      if (remade)
         g.score *= c->w->file == MIR_SGPR ? 4 : 16; /* the other way is memory */
   }
   return g;
}

static int
by_start(const void *x, const void *y)
{
   const struct candidate *a = x, *b = y;
   if (a->start != b->start)
      return a->start < b->start ? -1 : 1;
   return a->first < b->first ? -1 : a->first > b->first;
}

static void
find_groups(struct choice_state *c)
{
   const struct spiller *s = c->s;
   for (uint32_t u = 0; u < s->num_units; u += s->p->units[u].size) {
      if (s->p->units[u].file != c->w->file)
         continue;
      struct candidate g = candidate(c, u);
      if (g.score)
         c->groups[c->num_groups++] = g;
   }
   qsort(c->groups, c->num_groups, sizeof(*c->groups), by_start);
}

/* --- the heap --- */

static bool
is_better(const struct choice_state *c, uint32_t a, uint32_t b)
{
   uint64_t x = c->groups[a].score, y = c->groups[b].score;
   return x != y ? x > y : a < b;
}

static void
push(struct choice_state *c, uint32_t group)
{
   uint32_t at = c->heap_size++;
   for (; at && is_better(c, group, c->heap[(at - 1) / 2]); at = (at - 1) / 2)
      c->heap[at] = c->heap[(at - 1) / 2];
   c->heap[at] = group;
}

static uint32_t
pop(struct choice_state *c)
{
   uint32_t top = c->heap[0], last = c->heap[--c->heap_size], at = 0;
   for (uint32_t child; (child = 2 * at + 1) < c->heap_size; at = child) {
      if (child + 1 < c->heap_size && is_better(c, c->heap[child + 1], c->heap[child]))
         child++;
      if (!is_better(c, c->heap[child], last))
         break;
      c->heap[at] = c->heap[child];
   }
   c->heap[at] = last;
   return top;
}

/* `pos` itself when the group is alive there, where it is alive again, or ~0. */
static uint32_t
alive_from(const struct choice_state *c, uint32_t first, uint32_t pos)
{
   uint32_t from = ~0u;
   for (unsigned k = 0; k < c->s->p->units[first].size; k++) {
      const struct ra_life *l = &c->s->lives->unit[first + k];
      uint32_t r = ra_first_after(l, 0, pos);
      if (r < l->num && l->ranges[r].start <= pos)
         return pos;
      if (r < l->num && l->ranges[r].start < from)
         from = l->ranges[r].start;
   }
   return from;
}

/* The best group alive at `pos`, or ~0. What can no longer be chosen leaves the heap
 * for good: choices are not taken back. */
static uint32_t
best_at(struct choice_state *c, uint32_t pos)
{
   while (c->heap_size) {
      uint32_t top = pop(c);
      struct candidate *g = &c->groups[top];
      if (c->s->info[g->first].kept || (c->w->only_remade && !spill_can_remake(c->s, g->first)))
         continue;
      uint32_t from = alive_from(c, g->first, pos);
      if (from == pos)
         return g->first;
      if (from != ~0u) {
         g->sleeper = c->wake[from];
         c->wake[from] = top + 1;
      }
   }
   return ~0u;
}

/* --- the walk --- */

/* Takes what the group needs from `pos` on out of the sums; returns what it has there. */
static int32_t
give_back(struct choice_state *c, uint32_t first, uint32_t pos)
{
   int32_t here = 0;
   for (unsigned k = 0; k < c->s->p->units[first].size; k++) {
      const struct ra_life *l = &c->s->lives->unit[first + k];
      for (uint32_t r = ra_first_after(l, 0, pos); r < l->num; r++) {
         if (l->ranges[r].start <= pos)
            here++;
         else
            c->change[l->ranges[r].start]--;
         c->change[l->ranges[r].end]++;
      }
   }
   return here;
}

/* Vectors that are alive where too much was left. */
static bool
find_vectors(struct choice_state *c, uint32_t end)
{
   const struct mir_program *p = c->s->p;
   bool found = false;
   for (uint32_t pos = 0, sum = 0; pos <= end; pos++) {
      uint32_t here = c->stuck[pos];
      c->stuck[pos] = sum; /* before this position */
      sum += here;
   }
   c->w->vectors = ir_temp(p->sh, p->num_units + 1);
   for (uint32_t u = 0; u < c->s->num_units; u++) {
      const struct ra_life *l = &c->s->lives->unit[u];
      if (!is_splittable(&p->units[u]))
         continue;
      for (uint32_t r = 0; r < l->num; r++) {
         if (c->stuck[l->ranges[r].end] != c->stuck[l->ranges[r].start])
            c->w->vectors[u - p->units[u].index] = found = true;
      }
   }
   return found;
}

/* As many vectors as where one of them found no room between the others are too many
 * everywhere. */
static int32_t
wide_limit(const struct choice_state *c)
{
   int32_t wide = 0;
   if (!c->w->failed_wide)
      return INT32_MAX;
   for (uint32_t pos = 0; pos <= c->w->failed; pos++)
      wide += c->change_wide[pos];
   return wide - 1;
}

uint32_t
spill_choose(struct spiller *s, struct spill_walk *w)
{
   struct choice_state c = { .s = s, .w = w };
   uint32_t found = 0, end = 2 * s->lives->num_pos + 2, next = 0, stuck = 0;
   int32_t taken = 0, wide = 0;
   c.change = ir_temp(s->p->sh, (end + 2) * sizeof(*c.change));
   c.change_wide = ir_temp(s->p->sh, (end + 2) * sizeof(*c.change_wide));
   c.wake = ir_temp(s->p->sh, (end + 2) * sizeof(*c.wake));
   c.stuck = ir_temp(s->p->sh, (end + 2) * sizeof(*c.stuck));
   c.groups = ir_temp_any(s->p->sh, (s->p->num_units + 1) * sizeof(*c.groups));
   c.heap = ir_temp_any(s->p->sh, (s->p->num_units + 1) * sizeof(*c.heap));
   find_groups(&c);
   const int32_t most_wide = wide_limit(&c);
   for (uint32_t pos = 0; pos < end; pos++) {
      taken += c.change[pos];
      wide += c.change_wide[pos];
      while (next < c.num_groups && c.groups[next].start == pos)
         push(&c, next++);
      for (uint32_t i = c.wake[pos]; i; i = c.groups[i - 1].sleeper)
         push(&c, i - 1);
      /* What failed counts as too much even where alignment was the reason. */
      int32_t room = pos == w->failed && taken <= w->limit ? taken - 4 : w->limit;
      while (taken > room) {
         uint32_t best = best_at(&c, pos);
         if (best == ~0u) {
            if (w->all_or_none)
               return 0;
            break; /* as good as it gets */
         }
         s->chosen[best] = spill_can_remake(s, best) ? 2 : 1;
         if (s->chosen[best] == 2)
            spill_keep_sources(s, best);
         taken -= give_back(&c, best, pos);
         found++;
      }
      c.stuck[pos] = taken > w->split_limit || wide > most_wide;
      stuck += c.stuck[pos];
   }
   w->split = stuck && find_vectors(&c, end);
   return found;
}
