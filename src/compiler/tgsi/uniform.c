/* SPDX-License-Identifier: MIT */
/* Which computed resource indices may differ between lanes. Only where they
 * may is a loop over the distinct ones needed (waterfall.c). Two parts: a
 * channel of a register that only uniform values are written to, and only where
 * all lanes go, is uniform everywhere (found once, by iterating to a fixed
 * point); and whatever a straight run of instructions in front of the use makes
 * out of uniform values is so at the use (followed in program order, as the front
 * end asks). When in doubt: may differ. */
#include "tr.h"

#define MAX_ROUNDS 16 /* then all that is not made in a straight run may differ */

/* Channels that the straight run wrote, and the uniform ones of them. */
struct local { uint32_t run; uint8_t written, uniform; };

/* What a register was before an instruction; no register: a new run of its file began. */
struct change { uint32_t pc, file, index; struct local before; };
#define NO_REGISTER UINT32_MAX

struct tr_uniform {
   uint8_t *divergent[TGSI_FILE_COUNT]; /* channels, per register of TEMP and ADDR */
   struct local *local[TGSI_FILE_COUNT];
   uint32_t run[TGSI_FILE_COUNT]; /* what was written in an earlier one is forgotten */
   uint32_t last_run;
   uint32_t begin, at;            /* of the run, and the instruction that comes next in it */
   struct change *changes;        /* of the run, for who looked ahead */
   uint32_t num_changes, max_changes;
   bool everything;
   bool changed;
};

static bool
is_control_flow(unsigned opcode)
{
   switch (opcode) {
   case TGSI_OPCODE_IF: case TGSI_OPCODE_UIF: case TGSI_OPCODE_ELSE: case TGSI_OPCODE_ENDIF:
   case TGSI_OPCODE_BGNLOOP: case TGSI_OPCODE_ENDLOOP: case TGSI_OPCODE_BRK: case TGSI_OPCODE_CONT:
   case TGSI_OPCODE_SWITCH: case TGSI_OPCODE_CASE: case TGSI_OPCODE_DEFAULT:
   case TGSI_OPCODE_ENDSWITCH: case TGSI_OPCODE_CAL: case TGSI_OPCODE_RET:
   case TGSI_OPCODE_BGNSUB: case TGSI_OPCODE_ENDSUB:
      return true;
   default:
      return false;
   }
}

/* The destination of STORE is what it stores to, maybe by a handle in a register. */
static unsigned
num_results(const struct tgsi_full_instruction *inst)
{
   return inst->Instruction.Opcode == TGSI_OPCODE_STORE ? 0 : inst->Instruction.NumDstRegs;
}

static bool
sysval_uniform(const struct tr *t, int index)
{
   if (index < 0 || index >= TR_MAX_SYSVALS)
      return false;
   switch (t->scan->sysvals[index].semantic) {
   case TGSI_SEMANTIC_BLOCK_ID: case TGSI_SEMANTIC_GRID_SIZE: case TGSI_SEMANTIC_BLOCK_SIZE:
   case TGSI_SEMANTIC_BASEVERTEX: case TGSI_SEMANTIC_BASEINSTANCE: case TGSI_SEMANTIC_DRAWID:
      return true;
   default:
      return false;
   }
}

/* One channel of a register: in the run so far, or anywhere in the program. */
static bool
reg_uniform(const struct tr *t, unsigned file, int index, unsigned chan, bool in_run)
{
   const struct tr_uniform *u = t->uniform;

   switch (file) {
   case TGSI_FILE_IMMEDIATE: case TGSI_FILE_CONSTANT:
      return true;
   case TGSI_FILE_SYSTEM_VALUE:
      return sysval_uniform(t, index);
   case TGSI_FILE_TEMPORARY: case TGSI_FILE_ADDRESS:
      break;
   default:
      return false;
   }
   if (index < 0 || (uint32_t)index >= t->scan->num_regs[file])
      return false;
   if (!u->everything && !(u->divergent[file][index] & (1u << chan)))
      return true;
   const struct local *l = &u->local[file][index];
   return in_run && l->run == u->run[file] && (l->written & l->uniform & (1u << chan));
}

