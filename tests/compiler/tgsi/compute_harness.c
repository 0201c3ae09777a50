/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../args.h"
#include "amdgfxregs.h"
#include "pipe/p_shader_tokens.h"
#include "tgsiamd/compiler.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "compute_harness.h"
#include "machine.h"
#include "planted.h"
#include "translate_text.h"

#define CODE_AT     0x90000u /* behind all data */
#define CODE_BYTES  0x180000u
#define SIZE        (CODE_AT + CODE_BYTES)
#define BUFFERS_AT  0x20000u
#define DATA_AT     COMPUTE_GLOBAL_WORDS
#define TEXTURES_AT 0x22000u
#define IMAGES_AT   0x23000u
#define INTERNAL_AT 0x23800u
#define INPUT_AT    0x24000u
#define SAMPLES_AT  0x24400u
#define FB_SAMPLES_AT 0x24600u
#define CONSTS_AT   0x25000u
#define TEXELS_AT   0x26000u
#define TEXTURE_AT  0x30000u
#define SCRATCH_AT  0x40000u
#define MSAA_AT     0x80000u /* 64 kB, all the same value */
#define LDS_BYTES   2048u

uint32_t
compute_initial(uint32_t i)
{
   return i >= 514 && i < 520 ? 0 : i * 2654435761u + 12345;
}

uint32_t compute_const(unsigned buffer, uint32_t i) { return buffer * 1000 + i * 7 + 3; }
uint32_t compute_texel(unsigned unit, uint32_t i) { return unit * 4096 + i * 3 + 1; }
float compute_texel_2d(unsigned x, unsigned y, unsigned chan) { return 1.0f + x + 32 * y + 1024 * chan; }
uint32_t compute_input(uint32_t i) { return 0xa0000000u + i; }

float
compute_sample_pos(unsigned n, unsigned sample, unsigned axis)
{
   return (float)(n + 2 * sample + axis) / 64;
}

static struct machine machine;
static struct { uint32_t rsrc[8], samp[4]; } own_units[32];
static uint32_t own_fmasks[32][8];
static int own_image = -1;
static char complaint[300];

static void
on_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr, bool done, bool vm,
          uint64_t exec, const uint32_t *const src[4])
{
}

static void
set_up(void)
{
   machine_start(&machine, SIZE, 0, true, 1u << 16);
}

static void
put_word(uint32_t at, uint32_t i, uint32_t value)
{
   memcpy(machine.mem + at + i * 4, &value, 4);
}

uint8_t *
compute_own_memory(uint64_t *va)
{
   set_up();
   *va = MACHINE_OWN_VA;
   return machine_own(&machine, COMPUTE_OWN_BYTES, true);
}

void *
compute_addrlib(void)
{
   set_up();
   return machine.addrlib;
}

void
compute_own_unit(unsigned unit, const uint32_t rsrc[8], const uint32_t samp[4])
{
   memcpy(own_units[unit].rsrc, rsrc, 32);
   memcpy(own_units[unit].samp, samp, 16);
}

void
compute_own_fmask(unsigned unit, const uint32_t rsrc[8])
{
   memset(own_fmasks[unit], 0, 32);
   if (rsrc)
      memcpy(own_fmasks[unit], rsrc, 32);
}

void
compute_own_image(int unit)
{
   own_image = unit;
}

/* V# of one dword an element; stride 0 counts bytes. */
static void
write_buffer(uint32_t at, uint32_t target, uint32_t stride, uint32_t records, uint32_t nfmt)
{
   const uint64_t va = MACHINE_VA + target;
   const uint32_t desc[4] = {
      (uint32_t)va, S_008F04_BASE_ADDRESS_HI(va >> 32) | S_008F04_STRIDE(stride), records,
      S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) | S_008F0C_DST_SEL_Y(V_008F0C_SQ_SEL_0) |
         S_008F0C_DST_SEL_Z(V_008F0C_SQ_SEL_0) | S_008F0C_DST_SEL_W(V_008F0C_SQ_SEL_1) |
         S_008F0C_NUM_FORMAT(nfmt) | S_008F0C_DATA_FORMAT(V_008F0C_BUF_DATA_FORMAT_32),
   };
   memcpy(machine.mem + at, desc, sizeof(desc));
}

