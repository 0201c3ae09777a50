/* SPDX-License-Identifier: MIT */
/* Hazards that software must keep apart, "Manually Inserted Wait States" of the
 * GCN3 and Vega ISA manuals: a rule names what the first instruction does, what
 * the second does, and which register both must touch. */
#include "hazards.h"

/* What an instruction does, as far as the rules ask. */
enum effect {
   FX_SETREG        = 1 << 0,
   FX_GETREG        = 1 << 1,
   FX_SETREG_VSKIP  = 1 << 2,  /* s_setvskip */
   FX_VECTOR        = 1 << 3,
   FX_VALU_SGPR     = 1 << 4,  /* VALU that writes SGPRs or VCC */
   FX_VALU_EXEC     = 1 << 5,  /* VALU that writes EXEC */
   FX_VALU_VGPR     = 1 << 6,
   FX_SALU_M0       = 1 << 7,
   FX_SALU_SGPR     = 1 << 8,
   FX_LANE_SELECT   = 1 << 9,
   FX_DIV_FMAS      = 1 << 10,
   FX_VMEM_SGPR     = 1 << 11, /* reads SGPRs in a vector memory instruction */
   FX_DPP           = 1 << 12,
   FX_M0_MESSAGE    = 1 << 13, /* GDS, s_sendmsg, s_ttracedata: read M0 */
   FX_WIDE_STORE    = 1 << 14, /* store data of more than 64 bits */
   FX_SETREG_TRAP   = 1 << 15,
   FX_RFE           = 1 << 16,
   FX_VCC_EXEC_Z    = 1 << 17, /* VCCZ or EXECZ as a data source */
   FX_SMEM_SGPR     = 1 << 18,
   FX_VALU_VCC_EXEC = 1 << 19, /* VALU that writes VCC or EXEC */
   FX_M0_READ       = 1 << 20, /* others that do: s_movrel, LDS add-TID, interpolation, LDS DMA */
   FX_SMEM_BUFFER   = 1 << 21, /* reads a descriptor in scalar memory instructions */
   FX_TRANS         = 1 << 22,
   FX_VALU_PLAIN    = 1 << 23, /* no transcendental */
   FX_PART          = 1 << 24, /* VALU that writes a part of a VGPR */
   FX_VALU          = 1 << 25,
   FX_LANE          = 1 << 26, /* v_readlane, v_readfirstlane, v_writelane */
   FX_LANE_READ     = 1 << 27, /* but v_writelane */
   FX_SWAP          = 1 << 28, /* v_permlane16_swap, v_permlane32_swap */
   FX_CMPX          = 1 << 29,
};

enum relation {
   REL_ANY,        /* no register in common is needed */
   REL_HWREG,      /* same hardware register */
   REL_SGPR,       /* an SGPR written, then read */
   REL_LANE,       /* an SGPR written, then the lane select */
   REL_VCC,        /* VCC written */
   REL_VGPR,       /* a VGPR written, then src[0] of DPP or of a lane read */
   REL_RESULT,     /* the destination read */
   REL_TOUCHED,    /* the destination read or written */
   REL_STORE_DATA, /* store data, then written */
};

#define GFX(a) (1u << TGSIAMD_##a)
#define GFX_ALL ((1u << TGSIAMD_GFX_COUNT) - 1)
#define GFX6_9 (GFX(GFX6) | GFX(GFX7) | GFX8_9)
#define GFX8_9 (GFX(GFX8) | GFX9_ONLY)
#define CDNA3_4 (GFX(GFX940) | GFX(GFX950))
#define GFX9_ONLY (GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950))

