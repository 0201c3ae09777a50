/* SPDX-License-Identifier: MIT */
/* What LOAD, STORE and ATOM* work on besides images: shader buffers, atomic
 * counters and the four kinds of MEMORY. SHARED lies in LDS, PRIVATE in the lane's
 * scratch memory, GLOBAL and INPUT behind V#s of the internal list. */
#include "memory.h"

static const struct tr_memory none = { .kind = TR_MEM_NONE };

/* The kind of MEMORY[index]; TYPE_COUNT: none. Mesa's nir_to_tgsi declares its one
 * memory under the number of its kind and then calls it MEMORY[0]. */
static unsigned
memory_type(const struct tr *t, int index)
{
   const unsigned num = ARRAY_SIZE(t->scan->memory_types);
   unsigned declared = 0, type = TGSI_MEMORY_TYPE_COUNT;

   if (index < 0 || index >= (int)num)
      return TGSI_MEMORY_TYPE_COUNT;
   if (index > 0 || t->scan->memory_types[0] != TGSI_MEMORY_TYPE_COUNT)
      return t->scan->memory_types[index];
   for (unsigned i = 1; i < num; i++) {
      if (t->scan->memory_types[i] != TGSI_MEMORY_TYPE_COUNT) {
         type = t->scan->memory_types[i];
         declared++;
      }
   }
   return declared == 1 ? type : TGSI_MEMORY_TYPE_COUNT;
}

static struct tr_memory
memory_register(struct tr *t, int index)
{
   const unsigned type = memory_type(t, index);

   if (type == TGSI_MEMORY_TYPE_COUNT) {
      tr_error(t, "MEMORY[%d] is not declared", index);
      return none;
   }
   if (t->stage != TGSIAMD_CS) {
      tr_error(t, "MEMORY belongs to compute programs");
      return none;
   }
   switch (type) {
   case TGSI_MEMORY_TYPE_SHARED:
      return (struct tr_memory){ .kind = TR_MEM_LDS };
   case TGSI_MEMORY_TYPE_PRIVATE:
      if (t->sh->key->cs.private_bytes < 4) {
         tr_error(t, "the program was given no private memory");
         return none;
      }
      return (struct tr_memory){ .kind = TR_MEM_PRIVATE };
   default: {
      const bool input = type == TGSI_MEMORY_TYPE_INPUT;
      const unsigned entry = input ? TGSIAMD_INTERNAL_CS_INPUT : TGSIAMD_INTERNAL_GLOBAL;
      t->sh->info.internal |= 1u << entry;
      return (struct tr_memory){
         .kind = input ? TR_MEM_INPUT : TR_MEM_BUFFER,
         .desc = ir_load_desc(B(t), IR_LIST_INTERNAL, 4, NULL, entry * 16),
      };
   }
   }
}

static struct tr_memory
memory_operand(struct tr *t, unsigned file, int index, bool indirect, const struct tgsi_ind_register *ind)
{
   switch (file) {
   case TGSI_FILE_BUFFER:
      return (struct tr_memory){ .kind = TR_MEM_BUFFER, .desc = tr_buffer_desc(t, index, indirect, ind) };
   case TGSI_FILE_MEMORY:
      if (!indirect)
         return memory_register(t, index);
      break;
   }
   tr_error(t, "memory of file %s%s is not supported", tgsi_file_name(file), indirect ? " (indirect)" : "");
   return none;
}

/* HWATOMIC[buffer][counter]: the register alone says where the counter is. (Mesa's
 * nir_to_tgsi puts the same place into the offset once more; r600 looks at the
 * register, as here.) */
static struct tr_memory
counter_register(struct tr *t, const struct tgsi_full_src_register *src)
{
   const int buffer = src->Register.Dimension ? src->Dimension.Index : 0;
   struct ir_builder *b = B(t);
   struct tr_memory m = { .kind = TR_MEM_BUFFER, .counter = ir_imm(b, (uint32_t)src->Register.Index * 4) };

   if (src->Register.Dimension && src->Dimension.Indirect) {
      unsigned num = MAX2(util_last_bit(t->scan->hw_atomic_buffers), 1);
      ir_val index = tr_uniform_index(t, buffer, &src->DimIndirect, num);
      m.desc = ir_load_desc(b, IR_LIST_BUFFERS, 4, ir_shl(b, index, ir_imm(b, 4)), TGSIAMD_HW_ATOMIC_BUFFER_OFFSET(0));
   } else if (buffer < 0 || buffer >= TGSIAMD_MAX_HW_ATOMIC_BUFFERS) {
      tr_error(t, "buffer %d of counters is beyond the limit of %u", buffer, TGSIAMD_MAX_HW_ATOMIC_BUFFERS);
      return none;
   } else {
      t->sh->info.hw_atomic_buffers |= 1u << buffer;
      m.desc = ir_load_desc(b, IR_LIST_BUFFERS, 4, NULL, TGSIAMD_HW_ATOMIC_BUFFER_OFFSET(buffer));
   }
   if (src->Register.Indirect)
      m.counter = ir_iadd(b, ir_shl(b, tr_address(t, &src->Indirect), ir_imm(b, 2)), m.counter);
   return m;
}

struct tr_memory
tr_src_memory(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];

   if (src->Register.File == TGSI_FILE_HW_ATOMIC)
      return counter_register(t, src);
   return memory_operand(t, src->Register.File, src->Register.Index, src->Register.Indirect, &src->Indirect);
}

struct tr_memory
tr_dst_memory(struct tr *t)
{
   const struct tgsi_full_dst_register *dst = &t->inst->Dst[0];
   return memory_operand(t, dst->Register.File, dst->Register.Index, dst->Register.Indirect, &dst->Indirect);
}

