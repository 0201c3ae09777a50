/* SPDX-License-Identifier: MIT */
/* Double-precision vector arithmetic and its conversions. */
#include "valu.h"

SQ_FN uint64_t nan_rule(double r, double a, double b, double c)
{
   uint64_t u = sq_ud(r), quiet = 1ull << 51;
   u = u == 0xfff8000000000000ull ? 0x7ff8000000000000ull : u;
   u = c != c ? sq_ud(c) | quiet : u;
   u = b != b ? sq_ud(b) | quiet : u;
   return a != a ? sq_ud(a) | quiet : u;
}

/* N doubles -> double; the NaN rule of valu.h */
#define K_F64(OP, N, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      SQ_LANE_LOOP { \
         double a = sq_d(SQ_LO_HI(A, l)), b = N > 1 ? sq_d(SQ_LO_HI(B, l)) : 0.0; \
         double c = N > 2 ? sq_d(SQ_LO_HI(C, l)) : 0.0; \
         (void)b, (void)c; \
         SQ_STORE64(D, l, nan_rule((__VA_ARGS__), a, b, c)); \
      } \
   }
/* Halves and doubles share a denormal mode. */
SQ_FN uint64_t flush64(uint64_t u, uint32_t on) { return (u >> 52 & 0x7ff) == 0 && on ? u & 1ull << 63 : u; }
/* words of 64 bits, flushed as MODE says */
#define K_W64(OP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      uint32_t ieee = x->mode & SQ_MODE_IEEE, in = sq_flush_in16(x->mode), out = sq_flush_out16(x->mode); \
      (void)ieee; \
      for (int l = 0; l < SQ_LANES; l++) { \
         uint64_t a = flush64(SQ_LO_HI(A, l), in), b = flush64(SQ_LO_HI(B, l), in); \
         uint64_t c = flush64(SQ_LO_HI(C, l), in); \
         (void)b, (void)c; \
         uint64_t r = flush64((__VA_ARGS__), out); \
         SQ_STORE64(D, l, r); \
      } \
   }

SQ_FN bool nan64(uint64_t u) { return (u & ~(1ull << 63)) > 0x7ff0000000000000ull; }
SQ_FN bool snan64(uint64_t u) { return nan64(u) && !(u >> 51 & 1); }
SQ_FN int64_t order(uint64_t u) { return (int64_t)(u ^ ((uint64_t)((int64_t)u >> 63) >> 1)); }
SQ_FN uint64_t quiet(uint64_t u) { return u | 1ull << 51; }
SQ_FN uint64_t pick(uint64_t a, uint64_t b, bool less, uint32_t ieee)
{
   if (ieee && snan64(a))
      return quiet(a);
   if (ieee && snan64(b))
      return quiet(b);
   if (nan64(a))
      return b;
   if (nan64(b))
      return a;
   return (order(a) < order(b)) == less ? a : b;
}

SQ_FN unsigned exp64(uint64_t u) { return u >> 52 & 0x7ff; }
SQ_FN double ldexp_d(double a, int32_t e)
{
   e = e > 4400 ? 4400 : e < -4400 ? -4400 : e;
   return __builtin_scalbn(a, e);
}
SQ_FN uint64_t frexp_mant(uint64_t u)
{
   uint64_t m = u & 0xfffffffffffffull;
   if (exp64(u) == 0x7ff || !(u << 1))
      return u;
   if (!exp64(u))
      m = (m << (__builtin_clzll(m) - 11)) & 0xfffffffffffffull;
   return (u & 1ull << 63) | 0x3fe0000000000000ull | m;
}
SQ_FN uint32_t frexp_exp(uint64_t u)
{
   if (exp64(u) == 0x7ff || !(u << 1))
      return 0;
   if (exp64(u))
      return exp64(u) - 1022;
   return (uint32_t)(-1021 - (__builtin_clzll(u << 1 >> 1) - 11));
}
SQ_FN double fract(double a)
{
   double r = a - __builtin_floor(a);
   return r > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : r;
}
/* What is below the smallest normal number is flushed before it can round up to
 * it: all AMD chips in Mesa's records fail the GL tests of just that value. */
