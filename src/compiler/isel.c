/* SPDX-License-Identifier: MIT */
/* Instruction selection: decides for every value between SGPR and VGPR, walks
 * the blocks, and makes phis copies: each phi has units that its predecessors
 * write at their ends, and that the phi's own register is copied from. The
 * coalescer removes what it can of that. */
#include <stdlib.h>

#include "isel.h"

static bool
is_scalar_alu(const struct isel *s, const struct ir_inst *inst)
{
   switch (inst->op) {
   case IR_SELECT: case IR_INEG: case IR_IABS: case IR_PHI: case IR_VEC: case IR_EXTRACT: case IR_CONST: case IR_UNDEF:
      return true;
   case IR_UBFE: case IR_IBFE: /* one operand has offset and width */
      return inst->src[1]->op == IR_CONST && inst->src[2]->op == IR_CONST;
   default:
      return s->t->alu[inst->op].valu && s->t->alu[inst->op].salu != ISA_OP_COUNT && inst->num_src <= 2;
   }
}

static bool
always_scalar(const struct ir_inst *inst)
{
   return inst->op == IR_LOAD_DESC || inst->op == IR_READFIRST || inst->op == IR_BALLOT || inst->op == IR_FIRST_LANE ||
          inst->op == IR_READ_LANE || inst->op == IR_CLOCK || inst->op == IR_LIST_ADDR || inst->op == IR_TABLE || inst->op == IR_LOAD_DESC_AT ||
          (inst->op == IR_SYSVAL && !inst->divergent) ||
          (inst->op == IR_LOAD_CONST && !inst->src[1]->divergent && !inst->src[0]->divergent);
}

static bool
source_is_scalar(const struct isel *s, ir_val v)
{
   if (v->op == IR_CONST || v->op == IR_UNDEF)
      return true;
   return v->type == IR_TYPE_BOOL ? s->vals[v->id].scalar_bool : s->vals[v->id].sgpr;
}

static bool
sources_are_scalar(const struct isel *s, const struct ir_inst *inst)
{
   for (unsigned i = 0; i < inst->num_src; i++) {
      if (!source_is_scalar(s, inst->src[i]))
         return false;
   }
   return true;
}

/* One source is made behind it. */
static bool
is_loop_phi(const struct ir_inst *inst)
{
   return inst->op == IR_PHI && inst->block->loop && inst->block->loop->header == inst->block;
}

static void
choose_bank(struct isel *s, const struct ir_inst *inst)
{
   struct isel_val *v = &s->vals[inst->id];
   v->reg = ISA_NONE;
   if (inst->divergent)
      return;
   bool scalar = always_scalar(inst) || (is_scalar_alu(s, inst) && (is_loop_phi(inst) || sources_are_scalar(s, inst)));
   if (inst->type == IR_TYPE_BOOL)
      v->scalar_bool = scalar && inst->op >= IR_ILT && inst->op <= IR_INE;
   else
      v->sgpr = scalar;
}

/* Starts from "all uniform values in SGPRs" and takes back what has no scalar
 * instruction, in loops until nothing changes. */
static void
choose_banks(struct isel *s)
{
   ir_foreach_block(s->sh, b) {
      ir_foreach_inst(b, inst)
         choose_bank(s, inst);
   }
   for (bool changed = s->sh->loops; changed;) {
      changed = false;
      ir_foreach_block(s->sh, b) {
         ir_foreach_inst(b, inst) {
            struct isel_val *v = &s->vals[inst->id];
            if (!(v->sgpr || v->scalar_bool) || always_scalar(inst) || sources_are_scalar(s, inst))
               continue;
            v->sgpr = v->scalar_bool = false;
            changed = true;
         }
      }
   }
}

