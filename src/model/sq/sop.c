/* SPDX-License-Identifier: MIT */
/* Scalar arithmetic: SOP2, SOPK, SOP1 and SOPC. One expression per opcode;
 * definedness follows each bit through moves and logic (lane masks are often
 * defined only in part) and is all or nothing elsewhere. */
#include "wave.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

static inline bool all64(u64 d) { return d == ~0ull; }

static inline void put_scc(struct sq_wave *w, bool v, bool def)
{
   w->scc = v;
   w->scc_def = def;
}

/* SDST of 32 and 64 bits */
#define PUT32(v, def) sq_set_s32(w, i->dst, (v), (def))
#define PUT64(v, def) sq_set_s64(w, i->dst, (v), (def))

/* result r of a, b; scc is the new SCC, `n` the old one */
#define OP32(OP, R, SCC) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u32 a = sq_src32(w, &i->src[0]), b = sq_src32(w, &i->src[1]), n = w->scc; \
      bool def = sq_src_def32(w, &i->src[0]) == ~0u && sq_src_def32(w, &i->src[1]) == ~0u; \
      (void)n, (void)b; \
      u32 r = (R); \
      put_scc(w, (SCC), def); \
      PUT32(r, def ? ~0u : 0); \
   }
#define OP32_NOSCC(OP, R) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u32 a = sq_src32(w, &i->src[0]), b = sq_src32(w, &i->src[1]); \
      bool def = sq_src_def32(w, &i->src[0]) == ~0u && sq_src_def32(w, &i->src[1]) == ~0u; \
      (void)b; \
      PUT32((R), def ? ~0u : 0); \
   }
/* reads SCC: undefined with it */
#define OP32_CARRY(OP, R, SCC) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u32 a = sq_src32(w, &i->src[0]), b = sq_src32(w, &i->src[1]), n = w->scc; \
      bool def = sq_src_def32(w, &i->src[0]) == ~0u && sq_src_def32(w, &i->src[1]) == ~0u && w->scc_def; \
      u32 r = (R); \
      put_scc(w, (SCC), def); \
      PUT32(r, def ? ~0u : 0); \
   }
/* a of 64 bits, b of 32 */
#define OP64_32(OP, R) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u64 a = sq_src64(w, &i->src[0]); \
      u32 b = sq_src32(w, &i->src[1]); \
      bool def = all64(sq_src_def64(w, &i->src[0])) && sq_src_def32(w, &i->src[1]) == ~0u; \
      u64 r = (R); \
      put_scc(w, r != 0, def); \
      PUT64(r, def ? ~0ull : 0); \
   }
/* logic: `D` says which result bits are defined from da, db, a, b */
#define LOGIC(OP, R, D) \
   static void h_##OP##_B32(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u32 a = sq_src32(w, &i->src[0]), b = sq_src32(w, &i->src[1]); \
      u32 da = sq_src_def32(w, &i->src[0]), db = sq_src_def32(w, &i->src[1]); \
      u32 r = (R), d = (D); \
      (void)a, (void)b; \
      put_scc(w, r != 0, (r & d) || d == ~0u); \
      PUT32(r, d); \
   } \
   static void h_##OP##_B64(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u64 a = sq_src64(w, &i->src[0]), b = sq_src64(w, &i->src[1]); \
      u64 da = sq_src_def64(w, &i->src[0]), db = sq_src_def64(w, &i->src[1]); \
      u64 r = (R), d = (D); \
      (void)a, (void)b; \
      put_scc(w, r != 0, (r & d) || all64(d)); \
      PUT64(r, d); \
   }
#define DEF_AND(a, b, da, db) (((da) & (db)) | ((da) & ~(a)) | ((db) & ~(b)))
#define DEF_OR(a, b, da, db) (((da) & (db)) | ((da) & (a)) | ((db) & (b)))

