/* SPDX-License-Identifier: MIT */
/* Modes of PA and SC against the rules of OpenGL 4.6 (compatibility profile): viewport
 * arrays, window rectangles, clip planes and distances, polygon modes, stipple,
 * sprites, interpolation; conservative rasterisation against geometry. */
#include "raster.h"
#include <math.h>

static const float whole[3][4] = { { -1, -1, 0, 1 }, { 3, -1, 0, 1 }, { -1, 3, 0, 1 } };

/* Layer and viewport come from the provoking vertex; each viewport has its scissor. */
static void test_viewports(void)
{
   default_state();
   set_ctx(R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_VS_OUT_MISC_VEC_ENA(1) | S_02881C_USE_VTX_VIEWPORT_INDX(1) |
                                       S_02881C_USE_VTX_RENDER_TARGET_INDX(1));
   set_ctx(R_028A48_PA_SC_MODE_CNTL_0, S_028A48_VPORT_SCISSOR_ENABLE(1));
   for (unsigned i = 0; i < 16; i++) {
      int x = i % 4 * 16, y = i / 4 * 16;
      set_viewport(i, x + 8, y + 8, 8, 8);
      set_ctx(R_028250_PA_SC_VPORT_SCISSOR_0_TL + i * 8, (x + 1) | (y + 2) << 16 | S_028250_WINDOW_OFFSET_DISABLE(1));
      set_ctx(R_028254_PA_SC_VPORT_SCISSOR_0_BR + i * 8, (x + 13) | (y + 15) << 16);
   }
   for (unsigned i = 0; i < 16; i++) {
      for (unsigned provoking = 0; provoking < 3; provoking++) {
         for (unsigned v = 0; v < 3; v++)
            vs.pos[1][2][v] = (v == provoking ? i : (i + 7) & 15) << 16 | (v == provoking ? i * 100 : 3);
         run_from(GEOM_TRIANGLES, 3, whole, provoking);
         CHECK(num_prims == 1 && prims[0].viewport == i && prims[0].layer == i * 100, "viewport %u: %u, layer %u", i,
               prims[0].viewport, prims[0].layer);
         for (int y = 0; y < 64; y++) {
            for (int x = 0; x < 64; x++) {
               int dx = x - (int)(i % 4 * 16), dy = y - (int)(i / 4 * 16);
               CHECK(hits[y][x] == (dx >= 1 && dx < 13 && dy >= 2 && dy < 15), "viewport %u: pixel %d,%d", i, x, y);
            }
         }
      }
   }
}

/* EXT_window_rectangles: inclusive draws in any rectangle, exclusive in none. */
static void test_window_rectangles(void)
{
   for (unsigned round = 0; round < 40; round++) {
      int r[4][4];
      default_state();
      for (unsigned i = 0; i < 4; i++) {
         r[i][0] = rnd(50), r[i][1] = rnd(50);
         r[i][2] = r[i][0] + rnd(14), r[i][3] = r[i][1] + rnd(14);
         set_ctx(R_028210_PA_SC_CLIPRECT_0_TL + i * 8, r[i][0] | r[i][1] << 16);
         set_ctx(R_028214_PA_SC_CLIPRECT_0_BR + i * 8, r[i][2] | r[i][3] << 16);
      }
      /* The rule's bit n answers for pixels in the rectangles of mask n. */
      set_ctx(R_02820C_PA_SC_CLIPRECT_RULE, round & 1 ? 0xfffe : 0x0001);
      run(GEOM_TRIANGLES, 3, whole);
      for (int y = 0; y < 64; y++) {
         for (int x = 0; x < 64; x++) {
            bool in = false;
            for (unsigned i = 0; i < 4; i++)
               in |= x >= r[i][0] && x < r[i][2] && y >= r[i][1] && y < r[i][3];
            CHECK(hits[y][x] == (in == (round & 1)), "window rectangles, round %u: pixel %d,%d", round, x, y);
         }
      }
   }
}

