/* SPDX-License-Identifier: MIT */
/* Read-modify-write operations; see atomic.h. */
#include <string.h>
#include "atomic.h"

static float f32(uint64_t v) { uint32_t u = (uint32_t)v; float f; memcpy(&f, &u, 4); return f; }
static double f64(uint64_t v) { double f; memcpy(&f, &v, 8); return f; }
static uint64_t u32(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static uint64_t u64(double f) { uint64_t u; memcpy(&u, &f, 8); return u; }

static uint64_t float_op(enum sq_atomic op, unsigned bytes, uint64_t old, uint64_t d, uint64_t c)
{
   bool wide = bytes == 8;
   double a = wide ? f64(old) : f32(old), b = wide ? f64(d) : f32(d);
   switch (op) {
   case SQ_ATOMIC_FADD: return wide ? u64(f64(old) + f64(d)) : u32(f32(old) + f32(d));
   case SQ_ATOMIC_FMIN: return b < a ? d : old;
   case SQ_ATOMIC_FMAX: return b > a ? d : old;
   default: return a == (wide ? f64(c) : f32(c)) ? d : old;
   }
}

uint64_t sq_atomic_apply(enum sq_atomic op, unsigned bytes, uint64_t old, uint64_t d, uint64_t c)
{
   uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
   int64_t so = bytes == 8 ? (int64_t)old : (int32_t)old, sd = bytes == 8 ? (int64_t)d : (int32_t)d;
   old &= mask, d &= mask, c &= mask;
   switch (op) {
   case SQ_ATOMIC_SWAP: return d;
   case SQ_ATOMIC_CMPSWAP: return old == c ? d : old;
   case SQ_ATOMIC_ADD: return (old + d) & mask;
   case SQ_ATOMIC_SUB: return (old - d) & mask;
   case SQ_ATOMIC_RSUB: return (d - old) & mask;
   case SQ_ATOMIC_SMIN: return sd < so ? d : old;
   case SQ_ATOMIC_UMIN: return d < old ? d : old;
   case SQ_ATOMIC_SMAX: return sd > so ? d : old;
   case SQ_ATOMIC_UMAX: return d > old ? d : old;
   case SQ_ATOMIC_AND: return old & d;
   case SQ_ATOMIC_OR: return old | d;
   case SQ_ATOMIC_XOR: return old ^ d;
   case SQ_ATOMIC_INC: return old >= d ? 0 : old + 1;
   case SQ_ATOMIC_DEC: return old == 0 || old > d ? d : old - 1;
   case SQ_ATOMIC_MSKOR: return (old & ~d) | c;
   case SQ_ATOMIC_WRAP: return (old >= d ? old - d : old + c) & mask;
   default: return float_op(op, bytes, old, d, c);
   }
}

uint64_t sq_atomic_memory(void *p, unsigned bytes, enum sq_atomic op, uint64_t d, uint64_t c)
{
   uint64_t old = 0, v;
   memcpy(&old, p, bytes);
   v = sq_atomic_apply(op, bytes, old, d, c);
   memcpy(p, &v, bytes);
   return old;
}

int sq_atomic_kind(const char *mnemonic)
{
   static const struct { const char *name; int op; } names[] = {
      {"cmpswap", SQ_ATOMIC_CMPSWAP}, {"swap", SQ_ATOMIC_SWAP}, {"add", SQ_ATOMIC_ADD}, {"sub", SQ_ATOMIC_SUB},
      {"smin", SQ_ATOMIC_SMIN}, {"umin", SQ_ATOMIC_UMIN}, {"smax", SQ_ATOMIC_SMAX}, {"umax", SQ_ATOMIC_UMAX},
      {"and", SQ_ATOMIC_AND}, {"xor", SQ_ATOMIC_XOR}, {"or", SQ_ATOMIC_OR}, {"inc", SQ_ATOMIC_INC},
      {"dec", SQ_ATOMIC_DEC},
   };
   const char *at = strstr(mnemonic, "atomic_");
   if (!at)
      return -1;
   at += strlen("atomic_");
   for (unsigned n = 0; n < sizeof(names) / sizeof(names[0]); n++)
      if (!strncmp(at, names[n].name, strlen(names[n].name)))
         return names[n].op;
   return -1;
}
