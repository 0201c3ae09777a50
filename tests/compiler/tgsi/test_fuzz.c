/* SPDX-License-Identifier: MIT */
/* Token streams that nobody would write: random ones, good ones with a few bits
 * changed, and the tokens of texts with other numbers, lines and opcodes, for random
 * states of the pipeline. Each gives a program or an error, never a crash; what is a
 * program is valid IR, and compiles or is refused. Built again with the sanitizers.
 * Usage: test_fuzz [seed [count]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../args.h"
#include "pipe/p_shader_tokens.h"
#include "tgsi/tgsi_text.h"
#include "util/macros.h"
#include "ir/ir.h"
#include "tgsi_locate.h"

#define MAX_TOKENS 4096

static const char *const seeds[] = {
   "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0][0..7]\n"
   "DCL TEMP[0..3]\nDCL TEMP[4..7], ARRAY(1), LOCAL\nDCL ADDR[0]\nDCL SV[0], VERTEXID\n"
   "IMM[0] FLT32 {0.0, 1.0, 2.0, -0.5}\n"
   "ARL ADDR[0].x, IN[0].xxxx\nMAD TEMP[0], IN[0], CONST[0][ADDR[0].x+1], IN[1]\n"
   "MOV TEMP[ADDR[0].x+4](1), TEMP[0].wzyx\nBGNLOOP\nIF TEMP[0].xxxx\nBRK\nELSE\nCONT\nENDIF\n"
   "ENDLOOP\nSWITCH SV[0].xxxx\nCASE IMM[0].xxxx\nBRK\nDEFAULT\nENDSWITCH\n"
   "DP4 OUT[0].x, TEMP[4], |IN[2]|\nADD TEMP[1], IMM[ADDR[0].x+1], SV[ADDR[0].x].xxxx\nI64MAX TEMP[2], -TEMP[1], |TEMP[0]|\nUDIV OUT[1], -TEMP[ADDR[0].x+4](1), SV[0].xxxx\nEND\n",
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
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1024\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
   "DCL SV[0], THREAD_ID\nDCL BUFFER[0..3]\nDCL MEMORY[0], SHARED\nDCL IMAGE[0..1], 2D, PIPE_FORMAT_R32_UINT, WR\n"
   "DCL CONST[0][0..7]\nDCL TEMP[0..3]\nDCL TEMP[4..43], ARRAY(1), LOCAL\nDCL ADDR[0]\nIMM[0] UINT32 {8, 4, 0, 1}\n"
   "UARL ADDR[0].x, SV[0].xxxx\nMOV TEMP[ADDR[0].x+4](1), SV[0]\nATOMUADD TEMP[0].x, MEMORY[0], IMM[0].xxxx, SV[0].xxxx\nBARRIER\n"
   "LOAD TEMP[1], BUFFER[ADDR[0].x], IMM[0].yyyy\nATOMCAS TEMP[2].x, IMAGE[1], SV[0], IMM[0].xxxx, TEMP[1].xxxx, 2D, PIPE_FORMAT_R32_UINT\n"
   "U64DIV TEMP[3], TEMP[1], TEMP[ADDR[0].x+5](1)\nDSQRT TEMP[3].xy, TEMP[3]\nCAL :12\nSTORE IMAGE[0], SV[0], TEMP[3], 2D, PIPE_FORMAT_R32_UINT\n"
   "STORE BUFFER[1], TEMP[2].xxxx, TEMP[3]\nEND\nBGNSUB\nUIF TEMP[0].xxxx\nRET\nENDIF\nVOTE_ANY TEMP[1].x, TEMP[0].xxxx\nRET\nENDSUB\n",
};

/* Behind the first seed. */
static const char gs_text[] =
   "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
   "PROPERTY GS_MAX_OUTPUT_VERTICES 6\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0][0..3]\nDCL TEMP[0..1]\nDCL ADDR[0]\nIMM[0] INT32 {0, 1, 3, 2}\n"
   "MOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[1].xxxx\nBRK\nENDIF\nUARL ADDR[0].x, TEMP[0].xxxx\n"
   "ADD OUT[0], IN[ADDR[0].x][0], CONST[0][0]\nMOV OUT[1], IN[ADDR[0].x][1]\nEMIT IMM[0].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "ENDLOOP\nENDPRIM IMM[0].xxxx\nEND\n";

