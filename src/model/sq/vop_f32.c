/* SPDX-License-Identifier: MIT */
/* Single-precision vector arithmetic: VOP1, VOP2 and VOP3 opcodes with 32-bit
 * float operands, and their conversions. Denormals and rounding come from the
 * host's FP unit, set per instruction (struct sq_valu_row.fp), where the
 * expression is plain arithmetic. */
#include "valu.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* float operands by number -> float; the NaN rule applied */
#define K_F32_N(OP, NB, NC, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      SQ_LANE_LOOP { \
         float a = sq_f(A[l]), b = sq_f(B[l]), c = sq_f(C[l]); \
         (void)b, (void)c; \
         D[l] = sq_nan32((__VA_ARGS__), a, NB, NC); \
      } \
   }
#define K_F32_1(OP, ...) K_F32_N(OP, 0.0f, 0.0f, __VA_ARGS__)
#define K_F32_2(OP, ...) K_F32_N(OP, b, 0.0f, __VA_ARGS__)
#define K_F32_3(OP, ...) K_F32_N(OP, b, c, __VA_ARGS__)
/* words u, v, w with input flushing, result flushed */
#define K_W32(OP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      uint32_t in = sq_flush_in32(x->mode), out = sq_flush_out32(x->mode); \
      uint32_t ieee = x->mode & SQ_MODE_IEEE ? 1 : 0; \
      (void)ieee; \
      SQ_LANE_LOOP { \
         uint32_t a = sq_flush32(A[l], in), b = sq_flush32(B[l], in), c = sq_flush32(C[l], in); \
         (void)b, (void)c; \
         D[l] = sq_flush32((__VA_ARGS__), out); \
      } \
   }
/* float a (raw word u) -> word, no NaN rule */
#define K_CVT(OP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      SQ_LANE_LOOP { \
         uint32_t ua = A[l], ub = B[l], uc = C[l]; \
         float a = sq_f(ua), b = sq_f(ub); \
         (void)a, (void)b, (void)ub, (void)uc; \
         D[l] = (__VA_ARGS__); \
      } \
   }

/* Order of floats as order of integers. */
SQ_FN int32_t order(uint32_t u) { return (int32_t)(u ^ ((uint32_t)((int32_t)u >> 31) >> 1)); }

SQ_FN uint32_t min2(uint32_t a, uint32_t b, uint32_t ieee)
{
   uint32_t na = sq_isnan32(a), nb = sq_isnan32(b);
   uint32_t qa = ieee & na & (a >> 22 ^ 1), qb = ieee & nb & (b >> 22 ^ 1); /* signalling */
   uint32_t r = order(a) < order(b) ? a : b;
   r = nb ? a : r;
   r = na ? b : r;
   r = qb ? b | 0x400000u : r;
   return qa ? a | 0x400000u : r;
}
SQ_FN uint32_t max2(uint32_t a, uint32_t b, uint32_t ieee)
{
   uint32_t na = sq_isnan32(a), nb = sq_isnan32(b);
   uint32_t qa = ieee & na & (a >> 22 ^ 1), qb = ieee & nb & (b >> 22 ^ 1); /* signalling */
   uint32_t r = order(a) > order(b) ? a : b;
   r = nb ? a : r;
   r = na ? b : r;
   r = qb ? b | 0x400000u : r;
   return qa ? a | 0x400000u : r;
}
SQ_FN uint32_t med3(uint32_t a, uint32_t b, uint32_t c, uint32_t ieee)
{
   int32_t oa = order(a), ob = order(b), oc = order(c);
   uint32_t hi = oa > ob ? a : b, lo = oa > ob ? b : a;
   int32_t ohi = oa > ob ? oa : ob, olo = oa > ob ? ob : oa;
   uint32_t r = oc > ohi ? hi : c;
   r = oc < olo ? lo : r;
   uint32_t n = min2(min2(a, b, ieee), c, ieee);
   return sq_isnan32(a) | sq_isnan32(b) | sq_isnan32(c) ? n : r;
}

SQ_FN float fract(float a)
{
   float r = a - __builtin_floorf(a);
   return r > 0x1.fffffep-1f ? 0x1.fffffep-1f : r;
}

