/* SPDX-License-Identifier: MIT */
/* Rules that encode and decode both hold to and that no layout tells: which
 * scalar numbers exist, which op takes which modifier, reserved values. */
#include "layout.h"

bool isa_valid_scalar(enum tgsiamd_gfx gfx, unsigned code, unsigned num, bool dst)
{
   const struct isa_scalars *s = &isa_scalars[gfx];
   unsigned last = code + num - 1;
   if (num > 1 && code < 128 && code & (num == 2 ? 1 : 3))
      return false;
   if (last <= s->max_sgpr)
      return true;
   if (code <= s->max_sgpr)
      return false;
   if (code >= s->ttmp0 && last < s->ttmp0 + (unsigned)s->num_ttmp)
      return true;
   if (code < 128) {
      if (num > 2)
         return code == ISA_NULL && s->has_null;
      if (code >= ISA_VCC && last <= ISA_VCC_HI)
         return true;
      if (code >= ISA_EXEC)
         return true;
      if (s->flat_scratch && code >= s->flat_scratch && last <= s->flat_scratch + 1u)
         return true;
      if (s->xnack_mask && code >= s->xnack_mask && last <= s->xnack_mask + 1u)
         return true;
      if (s->has_tba && code >= 108 && code <= 111)
         return true;
      if (code == ISA_NULL)
         return s->has_null;
      return code == ISA_M0 && num == 1;
   }
   if (dst)
      return false;
   if (code <= 208 || code == ISA_LITERAL)
      return true;
   if (code >= ISA_SHARED_BASE && code <= ISA_PRIVATE_LIMIT)
      return s->has_apertures;
   if (code >= ISA_F_0_5 && code <= ISA_F_NEG_4)
      return true;
   switch (code) {
   case ISA_POPS_WAVE_ID:
      return s->has_pops;
   case ISA_F_INV_2PI:
      return s->has_inv_2pi;
   case ISA_VCCZ:
   case ISA_EXECZ:
      return s->has_vccz;
   case ISA_SCC:
      return true;
   case ISA_LDS_DIRECT:
      return s->has_lds_direct;
   default:
      return false;
   }
}

/* Controls of DPP16. CDNA's operations on doubles know the broadcast alone. */
static bool valid_dpp_ctrl(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   unsigned ctrl = inst->dpp_ctrl;
   bool gfx10 = gfx >= TGSIAMD_GFX10, cdna = isa_even_vgprs(gfx);
   if (cdna && (info->dst_dw == 2 || info->src_dw[0] == 2) && info->dst_type != ISA_TYPE_MASK)
      return ctrl >= 0x150 && ctrl < 0x160;
   if (ctrl < 0x140)
      return ctrl < 0x100 || (ctrl & 15 && ctrl < 0x130) ||
             (!gfx10 && (ctrl == 0x130 || ctrl == 0x134 || ctrl == 0x138 || ctrl == 0x13c));
   if (ctrl < 0x150)
      return ctrl <= 0x141 || (!gfx10 && ctrl <= 0x143);
   return ctrl < (gfx10 ? 0x170 : cdna ? 0x160 : 0x150);
}

static const char *check_modifiers(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_mods *m = isa_mods(gfx, inst->op);
   if (inst->form == ISA_FORM_DPP16 && !valid_dpp_ctrl(gfx, inst))
      return "no such DPP control, or not for this op";
   unsigned op_sel = m->op_sel;
   /* Half the lanes have indices of twice the bits: a VGPR holds two at most. */
   if (inst->wave32 && isa_has_index_key(inst->op))
      op_sel &= 1;
   switch (inst->enc) {
   case ISA_ENC_VOP1:
   case ISA_ENC_VOP2:
   case ISA_ENC_VOPC:
      for (unsigned i = 0; inst->op_sel && i < 4; i++) {
         if (inst->op_sel >> i & 1 && !isa_is_half(gfx, inst, i))
            return "op_sel names an operand that has no halves";
      }
      if (inst->form == ISA_FORM_SDWA) {
         if (inst->sdwa_sext & ~m->sext)
            return "SDWA: this source does not sign-extend";
         if ((inst->clamp && !m->sdwa_clamp) || (inst->omod && !m->sdwa_omod))
            return "SDWA: the op has no clamp or omod";
         if (isa_op_infos[inst->op].src_type[0] == ISA_TYPE_PK16 && (inst->neg || inst->abs))
            return "SDWA: packed halves take no neg or abs";
         if (isa_sdwa_whole_dst(inst->op) && (inst->sdwa_dst_sel != 6 || inst->sdwa_dst_unused))
            return "SDWA: the op writes a whole register";
      }
      break;
   case ISA_ENC_VOP3:
      if (inst->omod && !m->omod)
         return "the op has no output modifier";
      if (inst->clamp && !m->clamp)
         return "the op has no clamp";
      if (inst->op_sel & ~m->op_sel)
         return "op_sel names an operand that has no halves";
      break;
   case ISA_ENC_VOP3P:
      if (inst->clamp && !m->clamp)
         return "the op has no clamp";
      /* The mixed-precision ops read NEG_HI as ABS. */
      if (inst->neg_hi & ~(isa_is_mix(inst->op) ? m->abs : m->neg_hi) || inst->op_sel & ~op_sel)
         return "a packed modifier names a source that the op does not have";
      break;
   default:
      return NULL;
   }
   if (inst->neg & ~m->neg || inst->abs & ~m->abs)
      return "the source takes no neg or abs";
   return NULL;
}

