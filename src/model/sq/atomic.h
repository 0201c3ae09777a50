/* SPDX-License-Identifier: MIT */
/* The read-modify-write operations that scalar, flat and LDS atomics share. */
#ifndef SQ_ATOMIC_H
#define SQ_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

enum sq_atomic {
   SQ_ATOMIC_SWAP, SQ_ATOMIC_CMPSWAP, SQ_ATOMIC_ADD, SQ_ATOMIC_SUB, SQ_ATOMIC_RSUB,
   SQ_ATOMIC_SMIN, SQ_ATOMIC_UMIN, SQ_ATOMIC_SMAX, SQ_ATOMIC_UMAX,
   SQ_ATOMIC_AND, SQ_ATOMIC_OR, SQ_ATOMIC_XOR, SQ_ATOMIC_INC, SQ_ATOMIC_DEC,
   SQ_ATOMIC_MSKOR, SQ_ATOMIC_WRAP,
   SQ_ATOMIC_FADD, SQ_ATOMIC_FMIN, SQ_ATOMIC_FMAX, SQ_ATOMIC_FCMPSWAP,
};

/* New value of `old` (4 or 8 bytes) with operand d; c is the value compared
 * with (cmpswap), the bits to set (mskor) or the wrap value (wrap). */
uint64_t sq_atomic_apply(enum sq_atomic op, unsigned bytes, uint64_t old, uint64_t d, uint64_t c);
/* The same on memory; returns the old value. */
uint64_t sq_atomic_memory(void *p, unsigned bytes, enum sq_atomic op, uint64_t d, uint64_t c);
/* Operation by the end of a mnemonic ("..._atomic_add_x2"), -1 unknown. */
int sq_atomic_kind(const char *mnemonic);

#endif
