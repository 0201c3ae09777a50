/* SPDX-License-Identifier: MIT */
/* Instruction selection of arithmetic: rows of the target's table, and what is
 * more than a row. Modifiers are folded into sources, clamp and omod into the
 * instruction that makes the value. */
#include "isel.h"

/* --- bools --- */

#define MAX_BACK 16 /* instructions */

/* Is v's compare still what SCC holds? */
static bool
scc_holds(const struct isel *s, ir_val v)
{
   unsigned n = 0;
   if (s->scc != v)
      return false;
   for (const struct mir_inst *inst = s->block->last; inst && n++ < MAX_BACK; inst = inst->prev) {
      if (inst == s->scc_inst)
         return true;
      if (inst->i.op >= ISA_OP_COUNT ? inst->i.op != MIR_COPY : mir_info(inst)->flags & ISA_WRITES_SCC)
         return false;
   }
   return false;
}

void
isel_scc(struct isel *s, ir_val v)
{
   if (scc_holds(s, v))
      return;
   struct opnd a = isel_opnd(s, v->src[0], false), b = isel_opnd(s, v->src[1], false);
   s->scc = v;
   s->scc_inst = isel_salu(s, s->t->alu[v->op].salu, ISA_NONE, 0, a, b);
}

mir_reg
isel_mask(struct isel *s, ir_val v)
{
   if (!s->vals[v->id].scalar_bool)
      return s->vals[v->id].reg;
   if (s->masks_of != s->block) {
      s->masks_of = s->block;
      s->num_masks = 0;
   }
   for (unsigned i = 0; i < s->num_masks; i++) {
      if (s->masks[i].id == v->id)
         return s->masks[i].reg;
   }
   isel_scc(s, v);
   mir_reg r = mir_new_reg(s->p, MIR_SGPR, 2);
   isel_salu(s, ISA_S_CSELECT_B64, r, 2, isel_imm(~0u), isel_imm(0));
   if (s->num_masks < sizeof(s->masks) / sizeof(s->masks[0])) {
      s->masks[s->num_masks].id = v->id;
      s->masks[s->num_masks++].reg = r;
   }
   return r;
}

/* FLT and FGE negated are true when unordered, so they have compares of their own. */
static unsigned
negated_compare(enum ir_op op)
{
   switch (op) {
   case IR_FLT: return ISA_V_CMP_NLT_F32;
   case IR_FGE: return ISA_V_CMP_NGE_F32;
   default: return ISA_OP_COUNT;
   }
}

static void
select_bool(struct isel *s, struct ir_inst *inst)
{
   mir_reg r;
   switch (inst->op) {
   case IR_BNOT: {
      ir_val x = inst->src[0];
      unsigned neg = negated_compare(x->op);
      if (neg != ISA_OP_COUNT) {
         struct opnd src[2] = { isel_opnd(s, x->src[0], true), isel_opnd(s, x->src[1], true) };
         isel_valu(s, neg, isel_new_def(s, inst), src, 2);
         return;
      }
      r = isel_mask(s, x);
      isel_salu(s, ISA_S_NOT_B64, isel_new_def(s, inst), 2, isel_reg(r), isel_reg(ISA_NONE));
      return;
   }
   case IR_BAND: case IR_BOR: case IR_BXOR: {
      mir_reg a = isel_mask(s, inst->src[0]), b = isel_mask(s, inst->src[1]);
      unsigned op = inst->op == IR_BAND ? ISA_S_AND_B64 : inst->op == IR_BOR ? ISA_S_OR_B64 : ISA_S_XOR_B64;
      isel_salu(s, op, isel_new_def(s, inst), 2, isel_reg(a), isel_reg(b));
      return;
   }
   default:
      return;
   }
}

#define SAME_CONDITION 64 /* values looked at for more selects by a condition */

static bool
is_selected(const struct isel *s, ir_val v)
{
   return v->op == IR_CONST || v->op == IR_UNDEF || s->vals[v->id].reg != ISA_NONE;
}

