/* SPDX-License-Identifier: MIT */
/* Compression metadata. The model writes colours uncompressed only: the first
 * touch of a block that a clear code stands for writes the clear colour and
 * marks the block raw (DCC key 0xff, CMASK 15, FMASK identity). */
#include <string.h>
#include "cb_internal.h"

enum { DCC_REG = 0x20, DCC_RAW = 0xff, CMASK_CLEAR = 0x0, CMASK_ONE_FRAG = 0xc, CMASK_RAW = 0xf };

/* The element that a clear stands for. */
static void register_color(const struct cb_target *t, uint8_t out[16])
{
   const uint32_t *w = t->clear_word;
   uint32_t v[4] = { w[0], w[1], 0, 0 };
   if (t->fmt->bytes == 16) { /* R = G = B, and A */
      v[1] = v[2] = w[0];
      v[3] = w[1];
   }
   memcpy(out, v, 16);
}

static void code_color(const struct cb_target *t, unsigned key, uint8_t out[16])
{
   const struct fmt *f = t->fmt;
   bool color_one = key & 0x80, alpha_one = key & 0x40;
   unsigned alpha = t->alpha_on_msb ? f->num_comp - 1 : 0;
   uint32_t v[4] = { 0 };
   for (unsigned c = 0; c < f->num_comp; c++) {
      bool one = f->num_comp == 1 ? color_one || alpha_one : c == alpha ? alpha_one : color_one;
      uint32_t max = f->num[c] == FMT_UINT ? 0xffffffffu >> (32 - f->bits[c])
                     : f->num[c] == FMT_SINT ? 0x7fffffffu >> (32 - f->bits[c]) : 0x3f800000;
      v[c] = one ? max : 0;
   }
   memset(out, 0, 16);
   f->pack(f, v, out, false);
}

/* Writes one fragment of the block that a DCC key covers. */
static void fill_block(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                       unsigned frag, const uint8_t color[16])
{
   uint32_t x0 = x >> t->dcc_w << t->dcc_w, y0 = y >> t->dcc_h << t->dcc_h, z0 = z >> t->dcc_d << t->dcc_d;
   uint32_t depth = t->l->level[t->level].depth;
   for (uint32_t k = z0; k < z0 + (1u << t->dcc_d) && (k < depth || k == z); k++)
      for (uint32_t j = y0; j < y0 + (1u << t->dcc_h); j++)
         for (uint32_t i = x0; i < x0 + (1u << t->dcc_w); i++) {
            void *p = cb_ptr(env, t, i, j, k, frag);
            if (!p)
               return;
            memcpy(p, color, t->fmt->bytes);
         }
}

static void touch_dcc(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                      unsigned frag, bool only_register)
{
   uint64_t va = surf_meta_va(t->dcc, t->dcc_va, t->level, x, y, z, frag);
   uint8_t *key = vm_ptr(env->vm, VM_CB, va, 1, true);
   if (!key)
      return;
   if (*key != DCC_RAW) {
      uint8_t color[16];
      if (*key == DCC_REG) {
         register_color(t, color);
      } else if (only_register) {
         return;
      } else if (*key & 0x3f) {
         model_violation(env->report, CHECK_STATE, "CB_COLOR%u: DCC key 0x%02x at 0x%llx: neither raw nor a clear code",
                         t->index, *key, (unsigned long long)va);
         *key = DCC_RAW;
         return;
      } else {
         code_color(t, *key, color);
      }
      fill_block(env, t, x, y, z, frag, color);
      *key = DCC_RAW;
   }
}

static uint32_t fmask_identity(unsigned samples_log2)
{
   return samples_log2 == 1 ? 0x02 : samples_log2 == 2 ? 0xe4 : 0x76543210;
}

/* One pixel of a tile whose samples all show fragment 0 (or the clear colour):
 * give each fragment its own copy. */
static void spread_pixel(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                         const uint8_t *color)
{
   uint8_t first[16];
   unsigned frags = 1u << t->frags_log2;
   if (!color) {
      if (t->dcc)
         touch_dcc(env, t, x, y, z, 0, false);
      const void *p = cb_ptr(env, t, x, y, z, 0);
      if (!p)
         return;
      memcpy(first, p, t->fmt->bytes);
   } else {
      memcpy(first, color, 16);
   }
   for (unsigned s = 0; s < frags; s++) {
      if (t->dcc) {
         uint8_t *key = vm_ptr(env->vm, VM_CB, surf_meta_va(t->dcc, t->dcc_va, t->level, x, y, z, s), 1, true);
         if (!key)
            return;
         *key = DCC_RAW;
      }
      void *p = cb_ptr(env, t, x, y, z, s);
      if (!p)
         return;
      memcpy(p, first, t->fmt->bytes);
   }
   if (t->fmask) {
      const uint64_t v = t->eqaa ? 0 : fmask_identity(t->samples_log2); /* 0: all show fragment 0 */
      void *p = vm_ptr(env->vm, VM_CB, t->fmask_base + surf_offset(t->fmask, 0, x, y, z, 0), t->fmask_bytes, true);
      if (p)
         memcpy(p, &v, t->fmask_bytes);
   }
}

