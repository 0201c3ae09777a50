/* SPDX-License-Identifier: MIT */
/* A texture for every target: four floats a texel that say where it lies. GFX9 has no 1D
 * textures, they are 2D ones of height 1. */
#ifndef TGSIAMD_TEST_TARGET_TEXTURES_H
#define TGSIAMD_TEST_TARGET_TEXTURES_H

#include <stdbool.h>
#include <stdint.h>

#define SHADOW 1u
#define ARRAY  2u
#define CUBE   4u
#define MSAA   8u
#define BUFFER 16u
#define RECT   32u
#define REF_IN_W 64u  /* no room for a bias or level in src0.w */
#define FIVE   128u   /* the reference is a fifth component */
#define ONE_D  256u
#define THREE_D 512u

/* w, h, slices; coordinates, and the components of layer and reference (4: of the next source). */
struct target {
   const char *name;
   unsigned flags, type, w, h, d, levels;
   int8_t coords, layer, ref;
};
#define NUM_TARGETS 18
extern const struct target targets[NUM_TARGETS];

#define TEXTURE_BYTES 0x100000u /* is enough for each */

/* Of a texel; sample 0 without samples. */
struct place { unsigned x, y, z, level, sample; };
float texel(const struct place *p, unsigned chan);

static inline unsigned minified(unsigned size, unsigned level) { return size >> level ? size >> level : 1; }

/* Fills memory at `va`; T# and a sampler with nearest filters that compares with <=. */
void target_texture(const struct target *t, void *addrlib, uint8_t *base, uint64_t va, uint32_t rsrc[8], uint32_t samp[4]);

/* An FMASK for it, of four samples: which of the texels of a place a sample has, and T# and memory that say so. */
static inline unsigned target_fragment(const struct place *p) { return ((p->sample ^ (p->x & 3)) + p->y + 3 * p->z) & 3; }
void target_fmask(const struct target *t, void *addrlib, uint8_t *base, uint64_t va, uint32_t rsrc[8]);

/* A unit of the compute harness that has such a texture; the FMASK alone, for a texture that is there. */
void target_unit(unsigned unit, const char *target, bool fmask);
void target_unit_fmask(unsigned unit, const char *target);

/* A point of a face, -1 to 1, as a direction. */
void target_direction(unsigned face, float s, float t, float out[3]);

#endif
