/* SPDX-License-Identifier: MIT */
/* Spilling. A VGPR goes to the lane's scratch memory: stored behind each write,
 * loaded before each read, so that what is left lives for one instruction; a
 * vector result is first taken apart into units that can go. An SGPR group that
 * one scalar load or move from inputs or constants made is made again before
 * each use; others go to lanes of a VGPR that lives everywhere, which EXEC does
 * not touch (v_writelane, v_readlane). */
#include <stdlib.h>

#include "ra.h"
#include "target.h"

struct group_info {
   uint32_t defs, uses;      /* instructions, weighted by loop depth */
   uint32_t num_defs;
   struct mir_inst *def;     /* the last one seen */
   bool odd;                 /* takes part in something that spilling cannot split */
};

struct spiller {
   struct mir_program *p;
   struct group_info *info;  /* by first unit */
   uint8_t *chosen;          /* by first unit */
   uint32_t *slot;           /* scratch dword or SGPR lane, by first unit */
   mir_reg lanes;            /* VGPR with free lanes */
   uint32_t lanes_used;
   uint32_t num_units;       /* when spilling began: later units are its own */
};

static uint32_t
first_unit(const struct mir_program *p, mir_reg r)
{
   return mir_unit_id(r) - p->units[mir_unit_id(r)].index;
}

/* How r's group is spilled: 0 not, 1 to memory or lanes, 2 made again. */
static uint8_t
choice(const struct spiller *s, mir_reg r)
{
   return mir_is_virt(r) && mir_unit_id(r) < s->num_units ? s->chosen[first_unit(s->p, r)] : 0;
}

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
            struct group_info *g = &s->info[first_unit(s->p, r)];
            if (i < 4) {
               g->uses += weight(b);
            } else {
               g->defs += weight(b);
               g->num_defs++;
               g->def = inst;
            }
         }
      }
   }
}

static bool
input_or_constant(const struct mir_program *p, mir_reg r)
{
   if (mir_is_virt(r))
      return p->units[mir_unit_id(r)].fixed && p->units[mir_unit_id(r)].file == MIR_SGPR;
   return r >= ISA_INT_0;
}

/* A descriptor that one instruction loads from inputs: what is loaded through it
 * can be loaded again wherever it stays alive. */
static bool
stable(const struct spiller *s, mir_reg r)
{
   if (!mir_is_virt(r) || mir_unit_id(r) >= s->num_units)
      return false;
   uint32_t first = first_unit(s->p, r);
   const struct group_info *g = &s->info[first];
   if (s->p->units[first].file != MIR_SGPR || s->chosen[first] || g->num_defs != 1 ||
       g->def->def[0] != MIR_VIRT + first || g->def->def_n[0] != s->p->units[first].size ||
       !mir_info(g->def) || mir_info(g->def)->unit != ISA_UNIT_SMEM)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (g->def->src[i] != ISA_NONE && !input_or_constant(s->p, g->def->src[i]))
         return false;
   }
   return true;
}

/* Can the group be made again anywhere from what never changes? */
static bool
can_rematerialise(const struct spiller *s, uint32_t first)
{
   const struct group_info *g = &s->info[first];
   if (g->num_defs != 1 || g->def->side_effect || g->def->def[0] != MIR_VIRT + first ||
       g->def->def_n[0] != s->p->units[first].size)
      return false;
   if (g->def->i.op != MIR_COPY) {
      const struct isa_op_info *info = mir_info(g->def);
      if (!info || (info->unit != ISA_UNIT_SMEM && g->def->i.op != ISA_S_MOV_B32) || (info->flags & ISA_STORES))
         return false;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (g->def->src[i] != ISA_NONE && !input_or_constant(s->p, g->def->src[i]) && !stable(s, g->def->src[i]))
         return false;
   }
   return true;
}

/* What it is made from has to stay. */
static void
keep_sources(struct spiller *s, const struct mir_inst *def)
{
   for (unsigned i = 0; i < 4; i++) {
      if (mir_is_virt(def->src[i]) && !s->p->units[mir_unit_id(def->src[i])].fixed)
         s->p->units[first_unit(s->p, def->src[i])].no_spill = true;
   }
}

/* Index of the group's part that r names. */
static unsigned
part(const struct mir_program *p, mir_reg r)
{
   return p->units[mir_unit_id(r)].index;
}

