/* SPDX-License-Identifier: MIT */
/* Small inputs that real drivers once got wrong, made many: every write mask,
 * swizzles, modifiers, a destination among the sources, sizes of loops and nests,
 * uniform and divergent conditions. Mesa's interpreter says what must come out, or
 * arithmetic here (more of them with their own values in test_reference). */
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "harness.h"
#include "rng.h"

#define HEAD                                                                                      \
   "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n"   \
   "DCL CONST[0][0..31]\nDCL CONST[1][0..31]\nDCL TEMP[0..9]\nDCL ADDR[0]\n"                      \
   "IMM[0] FLT32 {0.0, 1.0, 0.5, 8.0}\nIMM[1] INT32 {0, 1, 2, 3}\nIMM[2] INT32 {4, 5, 40, 20}\n"

static uint64_t rng = 0x9e3779b97f4a7c15ull;

static uint32_t
rnd(uint32_t n)
{
   return rng_below(&rng, n);
}

/* IN[0], IN[1], CONST[0]: floats; IN[2]: 0 to 8; IN[3]: patterns; CONST[1]: integers. */
static void
fill(struct harness_data *d)
{
   static const float floats[] = { 0.0f, -0.0f, 0.5f, -0.5f, 1.0f, -1.0f, 2.25f, -3.0f, 9.0f, 0.125f };
   static const uint32_t words[] = { 0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0xdeadbeef, 0x00ff00ff, 3 };

   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l + 3;
   d->instance_id = rnd(100);
   d->base_vertex = rnd(100);
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < HARNESS_LANES; l++) {
         memcpy(&d->in[0][c][l], &floats[rnd(ARRAY_SIZE(floats))], 4);
         memcpy(&d->in[1][c][l], &floats[rnd(ARRAY_SIZE(floats))], 4);
         d->in[2][c][l] = rnd(9);
         d->in[3][c][l] = rnd(2) ? words[rnd(ARRAY_SIZE(words))] : rnd(~0u);
      }
      for (unsigned i = 0; i < HARNESS_CONSTS; i++) {
         memcpy(&d->consts[0][i][c], &floats[rnd(ARRAY_SIZE(floats))], 4);
         d->consts[1][i][c] = rnd(9);
      }
   }
}

/* A program that the interpreter can run, in all ways. */
static bool
same_as_interpreter(const char *name, const char *text, unsigned rounds)
{
   char why[256];

   for (unsigned r = 0; r < rounds; r++) {
      struct harness_data want, got;
      fill(&want);
      if (!harness_reference(text, &want, why, sizeof(why))) {
         printf("%s: reference: %s\n%s", name, why, text);
         return false;
      }
      for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
         got = want;
         if (!harness_run(mode, text, &got, why, sizeof(why))) {
            printf("%s (%s): %s\n%s", name, harness_mode_names[mode], why, text);
            return false;
         }
         if (harness_compare(name, text, &want, &got, 1, 0)) {
            printf("(%s)\n", harness_mode_names[mode]);
            return false;
         }
      }
   }
   return true;
}

/* ---- operands ---- */

static const struct { const char *name; unsigned num_src; bool is_float; } ops[] = {
   { "MOV", 1, true }, { "MUL", 2, true }, { "MAX", 2, true }, { "MIN", 2, true }, { "ADD", 2, true }, { "DP3", 2, true },
   { "DP4", 2, true }, { "DP2", 2, true }, { "CMP", 3, true }, { "MAD", 3, true }, { "LRP", 3, true }, { "SLT", 2, true },
   { "SGE", 2, true }, { "FRC", 1, true }, { "SSG", 1, true }, { "DST", 2, true },
   { "UADD", 2, false }, { "UMAD", 3, false }, { "IMIN", 2, false }, { "UDIV", 2, false }, { "UMOD", 2, false },
   { "USHR", 2, false }, { "USEQ", 2, false }, { "XOR", 2, false }, { "NOT", 1, false },
};

/* The result goes onto a source, of which the rest stays; sources have any swizzle, and
 * floats a sign and an absolute value in every place. */
