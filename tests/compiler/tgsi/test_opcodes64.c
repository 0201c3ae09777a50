/* SPDX-License-Identifier: MIT */
/* Opcodes on doubles and 64-bit integers against Mesa's interpreter. A pair
 * of channels is one value: .xy and .zw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"
#include "util/macros.h"
#include "harness.h"

static const double doubles[] = {
   0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, 1e10, -1e10, 1.0 / 3, 123456789.125, 0x1p52,
   1e100, -1e-100, 7.0, 2147483647.0, 4294967295.0, -2147483648.0, 1e18,
   INFINITY, -INFINITY, NAN, -NAN, 0x1p-1074, -0x0.8p-1022, 0x1p-1022, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023,
   0x1p31, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 0x1.fffffffffffffp63, 0x1p-1030, 0x1p1000, 0x1p-1000, 0x1p127, 0x1.ffffffp127,
   0x1p-149, 1e308, 1e-308, 0.3, 0.7, -0x1p-1022, 2147483647.5, -2147483648.5, -0.5, 4294967295.5, 0x1.8p62, -0x1.8p40,
};
static const uint64_t longs[] = {
   0, 1, 2, 3, 7, 31, 32, 33, 63, 100, 0xffffffff, 0x100000000, 0x100000001, 0x7fffffff,
   0x80000000, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xffffffffffffffff,
   0xfffffffffffffffe, 0x123456789abcdef0, 0xffffffff00000000, 0x00ffffff80000000,
   0x0000008000000080, 0x0000010000000001, 0xffffff0000000001, 0x4000000000000000, 0x0020000000000001, 0x001fffffffffffff,
   0x0000000100000000 - 1, 0x8000000080000000, 0xfffffffeffffffff, 0x00000000ffffff81, 10, 1000000007,
};
static const float floats[] = {
   0.0f, 1.0f, -1.0f, 0.5f, 2.75f, -2.75f, 100.5f, 1e9f, 3e9f, -1e9f, 1e15f, 0.001f,
   -0.0f, INFINITY, -INFINITY, NAN, 0x1p63f, 0x1.fffffep63f, 0x1p64f, -0x1p63f, 0x1.fffffep127f, 0x1p-126f, 0x1p-149f, -0x1p70f, -0.75f,
};
static const uint32_t ints[] = {
   0, 1, 2, 31, 32, 33, 63, 64, 100, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 12345,
};

/* What C leaves open: conversions to 32 bits saturate, and NaN gives 0. */
union value { double d; uint64_t l; int64_t i; };
typedef uint64_t (*rule_fn)(const union value s[3]);
static uint64_t
to_signed(double d, unsigned bits)
{
   const double end = ldexp(1.0, bits - 1);
   return isnan(d) ? 0 : d >= end ? (1ull << (bits - 1)) - 1 : d <= -end ? 1ull << (bits - 1) : (uint64_t)(int64_t)d;
}
static uint64_t
to_unsigned(double d, unsigned bits)
{
   return !(d > 0) ? 0 : d >= ldexp(1.0, bits) ? ~0ull >> (64 - bits) : (uint64_t)d;
}
/* 32-bit denormals are 0 on the GPU. */
static uint64_t f2d(const union value s[3]) { return s[0].l; }
static uint64_t d2i(const union value s[3]) { return (uint32_t)to_signed(s[0].d, 32); }
static uint64_t d2u(const union value s[3]) { return to_unsigned(s[0].d, 32); }
static uint64_t d2i64(const union value s[3]) { return to_signed(s[0].d, 64); }
static uint64_t d2u64(const union value s[3]) { return to_unsigned(s[0].d, 64); }
static uint64_t i64div(const union value s[3]) { return !s[1].l ? 0 : s[1].l == ~0ull ? -s[0].l : (uint64_t)(s[0].i / s[1].i); }
static uint64_t i64mod(const union value s[3]) { return !s[1].l ? ~0ull : s[1].l == ~0ull ? 0 : (uint64_t)(s[0].i % s[1].i); }

/* Contraction is allowed where nothing says precise. */
static uint64_t
dmad(const union value s[3])
{
   const union value r = { .d = fma(s[0].d, s[1].d, s[2].d) };
   return r.l;
}

/* Such values there are: others give what they like. */
static bool
fits(char kind, bool is_signed, double d)
{
   return kind != 'l' || (is_signed ? d >= -0x1p63 && d < 0x1p63 : d > -1 && d < 0x1p64);
}

