/* SPDX-License-Identifier: MIT */
/* Arrays with a computed index. Small ones: each element becomes a scalar
 * variable, a load a tree of selects over the index bits, a store a select per
 * element that the index can mean; constant indices touch one element. Large
 * ones live in scratch memory; indices outside wrap into the array's own memory. */
#include "passes.h"

#define MAX_ARRAY 16 /* dwords kept in registers */

/* Every stride-th element from `first` on is one that the index can mean; the
 * low bits of `number` tell which of those. */
struct choice { ir_val number; unsigned first, stride; };

#define MAX_BACK 256 /* instructions */

/* What a variable holds at this place, if it was set in this block. */
static ir_val
value_of(ir_val load)
{
   unsigned n = 0;
   for (struct ir_inst *inst = load->prev; inst && n++ < MAX_BACK; inst = inst->prev) {
      if (inst->op == IR_STORE_VAR && inst->imm == load->imm)
         return ir_now(inst->src[0]);
   }
   return NULL;
}

/* Takes an index apart: x << k plus a constant, as in arrays of matrices. With
 * powers of two low bits are exact whatever the sum wraps to. */
static struct choice
find_choice(struct ir_builder *b, ir_val index)
{
   struct choice all = { index, 0, 1 };
   uint32_t offset = 0, k = 0;
   ir_val x = index;
   for (unsigned depth = 0; depth < 8 && x; depth++) {
      if (x->op == IR_LOAD_VAR) {
         x = value_of(x);
      } else if (x->op == IR_IADD && ir_now(x->src[1])->op == IR_CONST) {
         offset += ir_now(x->src[1])->imm;
         x = ir_now(x->src[0]);
      } else {
         break;
      }
   }
   if (!x || (x->op != IR_SHL && x->op != IR_IMUL) || ir_now(x->src[1])->op != IR_CONST)
      return all;
   uint32_t c = ir_now(x->src[1])->imm;
   if (x->op == IR_IMUL && (!c || c & (c - 1)))
      return all;
   k = x->op == IR_SHL ? c & 31 : (uint32_t)__builtin_ctz(c);
   if (!k || k > 4)
      return all;
   ir_val number = ir_now(x->src[0]);
   if (offset >> k)
      number = ir_iadd(b, number, ir_imm(b, (uint32_t)((int32_t)offset >> k)));
   return (struct choice){ number, offset & ((1u << k) - 1), 1u << k };
}

/* Level by level: the selects of one bit stand together. */
static ir_val
lower_load(struct ir_builder *b, uint32_t first, unsigned length, ir_val index)
{
   ir_val elems[MAX_ARRAY];
   const struct choice c = find_choice(b, index);
   unsigned n = 0;
   for (unsigned i = c.first; i < length; i += c.stride)
      elems[n++] = ir_load_var(b, first + i);
   if (!n)
      return ir_imm(b, 0);
   for (unsigned bit = 1; n > 1; bit *= 2) {
      ir_val odd = ir_i2b(b, ir_iand(b, c.number, ir_imm(b, bit)));
      for (unsigned i = 0; 2 * i < n; i++)
         elems[i] = 2 * i + 1 < n ? ir_select(b, odd, elems[2 * i + 1], elems[2 * i]) : elems[2 * i];
      n = (n + 1) / 2;
   }
   return elems[0];
}

static void
lower_store(struct ir_builder *b, uint32_t first, unsigned length, ir_val index, ir_val value)
{
   const struct choice c = find_choice(b, index);
   for (unsigned i = c.first; i < length; i += c.stride) {
      ir_val old = ir_load_var(b, first + i);
      ir_store_var(b, first + i, ir_select(b, ir_ieq(b, index, ir_imm(b, i)), value, old));
   }
}

/* Arrays that only constants index cost nothing as variables. */
static bool *
find_computed(struct ir_shader *sh)
{
   bool *computed = ir_alloc(sh, sh->num_vars + 1);
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst) {
         if (inst->op == IR_LOAD_ARRAY || inst->op == IR_STORE_ARRAY)
            computed[inst->imm] |= inst->src[0]->op != IR_CONST;
      }
   }
   return computed;
}

struct array { uint32_t first, scratch; bool in_scratch; };

static ir_val
scratch_offset(struct ir_builder *b, ir_val index, unsigned length)
{
   return ir_shl(b, ir_umin(b, index, ir_imm(b, length - 1)), ir_imm(b, 2));
}

static ir_val
scratch_access(struct ir_shader *sh, struct ir_builder *b, const struct ir_inst *inst, ir_val index,
               const struct array *a, unsigned length)
{
   bool load = inst->op == IR_LOAD_ARRAY;
   ir_val offset = scratch_offset(b, index, length);
   struct ir_inst *m = ir_inst_create(sh, load ? IR_LOAD_SCRATCH : IR_STORE_SCRATCH, load ? 1 : 0, load ? 1 : 2);
   m->src[0] = offset;
   if (!load)
      m->src[1] = inst->src[1];
   m->mem.offset = a->scratch * 4;
   ir_insert(b, m);
   return m;
}

static ir_val
lower_access(struct ir_shader *sh, struct ir_builder *b, struct ir_inst *inst, ir_val index, const struct array *a)
{
   uint32_t length = sh->vars[inst->imm].length;
   if (a->in_scratch)
      return scratch_access(sh, b, inst, index, a, length);
   bool scalar = length <= 1 || index->op == IR_CONST;
   uint32_t elem = length <= 1 ? inst->imm : a->first;
   if (scalar && length > 1)
      elem += index->imm < length ? index->imm : 0;
   bool outside = index->op == IR_CONST && index->imm >= length;
   if (inst->op == IR_LOAD_ARRAY)
      return scalar ? ir_load_var(b, elem) : lower_load(b, elem, length, index);
   if (scalar && !outside)
      ir_store_var(b, elem, inst->src[1]);
   else if (!scalar)
      lower_store(b, elem, length, index, inst->src[1]);
   return NULL;
}

void
ir_lower_arrays(struct ir_shader *sh)
{
   uint32_t num = sh->num_vars;
   if (!sh->made[IR_LOAD_ARRAY] && !sh->made[IR_STORE_ARRAY])
      return;
   struct array *arrays = ir_alloc(sh, (num + 1) * sizeof(*arrays));
   const bool *computed = find_computed(sh);
   for (uint32_t v = 0; v < num; v++) {
      uint32_t length = sh->vars[v].length;
      if (length <= 1)
         continue;
      if (length > MAX_ARRAY && computed[v]) {
         arrays[v].in_scratch = true;
         arrays[v].scratch = sh->scratch_dwords;
         sh->scratch_dwords += length;
         continue;
      }
      arrays[v].first = sh->num_vars;
      for (uint32_t i = 0; i < length; i++)
         ir_var(sh, NULL);
   }
   ir_foreach_block(sh, blk) {
      ir_foreach_inst_safe(blk, inst) {
         if (inst->op != IR_LOAD_ARRAY && inst->op != IR_STORE_ARRAY)
            continue;
         struct ir_builder b = ir_builder_before(sh, inst);
         ir_val r = lower_access(sh, &b, inst, ir_now(inst->src[0]), &arrays[inst->imm]);
         ir_replace(inst, r);
      }
   }
   ir_update_uses(sh);
   for (uint32_t v = 0; v < num; v++) {
      if (sh->vars[v].length > 1)
         sh->vars[v].length = 0; /* gone */
   }
}
