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
   if ((info->src_type[2] == ISA_TYPE_MASK && inst->src[2] != ISA_VCC) || (info->dst2_dw && inst->def[1] != ISA_VCC))
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

/* Nothing stands between the end of block `from` and `to`. */
static bool
jumps_to_next_from(const struct mir_program *p, uint32_t from, const struct mir_block *to)
{
   for (uint32_t i = from + 1; i < p->num_blocks; i++) {
      if (p->blocks[i] == to)
         return true;
      if (p->blocks[i]->first)
         return false;
   }
   return false;
}

static bool
jumps_to_next(const struct mir_program *p, const struct mir_inst *br)
{
   return !br->next && jumps_to_next_from(p, br->block->index, br->target);
}

static unsigned
opposite_branch(unsigned op)
{
   switch (op) {
   case ISA_S_CBRANCH_SCC0: return ISA_S_CBRANCH_SCC1;
   case ISA_S_CBRANCH_SCC1: return ISA_S_CBRANCH_SCC0;
   case ISA_S_CBRANCH_VCCZ: return ISA_S_CBRANCH_VCCNZ;
   case ISA_S_CBRANCH_VCCNZ: return ISA_S_CBRANCH_VCCZ;
   case ISA_S_CBRANCH_EXECZ: return ISA_S_CBRANCH_EXECNZ;
   case ISA_S_CBRANCH_EXECNZ: return ISA_S_CBRANCH_EXECZ;
   default: return ISA_OP_COUNT;
   }
}

/* A conditional branch over nothing but a branch is the opposite condition and
 * that branch's target: how a uniform break looks, and then the end of a loop
 * behind it. `comers`: branches to each block. */
static bool
invert_branch(struct mir_program *p, struct mir_block *b, uint32_t *comers)
{
   struct mir_inst *br = b->last;
   unsigned op = br->target ? opposite_branch(br->i.op) : ISA_OP_COUNT;
   uint32_t i = b->index + 1;
   while (i < p->num_blocks && !p->blocks[i]->first && p->blocks[i] != br->target)
      i++;
   struct mir_inst *jump = i < p->num_blocks ? p->blocks[i]->first : NULL;
   if (op == ISA_OP_COUNT || p->blocks[i] == br->target || !jump || jump->i.op != ISA_S_BRANCH || jump->next ||
       !jumps_to_next_from(p, i, br->target))
      return false;
   for (uint32_t k = b->index + 1; k <= i; k++) {
      if (comers[k])
         return false;
   }
   comers[br->target->index]--;
   isa_inst_init(&br->i, op);
   br->target = jump->target;
   mir_remove(jump);
   return true;
}

/* What a loop does at its top before it may leave: worth having twice. */
#define MAX_TOP 3

/* `while`: the branch back to the top becomes the top's own test and a branch
 * behind it, which leaves one taken branch a round. */
static void
rotate_loop(struct mir_program *p, struct mir_block *latch)
{
   struct mir_inst *back = latch->last;
   struct mir_block *top = back ? back->target : NULL;
   unsigned n = 0;
   if (!top || back->i.op != ISA_S_BRANCH || top->index > latch->index || top->index + 1 >= p->num_blocks)
      return;
   struct mir_inst *leave = top->last;
   unsigned op = leave && leave->target ? opposite_branch(leave->i.op) : ISA_OP_COUNT;
   if (op == ISA_OP_COUNT || leave->target->index <= latch->index || !jumps_to_next_from(p, latch->index, leave->target))
      return;
   for (struct mir_inst *inst = top->first; inst != leave; inst = inst->next) {
      if (++n > MAX_TOP || mir_info(inst)->unit != ISA_UNIT_SALU || inst->target)
         return;
   }
   for (struct mir_inst *inst = top->first; inst != leave; inst = inst->next) {
      struct mir_inst *twin = mir_inst_create(p, inst->i.op);
      struct mir_inst links = *twin;
      *twin = *inst;
      twin->block = links.block;
      twin->prev = links.prev;
      twin->next = links.next;
      mir_insert_before(back, twin);
   }
   isa_inst_init(&back->i, op);
   back->target = p->blocks[top->index + 1];
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
   if (p->sh->options & TGSIAMD_COMPILE_NO_OPT)
      return;
   uint32_t *comers = ir_alloc(p->sh, (p->num_blocks + 1) * sizeof(*comers));
   mir_foreach_block(p, b) {
      mir_foreach_branch(b, inst)
         comers[inst->target->index]++;
   }
   mir_foreach_block(p, b) {
      while (b->last && invert_branch(p, b, comers))
         ;
   }
   mir_foreach_block(p, b)
      rotate_loop(p, b);
}

/* --- EXEC --- */

static bool
writes_exec_only(const struct mir_inst *inst)
{
   switch (inst->i.op) {
   case ISA_S_MOV_B64: case ISA_S_AND_B64: case ISA_S_XOR_B64: case ISA_S_ANDN2_B64:
      return inst->def[0] == ISA_EXEC;
   default:
      return false;
   }
}

static bool
needs_exec(const struct mir_inst *inst)
{
   const struct isa_op_info *info = mir_info(inst);
   if (inst->target || (info->flags & (ISA_READS_EXEC | ISA_BRANCH | ISA_ENDS_PROGRAM)) ||
       (info->unit != ISA_UNIT_SALU && info->unit != ISA_UNIT_SMEM && info->unit != ISA_UNIT_INTERNAL))
      return true;
   for (unsigned k = 0; k < 4; k++) {
      if (inst->src[k] == ISA_EXEC || inst->src[k] == ISA_EXEC_HI)
         return true;
   }
   return inst->def[0] == ISA_EXEC || inst->def[0] == ISA_EXEC_HI;
}

/* Nothing runs with this EXEC until it is set anew: the lanes of an else that
 * turned out empty. No code looks at what such an instruction leaves in SCC. */
static bool
is_dead_mask(const struct mir_program *p, const struct mir_inst *write)
{
   const struct mir_inst *inst = write->next;
   for (uint32_t i = write->block->index; i < p->num_blocks;) {
      for (; inst; inst = inst->next) {
         if (inst->def[0] == ISA_EXEC && inst->i.op == ISA_S_MOV_B64 && inst->src[0] != ISA_EXEC)
            return true;
         if (mir_info(inst)->flags & ISA_ENDS_PROGRAM)
            return true;
         if (needs_exec(inst))
            return false;
      }
      if (++i < p->num_blocks)
         inst = p->blocks[i]->first;
   }
   return false;
}

static void
drop_dead_masks(struct mir_program *p)
{
   mir_foreach_block(p, b) {
      mir_foreach_inst_safe(b, inst) {
         if (writes_exec_only(inst) && is_dead_mask(p, inst))
            mir_remove(inst);
      }
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
      if (!(p->sh->options & TGSIAMD_COMPILE_NO_OPT))
         fold_literals(b);
   }
   clean_branches(p);
   if (!(p->sh->options & TGSIAMD_COMPILE_NO_OPT))
      drop_dead_masks(p);
   mir_linear_edges(p);
   mir_foreach_block(p, b) {
      mir_foreach_inst(b, inst)
         mir_set_operands(inst);
   }
}
