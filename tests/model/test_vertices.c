/* SPDX-License-Identifier: MIT */
/* What VGT, SO and SPI make of primitives: adjacency, limits of groups, strips of
 * a geometry shader, tessellation's spacings, streamout's room, parameters.
 * Expected: OpenGL 4.6 (tables 10.1 and 13.1, 11.2.2, 13.3), Direct3D 9's wrapping. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amdgfxregs.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "regs/regs.h"
#include "so/so.h"
#include "spi/spi_internal.h"
#include "tgsiamd/hw.h"
#include "util/half_float.h"
#include "vgt/tessellator.h"
#include "vgt/vgt.h"

#include "check.h"

static struct regs regs;
static struct model_stats stats;
static struct model_env env;

static void set_ctx(uint32_t reg, uint32_t v) { regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v; }
static void set_uc(uint32_t reg, uint32_t v) { regs.uconfig[(reg - REGS_UCONFIG_BASE) / 4] = v; }

static void default_state(void)
{
   memset(&regs, 0, sizeof(regs));
   set_uc(R_030920_VGT_MAX_VTX_INDX, ~0u);
   set_ctx(R_028A44_VGT_GS_ONCHIP_CNTL, S_028A44_ES_VERTS_PER_SUBGRP(200) | S_028A44_GS_PRIMS_PER_SUBGRP(200) |
                                        S_028A44_GS_INST_PRIMS_IN_SUBGRP(200));
}

/* ---- primitives ---- */
static struct {
   unsigned batches, num, prim_verts, most_verts, most_prims;
   uint32_t v[512][6], flat[512], id[512];
   enum geom_prim kind;
} got;

static void on_batch(void *ctx, const struct msg_vgt_batch *b)
{
   (void)ctx;
   got.batches++;
   got.kind = b->kind;
   got.prim_verts = b->prim_verts;
   got.most_verts = b->num_verts > got.most_verts ? b->num_verts : got.most_verts;
   got.most_prims = b->num_prims > got.most_prims ? b->num_prims : got.most_prims;
   for (unsigned i = 0; i < b->num_prims && got.num < 512; i++, got.num++) {
      for (unsigned k = 0; k < b->prim_verts; k++)
         got.v[got.num][k] = b->vertex_id[b->prims[i].v[k]];
      got.flat[got.num] = got.v[got.num][b->prims[i].provoking];
      got.id[got.num] = b->prims[i].prim_id;
   }
}

static const struct vgt_sink sink = { .batch = on_batch };

static void draw(struct vgt *vgt, unsigned type, unsigned count, bool adjacency, unsigned max_prims)
{
   const struct msg_draw d = { .num_indices = count, .num_instances = 1 };
   const struct vgt_mode mode = { .reuse = true, .adjacency = adjacency, .max_prims = max_prims };

   memset(&got, 0, sizeof(got));
   set_uc(R_030908_VGT_PRIMITIVE_TYPE, type);
   vgt_draw(vgt, &env, &d, &mode, &sink);
}

