/* SPDX-License-Identifier: MIT */
/* Descriptors that lie in one cache line of a list come with one scalar load:
 * a texture's T# and S#, the V#s of neighbouring vertex elements. The parts
 * become units of one wide group. */
#include <stdlib.h>

#include "mir.h"

#define LINE     64
#define MAX_LOADS 256
#define MANY      8 /* with more of them smaller groups find room between each other sooner */

static bool
is_descriptor_load(const struct mir_inst *inst)
{
   return (inst->i.op == ISA_S_LOAD_DWORDX4 || inst->i.op == ISA_S_LOAD_DWORDX8) && mir_is_virt(inst->def[0]) &&
          inst->src[1] == ISA_NONE;
}

static int
by_place(const void *x, const void *y)
{
   const struct mir_inst *a = *(struct mir_inst *const *)x, *b = *(struct mir_inst *const *)y;
   if (a->src[0] != b->src[0])
      return a->src[0] < b->src[0] ? -1 : 1;
   if (a->i.offset != b->i.offset)
      return a->i.offset < b->i.offset ? -1 : 1;
   return a->pos < b->pos ? -1 : a->pos > b->pos;
}

/* One load for loads[0..n-1], which lie in one line and begin at different
 * offsets; `to` gets the new unit of each old one. */
static bool
merge(struct mir_program *p, struct mir_inst **loads, uint32_t n, mir_reg *to)
{
   int32_t lo = loads[0]->i.offset, hi = loads[n - 1]->i.offset + 4 * loads[n - 1]->def_n[0];
   unsigned size = hi - lo > 32 ? 16 : 8, used = 0;
   struct mir_inst *first = loads[0];
   if (lo / LINE * LINE + LINE < lo + 4 * (int)size)
      lo = lo / LINE * LINE + LINE - 4 * size;
   for (uint32_t i = 0; i < n; i++) {
      used += loads[i]->def_n[0];
      if (loads[i]->pos < first->pos)
         first = loads[i];
   }
   if (used * 3 < size * 2)
      return false;
   struct mir_inst *wide = mir_inst_create(p, size == 16 ? ISA_S_LOAD_DWORDX16 : ISA_S_LOAD_DWORDX8);
   wide->def[0] = mir_new_reg(p, MIR_SGPR, size);
   wide->def_n[0] = size;
   wide->src[0] = first->src[0];
   wide->src_n[0] = 2;
   wide->i.offset = lo;
   mir_insert_before(first, wide);
   for (uint32_t i = 0; i < n; i++) {
      for (unsigned k = 0; k < loads[i]->def_n[0]; k++)
         to[mir_unit_id(loads[i]->def[0]) + k] = wide->def[0] + (loads[i]->i.offset - lo) / 4 + k;
      mir_remove(loads[i]);
   }
   return true;
}

static bool
merge_block(struct mir_program *p, struct mir_block *b, mir_reg *to)
{
   struct mir_inst *loads[MAX_LOADS];
   uint32_t n = 0, pos = 0;
   bool progress = false;
   mir_foreach_inst(b, inst) {
      inst->pos = pos++;
      if (n < MAX_LOADS && is_descriptor_load(inst))
         loads[n++] = inst;
   }
   if (n < 2 || n > MANY)
      return false;
   qsort(loads, n, sizeof(*loads), by_place);
   for (uint32_t i = 0; i < n;) {
      uint32_t end = i + 1;
      while (end < n && loads[end]->src[0] == loads[i]->src[0] &&
             loads[end]->i.offset / LINE == loads[i]->i.offset / LINE &&
             loads[end]->i.offset >= loads[end - 1]->i.offset + 4 * loads[end - 1]->def_n[0])
         end++;
      uint32_t n_here = end - i;
      while (n_here > 1 && !merge(p, &loads[i], n_here, to))
         n_here--;
      progress |= n_here > 1;
      i += n_here;
   }
   return progress;
}

static void
rename_regs(mir_reg *r, unsigned n, uint32_t num, const mir_reg *to)
{
   for (const mir_reg *end = r + n; r < end; r++) {
      if (mir_is_virt(*r) && mir_unit_id(*r) < num && to[mir_unit_id(*r)])
         *r = to[mir_unit_id(*r)];
   }
}

void
mir_merge_descriptors(struct mir_program *p)
{
   uint32_t num = p->num_units;
   mir_reg *to = calloc(num + 1, sizeof(*to));
   bool progress = false;
   if (!to) {
      ir_error(p->sh, "out of memory");
      return;
   }
   mir_foreach_block(p, b)
      progress |= merge_block(p, b, to);
   if (progress) {
      mir_foreach_block(p, b) {
         for (uint32_t i = 0; i < b->num_early; i++) {
            if (to[b->early_units[i]])
               b->early_units[i] = mir_unit_id(to[b->early_units[i]]);
         }
         mir_foreach_inst(b, inst) {
            rename_regs(inst->def, 2, num, to);
            rename_regs(inst->src, 4, num, to);
         }
      }
   }
   free(to);
}
