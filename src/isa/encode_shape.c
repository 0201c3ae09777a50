/* SPDX-License-Identifier: MIT */
/* Most instructions of a program are plain: scalar and vector arithmetic without
 * modifiers but signs, on registers and one constant; branches and waits. What the plain form of an op
 * needs is read from the tables once, as a shape; an instruction that has any
 * other shape, or something wrong, is left to isa_encode(). */
#include "layout.h"

#include <assert.h>

enum kind {
   KIND_VGPR,
   KIND_SCALAR,
   KIND_MASK,  /* a scalar that is a register */
   KIND_SOURCE /* VGPR or scalar */
};

#define VGPR_SOURCES (ISA_VGPR_SRC0 | ISA_VGPR_SRC1 | ISA_VGPR_SRC2)

static uint16_t *operand_of(struct isa_inst *inst, unsigned i)
{
   return i == 0 ? &inst->dst : i == 1 ? &inst->dst2 : &inst->src[i - 2];
}

static unsigned dwords_of(const struct isa_op_info *info, unsigned i)
{
   unsigned dw = i == 0 ? info->dst_dw : i == 1 ? info->dst2_dw : info->src_dw[i - 2];
   return dw ? dw : 1;
}

/* Ops and generations without rules of their own, constants in a fixed place, or
 * registers beyond SGPRs and VGPRs. */
static bool may_be_plain(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const struct isa_op_info *info)
{
   if (isa_has_agprs(gfx) || isa_has_halves(gfx) || info->enc == ISA_ENC_VINTRP || isa_op_has_rules(inst->op) ||
       info->flags & (ISA_SRC_REG | ISA_DST_SGPR | ISA_READS_M0 | ISA_READS_VCC | VGPR_SOURCES))
      return false;
   switch (inst->enc) {
   case ISA_ENC_SOP2:
   case ISA_ENC_SOP1:
   case ISA_ENC_SOPC:
   case ISA_ENC_SOPP:
   case ISA_ENC_VOP2:
   case ISA_ENC_VOP1:
   case ISA_ENC_VOPC:
   case ISA_ENC_VOP3:
      return true;
   default:
      return false;
   }
}

/* Fields of operands that the op does not have stay 0. */
static bool add_operand(struct isa_shape *s, const struct isa_op_info *info, const struct isa_field *f, unsigned kind)
{
   unsigned i = __builtin_ctz(isa_operand_bit(f->member));
   if (!(s->may >> i & 1))
      return true;
   if (i >= 2 && info->src_type[i - 2] == ISA_TYPE_MASK)
      kind = KIND_MASK;
   s->operands[s->num_operands++] = (struct isa_shape_operand){f->member, kind, i < 2, dwords_of(info, i), f->lo};
   s->placed |= 1 << i;
   return true;
}

static bool add_field(struct isa_shape *s, enum tgsiamd_gfx gfx, const struct isa_op_info *info, const struct isa_field *f,
                      unsigned opcode)
{
   const struct isa_op_mods *mods = isa_mods(gfx, s->op);
   uint64_t mask = (1ull << f->width) - 1;
   switch (f->conv) {
   case CONV_OP:
      s->bits |= (opcode >> f->shift & mask) << f->lo;
      return true;
   case CONV_U:
      if (s->enc == ISA_ENC_VOP3 && f->member == offsetof(struct isa_inst, neg) && !f->shift && f->width == 3) {
         s->neg = mods->neg;
         s->neg_lo = f->lo;
      } else if (s->enc == ISA_ENC_VOP3 && f->member == offsetof(struct isa_inst, abs) && !f->shift && f->width == 3) {
         s->abs = mods->abs;
         s->abs_lo = f->lo;
      } else if (f->member == offsetof(struct isa_inst, imm) && f->lo == 0 && f->width == 16) {
         s->imm = true;
      }
      return true;
   case CONV_SDST:
   case CONV_SSRC:
      return add_operand(s, info, f, KIND_SCALAR);
   case CONV_SRC:
      return add_operand(s, info, f, KIND_SOURCE);
   case CONV_VGPR:
      return add_operand(s, info, f, KIND_VGPR);
   case CONV_VDST:
      return add_operand(s, info, f, info->dst_type == ISA_TYPE_MASK ? KIND_SCALAR : KIND_VGPR);
   default:
      return false;
   }
}

