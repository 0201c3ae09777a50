/* SPDX-License-Identifier: MIT */
/* Layout and encoding: sizes, branch distances, code, padding; the numbers of
 * --stats. A SOPP branch counts dwords from the instruction behind it. */
#include <stdlib.h>

#include "mir.h"
#include "target.h"

static void
count(struct tgsiamd_shader_stats *st, const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   st->instructions++;
   switch ((enum isa_unit)info->unit) {
   case ISA_UNIT_SALU: st->salu++; break;
   case ISA_UNIT_SMEM: st->smem++; break;
   case ISA_UNIT_VALU: st->valu++; break;
   case ISA_UNIT_VMEM: case ISA_UNIT_FLAT: st->vmem++; break;
   case ISA_UNIT_LDS: case ISA_UNIT_GDS: st->lds++; break;
   case ISA_UNIT_EXPORT: st->exports++; break;
   case ISA_UNIT_BRANCH: st->branches++; break;
   case ISA_UNIT_INTERNAL: break;
   }
   /* Issue slots, not latencies; those depend on what other waves do. */
   st->est_cycles += info->unit == ISA_UNIT_VALU ? ((info->flags & ISA_TRANS) ? 16 : 4) : 4;
}

static bool
encode_one(struct mir_program *p, struct isa_shapes *shapes, struct mir_inst *inst, uint32_t *out)
{
   const char *why = NULL;
   char text[160];
   if (isa_encode_shaped(p->sh->gfx, shapes, &inst->i, out, &why))
      return true;
   isa_print(p->sh->gfx, &inst->i, text, sizeof(text));
   ir_error(p->sh, "internal: cannot encode `%s': %s", text, why ? why : "no reason given");
   return false;
}

#define MAX_DWORDS 8 /* of an instruction */
#define MAX_ROUNDS 128 /* islands from a branch to its target */

struct code {
   uint32_t *dwords, num, max;
   struct isa_shapes shapes;
   struct mir_inst *add; /* the way to the table of constants, if that is still wanted */
};

/* Code of everything, with branches to nowhere yet; places of blocks and instructions. */
static bool
encode_all(struct mir_program *p, struct code *c)
{
   c->num = 0;
   c->add = NULL;
   mir_foreach_block(p, b) {
      b->offset = c->num;
      mir_foreach_inst(b, inst) {
         if (c->num + MAX_DWORDS + p->target->prefetch_pad_dwords > c->max) {
            c->max = c->max ? c->max * 2 : 1024;
            uint32_t *more = realloc(c->dwords, c->max * sizeof(*c->dwords));
            if (!more) {
               ir_error(p->sh, "out of memory");
               return false;
            }
            c->dwords = more;
         }
         if (!encode_one(p, &c->shapes, inst, c->dwords + c->num))
            return false;
         inst->pos = c->num;
         c->num += inst->i.num_dwords;
         count(&p->stats, inst);
         c->add = inst == p->table.add ? inst : c->add;
      }
   }
   return true;
}

/* Where the table of constants comes: behind the padding, a register does not
 * straddle lines of the cache. */
static uint32_t
table_place(const struct mir_program *p, const struct code *c)
{
   return (c->num + p->target->prefetch_pad_dwords + 3) & ~3u;
}

static uint32_t *
add_table(const struct mir_program *p, uint32_t *code, uint32_t place, uint32_t *dwords)
{
   const uint32_t num = p->sh->num_table;
   uint32_t *all = realloc(code, (place + num) * sizeof(*all));
   if (!all) {
      free(code);
      ir_error(p->sh, "out of memory");
      return NULL;
   }
   memset(all + *dwords, 0, (place - *dwords) * sizeof(*all));
   memcpy(all + place, p->sh->table, num * sizeof(*all));
   *dwords = place + num;
   return all;
}

/* Branches and the way to the table again, now that all places are known. */
static bool
encode_branches(struct mir_program *p, struct code *c)
{
   mir_place_table(p, table_place(p, c));
   if (c->add && !encode_one(p, &c->shapes, c->add, c->dwords + c->add->pos))
      return false;
   mir_foreach_block(p, b) {
      mir_foreach_branch(b, inst) {
         inst->i.imm = (uint16_t)(inst->target->offset - (inst->pos + 1));
         if (!encode_one(p, &c->shapes, inst, c->dwords + inst->pos))
            return false;
      }
   }
   return true;
}

static bool
encode_code(struct mir_program *p, struct code *c)
{
   int64_t reach = INT16_MAX + 1;
   unsigned round = 0;
   const struct tgsiamd_shader_stats before = p->stats;
   do {
      p->stats = before;
      if (!encode_all(p, c))
         return false;
      if (p->sh->options & TGSIAMD_COMPILE_SHORT_BRANCHES)
         reach = c->num / 16 > 256 ? c->num / 16 : 256;
      if (round++ > MAX_ROUNDS) {
         ir_error(p->sh, "branches over %u dwords are too long", c->num);
         return false;
      }
   } while (mir_add_islands(p, reach));
   return encode_branches(p, c);
}

uint32_t *
encode_program(struct mir_program *p, uint32_t *dwords)
{
   struct code c = {0};
   if (!encode_code(p, &c)) {
      free(c.dwords);
      return NULL;
   }
   p->stats.code_bytes = c.num * 4;
   *dwords = c.num + p->target->prefetch_pad_dwords;
   const uint32_t place = table_place(p, &c);
   struct isa_inst nop;
   uint32_t nop_dword;
   isa_inst_init(&nop, ISA_S_NOP);
   isa_encode(p->sh->gfx, &nop, &nop_dword, NULL);
   while (c.num < *dwords)
      c.dwords[c.num++] = nop_dword;
   return p->table.desc ? add_table(p, c.dwords, place, dwords) : c.dwords;
}
