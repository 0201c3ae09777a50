/* SPDX-License-Identifier: MIT */
/* Wrap modes, cube edges, point and linear filtering (SQ_TEX_CLAMP,
 * SQ_TEX_XY_FILTER). Coordinates are fixed point with 8 fractional bits, and so
 * are the weights. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "ta_filter.h"

enum {
   WRAP, MIRROR, CLAMP_LAST_TEXEL, MIRROR_ONCE_LAST_TEXEL, CLAMP_HALF_BORDER, MIRROR_ONCE_HALF_BORDER,
   CLAMP_BORDER, MIRROR_ONCE_BORDER,
};

struct axis {
   int32_t i[2];
   bool border[2];
   float w;   /* weight of i[1] */
};

static inline int32_t wrap_index(unsigned mode, int32_t i, int32_t n, bool *border)
{
   switch (mode) {
   case WRAP:
      if ((uint32_t)i >= (uint32_t)n) {
         i %= n;
         if (i < 0)
            i += n;
      }
      return i;
   case MIRROR:
      i %= 2 * n;
      if (i < 0)
         i += 2 * n;
      return i < n ? i : 2 * n - 1 - i;
   case CLAMP_LAST_TEXEL:
      return i < 0 ? 0 : i < n ? i : n - 1;
   case MIRROR_ONCE_LAST_TEXEL:
      if (i < 0)
         i = -1 - i;
      return i < n ? i : n - 1;
   case CLAMP_HALF_BORDER:
   case CLAMP_BORDER:
      *border = (uint32_t)i >= (uint32_t)n;
      return i;
   case MIRROR_ONCE_HALF_BORDER:
   case MIRROR_ONCE_BORDER:
      if (i < 0)
         i = -1 - i;
      *border = i >= n;
      return i;
   }
   return 0;
}

/* Brings a coordinate into a range that fixed point can hold, without moving
 * what it selects. */
static inline float reduce(unsigned mode, float u)
{
   if (u != u)
      return 0.0f;
   switch (mode) {
   case WRAP: return u >= 0.0f && u < 1.0f ? u : u - floorf(u);
   case MIRROR: return u - 2.0f * floorf(u * 0.5f);
   default: return u < -4.0f ? -4.0f : u > 4.0f ? 4.0f : u;
   }
}

static inline void axis_setup(const struct ta_samp *s, unsigned mode, float u, int32_t n, int offset,
                              bool linear, struct axis *a)
{
   if (s->unnormalized)
      u = u / (float)n;
   u = reduce(mode, u);
   float t = u * (float)n * 256.0f;
   int32_t x = !linear && s->trunc_coord ? (int32_t)floorf(t) : (int32_t)floorf(t + 0.5f);
   a->border[0] = a->border[1] = false;
   x += offset * 256;
   /* The coordinate itself stops at the edge, so the border weighs half at most. */
   if (mode == CLAMP_HALF_BORDER || mode == MIRROR_ONCE_HALF_BORDER) {
      int32_t lo = mode == CLAMP_HALF_BORDER ? 0 : -n * 256;
      x = x < lo ? lo : x > n * 256 ? n * 256 : x;
   }
   if (!linear) {
      int32_t i = x >> 8;
      if (i == n && (mode == CLAMP_HALF_BORDER || mode == MIRROR_ONCE_HALF_BORDER))
         i = n - 1;
      a->i[0] = wrap_index(mode, i, n, &a->border[0]);
      return;
   }
   x -= 128;
   int32_t i = x >> 8;
   a->w = (float)(x & 255) * (1.0f / 256.0f);
   a->i[0] = wrap_index(mode, i, n, &a->border[0]);
   a->i[1] = wrap_index(mode, i + 1, n, &a->border[1]);
}

static inline bool compare(unsigned func, float ref, float tex)
{
   switch (func) {
   case 0: return false;
   case 1: return ref < tex;
   case 2: return ref == tex;
   case 3: return ref <= tex;
   case 4: return ref > tex;
   case 5: return ref != tex;
   case 6: return ref >= tex;
   default: return true;
   }
}

