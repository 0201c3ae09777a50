/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "opcodes64.h"

const double corner_doubles[] = {
   0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, 1e10, -1e10, 1.0 / 3, 123456789.125, 0x1p52,
   1e100, -1e-100, 7.0, 2147483647.0, 4294967295.0, -2147483648.0, 1e18,
   INFINITY, -INFINITY, NAN, -NAN, 0x1p-1074, -0x0.8p-1022, 0x1p-1022, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023,
   0x1p31, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 0x1.fffffffffffffp63, 0x1p-1030, 0x1p1000, 0x1p-1000, 0x1p127, 0x1.ffffffp127,
   0x1p-149, 1e308, 1e-308, 0.3, 0.7, -0x1p-1022, 2147483647.5, -2147483648.5, -0.5, 4294967295.5, 0x1.8p62, -0x1.8p40,
};
const uint64_t corner_longs[] = {
   0, 1, 2, 3, 7, 31, 32, 33, 63, 100, 0xffffffff, 0x100000000, 0x100000001, 0x7fffffff,
   0x80000000, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xffffffffffffffff,
   0xfffffffffffffffe, 0x123456789abcdef0, 0xffffffff00000000, 0x00ffffff80000000,
   0x0000008000000080, 0x0000010000000001, 0xffffff0000000001, 0x4000000000000000, 0x0020000000000001, 0x001fffffffffffff,
   0x0000000100000000 - 1, 0x8000000080000000, 0xfffffffeffffffff, 0x00000000ffffff81, 10, 1000000007,
};
const float corner_floats[] = {
   0.0f, 1.0f, -1.0f, 0.5f, 2.75f, -2.75f, 100.5f, 1e9f, 3e9f, -1e9f, 1e15f, 0.001f,
   -0.0f, INFINITY, -INFINITY, NAN, 0x1p63f, 0x1.fffffep63f, 0x1p64f, -0x1p63f, 0x1.fffffep127f, 0x1p-126f, 0x1p-149f, -0x1p70f, -0.75f,
};
const uint32_t corner_ints[] = {
   0, 1, 2, 31, 32, 33, 63, 64, 100, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 12345,
};

/* What C leaves open: conversions to 32 bits saturate, and NaN gives 0. */
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

const struct opcode64 opcodes64[] = {
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

const unsigned num_opcodes64 = ARRAY_SIZE(opcodes64);

bool
fits(const struct opcode64 *op, double d)
{
   return op->dst != 'l' || (op->name[2] == 'I' ? d >= -0x1p63 && d < 0x1p63 : d > -1 && d < 0x1p64);
}

void
put_pair(struct harness_data *d, unsigned s, unsigned pair, unsigned lane, uint64_t v)
{
   d->in[s][2 * pair][lane] = v;
   d->in[s][2 * pair + 1][lane] = v >> 32;
}

unsigned
num_values(char kind)
{
   return kind == 'd' ? ARRAY_SIZE(corner_doubles) : kind == 'l' ? ARRAY_SIZE(corner_longs) : kind == 'f' ? ARRAY_SIZE(corner_floats) : ARRAY_SIZE(corner_ints);
}

uint64_t
get_pair(const struct harness_data *d, unsigned s, unsigned pair, unsigned lane)
{
   return d->in[s][2 * pair][lane] | (uint64_t)d->in[s][2 * pair + 1][lane] << 32;
}

void
put_result(const struct opcode64 *op, struct harness_data *d, unsigned pair, unsigned lane, uint64_t v)
{
   d->out[0][op->dst == 'i' ? pair : 2 * pair][lane] = v;
   if (op->dst != 'i')
      d->out[0][2 * pair + 1][lane] = v >> 32;
}

const char *
mask_of(const struct opcode64 *op)
{
   return op->dst == 'f' || op->dst == 'i' ? ".xy" : op->dst == 'c' ? ".xz" : "";
}

unsigned
channels_of(const struct opcode64 *op)
{
   return op->dst == 'f' || op->dst == 'i' ? 3 : op->dst == 'c' ? 5 : 0xf;
}

static unsigned
compare64(const struct opcode64 *op, const struct harness_data *want, const struct harness_data *got)
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
      if (diff <= op->ulps || (op->dst == 'd' && isnan(dw) && isnan(dg)) ||
          (op->dst == 'd' && dw == dg))
         continue;
      if (bad++ < 3) {
         printf("%s: pair %u lane %u: want 0x%016llx (%g), got 0x%016llx (%g)\n", op->name, p,
                l, (unsigned long long)w, dw, (unsigned long long)g, dg);
         for (unsigned s = 0; op->src[s]; s++) {
            printf("   IN[%u] = %08x %08x %08x %08x\n", s, want->in[s][0][l], want->in[s][1][l],
                   want->in[s][2][l], want->in[s][3][l]);
         }
      }
   }
   return bad;
}

unsigned
compare_results(const struct opcode64 *op, const struct harness_data *want, const struct harness_data *got)
{
   if (op->dst == 'd' || op->dst == 'l')
      return compare64(op, want, got);
   return harness_compare(op->name, "", want, got, op->ulps, 0);
}
