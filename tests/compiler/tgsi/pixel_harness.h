/* SPDX-License-Identifier: MIT */
/* Pixel programs on the model's sequencer, one wave. It starts as the SPI makes it from
 * SPI_PS_INPUT_ADDR. Attribute n is GENERIC[3 + n], the colours of both faces are attributes
 * 3 and 4. */
#ifndef TGSIAMD_TEST_PIXEL_HARNESS_H
#define TGSIAMD_TEST_PIXEL_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#define PIXEL_LANES 64
#define PIXEL_TEX_WIDTH  64 /* of the textures of units 0 and 1, one texel a pixel */
#define PIXEL_TEX_HEIGHT 2
#define PIXEL_SECOND     5000 /* unit 1 has so much more in each texel */

/* Lane 4 q + n is pixel (x, y) of quad q. The primitive is facing front. Lanes
 * of the last quad's lower row are helpers. */
static inline float px(unsigned l) { return (l / 4) * 2 + (l & 1) + 0.5f; }
static inline float py(unsigned l) { return ((l >> 1) & 1) + 0.5f; }
static inline bool helper(unsigned l) { return l >= PIXEL_LANES - 2; }
/* Barycentrics: perspective and linear ones differ so that a mix-up shows. */
static inline float persp_i(unsigned l) { return px(l) / 64; }
static inline float persp_j(unsigned l) { return py(l) / 4; }
static inline float linear_i(unsigned l) { return px(l) / 32; }
static inline float linear_j(unsigned l) { return py(l) / 2; }


/* [attribute][channel][P0, P10, P20] */
static inline float attr(unsigned a, unsigned c, unsigned k) { return (float)(a * 12 + c * 3 + k) - 9.0f; }
static inline float persp(unsigned a, unsigned c, unsigned l)
{
   return attr(a, c, 0) + attr(a, c, 1) * persp_i(l) + attr(a, c, 2) * persp_j(l);
}
static inline float linear(unsigned a, unsigned c, unsigned l)
{
   return attr(a, c, 0) + attr(a, c, 1) * linear_i(l) + attr(a, c, 2) * linear_j(l);
}
static inline float pixel_texel(unsigned x, unsigned y, unsigned c) { return x + 100.0f * y + 1000.0f * c; }

/* Colour channel c of lane l, NAN: the lane is discarded. Programs have one colour. */
struct pixel_program {
   const char *name, *text;
   float (*want)(unsigned l, unsigned c);
   bool flat; /* flatshade */
   bool back; /* the primitive shows its back */
};

/* For tests with texels and textures of their own: the texels of units 0 and 1, memory,
 * and descriptors of units behind them. */
extern float (*pixel_own_texel)(unsigned unit, unsigned x, unsigned y, unsigned c);
#define PIXEL_OWN_BYTES 0x1400000u
#define PIXEL_OWN_UNITS 2u
uint8_t *pixel_own_memory(uint64_t *va);
void *pixel_addrlib(void);
void pixel_own_unit(unsigned unit, const uint32_t rsrc[8], const uint32_t samp[4]);

/* Runs each, optimised, not, and with all in memory; prints what is wrong; number of failures. */
unsigned pixel_check(const struct pixel_program *programs, unsigned num);
/* With an argument it plants faults too (planted.h), most of which must be found. */
int pixel_main(const struct pixel_program *programs, unsigned num, int argc, char **argv);

#endif