static mir_reg
temporary(struct mir_program *p, uint32_t like)
{
   const struct mir_unit u = p->units[like];
   mir_reg r = mir_new_reg_aligned(p, u.file, u.size, u.align);
   for (unsigned i = 0; i < u.size; i++)
      mir_unit(p, r + i)->no_spill = true;
   return r;
}

/* --- VGPRs --- */

/* An atomic's data is where its result goes: such groups stay vectors. */
static bool
is_tied(const struct mir_inst *inst, unsigned src)
{
   return src == 3 && inst->src[3] == inst->def[0] && inst->src_n[3] > 1;
}

static uint8_t *
find_tied(const struct mir_program *p)
{
   uint8_t *tied = calloc(p->num_units + 1, 1);
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         if (tied && mir_is_virt(inst->src[3]) && is_tied(inst, 3))
            tied[first_unit(p, inst->src[3])] = 1;
      }
   }
   return tied;
}

/* A vector for one read, out of the single units. */
static void
gather_singles(struct mir_program *p, struct mir_inst *inst, unsigned src, const mir_reg *single)
{
   mir_reg r = mir_new_reg(p, MIR_VGPR, inst->src_n[src]);
   for (unsigned k = 0; k < inst->src_n[src]; k++) {
      struct mir_inst *copy = mir_inst_create(p, MIR_COPY);
      mir_unit(p, r + k)->no_spill = true;
      copy->def[0] = r + k;
      copy->src[0] = single[mir_unit_id(inst->src[src]) + k];
      copy->def_n[0] = copy->src_n[0] = 1;
      mir_insert_before(inst, copy);
   }
   inst->src[src] = r;
}

static void
copy_to_singles(struct mir_program *p, struct mir_inst *inst, const mir_reg *single)
{
   struct mir_inst *at = inst;
   for (unsigned k = 0; k < inst->def_n[0]; k++) {
      struct mir_inst *copy = mir_inst_create(p, MIR_COPY);
      copy->def[0] = single[mir_unit_id(inst->def[0]) + k];
      copy->src[0] = inst->def[0] + k;
      copy->def_n[0] = copy->src_n[0] = 1;
      mir_insert_after(at, copy);
      at = copy;
   }
}

/* The wanted vectors become units of one dword, which can be spilled; instructions that
 * need them whole have vectors of their own. */
static void
split_vectors(struct mir_program *p, const uint8_t *wanted)
{
   uint32_t num = p->num_units;
   uint8_t *tied = find_tied(p);
   mir_reg *single = calloc(num + 1, sizeof(*single));
   for (uint32_t u = 0; single && tied && u < num; u++) {
      const struct mir_unit *unit = &p->units[u];
      if (unit->file == MIR_VGPR && unit->size > 1 && !unit->fixed && !unit->no_spill && wanted[u - unit->index])
         single[u] = mir_new_reg(p, MIR_VGPR, 1);
   }
   mir_foreach_block(p, b) {
      mir_foreach_inst_safe(b, inst) {
         mir_reg d = inst->def[0];
         if (!single || !tied)
            continue;
         for (unsigned i = 0; i < 4; i++) {
            mir_reg r = inst->src[i];
            if (!mir_is_virt(r) || mir_unit_id(r) >= num || !single[mir_unit_id(r)] || is_tied(inst, i) ||
                (i == 3 && r == d && tied[first_unit(p, r)]))
               continue;
            if (inst->src_n[i] == 1)
               inst->src[i] = single[mir_unit_id(r)];
            else if (!tied[first_unit(p, r)])
               gather_singles(p, inst, i, single);
         }
         if (!mir_is_virt(d) || mir_unit_id(d) >= num || !single[mir_unit_id(d)])
            continue;
         if (inst->def_n[0] == 1 && !tied[first_unit(p, d)])
            inst->def[0] = single[mir_unit_id(d)];
         else
            copy_to_singles(p, inst, single);
      }
   }
   for (uint32_t u = 0; single && u < num; u++)
      p->units[u].no_spill |= single[u] != 0;
   free(single);
   free(tied);
}

