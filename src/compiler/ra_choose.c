/* SPDX-License-Identifier: MIT */
/* What is spilled: a walk over the program, which takes the best group out wherever
 * too many registers are alive at once. */
#include <stdlib.h>

#include "ra_spill.h"

/* A group that is alive somewhere: from its first start to its last end. */
struct candidate {
   uint32_t first, start, end;
   uint64_t score;           /* long for what spilling it costs; 0: cannot be spilled */
};

struct choice_state {
   struct spiller *s;
   struct spill_walk *w;
   int32_t *change;          /* registers taken and given back, by position */
   struct candidate *groups; /* in the order of their starts */
   uint32_t num_groups;
   uint32_t *alive;          /* those that may be alive where the walk is */
   uint32_t num_alive;
};

static struct candidate
candidate(const struct choice_state *c, uint32_t first)
{
   struct spiller *s = c->s;
   struct candidate g = { .first = first, .start = ~0u };
   uint64_t length = 0;
   for (unsigned k = 0; k < s->p->units[first].size; k++) {
      const struct ra_life *l = &c->s->lives->unit[first + k];
      for (uint32_t r = 0; r < l->num; r++) {
         length += l->ranges[r].end - l->ranges[r].start;
         c->change[l->ranges[r].start]++;
         c->change[l->ranges[r].end]--;
      }
      if (l->num && l->ranges[0].start < g.start)
         g.start = l->ranges[0].start;
      if (l->num && l->ranges[l->num - 1].end > g.end)
         g.end = l->ranges[l->num - 1].end;
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

static bool
alive_at(const struct choice_state *c, uint32_t first, uint32_t pos)
{
   for (unsigned k = 0; k < c->s->p->units[first].size; k++) {
      if (ra_alive_at(&c->s->lives->unit[first + k], pos))
         return true;
   }
   return false;
}

/* The best group alive at `pos`; forgets those that ended. */
static uint32_t
best_at(struct choice_state *c, uint32_t pos)
{
   const struct mir_program *p = c->s->p;
   uint32_t best = ~0u, kept = 0;
   uint64_t best_score = 0;
   for (uint32_t i = 0; i < c->num_alive; i++) {
      const struct candidate *g = &c->groups[c->alive[i]];
      const struct mir_unit *u = &p->units[g->first];
      if (g->end <= pos || c->s->chosen[g->first])
         continue;
      c->alive[kept++] = c->alive[i];
      bool vector = u->size > 1 && !u->no_spill && !u->fixed;
      bool better = g->score > best_score && !u->no_spill && !c->s->info[g->first].kept &&
                    (!c->w->only_remade || spill_can_remake(c->s, g->first));
      if ((!vector && !better) || !alive_at(c, g->first, pos))
         continue;
      if (vector)
         c->w->vectors[g->first] = 1;
      if (better) {
         best_score = g->score;
         best = g->first;
      }
   }
   c->num_alive = kept;
   return best;
}

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

static void
find_groups(struct choice_state *c)
{
   const struct spiller *s = c->s;
   for (uint32_t u = 0; u < s->num_units; u += s->p->units[u].size) {
      if (s->p->units[u].file != c->w->file)
         continue;
      struct candidate g = candidate(c, u);
      if (g.end)
         c->groups[c->num_groups++] = g;
   }
   qsort(c->groups, c->num_groups, sizeof(*c->groups), by_start);
}

uint32_t
spill_choose(struct spiller *s, struct spill_walk *w)
{
   struct choice_state c = { .s = s, .w = w };
   uint32_t found = 0, end = 2 * s->lives->num_pos + 2, next = 0;
   int32_t taken = 0;
   c.change = ir_temp(s->p->sh, (end + 2) * sizeof(*c.change));
   c.groups = ir_temp_any(s->p->sh, (s->p->num_units + 1) * sizeof(*c.groups));
   c.alive = ir_temp_any(s->p->sh, (s->p->num_units + 1) * sizeof(*c.alive));
   w->vectors = ir_temp(s->p->sh, s->p->num_units + 1);
   find_groups(&c);
   for (uint32_t pos = 0; pos < end; pos++) {
      taken += c.change[pos];
      while (next < c.num_groups && c.groups[next].start <= pos)
         c.alive[c.num_alive++] = next++;
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
   }
   return found;
}
