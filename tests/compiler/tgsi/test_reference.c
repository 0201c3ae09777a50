/* SPDX-License-Identifier: MIT */
/* Programs against values worked out here and not by Mesa's interpreter: opcodes
 * that it lacks, and small inputs that real drivers once got wrong, with their
 * kind. IN[0], IN[1]: floats; IN[2]: 0 to 8; IN[3]: 32-bit patterns; IN[4], IN[5]:
 * doubles. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "harness.h"

#define HEAD                                                                                       \
   "VERT\nDCL IN[0..5]\nDCL OUT[0], POSITION\nDCL CONST[0][0..31]\nDCL TEMP[0..9]\nDCL ADDR[0]\n"  \
   "IMM[0] FLT32 {0.0, 0.5, 1.0, 2.0}\nIMM[1] UINT32 {0, 1, 2, 3}\nIMM[2] UINT32 {4, 5, 8, 33}\n"  \
   "IMM[3] UINT32 {2147483648, 4294967295, 2143289344, 3735928559}\n"

struct lane { float f0[4], f1[4]; uint32_t i[4], u[4]; double d0[2], d1[2]; };
union result { float f[4]; uint32_t u[4]; int32_t i[4]; double d[2]; uint64_t l[2]; };
typedef void (*want_fn)(const struct lane *in, union result *out);
#define WANT(name) static void want_##name(const struct lane *in, union result *out)
#define EACH(c) for (unsigned c = 0; c < 4; c++)

/* Opcodes that the interpreter does not have, or has in another way. */
static float clampf(float v, float lo) { return v < lo ? lo : v > 1.0f ? 1.0f : v == v ? v : lo; }
static uint32_t norm(float v, float lo, float scale) { return (uint32_t)(int32_t)rintf(clampf(v, lo) * scale); }
WANT(fma) { EACH(c) out->f[c] = fmaf(in->f0[c], in->f1[c], -in->f1[c]); }
WANT(min) { EACH(c) out->f[c] = fminf(in->f0[c], in->f1[c]); }
WANT(arr) { EACH(c) out->f[c] = 4 * floorf(in->i[0] * 0.75f + 0.5f) + c; }
WANT(pk2us) { EACH(c) out->u[c] = norm(in->f0[0], 0, 65535) | norm(in->f0[1], 0, 65535) << 16; }
static uint32_t pack4(const float *v, float lo, float scale)
{
   uint32_t r = 0;
   EACH(c) r |= (norm(v[c], lo, scale) & 0xff) << (8 * c);
   return r;
}
WANT(pk4ub) { EACH(c) out->u[c] = pack4(in->f0, 0, 255); }
WANT(pk4b) { EACH(c) out->u[c] = pack4(in->f0, -1, 127); }
WANT(up2us) { EACH(c) out->f[c] = (in->u[0] >> (16 * (c & 1)) & 0xffff) / 65535.0f; }
WANT(up4ub) { EACH(c) out->f[c] = (in->u[0] >> (8 * c) & 0xff) / 255.0f; }
WANT(up4b) { EACH(c) out->f[c] = fmaxf((int8_t)(in->u[0] >> (8 * c)) / 127.0f, -1.0f); }
#define PAIRS(expr) for (unsigned p = 0; p < 2; p++) { const double x = in->d0[p], y = in->d1[p]; out->d[p] = (expr); (void)x; (void)y; }
WANT(dceil) { PAIRS(ceil(x)) }
WANT(dtrunc) { PAIRS(trunc(x)) }
WANT(dround) { PAIRS(rint(x)) }
WANT(dssg) { PAIRS(x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0) }
WANT(dfma) { PAIRS(fma(x, y, -y)) }
WANT(dmad_precise) { volatile double product; PAIRS((product = x * y, product - y)) }
WANT(dfracexp)
{
   int e0, e1;
   double m0 = frexp(in->d0[0], &e0), m1 = frexp(in->d0[1], &e1);
   out->d[0] = m0 + m1;
   out->u[2] = isfinite(in->d0[0]) ? e0 : 0;
   out->u[3] = isfinite(in->d0[1]) ? e1 : 0;
   (void)e1;
}
/* Two roundings where two instructions stand: nothing is contracted. */
WANT(precise) { EACH(c) { volatile float p = in->f0[c] * in->f1[c]; out->f[c] = p - in->f1[c]; } }

