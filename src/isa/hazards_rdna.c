/* SPDX-License-Identifier: MIT */
/* Hazards that want an instruction and not wait states, or that depend on what
 * stands between: hazard notes of the open drivers, "Dependency checks" of the
 * RDNA ISA manuals. Each is a walk back from the instruction at its end.
 * s_delay_alu is no hazard: leaving it out costs time only. */
#include "hazards.h"

#define GFX(a) (1u << TGSIAMD_##a)

/* Fields of s_waitcnt_depctr (s_wait_alu): 0 waits for all. */
#define SA_SDST 0x0001
#define VA_VCC  0x0002
#define VM_VSRC 0x001c
#define VA_SDST 0x0e00
#define VA_VDST 0xf000

static const struct isa_hazard_info infos[ISA_HAZARD_COUNT] = {
   [ISA_HAZARD_VMEM_SCALAR_WRITE] = {"VMEMtoScalarWriteHazard", GFX(GFX10), ISA_S_WAITCNT_DEPCTR, VM_VSRC, 0},
   [ISA_HAZARD_SMEM_VECTOR_WRITE] = {"SMEMtoVectorWriteHazard", GFX(GFX10), ISA_S_MOV_B32, 0, 0},
   [ISA_HAZARD_VCMPX_PERMLANE] = {"VcmpxPermlaneHazard", GFX(GFX10) | GFX(GFX11) | GFX(GFX12), ISA_V_MOV_B32, 0, 0},
   [ISA_HAZARD_VCMPX_EXEC_WAR] = {"VcmpxExecWARHazard", GFX(GFX10), ISA_S_WAITCNT_DEPCTR, SA_SDST, 0},
   [ISA_HAZARD_LDS_BRANCH_VMEM] = {"LdsBranchVmemWARHazard", GFX(GFX10), ISA_S_WAITCNT_VSCNT, 0, 0},
   [ISA_HAZARD_NSA_VMEM] = {"NSAtoVMEMBug", GFX(GFX10), ISA_S_NOP, 0, 1},
   [ISA_HAZARD_DENORM_MODE] = {"FPAtomicToDenormModeHazard", GFX(GFX10) | GFX(GFX10_3), ISA_S_NOP, 0, 3},
   [ISA_HAZARD_LDS_DIRECT_VALU] = {"LdsDirectVALUHazard", GFX(GFX11) | GFX(GFX12), ISA_OP_COUNT, 0, 0},
   [ISA_HAZARD_LDS_DIRECT_VMEM] = {"LdsDirectVMEMHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, VM_VSRC, 0},
   [ISA_HAZARD_LDS_DIRECT_VSRC] = {"LdsDirectVMEMHazard", GFX(GFX12), ISA_OP_COUNT, 0, 0},
   [ISA_HAZARD_PARTIAL_FORWARD] = {"VALUPartialForwardingHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, VA_VDST, 0, .wave64 = true},
   [ISA_HAZARD_TRANS_USE] = {"VALUTransUseHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, VA_VDST, 0},
   [ISA_HAZARD_WMMA] = {"WMMAHazard", GFX(GFX11) | GFX(GFX12), ISA_V_NOP, 0, 0},
   [ISA_HAZARD_MASK_SALU] = {"VALUMaskWriteHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, SA_SDST, 0, true, .wave64 = true},
   [ISA_HAZARD_MASK_VALU] = {"VALUMaskWriteHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, VA_SDST, 0, true, .wave64 = true},
   [ISA_HAZARD_MASK_VCC] = {"VALUMaskWriteHazard", GFX(GFX11), ISA_S_WAITCNT_DEPCTR, VA_VCC, 0, true, .wave64 = true},
   [ISA_HAZARD_SGPR_SALU] = {"VALUReadSGPRHazard", GFX(GFX12), ISA_S_WAITCNT_DEPCTR, SA_SDST, 0},
   [ISA_HAZARD_SGPR_VALU] = {"VALUReadSGPRHazard", GFX(GFX12), ISA_S_WAITCNT_DEPCTR, VA_SDST, 0},
   [ISA_HAZARD_SGPR_VCC] = {"VALUReadSGPRHazard", GFX(GFX12), ISA_S_WAITCNT_DEPCTR, VA_VCC, 0},
   [ISA_HAZARD_DGEMM_VMEM] = {"DMFMABetweenVALUWriteVMEMRead", GFX(GFX90A), ISA_S_NOP, 0, 2},
};

const struct isa_hazard_info *isa_hazard_info(enum isa_hazard hazard)
{
   return &infos[hazard];
}

uint32_t isa_hazard_set(enum tgsiamd_gfx gfx)
{
   uint32_t set = 0;
   for (unsigned i = 0; i < ISA_HAZARD_COUNT; i++)
      set |= (infos[i].gfx >> gfx & 1) << i;
   return set;
}

static bool is_vmem(const struct isa_inst *inst)
{
   unsigned unit = isa_op_infos[inst->op].unit;
   return unit == ISA_UNIT_VMEM || unit == ISA_UNIT_FLAT;
}

static bool is_lds(const struct isa_inst *inst)
{
   unsigned unit = isa_op_infos[inst->op].unit;
   return (unit == ISA_UNIT_LDS || unit == ISA_UNIT_GDS) && inst->enc != ISA_ENC_LDSDIR;
}

bool isa_is_valu(const struct isa_inst *inst)
{
   return isa_op_infos[inst->op].unit == ISA_UNIT_VALU && inst->enc != ISA_ENC_LDSDIR;
}

bool isa_is_salu(const struct isa_inst *inst)
{
   return inst->enc <= ISA_ENC_SOPP;
}

static bool is_trans(const struct isa_inst *inst)
{
   return isa_is_valu(inst) && isa_op_infos[inst->op].flags & ISA_TRANS;
}

/* These wait for the results of the VALU themselves. */
static bool waits_for_valu(const struct isa_inst *inst)
{
   return is_vmem(inst) || is_lds(inst) || inst->enc == ISA_ENC_EXP;
}

bool isa_waits_depctr(const struct isa_inst *inst, unsigned field)
{
   return inst->op == ISA_S_WAITCNT_DEPCTR && !(inst->imm & field);
}

static bool is_permlane(unsigned op)
{
   return op == ISA_V_PERMLANE16_B32 || op == ISA_V_PERMLANEX16_B32 || op == ISA_V_PERMLANE64_B32 ||
          op == ISA_V_PERMLANE16_VAR_B32 || op == ISA_V_PERMLANEX16_VAR_B32;
}

static bool is_float_atomic(const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   return info->flags & ISA_ATOMIC && (strstr(info->name, "atomic_f") || strstr(info->name, "_f32"));
}

static bool waits_for_memory(const struct isa_inst *inst)
{
   return !strncmp(isa_op_infos[inst->op].name, "s_wait", 6) && inst->op != ISA_S_WAITCNT_DEPCTR;
}

/* A scalar register that `reader` reads and `writer` writes. */
static bool scalar_war(enum tgsiamd_gfx gfx, const struct isa_inst *reader, const struct isa_inst *writer)
{
   struct isa_span m0 = {ISA_M0, 1};
   for (unsigned i = 0; i < 4; i++) {
      if (reader->src[i] < 128 && isa_writes(gfx, writer, isa_src_span(gfx, reader, i)))
         return true;
   }
   return isa_op_infos[reader->op].flags & ISA_READS_M0 && isa_writes(gfx, writer, m0);
}

/* EXEC as data, or as the lane mask of another unit than the VALU. */
static bool reads_exec(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   struct isa_span exec = {ISA_EXEC, 2};
   return waits_for_valu(inst) || isa_op_infos[inst->op].unit == ISA_UNIT_EXPORT || isa_reads(gfx, inst, exec);
}

/* Memory that reads or writes the register of an LDSDIR. */
static bool touches(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_span s)
{
   return isa_reads(gfx, inst, s) || isa_writes(gfx, inst, s);
}

/* Mask of lanes that a VALU op reads in SGPRs. */
static struct isa_span lane_mask(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   struct isa_span vcc = {ISA_VCC, 2};
   if (isa_is_valu(inst) && info->flags & ISA_READS_VCC)
      return vcc;
   for (unsigned i = 0; i < info->num_src && isa_is_valu(inst); i++) {
      if (info->src_type[i] == ISA_TYPE_MASK && inst->src[i] < 128)
         return isa_src_span(gfx, inst, i);
   }
   return (struct isa_span){0, 0};
}

/* The SGPRs that an op writes, VCC included, but EXEC, M0, null. */
static struct isa_span sgpr_result(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   struct isa_span s = isa_dst_span(gfx, inst);
   if (s.num && s.first < ISA_M0)
      return s;
   s = isa_dst2_span(inst);
   return s.num && s.first < ISA_M0 ? s : (struct isa_span){0, 0};
}

static unsigned lds_or_memory(const struct isa_inst *inst)
{
   return is_lds(inst) ? 1 : is_vmem(inst) ? 2 : 0;
}

bool isa_hazard_begin(enum tgsiamd_gfx gfx, enum isa_hazard hazard, const struct isa_inst *inst,
                      struct isa_hazard_walk *w)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   struct isa_span exec = {ISA_EXEC, 2};
   if (!(infos[hazard].gfx >> gfx & 1) || (inst->wave32 && infos[hazard].wave64))
      return false;
   memset(w, 0, sizeof(*w));
   w->inst = inst;
   w->hazard = hazard;
   switch (hazard) {
   case ISA_HAZARD_VMEM_SCALAR_WRITE:
      return isa_is_salu(inst) || info->unit == ISA_UNIT_SMEM;
   case ISA_HAZARD_SMEM_VECTOR_WRITE:
      return isa_is_valu(inst) && (inst->dst < 128 || inst->dst2 < 128);
   case ISA_HAZARD_VCMPX_PERMLANE:
      return is_permlane(inst->op);
   case ISA_HAZARD_VCMPX_EXEC_WAR:
      return isa_is_valu(inst) && isa_writes(gfx, inst, exec);
   case ISA_HAZARD_LDS_BRANCH_VMEM:
      return lds_or_memory(inst);
   case ISA_HAZARD_NSA_VMEM:
      return (inst->enc == ISA_ENC_MUBUF || inst->enc == ISA_ENC_MTBUF) && inst->offset & 6;
   case ISA_HAZARD_DENORM_MODE:
      return inst->op == ISA_S_DENORM_MODE;
   case ISA_HAZARD_LDS_DIRECT_VALU: /* what it waits for itself is in `imm`, 15 for nothing */
      return inst->enc == ISA_ENC_LDSDIR && inst->imm;
   case ISA_HAZARD_LDS_DIRECT_VMEM:
      return inst->enc == ISA_ENC_LDSDIR;
   case ISA_HAZARD_LDS_DIRECT_VSRC: /* and here in this bit, 0 to wait */
      return inst->enc == ISA_ENC_LDSDIR && inst->scc_cache;
   case ISA_HAZARD_PARTIAL_FORWARD:
      return isa_forward_begin(gfx, inst, w);
   case ISA_HAZARD_TRANS_USE:
      return isa_is_valu(inst);
   case ISA_HAZARD_WMMA:
      return isa_is_wmma(inst->op);
   case ISA_HAZARD_MASK_SALU:
   case ISA_HAZARD_MASK_VALU:
   case ISA_HAZARD_MASK_VCC:
      w->regs[0] = sgpr_result(gfx, inst);
      w->num_regs = w->regs[0].num;
      return w->num_regs && (hazard == ISA_HAZARD_MASK_SALU ? isa_is_salu(inst) : isa_is_valu(inst)) &&
             (hazard == ISA_HAZARD_MASK_SALU || (w->regs[0].first >= ISA_VCC) == (hazard == ISA_HAZARD_MASK_VCC));
   case ISA_HAZARD_SGPR_SALU:
   case ISA_HAZARD_SGPR_VALU:
   case ISA_HAZARD_SGPR_VCC:
      return isa_sgpr_begin(gfx, inst, w);
   case ISA_HAZARD_DGEMM_VMEM:
      return is_vmem(inst) || is_lds(inst);
   case ISA_HAZARD_COUNT:
      break;
   }
   return false;
}

/* The instruction written in between is safe by itself: what is left of the mask. */
static enum isa_hazard_step mask_step(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at)
{
   struct isa_span mask = lane_mask(gfx, at), written = sgpr_result(gfx, at);
   if (isa_overlap(mask, w->regs[0]))
      return ISA_HAZARD_FOUND;
   for (unsigned i = 0; i < w->regs[0].num; i++) {
      if (isa_overlap(written, (struct isa_span){w->regs[0].first + i, 1}))
         w->done |= 1 << i;
   }
   return w->done == (1u << w->regs[0].num) - 1 ? ISA_HAZARD_OVER : ISA_HAZARD_GO_ON;
}

static enum isa_hazard_step when(bool found, bool over)
{
   return found ? ISA_HAZARD_FOUND : over ? ISA_HAZARD_OVER : ISA_HAZARD_GO_ON;
}

static enum isa_hazard_step step(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at)
{
   const struct isa_op_info *info = &isa_op_infos[at->op];
   const struct isa_inst *inst = w->inst;
   struct isa_span exec = {ISA_EXEC, 2}, result = isa_dst_span(gfx, at);
   unsigned vm, exp, lgkm;
   switch ((enum isa_hazard)w->hazard) {
   case ISA_HAZARD_VMEM_SCALAR_WRITE:
      return when((is_vmem(at) || is_lds(at)) && (scalar_war(gfx, at, inst) || isa_writes(gfx, inst, exec)),
                  isa_is_valu(at) || (at->op == ISA_S_WAITCNT && !at->imm) || isa_waits_depctr(at, VM_VSRC));
   case ISA_HAZARD_SMEM_VECTOR_WRITE:
      isa_waitcnt_unpack(gfx, at->imm, &vm, &exp, &lgkm);
      return when(info->unit == ISA_UNIT_SMEM && scalar_war(gfx, at, inst),
                  at->op == ISA_S_WAITCNT ? !lgkm : at->op == ISA_S_WAITCNT_LGKMCNT ? !at->imm && at->src[0] == ISA_NULL :
                  at->enc < ISA_ENC_SOPP && !waits_for_memory(at) && at->op != ISA_S_SETVSKIP && at->op != ISA_S_VERSION);
   case ISA_HAZARD_VCMPX_PERMLANE:
      return when(info->enc == ISA_ENC_VOPC && info->flags & ISA_WRITES_EXEC, isa_is_valu(at) && at->op != ISA_V_NOP);
   case ISA_HAZARD_VCMPX_EXEC_WAR:
      return when(!isa_is_valu(at) && reads_exec(gfx, at),
                  (isa_is_valu(at) && !(info->flags & ISA_DST_SGPR) && (at->dst < 128 || at->dst2 < 128)) ||
                     isa_waits_depctr(at, SA_SDST));
   case ISA_HAZARD_LDS_BRANCH_VMEM:
      if (info->flags & ISA_BRANCH)
         w->branch = true;
      return when(w->branch && lds_or_memory(at) && lds_or_memory(at) != lds_or_memory(inst),
                  lds_or_memory(at) || (at->op == ISA_S_WAITCNT_VSCNT && at->src[0] == ISA_NULL && !at->imm));
   case ISA_HAZARD_NSA_VMEM:
      return when(at->enc == ISA_ENC_MIMG && at->nsa_dwords >= 2, true);
   case ISA_HAZARD_DENORM_MODE:
      return when(is_float_atomic(at), isa_is_valu(at) || waits_for_memory(at) || w->states >= 2);
   case ISA_HAZARD_LDS_DIRECT_VALU:
      w->trans |= is_trans(at);
      return when(isa_is_valu(at) && touches(gfx, at, isa_dst_span(gfx, inst)) && inst->imm > (w->trans ? 0 : w->valu),
                  waits_for_valu(at) || w->valu + isa_is_valu(at) >= 15);
   case ISA_HAZARD_LDS_DIRECT_VMEM:
   case ISA_HAZARD_LDS_DIRECT_VSRC:
      return when((is_vmem(at) || is_lds(at)) && touches(gfx, at, isa_dst_span(gfx, inst)),
                  isa_is_valu(at) || at->enc == ISA_ENC_EXP || (at->op == ISA_S_WAITCNT && !at->imm) ||
                     isa_waits_depctr(at, VM_VSRC) ||
                     (w->hazard == ISA_HAZARD_LDS_DIRECT_VSRC && at->enc == ISA_ENC_LDSDIR && !at->scc_cache));
   case ISA_HAZARD_PARTIAL_FORWARD:
      if (waits_for_valu(at) || isa_waits_depctr(at, VA_VDST))
         return ISA_HAZARD_OVER;
      return isa_forward_step(gfx, w, at);
   case ISA_HAZARD_TRANS_USE: /* five other VALU ops or one TRANS between the two are enough */
      if (w->valu > 5 || w->trans > 1)
         return ISA_HAZARD_OVER;
      return when(is_trans(at) && isa_is_vgpr(at->dst) && isa_reads(gfx, inst, result),
                  waits_for_valu(at) || isa_waits_depctr(at, VA_VDST));
   case ISA_HAZARD_WMMA:
      return when(isa_is_wmma(at->op) && (isa_overlap(result, isa_src_span(gfx, inst, 0)) ||
                                  isa_overlap(result, isa_src_span(gfx, inst, 1)) ||
                                  (isa_has_index_key(inst->op) &&
                                   isa_overlap(result, isa_src_span(gfx, inst, 2)))),
                  isa_is_valu(at));
   case ISA_HAZARD_MASK_SALU:
   case ISA_HAZARD_MASK_VALU:
   case ISA_HAZARD_MASK_VCC:
      return mask_step(gfx, w, at);
   case ISA_HAZARD_SGPR_SALU:
   case ISA_HAZARD_SGPR_VALU:
   case ISA_HAZARD_SGPR_VCC:
      return isa_sgpr_step(gfx, w, at);
   case ISA_HAZARD_DGEMM_VMEM:
      w->branch |= isa_is_matrix(at) && isa_dst_dwords(gfx, at) && at->op >= ISA_V_MFMA_F64_16X16X4F64 &&
                   at->op <= ISA_V_MFMA_F64_4X4X4F64;
      return when(w->branch && isa_is_valu(at) && isa_reads(gfx, inst, result), w->states >= 1);
   case ISA_HAZARD_COUNT:
      break;
   }
   return ISA_HAZARD_OVER;
}

enum isa_hazard_step isa_hazard_back(enum tgsiamd_gfx gfx, struct isa_hazard_walk *w, const struct isa_inst *at)
{
   enum isa_hazard_step found = step(gfx, w, at);
   if (found == ISA_HAZARD_GO_ON) {
      w->valu += isa_is_valu(at) && w->valu < 255;
      w->trans += is_trans(at) && w->hazard == ISA_HAZARD_TRANS_USE;
      unsigned states = at->op == ISA_S_NOP ? (at->imm & 15) + 1 : 1;
      w->states = w->states + states > 255 ? 255 : w->states + states;
   }
   return found;
}

bool isa_hazard_remedy(enum tgsiamd_gfx gfx, const struct isa_hazard_walk *w, struct isa_inst *inst,
                       struct isa_inst *remedy)
{
   const struct isa_hazard_info *info = &infos[w->hazard];
   switch ((enum isa_hazard)w->hazard) {
   case ISA_HAZARD_LDS_DIRECT_VALU:
      inst->imm = w->trans ? 0 : w->valu;
      return false;
   case ISA_HAZARD_LDS_DIRECT_VSRC:
      inst->scc_cache = false;
      return false;
   default:
      break;
   }
   isa_inst_init(remedy, info->remedy);
   remedy->wave32 = inst->wave32;
   switch (info->remedy) {
   case ISA_S_WAITCNT_DEPCTR: /* the unused bits are 0, the others that of no wait */
      remedy->imm = (gfx < TGSIAMD_GFX11 ? 0xff1f : 0xff9f) & ~info->field;
      break;
   case ISA_S_WAITCNT_VSCNT:
      remedy->src[0] = ISA_NULL;
      break;
   case ISA_S_MOV_B32:
      remedy->dst = ISA_NULL;
      remedy->src[0] = ISA_INT_0;
      break;
   case ISA_V_MOV_B32: /* v_nop would be dropped; a register that is there */
      remedy->dst = remedy->src[0] = inst->src[0];
      break;
   case ISA_S_NOP:
      remedy->imm = info->states - w->states - 1;
      break;
   }
   return true;
}