static const struct rule {
   uint32_t first, second; /* an effect each */
   uint8_t relation, states;
   uint32_t gfx;
} rules[] = {
   {FX_SETREG, FX_GETREG, REL_HWREG, 2, GFX6_9},
   {FX_SETREG, FX_SETREG, REL_HWREG, 2, GFX8_9},
   {FX_SETREG, FX_SETREG, REL_HWREG, 1, GFX(GFX6) | GFX(GFX7)},
   {FX_SETREG_VSKIP, FX_GETREG, REL_ANY, 2, GFX6_9},
   {FX_SETREG_VSKIP, FX_VECTOR, REL_ANY, 2, GFX9_ONLY},
   {FX_VALU_VCC_EXEC, FX_VCC_EXEC_Z, REL_ANY, 5, GFX6_9},
   {FX_VALU_SGPR, FX_VMEM_SGPR, REL_SGPR, 5, GFX6_9},
   {FX_VALU_SGPR, FX_LANE_SELECT, REL_LANE, 4, GFX6_9},
   {FX_VALU_SGPR, FX_DIV_FMAS, REL_VCC, 4, GFX6_9},
   {FX_VALU_SGPR, FX_SMEM_SGPR, REL_SGPR, 4, GFX(GFX6)},
   {FX_SALU_SGPR, FX_SMEM_BUFFER, REL_SGPR, 4, GFX(GFX6)}, /* in no manual; LLVM found it */
   {FX_WIDE_STORE, FX_VECTOR, REL_STORE_DATA, 1, GFX(GFX7) | GFX(GFX8) | GFX(GFX9) | GFX(GFX90A)},
   {FX_WIDE_STORE, FX_VECTOR, REL_STORE_DATA, 2, CDNA3_4},
   {FX_VALU_VGPR, FX_DPP, REL_VGPR, 2, GFX8_9},
   {FX_VALU_EXEC, FX_DPP, REL_ANY, 5, GFX8_9},
   {FX_SALU_M0, FX_M0_MESSAGE, REL_ANY, 1, GFX8_9},
   {FX_SALU_M0, FX_M0_READ, REL_ANY, 1, GFX9_ONLY},
   {FX_SETREG_TRAP, FX_RFE, REL_ANY, 1, GFX8_9},
   {FX_TRANS, FX_VALU_PLAIN, REL_RESULT, 1, CDNA3_4},
   {FX_PART, FX_VALU, REL_TOUCHED, 1, CDNA3_4},
   {FX_VALU_SGPR, FX_VALU, REL_SGPR, 2, CDNA3_4},
   {FX_VALU_VGPR, FX_LANE_READ, REL_VGPR, 1, CDNA3_4},
   {FX_VALU_EXEC, FX_LANE, REL_ANY, 4, CDNA3_4},
   {FX_VALU_VGPR, FX_SWAP, REL_RESULT, 2, GFX(GFX950)},
   {FX_CMPX, FX_SWAP, REL_ANY, 4, GFX(GFX950)},
};
#define NUM_RULES (sizeof(rules) / sizeof(rules[0])) /* at most 31 */
#define MATRIX_ROLE (1u << 31) /* hazards_matrix.c has a say */

/* Every operand of a dual op is one register; else it has `dw` of them. */
static struct isa_span span(const struct isa_inst *inst, uint16_t operand, unsigned dw)
{
   return (struct isa_span){operand, inst->enc == ISA_ENC_VOPD ? 1 : dw};
}

struct isa_span isa_dst_span(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   return inst->dst == ISA_NONE ? (struct isa_span){0, 0} : span(inst, inst->dst, isa_dst_dwords(gfx, inst));
}

struct isa_span isa_dst2_span(const struct isa_inst *inst)
{
   return inst->dst2 == ISA_NONE ? (struct isa_span){0, 0} : span(inst, inst->dst2, isa_dst2_dwords(inst));
}

struct isa_span isa_src_span(enum tgsiamd_gfx gfx, const struct isa_inst *inst, unsigned n)
{
   return inst->src[n] == ISA_NONE ? (struct isa_span){0, 0} : span(inst, inst->src[n], isa_src_dwords(gfx, inst, n));
}

uint32_t isa_flags(const struct isa_inst *inst)
{
   uint32_t flags = isa_op_infos[inst->op].flags | (inst->exp_row ? ISA_READS_M0 : 0); /* the row is in M0 */
   if (inst->enc == ISA_ENC_VOPD) {
      bool mask = inst->op == ISA_V_CNDMASK_B32 || inst->op_y == ISA_V_CNDMASK_B32;
      flags |= isa_op_infos[inst->op_y].flags | (mask ? ISA_READS_VCC : 0);
   }
   return flags;
}

/* Registers that flags of an op name. */
static const struct named {
   struct isa_span regs;
   uint32_t reads, writes;
} named[] = {
   {{ISA_VCC, 2}, ISA_READS_VCC, ISA_WRITES_VCC},
   {{ISA_EXEC, 2}, ISA_READS_EXEC, ISA_WRITES_EXEC},
   {{ISA_M0, 1}, ISA_READS_M0, ISA_WRITES_M0},
};