/* 2^a, ln and trigonometry through double polynomials: errors far below one
 * unit in the last place of a single. */
SQ_FN float exp2_f(float a)
{
   double x = a < -160.0f ? -160.0 : a > 160.0f ? 160.0 : a;
   x = a != a ? 0.0 : x;
   double i = __builtin_floor(x + 0.5), t = (x - i) * 0.69314718055994530942;
   double p = 1.0 + t * (1.0 + t * (1.0 / 2 + t * (1.0 / 6 + t * (1.0 / 24 + t * (1.0 / 120 +
              t * (1.0 / 720 + t * (1.0 / 5040 + t * (1.0 / 40320 + t * (1.0 / 362880)))))))));
   double s = sq_d((uint64_t)((int64_t)(int32_t)i + 1023) << 52);
   float r = (float)(p * s);
   return a != a ? a : r;
}
SQ_FN float log2_f(float a)
{
   uint32_t u = sq_u(a);
   uint64_t d = sq_ud((double)a);
   int32_t e = (int32_t)(d >> 52 & 0x7ff) - 1023;
   uint64_t m = (d & 0xfffffffffffffull) | 0x3ff0000000000000ull;
   int32_t big = (m & 0xfffffffffffffull) > 0x6a09e667f3bcdull;
   double f = sq_d(m) * (big ? 0.5 : 1.0);
   double t = (f - 1.0) / (f + 1.0), q = t * t;
   double p = t * (1.0 + q * (1.0 / 3 + q * (1.0 / 5 + q * (1.0 / 7 + q * (1.0 / 9 + q * (1.0 / 11 +
              q * (1.0 / 13 + q * (1.0 / 15))))))));
   float r = (float)((double)(e + big) + p * 2.88539008177792681472);
   r = a == 0.0f ? -INFINITY : r;
   r = a < 0.0f ? sq_f(0x7fc00000u) : r;
   r = u == 0x7f800000u ? INFINITY : r;
   return a != a ? a : r;
}
/* sin(2 pi r), |r| <= 1/4 */
SQ_FN double sin_turn(double r)
{
   double t = r * 6.28318530717958647693, q = t * t;
   return t * (1.0 + q * (-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880 +
          q * (-1.0 / 39916800 + q * (1.0 / 6227020800.0 + q * (-1.0 / 1307674368000.0))))))));
}
SQ_FN float sin_f(float a)
{
   double x = a, r = x - __builtin_floor(x + 0.5); /* -1/2 .. 1/2 */
   r = r > 0.25 ? 0.5 - r : r < -0.25 ? -0.5 - r : r;
   float s = (float)sin_turn(r);
   s = __builtin_fabsf(a) > 256.0f ? 0.0f : s;
   s = __builtin_fabsf(a) == INFINITY ? sq_f(0x7fc00000u) : s;
   return a != a ? a : s;
}
SQ_FN float cos_f(float a)
{
   double x = a, r = x - __builtin_floor(x + 0.5);
   r = 0.25 - __builtin_fabs(r); /* cos(t) = sin(1/4 - |t|) */
   float s = (float)sin_turn(r);
   s = __builtin_fabsf(a) > 256.0f ? 1.0f : s;
   s = __builtin_fabsf(a) == INFINITY ? sq_f(0x7fc00000u) : s;
   return a != a ? a : s;
}

SQ_FN uint32_t to_i32(float a)
{
   int32_t i = (int32_t)(a >= 2147483648.0f || a < -2147483648.0f || a != a ? 0.0f : a);
   i = a >= 2147483648.0f ? INT32_MAX : i;
   return a < -2147483648.0f ? (uint32_t)INT32_MIN : (uint32_t)i;
}
SQ_FN uint32_t to_u32(float a)
{
   float lo = a >= 2147483648.0f ? a - 2147483648.0f : a;
   lo = lo >= 2147483648.0f || !(lo > 0.0f) ? 0.0f : lo;
   uint32_t u = (uint32_t)(int32_t)lo + (a >= 2147483648.0f ? 0x80000000u : 0);
   return a >= 4294967296.0f ? ~0u : u;
}
SQ_FN uint32_t to_u8(float a)
{
   float r = __builtin_rintf(a); /* by MODE */
   r = r > 255.0f ? 255.0f : r;
   r = r > 0.0f ? r : 0.0f;
   return (uint32_t)(int32_t)r;
}
SQ_FN uint32_t snorm16(float a)
{
   float c = a > 1.0f ? 1.0f : a < -1.0f ? -1.0f : a != a ? 0.0f : a;
   return (uint32_t)(int32_t)sq_rndne(c * 32767.0f) & 0xffff;
}
SQ_FN uint32_t unorm16(float a)
{
   float c = a > 1.0f ? 1.0f : a > 0.0f ? a : 0.0f;
   return (uint32_t)(int32_t)sq_rndne(c * 65535.0f);
}

