/* SPDX-License-Identifier: MIT */
/* Image instructions (MIMG): dispatch, loads, stores, atomics, GET_RESINFO. */
#include <string.h>
#include "cache/cache.h"
#include "amdgfxregs.h"
#include "obs/dump.h"
#include "ta_internal.h"

unsigned ta_num_coords(const struct ta_tex *t, bool da)
{
   unsigned n = t->dims;
   if (t->cube || (t->dims < 3 && da))
      n++;
   return n + t->msaa;
}

void ta_write_result(struct ta_ctx *c, const struct ta_image_op *op, unsigned lane, const uint32_t value[4],
                     unsigned dmask)
{
   const struct ta_tex *t = c->t;
   unsigned n = 0;
   if (!dmask)
      dmask = 1;
   if (op->inst->d16) {
      bool is_int = t->fmt && t->fmt->is_int;
      for (unsigned i = 0; i < 4; i++) {
         if (!(dmask >> i & 1))
            continue;
         uint16_t h = is_int ? value[i] : fmt_float_to_half(fmt_u2f(value[i]), false);
         uint32_t *d = n / 2 < op->num_result ? &op->result[n / 2][lane] : NULL;
         if (d)
            *d = n & 1 ? (*d & 0xffff) | (uint32_t)h << 16 : h;
         n++;
      }
      n = (n + 1) / 2;
   } else {
      for (unsigned i = 0; i < 4; i++)
         if (dmask >> i & 1) {
            if (n < op->num_result)
               op->result[n][lane] = value[i];
            n++;
         }
   }
   if ((op->inst->tfe || op->inst->lwe) && n < op->num_result)
      op->result[n][lane] = c->absent; /* 0: nothing failed */
   c->absent = false;
}

/* Integer position of a lane; false when it lies outside of the image. */
struct position { uint32_t x, y, z, sample; unsigned level; };

static bool lane_position(struct ta_ctx *c, const struct ta_image_op *op, bool mip, unsigned lane, struct position *p)
{
   const struct ta_tex *t = c->t;
   unsigned n = 0;
   const uint32_t *a[5] = { NULL };
   unsigned need = ta_num_coords(t, op->inst->da) + mip;
   for (unsigned i = 0; i < need; i++)
      a[i] = i < op->num_addr ? op->addr[i] : NULL;
#define NEXT() (a[n] ? a[n++][lane] : (n++, 0))
   memset(p, 0, sizeof(*p));
   p->x = NEXT();
   if (t->dims > 1)
      p->y = NEXT();
   if (t->dims > 2)
      p->z = NEXT();
   else if (t->cube || op->inst->da)
      p->z = NEXT();
   if (t->msaa)
      p->sample = NEXT();
   p->level = t->base_level;
   if (mip) {
      uint32_t lod = NEXT();
      if (lod > (uint32_t)(t->last_level - t->base_level))
         return false;
      p->level += lod;
   }
#undef NEXT
   if (p->x >= ta_level_size(t->width, p->level) || p->y >= ta_level_size(t->height, p->level))
      return false;
   if (t->dims == 3)
      return p->z < ta_level_size(t->depth, p->level);
   if (!(t->array || t->cube))
      p->z = 0;
   if (p->z > t->last_layer - t->first_layer)
      return false;
   p->z += t->first_layer;
   return p->sample < 1u << t->samples_log2;
}

static void load(struct ta_ctx *c, const struct ta_image_op *op, bool mip, bool readable)
{
   const struct ta_tex *t = c->t;
   if (readable && ta_load_plain(c, op, mip))
      return;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      uint32_t texel[4] = { 0 }, v[4];
      struct position p;
      if (readable && lane_position(c, op, mip, lane, &p))
         ta_fetch(c, p.level, p.x, p.y, p.z, p.sample, texel);
      for (unsigned i = 0; i < 4; i++)
         v[i] = ta_select(t, i, texel);
      ta_write_result(c, op, lane, v, op->inst->dmask);
   }
}

/* The same memory, when it may be written. */
static void probe_writable(struct ta_ctx *c)
{
   c->host = vm_probe(c->env->vm, VM_TC, c->t->base, true, &c->avail);
   if (!c->host || c->prt)
      c->avail = 0;
}

