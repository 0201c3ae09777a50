/* SPDX-License-Identifier: MIT */
/* Opcodes on doubles and 64-bit integers against Mesa's interpreter: every file, directly
 * and by an index of each lane, with every choice of signs, and saturation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/macros.h"
#include "opcodes64.h"

/* Where a source comes from: register files, and their elements by an index of each lane
 * (what both indices reach is the same value). `one`: lane 0's value for all. */
static const struct { const char *format; uint8_t factor, base; bool one; } sources[] = {
   { "IN[%u]", 1, 0, false },
   { "IN[ADDR[0].y+%u]", 1, 0, false },
   { "TEMP[%u]", 1, 0, false },
   { "TEMP[ADDR[0].x+%u](1)", 2, 16, false },
   { "OUT[%u]", 1, 1, false },
   { "CONST[0][%u]", 2, 0, true },
   { "CONST[0][ADDR[0].x+%u]", 2, 0, true },
   { "IMM[%u]", 2, 0, true },
   { "IMM[ADDR[0].x+%u]", 2, 0, true },
};

/* What an instruction does to its sources and its result. */
struct signs { uint8_t file[3], mod[3]; bool sat; };
enum { NEG = 1, ABS = 2 };

static struct signs
make_signs(const struct opcode64 *op, unsigned file, unsigned combo)
{
   const char dst = op->dst;
   struct signs g;

   for (unsigned s = 0; s < 3; s++) {
      g.file[s] = (file + (combo % 2 ? s * (1 + combo / 2) : 0)) % ARRAY_SIZE(sources);
      g.mod[s] = (s == 0 ? combo : s == 1 ? combo / 4 : combo / 4 + combo) % 4;
      if (op->src[s] == 'i') /* no absolute value in the interpreter */
         g.mod[s] &= NEG;
   }
   g.sat = (combo + file) % 3 == 0 && (dst == 'd' || (dst == 'f' && !op->rule));
   return g;
}

/* The value of a source as the operation gets it. */
static uint64_t
with_sign(char kind, unsigned mod, uint64_t v)
{
   const uint64_t top = 1ull << 63;

   if (kind == 'l') {
      v = mod & ABS && v & top ? -v : v;
      return mod & NEG ? -v : v;
   }
   v = mod & ABS ? v & ~top : v;
   return mod & NEG ? v ^ top : v;
}

static double
as_double(uint64_t bits)
{
   double d;
   memcpy(&d, &bits, 8);
   return d;
}

/* Value number k of a source's list, or one that the conversion has a result for. */
static void
put_source(struct harness_data *d, const struct opcode64 *op, unsigned s, const struct signs *g, unsigned k, unsigned pair, unsigned lane)
{
   static const float others[] = { 5.75f, -5.75f, 0.5f };

   switch (op->src[s]) {
   case 'd': {
      union value v = { .d = corner_doubles[k % num_values('d')] };
      for (unsigned i = 0; i < 3 && !fits(op, as_double(with_sign('d', g->mod[s], v.l))); i++)
         v.d = others[i];
      put_pair(d, s, pair, lane, v.l);
      break;
   }
   case 'l':
      put_pair(d, s, pair, lane, corner_longs[k % num_values('l')]);
      break;
   case 'f': {
      float f = corner_floats[k % num_values('f')];
      for (unsigned i = 0; i < 3; i++) {
         const float x = g->mod[s] & ABS ? fabsf(f) : f;
         if (fits(op, g->mod[s] & NEG ? -x : x))
            break;
         f = others[i];
      }
      memcpy(&d->in[s][pair][lane], &f, 4);
      break;
   }
   default:
      d->in[s][s ? 2 * pair : pair][lane] = corner_ints[k % num_values('i')];
      break;
   }
}

