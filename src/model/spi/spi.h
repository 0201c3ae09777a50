/* SPDX-License-Identifier: MIT */
/* Shader processor input: starts waves and takes what they export. */
#ifndef MODEL_SPI_H
#define MODEL_SPI_H

#include "geom.h"

struct spi;
struct spi *spi_create(void);
void spi_destroy(struct spi *spi);

/* How SPI gets waves executed and where finished pixels go. */
struct spi_ports {
   void *ctx;
   void (*run)(void *ctx, const struct sq_wave_init *waves, unsigned num_waves,
               unsigned lds_bytes, const struct sq_sink *sink);
   void (*pixels)(void *ctx, const struct msg_pixels *pixels);
};

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
/* Adds a quad to the open pixel wave; runs the wave when it is full. */
void spi_add_quad(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                  const struct msg_quad *quad);
void spi_flush(struct spi *spi, const struct model_env *env, const struct spi_ports *ports);

void spi_dispatch(struct spi *spi, const struct model_env *env, const struct spi_ports *ports,
                  const struct msg_dispatch *dispatch);

#endif
