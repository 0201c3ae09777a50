/* SPDX-License-Identifier: MIT */
/* Registers, constants and the symbolic immediates in LLVM's syntax. */
#include "print_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void isa_puts(struct printer *p, const char *text)
{
   size_t n = strlen(text);
   for (size_t i = 0; i < n; i++) {
      if (p->len + i + 1 < p->size)
         p->buf[p->len + i] = text[i];
   }
   p->len += n;
   if (p->size)
      p->buf[p->len < p->size ? p->len : p->size - 1] = 0;
}

void isa_printf(struct printer *p, const char *fmt, ...)
{
   char tmp[128];
   va_list args;
   va_start(args, fmt);
   vsnprintf(tmp, sizeof(tmp), fmt, args);
   va_end(args);
   isa_puts(p, tmp);
}

void isa_separator(struct printer *p)
{
   isa_puts(p, p->first ? " " : ", ");
   p->first = false;
}

static void print_range(struct printer *p, const char *prefix, unsigned first, unsigned dw)
{
   if (dw <= 1)
      isa_printf(p, "%s%u", prefix, first);
   else
      isa_printf(p, "%s[%u:%u]", prefix, first, first + dw - 1);
}

static bool print_special_scalar(struct printer *p, unsigned operand, unsigned dw)
{
   const struct isa_scalars *s = &isa_scalars[p->gfx];
   static const char *const halves[] = {"_lo", "_hi"};
   const char *base = NULL;
   unsigned first = 0;

   if (operand == ISA_VCC || operand == ISA_VCC_HI) {
      base = "vcc";
      first = ISA_VCC;
   } else if (operand == ISA_EXEC || operand == ISA_EXEC_HI) {
      base = "exec";
      first = ISA_EXEC;
   } else if (s->flat_scratch && operand >= s->flat_scratch && operand <= s->flat_scratch + 1u) {
      base = "flat_scratch";
      first = s->flat_scratch;
   } else if (s->xnack_mask && operand >= s->xnack_mask && operand <= s->xnack_mask + 1u) {
      base = "xnack_mask";
      first = s->xnack_mask;
   } else if (s->has_tba && operand >= 108 && operand <= 111) {
      base = operand < 110 ? "tba" : "tma";
      first = operand & ~1u;
   } else if (operand == ISA_M0) {
      isa_puts(p, "m0");
      return true;
   } else if (operand == ISA_NULL && s->has_null) {
      isa_puts(p, "null");
      return true;
   } else {
      return false;
   }
   isa_puts(p, base);
   if (dw <= 1)
      isa_puts(p, halves[operand - first]);
   return true;
}

