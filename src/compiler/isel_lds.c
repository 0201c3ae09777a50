/* SPDX-License-Identifier: MIT */
/* Instruction selection of LDS, barriers and images that are written. Vega
 * ISA, chapters 11 (LDS), 8.2 (images) and S_BARRIER. LDS on GFX9 needs no M0. */
#include "isel.h"

static void
msrc(struct mir_inst *inst, unsigned i, mir_reg r, unsigned n)
{
   inst->src[i] = r;
   inst->src_n[i] = n;
}

static mir_reg
vgpr(struct isel *s, ir_val v)
{
   return isel_to_vgpr(s, isel_opnd(s, v, false));
}

/* Scalars and vectors, one behind the other, in neighbouring VGPRs. */
static mir_reg
gather(struct isel *s, const ir_val *v, unsigned num, unsigned *dwords)
{
   unsigned n = 0;
   for (unsigned i = 0; i < num; i++)
      n += v[i]->comps;
   mir_reg r = mir_new_reg(s->p, MIR_VGPR, n);
   *dwords = n;
   n = 0;
   for (unsigned i = 0; i < num; i++) {
      for (unsigned c = 0; c < v[i]->comps; c++)
         isel_copy(s, r + n++, isel_part(s, v[i], c));
   }
   return r;
}

/* Dwords that one instruction can take of `left` at addr + offset. 2 may be wide
 * or a pair; wide ones want their address aligned, pairs have small offsets. */
static unsigned
lds_dwords(ir_val addr, uint32_t offset, unsigned left, bool *pair)
{
   const unsigned in_offset = offset ? __builtin_ctz(offset) : 32, in_addr = ir_zero_bits(addr, 4);
   const unsigned zeros = in_addr < in_offset ? in_addr : in_offset;
   *pair = false;
   if (left >= 4 && zeros >= 4)
      return 4;
   if (left < 2)
      return 1;
   *pair = zeros < 3 && offset % 4 == 0 && offset / 4 + 1 <= 0xff;
   return zeros >= 3 || *pair ? 2 : 1;
}

static unsigned
pair_offset(uint32_t offset)
{
   return offset / 4 | (offset / 4 + 1) << 8;
}

static void
load_lds(struct isel *s, struct ir_inst *inst)
{
   static const uint16_t ops[] = { 0, ISA_DS_READ_B32, ISA_DS_READ_B64, 0, ISA_DS_READ_B128 };
   mir_reg addr = vgpr(s, inst->src[0]), def = isel_new_def(s, inst);
   for (unsigned i = 0, n; i < inst->comps; i += n) {
      uint32_t offset = inst->mem.offset + 4 * i;
      bool pair;
      n = lds_dwords(inst->src[0], offset, inst->comps - i, &pair);
      struct mir_inst *m = isel_emit(s, pair ? ISA_DS_READ2_B32 : ops[n], def + i, n);
      msrc(m, 0, addr, 1);
      m->i.offset = pair ? pair_offset(offset) : offset;
   }
}

static void
store_lds(struct isel *s, struct ir_inst *inst)
{
   static const uint16_t ops[] = { 0, ISA_DS_WRITE_B32, ISA_DS_WRITE_B64, 0, ISA_DS_WRITE_B128 };
   unsigned num;
   mir_reg addr = vgpr(s, inst->src[0]), data = gather(s, &inst->src[1], 1, &num);
   for (unsigned i = 0, n; i < num; i += n) {
      uint32_t offset = inst->mem.offset + 4 * i;
      bool pair;
      n = lds_dwords(inst->src[0], offset, num - i, &pair);
      struct mir_inst *m = isel_emit(s, pair ? ISA_DS_WRITE2_B32 : ops[n], ISA_NONE, 0);
      msrc(m, 0, addr, 1);
      msrc(m, 1, data + i, pair ? 1 : n);
      if (pair)
         msrc(m, 2, data + i + 1, 1);
      m->i.offset = pair ? pair_offset(offset) : offset;
      m->side_effect = true;
   }
}