/* Control flow */
WANT(cont_else)
{
   int x = 7;
   for (int n = 0; n < 3; n++) {
      if (x % 2 == 0) { x /= 2; if (x == 18) break; else continue; } else { x = x * 3; }
      x = x + 1;
   }
   EACH(c) out->u[c] = x % 4;
}
WANT(nested_return) { EACH(c) out->u[c] = in->i[0] < 5 ? 11 : 22; }
WANT(empty_then) { EACH(c) out->u[c] = 5; }
WANT(one_turn) { EACH(c) out->u[c] = in->i[0] == 0 ? 1 : in->i[0] == 1 ? 2 + 4 : 4; }
WANT(fall_through) { EACH(c) out->u[c] = in->i[0] == 0 ? 1 + 2 : in->i[0] == 1 ? 2 : 8; }
WANT(three_loops) { uint32_t a = in->i[0], b = in->i[1], k = in->i[2]; EACH(c) out->u[c] = a * b * k; }
WANT(out_of_loop) { EACH(c) out->u[c] = c; }
WANT(nested_ifs)
{
   uint32_t depth = 0;
   while (depth < 32 && (in->u[0] >> depth & 1))
      depth++;
   EACH(c) out->u[c] = depth;
}
WANT(nested_loops) { EACH(c) out->u[c] = 20; }
/* Arithmetic */
static uint32_t ubfe(uint32_t v, unsigned off, unsigned n) { return !n ? 0 : n >= 32 ? v : (v >> off) & ((1ull << n) - 1); }
WANT(bfe)
{
   out->u[0] = ubfe(0xdeadbeef, 7, 0);
   out->u[1] = ubfe(0xdeadbeef, 0, 32);
   out->u[2] = ubfe(0xdeadbeef, 28, 4);
   out->u[3] = 0xfffffff8;
}
WANT(nan_less) { out->u[0] = out->u[1] = out->u[2] = 0; out->u[3] = ~0u; }
WANT(sat_nan) { out->f[0] = out->f[1] = 0; out->f[2] = 0; out->f[3] = 1; }
WANT(neg_abs) { EACH(c) out->f[c] = -fabsf(in->f0[c]); }
WANT(neg_abs_mul) { EACH(c) out->f[c] = -fabsf(in->f0[c]) * -fabsf(in->f1[c]); }
WANT(neg_abs_max) { EACH(c) out->f[c] = fmaxf(-fabsf(in->f0[c]), -fabsf(in->f1[c])); }
WANT(dvec_swizzle) { out->d[0] = in->d0[1] + in->d1[0]; out->d[1] = in->d0[0] + in->d1[1]; }
WANT(umod) { EACH(c) out->u[c] = c == 0 ? in->u[0] % 1 : c == 1 ? in->u[1] / 1 : c == 2 ? in->u[2] / 3 : in->u[3] % 3; }
WANT(by_zero) { out->u[0] = ~0u; out->u[1] = ~0u; out->u[2] = 0; out->u[3] = ~0u; }
WANT(by_zero_64) { out->l[0] = ~0ull; out->l[1] = ~0ull; }
WANT(shift_64) { const uint64_t v = in->u[0] | (uint64_t)in->u[1] << 32; out->l[0] = v << ((in->i[0] * 8 + 1) & 63); out->l[1] = (uint64_t)((int64_t)v >> ((in->i[0] * 8 + 1) & 63)); }
WANT(lit) { out->f[0] = 1; out->f[1] = 2; out->f[2] = 9; out->f[3] = 1; }
WANT(lit_0) { out->f[0] = 1; out->f[1] = 0; out->f[2] = 0; out->f[3] = 1; }
WANT(fold) { EACH(c) out->f[c] = 1 + 2 * -(in->f0[c] * 0.5f); }
WANT(cmp_abs) { EACH(c) out->f[c] = in->f0[0] < 0 ? fabsf(in->f1[c]) : in->f0[c]; }
WANT(mask_z) { EACH(c) out->f[c] = c == 2 ? fminf(in->f0[1], in->f1[1]) : in->f0[c]; }
/* Indirect access */
WANT(two_indices) { EACH(c) out->f[c] = 4 * (in->i[0] & 3) + c + 4 * (in->i[1] & 3) + c; }
WANT(three_indices) { EACH(c) out->f[c] = (4.0f * (in->i[0] & 3) + c) * (4.0f * (in->i[1] & 3) + c) + (4 * (in->i[2] & 3) + c); }
WANT(double_array) { out->d[0] = (in->i[0] & 3) + 1; out->d[1] = 0; }
WANT(below) { EACH(c) out->f[c] = 4 * in->i[0] + c; }
WANT(many) { EACH(c) out->u[c] = 1500 * in->i[c]; }