static const char *check_immediate(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   unsigned vm, exp, lgkm;
   switch (inst->op) {
   case ISA_S_WAITCNT:
      isa_waitcnt_unpack(gfx, inst->imm, &vm, &exp, &lgkm);
      if (isa_waitcnt_pack(gfx, vm, exp, lgkm) != inst->imm)
         return "s_waitcnt: reserved bits are set";
      break;
   case ISA_S_DELAY_ALU:
      if (inst->imm > 0x7ff)
         return "s_delay_alu: reserved bits are set";
      break;
   case ISA_S_SET_GPR_IDX_MODE:
   case ISA_S_SET_GPR_IDX_ON:
      if (inst->imm > 15)
         return "gpr_idx has four mode bits";
      break;
   case ISA_S_SENDMSG:
   case ISA_S_SENDMSGHALT:
      if (inst->imm & ~(gfx < TGSIAMD_GFX11 ? 0x37fu : 0xffu))
         return "s_sendmsg: reserved bits are set";
      break;
   default:
      if (isa_op_infos[inst->op].flags & ISA_NO_IMM && inst->imm)
         return "SIMM16 is reserved here";
      break;
   }
   return NULL;
}

/* Components of an image address that are ranges: the last one, those of rays. */
static bool address_in_file(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   unsigned slots = isa_image_slots(gfx, inst), left = isa_image_addr_dwords(gfx, inst);
   const uint8_t *ray = isa_ray_parts(inst->op);
   for (unsigned i = 0; i < slots && left; i++) {
      unsigned reg = i ? inst->nsa_addr[i - 1] : inst->src[0] & 255;
      unsigned dw = ray ? ray[i] : i == slots - 1 ? left : 1;
      if (reg + dw > 256)
         return false;
      left -= dw < left ? dw : left;
   }
   return true;
}

static const char *check_barrier(const struct isa_inst *inst)
{
   if (inst->src[0] != ISA_M0 && (inst->src[0] < ISA_INT_0 || inst->src[0] > ISA_INT(-16)))
      return "a barrier is named by M0 or an inline integer";
   return NULL;
}

bool isa_op_has_rules(uint16_t op)
{
   switch (op) {
   case ISA_S_BARRIER_SIGNAL:
   case ISA_S_BARRIER_SIGNAL_ISFIRST:
   case ISA_S_BARRIER_INIT:
   case ISA_S_BARRIER_JOIN:
   case ISA_S_GET_BARRIER_STATE:
   case ISA_V_READLANE_B32:
   case ISA_V_WRITELANE_B32:
   case ISA_DS_PERMUTE_B32:
   case ISA_DS_BPERMUTE_B32:
   case ISA_V_INTERP_MOV_F32:
   case ISA_V_PERMLANE16_B32:
   case ISA_V_PERMLANEX16_B32:
   case ISA_IMAGE_GET_RESINFO:
      return true;
   default:
      return false;
   }
}

/* Rules of one op, for those that isa_op_has_rules() names. */
static const char *check_op(const struct isa_inst *inst)
{
   switch (inst->op) {
   case ISA_S_BARRIER_SIGNAL:
   case ISA_S_BARRIER_SIGNAL_ISFIRST:
   case ISA_S_BARRIER_INIT:
   case ISA_S_BARRIER_JOIN:
   case ISA_S_GET_BARRIER_STATE:
      return check_barrier(inst);
   case ISA_V_READLANE_B32:
   case ISA_V_WRITELANE_B32:
      if (inst->src[1] >= 256 || inst->src[1] == ISA_LITERAL || (inst->op == ISA_V_WRITELANE_B32 && inst->src[0] >= 256))
         return "lane select and lane value are scalars";
      break;
   case ISA_DS_PERMUTE_B32:
   case ISA_DS_BPERMUTE_B32:
      if (inst->gds)
         return "lanes are not permuted through GDS";
      break;
   case ISA_V_INTERP_MOV_F32:
      if (inst->src[0] > 2)
         return "v_interp_mov takes p10, p20 or p0";
      break;
   case ISA_V_PERMLANE16_B32:
   case ISA_V_PERMLANEX16_B32:
      if (inst->src[0] < 256 || inst->src[1] >= 256 || inst->src[2] >= 256 || inst->src[1] == ISA_LITERAL ||
          inst->src[2] == ISA_LITERAL)
         return "permlane takes a VGPR and scalar lane selects";
      break;
   case ISA_IMAGE_GET_RESINFO:
      if (inst->d16)
         return "image_get_resinfo returns dwords";
      break;
   }
   return NULL;
}

