/* SPDX-License-Identifier: MIT */
/* Vector ALU instructions in LLVM's syntax: modifiers, SDWA, DPP, halves. */
#include "print_internal.h"

/* LLVM names halves on GFX11; on GFX12 it still writes whole registers, with
 * op_sel behind. */
static bool names_halves(enum tgsiamd_gfx gfx)
{
   return gfx == TGSIAMD_GFX11;
}

/* The half of a 16-bit VGPR operand on GFX11 and later. */
void isa_print_half(struct printer *p, unsigned operand, unsigned index)
{
   if (operand >= 256 && operand < 512 && isa_is_half(p->gfx, p->inst, index) &&
       (names_halves(p->gfx) || (p->inst->op_sel >> index & 1 && p->inst->enc <= ISA_ENC_VOPC)))
      isa_puts(p, p->inst->op_sel >> index & 1 ? ".h" : ".l");
}

static void print_valu_source(struct printer *p, unsigned n)
{
   const struct isa_inst *inst = p->inst;
   unsigned operand = inst->src[n];
   bool packed = inst->enc == ISA_ENC_VOP3P && !isa_is_mix(inst->op);
   bool neg = !packed && inst->neg >> n & 1;
   bool abs = !packed && (inst->enc == ISA_ENC_VOP3P ? inst->neg_hi >> n & 1 : inst->abs >> n & 1);
   bool sext = inst->form == ISA_FORM_SDWA && n < 2 && inst->sdwa_sext >> n & 1;
   bool paren = neg && operand < 256 && operand >= 128 && operand != ISA_LITERAL &&
                !(operand >= 235 && operand <= 239) && operand < 249;

   if (operand == ISA_NONE)
      return;
   isa_separator(p);
   if (sext)
      isa_puts(p, "sext(");
   if (neg)
      isa_puts(p, paren ? "neg(" : "-");
   if (abs)
      isa_puts(p, "|");
   isa_print_operand(p, operand, isa_src_dwords(p->gfx, inst, n), p->info->src_type[n]);
   isa_print_half(p, operand, n);
   if (abs)
      isa_puts(p, "|");
   if (paren)
      isa_puts(p, ")");
   if (sext)
      isa_puts(p, ")");
}

static void print_bit_list(struct printer *p, const char *name, unsigned mask, unsigned num)
{
   isa_printf(p, " %s:[", name);
   for (unsigned i = 0; i < num; i++)
      isa_printf(p, "%s%u", i ? "," : "", mask >> i & 1);
   isa_puts(p, "]");
}

static void print_out_mods(struct printer *p)
{
   static const char *const omods[] = {"", " mul:2", " mul:4", " div:2"};
   if (p->inst->clamp)
      isa_puts(p, " clamp");
   isa_puts(p, omods[p->inst->omod & 3]);
}

