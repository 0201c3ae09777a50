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

struct vgt_mode {
   bool reuse;         /* off: every primitive has its own vertices, which streamout
                        * and primitive ids in the vertex shader need */
   bool adjacency;     /* pass adjacent vertices on to a geometry shader */
   unsigned max_prims; /* of a batch */
};

struct vgt_patch_sink {
   void *ctx;
   void (*group)(void *ctx, const struct msg_patches *patches);
};

/* Runs one draw of patches: VGT_LS_HS_CONFIG says how many make a group. */
void vgt_draw_patches(struct vgt *vgt, const struct model_env *env, const struct msg_draw *draw,
                      const struct vgt_patch_sink *sink);
/* Reads a group's tessellation factors from the TF ring and tessellates. */
void vgt_tessellate(struct vgt *vgt, const struct model_env *env, const struct msg_patches *patches,
                    const struct vgt_mode *mode, const struct vgt_sink *sink);

/* Runs one draw. */
void vgt_draw(struct vgt *vgt, const struct model_env *env, const struct msg_draw *draw,
              const struct vgt_mode *mode, const struct vgt_sink *sink);

/* Assembles what a geometry shader emitted on a stream: primitives of
 * VGT_GS_OUT_PRIM_TYPE, vertex ids are places in the GSVS ring. */
void vgt_gs_out(struct vgt *vgt, const struct model_env *env, const struct msg_gs_out *gs,
                unsigned stream, bool reuse, const struct vgt_sink *sink);

#endif
