/* SPDX-License-Identifier: MIT */
/* Variables, constants and system values as front ends write them. A front end
 * asks for the same ones again and again; what the block being built has is
 * found here, so that passes need not walk over thousands of instructions that
 * are gone after them. A store is built when its block ends, and only the last
 * one of each variable. Value numbers go on as if all had been built: they stand
 * for distances in the program (opt_cse.c). */
#include "ir_builder.h"

#define NUM_SEEN 64 /* a power of two */

struct ir_known {
   ir_val seen[NUM_SEEN]; /* constants and system values, by hash */
   uint32_t stored;       /* variables to be stored: the first, + 1 */
};

void
ir_builder_remember(struct ir_builder *b)
{
   b->known = ir_alloc(b->sh, sizeof(*b->known));
}

static ir_val
leaf(struct ir_builder *b, enum ir_op op, uint32_t imm)
{
   if (!b->known)
      return ir_op0(b, op, imm);
   ir_val *seen = &b->known->seen[((imm + op) * 0x9e3779b1u) >> 26];
   if (*seen && (*seen)->block == b->block && (*seen)->op == op && (*seen)->imm == imm)
      b->sh->num_ids++;
   else
      *seen = ir_op0(b, op, imm);
   return *seen;
}

ir_val
ir_imm(struct ir_builder *b, uint32_t bits)
{
   return leaf(b, IR_CONST, bits);
}

ir_val
ir_sysval(struct ir_builder *b, enum ir_sysval sv)
{
   return leaf(b, IR_SYSVAL, sv);
}

uint32_t
ir_var_array(struct ir_shader *sh, unsigned length, const char *name)
{
   if (sh->num_vars == sh->max_vars) {
      uint32_t max = sh->max_vars ? sh->max_vars * 2 : 64;
      struct ir_var *vars = ir_alloc(sh, max * sizeof(*vars));
      if (sh->num_vars)
         memcpy(vars, sh->vars, sh->num_vars * sizeof(*vars));
      sh->vars = vars;
      sh->max_vars = max;
   }
   sh->vars[sh->num_vars].length = length;
   sh->vars[sh->num_vars].name = name;
   return sh->num_vars++;
}

uint32_t
ir_var(struct ir_shader *sh, const char *name)
{
   return ir_var_array(sh, 1, name);
}

ir_val
ir_load_var(struct ir_builder *b, uint32_t var)
{
   if (!b->known)
      return ir_op0(b, IR_LOAD_VAR, var);
   struct ir_var *v = &b->sh->vars[var];
   if (v->known_in == b->block->index + 1) {
      b->sh->num_ids++;
      return v->now;
   }
   v->known_in = b->block->index + 1;
   return v->now = ir_op0(b, IR_LOAD_VAR, var);
}

void
ir_store_var(struct ir_builder *b, uint32_t var, ir_val value)
{
   if (!b->known) {
      ir_op1_imm(b, IR_STORE_VAR, value, var);
      return;
   }
   struct ir_var *v = &b->sh->vars[var];
   v->known_in = b->block->index + 1;
   v->now = value;
   v->store_id = b->sh->num_ids++;
   if (v->stored)
      return;
   v->stored = true;
   v->next = b->known->stored;
   b->known->stored = var + 1;
}

void
ir_flush_vars(struct ir_builder *b)
{
   const uint32_t num = b->sh->num_ids;
   if (!b->known)
      return;
   for (uint32_t i = b->known->stored; i; i = b->sh->vars[i - 1].next) {
      struct ir_var *v = &b->sh->vars[i - 1];
      b->sh->num_ids = v->store_id;
      ir_op1_imm(b, IR_STORE_VAR, v->now, i - 1);
      v->stored = false;
   }
   b->known->stored = 0;
   b->sh->num_ids = num;
}
