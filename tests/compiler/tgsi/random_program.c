/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/compiler.h"
#include "util/macros.h"
#include "random_program.h"
#include "rng.h"

/* TEMP[0..3] hold floats, TEMP[4..7] integers, TEMP[8] a condition, TEMP[9..11] counters of
 * loops, TEMP[12..14] those in subroutines, TEMP[16..17] doubles, TEMP[18..19] 64-bit
 * integers; arrays and the rest of operands are random_operands.c's. */
#define MAX_LOOPS 3
#define MAX_SUBS 2
#define MAX_CALLS 8 /* that return out of loops: the interpreter counts 32 loops that it forgets */

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
static const char *const int_ops3[] = { "UMAD", "UCMP" };
static const char *const double_ops1[] = { "MOV", "DABS", "DNEG", "DFLR", "DFRAC", "F2D", "I2D", "U2D" };
static const char *const double_ops2[] = { "DADD", "DMIN", "DMAX", "DADD" };
static const char *const long_ops1[] = { "MOV", "I64NEG", "I64ABS", "I64SSG", "U2I64", "I2I64" };
static const char *const long_ops2[] = {
   "U64ADD", "U64MUL", "I64MIN", "I64MAX", "U64MIN", "U64MAX", "U64SHL", "U64SHR", "I64SHR",
};
/* to 32 bits: integers; floats */
static const char *const wide_to_bool[] = { "U64SEQ", "U64SNE", "U64SLT", "U64SGE", "I64SLT", "I64SGE", "DSLT", "DSGE", "DSEQ", "DSNE" };
static const char *const wide_to_float[] = { "D2F", "U642F", "I642F" };
static const char *const float_to_float[] = { "SLT", "SGE", "SEQ", "SNE", "SGT", "SLE" };
static const char *const int_to_bool[] = { "USLT", "USEQ", "USNE", "ISLT", "ISGE", "AND" };
static const char *const float_to_bool[] = { "FSLT", "FSGE", "FSEQ", "FSNE" };

uint32_t
random_number(struct gen *g, uint32_t n)
{
   return rng_below(&g->rng, n);
}

void
random_put(struct gen *g, const char *fmt, ...)
{
   va_list args;
   va_start(args, fmt);
   g->len += vsnprintf(g->text + g->len, RANDOM_TEXT_SIZE - g->len, fmt, args);
   va_end(args);
}

static const char *
pick(struct gen *g, const char *const *names, unsigned n)
{
   return names[rnd(g, n)];
}

/* Doubles are multiplied with small numbers only, so that none becomes a denormal:
 * the interpreter flushes them. */
static bool
takes_narrow(const char *name)
{
   return !strcmp(name, "F2D") || !strcmp(name, "I2D") || !strcmp(name, "U2D") || !strcmp(name, "U2I64") || !strcmp(name, "I2I64");
}

static void
put_wide_to_narrow(struct gen *g)
{
   static const struct wide_dst none = { 0, false };
   const bool to_bool = rnd(g, 2);
   const char *name = to_bool ? pick(g, wide_to_bool, ARRAY_SIZE(wide_to_bool)) : pick(g, wide_to_float, ARRAY_SIZE(wide_to_float));

   put(g, "%s TEMP[%u].%s", name, rnd(g, 4) + (to_bool ? 4 : 0), to_bool ? (rnd(g, 2) ? "x" : "xz") : (rnd(g, 2) ? "x" : "xy"));
   put_wide_src(g, name[0] == 'D', none);
   if (to_bool)
      put_wide_src(g, name[0] == 'D', none);
   put(g, "\n");
}

