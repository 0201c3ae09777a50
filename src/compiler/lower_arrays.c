/* SPDX-License-Identifier: MIT */
/* Arrays with a computed index: each element becomes a scalar variable, a load
 * a tree of selects over the index bits, a store a select per element. Constant
 * indices touch one element. */
#include "passes.h"

#define MAX_ARRAY 256

static ir_val
load_tree(struct ir_builder *b, const ir_val *elems, unsigned n, const ir_val *bits, unsigned level)
{
   if (n == 1)
      return elems[0];
   unsigned half = 1u << level;
   if (half >= n)
      return load_tree(b, elems, n, bits, level - 1);
   ir_val low = load_tree(b, elems, half, bits, level ? level - 1 : 0);
   ir_val high = load_tree(b, elems + half, n - half, bits, level ? level - 1 : 0);
   return ir_select(b, bits[level], high, low);
}

static ir_val
lower_load(struct ir_builder *b, uint32_t first, unsigned n, ir_val index)
{
   ir_val elems[MAX_ARRAY], bits[8];
   unsigned levels = 0;
   for (unsigned i = 0; i < n; i++)
      elems[i] = ir_load_var(b, first + i);
   while ((1u << levels) < n) {
      bits[levels] = ir_i2b(b, ir_iand(b, index, ir_imm(b, 1u << levels)));
      levels++;
   }
   return load_tree(b, elems, n, bits, levels ? levels - 1 : 0);
}

static void
lower_store(struct ir_builder *b, uint32_t first, unsigned n, ir_val index, ir_val value)
{
   for (unsigned i = 0; i < n; i++) {
      ir_val old = ir_load_var(b, first + i);
      ir_store_var(b, first + i, ir_select(b, ir_ieq(b, index, ir_imm(b, i)), value, old));
   }
}

void
ir_lower_arrays(struct ir_shader *sh)
{
   uint32_t num = sh->num_vars;
   uint32_t *first = ir_alloc(sh, (num + 1) * sizeof(*first));
   for (uint32_t v = 0; v < num; v++) {
      uint32_t length = sh->vars[v].length;
      if (length <= 1)
         continue;
      if (length > MAX_ARRAY) {
         ir_error(sh, "array of %u dwords with a computed index (limit %u)", length, MAX_ARRAY);
         return;
      }
      first[v] = sh->num_vars;
      for (uint32_t i = 0; i < length; i++)
         ir_var(sh, NULL);
   }
   ir_val *map = ir_alloc(sh, (sh->num_ids + 1) * sizeof(*map));
   uint32_t ids = sh->num_ids;
   bool any = false;
   ir_foreach_block(sh, blk) {
      ir_foreach_inst_safe(blk, inst) {
         if (inst->op != IR_LOAD_ARRAY && inst->op != IR_STORE_ARRAY)
            continue;
         any = true;
         struct ir_builder b = ir_builder_before(sh, inst);
         uint32_t var = inst->imm, length = sh->vars[var].length;
         ir_val index = ir_map_find(map, ids, inst->src[0]);
         bool scalar = length <= 1 || index->op == IR_CONST;
         uint32_t elem = length <= 1 ? var : first[var];
         if (scalar && length > 1)
            elem += index->imm < length ? index->imm : 0;
         bool outside = index->op == IR_CONST && index->imm >= length;
         if (inst->op == IR_LOAD_ARRAY)
            map[inst->id] = scalar ? ir_load_var(&b, elem) : lower_load(&b, elem, length, index);
         else if (scalar && !outside)
            ir_store_var(&b, elem, inst->src[1]);
         else if (!scalar)
            lower_store(&b, elem, length, index, inst->src[1]);
         ir_remove(inst);
      }
   }
   if (any)
      ir_rewrite_uses(sh, map, ids);
   for (uint32_t v = 0; v < num; v++) {
      if (sh->vars[v].length > 1)
         sh->vars[v].length = 0; /* gone */
   }
}
