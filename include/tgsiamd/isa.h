/* SPDX-License-Identifier: MIT */
/* Machine instructions of GCN, RDNA and CDNA GPUs.
 *
 * `struct isa_inst` is an unpacked instruction. Encoder, decoder and printer
 * all work on it, so they cannot disagree about what a field means. Every
 * opcode and every field position is a row of data in src/isa; the generator
 * makes `isa_ops.h` (enum isa_op) and the tables from it. */
#ifndef TGSIAMD_ISA_H
#define TGSIAMD_ISA_H

#include <stddef.h>
#include "tgsiamd/hw.h"
#include "isa_ops.h" /* generated: enum isa_op { ISA_S_ADD_U32, ..., ISA_OP_COUNT } */

enum isa_enc {
   ISA_ENC_SOP2, ISA_ENC_SOPK, ISA_ENC_SOP1, ISA_ENC_SOPC, ISA_ENC_SOPP,
   ISA_ENC_SMEM, /* SMRD on GFX6/7 */
   ISA_ENC_VOP2, ISA_ENC_VOP1, ISA_ENC_VOPC,
   ISA_ENC_VOP3, /* VOP3A and VOP3B */
   ISA_ENC_VOP3P, ISA_ENC_VINTRP, ISA_ENC_DS,
   ISA_ENC_MUBUF, ISA_ENC_MTBUF, ISA_ENC_MIMG,
   ISA_ENC_FLAT, ISA_ENC_GLOBAL, ISA_ENC_SCRATCH,
   ISA_ENC_EXP,
   ISA_ENC_VINTERP, ISA_ENC_LDSDIR, /* GFX11+ */
   ISA_ENC_VOPD,   /* GFX11+, wave32: two ops in one, see op_y */
   ISA_ENC_COUNT,
};

/* Extra dword that replaces SRC0 of a VOP1/VOP2/VOPC. */
enum isa_form { ISA_FORM_PLAIN, ISA_FORM_SDWA, ISA_FORM_DPP16, ISA_FORM_DPP8 };

/* Operands are GFX9's 9-bit source numbers on every generation; the encoder
 * and decoder translate where a generation numbers them otherwise (M0/NULL).
 * A range (s[4:7], v[2:3]) is named by its first register; its width is in
 * isa_op_info or, for image operands, follows from the instruction. */
#define ISA_SGPR(n)         (n)         /* 0..101 (0..105 on GFX10+) */
#define ISA_FLAT_SCRATCH    102
#define ISA_XNACK_MASK      104
#define ISA_VCC             106         /* VCC_LO, 107 VCC_HI */
#define ISA_VCC_HI          107
#define ISA_TTMP(n)         (108 + (n))
#define ISA_M0              124
#define ISA_NULL            125
#define ISA_EXEC            126
#define ISA_EXEC_HI         127
#define ISA_INT_0           128
#define ISA_INT(n)          ((n) >= 0 ? 128 + (n) : 192 - (n)) /* -16..64 */
#define ISA_SHARED_BASE     235
#define ISA_SHARED_LIMIT    236
#define ISA_PRIVATE_BASE    237
#define ISA_PRIVATE_LIMIT   238
#define ISA_POPS_WAVE_ID    239
#define ISA_F_0_5           240
#define ISA_F_NEG_0_5       241
#define ISA_F_1             242
#define ISA_F_NEG_1         243
#define ISA_F_2             244
#define ISA_F_NEG_2         245
#define ISA_F_4             246
#define ISA_F_NEG_4         247
#define ISA_F_INV_2PI       248
#define ISA_VCCZ            251
#define ISA_EXECZ           252
#define ISA_SCC             253
#define ISA_LDS_DIRECT      254
#define ISA_LITERAL         255
#define ISA_VGPR(n)         (256 + (n))
#define ISA_AGPR(n)         (512 + (n)) /* CDNA: accumulation registers */
#define ISA_NONE            0xffff      /* operand absent */

static inline bool isa_is_vgpr(uint16_t operand) { return operand >= 256 && operand < 512; }
static inline bool isa_is_agpr(uint16_t operand) { return operand >= 512 && operand < 768; }