/* Vertices as a geometry shader gets them: gl_in[] is primitive, adjacent, ... */
static void test_adjacency(struct vgt *vgt)
{
   default_state();
   draw(vgt, V_008958_DI_PT_LINELIST_ADJ, 9, true, 64);
   CHECK(got.num == 2 && got.prim_verts == 4, "lines adjacency: %u of %u", got.num, got.prim_verts);
   for (unsigned i = 0; i < 8; i++)
      CHECK(got.v[i / 4][i % 4] == i, "lines adjacency: vertex %u is %u", i, got.v[i / 4][i % 4]);
   draw(vgt, V_008958_DI_PT_LINESTRIP_ADJ, 7, true, 64);
   CHECK(got.num == 4, "line strip adjacency: %u", got.num);
   for (unsigned i = 0; i < 16; i++)
      CHECK(got.v[i / 4][i % 4] == i / 4 + i % 4 && got.id[i / 4] == i / 4, "line strip adjacency %u", i);
   draw(vgt, V_008958_DI_PT_TRILIST_ADJ, 13, true, 64);
   CHECK(got.num == 2 && got.prim_verts == 6, "triangles adjacency: %u of %u", got.num, got.prim_verts);
   for (unsigned i = 0; i < 12; i++)
      CHECK(got.v[i / 6][i % 6] == i, "triangles adjacency: vertex %u", i);
   /* Table 10.1, counted from 0; the first vertex provokes. */
   for (unsigned n = 1; n < 8; n++) {
      draw(vgt, V_008958_DI_PT_TRISTRIP_ADJ, 2 * n + 4, true, 64);
      CHECK(got.num == n, "strip of %u triangles with adjacency: %u", n, got.num);
      for (unsigned i = 0; i < n; i++) {
         unsigned b = 2 * i, last = i + 1 == n;
         /* primitive 1 2 3, adjacent 1/2 2/3 3/1 */
         unsigned even[6] = { b, b + 2, b + 4, i ? b - 2 : 1, last ? b + 5 : b + 6, b + 3 };
         unsigned odd[6] = { b + 2, b, b + 4, b - 2, b + 3, last ? b + 5 : b + 6 };
         const unsigned *want = i & 1 ? odd : even;
         /* The shader may see the triangle turned: compare from its first vertex on. */
         const uint32_t *v = got.v[i];
         unsigned turn = 3;
         for (unsigned t = 0; t < 3; t++)
            if (v[0] == want[t])
               turn = t;
         for (unsigned k = 0; k < 3 && turn < 3; k++)
            CHECK(v[2 * k] == want[(turn + k) % 3] && v[2 * k + 1] == want[3 + (turn + k) % 3],
                  "strip of %u: triangle %u, vertex %u is %u %u", n, i, k, v[2 * k], v[2 * k + 1]);
         CHECK(turn < 3, "strip of %u: triangle %u begins with %u", n, i, v[0]);
      }
   }
}

/* VGT_GS_ONCHIP_CNTL: groups end at so many primitives, or behind the primitive
 * that reaches so many vertices. */
static void test_groups(struct vgt *vgt)
{
   for (unsigned verts = 1; verts < 70; verts += 3) {
      for (unsigned num = 1; num < 40; num += 5) {
         default_state();
         set_ctx(R_028A44_VGT_GS_ONCHIP_CNTL, S_028A44_ES_VERTS_PER_SUBGRP(verts) | S_028A44_GS_PRIMS_PER_SUBGRP(num) |
                                              S_028A44_GS_INST_PRIMS_IN_SUBGRP(num));
         draw(vgt, V_008958_DI_PT_TRILIST, 300, true, 32);
         CHECK(got.num == 100, "limits %u %u: %u primitives", verts, num, got.num);
         CHECK(got.most_prims <= num && got.most_prims <= 32, "limit of %u primitives: %u", num, got.most_prims);
         CHECK(got.most_verts < verts + 3 && got.most_verts <= 64, "limit of %u vertices: %u", verts, got.most_verts);
         for (unsigned i = 0; i < 300 && i < got.num * 3; i++)
            CHECK(got.v[i / 3][i % 3] == i, "limits %u %u: vertex %u", verts, num, i);
      }
   }
}

