/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsiamd/isa.h"
#include "util/macros.h"
#include "planted.h"

#define GFX TGSIAMD_GFX9

const char *const plant_names[NUM_PLANTS] = {
   "a counter too high", "no wait", "a wait state less", "an instruction less", "another operation",
};

/* Same operands, another result. */
static const uint16_t swapped[][2] = {
   { ISA_V_MIN_F32, ISA_V_MAX_F32 }, { ISA_V_AND_B32, ISA_V_OR_B32 }, { ISA_V_ADD_U32, ISA_V_SUB_U32 },
   { ISA_V_ADD_F32, ISA_V_SUB_F32 }, { ISA_S_AND_B32, ISA_S_OR_B32 }, { ISA_S_ADD_I32, ISA_S_SUB_I32 },
};

static bool
raise_counter(struct isa_inst *inst, unsigned *n)
{
   static const unsigned most[3] = { 63, 7, 15 }; /* vmcnt, expcnt, lgkmcnt */
   unsigned count[3];

   isa_waitcnt_unpack(GFX, inst->imm, &count[0], &count[1], &count[2]);
   for (unsigned i = 0; i < 3; i++) {
      if (count[i] >= most[i] || (*n)--)
         continue;
      count[i]++;
      inst->imm = isa_waitcnt_pack(GFX, count[0], count[1], count[2]);
      return true;
   }
   return false;
}

static bool
swap_op(struct isa_inst *inst)
{
   for (unsigned i = 0; i < ARRAY_SIZE(swapped); i++) {
      for (unsigned k = 0; k < 2; k++) {
         if (inst->op == swapped[i][k] && inst->form == ISA_FORM_PLAIN) {
            inst->op = swapped[i][!k];
            return true;
         }
      }
   }
   return false;
}

static bool
goes(enum plant kind, const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];

   if (kind == PLANT_NO_WAIT)
      return inst->op == ISA_S_WAITCNT;
   return kind == PLANT_NO_WRITE && info->dst_type != ISA_TYPE_NONE && !(info->flags & (ISA_WRITES_EXEC | ISA_BRANCH)) &&
          inst->dst != ISA_NONE && inst->dst != ISA_EXEC;
}

/* The nth of its kind counts down to 0. */
static bool
change(enum plant kind, unsigned *n, struct isa_inst *inst)
{
   if (kind == PLANT_WAIT && inst->op == ISA_S_WAITCNT)
      return raise_counter(inst, n);
   if (kind == PLANT_SWAPPED) {
      struct isa_inst copy = *inst;
      if (!swap_op(&copy) || (*n)--)
         return false;
      *inst = copy;
      return true;
   }
   if (goes(kind, inst) && !(*n)--) {
      isa_inst_init(inst, ISA_S_NOP);
      inst->imm = 0;
      return true;
   }
   return false;
}

/* An s_nop of one state changes places with what is behind it. */
static bool
shorten_nop(uint32_t *code, unsigned num, unsigned at, unsigned *n)
{
   struct isa_inst nop, behind;
   const uint32_t dword = code[at];

   isa_decode(GFX, code + at, num - at, &nop);
   const unsigned dwords = isa_decode(GFX, code + at + 1, num - at - 1, &behind);
   if (!nop.imm && (!dwords || behind.op == ISA_S_NOP || isa_op_infos[behind.op].flags & (ISA_BRANCH | ISA_ENDS_PROGRAM)))
      return false;
   if ((*n)--)
      return false;
   if (nop.imm) {
      code[at]--;
   } else {
      memmove(&code[at], &code[at + 1], dwords * 4);
      code[at + dwords] = dword;
   }
   return true;
}

bool
plant_fault(enum plant kind, unsigned n, uint32_t *code, unsigned num, char *what, unsigned what_size)
{
   struct isa_inst inst;
   unsigned dwords;

   for (unsigned at = 0; at < num; at += dwords) {
      char text[96];
      dwords = isa_decode(GFX, code + at, num - at, &inst);
      if (!dwords || isa_op_infos[inst.op].flags & ISA_ENDS_PROGRAM)
         return false;
      isa_print(GFX, &inst, text, sizeof(text));
      snprintf(what, what_size, "dword %u: %s", at, text);
      if (kind == PLANT_STATES && inst.op == ISA_S_NOP && shorten_nop(code, num, at, &n))
         return true;
      if (!change(kind, &n, &inst))
         continue;
      unsigned made = isa_encode(GFX, &inst, code + at, NULL);
      while (made && made < dwords)
         code[at + made++] = 0xbf800000; /* s_nop 0 */
      return made;
   }
   return false;
}

/* The fault to be planted, and what it is; empty when there is no such one. */
static struct { enum plant kind; unsigned n; char what[128]; } fault;

void
plant(uint32_t *code, unsigned num)
{
   if (!plant_fault(fault.kind, fault.n, code, num, fault.what, sizeof(fault.what)))
      fault.what[0] = 0;
}

void
plant_all(const char *name, bool (*fine)(const void *program), const void *program, enum plant first,
          struct plant_counts *counts)
{
   for (fault.kind = first; fault.kind < NUM_PLANTS; fault.kind++) {
      for (fault.n = 0;; fault.n++) {
         bool is_fine = fine(program);
         if (!fault.what[0])
            break;
         counts->planted[fault.kind]++;
         counts->found[fault.kind] += !is_fine;
         if (is_fine && (fault.kind <= PLANT_STATES || getenv("TGSIAMD_PLANTED")))
            printf("%s: %s is not found: %s\n", name, plant_names[fault.kind], fault.what);
      }
   }
}

bool
plant_enough(const struct plant_counts *counts)
{
   static const uint8_t percent[NUM_PLANTS] = {
      [PLANT_WAIT] = 100, [PLANT_NO_WAIT] = 100, [PLANT_STATES] = 100, [PLANT_NO_WRITE] = 70, [PLANT_SWAPPED] = 70,
   };
   bool ok = true;

   for (unsigned kind = 0; kind < NUM_PLANTS; kind++) {
      const unsigned planted = counts->planted[kind], found = counts->found[kind];
      printf("%-22s %u planted, %u found\n", plant_names[kind], planted, found);
      if (found * 100 < planted * percent[kind]) {
         printf("that is too few\n");
         ok = false;
      }
   }
   return ok;
}

void
plant_op(uint32_t *code, unsigned num, unsigned from, unsigned to)
{
   struct isa_inst inst;

   for (unsigned at = 0, n; at < num; at += n) {
      n = isa_decode(TGSIAMD_GFX9, code + at, num - at, &inst);
      if (!n || isa_op_infos[inst.op].flags & ISA_ENDS_PROGRAM)
         return;
      if (inst.op != from)
         continue;
      inst.op = to;
      isa_encode(TGSIAMD_GFX9, &inst, code + at, NULL);
   }
}
