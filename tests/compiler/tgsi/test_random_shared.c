/* SPDX-License-Identifier: MIT */
/* Random compute programs with shared memory: rounds in which threads store to places of
 * their own, wait for each other and load what others stored, with uniform loops and
 * divergent conditions, arrays, texels and constants by every thread's index. Expected values are worked out here, step by step for all threads.
 * Of a program that differs, steps are taken out until none can go.
 * Usage: test_random_shared [seed [count]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsiamd/isa.h"
#include "util/macros.h"
#include "../../args.h"
#include "compute_harness.h"
#include "planted.h"
#include "rng.h"

#define MAX_STEPS 64
#define REGS      8u  /* components of TEMP[1] and TEMP[2] */
#define COUNTERS  8u  /* words of shared memory behind a word a thread */

/* FETCH: a texel, CONSTANT: of a buffer, each lane with a unit or buffer of its own; PUT and
 * GET: an element of an array; WIDE: 64 bits; SWAP: with the thread's own word. */
enum kind { ALU, STORE, LOAD, ATOMIC, FETCH, CONSTANT, PUT, GET, WIDE, SWAP, BARRIER, IF, ENDIF, LOOP, ENDLOOP };
struct step { enum kind kind; uint8_t op, dst, a, b; uint32_t stride, at; bool gone; };

static const char *const alu_names[] = { "UADD", "XOR", "UMUL", "AND", "OR", "UMAX", "IMIN" };
static const char *const wide_names[] = { "U64ADD", "U64MUL", "I64MAX" };
static const char *const atomic_names[] = { "ATOMUADD", "ATOMXOR", "ATOMUMAX" };

#define ELEMENTS_AT 10 /* TEMP */
static unsigned num_elements; /* a power of two; the larger array lies in scratch memory */
static uint32_t elements[GROUPS][THREADS][32];

static struct step steps[MAX_STEPS];
static unsigned num_steps;
static uint64_t rng;
static uint32_t regs[GROUPS][THREADS][REGS], shared[GROUPS][THREADS + COUNTERS];

static uint32_t
rnd(uint32_t n)
{
   return rng_below(&rng, n);
}

/* ---- making one ---- */

static void
add(enum kind kind, uint32_t stride, uint32_t at)
{
   steps[num_steps++] = (struct step){
      kind, rnd(ARRAY_SIZE(alu_names)), rnd(REGS), rnd(REGS), rnd(REGS), stride, at };
}

/* Each thread has its word for as long as nobody waits, and the counters have one kind of
 * operation: their order is open. */
static void
add_phase(bool stores, unsigned left)
{
   const uint32_t stride = rnd(THREADS / 2) * 2 + 1, at = rnd(THREADS);
   const unsigned atomic_op = rnd(ARRAY_SIZE(atomic_names));
   bool inside = false;

   while (left--) {
      const unsigned what = rnd(8);
      if (what == 0 && !inside) {
         add(IF, 0, rnd(4));
         inside = true;
      } else if (what == 1 && inside) {
         add(ENDIF, 0, 0);
         inside = false;
      } else if (what >= 6) {
         const enum kind kind = FETCH + rnd(stores ? 6 : 5);
         add(kind, stride, kind == SWAP ? at : rnd(4));
      } else if (what < 4) {
         add(stores ? STORE : LOAD, stores ? stride : rnd(THREADS), stores ? at : rnd(THREADS));
      } else {
         add(what == 4 && stores ? ATOMIC : ALU, 0, 0);
         if (what == 4 && stores)
            steps[num_steps - 1].op = atomic_op;
      }
   }
   if (inside)
      add(ENDIF, 0, 0);
   add(BARRIER, 0, 0);
}

static void
make(void)
{
   num_steps = 0;
   num_elements = rnd(2) ? 8 : 32;
   for (unsigned round = 0, rounds = 1 + rnd(3); round < rounds; round++) {
      const bool loop = rnd(2);
      if (loop)
         add(LOOP, 0, 1 + rnd(3));
      add_phase(true, 2 + rnd(5));
      add_phase(false, 2 + rnd(5));
      if (loop)
         add(ENDLOOP, 0, 0);
   }
}

