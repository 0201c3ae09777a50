/* SPDX-License-Identifier: MIT */
/* Instruction selection of 64-bit floats: one VALU instruction an operation,
 * on pairs of VGPRs (Vega ISA, VOP3 and VOP1 *_F64). */
#include "isel.h"

#define ROW(ir, isa) [IR_##ir] = ISA_V_##isa
static const uint16_t f64_ops[IR_OP_COUNT] = {
   ROW(DADD, ADD_F64), ROW(DMUL, MUL_F64), ROW(DFMA, FMA_F64),
   ROW(DMIN, MIN_F64), ROW(DMAX, MAX_F64),
   ROW(DRCP, RCP_F64), ROW(DRSQ, RSQ_F64), ROW(DSQRT, SQRT_F64),
   ROW(DFLOOR, FLOOR_F64), ROW(DCEIL, CEIL_F64), ROW(DTRUNC, TRUNC_F64),
   ROW(DRNDNE, RNDNE_F64), ROW(DFRACT, FRACT_F64), ROW(DLDEXP, LDEXP_F64),
   ROW(DFREXP_MANT, FREXP_MANT_F64), ROW(DFREXP_EXP, FREXP_EXP_I32_F64),
   ROW(DLT, CMP_LT_F64), ROW(DGE, CMP_GE_F64), ROW(DEQ, CMP_EQ_F64), ROW(DNE, CMP_NEQ_F64),
   ROW(F2D, CVT_F64_F32), ROW(D2F, CVT_F32_F64), ROW(I2D, CVT_F64_I32), ROW(U2D, CVT_F64_U32),
   ROW(D2I, CVT_I32_F64), ROW(D2U, CVT_U32_F64),
};

static mir_reg
to_vgprs(struct isel *s, ir_val v)
{
   mir_reg reg = s->vals[v->id].reg;

   if (v->comps == 1)
      return isel_to_vgpr(s, isel_opnd(s, v, false));
   if (mir_reg_is_vgpr(s->p, reg))
      return reg;
   mir_reg copy = mir_new_reg(s->p, MIR_VGPR, v->comps);
   for (unsigned i = 0; i < v->comps; i++)
      isel_copy(s, copy + i, isel_reg(reg + i));
   return copy;
}

bool
isel_f64(struct isel *s, struct ir_inst *inst)
{
   struct opnd src[3];

   if (!f64_ops[inst->op])
      return false;
   for (unsigned i = 0; i < inst->num_src; i++)
      src[i] = isel_reg(to_vgprs(s, inst->src[i]));
   isel_valu(s, f64_ops[inst->op], isel_new_def(s, inst), src, inst->num_src);
   return true;
}
