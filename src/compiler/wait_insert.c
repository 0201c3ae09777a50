/* SPDX-License-Identifier: MIT */
/* s_waitcnt: for every register, how many operations of a counter were issued
 * since the one that will write (or still reads) it. Reading or writing a
 * register with an outstanding load waits until at most that many are left;
 * scalar loads return in any order, so they, and LDS while one is under way, wait
 * for 0, and exports likewise before their sources are overwritten. Vega ISA, 4.4 "Manually inserted wait
 * states" and S_WAITCNT. Joins keep the stricter side; runs to a fixed point
 * over the linear graph, then inserts. */
#include <assert.h>

#include "mir.h"

#define REGS 512
#define IDLE 255 /* as an age: nothing under way */

enum { VM, LGKM, EXP, COUNTERS };
#define KEYS (COUNTERS * REGS) /* counter * REGS + register */

/* An operation under way where a block begins. */
struct pending { uint16_t key; uint8_t age; };

struct entry {
   struct pending *pending;
   uint32_t num, max;
   bool mixed; /* LGKM counts more than LDS, which alone returns in order */
};

/* Issues of a counter are numbered, so that time needs no walk over registers:
 * what was issued up to `done` is complete. Numbers go on from block to block. */
struct waits {
   struct mir_program *p;
   const struct isa_limits *limits;
   struct entry *in;            /* by block */
   uint32_t issued[COUNTERS], done[COUNTERS];
   unsigned busy;               /* counters (bits) with something under way */
   bool mixed;
   uint32_t begin[COUNTERS];    /* of the block: what was issued before is older */
   uint32_t *when;              /* by key: number of the last issue that concerns the register */
   uint16_t *touched, num_touched; /* keys with an issue since the block began */
   uint32_t *place;             /* by key: in the list that merge() works on, + 1 */
};

static void
mark(struct waits *w, unsigned key, unsigned age)
{
   unsigned c = key / REGS;
   if (w->when[key] <= w->begin[c])
      w->touched[w->num_touched++] = key;
   w->when[key] = w->issued[c] - age;
}

static void
begin_block(struct waits *w, const struct entry *in)
{
   for (unsigned c = 0; c < COUNTERS; c++) {
      w->issued[c] += 2 * IDLE;
      w->begin[c] = w->issued[c] - IDLE;
      w->done[c] = in->num ? w->begin[c] : w->issued[c]; /* all that came before, but nothing that is pending */
   }
   w->busy = in->num ? (1 << COUNTERS) - 1 : 0;
   w->num_touched = 0;
   w->mixed = in->mixed;
   for (uint32_t i = 0; i < in->num; i++)
      mark(w, in->pending[i].key, in->pending[i].age);
}

/* IDLE or how many were issued since. */
static inline unsigned
age(const struct waits *w, unsigned key)
{
   unsigned c = key / REGS;
   if (w->when[key] <= w->done[c])
      return IDLE;
   unsigned n = w->issued[c] - w->when[key];
   return n < IDLE - 1 ? n : IDLE - 1;
}

/* What is pending now is so where `to` begins, too; the younger counts. True when that is news. */
static bool
merge(struct waits *w, struct entry *to)
{
   bool changed = w->mixed && !to->mixed;
   to->mixed |= w->mixed;
   for (uint32_t i = 0; i < to->num; i++)
      w->place[to->pending[i].key] = i + 1;
   for (unsigned i = 0; i < w->num_touched; i++) {
      unsigned key = w->touched[i], a = age(w, key), at = w->place[key];
      if (a == IDLE || (at && to->pending[at - 1].age <= a))
         continue;
      if (!at) {
         if (to->num == to->max)
            to->pending = ir_temp_grow(w->p->sh, to->pending, &to->max, sizeof(*to->pending));
         at = ++to->num;
      }
      to->pending[at - 1] = (struct pending){ key, a };
      changed = true;
   }
   for (uint32_t i = 0; i < to->num; i++)
      w->place[to->pending[i].key] = 0;
   return changed;
}

static bool
is_reg(mir_reg r)
{
   return r < ISA_INT_0 || isa_is_vgpr(r);
}

/* What is to be waited for before registers are read or written. */
static void
need(const struct waits *w, unsigned counters, mir_reg r, unsigned n, unsigned *counts)
{
   unsigned end = r + n < REGS ? r + n : REGS;
   for (; counters; counters &= counters - 1) {
      unsigned c = __builtin_ctz(counters);
      bool in_order = c == VM || (c == LGKM && !w->mixed);
      for (unsigned k = r; k < end; k++) {
         unsigned a = age(w, c * REGS + k);
         if (a == IDLE)
            continue;
         a = in_order ? a : 0;
         counts[c] = a < counts[c] ? a : counts[c];
      }
   }
}

static void
needed_counts(const struct mir_inst *inst, const struct waits *w, unsigned *counts)
{
   const struct isa_op_info *info = mir_info(inst);
   unsigned busy_loads = w->busy & (1 << VM | 1 << LGKM);
   counts[VM] = counts[LGKM] = counts[EXP] = IDLE;
   if (!w->busy)
      return;
   for (unsigned i = 0; busy_loads && i < 4; i++) {
      if (is_reg(inst->src[i]) && (info->enc != ISA_ENC_VINTRP || isa_is_vgpr(inst->src[i])))
         need(w, busy_loads, inst->src[i], inst->src_n[i], counts);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (is_reg(inst->def[i]))
         need(w, w->busy, inst->def[i], inst->def_n[i], counts);
   }
   /* The field's highest value waits for nothing: one fewer may be left. */
   const unsigned none[COUNTERS] = { w->limits->max_vmcnt, w->limits->max_lgkmcnt, w->limits->max_expcnt };
   for (unsigned c = 0; c < COUNTERS; c++) {
      if (counts[c] != IDLE && counts[c] >= none[c])
         counts[c] = none[c] - 1;
   }
}