static void test_planes(void)
{
   const float tri[3][4] = { { -1, -1, 0, 1 }, { 1, -1, 0, 1 }, { 1, 1, 0, 1 } };
   const float points[2][4] = { { -1 / 32.0f, 0, 0, 1 }, { 1 / 32.0f, 0, 0, 1 } };

   /* A user plane: x >= 0. */
   default_state();
   set_ctx_f(R_0285BC_PA_CL_UCP_0_X + 16, 1);
   set_ctx(R_028810_PA_CL_CLIP_CNTL, S_028810_UCP_ENA_1(1));
   run(GEOM_TRIANGLES, 3, tri);
   for (unsigned y = 0; y < 64; y++)
      for (unsigned x = 0; x < 64; x++)
         CHECK(hits[y][x] == (x >= 32 && x >= y), "user plane: pixel %u,%u", x, y);
   /* A wide point stays or goes with its centre. */
   set_ctx(R_028A00_PA_SU_POINT_SIZE, 8 * 8 * 0x10001);
   set_ctx(R_028A04_PA_SU_POINT_MINMAX, 8 * 8 * 0x10001);
   run(GEOM_POINTS, 2, points);
   CHECK(total() == 64 && hits[32][32], "points at a user plane: %u pixels", total());
   /* UCP_CULL_ONLY_ENA: only what lies outside as a whole goes. */
   set_ctx(R_028810_PA_CL_CLIP_CNTL, S_028810_UCP_ENA_1(1) | S_028810_UCP_CULL_ONLY_ENA(1));
   run(GEOM_TRIANGLES, 3, tri);
   CHECK(total() == 64 * 65 / 2, "a culling plane clips: %u pixels", total());
   set_ctx_f(R_0285BC_PA_CL_UCP_0_X + 16 + 12, -2);
   run(GEOM_TRIANGLES, 3, tri);
   CHECK(total() == 0, "a culling plane does not cull");

   /* Distances 0..7 in two exports. */
   for (unsigned d = 0; d < 8; d++) {
      default_state();
      uint32_t vec = d < 4 ? S_02881C_VS_OUT_CCDIST0_VEC_ENA(1) : S_02881C_VS_OUT_CCDIST1_VEC_ENA(1);
      float dist[3] = { -1, 1, 1 };
      for (unsigned v = 0; v < 3; v++)
         vs.pos[1][d & 3][v] = geom_fui(dist[v]);
      set_ctx(R_02881C_PA_CL_VS_OUT_CNTL, vec | 1u << d);
      run(GEOM_TRIANGLES, 3, tri);
      for (unsigned y = 0; y < 64; y++)
         for (unsigned x = 0; x < 64; x++)
            CHECK(hits[y][x] == (x >= 32 && x >= y), "clip distance %u: pixel %u,%u", d, x, y);
      set_ctx(R_02881C_PA_CL_VS_OUT_CNTL, vec | 0x100u << d);
      run(GEOM_TRIANGLES, 3, tri);
      CHECK(total() == 64 * 65 / 2, "cull distance %u clips", d);
      for (unsigned v = 0; v < 3; v++)
         vs.pos[1][d & 3][v] = geom_fui(v == 1 ? NAN : -0.5f);
      run(GEOM_TRIANGLES, 3, tri);
      CHECK(total() == 0, "cull distance %u does not cull", d);
   }
}

