/* SPDX-License-Identifier: MIT */
/* Peephole rewriting in program order: constants, identities, bool round trips
 * (TGSI keeps bools as 0 / ~0 or 0.0 / 1.0), mad forming. Rewrites keep every
 * result bit except the sign of zero. v_mad_f32 rounds twice, so forming it
 * from mul and add changes nothing. Rules of integers: opt_algebraic_int.c. */
#include "opt_algebraic.h"
#include "opt_fold.h"

#define MAX_OFFSET 4096 /* that any memory instruction has room for */

#define F_ONE     0x3f800000u
#define F_NEG_ONE 0xbf800000u
#define F_NEG_0   0x80000000u

/* Bools that are constant are kept as a compare of two constants. */
static bool
bool_const(ir_val v, bool *value)
{
   if ((v->op == IR_IEQ || v->op == IR_INE) && v->src[0]->op == IR_CONST && v->src[1]->op == IR_CONST) {
      *value = (v->src[0]->imm == v->src[1]->imm) == (v->op == IR_IEQ);
      return true;
   }
   return false;
}

static ir_val
make_bool(struct ir_builder *b, bool value)
{
   ir_val zero = ir_imm(b, 0);
   return ir_op2(b, value ? IR_IEQ : IR_INE, zero, zero);
}

/* Of operations of one to three scalars. */
static ir_val
fold_constants(struct ir_builder *b, struct ir_inst *inst)
{
   uint32_t s[3], r;
   bool is_bool = inst->type == IR_TYPE_BOOL;
   if ((inst->op == IR_IEQ || inst->op == IR_INE) && ir_is_const(inst->src[0], 0) && ir_is_const(inst->src[1], 0))
      return NULL; /* canonical already */
   int sel = -1;
   for (unsigned i = 0; i < inst->num_src; i++) {
      if (inst->src[i]->op == IR_CONST) {
         s[i] = inst->src[i]->imm;
      } else if (sel < 0 && ir_const_select(inst->src[i])) {
         sel = i;
      } else {
         return NULL;
      }
   }
   if (sel < 0) {
      if (!ir_fold_op(inst->op, s, inst->num_src, &r))
         return NULL;
      return is_bool ? make_bool(b, r) : ir_imm(b, r);
   }
   /* op(select(c, K1, K2), K) */
   ir_val pick = inst->src[sel];
   uint32_t r1, r2;
   s[sel] = pick->src[1]->imm;
   if (!ir_fold_op(inst->op, s, inst->num_src, &r1))
      return NULL;
   s[sel] = pick->src[2]->imm;
   if (!ir_fold_op(inst->op, s, inst->num_src, &r2))
      return NULL;
   if (is_bool)
      return r1 == r2 ? make_bool(b, r1) : r1 ? pick->src[0] : ir_bnot(b, pick->src[0]);
   if (r1 == r2)
      return ir_imm(b, r1);
   return ir_select(b, pick->src[0], ir_imm(b, r1), ir_imm(b, r2));
}

static enum ir_op
inverse_compare(enum ir_op op)
{
   switch (op) {
   case IR_ILT: return IR_IGE;
   case IR_IGE: return IR_ILT;
   case IR_ULT: return IR_UGE;
   case IR_UGE: return IR_ULT;
   case IR_ILT64: return IR_IGE64;
   case IR_IGE64: return IR_ILT64;
   case IR_ULT64: return IR_UGE64;
   case IR_UGE64: return IR_ULT64;
   case IR_IEQ64: return IR_INE64;
   case IR_INE64: return IR_IEQ64;
   case IR_IEQ: return IR_INE;
   case IR_INE: return IR_IEQ;
   case IR_FEQ: return IR_FNE;
   case IR_FNE: return IR_FEQ;
   default: return IR_OP_COUNT;
   }
}

static ir_val
simplify_bool(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->src[0], y = inst->num_src > 1 ? inst->src[1] : NULL;
   bool v;
   switch (inst->op) {
   case IR_BNOT: {
      if (x->op == IR_BNOT)
         return x->src[0];
      if (bool_const(x, &v))
         return make_bool(b, !v);
      enum ir_op inv = inverse_compare(x->op);
      return inv == IR_OP_COUNT ? NULL : ir_op2(b, inv, x->src[0], x->src[1]);
   }
   case IR_BAND: case IR_BOR:
      if (x == y)
         return x;
      for (unsigned i = 0; i < 2; i++) {
         if (bool_const(inst->src[i], &v))
            return v == (inst->op == IR_BAND) ? inst->src[1 - i] : inst->src[i];
      }
      return NULL;
   case IR_SELECT:
      if (inst->src[1] == inst->src[2])
         return inst->src[1];
      if (bool_const(x, &v))
         return inst->src[v ? 1 : 2];
      if (x->op == IR_BNOT)
         return ir_select(b, x->src[0], inst->src[2], inst->src[1]);
      return NULL;
   default:
      return NULL;
   }
}