/* Byte offset of dword n in the lane's own memory. What lies behind it are
 * registers of the compiler's: no access goes there. */
static ir_val
private_offset(struct tr *t, ir_val offset, unsigned n)
{
   if (n)
      offset = ir_iadd(B(t), offset, ir_imm(B(t), 4 * n));
   offset = ir_umin(B(t), offset, ir_imm(B(t), (t->sh->key->cs.private_bytes & ~3u) - 4));
   return ir_iand(B(t), offset, ir_imm(B(t), ~3u));
}

ir_val
tr_memory_load(struct tr *t, const struct tr_memory *m, ir_val offset, unsigned n, bool coherent)
{
   ir_val v[4], data;

   switch (m->kind) {
   case TR_MEM_LDS:
      return ir_load_lds(B(t), offset, n);
   case TR_MEM_PRIVATE:
      for (unsigned i = 0; i < n; i++)
         v[i] = ir_op1(B(t), IR_LOAD_SCRATCH, private_offset(t, offset, i));
      return n == 1 ? v[0] : ir_vec(B(t), n, v);
   case TR_MEM_INPUT:
      return ir_load_const(B(t), m->desc, offset, 0, n);
   default:
      data = ir_load_buf(B(t), m->desc, offset, 0, n);
      data->mem.glc = coherent;
      return data;
   }
}

void
tr_memory_store(struct tr *t, const struct tr_memory *m, ir_val offset, unsigned first, unsigned n,
                const ir_val *data)
{
   if (m->kind == TR_MEM_PRIVATE) {
      for (unsigned i = 0; i < n; i++)
         ir_op2(B(t), IR_STORE_SCRATCH, private_offset(t, offset, first + i), data[i]);
      return;
   }
   ir_val vec = n == 1 ? data[0] : ir_vec(B(t), n, data);
   if (m->kind == TR_MEM_LDS)
      ir_store_lds(B(t), offset, first * 4, vec, n);
   else if (m->kind == TR_MEM_BUFFER)
      ir_store_buf(B(t), m->desc, offset, first * 4, vec, n);
   else
      tr_error(t, "the kernel's arguments cannot be written");
}

/* What an atomic operation leaves in memory, for memory that nobody else sees. */
static ir_val
combine(struct tr *t, enum ir_atomic op, ir_val old, ir_val data, ir_val compare)
{
   struct ir_builder *b = B(t);
   ir_val one = ir_imm(b, 1);

   switch (op) {
   case IR_ATOMIC_ADD: return ir_iadd(b, old, data);
   case IR_ATOMIC_SWAP: return data;
   case IR_ATOMIC_CMPSWAP: return ir_select(b, ir_ieq(b, old, compare), data, old);
   case IR_ATOMIC_UMIN: return ir_umin(b, old, data);
   case IR_ATOMIC_UMAX: return ir_op2(b, IR_UMAX, old, data);
   case IR_ATOMIC_IMIN: return ir_op2(b, IR_IMIN, old, data);
   case IR_ATOMIC_IMAX: return ir_op2(b, IR_IMAX, old, data);
   case IR_ATOMIC_AND: return ir_iand(b, old, data);
   case IR_ATOMIC_OR: return ir_ior(b, old, data);
   case IR_ATOMIC_XOR: return ir_ixor(b, old, data);
   case IR_ATOMIC_INC_WRAP:
      return ir_select(b, ir_uge(b, old, data), ir_imm(b, 0), ir_iadd(b, old, one));
   case IR_ATOMIC_DEC_WRAP: {
      ir_val wraps = ir_op2(b, IR_BOR, ir_ieq(b, old, ir_imm(b, 0)), ir_ult(b, data, old));
      return ir_select(b, wraps, data, ir_op2(b, IR_ISUB, old, one));
   }
   case IR_ATOMIC_FADD: return ir_fadd(b, old, data);
   }
   return NULL;
}

ir_val
tr_memory_atomic(struct tr *t, const struct tr_memory *m, enum ir_atomic op, ir_val offset, ir_val data,
                 ir_val compare)
{
   switch (m->kind) {
   case TR_MEM_LDS:
      return ir_atomic_lds(B(t), op, offset, data, compare);
   case TR_MEM_PRIVATE: {
      ir_val old = tr_memory_load(t, m, offset, 1, false);
      ir_val now = combine(t, op, old, data, compare);
      tr_memory_store(t, m, offset, 0, 1, &now);
      return old;
   }
   case TR_MEM_BUFFER:
      return ir_atomic_buf(B(t), op, m->desc, offset, 0, data, compare);
   default:
      tr_error(t, "the kernel's arguments cannot be written");
      return ir_imm(B(t), 0);
   }
}

/* Float addition where the hardware has none: compare and swap until nobody was
 * in between. Lanes that are not live never swap, and must not wait for it. */
ir_val
tr_swap_loop(struct tr *t, ir_val first, ir_val data, tr_swap_fn swap, void *ctx)
{
   struct ir_builder *b = B(t);
   const uint32_t old_var = ir_var(t->sh, "old");

   ir_store_var(b, old_var, first);
   ir_loop(b);
   ir_val old = ir_load_var(b, old_var);
   ir_val was = swap(t, ctx, ir_fadd(b, old, data), old);
   ir_val done = ir_ieq(b, was, old);
   ir_store_var(b, old_var, was);
   if (t->stage == TGSIAMD_PS) {
      ir_val live = ir_sysval(b, IR_SV_LIVE_LANE);
      done = ir_op2(b, IR_BOR, done, ir_ieq(b, live, ir_imm(b, 0)));
   }
   ir_if(b, done);
   ir_break(b);
   ir_endif(b);
   ir_endloop(b);
   return ir_load_var(b, old_var);
}
