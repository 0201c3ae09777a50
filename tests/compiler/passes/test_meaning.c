/* SPDX-License-Identifier: MIT */
/* Passes must not change what a program computes. Random programs of text IR's
 * operations, with branches, loops, arrays, constants, buffers and LDS, go through
 * the passes in the compiler's order and in any order; behind each pass they are
 * run by an interpreter that was written from the operations' definitions, and must
 * give what they gave at first. Divisions are run with all pairs of corner values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../args.h"
#include "ir_interp.h"
#include "passes.h"

#define NUM(a)    (sizeof(a) / sizeof((a)[0]))
#define MAX_POOL  256
#define RUNS      6   /* of a program, with other inputs */
#define NUM_VARS  4   /* of each kind */
#define MAX_DEPTH 3

static const struct tgsiamd_key key;

/* --- random programs --- */

/* Floats and integers are kept apart: what is a denormal or the sign of 0 to one is a number to the other. */
enum kind { KIND_FLOAT, KIND_INT, KIND_BOOL, KIND_PAIR, NUM_KINDS };

struct pool { ir_val v[MAX_POOL]; unsigned n; };

struct gen {
   struct ir_builder b;
   uint32_t state;
   struct pool pool[NUM_KINDS];
   uint32_t var[2][NUM_VARS], array[2]; /* by KIND_FLOAT, KIND_INT */
   unsigned depth, loops;
   bool kills;
};

static uint32_t
rnd(struct gen *g, uint32_t n)
{
   g->state = g->state * 1664525 + 1013904223;
   return (g->state >> 8) % n;
}

static void
add(struct gen *g, enum kind kind, ir_val v)
{
   struct pool *p = &g->pool[kind];
   if (p->n < MAX_POOL)
      p->v[p->n++] = v;
   else
      p->v[rnd(g, MAX_POOL)] = v;
}

static const uint32_t floats[] = { 0, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0xc0490fdb, 0x7149f2ca, 0x7f800000, 0x7fc00000 };
static const uint32_t ints[] = { 0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 33, 63, 255, 0xfffffffc, 0xffffffff, 0x7fffffff, 0x80000000, 0x12345678 };

static ir_val
pick(struct gen *g, enum kind kind)
{
   struct pool *p = &g->pool[kind];
   if (kind == KIND_FLOAT && rnd(g, 4) == 0)
      return ir_imm(&g->b, floats[rnd(g, NUM(floats))]);
   if (kind == KIND_INT && rnd(g, 3) == 0)
      return ir_imm(&g->b, ints[rnd(g, NUM(ints))]);
   /* Mostly what is new, so that chains of operations arise. */
   unsigned back = rnd(g, 2) ? p->n : p->n < 6 ? p->n : 6;
   return p->v[p->n - 1 - rnd(g, back)];
}

