/* SPDX-License-Identifier: MIT */
/* Format translation: SQ_IMG_RSRC_WORD1 (T#), CB_COLOR0_INFO and DB_Z_INFO.
 * The data formats of textures and of colour buffers have the same numbers. */
#include "sample_positions.h"
#include "format.h"
#include "screen.h"

#include "pipe/p_defines.h"
#include "util/macros.h"
#include "util/u_math.h"
#include "amdgfxregs.h"

/* Hardware names list channels from the most significant bits, pipe formats
 * from the least significant. */
static const struct {
   uint8_t bits[4];
   uint8_t data;
   bool color;
} plain_formats[] = {
   {{8}, V_008F14_IMG_DATA_FORMAT_8, true},
   {{16}, V_008F14_IMG_DATA_FORMAT_16, true},
   {{8, 8}, V_008F14_IMG_DATA_FORMAT_8_8, true},
   {{32}, V_008F14_IMG_DATA_FORMAT_32, true},
   {{16, 16}, V_008F14_IMG_DATA_FORMAT_16_16, true},
   {{2, 10, 10, 10}, V_008F14_IMG_DATA_FORMAT_10_10_10_2, true},
   {{10, 10, 10, 2}, V_008F14_IMG_DATA_FORMAT_2_10_10_10, true},
   {{8, 8, 8, 8}, V_008F14_IMG_DATA_FORMAT_8_8_8_8, true},
   {{32, 32}, V_008F14_IMG_DATA_FORMAT_32_32, true},
   {{16, 16, 16, 16}, V_008F14_IMG_DATA_FORMAT_16_16_16_16, true},
   {{32, 32, 32, 32}, V_008F14_IMG_DATA_FORMAT_32_32_32_32, true},
   {{5, 6, 5}, V_008F14_IMG_DATA_FORMAT_5_6_5, true},
   {{5, 5, 5, 1}, V_008F14_IMG_DATA_FORMAT_1_5_5_5, true},
   {{1, 5, 5, 5}, V_008F14_IMG_DATA_FORMAT_5_5_5_1, true},
   {{4, 4, 4, 4}, V_008F14_IMG_DATA_FORMAT_4_4_4_4, true},
};