/* An unpacked instruction. Zero-initialise, set op and enc, operands to
 * ISA_NONE where absent (isa_inst_init does all of it).
 *
 * Where operands go:
 *   SOP*, VOP*      dst, dst2 (VOP3B SDST; implied VCC of carry ops), src[0..2]
 *                   (src[2] = VCC for v_cndmask/v_addc e32; dst = VCC for e32 VOPC)
 *   SMEM            dst (loads) or src[2] (store data), src[0] SBASE, src[1]
 *                   SOFFSET SGPR or none, offset
 *   VINTRP          dst, src[0], attr, chan (for v_interp_mov src[0] = 0 P10, 1 P20, 2 P0)
 *   DS              dst, src[0] ADDR, src[1] DATA0, src[2] DATA1, offset (16 bits,
 *                   offset1 << 8 | offset0 for the two-address forms), gds
 *   MUBUF, MTBUF    dst (loads, atomics with glc), src[0] VADDR, src[1] SRSRC,
 *                   src[2] SOFFSET, src[3] VDATA (stores, atomics), offset
 *   MIMG            dst, src[0] VADDR, src[1] SRSRC, src[2] SSAMP, src[3] VDATA
 *   FLAT/GLOBAL/SCRATCH  dst, src[0] ADDR, src[1] DATA, src[2] SADDR, offset
 *   EXP             src[0..3], exp_target, exp_en
 *   SOPP            imm
 *   SOPK            imm, dst (or src[0] where SDST is read: s_cmpk, s_setreg_b32,
 *                   s_cbranch_i_fork, s_waitcnt_*cnt); s_setreg_imm32_b32: literal
 *   s_set_gpr_idx_on  src[0], imm (the four mode bits); s_atc_probe: imm is SDATA
 *   v_madmk, v_madak  D = src0 * src1 + src2, whichever of them K is: ISA_LITERAL
 *                   is src[1] of madmk and src[2] of madak
 *   v_interp_*_f16 (VOP3)  src[0] the barycentric, src[1] the other VGPR if any,
 *                   attr, chan; op_sel bit 0 is `high`
 *   VOPD            X: op, dst, src[0], src[1]; Y: op_y, dst2, src[2], src[3]; set enc.
 *                   src[1] and src[3] are VGPRs, the addend of v_fmamk; K is `literal`
 */
struct isa_inst {
   uint16_t op;         /* enum isa_op */
   uint8_t enc;         /* enum isa_enc in use (an op of VOP2 may stand as VOP3) */
   uint8_t form;        /* enum isa_form */
   uint8_t num_dwords;  /* set by encode and decode */
   bool wave32;         /* GFX10+: lane masks are one dword, matrices stand in half the lanes */
   uint16_t op_y;       /* VOPD: the second op */
   uint16_t dst, dst2;
   uint16_t src[4];
   uint32_t literal;    /* value of a source that is ISA_LITERAL (also K of madmk/madak) */
   uint16_t imm;        /* SIMM16 */
   int32_t offset;      /* bytes, as encoded */

   /* VALU modifiers; bit n of a mask is source n */
   uint8_t neg, abs;    /* neg is neg_lo of VOP3P */
   uint8_t neg_hi;      /* VOP3P */
   uint8_t op_sel;      /* bit 3 is the destination (VOP3; GFX11+: all VALU forms) */
   uint8_t op_sel_hi;   /* VOP3P */
   uint8_t omod;        /* 0 none, 1 *2, 2 *4, 3 /2 */
   bool clamp;

   /* SDWA: selects 0..3 BYTE_n, 4 WORD_0, 5 WORD_1, 6 DWORD */
   uint8_t sdwa_dst_sel, sdwa_dst_unused, sdwa_sel[2];
   uint8_t sdwa_sext;   /* mask over the two sources */
   /* DPP */
   uint16_t dpp_ctrl;
   uint8_t dpp_row_mask, dpp_bank_mask;
   bool dpp_bound_ctrl; /* the encoded bit (llvm's bound_ctrl:0 sets it) */
   bool dpp_fi;
   uint8_t dpp8_sel[8];

   /* memory */
   bool glc, slc, dlc, tfe, lds, gds, offen, idxen, addr64;
   bool unorm, da, r128, a16, d16, lwe;
   bool nv, scc_cache;  /* SC1 of CDNA3 */
   uint8_t dmask;
   uint8_t dim;         /* GFX10+ */
   uint8_t num_addr;    /* image address VGPRs. To GFX9 the encoding does not say: the
                         * compiler sets it, decode leaves 0 and the resource's type decides */
   uint8_t nsa_dwords;  /* GFX10+ image: extra dwords of VGPR numbers (nsa) */
   uint8_t nsa_addr[12]; /* VGPRs of the second and later address components */
   uint8_t dfmt, nfmt;  /* MTBUF to GFX9; GFX10+: format = dfmt | nfmt << 4 combined */
   uint8_t scope, th;   /* GFX12 */

