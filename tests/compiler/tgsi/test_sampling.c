/* SPDX-License-Identifier: MIT */
/* Texture opcodes that need no derivatives, on a texture of one level and on one
 * with samples, in compute programs on the model. What must come out is computed here. */
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "compute_harness.h"
#include "target_textures.h"

/* Thread n is texel (n & 15, n / 16 & 7). TEMP[1].xy: its centre, 0 to 1; TEMP[2].xy: the
 * corner between it and the next; TEMP[3].xy: integers. zw are 0. */
#define HEAD                                                                                       \
   "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 128\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"                   \
   "PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0]\n"   \
   "DCL SAMP[0..3]\nDCL SVIEW[2], 2D, FLOAT\nDCL SVIEW[3], 2D_MSAA, FLOAT\nDCL TEMP[0..7]\n"       \
   "IMM[0] UINT32 {4, 128, 15, 7}\nIMM[1] FLT32 {0.5, 0.0625, 0.125, 2.0}\n"                       \
   "IMM[2] FLT32 {20.0, 0.0, 1.0, 0.0}\nIMM[3] UINT32 {0, 1, 3, 8}\nIMM[4] INT32 {-1, 1, 0, 2}\n"  \
   "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx\nUMUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n" \
   "MOV TEMP[3], IMM[3].xxxx\nAND TEMP[3].x, TEMP[0].xxxx, IMM[0].zzzz\n"                          \
   "USHR TEMP[3].y, TEMP[0].xxxx, IMM[0].xxxx\nAND TEMP[3].y, TEMP[3].yyyy, IMM[0].wwww\n"         \
   "U2F TEMP[1], TEMP[3]\nADD TEMP[2].xy, TEMP[1], IMM[2].zzzz\nMUL TEMP[2].xy, TEMP[2], IMM[1].yzzz\nMOV TEMP[2].zw, IMM[2].yyyy\n" \
   "ADD TEMP[1].xy, TEMP[1], IMM[1].xxxx\nMUL TEMP[1].xy, TEMP[1], IMM[1].yzzz\nMOV TEMP[4], IMM[2].yyyy\n"
#define RESULT(r) "STORE BUFFER[0].x, TEMP[0].yyyy, " r "\nEND\n"
#define FOR_ALL(i) for (uint32_t i = 0; i < THREADS * GROUPS; i++)

static uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static unsigned tx(uint32_t i) { return i & 15; }
static unsigned ty(uint32_t i) { return i / 16 & 7; }
static float at(unsigned x, unsigned y, unsigned c) { return compute_texel_2d(x % TEX_WIDTH, y % TEX_HEIGHT, c); }

static bool want_texel(uint32_t *w) { FOR_ALL(i) w[i] = bits(at(tx(i), ty(i), 1)); return true; }
static bool want_neighbour(uint32_t *w)
{
   FOR_ALL(i) w[i] = tx(i) ? bits(at(tx(i) - 1, ty(i) + 1, 1)) : bits(at(TEX_WIDTH - 1, ty(i) + 1, 1));
   return true;
}
static bool want_gathered(uint32_t *w)
{
   FOR_ALL(i) w[i] = bits(at(tx(i), ty(i) + 1, 0) * 2 + at(tx(i) + 1, ty(i), 0));
   return true;
}
static bool want_compared(uint32_t *w) { FOR_ALL(i) w[i] = bits(20.0f <= at(tx(i), ty(i), 0) ? 1.0f : 0.0f); return true; }
static bool want_size(uint32_t *w) { FOR_ALL(i) w[i] = TEX_WIDTH * 8 + TEX_HEIGHT + 1; return true; }
static bool want_samples(uint32_t *w) { FOR_ALL(i) w[i] = 4; return true; }
static bool want_sample(uint32_t *w) { FOR_ALL(i) w[i] = COMPUTE_MSAA_BITS; return true; }

