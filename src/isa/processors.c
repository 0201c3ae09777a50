/* SPDX-License-Identifier: MIT */
/* Processors by LLVM's names: which generation's tables hold for each, and the
 * ops by which it differs (processors.csv, features.csv). */
#include "isa_internal.h"

#include <string.h>

const struct isa_processor *isa_processors(unsigned *count)
{
   *count = isa_num_processors;
   return isa_processor_rows;
}

const struct isa_processor *isa_processor_by_name(const char *name)
{
   for (unsigned i = 0; i < isa_num_processors; i++) {
      if (!strcmp(isa_processor_rows[i].name, name))
         return &isa_processor_rows[i];
   }
   return NULL;
}

uint16_t isa_set_find(unsigned set, unsigned enc, unsigned number)
{
   const struct isa_op_set *s = &isa_op_sets[set];
   for (unsigned i = 0; i < s->num_has; i++) {
      if (s->has[i].enc == enc && s->has[i].number == number)
         return s->has[i].op;
   }
   return ISA_OP_COUNT;
}

int isa_set_number(unsigned set, const struct isa_inst *inst, int number)
{
   const struct isa_op_set *s = &isa_op_sets[set];
   for (unsigned i = 0; i < s->num_has; i++) {
      if (s->has[i].op == inst->op && s->has[i].enc == inst->enc)
         return s->has[i].number;
   }
   return isa_set_lacks(set, inst->op) ? -1 : number;
}

bool isa_set_lacks(unsigned set, unsigned op)
{
   const struct isa_op_set *s = &isa_op_sets[set];
   for (unsigned i = 0; i < s->num_lacks; i++) {
      if (s->lacks[i] == op)
         return true;
   }
   return false;
}

bool isa_processor_has(const struct isa_processor *p, enum isa_op op)
{
   const struct isa_op_set *s = &isa_op_sets[p->set];
   for (unsigned i = 0; i < s->num_has; i++) {
      if (s->has[i].op == op)
         return true;
   }
   return isa_op_infos[op].opcode[p->gfx] >= 0 && !isa_set_lacks(p->set, op);
}

uint32_t isa_processor_hazards(const struct isa_processor *p)
{
   return isa_hazard_set(p->gfx) & ~p->without;
}
