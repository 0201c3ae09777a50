/* SPDX-License-Identifier: MIT */
/* Opcodes on doubles and 64-bit integers against Mesa's interpreter. A pair
 * of channels is one value: .xy and .zw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "harness.h"

static const double doubles[] = {
   0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, 1e10, -1e10, 1.0 / 3, 123456789.125, 0x1p52,
   1e100, -1e-100, 7.0, 2147483647.0, 4294967295.0, -2147483648.0, 1e18,
};
static const uint64_t longs[] = {
   0, 1, 2, 3, 7, 31, 32, 33, 63, 100, 0xffffffff, 0x100000000, 0x100000001, 0x7fffffff,
   0x80000000, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xffffffffffffffff,
   0xfffffffffffffffe, 0x123456789abcdef0, 0xffffffff00000000, 0x00ffffff80000000,
   0x0000008000000080, 0x0000010000000001, 0xffffff0000000001,
};
static const float floats[] = {
   0.0f, 1.0f, -1.0f, 0.5f, 2.75f, -2.75f, 100.5f, 1e9f, 3e9f, -1e9f, 1e15f, 0.001f,
};
static const uint32_t ints[] = {
   0, 1, 2, 31, 32, 33, 63, 64, 100, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 12345,
};

/* src: a letter a source: d double, l long, f float, i int; dst likewise, with
 * f and i one dword a pair in .x and .y (conversions), c a compare in .x, .z. */
static const struct {
   const char *name, *src;
   char dst;
   uint8_t ulps;
   uint8_t limit; /* doubles and floats: 1 positive, 2 fits a 32-bit int, 4 nonzero, 8 small */
} ops[] = {
   { "DADD", "dd", 'd' }, { "DMUL", "dd", 'd' }, { "DMAD", "ddd", 'd' }, { "DMIN", "dd", 'd' },
   { "DMAX", "dd", 'd' }, { "DABS", "d", 'd' }, { "DNEG", "d", 'd' }, { "DRCP", "d", 'd', 1, 4 },
   { "DDIV", "dd", 'd', 1, 4 }, { "DSQRT", "d", 'd', 1, 1 }, { "DRSQ", "d", 'd', 2, 1 | 4 },
   { "DFRAC", "d", 'd', 1 }, { "DFLR", "d", 'd' }, { "DSLT", "dd", 'c' }, { "DSGE", "dd", 'c' },
   { "DSEQ", "dd", 'c' }, { "DSNE", "dd", 'c' }, { "DLDEXP", "di", 'd', 0, 8 },
   { "F2D", "f", 'd' }, { "I2D", "i", 'd' }, { "U2D", "i", 'd' },
   { "D2F", "d", 'f', 0, 8 }, { "D2I", "d", 'i', 0, 2 }, { "D2U", "d", 'i', 0, 1 | 2 },
   { "U64ADD", "ll", 'l' }, { "U64MUL", "ll", 'l' }, { "I64NEG", "l", 'l' },
   { "I64ABS", "l", 'l' }, { "I64SSG", "l", 'l' }, { "I64MIN", "ll", 'l' },
   { "I64MAX", "ll", 'l' }, { "U64MIN", "ll", 'l' }, { "U64MAX", "ll", 'l' },
   { "I64DIV", "ll", 'l' }, { "I64MOD", "ll", 'l' }, { "U64DIV", "ll", 'l' },
   { "U64MOD", "ll", 'l' }, { "U64SHL", "li", 'l' }, { "U64SHR", "li", 'l' },
   { "I64SHR", "li", 'l' }, { "U64SEQ", "ll", 'c' }, { "U64SNE", "ll", 'c' },
   { "U64SLT", "ll", 'c' }, { "U64SGE", "ll", 'c' }, { "I64SLT", "ll", 'c' },
   { "I64SGE", "ll", 'c' }, { "U2I64", "i", 'l' }, { "I2I64", "i", 'l' },
   { "F2U64", "f", 'l', 0, 1 }, { "F2I64", "f", 'l' }, { "D2U64", "d", 'l', 0, 1 | 8 },
   { "D2I64", "d", 'l', 0, 8 }, { "U642F", "l", 'f' }, { "I642F", "l", 'f' },
   { "U642D", "l", 'd' }, { "I642D", "l", 'd' },
};

static void
put(struct harness_data *d, unsigned s, unsigned pair, unsigned lane, uint64_t v)
{
   d->in[s][2 * pair][lane] = v;
   d->in[s][2 * pair + 1][lane] = v >> 32;
}

/* A list of what runs (coverage.py) needs only one. */
static unsigned
num_rounds(void)
{
   return getenv("TGSIAMD_OPCODE_LOG") ? 1 : 100;
}

