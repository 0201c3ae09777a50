/* SPDX-License-Identifier: MIT */
/* Colour block: CB_COLORn_*, CB_MRTn_EPITCH, blending, masks. */
#include "context.h"
#include "emit.h"

#include "util/u_math.h"
#include "amdgfxregs.h"

#define CB_STRIDE 0x3c

static void
emit_surface(struct tgsiamd_context *ctx, unsigned i, struct tgsiamd_surface *surf)
{
   struct tgsiamd_texture *tex = tgsiamd_texture(surf->base.texture);
   const struct gfx9_surf_layout *layout = &tex->surf.u.gfx9;
   const struct tgsiamd_color_format *f = &surf->color;
   uint64_t base = (tex->r.va + tex->offset) >> 8 | tex->surf.tile_swizzle;
   unsigned samples_log2 = util_logbase2(MAX2(tex->r.base.nr_samples, 1));
   unsigned depth = tex->r.base.target == PIPE_TEXTURE_3D ? tex->r.base.depth0 - 1
                                                          : tex->r.base.array_size - 1;
   uint32_t values[15] = {
      base,
      S_028C64_BASE_256B(base >> 32),
      S_028C68_MIP0_WIDTH(surf->width0 - 1) | S_028C68_MIP0_HEIGHT(surf->height0 - 1) |
         S_028C68_MAX_MIP(tex->r.base.last_level),
      S_028C6C_SLICE_START(surf->base.u.tex.first_layer) |
         S_028C6C_SLICE_MAX_GFX10(surf->base.u.tex.last_layer) |
         S_028C6C_MIP_LEVEL_GFX9(surf->base.u.tex.level),
      S_028C70_FORMAT_GFX6(f->format) | S_028C70_NUMBER_TYPE(f->number) |
         S_028C70_COMP_SWAP(f->swap) | S_028C70_BLEND_CLAMP(f->blend_clamp) |
         S_028C70_BLEND_BYPASS(f->blend_bypass) | S_028C70_SIMPLE_FLOAT(1) |
         S_028C70_ROUND_MODE(f->round_by_half),
      S_028C74_MIP0_DEPTH(depth) | S_028C74_COLOR_SW_MODE(layout->swizzle_mode) |
         S_028C74_RESOURCE_TYPE(layout->resource_type) | S_028C74_RB_ALIGNED(1) |
         S_028C74_PIPE_ALIGNED(1) | S_028C74_NUM_SAMPLES(samples_log2) |
         S_028C74_NUM_FRAGMENTS_GFX6(samples_log2) | S_028C74_FORCE_DST_ALPHA_1_GFX6(f->force_alpha_1),
      S_028C78_MAX_UNCOMPRESSED_BLOCK_SIZE(V_028C78_MAX_BLOCK_SIZE_256B) |
         S_028C78_MIN_COMPRESSED_BLOCK_SIZE(V_028C78_MIN_BLOCK_SIZE_64B) |
         S_028C78_INDEPENDENT_64B_BLOCKS(1),
      /* No metadata: CMASK and FMASK point at the image as the manual wants. */
      base, S_028C80_BASE_256B(base >> 32),
      base, S_028C88_BASE_256B(base >> 32),
      0, 0, /* clear colour */
      0, 0, /* DCC */
   };

   cs_set_regs(&ctx->cs, R_028C60_CB_COLOR0_BASE + i * CB_STRIDE, ARRAY_SIZE(values), values);
   cs_set_reg(&ctx->cs, R_0287A0_CB_MRT0_EPITCH + i * 4, S_0287A0_EPITCH(layout->epitch));
   tgsiamd_use(ctx, &tex->r, TGSIAMD_READ | TGSIAMD_WRITE);
}

void
tgsiamd_emit_cb_surfaces(struct tgsiamd_context *ctx)
{
   for (unsigned i = 0; i < 8; i++) {
      struct pipe_surface *surf = i < ctx->fb.nr_cbufs ? ctx->fb.cbufs[i] : NULL;

      if (surf)
         emit_surface(ctx, i, tgsiamd_surface(surf));
      else
         cs_set_reg(&ctx->cs, R_028C70_CB_COLOR0_INFO + i * CB_STRIDE,
                    S_028C70_FORMAT_GFX6(V_028C70_COLOR_INVALID));
   }
}

void
tgsiamd_emit_cb_blend(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_blend *blend = ctx->blend;
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t bound = 0, mask, sx[8] = {0};

   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      if (ctx->fb.cbufs[i])
         bound |= 0xfu << (4 * i);
   }
   mask = blend->cb_target_mask & bound;
   cs_set_reg(cs, R_028238_CB_TARGET_MASK, mask);
   cs_set_reg(cs, R_02823C_CB_SHADER_MASK, ctx->ps_variant->info.cb_shader_mask);
   cs_set_regs(cs, R_028780_CB_BLEND0_CONTROL, 8, blend->cb_blend_control);
   cs_set_reg(cs, R_028808_CB_COLOR_CONTROL,
              mask ? blend->cb_color_control
                   : (blend->cb_color_control & C_028808_MODE) | S_028808_MODE(V_028808_CB_DISABLE));
   cs_set_regs(cs, R_028760_SX_MRT0_BLEND_OPT, 8, sx);
   cs_set_reg(cs, R_028B70_DB_ALPHA_TO_MASK, blend->db_alpha_to_mask);
   cs_set_regs(cs, R_028414_CB_BLEND_RED, 4, (const uint32_t *)ctx->blend_color.color);
}
