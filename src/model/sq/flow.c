/* SPDX-License-Identifier: MIT */
/* Program flow: branches, calls, SOPP, hardware registers (s_getreg/s_setreg),
 * GPR indexing, barriers and messages. */
#include "wave.h"

/* Clocks more than a branch that falls through: 20 against 4 (GcnTimings). */
#define TAKEN_BRANCH 16

static void took(struct sq_wave *w, const struct sq_inst *from, const struct sq_inst *to, bool checked)
{
   w->jump_from = from;
   w->jump_to = to;
   w->jump_budget = w->budget;
   w->time += TAKEN_BRANCH;
   if (!checked) {
      w->hazard_states = 0;
      w->slow |= SQ_SLOW_HAZARD;
   }
   w->next = to;
}

static void go(struct sq_wave *w, const struct sq_inst *i)
{
   struct sq_inst *t = i->target;
   if (!t) {
      uint64_t pc = i->pc + 4 + (int64_t)(int16_t)i->isa.imm * 4;
      t = sq_program_at(w, pc);
      if (!t) {
         w->state = SQ_DONE;
         return;
      }
      ((struct sq_inst *)i)->target = t;
   }
   took(w, i, t, i->branch_checked);
   ((struct sq_inst *)i)->branch_checked = true;
}

void sq_jump(struct sq_wave *w, const struct sq_inst *i, uint64_t pc)
{
   struct sq_inst *t = sq_program_at(w, pc & ~3ull);
   if (!t) {
      w->state = SQ_DONE;
      return;
   }
   took(w, i, t, false);
}

static void need_scc(struct sq_wave *w, const struct sq_inst *i)
{
   if (!w->scc_def) {
      sq_uninit(w, i, -1, "branch condition SCC");
      w->scc_def = true;
   }
}
/* A mask with a defined set bit is not zero whatever the rest is. */
static void need_mask(struct sq_wave *w, const struct sq_inst *i, unsigned reg, const char *what)
{
   uint64_t v = sq_s64(w, reg), d = sq_sdef64(w, reg);
   if (d != ~0ull && !(v & d)) {
      sq_uninit(w, i, -1, what);
      w->sdef[reg] = w->sdef[reg + 1] = ~0u;
   }
}

static void h_branch(struct sq_wave *w, const struct sq_inst *i) { go(w, i); }
static void h_scc0(struct sq_wave *w, const struct sq_inst *i)
{
   need_scc(w, i);
   if (!w->scc)
      go(w, i);
}
static void h_scc1(struct sq_wave *w, const struct sq_inst *i)
{
   need_scc(w, i);
   if (w->scc)
      go(w, i);
}
static void h_vccz(struct sq_wave *w, const struct sq_inst *i)
{
   need_mask(w, i, ISA_VCC, "branch condition VCC");
   if (!sq_vcc(w))
      go(w, i);
}
static void h_vccnz(struct sq_wave *w, const struct sq_inst *i)
{
   need_mask(w, i, ISA_VCC, "branch condition VCC");
   if (sq_vcc(w))
      go(w, i);
}
static void h_execz(struct sq_wave *w, const struct sq_inst *i)
{
   need_mask(w, i, ISA_EXEC, "branch condition EXEC");
   if (!sq_exec(w))
      go(w, i);
}
static void h_execnz(struct sq_wave *w, const struct sq_inst *i)
{
   need_mask(w, i, ISA_EXEC, "branch condition EXEC");
   if (sq_exec(w))
      go(w, i);
}
/* The debug conditions are never set here. */
static void h_nothing(struct sq_wave *w, const struct sq_inst *i)
{
   (void)w, (void)i;
}
static void h_end(struct sq_wave *w, const struct sq_inst *i)
{
   (void)i;
   w->state = SQ_DONE;
}
static void h_waitcnt(struct sq_wave *w, const struct sq_inst *i)
{
   unsigned vm, exp, lgkm;
   isa_waitcnt_unpack(SQ_GFX, i->isa.imm, &vm, &exp, &lgkm);
   sq_wait(w, vm, exp, lgkm);
}
static void h_barrier(struct sq_wave *w, const struct sq_inst *i)
{
   (void)i;
   w->state = SQ_BARRIER;
}
static void h_sendmsg(struct sq_wave *w, const struct sq_inst *i)
{
   sq_need_sgpr(w, i, ISA_M0, 1, "M0 of a message");
   if (w->sink && w->sink->message) {
      sq_fp_host(w);
      w->sink->message(w->sink->ctx, w->index, i->isa.imm, w->sgpr[ISA_M0], sq_exec(w));
   }
   sq_issue_lgkm(w, i, true);
}
static void h_sendmsghalt(struct sq_wave *w, const struct sq_inst *i)
{
   h_sendmsg(w, i);
   w->state = SQ_DONE;
}
static void h_trap(struct sq_wave *w, const struct sq_inst *i)
{
   sq_place(w, i, -1);
   model_fail(w->env->report, 5 /* EIO */, CHECK_INSTRUCTION, "s_trap %u without a trap handler", i->isa.imm);
   w->state = SQ_DONE;
}
static void h_sethalt(struct sq_wave *w, const struct sq_inst *i)
{
   if (!(i->isa.imm & 1))
      return;
   sq_place(w, i, -1);
   model_fail(w->env->report, 62 /* ETIME */, CHECK_HANG, "s_sethalt stops the wave for good");
   w->state = SQ_DONE;
}

