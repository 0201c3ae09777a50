/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "util/half_float.h"
#include "util/macros.h"
#include "ir_interp.h"

#define MAX_STEPS 200000

struct value { uint32_t d[16]; };

struct run {
   const struct ir_shader *sh;
   struct interp_env *env;
   struct value *values;   /* by instruction id */
   uint32_t *vars;
   uint32_t *var_first;    /* first dword of each variable */
   const struct ir_block *prev;
   uint32_t scratch[1024];
};

static float
flush(float f)
{
   return fpclassify(f) == FP_SUBNORMAL ? copysignf(0.0f, f) : f;
}

static float
as_f(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return flush(f);
}

static uint32_t
from_f(float f)
{
   uint32_t u;
   f = flush(f);
   memcpy(&u, &f, 4);
   return u;
}

static double
as_d(const struct value *v)
{
   double d;
   memcpy(&d, v->d, 8);
   return d;
}

static uint32_t
f2i(float f)
{
   return isnan(f) ? 0 : f >= 2147483648.0f ? INT32_MAX : f <= -2147483648.0f ? INT32_MIN : (int32_t)f;
}

static uint32_t
f2u(float f)
{
   return !(f > 0) ? 0 : f >= 4294967296.0f ? UINT32_MAX : (uint32_t)f;
}

static float
mul_legacy(float x, float y)
{
   return x == 0 || y == 0 ? 0 : x * y;
}

/* One result dword from up to three scalar sources. False: not such an op. */
static bool
scalar_float(enum ir_op op, float x, float y, float z, float *r)
{
   switch (op) {
   case IR_FADD: *r = x + y; return true;
   case IR_FMUL: *r = x * y; return true;
   case IR_FMUL_LEGACY: *r = mul_legacy(x, y); return true;
   case IR_FMAD: *r = flush(x * y) + z; return true;
   case IR_FFMA: *r = fmaf(x, y, z); return true;
   /* The C library makes NaN of a signalling one, the hardware takes the other operand. */
   case IR_FMIN: *r = isnan(x) ? y : isnan(y) ? x : fminf(x, y); return true;
   case IR_FMAX: *r = isnan(x) ? y : isnan(y) ? x : fmaxf(x, y); return true;
   case IR_FSAT: *r = isnan(x) ? 0 : fminf(fmaxf(x, 0), 1); return true;
   case IR_FRCP: *r = 1.0f / x; return true;
   case IR_FRSQ: *r = 1.0f / sqrtf(x); return true;
   case IR_FSQRT: *r = sqrtf(x); return true;
   case IR_FEXP2: *r = exp2f(x); return true;
   case IR_FLOG2: *r = log2f(x); return true;
   case IR_FSIN: *r = sin(2 * M_PI * x); return true;
   case IR_FCOS: *r = cos(2 * M_PI * x); return true;
   case IR_FFLOOR: *r = floorf(x); return true;
   case IR_FCEIL: *r = ceilf(x); return true;
   case IR_FTRUNC: *r = truncf(x); return true;
   case IR_FRNDNE: *r = rintf(x); return true;
   case IR_FFRACT: *r = isfinite(x) ? fminf(x - floorf(x), 0x1.fffffep-1f) : NAN; return true;
   case IR_FREXP_MANT: { int e; *r = frexpf(x, &e); return true; }
   case IR_FMED3:
      *r = fmaxf(fminf(x, y), fminf(fmaxf(x, y), z));
      return true;
   default: return false;
   }
}

