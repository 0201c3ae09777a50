/* SPDX-License-Identifier: MIT */
/* List scheduling before register allocation. Regions end at control flow and
 * barriers. An instruction's height is its longest path of latencies to the
 * region's end: highest first hoists loads; but what would wait for a result goes
 * behind what need not. While many registers are alive, what takes no more goes
 * first; when all take, the order that holds few registers decides. */
#include "sched_graph.h"

#define MAX_REGION      4096
#define MANY_VGPRS      24  /* as many as leave all waves their place */
#define FILL_VGPRS      20  /* fewer for arithmetic, so that loads find room */
#define WASTEFUL_VGPRS  32  /* when half of them would do */
#define PRESSURE_LIMIT  56  /* VGPRs that leave room for four waves and vectors */
#define SGPR_LIMIT      56  /* leaves all waves their place, if groups do not fit well */
#define SGPR_BATCH      24  /* free ones before loads begin again: they wait together */
#define SMEM_BOOST      400
#define M0_BOOST        1000 /* frees the input that goes there */
#define SMEM_GATHER     40  /* clocks within which loads count as begun at once */
#define SMEM_LATE       100 /* what a load costs that begins later, but before a wait for the others */

enum mode { RELAXED, CAREFUL, SHORT_OF_VGPRS };

#define MAX_RELIEF 64 /* more than any instruction frees */

/* How much a node is wanted while registers are short, by tiers. Too many VGPRs:
 * what frees most; many: first what takes no more of them. Last come scalar loads
 * for which there is no room. */
static int
tier(const struct sched *s, const struct sched_node *n, enum mode mode)
{
   if (n->is_smem && n->height < s->urgent)
      return -MAX_RELIEF;
   if (n->takes[MIR_SGPR]) {
      int room = SGPR_LIMIT - s->sgprs - (s->sgpr_full ? SGPR_BATCH - 8 : 0);
      if (n->inst->def_n[0] > room) /* also for parts that nobody reads */
         return -MAX_RELIEF;
   }
   int relief = n->relief[MIR_VGPR];
   if (mode == SHORT_OF_VGPRS)
      return relief;
   return (relief >= 0) | (n->is_vmem ? mode == RELAXED : s->vgprs - relief <= FILL_VGPRS);
}

/* When the node could begin without waiting. Scalar loads come back in any order:
 * a wait for one is a wait for all, and a load that begins while older ones are
 * under way makes that wait longer; better behind it. */
static uint32_t
begins(const struct sched *s, const struct sched_node *n)
{
   uint32_t at = n->ready > s->now ? n->ready : s->now;
   bool pending = s->smem_done != s->smem_issued, late = n->is_smem & pending & (s->now > s->smem_since + SMEM_GATHER);
   /* A part of a vector goes with the others, which often wait: alone it only takes a register. */
   bool part = n->is_copy & pending & (n->relief[MIR_VGPR] < 0);
   uint32_t due = (n->smem_needed > s->smem_done) | late | part ? s->smem_due : 0;
   at = due > at ? due : at;
   return late ? at + SMEM_LATE : at;
}

/* The clock goes on by what placing the node takes. */
static void
advance(struct sched *s, struct sched_node *n)
{
   uint32_t at = n->ready > s->now ? n->ready : s->now;
   if (n->smem_needed > s->smem_done) {
      s->smem_done = s->smem_issued;
      at = s->smem_due > at ? s->smem_due : at;
      s->smem_due = 0;
   }
   uint32_t done = at + n->latency;
   s->now = at + n->busy;
   if (n->is_smem) {
      if (s->smem_done == s->smem_issued++)
         s->smem_since = at;
      s->smem_due = done;
   }
   for (uint32_t e = n->succs; e; e = s->edges[e - 1].next_succ) {
      struct sched_node *to = &s->nodes[s->edges[e - 1].to];
      if (s->edges[e - 1].result && n->is_smem)
         to->smem_needed = s->smem_issued;
      else if (s->edges[e - 1].result && done > to->ready)
         to->ready = done;
   }
}

