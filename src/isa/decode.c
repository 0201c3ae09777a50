/* SPDX-License-Identifier: MIT */
/* Dwords -> struct isa_inst, by the same layout tables as encode. A bit that no
 * field of the format covers must be zero, and so must the field of an operand
 * that the op does not have. */
#include "layout.h"

#include <string.h>
#include <threads.h>

/* Formats by the top 9 bits of the first dword. FLAT, GLOBAL and SCRATCH differ
 * in lower bits; so do GFX12's buffer formats: the first of them stands here. */
static uint8_t formats[TGSIAMD_GFX_COUNT][512];
static once_flag formats_once = ONCE_FLAG_INIT;

static void fill_formats(void)
{
   memset(formats, LAYOUT_COUNT, sizeof(formats));
   for (unsigned gfx = 0; gfx < TGSIAMD_GFX_COUNT; gfx++) {
      /* From general to special: VOP2's prefix is one bit, VOP3P's stands inside VOP3's. */
      for (unsigned bits = 1; bits <= 9; bits++) {
         for (unsigned enc = 0; enc < LAYOUT_COUNT; enc++) {
            const struct isa_layout *l = isa_layouts[gfx][enc];
            if (!l || (enc >= ISA_ENC_COUNT && enc != LAYOUT_VSAMPLE))
               continue;
            uint32_t mask = l->mask & 0xff800000;
            if (__builtin_popcount(mask) != (int)bits)
               continue;
            for (unsigned top = 0; top < 512; top++) {
               if (((uint32_t)top << 23 & mask) == (l->match & mask))
                  formats[gfx][top] = enc;
            }
         }
      }
   }
}

static unsigned find_format(enum tgsiamd_gfx gfx, uint32_t word)
{
   unsigned enc = formats[gfx][word >> 23];
   /* encodings that share a prefix follow each other in enum isa_enc */
   static const uint8_t siblings[][3] = {
      {ISA_ENC_FLAT, ISA_ENC_GLOBAL, ISA_ENC_SCRATCH},
      {ISA_ENC_MUBUF, ISA_ENC_MTBUF, ISA_ENC_MTBUF},
   };
   if (enc == LAYOUT_COUNT)
      return enc;
   const struct isa_layout *l = isa_layouts[gfx][enc];
   if ((word & l->mask) == l->match)
      return enc;
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned k = 0; k < 3; k++) {
         l = isa_layouts[gfx][siblings[i][k]];
         if (l && (word & l->mask) == l->match)
            return siblings[i][k];
      }
   }
   return LAYOUT_COUNT;
}

struct decoder {
   enum tgsiamd_gfx gfx;
   const uint32_t *code;
   struct isa_inst *inst;
   struct isa_operand_set operands;
   struct isa_implied implied;
   bool have_operands;
   uint32_t covered[3];
};

static uint32_t field_bits(const struct isa_field *f, const uint32_t *code)
{
   unsigned word = f->lo / 32, bit = f->lo % 32;
   uint64_t v = code[word] >> bit;
   if (bit + f->width > 32)
      v |= (uint64_t)code[word + 1] << (32 - bit);
   return v & (f->width == 32 ? ~0u : (1u << f->width) - 1);
}

static void cover(struct decoder *d, const struct isa_field *f)
{
   unsigned word = f->lo / 32, bit = f->lo % 32;
   uint64_t mask = (f->width == 32 ? ~0ull >> 32 : (1ull << f->width) - 1) << bit;
   d->covered[word] |= mask;
   if (mask >> 32)
      d->covered[word + 1] |= mask >> 32;
}

static void store_bits(struct isa_inst *inst, const struct isa_field *f, uint32_t value)
{
   char *p = (char *)inst + f->member;
   switch (f->size) {
   case 1:
      *(uint8_t *)p |= value << f->shift;
      break;
   case 2:
      *(uint16_t *)p |= value << f->shift;
      break;
   default:
      *(uint32_t *)p |= value << f->shift;
      break;
   }
}

