/* SPDX-License-Identifier: MIT */
/* How the arithmetic of an opcode is written: one expression over a lane's
 * operands in a list; a macro makes the 64-lane loop and the table row.
 * Compiled twice, for AVX2 and for any host; both give the same bits. */
#ifndef SQ_VALU_H
#define SQ_VALU_H

#include <math.h>
#include "clones.h"
#include "wave.h"

#define SQ_CLONES MODEL_CLONES
#define SQ_KERNEL SQ_CLONES static void
#define SQ_FN static inline __attribute__((always_inline))

#define SQ_LANE_LOOP _Pragma("GCC ivdep") for (int l = 0; l < SQ_LANES; l++)

SQ_FN float sq_f(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
SQ_FN uint32_t sq_u(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
SQ_FN double sq_d(uint64_t u) { double f; memcpy(&f, &u, 8); return f; }
SQ_FN uint64_t sq_ud(double f) { uint64_t u; memcpy(&u, &f, 8); return u; }

#define SQ_OPERANDS(x) \
   uint32_t *D = (x)->d; \
   const uint32_t *A = (x)->a, *B = (x)->b, *C = (x)->c; \
   (void)D, (void)A, (void)B, (void)C;

/* uint32_t a, b, c -> uint32_t */
#define SQ_K_U32(OP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      SQ_LANE_LOOP { \
         uint32_t a = A[l], b = B[l], c = C[l]; \
         (void)a, (void)b, (void)c; \
         D[l] = (__VA_ARGS__); \
      } \
   }

/* uint64_t from 64-bit operands by the given names' widths */
#define SQ_LO_HI(P, l) (P[l] | (uint64_t)P[(l) + 64] << 32)
#define SQ_STORE64(D, l, v) do { uint64_t v_ = (v); D[l] = (uint32_t)v_; D[(l) + 64] = v_ >> 32; } while (0)

SQ_FN uint32_t sq_isnan32(uint32_t u) { return (u & 0x7fffffffu) > 0x7f800000u; }
SQ_FN uint32_t sq_issnan32(uint32_t u) { return sq_isnan32(u) && !(u & 0x400000u); }

/* The NaN rule: of operands that are NaN the first comes out, quiet; a NaN
 * that the operation made is positive here, negative on the host. */
SQ_FN uint32_t sq_nan32(float r, float a, float b, float c)
{
   uint32_t u = sq_u(r);
   u = u == 0xffc00000u ? 0x7fc00000u : u;
   u = c != c ? sq_u(c) | 0x400000u : u;
   u = b != b ? sq_u(b) | 0x400000u : u;
   return a != a ? sq_u(a) | 0x400000u : u;
}

/* Nearest even, whatever MODE says: adding 1.5 * 2^23 would round by it. */
SQ_FN float sq_rndne(float a)
{
   float t = __builtin_truncf(a), f = __builtin_fabsf(a - t), step = __builtin_copysignf(1.0f, a);
   uint32_t odd = (uint32_t)(int32_t)(__builtin_fabsf(t) < 8388608.0f ? t : 0.0f) & 1;
   uint32_t up = (f > 0.5f) | ((f == 0.5f) & odd);
   float r = up ? t + step : t;
   return __builtin_copysignf(r, a);
}

/* A word that a mode says to flush: subnormal to zero of its sign. */
SQ_FN uint32_t sq_flush32(uint32_t u, uint32_t on)
{
   return ((u & 0x7f800000u) == 0) & on ? u & 0x80000000u : u;
}
SQ_FN uint32_t sq_flush_in32(uint32_t mode) { return !(SQ_MODE_DENORM32(mode) & 1); }
SQ_FN uint32_t sq_flush_out32(uint32_t mode) { return !(SQ_MODE_DENORM32(mode) & 2); }

/* ---- half precision, kept in the low 16 bits of a word ---- */

SQ_FN float sq_h2f(uint32_t h)
{
   uint32_t em = h & 0x7fffu;
   uint32_t sub = sq_u((float)(int)em * 0x1p-24f);
   uint32_t norm = (em << 13) + (112u << 23);
   uint32_t special = (em << 13) | 0x7f800000u;
   uint32_t u = em < 0x400u ? sub : em >= 0x7c00u ? special : norm;
   return sq_f(u | (h & 0x8000u) << 16);
}
SQ_FN uint32_t sq_flush16(uint32_t h, uint32_t on) { return ((h & 0x7c00u) == 0) & on ? h & 0x8000u : h; }
SQ_FN uint32_t sq_flush_in16(uint32_t mode) { return !(SQ_MODE_DENORM64(mode) & 1); }
SQ_FN uint32_t sq_flush_out16(uint32_t mode) { return !(SQ_MODE_DENORM64(mode) & 2); }
SQ_FN uint32_t sq_isnan16(uint32_t h) { return (h & 0x7fffu) > 0x7c00u; }

/* Single to half with a rounding of MODE's numbering (0 nearest even, 1 up,
 * 2 down, 3 to zero). */
SQ_FN uint32_t sq_f2h(float f, uint32_t round)
{
   uint32_t u = sq_u(f), sign = u >> 31, m = u & 0x7fffffffu;
   int32_t e = (int32_t)(m >> 23) - 127;
   uint32_t sub = e < -14;
   /* what is added to the part cut off: a half to nearest, all to infinity */
   uint32_t half = round == 0, away = (round == 1) & !sign;
   away |= (round == 2) & sign;
   /* normal: 13 bits go; subnormal: more */
   uint32_t mant = (m & 0x7fffffu) | (m >> 23 ? 0x800000u : 0);
   int32_t sh = sub ? -1 - e : 13;
   sh = sh > 25 ? 25 : sh;
   uint32_t v = sub ? mant : m - (112u << 23);
   uint32_t ones = (1u << sh) - 1;
   uint32_t add = half ? (ones >> 1) + (v >> sh & 1) : away ? ones : 0;
   uint32_t t = (v + add) >> sh;
   uint32_t over = half | away ? 0x7c00u : 0x7bffu;
   t = (e > 15) | (t > 0x7c00u) ? over : t;
   t = m == 0x7f800000u ? 0x7c00u : t;
   t = m > 0x7f800000u ? 0x7e00u | (m >> 13 & 0x1ffu) : t;
   return t | sign << 15;
}
/* Double to single so that a later rounding to half is not a second one. */
SQ_FN float sq_d2f_odd(double d)
{
   float f = (float)d;
   uint32_t u = sq_u(f);
   double back = f;
   uint32_t toward = fabs(back) > fabs(d);
   u = back != d && d == d ? (u - toward) | 1 : u;
   return sq_f(u);
}
/* a * b + c with one rounding to half: the double sum is rounded to odd. */
SQ_FN float sq_fma_odd(float a, float b, float c)
{
   double p = (double)a * b, s = p + c;
   double bb = s - p, err = (p - (s - bb)) + (c - bb);
   uint64_t u = sq_ud(s);
   uint64_t up = (err > 0) == (s > 0);
   u = err != 0 && err == err && !(u & 1) ? (up ? u + 1 : u - 1) : u;
   return sq_d2f_odd(sq_d(u));
}

#endif