/* SCC holds the condition for one select at a time as they stand; those that
 * follow with the same one (parts of a vector, elements of arrays) come along. */
static void
scalar_selects(struct isel *s, struct ir_inst *first)
{
   unsigned room = SAME_CONDITION;
   isel_scc(s, first->src[0]);
   for (struct ir_inst *inst = first; inst && room; inst = inst->next, room--) {
      if (inst->op != IR_SELECT || inst->src[0] != first->src[0] || !s->vals[inst->id].sgpr || is_selected(s, inst) ||
          !is_selected(s, inst->src[1]) || !is_selected(s, inst->src[2]))
         continue;
      struct opnd x = isel_opnd(s, inst->src[1], false), y = isel_opnd(s, inst->src[2], false);
      isel_salu(s, ISA_S_CSELECT_B32, isel_new_def(s, inst), 1, x, y);
   }
}

static void
select_select(struct isel *s, struct ir_inst *inst)
{
   if (s->vals[inst->id].sgpr) {
      if (!is_selected(s, inst))
         scalar_selects(s, inst);
      return;
   }
   struct opnd x = isel_opnd(s, inst->src[1], true), y = isel_opnd(s, inst->src[2], true);
   struct opnd src[3] = { y, x, isel_reg(isel_mask(s, inst->src[0])) };
   isel_valu(s, ISA_V_CNDMASK_B32, isel_new_def(s, inst), src, 3);
}

/* --- floats --- */

static struct mir_inst *
modifiable_producer(struct isel *s, ir_val v)
{
   struct mir_inst *p = s->vals[v->id].inst;
   if (!p || s->uses[v->id] != 1 || p->keep_enc || !(ir_info(v)->flags & IR_F_FLOAT) || p->i.clamp ||
       !(mir_info(p)->flags & ISA_FLOAT_MODS))
      return NULL;
   return p;
}

static bool
fold_omod(struct isel *s, struct ir_inst *inst)
{
   for (unsigned i = 0; i < 2; i++) {
      ir_val k = inst->src[i], x = inst->src[1 - i];
      unsigned omod = ir_is_const(k, 0x40000000) ? 1 : ir_is_const(k, 0x40800000) ? 2 : ir_is_const(k, 0x3f000000) ? 3 : 0;
      struct mir_inst *p = omod ? modifiable_producer(s, x) : NULL;
      if (!p || p->i.omod)
         continue;
      p->i.omod = omod;
      s->vals[inst->id] = s->vals[x->id];
      return true;
   }
   return false;
}

static void
select_float_unary(struct isel *s, struct ir_inst *inst)
{
   if (inst->op == IR_FSAT) {
      struct mir_inst *p = modifiable_producer(s, inst->src[0]);
      if (p) {
         p->i.clamp = true;
         s->vals[inst->id] = s->vals[inst->src[0]->id];
         return;
      }
      struct opnd x = isel_opnd(s, inst->src[0], true);
      struct opnd src[2] = { x, x };
      struct mir_inst *m = isel_valu(s, ISA_V_MAX_F32, isel_new_def(s, inst), src, 2);
      m->i.clamp = true;
      m->i.enc = ISA_ENC_VOP3;
      return;
   }
   /* FNEG and FABS as values: only when a use could not fold them. */
   struct opnd x = isel_opnd(s, inst, true);
   if (mir_reg_is_vgpr(s->p, x.r) && !x.neg && !x.abs) {
      isel_def(s, inst, x.r);
      return;
   }
   isel_def(s, inst, isel_to_vgpr(s, x));
}

static bool
is_compare(enum ir_op op)
{
   return op >= IR_FLT && op <= IR_INE;
}

