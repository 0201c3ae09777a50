/* SPDX-License-Identifier: MIT */
/* Less common parts of the texture unit: addresses as halves, packed loads,
 * reductions, absent memory, formats with elements of several texels or 96 bits,
 * the sRGB curve by sampler. Witnesses: Mesa's util/format, and the same
 * instruction with addresses of 32 bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "amdgfxregs.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "regs/regs.h"
#include "surf/fmt.h"
#include "surf/surf.h"
#include "ta/ta.h"
#include "tgsiamd/isa.h"
#include "tgsiamd/model.h"
#include "util/format/u_format.h"
#include "util/format/u_format_yuv.h"
#include "util/format_srgb.h"
#include "vm/vm_internal.h"

#include "check.h"

#define VA   0x100000000ull
#define SIZE (4u << 20)
#define HOLE (VA + (1u << 20))   /* 64 KB without memory */

static uint8_t *mem;
static struct model_env env;
static struct regs regs;
static struct model_stats stats;
static uint32_t result[5][64], addr[16][64], data[4][64];

struct image { uint32_t rsrc[8], samp[4]; const struct surf_layout *l; };

static struct image make_image(uint64_t va, unsigned type, unsigned df, unsigned nf, unsigned w, unsigned h, unsigned d,
                               unsigned levels, unsigned sw, unsigned bytes_log2, unsigned elements_w)
{
   struct image im = { 0 };
   struct surf_desc desc = { .swizzle_mode = sw, .bytes_log2 = bytes_log2, .num_levels = levels, .width = elements_w,
                             .resource_type = type == 10 ? 2 : type == 8 || type == 12 ? 0 : 1, .height = h, .depth = d };
   for (desc.epitch = 0; desc.epitch < 4096; desc.epitch++) { /* the pitch that goes with the size */
      im.l = surf_layout_get(env.addrlib, &desc);
      if (im.l && !im.l->epitch_mismatch)
         break;
   }
   im.rsrc[0] = va >> 8;
   im.rsrc[1] = S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(df) | S_008F14_NUM_FORMAT(nf);
   im.rsrc[2] = S_008F18_WIDTH(w - 1) | S_008F18_HEIGHT(h - 1);
   im.rsrc[3] = S_008F1C_DST_SEL_X(4) | S_008F1C_DST_SEL_Y(5) | S_008F1C_DST_SEL_Z(6) | S_008F1C_DST_SEL_W(7) |
                S_008F1C_LAST_LEVEL(levels - 1) | S_008F1C_SW_MODE(sw) | S_008F1C_TYPE(type);
   im.rsrc[4] = S_008F20_DEPTH(d - 1) | S_008F20_PITCH(desc.epitch);
   im.rsrc[5] = S_008F24_MAX_MIP(levels - 1);
   im.samp[1] = S_008F34_MAX_LOD(0xfff);
   return im;
}

struct options { bool a16, tfe; unsigned dmask; };

static void run(const struct image *im, enum isa_op op, uint64_t exec, struct options o)
{
   struct isa_inst inst;
   const unsigned type = G_008F1C_TYPE(im->rsrc[3]);
   isa_inst_init(&inst, op);
   inst.dmask = o.dmask ? o.dmask : 0xf;
   inst.a16 = o.a16;
   inst.tfe = o.tfe;
   inst.da = type == 11 || type == 12 || type == 13 || type == 15;
   struct ta_image_op t = { .inst = &inst, .num_addr = 16, .exec = exec, .result = result, .num_result = 4 + o.tfe };
   memcpy(t.rsrc, im->rsrc, 32);
   memcpy(t.samp, im->samp, 16);
   for (unsigned i = 0; i < 16; i++)
      t.addr[i] = addr[i];
   for (unsigned i = 0; i < 4; i++)
      t.data[i] = data[i];
   memset(result, 0xcd, sizeof(result));
   ta_image(&env, &t);
}
static float res(unsigned c, unsigned lane) { return fmt_u2f(result[c][lane]); }

/* ---- A16 ---- */

/* What stands where: o offset, b bias, z compare, d derivatives of one
 * direction, c everything else. */
