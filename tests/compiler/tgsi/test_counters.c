/* SPDX-License-Identifier: MIT */
/* Atomic counters, TGSI's file HWATOMIC: every operation, by every lane's own index
 * of counter and buffer. Mesa's interpreter has none: what must come out is computed
 * here. The offset that the instructions have besides says nothing, so it is -1. */
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "compute_harness.h"

/* TEMP[0].x: number of the thread, .y: its byte offset. ADDR[0].x: the number, .y: its lowest
 * bit, .z: the rest. */
#define HEAD                                                                                       \
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"                   \
   "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\n"   \
   "DCL HWATOMIC[0][0..3]\nDCL HWATOMIC[0][4..255], ARRAY(1)\nDCL HWATOMIC[1][0..255]\n"           \
   "DCL HWATOMIC[2][0..255]\nDCL HWATOMIC[3][0..255]\nDCL TEMP[0..7]\nDCL ADDR[0]\n"               \
   "IMM[0] UINT32 {4, 128, 1, 2}\nIMM[1] INT32 {-1, 7, 16, -4081}\nIMM[2] UINT32 {2052, 3, 0, 1065353216}\n" \
   "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx\nUMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n" \
   "AND TEMP[0].z, TEMP[0].xxxx, IMM[0].zzzz\nUSHR TEMP[0].w, TEMP[0].xxxx, IMM[0].zzzz\nUARL ADDR[0].xyz, TEMP[0].xzww\n"
#define RESULT(r) "STORE BUFFER[0].x, TEMP[0].yyyy, " r "\nEND\n"
#define NONE "IMM[1].xxxx"
#define FOR_ALL(i) for (uint32_t i = 0; i < THREADS * GROUPS; i++)

static uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }

/* Counter i of buffer n is word 256 n + i. */
static bool want_one(uint32_t *w) { w[514] = THREADS * GROUPS; w[515] = -2 * (THREADS * GROUPS); return true; }
static bool want_float(uint32_t *w) { w[516] = bits(THREADS * GROUPS); return true; }
static bool want_loads(uint32_t *w) { FOR_ALL(i) w[i] = compute_initial(512 + i); return true; }

/* What lies behind the last word is nobody's. */
static bool
want_ends(uint32_t *w)
{
   FOR_ALL(i) {
      w[i] = i < 253 ? compute_initial(768 + i + 3) : 0;
      if (i < 253)
         w[768 + i + 3] += 1;
   }
   return true;
}

static bool
want_own(uint32_t *w)
{
   FOR_ALL(i) {
      w[i] = compute_initial(256 + i) + i;
      w[256 + i] = compute_initial(256 + i) - 1;
   }
   return true;
}

/* Of buffer 1 + (i & 1) counter i / 2 + 5. */
static bool
want_buffers(uint32_t *w)
{
   FOR_ALL(i) {
      const uint32_t at = 256 * (1 + (i & 1)) + i / 2 + 5;
      w[i] = compute_initial(at);
      w[at] = compute_initial(at) ^ (i * 4);
   }
   return true;
}

/* Buffers are clamped to those declared. */
static bool
want_clamped(uint32_t *w)
{
   FOR_ALL(i) {
      const uint32_t buffer = MIN2(1 + (i & 1) * 128, 3);
      w[i] = compute_initial(256 * buffer + 7);
   }
   return true;
}

static bool
want_all_operations(uint32_t *w)
{
   FOR_ALL(i) {
      uint32_t v = compute_initial(i);
      v = v & -4081u;
      v = v | i;
      v = v ^ 128;
      v = MIN2(v, 2052);
      v = (int32_t)v < -1 ? v : ~0u;
      v = (int32_t)v > 7 ? v : 7;
      v = MAX2(v, 3);
      v = v == 7 ? 16 : v;
      v = v >= 2052 ? 0 : v + 1;
      v = v == 0 || v > 2052 ? 2052 : v - 1;
      w[i] = v + 1;
   }
   return true;
}

static const struct compute_program programs[] = {
   { "counters of all", HEAD "ATOMUADD TEMP[1].x, HWATOMIC[2][2], " NONE ", IMM[0].zzzz\n"
     "ATOMUADD TEMP[1].x, HWATOMIC[2][3], " NONE ", IMM[1].xxxx\nATOMUADD TEMP[1].x, HWATOMIC[2][3], " NONE ", IMM[1].xxxx\nEND\n", want_one },
   { "float addition", HEAD "ATOMFADD TEMP[1].x, HWATOMIC[2][4], " NONE ", IMM[2].wwww\nEND\n", want_float },
   { "values", HEAD "LOAD TEMP[1].x, HWATOMIC[2][ADDR[0].x], " NONE "\n" RESULT("TEMP[1].xxxx"), want_loads },
   { "counters behind the last",
     HEAD "LOAD TEMP[1].x, HWATOMIC[3][ADDR[0].x+3], " NONE "\nATOMUADD TEMP[2].x, HWATOMIC[3][ADDR[0].x+3], " NONE ", IMM[0].zzzz\n"
     RESULT("TEMP[1].xxxx"), want_ends },
   { "every lane's counter",
     HEAD "ATOMUADD TEMP[1].x, HWATOMIC[1][ADDR[0].x], " NONE ", TEMP[0].xxxx\nLOAD TEMP[2].x, HWATOMIC[1][ADDR[0].x], " NONE "\n"
          "INEG TEMP[1].y, TEMP[0].xxxx\nUADD TEMP[1].y, TEMP[1].yyyy, IMM[1].xxxx\n"
          "ATOMUADD TEMP[1].x, HWATOMIC[1][ADDR[0].x], " NONE ", TEMP[1].yyyy\n" RESULT("TEMP[2].xxxx"), want_own },
   { "every lane's counter of every lane's buffer",
     HEAD "ATOMXOR TEMP[1].x, HWATOMIC[ADDR[0].y+1][ADDR[0].z+5], " NONE ", TEMP[0].yyyy\n" RESULT("TEMP[1].xxxx"), want_buffers },
   { "buffers beyond the last",
     HEAD "UMUL TEMP[1].x, TEMP[0].zzzz, IMM[0].yyyy\nUARL ADDR[0].y, TEMP[1].xxxx\n"
          "LOAD TEMP[1].x, HWATOMIC[ADDR[0].y+1][7], " NONE "\n" RESULT("TEMP[1].xxxx"), want_clamped },
   { "all operations",
     HEAD "ATOMAND TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[1].wwww\nATOMOR TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", TEMP[0].xxxx\n"
          "ATOMXOR TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[0].yyyy\nATOMUMIN TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[2].xxxx\n"
          "ATOMIMIN TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[1].xxxx\nATOMIMAX TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[1].yyyy\n"
          "ATOMUMAX TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[2].yyyy\n"
          "ATOMCAS TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[1].yyyy, IMM[1].zzzz\n"
          "ATOMINC_WRAP TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[2].xxxx\n"
          "ATOMDEC_WRAP TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", IMM[2].xxxx\n"
          "LOAD TEMP[2].x, HWATOMIC[0][ADDR[0].x], " NONE "\nUADD TEMP[2].x, TEMP[2].xxxx, IMM[0].zzzz\n"
          "ATOMXCHG TEMP[1].x, HWATOMIC[0][ADDR[0].x], " NONE ", TEMP[2].xxxx\nEND\n", want_all_operations },
};

int
main(int argc, char **argv)
{
   return compute_main(programs, ARRAY_SIZE(programs), argc, argv);
}
