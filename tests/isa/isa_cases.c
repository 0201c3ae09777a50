/* SPDX-License-Identifier: MIT */
/* Emits instructions over the operand space of every op of a generation, for
 * isa_llvm.py to compare with LLVM: a line a case, "dwords in hex|text"; with
 * --wave32 behind the rest, as a wave of 32 lanes has them. With
 * --table one case of each op, encoding and form, "text|name|number of
 * destinations|what is read and written without being named" and how
 * long the result takes", for isa_table.py and isa_latency.py.
 *
 * Each case is encoded, decoded and encoded again here; a difference is an
 * error of ours and ends in exit status 1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_cases.h"

static uint32_t rng_state = 0x1234567;
static uint32_t rnd(uint32_t n)
{
   rng_state ^= rng_state << 13;
   rng_state ^= rng_state >> 17;
   rng_state ^= rng_state << 5;
   return rng_state % n;
}

static void init(struct isa_inst *inst, unsigned op)
{
   isa_inst_init(inst, op);
   inst->wave32 = wave32;
}

static unsigned align_of(unsigned dw)
{
   return dw == 1 ? 1 : dw == 2 ? 2 : 4;
}

/* A scalar register range of `dw`: the ends of the file and the special ones. */
static uint16_t scalar_reg(unsigned dw, unsigned variant, bool dst)
{
   unsigned a = align_of(dw), last = (isa_scalars[gfx].max_sgpr + 1 - dw) / a * a;
   static const uint16_t special[] = {ISA_VCC, ISA_VCC_HI, ISA_M0, ISA_EXEC, ISA_EXEC_HI, ISA_NULL,
                                      ISA_FLAT_SCRATCH, ISA_FLAT_SCRATCH + 1, ISA_XNACK_MASK, ISA_XNACK_MASK + 1,
                                      ISA_TTMP(0), ISA_TTMP(4), ISA_TTMP(8), ISA_TTMP(15)};
   switch (variant) {
   case 0:
      return rnd(last / a + 1) * a;
   case 1:
      return 0;
   case 2:
      return last;
   default: {
      uint16_t r = special[variant % 14];
      return isa_valid_scalar(gfx, r, dw, dst) ? r : rnd(last / a + 1) * a;
   }
   }
}

static unsigned num_vgprs = 256; /* 128 for halves in the short forms */

static uint16_t any_vgpr(unsigned dw, unsigned variant)
{
   if (variant == 1)
      return 256;
   if (variant == 2)
      return 256 + num_vgprs - dw;
   return 256 + rnd(num_vgprs - dw + 1);
}

static uint16_t vgpr(unsigned dw, unsigned variant)
{
   uint16_t r = any_vgpr(dw, variant);
   return dw > 1 && isa_even_vgprs(gfx) ? r & ~1 : r;
}

/* Any source code: constants, literal, scalars, VGPRs. */
static uint16_t any_source(unsigned dw, bool vector, unsigned variant)
{
   static const uint16_t consts[] = {ISA_INT(0), ISA_INT(64), ISA_INT(-1), ISA_INT(-16), ISA_INT(33), ISA_F_0_5,
                                     ISA_F_NEG_0_5, ISA_F_1, ISA_F_NEG_1, ISA_F_2, ISA_F_NEG_2, ISA_F_4,
                                     ISA_F_NEG_4, ISA_F_INV_2PI, ISA_LITERAL, ISA_SHARED_BASE, ISA_SHARED_LIMIT,
                                     ISA_PRIVATE_BASE, ISA_PRIVATE_LIMIT, ISA_POPS_WAVE_ID, ISA_VCCZ, ISA_EXECZ,
                                     ISA_SCC};
   if (variant < 17)
      return scalar_reg(dw, variant, false);
   if (variant < 17 + 23) {
      uint16_t c = consts[variant - 17];
      return isa_valid_scalar(gfx, c, dw, false) ? c : ISA_INT(0);
   }
   return vector ? vgpr(dw, variant - 40) : scalar_reg(dw, 0, false);
}
#define NUM_SOURCES 43

static bool valu(const struct isa_inst *inst)
{
   return isa_op_infos[inst->op].unit == ISA_UNIT_VALU;
}

