/* SPDX-License-Identifier: MIT */
/* Programs that cannot be: the error names instruction and reason. */
#include <stdio.h>
#include <string.h>

#include "pipe/p_shader_tokens.h"
#include "tgsiamd/compiler.h"
#include "util/macros.h"
#include "translate_text.h"

#define PS "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL TEMP[0..3]\nDCL CONST[0][0..3]\nDCL CONST[1][0..3]\n" \
   "DCL SAMP[0]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"
#define CS "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n" \
   "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL MEMORY[0], PRIVATE\nDCL MEMORY[1], INPUT\nDCL TEMP[0..3]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n"

static const struct { const char *text, *want; } programs[] = {
   { PS "CAL :2\nEND\nBGNSUB\nCAL :2\nENDSUB\n", "calls are nested deeper" },
   { PS "CAL :1\nEND\n", "CAL: the label is no subroutine" },
   { "FRAG\nDCL OUT[0], COLOR[8]\nDCL TEMP[0]\nFBFETCH TEMP[0], OUT[0]\nEND\n", "colour buffer 8 is beyond the limit of 8" },
   { PS "FBFETCH TEMP[0], IN[0]\nEND\n", "FBFETCH: the source is no colour output" },
   { PS "SAMP2HND TEMP[0].xy, SAMP[0], 2D_MSAA\nEND\n", "SAMP2HND: the unit of a multisample texture" },
   { PS "TEX TEMP[0], IN[0], OUT[0], 2D\nEND\n", "TEX: operand of file OUT" },
   { PS "INTERP_SAMPLE TEMP[0], TEMP[0], IMM[0].xxxx\nEND\n", "INTERP_SAMPLE: the source is no plain input" },
   { PS "MOV TEMP[9], IN[0]\nEND\n", "TEMP[9]" },
   { PS "BRK\nEND\n", "BRK" }, { PS "BGNLOOP\nEND\n", "still open" }, { PS "ENDIF\nEND\n", "ENDIF" },
   { PS "MOV OUT[0], IN[0]\n", "no END" },
   { CS "LOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\nEND\n", "LOAD: the program was given no private memory" },
   { CS "STORE MEMORY[1].x, IMM[0].xxxx, IMM[0].xxxx\nEND\n", "STORE: the kernel's arguments cannot be written" },
   { CS "LOAD TEMP[0].x, MEMORY[3], IMM[0].xxxx\nEND\n", "MEMORY[3] is not declared" },
   { CS "LOAD TEMP[0].x, HWATOMIC[40][0], IMM[0].xxxx\nEND\n", "LOAD: buffer 40 of counters is beyond the limit of 32" },
   { CS "DCL HWATOMIC[32][0]\nEND\n", "buffer 32 of counters is beyond the limit of 32" },
   { CS "STORE HWATOMIC[0][0].x, IMM[0].xxxx, IMM[0].xxxx\nEND\n", "STORE: memory of file HWATOMIC is not supported" },
   { CS "RESQ TEMP[0].x, HWATOMIC[0][0]\nEND\n", "RESQ: memory of file HWATOMIC has no size" },
   { CS "LOAD TEMP[0].x, BUFFER[40], IMM[0].xxxx\nEND\n", "buffer 40 is beyond the limit" },
   { CS "DDX TEMP[0], TEMP[1]\nEND\n", "DDX: only pixel shaders" }, { CS "KILL\nEND\n", "KILL: only pixel shaders" },
   { "VERT\nDCL OUT[0], POSITION\nDCL TEMP[0]\nBARRIER\nEND\n", "BARRIER: only in compute programs" },
   { PS "CAL :2\nEND\nBGNSUB\nCAL :5\nENDSUB\nBGNSUB\nCAL :2\nENDSUB\n", "CAL: calls are nested deeper" },
   { PS "DCL OUT[2], GENERIC[300]\nMOV OUT[2], IN[0]\nEND\n", "OUT[2] has semantic 5, index 300" },
   { PS "DCL OUT[2], COLOR[9]\nMOV OUT[2], IN[0]\nEND\n", "OUT[2]: colour buffer 9" },
   { PS "DCL CONST[31][0..3]\nMOV OUT[0], CONST[31][0]\nEND\n", "constant buffer 31 is beyond the limit" },
   { PS "DCL SAMP[32]\nTEX OUT[0], IN[0], SAMP[32], 2D\nEND\n", "texture unit 32 is beyond the limit" },
   { PS "DCL IN[90], GENERIC[1], LINEAR\nMOV OUT[0], IN[90]\nEND\n", "IN[90]" },
   { "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1024\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\nEND\n",
     "1024 x 2 x 1 invocations: at most 1024" },
   { "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 65536\nPROPERTY CS_FIXED_BLOCK_HEIGHT 65536\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\nEND\n",
     "65536 x 65536 x 1 invocations" },
};

int
main(void)
{
   static struct tgsi_token tokens[4096];
   struct tgsiamd_key key;
   unsigned bad = 0;

   memset(&key, 0, sizeof(key));
   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
      if (!translate_text(programs[i].text, tokens, ARRAY_SIZE(tokens))) {
         printf("does not parse:\n%s", programs[i].text);
         bad++;
         continue;
      }
      struct tgsiamd_shader_binary *bin = tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, TGSIAMD_COMPILE_VALIDATE);
      if (!bin->error || !strstr(bin->error, programs[i].want)) {
         printf("want \"%s\", got \"%s\":\n%s", programs[i].want, bin->error ? bin->error : "(compiles)", programs[i].text);
         bad++;
      }
      tgsiamd_shader_binary_free(bin);
   }
   printf("%zu programs, %u wrong\n", ARRAY_SIZE(programs), bad);
   return bad != 0;
}