/* Formats that util_format does not describe by plain channels. */
static const struct {
   enum pipe_format format;
   uint8_t data, num;
} odd_formats[] = {
   {PIPE_FORMAT_R11G11B10_FLOAT, V_008F14_IMG_DATA_FORMAT_10_11_11, V_008F14_IMG_NUM_FORMAT_FLOAT},
   {PIPE_FORMAT_R9G9B9E5_FLOAT, V_008F14_IMG_DATA_FORMAT_5_9_9_9, V_008F14_IMG_NUM_FORMAT_FLOAT},
   {PIPE_FORMAT_Z16_UNORM, V_008F14_IMG_DATA_FORMAT_16, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_Z24X8_UNORM, V_008F14_IMG_DATA_FORMAT_8_24, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_Z24_UNORM_S8_UINT, V_008F14_IMG_DATA_FORMAT_8_24, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_Z32_FLOAT, V_008F14_IMG_DATA_FORMAT_32, V_008F14_IMG_NUM_FORMAT_FLOAT},
   {PIPE_FORMAT_Z32_FLOAT_S8X24_UINT, V_008F14_IMG_DATA_FORMAT_32, V_008F14_IMG_NUM_FORMAT_FLOAT},
   {PIPE_FORMAT_S8_UINT, V_008F14_IMG_DATA_FORMAT_8, V_008F14_IMG_NUM_FORMAT_UINT},
   {PIPE_FORMAT_X24S8_UINT, V_008F14_IMG_DATA_FORMAT_8, V_008F14_IMG_NUM_FORMAT_UINT},
   {PIPE_FORMAT_X32_S8X24_UINT, V_008F14_IMG_DATA_FORMAT_8, V_008F14_IMG_NUM_FORMAT_UINT},
   {PIPE_FORMAT_DXT1_RGB, V_008F14_IMG_DATA_FORMAT_BC1, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_DXT1_RGBA, V_008F14_IMG_DATA_FORMAT_BC1, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_DXT1_SRGB, V_008F14_IMG_DATA_FORMAT_BC1, V_008F14_IMG_NUM_FORMAT_SRGB},
   {PIPE_FORMAT_DXT1_SRGBA, V_008F14_IMG_DATA_FORMAT_BC1, V_008F14_IMG_NUM_FORMAT_SRGB},
   {PIPE_FORMAT_DXT3_RGBA, V_008F14_IMG_DATA_FORMAT_BC2, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_DXT3_SRGBA, V_008F14_IMG_DATA_FORMAT_BC2, V_008F14_IMG_NUM_FORMAT_SRGB},
   {PIPE_FORMAT_DXT5_RGBA, V_008F14_IMG_DATA_FORMAT_BC3, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_DXT5_SRGBA, V_008F14_IMG_DATA_FORMAT_BC3, V_008F14_IMG_NUM_FORMAT_SRGB},
   {PIPE_FORMAT_RGTC1_UNORM, V_008F14_IMG_DATA_FORMAT_BC4, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_RGTC1_SNORM, V_008F14_IMG_DATA_FORMAT_BC4, V_008F14_IMG_NUM_FORMAT_SNORM},
   {PIPE_FORMAT_LATC1_UNORM, V_008F14_IMG_DATA_FORMAT_BC4, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_LATC1_SNORM, V_008F14_IMG_DATA_FORMAT_BC4, V_008F14_IMG_NUM_FORMAT_SNORM},
   {PIPE_FORMAT_RGTC2_UNORM, V_008F14_IMG_DATA_FORMAT_BC5, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_RGTC2_SNORM, V_008F14_IMG_DATA_FORMAT_BC5, V_008F14_IMG_NUM_FORMAT_SNORM},
   {PIPE_FORMAT_LATC2_UNORM, V_008F14_IMG_DATA_FORMAT_BC5, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_LATC2_SNORM, V_008F14_IMG_DATA_FORMAT_BC5, V_008F14_IMG_NUM_FORMAT_SNORM},
   {PIPE_FORMAT_BPTC_RGB_FLOAT, V_008F14_IMG_DATA_FORMAT_BC6, V_008F14_IMG_NUM_FORMAT_SNORM},
   {PIPE_FORMAT_BPTC_RGB_UFLOAT, V_008F14_IMG_DATA_FORMAT_BC6, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_BPTC_RGBA_UNORM, V_008F14_IMG_DATA_FORMAT_BC7, V_008F14_IMG_NUM_FORMAT_UNORM},
   {PIPE_FORMAT_BPTC_SRGBA, V_008F14_IMG_DATA_FORMAT_BC7, V_008F14_IMG_NUM_FORMAT_SRGB},
};

static int
find_plain(const struct util_format_description *desc)
{
   if (desc->layout != UTIL_FORMAT_LAYOUT_PLAIN ||
       (desc->colorspace != UTIL_FORMAT_COLORSPACE_RGB &&
        desc->colorspace != UTIL_FORMAT_COLORSPACE_SRGB))
      return -1;
   for (unsigned i = 0; i < ARRAY_SIZE(plain_formats); i++) {
      bool same = true;
      for (unsigned c = 0; c < 4; c++)
         same &= plain_formats[i].bits[c] == (c < desc->nr_channels ? desc->channel[c].size : 0);
      if (same)
         return i;
   }
   return -1;
}