/* Cube faces: the major axis is z, else y, else x. */
#define ZMAJ ((__builtin_fabsf(c) >= __builtin_fabsf(a)) & (__builtin_fabsf(c) >= __builtin_fabsf(b)))
#define YMAJ (__builtin_fabsf(b) >= __builtin_fabsf(a))
SQ_FN float cube_pick(float a, float b, float c, float x, float y, float z)
{
   float r = YMAJ ? y : x;
   return ZMAJ ? z : r;
}
SQ_FN float cube_id(float a, float b, float c)
{
   return cube_pick(a, b, c, a < 0 ? 1.0f : 0.0f, b < 0 ? 3.0f : 2.0f, c < 0 ? 5.0f : 4.0f);
}
SQ_FN float cube_sc(float a, float b, float c) { return cube_pick(a, b, c, a < 0 ? c : -c, a, c < 0 ? -a : a); }
SQ_FN float cube_tc(float a, float b, float c) { return cube_pick(a, b, c, -b, b < 0 ? -c : c, -b); }
SQ_FN float cube_ma(float a, float b, float c) { return 2.0f * cube_pick(a, b, c, a, b, c); }

SQ_FN uint32_t exp32(uint32_t u) { return u >> 23 & 0xff; }
SQ_FN uint32_t frexp_mant(uint32_t u)
{
   if (exp32(u) == 255 || !(u & 0x7fffffffu))
      return u;
   uint32_t m = u & 0x7fffffu;
   if (!exp32(u))
      m = (m << (__builtin_clz(m) - 8)) & 0x7fffffu;
   return (u & 0x80000000u) | 0x3f000000u | m;
}
SQ_FN uint32_t frexp_exp(uint32_t u)
{
   uint32_t m = u & 0x7fffffu;
   if (exp32(u) == 255 || !(u & 0x7fffffffu))
      return 0;
   int e = exp32(u) ? (int)exp32(u) - 126 : -125 - (__builtin_clz(m) - 8);
   return (uint32_t)e;
}
SQ_FN float ldexp_f(float a, int32_t e)
{
   e = e > 600 ? 600 : e < -600 ? -600 : e;
   return (float)((double)a * sq_d((uint64_t)(e + 1023) << 52));
}

/* Denormal quotient or reciprocal as the hardware's exponent logic sees it. */
SQ_FN bool is_denorm32(float f) { return sq_u(f) << 1 && !exp32(sq_u(f)); }

/* A quotient that overflowed on the way comes as infinity or NaN: the hardware makes it infinity. */
SQ_FN uint32_t div_fixup(uint32_t a, uint32_t b, uint32_t c)
{
   const uint32_t inf = 0x7f800000u;
   uint32_t sign = (b ^ c) & 0x80000000u, mb = b & 0x7fffffffu, mc = c & 0x7fffffffu;
   uint32_t r = (a & 0x7fffffffu) >= inf ? sign | inf : sign | (a & 0x7fffffffu);
   r = (int32_t)exp32(c) - (int32_t)exp32(b) < -150 ? sign : r;
   r = (mb == inf) | (mc == 0) ? sign : r;
   r = (mb == 0) | (mc == inf) ? sign | inf : r;
   r = ((mb == 0) & (mc == 0)) | ((mb == inf) & (mc == inf)) ? 0xffc00000u : r;
   r = mb > inf ? b | 0x400000u : r;
   return mc > inf ? c | 0x400000u : r;
}

