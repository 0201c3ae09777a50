/* SPDX-License-Identifier: MIT */
/* Clears and fills: tiles of 8x8 pixels that a primitive covers whole, in draws
 * whose program exports one colour for all of it (sq_program_is_uniform) and
 * whose tests and targets do not look at what is there. The first such tile of
 * a primitive is drawn in the usual way; the others get what it got, and count
 * as it counted. Memory and counters are those of the usual way. */
#ifndef MODEL_SOLID_H
#define MODEL_SOLID_H

#include "geom.h"

struct cb;
struct db;
struct parallel;
struct spi;
struct sq;
struct solid;

struct solid_blocks {
   struct sq *sq;
   struct spi *spi;
   struct db *db;
   struct cb *cb;
   struct parallel *parallel;
};

struct solid *solid_create(const struct solid_blocks *blocks);
void solid_destroy(struct solid *s);
void solid_set(struct solid *s, bool on);
/* After those of all blocks. */
void solid_begin_draw(struct solid *s, const struct model_env *env, unsigned ps_iterations);
/* A whole tile, one sample a pixel. True: it is drawn. */
bool solid_tile(struct solid *s, const struct model_env *env, const struct msg_sc_prim *prim, int x, int y);

/* Tiles so far, without those that were drawn in the usual way. */
uint64_t solid_tiles(const struct solid *s);

#endif
