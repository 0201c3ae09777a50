/* SPDX-License-Identifier: MIT */
/* Every opcode that Mesa's interpreter gives a defined result for, on corner
 * values: front end against interpreter, before and after the IR passes, and as
 * machine code. Sources come from every kind of file, with every modifier. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "harness.h"

enum kind { F, I, U, FI /* float, then integer */, D, L, DI, LI };

static const uint32_t floats[] = {
   0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3f19999a,
   0x40490fdb, 0xc0490fdb, 0x40200000, 0xc0200000, 0x3fc00000, 0xbfc00000, 0x42f6e979,
   0xc2f6e979, 0x4b7fffff, 0x3dcccccd, 0xbe99999a, 0x7f800000, 0xff800000, 0x47c35000,
   0x40e00000, 0x41700000, 0xc1700000, 0x38d1b717, 0x3eaaaaab, 0x00000001, 0x807fffff, 0x00800000,
   0x80800000, 0x007fffff, 0x7f7fffff, 0xff7fffff,         /* the ends of normal numbers */
   0x7fc00000, 0xffc12345, 0x7fffffff, 0x7f800001, 0xffbfffff, /* NaN, quiet and signalling */
   0x4b000000, 0xcb800000, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, /* 2^23, -2^24, 2^31, -2^31, 2^32, 2^63 */
   0x33800000, 0x38800000, 0x387fc000, 0x477fe000, 0x477ff000, 0xc7800000, /* around a half's ends */
};
static const uint32_t ints[] = {
   0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff,
   0x1000000, 0x1000001, 0x12345678, 0x40000000, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa,
   0xdeadbeef, 0xfffffff0, 0xfffffffe, 0xffffffff, 0x7c007c01, 0xfc00fe00, 0x00018400, 0x7bff0400,
};

/* What keeps the interpreter's C code, or an approximation, within a definition. */
#define POSITIVE   1u  /* the first source */
#define SMALL      2u  /* finite numbers are; infinities and NaN stay */
#define DIVISOR    4u  /* the last source is at most 2^126: beyond, its reciprocal is 0 */
#define NO_DENORM  8u  /* the C library's logarithm takes denormals in any mode */
#define BITS       16u /* the last two sources: offset + width <= 32 */

/* What comes out where C leaves it open. */
typedef uint32_t (*rule_fn)(const uint32_t s[4]);
static float as_float(uint32_t v) { float f; memcpy(&f, &v, 4); return f; }
static uint32_t
f2i(const uint32_t s[4])
{
   float f = as_float(s[0]);
   return isnan(f) ? 0 : f >= 0x1p31f ? 0x7fffffff : f < -0x1p31f ? 0x80000000 : (uint32_t)(int32_t)f;
}
static uint32_t
f2u(const uint32_t s[4])
{
   float f = as_float(s[0]);
   return !(f > 0) ? 0 : f >= 0x1p32f ? 0xffffffff : (uint32_t)f;
}
static uint32_t
idiv(const uint32_t s[4])
{
   return !s[1] ? 0 : s[1] == ~0u ? -s[0] : (uint32_t)((int32_t)s[0] / (int32_t)s[1]);
}
static uint32_t
mod(const uint32_t s[4])
{
   return !s[1] ? ~0u : s[1] == ~0u ? 0 : (uint32_t)((int32_t)s[0] % (int32_t)s[1]);
}