static u32 bfe_u32(u32 a, u32 b)
{
   u32 n = b >> 16 & 0x7f, v = a >> (b & 31);
   return n >= 32 ? v : v & ((1u << n) - 1);
}
static u32 bfe_i32(u32 a, u32 b)
{
   u32 n = b >> 16 & 0x7f;
   i32 v = (i32)a >> (b & 31);
   return n == 0 ? 0 : n >= 32 ? (u32)v : (u32)((i32)((u32)v << (32 - n)) >> (32 - n));
}
static u64 bfe_u64(u64 a, u32 b)
{
   u32 n = b >> 16 & 0x7f;
   u64 v = a >> (b & 63);
   return n >= 64 ? v : v & ((1ull << n) - 1);
}
static u64 bfe_i64(u64 a, u32 b)
{
   u32 n = b >> 16 & 0x7f;
   i64 v = (i64)a >> (b & 63);
   return n == 0 ? 0 : n >= 64 ? (u64)v : (u64)((i64)((u64)v << (64 - n)) >> (64 - n));
}
static u64 wqm(u64 v)
{
   v |= v >> 1 & 0x5555555555555555ull;
   v |= v >> 2 & 0x1111111111111111ull;
   return (v & 0x1111111111111111ull) * 15;
}
static u64 quadmask(u64 v)
{
   u64 r = 0;
   for (unsigned q = 0; q < 16; q++)
      r |= (u64)((v >> (4 * q) & 15) != 0) << q;
   return r;
}
static u64 brev64(u64 v)
{
   u64 r = 0;
   for (unsigned n = 0; n < 64; n++)
      r |= (v >> n & 1) << (63 - n);
   return r;
}
static u64 replicate(u32 v)
{
   u64 r = 0;
   for (unsigned n = 0; n < 32; n++)
      r |= (u64)(v >> n & 1) * 3 << (2 * n);
   return r;
}
static u32 ff1(u64 v) { return v ? (u32)__builtin_ctzll(v) : ~0u; }
static u32 flbit(u64 v, unsigned bits) { return v ? (u32)__builtin_clzll(v) - (64 - bits) : ~0u; }
static u32 flbit_i(i64 v, unsigned bits)
{
   u64 x = v < 0 ? ~(u64)v : (u64)v;
   return x ? (u32)__builtin_clzll(x) - (64 - bits) : ~0u;
}

/* ---- SOP2 ---- */

#define LIST2(X) \
   X(S_ADD_U32, a + b, r < a) \
   X(S_SUB_U32, a - b, a < b) \
   X(S_ADD_I32, a + b, (~(a ^ b) & (a ^ r)) >> 31) \
   X(S_SUB_I32, a - b, ((a ^ b) & (a ^ r)) >> 31) \
   X(S_MIN_I32, (i32)a < (i32)b ? a : b, (i32)a < (i32)b) \
   X(S_MIN_U32, a < b ? a : b, a < b) \
   X(S_MAX_I32, (i32)a > (i32)b ? a : b, (i32)a > (i32)b) \
   X(S_MAX_U32, a > b ? a : b, a > b) \
   X(S_LSHL_B32, a << (b & 31), r != 0) \
   X(S_LSHR_B32, a >> (b & 31), r != 0) \
   X(S_ASHR_I32, (u32)((i32)a >> (b & 31)), r != 0) \
   X(S_BFE_U32, bfe_u32(a, b), r != 0) \
   X(S_BFE_I32, bfe_i32(a, b), r != 0) \
   X(S_ABSDIFF_I32, (i32)(a - b) < 0 ? b - a : a - b, r != 0) \
   X(S_LSHL1_ADD_U32, (a << 1) + b, ((u64)a << 1) + b > UINT32_MAX) \
   X(S_LSHL2_ADD_U32, (a << 2) + b, ((u64)a << 2) + b > UINT32_MAX) \
   X(S_LSHL3_ADD_U32, (a << 3) + b, ((u64)a << 3) + b > UINT32_MAX) \
   X(S_LSHL4_ADD_U32, (a << 4) + b, ((u64)a << 4) + b > UINT32_MAX) \
   X(S_ABS_I32, (i32)a < 0 ? 0u - a : a, r != 0) \
   X(S_BCNT0_I32_B32, 32 - (u32)__builtin_popcount(a), r != 0) \
   X(S_BCNT1_I32_B32, (u32)__builtin_popcount(a), r != 0)
