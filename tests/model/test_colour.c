/* SPDX-License-Identifier: MIT */
/* Colour targets: EQAA (fewer fragments than samples) against a picture that
 * keeps every sample's colour, read back through FMASK as textures do and by a
 * resolve; the 16 logic operations on every format that has them. */
#include <math.h>
#include <pthread.h>
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

#define VA     0x100000000ull
#define CMASK  (VA + (2u << 20))
#define FMASK  (VA + (3u << 20))
#define SINGLE (VA + (4u << 20))
#define SIZE   (5u << 20)
#define DIM    16

static uint8_t *mem;
static struct model_env env;
static struct regs regs;
static struct model_stats stats;

static void set(uint32_t reg, uint32_t v)
{
   regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v;
   regs.context_serial++;
}

static const struct surf_layout *layout(struct surf_desc *d)
{
   for (d->epitch = 0; d->epitch < 4096; d->epitch++) {
      const struct surf_layout *l = surf_layout_get(env.addrlib, d);
      if (l && !l->epitch_mismatch)
         return l;
   }
   return NULL;
}

/* FMASK's number format of samples and fragments, by log2. */
static unsigned fmask_format(unsigned s, unsigned f)
{
   static const uint8_t formats[5][4] = {
      { 0, 0, 0, 0 },
      { V_008F14_IMG_NUM_FORMAT_FMASK_8_2_1, V_008F14_IMG_NUM_FORMAT_FMASK_8_2_2, 0, 0 },
      { V_008F14_IMG_NUM_FORMAT_FMASK_8_4_1, V_008F14_IMG_NUM_FORMAT_FMASK_8_4_2, V_008F14_IMG_NUM_FORMAT_FMASK_8_4_4, 0 },
      { V_008F14_IMG_NUM_FORMAT_FMASK_8_8_1, V_008F14_IMG_NUM_FORMAT_FMASK_16_8_2, V_008F14_IMG_NUM_FORMAT_FMASK_32_8_4,
        V_008F14_IMG_NUM_FORMAT_FMASK_32_8_8 },
      { V_008F14_IMG_NUM_FORMAT_FMASK_16_16_1, V_008F14_IMG_NUM_FORMAT_FMASK_32_16_2, V_008F14_IMG_NUM_FORMAT_FMASK_64_16_4,
        V_008F14_IMG_NUM_FORMAT_FMASK_64_16_8 },
   };
   return formats[s][f];
}

static uint32_t fetched[4][64];
/* IMAGE_LOAD of one texel. */
static void load(const uint32_t rsrc[8], unsigned x, unsigned y, unsigned sample)
{
   static uint32_t a[3][64];
   struct isa_inst inst;
   isa_inst_init(&inst, ISA_IMAGE_LOAD);
   inst.dmask = 0xf;
   struct ta_image_op o = { .inst = &inst, .num_addr = 3, .exec = 1, .result = fetched, .num_result = 4,
                            .addr = { a[0], a[1], a[2] } };
   a[0][0] = x;
   a[1][0] = y;
   a[2][0] = sample;
   memcpy(o.rsrc, rsrc, 32);
   ta_image(&env, &o);
}

static void describe(uint32_t rsrc[8], uint64_t va, unsigned type, unsigned df, unsigned nf, unsigned sw, unsigned epitch,
                     unsigned last_level)
{
   memset(rsrc, 0, 32);
   rsrc[0] = va >> 8;
   rsrc[1] = S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(df) | S_008F14_NUM_FORMAT(nf);
   rsrc[2] = S_008F18_WIDTH(DIM - 1) | S_008F18_HEIGHT(DIM - 1);
   rsrc[3] = S_008F1C_DST_SEL_X(4) | S_008F1C_DST_SEL_Y(5) | S_008F1C_DST_SEL_Z(6) | S_008F1C_DST_SEL_W(7) |
             S_008F1C_LAST_LEVEL(last_level) | S_008F1C_SW_MODE(sw) | S_008F1C_TYPE(type);
   rsrc[4] = S_008F20_PITCH(epitch);
}

