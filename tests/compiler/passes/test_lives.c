/* SPDX-License-Identifier: MIT */
/* Lives of units in random machine programs of nested ifs and loops with breaks and
 * continues, against liveness found the plain way, block by block until nothing
 * changes. A life may be longer only where that takes no register from anybody: over
 * a block with one way in that writes nothing. Lists of ranges against maps;
 * assignments that the check must refuse. */
#include <stdio.h>

#include "ra.h"
#include "target.h"

#define MAX_BLOCKS 400
#define UNITS      8 /* of each file */

struct gen {
   struct mir_program *p;
   struct mir_block *block;
   struct mir_block *latch[8], *exit[8]; /* of the loops around */
   unsigned loops;
   uint32_t state;
   mir_reg unit[2]; /* by file */
};

static uint32_t
rnd(struct gen *g, uint32_t n)
{
   g->state = g->state * 1664525 + 1013904223;
   return (g->state >> 8) % n;
}

static void
fill(struct gen *g)
{
   for (unsigned i = rnd(g, 3); i-- > 0;) {
      enum mir_file file = rnd(g, 2);
      struct mir_inst *inst = mir_inst_create(g->p, MIR_COPY);
      unsigned what = rnd(g, 3);
      if (what) {
         inst->src[0] = g->unit[file] + rnd(g, UNITS);
         inst->src_n[0] = 1;
      }
      if (what != 1) {
         inst->def[0] = g->unit[file] + rnd(g, UNITS);
         inst->def_n[0] = 1;
      }
      mir_append(g->block, inst);
   }
}

static void
start(struct gen *g, struct mir_block *b)
{
   mir_block_place(g->p, b);
   g->block = b;
   fill(g);
}

static void
branch(struct gen *g, unsigned op, struct mir_block *target)
{
   struct mir_inst *inst = mir_inst_create(g->p, op);
   mir_append(g->block, inst);
   mir_set_target(inst, target);
}

static void
edge(struct gen *g, struct mir_block *to)
{
   mir_logical_edge(g->p, g->block, to);
}

static void sequence(struct gen *g, unsigned depth);

/* Not all lanes go the same way: the wave goes through both arms, a lane through one. */
static void
make_if(struct gen *g, unsigned depth)
{
   struct mir_block *then = mir_block_create(g->p), *other = mir_block_create(g->p), *merge = mir_block_create(g->p);
   bool leaves = g->loops && !rnd(g, 3), has_else = rnd(g, 2);
   edge(g, then);
   edge(g, has_else ? other : merge);
   branch(g, ISA_S_CBRANCH_EXECZ, has_else ? other : merge);
   start(g, then);
   if (!leaves)
      sequence(g, depth - 1);
   edge(g, leaves ? rnd(g, 3) ? g->exit[g->loops - 1] : g->latch[g->loops - 1] : merge);
   if (has_else) {
      start(g, other);
      branch(g, ISA_S_CBRANCH_EXECZ, merge);
      sequence(g, depth - 1);
      edge(g, merge);
   }
   start(g, merge);
   if (leaves) {
      struct mir_block *next = mir_block_create(g->p);
      branch(g, ISA_S_CBRANCH_EXECZ, g->latch[g->loops - 1]);
      edge(g, next);
      start(g, next);
   }
}

static void
make_loop(struct gen *g, unsigned depth)
{
   struct mir_block *header = mir_block_create(g->p), *latch = mir_block_create(g->p), *exit = mir_block_create(g->p);
   g->latch[g->loops] = latch;
   g->exit[g->loops++] = exit;
   edge(g, header);
   start(g, header);
   sequence(g, depth - 1);
   edge(g, exit);
   if (rnd(g, 4)) /* else it is a loop of one turn */
      edge(g, latch);
   start(g, latch);
   branch(g, ISA_S_CBRANCH_EXECNZ, header);
   edge(g, header);
   g->loops--;
   start(g, exit);
}

static void
sequence(struct gen *g, unsigned depth)
{
   for (unsigned i = 1 + rnd(g, 4); i-- > 0 && depth && g->p->num_blocks < MAX_BLOCKS / 2;) {
      if (rnd(g, 4))
         make_if(g, depth);
      else
         make_loop(g, depth);
   }
}

struct plain { uint32_t reads, writes, in, out; }; /* a bit for each unit */

