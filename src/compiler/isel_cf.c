/* SPDX-License-Identifier: MIT */
/* Control flow on EXEC. A divergent `if` narrows EXEC and restores it at the
 * merge; its arms are skipped when no lane wants them. A divergent loop keeps
 * `active` (lanes still in this round) and `cont` (lanes that wait for the
 * latch): lanes that left are missing in every later restore. Uniform branches
 * and loops are plain scalar ones.
 *
 * Pixel shaders that need derivatives run in whole quad mode, up to the last one;
 * `exact` holds the lanes that are neither helpers nor killed. It becomes EXEC for
 * memory writes before, and for good where no control flow is open any more. A
 * killed lane goes on as a helper as long as there are some. */
#include "isel.h"

static struct mir_inst *
exec_op(struct isel *s, unsigned op, mir_reg a, mir_reg b)
{
   struct mir_inst *m = isel_salu(s, op, ISA_EXEC, 2, isel_reg(a), isel_reg(b));
   m->side_effect = true;
   return m;
}

static void
mask_op(struct isel *s, unsigned op, mir_reg def, mir_reg a, mir_reg b)
{
   isel_salu(s, op, def, 2, isel_reg(a), isel_reg(b));
}

static void
branch(struct isel *s, unsigned op, struct mir_block *target)
{
   struct mir_inst *m = isel_emit(s, op, ISA_NONE, 0);
   mir_set_target(m, target);
   m->side_effect = true;
}

static void
place(struct isel *s, struct mir_block *b)
{
   mir_block_place(s->p, b);
   b->loop_depth = 0;
   for (unsigned i = 0; i < s->depth; i++)
      b->loop_depth += s->frames[i].is_loop;
   s->block = b;
}

static struct mir_block *
new_block(struct isel *s)
{
   return mir_block_create(s->p);
}

/* Looks at what other lanes of the quad have, so that helpers must have it too. */
static bool
looks_at_quad(const struct ir_inst *inst)
{
   switch (inst->op) {
   case IR_DDX: case IR_DDY: case IR_QUAD_PERM:
      return true;
   case IR_TEX:
      return inst->tex.op != IR_TEX_FETCH && inst->tex.op != IR_TEX_RESINFO && !inst->tex.lod_zero &&
             !(inst->tex.srcs & (IR_TEX_SRC_LOD | IR_TEX_SRC_DERIVS));
   default:
      return false;
   }
}

/* Behind the last look at quads, or what closes the control flow around it. */
void
isel_leave_quads(struct isel *s, const struct ir_block *b, const struct ir_inst *inst)
{
   if (!s->wqm || s->depth || s->last_look->block->index > b->index ||
       (s->last_look->block == b && s->last_look != inst))
      return;
   struct mir_inst *restored = s->block->last;
   if (restored && restored->i.op == ISA_S_MOV_B64 && restored->def[0] == ISA_EXEC)
      mir_remove(restored); /* by the merge just before */
   exec_op(s, ISA_S_MOV_B64, s->exact, ISA_NONE);
   s->wqm = false;
   /* Who is killed from here on in an arm is there until its end. */
   s->track_exact = s->last_kill && (s->last_kill->block->index > b->index || (s->last_kill->block == b && inst));
}

void
isel_start(struct isel *s)
{
   bool interpolates = false;
   ir_foreach_block(s->sh, b) {
      if (b->reachable && b->term == IR_TERM_CONTINUE)
         b->loop->continues = true;
      ir_foreach_inst(b, inst) {
         if (inst->op == IR_KILL_IF)
            s->last_kill = inst;
         if (s->sh->stage == TGSIAMD_PS && looks_at_quad(inst))
            s->last_look = inst;
         interpolates |= inst->op == IR_INTERP || inst->op == IR_INTERP_MOV;
      }
   }
   place(s, new_block(s));
   s->wqm = s->last_look != NULL;
   s->track_exact = s->wqm || s->last_kill;
   mir_reg prim_mask = interpolates ? isel_input_sgpr(s, TGSIAMD_NUM_SGPR_PS, 1) : ISA_NONE;
   s->p->inputs_end = isel_emit(s, MIR_MARK, ISA_NONE, 0);
   s->p->entry_end = isel_emit(s, MIR_MARK, ISA_NONE, 0);
   s->p->inputs_end->side_effect = s->p->entry_end->side_effect = true;
   s->exact = mir_new_reg(s->p, MIR_SGPR, 2);
   mask_op(s, ISA_S_MOV_B64, s->exact, ISA_EXEC, ISA_NONE);
   if (s->wqm)
      exec_op(s, ISA_S_WQM_B64, ISA_EXEC, ISA_NONE);
   if (s->sh->stage == TGSIAMD_GS) {
      /* A merged wave has lanes of two stages; the program narrows EXEC for each. */
      isel_salu(s, ISA_S_MOV_B64, ISA_EXEC, 2, isel_imm(0xffffffff), isel_reg(ISA_NONE))->side_effect = true;
   }
   if (interpolates) {
      struct mir_inst *m = isel_salu(s, ISA_S_MOV_B32, ISA_M0, 1, isel_reg(prim_mask), isel_reg(ISA_NONE));
      m->side_effect = true;
   }
}