/* Edges of polygons: the shader's edge flags, and what clipping adds. */
static void test_polygon_mode(void)
{
   const float tri[3][4] = { { -0.9f, -0.9f, 0, 1 }, { 0.9f, -0.9f, 0, 1 }, { 0.9f, 0.9f, 0, 1 } };

   for (unsigned ptype = 0; ptype < 2; ptype++) {
      default_state();
      set_ctx(R_028A00_PA_SU_POINT_SIZE, 8 * 0x10001);
      set_ctx(R_028A04_PA_SU_POINT_MINMAX, 8 * 0x10001);
      set_ctx(R_028814_PA_SU_SC_MODE_CNTL, S_028814_POLY_MODE(1) | S_028814_POLYMODE_FRONT_PTYPE(ptype) |
                                           S_028814_POLYMODE_BACK_PTYPE(ptype));
      run(GEOM_TRIANGLES, 3, tri);
      CHECK(num_prims == 3, "mode %u: %u primitives of a triangle", ptype, num_prims);
      set_ctx(R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_VS_OUT_MISC_VEC_ENA(1) | S_02881C_USE_VTX_EDGE_FLAG(1));
      for (unsigned flags = 0; flags < 8; flags++) {
         for (unsigned v = 0; v < 3; v++)
            vs.pos[1][1][v] = flags >> v & 1;
         run(GEOM_TRIANGLES, 3, tri);
         CHECK(num_prims == (unsigned)__builtin_popcount(flags), "mode %u, edge flags %u: %u primitives", ptype, flags,
               num_prims);
         for (unsigned i = 0, v = 0; i < num_prims && i < 3; i++, v++) {
            while (!(flags >> v & 1))
               v++;
            const float *a = tri[v], *b = tri[(v + 1) % 3];
            bool at = ptype ? prims[i].x[0] == lrintf((32 * a[0] + 32) * 256) * 16 &&
                              prims[i].y[1] == lrintf((32 * b[1] + 32) * 256) * 16
                            : prims[i].x[1] + prims[i].x[0] == 2 * lrintf((32 * a[0] + 32) * 256) * 16;
            CHECK(at, "mode %u, edge flags %u: primitive %u is elsewhere", ptype, flags, i);
         }
      }
      /* Cut by x >= 0: a triangle of two old edges and a new one. */
      set_ctx(R_02881C_PA_CL_VS_OUT_CNTL, 0);
      set_ctx_f(R_0285BC_PA_CL_UCP_0_X, 1);
      for (unsigned boundary = 0; boundary < 2; boundary++) {
         set_ctx(R_028810_PA_CL_CLIP_CNTL, S_028810_UCP_ENA_0(1) | S_028810_BOUNDARY_EDGE_FLAG_ENA(boundary));
         run(GEOM_TRIANGLES, 3, tri);
         CHECK(num_prims == 3 + boundary, "mode %u, boundary edges %u: %u primitives", ptype, boundary, num_prims);
      }
   }
}

/* OpenGL 14.5.2: bit floor(s / r) mod 16 of the pattern, s counts fragments. */
static void test_stipple(void)
{
   const float lines[4][4] = { { -1, -0.5f + 1 / 64.0f, 0, 1 }, { 0.25f, -0.5f + 1 / 64.0f, 0, 1 },
                               { -1, 0.5f + 1 / 64.0f, 0, 1 }, { 1, 0.5f + 1 / 64.0f, 0, 1 } };

   for (unsigned round = 0; round < 200; round++) {
      unsigned pattern = rnd(0x10000), repeat = 1 + rnd(5), reset = 1 + rnd(2), order = rnd(2), msaa = rnd(2);
      default_state();
      if (msaa)
         four_samples();
      regs.context[(R_028A48_PA_SC_MODE_CNTL_0 - REGS_CONTEXT_BASE) / 4] |= S_028A48_LINE_STIPPLE_ENABLE(1);
      set_ctx(R_028A0C_PA_SC_LINE_STIPPLE, S_028A0C_LINE_PATTERN(pattern) | S_028A0C_REPEAT_COUNT(repeat - 1) |
                                           S_028A0C_PATTERN_BIT_ORDER(order) | S_028A0C_AUTO_RESET_CNTL(reset));
      run(GEOM_LINES, 4, lines);
      for (unsigned l = 0; l < 2; l++) {
         unsigned y = l ? 48 : 16;
         for (unsigned x = 0; x < 64; x++) {
            unsigned s = x + (l && reset == 2 ? 40 : 0), bit = s / repeat % 16;
            bool on = pattern >> (order ? 15 - bit : bit) & 1 && (l || x < 40);
            CHECK(hits[y][x] == on, "pattern 0x%x, repeat %u, reset %u, samples %u: line %u, pixel %u is %u", pattern,
                  repeat, reset, msaa, l, x, hits[y][x]);
         }
      }
   }
}

