/* SPDX-License-Identifier: MIT */
/* struct isa_inst -> dwords. Goes down the layout table of the instruction's
 * format; whatever modifier is left over afterwards has no place in it. */
#include "layout.h"

#include <assert.h>
#include <string.h>

struct encoder {
   enum tgsiamd_gfx gfx;
   const struct isa_processor *processor; /* NULL: any of the generation */
   struct isa_inst inst; /* fields are cleared as they are placed */
   unsigned opcode;
   struct isa_operand_set operands;
   struct isa_implied implied;
   unsigned acc; /* operands that may be AGPRs in this format */
   uint32_t words[3];
   const char *why;
};

static uint64_t load_member(const struct isa_inst *inst, const struct isa_field *f)
{
   const char *p = (const char *)inst + f->member;
   switch (f->size) {
   case 1:
      return *(const uint8_t *)p;
   case 2:
      return *(const uint16_t *)p;
   default:
      return *(const uint32_t *)p;
   }
}

static void store_member(struct isa_inst *inst, const struct isa_field *f, uint32_t value)
{
   char *p = (char *)inst + f->member;
   switch (f->size) {
   case 1:
      *(uint8_t *)p = value;
      break;
   case 2:
      *(uint16_t *)p = value;
      break;
   default:
      *(uint32_t *)p = value;
      break;
   }
}

static bool fail(struct encoder *e, const char *why)
{
   if (!e->why)
      e->why = why;
   return false;
}

static inline bool place(struct encoder *e, const struct isa_field *f, uint32_t value)
{
   unsigned word = f->lo / 32, bit = f->lo % 32;
   e->words[word] |= value << bit;
   if (bit + f->width > 32)
      e->words[word + 1] |= value >> (32 - bit);
   return true;
}

/* A VGPR, or a scalar code below 256 translated for the generation. */
static bool scalar_value(struct encoder *e, unsigned operand, uint32_t *value)
{
   if (operand >= 256)
      return fail(e, "a scalar operand is needed here");
   *value = isa_scalar_code(e->gfx, operand);
   return true;
}

/* In the short forms the half of a 16-bit operand is bit 7 of its number. */
static bool half_value(struct encoder *e, const struct isa_field *f, uint32_t *value)
{
   int index = isa_half_index(f->member);
   if (!isa_has_halves(e->gfx) || index < 0 || e->inst.enc > ISA_ENC_VOPC || !isa_is_half(e->gfx, &e->inst, index))
      return true;
   if (*value & 0x80)
      return fail(e, "the short form reaches halves of v0 to v127 only");
   *value |= (e->inst.op_sel >> index & 1) << 7;
   e->inst.op_sel &= ~(1 << index);
   return true;
}

static bool vgpr_value(struct encoder *e, unsigned operand, unsigned member, uint32_t *value)
{
   /* v_interp_mov's source is a number of a parameter, not a register */
   if (e->inst.op == ISA_V_INTERP_MOV_F32 && operand <= 2) {
      *value = operand;
      return true;
   }
   if (isa_is_agpr(operand) && e->acc & member)
      operand -= 256;
   else if (!isa_is_vgpr(operand))
      return fail(e, "a VGPR is needed here");
   *value = operand - 256;
   return true;
}

static bool data_operand(struct encoder *e, uint16_t *operand)
{
   const struct isa_inst *inst = &e->inst;
   unsigned stored = inst->enc == ISA_ENC_SMEM ? inst->src[2] : inst->src[3];
   *operand = inst->dst != ISA_NONE ? inst->dst : stored;
   if (inst->dst != ISA_NONE && stored != ISA_NONE && stored != inst->dst)
      return fail(e, "an atomic returns into its data register");
   return true;
}

static bool dst_is_scalar(const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   return info->dst_type == ISA_TYPE_MASK || info->flags & ISA_DST_SGPR;
}