SQ_KERNEL k_V_DIV_SCALE_F32(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   for (int l = 0; l < SQ_LANES; l++) {
      float s0 = sq_f(A[l]), s1 = sq_f(B[l]), s2 = sq_f(C[l]), r = s0;
      bool vcc = false, both_same = A[l] == B[l];
      bool rd = is_denorm32((float)(1.0 / s1)), qd = is_denorm32((float)((double)s2 / s1));
      if (s2 == 0 || s1 == 0) {
         r = sq_f(0x7fc00000u);
      } else if ((int)exp32(C[l]) - (int)exp32(B[l]) >= 96) {
         vcc = true;
         if (both_same)
            r = ldexp_f(s0, 64);
      } else if (is_denorm32(s1)) {
         r = ldexp_f(s0, 64);
      } else if (rd && qd) {
         vcc = true;
         if (both_same)
            r = ldexp_f(s0, -64);
      } else if (rd) {
         r = ldexp_f(s0, -64);
      } else if (qd) {
         vcc = true;
         if (A[l] == C[l])
            r = ldexp_f(s0, 64);
      } else if (exp32(C[l]) <= 23) {
         r = ldexp_f(s0, 64);
      }
      x->mask_out[l] = vcc ? ~0u : 0;
      D[l] = sq_u(r);
   }
}
/* The scale undoes what v_div_scale did: up when the quotient is large (the
 * denominator was scaled up), down when it is small. */
SQ_KERNEL k_V_DIV_FMAS_F32(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   SQ_LANE_LOOP {
      float r = __builtin_fmaf(sq_f(A[l]), sq_f(B[l]), sq_f(C[l]));
      float s = exp32(C[l]) > 127 ? 0x1p64f : 0x1p-64f;
      D[l] = sq_u(x->mask_in[l] ? r * s : r);
   }
}
SQ_KERNEL k_V_CVT_PK_U8_F32(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   SQ_LANE_LOOP {
      uint32_t sh = (B[l] & 3) * 8;
      D[l] = (C[l] & ~(0xffu << sh)) | to_u8(sq_f(A[l])) << sh;
   }
}
/* Conversions of halves as loops of their own: hosts with F16C have them as
 * instructions, with the same bits. */
static void any_f2h(const uint32_t *a, uint32_t *d, uint32_t round)
{
   SQ_LANE_LOOP d[l] = sq_f2h(sq_f(a[l]), round);
}
static void any_h2f(const uint32_t *a, uint32_t *d)
{
   SQ_LANE_LOOP {
      uint32_t u = sq_u(sq_h2f(a[l] & 0xffff));
      d[l] = u | (sq_isnan32(u) ? 0x400000u : 0);
   }
}
#if defined(__x86_64__) && !defined(MODEL_ONE_TARGET)
#define F16C __attribute__((target("avx2,f16c")))
#define F2H_LOOP(IMM) \
   for (unsigned l = 0; l < SQ_LANES; l += 8) \
      _mm256_store_si256((__m256i *)(d + l), \
                         _mm256_cvtepu16_epi32(_mm256_cvtps_ph(_mm256_loadu_ps((const float *)(a + l)), IMM)))
F16C static void f16c_f2h(const uint32_t *a, uint32_t *d, uint32_t round)
{
   /* MODE: nearest, up, down, zero; the instruction: nearest, down, up, zero */
   switch (round) {
   case 0: F2H_LOOP(0); break;
   case 1: F2H_LOOP(2); break;
   case 2: F2H_LOOP(1); break;
   default: F2H_LOOP(3); break;
   }
}
F16C static void f16c_h2f(const uint32_t *a, uint32_t *d)
{
   const __m256i low = _mm256_set1_epi32(0xffff);
   for (unsigned l = 0; l < SQ_LANES; l += 8) {
      __m256i w = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(a + l)), low);
      __m256i h = _mm256_permute4x64_epi64(_mm256_packus_epi32(w, w), 0x08);
      _mm256_store_ps((float *)(d + l), _mm256_cvtph_ps(_mm256_castsi256_si128(h)));
   }
}
static bool f16c;
static void __attribute__((constructor)) find_f16c(void)
{
   __builtin_cpu_init();
   f16c = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
}
#else
#define f16c false
#define f16c_f2h any_f2h
#define f16c_h2f any_h2f
#endif

