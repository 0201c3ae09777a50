/* SPDX-License-Identifier: MIT */
/* Buffer instructions (MUBUF, MTBUF): V# decoding, addressing and range
 * checking of GFX9 (SQ_BUF_RSRC_WORD0..3). */
#include <string.h>
#include "amdgfxregs.h"
#include "cache/cache.h"
#include "ta_internal.h"
#include "vm/undef.h"

enum buf_kind { BUF_NONE, BUF_LOAD, BUF_STORE, BUF_LOAD_FORMAT, BUF_STORE_FORMAT, BUF_ATOMIC, BUF_CACHE };

/* Opcodes as data. */
struct buf_info {
   uint8_t kind;
   uint8_t comps;    /* dwords, or channels of a format */
   uint8_t bytes;    /* below a dword: 1 or 2 */
   bool sign, d16, hi;
   uint8_t atomic;
   bool wide;        /* 64-bit atomic */
};

#define FORMATS(p)                                                                    \
   [ISA_##p##_LOAD_FORMAT_X] = { BUF_LOAD_FORMAT, 1 },                                \
   [ISA_##p##_LOAD_FORMAT_XY] = { BUF_LOAD_FORMAT, 2 },                               \
   [ISA_##p##_LOAD_FORMAT_XYZ] = { BUF_LOAD_FORMAT, 3 },                              \
   [ISA_##p##_LOAD_FORMAT_XYZW] = { BUF_LOAD_FORMAT, 4 },                             \
   [ISA_##p##_STORE_FORMAT_X] = { BUF_STORE_FORMAT, 1 },                              \
   [ISA_##p##_STORE_FORMAT_XY] = { BUF_STORE_FORMAT, 2 },                             \
   [ISA_##p##_STORE_FORMAT_XYZ] = { BUF_STORE_FORMAT, 3 },                            \
   [ISA_##p##_STORE_FORMAT_XYZW] = { BUF_STORE_FORMAT, 4 },                           \
   [ISA_##p##_LOAD_FORMAT_D16_X] = { BUF_LOAD_FORMAT, 1, .d16 = true },               \
   [ISA_##p##_LOAD_FORMAT_D16_XY] = { BUF_LOAD_FORMAT, 2, .d16 = true },              \
   [ISA_##p##_LOAD_FORMAT_D16_XYZ] = { BUF_LOAD_FORMAT, 3, .d16 = true },             \
   [ISA_##p##_LOAD_FORMAT_D16_XYZW] = { BUF_LOAD_FORMAT, 4, .d16 = true },            \
   [ISA_##p##_STORE_FORMAT_D16_X] = { BUF_STORE_FORMAT, 1, .d16 = true },             \
   [ISA_##p##_STORE_FORMAT_D16_XY] = { BUF_STORE_FORMAT, 2, .d16 = true },            \
   [ISA_##p##_STORE_FORMAT_D16_XYZ] = { BUF_STORE_FORMAT, 3, .d16 = true },           \
   [ISA_##p##_STORE_FORMAT_D16_XYZW] = { BUF_STORE_FORMAT, 4, .d16 = true },

#define ATOMIC(name, a)                                                               \
   [ISA_BUFFER_ATOMIC_##name] = { BUF_ATOMIC, 1, .atomic = a },                       \
   [ISA_BUFFER_ATOMIC_##name##_X2] = { BUF_ATOMIC, 2, .atomic = a, .wide = true },

static const struct buf_info infos[ISA_OP_COUNT] = {
   FORMATS(BUFFER)
   FORMATS(TBUFFER)
   [ISA_BUFFER_LOAD_FORMAT_D16_HI_X] = { BUF_LOAD_FORMAT, 1, .d16 = true, .hi = true },
   [ISA_BUFFER_STORE_FORMAT_D16_HI_X] = { BUF_STORE_FORMAT, 1, .d16 = true, .hi = true },
   [ISA_BUFFER_LOAD_UBYTE] = { BUF_LOAD, 1, 1 },
   [ISA_BUFFER_LOAD_SBYTE] = { BUF_LOAD, 1, 1, .sign = true },
   [ISA_BUFFER_LOAD_USHORT] = { BUF_LOAD, 1, 2 },
   [ISA_BUFFER_LOAD_SSHORT] = { BUF_LOAD, 1, 2, .sign = true },
   [ISA_BUFFER_LOAD_DWORD] = { BUF_LOAD, 1 },
   [ISA_BUFFER_LOAD_DWORDX2] = { BUF_LOAD, 2 },
   [ISA_BUFFER_LOAD_DWORDX3] = { BUF_LOAD, 3 },
   [ISA_BUFFER_LOAD_DWORDX4] = { BUF_LOAD, 4 },
   [ISA_BUFFER_LOAD_UBYTE_D16] = { BUF_LOAD, 1, 1, .d16 = true },
   [ISA_BUFFER_LOAD_UBYTE_D16_HI] = { BUF_LOAD, 1, 1, .d16 = true, .hi = true },
   [ISA_BUFFER_LOAD_SBYTE_D16] = { BUF_LOAD, 1, 1, .sign = true, .d16 = true },
   [ISA_BUFFER_LOAD_SBYTE_D16_HI] = { BUF_LOAD, 1, 1, .sign = true, .d16 = true, .hi = true },
   [ISA_BUFFER_LOAD_SHORT_D16] = { BUF_LOAD, 1, 2, .d16 = true },
   [ISA_BUFFER_LOAD_SHORT_D16_HI] = { BUF_LOAD, 1, 2, .d16 = true, .hi = true },
   [ISA_BUFFER_STORE_BYTE] = { BUF_STORE, 1, 1 },
   [ISA_BUFFER_STORE_BYTE_D16_HI] = { BUF_STORE, 1, 1, .hi = true },
   [ISA_BUFFER_STORE_SHORT] = { BUF_STORE, 1, 2 },
   [ISA_BUFFER_STORE_SHORT_D16_HI] = { BUF_STORE, 1, 2, .hi = true },
   [ISA_BUFFER_STORE_DWORD] = { BUF_STORE, 1 },
   [ISA_BUFFER_STORE_DWORDX2] = { BUF_STORE, 2 },
   [ISA_BUFFER_STORE_DWORDX3] = { BUF_STORE, 3 },
   [ISA_BUFFER_STORE_DWORDX4] = { BUF_STORE, 4 },
   ATOMIC(SWAP, ATOMIC_SWAP) ATOMIC(CMPSWAP, ATOMIC_CMPSWAP) ATOMIC(ADD, ATOMIC_ADD) ATOMIC(SUB, ATOMIC_SUB)
   ATOMIC(SMIN, ATOMIC_SMIN) ATOMIC(UMIN, ATOMIC_UMIN) ATOMIC(SMAX, ATOMIC_SMAX) ATOMIC(UMAX, ATOMIC_UMAX)
   ATOMIC(AND, ATOMIC_AND) ATOMIC(OR, ATOMIC_OR) ATOMIC(XOR, ATOMIC_XOR) ATOMIC(INC, ATOMIC_INC)
   ATOMIC(DEC, ATOMIC_DEC)
   [ISA_BUFFER_WBINVL1] = { BUF_CACHE },
   [ISA_BUFFER_WBINVL1_VOL] = { BUF_CACHE },
};

struct ta_buf {
   const struct model_env *env;
   uint64_t base;
   uint32_t stride, num_records;
   bool swizzle, add_tid, structured; /* structured: NUM_RECORDS counts strides */
   uint32_t index_stride_log2;
   const struct fmt *fmt;
   uint8_t sel[4];
   uint8_t *host;
   uint64_t avail;
   uint64_t written_lo, written_hi; /* offsets, for the cache checks */
};

/* Word 3 of a V#: bits that belong to no field on GFX9. */
#define V_RESERVED 0x37000000u

static void decode(struct ta_buf *b, const struct model_env *env, const struct ta_buffer_op *op,
                   const struct buf_info *info)
{
   const uint32_t *w = op->rsrc;
   memset(b, 0, sizeof(*b));
   b->env = env;
   b->base = w[0] | (uint64_t)G_008F04_BASE_ADDRESS_HI(w[1]) << 32;
   b->stride = G_008F04_STRIDE(w[1]);
   b->num_records = w[2];
   b->swizzle = G_008F04_SWIZZLE_ENABLE_GFX6(w[1]);
   b->index_stride_log2 = 3 + G_008F0C_INDEX_STRIDE(w[3]);
   b->add_tid = G_008F0C_ADD_TID_ENABLE(w[3]);
   if (b->add_tid) /* DATA_FORMAT holds the upper bits of the stride then */
      b->stride |= G_008F0C_DATA_FORMAT(w[3]) << 14;
   /* The thread's number spreads the lanes without a stride: scratch has none. */
   b->swizzle &= b->stride || b->add_tid;
   b->structured = b->stride && op->inst->idxen;
   if (w[3] & V_RESERVED)
      model_violation(env->report, CHECK_DESCRIPTOR, "V# %08x %08x %08x %08x: reserved bits 0x%08x", w[0], w[1], w[2],
                      w[3], w[3] & V_RESERVED);
   if (G_008F0C_TYPE(w[3]) != 0)
      model_violation(env->report, CHECK_DESCRIPTOR, "V# %08x %08x %08x %08x: not a buffer resource (TYPE %u)", w[0],
                      w[1], w[2], w[3], G_008F0C_TYPE(w[3]));

   if (info->kind == BUF_LOAD_FORMAT || info->kind == BUF_STORE_FORMAT) {
      unsigned df = G_008F0C_DATA_FORMAT(w[3]), nf = G_008F0C_NUM_FORMAT(w[3]);
      for (unsigned i = 0; i < 4; i++)
         b->sel[i] = w[3] >> (3 * i) & 7;
      if (op->inst->enc == ISA_ENC_MTBUF) {
         df = op->inst->dfmt;
         nf = op->inst->nfmt;
         for (unsigned i = 0; i < 4; i++)
            b->sel[i] = 4 + i;
      }
      b->fmt = fmt_buffer(df, nf);
      if (!b->fmt && df) /* 0: unbound, reads give 0 */
         model_violation(env->report, CHECK_DESCRIPTOR,
                         "V# %08x %08x %08x %08x: data format %u with number format %u", w[0], w[1], w[2], w[3],
                         df, nf);
      for (unsigned i = 0; i < 4; i++)
         if (b->sel[i] == 2 || b->sel[i] == 3)
            model_violation(env->report, CHECK_DESCRIPTOR, "V# %08x %08x %08x %08x: reserved DST_SEL", w[0], w[1],
                            w[2], w[3]);
   }
   bool write = info->kind == BUF_STORE || info->kind == BUF_STORE_FORMAT || info->kind == BUF_ATOMIC;
   b->written_lo = UINT64_MAX;
   b->host = vm_probe(env->vm, VM_TC, b->base, write, &b->avail);
   if (!b->host)
      b->avail = 0;
}

/* Where a lane's element lies. */
struct buf_addr {
   uint64_t offset;    /* from base */
   uint64_t checked;   /* raw buffers: byte offset that NUM_RECORDS bounds */
   bool out;           /* structured: the index is out of range */
};

static struct buf_addr lane_address(const struct ta_buf *b, const struct ta_buffer_op *op, unsigned lane)
{
   const struct isa_inst *in = op->inst;
   uint64_t index = (in->idxen && op->vindex ? op->vindex[lane] : 0) + (uint64_t)(b->add_tid ? lane : 0);
   /* A sum of 32 bits: a negative VGPR with an instruction offset works. */
   uint64_t offset = (uint32_t)(in->offset + (in->offen && op->voffset ? op->voffset[lane] : 0));
   struct buf_addr a = { 0 };
   if (b->swizzle) {
      uint64_t is = 1u << b->index_stride_log2;
      a.offset = ((index >> b->index_stride_log2) * b->stride + (offset & ~3ull)) * is + (index & (is - 1)) * 4 +
                 (offset & 3);
   } else {
      a.offset = index * b->stride + offset;
   }
   a.offset += op->soffset;
   a.checked = a.offset;
   a.out = b->structured && index >= b->num_records;
   return a;
}

/* Tells the cache checks which bytes the lanes read: those between the lowest
 * and the highest, as a V# may span much more than the program touches. */
static void check_cache(const struct ta_buf *b, const struct ta_buffer_op *op)
{
   const unsigned largest = 16; /* bytes of one lane's element */
   uint64_t low = UINT64_MAX, high = 0;

   for (uint64_t lanes = op->exec; lanes; lanes &= lanes - 1) {
      struct buf_addr a = lane_address(b, op, __builtin_ctzll(lanes));
      if (a.out || (!b->structured && !b->swizzle && a.checked >= b->num_records))
         continue;
      low = a.offset < low ? a.offset : low;
      high = a.offset > high ? a.offset : high;
   }
   if (low <= high)
      cache_read_bytes(b->env->cache, b->env->report, op->inst->glc ? CACHE_L2_CLIENT : CACHE_L1, b->base + low,
                       high - low + largest);
}

/* Scratch is reached with V#s that add the thread's number, from its ring's
 * base on: a wave must stay in its part, and load only what it has stored. */
static void check_scratch(const struct ta_buf *b, const struct ta_buffer_op *op, const struct buf_info *info)
{
   const bool load = info->kind == BUF_LOAD || info->kind == BUF_LOAD_FORMAT;
   const unsigned bytes = b->fmt ? b->fmt->bytes : info->bytes ? info->bytes : 4u * info->comps;

   for (uint64_t lanes = op->exec; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint64_t at = lane_address(b, op, lane).offset - op->scratch_offset;
      if (at >= op->scratch_size || bytes > op->scratch_size - at) {
         model_where(b->env->report)->lane = (int)lane;
         model_violation(b->env->report, CHECK_RANGE, "scratch offset 0x%llx, the wave has 0x%x bytes",
                         (unsigned long long)at, op->scratch_size);
         continue;
      }
      for (uint32_t d = (uint32_t)at / 4; d <= (at + bytes - 1) / 4; d++) {
         if (!load)
            op->scratch_def[d >> 3] |= 1u << (d & 7);
         else if (!(op->scratch_def[d >> 3] >> (d & 7) & 1))
            *op->scratch_undef |= 1ull << lane;
      }
   }
}

/* Bytes [at, at + size) of a lane's access; NULL when out of range or unmapped. */
static inline void *lane_ptr(struct ta_buf *b, const struct buf_addr *a, unsigned at, unsigned size, bool write)
{
   if (a->out || (!b->structured && !b->swizzle && a->checked + at + size > b->num_records))
      return NULL;
   uint64_t off = a->offset + at;
   if (write) {
      b->written_lo = off < b->written_lo ? off : b->written_lo;
      b->written_hi = off + size > b->written_hi ? off + size : b->written_hi;
   }
   if (__builtin_expect(off + size <= b->avail, 1))
      return b->host + off;
   return vm_ptr(b->env->vm, VM_TC, b->base + off, size, write);
}

/* Undefined dwords go to memory with the stored ones, and come back with loads. */
static void follow_undef(const struct ta_buf *b, const struct ta_buffer_op *op, const struct buf_info *info)
{
   struct model_undef *u = b->env->undef;

   for (uint64_t e = op->exec; e; e &= e - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(e);
      const struct buf_addr a = lane_address(b, op, lane);
      for (unsigned i = 0; i < info->comps; i++) {
         const uint64_t va = b->base + a.offset + 4 * i;
         if (a.out || (!b->structured && !b->swizzle && a.checked + 4 * i + 4 > b->num_records))
            continue;
         if (info->kind == BUF_STORE)
            undef_set(u, va, op->undef[i] >> lane & 1);
         else if (undef_test(u, va))
            op->undef[i] |= 1ull << lane;
      }
   }
}

/* All of a lane's dwords, when they lie within the buffer and in one piece. */
static inline uint8_t *lane_dwords(struct ta_buf *b, const struct buf_addr *a, unsigned size, bool write)
{
   if (b->swizzle || a->out || (!b->structured && a->checked + size > b->num_records) || a->offset + size > b->avail)
      return NULL;
   if (write) {
      b->written_lo = a->offset < b->written_lo ? a->offset : b->written_lo;
      b->written_hi = a->offset + size > b->written_hi ? a->offset + size : b->written_hi;
   }
   return b->host + a->offset;
}

static void load(struct ta_buf *b, const struct ta_buffer_op *op, const struct buf_info *info)
{
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      struct buf_addr a = lane_address(b, op, lane);
      if (!info->bytes) {
         const uint8_t *all = lane_dwords(b, &a, 4 * info->comps, false);
         if (all) {
            for (unsigned i = 0; i < info->comps && i < op->num_result; i++)
               memcpy(&op->result[i][lane], all + 4 * i, 4);
            continue;
         }
         /* each dword is checked by itself */
         for (unsigned i = 0; i < info->comps && i < op->num_result; i++) {
            const void *p = lane_ptr(b, &a, 4 * i, 4, false);
            uint32_t v = 0;
            if (p)
               memcpy(&v, p, 4);
            op->result[i][lane] = v;
         }
         continue;
      }
      const uint8_t *p = lane_ptr(b, &a, 0, info->bytes, false);
      uint32_t v = 0;
      if (p) {
         v = info->bytes == 1 ? p[0] : p[0] | (uint32_t)p[1] << 8;
         if (info->sign)
            v = info->bytes == 1 ? (uint32_t)(int8_t)v : (uint32_t)(int16_t)v;
      }
      uint32_t *d = &op->result[0][lane];
      *d = !info->d16 ? v : info->hi ? (*d & 0xffff) | v << 16 : (*d & 0xffff0000) | (v & 0xffff);
   }
}

static void store(struct ta_buf *b, const struct ta_buffer_op *op, const struct buf_info *info)
{
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      struct buf_addr a = lane_address(b, op, lane);
      if (!info->bytes) {
         uint8_t *all = lane_dwords(b, &a, 4 * info->comps, true);
         if (all) {
            for (unsigned i = 0; i < info->comps; i++)
               if (op->data[i])
                  memcpy(all + 4 * i, &op->data[i][lane], 4);
            continue;
         }
         for (unsigned i = 0; i < info->comps; i++) {
            void *p = lane_ptr(b, &a, 4 * i, 4, true);
            if (p && op->data[i])
               memcpy(p, &op->data[i][lane], 4);
         }
         continue;
      }
      void *p = lane_ptr(b, &a, 0, info->bytes, true);
      uint32_t v = op->data[0] ? op->data[0][lane] >> (info->hi ? 16 : 0) : 0;
      if (p)
         memcpy(p, &v, info->bytes);
   }
}

static void load_format(struct ta_buf *b, const struct ta_buffer_op *op, const struct buf_info *info)
{
   const struct fmt *f = b->fmt;
   uint32_t one = f && f->is_int ? 1 : 0x3f800000;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      uint32_t m[4] = { 0 }, v[4];
      if (f) {
         struct buf_addr a = lane_address(b, op, lane);
         const void *p = lane_ptr(b, &a, 0, f->bytes, false);
         if (p)
            f->unpack(f, p, m);
      }
      for (unsigned i = 0; i < 4; i++)
         v[i] = b->sel[i] >= 4 ? m[b->sel[i] - 4] : b->sel[i] == 1 ? one : 0;
      if (!info->d16) {
         for (unsigned i = 0; i < info->comps && i < op->num_result; i++)
            op->result[i][lane] = v[i];
         continue;
      }
      for (unsigned i = 0; i < info->comps; i++) {
         uint16_t h = f && f->is_int ? v[i] : fmt_float_to_half(fmt_u2f(v[i]), false);
         if (i / 2 >= op->num_result)
            break;
         uint32_t *d = &op->result[i / 2][lane];
         *d = info->hi || (i & 1) ? (*d & 0xffff) | (uint32_t)h << 16
              : info->comps == 1 ? (*d & 0xffff0000) | h : h;
      }
   }
}

static void store_format(struct ta_buf *b, const struct ta_buffer_op *op, const struct buf_info *info)
{
   const struct fmt *f = b->fmt;
   if (!f || !f->pack)
      return;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      struct buf_addr a = lane_address(b, op, lane);
      void *p = lane_ptr(b, &a, 0, f->bytes, true);
      uint32_t v[4] = { 0 }, m[4] = { 0 };
      if (!p)
         continue;
      for (unsigned i = 0; i < info->comps; i++) {
         if (info->d16) {
            unsigned half = info->hi ? 1 : i;
            uint16_t h = op->data[half / 2] ? op->data[half / 2][lane] >> (16 * (half & 1)) : 0;
            v[i] = f->num[0] == FMT_UINT ? h :
                   f->is_int ? (uint32_t)(int32_t)(int16_t)h : fmt_f2u(fmt_half_to_float(h));
         } else {
            v[i] = op->data[i] ? op->data[i][lane] : 0;
         }
      }
      for (unsigned i = 0; i < 4; i++)
         if (b->sel[i] >= 4)
            m[b->sel[i] - 4] = v[i];
      f->pack(f, m, p, false);
   }
}

static void atomic(struct ta_buf *b, const struct ta_buffer_op *op, const struct buf_info *info)
{
   unsigned n = info->wide ? 2 : 1;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      struct buf_addr a = lane_address(b, op, lane);
      void *p = lane_ptr(b, &a, 0, 4 * n, true);
      uint32_t v[4] = { 0 };
      uint64_t old = 0;
      for (unsigned i = 0; i < n * (info->atomic == ATOMIC_CMPSWAP ? 2 : 1); i++)
         v[i] = op->data[i] ? op->data[i][lane] : 0;
      if (p)
         old = info->wide ? ta_atomic64(info->atomic, p, v[0] | (uint64_t)v[1] << 32, v[2] | (uint64_t)v[3] << 32)
                          : ta_atomic32(info->atomic, p, v[0], v[1]);
      if (op->inst->glc && op->result)
         for (unsigned i = 0; i < n && i < op->num_result; i++)
            op->result[i][lane] = old >> (32 * i);
   }
}

void ta_buffer(const struct model_env *env, const struct ta_buffer_op *op)
{
   const struct buf_info *info = op->inst->op < ISA_OP_COUNT ? &infos[op->inst->op] : &infos[0];
   struct ta_buf b;
   if (info->kind == BUF_CACHE)
      return;
   if (info->kind == BUF_NONE) {
      model_violation(env->report, CHECK_MODEL, "buffer instruction %s", isa_op_infos[op->inst->op].name);
      return;
   }
   /* With LDS the SQ takes the one dword of the result there. */
   if (op->inst->lds && (info->comps != 1 || (info->kind != BUF_LOAD && info->kind != BUF_LOAD_FORMAT)))
      model_violation(env->report, CHECK_INSTRUCTION, "%s with LDS", isa_op_infos[op->inst->op].name);
   decode(&b, env, op, info);
   if (op->scratch_size && b.add_tid)
      check_scratch(&b, op, info);
   if (env->cache && (info->kind == BUF_LOAD || info->kind == BUF_LOAD_FORMAT))
      check_cache(&b, op);
   uint64_t bytes = (uint64_t)__builtin_popcountll(op->exec) *
                    (b.fmt ? b.fmt->bytes : info->bytes ? info->bytes : 4u * info->comps);
   if (op->undef && !info->bytes && (info->kind == BUF_LOAD || info->kind == BUF_STORE))
      follow_undef(&b, op, info);
   switch ((enum buf_kind)info->kind) {
   case BUF_LOAD: load(&b, op, info); break;
   case BUF_STORE: store(&b, op, info); break;
   case BUF_LOAD_FORMAT: load_format(&b, op, info); break;
   case BUF_STORE_FORMAT: store_format(&b, op, info); break;
   case BUF_ATOMIC: atomic(&b, op, info); break;
   case BUF_NONE:
   case BUF_CACHE: break;
   }
   if (b.written_lo < b.written_hi && !b.add_tid) /* with the thread's number: scratch and rings, the wave's own */
      cache_write_bytes(env->cache, CACHE_SHADER, b.base + b.written_lo, b.written_hi - b.written_lo);
   if (info->kind == BUF_STORE || info->kind == BUF_STORE_FORMAT || info->kind == BUF_ATOMIC)
      env->stats->written[VM_TC] += bytes;
   else
      env->stats->read[VM_TC] += bytes;
   if (op->inst->tfe && op->num_result) /* the dword after the data: 0, or 1 where nothing but a reservation is */
      for (uint64_t e = op->exec; e; e &= e - 1) {
         const unsigned lane = __builtin_ctzll(e);
         const struct buf_addr a = lane_address(&b, op, lane);
         op->result[op->num_result - 1][lane] =
            lane_ptr(&b, &a, 0, 1, false) && vm_is_prt(env->vm, VM_TC, b.base + a.offset);
      }
}
