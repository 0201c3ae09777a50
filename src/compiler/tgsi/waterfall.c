/* SPDX-License-Identifier: MIT */
/* Resources that differ between lanes. The hardware takes descriptors from
 * scalar registers, so an instruction whose resource index or handle may differ
 * runs in a loop, once per distinct value:
 *
 *    loop
 *       now = the index of the first lane that is here  (uniform)
 *       if (index == now)
 *          run the instruction with `now`, and leave
 *
 * Where all lanes agree that is one round. Instructions behind it that take the
 * same index run in the same round, with what little stands between them
 * (waterfall_run.c finds them): each lane still runs each of them once.
 *
 * An instruction that looks at neighbours (derivatives, level of detail) needs
 * whole quads: it runs in all lanes in every round, `todo` holds the lanes that
 * still wait for theirs, and its result is kept where it belongs. */
#include "tr.h"

static bool
is_resource_file(unsigned file)
{
   return file == TGSI_FILE_SAMPLER || file == TGSI_FILE_SAMPLER_VIEW || file == TGSI_FILE_BUFFER ||
          file == TGSI_FILE_IMAGE;
}

bool
tr_looks_at_neighbours(const struct tr *t)
{
   if (t->stage != TGSIAMD_PS)
      return false;
   switch (t->inst->Instruction.Opcode) {
   case TGSI_OPCODE_TEX: case TGSI_OPCODE_TXB: case TGSI_OPCODE_TXP: case TGSI_OPCODE_TEX2:
   case TGSI_OPCODE_TXB2: case TGSI_OPCODE_LODQ: case TGSI_OPCODE_SAMPLE: case TGSI_OPCODE_SAMPLE_B:
   case TGSI_OPCODE_SAMPLE_C: case TGSI_OPCODE_LOD: case TGSI_OPCODE_DDX: case TGSI_OPCODE_DDY:
   case TGSI_OPCODE_DDX_FINE: case TGSI_OPCODE_DDY_FINE: case TGSI_OPCODE_INTERP_OFFSET:
   case TGSI_OPCODE_INTERP_SAMPLE:
      return true;
   default:
      return false;
   }
}

static bool
is_value_file(unsigned file)
{
   return file == TGSI_FILE_TEMPORARY || file == TGSI_FILE_CONSTANT || file == TGSI_FILE_INPUT ||
          file == TGSI_FILE_IMMEDIATE || file == TGSI_FILE_SYSTEM_VALUE;
}

/* Opcodes that may have a handle where others have a resource. */
static bool
takes_handles(const struct tr *t)
{
   const struct tgsi_instruction *inst = &t->inst->Instruction;
   return inst->Texture || inst->Memory;
}

/* Is source n a handle? Those opcodes have a resource there. */
bool
tr_is_handle(const struct tr *t, unsigned n)
{
   if (!takes_handles(t))
      return false;
   const unsigned opcode = t->inst->Instruction.Opcode;
   const struct tgsi_opcode_info *info = tgsi_get_opcode_info(opcode);
   const struct tgsi_src_register *src = &t->inst->Src[n].Register;
   bool resource = false;

   if (info->is_tex && opcode != TGSI_OPCODE_SAMP2HND)
      resource = t->inst->Instruction.Texture && n + 1 == t->inst->Instruction.NumSrcRegs;
   else if (t->inst->Instruction.Memory && t->inst->Memory.Texture != TGSI_TEXTURE_UNKNOWN)
      resource = n == 0 && opcode != TGSI_OPCODE_STORE && (opcode == TGSI_OPCODE_LOAD ||
                 opcode == TGSI_OPCODE_RESQ || info->is_store);
   if (opcode == TGSI_OPCODE_LOAD && src->File == TGSI_FILE_CONSTANT && !src->Dimension)
      return false; /* a constant buffer */
   return resource && is_value_file(src->File);
}

bool
tr_dst_is_handle(const struct tr *t)
{
   return t->inst->Instruction.Opcode == TGSI_OPCODE_STORE && is_value_file(t->inst->Dst[0].Register.File);
}

static void
dst_handle_dwords(struct tr *t, ir_val v[2])
{
   const struct tgsi_dst_register *dst = &t->inst->Dst[0].Register;

   if (dst->Indirect || dst->Dimension)
      tr_error(t, "the handle's register is computed");
   for (unsigned k = 0; k < 2; k++)
      v[k] = tr_fetch(t, dst->File, dst->Index, k);
}

static struct tr_choice *
add_choice(struct tr *t)
{
   struct tr_waterfall *w = &t->waterfall;

   if (w->num == TR_MAX_RESOURCES) {
      tr_error(t, "more than %u resources that differ between lanes", TR_MAX_RESOURCES);
      return NULL;
   }
   struct tr_choice *c = &w->choices[w->num++];
   memset(c, 0, sizeof(*c));
   return c;
}

