/* SPDX-License-Identifier: MIT */
/* PM4 packets that move data: WRITE_DATA, COPY_DATA, DMA_DATA, ATOMIC_MEM. */
#include "cp_internal.h"

#include <errno.h>
#include <string.h>

#include "amdgfxregs.h"
#include "sid.h"

/* Body: control, address, data... */
void cp_write_data(struct cp *cp, const struct cp_packet *p)
{
   const uint32_t control = p->body[0];
   const uint64_t dst = CP_LO_HI(p->body[1], p->body[2]);
   const unsigned n = p->count - 3;
   const bool one = G_370_WR_ONE_ADDR(control);
   switch (G_370_DST_SEL(control)) {
   case V_370_MEM_MAPPED_REGISTER:
      for (unsigned i = 0; i < n; i++)
         regs_write(cp->config.regs, cp->report, (uint32_t)(4 * (p->body[1] + (one ? 0 : i))), p->body[3 + i]);
      break;
   case V_370_MEM_GRBM:
   case 2: /* TC L2 */
   case V_370_MEM:
      if (dst & 3)
         cp_bad(cp, p, "destination is not dword aligned");
      else if (one)
         for (unsigned i = 0; i < n; i++)
            vm_write(cp->env->vm, VM_CP, dst, p->body + 3 + i, 4);
      else
         vm_write(cp->env->vm, VM_CP, dst, p->body + 3, 4ull * n);
      cache_write_bytes(cp->env->cache, CACHE_CP, dst, one ? 4 : 4ull * n);
      break;
   case V_370_GDS:
      model_violation(cp->report, CHECK_MODEL, "WRITE_DATA to GDS is not modelled");
      break;
   default:
      cp_bad(cp, p, "unknown destination");
   }
}

enum copy_src { COPY_REG = 0, COPY_SRC_MEM = 1, COPY_TC_L2 = 2, COPY_GDS = 3, COPY_PERF = 4, COPY_IMM = 5,
                COPY_TIMESTAMP = 9 };
#define COPY_DST_MEM 5 /* 1 is the same, synchronous */

static bool copy_read(struct cp *cp, const struct cp_packet *p, unsigned src, unsigned dwords, uint32_t v[2])
{
   switch (src) {
   case COPY_REG:
   case COPY_PERF:
      for (unsigned i = 0; i < dwords; i++) {
         if (!regs_read(cp->config.regs, 4 * (p->body[1] + i), &v[i])) {
            model_violation(cp->report, CHECK_REGISTER, "COPY_DATA reads 0x%05x, which is no register",
                            4 * (p->body[1] + i));
            v[i] = 0;
         }
      }
      return true;
   case COPY_SRC_MEM:
   case COPY_TC_L2:
      cache_read_bytes(cp->env->cache, cp->report, CACHE_L2_CLIENT, CP_LO_HI(p->body[1], p->body[2]), 4 * dwords);
      return vm_read(cp->env->vm, VM_CP, CP_LO_HI(p->body[1], p->body[2]), v, 4 * dwords);
   case COPY_IMM:
      v[0] = p->body[1];
      v[1] = p->body[2];
      return true;
   case COPY_TIMESTAMP: {
      const uint64_t t = cp->config.clock(cp->config.clock_ctx);
      memcpy(v, &t, 8);
      return true;
   }
   default:
      cp_bad(cp, p, "unknown or unmodelled source");
      return false;
   }
}

/* Body: control, source, destination. */
void cp_copy_data(struct cp *cp, const struct cp_packet *p)
{
   const uint32_t control = p->body[0];
   const unsigned src = control & 15, dst = (control >> 8) & 15, dwords = control & (1u << 16) ? 2 : 1;
   uint32_t v[2] = { 0, 0 };
   if (!copy_read(cp, p, src, dwords, v))
      return;
   switch (dst) {
   case COPY_REG:
   case COPY_PERF:
      for (unsigned i = 0; i < dwords; i++)
         regs_write(cp->config.regs, cp->report, 4 * (p->body[3] + i), v[i]);
      break;
   case COPY_SRC_MEM:
   case COPY_TC_L2:
   case COPY_DST_MEM:
      vm_write(cp->env->vm, VM_CP, CP_LO_HI(p->body[3], p->body[4]), v, 4 * dwords);
      cache_write_bytes(cp->env->cache, CACHE_CP, CP_LO_HI(p->body[3], p->body[4]), 4 * dwords);
      break;
   default:
      cp_bad(cp, p, "unknown or unmodelled destination");
   }
}

