/* SPDX-License-Identifier: MIT */
/* Pictures of surfaces as PNG files. */
#include "picture.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIDE 2048

bool picture_alloc(struct picture *p, unsigned w, unsigned h, unsigned layers, unsigned *layer_height)
{
   unsigned step = 1;
   while ((w + step - 1) / step > MAX_SIDE || (h + step - 1) / step > MAX_SIDE)
      step++;
   *layer_height = (h + step - 1) / step;
   p->step = step;
   p->width = (w + step - 1) / step;
   p->height = *layer_height * layers;
   p->rgba = calloc((size_t)p->width * p->height, 4 * sizeof(float));
   return p->rgba != NULL;
}

void picture_free(struct picture *p)
{
   free(p->rgba);
   p->rgba = NULL;
}

static void range(const struct picture *p, float *min, float *max)
{
   *min = INFINITY;
   *max = -INFINITY;
   for (size_t i = 0; i < (size_t)p->width * p->height * 4; i++) {
      const float v = p->rgba[i];
      if (!isfinite(v) || i % 4 == 3) /* alpha is left out */
         continue;
      *min = v < *min ? v : *min;
      *max = v > *max ? v : *max;
   }
}

bool picture_write(struct picture *p, const char *path)
{
   float min, max, low = 0, scale = 1;
   range(p, &min, &max);
   if (min < max && (min < 0 || max > 1)) {
      low = min;
      scale = 1 / (max - min);
      const size_t n = strlen(p->note);
      snprintf(p->note + n, sizeof(p->note) - n, ", shown from %g (black) to %g (white)", min, max);
   }
   const size_t pixels = (size_t)p->width * p->height;
   uint8_t *out = malloc(pixels * 3 + 1);
   if (!out)
      return false;
   for (size_t i = 0; i < pixels; i++) {
      for (unsigned c = 0; c < 3; c++) {
         const float v = (p->rgba[4 * i + c] - low) * scale;
         out[3 * i + c] = v > 0 ? v < 1 ? (uint8_t)lrintf(v * 255) : 255 : 0;
      }
   }
   png_image image = { .version = PNG_IMAGE_VERSION, .width = p->width, .height = p->height, .format = PNG_FORMAT_RGB };
   const bool ok = png_image_write_to_file(&image, path, 0, out, 0, NULL);
   if (!ok)
      fprintf(stderr, "tgsiamd-model: cannot write %s: %s\n", path, image.message);
   free(out);
   return ok;
}
