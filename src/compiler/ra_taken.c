/* SPDX-License-Identifier: MIT */
/* What physical registers are taken for while groups of units are placed in the order
 * of their starts: what ended before is out of the way, new ranges come near the place
 * that the walk has come to, and who wants a register now sees only those that are idle. */
#include "ra_taken.h"

static void
leave_behind(struct ra_taken *s, struct ra_phys *reg, struct ra_range r)
{
   struct ra_life *l = &reg->behind;
   if (l->num && l->ranges[l->num - 1].end == r.start) {
      l->ranges[l->num - 1].end = r.end;
      return;
   }
   ra_reserve(s->mem, l, l->num + 1);
   l->ranges[l->num++] = r;
}

static void
sleep_until(struct ra_taken *s, unsigned r, uint32_t pos)
{
   if (!s->wakes || !(s->idle[r / 64] >> (r % 64) & 1))
      return;
   s->idle[r / 64] &= ~(1ull << (r % 64));
   s->next_waking[r] = s->wakes[pos] ? s->wakes[pos] - 1 : r;
   s->wakes[pos] = r + 1;
}

void
ra_taken_wake(struct ra_taken *s)
{
   for (; s->woken <= s->now; s->woken++) {
      unsigned r = s->wakes[s->woken];
      for (unsigned last = 0; r && r != last; r = s->next_waking[r - 1] + 1) {
         last = r;
         s->idle[(r - 1) / 64] |= 1ull << ((r - 1) % 64);
      }
   }
}

/* Ranges of `ahead`, from the start of the list, that end after `pos`. */
static uint32_t
num_after(const struct ra_life *ahead, uint32_t max, uint32_t pos)
{
   uint32_t lo = 0, hi = max;
   while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (ahead->ranges[mid].end > pos)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

bool
ra_taken_is_free(struct ra_taken *s, unsigned r, const struct ra_life *l)
{
   struct ra_phys *reg = &s->phys[r];
   struct ra_life *ahead = &reg->ahead;
   while (ahead->num && ahead->ranges[ahead->num - 1].end <= s->now)
      leave_behind(s, reg, ahead->ranges[--ahead->num]);
   uint32_t left = ahead->num;
   if (left && ahead->ranges[left - 1].start <= s->now)
      sleep_until(s, r, ahead->ranges[left - 1].end);
   for (uint32_t i = 0; i < l->num && left; i++) {
      if (ahead->ranges[left - 1].end <= l->ranges[i].start)
         left = num_after(ahead, left - 1, l->ranges[i].start);
      if (left && ahead->ranges[left - 1].start < l->ranges[i].end)
         return false;
   }
   return true;
}

/* Moves only what lies between the ranges of `l`. */
void
ra_taken_add(struct ra_taken *s, unsigned reg, const struct ra_life *l)
{
   struct ra_life *ahead = &s->phys[reg].ahead;
   uint32_t top = ahead->num;
   if (reg >= s->num)
      s->num = reg + 1;
   ra_reserve(s->mem, ahead, top + l->num);
   struct ra_range *r = ahead->ranges;
   for (uint32_t i = 0; i < l->num; i++) {
      uint32_t at = top && r[top - 1].end <= l->ranges[i].start ? num_after(ahead, top - 1, l->ranges[i].start) : top;
      memmove(&r[at + l->num - i], &r[at], (top - at) * sizeof(*r));
      r[at + l->num - i - 1] = l->ranges[i];
      top = at;
   }
   ahead->num += l->num;
}

void
ra_taken_clear(struct ra_taken *s)
{
   for (unsigned r = 0; r < s->num; r++)
      s->phys[r].ahead.num = s->phys[r].behind.num = 0;
   s->now = s->num = 0;
   s->wakes = NULL;
}

void
ra_taken_restart(struct ra_taken *s, uint32_t num_pos, bool any_single)
{
   for (unsigned r = 0; r < s->num; r++) {
      struct ra_phys *reg = &s->phys[r];
      if (!reg->ahead.num && !reg->behind.num)
         continue;
      while (reg->ahead.num)
         leave_behind(s, reg, reg->ahead.ranges[--reg->ahead.num]);
      const struct ra_life behind = reg->behind;
      for (uint32_t i = 0; i < behind.num / 2; i++) {
         struct ra_range t = behind.ranges[i];
         behind.ranges[i] = behind.ranges[behind.num - 1 - i];
         behind.ranges[behind.num - 1 - i] = t;
      }
      reg->behind = reg->ahead;
      reg->ahead = behind;
   }
   memset(s->idle, 0xff, sizeof(s->idle));
   s->woken = 0;
   s->wakes = any_single ? ir_temp(s->sh, (2 * num_pos + 4) * sizeof(*s->wakes)) : NULL;
}