static void touch_cmask(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z)
{
   uint64_t n = surf_meta_nibble(t->cmask, t->cmask_va, 0, x, y, z, 0);
   uint8_t *p = vm_ptr(env->vm, VM_CB, n >> 1, 1, true);
   if (!p)
      return;
   unsigned shift = (n & 1) * 4, code = *p >> shift & 0xf;
   if (code == CMASK_RAW)
      return;
   uint8_t color[16];
   bool clear = code == CMASK_CLEAR;
   if (!clear && code != CMASK_ONE_FRAG) {
      model_violation(env->report, CHECK_STATE, "CB_COLOR%u: CMASK code %u", t->index, code);
   } else if (clear || t->samples_log2) {
      register_color(t, color);
      for (uint32_t j = y & ~7u; j < (y & ~7u) + 8; j++)
         for (uint32_t i = x & ~7u; i < (x & ~7u) + 8; i++)
            spread_pixel(env, t, i, j, z, clear ? color : NULL);
   }
   *p = (*p & ~(0xf << shift)) | CMASK_RAW << shift;
}

void cb_touch_block(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z)
{
   if (t->cmask)
      touch_cmask(env, t, x, y, z);
   if (t->dcc)
      for (unsigned s = 0; s < 1u << t->frags_log2; s++)
         touch_dcc(env, t, x, y, z, s, false);
}

/* Average of all samples of target 0, into target 1. */
static void resolve_pixel(struct cb *cb, const struct model_env *env, uint32_t x, uint32_t y, uint32_t layer)
{
   struct cb_target *src = &cb->t[0], *dst = &cb->t[1];
   uint32_t mem[4], out[4] = { 0 }, zs = src->slice_start + layer, zd = dst->slice_start + layer;
   float sum[4] = { 0 };
   unsigned n = 1u << src->samples_log2, known = 0;
   uint8_t map[16];
   cb_touch(env, src, x, y, zs);
   cb_touch(env, dst, x, y, zd);
   if (src->eqaa && !cb_fmask_load(env, src, x, y, zs, map))
      return;
   for (unsigned s = 0; s < n; s++) {
      if (src->eqaa && map[s] == CB_UNKNOWN)
         continue;
      const void *p = cb_ptr(env, src, x, y, zs, src->eqaa ? map[s] : s);
      if (!p)
         return;
      known++;
      src->fmt->unpack(src->fmt, p, mem);
      if (src->is_int) {
         memcpy(out, mem, 16);
         break;
      }
      for (unsigned c = 0; c < 4; c++)
         sum[c] += fmt_u2f(mem[c]);
   }
   if (!src->is_int)
      for (unsigned c = 0; c < 4; c++)
         out[c] = fmt_f2u(sum[c] / (float)known);
   void *p = cb_ptr(env, dst, x, y, zd, 0);
   if (!p)
      return;
   uint32_t rgba[4] = { 0 }, packed[4];
   for (unsigned c = 0; c < src->fmt->num_comp; c++)
      rgba[src->swap[c]] = out[c];
   for (unsigned c = 0; c < dst->fmt->num_comp; c++)
      packed[c] = rgba[dst->swap[c]];
   dst->fmt->pack(dst->fmt, packed, p, false);
}

void cb_special(struct cb *cb, const struct model_env *env, const struct msg_ps_quads *q)
{
   if (cb->mode == CB_RESOLVE && (!cb->t[0].bound || !cb->t[1].bound)) {
      model_violation(env->report, CHECK_STATE, "CB_RESOLVE without two colour targets");
      return;
   }
   for (unsigned l = 0; l < 4 * q->num_quads; l++) {
      if (!q->coverage[l])
         continue;
      uint32_t x = q->x[l / 4] + (l & 1), y = q->y[l / 4] + (l >> 1 & 1), layer = q->layer[l / 4];
      if (cb->mode == CB_RESOLVE) {
         if (x < cb->t[0].width && y < cb->t[0].height && x < cb->t[1].width && y < cb->t[1].height)
            resolve_pixel(cb, env, x, y, layer);
      } else {
         for (unsigned i = 0; i < cb->num; i++) {
            struct cb_target *t = &cb->t[i];
            uint32_t z = t->slice_start + layer;
            if (!t->bound || x >= t->width || y >= t->height || z > t->slice_max || !cb_new_block(t, x, y, z))
               continue;
            if (t->cmask)
               touch_cmask(env, t, x, y, z);
            if (t->dcc) /* an elimination leaves the codes that textures understand */
               for (unsigned s = 0; s < 1u << t->frags_log2; s++)
                  touch_dcc(env, t, x, y, z, s, cb->mode != CB_DCC_DECOMPRESS);
         }
      }
      if (model_failed(env->report))
         return;
   }
}
