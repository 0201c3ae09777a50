/* SPDX-License-Identifier: MIT */
/* Vector results of loads: unused components are not loaded, and dword loads
 * from neighbouring offsets of one constant buffer become one wide load. */
#include "passes.h"

/* Keeps only the components in `used`; inst->imm then maps old to new ones. */
static bool
shrink(struct ir_inst *inst, unsigned used)
{
   if (inst->op == IR_TEX) {
      if (inst->tex.op == IR_TEX_GATHER4)
         return false;
      unsigned n = 0, dmask = 0;
      uint8_t to[4] = {0};
      for (unsigned i = 0, c = 0; i < 4; i++) {
         if (!(inst->tex.dmask >> i & 1))
            continue;
         if (used >> c & 1) {
            dmask |= 1u << i;
            to[c] = n++;
         }
         c++;
      }
      if (!n || n == inst->comps)
         return false;
      inst->tex.dmask = dmask;
      inst->comps = n;
      memcpy(&inst->imm, to, 4); /* new place of each old component, for the caller */
      return true;
   }
   /* Buffer loads give leading components. */
   unsigned n = 32 - __builtin_clz(used);
   if (n >= inst->comps)
      return false;
   inst->comps = n;
   static const uint8_t same[4] = { 0, 1, 2, 3 };
   memcpy(&inst->imm, same, 4);
   return true;
}

static bool
shrink_all(struct ir_shader *sh)
{
   uint16_t *used = ir_temp(sh, sh->num_ids * sizeof(*used));
   bool progress = false;
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < inst->num_src; i++)
            used[inst->src[i]->id] |= inst->op == IR_EXTRACT ? 1u << inst->imm : 0xffff;
      }
   }
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst) {
         inst->pass_flags = 0;
         if (inst->comps > 1 && inst->comps <= 4 && used[inst->id] && used[inst->id] != 0xffff &&
             (inst->op == IR_TEX || inst->op == IR_LOAD_FMT || inst->op == IR_LOAD_CONST || inst->op == IR_LOAD_BUF)) {
            if (shrink(inst, used[inst->id])) {
               inst->pass_flags = 1;
               progress = true;
            }
         }
      }
   }
   if (progress) {
      ir_foreach_block(sh, b) {
         ir_foreach_inst(b, inst) {
            if (inst->op == IR_EXTRACT && inst->src[0]->pass_flags)
               inst->imm = ((const uint8_t *)&inst->src[0]->imm)[inst->imm];
         }
      }
      ir_foreach_block(sh, b) {
         ir_foreach_inst(b, inst) {
            if (inst->pass_flags)
               inst->imm = 0;
         }
      }
   }
   return progress;
}

/* A load in the list that is sorted, by key, then by id. */
struct place { uint64_t key; uint32_t id; struct ir_inst *load; };

static inline bool
is_before(const struct place *x, const struct place *y)
{
   return x->key != y->key ? x->key < y->key : x->id < y->id;
}

/* Shell's way: nobody's comparison is called, and lists are short. */
static void
sort(struct place *list, uint32_t n)
{
   static const uint16_t gaps[] = { 301, 132, 57, 23, 10, 4, 1 };
   for (unsigned g = 0; g < sizeof(gaps) / sizeof(*gaps); g++) {
      for (uint32_t i = gaps[g], gap = i; i < n; i++) {
         struct place it = list[i];
         uint32_t at = i;
         for (; at >= gap && is_before(&it, &list[at - gap]); at -= gap)
            list[at] = list[at - gap];
         list[at] = it;
      }
   }
}

#define LINE 64 /* bytes of a cache line */

/* Dwords of the load that covers loads first..end-1, all in one line, and its
 * first byte; 0 when that would fetch more than twice what is used. */
static uint32_t
cover(struct ir_inst *const *loads, uint32_t first, uint32_t end, bool windows, uint32_t *base)
{
   uint32_t lo = loads[first]->mem.offset, hi = loads[end - 1]->mem.offset + 4, used = 1, size = 1;
   for (uint32_t k = first + 1; k < end; k++)
      used += loads[k]->mem.offset != loads[k - 1]->mem.offset;
   if (windows && hi - lo > 32)
      return 0;
   while (size * 4 < hi - lo)
      size *= 2;
   if (lo / LINE * LINE + LINE < lo + size * 4)
      lo = lo / LINE * LINE + LINE - size * 4; /* stay in the line */
   *base = lo;
   return used * 2 >= size ? size : 0;
}

#define MAX_LOADS   512
#define MAX_KEPT    64  /* dwords that a block may keep in SGPRs for all of its length */
#define WINDOW      192 /* instructions that share a load otherwise */

