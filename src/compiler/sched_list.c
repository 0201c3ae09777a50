/* SPDX-License-Identifier: MIT */
/* List scheduling before register allocation. Regions end at control flow and
 * barriers; EXEC, M0, SCC, VCC, memory and exports are resources like registers:
 * who writes one stays between those who use it before and after. An instruction's height is its longest path
 * of latencies to the region's end: highest first hoists loads. While many
 * registers are alive, what takes no more goes first; when all take, a depth
 * first order decides, or the program's own, whichever holds fewer VGPRs. */
#include <stdlib.h>

#include "mir.h"

#define MAX_REGION      4096
#define MANY_VGPRS      24  /* of the region itself: as many as leave all waves their place */
#define PRESSURE_LIMIT  56  /* VGPRs that leave room for four waves and vectors */
#define RELAXED_VGPRS   16  /* with so few there is nothing to gain */
#define SGPR_LIMIT      48  /* loads begun beside them leave all waves their place */
#define SMEM_BOOST      400

struct node {
   struct mir_inst *inst;
   uint32_t height, num_preds, num_succs, max_succs;
   uint32_t *succs;
   uint32_t preds;            /* head of its list in sched.preds, + 1 */
   uint32_t need, seq;        /* see order_by_need() */
   bool done;
};

enum mode { RELAXED, CAREFUL, SHORT_OF_SGPRS, SHORT_OF_VGPRS };

struct sched {
   struct mir_program *p;
   struct node *nodes;
   uint32_t n;
   /* by unit: last writer and readers since, as node + 1 */
   uint32_t *writer;
   uint32_t *uses_left;       /* readers of a unit in this region not yet placed */
   uint8_t *live_after;       /* unit is read outside of this region */
   struct reader { uint32_t node, next; } *readers;
   uint32_t *reader_head, num_readers, max_readers;
   struct pred { uint32_t node, next; } *preds;
   uint32_t num_preds, max_preds;
   uint32_t vgprs, sgprs;     /* alive now, of those that the region handles */
   bool careful;
};

static void
add_edge(struct sched *s, uint32_t from, uint32_t to)
{
   struct node *f = &s->nodes[from];
   if (from == to || (f->num_succs && f->succs[f->num_succs - 1] == to))
      return;
   if (f->num_succs == f->max_succs) {
      f->max_succs = f->max_succs ? f->max_succs * 2 : 4;
      f->succs = realloc(f->succs, f->max_succs * sizeof(*f->succs));
   }
   f->succs[f->num_succs++] = to;
   s->nodes[to].num_preds++;
   if (s->num_preds == s->max_preds) {
      s->max_preds = s->max_preds ? s->max_preds * 2 : 256;
      s->preds = realloc(s->preds, s->max_preds * sizeof(*s->preds));
   }
   s->preds[s->num_preds] = (struct pred){ from, s->nodes[to].preds };
   s->nodes[to].preds = ++s->num_preds;
}

/* Resources beyond units: they come behind the units in the arrays. */
enum { RES_SCC, RES_M0, RES_EXEC, RES_VCC, RES_MEM, RES_LDS, RES_EXPORT, NUM_RES };

static void
read_res(struct sched *s, uint32_t node, uint32_t res)
{
   if (s->writer[res])
      add_edge(s, s->writer[res] - 1, node);
   if (s->num_readers == s->max_readers) {
      s->max_readers = s->max_readers ? s->max_readers * 2 : 256;
      s->readers = realloc(s->readers, s->max_readers * sizeof(*s->readers));
   }
   s->readers[s->num_readers] = (struct reader){ node, s->reader_head[res] };
   s->reader_head[res] = ++s->num_readers;
}

static void
write_res(struct sched *s, uint32_t node, uint32_t res)
{
   for (uint32_t r = s->reader_head[res]; r; r = s->readers[r - 1].next)
      add_edge(s, s->readers[r - 1].node, node);
   if (s->writer[res])
      add_edge(s, s->writer[res] - 1, node);
   s->reader_head[res] = 0;
   s->writer[res] = node + 1;
}

static uint32_t
physical_res(const struct sched *s, mir_reg r)
{
   switch (r) {
   case ISA_M0: return s->p->num_units + RES_M0;
   case ISA_EXEC: case ISA_EXEC_HI: return s->p->num_units + RES_EXEC;
   case ISA_VCC: case ISA_VCC_HI: return s->p->num_units + RES_VCC;
   default: return ~0u;
   }
}