/* V_008F14_IMG_NUM_FORMAT_* of a plain format, -1 when it mixes types. */
static int
number_type(const struct util_format_description *desc)
{
   int first = util_format_get_first_non_void_channel(desc->format);
   const struct util_format_channel_description *ch;

   if (first < 0 || desc->is_mixed)
      return -1;
   ch = &desc->channel[first];
   /* Of two channels the second would be decoded as a colour, though it is alpha. */
   if (desc->colorspace == UTIL_FORMAT_COLORSPACE_SRGB)
      return ch->size == 8 && ch->type == UTIL_FORMAT_TYPE_UNSIGNED &&
                   (desc->nr_channels == 1 || desc->nr_channels == 4)
                ? V_008F14_IMG_NUM_FORMAT_SRGB : -1;
   switch (ch->type) {
   case UTIL_FORMAT_TYPE_FLOAT:
      return ch->size == 16 || ch->size == 32 ? V_008F14_IMG_NUM_FORMAT_FLOAT : -1;
   case UTIL_FORMAT_TYPE_UNSIGNED:
      if (ch->pure_integer)
         return V_008F14_IMG_NUM_FORMAT_UINT;
      return ch->normalized && ch->size < 32 ? V_008F14_IMG_NUM_FORMAT_UNORM : -1;
   case UTIL_FORMAT_TYPE_SIGNED:
      if (ch->pure_integer)
         return V_008F14_IMG_NUM_FORMAT_SINT;
      return ch->normalized && ch->size < 32 ? V_008F14_IMG_NUM_FORMAT_SNORM : -1;
   default:
      return -1;
   }
}

bool
tgsiamd_tex_format(enum pipe_format format, struct tgsiamd_tex_format *out)
{
   const struct util_format_description *desc = util_format_description(format);
   int i, num;

   memcpy(out->swizzle, desc->swizzle, 4);
   for (unsigned o = 0; o < ARRAY_SIZE(odd_formats); o++) {
      if (odd_formats[o].format != format)
         continue;
      out->data = odd_formats[o].data;
      out->num = odd_formats[o].num;
      if (desc->colorspace == UTIL_FORMAT_COLORSPACE_ZS) {
         /* A plane by itself has one channel. */
         for (unsigned c = 0; c < 4; c++)
            out->swizzle[c] = PIPE_SWIZZLE_X;
      }
      return true;
   }
   i = find_plain(desc);
   num = i >= 0 ? number_type(desc) : -1;
   if (num < 0)
      return false;
   out->data = plain_formats[i].data;
   out->num = num;
   return true;
}

/* Which channel of memory feeds R, G, B and A in each of the four swaps, by
 * number of channels; '_' is not fed. */
static const char *const swaps[4][4] = {
   [V_028C70_SWAP_STD] = {"X___", "XY__", "XYZ_", "XYZW"},
   [V_028C70_SWAP_ALT] = {"____", "X__Y", "____", "ZYXW"},
   [V_028C70_SWAP_STD_REV] = {"____", "YX__", "ZYX_", "WZYX"},
   [V_028C70_SWAP_ALT_REV] = {"___X", "Y__X", "____", "YZWX"},
};

static int
find_swap(const struct util_format_description *desc)
{
   for (unsigned s = 0; s < 4; s++) {
      const char *want = swaps[s][desc->nr_channels - 1];
      bool fits = want[0] != '_' || want[3] != '_';

      for (unsigned c = 0; c < 4; c++) {
         unsigned channel = want[c] == 'W' ? 3 : want[c] - 'X';

         if (want[c] == '_' || desc->channel[channel].type == UTIL_FORMAT_TYPE_VOID)
            continue;
         fits &= desc->swizzle[c] == channel;
      }
      if (fits)
         return s;
   }
   return -1;
}

