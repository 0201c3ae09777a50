/* SPDX-License-Identifier: MIT */
/* An image resource as a picture: its first level, as a shader would load it. */
#include <stdio.h>
#include "obs/picture.h"
#include "ta_internal.h"

bool ta_picture(const struct model_env *env, const uint32_t rsrc[8], struct picture *p)
{
   struct ta_ctx c = { 0 };
   unsigned layer_height, layers;
   if (!ta_ctx_init(&c, env, rsrc) || !c.t->fmt || !c.t->l || c.t->missing)
      return false;
   const struct ta_tex *t = c.t;
   const unsigned level = t->base_level;
   const unsigned w = ta_level_size(t->width, level), h = ta_level_size(t->height, level);
   const bool layered = t->array || t->cube;
   const unsigned all = t->type == IMG_3D ? ta_level_size(t->depth, level) : layered ? t->last_layer - t->first_layer + 1 : 1;
   layers = all > 6 ? 6 : all;
   if (!picture_alloc(p, w, h, layers, &layer_height))
      return false;
   snprintf(p->note, sizeof(p->note), "%ux%u %s, level %u of %u to %u, %u of %u layers, %u samples (first is shown)", w, h,
            t->fmt->name, level, t->base_level, t->last_level, layers, all, 1u << t->samples_log2);
   for (unsigned z = 0; z < layers; z++) {
      for (unsigned y = 0; y < layer_height; y++) {
         for (unsigned x = 0; x < p->width; x++) {
            uint32_t v[4] = { 0 };
            float *out = p->rgba + 4 * ((size_t)(z * layer_height + y) * p->width + x);
            ta_fetch(&c, level, x * p->step, y * p->step, (layered ? t->first_layer : 0) + z, 0, v);
            for (unsigned k = 0; k < 4; k++) {
               const uint32_t s = ta_select(t, k, v);
               out[k] = t->fmt->is_int ? (float)s : fmt_u2f(s);
            }
         }
      }
   }
   return true;
}