struct row { uint16_t op; uint8_t result, src, n; };
static const struct row rows[] = {
   { IR_FADD, KIND_FLOAT, KIND_FLOAT, 2 }, { IR_FMUL, KIND_FLOAT, KIND_FLOAT, 2 }, { IR_FMUL_LEGACY, KIND_FLOAT, KIND_FLOAT, 2 },
   { IR_FMAD, KIND_FLOAT, KIND_FLOAT, 3 }, { IR_FFMA, KIND_FLOAT, KIND_FLOAT, 3 }, { IR_FMIN, KIND_FLOAT, KIND_FLOAT, 2 },
   { IR_FMAX, KIND_FLOAT, KIND_FLOAT, 2 }, { IR_FNEG, KIND_FLOAT, KIND_FLOAT, 1 }, { IR_FABS, KIND_FLOAT, KIND_FLOAT, 1 },
   { IR_FSAT, KIND_FLOAT, KIND_FLOAT, 1 }, { IR_FFLOOR, KIND_FLOAT, KIND_FLOAT, 1 }, { IR_FCEIL, KIND_FLOAT, KIND_FLOAT, 1 },
   { IR_FTRUNC, KIND_FLOAT, KIND_FLOAT, 1 }, { IR_FRNDNE, KIND_FLOAT, KIND_FLOAT, 1 }, { IR_FSQRT, KIND_FLOAT, KIND_FLOAT, 1 },
   { IR_FLT, KIND_BOOL, KIND_FLOAT, 2 }, { IR_FGE, KIND_BOOL, KIND_FLOAT, 2 }, { IR_FEQ, KIND_BOOL, KIND_FLOAT, 2 },
   { IR_FNE, KIND_BOOL, KIND_FLOAT, 2 }, { IR_F2I, KIND_INT, KIND_FLOAT, 1 }, { IR_F2U, KIND_INT, KIND_FLOAT, 1 },
   { IR_I2F, KIND_FLOAT, KIND_INT, 1 }, { IR_U2F, KIND_FLOAT, KIND_INT, 1 },
   { IR_IADD, KIND_INT, KIND_INT, 2 }, { IR_IADD, KIND_INT, KIND_INT, 2 }, { IR_ISUB, KIND_INT, KIND_INT, 2 },
   { IR_INEG, KIND_INT, KIND_INT, 1 }, { IR_IABS, KIND_INT, KIND_INT, 1 }, { IR_IMUL, KIND_INT, KIND_INT, 2 },
   { IR_IMUL_HI, KIND_INT, KIND_INT, 2 }, { IR_UMUL_HI, KIND_INT, KIND_INT, 2 }, { IR_IMIN, KIND_INT, KIND_INT, 2 },
   { IR_IMAX, KIND_INT, KIND_INT, 2 }, { IR_UMIN, KIND_INT, KIND_INT, 2 }, { IR_UMAX, KIND_INT, KIND_INT, 2 },
   { IR_IAND, KIND_INT, KIND_INT, 2 }, { IR_IOR, KIND_INT, KIND_INT, 2 }, { IR_IXOR, KIND_INT, KIND_INT, 2 },
   { IR_INOT, KIND_INT, KIND_INT, 1 }, { IR_SHL, KIND_INT, KIND_INT, 2 }, { IR_SHL, KIND_INT, KIND_INT, 2 },
   { IR_LSHR, KIND_INT, KIND_INT, 2 }, { IR_ASHR, KIND_INT, KIND_INT, 2 }, { IR_UBFE, KIND_INT, KIND_INT, 3 },
   { IR_IBFE, KIND_INT, KIND_INT, 3 }, { IR_BFI, KIND_INT, KIND_INT, 3 }, { IR_BFM, KIND_INT, KIND_INT, 2 },
   { IR_BREV, KIND_INT, KIND_INT, 1 }, { IR_BCNT, KIND_INT, KIND_INT, 1 }, { IR_FFBL, KIND_INT, KIND_INT, 1 },
   { IR_FFBH_U, KIND_INT, KIND_INT, 1 }, { IR_FFBH_I, KIND_INT, KIND_INT, 1 },
   { IR_UDIV, KIND_INT, KIND_INT, 2 }, { IR_UMOD, KIND_INT, KIND_INT, 2 }, { IR_IDIV, KIND_INT, KIND_INT, 2 },
   { IR_IMOD, KIND_INT, KIND_INT, 2 },
   { IR_ILT, KIND_BOOL, KIND_INT, 2 }, { IR_IGE, KIND_BOOL, KIND_INT, 2 }, { IR_ULT, KIND_BOOL, KIND_INT, 2 },
   { IR_UGE, KIND_BOOL, KIND_INT, 2 }, { IR_IEQ, KIND_BOOL, KIND_INT, 2 }, { IR_INE, KIND_BOOL, KIND_INT, 2 },
   { IR_BAND, KIND_BOOL, KIND_BOOL, 2 }, { IR_BOR, KIND_BOOL, KIND_BOOL, 2 }, { IR_BXOR, KIND_BOOL, KIND_BOOL, 2 },
   { IR_BNOT, KIND_BOOL, KIND_BOOL, 1 },
   { IR_IADD64, KIND_PAIR, KIND_PAIR, 2 }, { IR_ISUB64, KIND_PAIR, KIND_PAIR, 2 }, { IR_ULT64, KIND_BOOL, KIND_PAIR, 2 },
   { IR_IGE64, KIND_BOOL, KIND_PAIR, 2 }, { IR_IEQ64, KIND_BOOL, KIND_PAIR, 2 },
   { IR_UDIV64, KIND_PAIR, KIND_PAIR, 2 }, { IR_IMOD64, KIND_PAIR, KIND_PAIR, 2 },
};

