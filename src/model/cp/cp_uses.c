/* SPDX-License-Identifier: MIT */
/* Registers that a draw or dispatch uses only in some states: with a feature on,
 * a target bound, a stage in use. cp_state.c has those that are always used. */
#include "cp_internal.h"

#include "amdgfxregs.h"

enum use {
   USE_BLEND_CONSTANT, USE_BOUNDS, USE_COMPUTE_SCRATCH, USE_DEPTH, USE_GS, USE_HTILE, USE_LINES, USE_OFFSET, USE_POINTS,
   USE_RESTART, USE_SAMPLES, USE_SCRATCH, USE_STENCIL, USE_STENCIL_BACK, USE_TESS, USE_VIEWPORT,
   /* one for each target, parameter, buffer, plane */
   USE_TARGET, USE_CMASK = USE_TARGET + 8, USE_DCC = USE_CMASK + 8,
   USE_STREAMOUT = USE_DCC + 8, USE_PLANE = USE_STREAMOUT + 4, USE_INPUT = USE_PLANE + 6,
   USE_COUNT = USE_INPUT + 32,
};

/* `step` bytes between the registers of target n and n + 1. */
static const struct row { uint8_t use, instances, num, step; uint32_t first; const char *what; } rows[] = {
   { USE_BLEND_CONSTANT, 1, 4, 0, R_028414_CB_BLEND_RED, "blend constant" },
   { USE_BOUNDS, 1, 2, 0, R_028020_DB_DEPTH_BOUNDS_MIN, "depth bounds test" },
   { USE_COMPUTE_SCRATCH, 1, 1, 0, R_00B860_COMPUTE_TMPRING_SIZE, "compute program with scratch" },
   { USE_DEPTH, 1, 2, 0, R_028040_DB_Z_READ_BASE, "depth buffer" },
   { USE_DEPTH, 1, 2, 0, R_028050_DB_Z_WRITE_BASE, "depth buffer" },
   { USE_DEPTH, 1, 1, 0, R_02801C_DB_DEPTH_SIZE, "depth buffer" },
   { USE_DEPTH, 1, 1, 0, R_028008_DB_DEPTH_VIEW, "depth buffer" },
   { USE_DEPTH, 1, 1, 0, R_028068_DB_Z_INFO2, "depth buffer" },
   { USE_GS, 1, 1, 0, R_028B38_VGT_GS_MAX_VERT_OUT, "geometry shader" },
   { USE_GS, 1, 1, 0, R_028A6C_VGT_GS_OUT_PRIM_TYPE, "geometry shader" },
   { USE_GS, 1, 2, 0, R_028AAC_VGT_ESGS_RING_ITEMSIZE, "geometry shader" },
   { USE_GS, 1, 3, 0, R_028A60_VGT_GSVS_RING_OFFSET_1, "geometry shader" },
   { USE_GS, 1, 4, 0, R_028B5C_VGT_GS_VERT_ITEMSIZE, "geometry shader" },
   { USE_GS, 1, 1, 0, R_028A44_VGT_GS_ONCHIP_CNTL, "geometry shader" },
   { USE_GS, 1, 1, 0, R_028B90_VGT_GS_INSTANCE_CNT, "geometry shader" },
   { USE_GS, 1, 2, 0, R_00B210_SPI_SHADER_PGM_LO_ES, "geometry shader" },
   { USE_GS, 1, 2, 0, R_00B228_SPI_SHADER_PGM_RSRC1_GS, "geometry shader" },
   { USE_HTILE, 1, 1, 0, R_028014_DB_HTILE_DATA_BASE, "HTILE" },
   { USE_HTILE, 1, 1, 0, R_028ABC_DB_HTILE_SURFACE, "HTILE" },
   { USE_HTILE, 1, 1, 0, R_02802C_DB_DEPTH_CLEAR, "HTILE" },
   { USE_LINES, 1, 1, 0, R_028A08_PA_SU_LINE_CNTL, "lines" },
   { USE_OFFSET, 1, 6, 0, R_028B78_PA_SU_POLY_OFFSET_DB_FMT_CNTL, "polygon offset" },
   { USE_POINTS, 1, 2, 0, R_028A00_PA_SU_POINT_SIZE, "points" },
   { USE_RESTART, 1, 1, 0, R_02840C_VGT_MULTI_PRIM_IB_RESET_INDX, "primitive restart" },
   { USE_SAMPLES, 1, 1, 0, R_028BF8_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0, "multisampling" },
   { USE_SAMPLES, 1, 2, 0, R_028BD4_PA_SC_CENTROID_PRIORITY_0, "multisampling" },
   { USE_SCRATCH, 1, 1, 0, R_0286E8_SPI_TMPRING_SIZE, "program with scratch" },
   { USE_STENCIL, 1, 2, 0, R_028048_DB_STENCIL_READ_BASE, "stencil buffer" },
   { USE_STENCIL, 1, 2, 0, R_028058_DB_STENCIL_WRITE_BASE, "stencil buffer" },
   { USE_STENCIL, 1, 1, 0, R_02806C_DB_STENCIL_INFO2, "stencil buffer" },
   { USE_STENCIL, 1, 1, 0, R_02842C_DB_STENCIL_CONTROL, "stencil test" },
   { USE_STENCIL, 1, 1, 0, R_028430_DB_STENCILREFMASK, "stencil test" },
   { USE_STENCIL_BACK, 1, 1, 0, R_028434_DB_STENCILREFMASK_BF, "stencil test of back faces" },
   { USE_TESS, 1, 1, 0, R_028B58_VGT_LS_HS_CONFIG, "tessellation" },
   { USE_TESS, 1, 1, 0, R_028B6C_VGT_TF_PARAM, "tessellation" },
   { USE_TESS, 1, 2, 0, R_028A18_VGT_HOS_MAX_TESS_LEVEL, "tessellation" },
   { USE_TESS, 1, 1, 0, R_030938_VGT_TF_RING_SIZE, "tessellation" },
   { USE_TESS, 1, 2, 0, R_030940_VGT_TF_MEMORY_BASE, "tessellation" },
   { USE_TESS, 1, 2, 0, R_00B410_SPI_SHADER_PGM_LO_LS, "tessellation" },
   { USE_TESS, 1, 2, 0, R_00B428_SPI_SHADER_PGM_RSRC1_HS, "tessellation" },
   { USE_VIEWPORT, 1, 6, 0, R_02843C_PA_CL_VPORT_XSCALE, "viewport transform" },
   { USE_TARGET, 8, 6, 0x3c, R_028C60_CB_COLOR0_BASE, "colour target" },
   { USE_TARGET, 8, 1, 4, R_0287A0_CB_MRT0_EPITCH, "colour target" },
   { USE_TARGET, 8, 1, 4, R_028780_CB_BLEND0_CONTROL, "colour target" },
   { USE_CMASK, 8, 2, 0x3c, R_028C7C_CB_COLOR0_CMASK, "CMASK" },
   { USE_CMASK, 8, 2, 0x3c, R_028C8C_CB_COLOR0_CLEAR_WORD0, "CMASK" },
   { USE_DCC, 8, 1, 0x3c, R_028C78_CB_COLOR0_DCC_CONTROL, "DCC" },
   { USE_DCC, 8, 2, 0x3c, R_028C94_CB_COLOR0_DCC_BASE, "DCC" },
   { USE_STREAMOUT, 4, 2, 16, R_028AD0_VGT_STRMOUT_BUFFER_SIZE_0, "streamout buffer" },
   { USE_PLANE, 6, 4, 16, R_0285BC_PA_CL_UCP_0_X, "user clip plane" },
   { USE_INPUT, 32, 1, 4, R_028644_SPI_PS_INPUT_CNTL_0, "pixel shader input" },
};
_Static_assert(USE_COUNT <= 128, "cp.uses_checked");

