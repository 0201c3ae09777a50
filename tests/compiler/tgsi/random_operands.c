/* SPDX-License-Identifier: MIT */
/* Declarations and operands of random programs. ADDR[0]: x and z are indices of each lane,
 * 0 to 3, y one of all lanes, w 0 or 1 of each lane; all but y change on the way. */
#include <stdio.h>

#include "util/compiler.h"
#include "util/macros.h"
#include "random_program.h"

static const char xyzw[] = "xyzw";

void
put_declarations(struct gen *g)
{
   static const unsigned arrays[] = { 4, 4, 9, 40 }, wide[] = { 4, 4, 6, 12, 18 };

   g->array = arrays[rnd(g, ARRAY_SIZE(arrays))];
   g->wide = wide[rnd(g, ARRAY_SIZE(wide))];
   g->has = rnd(g, GEN_ALL + 1) & rnd(g, GEN_ALL + 1);
   if (rnd(g, 4) == 0)
      g->has |= GEN_LANES;
   put(g, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n"
          "DCL OUT[3], GENERIC[3]\nDCL OUT[4], GENERIC[4]\n"
          "DCL CONST[0][0..31]\nDCL CONST[1][0..31]\nDCL TEMP[0..19]\nDCL TEMP[%u..%u], ARRAY(1), LOCAL\nDCL ADDR[0]\n"
          "IMM[0] FLT32 {0.0, 1.0, -2.5, 0.75}\nIMM[1] INT32 {0, 1, -7, 3}\nIMM[2] UINT32 {0, 9, 5, 17}\n"
          "IMM[3] FLT64 {0.75, -1.5}\n", ARRAY_AT, ARRAY_AT + g->array - 1);
   if (g->has & GEN_SYSVALS)
      put(g, "DCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL SV[2], BASEVERTEX\n");
   if (g->has & GEN_WIDE_ARRAYS)
      put(g, "DCL TEMP[%u..%u], ARRAY(2), LOCAL\nDCL TEMP[%u..%u], ARRAY(3), LOCAL\n", DOUBLES_AT, DOUBLES_AT + g->wide - 1, LONGS_AT,
          LONGS_AT + g->wide - 1);
   if (g->has & GEN_INT_ARRAY)
      put(g, "DCL TEMP[%u..%u], ARRAY(4), LOCAL\n", INTS_AT, INTS_AT + g->wide - 1);
   /* IMM[4..7]: floats; IMM[8..11]: integers */
   for (unsigned i = 0; i < 8 && g->has & GEN_TABLE; i++) {
      if (i < 4)
         put(g, "IMM[%u] FLT32 {%u.5, -%u.25, 0.%u, 1.0}\n", 4 + i, i, 3 * i, 125 * (i + 1));
      else
         put(g, "IMM[%u] UINT32 {%u, %u, 0, %u}\n", 4 + i, rnd(g, 16), rnd(g, ~0u), i);
   }
}

void
put_array_values(struct gen *g)
{
   for (unsigned i = 0; i < g->array; i++)
      put(g, "MOV TEMP[%u], IN[%u]\n", ARRAY_AT + i, i & 1);
   for (unsigned i = 0; i < g->wide && g->has & GEN_WIDE_ARRAYS; i++)
      put(g, "F2D TEMP[%u], IN[%u].%s\nMOV TEMP[%u], IN[%u]\n", DOUBLES_AT + i, i & 1, i & 2 ? "zwxy" : "xyzw", LONGS_AT + i, 2 + (i & 1));
   for (unsigned i = 0; i < g->wide && g->has & GEN_INT_ARRAY; i++)
      put(g, "MOV TEMP[%u], IN[%u].wzyx\n", INTS_AT + i, 2 + (i & 1));
}

void
put_address(struct gen *g)
{
   const unsigned c = rnd(g, 3); /* x, z, w */

   put(g, "AND TEMP[8].x, TEMP[%u].%cxxx, IMM[1].%s\nUARL ADDR[0].%c, TEMP[8].xxxx\n", 4 + rnd(g, 4), xyzw[rnd(g, 4)], c == 2 ? "yyyy" : "wwww",
       "xzw"[c]);
}

static char
address(struct gen *g)
{
   return "xyz"[rnd(g, 3)];
}

/* For stores: all lanes the same unless the interpreter runs them one by one. */
static char
store_address(struct gen *g)
{
   return g->has & GEN_LANES ? address(g) : 'y';
}

/* An element of an array of `length` from TEMP[at] on. */
static void
put_element(struct gen *g, unsigned at, unsigned length, unsigned id, char index)
{
   if (rnd(g, 3) == 0)
      put(g, "TEMP[%u]", at + rnd(g, length));
   else
      put(g, "TEMP[ADDR[0].%c+%u](%u)", index, at + rnd(g, length - 3), id);
}

