/* SPDX-License-Identifier: MIT */
/* Every opcode that Mesa's interpreter gives a defined result for, on corner
 * values: front end against interpreter, before and after the IR passes, and as
 * machine code. Sources come from every kind of file, with every modifier. */
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
};
static const uint32_t ints[] = {
   0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 100, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000,
   0x12345678, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa, 0xdeadbeef,
   0xfffffff0, 0xfffffffe, 0xffffffff,
};

static const struct {
   const char *name;
   uint8_t num_src, kind;
   uint16_t ulps;
   float abs_error;
   bool finite;      /* no infinities, moderate size */
   bool positive;
   bool nonzero;     /* last source */
} ops[] = {
   { "MOV", 1, F }, { "ADD", 2, F, 1 }, { "MUL", 2, F, 1 }, { "MAD", 3, F, 1 },
   { "DIV", 2, F, 8, .finite = true, .nonzero = true },
   { "LRP", 3, F, 1, .finite = true },
   { "FRC", 1, F, 1, .finite = true }, { "FLR", 1, F, 1 }, { "CEIL", 1, F, 1 },
   { "TRUNC", 1, F, 1 }, { "ROUND", 1, F, 1 }, { "SSG", 1, F },
   { "LDEXP", 2, FI, 1, .finite = true },
   { "RCP", 1, F, 8, .nonzero = true }, { "RSQ", 1, F, 8, .positive = true, .nonzero = true },
   { "SQRT", 1, F, 8, .positive = true }, { "EX2", 1, F, 64 },
   { "LG2", 1, F, 64, .positive = true },
   { "POW", 2, F, 4096, .finite = true, .positive = true },
   { "SIN", 1, F, 4096, 1e-5f, .finite = true }, { "COS", 1, F, 4096, 1e-5f, .finite = true },
   { "DP2", 2, F, 1, .finite = true }, { "DP3", 2, F, 1, .finite = true },
   { "DP4", 2, F, 1, .finite = true }, { "LIT", 1, F, 4096, .finite = true },
   { "EXP", 1, F, 64, .finite = true }, { "LOG", 1, F, 4096, .finite = true, .nonzero = true },
   { "DST", 2, F, 1 }, { "CMP", 3, F }, { "UCMP", 3, U },
   { "SLT", 2, F }, { "SGE", 2, F }, { "SGT", 2, F }, { "SLE", 2, F }, { "SEQ", 2, F },
   { "SNE", 2, F }, { "FSLT", 2, F }, { "FSGE", 2, F }, { "FSEQ", 2, F }, { "FSNE", 2, F },
   { "ISLT", 2, I }, { "ISGE", 2, I }, { "USLT", 2, U }, { "USGE", 2, U }, { "USEQ", 2, U },
   { "USNE", 2, U }, { "F2I", 1, F, .finite = true },
   { "F2U", 1, F, .finite = true, .positive = true },
   { "I2F", 1, I, 1 }, { "U2F", 1, U, 1 }, { "PK2H", 1, F }, { "UP2H", 1, U, 1 },
   { "UADD", 2, U }, { "UMUL", 2, U }, { "IMUL_HI", 2, I }, { "UMUL_HI", 2, U },
   { "UMAD", 3, U }, { "INEG", 1, I }, { "IABS", 1, I }, { "ISSG", 1, I }, { "IMIN", 2, I },
   { "IMAX", 2, I }, { "UMIN", 2, U }, { "UMAX", 2, U }, { "UDIV", 2, U }, { "UMOD", 2, U },
   { "IDIV", 2, I }, { "MOD", 2, I }, { "AND", 2, U }, { "OR", 2, U }, { "XOR", 2, U },
   { "NOT", 1, U }, { "SHL", 2, U }, { "USHR", 2, U }, { "ISHR", 2, I }, { "BREV", 1, U },
   { "POPC", 1, U }, { "LSB", 1, U }, { "UMSB", 1, U }, { "IMSB", 1, I },
   { "UBFE", 3, U }, { "IBFE", 3, I }, { "BFI", 4, U },
};

