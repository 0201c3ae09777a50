/* SPDX-License-Identifier: MIT */
/* Whole programs: control flow, indirect addressing, swizzles and modifiers,
 * against Mesa's interpreter. Lanes take different ways; only where the
 * interpreter itself looks at one lane alone (indirect stores, BRK of a SWITCH
 * inside of an IF) do the programs keep to what it can do. */
#include <stdio.h>
#include <string.h>

#include "../../args.h"
#include "util/macros.h"
#include "harness.h"
#include "planted.h"

#define HEAD                                                                                      \
   "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\n"   \
   "DCL CONST[0][0..31]\nDCL CONST[1][0..31]\nDCL TEMP[0..7]\nDCL ADDR[0..1]\n"                   \
   "IMM[0] FLT32 {0.0, 1.0, 2.0, -0.5}\nIMM[1] INT32 {0, 1, 2, 3}\n"                              \
   "IMM[2] INT32 {4, 5, 7, -1}\n"

/* `same_as`: what the interpreter runs in place of a program that it cannot. */
static const struct { const char *name, *text, *same_as; } programs[] = {
   { "swizzle of the destination",
     HEAD "MOV TEMP[0], IN[0]\nMOV TEMP[0], TEMP[0].wxyz\nADD TEMP[0].xz, TEMP[0].zwxy, IN[1]\n"
          "MUL TEMP[0], TEMP[0].yyxx, TEMP[0].xyzw\nMOV OUT[0], TEMP[0]\nEND\n" },
   { "modifiers and saturation",
     HEAD "MOV TEMP[0], -IN[0]\nMOV TEMP[1], |IN[1]|\nMAX TEMP[2], -|IN[0]|, TEMP[1]\n"
          "ADD_SAT OUT[0], TEMP[0], TEMP[2]\nUADD OUT[1], IN[2], -IN[3]\n"
          "MUL_SAT OUT[2].yw, IN[0], IN[1]\nEND\n" },
   { "if and else",
     HEAD "MOV TEMP[0], IN[0]\nFSLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nUIF TEMP[1].xxxx\n"
          "  MOV TEMP[0], IN[1]\n  IF IN[0].yyyy\n    ADD TEMP[0].x, TEMP[0], IMM[0].yyyy\n  ENDIF\n"
          "ELSE\n  MUL TEMP[0].yz, TEMP[0], IMM[0].zzzz\nENDIF\nMOV OUT[0], TEMP[0]\nEND\n" },
   { "loop with break and continue",
     HEAD "MOV TEMP[0], IMM[1].xxxx\nMOV TEMP[1], IMM[1].xxxx\nAND TEMP[3].x, IN[2].xxxx, IMM[2].zzzz\n"
          "BGNLOOP\n  USGE TEMP[2].x, TEMP[0].xxxx, IMM[2].zzzz\n  UIF TEMP[2].xxxx\n    BRK\n  ENDIF\n"
          "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n"
          "  USEQ TEMP[2].x, TEMP[0].xxxx, TEMP[3].xxxx\n  UIF TEMP[2].xxxx\n    CONT\n  ENDIF\n"
          "  UADD TEMP[1].x, TEMP[1].xxxx, TEMP[0].xxxx\n"
          "  UADD TEMP[1].y, TEMP[1].yyyy, IN[2].yyyy\nENDLOOP\n"
          "MOV OUT[0], TEMP[1]\nMOV OUT[1], TEMP[0].xxxx\nEND\n" },
   { "loop in loop",
     HEAD "MOV TEMP[0], IMM[1].xxxx\nMOV TEMP[4], IMM[1].xxxx\nAND TEMP[3].x, IN[2].xxxx, IMM[1].wwww\n"
          "BGNLOOP\n  USGE TEMP[2].x, TEMP[0].xxxx, IMM[2].xxxx\n  UIF TEMP[2].xxxx\n    BRK\n  ENDIF\n"
          "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n  MOV TEMP[0].y, IMM[1].xxxx\n"
          "  BGNLOOP\n    USGE TEMP[2].x, TEMP[0].yyyy, TEMP[3].xxxx\n    UIF TEMP[2].xxxx\n      BRK\n    ENDIF\n"
          "    UADD TEMP[0].y, TEMP[0].yyyy, IMM[1].yyyy\n    UMAD TEMP[4].x, TEMP[4].xxxx, IMM[1].wwww, TEMP[0].xxxx\n"
          "  ENDLOOP\n  UADD TEMP[4].y, TEMP[4].yyyy, TEMP[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[4]\nEND\n" },
   { "switch with fall through and default in the middle",
     HEAD "MOV TEMP[0], IMM[1].xxxx\nAND TEMP[1].x, IN[2].xxxx, IMM[2].zzzz\nSWITCH TEMP[1].xxxx\n"
          "CASE IMM[1].xxxx\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[2].xxxx\n"
          "CASE IMM[1].yyyy\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[2].yyyy\n  BRK\n"
          "CASE IMM[1].wwww\n  UIF IN[2].yyyy\n    UADD TEMP[0].w, TEMP[0].wwww, IMM[2].yyyy\n  ENDIF\n  UADD TEMP[0].y, TEMP[0].yyyy, IMM[2].xxxx\n  BRK\n"
          "DEFAULT\n  MOV TEMP[0].z, IMM[2].xxxx\n  BRK\nENDSWITCH\nMOV OUT[0], TEMP[0]\nEND\n" },
   { "switch in a loop",
     HEAD "MOV TEMP[0], IMM[1].xxxx\nBGNLOOP\n  USGE TEMP[2].x, TEMP[0].xxxx, IMM[2].xxxx\n"
          "  UIF TEMP[2].xxxx\n    BRK\n  ENDIF\n  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n"
          "  SWITCH TEMP[0].xxxx\n  CASE IMM[1].yyyy\n    UADD TEMP[0].y, TEMP[0].yyyy, IMM[2].yyyy\n    BRK\n"
          "  CASE IMM[1].zzzz\n    UADD TEMP[0].z, TEMP[0].zzzz, IMM[2].zzzz\n    BRK\n"
          "  DEFAULT\n    UADD TEMP[0].w, TEMP[0].wwww, IMM[1].yyyy\n  ENDSWITCH\n"
          "  UADD TEMP[0].w, TEMP[0].wwww, IN[2].xxxx\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n" },
   { "indirect temporaries",
     HEAD "DCL TEMP[8..15], ARRAY(1), LOCAL\nMOV TEMP[8], IN[0]\nMOV TEMP[9], IN[1]\n"
          "MOV TEMP[10], IN[2]\nMOV TEMP[11], IN[3]\nAND TEMP[0].xy, IN[2], IMM[1].wwww\n"
          "UARL ADDR[0].x, TEMP[0].xxxx\nUARL ADDR[0].y, IMM[1].zzzz\n"
          "MOV TEMP[1], TEMP[ADDR[0].x+8](1)\nMOV TEMP[ADDR[0].y+12](1), TEMP[1]\n"
          "UARL ADDR[1].x, IMM[1].wwww\n"
          "MOV OUT[0], TEMP[ADDR[0].y+12](1)\nMOV OUT[1], TEMP[ADDR[1].x+6](1)\nMOV OUT[2], TEMP[1].wzyx\nEND\n" },
   { "indirect temporaries of the whole file",
     HEAD "MOV TEMP[0], IN[0]\nMOV TEMP[1], IN[1]\nMOV TEMP[2], IN[2]\nMOV TEMP[3], IN[3]\n"
          "AND TEMP[4].x, IN[2], IMM[1].wwww\nUARL ADDR[0].x, TEMP[4].xxxx\n"
          "MOV OUT[0], TEMP[ADDR[0].x]\nUARL ADDR[0].x, IMM[1].yyyy\nMOV TEMP[ADDR[0].x+1], IMM[0]\nMOV OUT[1], TEMP[1]\nMOV OUT[2], TEMP[2]\nEND\n" },
   { "indirect constants",
     HEAD "AND TEMP[0].xy, IN[2], IMM[2].zzzz\nUARL ADDR[0].xy, TEMP[0]\n"
          "MOV OUT[0], CONST[0][ADDR[0].x+3].wzyx\nADD OUT[1], CONST[1][ADDR[0].y], CONST[0][7]\n"
          "MOV OUT[2], -CONST[1][9].yyww\nEND\n" },
   { "indirect outputs",
     HEAD "MOV OUT[1], IN[0]\nMOV OUT[2], IN[0]\nUARL ADDR[0].x, IMM[1].yyyy\n"
          "MOV OUT[0], IN[1]\nMOV OUT[ADDR[0].x+1].xz, IN[1]\nEND\n" },
   { "indirect inputs",
     HEAD "AND TEMP[0].x, IN[2], IMM[1].wwww\nUARL ADDR[0].x, TEMP[0].xxxx\nMOV OUT[0], IN[ADDR[0].x]\nEND\n" },
   { "ARL rounds down",
     HEAD "MUL TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\nARL ADDR[0].x, TEMP[0].xxxx\n"
          "MOV OUT[0], CONST[0][ADDR[0].x+5]\nEND\n" },
   { "return from the middle",
     HEAD "MOV OUT[0], IN[0]\nMOV OUT[1], IMM[0]\nMOV TEMP[0], IMM[1].xxxx\nBGNLOOP\n"
          "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n  AND TEMP[1].x, IN[2].xxxx, IMM[1].wwww\n"
          "  USEQ TEMP[1].x, TEMP[0].xxxx, TEMP[1].xxxx\n  UIF TEMP[1].xxxx\n    MOV OUT[0], IN[1]\n    RET\n  ENDIF\n"
          "  USGE TEMP[1].x, TEMP[0].xxxx, IMM[2].xxxx\n  UIF TEMP[1].xxxx\n    BRK\n  ENDIF\nENDLOOP\n"
          "MOV OUT[1], IN[3]\nEND\n" },
   { "system values",
     "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL SV[2], BASEVERTEX\n"
     "MOV OUT[0].x, SV[0].xxxx\nMOV OUT[0].y, SV[1].xxxx\nMOV OUT[0].z, SV[2].xxxx\nMOV OUT[0].w, IN[0].wwww\nEND\n" },
   { "subroutine",
     HEAD "MOV TEMP[0], IN[0]\nCAL :5\nCAL :5\nMOV OUT[0], TEMP[0]\nEND\nBGNSUB\n  IF IN[0].xxxx\n    ADD TEMP[0], TEMP[0], IMM[0].yyyy\n    RET\n  ENDIF\n"
          "  MUL TEMP[0], TEMP[0], IMM[0].zzzz\n  RET\nENDSUB\n" },
   { "break of a switch inside of an if",
     HEAD "AND TEMP[1].x, IN[2].xxxx, IMM[1].wwww\nMOV TEMP[0], IMM[1].xxxx\nSWITCH TEMP[1].xxxx\n"
          "CASE IMM[1].yyyy\n  UIF IN[2].yyyy\n    BRK\n  ENDIF\n  MOV TEMP[0].x, IMM[2].xxxx\n"
          "DEFAULT\n  MOV TEMP[0].y, IMM[2].yyyy\nENDSWITCH\nMOV OUT[0], TEMP[0]\nEND\n",
     HEAD "AND TEMP[1].x, IN[2].xxxx, IMM[1].wwww\nMOV TEMP[0], IMM[1].xxxx\n"
          "USEQ TEMP[2].x, TEMP[1].xxxx, IMM[1].yyyy\nUIF TEMP[2].xxxx\n  UIF IN[2].yyyy\n  ELSE\n"
          "    MOV TEMP[0].x, IMM[2].xxxx\n    MOV TEMP[0].y, IMM[2].yyyy\n  ENDIF\n"
          "ELSE\n  MOV TEMP[0].y, IMM[2].yyyy\nENDIF\nMOV OUT[0], TEMP[0]\nEND\n" },
   { "continue of a loop inside of a switch",
     HEAD "MOV TEMP[0], IMM[1].xxxx\nBGNLOOP\n  USGE TEMP[2].x, TEMP[0].xxxx, IMM[2].zzzz\n  UIF TEMP[2].xxxx\n    BRK\n  ENDIF\n"
          "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n  AND TEMP[3].x, TEMP[0].xxxx, IN[2].xxxx\n"
          "  SWITCH TEMP[3].xxxx\n  CASE IMM[1].yyyy\n    CONT\n  CASE IMM[1].zzzz\n    UADD TEMP[0].y, TEMP[0].yyyy, IMM[2].xxxx\n    BRK\n  ENDSWITCH\n"
          "  UADD TEMP[0].z, TEMP[0].zzzz, IMM[1].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n",
     HEAD "MOV TEMP[0], IMM[1].xxxx\nBGNLOOP\n  USGE TEMP[2].x, TEMP[0].xxxx, IMM[2].zzzz\n  UIF TEMP[2].xxxx\n    BRK\n  ENDIF\n"
          "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy\n  AND TEMP[3].x, TEMP[0].xxxx, IN[2].xxxx\n"
          "  USEQ TEMP[4].x, TEMP[3].xxxx, IMM[1].yyyy\n  UIF TEMP[4].xxxx\n    CONT\n  ENDIF\n"
          "  USEQ TEMP[4].x, TEMP[3].xxxx, IMM[1].zzzz\n  UIF TEMP[4].xxxx\n    UADD TEMP[0].y, TEMP[0].yyyy, IMM[2].xxxx\n  ENDIF\n"
          "  UADD TEMP[0].z, TEMP[0].zzzz, IMM[1].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n" },
   { "divergent indirect store",
     HEAD "DCL TEMP[8..9], ARRAY(1), LOCAL\nMOV TEMP[8], IN[0]\nMOV TEMP[9], IN[0]\nAND TEMP[0].x, IN[2], IMM[1].yyyy\n"
          "UARL ADDR[0].x, TEMP[0].xxxx\nMOV TEMP[ADDR[0].x+8](1).xz, IN[1]\nMOV OUT[0], TEMP[8]\nMOV OUT[1], TEMP[9]\nEND\n",
     HEAD "DCL TEMP[8..9]\nMOV TEMP[8], IN[0]\nMOV TEMP[9], IN[0]\nAND TEMP[0].x, IN[2], IMM[1].yyyy\n"
          "UIF TEMP[0].xxxx\n  MOV TEMP[9].xz, IN[1]\nELSE\n  MOV TEMP[8].xz, IN[1]\nENDIF\n"
          "MOV OUT[0], TEMP[8]\nMOV OUT[1], TEMP[9]\nEND\n" },
};

