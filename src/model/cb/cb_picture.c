/* SPDX-License-Identifier: MIT */
/* A colour target as a picture, after a draw. */
#include "cb_internal.h"

#include <stdio.h>
#include <string.h>

#include "obs/picture.h"

/* Fast-cleared blocks get real contents first, as any later access would do. */
static void read_pixel(const struct model_env *env, struct cb_target *t, uint32_t x, uint32_t y, uint32_t z,
                       float out[4])
{
   uint32_t v[4];
   if (t->dcc || t->cmask)
      cb_touch(env, t, x, y, z);
   const void *p = cb_ptr(env, t, x, y, z, 0);
   if (!p)
      return;
   t->fmt->unpack(t->fmt, p, v);
   for (unsigned c = 0; c < t->fmt->num_comp && c < 4; c++) {
      const unsigned to = t->swap[c] & 3;
      out[to] = t->fmt->is_int ? t->fmt->num[c] == FMT_SINT ? (float)(int32_t)v[c] : (float)v[c] : fmt_u2f(v[c]);
   }
}

bool cb_picture(struct cb *cb, const struct model_env *env, unsigned index, struct picture *p)
{
   struct cb_target *t = &cb->t[index];
   unsigned layer_height, layers;
   if (index >= cb->num || !t->bound)
      return false;
   layers = t->slice_max - t->slice_start + 1;
   layers = layers > 6 ? 6 : layers;
   if (!picture_alloc(p, t->width, t->height, layers, &layer_height))
      return false;
   snprintf(p->note, sizeof(p->note), "%ux%u %s, level %u, layers %u to %u of %u to %u, %u samples (first is shown)",
            t->width, t->height, t->fmt->name, t->level, t->slice_start, t->slice_start + layers - 1, t->slice_start,
            t->slice_max, 1u << t->samples_log2);
   t->touched = 0;
   for (unsigned z = 0; z < layers; z++)
      for (unsigned y = 0; y < layer_height; y++)
         for (unsigned x = 0; x < p->width; x++)
            read_pixel(env, t, x * p->step, y * p->step, t->slice_start + z,
                       p->rgba + 4 * ((size_t)(z * layer_height + y) * p->width + x));
   t->touched = 0;
   return true;
}

bool cb_pixel(struct cb *cb, const struct model_env *env, unsigned index, unsigned x, unsigned y, unsigned layer,
              float out[4])
{
   struct cb_target *t = &cb->t[index];
   if (index >= cb->num || !t->bound || x >= t->width || y >= t->height)
      return false;
   t->touched = 0;
   read_pixel(env, t, x, y, t->slice_start + layer <= t->slice_max ? t->slice_start + layer : t->slice_max, out);
   t->touched = 0;
   return true;
}
