/* SPDX-License-Identifier: MIT */
/* What hardware hides: registers used before their load returned, wait states
 * missing, registers beyond the allocation, undefined values that matter. */
#include <stdio.h>
#include <stdlib.h>
#include "wave.h"

void sq_place(struct sq_wave *w, const struct sq_inst *i, int lane)
{
   struct model_where *where = model_where(w->env->report);
   struct sq_inst *mut = (struct sq_inst *)i;
   if (!i->text) {
      char buf[96];
      isa_print(SQ_GFX, &i->isa, buf, sizeof(buf));
      mut->text = strdup(buf);
   }
   where->lane = lane;
   if (where->pc == i->pc && where->shader_va == w->init->pc)
      return;
   where->shader_va = w->init->pc;
   where->shader_hash = sq_program_hash(w->program);
   where->pc = i->pc;
   size_t n = i->text ? strlen(i->text) : 0;
   memcpy(where->disasm, i->text ? i->text : "", n + 1); /* both at most 96 */
}

void sq_uninit(struct sq_wave *w, const struct sq_inst *i, int lane, const char *what)
{
   sq_place(w, i, lane);
   model_violation(w->env->report, CHECK_UNINIT, "undefined value as %s", what);
}

/* ---- trace ---- */

static void reg_name(char *buf, size_t size, unsigned reg)
{
   if (reg >= 256)
      snprintf(buf, size, "v%u", reg - 256);
   else if (reg == ISA_VCC || reg == ISA_VCC_HI)
      snprintf(buf, size, "vcc_%s", reg == ISA_VCC ? "lo" : "hi");
   else if (reg == ISA_M0)
      snprintf(buf, size, "m0");
   else
      snprintf(buf, size, "s%u", reg);
}

/* Destinations: the named ones, moved by M0 where the instruction says so. */
static void note_written(struct sq_wave *w, const struct sq_inst *i)
{
   const struct isa_op_info *info = &isa_op_infos[i->isa.op];
   unsigned scalar = 0, vector = 0;
   if (i->isa.op == ISA_S_MOVRELD_B32 || i->isa.op == ISA_S_MOVRELD_B64)
      scalar = w->sgpr[ISA_M0];
   else if (w->idx_on && info->unit == ISA_UNIT_VALU && w->sgpr[ISA_M0] >> 15 & 1)
      vector = w->sgpr[ISA_M0] & 0xff;
   for (unsigned n = 0; n < i->num_ranges; n++) {
      const struct sq_range *r = &i->ranges[n];
      const unsigned move = r->first < 256 ? scalar : vector;
      for (unsigned k = 0; r->write && k < r->num; k++)
         if (r->first + k + move < 512)
            w->written[r->first + k + move] = 1;
   }
   if (info->flags & ISA_WRITES_SRC0 && i->src[0].kind == SQ_SRC_VGPR)
      w->written[256 + i->src[0].reg] = 1;
}

/* Lanes of the first quad with an active lane stand for all. */
void sq_trace(struct sq_wave *w, const struct sq_inst *i)
{
   if (w->written)
      note_written(w, i);
   if (!model_traces_waves(w->env->report))
      return;
   uint64_t exec = sq_exec(w);
   unsigned quad = exec ? (unsigned)__builtin_ctzll(exec) & ~3u : 0;
   sq_place(w, i, -1);
   fprintf(stderr, "wave %u 0x%06llx exec %016llx scc %u  %-44s", w->index,
           (unsigned long long)(i->pc - w->init->pc), (unsigned long long)exec, w->scc, i->text ? i->text : "");
   for (unsigned n = 0; n < i->num_ranges; n++) {
      const struct sq_range *r = &i->ranges[n];
      for (unsigned k = 0; r->write && k < r->num && k < 4; k++) {
         char name[16];
         reg_name(name, sizeof(name), r->first + k);
         fprintf(stderr, " %s", name);
         if (r->first < 256) {
            fprintf(stderr, "%s%08x", w->sdef[r->first + k] == ~0u ? "=" : "?", w->sgpr[r->first + k]);
            continue;
         }
         const uint32_t *v = w->vgpr[r->first - 256 + k] + quad;
         bool def = (w->vdef[r->first - 256 + k] >> quad & 15) == 15;
         fprintf(stderr, "[%u]%s%08x,%08x,%08x,%08x", quad, def ? "=" : "?", v[0], v[1], v[2], v[3]);
      }
   }
   fputc('\n', stderr);
}