static void
fill_signs(struct harness_data *d, const struct opcode64 *op, const struct signs *g, unsigned first)
{
   static const unsigned steps[] = { 1, 11, 13 }; /* no list's length has them as a factor */

   memset(d, 0, sizeof(*d));
   for (unsigned l = 0; l < HARNESS_LANES; l++)
      d->vertex_id[l] = l;
   for (unsigned s = 0; op->src[s]; s++) {
      for (unsigned n = 0; n < 2 * HARNESS_LANES; n++)
         put_source(d, op, s, g, (first + n) * steps[s] + s * first / 8, n & 1, n / 2);
   }
   for (unsigned l = 0; l < HARNESS_LANES; l++) {
      d->in[3][0][l] = l & 1;
      d->in[3][1][l] = l & 2 ? 4 : 0;
   }
   for (unsigned s = 0; s < 3; s++) {
      memcpy(d->in[4 + s], d->in[s], sizeof(d->in[s]));
      for (unsigned c = 0; c < 4; c++)
         d->consts[0][2 * s][c] = d->consts[0][2 * s + 1][c] = d->in[s][c][0];
   }
}

/* Signs of 64-bit sources are bit operations for the interpreter, which has none (and
 * converts an integer with a float's), and a saturated double two more instructions. */
static void
make_signs_text(char *p, const struct opcode64 *op, const struct signs *g, bool reference, const struct harness_data *d)
{
   const bool sat64 = reference && g->sat && op->dst == 'd';

   p += sprintf(p, "VERT\nDCL IN[0..7]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[1]\nDCL OUT[2], GENERIC[2]\nDCL OUT[3], GENERIC[3]\n"
                "DCL CONST[0][0..7]\nDCL TEMP[0..15]\nDCL TEMP[16..21], ARRAY(1), LOCAL\nDCL ADDR[0]\n");
   for (unsigned i = 0; i < 6; i++) {
      const uint32_t *v = d->consts[0][i];
      const bool used = sources[g->file[0]].one || sources[g->file[1]].one || sources[g->file[2]].one;
      p += sprintf(p, "IMM[%u] UINT32 {%u, %u, %u, %u}\n", i, used * v[0], used * v[1], used * v[2], used * v[3]);
   }
   p += sprintf(p, "IMM[6] UINT32 {0, 2147483648, 0, 2147483648}\nIMM[7] UINT32 {4294967295, 2147483647, 4294967295, 2147483647}\n"
                "IMM[8] FLT64 {0.0, 0.0}\nIMM[9] FLT64 {1.0, 1.0}\nUARL ADDR[0].xy, IN[3]\n");
   for (unsigned s = 0; s < 3; s++) {
      p += sprintf(p, "MOV TEMP[%u], IN[%u]\nMOV TEMP[%u], IN[%u]\nMOV TEMP[%u], IN[%u]\nMOV OUT[%u], IN[%u]\n", s, s, 16 + 2 * s, s, 17 + 2 * s, s,
                   1 + s, s);
   }
   char operands[3][64];
   for (unsigned s = 0; op->src[s]; s++) {
      const char kind = op->src[s];
      const unsigned neg = g->mod[s] & NEG, abs = g->mod[s] & ABS;
      char name[32];
      sprintf(name, sources[g->file[s]].format, sources[g->file[s]].factor * s + sources[g->file[s]].base);
      if (!reference || kind == 'f' || !g->mod[s]) {
         sprintf(operands[s], ", %s%s%s%s", neg ? "-" : "", abs ? "|" : "", name, abs ? "|" : "");
         continue;
      }
      p += sprintf(p, "MOV TEMP[%u], %s\n", 8 + s, name);
      if (abs)
         p += sprintf(p, kind == 'l' ? "I64ABS TEMP[%u], TEMP[%u]\n" : "AND TEMP[%u], TEMP[%u], IMM[7]\n", 8 + s, 8 + s);
      if (neg)
         p += sprintf(p, kind == 'l' ? "I64NEG TEMP[%u], TEMP[%u]\n" : kind == 'i' ? "INEG TEMP[%u], TEMP[%u]\n" : "XOR TEMP[%u], TEMP[%u], IMM[6]\n",
                      8 + s, 8 + s);
      sprintf(operands[s], ", TEMP[%u]", 8 + s);
   }
   p += sprintf(p, "%s%s %s%s", op->name, g->sat && !sat64 ? "_SAT" : "", sat64 ? "TEMP[12]" : "OUT[0]", mask_of(op));
   for (unsigned s = 0; op->src[s]; s++)
      p = stpcpy(p, operands[s]);
   if (sat64)
      p = stpcpy(p, "\nDMAX TEMP[12], TEMP[12], IMM[8]\nDMIN OUT[0], TEMP[12], IMM[9]");
   strcpy(p, "\nEND\n");
}

