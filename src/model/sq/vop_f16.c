/* SPDX-License-Identifier: MIT */
/* Half-precision vector arithmetic and the packed opcodes of VOP3P.
 *
 * A half travels in the low 16 bits of a word. Products are exact in single
 * precision. Sums are exact enough for rounding to nearest; in the other modes,
 * and fused ones always, they go through double. */
#include "valu.h"

/* float a, b, c (from halves) -> float, rounded to half */
#define K_F16(OP, N, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      uint32_t in = sq_flush_in16(x->mode), out = sq_flush_out16(x->mode), round = SQ_MODE_ROUND64(x->mode); \
      (void)in; \
      SQ_LANE_LOOP { \
         float a = sq_h2f(sq_flush16(A[l] & 0xffff, in)), b = sq_h2f(sq_flush16(B[l] & 0xffff, in)); \
         float c = sq_h2f(sq_flush16(C[l] & 0xffff, in)); \
         (void)a, (void)b, (void)c; \
         D[l] = fix16(sq_flush16(sq_f2h((__VA_ARGS__), round), out), A[l], N > 1 ? B[l] : 0, N > 2 ? C[l] : 0); \
      } \
   }
/* half words a, b, c -> word */
#define K_H16(OP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      uint32_t in = sq_flush_in16(x->mode), out = sq_flush_out16(x->mode), ieee = x->mode & SQ_MODE_IEEE ? 1 : 0; \
      uint32_t round = SQ_MODE_ROUND64(x->mode); \
      (void)ieee, (void)in, (void)out, (void)round; \
      SQ_LANE_LOOP { \
         uint32_t a = sq_flush16(A[l] & 0xffff, in), b = sq_flush16(B[l] & 0xffff, in); \
         uint32_t c = sq_flush16(C[l] & 0xffff, in); \
         (void)a, (void)b, (void)c; \
         D[l] = (__VA_ARGS__); \
      } \
   }

/* The NaN rule of valu.h on halves. */
SQ_FN uint32_t fix16(uint32_t r, uint32_t a, uint32_t b, uint32_t c)
{
   r = r == 0xfe00u ? 0x7e00u : r;
   r = sq_isnan16(c) ? (c & 0xffffu) | 0x200u : r;
   r = sq_isnan16(b) ? (b & 0xffffu) | 0x200u : r;
   return sq_isnan16(a) ? (a & 0xffffu) | 0x200u : r;
}