static void f2h_lanes(const uint32_t *a, uint32_t *d, uint32_t round)
{
   if (f16c)
      f16c_f2h(a, d, round);
   else
      any_f2h(a, d, round);
}
static void k_V_CVT_F16_F32(struct sq_valu *x)
{
   uint32_t out = sq_flush_out16(x->mode);
   f2h_lanes(x->a, x->d, SQ_MODE_ROUND64(x->mode));
   if (out)
      SQ_LANE_LOOP x->d[l] = sq_flush16(x->d[l], out);
}
static void k_V_CVT_F32_F16(struct sq_valu *x)
{
   uint32_t in = sq_flush_in16(x->mode), tmp[64] __attribute__((aligned(32)));
   const uint32_t *a = x->a;
   if (in) {
      SQ_LANE_LOOP tmp[l] = sq_flush16(a[l] & 0xffff, in);
      a = tmp;
   }
   if (f16c)
      f16c_h2f(a, x->d);
   else
      any_h2f(a, x->d);
}
static void k_V_CVT_PKRTZ_F16_F32(struct sq_valu *x)
{
   uint32_t out = sq_flush_out16(x->mode);
   uint32_t lo[64] __attribute__((aligned(32))), hi[64] __attribute__((aligned(32)));
   uint32_t *d = x->d;
   f2h_lanes(x->a, lo, 3);
   f2h_lanes(x->b, hi, 3);
   if (out)
      SQ_LANE_LOOP d[l] = sq_flush16(lo[l], out) | sq_flush16(hi[l], out) << 16;
   else
      SQ_LANE_LOOP d[l] = lo[l] | hi[l] << 16;
}

/* by number of operands */
#define LIST_F32_1(X) \
   X(V_FRACT_F32, F32, fract(a)) \
   X(V_TRUNC_F32, F32, __builtin_truncf(a)) \
   X(V_CEIL_F32, F32, __builtin_ceilf(a)) \
   X(V_RNDNE_F32, F32, sq_rndne(a)) \
   X(V_FLOOR_F32, F32, __builtin_floorf(a)) \
   X(V_EXP_F32, TRANS, exp2_f(a)) \
   X(V_LOG_F32, TRANS, log2_f(a)) \
   X(V_EXP_LEGACY_F32, TRANS, exp2_f(a)) \
   X(V_LOG_LEGACY_F32, TRANS, log2_f(a)) \
   X(V_RCP_F32, TRANS, 1.0f / a) \
   X(V_RCP_IFLAG_F32, TRANS, 1.0f / a) \
   X(V_RSQ_F32, TRANS, (float)(1.0 / __builtin_sqrt((double)a))) \
   X(V_SQRT_F32, TRANS, __builtin_sqrtf(a)) \
   X(V_SIN_F32, TRANS, sin_f(a)) \
   X(V_COS_F32, TRANS, cos_f(a))
#define LIST_F32_2(X) \
   X(V_ADD_F32, F32, a + b) \
   X(V_SUB_F32, F32, a - b) \
   X(V_SUBREV_F32, F32, b - a) \
   X(V_MUL_F32, F32, a * b)
#define LIST_F32_3(X) \
   X(V_MAC_F32, MAD, a * b + c) \
   X(V_MAD_F32, MAD, a * b + c) \
   X(V_MADMK_F32, MAD, a * b + c) \
   X(V_MADAK_F32, MAD, a * b + c) \
   X(V_FMA_F32, F32, __builtin_fmaf(a, b, c))

/* Minimum and maximum by words; flushed as MODE says */
#define LIST_W32(X) \
   X(V_MIN_F32, min2(a, b, ieee)) \
   X(V_MAX_F32, max2(a, b, ieee)) \
   X(V_MIN3_F32, min2(min2(a, b, ieee), c, ieee)) \
   X(V_MAX3_F32, max2(max2(a, b, ieee), c, ieee)) \
   X(V_MED3_F32, med3(a, b, c, ieee)) \
   X(V_FREXP_MANT_F32, frexp_mant(a)) \
   X(V_DIV_FIXUP_F32, div_fixup(a, b, c))

