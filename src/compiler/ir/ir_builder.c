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

static struct ir_inst *
mem_inst(struct ir_builder *b, enum ir_op op, unsigned comps, unsigned num_src, ir_val desc, ir_val offset, uint32_t imm)
{
   if (!offset)
      offset = ir_imm(b, 0);
   struct ir_inst *inst = add(b, op, comps, num_src);
   inst->src[0] = desc;
   inst->src[1] = offset;
   inst->mem.offset = imm;
   return inst;
}

ir_val
ir_load_const(struct ir_builder *b, ir_val desc, ir_val offset, uint32_t imm, unsigned n)
{
   return mem_inst(b, IR_LOAD_CONST, n, 2, desc, offset, imm);
}

ir_val
ir_load_ubo(struct ir_builder *b, unsigned buf, ir_val offset, uint32_t imm, unsigned n)
{
   b->sh->info.const_buffers |= 1u << buf;
   ir_val desc = ir_load_desc(b, IR_LIST_BUFFERS, 4, NULL, TGSIAMD_CONST_BUFFER_OFFSET(buf));
   return ir_load_const(b, desc, offset, imm, n);
}

ir_val
ir_load_buf(struct ir_builder *b, ir_val desc, ir_val offset, uint32_t imm, unsigned n)
{
   return mem_inst(b, IR_LOAD_BUF, n, 2, desc, offset, imm);
}

ir_val
ir_load_fmt(struct ir_builder *b, ir_val desc, ir_val index, unsigned n)
{
   return mem_inst(b, IR_LOAD_FMT, n, 2, desc, index, 0);
}

void
ir_store_buf(struct ir_builder *b, ir_val desc, ir_val offset, uint32_t imm, ir_val data, unsigned n)
{
   struct ir_inst *inst = mem_inst(b, IR_STORE_BUF, 0, 3, desc, offset, imm);
   inst->src[2] = data;
   inst->mem.comps = n;
}

ir_val
ir_atomic_buf(struct ir_builder *b, enum ir_atomic op, ir_val desc, ir_val offset, uint32_t imm, ir_val data, ir_val compare)
{
   struct ir_inst *inst = mem_inst(b, IR_ATOMIC_BUF, 1, compare ? 4 : 3, desc, offset, imm);
   inst->mem.atomic = op;
   inst->src[2] = data;
   if (compare)
      inst->src[3] = compare;
   return inst;
}

static struct ir_inst *
img_inst(struct ir_builder *b, enum ir_op op, unsigned comps, enum ir_tex_dim dim, ir_val desc,
         const ir_val *coords, unsigned n, unsigned num_data)
{
   struct ir_inst *inst = add(b, op, comps, 1 + n + num_data);
   inst->src[0] = desc;
   memcpy(&inst->src[1], coords, n * sizeof(*coords));
   inst->tex.op = IR_TEX_FETCH;
   inst->tex.dim = dim;
   inst->tex.srcs = IR_TEX_SRC_COORDS;
   inst->tex.num_coords = n;
   return inst;
}

ir_val
ir_img_load(struct ir_builder *b, enum ir_tex_dim dim, ir_val desc, const ir_val *coords, unsigned n,
            unsigned dmask, bool glc)
{
   struct ir_inst *inst = img_inst(b, IR_IMG_LOAD, __builtin_popcount(dmask), dim, desc, coords, n, 0);
   inst->tex.dmask = dmask;
   inst->tex.glc = glc;
   return inst;
}

void
ir_img_store(struct ir_builder *b, enum ir_tex_dim dim, ir_val desc, const ir_val *coords, unsigned n,
             ir_val data, unsigned format, bool glc)
{
   struct ir_inst *inst = img_inst(b, IR_IMG_STORE, 0, dim, desc, coords, n, 1);
   inst->src[1 + n] = data;
   inst->tex.dmask = 0xf;
   inst->tex.format = format;
   inst->tex.glc = glc;
}

ir_val
ir_img_atomic(struct ir_builder *b, enum ir_tex_dim dim, enum ir_atomic op, ir_val desc,
              const ir_val *coords, unsigned n, ir_val data, ir_val compare)
{
   struct ir_inst *inst = img_inst(b, IR_IMG_ATOMIC, 1, dim, desc, coords, n, compare ? 2 : 1);
   inst->src[1 + n] = data;
   if (compare)
      inst->src[2 + n] = compare;
   inst->tex.dmask = compare ? 0x3 : 0x1;
   inst->tex.glc = true;
   inst->tex.atomic = op;
   return inst;
}

ir_val
ir_load_lds(struct ir_builder *b, ir_val offset, unsigned n)
{
   struct ir_inst *inst = add(b, IR_LOAD_LDS, n, 1);
   inst->src[0] = offset;
   return inst;
}

void
ir_store_lds(struct ir_builder *b, ir_val offset, uint32_t imm, ir_val data, unsigned n)
{
   struct ir_inst *inst = add(b, IR_STORE_LDS, 0, 2);
   inst->src[0] = offset;
   inst->src[1] = data;
   inst->mem.offset = imm;
   inst->mem.comps = n;
}

ir_val
ir_atomic_lds(struct ir_builder *b, enum ir_atomic op, ir_val offset, ir_val data, ir_val compare)
{
   struct ir_inst *inst = add(b, IR_ATOMIC_LDS, 1, compare ? 3 : 2);
   inst->src[0] = offset;
   inst->src[1] = data;
   if (compare)
      inst->src[2] = compare;
   inst->mem.atomic = op;
   return inst;
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

ir_val
ir_tex(struct ir_builder *b, const struct ir_tex_args *a)
{
   ir_val src[20];
   unsigned n = 0, flags = 0;
   src[n++] = a->resource;
   if (a->sampler)
      src[n++] = a->sampler;
   if (a->offset) {
      src[n++] = a->offset;
      flags |= IR_TEX_SRC_OFFSET;
   }
   if (a->bias) {
      src[n++] = a->bias;
      flags |= IR_TEX_SRC_BIAS;
   }
   if (a->compare) {
      src[n++] = a->compare;
      flags |= IR_TEX_SRC_COMPARE;
   }
   for (unsigned i = 0; i < a->num_derivs; i++) {
      src[n++] = a->derivs[i];
      flags |= IR_TEX_SRC_DERIVS;
   }
   for (unsigned i = 0; i < a->num_coords; i++) {
      src[n++] = a->coords[i];
      flags |= IR_TEX_SRC_COORDS;
   }
   if (a->lod) {
      src[n++] = a->lod;
      flags |= IR_TEX_SRC_LOD;
   }
   unsigned comps = a->op == IR_TEX_GATHER4 ? 4 : __builtin_popcount(a->dmask);
   struct ir_inst *inst = add(b, IR_TEX, comps, n);
   memcpy(inst->src, src, n * sizeof(*src));
   inst->tex.op = a->op;
   inst->tex.dim = a->dim;
   inst->tex.srcs = flags;
   inst->tex.lod_zero = a->lod_zero;
   inst->tex.dmask = a->dmask;
   inst->tex.num_derivs = a->num_derivs;
   inst->tex.num_coords = a->num_coords;
   inst->tex.has_sampler = a->sampler != NULL;
   return inst;
}