static uint64_t rng;

static uint32_t
rnd(uint32_t n)
{
   rng ^= rng << 13;
   rng ^= rng >> 7;
   rng ^= rng << 17;
   return (rng >> 16) % n;
}

/* What a driver could ask for. */
static void
random_key(struct tgsiamd_key *key)
{
   memset(key, 0, sizeof(*key));
   if (rnd(2))
      return;
   for (unsigned i = 0; i < TGSIAMD_MAX_VERTEX_ELEMENTS; i++) {
      key->vs.divisor[i] = rnd(4) ? 0 : rnd(5);
      key->vs.fix_alpha[i] = rnd(4) ? 0 : rnd(6);
   }
   key->vs.kill_outputs[0] = rnd(2) ? rnd(~0u) : 0;
   key->vs.clip_distances = rnd(256);
   key->vs.export_prim_id = rnd(2);
   key->vs.no_base_vertex = rnd(2);
   key->vs.gs_turned = rnd(2);
   for (unsigned i = 0; i < 8; i++)
      key->ps.col_format |= rnd(10) << (4 * i);
   key->ps.color_is_int8 = rnd(256);
   key->ps.color_is_int10 = rnd(256);
   key->ps.write_all_cbufs = rnd(9);
   key->ps.alpha_to_one = rnd(2);
   key->ps.clamp_color = rnd(2);
   key->ps.sample_shading = rnd(2);
   key->ps.flatshade = rnd(2);
   key->ps.fbfetch = rnd(4);
   key->cs.private_bytes = rnd(3) * 64;
}

/* Ends the test on what must not be; frees. */
static void
judge(struct tgsiamd_shader_binary *bin, unsigned n)
{
   if (bin->error && strstr(bin->error, "internal")) {
      printf("stream %u: %s\n", n, bin->error);
      exit(1);
   }
   tgsiamd_shader_binary_free(bin);
}

/* Compiles and checks. True when it gave a program. */
static bool
run_one(const struct tgsi_token *tokens, unsigned n)
{
   static const uint32_t options[] = {
      0, 0, 0, TGSIAMD_COMPILE_NO_OPT, TGSIAMD_COMPILE_SPILL_ALL, TGSIAMD_COMPILE_WAIT_ALL, TGSIAMD_COMPILE_SHORT_BRANCHES,
   };
   struct tgsiamd_key key;
   char why[256];

   random_key(&key);
   struct ir_shader *sh = tgsi_to_ir(TGSIAMD_GFX9, tokens, &key, 0);
   bool ok = !sh->error;
   if (ok && !ir_validate(sh, why, sizeof(why))) {
      printf("stream %u: invalid IR: %s\n", n, why);
      exit(1);
   }
   ir_shader_destroy(sh);
   /* A program may be more than the compiler can do, but not more than it can bear. */
   if (ok) {
      judge(tgsiamd_compile(TGSIAMD_GFX9, tokens, &key,
                            TGSIAMD_COMPILE_VALIDATE | options[rnd(ARRAY_SIZE(options))]), n);
   }
   return ok;
}

static void
run_gs(const struct tgsi_token *vs, const struct tgsi_token *gs, unsigned n)
{
   struct tgsiamd_shader_binary *out[2];
   struct tgsiamd_key key;

   random_key(&key);
   if (tgsiamd_compile_gs(TGSIAMD_GFX9, vs, gs, &key, TGSIAMD_COMPILE_VALIDATE, out)) {
      judge(out[0], n);
      judge(out[1], n);
   }
}

