/* SPDX-License-Identifier: MIT */
/* TGSIAMD_MODEL=pixel=X,Y: the history of one pixel on stderr. */
#ifndef MODEL_WATCH_H
#define MODEL_WATCH_H

#include "geom.h"

struct cb;

/* All do nothing unless env->watch is set and the pixel is among those given.
 * SC found the quad: true when it covers the pixel, then watch_early() is to be
 * called after the early tests. */
bool watch_covered(const struct model_env *env, const struct msg_quad *q);
void watch_early(const struct model_env *env, const struct msg_quad *q);
/* What the shader gave; what was and, after CB, is in the targets. */
void watch_shaded(const struct model_env *env, const struct msg_pixels *px);
void watch_color(const struct model_env *env, const struct msg_pixels *px, const uint16_t coverage[64], struct cb *cb,
                 bool after);

#endif
