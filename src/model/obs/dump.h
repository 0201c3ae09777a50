/* SPDX-License-Identifier: MIT */
/* TGSIAMD_MODEL=dump-frame: each draw as a page with its state, shaders and
 * pictures. */
#ifndef MODEL_DUMP_H
#define MODEL_DUMP_H

#include "../msg.h"

struct cb;
struct db;
struct dump;

/* Writes the draws of submissions `first` to `last` below the folder `dir`,
 * which is made; "%p" in it becomes the process id. NULL with a line on stderr when it cannot be. */
struct dump *dump_create(const char *dir, unsigned first, unsigned last);
void dump_destroy(struct dump *d);

/* Around a draw (`draw`) or dispatch (`dispatch`), the other is NULL; nothing
 * happens outside the chosen submissions or when `d` is NULL. */
void dump_begin(struct dump *d, const struct model_env *env);
void dump_end(struct dump *d, const struct model_env *env, const struct msg_draw *draw,
              const struct msg_dispatch *dispatch, struct cb *cb, struct db *db);
/* A shader used this image resource (T#). */
void dump_image(struct dump *d, const uint32_t rsrc[8]);

#endif
