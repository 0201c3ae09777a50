/* SPDX-License-Identifier: MIT */
/* Names of the unified buffer formats of GFX10 and later. */
#include "print_internal.h"

#define N6(d) "BUF_FMT_" d "_UNORM", "BUF_FMT_" d "_SNORM", "BUF_FMT_" d "_USCALED", "BUF_FMT_" d "_SSCALED", \
              "BUF_FMT_" d "_UINT", "BUF_FMT_" d "_SINT"
#define N7(d) N6(d), "BUF_FMT_" d "_FLOAT"
#define N3(d) "BUF_FMT_" d "_UINT", "BUF_FMT_" d "_SINT", "BUF_FMT_" d "_FLOAT"

static const char *const gfx10[] = {
   "BUF_FMT_INVALID", N6("8"), N7("16"), N6("8_8"), N3("32"), N7("16_16"), N7("10_11_11"), N7("11_11_10"),
   N6("10_10_10_2"), N6("2_10_10_10"), N6("8_8_8_8"), N3("32_32"), N7("16_16_16_16"), N3("32_32_32"),
   N3("32_32_32_32"),
};
static const char *const gfx11[] = {
   "BUF_FMT_INVALID", N6("8"), N7("16"), N6("8_8"), N3("32"), N7("16_16"), "BUF_FMT_10_11_11_FLOAT",
   "BUF_FMT_11_11_10_FLOAT", "BUF_FMT_10_10_10_2_UNORM", "BUF_FMT_10_10_10_2_SNORM", "BUF_FMT_10_10_10_2_UINT",
   "BUF_FMT_10_10_10_2_SINT", N6("2_10_10_10"), N6("8_8_8_8"), N3("32_32"), N7("16_16_16_16"), N3("32_32_32"),
   N3("32_32_32_32"),
};
_Static_assert(sizeof(gfx10) / sizeof(gfx10[0]) == 78, "GFX10 has formats 0..77");
_Static_assert(sizeof(gfx11) / sizeof(gfx11[0]) == 64, "GFX11 has formats 0..63");

const char *isa_buffer_format_name(enum tgsiamd_gfx gfx, unsigned format)
{
   if (gfx >= TGSIAMD_GFX11)
      return format < 64 ? gfx11[format] : NULL;
   return format < 78 ? gfx10[format] : NULL;
}
