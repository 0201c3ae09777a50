/* SPDX-License-Identifier: MIT */
/* Instruction selection of 64 bits: mostly one VALU instruction an operation
 * (Vega ISA, VOP3, VOP1 and VOPC of *_F64, *_B64, *_I64, *_U64). A source is a
 * pair of VGPRs, one pair of SGPRs an instruction, or an inline constant; sign
 * changes of the high dword become modifiers of floats. Integers are added with
 * a carry, in two halves. */
#include "isel.h"

#define ROW(ir, isa) [IR_##ir] = { ISA_V_##isa, 0 }
#define COM(ir, isa) [IR_##ir] = { ISA_V_##isa, ISA_V_##isa }
#define CMP(ir, isa, swapped) [IR_##ir] = { ISA_V_CMP_##isa, ISA_V_CMP_##swapped }
/* The operation, and the same with sources 0 and 1 exchanged where there is one. */
static const struct { uint16_t op, swapped; } ops64[IR_OP_COUNT] = {
   COM(DADD, ADD_F64), COM(DMUL, MUL_F64), COM(DFMA, FMA_F64), COM(DMIN, MIN_F64), COM(DMAX, MAX_F64),
   ROW(DDIV_FIXUP, DIV_FIXUP_F64),
   ROW(DRCP, RCP_F64), ROW(DRSQ, RSQ_F64),
   ROW(DFLOOR, FLOOR_F64), ROW(DCEIL, CEIL_F64), ROW(DTRUNC, TRUNC_F64),
   ROW(DRNDNE, RNDNE_F64), ROW(DFRACT, FRACT_F64), ROW(DLDEXP, LDEXP_F64),
   ROW(DFREXP_MANT, FREXP_MANT_F64), ROW(DFREXP_EXP, FREXP_EXP_I32_F64),
   ROW(DCLASS, CMP_CLASS_F64),
   CMP(DLT, LT_F64, GT_F64), CMP(DGE, GE_F64, LE_F64), CMP(DEQ, EQ_F64, EQ_F64), CMP(DNE, NEQ_F64, NEQ_F64),
   ROW(F2D, CVT_F64_F32), ROW(D2F, CVT_F32_F64), ROW(I2D, CVT_F64_I32), ROW(U2D, CVT_F64_U32),
   ROW(D2I, CVT_I32_F64), ROW(D2U, CVT_U32_F64),
   CMP(ILT64, LT_I64, GT_I64), CMP(IGE64, GE_I64, LE_I64), CMP(ULT64, LT_U64, GT_U64), CMP(UGE64, GE_U64, LE_U64),
   CMP(IEQ64, EQ_U64, EQ_U64), CMP(INE64, NE_U64, NE_U64),
};

/* The inline constants of 64 bits: integers with their sign, and those of float as doubles. */
static mir_reg
inline_constant(ir_val lo, ir_val hi, bool is_float)
{
   static const uint32_t highs[] = { 0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000,
                                     0x40000000, 0xc0000000, 0x40100000, 0xc0100000 };
   if (lo->op != IR_CONST || hi->op != IR_CONST)
      return ISA_NONE;
   const int32_t i = lo->imm;
   if ((!is_float || !i) && i >= -16 && i <= 64 && hi->imm == (i < 0 ? ~0u : 0))
      return ISA_INT(i);
   if (!is_float || i)
      return ISA_NONE;
   for (unsigned i = 0; i < sizeof(highs) / sizeof(highs[0]); i++) {
      if (hi->imm == highs[i])
         return ISA_F_0_5 + i;
   }
   return ISA_NONE;
}

/* A high dword that only its sign distinguishes from another's: that one. */
static ir_val
strip_sign(ir_val hi, struct opnd *o)
{
   for (;;) {
      const bool flips = hi->op == IR_IXOR, clears = hi->op == IR_IAND;
      const uint32_t mask = flips ? 0x80000000 : 0x7fffffff;
      unsigned k = 0;
      if (!flips && !clears)
         return hi;
      while (k < 2 && !ir_is_const(hi->src[k], mask))
         k++;
      if (k == 2)
         return hi;
      if (clears)
         o->abs = true;
      else if (!o->abs)
         o->neg = !o->neg;
      hi = hi->src[1 - k];
   }
}

static struct opnd
pair_opnd(struct isel *s, ir_val v, bool is_float)
{
   struct opnd o = { .r = s->vals[v->id].reg, .clashes = s->vals[v->id].clashes };
   if (v->op != IR_VEC)
      return o;
   ir_val pair[2] = { v->src[0], is_float ? strip_sign(v->src[1], &o) : v->src[1] };
   mir_reg r = inline_constant(pair[0], pair[1], is_float);
   if (r == ISA_NONE)
      r = isel_neighbours(s, pair, 2);
   if (r == ISA_NONE)
      return isel_reg(o.r); /* with its sign, as a vector of its own */
   o.r = r;
   return o;
}

static struct opnd
to_vgprs(struct isel *s, mir_reg pair)
{
   mir_reg copy = mir_new_reg(s->p, MIR_VGPR, 2);
   isel_copy(s, copy, isel_reg(pair));
   isel_copy(s, copy + 1, isel_reg(pair + 1));
   return isel_reg(copy);
}

