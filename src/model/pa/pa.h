/* SPDX-License-Identifier: MIT */
/* Primitive assembler: clip, viewport, cull, set-up. */
#ifndef MODEL_PA_H
#define MODEL_PA_H

#include "geom.h"

struct pa;
struct pa *pa_create(void);
void pa_destroy(struct pa *pa);

struct pa_sink {
   void *ctx;
   void (*prim)(void *ctx, const struct msg_sc_prim *prim);
};

void pa_begin_draw(struct pa *pa, const struct model_env *env);
void pa_process(struct pa *pa, const struct model_env *env, const struct msg_vgt_batch *batch,
                const struct msg_vs_out *vs, const struct pa_sink *sink);
/* Primitives that came in and left since power-up (pipeline statistics). */
void pa_counts(const struct pa *pa, uint64_t *in, uint64_t *out);

#endif
