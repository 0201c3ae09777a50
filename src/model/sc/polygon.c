/* SPDX-License-Identifier: MIT */
/* Convex polygons by edge functions in 64-bit integers, 8x8 pixels at a time,
 * with the top-left rule (PA_SC_EDGERULE.ER_TRI as every driver sets it). */
#include "sc_internal.h"
#include <string.h>

struct edge {
   int64_t a, b, c;       /* inside: a * x + b * y + c >= 0, in subpixels */
   int64_t tile_max, tile_min; /* what an 8x8 tile adds at most and at least */
};

static unsigned setup_edges(const struct msg_sc_prim *p, struct edge *e)
{
   int64_t area = 0;
   unsigned n = 0;

   for (unsigned i = 1; i + 1 < p->num_verts; i++)
      area += (int64_t)(p->x[i] - p->x[0]) * (p->y[i + 1] - p->y[0]) -
              (int64_t)(p->x[i + 1] - p->x[0]) * (p->y[i] - p->y[0]);
   if (area == 0)
      return 0;
   for (unsigned i = 0; i < p->num_verts; i++) {
      unsigned k = (i + 1) % p->num_verts;
      unsigned from = area > 0 ? i : k, to = area > 0 ? k : i;
      int64_t dx = p->x[to] - p->x[from], dy = p->y[to] - p->y[from];

      if (!dx && !dy)
         continue;
      e[n].a = -dy;
      e[n].b = dx;
      e[n].c = dy * p->x[from] - dx * p->y[from];
      /* Clockwise on the screen: left edges run up, top edges run right. */
      if (!(dy < 0 || (dy == 0 && dx > 0)))
         e[n].c -= 1;
      n++;
   }
   return n;
}

/* A triangle without area, for conservative rasterisation: both sides of the line
 * between its corners that lie furthest apart; no edge if all are one point. */
static unsigned setup_segment(const struct msg_sc_prim *p, struct edge *e)
{
   int64_t far = 0;
   unsigned n = 0, from = 0, to = 0;

   for (unsigned i = 0; i < 3; i++) {
      unsigned k = (i + 1) % 3;
      int64_t dx = (int64_t)p->x[k] - p->x[i], dy = (int64_t)p->y[k] - p->y[i];
      if (dx * dx + dy * dy > far) {
         far = dx * dx + dy * dy;
         from = i, to = k;
      }
   }
   for (; far && n < 2; n++) {
      int64_t dx = (int64_t)p->x[to] - p->x[from], dy = (int64_t)p->y[to] - p->y[from];
      e[n] = (struct edge){ .a = n ? dy : -dy, .b = n ? -dx : dx };
      e[n].c = -(e[n].a * p->x[from] + e[n].b * p->y[from]);
   }
   return n;
}

/* Conservative rasterisation (PA_SC_CONSERVATIVE_RASTERIZATION_CNTL): moves the
 * edges so that a pixel's centre is inside when one of its corners is, or all are. */
static void move_edges(struct edge *e, unsigned n, int conservative)
{
   for (unsigned i = 0; i < n; i++) {
      int64_t reach = ((e[i].a < 0 ? -e[i].a : e[i].a) + (e[i].b < 0 ? -e[i].b : e[i].b)) * (GEOM_SUBPIX / 2);
      bool top_left = e[i].a > 0 || (e[i].a == 0 && e[i].b > 0);

      e[i].c += conservative * reach;
      if (conservative < 0 && !top_left)
         e[i].c += 1; /* a pixel up to the edge is covered */
   }
}

