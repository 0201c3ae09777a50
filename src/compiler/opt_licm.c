/* SPDX-License-Identifier: MIT */
/* Loop-invariant code: a pure value whose sources are all made outside of a
 * loop moves in front of it. Nothing here can fault (loads are checked against
 * their descriptors), so it may run though the loop would not have come to it.
 * Values that depend on other lanes stay. A load from memory that shaders may
 * write moves as well when every round of the loop does it and nothing in there
 * writes or waits: others' writes it need not see (it is not coherent). Wants
 * plain SSA, before LCSSA. */
#include <stdlib.h>

#include "passes.h"

/* The block in front of the loop, when all entry goes through its end. */
static struct ir_block *
preheader(const struct ir_loop *loop)
{
   struct ir_block *b = loop->header->num_preds ? loop->header->preds[0] : NULL;
   return b && b->index < loop->header->index && b->term == IR_TERM_JUMP ? b : NULL;
}

static bool
can_move(const struct ir_inst *inst)
{
   uint32_t flags = ir_info(inst)->flags;
   if (!(flags & IR_F_PURE) || (flags & IR_F_CROSS) || inst->op == IR_PHI)
      return false;
   /* A load per lane in vain costs more than it is likely to save. */
   return inst->op != IR_LOAD_FMT && inst->op != IR_LOAD_ATTRIB;
}

/* Loads of the loop see the same memory in every round. */
static bool
leaves_memory_alone(const struct ir_shader *sh, const struct ir_loop *loop)
{
   for (uint32_t i = loop->header->index; i <= loop->latch->index; i++) {
      ir_foreach_inst(sh->blocks[i], inst) {
         if ((ir_info(inst)->flags & IR_F_WRITES) && inst->op != IR_KILL_IF)
            return false;
      }
   }
   return true;
}

static bool
can_move_load(const struct ir_shader *sh, const struct ir_inst *inst, uint8_t *writes)
{
   const struct ir_loop *loop = inst->block->loop;
   if (inst->op != IR_LOAD_BUF || inst->mem.glc || !loop->latch->reachable || !ir_dominates(inst->block, loop->latch))
      return false;
   uint8_t *known = &writes[loop->header->index]; /* 0: nobody asked yet, 1: no, 2: yes */
   if (!*known)
      *known = leaves_memory_alone(sh, loop) ? 1 : 2;
   return *known == 1;
}

bool
ir_opt_licm(struct ir_shader *sh)
{
   bool progress = false;
   uint8_t *writes = sh->made[IR_LOAD_BUF] ? ir_temp(sh, sh->num_blocks) : NULL; /* memory, by loop header */
   if (sh->made[IR_LOAD_BUF])
      ir_dominators(sh);
   ir_foreach_block(sh, b) {
      if (!b->loop || !b->reachable)
         continue;
      ir_foreach_inst_safe(b, inst) {
         const bool load = can_move_load(sh, inst, writes);
         if (!can_move(inst) && !load)
            continue;
         struct ir_block *to = NULL;
         /* As far out as its sources allow. */
         for (struct ir_loop *loop = b->loop; loop; loop = loop->parent) {
            bool invariant = preheader(loop) != NULL;
            for (unsigned i = 0; i < inst->num_src; i++)
               invariant &= !ir_loop_contains(loop, inst->src[i]->block);
            if (!invariant)
               break;
            if (loop->latch->reachable) /* a SWITCH is a loop of one turn: nothing is saved */
               to = preheader(loop);
            if (load)
               break; /* out of this one, which it was looked at for */
         }
         if (!to)
            continue;
         struct ir_builder at = ir_builder_at_end(sh, to);
         ir_remove(inst);
         ir_insert(&at, inst);
         progress = true;
      }
   }
   return progress;
}