static const struct { enum isa_op op; const char *before; unsigned derivs, after; } a16_ops[] = {
   { ISA_IMAGE_SAMPLE, "", 0, 0 },       { ISA_IMAGE_SAMPLE_L, "", 0, 1 },     { ISA_IMAGE_SAMPLE_B, "b", 0, 0 },
   { ISA_IMAGE_SAMPLE_D, "", 1, 0 },     { ISA_IMAGE_SAMPLE_CL_O, "o", 0, 1 }, { ISA_IMAGE_SAMPLE_C_LZ, "z", 0, 0 },
   { ISA_IMAGE_SAMPLE_C_B_CL_O, "obz", 0, 1 }, { ISA_IMAGE_SAMPLE_C_D_O, "oz", 1, 0 }, { ISA_IMAGE_GATHER4_L, "", 0, 1 },
   { ISA_IMAGE_LOAD, "", 0, 0 },         { ISA_IMAGE_LOAD_MIP, "", 0, 1 },
};

static void test_a16(void)
{
   static const struct { unsigned type, dims, coords; } types[] = {
      { 8, 1, 1 }, { 9, 2, 2 }, { 10, 3, 3 }, { 11, 2, 3 }, { 12, 1, 2 }, { 13, 2, 3 },
   };
   unsigned seed = 3;
   for (unsigned t = 0; t < 6; t++) {
      const unsigned d = types[t].type == 11 ? 6 : types[t].coords > types[t].dims || types[t].dims == 3 ? 4 : 1;
      const unsigned h = types[t].dims == 1 ? 1 : 16, sw = types[t].dims == 1 ? 0 : 9;
      struct image im = make_image(VA, types[t].type, 4, 7, 16, h, d, 4, sw, 2, 16);
      for (unsigned i = 0; i < 65536; i++) {
         float v = (rand_r(&seed) % 1000) / 1000.0f;
         memcpy(mem + 4 * i, &v, 4);
      }
      im.samp[2] = S_008F38_XY_MAG_FILTER(1) | S_008F38_XY_MIN_FILTER(1) | S_008F38_MIP_FILTER(2);
      im.samp[0] = S_008F30_DEPTH_COMPARE_FUNC(4);
      for (unsigned k = 0; k < sizeof(a16_ops) / sizeof(a16_ops[0]); k++) {
         const bool ints = a16_ops[k].op == ISA_IMAGE_LOAD || a16_ops[k].op == ISA_IMAGE_LOAD_MIP;
         const unsigned dims = types[t].dims, tail = types[t].coords + a16_ops[k].after;
         static uint32_t full[16][64], half[16][64];
         for (unsigned lane = 0; lane < 64; lane++) {
            unsigned n = 0, m = 0;
            for (const char *c = a16_ops[k].before; *c; c++, n++, m++) {
               const uint16_t b = fmt_float_to_half((rand_r(&seed) % 16) / 8.0f, false);
               const uint32_t whole = *c == 'o' ? rand_r(&seed) & 0x070707 : fmt_f2u((rand_r(&seed) % 100) / 100.0f);
               full[n][lane] = *c == 'b' ? fmt_f2u(fmt_half_to_float(b)) : whole;
               half[m][lane] = *c == 'b' ? b | 0xabcd0000 : whole;
            }
            for (unsigned dir = 0; dir < 2 * a16_ops[k].derivs; dir++) /* each direction begins a register */
               for (unsigned i = 0; i < dims; i++) {
                  const uint16_t v = fmt_float_to_half((rand_r(&seed) % 64) / 256.0f, false);
                  full[n++][lane] = fmt_f2u(fmt_half_to_float(v));
                  if (i & 1)
                     half[m - 1][lane] = (half[m - 1][lane] & 0xffff) | (uint32_t)v << 16;
                  else
                     half[m++][lane] = v | 0x7e000000;
               }
            for (unsigned i = 0; i < tail; i++) {
               float f = (rand_r(&seed) % 512) / 256.0f;
               if (types[t].type == 11 && i < 2)
                  f = 1.0f + f / 2;
               const uint16_t v = ints ? rand_r(&seed) % 5 : fmt_float_to_half(f, false);
               full[n++][lane] = ints ? v : fmt_f2u(fmt_half_to_float(v));
               if (i & 1)
                  half[m - 1][lane] = (half[m - 1][lane] & 0xffff) | (uint32_t)v << 16;
               else
                  half[m++][lane] = v | 0x7e000000;
            }
         }
         uint32_t want[5][64];
         memcpy(addr, full, sizeof(addr));
         run(&im, a16_ops[k].op, ~0ull, (struct options){ 0 });
         memcpy(want, result, sizeof(want));
         memcpy(addr, half, sizeof(addr));
         run(&im, a16_ops[k].op, ~0ull, (struct options){ .a16 = true });
         CHECK(!memcmp(want, result, sizeof(want)), "type %u, %s with A16", types[t].type, isa_op_infos[a16_ops[k].op].name);
      }
   }
}

