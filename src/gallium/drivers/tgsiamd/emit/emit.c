/* SPDX-License-Identifier: MIT */
/* The table of emit blocks: which dirty bits make which block run. */
#include "context.h"
#include "emit.h"

#include "util/macros.h"

static const struct {
   void (*emit)(struct tgsiamd_context *ctx);
   uint64_t depends;
   uint32_t dwords;
} blocks[] = {
   {tgsiamd_emit_cb_surfaces, DIRTY_FRAMEBUFFER, 8 * 22},
   {tgsiamd_emit_db_surface, DIRTY_FRAMEBUFFER, 50},
   {tgsiamd_emit_cb_blend, DIRTY_BLEND | DIRTY_BLEND_COLOR | DIRTY_FRAMEBUFFER | DIRTY_PS_VARIANT, 64},
   {tgsiamd_emit_db_control, DIRTY_DSA | DIRTY_FRAMEBUFFER | DIRTY_PS_VARIANT | DIRTY_QUERY |
                                DIRTY_BLEND | DIRTY_RASTERIZER, 40},
   {tgsiamd_emit_db_stencil_ref, DIRTY_DSA | DIRTY_STENCIL_REF, 6},
   {tgsiamd_emit_pa_rasterizer, DIRTY_RASTERIZER | DIRTY_PRIM, 40},
   {tgsiamd_emit_pa_poly_offset, DIRTY_RASTERIZER | DIRTY_FRAMEBUFFER, 12},
   {tgsiamd_emit_pa_viewport, DIRTY_VIEWPORT | DIRTY_RASTERIZER | DIRTY_PRIM | DIRTY_FRAMEBUFFER |
                                 DIRTY_VS_VARIANT, 40 + MAX_VIEWPORTS * 8},
   {tgsiamd_emit_pa_clip, DIRTY_RASTERIZER | DIRTY_VS_VARIANT, 12},
   {tgsiamd_emit_sc_scissor, DIRTY_SCISSOR | DIRTY_RASTERIZER | DIRTY_FRAMEBUFFER | DIRTY_VIEWPORT |
                                DIRTY_VS_VARIANT, 32 + MAX_VIEWPORTS * 2},
   {tgsiamd_emit_sc_msaa, DIRTY_FRAMEBUFFER | DIRTY_RASTERIZER | DIRTY_SAMPLE_MASK | DIRTY_PS_VARIANT, 60},
   {tgsiamd_emit_spi_scratch, DIRTY_SCRATCH, 6},
   {tgsiamd_emit_gs_ring, DIRTY_GS_RING, 12},
   {tgsiamd_emit_gs, DIRTY_VS_VARIANT, 60},
   {tgsiamd_emit_spi_vs, DIRTY_VS_VARIANT, 40},
   {tgsiamd_emit_spi_ps, DIRTY_PS_VARIANT, 40},
   {tgsiamd_emit_spi_inputs, DIRTY_VS_VARIANT | DIRTY_PS_VARIANT | DIRTY_RASTERIZER, 40},
};

void
tgsiamd_emit_state(struct tgsiamd_context *ctx)
{
   for (unsigned i = 0; i < ARRAY_SIZE(blocks); i++) {
      if (!(ctx->dirty & blocks[i].depends))
         continue;
      cs_begin(&ctx->cs, blocks[i].dwords);
      blocks[i].emit(ctx);
      cs_end(&ctx->cs);
   }
   ctx->dirty = 0;
}
