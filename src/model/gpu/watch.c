/* SPDX-License-Identifier: MIT */
/* What became of one pixel, step by step. */
#include "watch.h"

#include <stdio.h>

#include "cb/cb.h"
#include "obs/report.h"
#include "surf/fmt.h"

/* 0..3: the pixel's place in the quad, -1: elsewhere. */
static int place(const struct model_env *env, const struct msg_quad *q)
{
   const int x = env->watch->x - q->x, y = env->watch->y - q->y;
   return x >= 0 && x < 2 && y >= 0 && y < 2 ? x + 2 * y : -1;
}

static void begin_line(const struct model_env *env, const struct msg_sc_prim *prim)
{
   fprintf(stderr, "tgsiamd-model: pixel %d:%d, draw %u, primitive %llu: ", env->watch->x, env->watch->y,
           model_where(env->report)->draw, (unsigned long long)prim->serial);
}

bool watch_covered(const struct model_env *env, const struct msg_quad *q)
{
   const int i = env->watch ? place(env, q) : -1;
   if (i < 0 || !q->cover[i])
      return false;
   begin_line(env, q->prim);
   fprintf(stderr, "covers samples 0x%x, depth %.9g, layer %u\n", q->cover[i],
           geom_plane_at(&q->prim->z, env->watch->x + 0.5 - q->prim->x0, env->watch->y + 0.5 - q->prim->y0),
           q->prim->layer);
   return true;
}

void watch_early(const struct model_env *env, const struct msg_quad *q)
{
   const int i = place(env, q);
   begin_line(env, q->prim);
   fprintf(stderr, "samples 0x%x pass the tests before the shader\n", q->cover[i]);
}

static int lane_of(const struct model_env *env, const struct msg_pixels *px)
{
   for (unsigned q = 0; q < px->num_quads; q++) {
      const int i = place(env, &px->quads[q]);
      if (i >= 0 && px->quads[q].cover[i])
         return (int)(4 * q) + i;
   }
   return -1;
}

static void print_export(const uint32_t (*src)[64], unsigned en, bool compr, int lane)
{
   for (unsigned c = 0; c < (compr ? 2u : 4u); c++) {
      const uint32_t v = src[c][lane];
      if (compr)
         fprintf(stderr, " %04x %04x", v & 0xffff, v >> 16);
      else if (en >> c & 1)
         fprintf(stderr, " %08x (%g)", v, fmt_u2f(v));
      else
         fprintf(stderr, " -");
   }
   fputc('\n', stderr);
}

void watch_shaded(const struct model_env *env, const struct msg_pixels *px)
{
   const int lane = env->watch ? lane_of(env, px) : -1;
   if (lane < 0)
      return;
   const struct msg_sc_prim *prim = px->quads[lane / 4].prim;
   begin_line(env, prim);
   fprintf(stderr, "lane %d of its wave%s\n", lane, px->valid >> lane & 1 ? "" : " was killed by the shader");
   for (unsigned i = 0; i < 8; i++) {
      if (!px->color[i])
         continue;
      begin_line(env, prim);
      fprintf(stderr, "export to target %u:", i);
      print_export(px->color[i], px->color_en[i], px->color_compr[i], lane);
   }
   if (px->mrtz) {
      begin_line(env, prim);
      fprintf(stderr, "export of depth, stencil, mask, alpha:");
      print_export(px->mrtz, px->mrtz_en, px->mrtz_compr, lane);
   }
}

void watch_color(const struct model_env *env, const struct msg_pixels *px, const uint16_t coverage[64], struct cb *cb,
                 bool after)
{
   const int lane = env->watch ? lane_of(env, px) : -1;
   if (lane < 0)
      return;
   const struct msg_sc_prim *prim = px->quads[lane / 4].prim;
   if (!after) {
      begin_line(env, prim);
      fprintf(stderr, "samples 0x%x reach the colour block\n", coverage[lane]);
   }
   for (unsigned i = 0; i < 8; i++) {
      float v[4] = { 0, 0, 0, 1 };
      if (!cb_pixel(cb, env, i, (unsigned)env->watch->x, (unsigned)env->watch->y, prim->layer, v))
         continue;
      begin_line(env, prim);
      fprintf(stderr, "target %u %s %g %g %g %g\n", i, after ? "is now" : "was", v[0], v[1], v[2], v[3]);
   }
}