static inline void *write_ptr(struct ta_ctx *c, const struct position *p)
{
   const struct ta_tex *t = c->t;
   uint64_t off = surf_offset(t->l, p->level, p->x, p->y, p->z, p->sample);
   if (__builtin_expect(off + t->fmt->bytes <= c->avail, 1))
      return (void *)(c->host + off);
   return ta_slow_ptr(c, off, t->fmt->bytes, true);
}

static void store(struct ta_ctx *c, const struct ta_image_op *op, bool mip)
{
   const struct ta_tex *t = c->t;
   const struct fmt *f = t->fmt;
   if (!f->pack || t->step != 1) {
      model_violation(c->env->report, CHECK_DESCRIPTOR, "image store to format %s", f->name);
      return;
   }
   if (t->dcc || t->htile)
      model_violation(c->env->report, CHECK_DESCRIPTOR, "image store with COMPRESSION_EN");
   probe_writable(c);
   if (ta_store_plain(c, op, mip))
      return;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e), n = 0;
      struct position p;
      if (!lane_position(c, op, mip, lane, &p))
         continue;
      uint32_t shader[4] = { 0 }, texel[4] = { 0 };
      for (unsigned i = 0; i < 4; i++) {
         if (!(op->inst->dmask >> i & 1))
            continue;
         if (op->inst->d16) {
            uint16_t h = op->data[n / 2] ? op->data[n / 2][lane] >> (16 * (n & 1)) : 0;
            shader[i] = f->num[0] == FMT_UINT ? h :
                        f->is_int ? (uint32_t)(int32_t)(int16_t)h : fmt_f2u(fmt_half_to_float(h));
         } else {
            shader[i] = op->data[n] ? op->data[n][lane] : 0;
         }
         n++;
      }
      /* DST_SEL backwards: which channel each component of memory comes from */
      for (unsigned i = 0; i < 4; i++)
         if (t->sel[i] >= 4)
            texel[t->sel[i] - 4] = shader[i];
      void *d = write_ptr(c, &p);
      if (!d)
         return;
      f->pack(f, texel, d, false);
      c->env->stats->written[VM_TC] += f->bytes;
   }
}

/* Loads and stores of elements as they are; DMASK counts dwords. */
static void load_packed(struct ta_ctx *c, const struct ta_image_op *op, const struct ta_image_info *info, bool readable)
{
   const struct ta_tex *t = c->t;
   const unsigned bytes = t->fmt ? t->fmt->bytes : 0;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      uint32_t v[4] = { 0 };
      struct position p;
      if (readable && lane_position(c, op, info->mip, lane, &p)) {
         const uint8_t *s = ta_texel_ptr(c, p.level, p.x >> (t->fmt->pair ? 1 : t->fmt->block_log2),
                                         p.y >> t->fmt->block_log2, p.z, p.sample);
         if (s)
            memcpy(v, s, bytes);
         if (info->sign && bytes < 4)
            v[0] = bytes == 1 ? (uint32_t)(int8_t)v[0] : (uint32_t)(int16_t)v[0];
      }
      ta_write_result(c, op, lane, v, op->inst->dmask);
   }
}

static void store_packed(struct ta_ctx *c, const struct ta_image_op *op, const struct ta_image_info *info)
{
   probe_writable(c);
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e), n = 0;
      uint32_t v[4] = { 0 };
      struct position p;
      if (!lane_position(c, op, info->mip, lane, &p))
         continue;
      for (unsigned i = 0; i < 4; i++)
         if (op->inst->dmask >> i & 1) {
            v[i] = op->data[n] ? op->data[n][lane] : 0;
            n++;
         }
      void *d = write_ptr(c, &p);
      if (!d)
         return;
      memcpy(d, v, c->t->fmt->bytes);
   }
}

