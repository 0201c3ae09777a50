/* SPDX-License-Identifier: MIT */
/* SGPRs that are spilled go to lanes of a VGPR that lives everywhere, which EXEC does
 * not touch (v_writelane, v_readlane); those that can be made again are. Where that
 * takes too many VGPRs, the VGPR's place is scratch memory: it is loaded and stored
 * with all lanes enabled, through one that lives everywhere, since another may hold
 * something of the lanes that are off. */
#include "util/macros.h"
#include "ra_spill.h"

/* A slot is unit * 64 + lane, or this and scratch dword * 64 + lane. */
#define IN_MEMORY (1u << 31)

/* Where instructions go: before `at`, or to the block's end. */
struct cursor { struct mir_program *p; struct mir_block *b; struct mir_inst *at; };

static struct mir_inst *
put(const struct cursor *c, unsigned op, mir_reg def, unsigned n, mir_reg src)
{
   struct mir_inst *m = mir_inst_create(c->p, op);
   m->def[0] = def;
   m->src[0] = src;
   m->def_n[0] = m->src_n[0] = n;
   if (c->at)
      mir_insert_before(c->at, m);
   else
      mir_append(c->b, m);
   return m;
}

static void
move_lane(const struct cursor *c, bool write, mir_reg sgpr, mir_reg vgpr, unsigned lane)
{
   struct mir_inst *m = put(c, write ? ISA_V_WRITELANE_B32 : ISA_V_READLANE_B32, write ? vgpr : sgpr, 1, write ? sgpr : vgpr);
   m->src[1] = ISA_INT(lane);
   m->src_n[1] = 1;
   m->side_effect = write;
}

static mir_reg
new_everywhere(struct mir_program *p)
{
   mir_reg r = mir_new_reg(p, MIR_VGPR, 1);
   mir_unit(p, r)->everywhere = true;
   mir_unit(p, r)->no_spill = true;
   return r;
}

/* The parts of t that `parts` names, from or to their lanes. */
static void
access_lanes(struct spiller *s, const struct cursor *c, bool write, mir_reg t, uint32_t slot, unsigned parts)
{
   struct mir_program *p = s->p;
   const uint32_t dword = (slot & ~IN_MEMORY) / 64;
   mir_reg vgpr = MIR_VIRT + dword, exec = ISA_NONE;
   if (!parts)
      return;
   if (slot & IN_MEMORY) {
      vgpr = p->lanes.through;
      exec = mir_new_reg(p, MIR_SGPR, 2);
      for (unsigned k = 0; k < 2; k++)
         mir_unit(p, exec + k)->no_spill = true;
      put(c, ISA_S_MOV_B64, exec, 2, ISA_EXEC);
      put(c, ISA_S_MOV_B64, ISA_EXEC, 2, ISA_INT(-1))->side_effect = true;
      mir_scratch_load(p, c->b, c->at, vgpr, ISA_NONE, dword * 4);
   }
   for (unsigned k = 0; k < 16; k++) {
      if (parts >> k & 1)
         move_lane(c, write, t + k, vgpr, slot % 64 + k);
   }
   if (slot & IN_MEMORY) {
      if (write)
         mir_scratch_store(p, c->b, c->at, vgpr, ISA_NONE, dword * 4);
      put(c, ISA_S_MOV_B64, ISA_EXEC, 2, exec)->side_effect = true;
   }
}

uint32_t
spill_new_lanes(struct spiller *s, unsigned n)
{
   struct mir_lanes *l = &s->p->lanes;
   if (!l->used || l->used % 64 + n > 64 || l->used % 64 == 0) {
      if (l->num_vgprs < s->max_lane_vgprs) {
         l->used = mir_unit_id(new_everywhere(s->p)) * 64;
         l->num_vgprs++;
      } else {
         if (!l->through) {
            mir_scratch_setup(s->p);
            l->through = new_everywhere(s->p);
         }
         l->used = IN_MEMORY | s->p->scratch_dwords++ * 64;
      }
   }
   uint32_t slot = l->used;
   l->used += n;
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
      if (remat && reads)
         spill_remake(s, inst, first, t);
      if (remat)
         continue;
      access_lanes(s, &(struct cursor){ p, inst->block, inst }, false, t, s->slot[first], reads);
      access_lanes(s, &(struct cursor){ p, inst->block, inst->next }, true, t, s->slot[first], writes);
   }
}
