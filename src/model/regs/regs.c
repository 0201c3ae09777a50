/* SPDX-License-Identifier: MIT */
/* Register banks: SH 0xb000.., context 0x28000.., uconfig 0x30000..,
 * config 0x8000... Which registers exist comes from a table that the build
 * makes of Mesa's register database (gen_regs.py). */
#include "regs_write.h"
#include "obs/report.h"

#include <string.h>

#include "amdgfxregs.h"
#include "regs_gfx9.h"

#define MAX_ADDR 0x40000

static uint16_t index_of[MAX_ADDR / 4]; /* 1 + row, 0 none */

static void build_index(void)
{
   if (index_of[regs_gfx9[0].addr / 4])
      return;
   for (unsigned i = 0; i < sizeof(regs_gfx9) / sizeof(regs_gfx9[0]); i++) {
      if (regs_gfx9[i].addr < MAX_ADDR)
         index_of[regs_gfx9[i].addr / 4] = (uint16_t)(i + 1);
   }
}

const struct reg_info *regs_find(uint32_t addr)
{
   build_index();
   if (addr >= MAX_ADDR || (addr & 3) || !index_of[addr / 4])
      return NULL;
   return &regs_gfx9[index_of[addr / 4] - 1];
}

struct bank { uint32_t *value; uint8_t *written; uint64_t *serial; };

static bool find_bank(struct regs *r, uint32_t addr, struct bank *b)
{
   static uint64_t no_serial;
   if (addr >= REGS_SH_BASE && addr < REGS_SH_BASE + 4 * REGS_SH_COUNT) {
      const uint32_t i = (addr - REGS_SH_BASE) / 4;
      *b = (struct bank){ &r->sh[i], &r->sh_written[i], &r->sh_serial };
   } else if (addr >= REGS_CONTEXT_BASE && addr < REGS_CONTEXT_BASE + 4 * REGS_CONTEXT_COUNT) {
      const uint32_t i = (addr - REGS_CONTEXT_BASE) / 4;
      *b = (struct bank){ &r->context[i], &r->context_written[i], &r->context_serial };
   } else if (addr >= REGS_UCONFIG_BASE && addr < REGS_UCONFIG_BASE + 4 * REGS_UCONFIG_COUNT) {
      const uint32_t i = (addr - REGS_UCONFIG_BASE) / 4;
      *b = (struct bank){ &r->uconfig[i], &r->uconfig_written[i], &r->uconfig_serial };
   } else if (addr >= REGS_CONFIG_BASE && addr < REGS_CONFIG_BASE + 4 * REGS_CONFIG_COUNT) {
      const uint32_t i = (addr - REGS_CONFIG_BASE) / 4;
      *b = (struct bank){ &r->config[i], &r->config_written[i], &no_serial };
   } else {
      return false;
   }
   return true;
}

static void set(struct regs *r, uint32_t addr, uint32_t value)
{
   struct bank b;
   if (!find_bank(r, addr, &b))
      return;
   if (*b.value != value) {
      *b.value = value;
      ++*b.serial;
   }
   *b.written = 1;
}

void regs_write(struct regs *r, struct model_report *report, uint32_t addr, uint32_t value)
{
   const struct reg_info *info = regs_find(addr);
   if (!info)
      model_violation(report, CHECK_REGISTER, "write of 0x%x to 0x%05x, which is no register", value, addr);
   else if (value & ~info->mask)
      model_violation(report, CHECK_REGISTER, "write of 0x%08x to %s (0x%05x): reserved bits 0x%08x", value,
                      info->name, addr, value & ~info->mask);
   set(r, addr, value);
   /* The common user data go to all hardware stages of GFX9. */
   if (addr >= R_00B530_SPI_SHADER_USER_DATA_COMMON_0 && addr < R_00B530_SPI_SHADER_USER_DATA_COMMON_0 + 32 * 4) {
      const uint32_t i = addr - R_00B530_SPI_SHADER_USER_DATA_COMMON_0;
      set(r, R_00B030_SPI_SHADER_USER_DATA_PS_0 + i, value);
      set(r, R_00B130_SPI_SHADER_USER_DATA_VS_0 + i, value);
      set(r, R_00B330_SPI_SHADER_USER_DATA_ES_0 + i, value);
      set(r, R_00B430_SPI_SHADER_USER_DATA_LS_0 + i, value);
   }
}

bool regs_read(const struct regs *r, uint32_t addr, uint32_t *value)
{
   struct bank b;
   if (!regs_find(addr) || !find_bank((struct regs *)r, addr, &b))
      return false;
   *value = *b.value;
   return true;
}

