/* SPDX-License-Identifier: MIT */
/* What the hazard tables ask of an instruction: which registers it touches. */
#ifndef TGSIAMD_ISA_HAZARDS_H
#define TGSIAMD_ISA_HAZARDS_H

#include "layout.h"

static inline bool isa_overlap(struct isa_span a, struct isa_span b)
{
   return a.num && b.num && a.first < b.first + b.num && b.first < a.first + a.num;
}

/* Registers of the second destination, the first one, and source n; none: num 0. */
struct isa_span isa_dst2_span(const struct isa_inst *inst);
struct isa_span isa_dst_span(enum tgsiamd_gfx gfx, const struct isa_inst *inst);
struct isa_span isa_src_span(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned n);
/* isa_op_info.flags of the op; of both of a dual instruction, where v_cndmask reads VCC without naming it. */
uint32_t isa_flags(const struct isa_inst *inst);
/* Implied writes of VCC, EXEC and M0 included. */
bool isa_writes(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_span s);
/* VGPRs or SGPRs as data; a destination that is read first included, EXEC as the lane mask not. */
bool isa_reads(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_span s);

/* Wait states for results of matrix and dot operations (hazards_matrix.c). */
unsigned isa_matrix_states(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second);
/* Most that they can be. */
unsigned isa_matrix_window(enum tgsiamd_gfx gfx);
/* The matrix ops of the tables in hazards_matrix.c. */
bool isa_is_matrix(const struct isa_inst *inst);

/* By issue unit. */
bool isa_is_valu(const struct isa_inst *inst);
bool isa_is_salu(const struct isa_inst *inst);
/* The op is s_waitcnt_depctr (s_wait_alu) and waits for all of `field`. */
bool isa_waits_depctr(const struct isa_inst *inst, unsigned field);

/* Walks of more than a pair (hazards_sgpr.c). begin: whether the instruction may
 * need something, and then what to look for; step: one instruction further back. */
bool isa_sgpr_begin(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_hazard_walk *w);
enum isa_hazard_step isa_sgpr_step(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at);
bool isa_forward_begin(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_hazard_walk *w);
enum isa_hazard_step isa_forward_step(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at);

#endif
