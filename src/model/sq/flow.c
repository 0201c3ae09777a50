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
/* Messages of this generation and whether M0 goes with them. */
enum { MSG_KNOWN = 1, MSG_M0 = 2 };
static const uint8_t messages[16] = {
   [1] = MSG_KNOWN | MSG_M0, /* interrupt */
   [2] = MSG_KNOWN | MSG_M0, /* GS */
   [3] = MSG_KNOWN | MSG_M0, /* GS done */
   [4] = MSG_KNOWN,          /* save wave */
   [5] = MSG_KNOWN,          /* stall wave generation */
   [6] = MSG_KNOWN,          /* halt waves */
   [7] = MSG_KNOWN,          /* ordered PS done */
   [8] = MSG_KNOWN,          /* early primitive deallocation */
   [9] = MSG_KNOWN | MSG_M0, /* GS space request */
   [10] = MSG_KNOWN,         /* doorbell of the queue, to M0 */
   [15] = MSG_KNOWN,         /* system */
};
static void h_sendmsg(struct sq_wave *w, const struct sq_inst *i)
{
   uint8_t kind = messages[i->isa.imm & 15];
   if (!(kind & MSG_KNOWN)) {
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_INSTRUCTION, "there is no message %u", i->isa.imm & 15);
   }
   if (kind & MSG_M0)
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
/* STATUS.TRAP_EN is 0: the instruction does nothing, which is hardly what the
 * program wanted. */
static void h_trap(struct sq_wave *w, const struct sq_inst *i)
{
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_INSTRUCTION, "s_trap %u without a trap handler", i->isa.imm & 0xff);
}
/* Other programs are decoded anew when they next start, if their code changed. */
static void h_icache_inv(struct sq_wave *w, const struct sq_inst *i)
{
   (void)i;
   w->sq->common->generation++;
}
static void h_setprio(struct sq_wave *w, const struct sq_inst *i) { w->priority = i->isa.imm & 3; }
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
/* Return from the trap handler: PRIV is 0 all the time here. s_rfe_restore's
 * second source sets INST_ATC, which no program sees. */
static void h_rfe(struct sq_wave *w, const struct sq_inst *i)
{
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_INSTRUCTION, "return from an exception outside the trap handler");
   h_setpc(w, i);
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

enum {
   HW_MODE = 1, HW_STATUS, HW_TRAPSTS, HW_ID, HW_GPR_ALLOC, HW_LDS_ALLOC, HW_IB_STS, HW_PC_LO, HW_PC_HI,
   HW_INST_DW0, HW_INST_DW1, HW_SH_MEM_BASES = 15, HW_TBA_LO, HW_TBA_HI, HW_TMA_LO, HW_TMA_HI,
};

