/* SPDX-License-Identifier: MIT */
/* Instruction selection of image instructions (MIMG). Vega ISA, 8.2: address
 * VGPRs in the order offset, bias, compare, derivatives, coordinates, lod. */
#include "isel.h"

struct address {
   struct opnd v[16];
   unsigned n;
};

static void
push(struct address *a, struct opnd o)
{
   a->v[a->n++] = o;
}

/* 1D images may be 2D ones of height 1 to the hardware: a row coordinate goes
 * in behind each x. */
static void
collect(struct isel *s, struct ir_inst *inst, struct address *a)
{
   const struct ir_tex *t = &inst->tex;
   unsigned i = 1 + t->has_sampler;
   bool widen = s->t->tex_1d_is_2d && (t->dim == IR_DIM_1D || t->dim == IR_DIM_1D_ARRAY);
   if (t->srcs & IR_TEX_SRC_OFFSET)
      push(a, isel_opnd(s, inst->src[i++], false));
   if (t->srcs & IR_TEX_SRC_BIAS)
      push(a, isel_opnd(s, inst->src[i++], false));
   if (t->srcs & IR_TEX_SRC_COMPARE)
      push(a, isel_opnd(s, inst->src[i++], false));
   for (unsigned k = 0; k < t->num_derivs; k++) {
      push(a, isel_opnd(s, inst->src[i++], false));
      if (widen)
         push(a, isel_imm(0));
   }
   for (unsigned k = 0; k < t->num_coords; k++) {
      push(a, isel_opnd(s, inst->src[i++], false));
      if (widen && k == 0)
         push(a, isel_imm(t->op == IR_TEX_FETCH ? 0 : 0x3f000000));
   }
   if (t->srcs & IR_TEX_SRC_LOD)
      push(a, isel_opnd(s, inst->src[i++], false));
}

/* The addresses of one block are remembered: several textures are often read at
 * the same place, and each vector of its own would be copies. */
static mir_reg
address_vector(struct isel *s, const struct address *a)
{
   if (a->n == 1)
      return isel_to_vgpr(s, a->v[0]);
   if (s->addresses_of != s->block) {
      s->addresses_of = s->block;
      s->num_addresses = s->next_address = 0;
   }
   for (unsigned k = 0; k < s->num_addresses; k++) {
      struct isel_address *old = &s->addresses[k];
      bool same = old->n == a->n;
      for (unsigned i = 0; same && i < a->n; i++)
         same = old->v[i].r == a->v[i].r && (a->v[i].r != ISA_LITERAL || old->v[i].lit == a->v[i].lit);
      if (same)
         return old->reg;
   }
   mir_reg r = mir_new_reg(s->p, MIR_VGPR, a->n);
   for (unsigned i = 0; i < a->n; i++)
      isel_copy(s, r + i, a->v[i]);
   if (a->n <= 4) {
      struct isel_address *mine = &s->addresses[s->next_address];
      memcpy(mine->v, a->v, a->n * sizeof(a->v[0]));
      mine->n = a->n;
      mine->reg = r;
      s->next_address = (s->next_address + 1) % ISEL_ADDRESSES;
      if (s->num_addresses < ISEL_ADDRESSES)
         s->num_addresses++;
   }
   return r;
}

static unsigned
find_op(struct isel *s, const struct ir_tex *t)
{
   unsigned srcs = t->srcs & ~IR_TEX_SRC_COORDS;
   for (unsigned i = 0; i < s->t->num_samples; i++) {
      const struct target_sample *row = &s->t->samples[i];
      if (row->op == t->op && row->srcs == srcs && row->lod_zero == !!t->lod_zero)
         return row->isa_op;
   }
   return ISA_OP_COUNT;
}

static void
fetch_buffer(struct isel *s, struct ir_inst *inst)
{
   static const uint16_t ops[] = { 0, ISA_BUFFER_LOAD_FORMAT_X, ISA_BUFFER_LOAD_FORMAT_XY, ISA_BUFFER_LOAD_FORMAT_XYZ,
                                   ISA_BUFFER_LOAD_FORMAT_XYZW };
   unsigned n = 32 - __builtin_clz(inst->tex.dmask), c = 0;
   mir_reg desc = isel_to_sgpr(s, inst->src[0]);
   mir_reg index = isel_to_vgpr(s, isel_opnd(s, inst->src[1 + inst->tex.has_sampler], false));
   mir_reg all = mir_new_reg(s->p, MIR_VGPR, n);
   struct mir_inst *m = isel_emit(s, ops[n], all, n);
   m->src[0] = index;
   m->src[1] = desc;
   m->src[2] = ISA_INT_0;
   m->src_n[0] = 1;
   m->src_n[1] = 4;
   m->src_n[2] = 1;
   m->i.idxen = true;
   if (n == inst->comps) {
      isel_def(s, inst, all);
      return;
   }
   mir_reg def = isel_new_def(s, inst);
   for (unsigned i = 0; i < n; i++) {
      if (inst->tex.dmask >> i & 1)
         isel_copy(s, def + c++, isel_reg(all + i));
   }
}

bool
isel_is_array(enum ir_tex_dim dim)
{
   return dim == IR_DIM_CUBE || dim == IR_DIM_1D_ARRAY || dim == IR_DIM_2D_ARRAY || dim == IR_DIM_2D_MSAA_ARRAY;
}

void
isel_tex(struct isel *s, struct ir_inst *inst)
{
   const struct ir_tex *t = &inst->tex;
   struct address a = { .n = 0 };
   unsigned op = find_op(s, t);
   if (t->dim == IR_DIM_BUFFER) {
      if (t->op == IR_TEX_FETCH)
         fetch_buffer(s, inst);
      else
         ir_error(s->sh, "operation tex %u on a buffer texture", t->op);
      return;
   }
   if (op == ISA_OP_COUNT) {
      ir_error(s->sh, "texture operation %u with sources 0x%x is not possible", t->op, t->srcs);
      return;
   }
   mir_reg resource = isel_to_sgpr(s, inst->src[0]);
   mir_reg sampler = t->has_sampler ? isel_to_sgpr(s, inst->src[1]) : ISA_NONE;
   collect(s, inst, &a);
   mir_reg addr = address_vector(s, &a);
   struct mir_inst *m = isel_emit(s, op, isel_new_def(s, inst), inst->comps);
   m->src[0] = addr;
   m->src_n[0] = a.n;
   m->src[1] = resource;
   m->src_n[1] = 8;
   m->src[2] = sampler;
   m->src_n[2] = sampler == ISA_NONE ? 0 : 4;
   m->i.dmask = t->dmask;
   m->i.da = isel_is_array(t->dim);
   m->i.unorm = t->op == IR_TEX_FETCH || t->op == IR_TEX_RESINFO;
}
