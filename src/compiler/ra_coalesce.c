/* SPDX-License-Identifier: MIT */
/* Copies whose two sides never live at the same time become one unit: phis,
 * vectors built of scalars, two-address operations. Copies in deep loops go
 * first. A single unit may join a vector; two vectors never join. */
#include <stdlib.h>

#include "ra.h"

struct state {
   struct mir_program *p;
   struct ra_lives lives;
   uint32_t *alias; /* unit it became, itself when it did not */
};

static uint32_t
find(struct state *s, uint32_t u)
{
   while (s->alias[u] != u)
      u = s->alias[u] = s->alias[s->alias[u]];
   return u;
}

static void
try_join(struct state *s, struct mir_inst *copy)
{
   if (!mir_is_virt(copy->src[0]))
      return;
   uint32_t d = find(s, mir_unit_id(copy->def[0])), src = find(s, mir_unit_id(copy->src[0]));
   struct mir_unit *ud = &s->p->units[d], *us = &s->p->units[src];
   if (d == src || ud->file != us->file)
      return;
   uint32_t keep, gone;
   if (us->size == 1 && !us->fixed && us->align == 1) {
      keep = d;
      gone = src;
   } else if (ud->size == 1 && !ud->fixed && ud->align == 1) {
      keep = src;
      gone = d;
   } else {
      return;
   }
   if (ra_overlap(&s->lives.unit[keep], &s->lives.unit[gone]))
      return;
   /* The short list goes into the long one. */
   struct ra_life *kept = &s->lives.unit[keep], *other = &s->lives.unit[gone];
   if (other->num > kept->num) {
      struct ra_life t = *kept;
      *kept = *other;
      *other = t;
   }
   ra_merge(kept, other);
   s->alias[gone] = keep;
}

static int
by_depth(const void *x, const void *y)
{
   const struct mir_inst *a = *(struct mir_inst *const *)x, *b = *(struct mir_inst *const *)y;
   if (a->block->loop_depth != b->block->loop_depth)
      return a->block->loop_depth > b->block->loop_depth ? -1 : 1;
   return a->pos < b->pos ? -1 : a->pos > b->pos;
}

static void
rename_reg(struct state *s, mir_reg *r)
{
   if (mir_is_virt(*r))
      *r = MIR_VIRT + find(s, mir_unit_id(*r));
}

void
ra_coalesce(struct mir_program *p)
{
   struct state s = { .p = p };
   uint32_t n = 0, max = 0;
   struct mir_inst **copies = NULL;
   s.alias = malloc((p->num_units + 1) * sizeof(*s.alias));
   if (!s.alias || !ra_lives_find(p, &s.lives)) {
      ir_error(p->sh, "out of memory");
      goto out;
   }
   for (uint32_t u = 0; u < p->num_units; u++)
      s.alias[u] = u;
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         if (inst->i.op != MIR_COPY)
            continue;
         if (n == max) {
            max = max ? max * 2 : 64;
            copies = realloc(copies, max * sizeof(*copies));
         }
         copies[n++] = inst;
      }
   }
   if (n)
      qsort(copies, n, sizeof(*copies), by_depth);
   for (uint32_t i = 0; i < n; i++)
      try_join(&s, copies[i]);
   mir_foreach_block(p, b) {
      for (uint32_t i = 0; i < b->num_early; i++)
         b->early_units[i] = find(&s, b->early_units[i]);
      mir_foreach_inst_safe(b, inst) {
         for (unsigned i = 0; i < 4; i++)
            rename_reg(&s, &inst->src[i]);
         for (unsigned i = 0; i < 2; i++)
            rename_reg(&s, &inst->def[i]);
         if (inst->i.op == MIR_COPY && inst->def[0] == inst->src[0])
            mir_remove(inst);
      }
   }
out:
   ra_lives_free(&s.lives);
   free(s.alias);
   free(copies);
}