#define LIST2_CARRY(X) \
   X(S_ADDC_U32, a + b + n, (u64)a + b + n > UINT32_MAX) \
   X(S_SUBB_U32, a - b - n, (u64)b + n > a)
#define LIST2_NOSCC(X) \
   X(S_BFM_B32, ((1u << (a & 31)) - 1) << (b & 31)) \
   X(S_MUL_I32, a * b) \
   X(S_MUL_HI_U32, (u32)((u64)a * b >> 32)) \
   X(S_MUL_HI_I32, (u32)((i64)(i32)a * (i32)b >> 32)) \
   X(S_PACK_LL_B32_B16, (a & 0xffff) | b << 16) \
   X(S_PACK_LH_B32_B16, (a & 0xffff) | (b & 0xffff0000u)) \
   X(S_PACK_HH_B32_B16, a >> 16 | (b & 0xffff0000u)) \
   X(S_BREV_B32, (u32)(brev64(a) >> 32)) \
   X(S_FF0_I32_B32, ff1((u32)~a)) \
   X(S_FF1_I32_B32, ff1(a)) \
   X(S_FLBIT_I32_B32, flbit(a, 32)) \
   X(S_FLBIT_I32, flbit_i((i32)a, 32)) \
   X(S_SEXT_I32_I8, (u32)(int8_t)a) \
   X(S_SEXT_I32_I16, (u32)(int16_t)a)
#define LIST2_64(X) \
   X(S_LSHL_B64, a << (b & 63)) \
   X(S_LSHR_B64, a >> (b & 63)) \
   X(S_ASHR_I64, (u64)((i64)a >> (b & 63))) \
   X(S_BFE_U64, bfe_u64(a, b)) \
   X(S_BFE_I64, bfe_i64(a, b))
#define LIST2_LOGIC(X) \
   X(S_AND, a & b, DEF_AND(a, b, da, db)) \
   X(S_OR, a | b, DEF_OR(a, b, da, db)) \
   X(S_XOR, a ^ b, da & db) \
   X(S_ANDN2, a & ~b, DEF_AND(a, ~b, da, db)) \
   X(S_ORN2, a | ~b, DEF_OR(a, ~b, da, db)) \
   X(S_NAND, ~(a & b), DEF_AND(a, b, da, db)) \
   X(S_NOR, ~(a | b), DEF_OR(a, b, da, db)) \
   X(S_XNOR, ~(a ^ b), da & db)

LIST2(OP32)
LIST2_CARRY(OP32_CARRY)
LIST2_NOSCC(OP32_NOSCC)
LIST2_64(OP64_32)
LIST2_LOGIC(LOGIC)

static void h_S_CSELECT_B32(struct sq_wave *w, const struct sq_inst *i)
{
   const struct sq_src *s = &i->src[w->scc ? 0 : 1];
   PUT32(sq_src32(w, s), w->scc_def ? sq_src_def32(w, s) : 0);
}
static void h_S_CSELECT_B64(struct sq_wave *w, const struct sq_inst *i)
{
   const struct sq_src *s = &i->src[w->scc ? 0 : 1];
   u64 v = sq_src64(w, s);
   PUT64(v, w->scc_def ? sq_src_def64(w, s) : 0);
}
static void h_S_BFM_B64(struct sq_wave *w, const struct sq_inst *i)
{
   u32 a = sq_src32(w, &i->src[0]), b = sq_src32(w, &i->src[1]);
   bool def = sq_src_def32(w, &i->src[0]) == ~0u && sq_src_def32(w, &i->src[1]) == ~0u;
   PUT64(((1ull << (a & 63)) - 1) << (b & 63), def ? ~0ull : 0);
}

/* ---- SOPK ---- */

#define OPK(OP, R, WRITES_SCC, SCC) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u32 a = w->sgpr[i->dst], b = (u32)(i32)(int16_t)i->isa.imm; \
      bool def = w->sdef[i->dst] == ~0u; \
      u32 r = (R); \
      if (WRITES_SCC) \
         put_scc(w, (SCC), def); \
      PUT32(r, def ? ~0u : 0); \
   }
