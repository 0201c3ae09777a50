/* SPDX-License-Identifier: MIT */
/* Every texture opcode on every target, in pixel and vertex shaders: compiles
 * with valid IR, or is refused where TGSI has no such combination. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipe/p_shader_tokens.h"
#include "tgsiamd/compiler.h"
#include "util/macros.h"
#include "translate_text.h"

/* Properties of a target that decide which opcodes exist on it. */
#define SHADOW  1u
#define ARRAY   2u
#define CUBE    4u
#define MSAA    8u
#define BUFFER  16u
#define RECT    32u
#define REF_IN_W 64u   /* no room for a bias or level in src0.w */
#define FIVE    128u  /* the reference is a fifth component */

static const struct { const char *name; unsigned flags; } targets[] = {
   { "BUFFER", BUFFER }, { "1D", 0 }, { "2D", 0 }, { "3D", 0 }, { "CUBE", CUBE }, { "RECT", RECT },
   { "SHADOW1D", SHADOW }, { "SHADOW2D", SHADOW }, { "SHADOWRECT", SHADOW | RECT },
   { "1D_ARRAY", ARRAY }, { "2D_ARRAY", ARRAY }, { "SHADOW1D_ARRAY", SHADOW | ARRAY },
   { "SHADOW2D_ARRAY", SHADOW | ARRAY | REF_IN_W }, { "SHADOWCUBE", SHADOW | CUBE | REF_IN_W },
   { "2D_MSAA", MSAA }, { "2D_ARRAY_MSAA", MSAA | ARRAY },
   { "CUBEARRAY", CUBE | ARRAY | REF_IN_W },
   { "SHADOWCUBEARRAY", SHADOW | CUBE | ARRAY | FIVE | REF_IN_W },
};

/* `not`: targets that the opcode cannot have. */
static const struct { const char *text; unsigned not; bool ps_only; bool offset; } ops[] = {
   { "TEX TEMP[0], IN[0], SAMP[0]", BUFFER | MSAA | FIVE, false, true },
   { "TEX TEMP[0].yw, IN[0], SAMP[0]", BUFFER | MSAA | FIVE, false, false },
   { "TEX_LZ TEMP[0], IN[0], SAMP[0]", BUFFER | MSAA | FIVE, false, true },
   { "TXP TEMP[0], IN[0], SAMP[0]", BUFFER | MSAA | REF_IN_W, false, true },
   { "TXB TEMP[0], IN[0], SAMP[0]", BUFFER | MSAA | REF_IN_W, false, true },
   { "TXL TEMP[0], IN[0], SAMP[0]", BUFFER | MSAA | REF_IN_W, false, true },
   { "TEX2 TEMP[0], IN[0], IN[1], SAMP[0]", BUFFER | MSAA, false, false },
   { "TXB2 TEMP[0], IN[0], IN[1], SAMP[0]", BUFFER | MSAA, false, false },
   { "TXL2 TEMP[0], IN[0], IN[1], SAMP[0]", BUFFER | MSAA, false, false },
   { "TXD TEMP[0], IN[0], IN[1], IN[1], SAMP[0]", BUFFER | MSAA | FIVE, false, true },
   { "TXF TEMP[0], IMM[0], SAMP[0]", 0, false, true },
   { "TXF_LZ TEMP[0].xz, IMM[0], SAMP[0]", 0, false, false },
   { "TXQ TEMP[0], IMM[0].xxxx, SAMP[0]", 0, false, false },
   { "TXQS TEMP[0], SAMP[0]", 0, false, false },
   { "LODQ TEMP[0].xy, IN[0], SAMP[0]", BUFFER | MSAA, true, false },
   { "TG4 TEMP[0], IN[0], IMM[0].xxxx, SAMP[0]", BUFFER | MSAA, false, true },
   { "TEX TEMP[0], IN[0], SAMP[ADDR[0].x]", BUFFER | MSAA | FIVE, false, false },
   { "TXF TEMP[0], IMM[0], SAMP[ADDR[0].x+1]", 0, false, false },
   /* a unit that differs between lanes, and handles */
   { "TEX TEMP[0], IN[0], SAMP[ADDR[0].y]", BUFFER | MSAA | FIVE, false, true },
   { "TXD TEMP[0], IN[0], IN[1], IN[1], SAMP[ADDR[0].y]", BUFFER | MSAA | FIVE, false, false },
   { "TXF TEMP[0], IMM[0], SAMP[ADDR[0].y]", 0, false, false },
   { "TXQ TEMP[0], IMM[0].xxxx, SAMP[ADDR[0].y]", 0, false, false },
   { "TEX TEMP[0], IN[0], CONST[0][1]", BUFFER | MSAA | FIVE, false, true },
   { "TEX TEMP[0], IN[0], IN[1]", BUFFER | MSAA | FIVE, false, true },
   { "TXF TEMP[0], IMM[0], IN[1]", 0, false, false },
   { "TXQS TEMP[0], IN[1]", 0, false, false },
   { "TG4 TEMP[0], IN[0], IMM[0].xxxx, IN[1]", BUFFER | MSAA, false, true },
   { "SAMP2HND TEMP[0].xy, SAMP[1]", MSAA, false, false },
   { "SAMP2HND TEMP[0].xy, SAMP[ADDR[0].y]", MSAA, false, false },
};

