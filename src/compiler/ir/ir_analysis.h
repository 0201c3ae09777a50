/* SPDX-License-Identifier: MIT */
/* Facts about the flow graph. */
#ifndef TGSIAMD_IR_ANALYSIS_H
#define TGSIAMD_IR_ANALYSIS_H

#include "ir.h"

/* Finds reachable blocks, empties the others and drops their edges. */
void ir_cleanup_cfg(struct ir_shader *sh);
/* Finds the dominators of reachable blocks. */
void ir_dominators(struct ir_shader *sh);
/* After ir_dominators; reflexive. */
bool ir_dominates(const struct ir_block *a, const struct ir_block *b);
struct ir_block *ir_common_dominator(struct ir_block *x, struct ir_block *y);
/* True when `block` lies in `loop` or a loop inside it. */
bool ir_loop_contains(const struct ir_loop *loop, const struct ir_block *block);

/* Low bits of v that are 0 whatever happens. */
unsigned ir_zero_bits(ir_val v, unsigned depth);
/* No lane's v is larger, as an unsigned number. */
uint32_t ir_largest(ir_val v, unsigned depth);

#endif
