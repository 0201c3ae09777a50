/* SPDX-License-Identifier: MIT */
/* Transform feedback. */
#ifndef TGSIAMD_STREAMOUT_H
#define TGSIAMD_STREAMOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_state.h"

struct tgsiamd_context;
struct tgsiamd_shader;
struct tgsiamd_streamout;

struct tgsiamd_so_target {
   struct pipe_stream_output_target base;
   struct tgsiamd_bo *filled;       /* one dword: how far the buffer is filled, in dwords */
   bool filled_valid;
   uint16_t stride;                 /* dwords, of the shader that wrote it last */
};

void tgsiamd_init_streamout(struct tgsiamd_context *ctx);
/* What a shader stores, as the compiler wants it, from what Gallium says. */
void tgsiamd_streamout_key(const struct tgsiamd_shader *shader, struct tgsiamd_streamout *so);
/* Before a draw, with the shaders chosen: starts the counting when targets are
 * bound. Writes at most STREAMOUT_DWORDS. */
#define STREAMOUT_DWORDS 80
void tgsiamd_streamout_begin(struct tgsiamd_context *ctx);
/* Stores how far the buffers are filled; the next begin goes on from there. */
void tgsiamd_streamout_end(struct tgsiamd_context *ctx);

#endif
