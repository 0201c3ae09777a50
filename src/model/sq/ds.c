/* SPDX-License-Identifier: MIT */
/* LDS and GDS (GcnInstrsDs). Lanes execute in order, so that atomics of one
 * instruction are as if serialised. Each byte of LDS knows whether it was
 * written. */
#include "atomic.h"
#include "wave.h"

enum { /* struct sq_inst.param: kind | flags */
   KIND_MASK = 0xff,
   WIDE = 0x100,     /* 64-bit elements */
   ST64 = 0x200,
};
enum { READ = 32, WRITE, READ2, WRITE2, XCHG2 };

struct memory {
   uint8_t *bytes, *def;
   uint32_t base, size;
   const char *name;
};

static struct memory memory_of(struct sq_wave *w, const struct sq_inst *i)
{
   if (!i->isa.gds)
      return (struct memory){w->sq->lds, w->sq->lds_def, 0, w->lds_size, "LDS"};
   sq_need_sgpr(w, i, ISA_M0, 1, "GDS base and size");
   uint32_t m0 = w->sgpr[ISA_M0], size = m0 & 0xffff, left = SQ_LDS_BYTES - (m0 >> 16);
   size = size < left ? size : left;
   return (struct memory){w->sq->common->gds, NULL, m0 >> 16, size, "GDS"};
}

static bool in_range(struct sq_wave *w, const struct sq_inst *i, const struct memory *m, uint32_t addr, unsigned n,
                     unsigned lane)
{
   if (addr <= m->size && n <= m->size - addr)
      return true;
   sq_place(w, i, lane);
   model_violation(w->env->report, CHECK_RANGE, "%s address 0x%x, %u bytes; there are 0x%x", m->name, addr, n, m->size);
   return false;
}
static bool get(struct sq_wave *w, const struct sq_inst *i, const struct memory *m, uint32_t addr, void *out,
                unsigned n, unsigned lane)
{
   memset(out, 0, n);
   if (!in_range(w, i, m, addr, n, lane))
      return true;
   memcpy(out, m->bytes + m->base + addr, n);
   if (!m->def)
      return true;
   if (!((addr | n) & 3)) {
      for (uint32_t b = addr; b < addr + n; b += 4)
         if ((m->def[b >> 3] >> (b & 4) & 15) != 15)
            return false;
      return true;
   }
   for (uint32_t b = addr; b < addr + n; b++)
      if (!(m->def[b >> 3] >> (b & 7) & 1))
         return false;
   return true;
}
static void put(struct sq_wave *w, const struct sq_inst *i, const struct memory *m, uint32_t addr, const void *in,
                unsigned n, unsigned lane, bool defined)
{
   if (!in_range(w, i, m, addr, n, lane))
      return;
   memcpy(m->bytes + m->base + addr, in, n);
   if (m->def && defined && !((addr | n) & 3)) {
      for (uint32_t b = addr; b < addr + n; b += 4)
         m->def[b >> 3] |= 15u << (b & 4);
      return;
   }
   for (uint32_t b = addr; m->def && b < addr + n; b++) {
      if (defined)
         m->def[b >> 3] |= 1u << (b & 7);
      else
         m->def[b >> 3] &= ~(1u << (b & 7));
   }
}

static inline uint64_t operand64(const struct sq_wave *w, unsigned reg, unsigned l, bool wide)
{
   return w->vgpr[reg][l] | (wide ? (uint64_t)w->vgpr[reg + 1][l] << 32 : 0);
}
static inline void set_def(struct sq_wave *w, unsigned reg, unsigned n, unsigned l, bool def)
{
   for (unsigned k = 0; k < n; k++)
      w->vdef[reg + k] = (w->vdef[reg + k] & ~(1ull << l)) | (uint64_t)def << l;
}
static bool data_def(const struct sq_wave *w, const struct sq_src *s, unsigned l)
{
   for (unsigned k = 0; k < s->dw; k++)
      if (!(w->vdef[s->reg + k] >> l & 1))
         return false;
   return true;
}

#define EACH_LANE(exec) for (uint64_t m_ = (exec), l; m_ ? (l = (uint64_t)__builtin_ctzll(m_), true) : false; m_ &= m_ - 1)

