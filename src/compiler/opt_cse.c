/* SPDX-License-Identifier: MIT */
/* Common subexpressions: hashes pure instructions; a later equal one whose
 * block the first dominates is replaced. Lane-crossing operations that depend
 * on which lanes are active merge only inside a block; derivatives and samples
 * of the same values are the same wherever the first dominates. Phis of a block
 * are the same when what comes from each predecessor is; those of a loop also
 * when they begin alike and each round does the same to both. */
#include "util/macros.h"
#include "passes.h"

struct entry { struct ir_inst *inst; uint32_t next, last, hash; };

/* Constants and descriptors come from memory at little cost, and SGPRs are few:
 * in a program that fetches more dwords than MAX_KEPT, one is not kept for a use
 * that is further away than so many values, but fetched again. */
#define MAX_KEPT  64
#define MAX_WAIT  160

static bool
is_fetch(const struct ir_inst *inst)
{
   return inst->op == IR_LOAD_CONST || inst->op == IR_LOAD_DESC;
}

/* The second source comes from the loop's end, which no walk has seen yet. */
static bool
is_loop_phi(const struct ir_inst *inst)
{
   return inst->op == IR_PHI && inst->block->loop && inst->block->loop->header == inst->block;
}

/* Depends on which lanes are active. */
static bool
is_local(const struct ir_inst *inst)
{
   return inst->op == IR_READFIRST || inst->op == IR_BALLOT || inst->op == IR_QUAD_PERM || inst->op == IR_READ_LANE ||
          inst->op == IR_FIRST_LANE;
}

static inline uint64_t
mix(uint64_t h, uint64_t v)
{
   return (h ^ h >> 32 ^ v) * 0x9e3779b97f4a7c15ull;
}

static inline uint64_t
pair(uint32_t low, uint32_t high)
{
   return low | (uint64_t)high << 32;
}

static inline uint32_t
hash(const struct ir_inst *inst, uint32_t flags)
{
   uint64_t h = mix(pair(inst->op | inst->comps << 16, inst->imm) * 0x9e3779b97f4a7c15ull,
                    pair(inst->words[0], inst->words[1]) + inst->words[2]);
   unsigned n = inst->num_src, i = 0;
   if (inst->op == IR_PHI) {
      h = mix(h, inst->block->index);
      if (is_loop_phi(inst))
         n = 1;
   } else if ((flags & IR_F_COMM) && n >= 2) {
      /* Their sum would be the same for many: what counts up times what counts down. */
      h = mix(h, pair(MIN2(inst->src[0]->id, inst->src[1]->id), MAX2(inst->src[0]->id, inst->src[1]->id)));
      i = 2;
   }
   for (; i < n; i++)
      h = mix(h, inst->src[i]->id);
   return (is_local(inst) ? mix(h, inst->block->index) : h) >> 32;
}

/* The same operation, but for the values that it takes. */
static bool
alike(const struct ir_inst *x, const struct ir_inst *y)
{
   return x->op == y->op && x->imm == y->imm && x->comps == y->comps && x->num_src == y->num_src &&
          x->words[0] == y->words[0] && x->words[1] == y->words[1] && x->words[2] == y->words[2] &&
          (x->op != IR_PHI || x->block == y->block);
}

static bool
equal(const struct ir_inst *x, const struct ir_inst *y)
{
   if (!alike(x, y))
      return false;
   unsigned i = 0;
   if ((ir_info(x)->flags & IR_F_COMM) && x->num_src >= 2) {
      if ((x->src[0] != y->src[0] || x->src[1] != y->src[1]) && (x->src[0] != y->src[1] || x->src[1] != y->src[0]))
         return false;
      i = 2;
   }
   for (; i < x->num_src; i++) {
      if (x->src[i] != y->src[i])
         return false;
   }
   return true;
}

/* Of the phis of a loop that begin with the same value so many are compared. */
#define MAX_TRIES 16

