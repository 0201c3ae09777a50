/* SPDX-License-Identifier: MIT */
/* User SGPRs: a wave starts with those up to the last one that its program
 * reads, and the system's SGPRs follow there (SPI_SHADER_PGM_RSRC2_*.USER_SGPR).
 * Selection counts on all of them; here, when dead code is gone, the system's
 * move down. Fewer take the SPI less time, and those behind are free. */
#include "mir.h"

#define ALWAYS (TGSIAMD_SGPR_INTERNAL + 2) /* what spilling may still ask for */

unsigned
mir_max_user_sgprs(const struct ir_shader *sh)
{
   switch (sh->stage) {
   case TGSIAMD_VS: return TGSIAMD_NUM_SGPR_VS;
   case TGSIAMD_PS: return TGSIAMD_NUM_SGPR_PS;
   case TGSIAMD_CS: return TGSIAMD_NUM_SGPR_CS;
   case TGSIAMD_GS: return TGSIAMD_NUM_SGPR_GS;
   case TGSIAMD_TCS: case TGSIAMD_TES: break;
   }
   return 0;
}

void
mir_fit_user_sgprs(struct mir_program *p)
{
   const unsigned first = mir_user_sgpr(p->sh, 0), end = first + p->num_user_sgprs;
   unsigned used = ALWAYS;
   mir_foreach_inst(p->blocks[0], inst) {
      const struct mir_unit *u = inst->i.op == MIR_INPUT ? mir_unit(p, inst->def[0]) : NULL;
      if (u && u->file == MIR_SGPR && u->phys >= first && u->phys < end && u->phys - first >= used)
         used = u->phys - first + 1;
   }
   memset(p->inputs, 0, sizeof(p->inputs)); /* some are gone, others elsewhere */
   mir_foreach_inst(p->blocks[0], inst) {
      if (inst->i.op != MIR_INPUT)
         continue;
      struct mir_unit *u = mir_unit(p, inst->def[0]);
      if (u->file == MIR_SGPR && u->phys >= end)
         u->phys -= p->num_user_sgprs - used;
      if (!u->index)
         p->inputs[u->file == MIR_VGPR ? 256 + u->phys : u->phys] = inst->def[0];
   }
   p->num_user_sgprs = used;
}
