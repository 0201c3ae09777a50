/* SPDX-License-Identifier: MIT */
/* Polygon stipple. */
#ifndef TGSIAMD_STIPPLE_H
#define TGSIAMD_STIPPLE_H

struct pipe_poly_stipple;
struct tgsiamd_context;
struct tgsiamd_shader;

/* Takes a new 32x32 pattern. */
void tgsiamd_stipple_set(struct tgsiamd_context *ctx, const struct pipe_poly_stipple *stipple);
void tgsiamd_stipple_finish(struct tgsiamd_context *ctx);
/* The pixel shader for the bound state: the bound one, or its stippled version
 * with the pattern's texture in place. */
struct tgsiamd_shader *tgsiamd_stipple_shader(struct tgsiamd_context *ctx);

#endif
