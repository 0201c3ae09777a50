/* SPDX-License-Identifier: MIT */
/* Formats made of bit fields: unpacking to and packing from four dwords. */
#include <math.h>
#include <string.h>
#include "util/format_srgb.h"
#include "fmt.h"

float fmt_half_to_float(uint16_t h)
{
   uint32_t sign = (uint32_t)(h & 0x8000) << 16, mag = h & 0x7fff;
   if (mag >= 0x7c00)
      return fmt_u2f(sign | 0x7f800000 | (mag & 0x3ff) << 13);
   /* The exponent is rebiased by a multiplication, which also normalises. */
   float f = fmt_u2f(mag << 13) * 0x1p112f;
   return fmt_u2f(fmt_f2u(f) | sign);
}

uint16_t fmt_float_to_half(float f, bool truncate)
{
   uint32_t u = fmt_f2u(f), sign = u >> 16 & 0x8000;
   u &= 0x7fffffff;
   if (u > 0x7f800000)
      return sign | 0x7e00;
   if (u == 0x7f800000)
      return sign | 0x7c00;
   if (u >= 0x47800000) /* 65536 and more */
      return sign | (truncate ? 0x7bff : 0x7c00);
   if (u < 0x38800000) { /* denormal half */
      unsigned shift = 113 - (u >> 23);
      if (shift > 24)
         return sign;
      uint32_t m = (u & 0x7fffff) | 0x800000, sh = shift + 13, v = m >> sh;
      uint32_t rest = m & ((1u << sh) - 1), half = 1u << (sh - 1);
      if (!truncate && (rest > half || (rest == half && (v & 1))))
         v++;
      return sign | v;
   }
   uint32_t v = (u - 0x38000000) >> 13, rest = u & 0x1fff;
   if (!truncate && (rest > 0x1000 || (rest == 0x1000 && (v & 1))))
      v++;
   return sign | v;
}

float fmt_ufloat_to_float(uint32_t v, unsigned mant)
{
   /* the same exponent as half, fewer mantissa bits, no sign */
   return fmt_half_to_float(v << (10 - mant));
}

uint32_t fmt_float_to_ufloat(float f, unsigned mant, bool truncate)
{
   uint32_t u = fmt_f2u(f), inf = 31u << mant;
   if ((u & 0x7fffffff) > 0x7f800000)
      return inf | 1;
   if (u >> 31)
      return 0;
   if (u == 0x7f800000)
      return inf;
   unsigned drop = 23 - mant;
   uint32_t v, rest, half;
   if (u < 0x38800000) {
      unsigned shift = 113 - (u >> 23);
      if (shift > mant + 1)
         return 0;
      uint32_t m = (u & 0x7fffff) | 0x800000;
      drop += shift;
      v = m >> drop;
      rest = m & ((1u << drop) - 1);
   } else {
      v = (u - 0x38000000) >> drop;
      rest = u & ((1u << drop) - 1);
   }
   half = 1u << (drop - 1);
   if (!truncate && (rest > half || (rest == half && (v & 1))))
      v++;
   return v >= inf ? inf - 1 : v; /* finite values stay finite */
}

static inline uint32_t field(const uint32_t w[4], unsigned shift, unsigned bits)
{
   uint32_t v = w[shift >> 5] >> (shift & 31);
   return bits == 32 ? v : v & ((1u << bits) - 1);
}

static inline int32_t sext(uint32_t v, unsigned bits) { return (int32_t)(v << (32 - bits)) >> (32 - bits); }

static uint32_t decode(uint32_t v, unsigned bits, enum fmt_num num)
{
   switch (num) {
   case FMT_UNORM:
      return fmt_f2u(bits > 16 ? (float)(v / (double)(0xffffffffu >> (32 - bits)))
                               : (float)v / (float)((1u << bits) - 1));
   case FMT_SNORM: {
      double d = sext(v, bits) / (double)(0x7fffffff >> (32 - bits));
      return fmt_f2u(d < -1.0 ? -1.0f : (float)d);
   }
   case FMT_USCALED: return fmt_f2u((float)v);
   case FMT_SSCALED: return fmt_f2u((float)sext(v, bits));
   case FMT_UINT: return v;
   case FMT_SINT: return sext(v, bits);
   case FMT_SRGB: return fmt_f2u(util_format_srgb_8unorm_to_linear_float(v));
   case FMT_FLOAT:
      return bits == 32 ? v : bits == 16 ? fmt_f2u(fmt_half_to_float(v))
                                         : fmt_f2u(fmt_ufloat_to_float(v, bits - 5));
   }
   return 0;
}

