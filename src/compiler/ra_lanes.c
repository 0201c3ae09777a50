/* SPDX-License-Identifier: MIT */
/* SGPRs that are spilled go to lanes of a VGPR that lives everywhere, which EXEC does
 * not touch (v_writelane, v_readlane); those that can be made again are. */
#include "ra_spill.h"

static void
lane_access(struct spiller *s, struct mir_inst *at, bool after, bool write, mir_reg sgpr, uint32_t slot)
{
   struct mir_program *p = s->p;
   struct mir_inst *m = mir_inst_create(p, write ? ISA_V_WRITELANE_B32 : ISA_V_READLANE_B32);
   mir_reg vgpr = MIR_VIRT + slot / 64; /* slot = unit * 64 + lane */
   m->def[0] = write ? vgpr : sgpr;
   m->src[0] = write ? sgpr : vgpr;
   m->def_n[0] = m->src_n[0] = 1;
   m->src[1] = ISA_INT(slot % 64);
   m->src_n[1] = 1;
   m->side_effect = write;
   if (after)
      mir_insert_after(at, m);
   else
      mir_insert_before(at, m);
}

uint32_t
spill_new_lanes(struct spiller *s, unsigned n)
{
   if (!s->lanes || s->lanes_used + n > 64) {
      s->lanes = mir_new_reg(s->p, MIR_VGPR, 1);
      mir_unit(s->p, s->lanes)->everywhere = true;
      mir_unit(s->p, s->lanes)->no_spill = true;
      s->lanes_used = 0;
   }
   uint32_t slot = mir_unit_id(s->lanes) * 64 + s->lanes_used;
   s->lanes_used += n;
   return slot;
}

void
spill_to_lanes(struct spiller *s, struct mir_inst *inst)
{
   struct mir_program *p = s->p;
   for (unsigned i = 0; i < 6; i++) {
      mir_reg r = i < 4 ? inst->src[i] : inst->def[i - 4];
      if (!spill_choice(s, r) || p->units[mir_unit_id(r)].file != MIR_SGPR)
         continue;
      uint32_t first = spill_first_unit(p, r);
      bool remat = s->chosen[first] == 2;
      if (remat && i < 4 && spill_remake_part(s, inst, i))
         continue;
      mir_reg t = spill_temporary(p, first);
      unsigned reads = 0, writes = 0; /* parts */
      for (unsigned k = 0; k < 6; k++) {
         mir_reg *o = k < 4 ? &inst->src[k] : &inst->def[k - 4];
         unsigned n = k < 4 ? inst->src_n[k] : inst->def_n[k - 4];
         if (!mir_is_virt(*o) || spill_first_unit(p, *o) != first)
            continue;
         unsigned mask = ((1u << n) - 1) << spill_part(p, *o);
         *o = t + spill_part(p, *o);
         *(k < 4 ? &reads : &writes) |= mask;
      }
      for (unsigned k = 0; k < p->units[first].size; k++) {
         if (!remat && (reads >> k & 1))
            lane_access(s, inst, false, false, t + k, s->slot[first] + k);
         if (!remat && (writes >> k & 1))
            lane_access(s, inst, true, true, t + k, s->slot[first] + k);
      }
      if (remat && reads)
         spill_remake(s, inst, first, t);
   }
}
