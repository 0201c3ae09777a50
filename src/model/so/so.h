/* SPDX-License-Identifier: MIT */
/* Streamout: VGT's counters of buffers and primitives. The shader itself
 * stores the vertices. */
#ifndef MODEL_SO_H
#define MODEL_SO_H

#include "geom.h"

struct so;
struct so *so_create(void);
void so_destroy(struct so *so);
void so_begin_draw(struct so *so, const struct model_env *env);
/* A stream is written or counted. */
bool so_active(const struct so *so, unsigned stream);
/* Room for `num_prims` primitives of `verts` vertices on a stream: fills in
 * what the wave is told and moves the counters on. */
void so_wave(struct so *so, const struct model_env *env, unsigned stream, unsigned num_prims,
             unsigned verts, struct msg_streamout *out);
void so_set_filled(struct so *so, unsigned buffer, uint32_t dwords);
uint32_t so_filled(const struct so *so, unsigned buffer);
/* Primitives written, primitives that needed storage. */
void so_stats(const struct so *so, unsigned stream, uint64_t out[2]);

#endif
