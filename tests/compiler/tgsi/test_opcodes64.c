/* SPDX-License-Identifier: MIT */
/* Opcodes on doubles and 64-bit integers against Mesa's interpreter: all pairs of values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"
#include "util/macros.h"
#include "opcodes64.h"

/* All pairs of values meet. A list of what runs (coverage.py) needs only one round. */
static unsigned
num_rounds(const struct opcode64 *op)
{
   const unsigned n = num_values(op->src[0]), m = op->src[1] ? num_values(op->src[1]) : 1;

   return getenv("TGSIAMD_OPCODE_LOG") ? 1 : DIV_ROUND_UP(n * m, 2 * HARNESS_LANES) + 3;
}

/* Value of source s; rounds in which all lanes get lane 0's take another part of the list. */
static unsigned
pick(const struct opcode64 *op, unsigned s, unsigned round, unsigned n)
{
   const unsigned k = round * 2 * HARNESS_LANES + n;

   return (s == 0 ? k : s == 1 ? k / num_values(op->src[0]) : k / 7) % num_values(op->src[s]);
}

static void
fill(struct harness_data *d, const struct opcode64 *op, unsigned round)
{
   static const double some = 5.75;
   static const float some_float = 5.75f;

   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l;
   for (unsigned s = 0; op->src[s]; s++) {
      for (unsigned n = 0; n < 2 * HARNESS_LANES; n++) {
         const unsigned pair = n & 1, lane = n / 2, k = pick(op, s, round, n);
         uint64_t bits = corner_longs[k % num_values('l')];
         switch (op->src[s]) {
         case 'd':
            memcpy(&bits, fits(op, corner_doubles[k]) ? &corner_doubles[k] : &some, 8);
            FALLTHROUGH;
         case 'l':
            put_pair(d, s, pair, lane, bits);
            break;
         case 'f':
            memcpy(&d->in[s][pair][lane], fits(op, corner_floats[k]) ? &corner_floats[k] : &some_float, 4);
            break;
         case 'i':
            /* Counts stand in .x and .z, values of conversions in .x and .y. */
            d->in[s][s ? 2 * pair : pair][lane] = corner_ints[k];
            break;
         }
      }
   }
}

/* Sources come from inputs, and in a few rounds more from constants, immediates (lane 0's
 * values for all) and from both inputs and constants. */
static const char *const files[][2] = { { "IN", "IN" }, { "CONST", "CONST" }, { "IMM", "IMM" }, { "IN", "CONST" } };

static void
apply_rule(const struct opcode64 *op, unsigned turn, struct harness_data *d)
{
   for (unsigned n = 0; n < 2 * HARNESS_LANES; n++) {
      const unsigned p = n & 1, l = n / 2;
      union value s[3];
      float f;
      for (unsigned i = 0; i < 3; i++)
         s[i].l = get_pair(d, i, p, !strcmp(files[turn][i != 0], "IN") ? l : 0);
      if (op->src[0] == 'f') {
         memcpy(&f, &d->in[0][p][files[turn][0][1] == 'N' ? l : 0], 4);
         s[0].d = fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
      }
      put_result(op, d, p, l, op->rule(s));
   }
}

static void
make_text(char *text, size_t size, const struct opcode64 *op, unsigned turn, struct harness_data *d)
{
   int n = snprintf(text, size, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL CONST[0..3]\n");

   for (unsigned i = 0; i < 4; i++) {
      if (turn == 2)
         n += snprintf(text + n, size - n, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", i, d->in[i][0][0], d->in[i][1][0],
                       d->in[i][2][0], d->in[i][3][0]);
      for (unsigned c = 0; c < 4; c++)
         d->consts[0][i][c] = d->in[i][c][0];
   }
   n += snprintf(text + n, size - n, "  %s OUT[0]%s", op->name, mask_of(op));
   for (unsigned i = 0; op->src[i]; i++)
      n += snprintf(text + n, size - n, ", %s[%u]", files[turn][i != 0], i);
   snprintf(text + n, size - n, "\n  END\n");
}

static unsigned
run_op(const struct opcode64 *op, unsigned *runs)
{
   char text[1024], why[256];
   unsigned bad = 0;

   /* Every fourth round comes again with sources from elsewhere. */
   for (unsigned k = 0, round = 0, turn = 0; round < num_rounds(op) && !bad; k++) {
      struct harness_data want, got;
      fill(&want, op, turn && num_rounds(op) > 1 ? k * 5 : round);
      make_text(text, sizeof(text), op, turn, &want);
      want.out_mask[0] = channels_of(op);
      if (op->rule) {
         apply_rule(op, turn, &want);
      } else if (!harness_reference(text, &want, why, sizeof(why))) {
         printf("%s: reference: %s\n", op->name, why);
         return 1;
      }
      for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
         got = want;
         if (!harness_run(mode, text, &got, why, sizeof(why))) {
            printf("%s (%s): %s\n", op->name, harness_mode_names[mode], why);
            return 1;
         }
         (*runs)++;
         bad += compare_results(op, &want, &got);
         if (bad) {
            printf("(%s, %s)\n", harness_mode_names[mode], files[turn][0]);
            break;
         }
      }
      turn = round % 4 == 3 ? (turn + 1) % 4 : 0;
      round += turn == 0;
   }
   return bad;
}

int
main(void)
{
   unsigned bad = 0, runs = 0;

   harness_keep_denormals = true;
   for (unsigned op = 0; op < num_opcodes64; op++)
      bad += run_op(&opcodes64[op], &runs) != 0;
   printf("%u runs of %u opcodes, %u opcodes differ\n", runs, num_opcodes64, bad);
   return bad != 0;
}
