/* SPDX-License-Identifier: MIT */
/* Parts of the program that a life passes as a whole. The region in front of a
 * block B begins with the block that dominates it; when nothing jumps into the middle
 * and all of it leads to B, what is alive at B and not touched in the region is alive in
 * all of it. Such regions follow one another, up to one that is none, or up to the
 * header of a loop that B is in: there what is alive comes from the latch, too.
 *
 * A block with one way in that writes nothing is said to lead on though it leaves (an
 * arm with a break): whatever is alive there is alive before, so that a life which has
 * no hole there keeps no register from anybody. */
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

struct state {
   const struct mir_program *p;
   enum mir_file file;
   struct ra_region *r;
   uint32_t num_blocks;
   uint8_t *writes_nothing;  /* by block, and it has one way in */
   uint32_t *leads_to;       /* the nearest block ahead */
   struct peaks far, early;  /* leads_to; forward predecessors, inverted */
   uint32_t *loops, num_loops; /* headers of loops that are open */
   uint32_t *latch;          /* by header */
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
common_dominator(const struct ra_region *r, uint32_t a, uint32_t b)
{
   while (r[a].depth != r[b].depth) {
      uint32_t *deep = r[a].depth > r[b].depth ? &a : &b, depth = r[a].depth > r[b].depth ? r[b].depth : r[a].depth;
      *deep = r[r[*deep].jump].depth >= depth ? r[*deep].jump : r[*deep].dominator;
   }
   while (a != b) {
      bool far = r[a].jump != r[b].jump;
      if (r[a].depth == 0)
         return NONE; /* code that nobody comes to */
      a = far ? r[a].jump : r[a].dominator;
      b = far ? r[b].jump : r[b].dominator;
   }
   return a;
}

/* All predecessors before b are done. */
static void
add_block(struct state *s, uint32_t b)
{
   struct mir_block *const *list;
   struct ra_region *r = &s->r[b];
   uint32_t n = preds(s, b, &list), first = NONE, dominator = NONE, latch = 0;
   bool is_header = false, known = true;

   for (uint32_t k = n; k-- > 0;) {
      uint32_t pred = list[k]->index;
      if (pred >= b) {
         is_header = true;
         latch = pred > latch ? pred : latch;
         continue;
      }
      first = pred < first ? pred : first;
      if (known)
         dominator = dominator == NONE ? pred : common_dominator(s->r, dominator, pred);
      known = dominator != NONE;
   }
   if (b)
      push(&s->far, b - 1, s->writes_nothing[b - 1] ? b : s->leads_to[b - 1]);
   push(&s->early, b, ~first);
   while (s->num_loops && s->latch[s->loops[s->num_loops - 1]] < b)
      s->num_loops--;
   r->loop = s->num_loops ? s->loops[s->num_loops - 1] : 0;
   if (is_header) {
      s->latch[b] = latch;
      s->loops[s->num_loops++] = b;
   }
   *r = (struct ra_region){ .dominator = b, .jump = b, .stop = b, .loop = is_header ? b : r->loop };
   if (dominator == NONE)
      return;
   const struct ra_region *up = &s->r[dominator], *jump = &s->r[up->jump];
   r->dominator = dominator;
   r->depth = up->depth + 1;
   /* Jumps of such lengths reach any depth in steps of its logarithm. */
   r->jump = up->depth - jump->depth == jump->depth - s->r[jump->jump].depth ? jump->jump : dominator;
   if (highest(&s->far, dominator) <= b && ~highest(&s->early, dominator + 1) >= dominator)
      r->stop = up->stop;
}

const struct ra_region *
ra_regions_find(struct mir_program *p, enum mir_file file, const uint8_t *defines)
{
   uint32_t n = p->num_blocks;
   struct state s = { .p = p, .file = file, .num_blocks = n };
   s.r = ir_temp_any(p->sh, n * sizeof(*s.r));
   s.writes_nothing = ir_temp_any(p->sh, n);
   uint32_t *by_block = ir_temp_any(p->sh, 7 * (size_t)n * sizeof(*by_block));
   s.leads_to = by_block;
   s.loops = by_block + n;
   s.latch = by_block + 2 * n;
   s.far = (struct peaks){ by_block + 3 * n, by_block + 4 * n, 0 };
   s.early = (struct peaks){ by_block + 5 * n, by_block + 6 * n, 0 };
   find_leads(&s, defines);
   for (uint32_t b = 0; b < n; b++)
      add_block(&s, b);
   return s.r;
}

uint32_t
ra_region_start(const struct ra_region *r, uint32_t block, uint32_t limit)
{
   limit = r[block].stop > limit ? r[block].stop : limit;
   limit = r[block].loop > limit ? r[block].loop : limit;
   while (block > limit) {
      if (r[block].jump >= limit && r[block].jump != block)
         block = r[block].jump;
      else if (r[block].dominator >= limit && r[block].dominator != block)
         block = r[block].dominator;
      else
         break;
   }
   return block;
}