static void done(struct sq_wave *w, const struct sq_inst *i)
{
   sq_issue_lgkm(w, i, i->isa.gds);
   sq_timing_lds(w, i);
   if (i->isa.gds)
      sq_issue_exp(w, i);
}
static void need_address(struct sq_wave *w, const struct sq_inst *i)
{
   if (i->src[0].kind == SQ_SRC_VGPR)
      sq_need_vgpr(w, i, i->src[0].reg, 1, sq_exec(w), i->isa.gds ? "GDS address" : "LDS address");
}

/* ---- reads and writes ---- */

static void h_read(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   unsigned n = i->dst_dw;
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t v[4], addr = w->vgpr[i->src[0].reg][l] + i->isa.offset;
      bool def = get(w, i, &m, addr, v, n * 4, l);
      for (unsigned k = 0; k < n; k++)
         w->vgpr[i->dst + k][l] = v[k];
      set_def(w, i->dst, n, l, def);
   }
   done(w, i);
}
static void h_write(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   unsigned n = i->src[1].dw, reg = i->src[1].reg;
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t v[4], addr = w->vgpr[i->src[0].reg][l] + i->isa.offset;
      for (unsigned k = 0; k < n; k++)
         v[k] = w->vgpr[reg + k][l];
      put(w, i, &m, addr, v, n * 4, l, data_def(w, &i->src[1], l));
   }
   done(w, i);
}
static unsigned stride2(const struct sq_inst *i)
{
   return (i->param & WIDE ? 8 : 4) * (i->param & ST64 ? 64 : 1);
}
static void h_read2(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   unsigned n = i->param & WIDE ? 2 : 1, stride = stride2(i);
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t addr = w->vgpr[i->src[0].reg][l], v[4];
      bool d0 = get(w, i, &m, addr + (i->isa.offset & 0xff) * stride, v, n * 4, l);
      bool d1 = get(w, i, &m, addr + (i->isa.offset >> 8 & 0xff) * stride, v + n, n * 4, l);
      for (unsigned k = 0; k < 2 * n; k++)
         w->vgpr[i->dst + k][l] = v[k];
      set_def(w, i->dst, n, l, d0);
      set_def(w, i->dst + n, n, l, d1);
   }
   done(w, i);
}
/* also the exchange form, which returns what was there */
static void h_write2(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   unsigned n = i->param & WIDE ? 2 : 1, stride = stride2(i);
   bool exchange = (i->param & KIND_MASK) == XCHG2;
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t addr = w->vgpr[i->src[0].reg][l], old[4];
      uint32_t at[2] = {addr + (i->isa.offset & 0xff) * stride, addr + (i->isa.offset >> 8 & 0xff) * stride};
      uint64_t v[2] = {operand64(w, i->src[1].reg, l, n == 2), operand64(w, i->src[2].reg, l, n == 2)};
      bool def[2] = {data_def(w, &i->src[1], l), data_def(w, &i->src[2], l)}, old_def[2];
      for (unsigned k = 0; exchange && k < 2; k++)
         old_def[k] = get(w, i, &m, at[k], old + n * k, n * 4, l);
      for (unsigned k = 0; k < 2; k++)
         put(w, i, &m, at[k], &v[k], n * 4, l, def[k]);
      for (unsigned k = 0; exchange && k < 2 * n; k++) {
         w->vgpr[i->dst + k][l] = old[k];
         set_def(w, i->dst + k, 1, l, old_def[k / n]);
      }
   }
   done(w, i);
}
/* 8 and 16 bits; which half of the register, sign */
enum { SUB_16 = 1, SUB_SIGNED = 2, SUB_HI = 4, SUB_D16 = 8 };
static void h_read_sub(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t v = 0, addr = w->vgpr[i->src[0].reg][l] + i->isa.offset, *d = &w->vgpr[i->dst][l];
      bool def = get(w, i, &m, addr, &v, i->param & SUB_16 ? 2 : 1, l);
      if (!(i->param & SUB_16))
         v &= 0xff;
      v = i->param & SUB_SIGNED ? (i->param & SUB_16 ? (uint32_t)(int16_t)v : (uint32_t)(int8_t)v)
                                : v & (i->param & SUB_16 ? 0xffff : 0xff);
      if (i->param & SUB_HI)
         v = v << 16 | (*d & 0xffff);
      else if (i->param & SUB_D16)
         v = (v & 0xffff) | (*d & 0xffff0000u);
      *d = v;
      set_def(w, i->dst, 1, l, def);
   }
   done(w, i);
}
static void h_write_sub(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t addr = w->vgpr[i->src[0].reg][l] + i->isa.offset, v = w->vgpr[i->src[1].reg][l];
      v >>= i->param & SUB_HI ? 16 : 0;
      put(w, i, &m, addr, &v, i->param & SUB_16 ? 2 : 1, l, data_def(w, &i->src[1], l));
   }
   done(w, i);
}
/* address from M0 and the lane's number */
static void h_addtid(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   sq_need_sgpr(w, i, ISA_M0, 1, "LDS address");
   EACH_LANE(sq_exec(w)) {
      uint32_t addr = (w->sgpr[ISA_M0] & 0xffff) + i->isa.offset + (uint32_t)l * 4;
      if (i->isa.op == ISA_DS_READ_ADDTID_B32)
         set_def(w, i->dst, 1, l, get(w, i, &m, addr, &w->vgpr[i->dst][l], 4, l));
      else
         put(w, i, &m, addr, &w->vgpr[i->src[1].reg][l], 4, l, w->vdef[i->src[1].reg] >> l & 1);
   }
   done(w, i);
}