SQ_FN int32_t order16(uint32_t h) { return h & 0x8000u ? -(int32_t)(h & 0x7fffu) - 1 : (int32_t)h; }
SQ_FN uint32_t min16(uint32_t a, uint32_t b, uint32_t ieee)
{
   uint32_t na = sq_isnan16(a), nb = sq_isnan16(b);
   uint32_t qa = ieee & na & (a >> 9 ^ 1), qb = ieee & nb & (b >> 9 ^ 1); /* signalling */
   uint32_t r = order16(a) < order16(b) ? a : b;
   r = nb ? a : r;
   r = na ? b : r;
   r = qb ? b | 0x200u : r;
   return qa ? a | 0x200u : r;
}
SQ_FN uint32_t max16(uint32_t a, uint32_t b, uint32_t ieee)
{
   uint32_t na = sq_isnan16(a), nb = sq_isnan16(b);
   uint32_t qa = ieee & na & (a >> 9 ^ 1), qb = ieee & nb & (b >> 9 ^ 1); /* signalling */
   uint32_t r = order16(a) > order16(b) ? a : b;
   r = nb ? a : r;
   r = na ? b : r;
   r = qb ? b | 0x200u : r;
   return qa ? a | 0x200u : r;
}
SQ_FN uint32_t med16(uint32_t a, uint32_t b, uint32_t c, uint32_t ieee)
{
   int32_t oa = order16(a), ob = order16(b), oc = order16(c);
   uint32_t hi = oa > ob ? a : b, lo = oa > ob ? b : a;
   int32_t ohi = oa > ob ? oa : ob, olo = oa > ob ? ob : oa;
   uint32_t r = oc > ohi ? hi : c;
   r = oc < olo ? lo : r;
   uint32_t n = min16(min16(a, b, ieee), c, ieee);
   return sq_isnan16(a) | sq_isnan16(b) | sq_isnan16(c) ? n : r;
}
SQ_FN uint32_t frexp_mant16(uint32_t h)
{
   uint32_t m = h & 0x3ffu;
   if ((h & 0x7c00u) == 0x7c00u || !(h & 0x7fffu))
      return h;
   if (!(h & 0x7c00u))
      m = (m << (__builtin_clz(m) - 21)) & 0x3ffu;
   return (h & 0x8000u) | 0x3800u | m;
}
SQ_FN uint32_t frexp_exp16(uint32_t h)
{
   uint32_t m = h & 0x3ffu, e = h >> 10 & 0x1f;
   if (e == 31 || !(h & 0x7fffu))
      return 0;
   return (e ? e - 14 : (uint32_t)(-13 - ((int)__builtin_clz(m) - 21))) & 0xffff;
}
SQ_FN uint32_t div_fixup16(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t sign = (b ^ c) & 0x8000u, mb = b & 0x7fffu, mc = c & 0x7fffu;
   if (mc > 0x7c00u)
      return c | 0x200u;
   if (mb > 0x7c00u)
      return b | 0x200u;
   if ((!mb && !mc) || (mb == 0x7c00u && mc == 0x7c00u))
      return 0xfe00u;
   if (!mb || mc == 0x7c00u)
      return sign | 0x7c00u;
   if (mb == 0x7c00u || !mc)
      return sign;
   return sign | (a & 0x7fffu);
}
SQ_FN float fract16(float a)
{
   float r = a - __builtin_floorf(a);
   return r > 0x1.ffcp-1f ? 0x1.ffcp-1f : r;
}
SQ_FN float ldexp16(float a, uint32_t e)
{
   int32_t n = (int16_t)e;
   n = n > 60 ? 60 : n < -60 ? -60 : n;
   return a * sq_f((uint32_t)(n + 127) << 23);
}
SQ_FN float exp2_h(float a) { return __builtin_exp2f(a); }
SQ_FN float log2_h(float a) { return __builtin_log2f(a); }
SQ_FN float sin_h(float a)
{
   return __builtin_fabsf(a) > 256.0f && __builtin_fabsf(a) != INFINITY ? 0.0f :
          sq_d2f_odd(__builtin_sin(((double)a - __builtin_floor(a)) * 6.28318530717958647693));
}
SQ_FN float cos_h(float a)
{
   return __builtin_fabsf(a) > 256.0f && __builtin_fabsf(a) != INFINITY ? 1.0f :
          sq_d2f_odd(__builtin_cos(((double)a - __builtin_floor(a)) * 6.28318530717958647693));
}
SQ_FN uint32_t h_to_i16(float a)
{
   float t = a > 32767.0f ? 32767.0f : a < -32768.0f ? -32768.0f : a != a ? 0.0f : a;
   return (uint32_t)(int32_t)t & 0xffff;
}
SQ_FN uint32_t h_to_u16(float a)
{
   float t = a > 65535.0f ? 65535.0f : a > 0.0f ? a : 0.0f;
   return (uint32_t)(int32_t)t;
}
SQ_FN uint32_t snorm_h(float a)
{
   float c = a > 1.0f ? 1.0f : a < -1.0f ? -1.0f : a != a ? 0.0f : a;
   return (uint32_t)(int32_t)sq_rndne(c * 32767.0f) & 0xffff;
}
SQ_FN uint32_t unorm_h(float a)
{
   float c = a > 1.0f ? 1.0f : a > 0.0f ? a : 0.0f;
   return (uint32_t)(int32_t)sq_rndne(c * 65535.0f);
}
/* mad: the product is rounded to half first */
#define MUL_H(a, b) sq_h2f(sq_flush16(sq_f2h((a) * (b), round), 1))

#define ADD_H(a, b) (round ? sq_d2f_odd((double)(a) + (double)(b)) : (a) + (b))