static void
atomic_lds(struct isel *s, struct ir_inst *inst)
{
   /* Without and with the value that was there. */
   static const uint16_t ops[][2] = {
      [IR_ATOMIC_ADD] = { ISA_DS_ADD_U32, ISA_DS_ADD_RTN_U32 },
      [IR_ATOMIC_SWAP] = { ISA_DS_WRITE_B32, ISA_DS_WRXCHG_RTN_B32 },
      [IR_ATOMIC_CMPSWAP] = { ISA_DS_CMPST_B32, ISA_DS_CMPST_RTN_B32 },
      [IR_ATOMIC_UMIN] = { ISA_DS_MIN_U32, ISA_DS_MIN_RTN_U32 }, [IR_ATOMIC_UMAX] = { ISA_DS_MAX_U32, ISA_DS_MAX_RTN_U32 },
      [IR_ATOMIC_IMIN] = { ISA_DS_MIN_I32, ISA_DS_MIN_RTN_I32 }, [IR_ATOMIC_IMAX] = { ISA_DS_MAX_I32, ISA_DS_MAX_RTN_I32 },
      [IR_ATOMIC_AND] = { ISA_DS_AND_B32, ISA_DS_AND_RTN_B32 }, [IR_ATOMIC_OR] = { ISA_DS_OR_B32, ISA_DS_OR_RTN_B32 },
      [IR_ATOMIC_XOR] = { ISA_DS_XOR_B32, ISA_DS_XOR_RTN_B32 },
      [IR_ATOMIC_INC_WRAP] = { ISA_DS_INC_U32, ISA_DS_INC_RTN_U32 },
      [IR_ATOMIC_DEC_WRAP] = { ISA_DS_DEC_U32, ISA_DS_DEC_RTN_U32 },
      [IR_ATOMIC_FADD] = { ISA_DS_ADD_F32, ISA_DS_ADD_RTN_F32 },
   };
   const bool wanted = s->uses[inst->id] != 0;
   mir_reg addr = vgpr(s, inst->src[0]), data = vgpr(s, inst->src[1]);
   mir_reg compare = inst->num_src > 2 ? vgpr(s, inst->src[2]) : ISA_NONE;
   struct mir_inst *m = isel_emit(s, ops[inst->mem.atomic][wanted], wanted ? isel_new_def(s, inst) : ISA_NONE, wanted);
   msrc(m, 0, addr, 1);
   if (compare != ISA_NONE) {
      /* DATA0 is compared, DATA1 written. */
      msrc(m, 1, compare, 1);
      msrc(m, 2, data, 1);
   } else {
      msrc(m, 1, data, 1);
   }
   m->side_effect = true;
}

static void
wait_memory(struct isel *s)
{
   struct mir_inst *m = isel_emit(s, ISA_S_WAITCNT, ISA_NONE, 0);
   m->i.imm = isa_waitcnt_pack(s->sh->gfx, 0, ~0u, 0);
   m->side_effect = true;
}

static void
image_load(struct isel *s, struct ir_inst *inst, mir_reg desc)
{
   static const uint16_t fmt[] = { 0, ISA_BUFFER_LOAD_FORMAT_X, ISA_BUFFER_LOAD_FORMAT_XY,
                                   ISA_BUFFER_LOAD_FORMAT_XYZ, ISA_BUFFER_LOAD_FORMAT_XYZW };
   const bool buffer = inst->tex.dim == IR_DIM_BUFFER;
   /* Buffers give components from x on. */
   unsigned num = buffer ? 32 - __builtin_clz(inst->tex.dmask) : inst->comps, n, c = 0;
   mir_reg addr = gather(s, &inst->src[1], inst->tex.num_coords, &n);
   mir_reg all = num == inst->comps ? isel_new_def(s, inst) : mir_new_reg(s->p, MIR_VGPR, num);
   struct mir_inst *m = isel_emit(s, buffer ? fmt[num] : ISA_IMAGE_LOAD, all, num);
   msrc(m, 0, addr, n);
   msrc(m, 1, desc, buffer ? 4 : 8);
   if (buffer) {
      msrc(m, 2, ISA_INT_0, 1);
      m->i.idxen = true;
   } else {
      m->i.dmask = inst->tex.dmask;
      m->i.unorm = true;
      m->i.da = isel_is_array(inst->tex.dim);
   }
   m->i.glc = inst->tex.glc;
   if (num == inst->comps)
      return;
   mir_reg def = isel_new_def(s, inst);
   for (unsigned i = 0; i < num; i++) {
      if (inst->tex.dmask >> i & 1)
         isel_copy(s, def + c++, isel_reg(all + i));
   }
}