/* ---- what must come out ---- */

static uint32_t
alu(unsigned op, uint32_t a, uint32_t b)
{
   switch (op) {
   case 0: return a + b;
   case 1: return a ^ b;
   case 2: return a * b;
   case 3: return a & b;
   case 4: return a | b;
   case 5: return MAX2(a, b);
   default: return MIN2((int32_t)a, (int32_t)b);
   }
}

static uint32_t
atomic(unsigned op, uint32_t a, uint32_t b)
{
   return op == 0 ? a + b : op == 1 ? a ^ b : MAX2(a, b);
}

static uint64_t
wide(unsigned op, uint64_t a, uint64_t b)
{
   return op == 0 ? a + b : op == 1 ? a * b : MAX2((int64_t)a, (int64_t)b);
}

static uint64_t
pair(const uint32_t *r, unsigned n)
{
   return r[n & ~1u] | (uint64_t)r[n | 1] << 32;
}

static void
run_step(const struct step *s, unsigned g, unsigned t)
{
   uint32_t *r = regs[g][t], *word = &shared[g][(t * s->stride + s->at) % THREADS];

   switch (s->kind) {
   case ALU: r[s->dst] = alu(s->op, r[s->a], r[s->b]); break;
   case STORE: *word = r[s->a]; break;
   case LOAD: r[s->dst] = *word; break;
   case ATOMIC:
      word = &shared[g][THREADS + r[s->a] % COUNTERS];
      *word = atomic(s->op, *word, r[s->b]);
      break;
   case FETCH: r[s->dst] = compute_texel(r[s->b] & 1, r[s->a] & (TEXELS - 1)); break;
   case CONSTANT: r[s->dst] = compute_const(r[s->b] & 3, (r[s->a] & 15) * 4 + s->at); break;
   case PUT: elements[g][t][r[s->a] & (num_elements - 1)] = r[s->b]; break;
   case GET: r[s->dst] = elements[g][t][r[s->a] & (num_elements - 1)]; break;
   case WIDE: {
      const uint64_t v = wide(s->op % 3, pair(r, s->a), pair(r, s->b));
      r[s->dst & ~1u] = v;
      r[s->dst | 1] = v >> 32;
      break;
   }
   case SWAP: {
      const uint32_t old = *word;
      *word = r[s->a];
      r[s->dst] = old;
      break;
   }
   default: break;
   }
}

static unsigned
end_of_loop(unsigned i)
{
   while (steps[i].kind != ENDLOOP)
      i++;
   return i;
}

static void
run_steps(unsigned g, unsigned from, unsigned to)
{
   bool on[THREADS];

   memset(on, true, sizeof(on));
   for (unsigned i = from; i < to; i++) {
      const struct step *s = &steps[i];
      if (s->kind == LOOP && !s->gone) {
         for (unsigned n = 0; n < s->at; n++)
            run_steps(g, i + 1, end_of_loop(i));
         i = end_of_loop(i);
         continue;
      }
      for (unsigned t = 0; t < THREADS; t++) {
         if (s->kind == IF || s->kind == ENDIF)
            on[t] = s->gone || s->kind == ENDIF || regs[g][t][s->a] >> s->at & 1;
         else if (on[t] && !s->gone)
            run_step(s, g, t);
      }
   }
}

static bool
want(uint32_t *words)
{
   for (unsigned g = 0; g < GROUPS; g++) {
      memset(shared[g], 0, sizeof(shared[g]));
      for (unsigned t = 0; t < THREADS; t++) {
         for (unsigned k = 0; k < REGS; k++)
            regs[g][t][k] = compute_initial(g * THREADS + t) * (2 * k + 1);
         shared[g][t] = t;
         for (unsigned k = 0; k < num_elements; k++)
            elements[g][t][k] = compute_initial(g * THREADS + t) ^ k;
      }
      run_steps(g, 0, num_steps);
      for (unsigned t = 0; t < THREADS; t++) {
         uint32_t sum = shared[g][t] + shared[g][THREADS + t % COUNTERS];
         for (unsigned k = 0; k < REGS; k++)
            sum = sum * 3 + regs[g][t][k];
         for (unsigned k = 0; k < num_elements; k++)
            sum = sum * 3 + elements[g][t][k];
         words[g * THREADS + t] = sum;
      }
   }
   return true;
}

