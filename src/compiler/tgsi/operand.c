/* SPDX-License-Identifier: MIT */
/* Sources and destinations of an instruction: register, swizzle, modifiers,
 * write mask, saturation, indirect addresses. */
#include "tr.h"

/* The value that an indirect operand adds to its index. */
ir_val
tr_address(struct tr *t, const struct tgsi_ind_register *ind)
{
   return tr_fetch(t, ind->File, ind->Index, ind->Swizzle);
}

static ir_val
zero(struct tr *t)
{
   return ir_imm(B(t), 0);
}

/* One channel of a register that is named directly. */
ir_val
tr_fetch(struct tr *t, unsigned file, int index, unsigned chan)
{
   const struct tr_scan *s = t->scan;

   switch (file) {
   case TGSI_FILE_TEMPORARY:
      return tr_file_load(t, &t->temps, file, index, NULL, 0, chan);
   case TGSI_FILE_OUTPUT:
      return tr_file_load(t, &t->outputs, file, index, NULL, 0, chan);
   case TGSI_FILE_ADDRESS:
      return tr_file_load(t, &t->addrs, file, index, NULL, 0, chan);
   case TGSI_FILE_INPUT:
      return tr_input(t, index, chan);
   case TGSI_FILE_SYSTEM_VALUE:
      return tr_sysval(t, index, chan);
   case TGSI_FILE_IMMEDIATE:
      if (index < 0 || (uint32_t)index >= s->num_imms) {
         tr_error(t, "IMM[%d] is not declared", index);
         return zero(t);
      }
      return ir_imm(B(t), s->imms[index][chan]);
   case TGSI_FILE_CONSTANT: {
      struct tgsi_full_src_register src = {
         .Register = { .File = file, .Index = index, .SwizzleX = chan, .SwizzleY = chan,
                       .SwizzleZ = chan, .SwizzleW = chan },
      };
      return tr_const(t, &src, 0);
   }
   default:
      tr_error(t, "a register of file %s cannot be read as a value", tgsi_file_name(file));
      return zero(t);
   }
}

ir_val
tr_src_raw(struct tr *t, unsigned n, unsigned chan)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[n];
   const unsigned file = src->Register.File;
   const unsigned swz = tr_swizzle(src, chan);

   if (file == TGSI_FILE_CONSTANT)
      return tr_const(t, src, chan);
   if (!src->Register.Dimension && !src->Register.Indirect)
      return tr_fetch(t, file, src->Register.Index, swz);
   if (src->Register.Dimension && file == TGSI_FILE_INPUT && t->stage == TGSIAMD_GS)
      return tr_gs_input(t, src, swz);
   if (src->Register.Dimension) {
      tr_error(t, "two-dimensional operand of file %s", tgsi_file_name(file));
      return zero(t);
   }
   if (src->Register.Indirect && file == TGSI_FILE_IMMEDIATE)
      return tr_immediate_at(t, src, chan);

   ir_val addr = tr_address(t, &src->Indirect);
   switch (file) {
   case TGSI_FILE_TEMPORARY:
      return tr_file_load(t, &t->temps, file, src->Register.Index, addr, src->Indirect.ArrayID,
                          swz);
   case TGSI_FILE_OUTPUT:
      return tr_file_load(t, &t->outputs, file, src->Register.Index, addr,
                          src->Indirect.ArrayID, swz);
   case TGSI_FILE_ADDRESS:
      return tr_file_load(t, &t->addrs, file, src->Register.Index, addr, src->Indirect.ArrayID,
                          swz);
   case TGSI_FILE_INPUT:
      return tr_file_load(t, &t->inputs, file, src->Register.Index, addr, src->Indirect.ArrayID,
                          swz);
   case TGSI_FILE_SYSTEM_VALUE:
      return tr_sysval_at(t, src->Register.Index, addr, swz);
   default:
      tr_error(t, "indirect operand of file %s", tgsi_file_name(file));
      return zero(t);
   }
}

ir_val
tr_src_as(struct tr *t, unsigned n, unsigned chan, enum tgsi_opcode_type type)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[n];
   ir_val v = tr_src_raw(t, n, chan);

   if (!src->Register.Absolute && !src->Register.Negate)
      return v;
   if (type == TGSI_TYPE_FLOAT || type == TGSI_TYPE_UNTYPED) {
      if (src->Register.Absolute)
         v = ir_fabs(B(t), v);
      if (src->Register.Negate)
         v = ir_fneg(B(t), v);
   } else {
      if (src->Register.Absolute)
         v = ir_op1(B(t), IR_IABS, v);
      if (src->Register.Negate)
         v = ir_ineg(B(t), v);
   }
   return v;
}

ir_val
tr_src(struct tr *t, unsigned n, unsigned chan)
{
   const struct tgsi_src_register *src = &t->inst->Src[n].Register;

   if (!src->Absolute && !src->Negate)
      return tr_src_raw(t, n, chan);
   return tr_src_as(t, n, chan, tgsi_opcode_infer_src_type(t->inst->Instruction.Opcode, n));
}