/* ---- geometry shader's output ---- */
static void test_strips(struct vgt *vgt)
{
   static struct msg_gs_out out;
   const unsigned max = 8, item = 4;

   for (unsigned type = 0; type < 3; type++) {
      for (unsigned last = 0; last < 2; last++) {
         default_state();
         set_ctx(R_028814_PA_SU_SC_MODE_CNTL, S_028814_PROVOKING_VTX_LAST(last));
         set_ctx(R_028A6C_VGT_GS_OUT_PRIM_TYPE, type);
         set_ctx(R_028B38_VGT_GS_MAX_VERT_OUT, max);
         set_ctx(R_028B5C_VGT_GS_VERT_ITEMSIZE, item);
         set_ctx(R_028AB0_VGT_GSVS_RING_ITEMSIZE, item * max);
         memset(&out, 0, sizeof(out));
         /* Threads emit 7 vertices, cut before number 4; two in different waves. */
         out.num_threads = 70;
         for (unsigned t = 5; t < 70; t += 64) {
            out.count[0][t] = 7;
            out.cut[0][t][4] = 1;
            out.prim_id[t] = 1000 + t;
         }
         memset(&got, 0, sizeof(got));
         vgt_gs_out(vgt, &env, &out, 0, true, &sink);
         const unsigned per_thread = type == 0 ? 7 : type == 1 ? 3 + 2 : 2 + 1;
         CHECK(got.num == 2 * per_thread && got.kind == (enum geom_prim)type, "type %u: %u primitives", type, got.num);
         /* Vertex n of thread t: 64 threads a wave, 16 a group, vertex by vertex. */
         static const uint8_t tri[2][3][3] = { { { 0, 1, 2 }, { 1, 3, 2 }, { 4, 5, 6 } },
                                               { { 0, 1, 2 }, { 2, 1, 3 }, { 4, 5, 6 } } };
         static const uint8_t line[5][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 4, 5 }, { 5, 6 } };
         for (unsigned i = 0; i < got.num && i < 2 * per_thread; i++) {
            unsigned t = i < per_thread ? 5 : 69, p = i % per_thread;
            for (unsigned k = 0; k <= type; k++) {
               unsigned n = type == 0 ? p : type == 1 ? line[p][k] : tri[last][p][k];
               unsigned place = (t / 64) * item * max * 64 + (t % 64 / 16) * item * max * 16 + n * 16 + t % 16;
               CHECK(got.v[i][k] == place, "type %u, provoking %u: primitive %u, vertex %u at %u, expected %u", type, last, i,
                     k, got.v[i][k], place);
            }
            CHECK(got.flat[i] == got.v[i][last ? type : 0], "type %u: primitive %u, provoking vertex", type, i);
            CHECK(got.id[i] == 1000 + t, "type %u: primitive %u has the number %u", type, i, got.id[i]);
         }
      }
   }
}

/* ---- tessellation ---- */
static int by_value(const void *a, const void *b)
{
   float d = *(const float *)a - *(const float *)b;
   return d < 0 ? -1 : d > 0;
}

/* 11.2.2.1: number and lengths of the segments along an edge, seen on isolines. */
static void test_spacing(void)
{
   static struct tess_out o;

   for (unsigned part = 0; part < 4; part++) {
      for (unsigned step = 1; step < 1100; step += 7) {
         const float f = step / 16.0f;
         struct tess_domain d = { .type = V_028B6C_TESS_ISOLINE, .partitioning = part, .topology = V_028B6C_OUTPUT_LINE,
                                  .max_level = 64 };
         unsigned n;
         switch (part) {
         case V_028B6C_PART_INTEGER: n = ceilf(fminf(fmaxf(f, 1), 64)); break;
         case V_028B6C_PART_FRAC_ODD: for (n = 1; n < 63 && n < f; n += 2); break;
         case V_028B6C_PART_FRAC_EVEN: for (n = 2; n < 64 && n < f; n += 2); break;
         default: for (n = 1; n < 64 && n < f; n *= 2); break;
         }
         tess_run(&d, (float[6]){ f, 1 }, &o);
         CHECK(o.num_prims == n, "spacing %u, factor %g: %u segments, expected %u", part, f, o.num_prims, n);
         float len[66], clamped = fminf(f, part == V_028B6C_PART_FRAC_ODD ? 63 : 64);
         for (unsigned i = 0; i < n && i < 66; i++)
            len[i] = o.u[o.prim[i][1]] - o.u[o.prim[i][0]];
         for (unsigned i = 0; i < n; i++)
            CHECK(fabsf(len[i] - len[n - 1 - i]) < 1e-5f, "spacing %u, factor %g: not symmetric", part, f);
         qsort(len, n, sizeof(len[0]), by_value);
         bool fractional = part == V_028B6C_PART_FRAC_ODD || part == V_028B6C_PART_FRAC_EVEN;
         CHECK(n < 2 || fabsf(len[0] - len[1]) < 1e-5f, "spacing %u, factor %g: two short segments differ", part, f);
         for (unsigned i = fractional ? 2 : 0; i < n; i++)
            CHECK(fabsf(len[i] - len[n - 1]) < 1e-5f, "spacing %u, factor %g: long segments differ", part, f);
         CHECK(len[0] <= len[n - 1] + 1e-5f && len[0] >= -1e-6f, "spacing %u, factor %g", part, f);
         if (fractional && n > 2 && clamped > n - 2)
            CHECK((clamped == n) == (fabsf(len[0] - len[n - 1]) < 1e-5f), "spacing %u, factor %g: short segments", part, f);
      }
   }
   /* Lines at v = i / n, none at 1. */
   struct tess_domain d = { .type = V_028B6C_TESS_ISOLINE, .topology = V_028B6C_OUTPUT_LINE, .max_level = 64 };
   tess_run(&d, (float[6]){ 2, 5 }, &o);
   for (unsigned i = 0; i < o.num_points; i++)
      CHECK(fabsf(o.v[i] * 5 - roundf(o.v[i] * 5)) < 1e-5f && o.v[i] < 0.9f, "a line at %g", o.v[i]);
}

