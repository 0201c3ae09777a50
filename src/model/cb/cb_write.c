/* SPDX-License-Identifier: MIT */
/* Pixels into memory: export formats (SPI_SHADER_COL_FORMAT), blending, logic
 * operations, component swap, masks and rounding. */
#include <string.h>
#include "cb_internal.h"

void *cb_slow_ptr(const struct model_env *env, struct cb_target *t, uint64_t off)
{
   return vm_ptr(env->vm, VM_CB, t->base + off, t->fmt->bytes, true);
}

/* One lane's colour as the shader exported it: floats' bits or integers. */
static void export_color(const struct cb_target *t, const uint32_t (*src)[64], unsigned lane, uint32_t out[4])
{
   uint32_t lo, hi;
   out[0] = out[1] = out[2] = out[3] = 0;
   switch (t->export_fmt) {
   case 0: return;
   case 1: out[0] = src[0][lane]; return;
   case 2:
      out[0] = src[0][lane];
      out[1] = src[1][lane];
      return;
   case 3:
      out[0] = src[0][lane];
      out[3] = src[3][lane];
      return;
   case 9:
      for (unsigned c = 0; c < 4; c++)
         out[c] = src[c][lane];
      return;
   }
   lo = src[0][lane];
   hi = src[1][lane];
   const uint16_t h[4] = { lo, lo >> 16, hi, hi >> 16 };
   for (unsigned c = 0; c < 4; c++)
      switch (t->export_fmt) {
      case 4: out[c] = fmt_f2u(fmt_half_to_float(h[c])); break;
      case 5: out[c] = fmt_f2u(h[c] / 65535.0f); break;
      case 6: {
         float v = (int16_t)h[c] / 32767.0f;
         out[c] = fmt_f2u(v < -1.0f ? -1.0f : v);
         break;
      }
      case 7: out[c] = h[c]; break;
      case 8: out[c] = (uint32_t)(int32_t)(int16_t)h[c]; break;
      }
}

static void read_dst(const struct cb_target *t, const void *p, float dst[4])
{
   uint32_t mem[4];
   t->fmt->unpack(t->fmt, p, mem);
   dst[0] = dst[1] = dst[2] = 0.0f;
   dst[3] = 1.0f;
   for (unsigned c = 0; c < t->fmt->num_comp; c++)
      dst[t->swap[c]] = fmt_u2f(mem[c]);
   if (t->force_dst_alpha_1)
      dst[3] = 1.0f;
}

/* Bits of an element that the write mask lets through. */
static void element_mask(const struct cb_target *t, uint32_t m[4])
{
   memset(m, 0, 16);
   for (unsigned c = 0; c < t->fmt->num_comp; c++)
      if (t->mem_mask >> c & 1)
         m[t->fmt->shift[c] >> 5] |= (0xffffffffu >> (32 - t->fmt->bits[c])) << (t->fmt->shift[c] & 31);
}

static uint32_t rop(uint8_t code, uint32_t s, uint32_t d)
{
   return (code & 1 ? ~s & ~d : 0) | (code & 2 ? ~s & d : 0) | (code & 4 ? s & ~d : 0) | (code & 8 ? s & d : 0);
}

void cb_write_element(const struct cb *cb, const struct cb_target *t, void *p, const uint32_t color[4],
                      const uint32_t color1[4])
{
   uint32_t mem[4] = { 0 }, rgba[4];
   const uint32_t *c4 = color;
   if (t->blend.enable) {
      float dst[4], out[4], s0[4], s1[4];
      read_dst(t, p, dst);
      memcpy(s0, color, 16);
      memcpy(s1, color1, 16);
      cb_blend(cb, t, s0, s1, dst, out);
      memcpy(rgba, out, 16);
      c4 = rgba;
   }
   for (unsigned c = 0; c < t->fmt->num_comp; c++)
      mem[c] = c4[t->swap[c]];
   if (t->full_mask && !t->rop) {
      t->fmt->pack(t->fmt, mem, p, t->truncate);
      return;
   }
   uint32_t packed[4] = { 0 }, old[4] = { 0 }, m[4];
   t->fmt->pack(t->fmt, mem, packed, t->truncate);
   memcpy(old, p, t->fmt->bytes);
   element_mask(t, m);
   for (unsigned i = 0; i < 4; i++) {
      uint32_t v = t->rop ? rop(cb->rop3, packed[i], old[i]) : packed[i];
      old[i] = (old[i] & ~m[i]) | (v & m[i]);
   }
   memcpy(p, old, t->fmt->bytes);
}

/* Half exports to bytes, no blending: four table reads a pixel. */
static inline void write_bytes(const struct cb_target *t, uint8_t *p, const uint32_t (*src)[64], unsigned lane)
{
   uint32_t lo = src[0][lane], hi = src[1][lane];
   const uint16_t h[4] = { lo, lo >> 16, hi, hi >> 16 };
   for (unsigned c = 0; c < t->fmt->num_comp; c++) {
      if (!(t->mem_mask >> c & 1))
         continue;
      unsigned k = t->swap[c];
      p[c] = (c == 3 ? t->half_lut_alpha : t->half_lut)[h[k]];
   }
}

void cb_outside(const struct model_env *env, const struct cb_target *t, uint32_t x, uint32_t y)
{
   model_violation(env->report, CHECK_SURFACE, "pixel (%d,%d) outside of colour target %u (%ux%u)", (int)x, (int)y,
                   t->index, t->width, t->height);
}

