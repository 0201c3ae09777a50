/* SPDX-License-Identifier: MIT */
/* Instruction selection of 64-bit floats: one VALU instruction an operation
 * (Vega ISA, VOP3 and VOP1 *_F64). A source is a pair of VGPRs, one pair of
 * SGPRs an instruction, or an inline constant; sign changes of the high dword
 * become modifiers. */
#include "isel.h"

#define ROW(ir, isa) [IR_##ir] = { ISA_V_##isa, 0 }
#define COM(ir, isa) [IR_##ir] = { ISA_V_##isa, ISA_V_##isa }
#define CMP(ir, isa, swapped) [IR_##ir] = { ISA_V_CMP_##isa##_F64, ISA_V_CMP_##swapped##_F64 }
/* The operation, and the same with sources 0 and 1 exchanged where there is one. */
static const struct { uint16_t op, swapped; } f64_ops[IR_OP_COUNT] = {
   COM(DADD, ADD_F64), COM(DMUL, MUL_F64), COM(DFMA, FMA_F64), COM(DMIN, MIN_F64), COM(DMAX, MAX_F64),
   ROW(DDIV_FIXUP, DIV_FIXUP_F64),
   ROW(DRCP, RCP_F64), ROW(DRSQ, RSQ_F64),
   ROW(DFLOOR, FLOOR_F64), ROW(DCEIL, CEIL_F64), ROW(DTRUNC, TRUNC_F64),
   ROW(DRNDNE, RNDNE_F64), ROW(DFRACT, FRACT_F64), ROW(DLDEXP, LDEXP_F64),
   ROW(DFREXP_MANT, FREXP_MANT_F64), ROW(DFREXP_EXP, FREXP_EXP_I32_F64),
   ROW(DCLASS, CMP_CLASS_F64),
   CMP(DLT, LT, GT), CMP(DGE, GE, LE), CMP(DEQ, EQ, EQ), CMP(DNE, NEQ, NEQ),
   ROW(F2D, CVT_F64_F32), ROW(D2F, CVT_F32_F64), ROW(I2D, CVT_F64_I32), ROW(U2D, CVT_F64_U32),
   ROW(D2I, CVT_I32_F64), ROW(D2U, CVT_U32_F64),
};

/* The inline constants of 64 bits: 0 and those of float, as doubles. */
static mir_reg
inline_constant(ir_val lo, ir_val hi)
{
   static const uint32_t highs[] = { 0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000,
                                     0x40000000, 0xc0000000, 0x40100000, 0xc0100000 };
   if (!ir_is_const(lo, 0) || hi->op != IR_CONST)
      return ISA_NONE;
   for (unsigned i = 0; i < sizeof(highs) / sizeof(highs[0]); i++) {
      if (hi->imm == highs[i])
         return ISA_F_0_5 + i;
   }
   return hi->imm == 0 ? ISA_INT(0) : ISA_NONE;
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
double_opnd(struct isel *s, ir_val v)
{
   struct opnd o = { .r = s->vals[v->id].reg };
   if (v->op != IR_VEC)
      return o;
   ir_val pair[2] = { v->src[0], strip_sign(v->src[1], &o) };
   mir_reg r = inline_constant(pair[0], pair[1]);
   if (r == ISA_NONE)
      r = isel_neighbours(s, pair, 2);
   if (r == ISA_NONE)
      return isel_reg(o.r); /* with its sign, as a vector of its own */
   o.r = r;
   return o;
}

/* All but one pair of SGPRs go to VGPRs. */
static void
free_bus(struct isel *s, struct opnd *src, unsigned n)
{
   mir_reg bus = ISA_NONE;
   for (unsigned i = 0; i < n; i++) {
      if (!mir_reg_is_sgpr(s->p, src[i].r))
         continue;
      if (bus == ISA_NONE || bus == src[i].r) {
         bus = src[i].r;
         continue;
      }
      mir_reg copy = mir_new_reg(s->p, MIR_VGPR, 2);
      isel_copy(s, copy, isel_reg(src[i].r));
      isel_copy(s, copy + 1, isel_reg(src[i].r + 1));
      src[i].r = copy;
   }
}

bool
isel_f64(struct isel *s, struct ir_inst *inst)
{
   struct opnd src[3];
   unsigned n = inst->num_src, op = f64_ops[inst->op].op;

   if (!op)
      return false;
   for (unsigned i = 0; i < n; i++) {
      ir_val v = inst->src[i];
      src[i] = v->comps == 2 ? double_opnd(s, v) : isel_opnd(s, v, ir_info(inst)->flags & IR_F_FSRC);
   }
   if (inst->op == IR_DCLASS)
      src[n++] = isel_imm(inst->imm);
   free_bus(s, src, inst->op == IR_DLDEXP || inst->op == IR_DCLASS ? 1 : n);
   if (f64_ops[inst->op].swapped && !mir_reg_is_vgpr(s->p, src[1].r) && mir_reg_is_vgpr(s->p, src[0].r)) {
      /* The short form wants a VGPR second. */
      struct opnd t = src[0];
      src[0] = src[1];
      src[1] = t;
      op = f64_ops[inst->op].swapped;
   }
   isel_valu(s, op, isel_new_def(s, inst), src, n);
   return true;
}
