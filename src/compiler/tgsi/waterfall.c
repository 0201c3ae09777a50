/* SPDX-License-Identifier: MIT */
/* Resources that differ between lanes. The hardware takes descriptors from
 * scalar registers, so an instruction whose resource index or handle may differ
 * runs in a loop, once per distinct value:
 *
 *    todo = all lanes
 *    do {
 *       now = the index of the first lane of todo     (uniform)
 *       run the instruction with it, for lanes with this index
 *       todo &= ~those lanes
 *    } while (todo)
 *
 * The loop is uniform. An instruction that looks at neighbours (derivatives,
 * level of detail) runs in all lanes and its result is kept where it belongs, so
 * quads stay whole; others run under a condition. */
#include "tr.h"

static bool
is_resource_file(unsigned file)
{
   return file == TGSI_FILE_SAMPLER || file == TGSI_FILE_SAMPLER_VIEW || file == TGSI_FILE_BUFFER ||
          file == TGSI_FILE_IMAGE;
}

static bool
looks_at_neighbours(const struct tr *t)
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
is_control_flow(unsigned opcode)
{
   return opcode == TGSI_OPCODE_IF || opcode == TGSI_OPCODE_UIF || opcode == TGSI_OPCODE_SWITCH ||
          opcode == TGSI_OPCODE_CASE;
}

static bool
is_value_file(unsigned file)
{
   return file == TGSI_FILE_TEMPORARY || file == TGSI_FILE_CONSTANT || file == TGSI_FILE_INPUT ||
          file == TGSI_FILE_IMMEDIATE || file == TGSI_FILE_SYSTEM_VALUE;
}

/* Is source n a handle? Those opcodes have a resource there. */
bool
tr_is_handle(const struct tr *t, unsigned n)
{
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
   c->value[0] = tr_address(t, ind);
}

static void
find_choices(struct tr *t)
{
   const struct tgsi_full_instruction *inst = t->inst;

   t->waterfall.num = 0;
   for (unsigned i = 0; i < inst->Instruction.NumSrcRegs; i++) {
      const struct tgsi_full_src_register *src = &inst->Src[i];
      if (src->Register.Indirect && is_resource_file(src->Register.File))
         add_index(t, &src->Indirect);
      if (src->Register.Dimension && src->Dimension.Indirect && src->Register.File == TGSI_FILE_CONSTANT)
         add_index(t, &src->DimIndirect);
      if (src->Register.Indirect && src->Register.File == TGSI_FILE_CONSTBUF)
         add_index(t, &src->Indirect);
      if (tr_is_handle(t, i) && !tr_handle_uniform(t, src)) {
         struct tr_choice *c = add_choice(t);
         for (unsigned k = 0; c && k < 2; k++)
            c->value[k] = tr_src_raw(t, i, k);
         if (c)
            c->operand = src;
      }
   }
   if (tr_dst_is_handle(t) && !tr_dst_handle_uniform(t)) {
      struct tr_choice *c = add_choice(t);
      if (c) {
         c->operand = &inst->Dst[0];
         dst_handle_dwords(t, c->value);
      }
   }
   for (unsigned i = 0; i < inst->Instruction.NumDstRegs; i++) {
      const struct tgsi_full_dst_register *dst = &inst->Dst[i];
      if (dst->Register.Indirect && is_resource_file(dst->Register.File))
         add_index(t, &dst->Indirect);
   }
}

/* Number of the first lane in a mask of two dwords that is not empty. */
static ir_val
first_lane(struct tr *t, ir_val lo, ir_val hi)
{
   struct ir_builder *b = B(t);
   ir_val in_hi = ir_iadd(b, ir_op1(b, IR_FFBL, hi), ir_imm(b, 32));
   return ir_select(b, ir_ine(b, lo, ir_imm(b, 0)), ir_op1(b, IR_FFBL, lo), in_hi);
}

