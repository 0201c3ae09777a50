/* SPDX-License-Identifier: MIT */
/* Constructors of accesses: buffers, images, LDS, textures. */
#include "ir_builder.h"

static struct ir_inst *
add(struct ir_builder *b, enum ir_op op, unsigned comps, unsigned num_src)
{
   struct ir_inst *inst = ir_inst_create(b->sh, op, comps, num_src);
   ir_insert(b, inst);
   return inst;
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
