/* SPDX-License-Identifier: MIT */
/* The commonest sampling of all, for all lanes at once: one level of a 2D image
 * of four bytes a texel, linear filter, repeated or clamped to its edge. The
 * arithmetic is that of ta_filter.c, step by step, so the bits are the same. */
#include <string.h>
#include "clones.h"
#include "ta_filter.h"

/* SQ_TEX_CLAMP */
enum { WRAP = 0, CLAMP_LAST_TEXEL = 2 };

struct lanes_axis {
   int32_t i0[64], i1[64];
   float w[64]; /* weight of i1 */
};

static inline bool mode_fits(unsigned mode) { return mode == WRAP || mode == CLAMP_LAST_TEXEL; }

static bool fits(const struct ta_ctx *c, const struct ta_image_op *op)
{
   const struct ta_tex *t = c->t;
   const struct ta_samp *s = &c->s;
   return t->dims == 2 && !t->array && !t->cube && !t->msaa && t->path == TEX_RGBA8 && !t->dcc && !t->htile &&
          t->lut[1] == 1 / 255.0f && t->last_level == t->base_level && s->mag == s->min && s->mag == 1 &&
          !s->reduce && !s->unnormalized && mode_fits(s->clamp[0]) && mode_fits(s->clamp[1]) && !op->inst->d16 &&
          !op->inst->tfe && !op->inst->lwe && op->inst->dmask &&
          op->num_result >= (unsigned)__builtin_popcount(op->inst->dmask);
}

/* False when an active lane's coordinate is too large for this, or no number. */
MODEL_CLONES static bool setup(const uint32_t *coord, const uint32_t *active, int32_t n, unsigned mode,
                               struct lanes_axis *a)
{
   uint32_t bad = 0;
   const float size = (float)n;
   for (unsigned l = 0; l < 64; l++) {
      float u = fmt_u2f(coord[l] & active[l]);
      bad |= (fmt_f2u(u) & 0x7fffffff) > 0x47000000; /* 32768 */
      if (mode == WRAP)
         u = u >= 0.0f && u < 1.0f ? u : u - __builtin_floorf(u);
      else
         u = u < -4.0f ? -4.0f : u > 4.0f ? 4.0f : u;
      int32_t x = (int32_t)__builtin_floorf(u * size * 256.0f + 0.5f) - 128, i = x >> 8, k = i + 1;
      a->w[l] = (float)(x & 255) * (1.0f / 256.0f);
      if (mode == WRAP) {
         i = i < 0 ? i + n : i;
         k = k >= n ? k - n : k;
      }
      i = i < 0 ? 0 : i;
      k = k < 0 ? 0 : k;
      a->i0[l] = i < n ? i : n - 1;
      a->i1[l] = k < n ? k : n - 1;
   }
   return !bad;
}

/* One channel of the four texels (x0,y0) (x1,y0) (x0,y1) (x1,y1). */
MODEL_CLONES static void filter(const uint32_t texel[4][64], unsigned chan, const float *wx, const float *wy,
                                float *out)
{
   const unsigned shift = 8 * chan;
   for (unsigned l = 0; l < 64; l++) {
      float v[4];
      for (unsigned k = 0; k < 4; k++) {
         float b = (float)(int32_t)(texel[k][l] >> shift & 0xff);
         v[k] = chan == 3 ? b * (1.0f / 255.0f) : b / 255.0f;
      }
      float top = v[0] + (v[1] - v[0]) * wx[l], bottom = v[2] + (v[3] - v[2]) * wx[l];
      out[l] = top + (bottom - top) * wy[l];
   }
}

static inline uint32_t fetch(struct ta_ctx *c, struct surf_row row, uint32_t x)
{
   const uint64_t off = surf_at(c->t->l, row, x);
   const void *p = off + 4 <= c->avail ? c->host + off : ta_slow_ptr(c, off, 4, false);
   uint32_t v = 0;
   if (p)
      memcpy(&v, p, 4);
   return v;
}

bool ta_sample_plain(struct ta_ctx *c, const struct ta_image_op *op, const uint32_t *x, const uint32_t *y)
{
   const struct ta_tex *t = c->t;
   const unsigned level = t->base_level;
   struct lanes_axis ax, ay;
   uint32_t texel[4][64] = { 0 }, active[64];
   float out[4][64];

   if (!fits(c, op))
      return false;
   for (unsigned l = 0; l < 64; l++)
      active[l] = 0u - (uint32_t)(op->exec >> l & 1);
   if (!setup(x, active, ta_level_size(t->width, level), c->s.clamp[0], &ax) ||
       !setup(y, active, ta_level_size(t->height, level), c->s.clamp[1], &ay))
      return false;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      const unsigned l = __builtin_ctzll(e);
      const struct surf_row top = surf_row(t->l, level, ay.i0[l], t->first_layer, 0);
      const struct surf_row bottom = surf_row(t->l, level, ay.i1[l], t->first_layer, 0);
      texel[0][l] = fetch(c, top, ax.i0[l]);
      texel[1][l] = fetch(c, top, ax.i1[l]);
      texel[2][l] = fetch(c, bottom, ax.i0[l]);
      texel[3][l] = fetch(c, bottom, ax.i1[l]);
   }
   for (unsigned i = 0; i < 4; i++)
      filter(texel, i, ax.w, ay.w, out[i]);
   unsigned n = 0;
   for (unsigned i = 0; i < 4; i++) {
      if (!(op->inst->dmask >> i & 1))
         continue;
      uint32_t *to = op->result[n++];
      const unsigned sel = t->sel[i];
      const uint32_t constant = sel == 1 ? 0x3f800000 : 0;
      for (unsigned l = 0; l < 64; l++) {
         uint32_t v = sel >= 4 ? fmt_f2u(out[sel - 4][l]) : constant;
         to[l] = (v & active[l]) | (to[l] & ~active[l]);
      }
   }
   return true;
}