/* What CLEAR_STATE loads on GFX9 where it is not zero. */
static const struct { uint32_t addr, value; } golden[] = {
   { R_028034_PA_SC_SCREEN_SCISSOR_BR, 0x40004000 },
   { R_028204_PA_SC_WINDOW_SCISSOR_TL, 0x80000000 },
   { R_028208_PA_SC_WINDOW_SCISSOR_BR, 0x40004000 },
   { R_02820C_PA_SC_CLIPRECT_RULE, 0xffff },
   { R_028214_PA_SC_CLIPRECT_0_BR, 0x40004000 },
   { R_028214_PA_SC_CLIPRECT_0_BR + 8, 0x40004000 },
   { R_028214_PA_SC_CLIPRECT_0_BR + 16, 0x40004000 },
   { R_028214_PA_SC_CLIPRECT_0_BR + 24, 0x40004000 },
   { R_028230_PA_SC_EDGERULE, 0xaa99aaaa },
   { R_028238_CB_TARGET_MASK, 0xffffffff },
   { R_02823C_CB_SHADER_MASK, 0xffffffff },
   { R_028240_PA_SC_GENERIC_SCISSOR_TL, 0x80000000 },
   { R_028244_PA_SC_GENERIC_SCISSOR_BR, 0x40004000 },
   { R_028430_DB_STENCILREFMASK, 0x01000000 },
   { R_028434_DB_STENCILREFMASK_BF, 0x01000000 },
   { R_0286D8_SPI_PS_IN_CONTROL, 0x2 },
   { R_028810_PA_CL_CLIP_CNTL, 0x90000 },
   { R_028814_PA_SU_SC_MODE_CNTL, 0x4 },
   { R_028A54_VGT_GS_PER_ES, 0x100 },
   { R_028A58_VGT_ES_PER_GS, 0x80 },
   { R_028A5C_VGT_GS_PER_VS, 0x2 },
   { R_028BDC_PA_SC_LINE_CNTL, 0x1000 },
   { R_028BE4_PA_SU_VTX_CNTL, 0x5 },
   { R_028BE8_PA_CL_GB_VERT_CLIP_ADJ, 0x3f800000 },
   { R_028BEC_PA_CL_GB_VERT_DISC_ADJ, 0x3f800000 },
   { R_028BF0_PA_CL_GB_HORZ_CLIP_ADJ, 0x3f800000 },
   { R_028BF4_PA_CL_GB_HORZ_DISC_ADJ, 0x3f800000 },
   { R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0, 0xffffffff },
   { R_028C3C_PA_SC_AA_MASK_X0Y1_X1Y1, 0xffffffff },
   { R_028C44_PA_SC_BINNER_CNTL_0, 0x3 },
   { R_028C4C_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL, 0x100000 },
   { R_028C58_VGT_VERTEX_REUSE_BLOCK_CNTL, 0x1e },
   { R_028C5C_VGT_OUT_DEALLOC_CNTL, 0x20 },
};

void regs_clear_state(struct regs *r)
{
   memset(r->context, 0, sizeof(r->context));
   memset(r->context_written, 1, sizeof(r->context_written));
   for (unsigned i = 0; i < sizeof(golden) / sizeof(golden[0]); i++)
      r->context[(golden[i].addr - REGS_CONTEXT_BASE) / 4] = golden[i].value;
   for (unsigned v = 0; v < 16; v++) {
      r->context[(R_028250_PA_SC_VPORT_SCISSOR_0_TL - REGS_CONTEXT_BASE) / 4 + 2 * v] = 0x80000000;
      r->context[(R_028254_PA_SC_VPORT_SCISSOR_0_BR - REGS_CONTEXT_BASE) / 4 + 2 * v] = 0x40004000;
      r->context[(R_0282D4_PA_SC_VPORT_ZMAX_0 - REGS_CONTEXT_BASE) / 4 + 2 * v] = 0x3f800000;
   }
   r->context_serial++;
}

static uint32_t kernel_gb_addr_config;

static void kernel_registers(struct regs *r)
{
   r->config[(R_0098F8_GB_ADDR_CONFIG - REGS_CONFIG_BASE) / 4] = kernel_gb_addr_config;
   r->config_written[(R_0098F8_GB_ADDR_CONFIG - REGS_CONFIG_BASE) / 4] = 1;
   /* One SE, one SH: writes go everywhere. */
   set(r, R_030800_GRBM_GFX_INDEX, 0xe0000000);
}

void regs_init(struct regs *r, uint32_t gb_addr_config)
{
   memset(r, 0, sizeof(*r));
   kernel_gb_addr_config = gb_addr_config;
   build_index();
   regs_clear_state(r);
   kernel_registers(r);
}

void regs_begin_submission(struct regs *r)
{
   memset(r->sh_written, 0, sizeof(r->sh_written));
   memset(r->context_written, 0, sizeof(r->context_written));
   memset(r->uconfig_written, 0, sizeof(r->uconfig_written));
   memset(r->config_written, 0, sizeof(r->config_written));
   kernel_registers(r);
}