void
isel_exact_begin(struct isel *s, mir_reg *save)
{
   *save = ISA_NONE;
   if (!s->track_exact)
      return;
   *save = mir_new_reg(s->p, MIR_SGPR, 2);
   struct mir_inst *m = isel_salu(s, ISA_S_AND_SAVEEXEC_B64, *save, 2, isel_reg(s->exact), isel_reg(ISA_NONE));
   m->side_effect = true;
}

void
isel_exact_end(struct isel *s, mir_reg save)
{
   if (save != ISA_NONE)
      exec_op(s, ISA_S_MOV_B64, save, ISA_NONE);
}

static bool
inside_divergent(const struct isel *s)
{
   for (unsigned i = 0; i < s->depth; i++) {
      if (s->frames[i].divergent)
         return true;
   }
   return false;
}

void
isel_kill(struct isel *s, ir_val cond)
{
   mir_reg dead = ISA_EXEC;
   if (!isel_is_true(cond)) {
      mir_reg mask = isel_mask(s, cond);
      dead = mir_new_reg(s->p, MIR_SGPR, 2);
      mask_op(s, ISA_S_AND_B64, dead, mask, ISA_EXEC);
   }
   mask_op(s, ISA_S_ANDN2_B64, s->exact, s->exact, dead);
   s->block->last->side_effect = true;
   if (!s->kill_exit)
      s->kill_exit = new_block(s);
   branch(s, ISA_S_CBRANCH_SCC0, s->kill_exit);
   if (inside_divergent(s))
      return;
   /* Outside of divergent code nobody restores EXEC: quads that are all dead
    * need not run on. */
   exec_op(s, s->wqm ? ISA_S_WQM_B64 : ISA_S_MOV_B64, s->exact, ISA_NONE);
}

static bool
is_empty_else(const struct ir_block *b, const struct ir_block *merge)
{
   return !b->first && b->term == IR_TERM_JUMP && b->succ[0] == merge && !(b->succ[0]->first && b->succ[0]->first->op == IR_PHI);
}

static struct isel_frame *
push_frame(struct isel *s)
{
   struct isel_frame *f = &s->frames[s->depth++];
   memset(f, 0, sizeof(*f));
   return f;
}

/* Compares with what the first lane has, which is in then. */
static bool
is_first_lanes(const struct ir_block *b, ir_val cond)
{
   if (cond->op == IR_BAND)
      return is_first_lanes(b, cond->src[0]) && is_first_lanes(b, cond->src[1]);
   for (unsigned i = 0; cond->op == IR_IEQ && i < 2; i++) {
      ir_val first = cond->src[i];
      if (first->op == IR_READFIRST && first->block == b && first->src[0] == cond->src[1 - i])
         return true;
   }
   return false;
}

/* Is there a lane for which the branch's condition holds? */
static bool
never_empty(const struct ir_block *b)
{
   if (!is_first_lanes(b, b->cond))
      return false;
   ir_foreach_inst(b, inst) {
      if (inst->op == IR_KILL_IF)
         return false; /* it may have been that lane */
   }
   return true;
}

static void
begin_if(struct isel *s, struct ir_block *b)
{
   struct ir_block *else_block = b->succ[1];
   struct isel_frame frame = {
      .divergent = b->divergent_cond, .else_block = else_block, .merge = b->merge,
      .else_empty = is_empty_else(else_block, b->merge),
      .else_head = new_block(s), .merge_head = new_block(s),
   };
   struct mir_block *skip = frame.else_empty ? frame.merge_head : frame.else_head;
   if (frame.divergent) {
      frame.mask = isel_mask(s, b->cond);
      frame.save = mir_new_reg(s->p, MIR_SGPR, 2);
      struct mir_inst *m = isel_salu(s, ISA_S_AND_SAVEEXEC_B64, frame.save, 2, isel_reg(frame.mask), isel_reg(ISA_NONE));
      m->side_effect = true;
      if (!never_empty(b))
         branch(s, ISA_S_CBRANCH_EXECZ, skip);
   } else {
      if (s->vals[b->cond->id].scalar_bool) {
         isel_scc(s, b->cond);
      } else {
         mir_reg any = mir_new_reg(s->p, MIR_SGPR, 2);
         mask_op(s, ISA_S_AND_B64, any, isel_mask(s, b->cond), ISA_EXEC);
      }
      branch(s, ISA_S_CBRANCH_SCC0, skip);
   }
   s->frames[s->depth++] = frame;
}

