/* SPDX-License-Identifier: MIT */
/* A surface as people look at it: RGBA floats of one level, its layers below
 * each other, and a line about what was done to it. */
#ifndef MODEL_PICTURE_H
#define MODEL_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

struct picture {
   unsigned width, height;   /* of all layers together */
   unsigned step;            /* every step-th pixel of each direction is shown */
   float *rgba;              /* width * height * 4; freed by picture_free() */
   char note[200];           /* size, format, layers, samples */
};

/* Room for `layers` of w x h; bigger ones are thinned out to 2048 pixels. Pixel
 * (x, y) of the picture is (x * step, y * step) of the surface. False without
 * memory. */
bool picture_alloc(struct picture *p, unsigned w, unsigned h, unsigned layers, unsigned *layer_height);
/* As PNG. Values outside 0..1 (integers, depth of little range, floats) are
 * stretched to it, which goes into the note. False: could not be written, with
 * a line on stderr. */
bool picture_write(struct picture *p, const char *path);
void picture_free(struct picture *p);

#endif
