/* SPDX-License-Identifier: MIT */
/* Control flow: IF, loops, SWITCH, subroutines and RET.
 *
 * The IR knows if and loop. A SWITCH is a loop of one turn: BRK leaves it, and
 * the statements of each label stand in an `if` on a variable that says whether
 * the lane has met its label. A subroutine call is expanded in place as a loop
 * of one turn that RET leaves. What must leave several constructs (RET in a
 * loop, CONT in a SWITCH) sets a variable and leaves the innermost; the
 * construct's end tests the variable and leaves the next. */
#include "ops.h"

ir_val
tr_true(struct tr *t)
{
   return ir_i2b(B(t), ir_imm(B(t), 1));
}

static struct tr_flow *
top(struct tr *t)
{
   return t->depth ? &t->flow[t->depth - 1] : NULL;
}

static struct tr_flow *
push(struct tr *t, enum tr_flow_kind kind)
{
   /* A SWITCH opens two constructs of the IR. */
   if (t->depth >= IR_MAX_NESTING / 2 - 1) {
      tr_error(t, "control flow is nested deeper than %u", IR_MAX_NESTING / 2 - 1);
      return NULL;
   }
   struct tr_flow *f = &t->flow[t->depth++];
   memset(f, 0, sizeof(*f));
   f->kind = kind;
   return f;
}

/* The innermost construct when it is of that kind, NULL and an error when not. */
static struct tr_flow *
expect(struct tr *t, enum tr_flow_kind kind)
{
   struct tr_flow *f = top(t);
   if (!f || f->kind != kind) {
      tr_error(t, "there is no matching start");
      return NULL;
   }
   return f;
}

static void
set_var(struct tr *t, uint32_t var, uint32_t value)
{
   ir_store_var(B(t), var, ir_imm(B(t), value));
}

static ir_val
test_var(struct tr *t, uint32_t var)
{
   return ir_i2b(B(t), ir_load_var(B(t), var));
}

/* The construct around the current one that BRK leaves, or -1. */
static int
enclosing(struct tr *t, unsigned from, bool loops_only)
{
   for (int i = (int)from - 1; i >= 0; i--) {
      if (t->flow[i].kind == TR_FLOW_CALL)
         return -1; /* a subroutine cannot leave its caller's loop */
      if (t->flow[i].kind == TR_FLOW_LOOP || (!loops_only && t->flow[i].kind == TR_FLOW_SWITCH))
         return i;
   }
   return -1;
}

static void
begin_if(struct tr *t, ir_val cond)
{
   if (push(t, TR_FLOW_IF))
      ir_if(B(t), cond);
}

void
tr_op_if(struct tr *t)
{
   begin_if(t, ir_fne(B(t), tr_src_each(t, 0, TGSI_TYPE_FLOAT), ir_imm(B(t), 0)));
}

void
tr_op_uif(struct tr *t)
{
   begin_if(t, ir_i2b(B(t), tr_src_each(t, 0, TGSI_TYPE_UNSIGNED)));
}

void
tr_op_else(struct tr *t)
{
   struct tr_flow *f = expect(t, TR_FLOW_IF);
   if (!f)
      return;
   if (f->has_else) {
      tr_error(t, "second ELSE of one IF");
      return;
   }
   f->has_else = true;
   ir_else(B(t));
}

void
tr_op_endif(struct tr *t)
{
   if (expect(t, TR_FLOW_IF)) {
      ir_endif(B(t));
      t->depth--;
   }
}

/* After a construct that RET may have left: leave the one around it too. */
static void
propagate_return(struct tr *t)
{
   if (!t->need_return_var)
      return;
   for (int i = (int)t->depth - 1; i >= 0; i--) {
      if (t->flow[i].kind != TR_FLOW_IF) {
         ir_if(B(t), test_var(t, t->return_var));
         ir_break(B(t));
         ir_endif(B(t));
         return;
      }
   }
}

void
tr_op_bgnloop(struct tr *t)
{
   if (push(t, TR_FLOW_LOOP))
      ir_loop(B(t));
}

void
tr_op_endloop(struct tr *t)
{
   if (!expect(t, TR_FLOW_LOOP))
      return;
   ir_endloop(B(t));
   t->depth--;
   propagate_return(t);
}

void
tr_op_brk(struct tr *t)
{
   if (enclosing(t, t->depth, false) < 0)
      tr_error(t, "outside of a loop or SWITCH");
   else
      ir_break(B(t));
}

