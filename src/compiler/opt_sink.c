/* SPDX-License-Identifier: MIT */
/* Arithmetic moves towards its uses where that saves running it: into the arm
 * of a branch when all uses are in there, and behind a kill that ends waves
 * early when it waits for memory anyway. Never into a loop, and never what
 * other lanes read (derivatives, samples) or loads: those want to start early.
 * Wants plain SSA, before LCSSA. */
#include "passes.h"

struct state {
   struct ir_shader *sh;
   struct ir_block **place; /* by id: dominates all uses seen; NULL: none yet */
   struct ir_block **arm;   /* by block */
   uint32_t *part;          /* by id: earliest use in the value's block, as the number of kills behind it */
   bool *late;              /* by id: waits for a load */
   struct ir_inst **kills;  /* of the block being walked, from its end */
   uint32_t num_kills, max_kills;
   uint32_t loaded;         /* dwords, in that block */
   bool kill;               /* there is one: else `part`, `late` and `loaded` are of no interest */
   bool progress;
};

/* Dwords loaded in a block with a kill: with more, too many registers would be
 * alive at the kill. */
#define MAX_LOADED 24

static void
used_in(struct state *s, ir_val v, struct ir_block *b)
{
   struct ir_block *old = s->place[v->id];
   s->place[v->id] = old ? ir_common_dominator(old, b) : b;
}

static const bool is_load[IR_OP_COUNT] = {
   [IR_TEX] = true, [IR_IMG_LOAD] = true, [IR_LOAD_BUF] = true, [IR_LOAD_FMT] = true, [IR_LOAD_SCRATCH] = true,
   [IR_LOAD_LDS] = true,
};

/* Pure, and yet not worth moving or wanted early. */
static const bool stays[IR_OP_COUNT] = {
   [IR_PHI] = true, [IR_CONST] = true, [IR_UNDEF] = true, [IR_SYSVAL] = true, [IR_LOAD_CONST] = true,
   [IR_LOAD_DESC] = true, [IR_LOAD_DESC_AT] = true, [IR_LIST_ADDR] = true, [IR_TABLE] = true, [IR_LOAD_ATTRIB] = true,
   [IR_TEX] = true, [IR_LOAD_FMT] = true,
};

static inline bool
can_move(const struct ir_inst *inst)
{
   return !stays[inst->op] && (ir_info(inst)->flags & (IR_F_PURE | IR_F_CROSS)) == IR_F_PURE;
}

/* A dominator of the block, or itself, that lies in the loop and in no loop inside. */
static struct ir_block *
leave_inner_loops(struct ir_block *b, const struct ir_loop *loop)
{
   while (b->loop != loop)
      b = b->loop->header->idom;
   return b;
}

/* The innermost arm that each block is in, in the block's own loop. */
static void
find_arms(struct state *s)
{
   ir_foreach_block(s->sh, b) {
      const struct ir_block *pred = b->num_preds == 1 ? b->preds[0] : NULL;
      bool is_header = b->loop && b->loop->header == b;
      if (!b->reachable || is_header || !b->index)
         s->arm[b->index] = NULL;
      else if (pred && pred->term == IR_TERM_IF)
         s->arm[b->index] = b;
      else
         s->arm[b->index] = s->arm[leave_inner_loops(b->idom, b->loop)->index];
   }
}

/* The innermost arm on the way from `place` up to `from`, in the same loop. */
static struct ir_block *
find_arm(const struct state *s, const struct ir_block *from, struct ir_block *place)
{
   if (from->loop && !ir_loop_contains(from->loop, place))
      place = from->loop->exit->idom;
   struct ir_block *arm = s->arm[leave_inner_loops(place, from->loop)->index];
   return arm && arm->index > from->index ? arm : NULL;
}

static void
move_before(struct state *s, struct ir_inst *inst, struct ir_block *block, struct ir_inst *at)
{
   struct ir_builder b = at ? ir_builder_before(s->sh, at) : ir_builder_at_end(s->sh, block);
   ir_remove(inst);
   ir_insert(&b, inst);
   s->progress = true;
}