static void
operation(struct gen *g)
{
   const struct row *row = &rows[rnd(g, NUM(rows))];
   ir_val src[3] = {0};
   for (unsigned i = 0; i < row->n; i++)
      src[i] = pick(g, row->src);
   struct ir_inst *inst = ir_inst_create(g->b.sh, row->op, row->result == KIND_PAIR ? 2 : 1, row->n);
   memcpy(inst->src, src, row->n * sizeof(*src));
   ir_insert(&g->b, inst);
   add(g, row->result, inst);
}

/* An address in bytes: of a dword inside, of one far outside now and then. */
static ir_val
address(struct gen *g, uint32_t *imm)
{
   ir_val x = ir_shl(&g->b, ir_iand(&g->b, pick(g, KIND_INT), ir_imm(&g->b, 15)), ir_imm(&g->b, 2 + rnd(g, 2)));
   *imm = 4 * rnd(g, 8);
   if (rnd(g, 3) == 0)
      x = ir_iadd(&g->b, x, ir_imm(&g->b, rnd(g, 4) ? 4 * rnd(g, 20) : -4 * (1 + rnd(g, 3))));
   return rnd(g, 4) ? x : NULL;
}

static void
give_loaded(struct gen *g, ir_val v, unsigned n)
{
   for (unsigned c = 0; c < n; c++) {
      if (rnd(g, 3))
         add(g, KIND_INT, ir_extract(&g->b, v, c));
   }
}

/* Neighbouring accesses of one address, so that there is something to merge. */
static void
memory(struct gen *g)
{
   uint32_t imm, mem = rnd(g, 4);
   ir_val at = address(g, &imm), desc = NULL;
   if (mem)
      desc = mem == 3 ? ir_load_desc(&g->b, IR_LIST_BUFFERS, 4, NULL, 16 * rnd(g, 2))
                      : ir_load_desc(&g->b, IR_LIST_IMAGES, 4, NULL, 16 * (mem - 1));
   for (unsigned k = 1 + rnd(g, 4); k-- > 0; imm += 4 * (1 + (rnd(g, 4) == 0))) {
      unsigned n = rnd(g, 3) ? 1 : 2;
      ir_val where = at ? at : ir_imm(&g->b, 0);
      if (mem == 3) {
         give_loaded(g, ir_load_const(&g->b, desc, where, imm, n), n);
      } else if (rnd(g, 3)) {
         give_loaded(g, mem ? ir_load_buf(&g->b, desc, where, imm, n) : ir_load_lds(&g->b, ir_iadd(&g->b, where, ir_imm(&g->b, imm)), n), n);
      } else {
         ir_val two[] = { pick(g, KIND_INT), pick(g, KIND_INT) }, data = n == 1 ? two[0] : ir_vec(&g->b, 2, two);
         if (mem)
            ir_store_buf(&g->b, desc, where, imm, data, n);
         else
            ir_store_lds(&g->b, where, imm, data, n);
      }
   }
}

static void
variable(struct gen *g)
{
   enum kind kind = rnd(g, 2) ? KIND_INT : KIND_FLOAT;
   uint32_t var = g->var[kind][rnd(g, NUM_VARS)];
   ir_val index = ir_iand(&g->b, pick(g, KIND_INT), ir_imm(&g->b, 3));
   switch (rnd(g, 4)) {
   case 0: add(g, kind, ir_load_var(&g->b, var)); break;
   case 1: ir_store_var(&g->b, var, pick(g, kind)); break;
   case 2: add(g, kind, ir_load_array(&g->b, g->array[kind], index)); break;
   default: ir_store_array(&g->b, g->array[kind], index, pick(g, kind)); break;
   }
}