/* Height of the most urgent scalar load: smaller ones do not take the room that
 * it waits for. */
static uint32_t
urgent_smem(const struct sched *s, const uint32_t *ready, uint32_t num)
{
   uint32_t height = 0;
   for (uint32_t i = 0; s->smem_ready && i < num; i++) {
      const struct sched_node *n = &s->nodes[ready[i]];
      height = n->is_smem && n->height > height ? n->height : height;
   }
   return height;
}

/* What is wanted more is larger: by tier, then what begins sooner, then the order
 * that holds few registers, or while there are enough the height. One number, as
 * nobody could foresee the outcome of single comparisons. */
static unsigned __int128
wanted(const struct sched *s, uint32_t node, enum mode mode)
{
   const struct sched_node *n = &s->nodes[node];
   int t = tier(s, n, mode);
   uint32_t late = mode == SHORT_OF_VGPRS ? 0 : begins(s, n);
   uint64_t order = mode != RELAXED || t < 1 ? ~n->seq : (uint64_t)n->height << 32 | (uint32_t)~node;
   return (unsigned __int128)((uint64_t)(t + MAX_RELIEF) << 32 | (uint32_t)~late) << 64 | order;
}

static uint32_t
pick(struct sched *s, const uint32_t *ready, uint32_t num)
{
   /* Once careful, until there is room for a few loads, which then wait together. */
   s->careful = s->vgprs > (s->careful ? MANY_VGPRS - 8 : MANY_VGPRS);
   s->sgpr_full = s->sgprs > (s->sgpr_full ? SGPR_LIMIT - SGPR_BATCH : SGPR_LIMIT - 8);
   s->urgent = urgent_smem(s, ready, num);
   enum mode mode = s->vgprs > PRESSURE_LIMIT ? SHORT_OF_VGPRS : s->careful ? CAREFUL : RELAXED;
   uint32_t best = 0;
   if (num == 1)
      return 0;
   unsigned __int128 most = 0;
   for (uint32_t i = 0; i < num; i++) {
      unsigned __int128 w = wanted(s, ready[i], mode);
      best = w > most ? i : best;
      most = w > most ? w : most;
   }
   return best;
}

/* Puts nodes back in their new order between `before` and `after`. */
static void
relink(struct mir_block *b, struct sched *s, const uint32_t *order, struct mir_inst *before, struct mir_inst *after)
{
   struct mir_inst *prev = before;
   for (uint32_t i = 0; i < s->n; i++) {
      struct mir_inst *inst = s->nodes[order[i]].inst;
      inst->prev = prev;
      if (prev)
         prev->next = inst;
      else
         b->first = inst;
      prev = inst;
   }
   prev->next = after;
   if (after)
      after->prev = prev;
   else
      b->last = prev;
}

static void
find_heights(struct sched *s)
{
   for (uint32_t i = s->n; i-- > 0;) {
      struct sched_node *n = &s->nodes[i];
      uint32_t h = n->latency;
      for (uint32_t e = n->succs; e; e = s->edges[e - 1].next_succ) {
         const struct sched_edge *edge = &s->edges[e - 1];
         uint32_t through = s->nodes[edge->to].height + (edge->result ? n->latency : s->issue);
         h = through > h ? through : h;
      }
      n->height = h;
      /* Scalar loads come back in any order, so a wait for one waits for all:
       * all that can start should start before the first wait. */
      if (n->is_smem)
         n->height += SMEM_BOOST;
      if (n->inst->def[0] == ISA_M0)
         n->height += M0_BOOST;
   }
}