static void test_eqaa(unsigned s_log2, unsigned f_log2)
{
   const unsigned samples = 1u << s_log2, frags = 1u << f_log2, sw = 25;
   struct surf_desc d = { .swizzle_mode = sw, .bytes_log2 = 2, .samples_log2 = f_log2, .resource_type = 1,
                          .num_levels = 1, .width = DIM, .height = DIM, .depth = 1 };
   struct surf_desc fd = d;
   struct surf_desc sd = d;
   static uint32_t want[DIM][DIM][16], color[4][64];
   struct msg_ps_quads q = { .num_quads = 1, .color = { color }, .color_en = { 0xf } };
   uint32_t msaa[8], fmask[8];
   struct cb *cb = cb_create();
   unsigned seed = 5 + s_log2 * 4 + f_log2, unknown = 0, wrong = 0, lost = 0;

   const unsigned nf = fmask_format(s_log2, f_log2);
   fd.swizzle_mode = 24;
   fd.samples_log2 = 0;
   fd.is_fmask = true;
   fd.bytes_log2 = 31 - __builtin_clz(fmt_image(45, nf)->bytes);
   sd.samples_log2 = 0;
   CHECK(layout(&d) && layout(&fd) && layout(&sd), "layouts of %u samples, %u fragments", samples, frags);
   memset(mem, 0, SIZE);
   memset(want, 0, sizeof(want));
   memset(mem + (CMASK - VA), 0xcc, 1 << 20); /* every sample shows fragment 0 */
   memset(mem + (FMASK - VA), 0xee, 1 << 20);
   set(R_028C60_CB_COLOR0_BASE, VA >> 8);
   set(R_028C64_CB_COLOR0_BASE_EXT, VA >> 40);
   set(R_028C7C_CB_COLOR0_CMASK, CMASK >> 8);
   set(R_028C80_CB_COLOR0_CMASK_BASE_EXT, CMASK >> 40);
   set(R_028C84_CB_COLOR0_FMASK, FMASK >> 8);
   set(R_028C88_CB_COLOR0_FMASK_BASE_EXT, FMASK >> 40);
   set(R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(DIM - 1) | S_028C68_MIP0_HEIGHT(DIM - 1));
   set(R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(4) | S_028C70_NUMBER_TYPE(4) | S_028C70_COMPRESSION(1) |
       S_028C70_BLEND_BYPASS(1));
   set(R_028C74_CB_COLOR0_ATTRIB, S_028C74_RESOURCE_TYPE(1) | S_028C74_COLOR_SW_MODE(sw) | S_028C74_FMASK_SW_MODE(24) |
       S_028C74_NUM_SAMPLES(s_log2) | S_028C74_NUM_FRAGMENTS_GFX6(f_log2) | S_028C74_RB_ALIGNED(1) | S_028C74_PIPE_ALIGNED(1));
   set(R_0287A0_CB_MRT0_EPITCH, d.epitch);
   set(R_028238_CB_TARGET_MASK, 0xf);
   set(R_02823C_CB_SHADER_MASK, 0xf);
   set(R_028714_SPI_SHADER_COL_FORMAT, 1); /* 32_R */
   set(R_028808_CB_COLOR_CONTROL, S_028808_MODE(1) | S_028808_ROP3(0xcc));
   for (unsigned n = 0; n < 4000; n++) {
      q.x[0] = rand_r(&seed) % (DIM / 2) * 2;
      q.y[0] = rand_r(&seed) % (DIM / 2) * 2;
      for (unsigned l = 0; l < 4; l++) {
         const unsigned all = (1u << samples) - 1, kind = rand_r(&seed) % 4;
         q.coverage[l] = kind == 0 ? all : kind == 1 ? 0 : kind == 2 ? 1u << rand_r(&seed) % samples : rand_r(&seed) & all;
         color[0][l] = n * 4 + l + 1;
         for (unsigned s = 0; s < samples; s++)
            if (q.coverage[l] >> s & 1)
               want[q.y[0] + l / 2][q.x[0] + l % 2][s] = color[0][l];
      }
      cb_begin_draw(cb, &env);
      cb_write(cb, &env, &q);
   }
   /* A pass over everything: blocks that nobody touched get their FMASK. */
   set(R_028808_CB_COLOR_CONTROL, S_028808_MODE(5) | S_028808_ROP3(0xcc));
   for (unsigned y = 0; y < DIM; y += 2)
      for (unsigned x = 0; x < DIM; x += 2) {
         q.x[0] = x;
         q.y[0] = y;
         q.coverage[0] = q.coverage[1] = q.coverage[2] = q.coverage[3] = 1;
         cb_begin_draw(cb, &env);
         cb_write(cb, &env, &q);
      }
   describe(msaa, VA, 14, 4, 4, sw, d.epitch, f_log2);
   describe(fmask, FMASK, 9, 45, nf, 24, fd.epitch, 0);
   for (unsigned y = 0; y < DIM; y++)
      for (unsigned x = 0; x < DIM; x++) {
         load(fmask, x, y, 0);
         const uint64_t map = fetched[0][0] | (uint64_t)fetched[1][0] << 32;
         unsigned colours = 0;
         for (unsigned s = 0; s < samples; s++) {
            unsigned first = 0;
            while (want[y][x][first] != want[y][x][s])
               first++;
            colours += first == s;
         }
         for (unsigned s = 0; s < samples; s++) {
            const unsigned f = map >> (4 * s) & 15;
            if (f >= frags) {
               unknown++;
               lost += s < frags || colours <= 1;
               continue;
            }
            load(msaa, x, y, f);
            wrong += fetched[0][0] != want[y][x][s];
         }
      }
   CHECK(!wrong, "%u samples, %u fragments: %u samples show a wrong colour", samples, frags, wrong);
   CHECK(!lost, "%u samples, %u fragments: %u samples that must be known are not", samples, frags, lost);
   CHECK((unknown > 0) == (frags < samples), "%u samples, %u fragments: %u unknown", samples, frags, unknown);
   cb_destroy(cb);
}

