/* SPDX-License-Identifier: MIT */
/* Texture sampling, buffer loads and blending on the model's TA and CB, against
 * values worked out by hand and against the GL specification's equations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amdgfxregs.h"
#include "cb/cb.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "regs/regs.h"
#include "surf/fmt.h"
#include "surf/surf.h"
#include "ta/ta.h"
#include "tgsiamd/isa.h"
#include "tgsiamd/model.h"
#include "vm/vm_internal.h"

#include "check.h"

#define VA   0x100000000ull
#define SIZE (8u << 20)
#define BC_VA (VA + SIZE - 65536)

static uint8_t *mem;
static struct model_env env;
static struct regs regs;
static struct model_stats stats;

static uint32_t result[5][64], addr[8][64];

struct image { uint32_t rsrc[8], samp[4]; const struct surf_layout *l; };

static struct image make_image(unsigned type, unsigned data, unsigned num, unsigned w, unsigned h, unsigned d,
                               unsigned levels, unsigned sw, unsigned bytes_log2)
{
   struct image im = { 0 };
   struct surf_desc desc = { .swizzle_mode = sw, .bytes_log2 = bytes_log2, .resource_type = type == 10 ? 2 : 1,
                             .num_levels = levels, .width = w, .height = h, .depth = d };
   /* the pitch that goes with the size: found by asking twice */
   for (desc.epitch = 0; desc.epitch < 4096; desc.epitch++) {
      im.l = surf_layout_get(env.addrlib, &desc);
      if (im.l && !im.l->epitch_mismatch)
         break;
   }
   im.rsrc[0] = VA >> 8;
   im.rsrc[1] = S_008F14_BASE_ADDRESS_HI(VA >> 40) | S_008F14_DATA_FORMAT(data) | S_008F14_NUM_FORMAT(num);
   im.rsrc[2] = S_008F18_WIDTH(w - 1) | S_008F18_HEIGHT(h - 1);
   im.rsrc[3] = S_008F1C_DST_SEL_X(4) | S_008F1C_DST_SEL_Y(5) | S_008F1C_DST_SEL_Z(6) | S_008F1C_DST_SEL_W(7) |
                S_008F1C_LAST_LEVEL(levels - 1) | S_008F1C_SW_MODE(sw) | S_008F1C_TYPE(type);
   im.rsrc[4] = S_008F20_DEPTH(d - 1) | S_008F20_PITCH(desc.epitch);
   im.rsrc[5] = S_008F24_MAX_MIP(levels - 1);
   im.samp[1] = S_008F34_MAX_LOD(0xfff);
   return im;
}

static void put(const struct image *im, unsigned level, unsigned x, unsigned y, unsigned z, const void *texel)
{
   memcpy(mem + surf_offset(im->l, level, x, y, z, 0), texel, 1u << im->l->desc.bytes_log2);
}
static void put8(const struct image *im, unsigned level, unsigned x, unsigned y, unsigned z, uint8_t r, uint8_t g,
                 uint8_t b, uint8_t a)
{
   uint8_t t[4] = { r, g, b, a };
   put(im, level, x, y, z, t);
}

static void run(const struct image *im, enum isa_op op, unsigned num_addr, uint64_t exec)
{
   struct isa_inst inst;
   isa_inst_init(&inst, op);
   inst.dmask = 0xf;
   inst.da = G_008F1C_TYPE(im->rsrc[3]) >= 11;
   struct ta_image_op o = { .inst = &inst, .num_addr = num_addr, .exec = exec, .result = result, .num_result = 4 };
   memcpy(o.rsrc, im->rsrc, 32);
   memcpy(o.samp, im->samp, 16);
   for (unsigned i = 0; i < num_addr; i++)
      o.addr[i] = addr[i];
   memset(result, 0xcd, sizeof(result));
   ta_image(&env, &o);
}

static float res(unsigned c, unsigned lane) { return fmt_u2f(result[c][lane]); }
static bool near(float a, float b) { return fabsf(a - b) < 1e-6f; }

