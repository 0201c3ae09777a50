/* SPDX-License-Identifier: MIT */
/* s_nop where the hardware does not interlock: src/isa knows the rules, this
 * pass looks back over every path for as far as any rule reaches. */
#include "mir.h"

struct hazard {
   struct mir_program *p;
   unsigned window;
   struct isa_hazard_roles *roles; /* by mir_inst.pos */
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
   uint32_t second = h->roles[inst->pos].second;
   unsigned missing = 0;
   for (; at; at = at->prev) {
      if (done >= h->window)
         return missing;
      uint32_t common = h->roles[at->pos].first & second;
      unsigned want = common ? isa_hazard_states_of(h->p->sh->gfx, &at->i, &inst->i, common) : 0;
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

static void
insert_nops(struct hazard *h, struct mir_inst *before, unsigned states)
{
   for (unsigned n; states; states -= n) {
      struct mir_inst *nop = mir_inst_create(h->p, ISA_S_NOP);
      n = states > 8 ? 8 : states;
      nop->i.imm = n - 1;
      nop->side_effect = true;
      nop->pos = 0; /* takes part in no hazard */
      mir_set_operands(nop);
      mir_insert_before(before, nop);
      h->p->stats.nops++;
   }
}

void
hazard_insert(struct mir_program *p)
{
   struct hazard h = { p, isa_hazard_window(p->sh->gfx), NULL };
   uint32_t n = 1, firsts = 0; /* rules that anything here is the first of */
   h.roles = ir_temp_any(p->sh, (p->num_insts + 1) * sizeof(*h.roles));
   h.roles[0] = (struct isa_hazard_roles){ 0, 0 };
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         inst->pos = inst->i.op == ISA_S_NOP ? 0 : n++;
         if (inst->pos)
            h.roles[inst->pos] = isa_hazard_roles(p->sh->gfx, &inst->i);
         firsts |= h.roles[inst->pos].first;
      }
   }
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         if (h.roles[inst->pos].second & firsts)
            insert_nops(&h, inst, look_back(&h, inst, b, inst->prev, 0));
      }
   }
}
