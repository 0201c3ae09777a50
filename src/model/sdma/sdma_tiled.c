/* SPDX-License-Identifier: MIT */
/* SDMA 4.x: copies of boxes between tiled and linear surfaces and between two
 * tiled ones. All sizes and positions are in elements (blocks of compressed
 * formats) and sizes are stored minus one. Compression is not known to this
 * engine. */
#include "sdma_internal.h"
#include "surf/surf.h"

#include <string.h>

/* One side of a copy: where an element of it lies. */
struct side {
   const struct surf_layout *l; /* NULL: linear with these pitches */
   uint64_t base, pitch, slice; /* bytes */
   unsigned level;
   uint32_t x, y, z, width, height, depth;
   uint8_t *host;
   uint64_t avail;
};

static bool open_side(struct sdma *s, struct side *t, uint64_t va, uint32_t format, unsigned max_mip, bool write)
{
   struct surf_desc d = {
      .bytes_log2 = format & 7, .swizzle_mode = format >> 3 & 31, .resource_type = format >> 9 & 3,
      .epitch = format >> 16, .num_levels = max_mip + 1, .width = t->width, .height = t->height, .depth = t->depth,
   };
   t->base = surf_split_base(d.swizzle_mode, va, &d.pipe_bank_xor);
   t->l = d.bytes_log2 > 4 || d.resource_type > 2 || t->level > max_mip ? NULL : surf_layout_get(s->env->addrlib, &d);
   if (!t->l) {
      model_violation(s->report, CHECK_PACKET, "SDMA: no such surface (swizzle mode %u, element size %u, %ux%ux%u, level %u of %u)",
                      d.swizzle_mode, d.bytes_log2, d.width, d.height, d.depth, t->level, d.num_levels);
      return false;
   }
   if (t->l->epitch_mismatch)
      model_violation(s->report, CHECK_PACKET, "SDMA: EPITCH %u does not follow from size and levels", d.epitch);
   t->host = vm_probe(s->env->vm, VM_SDMA, t->base, write, &t->avail);
   if (!t->host)
      t->avail = 0;
   return true;
}

/* Bytes of a side that a row of the box starts from. */
static inline uint64_t linear_offset(const struct side *t, uint32_t y, uint32_t z)
{
   return (t->z + z) * t->slice + (t->y + y) * t->pitch;
}

static uint8_t *element(struct sdma *s, const struct side *t, const struct surf_row *row, uint64_t line, uint32_t x,
                        unsigned bytes, bool write)
{
   uint64_t off = t->l ? surf_at(t->l, *row, t->x + x) : line + (uint64_t)(t->x + x) * bytes;

   return off + bytes <= t->avail ? t->host + off : vm_ptr(s->env->vm, VM_SDMA, t->base + off, bytes, write);
}

static bool inside(struct sdma *s, const struct side *t, uint32_t w, uint32_t h, uint32_t d)
{
   const struct surf_level *lv = t->l ? &t->l->level[t->level] : NULL;

   if (!lv || (t->x + w <= lv->width && t->y + h <= lv->height && t->z + d <= lv->depth))
      return true;
   model_violation(s->report, CHECK_PACKET, "SDMA: box %u,%u,%u + %ux%ux%u leaves the surface of %ux%ux%u", t->x, t->y,
                   t->z, w, h, d, lv->width, lv->height, lv->depth);
   return false;
}

static void copy_box(struct sdma *s, const struct side *dst, const struct side *src, unsigned bytes, uint32_t w,
                     uint32_t h, uint32_t d)
{
   if (!inside(s, dst, w, h, d) || !inside(s, src, w, h, d))
      return;
   for (uint32_t z = 0; z < d; z++) {
      for (uint32_t y = 0; y < h; y++) {
         struct surf_row from = { 0 }, to = { 0 };
         const uint64_t from_line = src->l ? 0 : linear_offset(src, y, z), to_line = dst->l ? 0 : linear_offset(dst, y, z);

         if (src->l)
            from = surf_row(src->l, src->level, src->y + y, src->z + z, 0);
         if (dst->l)
            to = surf_row(dst->l, dst->level, dst->y + y, dst->z + z, 0);
         for (uint32_t x = 0; x < w; x++) {
            const uint8_t *a = element(s, src, &from, from_line, x, bytes, false);
            uint8_t *b = a ? element(s, dst, &to, to_line, x, bytes, true) : NULL;

            if (!b)
               return;
            memcpy(b, a, bytes);
         }
      }
   }
   s->env->stats->read[VM_SDMA] += (uint64_t)w * h * d * bytes;
   s->env->stats->written[VM_SDMA] += (uint64_t)w * h * d * bytes;
}

void sdma_copy_tiled(struct sdma *s, const uint32_t b[14])
{
   const bool detile = b[0] >> 31;
   const unsigned bytes = 1u << (b[6] & 7);
   struct side tiled = {
      .level = b[0] >> 24 & 15, .x = b[3] & 0x3fff, .y = b[3] >> 16 & 0x3fff, .z = b[4] & 0x7ff,
      .width = (b[4] >> 16 & 0x3fff) + 1, .height = (b[5] & 0x3fff) + 1, .depth = (b[5] >> 16 & 0x7ff) + 1,
   };
   struct side linear = {
      .base = SDMA_LO_HI(b[7], b[8]), .x = b[9] & 0x3fff, .y = b[9] >> 16 & 0x3fff, .z = b[10] & 0x7ff,
      .pitch = ((b[10] >> 16 & 0x3fff) + 1ull) * bytes, .slice = ((b[11] & 0xfffffff) + 1ull) * bytes,
   };
   const uint32_t w = (b[12] & 0x3fff) + 1, h = (b[12] >> 16 & 0x3fff) + 1, d = (b[13] & 0x7ff) + 1;

   if (!open_side(s, &tiled, SDMA_LO_HI(b[1], b[2]), b[6], b[0] >> 20 & 15, !detile))
      return;
   linear.host = vm_probe(s->env->vm, VM_SDMA, linear.base, detile, &linear.avail);
   if (!linear.host)
      linear.avail = 0;
   if (detile)
      copy_box(s, &linear, &tiled, bytes, w, h, d);
   else
      copy_box(s, &tiled, &linear, bytes, w, h, d);
}

void sdma_copy_t2t(struct sdma *s, const uint32_t b[15])
{
   struct side side[2];

   for (unsigned i = 0; i < 2; i++) { /* source, destination */
      const uint32_t *f = b + 1 + 6 * i;

      side[i] = (struct side) {
         .x = f[2] & 0x3fff, .y = f[2] >> 16 & 0x3fff, .z = f[3] & 0x7ff, .width = (f[3] >> 16 & 0x3fff) + 1,
         .height = (f[4] & 0x3fff) + 1, .depth = (f[4] >> 16 & 0x7ff) + 1,
      };
      if (!open_side(s, &side[i], SDMA_LO_HI(f[0], f[1]), f[5], b[0] >> 20 & 15, i))
         return;
   }
   if ((b[6] & 7) != (b[12] & 7)) {
      model_violation(s->report, CHECK_PACKET, "SDMA: tiled copy between elements of %u and %u bytes", 1u << (b[6] & 7),
                      1u << (b[12] & 7));
      return;
   }
   copy_box(s, &side[1], &side[0], 1u << (b[6] & 7), (b[13] & 0x3fff) + 1, (b[13] >> 16 & 0x3fff) + 1,
            (b[14] & 0x7ff) + 1);
}
