/* SPDX-License-Identifier: MIT */
/* Registers that an order of instructions takes, and an order that takes few:
 * depth first from the ends, or the program's own, whichever holds fewer VGPRs. */
#include <limits.h>

#include "sched_graph.h"

#define RELAXED_VGPRS   16  /* with so few there is nothing to gain */

/* What results take. Parts of a vector that nobody reads take VGPRs for no time,
 * SGPRs as long as the others. What adds to its destination takes none. */
static void
find_takes(const struct sched *s, struct sched_node *n)
{
   const struct mir_inst *inst = n->inst;
   if (n->adds || inst->i.op == MIR_UNDEF)
      return;
   for (unsigned i = 0; i < 2; i++) {
      if (!mir_is_virt(inst->def[i]))
         continue;
      const struct sched_res *res = &s->res[mir_unit_id(inst->def[i])];
      for (unsigned k = 0; k < inst->def_n[i]; k++) {
         const struct sched_res *counts = &res[k] - res[k].place;
         n->takes[res->file] += counts->left || counts->kept;
      }
   }
   n->room = n->takes[MIR_SGPR] ? inst->def_n[0] : 0;
}

/* Nothing is placed: a unit that is read once dies there. Returns how many VGPRs are
 * read for the last time when nodes run as they are numbered. */
static int
find_relief(const struct sched *s, struct sched_node *n)
{
   const uint32_t number = s->first_node + (n - s->nodes) + 1;
   int relief[2] = { [MIR_SGPR] = -n->takes[MIR_SGPR], [MIR_VGPR] = -n->takes[MIR_VGPR] }, ends = 0;
   for (uint32_t r = n->reads, end = r + n->num_reads; r < end; r++) {
      const struct sched_res *res = &s->res[s->reads[r]];
      relief[res->file] += res->left == 1 ? res->weight : 0;
      ends += (res->file == MIR_VGPR) & (res->reader == number);
   }
   n->relief[MIR_SGPR] = relief[MIR_SGPR];
   n->relief[MIR_VGPR] = relief[MIR_VGPR];
   return ends;
}

/* Where one read of a unit is left, it dies there. */
void
sched_place(struct sched *s, uint32_t node)
{
   const struct sched_node *n = &s->nodes[node];
   s->vgprs -= n->relief[MIR_VGPR];
   s->sgprs -= n->relief[MIR_SGPR];
   for (uint32_t r = n->reads, end = r + n->num_reads; r < end; r++) {
      struct sched_res *res = &s->res[s->reads[r]];
      res->sum -= node;
      if (--res->left == 1)
         s->nodes[res->sum].relief[res->file] += res->weight;
   }
}

#define MAX_SORTED 8

/* What the node and its predecessors need; those stand in its list by that, the
 * needy last (of very many: as they were). */
static void
find_need(struct sched *s, struct sched_node *n)
{
   uint32_t sorted[MAX_SORTED], *link = &n->preds; /* edges, the needy first */
   unsigned num = 0;
   for (uint32_t e = n->preds; e; e = s->edges[e - 1].next_pred) {
      uint32_t need = s->nodes[s->edges[e - 1].from].need;
      unsigned at = num < MAX_SORTED ? num++ : MAX_SORTED - 1;
      for (; at && s->nodes[s->edges[sorted[at - 1] - 1].from].need < need; at--)
         sorted[at] = sorted[at - 1];
      sorted[at] = e;
   }
   n->need = n->inst->def_n[0];
   for (unsigned k = 0; k < num; k++) {
      uint32_t need = s->nodes[s->edges[sorted[k] - 1].from].need + k;
      n->need = need > n->need ? need : n->need;
   }
   if (num == MAX_SORTED)
      return;
   for (; num; num--) {
      *link = sorted[num - 1];
      link = &s->edges[sorted[num - 1] - 1].next_pred;
   }
   *link = 0;
}

/* The order that holds few registers: depth first from what the region ends
 * with, and of an instruction's sources first the one whose computation needs
 * most registers (Sethi and Ullman). */
static void
order_by_need(struct sched *s)
{
   uint32_t *stack = ir_temp_any(s->p->sh, (s->num_edges + s->n + 1) * sizeof(*stack)), seq = 0;
   for (uint32_t i = 0; i < s->n; i++) {
      find_need(s, &s->nodes[i]);
      s->nodes[i].seq = 0;
   }
   for (uint32_t i = 0; i < s->n; i++) {
      uint32_t depth = 0;
      if (s->nodes[i].succs)
         continue;
      stack[depth++] = i;
      while (depth) {
         struct sched_node *n = &s->nodes[stack[depth - 1]];
         uint32_t before = depth;
         for (uint32_t e = n->seq ? 0 : n->preds; e; e = s->edges[e - 1].next_pred) {
            if (!s->nodes[s->edges[e - 1].from].seq)
               stack[depth++] = s->edges[e - 1].from;
         }
         if (depth > before)
            continue;
         depth--;
         if (!n->seq)
            n->seq = ++seq;
      }
   }
}

/* Most VGPRs alive at once when the nodes run in this order. From the end, where the first that reads a unit is its last reader. */
static int
peak(struct sched *s, const uint32_t *order)
{
   int alive = 0, most = INT_MIN; /* against those alive at the end */
   uint32_t mark = ~s->walks++;   /* no number of a node */
   for (uint32_t i = s->n; i-- > 0;) {
      const struct sched_node *n = &s->nodes[order[i]];
      most = alive > most ? alive : most;
      alive -= n->takes[MIR_VGPR];
      for (uint32_t r = n->reads, end = r + n->num_reads; r < end; r++) {
         struct sched_res *res = &s->res[s->reads[r]];
         alive += res->file == MIR_VGPR && res->reader != mark;
         res->reader = mark;
      }
   }
   most += s->come_in[MIR_VGPR] - alive;
   return most > 0 ? most : 0;
}

/* Depth first is bad where several sums read the parts of the same loads; the
 * program's own order, which holds `own`, may then be better. */
static int
choose_order(struct sched *s, uint32_t *order, int own)
{
   for (uint32_t i = 0; i < s->n; i++)
      s->nodes[i].seq = i;
   if (own <= RELAXED_VGPRS)
      return own; /* short of nothing, whatever the order */
   order_by_need(s);
   for (uint32_t i = 0; i < s->n; i++)
      order[s->nodes[i].seq - 1] = i;
   int deep = peak(s, order);
   if (deep < own) {
      for (uint32_t i = 0; i < s->n; i++)
         s->nodes[i].seq--;
      return deep;
   }
   for (uint32_t i = 0; i < s->n; i++)
      s->nodes[i].seq = i;
   return own;
}

int
sched_start(struct sched *s, uint32_t *order)
{
   int alive = s->come_in[MIR_VGPR], most = 0;
   for (uint32_t i = 0; i < s->n; i++) {
      struct sched_node *n = &s->nodes[i];
      find_takes(s, n);
      alive += n->takes[MIR_VGPR] - find_relief(s, n);
      most = alive > most ? alive : most;
   }
   s->vgprs = s->come_in[MIR_VGPR];
   s->sgprs = s->come_in[MIR_SGPR];
   return choose_order(s, order, most);
}