bool
tgsiamd_color_format(enum pipe_format format, struct tgsiamd_color_format *out)
{
   static const uint8_t numbers[16] = {
      [V_008F14_IMG_NUM_FORMAT_UNORM] = V_028C70_NUMBER_UNORM,
      [V_008F14_IMG_NUM_FORMAT_SNORM] = V_028C70_NUMBER_SNORM,
      [V_008F14_IMG_NUM_FORMAT_UINT] = V_028C70_NUMBER_UINT,
      [V_008F14_IMG_NUM_FORMAT_SINT] = V_028C70_NUMBER_SINT,
      [V_008F14_IMG_NUM_FORMAT_FLOAT] = V_028C70_NUMBER_FLOAT,
      [V_008F14_IMG_NUM_FORMAT_SRGB] = V_028C70_NUMBER_SRGB,
   };
   const struct util_format_description *desc = util_format_description(format);
   int i, num, swap;

   memset(out, 0, sizeof(*out));
   if (format == PIPE_FORMAT_R11G11B10_FLOAT) {
      out->format = V_028C70_COLOR_10_11_11;
      num = V_008F14_IMG_NUM_FORMAT_FLOAT;
      swap = V_028C70_SWAP_STD;
   } else {
      i = find_plain(desc);
      if (i < 0)
         return false;
      num = number_type(desc);
      swap = find_swap(desc);
      if (num < 0 || swap < 0)
         return false;
      out->format = plain_formats[i].data;
   }
   out->number = numbers[num];
   out->swap = swap;

   bool is_int = out->number == V_028C70_NUMBER_UINT || out->number == V_028C70_NUMBER_SINT;
   bool is_norm = out->number == V_028C70_NUMBER_UNORM || out->number == V_028C70_NUMBER_SNORM ||
                  out->number == V_028C70_NUMBER_SRGB;
   out->blend_clamp = is_norm;
   out->blend_bypass = is_int;
   out->round_by_half = !is_norm;
   if (is_int) {
      unsigned bits = desc->channel[util_format_get_first_non_void_channel(format)].size;
      out->is_int8 = bits == 8;
      out->is_int10 = bits == 10 || bits == 2;
   }
   out->force_alpha_1 = desc->swizzle[3] == PIPE_SWIZZLE_1 || util_format_is_intensity(format);
   ac_choose_spi_color_formats(out->format, out->swap, out->number, false, false, &out->spi);
   return true;
}

unsigned
tgsiamd_depth_format(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_Z16_UNORM:
      return V_028040_Z_16;
   case PIPE_FORMAT_Z24X8_UNORM:
   case PIPE_FORMAT_Z24_UNORM_S8_UINT:
      return V_028040_Z_24;
   case PIPE_FORMAT_Z32_FLOAT:
   case PIPE_FORMAT_Z32_FLOAT_S8X24_UINT:
      return V_028040_Z_32_FLOAT;
   default:
      return V_028040_Z_INVALID;
   }
}

unsigned
tgsiamd_sq_sel(unsigned swizzle)
{
   switch (swizzle) {
   case PIPE_SWIZZLE_X:
      return V_008F0C_SQ_SEL_X;
   case PIPE_SWIZZLE_Y:
      return V_008F0C_SQ_SEL_Y;
   case PIPE_SWIZZLE_Z:
      return V_008F0C_SQ_SEL_Z;
   case PIPE_SWIZZLE_W:
      return V_008F0C_SQ_SEL_W;
   case PIPE_SWIZZLE_1:
      return V_008F0C_SQ_SEL_1;
   default:
      return V_008F0C_SQ_SEL_0;
   }
}

static bool
vertex_format(struct tgsiamd_screen *screen, enum pipe_format format)
{
   const struct ac_vtx_format_info *vtx;

   if (format == PIPE_FORMAT_NONE)
      return false;
   vtx = ac_get_vtx_format_info(screen->info->gfx_level, screen->info->family, format);
   /* The table's format of 64-bit channels fetches their bits; as a vertex format
    * they are to become floats, which u_vbuf does. */
   return vtx->num_channels && vtx->chan_byte_size < 8 &&
          (vtx->has_hw_format & (1 << (vtx->num_channels - 1)));
}