void isa_print_operand(struct printer *p, unsigned operand, unsigned dw, enum isa_type type)
{
   static const char *const floats[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};
   static const uint16_t halves[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
   const struct isa_scalars *s = &isa_scalars[p->gfx];

   bool class_mask = p->info->enc == ISA_ENC_VOPC && p->info->src_type[0] == ISA_TYPE_F16;
   if (class_mask)
      type = type == ISA_TYPE_B16 ? ISA_TYPE_B : type;


   if (type == ISA_TYPE_F16 && p->inst->enc == ISA_ENC_SOPC)
      type = ISA_TYPE_B16; /* LLVM's choice for scalar compares */
   if ((type == ISA_TYPE_U16 || type == ISA_TYPE_I16 || type == ISA_TYPE_B16) && operand >= ISA_F_0_5 &&
       operand <= ISA_F_INV_2PI) {
      /* A float constant is a half for 16-bit integer operands. */
      isa_printf(p, "0x%x", halves[operand - ISA_F_0_5]);
   } else if (operand >= 512) {
      print_range(p, "a", operand - 512, dw);
   } else if (operand >= 256) {
      print_range(p, "v", operand - 256, dw);
   } else if (operand <= s->max_sgpr) {
      print_range(p, "s", operand, dw);
   } else if (operand < 128) {
      if (operand >= s->ttmp0 && operand < s->ttmp0 + (unsigned)s->num_ttmp)
         print_range(p, "ttmp", operand - s->ttmp0, dw);
      else if (!print_special_scalar(p, operand, dw))
         isa_printf(p, "<scalar %u>", operand);
   } else if (operand <= 192) {
      isa_printf(p, "%u", operand - 128);
   } else if (operand <= 208) {
      isa_printf(p, "-%u", operand - 192);
   } else if (operand >= ISA_F_0_5 && operand <= ISA_F_NEG_4) {
      isa_puts(p, floats[operand - ISA_F_0_5]);
   } else {
      switch (operand) {
      case ISA_F_INV_2PI:
         isa_puts(p, (dw == 2 && p->inst->enc != ISA_ENC_VOP3P) || isa_is_mfma_f64(p->inst->op) ? "0.15915494309189532" : "0.15915494");
         break;
      case ISA_LITERAL:
         isa_printf(p, "0x%x", p->inst->literal);
         break;
      case ISA_SHARED_BASE:
         isa_puts(p, "src_shared_base");
         break;
      case ISA_SHARED_LIMIT:
         isa_puts(p, "src_shared_limit");
         break;
      case ISA_PRIVATE_BASE:
         isa_puts(p, "src_private_base");
         break;
      case ISA_PRIVATE_LIMIT:
         isa_puts(p, "src_private_limit");
         break;
      case ISA_POPS_WAVE_ID:
         isa_puts(p, "src_pops_exiting_wave_id");
         break;
      case ISA_VCCZ:
         isa_puts(p, "src_vccz");
         break;
      case ISA_EXECZ:
         isa_puts(p, "src_execz");
         break;
      case ISA_SCC:
         isa_puts(p, "src_scc");
         break;
      case ISA_LDS_DIRECT:
         isa_puts(p, "src_lds_direct");
         break;
      default:
         isa_printf(p, "<source %u>", operand);
         break;
      }
   }
}

void isa_print_waitcnt(struct printer *p)
{
   const struct isa_limits *l = isa_limits(p->gfx);
   unsigned vm, exp, lgkm;
   isa_waitcnt_unpack(p->gfx, p->inst->imm, &vm, &exp, &lgkm);
   /* "no wait at all" shows every counter */
   bool all = vm == l->max_vmcnt && exp == l->max_expcnt && lgkm == l->max_lgkmcnt;
   const char *sep = " ";
   if (all || vm != l->max_vmcnt) {
      isa_printf(p, "%svmcnt(%u)", sep, vm);
      sep = " ";
   }
   if (all || exp != l->max_expcnt)
      isa_printf(p, "%sexpcnt(%u)", sep, exp);
   if (all || lgkm != l->max_lgkmcnt)
      isa_printf(p, "%slgkmcnt(%u)", sep, lgkm);
}

/* Hardware registers of s_getreg/s_setreg: name by number and generations. */
#define GFX(a) (1u << TGSIAMD_##a)
#define GFX8_9 (GFX(GFX8) | GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950))
#define GFX9_UP (GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950) | GFX10_UP)
#define GFX10_UP (GFX(GFX10) | GFX(GFX10_3) | GFX(GFX11) | GFX(GFX12))
#define GFX10_11 (GFX(GFX10) | GFX(GFX10_3) | GFX(GFX11))
#define GFX6_11 (~GFX(GFX12))
static const struct {
   uint8_t id;
   uint32_t gfx;
   const char *name;
} hwregs[] = {
   {1, GFX6_11, "HW_REG_MODE"},
   {2, GFX6_11, "HW_REG_STATUS"},
   {3, GFX6_11, "HW_REG_TRAPSTS"},
   {4, GFX(GFX6) | GFX(GFX7) | GFX8_9, "HW_REG_HW_ID"},
   {5, GFX6_11, "HW_REG_GPR_ALLOC"},
   {6, GFX6_11, "HW_REG_LDS_ALLOC"},
   {7, GFX6_11, "HW_REG_IB_STS"},
   {15, GFX9_UP & GFX6_11, "HW_REG_SH_MEM_BASES"},
   {16, GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950) | GFX(GFX10) | GFX(GFX10_3), "HW_REG_TBA_LO"},
   {17, GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950) | GFX(GFX10) | GFX(GFX10_3), "HW_REG_TBA_HI"},
   {18, GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950) | GFX(GFX10) | GFX(GFX10_3), "HW_REG_TMA_LO"},
   {19, GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950) | GFX(GFX10) | GFX(GFX10_3), "HW_REG_TMA_HI"},
   {20, GFX10_11, "HW_REG_FLAT_SCR_LO"},
   {21, GFX10_11, "HW_REG_FLAT_SCR_HI"},
   {18, GFX(GFX11), "HW_REG_PERF_SNAPSHOT_PC_LO"},
   {19, GFX(GFX11), "HW_REG_PERF_SNAPSHOT_PC_HI"},
   {27, GFX(GFX11), "HW_REG_PERF_SNAPSHOT_DATA"},
   {20, GFX(GFX940) | GFX(GFX950), "HW_REG_XCC_ID"},
   {21, GFX(GFX940) | GFX(GFX950), "HW_REG_SQ_PERF_SNAPSHOT_DATA"},
   {22, GFX(GFX940) | GFX(GFX950), "HW_REG_SQ_PERF_SNAPSHOT_DATA1"},
   {23, GFX(GFX940) | GFX(GFX950), "HW_REG_SQ_PERF_SNAPSHOT_PC_LO"},
   {24, GFX(GFX940) | GFX(GFX950), "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"},
   {22, GFX(GFX10), "HW_REG_XNACK_MASK"},
   {23, GFX10_11, "HW_REG_HW_ID1"},
   {24, GFX10_11, "HW_REG_HW_ID2"},
   {25, GFX(GFX10) | GFX(GFX10_3), "HW_REG_POPS_PACKER"},
   {29, GFX(GFX10_3) | GFX(GFX11), "HW_REG_SHADER_CYCLES"},
   {1, GFX(GFX12), "HW_REG_WAVE_MODE"},
   {2, GFX(GFX12), "HW_REG_WAVE_STATUS"},
   {4, GFX(GFX12), "HW_REG_WAVE_STATE_PRIV"},
   {5, GFX(GFX12), "HW_REG_WAVE_GPR_ALLOC"},
   {6, GFX(GFX12), "HW_REG_WAVE_LDS_ALLOC"},
   {7, GFX(GFX12), "HW_REG_IB_STS"},
   {10, GFX(GFX12), "HW_REG_PERF_SNAPSHOT_DATA"},
   {11, GFX(GFX12), "HW_REG_PERF_SNAPSHOT_PC_LO"},
   {12, GFX(GFX12), "HW_REG_PERF_SNAPSHOT_PC_HI"},
   {15, GFX(GFX12), "HW_REG_PERF_SNAPSHOT_DATA1"},
   {16, GFX(GFX12), "HW_REG_PERF_SNAPSHOT_DATA2"},
   {17, GFX(GFX12), "HW_REG_WAVE_EXCP_FLAG_PRIV"},
   {18, GFX(GFX12), "HW_REG_WAVE_EXCP_FLAG_USER"},
   {19, GFX(GFX12), "HW_REG_WAVE_TRAP_CTRL"},
   {20, GFX(GFX12), "HW_REG_WAVE_SCRATCH_BASE_LO"},
   {21, GFX(GFX12), "HW_REG_WAVE_SCRATCH_BASE_HI"},
   {23, GFX(GFX12), "HW_REG_WAVE_HW_ID1"},
   {24, GFX(GFX12), "HW_REG_WAVE_HW_ID2"},
   {26, GFX(GFX12), "HW_REG_WAVE_SCHED_MODE"},
   {29, GFX(GFX12), "HW_REG_SHADER_CYCLES_LO"},
   {30, GFX(GFX12), "HW_REG_SHADER_CYCLES_HI"},
   {31, GFX(GFX12), "HW_REG_WAVE_DVGPR_ALLOC_LO"},
   {32, GFX(GFX12), "HW_REG_WAVE_DVGPR_ALLOC_HI"},
};