/* Values of operand fields: false after fail(). *absent: the field stays 0. */
static bool data_value(struct encoder *e, bool scalar, uint32_t *value, bool *absent)
{
   struct isa_inst *inst = &e->inst;
   uint16_t operand;
   if (!data_operand(e, &operand))
      return false;
   if (operand != ISA_NONE)
      return scalar ? scalar_value(e, operand, value) : vgpr_value(e, operand, e->acc, value);
   if (!scalar) {
      *absent = true;
      return true;
   }
   /* s_atc_probe and prefetches keep a constant there */
   if (inst->imm > 127)
      return fail(e, "the constant has 7 bits");
   *value = inst->imm;
   inst->imm = 0;
   return true;
}

static bool saddr_value(struct encoder *e, const struct isa_field *f, uint16_t operand, uint32_t *value)
{
   bool smem = e->inst.enc == ISA_ENC_SMEM;
   if (operand == ISA_NULL)
      return fail(e, "the null register means no operand here");
   if (operand != ISA_NONE)
      return scalar_value(e, operand, value);
   /* FLAT has no SADDR: LLVM leaves the field 0 there up to GFX9 */
   if (smem && !(e->operands.may & isa_operand_bit(f->member)))
      *value = 0;
   else if (isa_scalars[e->gfx].has_null)
      *value = isa_scalar_code(e->gfx, ISA_NULL);
   else
      *value = e->inst.enc == ISA_ENC_FLAT ? 0 : 0x7f;
   return true;
}

/* The number of an aligned group of SGPRs. */
static bool group_value(struct encoder *e, const struct isa_field *f, uint16_t operand, uint32_t *value)
{
   unsigned shift = f->conv == CONV_SBASE ? 1 : 2;
   if (!scalar_value(e, operand, value))
      return false;
   if (*value & ((1u << shift) - 1) || *value >> shift >> f->width)
      return fail(e, "a descriptor or base address stands in an aligned SGPR group");
   *value >>= shift;
   return true;
}

/* VGPRs, and the scalars that may stand in their place. */
static bool vector_value(struct encoder *e, const struct isa_field *f, uint16_t operand, uint32_t *value)
{
   const struct isa_inst *inst = &e->inst;
   if (f->conv == CONV_VDST && dst_is_scalar(inst))
      return scalar_value(e, operand, value);
   if (f->conv == CONV_VGPR && inst->form == ISA_FORM_SDWA && operand < 256) {
      *value = operand; /* CONV_SGPR_BIT says so */
      return (isa_layouts[e->gfx][LAYOUT_SDWA] && e->gfx != TGSIAMD_GFX8 && operand <= 127) ||
             fail(e, "SDWA takes no such scalar operand");
   }
   return vgpr_value(e, operand, isa_operand_bit(f->member), value) && half_value(e, f, value);
}

static bool source_value(struct encoder *e, const struct isa_field *f, uint16_t operand, uint32_t *value)
{
   if (e->inst.op == ISA_V_INTERP_MOV_F32)
      *value = operand;
   else if (isa_is_agpr(operand) && e->acc & isa_operand_bit(f->member))
      *value = operand - 256;
   else
      *value = operand < 256 ? isa_scalar_code(e->gfx, operand) : operand;
   return operand < 256 || half_value(e, f, value);
}

static bool operand_value(struct encoder *e, const struct isa_field *f, uint32_t *value, bool *absent)
{
   uint16_t operand = load_member(&e->inst, f);
   switch (f->conv) {
   case CONV_SDATA:
   case CONV_VDATA:
      return data_value(e, f->conv == CONV_SDATA, value, absent);
   case CONV_SADDR:
      return saddr_value(e, f, operand, value);
   case CONV_SGPR_BIT:
      *value = operand < 256;
      return true;
   case CONV_SDWAB:
      *absent = operand == ISA_VCC || e->implied.dst != ISA_NONE;
      if (operand > 127 && !*absent)
         return fail(e, "a scalar destination is needed here");
      *value = 0x80 | isa_scalar_code(e->gfx, operand);
      return true;
   case CONV_SOPK_REG:
      if (operand == ISA_NONE)
         operand = e->inst.src[0];
      break;
   }
   *absent = operand == ISA_NONE;
   if (*absent)
      return true;
   switch (f->conv) {
   case CONV_SBASE:
   case CONV_SRSRC:
      return group_value(e, f, operand, value);
   case CONV_VDST:
   case CONV_VGPR:
      return vector_value(e, f, operand, value);
   case CONV_SRC:
      return source_value(e, f, operand, value);
   default: /* CONV_SDST, CONV_SSRC, CONV_LANE, CONV_SOPK_REG */
      return scalar_value(e, operand, value);
   }
}

