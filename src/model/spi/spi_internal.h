/* SPDX-License-Identifier: MIT */
#ifndef MODEL_SPI_INTERNAL_H
#define MODEL_SPI_INTERNAL_H

#include "spi.h"
#include "sq/sq.h" /* message structs only */

/* A primitive with quads in the open wave: its planes and parameters. */
struct spi_prim {
   struct msg_sc_prim prim;
   uint32_t attrs[GEOM_MAX_PARAMS + 1][4][3];
};

/* SPI_PS_INPUT_CNTL_n, unpacked. */
struct spi_input {
   uint8_t offset;       /* parameter of the vertex shader */
   bool use_default, flat, sprite;
   uint8_t default_val;
   uint8_t cyl_wrap;     /* components that take the short way around 0..1 */
   /* FP16_INTERP_MODE: two halves in each component; the fields above are those
    * of the lower half */
   bool half, valid[2], default_hi, sprite_hi;
   uint8_t default_val_hi;
};

/* A pixel wave: its quads with what they need, and what its shader exported. */
struct spi_ps {
   unsigned num_quads, num_prims;
   uint64_t exec;           /* covered lanes */
   struct msg_quad quad[16];
   uint8_t quad_prim[16];
   struct spi_prim prims[16];
   uint32_t color[8][4][64], mrtz[4][64];
   struct msg_pixels result;
   bool done_seen;
};

struct spi {
   struct geom_samples samples;
   /* pixel waves: derived at begin_draw */
   uint32_t ps_ena, ps_addr, baryc_cntl;
   bool msaa;
   unsigned num_inputs;
   struct spi_input input[GEOM_MAX_PARAMS];
   bool param_gen;       /* one more parameter, made here */
   bool sprite_ena, sprite_top;
   uint8_t sprite_ovrd[4];
   struct spi_ps *ps;    /* the open wave, or the one that runs; above: the draw's state */
   struct spi_ps *tile;  /* spi_tile()'s */
   /* exports of the running vertex wave */
   struct msg_vs_out *vs_out;
   bool pos_done;        /* the export with DONE has come */
   struct msg_gs_out *gs_out;
   unsigned gs_max_verts;
   const struct model_env *env;
   struct sq_wave_init wave;     /* graphics waves */
   struct sq_wave_init *group;   /* compute: waves of a group */
   unsigned group_size;
};

/* Adds `num` user SGPRs from the SH registers at `base`. */
void spi_user_sgprs(const struct model_env *env, struct sq_wave_init *w, uint32_t base, unsigned num);
/* Scratch: sets va and size for wave `slot` from a *_TMPRING_SIZE register;
 * returns the byte offset that goes into the scratch SGPR. */
uint32_t spi_scratch(const struct model_env *env, struct sq_wave_init *w, uint32_t tmpring, unsigned slot);
/* Copies what exec lanes export. */
void spi_store_export(uint32_t dst[4][64], unsigned en, bool compr, uint64_t exec,
                      const uint32_t *const src[4]);
/* Room for the waves of a group. */
struct sq_wave_init *spi_group(struct spi *spi, unsigned num_waves);
/* check_exports.c: registers against each other, and against what a wave of
 * pixels or vertices has exported. */
void spi_check_links(const struct spi *spi, const struct model_env *env);
void spi_check_ps(const struct model_env *env, const struct msg_pixels *px, uint64_t pc);
void spi_check_vs(const struct spi *spi, const struct model_env *env, const struct msg_vs_out *out, uint64_t exec,
                  uint64_t pc);
void spi_build_attrs(struct spi *spi, struct spi_prim *p);
void spi_fill_ps_vgprs(struct spi *spi, struct sq_wave_init *w);

#endif
