/* SPDX-License-Identifier: MIT */
/* Data and number formats of GFX9: image resources (T#), buffers (V#, MTBUF)
 * and colour targets (CB_COLORn_INFO). One description per pair, so that TA and
 * CB agree on what bits mean. */
#ifndef MODEL_FMT_H
#define MODEL_FMT_H

#include <stdbool.h>
#include <stdint.h>

enum fmt_num {
   FMT_UNORM, FMT_SNORM, FMT_USCALED, FMT_SSCALED, FMT_UINT, FMT_SINT, FMT_FLOAT, FMT_SRGB,
};

struct fmt {
   const char *name;        /* of the data format, for reports */
   uint8_t bytes;           /* per element (per block for compressed ones) */
   uint8_t block_log2;      /* 0, or 2: 4x4 texels */
   bool pair;               /* an element is two texels side by side that share chroma */
   uint8_t num_comp;
   uint8_t bits[4];         /* widths of X, Y, Z, W */
   uint8_t shift[4];        /* from the element's bit 0 */
   uint8_t num[4];          /* enum fmt_num of each component */
   bool is_int;             /* components are integers for the shader */
   bool fmask;              /* FMASK: `fmask_samples` fields of `fmask_bits` */
   uint8_t fmask_samples, fmask_bits, fmask_frags; /* a field of fmask_frags or more: unknown */
   /* Four raw dwords: bits of floats, or integers. Missing components read
    * 0, 0, 0, 1. Never reads beyond `bytes`. */
   void (*unpack)(const struct fmt *f, const void *src, uint32_t out[4]);
   /* Components beyond num_comp are ignored. `truncate`: floats round towards
    * zero instead of to nearest. Unnamed bits are written as 0. NULL when the
    * format cannot be written. */
   void (*pack)(const struct fmt *f, const uint32_t in[4], void *dst, bool truncate);
   /* Compressed formats and pairs: one texel of a block. */
   void (*texel)(const struct fmt *f, const void *block, unsigned x, unsigned y, uint32_t out[4]);
};

/* NULL when the pair does not exist on GFX9. */
const struct fmt *fmt_image(unsigned data_format, unsigned num_format);   /* IMG_DATA_FORMAT, IMG_NUM_FORMAT */
/* The name of an image format that GFX9 has and the model does not, or NULL. */
const char *fmt_image_missing(unsigned data_format);
const struct fmt *fmt_buffer(unsigned data_format, unsigned num_format);  /* BUF_DATA_FORMAT, BUF_NUM_FORMAT */
const struct fmt *fmt_color(unsigned format, unsigned number_type);       /* ColorFormat, SurfaceNumber */

static inline uint32_t fmt_f2u(float f) { union { float f; uint32_t u; } v = { f }; return v.u; }
static inline float fmt_u2f(uint32_t u) { union { uint32_t u; float f; } v = { u }; return v.f; }

float fmt_half_to_float(uint16_t h);
/* Round to nearest even, or towards zero. */
uint16_t fmt_float_to_half(float f, bool truncate);
/* Unsigned floats of `mant` mantissa bits and 5 exponent bits (10, 11 bits). */
float fmt_ufloat_to_float(uint32_t v, unsigned mant);
uint32_t fmt_float_to_ufloat(float f, unsigned mant, bool truncate);

/* fmt_bits.c, fmt_block.c, fmt_etc.c */
void fmt_bits_init(struct fmt *f);
void fmt_rgb9e5_init(struct fmt *f);
bool fmt_pair_init(struct fmt *f, unsigned data_format, unsigned num_format);
bool fmt_block_init(struct fmt *f, unsigned data_format, unsigned num_format);
bool fmt_etc_init(struct fmt *f, unsigned data_format, unsigned num_format);

#endif