static bool place_operand(struct encoder *e, const struct isa_field *f)
{
   uint32_t value = 0;
   bool absent = false;
   if (!operand_value(e, f, &value, &absent))
      return false;
   if (absent)
      return true;
   if (value >> f->width)
      return fail(e, "the operand's number does not fit its field");
   return place(e, f, value);
}

/* All operands of the mask that are vector registers are in one bank. */
static bool place_acc(struct encoder *e, const struct isa_field *f)
{
   unsigned mask = isa_acc_mask(e->inst.op, f), banks = 0;
   const uint16_t operand[6] = {e->inst.dst, e->inst.dst2, e->inst.src[0], e->inst.src[1], e->inst.src[2], e->inst.src[3]};
   for (unsigned i = 0; i < 6; i++) {
      if (mask >> i & 1)
         banks |= isa_is_agpr(operand[i]) ? 2 : isa_is_vgpr(operand[i]) ? 1 : 0;
   }
   if (banks == 3)
      return fail(e, "these operands are all VGPRs or all AGPRs");
   return place(e, f, banks >> 1);
}

/* Operands that may be AGPRs: what the format has a bit for, and what the op implies. */
static unsigned acc_operands(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const struct isa_layout *layout)
{
   unsigned mask = isa_implied_acc(inst->op);
   for (unsigned i = 0; isa_has_agprs(gfx) && i < layout->num_fields; i++) {
      if (layout->fields[i].conv == CONV_ACC)
         mask |= isa_acc_mask(inst->op, &layout->fields[i]);
   }
   return mask;
}

static bool place_field(struct encoder *e, const struct isa_field *f)
{
   uint32_t mask = f->width == 32 ? ~0u : (1u << f->width) - 1;
   switch (f->conv) {
   case CONV_OP:
      place(e, f, e->opcode >> f->shift & mask);
      return true;
   case CONV_U: {
      uint32_t value = load_member(&e->inst, f);
      place(e, f, value >> f->shift & mask);
      store_member(&e->inst, f, value & ~(mask << f->shift));
      return true;
   }
   case CONV_S: {
      int32_t value = (int32_t)load_member(&e->inst, f);
      int32_t top = 1 << (f->width - 1);
      if (value < -top || value >= top)
         return fail(e, "the offset is out of range");
      place(e, f, (uint32_t)value & mask);
      store_member(&e->inst, f, 0);
      return true;
   }
   case CONV_CONSTANT:
      return place(e, f, f->shift);
   case CONV_ACC:
      return place_acc(e, f);
   default:
      return place_operand(e, f);
   }
}

/* What most fields hold, at little cost: no modifier; a VGPR where one stands, or
 * a source. False: place_field() has to look. */
static inline bool place_plain(struct encoder *e, const struct isa_field *f)
{
   if (f->conv == CONV_U)
      return !load_member(&e->inst, f);
   if (f->conv != CONV_SRC && f->conv != CONV_VGPR && (f->conv != CONV_VDST || dst_is_scalar(&e->inst)))
      return false;
   unsigned operand = *(const uint16_t *)((const char *)&e->inst + f->member);
   if (!isa_is_vgpr(operand))
      return f->conv == CONV_SRC && operand < 256 && place(e, f, isa_scalar_code(e->gfx, operand));
   return !isa_has_halves(e->gfx) && place(e, f, f->conv == CONV_SRC ? operand : operand - 256);
}