/* ---- atomics ---- */

static void h_atomic(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   bool wide = i->param & WIDE;
   unsigned kind = i->param & KIND_MASK, bytes = wide ? 8 : 4;
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t addr = w->vgpr[i->src[0].reg][l] + i->isa.offset;
      uint64_t old = 0, d = operand64(w, i->src[1].reg, l, wide), c = 0;
      bool def = data_def(w, &i->src[1], l);
      if (i->src[2].kind) {
         c = operand64(w, i->src[2].reg, l, wide);
         def = def && data_def(w, &i->src[2], l);
      }
      if (kind == SQ_ATOMIC_CMPSWAP || kind == SQ_ATOMIC_FCMPSWAP) {
         uint64_t t = c; /* DATA0 is compared, DATA1 stored */
         c = d;
         d = t;
      }
      bool old_def = get(w, i, &m, addr, &old, bytes, l);
      uint64_t v = sq_atomic_apply(kind, bytes, old, d, c);
      put(w, i, &m, addr, &v, bytes, l, def && (old_def || kind == SQ_ATOMIC_SWAP));
      if (i->dst_dw) {
         w->vgpr[i->dst][l] = (uint32_t)old;
         if (wide)
            w->vgpr[i->dst + 1][l] = old >> 32;
         set_def(w, i->dst, i->dst_dw, l, old_def);
      }
   }
   done(w, i);
}
/* MEM[A] = op(MEM[A], MEM[B]); B from A and the offset */
static void h_src2(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   unsigned bytes = i->param & WIDE ? 8 : 4;
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t a = w->vgpr[i->src[0].reg][l], off = i->isa.offset & 0xffff;
      int32_t rel = off & 0x8000 ? (int32_t)a >> 17 : (int32_t)(off << 17) >> 17;
      uint32_t at = off & 0x8000 ? a & 0x1ffff : a;
      uint64_t old = 0, d = 0;
      bool def = get(w, i, &m, at, &old, bytes, l) & get(w, i, &m, at + rel * 4, &d, bytes, l);
      uint64_t v = sq_atomic_apply(i->param & KIND_MASK, bytes, old, d, 0);
      put(w, i, &m, at, &v, bytes, l, def);
   }
   done(w, i);
}
static void h_condxchg(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   need_address(w, i);
   EACH_LANE(sq_exec(w)) {
      uint32_t at = (w->vgpr[i->src[0].reg][l] + i->isa.offset) & 0xfff8, old[2];
      for (unsigned k = 0; k < 2; k++) {
         uint32_t d = w->vgpr[i->src[1].reg + k][l], v = d & 0x7fffffff;
         bool def = get(w, i, &m, at + 4 * k, &old[k], 4, l);
         if (d >> 31)
            put(w, i, &m, at + 4 * k, &v, 4, l, data_def(w, &i->src[1], l));
         set_def(w, i->dst + k, 1, l, def);
      }
      w->vgpr[i->dst][l] = old[0];
      w->vgpr[i->dst + 1][l] = old[1];
   }
   done(w, i);
}
/* A counter that the wave's lanes move together. */
static void h_append(struct sq_wave *w, const struct sq_inst *i)
{
   struct memory m = memory_of(w, i);
   uint64_t exec = sq_exec(w);
   uint32_t addr = (i->isa.gds ? 0 : w->sgpr[ISA_M0] & 0xffff) + i->isa.offset, old, v;
   unsigned n = (unsigned)__builtin_popcountll(exec);
   sq_need_sgpr(w, i, ISA_M0, 1, "address of a counter");
   if (exec) {
      bool def = get(w, i, &m, addr, &old, 4, 0);
      v = i->isa.op == ISA_DS_APPEND ? old + n : old - n;
      put(w, i, &m, addr, &v, 4, 0, def);
      EACH_LANE(exec) {
         w->vgpr[i->dst][l] = old;
         set_def(w, i->dst, 1, l, def);
      }
   }
   done(w, i);
}