static const struct compute_program programs[] = {
   { "TEX", HEAD "TEX TEMP[5], TEMP[1], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TEX with an offset", HEAD "TEX TEMP[5], TEMP[1], SAMP[2], 2D, IMM[4].xyz\n" RESULT("TEMP[5].yyyy"), want_neighbour },
   { "TEX_LZ", HEAD "TEX_LZ TEMP[5], TEMP[1], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXL", HEAD "TXL TEMP[5].y, TEMP[1], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXB", HEAD "TXB TEMP[5].y, TEMP[1], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXP", HEAD "MUL TEMP[1].xy, TEMP[1], IMM[1].wwww\nMOV TEMP[1].w, IMM[1].wwww\nTXP TEMP[5], TEMP[1], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TEX2", HEAD "TEX2 TEMP[5], TEMP[1], TEMP[4], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXB2", HEAD "TXB2 TEMP[5], TEMP[1], TEMP[4], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXL2", HEAD "TXL2 TEMP[5], TEMP[1], TEMP[4], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXD", HEAD "TXD TEMP[5], TEMP[1], TEMP[4], TEMP[4], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXF", HEAD "TXF TEMP[5], TEMP[3], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXF_LZ", HEAD "TXF_LZ TEMP[5], TEMP[3], SAMP[2], 2D\n" RESULT("TEMP[5].yyyy"), want_texel },
   { "TXF of samples", HEAD "MOV TEMP[3].w, IMM[3].zzzz\nTXF TEMP[5], TEMP[3], SAMP[3], 2D_MSAA\n" RESULT("TEMP[5].yyyy"), want_sample },
   { "SAMPLE_I_MS", HEAD "SAMPLE_I_MS TEMP[5], TEMP[3], SVIEW[3].wzyx, IMM[3].zzzz\n" RESULT("TEMP[5].xxxx"), want_sample },
   { "SAMPLE", HEAD "SAMPLE TEMP[5], TEMP[1], SVIEW[2].xxxy, SAMP[3]\n" RESULT("TEMP[5].wwww"), want_texel },
   { "SAMPLE_B", HEAD "SAMPLE_B TEMP[5], TEMP[1], SVIEW[2].xxxy, SAMP[3], IMM[2].zzzz\n" RESULT("TEMP[5].wwww"), want_texel },
   { "SAMPLE_L", HEAD "SAMPLE_L TEMP[5], TEMP[1], SVIEW[2].xxxy, SAMP[3], TEMP[4].xxxx\n" RESULT("TEMP[5].wwww"), want_texel },
   { "SAMPLE_D", HEAD "SAMPLE_D TEMP[5], TEMP[1], SVIEW[2].xxxy, SAMP[3], TEMP[4], TEMP[4]\n" RESULT("TEMP[5].wwww"), want_texel },
   { "SAMPLE_C", HEAD "SAMPLE_C TEMP[5].y, TEMP[1], SVIEW[2].xxxx, SAMP[3], IMM[2].xxxx\n" RESULT("TEMP[5].yyyy"), want_compared },
   { "SAMPLE_C_LZ", HEAD "SAMPLE_C_LZ TEMP[5].y, TEMP[1], SVIEW[2].xxxx, SAMP[2], IMM[2].xxxx\n" RESULT("TEMP[5].yyyy"), want_compared },
   { "TG4", HEAD "TG4 TEMP[5], TEMP[2], IMM[3].xxxx, SAMP[2], 2D\nMAD TEMP[5].x, TEMP[5].xxxx, IMM[1].wwww, TEMP[5].zzzz\n" RESULT("TEMP[5].xxxx"), want_gathered },
   { "GATHER4", HEAD "GATHER4 TEMP[5], TEMP[2], SVIEW[2], SAMP[2]\nMAD TEMP[5].x, TEMP[5].xxxx, IMM[1].wwww, TEMP[5].zzzz\n" RESULT("TEMP[5].xxxx"), want_gathered },
   { "TXQ", HEAD "TXQ TEMP[5], IMM[3].xxxx, SAMP[2], 2D\nUMAD TEMP[5].x, TEMP[5].xxxx, IMM[3].wwww, TEMP[5].yyyy\nUADD TEMP[5].x, TEMP[5].xxxx, TEMP[5].wwww\n"
     RESULT("TEMP[5].xxxx"), want_size },
   { "TXQS", HEAD "TXQS TEMP[5].x, SAMP[3], 2D_MSAA\n" RESULT("TEMP[5].xxxx"), want_samples },
};

int
main(int argc, char **argv)
{
   target_unit_fmask(3, "2D_MSAA"); /* all of its fragments are alike */
   return compute_main(programs, ARRAY_SIZE(programs), argc, argv);
}