#define ARRAY "DCL TEMP[10..13], ARRAY(1)\nMOV TEMP[10], CONST[0][0]\nMOV TEMP[11], CONST[0][1]\nMOV TEMP[12], CONST[0][2]\nMOV TEMP[13], CONST[0][3]\n"
static char nested_ifs[16384], nested_loops[16384], many[200000];

static const struct { const char *name, *text; want_fn want; unsigned ulps; } programs[] = {
   { "FMA", HEAD "FMA OUT[0], IN[0], IN[1], -IN[1]\nEND\n", want_fma, 1 },
   { "MIN", HEAD "MIN OUT[0], IN[0], IN[1]\nEND\n", want_min, 1 },
   { "ARR", HEAD "IMM[4] FLT32 {0.75, 0.0, 0.0, 0.0}\nU2F TEMP[0].x, IN[2].xxxx\nMUL TEMP[0].x, TEMP[0].xxxx, IMM[4].xxxx\nARR ADDR[0].x, TEMP[0].xxxx\n"
     "MOV OUT[0], CONST[0][ADDR[0].x]\nEND\n", want_arr },
   { "PK2US", HEAD "PK2US OUT[0], IN[0]\nEND\n", want_pk2us }, { "PK4UB", HEAD "PK4UB OUT[0], IN[0]\nEND\n", want_pk4ub },
   { "PK4B", HEAD "PK4B OUT[0], IN[0]\nEND\n", want_pk4b }, { "UP2US", HEAD "UP2US OUT[0], IN[3]\nEND\n", want_up2us, 2 },
   { "UP4UB", HEAD "UP4UB OUT[0], IN[3]\nEND\n", want_up4ub, 2 }, { "UP4B", HEAD "UP4B OUT[0], IN[3]\nEND\n", want_up4b, 2 },
   { "DCEIL", HEAD "DCEIL OUT[0], IN[4]\nEND\n", want_dceil }, { "DTRUNC", HEAD "DTRUNC OUT[0], IN[4]\nEND\n", want_dtrunc },
   { "DROUND", HEAD "DROUND OUT[0], IN[4]\nEND\n", want_dround }, { "DSSG", HEAD "DSSG OUT[0], IN[4]\nEND\n", want_dssg },
   { "DFMA", HEAD "DFMA OUT[0], IN[4], IN[5], -IN[5]\nEND\n", want_dfma },
   { "no contraction in DMAD", HEAD "DMAD_PRECISE OUT[0], IN[4], IN[5], -IN[5]\nEND\n", want_dmad_precise },
   { "DFRACEXP", HEAD "DFRACEXP TEMP[0].xy, TEMP[1].x, IN[4]\nDFRACEXP TEMP[2].xy, TEMP[3].x, IN[4].zwzw\nDADD OUT[0].xy, TEMP[0], TEMP[2]\n"
     "MOV OUT[0].z, TEMP[1].xxxx\nMOV OUT[0].w, TEMP[3].xxxx\nEND\n", want_dfracexp },
   { "no contraction", HEAD "MUL TEMP[0], IN[0], IN[1]\nADD OUT[0], TEMP[0], -IN[1]\nEND\n", want_precise, 1 },
   { "no contraction in MAD", HEAD "MAD OUT[0], IN[0], IN[1], -IN[1]\nEND\n", want_precise, 1 },

   { "continue in the else of a loop",
     HEAD "IMM[4] UINT32 {7, 18, 0, 0}\nMOV TEMP[0].x, IMM[4].xxxx\nMOV TEMP[0].y, IMM[1].xxxx\nBGNLOOP\n  USGE TEMP[1].x, TEMP[0].yyyy, IMM[1].wwww\n"
          "  UIF TEMP[1].xxxx\n    BRK\n  ENDIF\n  UADD TEMP[0].y, TEMP[0].yyyy, IMM[1].yyyy\n  AND TEMP[1].x, TEMP[0].xxxx, IMM[1].yyyy\n  UIF TEMP[1].xxxx\n"
          "    UMUL TEMP[0].x, TEMP[0].xxxx, IMM[1].wwww\n  ELSE\n    USHR TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n    USEQ TEMP[1].x, TEMP[0].xxxx, IMM[4].yyyy\n"
          "    UIF TEMP[1].xxxx\n      BRK\n    ELSE\n      CONT\n    ENDIF\n  ENDIF\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\nENDLOOP\nAND OUT[0], TEMP[0].xxxx, IMM[1].wwww\nEND\n",
     want_cont_else },
   { "return out of a loop in an if",
     HEAD "IMM[4] UINT32 {11, 22, 0, 0}\nMOV TEMP[5], IMM[4].yyyy\nCAL :4\nMOV OUT[0], TEMP[5]\nEND\nBGNSUB\n  UIF IMM[1].yyyy\n    MOV TEMP[0].x, IMM[1].xxxx\n    BGNLOOP\n"
          "      USGE TEMP[1].x, TEMP[0].xxxx, IMM[2].yyyy\n      UIF TEMP[1].xxxx\n        BRK\n      ENDIF\n      USEQ TEMP[1].x, TEMP[0].xxxx, IN[2].xxxx\n"
          "      UIF TEMP[1].xxxx\n        MOV TEMP[5], IMM[4].xxxx\n        RET\n      ENDIF\n      UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n    ENDLOOP\n  ENDIF\n"
          "  MOV TEMP[5], IMM[4].yyyy\n  RET\nENDSUB\n", want_nested_return },
   { "nothing but a break in the else",
     HEAD "MOV TEMP[0].x, IMM[1].xxxx\nBGNLOOP\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n  USLT TEMP[1].x, TEMP[0].xxxx, IMM[2].yyyy\n  UIF TEMP[1].xxxx\n  ELSE\n    BRK\n  ENDIF\n"
          "ENDLOOP\nMOV OUT[0], TEMP[0].xxxx\nEND\n", want_empty_then },
   { "a loop of one turn",
     HEAD "MOV TEMP[0].x, IMM[1].xxxx\nBGNLOOP\n  USEQ TEMP[1].x, IN[2].xxxx, IMM[1].xxxx\n  UIF TEMP[1].xxxx\n    MOV TEMP[0].x, IMM[1].yyyy\n    BRK\n  ENDIF\n"
          "  USEQ TEMP[1].x, IN[2].xxxx, IMM[1].yyyy\n  UIF TEMP[1].xxxx\n    MOV TEMP[0].x, IMM[1].zzzz\n  ENDIF\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[2].xxxx\n  BRK\nENDLOOP\n"
          "MOV OUT[0], TEMP[0].xxxx\nEND\n", want_one_turn },
   { "a switch that falls through",
     HEAD "MOV TEMP[0].x, IMM[1].xxxx\nSWITCH IN[2].xxxx\nCASE IMM[1].xxxx\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\nCASE IMM[1].yyyy\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].zzzz\n  BRK\n"
          "DEFAULT\n  MOV TEMP[0].x, IMM[2].zzzz\n  BRK\nENDSWITCH\nMOV OUT[0], TEMP[0].xxxx\nEND\n", want_fall_through },
   { "three loops that lanes leave at different turns",
     HEAD "MOV TEMP[0], IMM[1].xxxx\nBGNLOOP\n  USGE TEMP[1].x, TEMP[0].xxxx, IN[2].xxxx\n  UIF TEMP[1].xxxx\n    BRK\n  ENDIF\n  MOV TEMP[0].y, IMM[1].xxxx\n  BGNLOOP\n"
          "    USGE TEMP[1].x, TEMP[0].yyyy, IN[2].yyyy\n    UIF TEMP[1].xxxx\n      BRK\n    ENDIF\n    MOV TEMP[0].z, IMM[1].xxxx\n    BGNLOOP\n      USGE TEMP[1].x, TEMP[0].zzzz, IN[2].zzzz\n"
          "      UIF TEMP[1].xxxx\n        BRK\n      ENDIF\n      UADD TEMP[0].zw, TEMP[0], IMM[1].yyyy\n    ENDLOOP\n    UADD TEMP[0].y, TEMP[0].yyyy, IMM[1].yyyy\n  ENDLOOP\n"
          "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0].wwww\nEND\n", want_three_loops },
   { "a vector out of a loop's first turn",
     HEAD "MOV TEMP[0].x, IMM[1].xxxx\nBGNLOOP\n  UADD TEMP[1], TEMP[0].xxxx, IMM[1]\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n  BRK\nENDLOOP\nMOV OUT[0], TEMP[1]\nEND\n", want_out_of_loop },
   { "ifs in ifs", nested_ifs, want_nested_ifs }, { "loops in loops", nested_loops, want_nested_loops },

   { "bit fields at their ends",
     HEAD "IMM[4] UINT32 {7, 32, 28, 8}\nUBFE OUT[0].x, IMM[3].wwww, IMM[4].xxxx, IMM[1].xxxx\nUBFE OUT[0].y, IMM[3].wwww, IMM[1].xxxx, IMM[4].yyyy\n"
          "UBFE OUT[0].z, IMM[3].wwww, IMM[4].zzzz, IMM[2].xxxx\nIBFE OUT[0].w, IMM[4].wwww, IMM[1].xxxx, IMM[2].xxxx\nEND\n", want_bfe },
   { "NaN on the left", HEAD "FSLT OUT[0].x, IMM[3].zzzz, IN[1]\nFSGE OUT[0].y, IMM[3].zzzz, IN[1]\nFSEQ OUT[0].z, IMM[3].zzzz, IN[1]\nFSNE OUT[0].w, IMM[3].zzzz, IN[1]\nEND\n", want_nan_less },
   { "NaN on the right", HEAD "FSLT OUT[0].x, IN[1], IMM[3].zzzz\nFSGE OUT[0].y, IN[1], IMM[3].zzzz\nFSEQ OUT[0].z, IN[1], IMM[3].zzzz\nFSNE OUT[0].w, IN[1], IMM[3].zzzz\nEND\n", want_nan_less },
   { "NaN in comparisons to floats", HEAD "SLT TEMP[0].x, IN[1], IMM[3].zzzz\nSGE TEMP[0].y, IN[1], IMM[3].zzzz\nSEQ TEMP[0].z, IN[1], IMM[3].zzzz\nSNE TEMP[0].w, IN[1], IMM[3].zzzz\n"
     "FSNE OUT[0], TEMP[0], IMM[0].xxxx\nEND\n", want_nan_less },
   { "saturation of NaN", HEAD "MOV_SAT OUT[0].x, IMM[3].zzzz\nMUL_SAT OUT[0].y, IMM[3].zzzz, IN[1]\nMAX TEMP[0].x, IMM[3].zzzz, IMM[0].xxxx\nMIN OUT[0].z, TEMP[0].xxxx, IMM[0].zzzz\n"
     "MIN TEMP[0].x, IMM[3].zzzz, IMM[0].zzzz\nMAX OUT[0].w, TEMP[0].xxxx, IMM[0].xxxx\nEND\n", want_sat_nan },
   { "-|x|", HEAD "MOV OUT[0], -|IN[0]|\nEND\n", want_neg_abs },
   { "-|x| * -|y|", HEAD "MUL OUT[0], -|IN[0]|, -|IN[1]|\nEND\n", want_neg_abs_mul, 1 },
   { "max(-|x|, -|y|)", HEAD "MAX OUT[0], -|IN[0]|, -|IN[1]|\nEND\n", want_neg_abs_max, 1 },
   { "second double first", HEAD "DADD OUT[0], IN[4].zwxy, IN[5]\nEND\n", want_dvec_swizzle },
   { "division by 1 and 3", HEAD "UMOD OUT[0].x, IN[3], IMM[1].yyyy\nUDIV OUT[0].y, IN[3], IMM[1].yyyy\nUDIV OUT[0].z, IN[3], IMM[1].wwww\nUMOD OUT[0].w, IN[3], IMM[1].wwww\nEND\n", want_umod },
   { "division by 0", HEAD "UDIV OUT[0].x, IN[3], IMM[1].xxxx\nUMOD OUT[0].y, IN[3], IMM[1].xxxx\nIDIV OUT[0].z, IN[3], IMM[1].xxxx\nMOD OUT[0].w, IN[3], IMM[1].xxxx\nEND\n", want_by_zero },
   { "division of 64 bits by 0", HEAD "U64DIV OUT[0].xy, IN[3], IMM[1].xxxx\nU64MOD OUT[0].zw, IN[3].xyxy, IMM[1].xxxx\nEND\n", want_by_zero_64 },
   { "shifts of 64 bits", HEAD "UMAD TEMP[0].x, IN[2].xxxx, IMM[2].zzzz, IMM[1].yyyy\nU64SHL OUT[0].xy, IN[3], TEMP[0].xxxx\nI64SHR OUT[0].zw, IN[3].xyxy, TEMP[0].xxxx\nEND\n", want_shift_64 },
   { "LIT onto its source", HEAD "IMM[4] FLT32 {2.0, 3.0, 9.0, 2.0}\nMOV TEMP[0], IMM[4]\nLIT TEMP[0], TEMP[0]\nMOV OUT[0], TEMP[0]\nEND\n", want_lit, 16 },
   { "LIT of 0", HEAD "IMM[4] FLT32 {0.0, 5.0, 9.0, 2.0}\nLIT OUT[0], IMM[4]\nEND\n", want_lit_0, 16 },
   { "a negation behind a product", HEAD "MUL TEMP[0], IN[0], IMM[0].yyyy\nMAD OUT[0], IMM[0].wwww, -TEMP[0], IMM[0].zzzz\nEND\n", want_fold, 1 },
   { "CMP onto its source, with |x|", HEAD "MOV TEMP[0], IN[0]\nCMP TEMP[0], TEMP[0].xxxx, |IN[1]|, TEMP[0]\nMOV OUT[0], TEMP[0]\nEND\n", want_cmp_abs, 1 },
   { "a mask in the middle", HEAD "MOV OUT[0], IN[0]\nMIN OUT[0].z, IN[0].xxyw, IN[1].xyyw\nEND\n", want_mask_z, 1 },

   { "two indices", HEAD ARRAY "DCL ADDR[0]\nAND TEMP[0], IN[2], IMM[1].wwww\nUARL ADDR[0].xyz, TEMP[0]\nADD OUT[0], TEMP[ADDR[0].x+10](1), TEMP[ADDR[0].y+10](1)\nEND\n", want_two_indices },
   { "three indices", HEAD "AND TEMP[0], IN[2], IMM[1].wwww\nUARL ADDR[0].xyz, TEMP[0]\nMAD OUT[0], CONST[0][ADDR[0].x], CONST[0][ADDR[0].y], CONST[0][ADDR[0].z]\nEND\n", want_three_indices },
   { "an array of doubles", HEAD "IMM[4] FLT64 {1.0, 2.0}\nIMM[5] FLT64 {3.0, 4.0}\nDCL TEMP[10..13], ARRAY(1)\nMOV TEMP[10].xy, IMM[4].xyxy\nMOV TEMP[11].xy, IMM[4].zwzw\n"
     "MOV TEMP[12].xy, IMM[5].xyxy\nMOV TEMP[13].xy, IMM[5].zwzw\nAND TEMP[0].x, IN[2], IMM[1].wwww\nUARL ADDR[0].x, TEMP[0]\nMOV OUT[0].xy, TEMP[ADDR[0].x+10](1)\nMOV OUT[0].zw, IMM[1].xxxx\nEND\n",
     want_double_array },
   { "an index below", HEAD "UADD TEMP[0].x, IN[2].xxxx, IMM[2].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\nMOV OUT[0], CONST[0][ADDR[0].x-4]\nEND\n", want_below },
   { "thousands of registers", many, want_many },
};