static inline void texel(struct ta_ctx *c, const struct ta_point *p, unsigned level, int32_t x, int32_t y,
                         uint32_t z, bool border, uint32_t out[4])
{
   const struct ta_tex *t = c->t;
   if (border) {
      memcpy(out, c->border, 16);
   } else if (t->path == TEX_RGBA8 && !t->dcc) {
      const uint8_t *b = ta_texel_ptr(c, level, x, y, z, 0);
      if (b) {
         out[0] = fmt_f2u(t->lut[b[0]]);
         out[1] = fmt_f2u(t->lut[b[1]]);
         out[2] = fmt_f2u(t->lut[b[2]]);
         out[3] = fmt_f2u(b[3] * (1.0f / 255.0f));
      } else {
         memset(out, 0, 16);
      }
   } else {
      ta_fetch(c, level, x, y, z, 0, out);
   }
   if (p->compare) {
      float ref = p->zref;
      if (t->fmt->num[0] == FMT_UNORM)
         ref = ref > 0.0f ? (ref < 1.0f ? ref : 1.0f) : 0.0f;
      bool pass = compare(c->s.compare, ref, fmt_u2f(out[0]));
      out[0] = pass ? 0x3f800000 : 0;
   }
}

static inline float mix(uint32_t a, uint32_t b, float w)
{
   float fa = fmt_u2f(a), fb = fmt_u2f(b);
   return fa == fb ? fa : fa + (fb - fa) * w;
}

/* ---- Cubes: a texel beyond the edge of a face lies on its neighbour. ---- */