   /* CDNA matrix ops: broadcast and swizzle controls. BLGP is NEG for doubles
    * from GFX940 on; CBSZ and BLGP are the sources' formats for f8f6f4 */
   uint8_t cbsz, abid, blgp;
   uint16_t scale[2];   /* CDNA4: VGPRs with the scales of A and B, byte by op_sel_hi:op_sel; 0: none */

   /* EXP, VINTRP */
   uint8_t exp_target, exp_en;
   bool exp_done, exp_compr, exp_vm;
   bool exp_row;        /* GFX11+ */
   uint8_t attr, chan;
};

/* How a value is read or written; the width in dwords stands apart. */
enum isa_type {
   ISA_TYPE_NONE, ISA_TYPE_B, ISA_TYPE_U, ISA_TYPE_I, ISA_TYPE_F, /* width says 16/32/64 */
   ISA_TYPE_F16, ISA_TYPE_I16, ISA_TYPE_U16, ISA_TYPE_B16, /* one half of a dword */
   ISA_TYPE_PK16, /* packed halves */
   ISA_TYPE_MASK, /* lane mask: SGPR pair, one SGPR in wave32 */
};

/* isa_op_info.flags */
#define ISA_READS_VCC      (1u << 0)  /* implied, beyond named operands */
#define ISA_WRITES_VCC     (1u << 1)
#define ISA_READS_EXEC     (1u << 2)  /* as data, not as the lane mask */
#define ISA_WRITES_EXEC    (1u << 3)
#define ISA_READS_SCC      (1u << 4)
#define ISA_WRITES_SCC     (1u << 5)
#define ISA_READS_M0       (1u << 6)
#define ISA_READS_DST      (1u << 7)  /* v_mac, v_writelane, s_bitset, s_cmov ... */
#define ISA_BRANCH         (1u << 8)
#define ISA_ENDS_PROGRAM   (1u << 9)
#define ISA_COMMUTES       (1u << 10) /* src0 and src1 may be swapped with the same op */
#define ISA_FLOAT_MODS     (1u << 11) /* neg/abs/omod/clamp are allowed in VOP3 */
#define ISA_TRANS          (1u << 12) /* quarter rate */
#define ISA_LOADS          (1u << 13)
#define ISA_STORES         (1u << 14)
#define ISA_ATOMIC         (1u << 15)
#define ISA_SAMPLES        (1u << 16) /* image instruction with a sampler */
#define ISA_HAS_SDWA       (1u << 17)
#define ISA_HAS_DPP        (1u << 18)
#define ISA_IGNORES_EXEC   (1u << 19) /* readlane, writelane, readfirstlane ... */
#define ISA_INT_CLAMP      (1u << 20) /* clamp saturates an integer result */
#define ISA_WRITES_M0      (1u << 21) /* s_set_gpr_idx_* */
#define ISA_WRITES_SRC0    (1u << 22) /* v_swap_b32: both operands change places */
#define ISA_NO_VOP3        (1u << 23) /* a VOP1/VOP2 that has no VOP3 form */
#define ISA_DST_SGPR       (1u << 25) /* a VALU op whose VDST names an SGPR */
#define ISA_SRC_REG        (1u << 26) /* scalar sources are registers, never constants */
#define ISA_NO_IMM         (1u << 27) /* SIMM16 is reserved */
#define ISA_VGPR_SRC0      (1u << 28) /* VALU sources that cannot be scalar */
#define ISA_VGPR_SRC1      (1u << 29)
#define ISA_VGPR_SRC2      (1u << 30)
#define ISA_MATRIX         (1u << 31) /* CDNA matrix ops and moves of their registers */
#define ISA_M0_LDS_SIZE    (1u << 24) /* LDS access bounded by M0 up to GFX8 */

enum isa_unit {
   ISA_UNIT_SALU, ISA_UNIT_SMEM, ISA_UNIT_VALU, ISA_UNIT_VMEM, ISA_UNIT_LDS,
   ISA_UNIT_GDS, ISA_UNIT_FLAT, ISA_UNIT_EXPORT, ISA_UNIT_BRANCH, ISA_UNIT_INTERNAL,
};

