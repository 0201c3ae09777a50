/* SPDX-License-Identifier: MIT */
/* FLAT, GLOBAL and SCRATCH (GcnInstrsFlat): 64-bit addresses per lane. FLAT
 * finds LDS and scratch through their apertures. */
#include "atomic.h"
#include "cache/cache.h"
#include "vm/vm.h"
#include "wave.h"

enum { LOAD, STORE, ATOMIC };
struct shape {
   uint8_t what, bytes;       /* bytes of one access */
   bool sign, hi, d16;
   int8_t atomic;
};

static bool has(const char *s, const char *part) { return strstr(s, part) != NULL; }

static struct shape shape_of(const struct sq_inst *i)
{
   const struct isa_op_info *info = &isa_op_infos[i->isa.op];
   const char *name = info->name;
   struct shape s = {.atomic = -1};
   s.hi = has(name, "d16_hi");
   s.d16 = has(name, "d16");
   if (info->flags & ISA_ATOMIC) {
      s.what = ATOMIC;
      s.atomic = sq_atomic_kind(name);
      s.bytes = has(name, "_x2") ? 8 : 4;
      return s;
   }
   s.what = info->flags & ISA_STORES ? STORE : LOAD;
   s.sign = has(name, "sbyte") || has(name, "sshort");
   s.bytes = has(name, "byte") ? 1 : has(name, "short") ? 2 : has(name, "x4") ? 16 : has(name, "x3") ? 12 :
             has(name, "x2") ? 8 : 4;
   return s;
}

#define APERTURE_LDS     1u /* bits 63:48, as SH_MEM_BASES */
#define APERTURE_SCRATCH 2u

/* Where one dword (or less) of a lane lies; NULL after a fault. *def, *bit:
 * for LDS. */
static void *place(struct sq_wave *w, const struct sq_inst *i, uint64_t va, unsigned n, bool write, unsigned l)
{
   bool scratch = i->isa.enc == ISA_ENC_SCRATCH;
   if (i->isa.enc == ISA_ENC_FLAT && va >> 48 == APERTURE_LDS) {
      uint32_t at = (uint32_t)va;
      if (at + n > w->lds_size || at + n < n) {
         sq_place(w, i, l);
         model_violation(w->env->report, CHECK_RANGE, "LDS address 0x%x, the group has 0x%x bytes", at, w->lds_size);
         return NULL;
      }
      if (write)
         for (unsigned b = at; b < at + n; b++)
            w->sq->lds_def[b >> 3] |= 1u << (b & 7);
      return w->sq->lds + at;
   }
   if (i->isa.enc == ISA_ENC_FLAT && va >> 48 == APERTURE_SCRATCH)
      scratch = true;
   if (scratch) {
      uint32_t off = (uint32_t)va;
      sq_need_sgpr(w, i, ISA_FLAT_SCRATCH, 2, "scratch base");
      if (w->init->scratch_size && (uint64_t)(off & ~3u) * 64 + 256 > w->init->scratch_size) {
         sq_place(w, i, l);
         model_violation(w->env->report, CHECK_RANGE, "scratch offset 0x%x, a lane has 0x%x bytes", off,
                         w->init->scratch_size / 64);
         return NULL;
      }
      va = sq_s64(w, ISA_FLAT_SCRATCH) + (uint64_t)(off & ~3u) * 64 + l * 4 + (off & 3);
      if (w->init->scratch_size && w->scratch_def) {
         const uint32_t dword = (off >> 2) * 64 + l;
         if (write)
            w->scratch_def[dword >> 3] |= 1u << (dword & 7);
         else if (!(w->scratch_def[dword >> 3] >> (dword & 7) & 1))
            w->scratch_undef |= 1ull << l;
      }
   }
   model_where(w->env->report)->lane = (int)l;
   return vm_ptr(w->env->vm, VM_TC, va, n, write);
}

static uint64_t address(const struct sq_wave *w, const struct sq_inst *i, unsigned l)
{
   uint64_t va = (int64_t)i->isa.offset;
   bool saddr = i->src[2].kind == SQ_SRC_SGPR;
   if (i->isa.enc == ISA_ENC_SCRATCH) {
      uint32_t off = (uint32_t)i->isa.offset;
      if (saddr)
         off += w->sgpr[i->src[2].reg];
      else if (i->src[0].kind == SQ_SRC_VGPR)
         off += w->vgpr[i->src[0].reg][l];
      return off;
   }
   if (saddr)
      return va + sq_s64(w, i->src[2].reg) + w->vgpr[i->src[0].reg][l];
   return va + (w->vgpr[i->src[0].reg][l] | (uint64_t)w->vgpr[i->src[0].reg + 1][l] << 32);
}

/* LDS bit: the dword goes to M0 + offset + 4 * lane of LDS. */
static void load_lds(struct sq_wave *w, const struct sq_inst *i, const struct shape *s, uint64_t va, unsigned l)
{
   uint32_t v = 0, at = (w->sgpr[ISA_M0] & 0xffff) + (uint32_t)i->isa.offset + l * 4;
   const void *p = place(w, i, va, s->bytes, false, l);
   if (p)
      memcpy(&v, p, s->bytes);
   if (s->sign)
      v = s->bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
   if (at > w->lds_size || w->lds_size - at < 4) {
      sq_place(w, i, l);
      model_violation(w->env->report, CHECK_RANGE, "LDS address 0x%x, the group has 0x%x bytes", at, w->lds_size);
      return;
   }
   memcpy(w->sq->lds + at, &v, 4);
   for (unsigned b = at; b < at + 4; b++)
      w->sq->lds_def[b >> 3] |= 1u << (b & 7);
}