static void
visit_operands(struct sched *s, uint32_t node, const struct mir_inst *inst, bool write)
{
   for (unsigned i = 0; i < (write ? 2 : 4); i++) {
      mir_reg r = write ? inst->def[i] : inst->src[i];
      unsigned n = write ? inst->def_n[i] : inst->src_n[i];
      if (mir_is_virt(r)) {
         for (unsigned k = 0; k < n; k++)
            (write ? write_res : read_res)(s, node, mir_unit_id(r) + k);
      } else if (physical_res(s, r) != ~0u) {
         (write ? write_res : read_res)(s, node, physical_res(s, r));
      }
   }
}

/* Which resource an instruction reads or writes as memory; NUM_RES: none. What
 * scalar loads read does not change while a program runs. */
static unsigned
memory_res(const struct isa_op_info *info)
{
   switch (info->unit) {
   case ISA_UNIT_VMEM: case ISA_UNIT_FLAT: return RES_MEM;
   case ISA_UNIT_LDS: return RES_LDS;
   case ISA_UNIT_EXPORT: return RES_EXPORT;
   default: return NUM_RES;
   }
}

static bool
is_masked(const struct isa_op_info *info)
{
   return info->unit == ISA_UNIT_VALU || memory_res(info) != NUM_RES;
}

static void
build_node(struct sched *s, uint32_t node)
{
   static const struct { uint32_t reads, writes; unsigned res; } implied[] = {
      { ISA_READS_SCC, ISA_WRITES_SCC, RES_SCC }, { ISA_READS_M0, ISA_WRITES_M0, RES_M0 },
      { ISA_READS_EXEC, ISA_WRITES_EXEC, RES_EXEC }, { ISA_READS_VCC, ISA_WRITES_VCC, RES_VCC },
   };
   static const struct isa_op_info pseudo = { .unit = ISA_UNIT_VALU };
   const struct mir_inst *inst = s->nodes[node].inst;
   const struct isa_op_info *info = mir_info(inst) ? mir_info(inst) : &pseudo;
   uint32_t base = s->p->num_units, flags = info->flags;
   unsigned memory = memory_res(info);
   bool stores = flags & (ISA_STORES | ISA_ATOMIC);
   visit_operands(s, node, inst, false);
   if (flags & ISA_READS_DST)
      for (unsigned k = 0; mir_is_virt(inst->def[0]) && k < inst->def_n[0]; k++)
         read_res(s, node, mir_unit_id(inst->def[0]) + k);
   for (unsigned i = 0; i < sizeof(implied) / sizeof(implied[0]); i++) {
      if (flags & implied[i].reads)
         read_res(s, node, base + implied[i].res);
   }
   if (is_masked(info) && !(flags & ISA_READS_EXEC))
      read_res(s, node, base + RES_EXEC);
   if (memory != NUM_RES && !stores)
      read_res(s, node, base + memory);
   visit_operands(s, node, inst, true);
   for (unsigned i = 0; i < sizeof(implied) / sizeof(implied[0]); i++) {
      if (flags & implied[i].writes)
         write_res(s, node, base + implied[i].res);
   }
   if (memory != NUM_RES && stores)
      write_res(s, node, base + memory);
}

/* Control flow, waits, messages, and what has an effect that is no resource. */
static bool
is_barrier(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   if (!info)
      return inst->side_effect || inst->i.op == MIR_INPUT;
   if (!inst->side_effect)
      return false;
   return inst->target || !(is_masked(info) || info->unit == ISA_UNIT_SALU) ||
          (info->unit == ISA_UNIT_EXPORT && inst->i.op != ISA_EXP);
}

#define MAX_SORTED 8