/* ---- packed loads and stores ---- */

static void test_packed(void)
{
   struct image im = make_image(VA, 9, 2, 0, 8, 8, 1, 1, 5, 1, 8); /* 16 bits */
   const uint16_t v = 0x8123;
   memset(mem, 0, 65536);
   memcpy(mem + surf_offset(im.l, 0, 3, 2, 0, 0), &v, 2);
   addr[0][0] = 3;
   addr[1][0] = 2;
   run(&im, ISA_IMAGE_LOAD_PCK, 1, (struct options){ .dmask = 1 });
   CHECK(result[0][0] == 0x8123, "LOAD_PCK %x", result[0][0]);
   run(&im, ISA_IMAGE_LOAD_PCK_SGN, 1, (struct options){ .dmask = 1 });
   CHECK(result[0][0] == 0xffff8123, "LOAD_PCK_SGN %x", result[0][0]);
   data[0][0] = 0x55667788;
   run(&im, ISA_IMAGE_STORE_PCK, 1, (struct options){ .dmask = 1 });
   CHECK(!memcmp(mem + surf_offset(im.l, 0, 3, 2, 0, 0), "\x88\x77", 2), "STORE_PCK");
   im = make_image(VA, 9, 14, 7, 8, 8, 1, 1, 5, 4, 8); /* 128 bits */
   const uint32_t w[4] = { 1, 2, 3, 4 };
   memcpy(mem + surf_offset(im.l, 0, 3, 2, 0, 0), w, 16);
   run(&im, ISA_IMAGE_LOAD_PCK, 1, (struct options){ .dmask = 0xa });
   CHECK(result[0][0] == 2 && result[1][0] == 4, "LOAD_PCK of dwords 1 and 3: %u %u", result[0][0], result[1][0]);
}

/* ---- reductions ---- */

static void test_reduction(void)
{
   struct image im = make_image(VA, 9, 4, 7, 4, 4, 1, 1, 0, 2, 4);
   for (unsigned i = 0; i < 16; i++) {
      const float v = (float)(i * 7 % 16);
      memcpy(mem + surf_offset(im.l, 0, i & 3, i >> 2, 0, 0), &v, 4);
   }
   im.samp[2] = S_008F38_XY_MAG_FILTER(1) | S_008F38_XY_MIN_FILTER(1);
   for (unsigned n = 0; n < 16; n++) {
      const unsigned x = n & 3, y = n >> 2; /* between texels x, x + 1 (and rows), or on the texel's centre */
      addr[0][n] = fmt_f2u((x + 1.0f) / 4);
      addr[1][n] = fmt_f2u((y + 1.0f) / 4);
      addr[0][16 + n] = fmt_f2u((x + 1.0f) / 4);
      addr[1][16 + n] = fmt_f2u((y + 0.5f) / 4);
   }
   for (unsigned mode = 1; mode < 3; mode++) {
      im.samp[0] = S_008F30_FILTER_MODE(mode);
      run(&im, ISA_IMAGE_SAMPLE_LZ, 0xffffffff, (struct options){ 0 });
      for (unsigned n = 0; n < 32; n++) {
         const unsigned x = n & 3, y = n >> 2 & 3;
         float best = mode == 1 ? 1e9f : -1e9f;
         for (unsigned k = 0; k < (n < 16 ? 4 : 2); k++) { /* the second half: no weight below the row */
            const unsigned tx = (x + (k & 1)) & 3, ty = (y + (k >> 1)) & 3;
            const float v = (float)((ty * 4 + tx) * 7 % 16);
            best = mode == 1 ? fminf(best, v) : fmaxf(best, v);
         }
         CHECK(res(0, n) == best, "mode %u lane %u: %g, not %g", mode, n, res(0, n), best);
      }
   }
}

/* ---- formats ---- */