OPK(S_ADDK_I32, a + b, true, (~(a ^ b) & (a ^ r)) >> 31)
OPK(S_MULK_I32, a * b, false, 0)
static void h_S_MOVK_I32(struct sq_wave *w, const struct sq_inst *i)
{
   PUT32((u32)(i32)(int16_t)i->isa.imm, ~0u);
}
static void h_S_CMOVK_I32(struct sq_wave *w, const struct sq_inst *i)
{
   if (w->scc)
      PUT32((u32)(i32)(int16_t)i->isa.imm, w->scc_def ? ~0u : 0);
   else if (!w->scc_def)
      w->sdef[i->dst] = 0;
}
#define CMPK(OP, EXT, C) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      EXT a = (EXT)sq_src32(w, &i->src[0]), b = (EXT)i->isa.imm; \
      if ((EXT)~0u < 1) /* signed */ \
         b = (EXT)(int16_t)i->isa.imm; \
      put_scc(w, a C b, sq_src_def32(w, &i->src[0]) == ~0u); \
   }
#define LIST_CMPK(X) \
   X(S_CMPK_EQ_I32, i32, ==) X(S_CMPK_LG_I32, i32, !=) X(S_CMPK_GT_I32, i32, >) \
   X(S_CMPK_GE_I32, i32, >=) X(S_CMPK_LT_I32, i32, <) X(S_CMPK_LE_I32, i32, <=) \
   X(S_CMPK_EQ_U32, u32, ==) X(S_CMPK_LG_U32, u32, !=) X(S_CMPK_GT_U32, u32, >) \
   X(S_CMPK_GE_U32, u32, >=) X(S_CMPK_LT_U32, u32, <) X(S_CMPK_LE_U32, u32, <=)
LIST_CMPK(CMPK)

/* ---- SOPC ---- */

#define CMP(OP, EXT, C) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      EXT a = (EXT)sq_src32(w, &i->src[0]), b = (EXT)sq_src32(w, &i->src[1]); \
      put_scc(w, a C b, sq_src_def32(w, &i->src[0]) == ~0u && sq_src_def32(w, &i->src[1]) == ~0u); \
   }
#define LIST_CMP(X) \
   X(S_CMP_EQ_I32, i32, ==) X(S_CMP_LG_I32, i32, !=) X(S_CMP_GT_I32, i32, >) \
   X(S_CMP_GE_I32, i32, >=) X(S_CMP_LT_I32, i32, <) X(S_CMP_LE_I32, i32, <=) \
   X(S_CMP_EQ_U32, u32, ==) X(S_CMP_LG_U32, u32, !=) X(S_CMP_GT_U32, u32, >) \
   X(S_CMP_GE_U32, u32, >=) X(S_CMP_LT_U32, u32, <) X(S_CMP_LE_U32, u32, <=)
LIST_CMP(CMP)

static void cmp64(struct sq_wave *w, const struct sq_inst *i, bool want_equal)
{
   u64 a = sq_src64(w, &i->src[0]), b = sq_src64(w, &i->src[1]);
   u64 da = sq_src_def64(w, &i->src[0]), db = sq_src_def64(w, &i->src[1]);
   /* a bit known to differ decides */
   put_scc(w, (a == b) == want_equal, ((a ^ b) & da & db) || (all64(da) && all64(db)));
}
static void h_S_CMP_EQ_U64(struct sq_wave *w, const struct sq_inst *i) { cmp64(w, i, true); }
static void h_S_CMP_LG_U64(struct sq_wave *w, const struct sq_inst *i) { cmp64(w, i, false); }

