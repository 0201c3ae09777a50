/* SPDX-License-Identifier: MIT */
/* Integer and bitwise vector arithmetic: VOP1, VOP2 and VOP3 opcodes with 16-,
 * 32- and 64-bit integer operands. */
#include "valu.h"

SQ_FN int32_t s24(uint32_t u) { return (int32_t)(u << 8) >> 8; }
SQ_FN uint32_t u24(uint32_t u) { return u & 0xffffffu; }
SQ_FN int32_t s16(uint32_t u) { return (int16_t)u; }
SQ_FN uint32_t u16(uint32_t u) { return u & 0xffffu; }
SQ_FN uint32_t umin(uint32_t a, uint32_t b) { return a < b ? a : b; }
SQ_FN uint32_t umax(uint32_t a, uint32_t b) { return a > b ? a : b; }
SQ_FN uint32_t imin(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? a : b; }
SQ_FN uint32_t imax(uint32_t a, uint32_t b) { return (int32_t)a > (int32_t)b ? a : b; }
SQ_FN uint32_t umed(uint32_t a, uint32_t b, uint32_t c) { return umax(umin(a, b), umin(umax(a, b), c)); }
SQ_FN uint32_t imed(uint32_t a, uint32_t b, uint32_t c) { return imax(imin(a, b), imin(imax(a, b), c)); }
SQ_FN uint32_t absdiff(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

SQ_FN uint32_t bfe_u(uint32_t a, uint32_t b, uint32_t c)
{
   return (a >> (b & 31)) & ((1u << (c & 31)) - 1);
}
SQ_FN uint32_t bfe_i(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t n = c & 31, v = (uint32_t)((int32_t)a >> (b & 31)) & ((1u << n) - 1);
   uint32_t top = n ? 1u << (n - 1) : 0;
   return (v ^ top) - top;
}
SQ_FN uint32_t popcount(uint32_t v)
{
   v = v - (v >> 1 & 0x55555555u);
   v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
   return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
SQ_FN uint32_t bitrev(uint32_t v)
{
   v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
   v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
   v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
   return __builtin_bswap32(v);
}
/* Position of the highest one from the top, -1 for none. */
SQ_FN uint32_t ffbh(uint32_t v)
{
   uint32_t s = v;
   s |= s >> 1;
   s |= s >> 2;
   s |= s >> 4;
   s |= s >> 8;
   s |= s >> 16;
   return v ? 32 - popcount(s) : ~0u;
}
SQ_FN uint32_t ffbl(uint32_t v) { return v ? popcount((v & -v) - 1) : ~0u; }
SQ_FN uint32_t ffbh_i(uint32_t v) { return ffbh(v ^ (uint32_t)((int32_t)v >> 31)); }

SQ_FN uint32_t sad_u8(uint32_t a, uint32_t b, uint32_t c)
{
   for (int s = 0; s < 32; s += 8)
      c += absdiff(a >> s & 0xff, b >> s & 0xff);
   return c;
}
SQ_FN uint32_t msad_u8(uint32_t a, uint32_t b, uint32_t c)
{
   for (int s = 0; s < 32; s += 8)
      c += b >> s & 0xff ? absdiff(a >> s & 0xff, b >> s & 0xff) : 0;
   return c;
}
SQ_FN uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t r = 0;
   for (int s = 0; s < 32; s += 8)
      r |= (((a >> s & 0xff) + (b >> s & 0xff) + (c >> s & 1)) >> 1) << s;
   return r;
}
SQ_FN uint32_t perm_byte(uint32_t a, uint32_t b, uint32_t sel)
{
   uint64_t v = (uint64_t)a << 32 | b;
   if (sel >= 13)
      return 0xff;
   if (sel == 12)
      return 0;
   if (sel >= 8)
      return v >> ((sel - 8) * 16 + 15) & 1 ? 0xff : 0;
   return v >> (sel * 8) & 0xff;
}
SQ_FN uint32_t perm(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t r = 0;
   for (int s = 0; s < 32; s += 8)
      r |= perm_byte(a, b, c >> s & 0xff) << s;
   return r;
}
SQ_FN uint32_t sat_u8(int32_t v) { return v < 0 ? 0 : v > 255 ? 255 : (uint32_t)v; }

/* saturated forms (CLAMP) */
SQ_FN uint32_t sat_i32(int64_t v)
{
   return v > INT32_MAX ? (uint32_t)INT32_MAX : v < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)v;
}
SQ_FN uint32_t sat_u32(uint64_t v) { return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v; }
SQ_FN uint32_t sat_i16(int32_t v) { return (v > 32767 ? 32767 : v < -32768 ? -32768 : v) & 0xffff; }
SQ_FN uint32_t sat_u16(int32_t v) { return v > 65535 ? 65535 : v < 0 ? 0 : (uint32_t)v; }
SQ_FN uint32_t add_sat(uint32_t a, uint32_t b) { return a + b < a ? ~0u : a + b; }
SQ_FN uint32_t sub_sat(uint32_t a, uint32_t b) { return a < b ? 0 : a - b; }