/* Two SGPRs that differ do not go into one vector instruction. */
static void
count_clashes(struct isel *s, const struct ir_inst *inst)
{
   struct isel_val *first = NULL;
   if (inst->num_src < 2 || s->vals[inst->id].sgpr)
      return;
   for (unsigned i = 0; i < inst->num_src; i++) {
      const struct ir_inst *src = inst->src[i];
      while (src->op == IR_FNEG || src->op == IR_FABS)
         src = src->src[0];
      struct isel_val *v = &s->vals[src->id];
      if (!v->sgpr || src->comps > 2 || src->op == IR_CONST || v == first)
         continue;
      if (first) {
         v->clashes += v->clashes < UINT16_MAX;
         first->clashes += first->clashes < UINT16_MAX;
      }
      first = v;
   }
}

static void
select_vec(struct isel *s, struct ir_inst *inst)
{
   mir_reg there = isel_neighbours(s, inst->src, inst->num_src);
   if (there != ISA_NONE && mir_reg_is_sgpr(s->p, there) == s->vals[inst->id].sgpr) {
      isel_def(s, inst, there);
      return;
   }
   mir_reg def = isel_new_def(s, inst);
   for (unsigned i = 0; i < inst->num_src; i++)
      isel_copy(s, def + i, isel_opnd(s, inst->src[i], false));
}

static void
select_phi(struct isel *s, struct ir_inst *phi)
{
   mir_reg def = isel_new_def(s, phi);
   for (unsigned i = 0; i < phi->comps; i++)
      isel_copy(s, def + i, isel_reg(s->phi_in[phi->id] + i));
}

static void
select_inst(struct isel *s, struct ir_inst *inst)
{
   switch (inst->op) {
   case IR_CONST: case IR_UNDEF:
      if (inst->comps > 1) {
         mir_reg def = isel_new_def(s, inst);
         for (unsigned i = 0; i < inst->comps; i++)
            isel_copy(s, def + i, isel_imm(0));
      }
      return;
   case IR_VEC:
      select_vec(s, inst);
      return;
   case IR_EXTRACT:
      isel_def(s, inst, s->vals[inst->src[0]->id].reg + inst->imm);
      return;
   case IR_PHI:
      select_phi(s, inst);
      return;
   case IR_TEX:
      isel_tex(s, inst);
      return;
   default:
      break;
   }
   if (s->t->alu[inst->op].valu || (!isel_memory(s, inst) && !isel_shared(s, inst) && !isel_io(s, inst)))
      isel_alu(s, inst);
}

/* Copies at the end of `b` for the phis of its successors. */
static void
phi_copies(struct isel *s, struct ir_block *b)
{
   for (unsigned k = 0; k < 2; k++) {
      struct ir_block *succ = b->succ[k];
      if (!succ)
         continue;
      const uint32_t index = s->pred_of[2 * b->index + k];
      ir_foreach_inst(succ, phi) {
         if (phi->op != IR_PHI)
            break;
         ir_val v = phi->src[index];
         for (unsigned i = 0; i < phi->comps; i++) {
            mir_reg in = s->phi_in[phi->id] + i;
            if (v->op == IR_UNDEF) {
               isel_emit(s, MIR_UNDEF, in, 1);
            } else if (phi->comps > 1) {
               isel_copy(s, in, isel_reg(s->vals[v->id].reg + i));
            } else if (s->vals[phi->id].sgpr && v->op != IR_CONST) {
               isel_early_undefs(s, b, v);
               isel_copy(s, in, isel_reg(isel_to_sgpr(s, v)));
            } else {
               isel_copy(s, in, isel_opnd(s, v, false));
            }
         }
      }
   }
}

/* Which of its successors' predecessors a block is: phis have their sources by that. */
static void
number_preds(struct isel *s)
{
   ir_foreach_block(s->sh, b) {
      for (uint32_t i = b->num_preds; i-- > 0;) {
         const struct ir_block *p = b->preds[i];
         for (unsigned k = 0; k < 2; k++) {
            if (p->succ[k] == b)
               s->pred_of[2 * p->index + k] = i;
         }
      }
   }
}