/* Fills operands with plain registers. */
static void plain(struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   bool vector = valu(inst);
   inst->dst = inst->dst2 = ISA_NONE;
   for (unsigned i = 0; i < 4; i++)
      inst->src[i] = ISA_NONE;
   struct isa_operand_set ops = isa_operands(gfx, inst);
   struct isa_implied implied = isa_implied_operands(gfx, inst);
   if (ops.need & OPERAND_DST) {
      unsigned dw = isa_dst_dwords(gfx, inst);
      bool scalar = !vector || info->dst_type == ISA_TYPE_MASK || info->flags & ISA_DST_SGPR;
      if (inst->enc >= ISA_ENC_DS)
         scalar = false;
      inst->dst = scalar ? scalar_reg(dw, 0, true) : vgpr(dw, 0);
   }
   if (ops.need & OPERAND_DST2)
      inst->dst2 = scalar_reg(isa_dst2_dwords(inst), 0, true);
   for (unsigned i = 0; i < 4; i++) {
      if (!(ops.need & OPERAND_SRC(i)))
         continue;
      unsigned dw = isa_src_dwords(gfx, inst, i);
      bool scalar = !vector && inst->enc < ISA_ENC_DS;
      if (info->src_type[i] == ISA_TYPE_MASK)
         scalar = true;
      if ((inst->enc == ISA_ENC_MUBUF || inst->enc == ISA_ENC_MTBUF || inst->enc == ISA_ENC_MIMG) && (i == 1 || i == 2))
         scalar = true;
      if ((inst->op == ISA_V_READLANE_B32 || inst->op == ISA_V_WRITELANE_B32) && i == 1)
         scalar = true;
      if (inst->op == ISA_V_WRITELANE_B32 && i == 0)
         scalar = true;
      inst->src[i] = scalar ? scalar_reg(dw ? dw : 1, 0, false) : vgpr(dw ? dw : 1, 0);
   }
   if (inst->op == ISA_V_PERMLANE16_B32 || inst->op == ISA_V_PERMLANEX16_B32) {
      inst->src[1] = scalar_reg(1, 0, false);
      inst->src[2] = ISA_INT(rnd(16));
   }
   if (inst->op == ISA_V_WRITELANE_B32)
      inst->src[0] = ISA_INT(rnd(16));
   if (info->flags & ISA_DST_SGPR && info->flags & ISA_TRANS)
      inst->src[0] = scalar_reg(1, 0, false);
   if (implied.dst != ISA_NONE)
      inst->dst = implied.dst;
   if (implied.dst2 != ISA_NONE)
      inst->dst2 = implied.dst2;
   if (implied.src1 != ISA_NONE)
      inst->src[1] = implied.src1;
   if (implied.src2 != ISA_NONE)
      inst->src[2] = implied.src2;
   if (inst->op == ISA_V_INTERP_MOV_F32)
      inst->src[0] = rnd(3);
   inst->literal = 0x12345600 + rnd(256);
   if (info->src_type[0] == ISA_TYPE_F16 || info->src_type[0] == ISA_TYPE_I16 || info->src_type[0] == ISA_TYPE_U16 ||
       info->src_type[0] == ISA_TYPE_B16)
      inst->literal &= 0xffff;
}

static void fresh(struct isa_inst *inst, unsigned op, unsigned enc)
{
   init(inst, op);
   inst->enc = enc;
   inst->op_sel_hi = enc == ISA_ENC_VOP3P ? inst->op_sel_hi : 0;
   plain(inst);
}

static void set_dsts(struct isa_inst *inst)
{
   struct isa_inst base = *inst;
   if (inst->dst != ISA_NONE) {
      unsigned dw = isa_dst_dwords(gfx, inst);
      for (unsigned v = 0; v < 17; v++) {
         *inst = base;
         if (isa_is_vgpr(base.dst)) {
            if (v > 2)
               break;
            inst->dst = vgpr(dw, v);
         } else {
            inst->dst = scalar_reg(dw, v, true);
         }
         emit(inst);
      }
   }
   if (base.dst2 != ISA_NONE) {
      for (unsigned v = 0; v < 17; v++) {
         *inst = base;
         inst->dst2 = scalar_reg(isa_dst2_dwords(inst), v, true);
         emit(inst);
      }
   }
   *inst = base;
}

static void set_sources(struct isa_inst *inst)
{
   struct isa_inst base = *inst;
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   for (unsigned i = 0; i < info->num_src; i++) {
      if (base.src[i] == ISA_NONE)
         continue;
      for (unsigned v = 0; v < NUM_SOURCES; v++) {
         *inst = base;
         unsigned dw = isa_src_dwords(gfx, inst, i);
         inst->src[i] = any_source(dw ? dw : 1, valu(inst), v);
         emit(inst);
      }
   }
   *inst = base;
}

static void scalar_op(unsigned op)
{
   struct isa_inst inst;
   static const uint16_t imms[] = {0, 1, 2, 3, 5, 0x7f, 0x1234, 0x8000, 0xffff};
   fresh(&inst, op, isa_op_enc[gfx][op]);
   if (inst.enc == ISA_ENC_SOPK || inst.enc == ISA_ENC_SOPP || op == ISA_S_SET_GPR_IDX_ON ||
       op == ISA_S_SENDMSG_RTN_B32 || op == ISA_S_SENDMSG_RTN_B64) {
      if (inst.src[0] != ISA_NONE && !strncmp(isa_op_infos[op].name, "s_waitcnt", 9))
         inst.src[0] = ISA_NULL;
      for (unsigned i = 0; i < 9; i++) {
         inst.imm = imms[i];
         emit(&inst);
      }
      for (unsigned i = 0; i < 40; i++) {
         inst.imm = op == ISA_S_SET_GPR_IDX_ON ? rnd(16) : i & 1 ? rnd(0x800) : rnd(0x10000);
         emit(&inst);
      }
      inst.imm = 0;
   }
   emit(&inst);
   set_dsts(&inst);
   if (strstr(isa_op_infos[op].name, "_barrier_") && inst.src[0] != ISA_NONE) {
      inst.src[0] = ISA_INT(rnd(17) - 1);
      emit(&inst);
      set_dsts(&inst);
   }
   if (strncmp(isa_op_infos[op].name, "s_waitcnt", 9))
      set_sources(&inst);
}

