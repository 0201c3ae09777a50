/* SPDX-License-Identifier: MIT */
/* Levels of detail from derivatives: each opcode that has them on every target, in pixel
 * shaders. Steps within a quad are 2^n texels of level 0, along axes that take turns, so
 * that the level is n. Coordinates come from textures, a texel a pixel; where texels of
 * the target lie they say themselves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "pixel_harness.h"
#include "target_textures.h"

#define BIAS      1u
#define MODIFIER_1 2u /* the bias is in src1 */
#define VIEW      4u  /* Direct3D's: the reference stands in src1, the bias in src1.y */
#define COMPARES  8u
#define PROJECTED 16u
#define OFFSET    32u
#define LOD       64u

/* TEMP[1] and TEMP[2] are the sources. */
static const struct op { const char *text; unsigned not, flags; } ops[] = {
   { "TEX TEMP[3], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | FIVE },
   { "TEX TEMP[3], TEMP[1], SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | FIVE | CUBE, OFFSET },
   { "TXP TEMP[3], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | REF_IN_W, PROJECTED },
   { "TXB TEMP[3], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | REF_IN_W, BIAS },
   { "TXB TEMP[3], TEMP[1], SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | REF_IN_W | CUBE, BIAS | OFFSET },
   { "TEX2 TEMP[3], TEMP[1], TEMP[2], SAMP[%u], %s", BUFFER | MSAA },
   { "TXB2 TEMP[3], TEMP[1], TEMP[2], SAMP[%u], %s", BUFFER | MSAA, BIAS | MODIFIER_1 },
   { "LODQ TEMP[3].xy, TEMP[1], SAMP[%u], %s", BUFFER | MSAA, LOD },
   { "SAMPLE TEMP[3], TEMP[1], SVIEW[%u], SAMP[%u]", BUFFER | MSAA | SHADOW, VIEW },
   { "SAMPLE_B TEMP[3], TEMP[1], SVIEW[%u], SAMP[%u], TEMP[2].yyyy", BUFFER | MSAA | SHADOW, VIEW | BIAS },
   { "SAMPLE_C TEMP[3], TEMP[1], SVIEW[%u].xxxx, SAMP[%u], TEMP[2].xxxx", BUFFER | MSAA | SHADOW, VIEW | COMPARES },
   { "LOD TEMP[3].xy, TEMP[1], SVIEW[%u], SAMP[%u]", BUFFER | MSAA | SHADOW, VIEW | LOD },
};

/* [lane][unit][channel], [lane][channel] */
static float in[PIXEL_LANES][2][4], expected[PIXEL_LANES][4];

static float
own_texel(unsigned unit, unsigned x, unsigned y, unsigned c)
{
   const unsigned lane = x / 2 * 4 + y * 2 + x % 2;
   return lane < PIXEL_LANES ? in[lane][unit][c] : 0;
}

static float want(unsigned l, unsigned c) { return expected[l][c]; }

/* What a quad's lanes have in common. */
struct quad {
   unsigned level, first[3], z; /* z: the slice of what is no 3D texture */
   float step;                  /* texels of that level */
   int bias, lod;               /* lod: of the derivatives alone */
};

static struct quad
choose(const struct target *t, const struct op *op, unsigned q)
{
   const unsigned sizes[3] = { t->w, t->h, t->d };
   struct quad quad = { .level = q % t->levels, .z = q * 5 % t->d };

   if (op->flags & BIAS) /* what is stretched may leave the smallest level */
      quad.bias = quad.level == 2 ? q & 1 : (int)(q % 3) - 1;
   quad.lod = op->flags & LOD ? (int)(q % 4) - 1 : (int)quad.level - quad.bias;
   quad.step = exp2f(quad.lod - (int)quad.level);
   for (unsigned a = 0; a < 3; a++) {
      const int room = (int)minified(sizes[a], quad.level) - (int)ceilf(quad.step);
      quad.first[a] = q * (3 + a) % MAX2(room, 1);
   }
   return quad;
}

/* Coordinates of a lane, and the texel that is there. */
static struct place
put_coordinates(const struct target *t, const struct op *op, const struct quad *quad, unsigned l)
{
   const unsigned q = l / 4, n = t->flags & CUBE ? 2 : t->coords, sizes[3] = { t->w, t->h, t->d };
   unsigned at[3] = { 0 };
   float *s0 = in[l][0];

   for (unsigned a = 0; a < n; a++) {
      const unsigned size = minified(sizes[a], quad->level), moved = a == q % n ? l & 1 : a == (q + 1) % n ? l >> 1 & 1 : 0;
      const float texels = quad->first[a] + 0.25f + moved * quad->step;
      s0[a] = t->flags & RECT ? texels : texels / size;
      at[a] = CLAMP((int)texels + (op->flags & OFFSET ? a == 0 ? 1 : a == 1 ? -1 : 0 : 0), 0, (int)size - 1);
   }
   if (t->flags & CUBE) {
      float dir[3];
      target_direction(quad->z % 6, 2 * s0[0] - 1, 2 * s0[1] - 1, dir);
      memcpy(s0, dir, sizeof(dir));
   }
   if (t->layer >= 0)
      s0[t->layer] = (t->flags & CUBE ? quad->z / 6 : quad->z) + 0.3f;
   return (struct place){ at[0], at[1], t->flags & THREE_D ? at[2] : quad->z, quad->level };
}

static void
prepare_lane(const struct target *t, const struct op *op, unsigned l)
{
   const struct quad quad = choose(t, op, l / 4);
   const struct place p = put_coordinates(t, op, &quad, l);
   const bool compares = (t->flags & SHADOW && !(op->flags & LOD)) || op->flags & COMPARES;

   if (op->flags & BIAS)
      *(op->flags & VIEW ? &in[l][1][1] : op->flags & MODIFIER_1 ? &in[l][1][t->ref == 4] : &in[l][0][3]) = quad.bias;
   if (compares) /* above or below the texel */
      *(op->flags & COMPARES ? &in[l][1][0] : &in[l][t->ref / 4][t->ref % 4]) = texel(&p, 0) + (l & 8 ? 0.5f : -0.5f);
   if (op->flags & PROJECTED) {
      for (unsigned c = 0; c < 3; c++)
         in[l][0][c] *= c < (unsigned)t->coords || (int)c == t->ref ? 2 : 1;
      in[l][0][3] = 2;
   }
   for (unsigned c = 0; c < 4; c++)
      expected[l][c] = compares ? !(l & 8) : texel(&p, c);
   if (op->flags & LOD) {
      expected[l][0] = CLAMP(quad.lod, 0, (int)t->levels - 1);
      expected[l][1] = t->flags & RECT ? 0 : quad.lod; /* GL has no such query; the hardware, no level */
      expected[l][2] = expected[l][3] = 0;
   }
}

static bool
check(const struct target *t, const struct op *op)
{
   const unsigned unit = PIXEL_OWN_UNITS + (t - targets);
   char text[1024], inst[128], name[160], view[64] = "";

   memset(in, 0, sizeof(in));
   for (unsigned l = 0; l < PIXEL_LANES; l++)
      prepare_lane(t, op, l);
   if (op->flags & VIEW) {
      snprintf(view, sizeof(view), "DCL SVIEW[%u], %s, FLOAT\n", unit, t->name);
      snprintf(inst, sizeof(inst), op->text, unit, unit);
   } else {
      snprintf(inst, sizeof(inst), op->text, unit, t->name);
   }
   snprintf(text, sizeof(text),
            "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0..31]\n%sDCL TEMP[0..3]\n"
            "IMM[0] INT32 {1, -1, 0, 0}\nF2I TEMP[0].xy, IN[0]\nMOV TEMP[0].zw, IMM[0].zzzz\nMOV TEMP[3], IMM[0].zzzz\n"
            "TXF TEMP[1], TEMP[0], SAMP[0], 2D\nTXF TEMP[2], TEMP[0], SAMP[1], 2D\n%s\nMOV OUT[0], TEMP[3]%s\nEND\n",
            view, inst, (t->flags & SHADOW && !(op->flags & LOD)) || op->flags & COMPARES ? ".xxxx" : "");
   snprintf(name, sizeof(name), "%s (%s)", inst, t->name);
   const struct pixel_program program = { name, text, want };
   return !pixel_check(&program, 1);
}

int
main(void)
{
   unsigned bad = 0, ran = 0;

   pixel_own_texel = own_texel;
   for (unsigned t = 1; t < NUM_TARGETS; t++) { /* 0: buffers */
      uint64_t va;
      uint8_t *base = pixel_own_memory(&va);
      uint32_t rsrc[8], samp[4];
      target_texture(&targets[t], pixel_addrlib(), base + t * TEXTURE_BYTES, va + t * TEXTURE_BYTES, rsrc, samp);
      pixel_own_unit(PIXEL_OWN_UNITS + t, rsrc, samp);
   }
   for (unsigned o = 0; o < ARRAY_SIZE(ops); o++) {
      for (unsigned t = 0; t < NUM_TARGETS; t++) {
         if (ops[o].not & targets[t].flags)
            continue;
         bad += !check(&targets[t], &ops[o]);
         ran++;
      }
   }
   printf("%u opcodes and targets, %u wrong\n", ran, bad);
   return bad != 0;
}