static bool place_fields(struct encoder *e, const struct isa_layout *layout, const struct isa_field *skip)
{
   for (const struct isa_field *f = layout->fields, *end = f + layout->num_fields; f < end; f++) {
      if (skip && f->member == skip->member && f->conv == CONV_SRC) /* the form's dword has it */
         continue;
      if (!place_plain(e, f) && !place_field(e, f))
         return false;
   }
   return true;
}

/* Dwords of operand `i` (a bit of the sets). */
static unsigned operand_dwords(const struct encoder *e, unsigned i)
{
   const struct isa_inst *inst = &e->inst;
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   if (inst->enc <= ISA_ENC_VOP3 && !inst->wave32) /* as the table says */
      return i == 0 ? info->dst_dw : i == 1 ? info->dst2_dw : info->src_dw[i - 2];
   return i == 0 ? isa_dst_dwords(e->gfx, inst) : i == 1 ? isa_dst2_dwords(inst) : isa_src_dwords(e->gfx, inst, i - 2);
}

static const char *check_operand(const struct encoder *e, unsigned i, unsigned operand)
{
   const struct isa_inst *inst = &e->inst;
   unsigned dw = operand_dwords(e, i);
   if (dw == 0)
      dw = 1;
   if (inst->op == ISA_V_INTERP_MOV_F32 && i >= 2)
      return operand > 2 ? "v_interp_mov takes p10, p20 or p0" : NULL;
   if (operand < 256 || !(isa_is_vgpr(operand) || (isa_is_agpr(operand) && e->acc >> i & 1)))
      return isa_valid_scalar(e->gfx, operand, dw, i < 2) ? NULL :
             "no such scalar operand on this generation, or a misaligned range";
   if (isa_implied_acc(inst->op) >> i & 1 && isa_is_vgpr(operand))
      return "an AGPR is needed here";
   if (operand % 256 + dw > 256)
      return "a VGPR range ends beyond v255";
   if (dw > 1 && operand & 1 && isa_even_vgprs(e->gfx))
      return "a VGPR range starts at an even number here";
   return NULL;
}

/* Operands present and absent as the op wants them. */
static bool check_operands(struct encoder *e)
{
   struct isa_inst *inst = &e->inst;
   const uint16_t operand[6] = {inst->dst, inst->dst2, inst->src[0], inst->src[1], inst->src[2], inst->src[3]};
   unsigned have = 0;

   for (unsigned i = 0; i < 6; i++)
      have |= (operand[i] != ISA_NONE) << i;
   if (have & ~e->operands.may)
      return fail(e, "the instruction has no such operand");
   if (e->operands.need & ~have)
      return fail(e, "an operand is missing");
   for (; have; have &= have - 1) {
      unsigned i = __builtin_ctz(have);
      const char *why = operand[i] == ISA_LITERAL ? NULL : check_operand(e, i, operand[i]);
      if (why)
         return fail(e, why);
   }
   if (inst->enc == ISA_ENC_SCRATCH && e->gfx < TGSIAMD_GFX10_3 && !isa_has_sve(e->gfx)) {
      if ((inst->src[0] == ISA_NONE) == (inst->src[2] == ISA_NONE))
         return fail(e, "scratch takes one of VADDR and SADDR");
   }
   if (e->implied.dst != ISA_NONE && inst->dst != e->implied.dst)
      return fail(e, "the short form of a compare writes VCC");
   if (e->implied.dst2 != ISA_NONE && inst->dst2 != e->implied.dst2)
      return fail(e, "the short form writes its carry to VCC");
   if (e->implied.src1 != ISA_NONE && inst->src[1] != e->implied.src1)
      return fail(e, "K is a literal");
   if (e->implied.src2 != ISA_NONE && inst->src[2] != e->implied.src2)
      return fail(e, "the third source of the short form is implied");
   return true;
}

