/* SPDX-License-Identifier: MIT */
/* Draws with random registers through the whole pipeline: whatever a stream
 * sets, the model reports and goes on. Its worth is under sanitizers:
 *    meson configure -Db_sanitize=address,undefined
 * Usage: test_model_random_draws [SEED [DRAWS]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../args.h"
#include "amdgfxregs.h"
#include "geom.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "pipeline.h"
#include "regs/regs.h"
#include "surf/surf.h"
#include "tgsiamd/hw.h"
#include "tgsiamd/model.h"

#define VA       0x100000000ull
#define SIZE     (64u << 20)
#define VS       0x1000u
#define PS       0x2000u
#define END      0x3000u    /* a program that ends at once */
#define INDICES  0x10000u
#define FACTORS  0x20000u
#define DEPTH    0x100000u
#define STENCIL  0x1000000u
#define HTILE    0x2000000u

static struct regs regs;
static uint32_t state;

static uint32_t rnd(void)
{
   state ^= state << 13;
   state ^= state >> 17;
   state ^= state << 5;
   return state;
}

static void ctx(uint32_t reg, uint32_t v) { regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v; }
static void ctx_f(uint32_t reg, float f) { ctx(reg, geom_fui(f)); }
static void sh(uint32_t reg, uint32_t v) { regs.sh[(reg - REGS_SH_BASE) / 4] = v; }
static void uc(uint32_t reg, uint32_t v) { regs.uconfig[(reg - REGS_UCONFIG_BASE) / 4] = v; }

static void write_memory(uint8_t *memory)
{
   /* v_cvt_f32_u32 v1, v0; v2 = v3 = 1.0; exp pos0 v1 v1 v1 v2; exp param0 v1 v1 v1 v2 */
   static const uint32_t vs[] = { 0x7e020d00, 0x7e0402f2, 0x7e0602f2, 0xc40008cf, 0x02010101, 0xc400020f, 0x02010101, 0xbf810000 };
   /* v0 = 1.0; exp mrt0 v0 v0 v0 v0 done vm */
   static const uint32_t ps[] = { 0x7e0002f2, 0xc400180f, 0x00000000, 0xbf810000 };
   static const uint32_t end = 0xbf810000;

   memcpy(memory + VS, vs, sizeof(vs));
   memcpy(memory + PS, ps, sizeof(ps));
   memcpy(memory + END, &end, 4);
   for (unsigned i = 0; i < 4096; i++) {
      uint32_t v = rnd() % 64;
      memcpy(memory + INDICES + i * 4, &v, 4);
   }
   for (unsigned i = 0; i < 4096; i++) {
      uint32_t v = rnd() % 3 ? geom_fui(rnd() % 70 + 0.3f) : rnd();
      memcpy(memory + FACTORS + i * 4, &v, 4);
   }
}

/* What lets most draws get as far as pixels. */
static void sensible(void)
{
   static const uint32_t stages[] = { 0, 0, 0, 0, 0x100b0, 0x10145, 0x1016d };

   ctx(R_028034_PA_SC_SCREEN_SCISSOR_BR, 0x40004000);
   ctx(R_028244_PA_SC_GENERIC_SCISSOR_BR, 0x40004000);
   ctx(R_02820C_PA_SC_CLIPRECT_RULE, 0xffff);
   ctx(R_028818_PA_CL_VTE_CNTL, 0x43f);
   ctx(R_028BE4_PA_SU_VTX_CNTL, 0x2d);
   ctx_f(R_02843C_PA_CL_VPORT_XSCALE, 5);
   ctx_f(R_028444_PA_CL_VPORT_YSCALE, 5);
   ctx_f(R_028BF0_PA_CL_GB_HORZ_CLIP_ADJ, 1000);
   ctx_f(R_028BE8_PA_CL_GB_VERT_CLIP_ADJ, 1000);
   ctx_f(R_028BF4_PA_CL_GB_HORZ_DISC_ADJ, 100);
   ctx_f(R_028BEC_PA_CL_GB_VERT_DISC_ADJ, 100);
   ctx(R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0, ~0u);
   ctx(R_028C3C_PA_SC_AA_MASK_X0Y1_X1Y1, ~0u);
   ctx(R_0286CC_SPI_PS_INPUT_ENA, rnd() & 0xffff);
   ctx(R_0286D0_SPI_PS_INPUT_ADDR, 0xffff);
   ctx(R_028B54_VGT_SHADER_STAGES_EN, stages[rnd() % 7]);
   ctx(R_028B58_VGT_LS_HS_CONFIG, rnd() % 2 ? 4 | 3 << 8 | 3 << 14 : rnd());
   ctx_f(R_028A18_VGT_HOS_MAX_TESS_LEVEL, 64);
   ctx(R_028A00_PA_SU_POINT_SIZE, rnd() & 0x00ff00ff);
   ctx(R_028A04_PA_SU_POINT_MINMAX, 0x00ff0000);
   ctx(R_028A08_PA_SU_LINE_CNTL, rnd() & 0xff);
   ctx(R_028050_DB_Z_WRITE_BASE, (VA + DEPTH) >> 8);
   ctx(R_028054_DB_Z_WRITE_BASE_HI, 0);
   ctx(R_028058_DB_STENCIL_WRITE_BASE, (VA + STENCIL) >> 8);
   ctx(R_02805C_DB_STENCIL_WRITE_BASE_HI, 0);
   if (rnd() % 2) {
      ctx(R_028038_DB_Z_INFO, S_028038_FORMAT(rnd()) | S_028038_NUM_SAMPLES(rnd()) | S_028038_SW_MODE(24) |
                              S_028038_TILE_SURFACE_ENABLE(rnd()));
      ctx(R_02803C_DB_STENCIL_INFO, S_02803C_FORMAT(1) | S_02803C_SW_MODE(24));
      ctx(R_02801C_DB_DEPTH_SIZE, S_02801C_X_MAX(255) | S_02801C_Y_MAX(255));
      ctx(R_028800_DB_DEPTH_CONTROL, rnd());
      ctx(R_028014_DB_HTILE_DATA_BASE, (VA + HTILE) >> 8);
      ctx(R_028018_DB_HTILE_DATA_BASE_HI, 0);
   }
}