bool isa_writes(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_span s)
{
   uint32_t flags = isa_op_infos[inst->op].flags;
   for (const struct named *n = named; n < named + 3; n++) {
      if (flags & n->writes && isa_overlap(n->regs, s))
         return true;
   }
   return isa_overlap(isa_dst_span(gfx, inst), s) || isa_overlap(isa_dst2_span(inst), s) ||
          (flags & ISA_WRITES_SRC0 && isa_overlap(isa_src_span(gfx, inst, 0), s));
}

bool isa_reads(enum tgsiamd_gfx gfx, const struct isa_inst *inst, struct isa_span s)
{
   uint32_t flags = isa_flags(inst);
   for (const struct named *n = named; n < named + 3; n++) {
      if (flags & n->reads && isa_overlap(n->regs, s))
         return true;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (isa_overlap(isa_src_span(gfx, inst, i), s))
         return true;
   }
   for (unsigned i = 0; i < 2; i++) {
      if (isa_overlap((struct isa_span){inst->scale[i], inst->scale[i] != 0}, s))
         return true;
   }
   if (inst->enc == ISA_ENC_VOPD && isa_op_infos[inst->op_y].flags & ISA_READS_DST && isa_overlap(isa_dst2_span(inst), s))
      return true;
   return isa_op_infos[inst->op].flags & (ISA_READS_DST | ISA_WRITES_SRC0) && isa_overlap(isa_dst_span(gfx, inst), s);
}

static bool is_scalar_reg(unsigned operand)
{
   return operand < 128;
}

/* The source that a store keeps its data in. */
static unsigned store_data(const struct isa_inst *inst)
{
   return inst->enc >= ISA_ENC_FLAT && inst->enc <= ISA_ENC_SCRATCH ? 1 : 3;
}

/* A byte or a half of the destination: SDWA, op_sel, the conversions to eight
 * bits with their byte select and to four bits. */
static bool writes_part(const struct isa_inst *inst)
{
   const char *name = isa_op_infos[inst->op].name;
   if (inst->form == ISA_FORM_SDWA && inst->enc != ISA_ENC_VOPC)
      return inst->sdwa_dst_sel != 6;
   if (inst->enc != ISA_ENC_VOP3)
      return false;
   return inst->op_sel & 8 || (inst->op_sel & 4 && (strstr(name, "_sr_fp8_") || strstr(name, "_sr_bf8_"))) ||
          strstr(name, "_fp4_");
}

static uint32_t setreg_effects(uint16_t imm)
{
   unsigned reg = imm & 63, first = imm >> 6 & 31, last = first + (imm >> 11 & 31);
   bool vskip = reg == 1 && first <= 28 && last >= 28; /* bit 28 of MODE */
   return FX_SETREG | (reg == 3 ? FX_SETREG_TRAP : 0) | (vskip ? FX_SETREG_VSKIP : 0);
}

/* Of ops that the rules name. */
static uint32_t op_effects(const struct isa_inst *inst)
{
   switch (inst->op) {
   case ISA_S_SETREG_B32:
   case ISA_S_SETREG_IMM32_B32:
      return setreg_effects(inst->imm);
   case ISA_S_GETREG_B32:
      return FX_GETREG;
   case ISA_S_SETVSKIP:
      return FX_SETREG_VSKIP;
   case ISA_S_RFE_B64:
   case ISA_S_RFE_RESTORE_B64:
      return FX_RFE;
   case ISA_V_READLANE_B32:
      return FX_LANE_SELECT | FX_LANE | FX_LANE_READ;
   case ISA_V_WRITELANE_B32:
      return FX_LANE_SELECT | FX_LANE;
   case ISA_V_READFIRSTLANE_B32:
      return FX_LANE | FX_LANE_READ;
   case ISA_V_PERMLANE16_SWAP_B32:
   case ISA_V_PERMLANE32_SWAP_B32:
      return FX_SWAP;
   case ISA_V_DIV_FMAS_F32:
   case ISA_V_DIV_FMAS_F64:
      return FX_DIV_FMAS;
   }
   return 0;
}

