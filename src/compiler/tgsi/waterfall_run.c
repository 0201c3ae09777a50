/* SPDX-License-Identifier: MIT */
/* Which instructions share the rounds of a waterfall (waterfall.c): those behind
 * the first that choose their resource by the same value, up to the next
 * control flow. Arithmetic between them runs in the rounds as well, so there
 * may be only little of it; operations across lanes may not. */
#include "tr.h"

/* Where a block ends: control flow, and what must see all lanes or keep its
 * place among what others do. */
bool
tr_splits_blocks(unsigned opcode)
{
   switch (opcode) {
   case TGSI_OPCODE_IF: case TGSI_OPCODE_UIF: case TGSI_OPCODE_ELSE: case TGSI_OPCODE_ENDIF:
   case TGSI_OPCODE_BGNLOOP: case TGSI_OPCODE_ENDLOOP: case TGSI_OPCODE_BRK: case TGSI_OPCODE_CONT:
   case TGSI_OPCODE_SWITCH: case TGSI_OPCODE_CASE: case TGSI_OPCODE_DEFAULT: case TGSI_OPCODE_ENDSWITCH:
   case TGSI_OPCODE_CAL: case TGSI_OPCODE_RET: case TGSI_OPCODE_BGNSUB: case TGSI_OPCODE_ENDSUB:
   case TGSI_OPCODE_END:
      return true;
   default:
      return false;
   }
}

static bool
needs_all_lanes(const struct tr *t)
{
   switch (t->inst->Instruction.Opcode) {
   case TGSI_OPCODE_KILL: case TGSI_OPCODE_KILL_IF: case TGSI_OPCODE_DEMOTE: case TGSI_OPCODE_READ_HELPER:
   case TGSI_OPCODE_BARRIER: case TGSI_OPCODE_MEMBAR: case TGSI_OPCODE_EMIT: case TGSI_OPCODE_ENDPRIM:
   case TGSI_OPCODE_VOTE_ANY: case TGSI_OPCODE_VOTE_ALL: case TGSI_OPCODE_VOTE_EQ: case TGSI_OPCODE_BALLOT:
   case TGSI_OPCODE_READ_FIRST: case TGSI_OPCODE_READ_INVOC: case TGSI_OPCODE_CLOCK: case TGSI_OPCODE_FBFETCH:
      return true;
   default:
      return tr_looks_at_neighbours(t);
   }
}

#define MAX_BACK 64 /* instructions that are looked at for the origin of a value */

/* A register's value is another register's: by a move of it as it is. */
static bool
copies(const struct tgsi_full_instruction *inst, unsigned chan, struct tr_place *p)
{
   const struct tgsi_full_src_register *src = &inst->Src[0];
   const unsigned op = inst->Instruction.Opcode;

   if ((op != TGSI_OPCODE_MOV && op != TGSI_OPCODE_UARL) || inst->Instruction.Saturate || src->Register.Absolute ||
       src->Register.Negate || src->Register.Indirect || src->Register.Dimension)
      return false;
   p->file = src->Register.File;
   p->index = src->Register.Index;
   p->chan = tr_swizzle(src, chan);
   return true;
}

struct tr_place
tr_trace(const struct tr *t, unsigned file, int index, unsigned chan)
{
   struct tr_place p = { .file = file, .index = index, .chan = chan, .def = TR_NO_DEF };

   for (uint32_t i = t->pc, n = 0; n < MAX_BACK; n++) {
      if (i == 0 || tr_splits_blocks(t->scan->insts[i - 1].Instruction.Opcode)) {
         p.def = i;
         return p;
      }
      const struct tgsi_full_instruction *inst = &t->scan->insts[--i];
      for (unsigned d = 0; d < inst->Instruction.NumDstRegs; d++) {
         const struct tgsi_dst_register *dst = &inst->Dst[d].Register;
         if (dst->File != p.file || inst->Instruction.Opcode == TGSI_OPCODE_STORE)
            continue;
         if (!dst->Indirect && (dst->Index != p.index || !(dst->WriteMask & (1u << p.chan))))
            continue;
         if (dst->Indirect || !copies(inst, p.chan, &p)) {
            p.def = i;
            return p;
         }
         break;
      }
   }
   return p;
}

bool
tr_same_choice(const struct tr_choice *x, const struct tr_choice *y)
{
   if (x->operand == y->operand)
      return true;
   for (unsigned k = 0; k < x->num; k++) {
      const struct tr_place *a = &x->place[k], *b = &y->place[k];
      if (x->num != y->num || a->def == TR_NO_DEF || a->def != b->def || a->file != b->file || a->index != b->index ||
          a->chan != b->chan)
         return false;
   }
   return true;
}

/* Does the current instruction choose only what `first` has chosen? */
static bool
is_served(const struct tr *t, const struct tr_waterfall *first)
{
   for (unsigned i = 0; i < t->waterfall.num; i++) {
      bool found = false;
      for (unsigned k = 0; k < first->num; k++)
         found |= tr_same_choice(&t->waterfall.choices[i], &first->choices[k]);
      if (!found)
         return false;
   }
   return true;
}

#define MAX_BETWEEN 8 /* instructions that need no waterfall themselves */

uint32_t
tr_last_of_round(struct tr *t)
{
   const struct tr_waterfall first = t->waterfall;
   const struct tgsi_full_instruction *inst = t->inst;
   const uint32_t pc = t->pc;
   uint32_t last = pc;

   while (t->pc + 1 < t->scan->num_insts && t->pc - last < MAX_BETWEEN && !t->sh->error) {
      t->inst = &t->scan->insts[++t->pc];
      if (tr_splits_blocks(t->inst->Instruction.Opcode) || needs_all_lanes(t))
         break;
      tr_find_choices(t);
      if (!is_served(t, &first))
         break;
      if (t->waterfall.num)
         last = t->pc;
   }
   t->waterfall = first;
   t->inst = inst;
   t->pc = pc;
   return last;
}