static void
begin_else(struct isel *s, struct isel_frame *f)
{
   f->in_else = true;
   if (f->else_empty)
      return;
   place(s, f->else_head);
   if (!f->divergent)
      return;
   /* The lanes of then are in EXEC still, unless some left a loop: the mask need
    * not be kept. */
   if (f->escapes)
      exec_op(s, ISA_S_ANDN2_B64, f->save, f->mask);
   else
      exec_op(s, ISA_S_XOR_B64, ISA_EXEC, f->save);
   branch(s, ISA_S_CBRANCH_EXECZ, f->merge_head);
   place(s, new_block(s));
}

static struct isel_frame *
innermost_loop(struct isel *s)
{
   for (unsigned i = s->depth; i-- > 0;) {
      if (s->frames[i].is_loop)
         return &s->frames[i];
   }
   return NULL;
}

/* Where the wave goes on when no lane is left at the end of frame `f`: the
 * other lanes of the next divergent `if` around, else the loop's latch. */
static struct mir_block *
next_lanes(struct isel *s, struct isel_frame *f)
{
   while (f-- > s->frames) {
      if (f->is_loop)
         return f->latch;
      if (f->divergent)
         return f->in_else || f->else_empty ? f->merge_head : f->else_head;
   }
   return NULL;
}

/* Where to go on when no lane is left at this place: to the nearest `if` around
 * whose other lanes still wait for their arm or the merge, at last to the
 * latch. `depth`: frames above it are done with. */
static struct mir_block *
next_with_lanes(struct isel *s, unsigned depth)
{
   for (unsigned i = depth; i-- > 0;) {
      struct isel_frame *f = &s->frames[i];
      if (f->is_loop)
         return f->latch;
      if (f->divergent)
         return f->in_else || f->else_empty ? f->merge_head : f->else_head;
   }
   return NULL;
}

/* Remembers a branch that goes to the loop's latch when nobody is left. */
static void
note_early(struct isel *s, struct isel_frame *loop, uint32_t ir_block)
{
   if (loop->num_early < sizeof(loop->early) / sizeof(loop->early[0])) {
      loop->early[loop->num_early].block = s->block;
      loop->early[loop->num_early++].ir_block = ir_block;
   }
}

/* On those branches scalar values of the latch's phis may not exist yet; that
 * nobody reads them there keeps their registers free before. */
void
isel_early_undefs(struct isel *s, struct ir_block *latch, ir_val v)
{
   struct isel_frame *f = s->depth ? &s->frames[s->depth - 1] : NULL;
   if (!f || !f->is_loop || f->loop->latch != latch || !f->divergent || !ir_loop_contains(f->loop, v->block) ||
       v->op == IR_PHI)
      return;
   for (unsigned i = 0; i < f->num_early; i++) {
      if (f->early[i].ir_block >= v->block->index)
         continue;
      for (unsigned k = 0; k < v->comps; k++)
         mir_early_unit(s->p, f->early[i].block, f->latch, mir_unit_id(s->vals[v->id].reg) + k);
   }
}

/* Nothing but the loop's latch follows the `if`; that sets EXEC anew. */
static bool
latch_follows(const struct ir_loop *loop, const struct ir_block *merge)
{
   return !merge->first && merge->term == IR_TERM_JUMP && merge->succ[0] == loop->latch &&
          !(loop->latch->first && loop->latch->first->op == IR_PHI);
}

static void
end_if(struct isel *s, struct isel_frame *f)
{
   place(s, f->merge_head);
   if (f->divergent) {
      struct isel_frame *loop = innermost_loop(s);
      if (f->escapes && loop && latch_follows(loop->loop, f->merge)) {
         s->depth--;
         return;
      }
      if (f->escapes && loop) {
         mir_reg left = loop->active;
         exec_op(s, ISA_S_AND_B64, f->save, left);
         /* Nobody is left here: what follows must not run on scalar values that
          * only live lanes would have set. */
         struct mir_block *next = next_lanes(s, f);
         branch(s, ISA_S_CBRANCH_EXECZ, next);
         if (next == loop->latch)
            note_early(s, loop, f->merge->index - 1);
         s->depth--;
         place(s, new_block(s));
         return;
      }
      exec_op(s, ISA_S_MOV_B64, f->save, ISA_NONE);
   }
   s->depth--;
}