#define LIST_F16(X) \
   X(V_ADD_F16, 2, ADD_H(a, b)) \
   X(V_SUB_F16, 2, ADD_H(a, -b)) \
   X(V_SUBREV_F16, 2, ADD_H(b, -a)) \
   X(V_MUL_F16, 2, a * b) \
   X(V_MAC_F16, 3, ADD_H(MUL_H(a, b), c)) \
   X(V_MADMK_F16, 3, ADD_H(MUL_H(a, b), c)) \
   X(V_MADAK_F16, 3, ADD_H(MUL_H(a, b), c)) \
   X(V_MAD_F16, 3, ADD_H(MUL_H(a, b), c)) \
   X(V_MAD_LEGACY_F16, 3, ADD_H(MUL_H(a, b), c)) \
   X(V_FMA_F16, 3, sq_fma_odd(a, b, c)) \
   X(V_FMA_LEGACY_F16, 3, sq_fma_odd(a, b, c)) \
   X(V_RCP_F16, 1, 1.0f / a) \
   X(V_SQRT_F16, 1, __builtin_sqrtf(a)) \
   X(V_RSQ_F16, 1, sq_d2f_odd(1.0 / __builtin_sqrt((double)a))) \
   X(V_LOG_F16, 1, log2_h(a)) \
   X(V_EXP_F16, 1, exp2_h(a)) \
   X(V_SIN_F16, 1, sin_h(a)) \
   X(V_COS_F16, 1, cos_h(a)) \
   X(V_FLOOR_F16, 1, __builtin_floorf(a)) \
   X(V_CEIL_F16, 1, __builtin_ceilf(a)) \
   X(V_TRUNC_F16, 1, __builtin_truncf(a)) \
   X(V_RNDNE_F16, 1, sq_rndne(a)) \
   X(V_FRACT_F16, 1, fract16(a))
#define LIST_H16(X) \
   X(V_MIN_F16, sq_flush16(min16(a, b, ieee), out)) \
   X(V_MAX_F16, sq_flush16(max16(a, b, ieee), out)) \
   X(V_MIN3_F16, sq_flush16(min16(min16(a, b, ieee), c, ieee), out)) \
   X(V_MAX3_F16, sq_flush16(max16(max16(a, b, ieee), c, ieee), out)) \
   X(V_MED3_F16, sq_flush16(med16(a, b, c, ieee), out)) \
   X(V_LDEXP_F16, fix16(sq_flush16(sq_f2h(ldexp16(sq_h2f(a), B[l]), round), out), a, 0, 0)) \
   X(V_CVT_F16_U16, sq_f2h((float)(int32_t)(A[l] & 0xffff), round)) \
   X(V_CVT_F16_I16, sq_f2h((float)(int16_t)A[l], round)) \
   X(V_FREXP_MANT_F16, frexp_mant16(a)) \
   X(V_FREXP_EXP_I16_F16, frexp_exp16(a)) \
   X(V_DIV_FIXUP_F16, div_fixup16(a, b, c)) \
   X(V_DIV_FIXUP_LEGACY_F16, div_fixup16(a, b, c)) \
   X(V_CVT_I16_F16, h_to_i16(sq_h2f(a))) \
   X(V_CVT_U16_F16, h_to_u16(sq_h2f(a))) \
   X(V_CVT_NORM_I16_F16, snorm_h(sq_h2f(a))) \
   X(V_CVT_NORM_U16_F16, unorm_h(sq_h2f(a))) \
   X(V_CVT_PKNORM_I16_F16, snorm_h(sq_h2f(a)) | snorm_h(sq_h2f(b)) << 16) \
   X(V_CVT_PKNORM_U16_F16, unorm_h(sq_h2f(a)) | unorm_h(sq_h2f(b)) << 16)

LIST_F16(K_F16)
LIST_H16(K_H16)

#define ROW(OP, ...) {ISA_##OP, SQ_FP_HOST, k_##OP, NULL},
const struct sq_valu_row sq_rows_f16[] = {
   LIST_F16(ROW)
   LIST_H16(ROW)
   {ISA_OP_COUNT, 0, NULL, NULL},
};

/* ---- VOP3P: the shared code has put the chosen halves and signs in place ---- */