/* Literals and the constant bus of VALU instructions. */
static bool check_sources(struct encoder *e, bool *literal)
{
   const struct isa_inst *inst = &e->inst;
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   const struct isa_limits *limits = isa_limits(e->gfx);
   unsigned bus = 0;
   uint32_t seen[4]; /* register | dwords << 16 */

   *literal = inst->op == ISA_S_SETREG_IMM32_B32;
   if (inst->enc > ISA_ENC_VINTRP || inst->enc == ISA_ENC_SMEM)
      return true;
   for (unsigned i = 0; i < info->num_src; i++)
      *literal |= inst->src[i] == ISA_LITERAL;
   if (*literal) {
      if (inst->form != ISA_FORM_PLAIN)
         return fail(e, "SDWA and DPP take no literal");
      if ((inst->enc == ISA_ENC_VOP3 || inst->enc == ISA_ENC_VOP3P) && !limits->vop3_literal)
         return fail(e, "VOP3 takes no literal on this generation");
   }
   if (inst->enc < ISA_ENC_VOP2 || inst->enc == ISA_ENC_VINTRP)
      return true;
   if (inst->form >= ISA_FORM_DPP16 && inst->src[0] < 256)
      return fail(e, "DPP reads a VGPR");
   if (inst->form >= ISA_FORM_DPP16 && inst->enc >= ISA_ENC_VOP3 && e->gfx == TGSIAMD_GFX11 && inst->src[1] < 256 &&
       !(e->processor && e->processor->flags & ISA_PROCESSOR_DPP_SCALAR))
      return fail(e, "DPP takes a scalar as second source from GFX11.5 on");
   if (info->unit == ISA_UNIT_VALU && inst->op != ISA_V_INTERP_MOV_F32) {
      for (unsigned i = 0; i < info->num_src; i++) {
         unsigned operand = inst->src[i];
         if (operand >= 256)
            continue;
         bool counts = operand < 128 || operand == ISA_LITERAL || (operand >= 235 && operand <= 239) ||
                       (operand >= 251 && operand <= 254);
         if (inst->enc == ISA_ENC_VOP3 && info->flags & ISA_DST_SGPR && i == 1)
            counts = false; /* the lane select */
         if (!counts || operand == ISA_NULL)
            continue;
         bool dup = false;
         uint32_t value = operand | isa_src_dwords(e->gfx, inst, i) << 16;
         for (unsigned k = 0; k < bus; k++)
            dup |= seen[k] == value;
         if (!dup)
            seen[bus++] = value;
      }
      if (info->flags & ISA_READS_M0 && inst->enc != ISA_ENC_VINTRP) {
         bool dup = false;
         for (unsigned k = 0; k < bus; k++)
            dup |= (uint16_t)seen[k] == ISA_M0;
         bus += !dup; /* v_movrel*: M0 goes the same way */
      }
      if (info->flags & ISA_READS_VCC) {
         bool dup = false;
         uint32_t vcc = ISA_VCC | (inst->wave32 ? 1 : 2) << 16;
         for (unsigned k = 0; k < bus; k++)
            dup |= seen[k] == vcc;
         bus += !dup;
      }
      if (bus > limits->constant_bus_limit)
         return fail(e, "more scalar values than the constant bus carries");
   }
   return true;
}

