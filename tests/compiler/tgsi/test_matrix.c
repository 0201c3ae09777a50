/* SPDX-License-Identifier: MIT */
/* Every texture opcode on every target that it can have, and loads, stores and sizes of
 * images, in compute programs on the model's texture unit. A texel says where it lies:
 * what must come out follows from the coordinates by the rules of GL and TGSI, with
 * nearest filters. A pair of opcode and target either runs here or is one that
 * test_textures wants refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "compute_harness.h"
#include "target_textures.h"

#define THREADS_ALL (THREADS * GROUPS)

enum kind { IMPLICIT, PROJECTED, LEVEL, DERIVS, FETCH, GATHER, GATHER_4, SIZE, SAMPLES };
#define MODIFIER_1 1u  /* bias or level in src1 */
#define OFFSET     2u
#define VIEW       4u  /* Direct3D's: the reference stands in src1, the level in src1.y */
#define NO_LEVEL   8u
#define COMPARES   16u
#define COMPONENT_Y 32u
#define IMAGE      128u
#define OUTSIDE    64u /* beyond the texture: 0 in all components; TXF's alpha may be 1 */

/* %s is the target; TEMP[1..3] are the sources, TEMP[5] is compared. `not`: test_textures has the same. */
static const struct op { const char *text; unsigned not; enum kind kind; unsigned flags, only; } ops[] = {
   { "TEX TEMP[5], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | FIVE, IMPLICIT },
   { "TEX_LZ TEMP[5], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | FIVE, IMPLICIT },
   { "TXB TEMP[5], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | REF_IN_W, IMPLICIT },
   { "TXP TEMP[5], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | REF_IN_W, PROJECTED },
   { "TXL TEMP[5], TEMP[1], SAMP[%u], %s", BUFFER | MSAA | REF_IN_W, LEVEL },
   { "TEX2 TEMP[5], TEMP[1], TEMP[2], SAMP[%u], %s", BUFFER | MSAA, IMPLICIT },
   { "TXB2 TEMP[5], TEMP[1], TEMP[2], SAMP[%u], %s", BUFFER | MSAA, IMPLICIT, MODIFIER_1 },
   { "TXL2 TEMP[5], TEMP[1], TEMP[2], SAMP[%u], %s", BUFFER | MSAA, LEVEL, MODIFIER_1 },
   { "TXD TEMP[5], TEMP[1], TEMP[2], TEMP[3], SAMP[%u], %s", BUFFER | MSAA | FIVE, DERIVS },
   { "TXF TEMP[5], TEMP[1], SAMP[%u], %s", 0, FETCH },
   { "TXF_LZ TEMP[5], TEMP[1], SAMP[%u], %s", 0, FETCH, NO_LEVEL },
   { "TXQ TEMP[5], TEMP[1].xxxx, SAMP[%u], %s", 0, SIZE },
   { "TXQS TEMP[5].x, SAMP[%u], %s", 0, SAMPLES, .only = MSAA },
   { "TG4 TEMP[5], TEMP[1], IMM[0].zzzz, SAMP[%u], %s", BUFFER | MSAA | ONE_D | THREE_D | FIVE, GATHER },
   { "TG4 TEMP[5], TEMP[1], TEMP[2].xxxx, SAMP[%u], %s", 0, GATHER, .only = FIVE },
   { "TG4 TEMP[5], TEMP[1], IMM[0].xxxx, SAMP[%u], %s", BUFFER | MSAA | ONE_D | THREE_D | SHADOW, GATHER, COMPONENT_Y },
   { "TEX TEMP[5], TEMP[1], SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | FIVE | CUBE, IMPLICIT, OFFSET },
   { "TXP TEMP[5], TEMP[1], SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | REF_IN_W | CUBE, PROJECTED, OFFSET },
   { "TXL TEMP[5], TEMP[1], SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | REF_IN_W | CUBE, LEVEL, OFFSET },
   { "TXL TEMP[5], TEMP[1], SAMP[%u], %s, TEMP[4].xyz", BUFFER | MSAA | REF_IN_W | CUBE, LEVEL, OFFSET },
   { "TXD TEMP[5], TEMP[1], TEMP[2], TEMP[3], SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | FIVE | CUBE, DERIVS, OFFSET },
   { "TXF TEMP[5], TEMP[1], SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | CUBE, FETCH, OFFSET },
   { "TG4 TEMP[5], TEMP[1], IMM[0].zzzz, SAMP[%u], %s, IMM[0].xyz", BUFFER | MSAA | CUBE | ONE_D | THREE_D, GATHER, OFFSET },
   { "TG4 TEMP[5], TEMP[1], IMM[0].zzzz, SAMP[%u], %s, TEMP[4].xyz", BUFFER | MSAA | CUBE | ONE_D | THREE_D, GATHER, OFFSET },
   { "TG4 TEMP[5], TEMP[1], IMM[0].zzzz, SAMP[%u], %s, IMM[2].xyz, IMM[2].yxz, IMM[2].xxz, IMM[2].wyz",
     BUFFER | MSAA | CUBE | ONE_D | THREE_D, GATHER_4 },
   { "SAMPLE TEMP[5], TEMP[1], SVIEW[%u], SAMP[%u]", BUFFER | MSAA | SHADOW, IMPLICIT, VIEW },
   { "SAMPLE_B TEMP[5], TEMP[1], SVIEW[%u], SAMP[%u], TEMP[2].yyyy", BUFFER | MSAA | SHADOW, IMPLICIT, VIEW },
   { "SAMPLE_L TEMP[5], TEMP[1], SVIEW[%u], SAMP[%u], TEMP[2].yyyy", BUFFER | MSAA | SHADOW, LEVEL, VIEW },
   { "SAMPLE_C TEMP[5].x, TEMP[1], SVIEW[%u].xxxx, SAMP[%u], TEMP[2].xxxx", BUFFER | MSAA | SHADOW, IMPLICIT, VIEW | COMPARES },
   { "SAMPLE_C_LZ TEMP[5].x, TEMP[1], SVIEW[%u].xxxx, SAMP[%u], TEMP[2].xxxx", BUFFER | MSAA | SHADOW, IMPLICIT, VIEW | COMPARES },
   { "SAMPLE_D TEMP[5], TEMP[1], SVIEW[%u], SAMP[%u], TEMP[2], TEMP[3]", BUFFER | MSAA | SHADOW, DERIVS, VIEW },
   { "GATHER4 TEMP[5], TEMP[1], SVIEW[%u], SAMP[%u]", BUFFER | MSAA | SHADOW | ONE_D | THREE_D, GATHER, VIEW },
   { "SAMPLE_I TEMP[5], TEMP[1], SVIEW[%u]", CUBE | MSAA | SHADOW, FETCH, VIEW },
   { "SAMPLE_I_MS TEMP[5], TEMP[1], SVIEW[%u], TEMP[1].wwww", 0, FETCH, VIEW, MSAA },
   { "TXF TEMP[5], TEMP[1], SAMP[%u], %s", CUBE, FETCH, OUTSIDE },
   { "TXF_LZ TEMP[5], TEMP[1], SAMP[%u], %s", CUBE, FETCH, OUTSIDE | NO_LEVEL },
   { "SAMPLE_I TEMP[5], TEMP[1], SVIEW[%u]", CUBE | MSAA | SHADOW, FETCH, VIEW | OUTSIDE },
   { "SAMPLE_I_MS TEMP[5], TEMP[1], SVIEW[%u], TEMP[1].wwww", 0, FETCH, VIEW | OUTSIDE, MSAA },
   { "LOAD TEMP[5], IMAGE[3], TEMP[1], %2$s, PIPE_FORMAT_R32G32B32A32_FLOAT", BUFFER | SHADOW, FETCH, IMAGE | NO_LEVEL },
   { "LOAD TEMP[5], IMAGE[3], TEMP[1], %2$s, PIPE_FORMAT_R32G32B32A32_FLOAT\nADD TEMP[5], TEMP[5], IMM[3].xxxx\n"
     "STORE IMAGE[3], TEMP[1], TEMP[5], %2$s, PIPE_FORMAT_R32G32B32A32_FLOAT\nMEMBAR IMM[1].xxxx\n"
     "LOAD TEMP[5], IMAGE[3], TEMP[1], %2$s, PIPE_FORMAT_R32G32B32A32_FLOAT\nADD TEMP[5], TEMP[5], -IMM[3].xxxx\n"
     "STORE IMAGE[3], TEMP[1], TEMP[5], %2$s, PIPE_FORMAT_R32G32B32A32_FLOAT", BUFFER | SHADOW | MSAA, FETCH, IMAGE | NO_LEVEL },
   { "RESQ TEMP[5], IMAGE[3], %2$s, PIPE_FORMAT_R32G32B32A32_FLOAT", BUFFER | SHADOW, SIZE, IMAGE | NO_LEVEL },
   { "SVIEWINFO TEMP[5], TEMP[1].xxxx, SVIEW[%u]", SHADOW, SIZE, VIEW },
};

union word { uint32_t u; int32_t i; float f; };
static union word in[THREADS_ALL][4][4]; /* of thread, source, channel */
static uint32_t expected[WORDS];
static uint8_t num_expected; /* channels */
static bool fmask; /* multisample textures have one */
static const int8_t four_offsets[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { -1, 0 } };

static uint32_t bits(float f) { union word w = { .f = f }; return w.u; }

/* Texel (x, y, z) of level 0 or `level`: what lies there, and its coordinates in `in`. */
static struct place
choose(const struct target *t, const struct op *op, unsigned i)
{
   const bool levels = op->kind == LEVEL || op->kind == DERIVS || (op->kind == FETCH && !(op->flags & NO_LEVEL));
   struct place p = { .level = levels && !(op->flags & OFFSET) ? i % t->levels : 0 };
   const unsigned w = minified(t->w, p.level), h = minified(t->h, p.level);
   const unsigned border = op->flags & OFFSET || op->kind >= GATHER; /* offsets and neighbours stay inside */

   p.x = border ? 1 + i * 7 % (w - 3) : i * 7 % w;
   p.y = border && h > 3 ? 1 + i / 3 % (h - 3) : i / 3 % h;
   p.z = i / 5 % (t->flags & THREE_D ? minified(t->d, p.level) : t->d);
   p.sample = t->flags & MSAA ? i % 4 : 0;
   return p;
}

static void
put_floats(const struct target *t, const struct op *op, const struct place *p, unsigned i)
{
   const bool corner = op->kind >= GATHER;
   const float w = t->flags & RECT ? 1 : minified(t->w, p->level), h = t->flags & RECT ? 1 : minified(t->h, p->level);
   const float x = (p->x + (corner ? 1.0f : 0.5f)) / w, y = (p->y + (corner ? 1.0f : 0.5f)) / h;
   const float z = (p->z + 0.5f) / minified(t->d, p->level);
   const bool flat = t->flags & ONE_D;
   union word *s0 = in[i][0], *s1 = in[i][1], *s2 = in[i][2];
   float dir[3], step[3];

   s0[0].f = x;
   if (!flat)
      s0[1].f = y;
   if (t->flags & THREE_D)
      s0[2].f = z;
   if (t->flags & CUBE) {
      target_direction(p->z % 6, 2 * x - 1, 2 * y - 1, dir);
      target_direction(p->z % 6, 2 * x - 1 + 2 / w, 2 * y - 1, step);
      for (unsigned c = 0; c < 3; c++)
         s0[c].f = 2 * dir[c];
   }
   if (t->layer >= 0)
      s0[t->layer].f = (t->flags & CUBE ? p->z / 6 : p->z) + 0.3f;
   if (op->kind == DERIVS) { /* one texel a pixel */
      s1[0].f = (t->flags & RECT ? 1 : 1.0f / w) ;
      s2[flat ? 0 : 1].f = t->flags & RECT ? 1 : 1.0f / (flat ? w : h);
      for (unsigned c = 0; c < 3 && t->flags & CUBE; c++) {
         s1[c].f = 2 * (step[c] - dir[c]);
         s2[c].f = 0;
      }
   }
   if (op->kind == LEVEL)
      *(op->flags & VIEW ? &s1[1] : op->flags & MODIFIER_1 ? &s1[t->ref == 4] : &s0[3]) = (union word){ .f = p->level };
}

/* The reference is above or below the texel. */
static void
put_reference(const struct target *t, const struct op *op, unsigned i, float value)
{
   const float ref = value + (i & 2 ? 0.5f : -0.5f);

   if (op->flags & COMPARES)
      in[i][1][0].f = ref;
   else
      in[i][t->ref / 4][t->ref % 4].f = ref;
}

static void
project(const struct target *t, unsigned i)
{
   for (unsigned c = 0; c < (unsigned)t->coords; c++)
      in[i][0][c].f *= 2;
   if (t->ref >= 0)
      in[i][0][t->ref].f *= 2;
   in[i][0][3].f = 2;
}

static void
expect_gathered(const struct target *t, const struct op *op, struct place p, unsigned i)
{
   static const uint8_t around[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
   const unsigned chan = op->flags & COMPONENT_Y ? 1 : 0;
   const bool compares = t->flags & SHADOW;

   if (op->flags & OFFSET)
      p.x += 1, p.y -= 1;
   if (compares)
      put_reference(t, op, i, texel(&p, 0) + 1); /* some pass, some do not */
   const float ref = compares ? in[i][t->ref / 4][t->ref % 4].f : 0;
   for (unsigned c = 0; c < 4; c++) {
      struct place q = p;
      q.x += op->kind == GATHER_4 ? four_offsets[c][0] : around[c][0];
      q.y += op->kind == GATHER_4 ? four_offsets[c][1] : around[c][1];
      expected[i * 4 + c] = bits(compares ? ref <= texel(&q, 0) : texel(&q, chan));
   }
}

static void
expect_size(const struct target *t, const struct op *op, unsigned i)
{
   const unsigned level = t->levels > 1 && !(op->flags & NO_LEVEL) ? i % (t->levels + (op->flags & VIEW ? 1 : 0)) : 0;
   const bool outside = level >= t->levels;
   uint32_t *e = &expected[i * 4];
   unsigned n = 0;

   in[i][0][0].u = level;
   e[n++] = minified(t->w, level);
   if (!(t->flags & (ONE_D | BUFFER)))
      e[n++] = minified(t->h, level);
   if (t->flags & THREE_D)
      e[n++] = minified(t->d, level);
   if (t->flags & ARRAY)
      e[n++] = t->flags & CUBE ? t->d / 6 : t->d;
   while (n < 3)
      e[n++] = 0;
   if (outside)
      e[0] = e[1] = e[2] = 0;
   /* 1D arrays of Direct3D have no number of levels; nor have textures with samples. */
   e[3] = op->flags & VIEW && t->flags & ONE_D && t->flags & ARRAY ? 0 : t->levels;
   num_expected = t->flags & (MSAA | RECT) || op->flags & IMAGE ? 3 : 4;
   if (op->flags & IMAGE && t->flags & CUBE && !(t->flags & ARRAY))
      num_expected = 2; /* what lies behind the size is anything */
}

/* One coordinate of an address that fits leaves the texture. */
static void
expect_nothing(const struct target *t, const struct op *op, unsigned i)
{
   const bool has_levels = t->levels > 1 && !(op->flags & NO_LEVEL);
   union word *s0 = in[i][0];
   const int layers = t->flags & THREE_D ? (int)minified(t->d, has_levels ? s0[3].i : 0) : (int)t->d;

   switch (i / 3 % 6) {
   case 0: s0[0].i = -1; break;
   case 1: s0[0].i = 0x7fffffff; break;
   case 2: s0[t->flags & (ONE_D | BUFFER) ? 0 : 1].i = -1; break;
   case 3: s0[t->flags & THREE_D ? 2 : MAX2(t->layer, 0)].i = t->flags & (ARRAY | THREE_D) ? layers : (int)t->w; break;
   case 4: s0[has_levels ? 3 : 0].i = has_levels ? (int)t->levels : -2; break;
   case 5: /* a sample that there is not is nothing's number in an FMASK */
      if (fmask) {
         s0[1].i = t->h;
         break;
      }
      s0[has_levels || t->flags & MSAA ? 3 : 0].i = t->flags & MSAA ? 4 : -1; break;
   }
   memset(&expected[i * 4], 0, 16);
   num_expected = op->flags & VIEW ? 4 : 3;
}

static void
expect_texel(const struct target *t, const struct op *op, struct place p, unsigned i)
{
   if (op->kind == FETCH) {
      const int coords[3] = { p.x, t->flags & ONE_D ? 0 : p.y, p.z };
      for (unsigned c = 0; c < 3; c++)
         in[i][0][c].i = coords[c];
      if (t->flags & ONE_D && t->flags & ARRAY)
         in[i][0][1].i = p.z;
      in[i][0][3].i = t->flags & MSAA ? p.sample : p.level;
      if (op->flags & OUTSIDE) {
         expect_nothing(t, op, i);
         return;
      }
      if (t->flags & BUFFER) {
         expected[i * 4] = compute_texel(0, p.x);
         num_expected = 1;
         return;
      }
   } else {
      put_floats(t, op, &p, i);
   }
   if (op->flags & OFFSET) {
      p.x += 1;
      p.y -= t->flags & ONE_D ? 0 : 1;
   }
   if (fmask && t->flags & MSAA)
      p.sample = target_fragment(&p);
   const bool compares = (t->flags & SHADOW && op->kind != FETCH) || op->flags & COMPARES;
   if (compares)
      put_reference(t, op, i, texel(&p, 0));
   if (op->kind == PROJECTED)
      project(t, i);
   for (unsigned c = 0; c < 4; c++)
      expected[i * 4 + c] = bits(compares ? !(i & 2) : texel(&p, c));
   num_expected = compares ? 1 : 4;
}

static void
prepare(const struct target *t, const struct op *op)
{
   uint64_t va;

   memset(in, 0, sizeof(in));
   num_expected = op->kind == SAMPLES ? 1 : 4;
   for (unsigned i = 0; i < THREADS_ALL; i++) {
      struct place p = choose(t, op, i);
      in[i][3][0].i = 1, in[i][3][1].i = -1;
      if (op->kind == SAMPLES) {
         expected[i * 4] = 4;
      } else if (op->kind == SIZE) {
         expect_size(t, op, i);
      } else if (op->kind >= GATHER) {
         put_floats(t, op, &p, i);
         expect_gathered(t, op, p, i);
      } else {
         expect_texel(t, op, p, i);
      }
   }
   memcpy(compute_own_memory(&va), in, sizeof(in));
}

static bool
want(uint32_t *words)
{
   for (unsigned i = 0; i < THREADS_ALL; i++) {
      for (unsigned c = 0; c < num_expected; c++)
         words[i * 4 + c] = expected[i * 4 + c];
   }
   return true;
}

static bool
check(const struct target *t, const struct op *op)
{
   static const char *const masks[] = { "", ".x", ".xy", ".xyz", "" };
   const unsigned unit = t->flags & BUFFER ? 0 : COMPUTE_OWN_UNITS + (t - targets);
   char text[2048], inst[512], name[600], view[96] = "";
   bool ok = true;

   prepare(t, op);
   compute_own_image(op->flags & IMAGE ? (int)unit : -1);
   if (op->flags & IMAGE) {
      snprintf(view, sizeof(view), "DCL IMAGE[3], %s, PIPE_FORMAT_R32G32B32A32_FLOAT, WR\n", t->name);
      snprintf(inst, sizeof(inst), op->text, unit, t->name);
   } else if (op->flags & VIEW) {
      snprintf(view, sizeof(view), "DCL SVIEW[%u], %s, FLOAT\n", unit, t->name);
      snprintf(inst, sizeof(inst), op->text, unit, unit);
   } else {
      snprintf(inst, sizeof(inst), op->text, unit, t->name);
   }
   snprintf(text, sizeof(text),
            "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
            "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\nDCL BUFFER[%u]\nDCL SAMP[0..31]\n%sDCL TEMP[0..7]\n"
            "IMM[0] INT32 {1, -1, 0, 0}\nIMM[1] UINT32 {128, 16, 64, 48}\nIMM[2] INT32 {1, 0, 0, -1}\nIMM[3] FLT32 {0.5, 0.0, 0.0, 0.0}\n"
            "UMAD TEMP[0].x, SV[1].xxxx, IMM[1].xxxx, SV[0].xxxx\nUMUL TEMP[0].yz, TEMP[0].xxxx, IMM[1]\n"
            "LOAD TEMP[1], BUFFER[%u], TEMP[0].zzzz\nUADD TEMP[0].z, TEMP[0].zzzz, IMM[1].yyyy\n"
            "LOAD TEMP[2], BUFFER[%u], TEMP[0].zzzz\nUADD TEMP[0].z, TEMP[0].zzzz, IMM[1].yyyy\n"
            "LOAD TEMP[3], BUFFER[%u], TEMP[0].zzzz\nUADD TEMP[0].z, TEMP[0].zzzz, IMM[1].yyyy\n"
            "LOAD TEMP[4], BUFFER[%u], TEMP[0].zzzz\n%s\nSTORE BUFFER[0]%s, TEMP[0].yyyy, TEMP[5]\nEND\n",
            COMPUTE_OWN_BUFFER, view, COMPUTE_OWN_BUFFER, COMPUTE_OWN_BUFFER, COMPUTE_OWN_BUFFER, COMPUTE_OWN_BUFFER, inst,
            masks[num_expected]);
   snprintf(name, sizeof(name), "%s (%s%s)", inst, t->name, fmask ? " with FMASK" : "");
   const struct compute_program program = { name, text, want };
   if (compute_check(&program, 1))
      ok = false;
   return ok;
}

#define FMASK_AT 0x80000u /* in a texture's memory; what there is of samples takes half of it */

static void
use_fmask(unsigned n, bool use)
{
   uint64_t va;
   uint8_t *base = compute_own_memory(&va);
   uint32_t rsrc[8];
   const unsigned at = (n + 1) * TEXTURE_BYTES + FMASK_AT;

   fmask = use;
   target_fmask(&targets[n], compute_addrlib(), base + at, va + at, rsrc);
   compute_own_fmask(COMPUTE_OWN_UNITS + n, use ? rsrc : NULL);
}

static void
make_texture(unsigned n)
{
   uint64_t va;
   uint8_t *base = compute_own_memory(&va);
   uint32_t rsrc[8], samp[4];
   const unsigned at = (n + 1) * TEXTURE_BYTES;

   target_texture(&targets[n], compute_addrlib(), base + at, va + at, rsrc, samp);
   compute_own_unit(COMPUTE_OWN_UNITS + n, rsrc, samp);
}

int
main(void)
{
   unsigned bad = 0, ran = 0, refused = 0;

   for (unsigned t = 1; t < ARRAY_SIZE(targets); t++)
      make_texture(t);
   for (unsigned o = 0; o < ARRAY_SIZE(ops); o++) {
      for (unsigned t = 0; t < ARRAY_SIZE(targets); t++) {
         if (ops[o].not & targets[t].flags || (ops[o].only & targets[t].flags) != ops[o].only) {
            refused++;
            continue;
         }
         bad += !check(&targets[t], &ops[o]);
         ran++;
         if (targets[t].flags & MSAA && ops[o].kind == FETCH && !(ops[o].flags & IMAGE)) {
            use_fmask(t, true);
            bad += !check(&targets[t], &ops[o]);
            use_fmask(t, false);
            ran++;
         }
      }
   }
   printf("%u opcodes and targets, %u that do not go together, %u wrong\n", ran, refused, bad);
   return bad != 0;
}