static const struct {
   const char *name;
   uint8_t num_src, kind;
   uint16_t ulps;
   float abs_error;
   uint8_t limits;
   rule_fn rule;
} ops[] = {
   { "MOV", 1, F }, { "ADD", 2, F, 1 }, { "MUL", 2, F, 1 }, { "MAD", 3, F, 1 },
   { "DIV", 2, F, 8, .limits = DIVISOR }, { "LRP", 3, F, 1 }, { "MIN", 2, F, 1 }, { "MAX", 2, F, 1 },
   { "FRC", 1, F, 1 }, { "FLR", 1, F, 1 }, { "CEIL", 1, F, 1 },
   { "TRUNC", 1, F, 1 }, { "ROUND", 1, F, 1 }, { "SSG", 1, F },
   { "LDEXP", 2, FI, 1 }, { "RCP", 1, F, 8 }, { "RSQ", 1, F, 8 },
   { "SQRT", 1, F, 8 }, { "EX2", 1, F, 64 }, { "LG2", 1, F, 64, .limits = NO_DENORM },
   { "POW", 2, F, 4096, .limits = POSITIVE | NO_DENORM },
   { "SIN", 1, F, 4096, 1e-5f, SMALL }, { "COS", 1, F, 4096, 1e-5f, SMALL },
   { "DP2", 2, F, 1, .limits = SMALL }, { "DP3", 2, F, 1, .limits = SMALL },
   { "DP4", 2, F, 1, .limits = SMALL }, { "LIT", 1, F, 4096, .limits = NO_DENORM },
   { "EXP", 1, F, 64, .limits = SMALL }, { "LOG", 1, F, 4096, .limits = SMALL | NO_DENORM },
   { "DST", 2, F, 1 }, { "CMP", 3, F }, { "UCMP", 3, U },
   { "SLT", 2, F }, { "SGE", 2, F }, { "SGT", 2, F }, { "SLE", 2, F }, { "SEQ", 2, F },
   { "SNE", 2, F }, { "FSLT", 2, F }, { "FSGE", 2, F }, { "FSEQ", 2, F }, { "FSNE", 2, F },
   { "ISLT", 2, I }, { "ISGE", 2, I }, { "USLT", 2, U }, { "USGE", 2, U }, { "USEQ", 2, U },
   { "USNE", 2, U }, { "F2I", 1, F, .rule = f2i }, { "F2U", 1, F, .rule = f2u },
   { "I2F", 1, I, 1 }, { "U2F", 1, U, 1 }, { "PK2H", 1, F }, { "UP2H", 1, U, 1 },
   { "UADD", 2, U }, { "UMUL", 2, U }, { "IMUL_HI", 2, I }, { "UMUL_HI", 2, U },
   { "UMAD", 3, U }, { "INEG", 1, I }, { "IABS", 1, I }, { "ISSG", 1, I }, { "IMIN", 2, I },
   { "IMAX", 2, I }, { "UMIN", 2, U }, { "UMAX", 2, U }, { "UDIV", 2, U }, { "UMOD", 2, U },
   { "IDIV", 2, I, .rule = idiv }, { "MOD", 2, I, .rule = mod }, { "AND", 2, U }, { "OR", 2, U }, { "XOR", 2, U },
   { "NOT", 1, U }, { "SHL", 2, U }, { "USHR", 2, U }, { "ISHR", 2, I }, { "BREV", 1, U },
   { "POPC", 1, U }, { "LSB", 1, U }, { "UMSB", 1, U }, { "IMSB", 1, I },
   { "UBFE", 3, U, .limits = BITS }, { "IBFE", 3, I, .limits = BITS }, { "BFI", 4, U, .limits = BITS },
};

static bool
is_float(unsigned op, unsigned src)
{
   return ops[op].kind == F || (ops[op].kind == FI && src == 0);
}

static void
restrict_values(unsigned op, uint32_t s[4])
{
   const unsigned limits = ops[op].limits, last = ops[op].num_src - 1;

   for (unsigned i = 0; i <= last && is_float(op, i); i++) {
      const uint32_t mag = s[i] & 0x7fffffff;
      if (limits & SMALL && mag > 0x42f6e979 && mag < 0x7f800000)
         s[i] = 0x3fa00000;
      if (limits & NO_DENORM && mag < 0x00800000)
         s[i] &= 0x80000000;
      if (limits & POSITIVE && i == 0)
         s[i] &= 0x7fffffff;
      if (limits & DIVISOR && i == last && mag > 0x7e800000 && mag < 0x7f800000)
         s[i] = 0x3fa00000;
   }
   if (limits & BITS) {
      s[last - 1] &= 31;
      s[last] %= 33 - s[last - 1];
   }
}