/* x or -x as 64 bits: m is 0 or ~0. */
static void
negate64_if(struct tr *t, ir_val x[2], ir_val m)
{
   ir_val flipped[2] = { ir_ixor(B(t), x[0], m), ir_ixor(B(t), x[1], m) }, mm[2] = { m, m };
   ir_val r = ir_op64(B(t), IR_ISUB64, ir_vec(B(t), 2, flipped), ir_vec(B(t), 2, mm), NULL);

   x[0] = ir_extract(B(t), r, 0);
   x[1] = ir_extract(B(t), r, 1);
}

/* A 64-bit operand: pair 0 stands in .xy, pair 1 in .zw, low dword first. */
ir_val
tr_src64(struct tr *t, unsigned n, unsigned pair)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[n];
   const enum tgsi_opcode_type type =
      tgsi_opcode_infer_src_type(t->inst->Instruction.Opcode, n);
   ir_val v[2] = { tr_src_raw(t, n, pair * 2), tr_src_raw(t, n, pair * 2 + 1) };

   if (type == TGSI_TYPE_DOUBLE) {
      if (src->Register.Absolute)
         v[1] = ir_iand(B(t), v[1], ir_imm(B(t), 0x7fffffff));
      if (src->Register.Negate)
         v[1] = ir_ixor(B(t), v[1], ir_imm(B(t), 0x80000000));
   } else {
      if (src->Register.Absolute)
         negate64_if(t, v, ir_ashr(B(t), v[1], ir_imm(B(t), 31)));
      if (src->Register.Negate)
         negate64_if(t, v, ir_imm(B(t), ~0u));
   }
   return ir_vec(B(t), 2, v);
}

bool
tr_src_immediate(struct tr *t, unsigned n, unsigned chan, uint32_t *value)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[n];
   int index = src->Register.Index;

   if (src->Register.File != TGSI_FILE_IMMEDIATE || src->Register.Indirect || index < 0 ||
       (uint32_t)index >= t->scan->num_imms)
      return false;
   *value = t->scan->imms[index][tr_swizzle(src, chan)];
   return true;
}

/* Saturation of one dword at a time; tr_dst64 does that of doubles. */
static bool
saturates(const struct tr *t)
{
   return t->inst->Instruction.Saturate &&
          !tgsi_type_is_64bit(tgsi_opcode_infer_dst_type(t->inst->Instruction.Opcode, 0));
}

void
tr_dst_n(struct tr *t, unsigned n, ir_val vals[4])
{
   const struct tgsi_full_dst_register *dst = &t->inst->Dst[n];
   const unsigned file = dst->Register.File;
   struct tr_file *f;

   if (t->waterfall.capture) {
      tr_capture(t, vals);
      return;
   }
   switch (file) {
   case TGSI_FILE_NULL:
      return;
   case TGSI_FILE_TEMPORARY:
      f = &t->temps;
      break;
   case TGSI_FILE_OUTPUT:
      f = &t->outputs;
      break;
   case TGSI_FILE_ADDRESS:
      f = &t->addrs;
      break;
   default:
      tr_error(t, "a register of file %s cannot be written", tgsi_file_name(file));
      return;
   }
   if (dst->Register.Dimension) {
      tr_error(t, "two-dimensional destination of file %s", tgsi_file_name(file));
      return;
   }

   ir_val addr = dst->Register.Indirect ? tr_address(t, &dst->Indirect) : NULL;
   const unsigned mask = dst->Register.WriteMask;
   const bool saturate = saturates(t);
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask & (1u << c)))
         continue;
      ir_val v = vals[c];
      if (saturate)
         v = ir_fsat(B(t), v);
      tr_file_store(t, f, file, dst->Register.Index, addr, dst->Indirect.ArrayID, c, v);
   }
}

void
tr_dst(struct tr *t, ir_val vals[4])
{
   tr_dst_n(t, 0, vals);
}

void
tr_dst_all(struct tr *t, ir_val value)
{
   ir_val vals[4] = { value, value, value, value };
   tr_dst_n(t, 0, vals);
}

void
tr_dst64(struct tr *t, ir_val pairs[2])
{
   ir_val vals[4] = { NULL };

   for (unsigned p = 0; p < 2; p++) {
      ir_val v = pairs[p];
      if (!v)
         continue;
      if (t->inst->Instruction.Saturate) {
         ir_val limits[2] = { zero(t), ir_imm(B(t), 0x3ff00000) }; /* 1.0 */
         ir_val zeros[2] = { zero(t), zero(t) };
         v = ir_op64(B(t), IR_DMAX, v, ir_vec(B(t), 2, zeros), NULL);
         v = ir_op64(B(t), IR_DMIN, v, ir_vec(B(t), 2, limits), NULL);
      }
      vals[p * 2] = ir_extract(B(t), v, 0);
      vals[p * 2 + 1] = ir_extract(B(t), v, 1);
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!vals[c])
         vals[c] = zero(t);
   }
   tr_dst_n(t, 0, vals);
}