static void print_sdwa(struct printer *p)
{
   static const char *const sel[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?"};
   static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?"};
   const struct isa_inst *inst = p->inst;
   print_out_mods(p);
   if (inst->op == ISA_V_NOP || inst->op == ISA_V_CLREXCP)
      return;
   if (inst->enc != ISA_ENC_VOPC && !isa_sdwa_whole_dst(inst->op))
      isa_printf(p, " dst_sel:%s dst_unused:%s", sel[inst->sdwa_dst_sel & 7], unused[inst->sdwa_dst_unused & 3]);
   isa_printf(p, " src0_sel:%s", sel[inst->sdwa_sel[0] & 7]);
   if (inst->enc != ISA_ENC_VOP1)
      isa_printf(p, " src1_sel:%s", sel[inst->sdwa_sel[1] & 7]);
}

static void print_dpp_ctrl(struct printer *p, unsigned ctrl)
{
   bool gfx10 = p->gfx >= TGSIAMD_GFX10;
   unsigned n = ctrl & 15;
   if (ctrl < 0x100)
      isa_printf(p, " quad_perm:[%u,%u,%u,%u]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6);
   else if (ctrl > 0x100 && ctrl < 0x110)
      isa_printf(p, " row_shl:%u", n);
   else if (ctrl > 0x110 && ctrl < 0x120)
      isa_printf(p, " row_shr:%u", n);
   else if (ctrl > 0x120 && ctrl < 0x130)
      isa_printf(p, " row_ror:%u", n);
   else if (ctrl == 0x140)
      isa_puts(p, " row_mirror");
   else if (ctrl == 0x141)
      isa_puts(p, " row_half_mirror");
   else if (!gfx10 && ctrl == 0x130)
      isa_puts(p, " wave_shl:1");
   else if (!gfx10 && ctrl == 0x134)
      isa_puts(p, " wave_rol:1");
   else if (!gfx10 && ctrl == 0x138)
      isa_puts(p, " wave_shr:1");
   else if (!gfx10 && ctrl == 0x13c)
      isa_puts(p, " wave_ror:1");
   else if (!gfx10 && ctrl == 0x142)
      isa_puts(p, " row_bcast:15");
   else if (!gfx10 && ctrl == 0x143)
      isa_puts(p, " row_bcast:31");
   else if (ctrl >= 0x150 && ctrl < 0x160 && (gfx10 || isa_even_vgprs(p->gfx)))
      isa_printf(p, gfx10 ? " row_share:%u" : " row_newbcast:%u", n);
   else if (gfx10 && ctrl >= 0x160 && ctrl < 0x170)
      isa_printf(p, " row_xmask:%u", n);
   else
      isa_puts(p, " /* unknown dpp_ctrl */");
}

static void print_dpp(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   if (inst->form == ISA_FORM_DPP8) {
      isa_puts(p, " dpp8:[");
      for (unsigned i = 0; i < 8; i++)
         isa_printf(p, "%s%u", i ? "," : "", inst->dpp8_sel[i]);
      isa_puts(p, "]");
   } else {
      print_dpp_ctrl(p, inst->dpp_ctrl);
      isa_printf(p, " row_mask:0x%x bank_mask:0x%x", inst->dpp_row_mask, inst->dpp_bank_mask);
      if (inst->dpp_bound_ctrl)
         isa_puts(p, " bound_ctrl:1");
   }
   if (inst->dpp_fi)
      isa_puts(p, " fi:1");
}

static void print_interp(struct printer *p)
{
   static const char *const params[] = {"p10", "p20", "p0"};
   isa_print_dst(p);
   if (p->inst->op == ISA_V_INTERP_MOV_F32) {
      isa_separator(p);
      isa_puts(p, params[p->inst->src[0] % 3]);
   } else {
      print_valu_source(p, 0);
   }
   isa_print_attr(p);
   if (p->inst->enc == ISA_ENC_VOP3) {
      print_valu_source(p, 1);
      if (p->inst->op_sel & 1)
         isa_puts(p, " high");
      print_out_mods(p);
   }
}

/* op_sel is printed as a list unless the operands show their halves. */
static bool op_sel_shown(const struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   unsigned left = inst->op_sel;
   /* LLVM shows both for ops that have no short form. */
   if (isa_op_enc[p->gfx][inst->op] == ISA_ENC_VOP3 || !names_halves(p->gfx))
      return left != 0 && inst->enc >= ISA_ENC_VOP3;
   for (unsigned i = 0; i < 3; i++) {
      if (isa_is_half(p->gfx, inst, i) && isa_is_vgpr(inst->src[i]))
         left &= ~(1u << i);
   }
   if (isa_is_half(p->gfx, inst, 3))
      left &= ~8u;
   return left != 0;
}

static void print_matrix_controls(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   for (unsigned i = 0; i < 2 && inst->scale[0]; i++) {
      isa_separator(p);
      isa_print_operand(p, inst->scale[i], 1, ISA_TYPE_B);
   }
   if (inst->scale[0] && inst->op_sel)
      print_bit_list(p, "op_sel", inst->op_sel, 3);
   if (inst->scale[0])
      print_bit_list(p, "op_sel_hi", inst->op_sel_hi & 3, 3);
   if (inst->cbsz)
      isa_printf(p, " cbsz:%u", inst->cbsz);
   if (inst->abid)
      isa_printf(p, " abid:%u", inst->abid);
   if (inst->blgp && isa_matrix_neg(p->gfx, inst->op))
      isa_printf(p, " neg:[%u,%u,%u]", inst->blgp & 1, inst->blgp >> 1 & 1, inst->blgp >> 2 & 1);
   else if (inst->blgp)
      isa_printf(p, " blgp:%u", inst->blgp);
}

void isa_print_valu(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   unsigned num = p->info->num_src;

   if (inst->enc == ISA_ENC_VINTRP || isa_layout_of(p->gfx, inst) == LAYOUT_VOP3_INTERP ||
       isa_layout_of(p->gfx, inst) == LAYOUT_VOP3_INTERP16) {
      print_interp(p);
      return;
   }
   bool cmpx = p->info->enc == ISA_ENC_VOPC && p->info->flags & ISA_WRITES_EXEC;
   if (!(p->gfx >= TGSIAMD_GFX10 && cmpx)) /* EXEC alone is not named */
      isa_print_dst(p);
   if (inst->dst2 != ISA_NONE) {
      isa_separator(p);
      isa_print_operand(p, inst->dst2, isa_dst2_dwords(inst), ISA_TYPE_MASK);
   }
   for (unsigned i = 0; i < num; i++)
      print_valu_source(p, i);

   if (isa_layout_of(p->gfx, inst) == LAYOUT_MAI) {
      print_matrix_controls(p);
      return;
   }
   if (isa_layout_of(p->gfx, inst) == LAYOUT_ACCVGPR)
      return;
   if (inst->enc == ISA_ENC_VOP3P) {
      bool mix = isa_is_mix(inst->op);
      unsigned all = (1u << num) - 1;
      if (isa_has_index_key(inst->op)) {
         if (inst->op_sel)
            isa_printf(p, " index_key:%u", inst->op_sel);
      } else if (inst->op_sel & all)
         print_bit_list(p, "op_sel", inst->op_sel, num);
      if ((inst->op_sel_hi & all) != (mix ? 0 : all))
         print_bit_list(p, "op_sel_hi", inst->op_sel_hi, num);
      if (!mix && inst->neg & all)
         print_bit_list(p, "neg_lo", inst->neg, num);
      if (!mix && inst->neg_hi & all)
         print_bit_list(p, "neg_hi", inst->neg_hi, num);
      if (inst->clamp)
         isa_puts(p, " clamp");
      if (inst->form != ISA_FORM_PLAIN)
         print_dpp(p);
      return;
   }
   if (inst->enc == ISA_ENC_VINTERP) {
      if (inst->op_sel)
         print_bit_list(p, "op_sel", (inst->op_sel & 7) | (inst->op_sel & 8), 4);
      if (inst->clamp)
         isa_puts(p, " clamp");
      isa_printf(p, " wait_exp:%u", inst->imm);
      return;
   }
   if (inst->form == ISA_FORM_SDWA) {
      print_sdwa(p);
      return;
   }
   if (inst->op_sel && (inst->op == ISA_V_PERMLANE16_B32 || inst->op == ISA_V_PERMLANEX16_B32 ||
                        inst->op == ISA_V_PERMLANE16_VAR_B32 || inst->op == ISA_V_PERMLANEX16_VAR_B32)) {
      print_bit_list(p, "op_sel", inst->op_sel, 2); /* fetch-inactive and bound control */
   } else if (inst->op_sel && isa_selects_byte(inst->op) && isa_even_vgprs(p->gfx)) {
      print_bit_list(p, "op_sel", inst->op_sel, 4);
   } else if (op_sel_shown(p)) {
      unsigned mask = (inst->op_sel & ((1u << num) - 1)) | (inst->op_sel >> 3 & 1) << num;
      print_bit_list(p, "op_sel", mask, num + 1);
   }
   print_out_mods(p);
   if (inst->form != ISA_FORM_PLAIN)
      print_dpp(p);
}

const char *isa_valu_suffix(const struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   unsigned native = isa_op_enc[p->gfx][inst->op];
   if (inst->form == ISA_FORM_SDWA)
      return "_sdwa";
   if (inst->form != ISA_FORM_PLAIN)
      return inst->enc == ISA_ENC_VOP3 || inst->enc == ISA_ENC_VOP3P ? "_e64_dpp" : "_dpp";
   if (native != ISA_ENC_VOP1 && native != ISA_ENC_VOP2 && native != ISA_ENC_VOPC && native != ISA_ENC_VINTRP)
      return "";
   if (p->info->flags & ISA_NO_VOP3 || isa_op_forms[p->gfx][inst->op] & ISA_FORMS_NO_VOP3)
      return isa_even_vgprs(p->gfx) && inst->op == ISA_V_PK_FMAC_F16 ? "_e32" : "";
   if (inst->enc == ISA_ENC_VOP3)
      return "_e64";
   if (inst->op == ISA_V_NOP || inst->op == ISA_V_CLREXCP || inst->op == ISA_V_PIPEFLUSH)
      return "";
   return "_e32";
}