/* Zero times anything is zero; cube coordinates are copies, NaN or not */
#define LIST_CVT(X) \
   X(V_MUL_LEGACY_F32, F32, a == 0.0f || b == 0.0f ? 0 : sq_nan32(a * b, a, b, 0.0f)) \
   X(V_MAD_LEGACY_F32, MAD, a == 0.0f || b == 0.0f ? sq_nan32(0.0f + sq_f(uc), sq_f(uc), 0.0f, 0.0f) : \
     sq_nan32(a * b + sq_f(uc), a, b, sq_f(uc))) \
   X(V_CUBEID_F32, F32, sq_u(cube_id(a, b, sq_f(uc)))) \
   X(V_CUBESC_F32, F32, sq_u(cube_sc(a, b, sq_f(uc)))) \
   X(V_CUBETC_F32, F32, sq_u(cube_tc(a, b, sq_f(uc)))) \
   X(V_CUBEMA_F32, F32, sq_u(cube_ma(a, b, sq_f(uc)))) \
   X(V_FREXP_EXP_I32_F32, F32, frexp_exp(sq_flush32(ua, sq_flush_in32(x->mode)))) \
   X(V_CVT_F32_I32, F32, sq_u((float)(int32_t)ua)) \
   X(V_CVT_F32_U32, F32, sq_u((float)ua)) \
   X(V_CVT_I32_F32, F32, to_i32(a)) \
   X(V_CVT_U32_F32, F32, to_u32(a)) \
   X(V_CVT_RPI_I32_F32, F32, to_i32(__builtin_floorf(a + 0.5f))) \
   X(V_CVT_FLR_I32_F32, F32, to_i32(__builtin_floorf(a))) \
   X(V_CVT_OFF_F32_I4, F32, sq_u((float)((int32_t)(ua << 28) >> 28) * 0.0625f)) \
   X(V_CVT_F32_UBYTE0, F32, sq_u((float)(int32_t)(ua & 0xff))) \
   X(V_CVT_F32_UBYTE1, F32, sq_u((float)(int32_t)(ua >> 8 & 0xff))) \
   X(V_CVT_F32_UBYTE2, F32, sq_u((float)(int32_t)(ua >> 16 & 0xff))) \
   X(V_CVT_F32_UBYTE3, F32, sq_u((float)(int32_t)(ua >> 24))) \
   X(V_CVT_PKNORM_I16_F32, F32, snorm16(a) | snorm16(b) << 16) \
   X(V_CVT_PKNORM_U16_F32, F32, unorm16(a) | unorm16(b) << 16) \
   X(V_CVT_PKACCUM_U8_F32, F32, (uc & ~(0xffu << (ub & 3) * 8)) | to_u8(a) << (ub & 3) * 8) \
   X(V_LDEXP_F32, F32, sq_u(ldexp_f(a, (int32_t)ub)))

#define DEF_F32_1(OP, FP, ...) K_F32_1(OP, __VA_ARGS__)
#define DEF_F32_2(OP, FP, ...) K_F32_2(OP, __VA_ARGS__)
#define DEF_F32_3(OP, FP, ...) K_F32_3(OP, __VA_ARGS__)
#define DEF_CVT(OP, FP, ...) K_CVT(OP, __VA_ARGS__)
LIST_F32_1(DEF_F32_1)
LIST_F32_2(DEF_F32_2)
LIST_F32_3(DEF_F32_3)
LIST_W32(K_W32)
LIST_CVT(DEF_CVT)

#define ROW(OP, FP, ...) {ISA_##OP, SQ_FP_##FP, k_##OP, NULL},
#define ROW_W(OP, ...) {ISA_##OP, SQ_FP_NONE, k_##OP, NULL},
const struct sq_valu_row sq_rows_f32[] = {
   LIST_F32_1(ROW)
   LIST_F32_2(ROW)
   LIST_F32_3(ROW)
   LIST_W32(ROW_W)
   LIST_CVT(ROW)
   ROW(V_DIV_SCALE_F32, HOST)
   ROW(V_DIV_FMAS_F32, F32)
   ROW(V_CVT_PK_U8_F32, F32)
   ROW(V_CVT_F16_F32, F64)
   ROW(V_CVT_F32_F16, HOST)
   ROW(V_CVT_PKRTZ_F16_F32, HOST)
   {ISA_OP_COUNT, 0, NULL, NULL},
};