/* One dword of a pair. */
static struct opnd
half(struct isel *s, ir_val v, unsigned i)
{
   return v->op == IR_VEC ? isel_opnd(s, v->src[i], false) : isel_reg(s->vals[v->id].reg + i);
}

static struct mir_inst *
with_carry(struct isel *s, unsigned op, unsigned swapped, mir_reg def, mir_reg carry, struct opnd *src, unsigned n)
{
   if (!mir_reg_is_vgpr(s->p, src[1].r) && mir_reg_is_vgpr(s->p, src[0].r)) {
      struct opnd t = src[0];
      src[0] = src[1];
      src[1] = t;
      op = swapped;
   }
   struct mir_inst *m = isel_valu(s, op, def, src, n);
   m->def[1] = carry;
   m->def_n[1] = 2;
   return m;
}

/* The count comes first. */
static void
select_shift(struct isel *s, struct ir_inst *inst)
{
   const unsigned op = inst->op == IR_SHL64 ? ISA_V_LSHLREV_B64 : inst->op == IR_LSHR64 ? ISA_V_LSHRREV_B64
                                                                                      : ISA_V_ASHRREV_I64;
   struct opnd src[2] = { isel_opnd(s, inst->src[1], false), pair_opnd(s, inst->src[0], false) };
   if (mir_reg_is_sgpr(s->p, src[1].r) && (src[0].r == ISA_LITERAL || mir_reg_is_sgpr(s->p, src[0].r)))
      src[0] = isel_reg(isel_to_vgpr(s, src[0]));
   isel_valu(s, op, isel_new_def(s, inst), src, 2);
}

/* The second carry goes nowhere, but the instruction writes it. */
static void
select_add(struct isel *s, struct ir_inst *inst)
{
   const bool is_add = inst->op == IR_IADD64;
   mir_reg def = isel_new_def(s, inst);
   mir_reg carry = mir_new_reg(s->p, MIR_SGPR, 2), lost = mir_new_reg(s->p, MIR_SGPR, 2);
   struct opnd lo[2], hi[3];
   for (unsigned i = 0; i < 2; i++) {
      lo[i] = half(s, inst->src[i], 0);
      hi[i] = half(s, inst->src[i], 1);
   }
   hi[2] = isel_reg(carry);
   with_carry(s, is_add ? ISA_V_ADD_CO_U32 : ISA_V_SUB_CO_U32, is_add ? ISA_V_ADD_CO_U32 : ISA_V_SUBREV_CO_U32,
              def, carry, lo, 2);
   with_carry(s, is_add ? ISA_V_ADDC_CO_U32 : ISA_V_SUBB_CO_U32, is_add ? ISA_V_ADDC_CO_U32 : ISA_V_SUBBREV_CO_U32,
              def + 1, lost, hi, 3);
}

static void
select_mad(struct isel *s, struct ir_inst *inst)
{
   mir_reg def = isel_new_def(s, inst), lost = mir_new_reg(s->p, MIR_SGPR, 2);
   struct opnd src[3] = { isel_opnd(s, inst->src[0], false), isel_opnd(s, inst->src[1], false),
                          pair_opnd(s, inst->src[2], false) };
   if (mir_reg_is_sgpr(s->p, src[2].r))
      src[2] = to_vgprs(s, src[2].r);
   struct mir_inst *m = isel_valu(s, ISA_V_MAD_U64_U32, def, src, 3);
   m->def[1] = lost;
   m->def_n[1] = 2;
}

bool
isel_64(struct isel *s, struct ir_inst *inst)
{
   struct opnd src[3];
   unsigned n = inst->num_src, op = ops64[inst->op].op;

   switch (inst->op) {
   case IR_IADD64: case IR_ISUB64:
      select_add(s, inst);
      return true;
   case IR_SHL64: case IR_LSHR64: case IR_ASHR64:
      select_shift(s, inst);
      return true;
   case IR_UMAD64:
      select_mad(s, inst);
      return true;
   default:
      break;
   }
   if (!op)
      return false;
   const bool is_float = isa_op_infos[op].flags & ISA_FLOAT_MODS;
   for (unsigned i = 0; i < n; i++) {
      ir_val v = inst->src[i];
      src[i] = v->comps == 2 ? pair_opnd(s, v, is_float) : isel_opnd(s, v, ir_info(inst)->flags & IR_F_FSRC);
   }
   if (inst->op == IR_DCLASS)
      src[n++] = isel_imm(inst->imm);
   isel_free_bus(s, src, inst->op == IR_DLDEXP || inst->op == IR_DCLASS ? 1 : n, 2, ISA_NONE);
   if (ops64[inst->op].swapped && !mir_reg_is_vgpr(s->p, src[1].r) && mir_reg_is_vgpr(s->p, src[0].r)) {
      /* The short form wants a VGPR second. */
      struct opnd t = src[0];
      src[0] = src[1];
      src[1] = t;
      op = ops64[inst->op].swapped;
   }
   isel_valu(s, op, isel_new_def(s, inst), src, n);
   return true;
}
