/* SPDX-License-Identifier: MIT */
/* The commonest target of all: four bytes a pixel from half-precision exports,
 * without blending. A wave's pixels are converted together, quads are stored
 * as rows of two pixels. */
#include <string.h>
#include "cb_internal.h"
#include "clones.h"

/* A half to the nearest byte; NaN and what is below 0 give 0. A half times 255
 * has 19 bits, so that neither the product nor the sum with 1/2 is rounded
 * where the result depends on it. */
static inline __attribute__((always_inline)) uint32_t unorm8(uint32_t half)
{
   uint32_t mag = half & 0x7fff;
   mag = mag > 0x3c00 ? 0x3c00 : mag; /* 1 */
   mag = half > 0x7c00 ? 0 : mag;     /* NaN, or a sign */
   /* What is subnormal comes out too large by up to 2^-14, which is still 0. */
   return (uint32_t)(int32_t)(fmt_u2f((mag << 13) + 0x38000000) * 255.0f + 0.5f);
}

MODEL_CLONES static void pack_unorm8(const uint32_t (*src)[64], const unsigned shift[4], uint32_t out[64])
{
   const uint32_t *lo = src[0], *hi = src[1];
   const unsigned s0 = shift[0], s1 = shift[1], s2 = shift[2], s3 = shift[3];
   for (unsigned l = 0; l < 64; l++)
      out[l] = unorm8(lo[l] & 0xffff) << s0 | unorm8(lo[l] >> 16) << s1 | unorm8(hi[l] & 0xffff) << s2 |
               unorm8(hi[l] >> 16) << s3;
}

static void pack_table(const struct cb_target *t, const uint32_t (*src)[64], const unsigned shift[4], uint32_t out[64])
{
   for (unsigned l = 0; l < 64; l++) {
      const uint16_t h[4] = { src[0][l], src[0][l] >> 16, src[1][l], src[1][l] >> 16 };
      out[l] = (uint32_t)t->half_lut[h[0]] << shift[0] | (uint32_t)t->half_lut[h[1]] << shift[1] |
               (uint32_t)t->half_lut[h[2]] << shift[2] | (uint32_t)t->half_lut_alpha[h[3]] << shift[3];
   }
}

/* A quad of which not all pixels are there. False after a fault. */
static bool write_some(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                       const uint16_t cover[4], const uint32_t pixel[4])
{
   for (unsigned k = 0; k < 4; k++) {
      uint32_t px = x + (k & 1), py = y + (k >> 1);
      if (!(cover[k] & 1))
         continue;
      if (px >= t->width || py >= t->height) {
         cb_outside(env, t, px, py);
         continue;
      }
      void *p = cb_ptr(env, t, px, py, z, 0);
      if (!p)
         return false;
      memcpy(p, &pixel[k], 4);
   }
   return true;
}

void cb_write_rgba8(const struct model_env *env, struct cb_target *t, const struct msg_ps_quads *q,
                    const uint32_t (*src)[64])
{
   const struct surf_layout *l = t->l;
   const bool meta = t->dcc || t->cmask, linear = l->p->linear;
   /* Within a block an odd coordinate differs by an XOR from the even one before. */
   const uint32_t next_y = l->py[1];
   const bool pairs = linear || l->px[1] == 4, rows = !linear && l->bh_log2 > 0;
   unsigned shift[4];
   uint32_t pixels[64] __attribute__((aligned(64)));

   for (unsigned c = 0; c < 4; c++)
      shift[t->swap[c]] = 8 * c;
   if (t->number_type == 0)
      pack_unorm8(src, shift, pixels);
   else
      pack_table(t, src, shift, pixels);
   for (unsigned i = 0; i < q->num_quads; i++) {
      const uint16_t *cover = &q->coverage[4 * i];
      uint32_t z = t->slice_start + q->layer[i], x = q->x[i], y = q->y[i];
      unsigned all = cover[0] & cover[1] & cover[2] & cover[3] & 1;

      if (!((cover[0] | cover[1] | cover[2] | cover[3]) & 1))
         continue;
      if (z > t->slice_max) /* a layer that the view has not: the last one */
         z = t->slice_max;
      if (meta)
         cb_touch(env, t, x, y, z);
      if (all && pairs && x + 2 <= t->width && y + 2 <= t->height) {
         struct surf_row top = surf_row(l, t->level, y, z, 0), bottom = top;
         if (rows)
            bottom.x_or ^= next_y;
         else
            bottom = surf_row(l, t->level, y + 1, z, 0);
         uint64_t a = surf_at(l, top, x), b = surf_at(l, bottom, x);
         if (!((a | b) & 4) && a + 8 <= t->avail && b + 8 <= t->avail) {
            memcpy(t->host + a, &pixels[4 * i], 8);
            memcpy(t->host + b, &pixels[4 * i + 2], 8);
            continue;
         }
      }
      if (!write_some(env, t, x, y, z, cover, &pixels[4 * i]))
         return;
   }
}