/* v_screen_partition_4se_b32: which of 4 shader engines a pair of tile positions
 * touches, as a mask. */
static const uint8_t partition[256] = {
   0x1, 0x3, 0x7, 0xf, 0x5, 0xf, 0xf, 0xf, 0x7, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf,
   0xf, 0x2, 0x6, 0xe, 0xf, 0xa, 0xf, 0xf, 0xf, 0xb, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf,
   0xd, 0xf, 0x4, 0xc, 0xf, 0xf, 0x5, 0xf, 0xf, 0xf, 0xd, 0xf, 0xf, 0xf, 0xf, 0xf,
   0x9, 0xb, 0xf, 0x8, 0xf, 0xf, 0xf, 0xa, 0xf, 0xf, 0xf, 0xe, 0xf, 0xf, 0xf, 0xf,
   0xf, 0xf, 0xf, 0xf, 0x4, 0xc, 0xd, 0xf, 0x6, 0xf, 0xf, 0xf, 0xe, 0xf, 0xf, 0xf,
   0xf, 0xf, 0xf, 0xf, 0xf, 0x8, 0x9, 0xb, 0xf, 0x9, 0x9, 0xf, 0xf, 0xd, 0xf, 0xf,
   0xf, 0xf, 0xf, 0xf, 0x7, 0xf, 0x1, 0x3, 0xf, 0xf, 0x9, 0xf, 0xf, 0xf, 0xb, 0xf,
   0xf, 0xf, 0xf, 0xf, 0x6, 0xe, 0xf, 0x2, 0x6, 0xf, 0xf, 0x6, 0xf, 0xf, 0xf, 0x7,
   0xb, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0x2, 0x3, 0xb, 0xf, 0xa, 0xf, 0xf, 0xf,
   0xf, 0x7, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0x1, 0x9, 0xd, 0xf, 0x5, 0xf, 0xf,
   0xf, 0xf, 0xe, 0xf, 0xf, 0xf, 0xf, 0xf, 0xe, 0xf, 0x8, 0xc, 0xf, 0xf, 0xa, 0xf,
   0xf, 0xf, 0xf, 0xd, 0xf, 0xf, 0xf, 0xf, 0x6, 0x7, 0xf, 0x4, 0xf, 0xf, 0xf, 0x5,
   0x9, 0xf, 0xf, 0xf, 0xd, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0x8, 0xc, 0xe, 0xf,
   0xf, 0x6, 0x6, 0xf, 0xf, 0xe, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0xf, 0x4, 0x6, 0x7,
   0xf, 0xf, 0x6, 0xf, 0xf, 0xf, 0x7, 0xf, 0xf, 0xf, 0xf, 0xf, 0xb, 0xf, 0x2, 0x3,
   0x9, 0xf, 0xf, 0x9, 0xf, 0xf, 0xf, 0xb, 0xf, 0xf, 0xf, 0xf, 0x9, 0xd, 0xf, 0x1,
};

