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
void cb_write(struct cb *cb, const struct model_env *env, const struct msg_ps_quads *quads);

#endif
