/* SPDX-License-Identifier: MIT */
/* Random programs against Mesa's interpreter: nested control flow, all kinds of
 * sources and write masks, operations with exact results only.
 * Usage: test_random [seed [count]] */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"
#include "util/macros.h"
#include "harness.h"
#include "reduce.h"

#define TEXT_SIZE 32768

/* TEMP[0..3] hold floats, TEMP[4..7] integers, TEMP[8..15] loop counters and
 * conditions, TEMP[16..19] an array of floats. */
struct gen {
   char text[TEXT_SIZE];
   int len;
   uint64_t rng;
   unsigned depth, loops, statements;
};

static const char *const float_ops[][3] = {
   { "MOV", "FRC", "FLR" },
   { "ADD", "MUL", "MIN" },
   { "MAD", "LRP", "CMP" },
};
static const char *const more_float1[] = { "CEIL", "TRUNC", "ROUND", "SSG", "MOV" };
static const char *const more_float2[] = { "MAX", "SLT", "SGE", "SEQ", "SNE", "SGT", "SLE", "DP2", "DP3", "DP4", "DST" };
static const char *const int_ops1[] = { "MOV", "INEG", "IABS", "ISSG", "NOT", "BREV", "POPC", "LSB", "UMSB", "IMSB" };
static const char *const int_ops2[] = {
   "UADD", "UMUL", "IMIN", "IMAX", "UMIN", "UMAX", "AND", "OR", "XOR", "SHL", "USHR", "ISHR",
   "USLT", "USGE", "USEQ", "USNE", "ISLT", "ISGE", "UDIV", "UMOD", "UMUL_HI", "IMUL_HI",
};
static const char *const int_ops3[] = { "UMAD" };
static const char *const float_to_bool[] = { "FSLT", "FSGE", "FSEQ", "FSNE" };

static uint32_t
rnd(struct gen *g, uint32_t n)
{
   g->rng ^= g->rng << 13;
   g->rng ^= g->rng >> 7;
   g->rng ^= g->rng << 17;
   return (g->rng >> 20) % n;
}