/* ---- data between lanes: no memory at all ---- */

static unsigned swizzle_lane(unsigned off, unsigned l)
{
   unsigned in = l & 31, mask = off & 31;
   if (off >= 0xe000) { /* FFT: bits reversed, then the low ones put back */
      unsigned r = 0;
      for (unsigned b = 0; b < 5; b++)
         r |= (in >> b & 1) << (4 - b);
      return (r >> __builtin_popcount(mask)) | (in & mask) | (l & 32);
   }
   if (off >= 0xc000) { /* rotate */
      unsigned by = off >> 5 & 31;
      if (off >> 10 & 1)
         by = 0u - by;
      return (in & mask) | ((in + by) & ~mask & 31) | (l & 32);
   }
   if (off & 0x8000)
      return (l & ~3u) | (off >> ((l & 3) * 2) & 3);
   return (((in & mask) | (off >> 5 & 31)) ^ (off >> 10 & 31)) | (l & 32);
}
static void h_swizzle(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t v[64];
   uint64_t exec = sq_exec(w), src_def = w->vdef[i->src[0].reg], def = 0;
   for (unsigned l = 0; l < 64; l++) {
      unsigned from = swizzle_lane(i->isa.offset & 0xffff, l);
      bool on = exec >> from & 1;
      v[l] = on ? w->vgpr[i->src[0].reg][from] : 0;
      def |= (uint64_t)(!on || (src_def >> from & 1)) << l;
   }
   sq_blend(w->vgpr[i->dst], v, sq_exec_words(w, exec), 1);
   w->vdef[i->dst] = (w->vdef[i->dst] & ~exec) | (def & exec);
   done(w, i);
}
static void h_permute(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t v[64] = {0};
   uint64_t exec = sq_exec(w), def = ~0ull, dd = w->vdef[i->src[1].reg];
   const uint32_t *addr = w->vgpr[i->src[0].reg], *data = w->vgpr[i->src[1].reg];
   need_address(w, i);
   for (unsigned l = 0; l < 64; l++) {
      unsigned other = (addr[l] + i->isa.offset) / 4 % 64;
      if (i->isa.op == ISA_DS_PERMUTE_B32) {
         if (!(exec >> l & 1))
            continue;
         v[other] = data[l];
         def = (def & ~(1ull << other)) | (dd >> l & 1) << other;
      } else if (exec >> other & 1) {
         v[l] = data[other];
         def = (def & ~(1ull << l)) | (dd >> other & 1) << l;
      }
   }
   sq_blend(w->vgpr[i->dst], v, sq_exec_words(w, exec), 1);
   w->vdef[i->dst] = (w->vdef[i->dst] & ~exec) | (def & exec);
   done(w, i);
}
static void h_nop(struct sq_wave *w, const struct sq_inst *i) { done(w, i); }

/* ---- decode ---- */

static bool has(const char *s, const char *part) { return strstr(s, part) != NULL; }

static int atomic_of(const char *name)
{
   static const struct { const char *name; int op; } names[] = {
      {"ds_add_", SQ_ATOMIC_ADD}, {"ds_sub_", SQ_ATOMIC_SUB}, {"ds_rsub_", SQ_ATOMIC_RSUB},
      {"ds_inc_", SQ_ATOMIC_INC}, {"ds_dec_", SQ_ATOMIC_DEC}, {"ds_and_", SQ_ATOMIC_AND},
      {"ds_or_", SQ_ATOMIC_OR}, {"ds_xor_", SQ_ATOMIC_XOR}, {"ds_mskor_", SQ_ATOMIC_MSKOR},
      {"ds_wrap_", SQ_ATOMIC_WRAP}, {"ds_wrxchg_", SQ_ATOMIC_SWAP}, {"ds_write_src2", SQ_ATOMIC_SWAP},
   };
   bool f = has(name, "_f32") || has(name, "_f64"), u = has(name, "_u32") || has(name, "_u64");
   if (!strncmp(name, "ds_min_", 7))
      return f ? SQ_ATOMIC_FMIN : u ? SQ_ATOMIC_UMIN : SQ_ATOMIC_SMIN;
   if (!strncmp(name, "ds_max_", 7))
      return f ? SQ_ATOMIC_FMAX : u ? SQ_ATOMIC_UMAX : SQ_ATOMIC_SMAX;
   if (!strncmp(name, "ds_cmpst_", 9))
      return f ? SQ_ATOMIC_FCMPSWAP : SQ_ATOMIC_CMPSWAP;
   if (f && !strncmp(name, "ds_add_", 7))
      return SQ_ATOMIC_FADD;
   for (unsigned n = 0; n < sizeof(names) / sizeof(names[0]); n++)
      if (!strncmp(name, names[n].name, strlen(names[n].name)))
         return names[n].op;
   return -1;
}