static void
begin_loop(struct isel *s, struct ir_loop *loop)
{
   struct isel_frame *f = push_frame(s);
   f->is_loop = true;
   f->loop = loop;
   f->divergent = loop->divergent;
   f->header = new_block(s);
   f->latch = new_block(s);
   f->exit = new_block(s);
   if (f->divergent) {
      f->save = mir_new_reg(s->p, MIR_SGPR, 2);
      f->active = mir_new_reg(s->p, MIR_SGPR, 2);
      f->cont = mir_new_reg(s->p, MIR_SGPR, 2);
      mask_op(s, ISA_S_MOV_B64, f->save, ISA_EXEC, ISA_NONE);
      mask_op(s, ISA_S_MOV_B64, f->active, ISA_EXEC, ISA_NONE);
   }
}

bool
isel_begin_block(struct isel *s, struct ir_block *b)
{
   struct isel_frame *f = s->depth ? &s->frames[s->depth - 1] : NULL;
   if (b->index == 0) {
      isel_start(s);
   } else if (f && !f->is_loop && b == f->else_block) {
      begin_else(s, f);
      if (f->else_empty)
         return false;
   } else if (f && !f->is_loop && b == f->merge) {
      end_if(s, f);
   } else if (f && f->is_loop && b == f->loop->header) {
      place(s, f->header);
      if (f->divergent && f->loop->continues)
         mask_op(s, ISA_S_MOV_B64, f->cont, ISA_INT_0, ISA_NONE);
   } else if (f && f->is_loop && b == f->loop->latch) {
      place(s, f->latch);
      if (f->divergent)
         exec_op(s, f->loop->continues ? ISA_S_OR_B64 : ISA_S_MOV_B64, f->active,
                 f->loop->continues ? f->cont : ISA_NONE);
   } else if (f && f->is_loop && b == f->loop->exit) {
      s->depth--;
      place(s, f->exit);
      if (f->divergent)
         exec_op(s, ISA_S_MOV_B64, f->save, ISA_NONE);
   } else if (b->reachable) {
      place(s, new_block(s));
   }
   if (b->reachable)
      isel_leave_quads(s, b, NULL);
   return b->reachable;
}

static void
leave_loop(struct isel *s, struct ir_block *b)
{
   struct isel_frame *f = innermost_loop(s);
   bool is_break = b->term == IR_TERM_BREAK;
   if (!f->divergent) {
      branch(s, ISA_S_BRANCH, is_break ? f->exit : f->latch);
      return;
   }
   mask_op(s, ISA_S_ANDN2_B64, f->active, f->active, ISA_EXEC);
   if (!is_break)
      mask_op(s, ISA_S_OR_B64, f->cont, f->cont, ISA_EXEC);
   for (struct isel_frame *in = f + 1; in < &s->frames[s->depth]; in++)
      in->escapes = true;
   /* A divergent `if` around goes on with its other lanes; otherwise all lanes
    * that are here leave together. */
   struct isel_frame *top = &s->frames[s->depth - 1];
   if (top->is_loop || !top->divergent) {
      struct mir_block *next = next_with_lanes(s, s->depth);
      branch(s, ISA_S_BRANCH, next);
      if (next == f->latch)
         note_early(s, f, b->index);
   }
}

static void
end_latch(struct isel *s, struct isel_frame *f)
{
   if (f->divergent) {
      if (f->loop->continues)
         mask_op(s, ISA_S_MOV_B64, f->active, ISA_EXEC, ISA_NONE);
      branch(s, ISA_S_CBRANCH_EXECNZ, f->header);
   } else {
      branch(s, ISA_S_BRANCH, f->header);
   }
}

void
isel_end_block(struct isel *s, struct ir_block *b)
{
   struct isel_frame *f = s->depth ? &s->frames[s->depth - 1] : NULL;
   switch (b->term) {
   case IR_TERM_IF:
      begin_if(s, b);
      break;
   case IR_TERM_JUMP:
      if (f && f->is_loop && b == f->loop->latch)
         end_latch(s, f);
      else if (b->succ[0]->loop && b->succ[0]->loop->header == b->succ[0])
         begin_loop(s, b->succ[0]->loop);
      else if (f && !f->is_loop && !f->divergent && b->succ[0] == f->merge && !f->in_else && !f->else_empty)
         branch(s, ISA_S_BRANCH, f->merge_head);
      break;
   case IR_TERM_BREAK: case IR_TERM_CONTINUE:
      leave_loop(s, b);
      break;
   case IR_TERM_END: {
      struct mir_inst *m = isel_emit(s, ISA_S_ENDPGM, ISA_NONE, 0);
      m->side_effect = true;
      s->ended = true;
      break;
   }
   default:
      ir_error(s->sh, "internal: block without end");
      break;
   }
}
