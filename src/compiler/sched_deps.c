/* SPDX-License-Identifier: MIT */
/* Dependencies inside a region of the list scheduler. EXEC, M0, SCC, VCC,
 * memory and exports are resources like registers: who writes one stays between
 * those who use it before and after. */
#include "sched_graph.h"

/* Room for what one node reads, and for an edge of every reader and more to it. */
static void
reserve(struct sched *s)
{
   while (s->num_edges + s->num_readers + SCHED_MAX_OPERANDS > s->max_edges)
      s->edges = ir_temp_grow(s->p->sh, s->edges, &s->max_edges, sizeof(*s->edges));
   while (s->num_readers + SCHED_MAX_OPERANDS > s->max_readers)
      s->readers = ir_temp_grow(s->p->sh, s->readers, &s->max_readers, sizeof(*s->readers));
   while (s->num_reads + SCHED_MAX_OPERANDS > s->max_reads)
      s->reads = ir_temp_grow(s->p->sh, s->reads, &s->max_reads, sizeof(*s->reads));
}

static inline void
add_edge(struct sched *s, uint32_t from, uint32_t to, bool result)
{
   struct sched_node *f = &s->nodes[from], *t = &s->nodes[to];
   if (from == to)
      return;
   t->after_smem |= result & (f->is_smem | f->after_smem);
   if (f->succs && s->edges[f->succs - 1].to == to) {
      s->edges[f->succs - 1].result |= result;
      return;
   }
   s->edges[s->num_edges++] = (struct sched_edge){ from, to, t->preds, f->succs, result };
   f->succs = t->preds = s->num_edges;
   t->num_preds++;
}

static inline void
wait_for_writer(struct sched *s, uint32_t node, const struct sched_res *res, bool result)
{
   if (res->writer > s->first_node)
      add_edge(s, res->writer - s->first_node - 1, node, result);
}

static inline void
read_res(struct sched *s, uint32_t node, struct sched_res *res)
{
   wait_for_writer(s, node, res, true);
   s->readers[s->num_readers++] = (struct sched_reader){ node, res->readers };
   res->readers = s->first_reader + s->num_readers;
}

static inline void
read_unit(struct sched *s, uint32_t node, struct sched_res *res)
{
   if (res->writer <= s->first_node && res->readers <= s->first_reader)
      s->come_in[res->file]++;
   read_res(s, node, res);
}

static void
write_res(struct sched *s, uint32_t node, struct sched_res *res, bool unit)
{
   while (res->readers > s->first_reader) {
      const struct sched_reader *reader = &s->readers[res->readers - s->first_reader - 1];
      add_edge(s, reader->node, node, false);
      res->readers = reader->next;
   }
   wait_for_writer(s, node, res, unit); /* a load must be back */
   res->readers = 0;
   res->writer = s->first_node + node + 1;
}

/* A unit of the program is read: it may die where that happens last. Reading it
 * twice, as squares do, is one read. */
static inline void
note_read(struct sched *s, uint32_t node, uint32_t unit)
{
   unit -= s->res[unit].place;
   struct sched_res *res = &s->res[unit];
   uint32_t number = s->first_node + node + 1;
   if (res->kept || res->reader == number)
      return;
   res->reader = number;
   s->reads[s->num_reads++] = unit;
   res->left++;
   res->sum += node;
}

/* The resource that a register is which the program names itself; NULL: none. */
static struct sched_res *
physical_res(const struct sched *s, mir_reg r)
{
   struct sched_res *res = s->res + s->p->num_units;
   switch (r) {
   case ISA_M0: return res + RES_M0;
   case ISA_EXEC: case ISA_EXEC_HI: return res + RES_EXEC;
   case ISA_VCC: case ISA_VCC_HI: return res + RES_VCC;
   default: return NULL;
   }
}

static void
read_operands(struct sched *s, uint32_t node, const struct mir_inst *inst)
{
   for (unsigned i = 0; i < 4; i++) {
      mir_reg r = inst->src[i];
      if (mir_is_virt(r)) {
         uint32_t unit = mir_unit_id(r), end = unit + inst->src_n[i];
         for (; unit < end; unit++) {
            read_unit(s, node, &s->res[unit]);
            note_read(s, node, unit);
         }
      } else if (r <= ISA_EXEC_HI && physical_res(s, r)) {
         read_res(s, node, physical_res(s, r));
      }
   }
}