/* Bits of an 8x8 tile whose point (corner + sub) is inside all edges of `mask`. */
static uint64_t tile_cover(const struct edge *e, unsigned mask, int64_t x, int64_t y)
{
   uint64_t cover = ~0ull;

   while (mask) {
      const struct edge *d = &e[__builtin_ctz(mask)];
      int64_t row = d->a * x + d->b * y + d->c, step = d->a * GEOM_SUBPIX;
      uint64_t c = 0;

      mask &= mask - 1;
      for (unsigned j = 0; j < 8; j++) {
         int64_t v = row;
         uint64_t bits = 0;
         for (unsigned i = 0; i < 8; i++, v += step)
            bits |= (uint64_t)(v >= 0) << i;
         c |= bits << (j * 8);
         row += d->b * GEOM_SUBPIX;
      }
      cover &= c;
      if (!cover)
         break;
   }
   return cover;
}

static uint64_t scissor_bits(const struct sc_rect *s, int x, int y)
{
   int x0 = s->x0 > x ? s->x0 - x : 0, x1 = s->x1 < x + 8 ? s->x1 - x : 8;
   int y0 = s->y0 > y ? s->y0 - y : 0, y1 = s->y1 < y + 8 ? s->y1 - y : 8;
   uint64_t row = (0xffull >> (8 - x1)) & (0xffull << x0) & 0xff, bits = 0;

   for (int j = y0; j < y1; j++)
      bits |= row << (j * 8);
   return bits;
}

/* Two rows of two pixels to a word each, written as one: what reads quads as a
 * whole would wait for four separate words. */
static const uint16_t spread[16][4] = {
#define ROW(n) { n & 1 ? 0xffff : 0, n & 2 ? 0xffff : 0, n & 4 ? 0xffff : 0, n & 8 ? 0xffff : 0 }
   ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7),
   ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15),
#undef ROW
};

/* The samples' masks of a tile, as quads. */
static void send_tile(const struct sc *sc, const struct msg_sc_prim *p, const struct sc_sink *sink,
                      bool msaa, int x, int y, const uint64_t *cover, uint64_t any)
{
   struct msg_quad quads[SC_MAX_QUADS];
   unsigned num = 0;
   uint64_t left = any | any >> 1;

   left = (left | left >> 8) & 0x0055005500550055ull; /* a bit a quad */
   for (; left; left &= left - 1) {
      struct msg_quad *q = &quads[num++];
      const unsigned bit = __builtin_ctzll(left);

      q->prim = p;
      q->x = x + (int)(bit & 7);
      q->y = y + (int)(bit >> 3);
      q->iter = 0;
      if (!msaa) {
         uint64_t four;
         memcpy(&four, spread[(any >> bit & 3) | (any >> (bit + 8) & 3) << 2], 8);
         four &= sc->all_samples * 0x0001000100010001ull;
         memcpy(q->cover, &four, 8);
         continue;
      }
      for (unsigned k = 0; k < 4; k++) {
         unsigned b = bit + (k & 1) + (k >> 1) * 8, mask = 0;
         for (unsigned s = 0; s < sc->samples.num; s++)
            mask |= (cover[s] >> b & 1) << s;
         q->cover[k] = mask;
      }
   }
   sc_send(sc, quads, num, sink);
}

/* Sample positions may differ between the pixels of a quad; the tile's mask is
 * put together from four masks then. */
static uint64_t sample_cover(const struct sc *sc, const struct edge *e, unsigned mask,
                             int64_t x, int64_t y, unsigned s)
{
   static const uint64_t pixel_bits[4] = {
      0x0055005500550055ull, 0x00aa00aa00aa00aaull, 0x5500550055005500ull, 0xaa00aa00aa00aa00ull,
   };
   const struct geom_samples *g = &sc->samples;
   const int unit = GEOM_SUBPIX / 16;
   uint64_t cover = 0;
   bool same = true;

   for (unsigned p = 1; p < 4; p++)
      same &= g->x[p][s] == g->x[0][s] && g->y[p][s] == g->y[0][s];
   if (same)
      return tile_cover(e, mask, x + g->x[0][s] * unit, y + g->y[0][s] * unit);
   for (unsigned p = 0; p < 4; p++)
      cover |= tile_cover(e, mask, x + g->x[p][s] * unit, y + g->y[p][s] * unit) & pixel_bits[p];
   return cover;
}