static void
spill_vgpr_in(struct spiller *s, struct mir_inst *inst)
{
   struct mir_program *p = s->p;
   bool reads_dst = mir_info(inst) && (mir_info(inst)->flags & ISA_READS_DST);
   for (unsigned i = 0; i < 6; i++) {
      mir_reg r = i < 4 ? inst->src[i] : inst->def[i - 4];
      if (!choice(s, r) || p->units[mir_unit_id(r)].file != MIR_VGPR)
         continue;
      mir_reg t = temporary(p, mir_unit_id(r));
      uint32_t imm = s->slot[mir_unit_id(r)] * 4;
      bool read = false, written = false;
      for (unsigned k = 0; k < 6; k++) {
         mir_reg *o = k < 4 ? &inst->src[k] : &inst->def[k - 4];
         if (*o != r)
            continue;
         *o = t;
         read |= k < 4 || reads_dst;
         written |= k >= 4;
      }
      if (read)
         mir_scratch_load(p, inst->block, inst, t, ISA_NONE, imm);
      if (written && inst->i.op != MIR_UNDEF) {
         if (inst->next)
            mir_scratch_store(p, inst->block, inst->next, t, ISA_NONE, imm);
         else
            mir_scratch_store(p, inst->block, NULL, t, ISA_NONE, imm);
      }
   }
}

/* --- SGPRs --- */

static void
lane_access(struct spiller *s, struct mir_inst *at, bool after, bool write, mir_reg sgpr, uint32_t slot)
{
   struct mir_program *p = s->p;
   struct mir_inst *m = mir_inst_create(p, write ? ISA_V_WRITELANE_B32 : ISA_V_READLANE_B32);
   mir_reg vgpr = MIR_VIRT + slot / 64; /* slot = unit * 64 + lane */
   m->def[0] = write ? vgpr : sgpr;
   m->src[0] = write ? sgpr : vgpr;
   m->def_n[0] = m->src_n[0] = 1;
   m->src[1] = ISA_INT(slot % 64);
   m->src_n[1] = 1;
   m->side_effect = write;
   if (after)
      mir_insert_after(at, m);
   else
      mir_insert_before(at, m);
}

static uint32_t
new_lanes(struct spiller *s, unsigned n)
{
   if (!s->lanes || s->lanes_used + n > 64) {
      s->lanes = mir_new_reg(s->p, MIR_VGPR, 1);
      mir_unit(s->p, s->lanes)->everywhere = true;
      mir_unit(s->p, s->lanes)->no_spill = true;
      s->lanes_used = 0;
   }
   uint32_t slot = mir_unit_id(s->lanes) * 64 + s->lanes_used;
   s->lanes_used += n;
   return slot;
}

static void
remake(struct spiller *s, struct mir_inst *before, const struct mir_inst *def, mir_reg t)
{
   struct mir_inst *m = mir_inst_create(s->p, def->i.op);
   struct mir_inst *prev = m->prev, *next = m->next;
   *m = *def;
   m->prev = prev;
   m->next = next;
   m->def[0] = t;
   m->flags = 0;
   mir_insert_before(before, m);
}

/* The load of one dword that is part of this one; ISA_OP_COUNT: there is none. */
static unsigned
narrow_load(const struct mir_inst *def)
{
   if (def->src[1] != ISA_NONE || def->i.offset + 64 > 0xfffff)
      return ISA_OP_COUNT;
   switch (def->i.op) {
   case ISA_S_LOAD_DWORDX2: case ISA_S_LOAD_DWORDX4: case ISA_S_LOAD_DWORDX8: case ISA_S_LOAD_DWORDX16:
      return ISA_S_LOAD_DWORD;
   case ISA_S_BUFFER_LOAD_DWORDX2: case ISA_S_BUFFER_LOAD_DWORDX4: case ISA_S_BUFFER_LOAD_DWORDX8:
   case ISA_S_BUFFER_LOAD_DWORDX16:
      return ISA_S_BUFFER_LOAD_DWORD;
   default:
      return ISA_OP_COUNT;
   }
}

/* Where one dword of a wide load is read, that dword is loaded alone. */
static bool
remake_part(struct spiller *s, struct mir_inst *inst, unsigned operand)
{
   struct mir_program *p = s->p;
   mir_reg r = inst->src[operand];
   const struct mir_inst *def = s->info[first_unit(p, r)].def;
   unsigned op = narrow_load(def), at = part(p, r);
   if (op == ISA_OP_COUNT || inst->src_n[operand] != 1)
      return false;
   mir_reg t = mir_new_reg(p, MIR_SGPR, 1);
   mir_unit(p, t)->no_spill = true;
   struct mir_inst *m = mir_inst_create(p, op);
   m->def[0] = t;
   m->def_n[0] = 1;
   m->src[0] = def->src[0];
   m->src_n[0] = def->src_n[0];
   m->i.offset = def->i.offset + 4 * at;
   mir_insert_before(inst, m);
   for (unsigned i = 0; i < 4; i++) {
      if (inst->src[i] == r && inst->src_n[i] == 1)
         inst->src[i] = t;
   }
   return true;
}