void isa_print_hwreg(struct printer *p)
{
   unsigned imm = p->inst->imm, id = imm & 63, offset = imm >> 6 & 31, width = (imm >> 11) + 1;
   const char *name = NULL;
   for (unsigned i = 0; i < sizeof(hwregs) / sizeof(hwregs[0]); i++) {
      if (hwregs[i].id == id && hwregs[i].gfx >> p->gfx & 1)
         name = hwregs[i].name;
   }
   isa_puts(p, "hwreg(");
   if (name)
      isa_puts(p, name);
   else
      isa_printf(p, "%u", id);
   if (offset || width != 32)
      isa_printf(p, ", %u, %u", offset, width);
   isa_puts(p, ")");
}

/* Messages of s_sendmsg. */
static const struct {
   uint8_t id;
   uint32_t gfx;
   const char *name;
} messages[] = {
   {1, ~0u, "MSG_INTERRUPT"},
   {2, ~(GFX(GFX11) | GFX(GFX12)), "MSG_GS"},
   {3, ~(GFX(GFX11) | GFX(GFX12)), "MSG_GS_DONE"},
   {2, GFX(GFX11) | GFX(GFX12), "MSG_HS_TESSFACTOR"},
   {3, GFX(GFX11) | GFX(GFX12), "MSG_DEALLOC_VGPRS"},
   {4, GFX8_9 | GFX(GFX10) | GFX(GFX10_3), "MSG_SAVEWAVE"},
   {5, GFX9_UP & ~GFX(GFX12), "MSG_STALL_WAVE_GEN"},
   {6, GFX9_UP & ~GFX(GFX12), "MSG_HALT_WAVES"},
   {7, GFX9_UP & ~(GFX(GFX11) | GFX(GFX12)), "MSG_ORDERED_PS_DONE"},
   {8, GFX(GFX9) | GFX(GFX90A) | GFX(GFX940) | GFX(GFX950), "MSG_EARLY_PRIM_DEALLOC"},
   {9, GFX9_UP, "MSG_GS_ALLOC_REQ"},
   {10, (GFX9_UP & ~(GFX(GFX11) | GFX(GFX12))), "MSG_GET_DOORBELL"},
   {11, GFX(GFX10) | GFX(GFX10_3), "MSG_GET_DDID"},
   {15, ~0u & ~(GFX(GFX11) | GFX(GFX12)), "MSG_SYSMSG"},
   {128, GFX(GFX11) | GFX(GFX12), "MSG_RTN_GET_DOORBELL"},
   {129, GFX(GFX11) | GFX(GFX12), "MSG_RTN_GET_DDID"},
   {130, GFX(GFX11) | GFX(GFX12), "MSG_RTN_GET_TMA"},
   {131, GFX(GFX11) | GFX(GFX12), "MSG_RTN_GET_REALTIME"},
   {132, GFX(GFX11) | GFX(GFX12), "MSG_RTN_SAVE_WAVE"},
   {135, GFX(GFX12), "MSG_RTN_GET_SE_AID_ID"},
   {134, GFX(GFX11) | GFX(GFX12), "MSG_RTN_GET_TBA_TO_PC"},
   {133, GFX(GFX11) | GFX(GFX12), "MSG_RTN_GET_TBA"},
};

