/* SPDX-License-Identifier: MIT */
/* Far branches: random machine programs of marked blocks, some branches of which
 * reach farther than --short-branches allows. In the code that comes out, every
 * block must have all of its instructions, must come to where it came before, by
 * its branch and by falling through, and no branch may be longer than allowed. */
#include <stdio.h>
#include <stdlib.h>

#include "mir.h"
#include "target.h"

#define MAX_BLOCKS 64

enum end { FALLS, JUMPS, BRANCHES };

struct block { enum end end; unsigned fillers, target; };

struct program {
   struct block blocks[MAX_BLOCKS];
   unsigned num;
   uint32_t state;
};

static const struct tgsiamd_key key;

static uint32_t
rnd(struct program *r, uint32_t n)
{
   r->state = r->state * 1664525 + 1013904223;
   return (r->state >> 8) % n;
}

static void
make(struct program *r, uint32_t seed)
{
   r->state = seed * 2654435761u + 1;
   r->num = 2 + rnd(r, MAX_BLOCKS - 2);
   const unsigned length = rnd(r, 3) ? 40 : 400;
   for (unsigned i = 0; i < r->num; i++) {
      r->blocks[i].fillers = rnd(r, 8) ? rnd(r, length) : 0;
      r->blocks[i].end = rnd(r, 3);
      /* Often one and the same place, which islands can share. */
      r->blocks[i].target = rnd(r, 3) ? rnd(r, r->num) : r->num - 1;
   }
   r->blocks[r->num - 1].end = FALLS; /* ends the program */
}

static void
append(struct mir_program *p, struct mir_block *b, unsigned op, unsigned imm, struct mir_block *target)
{
   struct mir_inst *inst = mir_inst_create(p, op);
   inst->i.imm = imm;
   if (op == ISA_S_MOVK_I32)
      inst->i.dst = 0;
   mir_append(b, inst);
   if (target)
      mir_set_target(inst, target);
}

static uint32_t *
encode(const struct program *r, struct ir_shader *sh, uint32_t *num)
{
   struct mir_program *p = mir_create(sh);
   p->target = compiler_target(sh->gfx);
   struct mir_block *blocks[MAX_BLOCKS];
   for (unsigned i = 0; i < r->num; i++) {
      blocks[i] = mir_block_create(p);
      mir_block_place(p, blocks[i]);
   }
   for (unsigned i = 0; i < r->num; i++) {
      append(p, blocks[i], ISA_S_MOVK_I32, i, NULL); /* the mark */
      for (unsigned k = 0; k < r->blocks[i].fillers; k++)
         append(p, blocks[i], ISA_S_NOP, 0, NULL);
      if (i == r->num - 1)
         append(p, blocks[i], ISA_S_ENDPGM, 0, NULL);
      else if (r->blocks[i].end != FALLS)
         append(p, blocks[i], r->blocks[i].end == JUMPS ? ISA_S_BRANCH : ISA_S_CBRANCH_SCC1, 0, blocks[r->blocks[i].target]);
   }
   uint32_t *code = encode_program(p, num);
   *num = p->stats.code_bytes / 4;
   return code;
}

/* A wave in the code. */
struct walk { const uint32_t *code; uint32_t num, at; struct isa_inst inst; };

static bool
fetch(struct walk *w)
{
   return w->at < w->num && isa_decode(TGSIAMD_GFX9, w->code + w->at, w->num - w->at, &w->inst) == 1;
}

/* Where a branch at w->at goes. */
static uint32_t
goal(const struct walk *w)
{
   return w->at + 1 + (int16_t)w->inst.imm;
}

/* Goes on over jumps; false when it runs out of the code or in circles. */
static bool
next(struct walk *w, uint32_t at)
{
   w->at = at;
   for (unsigned i = 0; i < 2 * w->num; i++) {
      if (!fetch(w))
         return false;
      if (w->inst.op != ISA_S_BRANCH)
         return true;
      w->at = goal(w);
   }
   return false;
}

/* Is the mark of block `i` what comes at `at`? The block of nothing but a jump to itself has one, too. */
static bool
comes_to(struct walk w, uint32_t at, unsigned i)
{
   return next(&w, at) && w.inst.op == ISA_S_MOVK_I32 && w.inst.imm == i;
}

static bool
check_block(const struct program *r, struct walk w, unsigned i)
{
   const struct block *b = &r->blocks[i];
   for (unsigned k = 0; k < b->fillers; k++) {
      if (!next(&w, w.at + 1) || w.inst.op != ISA_S_NOP)
         return false;
   }
   if (i == r->num - 1)
      return next(&w, w.at + 1) && w.inst.op == ISA_S_ENDPGM;
   if (b->end != BRANCHES)
      return comes_to(w, w.at + 1, b->end == JUMPS ? b->target : i + 1);
   return next(&w, w.at + 1) && w.inst.op == ISA_S_CBRANCH_SCC1 && comes_to(w, goal(&w), b->target) &&
          comes_to(w, w.at + 1, i + 1);
}

/* The way of every block, and how long branches are. */
static bool
check_program(const struct program *r, unsigned *islands)
{
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, TGSIAMD_GFX9, &key, TGSIAMD_COMPILE_SHORT_BRANCHES);
   uint32_t num = 0, seen = 0, branches = 0, wanted = 0;
   uint32_t *code = encode(r, sh, &num);
   bool ok = code != NULL;
   const int reach = num / 16 > 256 ? num / 16 : 256;
   for (struct walk w = { code, num, 0 }; ok && w.at < num; w.at++) {
      ok = fetch(&w);
      if (ok && w.inst.op == ISA_S_MOVK_I32) {
         seen++;
         ok = w.inst.imm < r->num && check_block(r, w, w.inst.imm);
      } else if (ok && (w.inst.op == ISA_S_BRANCH || w.inst.op == ISA_S_CBRANCH_SCC1)) {
         branches++;
         ok = (int16_t)w.inst.imm >= -reach && (int16_t)w.inst.imm < reach;
      }
   }
   for (unsigned i = 0; i + 1 < r->num; i++)
      wanted += r->blocks[i].end != FALLS;
   *islands += (branches - wanted) / 2;
   ok = ok && seen == r->num;
   if (!ok)
      printf("%u blocks, %u dwords: %s\n", r->num, num, sh->error ? sh->error : "wrong way");
   free(code);
   ir_shader_destroy(sh);
   return ok;
}

/* Branches of neighbours to one far place go over the same islands: two, every 224 dwords. */
static bool
check_shared(void)
{
   struct program r = { .num = 12 };
   unsigned islands = 0;
   for (unsigned i = 0; i < 8; i++)
      r.blocks[i] = (struct block){ BRANCHES, 0, 11 };
   for (unsigned i = 8; i < 11; i++)
      r.blocks[i] = (struct block){ FALLS, 200, 0 };
   if (check_program(&r, &islands) && islands == 2)
      return true;
   printf("%u islands for one place\n", islands);
   return false;
}

int
main(void)
{
   unsigned bad = !check_shared(), islands = 0;
   for (uint32_t seed = 0; seed < 400; seed++) {
      struct program r;
      make(&r, seed);
      if (check_program(&r, &islands))
         continue;
      printf("program %u\n", seed);
      bad++;
   }
   printf("400 programs, %u islands, %u wrong\n", islands, bad);
   return bad != 0 || islands < 100;
}