static bool
scalar_int(enum ir_op op, uint32_t x, uint32_t y, uint32_t z, uint32_t *r)
{
   const int32_t sx = x, sy = y;

   switch (op) {
   case IR_FNEG: *r = x ^ 0x80000000; return true;
   case IR_FABS: *r = x & 0x7fffffff; return true;
   case IR_FLDEXP: *r = from_f(ldexpf(as_f(x), sy)); return true;
   case IR_FREXP_EXP: { int e; frexpf(as_f(x), &e); *r = e; return true; }
   case IR_F2I: *r = f2i(as_f(x)); return true;
   case IR_F2U: *r = f2u(as_f(x)); return true;
   case IR_I2F: *r = from_f(sx); return true;
   case IR_U2F: *r = from_f(x); return true;
   case IR_F2F16: *r = _mesa_float_to_half(as_f(x)); return true;
   case IR_F16_2F: *r = from_f(_mesa_half_to_float(x)); return true;
   case IR_IADD: *r = x + y; return true;
   case IR_ISUB: *r = x - y; return true;
   case IR_INEG: *r = -x; return true;
   case IR_IABS: *r = sx < 0 ? -x : x; return true;
   case IR_IMUL: *r = x * y; return true;
   case IR_IMUL_HI: *r = ((int64_t)sx * sy) >> 32; return true;
   case IR_UMUL_HI: *r = ((uint64_t)x * y) >> 32; return true;
   case IR_UDIV: *r = y ? x / y : ~0u; return true;
   case IR_UMOD: *r = y ? x % y : ~0u; return true;
   case IR_IDIV: *r = !y ? 0 : y == ~0u ? -x : (uint32_t)(sx / sy); return true;
   case IR_IMOD: *r = !y ? ~0u : y == ~0u ? 0 : (uint32_t)(sx % sy); return true;
   case IR_IMIN: *r = sx < sy ? x : y; return true;
   case IR_IMAX: *r = sx > sy ? x : y; return true;
   case IR_UMIN: *r = x < y ? x : y; return true;
   case IR_UMAX: *r = x > y ? x : y; return true;
   case IR_IAND: *r = x & y; return true;
   case IR_IOR: *r = x | y; return true;
   case IR_IXOR: *r = x ^ y; return true;
   case IR_INOT: *r = ~x; return true;
   case IR_SHL: *r = x << (y & 31); return true;
   case IR_LSHR: *r = x >> (y & 31); return true;
   case IR_ASHR: *r = sx >> (y & 31); return true;
   case IR_UBFE: *r = (x >> (y & 31)) & ((1u << (z & 31)) - 1); return true;
   case IR_IBFE: {
      unsigned w = z & 31;
      uint32_t v = (uint32_t)(sx >> (y & 31)) & ((1u << w) - 1);
      *r = w && v >> (w - 1) ? v | ~((1u << w) - 1) : v;
      return true;
   }
   case IR_BFI: *r = (x & y) | (~x & z); return true;
   case IR_BFM: *r = ((1u << (x & 31)) - 1) << (y & 31); return true;
   case IR_BREV:
      *r = 0;
      for (unsigned i = 0; i < 32; i++)
         *r |= ((x >> i) & 1) << (31 - i);
      return true;
   case IR_BCNT: *r = __builtin_popcount(x); return true;
   case IR_FFBL: *r = x ? __builtin_ctz(x) : ~0u; return true;
   case IR_FFBH_U: *r = x ? __builtin_clz(x) : ~0u; return true;
   case IR_FFBH_I: {
      uint32_t v = sx < 0 ? ~x : x;
      *r = v ? __builtin_clz(v) : ~0u;
      return true;
   }
   case IR_FLT: *r = as_f(x) < as_f(y); return true;
   case IR_FGE: *r = as_f(x) >= as_f(y); return true;
   case IR_FEQ: *r = as_f(x) == as_f(y); return true;
   case IR_FNE: *r = as_f(x) != as_f(y); return true;
   case IR_ILT: *r = sx < sy; return true;
   case IR_IGE: *r = sx >= sy; return true;
   case IR_ULT: *r = x < y; return true;
   case IR_UGE: *r = x >= y; return true;
   case IR_IEQ: *r = x == y; return true;
   case IR_INE: *r = x != y; return true;
   case IR_BAND: *r = x & y; return true;
   case IR_BOR: *r = x | y; return true;
   case IR_BXOR: *r = x ^ y; return true;
   case IR_BNOT: *r = !x; return true;
   default: return false;
   }
}

/* Only 29 bits are right, so that code which forgets to refine is found. */
static double
estimate(double d)
{
   uint64_t bits;

   if (!isfinite(d))
      return d;
   memcpy(&bits, &d, 8);
   bits &= ~0xffffffull;
   memcpy(&d, &bits, 8);
   return d;
}

