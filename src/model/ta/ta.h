/* SPDX-License-Identifier: MIT */
/* Texture addresser and data path: image and buffer instructions. */
#ifndef MODEL_TA_H
#define MODEL_TA_H

#include "../msg.h"

/* Executes all lanes of op->exec. Lanes without memory (out of range) follow
 * the descriptor's rules; faults go through env->report. */
void ta_image(const struct model_env *env, const struct ta_image_op *op);
/* The first level of an image resource; false when it cannot be read. */
struct picture;
bool ta_picture(const struct model_env *env, const uint32_t rsrc[8], struct picture *p);
void ta_buffer(const struct model_env *env, const struct ta_buffer_op *op);

#endif
