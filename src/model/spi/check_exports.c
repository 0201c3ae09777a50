/* SPDX-License-Identifier: MIT */
/* What a program exported against what the registers promise to the blocks
 * behind: SPI_SHADER_POS_FORMAT, _COL_FORMAT, _Z_FORMAT, SPI_VS_OUT_CONFIG,
 * PA_CL_VS_OUT_CNTL, CB_SHADER_MASK, SPI_PS_INPUT_CNTL_*. Room for exports is
 * allotted from these registers: a wave that exports more writes over others,
 * one that exports less leaves the receiver waiting. */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <stddef.h>

/* Export formats (the same numbers for colour, depth and positions). */
enum { FMT_ZERO, FMT_32_R, FMT_32_GR, FMT_32_AR, FMT_32_ABGR = 9 };

static bool is_packed(unsigned format)
{
   return format > FMT_32_AR && format < FMT_32_ABGR;
}

/* Components that a format takes, of an export that is not compressed. */
static unsigned components(unsigned format)
{
   switch (format) {
   case FMT_32_R: return 1;
   case FMT_32_GR: return 3;
   case FMT_32_AR: return 9;
   default: return 15;
   }
}

void spi_check_links(const struct spi *spi, const struct model_env *env)
{
   const uint32_t formats = reg_ctx(env->regs, R_028714_SPI_SHADER_COL_FORMAT);
   const uint32_t mask = reg_ctx(env->regs, R_02823C_CB_SHADER_MASK);
   const unsigned params = G_0286C4_VS_EXPORT_COUNT(reg_ctx(env->regs, R_0286C4_SPI_VS_OUT_CONFIG)) + 1;

   /* Exports are numbered without the targets that the mask leaves out. */
   for (unsigned t = 0, export = 0; t < 8; t++) {
      if (!(mask >> (4 * t) & 15))
         continue;
      if (!(formats >> (4 * export) & 15))
         model_violation(env->report, CHECK_STATE,
                         "CB_SHADER_MASK 0x%08x takes export %u for target %u, SPI_SHADER_COL_FORMAT 0x%08x has no format "
                         "for it", mask, export, t, formats);
      export++;
   }
   for (unsigned i = 0; i < spi->num_inputs; i++) {
      const struct spi_input *in = &spi->input[i];
      if (!in->use_default && in->offset >= params)
         model_violation(env->report, CHECK_STATE,
                         "SPI_PS_INPUT_CNTL_%u takes parameter %u, SPI_VS_OUT_CONFIG has %u", i, in->offset, params);
   }
}

static void check_target(const struct model_env *env, unsigned t, unsigned format, bool exported, unsigned en,
                         bool compr, bool needed, uint64_t pc)
{
   if (exported && format == FMT_ZERO)
      model_violation(env->report, CHECK_STATE,
                      "pixel shader at 0x%llx exports to MRT%u, SPI_SHADER_COL_FORMAT has no format for it",
                      (unsigned long long)pc, t);
   else if (!exported && format != FMT_ZERO && needed)
      model_violation(env->report, CHECK_STATE,
                      "pixel shader at 0x%llx does not export to MRT%u, SPI_SHADER_COL_FORMAT promises format %u",
                      (unsigned long long)pc, t, format);
   else if (exported && compr && !is_packed(format))
      model_violation(env->report, CHECK_STATE,
                      "pixel shader at 0x%llx exports halves to MRT%u, SPI_SHADER_COL_FORMAT says format %u",
                      (unsigned long long)pc, t, format);
   else if (exported && !compr && (en & ~components(format)))
      model_violation(env->report, CHECK_STATE,
                      "pixel shader at 0x%llx exports components 0x%x to MRT%u, format %u has 0x%x",
                      (unsigned long long)pc, en, t, format, components(format));
}