static void test_pairs(void)
{
   for (unsigned k = 0; k < 2; k++) {
      struct image im = make_image(VA, 9, 32 + k, 0, 16, 8, 1, 1, 9, 2, 8);
      unsigned wrong = 0;
      CHECK(im.l, "layout");
      for (unsigned y = 0; y < 8; y++)
         for (unsigned x = 0; x < 8; x++) {
            const uint32_t v = (x * 0x01030507 + y * 0x20103050) ^ 0x12345678;
            memcpy(mem + surf_offset(im.l, 0, x, y, 0, 0), &v, 4);
         }
      for (unsigned y = 0; y < 8; y++) {
         for (unsigned x = 0; x < 16; x++) {
            addr[0][x] = x;
            addr[1][x] = y;
         }
         run(&im, ISA_IMAGE_LOAD, 0xffff, (struct options){ 0 });
         for (unsigned x = 0; x < 16; x++) {
            float out[4];
            (k ? util_format_g8r8_g8b8_unorm_fetch_rgba : util_format_r8g8_b8g8_unorm_fetch_rgba)(
               out, mem + surf_offset(im.l, 0, x / 2, y, 0, 0), x & 1, 0);
            for (unsigned c = 0; c < 4; c++)
               wrong += fabsf(res(c, x) - out[c]) > 1e-6f;
         }
      }
      CHECK(!wrong, "%s: %u channels", k ? "BG_RG" : "GB_GR", wrong);
   }
}

static void test_96_bits(void)
{
   /* linear rows of three dwords a texel; the descriptor's pitch counts texels */
   struct image im = make_image(VA, 9, 13, 7, 20, 4, 1, 1, 0, 2, 60);
   CHECK(im.l, "layout");
   im.rsrc[2] = S_008F18_WIDTH(19) | S_008F18_HEIGHT(3);
   im.rsrc[4] = S_008F20_PITCH((im.l->desc.epitch + 1) / 3 - 1);
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 20; x++) {
         const float v[3] = { x, y, x + 100 * y };
         memcpy(mem + y * im.l->level[0].row_pitch + 12 * x, v, 12);
      }
   for (unsigned l = 0; l < 64; l++) {
      addr[0][l] = l % 20;
      addr[1][l] = l / 20;
   }
   run(&im, ISA_IMAGE_LOAD, ~0ull, (struct options){ 0 });
   for (unsigned l = 0; l < 64; l++)
      CHECK(res(0, l) == l % 20 && res(1, l) == l / 20 && res(2, l) == l % 20 + 100 * (l / 20) && res(3, l) == 1,
            "texel %u: %g %g %g %g", l, res(0, l), res(1, l), res(2, l), res(3, l));
}

static void test_degamma(void)
{
   struct image im = make_image(VA, 9, 10, 0, 16, 16, 1, 1, 0, 2, 16);
   for (unsigned i = 0; i < 256; i++) {
      const uint8_t t[4] = { i, i, i, i };
      memcpy(mem + surf_offset(im.l, 0, i & 15, i >> 4, 0, 0), t, 4);
   }
   for (unsigned k = 0; k < 2; k++) {
      im.rsrc[1] = (im.rsrc[1] & C_008F14_NUM_FORMAT) | S_008F14_NUM_FORMAT(k ? 9 : 0);
      im.samp[0] = S_008F30_FORCE_DEGAMMA(!k);
      im.samp[3] = S_008F3C_SKIP_DEGAMMA(k);
      for (unsigned first = 0; first < 256; first += 64) {
         for (unsigned l = 0; l < 64; l++) {
            addr[0][l] = fmt_f2u(((first + l) % 16 + 0.5f) / 16);
            addr[1][l] = fmt_f2u(((first + l) / 16 + 0.5f) / 16);
         }
         run(&im, ISA_IMAGE_SAMPLE_LZ, ~0ull, (struct options){ 0 });
         for (unsigned l = 0; l < 64; l++) {
            const float plain = (first + l) / 255.0f, want = k ? plain : util_format_srgb_8unorm_to_linear_float(first + l);
            CHECK(fabsf(res(0, l) - want) < 1e-6f && fabsf(res(3, l) - plain) < 1e-6f, "byte %u: %g", first + l, res(0, l));
         }
      }
   }
}

/* ---- absent memory ---- */

