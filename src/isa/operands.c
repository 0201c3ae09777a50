/* SPDX-License-Identifier: MIT */
/* Which operands an instruction has and how wide they are; rules that encode
 * and decode both hold to. */
#include "layout.h"

#include <string.h>

void isa_inst_init(struct isa_inst *inst, enum isa_op op)
{
   memset(inst, 0, sizeof(*inst));
   inst->op = op;
   inst->enc = isa_op_infos[op].enc;
   inst->dst = inst->dst2 = ISA_NONE;
   for (unsigned i = 0; i < 4; i++)
      inst->src[i] = ISA_NONE;
   if (inst->enc == ISA_ENC_VOP3P && !isa_is_mix(op) && !(isa_op_infos[op].flags & ISA_MATRIX))
      inst->op_sel_hi = 7; /* both halves of every source, the plain packed form */
}

/* VOP3 opcode of opcode 0 of a short encoding; -1 when it has no VOP3 form. */
static int vop3_base(enum tgsiamd_gfx gfx, unsigned enc)
{
   bool gfx8_family = gfx >= TGSIAMD_GFX8 && gfx <= TGSIAMD_GFX950;
   switch (enc) {
   case ISA_ENC_VOPC:
      return 0;
   case ISA_ENC_VOP2:
      return 0x100;
   case ISA_ENC_VOP1:
      return gfx8_family ? 0x140 : 0x180;
   case ISA_ENC_VINTRP:
      if (gfx8_family)
         return 0x270;
      return gfx == TGSIAMD_GFX10 || gfx == TGSIAMD_GFX10_3 ? 0x200 : -1;
   default:
      return -1;
   }
}

int isa_opcode(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   int num = info->opcode[gfx];
   unsigned native = isa_op_enc[gfx][inst->op];
   if (num < 0 || native == inst->enc)
      return num;
   if (inst->enc != ISA_ENC_VOP3 || info->flags & ISA_NO_VOP3 || isa_op_forms[gfx][inst->op] & ISA_FORMS_NO_VOP3)
      return -1;
   int base = vop3_base(gfx, native);
   return base < 0 ? -1 : base + num;
}

enum isa_layout_id isa_layout_of(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   if (inst->enc == ISA_ENC_VOP3) {
      if (info->dst2_dw)
         return LAYOUT_VOP3B;
      switch (inst->op) {
      case ISA_V_INTERP_P1_F32:
      case ISA_V_INTERP_P2_F32:
      case ISA_V_INTERP_MOV_F32:
         return LAYOUT_VOP3_INTERP;
      case ISA_V_INTERP_P1LL_F16:
      case ISA_V_INTERP_P1LV_F16:
      case ISA_V_INTERP_P2_LEGACY_F16:
      case ISA_V_INTERP_P2_F16:
         return LAYOUT_VOP3_INTERP16;
      }
   } else if (inst->enc == ISA_ENC_MIMG && gfx == TGSIAMD_GFX12) {
      return info->flags & ISA_SAMPLES || inst->op == ISA_IMAGE_MSAA_LOAD ? LAYOUT_VSAMPLE : ISA_ENC_MIMG;
   } else if (inst->op == ISA_S_FMAMK_F32) {
      return LAYOUT_SOP2_MK;
   } else if (inst->op == ISA_S_SENDMSG_RTN_B32 || inst->op == ISA_S_SENDMSG_RTN_B64) {
      return LAYOUT_SOP1_MSG;
   } else if (inst->op == ISA_S_SET_GPR_IDX_ON) {
      return LAYOUT_SOPC_IDX;
   } else if (inst->enc == ISA_ENC_VOP3P) {
      if (isa_implied_acc(inst->op))
         return LAYOUT_ACCVGPR;
      if (isa_even_vgprs(gfx) && info->flags & ISA_MATRIX)
         return LAYOUT_MAI;
   } else if (inst->enc == ISA_ENC_VOP2) {
      if (isa_is_mk(inst->op))
         return LAYOUT_VOP2_MK;
      if (inst->op == ISA_V_READLANE_B32 || inst->op == ISA_V_WRITELANE_B32)
         return LAYOUT_VOP2_LANE;
   }
   return inst->enc;
}

