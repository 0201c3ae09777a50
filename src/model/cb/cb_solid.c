/* SPDX-License-Identifier: MIT */
/* Tiles of one colour: what the general path stored for the first tile of 8x8
 * pixels is stored for others as it is. Only for targets where a pixel does not
 * depend on what was there. */
#include <string.h>
#include "cb_internal.h"

#define TILE 8

static bool takes(const struct cb_target *t)
{
   return t->enabled && t->bound;
}

bool cb_solid_possible(const struct cb *cb)
{
   bool any = false;

   if (cb->mode != CB_NORMAL || cb->dual_source)
      return false;
   for (unsigned i = 0; i < cb->num; i++) {
      const struct cb_target *t = &cb->t[i];
      if (!takes(t))
         continue;
      any = true;
      if (t->samples_log2 || t->blend.enable || t->rop || !t->full_mask || !t->export_fmt || t->avail < t->l->size)
         return false;
   }
   return any;
}

static uint32_t slice_of(const struct cb_target *t, unsigned layer)
{
   const uint32_t z = t->slice_start + layer;
   return z > t->slice_max ? t->slice_max : z;
}

bool cb_solid_inside(const struct cb *cb, uint32_t x, uint32_t y)
{
   for (unsigned i = 0; i < cb->num; i++)
      if (takes(&cb->t[i]) && (x + TILE > cb->t[i].width || y + TILE > cb->t[i].height))
         return false;
   return true;
}

bool cb_solid_take(struct cb *cb, uint32_t x, uint32_t y, unsigned layer)
{
   for (unsigned i = 0; i < cb->num; i++) {
      struct cb_target *t = &cb->t[i];
      const unsigned bytes = t->fmt ? t->fmt->bytes : 0;
      if (!takes(t))
         continue;
      const uint32_t z = slice_of(t, layer);
      const uint8_t *first = t->host + surf_offset(t->l, t->level, x, y, z, 0);
      for (unsigned n = 1; n < TILE * TILE; n++) {
         const uint64_t off = surf_offset(t->l, t->level, x + n % TILE, y + n / TILE, z, 0);
         if (memcmp(first, t->host + off, bytes))
            return false;
      }
      for (unsigned n = 0; n < 16; n += bytes)
         memcpy(t->solid + n, first, bytes);
      /* A tile that fills a piece of memory, in whatever order. */
      uint32_t reach = 0;
      for (unsigned n = 0; n < TILE; n++)
         reach |= t->l->px[n] | t->l->py[n];
      t->solid_whole = !t->l->p->linear && reach == TILE * TILE * bytes - bytes && t->l->bw_log2 >= 3 && t->l->bh_log2 >= 3;
   }
   return true;
}

static inline __attribute__((always_inline)) void fill_rows(const struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                                                            unsigned bytes)
{
   for (unsigned j = 0; j < TILE; j++) {
      const struct surf_row row = surf_row(t->l, t->level, y + j, z, 0);
      for (unsigned i = 0; i < TILE; i++)
         memcpy(t->host + surf_at(t->l, row, x + i), t->solid, bytes);
   }
}

static void fill(const struct cb_target *t, uint32_t x, uint32_t y, uint32_t z)
{
   const unsigned bytes = t->fmt->bytes;

   if (t->solid_whole) {
      const uint64_t size = TILE * TILE * (uint64_t)bytes;
      uint8_t *p = t->host + (surf_offset(t->l, t->level, x, y, z, 0) & ~(size - 1));
      for (unsigned n = 0; n < size; n += 16)
         memcpy(p + n, t->solid, 16);
      return;
   }
   switch (bytes) {
   case 1: fill_rows(t, x, y, z, 1); break;
   case 2: fill_rows(t, x, y, z, 2); break;
   case 4: fill_rows(t, x, y, z, 4); break;
   case 8: fill_rows(t, x, y, z, 8); break;
   default: fill_rows(t, x, y, z, 16); break;
   }
}

void cb_solid_tile(struct cb *cb, const struct model_env *env, uint32_t x, uint32_t y, unsigned layer)
{
   for (unsigned i = 0; i < cb->num; i++) {
      struct cb_target *t = &cb->t[i];
      if (!takes(t))
         continue;
      const uint32_t z = slice_of(t, layer);
      if (t->dcc || t->cmask) {
         const unsigned w = 1u << (t->touch_w < 3 ? t->touch_w : 3), h = 1u << (t->touch_h < 3 ? t->touch_h : 3);
         for (unsigned j = 0; j < TILE; j += h)
            for (unsigned k = 0; k < TILE; k += w)
               cb_touch(env, t, x + k, y + j, z);
      }
      fill(t, x, y, z);
   }
}