void sc_polygon(const struct sc *sc, const struct msg_sc_prim *p, const struct sc_sink *sink)
{
   const struct sc_rect *s = &sc->scissor[p->viewport];
   const int half = GEOM_SUBPIX / 2, conservative = p->orig == GEOM_TRIANGLES ? sc->conservative : 0;
   const bool msaa = sc->msaa && !conservative; /* a conservative pixel has all samples */
   struct edge e[4];
   unsigned n = setup_edges(p, e);
   int minx = p->x[0], maxx = minx, miny = p->y[0], maxy = miny;

   if (!n && conservative > 0)
      n = setup_segment(p, e);
   else if (!n)
      return;
   for (unsigned i = 1; i < p->num_verts; i++) {
      minx = p->x[i] < minx ? p->x[i] : minx;
      maxx = p->x[i] > maxx ? p->x[i] : maxx;
      miny = p->y[i] < miny ? p->y[i] : miny;
      maxy = p->y[i] > maxy ? p->y[i] : maxy;
   }
   if (conservative) {
      move_edges(e, n, conservative);
      maxx -= maxx > minx; /* a pixel that begins where the polygon ends is not touched */
      maxy -= maxy > miny;
   }
   minx >>= GEOM_SUBPIX_BITS, maxx >>= GEOM_SUBPIX_BITS;
   miny >>= GEOM_SUBPIX_BITS, maxy >>= GEOM_SUBPIX_BITS;
   minx = minx < s->x0 ? s->x0 : minx;
   miny = miny < s->y0 ? s->y0 : miny;
   maxx = maxx >= s->x1 ? s->x1 - 1 : maxx;
   maxy = maxy >= s->y1 ? s->y1 - 1 : maxy;

   /* Moved edges meet beyond sharp corners; the box cuts that off. */
   const struct sc_rect box = { minx, miny, maxx + 1, maxy + 1 };

   /* From the centre of a tile's first pixel, points lie this far away. */
   int lo = msaa ? -half : 0, hi = 7 * GEOM_SUBPIX + (msaa ? half : 0);
   for (unsigned i = 0; i < n; i++) {
      e[i].tile_max = e[i].a * (e[i].a > 0 ? hi : lo) + e[i].b * (e[i].b > 0 ? hi : lo);
      e[i].tile_min = e[i].a * (e[i].a > 0 ? lo : hi) + e[i].b * (e[i].b > 0 ? lo : hi);
   }
   /* Asking costs more than it gains where tiles are few. */
   const bool whole = sink->tile && !msaa && !conservative && sc->all_samples == 1 && sc->aa_mask_full && !sc->cliprects &&
                      (int64_t)(maxx - minx) * (maxy - miny) >= 1024;
   for (int ty = miny & ~7; ty <= maxy; ty += 8) {
      for (int tx = minx & ~7; tx <= maxx; tx += 8) {
         int64_t x = (int64_t)tx * GEOM_SUBPIX + half, y = (int64_t)ty * GEOM_SUBPIX + half;
         uint64_t cover[16], any = 0, window;
         unsigned cut = 0;
         bool out = false;

         for (unsigned i = 0; i < n && !out; i++) {
            int64_t v = e[i].a * x + e[i].b * y + e[i].c;
            out = v + e[i].tile_max < 0;
            cut |= (v + e[i].tile_min < 0) << i;
         }
         if (out)
            continue;
         window = scissor_bits(conservative ? &box : s, tx, ty);
         if (!msaa) {
            any = window & tile_cover(e, cut, x, y);
         } else {
            for (unsigned k = 0; k < sc->samples.num; k++) {
               cover[k] = window & sample_cover(sc, e, cut, x, y, k);
               any |= cover[k];
            }
         }
         if (any == ~0ull && whole && sink->tile(sink->ctx, p, tx, ty))
            continue;
         if (any)
            send_tile(sc, p, sink, msaa, tx, ty, cover, any);
      }
   }
}