static void
apply_rule_signs(const struct opcode64 *op, const struct signs *g, struct harness_data *d)
{
   for (unsigned n = 0; n < 2 * HARNESS_LANES; n++) {
      const unsigned p = n & 1, l = n / 2;
      union value s[3], r;
      for (unsigned i = 0; op->src[i]; i++)
         s[i].l = with_sign(op->src[i], g->mod[i], get_pair(d, i, p, sources[g->file[i]].one ? 0 : l));
      if (op->src[0] == 'f') {
         float f;
         memcpy(&f, &d->in[0][p][sources[g->file[0]].one ? 0 : l], 4);
         f = g->mod[0] & ABS ? fabsf(f) : f;
         f = g->mod[0] & NEG ? -f : f;
         s[0].d = fabsf(f) < 0x1p-126f ? copysignf(0, f) : f;
      }
      r.l = op->rule(s);
      if (g->sat)
         r.d = r.d > 0 ? fmin(r.d, 1) : 0;
      put_result(op, d, p, l, r.l);
   }
}

/* Every file with every choice of signs and every value of the first source. */
static unsigned
run_signs(const struct opcode64 *op, unsigned *runs)
{
   const unsigned num_combos = op->src[1] ? 16 : 4, num = num_values(op->src[0]);
   static char text[4096], reference[4096];
   char why[256];

   for (unsigned file = 0; file < ARRAY_SIZE(sources); file++) {
      for (unsigned combo = 0; combo < num_combos; combo++) {
         const struct signs g = make_signs(op, file, combo);
         for (unsigned first = 0; first < num; first += sources[file].one ? 2 : 2 * HARNESS_LANES) {
            struct harness_data want, got;
            unsigned bad = 0;
            fill_signs(&want, op, &g, first);
            make_signs_text(text, op, &g, false, &want);
            make_signs_text(reference, op, &g, true, &want);
            if (op->rule) {
               apply_rule_signs(op, &g, &want);
            } else if (!harness_reference(reference, &want, why, sizeof(why))) {
               printf("%s: reference: %s\n%s", op->name, why, reference);
               return 1;
            }
            memset(want.out_mask, 0, sizeof(want.out_mask));
            want.out_mask[0] = channels_of(op);
            for (unsigned mode = combo % 4 ? HARNESS_IR_PASSES : 0; mode < (combo % 4 ? HARNESS_MACHINE_NO_OPT : HARNESS_MODES); mode++) {
               got = want;
               if (!harness_run(mode, text, &got, why, sizeof(why))) {
                  printf("%s (%s): %s\n%s", op->name, harness_mode_names[mode], why, text);
                  return 1;
               }
               (*runs)++;
               bad += compare_results(op, &want, &got);
               if (bad) {
                  printf("(%s)\n%s", harness_mode_names[mode], text);
                  return 1;
               }
            }
         }
      }
   }
   return 0;
}

int
main(void)
{
   unsigned bad = 0, runs = 0;

   harness_keep_denormals = true;
   for (unsigned op = 0; op < num_opcodes64; op++)
      bad += run_signs(&opcodes64[op], &runs) != 0;
   printf("%u runs of %u opcodes, %u opcodes differ\n", runs, num_opcodes64, bad);
   return bad != 0;
}