static void
find_plain(const struct mir_program *p, struct plain *plain)
{
   mir_foreach_block(p, b) {
      struct plain *l = &plain[b->index];
      *l = (struct plain){0};
      mir_foreach_inst(b, inst) {
         if (mir_is_virt(inst->src[0]))
            l->reads |= 1u << mir_unit_id(inst->src[0]) & ~l->writes;
         if (mir_is_virt(inst->def[0]))
            l->writes |= 1u << mir_unit_id(inst->def[0]);
      }
   }
   for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t i = p->num_blocks; i-- > 0;) {
         const struct mir_block *b = p->blocks[i];
         uint32_t scalar = 0, vector = 0;
         for (uint32_t k = 0; k < b->num_xsuccs; k++)
            scalar |= plain[b->xsuccs[k]->index].in;
         for (uint32_t k = 0; k < b->num_lsuccs; k++)
            vector |= plain[b->lsuccs[k]->index].in;
         if (i && !b->num_lpreds)
            vector = 0; /* no lane comes here */
         plain[i].out = (scalar & ((1u << UNITS) - 1)) | (vector & ~((1u << UNITS) - 1));
         uint32_t in = plain[i].reads | (plain[i].out & ~plain[i].writes);
         changed |= in != plain[i].in;
         plain[i].in = in;
      }
   }
}

static bool
check(const struct mir_program *p, const struct ra_lives *lives, const struct plain *plain, uint32_t u, unsigned longer[2])
{
   const uint32_t file = u < UNITS ? (1u << UNITS) - 1 : ~((1u << UNITS) - 1);
   const struct ra_life *l = &lives->unit[u];
   mir_foreach_block(p, b) {
      const struct plain *want = &plain[b->index];
      bool in = ra_alive_at(l, 2 * b->first_pos), out = ra_alive_at(l, 2 * b->last_pos + 1);
      bool want_in = want->in >> u & 1, want_out = want->out >> u & 1;
      uint32_t ways = u < UNITS ? b->num_xpreds : b->num_lpreds;
      bool free = (!(want->writes & file) && ways == 1) || (b->index && !ways);
      bool dead = b->last && b->last->def[0] == MIR_VIRT + u; /* a write that nobody reads */
      if ((want_in && !in) || (want_out && !out))
         return false;
      longer[!free] += (in && !want_in) || (out && !want_out && !dead);
      mir_foreach_inst(b, inst) {
         if (inst->src[0] == MIR_VIRT + u && !ra_alive_at(l, 2 * inst->pos))
            return false;
      }
   }
   return true;
}

static bool
check_program(uint32_t seed, unsigned *blocks, unsigned longer[2])
{
   static const struct tgsiamd_key key;
   static struct plain plain[MAX_BLOCKS * 2];
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, TGSIAMD_GFX9, &key, 0);
   struct gen g = { .p = mir_create(sh), .state = seed * 2654435761u + 1 };
   struct ra_lives lives;
   bool ok = true;
   g.p->target = compiler_target(sh->gfx);
   /* Units of one dword, the SGPRs first. */
   for (unsigned f = 0; f < 2; f++) {
      g.unit[f] = MIR_VIRT + g.p->num_units;
      for (unsigned i = 0; i < UNITS; i++)
         mir_new_reg(g.p, f, 1);
   }
   start(&g, mir_block_create(g.p));
   sequence(&g, 1 + rnd(&g, 6));
   struct mir_inst *end = mir_inst_create(g.p, ISA_S_ENDPGM);
   mir_append(g.block, end);
   mir_linear_edges(g.p);
   find_plain(g.p, plain);
   ra_lives_find(g.p, &sh->arena, &lives);
   for (uint32_t u = 0; u < 2 * UNITS && ok; u++) {
      ok = check(g.p, &lives, plain, u, longer);
      if (!ok)
         printf("program %u of %u blocks: unit %u\n", seed, g.p->num_blocks, u);
   }
   *blocks += g.p->num_blocks;
   ir_temp_done(sh);
   ir_shader_destroy(sh);
   return ok;
}

#define MAP 600

/* The runs of `what` in a map, as a list. */
static struct ra_life
list_of(struct ir_arena *mem, const uint8_t *map, uint8_t what)
{
   struct ra_life l = { 0 };
   l.ranges = ir_arena_alloc(mem, MAP * sizeof(*l.ranges));
   for (uint32_t pos = 0; pos < MAP; pos++) {
      if (map[pos] != what)
         continue;
      if (l.num && l.ranges[l.num - 1].end == pos)
         l.ranges[l.num - 1].end++;
      else
         l.ranges[l.num++] = (struct ra_range){ pos, pos + 1 };
   }
   l.max = l.num; /* what is added finds no room */
   return l;
}

