/* SPDX-License-Identifier: MIT */
/* PM4 packets that move data: WRITE_DATA, COPY_DATA, DMA_DATA, ATOMIC_MEM. */
#include "cp_internal.h"

#include <errno.h>
#include <string.h>

#include "amdgfxregs.h"
#include "sid.h"

/* [addr, addr + size) of the global data share; NULL, and a report, beyond it. */
static uint8_t *gds_ptr(struct cp *cp, const struct cp_packet *p, uint64_t addr, uint64_t size)
{
   uint32_t have = 0;
   uint8_t *gds = cp->config.pipeline ? pipeline_gds(cp->config.pipeline, &have) : NULL;
   if (gds && addr <= have && size <= have - addr)
      return gds + addr;
   cp_bad(cp, p, "beyond the GDS");
   return NULL;
}

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
      cache_write_bytes(cp->env->cache, G_370_ENGINE_SEL(control) == V_370_PFP ? CACHE_PFP : CACHE_CP, dst,
                        one ? 4 : 4ull * n);
      break;
   case V_370_GDS:
      for (unsigned i = 0; i < n; i++) {
         uint8_t *g = gds_ptr(cp, p, p->body[1] + (one ? 0 : 4ull * i), 4);
         if (!g)
            break;
         memcpy(g, p->body + 3 + i, 4);
      }
      break;
   default:
      cp_bad(cp, p, "unknown destination");
   }
}

