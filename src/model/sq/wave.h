/* SPDX-License-Identifier: MIT */
/* A wave as the sequencer keeps it, and a decoded instruction.
 *
 * Scalar registers are one array indexed by the operand number, so that VCC,
 * M0, EXEC and FLAT_SCRATCH need no special case. Vector registers are 64
 * lanes each, one after the other, so that a 64-bit operand is a pointer with
 * its high half at +64. */
#ifndef SQ_WAVE_H
#define SQ_WAVE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "msg.h"
#include "obs/report.h"
#include "sq/sq.h"
#include "tgsiamd/isa.h"

#define SQ_GFX       TGSIAMD_GFX9
#define SQ_LANES     64
#define SQ_VGPRS     256
#define SQ_LDS_BYTES 65536
#define SQ_MAX_WAVES 16      /* of one group */
#define SQ_READY     64      /* more than any counter holds */
#define SQ_BUDGET    (1u << 26) /* instructions of a wave before it counts as hung */

/* What the host's FP unit must do for an instruction; index of wave.fp_control. */
enum sq_fp {
   SQ_FP_HOST,   /* nearest, denormals kept */
   SQ_FP_F32,    /* MODE's single precision */
   SQ_FP_MAD,    /* MODE's rounding, denormals always flushed: v_mad, v_mac */
   SQ_FP_TRANS,  /* nearest, denormals flushed: quarter-rate functions */
   SQ_FP_F64,    /* MODE's double precision */
   SQ_FP_COUNT,
   SQ_FP_NONE = SQ_FP_COUNT,
};

struct sq_wave;
struct sq_inst;
struct sq_valu;
typedef void (*sq_handler)(struct sq_wave *w, const struct sq_inst *i);
typedef void (*sq_kernel)(struct sq_valu *x);

enum sq_src_kind { SQ_SRC_NONE, SQ_SRC_VGPR, SQ_SRC_SGPR, SQ_SRC_CONST, SQ_SRC_SPECIAL };

struct sq_src {
   uint8_t kind;
   uint8_t dw;
   uint16_t reg;     /* VGPR number, SGPR number or operand code */
   uint32_t c[2];    /* constant */
};

struct sq_range {
   uint16_t first;   /* as operand number: below 256 scalar */
   uint8_t num;
   uint8_t write;
};

struct sq_inst {
   sq_handler fn;
   sq_kernel kernel;
   struct sq_inst *target;   /* of a branch once taken */
   uint64_t pc;
   struct sq_src src[4];
   uint16_t dst, dst2;       /* number in their file */
   uint8_t dst_dw;
   uint8_t unit;             /* enum isa_unit */
   uint8_t counters;
   uint8_t fp;               /* enum sq_fp */
   uint8_t dst_fp;           /* 0 none, 16, 32, 64: what omod and clamp work on */
   uint8_t num_ranges;
   uint8_t dpp_src;          /* sources that DPP permutes: 1 */
   uint8_t cycles;           /* the wave goes on after so many clocks */
   uint8_t busy;             /* clocks of the unit */
   uint8_t latency;          /* clocks until the result is there */
   bool branch_checked;      /* hazards across the taken branch were looked at */
   bool preserve_hi;         /* 16-bit result leaves the other half alone */
   bool run_start;           /* nothing before it in memory order is known */
   uint8_t hazard_need;      /* wait states missing before it in straight code, 0 none */
   uint8_t hazard_back;      /* how many instructions before it the other one stands */
   uint16_t param;           /* family's own */
   sq_handler checked;       /* fn, when fn reports a hazard first */
   sq_handler ordered;       /* fn, when fn asks sq.order first */
   char *text;               /* disassembly, made when first asked for */
   struct sq_range ranges[7];
   struct isa_inst isa;
};

enum sq_state {
   SQ_RUN, SQ_BARRIER,
   SQ_ASK,  /* the instruction at `next` waits for another wave (GWS) */
   SQ_DONE,
};