static void test_filter(void)
{
   struct image im = make_image(9, 10, 0, 4, 4, 1, 1, 0, 2);
   for (unsigned y = 0; y < 4; y++)
      for (unsigned x = 0; x < 4; x++)
         put8(&im, 0, x, y, 0, 60 * x, 60 * y, 255, 128);
   /* texel centres, point */
   for (unsigned l = 0; l < 16; l++) {
      addr[0][l] = fmt_f2u(((l & 3) + 0.5f) / 4);
      addr[1][l] = fmt_f2u(((l >> 2) + 0.5f) / 4);
   }
   run(&im, ISA_IMAGE_SAMPLE_LZ, 2, 0xffff);
   for (unsigned l = 0; l < 16; l++)
      CHECK(near(res(0, l), 60 * (l & 3) / 255.0f) && near(res(1, l), 60 * (l >> 2) / 255.0f) && res(2, l) == 1.0f,
            "point texel %u: %g %g", l, res(0, l), res(1, l));
   CHECK(result[0][16] == 0xcdcdcdcd, "a lane outside of EXEC was written");
   /* linear, half way between texels 1 and 2; then clamp and wrap at the edge */
   im.samp[2] = S_008F38_XY_MAG_FILTER(1) | S_008F38_XY_MIN_FILTER(1);
   addr[0][0] = fmt_f2u(0.5f);
   addr[1][0] = fmt_f2u(0.125f);
   addr[0][1] = fmt_f2u(0.0f);
   addr[1][1] = fmt_f2u(0.125f);
   addr[0][2] = fmt_f2u(1.0f + 0.125f + 0.0625f);
   addr[1][2] = fmt_f2u(-0.125f);
   run(&im, ISA_IMAGE_SAMPLE_LZ, 2, 7);
   CHECK(near(res(0, 0), 90 / 255.0f) && res(1, 0) == 0.0f, "linear middle: %g", res(0, 0));
   CHECK(near(res(0, 1), 90 / 255.0f), "linear wrap: %g", res(0, 1)); /* texels 3 and 0 */
   CHECK(near(res(0, 2), 15 / 255.0f) && near(res(1, 2), 180 / 255.0f), "wrap both: %g %g", res(0, 2), res(1, 2));
   im.samp[0] = S_008F30_CLAMP_X(2) | S_008F30_CLAMP_Y(2);
   run(&im, ISA_IMAGE_SAMPLE_LZ, 2, 7);
   CHECK(res(0, 1) == 0.0f && near(res(0, 2), 180 / 255.0f) && res(1, 2) == 0.0f, "clamp to edge");
   im.samp[0] = S_008F30_CLAMP_X(6) | S_008F30_CLAMP_Y(6);
   im.samp[3] = S_008F3C_BORDER_COLOR_TYPE(2);
   addr[0][3] = fmt_f2u(-3.0f);
   addr[1][3] = fmt_f2u(0.5f);
   run(&im, ISA_IMAGE_SAMPLE_LZ, 2, 15);
   CHECK(near(res(0, 1), 0.5f) && res(0, 3) == 1.0f && res(3, 3) == 1.0f, "border: %g %g", res(0, 1), res(0, 3));
   /* a border colour from the table, on a BGRA texture */
   float bc[4] = { 0.25f, 0.5f, 0.75f, 0.125f };
   memcpy(mem + (BC_VA - VA) + 5 * 16, bc, 16);
   im.samp[3] = S_008F3C_BORDER_COLOR_TYPE(3) | 5;
   im.rsrc[3] = (im.rsrc[3] & ~0x1ffu) | S_008F1C_DST_SEL_X(6) | S_008F1C_DST_SEL_Y(5) | S_008F1C_DST_SEL_Z(4);
   im.rsrc[4] |= S_008F20_BC_SWIZZLE(4);
   run(&im, ISA_IMAGE_SAMPLE_LZ, 2, 15);
   CHECK(res(0, 3) == 0.25f && res(1, 3) == 0.5f && res(2, 3) == 0.75f && res(3, 3) == 0.125f, "border table: %g %g %g %g",
         res(0, 3), res(1, 3), res(2, 3), res(3, 3));
}

