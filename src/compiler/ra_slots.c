/* SPDX-License-Identifier: MIT */
/* Places of what is spilled: dwords of scratch memory, lanes of VGPRs. Groups of a
 * size whose lives are apart, from the first start to the last end, share a place. */
#include <stdlib.h>

#include "util/macros.h"
#include "ra_spill.h"

#define MAX_SIZE 16

struct spilled { uint32_t first, start, end, next; };

struct slots {
   struct spiller *s;
   struct spilled *all;
   uint32_t num;
   uint32_t *ends;           /* by position: those that end there, + 1 */
   uint32_t *free[2];        /* by file and size - 1: places that are free */
   uint32_t num_free[2][MAX_SIZE];
};

static int
by_start(const void *x, const void *y)
{
   const struct spilled *a = x, *b = y;
   if (a->start != b->start)
      return a->start < b->start ? -1 : 1;
   return a->first < b->first ? -1 : a->first > b->first;
}

static void
find_spilled(struct slots *t)
{
   const struct spiller *s = t->s;
   for (uint32_t u = 0; u < s->num_units; u += s->p->units[u].size) {
      struct spilled g = { .first = u, .start = ~0u };
      if (s->chosen[u] != 1)
         continue;
      for (unsigned k = 0; s->lives && k < s->p->units[u].size; k++) {
         const struct ra_life *l = &s->lives->unit[u + k];
         if (!l->num)
            continue;
         g.start = MIN2(g.start, l->ranges[0].start);
         g.end = MAX2(g.end, l->ranges[l->num - 1].end);
      }
      if (!g.end)
         g.start = 0; /* not known: for itself */
      t->all[t->num++] = g;
   }
   qsort(t->all, t->num, sizeof(*t->all), by_start);
}

static uint32_t *
free_list(struct slots *t, const struct mir_unit *unit)
{
   return t->free[unit->file] + (size_t)(unit->size - 1) * t->num;
}

static uint32_t
take(struct slots *t, uint32_t first)
{
   struct mir_program *p = t->s->p;
   const struct mir_unit *unit = &p->units[first];
   uint32_t *num = &t->num_free[unit->file][unit->size - 1];
   if (*num)
      return free_list(t, unit)[--*num];
   return unit->file == MIR_VGPR ? p->scratch_dwords++ : spill_new_lanes(t->s, unit->size);
}

static void
release(struct slots *t, uint32_t first)
{
   const struct mir_unit *unit = &t->s->p->units[first];
   free_list(t, unit)[t->num_free[unit->file][unit->size - 1]++] = t->s->slot[first];
}

void
spill_find_slots(struct spiller *s)
{
   struct slots t = { .s = s };
   uint32_t end = s->lives ? 2 * s->lives->num_pos + 2 : 0, pos = 0;
   t.all = ir_temp_any(s->p->sh, (s->num_units + 1) * sizeof(*t.all));
   t.ends = ir_temp(s->p->sh, (end + 1) * sizeof(*t.ends));
   find_spilled(&t);
   for (unsigned f = 0; f < 2; f++)
      t.free[f] = ir_temp_any(s->p->sh, ((size_t)(f == MIR_SGPR ? MAX_SIZE : 1) * t.num + 1) * sizeof(*t.free[f]));
   for (uint32_t i = 0; i < t.num; i++) {
      struct spilled *g = &t.all[i];
      for (; g->end && pos <= g->start; pos++) {
         for (uint32_t k = t.ends[pos]; k; k = t.all[k - 1].next)
            release(&t, t.all[k - 1].first);
      }
      s->slot[g->first] = take(&t, g->first);
      if (g->end) {
         g->next = t.ends[g->end];
         t.ends[g->end] = i + 1;
      }
   }
}