static void atomic(struct ta_ctx *c, const struct ta_image_op *op, enum ta_atomic what)
{
   const struct ta_tex *t = c->t;
   unsigned dwords = __builtin_popcount(op->inst->dmask);
   bool swap = what == ATOMIC_CMPSWAP, wide = dwords == (swap ? 4 : 2);
   if (t->fmt->bytes != (wide ? 8 : 4)) {
      model_violation(c->env->report, CHECK_DESCRIPTOR, "%u-bit image atomic on format %s", wide ? 64 : 32, t->fmt->name);
      return;
   }
   probe_writable(c);
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      struct position p;
      uint32_t lo = 0, hi = 0;
      if (lane_position(c, op, false, lane, &p)) {
         void *d = write_ptr(c, &p);
         if (!d)
            return;
         uint32_t v[4];
         for (unsigned i = 0; i < 4; i++)
            v[i] = i < dwords && op->data[i] ? op->data[i][lane] : 0;
         if (wide) {
            uint64_t old = ta_atomic64(what, d, v[0] | (uint64_t)v[1] << 32, v[2] | (uint64_t)v[3] << 32);
            lo = old;
            hi = old >> 32;
         } else {
            lo = ta_atomic32(what, d, v[0], v[1]);
         }
      }
      if (op->inst->glc && op->num_result) {
         op->result[0][lane] = lo;
         if (wide && op->num_result > 1)
            op->result[1][lane] = hi;
      }
   }
}

static void resinfo(struct ta_ctx *c, const struct ta_image_op *op)
{
   const struct ta_tex *t = c->t;
   for (uint64_t e = op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      uint32_t mip = op->num_addr && op->addr[0] ? op->addr[0][lane] : 0, v[4] = { 0 };
      unsigned levels = t->last_level - t->base_level + 1;
      v[3] = t->path == TEX_ZERO ? 0 : levels;
      if (mip < levels && t->path != TEX_ZERO) {
         unsigned level = t->base_level + mip;
         v[0] = ta_level_size(t->width, level);
         v[1] = t->dims > 1 ? ta_level_size(t->height, level) : 1;
         v[2] = t->dims == 3 ? ta_level_size(t->depth, level) : t->last_layer - t->first_layer + 1;
         if (t->type == IMG_1D_ARRAY) {
            v[1] = v[2];
            v[2] = 1;
         }
      }
      ta_write_result(c, op, lane, v, op->inst->dmask);
   }
}

static void zero_result(struct ta_ctx *c, const struct ta_image_op *op)
{
   for (uint64_t e = op->exec; e; e &= e - 1) {
      uint32_t none[4] = { 0 }, v[4];
      for (unsigned i = 0; i < 4; i++)
         v[i] = ta_select(c->t, i, none);
      ta_write_result(c, op, __builtin_ctzll(e), v, op->inst->dmask);
   }
}

/* Word 3 of an S#: bits that belong to no field on GFX9, but bit 29: radeonsi's
 * mark for its shaders (UPGRADED_DEPTH), which the hardware does not read. */
#define S_RESERVED 0x1fffe000u

/* For the cache checks: the levels and slices that the T# shows. */
static void note_cache(const struct ta_ctx *c, const struct ta_image_op *op, enum ta_kind kind)
{
   const struct ta_tex *t = c->t;
   const bool volume = t->type == IMG_3D, compressed = t->dcc || t->htile;
   const struct cache_part part = { .base = t->base, .size = t->l->size, .level0 = t->base_level,
                                    .level1 = t->last_level, .slice0 = volume ? 0 : (uint16_t)t->first_layer,
                                    .slice1 = volume ? UINT16_MAX : (uint16_t)t->last_layer };
   if (kind == TA_STORE || kind == TA_STORE_PCK || kind == TA_ATOMIC)
      cache_write(c->env->cache, CACHE_SHADER, &part, 0);
   else if (kind != TA_RESINFO && kind != TA_GET_LOD)
      cache_read(c->env->cache, c->env->report,
                 op->inst->glc ? CACHE_L2_CLIENT : compressed ? CACHE_L1_META : CACHE_L1, &part);
}

