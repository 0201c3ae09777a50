/* SPDX-License-Identifier: MIT */
/* Compute programs on the model's sequencer: shared memory, barriers, shader
 * buffers and their atomics. What must come out is computed here. */
#include <stdio.h>

#include "util/macros.h"
#include "compute_harness.h"

#define HEAD                                                                                      \
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"                  \
   "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"                 \
   "DCL SV[2], BLOCK_SIZE\nDCL SV[3], GRID_SIZE\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\n"          \
   "DCL TEMP[0..5]\nIMM[0] UINT32 {4, 127, 1, 0}\nIMM[1] UINT32 {2048, 2052, 7, 16}\n"            \
   "IMM[2] UINT32 {32, 64, 128, 0}\nIMM[3] UINT32 {1, 2, 4, 0}\n"                                     \
   "UMAD TEMP[0].x, SV[1].xxxx, SV[2].xxxx, SV[0].xxxx\n"                                         \
   "UMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n"

/* Words 0..255 are one a thread; words from 512 on are for all. */
#define initial compute_initial

static bool
want_reverse(uint32_t *w)
{
   for (uint32_t g = 0; g < GROUPS; g++) {
      for (uint32_t t = 0; t < THREADS; t++)
         w[g * THREADS + t] = initial(g * THREADS + THREADS - 1 - t) + t;
   }
   return true;
}

static bool
want_atomics(uint32_t *w)
{
   w[512] = initial(512) + THREADS * GROUPS * (THREADS * GROUPS - 1) / 2;
   w[513] = MAX2(initial(513), THREADS * GROUPS - 1);
   return true;
}

static bool
want_shared_atomic(uint32_t *w)
{
   for (uint32_t g = 0; g < GROUPS; g++) {
      for (uint32_t t = 0; t < THREADS; t++)
         w[g * THREADS + t] = THREADS * (THREADS - 1) / 2;
   }
   return true;
}

static bool
want_masks(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i += 4) {
      w[i + 1] = i;
      w[i + 3] = i + GROUPS;
   }
   return true;
}

static bool
want_vector(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i += 4) {
      for (uint32_t c = 0; c < 4; c++)
         w[i + c] = initial(i + 3 - c);
   }
   return true;
}

/* Waves of 64: any lane with bit 5 set, all with bit 6, equal bit 7. */
static bool
want_votes(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i++)
      w[i] = 1 + (i & 64 ? 2 : 0) + 4;
   return true;
}

/* 20 vectors live at once in a group of 1024, which leaves 64 registers for each lane. */
#define MANY 20
static char large_group[8192];

static void
make_large_group(void)
{
   char *p = large_group + sprintf(large_group,
      "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1024\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
      "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL BUFFER[3]\nDCL TEMP[0..%u]\nIMM[0] UINT32 {128, 4, 16, 0}\n"
      "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\nUMUL TEMP[0].xy, TEMP[0].xxxx, IMM[0].yyyy\nUMUL TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\n",
      MANY + 2);
   for (unsigned k = 0; k < MANY; k++)
      p += sprintf(p, "LOAD TEMP[%u], BUFFER[3], TEMP[0].yyyy\nUADD TEMP[0].y, TEMP[0].yyyy, IMM[0].zzzz\n", 2 + k);
   p += sprintf(p, "MOV TEMP[1], IMM[0].wwww\n");
   for (unsigned k = 0; k < MANY; k++)
      p += sprintf(p, "U64ADD TEMP[1], TEMP[1], TEMP[%u]\n", 2 + k);
   for (unsigned k = MANY; k-- > 0;)
      p += sprintf(p, "XOR TEMP[1], TEMP[1], TEMP[%u]\nU64ADD TEMP[1], TEMP[1], TEMP[%u]\n", 2 + k, 2 + k);
   sprintf(p, "UADD TEMP[1].xy, TEMP[1], TEMP[1].zwzw\nXOR TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n");
}

static bool
want_large_group(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i++) {
      uint64_t s[2] = { 0, 0 }, v[MANY][2];
      for (unsigned k = 0; k < MANY; k++) {
         const uint32_t at = 768 + i % THREADS + 4 * k;
         for (unsigned c = 0; c < 2; c++) {
            v[k][c] = initial(at + 2 * c) | (uint64_t)initial(at + 2 * c + 1) << 32;
            s[c] += v[k][c];
         }
      }
      for (unsigned k = MANY; k-- > 0;) {
         for (unsigned c = 0; c < 2; c++)
            s[c] = (s[c] ^ v[k][c]) + v[k][c];
      }
      w[i] = ((uint32_t)s[0] + (uint32_t)s[1]) ^ ((uint32_t)(s[0] >> 32) + (uint32_t)(s[1] >> 32));
   }
   return true;
}

/* Lanes leave three loops at different turns; the innermost has an atomic. */
static bool
want_loop_counts(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i++)
      w[i] = initial(i) + (i & 3) * (i >> 2 & 3) * (i >> 4 & 3);
   return true;
}