#define K_PK(OP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      uint32_t in = sq_flush_in16(x->mode), out = sq_flush_out16(x->mode), round = SQ_MODE_ROUND64(x->mode); \
      uint32_t ieee = x->mode & SQ_MODE_IEEE ? 1 : 0; \
      (void)in, (void)out, (void)round, (void)ieee; \
      SQ_LANE_LOOP { \
         uint32_t r = 0; \
         for (int s = 0; s < 32; s += 16) { \
            uint32_t a = A[l] >> s & 0xffff, b = B[l] >> s & 0xffff, c = C[l] >> s & 0xffff; \
            (void)b, (void)c; \
            r |= ((__VA_ARGS__) & 0xffff) << s; \
         } \
         D[l] = r; \
      } \
   }
#define HF(v) sq_h2f(sq_flush16(v, in))
#define FH(v) fix16(sq_flush16(sq_f2h(v, round), out), a, b, 0)
SQ_FN int32_t i16(uint32_t v) { return (int16_t)v; }
SQ_FN uint32_t cap_i16(int32_t v) { return (uint32_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v); }
SQ_FN uint32_t cap_u16(int64_t v) { return v > 65535 ? 65535 : v < 0 ? 0 : (uint32_t)v; }

#define LIST_PK(X) \
   X(V_PK_LSHLREV_B16, b << (a & 15)) \
   X(V_PK_LSHRREV_B16, b >> (a & 15)) \
   X(V_PK_ASHRREV_I16, (uint32_t)(i16(b) >> (a & 15))) \
   X(V_PK_MAX_I16, i16(a) > i16(b) ? a : b) \
   X(V_PK_MIN_I16, i16(a) < i16(b) ? a : b) \
   X(V_PK_MAX_U16, a > b ? a : b) \
   X(V_PK_MIN_U16, a < b ? a : b) \
   X(V_PK_ADD_F16, FH(ADD_H(HF(a), HF(b)))) \
   X(V_PK_MUL_F16, FH(HF(a) * HF(b))) \
   X(V_PK_FMA_F16, fix16(sq_flush16(sq_f2h(sq_fma_odd(HF(a), HF(b), HF(c)), round), out), a, b, c)) \
   X(V_PK_MIN_F16, sq_flush16(min16(sq_flush16(a, in), sq_flush16(b, in), ieee), out)) \
   X(V_PK_MAX_F16, sq_flush16(max16(sq_flush16(a, in), sq_flush16(b, in), ieee), out))
#define LIST_PK_SAT(X) \
   X(V_PK_MAD_I16, ((uint32_t)(i16(a) * i16(b) + i16(c))), (cap_i16(i16(a) * i16(b) + i16(c)))) \
   X(V_PK_MUL_LO_U16, (a * b), (cap_u16((int64_t)a * b))) \
   X(V_PK_ADD_I16, (a + b), (cap_i16(i16(a) + i16(b)))) \
   X(V_PK_SUB_I16, (a - b), (cap_i16(i16(a) - i16(b)))) \
   X(V_PK_MAD_U16, (a * b + c), (cap_u16((int64_t)a * b + c))) \
   X(V_PK_ADD_U16, (a + b), (cap_u16((int64_t)a + b))) \
   X(V_PK_SUB_U16, (a - b), (cap_u16((int64_t)a - b)))
LIST_PK(K_PK)
#define DEF_SAT(OP, E, S) K_PK(OP, E) K_PK(OP##_sat, S)
LIST_PK_SAT(DEF_SAT)

/* v_mad_mix: operands are singles by now; the product is rounded. */
SQ_KERNEL k_V_MAD_MIX_F32(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   SQ_LANE_LOOP {
      float a = sq_f(A[l]), b = sq_f(B[l]), c = sq_f(C[l]);
      D[l] = sq_nan32(a * b + c, a, b, c);
   }
}

#define ROW_SAT(OP, ...) {ISA_##OP, SQ_FP_NONE, k_##OP, k_##OP##_sat},
const struct sq_valu_row sq_rows_pk[] = {
   LIST_PK(ROW)
   LIST_PK_SAT(ROW_SAT)
   {ISA_V_MAD_MIX_F32, SQ_FP_MAD, k_V_MAD_MIX_F32, NULL},
   {ISA_V_MAD_MIXLO_F16, SQ_FP_MAD, k_V_MAD_MIX_F32, NULL},
   {ISA_V_MAD_MIXHI_F16, SQ_FP_MAD, k_V_MAD_MIX_F32, NULL},
   {ISA_OP_COUNT, 0, NULL, NULL},
};