static void
select_lane_op(struct isel *s, struct ir_inst *inst)
{
   static const uint8_t ddx[2][2] = { { 0x00, 0x55 }, { 0xa0, 0xf5 } }; /* minuend, by fine: lane to subtract, lane to take */
   static const uint8_t ddy[2][2] = { { 0x00, 0xaa }, { 0x44, 0xee } };
   mir_reg x = isel_to_vgpr(s, isel_opnd(s, inst->src[0], false));
   bool deriv = inst->op != IR_QUAD_PERM;
   unsigned ctrl = inst->op == IR_DDX ? ddx[inst->imm & 1][0] : inst->op == IR_DDY ? ddy[inst->imm & 1][0] : inst->imm & 0xff;
   mir_reg def = isel_new_def(s, inst), tmp = deriv ? mir_new_reg(s->p, MIR_VGPR, 1) : def;
   struct mir_inst *m = isel_emit(s, ISA_V_MOV_B32, tmp, 1);
   isel_set_src(m, 0, isel_reg(x), 1);
   for (unsigned i = 0; i < (deriv ? 2 : 1); i++) {
      if (i) {
         ctrl = inst->op == IR_DDX ? ddx[inst->imm & 1][1] : ddy[inst->imm & 1][1];
         m = isel_emit(s, ISA_V_SUB_F32, def, 1);
         isel_set_src(m, 0, isel_reg(x), 1);
         isel_set_src(m, 1, isel_reg(tmp), 1);
      }
      m->i.form = ISA_FORM_DPP16;
      m->i.dpp_ctrl = ctrl;
      m->i.dpp_row_mask = 15;
      m->i.dpp_bank_mask = 15;
      m->i.dpp_bound_ctrl = true;
      m->keep_enc = true;
   }
}

static bool
needs_lane_op(enum ir_op op)
{
   return op == IR_DDX || op == IR_DDY || op == IR_QUAD_PERM;
}

/* a * b + K and a * K + b have forms that carry the literal (v_madak, v_madmk). */
static bool
select_mad_literal(struct isel *s, struct ir_inst *inst)
{
   struct opnd src[3];
   int lit = -1;
   unsigned sgprs = 0, vgprs = 0;
   for (unsigned i = 0; i < 3; i++) {
      isel_opnd_to(s, inst->src[i], true, &src[i]);
      if (src[i].neg || src[i].abs)
         return false;
      if (src[i].r == ISA_LITERAL && lit >= 0 && (lit == i || i != 2))
         return false;
      if (src[i].r == ISA_LITERAL && lit >= 0) {
         /* Two literals: as product and sum, which round like the mad. */
         mir_reg product = mir_new_reg(s->p, MIR_VGPR, 1);
         struct opnd mul[2] = { src[lit], src[1 - lit] }, sum[2] = { src[2], isel_reg(product) };
         if (!mir_reg_is_vgpr(s->p, src[1 - lit].r))
            return false;
         isel_valu(s, ISA_V_MUL_F32, product, mul, 2);
         s->vals[inst->id].inst = isel_valu(s, ISA_V_ADD_F32, isel_new_def(s, inst), sum, 2);
         return true;
      }
      if (src[i].r == ISA_LITERAL)
         lit = i;
      else if (mir_reg_is_vgpr(s->p, src[i].r))
         vgprs++;
      else
         sgprs += mir_reg_is_sgpr(s->p, src[i].r);
   }
   if (lit < 0 || sgprs || !vgprs)
      return false;
   struct opnd a, b, k = src[lit];
   unsigned op = lit == 2 ? ISA_V_MADAK_F32 : ISA_V_MADMK_F32;
   a = lit == 0 ? src[1] : src[0];
   b = lit == 2 ? src[1] : src[2];
   if (lit == 2 && !mir_reg_is_vgpr(s->p, b.r)) {
      struct opnd t = a;
      a = b;
      b = t;
   }
   if (!mir_reg_is_vgpr(s->p, b.r))
      return false;
   struct mir_inst *m = isel_emit(s, op, isel_new_def(s, inst), 1);
   isel_set_src(m, 0, a, 1);
   isel_set_src(m, 1, lit == 2 ? b : k, 1);
   isel_set_src(m, 2, lit == 2 ? k : b, 1);
   m->keep_enc = true;
   return true;
}

