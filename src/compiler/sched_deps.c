/* SPDX-License-Identifier: MIT */
/* Dependencies inside a region of the list scheduler. EXEC, M0, SCC, VCC,
 * memory and exports are resources like registers: who writes one stays between
 * those who use it before and after. */
#include "sched_graph.h"

static void
add_edge(struct sched *s, uint32_t from, uint32_t to, bool result)
{
   struct sched_node *f = &s->nodes[from], *t = &s->nodes[to];
   if (from == to)
      return;
   if (f->succs && s->edges[f->succs - 1].to == to) {
      s->edges[f->succs - 1].result |= result;
      return;
   }
   if (s->num_edges == s->max_edges)
      s->edges = ir_temp_grow(s->p->sh, s->edges, &s->max_edges, sizeof(*s->edges));
   s->edges[s->num_edges++] = (struct sched_edge){ from, to, t->preds, f->succs, result };
   f->succs = t->preds = s->num_edges;
   t->num_preds++;
}

static void
wait_for_writer(struct sched *s, uint32_t node, const struct sched_res *res, bool result)
{
   if (res->writer > s->first_node)
      add_edge(s, res->writer - s->first_node - 1, node, result);
}

static void
read_res(struct sched *s, uint32_t node, uint32_t r)
{
   struct sched_res *res = &s->res[r];
   wait_for_writer(s, node, res, true);
   if (r < s->p->num_units && res->writer <= s->first_node && res->readers <= s->first_reader)
      s->come_in[s->p->units[r].file]++;
   if (s->num_readers == s->max_readers)
      s->readers = ir_temp_grow(s->p->sh, s->readers, &s->max_readers, sizeof(*s->readers));
   s->readers[s->num_readers++] = (struct sched_reader){ node, res->readers };
   res->readers = s->first_reader + s->num_readers;
}

static void
write_res(struct sched *s, uint32_t node, uint32_t r)
{
   struct sched_res *res = &s->res[r];
   while (res->readers > s->first_reader) {
      const struct sched_reader *reader = &s->readers[res->readers - s->first_reader - 1];
      add_edge(s, reader->node, node, false);
      res->readers = reader->next;
   }
   wait_for_writer(s, node, res, r < s->p->num_units); /* a load must be back */
   res->readers = 0;
   res->writer = s->first_node + node + 1;
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

/* A unit of the program is read: it may die where that happens last. Reading it
 * twice, as squares do, is one read. */
static void
note_read(struct sched *s, uint32_t node, uint32_t unit)
{
   struct sched_res *res = &s->res[unit];
   uint32_t number = s->first_node + node + 1;
   if (res->kept || res->reader == number)
      return;
   res->reader = number;
   if (s->num_reads == s->max_reads)
      s->reads = ir_temp_grow(s->p->sh, s->reads, &s->max_reads, sizeof(*s->reads));
   s->reads[s->num_reads++] = unit;
   res->left++;
   res->sum += node;
}

static void
visit_operands(struct sched *s, uint32_t node, const struct mir_inst *inst, bool write)
{
   for (unsigned i = 0; i < (write ? 2 : 4); i++) {
      mir_reg r = write ? inst->def[i] : inst->src[i];
      unsigned n = write ? inst->def_n[i] : inst->src_n[i];
      if (!mir_is_virt(r)) {
         if (physical_res(s, r) != ~0u)
            (write ? write_res : read_res)(s, node, physical_res(s, r));
         continue;
      }
      for (unsigned k = 0; k < n; k++) {
         if (write) {
            write_res(s, node, mir_unit_id(r) + k);
         } else {
            read_res(s, node, mir_unit_id(r) + k);
            note_read(s, node, mir_unit_id(r) + k);
         }
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

void
sched_add_node(struct sched *s, uint32_t node)
{
   static const struct { uint32_t reads, writes; unsigned res; } implied[] = {
      { ISA_READS_SCC, ISA_WRITES_SCC, RES_SCC }, { ISA_READS_M0, ISA_WRITES_M0, RES_M0 },
      { ISA_READS_EXEC, ISA_WRITES_EXEC, RES_EXEC }, { ISA_READS_VCC, ISA_WRITES_VCC, RES_VCC },
   };
   static const struct isa_op_info pseudo = { .unit = ISA_UNIT_VALU };
   struct sched_node *n = &s->nodes[node];
   const struct mir_inst *inst = n->inst;
   const struct isa_op_info *info = mir_info(inst) ? mir_info(inst) : &pseudo;
   uint32_t base = s->p->num_units, flags = info->flags;
   unsigned memory = memory_res(info);
   bool stores = flags & (ISA_STORES | ISA_ATOMIC);
   n->latency = n->busy = 1; /* most copies vanish */
   if (mir_info(inst)) {
      n->latency = isa_latency(s->p->sh->gfx, inst->i.op);
      n->busy = isa_busy_clocks(s->p->sh->gfx, inst->i.op);
   }
   n->is_vmem = info->unit == ISA_UNIT_VMEM;
   n->is_smem = info->unit == ISA_UNIT_SMEM;
   n->is_copy = inst->i.op == MIR_COPY;
   n->reads = s->num_reads;
   visit_operands(s, node, inst, false);
   n->num_reads = s->num_reads - n->reads;
   n->adds = flags & ISA_READS_DST;
   if (n->adds)
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

void
sched_end_region(struct sched *s)
{
   s->first_node += s->n;
   s->first_reader += s->num_readers;
   s->num_edges = s->num_readers = s->num_reads = 0;
}

bool
sched_is_barrier(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   if (!info)
      return inst->side_effect || inst->i.op == MIR_INPUT;
   if (!inst->side_effect)
      return false;
   return inst->target || !(is_masked(info) || info->unit == ISA_UNIT_SALU) ||
          (info->unit == ISA_UNIT_EXPORT && inst->i.op != ISA_EXP);
}
