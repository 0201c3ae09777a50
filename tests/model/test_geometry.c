/* SPDX-License-Identifier: MIT */
/* VGT, PA and SC with hand-made registers and vertices: assembly of every
 * primitive type, clipping, fill rule, diamond rule. */
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
#include "vgt/vgt.h"

#include "check.h"

static struct regs regs;
static struct model_stats stats;
static struct model_env env;

static void set_ctx(uint32_t reg, uint32_t v) { regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v; }
static void set_ctx_f(uint32_t reg, float f) { set_ctx(reg, geom_fui(f)); }
static void set_uc(uint32_t reg, uint32_t v) { regs.uconfig[(reg - REGS_UCONFIG_BASE) / 4] = v; }

static uint32_t rng = 1;
static uint32_t rnd(uint32_t n)
{
   rng ^= rng << 13;
   rng ^= rng >> 17;
   rng ^= rng << 5;
   return rng % n;
}

/* A 64x64 target, y downwards, everything on, nothing culled. */
static void default_state(void)
{
   memset(&regs, 0, sizeof(regs));
   set_uc(R_030920_VGT_MAX_VTX_INDX, ~0u);
   set_ctx(R_028818_PA_CL_VTE_CNTL, 0x43f);
   set_ctx(R_028BE4_PA_SU_VTX_CNTL, 0x2d);
   set_ctx_f(R_02843C_PA_CL_VPORT_XSCALE, 32);
   set_ctx_f(R_02843C_PA_CL_VPORT_XSCALE + 4, 32);
   set_ctx_f(R_02843C_PA_CL_VPORT_XSCALE + 8, 32);
   set_ctx_f(R_02843C_PA_CL_VPORT_XSCALE + 12, 32);
   set_ctx_f(R_02843C_PA_CL_VPORT_XSCALE + 16, 0.5f);
   set_ctx_f(R_02843C_PA_CL_VPORT_XSCALE + 20, 0.5f);
   set_ctx_f(R_0282D4_PA_SC_VPORT_ZMAX_0, 1);
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

/* ---- VGT ---- */
static struct { unsigned n; uint32_t v[64][3]; uint32_t flat[64]; unsigned edges[64]; unsigned size; } got;

static void on_batch(void *ctx, const struct msg_vgt_batch *b)
{
   static const unsigned size[4] = { 1, 2, 3, 3 };
   (void)ctx;
   got.size = size[b->kind];
   for (unsigned i = 0; i < b->num_prims && got.n < 64; i++, got.n++) {
      for (unsigned k = 0; k < 3; k++)
         got.v[got.n][k] = b->vertex_id[b->prims[i].v[k]];
      got.flat[got.n] = b->vertex_id[b->prims[i].v[b->prims[i].provoking]];
      got.edges[got.n] = b->prims[i].edges;
   }
}

static void assembly(struct vgt *vgt, unsigned type, bool last, unsigned count, const char *expect)
{
   char text[1024];
   int len = 0;
   const struct vgt_sink sink = { .batch = on_batch };
   struct msg_draw draw = { .num_indices = count, .num_instances = 1 };

   set_uc(R_030908_VGT_PRIMITIVE_TYPE, type);
   set_ctx(R_028814_PA_SU_SC_MODE_CNTL, S_028814_PROVOKING_VTX_LAST(last));
   memset(&got, 0, sizeof(got));
   const struct vgt_mode mode = { .reuse = true, .max_prims = GEOM_BATCH_PRIMS };
   vgt_draw(vgt, &env, &draw, &mode, &sink);
   text[0] = 0;
   for (unsigned i = 0; i < got.n; i++) {
      len += sprintf(text + len, "%s", i ? " " : "");
      for (unsigned k = 0; k < got.size; k++)
         len += sprintf(text + len, "%u", got.v[i][k]);
      len += sprintf(text + len, ":%u", got.flat[i]);
      if (got.size == 3)
         len += sprintf(text + len, "/%u", got.edges[i]);
   }
   CHECK(!strcmp(text, expect), "primitive type %u last %u: '%s', expected '%s'", type, last, text, expect);
}

static void test_vgt(void)
{
   struct vgt *vgt = vgt_create();

   assembly(vgt, V_008958_DI_PT_POINTLIST, true, 3, "0:0 1:1 2:2");
   assembly(vgt, V_008958_DI_PT_LINELIST, true, 5, "01:1 23:3");
   assembly(vgt, V_008958_DI_PT_LINESTRIP, false, 4, "01:0 12:1 23:2");
   assembly(vgt, V_008958_DI_PT_LINELOOP, true, 4, "01:1 12:2 23:3 30:0");
   assembly(vgt, V_008958_DI_PT_TRILIST, true, 7, "012:2/7 345:5/7");
   assembly(vgt, V_008958_DI_PT_TRISTRIP, true, 5, "012:2/7 213:3/7 234:4/7");
   assembly(vgt, V_008958_DI_PT_TRISTRIP, false, 5, "012:0/7 132:1/7 234:2/7");
   assembly(vgt, V_008958_DI_PT_TRIFAN, true, 5, "012:2/7 023:3/7 034:4/7");
   assembly(vgt, V_008958_DI_PT_TRIFAN, false, 5, "120:1/7 230:2/7 340:3/7");
   assembly(vgt, V_008958_DI_PT_QUADLIST, true, 9, "013:3/5 123:3/3 457:7/5 567:7/3");
   assembly(vgt, V_008958_DI_PT_QUADLIST, false, 4, "012:0/3 023:0/6");
   assembly(vgt, V_008958_DI_PT_QUADSTRIP, true, 6, "013:3/3 032:3/6 235:5/3 254:5/6");
   assembly(vgt, V_008958_DI_PT_POLYGON, true, 3, "012:0/7");
   assembly(vgt, V_008958_DI_PT_POLYGON, true, 5, "012:0/3 023:0/2 034:0/6");
   assembly(vgt, V_008958_DI_PT_LINELIST_ADJ, true, 8, "12:2 56:6");
   assembly(vgt, V_008958_DI_PT_LINESTRIP_ADJ, true, 6, "12:2 23:3 34:4");
   assembly(vgt, V_008958_DI_PT_TRILIST_ADJ, true, 12, "024:4/7 6810:10/7");
   assembly(vgt, V_008958_DI_PT_TRISTRIP_ADJ, true, 8, "024:4/7 426:6/7");
   vgt_destroy(vgt);
}

/* ---- PA and SC ---- */
static uint8_t hits[64][64];
static struct sc *sc;
static struct pa *pa;
static unsigned num_prims, outside;

static void on_quad(const struct msg_quad *q)
{
   for (unsigned i = 0; i < 4; i++) {
      int x = q->x + (int)(i & 1), y = q->y + (int)(i >> 1);
      if (!q->cover[i])
         continue;
      if (x < 0 || x >= 64 || y < 0 || y >= 64) {
         outside++;
         continue;
      }
      hits[y][x]++;
   }
}

static void on_quads(void *ctx, struct msg_quad *quads, unsigned num)
{
   (void)ctx;
   for (unsigned n = 0; n < num; n++)
      on_quad(&quads[n]);
}

static void on_prim(void *ctx, const struct msg_sc_prim *prim)
{
   const struct sc_sink sink = { .quads = on_quads };
   (void)ctx;
   num_prims++;
   sc_rasterise(sc, prim, &sink);
}

static void run(enum geom_prim kind, unsigned n, const float (*pos)[4])
{
   static struct msg_vgt_batch b;
   static struct msg_vs_out vs;
   const struct pa_sink sink = { .prim = on_prim };
   static const unsigned size[4] = { 1, 2, 3, 3 };

   b.kind = kind;
   b.num_verts = n;
   b.num_prims = n / size[kind];
   for (unsigned i = 0; i < n; i++)
      for (unsigned c = 0; c < 4; c++)
         vs.pos[0][c][i] = geom_fui(pos[i][c]);
   for (unsigned i = 0; i < b.num_prims; i++) {
      b.prims[i] = (struct msg_vgt_prim){ .edges = 7, .start = 1 };
      for (unsigned k = 0; k < size[kind]; k++)
         b.prims[i].v[k] = i * size[kind] + k;
   }
   memset(hits, 0, sizeof(hits));
   num_prims = outside = 0;
   pa_begin_draw(pa, &env);
   sc_begin_draw(sc, &env);
   pa_process(pa, &env, &b, &vs, &sink);
}

static unsigned total(void)
{
   unsigned n = 0;
   for (unsigned y = 0; y < 64; y++)
      for (unsigned x = 0; x < 64; x++)
         n += hits[y][x];
   return n;
}

/* A fan around a random point inside the target covers each pixel once. */
static void test_fill_rule(void)
{
   for (unsigned round = 0; round < 200; round++) {
      float pos[24][4], corner[8][2] = {
         { -1, -1 }, { 0, -1 }, { 1, -1 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { -1, 1 }, { -1, 0 },
      };
      /* Every other round the centre lies on pixel centres or corners. */
      float cx = round & 1 ? (int)rnd(120) / 64.0f - 0.9375f : rnd(2000) / 1000.0f - 1;
      float cy = round & 1 ? (int)rnd(120) / 64.0f - 0.9375f : rnd(2000) / 1000.0f - 1;
      for (unsigned i = 0; i < 8; i++) {
         const float *a = corner[i], *b = corner[(i + 1) % 8];
         float *p[3] = { pos[i * 3], pos[i * 3 + 1], pos[i * 3 + 2] };
         p[0][0] = cx, p[0][1] = cy;
         memcpy(p[1], round & 2 ? a : b, 8);
         memcpy(p[2], round & 2 ? b : a, 8);
         for (unsigned k = 0; k < 3; k++)
            p[k][2] = 0, p[k][3] = 1;
      }
      run(GEOM_TRIANGLES, 24, (const float (*)[4])pos);
      for (unsigned y = 0; y < 64; y++)
         for (unsigned x = 0; x < 64; x++)
            CHECK(hits[y][x] == 1, "round %u: pixel %u,%u is drawn %u times", round, x, y, hits[y][x]);
      CHECK(!outside, "pixels outside");
   }
}

static void test_clip(void)
{
   /* z runs from -3 w at the left to w at the right: the near plane halves it. */
   const float near[3][4] = { { -1, -1, -3, 1 }, { 1, -1, 1, 1 }, { 1, 1, 1, 1 } };
   run(GEOM_TRIANGLES, 3, near);
   for (unsigned y = 0; y < 64; y++)
      for (unsigned x = 0; x < 64; x++)
         CHECK(hits[y][x] == (x >= 32 && x >= y), "near plane: pixel %u,%u: %u", x, y, hits[y][x]);
   /* A vertex behind the eye. */
   const float behind[3][4] = { { 0, -1, 0, 1 }, { 0, 1, 0, 1 }, { 2, 0, -1, -1 } };
   run(GEOM_TRIANGLES, 3, behind);
   CHECK(total() > 0 && !outside, "behind the eye: %u pixels", total());
   for (unsigned y = 0; y < 64; y++)
      for (unsigned x = 0; x < 32; x++)
         CHECK(hits[y][x] == 0, "behind the eye: pixel %u,%u", x, y);
   /* Beyond the guard band. */
   const float far_out[3][4] = { { -1e6, -1e6, 0, 1 }, { 1e6, -1e6, 0, 1 }, { 0, 2e6, 0, 1 } };
   run(GEOM_TRIANGLES, 3, far_out);
   CHECK(total() == 64 * 64, "guard band: %u pixels", total());
   const float left[3][4] = { { -3, -1, 0, 1 }, { -1.5f, -1, 0, 1 }, { -2, 1, 0, 1 } };
   run(GEOM_TRIANGLES, 3, left);
   CHECK(num_prims == 0, "a triangle off the screen is not dropped");
}

static void test_cull(void)
{
   const float ccw_down[3][4] = { { -1, -1, 0, 1 }, { -1, 1, 0, 1 }, { 1, 1, 0, 1 } };

   set_ctx(R_028814_PA_SU_SC_MODE_CNTL, S_028814_CULL_BACK(1));
   run(GEOM_TRIANGLES, 3, ccw_down);
   CHECK(num_prims == 1, "counter-clockwise on the screen is front");
   set_ctx(R_028814_PA_SU_SC_MODE_CNTL, S_028814_CULL_BACK(1) | S_028814_FACE(1));
   run(GEOM_TRIANGLES, 3, ccw_down);
   CHECK(num_prims == 0, "FACE turns it around");
   set_ctx(R_028814_PA_SU_SC_MODE_CNTL, 0);
}

/* A closed strip of lines draws each pixel of its outline once or, where
 * lines turn back, twice; a single line has as many pixels as steps. */
static void test_lines(void)
{
   for (unsigned round = 0; round < 300; round++) {
      float pos[2][4] = { { 0 } };
      int x[2], y[2];
      for (unsigned i = 0; i < 2; i++) {
         x[i] = rnd(64), y[i] = rnd(64);
         pos[i][0] = (x[i] + 0.5f) / 32 - 1;
         pos[i][1] = (y[i] + 0.5f) / 32 - 1;
         pos[i][3] = 1;
      }
      run(GEOM_LINES, 2, (const float (*)[4])pos);
      unsigned steps = abs(x[1] - x[0]) > abs(y[1] - y[0]) ? abs(x[1] - x[0]) : abs(y[1] - y[0]);
      CHECK(total() == steps, "line %d,%d to %d,%d: %u pixels, expected %u", x[0], y[0], x[1], y[1], total(), steps);
      if (steps) {
         CHECK(hits[y[0]][x[0]] == 1, "line %d,%d to %d,%d lacks its start", x[0], y[0], x[1], y[1]);
         CHECK(hits[y[1]][x[1]] == 0, "line %d,%d to %d,%d has its end", x[0], y[0], x[1], y[1]);
      }
   }
   /* Wide */
   const float wide[2][4] = { { -0.5f, 0, 0, 1 }, { 0.5f, 0, 0, 1 } };
   set_ctx(R_028A08_PA_SU_LINE_CNTL, 8 * 5);
   run(GEOM_LINES, 2, wide);
   CHECK(total() == 32 * 5, "wide line: %u pixels", total());
   set_ctx(R_028A08_PA_SU_LINE_CNTL, 8);
}

static void test_points(void)
{
   const float p[1][4] = { { 1.0f / 64, 1.0f / 64, 0, 1 } };
   for (unsigned size = 1; size < 20; size++) {
      set_ctx(R_028A00_PA_SU_POINT_SIZE, size * 8 | size * 8 << 16);
      set_ctx(R_028A04_PA_SU_POINT_MINMAX, size * 8 | size * 8 << 16);
      run(GEOM_POINTS, 1, p);
      CHECK(total() == size * size, "point of size %u: %u pixels", size, total());
      CHECK(hits[32][32], "point of size %u misses its centre", size);
   }
}

static void test_scissor(void)
{
   const float all[3][4] = { { -4, -1, 0, 1 }, { 4, -1, 0, 1 }, { 0, 9, 0, 1 } };
   set_ctx(R_028204_PA_SC_WINDOW_SCISSOR_TL, 5 | 9 << 16);
   set_ctx(R_028208_PA_SC_WINDOW_SCISSOR_BR, 50 | 31 << 16);
   run(GEOM_TRIANGLES, 3, all);
   CHECK(total() == 45 * 22 && hits[9][5] && hits[30][49] && !hits[8][5] && !hits[31][49], "scissor: %u pixels", total());
   default_state();
}

int main(void)
{
   struct model_options options = { 0 };
   struct tgsiamd_chip chip = { .name = "raven", .num_rb = 2 };

   env.regs = &regs;
   env.stats = &stats;
   env.chip = &chip;
   env.report = report_create(&options);
   pa = pa_create();
   sc = sc_create();
   default_state();
   test_vgt();
   test_fill_rule();
   test_clip();
   test_cull();
   test_lines();
   test_points();
   test_scissor();
   CHECK(report_violations(env.report) == 0, "violations");
   pa_destroy(pa);
   sc_destroy(sc);
   report_destroy(env.report);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
