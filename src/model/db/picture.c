/* SPDX-License-Identifier: MIT */
/* Depth and stencil as pictures, after a draw. */
#include "db_internal.h"

#include <stdio.h>

#include "obs/picture.h"

static float value_of(const struct db *db, const struct db_plane *p, uint32_t v)
{
   if (p == &db->s)
      return (float)v;
   return db->format == DB_Z16 ? v / 65535.0f : db->format == DB_Z24 ? (v & 0xffffff) / 16777215.0f : geom_uif(v);
}

bool db_picture(struct db *db, const struct model_env *env, bool stencil, struct picture *p)
{
   struct db_plane *plane = stencil ? &db->s : &db->z;
   unsigned layer_height, w = plane->desc.width >> db->level, h = plane->desc.height >> db->level;
   unsigned layers = db->slice_max - db->slice_start + 1;
   if (!plane->present || !plane->host)
      return false;
   w = w ? w : 1;
   h = h ? h : 1;
   layers = layers > 6 ? 6 : layers;
   if (!picture_alloc(p, w, h, layers, &layer_height))
      return false;
   snprintf(p->note, sizeof(p->note), "%ux%u %s, level %u, layers %u to %u of %u to %u, %u samples (first is shown)", w,
            h, stencil ? "S8" : db->format == DB_Z16 ? "Z16" : db->format == DB_Z24 ? "Z24" : "Z32F", db->level,
            db->slice_start, db->slice_start + layers - 1, db->slice_start, db->slice_max, 1u << plane->desc.samples_log2);
   db->tile_valid = false;
   for (unsigned z = 0; z < layers; z++) {
      for (unsigned y = 0; y < layer_height; y++) {
         for (unsigned x = 0; x < p->width; x++) {
            const uint32_t px = x * p->step, py = y * p->step, slice = db->slice_start + z;
            db_expand_tile(db, env, px, py, slice);
            const void *at = db_texel(db, env, plane, px, py, slice, 0, false);
            float *out = p->rgba + 4 * ((size_t)(z * layer_height + y) * p->width + x);
            out[0] = out[1] = out[2] = at ? value_of(db, plane, db_load(at, plane->bytes)) : 0;
            out[3] = 1;
         }
      }
   }
   db->tile_valid = false;
   return true;
}