static void
image_write(struct isel *s, struct ir_inst *inst, mir_reg desc)
{
   static const uint16_t image[] = {
      [IR_ATOMIC_ADD] = ISA_IMAGE_ATOMIC_ADD, [IR_ATOMIC_SWAP] = ISA_IMAGE_ATOMIC_SWAP,
      [IR_ATOMIC_CMPSWAP] = ISA_IMAGE_ATOMIC_CMPSWAP, [IR_ATOMIC_UMIN] = ISA_IMAGE_ATOMIC_UMIN,
      [IR_ATOMIC_UMAX] = ISA_IMAGE_ATOMIC_UMAX, [IR_ATOMIC_IMIN] = ISA_IMAGE_ATOMIC_SMIN,
      [IR_ATOMIC_IMAX] = ISA_IMAGE_ATOMIC_SMAX, [IR_ATOMIC_AND] = ISA_IMAGE_ATOMIC_AND,
      [IR_ATOMIC_OR] = ISA_IMAGE_ATOMIC_OR, [IR_ATOMIC_XOR] = ISA_IMAGE_ATOMIC_XOR,
      [IR_ATOMIC_INC_WRAP] = ISA_IMAGE_ATOMIC_INC, [IR_ATOMIC_DEC_WRAP] = ISA_IMAGE_ATOMIC_DEC,
   };
   static const uint16_t tbuffer[] = { 0, ISA_TBUFFER_STORE_FORMAT_X, ISA_TBUFFER_STORE_FORMAT_XY,
                                       ISA_TBUFFER_STORE_FORMAT_XYZ, ISA_TBUFFER_STORE_FORMAT_XYZW };
   const bool buffer = inst->tex.dim == IR_DIM_BUFFER, atomic = inst->op == IR_IMG_ATOMIC;
   unsigned n, num_data, op;
   mir_reg save;
   mir_reg addr = gather(s, &inst->src[1], inst->tex.num_coords, &n);
   mir_reg data = gather(s, &inst->src[1 + inst->tex.num_coords], inst->num_src - 1 - inst->tex.num_coords, &num_data);
   const bool typed = !atomic && buffer && inst->tex.format, wanted = atomic && s->uses[inst->id] != 0;
   if (atomic) {
      /* Data is read and the old value comes back in the same registers. */
      if (wanted)
         isel_def(s, inst, data);
      op = buffer ? isel_buffer_atomic(inst->tex.atomic) : image[inst->tex.atomic];
   } else {
      op = typed ? tbuffer[num_data] : buffer ? ISA_BUFFER_STORE_FORMAT_XYZW : ISA_IMAGE_STORE;
   }
   isel_exact_begin(s, &save);
   struct mir_inst *m = isel_emit(s, op, wanted ? data : ISA_NONE, wanted);
   if (typed)
      isel_typed(m, inst->tex.format);
   msrc(m, 0, addr, n);
   msrc(m, 1, desc, buffer ? 4 : 8);
   msrc(m, 3, data, num_data);
   if (buffer) {
      msrc(m, 2, ISA_INT_0, 1);
      m->i.idxen = true;
   } else {
      m->i.dmask = inst->tex.dmask;
      m->i.unorm = true;
      m->i.da = isel_is_array(inst->tex.dim);
   }
   m->i.glc = inst->tex.glc && (wanted || !atomic);
   m->side_effect = true;
   isel_exact_end(s, save);
}

bool
isel_shared(struct isel *s, struct ir_inst *inst)
{
   switch (inst->op) {
   case IR_LOAD_LDS:
      load_lds(s, inst);
      return true;
   case IR_STORE_LDS:
      store_lds(s, inst);
      return true;
   case IR_ATOMIC_LDS:
      atomic_lds(s, inst);
      return true;
   case IR_BARRIER:
      wait_memory(s);
      isel_emit(s, ISA_S_BARRIER, ISA_NONE, 0)->side_effect = true;
      return true;
   case IR_SENDMSG: {
      if (s->m0_of != s->block || s->m0 != inst->src[0])
         isel_salu(s, ISA_S_MOV_B32, ISA_M0, 1, isel_reg(isel_to_sgpr(s, inst->src[0])), isel_reg(ISA_NONE))->side_effect = true;
      s->m0_of = s->block;
      s->m0 = inst->src[0];
      struct mir_inst *m = isel_emit(s, ISA_S_SENDMSG, ISA_NONE, 0);
      m->i.imm = inst->imm;
      m->side_effect = true;
      return true;
   }
   case IR_MEMBAR:
      wait_memory(s);
      return true;
   case IR_IMG_LOAD:
      image_load(s, inst, isel_to_sgpr(s, inst->src[0]));
      return true;
   case IR_IMG_STORE: case IR_IMG_ATOMIC:
      image_write(s, inst, isel_to_sgpr(s, inst->src[0]));
      return true;
   default:
      return false;
   }
}
