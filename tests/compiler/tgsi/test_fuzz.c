/* SPDX-License-Identifier: MIT */
/* Token streams that nobody would write: random ones, and good ones with a few
 * bits changed. Each gives a program or an error, never a crash; what is a
 * program is valid IR, and compiles or is refused. Usage: test_fuzz [seed [count]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipe/p_shader_tokens.h"
#include "tgsi/tgsi_text.h"
#include "util/macros.h"
#include "ir/ir.h"

#define MAX_TOKENS 4096

static const char *const seeds[] = {
   "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0][0..7]\n"
   "DCL TEMP[0..3]\nDCL TEMP[4..7], ARRAY(1), LOCAL\nDCL ADDR[0]\nDCL SV[0], VERTEXID\n"
   "IMM[0] FLT32 {0.0, 1.0, 2.0, -0.5}\n"
   "ARL ADDR[0].x, IN[0].xxxx\nMAD TEMP[0], IN[0], CONST[0][ADDR[0].x+1], IN[1]\n"
   "MOV TEMP[ADDR[0].x+4](1), TEMP[0].wzyx\nBGNLOOP\nIF TEMP[0].xxxx\nBRK\nELSE\nCONT\nENDIF\n"
   "ENDLOOP\nSWITCH SV[0].xxxx\nCASE IMM[0].xxxx\nBRK\nDEFAULT\nENDSWITCH\n"
   "DP4 OUT[0].x, TEMP[4], |IN[2]|\nUDIV OUT[1], -TEMP[ADDR[0].x+4](1), SV[0].xxxx\nEND\n",
   "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\n"
   "DCL IN[1], COLOR, COLOR\nDCL IN[2], POSITION, LINEAR\nDCL IN[3], FACE, CONSTANT\n"
   "DCL OUT[0], COLOR\nDCL OUT[1], POSITION\nDCL SAMP[0..1]\nDCL SVIEW[0..1], 2D, FLOAT\n"
   "DCL CONST[0..3]\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] INT32 {0, 1, 2, 3}\n"
   "TEX TEMP[0], IN[0], SAMP[0], 2D\nTXB TEMP[1], IN[0], SAMP[1], CUBE\n"
   "TXL TEMP[1], IN[0], SAMP[1], 1D, IMM[0].xyz\nTXD TEMP[2], IN[0], IN[0], IN[0], SAMP[0], 3D\n"
   "TXF TEMP[2], IMM[0], SAMP[0], 2D_ARRAY\nTG4 TEMP[3], IN[0], IMM[0].xxxx, SAMP[0], 2D\n"
   "TXQ TEMP[1], IMM[0].xxxx, SAMP[0], 2D\nKILL_IF TEMP[0].xyzw\nDDX TEMP[1], IN[0]\n"
   "UIF IN[3].xxxx\nKILL\nENDIF\nLIT TEMP[1], TEMP[1]\nMOV_SAT OUT[0], TEMP[1]\n"
   "MOV OUT[1].z, IN[2].zzzz\nEND\n",
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 8\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
   "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL TEMP[0..1]\nIMM[0] UINT32 {8, 4, 0, 0}\n"
   "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\nUMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n",
};

static uint64_t rng;

static uint32_t
rnd(uint32_t n)
{
   rng ^= rng << 13;
   rng ^= rng >> 7;
   rng ^= rng << 17;
   return (rng >> 16) % n;
}

/* Compiles and checks. True when it gave a program. */
static bool
run_one(const struct tgsi_token *tokens, unsigned n)
{
   struct tgsiamd_key key;
   char why[256];

   memset(&key, 0, sizeof(key));
   struct ir_shader *sh = tgsi_to_ir(TGSIAMD_GFX9, tokens, &key, 0);
   bool ok = !sh->error;
   if (ok && !ir_validate(sh, why, sizeof(why))) {
      printf("stream %u: invalid IR: %s\n", n, why);
      exit(1);
   }
   ir_shader_destroy(sh);
   if (!ok)
      return false;
   /* A program may be more than the compiler can do, but not more than it can bear. */
   struct tgsiamd_shader_binary *bin =
      tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, TGSIAMD_COMPILE_VALIDATE);
   if (bin->error && strstr(bin->error, "internal")) {
      printf("stream %u: %s\n", n, bin->error);
      exit(1);
   }
   tgsiamd_shader_binary_free(bin);
   return true;
}

int
main(int argc, char **argv)
{
   struct tgsi_token *good = calloc(MAX_TOKENS, sizeof(*good));
   struct tgsi_token *bad = calloc(MAX_TOKENS, sizeof(*bad));
   unsigned count = argc > 2 ? atoi(argv[2]) : 6000, programs = 0;

   rng = 0x9e3779b97f4a7c15ull + (argc > 1 ? strtoull(argv[1], NULL, 0) : 1);
   for (unsigned s = 0; s < ARRAY_SIZE(seeds); s++) {
      if (!tgsi_text_translate(seeds[s], good, MAX_TOKENS)) {
         printf("seed %u does not parse\n", s);
         return 1;
      }
      for (unsigned i = 0; i < count; i++) {
         struct tgsi_header h;
         memcpy(bad, good, MAX_TOKENS * sizeof(*bad));
         memcpy(&h, bad, 4);
         const unsigned total = h.HeaderSize + h.BodySize;
         uint32_t *words = (uint32_t *)bad;
         switch (rnd(4)) {
         case 0: /* random words behind the header */
            for (unsigned w = 2; w < total; w++)
               words[w] = rnd(~0u);
            break;
         case 1: /* a shorter stream */
            h.BodySize = rnd(h.BodySize + 1);
            memcpy(bad, &h, 4);
            break;
         default:
            for (unsigned k = 1 + rnd(4); k; k--)
               words[1 + rnd(total - 1)] ^= 1u << rnd(32);
            break;
         }
         programs += run_one(bad, i);
      }
   }
   printf("%zu streams, %u of them programs\n", ARRAY_SIZE(seeds) * count, programs);
   free(good);
   free(bad);
   return 0;
}
