/* SPDX-License-Identifier: MIT */
/* Register assignment: every physical register keeps the ranges that it is taken for
 * (ra_taken.c); groups are placed one by one, each at the lowest place where all its
 * units fit. Wide ones come first, and single registers fill what is left
 * between them; where that takes more registers than let all waves run, the
 * order in which groups begin is tried as well. A lane mask made by a compare
 * tries VCC first, where the short encodings want it; the two sides of a copy
 * and a sum and its v_mad, which is a shorter v_mac then, try the same place.
 * Exports read their VGPRs late: these are left alone while others cost no wave. */
#include "util/bitscan.h"
#include "util/macros.h"
#include "ra_taken.h"
#include "target.h"

struct group { uint32_t first, start, size; };

struct state {
   struct mir_program *p;
   struct ra_lives *lives;
   struct ra_taken taken;      /* registers of the file being assigned */
   struct group *groups;       /* to be placed */
   uint32_t num_groups;
   struct group *of[2];        /* by file: all that are alive and have no fixed place */
   uint32_t num_of[2];
   uint32_t *fixed, num_fixed; /* groups that have one */
   unsigned used;              /* registers up to the last one taken; VCC is none of them */
   bool uses_vcc;
   uint8_t *likes_vcc;         /* by unit */
   uint32_t *friend;           /* by unit: one that its register would suit as well, + 1 */
   uint8_t *reads_late;        /* by position: who writes what it reads has to wait */
   unsigned roomy;             /* below that, no register is taken again that was read late */
   bool roamed;                /* one was not taken therefore */
   uint16_t *kept;             /* by unit: its register in the attempt before */
};

static bool
fits(struct state *s, uint32_t first, unsigned reg)
{
   const struct mir_unit *u = &s->p->units[first];
   for (unsigned i = 0; i < u->size; i++) {
      if (!ra_taken_is_free(&s->taken, reg + i, &s->lives->unit[first + i]))
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
      ra_taken_add(&s->taken, reg + i, &s->lives->unit[first + i]);
      u[i].phys = reg + i;
   }
   if (u->file == MIR_SGPR && reg >= ISA_VCC)
      s->uses_vcc = true;
   else if (end > s->used)
      s->used = end;
}

/* Where the first unit of the group begins, ~0 when none is alive. */
static uint32_t
start_of(const struct state *s, uint32_t first)
{
   const struct ra_life *l = &s->lives->unit[first], *end = l + s->p->units[first].size;
   uint32_t start = ~0u;
   for (; l < end; l++) {
      if (l->num && l->ranges->start < start)
         start = l->ranges->start;
   }
   return start;
}

/* All waves of a compute group run at once, on the SIMDs of one CU. A group of unknown
 * size may have 1024 lanes. */
static unsigned
vgprs_of_group(const struct mir_program *p)
{
   const struct isa_limits *l = isa_limits(p->sh->gfx);
   const uint32_t *size = p->sh->info.block_size;
   const uint64_t lanes = size[0] ? (uint64_t)size[0] * size[1] * size[2] : 1024;
   const uint64_t waves = DIV_ROUND_UP(DIV_ROUND_UP(lanes, 64), l->simds_per_cu); /* of a SIMD */

   return l->phys_vgprs_per_simd ? l->phys_vgprs_per_simd / MAX2(waves, 1) / l->vgpr_granule * l->vgpr_granule : ~0u;
}

unsigned
ra_limit(const struct mir_program *p, enum mir_file file)
{
   if (file == MIR_SGPR)
      return p->target->max_sgprs;
   return p->sh->stage == TGSIAMD_CS ? MIN2(p->target->max_vgprs, vgprs_of_group(p)) : p->target->max_vgprs;
}

/* True when one of the registers, which are free, was last read by an export. */
static bool
is_read_late(const struct state *s, unsigned reg, unsigned size)
{
   for (const struct ra_phys *r = &s->taken.phys[reg]; r < &s->taken.phys[reg + size]; r++) {
      if (r->behind.num && s->reads_late[r->behind.ranges[r->behind.num - 1].end / 2])
         return true;
   }
   return false;
}