static void test_lod(void)
{
   struct image im = make_image(9, 10, 0, 64, 64, 1, 7, 9, 2);
   for (unsigned lv = 0; lv < 7; lv++)
      for (unsigned y = 0; y < 64 >> lv; y++)
         for (unsigned x = 0; x < 64 >> lv; x++)
            put8(&im, lv, x, y, 0, 40 * lv, 0, 0, 255);
   im.samp[2] = S_008F38_MIP_FILTER(1);
   for (unsigned q = 0; q < 8; q++) {
      float step = ldexpf(1.0f, q) / 64.0f;
      for (unsigned l = 0; l < 4; l++) {
         addr[0][4 * q + l] = fmt_f2u(0.3f + (l & 1) * step);
         addr[1][4 * q + l] = fmt_f2u(0.3f + (l >> 1) * step * 0.5f);
      }
   }
   run(&im, ISA_IMAGE_SAMPLE, 2, 0xffffffff);
   for (unsigned q = 0; q < 8; q++)
      CHECK(near(res(0, 4 * q), 40 * (q < 6 ? q : 6) / 255.0f), "level of step 2^%u: %g", q, res(0, 4 * q) * 255 / 40);
   /* trilinear: an explicit level of 2.25 */
   im.samp[2] = S_008F38_MIP_FILTER(2);
   addr[2][0] = fmt_f2u(2.25f);
   run(&im, ISA_IMAGE_SAMPLE_L, 3, 1);
   CHECK(near(res(0, 0), 90 / 255.0f), "trilinear: %g", res(0, 0) * 255);
   /* bias of the sampler, clamps */
   im.samp[2] |= S_008F38_LOD_BIAS(256);
   im.samp[1] = S_008F34_MIN_LOD(0) | S_008F34_MAX_LOD(3 * 256);
   run(&im, ISA_IMAGE_SAMPLE_L, 3, 1);
   CHECK(near(res(0, 0), 120 / 255.0f), "bias and clamp: %g", res(0, 0) * 255);
   /* base level of the view */
   im.rsrc[3] |= S_008F1C_BASE_LEVEL(2);
   im.samp[2] = S_008F38_MIP_FILTER(1);
   addr[2][0] = fmt_f2u(1.0f);
   run(&im, ISA_IMAGE_SAMPLE_L, 3, 1);
   CHECK(near(res(0, 0), 120 / 255.0f), "base level: %g", res(0, 0) * 255);
   addr[0][0] = 0;
   run(&im, ISA_IMAGE_GET_RESINFO, 1, 1);
   CHECK(result[0][0] == 16 && result[1][0] == 16 && result[3][0] == 5, "resinfo %u %u %u", result[0][0], result[1][0],
         result[3][0]);
}