static void test_point_mode(void)
{
   static struct tess_out tri, pts;

   for (unsigned round = 0; round < 200; round++) {
      struct tess_domain d = { .type = round % 3, .partitioning = round % 2 ? V_028B6C_PART_FRAC_ODD : V_028B6C_PART_INTEGER,
                               .topology = round % 3 ? V_028B6C_OUTPUT_TRIANGLE_CW : V_028B6C_OUTPUT_LINE, .max_level = 64 };
      float f[6];
      for (unsigned i = 0; i < 6; i++)
         f[i] = 1 + rand() % 100 / 8.0f;
      tess_run(&d, f, &tri);
      d.topology = V_028B6C_OUTPUT_POINT;
      tess_run(&d, f, &pts);
      /* Each distinct vertex once (11.2.2.4). */
      CHECK(pts.prim_verts == 1 && pts.num_prims == pts.num_points, "points: %u of %u", pts.num_prims, pts.num_points);
      for (unsigned i = 0; i < pts.num_points; i++) {
         for (unsigned k = 0; k < i; k++)
            CHECK(pts.u[i] != pts.u[k] || pts.v[i] != pts.v[k], "type %u: point %u is point %u", d.type, i, k);
         bool used = false;
         for (unsigned p = 0; p < tri.num_prims && !used; p++)
            for (unsigned k = 0; k < tri.prim_verts; k++)
               used |= tri.u[tri.prim[p][k]] == pts.u[i] && tri.v[tri.prim[p][k]] == pts.v[i];
         CHECK(used, "type %u: point %u is part of no primitive", d.type, i);
      }
      /* The other winding is the mirror image. */
      if (round % 3) {
         d.topology = V_028B6C_OUTPUT_TRIANGLE_CCW;
         tess_run(&d, f, &pts);
         CHECK(pts.num_prims == tri.num_prims, "windings differ");
         for (unsigned p = 0; p < pts.num_prims; p++) {
            double area[2];
            for (unsigned w = 0; w < 2; w++) {
               const struct tess_out *o = w ? &pts : &tri;
               const uint16_t *v = o->prim[p];
               area[w] = ((double)o->u[v[1]] - o->u[v[0]]) * ((double)o->v[v[2]] - o->v[v[0]]) -
                         ((double)o->u[v[2]] - o->u[v[0]]) * ((double)o->v[v[1]] - o->v[v[0]]);
            }
            CHECK(area[0] == -area[1] || fabs(area[0] + area[1]) < 1e-9, "triangle %u does not turn", p);
         }
      }
   }
}