/* src: a letter a source: d double, l long, f float, i int; dst likewise, with
 * f and i one dword a pair in .x and .y (conversions), c a compare in .x, .z.
 * A float reaches a rule as a double. */
static const struct {
   const char *name, *src;
   char dst;
   uint8_t ulps;
   rule_fn rule;
} ops[] = {
   { "DADD", "dd", 'd' }, { "DMUL", "dd", 'd' }, { "DMAD", "ddd", 'd', .rule = dmad }, { "DMIN", "dd", 'd' },
   { "DMAX", "dd", 'd' }, { "DABS", "d", 'd' }, { "DNEG", "d", 'd' }, { "DRCP", "d", 'd', 1 },
   { "DDIV", "dd", 'd', 1 }, { "DSQRT", "d", 'd', 1 }, { "DRSQ", "d", 'd', 2 },
   { "DFRAC", "d", 'd', 1 }, { "DFLR", "d", 'd' }, { "DSLT", "dd", 'c' }, { "DSGE", "dd", 'c' },
   { "DSEQ", "dd", 'c' }, { "DSNE", "dd", 'c' }, { "DLDEXP", "di", 'd' },
   { "F2D", "f", 'd', .rule = f2d }, { "I2D", "i", 'd' }, { "U2D", "i", 'd' },
   { "D2F", "d", 'f', 1 }, { "D2I", "d", 'i', .rule = d2i }, { "D2U", "d", 'i', .rule = d2u },
   { "U64ADD", "ll", 'l' }, { "U64MUL", "ll", 'l' }, { "I64NEG", "l", 'l' },
   { "I64ABS", "l", 'l' }, { "I64SSG", "l", 'l' }, { "I64MIN", "ll", 'l' },
   { "I64MAX", "ll", 'l' }, { "U64MIN", "ll", 'l' }, { "U64MAX", "ll", 'l' },
   { "I64DIV", "ll", 'l', .rule = i64div }, { "I64MOD", "ll", 'l', .rule = i64mod }, { "U64DIV", "ll", 'l' },
   { "U64MOD", "ll", 'l' }, { "U64SHL", "li", 'l' }, { "U64SHR", "li", 'l' },
   { "I64SHR", "li", 'l' }, { "U64SEQ", "ll", 'c' }, { "U64SNE", "ll", 'c' },
   { "U64SLT", "ll", 'c' }, { "U64SGE", "ll", 'c' }, { "I64SLT", "ll", 'c' },
   { "I64SGE", "ll", 'c' }, { "U2I64", "i", 'l' }, { "I2I64", "i", 'l' },
   { "F2U64", "f", 'l', .rule = d2u64 }, { "F2I64", "f", 'l', .rule = d2i64 }, { "D2U64", "d", 'l', .rule = d2u64 },
   { "D2I64", "d", 'l', .rule = d2i64 }, { "U642F", "l", 'f' }, { "I642F", "l", 'f' },
   { "U642D", "l", 'd' }, { "I642D", "l", 'd' },
};

static void
put(struct harness_data *d, unsigned s, unsigned pair, unsigned lane, uint64_t v)
{
   d->in[s][2 * pair][lane] = v;
   d->in[s][2 * pair + 1][lane] = v >> 32;
}

static unsigned
num_values(char kind)
{
   return kind == 'd' ? ARRAY_SIZE(doubles) : kind == 'l' ? ARRAY_SIZE(longs) : kind == 'f' ? ARRAY_SIZE(floats) : ARRAY_SIZE(ints);
}

/* All pairs of values meet. A list of what runs (coverage.py) needs only one round. */
static unsigned
num_rounds(unsigned op)
{
   const unsigned n = num_values(ops[op].src[0]), m = ops[op].src[1] ? num_values(ops[op].src[1]) : 1;

   return getenv("TGSIAMD_OPCODE_LOG") ? 1 : DIV_ROUND_UP(n * m, 2 * HARNESS_LANES) + 3;
}

/* Value of source s; rounds in which all lanes get lane 0's take another part of the list. */
static unsigned
pick(unsigned op, unsigned s, unsigned round, unsigned n)
{
   const unsigned k = round * 2 * HARNESS_LANES + n;

   return (s == 0 ? k : s == 1 ? k / num_values(ops[op].src[0]) : k / 7) % num_values(ops[op].src[s]);
}