/* A linear 2D texture of four floats a texel. */
static void
write_texture(uint32_t at, uint32_t target, unsigned type, unsigned last_level, unsigned swizzle_mode)
{
   const uint64_t va = MACHINE_VA + target;
   const uint32_t sampler[4] = {
      S_008F30_DEPTH_COMPARE_FUNC(V_008F30_SQ_TEX_DEPTH_COMPARE_LESSEQUAL), S_008F34_MAX_LOD(0xfff),
   };
   const uint32_t desc[8] = {
      (uint32_t)(va >> 8),
      S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(V_008F14_IMG_DATA_FORMAT_32_32_32_32) |
         S_008F14_NUM_FORMAT(V_008F14_IMG_NUM_FORMAT_FLOAT),
      S_008F18_WIDTH(TEX_WIDTH - 1) | S_008F18_HEIGHT(TEX_HEIGHT - 1),
      S_008F1C_DST_SEL_X(V_008F1C_SQ_SEL_X) | S_008F1C_DST_SEL_Y(V_008F1C_SQ_SEL_Y) |
         S_008F1C_DST_SEL_Z(V_008F1C_SQ_SEL_Z) | S_008F1C_DST_SEL_W(V_008F1C_SQ_SEL_W) |
         S_008F1C_LAST_LEVEL(last_level) | S_008F1C_SW_MODE(swizzle_mode) | S_008F1C_TYPE(type),
      S_008F20_PITCH((swizzle_mode ? 32 : TEX_WIDTH) - 1), /* a block of 64 kB is 32 wide */
   };
   memcpy(machine.mem + at, desc, sizeof(desc));
   memcpy(machine.mem + at + 32, sampler, sizeof(sampler));
   for (unsigned y = 0; y < TEX_HEIGHT; y++) {
      for (unsigned x = 0; x < TEX_WIDTH; x++) {
         for (unsigned c = 0; c < 4; c++) {
            float f = compute_texel_2d(x, y, c);
            memcpy(machine.mem + TEXTURE_AT + ((y * TEX_WIDTH + x) * 4 + c) * 4, &f, 4);
         }
      }
   }
}

static void
write_samples(void)
{
   uint32_t i = 0, bits;
   float f;

   for (unsigned n = 1; n <= 16; n *= 2) {
      for (unsigned k = 0; k < 2 * n; k++, i++) {
         f = compute_sample_pos(n, k / 2, k & 1);
         memcpy(&bits, &f, 4);
         put_word(SAMPLES_AT, i, bits);
         if (n == COMPUTE_FB_SAMPLES)
            put_word(FB_SAMPLES_AT, k, bits);
      }
   }
   write_buffer(INTERNAL_AT + TGSIAMD_INTERNAL_SAMPLE_POS * 16, SAMPLES_AT, 0, i * 4, V_008F0C_BUF_NUM_FORMAT_UINT);
   write_buffer(INTERNAL_AT + TGSIAMD_INTERNAL_FB_SAMPLES * 16, FB_SAMPLES_AT, 0, COMPUTE_FB_SAMPLES * 8,
                V_008F0C_BUF_NUM_FORMAT_UINT);
}

static void
write_internal(void)
{
   uint32_t *scratch = (uint32_t *)(machine.mem + INTERNAL_AT + TGSIAMD_INTERNAL_SCRATCH * 16);

   write_buffer(INTERNAL_AT + TGSIAMD_INTERNAL_SCRATCH * 16, SCRATCH_AT, 0, MSAA_AT - SCRATCH_AT,
                V_008F0C_BUF_NUM_FORMAT_FLOAT);
   scratch[1] |= S_008F04_SWIZZLE_ENABLE_GFX6(1);
   scratch[3] |= S_008F0C_INDEX_STRIDE(3) | S_008F0C_ADD_TID_ENABLE(1);
   write_buffer(INTERNAL_AT + TGSIAMD_INTERNAL_CS_INPUT * 16, INPUT_AT, 0, 256, V_008F0C_BUF_NUM_FORMAT_UINT);
   write_buffer(INTERNAL_AT + TGSIAMD_INTERNAL_GLOBAL * 16, 0, 0, 0xffffffff, V_008F0C_BUF_NUM_FORMAT_UINT);
   for (uint32_t i = 0; i < 64; i++)
      put_word(INPUT_AT, i, compute_input(i));
   write_samples();
}