struct isa_operand_set isa_operands(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   unsigned need = 0, may;

   if (info->dst_type != ISA_TYPE_NONE)
      need |= OPERAND_DST;
   if (info->dst2_dw)
      need |= OPERAND_DST2;
   for (unsigned i = 0; i < info->num_src; i++) {
      if (info->src_type[i] != ISA_TYPE_NONE)
         need |= OPERAND_SRC(i);
   }
   if (info->flags & ISA_ATOMIC && info->unit != ISA_UNIT_LDS && info->unit != ISA_UNIT_GDS &&
       !isa_returns(gfx, inst))
      need &= ~OPERAND_DST;
   may = need;

   switch (inst->enc) {
   case ISA_ENC_SMEM:
      need &= ~OPERAND_SRC(1);
      break;
   case ISA_ENC_MUBUF:
   case ISA_ENC_MTBUF:
      if (!inst->offen && !inst->idxen && !inst->addr64)
         need &= ~OPERAND_SRC(0);
      if (inst->lds)
         need &= ~OPERAND_DST;
      may = need;
      break;
   case ISA_ENC_GLOBAL:
      if (inst->lds)
         need &= ~OPERAND_DST;
      may = need;
      need &= ~OPERAND_SRC(2);
      break;
   case ISA_ENC_SCRATCH:
      need &= ~(OPERAND_SRC(0) | OPERAND_SRC(2));
      /* One address register, scalar or vector, where SVE is not there. */
      if (!isa_has_sve(gfx) && inst->src[2] != ISA_NONE)
         may &= ~OPERAND_SRC(0);
      break;
   case ISA_ENC_EXP:
      need = 0;
      break;
   }
   return (struct isa_operand_set){need, may};
}

struct isa_implied isa_implied_operands(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   struct isa_implied implied = {ISA_NONE, ISA_NONE, ISA_NONE, ISA_NONE};
   /* v_cmpx writes EXEC alone from GFX10 on, in VOP3 too. */
   bool exec_only = gfx >= TGSIAMD_GFX10 && info->enc == ISA_ENC_VOPC && info->flags & ISA_WRITES_EXEC;
   if (exec_only && inst->enc == ISA_ENC_VOP3) {
      implied.dst = ISA_EXEC;
   } else if (inst->enc == ISA_ENC_VOPC) {
      if (inst->form != ISA_FORM_SDWA || gfx == TGSIAMD_GFX8 || exec_only)
         implied.dst = exec_only ? ISA_EXEC : ISA_VCC;
   } else if (inst->enc == ISA_ENC_VOP2 || inst->enc == ISA_ENC_SOP2) {
      if (info->dst2_dw)
         implied.dst2 = ISA_VCC;
      if (isa_is_mk(inst->op))
         implied.src1 = ISA_LITERAL;
      else if (isa_is_ak(inst->op))
         implied.src2 = ISA_LITERAL;
      else if (info->src_type[2] == ISA_TYPE_MASK)
         implied.src2 = ISA_VCC;
   }
   return implied;
}

/* Dwords that an image instruction moves per lane. */
static unsigned image_data_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   unsigned n = __builtin_popcount(inst->dmask);
   if (n == 0)
      n = 1;
   /* gather4 returns four texels whatever component dmask picks */
   if (!strncmp(info->name, "image_gather4", 13) || inst->op == ISA_IMAGE_MSAA_LOAD)
      n = 4;
   if (inst->d16 && gfx != TGSIAMD_GFX8) /* GFX8.0 keeps a half in a dword */
      n = (n + 1) / 2;
   return n;
}

/* VGPRs of an image address from GFX10 on, where DIM tells the coordinates;
 * what stands before and behind them is in the mnemonic. */