#define LIST_INT(X) \
   X(V_SCREEN_PARTITION_4SE_B32, partition[a & 0xff]) \
   X(V_MOV_B32, a) \
   X(V_NOT_B32, ~a) \
   X(V_BFREV_B32, bitrev(a)) \
   X(V_FFBH_U32, ffbh(a)) \
   X(V_FFBL_B32, ffbl(a)) \
   X(V_FFBH_I32, ffbh_i(a)) \
   X(V_SAT_PK_U8_I16, sat_u8(s16(a)) | sat_u8(s16(a >> 16)) << 8) \
   X(V_MUL_I32_I24, (uint32_t)((int64_t)s24(a) * s24(b))) \
   X(V_MUL_HI_I32_I24, (uint32_t)((int64_t)s24(a) * s24(b) >> 32)) \
   X(V_MUL_U32_U24, u24(a) * u24(b)) \
   X(V_MUL_HI_U32_U24, (uint32_t)((uint64_t)u24(a) * u24(b) >> 32)) \
   X(V_MIN_I32, imin(a, b)) \
   X(V_MAX_I32, imax(a, b)) \
   X(V_MIN_U32, umin(a, b)) \
   X(V_MAX_U32, umax(a, b)) \
   X(V_LSHRREV_B32, b >> (a & 31)) \
   X(V_ASHRREV_I32, (uint32_t)((int32_t)b >> (a & 31))) \
   X(V_LSHLREV_B32, b << (a & 31)) \
   X(V_AND_B32, a & b) \
   X(V_OR_B32, a | b) \
   X(V_XOR_B32, a ^ b) \
   X(V_BFE_U32, bfe_u(a, b, c)) \
   X(V_BFE_I32, bfe_i(a, b, c)) \
   X(V_BFI_B32, (a & b) | (~a & c)) \
   X(V_LERP_U8, lerp_u8(a, b, c)) \
   X(V_ALIGNBIT_B32, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31))) \
   X(V_ALIGNBYTE_B32, (uint32_t)(((uint64_t)a << 32 | b) >> ((c & 3) * 8))) \
   X(V_MIN3_I32, imin(imin(a, b), c)) \
   X(V_MIN3_U32, umin(umin(a, b), c)) \
   X(V_MAX3_I32, imax(imax(a, b), c)) \
   X(V_MAX3_U32, umax(umax(a, b), c)) \
   X(V_MED3_I32, imed(a, b, c)) \
   X(V_MED3_U32, umed(a, b, c)) \
   X(V_PERM_B32, perm(a, b, c)) \
   X(V_XAD_U32, (a ^ b) + c) \
   X(V_LSHL_ADD_U32, (a << (b & 31)) + c) \
   X(V_ADD_LSHL_U32, (a + b) << (c & 31)) \
   X(V_ADD3_U32, a + b + c) \
   X(V_LSHL_OR_B32, (a << (b & 31)) | c) \
   X(V_AND_OR_B32, (a & b) | c) \
   X(V_OR3_B32, a | b | c) \
   X(V_MUL_LO_U32, a * b) \
   X(V_MUL_HI_U32, (uint32_t)((uint64_t)a * b >> 32)) \
   X(V_MUL_HI_I32, (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32)) \
   X(V_BCNT_U32_B32, popcount(a) + b) \
   X(V_BFM_B32, ((1u << (a & 31)) - 1) << (b & 31)) \
   X(V_MBCNT_LO_U32_B32, popcount(a & (l < 32 ? (1u << (l & 31)) - 1 : ~0u)) + b) \
   X(V_MBCNT_HI_U32_B32, popcount(a & (l < 32 ? 0 : (1u << (l & 31)) - 1)) + b) \
   X(V_CVT_PK_U16_U32, umin(a, 0xffff) | umin(b, 0xffff) << 16) \
   X(V_CVT_PK_I16_I32, (imin(imax(a, (uint32_t)-32768), 32767) & 0xffff) | imin(imax(b, (uint32_t)-32768), 32767) << 16) \
   X(V_LSHLREV_B16, u16(b << (a & 15))) \
   X(V_LSHRREV_B16, u16(b) >> (a & 15)) \
   X(V_ASHRREV_I16, u16((uint32_t)(s16(b) >> (a & 15)))) \
   X(V_MAX_U16, umax(u16(a), u16(b))) \
   X(V_MAX_I16, u16(imax((uint32_t)s16(a), (uint32_t)s16(b)))) \
   X(V_MIN_U16, umin(u16(a), u16(b))) \
   X(V_MIN_I16, u16(imin((uint32_t)s16(a), (uint32_t)s16(b)))) \
   X(V_MIN3_I16, u16(imin(imin((uint32_t)s16(a), (uint32_t)s16(b)), (uint32_t)s16(c)))) \
   X(V_MIN3_U16, umin(umin(u16(a), u16(b)), u16(c))) \
   X(V_MAX3_I16, u16(imax(imax((uint32_t)s16(a), (uint32_t)s16(b)), (uint32_t)s16(c)))) \
   X(V_MAX3_U16, umax(umax(u16(a), u16(b)), u16(c))) \
   X(V_MED3_I16, u16(imed((uint32_t)s16(a), (uint32_t)s16(b), (uint32_t)s16(c)))) \
   X(V_MED3_U16, umed(u16(a), u16(b), u16(c))) \
   X(V_PACK_B32_F16, u16(a) | b << 16)