static unsigned
check_operands(void)
{
   static const char xyzw[] = "xyzw";
   unsigned bad = 0;

   for (unsigned o = 0; o < ARRAY_SIZE(ops); o++) {
      for (unsigned mask = 1; mask < 16; mask++) {
         char text[1024], m[5] = "", name[32];
         int n = snprintf(text, sizeof(text), HEAD "MOV TEMP[0], IN[%u]\nMOV TEMP[1], IN[%u]\nMOV TEMP[2], CONST[%u][3]\n",
                          ops[o].is_float ? 0 : 3, ops[o].is_float ? 1 : 2, ops[o].is_float ? 0 : 1);
         for (unsigned c = 0; c < 4; c++) {
            if (mask & (1u << c))
               strncat(m, &xyzw[c], 1);
         }
         n += snprintf(text + n, sizeof(text) - n, "%s%s TEMP[0].%s", ops[o].name, ops[o].is_float && mask % 5 == 0 ? "_SAT" : "", m);
         for (unsigned s = 0; s < ops[o].num_src; s++) {
            const unsigned mod = ops[o].is_float ? rnd(4) : 0;
            n += snprintf(text + n, sizeof(text) - n, ", %s%sTEMP[%u].%c%c%c%c%s", mod & 1 ? "-" : "", mod & 2 ? "|" : "",
                          (s + mask) % 3, xyzw[rnd(4)], xyzw[rnd(4)], xyzw[rnd(4)], xyzw[rnd(4)], mod & 2 ? "|" : "");
         }
         /* The output likewise: written whole, then in part. */
         snprintf(text + n, sizeof(text) - n, "\nMOV OUT[0], TEMP[0]\nMOV OUT[1], IN[0]\nMOV OUT[1].%s, TEMP[0].wzyx\nEND\n", m);
         snprintf(name, sizeof(name), "%s.%s", ops[o].name, m);
         bad += !same_as_interpreter(name, text, 2);
      }
   }
   return bad;
}

/* ---- nests ---- */

#define COND_UNIFORM   "CONST[1][1].xxxx"
#define COND_DIVERGENT "IN[2].xxxx"

/* n ifs, each on a bit of one integer (again from the first after 30): how deep one comes. */
static void
nested_ifs(char *p, unsigned n, const char *source)
{
   p += sprintf(p, HEAD "MOV TEMP[1].x, IMM[1].xxxx\nOR TEMP[3].x, %s, IMM[1].wwww\n", source);
   for (unsigned i = 0; i < n; i++) {
      p += sprintf(p, "IMM[%u] UINT32 {%u, 0, 0, 0}\n", 3 + i, 1u << i % 30);
   }
   for (unsigned i = 0; i < n; i++)
      p += sprintf(p, "AND TEMP[0].x, TEMP[3].xxxx, IMM[%u].xxxx\nUIF TEMP[0].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n", 3 + i);
   for (unsigned i = 0; i < n; i++)
      p += sprintf(p, "%sENDIF\n", i % 3 ? "ELSE\nUADD TEMP[1].x, TEMP[1].xxxx, TEMP[1].xxxx\n" : "");
   sprintf(p, "MOV OUT[0], TEMP[1].xxxx\nEND\n");
}

/* n loops of one turn, or of so many as a lane says. */
static void
nested_loops(char *p, unsigned n, const char *source)
{
   p += sprintf(p, HEAD "MOV TEMP[1].x, IMM[1].xxxx\nDCL TEMP[10..%u]\n", 10 + n);
   for (unsigned i = 0; i < n; i++)
      p += sprintf(p, "MOV TEMP[%u].x, IMM[1].xxxx\nBGNLOOP\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n", 10 + i);
   for (unsigned i = n; i-- > 0;) {
      p += sprintf(p, "UADD TEMP[%u].x, TEMP[%u].xxxx, IMM[1].yyyy\nUMIN TEMP[2].x, %s, IMM[1].yyyy\nUSGE TEMP[2].x, TEMP[%u].xxxx, TEMP[2].xxxx\n"
                   "UIF TEMP[2].xxxx\nBRK\nENDIF\nENDLOOP\n", 10 + i, 10 + i, source, 10 + i);
   }
   sprintf(p, "MOV OUT[0], TEMP[1].xxxx\nEND\n");
}

