/* SPDX-License-Identifier: MIT */
/* Register assignment: every physical register keeps the sorted ranges that it
 * is taken for; groups are placed in the order in which they begin, each at the
 * lowest place where all its units fit. A lane mask made by a compare tries VCC
 * first, where the short encodings want it. */
#include <stdlib.h>

#include "ra.h"
#include "target.h"

struct group { uint32_t first, start; };

struct phys {
   struct ra_life life;
   uint32_t past;              /* ranges before this one ended before the group being placed */
};

struct state {
   struct mir_program *p;
   struct ra_lives lives;
   struct phys phys[2][256];    /* by file */
   uint32_t now;                /* start of the group being placed */
   uint8_t *likes_vcc;          /* by unit */
};

/* True when `l` has no overlap with what `reg` is taken for. Groups come in the
 * order of their starts: what ended before this one is out of the way for good. */
static bool
is_free(struct phys *reg, const struct ra_life *l, uint32_t now)
{
   uint32_t at = reg->past;
   while (at < reg->life.num && reg->life.ranges[at].end <= now)
      at++;
   reg->past = at;
   for (uint32_t i = 0; i < l->num; i++) {
      at = ra_first_after(&reg->life, at, l->ranges[i].start);
      if (at < reg->life.num && reg->life.ranges[at].start < l->ranges[i].end)
         return false;
   }
   return true;
}

static bool
fits(struct state *s, uint32_t first, unsigned reg)
{
   const struct mir_unit *u = &s->p->units[first];
   for (unsigned i = 0; i < u->size; i++) {
      if (!is_free(&s->phys[u->file][reg + i], &s->lives.unit[first + i], s->now))
         return false;
   }
   return true;
}

static void
take(struct state *s, uint32_t first, unsigned reg)
{
   struct mir_unit *u = &s->p->units[first];
   unsigned end = reg + u->size;
   for (unsigned i = 0; i < u->size; i++) {
      struct phys *phys = &s->phys[u->file][reg + i];
      ra_merge(&phys->life, &s->lives.unit[first + i]);
      phys->past -= phys->past != 0; /* that one may have grown */
      s->p->units[first + i].phys = reg + i;
   }
   if (u->file == MIR_SGPR && reg >= ISA_VCC)
      s->p->uses_vcc = true;
   else if (u->file == MIR_SGPR && end > s->p->num_sgprs)
      s->p->num_sgprs = end;
   else if (u->file == MIR_VGPR && end > s->p->num_vgprs)
      s->p->num_vgprs = end;
}

static bool
is_alive(const struct state *s, uint32_t first)
{
   for (unsigned i = 0; i < s->p->units[first].size; i++) {
      if (s->lives.unit[first + i].num)
         return true;
   }
   return false;
}

static bool
place(struct state *s, uint32_t first)
{
   const struct mir_unit *u = &s->p->units[first];
   unsigned limit = u->file == MIR_SGPR ? s->p->target->max_sgprs : s->p->target->max_vgprs;
   if (s->likes_vcc[first] && fits(s, first, ISA_VCC)) {
      take(s, first, ISA_VCC);
      return true;
   }
   for (unsigned reg = 0; reg + u->size <= limit; reg += u->align) {
      if (fits(s, first, reg)) {
         take(s, first, reg);
         return true;
      }
   }
   return false;
}

static int
by_start(const void *x, const void *y)
{
   const struct group *a = x, *b = y;
   if (a->start != b->start)
      return a->start < b->start ? -1 : 1;
   return a->first < b->first ? -1 : a->first > b->first;
}

static void
find_vcc_friends(struct state *s)
{
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         const struct isa_op_info *info = mir_info(inst);
         if (info && info->enc == ISA_ENC_VOPC && mir_is_virt(inst->def[0]))
            s->likes_vcc[mir_unit_id(inst->def[0])] = 1;
      }
   }
}

static void
rewrite(struct state *s)
{
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < 6; i++) {
            mir_reg *r = i < 4 ? &inst->src[i] : &inst->def[i - 4];
            if (!mir_is_virt(*r))
               continue;
            const struct mir_unit *u = mir_unit(s->p, *r);
            *r = u->file == MIR_VGPR ? ISA_VGPR(u->phys) : u->phys;
         }
      }
   }
}

bool
ra_assign(struct mir_program *p, struct ra_failure *failure)
{
   struct state *s = calloc(1, sizeof(*s));
   struct group *groups = malloc((p->num_units + 1) * sizeof(*groups));
   uint32_t n = 0, min_vgprs = p->num_vgprs;
   bool ok = false;
   if (!s || !groups)
      goto out;
   s->p = p;
   s->likes_vcc = calloc(p->num_units + 1, 1);
   if (!s->likes_vcc || !ra_lives_find(p, &s->lives)) {
      ir_error(p->sh, "out of memory");
      goto out;
   }
   find_vcc_friends(s);
   for (uint32_t u = 0; u < p->num_units; u += p->units[u].size) {
      if (!is_alive(s, u))
         continue;
      if (p->units[u].fixed) {
         take(s, u, p->units[u].phys);
         continue;
      }
      uint32_t start = ~0u;
      for (unsigned i = 0; i < p->units[u].size; i++) {
         if (s->lives.unit[u + i].num && s->lives.unit[u + i].ranges[0].start < start)
            start = s->lives.unit[u + i].ranges[0].start;
      }
      groups[n++] = (struct group){ u, start };
   }
   qsort(groups, n, sizeof(*groups), by_start);
   ok = true;
   for (uint32_t i = 0; i < n && ok; i++) {
      s->now = groups[i].start;
      if (!place(s, groups[i].first)) {
         failure->first = groups[i].first;
         ok = false;
      }
   }
   if (ok) {
      char why[200];
      if ((p->sh->options & TGSIAMD_COMPILE_VALIDATE) && !ra_check(p, why, sizeof(why))) {
         ir_error(p->sh, "internal: register allocation: %s", why);
         ok = false;
      }
   }
   if (ok) {
      rewrite(s);
   } else {
      p->num_sgprs = 0;
      p->num_vgprs = min_vgprs;
      p->uses_vcc = false;
      for (uint32_t u = 0; u < p->num_units; u++) {
         if (!p->units[u].fixed)
            p->units[u].phys = MIR_NO_PHYS;
      }
   }
out:
   if (s) {
      for (unsigned f = 0; f < 2; f++) {
         for (unsigned i = 0; i < 256; i++)
            ra_life_free(&s->phys[f][i].life);
      }
      ra_lives_free(&s->lives);
      free(s->likes_vcc);
   } else {
      ir_error(p->sh, "out of memory");
   }
   free(s);
   free(groups);
   return ok;
}
