/* SPDX-License-Identifier: MIT */
/* Many more values alive at once than there are registers, of lanes (VGPRs, to scratch
 * memory) and of all lanes alike (SGPRs, to lanes of VGPRs and from there to scratch
 * memory): straight, in an arm that some lanes skip, in a loop that lanes leave at
 * different turns. Every value is read, in another order than it was made. Up to what
 * scratch memory has room for; one more is an error that names instruction and reason. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipe/p_shader_tokens.h"
#include "util/macros.h"
#include "tgsiamd/compiler.h"
#include "harness.h"
#include "translate_text.h"

enum shape { STRAIGHT, ARM, LOOP };
struct program {
   const char *name;
   unsigned num;             /* vectors of four values */
   bool uniform;
   enum shape shape;
   bool no_opt;              /* without optimisations, and with all in memory, as well */
};

static const struct program programs[] = {
   { "100 vectors", 100, false, STRAIGHT, true }, { "100 vectors in an arm", 100, false, ARM, true },
   { "100 vectors in a loop", 100, false, LOOP, true }, { "1500 vectors", 1500, false, STRAIGHT },
   { "1500 vectors in an arm", 1500, false, ARM }, { "1500 vectors in a loop", 1500, false, LOOP },
   { "60 uniform vectors", 60, true, STRAIGHT, true }, { "60 uniform vectors in an arm", 60, true, ARM, true },
   { "60 uniform vectors in a loop", 60, true, LOOP, true }, { "1500 uniform vectors", 1500, true, STRAIGHT },
   { "1500 uniform vectors in an arm", 1500, true, ARM }, { "1500 uniform vectors in a loop", 1500, true, LOOP },
   { "5000 uniform vectors in a loop", 5000, true, LOOP },
   { "8150 vectors", 8150, false, STRAIGHT },
};

static char *
make_text(const struct program *p)
{
   char *text;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   const unsigned n = p->num;

   fprintf(f, "VERT\nDCL IN[0..2]\nDCL OUT[0], POSITION\nDCL CONST[0][0..31]\nDCL TEMP[0..%u]\nIMM[0] UINT32 {1, 2, 3, 5}\n", n + 1);
   fprintf(f, "MOV TEMP[%u], IN[0]\n", n);
   if (p->shape == ARM)
      fprintf(f, "AND TEMP[%u].x, IN[2].xxxx, IMM[0].xxxx\nUIF TEMP[%u].xxxx\n", n + 1, n + 1);
   fprintf(f, "MOV TEMP[0], %s\n", p->uniform ? "CONST[0][0]" : "IN[1]");
   for (unsigned i = 1; i < n; i++)
      fprintf(f, "UMAD TEMP[%u], TEMP[%u].yzwx, IMM[0].wwww, %s[%u]\n", i, i - 1, p->uniform ? "CONST[0]" : "IN", p->uniform ? i % 32 : 1);
   if (p->shape == LOOP)
      fprintf(f, "MOV TEMP[%u], IN[2]\nBGNLOOP\n", n + 1);
   for (unsigned i = 0; i < n; i++)
      fprintf(f, "UMAD TEMP[%u], TEMP[%u].wxyz, TEMP[%u], TEMP[%u]\n", n, n, n - 1 - i, i);
   if (p->shape == LOOP)
      fprintf(f, "UIF TEMP[%u].xxxx\nELSE\nBRK\nENDIF\nUADD TEMP[%u].x, TEMP[%u].xxxx, -IMM[0].xxxx\nENDLOOP\n", n + 1, n + 1, n + 1);
   if (p->shape == ARM)
      fprintf(f, "ENDIF\n");
   fprintf(f, "MOV OUT[0], TEMP[%u]\nEND\n", n);
   fclose(f);
   return text;
}