static unsigned image_addr_dwords(const struct isa_inst *inst)
{
   static const uint8_t coords[] = {1, 2, 3, 3, 2, 3, 3, 4}, gradients[] = {2, 4, 6, 4, 2, 4, 4, 4};
   const char *name = isa_op_infos[inst->op].name;
   unsigned words = 0, components = coords[inst->dim & 7];
   bool g16 = inst->a16;

   if (inst->op == ISA_IMAGE_BVH8_INTERSECT_RAY)
      return 11;
   if (inst->op == ISA_IMAGE_BVH_DUAL_INTERSECT_RAY)
      return 12;
   if (inst->op == ISA_IMAGE_BVH_INTERSECT_RAY || inst->op == ISA_IMAGE_BVH64_INTERSECT_RAY)
      return (inst->op == ISA_IMAGE_BVH64_INTERSECT_RAY) + (inst->a16 ? 8 : 11);
   if (!(isa_op_infos[inst->op].flags & ISA_SAMPLES)) {
      if (inst->op == ISA_IMAGE_GET_RESINFO)
         return 1;
      components += strstr(name, "_mip") != NULL;
      return inst->a16 ? (components + 1) / 2 : components;
   }
   unsigned grads = 0;
   /* behind "image_sample" or "image_gather4": parts between underscores */
   for (const char *p = strchr(name + 6, '_'); p; p = strchr(p + 1, '_')) {
      size_t len = strcspn(p + 1, "_");
      if (len == 1 && (p[1] == 'c' || p[1] == 'b' || p[1] == 'o'))
         words++;
      else if ((len == 1 && p[1] == 'l') || (len == 2 && !strncmp(p + 1, "cl", 2)))
         components++;
      else if ((len == 1 && p[1] == 'd') || (len == 2 && !strncmp(p + 1, "cd", 2)))
         grads = gradients[inst->dim & 7];
      else if (len == 3 && !strncmp(p + 1, "g16", 3))
         g16 = true;
   }
   if (strstr(name, "_g16") == NULL)
      g16 = false;
   words += inst->a16 ? (components + 1) / 2 : components;
   words += g16 ? (grads / 2 + 1) & ~1u : grads;
   return words;
}

/* Dwords of the address components of ray queries from GFX11 on: node, extent
 * or flags, then vectors of three, offsets. NULL for other ops. */
const uint8_t *isa_ray_parts(unsigned op)
{
   static const uint8_t bvh[5] = {1, 1, 3, 3, 3}, bvh64[5] = {2, 1, 3, 3, 3}, dual[5] = {2, 2, 3, 3, 2},
                        bvh8[5] = {2, 2, 3, 3, 1};
   switch (op) {
   case ISA_IMAGE_BVH_INTERSECT_RAY:
      return bvh;
   case ISA_IMAGE_BVH64_INTERSECT_RAY:
      return bvh64;
   case ISA_IMAGE_BVH_DUAL_INTERSECT_RAY:
      return dual;
   case ISA_IMAGE_BVH8_INTERSECT_RAY:
      return bvh8;
   default:
      return NULL;
   }
}

unsigned isa_image_slots(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   if (gfx == TGSIAMD_GFX12)
      return isa_layout_of(gfx, inst) == LAYOUT_VSAMPLE ? 4 : 5;
   return inst->nsa_dwords ? 1 + 4 * inst->nsa_dwords : 0;
}

unsigned isa_image_addr_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   (void)gfx;
   return image_addr_dwords(inst);
}

static unsigned data_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned nominal)
{
   unsigned n = inst->enc == ISA_ENC_MIMG && nominal == 0 ? image_data_dwords(gfx, inst) : nominal;
   /* GFX8.0 keeps one half in a dword; the tables tell the packed width. */
   if (gfx == TGSIAMD_GFX8 && (inst->enc == ISA_ENC_MUBUF || inst->enc == ISA_ENC_MTBUF) &&
       strstr(isa_op_infos[inst->op].name, "format_d16")) {
      const char *end = strrchr(isa_op_infos[inst->op].name, '_') + 1;
      n = strlen(end);
   }
   return n;
}

