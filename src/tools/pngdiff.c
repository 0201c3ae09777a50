/* SPDX-License-Identifier: MIT */
/* tgsiamd-pngdiff: how far two pictures of the same size are apart. */
#include "png_file.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static void
usage(FILE *f)
{
   fputs("usage: tgsiamd-pngdiff [--within N] [--percent P] [--out DIFF.png] A.png B.png\n"
         "Prints the share of pixels whose channels all differ by at most N (default 0) of 255.\n"
         "Exit status 0 when it is at least P percent (default 100), 1 when not, 2 on errors.\n"
         "  --out DIFF.png   picture of the differences, 16 times brighter\n", f);
}

static int
compare(const char *paths[2], int within, double percent, const char *out)
{
   int w[2], h[2];
   unsigned char *img[2];
   for (int i = 0; i < 2; i++)
      if (!(img[i] = png_file_read(paths[i], &w[i], &h[i])))
         return 2;
   if (w[0] != w[1] || h[0] != h[1]) {
      fprintf(stderr, "%s is %dx%d, %s is %dx%d\n", paths[0], w[0], h[0], paths[1], w[1], h[1]);
      return 2;
   }
   size_t pixels = (size_t)w[0] * h[0], near = 0;
   int worst = 0;
   for (size_t p = 0; p < pixels; p++) {
      int max = 0;
      for (int c = 0; c < 4; c++) {
         int d = abs(img[0][p * 4 + c] - img[1][p * 4 + c]);
         max = d > max ? d : max;
         img[0][p * 4 + c] = c == 3 ? 255 : d * 16 > 255 ? 255 : d * 16;
      }
      near += max <= within;
      worst = max > worst ? max : worst;
   }
   double share = 100.0 * near / pixels;
   printf("%.3f%% of %zu pixels within %d/255 (wanted %.3f%%), largest difference %d\n",
          share, pixels, within, percent, worst);
   if (out && !png_file_write(out, w[0], h[0], img[0], false))
      return 2;
   free(img[0]);
   free(img[1]);
   return share >= percent ? 0 : 1;
}

int
main(int argc, char **argv)
{
   static const struct option longs[] = {
      { "within", required_argument, NULL, 'w' }, { "percent", required_argument, NULL, 'p' },
      { "out", required_argument, NULL, 'o' },    { "help", no_argument, NULL, 'h' }, { 0 },
   };
   int within = 0, c;
   double percent = 100;
   const char *out = NULL;
   while ((c = getopt_long(argc, argv, "w:p:o:h", longs, NULL)) != -1) {
      switch (c) {
      case 'w': within = atoi(optarg); break;
      case 'p': percent = atof(optarg); break;
      case 'o': out = optarg; break;
      case 'h': usage(stdout); return 0;
      default: usage(stderr); return 2;
      }
   }
   if (argc - optind != 2) {
      usage(stderr);
      return 2;
   }
   return compare((const char *[]){ argv[optind], argv[optind + 1] }, within, percent, out);
}