/* A loop whose arms end in break, continue, both, or nothing. */
static void
loop_with_arms(char *p, unsigned kind, const char *source)
{
   static const char *const ends[] = { "", "BRK\n", "CONT\n", "UADD TEMP[1].y, TEMP[1].yyyy, IMM[1].yyyy\n" };

   sprintf(p, HEAD "MOV TEMP[1], IMM[1].xxxx\nBGNLOOP\nUSGE TEMP[2].x, TEMP[1].xxxx, IMM[2].yyyy\nUIF TEMP[2].xxxx\nBRK\nENDIF\n"
           "UADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\nUSLT TEMP[2].x, TEMP[1].xxxx, %s\nUIF TEMP[2].xxxx\n%sELSE\n%sENDIF\n"
           "UADD TEMP[1].z, TEMP[1].zzzz, IMM[1].yyyy\nENDLOOP\nMOV OUT[0], TEMP[1]\nEND\n",
           source, ends[kind % 4], ends[kind / 4]);
}

/* The lights of a fixed-function vertex shader: constants through a float counter in
 * steps of 8 until a light says that it is the last. */
static void
lights(char *p, unsigned num, unsigned declared)
{
   sprintf(p, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL CONST[0][0..%u]\nDCL TEMP[0..4]\nDCL ADDR[0]\nIMM[0] FLT32 {0.0, 1.0, 8.0, %u.0}\n"
           "MOV TEMP[0], IMM[0].xxxx\nMOV TEMP[1], IN[0]\nBGNLOOP\nARL ADDR[0].x, TEMP[0].xxxx\nADD TEMP[1], TEMP[1], CONST[0][ADDR[0].x]\n"
           "MAD TEMP[1], IN[1], CONST[0][ADDR[0].x+3], TEMP[1]\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nSGE TEMP[2].x, TEMP[0].xxxx, IMM[0].wwww\n"
           "IF TEMP[2].xxxx\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[1]\nEND\n", declared, 8 * num);
}

/* The last light is flagged in its last register; fewer constants may be declared than
 * the program reaches. What the interpreter reads is there all the same. */
static bool
check_flagged_lights(unsigned num, unsigned declared)
{
   char text[2048], why[256];
   bool ok = true;

   sprintf(text, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL CONST[0][0..%u]\nDCL TEMP[0..4]\nDCL ADDR[0]\nIMM[0] FLT32 {0.0, 1.0, 8.0, 0.0}\n"
           "MOV TEMP[0], IMM[0].xxxx\nMOV TEMP[1], IN[0]\nBGNLOOP\nARL ADDR[0].x, TEMP[0].xxxx\nADD TEMP[1], TEMP[1], CONST[0][ADDR[0].x]\n"
           "MAD TEMP[1], IN[1], CONST[0][ADDR[0].x+3], TEMP[1]\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\n"
           "FSEQ TEMP[2].x, CONST[0][ADDR[0].x+7].wwww, IMM[0].yyyy\nUIF TEMP[2].xxxx\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[1]\nEND\n", declared);
   for (unsigned mode = HARNESS_MACHINE; mode < HARNESS_MODES; mode++) {
      struct harness_data want, got;
      fill(&want);
      for (unsigned l = 0; l < HARNESS_CONSTS / 8; l++) {
         const float flag = l + 1 == num;
         memcpy(&want.consts[0][8 * l + 7][3], &flag, 4);
      }
      bool ran = harness_reference(text, &want, why, sizeof(why));
      got = want;
      ran = ran && harness_run(mode, text, &got, why, sizeof(why));
      if (!ran || harness_compare("flagged lights", text, &want, &got, 0, 0)) {
         printf("%u flagged lights, %u constants declared (%s): %s\n", num, declared + 1, harness_mode_names[mode], ran ? "differ" : why);
         ok = false;
      }
   }
   return ok;
}