/* A global wave sync resource: a counter that is a semaphore or a barrier. */
struct sq_gws {
   uint32_t counter;
   uint32_t waiting;    /* waves in its queue */
   bool flag;           /* turns with each barrier */
};

/* Bits of sq_wave.slow: reasons to leave the short path of the main loop. */
#define SQ_SLOW_PENDING 1u  /* loads or exports outstanding */
#define SQ_SLOW_HAZARD  2u  /* a jump was just taken: look back dynamically */
#define SQ_SLOW_RANGE   4u  /* program names registers beyond the allocation */
#define SQ_SLOW_TRACE   8u
#define SQ_SLOW_VSKIP   16u /* MODE.VSKIP: vector instructions do nothing */

struct sq_program;

struct sq_wave {
   uint32_t vgpr[SQ_VGPRS + 16][SQ_LANES] __attribute__((aligned(64)));
   uint32_t exec_mask[SQ_LANES] __attribute__((aligned(64)));
   uint32_t sgpr[128 + 16] __attribute__((aligned(8)));
   uint32_t sdef[128 + 16] __attribute__((aligned(8))); /* defined bits of each SGPR */
   uint64_t vdef[SQ_VGPRS + 16];                        /* defined lanes of each VGPR */
   uint64_t exec_mask_of;    /* EXEC that exec_mask stands for */
   const struct sq_inst *next;
   unsigned state;
   unsigned slow;
   bool scc, scc_def;
   bool idx_on;              /* GPR indexing mode */
   bool one_primitive;       /* all quads interpolate the same one */
   uint32_t mode;
   uint32_t fp_control[SQ_FP_COUNT];
   uint32_t fp_now;
   unsigned budget;

   /* outstanding work: running numbers of issue and of known return */
   uint32_t vm_issued, vm_done, lgkm_issued, lgkm_done, exp_issued, exp_done;
   uint32_t lgkm_smem;       /* number of the youngest out-of-order entry */
   uint32_t v_vm[SQ_VGPRS + 16], v_lgkm[SQ_VGPRS + 16], v_exp[SQ_VGPRS + 16];
   uint32_t s_lgkm[128 + 16];

   /* the last taken branch, for hazards across it */
   const struct sq_inst *jump_from, *jump_to;
   unsigned jump_budget, hazard_states;

   uint8_t *written;         /* for tools, else NULL: 512 operand numbers, 1 once an instruction wrote it */
   unsigned index;           /* in its group */
   unsigned alloc_sgprs, alloc_vgprs;
   uint32_t trapsts, priority;
   bool gws_queued, gws_flag; /* in a resource's queue; its flag when it came */
   struct sq_program *program;
   struct sq *sq;
   const struct model_env *env;
   const struct sq_wave_init *init;
   const struct sq_sink *sink;
   uint8_t *scratch_def;     /* a bit for each dword of scratch that was stored to */
   uint32_t scratch_max;     /* bytes that it has room for */
   uint64_t scratch_undef;   /* lanes of the running load that were never stored */
   uint64_t count[ISA_UNIT_INTERNAL + 1];
   uint64_t busy[ISA_UNIT_INTERNAL + 1]; /* clocks, by unit */
   uint64_t valu_slow, valu_lanes;
   uint64_t time;            /* clocks since launch */
   uint64_t ready[3][SQ_READY]; /* when outstanding work is done, by counter and number */
   uint32_t lds_size;
};

/* What twins have in common. */
struct sq_common {
   uint8_t gds[SQ_LDS_BYTES + 16] __attribute__((aligned(16)));
   uint32_t generation;      /* of the instruction cache */
   uint64_t clock;
   struct sq_gws gws[64];
   struct sq_program *programs[256];
   unsigned num_insts;
   unsigned running;         /* groups of waves that run, one within another */
};