/* Copies of depth and stencil (DB_RENDER_CONTROL.*_COPY): depth is red, stencil
 * is green, whatever the shader exports. */
static void write_from_db(struct cb *cb, const struct model_env *env, struct cb_target *t,
                          const struct msg_ps_quads *q)
{
   struct cb_target plain = *t;
   bool stencil_is_int = t->is_int;
   plain.blend.enable = false;
   for (unsigned c = 0; c < t->fmt->num_comp; c++)
      if (t->swap[c] == 1)
         stencil_is_int = t->fmt->num[c] == FMT_UINT || t->fmt->num[c] == FMT_SINT;
   for (unsigned lane = 0; lane < 4 * q->num_quads; lane++) {
      uint32_t x = q->x[lane / 4] + (lane & 1), y = q->y[lane / 4] + (lane >> 1 & 1);
      uint32_t z = t->slice_start + q->layer[lane / 4], color[4] = { q->color[0][0][lane], q->color[0][1][lane] };
      z = z > t->slice_max ? t->slice_max : z;
      if (!q->coverage[lane] || x >= t->width || y >= t->height)
         continue;
      if (t->dcc || t->cmask)
         cb_touch(env, t, x, y, z);
      if (!stencil_is_int)
         color[1] = fmt_f2u(color[1] / 255.0f);
      for (unsigned s = 0; s < 1u << t->frags_log2; s++) {
         void *p = q->coverage[lane] >> s & 1 ? cb_ptr(env, t, x, y, z, s) : NULL;
         if (p)
            cb_write_element(cb, &plain, p, color, color);
      }
   }
}

static void write_target(struct cb *cb, const struct model_env *env, struct cb_target *t,
                         const struct msg_ps_quads *q)
{
   const uint32_t (*src)[64] = q->color[t->export];
   const uint32_t (*src1)[64] = cb->dual_source ? q->color[1] : NULL;
   unsigned samples = 1u << t->samples_log2;
   if (q->from_db) {
      write_from_db(cb, env, t, q);
      return;
   }
   if (!src || !t->export_fmt)
      return;
   if (t->export_fmt >= 4 && t->export_fmt <= 8 && !q->color_compr[t->export]) {
      model_violation(env->report, CHECK_STATE,
                      "target %u: export without COMPR, but SPI_SHADER_COL_FORMAT %u packs halves", t->index,
                      t->export_fmt);
      return;
   }
   if (t->half_lut && samples == 1 && t->full_mask && t->fmt->num_comp == 4) {
      cb_write_rgba8(env, t, q, src);
      return;
   }
   bool meta = t->dcc || t->cmask;
   for (unsigned i = 0; i < q->num_quads; i++) {
      uint32_t z = t->slice_start + q->layer[i];
      if (z > t->slice_max) /* a layer that the view has not: the last one */
         z = t->slice_max;
      for (unsigned k = 0; k < 4; k++) {
         unsigned lane = 4 * i + k, cover = q->coverage[lane] & ((1u << samples) - 1);
         if (!cover)
            continue;
         uint32_t x = q->x[i] + (k & 1), y = q->y[i] + (k >> 1);
         if (x >= t->width || y >= t->height) {
            cb_outside(env, t, x, y);
            continue;
         }
         if (meta)
            cb_touch(env, t, x, y, z);
         if (t->half_lut && samples == 1) {
            uint8_t *p = cb_ptr(env, t, x, y, z, 0);
            if (!p)
               return;
            write_bytes(t, p, src, lane);
            continue;
         }
         uint32_t color[4], color1[4] = { 0 };
         export_color(t, src, lane, color);
         if (src1) {
            struct cb_target second = *t;
            second.export_fmt = cb->second_fmt;
            export_color(&second, src1, lane, color1);
         }
         if (t->eqaa) {
            cb_fmask_write(cb, env, t, x, y, z, cover, color, color1);
            continue;
         }
         for (unsigned s = 0; s < samples; s++) {
            if (!(cover >> s & 1))
               continue;
            void *p = cb_ptr(env, t, x, y, z, s);
            if (!p)
               return;
            cb_write_element(cb, t, p, color, color1);
         }
      }
   }
}

void cb_write(struct cb *cb, const struct model_env *env, const struct msg_ps_quads *quads)
{
   if (cb->mode == CB_DISABLE)
      return;
   if (cb->mode != CB_NORMAL) {
      cb_special(cb, env, quads);
      return;
   }
   unsigned samples = 0;
   for (unsigned i = 0; i < quads->num_quads; i++) {
      uint64_t four;
      memcpy(&four, &quads->coverage[4 * i], 8);
      samples += (unsigned)__builtin_popcountll(four);
   }
   for (unsigned i = 0; i < cb->num; i++) {
      struct cb_target *t = &cb->t[i];
      if (!t->enabled || !t->bound)
         continue;
      if (cb->dual_source && i > 0) /* its colour is the second source */
         continue;
      write_target(cb, env, t, quads);
      env->stats->written[VM_CB] += (uint64_t)samples * t->fmt->bytes;
      env->stats->read[VM_CB] += t->reads_dst ? (uint64_t)samples * t->fmt->bytes : 0;
      if (model_failed(env->report))
         return;
   }
}