struct uses { uint64_t bits[2]; };

static void use_if(struct uses *u, bool used, unsigned use)
{
   if (used)
      u->bits[use / 64] |= 1ull << (use % 64);
}

static bool is_constant(unsigned factor)
{
   return factor == V_028780_BLEND_CONSTANT_COLOR_GFX6 || factor == V_028780_BLEND_ONE_MINUS_CONSTANT_COLOR_GFX6 ||
          factor == V_028780_BLEND_CONSTANT_ALPHA_GFX6 || factor == V_028780_BLEND_ONE_MINUS_CONSTANT_ALPHA_GFX6;
}

static void targets(const struct regs *r, struct uses *u)
{
   const uint32_t mask = reg_ctx(r, R_028238_CB_TARGET_MASK) & reg_ctx(r, R_02823C_CB_SHADER_MASK);
   if (G_028808_MODE(reg_ctx(r, R_028808_CB_COLOR_CONTROL)) != V_028808_CB_NORMAL)
      return;
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t info = reg_ctx(r, R_028C70_CB_COLOR0_INFO + 0x3c * i);
      const uint32_t blend = reg_ctx(r, R_028780_CB_BLEND0_CONTROL + 4 * i);
      if (!(mask >> (4 * i) & 15) || !G_028C70_FORMAT_GFX6(info))
         continue;
      use_if(u, true, USE_TARGET + i);
      use_if(u, G_028C70_FAST_CLEAR(info), USE_CMASK + i);
      use_if(u, G_028C70_DCC_ENABLE(info), USE_DCC + i);
      use_if(u, G_028780_ENABLE(blend) &&
                   (is_constant(G_028780_COLOR_SRCBLEND(blend)) || is_constant(G_028780_COLOR_DESTBLEND(blend))),
             USE_BLEND_CONSTANT);
   }
}