static void bitcmp(struct sq_wave *w, const struct sq_inst *i, unsigned bits, unsigned want)
{
   u64 a = bits == 64 ? sq_src64(w, &i->src[0]) : sq_src32(w, &i->src[0]);
   u64 da = bits == 64 ? sq_src_def64(w, &i->src[0]) : sq_src_def32(w, &i->src[0]);
   u32 b = sq_src32(w, &i->src[1]) & (bits - 1);
   put_scc(w, (a >> b & 1) == want, (da >> b & 1) && sq_src_def32(w, &i->src[1]) == ~0u);
}
static void h_S_BITCMP0_B32(struct sq_wave *w, const struct sq_inst *i) { bitcmp(w, i, 32, 0); }
static void h_S_BITCMP1_B32(struct sq_wave *w, const struct sq_inst *i) { bitcmp(w, i, 32, 1); }
static void h_S_BITCMP0_B64(struct sq_wave *w, const struct sq_inst *i) { bitcmp(w, i, 64, 0); }
static void h_S_BITCMP1_B64(struct sq_wave *w, const struct sq_inst *i) { bitcmp(w, i, 64, 1); }

/* ---- SOP1 ---- */

static void h_S_MOV_B32(struct sq_wave *w, const struct sq_inst *i)
{
   PUT32(sq_src32(w, &i->src[0]), sq_src_def32(w, &i->src[0]));
}
static void h_S_MOV_B64(struct sq_wave *w, const struct sq_inst *i)
{
   u64 v = sq_src64(w, &i->src[0]), d = sq_src_def64(w, &i->src[0]);
   PUT64(v, d);
}
static void h_S_CMOV_B32(struct sq_wave *w, const struct sq_inst *i)
{
   if (w->scc)
      h_S_MOV_B32(w, i);
   if (!w->scc_def)
      w->sdef[i->dst] = 0;
}
static void h_S_CMOV_B64(struct sq_wave *w, const struct sq_inst *i)
{
   if (w->scc)
      h_S_MOV_B64(w, i);
   if (!w->scc_def)
      w->sdef[i->dst] = w->sdef[i->dst + 1] = 0;
}
static void h_S_NOT_B32(struct sq_wave *w, const struct sq_inst *i)
{
   u32 r = ~sq_src32(w, &i->src[0]), d = sq_src_def32(w, &i->src[0]);
   put_scc(w, r != 0, (r & d) || d == ~0u);
   PUT32(r, d);
}
static void h_S_NOT_B64(struct sq_wave *w, const struct sq_inst *i)
{
   u64 r = ~sq_src64(w, &i->src[0]), d = sq_src_def64(w, &i->src[0]);
   put_scc(w, r != 0, (r & d) || all64(d));
   PUT64(r, d);
}
static void h_S_WQM_B32(struct sq_wave *w, const struct sq_inst *i)
{
   u32 r = (u32)wqm(sq_src32(w, &i->src[0]));
   bool def = sq_src_def32(w, &i->src[0]) == ~0u;
   put_scc(w, r != 0, def);
   PUT32(r, def ? ~0u : 0);
}
#define OP1_64(OP, R, SETS_SCC) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u64 a = sq_src64(w, &i->src[0]), r = (R); \
      bool def = all64(sq_src_def64(w, &i->src[0])); \
      if (SETS_SCC) \
         put_scc(w, r != 0, def); \
      PUT64(r, def ? ~0ull : 0); \
   }
OP1_64(S_WQM_B64, wqm(a), true)
OP1_64(S_QUADMASK_B64, quadmask(a), true)
OP1_64(S_BREV_B64, brev64(a), false)
static void h_S_QUADMASK_B32(struct sq_wave *w, const struct sq_inst *i)
{
   u32 r = (u32)quadmask(sq_src32(w, &i->src[0]));
   bool def = sq_src_def32(w, &i->src[0]) == ~0u;
   put_scc(w, r != 0, def);
   PUT32(r, def ? ~0u : 0);
}
static void h_S_BITREPLICATE_B64_B32(struct sq_wave *w, const struct sq_inst *i)
{
   u64 r = replicate(sq_src32(w, &i->src[0]));
   PUT64(r, sq_src_def32(w, &i->src[0]) == ~0u ? ~0ull : 0);
}
#define OP1_64_32(OP, R, SETS_SCC) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u64 a = sq_src64(w, &i->src[0]); \
      u32 r = (R); \
      bool def = all64(sq_src_def64(w, &i->src[0])); \
      if (SETS_SCC) \
         put_scc(w, r != 0, def); \
      PUT32(r, def ? ~0u : 0); \
   }