/* Counters an instruction increments. */
#define ISA_CNT_VM   1u
#define ISA_CNT_LGKM 2u
#define ISA_CNT_EXP  4u
#define ISA_CNT_VS   8u /* GFX10+: stores */
#define ISA_CNT_SAMPLE 16u /* GFX12: images with a sampler, VM being other loads */
#define ISA_CNT_BVH    32u /* GFX12: rays */
#define ISA_CNT_KM     64u /* GFX12: scalar memory and messages, LGKM being LDS */

struct isa_op_info {
   const char *name;       /* without _e32/_e64 */
   uint8_t enc;            /* native encoding: VOP2 for v_add_f32 */
   uint8_t num_src;        /* named sources of the table above that the op has */
   uint8_t dst_type, src_type[4];  /* enum isa_type */
   uint8_t dst_dw, src_dw[4];      /* dwords in wave64; 0 when it follows from the instruction */
   uint8_t dst2_dw;                /* 2 where dst2 is a lane mask, else 0 */
   uint8_t wave32_twice;           /* operands with twice the dwords in wave32: bit 0 dst, 2 + n src[n] */
   uint8_t unit;           /* enum isa_unit */
   uint8_t counters;       /* ISA_CNT_* on GFX9 */
   uint8_t latency_class;  /* for isa_latency() */
   uint32_t flags;
   int16_t opcode[TGSIAMD_GFX_COUNT]; /* in the native encoding, -1 when absent */
};

extern const struct isa_op_info isa_op_infos[ISA_OP_COUNT];

/* Clocks from issue to result, an estimate for memory; 0 when `gfx` has no such
 * instruction. */
unsigned isa_latency(enum tgsiamd_gfx gfx, enum isa_op op);
/* Clocks from a wave's instruction to its next; on RDNA in wave32. */
unsigned isa_issue_clocks(enum tgsiamd_gfx gfx);
/* To the result, and those that the instruction itself keeps its wave from the next one. */
struct isa_clocks {
   uint16_t latency, busy;
};
struct isa_clocks isa_clocks(enum tgsiamd_gfx gfx, enum isa_op op);

/* A fresh instruction of `op` in its native encoding, operands ISA_NONE. */
void isa_inst_init(struct isa_inst *inst, enum isa_op op);

/* Counters that an instruction moves on `gfx`. */
unsigned isa_counters(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

/* Writes up to 5 dwords to `out`; returns how many, or 0 when the instruction
 * does not exist or cannot be encoded on `gfx`; then *why (may be NULL) is a
 * static sentence that says which rule it breaks. Sets inst->num_dwords. */
unsigned isa_encode(enum tgsiamd_gfx gfx, struct isa_inst *inst, uint32_t *out, const char **why);

/* The same for one who encodes many: what the ops of plain instructions need is
 * looked up once (encode_shape.c). For one generation, zeroed before the first. */
#define ISA_NUM_SHAPES 64
struct isa_shape {
   uint16_t op;
   uint8_t enc;
   bool known, plain;
   bool vector, imm;            /* VALU; SIMM16 */
   uint8_t num_dwords, num_operands;
   uint8_t may, placed;         /* sets of operands: bit 0 dst, 1 dst2, 2 + n src[n] */
   uint8_t scalars;             /* sources that are implied */
   uint8_t neg, abs, neg_lo, abs_lo;
   uint64_t bits;               /* of all such instructions */
   uint64_t unplaced[2], values[2]; /* dst to src[3]: those that have no field, and what they are */
   struct isa_shape_operand {
      uint8_t member, kind, dst, dwords, lo;
   } operands[5];
};
struct isa_shapes {
   struct isa_shape of[ISA_NUM_SHAPES];
};
unsigned isa_encode_shaped(enum tgsiamd_gfx gfx, struct isa_shapes *shapes, struct isa_inst *inst, uint32_t *out,
                           const char **why);

/* Decodes one instruction from `code` (`num` dwords are readable). Returns the
 * dwords it takes, or 0 when the bits are no instruction of `gfx`. */
unsigned isa_decode(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst);
/* The same for code of a wave32; the bits do not tell. */
unsigned isa_decode_wave32(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst);

/* A processor by LLVM's name. Most are what their generation's tables say; for
 * others encode and decode with isa_encode_on and isa_decode_on. */
#define ISA_PROCESSOR_DPP_SCALAR 1u      /* DPP in VOP3 takes a scalar as src[1] */
#define ISA_PROCESSOR_EXPORT_PRIORITY 2u /* exports want s_setprio around them; in no hazard table */
#define ISA_PROCESSOR_FIXED_SGPRS 4u     /* every wave has to ask for 96 SGPRs: a bug of their initialisation */
struct isa_processor {
   char name[16];    /* "gfx1036" */
   uint8_t gfx;      /* enum tgsiamd_gfx */
   uint8_t set;      /* ops that differ; 0: none */
   uint8_t flags;    /* ISA_PROCESSOR_* */
   uint16_t vgprs;   /* per SIMD, where it is not the generation's number, else 0; */
   uint8_t vgpr_granule; /* then their allocation unit */
   uint32_t without; /* hazards of the generation that it does not have, a bit each */
   const char *refused; /* why no table holds for it, else NULL */
};
const struct isa_processor *isa_processors(unsigned *count);
/* NULL when LLVM 22 has no such processor. */
const struct isa_processor *isa_processor_by_name(const char *name);
bool isa_processor_has(const struct isa_processor *p, enum isa_op op);
/* As isa_hazard_set. */
uint32_t isa_processor_hazards(const struct isa_processor *p);
unsigned isa_encode_on(const struct isa_processor *p, struct isa_inst *inst, uint32_t *out, const char **why);
unsigned isa_decode_on(const struct isa_processor *p, bool wave32, const uint32_t *code, unsigned num,
                       struct isa_inst *inst);

/* Prints in LLVM 22's assembler syntax, without newline; returns like snprintf.
 * `pc` is the byte address of the instruction, used only for nothing but
 * symbolic branches: branch targets print as the plain SIMM16, as LLVM does. */
int isa_print(enum tgsiamd_gfx gfx, const struct isa_inst *inst, char *buf, size_t size);

/* Op by mnemonic (no suffix) that exists on `gfx`; ISA_OP_COUNT when none. */
enum isa_op isa_op_by_name(enum tgsiamd_gfx gfx, const char *name);

/* Width in dwords of the destination and of source n of this instruction,
 * with dmask, tfe, d16, image dimension, address count and wave size taken in. */
unsigned isa_dst_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst);
unsigned isa_dst2_dwords(const struct isa_inst *inst);
unsigned isa_src_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned n);

