/* SPDX-License-Identifier: MIT */
/* Register allocation: lives of units. */
#ifndef TGSIAMD_RA_H
#define TGSIAMD_RA_H

#include "mir.h"

/* Half-open piece of the program. An instruction numbered p reads at 2p and
 * writes at 2p + 1. */
struct ra_range { uint32_t start, end; };

struct ra_life {
   struct ra_range *ranges; /* sorted, disjoint; some may touch */
   uint32_t num, max;
};

struct ra_lives {
   struct ir_arena *mem;    /* where ranges are */
   struct ra_life *unit;
   uint32_t num_units;
   uint32_t num_pos;
};

/* What did not fit: a group and the lives it needs room for. */
struct ra_failure { uint32_t first; };

/* Registers that a program may have. */
unsigned ra_limit(const struct mir_program *p, enum mir_file file);
/* Gives every unit a register and puts it into the instructions. false: no
 * room for failure->first; nothing is changed then. */
bool ra_assign(struct mir_program *p, struct ra_failure *failure);
/* Makes room: moves one or more groups that live beside the failed one to
 * scratch memory (VGPRs), back to where they came from, or to lanes of a VGPR
 * (SGPRs); more of them the higher the round, which counts on. false: nothing found. */
bool ra_spill(struct mir_program *p, const struct ra_failure *failure, unsigned *round);
/* Where a few values that are made again when they are read make room for one
 * more wave on a SIMD, they are. */
void ra_gain_wave(struct mir_program *p);
/* Spills whatever can be spilled; to test spilling. */
bool ra_spill_all(struct mir_program *p);

/* By block, in one of the two flow graphs (ra_regions.c): where the region in front of
 * it begins, one of the regions in front of that one, and the header of its loop. */
struct ra_regions { uint32_t *start, *jump, *loop; };

/* `defines`: by block, 1 << file for what its instructions write. */
const struct ra_regions *ra_regions_find(struct mir_program *p, enum mir_file file, const uint8_t *defines);
/* The first block, `limit` or behind, so that what is alive where `block` starts and
 * is not touched from that first block on is alive all the way; it can have come there
 * only from the predecessors of the first block. */
uint32_t ra_region_start(const struct ra_regions *r, uint32_t block, uint32_t limit);

/* What a walk over the program tells of units, one block at a time. */
#define RA_NOT_LOCAL ~0u
struct ra_local {
   uint32_t *home;          /* by unit: its only block + 1, RA_NOT_LOCAL, 0 when nobody has it */
   struct ra_range *range;  /* by unit that has a home: its life */
   uint8_t *defines;        /* by block: 1 << file of what is written in it */
   mir_reg *wide;           /* results of scalar loads of more than four dwords */
   uint32_t num_wide;
};

/* Numbers instructions; returns how many places there are. Ranges are in `mem`. */
uint32_t ra_local_find(struct mir_program *p, struct ir_arena *mem, struct ra_local *l);

/* Numbers instructions and finds the lives of all units. */
void ra_lives_find(struct mir_program *p, struct ir_arena *mem, struct ra_lives *lives);
/* Index of the first range, at `from` or behind, that ends after pos. */
uint32_t ra_first_after(const struct ra_life *l, uint32_t from, uint32_t pos);
bool ra_alive_at(const struct ra_life *l, uint32_t pos);
bool ra_overlap(const struct ra_life *a, const struct ra_life *b);
void ra_reserve(struct ir_arena *mem, struct ra_life *l, uint32_t num);
/* Adds b's ranges to a (they must not overlap). */
void ra_merge(struct ir_arena *mem, struct ra_life *a, const struct ra_life *b);

#endif
