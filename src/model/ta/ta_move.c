/* SPDX-License-Identifier: MIT */
/* Loads and stores of whole waves, as copies and clears by shaders do them: one
 * sample, no compression, no packing into halves. Addresses come first, level
 * and row shared by neighbouring lanes; bytes are converted for all lanes at
 * once. Everything else takes the way of ta_image.c, lane by lane; results are
 * the same. */
#include <string.h>
#include "clones.h"
#include "ta_internal.h"

#define FEW 4 /* lanes: not worth it */

static bool fits(const struct ta_ctx *c, const struct ta_image_op *op, bool mip)
{
   const struct ta_tex *t = c->t;
   return t->dims >= 2 && !t->msaa && !t->dcc && !t->htile && (t->path == TEX_RGBA8 || t->path == TEX_FMT) &&
          t->step == 1 && !t->fmt->pair && op->inst->dmask && !op->inst->d16 && !op->inst->tfe && !op->inst->lwe &&
          op->num_addr >= ta_num_coords(t, op->inst->da) + mip && __builtin_popcountll(op->exec) >= FEW;
}

static bool is_unorm8x4(const struct fmt *f)
{
   for (unsigned i = 0; i < 4; i++)
      if (f->bits[i] != 8 || f->shift[i] != 8 * i || f->num[i] != FMT_UNORM)
         return false;
   return f->num_comp == 4 && f->bytes == 4;
}

/* Where the lanes' texels lie; NULL outside of the image. Returns the lanes
 * before the first one that faults. */
static uint64_t places(struct ta_ctx *c, const struct ta_image_op *op, bool mip, bool write, uint8_t *at[64])
{
   const struct ta_tex *t = c->t;
   const unsigned bytes = t->fmt->bytes;
   const bool volume = t->dims == 3, layered = t->array || t->cube;
   const uint32_t *xs = op->addr[0], *ys = op->addr[1], *zs = volume || (layered && (t->cube || op->inst->da)) ? op->addr[2] : NULL;
   const uint32_t *lods = mip ? op->addr[ta_num_coords(t, op->inst->da)] : NULL;
   const uint32_t layers = t->last_layer - t->first_layer + 1;
   uint32_t lod = 0, width = ta_level_size(t->width, t->base_level), height = ta_level_size(t->height, t->base_level);
   uint32_t depth = volume ? ta_level_size(t->depth, t->base_level) : layers, row_y = 0, row_z = 0;
   struct surf_row row = { 0 };
   bool have = false;

   for (uint64_t e = op->exec; e; e &= e - 1) {
      const unsigned lane = __builtin_ctzll(e);
      const uint32_t x = xs[lane], y = ys[lane], z = zs ? zs[lane] : 0;
      at[lane] = NULL;
      if (lods && lods[lane] != lod) {
         lod = lods[lane];
         const bool exists = lod <= (uint32_t)(t->last_level - t->base_level);
         const unsigned level = t->base_level + (exists ? lod : 0);
         width = exists ? ta_level_size(t->width, level) : 0;
         height = ta_level_size(t->height, level);
         depth = volume ? ta_level_size(t->depth, level) : layers;
         have = false;
      }
      if (x >= width || y >= height || z >= depth)
         continue;
      if (!have || y != row_y || z != row_z)
         row = surf_row(t->l, t->base_level + lod, y, t->first_layer + z, 0);
      have = true;
      row_y = y;
      row_z = z;
      const uint64_t off = surf_at(t->l, row, x);
      at[lane] = off + bytes <= c->avail ? (uint8_t *)c->host + off : ta_slow_ptr(c, off, bytes, write);
      if (!at[lane] && write)
         return op->exec & ((1ull << lane) - 1);
   }
   return op->exec;
}

MODEL_CLONES static void from_unorm8(const uint32_t raw[64], unsigned shift, uint32_t out[64])
{
   for (unsigned l = 0; l < 64; l++)
      out[l] = fmt_f2u((float)(int32_t)(raw[l] >> shift & 0xff) / 255.0f);
}