OP1_64_32(S_BCNT0_I32_B64, 64 - (u32)__builtin_popcountll(a), true)
OP1_64_32(S_BCNT1_I32_B64, (u32)__builtin_popcountll(a), true)
OP1_64_32(S_FF0_I32_B64, ff1(~a), false)
OP1_64_32(S_FF1_I32_B64, ff1(a), false)
OP1_64_32(S_FLBIT_I32_B64, flbit(a, 64), false)
OP1_64_32(S_FLBIT_I32_I64, flbit_i((i64)a, 64), false)

static void bitset(struct sq_wave *w, const struct sq_inst *i, unsigned bits, unsigned v)
{
   u32 b = sq_src32(w, &i->src[0]) & (bits - 1);
   unsigned reg = i->dst + b / 32;
   u32 m = 1u << (b & 31);
   w->sgpr[reg] = (w->sgpr[reg] & ~m) | (v ? m : 0);
   if (sq_src_def32(w, &i->src[0]) == ~0u)
      w->sdef[reg] |= m;
   else
      w->sdef[reg] = 0;
}
static void h_S_BITSET0_B32(struct sq_wave *w, const struct sq_inst *i) { bitset(w, i, 32, 0); }
static void h_S_BITSET1_B32(struct sq_wave *w, const struct sq_inst *i) { bitset(w, i, 32, 1); }
static void h_S_BITSET0_B64(struct sq_wave *w, const struct sq_inst *i) { bitset(w, i, 64, 0); }
static void h_S_BITSET1_B64(struct sq_wave *w, const struct sq_inst *i) { bitset(w, i, 64, 1); }

/* SDST = EXEC; EXEC = op(S0, EXEC), or for wrexec both get the new value */
#define SAVEEXEC(OP, R, D, WREXEC) \
   static void h_##OP(struct sq_wave *w, const struct sq_inst *i) \
   { \
      u64 a = sq_src64(w, &i->src[0]), b = sq_exec(w); \
      u64 da = sq_src_def64(w, &i->src[0]), db = sq_sdef64(w, ISA_EXEC); \
      u64 r = (R), d = (D); \
      sq_set_s64(w, ISA_EXEC, r, d); \
      put_scc(w, r != 0, (r & d) || all64(d)); \
      PUT64(WREXEC ? r : b, WREXEC ? d : db); \
   }
#define LIST_SAVEEXEC(X) \
   X(S_AND_SAVEEXEC_B64, a & b, DEF_AND(a, b, da, db), false) \
   X(S_OR_SAVEEXEC_B64, a | b, DEF_OR(a, b, da, db), false) \
   X(S_XOR_SAVEEXEC_B64, a ^ b, da & db, false) \
   X(S_ANDN2_SAVEEXEC_B64, a & ~b, DEF_AND(a, ~b, da, db), false) \
   X(S_ORN2_SAVEEXEC_B64, a | ~b, DEF_OR(a, ~b, da, db), false) \
   X(S_NAND_SAVEEXEC_B64, ~(a & b), DEF_AND(a, b, da, db), false) \
   X(S_NOR_SAVEEXEC_B64, ~(a | b), DEF_OR(a, b, da, db), false) \
   X(S_XNOR_SAVEEXEC_B64, ~(a ^ b), da & db, false) \
   X(S_ANDN1_SAVEEXEC_B64, ~a & b, DEF_AND(~a, b, da, db), false) \
   X(S_ORN1_SAVEEXEC_B64, ~a | b, DEF_OR(~a, b, da, db), false) \
   X(S_ANDN1_WREXEC_B64, ~a & b, DEF_AND(~a, b, da, db), true) \
   X(S_ANDN2_WREXEC_B64, a & ~b, DEF_AND(a, ~b, da, db), true)
LIST_SAVEEXEC(SAVEEXEC)