struct sq {
   struct sq_common *common;
   bool twin;                /* common belongs to another one */
   bool ahead;               /* of their turn: waves change nothing that others see */
   unsigned budget;
   sq_order order;
   void *order_ctx;
   struct sq_wave *waves[SQ_MAX_WAVES];
   uint8_t lds[SQ_LDS_BYTES + 16] __attribute__((aligned(16)));
   uint8_t lds_def[SQ_LDS_BYTES / 8 + 16]; /* bit per byte */
};

/* ---- scalar operands ---- */

static inline uint64_t sq_s64(const struct sq_wave *w, unsigned reg)
{
   return w->sgpr[reg] | (uint64_t)w->sgpr[reg + 1] << 32;
}
static inline uint64_t sq_sdef64(const struct sq_wave *w, unsigned reg)
{
   return w->sdef[reg] | (uint64_t)w->sdef[reg + 1] << 32;
}
static inline uint64_t sq_exec(const struct sq_wave *w) { return sq_s64(w, ISA_EXEC); }
static inline uint64_t sq_vcc(const struct sq_wave *w) { return sq_s64(w, ISA_VCC); }

static inline void sq_set_s32(struct sq_wave *w, unsigned reg, uint32_t v, uint32_t def)
{
   w->sgpr[reg] = v;
   w->sdef[reg] = def;
}
static inline void sq_set_s64(struct sq_wave *w, unsigned reg, uint64_t v, uint64_t def)
{
   w->sgpr[reg] = (uint32_t)v;
   w->sgpr[reg + 1] = v >> 32;
   w->sdef[reg] = (uint32_t)def;
   w->sdef[reg + 1] = def >> 32;
}

uint64_t sq_special(const struct sq_wave *w, const struct sq_src *s);

static inline uint32_t sq_src32(const struct sq_wave *w, const struct sq_src *s)
{
   if (s->kind == SQ_SRC_SGPR)
      return w->sgpr[s->reg];
   return s->kind == SQ_SRC_CONST ? s->c[0] : (uint32_t)sq_special(w, s);
}
static inline uint64_t sq_src64(const struct sq_wave *w, const struct sq_src *s)
{
   if (s->kind == SQ_SRC_SGPR)
      return sq_s64(w, s->reg);
   return s->kind == SQ_SRC_CONST ? s->c[0] | (uint64_t)s->c[1] << 32 : sq_special(w, s);
}
static inline uint32_t sq_src_def32(const struct sq_wave *w, const struct sq_src *s)
{
   return s->kind == SQ_SRC_SGPR ? w->sdef[s->reg] : ~0u;
}
static inline uint64_t sq_src_def64(const struct sq_wave *w, const struct sq_src *s)
{
   return s->kind == SQ_SRC_SGPR ? sq_sdef64(w, s->reg) : ~0ull;
}

/* ---- lane masks ---- */

/* 64 words of 0 or ~0 to a mask. */
uint64_t sq_movemask(const uint32_t *m);
/* A mask to 64 words of 0 or ~0. */
void sq_expand(uint32_t *m, uint64_t mask);

static inline const uint32_t *sq_exec_words(struct sq_wave *w, uint64_t exec)
{
   if (w->exec_mask_of != exec) {
      sq_expand(w->exec_mask, exec);
      w->exec_mask_of = exec;
   }
   return w->exec_mask;
}
/* dst[l] = src[l] where `mask` is set, for n registers. */
void sq_blend(uint32_t *dst, const uint32_t *src, const uint32_t *mask, unsigned n);
void sq_broadcast(uint32_t *dst, uint32_t v);
/* n registers. */
void sq_copy(uint32_t *dst, const uint32_t *src, unsigned n);
/* n words, rounded up to four. */
void sq_zero(void *dst, unsigned n);

/* ---- the host's FP unit ---- */

