/* SPDX-License-Identifier: MIT */
/* List scheduling before register allocation. Regions end at control flow and
 * barriers (sched_deps.c). An instruction's height is its longest path of
 * latencies to the region's end: highest first hoists loads. While many registers are alive, what takes no more goes first; when all take, a depth
 * first order decides, or the program's own, whichever holds fewer VGPRs. */
#include "sched_graph.h"

#define MAX_REGION      4096
#define MANY_VGPRS      24  /* of the region itself: as many as leave all waves their place */
#define PRESSURE_LIMIT  56  /* VGPRs that leave room for four waves and vectors */
#define RELAXED_VGPRS   16  /* with so few there is nothing to gain */
#define SGPR_LIMIT      48  /* loads begun beside them leave all waves their place */
#define SMEM_BOOST      400

enum mode { RELAXED, CAREFUL, SHORT_OF_SGPRS, SHORT_OF_VGPRS };

#define MAX_SORTED 8

/* Predecessors of n, the needy first (of very many: some). */
static unsigned
needy_preds(const struct sched *s, const struct sched_node *n, uint32_t out[MAX_SORTED])
{
   unsigned num = 0;
   for (uint32_t e = n->preds; e; e = s->edges[e - 1].next_pred) {
      uint32_t node = s->edges[e - 1].from;
      unsigned at = num < MAX_SORTED ? num++ : MAX_SORTED - 1;
      while (at && s->nodes[out[at - 1]].need < s->nodes[node].need) {
         out[at] = out[at - 1];
         at--;
      }
      out[at] = node;
   }
   return num;
}

/* The order that holds few registers: depth first from what the region ends
 * with, and of an instruction's sources first the one whose computation needs
 * most registers (Sethi and Ullman). */
static void
order_by_need(struct sched *s)
{
   uint32_t *stack = ir_temp_any(s->p->sh, (s->num_edges + s->n + 1) * sizeof(*stack)), seq = 0;
   uint32_t preds[MAX_SORTED];
   for (uint32_t i = 0; i < s->n; i++) {
      struct sched_node *n = &s->nodes[i];
      unsigned num = needy_preds(s, n, preds);
      n->need = n->inst->def_n[0];
      for (unsigned k = 0; k < num; k++) {
         uint32_t need = s->nodes[preds[k]].need + k;
         n->need = need > n->need ? need : n->need;
      }
      n->seq = 0;
   }
   for (uint32_t i = 0; i < s->n; i++) {
      uint32_t depth = 0;
      if (s->nodes[i].succs)
         continue;
      stack[depth++] = i;
      while (depth) {
         struct sched_node *n = &s->nodes[stack[depth - 1]];
         if (n->seq) {
            depth--;
            continue;
         }
         unsigned num = needy_preds(s, n, preds);
         uint32_t before = depth;
         for (uint32_t e = num == MAX_SORTED ? n->preds : 0; e; e = s->edges[e - 1].next_pred) {
            if (!s->nodes[s->edges[e - 1].from].seq)
               stack[depth++] = s->edges[e - 1].from;
         }
         for (unsigned k = depth == before ? num : 0; k-- > 0;) {
            if (!s->nodes[preds[k]].seq)
               stack[depth++] = preds[k];
         }
         if (depth == before) {
            n->seq = ++seq;
            depth--;
         }
      }
   }
}

static uint32_t
latency(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return info ? info->latency ? info->latency : 4 : 1;
}

/* What results take. Parts of a wide load that nobody reads take no room. */
static void
find_takes(const struct sched *s, struct sched_node *n)
{
   const struct mir_inst *inst = n->inst;
   for (unsigned i = 0; i < 2; i++) {
      if (!mir_is_virt(inst->def[i]) || inst->i.op == MIR_UNDEF)
         continue;
      for (unsigned k = 0; k < inst->def_n[i]; k++) {
         const struct sched_res *res = &s->res[mir_unit_id(inst->def[i]) + k];
         n->takes[mir_unit(s->p, inst->def[i])->file] += res->left || res->kept;
      }
   }
}

/* Nothing is placed: a unit that is read once dies there. */
static void
find_relief(struct sched *s)
{
   for (uint32_t i = 0; i < s->n; i++) {
      struct sched_node *n = &s->nodes[i];
      for (unsigned f = 0; f < 2; f++)
         n->relief[f] = -n->takes[f];
      for (uint32_t r = n->reads; r < n->reads + n->num_reads; r++)
         n->relief[s->p->units[s->reads[r]].file] += s->res[s->reads[r]].left == 1;
   }
   s->vgprs = s->sgprs = 0;
   s->careful = false;
}

/* Takes all back that place() did. */
static void
unplace_all(struct sched *s)
{
   for (uint32_t i = 0; i < s->n; i++) {
      for (uint32_t r = s->nodes[i].reads; r < s->nodes[i].reads + s->nodes[i].num_reads; r++) {
         s->res[s->reads[r]].left++;
         s->res[s->reads[r]].sum += i;
      }
   }
   find_relief(s);
}

