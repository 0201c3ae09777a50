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
encode_one(struct mir_program *p, struct mir_inst *inst, uint32_t *out)
{
   const char *why = NULL;
   char text[160];
   if (isa_encode(p->sh->gfx, &inst->i, out, &why))
      return true;
   isa_print(p->sh->gfx, &inst->i, text, sizeof(text));
   ir_error(p->sh, "internal: cannot encode `%s': %s", text, why ? why : "no reason given");
   return false;
}

#define MAX_DWORDS 8 /* of an instruction */

uint32_t *
encode_program(struct mir_program *p, uint32_t *dwords)
{
   uint32_t at = 0, max = 0, *code = NULL;
   mir_foreach_block(p, b) {
      b->offset = at;
      mir_foreach_inst(b, inst) {
         if (at + MAX_DWORDS + p->target->prefetch_pad_dwords > max) {
            max = max ? max * 2 : 1024;
            uint32_t *more = realloc(code, max * sizeof(*code));
            if (!more) {
               ir_error(p->sh, "out of memory");
               free(code);
               return NULL;
            }
            code = more;
         }
         if (!encode_one(p, inst, code + at)) {
            free(code);
            return NULL;
         }
         inst->pos = at;
         at += inst->i.num_dwords;
         count(&p->stats, inst);
      }
   }
   uint32_t total = at + p->target->prefetch_pad_dwords;
   /* Branches again, now that all places are known. */
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst) {
         if (!inst->target)
            continue;
         int64_t distance = (int64_t)inst->target->offset - (inst->pos + 1);
         if (distance < INT16_MIN || distance > INT16_MAX) {
            ir_error(p->sh, "a branch over %d dwords is too long", (int)distance);
            free(code);
            return NULL;
         }
         inst->i.imm = (uint16_t)distance;
         if (!encode_one(p, inst, code + inst->pos)) {
            free(code);
            return NULL;
         }
      }
   }
   struct isa_inst nop;
   isa_inst_init(&nop, ISA_S_NOP);
   while (at < total) {
      isa_encode(p->sh->gfx, &nop, code + at, NULL);
      at++;
   }
   *dwords = total;
   p->stats.code_bytes = (total - p->target->prefetch_pad_dwords) * 4;
   return code;
}