static void test_residency(void)
{
   /* tiles of 64 KB: the first in the hole, the second behind it */
   struct image im = make_image(HOLE, 9, 10, 4, 256, 128, 1, 1, 9, 2, 256);
   CHECK(im.l && surf_offset(im.l, 0, 128, 0, 0, 0) == 65536, "tiles are 128x128");
   memset(mem + (HOLE - VA), 7, 2 * 65536);
   addr[0][0] = 5;
   addr[1][0] = 9;
   addr[0][1] = 130;
   addr[1][1] = 9;
   run(&im, ISA_IMAGE_LOAD, 3, (struct options){ .tfe = true });
   CHECK(result[0][0] == 0 && result[4][0] != 0, "absent: %u, code %u", result[0][0], result[4][0]);
   CHECK(result[0][1] == 7 && result[4][1] == 0, "present: %u, code %u", result[0][1], result[4][1]);
   /* a footprint over the edge has one texel that is absent */
   im.rsrc[1] = (im.rsrc[1] & C_008F14_NUM_FORMAT) | S_008F14_NUM_FORMAT(0);
   im.samp[2] = S_008F38_XY_MAG_FILTER(1) | S_008F38_XY_MIN_FILTER(1);
   addr[0][0] = fmt_f2u(128.0f / 256);
   addr[0][1] = fmt_f2u(131.0f / 256);
   addr[1][0] = addr[1][1] = fmt_f2u(0.5f);
   run(&im, ISA_IMAGE_SAMPLE_LZ, 3, (struct options){ .tfe = true });
   CHECK(result[4][0] != 0 && result[4][1] == 0, "footprint: codes %u %u", result[4][0], result[4][1]);
   data[0][0] = data[1][0] = data[2][0] = data[3][0] = 0;
   addr[0][0] = 5;
   addr[1][0] = 9;
   im.rsrc[1] = (im.rsrc[1] & C_008F14_NUM_FORMAT) | S_008F14_NUM_FORMAT(4);
   run(&im, ISA_IMAGE_STORE, 1, (struct options){ 0 });
   run(&im, ISA_IMAGE_LOAD, 1, (struct options){ .tfe = true });
   CHECK(result[0][0] == 0 && result[4][0] != 0, "a write into the hole vanishes");
   /* buffers */
   struct isa_inst inst;
   isa_inst_init(&inst, ISA_BUFFER_LOAD_DWORD);
   inst.offen = inst.tfe = true;
   struct ta_buffer_op op = { .inst = &inst, .exec = 3, .voffset = addr[0], .result = result, .num_result = 2 };
   op.rsrc[0] = (uint32_t)HOLE;
   op.rsrc[1] = S_008F04_BASE_ADDRESS_HI(HOLE >> 32);
   op.rsrc[2] = 2 * 65536;
   addr[0][0] = 16;
   addr[0][1] = 65536 + 16;
   ta_buffer(&env, &op);
   CHECK(result[0][0] == 0 && result[1][0] != 0 && result[0][1] == 0x07070707 && result[1][1] == 0, "buffer: %x %u %x %u",
         result[0][0], result[1][0], result[0][1], result[1][1]);
}

/* ---- Whole waves against lane by lane ---- */

static uint32_t lcg = 1;
static uint32_t rnd(void) { return (lcg = lcg * 1664525u + 1013904223u) >> 8; }

static void move_addresses(const struct image *im, unsigned w, unsigned h, unsigned d, bool mip)
{
   const unsigned type = G_008F1C_TYPE(im->rsrc[3]), coords = type == 9 ? 2 : 3;
   const uint32_t x = rnd() % w, y = rnd() % h;
   const bool run = rnd() % 2; /* neighbours in a row */
   for (unsigned l = 0; l < 64; l++) {
      addr[0][l] = run ? x + l : rnd() % (w + 2) - (rnd() % 16 == 0);
      addr[1][l] = run ? y : rnd() % (h + 2);
      addr[2][l] = coords == 3 ? rnd() % (d + 1) : rnd();
      if (mip)
         addr[coords][l] = run ? rnd() % 2 : rnd() % 5;
   }
}