/* Pairs of phis that are the same if all that was asked about them is. */
#define MAX_PAIRS 8
#define MAX_STEPS 32
struct pairs {
   struct ir_inst *x[MAX_PAIRS], *y[MAX_PAIRS];
   unsigned num, steps;
};

/* Same values wherever both are known, given that the pairs are? */
static bool
congruent(struct pairs *p, struct ir_inst *x, struct ir_inst *y)
{
   x = ir_now(x);
   y = ir_now(y);
   if (x == y)
      return true;
   uint32_t flags = ir_info(x)->flags;
   if (++p->steps > MAX_STEPS || !alike(x, y))
      return false;
   if (x->op == IR_PHI) {
      for (unsigned i = 0; i < p->num; i++) {
         if (p->x[i] == x && p->y[i] == y)
            return true;
      }
      if (p->num == MAX_PAIRS)
         return false;
      p->x[p->num] = x;
      p->y[p->num++] = y;
   } else if (!(flags & IR_F_PURE) || ((flags & IR_F_CROSS) && x->block != y->block)) {
      return false;
   }
   for (unsigned i = 0; i < x->num_src; i++) {
      if (!congruent(p, x->src[i], y->src[i]))
         return false;
   }
   return true;
}

static bool
same_value(struct ir_inst *x, struct ir_inst *y)
{
   return equal(x, y) || (is_loop_phi(x) && congruent(&(struct pairs){ .num = 0 }, x, y));
}

bool
ir_opt_cse(struct ir_shader *sh)
{
   uint32_t size = 64, num = 0, max = sh->num_live + 64, fetched = 0;
   bool progress = false;
   while (size < sh->num_live)
      size *= 2;
   uint32_t *heads = ir_temp(sh, size * sizeof(*heads)); /* index of an entry + 1 */
   struct entry *entries = ir_temp_any(sh, max * sizeof(*entries));
   ir_dominators(sh);
   ir_foreach_block(sh, b) {
      if (!b->reachable)
         continue;
      ir_foreach_inst_safe(b, inst) {
         ir_update_sources(inst);
         uint32_t flags = ir_info(inst)->flags;
         if (!(flags & IR_F_PURE) && inst->op != IR_PHI)
            continue;
         uint32_t whole = hash(inst, flags), h = whole & (size - 1), e;
         uint32_t *link = &heads[h];
         unsigned tries = is_loop_phi(inst) ? MAX_TRIES : UINT32_MAX;
         while ((e = *link)) {
            struct ir_inst *old = entries[e - 1].inst;
            if (entries[e - 1].hash != whole) {
               link = &entries[e - 1].next;
               continue;
            }
            /* What does not dominate this block dominates none behind it
             * either, control flow being structured: forget it. */
            if (!ir_dominates(old->block, b)) {
               *link = entries[e - 1].next;
               continue;
            }
            if (same_value(old, inst) && (old->block == b || !is_local(inst)))
               break;
            if (!--tries) {
               e = 0;
               break;
            }
            link = &entries[e - 1].next;
         }
         /* Value numbers stand for places: the front end counts as it goes. */
         if (e && is_fetch(inst) && fetched > MAX_KEPT &&
             (sh->loads_placed || inst->id > entries[e - 1].last + MAX_WAIT)) {
            *link = entries[e - 1].next;
            e = 0;
         }
         if (!e && is_fetch(inst))
            fetched += inst->comps;
         if (e && inst->id > entries[e - 1].last)
            entries[e - 1].last = inst->id;
         if (e) {
            ir_replace(inst, entries[e - 1].inst);
            progress = true;
         } else {
            if (num == max)
               entries = ir_temp_grow(sh, entries, &max, sizeof(*entries));
            entries[num] = (struct entry){ inst, heads[h], inst->id, whole };
            heads[h] = ++num;
         }
      }
      if (b->cond)
         b->cond = ir_now(b->cond);
   }
   ir_update_loop_phis(sh);
   return progress;
}