uint32_t
tgsiamd_buffer_format(const struct radeon_info *info, enum pipe_format format)
{
   const struct ac_vtx_format_info *vtx = ac_get_vtx_format_info(info->gfx_level, info->family, format);
   struct tgsiamd_tex_format tex;
   unsigned last = MAX2(vtx->num_channels, 1) - 1;

   if (util_format_is_scaled(format))
      return 0;
   if (vtx->has_hw_format & (1 << last) && vtx->chan_byte_size < 8)
      return vtx->dst_sel | S_008F0C_DATA_FORMAT(vtx->hw_format[last] & 0xf) |
             S_008F0C_NUM_FORMAT(vtx->hw_format[last] >> 4);
   /* One or two plain channels, put elsewhere; these formats have the same numbers in V# and T#. */
   if (!(util_format_is_alpha(format) || util_format_is_luminance(format) ||
         util_format_is_luminance_alpha(format) || util_format_is_intensity(format)) ||
       util_format_is_srgb(format) || util_format_is_compressed(format) || !tgsiamd_tex_format(format, &tex))
      return 0;
   return S_008F0C_DST_SEL_X(tgsiamd_sq_sel(tex.swizzle[0])) | S_008F0C_DST_SEL_Y(tgsiamd_sq_sel(tex.swizzle[1])) |
          S_008F0C_DST_SEL_Z(tgsiamd_sq_sel(tex.swizzle[2])) | S_008F0C_DST_SEL_W(tgsiamd_sq_sel(tex.swizzle[3])) |
          S_008F0C_DATA_FORMAT(tex.data) | S_008F0C_NUM_FORMAT(tex.num);
}

bool
tgsiamd_is_format_supported(struct pipe_screen *pscreen, enum pipe_format format,
                            enum pipe_texture_target target, unsigned sample_count,
                            unsigned storage_sample_count, unsigned bind)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);
   struct tgsiamd_tex_format tex;
   struct tgsiamd_color_format color;
   bool color_ok;
   unsigned left = bind;

   if (MAX2(1, sample_count) != MAX2(1, storage_sample_count))
      return false;
   if (sample_count > 1) {
      if (sample_count > TGSIAMD_MAX_SAMPLES || !util_is_power_of_two_nonzero(sample_count) ||
          (target != PIPE_TEXTURE_2D && target != PIPE_TEXTURE_2D_ARRAY) ||
          util_format_is_compressed(format) || (bind & PIPE_BIND_SHADER_IMAGE))
         return false;
      /* A framebuffer without attachments. */
      if (format == PIPE_FORMAT_NONE)
         return true;
   }
   if (target == PIPE_BUFFER) {
      if (bind & PIPE_BIND_VERTEX_BUFFER && vertex_format(screen, format))
         left &= ~PIPE_BIND_VERTEX_BUFFER;
      if (bind & PIPE_BIND_SAMPLER_VIEW && tgsiamd_buffer_format(screen->info, format))
         left &= ~PIPE_BIND_SAMPLER_VIEW;
      return !(left & (PIPE_BIND_VERTEX_BUFFER | PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_SHADER_IMAGE));
   }

   color_ok = tgsiamd_color_format(format, &color);
   if (bind & PIPE_BIND_SAMPLER_VIEW && tgsiamd_tex_format(format, &tex))
      left &= ~PIPE_BIND_SAMPLER_VIEW;
   if (color_ok)
      left &= ~(PIPE_BIND_RENDER_TARGET | PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT |
                PIPE_BIND_SHARED);
   if (color_ok && !util_format_is_pure_integer(format))
      left &= ~PIPE_BIND_BLENDABLE;
   if (tgsiamd_depth_format(format) != V_028040_Z_INVALID)
      left &= ~PIPE_BIND_DEPTH_STENCIL;
   if (!util_format_is_compressed(format) && !util_format_is_depth_or_stencil(format))
      left &= ~PIPE_BIND_LINEAR;
   if (vertex_format(screen, format))
      left &= ~PIPE_BIND_VERTEX_BUFFER;
   return !(left & (PIPE_BIND_SAMPLER_VIEW | PIPE_BIND_RENDER_TARGET | PIPE_BIND_DISPLAY_TARGET |
                    PIPE_BIND_SCANOUT | PIPE_BIND_SHARED | PIPE_BIND_BLENDABLE |
                    PIPE_BIND_DEPTH_STENCIL | PIPE_BIND_LINEAR | PIPE_BIND_VERTEX_BUFFER |
                    PIPE_BIND_SHADER_IMAGE));
}