static bool print_message(struct printer *p, unsigned id, unsigned op, unsigned stream)
{
   static const char *const gs_ops[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
   static const char *const sys_ops[] = {NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
                                         "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"};
   const char *name = NULL;
   for (unsigned i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
      if (messages[i].id == id && messages[i].gfx >> p->gfx & 1)
         name = messages[i].name;
   }
   if (!name)
      return false;
   bool gs = !strncmp(name, "MSG_GS", 6) && id <= 3, sys = id == 15;
   if (gs && (op > 3 || (op == 0 && id == 2) || (op == 0 && stream)))
      return false;
   if (sys && (op == 0 || op > 4 || stream))
      return false;
   if (!gs && !sys && (op || stream))
      return false;
   isa_printf(p, " sendmsg(%s", name);
   if (gs) {
      isa_printf(p, ", %s", gs_ops[op]);
      if (op)
         isa_printf(p, ", %u", stream);
   } else if (sys) {
      isa_printf(p, ", %s", sys_ops[op]);
   }
   isa_puts(p, ")");
   return true;
}

void isa_print_sendmsg(struct printer *p)
{
   unsigned imm = p->inst->imm;
   if (p->gfx >= TGSIAMD_GFX11) {
      if (imm < 256 && print_message(p, imm, 0, 0))
         return;
      isa_printf(p, imm < 256 ? " sendmsg(%u, 0, 0)" : " %u", imm);
      return;
   }
   unsigned id = imm & 15, op = imm >> 4 & 7, stream = imm >> 8 & 3;
   if ((imm & ~0x37fu) == 0) {
      if (!print_message(p, id, op, stream))
         isa_printf(p, " sendmsg(%u, %u, %u)", id, op, stream);
   } else {
      isa_printf(p, " %u", imm);
   }
}

/* s_delay_alu: which earlier instructions the next one and a later one wait for. */
void isa_print_delay(struct printer *p)
{
   static const char *const ids[16] = {"NO_DEP", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4",
                                       "TRANS32_DEP_1", "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1",
                                       "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3"};
   static const char *const skips[8] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};
   unsigned imm = p->inst->imm, id0 = imm & 15, skip = imm >> 4 & 7, id1 = imm >> 7 & 15;
   const char *sep = " ";
   if (id0) {
      isa_printf(p, "%sinstid0(%s)", sep, ids[id0] ? ids[id0] : "/* invalid instid value */");
      sep = " | ";
   }
   if (skip) {
      isa_printf(p, "%sinstskip(%s)", sep, skips[skip] ? skips[skip] : "/* invalid instskip value */");
      sep = " | ";
   }
   if (id1) {
      isa_printf(p, "%sinstid1(%s)", sep, ids[id1] ? ids[id1] : "/* invalid instid value */");
      sep = " | ";
   }
   if (sep[1] == 0)
      isa_puts(p, " 0");
}