static unsigned sub_flags(const char *name)
{
   return (has(name, "16_") || has(name, "b16") || has(name, "_i16") || has(name, "_u16") ? SUB_16 : 0) |
          (has(name, "_i8") || has(name, "_i16") ? SUB_SIGNED : 0) | (has(name, "_d16_hi") ? SUB_HI : 0) |
          (has(name, "_d16") ? SUB_D16 : 0);
}

bool sq_decode_ds(struct sq_inst *i)
{
   const char *name = isa_op_infos[i->isa.op].name;
   if (i->isa.enc != ISA_ENC_DS)
      return false;
   switch (i->isa.op) {
   case ISA_DS_NOP: i->fn = h_nop; return true;
   case ISA_DS_SWIZZLE_B32: i->fn = h_swizzle; return true;
   case ISA_DS_PERMUTE_B32: case ISA_DS_BPERMUTE_B32: i->fn = h_permute; return true;
   case ISA_DS_APPEND: case ISA_DS_CONSUME: i->fn = h_append; return true;
   case ISA_DS_READ_ADDTID_B32: case ISA_DS_WRITE_ADDTID_B32: i->fn = h_addtid; return true;
   case ISA_DS_CONDXCHG32_RTN_B64: i->fn = h_condxchg; return true;
   case ISA_DS_READ_B32: case ISA_DS_READ_B64: case ISA_DS_READ_B96: case ISA_DS_READ_B128:
      i->fn = h_read;
      return true;
   case ISA_DS_WRITE_B32: case ISA_DS_WRITE_B64: case ISA_DS_WRITE_B96: case ISA_DS_WRITE_B128:
      i->fn = h_write;
      return true;
   case ISA_DS_READ_I8: case ISA_DS_READ_U8: case ISA_DS_READ_U8_D16: case ISA_DS_READ_U8_D16_HI:
   case ISA_DS_READ_I8_D16: case ISA_DS_READ_I8_D16_HI:
      i->param = sub_flags(name) & ~SUB_16;
      i->fn = h_read_sub;
      return true;
   case ISA_DS_READ_I16: case ISA_DS_READ_U16: case ISA_DS_READ_U16_D16: case ISA_DS_READ_U16_D16_HI:
      i->param = sub_flags(name) | SUB_16;
      i->fn = h_read_sub;
      return true;
   case ISA_DS_WRITE_B8: case ISA_DS_WRITE_B8_D16_HI:
      i->param = sub_flags(name) & SUB_HI;
      i->fn = h_write_sub;
      return true;
   case ISA_DS_WRITE_B16: case ISA_DS_WRITE_B16_D16_HI:
      i->param = (sub_flags(name) & SUB_HI) | SUB_16;
      i->fn = h_write_sub;
      return true;
   }
   unsigned flags = (has(name, "64") && !has(name, "st64_b32") && !has(name, "st64_rtn_b32") ? WIDE : 0) |
                    (has(name, "st64") ? ST64 : 0);
   if (!strncmp(name, "ds_read2", 8)) {
      i->fn = h_read2;
      i->param = flags;
      return true;
   }
   if (!strncmp(name, "ds_write2", 9) || !strncmp(name, "ds_wrxchg2", 10)) {
      i->fn = h_write2;
      i->param = flags | (name[5] == 'x' ? XCHG2 : WRITE2);
      return true;
   }
   int op = atomic_of(name);
   if (op < 0)
      return false;
   i->param = flags | (unsigned)op;
   i->fn = has(name, "_src2_") ? h_src2 : h_atomic;
   return true;
}

uint8_t *sq_gds(struct sq *sq, uint32_t *size)
{
   *size = SQ_LDS_BYTES;
   return sq->common->gds;
}
