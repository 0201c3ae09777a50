/* SPDX-License-Identifier: MIT */
/* Reading one texel: address, compression metadata (DCC keys, HTILE), format. */
#include <string.h>
#include "ta_internal.h"

void *ta_slow_ptr(struct ta_ctx *c, uint64_t offset, unsigned bytes, bool write)
{
   if (c->faulted)
      return NULL;
   if (vm_is_prt(c->env->vm, VM_TC, c->t->base + offset))
      c->absent = true;
   void *p = vm_ptr(c->env->vm, VM_TC, c->t->base + offset, bytes, write);
   if (!p) {
      const uint32_t *k = c->t->key;
      c->faulted = true;
      model_violation(c->env->report, CHECK_DESCRIPTOR,
                      "texel at offset 0x%llx is not mapped; T# %08x %08x %08x %08x %08x %08x %08x %08x (%s %ux%u)",
                      (unsigned long long)offset, k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7],
                      c->t->fmt->name, c->t->width, c->t->height);
   }
   return p;
}

/* Clear codes of DCC keys. */
enum { DCC_0000 = 0x00, DCC_REG = 0x20, DCC_0001 = 0x40, DCC_1110 = 0x80, DCC_1111 = 0xc0, DCC_RAW = 0xff };

/* True when the key says it all and `out` is the texel. */
static bool dcc_texel(struct ta_ctx *c, unsigned level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
                      uint32_t out[4])
{
   const struct ta_tex *t = c->t;
   uint64_t va = surf_meta_va(t->dcc, t->meta_va, level, x, y, z, sample);
   if (va != c->meta_probe) {
      uint8_t key = DCC_RAW;
      const uint8_t *p = vm_ptr(c->env->vm, VM_TC, va, 1, false);
      if (p)
         key = *p;
      c->meta_probe = va;
      c->meta_code = key;
   }
   int key = c->meta_code;
   if (key == DCC_RAW)
      return false;
   if (key == DCC_REG) {
      model_violation(c->env->report, CHECK_STATE,
                      "texture fetch from a block cleared to CB_COLOR_CLEAR_WORD: it needs a fast clear elimination");
      return false;
   }
   if (key & 0x3f) {
      model_violation(c->env->report, CHECK_STATE, "DCC key 0x%02x at 0x%llx: neither raw nor a clear code", key,
                      (unsigned long long)va);
      return false;
   }
   const struct fmt *f = t->fmt;
   bool color_one = key & 0x80, alpha_one = key & 0x40;
   unsigned alpha = t->alpha_is_on_msb ? f->num_comp - 1 : 0;
   out[0] = out[1] = out[2] = 0;
   out[3] = f->is_int ? 1 : 0x3f800000;
   for (unsigned i = 0; i < f->num_comp; i++) {
      bool one = i == alpha && f->num_comp > 1 ? alpha_one : f->num_comp == 1 ? color_one || alpha_one : color_one;
      uint32_t max = f->num[i] == FMT_UINT ? 0xffffffffu >> (32 - f->bits[i])
                     : f->num[i] == FMT_SINT ? 0x7fffffffu >> (32 - f->bits[i]) : 0x3f800000;
      out[i] = one ? max : 0;
   }
   return true;
}

/* A cleared 8x8 tile of a depth buffer whose HTILE the texture unit reads. */
static bool htile_texel(struct ta_ctx *c, unsigned level, uint32_t x, uint32_t y, uint32_t z, uint32_t out[4])
{
   const struct ta_tex *t = c->t;
   uint64_t va = surf_meta_va(t->htile, t->meta_va, level, x, y, z, 0);
   const uint32_t *p = vm_ptr(c->env->vm, VM_TC, va, 4, false);
   if (!p)
      return false;
   bool stencil = t->fmt->bits[0] == 8;
   if (stencil) {
      if ((*p >> 8 & 3) != 0) /* SMEM: 0 is cleared */
         return false;
      out[0] = out[1] = out[2] = 0;
      out[3] = 1;
      return true;
   }
   if (*p & 0xf) /* ZMASK: 0 is cleared, 15 is expanded */
      return false;
   uint32_t max = *p >> 18;
   out[0] = max == 0x3fff ? 0x3f800000 : 0;
   out[1] = out[2] = 0;
   out[3] = 0x3f800000;
   if (max != 0 && max != 0x3fff)
      model_violation(c->env->report, CHECK_STATE,
                      "texture fetch from a depth tile cleared to neither 0 nor 1 (HTILE 0x%08x)", *p);
   return true;
}

void ta_fetch(struct ta_ctx *c, unsigned level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
              uint32_t out[4])
{
   const struct ta_tex *t = c->t;
   const struct fmt *f = t->fmt;
   if (t->dcc && dcc_texel(c, level, x, y, z, sample, out))
      return;
   if (t->htile && htile_texel(c, level, x, y, z, out))
      return;
   const uint32_t element = (x >> (f->pair ? 1 : f->block_log2)) * t->step;
   const uint8_t *p = ta_texel_ptr(c, level, element, y >> f->block_log2, z, sample);
   if (!p) {
      memset(out, 0, 16);
      return;
   }
   switch (t->path) {
   case TEX_RGBA8:
      out[0] = fmt_f2u(t->lut[p[0]]);
      out[1] = fmt_f2u(t->lut[p[1]]);
      out[2] = fmt_f2u(t->lut[p[2]]);
      out[3] = fmt_f2u(p[3] / 255.0f);
      break;
   case TEX_FMT: f->unpack(f, p, out); break;
   case TEX_BLOCK: f->texel(f, p, x & 3, y & 3, out); break;
   case TEX_FMASK: {
      /* Four bits for each sample, whatever memory holds. */
      uint64_t v = 0, r = 0;
      memcpy(&v, p, f->bytes);
      for (unsigned s = 0; s < f->fmask_samples; s++) {
         const uint64_t frag = v >> (s * f->fmask_bits) & ((1u << f->fmask_bits) - 1);
         r |= (frag < f->fmask_frags ? frag : 8) << (4 * s);
      }
      out[0] = (uint32_t)r;
      out[1] = r >> 32;
      out[2] = out[3] = 0;
      break;
   }
   case TEX_ZERO: memset(out, 0, 16); break;
   }
}