/* ---- counters ---- */

static bool outstanding(const struct sq_wave *w)
{
   return w->vm_issued != w->vm_done || w->lgkm_issued != w->lgkm_done || w->exp_issued != w->exp_done;
}
static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

void sq_issue_vm(struct sq_wave *w, const struct sq_inst *i)
{
   const unsigned max = isa_limits(SQ_GFX)->max_vmcnt;
   w->vm_issued++;
   sq_timing_issue(w, i, SQ_TIME_VM, w->vm_issued);
   if (w->vm_issued > max)
      w->vm_done = later(w->vm_done, w->vm_issued - max);
   for (unsigned n = 0; n < i->num_ranges; n++) {
      const struct sq_range *r = &i->ranges[n];
      if (r->write && r->first >= 256)
         for (unsigned k = 0; k < r->num; k++)
            w->v_vm[r->first - 256 + k] = w->vm_issued;
   }
   w->slow |= SQ_SLOW_PENDING;
}

void sq_issue_lgkm(struct sq_wave *w, const struct sq_inst *i, bool out_of_order)
{
   w->lgkm_issued++;
   sq_timing_issue(w, i, SQ_TIME_LGKM, w->lgkm_issued);
   if (out_of_order)
      w->lgkm_smem = w->lgkm_issued;
   for (unsigned n = 0; n < i->num_ranges; n++) {
      const struct sq_range *r = &i->ranges[n];
      for (unsigned k = 0; r->write && k < r->num; k++) {
         if (r->first >= 256)
            w->v_lgkm[r->first - 256 + k] = w->lgkm_issued;
         else
            w->s_lgkm[r->first + k] = w->lgkm_issued;
      }
   }
   w->slow |= SQ_SLOW_PENDING;
}

void sq_issue_exp(struct sq_wave *w, const struct sq_inst *i)
{
   w->exp_issued++;
   sq_timing_issue(w, i, SQ_TIME_EXP, w->exp_issued);
   for (unsigned n = 0; n < i->num_ranges; n++) {
      const struct sq_range *r = &i->ranges[n];
      if (!r->write && r->first >= 256)
         for (unsigned k = 0; k < r->num; k++)
            w->v_exp[r->first - 256 + k] = w->exp_issued;
   }
   w->slow |= SQ_SLOW_PENDING;
}

void sq_wait(struct sq_wave *w, unsigned vm, unsigned exp, unsigned lgkm)
{
   if (w->vm_issued > vm)
      w->vm_done = later(w->vm_done, w->vm_issued - vm);
   if (w->exp_issued > exp)
      w->exp_done = later(w->exp_done, w->exp_issued - exp);
   /* Scalar loads and messages return out of order: a count above zero says
    * nothing while one of them may be outstanding. */
   if (lgkm == 0)
      w->lgkm_done = w->lgkm_issued;
   else if (w->lgkm_issued > lgkm && w->lgkm_smem <= w->lgkm_done)
      w->lgkm_done = later(w->lgkm_done, w->lgkm_issued - lgkm);
   sq_timing_wait(w, SQ_TIME_VM, w->vm_done);
   sq_timing_wait(w, SQ_TIME_LGKM, w->lgkm_done);
   sq_timing_wait(w, SQ_TIME_EXP, w->exp_done);
   if (!outstanding(w))
      w->slow &= ~SQ_SLOW_PENDING;
}

static void early(struct sq_wave *w, const struct sq_inst *i, unsigned reg, bool write, const char *counter,
                  uint32_t seq, uint32_t issued)
{
   char name[16];
   reg_name(name, sizeof(name), reg);
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_WAITCNT, "%s is %s before s_waitcnt %s(%u)", name,
                   write ? "overwritten" : "read", counter, issued - seq);
}