SQ_FN uint32_t to_f32(double a, uint32_t flush)
{
   bool tiny = flush & (__builtin_fabs(a) < 0x1p-126);
   uint32_t f = sq_u((float)a);
   return tiny ? f & 0x80000000u : f;
}
SQ_FN uint32_t to_i32(double a)
{
   double t = a > 2147483647.0 ? 2147483647.0 : a < -2147483648.0 ? -2147483648.0 : a != a ? 0.0 : a;
   return (uint32_t)(int32_t)t;
}
SQ_FN uint32_t to_u32(double a)
{
   double t = a > 4294967295.0 ? 4294967295.0 : a > 0.0 ? a : 0.0;
   return (uint32_t)(int64_t)t;
}

SQ_FN bool is_denorm64(double f) { return sq_ud(f) << 1 && !exp64(sq_ud(f)); }

SQ_KERNEL k_V_DIV_SCALE_F64(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   for (int l = 0; l < SQ_LANES; l++) {
      uint64_t a = SQ_LO_HI(A, l), b = SQ_LO_HI(B, l), c = SQ_LO_HI(C, l);
      double s0 = sq_d(a), s1 = sq_d(b), s2 = sq_d(c), r = s0;
      bool vcc = false, rd = is_denorm64(1.0 / s1), qd = is_denorm64(s2 / s1);
      if (s2 == 0 || s1 == 0) {
         r = sq_d(0x7ff8000000000000ull);
      } else if ((int)exp64(c) - (int)exp64(b) >= 768) {
         vcc = true;
         if (a == b)
            r = ldexp_d(s0, 128);
      } else if (is_denorm64(s1)) {
         r = ldexp_d(s0, 128);
      } else if (rd && qd) {
         vcc = true;
         if (a == b)
            r = ldexp_d(s0, -128);
      } else if (rd) {
         r = ldexp_d(s0, -128);
      } else if (qd) {
         vcc = true;
         if (a == c)
            r = ldexp_d(s0, 128);
      } else if (exp64(c) <= 53) {
         r = ldexp_d(s0, 128);
      }
      x->mask_out[l] = vcc ? ~0u : 0;
      SQ_STORE64(D, l, sq_ud(r));
   }
}
/* As v_div_fmas_f32. */
SQ_KERNEL k_V_DIV_FMAS_F64(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   for (int l = 0; l < SQ_LANES; l++) {
      uint64_t c = SQ_LO_HI(C, l);
      double r = __builtin_fma(sq_d(SQ_LO_HI(A, l)), sq_d(SQ_LO_HI(B, l)), sq_d(c));
      if (x->mask_in[l])
         r *= exp64(c) > 1023 ? 0x1p128 : 0x1p-128;
      SQ_STORE64(D, l, sq_ud(r));
   }
}
SQ_FN uint64_t div_fixup(uint64_t a, uint64_t b, uint64_t c)
{
   uint64_t sign = (b ^ c) & 1ull << 63, mb = b << 1 >> 1, mc = c << 1 >> 1, inf = 0x7ff0000000000000ull;
   if (nan64(c))
      return quiet(c);
   if (nan64(b))
      return quiet(b);
   if ((!mb && !mc) || (mb == inf && mc == inf))
      return 0xfff8000000000000ull;
   if (!mb || mc == inf)
      return sign | inf;
   if (mb == inf || !mc)
      return sign;
   if ((int)exp64(c) - (int)exp64(b) < -1075)
      return sign;
   return sign | (nan64(a) ? inf : a << 1 >> 1); /* as v_div_fixup_f32 */
}