/* True when there is no need to look further than at `reg`. */
static bool
consider(struct state *s, uint32_t first, unsigned reg, unsigned *best)
{
   const unsigned size = s->p->units[first].size;
   if (*best != MIR_NO_PHYS && reg + size > s->roomy)
      return true;
   if (!fits(s, first, reg))
      return false;
   const bool late = reg + size <= s->roomy && is_read_late(s, reg, size);
   if (!late || *best == MIR_NO_PHYS)
      *best = reg;
   s->roamed |= late;
   return !late;
}

/* The lowest place. Most registers are taken now, when a single one is wanted. */
static unsigned
find_place(struct state *s, uint32_t first, unsigned limit)
{
   const struct mir_unit *u = &s->p->units[first];
   unsigned best = MIR_NO_PHYS;
   if (u->size > 1) {
      for (unsigned reg = 0; reg + u->size <= limit; reg += u->align) {
         if (consider(s, first, reg, &best))
            break;
      }
      return best;
   }
   ra_taken_wake(&s->taken);
   for (unsigned base = 0; base < limit; base += 64) {
      for (uint64_t left = s->taken.idle[base / 64]; left; left &= left - 1) {
         unsigned reg = base + ffsll(left) - 1;
         if (reg >= limit || (reg % u->align == 0 && consider(s, first, reg, &best)))
            return best;
      }
   }
   return best;
}

static bool
place(struct state *s, uint32_t first)
{
   const struct mir_unit *u = &s->p->units[first];
   unsigned limit = ra_limit(s->p, u->file);
   if (s->likes_vcc[first] && fits(s, first, ISA_VCC)) {
      take(s, first, ISA_VCC);
      return true;
   }
   for (unsigned i = 0; i < u->size; i++) {
      uint32_t friend = s->friend[first + i];
      unsigned at = friend ? s->p->units[friend - 1].phys : MIR_NO_PHYS;
      if (at != MIR_NO_PHYS && at >= i && at - i + u->size <= limit && (at - i) % u->align == 0 && fits(s, first, at - i)) {
         take(s, first, at - i);
         return true;
      }
   }
   unsigned best = find_place(s, first, limit);
   if (best != MIR_NO_PHYS)
      take(s, first, best);
   return best != MIR_NO_PHYS;
}

#define FEW 16

/* Groups stand in the order of their units; counts how many start where. */
static void
sort_by_start(struct state *s)
{
   for (uint32_t i = 1; s->num_groups <= FEW && i < s->num_groups; i++) {
      struct group it = s->groups[i];
      uint32_t at = i;
      for (; at && s->groups[at - 1].start > it.start; at--)
         s->groups[at] = s->groups[at - 1];
      s->groups[at] = it;
   }
   if (s->num_groups <= FEW)
      return;
   uint32_t num_pos = 2 * s->lives->num_pos + 2, sum = 0;
   uint32_t *place = ir_temp(s->p->sh, num_pos * sizeof(*place));
   struct group *sorted = ir_temp_any(s->p->sh, (s->num_groups + 1) * sizeof(*sorted));
   for (uint32_t i = 0; i < s->num_groups; i++)
      place[s->groups[i].start]++;
   for (uint32_t pos = 0; pos < num_pos; pos++) {
      uint32_t count = place[pos];
      place[pos] = sum;
      sum += count;
   }
   for (uint32_t i = 0; i < s->num_groups; i++)
      sorted[place[s->groups[i].start]++] = s->groups[i];
   s->groups = sorted;
}

static void
make_friends(struct state *s, mir_reg a, mir_reg b)
{
   if (!mir_is_virt(a) || !mir_is_virt(b) || mir_unit(s->p, a)->file != mir_unit(s->p, b)->file)
      return;
   s->friend[mir_unit_id(a)] = mir_unit_id(b) + 1;
   s->friend[mir_unit_id(b)] = mir_unit_id(a) + 1;
}

