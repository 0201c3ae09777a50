/* SPDX-License-Identifier: MIT */
/* libpng's simplified API does all the work. */
#include "png_file.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
png_file_write(const char *path, int w, int h, const unsigned char *rgba, bool bottom_up)
{
   png_image image = { .version = PNG_IMAGE_VERSION, .width = w, .height = h, .format = PNG_FORMAT_RGBA };
   int stride = bottom_up ? -w * 4 : w * 4;
   if (png_image_write_to_file(&image, path, 0, rgba, stride, NULL))
      return true;
   fprintf(stderr, "cannot write %s: %s\n", path, image.message);
   return false;
}

unsigned char *
png_file_read(const char *path, int *w, int *h)
{
   png_image image = { .version = PNG_IMAGE_VERSION };
   unsigned char *data = NULL;
   if (png_image_begin_read_from_file(&image, path)) {
      image.format = PNG_FORMAT_RGBA;
      data = malloc(PNG_IMAGE_SIZE(image));
      if (data && png_image_finish_read(&image, NULL, data, 0, NULL)) {
         *w = image.width;
         *h = image.height;
         return data;
      }
      free(data);
      png_image_free(&image);
   }
   fprintf(stderr, "cannot read %s: %s\n", path, image.message);
   return NULL;
}