/* Odd ones that are no plain table row. True when done. */
static bool
select_special(struct isel *s, struct ir_inst *inst)
{
   struct opnd src[3];
   switch (inst->op) {
   case IR_SELECT:
      select_select(s, inst);
      return true;
   case IR_FNEG: case IR_FABS: case IR_FSAT:
      select_float_unary(s, inst);
      return true;
   case IR_BNOT: case IR_BAND: case IR_BOR: case IR_BXOR:
      select_bool(s, inst);
      return true;
   case IR_FMUL:
      return fold_omod(s, inst);
   case IR_FMAD:
      return select_mad_literal(s, inst);
   case IR_INEG:
      src[0] = isel_imm(0);
      src[1] = isel_opnd(s, inst->src[0], false);
      if (s->vals[inst->id].sgpr)
         isel_salu(s, ISA_S_SUB_U32, isel_new_def(s, inst), 1, src[0], src[1]);
      else
         isel_valu(s, ISA_V_SUB_U32, isel_new_def(s, inst), src, 2);
      return true;
   case IR_IABS: {
      src[0] = isel_opnd(s, inst->src[0], false);
      if (s->vals[inst->id].sgpr) {
         isel_salu(s, ISA_S_ABS_I32, isel_new_def(s, inst), 1, src[0], isel_reg(ISA_NONE));
         return true;
      }
      mir_reg neg = mir_new_reg(s->p, MIR_VGPR, 1);
      struct opnd sub[2] = { isel_imm(0), src[0] };
      isel_valu(s, ISA_V_SUB_U32, neg, sub, 2);
      src[1] = isel_reg(neg);
      isel_valu(s, ISA_V_MAX_I32, isel_new_def(s, inst), src, 2);
      return true;
   }
   case IR_UBFE: case IR_IBFE:
      if (!s->vals[inst->id].sgpr)
         return false;
      src[0] = isel_opnd(s, inst->src[0], false);
      src[1] = isel_imm((inst->src[1]->imm & 31) | (inst->src[2]->imm & 31) << 16);
      isel_salu(s, inst->op == IR_UBFE ? ISA_S_BFE_U32 : ISA_S_BFE_I32, isel_new_def(s, inst), 1, src[0], src[1]);
      return true;
   case IR_CVT_UBYTE:
      src[0] = isel_opnd(s, inst->src[0], false);
      isel_valu(s, ISA_V_CVT_F32_UBYTE0 + (inst->imm & 3), isel_new_def(s, inst), src, 1);
      return true;
   case IR_READFIRST:
      if (mir_reg_is_sgpr(s->p, s->vals[inst->src[0]->id].reg) && inst->src[0]->op != IR_CONST) {
         isel_def(s, inst, s->vals[inst->src[0]->id].reg);
         return true;
      }
      src[0] = isel_reg(isel_to_vgpr(s, isel_opnd(s, inst->src[0], false)));
      isel_set_src(isel_emit(s, ISA_V_READFIRSTLANE_B32, isel_new_def(s, inst), 1), 0, src[0], 1);
      return true;
   case IR_READ_LANE: {
      mir_reg value = s->vals[inst->src[0]->id].reg;
      if (inst->src[0]->op != IR_CONST && mir_reg_is_sgpr(s->p, value)) {
         isel_def(s, inst, value);
         return true;
      }
      value = isel_to_vgpr(s, isel_opnd(s, inst->src[0], false));
      mir_reg lane = isel_to_sgpr(s, inst->src[1]);
      struct mir_inst *m = isel_emit(s, ISA_V_READLANE_B32, isel_new_def(s, inst), 1);
      isel_set_src(m, 0, isel_reg(value), 1);
      isel_set_src(m, 1, isel_reg(lane), 1);
      return true;
   }
   case IR_BALLOT:
      isel_salu(s, ISA_S_AND_B64, isel_new_def(s, inst), 2, isel_reg(isel_mask(s, inst->src[0])), isel_reg(ISA_EXEC));
      return true;
   case IR_FIRST_LANE: {
      mir_reg here = ISA_EXEC;
      if (!isel_is_true(inst->src[0])) {
         here = mir_new_reg(s->p, MIR_SGPR, 2);
         isel_salu(s, ISA_S_AND_B64, here, 2, isel_reg(isel_mask(s, inst->src[0])), isel_reg(ISA_EXEC));
      }
      isel_salu(s, ISA_S_FF1_I32_B64, isel_new_def(s, inst), 1, isel_reg(here), isel_reg(ISA_NONE));
      return true;
   }
   default:
      return false;
   }
}

