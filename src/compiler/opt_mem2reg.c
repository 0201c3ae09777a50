/* SPDX-License-Identifier: MIT */
/* SSA construction for scalar variables, after Braun et al. 2013: a read looks
 * for the value in its block, else in the predecessors, and a join gets a phi.
 * Blocks are in reverse postorder, so only loop headers are read before all
 * their predecessors are done; those get phis that are filled when the latch
 * is done. In long programs the lists of stores say where to look, without a walk
 * over the blocks between and without recursion. Phis that turn out to merge one value are removed at the end. */
#include "passes.h"

/* Value of a variable at the end of a block: variables are many and a block
 * concerns few of them. */
struct def { uint64_t key; ir_val value; }; /* key: block << 32 | variable, + 1; 0: free */

#define MANY_BLOCKS 128

struct state {
   struct ir_shader *sh;
   struct ir_block *block;      /* that is being converted: its values are in `now`, */
   struct { ir_val value; uint32_t block; } *now; /* by variable; block: its index + 1 */
   uint32_t *touched, num_touched; /* variables of which it has one */
   struct def *defs;            /* by hash, open addressing */
   uint32_t num_defs, max_defs; /* a power of two */
   bool *done;                  /* block filled */
   /* Blocks with stores of variable v are stores[first[v]] to stores[first[v + 1] - 1], in
    * program order. Not known in short programs. */
   struct ir_block **stores;
   uint32_t *first;
   ir_val undef;
   struct pending { struct ir_inst *phi; uint32_t var; } *pending;
   uint32_t num_pending, max_pending;
   struct pending *todo;        /* phis whose predecessors are all done */
   uint32_t num_todo, max_todo;
   struct ir_inst **phis;
   uint32_t num_phis, max_phis;
};

static ir_val read_var(struct state *s, struct ir_block *b, uint32_t var);

static struct def *
find(struct def *defs, uint32_t max, uint64_t key)
{
   uint32_t at = (key * 0x9e3779b97f4a7c15ull) >> 32 & (max - 1);
   while (defs[at].key && defs[at].key != key)
      at = (at + 1) & (max - 1);
   return &defs[at];
}

static void
add_def(struct state *s, const struct ir_block *b, uint32_t var, ir_val value)
{
   const uint64_t key = ((uint64_t)b->index << 32 | var) + 1;
   if (s->num_defs * 2 >= s->max_defs) {
      uint32_t max = s->max_defs * 2;
      struct def *defs = ir_temp(s->sh, max * sizeof(*defs));
      for (uint32_t i = 0; i < s->max_defs; i++) {
         if (s->defs[i].key)
            *find(defs, max, s->defs[i].key) = s->defs[i];
      }
      s->defs = defs;
      s->max_defs = max;
   }
   struct def *d = find(s->defs, s->max_defs, key);
   s->num_defs += !d->key;
   *d = (struct def){ key, value };
}

static ir_val
get_def(const struct state *s, const struct ir_block *b, uint32_t var)
{
   if (b == s->block)
      return s->now[var].block == b->index + 1 ? s->now[var].value : NULL;
   return find(s->defs, s->max_defs, ((uint64_t)b->index << 32 | var) + 1)->value;
}

static void
set_def(struct state *s, const struct ir_block *b, uint32_t var, ir_val value)
{
   if (b != s->block) {
      add_def(s, b, var, value);
      return;
   }
   if (s->now[var].block != b->index + 1)
      s->touched[s->num_touched++] = var;
   s->now[var].value = value;
   s->now[var].block = b->index + 1;
}

static struct ir_inst *
new_phi(struct state *s, struct ir_block *b)
{
   struct ir_inst *phi = ir_inst_create(s->sh, IR_PHI, 1, b->num_preds);
   struct ir_builder at = ir_builder_at_end(s->sh, b);
   at.before = b->first;
   ir_insert(&at, phi);
   if (s->num_phis == s->max_phis)
      s->phis = ir_temp_grow(s->sh, s->phis, &s->max_phis, sizeof(*s->phis));
   s->phis[s->num_phis++] = phi;
   return phi;
}

static ir_val
undef_value(struct state *s)
{
   if (!s->undef) {
      struct ir_block *entry = s->sh->blocks[0];
      struct ir_builder at = ir_builder_at_end(s->sh, entry);
      at.before = entry->first;
      s->undef = ir_undef(&at, 1);
   }
   return s->undef;
}