static uint32_t valu_effects(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const struct isa_op_info *info)
{
   uint32_t fx = FX_VECTOR | FX_VALU | (info->flags & ISA_TRANS ? FX_TRANS : FX_VALU_PLAIN);
   if (inst->form == ISA_FORM_DPP16 || inst->form == ISA_FORM_DPP8)
      fx |= FX_DPP;
   if (CDNA3_4 >> gfx & 1 && writes_part(inst))
      fx |= FX_PART;
   if (isa_is_vgpr(inst->dst))
      fx |= FX_VALU_VGPR;
   if (info->flags & ISA_READS_M0 || inst->src[0] == ISA_LDS_DIRECT)
      fx |= FX_M0_READ;
   if (!is_scalar_reg(inst->dst) && !is_scalar_reg(inst->dst2) && !(info->flags & (ISA_WRITES_VCC | ISA_WRITES_EXEC)))
      return fx;
   fx |= FX_VALU_SGPR;
   if (isa_writes(gfx, inst, (struct isa_span){ISA_EXEC, 2}))
      fx |= FX_VALU_EXEC | FX_VALU_VCC_EXEC | (info->enc == ISA_ENC_VOPC ? FX_CMPX : 0);
   if (isa_writes(gfx, inst, (struct isa_span){ISA_VCC, 2}))
      fx |= FX_VALU_VCC_EXEC;
   return fx;
}

static uint32_t salu_effects(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const struct isa_op_info *info)
{
   uint32_t fx = is_scalar_reg(inst->dst) ? FX_SALU_SGPR : 0;
   if (isa_writes(gfx, inst, (struct isa_span){ISA_M0, 1}))
      fx |= FX_SALU_M0;
   if (info->flags & ISA_READS_M0 && !(info->flags & ISA_WRITES_M0))
      fx |= info->enc == ISA_ENC_SOPP ? FX_M0_MESSAGE : FX_M0_READ;
   return fx;
}

static uint32_t vmem_effects(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const struct isa_op_info *info)
{
   uint32_t fx = FX_VECTOR | FX_VMEM_SGPR | (inst->lds || info->flags & ISA_READS_M0 ? FX_M0_READ : 0);
   if (!(info->flags & ISA_STORES))
      return fx;
   /* Buffer stores with an SGPR as SOFFSET are exempt. */
   bool soffset = (inst->enc == ISA_ENC_MUBUF || inst->enc == ISA_ENC_MTBUF) && is_scalar_reg(inst->src[2]);
   /* Image stores with a 256-bit descriptor do not need the wait. */
   bool wide_image = inst->enc == ISA_ENC_MIMG && !inst->r128;
   if (!soffset && !wide_image && isa_src_dwords(gfx, inst, store_data(inst)) > 2)
      fx |= FX_WIDE_STORE;
   return fx;
}

static uint32_t unit_effects(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const struct isa_op_info *info)
{
   switch (info->unit) {
   case ISA_UNIT_VALU:
      return valu_effects(gfx, inst, info);
   case ISA_UNIT_SALU:
   case ISA_UNIT_BRANCH:
      return salu_effects(gfx, inst, info);
   case ISA_UNIT_SMEM:
      return FX_SMEM_SGPR | (info->src_dw[0] == 4 ? FX_SMEM_BUFFER : 0);
   case ISA_UNIT_VMEM:
   case ISA_UNIT_FLAT:
      return vmem_effects(gfx, inst, info);
   case ISA_UNIT_LDS:
   case ISA_UNIT_GDS:
      if (inst->gds || info->unit == ISA_UNIT_GDS)
         return FX_VECTOR | FX_M0_MESSAGE;
      return FX_VECTOR | (info->flags & ISA_READS_M0 ? FX_M0_READ : 0);
   case ISA_UNIT_EXPORT:
   case ISA_UNIT_INTERNAL:
      return info->flags & ISA_READS_M0 ? FX_M0_MESSAGE : 0;
   }
   return 0;
}

static uint32_t effects(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   uint32_t fx = op_effects(inst) | unit_effects(gfx, inst, info);
   for (unsigned i = 0; i < info->num_src; i++) {
      if (inst->src[i] == ISA_VCCZ || inst->src[i] == ISA_EXECZ)
         fx |= FX_VCC_EXEC_Z;
   }
   return fx;
}

