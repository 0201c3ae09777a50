/* SPDX-License-Identifier: MIT */
/* A literal goes into an SGPR when instructions are selected in their long form,
 * which has no room for it. Those that are short after all (compares whose mask
 * is VCC, most of all) take it themselves when nobody else reads the SGPR. */
#include "mir.h"

#define MAX_WAY 64 /* instructions between the two */

static bool
touches(mir_reg first, unsigned n, mir_reg r)
{
   return r >= first && r < first + n;
}

static bool
reads(const struct mir_inst *inst, mir_reg r)
{
   for (unsigned k = 0; k < 4; k++) {
      if (touches(inst->src[k], inst->src_n[k], r))
         return true;
   }
   return false;
}

static bool
writes(const struct mir_inst *inst, mir_reg r)
{
   return touches(inst->def[0], inst->def_n[0], r) || touches(inst->def[1], inst->def_n[1], r);
}

/* The move that `inst` alone reads from r, NULL when there is none. */
static struct mir_inst *
find_move(struct mir_inst *inst, mir_reg r)
{
   struct mir_inst *move = inst->prev, *other;
   unsigned n = 0;
   for (; move && !writes(move, r); move = move->prev) {
      if (n++ == MAX_WAY || reads(move, r))
         return NULL;
   }
   if (!move || !move->block_only || move->i.op != ISA_S_MOV_B32 || move->src[0] != ISA_LITERAL)
      return NULL;
   n = 0;
   for (other = inst->next; other; other = other->next) {
      if (n++ == MAX_WAY || reads(other, r))
         return NULL;
      if (writes(other, r))
         break;
   }
   return move;
}

static bool
has_room(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   return !inst->keep_enc && inst->i.enc == info->enc &&
          (info->enc == ISA_ENC_VOP1 || info->enc == ISA_ENC_VOP2 || info->enc == ISA_ENC_VOPC) &&
          mir_is_sgpr_number(inst->src[0]) && inst->src_n[0] == 1 && inst->src[1] != ISA_LITERAL &&
          inst->src[2] == ISA_NONE;
}

void
fold_literals(struct mir_block *b)
{
   mir_foreach_inst(b, inst) {
      if (!has_room(inst))
         continue;
      struct mir_inst *move = find_move(inst, inst->src[0]);
      if (!move)
         continue;
      inst->src[0] = ISA_LITERAL;
      inst->i.literal = move->i.literal;
      inst->keep_enc = true;
      mir_remove(move);
   }
}
