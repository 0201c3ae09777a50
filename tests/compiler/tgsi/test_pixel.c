/* SPDX-License-Identifier: MIT */
/* What only pixel shaders have, on the model's sequencer: inputs, window
 * position, face, derivatives, discarding. The wave starts as the SPI makes it
 * from SPI_PS_INPUT_ADDR; expected values are computed here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgfxregs.h"
#include "pipe/p_shader_tokens.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "sq/sq.h"
#include "tgsiamd/compiler.h"
#include "tgsiamd/model.h"
#include "util/macros.h"
#include "surf/surf.h"
#include "vm/vm_internal.h"
#include "translate_text.h"

#define BASE_VA 0x100000000ull
#define SIZE    0x20000u
#define LANES   64
#define TEXTURES_AT 0x10000u
#define INTERNAL_AT 0x11000u
#define SAMPLES_AT  0x11800u
#define TEXTURE_AT  0x12000u
#define TEX_WIDTH   64
#define TEX_HEIGHT  2

/* Lane 4 q + n is pixel (x, y) of quad q. The primitive is facing front. Lanes
 * of the last quad's lower row are helpers. */
static float px(unsigned l) { return (l / 4) * 2 + (l & 1) + 0.5f; }
static float py(unsigned l) { return ((l >> 1) & 1) + 0.5f; }
static bool helper(unsigned l) { return l >= 62; }
/* Barycentrics: perspective and linear ones differ so that a mix-up shows. */
static float persp_i(unsigned l) { return px(l) / 64; }
static float persp_j(unsigned l) { return py(l) / 4; }
static float linear_i(unsigned l) { return px(l) / 32; }
static float linear_j(unsigned l) { return py(l) / 2; }

/* [attribute][channel][P0, P10, P20] */
static float attr(unsigned a, unsigned c, unsigned k) { return (float)(a * 12 + c * 3 + k) - 9.0f; }
static float persp(unsigned a, unsigned c, unsigned l)
{
   return attr(a, c, 0) + attr(a, c, 1) * persp_i(l) + attr(a, c, 2) * persp_j(l);
}
static float linear(unsigned a, unsigned c, unsigned l)
{
   return attr(a, c, 0) + attr(a, c, 1) * linear_i(l) + attr(a, c, 2) * linear_j(l);
}

#define HEAD                                                                                      \
   "FRAG\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL IN[1], GENERIC[4], LINEAR\n"                    \
   "DCL IN[2], GENERIC[5], CONSTANT\nDCL IN[3], COLOR, COLOR\nDCL IN[4], POSITION, LINEAR\n"      \
   "DCL IN[5], FACE, CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0..1]\n" \
   "DCL SVIEW[0], 2D, FLOAT\nDCL ADDR[0]\n"                               \
   "IMM[0] FLT32 {4.0, 1.0, 0.0, -1.0}\n"

/* Colour channel c of lane l; NAN: the lane is discarded. */
typedef float (*want_fn)(unsigned l, unsigned c);

static float want_inputs(unsigned l, unsigned c)
{
   switch (c) {
   case 0: return persp(0, 1, l);
   case 1: return linear(1, 2, l);
   case 2: return attr(2, 3, 0);
   default: return persp(3, 0, l);
   }
}
static float want_flat(unsigned l, unsigned c) { return attr(3, c, 0); }
static float want_position(unsigned l, unsigned c)
{
   return c == 0 ? px(l) : c == 1 ? py(l) : c == 2 ? 0.25f : 1.0f / 8.0f;
}
static float want_face(unsigned l, unsigned c) { return 1.0f; }
/* x y of the window: its derivatives are y and x of the row or column. */
static float product(unsigned l) { return px(l) * py(l); }
static float want_fine(unsigned l, unsigned c)
{
   return c & 1 ? product((l & ~2u) + 2) - product(l & ~2u)
                : product((l & ~1u) + 1) - product(l & ~1u);
}
static float want_coarse(unsigned l, unsigned c)
{
   const unsigned q = l & ~3u;
   return c & 1 ? product(q + 2) - product(q) : product(q + 1) - product(q);
}
static float want_kill(unsigned l, unsigned c) { return px(l) < 4.0f ? NAN : persp(0, c, l); }
/* The neighbour was discarded; its value still counts. */
static float want_kill_derivative(unsigned l, unsigned c)
{
   return l & 1 ? NAN : product((l & ~1u) + 1) - product(l & ~1u);
}