static inline void sq_fp_set(uint32_t control)
{
#if defined(__x86_64__)
   __builtin_ia32_ldmxcsr(control);
#elif defined(__aarch64__)
   uint64_t v = control;
   __asm__ volatile("msr fpcr, %0" : : "r"(v));
#endif
}
static inline uint32_t sq_fp_get(void)
{
#if defined(__x86_64__)
   return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
   uint64_t v;
   __asm__ volatile("mrs %0, fpcr" : "=r"(v));
   return v;
#else
#error "the model needs a host whose FP unit can flush denormals"
#endif
}
static inline void sq_fp_use(struct sq_wave *w, unsigned fp)
{
   uint32_t c = w->fp_control[fp];
   if (c != w->fp_now) {
      w->fp_now = c;
      sq_fp_set(c);
   }
}
/* Before code of another block runs. */
static inline void sq_fp_host(struct sq_wave *w) { sq_fp_use(w, SQ_FP_HOST); }
/* After a change of w->mode. */
void sq_mode_changed(struct sq_wave *w);

#define SQ_MODE_ROUND32(m)   ((m) & 3)
#define SQ_MODE_ROUND64(m)   (((m) >> 2) & 3)
#define SQ_MODE_DENORM32(m)  (((m) >> 4) & 3)
#define SQ_MODE_DENORM64(m)  (((m) >> 6) & 3)
#define SQ_MODE_DX10_CLAMP   (1u << 8)
#define SQ_MODE_IEEE         (1u << 9)
#define SQ_MODE_GPR_IDX_EN   (1u << 27)
#define SQ_MODE_VSKIP        (1u << 28)

/* ---- vector arithmetic ---- */

/* What a kernel works on. Absent sources point at `a`. 64-bit operands have
 * their high halves at +64. */
struct sq_valu {
   uint32_t *d;
   const uint32_t *a, *b, *c;
   const uint32_t *mask_in;  /* carry, condition: words of 0 or ~0 */
   uint32_t *mask_out;       /* the same, for results that are lane masks */
   uint32_t mode;
};

struct sq_valu_row {
   uint16_t op;
   uint8_t fp;               /* enum sq_fp */
   sq_kernel kernel;
   sq_kernel saturate;       /* with CLAMP on integers; NULL: none */
};
extern const struct sq_valu_row sq_rows_f32[], sq_rows_int[], sq_rows_f64[], sq_rows_f16[],
   sq_rows_pk[], sq_rows_cmp[];

/* Handlers by family, asked in turn at decode; false: not mine. Sets fn and
 * what it needs. */
bool sq_decode_valu(struct sq_inst *i);
bool sq_decode_lane(struct sq_inst *i);
bool sq_decode_interp(struct sq_inst *i);
bool sq_decode_sop(struct sq_inst *i);
bool sq_decode_flow(struct sq_inst *i);
bool sq_decode_smem(struct sq_inst *i);
bool sq_decode_vmem(struct sq_inst *i);
bool sq_decode_flat(struct sq_inst *i);
bool sq_decode_ds(struct sq_inst *i);
bool sq_decode_gws(struct sq_inst *i);
/* Every wave that is left waits for a GWS resource. */
void sq_gws_stuck(struct sq *sq, unsigned num_waves);
bool sq_decode_export(struct sq_inst *i);

/* sq_run() for tools and tests: `prepare` may change each wave before it runs;
 * the waves' final states stay in sq->waves. */
void sq_run_prepared(struct sq *sq, const struct model_env *env, const struct sq_wave_init *waves,
                     unsigned num_waves, unsigned lds_bytes, const struct sq_sink *sink,
                     void (*prepare)(struct sq_wave *w, void *ctx), void *ctx);

/* ---- programs (program.c) ---- */

/* Whether an opcode (enum isa_op) has a handler. */
bool sq_modelled(unsigned op);
struct sq_program *sq_program_get(struct sq *sq, const struct model_env *env, uint64_t pc);
/* The instruction at `pc`, decoded now if need be; NULL after model_fail(). */
struct sq_inst *sq_program_at(struct sq_wave *w, uint64_t pc);
uint32_t sq_program_hash(const struct sq_program *p);
/* Its first instruction; NULL: not decoded. */
const struct sq_inst *sq_program_entry(const struct sq_program *p);
unsigned sq_program_max_sgpr(const struct sq_program *p);
unsigned sq_program_max_vgpr(const struct sq_program *p);
void sq_programs_free(struct sq *sq);
/* Continues at `pc`; `i` is the jump. */
void sq_jump(struct sq_wave *w, const struct sq_inst *i, uint64_t pc);

