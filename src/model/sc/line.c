/* SPDX-License-Identifier: MIT */
/* Aliased lines: the pixels whose diamond the line leaves, one a step of the
 * longer axis; wide lines repeat them along the shorter axis. Stipple counts
 * the steps (PA_SC_LINE_STIPPLE). */
#include "sc_internal.h"
#include "amdgfxregs.h"

/* Two neighbouring columns of steps, collected into quads. */
struct columns {
   int pair;            /* major coordinate of the first, even */
   int lo[2], hi[2];    /* minor range, hi exclusive; empty when equal */
   bool open;
};

static int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

static void send_columns(const struct sc *sc, const struct msg_sc_prim *p, const struct sc_sink *sink,
                         bool x_major, struct columns *c)
{
   const struct sc_rect *s = &sc->scissor[p->viewport];
   int lo = 0x7fffffff, hi = -0x7fffffff;

   if (!c->open)
      return;
   c->open = false;
   for (unsigned k = 0; k < 2; k++) {
      if (c->lo[k] < c->hi[k]) {
         lo = c->lo[k] < lo ? c->lo[k] : lo;
         hi = c->hi[k] > hi ? c->hi[k] : hi;
      }
   }
   /* Only the part inside the scissor, or a wide line costs without end. */
   int min = x_major ? s->y0 : s->x0, max = x_major ? s->y1 : s->x1;
   lo = lo < min ? min : lo;
   hi = hi > max ? max : hi;
   for (int m = lo & ~1; m < hi; m += 2) {
      struct msg_quad q = { .prim = p, .x = x_major ? c->pair : m, .y = x_major ? m : c->pair };
      for (unsigned i = 0; i < 4; i++) {
         int x = q.x + (int)(i & 1), y = q.y + (int)(i >> 1);
         unsigned col = x_major ? i & 1 : i >> 1;
         int minor = x_major ? y : x;
         if (x >= s->x0 && x < s->x1 && y >= s->y0 && y < s->y1 && minor >= c->lo[col] && minor < c->hi[col])
            q.cover[i] = sc->all_samples;
      }
      sc_send(sc, &q, 1, sink);
   }
}

static void add_step(const struct sc *sc, const struct msg_sc_prim *p, const struct sc_sink *sink,
                     bool x_major, struct columns *c, int major, int lo, int hi)
{
   if (!c->open || c->pair != (major & ~1)) {
      send_columns(sc, p, sink, x_major, c);
      c->open = true;
      c->pair = major & ~1;
      c->lo[0] = c->hi[0] = c->lo[1] = c->hi[1] = 0;
   }
   c->lo[major & 1] = lo;
   c->hi[major & 1] = hi;
}

static bool in_diamond(int32_t x, int32_t y, int column)
{
   int64_t dx = (int64_t)x - ((int64_t)column * GEOM_SUBPIX + GEOM_SUBPIX / 2);
   int64_t dy = (int64_t)y - ((int64_t)(y >> GEOM_SUBPIX_BITS) * GEOM_SUBPIX + GEOM_SUBPIX / 2);

   return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy) < GEOM_SUBPIX / 2;
}

static bool pattern_bit(const struct sc *sc, unsigned pos)
{
   unsigned repeat = G_028A0C_REPEAT_COUNT(sc->stipple_reg) + 1, bit = pos / repeat % 16;

   if (G_028A0C_PATTERN_BIT_ORDER(sc->stipple_reg))
      bit = 15 - bit;
   return G_028A0C_LINE_PATTERN(sc->stipple_reg) >> bit & 1;
}

/* AUTO_RESET_CNTL: 1 every line begins the pattern, 2 every strip does. */
static void begin_pattern(struct sc *sc, const struct msg_sc_prim *p)
{
   unsigned reset = G_028A0C_AUTO_RESET_CNTL(sc->stipple_reg);

   if (reset == 1 || (reset == 2 && p->stipple_start))
      sc->stipple_pos = 0;
}

