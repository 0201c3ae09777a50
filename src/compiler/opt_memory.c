/* SPDX-License-Identifier: MIT */
/* Neighbours in memory at computed addresses: loads and stores of one block
 * whose addresses are one value plus constants become one wide access, if the
 * sum cannot wrap from the first to the last dword (a wide access goes on behind
 * 2^32). Loads stand where the first of them stood, stores where the last did;
 * memory operations that could see the difference end a group. Constants move
 * from LDS addresses into the instruction, where the sum wraps since GFX7. */
#include <stdlib.h>

#include "passes.h"

#define MAX_GROUP 128 /* accesses that wait to be merged */
#define MAX_DWORDS 4  /* of a memory instruction */
#define WINDOW    192 /* instructions between accesses that are merged */
#define DEPTH     4   /* how far back addresses are looked at */
/* Of an instruction. Both are added to the address modulo 2^32. */
#define MAX_BUF_OFFSET 4095
#define MAX_LDS_OFFSET 0xfff0 /* with room for 4 dwords */

struct access {
   struct ir_inst *inst;
   ir_val desc, base; /* NULL: none; address 0 */
   uint32_t offset, pos;
   unsigned comps;
};

struct group { struct access a[MAX_GROUP]; uint32_t num; };

struct state {
   struct ir_shader *sh;
   ir_val *map;
   uint32_t num; /* values at first */
   struct group consts, loads, stores;
   bool progress;
};

static bool is_store(const struct ir_inst *inst) { return inst->op == IR_STORE_BUF || inst->op == IR_STORE_LDS; }
static bool is_lds(const struct ir_inst *inst) { return inst->op == IR_LOAD_LDS || inst->op == IR_STORE_LDS; }
static ir_val data_of(const struct ir_inst *inst) { return inst->src[is_lds(inst) ? 1 : 2]; }

/* Takes constant terms off the address. */
static struct access
access_of(struct ir_inst *inst, uint32_t pos)
{
   const bool lds = is_lds(inst);
   struct access a = {
      .inst = inst, .desc = lds ? NULL : inst->src[0], .base = inst->src[lds ? 0 : 1], .offset = inst->mem.offset,
      .pos = pos, .comps = is_store(inst) ? inst->mem.comps : inst->comps,
   };
   while (a.base->op == IR_IADD || a.base->op == IR_IOR) {
      unsigned k = a.base->src[0]->op == IR_CONST ? 0 : 1;
      ir_val c = a.base->src[k], x = a.base->src[1 - k];
      if (c->op != IR_CONST || (a.base->op == IR_IOR && (uint64_t)c->imm >> ir_zero_bits(x, DEPTH)))
         break;
      a.offset += c->imm;
      a.base = x;
   }
   if (a.base->op == IR_CONST) {
      a.offset += a.base->imm;
      a.base = NULL;
   }
   return a;
}

/* Is base + lo the smallest and base + hi the largest byte's address? */
static bool
stays(ir_val base, uint32_t lo, uint64_t hi)
{
   if (hi > UINT32_MAX)
      return false;
   if (!base)
      return true;
   unsigned zeros = ir_zero_bits(base, DEPTH);
   return (uint64_t)lo >> zeros == hi >> zeros || (uint64_t)ir_largest(base, DEPTH) + hi <= UINT32_MAX;
}

static int
by_place(const void *x, const void *y)
{
   const struct access *a = x, *b = y;
   const uint32_t ka[] = { a->inst->op, a->inst->mem.glc, a->desc ? a->desc->id + 1 : 0, a->base ? a->base->id + 1 : 0, a->offset, a->pos };
   const uint32_t kb[] = { b->inst->op, b->inst->mem.glc, b->desc ? b->desc->id + 1 : 0, b->base ? b->base->id + 1 : 0, b->offset, b->pos };
   for (unsigned i = 0; i < sizeof(ka) / sizeof(ka[0]); i++) {
      if (ka[i] != kb[i])
         return ka[i] < kb[i] ? -1 : 1;
   }
   return 0;
}

static bool
same_place(const struct access *a, const struct access *b)
{
   return a->inst->op == b->inst->op && a->inst->mem.glc == b->inst->mem.glc && a->desc == b->desc && a->base == b->base;
}

