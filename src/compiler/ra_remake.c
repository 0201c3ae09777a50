/* SPDX-License-Identifier: MIT */
/* What can be made again where it is read, and need not be kept. */
#include "ra_spill.h"

static bool
input_or_constant(const struct mir_program *p, mir_reg r)
{
   if (mir_is_virt(r))
      return p->units[mir_unit_id(r)].fixed && p->units[mir_unit_id(r)].file == MIR_SGPR;
   return r >= ISA_INT_0;
}

/* A descriptor that one instruction loads from inputs: what is loaded through it
 * can be loaded again wherever it stays alive. */
static bool
stable(const struct spiller *s, mir_reg r)
{
   if (!mir_is_virt(r) || mir_unit_id(r) >= s->num_units)
      return false;
   uint32_t first = spill_first_unit(s->p, r);
   const struct group_info *g = &s->info[first];
   if (s->p->units[first].file != MIR_SGPR || s->chosen[first] || g->num_defs != 1 ||
       g->def->def[0] != MIR_VIRT + first || g->def->def_n[0] != s->p->units[first].size ||
       !mir_info(g->def) || mir_info(g->def)->unit != ISA_UNIT_SMEM)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (g->def->src[i] != ISA_NONE && !input_or_constant(s->p, g->def->src[i]))
         return false;
   }
   return true;
}

static bool
can_remake_sgprs(const struct spiller *s, uint32_t first)
{
   const struct group_info *g = &s->info[first];
   if (g->num_defs != 1 || g->def->side_effect || g->def->def[0] != MIR_VIRT + first ||
       g->def->def_n[0] != s->p->units[first].size)
      return false;
   if (g->def->i.op != MIR_COPY) {
      const struct isa_op_info *info = mir_info(g->def);
      if (!info || (info->unit != ISA_UNIT_SMEM && g->def->i.op != ISA_S_MOV_B32) || (info->flags & ISA_STORES))
         return false;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (g->def->src[i] != ISA_NONE && !input_or_constant(s->p, g->def->src[i]) && !stable(s, g->def->src[i]))
         return false;
   }
   return true;
}

/* --- VGPRs --- */

/* Interpolation takes two instructions; the second goes on from the first. */
static bool
is_interpolation(const struct group_info *g)
{
   return g->num_defs == 2 && g->def->i.op == ISA_V_INTERP_P2_F32 && g->before->i.op == ISA_V_INTERP_P1_F32;
}

/* One cheap instruction that depends on its sources alone? */
static bool
is_plain(const struct spiller *s, const struct group_info *g, const struct mir_inst *def)
{
   if (def->i.op == MIR_COPY)
      return g->num_defs == 1;
   const struct isa_op_info *info = mir_info(def);
   const uint32_t m0 = s->m0_changes ? ISA_READS_M0 : 0;
   const uint32_t other = ISA_READS_VCC | ISA_WRITES_VCC | ISA_READS_EXEC | ISA_WRITES_EXEC | ISA_READS_SCC | ISA_WRITES_SCC |
                          ISA_LOADS | ISA_STORES | ISA_ATOMIC | ISA_SAMPLES | ISA_IGNORES_EXEC | ISA_TRANS | ISA_BRANCH;
   if (!info || (info->unit != ISA_UNIT_VALU && info->enc != ISA_ENC_VINTRP) || info->counters ||
       (info->flags & (other | m0)) || def->side_effect || def->def[1] != ISA_NONE || def->def_n[0] != 1 ||
       def->i.form != ISA_FORM_PLAIN)
      return false;
   return is_interpolation(g) || (g->num_defs == 1 && !(info->flags & ISA_READS_DST));
}

/* Written once for all, before any loop: its value is always the same one. */
static bool
never_changes(const struct spiller *s, uint32_t unit)
{
   if (s->p->units[unit].fixed)
      return true;
   uint32_t first = unit - s->p->units[unit].index;
   const struct group_info *g = &s->info[first];
   return unit < s->num_units && s->p->units[first].size == 1 && g->num_defs && g->def->block->loop_depth == 0 &&
          (g->num_defs == 1 || is_interpolation(g));
}

static bool
sources_at_hand(const struct spiller *s, const struct mir_inst *def, const struct mir_inst *reader)
{
   for (unsigned i = 0; i < 4; i++) {
      mir_reg r = def->src[i];
      if (r == ISA_NONE || (!mir_is_virt(r) && r >= ISA_INT_0) || (def->i.op < ISA_OP_COUNT && mir_info(def)->enc == ISA_ENC_VINTRP && !mir_is_virt(r)))
         continue;
      if (!mir_is_virt(r) || def->src_n[i] != 1 || !never_changes(s, mir_unit_id(r)) ||
          !ra_alive_at(&s->lives->unit[mir_unit_id(r)], 2 * reader->pos))
         return false;
   }
   return true;
}