/* One of the sources that not all programs have; false: it is none of this one. */
static bool
put_rare_src(struct gen *g, bool is_float)
{
   const unsigned kind = 1u << rnd(g, 8);

   if (!(g->has & kind))
      return false;
   switch (kind) {
   case GEN_TABLE:
      put(g, "IMM[ADDR[0].%c+%u]", address(g), is_float ? 4 : 8);
      return true;
   case GEN_SYSVALS:
      if (is_float)
         return false;
      put(g, rnd(g, 2) ? "SV[%u]" : "SV[ADDR[0].w+%u]", rnd(g, 2));
      return true;
   case GEN_INPUTS:
      put(g, "IN[ADDR[0].w+%u]", is_float ? 0 : 2);
      return true;
   case GEN_OUTPUTS:
      put(g, !is_float ? "OUT[2]" : rnd(g, 2) ? "OUT[0]" : "OUT[ADDR[0].w]");
      return true;
   case GEN_BUFFERS:
      put(g, "CONST[ADDR[0].w][ADDR[0].%c+%u]", address(g), is_float ? 1 + rnd(g, 8) : 24 + rnd(g, 4));
      return true;
   case GEN_INT_ARRAY:
      if (is_float)
         return false;
      put_element(g, INTS_AT, g->wide, 4, address(g));
      return true;
   default:
      return false;
   }
}

/* Of system values only x is there. */
static void
put_swizzle(struct gen *g, bool only_x)
{
   put(g, ".");
   for (unsigned c = 0; c < 4; c++)
      put(g, "%c", only_x ? 'x' : xyzw[rnd(g, 4)]);
}

static void
put_plain_src(struct gen *g, bool is_float)
{
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
         put_element(g, ARRAY_AT, g->array, 1, address(g));
         break;
      }
      FALLTHROUGH;
   default:
      put(g, "TEMP[%u]", rnd(g, 4) + (is_float ? 0 : 4));
      break;
   }
}

void
put_src(struct gen *g, bool is_float)
{
   const bool neg = rnd(g, 6) == 0, abs = is_float && rnd(g, 8) == 0;

   put(g, ", %s%s", neg ? "-" : "", abs ? "|" : "");
   const int before = g->len;
   if (!put_rare_src(g, is_float))
      put_plain_src(g, is_float);
   put_swizzle(g, g->text[before] == 'S');
   put(g, abs ? "|" : "");
}

void
put_dst(struct gen *g, bool is_float)
{
   static const char *const masks[] = { "", ".x", ".y", ".z", ".w", ".xy", ".yzw", ".xz", ".xyz" };

   put(g, " ");
   if (is_float && rnd(g, 5) == 0)
      put_element(g, ARRAY_AT, g->array, 1, store_address(g));
   else if (!is_float && g->has & GEN_INT_ARRAY && rnd(g, 5) == 0)
      put_element(g, INTS_AT, g->wide, 4, store_address(g));
   else if (is_float && (g->has & (GEN_OUTPUTS | GEN_LANES)) == (GEN_OUTPUTS | GEN_LANES) && rnd(g, 8) == 0)
      put(g, "OUT[ADDR[0].w]");
   else if (is_float && rnd(g, 8) == 0)
      put(g, "OUT[%u]", rnd(g, 2));
   else
      put(g, "TEMP[%u]", rnd(g, 4) + (is_float ? 0 : 4));
   put(g, "%s", masks[rnd(g, ARRAY_SIZE(masks))]);
}

/* mask 0: both values, 1: the first, 2: the second */
struct wide_dst
put_wide_dst(struct gen *g, bool is_double, unsigned mask)
{
   static const char *const masks[] = { "", ".xy", ".zw" };
   struct wide_dst dst = { (is_double ? 16 : 18) + rnd(g, 2), g->has & GEN_WIDE_ARRAYS && rnd(g, 3) == 0 };

   put(g, " ");
   if (dst.in_array)
      put_element(g, is_double ? DOUBLES_AT : LONGS_AT, g->wide, is_double ? 2 : 3, store_address(g));
   else
      put(g, "TEMP[%u]", dst.reg);
   put(g, "%s", masks[mask]);
   return dst;
}

/* A pair of channels is a value. The interpreter knows no modifiers here, and writes
 * the first pair before it reads the second. */
void
put_wide_src(struct gen *g, bool is_double, struct wide_dst dst)
{
   static const char *const swizzles[] = { "xyzw", "zwxy", "xyxy", "zwzw" };
   const unsigned reg = (is_double ? 16 : 18) + rnd(g, 2);
   bool same = false;

   put(g, ", ");
   if (g->has & GEN_WIDE_ARRAYS && rnd(g, 3) == 0) {
      put_element(g, is_double ? DOUBLES_AT : LONGS_AT, g->wide, is_double ? 2 : 3, address(g));
      same = dst.in_array;
   } else if (!is_double && rnd(g, 4) == 0) {
      put_plain_src(g, false);
      same = true; /* maybe not, but that is enough */
   } else {
      put(g, "TEMP[%u]", reg);
      same = !dst.in_array && dst.reg == reg;
   }
   put(g, ".%s", swizzles[same ? 0 : rnd(g, 4)]);
}
