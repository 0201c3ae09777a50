/* SPDX-License-Identifier: MIT */
/* Spilling: puts into the code what ra_choose.c has chosen. What can be made again
 * where it is read is (ra_remake.c); other VGPRs go to scratch memory (ra_scratch.c),
 * other SGPRs to lanes of a VGPR (ra_lanes.c). Also values made again before
 * registers are assigned, where that makes room for one more wave. */
#include <stdlib.h>

#include "util/macros.h"
#include "ra_spill.h"

static uint32_t
weight(const struct mir_block *b)
{
   uint32_t w = 1;
   for (uint32_t i = 0; i < b->loop_depth && i < 5; i++)
      w *= 8;
   return w;
}

static void
collect(struct spiller *s)
{
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < 6; i++) {
            mir_reg r = i < 4 ? inst->src[i] : inst->def[i - 4];
            if (!mir_is_virt(r))
               continue;
            struct group_info *g = &s->info[spill_first_unit(s->p, r)];
            if (i < 4) {
               g->uses += weight(b);
            } else {
               g->defs += weight(b);
               g->num_defs++;
               g->before = g->def;
               g->def = inst;
            }
         }
      }
   }
}

mir_reg
spill_temporary(struct mir_program *p, uint32_t like)
{
   const struct mir_unit u = p->units[like];
   mir_reg r = mir_new_reg_aligned(p, u.file, u.size, u.align);
   for (unsigned i = 0; i < u.size; i++)
      mir_unit(p, r + i)->no_spill = true;
   return r;
}

bool
spill_possible(const struct spiller *s, uint32_t u)
{
   const struct mir_unit *unit = &s->p->units[u];
   if (unit->fixed || unit->no_spill || unit->everywhere || !s->info[u].num_defs)
      return false;
   return unit->file == MIR_SGPR ? unit->size <= 16 : unit->size == 1;
}

static void
spill_chosen(struct spiller *s)
{
   struct mir_program *p = s->p;
   uint32_t vgprs = 0;
   for (uint32_t u = 0; u < s->num_units; u += p->units[u].size) {
      if (s->chosen[u] != 1)
         continue; /* made again: stored nowhere, does not count */
      if (p->units[u].file == MIR_VGPR) {
         p->stats.vgpr_spills++;
         vgprs++;
      } else {
         p->stats.sgpr_spills += p->units[u].size;
      }
   }
   spill_find_slots(s);
   if (vgprs)
      mir_scratch_setup(p);
   mir_foreach_block(p, b) {
      mir_foreach_inst_safe(b, inst) {
         bool remade = false;
         for (unsigned i = 0; i < 6; i++) {
            remade |= i >= 4 && spill_choice(s, inst->def[i - 4]) == 2;
         }
         if (remade) {
            inst->flags = 1; /* goes when all its copies are made */
            continue;
         }
         spill_to_scratch(s, inst);
         spill_to_lanes(s, inst);
      }
   }
   mir_foreach_block(p, b) {
      mir_foreach_inst_safe(b, inst) {
         if (inst->flags == 1)
            mir_remove(inst);
         inst->flags = 0;
      }
   }
}

/* `lives` may be NULL: then VGPRs are not made again. */
static bool
start(struct spiller *s, struct mir_program *p, const struct ra_lives *lives)
{
   /* Spilling makes new units; none of those is looked up by chosen. */
   size_t room = p->num_units + 1;
   memset(s, 0, sizeof(*s));
   s->p = p;
   s->lives = lives;
   s->num_units = p->num_units;
   s->info = calloc(room, sizeof(*s->info));
   s->chosen = calloc(room, 1);
   s->slot = calloc(room, sizeof(*s->slot));
   if (!s->info || !s->chosen || !s->slot) {
      ir_error(p->sh, "out of memory");
      return false;
   }
   collect(s);
   if (lives)
      spill_find_sure(s);
   return true;
}

static void
finish(struct spiller *s)
{
   free(s->info);
   free(s->chosen);
   free(s->slot);
}

/* Most VGPRs alive at once. */
static unsigned
peak(struct mir_program *p, const struct ra_lives *lives)
{
   const uint32_t end = 2 * lives->num_pos + 2;
   int32_t *change = ir_temp(p->sh, (end + 2) * sizeof(*change)), now = 0, most = 0;
   for (uint32_t u = 0; u < p->num_units; u++) {
      const struct ra_life *l = &lives->unit[u];
      for (uint32_t r = 0; p->units[u].file == MIR_VGPR && r < l->num; r++) {
         change[l->ranges[r].start]++;
         change[l->ranges[r].end]--;
      }
   }
   for (uint32_t pos = 0; pos < end; pos++) {
      now += change[pos];
      most = now > most ? now : most;
   }
   return most;
}

