/* SPDX-License-Identifier: MIT */
/* Read-modify-write operations of buffer and image atomics. */
#include "ta_internal.h"

#define ATOMIC(bits)                                                                              \
   uint##bits##_t ta_atomic##bits(enum ta_atomic op, void *p, uint##bits##_t data, uint##bits##_t cmp) \
   {                                                                                              \
      uint##bits##_t old, v = 0;                                                                  \
      __builtin_memcpy(&old, p, sizeof(old));                                                     \
      switch (op) {                                                                               \
      case ATOMIC_NONE: v = old; break;                                                           \
      case ATOMIC_SWAP: v = data; break;                                                          \
      case ATOMIC_CMPSWAP: v = old == cmp ? data : old; break;                                    \
      case ATOMIC_ADD: v = old + data; break;                                                     \
      case ATOMIC_SUB: v = old - data; break;                                                     \
      case ATOMIC_SMIN: v = (int##bits##_t)old < (int##bits##_t)data ? old : data; break;         \
      case ATOMIC_UMIN: v = old < data ? old : data; break;                                       \
      case ATOMIC_SMAX: v = (int##bits##_t)old > (int##bits##_t)data ? old : data; break;         \
      case ATOMIC_UMAX: v = old > data ? old : data; break;                                       \
      case ATOMIC_AND: v = old & data; break;                                                     \
      case ATOMIC_OR: v = old | data; break;                                                      \
      case ATOMIC_XOR: v = old ^ data; break;                                                     \
      case ATOMIC_INC: v = old >= data ? 0 : old + 1; break;                                      \
      case ATOMIC_DEC: v = old == 0 || old > data ? data : old - 1; break;                        \
      }                                                                                           \
      __builtin_memcpy(p, &v, sizeof(v));                                                         \
      return old;                                                                                 \
   }
ATOMIC(32)
ATOMIC(64)