/* Operations with an immediate, for which no range is left, and between kinds. */
static void
put_wide_rare(struct gen *g)
{
   static const struct { const char *name, *imm; bool to_double, from_double; } rows[] = {
      { "DMUL", ", IMM[3]", true, true }, { "DMUL", ", IMM[3].zwxy", true, true }, { "DLDEXP", ", IMM[1].yyyy", true, true },
      { "U642D", "", true, false }, { "I642D", "", true, false },
      { "I64DIV", ", IMM[1].yzyz", false, false }, { "I64MOD", ", IMM[1].yzyz", false, false }, { "U64DIV", ", IMM[2].yxzw", false, false },
   };
   const unsigned r = rnd(g, ARRAY_SIZE(rows));

   put(g, "%s", rows[r].name);
   struct wide_dst dst = put_wide_dst(g, rows[r].to_double, rnd(g, 3));
   if (rows[r].to_double != rows[r].from_double)
      dst = (struct wide_dst){ 0, false };
   put_wide_src(g, rows[r].from_double, dst);
   put(g, "%s\n", rows[r].imm);
}

static void
put_wide(struct gen *g)
{
   const bool is_double = rnd(g, 2), two = rnd(g, 3) != 0;

   if (rnd(g, 4) == 0) {
      put_wide_to_narrow(g);
      return;
   }
   if (rnd(g, 5) == 0) {
      put_wide_rare(g);
      return;
   }
   const char *name = is_double ? (two ? pick(g, double_ops2, ARRAY_SIZE(double_ops2)) : pick(g, double_ops1, ARRAY_SIZE(double_ops1)))
                                : (two ? pick(g, long_ops2, ARRAY_SIZE(long_ops2)) : pick(g, long_ops1, ARRAY_SIZE(long_ops1)));
   put(g, "%s", name);
   const struct wide_dst dst = put_wide_dst(g, is_double, rnd(g, 3));
   if (takes_narrow(name)) /* floats that loops cannot grow */
      put(g, name[0] == 'F' ? ", IN[%u]" : ", TEMP[%u]", name[0] == 'F' ? rnd(g, 2) : 4 + rnd(g, 4));
   else
      put_wide_src(g, is_double, dst);
   if (two && strstr(name, "SH"))
      put_src(g, false);
   else if (two)
      put_wide_src(g, is_double, dst);
   put(g, "\n");
}

/* Between floats and integers, and what has a range. */
static void
put_narrow_rare(struct gen *g)
{
   static const struct { const char *name; bool to_float, from_float; const char *rest; } rows[] = {
      { "I2F", true, false, "" }, { "U2F", true, false, "" }, { "IDIV", false, false, ", IMM[1].yzzw" }, { "MOD", false, false, ", IMM[1].yzzw" },
      { "UBFE", false, false, ", IMM[2].xyxy, IMM[2].zwwz" }, { "IBFE", false, false, ", IMM[2].xyxy, IMM[2].zwwz" },
      { "LDEXP", true, true, ", IMM[1].xyxy" }, { "UP2H", true, false, "" },
   };
   const unsigned r = rnd(g, ARRAY_SIZE(rows) + 2);

   if (r == ARRAY_SIZE(rows)) { /* inputs are small */
      put(g, "F2%c", "IU"[rnd(g, 2)]);
      put_dst(g, false);
      put(g, ", |IN[%u].%cyzx|\n", rnd(g, 2), "xyzw"[rnd(g, 4)]);
   } else if (r > ARRAY_SIZE(rows)) {
      put(g, "BFI");
      put_dst(g, false);
      put_src(g, false);
      put_src(g, false);
      put(g, ", IMM[2].xyxy, IMM[2].zwwz\n");
   } else {
      put(g, "%s", rows[r].name);
      put_dst(g, rows[r].to_float);
      put_src(g, rows[r].from_float);
      put(g, "%s\n", rows[r].rest);
   }
}

static void
put_alu(struct gen *g)
{
   const bool is_float = rnd(g, 2);
   const unsigned n = 1 + rnd(g, 3);
   const char *name;

   if (rnd(g, 4) == 0) {
      put_wide(g);
      return;
   }
   if (rnd(g, 10) == 0) {
      put_narrow_rare(g);
      return;
   }

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
   put(g, "%s%s%s", name, is_float && rnd(g, 6) == 0 ? "_SAT" : "", rnd(g, 8) == 0 ? "_PRECISE" : "");
   put_dst(g, is_float);
   for (unsigned s = 0; s < n; s++)
      put_src(g, is_float);
   put(g, "\n");
}

