/* SPDX-License-Identifier: MIT */
#include "passes.h"
#include "harness.h"

void
harness_optimise(struct ir_shader *sh)
{
   bool progress;

   ir_lower_arrays(sh);
   ir_mem2reg(sh);
   ir_opt_dce(sh);
   do {
      progress = ir_opt_algebraic(sh);
      progress |= ir_opt_cse(sh);
      progress |= ir_opt_dce(sh);
   } while (progress);
   ir_opt_vectorize_loads(sh);
   ir_lower_int(sh);
   ir_opt_dce(sh);
   ir_opt_algebraic(sh);
   ir_opt_dce(sh);
}