static void depth(const struct regs *r, struct uses *u)
{
   const uint32_t z = reg_ctx(r, R_028038_DB_Z_INFO), s = reg_ctx(r, R_02803C_DB_STENCIL_INFO);
   const uint32_t control = reg_ctx(r, R_028800_DB_DEPTH_CONTROL);
   const bool stencil = G_02803C_FORMAT(s) && G_028800_STENCIL_ENABLE(control);
   use_if(u, G_028038_FORMAT(z), USE_DEPTH);
   use_if(u, G_028038_FORMAT(z) && G_028038_TILE_SURFACE_ENABLE(z), USE_HTILE);
   use_if(u, G_028038_FORMAT(z) && G_028800_DEPTH_BOUNDS_ENABLE(control), USE_BOUNDS);
   use_if(u, stencil, USE_STENCIL);
   use_if(u, stencil && G_028800_BACKFACE_ENABLE(control), USE_STENCIL_BACK);
}

static void geometry(const struct regs *r, struct uses *u)
{
   const uint32_t stages = reg_ctx(r, R_028B54_VGT_SHADER_STAGES_EN);
   const uint32_t setup = reg_ctx(r, R_028814_PA_SU_SC_MODE_CNTL), clip = reg_ctx(r, R_028810_PA_CL_CLIP_CNTL);
   const unsigned type = reg_uc(r, R_030908_VGT_PRIMITIVE_TYPE) & 63;
   use_if(u, G_028B54_GS_EN(stages), USE_GS);
   use_if(u, G_028B54_HS_EN(stages), USE_TESS);
   use_if(u, G_028818_VPORT_X_SCALE_ENA(reg_ctx(r, R_028818_PA_CL_VTE_CNTL)), USE_VIEWPORT);
   use_if(u, G_028814_POLY_OFFSET_FRONT_ENABLE(setup) || G_028814_POLY_OFFSET_BACK_ENABLE(setup), USE_OFFSET);
   use_if(u, type == V_008958_DI_PT_POINTLIST, USE_POINTS);
   use_if(u, type == V_008958_DI_PT_LINELIST || type == V_008958_DI_PT_LINESTRIP, USE_LINES);
   use_if(u, G_028A94_RESET_EN(reg_uc(r, R_03092C_VGT_MULTI_PRIM_IB_RESET_EN)), USE_RESTART);
   use_if(u, G_028BE0_MSAA_NUM_SAMPLES(reg_ctx(r, R_028BE0_PA_SC_AA_CONFIG)), USE_SAMPLES);
   for (unsigned i = 0; i < 6; i++)
      use_if(u, clip >> i & 1, USE_PLANE + i);
   if (reg_ctx(r, R_028B94_VGT_STRMOUT_CONFIG) & 15) {
      for (unsigned i = 0; i < 16; i++)
         use_if(u, reg_ctx(r, R_028B98_VGT_STRMOUT_BUFFER_CONFIG) >> i & 1, USE_STREAMOUT + i % 4);
   }
   const unsigned inputs = G_0286D8_NUM_INTERP(reg_ctx(r, R_0286D8_SPI_PS_IN_CONTROL));
   for (unsigned i = 0; i < inputs && i < 32; i++)
      use_if(u, true, USE_INPUT + i);
   use_if(u, G_00B02C_SCRATCH_EN(reg_sh(r, R_00B02C_SPI_SHADER_PGM_RSRC2_PS)) ||
                G_00B12C_SCRATCH_EN(reg_sh(r, R_00B12C_SPI_SHADER_PGM_RSRC2_VS)), USE_SCRATCH);
}

static void check(struct cp *cp, const char *work, const struct row *row, unsigned n)
{
   for (unsigned i = 0; i < row->num; i++) {
      const uint32_t addr = row->first + row->step * n + 4 * i;
      if (cp_reg_written(cp->config.regs, addr))
         continue;
      const struct reg_info *info = regs_find(addr);
      model_violation(cp->report, CHECK_STATE, "%s with %s %u, but the submission never set %s (0x%05x)", work,
                      row->what, n, info ? info->name : "?", addr);
   }
}

void cp_check_uses(struct cp *cp, bool compute)
{
   const struct regs *r = cp->config.regs;
   const uint64_t serial = r->context_serial + r->sh_serial + r->uconfig_serial;
   struct uses u = { { 0, 0 } };
   if (!compute && cp->uses_serial == serial)
      return;
   if (compute) {
      use_if(&u, G_00B84C_SCRATCH_EN(reg_sh(r, R_00B84C_COMPUTE_PGM_RSRC2)), USE_COMPUTE_SCRATCH);
   } else {
      cp->uses_serial = serial;
      targets(r, &u);
      depth(r, &u);
      geometry(r, &u);
   }
   /* Written bits only grow within a submission: once is enough. */
   const uint64_t fresh[2] = { u.bits[0] & ~cp->uses_checked[0], u.bits[1] & ~cp->uses_checked[1] };
   if (!(fresh[0] | fresh[1]))
      return;
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      for (unsigned n = 0; n < rows[i].instances; n++) {
         const unsigned use = rows[i].use + n;
         if (fresh[use / 64] >> (use % 64) & 1)
            check(cp, compute ? "dispatch" : "draw", &rows[i], n);
      }
   }
   cp->uses_checked[0] |= fresh[0];
   cp->uses_checked[1] |= fresh[1];
}