static void
make_texts(void)
{
   char *p = nested_ifs + sprintf(nested_ifs, HEAD "MOV TEMP[1].x, IMM[1].xxxx\nMOV TEMP[2].x, IMM[1].yyyy\n");
   for (unsigned i = 0; i < 40; i++)
      p += sprintf(p, "AND TEMP[0].x, IN[3].xxxx, TEMP[2].xxxx\nUIF TEMP[0].xxxx\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\nUADD TEMP[2].x, TEMP[2].xxxx, TEMP[2].xxxx\n");
   for (unsigned i = 0; i < 40; i++)
      p += sprintf(p, "ENDIF\n");
   sprintf(p, "MOV OUT[0], TEMP[1].xxxx\nEND\n");
   p = nested_loops + sprintf(nested_loops, HEAD "MOV TEMP[1].x, IMM[1].xxxx\n");
   for (unsigned i = 0; i < 20; i++)
      p += sprintf(p, "BGNLOOP\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n");
   for (unsigned i = 0; i < 20; i++)
      p += sprintf(p, "BRK\nENDLOOP\n");
   sprintf(p, "MOV OUT[0], TEMP[1].xxxx\nEND\n");
   p = many + sprintf(many, HEAD "DCL TEMP[10..6009]\n");
   for (unsigned i = 0; i < 1500; i++)
      p += sprintf(p, "MOV TEMP[%u], IN[2]\n", 10 + 4 * i);
   p += sprintf(p, "MOV TEMP[0], IMM[1].xxxx\n");
   for (unsigned i = 0; i < 1500; i++)
      p += sprintf(p, "UADD TEMP[0], TEMP[0], TEMP[%u]\n", 10 + 4 * i);
   sprintf(p, "MOV OUT[0], TEMP[0]\nEND\n");
}

