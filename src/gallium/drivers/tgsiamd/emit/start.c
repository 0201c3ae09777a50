/* SPDX-License-Identifier: MIT */
/* Start of a stream: the clear state, and what it does not set the way we want.
 * Nothing is assumed of what another process left in the registers. */
#include "context.h"
#include "emit.h"

#include "util/macros.h"
#include "util/u_math.h"
#include "amdgfxregs.h"

/* Registers whose value never changes in this driver. */
static const struct {
   uint32_t reg, value;
} constant_regs[] = {
   {R_028030_PA_SC_SCREEN_SCISSOR_TL, 0},
   {R_028034_PA_SC_SCREEN_SCISSOR_BR, S_028034_BR_X(16384) | S_028034_BR_Y(16384)},
   {R_028204_PA_SC_WINDOW_SCISSOR_TL, S_028204_WINDOW_OFFSET_DISABLE(1)},
   {R_02820C_PA_SC_CLIPRECT_RULE, 0xffff},
   {R_028240_PA_SC_GENERIC_SCISSOR_TL, S_028240_WINDOW_OFFSET_DISABLE(1)},
   {R_028244_PA_SC_GENERIC_SCISSOR_BR, S_028244_BR_X(16384) | S_028244_BR_Y(16384)},
   {R_028A18_VGT_HOS_MAX_TESS_LEVEL, 0x42800000 /* 64.0 */},
   {R_028AA0_VGT_INSTANCE_STEP_RATE_0, 1},
   {R_028B50_VGT_TESS_DISTRIBUTION, S_028B50_ACCUM_ISOLINE(12) | S_028B50_ACCUM_TRI(30) |
                                       S_028B50_ACCUM_QUAD(24) | S_028B50_DONUT_SPLIT_GFX9(24) |
                                       S_028B50_TRAP_SPLIT(6)},
   {R_028B54_VGT_SHADER_STAGES_EN, S_028B54_MAX_PRIMGRP_IN_WAVE(2)},
   {R_028A40_VGT_GS_MODE, 0},
   {R_028A84_VGT_PRIMITIVEID_EN, 0},
   {R_028B94_VGT_STRMOUT_CONFIG, 0},
   {R_028B98_VGT_STRMOUT_BUFFER_CONFIG, 0},
   {R_028060_DB_DFSM_CONTROL, S_028060_PUNCHOUT_MODE(V_028060_FORCE_OFF) |
                                 S_028060_POPS_DRAIN_PS_ON_OVERLAP(1)},
   {R_028C44_PA_SC_BINNER_CNTL_0, S_028C44_BINNING_MODE(V_028C44_DISABLE_BINNING_USE_LEGACY_SC) |
                                     S_028C44_DISABLE_START_OF_PRIM(1)},
   {R_028C4C_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL, S_028C4C_NULL_SQUAD_AA_MASK_ENABLE(1)},
   {R_028830_PA_SU_SMALL_PRIM_FILTER_CNTL, 0},
   {R_02882C_PA_SU_PRIM_FILTER_CNTL, S_02882C_XMAX_RIGHT_EXCLUSION(1) | S_02882C_YMAX_BOTTOM_EXCLUSION(1)},
   {R_028424_CB_DCC_CONTROL, S_028424_OVERWRITE_COMBINER_MRT_SHARING_DISABLE(1) |
                                S_028424_OVERWRITE_COMBINER_WATERMARK(4)},
   {R_02800C_DB_RENDER_OVERRIDE, 0},
   {R_028010_DB_RENDER_OVERRIDE2, 0},
   {R_028754_SX_PS_DOWNCONVERT, 0},
   {R_028758_SX_BLEND_OPT_EPSILON, 0},
   {R_02875C_SX_BLEND_OPT_CONTROL, 0},
   {R_00B01C_SPI_SHADER_PGM_RSRC3_PS, S_00B01C_CU_EN(0xffff) | S_00B01C_WAVE_LIMIT(0x3f)},
   {R_00B118_SPI_SHADER_PGM_RSRC3_VS, S_00B118_CU_EN(0xffff) | S_00B118_WAVE_LIMIT(0x3f)},
   {R_00B11C_SPI_SHADER_LATE_ALLOC_VS, S_00B11C_LIMIT(0)},
   {R_030A00_PA_SU_LINE_STIPPLE_VALUE, 0},
   {R_030A04_PA_SC_LINE_STIPPLE_STATE, 0},
   {R_030920_VGT_MAX_VTX_INDX, 0xffffffff},
   {R_030924_VGT_MIN_VTX_INDX, 0},
   {R_030928_VGT_INDX_OFFSET, 0},
   {R_030968_VGT_INSTANCE_BASE_ID, 0},
   {R_0301EC_CP_COHER_START_DELAY, 0},
};

void
tgsiamd_emit_start(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   uint64_t border = ctx->screen->border_bo->va;

   shadow_forget_all(&cs->shadow);
   cs_begin(cs, 200);
   pkt_context_control(cs);
   pkt_clear_state(cs);
   for (unsigned i = 0; i < ARRAY_SIZE(constant_regs); i++)
      cs_set_reg(cs, constant_regs[i].reg, constant_regs[i].value);
   cs_set_reg(cs, R_028080_TA_BC_BASE_ADDR, border >> 8);
   cs_set_reg(cs, R_028084_TA_BC_BASE_ADDR_HI, S_028084_ADDRESS(border >> 40));
   cs_set_reg(cs, R_028C48_PA_SC_BINNER_CNTL_1,
              S_028C48_MAX_ALLOC_COUNT(MAX2(ctx->screen->info->pbb_max_alloc_count, 1) - 1) |
                 S_028C48_MAX_PRIM_PER_BATCH(1023));
   cs_end(cs);
   tgsiamd_stream_use(ctx->stream, ctx->screen->border_bo, TGSIAMD_READ);
   tgsiamd_stream_use(ctx->stream, ctx->fence_bo, TGSIAMD_WRITE);
}
