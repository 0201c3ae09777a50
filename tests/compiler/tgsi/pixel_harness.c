/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../args.h"
#include "amdgfxregs.h"
#include "pipe/p_shader_tokens.h"
#include "tgsiamd/compiler.h"
#include "util/macros.h"
#include "machine.h"
#include "pixel_harness.h"
#include "planted.h"
#include "translate_text.h"

#define SIZE    0xa0000u
#define TEXTURES_AT 0x10000u
#define INTERNAL_AT 0x11000u
#define SAMPLES_AT  0x11800u
#define TEXTURE_AT  0x12000u
#define SCRATCH_AT  0x20000u

static struct machine machine;
static struct { uint32_t rsrc[8], samp[4]; } own_units[32];
float (*pixel_own_texel)(unsigned unit, unsigned x, unsigned y, unsigned c);
/* Changes machine code before it runs; then what is wrong is not printed. */
static void (*patch)(uint32_t *code, unsigned num);
static float color[4][PIXEL_LANES];
static uint64_t color_exec;
static bool color_done;

static void
on_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr, bool done, bool valid,
          uint64_t exec, const uint32_t *const src[4])
{
   color_done |= done;
   if (target == V_008DFC_SQ_EXP_NULL) {
      color_exec = valid ? exec : ~0ull;
      memset(color, 0, sizeof(color));
   }
   if (target != V_008DFC_SQ_EXP_MRT || compr)
      return;
   color_exec = valid ? exec : ~0ull;
   for (unsigned c = 0; c < 4; c++) {
      if (en & (1u << c) && src[c])
         memcpy(color[c], src[c], sizeof(color[c]));
   }
}

static void
set_up(void)
{
   machine_start(&machine, SIZE, 0, true, 1u << 16);
}

uint8_t *
pixel_own_memory(uint64_t *va)
{
   set_up();
   *va = MACHINE_OWN_VA;
   return machine_own(&machine, PIXEL_OWN_BYTES, false);
}

void *
pixel_addrlib(void)
{
   set_up();
   return machine.addrlib;
}

void
pixel_own_unit(unsigned unit, const uint32_t rsrc[8], const uint32_t samp[4])
{
   memcpy(own_units[unit].rsrc, rsrc, 32);
   memcpy(own_units[unit].samp, samp, 16);
}

static void __attribute__((format(printf, 1, 2)))
complain(const char *fmt, ...)
{
   va_list args;

   va_start(args, fmt);
   if (!patch)
      vprintf(fmt, args);
   va_end(args);
}

static void
put(struct sq_wave_init *w, float (*fn)(unsigned l))
{
   for (unsigned l = 0; l < PIXEL_LANES; l++) {
      float f = fn(l);
      memcpy(&w->vgpr[w->num_vgprs][l], &f, 4);
   }
   w->num_vgprs++;
}

static float nothing(unsigned l) { return 1e30f; }
static float pull_i(unsigned l) { return persp_i(l) / 8; }
static float pull_j(unsigned l) { return persp_j(l) / 8; }
static float pull_w(unsigned l) { return 1.0f / 8; }
static float fixed_pos(unsigned l)
{
   uint32_t v = (uint32_t)py(l) << 16 | (uint32_t)px(l);
   float f;
   memcpy(&f, &v, 4);
   return f;
}

static void
write_texture(unsigned unit, uint32_t target)
{
   const uint64_t va = MACHINE_VA + target;
   const uint32_t desc[8] = {
      (uint32_t)(va >> 8),
      S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(V_008F14_IMG_DATA_FORMAT_32_32_32_32) |
         S_008F14_NUM_FORMAT(V_008F14_IMG_NUM_FORMAT_FLOAT),
      S_008F18_WIDTH(PIXEL_TEX_WIDTH - 1) | S_008F18_HEIGHT(PIXEL_TEX_HEIGHT - 1),
      S_008F1C_DST_SEL_X(V_008F1C_SQ_SEL_X) | S_008F1C_DST_SEL_Y(V_008F1C_SQ_SEL_Y) |
         S_008F1C_DST_SEL_Z(V_008F1C_SQ_SEL_Z) | S_008F1C_DST_SEL_W(V_008F1C_SQ_SEL_W) |
         S_008F1C_TYPE(V_008F1C_SQ_RSRC_IMG_2D),
      S_008F20_PITCH(PIXEL_TEX_WIDTH - 1),
   };
   /* As many levels as one wants: what is clamped is the texture's business. */
   const uint32_t sampler[4] = { 0, S_008F34_MAX_LOD(0xfff) };
   memcpy(machine.mem + TEXTURES_AT + TGSIAMD_TEXTURE_OFFSET(unit), desc, sizeof(desc));
   memcpy(machine.mem + TEXTURES_AT + TGSIAMD_SAMPLER_OFFSET(unit), sampler, sizeof(sampler));
   for (unsigned y = 0; y < PIXEL_TEX_HEIGHT; y++) {
      for (unsigned x = 0; x < PIXEL_TEX_WIDTH; x++) {
         for (unsigned c = 0; c < 4; c++) {
            float f = pixel_own_texel ? pixel_own_texel(unit, x, y, c) : pixel_texel(x, y, c) + unit * PIXEL_SECOND;
            memcpy(machine.mem + target + ((y * PIXEL_TEX_WIDTH + x) * 4 + c) * 4, &f, 4);
         }
      }
   }
}