static void
fill(struct harness_data *d, struct lane lanes[HARNESS_LANES], unsigned round)
{
   static const float floats[] = { 0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -0.5f, 1.5f, -2.5f, 0.1f, 3.75f, 1.000244140625f, 0.2f, -0.7f };
   static const uint32_t words[] = { 0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0xfffffffd, 0xdeadbeef, 0x8001, 3, 0x80ff7f01, 0x3fffffff };
   static const double doubles[] = { 0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.999999, 1e300, -4503599627370497.5, 1.0000000001, 0.1, -7.25 };
   unsigned n = round * 7;

   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++) {
      d->vertex_id[l] = l;
      EACH(c) {
         lanes[l].f0[c] = floats[(n + c * 3 + l) % ARRAY_SIZE(floats)];
         lanes[l].f1[c] = floats[(n * 3 + c + l * 5 + 2) % ARRAY_SIZE(floats)];
         lanes[l].i[c] = (n + l * 2 + c * 3) % 9;
         lanes[l].u[c] = words[(n + l + c * 4) % ARRAY_SIZE(words)];
         memcpy(&d->in[0][c][l], &lanes[l].f0[c], 4);
         memcpy(&d->in[1][c][l], &lanes[l].f1[c], 4);
         d->in[2][c][l] = lanes[l].i[c];
         d->in[3][c][l] = lanes[l].u[c];
      }
      for (unsigned p = 0; p < 2; p++) {
         lanes[l].d0[p] = doubles[(n + l + p * 5) % ARRAY_SIZE(doubles)];
         lanes[l].d1[p] = doubles[(n * 5 + l * 3 + p + 1) % ARRAY_SIZE(doubles)];
         for (unsigned k = 0; k < 2; k++) {
            memcpy(&d->in[4][p * 2 + k][l], (char *)&lanes[l].d0[p] + 4 * k, 4);
            memcpy(&d->in[5][p * 2 + k][l], (char *)&lanes[l].d1[p] + 4 * k, 4);
         }
      }
   }
   for (unsigned i = 0; i < HARNESS_CONSTS * 4; i++) {
      float f = i;
      memcpy(&d->consts[0][i / 4][i % 4], &f, 4);
   }
}