static void
put_condition(struct gen *g)
{
   const unsigned kind = rnd(g, 4); /* floats as 0.0 and 1.0; integers; floats as 0 and ~0 */

   put(g, "%s TEMP[8].x", kind == 0 ? pick(g, float_to_float, ARRAY_SIZE(float_to_float))
                          : kind == 1 ? pick(g, int_to_bool, ARRAY_SIZE(int_to_bool))
                                      : pick(g, float_to_bool, ARRAY_SIZE(float_to_bool)));
   put_src(g, kind != 1);
   put_src(g, kind != 1);
   put(g, kind == 0 ? "\nIF TEMP[8].xxxx\n" : "\nUIF TEMP[8].xxxx\n");
}

static void put_block(struct gen *g, unsigned n);

/* The interpreter wants the default last. */
static void
put_switch(struct gen *g)
{
   static const char cases[] = "xyw"; /* 0, 1, 3 */
   const unsigned outer = g->breakable;

   put(g, "AND TEMP[8].x, TEMP[%u].%cxxx, IMM[1].wwww\nSWITCH TEMP[8].xxxx\n", 4 + rnd(g, 4), "xyzw"[rnd(g, 4)]);
   g->breakable = 0; /* a BRK would be the SWITCH's own */
   g->switches++;
   g->depth++;
   for (unsigned i = 0; i < 3; i++) {
      put(g, "CASE IMM[1].%c%c%c%c\n", cases[i], cases[i], cases[i], cases[i]);
      put_block(g, 1 + rnd(g, 2));
      if (rnd(g, 3))
         put(g, "BRK\n");
   }
   if (rnd(g, 2)) {
      put(g, "DEFAULT\n");
      put_block(g, 1);
   }
   g->depth--;
   g->switches--;
   g->breakable = outer;
   put(g, "ENDSWITCH\n");
}

static void
put_loop(struct gen *g)
{
   const unsigned counter = (g->in_sub ? 12 : 9) + g->loops, outer = g->breakable, switches = g->switches;

   put(g, "MOV TEMP[%u].x, IMM[1].xxxx\nBGNLOOP\n", counter);
   put(g, "USGE TEMP[8].x, TEMP[%u].xxxx, IMM[1].wwww\nUIF TEMP[8].xxxx\nBRK\nENDIF\n", counter);
   put(g, "UADD TEMP[%u].x, TEMP[%u].xxxx, IMM[1].yyyy\n", counter, counter);
   g->loops++;
   g->depth++;
   g->breakable = 1;
   g->switches = 0;
   put_block(g, 1 + rnd(g, 4));
   g->breakable = outer;
   g->switches = switches;
   g->depth--;
   g->loops--;
   put(g, "ENDLOOP\n");
}

/* BRK or CONT under a condition. The interpreter leaves a SWITCH with all lanes. */
static void
put_leave(struct gen *g)
{
   const bool one_by_one = g->has & GEN_LANES, in_loop = g->loops && (g->breakable || one_by_one);

   if (!g->breakable && !(one_by_one && (g->switches || g->loops)))
      return;
   put_condition(g);
   put(g, in_loop && rnd(g, 2) ? "CONT\n" : "BRK\n");
   put(g, "ENDIF\n");
}

/* CAL or RET: the interpreter does not return from calls of some lanes, and forgets a loop
 * around the call when it returns out of another. */
static void
put_call(struct gen *g)
{
   const bool from_loops = g->has & GEN_LOOP_CALLS;

   if (g->in_sub && from_loops && g->loops)
      return;
   if (g->in_sub || (g->has & GEN_LANES && rnd(g, 12) == 0)) {
      put_condition(g);
      put(g, "RET\nENDIF\n");
   } else if (g->depth == 0 || (g->has & GEN_LANES && (from_loops || !g->loops))) {
      const unsigned sub = rnd(g, MAX_SUBS);
      if (from_loops || g->calls++ < MAX_CALLS)
         put(g, "CAL :@%u\n", sub);
   }
}

