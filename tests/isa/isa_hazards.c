/* SPDX-License-Identifier: MIT */
/* Puts what hazards ask for into lines of code: a line is the dwords in hex of
 * a straight piece of code, and comes out with the waits in it. For
 * isa_hazards.py, which compares with LLVM; a processor by its name has the
 * hazards of its generation but those it is without; --wave32: of a wave of 32 lanes. --limits prints the generation's
 * limits for isa_limits.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsiamd/isa.h"

#define MAX_INSTS 64

static const struct isa_processor *processor;

struct piece {
   enum tgsiamd_gfx gfx;
   struct isa_inst insts[MAX_INSTS];
   unsigned num;
};

static void put(enum tgsiamd_gfx gfx, struct isa_inst *inst)
{
   uint32_t words[8];
   const char *why = "";
   unsigned num = isa_encode(gfx, inst, words, &why);
   if (!num)
      printf("(%s)", why);
   for (unsigned i = 0; i < num; i++)
      printf("%s%08x", i ? " " : "", words[i]);
   printf("|");
}

static void append(struct piece *p, const struct isa_inst *inst)
{
   if (p->num < MAX_INSTS)
      p->insts[p->num++] = *inst;
}

static unsigned states_of(const struct isa_inst *inst)
{
   return inst->op == ISA_S_NOP ? (inst->imm & 15) + 1u : 1;
}

static void add_states(struct piece *p, const struct isa_inst *inst)
{
   unsigned missing = 0, done = 0;
   for (unsigned i = p->num; i-- > 0;) {
      unsigned want = isa_hazard_states(p->gfx, &p->insts[i], inst);
      if (want > done && want - done > missing)
         missing = want - done;
      done += states_of(&p->insts[i]);
   }
   for (; missing; missing -= missing > 8 ? 8 : missing) {
      struct isa_inst nop;
      isa_inst_init(&nop, ISA_S_NOP);
      nop.imm = (missing > 8 ? 8 : missing) - 1;
      append(p, &nop);
   }
}

/* Waits at the same place are one. */
static void append_remedy(struct piece *p, const struct isa_inst *remedy)
{
   struct isa_inst *last = p->num ? &p->insts[p->num - 1] : NULL;
   if (last && last->op == ISA_S_WAITCNT_DEPCTR && remedy->op == ISA_S_WAITCNT_DEPCTR)
      last->imm &= remedy->imm;
   else
      append(p, remedy);
}

static void add(struct piece *p, struct isa_inst *inst)
{
   struct isa_inst behind[ISA_HAZARD_COUNT];
   unsigned num_behind = 0;
   add_states(p, inst);
   for (unsigned h = 0; h < ISA_HAZARD_COUNT; h++) {
      struct isa_hazard_walk w;
      struct isa_inst remedy;
      enum isa_hazard_step step = ISA_HAZARD_GO_ON;
      if ((processor && processor->without >> h & 1) || !isa_hazard_begin(p->gfx, h, inst, &w))
         continue;
      for (unsigned i = p->num; i-- > 0 && step == ISA_HAZARD_GO_ON;)
         step = isa_hazard_back(p->gfx, &w, &p->insts[i]);
      if (step != ISA_HAZARD_FOUND || !isa_hazard_remedy(p->gfx, &w, inst, &remedy))
         continue;
      if (isa_hazard_info(h)->behind)
         behind[num_behind++] = remedy;
      else
         append_remedy(p, &remedy);
   }
   append(p, inst);
   for (unsigned i = 0; i < num_behind; i++)
      append_remedy(p, &behind[i]);
}

static bool read_line(enum tgsiamd_gfx gfx, bool wave32, const char *line, struct piece *out)
{
   uint32_t words[256];
   unsigned num = 0;
   for (char *end; num < 250; line = end) {
      words[num] = strtoul(line, &end, 16);
      if (end == line)
         break;
      num++;
   }
   for (unsigned at = 0; at < num;) {
      struct isa_inst inst;
      unsigned used = (wave32 ? isa_decode_wave32 : isa_decode)(gfx, words + at, num - at, &inst);
      if (!used)
         return false;
      at += used;
      add(out, &inst);
   }
   return true;
}

static int print_limits(enum tgsiamd_gfx gfx)
{
   const struct isa_limits *l = isa_limits(gfx);
#define SHOW(member) printf("%s %u\n", #member, (unsigned)l->member)
   SHOW(max_sgprs);
   SHOW(sgpr_granule);
   SHOW(max_vgprs);
   bool own = processor && processor->vgprs;
   printf("vgpr_granule %u\n", own ? processor->vgpr_granule : l->vgpr_granule);
   SHOW(phys_sgprs_per_simd);
   printf("phys_vgprs_per_simd %u\n", own ? processor->vgprs : l->phys_vgprs_per_simd);
   printf("fixed_sgprs %u\n", processor && processor->flags & ISA_PROCESSOR_FIXED_SGPRS ? 96 : 0);
   SHOW(max_waves_per_simd);
   SHOW(lds_bytes_per_cu);
   SHOW(constant_bus_limit);
   SHOW(vop3_literal);
   SHOW(has_wave32);
   SHOW(max_vmcnt);
   SHOW(max_expcnt);
   SHOW(max_lgkmcnt);
#undef SHOW
   return 0;
}

int main(int argc, char **argv)
{
   static char line[4096];
   static struct piece p;
   processor = argc < 2 ? NULL : isa_processor_by_name(argv[1]);
   unsigned gfx = processor ? processor->gfx : argc < 2 ? TGSIAMD_GFX_COUNT : (unsigned)atoi(argv[1]);
   if (gfx >= TGSIAMD_GFX_COUNT || (!processor && (argv[1][0] < '0' || argv[1][0] > '9'))) {
      fprintf(stderr, "usage: isa_hazards GENERATION_NUMBER or PROCESSOR [--limits | --wave32] < LINES\n");
      return 2;
   }
   if (argc > 2 && !strcmp(argv[2], "--limits"))
      return print_limits(gfx);
   bool wave32 = argc > 2 && !strcmp(argv[2], "--wave32");
   while (fgets(line, sizeof(line), stdin)) {
      p.gfx = gfx;
      p.num = 0;
      if (!read_line(p.gfx, wave32, line, &p))
         printf("(bad)");
      else
         for (unsigned i = 0; i < p.num; i++)
            put(p.gfx, &p.insts[i]);
      printf("\n");
   }
   return 0;
}
