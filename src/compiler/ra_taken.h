/* SPDX-License-Identifier: MIT */
/* What physical registers are taken for (ra_taken.c). */
#ifndef TGSIAMD_RA_TAKEN_H
#define TGSIAMD_RA_TAKEN_H

#include "ra.h"

struct ra_phys {
   struct ra_life behind;      /* ended before the group being placed */
   struct ra_life ahead;       /* the rest, from the last range to the first: new ones mostly come at the end */
};

struct ra_taken {
   struct ir_shader *sh;
   struct ir_arena *mem;       /* of ranges */
   struct ra_phys phys[256];
   unsigned num;               /* up to the last one that anything was added to */
   uint32_t now;               /* start of the group being placed */
   uint64_t idle[4];           /* a bit each: not known to be taken now */
   uint8_t next_waking[256];   /* the next register that is idle again where this one is; itself: none is */
   uint16_t *wakes;            /* by position: a register that is idle again from there on, + 1; NULL: nobody asks */
   uint32_t woken;             /* positions before it have been seen to */
};

/* Registers of another file, or another attempt. */
void ra_taken_clear(struct ra_taken *s);
/* Groups come from the start again. `idle` is true only where any_single is. */
void ra_taken_restart(struct ra_taken *s, uint32_t num_pos, bool any_single);
/* Brings `idle` to where groups are now. */
void ra_taken_wake(struct ra_taken *s);
/* True when `l` has no overlap with what the register is taken for. */
bool ra_taken_is_free(struct ra_taken *s, unsigned reg, const struct ra_life *l);
/* It must be free. */
void ra_taken_add(struct ra_taken *s, unsigned reg, const struct ra_life *l);

#endif