static ir_val
simplify_float(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->src[0], y = inst->num_src > 1 ? inst->src[1] : NULL;
   ir_val z = inst->num_src > 2 ? inst->src[2] : NULL;
   switch (inst->op) {
   case IR_FNEG:
      return x->op == IR_FNEG ? x->src[0] : NULL;
   case IR_FABS:
      return x->op == IR_FABS ? x : x->op == IR_FNEG ? ir_fabs(b, x->src[0]) : NULL;
   case IR_FSAT:
      return x->op == IR_FSAT ? x : NULL;
   case IR_FRCP:
      /* 1 / sqrt(x) has an instruction; -0 gives infinities of one sign less */
      return x->op == IR_FSQRT ? ir_op1(b, IR_FRSQ, x->src[0]) : NULL;
   case IR_FADD:
      for (unsigned i = 0; i < 2; i++) {
         ir_val m = inst->src[i], other = inst->src[1 - i];
         if (m->op == IR_CONST && (m->imm & ~F_NEG_0) == 0)
            return other;
         /* add(mul(a, b), c) or with a negated product */
         if (m->op == IR_FMUL && ir_uses(b->sh, m) == 1)
            return ir_fmad(b, m->src[0], m->src[1], other);
         if (m->op == IR_FNEG && m->src[0]->op == IR_FMUL && ir_uses(b->sh, m) == 1 && ir_uses(b->sh, m->src[0]) == 1)
            return ir_fmad(b, ir_fneg(b, m->src[0]->src[0]), m->src[0]->src[1], other);
      }
      return NULL;
   case IR_FMUL: case IR_FMUL_LEGACY:
      for (unsigned i = 0; i < 2; i++) {
         if (ir_is_const(inst->src[i], F_ONE))
            return inst->src[1 - i];
         if (ir_is_const(inst->src[i], F_NEG_ONE))
            return ir_fneg(b, inst->src[1 - i]);
         if (inst->op == IR_FMUL_LEGACY && inst->src[i]->op == IR_CONST && (inst->src[i]->imm & ~F_NEG_0) == 0)
            return ir_imm(b, 0);
      }
      return NULL;
   case IR_FMAD:
      if (ir_is_const(x, F_ONE))
         return ir_fadd(b, y, z);
      if (ir_is_const(y, F_ONE))
         return ir_fadd(b, x, z);
      if (z->op == IR_CONST && (z->imm & ~F_NEG_0) == 0)
         return ir_fmul(b, x, y);
      return NULL;
   case IR_FMIN: case IR_FMAX:
      if (x == y)
         return x;
      /* min(max(x, 0), 1): NaN gives 0 both ways */
      if (inst->op == IR_FMIN) {
         for (unsigned i = 0; i < 2; i++) {
            ir_val m = inst->src[1 - i];
            if (!ir_is_const(inst->src[i], F_ONE) || m->op != IR_FMAX)
               continue;
            if (ir_is_const(m->src[0], 0))
               return ir_fsat(b, m->src[1]);
            if (ir_is_const(m->src[1], 0))
               return ir_fsat(b, m->src[0]);
         }
      }
      return NULL;
   default:
      return NULL;
   }
}

static bool
is_load(ir_val v)
{
   return v->op == IR_LOAD_CONST || v->op == IR_LOAD_FMT || (ir_info(v)->flags & IR_F_READS);
}

/* Dword c of a load whose place in the table of constants is known; NULL: it is none. */
static ir_val
table_dword(struct ir_builder *b, ir_val load, unsigned c)
{
   if (load->op != IR_LOAD_CONST || load->src[0]->op != IR_TABLE || load->src[1]->op != IR_CONST)
      return NULL;
   const uint32_t at = (load->src[1]->imm + load->mem.offset) / 4 + c;
   return ir_imm(b, at < b->sh->num_table ? b->sh->table[at] : 0);
}