static void load(struct sq_wave *w, const struct sq_inst *i, const struct shape *s, uint64_t va, unsigned l)
{
   if (i->isa.lds) {
      load_lds(w, i, s, va, l);
      return;
   }
   if (s->bytes < 4) {
      uint32_t v = 0, *d = &w->vgpr[i->dst][l];
      const void *p = place(w, i, va, s->bytes, false, l);
      if (p)
         memcpy(&v, p, s->bytes);
      if (s->sign)
         v = s->bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
      *d = s->hi ? v << 16 | (*d & 0xffff) : s->d16 ? (v & 0xffff) | (*d & 0xffff0000u) : v;
      return;
   }
   /* dword by dword: scratch interleaves lanes */
   for (unsigned k = 0; k < s->bytes / 4u; k++) {
      uint32_t v = 0;
      const void *p = place(w, i, va + 4 * k, 4, false, l);
      if (p)
         memcpy(&v, p, 4);
      w->vgpr[i->dst + k][l] = v;
   }
}
static void store(struct sq_wave *w, const struct sq_inst *i, const struct shape *s, uint64_t va, unsigned l)
{
   unsigned reg = i->src[1].reg;
   if (s->bytes < 4) {
      uint32_t v = w->vgpr[reg][l] >> (s->hi ? 16 : 0);
      void *p = place(w, i, va, s->bytes, true, l);
      if (p)
         memcpy(p, &v, s->bytes);
      return;
   }
   for (unsigned k = 0; k < s->bytes / 4u; k++) {
      void *p = place(w, i, va + 4 * k, 4, true, l);
      if (p)
         memcpy(p, &w->vgpr[reg + k][l], 4);
   }
}
static void atomic(struct sq_wave *w, const struct sq_inst *i, const struct shape *s, uint64_t va, unsigned l)
{
   unsigned reg = i->src[1].reg, dw = s->bytes / 4;
   uint64_t d = w->vgpr[reg][l], c = 0, old = 0;
   if (dw == 2)
      d |= (uint64_t)w->vgpr[reg + 1][l] << 32;
   if (s->atomic == SQ_ATOMIC_CMPSWAP) {
      c = w->vgpr[reg + dw][l];
      if (dw == 2)
         c |= (uint64_t)w->vgpr[reg + 3][l] << 32;
   }
   void *p = place(w, i, va, s->bytes, true, l);
   if (p)
      old = sq_atomic_memory(p, s->bytes, s->atomic, d, c);
   if (!i->isa.glc)
      return;
   w->vgpr[i->dst][l] = (uint32_t)old;
   if (dw == 2)
      w->vgpr[i->dst + 1][l] = old >> 32;
}

static void h_flat(struct sq_wave *w, const struct sq_inst *i)
{
   struct shape s = shape_of(i);
   uint64_t exec = sq_exec(w);
   bool saddr = i->src[2].kind == SQ_SRC_SGPR;
   uint64_t lo = UINT64_MAX, hi = 0; /* bytes of memory, for the cache checks */
   w->scratch_undef = 0;
   if (exec) {
      if (i->src[0].kind == SQ_SRC_VGPR && !(saddr && i->isa.enc == ISA_ENC_SCRATCH))
         sq_need_vgpr(w, i, i->src[0].reg, saddr || i->isa.enc == ISA_ENC_SCRATCH ? 1 : 2, exec, "address");
      if (saddr)
         sq_need_sgpr(w, i, i->src[2].reg, i->isa.enc == ISA_ENC_SCRATCH ? 1 : 2, "address");
      if (s.what != LOAD)
         sq_need_src(w, i, 1, exec, "store");
      if (i->isa.lds) {
         sq_need_sgpr(w, i, ISA_M0, 1, "LDS address");
         if (s.what != LOAD || s.bytes > 4 || s.d16) {
            sq_place(w, i, -1);
            model_violation(w->env->report, CHECK_INSTRUCTION, "only loads of up to a dword can go to LDS");
            return;
         }
      }
      sq_place(w, i, -1);
   }
   for (uint64_t m = exec; m && !model_failed(w->env->report); m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      uint64_t va = address(w, i, l);
      if (i->isa.enc != ISA_ENC_SCRATCH && !(va >> 48)) {
         lo = va < lo ? va : lo;
         hi = va + s.bytes > hi ? va + s.bytes : hi;
      }
      if (s.what == LOAD)
         load(w, i, &s, va, l);
      else if (s.what == STORE)
         store(w, i, &s, va, l);
      else
         atomic(w, i, &s, va, l);
   }
   if (lo < hi && s.what == LOAD)
      cache_read_bytes(w->env->cache, w->env->report, i->isa.glc ? CACHE_L2_CLIENT : CACHE_L1, lo, hi - lo);
   else if (lo < hi)
      cache_write_bytes(w->env->cache, CACHE_SHADER, lo, hi - lo);
   unsigned n = (unsigned)__builtin_popcountll(exec) * s.bytes;
   if (s.what != STORE)
      w->env->stats->read[VM_TC] += n;
   if (s.what != LOAD)
      w->env->stats->written[VM_TC] += n;
   if ((s.what == LOAD && !i->isa.lds) || (s.what == ATOMIC && i->isa.glc))
      sq_define(w, i->dst, i->dst_dw, exec);
   sq_issue_vm(w, i);
   if (i->isa.enc == ISA_ENC_FLAT)
      sq_issue_lgkm(w, i, true); /* may be LDS: out of order with either */
}

bool sq_decode_flat(struct sq_inst *i)
{
   if (i->isa.enc != ISA_ENC_FLAT && i->isa.enc != ISA_ENC_GLOBAL && i->isa.enc != ISA_ENC_SCRATCH)
      return false;
   i->fn = h_flat;
   return true;
}