static void
schedule_region(struct sched *s, struct mir_block *b, struct mir_inst *before, struct mir_inst *after)
{
   uint32_t *ready = ir_temp_any(s->p->sh, s->n * sizeof(*ready)), num_ready = 0;
   uint32_t *order = ir_temp_any(s->p->sh, s->n * sizeof(*order)), placed = 0;
   s->come_in[MIR_SGPR] = s->come_in[MIR_VGPR] = 0;
   for (uint32_t i = 0; i < s->n; i++)
      sched_add_node(s, i);
   int least = sched_start(s, order), most = 0;
   find_heights(s);
   s->careful = s->sgpr_full = false;
   s->now = s->smem_due = s->smem_since = s->smem_done = s->smem_issued = s->smem_ready = 0;
   for (uint32_t i = 0; i < s->n; i++) {
      if (s->nodes[i].num_preds)
         continue;
      s->smem_ready += s->nodes[i].is_smem;
      ready[num_ready++] = i;
   }
   while (num_ready) {
      uint32_t at = pick(s, ready, num_ready), node = ready[at];
      ready[at] = ready[--num_ready];
      order[placed++] = node;
      sched_place(s, node);
      most = s->vgprs > most ? s->vgprs : most;
      advance(s, &s->nodes[node]);
      s->smem_ready -= s->nodes[node].is_smem;
      for (uint32_t e = s->nodes[node].succs; e; e = s->edges[e - 1].next_succ) {
         struct sched_node *to = &s->nodes[s->edges[e - 1].to];
         if (--to->num_preds)
            continue;
         s->smem_ready += to->is_smem;
         ready[num_ready++] = s->edges[e - 1].to;
      }
   }
   /* Much begun and little done: what stalls a wave less leaves few waves, or spills. */
   if (most > WASTEFUL_VGPRS && least <= most / 2) {
      for (uint32_t i = 0; i < s->n; i++)
         order[s->nodes[i].seq] = i;
   }
   relink(b, s, order, before, after);
   sched_end_region(s);
}

/* Units that are read in a block other than where they are written. */
static void
find_kept(struct sched *s)
{
   struct mir_block **home = ir_temp(s->p->sh, (s->p->num_units + 1) * sizeof(*home));
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < 2; i++) {
            for (unsigned k = 0; mir_is_virt(inst->def[i]) && k < inst->def_n[i]; k++)
               home[mir_unit_id(inst->def[i]) + k] = b;
         }
      }
   }
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < 4; i++) {
            for (unsigned k = 0; mir_is_virt(inst->src[i]) && k < inst->src_n[i]; k++) {
               if (home[mir_unit_id(inst->src[i]) + k] != b)
                  s->res[mir_unit_id(inst->src[i]) + k].kept = true;
            }
         }
      }
   }
}

static void
schedule_block(struct sched *s, struct mir_block *b)
{
   struct mir_inst *inst = b->first;
   while (inst && inst != b->tail) {
      while (inst && inst != b->tail && sched_is_barrier(inst))
         inst = inst->next;
      if (!inst || inst == b->tail)
         break;
      struct mir_inst *before = inst->prev;
      s->n = 0;
      while (inst && inst != b->tail && !sched_is_barrier(inst) && s->n < MAX_REGION) {
         s->nodes[s->n++] = (struct sched_node){ .inst = inst };
         inst = inst->next;
      }
      if (s->n > 1)
         schedule_region(s, b, before, inst);
   }
}

void
sched_list(struct mir_program *p)
{
   struct sched s = { .p = p, .issue = isa_issue_clocks(p->sh->gfx) };
   uint32_t longest = 0;
   mir_foreach_block(p, b) {
      uint32_t len = 0;
      mir_foreach_inst(b, inst)
         len++;
      longest = len > longest ? len : longest;
   }
   s.nodes = ir_temp_any(p->sh, (longest < MAX_REGION ? longest : MAX_REGION) * sizeof(*s.nodes));
   s.res = ir_temp(p->sh, (p->num_units + NUM_RES) * sizeof(*s.res));
   find_kept(&s);
   mir_foreach_block(p, b)
      schedule_block(&s, b);
}
