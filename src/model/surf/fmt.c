/* SPDX-License-Identifier: MIT */
/* The tables of formats: names run from the most significant component to the
 * least (register reference: SQ_IMG_RSRC_WORD1, SQ_BUF_RSRC_WORD3,
 * CB_COLOR0_INFO). */
#include <pthread.h>
#include <string.h>
#include "fmt.h"

struct layout { const char *name; uint8_t bytes, n, bits[4]; }; /* bits of X, Y, Z, W */

/* The common numbering of the three enumerations, 1 to 31. */
static const struct layout layouts[32] = {
   [1] = { "8", 1, 1, { 8 } },
   [2] = { "16", 2, 1, { 16 } },
   [3] = { "8_8", 2, 2, { 8, 8 } },
   [4] = { "32", 4, 1, { 32 } },
   [5] = { "16_16", 4, 2, { 16, 16 } },
   [6] = { "10_11_11", 4, 3, { 11, 11, 10 } },
   [7] = { "11_11_10", 4, 3, { 10, 11, 11 } },
   [8] = { "10_10_10_2", 4, 4, { 2, 10, 10, 10 } },
   [9] = { "2_10_10_10", 4, 4, { 10, 10, 10, 2 } },
   [10] = { "8_8_8_8", 4, 4, { 8, 8, 8, 8 } },
   [11] = { "32_32", 8, 2, { 32, 32 } },
   [12] = { "16_16_16_16", 8, 4, { 16, 16, 16, 16 } },
   [13] = { "32_32_32", 12, 3, { 32, 32, 32 } },
   [14] = { "32_32_32_32", 16, 4, { 32, 32, 32, 32 } },
   [16] = { "5_6_5", 2, 3, { 5, 6, 5 } },
   [17] = { "1_5_5_5", 2, 4, { 5, 5, 5, 1 } },
   [18] = { "5_5_5_1", 2, 4, { 1, 5, 5, 5 } },
   [19] = { "4_4_4_4", 2, 4, { 4, 4, 4, 4 } },
   [20] = { "8_24", 4, 2, { 24, 8 } },
   [21] = { "24_8", 4, 2, { 8, 24 } },
   [22] = { "X24_8_32", 8, 2, { 32, 8 } },
};

/* IMG_DATA_FORMAT beyond the common part. */
static const struct layout img_layouts[64] = {
   [57] = { "4_4", 1, 2, { 4, 4 } },
   [58] = { "6_5_5", 2, 3, { 5, 5, 6 } },
   [59] = { "S8_16", 1, 1, { 8 } },  /* stencil plane beside a 16 bit depth plane */
   [60] = { "S8_32", 1, 1, { 8 } },
};

/* IMG_NUM_FORMAT_FMASK: bytes, samples, bits per sample, fragments. */
static const struct { uint8_t bytes, samples, bits, frags; } fmasks[13] = {
   { 1, 2, 1, 1 }, { 1, 4, 1, 1 }, { 1, 8, 1, 1 }, { 1, 2, 1, 2 }, { 1, 4, 2, 2 }, { 1, 4, 2, 4 }, { 2, 16, 1, 1 },
   { 2, 8, 2, 2 }, { 4, 16, 2, 2 }, { 4, 8, 4, 4 }, { 4, 8, 4, 8 }, { 8, 16, 4, 4 }, { 8, 16, 4, 8 },
};

static struct fmt img_table[64][16], buf_table[16][8], color_table[32][8];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool num_fits(const struct layout *l, unsigned num)
{
   if (num != FMT_FLOAT && num != FMT_SRGB)
      return true;
   bool ok = true;
   for (unsigned i = 0; i < l->n; i++)
      ok &= num == FMT_FLOAT ? l->bits[i] == 16 || l->bits[i] == 32 || l->bits[i] == 10 || l->bits[i] == 11
                             : l->bits[i] == 8;
   return ok && !(num == FMT_FLOAT && l->n == 4 && l->bytes == 4); /* no 10-bit float with 2-bit alpha */
}