static void valu_modifiers(struct isa_inst *inst)
{
   struct isa_inst base = *inst;
   const struct isa_op_mods *m = isa_mods(gfx, inst->op);
   bool short_form = inst->enc != ISA_ENC_VOP3 && inst->enc != ISA_ENC_VOP3P;
   for (unsigned i = 0; i < 24; i++) {
      *inst = base;
      inst->neg = rnd(8) & m->neg;
      inst->abs = rnd(8) & m->abs;
      if (inst->enc == ISA_ENC_VOP3P) {
         inst->abs = 0;
         inst->neg_hi = rnd(8) & m->neg_hi;
         inst->op_sel = rnd(8) & m->op_sel;
         inst->op_sel_hi = (inst->op_sel_hi & ~m->op_sel_hi) | (rnd(8) & m->op_sel_hi);
         inst->clamp = m->clamp && rnd(2);
      } else if (inst->enc == ISA_ENC_VOP3) {
         if (i > 8)
            inst->op_sel = rnd(16) & m->op_sel;
         inst->omod = m->omod ? rnd(4) : 0;
         inst->clamp = m->clamp && rnd(2);
      } else if (short_form && inst->form != ISA_FORM_SDWA) {
         inst->neg &= 3;
         inst->abs &= 3;
      }
      emit(inst);
   }
   *inst = base;
}

static void sdwa(unsigned op, unsigned enc)
{
   struct isa_inst inst, base;
   const struct isa_op_mods *m = isa_mods(gfx, op);
   fresh(&inst, op, enc);
   inst.form = ISA_FORM_SDWA;
   plain(&inst);
   base = inst;
   for (unsigned i = 0; i < 40; i++) {
      inst = base;
      if (enc != ISA_ENC_VOPC) {
         inst.sdwa_dst_sel = rnd(7);
         inst.sdwa_dst_unused = rnd(3);
         if (isa_sdwa_whole_dst(op)) {
            inst.sdwa_dst_sel = 6;
            inst.sdwa_dst_unused = 0;
         }
         inst.omod = m->sdwa_omod ? rnd(4) : 0;
         inst.clamp = m->sdwa_clamp && rnd(2);
      } else if (i & 1 && gfx != TGSIAMD_GFX8) {
         inst.dst = scalar_reg(isa_dst_dwords(gfx, &inst), rnd(17), true);
      }
      inst.sdwa_sel[0] = rnd(7);
      inst.sdwa_sel[1] = enc == ISA_ENC_VOP1 ? 0 : rnd(7);
      inst.sdwa_sext = rnd(4) & m->sext;
      inst.neg = rnd(4) & m->neg;
      inst.abs = rnd(4) & m->abs;
      if (gfx != TGSIAMD_GFX8 && i > 20 && inst.src[0] != ISA_NONE)
         inst.src[i > 30 && inst.src[1] != ISA_NONE] = scalar_reg(1, rnd(17), false);
      emit(&inst);
   }
}