void spi_check_ps(const struct model_env *env, const struct msg_pixels *px, uint64_t pc)
{
   const uint32_t formats = reg_ctx(env->regs, R_028714_SPI_SHADER_COL_FORMAT);
   const unsigned z_format = G_028710_Z_EXPORT_FORMAT(reg_ctx(env->regs, R_028710_SPI_SHADER_Z_FORMAT));
   bool any = px->mrtz != NULL;

   for (unsigned t = 0; t < 8; t++)
      any |= px->color[t] != NULL;
   /* A wave that has killed all its pixels, or has nothing to say, ends with a
    * null export; one format stands there for it. */
   const bool needed = px->valid && (any || formats != FMT_32_R);
   for (unsigned t = 0; t < 8; t++)
      check_target(env, t, formats >> (4 * t) & 15, px->color[t] != NULL, px->color_en[t], px->color_compr[t], needed,
                   pc);
   if (!formats && !z_format)
      model_violation(env->report, CHECK_STATE,
                      "pixel shader at 0x%llx: neither SPI_SHADER_COL_FORMAT nor _Z_FORMAT has a format, no room for "
                      "its last export", (unsigned long long)pc);
   if (px->mrtz && !z_format)
      model_violation(env->report, CHECK_STATE, "pixel shader at 0x%llx exports to MRTZ, SPI_SHADER_Z_FORMAT is 0",
                      (unsigned long long)pc);
   else if (!px->mrtz && z_format && px->valid)
      model_violation(env->report, CHECK_STATE,
                      "pixel shader at 0x%llx does not export to MRTZ, SPI_SHADER_Z_FORMAT promises format %u",
                      (unsigned long long)pc, z_format);
   else if (px->mrtz && !px->mrtz_compr && (px->mrtz_en & ~components(z_format)))
      model_violation(env->report, CHECK_STATE,
                      "pixel shader at 0x%llx exports components 0x%x to MRTZ, format %u has 0x%x",
                      (unsigned long long)pc, px->mrtz_en, z_format, components(z_format));
}

static void check_positions(const struct model_env *env, const struct msg_vs_out *out, uint64_t pc)
{
   const uint32_t formats = reg_ctx(env->regs, R_02870C_SPI_SHADER_POS_FORMAT);
   const uint32_t cntl = reg_ctx(env->regs, R_02881C_PA_CL_VS_OUT_CNTL);
   const unsigned needed = 1 + G_02881C_VS_OUT_MISC_VEC_ENA(cntl) + G_02881C_VS_OUT_CCDIST0_VEC_ENA(cntl) +
                           G_02881C_VS_OUT_CCDIST1_VEC_ENA(cntl);
   unsigned have = 0;

   for (unsigned i = 0; i < 4; i++) {
      const unsigned format = formats >> (4 * i) & 15;
      have += format != 0;
      if (!format == !out->pos_lanes[i])
         continue;
      model_violation(env->report, CHECK_STATE, "vertex shader at 0x%llx %s position %u, SPI_SHADER_POS_FORMAT is 0x%x",
                      (unsigned long long)pc, format ? "does not export" : "exports", i, formats);
   }
   if (needed > have)
      model_violation(env->report, CHECK_STATE,
                      "PA_CL_VS_OUT_CNTL 0x%x takes %u positions, SPI_SHADER_POS_FORMAT 0x%x has %u", cntl, needed,
                      formats, have);
}

void spi_check_vs(const struct spi *spi, const struct model_env *env, const struct msg_vs_out *out, uint64_t exec,
                  uint64_t pc)
{
   const unsigned params = G_0286C4_VS_EXPORT_COUNT(reg_ctx(env->regs, R_0286C4_SPI_VS_OUT_CONFIG)) + 1;

   check_positions(env, out, pc);
   for (unsigned i = params; i < GEOM_MAX_PARAMS; i++) {
      if (out->param_lanes[i])
         model_violation(env->report, CHECK_STATE,
                         "vertex shader at 0x%llx exports parameter %u, SPI_VS_OUT_CONFIG has %u",
                         (unsigned long long)pc, i, params);
   }
   for (unsigned i = 0; i < spi->num_inputs; i++) {
      const struct spi_input *in = &spi->input[i];
      if (!in->use_default && in->offset < GEOM_MAX_PARAMS && in->offset < params &&
          (exec & ~out->param_lanes[in->offset]))
         model_violation(env->report, CHECK_STATE,
                         "pixel shader input %u is parameter %u, which the vertex shader at 0x%llx does not export", i,
                         in->offset, (unsigned long long)pc);
   }
}