static bool
ind_uniform(const struct tr *t, const struct tgsi_ind_register *ind, bool in_run)
{
   return reg_uniform(t, ind->File, ind->Index, ind->Swizzle, in_run);
}

static bool
src_uniform(const struct tr *t, const struct tgsi_full_src_register *src, unsigned chan, bool in_run)
{
   if (src->Register.Indirect) {
      const unsigned file = src->Register.File;
      if ((file != TGSI_FILE_CONSTANT && file != TGSI_FILE_IMMEDIATE) || !ind_uniform(t, &src->Indirect, in_run))
         return false;
   }
   if (src->Register.Dimension && src->Dimension.Indirect && !ind_uniform(t, &src->DimIndirect, in_run))
      return false;
   return reg_uniform(t, src->Register.File, src->Register.Index, tr_swizzle(src, chan), in_run);
}

/* Channel `chan` of what an instruction writes. */
static bool
inst_uniform(const struct tr *t, const struct tgsi_full_instruction *inst, unsigned chan, bool in_run)
{
   const unsigned opcode = inst->Instruction.Opcode;
   const struct tgsi_opcode_info *info = tgsi_get_opcode_info(opcode);

   switch (opcode) {
   case TGSI_OPCODE_READ_FIRST: case TGSI_OPCODE_READ_INVOC: case TGSI_OPCODE_BALLOT:
   case TGSI_OPCODE_VOTE_ANY: case TGSI_OPCODE_VOTE_ALL: case TGSI_OPCODE_VOTE_EQ: case TGSI_OPCODE_CLOCK:
      return true;
   case TGSI_OPCODE_LOAD: case TGSI_OPCODE_READ_HELPER: case TGSI_OPCODE_FBFETCH:
      return false;
   default:
      break;
   }
   if (info->is_tex || info->is_store || inst->Instruction.NumSrcRegs == 0)
      return false;
   const bool by_channel = info->output_mode == TGSI_OUTPUT_COMPONENTWISE &&
                           !tgsi_type_is_64bit(tgsi_opcode_infer_dst_type(opcode, 0)) &&
                           !tgsi_type_is_64bit(tgsi_opcode_infer_src_type(opcode, 0));
   for (unsigned i = 0; i < inst->Instruction.NumSrcRegs; i++) {
      for (unsigned c = by_channel ? chan : 0; c < (by_channel ? chan + 1 : 4); c++) {
         if (!src_uniform(t, &inst->Src[i], c, in_run))
            return false;
      }
   }
   return true;
}

static void
mark(struct tr *t, unsigned file, uint32_t index, unsigned chans)
{
   uint8_t *d = &t->uniform->divergent[file][index];

   if (chans & ~*d) {
      *d |= chans;
      t->uniform->changed = true;
   }
}

static void
visit_write(struct tr *t, const struct tgsi_full_instruction *inst, bool region_divergent)
{
   for (unsigned d = 0; d < num_results(inst); d++) {
      const struct tgsi_dst_register *dst = &inst->Dst[d].Register;
      if (dst->File != TGSI_FILE_TEMPORARY && dst->File != TGSI_FILE_ADDRESS)
         continue;
      if (dst->Indirect) {
         for (uint32_t i = 0; i < t->scan->num_regs[dst->File]; i++)
            mark(t, dst->File, i, 0xf);
         continue;
      }
      if (dst->Index < 0 || (uint32_t)dst->Index >= t->scan->num_regs[dst->File])
         continue;
      for (unsigned c = 0; c < 4; c++) {
         if ((dst->WriteMask & (1u << c)) && (region_divergent || !inst_uniform(t, inst, c, false)))
            mark(t, dst->File, dst->Index, 1u << c);
      }
   }
}

