/* SPDX-License-Identifier: MIT */
/* Vector compares: each makes a word of 0 or ~0 per lane; the shared code turns
 * them into the SGPR mask, and into EXEC for the v_cmpx forms. */
#include "valu.h"

#define K_CMP(NAME, LOAD, ...) \
   SQ_KERNEL k_##NAME(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      uint32_t *O = x->mask_out; \
      uint32_t in16 = sq_flush_in16(x->mode), in32 = sq_flush_in32(x->mode); \
      (void)in16, (void)in32; \
      SQ_LANE_LOOP { \
         LOAD \
         (void)a, (void)b; \
         O[l] = (__VA_ARGS__) ? ~0u : 0; \
      } \
   }
#define LOAD_F32 float a = sq_f(A[l]), b = sq_f(B[l]);
#define LOAD_F64 double a = sq_d(SQ_LO_HI(A, l)), b = sq_d(SQ_LO_HI(B, l));
#define LOAD_F16 float a = sq_h2f(sq_flush16(A[l] & 0xffff, in16)), b = sq_h2f(sq_flush16(B[l] & 0xffff, in16));
#define LOAD_I16 int32_t a = (int16_t)A[l], b = (int16_t)B[l];
#define LOAD_U16 uint32_t a = A[l] & 0xffff, b = B[l] & 0xffff;
#define LOAD_I32 int32_t a = (int32_t)A[l], b = (int32_t)B[l];
#define LOAD_U32 uint32_t a = A[l], b = B[l];
#define LOAD_I64 int64_t a = (int64_t)SQ_LO_HI(A, l), b = (int64_t)SQ_LO_HI(B, l);
#define LOAD_U64 uint64_t a = SQ_LO_HI(A, l), b = SQ_LO_HI(B, l);

#define LIST_FLOAT(X, T) \
   X(F, T, 0) \
   X(LT, T, a < b) \
   X(EQ, T, a == b) \
   X(LE, T, a <= b) \
   X(GT, T, a > b) \
   X(LG, T, a < b || a > b) \
   X(GE, T, a >= b) \
   X(O, T, !__builtin_isunordered(a, b)) \
   X(U, T, __builtin_isunordered(a, b)) \
   X(NGE, T, !(a >= b)) \
   X(NLG, T, !(a < b || a > b)) \
   X(NGT, T, !(a > b)) \
   X(NLE, T, !(a <= b)) \
   X(NEQ, T, !(a == b)) \
   X(NLT, T, !(a < b)) \
   X(TRU, T, 1)
#define LIST_INT(X, TYPE) \
   X(F, TYPE, 0) \
   X(LT, TYPE, a < b) \
   X(EQ, TYPE, a == b) \
   X(LE, TYPE, a <= b) \
   X(GT, TYPE, a > b) \
   X(NE, TYPE, a != b) \
   X(GE, TYPE, a >= b) \
   X(T, TYPE, 1)

#define DEF(C, T, ...) K_CMP(C##_##T, LOAD_##T, __VA_ARGS__)
LIST_FLOAT(DEF, F16)
LIST_FLOAT(DEF, F32)
LIST_FLOAT(DEF, F64)
LIST_INT(DEF, I16)
LIST_INT(DEF, U16)
LIST_INT(DEF, I32)
LIST_INT(DEF, U32)
LIST_INT(DEF, I64)
LIST_INT(DEF, U64)

/* v_cmp_class: bit of the mask in `b` for the class of a. Bits: 0 signalling
 * NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6 +0, 7 +subnormal,
 * 8 +normal, 9 +inf. */
SQ_FN uint32_t class_of(uint32_t sign, uint32_t exp, uint32_t exp_max, uint32_t mant, uint32_t quiet)
{
   uint32_t nan = quiet ? 1 : 0;
   uint32_t inf = sign ? 2 : 9, norm = sign ? 3 : 8, sub = sign ? 4 : 7, zero = sign ? 5 : 6;
   return exp == exp_max ? (mant ? nan : inf) : exp ? norm : mant ? sub : zero;
}
#define LOAD_CLASS32 \
   uint32_t u = A[l], b = B[l], a = class_of(u >> 31, u >> 23 & 0xff, 0xff, u & 0x7fffff, u & 0x400000);
#define LOAD_CLASS16 \
   uint32_t u = A[l] & 0xffff, b = B[l], a = class_of(u >> 15, u >> 10 & 0x1f, 0x1f, u & 0x3ff, u & 0x200);
#define LOAD_CLASS64 \
   uint32_t h = A[l + 64], b = B[l], m = (h & 0xfffff) | (A[l] ? 1u : 0); \
   uint32_t a = class_of(h >> 31, h >> 20 & 0x7ff, 0x7ff, m, h & 0x80000);
K_CMP(CLASS_F32, LOAD_CLASS32, b >> a & 1)
K_CMP(CLASS_F16, LOAD_CLASS16, b >> a & 1)
K_CMP(CLASS_F64, LOAD_CLASS64, b >> a & 1)

#define ROWS(C, T, FP) \
   {ISA_V_CMP_##C##_##T, SQ_FP_##FP, k_##C##_##T, NULL}, \
   {ISA_V_CMPX_##C##_##T, SQ_FP_##FP, k_##C##_##T, NULL},
#define ROWS_F32(C, T, ...) ROWS(C, T, F32)
#define ROWS_F64(C, T, ...) ROWS(C, T, F64)
#define ROWS_ANY(C, T, ...) ROWS(C, T, NONE)
#define ROWS_F16(C, T, ...) ROWS(C, T, HOST)
const struct sq_valu_row sq_rows_cmp[] = {
   LIST_FLOAT(ROWS_F16, F16)
   LIST_FLOAT(ROWS_F32, F32)
   LIST_FLOAT(ROWS_F64, F64)
   LIST_INT(ROWS_ANY, I16)
   LIST_INT(ROWS_ANY, U16)
   LIST_INT(ROWS_ANY, I32)
   LIST_INT(ROWS_ANY, U32)
   LIST_INT(ROWS_ANY, I64)
   LIST_INT(ROWS_ANY, U64)
   ROWS(CLASS, F32, NONE)
   ROWS(CLASS, F16, NONE)
   ROWS(CLASS, F64, NONE)
   {ISA_OP_COUNT, 0, NULL, NULL},
};
