/* SPDX-License-Identifier: MIT */
/* Emit blocks: one function per hardware block, writing registers through the
 * shadow from the bound state. */
#ifndef TGSIAMD_EMIT_H
#define TGSIAMD_EMIT_H

struct tgsiamd_context;

void tgsiamd_emit_cb_surfaces(struct tgsiamd_context *ctx);
void tgsiamd_emit_cb_blend(struct tgsiamd_context *ctx);
void tgsiamd_emit_db_surface(struct tgsiamd_context *ctx);
void tgsiamd_emit_db_control(struct tgsiamd_context *ctx);
void tgsiamd_emit_db_stencil_ref(struct tgsiamd_context *ctx);
void tgsiamd_emit_pa_rasterizer(struct tgsiamd_context *ctx);
void tgsiamd_emit_pa_poly_offset(struct tgsiamd_context *ctx);
void tgsiamd_emit_pa_viewport(struct tgsiamd_context *ctx);
void tgsiamd_emit_pa_clip(struct tgsiamd_context *ctx);
void tgsiamd_emit_sc_scissor(struct tgsiamd_context *ctx);
void tgsiamd_emit_sc_msaa(struct tgsiamd_context *ctx);
void tgsiamd_emit_spi_vs(struct tgsiamd_context *ctx);
void tgsiamd_emit_gs(struct tgsiamd_context *ctx);
void tgsiamd_emit_gs_ring(struct tgsiamd_context *ctx);
void tgsiamd_emit_spi_ps(struct tgsiamd_context *ctx);
void tgsiamd_emit_spi_inputs(struct tgsiamd_context *ctx);
void tgsiamd_emit_spi_scratch(struct tgsiamd_context *ctx);

#endif