static void
write_lists(void)
{
   static const float samples[4] = { 0.25f, 0.5f, 0.75f, 1.0f };
   const uint64_t va = MACHINE_VA + SAMPLES_AT;
   const uint32_t desc[4] = {
      (uint32_t)va, S_008F04_BASE_ADDRESS_HI(va >> 32), sizeof(samples),
      S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) | S_008F0C_NUM_FORMAT(V_008F0C_BUF_NUM_FORMAT_FLOAT) |
         S_008F0C_DATA_FORMAT(V_008F0C_BUF_DATA_FORMAT_32),
   };
   /* Swizzled over 64 lanes, a dword each. */
   const uint32_t scratch[4] = {
      (uint32_t)MACHINE_VA + SCRATCH_AT, S_008F04_BASE_ADDRESS_HI(MACHINE_VA >> 32) | S_008F04_SWIZZLE_ENABLE_GFX6(1), SIZE - SCRATCH_AT,
      desc[3] | S_008F0C_INDEX_STRIDE(3) | S_008F0C_ADD_TID_ENABLE(1),
   };
   write_texture(0, TEXTURE_AT);
   write_texture(1, TEXTURE_AT + 0x2000);
   for (unsigned u = PIXEL_OWN_UNITS; machine.own && u < ARRAY_SIZE(own_units); u++) {
      memcpy(machine.mem + TEXTURES_AT + TGSIAMD_TEXTURE_OFFSET(u), own_units[u].rsrc, 32);
      memcpy(machine.mem + TEXTURES_AT + TGSIAMD_SAMPLER_OFFSET(u), own_units[u].samp, 16);
   }
   memcpy(machine.mem + INTERNAL_AT + TGSIAMD_INTERNAL_FBFETCH(0) * 16, machine.mem + TEXTURES_AT, 32);
   memcpy(machine.mem + INTERNAL_AT + TGSIAMD_INTERNAL_FB_SAMPLES * 16, desc, sizeof(desc));
   memcpy(machine.mem + INTERNAL_AT + TGSIAMD_INTERNAL_SCRATCH * 16, scratch, sizeof(scratch));
   memcpy(machine.mem + SAMPLES_AT, samples, sizeof(samples));
}

static float depth(unsigned l) { return 0.25f; }
static float clip_w(unsigned l) { return 8.0f; }
static bool shows_back;
/* SPI_BARYC_CNTL.FRONT_FACE_ALL_BITS is set. */
static float
front(unsigned l)
{
   const uint32_t all = shows_back ? 0 : ~0u;
   float f;

   memcpy(&f, &all, 4);
   return f;
}

/* VGPRs in the order of SPI_PS_INPUT_ADDR's bits. */
static void
fill_vgprs(struct sq_wave_init *w, uint32_t addr)
{
   static float (*const inputs[16][3])(unsigned l) = {
      { nothing, nothing }, { persp_i, persp_j }, { persp_i, persp_j },
      { pull_i, pull_j, pull_w }, { nothing, nothing }, { linear_i, linear_j },
      { nothing, nothing }, { nothing }, { px }, { py }, { depth }, { clip_w }, { front },
      { nothing }, { nothing }, { fixed_pos },
   };

   for (unsigned bit = 0; bit < 16; bit++) {
      for (unsigned k = 0; k < 3 && (addr & (1u << bit)) && inputs[bit][k]; k++)
         put(w, inputs[bit][k]);
   }
}

