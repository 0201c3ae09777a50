/* SPDX-License-Identifier: MIT */
/* SDMA 4.x packets. Byte counts are stored minus one on this generation. */
#include "cache/cache.h"
#include "obs/work.h"
#include "sdma_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sid.h"

#define LO_HI SDMA_LO_HI

static void copy(struct sdma *s, uint64_t dst, uint64_t src, uint64_t bytes)
{
   s->env->stats->read[VM_SDMA] += bytes;
   s->env->stats->written[VM_SDMA] += bytes;
   cache_cpu_note(s->env->cache, dst, bytes);
   while (bytes) {
      uint64_t src_avail, dst_avail, n = bytes;
      const void *from = vm_probe(s->env->vm, VM_SDMA, src, false, &src_avail);
      void *to = vm_probe(s->env->vm, VM_SDMA, dst, true, &dst_avail);
      if (!from || !to) {
         vm_ptr(s->env->vm, VM_SDMA, from ? dst : src, 1, from != NULL); /* reports the fault */
         return;
      }
      n = src_avail < n ? src_avail : n;
      n = dst_avail < n ? dst_avail : n;
      memmove(to, from, n);
      src += n;
      dst += n;
      bytes -= n;
   }
}

static void fill(struct sdma *s, uint64_t dst, uint32_t value, uint64_t bytes, unsigned unit)
{
   s->env->stats->written[VM_SDMA] += bytes;
   cache_cpu_note(s->env->cache, dst, bytes);
   for (uint64_t i = 0; i + unit <= bytes; i += unit) {
      if (!vm_write(s->env->vm, VM_SDMA, dst + i, &value, unit))
         return;
   }
}

/* Linear window: rectangles of elements between two linear surfaces. */
static void copy_window(struct sdma *s, const uint32_t *b)
{
   const unsigned bpp = 1u << ((b[0] >> 29) & 7);
   const uint64_t src = LO_HI(b[1], b[2]), dst = LO_HI(b[6], b[7]);
   const uint32_t sx = b[3] & 0x3fff, sy = (b[3] >> 16) & 0x3fff, sz = b[4] & 0x7ff;
   const uint64_t spitch = ((b[4] >> 13) & 0x7ffff) + 1ull, sslice = (b[5] & 0xfffffff) + 1ull;
   const uint32_t dx = b[8] & 0x3fff, dy = (b[8] >> 16) & 0x3fff, dz = b[9] & 0x7ff;
   const uint64_t dpitch = ((b[9] >> 13) & 0x7ffff) + 1ull, dslice = (b[10] & 0xfffffff) + 1ull;
   const uint32_t w = (b[11] & 0x3fff) + 1, h = ((b[11] >> 16) & 0x3fff) + 1, d = (b[12] & 0x7ff) + 1;
   for (uint32_t z = 0; z < d && !model_failed(s->report); z++) {
      for (uint32_t y = 0; y < h && !model_failed(s->report); y++) {
         copy(s, dst + ((dz + z) * dslice + (dy + y) * dpitch + dx) * bpp,
              src + ((sz + z) * sslice + (sy + y) * spitch + sx) * bpp, (uint64_t)w * bpp);
      }
   }
}

static void poll_memory(struct sdma *s, const uint32_t *b)
{
   const unsigned function = (b[0] >> 28) & 7;
   const uint64_t va = LO_HI(b[1], b[2]);
   for (unsigned ms = 0;; ms++) {
      const uint32_t *m = vm_ptr(s->env->vm, VM_SDMA, va, 4, false);
      if (!m)
         return;
      const uint32_t v = *m & b[4], ref = b[3];
      const bool ok[8] = { true, v < ref, v <= ref, v == ref, v != ref, v >= ref, v > ref, false };
      if (ok[function])
         return;
      if (ms >= s->hang_ms) {
         model_fail(s->report, ETIME, CHECK_HANG, "SDMA polls 0x%llx without end: holds 0x%x, reference 0x%x",
                    (unsigned long long)va, v, ref);
         return;
      }
      nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
   }
}