static void dpp(unsigned op, unsigned enc)
{
   static const uint16_t ctrls[] = {0, 0xe4, 0x1b, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x130,
                                    0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
   struct isa_inst inst, base;
   const struct isa_op_mods *m = isa_mods(gfx, op);
   fresh(&inst, op, enc);
   inst.form = ISA_FORM_DPP16;
   plain(&inst);
   base = inst;
   for (unsigned i = 0; i < 18; i++) {
      inst = base;
      inst.dpp_ctrl = ctrls[i];
      if (gfx >= TGSIAMD_GFX10 && inst.dpp_ctrl >= 0x130 && inst.dpp_ctrl != 0x140 && inst.dpp_ctrl != 0x141)
         inst.dpp_ctrl = 0x150 + rnd(32);
      const struct isa_op_info *info = &isa_op_infos[op];
      if (isa_even_vgprs(gfx) && (i % 3 == 0 || info->dst_dw == 2 || info->src_dw[0] == 2))
         inst.dpp_ctrl = 0x150 + rnd(16);
      inst.dpp_row_mask = rnd(16);
      inst.dpp_bank_mask = rnd(16);
      inst.dpp_bound_ctrl = rnd(2);
      inst.dpp_fi = gfx >= TGSIAMD_GFX10 && rnd(2);
      inst.neg = rnd(4) & m->neg;
      inst.abs = rnd(4) & m->abs;
      if (enc == ISA_ENC_VOP3) {
         inst.clamp = m->clamp && rnd(2);
         inst.omod = m->omod ? rnd(4) : 0;
      } else if (enc == ISA_ENC_VOP3P && !isa_is_mix(op)) {
         inst.abs = 0;
      } else if (enc == ISA_ENC_VOP3P) {
         inst.neg_hi = inst.abs;
         inst.abs = 0;
      }
      emit(&inst);
   }
   for (unsigned i = 0; i < 8 && enc == ISA_ENC_VOP3 && base.src[1] != ISA_NONE && gfx >= TGSIAMD_GFX11; i++) {
      inst = base;
      inst.src[1] = i < 6 ? scalar_reg(1, i, false) : ISA_INT(i);
      inst.dpp_ctrl = 0xe4;
      inst.dpp_row_mask = inst.dpp_bank_mask = 15;
      emit(&inst);
   }
   if (isa_layouts[gfx][LAYOUT_DPP8]) {
      for (unsigned i = 0; i < 4; i++) {
         inst = base;
         inst.form = ISA_FORM_DPP8;
         for (unsigned k = 0; k < 8; k++)
            inst.dpp8_sel[k] = rnd(8);
         inst.dpp_fi = i & 1;
         emit(&inst);
      }
   }
}

/* CDNA: AGPRs in any of the places that a format has a bank bit for. */
static void set_banks(struct isa_inst *inst)
{
   struct isa_inst base = *inst;
   uint16_t *operand[5] = {&inst->dst, &inst->src[0], &inst->src[1], &inst->src[2], &inst->src[3]};
   for (unsigned mask = 1; mask < 32; mask++) {
      bool all = true;
      *inst = base;
      for (unsigned i = 0; i < 5; i++) {
         if (mask >> i & 1 && isa_is_vgpr(*operand[i]))
            *operand[i] += 256;
         else if (mask >> i & 1)
            all = false;
      }
      if (all)
         emit(inst);
   }
   *inst = base;
}

static void matrix_op(unsigned op)
{
   struct isa_inst inst, base;
   const struct isa_op_info *info = &isa_op_infos[op];
   fresh(&inst, op, isa_op_enc[gfx][op]);
   unsigned acc = isa_implied_acc(op);
   for (unsigned i = 0; i < 20; i++) {
      plain(&inst);
      inst.dst = vgpr(info->dst_dw, i);
      if (isa_layout_of(gfx, &inst) == LAYOUT_MAI) {
         inst.cbsz = rnd(8);
         inst.abid = rnd(16);
         inst.blgp = rnd(8);
         if (isa_is_smfmac(op))
            inst.blgp = 0;
         if (isa_is_mfma_f64(op))
            inst.cbsz = inst.abid = 0;
         if (strstr(info->name, "f8f6f4")) {
            inst.cbsz = rnd(5);
            inst.blgp = rnd(5);
            inst.abid = 0;
         }
      }
      for (unsigned k = 0; k < 3; k++) {
         if (inst.src[k] != ISA_NONE)
            inst.src[k] = vgpr(isa_src_dwords(gfx, &inst, k), rnd(4));
      }
      inst.dst += acc & OPERAND_DST ? 256 : 0;
      inst.src[0] += acc & OPERAND_SRC(0) ? 256 : 0;
      emit(&inst);
      base = inst;
      if (!acc)
         set_banks(&inst);
      if (isa_can_scale(op)) {
         for (unsigned k = 0; k < 2; k++)
            inst.scale[k] = vgpr(1, rnd(4));
         inst.op_sel = rnd(4);
         inst.op_sel_hi = rnd(4);
         emit(&inst);
         set_banks(&inst);
         inst = base;
      }
      for (unsigned v = 0; v < NUM_SOURCES && info->num_src == 3 && i < 2; v++) {
         inst.src[2] = any_source(isa_src_dwords(gfx, &inst, 2), true, v);
         emit(&inst);
      }
      for (unsigned v = 0; v < NUM_SOURCES && op == ISA_V_ACCVGPR_WRITE_B32; v++) {
         inst.src[0] = any_source(1, true, v);
         emit(&inst);
      }
      inst = base;
   }
}

static void vector_op(unsigned op)
{
   const struct isa_op_info *info = &isa_op_infos[op];
   unsigned native = isa_op_enc[gfx][op];
   struct isa_inst inst;
   unsigned encs[2] = {native, ISA_ENC_VOP3};
   unsigned num = native == ISA_ENC_VOP3 || native == ISA_ENC_VOP3P || info->flags & ISA_NO_VOP3 ? 1 : 2;
   for (unsigned e = 0; e < num; e++) {
      init(&inst, op);
      inst.enc = encs[e];
      bool halves = false;
      for (unsigned i = 0; i < 4; i++)
         halves |= isa_is_half(gfx, &inst, i);
      num_vgprs = halves && encs[e] != ISA_ENC_VOP3 ? 128 : 256;
      fresh(&inst, op, encs[e]);
      for (unsigned i = 0; halves && encs[e] != ISA_ENC_VOP3 && i < 4; i++) {
         if (isa_is_half(gfx, &inst, i) && (i == 3 || isa_is_vgpr(inst.src[i])) && gfx == TGSIAMD_GFX11 && rnd(2))
            inst.op_sel |= 1 << i;
      }
      emit(&inst);
      inst.op_sel = 0;
      set_dsts(&inst);
      set_sources(&inst);
      if (encs[e] == ISA_ENC_VOP3 || encs[e] == ISA_ENC_VOP3P)
         valu_modifiers(&inst);
   }
   if (native == ISA_ENC_LDSDIR || native == ISA_ENC_VINTERP) {
      for (unsigned i = 0; i < 16; i++) {
         fresh(&inst, op, native);
         inst.imm = rnd(native == ISA_ENC_LDSDIR ? 16 : 8);
         inst.attr = op == ISA_LDS_PARAM_LOAD ? rnd(33) : 0;
         inst.chan = op == ISA_LDS_PARAM_LOAD ? rnd(4) : 0;
         inst.clamp = native == ISA_ENC_VINTERP && rnd(2);
         inst.neg = native == ISA_ENC_VINTERP ? rnd(8) : 0;
         emit(&inst);
      }
   }
   if (isa_layout_of(gfx, &inst) == LAYOUT_VOP3_INTERP || isa_layout_of(gfx, &inst) == LAYOUT_VOP3_INTERP16 ||
       native == ISA_ENC_VINTRP) {
      for (unsigned e = 0; e < num; e++) {
         for (unsigned i = 0; i < 16; i++) {
            fresh(&inst, op, encs[e]);
            inst.attr = i == 0 ? 32 : rnd(33);
            inst.chan = rnd(4);
            emit(&inst);
         }
      }
   }
   init(&inst, op);
   inst.enc = native;
   for (unsigned i = 0; i < 4; i++)
      num_vgprs = isa_is_half(gfx, &inst, i) ? 128 : num_vgprs;
   if (isa_op_forms[gfx][op] & ISA_FORMS_SDWA)
      sdwa(op, native);
   if (isa_op_forms[gfx][op] & ISA_FORMS_DPP16)
      dpp(op, native);
   num_vgprs = 256;
   if (isa_op_forms[gfx][op] & ISA_FORMS_DPP16 && isa_layouts[gfx][LAYOUT_DPP16_VOP3] && num == 2)
      dpp(op, ISA_ENC_VOP3);
}

static void smem_op(unsigned op)
{
   struct isa_inst inst, base;
   fresh(&inst, op, ISA_ENC_SMEM);
   bool offset = isa_op_infos[op].src_type[1] != ISA_TYPE_NONE;
   if (inst.src[1] != ISA_NONE)
      inst.src[1] = ISA_NONE;
   base = inst;
   emit(&inst);
   set_dsts(&inst);
   for (unsigned i = 0; i < 40 && offset; i++) {
      inst = base;
      if (gfx == TGSIAMD_GFX12 && isa_op_infos[op].flags & ISA_LOADS) {
         inst.scope = rnd(4);
         inst.th = rnd(4);
      } else if (gfx < TGSIAMD_GFX12) {
         inst.glc = (isa_op_infos[op].flags & (ISA_LOADS | ISA_STORES)) != 0 && rnd(2);
         inst.dlc = inst.glc && gfx >= TGSIAMD_GFX10 && rnd(2);
      }
      plain(&inst);
      inst.src[1] = ISA_NONE;
      if (i & 1)
         inst.src[1] = scalar_reg(1, rnd(17), false);
      if (i & 2 && (!(i & 1) || gfx >= TGSIAMD_GFX9)) {
         inst.offset = rnd(1 << 20) & (gfx <= TGSIAMD_GFX7 ? 0x3fc : ~0);
         if (i & 4 && gfx >= TGSIAMD_GFX9 && isa_op_infos[op].src_dw[0] == 2)
            inst.offset = -inst.offset;
      }
      if (op == ISA_S_ATC_PROBE || op == ISA_S_ATC_PROBE_BUFFER)
         inst.imm = rnd(8);
      inst.src[0] = scalar_reg(isa_op_infos[op].src_dw[0], i % 3 ? 0 : 2, false);
      emit(&inst);
   }
}

static void ds_op(unsigned op)
{
   struct isa_inst inst;
   static const uint16_t offsets[] = {0, 1, 255, 256, 0x1234, 0xffff, 0x8000, 0x80e4, 0xc000, 0xe01f, 0x41f, 0x7c1f};
   fresh(&inst, op, ISA_ENC_DS);
   bool gds = !strncmp(isa_op_infos[op].name, "ds_gws", 6) || op == ISA_DS_ORDERED_COUNT ||
              strstr(isa_op_infos[op].name, "gs_reg");
   for (unsigned i = 0; i < 24; i++) {
      plain(&inst);
      inst.gds = gds || (rnd(4) == 0 && gfx < TGSIAMD_GFX12 && !isa_even_vgprs(gfx) && !strstr(isa_op_infos[op].name, "bvh"));
      inst.offset = i < 12 ? offsets[i] : rnd(0x10000);
      if (op == ISA_DS_NOP)
         inst.offset = inst.gds = 0;
      emit(&inst);
   }
   set_dsts(&inst);
   if (isa_even_vgprs(gfx))
      set_banks(&inst);
   for (unsigned i = 0; i < 3; i++) {
      if (inst.src[i] != ISA_NONE) {
         inst.src[i] = vgpr(isa_src_dwords(gfx, &inst, i), 2);
         emit(&inst);
      }
   }
}

static void cache_bits(struct isa_inst *inst)
{
   if (gfx == TGSIAMD_GFX12) {
      bool atomic = isa_op_infos[inst->op].flags & ISA_ATOMIC;
      inst->scope = rnd(4);
      inst->th = rnd(2) ? 0 : rnd(atomic ? 4 : 7);
      return;
   }
   inst->glc = rnd(2);
   inst->slc = rnd(2);
   inst->dlc = gfx >= TGSIAMD_GFX10 && rnd(4) == 0;
}

static void buffer_op(unsigned op)
{
   struct isa_inst inst;
   const struct isa_op_info *info = &isa_op_infos[op];
   unsigned enc = isa_op_enc[gfx][op];
   fresh(&inst, op, enc);
   if (info->num_src == 0) {
      emit(&inst);
      return;
   }
   bool can_lds = strstr(info->name, "load_ubyte") || strstr(info->name, "load_sbyte") ||
                  strstr(info->name, "load_ushort") || strstr(info->name, "load_sshort") ||
                  op == ISA_BUFFER_LOAD_DWORD || op == ISA_BUFFER_LOAD_FORMAT_X;
   if (strstr(info->name, "d16"))
      can_lds = false;
   for (unsigned i = 0; i < 48; i++) {
      fresh(&inst, op, enc);
      inst.offen = i & 1;
      inst.idxen = i >> 1 & 1;
      if (info->src_type[0] == ISA_TYPE_NONE)
         inst.offen = inst.idxen = false;
      cache_bits(&inst);
      inst.tfe = info->flags & ISA_LOADS && !(info->flags & ISA_ATOMIC) && enc == ISA_ENC_MUBUF && rnd(3) == 0;
      inst.lds = enc == ISA_ENC_MUBUF && ((can_lds && rnd(4) == 0) || op == ISA_BUFFER_STORE_LDS_DWORD);
      if (inst.lds)
         inst.tfe = false;
      if (enc == ISA_ENC_MTBUF) {
         inst.dfmt = i < 16 ? i : rnd(16);
         inst.nfmt = rnd(8);
         inst.tfe = false;
      }
      plain(&inst);
      unsigned offsets = gfx == TGSIAMD_GFX12 ? 1 << 23 : 4096;
      inst.offset = i < 4 ? 0 : i == 4 ? offsets - 1 : rnd(offsets);
      inst.src[1] = scalar_reg(4, i % 3, false);
      inst.src[2] = any_source(1, false, rnd(31));
      if (inst.src[2] == ISA_LITERAL)
         inst.src[2] = ISA_M0;
      if (gfx == TGSIAMD_GFX12)
         inst.src[2] = i & 1 ? ISA_NULL : scalar_reg(1, 0, false);
      emit(&inst);
      if (i < 8 && isa_even_vgprs(gfx))
         set_banks(&inst);
   }
}

static void image_op(unsigned op)
{
   struct isa_inst inst;
   const struct isa_op_info *info = &isa_op_infos[op];
   bool atomic = info->flags & ISA_ATOMIC, gather = strstr(info->name, "gather4") != NULL;
   for (unsigned i = 0; i < 32; i++) {
      fresh(&inst, op, ISA_ENC_MIMG);
      inst.dmask = gather ? 1 << rnd(4) : rnd(15) + 1;
      if (atomic)
         inst.dmask = strstr(info->name, "cmpswap") ? (i & 1 ? 15 : 3) : (i & 1 ? 3 : 1);
      inst.unorm = rnd(2) && (gfx != TGSIAMD_GFX12 || info->flags & ISA_SAMPLES);
      cache_bits(&inst);
      inst.da = gfx < TGSIAMD_GFX10 && rnd(2);
      inst.dim = gfx >= TGSIAMD_GFX10 ? rnd(8) : 0;
      
      bool bvh = strstr(info->name, "bvh") != NULL;
      if (op == ISA_IMAGE_MSAA_LOAD) /* DIM is one of the two multisample ones */
         inst.dim |= 6;
      else if (gfx >= TGSIAMD_GFX10 && (info->flags & ISA_SAMPLES || strstr(info->name, "_mip")))
         inst.dim %= 6;
      inst.a16 = (info->flags & ISA_SAMPLES || gfx >= TGSIAMD_GFX10) && rnd(4) == 0;
      inst.r128 = gfx != TGSIAMD_GFX9 && !isa_even_vgprs(gfx) && rnd(4) == 0;
      if (!atomic) {
         inst.tfe = !(info->flags & ISA_STORES) && rnd(4) == 0;
         inst.lwe = rnd(4) == 0 && (gfx != TGSIAMD_GFX12 || info->flags & ISA_SAMPLES);
         inst.d16 = !strstr(info->name, "get_lod") && !strstr(info->name, "pck") && rnd(4) == 0;
      }
      if (bvh) { /* fixed fields */
         struct isa_inst base = inst;
         fresh(&inst, op, ISA_ENC_MIMG);
         inst.dmask = 15;
         inst.unorm = gfx < TGSIAMD_GFX12;
         inst.r128 = true;
         inst.a16 = base.a16;
      }
      plain(&inst);
      inst.src[1] = scalar_reg(isa_src_dwords(gfx, &inst, 1), i % 3, false);
      unsigned addr = isa_src_dwords(gfx, &inst, 0);
      if (gfx == TGSIAMD_GFX12) {
         unsigned slots = isa_image_slots(gfx, &inst), n = isa_image_addr_dwords(gfx, &inst);
         for (unsigned k = 1; k < slots && k < n; k++)
            inst.nsa_addr[k - 1] = rnd(200);
         if (bvh)
            inst.a16 = false;
      } else if (gfx >= TGSIAMD_GFX10 && i & 1 && !bvh && addr > 1 && (addr <= (gfx == TGSIAMD_GFX10_3 ? 13 : 5) || gfx == TGSIAMD_GFX11)) {
         /* GFX11: the fifth component may be a range */
         inst.nsa_dwords = gfx == TGSIAMD_GFX11 ? 1 : (addr - 1 + 3) / 4;
         for (unsigned k = 0; k < addr - 1 && k < inst.nsa_dwords * 4u; k++)
            inst.nsa_addr[k] = rnd(addr > 5 && gfx == TGSIAMD_GFX11 ? 240 : 256);
      }
      emit(&inst);
      if (i < 8 && isa_even_vgprs(gfx))
         set_banks(&inst);
   }
}

static void flat_op(unsigned op)
{
   struct isa_inst inst;
   const struct isa_op_info *info = &isa_op_infos[op];
   unsigned enc = isa_op_enc[gfx][op];
   for (unsigned i = 0; i < 32; i++) {
      fresh(&inst, op, enc);
      cache_bits(&inst);
      plain(&inst);
      /* Below 0 for GLOBAL and SCRATCH, from GFX12 on for all. */
      static const uint8_t bits[TGSIAMD_GFX_COUNT] = {
         [TGSIAMD_GFX9] = 12, [TGSIAMD_GFX90A] = 12, [TGSIAMD_GFX940] = 12, [TGSIAMD_GFX950] = 12, [TGSIAMD_GFX10] = 11,
         [TGSIAMD_GFX10_3] = 11, [TGSIAMD_GFX11] = 12, [TGSIAMD_GFX12] = 23};
      unsigned offsets = 1 << bits[gfx];
      inst.offset = i < 8 ? 0 : i == 8 ? offsets - 1 : rnd(offsets);
      if ((enc != ISA_ENC_FLAT || gfx == TGSIAMD_GFX12) && i & 2)
         inst.offset = i == 10 ? -(int)offsets : -inst.offset;
      if (gfx <= TGSIAMD_GFX8 || info->num_src == 0)
         inst.offset = inst.th = 0;
      if (enc == ISA_ENC_GLOBAL && info->src_type[2] != ISA_TYPE_NONE && i & 1) {
         inst.src[2] = scalar_reg(2, i % 3, false);
         if (inst.src[0] != ISA_NONE)
            inst.src[0] = vgpr(1, i % 3);
      } else if (enc == ISA_ENC_SCRATCH) {
         if (i & 1)
            inst.src[2] = scalar_reg(1, i % 3, false);
         else
            inst.src[0] = vgpr(1, i % 3);
      }
      emit(&inst);
      if (i < 8 && isa_even_vgprs(gfx))
         set_banks(&inst);
   }
}

static void export_op(void)
{
   static const uint8_t targets[] = {0, 7, 8, 9, 12, 13, 14, 15, 32, 33, 63};
   struct isa_inst inst;
   for (unsigned i = 0; i < 200; i++) {
      init(&inst, ISA_EXP);
      inst.exp_target = targets[i % 11];
      inst.exp_en = i < 16 ? i : rnd(16);
      inst.exp_done = rnd(2);
      if (gfx < TGSIAMD_GFX11) {
         inst.exp_vm = rnd(2);
         inst.exp_compr = i > 100;
      } else {
         inst.exp_row = rnd(3) == 0;
         if (inst.exp_target >= 32 || inst.exp_target == 9)
            inst.exp_target = 20 + rnd(3);
      }
      for (unsigned k = 0; k < 4; k++)
         inst.src[k] = inst.exp_en >> k & 1 ? ISA_VGPR(rnd(256)) : ISA_NONE;
      if (inst.exp_compr) {
         inst.exp_en = (const uint8_t[]){0, 3, 12, 15}[rnd(4)];
         inst.src[0] = inst.exp_en & 3 ? ISA_VGPR(rnd(256)) : ISA_NONE;
         inst.src[1] = inst.exp_en & 12 ? ISA_VGPR(rnd(256)) : ISA_NONE;
         inst.src[2] = inst.src[3] = ISA_NONE;
      }
      emit(&inst);
   }
}

static void all_of(unsigned op)
{
   switch (isa_op_enc[gfx][op]) {
   case ISA_ENC_SOP2:
   case ISA_ENC_SOPK:
   case ISA_ENC_SOP1:
   case ISA_ENC_SOPC:
   case ISA_ENC_SOPP:
      scalar_op(op);
      break;
   case ISA_ENC_SMEM:
      smem_op(op);
      break;
   case ISA_ENC_DS:
      ds_op(op);
      break;
   case ISA_ENC_MUBUF:
   case ISA_ENC_MTBUF:
      buffer_op(op);
      break;
   case ISA_ENC_MIMG:
      image_op(op);
      break;
   case ISA_ENC_FLAT:
   case ISA_ENC_GLOBAL:
   case ISA_ENC_SCRATCH:
      flat_op(op);
      break;
   case ISA_ENC_EXP:
      export_op();
      break;
   case ISA_ENC_LDSDIR:
      vector_op(op);
      break;
   default:
      if (isa_op_infos[op].flags & ISA_MATRIX && isa_even_vgprs(gfx))
         matrix_op(op);
      else
         vector_op(op);
      break;
   }
}

/* VOPD: every pair of ops; operands at random, for many do not fit each other. */
static void dual_ops(void)
{
   for (unsigned pair = 0; pair < 32 * 32; pair++) {
      int x = isa_vopd_op(pair / 32), y = isa_vopd_op(pair % 32);
      if (x < 0 || y < 0)
         continue;
      unsigned before = num_cases;
      for (unsigned i = 0; i < 120; i++) {
         struct isa_inst inst;
         init(&inst, x);
         inst.enc = ISA_ENC_VOPD;
         inst.op_y = y;
         inst.dst = vgpr(1, i);
         inst.dst2 = i == 1 ? ISA_VGPR(255) : i == 2 ? ISA_VGPR(0) : ISA_VGPR(rnd(256));
         inst.src[0] = any_source(1, true, i < NUM_SOURCES ? i : 40 + i % 3);
         inst.src[2] = any_source(1, true, rnd(2) ? 40 + i % 3 : rnd(NUM_SOURCES));
         inst.src[1] = x == ISA_V_MOV_B32 ? ISA_NONE : vgpr(1, rnd(4));
         inst.src[3] = y == ISA_V_MOV_B32 ? ISA_NONE : vgpr(1, rnd(4));
         inst.literal = 0x12345600 + rnd(256);
         emit(&inst);
      }
      if (num_cases == before && pair / 32 < 16) {
         fprintf(stderr, "no case for the pair %u\n", pair);
         num_failures++;
      }
   }
}

/* A generation by number, a processor by name. */
static bool choose(const char *name)
{
   gfx = atoi(name);
   if (name[0] != 'g')
      return gfx < TGSIAMD_GFX_COUNT;
   processor = isa_processor_by_name(name);
   if (!processor || processor->refused)
      return false;
   gfx = processor->gfx;
   return true;
}

static bool has(unsigned op)
{
   return processor ? isa_processor_has(processor, op) : isa_op_infos[op].opcode[gfx] >= 0;
}

/* Lines of hex dwords in, the text of the first instruction of each out. */
static int decode_lines(void)
{
   char line[256], text[256];
   while (fgets(line, sizeof(line), stdin)) {
      uint32_t words[8];
      unsigned num = 0;
      char *p = line, *end;
      for (; num < 8; num++, p = end) {
         words[num] = strtoul(p, &end, 16);
         if (end == p)
            break;
      }
      struct isa_inst inst;
      if (decode(words, num, &inst))
         isa_print(gfx, &inst, text, sizeof(text));
      else
         strcpy(text, "(bad)");
      puts(text);
   }
   return 0;
}

int main(int argc, char **argv)
{
   unsigned uncovered = 0, ops = 0;
   if (argc > 2 && !strcmp(argv[argc - 1], "--wave32")) {
      wave32 = true;
      argc--;
   }
   if (argc < 2 || argv[1][0] == '-' || !choose(argv[1])) {
      fprintf(stderr, "usage: isa_cases GENERATION_NUMBER or PROCESSOR [OP | --decode | --table] [--wave32]\n");
      return 2;
   }
   if (argc > 2 && !strcmp(argv[2], "--decode"))
      return decode_lines();
   if (argc > 2 && !strcmp(argv[2], "--table")) {
      table = true;
      argc = 2;
   }
   for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
      if (!has(op) || (argc > 2 && strcmp(argv[2], isa_op_infos[op].name)))
         continue;
      unsigned before = num_cases;
      ops++;
      all_of(op);
      if (num_cases == before) {
         fprintf(stderr, "no case for %s\n", isa_op_infos[op].name);
         uncovered++;
      }
   }
   if (isa_has_vopd(gfx) && argc == 2)
      dual_ops();
   fprintf(stderr, "%u ops, %u cases, %u failures, %u ops without a case\n", ops, num_cases, num_failures, uncovered);
   return num_failures || uncovered;
}
