/* SPDX-License-Identifier: MIT */
/* Which computed resource indices may differ between lanes. Only where they
 * may is a loop over the distinct ones needed (waterfall.c). Two parts: a
 * channel of a register that only uniform values are written to, and only where
 * all lanes go, is uniform everywhere (found once, by iterating to a fixed
 * point); and whatever a straight run of instructions in front of the use makes
 * out of uniform values is so at the use. When in doubt: may differ. */
#include "tr.h"

#define MAX_LOOK_BACK 16

struct tr_uniform {
   uint8_t *divergent[TGSI_FILE_COUNT]; /* channels, per register of TEMP and ADDR */
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

static bool inst_uniform(const struct tr *t, const struct tgsi_full_instruction *inst, uint32_t pc,
                         unsigned chan, bool look_back, unsigned depth);

/* One channel of a register as instruction pc reads it. */
static bool
reg_uniform(const struct tr *t, unsigned file, int index, unsigned chan, uint32_t pc, bool look_back,
            unsigned depth)
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
   for (uint32_t i = pc; look_back && depth < MAX_LOOK_BACK && i-- > 0;) {
      const struct tgsi_full_instruction *inst = &t->scan->insts[i];
      if (is_control_flow(inst->Instruction.Opcode))
         return false;
      for (unsigned d = 0; d < num_results(inst); d++) {
         const struct tgsi_dst_register *dst = &inst->Dst[d].Register;
         if (dst->File != file)
            continue;
         if (dst->Indirect)
            return false;
         if (dst->Index == index && (dst->WriteMask & (1u << chan)))
            return inst_uniform(t, inst, i, chan, true, depth + 1);
      }
   }
   return false;
}

static bool
ind_uniform(const struct tr *t, const struct tgsi_ind_register *ind, uint32_t pc, bool look_back, unsigned depth)
{
   return reg_uniform(t, ind->File, ind->Index, ind->Swizzle, pc, look_back, depth);
}

static bool
src_uniform(const struct tr *t, const struct tgsi_full_src_register *src, uint32_t pc, unsigned chan, bool look_back,
            unsigned depth)
{
   if (src->Register.Indirect) {
      const unsigned file = src->Register.File;
      if ((file != TGSI_FILE_CONSTANT && file != TGSI_FILE_IMMEDIATE) || !ind_uniform(t, &src->Indirect, pc, look_back, depth))
         return false;
   }
   if (src->Register.Dimension && src->Dimension.Indirect &&
       !ind_uniform(t, &src->DimIndirect, pc, look_back, depth))
      return false;
   return reg_uniform(t, src->Register.File, src->Register.Index, tr_swizzle(src, chan), pc, look_back, depth);
}

/* Channel `chan` of what an instruction writes. */
static bool
inst_uniform(const struct tr *t, const struct tgsi_full_instruction *inst, uint32_t pc, unsigned chan,
             bool look_back, unsigned depth)
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
         if (!src_uniform(t, &inst->Src[i], pc, c, look_back, depth))
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
visit_write(struct tr *t, const struct tgsi_full_instruction *inst, uint32_t pc, bool region_divergent)
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
         if ((dst->WriteMask & (1u << c)) && (region_divergent || !inst_uniform(t, inst, pc, c, false, 0)))
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
         divergent[depth] = !src_uniform(t, &inst->Src[0], i, 0, false, 0);
         splits += divergent[depth++];
         break;
      case TGSI_OPCODE_ENDIF:
         if (!depth)
            return true;
         splits -= divergent[--depth];
         break;
      case TGSI_OPCODE_SWITCH:
         if (!src_uniform(t, &inst->Src[0], i, 0, false, 0))
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
            divergent[depth] = !src_uniform(t, &inst->Src[0], pc, 0, false, 0) || leaves_divergently(t, pc);
         else
            divergent[depth] = !src_uniform(t, &inst->Src[0], pc, 0, false, 0);
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
         visit_write(t, inst, pc, splits);
         break;
      }
   }
}

static void
analyse(struct tr *t)
{
   struct tr_uniform *u = ir_alloc(t->sh, sizeof(*u));

   t->uniform = u;
   u->divergent[TGSI_FILE_TEMPORARY] = ir_alloc(t->sh, t->scan->num_regs[TGSI_FILE_TEMPORARY] + 1);
   u->divergent[TGSI_FILE_ADDRESS] = ir_alloc(t->sh, t->scan->num_regs[TGSI_FILE_ADDRESS] + 1);
   do {
      u->changed = false;
      visit_program(t);
   } while (u->changed && !u->everything);
}

bool
tr_index_uniform(struct tr *t, const struct tgsi_ind_register *ind)
{
   if (!t->uniform)
      analyse(t);
   return ind_uniform(t, ind, t->pc, true, 0);
}

bool
tr_handle_uniform(struct tr *t, const struct tgsi_full_src_register *src)
{
   if (!t->uniform)
      analyse(t);
   return src_uniform(t, src, t->pc, 0, true, 0) && src_uniform(t, src, t->pc, 1, true, 0);
}

bool
tr_dst_handle_uniform(struct tr *t)
{
   const struct tgsi_dst_register *dst = &t->inst->Dst[0].Register;

   if (!t->uniform)
      analyse(t);
   return reg_uniform(t, dst->File, dst->Index, 0, t->pc, true, 0) &&
          reg_uniform(t, dst->File, dst->Index, 1, t->pc, true, 0);
}
