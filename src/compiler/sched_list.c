/* SPDX-License-Identifier: MIT */
/* List scheduling before register allocation. Regions end at control flow and
 * barriers. An instruction's height is its longest path of latencies to the
 * region's end: highest first hoists loads; but what would wait for a result goes
 * behind what need not. While many registers are alive, what takes no more goes
 * first; when all take, the order that holds few registers decides. */
#include <stdlib.h>

#include "sched_graph.h"

#define MANY_VGPRS      24  /* as many as leave all waves their place */
#define FILL_VGPRS      20  /* fewer for arithmetic, so that loads find room */
#define WASTEFUL_VGPRS  28  /* when half of them would do */
#define PRESSURE_LIMIT  56  /* VGPRs that leave room for four waves and vectors */
#define SGPR_LIMIT      64  /* leaves all waves their place, if groups do not fit well */
#define SGPR_BATCH      20  /* free ones before loads begin again: they wait together */
#define SMEM_BOOST      400
#define M0_BOOST        1000 /* frees the input that goes there */
#define SMEM_GATHER     40  /* clocks within which loads count as begun at once */
#define SMEM_LATE       100 /* what a load costs that begins later, but before a wait for the others */

enum mode { RELAXED, CAREFUL, SHORT_OF_VGPRS };

#define MAX_RELIEF 64 /* more than any instruction frees */

/* Height of the most urgent scalar load that could begin: smaller ones do not
 * take the room that it waits for. */
static uint32_t
most_urgent(const struct sched *s)
{
   return s->nodes[s->smem.ready[s->smem.num - 1].node].height;
}

/* How much a node is wanted while registers are short, by tiers. Too many VGPRs:
 * what frees most; many: first what takes no more of them. Last come scalar loads
 * for which there is no room. */
static int
tier(const struct sched *s, const struct sched_node *n, enum mode mode)
{
   if (n->is_smem && n->height < most_urgent(s))
      return -MAX_RELIEF;
   if (n->room > s->room)
      return -MAX_RELIEF;
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

/* A higher tier is wanted more, then what begins sooner. */
static uint64_t
wanted(int tier, uint32_t begins)
{
   return (uint64_t)(tier + MAX_RELIEF) << 32 | (uint32_t)~begins;
}

/* The order in which nodes are wanted that begin at the same time: while there
 * are enough registers by height, else the order that holds few. */
static uint64_t
key_of(const struct sched *s, uint32_t node, bool by_height)
{
   const struct sched_node *n = &s->nodes[node];
   uint32_t height = by_height | n->is_smem ? n->height : 0;
   return (uint64_t)height << 32 | (uint32_t)~(by_height ? node : n->seq);
}

#define NEAR 8 /* places from the end, where most come and go */

/* Makes a place for `key` in front of those from `end` on, by halves. */
static __attribute__((noinline)) uint32_t
make_place(struct sched_ready *ready, uint32_t end, uint64_t key)
{
   uint32_t lo = 0, hi = end;
   while (lo < hi) {
      uint32_t middle = (lo + hi) / 2;
      if (ready[middle].key > key)
         hi = middle;
      else
         lo = middle + 1;
   }
   memmove(ready + lo + 1, ready + lo, (end - lo) * sizeof(*ready));
   return lo;
}

static void
add_ready(struct sched *s, uint32_t node)
{
   struct sched_queue *q = s->nodes[node].is_smem ? &s->smem : &s->others;
   uint64_t key = key_of(s, node, s->by_height);
   uint32_t at = q->num++, near = at > NEAR ? at - NEAR : 0;
   for (; at > near && q->ready[at - 1].key > key; at--)
      q->ready[at] = q->ready[at - 1];
   if (at && at == near)
      at = make_place(q->ready, near, key);
   q->ready[at] = (struct sched_ready){ key, node };
}

static uint32_t
take_ready(struct sched_queue *q, uint32_t at)
{
   uint32_t node = q->ready[at].node;
   if (at < --q->num)
      memmove(q->ready + at, q->ready + at + 1, (q->num - at) * sizeof(*q->ready));
   return node;
}

static int
by_key(const void *x, const void *y)
{
   const struct sched_ready *a = x, *b = y;
   return a->key < b->key ? -1 : a->key > b->key;
}

static void
order_ready(struct sched *s, struct sched_queue *q)
{
   for (uint32_t i = 0; i < q->num; i++)
      q->ready[i].key = key_of(s, q->ready[i].node, s->by_height);
   qsort(q->ready, q->num, sizeof(*q->ready), by_key);
}

/* The clock goes on by what placing the node takes, and those that waited for
 * nothing else can be placed. */
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
   for (uint32_t e = n->succs; e;) {
      const struct sched_edge *edge = &s->edges[e - 1];
      struct sched_node *to = &s->nodes[edge->to];
      if (edge->result && n->is_smem)
         to->smem_needed = s->smem_issued;
      else if (edge->result && done > to->ready)
         to->ready = done;
      if (!--to->num_preds)
         add_ready(s, edge->to);
      e = edge->next_succ;
   }
}