static void
other(struct gen *g)
{
   ir_val two[2];
   enum kind kind = rnd(g, 2) ? KIND_INT : KIND_FLOAT;
   switch (rnd(g, 8)) {
   case 0: case 1:
      two[0] = pick(g, kind);
      add(g, kind, ir_select(&g->b, pick(g, KIND_BOOL), two[0], pick(g, kind)));
      break;
   case 2: add(g, KIND_INT, ir_b2i(&g->b, pick(g, KIND_BOOL))); break;
   case 3: add(g, KIND_FLOAT, ir_b2f(&g->b, pick(g, KIND_BOOL))); break;
   case 4: add(g, KIND_BOOL, ir_i2b(&g->b, pick(g, KIND_INT))); break;
   case 5:
      two[0] = pick(g, KIND_INT);
      two[1] = rnd(g, 2) ? ir_imm(&g->b, 0) : pick(g, KIND_INT);
      add(g, KIND_PAIR, ir_vec(&g->b, 2, two));
      break;
   case 6: add(g, KIND_INT, ir_extract(&g->b, pick(g, KIND_PAIR), rnd(g, 2))); break;
   default: /* 1 / sqrt, away from the sign of 0 */
      add(g, KIND_FLOAT, ir_frcp(&g->b, ir_fsqrt(&g->b, ir_fadd(&g->b, ir_fabs(&g->b, pick(g, KIND_FLOAT)), ir_immf(&g->b, 1)))));
      break;
   }
}

static void statements(struct gen *g, unsigned n);

/* Values of an arm are not known behind it. */
static void
arm(struct gen *g, unsigned n)
{
   unsigned known[NUM_KINDS];
   for (unsigned k = 0; k < NUM_KINDS; k++)
      known[k] = g->pool[k].n;
   statements(g, n);
   for (unsigned k = 0; k < NUM_KINDS; k++)
      g->pool[k].n = known[k];
}

static void
branch(struct gen *g)
{
   ir_if(&g->b, pick(g, KIND_BOOL));
   arm(g, rnd(g, 5));
   if (rnd(g, 2)) {
      ir_else(&g->b);
      arm(g, rnd(g, 5));
   }
   ir_endif(&g->b);
}

static void
loop(struct gen *g)
{
   uint32_t count = ir_var(g->b.sh, NULL);
   ir_store_var(&g->b, count, ir_imm(&g->b, 0));
   ir_loop(&g->b);
   ir_val turn = ir_load_var(&g->b, count);
   ir_if(&g->b, ir_uge(&g->b, turn, ir_imm(&g->b, 1 + rnd(g, 3))));
   ir_break(&g->b);
   ir_endif(&g->b);
   ir_store_var(&g->b, count, ir_iadd(&g->b, turn, ir_imm(&g->b, 1)));
   g->loops++;
   arm(g, 2 + rnd(g, 6));
   g->loops--;
   ir_endloop(&g->b);
}

static void
statements(struct gen *g, unsigned n)
{
   if (++g->depth <= MAX_DEPTH) {
      for (unsigned i = 0; i < n; i++) {
         unsigned what = rnd(g, 40);
         if (what < 22) {
            operation(g);
         } else if (what < 27) {
            variable(g);
         } else if (what < 31) {
            other(g);
         } else if (what < 34) {
            memory(g);
         } else if (what < 37) {
            branch(g);
         } else if (what < 38) {
            loop(g);
         } else if (what < 39 && g->loops) {
            ir_if(&g->b, pick(g, KIND_BOOL));
            if (rnd(g, 2))
               ir_break(&g->b);
            else
               ir_continue(&g->b);
            ir_endif(&g->b);
         } else if (g->kills) {
            ir_kill_if(&g->b, pick(g, KIND_BOOL));
         }
      }
   }
   g->depth--;
}

#define OUTPUTS 6