/* VGPRs that may hold spilled SGPRs: what the rest does not need, or a quarter. */
static uint32_t
lane_vgprs(struct mir_program *p, const struct ra_lives *lives)
{
   const int32_t limit = ra_limit(p, MIR_VGPR), rest = peak(p, lives) - p->lanes.num_vgprs;
   return MAX2(limit - rest - 16, limit / 4);
}

/* Where the group begins. */
static uint32_t
group_start(const struct mir_program *p, const struct ra_lives *lives, uint32_t first)
{
   uint32_t start = ~0u;
   for (unsigned k = 0; k < p->units[first].size; k++) {
      const struct ra_life *l = &lives->unit[first + k];
      if (l->num && l->ranges[0].start < start)
         start = l->ranges[0].start;
   }
   return start == ~0u ? 0 : start;
}

/* Registers less in each further round: when making room was not enough, groups find
 * no place between others. */
static int32_t
squeeze(unsigned round)
{
   return round ? 5 << (round - 1) : 0;
}

bool
ra_spill(struct mir_program *p, const struct ra_failure *failure, unsigned *round)
{
   struct spiller s;
   struct ra_lives lives;
   const struct mir_unit *failed = &p->units[failure->first];
   const enum mir_file file = failed->file;
   const int32_t limit = ra_limit(p, file);
   uint32_t found = 0;
   struct spill_walk w = { .file = file, .failed_wide = file == MIR_VGPR && failed->size > 1 };
   ra_lives_find(p, &p->sh->temp, &lives);
   bool ok = start(&s, p, &lives);
   s.max_lane_vgprs = file == MIR_SGPR ? lane_vgprs(p, &lives) : 0;
   w.failed = group_start(p, &lives, failure->first);
   for (; ok && !found && !w.split && squeeze(*round) < 2 * limit; ++*round) {
      /* Room for what spilling itself needs beside the rest. */
      w.limit = MAX2(limit - (file == MIR_SGPR ? 14 : 8) - squeeze(*round), 0);
      w.split_limit = *round ? w.limit : limit;
      found = spill_choose(&s, &w);
   }
   /* What is single then may be better to take than what was found beside vectors. */
   if (ok && w.split)
      spill_split_vectors(p, w.vectors);
   else if (ok && found)
      spill_chosen(&s);
   finish(&s);
   return (found || w.split) && !p->sh->error;
}

/* Makes VGPRs again where they are read, as far as that is needed to hold no more
 * than `limit`, all or as far as possible. false: nothing was done; what it needs costs
 * more than `cost` instructions. */
static bool
remake_vgprs(struct mir_program *p, const struct ra_lives *lives, unsigned limit, bool all_or_none, uint32_t cost)
{
   struct spiller s;
   struct spill_walk w = { .file = MIR_VGPR, .limit = limit, .split_limit = INT32_MAX, .failed = ~0u,
                           .only_remade = true, .all_or_none = all_or_none };
   bool ok = start(&s, p, lives) && spill_choose(&s, &w);
   uint64_t more = 0;
   for (uint32_t u = 0; ok && u < s.num_units; u += p->units[u].size)
      more += s.chosen[u] ? s.info[u].uses - (s.info[u].uses ? 1 : 0) : 0;
   ok = ok && more <= cost;
   if (ok)
      spill_chosen(&s);
   finish(&s);
   return ok;
}

void
ra_gain_wave(struct mir_program *p)
{
   const struct isa_limits *l = isa_limits(p->sh->gfx);
   const unsigned granule = l->vgpr_granule, all = l->phys_vgprs_per_simd;
   if (!p->lives || !all)
      return;
   unsigned most = peak(p, p->lives), waves = all / ((MAX2(most, 1) + granule - 1) / granule * granule);
   unsigned limit = all / (waves + 1) / granule * granule;
   if (waves >= l->max_waves_per_simd || !limit)
      return;
   if (remake_vgprs(p, p->lives, limit, true, p->num_insts / 32))
      p->lives = NULL;
}

bool
ra_spill_all(struct mir_program *p)
{
   struct spiller s;
   struct ra_lives lives;
   p->lives = NULL;
   ra_lives_find(p, &p->sh->temp, &lives);
   remake_vgprs(p, &lives, 0, false, ~0u);
   uint8_t *all = ir_temp_any(p->sh, p->num_units + 1);
   memset(all, 1, p->num_units + 1);
   spill_split_vectors(p, all);
   if (!start(&s, p, NULL)) {
      finish(&s);
      return false;
   }
   s.max_lane_vgprs = 1; /* more in memory: that is tested as well */
   for (uint32_t u = 0; u < p->num_units; u += p->units[u].size)
      s.chosen[u] = spill_possible(&s, u);
   for (uint32_t u = 0; u < p->num_units; u += p->units[u].size) {
      if (s.chosen[u] && spill_can_remake(&s, u))
         s.chosen[u] = 2;
   }
   spill_chosen(&s);
   finish(&s);
   return !p->sh->error;
}