void
tr_op_cont(struct tr *t)
{
   int loop = enclosing(t, t->depth, true);
   int inner = enclosing(t, t->depth, false);

   if (loop < 0) {
      tr_error(t, "outside of a loop");
   } else if (loop == inner) {
      ir_continue(B(t));
   } else {
      for (int i = loop + 1; i < (int)t->depth; i++) {
         if (t->flow[i].kind == TR_FLOW_SWITCH) {
            set_var(t, t->flow[i].continue_var, ~0u);
            t->flow[i].uses_continue = true;
         }
      }
      ir_break(B(t));
   }
}

/* True when any CASE behind the label at `pc` has the selector's value. */
static ir_val
match_later_case(struct tr *t, uint32_t pc, ir_val selector)
{
   const struct tgsi_full_instruction *saved = t->inst;
   ir_val any = NULL;
   unsigned depth = 0;

   for (uint32_t i = pc + 1; i < t->scan->num_insts; i++) {
      const struct tgsi_full_instruction *inst = &t->scan->insts[i];
      unsigned op = inst->Instruction.Opcode;
      if (op == TGSI_OPCODE_SWITCH)
         depth++;
      if (op == TGSI_OPCODE_ENDSWITCH && depth-- == 0)
         break;
      if (op == TGSI_OPCODE_CASE && depth == 0) {
         t->inst = inst;
         ir_val eq = ir_ieq(B(t), selector, tr_src_each(t, 0, TGSI_TYPE_UNSIGNED));
         any = any ? ir_op2(B(t), IR_BOR, any, eq) : eq;
      }
   }
   t->inst = saved;
   return any ? any : ir_i2b(B(t), ir_imm(B(t), 0));
}

void
tr_op_switch(struct tr *t)
{
   ir_val selector = tr_src_each(t, 0, TGSI_TYPE_UNSIGNED);
   struct tr_flow *f = push(t, TR_FLOW_SWITCH);
   if (!f)
      return;
   f->selector = selector;
   f->active_var = ir_var(t->sh, "switch");
   f->continue_var = ir_var(t->sh, "continue");
   set_var(t, f->active_var, 0);
   set_var(t, f->continue_var, 0);
   ir_loop(B(t));
}

/* A label: lanes for which `match` holds run from here on. */
static void
begin_label(struct tr *t, struct tr_flow *f, ir_val match)
{
   ir_val active = ir_ior(B(t), ir_load_var(B(t), f->active_var), ir_b2i(B(t), match));
   ir_store_var(B(t), f->active_var, active);
   ir_if(B(t), ir_i2b(B(t), active));
   f->body_open = true;
}

static void
end_label(struct tr *t, struct tr_flow *f)
{
   if (f->body_open)
      ir_endif(B(t));
   f->body_open = false;
}

void
tr_op_case(struct tr *t)
{
   struct tr_flow *f = expect(t, TR_FLOW_SWITCH);
   if (!f)
      return;
   end_label(t, f);
   begin_label(t, f, ir_ieq(B(t), f->selector, tr_src_each(t, 0, TGSI_TYPE_UNSIGNED)));
}

void
tr_op_default(struct tr *t)
{
   struct tr_flow *f = expect(t, TR_FLOW_SWITCH);
   if (!f)
      return;
   end_label(t, f);
   /* Who has met its case is gone or active. */
   begin_label(t, f, ir_op1(B(t), IR_BNOT, match_later_case(t, t->pc, f->selector)));
}

void
tr_op_endswitch(struct tr *t)
{
   struct tr_flow *f = expect(t, TR_FLOW_SWITCH);
   if (!f)
      return;
   end_label(t, f);
   ir_break(B(t));
   ir_endloop(B(t));
   t->depth--;
   if (f->uses_continue) {
      ir_if(B(t), test_var(t, f->continue_var));
      if (enclosing(t, t->depth, true) == enclosing(t, t->depth, false))
         ir_continue(B(t));
      else
         ir_break(B(t)); /* of the SWITCH around; it has the flag too */
      ir_endif(B(t));
   }
   propagate_return(t);
}

void
tr_op_nop(struct tr *t)
{
   (void)t;
}

/* True when the program from `first` to its end returns from inside of a loop
 * or SWITCH. */