static void fill(struct cp *cp, uint64_t dst, uint32_t value, uint32_t bytes)
{
   while (bytes) {
      uint64_t avail;
      uint32_t *d = vm_probe(cp->env->vm, VM_CP, dst, true, &avail);
      const uint32_t n = d && avail < bytes ? (uint32_t)avail & ~3u : bytes;
      if (!d || !n) {
         vm_ptr(cp->env->vm, VM_CP, dst, 4, true); /* reports the fault */
         return;
      }
      for (uint32_t i = 0; i < n / 4; i++)
         d[i] = value;
      if (n == bytes && (n & 3))
         memcpy((char *)d + (n & ~3u), &value, n & 3);
      dst += n;
      bytes -= n;
   }
}

static void copy(struct cp *cp, uint64_t dst, uint64_t src, uint32_t bytes)
{
   while (bytes) {
      uint64_t src_avail, dst_avail;
      const void *s = vm_probe(cp->env->vm, VM_CP, src, false, &src_avail);
      void *d = vm_probe(cp->env->vm, VM_CP, dst, true, &dst_avail);
      if (!s || !d) {
         vm_ptr(cp->env->vm, VM_CP, s ? dst : src, 1, s != NULL); /* reports the fault */
         return;
      }
      uint64_t n = bytes;
      n = src_avail < n ? src_avail : n;
      n = dst_avail < n ? dst_avail : n;
      memmove(d, s, n);
      src += n;
      dst += n;
      bytes -= (uint32_t)n;
   }
}

/* Body: selects, source or data, destination, command and byte count. */
void cp_dma_data(struct cp *cp, const struct cp_packet *p)
{
   enum { MEM = 0, GDS = 1, DATA_OR_NOWHERE = 2, L2 = 3 };
   const unsigned src_sel = (p->body[0] >> 29) & 3, dst_sel = (p->body[0] >> 20) & 3;
   const uint64_t src = CP_LO_HI(p->body[1], p->body[2]), dst = CP_LO_HI(p->body[3], p->body[4]);
   const uint32_t bytes = p->body[5] & 0x3ffffff;
   const bool src_fixed = p->body[5] & (1u << 28), dst_fixed = p->body[5] & (1u << 29);
   if (src_sel == GDS || dst_sel == GDS || src_fixed || dst_fixed) {
      model_violation(cp->report, CHECK_MODEL, "DMA_DATA with GDS or a fixed address is not modelled (0x%08x 0x%08x)",
                      p->body[0], p->body[5]);
      return;
   }
   if (dst_sel == DATA_OR_NOWHERE) {
      /* Prefetch into L2: moves nothing, but the source must be mapped. */
      uint64_t avail;
      if (bytes && !vm_probe(cp->env->vm, VM_CP, src, false, &avail))
         vm_ptr(cp->env->vm, VM_CP, src, 1, false);
      return;
   }
   if (src_sel == DATA_OR_NOWHERE)
      fill(cp, dst, p->body[1], bytes);
   else {
      cache_read_bytes(cp->env->cache, cp->report, CACHE_L2_CLIENT, src, bytes);
      copy(cp, dst, src, bytes);
   }
   cache_write_bytes(cp->env->cache, CACHE_CP, dst, bytes);
   cp->env->stats->bytes_written += bytes;
}

/* Body: op and command, address, data, compare data, loop interval. */
void cp_atomic_mem(struct cp *cp, const struct cp_packet *p)
{
   const unsigned op = p->body[0] & 0x7f;
   uint32_t *m = vm_ptr(cp->env->vm, VM_CP, CP_LO_HI(p->body[1], p->body[2]), 4, true);
   if (!m)
      return;
   if (op != TC_OP_ATOMIC_CMPSWAP_32) {
      model_violation(cp->report, CHECK_MODEL, "ATOMIC_MEM operation 0x%02x is not modelled", op);
      return;
   }
   if (*m == p->body[5])
      *m = p->body[3];
   else if (((p->body[0] >> 8) & 3) == ATOMIC_COMMAND_LOOP)
      model_fail(cp->report, ETIME, CHECK_HANG, "ATOMIC_MEM waits for 0x%x, memory holds 0x%x", p->body[5], *m);
}