/* True when `value` needs no literal as a source; *operand gets its number.
 * Integer and 32-bit float inline constants. */
bool isa_inline_constant(enum tgsiamd_gfx gfx, uint32_t value, uint16_t *operand);

/* Waits, limits and hazards: data per generation. */
struct isa_limits {
   uint16_t max_sgprs, sgpr_granule;  /* addressable; allocation unit */
   uint16_t max_vgprs, vgpr_granule;  /* wave64 */
   uint16_t phys_sgprs_per_simd, phys_vgprs_per_simd; /* 0: no limit on occupancy */
   uint8_t max_waves_per_simd, simds_per_cu;
   uint32_t lds_bytes_per_cu, lds_granule;
   uint8_t constant_bus_limit;
   bool vop3_literal;
   bool has_wave32;
   uint8_t max_vmcnt, max_expcnt, max_lgkmcnt, max_vscnt;
};
const struct isa_limits *isa_limits(enum tgsiamd_gfx gfx);

/* SIMM16 of s_waitcnt; a value at or above the field's maximum means no wait. */
uint16_t isa_waitcnt_pack(enum tgsiamd_gfx gfx, unsigned vm, unsigned exp, unsigned lgkm);
void isa_waitcnt_unpack(enum tgsiamd_gfx gfx, uint16_t imm, unsigned *vm, unsigned *exp, unsigned *lgkm);

/* A manual-documented hazard: `first` then `second` need `states` wait states
 * (s_nop or other instructions) between them. isa_hazard_states() gives the
 * number needed between two adjacent-in-order instructions, counting only rules
 * that the pair falls under; 0 when none. */
unsigned isa_hazard_states(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second);
/* The same in two steps, for who asks about many pairs: a bit for each rule that
 * an instruction can be the first or the second of, then only the rules that
 * both have (first->first & second->second). The generation's rules are brought
 * into a table first. */
struct isa_hazard_roles {
   uint32_t first, second;
};
struct isa_hazard_table {
   struct isa_hazard_roles of[32]; /* by what an instruction does */
   uint32_t used;                  /* those that any rule names */
};
void isa_hazard_table(enum tgsiamd_gfx gfx, struct isa_hazard_table *table);
struct isa_hazard_roles isa_hazard_roles(enum tgsiamd_gfx gfx, const struct isa_hazard_table *table,
                                         const struct isa_inst *inst);
