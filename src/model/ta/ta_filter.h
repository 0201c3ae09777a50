/* SPDX-License-Identifier: MIT */
/* Texel selection and weighting at one mip level. */
#ifndef MODEL_TA_FILTER_H
#define MODEL_TA_FILTER_H

#include "ta_internal.h"

/* One lane's request at one level. Coordinates are as the shader gave them,
 * cube faces already moved to 0..1. */
struct ta_point {
   float coord[3];
   int8_t offset[3];
   uint32_t slice;        /* absolute; with cubes face included */
   bool linear, zlinear;
   bool compare;
   float zref;
};

/* All lanes together where the image and sampler are plain enough; false:
 * nothing was done. */
bool ta_sample_plain(struct ta_ctx *c, const struct ta_image_op *op, const uint32_t *x, const uint32_t *y);
/* Filtered texel in memory order (floats' bits, or integers when nearest). */
/* Where a direction (s, t in -1..1 on face `from`) lies on the plane of face `to`. */
void ta_cube_reproject(unsigned from, unsigned to, float *s, float *t);
void ta_filter_level(struct ta_ctx *c, const struct ta_point *p, unsigned level, uint32_t out[4]);
/* The four texels of the bilinear footprint, channel `chan` in memory order
 * (compared when p->compare): (i0,j1) (i1,j1) (i1,j0) (i0,j0). */
void ta_gather_level(struct ta_ctx *c, const struct ta_point *p, unsigned level, unsigned chan, uint32_t out[4]);

#endif