/* Samples lie at (0.25, 0.5) and (0.75, 1). */
static float moved(unsigned a, unsigned c, unsigned l, float x, float y)
{
   return attr(a, c, 0) + attr(a, c, 1) * (persp_i(l) + x / 64) + attr(a, c, 2) * (persp_j(l) + y / 4);
}
static float want_sample_1(unsigned l, unsigned c) { return moved(0, c, l, 0.25f, 0.5f); }
static float want_sample_0(unsigned l, unsigned c) { return moved(0, c, l, -0.25f, 0.0f); }
static float want_offset(unsigned l, unsigned c) { return moved(0, c, l, 0.5f, 0.0f); }
static float want_centroid(unsigned l, unsigned c) { return persp(0, c, l); }
static float want_alive(unsigned l, unsigned c) { return px(l) < 4.0f ? NAN : 0.0f; }
static float texel(unsigned x, unsigned y, unsigned c) { return x + 100.0f * y + 1000.0f * c; }
static float want_texel(unsigned l, unsigned c) { return texel(px(l), py(l), c); }
static float want_two_textures(unsigned l, unsigned c) { return texel(px(l), py(l), c) + ((int)px(l) & 1 ? 5000 : 0); }
/* Two texels a pixel: level 1 is wanted, level 0 is all there is. */
static float want_lod(unsigned l, unsigned c) { return c == 1 || c == 3 ? 1.0f : 0.0f; }

/* Even columns are left; the level comes from quads that lost half of their pixels. */
static bool odd(unsigned l) { return (int)px(l) & 1; }
static float want_lod_of_half(unsigned l, unsigned c) { return odd(l) ? NAN : want_lod(l, c); }
/* A loop that samples, kills, and has a loop within: 3 rounds of (column & 3) turns. */
static float want_turns(unsigned l, unsigned c)
{
   return px(l) < 4.0f ? NAN : c == 0 ? 3 * ((int)px(l) & 3) : texel(px(l), py(l), c);
}
static float want_nested_kill(unsigned l, unsigned c)
{
   return (odd(l) ? px(l) < 20.0f : px(l) > 40.0f) ? NAN : persp(0, c, l);
}
static float want_kill_x_or_y(unsigned l, unsigned c) { return px(l) < 4.0f || py(l) < 1.0f ? NAN : persp(0, c, l); }
static float want_kill_only(unsigned l, unsigned c) { return px(l) < 4.0f ? NAN : 0.0f; }
static float want_constant(unsigned l, unsigned c) { return 0.0f; }
static float want_centroid_input(unsigned l, unsigned c) { return persp(3, c, l); }
static float want_first_line(unsigned l, unsigned c) { return px(l) < 4.0f ? 1.0f : px(l) < 8.0f ? 2.0f : 3.0f; }