unsigned isa_hazard_states_of(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second,
                              uint32_t common);
/* Most wait states that any rule of `gfx` asks for. */
unsigned isa_hazard_window(enum tgsiamd_gfx gfx);

/* Name of the bug when the chip runs this instruction wrongly whatever stands
 * around it, else NULL: to be avoided by another register or place. */
const char *isa_hazard_alone(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

/* Hazards that an instruction ends, or that depend on what stands between. */
enum isa_hazard {
   ISA_HAZARD_VMEM_SCALAR_WRITE, /* memory reads an SGPR, EXEC or M0; a scalar op writes it */
   ISA_HAZARD_SMEM_VECTOR_WRITE, /* scalar memory reads an SGPR; a VALU op writes it */
   ISA_HAZARD_VCMPX_PERMLANE,
   ISA_HAZARD_VCMPX_EXEC_WAR,    /* EXEC read by another unit; v_cmpx writes it */
   ISA_HAZARD_LDS_BRANCH_VMEM,   /* LDS and memory, in either order, a branch between */
   ISA_HAZARD_NSA_VMEM,          /* image with scattered address, then a buffer at certain offsets */
   ISA_HAZARD_DENORM_MODE,       /* float atomic, then s_denorm_mode */
   ISA_HAZARD_LDS_DIRECT_VALU,   /* LDSDIR writes what a VALU op before still uses */
   ISA_HAZARD_LDS_DIRECT_VMEM,   /* or memory; ended by a wait, */
   ISA_HAZARD_LDS_DIRECT_VSRC,   /* by a bit of the LDSDIR itself */
   ISA_HAZARD_PARTIAL_FORWARD,   /* sources written before and after a change of EXEC, wave64 */
   ISA_HAZARD_TRANS_USE,         /* result of a transcendental read too soon */
   ISA_HAZARD_WMMA,              /* matrix A or B is the result of the matrix op before */
   ISA_HAZARD_MASK_SALU,         /* lane mask of a VALU op rewritten, wave64: by a scalar op, */
   ISA_HAZARD_MASK_VALU,         /* by a VALU op, */
   ISA_HAZARD_MASK_VCC,          /* VCC by a VALU op */
   ISA_HAZARD_SGPR_SALU,         /* SGPR that the VALU has read before, written and read again: by a scalar op, */
   ISA_HAZARD_SGPR_VALU,
   ISA_HAZARD_SGPR_VCC,
   ISA_HAZARD_DGEMM_VMEM,        /* result of a VALU op read by memory, a matrix op of doubles between */
   ISA_HAZARD_COUNT,
};
struct isa_hazard_info {
   const char *name;
   uint32_t gfx;         /* bit a generation */
   uint16_t remedy;      /* op that ends it; ISA_OP_COUNT: a field of the last instruction */
   uint16_t field;       /* of s_waitcnt_depctr */
   uint8_t states;       /* of s_nop, less what there is */
   bool behind;          /* the remedy stands behind the instruction */
   bool wave64;          /* not in wave32 */
};
const struct isa_hazard_info *isa_hazard_info(enum isa_hazard hazard);
/* Bit a hazard. */
uint32_t isa_hazard_set(enum tgsiamd_gfx gfx);

/* Registers by operand number. */
struct isa_span {
   uint16_t first, num;
};
/* A walk back from an instruction that may be the end of a hazard. Where paths
 * meet, the state is copied for each. */
struct isa_hazard_walk {
   const struct isa_inst *inst;
   uint8_t hazard;
   uint8_t valu, trans, states; /* passed */
   bool branch;
   uint8_t num_regs, done, written; /* sets of regs */
   struct isa_span regs[5];
   uint8_t exec_at, written_at[5];  /* VALU ops passed then, 255: not met */
};
enum isa_hazard_step { ISA_HAZARD_GO_ON, ISA_HAZARD_FOUND, ISA_HAZARD_OVER };
/* False when `inst` cannot be the end of it. */
bool isa_hazard_begin(enum tgsiamd_gfx gfx, enum isa_hazard hazard, const struct isa_inst *inst,
                      struct isa_hazard_walk *w);
/* The instruction before. */
enum isa_hazard_step isa_hazard_back(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at);
/* After FOUND: what is to be put before (info.behind: behind) `inst`; false
 * when it was enough to change `inst`. */
bool isa_hazard_remedy(enum tgsiamd_gfx gfx, const struct isa_hazard_walk *w, struct isa_inst *inst,
                       struct isa_inst *remedy);

#endif