/* A point between corner `from` and its counterpart at the other end. */
static void between(const struct msg_sc_prim *p, unsigned from, int64_t at, int64_t len, int32_t *x, int32_t *y)
{
   *x = p->x[from] + (p->x[3 - from] - (int64_t)p->x[from]) * at / len;
   *y = p->y[from] + (p->y[3 - from] - (int64_t)p->y[from]) * at / len;
}

/* A multisampled line is a parallelogram with corners 0 and 1 at its start, 3
 * and 2 at its end. A step of its longer axis is a bit of the pattern. */
void sc_stippled_polygon(struct sc *sc, const struct msg_sc_prim *p, const struct sc_sink *sink)
{
   int64_t dx = (int64_t)p->x[3] - p->x[0], dy = (int64_t)p->y[3] - p->y[0];
   int64_t ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy, len = ax > ay ? ax : ay;
   unsigned steps = (len + GEOM_SUBPIX - 1) / GEOM_SUBPIX;

   begin_pattern(sc, p);
   for (unsigned i = 0; i < steps;) {
      unsigned n = 1;
      bool on = pattern_bit(sc, sc->stipple_pos + i);
      while (i + n < steps && pattern_bit(sc, sc->stipple_pos + i + n) == on)
         n++;
      if (on) {
         struct msg_sc_prim part = *p;
         int64_t from = (int64_t)i * GEOM_SUBPIX, to = (int64_t)(i + n) * GEOM_SUBPIX;
         to = to < len ? to : len;
         for (unsigned k = 0; k < 2; k++) {
            between(p, k, from, len, &part.x[k], &part.y[k]);
            between(p, k, to, len, &part.x[3 - k], &part.y[3 - k]);
         }
         sc_polygon(sc, &part, sink);
      }
      i += n;
   }
   sc->stipple_pos += (len + GEOM_SUBPIX / 2) / GEOM_SUBPIX;
}

void sc_line(struct sc *sc, const struct msg_sc_prim *p, const struct sc_sink *sink)
{
   int64_t dx = (int64_t)p->x[1] - p->x[0], dy = (int64_t)p->y[1] - p->y[0];
   bool x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
   int32_t m0 = x_major ? p->x[0] : p->y[0], m1 = x_major ? p->x[1] : p->y[1];
   int32_t n0 = x_major ? p->y[0] : p->x[0], n1 = x_major ? p->y[1] : p->x[1];
   int dir = m1 > m0 ? 1 : -1, width = p->line_width < 1 ? 1 : (int)(p->line_width + 0.5f);
   int64_t len = dir * ((int64_t)m1 - m0), slope = (int64_t)n1 - n0;
   int64_t tie = x_major && sc->line_bottom_rule ? 1 : 0;
   int first = m0 >> GEOM_SUBPIX_BITS, last = m1 >> GEOM_SUBPIX_BITS;
   const struct sc_rect *s = &sc->scissor[p->viewport];
   int min = x_major ? s->x0 : s->y0, max = x_major ? s->x1 : s->y1;
   struct columns cols = { .open = false };

   begin_pattern(sc, p);
   for (int i = first; dir > 0 ? i <= last : i >= last; i += dir) {
      int32_t centre = i * GEOM_SUBPIX + GEOM_SUBPIX / 2;
      bool late = dir * ((int64_t)m0 - centre) > 0; /* starts beyond the centre */

      if (late && !in_diamond(m0, n0, i))
         continue;
      if (!G_028BDC_LAST_PIXEL(sc->line_cntl) &&
          (dir * ((int64_t)m1 - centre) <= 0 || in_diamond(m1, n1, i)))
         continue;
      if (sc->stipple && !pattern_bit(sc, sc->stipple_pos++))
         continue;
      if (i < min || i >= max)
         continue;
      int64_t t = late ? 0 : dir * ((int64_t)centre - m0);
      int64_t num = n0 * len + t * slope - (int64_t)(width - 1) * (GEOM_SUBPIX / 2) * len;
      int64_t minor = floor_div(num - tie, len * GEOM_SUBPIX);
      if (minor < -0x10000 || minor > 0x10000)
         continue;
      add_step(sc, p, sink, x_major, &cols, i, (int)minor, (int)minor + width);
   }
   send_columns(sc, p, sink, x_major, &cols);
}