#define REST(m, text) {offsetof(struct isa_inst, m), sizeof(((struct isa_inst *)0)->m), text}
static const struct {
   uint8_t member, size;
   const char *why;
} rest[] = {
   REST(imm, "the immediate has no place in this format, or too many bits"),
   REST(offset, "the offset has no place in this format, or too many bits"),
   REST(neg, "neg has no place in this format"),
   REST(abs, "abs has no place in this format"),
   REST(neg_hi, "neg_hi has no place in this format"),
   REST(op_sel, "op_sel has no place in this format"),
   REST(op_sel_hi, "op_sel_hi has no place in this format"),
   REST(omod, "omod has no place in this format"),
   REST(clamp, "clamp has no place in this format"),
   REST(sdwa_dst_sel, "SDWA selects need the SDWA form"),
   REST(sdwa_dst_unused, "SDWA selects need the SDWA form"),
   REST(sdwa_sel, "SDWA selects need the SDWA form"),
   REST(sdwa_sext, "SDWA selects need the SDWA form"),
   REST(dpp_ctrl, "DPP controls need the DPP form"),
   REST(dpp_row_mask, "DPP controls need the DPP form"),
   REST(dpp_bank_mask, "DPP controls need the DPP form"),
   REST(dpp_bound_ctrl, "DPP controls need the DPP form"),
   REST(dpp_fi, "fi has no place in this format"),
   REST(dpp8_sel, "DPP8 selects need the DPP8 form"),
   REST(glc, "glc has no place in this format"),
   REST(slc, "slc has no place in this format"),
   REST(dlc, "dlc has no place in this format"),
   REST(tfe, "tfe has no place in this format"),
   REST(lds, "lds has no place in this format"),
   REST(gds, "gds has no place in this format"),
   REST(offen, "offen has no place in this format"),
   REST(idxen, "idxen has no place in this format"),
   REST(addr64, "addr64 has no place in this format"),
   REST(unorm, "unorm has no place in this format"),
   REST(da, "da has no place in this format"),
   REST(r128, "r128 has no place in this format"),
   REST(a16, "a16 has no place in this format"),
   REST(d16, "d16 has no place in this format"),
   REST(lwe, "lwe has no place in this format"),
   REST(nv, "nv has no place in this format"),
   REST(scc_cache, "sc1 has no place in this format"),
   REST(dmask, "dmask has no place in this format"),
   REST(dim, "dim has no place in this format"),
   REST(nsa_dwords, "nsa has no place in this format"),
   REST(dfmt, "a data format has no place in this format"),
   REST(nfmt, "a number format has no place in this format"),
   REST(scope, "scope has no place in this format"),
   REST(th, "th has no place in this format"),
   REST(cbsz, "cbsz has no place in this format"),
   REST(abid, "abid has no place in this format"),
   REST(blgp, "blgp has no place in this format"),
   REST(exp_target, "the export target has too many bits"),
   REST(exp_en, "the export mask has too many bits"),
   REST(exp_done, "done has no place in this format"),
   REST(exp_compr, "compr has no place in this format"),
   REST(exp_vm, "vm has no place in this format"),
   REST(exp_row, "row_en has no place in this format"),
   REST(attr, "the attribute has no place in this format, or too many bits"),
   REST(chan, "the channel has no place in this format, or too many bits"),
};

static bool check_rest(struct encoder *e)
{
   static const uint8_t zero[sizeof(struct isa_inst)];
   const size_t from = offsetof(struct isa_inst, imm);
   static_assert(offsetof(struct isa_inst, imm) < offsetof(struct isa_inst, offset) &&
                 offsetof(struct isa_inst, imm) < offsetof(struct isa_inst, neg), "what may be left over stands behind imm");
   e->inst.num_addr = 0; /* these two are no fields of a format */
   memset(e->inst.nsa_addr, 0, sizeof(e->inst.nsa_addr));
   if (!memcmp((const char *)&e->inst + from, zero, sizeof(e->inst) - from))
      return true; /* nothing left; otherwise say what, unless it is padding */
   for (unsigned i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
      if (memcmp((const char *)&e->inst + rest[i].member, zero, rest[i].size))
         return fail(e, rest[i].why);
   }
   return true;
}

/* SRC0 of a short VALU form with an extra dword. */
static unsigned form_marker(const struct isa_inst *inst)
{
   switch (inst->form) {
   case ISA_FORM_SDWA:
      return 0xf9;
   case ISA_FORM_DPP16:
      return 0xfa;
   default:
      return inst->dpp_fi ? 0xea : 0xe9;
   }
}

