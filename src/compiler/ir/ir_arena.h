/* SPDX-License-Identifier: MIT */
/* Memory of a compilation: bump allocation in growing chunks, given back at
 * once. Some chunks are kept for the next compilation of any thread: fresh
 * pages from the kernel cost as much as what is done with them. */
#ifndef TGSIAMD_IR_ARENA_H
#define TGSIAMD_IR_ARENA_H

#include <setjmp.h>
#include <stddef.h>

struct ir_chunk;

struct ir_arena {
   char *at, *end;          /* free part of the newest chunk */
   struct ir_chunk *chunks; /* newest first */
};

/* Where allocation jumps when there is no memory; NULL: it aborts (tools, tests).
 * What the compilation held is lost then. */
extern _Thread_local jmp_buf *ir_out_of_memory;

/* A new chunk with room for `size` bytes; returns them. */
void *ir_arena_extend(struct ir_arena *a, size_t size);
/* Forgets what was allocated, keeps the newest chunk. */
void ir_arena_reset(struct ir_arena *a);
void ir_arena_free(struct ir_arena *a);

/* Uninitialised memory, aligned to 16 bytes; never NULL. */
static inline void *
ir_arena_alloc(struct ir_arena *a, size_t size)
{
   size_t rounded = (size + 15) & ~(size_t)15;
   if ((size_t)(a->end - a->at) <= rounded) /* of nothing too, the first time */
      return ir_arena_extend(a, rounded);
   void *p = a->at;
   a->at += rounded;
   return p;
}

#endif