/* Accesses a[0..n-1] that one instruction can do; its dwords. */
static uint32_t
find_run(const struct access *a, uint32_t n, uint32_t *dwords)
{
   /* A dword more than asked for may be loaded, but not from LDS: none may lie there. */
   const uint32_t gap = is_store(a->inst) || is_lds(a->inst) ? 0 : 4;
   uint64_t end = (uint64_t)a->offset + a->comps * 4; /* may be 2^32: in front of a negative index */
   uint32_t first = a->pos, last = a->pos, i;
   for (i = 1; i < n && same_place(a, &a[i]); i++) {
      uint64_t next = (uint64_t)a[i].offset + a[i].comps * 4;
      next = next > end ? next : end;
      first = a[i].pos < first ? a[i].pos : first;
      last = a[i].pos > last ? a[i].pos : last;
      if ((a[i].offset - a->offset) % 4 || a[i].offset > end + gap || next - a->offset > MAX_DWORDS * 4 ||
          last - first > WINDOW || (is_store(a->inst) && a[i].offset < end) || !stays(a->base, a->offset, next - 1))
         break;
      end = next;
   }
   *dwords = (end - a->offset) / 4;
   return i;
}

/* The address in a register, the rest in *imm. */
static ir_val
address(struct ir_builder *b, const struct access *a, uint32_t *imm)
{
   const bool folds = a->offset <= (is_lds(a->inst) ? MAX_LDS_OFFSET : MAX_BUF_OFFSET);
   ir_val zero = ir_imm(b, 0);
   *imm = folds ? a->offset : 0;
   if (folds || !a->offset)
      return a->base ? a->base : zero;
   return a->base ? ir_iadd(b, a->base, ir_imm(b, a->offset)) : ir_imm(b, a->offset);
}

static void
merge_loads(struct state *s, const struct access *a, uint32_t n, uint32_t dwords)
{
   const struct access *first = a;
   uint32_t imm;
   if (!s->map)
      s->map = ir_alloc(s->sh, (s->num + 1) * sizeof(*s->map));
   for (uint32_t i = 1; i < n; i++)
      first = a[i].pos < first->pos ? &a[i] : first;
   struct ir_builder b = ir_builder_before(s->sh, first->inst);
   ir_val addr = address(&b, a, &imm), wide;
   if (a->inst->op == IR_LOAD_LDS) {
      wide = ir_load_lds(&b, addr, dwords);
      wide->mem.offset = imm;
   } else {
      wide = a->inst->op == IR_LOAD_BUF ? ir_load_buf(&b, a->desc, addr, imm, dwords)
                                        : ir_load_const(&b, a->desc, addr, imm, dwords);
      wide->mem.glc = a->inst->mem.glc;
   }
   for (uint32_t i = 0; i < n; i++) {
      ir_val parts[MAX_DWORDS];
      for (unsigned k = 0; k < a[i].comps; k++)
         parts[k] = ir_extract(&b, wide, (a[i].offset - a->offset) / 4 + k);
      s->map[a[i].inst->id] = a[i].comps == 1 ? parts[0] : ir_vec(&b, a[i].comps, parts);
   }
   for (uint32_t i = 0; i < n; i++)
      ir_remove(a[i].inst);
}

static void
merge_stores(struct state *s, const struct access *a, uint32_t n, uint32_t dwords)
{
   const struct access *last = a;
   ir_val data[MAX_DWORDS];
   uint32_t imm, d = 0;
   for (uint32_t i = 1; i < n; i++)
      last = a[i].pos > last->pos ? &a[i] : last;
   struct ir_builder b = ir_builder_before(s->sh, last->inst);
   for (uint32_t i = 0; i < n; i++) {
      ir_val v = data_of(a[i].inst);
      for (unsigned k = 0; k < a[i].comps; k++)
         data[d++] = v->comps == 1 ? v : ir_extract(&b, v, k);
   }
   ir_val addr = address(&b, a, &imm), vec = ir_vec(&b, dwords, data);
   if (a->inst->op == IR_STORE_LDS) {
      ir_store_lds(&b, addr, imm, vec, dwords);
   } else {
      ir_store_buf(&b, a->desc, addr, imm, vec, dwords);
      last->inst->prev->mem.glc = a->inst->mem.glc;
   }
   for (uint32_t i = 0; i < n; i++)
      ir_remove(a[i].inst);
}

