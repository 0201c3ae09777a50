/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VGT_INTERNAL_H
#define MODEL_VGT_INTERNAL_H

#include "vgt.h"

#define REUSE_SLOTS 256

struct tess_out;

struct vgt {
   struct msg_vgt_batch batch;
   /* reuse: hash of vertex number to lane, valid where stamp matches */
   uint32_t key[REUSE_SLOTS], stamp[REUSE_SLOTS];
   uint8_t lane[REUSE_SLOTS];
   uint32_t now;
   /* the draw */
   const struct model_env *env;
   const struct vgt_sink *sink;
   struct vgt_mode mode;
   unsigned group_prims, group_verts; /* end a batch */
   bool provoking_last;
   uint32_t instance, prim_id;
   bool emitted;         /* a primitive of this draw */
   struct tess_out *tess; /* one patch's points */
   struct msg_patches patches;
};

/* Takes the mode and empties the batch; vgt->env is set. */
void vgt_begin_batches(struct vgt *vgt, const struct vgt_mode *mode);
/* Sends the open batch. */
void vgt_flush(struct vgt *vgt);

#endif