/* ---- calls ---- */

static void h_getpc(struct sq_wave *w, const struct sq_inst *i)
{
   sq_set_s64(w, i->dst, i->pc + 4, ~0ull);
}
static void h_setpc(struct sq_wave *w, const struct sq_inst *i)
{
   sq_need_src(w, i, 0, 0, "jump address");
   sq_jump(w, i, sq_src64(w, &i->src[0]));
}
static void h_swappc(struct sq_wave *w, const struct sq_inst *i)
{
   uint64_t to = sq_src64(w, &i->src[0]);
   sq_need_src(w, i, 0, 0, "jump address");
   sq_set_s64(w, i->dst, i->pc + 4, ~0ull);
   sq_jump(w, i, to);
}
static void h_call(struct sq_wave *w, const struct sq_inst *i)
{
   sq_set_s64(w, i->dst, i->pc + 4, ~0ull);
   go(w, i);
}

/* Fork and join (GcnIsa: CBRANCH_*): the stack is in SGPRs from s0, four each. */
static unsigned csp(const struct sq_wave *w) { return w->mode >> 29; }
static void set_csp(struct sq_wave *w, unsigned v) { w->mode = (w->mode & ~(7u << 29)) | (v & 7) << 29; }
static void fork_to(struct sq_wave *w, const struct sq_inst *i, uint64_t target)
{
   uint64_t mask = sq_src64(w, &i->src[0]), exec = sq_exec(w);
   uint64_t pass = mask & exec, fail = ~mask & exec;
   unsigned at = csp(w) * 4;
   sq_need_src(w, i, 0, 0, "fork condition");
   if (pass == exec) {
      sq_jump(w, i, target);
   } else if (fail == exec) {
      return;
   } else if (__builtin_popcountll(fail) < __builtin_popcountll(pass)) {
      sq_set_s64(w, ISA_EXEC, fail, ~0ull);
      sq_set_s64(w, at, pass, ~0ull);
      sq_set_s64(w, at + 2, target, ~0ull);
      set_csp(w, csp(w) + 1);
   } else {
      sq_set_s64(w, ISA_EXEC, pass, ~0ull);
      sq_set_s64(w, at, fail, ~0ull);
      sq_set_s64(w, at + 2, i->pc + 4, ~0ull);
      set_csp(w, csp(w) + 1);
      sq_jump(w, i, target);
   }
}
static void h_g_fork(struct sq_wave *w, const struct sq_inst *i) { fork_to(w, i, sq_src64(w, &i->src[1])); }
static void h_i_fork(struct sq_wave *w, const struct sq_inst *i)
{
   fork_to(w, i, i->pc + 4 + (int64_t)(int16_t)i->isa.imm * 4);
}
static void h_join(struct sq_wave *w, const struct sq_inst *i)
{
   if (csp(w) == sq_src32(w, &i->src[0]))
      return;
   set_csp(w, csp(w) - 1);
   unsigned at = csp(w) * 4;
   uint64_t pc = sq_s64(w, at + 2);
   sq_set_s64(w, ISA_EXEC, sq_s64(w, at), ~0ull);
   sq_jump(w, i, pc);
}

