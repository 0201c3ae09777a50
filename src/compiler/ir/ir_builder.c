/* SPDX-License-Identifier: MIT */
/* Typed constructors of IR instructions. */
#include "ir_builder.h"

/* An operation that has no vector as result. */
static unsigned
fixed_comps(enum ir_op op)
{
   return ir_op_infos[op].result != 'N';
}

static inline struct ir_inst *
create(struct ir_shader *sh, enum ir_op op, unsigned comps, unsigned num_src)
{
   struct ir_inst *inst = ir_arena_alloc(&sh->arena, sizeof(*inst) + num_src * sizeof(ir_val));
   *inst = (struct ir_inst){
      .op = op,
      .type = !comps ? IR_TYPE_NONE : ir_op_infos[op].result == 'B' ? IR_TYPE_BOOL : IR_TYPE_B32,
      .comps = comps,
      .num_src = num_src,
      .id = sh->num_ids++,
   };
   sh->made[op] = true;
   return inst;
}

struct ir_inst *
ir_inst_create(struct ir_shader *sh, enum ir_op op, unsigned comps, unsigned num_src)
{
   struct ir_inst *inst = create(sh, op, comps, num_src);
   for (unsigned i = 0; i < num_src; i++)
      inst->src[i] = NULL;
   return inst;
}

static inline void
insert(struct ir_builder *b, struct ir_inst *inst)
{
   struct ir_inst *next = b->before;
   struct ir_block *block = next ? next->block : b->block;
   inst->block = block;
   inst->next = next;
   inst->prev = next ? next->prev : block->last;
   *(inst->prev ? &inst->prev->next : &block->first) = inst;
   *(next ? &next->prev : &block->last) = inst;
}

void
ir_insert(struct ir_builder *b, struct ir_inst *inst)
{
   insert(b, inst);
}

/* For those that set all sources themselves. */
static inline struct ir_inst *
add(struct ir_builder *b, enum ir_op op, unsigned comps, unsigned num_src)
{
   struct ir_inst *inst = create(b->sh, op, comps, num_src);
   insert(b, inst);
   return inst;
}

ir_val
ir_op0(struct ir_builder *b, enum ir_op op, uint32_t imm)
{
   struct ir_inst *inst = add(b, op, fixed_comps(op), 0);
   inst->imm = imm;
   return inst;
}

ir_val
ir_op1(struct ir_builder *b, enum ir_op op, ir_val x)
{
   struct ir_inst *inst = add(b, op, fixed_comps(op), 1);
   inst->src[0] = x;
   return inst;
}

ir_val
ir_op1_imm(struct ir_builder *b, enum ir_op op, ir_val x, uint32_t imm)
{
   struct ir_inst *inst = ir_op1(b, op, x);
   inst->imm = imm;
   return inst;
}

ir_val
ir_op2(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y)
{
   struct ir_inst *inst = add(b, op, fixed_comps(op), 2);
   inst->src[0] = x;
   inst->src[1] = y;
   return inst;
}

ir_val
ir_op3(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y, ir_val z)
{
   struct ir_inst *inst = add(b, op, fixed_comps(op), 3);
   inst->src[0] = x;
   inst->src[1] = y;
   inst->src[2] = z;
   return inst;
}

ir_val
ir_op64(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y, ir_val z)
{
   unsigned n = ir_op_infos[op].num_src;
   struct ir_inst *inst = add(b, op, 2, n);
   ir_val src[3] = { x, y, z };
   for (unsigned i = 0; i < n; i++)
      inst->src[i] = src[i];
   return inst;
}

ir_val
ir_immf(struct ir_builder *b, float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return ir_imm(b, bits);
}

ir_val
ir_undef(struct ir_builder *b, unsigned comps)
{
   return add(b, IR_UNDEF, comps, 0);
}

ir_val
ir_vec(struct ir_builder *b, unsigned n, const ir_val *comps)
{
   struct ir_inst *inst = add(b, IR_VEC, n, n);
   memcpy(inst->src, comps, n * sizeof(*comps));
   return inst;
}

ir_val
ir_extract(struct ir_builder *b, ir_val vec, unsigned i)
{
   if (vec->comps == 1 && i == 0)
      return vec;
   if (vec->op == IR_VEC)
      return vec->src[i];
   return ir_op1_imm(b, IR_EXTRACT, vec, i);
}

ir_val
ir_select(struct ir_builder *b, ir_val cond, ir_val x, ir_val y)
{
   return ir_op3(b, IR_SELECT, cond, x, y);
}

ir_val
ir_b2i(struct ir_builder *b, ir_val cond)
{
   return ir_select(b, cond, ir_imm(b, ~0u), ir_imm(b, 0));
}