struct choice {
   struct sched_queue *queue;
   uint32_t at;
   uint64_t wanted, key;
};

/* The node is the choice if it is wanted more; returns how much it is. */
static inline __attribute__((always_inline)) uint64_t
consider(const struct sched *s, struct sched_queue *q, uint32_t at, enum mode mode, struct choice *c)
{
   const struct sched_ready *r = &q->ready[at];
   const struct sched_node *n = &s->nodes[r->node];
   int t = tier(s, n, mode);
   uint64_t w = wanted(t, mode == SHORT_OF_VGPRS ? 0 : begins(s, n));
   uint64_t key = mode == RELAXED && t == 1 ? r->key : (uint32_t)~n->seq;
   if (w > c->wanted || (w == c->wanted && key > c->key))
      *c = (struct choice){ q, at, w, key };
   return w;
}

/* Where to stop when a queue is looked at from the end: of hundreds only so many,
 * the first by key. */
#define MAX_LOADS  64
#define MAX_OTHERS 64
static uint32_t
last_of(const struct sched_queue *q, uint32_t max)
{
   return q->num > max ? q->num - max : 0;
}

/* Scalar loads without room or less urgent than others are only for when there is
 * nothing else, and none is better than one that waits for no other. */
static __attribute__((noinline)) void
consider_loads(struct sched *s, enum mode mode, struct choice *c)
{
   static const struct sched_node load = { .is_smem = true };
   uint64_t best = mode == SHORT_OF_VGPRS ? UINT64_MAX : wanted(1, begins(s, &load));
   uint32_t urgent = most_urgent(s);
   for (uint32_t i = s->smem.num, end = last_of(&s->smem, MAX_LOADS); i-- > end;) {
      const struct sched_node *n = &s->nodes[s->smem.ready[i].node];
      if (n->height < urgent || (n->room <= s->room && consider(s, &s->smem, i, mode, c) == best))
         return;
   }
}

/* Takes the node that comes next: first by tier, then what begins sooner, then by
 * key. Those who stand behind the first of the best tier that can begin now need
 * no look. */
static uint32_t
pick(struct sched *s)
{
   s->careful = s->vgprs > (s->careful ? MANY_VGPRS - 8 : MANY_VGPRS);
   s->sgpr_full = s->sgprs > (s->sgpr_full ? SGPR_LIMIT - SGPR_BATCH : SGPR_LIMIT - 8);
   enum mode mode = s->vgprs > PRESSURE_LIMIT ? SHORT_OF_VGPRS : s->careful ? CAREFUL : RELAXED;
   int room = SGPR_LIMIT - s->sgprs - (s->sgpr_full ? SGPR_BATCH - 8 : 0);
   s->room = room > 0 ? room : 0;
   if (s->smem.num + s->others.num == 1)
      return take_ready(s->smem.num ? &s->smem : &s->others, 0);
   if (s->by_height != (mode == RELAXED)) {
      s->by_height = mode == RELAXED;
      order_ready(s, &s->smem);
      order_ready(s, &s->others);
   }
   uint64_t best = mode == SHORT_OF_VGPRS ? UINT64_MAX : wanted(1, s->now);
   struct choice c = { .wanted = 0 };
   if (s->smem.num)
      consider_loads(s, mode, &c);
   for (uint32_t i = s->others.num, end = last_of(&s->others, MAX_OTHERS); i-- > end;) {
      if (consider(s, &s->others, i, mode, &c) == best)
         break;
   }
   if (c.wanted < wanted(1 - MAX_RELIEF, UINT32_MAX)) {
      for (uint32_t i = s->smem.num, end = last_of(&s->smem, MAX_LOADS); i-- > end;)
         consider(s, &s->smem, i, mode, &c);
   }
   return take_ready(c.queue, c.at);
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
       * all that can start should start before the first wait. Vector loads that
       * wait for none of them take longer, and leave the SGPRs of their V#s. */
      if (n->is_smem || (n->is_vmem && !n->after_smem))
         n->height += SMEM_BOOST;
      if (n->inst->def[0] == ISA_M0)
         n->height += M0_BOOST;
   }
}

