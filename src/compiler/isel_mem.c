/* SPDX-License-Identifier: MIT */
/* Instruction selection of descriptors and buffers: scalar loads (SMEM) where
 * the address is uniform, MUBUF otherwise. Vega ISA, chapters 7 and 8.1. */
#include <assert.h>

#include "isel.h"

static void
msrc(struct mir_inst *inst, unsigned i, mir_reg r, unsigned n)
{
   inst->src[i] = r;
   inst->src_n[i] = n;
}

static unsigned
smem_op(unsigned n, bool buffer)
{
   static const uint16_t ops[2][5] = {
      { ISA_S_LOAD_DWORD, ISA_S_LOAD_DWORDX2, ISA_S_LOAD_DWORDX4, ISA_S_LOAD_DWORDX8, ISA_S_LOAD_DWORDX16 },
      { ISA_S_BUFFER_LOAD_DWORD, ISA_S_BUFFER_LOAD_DWORDX2, ISA_S_BUFFER_LOAD_DWORDX4, ISA_S_BUFFER_LOAD_DWORDX8,
        ISA_S_BUFFER_LOAD_DWORDX16 },
   };
   return ops[buffer][n == 1 ? 0 : n == 2 ? 1 : n <= 4 ? 2 : n <= 8 ? 3 : 4];
}

#define DEPTH 4 /* how far back offsets are looked at */

/* May imm be added to the value by a scalar load? Only where 32 bits hold the sum. */
static bool
smem_takes(const struct isel *s, ir_val offset, uint64_t imm)
{
   return s->t->smem_adds_both && imm <= s->t->max_smem_offset && ir_largest(offset, DEPTH) + imm <= UINT32_MAX;
}

/* One scalar load of n dwords from base (address pair or V#) + offset + imm. */
static void
scalar_load(struct isel *s, struct ir_inst *inst, mir_reg base, bool buffer, ir_val offset, uint32_t imm)
{
   unsigned n = inst->comps, alloc = n == 3 ? 4 : n > 4 && n < 8 ? 8 : n > 8 ? 16 : n;
   mir_reg def = isel_def(s, inst, mir_new_reg(s->p, MIR_SGPR, alloc));
   mir_reg soff = ISA_NONE;
   if (offset->op == IR_CONST) {
      imm += offset->imm;
      if (imm > s->t->max_smem_offset) {
         soff = mir_new_reg(s->p, MIR_SGPR, 1);
         isel_copy(s, soff, isel_imm(imm));
         imm = 0;
      }
   } else {
      if (offset->op == IR_IADD && offset->src[1]->op == IR_CONST &&
          smem_takes(s, offset->src[0], (uint64_t)offset->src[1]->imm + imm)) {
         imm += offset->src[1]->imm;
         offset = offset->src[0];
      }
      soff = isel_to_sgpr(s, offset);
      if (imm && !smem_takes(s, offset, imm)) {
         mir_reg sum = mir_new_reg(s->p, MIR_SGPR, 1);
         isel_salu(s, ISA_S_ADD_U32, sum, 1, isel_reg(soff), isel_imm(imm));
         soff = sum;
         imm = 0;
      }
   }
   struct mir_inst *m = isel_emit(s, smem_op(alloc, buffer), def, alloc);
   msrc(m, 0, base, buffer ? 4 : 2);
   if (soff != ISA_NONE)
      msrc(m, 1, soff, 1);
   m->i.offset = imm;
}

static mir_reg
list_address(struct isel *s, enum ir_list list)
{
   /* In the order of enum ir_list. */
   static const uint8_t sgpr[][8] = {
      [TGSIAMD_VS] = { TGSIAMD_SGPR_VS_BUFFERS, TGSIAMD_SGPR_VS_TEXTURES, TGSIAMD_SGPR_VS_IMAGES, TGSIAMD_SGPR_INTERNAL,
                       TGSIAMD_SGPR_VS_VERTEX_BUFFERS },
      [TGSIAMD_GS] = { TGSIAMD_SGPR_VS_BUFFERS, TGSIAMD_SGPR_VS_TEXTURES, TGSIAMD_SGPR_VS_IMAGES, TGSIAMD_SGPR_INTERNAL,
                       TGSIAMD_SGPR_VS_VERTEX_BUFFERS, TGSIAMD_SGPR_GS_BUFFERS, TGSIAMD_SGPR_GS_TEXTURES,
                       TGSIAMD_SGPR_GS_IMAGES },
      [TGSIAMD_PS] = { TGSIAMD_SGPR_PS_BUFFERS, TGSIAMD_SGPR_PS_TEXTURES, TGSIAMD_SGPR_PS_IMAGES, TGSIAMD_SGPR_INTERNAL },
      [TGSIAMD_CS] = { TGSIAMD_SGPR_CS_BUFFERS, TGSIAMD_SGPR_CS_TEXTURES, TGSIAMD_SGPR_CS_IMAGES, TGSIAMD_SGPR_INTERNAL },
   };
   return isel_input_sgpr(s, mir_user_sgpr(s->sh, sgpr[s->sh->stage][list]), 2);
}