/* ---- hardware registers ---- */

enum { HW_MODE = 1, HW_STATUS, HW_TRAPSTS, HW_ID, HW_GPR_ALLOC, HW_LDS_ALLOC, HW_IB_STS, HW_SH_MEM_BASES = 15 };

static uint32_t status(const struct sq_wave *w)
{
   return (w->scc ? 1u : 0) | (sq_exec(w) ? 0 : 1u << 9) | (sq_vcc(w) ? 0 : 1u << 10) | 1u << 16 /* VALID */;
}
static bool hw_read(const struct sq_wave *w, unsigned id, uint32_t *v)
{
   switch (id) {
   case HW_MODE: *v = w->mode; return true;
   case HW_STATUS: *v = status(w); return true;
   case HW_TRAPSTS: *v = w->trapsts; return true;
   case HW_ID: *v = w->index & 15; return true;
   case HW_GPR_ALLOC: *v = (w->alloc_vgprs / 4 - 1) << 8 | (w->alloc_sgprs / 16 - 1) << 24; return true;
   case HW_LDS_ALLOC: *v = (w->lds_size + 511) / 512 << 12; return true;
   case HW_IB_STS: *v = 0; return true;
   case HW_SH_MEM_BASES: *v = 0x00010002; return true; /* LDS window 1 << 48, scratch window 2 << 48 */
   }
   return false;
}
static void no_hwreg(struct sq_wave *w, const struct sq_inst *i, unsigned id)
{
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_MODEL, "hardware register %u is not modelled", id);
}
static void h_getreg(struct sq_wave *w, const struct sq_inst *i)
{
   unsigned id = i->isa.imm & 63, offset = i->isa.imm >> 6 & 31, size = (i->isa.imm >> 11) + 1;
   uint32_t v = 0;
   if (!hw_read(w, id, &v))
      no_hwreg(w, i, id);
   sq_set_s32(w, i->dst, v >> offset & (uint32_t)((1ull << size) - 1), ~0u);
}
static void setreg(struct sq_wave *w, const struct sq_inst *i, uint32_t v)
{
   unsigned id = i->isa.imm & 63, offset = i->isa.imm >> 6 & 31, size = (i->isa.imm >> 11) + 1;
   uint32_t mask = (uint32_t)((1ull << size) - 1) << offset;
   switch (id) {
   case HW_MODE:
      w->mode = (w->mode & ~mask) | (v << offset & mask);
      sq_mode_changed(w);
      break;
   case HW_TRAPSTS:
      w->trapsts = (w->trapsts & ~mask) | (v << offset & mask);
      break;
   default:
      no_hwreg(w, i, id);
   }
}
static void h_setreg(struct sq_wave *w, const struct sq_inst *i)
{
   sq_need_src(w, i, 0, 0, "value of a hardware register");
   setreg(w, i, sq_src32(w, &i->src[0]));
}
static void h_setreg_imm(struct sq_wave *w, const struct sq_inst *i) { setreg(w, i, i->isa.literal); }

/* ---- GPR indexing ---- */