static bool
check(unsigned p, unsigned round)
{
   struct harness_data want, got;
   struct lane lanes[HARNESS_LANES];
   char why[256];

   fill(&want, lanes, round);
   want.out_mask[0] = 0xf;
   for (unsigned l = 0; l < HARNESS_LANES; l++) {
      union result r;
      memset(&r, 0, sizeof(r));
      programs[p].want(&lanes[l], &r);
      EACH(c) want.out[0][c][l] = r.u[c];
   }
   for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
      got = want;
      if (programs[p].text == many && mode > HARNESS_MACHINE)
         break; /* as many spills as registers take minutes */
      if (!harness_run(mode, programs[p].text, &got, why, sizeof(why))) {
         printf("%s (%s): %s\n", programs[p].name, harness_mode_names[mode], why);
         return false;
      }
      if (harness_compare(programs[p].name, programs[p].text == many ? "" : programs[p].text, &want, &got, programs[p].ulps, 0)) {
         printf("(%s)\n", harness_mode_names[mode]);
         return false;
      }
   }
   return true;
}

int
main(void)
{
   unsigned bad = 0;

   make_texts();
   for (unsigned p = 0; p < ARRAY_SIZE(programs); p++) {
      const unsigned rounds = programs[p].text == many ? 1 : 13;
      for (unsigned round = 0; round < rounds; round++) {
         if (!check(p, round)) {
            bad++;
            break;
         }
      }
   }
   printf("%zu programs, %u differ\n", ARRAY_SIZE(programs), bad);
   return bad != 0;
}
