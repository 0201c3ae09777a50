/* SPDX-License-Identifier: MIT */
/* Depth block: depth and stencil tests, their memory and HTILE, occlusion counts. */
#ifndef MODEL_DB_H
#define MODEL_DB_H

#include "geom.h"

#define DB_MAX_RB 4

struct db;
struct db *db_create(void);
void db_destroy(struct db *db);

/* Reads the registers. */
void db_begin_draw(struct db *db, const struct model_env *env, const struct geom_samples *samples);
/* True: depth and stencil are tested before the shader, by db_early(). */
bool db_tests_early(const struct db *db);
/* True: the pixel shader has no effect that anyone could see. */
bool db_shader_is_noop(const struct db *db);
/* Tests a quad and writes depth and stencil; clears the samples that fail. */
void db_early(struct db *db, const struct model_env *env, struct msg_quad *quad);
/* After the shader: kills, exported depth, stencil and masks, alpha to mask and
 * the tests unless they came early. Fills the samples of each lane that are left. */
void db_late(struct db *db, const struct model_env *env, const struct msg_pixels *px, uint16_t coverage[64]);
/* True: colour target 0 gets depth and stencil (DB_RENDER_CONTROL.*_COPY). */
bool db_copies(const struct db *db);
/* The copies of a wave's pixels: depth as a float's bits in [0], stencil in [1]. */
void db_copy(struct db *db, const struct model_env *env, const struct msg_pixels *px, const uint16_t coverage[64],
             uint32_t color[4][64]);
/* For the cache checks: what the draw renders to, and, after it, has written. */
void db_note(const struct db *db, const struct model_env *env, bool written);
/* Depth or stencil after a draw, its first sample; false when there is none. */
struct picture;
bool db_picture(struct db *db, const struct model_env *env, bool stencil, struct picture *p);
/* Tiles of 8x8 pixels that all pass (db_solid.c): whether the draw's do; whether
 * this one does and gets one depth; keeps the depth of a tile that was tested,
 * false when there is more than one; counts and stores another one. */
bool db_solid_possible(const struct db *db);
bool db_solid_fits(const struct db *db, const struct msg_sc_prim *prim, int x, int y);
bool db_solid_take(struct db *db, int x, int y, unsigned layer);
void db_solid_tile(struct db *db, const struct model_env *env, int x, int y, unsigned layer);
/* Samples that passed since power-up. */
uint64_t db_zpass_count(const struct db *db, unsigned rb);

#endif
