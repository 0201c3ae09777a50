/* SPDX-License-Identifier: MIT */
/* Memory, image and export instructions in LLVM's syntax. */
#include "print_internal.h"

#include <string.h>

static bool ds_two_offsets(const struct isa_op_info *info)
{
   return strstr(info->name, "read2") || strstr(info->name, "write2") || strstr(info->name, "wrxchg2");
}

void isa_print_ds(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   isa_print_dst(p);
   for (unsigned i = 0; i < 3; i++)
      isa_print_src(p, i);
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
   bool gfx940 = (p->gfx == TGSIAMD_GFX940 || p->gfx == TGSIAMD_GFX950) && inst->enc != ISA_ENC_SMEM;
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

static void print_smem_offset(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   bool sgpr = inst->src[1] != ISA_NONE;
   int32_t offset = p->gfx <= TGSIAMD_GFX7 ? inst->offset / 4 : inst->offset;

   isa_print_src(p, 1);
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

void isa_print_smem(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   bool probe = inst->op == ISA_S_ATC_PROBE || inst->op == ISA_S_ATC_PROBE_BUFFER;
   if (isa_smem_has_imm(inst->op) && !probe) {
      isa_print_src(p, 0);
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
      isa_print_src(p, 2);
   } else {
      isa_print_dst(p);
   }
   isa_print_src(p, 0);
   if (p->info->src_type[1] != ISA_TYPE_NONE)
      print_smem_offset(p);
   print_cache_bits(p);
}

void isa_print_buffer(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   if (inst->src[1] == ISA_NONE)
      return;
   if (inst->src[3] != ISA_NONE)
      isa_print_src(p, 3);
   else
      isa_print_dst(p);
   if (p->info->src_type[0] != ISA_TYPE_NONE) {
      if (inst->src[0] != ISA_NONE) {
         isa_print_src(p, 0);
      } else {
         isa_separator(p);
         isa_puts(p, "off");
      }
   }
   isa_print_src(p, 1);
   isa_print_src(p, 2);
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
      isa_print_src(p, 0);
      return;
   }
   unsigned n = isa_image_addr_dwords(p->gfx, inst);
   unsigned left = n;
   isa_separator(p);
   if (n == 1) {
      isa_print_operand(p, inst->src[0], 1, ISA_TYPE_B);
      return;
   }
   const uint8_t *ray = p->gfx >= TGSIAMD_GFX11 ? isa_ray_parts(inst->op) : NULL;
   isa_puts(p, "[");
   for (unsigned i = 0; i < slots && left; i++) {
      unsigned reg = i ? ISA_VGPR(inst->nsa_addr[i - 1]) : inst->src[0];
      unsigned dw = i == slots - 1 ? left : 1;
      if (ray)
         dw = ray[i];
      isa_puts(p, i ? ", " : "");
      isa_print_operand(p, reg, dw, ISA_TYPE_B);
      left -= dw;
   }
   isa_puts(p, "]");
}

void isa_print_image(struct printer *p)
{
   static const char *const dims[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};
   const struct isa_inst *inst = p->inst;
   if (inst->src[3] != ISA_NONE) {
      isa_print_src(p, 3);
   } else {
      /* LLVM leaves LWE's status dword out of the range. */
      isa_separator(p);
      isa_print_operand(p, inst->dst, isa_dst_dwords(p->gfx, inst) - (inst->lwe && !inst->tfe), p->info->dst_type);
   }
   print_image_address(p);
   isa_separator(p);
   /* LLVM names eight registers even where R128 takes four. */
   isa_print_operand(p, inst->src[1], isa_ray_parts(inst->op) ? 4 : 8, p->info->src_type[1]);
   isa_print_src(p, 2);
   if (isa_ray_parts(inst->op)) {
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

void isa_print_flat(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   bool scratch = inst->enc == ISA_ENC_SCRATCH;
   isa_print_dst(p);
   if (p->info->src_type[0] != ISA_TYPE_NONE) {
      if (inst->src[0] != ISA_NONE) {
         isa_print_src(p, 0);
      } else if (scratch) {
         isa_separator(p);
         isa_puts(p, "off");
      }
   }
   isa_print_src(p, 1);
   if (inst->enc != ISA_ENC_FLAT && p->info->src_type[2] != ISA_TYPE_NONE) {
      if (inst->src[2] != ISA_NONE) {
         isa_print_src(p, 2);
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

void isa_print_ldsdir(struct printer *p)
{
   isa_print_dst(p);
   if (p->inst->op == ISA_LDS_PARAM_LOAD)
      isa_print_attr(p);
   if (p->gfx >= TGSIAMD_GFX12)
      isa_printf(p, " wait_va_vdst:%u wait_vm_vsrc:%u", p->inst->imm, p->inst->scc_cache);
   else
      isa_printf(p, " wait_vdst:%u", p->inst->imm);
}

void isa_print_exp(struct printer *p)
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