/* s_movrel*: M0 moves the source or the destination. */
static bool movrel_ok(struct sq_wave *w, const struct sq_inst *i, unsigned reg, unsigned n)
{
   sq_need_sgpr(w, i, ISA_M0, 1, "index of a scalar register");
   const unsigned limit = w->alloc_sgprs < ISA_FLAT_SCRATCH ? w->alloc_sgprs : ISA_FLAT_SCRATCH;
   if (reg < limit && n <= limit - reg)
      return true;
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_RANGE, "M0 moves an operand to s%u, the wave has %u", reg, w->alloc_sgprs);
   return false;
}
static void movrels(struct sq_wave *w, const struct sq_inst *i, unsigned n)
{
   unsigned reg = i->src[0].reg + w->sgpr[ISA_M0];
   if (movrel_ok(w, i, reg, n))
      for (unsigned k = 0; k < n; k++)
         sq_set_s32(w, i->dst + k, w->sgpr[reg + k], w->sdef[reg + k]);
}
static void movreld(struct sq_wave *w, const struct sq_inst *i, unsigned n)
{
   unsigned reg = i->dst + w->sgpr[ISA_M0];
   if (!movrel_ok(w, i, reg, n))
      return;
   if (n == 1)
      sq_set_s32(w, reg, sq_src32(w, &i->src[0]), sq_src_def32(w, &i->src[0]));
   else
      sq_set_s64(w, reg, sq_src64(w, &i->src[0]), sq_src_def64(w, &i->src[0]));
}
static void h_S_MOVRELS_B32(struct sq_wave *w, const struct sq_inst *i) { movrels(w, i, 1); }
static void h_S_MOVRELS_B64(struct sq_wave *w, const struct sq_inst *i) { movrels(w, i, 2); }
static void h_S_MOVRELD_B32(struct sq_wave *w, const struct sq_inst *i) { movreld(w, i, 1); }
static void h_S_MOVRELD_B64(struct sq_wave *w, const struct sq_inst *i) { movreld(w, i, 2); }

/* ---- table ---- */

#define ROW(OP, ...) [ISA_##OP] = h_##OP,
#define ROW_LOGIC(OP, ...) [ISA_##OP##_B32] = h_##OP##_B32, [ISA_##OP##_B64] = h_##OP##_B64,
static const sq_handler handlers[ISA_OP_COUNT] = {
   LIST2(ROW) LIST2_CARRY(ROW) LIST2_NOSCC(ROW) LIST2_64(ROW) LIST2_LOGIC(ROW_LOGIC)
   LIST_CMPK(ROW) LIST_CMP(ROW) LIST_SAVEEXEC(ROW)
   ROW(S_CSELECT_B32) ROW(S_CSELECT_B64) ROW(S_BFM_B64)
   ROW(S_ADDK_I32) ROW(S_MULK_I32) ROW(S_MOVK_I32) ROW(S_CMOVK_I32)
   ROW(S_CMP_EQ_U64) ROW(S_CMP_LG_U64)
   ROW(S_BITCMP0_B32) ROW(S_BITCMP1_B32) ROW(S_BITCMP0_B64) ROW(S_BITCMP1_B64)
   ROW(S_MOV_B32) ROW(S_MOV_B64) ROW(S_CMOV_B32) ROW(S_CMOV_B64) ROW(S_NOT_B32) ROW(S_NOT_B64)
   ROW(S_WQM_B32) ROW(S_WQM_B64) ROW(S_QUADMASK_B32) ROW(S_QUADMASK_B64) ROW(S_BREV_B64)
   ROW(S_BITREPLICATE_B64_B32)
   ROW(S_BCNT0_I32_B64) ROW(S_BCNT1_I32_B64) ROW(S_FF0_I32_B64) ROW(S_FF1_I32_B64)
   ROW(S_FLBIT_I32_B64) ROW(S_FLBIT_I32_I64)
   ROW(S_BITSET0_B32) ROW(S_BITSET1_B32) ROW(S_BITSET0_B64) ROW(S_BITSET1_B64)
   ROW(S_MOVRELS_B32) ROW(S_MOVRELS_B64) ROW(S_MOVRELD_B32) ROW(S_MOVRELD_B64)
};

bool sq_decode_sop(struct sq_inst *i)
{
   i->fn = handlers[i->isa.op];
   return i->fn != NULL;
}
