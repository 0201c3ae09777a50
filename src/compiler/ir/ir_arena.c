/* SPDX-License-Identifier: MIT */
/* Chunks of arenas, and those kept between compilations. */
#include "ir_arena.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_CHUNK (64u << 10)
#define MAX_CHUNK   (4u << 20) /* a single allocation may be larger */
#define MAX_SPARES  4

struct ir_chunk {
   struct ir_chunk *next;
   size_t size;
   max_align_t data[];
};

static _Atomic(struct ir_chunk *) spares[MAX_SPARES];

_Thread_local jmp_buf *ir_out_of_memory;

/* The largest are kept. */
static void
give(struct ir_chunk *c)
{
   for (unsigned i = 0; i < MAX_SPARES && c && c->size <= MAX_CHUNK; i++) {
      struct ir_chunk *old = atomic_exchange(&spares[i], c);
      c = old && old->size > c->size ? atomic_exchange(&spares[i], old) : old;
   }
   free(c);
}

static struct ir_chunk *
take(size_t size)
{
   for (unsigned i = 0; i < MAX_SPARES; i++) {
      struct ir_chunk *c = atomic_exchange(&spares[i], NULL);
      if (c && c->size >= size)
         return c;
      if (c)
         give(c);
   }
   return NULL;
}

static void __attribute__((destructor))
free_spares(void)
{
   for (unsigned i = 0; i < MAX_SPARES; i++)
      free(atomic_exchange(&spares[i], NULL));
}

void *
ir_arena_extend(struct ir_arena *a, size_t size)
{
   size_t want = a->chunks ? a->chunks->size * 2 : FIRST_CHUNK;
   if (want > MAX_CHUNK)
      want = MAX_CHUNK;
   if (want < size)
      want = size;
   struct ir_chunk *c = take(want);
   if (!c && (c = malloc(sizeof(*c) + want)))
      c->size = want;
   if (!c) {
      /* Passes hold half-built state: leave the compilation, if it asked for that. */
      if (ir_out_of_memory)
         longjmp(*ir_out_of_memory, 1);
      fprintf(stderr, "tgsiamd: compiler: out of memory\n");
      abort();
   }
   c->next = a->chunks;
   a->chunks = c;
   a->at = (char *)c->data + size;
   a->end = (char *)c->data + c->size;
   return c->data;
}

void
ir_arena_reset(struct ir_arena *a)
{
   while (a->chunks && a->chunks->next) {
      struct ir_chunk *older = a->chunks->next;
      a->chunks->next = older->next;
      give(older);
   }
   a->at = a->chunks ? (char *)a->chunks->data : NULL;
}

void
ir_arena_free(struct ir_arena *a)
{
   while (a->chunks) {
      struct ir_chunk *older = a->chunks->next;
      give(a->chunks);
      a->chunks = older;
   }
   a->at = a->end = NULL;
}