/* Predecessors of n, the needy first (of very many: some). */
static unsigned
needy_preds(const struct sched *s, const struct node *n, uint32_t out[MAX_SORTED])
{
   unsigned num = 0;
   for (uint32_t e = n->preds; e; e = s->preds[e - 1].next) {
      uint32_t node = s->preds[e - 1].node;
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
   uint32_t *stack = malloc((s->num_preds + s->n + 1) * sizeof(*stack)), seq = 0;
   uint32_t preds[MAX_SORTED];
   for (uint32_t i = 0; i < s->n; i++) {
      struct node *n = &s->nodes[i];
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
      if (s->nodes[i].num_succs)
         continue;
      stack[depth++] = i;
      while (depth) {
         struct node *n = &s->nodes[stack[depth - 1]];
         if (n->seq) {
            depth--;
            continue;
         }
         unsigned num = needy_preds(s, n, preds);
         uint32_t before = depth;
         for (uint32_t e = num == MAX_SORTED ? n->preds : 0; e; e = s->preds[e - 1].next) {
            if (!s->nodes[s->preds[e - 1].node].seq)
               stack[depth++] = s->preds[e - 1].node;
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
   free(stack);
}

static uint32_t
latency(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return info ? info->latency ? info->latency : 4 : 1;
}

/* VGPRs that placing the node frees (negative: takes). */
static int
relief(const struct sched *s, const struct node *n, enum mir_file file)
{
   int r = 0;
   const struct mir_inst *inst = n->inst;
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned k = 0; mir_is_virt(inst->src[i]) && k < inst->src_n[i]; k++) {
         uint32_t u = mir_unit_id(inst->src[i]) + k;
         r += s->p->units[u].file == file && s->uses_left[u] == 1 && !s->live_after[u];
      }
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!mir_is_virt(inst->def[i]) || mir_unit(s->p, inst->def[i])->file != file || inst->i.op == MIR_UNDEF)
         continue;
      /* Parts of a wide load that nobody reads take no room. */
      for (unsigned k = 0; k < inst->def_n[i]; k++) {
         uint32_t u = mir_unit_id(inst->def[i]) + k;
         r -= s->uses_left[u] || s->live_after[u];
      }
   }
   return r;
}

#define MAX_RELIEF 64 /* more than any instruction frees */

/* How much a node is wanted while registers are short, by tiers: many VGPRs
 * alive: first what takes no more of them; too many: what frees most, in
 * program order. SGPRs hold descriptors and constants: no more are loaded
 * while there are too many. */
static int
tier(const struct sched *s, const struct node *n, enum mode mode)
{
   switch (mode) {
   case RELAXED: return 0;
   case CAREFUL: return relief(s, n, MIR_VGPR) >= 0;
   case SHORT_OF_SGPRS: return relief(s, n, MIR_SGPR) >= 0;
   default: return relief(s, n, MIR_VGPR);
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
   int best_tier = tier(s, &s->nodes[ready[0]], mode), max_tier = mode == SHORT_OF_VGPRS ? MAX_RELIEF : mode != RELAXED;
   uint32_t best = 0;
   for (uint32_t i = 1; i < num; i++) {
      const struct node *a = &s->nodes[ready[i]], *b = &s->nodes[ready[best]];
      bool in_order = mode == SHORT_OF_VGPRS || mode == CAREFUL || (mode == SHORT_OF_SGPRS && best_tier == 0);
      bool sooner = in_order                ? a->seq < b->seq
                    : a->height != b->height ? a->height > b->height : ready[i] < ready[best];
      if (!sooner && best_tier == max_tier)
         continue;
      int t = tier(s, a, mode);
      if (t > best_tier || (t == best_tier && sooner)) {
         best = i;
         best_tier = t;
      }
   }
   return best;
}

static void
account(struct sched *s, const struct node *n)
{
   s->vgprs -= relief(s, n, MIR_VGPR);
   s->sgprs -= relief(s, n, MIR_SGPR);
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned k = 0; mir_is_virt(n->inst->src[i]) && k < n->inst->src_n[i]; k++)
         s->uses_left[mir_unit_id(n->inst->src[i]) + k]--;
   }
}

static void
count_uses(struct sched *s)
{
   for (uint32_t i = 0; i < s->n; i++) {
      const struct mir_inst *inst = s->nodes[i].inst;
      for (unsigned k = 0; k < 4; k++) {
         for (unsigned j = 0; mir_is_virt(inst->src[k]) && j < inst->src_n[k]; j++)
            s->uses_left[mir_unit_id(inst->src[k]) + j]++;
      }
   }
   s->vgprs = s->sgprs = 0;
   s->careful = false;
}