/* ---- checks (check.c) ---- */

void sq_check_slow(struct sq_wave *w, const struct sq_inst *i);
/* Hazards of instruction n of a straight run, at decode. */
/* Handler of an instruction that lacks states. */
void sq_hazard_then(struct sq_wave *w, const struct sq_inst *i);
/* Handler of an instruction whose order among waves can be seen. */
void sq_order_then(struct sq_wave *w, const struct sq_inst *i);
void sq_check_run(struct sq_inst *insts, unsigned n);
/* ---- estimated time (timing.c) ---- */

enum { SQ_TIME_VM, SQ_TIME_LGKM, SQ_TIME_EXP };
void sq_timing_decode(struct sq_inst *i);
/* Number `number` of a counter was issued; is waited for. */
void sq_timing_issue(struct sq_wave *w, const struct sq_inst *i, unsigned counter, uint32_t number);
void sq_timing_wait(struct sq_wave *w, unsigned counter, uint32_t number);
void sq_timing_lds(struct sq_wave *w, const struct sq_inst *i);
void sq_timing_barrier(struct sq_wave *const *waves, unsigned num);
void sq_timing_end(const struct sq_wave *w, unsigned num_waves);

/* Fills the report's place from the wave and instruction. */
void sq_place(struct sq_wave *w, const struct sq_inst *i, int lane);
/* One line on stderr when the draw is traced: the instruction and what it left in
 * its destination. Keeps sq_wave.written. */
void sq_trace(struct sq_wave *w, const struct sq_inst *i);
void sq_uninit(struct sq_wave *w, const struct sq_inst *i, int lane, const char *what);
/* Undefined active lanes of a VGPR operand that is used for `what`. */
static inline void sq_need_vgpr(struct sq_wave *w, const struct sq_inst *i, unsigned reg,
                                unsigned num, uint64_t exec, const char *what)
{
   for (unsigned n = 0; n < num; n++) {
      uint64_t bad = exec & ~w->vdef[reg + n];
      if (__builtin_expect(bad != 0, 0)) {
         sq_uninit(w, i, __builtin_ctzll(bad), what);
         w->vdef[reg + n] |= bad; /* once is enough */
      }
   }
}
static inline void sq_need_sgpr(struct sq_wave *w, const struct sq_inst *i, unsigned reg,
                                unsigned num, const char *what)
{
   for (unsigned n = 0; n < num; n++) {
      if (__builtin_expect(w->sdef[reg + n] != ~0u, 0)) {
         sq_uninit(w, i, -1, what);
         w->sdef[reg + n] = ~0u;
      }
   }
}
static inline void sq_need_src(struct sq_wave *w, const struct sq_inst *i, unsigned n, uint64_t exec,
                               const char *what)
{
   const struct sq_src *s = &i->src[n];
   if (s->kind == SQ_SRC_VGPR)
      sq_need_vgpr(w, i, s->reg, s->dw, exec, what);
   else if (s->kind == SQ_SRC_SGPR)
      sq_need_sgpr(w, i, s->reg, s->dw, what);
}
/* A load or export was issued: its registers wait for the counter. */
void sq_issue_vm(struct sq_wave *w, const struct sq_inst *i);
void sq_issue_lgkm(struct sq_wave *w, const struct sq_inst *i, bool out_of_order);
void sq_issue_exp(struct sq_wave *w, const struct sq_inst *i);
void sq_wait(struct sq_wave *w, unsigned vm, unsigned exp, unsigned lgkm);

/* Lanes of a VGPR destination got data. */
static inline void sq_define(struct sq_wave *w, unsigned reg, unsigned num, uint64_t exec)
{
   for (unsigned n = 0; n < num; n++)
      w->vdef[reg + n] |= exec;
}

#endif