/* False: the op has no plain form. */
static bool find_shape(struct isa_shape *s, enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   *s = (struct isa_shape){.op = inst->op, .enc = inst->enc, .known = true, .vector = info->unit == ISA_UNIT_VALU};
   if (!may_be_plain(gfx, inst, info))
      return false;
   struct isa_inst plain; /* nothing that only this one has */
   isa_inst_init(&plain, inst->op);
   plain.enc = inst->enc;
   int opcode = isa_opcode(gfx, &plain);
   const struct isa_layout *layout = isa_layouts[gfx][isa_layout_of(gfx, &plain)];
   if (opcode < 0 || !layout)
      return false;
   struct isa_operand_set set = isa_operands(gfx, &plain);
   struct isa_implied implied = isa_implied_operands(gfx, &plain);
   const uint16_t fixed[6] = {implied.dst, implied.dst2, ISA_NONE, implied.src1, implied.src2, ISA_NONE};
   s->num_dwords = layout->num_dwords;
   s->may = set.may;
   s->bits = layout->match;
   for (unsigned i = 0; i < layout->num_fields; i++) {
      if (!add_field(s, gfx, info, &layout->fields[i], opcode))
         return false;
   }
   for (unsigned i = 0; i < 6; i++) {
      bool implies = fixed[i] != ISA_NONE, placed = s->placed >> i & 1;
      if (implies ? placed || fixed[i] == ISA_LITERAL : placed != (set.need >> i & 1) || placed != (set.may >> i & 1))
         return false;
      *operand_of(&plain, i) = placed ? 0 : fixed[i];
      s->scalars += implies && i >= 2;
   }
   static_assert(offsetof(struct isa_inst, src) == offsetof(struct isa_inst, dst) + 4, "operands stand together");
   for (unsigned i = 0; i < 6; i++) {
      s->unplaced[i / 4] |= s->placed >> i & 1 ? 0 : 0xffffull << i % 4 * 16;
      s->values[i / 4] |= (uint64_t)*operand_of(&plain, i) << i % 4 * 16;
   }
   return true;
}

/* More than operands, the signs of sources and an immediate. */
static bool has_extras(const struct isa_inst *inst)
{
   const char *p = (const char *)inst;
   const size_t from = offsetof(struct isa_inst, neg_hi), size = sizeof(*inst);
   static_assert(offsetof(struct isa_inst, abs) == offsetof(struct isa_inst, neg) + 1 &&
                 offsetof(struct isa_inst, neg_hi) == offsetof(struct isa_inst, neg) + 2 &&
                 offsetof(struct isa_inst, neg) == offsetof(struct isa_inst, offset) + 4 &&
                 offsetof(struct isa_inst, offset) == offsetof(struct isa_inst, imm) + 4, "what a plain instruction has stands together");
   uint64_t set = inst->offset, part;
   for (size_t at = from; at + 8 <= size; at += 8) {
      memcpy(&part, p + at, 8);
      set |= part;
   }
   memcpy(&part, p + size - 8, 8);
   return (set | part) != 0 || inst->form != ISA_FORM_PLAIN || inst->wave32;
}

/* Inline constants come from no SGPR and no dword of the code. */
static bool is_inline(unsigned operand)
{
   return (operand >= 128 && operand <= 208) || (operand >= 240 && operand <= 248);
}

static bool encode_plain(enum tgsiamd_gfx gfx, const struct isa_shape *s, struct isa_inst *inst, uint32_t *out)
{
   uint64_t bits = s->bits, operands[2] = {0};
   unsigned scalars = s->scalars;
   bool literal = false;
   memcpy(operands, &inst->dst, 6 * sizeof(uint16_t));
   if (has_extras(inst) || (operands[0] & s->unplaced[0]) != s->values[0] || (operands[1] & s->unplaced[1]) != s->values[1] ||
       inst->neg & ~s->neg || inst->abs & ~s->abs)
      return false;
   if (inst->imm && (!s->imm || isa_check_rules(gfx, inst) || isa_hazard_alone(gfx, inst)))
      return false;
   bits |= inst->imm;
   for (const struct isa_shape_operand *o = s->operands, *end = o + s->num_operands; o < end; o++) {
      unsigned operand = *(const uint16_t *)((const char *)inst + o->member), vgpr = operand - 256;
      if (operand >= 256) {
         if ((o->kind != KIND_VGPR && o->kind != KIND_SOURCE) || vgpr + o->dwords > 256)
            return false;
         bits |= (uint64_t)(o->kind == KIND_VGPR ? vgpr : operand) << o->lo;
         continue;
      }
      if (o->kind == KIND_VGPR || (o->kind == KIND_MASK && operand >= 128))
         return false;
      if (operand == ISA_LITERAL && !o->dst)
         literal = true;
      else if (!isa_valid_scalar(gfx, operand, o->dwords, o->dst))
         return false;
      scalars += !o->dst && !is_inline(operand);
      bits |= (uint64_t)isa_scalar_code(gfx, operand) << o->lo;
   }
   /* More than one may be too many for the constant bus. */
   if ((s->vector && scalars > 1) || (literal && s->enc == ISA_ENC_VOP3))
      return false;
   bits |= (uint64_t)inst->neg << s->neg_lo | (uint64_t)inst->abs << s->abs_lo;
   out[0] = bits;
   if (s->num_dwords == 2)
      out[1] = bits >> 32;
   if (literal)
      out[s->num_dwords] = inst->literal;
   inst->num_dwords = s->num_dwords + literal;
   return true;
}

unsigned isa_encode_shaped(enum tgsiamd_gfx gfx, struct isa_shapes *shapes, struct isa_inst *inst, uint32_t *out,
                           const char **why)
{
   if (inst->enc <= ISA_ENC_VOP3 && inst->op < ISA_OP_COUNT) {
      struct isa_shape *s = &shapes->of[(inst->op ^ inst->enc << 4) % ISA_NUM_SHAPES];
      if (!s->known || s->op != inst->op || s->enc != inst->enc)
         s->plain = find_shape(s, gfx, inst);
      if (s->plain && encode_plain(gfx, s, inst, out))
         return inst->num_dwords;
   }
   return isa_encode(gfx, inst, out, why);
}