static uint32_t
distinct(struct ir_inst *const *loads, uint32_t n)
{
   uint32_t sum = n != 0;
   for (uint32_t i = 1; i < n; i++)
      sum += loads[i]->src[0] != loads[i - 1]->src[0] || loads[i]->mem.offset != loads[i - 1]->mem.offset;
   return sum;
}

/* By descriptor and offset; where that keeps too many dwords, by window of the block first. */
static bool
sort_loads(struct ir_inst **loads, uint32_t n)
{
   struct place list[MAX_LOADS];
   for (uint32_t i = 0; i < n; i++)
      list[i] = (struct place){ (uint64_t)loads[i]->src[0]->id << 32 | loads[i]->mem.offset, loads[i]->id, loads[i] };
   sort(list, n);
   for (uint32_t i = 0; i < n; i++)
      loads[i] = list[i].load;
   bool windows = distinct(loads, n) > MAX_KEPT;
   if (windows) {
      for (uint32_t i = 0; i < n; i++) {
         list[i].key = loads[i]->imm / WINDOW;
         list[i].id = i;
      }
      sort(list, n);
      for (uint32_t i = 0; i < n; i++)
         loads[i] = list[i].load;
   }
   return windows;
}

/* Merges inside cache lines; imm is the place in the block meanwhile. The wide
 * load stands where the earliest of its parts stood. */
static bool
merge_loads(struct ir_shader *sh, struct ir_inst **loads, uint32_t n)
{
   bool progress = false, windows;
   ir_val part[MAX_LOADS]; /* of wide loads, what stands for each */
   if (n < 2) {
      if (n)
         loads[0]->imm = 0;
      return false;
   }
   memset(part, 0, n * sizeof(*part));
   windows = sort_loads(loads, n);
   for (uint32_t i = 0; i < n;) {
      uint32_t end = i + 1, base, dwords;
      while (end < n && loads[end]->src[0] == loads[i]->src[0] &&
             loads[end]->mem.offset / LINE == loads[i]->mem.offset / LINE &&
             !(windows && loads[end]->imm / WINDOW != loads[i]->imm / WINDOW))
         end++;
      while (!(dwords = cover(loads, i, end, windows, &base)))
         end--;
      if (dwords > 1) {
         uint32_t earliest = i;
         for (uint32_t k = i; k < end; k++) {
            if (loads[k]->imm < loads[earliest]->imm)
               earliest = k;
         }
         struct ir_builder at = ir_builder_before(sh, loads[earliest]);
         ir_val wide = ir_load_const(&at, loads[earliest]->src[0], loads[earliest]->src[1], base, dwords);
         for (uint32_t k = i; k < end; k++)
            part[k] = ir_extract(&at, wide, (loads[k]->mem.offset - base) / 4);
         progress = true;
      }
      i = end;
   }
   for (uint32_t i = 0; i < n; i++) {
      loads[i]->imm = 0;
      if (part[i])
         ir_replace(loads[i], part[i]);
   }
   return progress;
}

/* Loads of one block from constant offsets. */
static bool
merge_block(struct ir_shader *sh, struct ir_block *b)
{
   struct ir_inst *loads[MAX_LOADS];
   uint32_t n = 0, pos = 0;
   bool progress = false;
   ir_foreach_inst_safe(b, inst) {
      pos++;
      if (inst->op != IR_LOAD_CONST || inst->comps != 1 || !ir_is_const(inst->src[1], 0) || inst->mem.offset % 4)
         continue;
      if (n == MAX_LOADS) {
         progress |= merge_loads(sh, loads, n);
         n = 0;
      }
      inst->imm = pos;
      loads[n++] = inst;
   }
   return merge_loads(sh, loads, n) | progress;
}

/* Components of wide loads at constant offsets as loads of their own, to be
 * put together anew. */
static void
scalarise(struct ir_shader *sh)
{
   ir_foreach_block(sh, b) {
      ir_foreach_inst_safe(b, inst) {
         ir_val load = inst->num_src ? inst->src[0] : NULL;
         if (inst->op != IR_EXTRACT || load->op != IR_LOAD_CONST || !ir_is_const(load->src[1], 0) || load->mem.offset % 4)
            continue;
         struct ir_builder at = ir_builder_before(sh, load);
         ir_replace(inst, ir_load_const(&at, load->src[0], load->src[1], load->mem.offset + 4 * inst->imm, 1));
         if (ir_drop_use(sh, load))
            ir_remove(load);
      }
   }
}

bool
ir_opt_vectorize_loads(struct ir_shader *sh)
{
   bool progress = false;
   if (sh->made[IR_LOAD_CONST]) {
      scalarise(sh);
      ir_foreach_block(sh, b)
         progress |= merge_block(sh, b);
      ir_update_uses(sh);
   }
   sh->loads_placed = true;
   return shrink_all(sh) | progress;
}