/* Most VGPRs alive at once when the nodes run in this order. */
static int
peak(struct sched *s, const uint32_t *order)
{
   int most = 0;
   count_uses(s);
   for (uint32_t i = 0; i < s->n; i++) {
      account(s, &s->nodes[order[i]]);
      most = (int)s->vgprs > most ? (int)s->vgprs : most;
   }
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

static void
reset_region(struct sched *s)
{
   for (uint32_t i = 0; i < s->n; i++) {
      const struct mir_inst *inst = s->nodes[i].inst;
      for (unsigned k = 0; k < 6; k++) {
         mir_reg r = k < 4 ? inst->src[k] : inst->def[k - 4];
         unsigned n = k < 4 ? inst->src_n[k] : inst->def_n[k - 4];
         for (unsigned j = 0; mir_is_virt(r) && j < n; j++) {
            s->writer[mir_unit_id(r) + j] = 0;
            s->reader_head[mir_unit_id(r) + j] = 0;
         }
      }
   }
   memset(s->writer + s->p->num_units, 0, NUM_RES * sizeof(uint32_t));
   memset(s->reader_head + s->p->num_units, 0, NUM_RES * sizeof(uint32_t));
   s->num_readers = 0;
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
schedule_region(struct sched *s, struct mir_block *b, struct mir_inst *before, struct mir_inst *after)
{
   uint32_t *ready = malloc(s->n * sizeof(*ready)), *order = malloc(s->n * sizeof(*order));
   uint32_t num_ready = 0, placed = 0;
   s->num_preds = 0;
   for (uint32_t i = 0; i < s->n; i++)
      build_node(s, i);
   choose_order(s, order);
   for (uint32_t i = s->n; i-- > 0;) {
      struct node *n = &s->nodes[i];
      uint32_t h = 0;
      for (uint32_t k = 0; k < n->num_succs; k++) {
         if (s->nodes[n->succs[k]].height > h)
            h = s->nodes[n->succs[k]].height;
      }
      n->height = h + latency(n->inst);
      /* Scalar loads come back in any order, so a wait for one waits for all:
       * all that can start should start before the first wait. */
      if (mir_info(n->inst) && mir_info(n->inst)->unit == ISA_UNIT_SMEM)
         n->height += SMEM_BOOST;
   }
   count_uses(s);
   for (uint32_t i = 0; i < s->n; i++) {
      if (!s->nodes[i].num_preds)
         ready[num_ready++] = i;
   }
   while (num_ready) {
      uint32_t at = pick(s, ready, num_ready), node = ready[at];
      ready[at] = ready[--num_ready];
      order[placed++] = node;
      account(s, &s->nodes[node]);
      for (uint32_t k = 0; k < s->nodes[node].num_succs; k++) {
         if (--s->nodes[s->nodes[node].succs[k]].num_preds == 0)
            ready[num_ready++] = s->nodes[node].succs[k];
      }
   }
   relink(b, s, order, before, after);
   reset_region(s);
   free(ready);
   free(order);
}

/* Units that are read in a block other than where they are written. */
static void
find_live_after(struct sched *s)
{
   struct mir_block **home = calloc(s->p->num_units + 1, sizeof(*home));
   if (!home)
      return;
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
                  s->live_after[mir_unit_id(inst->src[i]) + k] = 1;
            }
         }
      }
   }
   free(home);
}

static void
schedule_block(struct sched *s, struct mir_block *b)
{
   struct mir_inst *inst = b->first;
   while (inst && inst != b->tail) {
      while (inst && inst != b->tail && is_barrier(inst))
         inst = inst->next;
      if (!inst || inst == b->tail)
         break;
      struct mir_inst *before = inst->prev;
      s->n = 0;
      while (inst && inst != b->tail && !is_barrier(inst) && s->n < MAX_REGION) {
         free(s->nodes[s->n].succs);
         memset(&s->nodes[s->n], 0, sizeof(s->nodes[0]));
         s->nodes[s->n++].inst = inst;
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
   size_t n = p->num_units + NUM_RES;
   uint32_t max_region = 0;
   mir_foreach_block(p, b) {
      uint32_t len = 0;
      mir_foreach_inst(b, inst)
         len++;
      max_region = len > max_region ? len : max_region;
   }
   if (max_region > MAX_REGION)
      max_region = MAX_REGION;
   s.nodes = calloc(max_region + 1, sizeof(*s.nodes));
   s.writer = calloc(n, sizeof(*s.writer));
   s.uses_left = calloc(n, sizeof(*s.uses_left));
   s.live_after = calloc(n, 1);
   s.reader_head = calloc(n, sizeof(*s.reader_head));
   if (s.nodes && s.writer && s.uses_left && s.live_after && s.reader_head) {
      find_live_after(&s);
      mir_foreach_block(p, b)
         schedule_block(&s, b);
   }
   for (uint32_t i = 0; s.nodes && i < max_region; i++)
      free(s.nodes[i].succs);
   free(s.nodes);
   free(s.writer);
   free(s.uses_left);
   free(s.live_after);
   free(s.reader_head);
   free(s.readers);
   free(s.preds);
}