static void check_pending(struct sq_wave *w, const struct sq_inst *i)
{
   bool vm_op = i->counters & ISA_CNT_VM, lds_op = i->unit == ISA_UNIT_LDS;
   for (unsigned n = 0; n < i->num_ranges; n++) {
      const struct sq_range *r = &i->ranges[n];
      for (unsigned k = 0; k < r->num; k++) {
         unsigned reg = r->first + k;
         if (reg < 256) {
            if (reg < 128 && w->s_lgkm[reg] > w->lgkm_done) {
               early(w, i, reg, r->write, "lgkmcnt", w->s_lgkm[reg], w->s_lgkm[reg]);
               w->s_lgkm[reg] = 0;
            }
            continue;
         }
         reg -= 256;
         /* loads of one kind return in order and may overwrite each other's */
         if (w->v_vm[reg] > w->vm_done && !(r->write && vm_op)) {
            early(w, i, reg + 256, r->write, "vmcnt", w->v_vm[reg], w->vm_issued);
            w->v_vm[reg] = 0;
         }
         if (w->v_lgkm[reg] > w->lgkm_done && !(r->write && lds_op)) {
            early(w, i, reg + 256, r->write, "lgkmcnt", w->v_lgkm[reg], w->lgkm_issued);
            w->v_lgkm[reg] = 0;
         }
         if (r->write && w->v_exp[reg] > w->exp_done) {
            early(w, i, reg + 256, true, "expcnt", w->v_exp[reg], w->exp_issued);
            w->v_exp[reg] = 0;
         }
      }
   }
}

/* ---- allocation ---- */

static void check_range(struct sq_wave *w, const struct sq_inst *i)
{
   for (unsigned n = 0; n < i->num_ranges; n++) {
      const struct sq_range *r = &i->ranges[n];
      bool vector = r->first >= 256;
      unsigned top = (vector ? r->first - 256u : r->first) + r->num;
      unsigned have = vector ? w->alloc_vgprs : w->alloc_sgprs;
      if ((!vector && r->first >= ISA_FLAT_SCRATCH) || top <= have)
         continue;
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_RANGE, "%c%u is beyond the %u registers of RSRC1", vector ? 'v' : 's',
                      top - 1, have);
   }
}

/* ---- hazards ---- */

static unsigned states_of(const struct isa_inst *isa)
{
   return isa->op == ISA_S_NOP ? isa->imm % 16 + 1u : 1u;
}

void sq_check_run(struct sq_inst *insts, unsigned n)
{
   struct sq_inst *i = &insts[n];
   unsigned window = isa_hazard_window(SQ_GFX), between = 0;
   for (unsigned back = 1; back <= n && between < window; back++) {
      const struct sq_inst *first = &insts[n - back];
      unsigned need = isa_hazard_states(SQ_GFX, &first->isa, &i->isa);
      if (need > between && need - between > i->hazard_need) {
         i->hazard_need = need - between;
         i->hazard_back = back;
      }
      between += states_of(&first->isa);
   }
}

static void hazard(struct sq_wave *w, const struct sq_inst *first, const struct sq_inst *i, unsigned missing)
{
   char buf[96];
   isa_print(SQ_GFX, &first->isa, buf, sizeof(buf));
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_HAZARD, "%u wait states missing after \"%s\" at 0x%llx", missing, buf,
                   (unsigned long long)first->pc);
}

/* In place of an instruction's handler where straight code lacks states. */
void sq_hazard_then(struct sq_wave *w, const struct sq_inst *i)
{
   const struct sq_inst *first = i - i->hazard_back;
   /* not when a branch just came in between the two */
   unsigned steps = w->jump_budget - w->budget;
   bool jumped = w->jump_to && w->jump_to > first && w->jump_to <= i && (unsigned)(i - w->jump_to) + 1 == steps;
   if (!jumped)
      hazard(w, first, i, i->hazard_need);
   i->checked(w, i);
}

/* Looks from `i` back over the branch that was just taken. */
static void check_jump(struct sq_wave *w, const struct sq_inst *i)
{
   unsigned window = isa_hazard_window(SQ_GFX), between = w->hazard_states;
   for (const struct sq_inst *p = w->jump_from; between < window; p--) {
      unsigned need = isa_hazard_states(SQ_GFX, &p->isa, &i->isa);
      if (need > between)
         hazard(w, p, i, need - between);
      between += states_of(&p->isa);
      if (p->run_start)
         break;
   }
   w->hazard_states += states_of(&i->isa);
   if (w->hazard_states >= window)
      w->slow &= ~SQ_SLOW_HAZARD;
}

void sq_check_slow(struct sq_wave *w, const struct sq_inst *i)
{
   if (w->slow & SQ_SLOW_PENDING)
      check_pending(w, i);
   if (w->slow & SQ_SLOW_HAZARD)
      check_jump(w, i);
   if (w->slow & SQ_SLOW_RANGE)
      check_range(w, i);
}
