/* SPDX-License-Identifier: MIT */
/* Scan converter: primitives to quads of covered samples. */
#ifndef MODEL_SC_H
#define MODEL_SC_H

#include "geom.h"

struct sc;
struct sc *sc_create(void);
void sc_destroy(struct sc *sc);

#define SC_MAX_QUADS 16

struct sc_sink {
   void *ctx;
   /* The quads of a tile, at most SC_MAX_QUADS, in order; the receiver may change them. */
   void (*quads)(void *ctx, struct msg_quad *quads, unsigned num);
   /* May be NULL. A tile of 8x8 pixels of one sample, all covered: true when the
    * receiver has dealt with it, otherwise its quads follow. */
   bool (*tile)(void *ctx, const struct msg_sc_prim *prim, int x, int y);
};

void sc_begin_draw(struct sc *sc, const struct model_env *env);
/* Sample positions that the registers describe; valid till the next draw. */
const struct geom_samples *sc_samples(const struct sc *sc);
void sc_rasterise(struct sc *sc, const struct msg_sc_prim *prim, const struct sc_sink *sink);

#endif