/* Multisampled lines: EXPAND_LINE_WIDTH keeps the width across the line,
 * without it the width runs along the shorter axis. */
static void test_line_width(void)
{
   for (unsigned round = 0; round < 300; round++) {
      float p[2][4] = { { rnd(200) / 100.0f - 1, rnd(200) / 100.0f - 1, 0, 1 },
                        { rnd(200) / 100.0f - 1, rnd(200) / 100.0f - 1, 0, 1 } };
      unsigned mode = round % 3, width = 1 + rnd(10);
      default_state();
      four_samples();
      set_ctx(R_028A08_PA_SU_LINE_CNTL, width * 8);
      set_ctx(R_028BDC_PA_SC_LINE_CNTL, S_028BDC_EXPAND_LINE_WIDTH(mode > 0) | S_028BDC_PERPENDICULAR_ENDCAP_ENA(mode == 2));
      run(GEOM_LINES, 2, (const float (*)[4])p);
      if (!num_prims)
         continue;
      const struct msg_sc_prim *q = &prims[0];
      double dx = q->x[3] - q->x[0], dy = q->y[3] - q->y[0], wx = q->x[1] - q->x[0], wy = q->y[1] - q->y[0];
      double len = sqrt(dx * dx + dy * dy), across = fabs(dx * wy - dy * wx) / len / GEOM_SUBPIX;
      double minor = (fabs(dx) >= fabs(dy) ? fabs(wy) : fabs(wx)) / GEOM_SUBPIX;
      if (mode)
         CHECK(fabs(across - width) < 0.01, "a line of width %u is %g wide", width, across);
      else
         CHECK(fabs(minor - width) < 0.01, "a line of width %u is %g wide along its shorter axis", width, minor);
      if (mode == 2)
         CHECK(fabs(dx * wx + dy * wy) / len < 4, "ends are not perpendicular");
   }
}

/* OpenGL 14.4.1: s = 1/2 + (x_f + 1/2 - x_w) / size; sizes are clamped. */
static void test_points(void)
{
   for (unsigned round = 0; round < 100; round++) {
      float size = (8 + rnd(300)) / 16.0f, p[1][4] = { { rnd(100) / 100.0f - 0.5f, rnd(100) / 100.0f - 0.5f, 0, 1 } };
      float min = 3, max = 15, used = size < min ? min : size > max ? max : size;
      default_state();
      set_ctx(R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_VS_OUT_MISC_VEC_ENA(1) | S_02881C_USE_VTX_POINT_SIZE(1));
      set_ctx(R_028A04_PA_SU_POINT_MINMAX, S_028A04_MIN_SIZE((unsigned)(min * 8)) | S_028A04_MAX_SIZE((unsigned)(max * 8)));
      vs.pos[1][0][0] = geom_fui(size);
      run(GEOM_POINTS, 1, (const float (*)[4])p);
      CHECK(num_prims == 1 && prims[0].sprite, "no point");
      double xw = 32 * p[0][0] + 32, yw = 32 * p[0][1] + 32;
      for (unsigned y = 0; y < 64; y++) {
         for (unsigned x = 0; x < 64; x++) {
            double dx = fabs(x + 0.5 - xw), dy = fabs(y + 0.5 - yw), r = used / 2, e = 1.0 / 128;
            if (hits[y][x]) {
               double s = 0.5 + (x + 0.5 - xw) / used, t = 0.5 + (y + 0.5 - yw) / used;
               CHECK(dx < r + e && dy < r + e, "point of size %g: pixel %u,%u", size, x, y);
               CHECK(fabs(geom_plane_at(&prims[0].li, x + 0.5 - prims[0].x0, y + 0.5 - prims[0].y0) - s) < 0.01 &&
                     fabs(geom_plane_at(&prims[0].lj, x + 0.5 - prims[0].x0, y + 0.5 - prims[0].y0) - t) < 0.01,
                     "point of size %g: coordinates at %u,%u", size, x, y);
            } else {
               CHECK(dx > r - e || dy > r - e, "point of size %g lacks pixel %u,%u", size, x, y);
            }
         }
      }
   }
}