static struct ir_shader *
random_program(uint32_t seed)
{
   struct gen *g = calloc(1, sizeof(*g));
   g->state = seed * 2654435761u + 12345;
   g->kills = rnd(g, 4) == 0;
   struct ir_shader *sh = ir_shader_create(g->kills ? TGSIAMD_PS : TGSIAMD_VS, TGSIAMD_GFX9, &key, 0);
   ir_builder_init(&g->b, sh);
   for (unsigned k = 0; k < 2; k++) {
      for (unsigned i = 0; i < NUM_VARS; i++)
         g->var[k][i] = ir_var(sh, NULL);
      g->array[k] = ir_var_array(sh, 4, NULL);
   }
   for (unsigned i = 0; i < 4; i++) {
      ir_val desc = ir_load_desc(&g->b, IR_LIST_BUFFERS, 4, NULL, 0);
      add(g, KIND_FLOAT, ir_load_const(&g->b, desc, ir_imm(&g->b, 0), 4 * i, 1));
      add(g, KIND_INT, ir_load_const(&g->b, desc, ir_imm(&g->b, 0), 16 + 4 * i, 1));
   }
   for (unsigned i = 0; i < 2; i++) {
      ir_val two[] = { g->pool[KIND_INT].v[2 * i], g->pool[KIND_INT].v[2 * i + 1] };
      add(g, KIND_PAIR, ir_vec(&g->b, 2, two));
      add(g, KIND_BOOL, ir_ilt(&g->b, two[0], two[1]));
   }
   for (unsigned i = 0; i < NUM_VARS; i++) {
      for (unsigned k = 0; k < 2; k++) {
         ir_store_var(&g->b, g->var[k][i], pick(g, k));
         ir_store_array(&g->b, g->array[k], ir_imm(&g->b, i), pick(g, k));
      }
   }
   statements(g, 10 + rnd(g, 30));
   for (unsigned i = 0; i < OUTPUTS; i++) {
      ir_output(sh, 5 /* TGSI_SEMANTIC_GENERIC */, i);
      for (unsigned c = 0; c < 4; c++) {
         enum kind k = i & 1 ? KIND_INT : KIND_FLOAT;
         sh->outputs[i].mask |= 1u << c;
         ir_store_output(&g->b, i, c, i < 2 ? ir_load_var(&g->b, g->var[k][c]) : pick(g, k));
      }
   }
   ir_builder_finish(&g->b);
   free(g);
   return sh;
}

/* --- runs and their comparison --- */

static void
give_inputs(struct interp_env *env, uint32_t *consts, unsigned run)
{
   struct gen r = { .state = run * 977 + 5 };
   memset(env, 0, sizeof(*env));
   for (unsigned i = 0; i < 128; i++) {
      consts[i] = i % 8 < 4 ? floats[rnd(&r, NUM(floats) - 2 * (run & 1))] : ints[rnd(&r, NUM(ints))];
      if (rnd(&r, 3) == 0)
         consts[i] = i % 8 < 4 ? (rnd(&r, 0x7f) << 23 | rnd(&r, 1 << 23) | rnd(&r, 2) << 31) : rnd(&r, 1 << 24) * 251;
   }
   env->consts[0] = consts;
   env->consts[1] = consts + 64;
   env->const_dwords[0] = env->const_dwords[1] = 64;
   for (unsigned m = 0; m < INTERP_MEMORIES; m++) {
      for (unsigned i = 0; i < INTERP_MEMORY_DWORDS; i++)
         env->memory[m][i] = m << 16 | i;
   }
}

