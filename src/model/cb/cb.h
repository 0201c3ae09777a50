/* SPDX-License-Identifier: MIT */
/* Colour block: export formats, blending, logic op, masks, colour memory and
 * its metadata (DCC, CMASK, FMASK). */
#ifndef MODEL_CB_H
#define MODEL_CB_H

#include "../msg.h"

struct cb;
struct cb *cb_create(void);
void cb_destroy(struct cb *cb);
/* Derives all state from registers; called when context registers changed
 * before a draw. CB_COLOR_CONTROL.MODE decides: normal, resolve, eliminate
 * fast clear, FMASK/DCC decompress. */
void cb_begin_draw(struct cb *cb, const struct model_env *env);
/* For the cache checks: what the draw renders to, and, after it, has written. */
void cb_note(const struct cb *cb, const struct model_env *env, bool written);
/* Target `index` after a draw, its first sample; false when none is bound. */
struct picture;
bool cb_picture(struct cb *cb, const struct model_env *env, unsigned index, struct picture *p);
/* One pixel of it, first sample, as RGBA. */
bool cb_pixel(struct cb *cb, const struct model_env *env, unsigned index, unsigned x, unsigned y, unsigned layer,
              float out[4]);
/* Tiles of 8x8 pixels in one colour (cb_solid.c): whether the draw's targets take
 * them; whether all targets have the tile; keeps the colour of a tile, false when
 * there is more than one; fills another tile with it. */
bool cb_solid_possible(const struct cb *cb);
bool cb_solid_inside(const struct cb *cb, uint32_t x, uint32_t y);
bool cb_solid_take(struct cb *cb, uint32_t x, uint32_t y, unsigned layer);
void cb_solid_tile(struct cb *cb, const struct model_env *env, uint32_t x, uint32_t y, unsigned layer);
void cb_write(struct cb *cb, const struct model_env *env, const struct msg_ps_quads *quads);

#endif
