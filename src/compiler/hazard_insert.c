/* SPDX-License-Identifier: MIT */
/* s_nop where the hardware does not interlock: isa_hazard_states() knows the
 * rules, this pass looks back over every path for as far as any rule reaches. */
#include "mir.h"

struct hazard {
   struct mir_program *p;
   unsigned window;
};

static unsigned
states_of(const struct mir_inst *inst)
{
   return inst->i.op == ISA_S_NOP ? (inst->i.imm & 15) + 1u : 1;
}

/* Missing wait states before `inst`, looking back from `at` with `done` states
 * passed already. */
static unsigned
look_back(struct hazard *h, const struct mir_inst *inst, const struct mir_block *b, const struct mir_inst *at, unsigned done)
{
   unsigned missing = 0;
   for (; at; at = at->prev) {
      if (done >= h->window)
         return missing;
      unsigned want = isa_hazard_states(h->p->sh->gfx, &at->i, &inst->i);
      if (want > done && want - done > missing)
         missing = want - done;
      done += states_of(at);
   }
   if (done >= h->window)
      return missing;
   for (uint32_t i = 0; i < b->num_xpreds; i++) {
      const struct mir_block *pred = b->xpreds[i];
      /* Through empty blocks too; a loop of nothing cannot be. */
      unsigned m = pred == b && !b->first ? 0 : look_back(h, inst, pred, pred->last, done);
      if (m > missing)
         missing = m;
   }
   return missing;
}

void
hazard_insert(struct mir_program *p)
{
   struct hazard h = { p, isa_hazard_window(p->sh->gfx) };
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         if (inst->i.op == ISA_S_NOP)
            continue;
         unsigned missing = look_back(&h, inst, b, inst->prev, 0);
         while (missing) {
            unsigned n = missing > 8 ? 8 : missing;
            struct mir_inst *nop = mir_inst_create(p, ISA_S_NOP);
            nop->i.imm = n - 1;
            nop->side_effect = true;
            mir_set_operands(nop);
            mir_insert_before(inst, nop);
            p->stats.nops++;
            missing -= n;
         }
      }
   }
}
