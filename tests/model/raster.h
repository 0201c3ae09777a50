/* SPDX-License-Identifier: MIT */
/* PA and SC with registers and vertices made by hand, onto 64x64 pixels with y
 * downwards. */
#ifndef TEST_RASTER_H
#define TEST_RASTER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amdgfxregs.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "pa/pa.h"
#include "regs/regs.h"
#include "sc/sc.h"
#include "tgsiamd/hw.h"

#include "check.h"

static struct regs regs;
static struct model_stats stats;
static struct model_env env;
static struct msg_vs_out vs;
static struct pa *pa;
static struct sc *sc;
/* What came out: pixels, the samples of the latest quad there, primitives. */
static uint8_t hits[64][64];
static uint16_t samples[64][64];
static struct msg_sc_prim prims[512];
static unsigned num_prims, outside;

static inline void set_ctx(uint32_t reg, uint32_t v) { regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v; }
static inline void set_ctx_f(uint32_t reg, float f) { set_ctx(reg, geom_fui(f)); }

static inline uint32_t rnd(uint32_t n)
{
   static uint32_t state = 1;
   state ^= state << 13;
   state ^= state >> 17;
   state ^= state << 5;
   return state % n;
}

static inline void set_viewport(unsigned i, float x, float y, float half_w, float half_h)
{
   const float v[6] = { half_w, x, half_h, y, 0.5f, 0.5f };
   for (unsigned c = 0; c < 6; c++)
      set_ctx_f(R_02843C_PA_CL_VPORT_XSCALE + i * 24 + c * 4, v[c]);
   set_ctx_f(R_0282D4_PA_SC_VPORT_ZMAX_0 + i * 8, 1);
}

static inline void default_state(void)
{
   memset(&regs, 0, sizeof(regs));
   memset(&vs, 0, sizeof(vs));
   set_ctx(R_028818_PA_CL_VTE_CNTL, 0x43f);
   set_ctx(R_028BE4_PA_SU_VTX_CNTL, 0x2d);
   set_viewport(0, 32, 32, 32, 32);
   set_ctx_f(R_028BF0_PA_CL_GB_HORZ_CLIP_ADJ, 100);
   set_ctx_f(R_028BE8_PA_CL_GB_VERT_CLIP_ADJ, 100);
   set_ctx_f(R_028BF4_PA_CL_GB_HORZ_DISC_ADJ, 1);
   set_ctx_f(R_028BEC_PA_CL_GB_VERT_DISC_ADJ, 1);
   set_ctx(R_028034_PA_SC_SCREEN_SCISSOR_BR, 0x40004000);
   set_ctx(R_028208_PA_SC_WINDOW_SCISSOR_BR, 64 | 64 << 16);
   set_ctx(R_028244_PA_SC_GENERIC_SCISSOR_BR, 0x40004000);
   set_ctx(R_02820C_PA_SC_CLIPRECT_RULE, 0xffff);
   set_ctx(R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0, ~0u);
   set_ctx(R_028C3C_PA_SC_AA_MASK_X0Y1_X1Y1, ~0u);
   set_ctx(R_028A08_PA_SU_LINE_CNTL, 8);
   set_ctx(R_028230_PA_SC_EDGERULE, 0xaa99aaaa);
}

/* Four samples at (-2,-6) (6,-2) (-6,2) (2,6), in 1/16 pixel. */
static inline void four_samples(void)
{
   set_ctx(R_028BE0_PA_SC_AA_CONFIG, S_028BE0_MSAA_NUM_SAMPLES(2));
   set_ctx(R_028A48_PA_SC_MODE_CNTL_0, S_028A48_MSAA_ENABLE(1));
   for (unsigned p = 0; p < 4; p++)
      set_ctx(R_028BF8_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + p * 16, 0x622ae6ae);
}

static void on_quads(void *ctx, struct msg_quad *quads, unsigned num)
{
   (void)ctx;
   for (unsigned n = 0; n < num; n++) {
      for (unsigned i = 0; i < 4; i++) {
         int x = quads[n].x + (int)(i & 1), y = quads[n].y + (int)(i >> 1);
         if (!quads[n].cover[i])
            continue;
         if (x < 0 || x >= 64 || y < 0 || y >= 64) {
            outside++;
            continue;
         }
         hits[y][x]++;
         samples[y][x] = quads[n].cover[i];
      }
   }
}

static void on_prim(void *ctx, const struct msg_sc_prim *prim)
{
   const struct sc_sink sink = { .quads = on_quads };
   (void)ctx;
   if (num_prims < 512)
      prims[num_prims] = *prim;
   num_prims++;
   sc_rasterise(sc, prim, &sink);
}

/* Draws n vertices as a list; `provoking` vertex of each primitive. */
static inline void run_from(enum geom_prim kind, unsigned n, const float (*pos)[4], unsigned provoking)
{
   static struct msg_vgt_batch b;
   const struct pa_sink sink = { .prim = on_prim };
   static const unsigned size[4] = { 1, 2, 3, 3 };

   b.kind = kind;
   b.num_verts = n;
   b.num_prims = n / size[kind];
   for (unsigned i = 0; i < n; i++)
      for (unsigned c = 0; c < 4; c++)
         vs.pos[0][c][i] = geom_fui(pos[i][c]);
   for (unsigned i = 0; i < b.num_prims; i++) {
      b.prims[i] = (struct msg_vgt_prim){ .edges = 7, .start = i == 0, .provoking = provoking };
      for (unsigned k = 0; k < size[kind]; k++)
         b.prims[i].v[k] = i * size[kind] + k;
   }
   memset(hits, 0, sizeof(hits));
   memset(samples, 0, sizeof(samples));
   num_prims = outside = 0;
   pa_begin_draw(pa, &env);
   sc_begin_draw(sc, &env);
   pa_process(pa, &env, &b, &vs, &sink);
}

static inline void run(enum geom_prim kind, unsigned n, const float (*pos)[4]) { run_from(kind, n, pos, 0); }

static inline unsigned total(void)
{
   unsigned n = 0;
   for (unsigned y = 0; y < 64; y++)
      for (unsigned x = 0; x < 64; x++)
         n += hits[y][x];
   return n;
}

static inline void raster_begin(void)
{
   static struct model_options options;
   static struct tgsiamd_chip chip = { .name = "raven", .num_rb = 2 };

   env.regs = &regs;
   env.stats = &stats;
   env.chip = &chip;
   env.report = report_create(&options);
   pa = pa_create();
   sc = sc_create();
   default_state();
}

static inline int raster_end(void)
{
   pa_destroy(pa);
   sc_destroy(sc);
   report_destroy(env.report);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}

#endif