static uint32_t gl_logic(unsigned op, uint32_t s, uint32_t d)
{
   switch (op) { /* GL 4.6 table 17.3, as ROP3 codes: 0x00 clear .. 0xff set */
   case 0x00: return 0;
   case 0x11: return ~(s | d);
   case 0x22: return ~s & d;
   case 0x33: return ~s;
   case 0x44: return s & ~d;
   case 0x55: return ~d;
   case 0x66: return s ^ d;
   case 0x77: return ~(s & d);
   case 0x88: return s & d;
   case 0x99: return ~(s ^ d);
   case 0xaa: return d;
   case 0xbb: return ~s | d;
   case 0xcc: return s;
   case 0xdd: return s | ~d;
   case 0xee: return s | d;
   default: return ~0u;
   }
}

static void test_logic(void)
{
   /* format, number type, bytes; UINT targets take the exported bits as they are */
   static const struct { uint8_t format, type, bytes, comps, bits[4]; } f[] = {
      { 1, 4, 1, 1, { 8 } }, { 2, 4, 2, 1, { 16 } }, { 3, 4, 2, 2, { 8, 8 } }, { 4, 4, 4, 1, { 32 } },
      { 5, 4, 4, 2, { 16, 16 } }, { 9, 4, 4, 4, { 10, 10, 10, 2 } }, { 10, 4, 4, 4, { 8, 8, 8, 8 } },
      { 11, 4, 8, 2, { 32, 32 } }, { 12, 4, 8, 4, { 16, 16, 16, 16 } }, { 14, 4, 16, 4, { 32, 32, 32, 32 } },
      { 16, 0, 2, 3, { 5, 6, 5 } }, { 17, 0, 2, 4, { 5, 5, 5, 1 } }, { 19, 0, 2, 4, { 4, 4, 4, 4 } },
      { 10, 0, 4, 4, { 8, 8, 8, 8 } }, { 9, 0, 4, 4, { 10, 10, 10, 2 } }, { 12, 0, 8, 4, { 16, 16, 16, 16 } },
   };
   static uint32_t color[4][64];
   struct msg_ps_quads q = { .num_quads = 1, .x = { 2 }, .y = { 4 }, .coverage = { 1 }, .color = { color }, .color_en = { 0xf } };
   unsigned seed = 9;
   struct cb *cb = cb_create();
   memset(&regs, 0, sizeof(regs));
   for (unsigned k = 0; k < sizeof(f) / sizeof(f[0]); k++) {
      struct surf_desc d = { .bytes_log2 = 31 - __builtin_clz(f[k].bytes), .resource_type = 1, .num_levels = 1,
                             .width = DIM, .height = DIM, .depth = 1 };
      const struct surf_layout *l = layout(&d);
      set(R_028C60_CB_COLOR0_BASE, VA >> 8);
      set(R_028C64_CB_COLOR0_BASE_EXT, VA >> 40);
      set(R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(DIM - 1) | S_028C68_MIP0_HEIGHT(DIM - 1));
      set(R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(f[k].format) | S_028C70_NUMBER_TYPE(f[k].type));
      set(R_028C74_CB_COLOR0_ATTRIB, S_028C74_RESOURCE_TYPE(1));
      set(R_0287A0_CB_MRT0_EPITCH, d.epitch);
      set(R_028238_CB_TARGET_MASK, 0xf);
      set(R_02823C_CB_SHADER_MASK, 0xf);
      set(R_028714_SPI_SHADER_COL_FORMAT, 9);
      for (unsigned op = 0; op < 16; op++) {
         set(R_028808_CB_COLOR_CONTROL, S_028808_MODE(1) | S_028808_ROP3(op * 0x11));
         uint32_t src[4] = { 0 }, dst[4], got[4] = { 0 }, want[4] = { 0 };
         for (unsigned c = 0, at = 0; c < f[k].comps; at += f[k].bits[c++]) {
            const uint32_t max = 0xffffffffu >> (32 - f[k].bits[c]), v = ((uint32_t)rand_r(&seed) << 16 ^ rand_r(&seed)) & max;
            src[at / 32] |= v << (at & 31);
            color[c][0] = f[k].type == 4 ? v : fmt_f2u(v / (float)max);
         }
         uint8_t *p = mem + surf_offset(l, 0, 2, 4, 0, 0);
         for (unsigned i = 0; i < 4; i++) {
            dst[i] = (uint32_t)rand_r(&seed) << 16 ^ rand_r(&seed);
            want[i] = gl_logic(op * 0x11, src[i], dst[i]);
         }
         memcpy(p, dst, f[k].bytes);
         cb_begin_draw(cb, &env);
         cb_write(cb, &env, &q);
         memcpy(got, p, f[k].bytes);
         CHECK(!memcmp(got, want, f[k].bytes), "format %u type %u operation 0x%02x: %08x, not %08x", f[k].format, f[k].type,
               op * 0x11, got[0], want[0]);
      }
   }
   cb_destroy(cb);
}

