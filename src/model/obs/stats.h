/* SPDX-License-Identifier: MIT */
/* Counters of one draw and of a run, as JSON; estimated time. */
#ifndef MODEL_STATS_H
#define MODEL_STATS_H

#include "../msg.h"

/* Clocks that the work counted in `s` (one draw or dispatch) takes on `chip`:
 * the busiest unit's. *bound (may be NULL) gets the name of that unit. */
uint64_t stats_clocks(const struct model_stats *s, const struct tgsiamd_chip *chip, const char **bound);
/* a + b and a - b, each counter. */
void stats_add(struct model_stats *a, const struct model_stats *b);
void stats_difference(struct model_stats *a, const struct model_stats *b);

struct stats_file;
/* Creates `path` ("%p" in it becomes the process id). NULL with a line on
 * stderr when that fails. The file is whole JSON after every submission. */
struct stats_file *stats_file_create(const char *path, const struct tgsiamd_chip *chip);
void stats_file_destroy(struct stats_file *f);
/* One draw or dispatch: `s` is what it counted. `f` may be NULL. */
void stats_file_draw(struct stats_file *f, const struct model_stats *s, const char *kind, const char *primitive,
                     const struct model_report *report);
/* The run so far; everything is in the file when it returns. */
void stats_file_run(struct stats_file *f, const struct model_stats *run, uint64_t violations);

#endif