static bool
double_result(enum ir_op op, double x, double y, double z, double *r)
{
   switch (op) {
   case IR_DADD: *r = x + y; return true;
   case IR_DMUL: *r = x * y; return true;
   case IR_DFMA: *r = fma(x, y, z); return true;
   case IR_DMIN: *r = fmin(x, y); return true;
   case IR_DMAX: *r = fmax(x, y); return true;
   /* The hardware's are estimates. */
   case IR_DRCP: *r = estimate(1.0 / x); return true;
   case IR_DRSQ: *r = estimate(1.0 / sqrt(x)); return true;
   case IR_DFLOOR: *r = floor(x); return true;
   case IR_DCEIL: *r = ceil(x); return true;
   case IR_DTRUNC: *r = trunc(x); return true;
   case IR_DRNDNE: *r = rint(x); return true;
   case IR_DFRACT: *r = isfinite(x) ? fmin(x - floor(x), 0x1.fffffffffffffp-1) : NAN; return true;
   case IR_DDIV_FIXUP:
      *r = isnan(y) || isnan(z) || y == 0 || z == 0 || isinf(y) || isinf(z) ? z / y : copysign(x, copysign(1, y) * copysign(1, z));
      return true;
   case IR_DFREXP_MANT: { int e; *r = frexp(x, &e); return true; }
   default: return false;
   }
}

static bool
double_source(enum ir_op op, double x, double y, uint32_t *r)
{
   switch (op) {
   case IR_DLT: *r = x < y; return true;
   case IR_DGE: *r = x >= y; return true;
   case IR_DEQ: *r = x == y; return true;
   case IR_DNE: *r = x != y; return true;
   case IR_D2F: *r = from_f(x); return true;
   case IR_D2I: *r = isnan(x) ? 0 : x >= 0x1p31 ? INT32_MAX : x <= -0x1p31 ? INT32_MIN : (int32_t)x; return true;
   case IR_D2U: *r = !(x > 0) ? 0 : x >= 0x1p32 ? UINT32_MAX : (uint32_t)x; return true;
   case IR_DFREXP_EXP: { int e; frexp(x, &e); *r = e; return true; }
   default: return false;
   }
}

static bool
int64_op(enum ir_op op, const struct value *src, struct value *r)
{
   uint64_t x, y, z, v = 0;

   memcpy(&x, src[0].d, 8);
   memcpy(&y, src[1].d, 8);
   memcpy(&z, src[2].d, 8);
   const int64_t sx = x, sy = y;
   const unsigned n = src[1].d[0] & 63;
   switch (op) {
   case IR_IADD64: v = x + y; break;
   case IR_ISUB64: v = x - y; break;
   case IR_UMAD64: v = (uint64_t)src[0].d[0] * src[1].d[0] + z; break;
   case IR_SHL64: v = x << n; break;
   case IR_LSHR64: v = x >> n; break;
   case IR_ASHR64: v = sx >> n; break;
   case IR_UDIV64: v = y ? x / y : ~0ull; break;
   case IR_UMOD64: v = y ? x % y : ~0ull; break;
   case IR_IDIV64: v = !y ? 0 : sy == -1 ? -x : (uint64_t)(sx / sy); break;
   case IR_IMOD64: v = !y ? ~0ull : sy == -1 ? 0 : (uint64_t)(sx % sy); break;
   case IR_ILT64: r->d[0] = sx < sy; return true;
   case IR_IGE64: r->d[0] = sx >= sy; return true;
   case IR_ULT64: r->d[0] = x < y; return true;
   case IR_UGE64: r->d[0] = x >= y; return true;
   case IR_IEQ64: r->d[0] = x == y; return true;
   case IR_INE64: r->d[0] = x != y; return true;
   default: return false;
   }
   memcpy(r->d, &v, 8);
   return true;
}

