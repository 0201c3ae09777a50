/* SPDX-License-Identifier: MIT */
/* Shader processor input: program addresses and resources, interpolant routing,
 * export formats, scratch. */
#include "context.h"
#include "emit.h"

#include "util/u_math.h"
#include "amdgfxregs.h"

#define DEFAULT_0001 1 /* SPI_PS_INPUT_CNTL.DEFAULT_VAL */
#define NO_PARAM     0x20

void
tgsiamd_emit_spi_vs(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_variant *v = ctx->vs_variant;
   const struct tgsiamd_shader_info *info = &v->info;
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t program[4] = {
      v->bo->va >> 8,
      S_00B124_MEM_BASE(v->bo->va >> 40),
      S_00B128_VGPRS((MAX2(info->num_vgprs, 1) - 1) / 4) |
         S_00B128_SGPRS((MAX2(info->num_sgprs, 1) - 1) / 8) | S_00B128_FLOAT_MODE(info->float_mode) |
         S_00B128_DX10_CLAMP(info->dx10_clamp) | S_00B128_IEEE_MODE(info->ieee_mode) |
         S_00B128_VGPR_COMP_CNT(info->vgpr_comp_cnt),
      S_00B12C_USER_SGPR(info->num_user_sgprs) | S_00B12C_USER_SGPR_MSB_GFX9(info->num_user_sgprs >> 5) |
         S_00B12C_SCRATCH_EN(info->scratch_bytes_per_wave > 0) | S_00B12C_SO_EN(info->so_buffers != 0) |
         S_00B12C_SO_BASE0_EN(info->so_buffers & 1) | S_00B12C_SO_BASE1_EN(info->so_buffers >> 1 & 1) |
         S_00B12C_SO_BASE2_EN(info->so_buffers >> 2 & 1) | S_00B12C_SO_BASE3_EN(info->so_buffers >> 3 & 1),
   };
   unsigned params = MAX2(info->num_param_exports, 1); /* one slot is allocated at least */
   unsigned pos = info->num_pos_exports;

   cs_set_regs(cs, R_00B120_SPI_SHADER_PGM_LO_VS, 4, program);
   cs_set_reg(cs, R_0286C4_SPI_VS_OUT_CONFIG, S_0286C4_VS_EXPORT_COUNT(params - 1));
   cs_set_reg(cs, R_02870C_SPI_SHADER_POS_FORMAT,
              S_02870C_POS0_EXPORT_FORMAT(V_02870C_SPI_SHADER_4COMP) |
                 S_02870C_POS1_EXPORT_FORMAT(pos > 1 ? V_02870C_SPI_SHADER_4COMP : 0) |
                 S_02870C_POS2_EXPORT_FORMAT(pos > 2 ? V_02870C_SPI_SHADER_4COMP : 0) |
                 S_02870C_POS3_EXPORT_FORMAT(pos > 3 ? V_02870C_SPI_SHADER_4COMP : 0));
   tgsiamd_stream_use(ctx->stream, v->bo, TGSIAMD_READ);
}

