/* SPDX-License-Identifier: MIT */
/* Where the samples of a pixel lie: the standard positions of D3D11, which
 * OpenGL applications expect as well. */
#ifndef TGSIAMD_SAMPLE_POSITIONS_H
#define TGSIAMD_SAMPLE_POSITIONS_H

#include <stdint.h>

#define TGSIAMD_MAX_SAMPLES 8

/* In sixteenths of a pixel from its centre. */
struct tgsiamd_sample_pos { int8_t x, y; };
/* Positions for 1, 2, 4 or 8 samples. */
const struct tgsiamd_sample_pos *tgsiamd_sample_positions(unsigned num_samples);

struct tgsiamd_context;
void tgsiamd_init_sample_positions(struct tgsiamd_context *ctx);

#endif