/* Splits bit 7 off the number of a half register in the short forms. */
static unsigned take_half(struct decoder *d, const struct isa_field *f, unsigned value)
{
   int index = isa_half_index(f->member);
   if (index < 0 || d->inst->enc > ISA_ENC_VOPC || !isa_is_half(d->gfx, d->inst, index))
      return value;
   d->inst->op_sel |= (value >> 7 & 1) << index;
   return value & ~0x80u;
}

static bool take_operand(struct decoder *d, const struct isa_field *f, uint32_t value)
{
   struct isa_inst *inst = d->inst;
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   uint16_t *operand = (uint16_t *)((char *)inst + f->member);
   bool have = d->operands.may & isa_operand_bit(f->member);

   switch (f->conv) {
   case CONV_SDATA:
   case CONV_VDATA: {
      bool scalar = f->conv == CONV_SDATA;
      unsigned stored = scalar ? 2 : 3;
      unsigned reg = scalar ? isa_scalar_code(d->gfx, value) : ISA_VGPR(value);
      bool any = false;
      if (d->operands.may & OPERAND_DST) {
         inst->dst = reg;
         any = true;
      }
      if (d->operands.may & OPERAND_SRC(stored)) {
         inst->src[stored] = reg;
         any = true;
      }
      if (!any && isa_smem_has_imm(inst->op)) {
         inst->imm = value;
         return true;
      }
      return any || value == 0;
   }
   case CONV_SOPK_REG:
      if (d->operands.may & OPERAND_DST)
         inst->dst = isa_scalar_code(d->gfx, value);
      else if (d->operands.may & OPERAND_SRC(0))
         inst->src[0] = isa_scalar_code(d->gfx, value);
      else
         return value == 0;
      return true;
   case CONV_SDWAB:
      if (!have || !(value & 0x80) || d->implied.dst != ISA_NONE) {
         if (have)
            inst->dst = ISA_VCC;
         return value == 0;
      }
      *operand = isa_scalar_code(d->gfx, value & 0x7f);
      return true;
   case CONV_SGPR_BIT:
      if (!value || *operand == ISA_NONE)
         return !value;
      *operand = isa_scalar_code(d->gfx, *operand - 256);
      return *operand < 128;
   case CONV_SADDR: {
      bool none = isa_scalars[d->gfx].has_null ? value == isa_scalar_code(d->gfx, ISA_NULL) : value == 0x7f;
      if (none || !have)
         return none || value == 0;
      *operand = isa_scalar_code(d->gfx, value);
      return true;
   }
   default:
      break;
   }
   if (inst->enc == ISA_ENC_SMEM && f->conv == CONV_SSRC && !inst->offen)
      have = false; /* SOFFSET_EN is clear */
   if (inst->enc == ISA_ENC_SCRATCH && isa_has_sve(d->gfx) && f->member == offsetof(struct isa_inst, src[0]))
      have = inst->offen; /* SVE */
   if (!have)
      return value == 0;
   switch (f->conv) {
   case CONV_SBASE:
      *operand = value << 1;
      return true;
   case CONV_SRSRC:
      *operand = value << 2;
      return true;
   case CONV_VGPR:
      if (inst->op == ISA_V_INTERP_MOV_F32 && f->member != offsetof(struct isa_inst, dst))
         *operand = value;
      else
         *operand = ISA_VGPR(take_half(d, f, value));
      return true;
   case CONV_VDST:
      if (d->implied.dst != ISA_NONE)
         return value == 0 || value == ISA_EXEC; /* v_cmpx in VOP3 from GFX10 on */
      if (info->dst_type == ISA_TYPE_MASK || info->flags & ISA_DST_SGPR) {
         *operand = isa_scalar_code(d->gfx, value);
         return value < 128;
      }
      *operand = ISA_VGPR(take_half(d, f, value));
      return true;
   case CONV_SRC:
      if (value >= 256)
         value = take_half(d, f, value);
      *operand = value < 256 && inst->op != ISA_V_INTERP_MOV_F32 ? isa_scalar_code(d->gfx, value) : value;
      return true;
   default: /* CONV_SDST, CONV_SSRC, CONV_LANE */
      *operand = isa_scalar_code(d->gfx, value);
      return true;
   }
}