static unsigned
check_nests(void)
{
   static const char *const sources[] = { COND_UNIFORM, COND_DIVERGENT };
   static char text[65536];
   char name[64];
   unsigned bad = 0;

   for (unsigned s = 0; s < 2; s++) {
      static const unsigned depths[] = { 1, 2, 5, 20, 29 };
      for (unsigned i = 0; i < ARRAY_SIZE(depths); i++) {
         snprintf(name, sizeof(name), "%u nested ifs, %s", depths[i], sources[s]);
         nested_ifs(text, depths[i], s ? "IN[3].xxxx" : sources[s]);
         bad += !same_as_interpreter(name, text, 4);
         snprintf(name, sizeof(name), "%u nested loops, %s", MIN2(depths[i], 20), sources[s]);
         nested_loops(text, MIN2(depths[i], 20), sources[s]);
         bad += !same_as_interpreter(name, text, 1);
      }
      for (unsigned kind = 0; kind < 16; kind++) {
         snprintf(name, sizeof(name), "arms %u, %s", kind, sources[s]);
         loop_with_arms(text, kind, sources[s]);
         bad += !same_as_interpreter(name, text, 5);
      }
   }
   for (unsigned n = 1; n <= 8; n++) {
      snprintf(name, sizeof(name), "%u lights", n);
      lights(text, n, 8 * n - 1);
      bad += !same_as_interpreter(name, text, 3);
      for (unsigned declared = 0; declared < 64; declared += 7)
         bad += !check_flagged_lights(n, declared);
      bad += !check_flagged_lights(n, 71);
   }
   return bad;
}

/* ---- registers ---- */

/* Immediates in a table behind the code of many sizes, with a uniform index, a constant
 * one, one of each lane, in front of the table's own place, in arms and loops; and the
 * system values as an array. */
static unsigned
check_tables(void)
{
   static const unsigned sizes[] = { 1, 2, 7, 64, 500 };
   static char text[65536];
   char name[64];
   unsigned bad = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
      const unsigned size = sizes[i];
      char *p = text + sprintf(text, HEAD "DCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL SV[2], BASEVERTEX\nIMM[3] UINT32 {%u, 3, %u, 7}\n", size, size - 1);
      for (unsigned k = 0; k < size; k++)
         p += sprintf(p, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", 4 + k, rnd(~0u), rnd(9), rnd(~0u), k);
      sprintf(p, "UMOD TEMP[0], IN[3], IMM[3].xxyz\nUMOD TEMP[1].x, CONST[1][1].xxxx, IMM[3].xxxx\nUARL ADDR[0].xyz, TEMP[0]\nUARL ADDR[0].w, TEMP[1].xxxx\n"
              "MOV OUT[0], IMM[ADDR[0].x+4].wxzy\nMOV OUT[0].y, IMM[ADDR[0].w+4].yyyy\nXOR OUT[1], IMM[ADDR[0].y+4], IMM[ADDR[0].w+4].wwzz\n"
              "MOV OUT[2], SV[ADDR[0].z].xxxx\nUSGE TEMP[2].x, IN[2].xxxx, IMM[3].yyyy\nUIF TEMP[2].xxxx\nMOV OUT[2].y, IMM[ADDR[0].y+4].zzzz\nELSE\n"
              "INEG TEMP[3].x, IMM[ADDR[0].x+4].xxxx\nMOV OUT[2].z, TEMP[3].xxxx\nUADD TEMP[3], TEMP[0], IMM[1].wwww\nUARL ADDR[0].x, TEMP[3].xxxx\n"
              "MOV OUT[2].x, IMM[ADDR[0].x+1].zzzz\nENDIF\nUADD TEMP[3], TEMP[0], -IMM[2].xxxx\nUARL ADDR[0].x, TEMP[3].xxxx\nMOV OUT[2].w, IMM[ADDR[0].x+8].xxxx\nUARL ADDR[0].x, IMM[3].zzzz\nUADD OUT[1].z, IMM[ADDR[0].x+4].wwww, SV[ADDR[0].z].xxxx\nEND\n");
      snprintf(name, sizeof(name), "a table of %u", size);
      bad += !same_as_interpreter(name, text, 6);
   }
   return bad;
}

/* Arrays of doubles (1) and 64-bit integers (2), two in an element: each lane stores one or
 * both by its own index, in a straight run, in arms and in a loop, and reads by another. */
