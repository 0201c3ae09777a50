/* SPDX-License-Identifier: MIT */
/* Files that the model writes for people and scripts. */
#ifndef MODEL_OUT_FILE_H
#define MODEL_OUT_FILE_H

#include <stddef.h>
#include <stdio.h>

/* `path` with "%p" replaced by the process id, in `out`. */
const char *out_path(const char *path, char *out, size_t size);
/* Creates or empties the file; NULL with a line on stderr that begins with
 * `what` when that fails, or another process has it open for the same. */
FILE *out_file(const char *path, const char *what);

#endif