/* False when no operand of the mask is a vector register. */
static bool move_to_acc(struct isa_inst *inst, unsigned mask)
{
   uint16_t *operand[6] = {&inst->dst, &inst->dst2, &inst->src[0], &inst->src[1], &inst->src[2], &inst->src[3]};
   bool any = false;
   for (unsigned i = 0; i < 6; i++) {
      if (mask >> i & 1 && isa_is_vgpr(*operand[i])) {
         *operand[i] += 256;
         any = true;
      }
   }
   return any;
}

static bool take_fields(struct decoder *d, const struct isa_layout *layout, bool skip_src0)
{
   for (unsigned i = 0; i < layout->num_fields; i++) {
      const struct isa_field *f = &layout->fields[i];
      uint32_t value = field_bits(f, d->code);
      cover(d, f);
      switch (f->conv) {
      case CONV_OP:
         break;
      case CONV_U:
         store_bits(d->inst, f, value);
         break;
      case CONV_S:
         d->inst->offset = (int32_t)(value << (32 - f->width)) >> (32 - f->width);
         break;
      case CONV_CONSTANT:
         if (value != f->shift)
            return false;
         break;
      case CONV_ACC:
         if (value && !move_to_acc(d->inst, isa_acc_mask(d->inst->op, f)))
            return false;
         break;
      default:
         if (skip_src0 && f->conv == CONV_SRC && f->member == offsetof(struct isa_inst, src[0]))
            break;
         /* Flags that decide it stand earlier in the table; for scratch SADDR does. */
         if (!d->have_operands || d->inst->enc == ISA_ENC_SCRATCH) {
            d->operands = isa_operands(d->gfx, d->inst);
            d->implied = isa_implied_operands(d->gfx, d->inst);
            d->have_operands = true;
         }
         if (!take_operand(d, f, value))
            return false;
         break;
      }
   }
   return true;
}

/* `opcode` is what the number counts from: GFX12 has two spaces of image ops. */
static bool find_op(enum tgsiamd_gfx gfx, unsigned set, const struct isa_layout *layout, const uint32_t *code,
                    unsigned opcode, struct isa_inst *inst)
{
   for (unsigned i = 0; i < layout->num_fields && layout->fields[i].conv == CONV_OP; i++)
      opcode += field_bits(&layout->fields[i], code) << layout->fields[i].shift;
   if (set && (inst->op = isa_set_find(set, inst->enc, opcode)) != ISA_OP_COUNT)
      return true;
   const struct isa_opcode_table *t = &isa_opcodes[gfx][inst->enc];
   if (opcode >= t->num || t->ops[opcode] == ISA_OP_COUNT)
      return false;
   inst->op = t->ops[opcode];
   return !set || !isa_set_lacks(set, inst->op);
}

static bool decodes_form(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   bool decoded_only = inst->form == ISA_FORM_DPP16 && isa_op_forms[gfx][inst->op] & ISA_FORMS_DPP16_DECODED;
   return decoded_only || isa_has_form(gfx, inst);
}

static enum isa_form find_form(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const uint32_t *code)
{
   bool vop3 = inst->enc == ISA_ENC_VOP3 || inst->enc == ISA_ENC_VOP3P;
   if (inst->enc < ISA_ENC_VOP2 || inst->enc > ISA_ENC_VOP3P || (vop3 && !isa_layouts[gfx][LAYOUT_DPP16_VOP3]))
      return ISA_FORM_PLAIN;
   switch (code[vop3] & 0x1ff) {
   case 0xf9:
      return isa_layouts[gfx][LAYOUT_SDWA] ? ISA_FORM_SDWA : ISA_FORM_PLAIN;
   case 0xfa:
      return isa_layouts[gfx][LAYOUT_DPP16] ? ISA_FORM_DPP16 : ISA_FORM_PLAIN;
   case 0xe9:
   case 0xea:
      return isa_layouts[gfx][LAYOUT_DPP8] ? ISA_FORM_DPP8 : ISA_FORM_PLAIN;
   }
   return ISA_FORM_PLAIN;
}

