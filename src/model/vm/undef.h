/* SPDX-License-Identifier: MIT */
/* Dwords of memory that hold undefined values. Stages pass their outputs to the
 * next one through memory, and a driver may copy what nobody wrote as long as
 * nobody reads it: such a store is no mistake yet, the use of what it left is.
 * Holds for one draw; only the thread of the stream asks. */
#ifndef MODEL_VM_UNDEF_H
#define MODEL_VM_UNDEF_H

#include <stdbool.h>
#include <stdint.h>

struct model_undef {
   unsigned count;     /* dwords that are undefined now: 0, nobody needs to ask */
   unsigned used, size; /* entries of the table, a power of two */
   uint64_t *keys;     /* address / 4 * 2 + undefined; 0 empty */
};

struct model_undef *undef_create(void);
void undef_destroy(struct model_undef *u);
/* Nothing is undefined any more. */
void undef_begin_draw(struct model_undef *u);
void undef_set(struct model_undef *u, uint64_t va, bool undefined);
bool undef_test(const struct model_undef *u, uint64_t va);

#endif