/* An offset that begins below the buffer. */
static bool
want_below(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i++)
      w[i] = initial(768 + (i & 127));
   return true;
}

/* Lanes take turns at the identifiers of thread and block, block and grid size; 0 where
 * there is none. */
static bool
want_identifiers(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i++) {
      const uint32_t svs[8] = { i % THREADS, i / THREADS, THREADS, GROUPS };
      w[i] = svs[i & 7] + (i % 4 == 3 ? 1 : 0) * 0x80000000u;
   }
   return true;
}

/* Doubles, and 64-bit integers behind them. */
static bool
want_wide_shared(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i++) {
      const uint32_t t = i % THREADS, other = THREADS - 1 - t;
      w[i] = t * t + other * other + (uint32_t)(((uint64_t)(other * 0x2000001u) << 32) >> 31);
   }
   return true;
}

static const struct compute_program programs[] = {
   { "64-bit values in shared memory, at an address of each lane",
     HEAD "IMM[4] UINT32 {8, 127, 1024, 31}\nIMM[5] UINT32 {33554433, 32, 0, 0}\nU2D TEMP[1].xy, SV[0].xxxx\nDMUL TEMP[1].xy, TEMP[1], TEMP[1]\n"
          "UMUL TEMP[2].x, SV[0].xxxx, IMM[4].xxxx\nSTORE MEMORY[0].xy, TEMP[2].xxxx, TEMP[1]\n"
          "UMUL TEMP[3].x, SV[0].xxxx, IMM[5].xxxx\nU2I64 TEMP[3].xy, TEMP[3].xxxx\nU64SHL TEMP[3].xy, TEMP[3], IMM[5].yyyy\n"
          "UADD TEMP[2].x, TEMP[2].xxxx, IMM[4].zzzz\nSTORE MEMORY[0].xy, TEMP[2].xxxx, TEMP[3]\nBARRIER\n"
          "UADD TEMP[2].y, IMM[4].yyyy, -SV[0].xxxx\nUMUL TEMP[2].y, TEMP[2].yyyy, IMM[4].xxxx\nLOAD TEMP[4].xy, MEMORY[0], TEMP[2].yyyy\n"
          "DADD TEMP[4].xy, TEMP[4], TEMP[1]\nD2U TEMP[4].x, TEMP[4]\nUADD TEMP[2].y, TEMP[2].yyyy, IMM[4].zzzz\n"
          "LOAD TEMP[5].xy, MEMORY[0], TEMP[2].yyyy\nU64SHR TEMP[5].xy, TEMP[5], IMM[4].wwww\nUADD TEMP[4].x, TEMP[4].xxxx, TEMP[5].xxxx\n"
          "STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[4].xxxx\nEND\n",
     want_wide_shared },
   { "an array of system values and a table of immediates",
     HEAD "DCL ADDR[0]\nIMM[4] UINT32 {0, 0, 0, 0}\nIMM[5] UINT32 {0, 0, 0, 0}\nIMM[6] UINT32 {0, 0, 0, 0}\nIMM[7] UINT32 {2147483648, 0, 0, 0}\n"
          "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].zzzz\nUARL ADDR[0].x, TEMP[1].xxxx\nMOV TEMP[2].x, SV[ADDR[0].x].xxxx\n"
          "UMOD TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\nUARL ADDR[0].x, TEMP[1].xxxx\nUADD TEMP[2].x, TEMP[2].xxxx, IMM[ADDR[0].x+4].xxxx\n"
          "STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[2].xxxx\nEND\n",
     want_identifiers },
   { "1024 invocations, many vectors", large_group, want_large_group },
   { "atomics in three loops",
     HEAD "IMM[4] UINT32 {3, 2, 4, 0}\nAND TEMP[1].x, TEMP[0].xxxx, IMM[4].xxxx\nUSHR TEMP[1].y, TEMP[0].xxxx, IMM[4].yyyy\n"
          "USHR TEMP[1].z, TEMP[0].xxxx, IMM[4].zzzz\nAND TEMP[1].yz, TEMP[1], IMM[4].xxxx\nMOV TEMP[2], IMM[4].wwww\n"
          "BGNLOOP\n  USGE TEMP[3].x, TEMP[2].xxxx, TEMP[1].xxxx\n  UIF TEMP[3].xxxx\n    BRK\n  ENDIF\n  MOV TEMP[2].y, IMM[4].wwww\n"
          "  BGNLOOP\n    USGE TEMP[3].x, TEMP[2].yyyy, TEMP[1].yyyy\n    UIF TEMP[3].xxxx\n      BRK\n    ENDIF\n    MOV TEMP[2].z, IMM[4].wwww\n"
          "    BGNLOOP\n      USGE TEMP[3].x, TEMP[2].zzzz, TEMP[1].zzzz\n      UIF TEMP[3].xxxx\n        BRK\n      ENDIF\n"
          "      ATOMUADD TEMP[4].x, BUFFER[0], TEMP[0].yyyy, IMM[0].zzzz\n      UADD TEMP[2].z, TEMP[2].zzzz, IMM[0].zzzz\n    ENDLOOP\n"
          "    UADD TEMP[2].y, TEMP[2].yyyy, IMM[0].zzzz\n  ENDLOOP\n  UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].zzzz\nENDLOOP\nEND\n",
     want_loop_counts },
   { "an offset from below",
     HEAD "DCL BUFFER[3]\nIMM[4] INT32 {16, -64, 127, 0}\nAND TEMP[1].x, TEMP[0].xxxx, IMM[4].zzzz\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[4].xxxx\n"
          "UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[4].yyyy\nLOAD TEMP[2].x, BUFFER[3], TEMP[1].xxxx\n"
          "STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[2].xxxx\nEND\n",
     want_below },
   { "reverse in shared memory",
     HEAD "LOAD TEMP[1].x, BUFFER[0], TEMP[0].yyyy\nUMUL TEMP[2].x, SV[0].xxxx, IMM[0].xxxx\n"
          "STORE MEMORY[0].x, TEMP[2].xxxx, TEMP[1].xxxx\nBARRIER\n"
          "UADD TEMP[2].x, IMM[0].yyyy, -SV[0].xxxx\nUMUL TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx\n"
          "LOAD TEMP[1].x, MEMORY[0], TEMP[2].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, SV[0].xxxx\n"
          "STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[1].xxxx\nEND\n",
     want_reverse },
   { "atomics of a buffer",
     HEAD "ATOMUADD TEMP[1].x, BUFFER[0], IMM[1].xxxx, TEMP[0].xxxx\n"
          "ATOMUMAX TEMP[1].x, BUFFER[0], IMM[1].yyyy, TEMP[0].xxxx\nEND\n",
     want_atomics },
   { "atomics of shared memory",
     HEAD "USEQ TEMP[1].x, SV[0].xxxx, IMM[0].wwww\nUIF TEMP[1].xxxx\n"
          "  STORE MEMORY[0].x, IMM[1].wwww, IMM[0].wwww\nENDIF\nBARRIER\n"
          "ATOMUADD TEMP[1].x, MEMORY[0], IMM[1].wwww, SV[0].xxxx\nMEMBAR IMM[0].yyyy\nBARRIER\n"
          "LOAD TEMP[1].x, MEMORY[0], IMM[1].wwww\nSTORE BUFFER[0].x, TEMP[0].yyyy, TEMP[1].xxxx\nEND\n",
     want_shared_atomic },
   { "write masks of a store, under a condition",
     HEAD "AND TEMP[1].x, TEMP[0].xxxx, IMM[1].zzzz\nAND TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\n"
          "AND TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy\nUSHR TEMP[3].x, TEMP[0].xxxx, IMM[0].zzzz\n"
          "USHR TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\nSHL TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\n"
          "SHL TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\nUSEQ TEMP[4].x, TEMP[3].xxxx, TEMP[0].xxxx\n"
          "MOV TEMP[5].y, TEMP[0].xxxx\nUADD TEMP[5].w, TEMP[0].xxxx, SV[3].xxxx\n"
          "UIF TEMP[4].xxxx\n  STORE BUFFER[0].yw, TEMP[0].yyyy, TEMP[5]\nENDIF\nEND\n",
     want_masks },
   { "vectors through shared memory",
     HEAD "USHR TEMP[3].x, TEMP[0].xxxx, IMM[0].zzzz\nUSHR TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\n"
          "SHL TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\nSHL TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\n"
          "USEQ TEMP[4].x, TEMP[3].xxxx, TEMP[0].xxxx\nUMUL TEMP[2].x, SV[0].xxxx, IMM[0].xxxx\n"
          "UIF TEMP[4].xxxx\n  LOAD TEMP[1], BUFFER[0], TEMP[0].yyyy\n"
          "  STORE MEMORY[0], TEMP[2].xxxx, TEMP[1].wzyx\nENDIF\nBARRIER\n"
          "UIF TEMP[4].xxxx\n  LOAD TEMP[1], MEMORY[0], TEMP[2].xxxx\n"
          "  STORE BUFFER[0], TEMP[0].yyyy, TEMP[1]\nENDIF\nEND\n",
     want_vector },
   { "votes of a wave",
     HEAD "AND TEMP[1], TEMP[0].xxxx, IMM[2]\nVOTE_ANY TEMP[2].x, TEMP[1].xxxx\n"
          "VOTE_ALL TEMP[2].y, TEMP[1].yyyy\nVOTE_EQ TEMP[2].z, TEMP[1].zzzz\n"
          "AND TEMP[2].xyz, TEMP[2], IMM[3]\nOR TEMP[2].x, TEMP[2].xxxx, TEMP[2].yyyy\n"
          "OR TEMP[2].x, TEMP[2].xxxx, TEMP[2].zzzz\n"
          "STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[2].xxxx\nEND\n",
     want_votes },
};

int
main(int argc, char **argv)
{
   make_large_group();
   return compute_main(programs, ARRAY_SIZE(programs), argc, argv);
}