/* Keeps account of registers: where one read of a unit is left, it dies there. */
static void
place(struct sched *s, uint32_t node)
{
   const struct sched_node *n = &s->nodes[node];
   s->vgprs -= n->relief[MIR_VGPR];
   s->sgprs -= n->relief[MIR_SGPR];
   for (uint32_t r = n->reads; r < n->reads + n->num_reads; r++) {
      struct sched_res *res = &s->res[s->reads[r]];
      res->sum -= node;
      if (--res->left == 1)
         s->nodes[res->sum].relief[s->p->units[s->reads[r]].file]++;
   }
}

/* How much a node is wanted while registers are short, by tiers: many VGPRs
 * alive: first what takes no more of them; too many: what frees most, in
 * program order. SGPRs hold descriptors and constants: no more are loaded
 * while there are too many. */
static uint64_t
wish(const struct sched_node *n, uint32_t node, enum mode mode)
{
   uint64_t early = UINT32_MAX - n->seq, high = (uint64_t)n->height << 32 | (UINT32_MAX - node);
   switch (mode) {
   case RELAXED: return high;
   case CAREFUL: return (uint64_t)(n->relief[MIR_VGPR] >= 0) << 32 | early;
   case SHORT_OF_SGPRS: return n->relief[MIR_SGPR] >= 0 ? 1ull << 63 | high : early;
   default: return (uint64_t)(INT16_MAX + n->relief[MIR_VGPR]) << 32 | early;
   }
}

static uint32_t
pick(struct sched *s, const uint32_t *ready, uint32_t num)
{
   /* Once careful, until there is room for a few loads, which then wait together. */
   s->careful = s->vgprs > (s->careful ? MANY_VGPRS - 8 : MANY_VGPRS);
   enum mode mode = s->vgprs > PRESSURE_LIMIT ? SHORT_OF_VGPRS
                    : s->sgprs > SGPR_LIMIT   ? SHORT_OF_SGPRS
                    : s->careful              ? CAREFUL : RELAXED;
   uint64_t most = 0;
   uint32_t best = 0;
   for (uint32_t i = 0; i < num; i++) {
      uint64_t w = wish(&s->nodes[ready[i]], ready[i], mode);
      if (w > most) {
         most = w;
         best = i;
      }
   }
   return best;
}

/* Most VGPRs alive at once when the nodes run in this order. */
static int
peak(struct sched *s, const uint32_t *order)
{
   int most = 0;
   for (uint32_t i = 0; i < s->n; i++) {
      place(s, order[i]);
      most = s->vgprs > most ? s->vgprs : most;
   }
   unplace_all(s);
   return most;
}

/* Depth first is bad where several sums read the parts of the same loads; the
 * program's own order may then be better. */
static void
choose_order(struct sched *s, uint32_t *order)
{
   for (uint32_t i = 0; i < s->n; i++)
      order[i] = i;
   int own = peak(s, order);
   for (uint32_t i = 0; i < s->n; i++)
      s->nodes[i].seq = i;
   if (own <= RELAXED_VGPRS)
      return; /* short of nothing, whatever the order */
   order_by_need(s);
   for (uint32_t i = 0; i < s->n; i++)
      order[s->nodes[i].seq - 1] = i;
   if (peak(s, order) < own)
      return;
   for (uint32_t i = 0; i < s->n; i++)
      s->nodes[i].seq = i;
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
      const struct isa_op_info *info = mir_info(n->inst);
      uint32_t h = 0;
      for (uint32_t e = n->succs; e; e = s->edges[e - 1].next_succ) {
         if (s->nodes[s->edges[e - 1].to].height > h)
            h = s->nodes[s->edges[e - 1].to].height;
      }
      /* Scalar loads come back in any order, so a wait for one waits for all:
       * all that can start should start before the first wait. */
      n->height = h + latency(n->inst) + (info && info->unit == ISA_UNIT_SMEM ? SMEM_BOOST : 0);
   }
}

static void
schedule_region(struct sched *s, struct mir_block *b, struct mir_inst *before, struct mir_inst *after)
{
   uint32_t *ready = ir_temp_any(s->p->sh, s->n * sizeof(*ready)), num_ready = 0;
   uint32_t *order = ir_temp_any(s->p->sh, s->n * sizeof(*order)), placed = 0;
   for (uint32_t i = 0; i < s->n; i++)
      sched_add_node(s, i);
   for (uint32_t i = 0; i < s->n; i++)
      find_takes(s, &s->nodes[i]);
   find_relief(s);
   choose_order(s, order);
   find_heights(s);
   for (uint32_t i = 0; i < s->n; i++) {
      if (!s->nodes[i].num_preds)
         ready[num_ready++] = i;
   }
   while (num_ready) {
      uint32_t at = pick(s, ready, num_ready), node = ready[at];
      ready[at] = ready[--num_ready];
      order[placed++] = node;
      place(s, node);
      for (uint32_t e = s->nodes[node].succs; e; e = s->edges[e - 1].next_succ) {
         if (--s->nodes[s->edges[e - 1].to].num_preds == 0)
            ready[num_ready++] = s->edges[e - 1].to;
      }
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
   struct sched s = { .p = p };
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