static void
fill_phi(struct state *s, struct ir_inst *phi, uint32_t var)
{
   for (uint32_t i = 0; i < phi->block->num_preds; i++)
      phi->src[i] = read_var(s, phi->block->preds[i], var);
}

static void
note_phi(struct ir_shader *sh, struct pending **list, uint32_t *num, uint32_t *max, struct pending p)
{
   if (*num == *max)
      *list = ir_temp_grow(sh, *list, max, sizeof(**list));
   (*list)[(*num)++] = p;
}

/* The last block with a store in front of the block of that index. */
static struct ir_block *
last_store(const struct state *s, uint32_t var, uint32_t index)
{
   uint32_t lo = s->first[var], hi = s->first[var + 1];
   while (lo < hi) {
      uint32_t middle = (lo + hi) / 2;
      if (s->stores[middle]->index < index)
         lo = middle + 1;
      else
         hi = middle;
   }
   return lo == s->first[var] ? NULL : s->stores[lo - 1];
}

/* Where the value comes from that a variable has as `b` begins: a block with a
 * store, or one where several values meet. NULL: nobody stored. What lies between
 * may be thousands of blocks. */
static struct ir_block *
origin(const struct state *s, struct ir_block *b, uint32_t var)
{
   struct ir_block *store = last_store(s, var, b->index);
   for (const struct ir_loop *l = b->loop; l && !(store && store->index >= l->header->index); l = l->parent) {
      const struct ir_block *last = last_store(s, var, l->latch->index + 1);
      if (last && last->index >= b->index)
         return l->header; /* by the round before */
   }
   if (!store || ir_dominates(store, b))
      return store;
   while (b->idom->index > store->index)
      b = b->dom_jump->index > store->index ? b->dom_jump : b->idom;
   return b;
}

static bool
is_sealed(const struct state *s, const struct ir_block *b)
{
   bool sealed = true;
   for (uint32_t i = 0; i < b->num_preds; i++)
      sealed &= s->done[b->preds[i]->index];
   return sealed;
}

/* In long programs: without a walk, and phis are filled by who reads first. */
static ir_val
read_far(struct state *s, struct ir_block *b, uint32_t var)
{
   ir_val v = NULL;
   struct ir_block *at = b;
   while (!v) {
      struct ir_block *from = origin(s, at, var);
      if (!from) {
         v = undef_value(s);
      } else if (from != at && (v = get_def(s, from, var))) {
         break;
      } else if (from->num_preds == 1 && is_sealed(s, from)) {
         at = from->preds[0];
         v = get_def(s, at, var);
      } else {
         v = new_phi(s, from);
         set_def(s, from, var, v);
         struct pending p = { v, var };
         if (is_sealed(s, from))
            note_phi(s->sh, &s->todo, &s->num_todo, &s->max_todo, p);
         else
            note_phi(s->sh, &s->pending, &s->num_pending, &s->max_pending, p);
      }
   }
   if (!get_def(s, b, var))
      set_def(s, b, var, v);
   return v;
}

static ir_val
read_var(struct state *s, struct ir_block *b, uint32_t var)
{
   ir_val v = get_def(s, b, var);
   if (v)
      return v;
   if (s->stores)
      return read_far(s, b, var);
   if (b->num_preds == 0) {
      v = undef_value(s);
      set_def(s, b, var, v);
      return v;
   }
   bool sealed = is_sealed(s, b);
   if (sealed && b->num_preds == 1) {
      v = read_var(s, b->preds[0], var);
      set_def(s, b, var, v);
      return v;
   }
   struct ir_inst *phi = new_phi(s, b);
   set_def(s, b, var, phi);
   if (sealed)
      fill_phi(s, phi, var);
   else
      note_phi(s->sh, &s->pending, &s->num_pending, &s->max_pending, (struct pending){ phi, var });
   return phi;
}

static void
fill_phis(struct state *s)
{
   while (s->num_todo) {
      struct pending p = s->todo[--s->num_todo];
      fill_phi(s, p.phi, p.var);
   }
}

