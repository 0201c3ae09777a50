/* SPDX-License-Identifier: MIT */
/* Constant buffers, tables of immediates; the index of a resource. */
#include "tr.h"

/* A resource index that is computed, in a scalar register. Where it may differ
 * between lanes, waterfall.c has taken one of the distinct ones. Clamped to what
 * the program declares, since what lies behind is somebody else's memory. */
ir_val
tr_uniform_index(struct tr *t, int base, const struct tgsi_ind_register *ind, unsigned limit)
{
   ir_val index = tr_chosen_index(t, ind);
   if (!index)
      index = tr_address(t, ind);
   if (base)
      index = ir_iadd(B(t), index, ir_imm(B(t), base));
   index = ir_op1(B(t), IR_READFIRST, index);
   return ir_umin(B(t), index, ir_imm(B(t), limit - 1));
}

static ir_val
const_desc(struct tr *t, const struct tgsi_full_src_register *src)
{
   const int buf = src->Register.Dimension ? src->Dimension.Index : 0;

   if (src->Register.Dimension && src->Dimension.Indirect) {
      unsigned num = MAX2(util_last_bit(t->sh->info.const_buffers), 1);
      ir_val index = tr_uniform_index(t, buf, &src->DimIndirect, num);
      return ir_load_desc(B(t), IR_LIST_BUFFERS, 4, ir_shl(B(t), index, ir_imm(B(t), 4)),
                          TGSIAMD_CONST_BUFFER_OFFSET(0));
   }
   if (buf < 0 || buf >= TGSIAMD_MAX_CONST_BUFFERS) {
      tr_error(t, "constant buffer %d is beyond the limit of %u", buf,
               TGSIAMD_MAX_CONST_BUFFERS);
      return NULL;
   }
   return ir_load_desc(B(t), IR_LIST_BUFFERS, 4, NULL, TGSIAMD_CONST_BUFFER_OFFSET(buf));
}

/* First channel and number of dwords (1, 2 or 4) that one load covers. All
 * direct reads of a register load the same dwords, so that they become one
 * load; reads that have nothing in common with others stay small. */
static unsigned
load_range(unsigned mask, unsigned chan, unsigned *first)
{
   if (!mask)
      mask = 1u << chan;
   unsigned lo = ffs(mask) - 1, n = util_last_bit(mask) - lo;
   if (n > 2) {
      lo = 0;
      n = 4;
   }
   *first = lo;
   return n;
}

ir_val
tr_const(struct tr *t, const struct tgsi_full_src_register *src, unsigned chan)
{
   const unsigned swz = tr_swizzle(src, chan);
   const int buf = src->Register.Dimension ? src->Dimension.Index : 0;
   const int index = src->Register.Index;
   unsigned mask = 0, first, n;
   ir_val offset = NULL;

   ir_val desc = const_desc(t, src);
   if (!desc)
      return ir_imm(B(t), 0);

   if (src->Register.Indirect) {
      ir_val addr = tr_address(t, &src->Indirect);
      /* The register's index is added here and not by the instruction's own
       * offset: the address may be negative, and the hardware does not wrap. */
      offset = ir_shl(B(t), addr, ir_imm(B(t), 4));
      if (index)
         offset = ir_iadd(B(t), offset, ir_imm(B(t), (uint32_t)index * 16));
      for (unsigned c = 0; c < 4; c++)
         mask |= 1u << tr_swizzle(src, c);
   } else if (index < 0) {
      tr_error(t, "CONST[%d]", index);
      return ir_imm(B(t), 0);
   } else if (!(src->Register.Dimension && src->Dimension.Indirect) &&
              (uint32_t)index < t->scan->num_consts[buf]) {
      mask = t->scan->const_mask[buf][index];
   } else {
      for (unsigned c = 0; c < 4; c++)
         mask |= 1u << tr_swizzle(src, c);
   }
   n = load_range(mask | 1u << swz, swz, &first);
   return ir_extract(B(t), ir_load_const(B(t), desc, offset, (offset ? 0 : index * 16) + first * 4, n),
                     swz - first);
}

/* IMM with a computed index: the immediates lie in a table behind the code. */
ir_val
tr_immediate_at(struct tr *t, const struct tgsi_full_src_register *src, unsigned chan)
{
   const struct tr_scan *s = t->scan;
   const unsigned swz = tr_swizzle(src, chan);
   unsigned mask = 0, first, n;

   if (!s->num_imms) {
      tr_error(t, "IMM[ADDR%+d]: there are no immediates", src->Register.Index);
      return ir_imm(B(t), 0);
   }
   if (!t->imms_in_table) {
      t->imms_at = ir_add_to_table(t->sh, s->imms[0], s->num_imms * 4);
      t->imms_in_table = true;
   }
   for (unsigned c = 0; c < 4; c++)
      mask |= 1u << tr_swizzle(src, c);
   n = load_range(mask, swz, &first);
   ir_val offset = ir_shl(B(t), tr_address(t, &src->Indirect), ir_imm(B(t), 4));
   const uint32_t base = (uint32_t)src->Register.Index * 16 + t->imms_at * 4;
   if (base)
      offset = ir_iadd(B(t), offset, ir_imm(B(t), base));
   return ir_extract(B(t), ir_load_const(B(t), ir_table(B(t)), offset, first * 4, n), swz - first);
}
