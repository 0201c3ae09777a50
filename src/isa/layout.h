/* SPDX-License-Identifier: MIT */
/* Where the fields of an instruction stand. One table a microcode format and
 * generation, read by encode and by decode, so the two cannot disagree. */
#ifndef TGSIAMD_ISA_LAYOUT_H
#define TGSIAMD_ISA_LAYOUT_H

#include "isa_internal.h"

#include <string.h>

enum isa_conv {
   CONV_U,        /* unsigned member; `shift` is its first bit in the member */
   CONV_S,        /* signed member (offsets) */
   CONV_OP,       /* opcode number; `shift` is the first bit of it */
   CONV_SDST,     /* scalar destination */
   CONV_SSRC,     /* scalar source code, 7 or 8 bits */
   CONV_SRC,      /* 9-bit source code */
   CONV_VGPR,     /* 8-bit VGPR number */
   CONV_SGPR_BIT, /* SDWA: the 8-bit operand is a scalar */
   CONV_VDST,     /* VGPR, or an SGPR for compares and lane reads */
   CONV_LANE,     /* VSRC1 of GFX6/7 lane ops: a scalar */
   CONV_SOPK_REG, /* SDST of SOPK: dst, or src[0] where the op reads it */
   CONV_SBASE,    /* SGPR pair number */
   CONV_SRSRC,    /* SGPR quad number */
   CONV_SDATA,    /* SMEM: dst of loads, src[2] of stores */
   CONV_VDATA,    /* dst of loads, src[3] of stores, both of atomics */
   CONV_SADDR,    /* scalar, "none" is all ones (the null register on GFX10+) */
   CONV_SDWAB,    /* SDST with its valid bit on top; clear means VCC */
   CONV_CONSTANT, /* always `shift` */
   CONV_ACC,      /* CDNA: the operands of mask `shift` are AGPRs; stands behind them */
};

struct isa_field {
   uint8_t member, size; /* in struct isa_inst */
   uint8_t conv;         /* enum isa_conv */
   uint8_t lo, width;    /* bit position in the instruction */
   uint8_t shift;
};

struct isa_layout {
   uint8_t num_dwords;      /* without a literal */
   uint8_t num_fields;
   uint32_t match, mask;    /* of the first dword */
   const struct isa_field *fields;
};

/* Formats within an encoding that have fields of their own. */
enum isa_layout_id {
   /* the first ISA_ENC_COUNT are the encodings themselves */
   LAYOUT_SOPC_IDX = ISA_ENC_COUNT, /* s_set_gpr_idx_on */
   LAYOUT_SOP2_MK,                 /* GFX12 s_fmamk_f32 */
   LAYOUT_SOP1_MSG,                /* s_sendmsg_rtn: SSRC0 is a message number */
   LAYOUT_VOP2_MK, /* VSRC1 is src[2], the literal src[1] */
   LAYOUT_VOP2_LANE,               /* GFX6/7 v_readlane, v_writelane */
   LAYOUT_VOP3B,                   /* with SDST */
   LAYOUT_VOP3_INTERP,             /* interpolation in VOP3 */
   LAYOUT_VOP3_INTERP16,
   LAYOUT_MAI,                     /* CDNA matrix ops: and accumulators, see cbsz, abid, blgp */
   LAYOUT_ACCVGPR,                 /* v_accvgpr_read, v_accvgpr_write */
   LAYOUT_VSAMPLE,                 /* GFX12: image ops with a sampler */
   /* extra dword of VOP1, VOP2, VOPC; bit numbers go on from 32 */
   LAYOUT_SDWA,
   LAYOUT_SDWA_VOPC,
   LAYOUT_DPP16,
   LAYOUT_DPP8,
   LAYOUT_DPP16_VOP3,              /* GFX11+, from bit 64 */
   LAYOUT_DPP8_VOP3,
   LAYOUT_COUNT,
};

/* NULL where the generation has no such format. */
extern const struct isa_layout *const isa_layouts[TGSIAMD_GFX_COUNT][LAYOUT_COUNT];