/* OpenGL 14.6.1: at a fragment, barycentrics a b c of the window triangle;
 * perspective (b / w_b) / (a / w_a + b / w_b + c / w_c). Clipping changes neither. */
static void test_interpolation(void)
{
   for (unsigned round = 0; round < 300; round++) {
      float v[3][4];
      double wx[3], wy[3];
      default_state();
      for (unsigned i = 0; i < 3; i++) {
         float w = 0.5f + rnd(400) / 100.0f;
         v[i][0] = (rnd(300) / 100.0f - 1.5f) * w;
         v[i][1] = (rnd(300) / 100.0f - 1.5f) * w;
         v[i][2] = (rnd(400) / 100.0f - 2) * w;
         v[i][3] = w;
         wx[i] = lrint((32.0 * v[i][0] / w + 32) * 256) / 256.0;
         wy[i] = lrint((32.0 * v[i][1] / w + 32) * 256) / 256.0;
      }
      double det = (wx[1] - wx[0]) * (wy[2] - wy[0]) - (wx[2] - wx[0]) * (wy[1] - wy[0]);
      if (fabs(det) < 200)
         continue;
      run(GEOM_TRIANGLES, 3, (const float (*)[4])v);
      for (unsigned n = 0; n < num_prims; n++) {
         const struct msg_sc_prim *p = &prims[n];
         int64_t area = ((int64_t)p->x[1] - p->x[0]) * (p->y[2] - p->y[0]) - ((int64_t)p->x[2] - p->x[0]) * (p->y[1] - p->y[0]);
         if (llabs(area) < 40LL * GEOM_SUBPIX * GEOM_SUBPIX) /* too thin for its grid */
            continue;
         double x = (p->x[0] + p->x[1] + (double)p->x[2]) / 3 / GEOM_SUBPIX;
         double y = (p->y[0] + p->y[1] + (double)p->y[2]) / 3 / GEOM_SUBPIX;
         double b = ((x - wx[0]) * (wy[2] - wy[0]) - (wx[2] - wx[0]) * (y - wy[0])) / det;
         double c = ((wx[1] - wx[0]) * (y - wy[0]) - (x - wx[0]) * (wy[1] - wy[0])) / det;
         double a = 1 - b - c, sum = a / v[0][3] + b / v[1][3] + c / v[2][3];
         double rw = p->affine ? p->rw.c : geom_plane_at(&p->rw, x - p->x0, y - p->y0);
         double li = geom_plane_at(&p->li, x - p->x0, y - p->y0), lj = geom_plane_at(&p->lj, x - p->x0, y - p->y0);
         double pi = geom_plane_at(&p->pi, x - p->x0, y - p->y0) / rw, pj = geom_plane_at(&p->pj, x - p->x0, y - p->y0) / rw;
         CHECK(fabs(li - b) < 0.01 && fabs(lj - c) < 0.01, "round %u: linear %g %g, expected %g %g", round, li, lj, b, c);
         CHECK(fabs(pi - b / v[1][3] / sum) < 0.02 && fabs(pj - c / v[2][3] / sum) < 0.02,
               "round %u: perspective %g %g, expected %g %g", round, pi, pj, b / v[1][3] / sum, c / v[2][3] / sum);
         CHECK(fabs(rw - sum) < 0.02, "round %u: 1/w %g, expected %g", round, rw, sum);
      }
   }
}