static bool
same_float(uint32_t a, uint32_t b)
{
   if ((a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000)
      return true; /* NaNs */
   a = a & 0x7f800000 ? a : 0;
   b = b & 0x7f800000 ? b : 0;
   return a == b;
}

/* Killed lanes have no outputs; what they write is nobody's. */
static bool
same_results(const struct interp_env *a, const struct interp_env *b)
{
   if (a->killed || b->killed)
      return a->killed == b->killed;
   for (unsigned i = 0; i < OUTPUTS; i++) {
      for (unsigned c = 0; c < 4; c++) {
         if (i & 1 ? a->outputs[i][c] != b->outputs[i][c] : !same_float(a->outputs[i][c], b->outputs[i][c]))
            return false;
      }
   }
   return !memcmp(a->memory, b->memory, sizeof(a->memory));
}

struct results { struct interp_env env[RUNS]; uint32_t consts[RUNS][128]; };

static const char *
run_all(const struct ir_shader *sh, struct results *r)
{
   for (unsigned i = 0; i < RUNS; i++) {
      give_inputs(&r->env[i], r->consts[i], i);
      if (!interp_run(sh, &r->env[i]))
         return r->env[i].why;
   }
   return NULL;
}

/* --- passes --- */

static void p_algebraic(struct ir_shader *sh) { ir_opt_algebraic(sh); }
static void p_cse(struct ir_shader *sh) { ir_opt_cse(sh); }
static void p_dce(struct ir_shader *sh) { ir_opt_dce(sh); }
static void p_cf(struct ir_shader *sh) { ir_opt_cf(sh); }
static void p_licm(struct ir_shader *sh) { ir_opt_licm(sh); }
static void p_sink(struct ir_shader *sh) { ir_opt_sink(sh); }
/* Asks for uses, as nobody has changed them since they were counted. */
static void p_vectors(struct ir_shader *sh) { ir_opt_dce(sh); ir_opt_vectorize_loads(sh); }
static void p_memory(struct ir_shader *sh) { ir_opt_merge_memory(sh); }

struct pass { const char *name; void (*run)(struct ir_shader *); };
/* The first ones in this order, since the others do not know variables or divisions. */
static const struct pass first[] = {
   { "lower_arrays", ir_lower_arrays }, { "mem2reg", ir_mem2reg }, { "lower_int", ir_lower_int }, { "dce", p_dce },
};
static const struct pass passes[] = {
   { "algebraic", p_algebraic }, { "cse", p_cse }, { "dce", p_dce }, { "control flow", p_cf }, { "loop invariants", p_licm },
   { "sink", p_sink }, { "vectors", p_vectors }, { "memory", p_memory },
};
static const struct pass last = { "lcssa", ir_lower_lcssa };

static bool
check_pass(struct ir_shader *sh, const struct pass *pass, const struct results *want, struct results *got, uint32_t seed)
{
   char why[256];
   pass->run(sh);
   ir_temp_done(sh);
   const char *fails = sh->error ? sh->error : !ir_validate(sh, why, sizeof(why)) ? why : run_all(sh, got);
   for (unsigned i = 0; i < RUNS && !fails; i++) {
      if (!same_results(&want->env[i], &got->env[i]))
         fails = "other results";
   }
   if (fails)
      printf("program %u: after %s: %s\n", seed, pass->name, fails);
   return !fails;
}

static bool
check_program(uint32_t seed, bool print)
{
   static struct results want, got;
   struct ir_shader *sh = random_program(seed);
   const char *fails = sh->error ? sh->error : run_all(sh, &want);
   struct gen order = { .state = seed };
   bool ok = true;
   if (print)
      ir_print(sh, stdout);
   if (fails) {
      printf("program %u: %s\n", seed, fails);
      ok = false;
   }
   for (unsigned i = 0; i < NUM(first) && ok; i++)
      ok = check_pass(sh, &first[i], &want, &got, seed);
   for (unsigned i = 0; i < 12 && ok; i++) {
      /* The compiler's order in every second program */
      const struct pass *p = &passes[seed & 1 ? rnd(&order, NUM(passes)) : i % NUM(passes)];
      ok = check_pass(sh, p, &want, &got, seed);
      if (print) {
         printf("; after %s\n", p->name);
         ir_print(sh, stdout);
      }
   }
   ok = ok && check_pass(sh, &last, &want, &got, seed);
   ir_shader_destroy(sh);
   return ok;
}

/* --- divisions --- */

static const enum ir_op divisions[] = { IR_UDIV, IR_UMOD, IR_IDIV, IR_IMOD, IR_UDIV64, IR_UMOD64, IR_IDIV64, IR_IMOD64 };

static const uint64_t corners[] = {
   0, 1, 2, 3, 5, 7, 10, 12, 28, 100, 641, 0xfffe, 0xffff, 0x10000, 0x10001, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
   0xaaaaaaab, 0xfffffff9, 0xfffffffe, 0xffffffff, 0x100000000, 0x100000001, 0x1ffffffff, 0x7fffffffffffffff,
   0x8000000000000000, 0x8000000000000001, 0xfffffffeffffffff, 0xffffffff00000000, 0xfffffffffffffffe, 0xffffffffffffffff,
   0x123456789abcdef0, 0xfedcba9876543210,
};

/* x / y with both in constant buffers, or y in the program; `wide`: 64 bits. */
static struct ir_shader *
division(enum ir_op op, bool wide, bool zero_high, const uint64_t *constant)
{
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, TGSIAMD_GFX9, &key, 0);
   struct ir_builder b;
   ir_val v[4], x, y;
   ir_builder_init(&b, sh);
   ir_val desc = ir_load_desc(&b, IR_LIST_BUFFERS, 4, NULL, 0);
   for (unsigned i = 0; i < 4; i++)
      v[i] = zero_high && i & 1 ? ir_imm(&b, 0) : ir_load_const(&b, desc, ir_imm(&b, 0), 4 * i, 1);
   if (constant) {
      v[2] = ir_imm(&b, *constant);
      v[3] = ir_imm(&b, *constant >> 32);
   }
   x = wide ? ir_vec(&b, 2, v) : v[0];
   y = wide ? ir_vec(&b, 2, v + 2) : v[2];
   ir_val r = wide ? ir_op64(&b, op, x, y, NULL) : ir_op2(&b, op, x, y);
   ir_output(sh, 5, 0);
   for (unsigned c = 0; c < 1u + wide; c++)
      ir_store_output(&b, 0, c, ir_extract(&b, r, c));
   ir_builder_finish(&b);
   ir_lower_int(sh);
   ir_opt_dce(sh);
   return sh;
}

