/* SPDX-License-Identifier: MIT */
/* Two hazards with three and more instructions in them.
 *
 * GFX12's VALUReadSGPRHazard: once the VALU has read a pair of SGPRs, values
 * that are written to it later must be waited for before they are read.
 * GFX11's VALUPartialForwardingHazard: a VALU op of two registers, one of them
 * written before EXEC changed and one after, all close together. */
#include "hazards.h"

static void add_reg(struct isa_hazard_walk *w, struct isa_span s)
{
   bool plain = s.num && s.first < ISA_M0;
   for (unsigned i = 0; i < w->num_regs && plain; i++)
      plain = w->regs[i].first != s.first || w->regs[i].num != s.num;
   if (plain)
      w->regs[w->num_regs++] = s;
}

static bool is_vcc(struct isa_span s)
{
   return s.first == ISA_VCC || s.first == ISA_VCC_HI;
}

bool isa_sgpr_begin(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_hazard_walk *w)
{
   /* A scalar op that reads waits for the VALU by itself. */
   if (!isa_is_valu(inst) && !(isa_is_salu(inst) && w->hazard == ISA_HAZARD_SGPR_SALU))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      struct isa_span s = isa_src_span(gfx, inst, i);
      if (s.num && (w->hazard == ISA_HAZARD_SGPR_SALU || is_vcc(s) == (w->hazard == ISA_HAZARD_SGPR_VCC)))
         add_reg(w, s);
   }
   if (isa_flags(inst) & ISA_READS_VCC && w->hazard != ISA_HAZARD_SGPR_VALU)
      add_reg(w, (struct isa_span){ISA_VCC, 2});
   return w->num_regs;
}

/* SGPRs are looked at in pairs here. */
static bool reads_pair(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_span s)
{
   return isa_reads(gfx, inst, (struct isa_span){s.first & ~1u, ((s.first + s.num + 1) & ~1u) - (s.first & ~1u)});
}

/* Backwards: first the write, then whether the VALU read the pair before it. */
enum isa_hazard_step isa_sgpr_step(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at)
{
   static const uint16_t fields[] = {0x0001, 0x0e00, 0x0002};
   unsigned unit = isa_op_infos[at->op].unit;
   bool valu = isa_is_valu(at), salu = isa_is_salu(at), left = false;
   bool clears = unit == ISA_UNIT_SMEM || (unit == ISA_UNIT_VMEM && at->enc < ISA_ENC_FLAT) ||
                 isa_waits_depctr(at, fields[w->hazard - ISA_HAZARD_SGPR_SALU]);
   for (unsigned i = 0; i < w->num_regs; i++) {
      struct isa_span s = w->regs[i];
      bool by_salu = w->hazard == ISA_HAZARD_SGPR_SALU;
      if (w->done >> i & 1)
         continue;
      if (w->written >> i & 1) {
         if (valu && reads_pair(gfx, at, s))
            return ISA_HAZARD_FOUND;
      } else if (isa_writes(gfx, at, s) && (by_salu ? salu : valu)) {
         w->written |= 1 << i;
         if (valu && reads_pair(gfx, at, s))
            return ISA_HAZARD_FOUND;
      } else if (clears || (is_vcc(s) && isa_writes(gfx, at, s)) || (!by_salu && salu && reads_pair(gfx, at, s))) {
         w->done |= 1 << i;
         continue;
      }
      left = true;
   }
   return left ? ISA_HAZARD_GO_ON : ISA_HAZARD_OVER;
}

bool isa_forward_begin(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_hazard_walk *w)
{
   for (unsigned i = 0; i < 4 && isa_is_valu(inst); i++) {
      struct isa_span s = isa_src_span(gfx, inst, i);
      bool known = !s.num || !isa_is_vgpr(s.first);
      for (unsigned k = 0; k < w->num_regs; k++)
         known |= w->regs[k].first == s.first && w->regs[k].num == s.num;
      if (!known)
         w->regs[w->num_regs++] = s;
   }
   memset(w->written_at, 255, sizeof(w->written_at));
   w->exec_at = 255;
   return w->num_regs > 1;
}

enum isa_hazard_step isa_forward_step(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at)
{
   struct isa_span exec = {ISA_EXEC, 2};
   unsigned before = 255, after = 255;
   bool changed = false, any = false;
   for (unsigned i = 0; i < w->num_regs; i++) {
      if (isa_is_valu(at) && w->written_at[i] == 255 && isa_writes(gfx, at, w->regs[i])) {
         w->written_at[i] = w->valu;
         changed = true;
      }
      any |= w->written_at[i] != 255;
   }
   if (isa_is_salu(at) && w->exec_at == 255 && any && isa_writes(gfx, at, exec)) {
      w->exec_at = w->valu;
      changed = true;
   }
   if (w->valu > 8 || (w->valu > 4 && !any))
      return ISA_HAZARD_OVER;
   if (!changed || w->exec_at == 255)
      return ISA_HAZARD_GO_ON;
   for (unsigned i = 0; i < w->num_regs; i++) {
      unsigned *side = w->written_at[i] >= w->exec_at ? &before : &after;
      *side = w->written_at[i] < *side ? w->written_at[i] : *side;
   }
   if (after == 255)
      return ISA_HAZARD_GO_ON;
   /* At most four ops behind the later write, two in all between the others. */
   unsigned between = w->exec_at - after - 1;
   if (after > 4 || between > 2)
      return ISA_HAZARD_OVER;
   if (before == 255)
      return ISA_HAZARD_GO_ON;
   return before - w->exec_at + between <= 2 ? ISA_HAZARD_FOUND : ISA_HAZARD_OVER;
}