static void
put_statement(struct gen *g)
{
   if (g->statements++ > 60)
      return;
   switch (rnd(g, g->depth == 0 ? 16 : g->depth < 4 ? 14 : 8)) {
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
      if (g->loops < MAX_LOOPS)
         put_loop(g);
      break;
   case 11:
      put_leave(g);
      break;
   case 12:
      put_switch(g);
      break;
   case 13:
   case 14:
   case 15:
      put_call(g);
      break;
   case 7:
      put_address(g);
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

void
random_program(struct gen *g)
{
   g->len = 0;
   g->statements = g->depth = g->loops = g->breakable = g->switches = 0;
   g->calls = 0;
   g->in_sub = false;
   put_declarations(g);
   for (unsigned i = 0; i < 8; i++)
      put(g, "MOV TEMP[%u], IN[%u]\n", i, i < 4 ? i & 1 : 2 + (i & 1));
   for (unsigned i = 8; i < 16; i++)
      put(g, "MOV TEMP[%u], IMM[1].xxxx\n", i);
   put_array_values(g);
   put(g, "F2D TEMP[16], IN[0]\nF2D TEMP[17], IN[1]\nMOV TEMP[18], IN[2]\nMOV TEMP[19], IN[3]\n");
   put(g, "AND TEMP[8].x, IN[2].xxxx, IMM[1].wwww\nUARL ADDR[0].xz, TEMP[8].xxxx\nUARL ADDR[0].y, CONST[1][0].xxxx\n"
          "AND TEMP[8].x, IN[3].xxxx, IMM[1].yyyy\nUARL ADDR[0].w, TEMP[8].xxxx\n"
          "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nF2D OUT[3], IN[0]\nMOV OUT[4], IN[3]\n");
   put_block(g, 6 + rnd(g, 20));
   put(g, "ADD OUT[0].xy, TEMP[0], TEMP[1]\nMOV OUT[1].yz, TEMP[2]\nMOV OUT[1].x, TEMP[%u].wwww\n"
          "XOR OUT[2], TEMP[4], TEMP[5]\nDADD OUT[3], TEMP[16], TEMP[17]\nU64ADD OUT[4], TEMP[18], TEMP[19]\nEND\n", ARRAY_AT + 1);
   g->in_sub = true;
   for (unsigned i = 0; i < MAX_SUBS; i++) {
      put(g, "BGNSUB\n");
      g->statements = MIN2(g->statements, 50);
      put_block(g, 1 + rnd(g, 4));
      put(g, "RET\nENDSUB\n");
   }
}

void
random_data(struct gen *g, struct harness_data *d)
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
   d->by_lane = g->has & GEN_LANES;
   d->instance_id = rnd(g, 16);
   d->base_vertex = rnd(g, 8);
   d->out_doubles = 1u << 3;
   for (unsigned i = 0; i < HARNESS_CONSTS * 8; i++) {
      float f = (int)(rnd(g, 33)) / 8.0f - 2.0f;
      memcpy(&d->consts[i % 2][i / 8][i / 2 % 4], &f, 4);
   }
   d->consts[1][0][0] = rnd(g, 4);
}

/* Instruction numbers in place of :@n. */
void
random_resolve(const char *text, char *out)
{
   unsigned number = 0, subs[MAX_SUBS] = { 0 }, num_subs = 0;

   for (const char *p = text; *p; p = strchr(p, '\n') + 1) {
      if (!strncmp(p, "VERT", 4) || !strncmp(p, "DCL", 3) || !strncmp(p, "IMM", 3))
         continue;
      if (!strncmp(p, "BGNSUB", 6) && num_subs < MAX_SUBS)
         subs[num_subs++] = number;
      number++;
   }
   while (*text) {
      if (!strncmp(text, ":@", 2)) {
         const unsigned sub = text[2] - '0';
         out += sub < num_subs ? sprintf(out, ":%u", subs[sub]) : sprintf(out, "(gone)");
         text += 3;
      } else {
         *out++ = *text++;
      }
   }
   *out = 0;
}
