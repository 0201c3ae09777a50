/* SPDX-License-Identifier: MIT */
/* Copies whose two sides never live at the same time become one unit: phis,
 * vectors built of scalars, two-address operations. Copies in deep loops go
 * first. A single unit may join a vector; two vectors never join. */
#include "ra.h"

struct state {
   struct mir_program *p;
   struct ra_lives *lives;
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
   if (ra_overlap(&s->lives->unit[keep], &s->lives->unit[gone]))
      return;
   /* The short list goes into the long one. */
   struct ra_life *kept = &s->lives->unit[keep], *other = &s->lives->unit[gone];
   if (other->num > kept->num) {
      struct ra_life t = *kept;
      *kept = *other;
      *other = t;
   }
   ra_merge(s->lives->mem, kept, other);
   s->alias[gone] = keep;
   other->num = 0;
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
   uint32_t deepest = 0;
   s.alias = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*s.alias));
   s.lives = ir_alloc(p->sh, sizeof(*s.lives));
   ra_lives_find(p, &p->sh->arena, s.lives);
   for (uint32_t u = 0; u < p->num_units; u++)
      s.alias[u] = u;
   mir_foreach_block(p, b)
      deepest = b->loop_depth > deepest ? b->loop_depth : deepest;
   for (uint32_t depth = deepest + 1; depth-- > 0;) {
      mir_foreach_block(p, b) {
         for (struct mir_inst *i = b->loop_depth == depth ? b->first : NULL; i; i = i->next) {
            if (i->i.op == MIR_COPY)
               try_join(&s, i);
         }
      }
   }
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
   p->lives = s.lives; /* places of removed copies stay empty */
}