static uint32_t status(const struct sq_wave *w)
{
   return (w->scc ? 1u : 0) | w->priority << 3 | (sq_exec(w) ? 0 : 1u << 9) | (sq_vcc(w) ? 0 : 1u << 10) |
          1u << 16 /* VALID */;
}
/* Counters as far as waits have shown them to have come down. */
static uint32_t counters(const struct sq_wave *w)
{
   const struct isa_limits *max = isa_limits(SQ_GFX);
   uint32_t vm = w->vm_issued - w->vm_done, exp = w->exp_issued - w->exp_done, lgkm = w->lgkm_issued - w->lgkm_done;
   vm = vm > max->max_vmcnt ? max->max_vmcnt : vm;
   exp = exp > max->max_expcnt ? max->max_expcnt : exp;
   lgkm = lgkm > max->max_lgkmcnt ? max->max_lgkmcnt : lgkm;
   return (vm & 15) | exp << 4 | lgkm << 8 | vm >> 4 << 22;
}
/* A dword of the instruction itself. */
static uint32_t own_code(const struct sq_inst *i, unsigned n)
{
   struct isa_inst copy = i->isa;
   uint32_t code[5] = {0};
   isa_encode(SQ_GFX, &copy, code, NULL);
   return code[n];
}
static bool hw_read(const struct sq_wave *w, const struct sq_inst *i, unsigned id, uint32_t *v)
{
   switch (id) {
   case HW_MODE: *v = w->mode; return true;
   case HW_STATUS: *v = status(w); return true;
   case HW_TRAPSTS: *v = w->trapsts; return true;
   case HW_ID: *v = (w->index >> 2 & 15) | (w->index & 3) << 4; return true; /* wave and SIMD of the first CU */
   case HW_GPR_ALLOC: *v = (w->alloc_vgprs / 4 - 1) << 8 | (w->alloc_sgprs / 16 - 1) << 24; return true;
   case HW_LDS_ALLOC: *v = (w->lds_size + 511) / 512 << 12; return true;
   case HW_IB_STS: *v = counters(w); return true;
   case HW_PC_LO: *v = (uint32_t)i->pc; return true;
   case HW_PC_HI: *v = i->pc >> 32; return true;
   case HW_INST_DW0: *v = own_code(i, 0); return true;
   case HW_INST_DW1: *v = own_code(i, 1); return true;
   case HW_SH_MEM_BASES: *v = 0x00010002; return true; /* LDS window 1 << 48, scratch window 2 << 48 */
   case HW_TBA_LO: case HW_TBA_HI: case HW_TMA_LO: case HW_TMA_HI: *v = 0; return true; /* no trap handler */
   }
   return false;
}
static void no_hwreg(struct sq_wave *w, const struct sq_inst *i, unsigned id)
{
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_INSTRUCTION, "hardware register %u has no meaning to a program", id);
}
static void h_getreg(struct sq_wave *w, const struct sq_inst *i)
{
   unsigned id = i->isa.imm & 63, offset = i->isa.imm >> 6 & 31, size = (i->isa.imm >> 11) + 1;
   uint32_t v = 0;
   if (!hw_read(w, i, id, &v))
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
      w->idx_on = w->mode & SQ_MODE_GPR_IDX_EN;
      sq_mode_changed(w);
      break;
   case HW_TRAPSTS:
      w->trapsts = (w->trapsts & ~mask) | (v << offset & mask);
      break;
   case HW_STATUS: case HW_ID: case HW_GPR_ALLOC: case HW_LDS_ALLOC: case HW_IB_STS: case HW_PC_LO: case HW_PC_HI:
   case HW_INST_DW0: case HW_INST_DW1: case HW_SH_MEM_BASES: case HW_TBA_LO: case HW_TBA_HI: case HW_TMA_LO:
   case HW_TMA_HI:
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_INSTRUCTION, "hardware register %u is written outside the trap handler", id);
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
   sq_need_src(w, i, 0, 0, "VSKIP");
   w->mode = (w->mode & ~SQ_MODE_VSKIP) | (on ? SQ_MODE_VSKIP : 0);
   sq_mode_changed(w);
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
   case ISA_S_NOP: case ISA_S_WAKEUP: case ISA_S_SETKILL: case ISA_S_SLEEP:
   case ISA_S_INCPERFLEVEL: case ISA_S_DECPERFLEVEL: case ISA_S_TTRACEDATA:
   case ISA_S_CBRANCH_CDBGSYS: case ISA_S_CBRANCH_CDBGUSER: case ISA_S_CBRANCH_CDBGSYS_OR_USER:
   case ISA_S_CBRANCH_CDBGSYS_AND_USER: case ISA_V_NOP: case ISA_V_CLREXCP:
      return h_nothing;
   case ISA_S_ENDPGM: case ISA_S_ENDPGM_SAVED: case ISA_S_ENDPGM_ORDERED_PS_DONE: return h_end;
   case ISA_S_SETPRIO: return h_setprio;
   case ISA_S_ICACHE_INV: return h_icache_inv;
   case ISA_S_RFE_B64: case ISA_S_RFE_RESTORE_B64: return h_rfe;
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
