/* SPDX-License-Identifier: MIT */
/* Branches that are longer than SOPP's 16 bits of dwords reach. On the way to the
 * target of such branches islands are put into the code, each a branch to the next one
 * and the last to the target; the code around jumps over them. That takes no registers
 * and leaves SCC and VCC alone. All branches to a target from one side share a chain,
 * whose islands stand at multiples of a hop from it: no more of them than the code has
 * hops, for each target. What the islands themselves have moved too far apart gets
 * others in the next round. */
#include <stdlib.h>

#include "mir.h"

struct island { uint32_t pos; struct mir_block *target, *block; };

/* Far branches, and how long the chain of each target is on either side. */
struct far {
   struct far_branch { struct mir_inst *inst; uint32_t chain, hops; } *branches;
   uint32_t num, max;
   uint32_t *longest;        /* by chain: 2 * target's index + whether it stands behind the target */
   uint32_t *first;          /* by chain: its islands */
};

/* Cuts are made from the end of the code: where, and what comes behind that block. */
struct cuts {
   struct cut { uint32_t at; struct mir_block *jump, *island, *rest; } *list;
   uint32_t num, at;
};

static int
from_the_end(const void *x, const void *y)
{
   const struct island *a = *(struct island *const *)x, *b = *(struct island *const *)y;
   if (a->pos != b->pos)
      return a->pos > b->pos ? -1 : 1;
   return a < b ? -1 : a > b;
}

static void
add_branch(struct mir_program *p, struct mir_block *b, struct mir_block *target)
{
   struct mir_inst *inst = mir_inst_create(p, ISA_S_BRANCH);
   mir_append(b, inst);
   mir_set_target(inst, target);
}

/* Cuts the code at the first instruction from `pos` on; the block for an island there. */
static struct mir_block *
cut(struct mir_program *p, struct cuts *cuts, uint32_t pos)
{
   while (cuts->at > 0 && p->blocks[cuts->at]->offset > pos)
      cuts->at--;
   struct mir_block *before = p->blocks[cuts->at];
   struct cut *c = &cuts->list[cuts->num++];
   *c = (struct cut){ cuts->at, mir_block_create(p), mir_block_create(p), mir_block_create(p) };
   while (before->last && before->last->pos >= pos) {
      struct mir_inst *inst = before->last;
      mir_remove(inst);
      if (c->rest->first)
         mir_insert_before(c->rest->first, inst);
      else
         mir_append(c->rest, inst);
      c->rest->num_branches += inst->target != NULL;
   }
   add_branch(p, c->jump, c->rest);
   return c->island;
}

/* The new blocks behind those that were cut. */
static void
place_blocks(struct mir_program *p, const struct cuts *cuts)
{
   uint32_t to = p->num_blocks + 3 * cuts->num, c = 0;
   struct mir_block **all = ir_alloc(p->sh, to * sizeof(*all));
   p->max_blocks = to;
   for (uint32_t i = p->num_blocks; i-- > 0;) {
      for (; c < cuts->num && cuts->list[c].at == i; c++) {
         all[--to] = cuts->list[c].rest;
         all[--to] = cuts->list[c].island;
         all[--to] = cuts->list[c].jump;
      }
      all[--to] = p->blocks[i];
   }
   p->blocks = all;
   p->num_blocks = p->max_blocks;
   for (uint32_t i = 0; i < p->num_blocks; i++)
      all[i]->index = i;
}

static void
find_far(const struct mir_program *p, int64_t reach, int64_t hop, struct far *far)
{
   mir_foreach_block(p, b) {
      mir_foreach_branch(b, inst) {
         int64_t distance = (int64_t)inst->target->offset - (inst->pos + 1);
         if (distance >= -reach && distance < reach)
            continue;
         if (far->num == far->max)
            far->branches = ir_temp_grow(p->sh, far->branches, &far->max, sizeof(*far->branches));
         uint32_t chain = 2 * inst->target->index + (distance < 0);
         uint32_t hops = (distance < 0 ? -distance : distance) / hop;
         far->branches[far->num++] = (struct far_branch){ inst, chain, hops };
         if (hops > far->longest[chain])
            far->longest[chain] = hops;
      }
   }
}

/* Places of all chains' islands; returns how many there are. */
static uint32_t
place_chains(const struct mir_program *p, struct far *far, int64_t hop, struct island **islands)
{
   uint32_t num = 0;
   for (uint32_t c = 0; c < 2 * p->num_blocks; c++) {
      far->first[c] = num;
      num += far->longest[c];
   }
   *islands = ir_temp_any(p->sh, num * sizeof(**islands));
   for (uint32_t c = 0; c < 2 * p->num_blocks; c++) {
      struct mir_block *target = p->blocks[c / 2];
      for (uint32_t k = 0; k < far->longest[c]; k++) {
         int64_t away = (k + 1) * hop;
         (*islands)[far->first[c] + k] = (struct island){ target->offset + (c & 1 ? away : -away), target, NULL };
      }
   }
   return num;
}

bool
mir_add_islands(struct mir_program *p, int64_t reach)
{
   const int64_t hop = reach - reach / 8; /* not all of the way: islands make it longer */
   struct far far = {0};
   struct island *islands;
   far.longest = ir_temp(p->sh, 2 * p->num_blocks * sizeof(*far.longest));
   find_far(p, reach, hop, &far);
   if (!far.num)
      return false;
   far.first = ir_temp_any(p->sh, 2 * p->num_blocks * sizeof(*far.first));
   const uint32_t num = place_chains(p, &far, hop, &islands);
   struct island **order = ir_temp_any(p->sh, num * sizeof(*order));
   struct cuts cuts = { ir_temp_any(p->sh, num * sizeof(*cuts.list)), 0, p->num_blocks - 1 };
   for (uint32_t i = 0; i < num; i++)
      order[i] = &islands[i];
   qsort(order, num, sizeof(*order), from_the_end);
   for (uint32_t i = 0; i < num; i++)
      order[i]->block = cut(p, &cuts, order[i]->pos);
   for (uint32_t c = 0; c < 2 * p->num_blocks; c++) {
      for (uint32_t k = 0; k < far.longest[c]; k++) {
         struct island *i = &islands[far.first[c] + k];
         add_branch(p, i->block, k ? i[-1].block : i->target);
      }
   }
   for (uint32_t i = 0; i < far.num; i++) {
      const struct far_branch *b = &far.branches[i];
      mir_set_target(b->inst, islands[far.first[b->chain] + b->hops - 1].block);
   }
   place_blocks(p, &cuts);
   return true;
}