static bool
data_op(struct run *run, const struct ir_inst *i, struct value *r)
{
   struct value src[3];
   double d;
   float f;

   memset(src, 0, sizeof(src));
   for (unsigned s = 0; s < i->num_src && s < 3; s++)
      src[s] = run->values[i->src[s]->id];
   const uint32_t x = src[0].d[0], y = src[1].d[0], z = src[2].d[0];

   if (scalar_float(i->op, as_f(x), as_f(y), as_f(z), &f)) {
      r->d[0] = from_f(f);
      return true;
   }
   if (scalar_int(i->op, x, y, z, &r->d[0]) || int64_op(i->op, src, r) ||
       double_source(i->op, as_d(&src[0]), as_d(&src[1]), &r->d[0]))
      return true;
   if (double_result(i->op, as_d(&src[0]), as_d(&src[1]), as_d(&src[2]), &d)) {
      memcpy(r->d, &d, 8);
      return true;
   }
   switch (i->op) {
   case IR_F2D: d = as_f(x); break;
   case IR_I2D: d = (int32_t)x; break;
   case IR_U2D: d = x; break;
   case IR_DCLASS: {
      const double c = as_d(&src[0]);
      r->d[0] = ((i->imm & IR_CLASS_ZERO) && c == 0) || ((i->imm & IR_CLASS_POS_INF) && c == INFINITY);
      return true;
   }
   case IR_DLDEXP: d = ldexp(as_d(&src[0]), (int32_t)y); break;
   default: return false;
   }
   memcpy(r->d, &d, 8);
   return true;
}

static void
load_const(struct run *run, const struct ir_inst *i, struct value *r)
{
   const struct value *desc = &run->values[i->src[0]->id];
   const uint32_t buf = desc->d[1] / 16;
   const uint64_t first = (uint32_t)(run->values[i->src[1]->id].d[0] + i->mem.offset) / 4;

   for (unsigned c = 0; c < i->comps && i->src[0]->op == IR_TABLE; c++)
      r->d[c] = first + c < run->sh->num_table ? run->sh->table[first + c] : 0;
   for (unsigned c = 0; c < i->comps && i->src[0]->op != IR_TABLE; c++) {
      bool inside = buf < TGSIAMD_MAX_CONST_BUFFERS && first + c < run->env->const_dwords[buf];
      r->d[c] = inside ? run->env->consts[buf][first + c] : 0;
   }
}

/* A dword of memory 0 (LDS) or of the buffer that the descriptor names; NULL: outside. */
static uint32_t *
memory_dword(struct run *run, const struct ir_inst *i, bool lds, unsigned c)
{
   const struct value *v = run->values;
   const uint32_t *desc = v[i->src[0]->id].d;
   const uint32_t mem = lds ? 0 : desc[0] == IR_LIST_IMAGES ? 1 + desc[1] / 16 : INTERP_MEMORIES;
   /* The address wraps, what follows in a wide access does not. */
   const uint64_t at = (uint64_t)(uint32_t)(v[i->src[lds ? 0 : 1]->id].d[0] + i->mem.offset) / 4 + c;
   return mem < INTERP_MEMORIES && at < INTERP_MEMORY_DWORDS ? &run->env->memory[mem][at] : NULL;
}

/* Loads and stores of memory that programs write. */
static void
memory_op(struct run *run, const struct ir_inst *i, struct value *r)
{
   const bool lds = i->op == IR_LOAD_LDS || i->op == IR_STORE_LDS;
   const bool store = i->op == IR_STORE_BUF || i->op == IR_STORE_LDS;
   for (unsigned c = 0; c < (store ? i->mem.comps : i->comps); c++) {
      uint32_t *p = memory_dword(run, i, lds, c);
      if (store && p)
         *p = run->values[i->src[lds ? 1 : 2]->id].d[c];
      else if (!store)
         r->d[c] = p ? *p : 0;
   }
}

