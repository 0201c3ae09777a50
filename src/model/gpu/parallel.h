/* SPDX-License-Identifier: MIT */
/* Pixel waves of a draw on several threads.
 *
 * Results, counters and reports are those of one thread. The caller's thread
 * goes on to gather waves (VGT to SPI, early depth) while others run shaders
 * ahead of their turn; it then takes what they exported in the order of the
 * waves. A wave ahead of its turn changes nothing but its own registers: when it
 * is about to do more (a store, a report, a read of the draw's own targets), it
 * is given up and runs again when its turn has come. */
#ifndef MODEL_PARALLEL_H
#define MODEL_PARALLEL_H

#include "spi/spi.h"

struct sq;
struct parallel;

/* How the owner runs and finishes waves whose turn it is. */
struct parallel_ports {
   void *ctx;
   void (*pixels)(void *ctx, const struct msg_pixels *pixels);
};

/* `front` executes the other stages. One thread until parallel_set_threads(). */
struct parallel *parallel_create(struct spi *spi, struct sq *front, const struct parallel_ports *ports);
/* With the caller's; before the first draw. */
void parallel_set_threads(struct parallel *p, unsigned threads);
void parallel_destroy(struct parallel *p);
void parallel_begin_draw(struct parallel *p, const struct model_env *env);
/* The draw's next wave: takes it, gives a free one. */
struct spi_ps *parallel_wave(struct parallel *p, struct spi_ps *ps);
/* Runs one in its turn, now; it stays the caller's. */
void parallel_wave_now(struct parallel *p, struct spi_ps *ps);
/* Finishes the waves so far: for who counts what they did. They may be this many
 * instructions (and bytes / 64) behind otherwise. */
#define PARALLEL_BEHIND (1ull << 27)
void parallel_settle(struct parallel *p);
/* All waves are finished when it returns. */
void parallel_end_draw(struct parallel *p);
/* Waves so far that ran ahead of their turn; *again: of these, in vain. */
uint64_t parallel_count(const struct parallel *p, uint64_t *again);
/* Shader code may have changed. */
void parallel_invalidate_code(struct parallel *p);

#endif
