/* SPDX-License-Identifier: MIT */
/* Scalar memory: loads and stores of SGPRs, buffer forms with a V#, atomics,
 * clocks and cache control (GcnInstrsSmem). */
#include "cache/cache.h"
#include "vm/vm.h"
#include "atomic.h"
#include "wave.h"

/* Byte address from SBASE, SOFFSET and the immediate; dwords only. For buffers
 * *limit is the size of the range behind the base. */
struct address {
   uint64_t base, offset;
   uint64_t limit;
   bool buffer;
};

static bool is_buffer(unsigned op)
{
   return isa_op_infos[op].src_dw[0] == 4;
}
static bool is_scratch(unsigned op)
{
   return op >= ISA_S_SCRATCH_LOAD_DWORD && op <= ISA_S_SCRATCH_LOAD_DWORDX4 ? true :
          op >= ISA_S_SCRATCH_STORE_DWORD && op <= ISA_S_SCRATCH_STORE_DWORDX4;
}

static struct address address_of(struct sq_wave *w, const struct sq_inst *i)
{
   struct address a = {.limit = UINT64_MAX};
   unsigned sbase = i->src[0].reg;
   a.buffer = is_buffer(i->isa.op);
   sq_need_sgpr(w, i, sbase, a.buffer ? 4 : 2, a.buffer ? "buffer descriptor" : "scalar address");
   a.base = sq_s64(w, sbase) & 0xffffffffffffull;
   a.offset = (int64_t)i->isa.offset;
   if (i->src[1].kind) {
      sq_need_src(w, i, 1, 0, "scalar offset");
      uint32_t so = sq_src32(w, &i->src[1]);
      a.offset += is_scratch(i->isa.op) ? (uint64_t)so * 64 : so;
   }
   if (a.buffer) {
      if (w->sgpr[sbase + 3] >> 30) {
         sq_place(w, i, -1);
         model_violation(w->env->report, CHECK_DESCRIPTOR, "V# %08x %08x %08x %08x: not a buffer resource (TYPE %u)",
                         w->sgpr[sbase], w->sgpr[sbase + 1], w->sgpr[sbase + 2], w->sgpr[sbase + 3],
                         w->sgpr[sbase + 3] >> 30);
      }
      uint32_t stride = w->sgpr[sbase + 1] >> 16 & 0x3fff, records = w->sgpr[sbase + 2];
      a.limit = stride ? (uint64_t)stride * records : records;
      a.offset &= ~3ull;
   } else {
      a.base = (a.base + a.offset) & ~3ull;
      a.offset = 0;
   }
   return a;
}

static void h_load(struct sq_wave *w, const struct sq_inst *i)
{
   struct address a = address_of(w, i);
   unsigned n = i->dst_dw, fit = n;
   uint32_t data[16] = {0};
   /* a buffer gives 0 beyond its end */
   if (a.offset >= a.limit)
      fit = 0;
   else if (a.offset + 4ull * n > a.limit)
      fit = (a.limit - a.offset + 3) / 4;
   if (fit) {
      uint64_t avail, va = a.base + a.offset;
      cache_read_bytes(w->env->cache, w->env->report, i->isa.glc ? CACHE_L2_CLIENT : CACHE_K, va, fit * 4);
      const void *p = vm_probe(w->env->vm, VM_SQ_SCALAR, va, false, &avail);
      if (p && avail >= fit * 4) {
         memcpy(data, p, fit * 4);
      } else {
         sq_place(w, i, -1);
         vm_read(w->env->vm, VM_SQ_SCALAR, va, data, fit * 4);
      }
      w->env->stats->read[VM_SQ_SCALAR] += fit * 4;
   }
   memcpy(&w->sgpr[i->dst], data, n * 4);
   for (unsigned k = 0; k < n; k++)
      w->sdef[i->dst + k] = ~0u;
   sq_issue_lgkm(w, i, true);
}

/* Scalar memory does not ask EXEC: code that no lane runs changes memory. */
static void need_lanes(struct sq_wave *w, const struct sq_inst *i)
{
   if (sq_exec(w))
      return;
   sq_place(w, i, -1);
   model_violation(w->env->report, CHECK_EXEC, "scalar store while EXEC is 0: it happens all the same");
}