static void
seal_header(struct state *s, struct ir_block *header)
{
   uint32_t kept = 0;
   /* Filling may add pending phis of outer headers: take this one's first. */
   for (uint32_t i = 0; i < s->num_pending; i++) {
      struct pending p = s->pending[i];
      if (p.phi->block == header)
         fill_phi(s, p.phi, p.var);
      else
         s->pending[kept++] = p;
   }
   s->num_pending = kept;
}

/* Phis of one value (and themselves) vanish; removing one can make another so.
 * True when some did. */
static bool
remove_trivial_phis(struct state *s)
{
   bool progress = true, any = false;
   while (progress) {
      progress = false;
      for (uint32_t i = 0; i < s->num_phis; i++) {
         struct ir_inst *phi = s->phis[i];
         ir_val same = NULL;
         bool trivial = true;
         if (!phi->block)
            continue;
         for (unsigned k = 0; k < phi->num_src && trivial; k++) {
            ir_val v = ir_now(phi->src[k]);
            if (v == phi || v == same)
               continue;
            trivial = same == NULL;
            same = v;
         }
         if (!trivial)
            continue;
         ir_replace(phi, same ? same : undef_value(s));
         progress = any = true;
      }
   }
   return any;
}

static void
convert_block(struct state *s, struct ir_block *b)
{
   s->block = b;
   s->num_touched = 0;
   ir_foreach_inst_safe(b, inst) {
      ir_update_sources(inst);
      if (inst->op == IR_LOAD_VAR) {
         ir_replace(inst, read_var(s, b, inst->imm));
      } else if (inst->op == IR_STORE_VAR) {
         /* A load's value is known by now, or is one of a later block
          * (impossible: it would not dominate). */
         set_def(s, b, inst->imm, inst->src[0]);
         ir_remove(inst);
      }
   }
   if (b->cond)
      b->cond = ir_now(b->cond);
   s->block = NULL;
   for (uint32_t i = 0; i < s->num_touched && b->succ[0]; i++)
      add_def(s, b, s->touched[i], s->now[s->touched[i]].value);
}

static void
find_stores(struct state *s)
{
   const uint32_t num = s->sh->num_vars;
   struct ir_block **last = ir_temp(s->sh, (num + 1) * sizeof(*last));
   s->first = ir_temp(s->sh, (num + 2) * sizeof(*s->first));
   /* Counted first, one place further up; then each variable's end moves to its place. */
   for (unsigned round = 0; round < 2; round++) {
      ir_foreach_block(s->sh, b) {
         ir_foreach_inst(b, inst) {
            if (inst->op != IR_STORE_VAR || !b->reachable || last[inst->imm] == b)
               continue;
            last[inst->imm] = b;
            if (round)
               s->stores[s->first[inst->imm + 1]++] = b;
            else
               s->first[inst->imm + 2]++;
         }
      }
      if (round)
         break;
      for (uint32_t v = 0; v < num; v++)
         s->first[v + 2] += s->first[v + 1];
      s->stores = ir_temp_any(s->sh, (s->first[num + 1] + 1) * sizeof(*s->stores));
      memset(last, 0, num * sizeof(*last));
   }
   ir_dominators(s->sh);
}

void
ir_mem2reg(struct ir_shader *sh)
{
   struct state s = { .sh = sh, .max_defs = 64 };
   if (!sh->made[IR_LOAD_VAR] && !sh->made[IR_STORE_VAR])
      return;
   while (s.max_defs < sh->num_ids / 2 && sh->num_blocks > 1)
      s.max_defs *= 2;
   s.defs = ir_temp(sh, s.max_defs * sizeof(*s.defs));
   if (sh->num_blocks > MANY_BLOCKS)
      find_stores(&s);
   s.done = ir_temp(sh, sh->num_blocks);
   s.now = ir_temp(sh, sh->num_vars * sizeof(*s.now));
   s.touched = ir_temp_any(sh, sh->num_vars * sizeof(*s.touched));
   ir_foreach_block(sh, b) {
      if (b->reachable)
         convert_block(&s, b);
      fill_phis(&s);
      s.done[b->index] = true;
      if (b->loop && b->loop->latch == b && b->reachable)
         seal_header(&s, b->loop->header);
      fill_phis(&s);
   }
   undef_value(&s);
   if (remove_trivial_phis(&s))
      ir_update_uses(sh);
}