static void
write_memory(const struct tgsiamd_shader_binary *bin)
{
   if (bin->code_dwords * 4 > CODE_BYTES)
      abort();
   memset(machine.mem, 0, CODE_AT);
   memcpy(machine.mem + CODE_AT, bin->code, bin->code_dwords * 4);
   for (uint32_t i = 0; i < WORDS; i++)
      put_word(DATA_AT, i, compute_initial(i));
   for (unsigned n = 0; n < BUFFERS; n++) {
      const uint32_t consts = CONSTS_AT + n * CONST_WORDS * 4, texels = TEXELS_AT + n * TEXELS * 4;
      write_buffer(BUFFERS_AT + TGSIAMD_SHADER_BUFFER_OFFSET(n), DATA_AT + n * 1024, 0, WORDS * 4 - n * 1024,
                   V_008F0C_BUF_NUM_FORMAT_FLOAT);
      write_buffer(BUFFERS_AT + TGSIAMD_CONST_BUFFER_OFFSET(n), consts, 0, CONST_WORDS * 4,
                   V_008F0C_BUF_NUM_FORMAT_FLOAT);
      memcpy(machine.mem + BUFFERS_AT + TGSIAMD_HW_ATOMIC_BUFFER_OFFSET(n), machine.mem + BUFFERS_AT + TGSIAMD_SHADER_BUFFER_OFFSET(n), 16);
      for (uint32_t i = 0; i < CONST_WORDS; i++)
         put_word(consts, i, compute_const(n, i));
      if (n == 2) {
         write_texture(TEXTURES_AT + TGSIAMD_TEXTURE_OFFSET(n), TEXTURE_AT, V_008F1C_SQ_RSRC_IMG_2D, 0, 0);
      } else if (n == 3) {
         /* 64KB_D */
         write_texture(TEXTURES_AT + TGSIAMD_TEXTURE_OFFSET(n), MSAA_AT, V_008F1C_SQ_RSRC_IMG_2D_MSAA, 2, 10);
         for (uint32_t i = 0; i < 0x4000; i++)
            put_word(MSAA_AT, i, COMPUTE_MSAA_BITS);
      } else {
         write_buffer(TEXTURES_AT + TGSIAMD_BUFFER_TEXTURE_OFFSET(n), texels, 4, TEXELS,
                      V_008F0C_BUF_NUM_FORMAT_UINT);
      }
      for (uint32_t i = 0; i < TEXELS; i++)
         put_word(texels, i, compute_texel(n, i));
      if (n < 3) {
         write_buffer(IMAGES_AT + TGSIAMD_IMAGE_OFFSET(n) + 16, DATA_AT + (1 + n) * 1024, 4, 256,
                      V_008F0C_BUF_NUM_FORMAT_UINT);
      }
   }
   write_internal();
   for (unsigned u = COMPUTE_OWN_UNITS; machine.own && u < ARRAY_SIZE(own_units); u++) {
      memcpy(machine.mem + TEXTURES_AT + TGSIAMD_TEXTURE_OFFSET(u), own_units[u].rsrc, 32);
      memcpy(machine.mem + TEXTURES_AT + TGSIAMD_SAMPLER_OFFSET(u), own_units[u].samp, 16);
   }
   for (unsigned u = 0; u < ARRAY_SIZE(own_fmasks); u++)
      memcpy(machine.mem + TEXTURES_AT + TGSIAMD_FMASK_OFFSET(u), own_fmasks[u], 32);
   if (machine.own && own_image >= 0)
      memcpy(machine.mem + IMAGES_AT + TGSIAMD_IMAGE_OFFSET(COMPUTE_OWN_IMAGE), own_units[own_image].rsrc, 32);
   write_buffer(BUFFERS_AT + TGSIAMD_SHADER_BUFFER_OFFSET(COMPUTE_OWN_BUFFER), (uint32_t)(MACHINE_OWN_VA - MACHINE_VA), 0, 0x10000,
                V_008F0C_BUF_NUM_FORMAT_FLOAT);
}

static void
start_wave(struct sq_wave_init *w, const struct tgsiamd_shader_info *info, unsigned group, unsigned wave)
{
   static const struct { uint8_t sgpr; uint32_t at; } lists[] = {
      { TGSIAMD_SGPR_CS_BUFFERS, BUFFERS_AT }, { TGSIAMD_SGPR_CS_TEXTURES, TEXTURES_AT },
      { TGSIAMD_SGPR_CS_IMAGES, IMAGES_AT }, { TGSIAMD_SGPR_INTERNAL, INTERNAL_AT },
   };

   memset(w, 0, sizeof(*w));
   w->stage = SQ_CS;
   w->pc = MACHINE_VA + CODE_AT;
   w->rsrc1 = S_00B848_VGPRS((info->num_vgprs - 1) / 4) |
              S_00B848_SGPRS((info->num_sgprs - 1) / 16 * 2 + 1) |
              S_00B848_FLOAT_MODE(info->float_mode) | S_00B848_DX10_CLAMP(info->dx10_clamp);
   w->num_sgprs = info->num_user_sgprs + 3 + (info->scratch_bytes_per_wave != 0);
   for (unsigned i = 0; i < ARRAY_SIZE(lists); i++)
      machine_list(w, lists[i].sgpr, lists[i].at);
   w->sgpr[TGSIAMD_SGPR_CS_GRID_SIZE] = GROUPS;
   w->sgpr[TGSIAMD_SGPR_CS_GRID_SIZE + 1] = w->sgpr[TGSIAMD_SGPR_CS_GRID_SIZE + 2] = 1;
   w->sgpr[info->num_user_sgprs] = group;
   w->sgpr[info->num_user_sgprs + 3] = wave * info->scratch_bytes_per_wave;
   w->num_vgprs = 1;
   for (unsigned l = 0; l < 64; l++)
      w->vgpr[0][l] = wave * 64 + l;
   w->exec = ~0ull;
}