/* S# can apply the sRGB curve to a plain format, or leave it out. */
static bool degamma(struct ta_ctx *c, const struct model_env *env, const struct ta_image_op *op)
{
   const bool force = G_008F30_FORCE_DEGAMMA(op->samp[0]), skip = G_008F3C_SKIP_DEGAMMA(op->samp[3]);
   const unsigned num = G_008F14_NUM_FORMAT(op->rsrc[1]);
   uint32_t rsrc[8];
   if (!(force && num == 0) && !(skip && num == 9))
      return true;
   memcpy(rsrc, op->rsrc, sizeof(rsrc));
   rsrc[1] = (rsrc[1] & C_008F14_NUM_FORMAT) | S_008F14_NUM_FORMAT(skip ? 0 : 9);
   if (!fmt_image(G_008F14_DATA_FORMAT(rsrc[1]), skip ? 0 : 9))
      return true; /* formats without the curve */
   return ta_ctx_init(c, env, rsrc);
}

void ta_image(const struct model_env *env, const struct ta_image_op *op)
{
   const struct ta_image_info *info = ta_image_info(op->inst->op);
   struct ta_ctx c;
   if (!info) {
      model_violation(env->report, CHECK_MODEL, "image instruction %s", isa_op_infos[op->inst->op].name);
      return;
   }
   if (op->inst->lwe)
      model_violation(env->report, CHECK_MODEL, "%s with LWE", isa_op_infos[op->inst->op].name);
   if (op->inst->r128)
      model_violation(env->report, CHECK_INSTRUCTION, "R128 does not exist on GFX9");
   bool readable = ta_ctx_init(&c, env, op->rsrc);
   if (__builtin_expect(env->dump != NULL, 0))
      dump_image(env->dump, op->rsrc);
   if (readable && env->cache)
      note_cache(&c, op, info->kind);
   env->stats->read[VM_TC] += (uint64_t)__builtin_popcountll(op->exec) * (c.t->fmt ? c.t->fmt->bytes : 0);
   uint32_t regs[16][64];
   struct ta_image_op unpacked;
   if (op->inst->a16) {
      ta_unpack_a16(c.t, info, op, regs, &unpacked);
      op = &unpacked;
   }

   switch ((enum ta_kind)info->kind) {
   case TA_SAMPLE:
   case TA_GATHER:
   case TA_GET_LOD:
      readable = degamma(&c, env, op) && readable;
      if (!readable) {
         zero_result(&c, op);
         break;
      }
      ta_samp_decode(op->samp, &c.s);
      if (G_008F38_LOD_BIAS_SEC(op->samp[2]) || c.s.reduce == 3)
         model_violation(env->report, CHECK_MODEL, "S# %08x %08x %08x %08x: LOD_BIAS_SEC or FILTER_MODE 3", op->samp[0],
                         op->samp[1], op->samp[2], op->samp[3]);
      if (c.s.zfilter == 3 || c.s.max_aniso_log2 > 4)
         model_violation(env->report, CHECK_DESCRIPTOR, "S# %08x %08x %08x %08x: reserved Z_FILTER or MAX_ANISO_RATIO",
                         op->samp[0], op->samp[1], op->samp[2], op->samp[3]);
      if (op->samp[3] & S_RESERVED)
         model_violation(env->report, CHECK_DESCRIPTOR, "S# %08x %08x %08x %08x: reserved bits 0x%08x", op->samp[0],
                         op->samp[1], op->samp[2], op->samp[3], op->samp[3] & S_RESERVED);
      ta_border_init(&c);
      ta_sample(&c, op, info);
      break;
   case TA_LOAD: load(&c, op, info->mip, readable); break;
   case TA_LOAD_PCK: load_packed(&c, op, info, readable); break;
   case TA_STORE_PCK:
      if (readable)
         store_packed(&c, op, info);
      break;
   case TA_STORE:
      if (readable)
         store(&c, op, info->mip);
      break;
   case TA_ATOMIC:
      if (readable)
         atomic(&c, op, info->atomic);
      else if (op->inst->glc) /* nothing is there: what was there before is 0 */
         for (uint64_t e = op->exec; e; e &= e - 1)
            for (unsigned i = 0; i < op->num_result; i++)
               op->result[i][__builtin_ctzll(e)] = 0;
      break;
   case TA_RESINFO: resinfo(&c, op); break;
   }
}