static void
reads_late(struct state *s, const struct mir_inst *inst)
{
   if (!s->reads_late)
      s->reads_late = ir_temp(s->p->sh, s->lives->num_pos + 2);
   s->reads_late[inst->pos] = 1;
}

static void
find_friends(struct state *s)
{
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         if (inst->i.op == MIR_COPY)
            make_friends(s, inst->def[0], inst->src[0]);
         else if (inst->i.op == ISA_V_MAD_F32)
            make_friends(s, inst->def[0], inst->src[2]);
         const struct isa_op_info *info = mir_info(inst);
         if (info && info->counters & ISA_CNT_EXP)
            reads_late(s, inst);
         if (info && info->enc == ISA_ENC_VOPC && mir_is_virt(inst->def[0]))
            s->likes_vcc[mir_unit_id(inst->def[0])] = 1;
         if (info && info->dst2_dw && mir_is_virt(inst->def[1]))
            s->likes_vcc[mir_unit_id(inst->def[1])] = 1;
      }
   }
}

/* VCC goes to as many as can have it one after the other: to those first whose
 * life ends first. A mask that lives long would keep it from all within. */
static void
choose_vcc_friends(struct state *s)
{
   struct mir_program *p = s->p;
   struct ra_life taken[2] = { 0 };
   s->num_groups = 0;
   s->groups = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*s->groups));
   for (uint32_t u = 0; u < p->num_units; u += p->units[u].size) {
      const struct ra_life *l = &s->lives->unit[u];
      if (s->likes_vcc[u] && l->num)
         s->groups[s->num_groups++] = (struct group){ u, l->ranges[l->num - 1].end, p->units[u].size };
   }
   sort_by_start(s); /* that is, by what stands there: the end */
   for (uint32_t i = 0; i < s->num_groups; i++) {
      const uint32_t u = s->groups[i].first, size = s->groups[i].size;
      const struct ra_life *l = &s->lives->unit[u];
      for (unsigned k = 0; k < size && s->likes_vcc[u]; k++)
         s->likes_vcc[u] = size <= 2 && !ra_overlap(&taken[k], &l[k]);
      for (unsigned k = 0; k < size && s->likes_vcc[u]; k++)
         ra_merge(s->lives->mem, &taken[k], &l[k]);
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

/* Gives registers to the groups of `size`, of all sizes when that is 0. On
 * failure the group that found no place is in *failed. */
static bool
place_groups(struct state *s, unsigned size, uint32_t *failed)
{
   ra_taken_restart(&s->taken, s->lives->num_pos, size <= 1);
   for (uint32_t i = 0; i < s->num_groups; i++) {
      if (size && s->groups[i].size != size)
         continue;
      s->taken.now = s->groups[i].start;
      if (!place(s, s->groups[i].first)) {
         *failed = s->groups[i].first;
         return false;
      }
   }
   return true;
}

static bool
attempt(struct state *s, enum mir_file file, bool wide_first, uint32_t *failed)
{
   struct mir_program *p = s->p;
   uint32_t sizes = 0; /* a bit each */
   ra_taken_clear(&s->taken);
   s->used = 0;
   s->uses_vcc = false;
   for (uint32_t i = 0; i < s->num_groups; i++) {
      for (uint32_t u = s->groups[i].first, end = u + s->groups[i].size; u < end; u++)
         p->units[u].phys = MIR_NO_PHYS;
   }
   for (uint32_t i = 0; i < s->num_fixed; i++) {
      if (p->units[s->fixed[i]].file == file)
         take(s, s->fixed[i], p->units[s->fixed[i]].phys);
   }
   if (!wide_first)
      return place_groups(s, 0, failed);
   for (uint32_t i = 0; i < s->num_groups; i++)
      sizes |= 1u << (s->groups[i].size - 1);
   bool ok = true;
   for (unsigned size = 32; size && ok; size--)
      ok = !(sizes >> (size - 1) & 1) || place_groups(s, size, failed);
   return ok;
}

/* Registers with which as many waves as there can be have a place. */
static unsigned
plenty(const struct mir_program *p, enum mir_file file)
{
   const struct isa_limits *l = isa_limits(p->sh->gfx);
   unsigned all = file == MIR_SGPR ? l->phys_sgprs_per_simd : l->phys_vgprs_per_simd;
   unsigned granule = file == MIR_SGPR ? l->sgpr_granule : l->vgpr_granule;
   unsigned vcc = file == MIR_SGPR ? 2 : 0;
   return all ? all / l->max_waves_per_simd / granule * granule - vcc : ra_limit(p, file);
}

static void
find_groups(struct state *s)
{
   const struct mir_program *p = s->p;
   s->fixed = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*s->fixed));
   for (unsigned file = 0; file < 2; file++)
      s->of[file] = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*s->groups));
   for (uint32_t u = 0; u < p->num_units; u += p->units[u].size) {
      const struct mir_unit *unit = &p->units[u];
      uint32_t start = start_of(s, u);
      if (start == ~0u)
         continue;
      if (unit->fixed)
         s->fixed[s->num_fixed++] = u;
      else
         s->of[unit->file][s->num_of[unit->file]++] = (struct group){ u, start, unit->size };
   }
}