/* ---- streamout ---- */
/* 13.3: a primitive is written when it fits into every buffer of the stream, as a
 * whole; the counters say how many were and how many would have been. */
static void test_streamout(void)
{
   for (unsigned round = 0; round < 500; round++) {
      struct so *so = so_create();
      unsigned stride[4], size[4], filled[4], verts = 1 + rand() % 3, config = 0;
      uint64_t written[4] = { 0 }, needed[4] = { 0 };

      default_state();
      set_ctx(R_028B94_VGT_STRMOUT_CONFIG, 15);
      for (unsigned b = 0; b < 4; b++) {
         stride[b] = 1 + rand() % 12;
         size[b] = rand() % 400;
         filled[b] = rand() % 20;
         set_ctx(R_028AD0_VGT_STRMOUT_BUFFER_SIZE_0 + b * 16, size[b]);
         set_ctx(R_028AD4_VGT_STRMOUT_VTX_STRIDE_0 + b * 16, stride[b]);
         config |= (unsigned)(rand() % 5 == 0 ? 0 : 1) << (b + 4 * (rand() % 4)); /* a buffer has one stream */
         so_set_filled(so, b, filled[b]);
      }
      set_ctx(R_028B98_VGT_STRMOUT_BUFFER_CONFIG, config);
      so_begin_draw(so, &env);
      for (unsigned wave = 0; wave < 12; wave++) {
         unsigned stream = rand() % 4, num = 1 + rand() % 20, mask = config >> (4 * stream) & 15, fit = 0;
         struct msg_streamout out;
         uint32_t before[4];
         memcpy(before, filled, sizeof(before));
         for (unsigned i = 0; i < num; i++) {
            bool room = true;
            for (unsigned b = 0; b < 4; b++)
               room &= !(mask >> b & 1) || filled[b] + verts * stride[b] <= size[b];
            if (!room)
               break;
            for (unsigned b = 0; b < 4; b++)
               if (mask >> b & 1)
                  filled[b] += verts * stride[b];
            fit++;
         }
         needed[stream] += num;
         written[stream] += mask ? fit : 0;
         so_wave(so, &env, stream, num, verts, &out);
         CHECK(out.stream == stream && (!mask || out.num_vertices == fit * verts), "stream %u: %u vertices, expected %u", stream,
               out.num_vertices, fit * verts);
         for (unsigned b = 0; b < 4; b++) {
            CHECK(!(mask >> b & 1) || out.offset[b] == before[b], "stream %u: buffer %u at %u, expected %u", stream, b,
                  out.offset[b], before[b]);
            CHECK(so_filled(so, b) == filled[b], "buffer %u has %u dwords, expected %u", b, so_filled(so, b), filled[b]);
         }
      }
      for (unsigned s = 0; s < 4; s++) {
         uint64_t st[2];
         so_stats(so, s, st);
         CHECK(st[0] == written[s] && st[1] == needed[s], "stream %u: %llu of %llu", s, (unsigned long long)st[0],
               (unsigned long long)st[1]);
      }
      so_destroy(so);
   }
}

/* ---- parameters ---- */
static struct msg_vs_out vs;
static struct spi *spi;
static struct spi_prim prim;

