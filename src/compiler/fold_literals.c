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

/* The last writer of each SGPR, where that is a move that may be folded: only
 * then a look for it is worth the way. */
struct moves {
   bool any;
   struct mir_inst *of[ISA_VCC];
};

static bool
is_move(const struct mir_inst *inst)
{
   return inst->i.op == ISA_S_MOV_B32 && inst->block_only && inst->src[0] == ISA_LITERAL;
}

static void
note_writes(struct moves *m, struct mir_inst *inst)
{
   for (unsigned i = 0; m->any && i < 2; i++) {
      for (unsigned k = 0; k < inst->def_n[i] && mir_is_sgpr_number(inst->def[i] + k); k++)
         m->of[inst->def[i] + k] = NULL;
   }
   if (is_move(inst) && mir_is_sgpr_number(inst->def[0])) {
      if (!m->any)
         memset(m->of, 0, sizeof(m->of));
      m->any = true;
      m->of[inst->def[0]] = inst;
   }
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
   if (!move || !is_move(move))
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
   struct moves moves;
   moves.any = false;
   mir_foreach_inst(b, inst) {
      struct mir_inst *move = moves.any && has_room(inst) && moves.of[inst->src[0]] ? find_move(inst, inst->src[0]) : NULL;
      if (move) {
         inst->src[0] = ISA_LITERAL;
         inst->i.literal = move->i.literal;
         inst->keep_enc = true;
         moves.of[move->def[0]] = NULL;
         mir_remove(move);
      }
      note_writes(&moves, inst);
   }
}