/* A sample is covered when its place lies inside, or on a left or top edge. */
static bool inside(const struct msg_sc_prim *p, int64_t x, int64_t y)
{
   int64_t area = ((int64_t)p->x[1] - p->x[0]) * (p->y[2] - p->y[0]) - ((int64_t)p->x[2] - p->x[0]) * (p->y[1] - p->y[0]);

   for (unsigned i = 0; i < 3; i++) {
      unsigned from = i, to = (i + 1) % 3;
      int64_t dx, dy, side;
      if (area < 0) /* clockwise with y downwards */
         from = to, to = i;
      dx = p->x[to] - p->x[from], dy = p->y[to] - p->y[from];
      side = dx * (y - p->y[from]) - dy * (x - p->x[from]);
      /* clockwise: what runs up is a left edge, what runs to the right a top edge */
      if (side < 0 || (side == 0 && !(dy < 0 || (dy == 0 && dx > 0))))
         return false;
   }
   return true;
}

/* Sample places of each pixel of a quad are programmable; a mask chooses samples. */
static void test_samples(void)
{
   for (unsigned round = 0; round < 60; round++) {
      float pos[3][4] = { { 0 } };
      unsigned log2 = 1 + round % 4, num = 1u << log2, mask[4];
      int sx[4][16], sy[4][16];
      bool same = round % 3 == 0;
      default_state();
      set_ctx(R_028BE0_PA_SC_AA_CONFIG, S_028BE0_MSAA_NUM_SAMPLES(log2));
      set_ctx(R_028A48_PA_SC_MODE_CNTL_0, S_028A48_MSAA_ENABLE(1));
      for (unsigned p = 0; p < 4; p++) {
         uint32_t word[4] = { 0 };
         for (unsigned s = 0; s < 16; s++) {
            sx[p][s] = same && p ? sx[0][s] : (int)rnd(16) - 8;
            sy[p][s] = same && p ? sy[0][s] : (int)rnd(16) - 8;
            word[s / 4] |= ((sx[p][s] & 15u) | (sy[p][s] & 15u) << 4) << (s % 4 * 8);
         }
         for (unsigned w = 0; w < 4; w++)
            set_ctx(R_028BF8_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + p * 16 + w * 4, word[w]);
         mask[p] = round % 2 ? 0xffff : rnd(0x10000);
      }
      set_ctx(R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0, mask[0] | mask[1] << 16);
      set_ctx(R_028C3C_PA_SC_AA_MASK_X0Y1_X1Y1, mask[2] | mask[3] << 16);
      for (unsigned i = 0; i < 3; i++) {
         pos[i][0] = rnd(round % 5 ? 16384 : 64) / (round % 5 ? 8192.0f : 32) - 1;
         pos[i][1] = rnd(round % 5 ? 16384 : 64) / (round % 5 ? 8192.0f : 32) - 1;
         pos[i][3] = 1;
      }
      run(GEOM_TRIANGLES, 3, (const float (*)[4])pos);
      if (!num_prims)
         continue;
      for (unsigned y = 0; y < 64; y++) {
         for (unsigned x = 0; x < 64; x++) {
            unsigned want = 0, p = (x & 1) + (y & 1) * 2;
            for (unsigned s = 0; s < num; s++)
               want |= inside(&prims[0], x * 4096 + 2048 + sx[p][s] * 256, y * 4096 + 2048 + sy[p][s] * 256) << s;
            want &= mask[p];
            CHECK(samples[y][x] == want, "%u samples, round %u: pixel %u,%u has 0x%x, expected 0x%x", num, round, x, y,
                  samples[y][x], want);
         }
      }
   }
}