static void build(uint32_t cntl, bool sprite)
{
   static const struct geom_samples one = { .num = 1, .ps_iter = 1 };

   set_ctx(R_028644_SPI_PS_INPUT_CNTL_0, cntl);
   set_ctx(R_0286D8_SPI_PS_IN_CONTROL, S_0286D8_NUM_INTERP(1));
   set_ctx(R_0286C4_SPI_VS_OUT_CONFIG, S_0286C4_VS_EXPORT_COUNT(5));
   set_ctx(R_0286CC_SPI_PS_INPUT_ENA, S_0286CC_PERSP_CENTER_ENA(1));
   set_ctx(R_0286D0_SPI_PS_INPUT_ADDR, S_0286CC_PERSP_CENTER_ENA(1));
   set_ctx(R_0286D4_SPI_INTERP_CONTROL_0, S_0286D4_FLAT_SHADE_ENA(1) | S_0286D4_PNT_SPRITE_ENA(1) |
                                          S_0286D4_PNT_SPRITE_OVRD_X(V_0286D4_SPI_PNT_SPRITE_SEL_S) |
                                          S_0286D4_PNT_SPRITE_OVRD_Y(V_0286D4_SPI_PNT_SPRITE_SEL_T) |
                                          S_0286D4_PNT_SPRITE_OVRD_Z(V_0286D4_SPI_PNT_SPRITE_SEL_0) |
                                          S_0286D4_PNT_SPRITE_OVRD_W(V_0286D4_SPI_PNT_SPRITE_SEL_1));
   memset(&prim, 0, sizeof(prim));
   prim.prim.vs = &vs;
   prim.prim.lane[0] = 3, prim.prim.lane[1] = 9, prim.prim.lane[2] = 60;
   prim.prim.provoking = 1;
   prim.prim.sprite = sprite;
   spi_begin_draw(spi, &env, &one);
   spi_build_attrs(spi, &prim);
}

static float value(unsigned chan, double i, double j)
{
   const uint32_t *a = prim.attrs[0][chan];
   return geom_uif(a[0]) + i * geom_uif(a[1]) + j * geom_uif(a[2]);
}

static float half_value(unsigned chan, unsigned hi, double i, double j)
{
   float f[3];
   for (unsigned k = 0; k < 3; k++)
      f[k] = _mesa_half_to_float(prim.attrs[0][chan][k] >> (16 * hi) & 0xffff);
   return f[0] + i * f[1] + j * f[2];
}