static void random_registers(void)
{
   unsigned kind = rnd() % 4;

   memset(&regs, 0, sizeof(regs));
   memset(regs.sh_written, 1, sizeof(regs.sh_written));
   if (kind == 0) {
      for (unsigned i = 0; i < REGS_CONTEXT_COUNT; i++)
         regs.context[i] = rnd();
   } else {
      for (unsigned i = 0; i < 60; i++)
         regs.context[rnd() % REGS_CONTEXT_COUNT] = rnd() & rnd();
      sensible();
   }
   if (kind != 3) {
      ctx(R_028204_PA_SC_WINDOW_SCISSOR_TL, 1u << 31);
      ctx(R_028208_PA_SC_WINDOW_SCISSOR_BR, 200 | 200 << 16);
   }
   sh(R_00B120_SPI_SHADER_PGM_LO_VS, (VA + VS) >> 8);
   sh(R_00B128_SPI_SHADER_PGM_RSRC1_VS, 3 | 1 << 6 | (rnd() & 3) << 24);
   sh(R_00B12C_SPI_SHADER_PGM_RSRC2_VS, rnd());
   sh(R_00B020_SPI_SHADER_PGM_LO_PS, (VA + PS) >> 8);
   sh(R_00B028_SPI_SHADER_PGM_RSRC1_PS, 7 | 4 << 6);
   sh(R_00B02C_SPI_SHADER_PGM_RSRC2_PS, rnd());
   sh(R_00B210_SPI_SHADER_PGM_LO_ES, (VA + END) >> 8);
   sh(R_00B228_SPI_SHADER_PGM_RSRC1_GS, 7 | 4 << 6);
   sh(R_00B22C_SPI_SHADER_PGM_RSRC2_GS, rnd());
   sh(R_00B410_SPI_SHADER_PGM_LO_LS, (VA + END) >> 8);
   sh(R_00B428_SPI_SHADER_PGM_RSRC1_HS, 7 | 4 << 6 | rnd() << 28);
   sh(R_00B42C_SPI_SHADER_PGM_RSRC2_HS, rnd());
   uc(R_030908_VGT_PRIMITIVE_TYPE, rnd() % 30);
   uc(R_030920_VGT_MAX_VTX_INDX, ~0u);
   uc(R_03092C_VGT_MULTI_PRIM_IB_RESET_EN, rnd() & 1);
   uc(R_030940_VGT_TF_MEMORY_BASE, (VA + FACTORS) >> 8);
}

int main(int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 2, "[SEED [COUNT]]\n\nDraws COUNT times (10000) with random registers. SEED (1) is any number.");
   const struct tgsiamd_chip *chip = tgsiamd_chip_by_name("raven");
   struct tgsiamd_model *model = tgsiamd_model_create(chip, NULL);
   struct model_options options = { .no_check = ~0u }; /* all of it is wrong */
   struct model_stats stats = { 0 };
   struct pipeline *pipeline = pipeline_create();
   uint8_t *memory = aligned_alloc(4096, SIZE);
   unsigned draws = args_number(&args, 2, 10000);
   struct model_env env = {
      .regs = &regs, .stats = &stats, .chip = chip, .report = report_create(&options),
      .vm = tgsiamd_model_vm_create(model),
      .addrlib = surf_addrlib_create(chip->family, chip->external_rev, chip->gb_addr_config),
   };

   state = args_number(&args, 1, 1) | 1;
   memset(memory, 0, SIZE);
   write_memory(memory);
   if (tgsiamd_model_vm_map(env.vm, VA, SIZE, memory, TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE | TGSIAMD_MODEL_EXEC, 1))
      return 1;
   for (unsigned i = 0; i < draws; i++) {
      random_registers();
      struct msg_draw draw = {
         .indexed = rnd() & 1, .index_size = 1 << rnd() % 3, .index_va = VA + INDICES, .max_indices = rnd() % 5000,
         .num_indices = rnd() % 60, .num_instances = 1 + rnd() % 3, .first_index = rnd() % 10,
      };
      report_begin(env.report);
      pipeline_draw(pipeline, &env, &draw);
   }
   printf("%u draws, %llu primitives, %llu pixels\n", draws, (unsigned long long)stats.primitives,
          (unsigned long long)stats.pixels_shaded);
   bool seen = draws < 1000 || (stats.primitives > draws && stats.pixels_shaded > draws);
   pipeline_destroy(pipeline);
   surf_addrlib_destroy(env.addrlib);
   tgsiamd_model_vm_destroy(env.vm);
   tgsiamd_model_destroy(model);
   report_destroy(env.report);
   free(memory);
   return !seen;
}
