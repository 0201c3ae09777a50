/* SPDX-License-Identifier: MIT */
/* Instruction selection at the shader's ends: the registers a wave starts with
 * (abi.h, SPI_PS_INPUT_ADDR, VGPR_COMP_CNT), interpolation and exports. */
#include "isel.h"

mir_reg
isel_input_sgpr(struct isel *s, unsigned n, unsigned count)
{
   return mir_input(s->p, n, MIR_SGPR, count);
}

mir_reg
isel_input_vgpr(struct isel *s, unsigned n)
{
   return mir_input(s->p, n, MIR_VGPR, 1);
}

/* SPI_PS_INPUT_ADDR: bit and component of a system value. */
struct ps_input { uint8_t sv, bit, comp; };
static const struct ps_input ps_inputs[] = {
   { IR_SV_PERSP_SAMPLE_I, 0, 0 }, { IR_SV_PERSP_SAMPLE_J, 0, 1 },
   { IR_SV_PERSP_CENTER_I, 1, 0 }, { IR_SV_PERSP_CENTER_J, 1, 1 },
   { IR_SV_PERSP_CENTROID_I, 2, 0 }, { IR_SV_PERSP_CENTROID_J, 2, 1 },
   { IR_SV_PERSP_PULL_I, 3, 0 }, { IR_SV_PERSP_PULL_J, 3, 1 }, { IR_SV_PERSP_PULL_W, 3, 2 },
   { IR_SV_LINEAR_SAMPLE_I, 4, 0 }, { IR_SV_LINEAR_SAMPLE_J, 4, 1 },
   { IR_SV_LINEAR_CENTER_I, 5, 0 }, { IR_SV_LINEAR_CENTER_J, 5, 1 },
   { IR_SV_LINEAR_CENTROID_I, 6, 0 }, { IR_SV_LINEAR_CENTROID_J, 6, 1 },
   { IR_SV_LINE_STIPPLE, 7, 0 },
   { IR_SV_POS_X, 8, 0 }, { IR_SV_POS_Y, 9, 0 }, { IR_SV_POS_Z, 10, 0 }, { IR_SV_POS_W, 11, 0 },
   { IR_SV_FRONT_FACE, 12, 0 }, { IR_SV_ANCILLARY, 13, 0 },
   { IR_SV_SAMPLE_COVERAGE, 14, 0 }, { IR_SV_POS_FIXED_PT, 15, 0 },
};
static const uint8_t ps_input_vgprs[16] = { 2, 2, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
#define MERGED_ES_VGPR 5 /* merged ES-GS: what a vertex shader gets stands behind */
#define PS_PERSP_BITS  0x0f
#define PS_LINEAR_BITS 0x70
#define PS_POS_W       (1u << 11)

static const struct ps_input *
find_ps_input(unsigned sv)
{
   for (unsigned i = 0; i < sizeof(ps_inputs) / sizeof(ps_inputs[0]); i++) {
      if (ps_inputs[i].sv == sv)
         return &ps_inputs[i];
   }
   return NULL;
}

void
isel_inputs(struct isel *s)
{
   struct tgsiamd_shader_info *info = &s->sh->info;
   uint32_t ena = 0;
   ir_foreach_block(s->sh, b) {
      ir_foreach_inst(b, inst) {
         const struct ps_input *in = inst->op == IR_SYSVAL ? find_ps_input(inst->imm) : NULL;
         if (in)
            ena |= 1u << in->bit;
         if (inst->op != IR_SYSVAL)
            continue;
         info->uses_base_vertex |= inst->imm == IR_SV_BASE_VERTEX;
         info->uses_start_instance |= inst->imm == IR_SV_START_INSTANCE;
         info->uses_draw_id |= inst->imm == IR_SV_DRAW_ID;
         if (inst->imm == IR_SV_INSTANCE_ID && info->vgpr_comp_cnt < 1)
            info->vgpr_comp_cnt = 1;
         if (inst->imm == IR_SV_PRIM_ID && s->sh->stage == TGSIAMD_VS)
            info->vgpr_comp_cnt = 2;
      }
   }
   if (s->sh->stage != TGSIAMD_PS)
      return;
   /* The SPI hangs without any barycentrics, and 1/w comes from perspective ones. */
   if (!(ena & (PS_PERSP_BITS | PS_LINEAR_BITS)) || ((ena & PS_POS_W) && !(ena & PS_PERSP_BITS)))
      ena |= 1u << 1;
   unsigned vgpr = 0;
   for (unsigned i = 0; i < 16; i++) {
      s->ps_vgpr[i] = vgpr;
      if (ena >> i & 1)
         vgpr += ps_input_vgprs[i];
   }
   info->spi_ps_input_ena = info->spi_ps_input_addr = ena;
   s->p->num_vgprs = vgpr; /* written by the SPI, used or not */
}

static mir_reg
live_lane(struct isel *s, struct ir_inst *inst)
{
   mir_reg def = isel_new_def(s, inst);
   if (!s->track_exact) {
      isel_copy(s, def, isel_imm(1));
      return def;
   }
   struct opnd src[3] = { isel_imm(0), isel_imm(1), isel_reg(s->exact) };
   isel_valu(s, ISA_V_CNDMASK_B32, def, src, 3);
   return def;
}

/* Lanes below this one: those that a full mask has in front of it. */
static void
lane_id(struct isel *s, struct ir_inst *inst)
{
   mir_reg low = mir_new_reg(s->p, MIR_VGPR, 1), def = isel_new_def(s, inst);
   struct opnd first[2] = { isel_imm(0xffffffff), isel_imm(0) };
   isel_valu(s, ISA_V_MBCNT_LO_U32_B32, low, first, 2);
   struct opnd second[2] = { isel_imm(0xffffffff), isel_reg(low) };
   isel_valu(s, ISA_V_MBCNT_HI_U32_B32, def, second, 2);
}

static void
system_value(struct isel *s, struct ir_inst *inst)
{
   const struct ps_input *in = find_ps_input(inst->imm);
   mir_reg r = ISA_NONE;
   if (in && s->sh->stage == TGSIAMD_PS) {
      r = isel_input_vgpr(s, s->ps_vgpr[in->bit] + in->comp);
   } else {
      switch (inst->imm) {
      case IR_SV_VERTEX_ID: r = isel_input_vgpr(s, s->sh->stage == TGSIAMD_GS ? MERGED_ES_VGPR : 0); break;
      case IR_SV_INSTANCE_ID: r = isel_input_vgpr(s, s->sh->stage == TGSIAMD_GS ? MERGED_ES_VGPR + 1 : 1); break;
      case IR_SV_BASE_VERTEX: r = isel_input_sgpr(s, mir_user_sgpr(s->sh, TGSIAMD_SGPR_VS_BASE_VERTEX), 1); break;
      case IR_SV_START_INSTANCE: r = isel_input_sgpr(s, mir_user_sgpr(s->sh, TGSIAMD_SGPR_VS_START_INSTANCE), 1); break;
      case IR_SV_DRAW_ID: r = isel_input_sgpr(s, mir_user_sgpr(s->sh, TGSIAMD_SGPR_VS_DRAW_ID), 1); break;
      case IR_SV_GSVS_OFFSET: r = isel_input_sgpr(s, 2, 1); break;
      case IR_SV_WAVE_INFO: r = isel_input_sgpr(s, 3, 1); break;
      case IR_SV_GS_VTX01: case IR_SV_GS_VTX23: r = isel_input_vgpr(s, inst->imm - IR_SV_GS_VTX01); break;
      case IR_SV_GS_VTX45: r = isel_input_vgpr(s, 4); break;
      case IR_SV_PRIM_ID: r = isel_input_vgpr(s, 2); break;
      case IR_SV_GS_INVOCATION_ID: r = isel_input_vgpr(s, 3); break;
      case IR_SV_PRIM_MASK: r = isel_input_sgpr(s, TGSIAMD_NUM_SGPR_PS, 1); break;
      case IR_SV_LIVE_LANE: live_lane(s, inst); return;
      case IR_SV_LANE_ID: lane_id(s, inst); return;
      case IR_SV_SO_CONFIG: case IR_SV_SO_WRITE_INDEX:
         r = isel_input_sgpr(s, TGSIAMD_NUM_SGPR_VS + inst->imm - IR_SV_SO_CONFIG, 1);
         break;
      case IR_SV_SO_OFFSET_0: case IR_SV_SO_OFFSET_1: case IR_SV_SO_OFFSET_2: case IR_SV_SO_OFFSET_3:
         r = isel_input_sgpr(s, TGSIAMD_NUM_SGPR_VS + 2 +
                                __builtin_popcount(s->sh->info.so_buffers & ((1u << (inst->imm - IR_SV_SO_OFFSET_0)) - 1)), 1);
         break;
      case IR_SV_THREAD_ID_X: case IR_SV_THREAD_ID_Y: case IR_SV_THREAD_ID_Z:
         r = isel_input_vgpr(s, inst->imm - IR_SV_THREAD_ID_X);
         break;
      case IR_SV_BLOCK_ID_X: case IR_SV_BLOCK_ID_Y: case IR_SV_BLOCK_ID_Z:
         r = isel_input_sgpr(s, TGSIAMD_NUM_SGPR_CS + inst->imm - IR_SV_BLOCK_ID_X, 1);
         break;
      case IR_SV_GRID_SIZE_X: case IR_SV_GRID_SIZE_Y: case IR_SV_GRID_SIZE_Z:
         r = isel_input_sgpr(s, TGSIAMD_SGPR_CS_GRID_SIZE + inst->imm - IR_SV_GRID_SIZE_X, 1);
         break;
      case IR_SV_BLOCK_SIZE_X: case IR_SV_BLOCK_SIZE_Y: case IR_SV_BLOCK_SIZE_Z:
         r = isel_input_sgpr(s, TGSIAMD_SGPR_CS_BLOCK_SIZE + inst->imm - IR_SV_BLOCK_SIZE_X, 1);
         break;
      default:
         ir_error(s->sh, "system value %s is not possible in this stage", ir_sysval_names[inst->imm]);
         return;
      }
   }
   isel_def(s, inst, r);
}

static void
interpolate(struct isel *s, struct ir_inst *inst)
{
   mir_reg i = isel_to_vgpr(s, isel_opnd(s, inst->src[0], false));
   mir_reg j = isel_to_vgpr(s, isel_opnd(s, inst->src[1], false));
   mir_reg def = isel_new_def(s, inst);
   for (unsigned k = 0; k < 2; k++) {
      struct mir_inst *m = isel_emit(s, k ? ISA_V_INTERP_P2_F32 : ISA_V_INTERP_P1_F32, def, 1);
      m->src[0] = k ? j : i;
      m->src_n[0] = 1;
      m->i.attr = inst->io.slot;
      m->i.chan = inst->io.chan;
   }
}

static void
export_vertex_data(struct isel *s, struct ir_inst *inst)
{
   const struct ir_exp *e = &inst->exp;
   mir_reg src[4] = { ISA_NONE, ISA_NONE, ISA_NONE, ISA_NONE };
   for (unsigned i = 0; i < 4; i++) {
      bool wanted = e->compr ? i < 2 && (e->en >> 2 * i & 3) : e->en >> i & 1;
      for (unsigned k = 0; wanted && k < i; k++) {
         if (inst->src[k] == inst->src[i])
            src[i] = src[k];
      }
      if (wanted && src[i] == ISA_NONE)
         src[i] = isel_shared_vgpr(s, inst->src[i]);
   }
   if (s->track_exact && !s->exact_at_end) {
      struct mir_inst *m = isel_salu(s, ISA_S_MOV_B64, ISA_EXEC, 2, isel_reg(s->exact), isel_reg(ISA_NONE));
      m->side_effect = true;
      s->exact_at_end = true;
   }
   struct mir_inst *m = isel_emit(s, ISA_EXP, ISA_NONE, 0);
   for (unsigned i = 0; i < 4; i++) {
      m->src[i] = src[i];
      m->src_n[i] = src[i] == ISA_NONE ? 0 : 1;
   }
   m->i.exp_target = e->target;
   m->i.exp_en = e->en;
   m->i.exp_compr = e->compr;
   m->i.exp_done = e->done;
   m->i.exp_vm = e->vm;
   m->side_effect = true;
}

bool
isel_io(struct isel *s, struct ir_inst *inst)
{
   switch (inst->op) {
   case IR_SYSVAL:
      system_value(s, inst);
      return true;
   case IR_INTERP:
      interpolate(s, inst);
      return true;
   case IR_INTERP_MOV: {
      struct mir_inst *m = isel_emit(s, ISA_V_INTERP_MOV_F32, isel_new_def(s, inst), 1);
      m->src[0] = 2; /* P0, no register: see isa.h */
      m->i.attr = inst->io.slot;
      m->i.chan = inst->io.chan;
      return true;
   }
   case IR_EXPORT:
      export_vertex_data(s, inst);
      return true;
   case IR_KILL_IF:
      isel_kill(s, inst->src[0]);
      return true;
   default:
      return false;
   }
}
