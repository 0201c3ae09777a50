/* SPDX-License-Identifier: MIT */
/* s_waitcnt: for every register, how many operations of a counter were issued
 * since the one that will write (or still reads) it. Reading or writing a
 * register with an outstanding load waits until at most that many are left;
 * scalar loads return in any order, so they, and LDS while one is under way, wait
 * for 0, and exports likewise before their sources are overwritten. Vega ISA, 4.4 "Manually inserted wait
 * states" and S_WAITCNT. Joins keep the stricter side; runs to a fixed point
 * over the linear graph, then inserts. */
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
   bool mixed;
   uint32_t when[KEYS];         /* number of the last issue that concerns the register */
   uint16_t touched[KEYS], num_touched; /* keys with an issue since the block began */
   bool is_touched[KEYS];
   uint32_t place[KEYS];        /* in the list that merge() works on, + 1 */
};

static void
mark(struct waits *w, unsigned key, unsigned age)
{
   w->when[key] = w->issued[key / REGS] - age;
   if (!w->is_touched[key])
      w->touched[w->num_touched++] = key;
   w->is_touched[key] = true;
}

static void
begin_block(struct waits *w, const struct entry *in)
{
   for (unsigned c = 0; c < COUNTERS; c++) {
      w->issued[c] += 2 * IDLE;
      w->done[c] = w->issued[c] - (in->num ? IDLE : 0); /* all that came before, but nothing that is pending */
   }
   w->mixed = in->mixed;
   for (uint32_t i = 0; i < in->num; i++)
      mark(w, in->pending[i].key, in->pending[i].age);
}

static void
end_block(struct waits *w)
{
   for (unsigned i = 0; i < w->num_touched; i++)
      w->is_touched[w->touched[i]] = false;
   w->num_touched = 0;
}

/* IDLE or how many were issued since. */
static unsigned
age(const struct waits *w, unsigned key)
{
   unsigned c = key / REGS, n = w->issued[c] - w->when[key];
   return w->when[key] <= w->done[c] ? IDLE : n < IDLE - 1 ? n : IDLE - 1;
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

static unsigned
need(const struct waits *w, unsigned counter, mir_reg r, unsigned n, unsigned now)
{
   for (unsigned k = 0; k < n && r + k < REGS; k++) {
      unsigned a = age(w, counter * REGS + r + k);
      if (a == IDLE)
         continue;
      if (counter == EXP || (counter == LGKM && w->mixed))
         a = 0;
      if (a < now)
         now = a;
   }
   return now;
}

static bool
is_reg(mir_reg r)
{
   return r < ISA_INT_0 || isa_is_vgpr(r);
}

static void
needed_counts(const struct mir_inst *inst, const struct waits *w, unsigned *counts)
{
   const struct isa_op_info *info = mir_info(inst);
   counts[VM] = counts[LGKM] = counts[EXP] = IDLE;
   if (w->done[VM] == w->issued[VM] && w->done[LGKM] == w->issued[LGKM] && w->done[EXP] == w->issued[EXP])
      return;
   for (unsigned i = 0; i < 4; i++) {
      if (!is_reg(inst->src[i]) || (info->enc == ISA_ENC_VINTRP && !isa_is_vgpr(inst->src[i])))
         continue;
      counts[VM] = need(w, VM, inst->src[i], inst->src_n[i], counts[VM]);
      counts[LGKM] = need(w, LGKM, inst->src[i], inst->src_n[i], counts[LGKM]);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!is_reg(inst->def[i]))
         continue;
      for (unsigned c = 0; c < COUNTERS; c++)
         counts[c] = need(w, c, inst->def[i], inst->def_n[i], counts[c]);
   }
}

/* At most so many of each are left. */
static void
waited(struct waits *w, const unsigned *counts)
{
   for (unsigned c = 0; c < COUNTERS; c++) {
      if (counts[c] != IDLE && w->issued[c] - counts[c] > w->done[c])
         w->done[c] = w->issued[c] - counts[c];
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
   if (info->counters & ISA_CNT_VM) {
      w->issued[VM]++;
      issue(w, VM, inst->def[0], inst->def_n[0]);
   }
   if (info->counters & ISA_CNT_LGKM) {
      w->issued[LGKM]++;
      issue(w, LGKM, inst->def[0], inst->def_n[0]);
      w->mixed |= info->unit != ISA_UNIT_LDS || inst->i.gds;
   }
   if (info->counters & ISA_CNT_EXP) {
      w->issued[EXP]++;
      for (unsigned i = 0; i < 4; i++)
         issue(w, EXP, inst->src[i], inst->src_n[i]);
   }
}

static void
insert_wait(struct waits *w, struct mir_inst *before, const unsigned *counts)
{
   const struct isa_limits *l = w->limits;
   unsigned vm = counts[VM] == IDLE ? l->max_vmcnt : counts[VM] >= l->max_vmcnt ? l->max_vmcnt - 1u : counts[VM];
   unsigned ex = counts[EXP] == IDLE ? l->max_expcnt : counts[EXP];
   unsigned lg = counts[LGKM] == IDLE ? l->max_lgkmcnt : counts[LGKM] >= l->max_lgkmcnt ? l->max_lgkmcnt - 1u : counts[LGKM];
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
         for (uint32_t i = 0; i < b->num_xsuccs; i++) {
            uint32_t to = b->xsuccs[i]->index;
            if (merge(w, &w->in[to])) {
               stale[to] = true;
               again |= to <= b->index;
            }
         }
         end_block(w);
      }
   }
}

void
wait_insert(struct mir_program *p)
{
   struct waits *w = ir_temp(p->sh, sizeof(*w));
   w->p = p;
   w->limits = isa_limits(p->sh->gfx);
   w->in = ir_temp(p->sh, (p->num_blocks + 1) * sizeof(*w->in));
   if (p->num_blocks > 1)
      find_pending(w);
   mir_foreach_block(p, b) {
      run_block(w, b, true);
      end_block(w);
   }
}