/* ---- its text ---- */

static const char *
reg(unsigned n)
{
   static const char *const names[REGS] = { "TEMP[1].xxxx", "TEMP[1].yyyy", "TEMP[1].zzzz", "TEMP[1].wwww",
                                            "TEMP[2].xxxx", "TEMP[2].yyyy", "TEMP[2].zzzz", "TEMP[2].wwww" };
   return names[n];
}

static const char *
reg_pair(unsigned n)
{
   static const char *const names[REGS / 2] = { "TEMP[1].xyxy", "TEMP[1].zwzw", "TEMP[2].xyxy", "TEMP[2].zwzw" };
   return names[n / 2];
}

/* An index of each lane out of a register. */
static char *
put_index(char *p, char chan, const char *name, unsigned mask, unsigned imm)
{
   return p + sprintf(p, "IMM[%u] UINT32 {%u, 0, 0, 0}\nAND TEMP[3].x, %s, IMM[%u].xxxx\nUARL ADDR[0].%c, TEMP[3].xxxx\n", imm, mask, name, imm, chan);
}

static char *
put_indexed_step(char *p, const struct step *s, unsigned *num_imms)
{
   const int dst = 9;

   if (s->kind == FETCH || s->kind == CONSTANT)
      p = put_index(p, 'y', reg(s->b), s->kind == FETCH ? 1 : 3, (*num_imms)++);
   p = put_index(p, 'x', reg(s->a), s->kind == FETCH ? TEXELS - 1 : s->kind == CONSTANT ? 15 : num_elements - 1, (*num_imms)++);
   switch (s->kind) {
   case FETCH: return p + sprintf(p, "TXF TEMP[6].x, TEMP[3].xxxx, SAMP[ADDR[0].y], BUFFER\nMOV %.*s, TEMP[6].xxxx\n", dst, reg(s->dst));
   case CONSTANT:
      return p + sprintf(p, "MOV %.*s, CONST[ADDR[0].y][ADDR[0].x].%.4s\n", dst, reg(s->dst), "xxxxyyyyzzzzwwww" + 4 * s->at);
   case PUT: return p + sprintf(p, "MOV TEMP[ADDR[0].x+%u](1).x, %s\n", ELEMENTS_AT, reg(s->b));
   default: return p + sprintf(p, "MOV %.*s, TEMP[ADDR[0].x+%u](1).xxxx\n", dst, reg(s->dst), ELEMENTS_AT);
   }
}