static bool
assign_file(struct state *s, enum mir_file file, uint32_t *failed)
{
   struct mir_program *p = s->p;
   s->groups = s->of[file];
   s->num_groups = s->num_of[file];
   sort_by_start(s);
   s->roomy = file == MIR_VGPR && s->reads_late ? plenty(p, file) : 0;
   s->roamed = false;
   bool ok = attempt(s, file, true, failed), again = s->roamed && (!ok || s->used > s->roomy);
   s->roomy = 0;
   if (again)
      ok = attempt(s, file, true, failed);
   unsigned used = ok ? s->used : ~0u;
   if (used <= plenty(p, file))
      return true;
   const bool vcc = s->uses_vcc;
   for (uint32_t u = 0; u < p->num_units; u++)
      s->kept[u] = p->units[u].phys;
   uint32_t other; /* what is in the way of wide ones first is what spilling asks for */
   if (attempt(s, file, false, &other) && s->used <= used)
      return true;
   for (uint32_t u = 0; u < p->num_units; u++)
      p->units[u].phys = s->kept[u];
   s->used = used;
   s->uses_vcc = vcc;
   return ok;
}

bool
ra_assign(struct mir_program *p, struct ra_failure *failure)
{
   struct state *s = ir_temp(p->sh, sizeof(*s));
   s->p = p;
   s->likes_vcc = ir_temp(p->sh, p->num_units + 1);
   s->friend = ir_temp(p->sh, (p->num_units + 1) * sizeof(*s->friend));
   s->kept = ir_temp_any(p->sh, (p->num_units + 1) * sizeof(*s->kept));
   s->lives = p->lives;
   if (!s->lives) {
      s->lives = ir_temp_any(p->sh, sizeof(*s->lives));
      ra_lives_find(p, &p->sh->temp, s->lives);
   }
   s->taken.sh = p->sh;
   s->taken.mem = s->lives->mem;
   p->lives = NULL; /* what is done next changes the code */
   find_friends(s);
   choose_vcc_friends(s);
   find_groups(s);
   bool ok = assign_file(s, MIR_SGPR, &failure->first);
   unsigned sgprs = s->used;
   bool vcc = s->uses_vcc;
   ok = ok && assign_file(s, MIR_VGPR, &failure->first);
   char why[200];
   if (ok && (p->sh->options & TGSIAMD_COMPILE_VALIDATE) && !ra_check(p, why, sizeof(why))) {
      ir_error(p->sh, "internal: register allocation: %s", why);
      ok = false;
   }
   if (ok) {
      p->num_sgprs = sgprs;
      p->num_vgprs = s->used > p->num_vgprs ? s->used : p->num_vgprs;
      p->uses_vcc = vcc;
      rewrite(s);
   } else {
      for (uint32_t u = 0; u < p->num_units; u++) {
         if (!p->units[u].fixed)
            p->units[u].phys = MIR_NO_PHYS;
      }
   }
   return ok;
}