/* with a saturated form */
#define LIST_SAT(X) \
   X(V_ADD_U32, (a + b), (add_sat(a, b))) \
   X(V_SUB_U32, (a - b), (sub_sat(a, b))) \
   X(V_SUBREV_U32, (b - a), (sub_sat(b, a))) \
   X(V_ADD_I32, (a + b), (sat_i32((int64_t)(int32_t)a + (int32_t)b))) \
   X(V_SUB_I32, (a - b), (sat_i32((int64_t)(int32_t)a - (int32_t)b))) \
   X(V_MAD_I32_I24, ((uint32_t)((int64_t)s24(a) * s24(b)) + c), (sat_i32((int64_t)s24(a) * s24(b) + (int32_t)c))) \
   X(V_MAD_U32_U24, (u24(a) * u24(b) + c), (sat_u32((uint64_t)u24(a) * u24(b) + c))) \
   X(V_SAD_U8, (sad_u8(a, b, c)), (add_sat(sad_u8(a, b, 0), c))) \
   X(V_SAD_HI_U8, ((sad_u8(a, b, 0) << 16) + c), (add_sat(sad_u8(a, b, 0) << 16, c))) \
   X(V_SAD_U16, (absdiff(u16(a), u16(b)) + absdiff(a >> 16, b >> 16) + c), \
     (add_sat(absdiff(u16(a), u16(b)) + absdiff(a >> 16, b >> 16), c))) \
   X(V_SAD_U32, (absdiff(a, b) + c), (add_sat(absdiff(a, b), c))) \
   X(V_MSAD_U8, (msad_u8(a, b, c)), (add_sat(msad_u8(a, b, 0), c))) \
   X(V_ADD_U16, (u16(a + b)), (sat_u16((int32_t)(u16(a) + u16(b))))) \
   X(V_SUB_U16, (u16(a - b)), (sat_u16((int32_t)u16(a) - (int32_t)u16(b)))) \
   X(V_SUBREV_U16, (u16(b - a)), (sat_u16((int32_t)u16(b) - (int32_t)u16(a)))) \
   X(V_MUL_LO_U16, (u16(u16(a) * u16(b))), (umin(u16(a) * u16(b), 0xffff))) \
   X(V_ADD_I16, (u16(a + b)), (sat_i16(s16(a) + s16(b)))) \
   X(V_SUB_I16, (u16(a - b)), (sat_i16(s16(a) - s16(b)))) \
   X(V_MAD_U16, (u16(u16(a) * u16(b) + c)), (umin(sat_u32((uint64_t)(u16(a) * u16(b)) + u16(c)), 0xffff))) \
   X(V_MAD_I16, (u16((uint32_t)(s16(a) * s16(b)) + c)), (sat_i16(s16(a) * s16(b) + s16(c)))) \
   X(V_MAD_LEGACY_U16, (u16(u16(a) * u16(b) + c)), (umin(sat_u32((uint64_t)(u16(a) * u16(b)) + u16(c)), 0xffff))) \
   X(V_MAD_LEGACY_I16, (u16((uint32_t)(s16(a) * s16(b)) + c)), (sat_i16(s16(a) * s16(b) + s16(c)))) \
   X(V_MAD_U32_U16, (u16(a) * u16(b) + c), (sat_u32((uint64_t)(u16(a) * u16(b)) + c))) \
   X(V_MAD_I32_I16, ((uint32_t)(s16(a) * s16(b)) + c), (sat_i32((int64_t)(s16(a) * s16(b)) + (int32_t)c)))

LIST_INT(SQ_K_U32)
#define DEF_SAT(OP, E, S) SQ_K_U32(OP, E) SQ_K_U32(OP##_sat, S)
LIST_SAT(DEF_SAT)

/* Carry: mask_in is the carry in, mask_out the carry out. */
#define K_CARRY(OP, R, CARRY, SATV) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      const uint32_t *I = x->mask_in; \
      uint32_t *O = x->mask_out; \
      (void)I; \
      SQ_LANE_LOOP { \
         uint32_t a = A[l], b = B[l], n = I[l] & 1; \
         (void)n; \
         uint32_t r = (R), o = (CARRY); \
         D[l] = r; \
         O[l] = 0u - o; \
      } \
   } \
   SQ_KERNEL k_##OP##_sat(struct sq_valu *x) \
   { \
      k_##OP(x); \
      SQ_LANE_LOOP x->d[l] = x->mask_out[l] ? (SATV) : x->d[l]; \
   }