/* Direct3D's opcodes: the target is the view's. */
static const struct { const char *text; unsigned not; bool ps_only; } sview_ops[] = {
   { "SAMPLE TEMP[0], IN[0], SVIEW[1].wzyx, SAMP[0]", BUFFER | MSAA, false },
   { "SAMPLE_B TEMP[0].x, IN[0], SVIEW[1], SAMP[0], IN[1].xxxx", BUFFER | MSAA, false },
   { "SAMPLE_L TEMP[0], IN[0], SVIEW[1], SAMP[2], IN[1].xxxx", BUFFER | MSAA, false },
   { "SAMPLE_C TEMP[0], IN[0], SVIEW[1].xxxx, SAMP[0], IN[1].xxxx", BUFFER | MSAA, false },
   { "SAMPLE_C_LZ TEMP[0], IN[0], SVIEW[1].xxxx, SAMP[0], IN[1].xxxx", BUFFER | MSAA, false },
   { "SAMPLE_D TEMP[0], IN[0], SVIEW[1], SAMP[0], IN[1], IN[1].wzyx", BUFFER | MSAA, false },
   { "GATHER4 TEMP[0], IN[0], SVIEW[1], SAMP[0]", BUFFER | MSAA, false },
   { "SAMPLE_I TEMP[0].yz, IMM[0], SVIEW[1].wwxx", CUBE | MSAA, false },
   { "SVIEWINFO TEMP[0], IMM[0].xxxx, SVIEW[1]", 0, false },
   { "LOD TEMP[0], IN[0], SVIEW[1].yxzw, SAMP[0]", BUFFER | MSAA, true },
   { "SAMPLE TEMP[0], IN[0], SVIEW[1].wzyx, SAMP[ADDR[0].y]", BUFFER | MSAA, false },
   { "SAMPLE_INFO TEMP[0], SVIEW[1], IMM[0].xxxx", 0, false },
   { "SAMPLE_POS TEMP[0], SVIEW[1], IMM[0].xxxx", 0, false },
};

/* Images: no shadow targets either. */
static const char *const image_ops[] = {
   "LOAD TEMP[0], IMAGE[1], IMM[0]", "LOAD TEMP[0].yw, IMAGE[ADDR[0].x], IMM[0]",
   "STORE IMAGE[1], IMM[0], IN[0]", "ATOMUADD TEMP[0].x, IMAGE[1], IMM[0], IMM[0].xxxx",
   "ATOMCAS TEMP[0].x, IMAGE[1], IMM[0], IMM[0].xxxx, IMM[0].yyyy", "RESQ TEMP[0], IMAGE[1]",
   "LOAD TEMP[0], IMAGE[ADDR[0].y], IMM[0]", "STORE IMAGE[ADDR[0].y], IMM[0], IN[0]",
   "ATOMFADD TEMP[0].x, IMAGE[ADDR[0].y], IMM[0], IMM[0].xxxx", "ATOMFADD TEMP[0].x, IMAGE[1], IMM[0], IMM[0].xxxx",
   "ATOMINC_WRAP TEMP[0].x, IMAGE[1], IMM[0], IMM[0].xxxx", "ATOMDEC_WRAP TEMP[0].x, IMAGE[1], IMM[0], IMM[0].xxxx",
   "RESQ TEMP[0], IMAGE[ADDR[0].y]",
};

