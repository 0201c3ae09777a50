/* SPDX-License-Identifier: MIT */
/* What only pixel shaders have: inputs, window position, face, derivatives, discarding.
 * Expected values are computed here. */
#include <math.h>

#include "util/macros.h"
#include "pixel_harness.h"

#define HEAD                                                                                      \
   "FRAG\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL IN[1], GENERIC[4], LINEAR\n"                    \
   "DCL IN[2], GENERIC[5], CONSTANT\nDCL IN[3], COLOR, COLOR\nDCL IN[4], POSITION, LINEAR\n"      \
   "DCL IN[5], FACE, CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0..1]\n" \
   "DCL SVIEW[0], 2D, FLOAT\nDCL ADDR[0]\n"                               \
   "IMM[0] FLT32 {4.0, 1.0, 0.0, -1.0}\nIMM[1] FLT32 {0.5, 0.0, 0.0, 0.0}\nIMM[2] UINT32 {1, 0, 9, 0}\n" \
   "IMM[3] FLT32 {0.015625, 0.5, 0.03125, 0.0}\n"

static float want_inputs(unsigned l, unsigned c)
{
   switch (c) {
   case 0: return persp(0, 1, l);
   case 1: return linear(1, 2, l);
   case 2: return attr(2, 3, 0);
   default: return persp(3, 0, l);
   }
}
static float want_flat(unsigned l, unsigned c) { return attr(3, c, 0); }
static float want_position(unsigned l, unsigned c)
{
   return c == 0 ? px(l) : c == 1 ? py(l) : c == 2 ? 0.25f : 1.0f / 8.0f;
}
static float want_face(unsigned l, unsigned c) { return 1.0f; }
/* x y of the window: its derivatives are y and x of the row or column. */
static float product(unsigned l) { return px(l) * py(l); }
static float want_fine(unsigned l, unsigned c)
{
   return c & 1 ? product((l & ~2u) + 2) - product(l & ~2u)
                : product((l & ~1u) + 1) - product(l & ~1u);
}
static float want_coarse(unsigned l, unsigned c)
{
   const unsigned q = l & ~3u;
   return c & 1 ? product(q + 2) - product(q) : product(q + 1) - product(q);
}
static float want_kill(unsigned l, unsigned c) { return px(l) < 4.0f ? NAN : persp(0, c, l); }
/* The neighbour was discarded; its value still counts. */
static float want_kill_derivative(unsigned l, unsigned c)
{
   return l & 1 ? NAN : product((l & ~1u) + 1) - product(l & ~1u);
}

/* Samples lie at (0.25, 0.5) and (0.75, 1). */
static float moved(unsigned a, unsigned c, unsigned l, float x, float y)
{
   return attr(a, c, 0) + attr(a, c, 1) * (persp_i(l) + x / 64) + attr(a, c, 2) * (persp_j(l) + y / 4);
}
static float want_sample_1(unsigned l, unsigned c) { return moved(0, c, l, 0.25f, 0.5f); }
static float want_sample_0(unsigned l, unsigned c) { return moved(0, c, l, -0.25f, 0.0f); }
static float want_offset(unsigned l, unsigned c) { return moved(0, c, l, 0.5f, 0.0f); }
static float want_centroid(unsigned l, unsigned c) { return persp(0, c, l); }
static float want_alive(unsigned l, unsigned c) { return px(l) < 4.0f ? NAN : 0.0f; }
static float want_texel(unsigned l, unsigned c) { return pixel_texel(px(l), py(l), c); }
static float want_two_textures(unsigned l, unsigned c) { return pixel_texel(px(l), py(l), c) + ((int)px(l) & 1 ? 5000 : 0); }
/* Two texels a pixel: level 1 is wanted, level 0 is all there is. */
static float want_lod(unsigned l, unsigned c) { return c == 1 || c == 3 ? 1.0f : 0.0f; }

