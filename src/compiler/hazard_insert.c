/* SPDX-License-Identifier: MIT */
/* Where the hardware does not interlock: wait states, and on later generations
 * the instructions that end a hazard. src/isa knows the rules of the target;
 * this pass looks back over every path for as far as any rule reaches. */
#include "target.h"

struct hazard {
   struct mir_program *p;
   enum tgsiamd_gfx gfx;
   unsigned window;
   struct isa_hazard_roles *roles; /* by mir_inst.pos */
   uint32_t *visited, walk;        /* by block: the last walk that went there */
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
      unsigned want = common ? isa_hazard_states_of(h->gfx, &at->i, &inst->i, common) : 0;
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

/* Walks every path back; each block once, as a hazard that went around a loop
 * is met on the straight way too. */
static bool
walk_back(struct hazard *h, struct isa_hazard_walk *w, const struct mir_block *b, const struct mir_inst *at)
{
   for (; at; at = at->prev) {
      enum isa_hazard_step step = isa_hazard_back(h->gfx, w, &at->i);
      if (step != ISA_HAZARD_GO_ON)
         return step == ISA_HAZARD_FOUND;
   }
   for (uint32_t i = 0; i < b->num_xpreds; i++) {
      const struct mir_block *pred = b->xpreds[i];
      struct isa_hazard_walk path = *w;
      if (h->visited[pred->index] == h->walk)
         continue;
      h->visited[pred->index] = h->walk;
      if (walk_back(h, &path, pred, pred->last)) {
         *w = path;
         return true;
      }
   }
   return false;
}

/* The hazards of the target that `inst` ends. Waits at one place are one. */
static void
end_hazards(struct hazard *h, struct mir_inst *inst, struct mir_block *b, uint32_t hazards)
{
   struct mir_inst *behind = inst;
   for (unsigned n = 0; n < ISA_HAZARD_COUNT; n++) {
      struct isa_hazard_walk w;
      struct isa_inst remedy;
      h->walk++;
      if (!(hazards >> n & 1) || !isa_hazard_begin(h->gfx, n, &inst->i, &w) || !walk_back(h, &w, b, inst->prev) ||
          !isa_hazard_remedy(h->gfx, &w, &inst->i, &remedy))
         continue;
      bool follows = isa_hazard_info(n)->behind;
      struct mir_inst *before = follows ? behind : inst->prev;
      if (before && before != inst && before->i.op == ISA_S_WAITCNT_DEPCTR && remedy.op == ISA_S_WAITCNT_DEPCTR) {
         before->i.imm &= remedy.imm;
         continue;
      }
      struct mir_inst *wait = mir_inst_create(h->p, remedy.op);
      wait->i = remedy;
      wait->side_effect = true;
      wait->pos = 0;
      mir_set_operands(wait);
      if (follows) {
         mir_insert_after(behind, wait);
         behind = wait;
      } else {
         mir_insert_before(inst, wait);
      }
   }
}

void
hazard_insert(struct mir_program *p)
{
   enum tgsiamd_gfx gfx = p->target->gfx;
   struct hazard h = { p, gfx, isa_hazard_window(gfx), NULL, NULL, 0 };
   uint32_t n = 1, firsts = 0; /* rules that anything here is the first of */
   struct isa_hazard_table table;
   isa_hazard_table(gfx, &table);
   h.roles = ir_temp_any(p->sh, (p->num_insts + 1) * sizeof(*h.roles));
   h.roles[0] = (struct isa_hazard_roles){ 0, 0 };
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         inst->pos = inst->i.op == ISA_S_NOP ? 0 : n++;
         if (inst->pos)
            h.roles[inst->pos] = isa_hazard_roles(gfx, &table, &inst->i);
         firsts |= h.roles[inst->pos].first;
      }
   }
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         if (h.roles[inst->pos].second & firsts)
            insert_nops(&h, inst, look_back(&h, inst, b, inst->prev, 0));
      }
   }
   uint32_t hazards = isa_hazard_set(gfx);
   if (!hazards)
      return;
   h.visited = ir_temp(p->sh, p->num_blocks * sizeof(*h.visited));
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst)
         end_hazards(&h, inst, b, hazards);
   }
}
