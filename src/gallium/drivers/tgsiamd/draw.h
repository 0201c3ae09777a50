/* SPDX-License-Identifier: MIT */
/* What direct and indirect draws share. */
#ifndef TGSIAMD_DRAW_H
#define TGSIAMD_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct pipe_draw_indirect_info;
struct pipe_draw_info;
struct tgsiamd_context;

/* Room that tgsiamd_draw_prepare leaves for the packets of a draw. */
#define DRAW_DWORDS 112

/* Everything before the draw packets. False: nothing can be drawn. */
bool tgsiamd_draw_prepare(struct tgsiamd_context *ctx, const struct pipe_draw_info *info);
/* Registers of the VGT, inside a section; the last context registers of a draw
 * but those that tgsiamd_emit_scissor_again follows. */
void tgsiamd_emit_vgt(struct tgsiamd_context *ctx, const struct pipe_draw_info *info);
/* Raven loses the scissors when a draw writes other context registers: they are
 * written again. To be called when the draw has written all of its own. */
void tgsiamd_emit_scissor_again(struct tgsiamd_context *ctx);
void tgsiamd_emit_num_instances(struct tgsiamd_context *ctx, uint32_t count);
/* `size` of an index in bytes; 0: there are none. */
void tgsiamd_emit_index_type(struct tgsiamd_context *ctx, unsigned size);
/* After the packets. */
void tgsiamd_draw_done(struct tgsiamd_context *ctx);

/* draw_indirect.c */
void tgsiamd_draw_indirect(struct tgsiamd_context *ctx, const struct pipe_draw_info *info,
                           const struct pipe_draw_indirect_info *indirect);

#endif