static bool
run(const struct tgsiamd_shader_binary *bin)
{
   static struct sq_wave_init w;
   static uint32_t attrs[8][4][3];
   const struct tgsiamd_shader_info *info = &bin->info;
   const struct sq_sink sink = { .export = on_export };

   memset(&w, 0, sizeof(w));
   memcpy(machine.mem, bin->code, bin->code_dwords * 4);
   for (unsigned i = 0; i < info->num_io; i++) {
      const unsigned semantic = info->io[i].semantic;
      const unsigned a = semantic == TGSI_SEMANTIC_COLOR ? 3 : semantic == TGSI_SEMANTIC_BCOLOR ? 4 : info->io[i].index - 3;
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned k = 0; k < 3; k++) {
            float f = attr(a, c, k);
            memcpy(&attrs[info->io[i].slot][c][k], &f, 4);
         }
      }
   }
   for (unsigned q = 0; q < 16; q++)
      w.quad_attrs[q] = attrs;
   w.num_attrs = info->num_io;
   w.stage = SQ_PS;
   w.pc = MACHINE_VA;
   w.rsrc1 = S_00B028_VGPRS((info->num_vgprs - 1) / 4) |
             S_00B028_SGPRS((info->num_sgprs - 1) / 16 * 2 + 1) |
             S_00B028_FLOAT_MODE(info->float_mode) | S_00B028_DX10_CLAMP(info->dx10_clamp);
   w.num_sgprs = info->num_user_sgprs + 1 + (info->scratch_bytes_per_wave != 0);
   write_lists();
   machine_list(&w, TGSIAMD_SGPR_PS_TEXTURES, TEXTURES_AT);
   machine_list(&w, TGSIAMD_SGPR_INTERNAL, INTERNAL_AT);
   fill_vgprs(&w, info->spi_ps_input_addr);
   for (unsigned l = 0; l < PIXEL_LANES; l++)
      w.exec |= (uint64_t)!helper(l) << l;
   color_done = false;
   color_exec = 0;
   machine_begin(&machine);
   return machine_run(&machine, &w, 1, 0, &sink) && color_done;
}

static bool
compare(const struct pixel_program *p)
{
   for (unsigned l = 0; l < PIXEL_LANES; l++) {
      const bool exported = color_exec >> l & 1;
      const bool wanted = !helper(l) && !isnan(p->want(l, 0));
      if (exported != wanted) {
         complain("%s: lane %u %s exported\n", p->name, l, exported ? "was" : "was not");
         return false;
      }
      for (unsigned c = 0; c < 4 && wanted; c++) {
         const float want = p->want(l, c);
         if (!(fabsf(color[c][l] - want) <= fmaxf(1e-5f, 1e-6f * fabsf(want)))) {
            complain("%s: lane %u channel %u: want %g, got %g\n", p->name, l, c, want, color[c][l]);
            return false;
         }
      }
   }
   return true;
}

static bool
check_one(const struct pixel_program *p, uint32_t options)
{
   static struct tgsi_token tokens[4096];
   struct tgsiamd_key key;
   bool ok = false;

   set_up();
   memset(&key, 0, sizeof(key));
   key.ps.col_format = V_028714_SPI_SHADER_32_ABGR;
   key.ps.flatshade = p->flat;
   shows_back = p->back;
   if (!translate_text(p->text, tokens, ARRAY_SIZE(tokens))) {
      printf("%s: does not parse\n", p->name);
      return false;
   }
   struct tgsiamd_shader_binary *bin = tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, options);
   if (!bin->error && patch)
      patch(bin->code, bin->code_dwords);
   if (bin->error)
      complain("%s: %s\n", p->name, bin->error);
   else if (!run(bin))
      complain("%s: %s\n", p->name, machine.line[0] ? machine.line : "no last export");
   else
      ok = compare(p);
   if (ok)
      log_opcodes(tokens);
   tgsiamd_shader_binary_free(bin);
   return ok;
}

unsigned
pixel_check(const struct pixel_program *programs, unsigned num)
{
   unsigned bad = 0;

   for (unsigned p = 0; p < num; p++) {
      bad += !check_one(&programs[p], TGSIAMD_COMPILE_VALIDATE);
      bad += !check_one(&programs[p], TGSIAMD_COMPILE_VALIDATE | TGSIAMD_COMPILE_NO_OPT);
      bad += !check_one(&programs[p], TGSIAMD_COMPILE_VALIDATE | TGSIAMD_COMPILE_SPILL_ALL);
   }
   return bad;
}

static bool
is_fine(const void *program)
{
   return check_one(program, 0);
}

int
pixel_main(const struct pixel_program *programs, unsigned num, int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 1, ARGS_PLANTED);
   const bool planted = args_word(&args, 1, "planted");
   struct plant_counts counts = { { 0 } };
   unsigned bad = pixel_check(programs, num);

   printf("%u programs, %u wrong\n", num, bad);
   if (!planted)
      return bad != 0;
   patch = plant;
   for (unsigned p = 0; p < num; p++)
      plant_all(programs[p].name, is_fine, &programs[p], 0, &counts);
   return !plant_enough(&counts) || bad;
}