static void put(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void
put(struct gen *g, const char *fmt, ...)
{
   va_list args;
   va_start(args, fmt);
   g->len += vsnprintf(g->text + g->len, TEXT_SIZE - g->len, fmt, args);
   va_end(args);
}

static void
put_src(struct gen *g, bool is_float)
{
   static const char xyzw[] = "xyzw";
   const bool neg = is_float && rnd(g, 6) == 0, abs = is_float && rnd(g, 8) == 0;

   put(g, ", %s%s", neg ? "-" : "", abs ? "|" : "");
   switch (rnd(g, 6)) {
   case 0:
      put(g, "IN[%u]", rnd(g, 2) + (is_float ? 0 : 2));
      break;
   case 1:
      put(g, is_float ? "IMM[0]" : "IMM[1]");
      break;
   case 2:
      if (is_float)
         put(g, rnd(g, 3) ? "CONST[0][%u]" : "CONST[0][ADDR[0].x+%u]", rnd(g, 16));
      else
         put(g, "TEMP[%u]", 4 + rnd(g, 4));
      break;
   case 3:
      if (is_float && rnd(g, 2)) {
         put(g, "TEMP[ADDR[0].x+16](1)");
         break;
      }
      FALLTHROUGH;
   default:
      put(g, "TEMP[%u]", rnd(g, 4) + (is_float ? 0 : 4));
      break;
   }
   put(g, ".%c%c%c%c%s", xyzw[rnd(g, 4)], xyzw[rnd(g, 4)], xyzw[rnd(g, 4)], xyzw[rnd(g, 4)],
       abs ? "|" : "");
}

static void
put_dst(struct gen *g, bool is_float)
{
   static const char *const masks[] = { "", ".x", ".y", ".z", ".w", ".xy", ".yzw", ".xz", ".xyz" };
   const char *mask = masks[rnd(g, ARRAY_SIZE(masks))];

   if (is_float && rnd(g, 5) == 0)
      put(g, " TEMP[%u]%s", 16 + rnd(g, 4), mask);
   else if (is_float && rnd(g, 8) == 0)
      put(g, " OUT[%u]%s", rnd(g, 2), mask);
   else
      put(g, " TEMP[%u]%s", rnd(g, 4) + (is_float ? 0 : 4), mask);
}

static const char *
pick(struct gen *g, const char *const *names, unsigned n)
{
   return names[rnd(g, n)];
}

static void
put_alu(struct gen *g)
{
   const bool is_float = rnd(g, 2);
   const unsigned n = 1 + rnd(g, 3);
   const char *name;

   if (is_float) {
      name = rnd(g, 2)   ? pick(g, float_ops[n - 1], 3)
             : n == 1    ? pick(g, more_float1, ARRAY_SIZE(more_float1))
             : n == 2    ? pick(g, more_float2, ARRAY_SIZE(more_float2))
                         : pick(g, float_ops[2], 3);
   } else {
      name = n == 1   ? pick(g, int_ops1, ARRAY_SIZE(int_ops1))
             : n == 2 ? pick(g, int_ops2, ARRAY_SIZE(int_ops2))
                      : pick(g, int_ops3, ARRAY_SIZE(int_ops3));
   }
   put(g, "%s%s", name, is_float && rnd(g, 6) == 0 ? "_SAT" : "");
   put_dst(g, is_float);
   for (unsigned s = 0; s < n; s++)
      put_src(g, is_float);
   put(g, "\n");
}

static void
put_condition(struct gen *g)
{
   put(g, "%s TEMP[8].x", pick(g, float_to_bool, ARRAY_SIZE(float_to_bool)));
   put_src(g, true);
   put_src(g, true);
   put(g, "\nUIF TEMP[8].xxxx\n");
}

static void put_block(struct gen *g, unsigned n);

static void
put_statement(struct gen *g)
{
   if (g->statements++ > 60)
      return;
   switch (rnd(g, g->depth < 4 ? 12 : 8)) {
   case 8:
   case 9:
      put_condition(g);
      g->depth++;
      put_block(g, 1 + rnd(g, 3));
      if (rnd(g, 2)) {
         put(g, "ELSE\n");
         put_block(g, 1 + rnd(g, 3));
      }
      g->depth--;
      put(g, "ENDIF\n");
      break;
   case 10:
      if (g->loops >= 3)
         break;
      put(g, "MOV TEMP[%u].x, IMM[1].xxxx\nBGNLOOP\n", 9 + g->loops);
      put(g, "USGE TEMP[8].x, TEMP[%u].xxxx, IMM[1].wwww\nUIF TEMP[8].xxxx\nBRK\nENDIF\n",
          9 + g->loops);
      put(g, "UADD TEMP[%u].x, TEMP[%u].xxxx, IMM[1].yyyy\n", 9 + g->loops, 9 + g->loops);
      g->loops++;
      g->depth++;
      put_block(g, 1 + rnd(g, 4));
      g->depth--;
      g->loops--;
      put(g, "ENDLOOP\n");
      break;
   case 11:
      if (!g->loops)
         break;
      put_condition(g);
      put(g, rnd(g, 2) ? "BRK\n" : "CONT\n");
      put(g, "ENDIF\n");
      break;
   default:
      put_alu(g);
      break;
   }
}

static void
put_block(struct gen *g, unsigned n)
{
   while (n--)
      put_statement(g);
}

static void
make_program(struct gen *g)
{
   g->len = 0;
   g->statements = g->depth = g->loops = 0;
   put(g, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n"
          "DCL CONST[0][0..31]\nDCL TEMP[0..15]\nDCL TEMP[16..19], ARRAY(1), LOCAL\nDCL ADDR[0]\n"
          "IMM[0] FLT32 {0.0, 1.0, -2.5, 0.75}\nIMM[1] INT32 {0, 1, -7, 3}\n");
   for (unsigned i = 0; i < 20; i++)
      put(g, "MOV TEMP[%u], IN[%u]\n", i, i < 4 || i >= 16 ? i & 1 : 2 + (i & 1));
   put(g, "AND TEMP[8].x, IN[2].xxxx, IMM[1].wwww\nUARL ADDR[0].x, TEMP[8].xxxx\n"
          "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\n");
   put_block(g, 6 + rnd(g, 20));
   put(g, "ADD OUT[0].xy, TEMP[0], TEMP[1]\nMOV OUT[1].yz, TEMP[2]\nMOV OUT[1].x, TEMP[17].wwww\n"
          "XOR OUT[2], TEMP[4], TEMP[5]\nEND\n");
}

static void
fill(struct gen *g, struct harness_data *d)
{
   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l;
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned n = 0; n < 4 * HARNESS_LANES; n++) {
         float f = (int)(rnd(g, 65)) / 4.0f - 8.0f;
         uint32_t u = rnd(g, 3) ? rnd(g, 16) : rnd(g, ~0u);
         memcpy(&d->in[i][n / HARNESS_LANES][n % HARNESS_LANES], i < 2 ? (void *)&f : (void *)&u, 4);
      }
   }
   for (unsigned i = 0; i < HARNESS_CONSTS * 4; i++) {
      float f = (int)(rnd(g, 33)) / 8.0f - 2.0f;
      memcpy(&d->consts[0][i / 4][i % 4], &f, 4);
   }
}