static void
spill_sgpr_in(struct spiller *s, struct mir_inst *inst)
{
   struct mir_program *p = s->p;
   for (unsigned i = 0; i < 6; i++) {
      mir_reg r = i < 4 ? inst->src[i] : inst->def[i - 4];
      if (!choice(s, r) || p->units[mir_unit_id(r)].file != MIR_SGPR)
         continue;
      uint32_t first = first_unit(p, r);
      bool remat = s->chosen[first] == 2;
      if (remat && i < 4 && remake_part(s, inst, i))
         continue;
      mir_reg t = temporary(p, first);
      unsigned reads = 0, writes = 0; /* parts */
      for (unsigned k = 0; k < 6; k++) {
         mir_reg *o = k < 4 ? &inst->src[k] : &inst->def[k - 4];
         unsigned n = k < 4 ? inst->src_n[k] : inst->def_n[k - 4];
         if (!mir_is_virt(*o) || first_unit(p, *o) != first)
            continue;
         unsigned mask = ((1u << n) - 1) << part(p, *o);
         *o = t + part(p, *o);
         *(k < 4 ? &reads : &writes) |= mask;
      }
      for (unsigned k = 0; k < p->units[first].size; k++) {
         if (!remat && (reads >> k & 1))
            lane_access(s, inst, false, false, t + k, s->slot[first] + k);
         if (!remat && (writes >> k & 1))
            lane_access(s, inst, true, true, t + k, s->slot[first] + k);
      }
      if (remat && reads)
         remake(s, inst, s->info[first].def, t);
   }
}

/* --- both --- */

