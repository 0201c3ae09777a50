/* SPDX-License-Identifier: MIT */
/* Algebraic rules: what the files of ir_opt_algebraic share. A rule gives what
 * stands for the value, made before it; the instruction itself when it has
 * changed in place; NULL when nothing better is known. */
#ifndef TGSIAMD_OPT_ALGEBRAIC_H
#define TGSIAMD_OPT_ALGEBRAIC_H

#include "passes.h"

/* A choice between two constants. */
static inline bool
ir_const_select(ir_val v)
{
   return v->op == IR_SELECT && v->src[1]->op == IR_CONST && v->src[2]->op == IR_CONST;
}

/* opt_algebraic_int.c: sums and differences, == and !=, bit fields, minima,
 * products, shifts, masks, other bits, operations that undo themselves */
ir_val ir_simplify_sum(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_equal(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_field(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_min(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_product(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_shift(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_and(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_or(struct ir_builder *b, struct ir_inst *inst);
ir_val ir_simplify_twice(struct ir_builder *b, struct ir_inst *inst);

#endif