void cp_prefetch(struct cp *cp, uint64_t va, uint64_t size)
{
   cache_read_bytes(cp->env->cache, cp->report, cp->compute ? CACHE_L2_CLIENT : CACHE_PREFETCH, va, size);
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
   case COPY_GDS: {
      const uint8_t *g = gds_ptr(cp, p, p->body[1], 4 * dwords);
      if (g)
         memcpy(v, g, 4 * dwords);
      return g != NULL;
   }
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
   case COPY_GDS: {
      uint8_t *g = gds_ptr(cp, p, p->body[3], 4 * dwords);
      if (g)
         memcpy(g, v, 4 * dwords);
      break;
   }
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

/* DMA_DATA with the GDS on one side. The GDS counts its addresses itself: the
 * CP is told that it is a register and not to (SAS, SAIC; DAS, DAIC). */
static void dma_gds(struct cp *cp, const struct cp_packet *p, bool from, bool data, uint64_t src, uint64_t dst,
                    uint32_t bytes)
{
   const uint32_t command = p->body[5];
   uint8_t *g = gds_ptr(cp, p, from ? p->body[1] : p->body[3], bytes);
   if (!g)
      return;
   if (from ? !G_415_SAS(command) || !G_415_SAIC(command) : !G_415_DAS(command) || !G_415_DAIC(command))
      cp_bad(cp, p, "GDS needs the register space and no increment");
   if (from) {
      vm_write(cp->env->vm, VM_CP, dst, g, bytes);
      cache_write_bytes(cp->env->cache, CACHE_CP, dst, bytes);
   } else if (data) {
      for (uint32_t i = 0; i < bytes; i++)
         g[i] = p->body[1] >> (8 * (i & 3));
   } else {
      cache_read_bytes(cp->env->cache, cp->report, CACHE_L2_CLIENT, src, bytes);
      vm_read(cp->env->vm, VM_CP, src, g, bytes);
   }
}

/* DMA_DATA whose memory address does not move on: the first dword again and
 * again, or the last one in the end. */
static void dma_fixed(struct cp *cp, const struct cp_packet *p, bool data, uint64_t src, uint64_t dst, uint32_t bytes)
{
   const bool src_fixed = G_415_SAIC(p->body[5]), dst_fixed = G_415_DAIC(p->body[5]);
   uint32_t value = p->body[1];
   if (bytes & 3) {
      cp_bad(cp, p, "a fixed address with a count that is no multiple of 4");
      return;
   }
   for (uint32_t i = 0; i < bytes; i += 4) {
      if (!data && !vm_read(cp->env->vm, VM_CP, src + (src_fixed ? 0 : i), &value, 4))
         return;
      if (!vm_write(cp->env->vm, VM_CP, dst + (dst_fixed ? 0 : i), &value, 4))
         return;
   }
   cache_write_bytes(cp->env->cache, CACHE_CP, dst, dst_fixed ? 4 : bytes);
}

/* Body: selects, source or data, destination, command and byte count. */
void cp_dma_data(struct cp *cp, const struct cp_packet *p)
{
   enum { MEM = 0, GDS = 1, DATA_OR_NOWHERE = 2, L2 = 3 };
   const unsigned src_sel = (p->body[0] >> 29) & 3, dst_sel = (p->body[0] >> 20) & 3;
   const uint64_t src = CP_LO_HI(p->body[1], p->body[2]), dst = CP_LO_HI(p->body[3], p->body[4]);
   const uint32_t bytes = p->body[5] & 0x3ffffff;
   const uint32_t command = p->body[5];
   if (src_sel == GDS || dst_sel == GDS) {
      if (src_sel == dst_sel)
         cp_bad(cp, p, "GDS on both sides");
      else
         dma_gds(cp, p, src_sel == GDS, src_sel == DATA_OR_NOWHERE, src, dst, bytes);
      return;
   }
   if (G_415_SAS(command) || G_415_DAS(command)) {
      cp_bad(cp, p, "register space");
      return;
   }
   if ((G_415_SAIC(command) && src_sel != DATA_OR_NOWHERE) || G_415_DAIC(command)) {
      dma_fixed(cp, p, src_sel == DATA_OR_NOWHERE, src, dst, bytes);
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
      if (p->body[5] & S_415_RAW_WAIT(1)) /* the copies before this one are done first */
         cache_sync(cp->env->cache, CACHE_WAIT_DMA);
      cache_read_bytes(cp->env->cache, cp->report, CACHE_L2_CLIENT, src, bytes);
      copy(cp, dst, src, bytes);
   }
   cache_write_bytes(cp->env->cache, CACHE_DMA, dst, bytes);
   /* The CP goes on at once unless it is told to wait. */
   if (G_411_CP_SYNC(p->body[0]))
      cache_sync(cp->env->cache, CACHE_WAIT_DMA);
   cp->env->stats->written[VM_CP] += bytes;
}

/* TC_OP: operations of the texture cache's atomics, without their size. */
static bool atomic_result(unsigned op, uint64_t old, uint64_t data, uint64_t compare, bool wide, uint64_t *v)
{
   const int64_t so = wide ? (int64_t)old : (int32_t)old, sd = wide ? (int64_t)data : (int32_t)data;
   switch (op) {
   case 0x07: *v = data; return true;
   case 0x08: *v = old == compare ? data : old; return true;
   case 0x0f: *v = old + data; return true;
   case 0x10: *v = old - data; return true;
   case 0x11: *v = so < sd ? old : data; return true;
   case 0x12: *v = old < data ? old : data; return true;
   case 0x13: *v = so > sd ? old : data; return true;
   case 0x14: *v = old > data ? old : data; return true;
   case 0x15: *v = old & data; return true;
   case 0x16: *v = old | data; return true;
   case 0x17: *v = old ^ data; return true;
   case 0x18: *v = old >= data ? 0 : old + 1; return true;
   case 0x19: *v = old == 0 || old > data ? data : old - 1; return true;
   default: return false;
   }
}

/* Body: op and command, address, data, compare data, loop interval. Bit 5 of
 * the operation: 64 bits; bit 6: the old value is not returned. */
void cp_atomic_mem(struct cp *cp, const struct cp_packet *p)
{
   const unsigned op = p->body[0] & 0x7f, size = op & 0x20 ? 8 : 4;
   const uint64_t va = CP_LO_HI(p->body[1], p->body[2]);
   const uint64_t data = size == 8 ? CP_LO_HI(p->body[3], p->body[4]) : p->body[3];
   const uint64_t compare = size == 8 ? CP_LO_HI(p->body[5], p->body[6]) : p->body[5];
   uint64_t old = 0, v;
   uint8_t *m = va & (size - 1) ? NULL : vm_ptr(cp->env->vm, VM_CP, va, size, true);
   if (!m) {
      if (va & (size - 1))
         cp_bad(cp, p, "address is not aligned");
      return;
   }
   memcpy(&old, m, size);
   if (!atomic_result(op & 0x1f, old, data, compare, size == 8, &v)) {
      cp_bad(cp, p, "unknown operation");
      return;
   }
   memcpy(m, &v, size);
   cache_write_bytes(cp->env->cache, CACHE_CP, va, size);
   if ((op & 0x1f) == 0x08 && old != compare && ((p->body[0] >> 8) & 3) == ATOMIC_COMMAND_LOOP)
      model_fail(cp->report, ETIME, CHECK_HANG, "ATOMIC_MEM waits for 0x%llx, memory holds 0x%llx",
                 (unsigned long long)compare, (unsigned long long)old);
}