/* False when the operation is refused. */
static bool
step(struct run *run, const struct ir_inst *i)
{
   struct value r;
   struct value *v = run->values;

   memset(&r, 0, sizeof(r));
   switch (i->op) {
   case IR_CONST: r.d[0] = i->imm; break;
   case IR_UNDEF: memset(&r, 0x5a, sizeof(r)); break;
   case IR_PHI: return true; /* enter_block did it */
   case IR_LOAD_VAR: r.d[0] = run->vars[run->var_first[i->imm]]; break;
   case IR_STORE_VAR: run->vars[run->var_first[i->imm]] = v[i->src[0]->id].d[0]; break;
   case IR_LOAD_ARRAY:
   case IR_STORE_ARRAY: {
      uint32_t index = v[i->src[0]->id].d[0];
      if (index >= run->sh->vars[i->imm].length)
         break;
      uint32_t *p = &run->vars[run->var_first[i->imm] + index];
      if (i->op == IR_LOAD_ARRAY)
         r.d[0] = *p;
      else
         *p = v[i->src[1]->id].d[0];
      break;
   }
   case IR_VEC:
      for (unsigned c = 0; c < i->num_src; c++)
         r.d[c] = v[i->src[c]->id].d[0];
      break;
   case IR_EXTRACT: r.d[0] = v[i->src[0]->id].d[i->imm]; break;
   case IR_SYSVAL: r.d[0] = run->env->sysvals[i->imm]; break;
   case IR_SELECT: r = v[i->src[v[i->src[0]->id].d[0] ? 1 : 2]->id]; break;
   case IR_READFIRST: r = v[i->src[0]->id]; break;
   case IR_LOAD_DESC:
      r.d[0] = i->imm;
      r.d[1] = v[i->src[0]->id].d[0];
      break;
   case IR_TABLE: break;
   case IR_LOAD_CONST: load_const(run, i, &r); break;
   case IR_LOAD_BUF: case IR_STORE_BUF: case IR_LOAD_LDS: case IR_STORE_LDS: memory_op(run, i, &r); break;
   case IR_LOAD_ATTRIB: memcpy(r.d, run->env->attribs[i->imm], 16); break;
   case IR_INTERP:
   case IR_INTERP_MOV: r.d[0] = run->env->attribs[i->io.slot][i->io.chan]; break;
   case IR_KILL_IF: run->env->killed |= v[i->src[0]->id].d[0] != 0; break;
   case IR_LOAD_SCRATCH:
   case IR_STORE_SCRATCH: {
      uint32_t at = (v[i->src[0]->id].d[0] + i->mem.offset) / 4;
      if (at >= ARRAY_SIZE(run->scratch))
         break;
      if (i->op == IR_LOAD_SCRATCH)
         r.d[0] = run->scratch[at];
      else
         run->scratch[at] = v[i->src[1]->id].d[0];
      break;
   }
   case IR_STORE_OUTPUT: run->env->outputs[i->io.slot][i->io.chan] = v[i->src[0]->id].d[0]; break;
   default:
      if (!data_op(run, i, &r)) {
         snprintf(run->env->why, sizeof(run->env->why), "cannot run %s", ir_info(i)->name);
         return false;
      }
   }
   v[i->id] = r;
   return true;
}

/* The phis of a block read their sources all at once. */
static void
enter_block(struct run *run, const struct ir_block *b)
{
   struct value old[256];
   unsigned n = 0;

   ir_foreach_inst(b, i) {
      if (i->op != IR_PHI)
         break;
      for (unsigned p = 0; p < i->num_src && n < ARRAY_SIZE(old); p++) {
         if (b->preds[p] == run->prev)
            old[n] = run->values[i->src[p]->id];
      }
      n++;
   }
   n = 0;
   ir_foreach_inst(b, i) {
      if (i->op != IR_PHI)
         break;
      run->values[i->id] = old[n++];
   }
}

static bool
run_blocks(struct run *run)
{
   const struct ir_block *b = run->sh->blocks[0];
   unsigned steps = 0;

   for (;;) {
      enter_block(run, b);
      ir_foreach_inst(b, i) {
         if (++steps > MAX_STEPS) {
            snprintf(run->env->why, sizeof(run->env->why), "runs too long");
            return false;
         }
         if (!step(run, i))
            return false;
      }
      if (++steps > MAX_STEPS) {
         snprintf(run->env->why, sizeof(run->env->why), "runs too long");
         return false;
      }
      const struct ir_block *next = b->succ[0];
      if (b->term == IR_TERM_END)
         return true;
      if (b->term == IR_TERM_IF && !run->values[b->cond->id].d[0])
         next = b->succ[1];
      run->prev = b;
      b = next;
   }
}

bool
interp_run(const struct ir_shader *sh, struct interp_env *env)
{
   struct run run = { .sh = sh, .env = env };
   uint32_t num = 0;

   run.values = calloc(sh->num_ids + 1, sizeof(*run.values));
   run.var_first = calloc(sh->num_vars + 1, sizeof(*run.var_first));
   for (uint32_t i = 0; i < sh->num_vars; i++) {
      run.var_first[i] = num;
      num += sh->vars[i].length;
   }
   run.vars = calloc(num + 1, sizeof(*run.vars));
   bool ok = run_blocks(&run);
   free(run.values);
   free(run.var_first);
   free(run.vars);
   return ok;
}