/* Even columns are left; the level comes from quads that lost half of their pixels. */
static bool odd(unsigned l) { return (int)px(l) & 1; }
static float want_lod_of_half(unsigned l, unsigned c) { return odd(l) ? NAN : want_lod(l, c); }
/* A loop that samples, kills, and has a loop within: 3 rounds of (column & 3) turns. */
static float want_turns(unsigned l, unsigned c)
{
   return px(l) < 4.0f ? NAN : c == 0 ? 3 * ((int)px(l) & 3) : pixel_texel(px(l), py(l), c);
}
static float want_nested_kill(unsigned l, unsigned c)
{
   return (odd(l) ? px(l) < 20.0f : px(l) > 40.0f) ? NAN : persp(0, c, l);
}
static float want_kill_x_or_y(unsigned l, unsigned c) { return px(l) < 4.0f || py(l) < 1.0f ? NAN : persp(0, c, l); }
static float want_kill_only(unsigned l, unsigned c) { return px(l) < 4.0f ? NAN : 0.0f; }
static float want_constant(unsigned l, unsigned c) { return 0.0f; }
static float want_centroid_input(unsigned l, unsigned c) { return persp(3, c, l); }
static float want_first_line(unsigned l, unsigned c) { return px(l) < 4.0f ? 1.0f : px(l) < 8.0f ? 2.0f : 3.0f; }

static float want_front_color(unsigned l, unsigned c) { return want_sample_1(l, c) + persp(3, c, l); }
static float want_back_color(unsigned l, unsigned c) { return want_sample_1(l, c) + persp(4, c, l); }
static float want_back_face(unsigned l, unsigned c) { return c ? 2.0f : -1.0f; }
#define TWO_SIDED \
   HEAD "DCL IN[6], BCOLOR, COLOR\nINTERP_SAMPLE TEMP[0], IN[0], IMM[2].xxxx\nCMP TEMP[1], IN[5].xxxx, IN[6], IN[3]\n" \
        "ADD OUT[0], TEMP[0], TEMP[1]\nEND\n"