static uint32_t encode(uint32_t in, unsigned bits, enum fmt_num num, bool truncate)
{
   float x = fmt_u2f(in);
   uint32_t mask = 0xffffffffu >> (32 - bits);
   switch (num) {
   case FMT_UNORM:
      x = x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; /* NaN gives 0 */
      return (uint32_t)((double)x * mask + 0.5);
   case FMT_SNORM: {
      x = x > -1.0f ? (x < 1.0f ? x : 1.0f) : x <= -1.0f ? -1.0f : 0.0f;
      double d = (double)x * (0x7fffffff >> (32 - bits));
      return (uint32_t)(int32_t)(d >= 0 ? d + 0.5 : d - 0.5) & mask;
   }
   case FMT_USCALED:
      return x > 0.0f ? (x < (double)mask ? (uint32_t)x : mask) : 0;
   case FMT_SSCALED: {
      int32_t max = 0x7fffffff >> (32 - bits), min = -max - 1;
      int32_t v = x >= (double)max ? max : x <= (double)min ? min : x == x ? (int32_t)x : 0;
      return (uint32_t)v & mask;
   }
   case FMT_UINT: return in < mask ? in : mask;
   case FMT_SINT: {
      int32_t max = 0x7fffffff >> (32 - bits), min = -max - 1, v = (int32_t)in;
      return (uint32_t)(v > max ? max : v < min ? min : v) & mask;
   }
   case FMT_SRGB: return util_format_linear_float_to_srgb_8unorm(x);
   case FMT_FLOAT:
      return bits == 32 ? in : bits == 16 ? fmt_float_to_half(x, truncate)
                                          : fmt_float_to_ufloat(x, bits - 5, truncate);
   }
   return 0;
}

static void unpack_any(const struct fmt *f, const void *src, uint32_t out[4])
{
   uint32_t w[4] = { 0 };
   memcpy(w, src, f->bytes);
   out[0] = out[1] = out[2] = 0;
   out[3] = f->is_int ? 1 : 0x3f800000;
   for (unsigned i = 0; i < f->num_comp; i++)
      out[i] = decode(field(w, f->shift[i], f->bits[i]), f->bits[i], f->num[i]);
}

static void pack_any(const struct fmt *f, const uint32_t in[4], void *dst, bool truncate)
{
   uint32_t w[4] = { 0 };
   for (unsigned i = 0; i < f->num_comp; i++)
      w[f->shift[i] >> 5] |= encode(in[i], f->bits[i], f->num[i], truncate) << (f->shift[i] & 31);
   memcpy(dst, w, f->bytes);
}

/* The usual ones without loops. */
static void unpack_rgba8(const struct fmt *f, const void *src, uint32_t out[4])
{
   const uint8_t *p = src;
   for (unsigned i = 0; i < 4; i++)
      out[i] = fmt_f2u(p[i] / 255.0f);
}

/* 32 bits a component: copies of a fixed size. */
#define RAW32(n)                                                                               \
   static void unpack_raw32x##n(const struct fmt *f, const void *src, uint32_t out[4])         \
   {                                                                                           \
      out[0] = out[1] = out[2] = 0;                                                            \
      out[3] = f->is_int ? 1 : 0x3f800000;                                                     \
      memcpy(out, src, 4 * n);                                                                 \
   }                                                                                           \
   static void pack_raw32x##n(const struct fmt *f, const uint32_t in[4], void *dst, bool truncate) \
   {                                                                                           \
      memcpy(dst, in, 4 * n);                                                                  \
   }
RAW32(1)
RAW32(2)
RAW32(3)
RAW32(4)

void fmt_bits_init(struct fmt *f)
{
   bool all32 = true, rgba8 = f->num_comp == 4;
   for (unsigned i = 0; i < f->num_comp; i++) {
      all32 &= f->bits[i] == 32 && (f->num[i] == FMT_FLOAT || f->num[i] == FMT_UINT || f->num[i] == FMT_SINT);
      rgba8 &= f->bits[i] == 8 && f->num[i] == FMT_UNORM;
   }
   static void (*const unpacks[])(const struct fmt *, const void *, uint32_t[4]) = {
      unpack_raw32x1, unpack_raw32x2, unpack_raw32x3, unpack_raw32x4,
   };
   static void (*const packs[])(const struct fmt *, const uint32_t[4], void *, bool) = {
      pack_raw32x1, pack_raw32x2, pack_raw32x3, pack_raw32x4,
   };
   f->unpack = all32 ? unpacks[f->num_comp - 1] : rgba8 ? unpack_rgba8 : unpack_any;
   f->pack = all32 ? packs[f->num_comp - 1] : pack_any;
}

/* 5_9_9_9: three mantissas with one exponent. */
static void unpack_rgb9e5(const struct fmt *f, const void *src, uint32_t out[4])
{
   uint32_t v;
   memcpy(&v, src, 4);
   float scale = ldexpf(1.0f, (int)(v >> 27) - 24);
   for (unsigned i = 0; i < 3; i++)
      out[i] = fmt_f2u((float)(v >> (9 * i) & 0x1ff) * scale);
   out[3] = 0x3f800000;
}

void fmt_rgb9e5_init(struct fmt *f)
{
   f->name = "5_9_9_9";
   f->bytes = 4;
   f->num_comp = 3;
   f->unpack = unpack_rgb9e5;
}