/* 2/pi, 1216 bits from the point on. */
static const uint32_t two_over_pi[] = {
   0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
   0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
   0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
   0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
   0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20,
};
SQ_FN double trig_preop(uint64_t s0, uint32_t seg)
{
   int shift = (int)(seg & 31) * 53, e = (int)exp64(s0);
   if (e > 1077)
      shift += e - 1077;
   uint64_t v = 0; /* 53 bits from `shift` on */
   for (int n = 0; n < 53; n++) {
      int bit = shift + n;
      v = v << 1 | (bit < 1201 ? two_over_pi[bit / 32] >> (31 - bit % 32) & 1 : 0);
   }
   int scale = -53 - shift;
   if (e >= 1968)
      scale += 128;
   return __builtin_scalbn((double)v, scale);
}

#define LIST_F64(X) \
   X(V_ADD_F64, F64, 2, a + b) \
   X(V_MUL_F64, F64, 2, a * b) \
   X(V_FMA_F64, F64, 3, __builtin_fma(a, b, c)) \
   X(V_TRUNC_F64, F64, 1, __builtin_trunc(a)) \
   X(V_CEIL_F64, F64, 1, __builtin_ceil(a)) \
   X(V_RNDNE_F64, F64, 1, __builtin_roundeven(a)) \
   X(V_FLOOR_F64, F64, 1, __builtin_floor(a)) \
   X(V_FRACT_F64, F64, 1, fract(a)) \
   X(V_RCP_F64, F64, 1, 1.0 / a) \
   X(V_RSQ_F64, F64, 1, 1.0 / __builtin_sqrt(a)) \
   X(V_SQRT_F64, F64, 1, __builtin_sqrt(a))
#define LIST_W64(X) \
   X(V_MIN_F64, F64, pick(a, b, true, ieee)) \
   X(V_MAX_F64, F64, pick(a, b, false, ieee)) \
   X(V_FREXP_MANT_F64, F64, frexp_mant(a)) \
   X(V_DIV_FIXUP_F64, F64, div_fixup(a, b, c))
/* a loop of its own: other widths */
#define LIST_MIX(X) \
   X(V_LDEXP_F64, F64, SQ_STORE64(D, l, sq_ud(ldexp_d(sq_d(SQ_LO_HI(A, l)), (int32_t)B[l])))) \
   X(V_TRIG_PREOP_F64, F64, SQ_STORE64(D, l, sq_ud(trig_preop(SQ_LO_HI(A, l), B[l])))) \
   X(V_FREXP_EXP_I32_F64, F64, D[l] = frexp_exp(flush64(SQ_LO_HI(A, l), sq_flush_in16(x->mode)))) \
   X(V_CVT_I32_F64, F64, D[l] = to_i32(sq_d(SQ_LO_HI(A, l)))) \
   X(V_CVT_U32_F64, F64, D[l] = to_u32(sq_d(SQ_LO_HI(A, l)))) \
   X(V_CVT_F64_I32, F64, SQ_STORE64(D, l, sq_ud((double)(int32_t)A[l]))) \
   X(V_CVT_F64_U32, F64, SQ_STORE64(D, l, sq_ud((double)A[l]))) \
   X(V_CVT_F64_F32, F32, SQ_STORE64(D, l, sq_ud((double)sq_f(A[l])))) \
   X(V_CVT_F32_F64, F64, D[l] = to_f32(sq_d(SQ_LO_HI(A, l)), out32))

#define K_MIX(OP, FP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      uint32_t out32 = sq_flush_out32(x->mode); \
      (void)out32; \
      SQ_LANE_LOOP { __VA_ARGS__; } \
   }
#define DEF_F64(OP, FP, ...) K_F64(OP, __VA_ARGS__)
#define DEF_W64(OP, FP, ...) K_W64(OP, __VA_ARGS__)
LIST_F64(DEF_F64)
LIST_W64(DEF_W64)
LIST_MIX(K_MIX)

#define ROW(OP, FP, ...) {ISA_##OP, SQ_FP_##FP, k_##OP, NULL},
const struct sq_valu_row sq_rows_f64[] = {
   LIST_F64(ROW)
   LIST_W64(ROW)
   LIST_MIX(ROW)
   ROW(V_DIV_SCALE_F64, HOST)
   ROW(V_DIV_FMAS_F64, F64)
   {ISA_OP_COUNT, 0, NULL, NULL},
};