static const struct { const char *name, *text; want_fn want; bool flat; } tests[] = {
   { "level behind discarded neighbours",
     HEAD "FRC TEMP[2].x, IN[4].xxxx\nMUL TEMP[2].x, IN[4].xxxx, IMM[1].xxxx\nFRC TEMP[2].x, TEMP[2].xxxx\nSGE TEMP[2].x, TEMP[2].xxxx, IMM[1].xxxx\nKILL_IF -TEMP[2].xxxx\n"
          "MUL TEMP[0].xy, IN[4], IMM[3].zwww\nLODQ OUT[0].xy, TEMP[0], SAMP[0], 2D\nLOD OUT[0].zw, TEMP[0], SVIEW[0].xyxy, SAMP[0]\nEND\n", want_lod_of_half, false },
   { "a loop that samples and kills, with a loop in it",
     HEAD "IMM[4] UINT32 {0, 1, 3, 2}\nMUL TEMP[0].xy, IN[4], IMM[3]\nF2U TEMP[1].x, IN[4].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[4].zzzz\n"
          "MOV TEMP[2], IMM[4].xxxx\nBGNLOOP\n  USGE TEMP[1].y, TEMP[2].xxxx, IMM[4].zzzz\n  UIF TEMP[1].yyyy\n    BRK\n  ENDIF\n"
          "  TEX TEMP[3], TEMP[0], SAMP[0], 2D\n  USEQ TEMP[1].y, TEMP[2].xxxx, IMM[4].yyyy\n  UIF TEMP[1].yyyy\n"
          "    ADD TEMP[1].z, IN[4].xxxx, -IMM[0].xxxx\n    KILL_IF TEMP[1].zzzz\n  ENDIF\n  MOV TEMP[2].y, IMM[4].xxxx\n"
          "  BGNLOOP\n    USGE TEMP[1].y, TEMP[2].yyyy, TEMP[1].xxxx\n    UIF TEMP[1].yyyy\n      BRK\n    ENDIF\n"
          "    UADD TEMP[2].y, TEMP[2].yyyy, IMM[4].yyyy\n    UADD TEMP[2].z, TEMP[2].zzzz, IMM[4].yyyy\n  ENDLOOP\n"
          "  UADD TEMP[2].x, TEMP[2].xxxx, IMM[4].yyyy\nENDLOOP\nMOV OUT[0], TEMP[3]\nU2F OUT[0].x, TEMP[2].zzzz\nEND\n", want_turns, false },
   { "kills in both arms",
     HEAD "IMM[4] FLT32 {20.0, 40.0, 0.0, 0.0}\nMUL TEMP[0].x, IN[4].xxxx, IMM[1].xxxx\nFRC TEMP[0].x, TEMP[0].xxxx\nSGE TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"
          "IF TEMP[0].xxxx\n  SLT TEMP[1].x, IN[4].xxxx, IMM[4].xxxx\n  IF TEMP[1].xxxx\n    KILL\n  ENDIF\nELSE\n"
          "  SGT TEMP[1].x, IN[4].xxxx, IMM[4].yyyy\n  IF TEMP[1].xxxx\n    KILL\n  ENDIF\nENDIF\nMOV OUT[0], IN[0]\nEND\n", want_nested_kill, false },
   { "a kill by two components",
     HEAD "SLT TEMP[0].xy, IN[4], IMM[0].xyyy\nKILL_IF -TEMP[0].xyxx\nMOV OUT[0], IN[0]\nEND\n", want_kill_x_or_y, false },
   { "nothing but a kill", HEAD "ADD TEMP[0].x, IN[4].xxxx, -IMM[0].xxxx\nKILL_IF TEMP[0].xxxx\nEND\n", want_kill_only, false },
   { "derivative of what is constant", HEAD "DDX_FINE TEMP[0], IN[2]\nDDY TEMP[1], IN[2]\nADD OUT[0], |TEMP[0]|, |TEMP[1]|\nEND\n", want_constant, false },
   { "a centroid input", HEAD "DCL IN[6], GENERIC[6], PERSPECTIVE, CENTROID\nMOV OUT[0], IN[6]\nEND\n", want_centroid_input, false },
   { "a switch with texels in its cases",
     HEAD "IMM[4] UINT32 {0, 1, 2, 4}\nIMM[5] FLT32 {1.0, 2.0, 3.0, 0.0}\nF2U TEMP[1].x, IN[4].xxxx\nUSHR TEMP[1].x, TEMP[1].xxxx, IMM[4].zzzz\n"
          "MUL TEMP[0].xy, IN[4], IMM[3]\nSWITCH TEMP[1].xxxx\nCASE IMM[4].xxxx\n  TEX_LZ TEMP[2], TEMP[0], SAMP[0], 2D\n  MOV OUT[0], IMM[5].xxxx\n  BRK\n"
          "CASE IMM[4].yyyy\n  MOV OUT[0], IMM[5].yyyy\n  BRK\nDEFAULT\n  MOV OUT[0], IMM[5].zzzz\nENDSWITCH\nEND\n", want_first_line, false },
   { "at sample 1", HEAD "INTERP_SAMPLE OUT[0], IN[0], IMM[2].xxxx\nEND\n", want_sample_1, false },
   { "at sample 0", HEAD "INTERP_SAMPLE OUT[0], IN[0], IMM[2].yyyy\nEND\n", want_sample_0, false },
   { "at a sample that there is not", HEAD "INTERP_SAMPLE OUT[0], IN[0], IMM[2].zzzz\nEND\n", want_sample_1, false },
   { "at an offset", HEAD "INTERP_OFFSET OUT[0], IN[0], IMM[1].xyyy\nEND\n", want_offset, false },
   { "at the centroid", HEAD "INTERP_CENTROID OUT[0], IN[0]\nEND\n", want_centroid, false },
   { "helpers", HEAD "SLT TEMP[0].x, IN[4].xxxx, IMM[0].xxxx\nIF TEMP[0].xxxx\n  DEMOTE\nENDIF\nREAD_HELPER TEMP[1].x\n"
     "MOV OUT[0], TEMP[1].xxxx\nEND\n", want_alive, false },
   { "the framebuffer's colour", HEAD "FBFETCH OUT[0], OUT[0]\nEND\n", want_texel, false },
   { "a texture", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nTEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n", want_texel, false },
   { "a texture with bias", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nMOV TEMP[0].zw, IMM[1].yyyy\nTXB OUT[0], TEMP[0], SAMP[0], 2D\nEND\n", want_texel, false },
   { "a view", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nSAMPLE TEMP[1], TEMP[0], SVIEW[0].wzyx, SAMP[0]\nMOV OUT[0], TEMP[1].wzyx\nEND\n", want_texel, false },
   { "a view with bias", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nSAMPLE_B OUT[0], TEMP[0], SVIEW[0], SAMP[0], IMM[1].yyyy\nEND\n", want_texel, false },
   { "textures that differ", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nF2U TEMP[1].x, IN[4].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[2].xxxx\n"
     "UARL ADDR[0].x, TEMP[1].xxxx\nTEX OUT[0], TEMP[0], SAMP[ADDR[0].x], 2D\nEND\n", want_two_textures, false },
   { "textures that differ, onto the coordinates", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nF2U TEMP[1].x, IN[4].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[2].xxxx\n"
     "UARL ADDR[0].x, TEMP[1].xxxx\nTEX TEMP[0], TEMP[0], SAMP[ADDR[0].x], 2D\nMOV OUT[0], TEMP[0]\nEND\n", want_two_textures, false },
   { "level of detail", HEAD "MUL TEMP[0].xy, IN[4], IMM[3].zwww\nLODQ OUT[0].xy, TEMP[0], SAMP[0], 2D\nLOD OUT[0].zw, TEMP[0], SVIEW[0].xyxy, SAMP[0]\nEND\n",
     want_lod, false },
   { "inputs", HEAD "MOV OUT[0].x, IN[0].yyyy\nMOV OUT[0].y, IN[1].zzzz\nMOV OUT[0].z, IN[2].wwww\n"
               "MOV OUT[0].w, IN[3].xxxx\nEND\n", want_inputs, false },
   { "flat shading", HEAD "MOV OUT[0], IN[3]\nEND\n", want_flat, true },
   { "window position", HEAD "MOV OUT[0], IN[4]\nEND\n", want_position, false },
   { "face", HEAD "MOV OUT[0], IN[5].xxxx\nEND\n", want_face, false },
   { "fine derivatives", HEAD "MUL TEMP[0], IN[4].xxxx, IN[4].yyyy\nDDX_FINE TEMP[1], TEMP[0]\n"
                         "DDY_FINE TEMP[2], TEMP[0]\nMOV OUT[0].xz, TEMP[1]\nMOV OUT[0].yw, TEMP[2]\nEND\n",
     want_fine, false },
   { "coarse derivatives", HEAD "MUL TEMP[0], IN[4].xxxx, IN[4].yyyy\nDDX TEMP[1], TEMP[0]\n"
                           "DDY TEMP[2], TEMP[0]\nMOV OUT[0].xz, TEMP[1]\nMOV OUT[0].yw, TEMP[2]\nEND\n",
     want_coarse, false },
   { "discarding", HEAD "ADD TEMP[0].x, IN[4].xxxx, -IMM[0].xxxx\nKILL_IF TEMP[0].xxxx\nMOV OUT[0], IN[0]\nEND\n",
     want_kill, false },
   { "discarding under a condition",
     HEAD "SLT TEMP[0].x, IN[4].xxxx, IMM[0].xxxx\nIF TEMP[0].xxxx\n  KILL\nENDIF\nMOV OUT[0], IN[0]\nEND\n",
     want_kill, false },
   { "derivatives behind a discarded neighbour",
     HEAD "MUL TEMP[1].x, IN[4].xxxx, IN[4].yyyy\n"
          "MUL TEMP[2].y, IN[4].xxxx, IMM[1].xxxx\nFRC TEMP[2].y, TEMP[2].yyyy\n"
          "SGE TEMP[2].x, TEMP[2].yyyy, IMM[1].xxxx\nKILL_IF -TEMP[2].xxxx\n"
          "DDX_FINE OUT[0], TEMP[1].xxxx\nEND\n", want_kill_derivative, false },
};

static uint8_t *mem;
static struct tgsiamd_model_vm *vm;
static struct model_report *report;
static struct sq *sq;
static void *addrlib;
static char line[200];
static float color[4][LANES];
static uint64_t color_exec;
static bool color_done;

static void
on_line(void *ctx, const char *text)
{
   if (!line[0])
      snprintf(line, sizeof(line), "%s", text);
}

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
   static struct model_options options;

   mem = aligned_alloc(4096, SIZE);
   memset(mem, 0, SIZE);
   report = report_create(&options);
   report_on_line(report, on_line, NULL);
   vm = vm_create(report);
   vm_map(vm, BASE_VA, SIZE, mem, TGSIAMD_MODEL_READ | TGSIAMD_MODEL_EXEC, 0);
   sq = sq_create();
   addrlib = surf_addrlib_create(142, 0x41, 0x24000042); /* Raven */
}

static void
put(struct sq_wave_init *w, float (*fn)(unsigned l))
{
   for (unsigned l = 0; l < LANES; l++) {
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
write_texture(uint32_t at, uint32_t target, float add)
{
   const uint64_t va = BASE_VA + target;
   const uint32_t desc[8] = {
      (uint32_t)(va >> 8),
      S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(V_008F14_IMG_DATA_FORMAT_32_32_32_32) |
         S_008F14_NUM_FORMAT(V_008F14_IMG_NUM_FORMAT_FLOAT),
      S_008F18_WIDTH(TEX_WIDTH - 1) | S_008F18_HEIGHT(TEX_HEIGHT - 1),
      S_008F1C_DST_SEL_X(V_008F1C_SQ_SEL_X) | S_008F1C_DST_SEL_Y(V_008F1C_SQ_SEL_Y) |
         S_008F1C_DST_SEL_Z(V_008F1C_SQ_SEL_Z) | S_008F1C_DST_SEL_W(V_008F1C_SQ_SEL_W) |
         S_008F1C_TYPE(V_008F1C_SQ_RSRC_IMG_2D),
      S_008F20_PITCH(TEX_WIDTH - 1),
   };
   /* As many levels as one wants: what is clamped is the texture's business. */
   const uint32_t sampler[4] = { 0, S_008F34_MAX_LOD(0xfff) };
   memcpy(mem + at, desc, sizeof(desc));
   memcpy(mem + at + 32, sampler, sizeof(sampler));
   for (unsigned y = 0; y < TEX_HEIGHT; y++) {
      for (unsigned x = 0; x < TEX_WIDTH; x++) {
         for (unsigned c = 0; c < 4; c++) {
            float f = texel(x, y, c) + add;
            memcpy(mem + target + ((y * TEX_WIDTH + x) * 4 + c) * 4, &f, 4);
         }
      }
   }
}

static void
write_lists(void)
{
   static const float samples[4] = { 0.25f, 0.5f, 0.75f, 1.0f };
   const uint64_t va = BASE_VA + SAMPLES_AT;
   const uint32_t desc[4] = {
      (uint32_t)va, S_008F04_BASE_ADDRESS_HI(va >> 32), sizeof(samples),
      S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) | S_008F0C_NUM_FORMAT(V_008F0C_BUF_NUM_FORMAT_FLOAT) |
         S_008F0C_DATA_FORMAT(V_008F0C_BUF_DATA_FORMAT_32),
   };
   write_texture(TEXTURES_AT + TGSIAMD_TEXTURE_OFFSET(0), TEXTURE_AT, 0);
   write_texture(TEXTURES_AT + TGSIAMD_TEXTURE_OFFSET(1), TEXTURE_AT + 0x2000, 5000);
   memcpy(mem + INTERNAL_AT + TGSIAMD_INTERNAL_FBFETCH(0) * 16, mem + TEXTURES_AT, 32);
   memcpy(mem + INTERNAL_AT + TGSIAMD_INTERNAL_FB_SAMPLES * 16, desc, sizeof(desc));
   memcpy(mem + SAMPLES_AT, samples, sizeof(samples));
}

static float depth(unsigned l) { return 0.25f; }
static float clip_w(unsigned l) { return 8.0f; }
static float front(unsigned l) { return 1.0f; }

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
   static struct model_stats stats;
   static uint32_t attrs[8][4][3];
   const struct tgsiamd_shader_info *info = &bin->info;
   const struct model_env env = {
      .vm = vm, .report = report, .stats = &stats, .chip = tgsiamd_chip_by_name("raven"),
      .addrlib = addrlib,
   };
   const struct sq_sink sink = { .export = on_export };

   memset(&w, 0, sizeof(w));
   memcpy(mem, bin->code, bin->code_dwords * 4);
   for (unsigned i = 0; i < info->num_io; i++) {
      /* Attribute n of the test is GENERIC[3 + n] or the colour. */
      unsigned a = info->io[i].semantic == TGSI_SEMANTIC_COLOR ? 3 : info->io[i].index - 3;
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
   w.pc = BASE_VA;
   w.rsrc1 = S_00B028_VGPRS((info->num_vgprs - 1) / 4) |
             S_00B028_SGPRS((info->num_sgprs - 1) / 16 * 2 + 1) |
             S_00B028_FLOAT_MODE(info->float_mode) | S_00B028_DX10_CLAMP(info->dx10_clamp);
   w.num_sgprs = info->num_user_sgprs + 1;
   write_lists();
   w.sgpr[TGSIAMD_SGPR_TEXTURES] = (uint32_t)(BASE_VA + TEXTURES_AT);
   w.sgpr[TGSIAMD_SGPR_INTERNAL] = (uint32_t)(BASE_VA + INTERNAL_AT);
   w.sgpr[TGSIAMD_SGPR_TEXTURES + 1] = w.sgpr[TGSIAMD_SGPR_INTERNAL + 1] = BASE_VA >> 32;
   fill_vgprs(&w, info->spi_ps_input_addr);
   for (unsigned l = 0; l < LANES; l++)
      w.exec |= (uint64_t)!helper(l) << l;
   line[0] = 0;
   color_done = false;
   color_exec = 0;
   const uint64_t violations = report_violations(report); /* a place is only told once */
   report_begin(report);
   vm_begin_submission(vm, NULL, 0);
   sq_invalidate(sq);
   sq_run(sq, &env, &w, 1, 0, &sink);
   return report_violations(report) == violations && !model_failed(report) && color_done;
}

static bool
compare(unsigned i)
{
   for (unsigned l = 0; l < LANES; l++) {
      const bool exported = color_exec >> l & 1;
      const bool wanted = !helper(l) && !isnan(tests[i].want(l, 0));
      if (exported != wanted) {
         printf("%s: lane %u %s exported\n", tests[i].name, l, exported ? "was" : "was not");
         return false;
      }
      for (unsigned c = 0; c < 4 && wanted; c++) {
         float want = tests[i].want(l, c);
         if (fabsf(color[c][l] - want) > 1e-5f * fmaxf(1.0f, fabsf(want))) {
            printf("%s: lane %u channel %u: want %g, got %g\n", tests[i].name, l, c, want,
                   color[c][l]);
            return false;
         }
      }
   }
   return true;
}

static bool
check(unsigned i, uint32_t options)
{
   static struct tgsi_token tokens[4096];
   struct tgsiamd_key key;
   char text[4096];
   bool ok;

   /* A constant that some programs want behind IMM[0]. */
   snprintf(text, sizeof(text), "%.*sIMM[1] FLT32 {0.5, 0.0, 0.0, 0.0}\nIMM[2] UINT32 {1, 0, 9, 0}\n"
            "IMM[3] FLT32 {0.015625, 0.5, 0.03125, 0.0}\n%s",
            (int)strlen(HEAD), tests[i].text, tests[i].text + strlen(HEAD));
   memset(&key, 0, sizeof(key));
   key.ps.col_format = V_028714_SPI_SHADER_32_ABGR;
   key.ps.flatshade = tests[i].flat;
   if (!translate_text(text, tokens, ARRAY_SIZE(tokens))) {
      printf("%s: does not parse\n", tests[i].name);
      return false;
   }
   struct tgsiamd_shader_binary *bin = tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, options);
   if (bin->error) {
      printf("%s: %s\n", tests[i].name, bin->error);
      ok = false;
   } else if (!run(bin)) {
      printf("%s: %s\n", tests[i].name, line[0] ? line : "no last export");
      ok = false;
   } else {
      ok = compare(i);
      if (ok)
         log_opcodes(tokens);
   }
   tgsiamd_shader_binary_free(bin);
   return ok;
}

int
main(void)
{
   unsigned bad = 0;

   set_up();
   for (unsigned i = 0; i < ARRAY_SIZE(tests); i++) {
      bad += !check(i, TGSIAMD_COMPILE_VALIDATE);
      bad += !check(i, TGSIAMD_COMPILE_VALIDATE | TGSIAMD_COMPILE_NO_OPT);
   }
   printf("%zu programs, %u wrong\n", ARRAY_SIZE(tests), bad);
   return bad != 0;
}