/* A V# that the wave starts with in SGPRs, beside its place in a list. */
static mir_reg
descriptor_in_sgprs(struct isel *s, const struct ir_inst *inst)
{
   static const struct { uint8_t stage, list; uint16_t offset; uint8_t sgpr; } rows[] = {
      { TGSIAMD_VS, IR_LIST_BUFFERS, TGSIAMD_CONST_BUFFER_OFFSET(0), TGSIAMD_SGPR_VS_CONST0 },
      { TGSIAMD_GS, IR_LIST_BUFFERS, TGSIAMD_CONST_BUFFER_OFFSET(0), TGSIAMD_SGPR_MERGED_BASE + TGSIAMD_SGPR_VS_CONST0 },
      { TGSIAMD_PS, IR_LIST_BUFFERS, TGSIAMD_CONST_BUFFER_OFFSET(0), TGSIAMD_SGPR_PS_CONST0 },
      { TGSIAMD_VS, IR_LIST_VERTEX, TGSIAMD_VERTEX_BUFFER_OFFSET(0), TGSIAMD_SGPR_VS_VERTEX(0) },
      { TGSIAMD_VS, IR_LIST_VERTEX, TGSIAMD_VERTEX_BUFFER_OFFSET(1), TGSIAMD_SGPR_VS_VERTEX(1) },
      { TGSIAMD_VS, IR_LIST_VERTEX, TGSIAMD_VERTEX_BUFFER_OFFSET(2), TGSIAMD_SGPR_VS_VERTEX(2) },
   };
   static_assert(TGSIAMD_NUM_VERTEX_IN_SGPRS == 3, "a row for each");
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      if (rows[i].stage == s->sh->stage && rows[i].list == inst->imm && inst->comps == 4 &&
          ir_is_const(inst->src[0], rows[i].offset))
         return isel_input_sgpr(s, rows[i].sgpr, 4);
   }
   return ISA_NONE;
}

static void
load_descriptor(struct isel *s, struct ir_inst *inst)
{
   mir_reg there = descriptor_in_sgprs(s, inst);
   if (there != ISA_NONE)
      isel_def(s, inst, there);
   else
      scalar_load(s, inst, list_address(s, inst->imm), false, inst->src[0], 0);
}

/* Shader time: a scalar memory operation as well. */
static void
read_clock(struct isel *s, struct ir_inst *inst)
{
   isel_emit(s, ISA_S_MEMTIME, isel_new_def(s, inst), 2)->side_effect = true;
}

static void
copy_list_address(struct isel *s, struct ir_inst *inst)
{
   mir_reg from = list_address(s, inst->imm), def = isel_new_def(s, inst);
   for (unsigned i = 0; i < 2; i++)
      isel_copy(s, def + i, isel_reg(from + i));
}

/* Fills address fields of a MUBUF instruction for V# + offset + imm bytes. */
static void
mubuf_address(struct isel *s, struct mir_inst *m, mir_reg desc, mir_reg voffset, uint32_t imm)
{
   if (voffset != ISA_NONE) {
      msrc(m, 0, voffset, 1);
      m->i.offen = true;
   }
   msrc(m, 1, desc, 4);
   msrc(m, 2, ISA_INT_0, 1);
   m->i.offset = imm;
}

/* VGPR offset and immediate that fits; NONE when the offset is all immediate. */
static mir_reg
byte_offset(struct isel *s, ir_val offset, uint32_t *imm)
{
   if (offset->op == IR_CONST) {
      uint32_t sum = offset->imm + *imm;
      if (sum <= s->t->max_mubuf_offset) {
         *imm = sum;
         return ISA_NONE;
      }
      *imm = 0;
      return isel_to_vgpr(s, isel_imm(sum));
   }
   struct opnd o = isel_opnd(s, offset, false);
   /* The VGPR may be negative: the sum of both wraps, the range check sees it. */
   if (*imm <= s->t->max_mubuf_offset)
      return isel_to_vgpr(s, o);
   mir_reg sum = mir_new_reg(s->p, MIR_VGPR, 1);
   struct opnd src[2] = { isel_imm(*imm), isel_reg(isel_to_vgpr(s, o)) };
   isel_valu(s, ISA_V_ADD_U32, sum, src, 2);
   *imm = 0;
   return sum;
}

