/* SPDX-License-Identifier: MIT */
/* Branches that are longer than their instruction reaches: a loop around an arm
 * of more than 32,768 dwords, both ways. Odd threads go through the arm. */
#include <stdio.h>
#include <stdlib.h>

#include "tgsiamd/compiler.h"
#include "compute_harness.h"

#define STEPS 12000

static bool
want_far(uint32_t *w)
{
   for (uint32_t i = 0; i < THREADS * GROUPS; i++) {
      uint32_t x = i % THREADS, v = x, turn = x & 1;
      do {
         for (unsigned k = 0; turn && k < STEPS; k++)
            v = v * (4 * x) + x;
         v += turn != 0;
      } while (++turn < 2);
      w[i] = v;
   }
   return true;
}

static char *
far_program(void)
{
   char *text;
   size_t size;
   FILE *f = open_memstream(&text, &size);

   fprintf(f, "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH %u\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
              "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL TEMP[0..3]\nIMM[0] UINT32 {4, 1, %u, 2}\n"
              "UMUL TEMP[0].y, SV[0].xxxx, IMM[0].xxxx\nMOV TEMP[1].x, SV[0].xxxx\nAND TEMP[2].x, SV[0].xxxx, IMM[0].yyyy\n"
              "BGNLOOP\n  UIF TEMP[2].xxxx\n", THREADS, 4 * THREADS);
   for (unsigned i = 0; i < STEPS; i++)
      fprintf(f, "UMAD TEMP[1].x, TEMP[1].xxxx, TEMP[0].yyyy, SV[0].xxxx\n");
   fprintf(f, "    UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n  ENDIF\n  UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\n"
              "  USGE TEMP[3].x, TEMP[2].xxxx, IMM[0].wwww\n  UIF TEMP[3].xxxx\n    BRK\n  ENDIF\nENDLOOP\n"
              "UMAD TEMP[0].y, SV[1].xxxx, IMM[0].zzzz, TEMP[0].yyyy\nSTORE BUFFER[0].x, TEMP[0].yyyy, TEMP[1].xxxx\nEND\n");
   fclose(f);
   return text;
}

int
main(void)
{
   struct compute_program program = { "far branches", far_program(), want_far };
   static const uint32_t options[] = { 0, TGSIAMD_COMPILE_NO_OPT, TGSIAMD_COMPILE_SHORT_BRANCHES };
   unsigned bad = 0;

   for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++)
      bad += !compute_check_one(&program, options[i]);
   printf("1 program, %u wrong\n", bad);
   return bad != 0;
}
