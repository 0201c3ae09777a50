/* SPDX-License-Identifier: MIT */
/* struct isa_inst -> text in LLVM's assembler syntax, one function an encoding. */
#include "print_internal.h"

#include <string.h>

/* LLVM names halves on GFX11; on GFX12 it still writes whole registers, with
 * op_sel behind. */
static bool names_halves(enum tgsiamd_gfx gfx)
{
   return gfx == TGSIAMD_GFX11;
}

/* The half of a 16-bit VGPR operand on GFX11 and later. */
static void print_half(struct printer *p, unsigned operand, unsigned index)
{
   if (operand >= 256 && operand < 512 && isa_is_half(p->gfx, p->inst, index) &&
       (names_halves(p->gfx) || (p->inst->op_sel >> index & 1 && p->inst->enc <= ISA_ENC_VOPC)))
      isa_puts(p, p->inst->op_sel >> index & 1 ? ".h" : ".l");
}

static void print_dst(struct printer *p)
{
   if (p->inst->dst == ISA_NONE)
      return;
   isa_separator(p);
   isa_print_operand(p, p->inst->dst, isa_dst_dwords(p->gfx, p->inst), p->info->dst_type);
   print_half(p, p->inst->dst, 3);
}

static void print_src(struct printer *p, unsigned n)
{
   if (p->inst->src[n] == ISA_NONE)
      return;
   isa_separator(p);
   isa_print_operand(p, p->inst->src[n], isa_src_dwords(p->gfx, p->inst, n), p->info->src_type[n]);
}

static void print_sopk(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   switch (inst->op) {
   case ISA_S_SETREG_B32:
   case ISA_S_SETREG_IMM32_B32:
      isa_separator(p);
      isa_print_hwreg(p);
      if (inst->op == ISA_S_SETREG_IMM32_B32) {
         isa_separator(p);
         isa_printf(p, "0x%x", inst->literal);
      } else {
         print_src(p, 0);
      }
      return;
   case ISA_S_GETREG_B32:
      print_dst(p);
      isa_separator(p);
      isa_print_hwreg(p);
      return;
   }
   print_dst(p);
   print_src(p, 0);
   isa_separator(p);
   if (p->info->flags & ISA_BRANCH || inst->op == ISA_S_SUBVECTOR_LOOP_BEGIN || inst->op == ISA_S_SUBVECTOR_LOOP_END)
      isa_printf(p, "%u", inst->imm);
   else
      isa_printf(p, "0x%x", inst->imm);
}

static void print_gpr_idx(struct printer *p)
{
   static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
   unsigned imm = p->inst->imm;
   isa_separator(p);
   if (imm > 15) {
      isa_printf(p, "0x%x", imm);
      return;
   }
   isa_puts(p, "gpr_idx(");
   const char *sep = "";
   for (unsigned i = 0; i < 4; i++) {
      if (imm >> i & 1) {
         isa_printf(p, "%s%s", sep, names[i]);
         sep = ",";
      }
   }
   isa_puts(p, ")");
}

static void print_sopp(struct printer *p)
{
   unsigned imm = p->inst->imm;
   switch (p->inst->op) {
   case ISA_S_WAITCNT:
      isa_print_waitcnt(p);
      break;
   case ISA_S_DELAY_ALU:
      isa_print_delay(p);
      break;
   case ISA_S_SENDMSG:
   case ISA_S_SENDMSGHALT:
      isa_print_sendmsg(p);
      break;
   case ISA_S_SET_GPR_IDX_MODE:
      print_gpr_idx(p);
      break;
   case ISA_S_INST_PREFETCH:
   case ISA_S_CLAUSE:
   case ISA_S_WAITCNT_DEPCTR:
   case ISA_S_ROUND_MODE:
   case ISA_S_TTRACEDATA_IMM:
   case ISA_S_WAIT_EVENT:
   case ISA_S_WAIT_LOADCNT:
   case ISA_S_WAIT_STORECNT:
   case ISA_S_WAIT_SAMPLECNT:
   case ISA_S_WAIT_BVHCNT:
   case ISA_S_WAIT_EXPCNT:
   case ISA_S_WAIT_DSCNT:
   case ISA_S_WAIT_KMCNT:
   case ISA_S_WAIT_LOADCNT_DSCNT:
   case ISA_S_WAIT_STORECNT_DSCNT:
   case ISA_S_SINGLEUSE_VDST:
      isa_printf(p, " 0x%x", imm);
      break;
   case ISA_S_ENDPGM:
      if (imm)
         isa_printf(p, " %u", imm);
      break;
   case ISA_S_BARRIER:
   case ISA_S_WAKEUP:
   case ISA_S_ICACHE_INV:
   case ISA_S_TTRACEDATA:
   case ISA_S_ENDPGM_SAVED:
   case ISA_S_SET_GPR_IDX_OFF:
   case ISA_S_ENDPGM_ORDERED_PS_DONE:
   case ISA_S_CODE_END:
   case ISA_S_BARRIER_LEAVE:
   case ISA_S_WAIT_IDLE:
      break;
   default:
      isa_printf(p, p->info->flags & ISA_BRANCH || imm <= 64 ? " %u" : " 0x%x", imm);
      break;
   }
}