static uint32_t
rnd(uint32_t *state)
{
   *state = *state * 1664525 + 1013904223;
   return *state >> 8;
}

static void
fill(struct harness_data *d, uint32_t *state)
{
   memset(d, 0, sizeof(*d));
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < HARNESS_LANES; l++) {
            float f = (int)(rnd(state) % 33) / 4.0f - 4.0f;
            uint32_t u = rnd(state) % 9;
            memcpy(&d->in[i][c][l], i < 2 ? (void *)&f : (void *)&u, 4);
         }
      }
   }
   for (unsigned b = 0; b < 2; b++) {
      for (unsigned i = 0; i < HARNESS_CONSTS * 4; i++) {
         float f = (float)(b * 1000 + i);
         memcpy(&d->consts[b][i / 4][i % 4], &f, 4);
      }
   }
   d->instance_id = rnd(state) % 100;
   d->base_vertex = rnd(state) % 100;
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = rnd(state) % 32 * HARNESS_LANES + l;
}

#define PLANTED_ROUNDS 3

/* Machine code, optimised, against the interpreter. */
static bool
is_fine(const void *program)
{
   const char *text = programs[*(const unsigned *)program].text;
   uint32_t state = 4711;

   for (unsigned round = 0; round < PLANTED_ROUNDS; round++) {
      struct harness_data want, got;
      char why[256];
      fill(&want, &state);
      got = want;
      if (!harness_run(HARNESS_MACHINE, text, &got, why, sizeof(why)))
         return false;
      const char *same_as = programs[*(const unsigned *)program].same_as;
      if (!harness_reference(same_as ? same_as : text, &want, why, sizeof(why)) || harness_differences(&want, &got, 0, 0))
         return false;
   }
   return true;
}