static bool check_decoded(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const uint16_t operand[6] = {inst->dst, inst->dst2, inst->src[0], inst->src[1], inst->src[2], inst->src[3]};
   if (inst->op == ISA_V_INTERP_MOV_F32)
      return inst->src[0] <= 2 && isa_is_vgpr(inst->dst);
   for (unsigned i = 0; i < 6; i++) {
      if (operand[i] == ISA_NONE || operand[i] == ISA_LITERAL)
         continue;
      unsigned dw = i == 0 ? isa_dst_dwords(gfx, inst) : i == 1 ? isa_dst2_dwords(inst) : isa_src_dwords(gfx, inst, i - 2);
      if (dw == 0)
         dw = 1;
      if (isa_is_vgpr(operand[i]) || isa_is_agpr(operand[i])) {
         if (operand[i] % 256 + dw > 256 && inst->enc != ISA_ENC_EXP)
            return false;
         if (dw > 1 && operand[i] & 1 && isa_even_vgprs(gfx))
            return false;
      } else if (!isa_valid_scalar(gfx, operand[i], dw, i < 2)) {
         return false;
      }
   }
   return isa_check_rules(gfx, inst) == NULL;
}

static void clear(struct isa_inst *inst, bool wave32)
{
   memset(inst, 0, sizeof(*inst));
   inst->wave32 = wave32;
   inst->dst = inst->dst2 = ISA_NONE;
   for (unsigned i = 0; i < 4; i++)
      inst->src[i] = ISA_NONE;
}

/* The fields of the instruction and of its form's dword; returns the dwords of
 * both. Set bits that belong to no field are of no instruction: 0. */
static unsigned take_layouts(struct decoder *d, const struct isa_layout *layout, unsigned num)
{
   struct isa_inst *inst = d->inst;
   unsigned used = layout->num_dwords;
   if (!take_fields(d, layout, inst->form != ISA_FORM_PLAIN))
      return 0;
   if (inst->form != ISA_FORM_PLAIN) {
      enum isa_layout_id id = isa_form_layout(inst);
      if (id == LAYOUT_COUNT || !decodes_form(d->gfx, inst))
         return 0;
      const struct isa_layout *extra = isa_layouts[d->gfx][id];
      if (num < extra->num_dwords)
         return 0;
      if (inst->form == ISA_FORM_DPP8)
         inst->dpp_fi = (d->code[used - 1] & 0x1ff) == 0xea;
      if (!take_fields(d, extra, false))
         return 0;
      used = extra->num_dwords;
   }
   for (unsigned i = 0; i < used; i++) {
      if (d->code[i] & ~d->covered[i])
         return 0;
   }
   return used;
}

/* What the fields leave to the op: operands that it implies, bits without effect. */
static void take_implied(enum tgsiamd_gfx gfx, struct isa_inst *inst)
{
   if (inst->enc == ISA_ENC_SCRATCH)
      inst->offen = false;
   /* Bits of s_waitcnt outside of its counters have no effect, and other
    * compilers set them: they are dropped here, and never encoded. */
   if (inst->op == ISA_S_WAITCNT) {
      unsigned vm, exp, lgkm;
      isa_waitcnt_unpack(gfx, inst->imm, &vm, &exp, &lgkm);
      inst->imm = isa_waitcnt_pack(gfx, vm, exp, lgkm);
   }
   if (isa_op_infos[inst->op].flags & ISA_MATRIX && isa_implied_acc(inst->op))
      move_to_acc(inst, isa_implied_acc(inst->op));
   struct isa_implied implied = isa_implied_operands(gfx, inst);
   if (implied.dst != ISA_NONE)
      inst->dst = implied.dst;
   if (implied.dst2 != ISA_NONE)
      inst->dst2 = implied.dst2;
   if (implied.src1 != ISA_NONE)
      inst->src[1] = implied.src1;
   if (implied.src2 != ISA_NONE)
      inst->src[2] = implied.src2;
}