static void print_smem_offset(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   bool sgpr = inst->src[1] != ISA_NONE;
   int32_t offset = p->gfx <= TGSIAMD_GFX7 ? inst->offset / 4 : inst->offset;

   print_src(p, 1);
   if (sgpr && !inst->offset && !inst->offen && p->gfx != TGSIAMD_GFX12)
      return;
   if (sgpr)
      isa_puts(p, " offset:");
   else
      isa_separator(p);
   if (!sgpr && offset == 0 && isa_scalars[p->gfx].has_null && p->gfx != TGSIAMD_GFX12)
      isa_puts(p, "null");
   else
      isa_printf(p, offset < 0 ? "-0x%x" : "0x%x", offset < 0 ? -offset : offset);
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
   print_half(p, operand, n);
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
   if (inst->enc != ISA_ENC_VOPC)
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
   else if (gfx10 && ctrl >= 0x150 && ctrl < 0x160)
      isa_printf(p, " row_share:%u", n);
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

static void print_attr(struct printer *p)
{
   isa_separator(p);
   isa_printf(p, "attr%u.%c", p->inst->attr, "xyzw"[p->inst->chan & 3]);
}

static void print_interp(struct printer *p)
{
   static const char *const params[] = {"p10", "p20", "p0"};
   print_dst(p);
   if (p->inst->op == ISA_V_INTERP_MOV_F32) {
      isa_separator(p);
      isa_puts(p, params[p->inst->src[0] % 3]);
   } else {
      print_valu_source(p, 0);
   }
   print_attr(p);
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

static void print_valu(struct printer *p)
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
      print_dst(p);
   if (inst->dst2 != ISA_NONE) {
      isa_separator(p);
      isa_print_operand(p, inst->dst2, p->info->dst2_dw, ISA_TYPE_MASK);
   }
   for (unsigned i = 0; i < num; i++)
      print_valu_source(p, i);

   if (inst->enc == ISA_ENC_VOP3P) {
      bool mix = isa_is_mix(inst->op);
      unsigned all = (1u << num) - 1;
      if (inst->op_sel & all)
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
   } else if (op_sel_shown(p)) {
      unsigned mask = (inst->op_sel & ((1u << num) - 1)) | (inst->op_sel >> 3 & 1) << num;
      print_bit_list(p, "op_sel", mask, num + 1);
   }
   print_out_mods(p);
   if (inst->form != ISA_FORM_PLAIN)
      print_dpp(p);
}

static bool ds_two_offsets(const struct isa_op_info *info)
{
   return strstr(info->name, "read2") || strstr(info->name, "write2") || strstr(info->name, "wrxchg2");
}

static void print_ds(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   print_dst(p);
   for (unsigned i = 0; i < 3; i++)
      print_src(p, i);
   if (ds_two_offsets(p->info)) {
      if (inst->offset & 0xff)
         isa_printf(p, " offset0:%u", inst->offset & 0xff);
      if (inst->offset >> 8 & 0xff)
         isa_printf(p, " offset1:%u", inst->offset >> 8 & 0xff);
   } else if (inst->op == ISA_DS_SWIZZLE_B32) {
      isa_print_swizzle(p);
   } else if (inst->offset) {
      isa_printf(p, " offset:%u", inst->offset);
   }
   if (inst->gds)
      isa_puts(p, " gds");
}

/* GFX12: temporal hint and scope. */
static void print_temporal(struct printer *p)
{
   static const char *const loads[] = {"", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", NULL};
   static const char *const stores[] = {"", "NT", "HT", "WB", "NT_RT", "RT_NT", "NT_HT", "NT_WB"};
   static const char *const scopes[] = {"", " scope:SCOPE_SE", " scope:SCOPE_DEV", " scope:SCOPE_SYS"};
   const struct isa_inst *inst = p->inst;
   unsigned th = inst->th, flags = p->info->flags;
   if (th && flags & ISA_ATOMIC) {
      if (th & 4 && inst->scope >= 2)
         isa_printf(p, " th:TH_ATOMIC_CASCADE_%s", th & 2 ? "NT" : "RT");
      else if (th & 4)
         isa_printf(p, " th:TH_ATOMIC_0x%x", th);
      else
         isa_printf(p, " th:TH_ATOMIC%s%s", th & 2 ? "_NT" : "", th & 1 ? "_RETURN" : "");
   } else if (th && flags & (ISA_LOADS | ISA_STORES)) {
      bool store = flags & ISA_STORES;
      const char *name = store ? stores[th & 7] : loads[th & 7];
      if (th == 3 && inst->scope == 3)
         name = "BYPASS";
      if (name)
         isa_printf(p, " th:TH_%s_%s", store ? "STORE" : "LOAD", name);
      else
         isa_printf(p, " th:0x%x", th);
   } else if (th) {
      isa_printf(p, " th:0x%x", th);
   }
   isa_puts(p, scopes[inst->scope & 3]);
   if (inst->nv)
      isa_puts(p, " nv");
}

static void print_cache_bits(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   if (p->gfx == TGSIAMD_GFX12) {
      print_temporal(p);
      return;
   }
   bool gfx940 = p->gfx == TGSIAMD_GFX940 || p->gfx == TGSIAMD_GFX950;
   if (inst->glc)
      isa_puts(p, gfx940 ? " sc0" : " glc");
   if (inst->slc)
      isa_puts(p, gfx940 ? " nt" : " slc");
   if (inst->scc_cache)
      isa_puts(p, gfx940 ? " sc1" : " scc");
   if (inst->dlc)
      isa_puts(p, " dlc");
   if (inst->nv)
      isa_puts(p, " nv");
}

static void print_smem(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   bool probe = inst->op == ISA_S_ATC_PROBE || inst->op == ISA_S_ATC_PROBE_BUFFER;
   if (isa_smem_has_imm(inst->op) && !probe) {
      print_src(p, 0);
      isa_separator(p);
      isa_printf(p, inst->offset < 0 ? "-0x%x" : "0x%x", inst->offset < 0 ? -inst->offset : inst->offset);
      isa_separator(p);
      isa_print_operand(p, inst->src[1] == ISA_NONE ? ISA_NULL : inst->src[1], 1, ISA_TYPE_U);
      isa_printf(p, ", %u", inst->imm);
      return;
   }
   if (probe) {
      isa_separator(p);
      isa_printf(p, "%u", inst->imm);
   } else if (inst->src[2] != ISA_NONE) {
      print_src(p, 2);
   } else {
      print_dst(p);
   }
   print_src(p, 0);
   if (p->info->src_type[1] != ISA_TYPE_NONE)
      print_smem_offset(p);
   print_cache_bits(p);
}

static void print_buffer(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   if (inst->src[1] == ISA_NONE)
      return;
   if (inst->src[3] != ISA_NONE)
      print_src(p, 3);
   else
      print_dst(p);
   if (p->info->src_type[0] != ISA_TYPE_NONE) {
      if (inst->src[0] != ISA_NONE) {
         print_src(p, 0);
      } else {
         isa_separator(p);
         isa_puts(p, "off");
      }
   }
   print_src(p, 1);
   print_src(p, 2);
   if (inst->enc == ISA_ENC_MTBUF)
      isa_print_buffer_format(p);
   if (inst->addr64)
      isa_puts(p, " addr64");
   if (inst->idxen)
      isa_puts(p, " idxen");
   if (inst->offen)
      isa_puts(p, " offen");
   if (inst->offset)
      isa_printf(p, " offset:%d", inst->offset);
   bool lds_first = inst->op == ISA_BUFFER_STORE_LDS_DWORD;
   if (inst->lds && lds_first)
      isa_puts(p, " lds");
   print_cache_bits(p);
   if (inst->tfe)
      isa_puts(p, " tfe");
   if (inst->lds && !lds_first)
      isa_puts(p, " lds");
}

/* A range, or a list of VGPRs in the non-sequential form. */
static void print_image_address(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   unsigned slots = p->gfx >= TGSIAMD_GFX10 ? isa_image_slots(p->gfx, inst) : 0;
   if (!slots) {
      print_src(p, 0);
      return;
   }
   unsigned n = isa_image_addr_dwords(p->gfx, inst);
   unsigned left = n;
   isa_separator(p);
   if (n == 1) {
      isa_print_operand(p, inst->src[0], 1, ISA_TYPE_B);
      return;
   }
   /* Ray queries from GFX11 on: node, extent, then vectors of three. */
   bool bvh64 = inst->op == ISA_IMAGE_BVH64_INTERSECT_RAY;
   bool bvh = (bvh64 || inst->op == ISA_IMAGE_BVH_INTERSECT_RAY) && p->gfx >= TGSIAMD_GFX11;
   isa_puts(p, "[");
   for (unsigned i = 0; i < slots && left; i++) {
      unsigned reg = i ? ISA_VGPR(inst->nsa_addr[i - 1]) : inst->src[0];
      unsigned dw = i == slots - 1 ? left : 1;
      if (bvh)
         dw = i == 0 ? 1 + bvh64 : i == 1 ? 1 : 3;
      isa_puts(p, i ? ", " : "");
      isa_print_operand(p, reg, dw, ISA_TYPE_B);
      left -= dw;
   }
   isa_puts(p, "]");
}

static void print_image(struct printer *p)
{
   static const char *const dims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
   const struct isa_inst *inst = p->inst;
   if (inst->src[3] != ISA_NONE) {
      print_src(p, 3);
   } else {
      /* LLVM leaves LWE's status dword out of the range. */
      isa_separator(p);
      isa_print_operand(p, inst->dst, isa_dst_dwords(p->gfx, inst) - (inst->lwe && !inst->tfe), p->info->dst_type);
   }
   print_image_address(p);
   print_src(p, 1);
   print_src(p, 2);
   if (inst->op == ISA_IMAGE_BVH_INTERSECT_RAY || inst->op == ISA_IMAGE_BVH64_INTERSECT_RAY) {
      if (inst->a16)
         isa_puts(p, " a16");
      return;
   }
   if (inst->dmask)
      isa_printf(p, " dmask:0x%x", inst->dmask);
   if (p->gfx >= TGSIAMD_GFX10)
      isa_printf(p, " dim:SQ_RSRC_IMG_%s", dims[inst->dim & 7]);
   if (inst->unorm)
      isa_puts(p, " unorm");
   print_cache_bits(p);
   if (inst->r128)
      isa_puts(p, " r128");
   if (inst->a16)
      isa_puts(p, " a16");
   if (inst->tfe)
      isa_puts(p, " tfe");
   if (inst->lwe)
      isa_puts(p, " lwe");
   if (inst->da)
      isa_puts(p, " da");
   if (inst->d16)
      isa_puts(p, " d16");
}

static void print_flat(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   bool scratch = inst->enc == ISA_ENC_SCRATCH;
   print_dst(p);
   if (p->info->src_type[0] != ISA_TYPE_NONE) {
      if (inst->src[0] != ISA_NONE) {
         print_src(p, 0);
      } else if (scratch) {
         isa_separator(p);
         isa_puts(p, "off");
      }
   }
   print_src(p, 1);
   if (inst->enc != ISA_ENC_FLAT && p->info->src_type[2] != ISA_TYPE_NONE) {
      if (inst->src[2] != ISA_NONE) {
         print_src(p, 2);
      } else {
         isa_separator(p);
         isa_puts(p, "off");
      }
   }
   if (inst->offset)
      isa_printf(p, " offset:%d", inst->offset);
   print_cache_bits(p);
   if (inst->lds)
      isa_puts(p, " lds");
}

static void print_ldsdir(struct printer *p)
{
   print_dst(p);
   if (p->inst->op == ISA_LDS_PARAM_LOAD)
      print_attr(p);
   if (p->gfx >= TGSIAMD_GFX12)
      isa_printf(p, " wait_va_vdst:%u wait_vm_vsrc:%u", p->inst->imm, p->inst->scc_cache);
   else
      isa_printf(p, " wait_vdst:%u", p->inst->imm);
}

static void print_exp(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   unsigned t = inst->exp_target;
   if (t < 8)
      isa_printf(p, " mrt%u", t);
   else if (t == 8)
      isa_puts(p, " mrtz");
   else if (t == 9)
      isa_puts(p, " null");
   else if (t >= 12 && t < 16)
      isa_printf(p, " pos%u", t - 12);
   else if (t == 16 && p->gfx >= TGSIAMD_GFX10)
      isa_puts(p, " pos4");
   else if (t == 20 && p->gfx >= TGSIAMD_GFX10)
      isa_puts(p, " prim");
   else if (t == 21 && p->gfx >= TGSIAMD_GFX11)
      isa_puts(p, " dual_src_blend0");
   else if (t == 22 && p->gfx >= TGSIAMD_GFX11)
      isa_puts(p, " dual_src_blend1");
   else if (t >= 32 && p->gfx < TGSIAMD_GFX11)
      isa_printf(p, " param%u", t - 32);
   else
      isa_printf(p, " invalid_target_%u", t);
   for (unsigned i = 0; i < 4; i++) {
      /* two halves a register: sources 0 and 1 stand for x,y and z,w */
      unsigned n = inst->exp_compr ? i / 2 : i;
      isa_puts(p, i ? ", " : " ");
      if (inst->exp_en >> i & 1)
         isa_print_operand(p, inst->src[n], 1, ISA_TYPE_B);
      else
         isa_puts(p, "off");
   }
   if (inst->exp_done)
      isa_puts(p, " done");
   if (inst->exp_compr)
      isa_puts(p, " compr");
   if (inst->exp_vm)
      isa_puts(p, " vm");
   if (inst->exp_row)
      isa_puts(p, " row_en");
}

static const char *suffix(const struct printer *p)
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
      return "";
   if (inst->enc == ISA_ENC_VOP3)
      return "_e64";
   if (inst->op == ISA_V_NOP || inst->op == ISA_V_CLREXCP || inst->op == ISA_V_PIPEFLUSH)
      return "";
   return "_e32";
}

int isa_print(enum tgsiamd_gfx gfx, const struct isa_inst *inst, char *buf, size_t size)
{
   struct printer p = {.gfx = gfx, .inst = inst, .info = &isa_op_infos[inst->op],
                       .buf = buf, .size = size, .first = true};
   if (size)
      buf[0] = 0;
   isa_puts(&p, isa_names + isa_op_name[gfx][inst->op]);
   isa_puts(&p, suffix(&p));
   switch (inst->enc) {
   case ISA_ENC_SOP2:
   case ISA_ENC_SOP1:
   case ISA_ENC_SOPC:
      print_dst(&p);
      for (unsigned i = 0; i < p.info->num_src; i++)
         print_src(&p, i);
      if (inst->op == ISA_S_SET_GPR_IDX_ON) {
         print_gpr_idx(&p);
      } else if (inst->op == ISA_S_SENDMSG_RTN_B32 || inst->op == ISA_S_SENDMSG_RTN_B64) {
         isa_puts(&p, ",");
         isa_print_sendmsg(&p);
      }
      break;
   case ISA_ENC_SOPK:
      print_sopk(&p);
      break;
   case ISA_ENC_SOPP:
      print_sopp(&p);
      break;
   case ISA_ENC_SMEM:
      print_smem(&p);
      break;
   case ISA_ENC_DS:
      print_ds(&p);
      break;
   case ISA_ENC_MUBUF:
   case ISA_ENC_MTBUF:
      print_buffer(&p);
      break;
   case ISA_ENC_MIMG:
      print_image(&p);
      break;
   case ISA_ENC_FLAT:
   case ISA_ENC_GLOBAL:
   case ISA_ENC_SCRATCH:
      print_flat(&p);
      break;
   case ISA_ENC_LDSDIR:
      print_ldsdir(&p);
      break;
   case ISA_ENC_EXP:
      print_exp(&p);
      break;
   default:
      print_valu(&p);
      break;
   }
   return p.len;
}