static void test_shapes(void)
{
   /* array: layers round to the nearest, and stay inside */
   struct image im = make_image(13, 10, 0, 8, 8, 3, 1, 5, 2);
   for (unsigned z = 0; z < 3; z++)
      for (unsigned i = 0; i < 64; i++)
         put8(&im, 0, i & 7, i >> 3, z, 10 + z, 0, 0, 0);
   float layers[5] = { -1.0f, 0.4f, 0.6f, 2.4f, 9.0f };
   uint8_t want[5] = { 10, 10, 11, 12, 12 };
   for (unsigned l = 0; l < 5; l++) {
      addr[0][l] = addr[1][l] = fmt_f2u(0.5f);
      addr[2][l] = fmt_f2u(layers[l]);
   }
   run(&im, ISA_IMAGE_SAMPLE_LZ, 3, 31);
   for (unsigned l = 0; l < 5; l++)
      CHECK(near(res(0, l), want[l] / 255.0f), "layer %g: %g", layers[l], res(0, l) * 255);
   /* 3D: linear between two slices */
   im = make_image(10, 10, 0, 8, 8, 4, 1, 9, 2);
   for (unsigned z = 0; z < 4; z++)
      for (unsigned i = 0; i < 64; i++)
         put8(&im, 0, i & 7, i >> 3, z, 40 * z, 0, 0, 0);
   im.samp[2] = S_008F38_XY_MAG_FILTER(1) | S_008F38_XY_MIN_FILTER(1);
   addr[2][0] = fmt_f2u(0.5f);
   run(&im, ISA_IMAGE_SAMPLE_LZ, 3, 1);
   CHECK(near(res(0, 0), 60 / 255.0f), "3D: %g", res(0, 0) * 255);
   /* cube: centre of each face, and across an edge */
   im = make_image(11, 10, 0, 8, 8, 6, 1, 5, 2);
   for (unsigned z = 0; z < 6; z++)
      for (unsigned i = 0; i < 64; i++)
         put8(&im, 0, i & 7, i >> 3, z, 30 * z, 0, 0, 0);
   im.samp[2] = S_008F38_XY_MAG_FILTER(1) | S_008F38_XY_MIN_FILTER(1);
   for (unsigned l = 0; l < 6; l++) {
      addr[0][l] = addr[1][l] = fmt_f2u(1.5f);
      addr[2][l] = fmt_f2u(l);
   }
   addr[0][6] = fmt_f2u(2.0f); /* +Z's right edge meets +X */
   addr[1][6] = fmt_f2u(1.5f);
   addr[2][6] = fmt_f2u(4.0f);
   run(&im, ISA_IMAGE_SAMPLE_LZ, 3, 127);
   for (unsigned l = 0; l < 6; l++)
      CHECK(near(res(0, l), 30 * l / 255.0f), "face %u: %g", l, res(0, l) * 255);
   CHECK(near(res(0, 6), 60 / 255.0f), "edge +Z +X: %g", res(0, 6) * 255);
   /* loads: outside gives 0; integers stay */
   im = make_image(9, 10, 4, 5, 3, 1, 1, 9, 2);
   put8(&im, 0, 4, 2, 0, 1, 2, 3, 4);
   addr[0][0] = 4;
   addr[1][0] = 2;
   addr[0][1] = 5;
   addr[1][1] = 2;
   addr[0][2] = ~0u;
   addr[1][2] = 0;
   run(&im, ISA_IMAGE_LOAD, 2, 7);
   CHECK(result[0][0] == 1 && result[3][0] == 4 && result[0][1] == 0 && result[3][2] == 0, "load");
   /* gather: the four texels around a corner, in the order of GL */
   im = make_image(9, 10, 0, 4, 4, 1, 1, 0, 2);
   for (unsigned i = 0; i < 16; i++)
      put8(&im, 0, i & 3, i >> 2, 0, i, 0, 0, 0);
   addr[0][0] = addr[1][0] = fmt_f2u(0.5f);
   struct isa_inst inst;
   isa_inst_init(&inst, ISA_IMAGE_GATHER4_LZ);
   inst.dmask = 1;
   struct ta_image_op o = { .inst = &inst, .num_addr = 2, .exec = 1, .result = result, .num_result = 4,
                            .addr = { addr[0], addr[1] } };
   memcpy(o.rsrc, im.rsrc, 32);
   memcpy(o.samp, im.samp, 16);
   ta_image(&env, &o);
   CHECK(near(res(0, 0) * 255, 9) && near(res(1, 0) * 255, 10) && near(res(2, 0) * 255, 6) && near(res(3, 0) * 255, 5),
         "gather %g %g %g %g", res(0, 0) * 255, res(1, 0) * 255, res(2, 0) * 255, res(3, 0) * 255);
}

