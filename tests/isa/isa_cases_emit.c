/* SPDX-License-Identifier: MIT */
/* Cases of isa_cases: encoded, decoded, encoded again and written to stdout, or
 * the first of each form as a row of what it reads and writes (--table). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_cases.h"

enum tgsiamd_gfx gfx;
const struct isa_processor *processor;
bool wave32;
bool table;
unsigned num_cases, num_failures;

unsigned decode(const uint32_t *words, unsigned num, struct isa_inst *inst)
{
   if (processor)
      return isa_decode_on(processor, wave32, words, num, inst);
   return wave32 ? isa_decode_wave32(gfx, words, num, inst) : isa_decode(gfx, words, num, inst);
}

static unsigned encode(struct isa_inst *inst, uint32_t *words, const char **why)
{
   return processor ? isa_encode_on(processor, inst, words, why) : isa_encode(gfx, inst, words, why);
}

static void dump(const char *what, const struct isa_inst *inst, const uint32_t *words, unsigned num)
{
   char text[256];
   isa_print(gfx, inst, text, sizeof(text));
   fprintf(stderr, "%s: %s:", what, text);
   for (unsigned i = 0; i < num; i++)
      fprintf(stderr, " %08x", words[i]);
   fprintf(stderr, "\n");
}

/* Reads and writes that the text does not show. */
static void print_implied(const struct isa_inst *inst)
{
   static const struct {
      uint32_t flag;
      const char *name;
   } rows[] = {
      {ISA_READS_VCC, "reads-vcc"}, {ISA_WRITES_VCC, "writes-vcc"}, {ISA_WRITES_EXEC, "writes-exec"},
      {ISA_READS_SCC, "reads-scc"}, {ISA_WRITES_SCC, "writes-scc"}, {ISA_READS_M0, "reads-m0"},
      {ISA_WRITES_M0, "writes-m0"}, {ISA_M0_LDS_SIZE, "may-read-m0"}, {ISA_READS_DST | ISA_WRITES_SRC0, "reads-dst"},
   };
   struct isa_implied implied = isa_implied_operands(gfx, inst);
   uint32_t flags = isa_op_infos[inst->op].flags;
   if (inst->enc == ISA_ENC_VOPD)
      flags = isa_flags(inst);
   if (implied.dst == ISA_VCC || implied.dst2 == ISA_VCC)
      flags |= ISA_WRITES_VCC;
   if (implied.src2 == ISA_VCC)
      flags |= ISA_READS_VCC;
   if (implied.dst == ISA_EXEC)
      flags |= ISA_WRITES_EXEC;
   if (inst->exp_row)
      flags |= ISA_READS_M0;
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      if (flags & rows[i].flag)
         printf(" %s", rows[i].name);
   }
}

static uint8_t shown[ISA_OP_COUNT][ISA_ENC_COUNT]; /* a bit a form */

/* The first case of each pair of dual ops without registers that have names. */
static void emit_dual_row(const struct isa_inst *inst, const char *text)
{
   static bool seen[ISA_OP_COUNT][ISA_OP_COUNT];
   for (unsigned i = 0; i < 4; i++) {
      if (inst->src[i] > isa_scalars[gfx].max_sgpr && inst->src[i] < 256)
         return;
   }
   if (seen[inst->op][inst->op_y])
      return;
   seen[inst->op][inst->op_y] = true;
   printf("%s|%s :: %s|2|", text, isa_op_infos[inst->op].name, isa_op_infos[inst->op_y].name);
   print_implied(inst);
   printf(" latency:%u issue:%u class:%u\n", isa_latency(gfx, inst->op), isa_issue_clocks(gfx),
          isa_op_infos[inst->op].latency_class);
}

/* The first case without registers that have names, the destination apart from the sources. */
static void emit_row(const struct isa_inst *inst, const char *text)
{
   if (inst->enc == ISA_ENC_VOPD) {
      if (wave32)
         emit_dual_row(inst, text);
      return;
   }
   struct isa_implied implied = isa_implied_operands(gfx, inst);
   bool named = inst->dst != ISA_NONE && inst->dst != implied.dst;
   if (shown[inst->op][inst->enc] >> inst->form & 1)
      return;
   unsigned dw = named ? isa_dst_dwords(gfx, inst) : 0;
   for (unsigned i = 0; i < 4; i++) {
      unsigned n = inst->src[i] == ISA_NONE ? 0 : isa_src_dwords(gfx, inst, i);
      if (named && inst->src[i] < inst->dst + dw && inst->dst < inst->src[i] + n)
         return;
      if (inst->src[i] > isa_scalars[gfx].max_sgpr && inst->src[i] < 256 && inst->src[i] != implied.src2)
         return;
   }
   if ((named && inst->dst < 256 && inst->dst > isa_scalars[gfx].max_sgpr) || inst->lds || inst->tfe)
      return;
   shown[inst->op][inst->enc] |= 1 << inst->form;
   static const char *const counters[] = {"vm", "lgkm", "exp", "vs", "sample", "bvh", "km"};
   printf("%s|%s|%u|", text, isa_op_infos[inst->op].name,
          named + (inst->dst2 != ISA_NONE && inst->dst2 != implied.dst2));
   print_implied(inst);
   for (unsigned i = 0; i < 7; i++) {
      if (isa_counters(gfx, inst) >> i & 1)
         printf(" counts:%s", counters[i]);
   }
   printf(" latency:%u issue:%u class:%u", isa_latency(gfx, inst->op), isa_issue_clocks(gfx),
          isa_op_infos[inst->op].latency_class);
   printf("\n");
}

bool emit(struct isa_inst *inst)
{
   uint32_t words[8], again[8];
   struct isa_inst decoded;
   const char *why = NULL;
   char text[256], text2[256];

   unsigned num = encode(inst, words, &why);
   if (num == 0) {
      if (getenv("ISA_CASES_WHY")) {
         isa_print(gfx, inst, text, sizeof(text));
         fprintf(stderr, "not encoded: %s: %s\n", text, why);
      }
      return false;
   }
   num_cases++;
   words[num] = 0xffffffff; /* must not matter */
   unsigned used = decode(words, num, &decoded);
   if (used != num) {
      dump("does not decode", inst, words, num);
      num_failures++;
      return true;
   }
   unsigned num2 = encode(&decoded, again, &why);
   if (num2 != num || memcmp(words, again, num * 4)) {
      dump("changes when encoded again", inst, words, num);
      fprintf(stderr, "   %s\n", num2 ? "" : why);
      num_failures++;
      return true;
   }
   isa_print(gfx, inst, text, sizeof(text));
   isa_print(gfx, &decoded, text2, sizeof(text2));
   if (strcmp(text, text2)) {
      fprintf(stderr, "prints differently after decode: %s / %s\n", text, text2);
      num_failures++;
   }
   if (table) {
      emit_row(inst, text);
      return true;
   }
   for (unsigned i = 0; i < num; i++)
      printf("%s%08x", i ? " " : "", words[i]);
   printf("|%s\n", text);
   return true;
}