static struct ir_inst *
behind_phis(struct ir_block *b)
{
   struct ir_inst *inst = b->first;
   while (inst && inst->op == IR_PHI)
      inst = inst->next;
   return inst;
}

/* Moves the instruction when its uses allow. Users have moved before, so what
 * goes to the same place goes in front of them. Returns its part of the block. */
static uint32_t
sink(struct state *s, struct ir_block *b, struct ir_inst *inst)
{
   struct ir_block *place = s->place[inst->id];
   if (!place || !can_move(inst))
      return s->num_kills;
   struct ir_block *arm = find_arm(s, b, place);
   if (arm) {
      move_before(s, inst, arm, behind_phis(arm));
      return 0;
   }
   uint32_t part = s->part[inst->id];
   if (part == s->num_kills || !s->late[inst->id] || s->loaded > MAX_LOADED)
      return s->num_kills;
   move_before(s, inst, b, s->kills[part]->next);
   return part;
}

static void
add_kill(struct state *s, struct ir_inst *inst)
{
   if (s->num_kills == s->max_kills)
      s->kills = ir_temp_grow(s->sh, s->kills, &s->max_kills, sizeof(*s->kills));
   s->kills[s->num_kills++] = inst;
}

static void
walk_block(struct state *s, struct ir_block *b)
{
   s->num_kills = s->loaded = 0;
   for (struct ir_inst *inst = s->kill ? b->first : NULL; inst; inst = inst->next)
      s->loaded += is_load[inst->op] ? inst->comps : 0;
   if (b->term == IR_TERM_IF)
      used_in(s, b->cond, b);
   ir_foreach_inst_reverse_safe(b, inst) {
      if (inst->op == IR_PHI)
         break;
      if (inst->op == IR_KILL_IF)
         add_kill(s, inst);
      uint32_t part = sink(s, b, inst);
      for (unsigned i = 0; i < inst->num_src; i++) {
         ir_val v = inst->src[i];
         if (!can_move(v))
            continue; /* looking for the place takes time */
         used_in(s, v, inst->block);
         if (inst->block == b && v->block == b && part > s->part[v->id])
            s->part[v->id] = part;
      }
   }
}

static void
find_late(struct state *s)
{
   ir_foreach_block(s->sh, b) {
      ir_foreach_inst(b, inst) {
         bool late = is_load[inst->op];
         for (unsigned i = 0; i < inst->num_src && inst->op != IR_PHI; i++)
            late |= s->late[inst->src[i]->id];
         s->late[inst->id] = late;
      }
   }
}

/* Values of phis are used at the ends of their predecessors. */
static void
walk_phis(struct state *s)
{
   ir_foreach_block(s->sh, b) {
      for (struct ir_inst *phi = b->first; phi && phi->op == IR_PHI; phi = phi->next) {
         for (unsigned i = 0; i < phi->num_src; i++) {
            if (can_move(phi->src[i]))
               used_in(s, phi->src[i], b->preds[i]);
         }
      }
   }
}

bool
ir_opt_sink(struct ir_shader *sh)
{
   struct state s = { .sh = sh };
   if (sh->num_blocks == 1 && !sh->made[IR_KILL_IF])
      return false;
   s.kill = sh->made[IR_KILL_IF];
   s.place = ir_temp(sh, (sh->num_ids + 1) * sizeof(*s.place));
   s.part = ir_temp(sh, (sh->num_ids + 1) * sizeof(*s.part));
   s.late = ir_temp_any(sh, (sh->num_ids + 1) * sizeof(*s.late));
   s.arm = ir_temp_any(sh, sh->num_blocks * sizeof(*s.arm));
   ir_dominators(sh);
   find_arms(&s);
   if (s.kill)
      find_late(&s);
   walk_phis(&s);
   for (uint32_t i = sh->num_blocks; i-- > 0;) {
      if (sh->blocks[i]->reachable)
         walk_block(&s, sh->blocks[i]);
   }
   return s.progress;
}