static bool
run(const struct tgsiamd_shader_binary *bin)
{
   static struct sq_wave_init waves[THREADS / 64];
   const struct sq_sink sink = { .export = on_export };
   bool ok = true;

   write_memory(bin);
   machine_begin(&machine);
   for (unsigned g = 0; g < GROUPS; g++) {
      for (unsigned w = 0; w < THREADS / 64; w++)
         start_wave(&waves[w], &bin->info, g, w);
      ok &= machine_run(&machine, waves, THREADS / 64, LDS_BYTES, &sink);
   }
   return ok;
}

void (*compute_patch)(uint32_t *code, unsigned num);
const char *compute_complaint(void) { return complaint; }

static void __attribute__((format(printf, 1, 2)))
complain(const char *fmt, ...)
{
   va_list args;

   va_start(args, fmt);
   vsnprintf(complaint, sizeof(complaint), fmt, args);
   va_end(args);
   if (!compute_patch)
      fputs(complaint, stdout);
}

/* All waves of a group are on the four SIMDs of a CU at once. */
static bool
group_fits(const struct tgsiamd_shader_info *info)
{
   const unsigned lanes = info->block_size[0] * info->block_size[1] * info->block_size[2];
   return DIV_ROUND_UP(DIV_ROUND_UP(lanes, 64), 4) * align(info->num_vgprs, 4) <= 256;
}

bool
compute_check_one(const struct compute_program *p, uint32_t options)
{
   static struct tgsi_token tokens[131072];
   static uint32_t want[WORDS];
   struct tgsiamd_key key;
   bool ok = true;

   set_up();
   complaint[0] = 0;
   memset(&key, 0, sizeof(key));
   key.cs.private_bytes = p->private_bytes;
   if (!translate_text(p->text, tokens, ARRAY_SIZE(tokens))) {
      printf("%s: does not parse\n", p->name);
      return false;
   }
   struct tgsiamd_shader_binary *bin = tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, options);
   if (!bin->error && compute_patch)
      compute_patch(bin->code, bin->code_dwords);
   if (!bin->error && !group_fits(&bin->info)) {
      complain("%s: %u VGPRs are too many for a group\n", p->name, bin->info.num_vgprs);
      tgsiamd_shader_binary_free(bin);
      return false;
   }
   if (bin->error || !run(bin)) {
      complain("%s: %s\n", p->name, bin->error ? bin->error : machine.line[0] ? machine.line : "a violation, or the wave failed");
      tgsiamd_shader_binary_free(bin);
      return false;
   }
   tgsiamd_shader_binary_free(bin);
   for (uint32_t i = 0; i < WORDS; i++)
      want[i] = compute_initial(i);
   p->want(want);
   for (uint32_t i = 0; i < WORDS && ok; i++) {
      uint32_t got = ((uint32_t *)(machine.mem + DATA_AT))[i];
      if (got != want[i]) {
         complain("%s: word %u: want 0x%08x, got 0x%08x\n", p->name, i, want[i], got);
         ok = false;
      }
   }
   if (ok)
      log_opcodes(tokens);
   return ok;
}

unsigned
compute_check(const struct compute_program *programs, unsigned num)
{
   static const uint32_t options[] = { 0, TGSIAMD_COMPILE_NO_OPT,
                                       TGSIAMD_COMPILE_SPILL_ALL | TGSIAMD_COMPILE_SHORT_BRANCHES };
   unsigned bad = 0;

   for (unsigned p = 0; p < num; p++) {
      for (unsigned i = 0; i < ARRAY_SIZE(options); i++)
         bad += !compute_check_one(&programs[p], TGSIAMD_COMPILE_VALIDATE | options[i]);
   }
   return bad;
}

/* Waits before barriers are for other waves, which the model runs one after the other. */
static bool
waits_for_others(const struct compute_program *p)
{
   return strstr(p->text, "BARRIER") || strstr(p->text, "MEMBAR");
}

static bool
is_fine(const void *program)
{
   return compute_check_one(program, 0);
}

static bool
faults_are_found(const struct compute_program *programs, unsigned num)
{
   struct plant_counts counts = { { 0 } };

   compute_patch = plant;
   for (unsigned p = 0; p < num; p++)
      plant_all(programs[p].name, is_fine, &programs[p], waits_for_others(&programs[p]) ? PLANT_STATES : 0, &counts);
   compute_patch = NULL;
   return plant_enough(&counts);
}

int
compute_main(const struct compute_program *programs, unsigned num, int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 1, ARGS_PLANTED);
   const bool planted = args_word(&args, 1, "planted");
   unsigned bad = compute_check(programs, num);

   printf("%u programs, %u wrong\n", num, bad);
   if (planted && !faults_are_found(programs, num))
      return 1;
   return bad != 0;
}