static struct tgsiamd_shader_binary *
compile(const char *text, bool ps)
{
   static struct tgsi_token tokens[4096];
   struct tgsiamd_key key;

   if (!translate_text(text, tokens, ARRAY_SIZE(tokens))) {
      printf("does not parse:\n%s", text);
      return NULL;
   }
   memset(&key, 0, sizeof(key));
   if (ps)
      key.ps.col_format = 9; /* 32_ABGR */
   return tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, TGSIAMD_COMPILE_VALIDATE);
}

/* True when it does what `possible` says. */
static bool
check(const char *inst, const char *target, const char *offset, bool ps, bool possible)
{
   const char *format = "";
   char text[1024], view[96] = "";
   if (strstr(inst, "IMAGE")) {
      snprintf(view, sizeof(view), "DCL IMAGE[0..3], %s, PIPE_FORMAT_R32_UINT, WR\n", target);
      format = ", PIPE_FORMAT_R32_UINT";
   }
   if (strstr(inst, "SVIEW"))
      snprintf(view, sizeof(view), "DCL SVIEW[1], %s, FLOAT\n", target);
   snprintf(text, sizeof(text),
            "%s\nDCL IN[0]%s\nDCL IN[1]%s\nDCL OUT[0], %s\nDCL SAMP[0..3]\nDCL TEMP[0]\n%s"
            "DCL ADDR[0]\nDCL CONST[0][0..1]\nIMM[0] INT32 {1, 2, -3, 0}\n"
            "UARL ADDR[0].x, CONST[0][0].xxxx\nUARL ADDR[0].y, IN[1].xxxx\n%s%s%s%s\nMOV OUT[0], TEMP[0]\nEND\n",
            ps ? "FRAG" : "VERT", ps ? ", GENERIC[0], PERSPECTIVE" : "",
            ps ? ", GENERIC[1], LINEAR" : "", ps ? "COLOR" : "POSITION", view, inst,
            strstr(inst, "SVIEW") ? "" : ", ", strstr(inst, "SVIEW") ? "" : target,
            format[0] ? format : offset);
   struct tgsiamd_shader_binary *bin = compile(text, ps);
   if (!bin)
      return false;
   bool ok = possible == !bin->error && !(bin->error && strstr(bin->error, "internal"));
   if (!ok)
      printf("%s, %s%s: %s\n", inst, target, offset, bin->error ? bin->error : "was not refused");
   tgsiamd_shader_binary_free(bin);
   return ok;
}

int
main(void)
{
   unsigned bad = 0, n = 0;

   for (unsigned o = 0; o < ARRAY_SIZE(ops); o++) {
      for (unsigned t = 0; t < ARRAY_SIZE(targets); t++) {
         const bool possible = !(ops[o].not & targets[t].flags);
         for (unsigned ps = 0; ps < 2; ps++) {
            if (ops[o].ps_only && !ps)
               continue;
            bad += !check(ops[o].text, targets[t].name, "", ps, possible);
            n++;
            if (ops[o].offset && !(targets[t].flags & (CUBE | MSAA | BUFFER))) {
               bad += !check(ops[o].text, targets[t].name, ", IMM[0].xyz", ps, possible);
               n++;
            }
         }
      }
   }
   for (unsigned o = 0; o < ARRAY_SIZE(sview_ops); o++) {
      for (unsigned t = 0; t < ARRAY_SIZE(targets); t++) {
         if (targets[t].flags & SHADOW)
            continue; /* views have no shadow targets */
         for (unsigned ps = sview_ops[o].ps_only; ps < 2; ps++) {
            bad += !check(sview_ops[o].text, targets[t].name, "", ps,
                          !(sview_ops[o].not & targets[t].flags));
            n++;
         }
      }
   }
   for (unsigned o = 0; o < ARRAY_SIZE(image_ops); o++) {
      for (unsigned t = 0; t < ARRAY_SIZE(targets); t++) {
         for (unsigned ps = 0; ps < 2; ps++) {
            bad += !check(image_ops[o], targets[t].name, "", ps, !(targets[t].flags & SHADOW));
            n++;
         }
      }
   }
   printf("%u programs, %u wrong\n", n, bad);
   return bad != 0;
}