static bool
faults_are_found(void)
{
   struct plant_counts counts = { { 0 } };

   harness_patch = plant;
   for (unsigned p = 0; p < ARRAY_SIZE(programs); p++)
      plant_all(programs[p].name, is_fine, &p, 0, &counts);
   harness_patch = NULL;
   return plant_enough(&counts);
}

int
main(int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 1, ARGS_PLANTED);
   const bool planted = args_word(&args, 1, "planted");
   unsigned bad = 0;
   uint32_t state = 12345;

   for (unsigned p = 0; p < ARRAY_SIZE(programs); p++) {
      char why[256];
      unsigned p_bad = 0;
      for (unsigned round = 0; round < 20 && !p_bad; round++) {
         struct harness_data want, got;
         fill(&want, &state);
         if (!harness_reference(programs[p].same_as ? programs[p].same_as : programs[p].text, &want, why, sizeof(why))) {
            printf("%s: reference: %s\n", programs[p].name, why);
            p_bad++;
            break;
         }
         for (unsigned mode = 0; mode < HARNESS_MODES && !p_bad; mode++) {
            got = want;
            if (!harness_run(mode, programs[p].text, &got, why, sizeof(why))) {
               printf("%s (%s): %s\n", programs[p].name, harness_mode_names[mode], why);
               p_bad++;
               break;
            }
            if (harness_compare(programs[p].name, programs[p].text, &want, &got, 0, 0)) {
               printf("(%s)\n", harness_mode_names[mode]);
               p_bad++;
            }
         }
      }
      bad += p_bad != 0;
   }
   printf("%zu programs, %u differ\n", ARRAY_SIZE(programs), bad);
   return (planted && !faults_are_found()) || bad;
}
