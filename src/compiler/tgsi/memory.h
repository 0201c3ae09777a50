/* SPDX-License-Identifier: MIT */
/* Memory that is addressed in bytes (memory.c). */
#ifndef TGSIAMD_TGSI_MEMORY_H
#define TGSIAMD_TGSI_MEMORY_H

#include "tr.h"

enum tr_mem_kind { TR_MEM_NONE, TR_MEM_BUFFER, TR_MEM_LDS, TR_MEM_PRIVATE, TR_MEM_INPUT };
struct tr_memory {
   enum tr_mem_kind kind; /* NONE: an error was recorded */
   ir_val desc;           /* V# of BUFFER and INPUT */
   ir_val counter;        /* byte offset of a counter, whatever the operand says; or NULL */
};

/* Source 0 and the destination of the current instruction. */
struct tr_memory tr_src_memory(struct tr *t);
struct tr_memory tr_dst_memory(struct tr *t);

ir_val tr_memory_load(struct tr *t, const struct tr_memory *m, ir_val offset, unsigned n, bool coherent);
/* Dwords `first` to first + n - 1 behind the offset. */
void tr_memory_store(struct tr *t, const struct tr_memory *m, ir_val offset, unsigned first, unsigned n,
                     const ir_val *data);
ir_val tr_memory_atomic(struct tr *t, const struct tr_memory *m, enum ir_atomic op, ir_val offset, ir_val data,
                        ir_val compare);

/* Swaps `value` in where memory holds `compare`; returns what was there. */
typedef ir_val (*tr_swap_fn)(struct tr *t, void *ctx, ir_val value, ir_val compare);
/* Atomic float addition; `first` is a recent value. Returns the old value. */
ir_val tr_swap_loop(struct tr *t, ir_val first, ir_val data, tr_swap_fn swap, void *ctx);

#endif