/* At most so many of each are left. */
static void
waited(struct waits *w, const unsigned *counts)
{
   for (unsigned c = 0; c < COUNTERS; c++) {
      if (counts[c] != IDLE && w->issued[c] - counts[c] > w->done[c])
         w->done[c] = w->issued[c] - counts[c];
      if (w->done[c] == w->issued[c])
         w->busy &= ~(1 << c);
   }
   if (counts[LGKM] == 0)
      w->mixed = false;
}

static void
issue(struct waits *w, unsigned counter, mir_reg r, unsigned n)
{
   for (unsigned k = 0; is_reg(r) && k < n; k++)
      mark(w, counter * REGS + r + k, 0);
}

static void
executed(struct waits *w, const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   static_assert(ISA_CNT_VM == 1 << VM && ISA_CNT_LGKM == 1 << LGKM && ISA_CNT_EXP == 1 << EXP, "counters as in isa.h");
   unsigned counters = info->counters & (ISA_CNT_VM | ISA_CNT_LGKM | ISA_CNT_EXP);
   if (!counters)
      return;
   w->busy |= counters;
   if (counters & ISA_CNT_VM) {
      w->issued[VM]++;
      issue(w, VM, inst->def[0], inst->def_n[0]);
   }
   if (counters & ISA_CNT_LGKM) {
      w->issued[LGKM]++;
      issue(w, LGKM, inst->def[0], inst->def_n[0]);
      w->mixed |= info->unit != ISA_UNIT_LDS || inst->i.gds;
   }
   if (counters & ISA_CNT_EXP) {
      w->issued[EXP]++;
      for (unsigned i = 0; i < 4; i++)
         issue(w, EXP, inst->src[i], inst->src_n[i]);
   }
}

static void
insert_wait(struct waits *w, struct mir_inst *before, const unsigned *counts)
{
   const struct isa_limits *l = w->limits;
   unsigned vm = counts[VM] == IDLE ? l->max_vmcnt : counts[VM];
   unsigned ex = counts[EXP] == IDLE ? l->max_expcnt : counts[EXP];
   unsigned lg = counts[LGKM] == IDLE ? l->max_lgkmcnt : counts[LGKM];
   struct mir_inst *m = mir_inst_create(w->p, ISA_S_WAITCNT);
   m->i.imm = isa_waitcnt_pack(w->p->sh->gfx, vm, ex, lg);
   m->side_effect = true;
   mir_set_operands(m);
   mir_insert_before(before, m);
   w->p->stats.waits++;
}

static void
run_block(struct waits *w, struct mir_block *b, bool insert)
{
   bool all = w->p->sh->options & TGSIAMD_COMPILE_WAIT_ALL;
   begin_block(w, &w->in[b->index]);
   mir_foreach_inst_safe(b, inst) {
      unsigned counts[COUNTERS];
      if (inst->i.op == ISA_S_WAITCNT)
         continue;
      needed_counts(inst, w, counts);
      if (counts[VM] != IDLE || counts[LGKM] != IDLE || counts[EXP] != IDLE) {
         if (insert)
            insert_wait(w, inst, counts);
         waited(w, counts);
      }
      executed(w, inst);
      if (all && insert && mir_info(inst)->counters && inst->next) {
         static const unsigned zero[COUNTERS];
         insert_wait(w, inst->next, zero);
         waited(w, zero);
      }
   }
}

/* Tells the successors of the block that was run; the first index of one that has
 * to be run again, or UINT32_MAX. */
static uint32_t
end_block(struct waits *w, const struct mir_block *b, bool *stale)
{
   uint32_t first = UINT32_MAX;
   for (uint32_t i = 0; i < b->num_xsuccs; i++) {
      uint32_t to = b->xsuccs[i]->index;
      if (!merge(w, &w->in[to]))
         continue;
      stale[to] = true;
      first = to < first ? to : first;
   }
   return first;
}

/* Finds what is pending where each block begins, going round loops until
 * nothing is news. */
static void
find_pending(struct waits *w)
{
   struct mir_program *p = w->p;
   bool *stale = ir_temp_any(p->sh, p->num_blocks + 1), again = true;
   memset(stale, true, p->num_blocks + 1);
   while (again) {
      again = false;
      mir_foreach_block(p, b) {
         if (!stale[b->index])
            continue;
         stale[b->index] = false;
         run_block(w, b, false);
         again |= end_block(w, b, stale) <= b->index;
      }
   }
}

static bool
goes_back(const struct mir_program *p)
{
   mir_foreach_block(p, b) {
      for (uint32_t i = 0; i < b->num_xsuccs; i++) {
         if (b->xsuccs[i]->index <= b->index)
            return true;
      }
   }
   return false;
}

void
wait_insert(struct mir_program *p)
{
   struct waits *w = ir_temp(p->sh, sizeof(*w));
   bool loops = goes_back(p), *stale = ir_temp_any(p->sh, p->num_blocks + 1);
   w->p = p;
   w->limits = isa_limits(p->sh->gfx);
   w->in = ir_temp(p->sh, (p->num_blocks + 1) * sizeof(*w->in));
   w->when = ir_temp(p->sh, KEYS * sizeof(*w->when));
   w->touched = ir_temp_any(p->sh, KEYS * sizeof(*w->touched));
   w->place = p->num_blocks > 1 ? ir_temp(p->sh, KEYS * sizeof(*w->place)) : NULL;
   if (loops)
      find_pending(w);
   /* Without loops a block is complete when those in front of it have run. */
   mir_foreach_block(p, b) {
      run_block(w, b, true);
      if (!loops)
         end_block(w, b, stale);
   }
}
