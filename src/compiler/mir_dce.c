/* SPDX-License-Identifier: MIT */
/* Removes machine instructions whose results nobody reads: modifiers that were
 * folded, compares that became scalar, copies for dead phis. */
#include "mir.h"

static void
count(const struct mir_inst *inst, uint32_t *uses, int step)
{
   for (unsigned i = 0; i < 4; i++) {
      if (!mir_is_virt(inst->src[i]))
         continue;
      uint32_t unit = mir_unit_id(inst->src[i]), end = unit + inst->src_n[i];
      for (; unit < end; unit++)
         uses[unit] += step;
   }
}

static bool
dead(struct mir_program *p, const struct mir_inst *inst, const uint32_t *uses, bool scc_live)
{
   const struct isa_op_info *info = mir_info(inst);
   bool writes_scc = info && (info->flags & ISA_WRITES_SCC);
   if (inst->side_effect || (writes_scc && scc_live))
      return false;
   if (inst->def[0] == ISA_NONE)
      return writes_scc;
   if (inst->i.op == MIR_INPUT) { /* a group of them stays whole, so that it may be read anew */
      const struct mir_unit *u = mir_unit(p, inst->def[0]);
      for (unsigned k = 0; k < u->size; k++) {
         if (uses[mir_unit_id(inst->def[0]) - u->index + k])
            return false;
      }
      return true;
   }
   for (unsigned i = 0; i < 2; i++) {
      if (inst->def[i] == ISA_NONE)
         continue;
      if (!mir_is_virt(inst->def[i]))
         return false;
      for (unsigned k = 0; k < inst->def_n[i]; k++) {
         if (uses[mir_unit_id(inst->def[i]) + k])
            return false;
      }
   }
   return true;
}

/* Backwards, so that one walk finds all but what a loop carries round. */
static bool
remove_dead(struct mir_program *p, uint32_t *uses, bool counted)
{
   bool progress = false;
   for (uint32_t i = p->num_blocks; i-- > 0;) {
      bool scc_live = false;
      for (struct mir_inst *inst = p->blocks[i]->last, *prev; inst; inst = prev) {
         const struct isa_op_info *info = mir_info(inst);
         prev = inst->prev;
         if (dead(p, inst, uses, scc_live)) {
            if (counted)
               count(inst, uses, -1);
            mir_remove(inst);
            progress = true;
            continue;
         }
         if (!counted)
            count(inst, uses, 1);
         if (info && (info->flags & ISA_WRITES_SCC))
            scc_live = false;
         if (info && (info->flags & ISA_READS_SCC))
            scc_live = true;
      }
   }
   return progress;
}

void
mir_opt_dce(struct mir_program *p)
{
   uint32_t *uses = ir_temp(p->sh, (p->num_units + 1) * sizeof(*uses));
   if (!p->sh->loops) { /* who reads stands behind who writes */
      remove_dead(p, uses, false);
      return;
   }
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst)
         count(inst, uses, 1);
   }
   while (remove_dead(p, uses, true))
      ;
}
