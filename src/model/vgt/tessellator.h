/* SPDX-License-Identifier: MIT */
/* The fixed-function tessellator: from factors to points and primitives. */
#ifndef MODEL_VGT_TESSELLATOR_H
#define MODEL_VGT_TESSELLATOR_H

#include <stdbool.h>
#include <stdint.h>

#define TESS_MAX_POINTS (66 * 66)
#define TESS_MAX_PRIMS  (66 * 66 * 2)

struct tess_domain {
   unsigned type;          /* V_028B6C_TESS_* */
   unsigned partitioning;  /* V_028B6C_PART_* */
   unsigned topology;      /* V_028B6C_OUTPUT_* */
   float max_level;
};

struct tess_out {
   unsigned num_points, num_prims, prim_verts;
   float u[TESS_MAX_POINTS], v[TESS_MAX_POINTS];
   uint16_t prim[TESS_MAX_PRIMS][3];
};

/* `factors` as a shader stores them: outer, then inner; isolines: segments of
 * a line, number of lines. Nothing comes out when the patch is culled. */
void tess_run(const struct tess_domain *d, const float factors[6], struct tess_out *out);

#endif
