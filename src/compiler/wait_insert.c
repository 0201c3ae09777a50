/* SPDX-License-Identifier: MIT */
/* s_waitcnt: for every register, how many operations of a counter were issued
 * since the one that will write (or still reads) it. Reading or writing a
 * register with an outstanding load waits until at most that many are left;
 * scalar loads return in any order, so they, and LDS while one is under way, wait
 * for 0, and exports likewise before their sources are overwritten. Vega ISA, 4.4 "Manually inserted wait
 * states" and S_WAITCNT. Joins keep the stricter side; runs to a fixed point
 * over the linear graph, then inserts. */
#include <stdlib.h>

#include "mir.h"

#define REGS 512
#define IDLE 255

enum { VM, LGKM, EXP, COUNTERS };

/* in_order: IDLE while everything that LGKM counts is LDS, which returns in order; else 0. */
struct state { uint8_t age[COUNTERS][REGS], in_order; };

struct waits {
   struct mir_program *p;
   const struct isa_limits *limits;
   struct state *in; /* by block */
   uint8_t *seen;
};

static void
join(struct state *to, const struct state *from)
{
   uint8_t *t = (uint8_t *)to;
   const uint8_t *f = (const uint8_t *)from;
   for (unsigned i = 0; i < sizeof(*to); i++)
      t[i] = f[i] < t[i] ? f[i] : t[i];
}

static unsigned
need(const struct state *st, unsigned counter, mir_reg r, unsigned n, unsigned now)
{
   for (unsigned k = 0; k < n && r + k < REGS; k++) {
      unsigned age = st->age[counter][r + k];
      if (age == IDLE)
         continue;
      if (counter == EXP || (counter == LGKM && !st->in_order))
         age = 0;
      if (age < now)
         now = age;
   }
   return now;
}

static bool
is_reg(mir_reg r)
{
   return r < ISA_INT_0 || isa_is_vgpr(r);
}

static void
needed_counts(const struct mir_inst *inst, const struct state *st, unsigned *counts)
{
   const struct isa_op_info *info = mir_info(inst);
   counts[VM] = counts[LGKM] = counts[EXP] = IDLE;
   for (unsigned i = 0; i < 4; i++) {
      if (!is_reg(inst->src[i]) || (info->enc == ISA_ENC_VINTRP && !isa_is_vgpr(inst->src[i])))
         continue;
      counts[VM] = need(st, VM, inst->src[i], inst->src_n[i], counts[VM]);
      counts[LGKM] = need(st, LGKM, inst->src[i], inst->src_n[i], counts[LGKM]);
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!is_reg(inst->def[i]))
         continue;
      counts[VM] = need(st, VM, inst->def[i], inst->def_n[i], counts[VM]);
      counts[LGKM] = need(st, LGKM, inst->def[i], inst->def_n[i], counts[LGKM]);
      counts[EXP] = need(st, EXP, inst->def[i], inst->def_n[i], counts[EXP]);
   }
}

static void
waited(struct state *st, const unsigned *counts)
{
   for (unsigned c = 0; c < COUNTERS; c++) {
      for (unsigned r = 0; counts[c] != IDLE && r < REGS; r++) {
         if (st->age[c][r] != IDLE && st->age[c][r] >= counts[c])
            st->age[c][r] = IDLE;
      }
   }
   if (counts[LGKM] == 0)
      st->in_order = IDLE;
}

static void
issue(struct state *st, unsigned counter)
{
   for (unsigned r = 0; r < REGS; r++) {
      if (st->age[counter][r] < IDLE - 1)
         st->age[counter][r]++;
   }
}

static void
mark(struct state *st, unsigned counter, mir_reg r, unsigned n)
{
   for (unsigned k = 0; is_reg(r) && k < n; k++)
      st->age[counter][r + k] = 0;
}

static void
executed(struct state *st, const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   if (info->counters & ISA_CNT_VM) {
      issue(st, VM);
      mark(st, VM, inst->def[0], inst->def_n[0]);
   }
   if (info->counters & ISA_CNT_LGKM) {
      issue(st, LGKM);
      mark(st, LGKM, inst->def[0], inst->def_n[0]);
      if (info->unit != ISA_UNIT_LDS || inst->i.gds)
         st->in_order = 0;
   }
   if (info->counters & ISA_CNT_EXP) {
      issue(st, EXP);
      for (unsigned i = 0; i < 4; i++)
         mark(st, EXP, inst->src[i], inst->src_n[i]);
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
run_block(struct waits *w, struct mir_block *b, struct state *st, bool insert)
{
   bool all = w->p->sh->options & TGSIAMD_COMPILE_WAIT_ALL;
   mir_foreach_inst_safe(b, inst) {
      unsigned counts[COUNTERS];
      if (inst->i.op == ISA_S_WAITCNT)
         continue;
      needed_counts(inst, st, counts);
      if (counts[VM] != IDLE || counts[LGKM] != IDLE || counts[EXP] != IDLE) {
         if (insert)
            insert_wait(w, inst, counts);
         waited(st, counts);
      }
      executed(st, inst);
      if (all && insert && mir_info(inst)->counters && inst->next) {
         static const unsigned zero[COUNTERS];
         insert_wait(w, inst->next, zero);
         waited(st, zero);
      }
   }
}

void
wait_insert(struct mir_program *p)
{
   struct waits w = { .p = p, .limits = isa_limits(p->sh->gfx) };
   struct state *st = malloc(sizeof(*st));
   bool changed = true;
   w.in = malloc((p->num_blocks + 1) * sizeof(*w.in));
   if (!w.in || !st) {
      ir_error(p->sh, "out of memory");
      goto out;
   }
   memset(w.in, IDLE, (p->num_blocks + 1) * sizeof(*w.in));
   while (changed) {
      changed = false;
      mir_foreach_block(p, b) {
         *st = w.in[b->index];
         run_block(&w, b, st, false);
         for (uint32_t i = 0; i < b->num_xsuccs; i++) {
            struct state *to = &w.in[b->xsuccs[i]->index], old = *to;
            join(to, st);
            changed |= memcmp(&old, to, sizeof(old)) != 0;
         }
      }
   }
   mir_foreach_block(p, b) {
      *st = w.in[b->index];
      run_block(&w, b, st, true);
   }
out:
   free(w.in);
   free(st);
}
