/* SPDX-License-Identifier: MIT */
/* Parts of the program that a life passes as a whole. The region in front of a
 * block B begins with the block that dominates it, or with the header of a loop that
 * this one is in and B is not; when nothing jumps into the middle and all of it leads to
 * B, what is alive at B and not touched in the region is alive in all of it. Such
 * regions follow one another, up to one that is none, or up to the header of a loop
 * that B is in: there what is alive comes from the latch, too.
 *
 * A block with one way in that writes nothing is said to lead on though it leaves (an
 * arm with a break): whatever is alive there is alive before, so that a life which has
 * no hole there keeps no register from anybody. */
#include "util/macros.h"
#include "ra.h"

#define NONE ~0u

/* Highest value from any place to the last: those that a later one exceeds are gone. */
struct peaks { uint32_t *at, *value, num; };

static void
push(struct peaks *p, uint32_t at, uint32_t value)
{
   while (p->num && p->value[p->num - 1] <= value)
      p->num--;
   p->at[p->num] = at;
   p->value[p->num++] = value;
}

static uint32_t
highest(const struct peaks *p, uint32_t from)
{
   uint32_t lo = 0, hi = p->num - 1;
   while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (p->at[mid] < from)
         lo = mid + 1;
      else
         hi = mid;
   }
   return p->value[lo];
}

/* A tree over blocks: dominators, or starts of regions. */
struct tree { uint32_t *parent, *jump, *depth; };

/* Jumps of such lengths reach any depth in steps of its logarithm. */
static void
add_to_tree(struct tree *t, uint32_t b, uint32_t parent)
{
   const uint32_t jump = t->jump[parent];
   t->parent[b] = parent;
   t->depth[b] = t->depth[parent] + 1;
   t->jump[b] = t->depth[parent] - t->depth[jump] == t->depth[jump] - t->depth[t->jump[jump]] ? t->jump[jump] : parent;
}

static void
add_root(struct tree *t, uint32_t b)
{
   t->parent[b] = t->jump[b] = b;
   t->depth[b] = 0;
}

struct state {
   const struct mir_program *p;
   enum mir_file file;
   struct ra_regions *r;
   struct tree dominators, regions;
   uint32_t num_blocks;
   uint8_t *writes_nothing;  /* by block, and it has one way in */
   uint32_t *leads_to;       /* the nearest block ahead */
   struct peaks far, early;  /* leads_to; forward predecessors, inverted */
   uint32_t *loops, num_loops; /* headers of loops that are open */
   uint32_t *latch, *outer;  /* by header: the last block, the header of the loop around it */
};

static uint32_t
preds(const struct state *s, uint32_t b, struct mir_block *const **list)
{
   const struct mir_block *block = s->p->blocks[b];
   *list = s->file == MIR_VGPR ? block->lpreds : block->xpreds;
   return s->file == MIR_VGPR ? block->num_lpreds : block->num_xpreds;
}

static uint32_t
succs(const struct state *s, uint32_t b, struct mir_block *const **list)
{
   const struct mir_block *block = s->p->blocks[b];
   *list = s->file == MIR_VGPR ? block->lsuccs : block->xsuccs;
   return s->file == MIR_VGPR ? block->num_lsuccs : block->num_xsuccs;
}

/* Does a loop of blocks from `header` on leave to b, which follows it? */
static bool
leaves_to(const struct state *s, uint32_t header, uint32_t b)
{
   struct mir_block *const *list;
   uint32_t n = preds(s, b, &list);
   for (uint32_t k = 0; k < n; k++) {
      if (list[k]->index >= header && list[k]->index < b)
         return true;
   }
   return false;
}

static void
find_leads(struct state *s, const uint8_t *defines)
{
   struct mir_block *const *list;
   for (uint32_t b = 0; b < s->num_blocks; b++) {
      s->writes_nothing[b] = !(defines[b] >> s->file & 1) && preds(s, b, &list) == 1 && list[0]->index < b &&
                             list[0]->early_target != s->p->blocks[b];
   }
   for (uint32_t b = s->num_blocks; b-- > 0;) {
      uint32_t n = succs(s, b, &list), to = NONE, header = NONE;
      for (uint32_t k = 0; k < n; k++) {
         uint32_t succ = list[k]->index;
         if (succ <= b)
            header = succ;
         else if (s->writes_nothing[succ])
            to = s->leads_to[succ] < to ? s->leads_to[succ] : to;
         else
            to = succ < to ? succ : to;
      }
      /* What stands behind a break, where no lane comes to, is in nobody's way. */
      if (!n && b && b + 1 < s->num_blocks && !preds(s, b, &list))
         to = b + 1;
      if (to == NONE && header != NONE && b + 1 < s->num_blocks && leaves_to(s, header, b + 1))
         to = s->writes_nothing[b + 1] ? s->leads_to[b + 1] : b + 1;
      s->leads_to[b] = to;
   }
}