/* `dw` dwords of wave64 in the wave of the instruction. */
static unsigned wave_dwords(const struct isa_inst *inst, unsigned type, unsigned operand, unsigned dw)
{
   if (!inst->wave32)
      return dw;
   if (type == ISA_TYPE_MASK)
      return 1;
   return isa_op_infos[inst->op].wave32_twice & operand ? dw * 2 : dw;
}

unsigned isa_dst_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   if (info->dst_type == ISA_TYPE_NONE)
      return 0;
   unsigned n = info->dst_dw;
   switch (inst->enc) {
   case ISA_ENC_MIMG:
   case ISA_ENC_MUBUF:
   case ISA_ENC_MTBUF:
      n = data_dwords(gfx, inst, n) + (inst->tfe || inst->lwe);
      break;
   default:
      n = wave_dwords(inst, info->dst_type, OPERAND_DST, n);
      break;
   }
   return n;
}

unsigned isa_dst2_dwords(const struct isa_inst *inst)
{
   unsigned dw = isa_op_infos[inst->op].dst2_dw;
   return dw ? wave_dwords(inst, ISA_TYPE_MASK, OPERAND_DST2, dw) : 0;
}

unsigned isa_src_dwords(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned n)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   if (info->src_type[n] == ISA_TYPE_NONE)
      return 0;
   switch (inst->enc) {
   case ISA_ENC_MUBUF:
   case ISA_ENC_MTBUF:
      if (n == 0)
         return inst->addr64 ? 2 : inst->offen + inst->idxen;
      if (n == 3)
         return data_dwords(gfx, inst, info->src_dw[3]);
      break;
   case ISA_ENC_MIMG:
      if (n == 0) {
         if (gfx >= TGSIAMD_GFX10)
            return isa_image_slots(gfx, inst) ? 1 : image_addr_dwords(inst);
         return inst->num_addr > info->src_dw[0] ? inst->num_addr : info->src_dw[0];
      }
      if (n == 1 && inst->r128)
         return 4;
      if (n == 3)
         return image_data_dwords(gfx, inst);
      break;
   case ISA_ENC_GLOBAL:
      if (n == 0)
         return inst->src[2] == ISA_NONE ? 2 : 1;
      break;
   case ISA_ENC_SCRATCH:
      if (n == 0)
         return 1;
      break;
   case ISA_ENC_VOP3P:
      /* Formats of 8, 6 or 4 bits: fp8, bf8, fp6, bf6, fp4. */
      if (isa_can_scale(inst->op) && n < 2) {
         static const uint8_t dwords[8] = {8, 8, 6, 6, 4, 8, 8, 8};
         return dwords[(n ? inst->blgp : inst->cbsz) & 7];
      }
      break;
   }
   return wave_dwords(inst, info->src_type[n], OPERAND_SRC(n), info->src_dw[n]);
}

bool isa_inline_constant(enum tgsiamd_gfx gfx, uint32_t value, uint16_t *operand)
{
   static const uint32_t floats[] = {0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                     0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
   int32_t i = (int32_t)value;
   if (i >= -16 && i <= 64) {
      *operand = ISA_INT(i);
      return true;
   }
   unsigned n = isa_scalars[gfx].has_inv_2pi ? 9 : 8;
   for (unsigned f = 0; f < n; f++) {
      if (value == floats[f]) {
         *operand = ISA_F_0_5 + f;
         return true;
      }
   }
   return false;
}

enum isa_op isa_op_by_name(enum tgsiamd_gfx gfx, const char *name)
{
   unsigned lo = 0, hi = isa_num_ops_by_name;
   while (lo < hi) {
      unsigned mid = (lo + hi) / 2;
      if (strcmp(isa_names + isa_ops_by_name[mid].name, name) < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   for (; lo < isa_num_ops_by_name && !strcmp(isa_names + isa_ops_by_name[lo].name, name); lo++) {
      unsigned op = isa_ops_by_name[lo].op;
      if (isa_op_infos[op].opcode[gfx] >= 0 && isa_op_name[gfx][op] == isa_ops_by_name[lo].name)
         return op;
   }
   return ISA_OP_COUNT;
}