/* Scalar operand numbers that move between generations. */
struct isa_scalars {
   uint8_t max_sgpr;     /* last plain SGPR */
   uint8_t flat_scratch, xnack_mask, ttmp0; /* 0: none */
   uint8_t num_ttmp;
   bool has_tba;         /* tba, tma at 108..111 */
   bool swap_m0_null;    /* M0 is encoded 125 and null 124 */
   bool has_null;
   bool has_apertures;   /* shared_base .. private_limit */
   bool has_pops;
   bool has_inv_2pi;
   bool has_vccz;        /* vccz and execz as sources */
   bool has_lds_direct;
};
extern const struct isa_scalars isa_scalars[TGSIAMD_GFX_COUNT];

/* Layout of an instruction's base encoding; LAYOUT_COUNT when none. */
enum isa_layout_id isa_layout_of(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

/* Operand sets, bit 0 dst, bit 1 dst2, bit 2+n src[n]. */
#define OPERAND_DST  1u
#define OPERAND_DST2 2u
#define OPERAND_SRC(n) (4u << (n))
/* Bit of a member of struct isa_inst. */
static inline unsigned isa_operand_bit(unsigned member)
{
   if (member == offsetof(struct isa_inst, dst))
      return OPERAND_DST;
   if (member == offsetof(struct isa_inst, dst2))
      return OPERAND_DST2;
   return OPERAND_SRC((member - offsetof(struct isa_inst, src)) / 2);
}

struct isa_operand_set {
   uint8_t need, may; /* `may` includes `need` */
};
struct isa_operand_set isa_operands(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

/* True when `num` dwords starting at scalar `code` are one register range. */
bool isa_valid_scalar(enum tgsiamd_gfx gfx, unsigned code, unsigned num, bool dst);

/* Opcode of inst->op in inst->enc (with the VOP3 rule); -1 when none. */
int isa_opcode(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

/* CDNA: register ranges in VGPRs start at even numbers. */
static inline bool isa_even_vgprs(enum tgsiamd_gfx gfx)
{
   return gfx >= TGSIAMD_GFX90A && gfx <= TGSIAMD_GFX950;
}

/* Accumulator registers: the generations whose VGPR ranges are even. */
static inline bool isa_has_agprs(enum tgsiamd_gfx gfx)
{
   return isa_even_vgprs(gfx);
}

/* 16-bit operands of the VALU name a half of a register. */
static inline bool isa_has_halves(enum tgsiamd_gfx gfx)
{
   return gfx >= TGSIAMD_GFX11;
}

/* Operands that are AGPRs whatever the encoding says: moves of accumulators. */
static inline unsigned isa_implied_acc(uint16_t op)
{
   switch (op) {
   case ISA_V_ACCVGPR_READ_B32:
      return OPERAND_SRC(0);
   case ISA_V_ACCVGPR_WRITE_B32:
      return OPERAND_DST;
   case ISA_V_ACCVGPR_MOV_B32:
      return OPERAND_DST | OPERAND_SRC(0);
   default:
      return 0;
   }
}

/* Matrix ops with a sparse first source: src[2] is an index in a VGPR. */
static inline bool isa_is_smfmac(uint16_t op)
{
   return !strncmp(isa_op_infos[op].name, "v_smfmac", 8);
}

static inline bool isa_is_mfma_f64(uint16_t op)
{
   return op == ISA_V_MFMA_F64_16X16X4F64 || op == ISA_V_MFMA_F64_4X4X4F64;
}

/* GFX12's sparse matrix ops: op_sel is a part of the index. */
static inline bool isa_has_index_key(uint16_t op)
{
   return !strncmp(isa_op_infos[op].name, "v_swmmac", 8);
}

/* Matrix ops of GFX11 and later. */
static inline bool isa_is_wmma(uint16_t op)
{
   return !strncmp(isa_op_infos[op].name, "v_wmma", 6) || isa_has_index_key(op);
}

/* BLGP negates the sources of doubles. */
static inline bool isa_matrix_neg(enum tgsiamd_gfx gfx, uint16_t op)
{
   return gfx >= TGSIAMD_GFX940 && isa_is_mfma_f64(op);
}

/* Operands that the bit of `f`, a CONV_ACC field, moves to the AGPRs. */
static inline unsigned isa_acc_mask(uint16_t op, const struct isa_field *f)
{
   return isa_op_infos[op].flags & ISA_MATRIX && isa_is_smfmac(op) ? f->shift & ~OPERAND_SRC(2) : f->shift;
}

/* CDNA3: their SDWA form selects a part of the source, the destination is whole. */
static inline bool isa_sdwa_whole_dst(uint16_t op)
{
   return op == ISA_V_CVT_F32_FP8 || op == ISA_V_CVT_F32_BF8 || op == ISA_V_CVT_PK_F32_FP8 || op == ISA_V_CVT_PK_F32_BF8;
}

/* CDNA3 and 4: op_sel of two sources and, in its bits 3:2, the byte to write. */
static inline bool isa_selects_byte(uint16_t op)
{
   switch (op) {
   case ISA_V_CVT_SR_FP8_F32:
   case ISA_V_CVT_SR_BF8_F32:
   case ISA_V_CVT_SCALEF32_PK_FP4_F16:
   case ISA_V_CVT_SCALEF32_PK_FP4_BF16:
      return true;
   default:
      return false;
   }
}

/* Scratch says with SVE whether it has a VADDR, and may have both or neither. */
static inline bool isa_has_sve(enum tgsiamd_gfx gfx)
{
   return gfx >= TGSIAMD_GFX11 || gfx == TGSIAMD_GFX940 || gfx == TGSIAMD_GFX950;
}

/* What VOP1/VOP2/VOPC imply in their short forms: VCC or EXEC as dst, dst2,
 * src[2], and K's ISA_LITERAL. ISA_NONE where nothing is implied. */
struct isa_implied {
   uint16_t dst, dst2, src1, src2;
};
struct isa_implied isa_implied_operands(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

static inline bool isa_is_mk(uint16_t op)
{
   return op == ISA_V_MADMK_F32 || op == ISA_V_MADMK_F16 || op == ISA_V_FMAMK_F32 || op == ISA_V_FMAMK_F16 ||
          op == ISA_S_FMAMK_F32;
}

static inline bool isa_is_ak(uint16_t op)
{
   return op == ISA_V_MADAK_F32 || op == ISA_V_MADAK_F16 || op == ISA_V_FMAAK_F32 || op == ISA_V_FMAAK_F16 ||
          op == ISA_S_FMAAK_F32;
}

/* SDATA of these is a constant, `imm`. */
static inline bool isa_smem_has_imm(uint16_t op)
{
   switch (op) {
   case ISA_S_ATC_PROBE:
   case ISA_S_ATC_PROBE_BUFFER:
   case ISA_S_PREFETCH_INST:
   case ISA_S_PREFETCH_INST_PC_REL:
   case ISA_S_PREFETCH_DATA:
   case ISA_S_PREFETCH_DATA_PC_REL:
   case ISA_S_BUFFER_PREFETCH_DATA:
      return true;
   default:
      return false;
   }
}

/* Mixed precision: NEG_HI is ABS and the plain OP_SEL_HI is 0. */
static inline bool isa_is_mix(uint16_t op)
{
   switch (op) {
   case ISA_V_MAD_MIX_F32:
   case ISA_V_MAD_MIXLO_F16:
   case ISA_V_MAD_MIXHI_F16:
   case ISA_V_FMA_MIX_F32:
   case ISA_V_FMA_MIXLO_F16:
   case ISA_V_FMA_MIXHI_F16:
      return true;
   default:
      return false;
   }
}

/* Layout of the extra dword of a form; LAYOUT_COUNT for the plain one. */
static inline enum isa_layout_id isa_form_layout(const struct isa_inst *inst)
{
   bool vop3 = inst->enc == ISA_ENC_VOP3 || inst->enc == ISA_ENC_VOP3P;
   switch (inst->form) {
   case ISA_FORM_SDWA:
      return vop3 ? LAYOUT_COUNT : inst->enc == ISA_ENC_VOPC ? LAYOUT_SDWA_VOPC : LAYOUT_SDWA;
   case ISA_FORM_DPP16:
      return vop3 ? LAYOUT_DPP16_VOP3 : LAYOUT_DPP16;
   case ISA_FORM_DPP8:
      return vop3 ? LAYOUT_DPP8_VOP3 : LAYOUT_DPP8;
   default:
      return LAYOUT_COUNT;
   }
}

static inline bool isa_has_form(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   static const uint8_t bits[] = {0, ISA_FORMS_SDWA, ISA_FORMS_DPP16, ISA_FORMS_DPP8};
   return inst->form == ISA_FORM_PLAIN || isa_op_forms[gfx][inst->op] & bits[inst->form];
}

/* From GFX11 on a 16-bit VGPR operand of the VALU names one half of a register:
 * op_sel says which (bit n source n, bit 3 the destination), in the short forms
 * too, where the encoding keeps it in bit 7 of the register number. `index` is
 * the source or 3 for the destination. */
static inline bool isa_is_half(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned index)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   unsigned type = index == 3 ? info->dst_type : info->src_type[index];
   if (!isa_has_halves(gfx) || info->unit != ISA_UNIT_VALU)
      return false;
   if ((inst->enc < ISA_ENC_VOP2 || inst->enc > ISA_ENC_VOP3) && inst->enc != ISA_ENC_VINTERP)
      return false;
   if ((inst->op == ISA_V_ALIGNBIT_B32 || inst->op == ISA_V_ALIGNBYTE_B32) && index == 2)
      return true;
   return type >= ISA_TYPE_F16 && type <= ISA_TYPE_B16;
}

/* Index of an operand member for isa_is_half, -1 for others. */
static inline int isa_half_index(unsigned member)
{
   if (member == offsetof(struct isa_inst, dst))
      return 3;
   return member >= offsetof(struct isa_inst, src) ? (int)(member - offsetof(struct isa_inst, src)) / 2 : -1;
}

/* True when a memory atomic returns the old value. */
static inline bool isa_returns(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   return gfx == TGSIAMD_GFX12 ? inst->th & 1 : inst->glc;
}

/* VOPD has functions of its own: two ops stand in one instruction. */
bool isa_has_vopd(enum tgsiamd_gfx gfx);
/* Op of an opcode number of X or Y, -1 when reserved. */
int isa_vopd_op(unsigned number);
unsigned isa_vopd_encode(enum tgsiamd_gfx gfx, struct isa_inst *inst, uint32_t *out, const char **why);
unsigned isa_vopd_decode(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst);

/* CDNA4 ops that may have scales (scaled.c). */
bool isa_can_scale(uint16_t op);
unsigned isa_scaled_encode(enum tgsiamd_gfx gfx, struct isa_inst *inst, uint32_t *out, const char **why);
unsigned isa_scaled_decode(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst);

/* Dwords of the whole address, GFX10 and later. */
unsigned isa_image_addr_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

const uint8_t *isa_ray_parts(unsigned op);

/* Address fields of an image instruction; the last one takes what is left as a
 * range. 0: the address is one range. */
unsigned isa_image_slots(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

/* False: no rules of isa_check_rules() are about this op alone. */
bool isa_op_has_rules(uint16_t op);
/* A sentence when operands, immediate or modifiers break a rule of the op that
 * the layout does not hold, else NULL. */
const char *isa_check_rules(enum tgsiamd_gfx gfx, const struct isa_inst *inst);

/* Scalar memory keeps IMM, SOFFSET_EN and the offset's unit in the encoding:
 * pack brings an instruction into the form of the fields, unpack back. */
const char *isa_smem_pack(enum tgsiamd_gfx gfx, struct isa_inst *inst);
bool isa_smem_unpack(enum tgsiamd_gfx gfx, struct isa_inst *inst);

/* Scalar code in the encoding <-> ISA_* number. */
static inline unsigned isa_scalar_code(enum tgsiamd_gfx gfx, unsigned code)
{
   return isa_scalars[gfx].swap_m0_null && (code == ISA_M0 || code == ISA_NULL) ? code ^ 1 : code;
}

#endif