/* Bits and length of a good stream, or anything behind its header. */
static void
mutate_tokens(const struct tgsi_token *good, struct tgsi_token *bad)
{
   uint32_t *words = (uint32_t *)bad;
   struct tgsi_header h;

   memcpy(bad, good, MAX_TOKENS * sizeof(*bad));
   memcpy(&h, bad, 4);
   const unsigned total = h.HeaderSize + h.BodySize;
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
}

/* One line of the text twice, nowhere, or elsewhere; or other digits or
 * another character in it. */
static void
mutate_text(const char *text, char *out)
{
   char *lines[128], *copy = strdup(text), *save;
   unsigned num = 0;

   for (char *p = strtok_r(copy, "\n", &save); p && num < 127; p = strtok_r(NULL, "\n", &save))
      lines[num++] = p;
   for (unsigned k = 1 + rnd(3); k; k--) {
      const unsigned i = 1 + rnd(num - 1), j = 1 + rnd(num - 1);
      char *line = lines[i];
      switch (rnd(5)) {
      case 0:
         lines[i] = lines[j];
         break;
      case 1:
         lines[i] = lines[j];
         lines[j] = line;
         break;
      case 2:
         memmove(&lines[i], &lines[i + 1], (num - i - 1) * sizeof(lines[0]));
         num -= num > 4;
         break;
      case 3:
         if (line[0])
            line[rnd(strlen(line))] = ' ' + rnd(95);
         break;
      default:
         for (char *p = line; *p; p++) {
            if (*p >= '0' && *p <= '9' && rnd(4) == 0)
               *p = '0' + rnd(10);
         }
         break;
      }
   }
   for (unsigned i = 0; i < num; i++) {
      out = stpcpy(out, lines[i]);
      *out++ = '\n';
   }
   *out = 0;
   free(copy);
}

/* Whether it makes sense to hand the text to Mesa's parser, which takes ranges of any length. */
static bool
parser_bears(const char *text)
{
   char why[100];
   for (const char *p = text; (p = strstr(p, "..")); p += 2) {
      if (atoi(p + 2) > 2000)
         return false;
   }
   return !tgsi_locate_index(text, why, sizeof(why));
}

int
main(int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 2, "[SEED [COUNT]]\n\n"
      "Hands the compiler COUNT mutants (6000) of each of its programs. SEED (1) is any number.");
   struct tgsi_token *good = calloc(MAX_TOKENS, sizeof(*good)), *bad = calloc(MAX_TOKENS, sizeof(*bad));
   struct tgsi_token *vs = calloc(MAX_TOKENS, sizeof(*vs)), *gs = calloc(MAX_TOKENS, sizeof(*gs));
   unsigned count = args_number(&args, 2, 6000), programs = 0, texts = 0;
   static char text[16384];

   rng = 0x9e3779b97f4a7c15ull + args_number(&args, 1, 1);
   if (!rng)
      rng = 1; /* from 0 it does not move */
   tgsi_fill_names();
   if (!tgsi_text_translate(seeds[0], vs, MAX_TOKENS) || !tgsi_text_translate(gs_text, gs, MAX_TOKENS)) {
      printf("the geometry shader does not parse\n");
      return 1;
   }
   for (unsigned s = 0; s < ARRAY_SIZE(seeds); s++) {
      if (!tgsi_text_translate(seeds[s], good, MAX_TOKENS)) {
         printf("seed %u does not parse\n", s);
         return 1;
      }
      for (unsigned i = 0; i < count; i++) {
         mutate_tokens(good, bad);
         programs += run_one(bad, i);
         mutate_text(seeds[s], text);
         if (i % 4 == 0 && parser_bears(text) && tgsi_text_translate(text, bad, MAX_TOKENS)) {
            texts++;
            programs += run_one(bad, i);
         }
      }
   }
   for (unsigned i = 0; i < count / 4; i++) {
      mutate_tokens(rnd(4) ? gs : vs, bad);
      run_gs(vs, bad, i);
      run_gs(bad, gs, i);
   }
   printf("%zu streams, %u texts, %u of them programs\n", ARRAY_SIZE(seeds) * count, texts, programs);
   free(good);
   free(bad);
   free(vs);
   free(gs);
   return 0;
}
