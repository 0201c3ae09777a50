/* SPDX-License-Identifier: MIT */
/* Compute programs on the model's sequencer: shared memory, barriers, shader
 * buffers and their atomics. Two waves a group, two groups; what must come out
 * is computed here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgfxregs.h"
#include "pipe/p_shader_tokens.h"
#include "tgsi/tgsi_text.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "sq/sq.h"
#include "tgsiamd/compiler.h"
#include "tgsiamd/model.h"
#include "util/macros.h"
#include "vm/vm_internal.h"

#define BASE_VA    0x100000000ull
#define SIZE       0x40000u
#define BUFFERS_AT 0x20000u
#define DATA_AT    0x21000u
#define THREADS    128u /* a group */
#define GROUPS     2u
#define LDS_BYTES  1024u

#define HEAD                                                                                      \
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"                  \
   "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"                 \
   "DCL SV[2], BLOCK_SIZE\nDCL SV[3], GRID_SIZE\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\n"          \
   "DCL TEMP[0..5]\nIMM[0] UINT32 {4, 127, 1, 0}\nIMM[1] UINT32 {2048, 2052, 7, 16}\n"            \
   "IMM[2] UINT32 {32, 64, 128, 0}\nIMM[3] UINT32 {1, 2, 4, 0}\n"                                     \
   "UMAD TEMP[0].x, SV[1].xxxx, SV[2].xxxx, SV[0].xxxx\n"                                         \
   "UMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n"

/* Words 0..255 are one a thread; words from 512 on are for all. */
static uint32_t initial(uint32_t i) { return i * 2654435761u + 12345; }

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

static const struct {
   const char *name, *text;
   bool (*want)(uint32_t *words); /* words start as initial() */
} programs[] = {
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

static uint8_t *mem;
static struct tgsiamd_model_vm *vm;
static struct model_report *report;
static struct sq *sq;
static char line[200];

static void
on_line(void *ctx, const char *text)
{
   if (!line[0])
      snprintf(line, sizeof(line), "%s", text);
}

static void
on_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr, bool done, bool vm,
          uint64_t exec, const uint32_t *const src[4])
{
}

static void
set_up(void)
{
   static struct model_options options;

   mem = aligned_alloc(4096, SIZE);
   memset(mem, 0, SIZE);
   report = report_create(&options);
   report_on_line(report, on_line, NULL);
   vm = vm_create(report);
   vm_map(vm, BASE_VA, SIZE, mem,
          TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE | TGSIAMD_MODEL_EXEC, 0);
   sq = sq_create();
}

static void
start_wave(struct sq_wave_init *w, const struct tgsiamd_shader_info *info, unsigned group,
           unsigned wave)
{
   const uint64_t list = BASE_VA + BUFFERS_AT;

   memset(w, 0, sizeof(*w));
   w->stage = SQ_CS;
   w->pc = BASE_VA;
   w->rsrc1 = S_00B848_VGPRS((info->num_vgprs - 1) / 4) |
              S_00B848_SGPRS((info->num_sgprs - 1) / 16 * 2 + 1) |
              S_00B848_FLOAT_MODE(info->float_mode) | S_00B848_DX10_CLAMP(info->dx10_clamp);
   w->num_sgprs = info->num_user_sgprs + 3;
   w->sgpr[TGSIAMD_SGPR_BUFFERS] = (uint32_t)list;
   w->sgpr[TGSIAMD_SGPR_BUFFERS + 1] = list >> 32;
   w->sgpr[TGSIAMD_SGPR_CS_GRID_SIZE] = GROUPS;
   w->sgpr[TGSIAMD_SGPR_CS_GRID_SIZE + 1] = w->sgpr[TGSIAMD_SGPR_CS_GRID_SIZE + 2] = 1;
   w->sgpr[info->num_user_sgprs] = group;
   w->num_vgprs = 1;
   for (unsigned l = 0; l < 64; l++)
      w->vgpr[0][l] = wave * 64 + l;
   w->exec = ~0ull;
}

static bool
run(const struct tgsiamd_shader_binary *bin)
{
   static struct sq_wave_init waves[THREADS / 64];
   static struct model_stats stats;
   const struct model_env env = {
      .vm = vm, .report = report, .stats = &stats, .chip = tgsiamd_chip_by_name("raven"),
   };
   const struct sq_sink sink = { .export = on_export };
   const uint64_t va = BASE_VA + DATA_AT;
   const uint32_t desc[4] = {
      (uint32_t)va, S_008F04_BASE_ADDRESS_HI(va >> 32), 0x1000,
      S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) | S_008F0C_DST_SEL_Y(V_008F0C_SQ_SEL_Y) |
         S_008F0C_DST_SEL_Z(V_008F0C_SQ_SEL_Z) | S_008F0C_DST_SEL_W(V_008F0C_SQ_SEL_W) |
         S_008F0C_NUM_FORMAT(V_008F0C_BUF_NUM_FORMAT_FLOAT) |
         S_008F0C_DATA_FORMAT(V_008F0C_BUF_DATA_FORMAT_32),
   };

   memcpy(mem, bin->code, bin->code_dwords * 4);
   memcpy(mem + BUFFERS_AT + TGSIAMD_SHADER_BUFFER_OFFSET(0), desc, sizeof(desc));
   for (uint32_t i = 0; i < 1024; i++)
      ((uint32_t *)(mem + DATA_AT))[i] = initial(i);
   line[0] = 0;
   report_begin(report);
   vm_begin_submission(vm, NULL, 0);
   sq_invalidate(sq);
   for (unsigned g = 0; g < GROUPS; g++) {
      for (unsigned w = 0; w < THREADS / 64; w++)
         start_wave(&waves[w], &bin->info, g, w);
      sq_run(sq, &env, waves, THREADS / 64, LDS_BYTES, &sink);
   }
   return !line[0] && !model_failed(report);
}

static bool
check(unsigned p, uint32_t options)
{
   static struct tgsi_token tokens[4096];
   static uint32_t want[1024];
   struct tgsiamd_key key;
   bool ok = true;

   memset(&key, 0, sizeof(key));
   if (!tgsi_text_translate(programs[p].text, tokens, ARRAY_SIZE(tokens))) {
      printf("%s: does not parse\n", programs[p].name);
      return false;
   }
   struct tgsiamd_shader_binary *bin = tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, options);
   if (bin->error || !run(bin)) {
      printf("%s: %s\n", programs[p].name, bin->error ? bin->error : line);
      tgsiamd_shader_binary_free(bin);
      return false;
   }
   tgsiamd_shader_binary_free(bin);
   for (uint32_t i = 0; i < 1024; i++)
      want[i] = initial(i);
   programs[p].want(want);
   for (uint32_t i = 0; i < 1024 && ok; i++) {
      uint32_t got = ((uint32_t *)(mem + DATA_AT))[i];
      if (got != want[i]) {
         printf("%s: word %u: want 0x%08x, got 0x%08x\n", programs[p].name, i, want[i], got);
         ok = false;
      }
   }
   return ok;
}

int
main(void)
{
   unsigned bad = 0;

   set_up();
   for (unsigned p = 0; p < ARRAY_SIZE(programs); p++) {
      bad += !check(p, TGSIAMD_COMPILE_VALIDATE);
      bad += !check(p, TGSIAMD_COMPILE_VALIDATE | TGSIAMD_COMPILE_NO_OPT);
   }
   printf("%zu programs, %u wrong\n", ARRAY_SIZE(programs), bad);
   return bad != 0;
}