/* ds_swizzle_b32's offset, LDS chapter of the ISA manuals. */
void isa_print_swizzle(struct printer *p)
{
   unsigned imm = p->inst->offset & 0xffff;
   if (imm == 0)
      return;
   isa_puts(p, " offset:");
   if (p->gfx >= TGSIAMD_GFX9 && imm >> 14 == 3 && imm >= 0xe000) {
      isa_printf(p, "swizzle(FFT,%u)", imm & 31);
   } else if (p->gfx >= TGSIAMD_GFX9 && imm >> 13 == 6 && !(imm & 0x1000 & 0)) {
      isa_printf(p, "swizzle(ROTATE,%u,%u)", imm >> 10 & 1, imm >> 5 & 31);
   } else if ((imm & 0xff00) == 0x8000) {
      isa_printf(p, "swizzle(QUAD_PERM,%u,%u,%u,%u)", imm & 3, imm >> 2 & 3, imm >> 4 & 3, imm >> 6 & 3);
   } else if (!(imm & 0x8000)) {
      unsigned and = imm & 31, or = imm >> 5 & 31, xor = imm >> 10 & 31;
      if (and == 31 && or == 0 && xor && !(xor & (xor - 1))) {
         isa_printf(p, "swizzle(SWAP,%u)", xor);
      } else if (and == 31 && or == 0 && xor && !(xor & (xor + 1))) {
         isa_printf(p, "swizzle(REVERSE,%u)", xor + 1);
      } else {
         unsigned group = (31 & ~and) + 1;
         if (group > 1 && !(group & (group - 1)) && or < group && xor == 0) {
            isa_printf(p, "swizzle(BROADCAST,%u,%u)", group, or);
         } else {
            char mask[6] = "";
            for (int bit = 4; bit >= 0; bit--) {
               unsigned a = and >> bit & 1, o = or >> bit & 1, x = xor >> bit & 1;
               unsigned zero = ((0 & a) | o) ^ x, one = ((1 & a) | o) ^ x;
               mask[4 - bit] = zero == one ? '0' + zero : one ? 'p' : 'i';
            }
            isa_printf(p, "swizzle(BITMASK_PERM,\"%s\")", mask);
         }
      }
   } else {
      isa_printf(p, "%u", imm);
   }
}

void isa_print_buffer_format(struct printer *p)
{
   static const char *const data[] = {"INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10",
                                      "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16",
                                      "32_32_32", "32_32_32_32", "RESERVED_15"};
   static const char *const num[] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};
   const struct isa_inst *inst = p->inst;
   unsigned dfmt = inst->dfmt, nfmt = inst->nfmt;
   if (p->gfx >= TGSIAMD_GFX10) {
      unsigned format = dfmt | nfmt << 4;
      const char *name = isa_buffer_format_name(p->gfx, format);
      if (format == 1)
         return;
      if (name)
         isa_printf(p, " format:[%s]", name);
      else
         isa_printf(p, " format:%u", format);
      return;
   }
   if (dfmt == 1 && nfmt == 0)
      return;
   const char *nname = nfmt == 6 && p->gfx <= TGSIAMD_GFX7 ? "SNORM_OGL" : num[nfmt];
   if (dfmt == 1)
      isa_printf(p, " format:[BUF_NUM_FORMAT_%s]", nname);
   else if (nfmt == 0)
      isa_printf(p, " format:[BUF_DATA_FORMAT_%s]", data[dfmt]);
   else
      isa_printf(p, " format:[BUF_DATA_FORMAT_%s,BUF_NUM_FORMAT_%s]", data[dfmt], nname);
}