static void
spill_chosen(struct spiller *s)
{
   struct mir_program *p = s->p;
   uint32_t num = p->num_units, vgprs = 0;
   for (uint32_t u = 0; u < num; u += p->units[u].size) {
      if (!s->chosen[u])
         continue;
      if (p->units[u].file == MIR_VGPR) {
         s->slot[u] = p->scratch_dwords++;
         p->stats.vgpr_spills++;
         vgprs++;
      } else {
         if (can_rematerialise(s, u)) {
            s->chosen[u] = 2; /* stored nowhere: does not count */
         } else {
            s->slot[u] = new_lanes(s, p->units[u].size);
            p->stats.sgpr_spills += p->units[u].size;
         }
      }
   }
   if (vgprs)
      mir_scratch_setup(p);
   mir_foreach_block(p, b) {
      mir_foreach_inst_safe(b, inst) {
         bool remade = false;
         for (unsigned i = 0; i < 6; i++) {
            remade |= i >= 4 && choice(s, inst->def[i - 4]) == 2;
         }
         if (remade) {
            inst->flags = 1; /* goes when all its copies are made */
            continue;
         }
         spill_vgpr_in(s, inst);
         spill_sgpr_in(s, inst);
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

static bool
start(struct spiller *s, struct mir_program *p)
{
   /* Spilling makes new units; none of those is looked up by chosen. */
   size_t room = p->num_units + 1;
   memset(s, 0, sizeof(*s));
   s->p = p;
   s->num_units = p->num_units;
   s->info = calloc(room, sizeof(*s->info));
   s->chosen = calloc(room, 1);
   s->slot = calloc(room, sizeof(*s->slot));
   if (!s->info || !s->chosen || !s->slot) {
      ir_error(p->sh, "out of memory");
      return false;
   }
   collect(s);
   return true;
}

static void
finish(struct spiller *s)
{
   free(s->info);
   free(s->chosen);
   free(s->slot);
}

static bool
spillable(const struct spiller *s, uint32_t u)
{
   const struct mir_unit *unit = &s->p->units[u];
   if (unit->fixed || unit->no_spill || unit->everywhere || !s->info[u].num_defs)
      return false;
   return unit->file == MIR_SGPR ? unit->size <= 16 : unit->size == 1;
}

/* --- choice --- */

/* A group that is alive somewhere: from its first start to its last end. */
struct candidate {
   uint32_t first, start, end;
   uint64_t score;           /* long for what spilling it costs; 0: cannot be spilled */
};

struct choice_state {
   struct spiller *s;
   struct ra_lives lives;
   enum mir_file file;
   int32_t *change;          /* registers taken and given back, by position */
   struct candidate *groups; /* in the order of their starts */
   uint32_t num_groups;
   uint32_t *alive;          /* those that may be alive where the walk is */
   uint32_t num_alive;
   uint8_t *vectors;         /* groups in the way that could be split */
};

static struct candidate
candidate(const struct choice_state *c, uint32_t first)
{
   struct spiller *s = c->s;
   struct candidate g = { .first = first, .start = ~0u };
   uint64_t length = 0;
   for (unsigned k = 0; k < s->p->units[first].size; k++) {
      const struct ra_life *l = &c->lives.unit[first + k];
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
   if (spillable(s, first) && length >= 8) {
      g.score = length * 256 / (s->info[first].uses + s->info[first].defs + 1) + 1;
      if (c->file == MIR_SGPR && can_rematerialise(s, first))
         g.score *= 4;
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
      const struct ra_life *l = &c->lives.unit[first + k];
      uint32_t at = ra_first_after(l, 0, pos);
      if (at < l->num && l->ranges[at].start <= pos)
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
      bool better = g->score > best_score && !u->no_spill;
      if ((!vector && !better) || !alive_at(c, g->first, pos))
         continue;
      if (vector)
         c->vectors[g->first] = 1;
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
      const struct ra_life *l = &c->lives.unit[first + k];
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

/* Walks the program once and chooses wherever more than `limit` are taken, as
 * far as that can be done. */
static uint32_t
choose(struct choice_state *c, int32_t limit, const struct ra_failure *failure)
{
   uint32_t found = 0, end = 2 * c->lives.num_pos + 2, next = 0;
   int32_t taken = 0;
   for (uint32_t u = 0; u < c->s->num_units; u += c->s->p->units[u].size) {
      if (c->s->p->units[u].file == c->file) {
         struct candidate g = candidate(c, u);
         if (g.end)
            c->groups[c->num_groups++] = g;
      }
   }
   qsort(c->groups, c->num_groups, sizeof(*c->groups), by_start);
   /* What failed counts as too much even where alignment was the reason. */
   const struct ra_life *l = &c->lives.unit[failure->first];
   uint32_t failed = l->num ? l->ranges[0].start : 0;
   for (uint32_t pos = 0; pos < end; pos++) {
      taken += c->change[pos];
      while (next < c->num_groups && c->groups[next].start <= pos)
         c->alive[c->num_alive++] = next++;
      int32_t room = pos == failed && taken <= limit ? taken - 4 : limit;
      while (taken > room) {
         uint32_t best = best_at(c, pos);
         if (best == ~0u)
            break; /* as good as it gets */
         if (c->file == MIR_SGPR && can_rematerialise(c->s, best))
            keep_sources(c->s, c->s->info[best].def);
         c->s->chosen[best] = 1;
         taken -= give_back(c, best, pos);
         found++;
      }
   }
   return found;
}

bool
ra_spill(struct mir_program *p, const struct ra_failure *failure, unsigned round)
{
   struct spiller s;
   struct choice_state c = { .s = &s, .file = p->units[failure->first].file };
   uint32_t found = 0;
   bool split = false;
   if (start(&s, p)) {
      ra_lives_find(p, &p->sh->temp, &c.lives);
      /* Room for what spilling itself needs beside the rest. */
      int32_t limit = ra_limit(p, c.file) - (c.file == MIR_SGPR ? 14 : 8);
      /* When that was not enough, groups find no room between others. */
      limit -= round < 8 ? 5 * round : 40;
      c.change = ir_temp(p->sh, (2 * (size_t)c.lives.num_pos + 4) * sizeof(*c.change));
      c.groups = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*c.groups));
      c.alive = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*c.alive));
      c.vectors = ir_temp(p->sh, p->num_units + 1);
      found = choose(&c, limit, failure);
   }
   if (found) {
      spill_chosen(&s);
   } else if (c.file == MIR_VGPR && c.vectors) {
      for (uint32_t u = 0; u < s.num_units; u++)
         split |= c.vectors[u];
      if (split)
         split_vectors(p, c.vectors);
   }
   finish(&s);
   return (found || split) && !p->sh->error;
}

bool
ra_spill_all(struct mir_program *p)
{
   struct spiller s;
   uint8_t *all = ir_temp_any(p->sh, p->num_units + 1);
   p->lives = NULL;
   memset(all, 1, p->num_units + 1);
   split_vectors(p, all);
   if (!start(&s, p)) {
      finish(&s);
      return false;
   }
   for (uint32_t u = 0; u < p->num_units; u += p->units[u].size)
      s.chosen[u] = spillable(&s, u);
   spill_chosen(&s);
   finish(&s);
   return !p->sh->error;
}
