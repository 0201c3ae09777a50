/* SPDX-License-Identifier: MIT */
/* What a draw or dispatch needs and nobody set. Registers keep the values of
 * whoever used the GPU before, so a submission must write all that it uses. */
#include "cp_internal.h"

#include "amdgfxregs.h"
#include "sid.h"

static const uint32_t draw_regs[] = {
   R_00B020_SPI_SHADER_PGM_LO_PS, R_00B024_SPI_SHADER_PGM_HI_PS, R_00B028_SPI_SHADER_PGM_RSRC1_PS,
   R_00B02C_SPI_SHADER_PGM_RSRC2_PS, R_00B120_SPI_SHADER_PGM_LO_VS, R_00B124_SPI_SHADER_PGM_HI_VS,
   R_00B128_SPI_SHADER_PGM_RSRC1_VS, R_00B12C_SPI_SHADER_PGM_RSRC2_VS, R_028004_DB_COUNT_CONTROL,
   R_028000_DB_RENDER_CONTROL, R_02800C_DB_RENDER_OVERRIDE, R_028010_DB_RENDER_OVERRIDE2,
   R_028030_PA_SC_SCREEN_SCISSOR_TL, R_028034_PA_SC_SCREEN_SCISSOR_BR, R_028038_DB_Z_INFO,
   R_02803C_DB_STENCIL_INFO, R_028200_PA_SC_WINDOW_OFFSET, R_028204_PA_SC_WINDOW_SCISSOR_TL,
   R_028208_PA_SC_WINDOW_SCISSOR_BR, R_02820C_PA_SC_CLIPRECT_RULE, R_028230_PA_SC_EDGERULE,
   R_028238_CB_TARGET_MASK, R_02823C_CB_SHADER_MASK, R_028240_PA_SC_GENERIC_SCISSOR_TL,
   R_028244_PA_SC_GENERIC_SCISSOR_BR, R_028250_PA_SC_VPORT_SCISSOR_0_TL, R_028254_PA_SC_VPORT_SCISSOR_0_BR,
   R_0286C4_SPI_VS_OUT_CONFIG, R_0286CC_SPI_PS_INPUT_ENA, R_0286D0_SPI_PS_INPUT_ADDR,
   R_0286D4_SPI_INTERP_CONTROL_0, R_0286D8_SPI_PS_IN_CONTROL, R_0286E0_SPI_BARYC_CNTL,
   R_02870C_SPI_SHADER_POS_FORMAT, R_028710_SPI_SHADER_Z_FORMAT, R_028714_SPI_SHADER_COL_FORMAT,
   R_028800_DB_DEPTH_CONTROL, R_028804_DB_EQAA, R_028808_CB_COLOR_CONTROL, R_02880C_DB_SHADER_CONTROL,
   R_028810_PA_CL_CLIP_CNTL, R_028814_PA_SU_SC_MODE_CNTL, R_028818_PA_CL_VTE_CNTL, R_02881C_PA_CL_VS_OUT_CNTL,
   R_028A40_VGT_GS_MODE, R_028A48_PA_SC_MODE_CNTL_0, R_028A4C_PA_SC_MODE_CNTL_1, R_028A84_VGT_PRIMITIVEID_EN,
   R_028AB4_VGT_REUSE_OFF, R_028B54_VGT_SHADER_STAGES_EN, R_028B94_VGT_STRMOUT_CONFIG,
   R_028BDC_PA_SC_LINE_CNTL, R_028BE0_PA_SC_AA_CONFIG, R_028BE4_PA_SU_VTX_CNTL, R_028BE8_PA_CL_GB_VERT_CLIP_ADJ,
   R_028BEC_PA_CL_GB_VERT_DISC_ADJ, R_028BF0_PA_CL_GB_HORZ_CLIP_ADJ, R_028BF4_PA_CL_GB_HORZ_DISC_ADJ,
   R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0, R_028C3C_PA_SC_AA_MASK_X0Y1_X1Y1, R_030908_VGT_PRIMITIVE_TYPE,
   R_030960_IA_MULTI_VGT_PARAM, R_030920_VGT_MAX_VTX_INDX, R_030924_VGT_MIN_VTX_INDX, R_030928_VGT_INDX_OFFSET,
};
static const uint32_t indexed_regs[] = { R_03090C_VGT_INDEX_TYPE };
static const uint32_t dispatch_regs[] = {
   R_00B81C_COMPUTE_NUM_THREAD_X, R_00B820_COMPUTE_NUM_THREAD_Y, R_00B824_COMPUTE_NUM_THREAD_Z,
   R_00B830_COMPUTE_PGM_LO, R_00B834_COMPUTE_PGM_HI, R_00B848_COMPUTE_PGM_RSRC1, R_00B84C_COMPUTE_PGM_RSRC2,
   R_00B854_COMPUTE_RESOURCE_LIMITS,
};
/* Not among what a context's shadow keeps: the driver sets it once then. */
static const uint32_t dispatch_unshadowed_regs[] = { R_00B858_COMPUTE_STATIC_THREAD_MGMT_SE0 };

bool cp_reg_written(const struct regs *r, uint32_t addr)
{
   if (addr >= REGS_UCONFIG_BASE)
      return r->uconfig_written[(addr - REGS_UCONFIG_BASE) / 4];
   if (addr >= REGS_CONTEXT_BASE)
      return r->context_written[(addr - REGS_CONTEXT_BASE) / 4];
   return r->sh_written[(addr - REGS_SH_BASE) / 4];
}

static void check(struct cp *cp, const char *what, const uint32_t *addr, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      if (!cp_reg_written(cp->config.regs, addr[i])) {
         const struct reg_info *info = regs_find(addr[i]);
         model_violation(cp->report, CHECK_STATE, "%s, but the submission never set %s (0x%05x)", what,
                         info ? info->name : "?", addr[i]);
      }
   }
}

#define CHECK_ALL(what, table) check(cp, what, table, sizeof(table) / sizeof(table[0]))

void cp_check_state(struct cp *cp, enum cp_work work)
{
   cp_check_uses(cp, work == CP_WORK_DISPATCH);
   /* Written bits only grow within a submission: once is enough. */
   if (cp->state_checked[work])
      return;
   cp->state_checked[work] = true;
   switch (work) {
   case CP_WORK_INDEXED:
      CHECK_ALL("indexed draw", indexed_regs);
      cp_check_state(cp, CP_WORK_DRAW);
      break;
   case CP_WORK_DRAW:
      CHECK_ALL("draw", draw_regs);
      if (!cp->instances_set)
         model_violation(cp->report, CHECK_STATE, "draw, but the submission never sent NUM_INSTANCES");
      break;
   case CP_WORK_DISPATCH:
      CHECK_ALL("dispatch", dispatch_regs);
      if (!(cp->shadow_enable & CC1_SHADOW_CS_SH_REGS(1)))
         CHECK_ALL("dispatch", dispatch_unshadowed_regs);
      break;
   case CP_WORK_COUNT:
      break;
   }
}
