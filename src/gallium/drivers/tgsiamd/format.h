/* SPDX-License-Identifier: MIT */
/* Pipe formats as the blocks of GFX9 name them. */
#ifndef TGSIAMD_FORMAT_H
#define TGSIAMD_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "ac_shader_util.h"
#include "util/format/u_format.h"

/* T#: V_008F14_IMG_DATA_FORMAT_ and V_008F14_IMG_NUM_FORMAT_. */
struct tgsiamd_tex_format {
   uint8_t data, num;
   uint8_t swizzle[4]; /* PIPE_SWIZZLE_* of the texels as the hardware returns them */
};

/* CB_COLOR*_INFO: V_028C70_. */
struct tgsiamd_color_format {
   uint8_t format, number, swap;
   bool blend_clamp, blend_bypass, round_by_half;
   bool is_int8, is_int10;
   bool force_alpha_1; /* no alpha channel: destination alpha reads as 1 */
   struct ac_spi_color_formats spi;
};

/* False when the texture unit has no such format. Depth/stencil formats name
 * the plane: Z formats the depth plane, S8_UINT and X24S8/X32_S8X24 stencil. */
bool tgsiamd_tex_format(enum pipe_format format, struct tgsiamd_tex_format *out);
/* False when the colour block cannot render to it. */
bool tgsiamd_color_format(enum pipe_format format, struct tgsiamd_color_format *out);
/* V_028040_Z_*; Z_INVALID when it is no depth format. */
unsigned tgsiamd_depth_format(enum pipe_format format);
/* Word 3 of the V# of a buffer texture, 0 when there is no such format. */
uint32_t tgsiamd_buffer_format(const struct radeon_info *info, enum pipe_format format);
/* SQ_SEL_* of a PIPE_SWIZZLE_*. */
unsigned tgsiamd_sq_sel(unsigned swizzle);

#endif
