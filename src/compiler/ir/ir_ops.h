/* SPDX-License-Identifier: MIT */
/* The operations of the IR, one row each:
 *    X(NAME, "text", sources, result, flags)
 * sources: number of value operands, V = any number (see the comment)
 * result:  N none, S 32-bit scalar, B bool, V vector of inst->comps dwords */
#ifndef TGSIAMD_IR_OPS_H
#define TGSIAMD_IR_OPS_H

#define IR_F_PURE     (1u << 0) /* no side effect, same sources give same result: may be merged, moved, removed */
#define IR_F_COMM     (1u << 1) /* sources 0 and 1 may be swapped */
#define IR_F_FLOAT    (1u << 2) /* float sources and result: neg/abs/saturate fold into it */
#define IR_F_FSRC     (1u << 3) /* float sources only (compares, conversions) */
#define IR_F_FDST     (1u << 4) /* float result only */
#define IR_F_CROSS    (1u << 5) /* reads other lanes: must not move across control flow */
#define IR_F_WRITES   (1u << 6) /* writes memory, exports or ends lanes: never removed */
#define IR_F_READS    (1u << 7) /* reads memory that a shader may write */
#define IR_F_DIVERGES (1u << 8) /* result differs per lane even when the sources are uniform */

#define IR_OPS(X) \
   /* values */ \
   X(CONST,     "const",     0, S, IR_F_PURE)                 /* imm: the bits */ \
   X(UNDEF,     "undef",     0, V, IR_F_PURE)                 /* any value (comps dwords) */ \
   X(PHI,       "phi",       V, S, 0)                         /* source n comes from predecessor n */ \
   X(LOAD_VAR,  "load_var",  0, S, 0)                         /* imm: variable */ \
   X(STORE_VAR, "store_var", 1, N, IR_F_WRITES)               /* imm: variable */ \
   X(LOAD_ARRAY,"load_array",1, S, 0)                         /* imm: array variable; index */ \
   X(STORE_ARRAY,"store_array",2, N, IR_F_WRITES)             /* imm: array variable; index, value */ \
   X(VEC,       "vec",       V, V, IR_F_PURE)                 /* scalars to a vector */ \
   X(EXTRACT,   "extract",   1, S, IR_F_PURE)                 /* imm: component */ \
   X(SYSVAL,    "sysval",    0, S, IR_F_PURE)                 /* imm: enum ir_sysval */ \
   X(SELECT,    "select",    3, S, IR_F_PURE)                 /* bool ? s1 : s2 */ \
   /* 32-bit float */ \
   X(FADD,      "fadd",      2, S, IR_F_PURE | IR_F_COMM | IR_F_FLOAT) \
   X(FMUL,      "fmul",      2, S, IR_F_PURE | IR_F_COMM | IR_F_FLOAT)  /* IEEE */ \
   X(FMUL_LEGACY,"fmul_legacy",2, S, IR_F_PURE | IR_F_COMM | IR_F_FLOAT) /* 0 * anything = 0 */ \
   X(FMAD,      "fmad",      3, S, IR_F_PURE | IR_F_COMM | IR_F_FLOAT)  /* s0 * s1 + s2, two roundings */ \
   X(FFMA,      "ffma",      3, S, IR_F_PURE | IR_F_COMM | IR_F_FLOAT)  /* one rounding */ \
   X(FMIN,      "fmin",      2, S, IR_F_PURE | IR_F_COMM | IR_F_FLOAT)  /* the number when the other is NaN */ \
   X(FMAX,      "fmax",      2, S, IR_F_PURE | IR_F_COMM | IR_F_FLOAT) \
   X(FNEG,      "fneg",      1, S, IR_F_PURE | IR_F_FLOAT)    /* folded into uses where it can be */ \
   X(FABS,      "fabs",      1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FSAT,      "fsat",      1, S, IR_F_PURE | IR_F_FLOAT)    /* clamp to 0..1, NaN gives 0 */ \
   X(FRCP,      "frcp",      1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FRSQ,      "frsq",      1, S, IR_F_PURE | IR_F_FLOAT)    /* of s0 itself: TGSI takes fabs first */ \
   X(FSQRT,     "fsqrt",     1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FEXP2,     "fexp2",     1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FLOG2,     "flog2",     1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FSIN,      "fsin",      1, S, IR_F_PURE | IR_F_FLOAT)    /* argument in turns, -256..256: multiply by 1/2pi and take ffract first */ \
   X(FCOS,      "fcos",      1, S, IR_F_PURE | IR_F_FLOAT)    /* likewise */ \
   X(FFLOOR,    "ffloor",    1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FCEIL,     "fceil",     1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FTRUNC,    "ftrunc",    1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FRNDNE,    "frndne",    1, S, IR_F_PURE | IR_F_FLOAT)    /* to nearest even */ \
   X(FFRACT,    "ffract",    1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FLDEXP,    "fldexp",    2, S, IR_F_PURE)                 /* float s0, integer s1 */ \
   X(FREXP_MANT,"frexp_mant",1, S, IR_F_PURE | IR_F_FLOAT) \
   X(FREXP_EXP, "frexp_exp", 1, S, IR_F_PURE | IR_F_FSRC)     /* integer result */ \
   X(FMED3,     "fmed3",     3, S, IR_F_PURE | IR_F_FLOAT) \
   X(CUBE_ID,   "cube_id",   3, S, IR_F_PURE | IR_F_FLOAT)    /* v_cubeid_f32: face 0..5 */ \
   X(CUBE_SC,   "cube_sc",   3, S, IR_F_PURE | IR_F_FLOAT) \
   X(CUBE_TC,   "cube_tc",   3, S, IR_F_PURE | IR_F_FLOAT) \
   X(CUBE_MA,   "cube_ma",   3, S, IR_F_PURE | IR_F_FLOAT)    /* 2 * major axis */ \
   /* conversions */ \
   X(F2I,       "f2i",       1, S, IR_F_PURE | IR_F_FSRC)     /* truncates, saturates, NaN gives 0 */ \
   X(F2U,       "f2u",       1, S, IR_F_PURE | IR_F_FSRC) \
   X(I2F,       "i2f",       1, S, IR_F_PURE | IR_F_FDST) \
   X(U2F,       "u2f",       1, S, IR_F_PURE | IR_F_FDST) \
   X(F2F16,     "f2f16",     1, S, IR_F_PURE | IR_F_FSRC)     /* half in the low 16 bits, high bits 0; nearest even */ \
   X(F16_2F,    "f16_2f",    1, S, IR_F_PURE)                 /* low half of s0 */ \
   X(PK_F16_RTZ,"pk_f16_rtz",2, S, IR_F_PURE | IR_F_FSRC)     /* s0 low half, s1 high half */ \
   X(PK_UNORM16,"pk_unorm16",2, S, IR_F_PURE | IR_F_FSRC) \
   X(PK_SNORM16,"pk_snorm16",2, S, IR_F_PURE | IR_F_FSRC) \
   X(PK_U16,    "pk_u16",    2, S, IR_F_PURE)                 /* saturates to 16 bits */ \
   X(PK_I16,    "pk_i16",    2, S, IR_F_PURE) \
   X(CVT_UBYTE, "cvt_ubyte", 1, S, IR_F_PURE | IR_F_FDST)     /* imm: byte 0..3 to float */ \
   /* 32-bit integer */ \
   X(IADD,      "iadd",      2, S, IR_F_PURE | IR_F_COMM) \
   X(ISUB,      "isub",      2, S, IR_F_PURE) \
   X(INEG,      "ineg",      1, S, IR_F_PURE) \
   X(IABS,      "iabs",      1, S, IR_F_PURE) \
   X(IMUL,      "imul",      2, S, IR_F_PURE | IR_F_COMM)     /* low 32 bits */ \
   X(IMUL_HI,   "imul_hi",   2, S, IR_F_PURE | IR_F_COMM) \
   X(UMUL_HI,   "umul_hi",   2, S, IR_F_PURE | IR_F_COMM) \
   X(IMUL24,    "imul24",    2, S, IR_F_PURE | IR_F_COMM)     /* of sign-extended low 24 bits */ \
   X(UMUL24,    "umul24",    2, S, IR_F_PURE | IR_F_COMM) \
   X(UDIV,      "udiv",      2, S, IR_F_PURE)                 /* by 0: 0xffffffff */ \
   X(UMOD,      "umod",      2, S, IR_F_PURE)                 /* by 0: 0xffffffff */ \
   X(IDIV,      "idiv",      2, S, IR_F_PURE)                 /* by 0: 0 */ \
   X(IMOD,      "imod",      2, S, IR_F_PURE)                 /* by 0: 0xffffffff */ \
   X(IMIN,      "imin",      2, S, IR_F_PURE | IR_F_COMM) \
   X(IMAX,      "imax",      2, S, IR_F_PURE | IR_F_COMM) \
   X(UMIN,      "umin",      2, S, IR_F_PURE | IR_F_COMM) \
   X(UMAX,      "umax",      2, S, IR_F_PURE | IR_F_COMM) \
   X(IAND,      "iand",      2, S, IR_F_PURE | IR_F_COMM) \
   X(IOR,       "ior",       2, S, IR_F_PURE | IR_F_COMM) \
   X(IXOR,      "ixor",      2, S, IR_F_PURE | IR_F_COMM) \
   X(INOT,      "inot",      1, S, IR_F_PURE) \
   X(SHL,       "shl",       2, S, IR_F_PURE)                 /* s0 << (s1 & 31) */ \
   X(LSHR,      "lshr",      2, S, IR_F_PURE) \
   X(ASHR,      "ashr",      2, S, IR_F_PURE) \
   X(UBFE,      "ubfe",      3, S, IR_F_PURE)                 /* value, offset & 31, width & 31 */ \
   X(IBFE,      "ibfe",      3, S, IR_F_PURE) \
   X(BFI,       "bfi",       3, S, IR_F_PURE)                 /* (s0 & s1) | (~s0 & s2) */ \
   X(BFM,       "bfm",       2, S, IR_F_PURE)                 /* ((1 << (s0 & 31)) - 1) << (s1 & 31) */ \
   X(BREV,      "brev",      1, S, IR_F_PURE) \
   X(BCNT,      "bcnt",      1, S, IR_F_PURE) \
   X(FFBL,      "ffbl",      1, S, IR_F_PURE)                 /* first 1 from bit 0, -1 when none */ \
   X(FFBH_U,    "ffbh_u",    1, S, IR_F_PURE)                 /* leading zeros, -1 when s0 is 0 */ \
   X(FFBH_I,    "ffbh_i",    1, S, IR_F_PURE)                 /* leading sign bits, -1 for 0 and -1 */ \
   /* compares and bools */ \
   X(FLT,       "flt",       2, B, IR_F_PURE | IR_F_FSRC)     /* ordered */ \
   X(FGE,       "fge",       2, B, IR_F_PURE | IR_F_FSRC) \
   X(FEQ,       "feq",       2, B, IR_F_PURE | IR_F_COMM | IR_F_FSRC) \
   X(FNE,       "fne",       2, B, IR_F_PURE | IR_F_COMM | IR_F_FSRC)  /* true when unordered */ \
   X(ILT,       "ilt",       2, B, IR_F_PURE) \
   X(IGE,       "ige",       2, B, IR_F_PURE) \
   X(ULT,       "ult",       2, B, IR_F_PURE) \
   X(UGE,       "uge",       2, B, IR_F_PURE) \
   X(IEQ,       "ieq",       2, B, IR_F_PURE | IR_F_COMM) \
   X(INE,       "ine",       2, B, IR_F_PURE | IR_F_COMM) \
   X(BAND,      "band",      2, B, IR_F_PURE | IR_F_COMM) \
   X(BOR,       "bor",       2, B, IR_F_PURE | IR_F_COMM) \
   X(BXOR,      "bxor",      2, B, IR_F_PURE | IR_F_COMM) \
   X(BNOT,      "bnot",      1, B, IR_F_PURE) \
   /* 64-bit: sources and results are vectors of 2 dwords, low first */ \
   X(DADD,      "dadd",      2, V, IR_F_PURE | IR_F_COMM) \
   X(DMUL,      "dmul",      2, V, IR_F_PURE | IR_F_COMM) \
   X(DFMA,      "dfma",      3, V, IR_F_PURE | IR_F_COMM) \
   X(DMIN,      "dmin",      2, V, IR_F_PURE | IR_F_COMM) \
   X(DMAX,      "dmax",      2, V, IR_F_PURE | IR_F_COMM) \
   X(DRCP,      "drcp",      1, V, IR_F_PURE) \
   X(DRSQ,      "drsq",      1, V, IR_F_PURE) \
   X(DFLOOR,    "dfloor",    1, V, IR_F_PURE) \
   X(DCEIL,     "dceil",     1, V, IR_F_PURE) \
   X(DTRUNC,    "dtrunc",    1, V, IR_F_PURE) \
   X(DRNDNE,    "drndne",    1, V, IR_F_PURE) \
   X(DFRACT,    "dfract",    1, V, IR_F_PURE) \
   X(DDIV_FIXUP,"ddiv_fixup",3, V, IR_F_PURE)                 /* quotient, denominator, numerator: |s0| with the sign, or what 0, infinity, NaN give */ \
   X(DLDEXP,    "dldexp",    2, V, IR_F_PURE) \
   X(DFREXP_MANT,"dfrexp_mant",1, V, IR_F_PURE) \
   X(DFREXP_EXP,"dfrexp_exp",1, S, IR_F_PURE) \
   X(DLT,       "dlt",       2, B, IR_F_PURE) \
   X(DGE,       "dge",       2, B, IR_F_PURE) \
   X(DEQ,       "deq",       2, B, IR_F_PURE | IR_F_COMM) \
   X(DNE,       "dne",       2, B, IR_F_PURE | IR_F_COMM) \
   X(DCLASS,    "dclass",    1, B, IR_F_PURE)                 /* imm: IR_CLASS_*, the kinds of number that are asked for */ \
   X(F2D,       "f2d",       1, V, IR_F_PURE) \
   X(D2F,       "d2f",       1, S, IR_F_PURE) \
   X(I2D,       "i2d",       1, V, IR_F_PURE) \
   X(U2D,       "u2d",       1, V, IR_F_PURE) \
   X(D2I,       "d2i",       1, S, IR_F_PURE) \
   X(D2U,       "d2u",       1, S, IR_F_PURE) \
   /* 64-bit integers, likewise pairs */ \
   X(IADD64,    "iadd64",    2, V, IR_F_PURE | IR_F_COMM) \
   X(ISUB64,    "isub64",    2, V, IR_F_PURE) \
   X(UMAD64,    "umad64",    3, V, IR_F_PURE | IR_F_COMM)     /* s0 * s1 + s2: 32-bit factors, all 64 bits of the product */ \
   X(SHL64,     "shl64",     2, V, IR_F_PURE)                 /* s0 << (s1 & 63), s1 of 32 bits */ \
   X(LSHR64,    "lshr64",    2, V, IR_F_PURE) \
   X(ASHR64,    "ashr64",    2, V, IR_F_PURE) \
   X(ILT64,     "ilt64",     2, B, IR_F_PURE) \
   X(IGE64,     "ige64",     2, B, IR_F_PURE) \
   X(ULT64,     "ult64",     2, B, IR_F_PURE) \
   X(UGE64,     "uge64",     2, B, IR_F_PURE) \
   X(IEQ64,     "ieq64",     2, B, IR_F_PURE | IR_F_COMM) \
   X(INE64,     "ine64",     2, B, IR_F_PURE | IR_F_COMM) \
   X(UDIV64,    "udiv64",    2, V, IR_F_PURE)                 /* by 0 like those of 32 bits */ \
   X(UMOD64,    "umod64",    2, V, IR_F_PURE) \
   X(IDIV64,    "idiv64",    2, V, IR_F_PURE) \
   X(IMOD64,    "imod64",    2, V, IR_F_PURE) \
   /* lanes */ \
   X(DDX,       "ddx",       1, S, IR_F_CROSS | IR_F_PURE)    /* imm: 1 fine, 0 coarse */ \
   X(DDY,       "ddy",       1, S, IR_F_CROSS | IR_F_PURE) \
   X(QUAD_PERM, "quad_perm", 1, S, IR_F_CROSS | IR_F_PURE)    /* imm: 2 bits per lane of the quad */ \
   X(READFIRST, "readfirst", 1, S, IR_F_CROSS | IR_F_PURE)    /* value of the first active lane: uniform */ \
   X(BALLOT,    "ballot",    1, V, IR_F_CROSS | IR_F_PURE)    /* 2 dwords, uniform */ \
   X(FIRST_LANE,"first_lane",1, S, IR_F_CROSS | IR_F_PURE)    /* bool: number of the first active lane that has it, -1: none; uniform */ \
   X(READ_LANE, "read_lane", 2, S, IR_F_CROSS | IR_F_PURE)    /* value of lane s1, which is uniform; so is the result */ \
   X(CLOCK,     "clock",     0, V, IR_F_WRITES)               /* 2 dwords, uniform; in program order */ \
   /* descriptors and memory */ \
   X(LOAD_DESC, "load_desc", 1, V, IR_F_PURE)                 /* imm: enum ir_list; byte offset, uniform; comps 4 or 8 */ \
   X(LIST_ADDR, "list_addr", 0, V, IR_F_PURE)                 /* imm: enum ir_list; 2 dwords: where it lies in memory */ \
   X(LOAD_DESC_AT,"load_desc_at",1, V, IR_F_PURE)             /* address (2 dwords, uniform); imm: bytes added; comps 4 or 8 */ \
   X(TABLE,     "table",     0, V, IR_F_PURE)                 /* V# of the shader's table of constants, which lies behind the code */ \
   X(LOAD_CONST,"load_const",2, V, IR_F_PURE)                 /* mem; V#, byte offset: memory that no shader of the draw writes */ \
   X(LOAD_BUF,  "load_buf",  2, V, IR_F_READS)                /* mem; V#, byte offset */ \
   X(LOAD_FMT,  "load_fmt",  2, V, IR_F_PURE)                 /* mem; V#, element index: converts by the V#'s format */ \
   X(STORE_BUF, "store_buf", 3, N, IR_F_WRITES)               /* mem; V#, byte offset, data vector or scalar */ \
   X(ATOMIC_BUF,"atomic_buf",V, S, IR_F_WRITES | IR_F_DIVERGES) /* mem.atomic; V#, byte offset, data [, compare] */ \
   X(LOAD_LDS,  "load_lds",  1, V, IR_F_READS)                /* mem; byte offset */ \
   X(STORE_LDS, "store_lds", 2, N, IR_F_WRITES)               /* mem; byte offset, data vector or scalar */ \
   X(ATOMIC_LDS,"atomic_lds",V, S, IR_F_WRITES | IR_F_DIVERGES) /* mem.atomic; byte offset, data [, compare] */ \
   X(BARRIER,   "barrier",   0, N, IR_F_WRITES)               /* all waves of the group come here first */ \
   X(SENDMSG,   "sendmsg",   1, N, IR_F_WRITES)               /* imm: message; M0. Sent for the active lanes */ \
   X(MEMBAR,    "membar",    0, N, IR_F_WRITES)               /* own memory operations so far are done */ \
   X(LOAD_SCRATCH,"load_scratch",1, S, IR_F_READS | IR_F_DIVERGES) /* mem; byte offset in the lane's own memory */ \
   X(STORE_SCRATCH,"store_scratch",2, N, IR_F_WRITES)         /* mem; byte offset, value */ \
   X(LOAD_ATTRIB,"load_attrib",0, V, IR_F_PURE | IR_F_DIVERGES) /* imm: vertex element; 4 dwords */ \
   /* textures: inst->tex; sources see struct ir_tex */ \
   X(TEX,       "tex",       V, V, IR_F_CROSS | IR_F_PURE) \
   X(IMG_LOAD,  "img_load",  V, V, IR_F_READS) \
   X(IMG_STORE, "img_store", V, N, IR_F_WRITES) \
   X(IMG_ATOMIC,"img_atomic",V, S, IR_F_WRITES | IR_F_DIVERGES) \
   /* pixel shader */ \
   X(INTERP,    "interp",    2, S, IR_F_PURE | IR_F_DIVERGES | IR_F_FDST) /* io; i, j */ \
   X(INTERP_MOV,"interp_mov",0, S, IR_F_PURE | IR_F_DIVERGES) /* io; value of the provoking vertex (P0) */ \
   X(KILL_IF,   "kill_if",   1, N, IR_F_WRITES)               /* bool: lanes become helper lanes */ \
   /* outputs */ \
   X(STORE_OUTPUT,"store_output",1, N, IR_F_WRITES)           /* io.slot: index in sh->outputs; io.chan */ \
   X(EXPORT,    "export",    4, N, IR_F_WRITES)               /* exp; made by lower_io, absent sources are UNDEF */

#endif
