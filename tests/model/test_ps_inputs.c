/* SPDX-License-Identifier: MIT */
/* What a pixel shader starts with, from the primitive to the VGPR: barycentrics at
 * centre, centroid and sample, position, face, coverage, against OpenGL 4.6
 * (14.6.1 for the interpolation, 14.3.1 for centroid and sample). */
#include "raster.h"
#include "spi/spi_internal.h"
#include "sq/sq.h"
#include <math.h>

/* VGPRs when everything but the line stipple is asked for. */
enum { PERSP_SAMPLE = 0, PERSP_CENTER = 2, PERSP_CENTROID = 4, PULL = 6, LINEAR_SAMPLE = 9, LINEAR_CENTER = 11,
       LINEAR_CENTROID = 13, POS = 15, FRONT = 19, ANCILLARY = 20, COVERAGE = 21, FIXED = 22, NUM_VGPRS = 23 };

static struct spi *spi;
static struct spi_ps *wave;
static double wx[3], wy[3], wz[3], wc[3]; /* the triangle in the window, and w of clip space */
static int sx[4], sy[4];
static unsigned lanes_seen, parts_seen;
static bool per_sample, front;

static void at(double x, double y, double lin[2], double persp[2], double *rw, double *z)
{
   double det = (wx[1] - wx[0]) * (wy[2] - wy[0]) - (wx[2] - wx[0]) * (wy[1] - wy[0]);
   double b = ((x - wx[0]) * (wy[2] - wy[0]) - (wx[2] - wx[0]) * (y - wy[0])) / det;
   double c = ((wx[1] - wx[0]) * (y - wy[0]) - (x - wx[0]) * (wy[1] - wy[0])) / det;

   lin[0] = b, lin[1] = c;
   *rw = (1 - b - c) / wc[0] + b / wc[1] + c / wc[2];
   *z = fmin(fmax((1 - b - c) * wz[0] + b * wz[1] + c * wz[2], 0), 1); /* the depth range */
   persp[0] = b / wc[1] / *rw;
   persp[1] = c / wc[2] / *rw;
}

static bool near2(const struct sq_wave_init *w, unsigned vgpr, unsigned lane, const double v[2])
{
   return fabs(geom_uif(w->vgpr[vgpr][lane]) - v[0]) < 1e-3 && fabs(geom_uif(w->vgpr[vgpr + 1][lane]) - v[1]) < 1e-3;
}

static void check_lane(const struct sq_wave_init *w, const struct msg_quad *q, unsigned lane)
{
   const int px = q->x + (int)(lane & 1), py = q->y + (int)(lane >> 1 & 1);
   const unsigned cover = q->input_cover[lane & 3];
   double lin[2], persp[2], rw, z, pull[2];
   bool centroid = false;

   lanes_seen++;
   at(px + 0.5, py + 0.5, lin, persp, &rw, &z);
   CHECK(near2(w, LINEAR_CENTER, lane, lin) && near2(w, PERSP_CENTER, lane, persp), "pixel %d,%d: centre", px, py);
   pull[0] = persp[0] * rw, pull[1] = persp[1] * rw;
   CHECK(near2(w, PULL, lane, pull) && fabs(geom_uif(w->vgpr[PULL + 2][lane]) - rw) < 1e-3, "pixel %d,%d: pull model", px, py);
   CHECK(geom_uif(w->vgpr[POS][lane]) == px + 0.5f && geom_uif(w->vgpr[POS + 1][lane]) == py + 0.5f &&
         fabs(geom_uif(w->vgpr[POS + 2][lane]) - z) < 1e-3 && fabs(geom_uif(w->vgpr[POS + 3][lane]) - 1 / rw) < 0.01,
         "pixel %d,%d: position %g %g %g %g", px, py, geom_uif(w->vgpr[POS][lane]), geom_uif(w->vgpr[POS + 1][lane]),
         geom_uif(w->vgpr[POS + 2][lane]), geom_uif(w->vgpr[POS + 3][lane]));
   CHECK(geom_uif(w->vgpr[FRONT][lane]) == (front ? 1 : -1), "pixel %d,%d: face", px, py);
   CHECK(w->vgpr[COVERAGE][lane] == cover, "pixel %d,%d: coverage", px, py);
   CHECK(w->vgpr[FIXED][lane] == ((uint32_t)px | (uint32_t)py << 16), "pixel %d,%d: fixed position", px, py);
   CHECK(w->vgpr[ANCILLARY][lane] == (2u | (per_sample ? q->iter : 0u) << 8 | 77u << 16), "pixel %d,%d: 0x%x", px, py,
         w->vgpr[ANCILLARY][lane]);
   /* Centroid: the centre of a pixel that is covered as a whole, otherwise a sample that is. */
   if (cover == 15) {
      centroid = near2(w, LINEAR_CENTROID, lane, lin) && near2(w, PERSP_CENTROID, lane, persp);
   } else {
      parts_seen++;
      for (unsigned s = 0; s < 4; s++) {
         at(px + 0.5 + sx[s] / 16.0, py + 0.5 + sy[s] / 16.0, lin, persp, &rw, &z);
         centroid |= (cover >> s & 1) && near2(w, LINEAR_CENTROID, lane, lin) && near2(w, PERSP_CENTROID, lane, persp);
      }
   }
   CHECK(centroid, "pixel %d,%d: centroid of samples 0x%x", px, py, cover);
   if (per_sample) {
      at(px + 0.5 + sx[q->iter] / 16.0, py + 0.5 + sy[q->iter] / 16.0, lin, persp, &rw, &z);
      CHECK(near2(w, LINEAR_SAMPLE, lane, lin) && near2(w, PERSP_SAMPLE, lane, persp), "pixel %d,%d: sample %u", px, py, q->iter);
   }
}