static uint32_t
common_dominator(const struct tree *t, uint32_t a, uint32_t b)
{
   while (t->depth[a] != t->depth[b]) {
      uint32_t *deep = t->depth[a] > t->depth[b] ? &a : &b, depth = MIN2(t->depth[a], t->depth[b]);
      *deep = t->depth[t->jump[*deep]] >= depth ? t->jump[*deep] : t->parent[*deep];
   }
   while (a != b) {
      bool far = t->jump[a] != t->jump[b];
      if (t->depth[a] == 0)
         return NONE; /* code that nobody comes to */
      a = far ? t->jump[a] : t->parent[a];
      b = far ? t->jump[b] : t->parent[b];
   }
   return a;
}

/* Nothing jumps to between `first` and b, and nothing from there past b. */
static bool
is_region(const struct state *s, uint32_t first, uint32_t b)
{
   return highest(&s->far, first) <= b && ~highest(&s->early, first + 1) >= first;
}

/* Where the region in front of b begins; b when there is none. */
static uint32_t
region_of(const struct state *s, uint32_t b, uint32_t dominator)
{
   uint32_t first = dominator;
   while (!is_region(s, first, b)) {
      const uint32_t loop = s->r->loop[first], header = loop == first ? s->outer[first] : loop;
      if (!s->latch[header] || s->latch[header] >= b)
         return b;
      first = header;
   }
   return first;
}

/* All predecessors before b are done. */
static void
add_block(struct state *s, uint32_t b)
{
   struct mir_block *const *list;
   uint32_t n = preds(s, b, &list), first = NONE, dominator = NONE, latch = 0;
   bool known = true;

   for (uint32_t k = n; k-- > 0;) {
      uint32_t pred = list[k]->index;
      if (pred >= b) {
         latch = MAX2(pred, latch);
         continue;
      }
      first = MIN2(pred, first);
      if (known)
         dominator = dominator == NONE ? pred : common_dominator(&s->dominators, dominator, pred);
      known = dominator != NONE;
   }
   if (b)
      push(&s->far, b - 1, s->writes_nothing[b - 1] ? b : s->leads_to[b - 1]);
   push(&s->early, b, ~first);
   while (s->num_loops && s->latch[s->loops[s->num_loops - 1]] < b)
      s->num_loops--;
   s->latch[b] = latch;
   s->outer[b] = s->r->loop[b] = s->num_loops ? s->loops[s->num_loops - 1] : 0;
   if (latch)
      s->r->loop[b] = s->loops[s->num_loops++] = b;
   add_root(&s->dominators, b);
   add_root(&s->regions, b);
   if (dominator == NONE)
      return;
   add_to_tree(&s->dominators, b, dominator);
   first = region_of(s, b, dominator);
   if (first != b)
      add_to_tree(&s->regions, b, first);
}

const struct ra_regions *
ra_regions_find(struct mir_program *p, enum mir_file file, const uint8_t *defines)
{
   uint32_t n = p->num_blocks, *by_block = ir_temp_any(p->sh, 15 * (size_t)n * sizeof(*by_block));
   struct ra_regions *r = ir_temp_any(p->sh, sizeof(*r));
   struct state s = { .p = p, .file = file, .r = r, .num_blocks = n };
   uint32_t **const arrays[] = {
      &s.leads_to, &s.loops, &s.latch, &s.outer, &s.far.at, &s.far.value, &s.early.at, &s.early.value,
      &s.dominators.parent, &s.dominators.jump, &s.dominators.depth,
      &s.regions.parent, &s.regions.jump, &s.regions.depth, &r->loop,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++)
      *arrays[i] = by_block + i * (size_t)n;
   s.writes_nothing = ir_temp_any(p->sh, n);
   find_leads(&s, defines);
   for (uint32_t b = 0; b < n; b++)
      add_block(&s, b);
   r->start = s.regions.parent;
   r->jump = s.regions.jump;
   return r;
}

uint32_t
ra_region_start(const struct ra_regions *r, uint32_t block, uint32_t limit)
{
   limit = MAX2(r->loop[block], limit);
   while (block > limit) {
      if (r->jump[block] >= limit && r->jump[block] != block)
         block = r->jump[block];
      else if (r->start[block] >= limit && r->start[block] != block)
         block = r->start[block];
      else
         break;
   }
   return block;
}