static void
fold_lds_offset(struct state *s, const struct access *a)
{
   uint32_t imm;
   if (a->offset > MAX_LDS_OFFSET || a->offset == a->inst->mem.offset || !is_lds(a->inst))
      return;
   struct ir_builder b = ir_builder_before(s->sh, a->inst);
   a->inst->src[0] = address(&b, a, &imm);
   a->inst->mem.offset = imm;
   s->progress = true;
}

static void
flush(struct state *s, struct group *g)
{
   if (g->num > 1)
      qsort(g->a, g->num, sizeof(g->a[0]), by_place);
   for (uint32_t i = 0, n, dwords; i < g->num; i += n) {
      n = find_run(&g->a[i], g->num - i, &dwords);
      if (n == 1) {
         fold_lds_offset(s, &g->a[i]);
         continue;
      }
      (is_store(g->a[i].inst) ? merge_stores : merge_loads)(s, &g->a[i], n, dwords);
      s->progress = true;
   }
   g->num = 0;
}

static void
add(struct state *s, struct group *g, struct ir_inst *inst, uint32_t pos)
{
   if (g->num == MAX_GROUP)
      flush(s, g);
   g->a[g->num++] = access_of(inst, pos);
}

static void
walk_block(struct state *s, struct ir_block *b)
{
   uint32_t pos = 0;
   ir_foreach_inst_safe(b, inst) {
      const uint32_t flags = ir_info(inst)->flags;
      pos++;
      if (inst->op == IR_LOAD_CONST && inst->comps <= MAX_DWORDS && inst->src[1]->op != IR_CONST)
         add(s, &s->consts, inst, pos);
      if (!(flags & (IR_F_READS | IR_F_WRITES)))
         continue;
      if (is_store(inst)) {
         /* Two stores to places that may be the same stay in order. */
         struct access a = access_of(inst, pos), *old = s->stores.a;
         if (s->stores.num && (!same_place(&a, old) || s->stores.num == MAX_GROUP))
            flush(s, &s->stores);
         for (uint32_t i = 0; i < s->stores.num; i++) {
            if (a.offset - old[i].offset < old[i].comps * 4 || old[i].offset - a.offset < a.comps * 4) {
               flush(s, &s->stores);
               break;
            }
         }
         flush(s, &s->loads);
         add(s, &s->stores, inst, pos);
         continue;
      }
      flush(s, &s->stores);
      if (flags & IR_F_WRITES)
         flush(s, &s->loads);
      else if ((inst->op == IR_LOAD_BUF || inst->op == IR_LOAD_LDS) && !inst->mem.glc && inst->comps <= MAX_DWORDS)
         add(s, &s->loads, inst, pos);
   }
   flush(s, &s->consts);
   flush(s, &s->loads);
   flush(s, &s->stores);
}

/* Parts of loads that are parts of others now. */
static void
skip_vectors(struct state *s, uint32_t num)
{
   ir_foreach_block(s->sh, b) {
      ir_foreach_inst_safe(b, inst) {
         ir_val vec = inst->op == IR_EXTRACT && inst->src[0]->id < num ? s->map[inst->src[0]->id] : NULL;
         if (!vec || vec->op != IR_VEC)
            continue;
         s->map[inst->id] = vec->src[inst->imm];
         ir_remove(inst);
      }
   }
   ir_rewrite_uses(s->sh, s->map, num);
}

bool
ir_opt_merge_memory(struct ir_shader *sh)
{
   struct state s;
   s.sh = sh;
   s.num = sh->num_ids;
   s.map = NULL; /* when there is something to merge */
   s.consts.num = s.loads.num = s.stores.num = 0;
   s.progress = false;
   ir_foreach_block(sh, b) {
      if (b->reachable)
         walk_block(&s, b);
   }
   if (s.map)
      skip_vectors(&s, s.num);
   return s.progress;
}
