/* SPDX-License-Identifier: MIT */
/* Vertex grouper: index fetch, primitive assembly, vertex reuse. */
#ifndef MODEL_VGT_H
#define MODEL_VGT_H

#include "geom.h"

struct vgt;
struct vgt *vgt_create(void);
void vgt_destroy(struct vgt *vgt);

struct vgt_sink {
   void *ctx;
   /* A wave's worth of vertices with their primitives, in order. */
   void (*batch)(void *ctx, const struct msg_vgt_batch *batch);
};

/* Runs one draw. `reuse` off: every primitive has its own vertices, which
 * streamout and primitive ids in the vertex shader need. */
void vgt_draw(struct vgt *vgt, const struct model_env *env, const struct msg_draw *draw,
              bool reuse, const struct vgt_sink *sink);

#endif