static const char *check_matrix(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   /* The accumulator of a matrix op: registers or an inline constant. */
   if ((info->flags & ISA_MATRIX || isa_is_wmma(inst->op)) && info->num_src == 3 && inst->src[2] < 256 &&
       (inst->src[2] < 128 || (inst->src[2] > 208 && inst->src[2] < ISA_F_0_5) || inst->src[2] > ISA_F_INV_2PI))
      return "the accumulator is VGPRs or an inline constant";
   if (!(info->flags & ISA_MATRIX) || !isa_even_vgprs(gfx) || isa_layout_of(gfx, inst) != LAYOUT_MAI)
      return NULL;
   if (inst->src[0] < 256 || inst->src[1] < 256)
      return "a matrix stands in vector registers";
   /* Passes of the wide ops would read what earlier ones wrote. */
   unsigned distance = inst->src[2] > inst->dst ? inst->src[2] - inst->dst : inst->dst - inst->src[2];
   if (info->dst_dw > 4 && !isa_is_smfmac(inst->op) && inst->src[2] >= 256 && distance && distance < info->dst_dw)
      return "the accumulator overlaps the destination in part";
   if (isa_is_smfmac(inst->op) ? inst->blgp || inst->src[2] < 256 : isa_is_mfma_f64(inst->op) && (inst->cbsz || inst->abid))
      return "the matrix op has no such control, or its index is no VGPR";
   return NULL;
}

/* Rules of an encoding. */
static const char *check_encoding(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   switch (inst->enc) {
   case ISA_ENC_SMEM:
      if (inst->dst < 128 && inst->dst >= ISA_M0 && inst->dst != ISA_NULL)
         return "scalar memory does not load to M0 or EXEC";
      break;
   case ISA_ENC_MUBUF:
      if (inst->dlc && info->flags & ISA_ATOMIC && gfx < TGSIAMD_GFX11)
         return "buffer atomics take no dlc";
      break;
   case ISA_ENC_VOP3P:
      return check_matrix(gfx, inst);
   case ISA_ENC_MIMG:
      if (gfx >= TGSIAMD_GFX11 && !address_in_file(gfx, inst))
         return "a part of the address ends beyond v255";
      break;
   case ISA_ENC_GLOBAL:
      if (info->num_src == 0 && (inst->offset || inst->th))
         return "the op has a scope alone";
      break;
   }
   return NULL;
}

const char *isa_check_rules(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   if (info->flags & ISA_SRC_REG) {
      for (unsigned i = 0; i < info->num_src; i++) {
         if (inst->src[i] != ISA_NONE && inst->src[i] >= 128)
            return "the source must be a register";
      }
   }
   const char *why = isa_op_has_rules(inst->op) ? check_op(inst) : NULL;
   if (why)
      return why;
   if (inst->enc <= ISA_ENC_SOPP)
      return check_immediate(gfx, inst);
   why = check_encoding(gfx, inst);
   if (why)
      return why;
   if (inst->op == ISA_V_INTERP_MOV_F32)
      return check_modifiers(gfx, inst);
   if (info->flags & ISA_DST_SGPR) {
      if (info->flags & ISA_TRANS && (inst->src[0] >= 256 || inst->dst == ISA_EXEC || inst->dst == ISA_EXEC_HI))
         return "the scalar transcendentals read scalars and do not write EXEC";
      if (inst->dst == ISA_M0)
         return "a VALU op does not write M0";
   }
   for (unsigned i = 0; i < info->num_src; i++) {
      if (i < 3 && info->flags & ISA_VGPR_SRC0 << i && inst->src[i] < 256 && inst->src[i] != ISA_LDS_DIRECT)
         return "the source must be a VGPR";
      if (info->src_type[i] == ISA_TYPE_MASK && inst->src[i] >= 128)
         return "a lane mask stands in SGPRs";
   }
   return check_modifiers(gfx, inst);
}