#define LIST_CARRY(X) \
   X(V_ADD_CO_U32, a + b, r < a, ~0u) \
   X(V_SUB_CO_U32, a - b, a < b, 0) \
   X(V_SUBREV_CO_U32, b - a, b < a, 0) \
   X(V_ADDC_CO_U32, a + b + n, (r < a) | ((r == a) & n), ~0u) \
   X(V_SUBB_CO_U32, a - b - n, (a < b) | ((a == b) & n), 0) \
   X(V_SUBBREV_CO_U32, b - a - n, (b < a) | ((b == a) & n), 0)
LIST_CARRY(K_CARRY)

SQ_KERNEL k_V_CNDMASK_B32(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   const uint32_t *I = x->mask_in;
   SQ_LANE_LOOP D[l] = (B[l] & I[l]) | (A[l] & ~I[l]);
}

/* 64-bit results */
#define K_64(OP, ...) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      SQ_LANE_LOOP { \
         uint64_t r = (__VA_ARGS__); \
         SQ_STORE64(D, l, r); \
      } \
   }
#define LIST_64(X) \
   X(V_LSHLREV_B64, SQ_LO_HI(B, l) << (A[l] & 63)) \
   X(V_LSHRREV_B64, SQ_LO_HI(B, l) >> (A[l] & 63)) \
   X(V_ASHRREV_I64, (uint64_t)((int64_t)SQ_LO_HI(B, l) >> (A[l] & 63)))
LIST_64(K_64)

#define K_MAD64(OP, PROD, OVER, SATV) \
   SQ_KERNEL k_##OP(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      SQ_LANE_LOOP { \
         uint64_t p = (PROD), c = SQ_LO_HI(C, l), r = p + c; \
         x->mask_out[l] = (OVER) ? ~0u : 0; \
         SQ_STORE64(D, l, r); \
      } \
   } \
   SQ_KERNEL k_##OP##_sat(struct sq_valu *x) \
   { \
      SQ_OPERANDS(x) \
      SQ_LANE_LOOP { \
         uint64_t p = (PROD), c = SQ_LO_HI(C, l), r = p + c; \
         bool o = (OVER); \
         x->mask_out[l] = o ? ~0u : 0; \
         SQ_STORE64(D, l, o ? (SATV) : r); \
      } \
   }
K_MAD64(V_MAD_U64_U32, (uint64_t)A[l] * B[l], r < c, ~0ull)
K_MAD64(V_MAD_I64_I32, (uint64_t)((int64_t)(int32_t)A[l] * (int32_t)B[l]), (~(p ^ c) & (p ^ r)) >> 63,
        (int64_t)p < 0 ? (uint64_t)INT64_MIN : (uint64_t)INT64_MAX)

SQ_FN uint64_t qsad(uint64_t s0, uint32_t s1, uint64_t s2, bool masked)
{
   uint64_t r = 0;
   for (int i = 0; i < 4; i++) {
      uint32_t a = (uint32_t)(s0 >> (8 * i)), c = s2 >> (16 * i) & 0xffff;
      r |= (uint64_t)((masked ? msad_u8(a, s1, c) : sad_u8(a, s1, c)) & 0xffff) << (16 * i);
   }
   return r;
}
K_64(V_QSAD_PK_U16_U8, qsad(SQ_LO_HI(A, l), B[l], SQ_LO_HI(C, l), false))
K_64(V_MQSAD_PK_U16_U8, qsad(SQ_LO_HI(A, l), B[l], SQ_LO_HI(C, l), true))
SQ_KERNEL k_V_MQSAD_U32_U8(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   for (int l = 0; l < SQ_LANES; l++) {
      uint64_t a = SQ_LO_HI(A, l);
      uint32_t b = B[l], r[4];
      for (int i = 0; i < 4; i++)
         r[i] = msad_u8((uint32_t)(a >> (8 * i)), b, C[l + 64 * i]);
      for (int i = 0; i < 4; i++)
         D[l + 64 * i] = r[i];
   }
}

#define ROW(OP, ...) {ISA_##OP, SQ_FP_NONE, k_##OP, NULL},
#define ROW_SAT(OP, ...) {ISA_##OP, SQ_FP_NONE, k_##OP, k_##OP##_sat},
const struct sq_valu_row sq_rows_int[] = {
   LIST_INT(ROW)
   LIST_SAT(ROW_SAT)
   LIST_CARRY(ROW_SAT)
   LIST_64(ROW)
   ROW(V_CNDMASK_B32)
   ROW_SAT(V_MAD_U64_U32)
   ROW_SAT(V_MAD_I64_I32)
   ROW(V_QSAD_PK_U16_U8)
   ROW(V_MQSAD_PK_U16_U8)
   ROW(V_MQSAD_U32_U8)
   {ISA_OP_COUNT, 0, NULL, NULL},
};