static const struct pixel_program programs[] = {
   { "colours of two sides beside an input at a sample, front", TWO_SIDED, want_front_color },
   { "colours of two sides beside an input at a sample, back", TWO_SIDED, want_back_color, .back = true },
   { "a back face", HEAD "DCL SV[0], FACE\nUIF SV[0].xxxx\n  MOV OUT[0], IMM[0].xxxx\nELSE\n  ADD OUT[0], IMM[0].yyyy, IMM[0].yyyy\nENDIF\n"
     "MOV OUT[0].x, IN[5].xxxx\nEND\n", want_back_face, .back = true },
   { "level behind discarded neighbours",
     HEAD "FRC TEMP[2].x, IN[4].xxxx\nMUL TEMP[2].x, IN[4].xxxx, IMM[1].xxxx\nFRC TEMP[2].x, TEMP[2].xxxx\nSGE TEMP[2].x, TEMP[2].xxxx, IMM[1].xxxx\nKILL_IF -TEMP[2].xxxx\n"
          "MUL TEMP[0].xy, IN[4], IMM[3].zwww\nLODQ OUT[0].xy, TEMP[0], SAMP[0], 2D\nLOD OUT[0].zw, TEMP[0], SVIEW[0].xyxy, SAMP[0]\nEND\n", want_lod_of_half, false },
   { "a loop that samples and kills, with a loop in it",
     HEAD "IMM[4] UINT32 {0, 1, 3, 2}\nMUL TEMP[0].xy, IN[4], IMM[3]\nF2U TEMP[1].x, IN[4].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[4].zzzz\n"
          "MOV TEMP[2], IMM[4].xxxx\nBGNLOOP\n  USGE TEMP[1].y, TEMP[2].xxxx, IMM[4].zzzz\n  UIF TEMP[1].yyyy\n    BRK\n  ENDIF\n"
          "  TEX TEMP[3], TEMP[0], SAMP[0], 2D\n  USEQ TEMP[1].y, TEMP[2].xxxx, IMM[4].yyyy\n  UIF TEMP[1].yyyy\n"
          "    ADD TEMP[1].z, IN[4].xxxx, -IMM[0].xxxx\n    KILL_IF TEMP[1].zzzz\n  ENDIF\n  MOV TEMP[2].y, IMM[4].xxxx\n"
          "  BGNLOOP\n    USGE TEMP[1].y, TEMP[2].yyyy, TEMP[1].xxxx\n    UIF TEMP[1].yyyy\n      BRK\n    ENDIF\n"
          "    UADD TEMP[2].y, TEMP[2].yyyy, IMM[4].yyyy\n    UADD TEMP[2].z, TEMP[2].zzzz, IMM[4].yyyy\n  ENDLOOP\n"
          "  UADD TEMP[2].x, TEMP[2].xxxx, IMM[4].yyyy\nENDLOOP\nMOV OUT[0], TEMP[3]\nU2F OUT[0].x, TEMP[2].zzzz\nEND\n", want_turns, false },
   { "kills in both arms",
     HEAD "IMM[4] FLT32 {20.0, 40.0, 0.0, 0.0}\nMUL TEMP[0].x, IN[4].xxxx, IMM[1].xxxx\nFRC TEMP[0].x, TEMP[0].xxxx\nSGE TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"
          "IF TEMP[0].xxxx\n  SLT TEMP[1].x, IN[4].xxxx, IMM[4].xxxx\n  IF TEMP[1].xxxx\n    KILL\n  ENDIF\nELSE\n"
          "  SGT TEMP[1].x, IN[4].xxxx, IMM[4].yyyy\n  IF TEMP[1].xxxx\n    KILL\n  ENDIF\nENDIF\nMOV OUT[0], IN[0]\nEND\n", want_nested_kill, false },
   { "a kill by two components",
     HEAD "SLT TEMP[0].xy, IN[4], IMM[0].xyyy\nKILL_IF -TEMP[0].xyxx\nMOV OUT[0], IN[0]\nEND\n", want_kill_x_or_y, false },
   { "nothing but a kill", HEAD "ADD TEMP[0].x, IN[4].xxxx, -IMM[0].xxxx\nKILL_IF TEMP[0].xxxx\nEND\n", want_kill_only, false },
   { "derivative of what is constant", HEAD "DDX_FINE TEMP[0], IN[2]\nDDY TEMP[1], IN[2]\nADD OUT[0], |TEMP[0]|, |TEMP[1]|\nEND\n", want_constant, false },
   { "a centroid input", HEAD "DCL IN[6], GENERIC[6], PERSPECTIVE, CENTROID\nMOV OUT[0], IN[6]\nEND\n", want_centroid_input, false },
   { "a switch with texels in its cases",
     HEAD "IMM[4] UINT32 {0, 1, 2, 4}\nIMM[5] FLT32 {1.0, 2.0, 3.0, 0.0}\nF2U TEMP[1].x, IN[4].xxxx\nUSHR TEMP[1].x, TEMP[1].xxxx, IMM[4].zzzz\n"
          "MUL TEMP[0].xy, IN[4], IMM[3]\nSWITCH TEMP[1].xxxx\nCASE IMM[4].xxxx\n  TEX_LZ TEMP[2], TEMP[0], SAMP[0], 2D\n  MOV OUT[0], IMM[5].xxxx\n  BRK\n"
          "CASE IMM[4].yyyy\n  MOV OUT[0], IMM[5].yyyy\n  BRK\nDEFAULT\n  MOV OUT[0], IMM[5].zzzz\nENDSWITCH\nEND\n", want_first_line, false },
   { "at sample 1", HEAD "INTERP_SAMPLE OUT[0], IN[0], IMM[2].xxxx\nEND\n", want_sample_1, false },
   { "at sample 0", HEAD "INTERP_SAMPLE OUT[0], IN[0], IMM[2].yyyy\nEND\n", want_sample_0, false },
   { "at a sample that there is not", HEAD "INTERP_SAMPLE OUT[0], IN[0], IMM[2].zzzz\nEND\n", want_sample_1, false },
   { "at an offset", HEAD "INTERP_OFFSET OUT[0], IN[0], IMM[1].xyyy\nEND\n", want_offset, false },
   { "at the centroid", HEAD "INTERP_CENTROID OUT[0], IN[0]\nEND\n", want_centroid, false },
   { "helpers", HEAD "SLT TEMP[0].x, IN[4].xxxx, IMM[0].xxxx\nIF TEMP[0].xxxx\n  DEMOTE\nENDIF\nREAD_HELPER TEMP[1].x\n"
     "MOV OUT[0], TEMP[1].xxxx\nEND\n", want_alive, false },
   { "the framebuffer's colour", HEAD "FBFETCH OUT[0], OUT[0]\nEND\n", want_texel, false },
   { "a texture", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nTEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n", want_texel, false },
   { "a texture at coordinates out of a table",
     HEAD "IMM[4] FLT32 {0.015625, 0.5, 0.03125, 0.0}\nF2U TEMP[1].x, IN[4].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[2].xxxx\nUARL ADDR[0].x, TEMP[1].xxxx\n"
     "MUL TEMP[0].xy, IN[4], IMM[ADDR[0].x+3]\nTEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n", want_texel, false },
   { "a texture with bias", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nMOV TEMP[0].zw, IMM[1].yyyy\nTXB OUT[0], TEMP[0], SAMP[0], 2D\nEND\n", want_texel, false },
   { "a view", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nSAMPLE TEMP[1], TEMP[0], SVIEW[0].wzyx, SAMP[0]\nMOV OUT[0], TEMP[1].wzyx\nEND\n", want_texel, false },
   { "a view with bias", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nSAMPLE_B OUT[0], TEMP[0], SVIEW[0], SAMP[0], IMM[1].yyyy\nEND\n", want_texel, false },
   { "textures that differ", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nF2U TEMP[1].x, IN[4].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[2].xxxx\n"
     "UARL ADDR[0].x, TEMP[1].xxxx\nTEX OUT[0], TEMP[0], SAMP[ADDR[0].x], 2D\nEND\n", want_two_textures, false },
   { "textures that differ, onto the coordinates", HEAD "MUL TEMP[0].xy, IN[4], IMM[3]\nF2U TEMP[1].x, IN[4].xxxx\nAND TEMP[1].x, TEMP[1].xxxx, IMM[2].xxxx\n"
     "UARL ADDR[0].x, TEMP[1].xxxx\nTEX TEMP[0], TEMP[0], SAMP[ADDR[0].x], 2D\nMOV OUT[0], TEMP[0]\nEND\n", want_two_textures, false },
   { "level of detail", HEAD "MUL TEMP[0].xy, IN[4], IMM[3].zwww\nLODQ OUT[0].xy, TEMP[0], SAMP[0], 2D\nLOD OUT[0].zw, TEMP[0], SVIEW[0].xyxy, SAMP[0]\nEND\n",
     want_lod, false },
   { "inputs", HEAD "MOV OUT[0].x, IN[0].yyyy\nMOV OUT[0].y, IN[1].zzzz\nMOV OUT[0].z, IN[2].wwww\n"
               "MOV OUT[0].w, IN[3].xxxx\nEND\n", want_inputs, false },
   { "flat shading", HEAD "MOV OUT[0], IN[3]\nEND\n", want_flat, true },
   { "window position", HEAD "MOV OUT[0], IN[4]\nEND\n", want_position, false },
   { "face", HEAD "MOV OUT[0], IN[5].xxxx\nEND\n", want_face, false },
   { "fine derivatives", HEAD "MUL TEMP[0], IN[4].xxxx, IN[4].yyyy\nDDX_FINE TEMP[1], TEMP[0]\n"
                         "DDY_FINE TEMP[2], TEMP[0]\nMOV OUT[0].xz, TEMP[1]\nMOV OUT[0].yw, TEMP[2]\nEND\n",
     want_fine, false },
   { "coarse derivatives", HEAD "MUL TEMP[0], IN[4].xxxx, IN[4].yyyy\nDDX TEMP[1], TEMP[0]\n"
                           "DDY TEMP[2], TEMP[0]\nMOV OUT[0].xz, TEMP[1]\nMOV OUT[0].yw, TEMP[2]\nEND\n",
     want_coarse, false },
   { "discarding", HEAD "ADD TEMP[0].x, IN[4].xxxx, -IMM[0].xxxx\nKILL_IF TEMP[0].xxxx\nMOV OUT[0], IN[0]\nEND\n",
     want_kill, false },
   { "discarding under a condition",
     HEAD "SLT TEMP[0].x, IN[4].xxxx, IMM[0].xxxx\nIF TEMP[0].xxxx\n  KILL\nENDIF\nMOV OUT[0], IN[0]\nEND\n",
     want_kill, false },
   { "derivatives behind a discarded neighbour",
     HEAD "MUL TEMP[1].x, IN[4].xxxx, IN[4].yyyy\n"
          "MUL TEMP[2].y, IN[4].xxxx, IMM[1].xxxx\nFRC TEMP[2].y, TEMP[2].yyyy\n"
          "SGE TEMP[2].x, TEMP[2].yyyy, IMM[1].xxxx\nKILL_IF -TEMP[2].xxxx\n"
          "DDX_FINE OUT[0], TEMP[1].xxxx\nEND\n", want_kill_derivative, false },
};

int
main(int argc, char **argv)
{
   return pixel_main(programs, ARRAY_SIZE(programs), argc, argv);
}