static void on_run(void *ctx, const struct sq_wave_init *w, unsigned num, unsigned lds, const struct sq_sink *s)
{
   static const uint32_t black[64];
   const uint32_t *color[4] = { black, black };
   (void)ctx, (void)num, (void)lds;
   CHECK(w->num_vgprs == NUM_VGPRS, "%u VGPRs", w->num_vgprs);
   for (unsigned l = 0; l < 64; l++)
      if (w->exec >> l & 1)
         check_lane(w, &wave->quad[l / 4], l);
   s->export(s->ctx, 0, 0, 15, true, true, true, w->exec, color);
}

static struct spi_ps *on_wave(void *ctx, struct spi_ps *ps);
static const struct spi_ports ports = { .run = on_run, .wave = on_wave };

static struct spi_ps *on_wave(void *ctx, struct spi_ps *ps)
{
   (void)ctx;
   wave = ps;
   spi_ps_run(spi, ps, &env, &ports);
   return ps;
}

static void shade_quads(void *ctx, struct msg_quad *quads, unsigned num)
{
   (void)ctx;
   for (unsigned n = 0; n < num; n++) {
      if (!per_sample) {
         spi_add_quad(spi, &env, &ports, &quads[n]);
         continue;
      }
      for (unsigned s = 0; s < 4; s++) {
         struct msg_quad q = quads[n];
         unsigned any = 0;
         q.iter = s;
         for (unsigned i = 0; i < 4; i++)
            any |= q.cover[i] &= 1u << s;
         if (any)
            spi_add_quad(spi, &env, &ports, &q);
      }
   }
}

static void shade_prim(void *ctx, const struct msg_sc_prim *prim)
{
   const struct sc_sink sink = { .quads = shade_quads };
   (void)ctx;
   front = prim->front;
   sc_rasterise(sc, prim, &sink);
}

int main(void)
{
   const uint32_t all = 0xff7f;
   raster_begin();
   spi = spi_create();
   for (unsigned round = 0; round < 120; round++) {
      static struct msg_vgt_batch b = { .kind = GEOM_TRIANGLES, .num_verts = 3, .num_prims = 1, .prim_verts = 3 };
      const struct pa_sink sink = { .prim = shade_prim };
      default_state();
      four_samples();
      for (unsigned s = 0; s < 4; s++) {
         static const int8_t place[4][2] = { { -2, -6 }, { 6, -2 }, { -6, 2 }, { 2, 6 } };
         sx[s] = place[s][0], sy[s] = place[s][1];
      }
      per_sample = round & 1;
      set_ctx(R_028A4C_PA_SC_MODE_CNTL_1, S_028A4C_PS_ITER_SAMPLE(per_sample));
      set_ctx(R_028804_DB_EQAA, S_028804_PS_ITER_SAMPLES(per_sample ? 2 : 0));
      set_ctx(R_028BD4_PA_SC_CENTROID_PRIORITY_0, round & 2 ? 0x32103210 : 0x01230123);
      set_ctx(R_028714_SPI_SHADER_COL_FORMAT, V_028714_SPI_SHADER_FP16_ABGR);
      set_ctx(R_0286CC_SPI_PS_INPUT_ENA, all);
      set_ctx(R_0286D0_SPI_PS_INPUT_ADDR, all);
      set_ctx(R_02881C_PA_CL_VS_OUT_CNTL, S_02881C_VS_OUT_MISC_VEC_ENA(1) | S_02881C_USE_VTX_RENDER_TARGET_INDX(1));
      b.prims[0] = (struct msg_vgt_prim){ .v = { 0, 1, 2 }, .edges = 7 };
      for (unsigned i = 0; i < 3; i++) {
         float w = 0.5f + rnd(200) / 100.0f;
         wx[i] = rnd(60 * 256) / 256.0 + 2, wy[i] = rnd(60 * 256) / 256.0 + 2, wz[i] = rnd(100) / 100.0, wc[i] = w;
         const double clip[4] = { (wx[i] / 32 - 1) * w, (wy[i] / 32 - 1) * w, (wz[i] * 2 - 1) * w, w };
         for (unsigned c = 0; c < 4; c++)
            vs.pos[0][c][i] = geom_fui((float)clip[c]);
         vs.pos[1][2][i] = 77;
      }
      double area = (wx[1] - wx[0]) * (wy[2] - wy[0]) - (wx[2] - wx[0]) * (wy[1] - wy[0]);
      if (fabs(area) < 100)
         continue;
      pa_begin_draw(pa, &env);
      sc_begin_draw(sc, &env);
      spi_begin_draw(spi, &env, sc_samples(sc));
      pa_process(pa, &env, &b, &vs, &sink);
      CHECK(front == (area < 0), "face"); /* counter-clockwise, with y downwards */
      spi_flush(spi, &env, &ports);
   }
   CHECK(lanes_seen > 10000 && parts_seen > 1000, "%u lanes, %u in part", lanes_seen, parts_seen);
   CHECK(report_violations(env.report) == 0, "violations");
   spi_destroy(spi);
   return raster_end();
}