static void h_idx_on(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t m0 = w->sgpr[ISA_M0] & ~0xf0ffu;
   uint32_t idx = sq_src32(w, &i->src[0]) & 0xff;
   bool def = sq_src_def32(w, &i->src[0]) == ~0u;
   sq_set_s32(w, ISA_M0, m0 | idx | (uint32_t)(i->isa.imm & 15) << 12, def ? ~0u : 0);
   w->mode |= SQ_MODE_GPR_IDX_EN;
   w->idx_on = true;
}
static void h_idx_off(struct sq_wave *w, const struct sq_inst *i)
{
   (void)i;
   w->mode &= ~SQ_MODE_GPR_IDX_EN;
   w->idx_on = false;
}
static void h_idx_idx(struct sq_wave *w, const struct sq_inst *i)
{
   bool def = sq_src_def32(w, &i->src[0]) == ~0u;
   sq_set_s32(w, ISA_M0, (w->sgpr[ISA_M0] & ~0xffu) | (sq_src32(w, &i->src[0]) & 0xff), def ? ~0u : 0);
}
static void h_idx_mode(struct sq_wave *w, const struct sq_inst *i)
{
   w->sgpr[ISA_M0] = (w->sgpr[ISA_M0] & ~0xf000u) | (uint32_t)(i->isa.imm & 15) << 12;
}
static void h_setvskip(struct sq_wave *w, const struct sq_inst *i)
{
   bool on = sq_src32(w, &i->src[0]) >> (sq_src32(w, &i->src[1]) & 31) & 1;
   w->mode = (w->mode & ~SQ_MODE_VSKIP) | (on ? SQ_MODE_VSKIP : 0);
   if (on) {
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_MODEL, "VSKIP is not modelled");
   }
}

static sq_handler find(unsigned op)
{
   switch (op) {
   case ISA_S_BRANCH: return h_branch;
   case ISA_S_CBRANCH_SCC0: return h_scc0;
   case ISA_S_CBRANCH_SCC1: return h_scc1;
   case ISA_S_CBRANCH_VCCZ: return h_vccz;
   case ISA_S_CBRANCH_VCCNZ: return h_vccnz;
   case ISA_S_CBRANCH_EXECZ: return h_execz;
   case ISA_S_CBRANCH_EXECNZ: return h_execnz;
   case ISA_S_NOP: case ISA_S_WAKEUP: case ISA_S_SETKILL: case ISA_S_SLEEP: case ISA_S_SETPRIO:
   case ISA_S_ICACHE_INV: case ISA_S_INCPERFLEVEL: case ISA_S_DECPERFLEVEL: case ISA_S_TTRACEDATA:
   case ISA_S_CBRANCH_CDBGSYS: case ISA_S_CBRANCH_CDBGUSER: case ISA_S_CBRANCH_CDBGSYS_OR_USER:
   case ISA_S_CBRANCH_CDBGSYS_AND_USER: case ISA_V_NOP: case ISA_V_CLREXCP:
      return h_nothing;
   case ISA_S_ENDPGM: case ISA_S_ENDPGM_SAVED: case ISA_S_ENDPGM_ORDERED_PS_DONE: return h_end;
   case ISA_S_WAITCNT: return h_waitcnt;
   case ISA_S_BARRIER: return h_barrier;
   case ISA_S_SENDMSG: return h_sendmsg;
   case ISA_S_SENDMSGHALT: return h_sendmsghalt;
   case ISA_S_TRAP: return h_trap;
   case ISA_S_SETHALT: return h_sethalt;
   case ISA_S_GETPC_B64: return h_getpc;
   case ISA_S_SETPC_B64: return h_setpc;
   case ISA_S_SWAPPC_B64: return h_swappc;
   case ISA_S_CALL_B64: return h_call;
   case ISA_S_CBRANCH_G_FORK: return h_g_fork;
   case ISA_S_CBRANCH_I_FORK: return h_i_fork;
   case ISA_S_CBRANCH_JOIN: return h_join;
   case ISA_S_GETREG_B32: return h_getreg;
   case ISA_S_SETREG_B32: return h_setreg;
   case ISA_S_SETREG_IMM32_B32: return h_setreg_imm;
   case ISA_S_SET_GPR_IDX_ON: return h_idx_on;
   case ISA_S_SET_GPR_IDX_OFF: return h_idx_off;
   case ISA_S_SET_GPR_IDX_IDX: return h_idx_idx;
   case ISA_S_SET_GPR_IDX_MODE: return h_idx_mode;
   case ISA_S_SETVSKIP: return h_setvskip;
   }
   return NULL;
}

bool sq_decode_flow(struct sq_inst *i)
{
   i->fn = find(i->isa.op);
   return i->fn != NULL;
}