static void
schedule_region(struct sched *s, struct mir_block *b, struct mir_inst *before, struct mir_inst *after)
{
   uint32_t *order = ir_temp_any(s->p->sh, s->n * sizeof(*order)), placed = 0;
   s->come_in[MIR_SGPR] = s->come_in[MIR_VGPR] = 0;
   for (uint32_t i = 0; i < s->n; i++)
      sched_add_node(s, i);
   int least = sched_start(s, order), most = 0;
   find_heights(s);
   s->careful = s->sgpr_full = false;
   s->now = s->smem_due = s->smem_since = s->smem_done = s->smem_issued = 0;
   s->by_height = true;
   for (uint32_t i = s->n; i-- > 0;) {
      if (!s->nodes[i].num_preds)
         add_ready(s, i);
   }
   while (s->smem.num + s->others.num) {
      uint32_t node = pick(s);
      order[placed++] = node;
      sched_place(s, node);
      most = s->vgprs > most ? s->vgprs : most;
      advance(s, &s->nodes[node]);
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
   if (s->p->num_blocks == 1)
      return;
   struct mir_block **home = ir_temp(s->p->sh, (s->p->num_units + 1) * sizeof(*home));
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < 2; i++) {
            uint32_t unit = mir_unit_id(inst->def[i]), end = unit + inst->def_n[i];
            for (; mir_is_virt(inst->def[i]) && unit < end; unit++)
               home[unit] = b;
         }
      }
   }
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         for (unsigned i = 0; i < 4; i++) {
            if (!mir_is_virt(inst->src[i]))
               continue;
            uint32_t unit = mir_unit_id(inst->src[i]), end = unit + inst->src_n[i];
            for (; unit < end; unit++)
               if (home[unit] != b)
                  s->res[unit - s->res[unit].place].kept = true;
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
      s->exec_changes = false;
      while (inst && inst != b->tail && !sched_is_barrier(inst) && s->n < SCHED_MAX_REGION) {
         s->nodes[s->n++] = (struct sched_node){ .inst = inst };
         s->exec_changes |= sched_writes_exec(inst);
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
   longest = longest < SCHED_MAX_REGION ? longest : SCHED_MAX_REGION;
   s.nodes = ir_temp_any(p->sh, longest * sizeof(*s.nodes));
   s.smem.ready = ir_temp_any(p->sh, longest * sizeof(*s.smem.ready));
   s.others.ready = ir_temp_any(p->sh, longest * sizeof(*s.others.ready));
   s.max_edges = 8 * longest + SCHED_MAX_OPERANDS;
   s.max_readers = s.max_reads = 4 * longest + SCHED_MAX_OPERANDS;
   s.edges = ir_temp_any(p->sh, s.max_edges * sizeof(*s.edges));
   s.readers = ir_temp_any(p->sh, s.max_readers * sizeof(*s.readers));
   s.reads = ir_temp_any(p->sh, s.max_reads * sizeof(*s.reads));
   s.res = ir_temp_any(p->sh, (p->num_units + NUM_RES) * sizeof(*s.res));
   for (uint32_t u = 0; u < p->num_units; u++) {
      const struct mir_unit *unit = &p->units[u];
      bool whole = unit->file == MIR_SGPR;
      s.res[u] = (struct sched_res){ .file = unit->file, .place = whole ? unit->index : 0, .weight = whole ? unit->size : 1 };
   }
   memset(s.res + p->num_units, 0, NUM_RES * sizeof(*s.res));
   find_kept(&s);
   mir_foreach_block(p, b)
      schedule_block(&s, b);
}