/* What the program makes of one lane. */
static void
work_out(const struct program *p, const struct harness_data *d, unsigned lane, uint32_t acc[4])
{
   uint32_t (*v)[4] = malloc(p->num * sizeof(*v)), old[4];
   unsigned turns = p->shape == LOOP ? d->in[2][0][lane] + 1 : p->shape == ARM ? d->in[2][0][lane] & 1 : 1;

   for (unsigned c = 0; c < 4; c++) {
      acc[c] = d->in[0][c][lane];
      v[0][c] = p->uniform ? d->consts[0][0][c] : d->in[1][c][lane];
   }
   for (unsigned i = 1; i < p->num; i++) {
      for (unsigned c = 0; c < 4; c++)
         v[i][c] = v[i - 1][(c + 1) % 4] * 5 + (p->uniform ? d->consts[0][i % 32][c] : d->in[1][c][lane]);
   }
   for (; turns; turns--) {
      for (unsigned i = 0; i < p->num; i++) {
         memcpy(old, acc, sizeof(old));
         for (unsigned c = 0; c < 4; c++)
            acc[c] = old[(c + 3) % 4] * v[p->num - 1 - i][c] + v[i][c];
      }
   }
   free(v);
}

static bool
check(const struct program *p)
{
   static struct harness_data want, got;
   char why[256], *text = make_text(p);
   bool ok = true;

   memset(&want, 0, sizeof(want));
   want.out_mask[0] = 0xf;
   for (unsigned l = 0; l < HARNESS_LANES; l++) {
      uint32_t result[4];
      want.vertex_id[l] = l;
      for (unsigned c = 0; c < 4; c++) {
         want.in[0][c][l] = 0x10001 * l + 77 * c + 1;
         want.in[1][c][l] = 0x9e3779b9u * (l + 1) + c;
         want.in[2][c][l] = (l + 1) % 4;
         for (unsigned i = 0; i < HARNESS_CONSTS; i++)
            want.consts[0][i][c] = 0x85ebca6bu * (i + 3) + c * c;
      }
      work_out(p, &want, l, result);
      for (unsigned c = 0; c < 4; c++)
         want.out[0][c][l] = result[c];
   }
   for (unsigned mode = HARNESS_MACHINE; mode < HARNESS_MODES && ok; mode++) {
      if (mode > HARNESS_MACHINE && !p->no_opt)
         break;
      got = want;
      ok = harness_run(mode, text, &got, why, sizeof(why));
      if (!ok)
         printf("%s (%s): %s\n", p->name, harness_mode_names[mode], why);
      else if (harness_compare(p->name, "", &want, &got, 0, 0))
         ok = false;
   }
   free(text);
   return ok;
}

/* What needs more than there is. */
static bool
check_error(const char *name, char *text, const char *place, const char *reason)
{
   const unsigned max = 400000;
   struct tgsi_token *tokens = malloc(max * sizeof(*tokens));
   struct tgsiamd_key key;
   struct tgsiamd_shader_binary *bin = NULL;
   bool ok = translate_text(text, tokens, max);

   memset(&key, 0, sizeof(key));
   if (ok)
      bin = tgsiamd_compile(TGSIAMD_GFX9, tokens, &key, 0);
   ok = bin && bin->error && strstr(bin->error, place) && strstr(bin->error, reason);
   if (!ok)
      printf("%s: want \"%s\" and \"%s\", got \"%s\"\n", name, place, reason, !bin ? "(nothing)" : bin->error ? bin->error : "(compiles)");
   if (bin)
      tgsiamd_shader_binary_free(bin);
   free(tokens);
   free(text);
   return ok;
}

int
main(void)
{
   const struct program too_many = { "9000 vectors", 9000, false, STRAIGHT };
   unsigned bad = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(programs); i++)
      bad += !check(&programs[i]);
   /* Of 36,000 values the most are alive where the last one is made. */
   bad += !check_error(too_many.name, make_text(&too_many), "TGSI instruction 9000: ", "131056 bytes of scratch memory");
   printf("%zu programs, %u wrong\n", ARRAY_SIZE(programs) + 1, bad);
   return bad != 0;
}