static void
load_buffer(struct isel *s, struct ir_inst *inst)
{
   static const uint16_t ops[] = { 0, ISA_BUFFER_LOAD_DWORD, ISA_BUFFER_LOAD_DWORDX2, ISA_BUFFER_LOAD_DWORDX3,
                                   ISA_BUFFER_LOAD_DWORDX4 };
   uint32_t imm = inst->mem.offset;
   if (inst->comps > 4) {
      ir_error(s->sh, "buffer load of %u dwords", inst->comps);
      return;
   }
   mir_reg desc = isel_to_sgpr(s, inst->src[0]);
   mir_reg off = byte_offset(s, inst->src[1], &imm);
   struct mir_inst *m = isel_emit(s, ops[inst->comps], isel_new_def(s, inst), inst->comps);
   mubuf_address(s, m, desc, off, imm);
   m->i.glc = inst->op == IR_LOAD_BUF && inst->mem.glc;
   m->side_effect = false;
}

static void
load_format(struct isel *s, struct ir_inst *inst)
{
   static const uint16_t ops[2][5] = {
      { 0, ISA_BUFFER_LOAD_FORMAT_X, ISA_BUFFER_LOAD_FORMAT_XY, ISA_BUFFER_LOAD_FORMAT_XYZ, ISA_BUFFER_LOAD_FORMAT_XYZW },
      { 0, ISA_TBUFFER_LOAD_FORMAT_X, ISA_TBUFFER_LOAD_FORMAT_XY, ISA_TBUFFER_LOAD_FORMAT_XYZ,
        ISA_TBUFFER_LOAD_FORMAT_XYZW },
   };
   mir_reg desc = isel_to_sgpr(s, inst->src[0]);
   mir_reg index = isel_to_vgpr(s, isel_opnd(s, inst->src[1], false));
   struct mir_inst *m = isel_emit(s, ops[inst->mem.format != 0][inst->comps], isel_new_def(s, inst), inst->comps);
   isel_typed(m, inst->mem.format);
   msrc(m, 0, index, 1);
   msrc(m, 1, desc, 4);
   msrc(m, 2, ISA_INT_0, 1);
   m->i.idxen = true;
   m->i.offset = inst->mem.offset;
}

/* Dword c of a value. Those of a vector that was put together come from where
 * they were before: the vector may stand in SGPRs. */
struct opnd
isel_part(struct isel *s, ir_val v, unsigned c)
{
   if (v->comps == 1 || v->op == IR_VEC)
      return isel_opnd(s, v->comps == 1 ? v : v->src[c], false);
   return isel_reg(s->vals[v->id].reg + c);
}

mir_reg
isel_shared_vgpr(struct isel *s, ir_val v)
{
   const unsigned max = sizeof(s->shared) / sizeof(s->shared[0]);
   const struct opnd o = isel_opnd(s, v, false);
   if (mir_reg_is_vgpr(s->p, o.r))
      return o.r;
   if (s->shared_of != s->block) {
      s->shared_of = s->block;
      s->num_shared = 0;
   }
   for (unsigned i = 0; i < s->num_shared; i++) {
      if (s->shared[i].v == v || (v->op == IR_CONST && ir_is_const(s->shared[i].v, v->imm)))
         return s->shared[i].reg;
   }
   mir_reg reg = isel_to_vgpr(s, o);
   if (s->num_shared < max) {
      s->shared[s->num_shared].v = v;
      s->shared[s->num_shared++].reg = reg;
   }
   return reg;
}

/* Data of a store, n dwords; where it stands when nothing must be put together. */
mir_reg
isel_data_vector(struct isel *s, ir_val v, unsigned n)
{
   if (n == 1 && v->comps == 1)
      return isel_shared_vgpr(s, v);
   if (v->comps == n && v->op != IR_VEC && mir_reg_is_vgpr(s->p, s->vals[v->id].reg))
      return s->vals[v->id].reg;
   mir_reg r = mir_new_reg(s->p, MIR_VGPR, n);
   for (unsigned i = 0; i < n; i++)
      isel_copy(s, r + i, isel_part(s, v, i));
   return r;
}

static void
store_buffer(struct isel *s, struct ir_inst *inst)
{
   static const uint16_t ops[] = { 0, ISA_BUFFER_STORE_DWORD, ISA_BUFFER_STORE_DWORDX2, ISA_BUFFER_STORE_DWORDX3,
                                   ISA_BUFFER_STORE_DWORDX4 };
   uint32_t imm = inst->mem.offset;
   mir_reg save;
   mir_reg desc = isel_to_sgpr(s, inst->src[0]);
   mir_reg off = byte_offset(s, inst->src[1], &imm);
   mir_reg data = isel_data_vector(s, inst->src[2], inst->mem.comps);
   isel_exact_begin(s, &save);
   struct mir_inst *m = isel_emit(s, ops[inst->mem.comps], ISA_NONE, 0);
   mubuf_address(s, m, desc, off, imm);
   msrc(m, 3, data, inst->mem.comps);
   m->i.glc = inst->mem.glc;
   m->side_effect = true;
   isel_exact_end(s, save);
}