static unsigned
check_wide_arrays(void)
{
   static const unsigned sizes[] = { 2, 3, 4, 8, 9, 17, 40 };
   static char text[65536];
   char name[64];
   unsigned bad = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
      const unsigned size = sizes[i], ints = 110;
      char *p = text + sprintf(text, HEAD "DCL TEMP[10..%u], ARRAY(1), LOCAL\nDCL TEMP[%u..%u], ARRAY(2), LOCAL\nIMM[3] UINT32 {%u, 3, %u, 7}\n",
                               9 + size, ints, ints + size - 1, size, size - 1);
      for (unsigned k = 0; k < size; k++) {
         p += sprintf(p, "F2D TEMP[%u], IN[%u].%s\nU2I64 TEMP[%u], IN[%u].%s\n", 10 + k, k & 1, k & 2 ? "wzyx" : "xyzw", ints + k, 2 + (k & 1),
                      k & 2 ? "zwxy" : "xyzw");
      }
      sprintf(p, "UMOD TEMP[0], IN[3], IMM[3].xxxx\nUARL ADDR[0], TEMP[0]\nF2D TEMP[1], IN[0]\nI2I64 TEMP[2], IN[3]\n"
              "DADD TEMP[ADDR[0].x+10](1).xy, TEMP[1], TEMP[ADDR[0].y+10](1)\nDMUL TEMP[ADDR[0].y+10](1).zw, TEMP[1].zwzw, TEMP[ADDR[0].x+10](1).xyxy\n"
              "MOV TEMP[ADDR[0].z+10](1), TEMP[1]\nDNEG TEMP[%u].xy, TEMP[ADDR[0].w+10](1).zwxy\n"
              "U64MUL TEMP[ADDR[0].x+%u](2), TEMP[2], TEMP[ADDR[0].z+%u](2)\nU64SHL TEMP[ADDR[0].y+%u](2).zw, TEMP[2], IMM[3].yyyy\n"
              "USGE TEMP[3].x, IN[2].xxxx, IMM[3].yyyy\nUIF TEMP[3].xxxx\nI64NEG TEMP[ADDR[0].z+%u](2).xy, TEMP[ADDR[0].z+%u](2).zwzw\nELSE\n"
              "DMAX TEMP[ADDR[0].x+10](1), TEMP[ADDR[0].y+10](1), TEMP[1]\nENDIF\nMOV TEMP[4].x, IMM[1].xxxx\n"
              "BGNLOOP\nUSGE TEMP[3].x, TEMP[4].xxxx, IN[2].yyyy\nUIF TEMP[3].xxxx\nBRK\nENDIF\nUADD TEMP[4].x, TEMP[4].xxxx, IMM[1].yyyy\n"
              "UMOD TEMP[5].x, TEMP[4].xxxx, IMM[3].xxxx\nUARL ADDR[0].y, TEMP[5].xxxx\nU64ADD TEMP[ADDR[0].y+%u](2).zw, TEMP[ADDR[0].x+%u](2), TEMP[ADDR[0].y+%u](2).xyxy\n"
              "DADD TEMP[ADDR[0].y+10](1), TEMP[ADDR[0].y+10](1), TEMP[1]\nENDLOOP\n"
              "MOV OUT[0], TEMP[ADDR[0].w+10](1)\nMOV OUT[1], TEMP[ADDR[0].w+%u](2)\nXOR OUT[2].xy, TEMP[%u], TEMP[ADDR[0].z+10](1)\n"
              "XOR OUT[2].zw, TEMP[%u], TEMP[ADDR[0].x+%u](2)\nEND\n",
              9 + size, ints, ints, ints, ints, ints, ints, ints, ints, ints, 9 + size, ints + size - 1, ints);
      snprintf(name, sizeof(name), "wide arrays of %u", size);
      bad += !same_as_interpreter(name, text, 6);
   }
   return bad;
}

/* Each lane its own element of inputs, temporaries, constants, immediates; of arrays of
 * all sizes, at both ends, with a load and a store before and behind. */
