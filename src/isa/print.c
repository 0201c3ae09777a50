/* SPDX-License-Identifier: MIT */
/* struct isa_inst -> text in LLVM's assembler syntax: scalar instructions and
 * the choice of the printer by encoding. */
#include "print_internal.h"

void isa_print_dst(struct printer *p)
{
   if (p->inst->dst == ISA_NONE)
      return;
   isa_separator(p);
   isa_print_operand(p, p->inst->dst, isa_dst_dwords(p->gfx, p->inst), p->info->dst_type);
   isa_print_half(p, p->inst->dst, 3);
}

void isa_print_src(struct printer *p, unsigned n)
{
   if (p->inst->src[n] == ISA_NONE)
      return;
   isa_separator(p);
   isa_print_operand(p, p->inst->src[n], isa_src_dwords(p->gfx, p->inst, n), p->info->src_type[n]);
}

void isa_print_attr(struct printer *p)
{
   isa_separator(p);
   isa_printf(p, "attr%u.%c", p->inst->attr, "xyzw"[p->inst->chan & 3]);
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
         isa_print_src(p, 0);
      }
      return;
   case ISA_S_GETREG_B32:
      isa_print_dst(p);
      isa_separator(p);
      isa_print_hwreg(p);
      return;
   }
   isa_print_dst(p);
   isa_print_src(p, 0);
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

int isa_print(enum tgsiamd_gfx gfx, const struct isa_inst *inst, char *buf, size_t size)
{
   struct printer p = {.gfx = gfx, .inst = inst, .info = &isa_op_infos[inst->op],
                       .buf = buf, .size = size, .first = true};
   if (size)
      buf[0] = 0;
   if (inst->enc == ISA_ENC_VOPD) {
      isa_print_vopd(&p);
      return p.len;
   }
   const char *name = isa_names + isa_op_name[gfx][inst->op];
   bool scaled = inst->scale[0] && isa_can_scale(inst->op);
   isa_puts(&p, scaled ? "v_mfma_scale" : "");
   isa_puts(&p, scaled ? name + strlen("v_mfma") : name);
   isa_puts(&p, isa_valu_suffix(&p));
   switch (inst->enc) {
   case ISA_ENC_SOP2:
   case ISA_ENC_SOP1:
   case ISA_ENC_SOPC:
      isa_print_dst(&p);
      for (unsigned i = 0; i < p.info->num_src; i++)
         isa_print_src(&p, i);
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
      isa_print_smem(&p);
      break;
   case ISA_ENC_DS:
      isa_print_ds(&p);
      break;
   case ISA_ENC_MUBUF:
   case ISA_ENC_MTBUF:
      isa_print_buffer(&p);
      break;
   case ISA_ENC_MIMG:
      isa_print_image(&p);
      break;
   case ISA_ENC_FLAT:
   case ISA_ENC_GLOBAL:
   case ISA_ENC_SCRATCH:
      isa_print_flat(&p);
      break;
   case ISA_ENC_LDSDIR:
      isa_print_ldsdir(&p);
      break;
   case ISA_ENC_EXP:
      isa_print_exp(&p);
      break;
   default:
      isa_print_valu(&p);
      break;
   }
   return p.len;
}
