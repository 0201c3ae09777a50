/* SPDX-License-Identifier: MIT */
/* Memory: LOAD, STORE, atomics and RESQ on buffers, counters and the memory that a
 * work group shares; images are in image.c. Barriers. */
#include "image.h"
#include "memory.h"
#include "ops.h"

ir_val
tr_buffer_desc(struct tr *t, int index, bool indirect, const struct tgsi_ind_register *ind)
{
   if (indirect) {
      unsigned num = CLAMP(t->scan->num_regs[TGSI_FILE_BUFFER], 1, TGSIAMD_MAX_SHADER_BUFFERS);
      ir_val unit = tr_uniform_index(t, index, ind, num);
      return ir_load_desc(B(t), IR_LIST_BUFFERS, 4, ir_shl(B(t), unit, ir_imm(B(t), 4)),
                          TGSIAMD_SHADER_BUFFER_OFFSET(0));
   }
   if (index < 0 || index >= TGSIAMD_MAX_SHADER_BUFFERS) {
      tr_error(t, "buffer %d is beyond the limit of %u", index, TGSIAMD_MAX_SHADER_BUFFERS);
      index = 0;
   }
   t->sh->info.shader_buffers |= 1u << index;
   return ir_load_desc(B(t), IR_LIST_BUFFERS, 4, NULL, TGSIAMD_SHADER_BUFFER_OFFSET(index));
}

static bool
is_coherent(const struct tr *t)
{
   return t->inst->Instruction.Memory &&
          (t->inst->Memory.Qualifier & (TGSI_MEMORY_COHERENT | TGSI_MEMORY_VOLATILE));
}

/* LOAD dst, CONSTANT or CONSTBUF [n], byte offset: a constant buffer. */
static ir_val
load_constant(struct tr *t, ir_val offset, unsigned n)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];

   if (src->Register.Indirect && src->Register.File == TGSI_FILE_CONSTBUF) {
      unsigned num = MAX2(util_last_bit(t->sh->info.const_buffers), 1);
      ir_val index = tr_uniform_index(t, src->Register.Index, &src->Indirect, num);
      ir_val desc = ir_load_desc(B(t), IR_LIST_BUFFERS, 4, ir_shl(B(t), index, ir_imm(B(t), 4)),
                                 TGSIAMD_CONST_BUFFER_OFFSET(0));
      return ir_load_const(B(t), desc, offset, 0, n);
   }
   if (src->Register.Indirect || src->Register.Dimension || src->Register.Index < 0 ||
       src->Register.Index >= TGSIAMD_MAX_CONST_BUFFERS) {
      tr_error(t, "bad constant buffer");
      return NULL;
   }
   return ir_load_ubo(B(t), src->Register.Index, offset, 0, n);
}

/* LOAD dst, BUFFER[n], byte offset. Counters change all the time: never from L1. */
void
tr_op_load(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];
   const unsigned n = util_last_bit(tr_mask(t));
   ir_val v[4] = { NULL }, data;

   if (src->Register.File == TGSI_FILE_IMAGE || tr_is_handle(t, 0)) {
      image_load(t);
      return;
   }
   if (!n)
      return;
   ir_val offset = src->Register.File == TGSI_FILE_HW_ATOMIC ? NULL : tr_src_as(t, 1, 0, TGSI_TYPE_UNSIGNED);
   if (src->Register.File == TGSI_FILE_CONSTANT || src->Register.File == TGSI_FILE_CONSTBUF) {
      data = load_constant(t, offset, n);
   } else {
      struct tr_memory m = tr_src_memory(t);
      if (m.kind == TR_MEM_NONE)
         return;
      data = tr_memory_load(t, &m, offset ? offset : m.counter, n, m.counter || is_coherent(t));
   }
   if (!data)
      return;
   for (unsigned c = 0; c < n; c++)
      v[c] = ir_extract(B(t), data, c);
   tr_dst(t, v);
}