ir_val
ir_b2f(struct ir_builder *b, ir_val cond)
{
   return ir_select(b, cond, ir_immf(b, 1.0f), ir_imm(b, 0));
}

ir_val
ir_i2b(struct ir_builder *b, ir_val x)
{
   return ir_ine(b, x, ir_imm(b, 0));
}

ir_val
ir_load_array(struct ir_builder *b, uint32_t var, ir_val index)
{
   return ir_op1_imm(b, IR_LOAD_ARRAY, index, var);
}

void
ir_store_array(struct ir_builder *b, uint32_t var, ir_val index, ir_val value)
{
   struct ir_inst *inst = add(b, IR_STORE_ARRAY, 0, 2);
   inst->imm = var;
   inst->src[0] = index;
   inst->src[1] = value;
}

ir_val
ir_load_desc(struct ir_builder *b, enum ir_list list, unsigned comps, ir_val offset, uint32_t imm)
{
   struct ir_inst *inst;
   if (!offset)
      offset = ir_imm(b, imm);
   else if (imm)
      offset = ir_iadd(b, offset, ir_imm(b, imm));
   inst = add(b, IR_LOAD_DESC, comps, 1);
   inst->imm = b->gs_half && list <= IR_LIST_IMAGES ? IR_LIST_GS_BUFFERS + list : list;
   inst->src[0] = offset;
   return inst;
}

ir_val
ir_load_desc_at(struct ir_builder *b, ir_val address, unsigned comps, uint32_t imm)
{
   struct ir_inst *inst = add(b, IR_LOAD_DESC_AT, comps, 1);
   inst->src[0] = address;
   inst->imm = imm;
   return inst;
}

ir_val
ir_table(struct ir_builder *b)
{
   return add(b, IR_TABLE, 4, 0);
}

ir_val
ir_list_address(struct ir_builder *b, enum ir_list list)
{
   struct ir_inst *inst = add(b, IR_LIST_ADDR, 2, 0);
   inst->imm = b->gs_half && list <= IR_LIST_IMAGES ? IR_LIST_GS_BUFFERS + list : list;
   return inst;
}

ir_val
ir_ballot(struct ir_builder *b, ir_val cond)
{
   struct ir_inst *inst = add(b, IR_BALLOT, 2, 1);
   inst->src[0] = cond;
   return inst;
}

ir_val
ir_read_lane(struct ir_builder *b, ir_val value, ir_val lane)
{
   return ir_op2(b, IR_READ_LANE, value, lane);
}

ir_val
ir_clock(struct ir_builder *b)
{
   return add(b, IR_CLOCK, 2, 0);
}

ir_val
ir_load_attrib(struct ir_builder *b, unsigned element)
{
   struct ir_inst *inst = add(b, IR_LOAD_ATTRIB, 4, 0);
   inst->imm = element;
   return inst;
}

ir_val
ir_interp(struct ir_builder *b, unsigned slot, unsigned chan, ir_val i, ir_val j)
{
   struct ir_inst *inst = ir_op2(b, IR_INTERP, i, j);
   inst->io.slot = slot;
   inst->io.chan = chan;
   return inst;
}

ir_val
ir_interp_mov(struct ir_builder *b, unsigned slot, unsigned chan)
{
   struct ir_inst *inst = ir_op0(b, IR_INTERP_MOV, 0);
   inst->io.slot = slot;
   inst->io.chan = chan;
   return inst;
}

void
ir_kill_if(struct ir_builder *b, ir_val cond)
{
   b->sh->info.uses_kill = true;
   ir_op1(b, IR_KILL_IF, cond);
}

unsigned
ir_output(struct ir_shader *sh, unsigned semantic, unsigned index)
{
   for (unsigned i = 0; i < sh->num_outputs; i++) {
      if (sh->outputs[i].semantic == semantic && sh->outputs[i].index == index)
         return i;
   }
   if (sh->num_outputs == sizeof(sh->outputs) / sizeof(sh->outputs[0])) {
      ir_error(sh, "more than %u outputs", sh->num_outputs);
      return 0;
   }
   sh->outputs[sh->num_outputs].semantic = semantic;
   sh->outputs[sh->num_outputs].index = index;
   return sh->num_outputs++;
}

void
ir_store_output(struct ir_builder *b, unsigned slot, unsigned chan, ir_val value)
{
   struct ir_inst *inst = ir_op1(b, IR_STORE_OUTPUT, value);
   inst->io.slot = slot;
   inst->io.chan = chan;
   b->sh->outputs[slot].mask |= 1u << chan;
}