unsigned
isel_buffer_atomic(enum ir_atomic op)
{
   static const uint16_t ops[] = {
      [IR_ATOMIC_ADD] = ISA_BUFFER_ATOMIC_ADD, [IR_ATOMIC_SWAP] = ISA_BUFFER_ATOMIC_SWAP,
      [IR_ATOMIC_CMPSWAP] = ISA_BUFFER_ATOMIC_CMPSWAP, [IR_ATOMIC_UMIN] = ISA_BUFFER_ATOMIC_UMIN,
      [IR_ATOMIC_UMAX] = ISA_BUFFER_ATOMIC_UMAX, [IR_ATOMIC_IMIN] = ISA_BUFFER_ATOMIC_SMIN,
      [IR_ATOMIC_IMAX] = ISA_BUFFER_ATOMIC_SMAX, [IR_ATOMIC_AND] = ISA_BUFFER_ATOMIC_AND,
      [IR_ATOMIC_OR] = ISA_BUFFER_ATOMIC_OR, [IR_ATOMIC_XOR] = ISA_BUFFER_ATOMIC_XOR,
      [IR_ATOMIC_INC_WRAP] = ISA_BUFFER_ATOMIC_INC, [IR_ATOMIC_DEC_WRAP] = ISA_BUFFER_ATOMIC_DEC,
   };
   return op < sizeof(ops) / sizeof(ops[0]) ? ops[op] : 0;
}

static void
atomic_buffer(struct isel *s, struct ir_inst *inst)
{
   const bool wanted = s->uses[inst->id] != 0; /* what was there */
   uint32_t imm = inst->mem.offset;
   unsigned n = inst->num_src - 2;
   mir_reg save;
   mir_reg desc = isel_to_sgpr(s, inst->src[0]);
   mir_reg off = byte_offset(s, inst->src[1], &imm);
   /* Data is read and the old value comes back in the same registers. */
   mir_reg data = !wanted && n == 1 ? isel_shared_vgpr(s, inst->src[2]) : mir_new_reg(s->p, MIR_VGPR, n);
   for (unsigned i = 0; i < n && (wanted || n > 1); i++)
      isel_copy(s, data + i, isel_opnd(s, inst->src[2 + i], false));
   if (wanted)
      isel_def(s, inst, data);
   isel_exact_begin(s, &save);
   struct mir_inst *m = isel_emit(s, isel_buffer_atomic(inst->mem.atomic), wanted ? data : ISA_NONE, wanted);
   mubuf_address(s, m, desc, off, imm);
   msrc(m, 3, data, n);
   m->i.glc = wanted;
   m->side_effect = true;
   isel_exact_end(s, save);
}

static void
scratch(struct isel *s, struct ir_inst *inst)
{
   uint32_t imm = inst->mem.offset;
   mir_reg off = byte_offset(s, inst->src[0], &imm);
   mir_scratch_setup(s->p);
   if (inst->op == IR_LOAD_SCRATCH)
      mir_scratch_load(s->p, s->block, NULL, isel_new_def(s, inst), off, imm);
   else
      mir_scratch_store(s->p, s->block, NULL, isel_to_vgpr(s, isel_opnd(s, inst->src[1], false)), off, imm);
}

bool
isel_memory(struct isel *s, struct ir_inst *inst)
{
   switch (inst->op) {
   case IR_LOAD_DESC:
      load_descriptor(s, inst);
      return true;
   case IR_LOAD_DESC_AT: {
      struct ir_inst zero = { .op = IR_CONST };
      scalar_load(s, inst, isel_to_sgpr(s, inst->src[0]), false, &zero, inst->imm);
      return true;
   }
   case IR_LIST_ADDR:
      copy_list_address(s, inst);
      return true;
   case IR_TABLE:
      isel_def(s, inst, mir_table(s->p));
      return true;
   case IR_CLOCK:
      read_clock(s, inst);
      return true;
   case IR_LOAD_CONST:
      if (s->vals[inst->id].sgpr)
         scalar_load(s, inst, isel_to_sgpr(s, inst->src[0]), true, inst->src[1], inst->mem.offset);
      else
         load_buffer(s, inst);
      return true;
   case IR_LOAD_BUF:
      load_buffer(s, inst);
      return true;
   case IR_LOAD_FMT:
      load_format(s, inst);
      return true;
   case IR_STORE_BUF:
      store_buffer(s, inst);
      return true;
   case IR_LOAD_SCRATCH: case IR_STORE_SCRATCH:
      scratch(s, inst);
      return true;
   case IR_ATOMIC_BUF:
      atomic_buffer(s, inst);
      return true;
   default:
      return false;
   }
}