static void
add_index(struct tr *t, const struct tgsi_ind_register *ind)
{
   struct tr_choice *c;

   if (tr_index_uniform(t, ind) || !(c = add_choice(t)))
      return;
   c->operand = ind;
   c->place[0] = tr_trace(t, ind->File, ind->Index, ind->Swizzle);
   c->num = 1;
}

static void
add_handle(struct tr *t, const void *operand, unsigned file, int index, bool computed, unsigned x, unsigned y)
{
   struct tr_choice *c = add_choice(t);

   if (!c)
      return;
   c->operand = operand;
   c->num = 2;
   c->place[0] = tr_trace(t, file, index, x);
   c->place[1] = tr_trace(t, file, index, y);
   if (computed)
      c->place[0].def = c->place[1].def = TR_NO_DEF;
}

/* The operands of the current instruction that choose a resource. */
void
tr_find_choices(struct tr *t)
{
   const struct tgsi_full_instruction *inst = t->inst;
   const bool handles = takes_handles(t);

   t->waterfall.num = 0;
   for (unsigned i = 0; i < inst->Instruction.NumSrcRegs; i++) {
      const struct tgsi_full_src_register *src = &inst->Src[i];
      if (!handles && !src->Register.Indirect && !src->Register.Dimension)
         continue;
      if (src->Register.Indirect && is_resource_file(src->Register.File))
         add_index(t, &src->Indirect);
      if (src->Register.Dimension && src->Dimension.Indirect &&
          (src->Register.File == TGSI_FILE_CONSTANT || src->Register.File == TGSI_FILE_HW_ATOMIC))
         add_index(t, &src->DimIndirect);
      if (src->Register.Indirect && src->Register.File == TGSI_FILE_CONSTBUF)
         add_index(t, &src->Indirect);
      if (tr_is_handle(t, i) && !tr_handle_uniform(t, src))
         add_handle(t, src, src->Register.File, src->Register.Index, src->Register.Indirect || src->Register.Dimension,
                    tr_swizzle(src, 0), tr_swizzle(src, 1));
   }
   if (tr_dst_is_handle(t) && !tr_dst_handle_uniform(t)) {
      const struct tgsi_dst_register *dst = &inst->Dst[0].Register;
      add_handle(t, &inst->Dst[0], dst->File, dst->Index, dst->Indirect || dst->Dimension, 0, 1);
   }
   for (unsigned i = 0; i < inst->Instruction.NumDstRegs; i++) {
      const struct tgsi_full_dst_register *dst = &inst->Dst[i];
      if (dst->Register.Indirect && is_resource_file(dst->Register.File))
         add_index(t, &dst->Indirect);
   }
}

/* What the choice is made of, per lane. */
static void
choice_values(struct tr *t, const struct tr_choice *c, ir_val v[2])
{
   if (c->num == 1) {
      v[0] = tr_address(t, c->operand);
      return;
   }
   if (c->operand == &t->inst->Dst[0]) {
      dst_handle_dwords(t, v);
      return;
   }
   for (unsigned k = 0; k < 2; k++)
      v[k] = tr_src_raw(t, (const struct tgsi_full_src_register *)c->operand - t->inst->Src, k);
}

/* Chooses for this round, as `lane` does or the first that is here; true for the
 * lanes that agree with it. */
static ir_val
choose(struct tr *t, ir_val lane)
{
   struct tr_waterfall *w = &t->waterfall;
   struct ir_builder *b = B(t);
   ir_val match = NULL;

   w->num_now = w->num;
   for (unsigned i = 0; i < w->num; i++) {
      ir_val v[2];
      choice_values(t, &w->choices[i], v);
      w->now[i] = w->choices[i];
      for (unsigned k = 0; k < w->now[i].num; k++) {
         w->now[i].value[k] = lane ? ir_read_lane(b, v[k], lane) : ir_op1(b, IR_READFIRST, v[k]);
         ir_val same = ir_ieq(b, v[k], w->now[i].value[k]);
         match = match ? ir_op2(b, IR_BAND, match, same) : same;
      }
   }
   return match;
}

static bool
has_result(const struct tr *t)
{
   if (!t->inst->Instruction.NumDstRegs || t->inst->Instruction.Opcode == TGSI_OPCODE_STORE)
      return false;
   const unsigned file = t->inst->Dst[0].Register.File;
   return file == TGSI_FILE_TEMPORARY || file == TGSI_FILE_OUTPUT || file == TGSI_FILE_ADDRESS;
}

/* Lanes of a round go where no other lane is; `open` to `close`. */
static void
open_round(struct tr *t)
{
   ir_loop(B(t));
   ir_if(B(t), choose(t, NULL));
}

static void
close_round(struct tr *t)
{
   t->waterfall.num_now = 0;
   ir_break(B(t));
   ir_endif(B(t));
   ir_endloop(B(t));
}