static void test_parameters(void)
{
   static const float corner[3][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 } };
   static const uint8_t lane[3] = { 3, 9, 60 };
   static const float defaults[4][4] = { { 0, 0, 0, 0 }, { 0, 0, 0, 1 }, { 1, 1, 1, 0 }, { 1, 1, 1, 1 } };

   default_state();
   for (unsigned c = 0; c < 4; c++)
      for (unsigned l = 0; l < 64; l++)
         vs.param[5][c][l] = geom_fui(l * 0.25f - c);
   build(S_028644_OFFSET(5), false);
   for (unsigned c = 0; c < 4; c++)
      for (unsigned k = 0; k < 3; k++)
         CHECK(value(c, corner[k][0], corner[k][1]) == lane[k] * 0.25f - c, "vertex %u, component %u", k, c);
   build(S_028644_OFFSET(5) | S_028644_FLAT_SHADE(1), false);
   for (unsigned c = 0; c < 4; c++)
      CHECK(value(c, 0.3, 0.4) == 9 * 0.25f - c, "flat: component %u", c);
   for (unsigned d = 0; d < 4; d++) {
      build(S_028644_OFFSET(0x20) | S_028644_DEFAULT_VAL(d), false);
      for (unsigned c = 0; c < 4; c++)
         CHECK(value(c, 0.3, 0.4) == defaults[d][c], "default %u: component %u", d, c);
   }
   build(S_028644_OFFSET(5) | S_028644_PT_SPRITE_TEX(1), true);
   CHECK(value(0, 0.25, 0.5) == 0.25f && value(1, 0.25, 0.5) == 0.5f && value(2, 0.25, 0.5) == 0 && value(3, 0.25, 0.5) == 1,
         "sprite coordinates");

   /* Wrapping: 0.9 to 0.1 goes over 1, not through the middle. */
   for (unsigned way = 0; way < 2; way++) {
      const float wrapped[3] = { way ? 0.1f : 0.9f, way ? 0.9f : 0.1f, way ? 0.2f : 0.8f };
      for (unsigned c = 0; c < 4; c++)
         for (unsigned k = 0; k < 3; k++)
            vs.param[5][c][lane[k]] = geom_fui(wrapped[k]);
      build(S_028644_OFFSET(5) | S_028644_CYL_WRAP(5), false);
      for (unsigned c = 0; c < 4; c++) {
         float middle = 5 >> c & 1 ? (way ? 0 : 1) : 0.5f;
         CHECK(fabsf(value(c, 0.5, 0) - middle) < 1e-6f, "wrap: component %u is %g", c, value(c, 0.5, 0));
         CHECK(fabsf(value(c, 0, 1) - wrapped[2]) < 1e-6f, "wrap: component %u at the third vertex", c);
      }
   }

   /* Two halves a component. */
   for (unsigned c = 0; c < 4; c++)
      for (unsigned k = 0; k < 3; k++)
         vs.param[5][c][lane[k]] = _mesa_float_to_half(k + c * 0.5f) | (uint32_t)_mesa_float_to_half(-2.0f * k - c) << 16;
   const uint32_t half = S_028644_FP16_INTERP_MODE(1) | S_028644_ATTR0_VALID(1);
   build(S_028644_OFFSET(5) | half | S_028644_ATTR1_VALID(1), false);
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned k = 0; k < 3; k++) {
         CHECK(half_value(c, 0, corner[k][0], corner[k][1]) == k + c * 0.5f, "lower half: vertex %u, component %u", k, c);
         CHECK(half_value(c, 1, corner[k][0], corner[k][1]) == -2.0f * k - c, "upper half: vertex %u, component %u", k, c);
      }
   }
   build(S_028644_OFFSET(5) | half | S_028644_ATTR1_VALID(1) | S_028644_USE_DEFAULT_ATTR1(1) | S_028644_DEFAULT_VAL_ATTR1(2), false);
   for (unsigned c = 0; c < 4; c++)
      CHECK(half_value(c, 0, 1, 0) == 1 + c * 0.5f && half_value(c, 1, 0.5, 0.5) == defaults[2][c], "half default %u", c);
   build(S_028644_OFFSET(5) | half | S_028644_PT_SPRITE_TEX(1), true);
   CHECK(half_value(0, 0, 0.25, 0.5) == 0.25f && half_value(1, 0, 0.25, 0.5) == 0.5f && half_value(3, 0, 0, 0) == 1,
         "sprite coordinates in halves");
}

static void test_reports(struct vgt *vgt)
{
   uint64_t before = report_violations(env.report);
   CHECK(before == 0, "violations");
   default_state();
   set_ctx(R_028A44_VGT_GS_ONCHIP_CNTL, 0);
   draw(vgt, V_008958_DI_PT_TRILIST, 3, true, 64);
   CHECK(report_violations(env.report) == ++before, "a group of nothing is not reported");
   default_state();
   build(S_028644_OFFSET(5) | S_028644_FP16_INTERP_MODE(1), false);
   CHECK(report_violations(env.report) == ++before, "halves without ATTR0_VALID are not reported");
   build(S_028644_OFFSET(5) | S_028644_DUP(1), false);
   CHECK(report_violations(env.report) == ++before, "DUP is not reported");
   set_ctx(R_02880C_DB_SHADER_CONTROL, S_02880C_PRIMITIVE_ORDERED_PIXEL_SHADER(1));
   build(S_028644_OFFSET(5), false);
   CHECK(report_violations(env.report) == ++before, "primitive ordered shaders are not reported");
}

int main(void)
{
   static struct model_options options;
   static struct tgsiamd_chip chip = { .name = "raven", .num_rb = 2 };
   struct vgt *vgt = vgt_create();

   env.regs = &regs;
   env.stats = &stats;
   env.chip = &chip;
   env.report = report_create(&options);
   spi = spi_create();
   test_adjacency(vgt);
   test_groups(vgt);
   test_strips(vgt);
   test_spacing();
   test_point_mode();
   test_streamout();
   test_parameters();
   test_reports(vgt);
   spi_destroy(spi);
   vgt_destroy(vgt);
   report_destroy(env.report);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
