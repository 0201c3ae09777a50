/* SPDX-License-Identifier: MIT */
/* Programs that need more registers or memory than there are: the error names the
 * TGSI instruction with most values alive. Nothing here runs before that is known. */
#include <stdarg.h>
#include <stdio.h>

#include "passes.h"

struct need {
   struct ir_shader *sh;
   uint32_t *last;           /* by value: position of its last use */
   struct ir_inst **at;      /* by position */
   uint32_t num;
};

static void
use(struct need *n, ir_val v, uint32_t pos)
{
   v = ir_now(v);
   if (n->last[v->id] < pos)
      n->last[v->id] = pos;
}

static void
find_uses(struct need *n)
{
   ir_foreach_block(n->sh, b) {
      ir_foreach_inst(b, inst) {
         n->at[n->num] = inst;
         for (unsigned i = 0; i < inst->num_src; i++)
            use(n, inst->src[i], n->num);
         n->num++;
      }
      if (b->term == IR_TERM_IF)
         use(n, b->cond, n->num ? n->num - 1 : 0);
   }
}

/* Position with most dwords alive, in the order of the code. */
static uint32_t
find_peak(struct need *n)
{
   uint32_t *ends = ir_temp(n->sh, (n->num + 1) * sizeof(*ends)), alive = 0, most = 0, peak = 0;
   for (uint32_t pos = 0; pos < n->num; pos++) {
      const struct ir_inst *inst = n->at[pos];
      alive -= ends[pos];
      if (n->last[inst->id] > pos && inst->op != IR_CONST) {
         alive += inst->comps;
         ends[n->last[inst->id]] += inst->comps;
      }
      if (alive > most) {
         most = alive;
         peak = pos;
      }
   }
   return peak;
}

/* Which instruction a value of the front end was made for. */
static uint32_t
origin_of(const struct ir_shader *sh, uint32_t id)
{
   uint32_t lo = 0, hi = sh->num_origins;
   while (hi - lo > 1) {
      uint32_t mid = (lo + hi) / 2;
      if (sh->origins[mid].id <= id)
         lo = mid;
      else
         hi = mid;
   }
   return sh->origins[lo].pc;
}

/* ~0: not known. */
static uint32_t
busiest_instruction(struct ir_shader *sh)
{
   struct need n = { .sh = sh };
   uint32_t count = 0, first = sh->num_origins ? sh->origins[0].id : 0;
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst)
         count++;
   }
   n.last = ir_temp(sh, (sh->num_ids + 1) * sizeof(*n.last));
   n.at = ir_temp_any(sh, (count + 1) * sizeof(*n.at));
   find_uses(&n);
   /* Values that passes made have higher numbers than the front end's: the nearest
    * of those before tells. */
   for (uint32_t pos = find_peak(&n) + 1; pos-- > 0 && sh->num_origins && sh->first_ids && n.num;) {
      uint32_t id = sh->first_ids[n.at[pos]->id];
      if (id >= first && id < sh->origins_end)
         return origin_of(sh, id);
   }
   return ~0u;
}

void
ir_error_need(struct ir_shader *sh, const char *fmt, ...)
{
   char text[160], place[40] = "";
   uint32_t pc = sh->error ? ~0u : busiest_instruction(sh);
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   if (pc != ~0u)
      snprintf(place, sizeof(place), "TGSI instruction %u: ", pc);
   ir_error(sh, "%s%s", place, text);
}
