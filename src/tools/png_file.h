/* SPDX-License-Identifier: MIT */
/* RGBA8 pictures as PNG files through libpng. */
#ifndef PNG_FILE_H
#define PNG_FILE_H

#include <stdbool.h>

/* Writes w x h pixels, 4 bytes each without padding; `bottom_up` when the first
 * row in memory is the lowest, as glReadPixels gives. Says why on stderr when
 * it fails. */
bool png_file_write(const char *path, int w, int h, const unsigned char *rgba, bool bottom_up);
/* Reads any PNG as RGBA8, top row first; the caller frees. NULL after a line on
 * stderr. */
unsigned char *png_file_read(const char *path, int *w, int *h);

#endif
