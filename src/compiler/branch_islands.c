/* SPDX-License-Identifier: MIT */
/* Branches that are longer than SOPP's 16 bits of dwords reach. Between such a
 * branch and its target an island is put into the code: a branch to the target
 * that only the long one comes to; the code around it jumps over it. That takes
 * no registers and leaves SCC and VCC alone. What is still too far gets another
 * island in the next round. */
#include <stdlib.h>

#include "mir.h"

struct island {
   uint32_t pos;             /* dwords */
   struct mir_block *target;
   struct mir_block *block;  /* NULL: not made yet */
   struct island *same;      /* the branches that go through it */
   struct mir_inst *branch;
};

static int
from_the_end(const void *x, const void *y)
{
   const struct island *a = x, *b = y;
   return a->pos > b->pos ? -1 : a->pos < b->pos;
}

static struct mir_block *
new_block(struct mir_program *p, uint32_t index)
{
   struct mir_block *b = mir_block_create(p);
   mir_block_place(p, b);
   memmove(p->blocks + index + 1, p->blocks + index, (p->num_blocks - 1 - index) * sizeof(*p->blocks));
   p->blocks[index] = b;
   return b;
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
cut(struct mir_program *p, uint32_t pos)
{
   uint32_t i = p->num_blocks - 1;
   while (i > 0 && p->blocks[i]->offset > pos)
      i--;
   struct mir_block *before = p->blocks[i];
   struct mir_inst *at = before->first;
   while (at && at->pos < pos)
      at = at->next;
   struct mir_block *jump = new_block(p, i + 1), *island = new_block(p, i + 2), *rest = new_block(p, i + 3);
   /* Where other islands look for their places later, in front of this one, only `before` counts. */
   jump->offset = island->offset = rest->offset = UINT32_MAX;
   if (at) {
      rest->first = at;
      rest->last = before->last;
      before->last = at->prev;
      if (at->prev)
         at->prev->next = NULL;
      else
         before->first = NULL;
      at->prev = NULL;
      for (; at; at = at->next) {
         at->block = rest;
         before->num_branches -= at->target != NULL;
         rest->num_branches += at->target != NULL;
      }
   }
   add_branch(p, jump, rest);
   return island;
}

/* Far branches and where their islands go. */
static struct island *
find_far(const struct mir_program *p, int64_t reach, uint32_t *num)
{
   struct island *list = NULL;
   uint32_t max = 0;
   *num = 0;
   mir_foreach_block(p, b) {
      mir_foreach_branch(b, inst) {
         int64_t distance = (int64_t)inst->target->offset - (inst->pos + 1);
         if (distance >= -reach && distance < reach)
            continue;
         if (*num == max) {
            max = max ? max * 2 : 16;
            struct island *more = realloc(list, max * sizeof(*list));
            if (!more)
               abort();
            list = more;
         }
         /* Not all of the way: islands make it longer. */
         int64_t hop = reach - reach / 8;
         list[(*num)++] = (struct island){
            .pos = inst->pos + (distance < 0 ? -hop : hop), .target = inst->target, .branch = inst,
         };
      }
   }
   return list;
}

bool
mir_add_islands(struct mir_program *p, int64_t reach)
{
   uint32_t num;
   struct island *list = find_far(p, reach, &num);
   if (num)
      qsort(list, num, sizeof(*list), from_the_end);
   for (uint32_t i = 0; i < num; i++) {
      struct island *own = NULL;
      /* Another's, if it lies near: the list goes from the end of the code. */
      for (uint32_t k = i; k-- > 0 && !own && list[k].pos - list[i].pos < reach / 16;) {
         if (list[k].target == list[i].target && list[k].block)
            own = &list[k];
      }
      if (!own) {
         list[i].block = cut(p, list[i].pos);
         add_branch(p, list[i].block, list[i].target);
         own = &list[i];
      }
      list[i].branch->target = own->block;
   }
   free(list);
   for (uint32_t i = 0; i < p->num_blocks; i++)
      p->blocks[i]->index = i;
   return num != 0;
}