/* A few lanes, and TFE, take the general way. */
static void test_moves(void)
{
   static const struct { uint8_t df, nf, log2; } formats[] = {
      { 10, 0, 2 }, { 10, 9, 2 }, { 10, 1, 2 }, { 10, 4, 2 }, { 1, 0, 0 }, { 3, 0, 1 }, { 5, 7, 2 }, { 12, 7, 3 },
      { 14, 7, 4 }, { 14, 4, 4 }, { 9, 0, 2 }, { 16, 0, 1 }, { 4, 7, 2 }, { 11, 4, 3 },
   };
   static const uint8_t types[] = { 9, 10, 13 }, swizzles[] = { 0, 25, 27 };
   static uint8_t before[1 << 20], after[1 << 20];
   unsigned tried = 0;

   for (unsigned n = 0; n < 500; n++) {
      const unsigned k = rnd() % (sizeof(formats) / sizeof(formats[0])), type = types[rnd() % 3], sw = swizzles[rnd() % 3];
      const unsigned d = type == 9 ? 1 : 4, levels = sw && type != 10 ? 3 : 1;
      struct image im = make_image(VA, type, formats[k].df, formats[k].nf, 40, 24, d, levels, sw, formats[k].log2, 40);
      const bool mip = rnd() % 2, nan = rnd() % 2;
      uint32_t got[4][64];
      uint64_t exec = ((uint64_t)rnd() << 40) ^ ((uint64_t)rnd() << 20) ^ rnd();
      if (!im.l || im.l->size > sizeof(before))
         continue;
      tried++;
      exec |= n % 3 ? ~0ull >> (rnd() % 32) : 0xf00;
      if (rnd() % 2)
         im.rsrc[3] = (im.rsrc[3] & ~0xfffu) | S_008F1C_DST_SEL_X(6) | S_008F1C_DST_SEL_Y(5) | S_008F1C_DST_SEL_Z(4) |
                      S_008F1C_DST_SEL_W(rnd() % 2);
      move_addresses(&im, 40, 24, d, mip);
      for (unsigned i = 0; i < 1 << 20; i++)
         mem[i] = (uint8_t)(i * 37 + n + (i >> 9));
      const unsigned dmask = 1 + rnd() % 15, num = (unsigned)__builtin_popcount(dmask);
      run(&im, mip ? ISA_IMAGE_LOAD_MIP : ISA_IMAGE_LOAD, exec, (struct options){ .dmask = dmask });
      memcpy(got, result, sizeof(got));
      run(&im, mip ? ISA_IMAGE_LOAD_MIP : ISA_IMAGE_LOAD, exec, (struct options){ .dmask = dmask, .tfe = true });
      CHECK(!memcmp(got, result, num * 256), "load %u: format %u, type %u, swizzle %u, dmask 0x%x", n, formats[k].df, type, sw, dmask);

      if (formats[k].nf == 9) /* no stores to sRGB */
         continue;
      for (unsigned i = 0; i < 4; i++)
         for (unsigned l = 0; l < 64; l++)
            data[i][l] = nan && rnd() % 4 == 0 ? rnd() << 8 ^ rnd() : fmt_f2u((float)(int)(rnd() % 1400 - 200) / 1000);
      memcpy(before, mem, sizeof(before));
      run(&im, mip ? ISA_IMAGE_STORE_MIP : ISA_IMAGE_STORE, exec, (struct options){ 0 });
      memcpy(after, mem, sizeof(after));
      memcpy(mem, before, sizeof(before));
      for (unsigned l = 0; l < 64; l++)
         if (exec >> l & 1)
            run(&im, mip ? ISA_IMAGE_STORE_MIP : ISA_IMAGE_STORE, 1ull << l, (struct options){ 0 });
      CHECK(!memcmp(after, mem, sizeof(after)), "store %u: format %u %u, type %u, swizzle %u", n, formats[k].df, formats[k].nf, type, sw);
   }
   CHECK(tried > 150, "only %u images", tried);
}

int main(void)
{
   struct model_options options = { 0 };
   const unsigned rw = TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE;
   env.report = report_create(&options);
   env.stats = &stats;
   env.regs = &regs;
   env.vm = vm_create(env.report);
   env.addrlib = surf_addrlib_create(142, 0x41, 0x24000042);
   mem = aligned_alloc(65536, SIZE);
   memset(mem, 0, SIZE);
   if (!env.addrlib || vm_map(env.vm, VA, HOLE - VA, mem, rw, 1) ||
       vm_map(env.vm, HOLE, 65536, NULL, rw | TGSIAMD_MODEL_PRT, 2) ||
       vm_map(env.vm, HOLE + 65536, SIZE - (HOLE - VA) - 65536, mem + (HOLE - VA) + 65536, rw, 1))
      return 1;
   test_a16();
   test_packed();
   test_reduction();
   test_pairs();
   test_96_bits();
   test_degamma();
   test_residency();
   test_moves();
   CHECK(report_violations(env.report) == 0, "the model complained");
   if (report_violations(env.report))
      report_print(env.report, &stats, stderr);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