/* STORE BUFFER[n].mask, byte offset, data: a store for each run of channels. */
void
tr_op_store(struct tr *t)
{
   const struct tgsi_full_dst_register *dst = &t->inst->Dst[0];
   unsigned mask = dst->Register.WriteMask;
   ir_val data[4];
   int start, count;

   if (dst->Register.File == TGSI_FILE_IMAGE || tr_dst_is_handle(t)) {
      image_store(t);
      return;
   }
   struct tr_memory m = tr_dst_memory(t);
   if (m.kind == TR_MEM_NONE)
      return;
   ir_val offset = tr_src_as(t, 0, 0, TGSI_TYPE_UNSIGNED);
   for (unsigned c = 0; c < 4; c++)
      data[c] = mask & (1u << c) ? tr_src_as(t, 1, c, TGSI_TYPE_UNTYPED) : NULL;
   while (mask) {
      u_bit_scan_consecutive_range(&mask, &start, &count);
      tr_memory_store(t, &m, offset, start, count, &data[start]);
   }
}

struct swap { const struct tr_memory *m; ir_val offset; };

static ir_val
swap_memory(struct tr *t, void *ctx, ir_val value, ir_val compare)
{
   const struct swap *s = ctx;
   return tr_memory_atomic(t, s->m, IR_ATOMIC_CMPSWAP, s->offset, value, compare);
}

/* op: enum ir_atomic. ATOMCAS has the value to compare before the new one. */
void
tr_op_atomic(struct tr *t)
{
   const enum ir_atomic op = t->op->op;
   const enum tgsi_opcode_type type = op == IR_ATOMIC_FADD ? TGSI_TYPE_FLOAT : TGSI_TYPE_UNSIGNED;
   ir_val compare = NULL;
   ir_val data = tr_src_as(t, 2, 0, type);

   if (op == IR_ATOMIC_CMPSWAP) {
      compare = data;
      data = tr_src_as(t, 3, 0, type);
   }
   if (t->inst->Src[0].Register.File == TGSI_FILE_IMAGE || tr_is_handle(t, 0)) {
      image_atomic(t, op, data, compare);
      return;
   }
   struct tr_memory m = tr_src_memory(t);
   if (m.kind == TR_MEM_NONE)
      return;
   ir_val offset = m.counter ? m.counter : tr_src_as(t, 1, 0, TGSI_TYPE_UNSIGNED);
   if (op == IR_ATOMIC_FADD && m.kind == TR_MEM_BUFFER) {
      struct swap s = { &m, offset };
      ir_val first = tr_memory_load(t, &m, offset, 1, true);
      tr_dst_all(t, tr_swap_loop(t, first, data, swap_memory, &s));
      return;
   }
   tr_dst_all(t, tr_memory_atomic(t, &m, op, offset, data, compare));
}

/* Size in bytes: raw buffers have it as NUM_RECORDS. */
void
tr_op_resq(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];

   if (src->Register.File == TGSI_FILE_IMAGE || tr_is_handle(t, 0)) {
      image_size(t);
      return;
   }
   if (src->Register.File != TGSI_FILE_BUFFER) {
      tr_error(t, "memory of file %s has no size", tgsi_file_name(src->Register.File));
      return;
   }
   ir_val desc = tr_buffer_desc(t, src->Register.Index, src->Register.Indirect, &src->Indirect);
   tr_dst_all(t, ir_extract(B(t), desc, 2));
}

void
tr_op_barrier(struct tr *t)
{
   if (t->stage == TGSIAMD_CS)
      ir_op0(B(t), IR_BARRIER, 0);
   else
      tr_error(t, "only in compute programs");
}

/* The caches between work groups: stores go through to L2, loads that must see
 * others' stores are coherent by their own qualifier. What is left to do is to
 * wait for the own operations. */
void
tr_op_membar(struct tr *t)
{
   ir_op0(B(t), IR_MEMBAR, 0);
}
