/* SPDX-License-Identifier: MIT */
/* After register allocation: copies become moves, VOP3 forms become short ones
 * where registers allow, branches that jump nowhere or skip next to nothing
 * go, and operands move into the isa_inst. */
#include "mir.h"
#include "target.h"

static void
lower_copy(struct mir_program *p, struct mir_inst *inst)
{
   mir_reg d = inst->def[0], s = inst->src[0];
   if (d == s) {
      mir_remove(inst);
      return;
   }
   uint32_t literal = inst->i.literal;
   unsigned op = isa_is_vgpr(d) ? ISA_V_MOV_B32 : isa_is_vgpr(s) ? ISA_V_READFIRSTLANE_B32 : ISA_S_MOV_B32;
   isa_inst_init(&inst->i, op);
   inst->i.literal = literal;
   (void)p;
}

static bool
has_modifiers(const struct isa_inst *i)
{
   return i->neg || i->abs || i->clamp || i->omod || i->op_sel;
}

static void
swap_sources(struct mir_inst *inst)
{
   mir_reg t = inst->src[0];
   inst->src[0] = inst->src[1];
   inst->src[1] = t;
}

/* v_mad d, a, b, d is v_mac d, a, b. */
static void
mad_to_mac(struct mir_inst *inst)
{
   if (inst->i.op != ISA_V_MAD_F32 || has_modifiers(&inst->i) || inst->src[2] != inst->def[0])
      return;
   if (!isa_is_vgpr(inst->src[1]))
      swap_sources(inst);
   if (!isa_is_vgpr(inst->src[1])) {
      swap_sources(inst);
      return;
   }
   isa_inst_init(&inst->i, ISA_V_MAC_F32);
   inst->src[2] = ISA_NONE;
   inst->src_n[2] = 0;
}

static void
shorten(struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   if (inst->keep_enc || inst->i.enc != ISA_ENC_VOP3)
      return;
   if (info->enc != ISA_ENC_VOP1 && info->enc != ISA_ENC_VOP2 && info->enc != ISA_ENC_VOPC)
      return;
   if (has_modifiers(&inst->i))
      return;
   if (info->enc == ISA_ENC_VOPC && inst->def[0] != ISA_VCC)
      return;
   if (info->src_type[2] == ISA_TYPE_MASK && inst->src[2] != ISA_VCC)
      return;
   if (info->enc != ISA_ENC_VOP1 && !isa_is_vgpr(inst->src[1])) {
      if (!(info->flags & ISA_COMMUTES) || !isa_is_vgpr(inst->src[0]))
         return;
      swap_sources(inst);
   }
   inst->i.enc = info->enc;
}

/* --- branches --- */

/* Code that may run with no lane active at no cost worth a branch. */
static bool
is_cheap(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   if (inst->target || (info->flags & (ISA_BRANCH | ISA_ENDS_PROGRAM)))
      return false;
   return info->unit == ISA_UNIT_VALU ? !(info->flags & ISA_TRANS) && inst->i.op != ISA_V_READFIRSTLANE_B32
                                      : info->unit == ISA_UNIT_SALU;
}

#define SKIP_LIMIT 8

/* A skip over a few cheap instructions costs more than they do. */
static bool
skip_is_useless(const struct mir_program *p, const struct mir_block *from, const struct mir_inst *br)
{
   unsigned n = 0;
   if (br->i.op != ISA_S_CBRANCH_EXECZ || br->target->index <= from->index || br->next)
      return false;
   for (uint32_t i = from->index + 1; i < br->target->index; i++) {
      mir_foreach_inst(p->blocks[i], inst) {
         if (inst->i.op == ISA_S_CBRANCH_EXECZ && inst->target == br->target)
            continue;
         if (++n > SKIP_LIMIT || !is_cheap(inst))
            return false;
      }
   }
   return true;
}

static bool
jumps_to_next(const struct mir_program *p, const struct mir_inst *br)
{
   const struct mir_block *b = br->block;
   if (br->next)
      return false;
   for (uint32_t i = b->index + 1; i < p->num_blocks; i++) {
      if (p->blocks[i] == br->target)
         return true;
      if (p->blocks[i]->first)
         return false;
   }
   return false;
}

static void
clean_branches(struct mir_program *p)
{
   /* From the end: an inner skip that goes makes the outer one cheaper. */
   for (uint32_t i = p->num_blocks; i-- > 0;) {
      struct mir_block *b = p->blocks[i];
      struct mir_inst *br = b->last;
      if (!br || !br->target)
         continue;
      if (jumps_to_next(p, br) || (!(p->sh->options & TGSIAMD_COMPILE_NO_OPT) && skip_is_useless(p, b, br)))
         mir_remove(br);
   }
}

void
mir_set_operands(struct mir_inst *inst)
{
   inst->i.dst = inst->def[0];
   inst->i.dst2 = inst->def[1];
   for (unsigned k = 0; k < 4; k++)
      inst->i.src[k] = inst->src[k];
}

void
post_ra(struct mir_program *p)
{
   mir_foreach_block(p, b) {
      mir_foreach_inst_safe(b, inst) {
         if (inst->i.op == MIR_COPY)
            lower_copy(p, inst);
         else if (inst->i.op >= ISA_OP_COUNT)
            mir_remove(inst);
      }
      mir_foreach_inst(b, inst) {
         mad_to_mac(inst);
         shorten(inst);
      }
   }
   clean_branches(p);
   mir_linear_edges(p);
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst)
         mir_set_operands(inst);
   }
}