static void test_buffers(void)
{
   struct isa_inst inst;
   uint32_t vindex[64], voffset[64];
   float v[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
   memcpy(mem, v, 32);
   struct ta_buffer_op op = { .inst = &inst, .exec = 0xff, .vindex = vindex, .voffset = voffset, .result = result, .num_result = 2 };
   for (unsigned l = 0; l < 64; l++) {
      vindex[l] = l;
      voffset[l] = 8 * l;
   }
   op.rsrc[0] = (uint32_t)VA;
   op.rsrc[1] = S_008F04_BASE_ADDRESS_HI(VA >> 32) | S_008F04_STRIDE(8);
   op.rsrc[2] = 3; /* three structures */
   op.rsrc[3] = S_008F0C_DST_SEL_X(4) | S_008F0C_DST_SEL_Y(5) | S_008F0C_DST_SEL_Z(0) | S_008F0C_DST_SEL_W(1) |
                S_008F0C_DATA_FORMAT(11) | S_008F0C_NUM_FORMAT(7);
   isa_inst_init(&inst, ISA_BUFFER_LOAD_FORMAT_XYZW);
   inst.idxen = true;
   op.num_result = 4;
   ta_buffer(&env, &op);
   CHECK(res(0, 2) == 5 && res(1, 2) == 6 && res(2, 2) == 0 && res(3, 2) == 1, "format load");
   CHECK(res(0, 3) == 0 && res(1, 3) == 0, "index beyond NUM_RECORDS: %g", res(0, 3));
   /* raw: bytes, each dword for itself */
   op.rsrc[1] = S_008F04_BASE_ADDRESS_HI(VA >> 32);
   op.rsrc[2] = 28;
   isa_inst_init(&inst, ISA_BUFFER_LOAD_DWORDX2);
   inst.offen = true;
   op.num_result = 2;
   ta_buffer(&env, &op);
   CHECK(res(0, 3) == 7 && res(1, 3) == 0 && res(0, 4) == 0, "raw range: %g %g", res(0, 3), res(1, 3));
   uint32_t data[64];
   for (unsigned l = 0; l < 64; l++) {
      data[l] = 1;
      voffset[l] = 64;
   }
   memset(mem + 64, 0, 4);
   op.rsrc[2] = 1024;
   op.exec = ~0ull;
   op.data[0] = data;
   isa_inst_init(&inst, ISA_BUFFER_ATOMIC_ADD);
   inst.offen = inst.glc = true;
   op.num_result = 1;
   ta_buffer(&env, &op);
   uint32_t sum;
   memcpy(&sum, mem + 64, 4);
   CHECK(sum == 64 && result[0][63] == 63, "atomic add: %u, last saw %u", sum, result[0][63]);
}

/* ---- Blending ---- */

static void set_ctx(uint32_t reg, uint32_t v)
{
   regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v;
   regs.context_serial++;
}

/* GL 4.6 table 17.2, by hardware number. */
static float gl_factor(unsigned f, unsigned c, const float s[4], const float d[4], const float k[4])
{
   switch (f) {
   case 0: return 0;
   case 1: return 1;
   case 2: return s[c];
   case 3: return 1 - s[c];
   case 4: return s[3];
   case 5: return 1 - s[3];
   case 6: return d[3];
   case 7: return 1 - d[3];
   case 8: return d[c];
   case 9: return 1 - d[c];
   case 10: return c == 3 ? 1 : fminf(s[3], 1 - d[3]);
   case 13: return k[c];
   case 14: return 1 - k[c];
   case 19: return k[3];
   case 20: return 1 - k[3];
   }
   return 0;
}

static void test_blend(void)
{
   static const uint8_t factors[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 19, 20 };
   struct cb *cb = cb_create();
   struct image im = make_image(9, 10, 0, 16, 16, 1, 1, 0, 2);
   const float k[4] = { 0.2f, 0.4f, 0.6f, 0.8f };
   set_ctx(R_028C60_CB_COLOR0_BASE, VA >> 8);
   set_ctx(R_028C64_CB_COLOR0_BASE_EXT, VA >> 40);
   set_ctx(R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(15) | S_028C68_MIP0_HEIGHT(15));
   set_ctx(R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(10) | S_028C70_COMP_SWAP(1) | S_028C70_BLEND_CLAMP(1));
   set_ctx(R_028C74_CB_COLOR0_ATTRIB, S_028C74_RESOURCE_TYPE(1));
   set_ctx(R_0287A0_CB_MRT0_EPITCH, im.l->desc.epitch);
   set_ctx(R_028238_CB_TARGET_MASK, 0xf);
   set_ctx(R_02823C_CB_SHADER_MASK, 0xf);
   set_ctx(R_028714_SPI_SHADER_COL_FORMAT, 9);
   set_ctx(R_028808_CB_COLOR_CONTROL, S_028808_MODE(1) | S_028808_ROP3(0xcc));
   for (unsigned i = 0; i < 4; i++)
      set_ctx(R_028414_CB_BLEND_RED + 4 * i, fmt_f2u(k[i]));

   uint32_t color[4][64];
   struct msg_ps_quads q = { .num_quads = 1, .x = { 2 }, .y = { 4 }, .color = { color }, .color_en = { 0xf } };
   for (unsigned l = 0; l < 4; l++)
      q.coverage[l] = 1;
   unsigned seed = 1;
   for (unsigned n = 0; n < 4000; n++) {
      unsigned sf = factors[rand_r(&seed) % 15], df = factors[rand_r(&seed) % 15], fn = rand_r(&seed) % 5;
      unsigned sa = factors[rand_r(&seed) % 15], da = factors[rand_r(&seed) % 15], fa = rand_r(&seed) % 5;
      set_ctx(R_028780_CB_BLEND0_CONTROL, S_028780_ENABLE(1) | S_028780_SEPARATE_ALPHA_BLEND(1) |
              S_028780_COLOR_SRCBLEND(sf) | S_028780_COLOR_DESTBLEND(df) | S_028780_COLOR_COMB_FCN(fn) |
              S_028780_ALPHA_SRCBLEND(sa) | S_028780_ALPHA_DESTBLEND(da) | S_028780_ALPHA_COMB_FCN(fa));
      float s[4], d[4], want[4];
      uint8_t old[4];
      static const uint8_t bgra[4] = { 2, 1, 0, 3 };
      for (unsigned c = 0; c < 4; c++) {
         s[c] = (rand_r(&seed) % 1001) / 1000.0f;
         old[bgra[c]] = rand_r(&seed);
         d[c] = old[bgra[c]] / 255.0f;
         for (unsigned l = 0; l < 4; l++)
            color[c][l] = fmt_f2u(s[c]);
      }
      for (unsigned c = 0; c < 4; c++) {
         float a = s[c] * gl_factor(c == 3 ? sa : sf, c, s, d, k), b = d[c] * gl_factor(c == 3 ? da : df, c, s, d, k);
         unsigned f = c == 3 ? fa : fn;
         want[c] = f == 0 ? a + b : f == 1 ? a - b : f == 2 ? fminf(a, b) : f == 3 ? fmaxf(a, b) : b - a;
         want[c] = fminf(fmaxf(want[c], 0), 1);
      }
      put(&im, 0, 3, 5, 0, old);
      cb_begin_draw(cb, &env);
      cb_write(cb, &env, &q);
      const uint8_t *p = mem + surf_offset(im.l, 0, 3, 5, 0, 0);
      for (unsigned c = 0; c < 4; c++)
         CHECK(fabsf(p[bgra[c]] - want[c] * 255.0f) < 0.501f, "blend %u/%u fn %u channel %u: %u, want %g", sf, df, fn, c,
               p[bgra[c]], want[c] * 255.0f);
   }
   /* write mask and logic operation: XOR of red only */
   set_ctx(R_028780_CB_BLEND0_CONTROL, 0);
   set_ctx(R_028238_CB_TARGET_MASK, 0x1);
   set_ctx(R_028808_CB_COLOR_CONTROL, S_028808_MODE(1) | S_028808_ROP3(0x66));
   put8(&im, 0, 2, 4, 0, 1, 2, 0xf0, 4);
   for (unsigned c = 0; c < 4; c++)
      color[c][0] = fmt_f2u(0x3c / 255.0f);
   cb_begin_draw(cb, &env);
   cb_write(cb, &env, &q);
   const uint8_t *p = mem + surf_offset(im.l, 0, 2, 4, 0, 0);
   CHECK(p[0] == 1 && p[1] == 2 && p[2] == (0xf0 ^ 0x3c) && p[3] == 4, "logic op %02x %02x %02x %02x", p[0], p[1], p[2], p[3]);
   cb_destroy(cb);
}

/* DCC: a cleared block becomes real on first touch, and textures read both. */
static void test_dcc(void)
{
   struct cb *cb = cb_create();
   struct image im = make_image(9, 10, 0, 64, 64, 1, 1, 25, 2);
   uint64_t meta = VA + (1 << 20);
   uint32_t color[4][64];
   struct msg_ps_quads q = { .num_quads = 1, .x = { 8 }, .y = { 8 }, .color = { color }, .color_en = { 0xf } };
   memset(mem, 0x77, 65536);
   memset(mem + (1 << 20), 0xc0, 65536); /* white */
   set_ctx(R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(63) | S_028C68_MIP0_HEIGHT(63));
   set_ctx(R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(10) | S_028C70_BLEND_CLAMP(1) | S_028C70_DCC_ENABLE(1));
   set_ctx(R_028C74_CB_COLOR0_ATTRIB, S_028C74_RESOURCE_TYPE(1) | S_028C74_COLOR_SW_MODE(25) | S_028C74_RB_ALIGNED(1) |
           S_028C74_PIPE_ALIGNED(1));
   set_ctx(R_0287A0_CB_MRT0_EPITCH, im.l->desc.epitch);
   set_ctx(R_028C94_CB_COLOR0_DCC_BASE, meta >> 8);
   set_ctx(R_028C98_CB_COLOR0_DCC_BASE_EXT, meta >> 40);
   set_ctx(R_028238_CB_TARGET_MASK, 0xf);
   set_ctx(R_028808_CB_COLOR_CONTROL, S_028808_MODE(1) | S_028808_ROP3(0xcc));
   memset(color, 0, sizeof(color));
   q.coverage[0] = 1;
   cb_begin_draw(cb, &env);
   cb_write(cb, &env, &q);
   im.rsrc[5] |= S_008F24_META_PIPE_ALIGNED(1) | S_008F24_META_RB_ALIGNED(1) | S_008F24_META_DATA_ADDRESS(meta >> 40);
   im.rsrc[6] = S_008F28_COMPRESSION_EN(1) | S_008F28_ALPHA_IS_ON_MSB(1);
   im.rsrc[7] = meta >> 8;
   for (unsigned l = 0; l < 3; l++) {
      addr[0][l] = 8 + l;
      addr[1][l] = 8;
   }
   addr[0][2] = 40;
   run(&im, ISA_IMAGE_LOAD, 2, 7);
   CHECK(res(0, 0) == 0 && res(0, 1) == 1 && res(3, 1) == 1 && res(0, 2) == 1, "DCC: %g %g %g", res(0, 0), res(0, 1),
         res(0, 2));
   CHECK(mem[surf_offset(im.l, 0, 9, 8, 0, 0)] == 0xff, "the block was not written");
   CHECK(mem[surf_offset(im.l, 0, 40, 8, 0, 0)] == 0x77, "an untouched block was written");
   cb_destroy(cb);
}

/* Whatever a descriptor holds: complaints, but no crash. */
static void test_garbage(void)
{
   static const enum isa_op ops[] = {
      ISA_IMAGE_SAMPLE, ISA_IMAGE_SAMPLE_L, ISA_IMAGE_SAMPLE_C_LZ, ISA_IMAGE_SAMPLE_D_O, ISA_IMAGE_GATHER4_LZ,
      ISA_IMAGE_LOAD, ISA_IMAGE_LOAD_MIP, ISA_IMAGE_GET_RESINFO, ISA_IMAGE_GET_LOD, ISA_IMAGE_STORE,
   };
   struct model_report *keep = env.report;
   struct model_options quiet = { .no_check = ~0u };
   struct tgsiamd_model_vm *vm = env.vm;
   unsigned seed = 7;
   env.report = report_create(&quiet);
   env.vm = vm_create(env.report);
   if (vm_map(env.vm, VA, SIZE, mem, TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE, 1))
      return;
   for (unsigned n = 0; n < 60000; n++) {
      struct image im = { 0 };
      for (unsigned i = 0; i < 8; i++)
         im.rsrc[i] = (uint32_t)rand_r(&seed) << 16 ^ rand_r(&seed);
      for (unsigned i = 0; i < 4; i++)
         im.samp[i] = (uint32_t)rand_r(&seed) << 16 ^ rand_r(&seed);
      if (n & 1) { /* half of them nearly right */
         im.rsrc[0] = VA >> 8;
         im.rsrc[1] = (im.rsrc[1] & 0x3ff00000) | VA >> 40;
         im.rsrc[2] &= 0x0007c01f;
         im.rsrc[3] = (im.rsrc[3] & 0x01f00fff) | 8u << 28 | (rand_r(&seed) % 8) << 28;
         im.rsrc[4] &= 7 | 127 << 13;
         im.rsrc[5] &= 1 | 3u << 28;
         im.rsrc[6] = 0;
      }
      for (unsigned a = 0; a < 8; a++)
         for (unsigned l = 0; l < 64; l++)
            addr[a][l] = rand_r(&seed) & 1 ? fmt_f2u(rand_r(&seed) % 100 / 25.0f - 1) : rand_r(&seed) % 40;
      struct isa_inst inst;
      isa_inst_init(&inst, ops[rand_r(&seed) % (sizeof(ops) / sizeof(ops[0]))]);
      inst.dmask = 1 + rand_r(&seed) % 15;
      inst.da = rand_r(&seed) & 1;
      struct ta_image_op o = { .inst = &inst, .num_addr = 8, .exec = 0xf, .result = result, .num_result = 4 };
      memcpy(o.rsrc, im.rsrc, 32);
      memcpy(o.samp, im.samp, 16);
      for (unsigned i = 0; i < 8; i++)
         o.addr[i] = addr[i];
      for (unsigned i = 0; i < 4; i++)
         o.data[i] = addr[i];
      report_begin(env.report);
      ta_image(&env, &o);
   }
   vm_destroy(env.vm);
   report_destroy(env.report);
   env.report = keep;
   env.vm = vm;
   checks++;
}

int main(void)
{
   struct model_options options = { 0 };
   env.report = report_create(&options);
   env.stats = &stats;
   env.regs = &regs;
   env.vm = vm_create(env.report);
   env.addrlib = surf_addrlib_create(142, 0x41, 0x24000042);
   mem = aligned_alloc(65536, SIZE);
   memset(mem, 0, SIZE);
   if (!env.addrlib || vm_map(env.vm, VA, SIZE, mem, TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE, 1))
      return 1;
   set_ctx(R_028080_TA_BC_BASE_ADDR, BC_VA >> 8);
   set_ctx(R_028084_TA_BC_BASE_ADDR_HI, BC_VA >> 40);
   test_filter();
   test_lod();
   test_shapes();
   test_buffers();
   test_blend();
   test_dcc();
   test_garbage();
   CHECK(report_violations(env.report) == 0, "the model complained");
   if (report_violations(env.report))
      report_print(env.report, &stats, stderr);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