/* Executes the packet at b and returns its dwords, 0 when it is bad. */
static uint32_t packet(struct sdma *s, const uint32_t *b, uint32_t left)
{
   const unsigned op = b[0] & 0xff, sub = (b[0] >> 8) & 0xff;
#define NEED(n) if (left < (n)) return 0
   switch (op) {
   case CIK_SDMA_OPCODE_NOP: {
      const uint32_t n = 1 + ((b[0] >> 16) & 0x3fff);
      NEED(n);
      return n;
   }
   case CIK_SDMA_OPCODE_COPY:
      if (sub == CIK_SDMA_COPY_SUB_OPCODE_LINEAR) {
         NEED(7);
         copy(s, LO_HI(b[5], b[6]), LO_HI(b[3], b[4]), (b[1] & 0x3fffff) + 1ull);
         if (!(b[0] >> 27 & 1))
            return 7;
         NEED(9); /* broadcast: a second destination */
         copy(s, LO_HI(b[7], b[8]), LO_HI(b[3], b[4]), (b[1] & 0x3fffff) + 1ull);
         return 9;
      }
      if (sub == CIK_SDMA_COPY_SUB_OPCODE_TILED_SUB_WINDOW) {
         NEED(14);
         sdma_copy_tiled(s, b);
         return 14;
      }
      if (sub == CIK_SDMA_COPY_SUB_OPCODE_T2T_SUB_WINDOW) {
         NEED(15);
         sdma_copy_t2t(s, b);
         return 15;
      }
      if (sub == CIK_SDMA_COPY_SUB_OPCODE_LINEAR_SUB_WINDOW) {
         NEED(13);
         copy_window(s, b);
         return 13;
      }
      return 0;
   case CIK_SDMA_OPCODE_WRITE: {
      NEED(5);
      const uint32_t n = (b[3] & 0xfffff) + 1;
      if (sub != SDMA_WRITE_SUB_OPCODE_LINEAR || left < 4 + n)
         return 0;
      vm_write(s->env->vm, VM_SDMA, LO_HI(b[1], b[2]), b + 4, 4ull * n);
      return 4 + n;
   }
   case CIK_SDMA_PACKET_FENCE:
      NEED(4);
      vm_write(s->env->vm, VM_SDMA, LO_HI(b[1], b[2]), &b[3], 4);
      return 4;
   case CIK_SDMA_PACKET_TRAP:
      NEED(2);
      return 2;
   case 9: { /* COND_EXE: skips dwords unless memory holds the reference */
      NEED(5);
      const uint32_t *m = vm_ptr(s->env->vm, VM_SDMA, LO_HI(b[1], b[2]), 4, false), n = b[4] & 0x3fff;
      if (m && *m != b[3] && left < 5 + n)
         return 0;
      return m && *m != b[3] ? 5 + n : 5;
   }
   case 8: /* POLL_REGMEM; bit 31: memory */
      NEED(6);
      if (!(b[0] >> 31))
         return 0;
      poll_memory(s, b);
      return 6;
   case CIK_SDMA_PACKET_CONSTANT_FILL: {
      NEED(5);
      const unsigned unit = 1u << (b[0] >> 30);
      if (unit > 4)
         return 0;
      fill(s, LO_HI(b[1], b[2]), b[3], (b[4] & 0x3fffff) + (unit == 4 ? 4ull & ~(b[4] & 3) : 1ull), unit);
      return 5;
   }
   case CIK_SDMA_OPCODE_TIMESTAMP: {
      NEED(3);
      const uint64_t t = s->clock(s->clock_ctx);
      if (sub != SDMA_TS_SUB_OPCODE_GET_GLOBAL_TIMESTAMP)
         return 0;
      vm_write(s->env->vm, VM_SDMA, LO_HI(b[1] & ~7u, b[2]), &t, 8);
      return 3;
   }
   default:
      return 0;
   }
#undef NEED
}

void sdma_run(const struct model_env *env, uint64_t va, uint32_t dwords, unsigned hang_ms,
              uint64_t (*clock)(void *ctx), void *clock_ctx)
{
   struct sdma s = { env, env->report, hang_ms, clock, clock_ctx };
   uint32_t *ib = malloc(4ull * dwords);
   if (!ib) {
      model_fail(env->report, ENOMEM, CHECK_MODEL, "no memory for an SDMA buffer of %u dwords", dwords);
      return;
   }
   /* A copy, so that a stream that writes over itself is well defined. */
   if (vm_read(env->vm, VM_SDMA, va, ib, 4ull * dwords)) {
      for (uint32_t i = 0; i < dwords && !model_failed(env->report);) {
         model_where(env->report)->packet_va = va + 4ull * i;
         env->stats->packets++;
         if (model_work_check(env))
            break;
         const uint32_t n = packet(&s, ib + i, dwords - i);
         if (!n)
            model_fail(env->report, EINVAL, CHECK_PACKET, "unknown or malformed SDMA packet 0x%08x", ib[i]);
         i += n;
      }
   }
   free(ib);
}
