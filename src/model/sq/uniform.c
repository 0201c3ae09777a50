/* SPDX-License-Identifier: MIT */
/* Pixel programs whose exports are the same in every lane: fills, clears, flat
 * colours. Follows from which operands an instruction takes what differs
 * between lanes or waves (barycentrics, positions, the primitive mask, EXEC);
 * what it does not know is taken to differ. */
#include "wave.h"

#define MAX_INSTS 64

struct follow {
   bool differs[512];     /* by operand number: SGPRs, from 256 on VGPRs */
   bool holds_exec[128];  /* this pair is what EXEC was at the start */
   uint32_t attrs;        /* attributes that have been interpolated */
};

static bool reads_differing(const struct follow *f, const struct sq_inst *i)
{
   for (unsigned r = 0; r < i->num_ranges; r++)
      for (unsigned n = 0; n < i->ranges[r].num && !i->ranges[r].write; n++)
         if (f->differs[(i->ranges[r].first + n) & 511])
            return true;
   return false;
}

/* False when something is written that a fill has no business to write. */
static bool write(struct follow *f, const struct sq_inst *i, bool differs, bool vgprs)
{
   for (unsigned r = 0; r < i->num_ranges; r++) {
      const struct sq_range *w = &i->ranges[r];
      if (!w->write)
         continue;
      if ((w->first >= 256) != vgprs)
         return false;
      for (unsigned n = 0; n < w->num; n++) {
         const unsigned at = (w->first + n) & 511;
         f->differs[at] = differs;
         if (at < 128)
            f->holds_exec[at] = f->holds_exec[at & ~1u] = false;
         if (at == ISA_EXEC || at == ISA_EXEC_HI)
            return false;
      }
   }
   return true;
}

static bool is_exec(const struct follow *f, const struct sq_src *s)
{
   return s->kind == SQ_SRC_SGPR && (s->reg == ISA_EXEC || (s->reg < 128 && f->holds_exec[s->reg]));
}

/* EXEC is full in a full tile's wave: whole quads of it and its copies are, too. */
static bool scalar(struct follow *f, const struct sq_inst *i)
{
   const bool to_exec = i->isa.dst == ISA_EXEC;
   switch (i->isa.op) {
   case ISA_S_WQM_B64:
      return to_exec && is_exec(f, &i->src[0]);
   case ISA_S_AND_B64:
      return to_exec && is_exec(f, &i->src[0]) && is_exec(f, &i->src[1]);
   case ISA_S_MOV_B64: {
      const bool exec = is_exec(f, &i->src[0]);
      if (to_exec)
         return exec;
      if (!write(f, i, exec || reads_differing(f, i), false))
         return false;
      if (i->isa.dst < 127)
         f->holds_exec[i->isa.dst] = exec;
      return true;
   }
   case ISA_S_MOV_B32: case ISA_S_MOVK_I32: case ISA_S_AND_B32: case ISA_S_OR_B32: case ISA_S_LSHL_B32:
   case ISA_S_LSHR_B32: case ISA_S_ADD_I32: case ISA_S_ADD_U32: case ISA_S_BFE_U32:
      return write(f, i, reads_differing(f, i), false);
   default:
      return false;
   }
}

static bool vector(struct follow *f, const struct sq_inst *i)
{
   const struct isa_op_info *info = &isa_op_infos[i->isa.op];
   bool differs = reads_differing(f, i);

   switch (i->isa.op) {
   case ISA_V_INTERP_P1_F32: /* P0 + P10 * i, and the caller sees to it that P10 is 0 */
      differs = false;
      f->attrs |= 1u << (i->isa.attr & 31);
      break;
   case ISA_V_INTERP_P2_F32:
      differs = f->differs[256 + i->dst];
      f->attrs |= 1u << (i->isa.attr & 31);
      break;
   case ISA_V_INTERP_MOV_F32:
      differs = false;
      break;
   case ISA_V_MBCNT_LO_U32_B32: case ISA_V_MBCNT_HI_U32_B32: /* the lane's number */
      return false;
   default:
      if (i->isa.enc == ISA_ENC_VINTRP || i->isa.form == ISA_FORM_DPP16 || i->isa.form == ISA_FORM_DPP8 ||
          info->flags & (ISA_READS_VCC | ISA_WRITES_VCC | ISA_READS_EXEC | ISA_WRITES_EXEC | ISA_READS_SCC |
                         ISA_READS_M0 | ISA_WRITES_M0 | ISA_WRITES_SRC0))
         return false;
   }
   return write(f, i, differs, true);
}

static bool step(struct follow *f, const struct sq_inst *i)
{
   const struct isa_op_info *info = &isa_op_infos[i->isa.op];

   if (!i->isa.num_dwords || i->hazard_need || i->ordered)
      return false;
   for (unsigned n = 0; n < 4; n++)
      if (i->src[n].kind == SQ_SRC_SPECIAL)
         return false;
   switch (i->unit) {
   case ISA_UNIT_SALU:
      return scalar(f, i);
   case ISA_UNIT_SMEM:
      return !(info->flags & (ISA_STORES | ISA_ATOMIC)) && !reads_differing(f, i) && write(f, i, false, false);
   case ISA_UNIT_VALU:
      return vector(f, i);
   case ISA_UNIT_EXPORT:
      return (i->isa.exp_target < 8 || i->isa.exp_target == 9) && !reads_differing(f, i);
   default:
      return i->isa.op == ISA_S_NOP || i->isa.op == ISA_S_WAITCNT;
   }
}

int sq_program_is_uniform(struct sq *sq, const struct model_env *env, uint64_t pc, unsigned user_sgprs,
                          uint32_t *attrs)
{
   struct sq_program *program = sq_program_get(sq, env, pc);
   const struct sq_inst *i = program ? sq_program_entry(program) : NULL;
   struct follow f = { 0 };

   if (!i)
      return -1;
   memset(f.differs, 1, sizeof(f.differs));
   memset(f.differs, 0, user_sgprs < 64 ? user_sgprs : 64);
   f.holds_exec[ISA_EXEC] = true;
   for (unsigned n = 0; n < MAX_INSTS; n++, i++) {
      if (i->isa.num_dwords && i->isa.op == ISA_S_ENDPGM) {
         *attrs = f.attrs;
         return 1;
      }
      if (!step(&f, i))
         return 0;
   }
   return 0;
}
