/* SPDX-License-Identifier: MIT */
/* Blend equations: CB_BLENDn_CONTROL. */
#include "cb_internal.h"

static inline float factor(const float *k, unsigned f, unsigned c, const float src[4], const float src1[4],
                           const float dst[4])
{
   switch (f) {
   case 0: return 0.0f;
   case 1: return 1.0f;
   case 2: return src[c];
   case 3: return 1.0f - src[c];
   case 4: return src[3];
   case 5: return 1.0f - src[3];
   case 6: return dst[3];
   case 7: return 1.0f - dst[3];
   case 8: return dst[c];
   case 9: return 1.0f - dst[c];
   case 10: return c == 3 ? 1.0f : src[3] < 1.0f - dst[3] ? src[3] : 1.0f - dst[3];
   case 13: return k[c];
   case 14: return 1.0f - k[c];
   case 15: return src1[c];
   case 16: return 1.0f - src1[c];
   case 17: return src1[3];
   case 18: return 1.0f - src1[3];
   case 19: return k[3];
   case 20: return 1.0f - k[3];
   }
   return 0.0f;
}

/* A factor of zero removes the term, even when the other side is infinite. */
static inline float term(float v, float f) { return f == 0.0f ? 0.0f : v * f; }

static inline float combine(unsigned func, float s, float d)
{
   switch (func) {
   case 0: return d + s;
   case 1: return s - d;
   case 2: return d < s ? d : s;
   case 3: return d > s ? d : s;
   case 4: return d - s;
   }
   return 0.0f;
}

static inline float clamp(float v, float lo) { return v > lo ? (v < 1.0f ? v : 1.0f) : lo; }

void cb_blend(const struct cb *cb, const struct cb_target *t, const float src_in[4], const float src1_in[4],
              const float dst[4], float out[4])
{
   const struct cb_blend *b = &t->blend;
   float src[4], src1[4], k[4];
   for (unsigned c = 0; c < 4; c++) {
      src[c] = src_in[c];
      src1[c] = src1_in[c];
      k[c] = cb->blend_const[c];
      if (t->blend_clamp) {
         float lo = t->clamp_signed ? -1.0f : 0.0f;
         src[c] = clamp(src[c], lo);
         src1[c] = clamp(src1[c], lo);
         k[c] = clamp(k[c], lo);
      }
   }
   for (unsigned c = 0; c < 3; c++)
      out[c] = combine(b->func, term(src[c], factor(k, b->src, c, src, src1, dst)),
                       term(dst[c], factor(k, b->dst, c, src, src1, dst)));
   out[3] = combine(b->func_a, term(src[3], factor(k, b->src_a, 3, src, src1, dst)),
                    term(dst[3], factor(k, b->dst_a, 3, src, src1, dst)));
}