void
tgsiamd_emit_spi_ps(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_variant *v = ctx->ps_variant;
   const struct tgsiamd_shader_info *info = &v->info;
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t program[4] = {
      v->bo->va >> 8,
      S_00B024_MEM_BASE(v->bo->va >> 40),
      S_00B028_VGPRS((MAX2(info->num_vgprs, 1) - 1) / 4) |
         S_00B028_SGPRS((MAX2(info->num_sgprs, 1) - 1) / 8) | S_00B028_FLOAT_MODE(info->float_mode) |
         S_00B028_DX10_CLAMP(info->dx10_clamp) | S_00B028_IEEE_MODE(info->ieee_mode),
      S_00B02C_USER_SGPR(info->num_user_sgprs) | S_00B02C_SCRATCH_EN(info->scratch_bytes_per_wave > 0),
   };
   uint32_t inputs[2] = {info->spi_ps_input_ena, info->spi_ps_input_addr};
   uint32_t formats[2] = {info->z_format, info->col_format_written};
   bool exports_depth = info->writes_z || info->writes_stencil || info->writes_samplemask;
   unsigned num_interp = 0;

   /* Without any export memory the hardware would ignore EXEC, so KILL as well. */
   if (!formats[1] && !exports_depth)
      formats[1] = V_028714_SPI_SHADER_32_R;
   for (unsigned i = 0; i < info->num_io; i++)
      num_interp = MAX2(num_interp, info->io[i].slot + 1u);

   cs_set_regs(cs, R_00B020_SPI_SHADER_PGM_LO_PS, 4, program);
   cs_set_regs(cs, R_0286CC_SPI_PS_INPUT_ENA, 2, inputs);
   cs_set_reg(cs, R_0286D8_SPI_PS_IN_CONTROL, S_0286D8_NUM_INTERP(num_interp));
   cs_set_reg(cs, R_0286E0_SPI_BARYC_CNTL,
              S_0286E0_FRONT_FACE_ALL_BITS(1) | S_0286E0_POS_FLOAT_LOCATION(2) |
                 S_0286E0_POS_FLOAT_ULC(info->pos_fragcoord_integer));
   cs_set_regs(cs, R_028710_SPI_SHADER_Z_FORMAT, 2, formats);
   tgsiamd_stream_use(ctx->stream, v->bo, TGSIAMD_READ);
}

static const struct tgsiamd_io *
find_output(const struct tgsiamd_shader_info *vs, const struct tgsiamd_io *input)
{
   for (unsigned i = 0; i < vs->num_io; i++) {
      const struct tgsiamd_io *out = &vs->io[i];
      if (out->semantic == input->semantic && out->index == input->index && out->slot != 0xff)
         return out;
   }
   return NULL;
}

static bool
is_point_coord(const struct tgsiamd_rasterizer *rs, const struct tgsiamd_io *input)
{
   return input->semantic == TGSI_SEMANTIC_PCOORD ||
          (input->semantic == TGSI_SEMANTIC_TEXCOORD && input->index < 8 &&
           (rs->state.sprite_coord_enable & (1u << input->index)));
}

/* SPI_PS_INPUT_CNTL_n: which parameter of the vertex shader is attribute n. */
void
tgsiamd_emit_spi_inputs(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_shader_info *vs = &ctx->vs_variant->info, *ps = &ctx->ps_variant->info;
   uint32_t controls[32] = {0};
   unsigned count = 0;

   for (unsigned i = 0; i < ps->num_io; i++) {
      const struct tgsiamd_io *input = &ps->io[i];
      const struct tgsiamd_io *output = find_output(vs, input);
      uint32_t control = output ? S_028644_OFFSET(output->slot)
                                : S_028644_OFFSET(NO_PARAM) | S_028644_DEFAULT_VAL(DEFAULT_0001);

      if (input->slot >= 32)
         continue;
      if (input->interp == TGSI_INTERPOLATE_CONSTANT)
         control |= S_028644_FLAT_SHADE(1);
      if (is_point_coord(ctx->rs, input))
         control = (control & ~S_028644_FLAT_SHADE(1)) | S_028644_PT_SPRITE_TEX(1);
      controls[input->slot] = control;
      count = MAX2(count, input->slot + 1u);
   }
   if (count)
      cs_set_regs(&ctx->cs, R_028644_SPI_PS_INPUT_CNTL_0, count, controls);
}

void
tgsiamd_emit_spi_scratch(struct tgsiamd_context *ctx)
{
   cs_set_reg(&ctx->cs, R_0286E8_SPI_TMPRING_SIZE,
              S_0286E8_WAVES(ctx->scratch.waves) | S_0286E8_WAVESIZE(ctx->scratch.wave_bytes >> 10));
   if (ctx->scratch.bo)
      tgsiamd_stream_use(ctx->stream, ctx->scratch.bo, TGSIAMD_READ | TGSIAMD_WRITE);
}
