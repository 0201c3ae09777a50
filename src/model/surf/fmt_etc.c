/* SPDX-License-Identifier: MIT */
/* ETC2 and EAC image formats (IMG_DATA_FORMAT_ETC2_*), which Raven's texture
 * unit decodes: Khronos Data Format Specification, chapters ETC2 and EAC. Blocks
 * are big-endian 64-bit words; pixels are numbered down the columns. */
#include "util/format_srgb.h"
#include "fmt.h"

static uint64_t load_be64(const uint8_t *p)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < 8; i++)
      v = v << 8 | p[i];
   return v;
}

static inline unsigned field(uint64_t v, unsigned hi, unsigned lo) { return v >> lo & ((1u << (hi - lo + 1)) - 1); }
static inline int clamp255(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
static inline int expand4(unsigned v) { return v * 17; }
static inline int expand5(unsigned v) { return v << 3 | v >> 2; }
static inline int expand6(unsigned v) { return v << 2 | v >> 4; }
static inline int expand7(unsigned v) { return v << 1 | v >> 6; }

static const uint8_t modifiers[8][2] = {
   { 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
};
static const uint8_t distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

/* T and H modes: four paint colours made of two. */
static void paint(const int a[3], const int b[3], bool h_mode, int d, unsigned index, int out[3])
{
   const int *c = h_mode ? (index < 2 ? a : b) : (index == 0 ? a : b);
   int sign = h_mode ? (index & 1 ? -1 : 1) : index == 1 ? 1 : index == 3 ? -1 : 0;
   for (unsigned i = 0; i < 3; i++)
      out[i] = clamp255(c[i] + sign * d);
}

static void t_mode(uint64_t v, unsigned index, int out[3])
{
   int a[3] = { expand4(field(v, 60, 59) << 2 | field(v, 57, 56)), expand4(field(v, 55, 52)), expand4(field(v, 51, 48)) };
   int b[3] = { expand4(field(v, 47, 44)), expand4(field(v, 43, 40)), expand4(field(v, 39, 36)) };
   paint(a, b, false, distances[field(v, 35, 34) << 1 | field(v, 32, 32)], index, out);
}

static void h_mode(uint64_t v, unsigned index, int out[3])
{
   int a[3] = { expand4(field(v, 62, 59)), expand4(field(v, 58, 56) << 1 | field(v, 52, 52)),
                expand4(field(v, 51, 51) << 3 | field(v, 49, 47)) };
   int b[3] = { expand4(field(v, 46, 43)), expand4(field(v, 42, 39)), expand4(field(v, 38, 35)) };
   int va = a[0] << 16 | a[1] << 8 | a[2], vb = b[0] << 16 | b[1] << 8 | b[2];
   paint(a, b, true, distances[field(v, 34, 34) << 2 | field(v, 32, 32) << 1 | (va >= vb)], index, out);
}

static void planar(uint64_t v, int x, int y, int out[3])
{
   int o[3] = { expand6(field(v, 62, 57)), expand7(field(v, 56, 56) << 6 | field(v, 54, 49)),
                expand6(field(v, 48, 48) << 5 | field(v, 44, 43) << 3 | field(v, 41, 39)) };
   int h[3] = { expand6(field(v, 38, 34) << 1 | field(v, 32, 32)), expand7(field(v, 31, 25)), expand6(field(v, 24, 19)) };
   int d[3] = { expand6(field(v, 18, 13)), expand7(field(v, 12, 6)), expand6(field(v, 5, 0)) };
   for (unsigned i = 0; i < 3; i++)
      out[i] = clamp255((x * (h[i] - o[i]) + y * (d[i] - o[i]) + 4 * o[i] + 2) >> 2);
}

/* RGB of one texel; false when punch-through alpha makes it transparent. */
static bool etc2_rgb(uint64_t v, unsigned x, unsigned y, bool punch, int out[3])
{
   unsigned p = x * 4 + y, index = (v >> (16 + p) & 1) << 1 | (v >> p & 1);
   bool flag = v >> 33 & 1, flip = v >> 32 & 1; /* differential, or opaque */
   bool opaque = !punch || flag;
   int base[2][3];

   if (punch || flag) {
      for (unsigned i = 0; i < 3; i++) {
         int c = field(v, 63 - 8 * i, 59 - 8 * i), d = field(v, 58 - 8 * i, 56 - 8 * i);
         d = d >= 4 ? d - 8 : d;
         if (c + d < 0 || c + d > 31) {
            if (i == 2) {
               planar(v, x, y, out);
               return true;
            }
            if (!opaque && index == 2)
               return false;
            (i == 0 ? t_mode : h_mode)(v, index, out);
            return true;
         }
         base[0][i] = expand5(c);
         base[1][i] = expand5(c + d);
      }
   } else {
      for (unsigned i = 0; i < 3; i++) {
         base[0][i] = expand4(field(v, 63 - 8 * i, 60 - 8 * i));
         base[1][i] = expand4(field(v, 59 - 8 * i, 56 - 8 * i));
      }
   }
   if (!opaque && index == 2)
      return false;
   unsigned half = flip ? y >= 2 : x >= 2, table = half ? field(v, 36, 34) : field(v, 39, 37);
   int m = modifiers[table][index & 1];
   if (!opaque && !(index & 1))
      m = 0;
   if (index & 2)
      m = -m;
   for (unsigned i = 0; i < 3; i++)
      out[i] = clamp255(base[half][i] + m);
   return true;
}

static const int8_t eac_modifiers[16][8] = {
   { -3, -6, -9, -15, 2, 5, 8, 14 }, { -3, -7, -10, -13, 2, 6, 9, 12 }, { -2, -5, -8, -13, 1, 4, 7, 12 },
   { -2, -4, -6, -13, 1, 3, 5, 12 }, { -3, -6, -8, -12, 2, 5, 7, 11 }, { -3, -7, -9, -11, 2, 6, 8, 10 },
   { -4, -7, -8, -11, 3, 6, 7, 10 }, { -3, -5, -8, -11, 2, 4, 7, 10 }, { -2, -6, -8, -10, 1, 5, 7, 9 },
   { -2, -5, -8, -10, 1, 4, 7, 9 }, { -2, -4, -8, -10, 1, 3, 7, 9 }, { -2, -5, -7, -10, 1, 4, 6, 9 },
   { -3, -4, -7, -10, 2, 3, 6, 9 }, { -1, -2, -3, -10, 0, 1, 2, 9 }, { -4, -6, -8, -9, 3, 5, 7, 8 },
   { -3, -5, -7, -9, 2, 4, 6, 8 },
};

static int eac_modifier(uint64_t v, unsigned x, unsigned y)
{
   unsigned p = x * 4 + y;
   return eac_modifiers[field(v, 51, 48)][v >> (45 - 3 * p) & 7];
}

static int eac_alpha(uint64_t v, unsigned x, unsigned y)
{
   return clamp255((int)field(v, 63, 56) + eac_modifier(v, x, y) * (int)field(v, 55, 52));
}

static float eac_11(uint64_t v, unsigned x, unsigned y, bool is_signed)
{
   int mult = field(v, 55, 52), m = eac_modifier(v, x, y) * (mult ? mult * 8 : 1);
   if (!is_signed) {
      int r = (int)field(v, 63, 56) * 8 + 4 + m;
      return (r < 0 ? 0 : r > 2047 ? 2047 : r) / 2047.0f;
   }
   int base = (int8_t)field(v, 63, 56), r = (base < -127 ? -127 : base) * 8 + m;
   return (r < -1023 ? -1023 : r > 1023 ? 1023 : r) / 1023.0f;
}

enum { ETC2_RGB = 24, ETC2_RGBA, ETC2_R, ETC2_RG, ETC2_RGBA1 };

static void texel_etc2(const struct fmt *f, const void *block, unsigned x, unsigned y, uint32_t out[4])
{
   const uint8_t *p = block;
   unsigned kind = f->shift[0];
   int rgb[3] = { 0 }, a = 255;
   if (kind == ETC2_RGBA) {
      a = eac_alpha(load_be64(p), x, y);
      p += 8;
   }
   if (!etc2_rgb(load_be64(p), x, y, kind == ETC2_RGBA1, rgb))
      a = rgb[0] = rgb[1] = rgb[2] = 0;
   for (unsigned i = 0; i < 3; i++)
      out[i] = fmt_f2u(f->num[0] == FMT_SRGB ? util_format_srgb_8unorm_to_linear_float(rgb[i]) : rgb[i] / 255.0f);
   out[3] = fmt_f2u(a / 255.0f);
}

static void texel_eac(const struct fmt *f, const void *block, unsigned x, unsigned y, uint32_t out[4])
{
   const uint8_t *p = block;
   out[1] = out[2] = 0;
   out[3] = 0x3f800000;
   for (unsigned i = 0; i < f->num_comp; i++)
      out[i] = fmt_f2u(eac_11(load_be64(p + 8 * i), x, y, f->num[0] == FMT_SNORM));
}

bool fmt_etc_init(struct fmt *f, unsigned data_format, unsigned num_format)
{
   static const struct { const char *name; uint8_t bytes, comps; } kinds[] = {
      { "ETC2_RGB", 8, 3 }, { "ETC2_RGBA", 16, 4 }, { "ETC2_R", 8, 1 }, { "ETC2_RG", 16, 2 }, { "ETC2_RGBA1", 8, 4 },
   };
   if (data_format < ETC2_RGB || data_format > ETC2_RGBA1)
      return false;
   bool eac = data_format == ETC2_R || data_format == ETC2_RG;
   if (num_format != 0 && num_format != (eac ? 1 : 9))
      return true; /* stays nameless: no such format */
   f->name = kinds[data_format - ETC2_RGB].name;
   f->bytes = kinds[data_format - ETC2_RGB].bytes;
   f->num_comp = kinds[data_format - ETC2_RGB].comps;
   f->block_log2 = 2;
   f->shift[0] = data_format;
   for (unsigned i = 0; i < f->num_comp; i++)
      f->num[i] = num_format == 1 ? FMT_SNORM : num_format == 9 && i < 3 ? FMT_SRGB : FMT_UNORM;
   f->texel = eac ? texel_eac : texel_etc2;
   return true;
}
