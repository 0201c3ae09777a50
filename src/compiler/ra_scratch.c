/* SPDX-License-Identifier: MIT */
/* VGPRs that are spilled go to the lane's scratch memory: stored behind each write,
 * loaded before each read, so that what is left lives for one instruction. Vectors
 * are first taken apart into units that can go. */
#include <stdlib.h>

#include "ra_spill.h"

/* An atomic's data is where its result goes: such groups stay vectors. */
static bool
is_tied(const struct mir_inst *inst, unsigned src)
{
   return src == 3 && inst->src[3] == inst->def[0] && inst->src_n[3] > 1;
}

static uint8_t *
find_tied(const struct mir_program *p)
{
   uint8_t *tied = calloc(p->num_units + 1, 1);
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         if (tied && mir_is_virt(inst->src[3]) && is_tied(inst, 3))
            tied[spill_first_unit(p, inst->src[3])] = 1;
      }
   }
   return tied;
}

/* A vector for one read, out of the single units. */
static void
gather_singles(struct mir_program *p, struct mir_inst *inst, unsigned src, const mir_reg *single)
{
   mir_reg r = mir_new_reg(p, MIR_VGPR, inst->src_n[src]);
   for (unsigned k = 0; k < inst->src_n[src]; k++) {
      struct mir_inst *copy = mir_inst_create(p, MIR_COPY);
      mir_unit(p, r + k)->no_spill = true;
      copy->def[0] = r + k;
      copy->src[0] = single[mir_unit_id(inst->src[src]) + k];
      copy->def_n[0] = copy->src_n[0] = 1;
      mir_insert_before(inst, copy);
   }
   inst->src[src] = r;
}

static void
copy_to_singles(struct mir_program *p, struct mir_inst *inst, const mir_reg *single)
{
   struct mir_inst *at = inst;
   for (unsigned k = 0; k < inst->def_n[0]; k++) {
      struct mir_inst *copy = mir_inst_create(p, MIR_COPY);
      copy->def[0] = single[mir_unit_id(inst->def[0]) + k];
      copy->src[0] = inst->def[0] + k;
      copy->def_n[0] = copy->src_n[0] = 1;
      mir_insert_after(at, copy);
      at = copy;
   }
}

/* The wanted vectors become units of one dword, which can be spilled; instructions that
 * need them whole have vectors of their own. */
void
spill_split_vectors(struct mir_program *p, const uint8_t *wanted)
{
   uint32_t num = p->num_units;
   uint8_t *tied = find_tied(p);
   mir_reg *single = calloc(num + 1, sizeof(*single));
   for (uint32_t u = 0; single && tied && u < num; u++) {
      const struct mir_unit *unit = &p->units[u];
      if (unit->file == MIR_VGPR && unit->size > 1 && !unit->fixed && !unit->no_spill && wanted[u - unit->index])
         single[u] = mir_new_reg(p, MIR_VGPR, 1);
   }
   mir_foreach_block(p, b) {
      mir_foreach_inst_safe(b, inst) {
         mir_reg d = inst->def[0];
         if (!single || !tied)
            continue;
         for (unsigned i = 0; i < 4; i++) {
            mir_reg r = inst->src[i];
            if (!mir_is_virt(r) || mir_unit_id(r) >= num || !single[mir_unit_id(r)] || is_tied(inst, i) ||
                (i == 3 && r == d && tied[spill_first_unit(p, r)]))
               continue;
            if (inst->src_n[i] == 1)
               inst->src[i] = single[mir_unit_id(r)];
            else if (!tied[spill_first_unit(p, r)])
               gather_singles(p, inst, i, single);
         }
         if (!mir_is_virt(d) || mir_unit_id(d) >= num || !single[mir_unit_id(d)])
            continue;
         if (inst->def_n[0] == 1 && !tied[spill_first_unit(p, d)])
            inst->def[0] = single[mir_unit_id(d)];
         else
            copy_to_singles(p, inst, single);
      }
   }
   for (uint32_t u = 0; single && u < num; u++)
      p->units[u].no_spill |= single[u] != 0;
   free(single);
   free(tied);
}

void
spill_to_scratch(struct spiller *s, struct mir_inst *inst)
{
   struct mir_program *p = s->p;
   bool reads_dst = mir_info(inst) && (mir_info(inst)->flags & ISA_READS_DST);
   for (unsigned i = 0; i < 6; i++) {
      mir_reg r = i < 4 ? inst->src[i] : inst->def[i - 4];
      if (!spill_choice(s, r) || p->units[mir_unit_id(r)].file != MIR_VGPR)
         continue;
      mir_reg t = spill_temporary(p, mir_unit_id(r));
      uint32_t imm = s->slot[mir_unit_id(r)] * 4;
      bool read = false, written = false, remade = spill_choice(s, r) == 2;
      for (unsigned k = 0; k < 6; k++) {
         mir_reg *o = k < 4 ? &inst->src[k] : &inst->def[k - 4];
         if (*o != r)
            continue;
         *o = t;
         read |= k < 4 || reads_dst;
         written |= k >= 4;
      }
      if (remade)
         spill_remake(s, inst, mir_unit_id(r), t);
      else if (read)
         mir_scratch_load(p, inst->block, inst, t, ISA_NONE, imm);
      if (written && !remade && inst->i.op != MIR_UNDEF) {
         if (inst->next)
            mir_scratch_store(p, inst->block, inst->next, t, ISA_NONE, imm);
         else
            mir_scratch_store(p, inst->block, NULL, t, ISA_NONE, imm);
      }
   }
}