/* Does the loop or SWITCH that starts at pc have an exit that not all lanes take? */
static bool
leaves_divergently(const struct tr *t, uint32_t pc)
{
   bool divergent[IR_MAX_NESTING];
   unsigned depth = 0, loops = 0, splits = 0;

   for (uint32_t i = pc + 1; i < t->scan->num_insts; i++) {
      const struct tgsi_full_instruction *inst = &t->scan->insts[i];
      switch (inst->Instruction.Opcode) {
      case TGSI_OPCODE_IF: case TGSI_OPCODE_UIF:
         if (depth == IR_MAX_NESTING)
            return true;
         divergent[depth] = !src_uniform(t, &inst->Src[0], 0, false);
         splits += divergent[depth++];
         break;
      case TGSI_OPCODE_ENDIF:
         if (!depth)
            return true;
         splits -= divergent[--depth];
         break;
      case TGSI_OPCODE_SWITCH:
         if (!src_uniform(t, &inst->Src[0], 0, false))
            return true;
         loops++;
         break;
      case TGSI_OPCODE_BGNLOOP:
         loops++;
         break;
      case TGSI_OPCODE_ENDLOOP: case TGSI_OPCODE_ENDSWITCH:
         if (loops-- == 0)
            return false;
         break;
      case TGSI_OPCODE_BRK: case TGSI_OPCODE_CONT:
         /* CONT in a SWITCH belongs to a loop around: any counts. */
         if (splits)
            return true;
         break;
      }
   }
   return true;
}

static void
visit_program(struct tr *t)
{
   bool divergent[2 * IR_MAX_NESTING];
   unsigned depth = 0, splits = 0;

   for (uint32_t pc = 0; pc < t->scan->num_insts; pc++) {
      const struct tgsi_full_instruction *inst = &t->scan->insts[pc];
      switch (inst->Instruction.Opcode) {
      case TGSI_OPCODE_IF: case TGSI_OPCODE_UIF: case TGSI_OPCODE_BGNLOOP: case TGSI_OPCODE_SWITCH:
         if (depth == 2 * IR_MAX_NESTING) {
            t->uniform->everything = true;
            return;
         }
         if (inst->Instruction.Opcode == TGSI_OPCODE_BGNLOOP)
            divergent[depth] = leaves_divergently(t, pc);
         else if (inst->Instruction.Opcode == TGSI_OPCODE_SWITCH)
            divergent[depth] = !src_uniform(t, &inst->Src[0], 0, false) || leaves_divergently(t, pc);
         else
            divergent[depth] = !src_uniform(t, &inst->Src[0], 0, false);
         splits += divergent[depth++];
         break;
      case TGSI_OPCODE_ENDIF: case TGSI_OPCODE_ENDLOOP: case TGSI_OPCODE_ENDSWITCH:
         if (depth)
            splits -= divergent[--depth];
         break;
      case TGSI_OPCODE_CAL:
         t->uniform->everything = true;
         return;
      case TGSI_OPCODE_RET:
         if (splits) {
            t->uniform->everything = true;
            return;
         }
         break;
      default:
         visit_write(t, inst, splits);
         break;
      }
   }
}

static void
analyse(struct tr *t)
{
   static const unsigned files[] = { TGSI_FILE_TEMPORARY, TGSI_FILE_ADDRESS };
   struct tr_uniform *u = ir_alloc(t->sh, sizeof(*u));

   t->uniform = u;
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t num = t->scan->num_regs[files[i]] + 1;
      u->divergent[files[i]] = ir_alloc(t->sh, num);
      u->local[files[i]] = ir_alloc(t->sh, num * sizeof(*u->local[0]));
      u->run[files[i]] = u->last_run = 1;
   }
   unsigned rounds = 0;
   do {
      u->changed = false;
      visit_program(t);
      u->everything |= ++rounds == MAX_ROUNDS;
   } while (u->changed && !u->everything);
}

