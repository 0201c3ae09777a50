/* SPDX-License-Identifier: MIT */
/* Index stream of a draw: fetch, restart, offset and clamp. */
#ifndef MODEL_VGT_INDEX_H
#define MODEL_VGT_INDEX_H

#include "msg.h"

struct vgt_indices {
   const struct model_env *env;
   const struct msg_draw *draw;
   uint32_t offset, min, max;     /* VGT_INDX_OFFSET, VGT_MIN/MAX_VTX_INDX */
   uint32_t restart, mask;        /* mask: bits of an index of this size */
   bool restart_en;
   const uint8_t *host;           /* window of the index buffer, NULL: none */
   uint64_t host_first, host_count;
};

void vgt_indices_init(struct vgt_indices *in, const struct model_env *env, const struct msg_draw *draw);
/* Vertex number at `pos` of the stream. False: a restart index. */
bool vgt_index(struct vgt_indices *in, uint32_t pos, uint32_t *index);

#endif