static bool has_literal(const struct isa_inst *inst)
{
   bool literal = inst->op == ISA_S_SETREG_IMM32_B32;
   for (unsigned i = 0; i < isa_op_infos[inst->op].num_src; i++)
      literal |= inst->src[i] == ISA_LITERAL;
   return literal;
}

/* The dwords behind the fields: a literal, or more addresses of an image op.
 * Returns how many dwords there are then, 0 when there is no such instruction. */
static unsigned take_rest(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, unsigned used, struct isa_inst *inst)
{
   if (inst->enc == ISA_ENC_SMEM) {
      if (!isa_smem_unpack(gfx, inst))
         return 0;
      if (inst->num_dwords) {
         if (used >= num)
            return 0;
         inst->offset = code[used++] * 4;
      }
   } else if (inst->enc < ISA_ENC_VINTRP && has_literal(inst)) {
      bool vop3 = inst->enc == ISA_ENC_VOP3 || inst->enc == ISA_ENC_VOP3P;
      if (used >= num || (vop3 && !isa_limits(gfx)->vop3_literal))
         return 0;
      inst->literal = code[used++];
   }
   if (inst->nsa_dwords) {
      if (used + inst->nsa_dwords > num)
         return 0;
      memcpy(inst->nsa_addr, &code[used], inst->nsa_dwords * 4);
      used += inst->nsa_dwords;
   }
   return used;
}

/* `set`: see struct isa_processor. */
static unsigned decode(enum tgsiamd_gfx gfx, unsigned set, bool wave32, const uint32_t *code, unsigned num,
                       struct isa_inst *inst)
{
   call_once(&formats_once, fill_formats);
   if (num == 0)
      return 0;
   clear(inst, wave32);
   if (isa_has_vopd(gfx) && code[0] >> 26 == 0x32)
      return isa_vopd_decode(gfx, code, num, inst);
   unsigned format = find_format(gfx, code[0]);
   if (format == LAYOUT_COUNT)
      return 0;
   if (format == ISA_ENC_VOP3P && gfx == TGSIAMD_GFX950 && isa_scaled_decode(gfx, code, num, inst))
      return inst->num_dwords;
   inst->enc = format == LAYOUT_VSAMPLE ? ISA_ENC_MIMG : format;
   const struct isa_layout *layout = isa_layouts[gfx][format];
   if (inst->enc == ISA_ENC_EXP)
      inst->op = ISA_EXP;
   else if (layout->num_dwords > num || !find_op(gfx, set, layout, code, format == LAYOUT_VSAMPLE ? 256 : 0, inst))
      return 0;

   layout = isa_layouts[gfx][isa_layout_of(gfx, inst)];
   if (!layout || layout->num_dwords > num)
      return 0;
   inst->form = find_form(gfx, inst, code);
   struct decoder d = {.gfx = gfx, .code = code, .inst = inst, .covered = {layout->mask}};
   unsigned used = take_layouts(&d, layout, num);
   if (!used)
      return 0;
   take_implied(gfx, inst);
   used = take_rest(gfx, code, num, used, inst);
   if (!used || !check_decoded(gfx, inst))
      return 0;
   inst->num_dwords = used;
   return used;
}

unsigned isa_decode(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst)
{
   return decode(gfx, 0, false, code, num, inst);
}

unsigned isa_decode_wave32(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst)
{
   return isa_limits(gfx)->has_wave32 ? decode(gfx, 0, true, code, num, inst) : 0;
}

unsigned isa_decode_on(const struct isa_processor *p, bool wave32, const uint32_t *code, unsigned num,
                       struct isa_inst *inst)
{
   return !wave32 || isa_limits(p->gfx)->has_wave32 ? decode(p->gfx, p->set, wave32, code, num, inst) : 0;
}
