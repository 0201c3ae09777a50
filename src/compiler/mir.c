/* SPDX-License-Identifier: MIT */
/* Machine IR containers. */
#include "mir.h"

#define GROW(p, array, num, max) do { \
      if ((num) == (max)) { \
         uint32_t max_ = (max) ? (max) * 2 : 4; \
         void *new_ = ir_arena_alloc(&(p)->sh->arena, max_ * sizeof(*(array))); \
         if (num) \
            memcpy(new_, array, (num) * sizeof(*(array))); \
         (array) = new_; \
         (max) = max_; \
      } \
   } while (0)

struct mir_program *
mir_create(struct ir_shader *sh)
{
   struct mir_program *p = ir_alloc(sh, sizeof(*p));
   p->sh = sh;
   p->num_user_sgprs = mir_max_user_sgprs(sh);
   return p;
}

struct mir_block *
mir_block_create(struct mir_program *p)
{
   return ir_alloc(p->sh, sizeof(struct mir_block));
}

void
mir_block_place(struct mir_program *p, struct mir_block *b)
{
   GROW(p, p->blocks, p->num_blocks, p->max_blocks);
   b->index = p->num_blocks;
   p->blocks[p->num_blocks++] = b;
}

void
mir_logical_edge(struct mir_program *p, struct mir_block *from, struct mir_block *to)
{
   GROW(p, from->lsuccs, from->num_lsuccs, from->max_lsuccs);
   from->lsuccs[from->num_lsuccs++] = to;
   GROW(p, to->lpreds, to->num_lpreds, to->max_lpreds);
   to->lpreds[to->num_lpreds++] = from;
}

static void
linear_edge(struct mir_program *p, struct mir_block *from, struct mir_block *to)
{
   for (uint32_t i = 0; i < from->num_xsuccs; i++) {
      if (from->xsuccs[i] == to)
         return;
   }
   GROW(p, from->xsuccs, from->num_xsuccs, from->max_xsuccs);
   from->xsuccs[from->num_xsuccs++] = to;
   GROW(p, to->xpreds, to->num_xpreds, to->max_xpreds);
   to->xpreds[to->num_xpreds++] = from;
}

void
mir_linear_edges(struct mir_program *p)
{
   mir_foreach_block(p, b)
      b->num_xpreds = b->num_xsuccs = 0;
   mir_foreach_block(p, b) {
      mir_foreach_branch(b, inst)
         linear_edge(p, b, inst->target);
      unsigned last = b->last ? b->last->i.op : MIR_MARK;
      if (last != ISA_S_BRANCH && last != ISA_S_ENDPGM && b->index + 1 < p->num_blocks)
         linear_edge(p, b, p->blocks[b->index + 1]);
   }
}

mir_reg
mir_new_reg_aligned(struct mir_program *p, enum mir_file file, unsigned n, unsigned align)
{
   uint32_t first = p->num_units;
   if (p->max_units - first < n) {
      p->max_units = 2 * p->max_units + n + 64;
      struct mir_unit *units = ir_arena_alloc(&p->sh->arena, p->max_units * sizeof(*units));
      if (first)
         memcpy(units, p->units, first * sizeof(*units));
      p->units = units;
   }
   struct mir_unit unit = { .file = file, .size = n, .align = align, .phys = MIR_NO_PHYS };
   for (; unit.index < n; unit.index++)
      p->units[first + unit.index] = unit;
   p->num_units += n;
   return MIR_VIRT + first;
}

mir_reg
mir_new_reg(struct mir_program *p, enum mir_file file, unsigned n)
{
   return mir_new_reg_aligned(p, file, n, file == MIR_VGPR || n == 1 ? 1 : n == 2 ? 2 : 4);
}

struct mir_inst *
mir_inst_create(struct mir_program *p, unsigned op)
{
   struct mir_inst *inst = ir_arena_alloc(&p->sh->arena, sizeof(*inst));
   memset(inst, 0, offsetof(struct mir_inst, i));
   if (op < ISA_OP_COUNT) {
      isa_inst_init(&inst->i, op);
   } else {
      memset(&inst->i, 0, sizeof(inst->i));
      inst->i.op = op;
   }
   inst->pos = 0;
   inst->block = NULL;
   inst->target = NULL;
   for (unsigned i = 0; i < 2; i++)
      inst->def[i] = ISA_NONE;
   for (unsigned i = 0; i < 4; i++)
      inst->src[i] = ISA_NONE;
   p->num_insts++;
   return inst;
}

void
mir_append(struct mir_block *b, struct mir_inst *inst)
{
   inst->block = b;
   inst->prev = b->last;
   inst->next = NULL;
   if (b->last)
      b->last->next = inst;
   else
      b->first = inst;
   b->last = inst;
}

void
mir_insert_before(struct mir_inst *at, struct mir_inst *inst)
{
   inst->block = at->block;
   inst->next = at;
   inst->prev = at->prev;
   if (at->prev)
      at->prev->next = inst;
   else
      at->block->first = inst;
   at->prev = inst;
}

void
mir_insert_after(struct mir_inst *at, struct mir_inst *inst)
{
   if (at->next)
      mir_insert_before(at->next, inst);
   else
      mir_append(at->block, inst);
}

struct mir_inst *
mir_first_branch(const struct mir_block *b)
{
   struct mir_inst *inst = b->num_branches ? b->last : NULL;
   for (uint32_t left = b->num_branches; inst; inst = inst->prev) {
      if (inst->target && !--left)
         break;
   }
   return inst;
}

void
mir_remove(struct mir_inst *inst)
{
   struct mir_block *b = inst->block;
   if (b->tail == inst)
      b->tail = inst->next;
   b->num_branches -= inst->target != NULL;
   if (inst->prev)
      inst->prev->next = inst->next;
   else
      b->first = inst->next;
   if (inst->next)
      inst->next->prev = inst->prev;
   else
      b->last = inst->prev;
}

mir_reg
mir_input(struct mir_program *p, unsigned phys, enum mir_file file, unsigned count)
{
   unsigned key = file == MIR_VGPR ? 256 + phys : phys;
   if (p->inputs[key])
      return p->inputs[key];
   mir_reg r = mir_new_reg(p, file, count);
   for (unsigned i = 0; i < count; i++) {
      mir_unit(p, r + i)->phys = phys + i;
      mir_unit(p, r + i)->fixed = true;
      struct mir_inst *in = mir_inst_create(p, MIR_INPUT);
      in->def[0] = r + i;
      in->def_n[0] = 1;
      if (p->inputs_end)
         mir_insert_before(p->inputs_end, in);
      else
         mir_append(p->blocks[0], in);
   }
   return p->inputs[key] = r;
}

void
mir_early_unit(struct mir_program *p, struct mir_block *b, struct mir_block *target, uint32_t unit)
{
   if (b->num_early == MIR_MAX_EARLY)
      return; /* it is only about registers */
   GROW(p, b->early_units, b->num_early, b->max_early);
   b->early_units[b->num_early++] = unit;
   b->early_target = target;
}
