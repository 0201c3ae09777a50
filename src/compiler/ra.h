/* SPDX-License-Identifier: MIT */
/* Register allocation: lives of units. */
#ifndef TGSIAMD_RA_H
#define TGSIAMD_RA_H

#include "mir.h"

/* Half-open piece of the program. An instruction numbered p reads at 2p and
 * writes at 2p + 1. */
struct ra_range { uint32_t start, end; };

struct ra_life {
   struct ra_range *ranges; /* sorted, disjoint */
   uint32_t num, max;
};

struct ra_lives {
   struct ra_life *unit;
   uint32_t num_units;
   uint32_t num_pos;
};

/* Numbers instructions and finds the lives of all units. false: no memory. */
bool ra_lives_find(struct mir_program *p, struct ra_lives *lives);
void ra_lives_free(struct ra_lives *lives);
bool ra_overlap(const struct ra_life *a, const struct ra_life *b);
/* Adds b's ranges to a (they must not overlap). */
void ra_merge(struct ra_life *a, const struct ra_life *b);

#endif
