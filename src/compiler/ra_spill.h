/* SPDX-License-Identifier: MIT */
/* Spilling: what its files share. */
#ifndef TGSIAMD_SPILL_H
#define TGSIAMD_SPILL_H

#include "ra.h"

struct group_info {
   uint32_t defs, uses;      /* instructions, weighted by loop depth */
   uint32_t num_defs;
   struct mir_inst *def, *before; /* the last one seen, and the one before that */
   bool unsure;              /* read where what it was made from may be gone */
   bool kept;                /* something is made again from it */
};

struct spiller {
   struct mir_program *p;
   const struct ra_lives *lives; /* NULL: not known */
   struct group_info *info;  /* by first unit */
   uint8_t *chosen;          /* by first unit: 1 to memory or lanes, 2 made again */
   uint32_t *slot;           /* scratch dword or SGPR lane, by first unit */
   uint32_t max_lane_vgprs;  /* that hold SGPRs; more are in memory */
   bool m0_changes;          /* after the start */
   uint32_t num_units;       /* when spilling began: later units are its own */
};

static inline uint32_t
spill_first_unit(const struct mir_program *p, mir_reg r)
{
   return mir_unit_id(r) - p->units[mir_unit_id(r)].index;
}

/* Index of the group's part that r names. */
static inline unsigned
spill_part(const struct mir_program *p, mir_reg r)
{
   return p->units[mir_unit_id(r)].index;
}

/* How r's group is spilled: 0 not, 1 to memory or lanes, 2 made again. */
static inline uint8_t
spill_choice(const struct spiller *s, mir_reg r)
{
   return mir_is_virt(r) && mir_unit_id(r) < s->num_units ? s->chosen[spill_first_unit(s->p, r)] : 0;
}

/* ra_spill.c: a new group like that of unit `like`, which stays. */
mir_reg spill_temporary(struct mir_program *p, uint32_t like);
bool spill_possible(const struct spiller *s, uint32_t first);

/* ra_choose.c */
struct spill_walk {
   enum mir_file file;
   int32_t limit;            /* registers */
   int32_t split_limit;      /* where more than that are left, vectors are in the way */
   uint32_t failed;          /* place where something found no room, or ~0 */
   bool failed_wide;         /* that was a vector of VGPRs, placed before single ones */
   bool only_remade;
   bool all_or_none;         /* gives up where more than the limit must stay */
   bool split;               /* result: something is in `vectors` */
   uint8_t *vectors;         /* result when split: groups in the way that can be split */
};
/* Walks the program once and chooses wherever more than the limit are taken, as far
 * as that can be done; returns how many groups, 0 when it gave up. */
uint32_t spill_choose(struct spiller *s, struct spill_walk *w);

/* ra_remake.c */
/* Finds out what is read only where its sources are at hand. */
void spill_find_sure(struct spiller *s);
/* Can the group be made again where it is read? */
bool spill_can_remake(const struct spiller *s, uint32_t first);
/* What it is made from has to stay. */
void spill_keep_sources(struct spiller *s, uint32_t first);
/* Makes the group's value in t, before the instruction. */
void spill_remake(struct spiller *s, struct mir_inst *before, uint32_t first, mir_reg t);
/* Where one dword of a wide load is read, that dword is loaded alone. */
bool spill_remake_part(struct spiller *s, struct mir_inst *inst, unsigned operand);

/* ra_scratch.c: VGPRs to memory. */
void spill_to_scratch(struct spiller *s, struct mir_inst *inst);
/* The wanted vectors become units of one dword, which can be spilled; instructions that
 * need them whole have vectors of their own. */
void spill_split_vectors(struct mir_program *p, const uint8_t *wanted);

/* ra_slots.c: gives all that are chosen their place. */
void spill_find_slots(struct spiller *s);

/* ra_lanes.c: SGPRs to lanes, or made again. */
uint32_t spill_new_lanes(struct spiller *s, unsigned n);
void spill_to_lanes(struct spiller *s, struct mir_inst *inst);

#endif