static void
fill(struct harness_data *d, unsigned op, unsigned round)
{
   static const double some = 5.75;
   static const float some_float = 5.75f;

   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l;
   for (unsigned s = 0; ops[op].src[s]; s++) {
      for (unsigned n = 0; n < 2 * HARNESS_LANES; n++) {
         const unsigned pair = n & 1, lane = n / 2, k = pick(op, s, round, n);
         uint64_t bits = longs[k % ARRAY_SIZE(longs)];
         switch (ops[op].src[s]) {
         case 'd':
            memcpy(&bits, fits(ops[op].dst, ops[op].name[2] == 'I', doubles[k]) ? &doubles[k] : &some, 8);
            FALLTHROUGH;
         case 'l':
            put(d, s, pair, lane, bits);
            break;
         case 'f':
            memcpy(&d->in[s][pair][lane], fits(ops[op].dst, ops[op].name[2] == 'I', floats[k]) ? &floats[k] : &some_float, 4);
            break;
         case 'i':
            /* Counts stand in .x and .z, values of conversions in .x and .y. */
            d->in[s][s ? 2 * pair : pair][lane] = ints[k];
            break;
         }
      }
   }
}

static uint64_t
get(const struct harness_data *d, unsigned s, unsigned pair, unsigned lane)
{
   return d->in[s][2 * pair][lane] | (uint64_t)d->in[s][2 * pair + 1][lane] << 32;
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

/* Sources come from inputs, and in a few rounds more from constants, immediates (lane 0's
 * values for all) and from both inputs and constants. */
static const char *const files[][2] = { { "IN", "IN" }, { "CONST", "CONST" }, { "IMM", "IMM" }, { "IN", "CONST" } };

static void
apply_rule(unsigned op, unsigned turn, struct harness_data *d)
{
   for (unsigned n = 0; n < 2 * HARNESS_LANES; n++) {
      const unsigned p = n & 1, l = n / 2;
      union value s[3];
      float f;
      for (unsigned i = 0; i < 3; i++)
         s[i].l = get(d, i, p, !strcmp(files[turn][i != 0], "IN") ? l : 0);
      if (ops[op].src[0] == 'f') {
         memcpy(&f, &d->in[0][p][files[turn][0][1] == 'N' ? l : 0], 4);
         s[0].d = fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
      }
      const uint64_t r = ops[op].rule(s);
      d->out[0][ops[op].dst == 'i' ? p : 2 * p][l] = r;
      if (ops[op].dst != 'i')
         d->out[0][2 * p + 1][l] = r >> 32;
   }
}

static void
make_text(char *text, size_t size, unsigned op, unsigned turn, struct harness_data *d)
{
   int n = snprintf(text, size, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL CONST[0..3]\n");

   for (unsigned i = 0; i < 4; i++) {
      if (turn == 2)
         n += snprintf(text + n, size - n, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", i, d->in[i][0][0], d->in[i][1][0],
                       d->in[i][2][0], d->in[i][3][0]);
      for (unsigned c = 0; c < 4; c++)
         d->consts[0][i][c] = d->in[i][c][0];
   }
   n += snprintf(text + n, size - n, "  %s OUT[0]%s", ops[op].name, mask_of(ops[op].dst));
   for (unsigned i = 0; ops[op].src[i]; i++)
      n += snprintf(text + n, size - n, ", %s[%u]", files[turn][i != 0], i);
   snprintf(text + n, size - n, "\n  END\n");
}

static unsigned
run_op(unsigned op, unsigned *runs)
{
   char text[1024], why[256];
   unsigned bad = 0;

   /* Every fourth round comes again with sources from elsewhere. */
   for (unsigned k = 0, round = 0, turn = 0; round < num_rounds(op) && !bad; k++) {
      struct harness_data want, got;
      fill(&want, op, turn && num_rounds(op) > 1 ? k * 5 : round);
      make_text(text, sizeof(text), op, turn, &want);
      want.out_mask[0] = ops[op].dst == 'i' ? 3 : 0xf;
      if (ops[op].rule) {
         apply_rule(op, turn, &want);
      } else if (!harness_reference(text, &want, why, sizeof(why))) {
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
   for (unsigned op = 0; op < ARRAY_SIZE(ops); op++)
      bad += run_op(op, &runs) != 0;
   printf("%u runs of %zu opcodes, %u opcodes differ\n", runs, ARRAY_SIZE(ops), bad);
   return bad != 0;
}