/* Chooses for this round; true for the lanes that agree with it. */
static ir_val
choose(struct tr *t, ir_val todo)
{
   struct tr_waterfall *w = &t->waterfall;
   struct ir_builder *b = B(t);
   ir_val lanes = ir_ballot(b, todo);
   ir_val lane = first_lane(t, ir_extract(b, lanes, 0), ir_extract(b, lanes, 1));
   ir_val match = todo;

   for (unsigned i = 0; i < w->num; i++) {
      for (unsigned k = 0; k < 2 && w->choices[i].value[k]; k++) {
         w->choices[i].now[k] = ir_read_lane(b, w->choices[i].value[k], lane);
         match = ir_op2(b, IR_BAND, match, ir_ieq(b, w->choices[i].value[k], w->choices[i].now[k]));
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

void
tr_run(struct tr *t)
{
   struct tr_waterfall *w = &t->waterfall;
   struct ir_builder *b = B(t);

   find_choices(t);
   if (!w->num || t->sh->error) {
      t->op->handler(t);
      return;
   }
   if (is_control_flow(t->inst->Instruction.Opcode)) {
      tr_error(t, "the constant buffer of this operand may differ between lanes");
      return;
   }
   if (t->inst->Instruction.NumDstRegs > 1) {
      tr_error(t, "resources of an instruction with two results may differ between lanes");
      return;
   }

   const bool all_lanes = looks_at_neighbours(t), result = has_result(t);
   const uint32_t todo_var = ir_var(t->sh, "todo");
   for (unsigned c = 0; c < 4 && result; c++) {
      w->result[c] = ir_var(t->sh, "result");
      if (tr_mask(t) & (1u << c))
         ir_store_var(b, w->result[c], ir_imm(b, 0));
   }
   ir_store_var(b, todo_var, ir_imm(b, ~0u));
   ir_loop(b);
   ir_val todo = ir_i2b(b, ir_load_var(b, todo_var));
   ir_val match = choose(t, todo);
   w->capture = result;
   w->match = all_lanes ? match : NULL;
   if (!all_lanes)
      ir_if(b, match);
   t->op->handler(t);
   if (!all_lanes)
      ir_endif(b);
   w->capture = false;
   w->num = 0;
   todo = ir_op2(b, IR_BAND, todo, ir_op1(b, IR_BNOT, match));
   ir_store_var(b, todo_var, ir_b2i(b, todo));
   ir_val left = ir_ballot(b, todo);
   ir_if(b, ir_ieq(b, ir_ior(b, ir_extract(b, left, 0), ir_extract(b, left, 1)), ir_imm(b, 0)));
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

/* Saturation is left to the real write. */
bool
tr_capture(struct tr *t, ir_val vals[4])
{
   struct tr_waterfall *w = &t->waterfall;

   if (!w->capture)
      return false;
   for (unsigned c = 0; c < 4; c++) {
      if (!(tr_mask(t) & (1u << c)))
         continue;
      ir_val v = vals[c];
      if (w->match)
         v = ir_select(B(t), w->match, v, ir_load_var(B(t), w->result[c]));
      ir_store_var(B(t), w->result[c], v);
   }
   return true;
}

static const struct tr_choice *
find_choice(const struct tr *t, const void *operand)
{
   for (unsigned i = 0; i < t->waterfall.num; i++) {
      if (t->waterfall.choices[i].operand == operand)
         return &t->waterfall.choices[i];
   }
   return NULL;
}

ir_val
tr_chosen_index(struct tr *t, const struct tgsi_ind_register *ind)
{
   const struct tr_choice *c = find_choice(t, ind);
   return c ? c->now[0] : NULL;
}

static ir_val
uniform_pair(struct tr *t, const struct tr_choice *c, ir_val v[2])
{
   for (unsigned k = 0; k < 2; k++)
      v[k] = c ? c->now[k] : ir_op1(B(t), IR_READFIRST, v[k]);
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
