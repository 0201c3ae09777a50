/* SPDX-License-Identifier: MIT */
/* Image formats whose elements are several texels: BC1 to BC7, decoded by Mesa's
 * util/format, and pairs with common chroma. */
#include <string.h>
#include "util/format/u_format.h"
#include "util/format/u_format_bptc.h"
#include "util/format/u_format_rgtc.h"
#include "util/format/u_format_s3tc.h"
#include "fmt.h"

typedef void (*fetch_rgba)(void *restrict dst, const uint8_t *restrict src, unsigned i, unsigned j);

static const struct {
   const char *name;
   uint8_t bytes, comps;
   fetch_rgba unorm, snorm, srgb; /* NULL where the pair does not exist */
} blocks[] = {
   /* 35 */
   { "BC1", 8, 4, util_format_dxt1_rgba_fetch_rgba, NULL, util_format_dxt1_srgba_fetch_rgba },
   { "BC2", 16, 4, util_format_dxt3_rgba_fetch_rgba, NULL, util_format_dxt3_srgba_fetch_rgba },
   { "BC3", 16, 4, util_format_dxt5_rgba_fetch_rgba, NULL, util_format_dxt5_srgba_fetch_rgba },
   { "BC4", 8, 1, util_format_rgtc1_unorm_fetch_rgba, util_format_rgtc1_snorm_fetch_rgba, NULL },
   { "BC5", 16, 2, util_format_rgtc2_unorm_fetch_rgba, util_format_rgtc2_snorm_fetch_rgba, NULL },
   { "BC6", 16, 3, util_format_bptc_rgb_ufloat_fetch_rgba, util_format_bptc_rgb_float_fetch_rgba, NULL },
   { "BC7", 16, 4, util_format_bptc_rgba_unorm_fetch_rgba, NULL, util_format_bptc_srgba_fetch_rgba },
};

#define TEXEL(kind)                                                                              \
   static void texel_##kind(const struct fmt *f, const void *block, unsigned x, unsigned y,      \
                            uint32_t out[4])                                                     \
   {                                                                                             \
      blocks[f->shift[0]].kind(out, block, x, y);                                                \
   }
TEXEL(unorm)
TEXEL(snorm)
TEXEL(srgb)

bool fmt_block_init(struct fmt *f, unsigned data_format, unsigned num_format)
{
   if (data_format < 35 || data_format > 41)
      return false;
   unsigned i = data_format - 35;
   fetch_rgba fetch = num_format == 0 ? blocks[i].unorm : num_format == 1 ? blocks[i].snorm
                      : num_format == 9 ? blocks[i].srgb : NULL;
   if (!fetch)
      return true; /* stays nameless: no such format */
   f->name = blocks[i].name;
   f->bytes = blocks[i].bytes;
   f->block_log2 = 2;
   f->num_comp = blocks[i].comps;
   f->shift[0] = i;
   f->texel = num_format == 0 ? texel_unorm : num_format == 1 ? texel_snorm : texel_srgb;
   return true;
}

/* GB_GR, BG_RG: named from the most significant byte. Both texels of a pair
 * have the red and the blue of the element, each its own green. */
static void texel_pair(const struct fmt *f, const void *block, unsigned x, unsigned y, uint32_t out[4])
{
   const uint8_t *p = block, green = f->shift[0];
   out[0] = fmt_f2u(p[green ^ 1] / 255.0f);
   out[1] = fmt_f2u(p[green + 2 * (x & 1)] / 255.0f);
   out[2] = fmt_f2u(p[(green ^ 1) + 2] / 255.0f);
   out[3] = 0x3f800000;
}

bool fmt_pair_init(struct fmt *f, unsigned data_format, unsigned num_format)
{
   if (data_format != 32 && data_format != 33)
      return false;
   if (num_format != 0)
      return true; /* stays nameless: no such format */
   f->name = data_format == 32 ? "GB_GR" : "BG_RG";
   f->bytes = 4;
   f->pair = true;
   f->num_comp = 3;
   f->shift[0] = data_format == 32; /* the first green's byte */
   f->texel = texel_pair;
   return true;
}