/* What C's operators give, and TGSI's rules for 0 and for the one overflow. */
static uint64_t
divided(enum ir_op op, bool wide, uint64_t x, uint64_t y)
{
   const bool mod = op == IR_UMOD || op == IR_IMOD || op == IR_UMOD64 || op == IR_IMOD64;
   const uint64_t ones = wide ? UINT64_MAX : UINT32_MAX;
   if (op == IR_UDIV || op == IR_UMOD || op == IR_UDIV64 || op == IR_UMOD64)
      return !y ? ones : mod ? x % y : x / y;
   const int64_t sx = wide ? (int64_t)x : (int32_t)x, sy = wide ? (int64_t)y : (int32_t)y;
   if (!y)
      return mod ? ones : 0;
   if (sy == -1)
      return mod ? 0 : -x & ones;
   return (mod ? sx % sy : sx / sy) & ones;
}

static unsigned
check_division(enum ir_op op, bool wide, bool zero_high, const uint64_t *constant)
{
   struct ir_shader *sh = division(op, wide, zero_high, constant);
   struct interp_env env;
   uint32_t consts[4];
   unsigned bad = 0;
   memset(&env, 0, sizeof(env));
   env.consts[0] = consts;
   env.const_dwords[0] = 4;
   for (unsigned i = 0; i < NUM(corners) && !bad; i++) {
      for (unsigned k = 0; k < (constant ? 1 : NUM(corners)) && !bad; k++) {
         const uint64_t mask = wide && !zero_high ? UINT64_MAX : UINT32_MAX;
         const uint64_t x = corners[i] & mask, y = (constant ? *constant : corners[k]) & mask;
         memcpy(consts, &x, 8);
         memcpy(consts + 2, &y, 8);
         if (!interp_run(sh, &env)) {
            printf("%s: %s\n", ir_op_infos[op].name, env.why);
            bad++;
            break;
         }
         uint64_t got = env.outputs[0][0] | (wide ? (uint64_t)env.outputs[0][1] << 32 : 0);
         if (got != divided(op, wide, x, y)) {
            printf("%s %#llx %#llx: %#llx, expected %#llx\n", ir_op_infos[op].name, (unsigned long long)x, (unsigned long long)y,
                   (unsigned long long)got, (unsigned long long)divided(op, wide, x, y));
            bad++;
         }
      }
   }
   ir_shader_destroy(sh);
   return bad;
}

static unsigned
check_divisions(void)
{
   unsigned bad = 0;
   for (unsigned d = 0; d < NUM(divisions); d++) {
      const bool wide = divisions[d] >= IR_UDIV64;
      bad += check_division(divisions[d], wide, false, NULL);
      if (wide)
         bad += check_division(divisions[d], true, true, NULL);
      for (unsigned i = 0; i < NUM(corners); i++)
         bad += check_division(divisions[d], wide, false, &corners[i]);
      for (uint64_t y = 1; y < 300 && !wide; y++)
         bad += check_division(divisions[d], false, false, &y);
   }
   return bad;
}

int
main(int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 2, "[NUMBER | FIRST COUNT]\n\n"
      "Runs COUNT random programs (3000) from number FIRST (0) on; or prints and runs that of one NUMBER.");
   const uint32_t start = args_number(&args, 1, 0), num = args_number(&args, 2, 3000);
   if (argc == 2)
      return !check_program(start, true);
   unsigned bad = check_divisions(), wrong = 0;
   for (uint32_t i = 0; i < num; i++)
      wrong += !check_program(start + i, false);
   printf("divisions: %u wrong; %u programs, %u wrong\n", bad, num, wrong);
   return bad || wrong;
}
