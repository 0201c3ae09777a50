/* SPDX-License-Identifier: MIT */
/* The passes over the IR, in the order that compile.c runs them. Each keeps
 * the IR valid. A pass that returns bool says whether it changed anything. */
#ifndef TGSIAMD_PASSES_H
#define TGSIAMD_PASSES_H

#include "ir/ir_builder.h"
#include "ir/ir_analysis.h"

/* Arrays with computed index to scalar variables and select chains. */
void ir_lower_arrays(struct ir_shader *sh);
/* Scalar variables to SSA values and phis. */
void ir_mem2reg(struct ir_shader *sh);
/* Vertex fetch, outputs to exports, resource facts to sh->info. */
void ir_lower_io(struct ir_shader *sh);
/* Stores of the outputs of `stream` (values by output slot) to streamout buffers. */
void ir_lower_streamout(struct ir_builder *b, const struct tgsiamd_streamout *so, unsigned stream,
                        ir_val (*out)[4]);
/* Integer division to what the hardware has. */
void ir_lower_int(struct ir_shader *sh);
ir_val ir_lower_div64(struct ir_builder *b, enum ir_op op, ir_val x, ir_val y);
/* Folding: constants, identities, copies, b2i/i2b pairs, mad forming, by the uses that ir_opt_dce counted. */
bool ir_opt_algebraic(struct ir_shader *sh);
/* Merges equal pure expressions where one dominates the other. */
bool ir_opt_cse(struct ir_shader *sh);
/* Branches on constants, empty branches, small arms to selects. */
bool ir_opt_cf(struct ir_shader *sh);
/* Moves loop-invariant values in front of loops. */
bool ir_opt_licm(struct ir_shader *sh);
/* Moves arithmetic into the arms that use it, and behind kills. */
bool ir_opt_sink(struct ir_shader *sh);
/* Removes what nothing uses, and counts uses. */
bool ir_opt_dce(struct ir_shader *sh);
#define IR_USES_BITS 24
/* Uses of a value when ir_opt_dce ran last; 0: it is newer than that. */
static inline uint32_t
ir_uses(const struct ir_shader *sh, ir_val v)
{
   return v->uses >> IR_USES_BITS == (sh->count & 0xff) ? v->uses & ((1u << IR_USES_BITS) - 1) : 0;
}
/* One use of v is gone: true when that was the last. */
static inline bool
ir_drop_use(const struct ir_shader *sh, ir_val v)
{
   return ir_uses(sh, v) && (--v->uses & ((1u << IR_USES_BITS) - 1)) == 0;
}
/* Neighbouring dword loads of one constant buffer become one wide load. Wants
 * the uses that ir_opt_dce counted: no pass may have added any since. */
bool ir_opt_vectorize_loads(struct ir_shader *sh);
bool ir_opt_merge_memory(struct ir_shader *sh);
/* Values made in a loop and used outside pass through a phi at its exit. */
void ir_lower_lcssa(struct ir_shader *sh);
/* Marks values, branches and loops as divergent. */
void ir_divergence(struct ir_shader *sh);

/* Replaces every use of a value v that has map[v->id] != NULL, through chains. */
void ir_rewrite_uses(struct ir_shader *sh, ir_val *map, uint32_t num);
/* The same for values that ir_replace() replaced. */
void ir_update_uses(struct ir_shader *sh);
/* Enough for a pass that walks forward and updates what it comes by: only phis
 * of loops use what is made behind them. */
void ir_update_loop_phis(struct ir_shader *sh);
static inline void
ir_update_sources(struct ir_inst *inst)
{
   for (unsigned i = 0; i < inst->num_src; i++)
      inst->src[i] = ir_now(inst->src[i]);
}
static inline ir_val
ir_map_find(ir_val *map, uint32_t num, ir_val v)
{
   while (v && v->id < num && map[v->id])
      v = map[v->id];
   return v;
}

static inline bool ir_is_const(ir_val v, uint32_t bits) { return v->op == IR_CONST && v->imm == bits; }

/* An error about what the program needs too much of: names the TGSI instruction with most
 * values alive. */
void ir_error_need(struct ir_shader *sh, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