static bool
returns_from_loop(const struct tr *t, uint32_t first, bool is_call)
{
   unsigned depth = 0;

   for (uint32_t i = first; i < t->scan->num_insts; i++) {
      switch (t->scan->insts[i].Instruction.Opcode) {
      case TGSI_OPCODE_BGNLOOP:
      case TGSI_OPCODE_SWITCH:
         depth++;
         break;
      case TGSI_OPCODE_ENDLOOP:
      case TGSI_OPCODE_ENDSWITCH:
         depth -= depth > 0;
         break;
      case TGSI_OPCODE_RET:
         if (depth)
            return true;
         break;
      case TGSI_OPCODE_ENDSUB:
         if (is_call)
            return false;
         break;
      case TGSI_OPCODE_END:
         return false;
      }
   }
   return false;
}

/* A RET right before the end does nothing. */
static bool
is_last(const struct tr *t, uint32_t pc)
{
   if (pc + 1 >= t->scan->num_insts)
      return false;
   unsigned next = t->scan->insts[pc + 1].Instruction.Opcode;
   return next == TGSI_OPCODE_END || next == TGSI_OPCODE_ENDSUB;
}

static bool
has_return(const struct tr *t, uint32_t first)
{
   for (uint32_t i = first; i < t->scan->num_insts; i++) {
      unsigned op = t->scan->insts[i].Instruction.Opcode;
      if (op == TGSI_OPCODE_RET && !is_last(t, i))
         return true;
      if (op == TGSI_OPCODE_END || op == TGSI_OPCODE_ENDSUB)
         return false;
   }
   return false;
}

/* RET: leaves the innermost loop of the IR inside of the subroutine or main. */
void
tr_op_ret(struct tr *t)
{
   if (is_last(t, t->pc))
      return;
   if (t->need_return_var)
      set_var(t, t->return_var, ~0u);
   ir_break(B(t));
}

static void
translate_one(struct tr *t)
{
   const unsigned opcode = t->inst->Instruction.Opcode;

   t->op = &tr_ops[opcode];
   if (!t->op->handler) {
      tr_error(t, "this opcode is not supported");
      return;
   }
   if (++t->num_translated > TR_MAX_INLINED) {
      tr_error(t, "the program is longer than %u instructions", TR_MAX_INLINED);
      return;
   }
   tr_run(t);
}

/* Translates from `first` to END (main) or ENDSUB (subroutine). */
void
tr_body(struct tr *t, uint32_t first, bool is_call)
{
   const uint32_t saved_var = t->return_var;
   const bool saved_need = t->need_return_var, wrap = has_return(t, first);
   const unsigned end = is_call ? TGSI_OPCODE_ENDSUB : TGSI_OPCODE_END;
   uint32_t depth, pc;

   t->need_return_var = returns_from_loop(t, first, is_call);
   if (t->need_return_var) {
      t->return_var = ir_var(t->sh, "return");
      set_var(t, t->return_var, 0);
   }
   if (!push(t, TR_FLOW_CALL))
      return;
   if (wrap)
      ir_loop(B(t));
   depth = t->depth;

   for (pc = first; pc < t->scan->num_insts && !t->sh->error; pc++) {
      t->pc = pc;
      t->inst = &t->scan->insts[pc];
      if (t->inst->Instruction.Opcode == end)
         break;
      ir_origin(t->sh, pc);
      translate_one(t);
      pc = t->pc; /* more than one when they share a round of a waterfall */
   }
   if (!t->sh->error && pc == t->scan->num_insts)
      tr_error(t, "the program has no %s", is_call ? "ENDSUB" : "END");
   if (!t->sh->error && t->depth != depth)
      tr_error(t, "control flow is still open");
   if (t->sh->error)
      return;

   if (wrap) {
      ir_break(B(t));
      ir_endloop(B(t));
   }
   t->depth--;
   t->return_var = saved_var;
   t->need_return_var = saved_need;
}

void
tr_op_cal(struct tr *t)
{
   const struct tgsi_full_instruction *inst = t->inst;
   const uint32_t pc = t->pc, label = inst->Label.Label;

   if (!inst->Instruction.Label || label >= t->scan->num_insts ||
       t->scan->insts[label].Instruction.Opcode != TGSI_OPCODE_BGNSUB) {
      tr_error(t, "the label is no subroutine");
      return;
   }
   if (t->call_depth >= TR_MAX_CALL_DEPTH) {
      tr_error(t, "calls are nested deeper than %u", TR_MAX_CALL_DEPTH);
      return;
   }
   t->call_depth++;
   tr_body(t, label + 1, true);
   t->call_depth--;
   t->inst = t->sh->error ? t->inst : inst;
   t->pc = t->sh->error ? t->pc : pc;
}