/* A list of what runs (coverage.py) needs only one. Two sources: all pairs of values meet. */
static unsigned
num_rounds(unsigned op)
{
   const unsigned n = is_float(op, 0) ? ARRAY_SIZE(floats) : ARRAY_SIZE(ints);

   if (getenv("TGSIAMD_OPCODE_LOG"))
      return 1;
   return ops[op].num_src == 1 ? DIV_ROUND_UP(n, 16) : DIV_ROUND_UP(n * n, 16);
}

static void
fill(struct harness_data *d, unsigned op, unsigned round)
{
   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < HARNESS_LANES; l++) {
         const unsigned k = round * 16 + c * 4 + l;
         uint32_t s[4];
         for (unsigned i = 0; i < 4; i++) {
            const bool f = is_float(op, i);
            const unsigned num = f ? ARRAY_SIZE(floats) : ARRAY_SIZE(ints);
            const unsigned n = i == 0 ? k : i == 1 ? k / num : i == 2 ? k / 7 + 10 : k / 11 + 15;
            s[i] = f ? floats[n % num] : ints[n % num];
         }
         restrict_values(op, s);
         for (unsigned i = 0; i < ops[op].num_src; i++)
            d->in[i][c][l] = s[i];
      }
   }
}

/* Where sources come from: IMM lets the passes fold, CONST makes scalar code. */
enum files { FILE_IN, FILE_CONST, FILE_MIXED, FILE_TEMP, FILE_IMM, NUM_FILES };
static const char *const modifiers[][2] = { { "", "" }, { "-", "" }, { "|", "|" }, { "-|", "|" }, { "", "" } };
#define SATURATED 4

static bool
has_modifier(unsigned op, unsigned mod)
{
   const bool negates = mod == 1 || mod == 3;
   const bool makes_bits = !strncmp(ops[op].name, "FS", 2) || !strncmp(ops[op].name, "F2", 2) || !strncmp(ops[op].name, "PK", 2);
   return mod == 0 || (ops[op].kind == F && !(negates && ops[op].limits & POSITIVE) && !(mod == SATURATED && makes_bits));
}

static void
make_text(char *text, size_t size, unsigned op, enum files files, unsigned mod, const struct harness_data *d)
{
   static const char *const names[NUM_FILES] = { "IN", "CONST", "IN", "TEMP", "IMM" };
   int n = snprintf(text, size, "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\nDCL CONST[0..3]\nDCL TEMP[0..3]\n");

   for (unsigned c = 0; c < 4 && files == FILE_IMM; c++) {
      n += snprintf(text + n, size - n, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", c, d->in[c][0][0], d->in[c][1][0],
                    d->in[c][2][0], d->in[c][3][0]);
   }
   for (unsigned i = 0; i < ops[op].num_src && files == FILE_TEMP; i++)
      n += snprintf(text + n, size - n, "  MOV TEMP[%u], IN[%u]\n", i, i);
   n += snprintf(text + n, size - n, "  %s%s OUT[0]", ops[op].name, mod == SATURATED ? "_SAT" : "");
   for (unsigned i = 0; i < ops[op].num_src; i++) {
      n += snprintf(text + n, size - n, ", %s%s[%u]%s", modifiers[mod][0],
                    files == FILE_MIXED && i == 0 ? "CONST" : names[files], i, modifiers[mod][1]);
   }
   snprintf(text + n, size - n, "\n  END\n");
}

/* Constants hold what lane 0 has. */
static void
fill_consts(struct harness_data *d)
{
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned c = 0; c < 4; c++)
         d->consts[0][i][c] = d->in[i][c][0];
   }
}

static uint32_t
modify(uint32_t v, unsigned mod)
{
   if (mod == 2 || mod == 3)
      v &= 0x7fffffff;
   return mod == 1 || mod == 3 ? v ^ 0x80000000 : v;
}