static void h_store(struct sq_wave *w, const struct sq_inst *i)
{
   struct address a = address_of(w, i);
   need_lanes(w, i);
   const struct sq_src *s = &i->src[2];
   unsigned n = s->dw;
   sq_need_src(w, i, 2, 0, "scalar store");
   if (a.offset < a.limit) {
      if (a.offset + 4ull * n > a.limit)
         n = (a.limit - a.offset + 3) / 4;
      sq_place(w, i, -1);
      vm_write(w->env->vm, VM_SQ_SCALAR, a.base + a.offset, &w->sgpr[s->reg], n * 4);
      cache_write_bytes(w->env->cache, CACHE_SCALAR, a.base + a.offset, n * 4);
      w->env->stats->written[VM_SQ_SCALAR] += n * 4;
   }
   sq_issue_lgkm(w, i, true);
}

static void h_atomic(struct sq_wave *w, const struct sq_inst *i)
{
   struct address a = address_of(w, i);
   need_lanes(w, i);
   const struct sq_src *s = &i->src[2];
   unsigned bytes = isa_op_infos[i->isa.op].dst_dw * 4;
   sq_need_src(w, i, 2, 0, "scalar atomic");
   uint64_t old = 0;
   if (a.offset + bytes <= a.limit) {
      sq_place(w, i, -1);
      void *p = vm_ptr(w->env->vm, VM_SQ_SCALAR, a.base + a.offset, bytes, true);
      if (p) {
         /* done in L2: nothing of it stays in K$ */
         cache_write_bytes(w->env->cache, CACHE_SHADER, a.base + a.offset, bytes);
         unsigned half = bytes / 4;
         uint64_t d = half == 2 ? sq_s64(w, s->reg) : w->sgpr[s->reg];
         uint64_t cmp = half == 2 ? sq_s64(w, s->reg + 2) : w->sgpr[s->reg + 1];
         if (i->param != SQ_ATOMIC_CMPSWAP)
            cmp = 0;
         old = sq_atomic_memory(p, bytes, i->param, d, cmp);
      }
   }
   if (i->isa.glc) {
      w->sgpr[i->dst] = (uint32_t)old;
      w->sdef[i->dst] = ~0u;
      if (bytes == 8)
         sq_set_s64(w, i->dst, old, ~0ull);
   }
   sq_issue_lgkm(w, i, true);
}

static void h_time(struct sq_wave *w, const struct sq_inst *i)
{
   w->sq->common->clock += 64;
   sq_set_s64(w, i->dst, w->sq->common->clock, ~0ull);
   sq_issue_lgkm(w, i, true);
}
static void h_cache(struct sq_wave *w, const struct sq_inst *i)
{
   switch (i->isa.op) {
   case ISA_S_DCACHE_INV: case ISA_S_DCACHE_INV_VOL:
      cache_own_sync(w->env->cache, CACHE_INV_K);
      break;
   case ISA_S_DCACHE_WB: case ISA_S_DCACHE_WB_VOL:
      cache_own_sync(w->env->cache, CACHE_WB_K);
      break;
   }
   sq_issue_lgkm(w, i, true);
}

bool sq_decode_smem(struct sq_inst *i)
{
   const struct isa_op_info *info = &isa_op_infos[i->isa.op];
   if (i->isa.enc != ISA_ENC_SMEM)
      return false;
   switch (i->isa.op) {
   case ISA_S_MEMTIME: case ISA_S_MEMREALTIME:
      i->fn = h_time;
      return true;
   case ISA_S_DCACHE_INV: case ISA_S_DCACHE_WB: case ISA_S_DCACHE_INV_VOL: case ISA_S_DCACHE_WB_VOL:
   case ISA_S_DCACHE_DISCARD: case ISA_S_DCACHE_DISCARD_X2: case ISA_S_ATC_PROBE: case ISA_S_ATC_PROBE_BUFFER:
      i->fn = h_cache;
      return true;
   }
   if (info->flags & ISA_ATOMIC) {
      int kind = sq_atomic_kind(info->name);
      if (kind < 0)
         return false;
      i->param = kind;
      i->fn = h_atomic;
   } else if (info->flags & ISA_STORES) {
      i->fn = h_store;
   } else {
      i->fn = h_load;
   }
   return true;
}