static void
fill(struct harness_data *d, unsigned op, unsigned round)
{
   static const unsigned strides[] = { 1, 26, 7 };

   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l;
   for (unsigned s = 0; ops[op].src[s]; s++) {
      for (unsigned n = 0; n < 2 * HARNESS_LANES; n++) {
         const unsigned pair = n & 1, lane = n / 2;
         const unsigned k = (round * 8 + n) / strides[s] + s * 3;
         uint64_t bits;
         double v = doubles[k % ARRAY_SIZE(doubles)];
         float f = floats[k % ARRAY_SIZE(floats)];
         uint32_t i = ints[k % ARRAY_SIZE(ints)];
         if (ops[op].limit & 1) {
            v = fabs(v);
            f = fabsf(f);
         }
         if ((ops[op].limit & 2 && (v > 4294967295.0 || v < -2147483648.0)) ||
             (ops[op].limit & 2 && !(ops[op].limit & 1) && v > 2147483647.0) ||
             (ops[op].limit & 4 && v == 0) || (ops[op].limit & 8 && fabs(v) > 9e18))
            v = 5.75;
         switch (ops[op].src[s]) {
         case 'd':
            memcpy(&bits, &v, 8);
            put(d, s, pair, lane, bits);
            break;
         case 'l':
            bits = longs[k % ARRAY_SIZE(longs)];
            /* C cannot divide the least by -1. */
            if (s == 0 && bits == 1ull << 63 && strstr(ops[op].name, "I64") && ops[op].src[1])
               bits++;
            put(d, s, pair, lane, bits);
            break;
         case 'f':
            memcpy(&i, &f, 4);
            d->in[s][pair][lane] = i;
            break;
         case 'i':
            /* Counts stand in .x and .z, values of conversions in .x and .y. */
            if (!strcmp(ops[op].name, "DLDEXP"))
               i &= 15;
            d->in[s][s ? 2 * pair : pair][lane] = i;
            break;
         }
      }
   }
}

static const char *
mask_of(char dst)
{
   return dst == 'f' || dst == 'i' ? ".xy" : dst == 'c' ? ".xz" : "";
}

static unsigned
compare64(unsigned op, const struct harness_data *want, const struct harness_data *got)
{
   unsigned bad = 0;

   for (unsigned n = 0; n < 2 * HARNESS_LANES; n++) {
      const unsigned p = n & 1, l = n / 2;
      uint64_t w = want->out[0][2 * p][l] | (uint64_t)want->out[0][2 * p + 1][l] << 32;
      uint64_t g = got->out[0][2 * p][l] | (uint64_t)got->out[0][2 * p + 1][l] << 32;
      uint64_t diff = w > g ? w - g : g - w;
      double dw, dg;
      memcpy(&dw, &w, 8);
      memcpy(&dg, &g, 8);
      if (diff <= ops[op].ulps || (ops[op].dst == 'd' && isnan(dw) && isnan(dg)) ||
          (ops[op].dst == 'd' && dw == dg))
         continue;
      if (bad++ < 3) {
         printf("%s: pair %u lane %u: want 0x%016llx (%g), got 0x%016llx (%g)\n", ops[op].name, p,
                l, (unsigned long long)w, dw, (unsigned long long)g, dg);
         for (unsigned s = 0; ops[op].src[s]; s++) {
            printf("   IN[%u] = %08x %08x %08x %08x\n", s, want->in[s][0][l], want->in[s][1][l],
                   want->in[s][2][l], want->in[s][3][l]);
         }
      }
   }
   return bad;
}

/* Sources come from inputs, constants, immediates (lane 0's values for all) and
 * from both inputs and constants, by turns. */
static void
make_text(char *text, size_t size, unsigned op, unsigned round, struct harness_data *d)
{
   static const char *const files[][2] = { { "IN", "IN" }, { "CONST", "CONST" }, { "IMM", "IMM" }, { "IN", "CONST" } };
   int n = snprintf(text, size, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL CONST[0..3]\n");

   for (unsigned i = 0; i < 4; i++) {
      n += snprintf(text + n, size - n, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", i, d->in[i][0][0], d->in[i][1][0],
                    d->in[i][2][0], d->in[i][3][0]);
      for (unsigned c = 0; c < 4; c++)
         d->consts[0][i][c] = d->in[i][c][0];
   }
   n += snprintf(text + n, size - n, "  %s OUT[0]%s", ops[op].name, mask_of(ops[op].dst));
   for (unsigned i = 0; ops[op].src[i]; i++)
      n += snprintf(text + n, size - n, ", %s[%u]", files[round % 4][i != 0], i);
   snprintf(text + n, size - n, "\n  END\n");
}

static unsigned
run_op(unsigned op, unsigned *runs)
{
   char text[1024], why[256];
   unsigned bad = 0;

   for (unsigned round = 0; round < num_rounds() && !bad; round++) {
      struct harness_data want, got;
      fill(&want, op, round);
      make_text(text, sizeof(text), op, round, &want);
      if (!harness_reference(text, &want, why, sizeof(why))) {
         printf("%s: reference: %s\n", ops[op].name, why);
         return 1;
      }
      for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
         got = want;
         if (!harness_run(mode, text, &got, why, sizeof(why))) {
            printf("%s (%s): %s\n", ops[op].name, harness_mode_names[mode], why);
            return 1;
         }
         (*runs)++;
         if (ops[op].dst == 'd' || ops[op].dst == 'l')
            bad += compare64(op, &want, &got);
         else
            bad += harness_compare(ops[op].name, text, &want, &got, ops[op].ulps, 0);
      }
   }
   return bad;
}

int
main(void)
{
   unsigned bad = 0, runs = 0;

   for (unsigned op = 0; op < ARRAY_SIZE(ops); op++)
      bad += run_op(op, &runs) != 0;
   printf("%u runs of %zu opcodes, %u opcodes differ\n", runs, ARRAY_SIZE(ops), bad);
   return bad != 0;
}