/* As fmt.pack does it; NaN gives 0. */
MODEL_CLONES static void to_unorm8(const uint32_t in[64], unsigned shift, uint32_t out[64])
{
   for (unsigned l = 0; l < 64; l++) {
      float x = fmt_u2f(in[l]);
      x = x > 0.0f ? x : 0.0f;
      x = x < 1.0f ? x : 1.0f;
      out[l] |= (uint32_t)(int32_t)((double)x * 255 + 0.5) << shift;
   }
}

bool ta_load_plain(struct ta_ctx *c, const struct ta_image_op *op, bool mip)
{
   const struct ta_tex *t = c->t;
   const unsigned dmask = op->inst->dmask;
   uint32_t raw[64] = { 0 }, mem[4][64] = { { 0 } }, active[64];
   uint8_t *at[64];

   if (!fits(c, op, mip) || op->num_result < (unsigned)__builtin_popcount(dmask))
      return false;
   places(c, op, mip, false, at);
   if (t->path == TEX_RGBA8 && t->lut[1] == 1 / 255.0f) {
      for (uint64_t e = op->exec; e; e &= e - 1) {
         const unsigned lane = __builtin_ctzll(e);
         if (at[lane])
            memcpy(&raw[lane], at[lane], 4);
      }
      for (unsigned i = 0; i < 4; i++)
         from_unorm8(raw, 8 * i, mem[i]);
   } else {
      for (uint64_t e = op->exec; e; e &= e - 1) {
         const unsigned lane = __builtin_ctzll(e);
         const uint8_t *p = at[lane];
         uint32_t texel[4] = { 0 };
         if (p && t->path == TEX_RGBA8) {
            for (unsigned i = 0; i < 4; i++)
               texel[i] = fmt_f2u(i < 3 ? t->lut[p[i]] : p[i] / 255.0f);
         } else if (p) {
            t->fmt->unpack(t->fmt, p, texel);
         }
         for (unsigned i = 0; i < 4; i++)
            mem[i][lane] = texel[i];
      }
   }
   const uint32_t one = t->fmt->is_int ? 1 : 0x3f800000;
   unsigned n = 0;
   for (unsigned l = 0; l < 64; l++)
      active[l] = 0u - (uint32_t)(op->exec >> l & 1);
   for (unsigned i = 0; i < 4; i++) {
      if (!(dmask >> i & 1))
         continue;
      uint32_t *to = op->result[n++];
      const uint8_t sel = t->sel[i];
      const uint32_t constant = sel == 1 ? one : 0;
      for (unsigned l = 0; l < 64; l++)
         to[l] = ((sel >= 4 ? mem[sel - 4][l] : constant) & active[l]) | (to[l] & ~active[l]);
   }
   return true;
}

bool ta_store_plain(struct ta_ctx *c, const struct ta_image_op *op, bool mip)
{
   const struct ta_tex *t = c->t;
   const struct fmt *f = t->fmt;
   static const uint32_t none[64];
   const uint32_t *mem[4] = { none, none, none, none };
   uint8_t *at[64];

   if (!fits(c, op, mip) || op->inst->dmask != 15 || !op->data[0] || !op->data[1] || !op->data[2] || !op->data[3])
      return false;
   const uint64_t lanes = places(c, op, mip, true, at);
   for (unsigned i = 0; i < 4; i++)
      if (t->sel[i] >= 4)
         mem[t->sel[i] - 4] = op->data[i];
   if (is_unorm8x4(f)) {
      uint32_t packed[64] = { 0 };
      for (unsigned i = 0; i < 4; i++)
         to_unorm8(mem[i], 8 * i, packed);
      for (uint64_t e = lanes; e; e &= e - 1) {
         const unsigned lane = __builtin_ctzll(e);
         if (!at[lane])
            continue;
         memcpy(at[lane], &packed[lane], 4);
         c->env->stats->written[VM_TC] += 4;
      }
      return true;
   }
   for (uint64_t e = lanes; e; e &= e - 1) {
      const unsigned lane = __builtin_ctzll(e);
      const uint32_t texel[4] = { mem[0][lane], mem[1][lane], mem[2][lane], mem[3][lane] };
      if (!at[lane])
         continue;
      f->pack(f, texel, at[lane], false);
      c->env->stats->written[VM_TC] += f->bytes;
   }
   return true;
}