struct failure { enum harness_mode mode; const struct harness_data *input; };

static bool
fails(const char *text, void *ctx)
{
   const struct failure *f = ctx;
   struct harness_data want = *f->input, got;
   char why[256];

   if (!harness_reference(text, &want, why, sizeof(why)))
      return false;
   got = want;
   return !harness_run(f->mode, text, &got, why, sizeof(why)) || harness_differences(&want, &got, 1, 0);
}

static void
print_smallest(struct gen *g, enum harness_mode mode, const struct harness_data *input)
{
   struct failure f = { mode, input };

   reduce_program(g->text, fails, &f);
   printf("smallest that fails (%s):\n%s", harness_mode_names[mode], g->text);
}

static bool
contains(const char *text, void *ctx)
{
   return strstr(text, ctx);
}

/* The reducer itself: of a program all but one line can go. */
static bool
reducer_works(struct gen *g)
{
   make_program(g);
   size_t end = strlen(g->text) - strlen("END\n");
   strcpy(g->text + end, "SQRT TEMP[0].x, IN[0].xxxx\nEND\n");
   reduce_program(g->text, contains, "SQRT TEMP[0].x, IN[0].xxxx");
   return strstr(g->text, "SQRT TEMP[0].x") && !strstr(g->text, "IF ") && !strstr(g->text, "LOOP");
}

int
main(int argc, char **argv)
{
   struct gen *g = calloc(1, sizeof(*g));
   const unsigned count = argc > 2 ? atoi(argv[2]) : 600;
   unsigned bad = 0;

   g->rng = 0x9e3779b97f4a7c15ull * (argc > 1 ? strtoull(argv[1], NULL, 0) : 1);
   if (!reducer_works(g)) {
      printf("the reducer left\n%s", g->text);
      return 1;
   }
   for (unsigned p = 0; p < count && bad < 3; p++) {
      struct harness_data want, got;
      char why[256], name[32];
      snprintf(name, sizeof(name), "program %u", p);
      make_program(g);
      fill(g, &want);
      if (!harness_reference(g->text, &want, why, sizeof(why))) {
         printf("%s: reference: %s\n%s", name, why, g->text);
         return 1;
      }
      for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
         got = want;
         if (!harness_run(mode, g->text, &got, why, sizeof(why))) {
            printf("%s (%s): %s\n%s", name, harness_mode_names[mode], why, g->text);
            print_smallest(g, mode, &want);
            bad++;
            break;
         }
         /* Zeros may differ in sign: min and max do not say which they give. */
         if (harness_compare(name, g->text, &want, &got, 1, 0)) {
            printf("(%s)\n", harness_mode_names[mode]);
            print_smallest(g, mode, &want);
            bad++;
            break;
         }
      }
   }
   printf("%u programs, %u differ\n", count, bad);
   free(g);
   return bad != 0;
}