/* RB+: a conversion that loses bits, an assumption about blending that is wrong. */
static void test_rbplus(void)
{
   struct model_report *keep = env.report;
   struct model_options options = { 0 };
   struct cb *cb = cb_create();
   struct surf_desc d = { .bytes_log2 = 2, .resource_type = 1, .num_levels = 1, .width = DIM, .height = DIM, .depth = 1 };
   static const struct { uint32_t conversion, opt, control; bool blend; unsigned complaints; } t[] = {
      { 0, 0, 0, false, 0 }, { V_028754_SX_RT_EXPORT_8_8_8_8, 0, 0, false, 0 }, { V_028754_SX_RT_EXPORT_2_10_10_10, 0, 0, false, 1 },
      { V_028754_SX_RT_EXPORT_5_6_5, 0, 0, false, 1 },
      /* source alpha, 1 - source alpha, added: right; with ONE assumed for the source: wrong, unless it is off */
      { 5, S_028760_COLOR_SRC_OPT(4) | S_028760_COLOR_DST_OPT(5) | S_028760_COLOR_COMB_FCN(1), 0, true, 0 },
      { 5, S_028760_COLOR_SRC_OPT(1) | S_028760_COLOR_DST_OPT(5) | S_028760_COLOR_COMB_FCN(1), 0, true, 1 },
      { 5, S_028760_COLOR_SRC_OPT(1) | S_028760_COLOR_DST_OPT(5) | S_028760_COLOR_COMB_FCN(1), 1, true, 0 },
      { 5, S_028760_COLOR_SRC_OPT(4) | S_028760_COLOR_DST_OPT(5) | S_028760_COLOR_COMB_FCN(3), 0, true, 1 },
   };
   memset(&regs, 0, sizeof(regs));
   CHECK(layout(&d), "layout");
   set(R_028C60_CB_COLOR0_BASE, VA >> 8);
   set(R_028C64_CB_COLOR0_BASE_EXT, VA >> 40);
   set(R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(DIM - 1) | S_028C68_MIP0_HEIGHT(DIM - 1));
   set(R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(10));
   set(R_028C74_CB_COLOR0_ATTRIB, S_028C74_RESOURCE_TYPE(1));
   set(R_0287A0_CB_MRT0_EPITCH, d.epitch);
   set(R_028238_CB_TARGET_MASK, 0xf);
   set(R_02823C_CB_SHADER_MASK, 0xf);
   set(R_028714_SPI_SHADER_COL_FORMAT, 4);
   set(R_028808_CB_COLOR_CONTROL, S_028808_MODE(1) | S_028808_ROP3(0xcc));
   for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
      env.report = report_create(&options);
      set(R_028754_SX_PS_DOWNCONVERT, t[i].conversion);
      set(R_028760_SX_MRT0_BLEND_OPT, t[i].opt);
      set(R_02875C_SX_BLEND_OPT_CONTROL, t[i].control);
      set(R_028780_CB_BLEND0_CONTROL, t[i].blend ? S_028780_ENABLE(1) | S_028780_COLOR_SRCBLEND(4) | S_028780_COLOR_DESTBLEND(5) : 0);
      cb_begin_draw(cb, &env);
      CHECK(report_violations(env.report) == t[i].complaints, "case %u: %llu complaints", i,
            (unsigned long long)report_violations(env.report));
      report_destroy(env.report);
   }
   env.report = keep;
   cb_destroy(cb);
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
   for (unsigned s = 1; s < 5; s++)
      for (unsigned f = 0; f <= s && f < 4; f++)
         test_eqaa(s, f);
   test_logic();
   test_rbplus();
   CHECK(report_violations(env.report) == 0, "the model complained");
   if (report_violations(env.report))
      report_print(env.report, &stats, stderr);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