void
spill_find_sure(struct spiller *s)
{
   uint32_t m0_writes = 0;
   mir_foreach_block(s->p, b) {
      mir_foreach_inst(b, inst) {
         m0_writes += inst->def[0] == ISA_M0 ? 1 + b->loop_depth : 0;
         for (unsigned i = 0; i < 4; i++) {
            mir_reg r = inst->src[i];
            if (!mir_is_virt(r) || mir_unit(s->p, r)->file != MIR_VGPR || mir_unit(s->p, r)->size != 1)
               continue;
            struct group_info *g = &s->info[mir_unit_id(r)];
            if (!g->num_defs || g->num_defs > 2 || g->unsure)
               continue;
            g->unsure = inst->pos <= g->def->pos || !sources_at_hand(s, g->def, inst) ||
                        (g->num_defs == 2 && !sources_at_hand(s, g->before, inst));
         }
      }
   }
   s->m0_changes = m0_writes > 1;
}

static bool
can_remake_vgpr(const struct spiller *s, uint32_t first)
{
   const struct group_info *g = &s->info[first];
   if (!s->lives || s->p->units[first].size != 1 || !g->num_defs || g->unsure || !is_plain(s, g, g->def))
      return false;
   for (const struct mir_inst *def = g->def; def; def = def == g->def && is_interpolation(g) ? g->before : NULL) {
      for (unsigned i = 0; i < 4; i++) {
         if (spill_choice(s, def->src[i]))
            return false;
      }
   }
   return true;
}

/* --- both --- */

bool
spill_can_remake(const struct spiller *s, uint32_t first)
{
   return s->p->units[first].file == MIR_SGPR ? can_remake_sgprs(s, first) : can_remake_vgpr(s, first);
}

static void
keep(struct spiller *s, const struct mir_inst *def)
{
   for (unsigned i = 0; i < 4; i++) {
      if (mir_is_virt(def->src[i]))
         s->info[spill_first_unit(s->p, def->src[i])].kept = true;
   }
}

void
spill_keep_sources(struct spiller *s, uint32_t first)
{
   const struct group_info *g = &s->info[first];
   keep(s, g->def);
   if (is_interpolation(g))
      keep(s, g->before);
}

static void
insert_like(struct spiller *s, struct mir_inst *before, const struct mir_inst *def, mir_reg t)
{
   struct mir_inst *m = mir_inst_create(s->p, def->i.op);
   struct mir_inst *prev = m->prev, *next = m->next;
   *m = *def;
   m->prev = prev;
   m->next = next;
   m->def[0] = t;
   m->flags = 0;
   mir_insert_before(before, m);
}

void
spill_remake(struct spiller *s, struct mir_inst *before, uint32_t first, mir_reg t)
{
   const struct group_info *g = &s->info[first];
   if (is_interpolation(g))
      insert_like(s, before, g->before, t);
   insert_like(s, before, g->def, t);
}

/* The load of one dword that is part of this one; ISA_OP_COUNT: there is none. */
static unsigned
narrow_load(const struct mir_inst *def)
{
   if (def->src[1] != ISA_NONE || def->i.offset + 64 > 0xfffff)
      return ISA_OP_COUNT;
   switch (def->i.op) {
   case ISA_S_LOAD_DWORDX2: case ISA_S_LOAD_DWORDX4: case ISA_S_LOAD_DWORDX8: case ISA_S_LOAD_DWORDX16:
      return ISA_S_LOAD_DWORD;
   case ISA_S_BUFFER_LOAD_DWORDX2: case ISA_S_BUFFER_LOAD_DWORDX4: case ISA_S_BUFFER_LOAD_DWORDX8:
   case ISA_S_BUFFER_LOAD_DWORDX16:
      return ISA_S_BUFFER_LOAD_DWORD;
   default:
      return ISA_OP_COUNT;
   }
}

/* Where one dword of a wide load is read, that dword is loaded alone. */
bool
spill_remake_part(struct spiller *s, struct mir_inst *inst, unsigned operand)
{
   struct mir_program *p = s->p;
   mir_reg r = inst->src[operand];
   const struct mir_inst *def = s->info[spill_first_unit(p, r)].def;
   unsigned op = narrow_load(def), at = spill_part(p, r);
   if (op == ISA_OP_COUNT || inst->src_n[operand] != 1)
      return false;
   mir_reg t = mir_new_reg(p, MIR_SGPR, 1);
   mir_unit(p, t)->no_spill = true;
   struct mir_inst *m = mir_inst_create(p, op);
   m->def[0] = t;
   m->def_n[0] = 1;
   m->src[0] = def->src[0];
   m->src_n[0] = def->src_n[0];
   m->i.offset = def->i.offset + 4 * at;
   mir_insert_before(inst, m);
   for (unsigned i = 0; i < 4; i++) {
      if (inst->src[i] == r && inst->src_n[i] == 1)
         inst->src[i] = t;
   }
   return true;
}
