/* SPDX-License-Identifier: MIT */
/* Shader processor input: starts waves and takes what they export. */
#ifndef MODEL_SPI_H
#define MODEL_SPI_H

#include "geom.h"

struct spi;
struct spi *spi_create(void);
void spi_destroy(struct spi *spi);

struct spi_ps; /* a pixel wave */

/* How SPI gets waves executed. */
struct spi_ports {
   void *ctx;
   void (*run)(void *ctx, const struct sq_wave_init *waves, unsigned num_waves,
               unsigned lds_bytes, const struct sq_sink *sink);
   /* A pixel wave is complete: takes it, gives one that is free. */
   struct spi_ps *(*wave)(void *ctx, struct spi_ps *ps);
};

struct spi_ps *spi_ps_create(void);
void spi_ps_destroy(struct spi_ps *ps);
/* Runs a pixel wave's shader through ports->run; the result lies in the wave.
 * `spi` is the one that gathered it or one that follows it. */
void spi_ps_run(struct spi *spi, struct spi_ps *ps, const struct model_env *env, const struct spi_ports *ports);
const struct msg_pixels *spi_ps_result(const struct spi_ps *ps);
/* Makes `spi`, of another thread, run waves of `of`'s draw. */
void spi_follow(struct spi *spi, const struct spi *of);

/* Reads the registers that launching depends on. */
void spi_begin_draw(struct spi *spi, const struct model_env *env, const struct geom_samples *samples);
/* Runs the hardware's vertex shader over a batch; `so` NULL: no streamout. */
void spi_run_vs(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                const struct msg_vgt_batch *batch, const struct msg_streamout *so, struct msg_vs_out *out);
/* Runs LS and HS over a group of patches. */
void spi_run_hs(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                const struct msg_patches *patches);
/* Runs ES and GS over a batch, `instances` threads a primitive; fills `out`. */
void spi_run_gs(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                const struct msg_vgt_batch *batch, unsigned instances, struct msg_gs_out *out);
/* Adds a quad to the open pixel wave; hands it to ports->wave when it is full. */
void spi_add_quad(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                  const struct msg_quad *quad);
/* Whole tiles of 8x8 pixels apart from the open wave. True: that one has pixels
 * of an earlier primitive in the tile. The tile as a wave of its own, NULL unless
 * `attrs` (a bit each) are the same all over the primitive; the caller runs it. */
bool spi_tile_is_open(const struct spi *spi, const struct msg_sc_prim *prim, int x, int y);
struct spi_ps *spi_tile(struct spi *spi, const struct msg_sc_prim *prim, int x, int y, uint32_t attrs);
void spi_tile_count(const struct model_env *env);
void spi_flush(struct spi *spi, const struct model_env *env, const struct spi_ports *ports);

void spi_dispatch(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                  const struct msg_dispatch *dispatch);

#endif