/* A sum with one negated term is a difference, which has a short form. */
static unsigned
add_to_sub(struct isel *s, struct opnd *src)
{
   if (src[0].abs || src[1].abs || src[0].neg == src[1].neg)
      return ISA_V_ADD_F32;
   bool second = src[1].neg;
   src[0].neg = src[1].neg = false;
   if (mir_reg_is_vgpr(s->p, src[1].r))
      return second ? ISA_V_SUB_F32 : ISA_V_SUBREV_F32;
   /* Only the first source of a short form may be no VGPR. */
   struct opnd t = src[0];
   src[0] = src[1];
   src[1] = t;
   return second ? ISA_V_SUBREV_F32 : ISA_V_SUB_F32;
}

#define DEPTH 4 /* how far back ranges are looked for */

/* A product of 24 bits by 24: a fourth of the time of one of 32. */
static bool
is_narrow_product(const struct ir_inst *inst)
{
   return inst->op == IR_IMUL && ir_largest(inst->src[0], DEPTH) <= 0xffffff && ir_largest(inst->src[1], DEPTH) <= 0xffffff;
}

void
isel_alu(struct isel *s, struct ir_inst *inst)
{
   const struct target_alu *row = &s->t->alu[inst->op];
   uint32_t flags = ir_info(inst)->flags;
   struct opnd src[3];
   if (s->vals[inst->id].scalar_bool)
      return; /* made at its uses */
   if (needs_lane_op(inst->op)) {
      select_lane_op(s, inst);
      return;
   }
   if (select_special(s, inst) || (!row->valu && isel_64(s, inst)))
      return;
   if (inst->num_src > 3 || inst->num_src == 0 || row->valu == 0) {
      ir_error(s->sh, "operation %s is not possible yet", ir_info(inst)->name);
      return;
   }
   bool mods = flags & (IR_F_FLOAT | IR_F_FSRC);
   if (s->vals[inst->id].sgpr) {
      for (unsigned i = 0; i < inst->num_src; i++)
         src[i] = isel_opnd(s, inst->src[i], false);
      isel_salu(s, row->salu, isel_new_def(s, inst), 1, src[0], inst->num_src > 1 ? src[1] : isel_reg(ISA_NONE));
      return;
   }
   if (is_narrow_product(inst))
      row = &s->t->alu[IR_UMUL24];
   for (unsigned i = 0; i < inst->num_src; i++)
      isel_opnd_to(s, inst->src[i], mods || (inst->op == IR_FLDEXP && i == 0), &src[i]);
   unsigned n = inst->num_src, op = row->valu;
   if (n >= 2 && row->swapped != ISA_OP_COUNT && mir_reg_is_sgpr(s->p, src[0].r) && mir_reg_is_sgpr(s->p, src[1].r))
      isel_free_bus(s, src, n, 1, ISA_NONE);
   if (row->flags & TGT_REV_SRC) {
      struct opnd t = src[0];
      src[0] = src[1];
      src[1] = t;
   } else if (n >= 2 && row->swapped != ISA_OP_COUNT && !mir_reg_is_vgpr(s->p, src[1].r) &&
              mir_reg_is_vgpr(s->p, src[0].r)) {
      /* The short form wants a VGPR second. */
      struct opnd t = src[0];
      src[0] = src[1];
      src[1] = t;
      op = row->swapped;
   }
   if (row->flags & TGT_ADD_0)
      src[n++] = isel_imm(0);
   if (op == ISA_V_ADD_F32)
      op = add_to_sub(s, src);
   struct mir_inst *m = isel_valu(s, op, isel_new_def(s, inst), src, n);
   if (!is_compare(inst->op))
      s->vals[inst->id].inst = m;
}