static char *
put_step(char *p, const struct step *s, unsigned *num_imms)
{
   const int dst = 9; /* of a register's name, up to one component: TEMP[n].c */
   const bool has_imm = s->kind == STORE || s->kind == LOAD || s->kind == SWAP || s->kind == IF || s->kind == LOOP;
   const unsigned imm = has_imm ? (*num_imms)++ : 0;

   if (s->kind == STORE || s->kind == LOAD || s->kind == SWAP)
      p += sprintf(p, "IMM[%u] UINT32 {%u, %u, %u, 4}\nUMAD TEMP[3].x, SV[0].xxxx, IMM[%u].xxxx, IMM[%u].yyyy\n"
                   "AND TEMP[3].x, TEMP[3].xxxx, IMM[%u].zzzz\nUMUL TEMP[3].x, TEMP[3].xxxx, IMM[%u].wwww\n",
                   imm, s->stride, s->at, THREADS - 1, imm, imm, imm, imm);
   switch (s->kind) {
   case ALU: return p + sprintf(p, "%s %.*s, %s, %s\n", alu_names[s->op], dst, reg(s->dst), reg(s->a), reg(s->b));
   case STORE: return p + sprintf(p, "STORE MEMORY[0].x, TEMP[3].xxxx, %s\n", reg(s->a));
   case LOAD: return p + sprintf(p, "LOAD TEMP[6].x, MEMORY[0], TEMP[3].xxxx\nMOV %.*s, TEMP[6].xxxx\n", dst, reg(s->dst));
   case ATOMIC:
      return p + sprintf(p, "AND TEMP[3].x, %s, IMM[0].yyyy\nUMAD TEMP[3].x, TEMP[3].xxxx, IMM[0].xxxx, IMM[0].zzzz\n"
                         "%s TEMP[3].y, MEMORY[0], TEMP[3].xxxx, %s\n", reg(s->a), atomic_names[s->op], reg(s->b));
   case FETCH: case CONSTANT: case PUT: case GET: return put_indexed_step(p, s, num_imms);
   case WIDE:
      return p + sprintf(p, "%s %.7s.%s, %s, %s\n", wide_names[s->op % 3], reg(s->dst), s->dst & 2 ? "zw" : "xy", reg_pair(s->a), reg_pair(s->b));
   case SWAP:
      return p + sprintf(p, "ATOMXCHG TEMP[6].x, MEMORY[0], TEMP[3].xxxx, %s\nMOV %.*s, TEMP[6].xxxx\n", reg(s->a), dst, reg(s->dst));
   case BARRIER: return p + sprintf(p, "MEMBAR IMM[1].yyyy\nBARRIER\n");
   case IF: return p + sprintf(p, "IMM[%u] UINT32 {%u, 0, 0, 0}\nAND TEMP[3].x, %s, IMM[%u].xxxx\nUIF TEMP[3].xxxx\n", imm, 1u << s->at, reg(s->a), imm);
   case ENDIF: return p + sprintf(p, "ENDIF\n");
   case LOOP:
      return p + sprintf(p, "IMM[%u] UINT32 {%u, 0, 0, 0}\nMOV TEMP[4].x, IMM[1].xxxx\nBGNLOOP\nUSGE TEMP[4].y, TEMP[4].xxxx, IMM[%u].xxxx\nUIF TEMP[4].yyyy\n"
                         "BRK\nENDIF\nUADD TEMP[4].x, TEMP[4].xxxx, IMM[1].yyyy\n", imm, s->at, imm);
   default: return p + sprintf(p, "ENDLOOP\n");
   }
}