static void
run_in_quads(struct tr *t)
{
   struct tr_waterfall *w = &t->waterfall;
   struct ir_builder *b = B(t);
   const bool result = has_result(t);
   const uint32_t todo_var = ir_var(t->sh, "todo"), lane_var = ir_var(t->sh, "lane");

   if (t->inst->Instruction.NumDstRegs > 1) {
      tr_error(t, "resources of an instruction with two results may differ between lanes");
      return;
   }
   for (unsigned c = 0; c < 4 && result; c++) {
      w->result[c] = ir_var(t->sh, "result");
      if (tr_mask(t) & (1u << c))
         ir_store_var(b, w->result[c], ir_imm(b, 0));
   }
   ir_store_var(b, todo_var, ir_imm(b, ~0u));
   ir_store_var(b, lane_var, ir_op1(b, IR_FIRST_LANE, tr_true(t)));
   ir_loop(b);
   ir_val todo = ir_i2b(b, ir_load_var(b, todo_var));
   ir_val match = ir_op2(b, IR_BAND, todo, choose(t, ir_load_var(b, lane_var)));
   w->capture = result;
   w->match = match;
   t->op->handler(t);
   w->capture = false;
   w->num_now = 0;
   todo = ir_op2(b, IR_BAND, todo, ir_op1(b, IR_BNOT, match));
   ir_store_var(b, todo_var, ir_b2i(b, todo));
   ir_val lane = ir_op1(b, IR_FIRST_LANE, todo);
   ir_store_var(b, lane_var, lane);
   ir_if(b, ir_ieq(b, lane, ir_imm(b, ~0u)));
   ir_break(b);
   ir_endif(b);
   ir_endloop(b);
   if (result && !t->sh->error) {
      ir_val v[4] = { NULL };
      for (unsigned c = 0; c < 4; c++) {
         if (tr_mask(t) & (1u << c))
            v[c] = ir_load_var(b, w->result[c]);
      }
      tr_dst(t, v);
   }
}

void
tr_run(struct tr *t)
{
   /* Control flow asks for its one value by tr_src_each. */
   t->waterfall.num = 0;
   if (!tr_splits_blocks(t->inst->Instruction.Opcode))
      tr_find_choices(t);
   if (!t->waterfall.num || t->sh->error) {
      t->op->handler(t);
      return;
   }
   if (tr_looks_at_neighbours(t)) {
      run_in_quads(t);
      return;
   }
   uint32_t last = tr_last_of_round(t);
   open_round(t);
   for (t->op->handler(t); t->pc < last && !t->sh->error; t->op->handler(t)) {
      t->inst = &t->scan->insts[++t->pc];
      t->op = &tr_ops[t->inst->Instruction.Opcode];
      tr_find_choices(t);
   }
   close_round(t);
}

ir_val
tr_src_each(struct tr *t, unsigned n, enum tgsi_opcode_type type)
{
   tr_find_choices(t);
   if (!t->waterfall.num || t->sh->error)
      return tr_src_as(t, n, 0, type);
   const uint32_t var = ir_var(t->sh, "operand");
   open_round(t);
   ir_store_var(B(t), var, tr_src_as(t, n, 0, type));
   close_round(t);
   return ir_load_var(B(t), var);
}

/* Saturation is left to the real write. */
void
tr_capture(struct tr *t, ir_val vals[4])
{
   struct tr_waterfall *w = &t->waterfall;

   for (unsigned c = 0; c < 4; c++) {
      if (!(tr_mask(t) & (1u << c)))
         continue;
      ir_val v = vals[c];
      if (w->match)
         v = ir_select(B(t), w->match, v, ir_load_var(B(t), w->result[c]));
      ir_store_var(B(t), w->result[c], v);
   }
}

/* The operand's choice in this round; NULL: not one that differs. */
static const struct tr_choice *
find_choice(const struct tr *t, const void *operand)
{
   const struct tr_waterfall *w = &t->waterfall;

   for (unsigned i = 0; i < w->num && w->num_now; i++) {
      for (unsigned k = 0; k < w->num_now && w->choices[i].operand == operand; k++) {
         if (tr_same_choice(&w->choices[i], &w->now[k]))
            return &w->now[k];
      }
   }
   return NULL;
}

ir_val
tr_chosen_index(struct tr *t, const struct tgsi_ind_register *ind)
{
   const struct tr_choice *c = find_choice(t, ind);
   return c ? c->value[0] : NULL;
}

static ir_val
uniform_pair(struct tr *t, const struct tr_choice *c, ir_val v[2])
{
   for (unsigned k = 0; k < 2; k++)
      v[k] = c ? c->value[k] : ir_op1(B(t), IR_READFIRST, v[k]);
   return ir_vec(B(t), 2, v);
}

ir_val
tr_handle(struct tr *t, unsigned n)
{
   ir_val v[2] = { tr_src_raw(t, n, 0), tr_src_raw(t, n, 1) };
   return uniform_pair(t, find_choice(t, &t->inst->Src[n]), v);
}

ir_val
tr_dst_handle(struct tr *t)
{
   ir_val v[2];

   dst_handle_dwords(t, v);
   return uniform_pair(t, find_choice(t, &t->inst->Dst[0]), v);
}