static void
logical_edges(struct isel *s)
{
   ir_foreach_block(s->sh, b) {
      if (!b->reachable)
         continue;
      for (unsigned k = 0; k < 2; k++) {
         struct ir_block *succ = b->succ[k];
         if (succ && s->last[b->index] != s->first[succ->index])
            mir_logical_edge(s->p, s->last[b->index], s->first[succ->index]);
      }
   }
}

/* Where all lanes are dead: the hardware still wants an export with DONE. */
static void
emit_kill_exit(struct isel *s)
{
   if (!s->kill_exit)
      return;
   mir_block_place(s->p, s->kill_exit);
   s->block = s->kill_exit;
   isel_salu(s, ISA_S_MOV_B64, ISA_EXEC, 2, isel_imm(0), isel_reg(ISA_NONE))->side_effect = true;
   struct mir_inst *m = isel_emit(s, ISA_EXP, ISA_NONE, 0);
   m->i.exp_target = 9;
   m->i.exp_done = m->i.exp_vm = true;
   m->side_effect = true;
   isel_emit(s, ISA_S_ENDPGM, ISA_NONE, 0)->side_effect = true;
}

static void
prepare(struct isel *s)
{
   choose_banks(s);
   ir_foreach_block(s->sh, b) {
      if (b->term == IR_TERM_IF && b->reachable)
         s->uses[b->cond->id]++;
      ir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < inst->num_src; i++)
            s->uses[inst->src[i]->id]++;
         count_clashes(s, inst);
         if (inst->op == IR_PHI)
            s->phi_in[inst->id] = mir_new_reg(s->p, s->vals[inst->id].sgpr ? MIR_SGPR : MIR_VGPR, inst->comps);
      }
   }
   number_preds(s);
   isel_inputs(s);
}

struct mir_program *
isel(struct ir_shader *sh)
{
   struct isel *s = ir_arena_alloc(&sh->arena, sizeof(*s));
   memset(s, 0, offsetof(struct isel, frames));
   s->sh = sh;
   s->t = compiler_target(sh->gfx);
   s->p = mir_create(sh);
   s->p->target = s->t;
   s->p->scratch_dwords = s->p->stats.private_dwords = sh->scratch_dwords;
   s->vals = ir_alloc(sh, (sh->num_ids + 1) * sizeof(*s->vals));
   s->uses = ir_alloc(sh, (sh->num_ids + 1) * sizeof(*s->uses));
   s->phi_in = ir_alloc(sh, (sh->num_ids + 1) * sizeof(*s->phi_in));
   s->first = ir_alloc(sh, sh->num_blocks * sizeof(*s->first));
   s->last = ir_alloc(sh, sh->num_blocks * sizeof(*s->last));
   s->pred_of = ir_alloc(sh, 2 * sh->num_blocks * sizeof(*s->pred_of));
   prepare(s);
   ir_foreach_block(sh, b) {
      if (!isel_begin_block(s, b)) {
         /* An empty else is where its `if` stands. */
         if (b->reachable)
            s->first[b->index] = s->last[b->index] = s->last[b->preds[0]->index];
         else if (b->index == sh->num_blocks - 1 && !s->ended)
            isel_emit(s, ISA_S_ENDPGM, ISA_NONE, 0)->side_effect = true; /* behind an endless loop */
         continue;
      }
      s->first[b->index] = s->block;
      ir_foreach_inst(b, inst) {
         select_inst(s, inst);
         if (s->wqm)
            isel_leave_quads(s, b, inst);
         if (sh->error)
            return s->p;
      }
      phi_copies(s, b);
      s->last[b->index] = s->block;
      struct mir_inst *end = s->block->last;
      isel_end_block(s, b);
      s->last[b->index]->tail = end ? end->next : s->last[b->index]->first;
   }
   emit_kill_exit(s);
   logical_edges(s);
   mir_linear_edges(s->p);
   return s->p;
}