/* Lists of ranges against maps; `most` positions are taken. */
static bool
check_ranges(struct ir_arena *mem, uint32_t seed)
{
   struct gen g = { .state = seed };
   uint32_t most = seed % 3 ? 10 + rnd(&g, 60) : MAP, from = rnd(&g, MAP - most + 1), often = 1 + rnd(&g, 80);
   uint8_t map[MAP] = { 0 };
   for (uint32_t pos = from, now = 0; pos < from + most; pos++)
      map[pos] = now ^= !rnd(&g, 3);
   for (uint32_t pos = 0, end; pos < MAP; pos = end + 1) {
      for (end = pos; end < MAP && !map[end];)
         end++;
      if (pos == end || rnd(&g, often))
         continue;
      uint32_t first = rnd(&g, 2) ? pos : pos + rnd(&g, end - pos), num = rnd(&g, 2) ? end - first : 1 + rnd(&g, end - first);
      memset(map + first, 2, num); /* a gap, or a part of it */
   }
   struct ra_life a = list_of(mem, map, 1), b = list_of(mem, map, 2);
   bool ok = !ra_overlap(&a, &b) && !ra_overlap(&b, &a), few = a.num + b.num <= 8;
   for (uint32_t pos = 0; pos < MAP && ok; pos++) {
      uint32_t r = ra_first_after(&b, 0, pos);
      ok = ra_alive_at(&a, pos) == (map[pos] == 1) && (r == b.num || b.ranges[r].end > pos) &&
           (!r || b.ranges[r - 1].end <= pos);
      struct ra_range one = { pos, pos + 1 };
      struct ra_life l = { &one, 1, 1 };
      ok &= ra_overlap(&a, &l) == (map[pos] == 1) && ra_overlap(&l, &a) == (map[pos] == 1);
   }
   ra_merge(mem, &a, &b);
   for (uint32_t pos = 0; pos < MAP && ok; pos++)
      ok = ra_alive_at(&a, pos) == (map[pos] != 0);
   for (uint32_t r = 1; r < a.num && ok; r++)
      ok = few ? a.ranges[r - 1].end < a.ranges[r].start : a.ranges[r - 1].end <= a.ranges[r].start;
   if (!ok)
      printf("ranges of map %u\n", seed);
   return ok;
}

static void
copy(struct gen *g, mir_reg def, mir_reg src)
{
   struct mir_inst *inst = mir_inst_create(g->p, MIR_COPY);
   inst->def[0] = def;
   inst->def_n[0] = def != ISA_NONE;
   inst->src[0] = src;
   inst->src_n[0] = src != ISA_NONE;
   mir_append(g->block, inst);
}

/* An assignment to be refused: b is written where a is, before a is read, in the
 * same block, in the one before or in one of two. Scalars may hold garbage where
 * ways meet: there are some that no lane takes. */
enum where { NOWHERE, SAME, BEFORE, ARM, NUM_WHERE };

static bool
check_assignment(enum mir_file file, enum where where, bool apart)
{
   static const struct tgsiamd_key key;
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, TGSIAMD_GFX9, &key, 0);
   struct gen g = { .p = mir_create(sh) };
   mir_reg a = mir_new_reg(g.p, file, 1), b = mir_new_reg(g.p, file, 1);
   char why[128] = "";
   g.p->target = compiler_target(sh->gfx);
   mir_unit(g.p, a)->phys = 3;
   mir_unit(g.p, b)->phys = apart ? 4 : 3;
   mir_block_place(g.p, g.block = mir_block_create(g.p));
   copy(&g, a, ISA_NONE);
   if (where == SAME || where == BEFORE)
      copy(&g, b, ISA_NONE);
   if (where == BEFORE || where == ARM) {
      struct mir_block *next = mir_block_create(g.p), *arm = mir_block_create(g.p);
      edge(&g, next);
      if (where == ARM) {
         edge(&g, arm);
         branch(&g, ISA_S_CBRANCH_EXECZ, next);
         mir_block_place(g.p, g.block = arm);
         copy(&g, b, ISA_NONE);
         edge(&g, next);
      }
      mir_block_place(g.p, g.block = next);
   }
   copy(&g, ISA_NONE, a);
   mir_append(g.block, mir_inst_create(g.p, ISA_S_ENDPGM));
   mir_linear_edges(g.p);
   bool want = apart || where == NOWHERE || (where == ARM && file == MIR_SGPR);
   bool ok = ra_check(g.p, why, sizeof(why)) == want && !*why == want;
   if (!ok)
      printf("assignment: file %u, b written %u, registers %s: \"%s\"\n", file, where, apart ? "differ" : "are one", why);
   mir_unit(g.p, a)->phys = MIR_NO_PHYS;
   if (ra_check(g.p, why, sizeof(why))) {
      printf("assignment: a unit without a register is taken\n");
      ok = false;
   }
   ir_temp_done(sh);
   ir_shader_destroy(sh);
   return ok;
}

int
main(void)
{
   struct ir_arena mem = { 0 };
   unsigned bad = 0, blocks = 0, longer[2] = {0};
   for (uint32_t seed = 0; seed < 1000; seed++)
      bad += !check_program(seed, &blocks, longer);
   for (uint32_t seed = 0; seed < 1000; seed++)
      bad += !check_ranges(&mem, seed);
   ir_arena_free(&mem);
   for (unsigned i = 0; i < 4 * NUM_WHERE; i++)
      bad += !check_assignment(i & 1 ? MIR_VGPR : MIR_SGPR, i / 4, i & 2);
   printf("1000 programs, %u blocks, %u lives over what writes nothing, %u longer than needed, %u wrong\n", blocks, longer[0],
          longer[1], bad);
   return bad != 0 || blocks < 10000 || longer[1] > blocks / 100; /* there are 16 lives */
}