static bool encode(struct encoder *e, unsigned *num)
{
   struct isa_inst *inst = &e->inst;
   const struct isa_layout *layout = isa_layouts[e->gfx][isa_layout_of(e->gfx, inst)];
   bool literal;

   if (!layout)
      return fail(e, "the generation has no such format");
   e->operands = isa_operands(e->gfx, inst);
   e->implied = isa_implied_operands(e->gfx, inst);
   e->acc = acc_operands(e->gfx, inst, layout);
   if (!check_operands(e) || !check_sources(e, &literal))
      return false;
   e->why = isa_check_rules(e->gfx, inst);
   if (!e->why)
      e->why = isa_hazard_alone(e->gfx, inst);
   if (e->why)
      return false;
   if (inst->enc == ISA_ENC_SMEM) {
      e->why = isa_smem_pack(e->gfx, inst);
      if (e->why)
         return false;
      literal = e->gfx == TGSIAMD_GFX7 && !inst->idxen && inst->offset == ISA_LITERAL; /* 255 dwords are none */
   }

   if (inst->enc == ISA_ENC_SCRATCH && isa_has_sve(e->gfx))
      inst->offen = inst->src[0] != ISA_NONE; /* SVE */

   e->words[0] = layout->match;
   *num = layout->num_dwords;
   if (inst->form == ISA_FORM_PLAIN) {
      if (!place_fields(e, layout, NULL))
         return false;
   } else {
      bool vop3 = inst->enc == ISA_ENC_VOP3 || inst->enc == ISA_ENC_VOP3P;
      enum isa_layout_id id = isa_form_layout(inst);
      const struct isa_layout *extra = id == LAYOUT_COUNT ? NULL : isa_layouts[e->gfx][id];
      if (inst->enc < ISA_ENC_VOP2 || inst->enc > ISA_ENC_VOP3P || !extra || !isa_has_form(e->gfx, inst))
         return fail(e, "the op has no such form");
      static const struct isa_field src0 = {offsetof(struct isa_inst, src[0]), 2, CONV_SRC, 0, 9, 0};
      if (!place_fields(e, layout, &src0))
         return false;
      e->words[vop3] |= form_marker(inst);
      if (inst->form == ISA_FORM_DPP8)
         inst->dpp_fi = false;
      if (!place_fields(e, extra, NULL))
         return false;
      *num = extra->num_dwords;
   }
   if (!check_rest(e))
      return false;
   if (literal)
      e->words[(*num)++] = inst->literal;
   return true;
}

static unsigned encode_on(enum tgsiamd_gfx gfx, const struct isa_processor *processor, struct isa_inst *inst,
                          uint32_t *out, const char **why)
{
   if (inst->wave32 && !isa_limits(gfx)->has_wave32) {
      inst->num_dwords = 0;
      if (why)
         *why = "the generation has no wave32";
      return 0;
   }
   if (inst->enc == ISA_ENC_VOPD)
      return isa_vopd_encode(gfx, inst, out, why);
   if (inst->scale[0] || inst->scale[1])
      return isa_scaled_encode(gfx, inst, out, why);
   struct encoder e = {.gfx = gfx, .processor = processor, .inst = *inst};
   unsigned num = 0;
   int opcode = inst->op < ISA_OP_COUNT ? isa_opcode(gfx, inst) : -1;
   if (processor && processor->set && inst->op < ISA_OP_COUNT)
      opcode = isa_set_number(processor->set, inst, opcode);

   inst->num_dwords = 0;
   if (opcode < 0) {
      fail(&e, inst->op < ISA_OP_COUNT && isa_op_infos[inst->op].opcode[gfx] >= 0
                  ? "the instruction has no such encoding"
                  : "the generation has no such instruction");
   } else {
      e.opcode = opcode;
      if (encode(&e, &num)) {
         out[0] = e.words[0];
         for (unsigned i = 1; i < 3; i++) {
            if (num > i)
               out[i] = e.words[i];
         }
         /* NSA: VGPR numbers of the later address components, a byte each */
         for (unsigned i = 0; i < inst->nsa_dwords && inst->enc == ISA_ENC_MIMG; i++) {
            memcpy(&out[num], &inst->nsa_addr[i * 4], 4);
            num++;
         }
         inst->num_dwords = num;
         return num;
      }
   }
   if (why)
      *why = e.why;
   return 0;
}

unsigned isa_encode(enum tgsiamd_gfx gfx, struct isa_inst *inst, uint32_t *out, const char **why)
{
   return encode_on(gfx, NULL, inst, out, why);
}

unsigned isa_encode_on(const struct isa_processor *p, struct isa_inst *inst, uint32_t *out, const char **why)
{
   return encode_on(p->gfx, p, inst, out, why);
}