/* Axes of +X -X +Y -Y +Z -Z: direction of the face, of sc and of tc. */
static const int8_t cube_axes[6][3][3] = {
   { { 1, 0, 0 }, { 0, 0, -1 }, { 0, -1, 0 } },
   { { -1, 0, 0 }, { 0, 0, 1 }, { 0, -1, 0 } },
   { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
   { { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, -1 } },
   { { 0, 0, 1 }, { 1, 0, 0 }, { 0, -1, 0 } },
   { { 0, 0, -1 }, { -1, 0, 0 }, { 0, -1, 0 } },
};

void ta_cube_reproject(unsigned from, unsigned to, float *s, float *t)
{
   const int8_t(*a)[3] = cube_axes[from], (*b)[3] = cube_axes[to];
   float ma = 0.0f, sc = 0.0f, tc = 0.0f;
   for (unsigned i = 0; i < 3; i++) {
      float v = a[0][i] + *s * a[1][i] + *t * a[2][i];
      ma += v * b[0][i];
      sc += v * b[1][i];
      tc += v * b[2][i];
   }
   if (ma > 0.0f) { /* a direction behind the face has no place on it */
      *s = sc / ma;
      *t = tc / ma;
   }
}

/* Moves (face, x, y) with one coordinate outside by one texel. */
static void cube_neighbour(unsigned *face, int32_t *x, int32_t *y, int32_t n)
{
   /* twice the coordinates, -n..n over a face; half a texel beyond is n + 1 */
   int32_t s = 2 * *x + 1 - n, t = 2 * *y + 1 - n, v[3];
   for (unsigned i = 0; i < 3; i++)
      v[i] = n * cube_axes[*face][0][i] + s * cube_axes[*face][1][i] + t * cube_axes[*face][2][i];
   unsigned best = 0;
   for (unsigned i = 1; i < 3; i++)
      if (abs(v[i]) > abs(v[best]))
         best = i;
   unsigned f = best * 2 + (v[best] < 0);
   int32_t ns = 0, nt = 0;
   for (unsigned i = 0; i < 3; i++) {
      ns += v[i] * cube_axes[f][1][i];
      nt += v[i] * cube_axes[f][2][i];
   }
   /* The old face's own axis has length n: it becomes the outermost texel. */
   int32_t nx = (ns + n) >> 1, ny = (nt + n) >> 1;
   *x = nx < 0 ? 0 : nx >= n ? n - 1 : nx;
   *y = ny < 0 ? 0 : ny >= n ? n - 1 : ny;
   *face = f;
}

static void footprint_cube(struct ta_ctx *c, const struct ta_point *p, unsigned level, int32_t n,
                           uint32_t tx[4][4], float w[2])
{
   struct axis ax, ay;
   /* Indices may leave the face: CLAMP_BORDER keeps them as they are. */
   axis_setup(&c->s, CLAMP_BORDER, p->coord[0], n, p->offset[0], true, &ax);
   axis_setup(&c->s, CLAMP_BORDER, p->coord[1], n, p->offset[1], true, &ay);
   w[0] = ax.w;
   w[1] = ay.w;
   uint32_t base = c->t->first_layer, rel = p->slice - base;
   unsigned cube = rel / 6, face = rel % 6;
   unsigned corners = 0;
   for (unsigned k = 0; k < 4; k++) {
      int32_t x = ax.i[k & 1], y = ay.i[k >> 1];
      bool ox = (uint32_t)x >= (uint32_t)n, oy = (uint32_t)y >= (uint32_t)n;
      unsigned f = face;
      if (ox && oy) {
         corners |= 1u << k;
         continue;
      }
      if (ox || oy) {
         if (x < -1)
            x = -1;
         if (x > n)
            x = n;
         if (y < -1)
            y = -1;
         if (y > n)
            y = n;
         cube_neighbour(&f, &x, &y, n);
      }
      texel(c, p, level, x, y, base + cube * 6 + f, false, tx[k]);
   }
   if (corners & (corners - 1)) { /* offsets into nowhere: the face's own corner */
      for (unsigned k = 0; k < 4; k++)
         if (corners >> k & 1)
            texel(c, p, level, ax.i[k & 1] < 0 ? 0 : n - 1, ay.i[k >> 1] < 0 ? 0 : n - 1, base + cube * 6 + face, false, tx[k]);
   } else if (corners) { /* three faces meet: the missing texel is their average */
      const int corner = __builtin_ctz(corners);
      for (unsigned i = 0; i < 4; i++) {
         float sum = 0.0f;
         for (unsigned k = 0; k < 4; k++)
            if ((int)k != corner)
               sum += fmt_u2f(tx[k][i]);
         tx[corner][i] = fmt_f2u(sum * (1.0f / 3.0f));
      }
   }
}

static inline bool seamless(const struct ta_ctx *c) { return c->t->cube && c->s.cube_wrap; }

/* The four texels (x0,y0) (x1,y0) (x0,y1) (x1,y1) of one slice. */
static void footprint(struct ta_ctx *c, const struct ta_point *p, unsigned level, uint32_t z, bool zborder,
                      uint32_t tx[4][4], float w[2])
{
   const struct ta_tex *t = c->t;
   struct axis ax, ay = { .i = { 0, 0 } };
   axis_setup(&c->s, c->s.clamp[0], p->coord[0], ta_level_size(t->width, level), p->offset[0], true, &ax);
   if (t->dims > 1)
      axis_setup(&c->s, c->s.clamp[1], p->coord[1], ta_level_size(t->height, level), p->offset[1], true, &ay);
   w[0] = ax.w;
   w[1] = ay.w;
   texel(c, p, level, ax.i[0], ay.i[0], z, zborder | ax.border[0] | ay.border[0], tx[0]);
   texel(c, p, level, ax.i[1], ay.i[0], z, zborder | ax.border[1] | ay.border[0], tx[1]);
   if (t->dims > 1) {
      texel(c, p, level, ax.i[0], ay.i[1], z, zborder | ax.border[0] | ay.border[1], tx[2]);
      texel(c, p, level, ax.i[1], ay.i[1], z, zborder | ax.border[1] | ay.border[1], tx[3]);
   } else {
      memcpy(tx[2], tx[0], 32);
   }
}

/* The smallest or the largest of the texels that have weight, by channel. */
static void reduce_texels(const struct ta_ctx *c, uint32_t tx[4][4], const float w[2], float out[4])
{
   for (unsigned i = 0; i < 4; i++) {
      bool any = false;
      for (unsigned k = 0; k < 4; k++) {
         float v = fmt_u2f(tx[k][i]);
         if (((k & 1) && w[0] == 0.0f) || ((k >> 1) && w[1] == 0.0f))
            continue;
         if (!any || (c->s.reduce == 1 ? v < out[i] : v > out[i]))
            out[i] = v;
         any = true;
      }
   }
}

static void bilinear(struct ta_ctx *c, const struct ta_point *p, unsigned level, uint32_t z, bool zborder,
                     float out[4])
{
   uint32_t tx[4][4];
   float w[2];
   if (seamless(c))
      footprint_cube(c, p, level, ta_level_size(c->t->width, level), tx, w);
   else
      footprint(c, p, level, z, zborder, tx, w);
   if (c->s.reduce) {
      reduce_texels(c, tx, w, out);
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      float top = mix(tx[0][i], tx[1][i], w[0]), bottom = mix(tx[2][i], tx[3][i], w[0]);
      out[i] = top == bottom ? top : top + (bottom - top) * w[1];
   }
}

static void nearest(struct ta_ctx *c, const struct ta_point *p, unsigned level, uint32_t z, bool zborder,
                    uint32_t out[4])
{
   const struct ta_tex *t = c->t;
   struct axis ax, ay = { .i = { 0 } };
   unsigned mx = c->s.clamp[0], my = c->s.clamp[1];
   if (seamless(c))
      mx = my = CLAMP_LAST_TEXEL;
   axis_setup(&c->s, mx, p->coord[0], ta_level_size(t->width, level), p->offset[0], false, &ax);
   if (t->dims > 1)
      axis_setup(&c->s, my, p->coord[1], ta_level_size(t->height, level), p->offset[1], false, &ay);
   texel(c, p, level, ax.i[0], ay.i[0], z, zborder | ax.border[0] | ay.border[0], out);
}

void ta_filter_level(struct ta_ctx *c, const struct ta_point *p, unsigned level, uint32_t out[4])
{
   const struct ta_tex *t = c->t;
   struct axis az = { .i = { p->slice } };
   bool zlinear = false;
   if (t->dims == 3) {
      zlinear = p->zlinear;
      axis_setup(&c->s, c->s.clamp[2], p->coord[2], ta_level_size(t->depth, level), p->offset[2], zlinear, &az);
   }
   if (!p->linear && !zlinear) {
      nearest(c, p, level, az.i[0], az.border[0], out);
      return;
   }
   float r[2][4];
   for (unsigned k = 0; k < (zlinear ? 2 : 1); k++) {
      if (p->linear) {
         bilinear(c, p, level, az.i[k], az.border[k], r[k]);
      } else {
         uint32_t raw[4];
         nearest(c, p, level, az.i[k], az.border[k], raw);
         memcpy(r[k], raw, 16);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      float v = r[0][i];
      if (zlinear && c->s.reduce) {
         if (az.w > 0.0f && (c->s.reduce == 1 ? r[1][i] < v : r[1][i] > v))
            v = r[1][i];
      } else if (zlinear && r[1][i] != v)
         v += (r[1][i] - v) * az.w;
      out[i] = fmt_f2u(v);
   }
}

void ta_gather_level(struct ta_ctx *c, const struct ta_point *p, unsigned level, unsigned chan, uint32_t out[4])
{
   static const uint8_t order[4] = { 2, 3, 1, 0 };
   uint32_t tx[4][4];
   float w[2];
   if (seamless(c))
      footprint_cube(c, p, level, ta_level_size(c->t->width, level), tx, w);
   else
      footprint(c, p, level, p->slice, false, tx, w);
   for (unsigned k = 0; k < 4; k++)
      out[k] = tx[order[k]][chan];
}
