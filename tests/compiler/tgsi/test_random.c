/* SPDX-License-Identifier: MIT */
/* Random programs against Mesa's interpreter; of one that differs the smallest part is
 * printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsiamd/isa.h"
#include "util/macros.h"
#include "../../args.h"
#include "harness.h"
#include "random_program.h"
#include "reduce.h"
#include "planted.h"
#include "rng.h"

static char resolved[RANDOM_TEXT_SIZE];

struct failure { enum harness_mode mode; const struct harness_data *input; };

/* True when it is a program, and machine and interpreter disagree. */
static bool
fails(const char *text, void *ctx)
{
   const struct failure *f = ctx;
   struct harness_data want = *f->input, got;
   char why[256];

   random_resolve(text, resolved);
   if (!harness_reference(resolved, &want, why, sizeof(why)))
      return false;
   got = want;
   return !harness_run(f->mode, resolved, &got, why, sizeof(why)) || harness_differences(&want, &got, 1, 0);
}

static void
reduce(struct gen *g, enum harness_mode mode, const struct harness_data *input)
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
   random_program(g);
   char *end = strstr(g->text, "END\nBGNSUB");
   strcpy(end, "SQRT TEMP[0].x, IN[0].xxxx\nEND\n");
   reduce_program(g->text, contains, "SQRT TEMP[0].x, IN[0].xxxx");
   bool ok = strstr(g->text, "SQRT TEMP[0].x") && !strstr(g->text, "IF ") && !strstr(g->text, "LOOP");
   if (!ok)
      printf("the reducer left\n%s", g->text);
   return ok;
}

/* A fault of the compiler: the greater of two integers is the smaller. */
static void
plant_greater(uint32_t *code, unsigned num)
{
   plant_op(code, num, ISA_V_MAX_I32, ISA_V_MIN_I32);
}

/* First values of arrays stay, and do not count. */
static unsigned
count_instructions(const char *text)
{
   unsigned n = 0, reg;

   for (const char *p = text; *p; p = strchr(p, '\n') + 1) {
      const bool first_value = sscanf(p, "%*s TEMP[%u], IN[", &reg) == 1 && reg >= ARRAY_AT;
      n += strncmp(p, "VERT", 4) && strncmp(p, "DCL", 3) && strncmp(p, "IMM", 3) && !first_value;
   }
   return n;
}

/* A planted fault is found, and little is left of the program. */
static bool
fault_is_found(struct gen *g)
{
   struct harness_data input;
   struct failure f = { HARNESS_MACHINE, &input };
   bool ok = false;

   harness_patch = plant_greater;
   for (unsigned p = 0; p < 200 && !ok; p++) {
      random_program(g);
      random_data(g, &input);
      if (!fails(g->text, &f))
         continue;
      reduce_program(g->text, fails, &f);
      ok = (strstr(g->text, "IMAX") || strstr(g->text, "ISSG") || strstr(g->text, "IABS")) && count_instructions(g->text) < 25;
   }
   harness_patch = NULL;
   if (!ok)
      printf("a planted fault was not found, or the rest is too long (%u):\n%s", count_instructions(g->text), g->text);
   return ok;
}

/* Zeros may differ in sign: min and max do not say which they give. */
static bool
check(struct gen *g, unsigned p)
{
   struct harness_data want, got;
   char why[256], name[32];

   snprintf(name, sizeof(name), "program %u", p);
   random_program(g);
   random_data(g, &want);
   random_resolve(g->text, resolved);
   if (!harness_reference(resolved, &want, why, sizeof(why))) {
      printf("%s: reference: %s\n%s", name, why, resolved);
      exit(1);
   }
   for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
      got = want;
      bool ran = harness_run(mode, resolved, &got, why, sizeof(why));
      if (!ran)
         printf("%s (%s): %s\n", name, harness_mode_names[mode], why);
      if (ran && !harness_compare(name, "", &want, &got, 1, 0))
         continue;
      reduce(g, mode, &want);
      return false;
   }
   return true;
}

int
main(int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 2, "[SEED [COUNT]]\n\n"
      "Compiles COUNT random programs (600) and runs them on the interpreter and the model; stops\n"
      "after three that differ. SEED (1) is any number; the same one gives the same programs.\n"
      "Before that, the same for all seeds, it looks whether a planted fault is found.");
   const uint64_t seed = args_number(&args, 1, 1);
   const unsigned count = args_number(&args, 2, 600);
   struct gen *g = calloc(1, sizeof(*g));
   unsigned bad = 0;

   g->rng = rng_seeded(1);
   if (!reducer_works(g) || !fault_is_found(g))
      return 1;
   g->rng = rng_seeded(seed);
   for (unsigned p = 0; p < count && bad < 3; p++)
      bad += !check(g, p);
   printf("%u programs, %u differ\n", count, bad);
   free(g);
   return bad != 0;
}