static bool related(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second,
                    enum relation relation)
{
   struct isa_span vcc = {ISA_VCC, 2};
   switch (relation) {
   case REL_ANY:
      return true;
   case REL_HWREG:
      return (first->imm & 63) == (second->imm & 63);
   case REL_SGPR:
      for (unsigned i = 0; i < 4; i++) {
         if (is_scalar_reg(second->src[i]) && isa_writes(gfx, first, isa_src_span(gfx, second, i)))
            return true;
      }
      return isa_op_infos[second->op].flags & ISA_READS_VCC && isa_writes(gfx, first, vcc);
   case REL_LANE:
      return is_scalar_reg(second->src[1]) && isa_writes(gfx, first, isa_src_span(gfx, second, 1));
   case REL_VCC:
      return isa_writes(gfx, first, vcc);
   case REL_VGPR:
      return isa_overlap(isa_dst_span(gfx, first), isa_src_span(gfx, second, 0));
   case REL_RESULT:
      return isa_reads(gfx, second, isa_dst_span(gfx, first));
   case REL_TOUCHED:
      return isa_reads(gfx, second, isa_dst_span(gfx, first)) || isa_writes(gfx, second, isa_dst_span(gfx, first));
   case REL_STORE_DATA: /* loads write their registers long after */
      return isa_op_infos[second->op].unit == ISA_UNIT_VALU && isa_is_vgpr(second->dst) &&
             isa_overlap(isa_dst_span(gfx, second), isa_src_span(gfx, first, store_data(first)));
   }
   return false;
}

void isa_hazard_table(enum tgsiamd_gfx gfx, struct isa_hazard_table *table)
{
   memset(table, 0, sizeof(*table));
   for (unsigned i = 0; i < NUM_RULES; i++) {
      if (!(rules[i].gfx >> gfx & 1))
         continue;
      table->of[__builtin_ctz(rules[i].first)].first |= 1u << i;
      table->of[__builtin_ctz(rules[i].second)].second |= 1u << i;
      table->used |= rules[i].first | rules[i].second;
   }
}

struct isa_hazard_roles isa_hazard_roles(enum tgsiamd_gfx gfx, const struct isa_hazard_table *table,
                                         const struct isa_inst *inst)
{
   uint32_t matrix = isa_even_vgprs(gfx) ? MATRIX_ROLE : 0;
   struct isa_hazard_roles roles = {matrix, matrix};
   for (uint32_t fx = effects(gfx, inst) & table->used; fx; fx &= fx - 1) {
      const struct isa_hazard_roles *of = &table->of[__builtin_ctz(fx)];
      roles.first |= of->first;
      roles.second |= of->second;
   }
   return roles;
}

unsigned isa_hazard_states_of(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second,
                              uint32_t common)
{
   unsigned states = common & MATRIX_ROLE ? isa_matrix_states(gfx, first, second) : 0;
   for (common &= ~MATRIX_ROLE; common; common &= common - 1) {
      const struct rule *r = &rules[__builtin_ctz(common)];
      if (r->states > states && related(gfx, first, second, r->relation))
         states = r->states;
   }
   return states;
}

unsigned isa_hazard_states(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second)
{
   struct isa_hazard_table table;
   isa_hazard_table(gfx, &table);
   uint32_t a = isa_hazard_roles(gfx, &table, first).first;
   return a ? isa_hazard_states_of(gfx, first, second, a & isa_hazard_roles(gfx, &table, second).second) : 0;
}

unsigned isa_hazard_window(enum tgsiamd_gfx gfx)
{
   unsigned states = isa_matrix_window(gfx);
   for (unsigned i = 0; i < NUM_RULES; i++) {
      if (rules[i].gfx >> gfx & 1 && rules[i].states > states)
         states = rules[i].states;
   }
   return states;
}

const char *isa_hazard_alone(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   bool shift64 = inst->op == ISA_V_LSHLREV_B64 || inst->op == ISA_V_LSHRREV_B64 || inst->op == ISA_V_ASHRREV_I64;
   if (gfx == TGSIAMD_GFX10 && info->flags & ISA_BRANCH && info->enc == ISA_ENC_SOPP && inst->imm == 0x3f)
      return "OffsetBug3F: the chip does not branch over 0x3f dwords";
   /* The last VGPR of a granule, for the next one may not be allocated. */
   if (gfx == TGSIAMD_GFX90A && shift64 && isa_is_vgpr(inst->src[0]) && (inst->src[0] & 7) == 7)
      return "Shift64HighRegBug: the count of a 64-bit shift stands in the last VGPR of eight";
   return NULL;
}
