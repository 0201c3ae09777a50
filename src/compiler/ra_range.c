/* SPDX-License-Identifier: MIT */
/* Lists of ranges: whether two have a place in common, and their sum. */
#include "ra.h"

uint32_t
ra_first_after(const struct ra_life *l, uint32_t from, uint32_t pos)
{
   uint32_t lo = from, hi = l->num;
   while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (l->ranges[mid].end <= pos)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

bool
ra_alive_at(const struct ra_life *l, uint32_t pos)
{
   uint32_t at = ra_first_after(l, 0, pos);
   return at < l->num && l->ranges[at].start <= pos;
}

bool
ra_overlap(const struct ra_life *a, const struct ra_life *b)
{
   uint32_t at = 0;
   if (a->num > b->num) {
      const struct ra_life *t = a;
      a = b;
      b = t;
   }
   for (uint32_t i = 0; i < a->num && at < b->num; i++) {
      at = ra_first_after(b, at, a->ranges[i].start);
      if (at < b->num && b->ranges[at].start < a->ranges[i].end)
         return true;
   }
   return false;
}

void
ra_reserve(struct ir_arena *mem, struct ra_life *l, uint32_t num)
{
   if (num <= l->max)
      return;
   uint32_t max = num < 8 ? 8 : num * 2;
   struct ra_range *r = ir_arena_alloc(mem, max * sizeof(*r));
   if (l->num)
      memcpy(r, l->ranges, l->num * sizeof(*r));
   l->ranges = r;
   l->max = max;
}

#define MAX_MOVED 64 /* ranges that are moved to close a gap */

/* Ranges that touch become one, unless too many stand behind them. */
static void
insert(struct ir_arena *mem, struct ra_life *l, struct ra_range r)
{
   uint32_t at = l->num && l->ranges[l->num - 1].end <= r.start ? l->num : ra_first_after(l, 0, r.start);
   bool joins_prev = at && l->ranges[at - 1].end == r.start, joins_next = at < l->num && l->ranges[at].start == r.end;
   if (joins_prev && joins_next && l->num - at > MAX_MOVED) {
      l->ranges[at - 1].end = r.end;
   } else if (joins_prev && joins_next) {
      l->ranges[at - 1].end = l->ranges[at].end;
      memmove(&l->ranges[at], &l->ranges[at + 1], (l->num - at - 1) * sizeof(r));
      l->num--;
   } else if (joins_prev) {
      l->ranges[at - 1].end = r.end;
   } else if (joins_next) {
      l->ranges[at].start = r.start;
   } else {
      ra_reserve(mem, l, l->num + 1);
      memmove(&l->ranges[at + 1], &l->ranges[at], (l->num - at) * sizeof(r));
      l->ranges[at] = r;
      l->num++;
   }
}

void
ra_merge(struct ir_arena *mem, struct ra_life *a, const struct ra_life *b)
{
   if (b->num < 4 || b->num * 8 < a->num) {
      for (uint32_t i = 0; i < b->num; i++)
         insert(mem, a, b->ranges[i]);
      return;
   }
   uint32_t i = a->num, k = b->num, to = i + k, n = 0;
   ra_reserve(mem, a, to);
   struct ra_range *r = a->ranges;
   while (k) {
      if (i && r[i - 1].start > b->ranges[k - 1].start)
         r[--to] = r[--i];
      else
         r[--to] = b->ranges[--k];
   }
   to = a->num + b->num;
   for (i = 0; i < to; i++) {
      if (n && r[n - 1].end == r[i].start)
         r[n - 1].end = r[i].end;
      else
         r[n++] = r[i];
   }
   a->num = n;
}