/* What C may not be asked for. */
static void
apply_rule(unsigned op, enum files files, unsigned mod, struct harness_data *want)
{
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < HARNESS_LANES; l++) {
         uint32_t s[4] = { 0 };
         for (unsigned i = 0; i < ops[op].num_src; i++) {
            const bool lane_0 = files == FILE_CONST || files == FILE_IMM || (files == FILE_MIXED && i == 0);
            s[i] = modify(want->in[i][c][lane_0 ? 0 : l], ops[op].kind == F ? mod : 0);
         }
         want->out[0][c][l] = ops[op].rule(s);
      }
   }
}

/* Signalling NaN is nothing that TGSI knows; C's library does. */
static void
make_quiet(struct harness_data *d)
{
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < HARNESS_LANES; l++) {
            if ((d->in[i][c][l] & 0x7fffffff) > 0x7f800000)
               d->in[i][c][l] |= 0x00400000;
         }
      }
   }
}

static bool
reference(unsigned op, enum files files, unsigned mod, struct harness_data *want, char *why, unsigned why_size)
{
   struct harness_data quiet = *want;
   char text[1024];

   if (ops[op].kind != U && ops[op].kind != I && (ops[op].ulps || mod == SATURATED))
      make_quiet(&quiet);
   fill_consts(&quiet);
   make_text(text, sizeof(text), op, files, mod, &quiet);
   bool ok = harness_reference(text, &quiet, why, why_size);
   memcpy(want->out, quiet.out, sizeof(want->out));
   return ok;
}

/* A half that is not a number may be any. */
static void
same_nan_halves(struct harness_data *d)
{
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < HARNESS_LANES; l++) {
         uint32_t *v = &d->out[0][c][l];
         if ((*v & 0x7fff) > 0x7c00)
            *v = (*v & 0xffff0000) | 0x7e00;
         if ((*v & 0x7fff0000) > 0x7c000000)
            *v = (*v & 0xffff) | 0x7e000000;
      }
   }
}

static unsigned runs;

static bool
check(unsigned op, unsigned round, enum files files, unsigned mod)
{
   struct harness_data want, got;
   char text[1024], why[256];

   fill(&want, op, round);
   fill_consts(&want);
   make_text(text, sizeof(text), op, files, mod, &want);
   want.out_mask[0] = 0xf;
   if (ops[op].rule) {
      apply_rule(op, files, mod, &want);
   } else if (!reference(op, files, mod, &want, why, sizeof(why))) {
      printf("%s: reference: %s\n%s", ops[op].name, why, text);
      return false;
   }
   const bool halves = !strcmp(ops[op].name, "PK2H");
   if (halves)
      same_nan_halves(&want);
   for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
      got = want;
      if (!harness_run(mode, text, &got, why, sizeof(why))) {
         printf("%s (%s): %s\n%s", ops[op].name, harness_mode_names[mode], why, text);
         return false;
      }
      runs++;
      if (halves)
         same_nan_halves(&got);
      if (harness_compare(ops[op].name, text, &want, &got, ops[op].ulps, ops[op].abs_error)) {
         printf("(%s)\n", harness_mode_names[mode]);
         return false;
      }
   }
   return true;
}

static bool
check_op(unsigned op)
{
   for (unsigned round = 0; round < num_rounds(op); round++) {
      if (!check(op, round, FILE_IN, 0))
         return false;
   }
   for (unsigned files = 0; files < NUM_FILES && num_rounds(op) > 1; files++) {
      for (unsigned mod = 0; mod < ARRAY_SIZE(modifiers); mod++) {
         for (unsigned k = 0; k < 3 && has_modifier(op, mod); k++) {
            if (!check(op, files * 7 + mod * 3 + k * 11, files, mod))
               return false;
         }
      }
   }
   return true;
}

int
main(void)
{
   unsigned bad = 0;

   for (unsigned op = 0; op < ARRAY_SIZE(ops); op++)
      bad += !check_op(op);
   printf("%u runs of %zu opcodes, %u opcodes differ\n", runs, ARRAY_SIZE(ops), bad);
   return bad != 0;
}