static void
note_change(struct tr *t, unsigned file, uint32_t index, struct local before)
{
   struct tr_uniform *u = t->uniform;

   if (u->num_changes == u->max_changes) {
      struct change *old = u->changes;
      u->max_changes = 2 * u->max_changes + 64;
      u->changes = ir_alloc(t->sh, u->max_changes * sizeof(*u->changes));
      if (old)
         memcpy(u->changes, old, u->num_changes * sizeof(*old));
   }
   u->changes[u->num_changes++] = (struct change){ u->at, file, index, before };
}

static void
write_local(struct tr *t, const struct tgsi_full_instruction *inst)
{
   struct tr_uniform *u = t->uniform;
   uint8_t uniform = 0;

   for (unsigned c = 0; c < 4; c++)
      uniform |= inst_uniform(t, inst, c, true) << c;
   for (unsigned d = 0; d < num_results(inst); d++) {
      const struct tgsi_dst_register *dst = &inst->Dst[d].Register;
      if (dst->File != TGSI_FILE_TEMPORARY && dst->File != TGSI_FILE_ADDRESS)
         continue;
      if (dst->Indirect) {
         note_change(t, dst->File, NO_REGISTER, (struct local){ .run = u->run[dst->File] });
         u->run[dst->File] = ++u->last_run;
         continue;
      }
      if (dst->Index < 0 || (uint32_t)dst->Index >= t->scan->num_regs[dst->File])
         continue;
      struct local *l = &u->local[dst->File][dst->Index];
      note_change(t, dst->File, dst->Index, *l);
      if (l->run != u->run[dst->File])
         *l = (struct local){ .run = u->run[dst->File] };
      l->written |= dst->WriteMask;
      l->uniform = (l->uniform & ~dst->WriteMask) | (uniform & dst->WriteMask);
   }
}

static void
take_back(struct tr_uniform *u, uint32_t pc)
{
   for (; u->num_changes && u->changes[u->num_changes - 1].pc >= pc; u->num_changes--) {
      const struct change *c = &u->changes[u->num_changes - 1];
      if (c->index == NO_REGISTER)
         u->run[c->file] = c->before.run;
      else
         u->local[c->file][c->index] = c->before;
   }
   u->at = pc;
}

/* To the instruction that the front end is at, which may have looked ahead, or be
 * in a subroutine. */
static void
follow(struct tr *t)
{
   if (!t->uniform)
      analyse(t);
   struct tr_uniform *u = t->uniform;
   if (t->pc >= u->begin && t->pc < u->at)
      take_back(u, t->pc);
   uint32_t begin = t->pc;
   while (begin && begin != u->at && !is_control_flow(t->scan->insts[begin - 1].Instruction.Opcode))
      begin--;
   if (begin != u->at) {
      u->begin = u->at = begin;
      u->num_changes = 0;
      u->run[TGSI_FILE_TEMPORARY] = ++u->last_run;
      u->run[TGSI_FILE_ADDRESS] = u->last_run;
   }
   for (; u->at < t->pc; u->at++)
      write_local(t, &t->scan->insts[u->at]);
}

bool
tr_index_uniform(struct tr *t, const struct tgsi_ind_register *ind)
{
   follow(t);
   return ind_uniform(t, ind, true);
}

bool
tr_handle_uniform(struct tr *t, const struct tgsi_full_src_register *src)
{
   follow(t);
   return src_uniform(t, src, 0, true) && src_uniform(t, src, 1, true);
}

bool
tr_dst_handle_uniform(struct tr *t)
{
   const struct tgsi_dst_register *dst = &t->inst->Dst[0].Register;

   follow(t);
   return reg_uniform(t, dst->File, dst->Index, 0, true) && reg_uniform(t, dst->File, dst->Index, 1, true);
}