static ir_val
simplify_memory(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val x = inst->num_src ? inst->src[0] : NULL;
   switch (inst->op) {
   case IR_EXTRACT:
      if (x->op == IR_VEC)
         return x->src[inst->imm];
      return x->comps == 1 ? x : table_dword(b, x, inst->imm);
   case IR_VEC:
      /* A vector taken apart and put together again. Loads stay apart: their
       * parts may come from a wider one (opt_vectors). */
      for (unsigned i = 0; i < inst->num_src; i++) {
         ir_val e = inst->src[i];
         if (e->op != IR_EXTRACT || e->imm != i || e->src[0] != x->src[0] || e->src[0]->comps != inst->num_src ||
             is_load(e->src[0]))
            return NULL;
      }
      return x->src[0];
   case IR_LOAD_CONST: case IR_LOAD_BUF: case IR_STORE_BUF: {
      ir_val offset = inst->src[1], known = inst->comps == 1 ? table_dword(b, inst, 0) : NULL;
      if (known)
         return known;
      if (offset->op == IR_CONST && offset->imm && offset->imm + inst->mem.offset < 0x100000) {
         inst->mem.offset += offset->imm;
         inst->src[1] = ir_imm(b, 0);
         return inst;
      }
      if (offset->op == IR_IADD && offset->src[1]->op == IR_CONST &&
          (uint64_t)offset->src[1]->imm + inst->mem.offset < MAX_OFFSET) {
         inst->mem.offset += offset->src[1]->imm;
         inst->src[1] = offset->src[0];
         return inst;
      }
      return NULL;
   }
   case IR_READFIRST:
      /* A constant term goes on to the instruction that has room for it. */
      if (x->op == IR_IADD && x->src[1]->op == IR_CONST)
         return ir_iadd(b, ir_op1(b, IR_READFIRST, x->src[0]), x->src[1]);
      return x->op == IR_CONST || x->op == IR_READFIRST || x->op == IR_READ_LANE ? x : NULL;
   case IR_DDX: case IR_DDY:
      return x->op == IR_CONST ? ir_imm(b, 0) : NULL;
   default:
      return NULL;
   }
}

/* One value, and the phi itself. */
static ir_val
simplify_phi(struct ir_builder *b, struct ir_inst *phi)
{
   ir_val same = NULL;
   (void)b;
   for (unsigned i = 0; i < phi->num_src; i++) {
      if (phi->src[i] == phi || phi->src[i] == same)
         continue;
      if (same)
         return NULL;
      same = phi->src[i];
   }
   return same;
}

/* Which rules an operation has, besides that of constants. */
typedef ir_val (*rule)(struct ir_builder *b, struct ir_inst *inst);
static const rule rules[IR_OP_COUNT] = {
   [IR_PHI] = simplify_phi,
   [IR_BNOT] = simplify_bool, [IR_BAND] = simplify_bool, [IR_BOR] = simplify_bool, [IR_SELECT] = simplify_bool,
   [IR_FNEG] = simplify_float, [IR_FABS] = simplify_float, [IR_FSAT] = simplify_float, [IR_FRCP] = simplify_float,
   [IR_FADD] = simplify_float, [IR_FMUL] = simplify_float, [IR_FMUL_LEGACY] = simplify_float, [IR_FMAD] = simplify_float,
   [IR_FMIN] = simplify_float, [IR_FMAX] = simplify_float,
   [IR_IADD] = ir_simplify_sum, [IR_ISUB] = ir_simplify_sum, [IR_IEQ] = ir_simplify_equal, [IR_INE] = ir_simplify_equal,
   [IR_UBFE] = ir_simplify_field, [IR_IBFE] = ir_simplify_field, [IR_UMIN] = ir_simplify_min,
   [IR_IMUL] = ir_simplify_product, [IR_UMUL24] = ir_simplify_product,
   [IR_SHL] = ir_simplify_shift, [IR_LSHR] = ir_simplify_shift, [IR_ASHR] = ir_simplify_shift,
   [IR_IAND] = ir_simplify_and, [IR_IOR] = ir_simplify_or, [IR_IXOR] = ir_simplify_or,
   [IR_INOT] = ir_simplify_twice, [IR_INEG] = ir_simplify_twice,
   [IR_EXTRACT] = simplify_memory, [IR_VEC] = simplify_memory, [IR_LOAD_CONST] = simplify_memory,
   [IR_LOAD_BUF] = simplify_memory, [IR_STORE_BUF] = simplify_memory, [IR_READFIRST] = simplify_memory,
   [IR_DDX] = simplify_memory, [IR_DDY] = simplify_memory,
};

/* What stands for the value; `inst` itself: it has changed; NULL: nothing better is known. */
static ir_val
simplify(struct ir_builder *b, struct ir_inst *inst)
{
   ir_val r = NULL;
   if (!inst->num_src)
      return NULL;
   if (inst->num_src <= 3 && inst->comps == 1 && (ir_info(inst)->flags & IR_F_PURE))
      r = fold_constants(b, inst);
   if (!r && rules[inst->op])
      r = rules[inst->op](b, inst);
   return r;
}

bool
ir_opt_algebraic(struct ir_shader *sh)
{
   /* New values are made while the pass runs; they are not looked at again in
    * this round, and count as used often. */
   const uint32_t num = sh->num_ids;
   struct ir_builder at = { .sh = sh };
   bool progress = false;
   ir_foreach_block(sh, b) {
      ir_foreach_inst_safe(b, inst) {
         if (inst->id >= num)
            continue;
         ir_update_sources(inst);
         /* Nothing is made for a phi: new code must not stand between them. */
         at.before = inst;
         ir_val r = simplify(&at, inst);
         if (r && r != inst)
            ir_replace(inst, r);
         progress |= r != NULL;
      }
      if (b->cond)
         b->cond = ir_now(b->cond);
   }
   ir_update_loop_phis(sh);
   return progress;
}