static void
put_program(char *p)
{
   p += sprintf(p, "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
                "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL TEMP[0..6]\nDCL TEMP[%u..%u], ARRAY(1), LOCAL\n"
                "DCL ADDR[0]\nDCL SAMP[0..1]\nDCL CONST[0][0..15]\nDCL CONST[1][0..15]\nDCL CONST[2][0..15]\nDCL CONST[3][0..15]\n"
                "IMM[0] UINT32 {4, 7, 512, 128}\nIMM[1] UINT32 {0, 1, 8, 3}\nIMM[2] UINT32 {1, 3, 5, 7}\nIMM[3] UINT32 {9, 11, 13, 15}\n"
                "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].wwww, SV[0].xxxx\nUMUL TEMP[0].yz, TEMP[0].xxxx, IMM[0].xxxx\n"
                "UMUL TEMP[0].z, SV[0].xxxx, IMM[0].xxxx\nLOAD TEMP[6].x, BUFFER[0], TEMP[0].yyyy\n"
                "UMUL TEMP[1], TEMP[6].xxxx, IMM[2]\nUMUL TEMP[2], TEMP[6].xxxx, IMM[3]\nSTORE MEMORY[0].x, TEMP[0].zzzz, SV[0].xxxx\n"
                "AND TEMP[5].x, SV[0].xxxx, IMM[0].yyyy\nUMAD TEMP[5].x, TEMP[5].xxxx, IMM[0].xxxx, IMM[0].zzzz\n"
                "USLT TEMP[3].x, SV[0].xxxx, IMM[1].zzzz\nUIF TEMP[3].xxxx\nSTORE MEMORY[0].x, TEMP[5].xxxx, IMM[1].xxxx\nENDIF\nMEMBAR IMM[1].yyyy\nBARRIER\n", ELEMENTS_AT, ELEMENTS_AT + num_elements - 1);
   unsigned num_imms = 4;
   for (unsigned k = 0; k < num_elements; k++)
      p += sprintf(p, "IMM[%u] UINT32 {%u, 0, 0, 0}\nXOR TEMP[%u].x, TEMP[6].xxxx, IMM[%u].xxxx\n", num_imms + k, k, ELEMENTS_AT + k, num_imms + k);
   num_imms += num_elements;
   for (unsigned i = 0; i < num_steps; i++) {
      if (!steps[i].gone)
         p = put_step(p, &steps[i], &num_imms);
   }
   p += sprintf(p, "LOAD TEMP[3].x, MEMORY[0], TEMP[0].zzzz\nLOAD TEMP[6].x, MEMORY[0], TEMP[5].xxxx\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[6].xxxx\n");
   for (unsigned k = 0; k < REGS; k++)
      p += sprintf(p, "UMAD TEMP[3].x, TEMP[3].xxxx, IMM[1].wwww, %s\n", reg(k));
   for (unsigned k = 0; k < num_elements; k++)
      p += sprintf(p, "UMAD TEMP[3].x, TEMP[3].xxxx, IMM[1].wwww, TEMP[%u].xxxx\n", ELEMENTS_AT + k);
   sprintf(p, "STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[3].xxxx\nEND\n");
}

static char text[65536];

static bool
is_fine(void)
{
   const struct compute_program program = { "a random program", text, want };

   put_program(text);
   return !compute_check(&program, 1);
}

/* Conditions go with their ends; barriers and loops stay. */
static void
reduce(void)
{
   for (unsigned i = 0; i < num_steps; i++) {
      unsigned last = i;
      if (steps[i].kind >= BARRIER && steps[i].kind != IF)
         continue;
      while (steps[i].kind == IF && steps[last].kind != ENDIF)
         last++;
      steps[i].gone = steps[last].gone = true;
      if (is_fine())
         steps[i].gone = steps[last].gone = false;
   }
   put_program(text);
}

/* A fault of the compiler: the greater of two is the smaller. */
static void
plant_greater(uint32_t *code, unsigned num)
{
   plant_op(code, num, ISA_V_MAX_U32, ISA_V_MIN_U32);
}

/* It is found, and the step is among the few that stay. */
static bool
fault_is_found(void)
{
   bool ok = false;

   compute_patch = plant_greater;
   for (unsigned p = 0; p < 50 && !ok; p++) {
      make();
      if (is_fine())
         continue;
      reduce();
      unsigned left = 0;
      for (unsigned i = 0; i < num_steps; i++)
         left += !steps[i].gone && steps[i].kind < BARRIER;
      ok = left <= 3 && strstr(text, "\nUMAX ");
   }
   compute_patch = NULL;
   if (!ok)
      printf("a planted fault was not found, or the rest is too long:\n%s", text);
   return ok;
}

int
main(int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 2, "[SEED [COUNT]]\n\n"
      "Compiles COUNT random compute programs with shared memory (300) and runs them on the model; stops\n"
      "at the first that is wrong. SEED (1) is any number; the same one gives the same programs.\n"
      "Before that, the same for all seeds, it looks whether a planted fault is found.");
   const uint64_t seed = args_number(&args, 1, 1);
   const unsigned count = args_number(&args, 2, 300);
   unsigned bad = 0;

   rng = rng_seeded(1);
   if (!fault_is_found())
      return 1;
   rng = rng_seeded(seed);
   for (unsigned p = 0; p < count && !bad; p++) {
      make();
      if (is_fine())
         continue;
      bad++;
      reduce();
      printf("program %u, smallest that fails:\n%s", p, text);
   }
   printf("%u programs, %u differ\n", count, bad);
   return bad != 0;
}