static void
write_operands(struct sched *s, uint32_t node, const struct mir_inst *inst)
{
   for (unsigned i = 0; i < 2; i++) {
      mir_reg r = inst->def[i];
      if (mir_is_virt(r)) {
         uint32_t unit = mir_unit_id(r), end = unit + inst->def_n[i];
         for (; unit < end; unit++)
            write_res(s, node, &s->res[unit], true);
      } else if (r <= ISA_EXEC_HI && physical_res(s, r)) {
         write_res(s, node, physical_res(s, r), false);
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

/* What else than its operands an instruction reads or writes. */
static const struct { uint32_t reads, writes; unsigned res; } implied[] = {
   { ISA_READS_SCC, ISA_WRITES_SCC, RES_SCC }, { ISA_READS_M0, ISA_WRITES_M0, RES_M0 },
   { ISA_READS_EXEC, ISA_WRITES_EXEC, RES_EXEC }, { ISA_READS_VCC, ISA_WRITES_VCC, RES_VCC },
};
#define NUM_IMPLIED (sizeof(implied) / sizeof(implied[0]))
#define IMPLIED_READS (ISA_READS_SCC | ISA_READS_M0 | ISA_READS_EXEC | ISA_READS_VCC)
#define IMPLIED_WRITES (ISA_WRITES_SCC | ISA_WRITES_M0 | ISA_WRITES_EXEC | ISA_WRITES_VCC)

void
sched_add_node(struct sched *s, uint32_t node)
{
   static const struct isa_op_info pseudo = { .unit = ISA_UNIT_VALU };
   struct sched_node *n = &s->nodes[node];
   const struct mir_inst *inst = n->inst;
   const struct isa_op_info *info = mir_info(inst);
   reserve(s);
   n->latency = n->busy = 1; /* most copies vanish */
   if (info) {
      struct isa_clocks clocks = isa_clocks(s->p->sh->gfx, inst->i.op);
      n->latency = clocks.latency;
      n->busy = clocks.busy;
   } else {
      info = &pseudo;
   }
   struct sched_res *base = s->res + s->p->num_units;
   uint32_t flags = info->flags;
   unsigned memory = memory_res(info);
   bool stores = flags & (ISA_STORES | ISA_ATOMIC);
   n->is_vmem = info->unit == ISA_UNIT_VMEM;
   n->is_smem = info->unit == ISA_UNIT_SMEM;
   n->is_copy = inst->i.op == MIR_COPY;
   n->reads = s->num_reads;
   read_operands(s, node, inst);
   n->num_reads = s->num_reads - n->reads;
   n->adds = flags & ISA_READS_DST;
   if (n->adds)
      for (unsigned k = 0; mir_is_virt(inst->def[0]) && k < inst->def_n[0]; k++)
         read_unit(s, node, &s->res[mir_unit_id(inst->def[0]) + k]);
   for (unsigned i = 0; (flags & IMPLIED_READS) && i < NUM_IMPLIED; i++) {
      if (flags & implied[i].reads)
         read_res(s, node, base + implied[i].res);
   }
   if (s->exec_changes && is_masked(info) && !(flags & ISA_READS_EXEC))
      read_res(s, node, base + RES_EXEC);
   if (memory != NUM_RES && !stores)
      read_res(s, node, base + memory);
   write_operands(s, node, inst);
   for (unsigned i = 0; (flags & IMPLIED_WRITES) && i < NUM_IMPLIED; i++) {
      if (flags & implied[i].writes)
         write_res(s, node, base + implied[i].res, false);
   }
   if (memory != NUM_RES && stores)
      write_res(s, node, base + memory, false);
}

void
sched_end_region(struct sched *s)
{
   s->first_node += s->n;
   s->first_reader += s->num_readers;
   s->num_edges = s->num_readers = s->num_reads = 0;
}

bool
sched_ends_region(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return !info || inst->target || !(is_masked(info) || info->unit == ISA_UNIT_SALU) ||
          (info->unit == ISA_UNIT_EXPORT && inst->i.op != ISA_EXP);
}
