/* SPDX-License-Identifier: MIT */
/* Memory: LOAD, STORE, atomics and RESQ on buffers and on the memory that a
 * work group shares; images are in image.c. Barriers. */
#include "image.h"
#include "ops.h"

/* Files that LOAD and friends know and this file does not. */
static void
refuse_file(struct tr *t, unsigned file)
{
   tr_error(t, "memory of file %s is not supported", tgsi_file_name(file));
}

static ir_val
buffer_desc(struct tr *t, int index, bool indirect, const struct tgsi_ind_register *ind)
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

/* MEMORY[n] is shared memory; other kinds are not supported. */
static bool
require_shared(struct tr *t)
{
   if (t->stage == TGSIAMD_CS && t->scan->memory_type == TGSI_MEMORY_TYPE_SHARED)
      return true;
   tr_error(t, "only the shared memory of compute programs is supported");
   return false;
}

/* LOAD dst, BUFFER[n], byte offset */
void
tr_op_load(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];
   const unsigned n = util_last_bit(tr_mask(t));
   ir_val v[4] = { NULL }, data;

   if (src->Register.File == TGSI_FILE_IMAGE) {
      image_load(t);
      return;
   }
   if (src->Register.File == TGSI_FILE_MEMORY && !require_shared(t))
      return;
   if (src->Register.File != TGSI_FILE_BUFFER && src->Register.File != TGSI_FILE_CONSTANT &&
       src->Register.File != TGSI_FILE_CONSTBUF && src->Register.File != TGSI_FILE_MEMORY) {
      refuse_file(t, src->Register.File);
      return;
   }
   if (!n)
      return;
   ir_val offset = tr_src_as(t, 1, 0, TGSI_TYPE_UNSIGNED);
   if (src->Register.File == TGSI_FILE_BUFFER) {
      ir_val desc = buffer_desc(t, src->Register.Index, src->Register.Indirect, &src->Indirect);
      data = ir_load_buf(B(t), desc, offset, 0, n);
      data->mem.glc = is_coherent(t);
   } else if (src->Register.File == TGSI_FILE_MEMORY) {
      data = ir_load_lds(B(t), offset, n);
   } else {
      if (src->Register.Indirect || src->Register.Dimension || src->Register.Index < 0 ||
          src->Register.Index >= TGSIAMD_MAX_CONST_BUFFERS) {
         tr_error(t, "bad constant buffer");
         return;
      }
      data = ir_load_ubo(B(t), src->Register.Index, offset, 0, n);
   }
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

   if (dst->Register.File == TGSI_FILE_IMAGE) {
      image_store(t);
      return;
   }
   const bool shared = dst->Register.File == TGSI_FILE_MEMORY;
   if (shared && !require_shared(t))
      return;
   if (!shared && dst->Register.File != TGSI_FILE_BUFFER) {
      refuse_file(t, dst->Register.File);
      return;
   }
   ir_val desc = shared ? NULL
                        : buffer_desc(t, dst->Register.Index, dst->Register.Indirect,
                                      &dst->Indirect);
   ir_val offset = tr_src_as(t, 0, 0, TGSI_TYPE_UNSIGNED);
   for (unsigned c = 0; c < 4; c++)
      data[c] = mask & (1u << c) ? tr_src_as(t, 1, c, TGSI_TYPE_UNTYPED) : NULL;
   while (mask) {
      u_bit_scan_consecutive_range(&mask, &start, &count);
      ir_val vec = count == 1 ? data[start] : ir_vec(B(t), count, &data[start]);
      if (shared)
         ir_store_lds(B(t), offset, start * 4, vec, count);
      else
         ir_store_buf(B(t), desc, offset, start * 4, vec, count);
   }
}

/* op: enum ir_atomic. ATOMCAS has the value to compare before the new one. */
void
tr_op_atomic(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];
   const unsigned file = src->Register.File;
   ir_val compare = NULL;

   if (file != TGSI_FILE_BUFFER && file != TGSI_FILE_IMAGE && file != TGSI_FILE_MEMORY) {
      refuse_file(t, file);
      return;
   }
   if (file == TGSI_FILE_MEMORY && !require_shared(t))
      return;
   ir_val data = tr_src_as(t, 2, 0, TGSI_TYPE_UNSIGNED);
   if (t->op->op == IR_ATOMIC_CMPSWAP) {
      compare = data;
      data = tr_src_as(t, 3, 0, TGSI_TYPE_UNSIGNED);
   }
   if (file == TGSI_FILE_IMAGE) {
      image_atomic(t, t->op->op, data, compare);
      return;
   }
   ir_val offset = tr_src_as(t, 1, 0, TGSI_TYPE_UNSIGNED);
   if (file == TGSI_FILE_MEMORY) {
      tr_dst_all(t, ir_atomic_lds(B(t), t->op->op, offset, data, compare));
      return;
   }
   ir_val desc = buffer_desc(t, src->Register.Index, src->Register.Indirect, &src->Indirect);
   tr_dst_all(t, ir_atomic_buf(B(t), t->op->op, desc, offset, 0, data, compare));
}

/* Size in bytes: raw buffers have it as NUM_RECORDS. */
void
tr_op_resq(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];

   if (src->Register.File == TGSI_FILE_IMAGE) {
      image_size(t);
      return;
   }
   if (src->Register.File != TGSI_FILE_BUFFER) {
      refuse_file(t, src->Register.File);
      return;
   }
   ir_val desc = buffer_desc(t, src->Register.Index, src->Register.Indirect, &src->Indirect);
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