/* Area that a triangle and a square of this size around a pixel share. */
static double shared_area(double v[3][2], double cx, double cy, double half)
{
   double p[10][2], q[10][2], area = 0;
   unsigned n = 3;

   memcpy(p, v, 3 * sizeof(p[0]));
   for (unsigned side = 0; side < 4; side++) {
      unsigned axis = side & 1, m = 0;
      double sign = side & 2 ? -1 : 1, limit = (axis ? cy : cx) * sign + half;
      for (unsigned i = 0; i < n; i++) {
         double *a = p[i], *b = p[(i + 1) % n], da = limit - sign * a[axis], db = limit - sign * b[axis];
         if (da >= 0)
            memcpy(q[m++], a, sizeof(q[0]));
         if ((da >= 0) != (db >= 0)) {
            double t = da / (da - db);
            q[m][0] = a[0] + t * (b[0] - a[0]);
            q[m++][1] = a[1] + t * (b[1] - a[1]);
         }
      }
      memcpy(p, q, m * sizeof(p[0]));
      n = m;
   }
   for (unsigned i = 1; i + 1 < n; i++)
      area += (p[i][0] - p[0][0]) * (p[i + 1][1] - p[0][1]) - (p[i + 1][0] - p[0][0]) * (p[i][1] - p[0][1]);
   return fabs(area) / 2;
}

