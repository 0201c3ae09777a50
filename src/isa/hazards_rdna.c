/* SPDX-License-Identifier: MIT */
/* Hazards of GFX10 and GFX11, which want an instruction and not wait states
 * between the two: hazard notes of the open drivers, "Dependency checks" of the
 * RDNA ISA manuals. s_delay_alu is no hazard: leaving it out costs time only. */
#include "layout.h"

#define GFX(a) (1u << TGSIAMD_##a)

static const struct isa_hazard_info infos[ISA_HAZARD_COUNT] = {
   [ISA_HAZARD_VMEM_SCALAR_WRITE] = {"VMEMtoScalarWriteHazard", GFX(GFX10), ISA_S_WAITCNT_DEPCTR, 0xffe3, 0, false},
   [ISA_HAZARD_SMEM_VECTOR_WRITE] = {"SMEMtoVectorWriteHazard", GFX(GFX10), ISA_S_MOV_B32, 0, 0, false},
   [ISA_HAZARD_VCMPX_PERMLANE] = {"VcmpxPermlaneHazard", GFX(GFX10) | GFX(GFX11), ISA_V_MOV_B32, 0, 0, false},
   [ISA_HAZARD_VCMPX_EXEC_WAR] = {"VcmpxExecWARHazard", GFX(GFX10), ISA_S_WAITCNT_DEPCTR, 0xfffe, 0, false},
   [ISA_HAZARD_LDS_BRANCH_VMEM] = {"LdsBranchVmemWARHazard", GFX(GFX10), ISA_S_WAITCNT_VSCNT, 0, 0, true},
   [ISA_HAZARD_NSA_VMEM] = {"NSAtoVMEMBug", GFX(GFX10), ISA_S_NOP, 0, 0, false},
   [ISA_HAZARD_LDS_DIRECT_VALU] = {"LdsDirectVALUHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, 0x0fff, 15, false},
   [ISA_HAZARD_LDS_DIRECT_VMEM] = {"LdsDirectVMEMHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, 0xffe3, 0, false},
   [ISA_HAZARD_TRANS_USE] = {"VALUTransUseHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, 0x0fff, 6, false},
   [ISA_HAZARD_MASK_WRITE] = {"VALUMaskWriteHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, 0xfffe, 0, false},
};

const struct isa_hazard_info *isa_hazard_info(enum isa_hazard hazard)
{
   return &infos[hazard];
}

static bool is_vmem(const struct isa_inst *inst)
{
   unsigned unit = isa_op_infos[inst->op].unit;
   return unit == ISA_UNIT_VMEM || unit == ISA_UNIT_FLAT;
}

static bool is_lds(const struct isa_inst *inst)
{
   unsigned unit = isa_op_infos[inst->op].unit;
   return unit == ISA_UNIT_LDS || unit == ISA_UNIT_GDS;
}

static bool is_valu(const struct isa_inst *inst)
{
   return isa_op_infos[inst->op].unit == ISA_UNIT_VALU && inst->enc != ISA_ENC_LDSDIR;
}

static bool is_scalar(const struct isa_inst *inst)
{
   unsigned unit = isa_op_infos[inst->op].unit;
   return unit == ISA_UNIT_SALU || unit == ISA_UNIT_SMEM;
}

static bool is_permlane(unsigned op)
{
   return op == ISA_V_PERMLANE16_B32 || op == ISA_V_PERMLANEX16_B32;
}

static bool overlaps(unsigned a, unsigned num_a, unsigned b, unsigned num_b)
{
   return a != ISA_NONE && b != ISA_NONE && num_a && num_b && a < b + num_b && b < a + num_a;
}

static unsigned src_width(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned n)
{
   return inst->enc == ISA_ENC_VOPD ? 1 : isa_src_dwords(gfx, inst, n);
}

static bool writes_range(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned first, unsigned num)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   unsigned dst2_dw = inst->enc == ISA_ENC_VOPD ? 1 : info->dst2_dw;
   return overlaps(inst->dst, inst->enc == ISA_ENC_VOPD ? 1 : isa_dst_dwords(gfx, inst), first, num) ||
          overlaps(inst->dst2, dst2_dw, first, num) ||
          (info->flags & ISA_WRITES_VCC && overlaps(ISA_VCC, 2, first, num)) ||
          (info->flags & ISA_WRITES_EXEC && overlaps(ISA_EXEC, 2, first, num));
}

/* A scalar register that `reader` reads and `writer` writes. */
static bool scalar_war(enum tgsiamd_gfx gfx, const struct isa_inst *reader, const struct isa_inst *writer)
{
   for (unsigned i = 0; i < 4; i++) {
      if (reader->src[i] < 128 && writes_range(gfx, writer, reader->src[i], src_width(gfx, reader, i)))
         return true;
   }
   return false;
}

static bool reads_vgpr(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned first, unsigned num)
{
   for (unsigned i = 0; i < 4; i++) {
      if (isa_is_vgpr(inst->src[i]) && overlaps(inst->src[i], src_width(gfx, inst, i), first, num))
         return true;
   }
   return isa_op_infos[inst->op].flags & ISA_READS_DST && overlaps(inst->dst, isa_dst_dwords(gfx, inst), first, num);
}

/* The lane mask that a VALU op reads in SGPRs, written by `writer`. */
static bool mask_war(enum tgsiamd_gfx gfx, const struct isa_inst *reader, const struct isa_inst *writer)
{
   const struct isa_op_info *info = &isa_op_infos[reader->op];
   for (unsigned i = 0; i < info->num_src; i++) {
      if (info->src_type[i] == ISA_TYPE_MASK && reader->src[i] < 128 &&
          writes_range(gfx, writer, reader->src[i], src_width(gfx, reader, i)))
         return true;
   }
   return false;
}

bool isa_hazard_pair(enum tgsiamd_gfx gfx, enum isa_hazard hazard, const struct isa_inst *first,
                     const struct isa_inst *second)
{
   const struct isa_op_info *a = &isa_op_infos[first->op];
   if (!(infos[hazard].gfx >> gfx & 1))
      return false;
   switch (hazard) {
   case ISA_HAZARD_VMEM_SCALAR_WRITE:
      return (is_vmem(first) || is_lds(first)) && is_scalar(second) &&
             (scalar_war(gfx, first, second) || writes_range(gfx, second, ISA_EXEC, 2) ||
              (a->flags & ISA_READS_M0 && writes_range(gfx, second, ISA_M0, 1)));
   case ISA_HAZARD_SMEM_VECTOR_WRITE:
      return a->unit == ISA_UNIT_SMEM && is_valu(second) && scalar_war(gfx, first, second);
   case ISA_HAZARD_VCMPX_PERMLANE:
      return a->enc == ISA_ENC_VOPC && a->flags & ISA_WRITES_EXEC && is_permlane(second->op);
   case ISA_HAZARD_VCMPX_EXEC_WAR: {
      bool reads_exec = a->flags & ISA_READS_EXEC || is_vmem(first) || is_lds(first) || a->unit == ISA_UNIT_EXPORT;
      for (unsigned i = 0; i < 4; i++)
         reads_exec |= first->src[i] == ISA_EXEC || first->src[i] == ISA_EXEC_HI;
      return !is_valu(first) && reads_exec && is_valu(second) && writes_range(gfx, second, ISA_EXEC, 2);
   }
   case ISA_HAZARD_LDS_BRANCH_VMEM:
      return (is_vmem(first) && is_lds(second)) || (is_lds(first) && is_vmem(second));
   case ISA_HAZARD_NSA_VMEM:
      return first->enc == ISA_ENC_MIMG && first->nsa_dwords >= 2 &&
             (second->enc == ISA_ENC_MUBUF || second->enc == ISA_ENC_MTBUF) && second->offset & 6;
   case ISA_HAZARD_LDS_DIRECT_VALU: /* what the LDSDIR waits for itself is in `imm`, 15 for nothing */
      return is_valu(first) && second->enc == ISA_ENC_LDSDIR && second->imm &&
             (reads_vgpr(gfx, first, second->dst, 1) || writes_range(gfx, first, second->dst, 1));
   case ISA_HAZARD_LDS_DIRECT_VMEM:
      return (is_vmem(first) || is_lds(first)) && second->enc == ISA_ENC_LDSDIR &&
             (reads_vgpr(gfx, first, second->dst, 1) || writes_range(gfx, first, second->dst, 1));
   case ISA_HAZARD_TRANS_USE:
      return is_valu(first) && a->flags & ISA_TRANS && isa_is_vgpr(first->dst) && is_valu(second) &&
             reads_vgpr(gfx, second, first->dst, isa_dst_dwords(gfx, first));
   case ISA_HAZARD_MASK_WRITE: /* harmful once the new value is read */
      return is_valu(first) && isa_op_infos[second->op].unit == ISA_UNIT_SALU && mask_war(gfx, first, second);
   case ISA_HAZARD_COUNT:
      break;
   }
   return false;
}

bool isa_hazard_over(enum isa_hazard hazard, const struct isa_inst *between)
{
   const struct isa_op_info *info = &isa_op_infos[between->op];
   uint16_t imm = between->imm;
   bool depctr = between->op == ISA_S_WAITCNT_DEPCTR;
   switch (hazard) {
   case ISA_HAZARD_VMEM_SCALAR_WRITE:
      return is_valu(between) || between->op == ISA_S_WAITCNT || (depctr && !(imm & 0x1c));
   case ISA_HAZARD_SMEM_VECTOR_WRITE:
      if (between->op == ISA_S_WAITCNT)
         return (imm >> 8 & 63) == 0;
      return info->unit == ISA_UNIT_SALU && between->enc != ISA_ENC_SOPP && between->op != ISA_S_SETVSKIP &&
             between->op != ISA_S_VERSION && strncmp(info->name, "s_waitcnt", 9);
   case ISA_HAZARD_VCMPX_PERMLANE:
      return is_valu(between) && between->op != ISA_V_NOP;
   case ISA_HAZARD_VCMPX_EXEC_WAR:
      return (is_valu(between) && (between->dst < 128 || between->dst2 < 128)) || (depctr && !(imm & 1));
   case ISA_HAZARD_LDS_BRANCH_VMEM:
      return between->op == ISA_S_WAITCNT_VSCNT && between->src[0] == ISA_NULL && imm == 0;
   case ISA_HAZARD_NSA_VMEM:
      return true;
   case ISA_HAZARD_LDS_DIRECT_VALU:
   case ISA_HAZARD_TRANS_USE:
      return depctr && imm >> 12 == 0;
   case ISA_HAZARD_LDS_DIRECT_VMEM:
      return is_valu(between) || info->unit == ISA_UNIT_EXPORT || (depctr && !(imm & 0x1c));
   case ISA_HAZARD_MASK_WRITE:
      if (is_valu(between)) {
         for (unsigned i = 0; i < info->num_src; i++) {
            if (between->src[i] < 128 || between->src[i] == ISA_LITERAL)
               return true;
         }
      }
      return depctr && !(imm & 1);
   case ISA_HAZARD_COUNT:
      break;
   }
   return true;
}