static void set(struct fmt *f, const struct layout *l, unsigned num)
{
   unsigned shift = 0;
   if (!l->name || (!num_fits(l, num) && strcmp(l->name, "X24_8_32")))
      return;
   f->name = l->name;
   f->bytes = l->bytes;
   f->num_comp = l->n;
   for (unsigned i = 0; i < l->n; i++) {
      f->bits[i] = l->bits[i];
      f->shift[i] = shift;
      f->num[i] = num == FMT_SRGB && i == 3 ? FMT_UNORM : num;
      shift += l->bits[i];
   }
   if (!strcmp(l->name, "X24_8_32")) { /* depth is a float, whatever is asked */
      f->num[0] = FMT_FLOAT;
      if (num == FMT_FLOAT)
         f->num[1] = FMT_UINT;
      f->is_int = num == FMT_UINT || num == FMT_SINT;
   } else {
      f->is_int = num == FMT_UINT || num == FMT_SINT;
   }
   fmt_bits_init(f);
}

static void init(void)
{
   /* number formats of each enumeration, -1 where there is none */
   static const int8_t img_nums[16] = { FMT_UNORM, FMT_SNORM, FMT_USCALED, FMT_SSCALED, FMT_UINT, FMT_SINT,
                                        -1, FMT_FLOAT, -1, FMT_SRGB, -1, -1, -1, -1, -1, -1 };
   static const int8_t color_nums[8] = { FMT_UNORM, FMT_SNORM, FMT_USCALED, FMT_SSCALED, FMT_UINT,
                                         FMT_SINT, FMT_SRGB, FMT_FLOAT };
   for (unsigned d = 0; d < 64; d++)
      for (unsigned n = 0; n < 16; n++) {
         struct fmt *f = &img_table[d][n];
         if (d == 45) {
            if (n < 13) {
               f->name = "FMASK";
               f->bytes = fmasks[n].bytes;
               f->fmask = true;
               f->is_int = true;
               f->fmask_samples = fmasks[n].samples;
               f->fmask_bits = fmasks[n].bits;
               f->fmask_frags = fmasks[n].frags;
               f->num_comp = 1;
            }
            continue;
         }
         if (img_nums[n] < 0)
            continue;
         if (d == 34) {
            if (n == 7)
               fmt_rgb9e5_init(f);
         } else if (!fmt_pair_init(f, d, n) && !fmt_block_init(f, d, n) && !fmt_etc_init(f, d, n)) {
            set(f, d < 32 ? &layouts[d] : &img_layouts[d], img_nums[n]);
         }
      }
   for (unsigned d = 0; d < 16; d++)
      for (unsigned n = 0; n < 8; n++)
         if (n != 6)
            set(&buf_table[d][n], &layouts[d], img_nums[n]);
   for (unsigned d = 0; d < 32; d++)
      for (unsigned n = 0; n < 8; n++)
         if (d != 13)
            set(&color_table[d][n], &layouts[d], color_nums[n]);
}

const struct fmt *fmt_image(unsigned data_format, unsigned num_format)
{
   pthread_once(&once, init);
   const struct fmt *f = data_format < 64 && num_format < 16 ? &img_table[data_format][num_format] : NULL;
   return f && f->name ? f : NULL;
}

const char *fmt_image_missing(unsigned data_format)
{
   static const char *const names[64] = {
      [23] = "8_AS_8_8_8_8", [31] = "6E4", [42] = "16_AS_32_32",
      [43] = "16_AS_16_16_16_16", [44] = "16_AS_32_32_32_32", [46] = "ASTC_2D_LDR", [47] = "ASTC_2D_HDR",
      [48] = "ASTC_2D_LDR_SRGB", [49] = "ASTC_3D_LDR", [50] = "ASTC_3D_HDR", [51] = "ASTC_3D_LDR_SRGB",
      [52] = "N_IN_16", [53] = "N_IN_16_16", [54] = "N_IN_16_16_16_16", [55] = "N_IN_16_AS_16_16_16_16",
      [61] = "8_AS_32", [62] = "8_AS_32_32", [63] = "32_AS_32_32_32_32",
   };
   return data_format < 64 ? names[data_format] : NULL;
}

const struct fmt *fmt_buffer(unsigned data_format, unsigned num_format)
{
   pthread_once(&once, init);
   const struct fmt *f = data_format < 16 && num_format < 8 ? &buf_table[data_format][num_format] : NULL;
   return f && f->name ? f : NULL;
}

const struct fmt *fmt_color(unsigned format, unsigned number_type)
{
   pthread_once(&once, init);
   const struct fmt *f = format < 32 && number_type < 8 ? &color_table[format][number_type] : NULL;
   return f && f->name ? f : NULL;
}