/* Restrictions that keep the reference's C code defined. */
static uint32_t
restrict_value(unsigned op, unsigned src, uint32_t v)
{
   const bool is_float = ops[op].kind == F || (ops[op].kind == FI && src == 0);

   if (!strcmp(ops[op].name, "LDEXP") && src == 1)
      return v & 15;
   if ((!strcmp(ops[op].name, "UBFE") || !strcmp(ops[op].name, "IBFE") ||
        !strcmp(ops[op].name, "BFI")) && src >= ops[op].num_src - 2u) {
      /* offset + width <= 32 */
      return src == ops[op].num_src - 2u ? v & 15 : v % 17;
   }
   if ((!strcmp(ops[op].name, "IDIV") || !strcmp(ops[op].name, "MOD")) && src == 0 &&
       v == 0x80000000)
      return 1; /* INT_MIN / -1 traps in C */
   /* The C library's logarithm takes denormals in any mode. */
   if (is_float && (v & 0x7f800000) == 0 &&
       (!strcmp(ops[op].name, "LG2") || !strcmp(ops[op].name, "LOG") || !strcmp(ops[op].name, "POW")))
      v &= 0x80000000;
   if (is_float) {
      if (ops[op].positive)
         v &= 0x7fffffff;
      if (ops[op].finite && (v & 0x7fffffff) > 0x42f6e979)
         v = 0x3fa00000;
      if (ops[op].nonzero && (v & 0x7fffffff) == 0)
         v = 0x3fa00000;
   }
   return v;
}

/* A list of what runs (coverage.py) needs only one. */
static unsigned
num_rounds(void)
{
   return getenv("TGSIAMD_OPCODE_LOG") ? 1 : 60;
}

static void
fill(struct harness_data *d, unsigned op, unsigned round)
{
   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l;
   for (unsigned s = 0; s < ops[op].num_src; s++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < HARNESS_LANES; l++) {
            /* Different strides, so that all pairs of values meet. */
            unsigned n = (round * 16 + c * 4 + l) / (s == 0 ? 1 : s == 1 ? 29 : 7) + s * 5;
            bool f = ops[op].kind == F || (ops[op].kind == FI && s == 0);
            uint32_t v = f ? floats[n % ARRAY_SIZE(floats)] : ints[n % ARRAY_SIZE(ints)];
            d->in[s][c][l] = restrict_value(op, s, v);
         }
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
   return mod == 0 || (ops[op].kind == F && !(negates && ops[op].positive) &&
                       !(mod == SATURATED && !strncmp(ops[op].name, "FS", 2)) &&
                       !(mod == SATURATED && (!strncmp(ops[op].name, "F2", 2) || !strncmp(ops[op].name, "PK", 2))));
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

/* Values that stay numbers: what saturation makes of NaN is tested elsewhere. */
static void
make_moderate(struct harness_data *d)
{
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < HARNESS_LANES; l++) {
            if ((d->in[i][c][l] & 0x7fffffff) > 0x42f6e979)
               d->in[i][c][l] = 0x3fa00000;
         }
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
   if (mod == SATURATED)
      make_moderate(&want);
   fill_consts(&want);
   make_text(text, sizeof(text), op, files, mod, &want);
   if (!harness_reference(text, &want, why, sizeof(why))) {
      printf("%s: reference: %s\n%s", ops[op].name, why, text);
      return false;
   }
   for (unsigned mode = 0; mode < HARNESS_MODES; mode++) {
      got = want;
      if (!harness_run(mode, text, &got, why, sizeof(why))) {
         printf("%s (%s): %s\n%s", ops[op].name, harness_mode_names[mode], why, text);
         return false;
      }
      runs++;
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
   for (unsigned round = 0; round < num_rounds(); round++) {
      if (!check(op, round, FILE_IN, 0))
         return false;
   }
   for (unsigned files = 0; files < NUM_FILES && num_rounds() > 1; files++) {
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
