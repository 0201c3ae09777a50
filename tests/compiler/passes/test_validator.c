/* SPDX-License-Identifier: MIT */
/* Broken IR that the text form cannot express: the validator must name it. */
#include <stdio.h>
#include <string.h>

#include "ir_builder.h"

static struct ir_shader *
good(struct ir_builder *b, ir_val *x, ir_val *cond)
{
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, TGSIAMD_GFX9, NULL, 0);
   ir_builder_init(b, sh);
   *x = ir_sysval(b, IR_SV_VERTEX_ID);
   *cond = ir_ilt(b, *x, ir_imm(b, 3));
   return sh;
}

static void
wrong_arity(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_fadd(b, x, x)->num_src = 1;
   (void)cond;
}

static void
missing_source(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_fadd(b, x, x)->src[1] = NULL;
   (void)cond;
}

static void
bool_as_number(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_fadd(b, x, cond);
}

static void
number_as_bool(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_select(b, x, x, x);
   (void)cond;
}

static void
use_before_def(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_val y = ir_fadd(b, x, x);
   y->src[0] = ir_fneg(b, x);
   (void)cond;
}

static void
arm_value_outside(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_if(b, cond);
   ir_val y = ir_fneg(b, x);
   ir_endif(b);
   ir_fadd(b, y, y);
}

static void
removed_source(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_val y = ir_fneg(b, x);
   ir_fadd(b, y, y);
   ir_remove(y);
   (void)cond;
}

static void
phi_count(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_if(b, cond);
   ir_endif(b);
   struct ir_inst *phi = ir_inst_create(b->sh, IR_PHI, 1, 1);
   phi->src[0] = x;
   ir_insert(b, phi);
}

static void
vector_width(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_val v[4] = { x, x, x, x };
   ir_extract(b, ir_load_desc(b, IR_LIST_BUFFERS, 4, NULL, 0), 2)->imm = 4;
   ir_vec(b, 4, v);
   (void)cond;
}

static void
descriptor_width(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_load_fmt(b, ir_load_desc(b, IR_LIST_BUFFERS, 8, NULL, 0), x, 4);
   (void)cond;
}

static void
unknown_variable(struct ir_builder *b, ir_val x, ir_val cond)
{
   ir_load_var(b, 5);
   (void)x, (void)cond;
}

static const struct { const char *name, *message; void (*break_it)(struct ir_builder *, ir_val, ir_val); } cases[] = {
   { "arity", "with 1 sources", wrong_arity },
   { "missing source", "without source 1", missing_source },
   { "bool as number", "wrong type", bool_as_number },
   { "number as bool", "wrong type", number_as_bool },
   { "use before definition", "does not dominate", use_before_def },
   { "value of an arm used outside", "does not dominate", arm_value_outside },
   { "removed source", "not in the program", removed_source },
   { "phi of too few sources", "predecessors", phi_count },
   { "component outside", "component 4", vector_width },
   { "descriptor of the wrong width", "dwords, not", descriptor_width },
   { "variable that is not there", "does not exist", unknown_variable },
};

int
main(void)
{
   unsigned bad = 0, n = sizeof(cases) / sizeof(cases[0]);
   for (unsigned i = 0; i < n; i++) {
      struct ir_builder b;
      ir_val x, cond;
      char why[200] = "it passes";
      struct ir_shader *sh = good(&b, &x, &cond);
      cases[i].break_it(&b, x, cond);
      ir_builder_finish(&b);
      if (ir_validate(sh, why, sizeof(why)) || !strstr(why, cases[i].message)) {
         printf("%s: %s\n", cases[i].name, why);
         bad++;
      }
      ir_shader_destroy(sh);
   }
   printf("%u cases, %u bad\n", n, bad);
   return bad != 0;
}