static void test_conservative(void)
{
   for (unsigned round = 0; round < 120; round++) {
      float pos[3][4] = { { 0 } };
      double v[3][2];
      bool over = round & 1, msaa = round & 2;
      default_state();
      if (msaa)
         four_samples();
      set_ctx(R_028C4C_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL, S_028C4C_OVER_RAST_ENABLE(over) | S_028C4C_UNDER_RAST_ENABLE(!over));
      for (unsigned i = 0; i < 3; i++) {
         /* On the grid of 1/256; some rounds on whole pixels. */
         unsigned step = round % 5 ? 1 : 256;
         for (unsigned c = 0; c < 2; c++) {
            v[i][c] = (double)(rnd(64 * 256 / step) * step) / 256;
            pos[i][c] = v[i][c] / 32 - 1;
         }
         pos[i][3] = 1;
      }
      if (fabs((v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (v[2][0] - v[0][0]) * (v[1][1] - v[0][1])) < 1)
         continue;
      run(GEOM_TRIANGLES, 3, (const float (*)[4])pos);
      for (unsigned y = 0; y < 64; y++) {
         for (unsigned x = 0; x < 64; x++) {
            double a = shared_area(v, x + 0.5, y + 0.5, 0.5);
            if (msaa && hits[y][x])
               CHECK(samples[y][x] == 15, "conservative: samples 0x%x", samples[y][x]);
            if (over) {
               if (a > 1e-9)
                  CHECK(hits[y][x] == 1, "round %u: pixel %u,%u is touched by %g", round, x, y, a);
               else if (shared_area(v, x + 0.5, y + 0.5, 0.51) == 0)
                  CHECK(hits[y][x] == 0, "round %u: pixel %u,%u is not touched", round, x, y);
            } else if (fabs(a - 1) > 1e-9) {
               CHECK(hits[y][x] == 0, "round %u: pixel %u,%u is covered by %g", round, x, y, a);
            } else if (fabs(shared_area(v, x + 0.5, y + 0.5, 0.51) - 1.02 * 1.02) < 1e-9) {
               CHECK(hits[y][x] == 1, "round %u: pixel %u,%u is wholly covered", round, x, y);
            }
         }
      }
   }
}

/* Without area: pixels that the line between the corners runs through. */
static void test_degenerate(void)
{
   for (unsigned round = 0; round < 100; round++) {
      float pos[3][4] = { { 0 } };
      double ax = rnd(64 * 256) / 256.0, ay = rnd(64 * 256) / 256.0, bx = rnd(64 * 256) / 256.0, by = rnd(64 * 256) / 256.0;
      unsigned twice = rnd(3);
      default_state();
      for (unsigned i = 0; i < 3; i++) {
         bool second = i == twice || i == (twice + 1) % 3;
         pos[i][0] = (second ? bx : ax) / 32 - 1;
         pos[i][1] = (second ? by : ay) / 32 - 1;
         pos[i][3] = 1;
      }
      run(GEOM_TRIANGLES, 3, (const float (*)[4])pos);
      CHECK(num_prims == 0, "a triangle without area is drawn");
      set_ctx(R_028C4C_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL, S_028C4C_OVER_RAST_ENABLE(1));
      run_from(GEOM_TRIANGLES, 3, (const float (*)[4])pos, round % 3);
      CHECK(num_prims == 1 && !prims[0].front && prims[0].li.c == (round % 3 == 1) && prims[0].lj.c == (round % 3 == 2),
            "a triangle without area: %u primitives", num_prims);
      for (unsigned y = 0; y < 64; y++) {
         for (unsigned x = 0; x < 64; x++) {
            for (unsigned k = 0; k < 2; k++) { /* the part of the line in a smaller and in a larger square */
               double half = k ? 0.501 : 0.499, t0 = 0, t1 = 1;
               const double d[2] = { bx - ax, by - ay }, o[2] = { ax - x - 0.5, ay - y - 0.5 };
               for (unsigned c = 0; c < 2; c++) {
                  if (d[c] == 0) {
                     t1 = fabs(o[c]) > half ? -1 : t1;
                     continue;
                  }
                  double u0 = (-half - o[c]) / d[c], u1 = (half - o[c]) / d[c];
                  t0 = fmax(t0, fmin(u0, u1));
                  t1 = fmin(t1, fmax(u0, u1));
               }
               if (k ? t0 > t1 : t0 <= t1)
                  CHECK(hits[y][x] == !k, "line %g,%g to %g,%g: pixel %u,%u is %u", ax, ay, bx, by, x, y, hits[y][x]);
            }
         }
      }
      set_ctx(R_028814_PA_SU_SC_MODE_CNTL, S_028814_CULL_BACK(1));
      run(GEOM_TRIANGLES, 3, (const float (*)[4])pos);
      CHECK(num_prims == 0, "a triangle without area is not culled as a back");
   }
}

static void reported(const char *what, uint32_t reg, uint32_t v)
{
   const float rect[3][4] = { { -0.5f, 0, 0, 1 }, { 0, 0.5f, 0, 1 }, { 0, -0.5f, 0, 1 } };
   uint64_t before = report_violations(env.report);

   default_state();
   set_ctx(reg, v);
   run(GEOM_RECTS, 3, rect);
   CHECK(report_violations(env.report) == before + 2, "%s is not reported", what); /* and the rectangle */
}

static void test_reports(void)
{
   CHECK(report_violations(env.report) == 0, "violations");
   reported("kill flag", R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_USE_VTX_KILL_FLAG(1));
   reported("cut flag", R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_USE_VTX_GS_CUT_FLAG(1));
   reported("line width", R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_USE_VTX_LINE_WIDTH_GFX8(1));
   reported("PS_UCP_MODE", R_028810_PA_CL_CLIP_CNTL, S_028810_PS_UCP_MODE(3) | S_028810_UCP_ENA_0(1));
   reported("near plane", R_028810_PA_CL_CLIP_CNTL, S_028810_ZCLIP_PROG_NEAR_ENA(1));
   reported("clip distance", R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_CLIP_DIST_ENA_0(1));
}

int main(void)
{
   raster_begin();
   test_viewports();
   test_window_rectangles();
   test_planes();
   test_polygon_mode();
   test_stipple();
   test_line_width();
   test_points();
   test_interpolation();
   test_samples();
   test_conservative();
   test_degenerate();
   test_reports();
   return raster_end();
}