static unsigned
check_indices(void)
{
   static const unsigned sizes[] = { 2, 4, 5, 16, 17, 40, 100 };
   static char text[65536];
   char name[64];
   unsigned bad = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
      const unsigned size = sizes[i];
      char *p = text + sprintf(text, HEAD "DCL TEMP[10..%u], ARRAY(1), LOCAL\nIMM[3] UINT32 {%u, %u, 0, 0}\n", 9 + size, size, size - 1);
      for (unsigned k = 0; k < size; k++)
         p += sprintf(p, "MOV TEMP[%u], IN[%u].%s\n", 10 + k, k & 1, k & 2 ? "wzyx" : "xyzw");
      /* constant indices of both ends, a uniform store, a load of every lane's own */
      sprintf(p, "UMOD TEMP[0], IN[3], IMM[3].xxxx\nUMOD TEMP[1].x, CONST[1][1].xxxx, IMM[3].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\n"
              "UARL ADDR[0].y, TEMP[0].yyyy\nUARL ADDR[0].z, TEMP[1].xxxx\nUARL ADDR[0].w, IMM[3].yyyy\n"
              "MOV OUT[1], TEMP[ADDR[0].x+10](1)\nMOV TEMP[ADDR[0].z+10](1).yw, CONST[0][5]\nMAD_SAT TEMP[ADDR[0].y+10](1).xz, TEMP[ADDR[0].x+10](1), IN[1], IN[0]\n"
              "ADD OUT[0], TEMP[ADDR[0].x+10](1), TEMP[ADDR[0].y+10](1).wzyx\nMOV OUT[2], TEMP[ADDR[0].w+10](1)\n"
              "MOV TEMP[%u].x, TEMP[10].yyyy\nADD OUT[2].x, IN[0].yyyy, TEMP[ADDR[0].x+10](1)\nEND\n", 9 + size);
      snprintf(name, sizeof(name), "an array of %u", size);
      bad += !same_as_interpreter(name, text, 6);
   }
   bad += !same_as_interpreter("inputs, constants and immediates of lanes",
                               HEAD "AND TEMP[0], IN[2], IMM[1].wwww\nUARL ADDR[0].xyz, TEMP[0]\nMOV OUT[0], IN[ADDR[0].x]\n"
                                    "MOV OUT[1], CONST[0][ADDR[0].y+2].zwxy\nMOV OUT[2], CONST[1][ADDR[0].z]\n"
                                    "ADD OUT[2].yz, IMM[ADDR[0].y], -|IMM[ADDR[0].x].wzyx|\nMOV OUT[2].x, IMM[ADDR[0].z].wwww\nIMM[3] FLT32 {9.0, -2.0, 0.25, -7.5}\nEND\n", 10);
   bad += check_tables();
   bad += check_wide_arrays();
   return bad;
}

/* Constant buffers that end in the middle of a register: what is there is there, whatever
 * loads are made of it. */
static unsigned
check_small_buffers(void)
{
   static const char text[] =
      HEAD "MOV OUT[0], CONST[0][0]\nMOV OUT[1], CONST[0][1]\nAND TEMP[0].x, IN[2].xxxx, IMM[1].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\n"
           "MOV OUT[2], CONST[0][ADDR[0].x]\nEND\n";
   unsigned bad = 0;

   for (unsigned bytes = 4; bytes <= 32; bytes += 4) {
      for (unsigned mode = HARNESS_MACHINE; mode < HARNESS_MODES; mode++) {
         struct harness_data want, got;
         char why[256];
         fill(&want);
         want.const_bytes = bytes;
         want.out_mask[0] = want.out_mask[2] = BITFIELD_MASK(MIN2(bytes / 4, 4));
         want.out_mask[1] = bytes > 16 ? BITFIELD_MASK(bytes / 4 - 4) : 0;
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned l = 0; l < HARNESS_LANES; l++) {
               want.out[0][c][l] = want.out[2][c][l] = want.consts[0][0][c];
               want.out[1][c][l] = want.consts[0][1][c];
            }
         }
         got = want;
         if (!harness_run(mode, text, &got, why, sizeof(why))) {
            printf("a buffer of %u bytes: %s\n", bytes, why);
            bad++;
         } else if (harness_compare("a small buffer", text, &want, &got, 0, 0)) {
            printf("(%u bytes, %s)\n", bytes, harness_mode_names[mode]);
            bad++;
         }
      }
   }
   return bad;
}

int
main(void)
{
   const unsigned operands = check_operands(), nests = check_nests(), indices = check_indices();
   const unsigned buffers = check_small_buffers();

   printf("wrong: %u of operands, %u of nests, %u of indices, %u of buffers\n", operands, nests, indices, buffers);
   return operands || nests || indices || buffers;
}
