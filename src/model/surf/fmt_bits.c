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

static inline __attribute__((always_inline)) uint32_t decode(uint32_t v, unsigned bits, enum fmt_num num)
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

static inline __attribute__((always_inline)) uint32_t encode(uint32_t in, unsigned bits, enum fmt_num num, bool truncate)
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

/* N components of 8 or 16 bits and one kind: the same arithmetic with the
 * numbers known. */
#define EVEN(n, b, kind)                                                                       \
   static void unpack_##n##x##b##_##kind(const struct fmt *f, const void *src, uint32_t out[4]) \
   {                                                                                           \
      uint##b##_t p[n];                                                                        \
      memcpy(p, src, sizeof(p));                                                               \
      out[0] = out[1] = out[2] = 0;                                                            \
      out[3] = FMT_##kind == FMT_UINT || FMT_##kind == FMT_SINT ? 1 : 0x3f800000;              \
      for (unsigned i = 0; i < n; i++)                                                         \
         out[i] = decode(p[i], b, FMT_##kind);                                                 \
   }                                                                                           \
   static void pack_##n##x##b##_##kind(const struct fmt *f, const uint32_t in[4], void *dst, bool truncate) \
   {                                                                                           \
      uint##b##_t p[n];                                                                        \
      for (unsigned i = 0; i < n; i++)                                                         \
         p[i] = encode(in[i], b, FMT_##kind, truncate);                                        \
      memcpy(dst, p, sizeof(p));                                                               \
   }
#define EVEN_KINDS(X)                                                                          \
   X(1, 8, UNORM) X(2, 8, UNORM) X(4, 8, UNORM) X(1, 8, SNORM) X(2, 8, SNORM) X(4, 8, SNORM)   \
   X(1, 8, UINT) X(2, 8, UINT) X(4, 8, UINT) X(1, 8, SINT) X(2, 8, SINT) X(4, 8, SINT)         \
   X(1, 16, UNORM) X(2, 16, UNORM) X(4, 16, UNORM) X(1, 16, SNORM) X(2, 16, SNORM) X(4, 16, SNORM) \
   X(1, 16, UINT) X(2, 16, UINT) X(4, 16, UINT) X(1, 16, SINT) X(2, 16, SINT) X(4, 16, SINT)   \
   X(1, 16, FLOAT) X(2, 16, FLOAT) X(4, 16, FLOAT)
EVEN_KINDS(EVEN)

void fmt_bits_init(struct fmt *f)
{
   static const struct {
      uint8_t n, bits, num;
      void (*unpack)(const struct fmt *, const void *, uint32_t[4]);
      void (*pack)(const struct fmt *, const uint32_t[4], void *, bool);
   } even[] = {
#define ROW(n, b, kind) { n, b, FMT_##kind, unpack_##n##x##b##_##kind, pack_##n##x##b##_##kind },
      EVEN_KINDS(ROW)
#undef ROW
      { 1, 32, FMT_FLOAT, unpack_raw32x1, pack_raw32x1 }, { 2, 32, FMT_FLOAT, unpack_raw32x2, pack_raw32x2 },
      { 3, 32, FMT_FLOAT, unpack_raw32x3, pack_raw32x3 }, { 4, 32, FMT_FLOAT, unpack_raw32x4, pack_raw32x4 },
   };
   unsigned bits = f->bits[0], num = f->num[0];
   bool same = true;

   for (unsigned i = 1; i < f->num_comp; i++)
      same &= f->bits[i] == bits && f->num[i] == num;
   if (bits == 32 && (num == FMT_UINT || num == FMT_SINT)) /* bits as they are, too */
      num = FMT_FLOAT;
   f->unpack = unpack_any;
   f->pack = pack_any;
   for (unsigned i = 0; same && i < sizeof(even) / sizeof(even[0]); i++) {
      if (even[i].n == f->num_comp && even[i].bits == bits && even[i].num == num) {
         f->unpack = even[i].unpack;
         f->pack = even[i].pack;
      }
   }
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
