/* SPDX-License-Identifier: MIT */
/* Microcode formats of all generations, from the "Microcode Formats" chapters
 * of the ISA manuals. Fields that decide which operands exist (OFFEN, GLC, SEG)
 * stand before the operands: decode goes down a table in order. */
#include "layout_rows.h"

/* --- scalar formats, the same everywhere --- */
LAYOUT(sop2, 1, PREFIX(0x2, 2), OP(29, 23), R(SDST, dst, 22, 16), R(SSRC, src[1], 15, 8), R(SSRC, src[0], 7, 0));
LAYOUT(sopk, 1, PREFIX(0xb, 4), OP(27, 23), R(SOPK_REG, dst, 22, 16), U(imm, 15, 0));
/* GFX12 s_fmamk_f32: SSRC1 is src[2], the literal src[1] */
LAYOUT(sop2_mk, 1, PREFIX(0x2, 2), OP(29, 23), R(SDST, dst, 22, 16), R(SSRC, src[2], 15, 8), R(SSRC, src[0], 7, 0));
LAYOUT(sop1, 1, PREFIX(0x17d, 9), OP(15, 8), R(SDST, dst, 22, 16), R(SSRC, src[0], 7, 0));
LAYOUT(sop1_msg, 1, PREFIX(0x17d, 9), OP(15, 8), R(SDST, dst, 22, 16), U(imm, 7, 0));
LAYOUT(sopc, 1, PREFIX(0x17e, 9), OP(22, 16), R(SSRC, src[1], 15, 8), R(SSRC, src[0], 7, 0));
/* s_set_gpr_idx_on: SSRC1 is four mode bits */
LAYOUT(sopc_idx, 1, PREFIX(0x17e, 9), OP(22, 16), U(imm, 11, 8), R(SSRC, src[0], 7, 0));
LAYOUT(sopp, 1, PREFIX(0x17f, 9), OP(22, 16), U(imm, 15, 0));

/* --- scalar memory; offset and SOFFSET are handled in smem.c --- */
LAYOUT(smrd_gfx6, 1, PREFIX(0x18, 5), OP(26, 22), R(SDATA, dst, 21, 15), R(SBASE, src[0], 14, 9), FLAG(idxen, 8),
       U(offset, 7, 0));
LAYOUT(smem_gfx8, 2, PREFIX(0x30, 6), OP(25, 18), FLAG(idxen, 17), FLAG(glc, 16), R(SDATA, dst, 12, 6),
       R(SBASE, src[0], 5, 0), U(offset, 51, 32));
LAYOUT(smem_gfx9, 2, PREFIX(0x30, 6), OP(25, 18), FLAG(idxen, 17), FLAG(glc, 16), FLAG(nv, 15), FLAG(offen, 14),
       R(SDATA, dst, 12, 6), R(SBASE, src[0], 5, 0), S(offset, 52, 32), R(SSRC, src[1], 63, 57));
LAYOUT(smem_gfx10, 2, PREFIX(0x3d, 6), OP(25, 18), FLAG(glc, 16), FLAG(dlc, 14), R(SDATA, dst, 12, 6),
       R(SBASE, src[0], 5, 0), S(offset, 52, 32), R(SADDR, src[1], 63, 57));
LAYOUT(smem_gfx11, 2, PREFIX(0x3d, 6), OP(25, 18), FLAG(glc, 14), FLAG(dlc, 13), R(SDATA, dst, 12, 6),
       R(SBASE, src[0], 5, 0), S(offset, 52, 32), R(SADDR, src[1], 63, 57));
LAYOUT(smem_gfx12, 2, PREFIX(0x3d, 6), OP(18, 13), U(scope, 22, 21), U(th, 24, 23), R(SDATA, dst, 12, 6),
       R(SBASE, src[0], 5, 0), S(offset, 55, 32), R(SADDR, src[1], 63, 57));

/* --- VALU, one dword --- */
LAYOUT(vop2, 1, PREFIX(0, 1), OP(30, 25), R(VDST, dst, 24, 17), R(VGPR, src[1], 16, 9), R(SRC, src[0], 8, 0));
LAYOUT(vop2_mk, 1, PREFIX(0, 1), OP(30, 25), R(VDST, dst, 24, 17), R(VGPR, src[2], 16, 9), R(SRC, src[0], 8, 0));
LAYOUT(vop2_lane, 1, PREFIX(0, 1), OP(30, 25), R(VDST, dst, 24, 17), R(LANE, src[1], 16, 9), R(SRC, src[0], 8, 0));
LAYOUT(vop1, 1, PREFIX(0x3f, 7), OP(16, 9), R(VDST, dst, 24, 17), R(SRC, src[0], 8, 0));
LAYOUT(vopc, 1, PREFIX(0x3e, 7), OP(24, 17), R(VGPR, src[1], 16, 9), R(SRC, src[0], 8, 0));

/* --- VALU, the extra dword --- */
LAYOUT(sdwa_gfx8, 2, NO_PREFIX, U(sdwa_dst_sel, 42, 40), U(sdwa_dst_unused, 44, 43), FLAG(clamp, 45),
       U(sdwa_sel[0], 50, 48), U_AT(sdwa_sext, 51, 51, 0), U_AT(neg, 52, 52, 0), U_AT(abs, 53, 53, 0),
       U(sdwa_sel[1], 58, 56), U_AT(sdwa_sext, 59, 59, 1), U_AT(neg, 60, 60, 1), U_AT(abs, 61, 61, 1),
       R(VGPR, src[0], 39, 32));
LAYOUT(sdwa_vopc_gfx8, 2, NO_PREFIX, FLAG(clamp, 45), U(sdwa_sel[0], 50, 48), U_AT(sdwa_sext, 51, 51, 0),
       U_AT(neg, 52, 52, 0), U_AT(abs, 53, 53, 0), U(sdwa_sel[1], 58, 56), U_AT(sdwa_sext, 59, 59, 1),
       U_AT(neg, 60, 60, 1), U_AT(abs, 61, 61, 1), R(VGPR, src[0], 39, 32));
LAYOUT(sdwa_gfx9, 2, NO_PREFIX, U(sdwa_dst_sel, 42, 40), U(sdwa_dst_unused, 44, 43), FLAG(clamp, 45), U(omod, 47, 46),
       U(sdwa_sel[0], 50, 48), U_AT(sdwa_sext, 51, 51, 0), U_AT(neg, 52, 52, 0), U_AT(abs, 53, 53, 0),
       U(sdwa_sel[1], 58, 56), U_AT(sdwa_sext, 59, 59, 1), U_AT(neg, 60, 60, 1), U_AT(abs, 61, 61, 1),
       R(VGPR, src[0], 39, 32), R(SGPR_BIT, src[0], 55, 55), R(SGPR_BIT, src[1], 63, 63));
LAYOUT(sdwa_vopc_gfx9, 2, NO_PREFIX, R(SDWAB, dst, 47, 40), U(sdwa_sel[0], 50, 48), U_AT(sdwa_sext, 51, 51, 0),
       U_AT(neg, 52, 52, 0), U_AT(abs, 53, 53, 0), U(sdwa_sel[1], 58, 56), U_AT(sdwa_sext, 59, 59, 1),
       U_AT(neg, 60, 60, 1), U_AT(abs, 61, 61, 1), R(VGPR, src[0], 39, 32), R(SGPR_BIT, src[0], 55, 55),
       R(SGPR_BIT, src[1], 63, 63));
LAYOUT(dpp16_gfx8, 2, NO_PREFIX, U(dpp_ctrl, 48, 40), FLAG(dpp_bound_ctrl, 51), U_AT(neg, 52, 52, 0), U_AT(abs, 53, 53, 0),
       U_AT(neg, 54, 54, 1), U_AT(abs, 55, 55, 1), U(dpp_bank_mask, 59, 56), U(dpp_row_mask, 63, 60),
       R(VGPR, src[0], 39, 32));
LAYOUT(dpp16_gfx10, 2, NO_PREFIX, U(dpp_ctrl, 48, 40), FLAG(dpp_fi, 50), FLAG(dpp_bound_ctrl, 51), U_AT(neg, 52, 52, 0),
       U_AT(abs, 53, 53, 0), U_AT(neg, 54, 54, 1), U_AT(abs, 55, 55, 1), U(dpp_bank_mask, 59, 56),
       U(dpp_row_mask, 63, 60), R(VGPR, src[0], 39, 32));
LAYOUT(dpp8, 2, NO_PREFIX, U(dpp8_sel[0], 42, 40), U(dpp8_sel[1], 45, 43), U(dpp8_sel[2], 48, 46), U(dpp8_sel[3], 51, 49),
       U(dpp8_sel[4], 54, 52), U(dpp8_sel[5], 57, 55), U(dpp8_sel[6], 60, 58), U(dpp8_sel[7], 63, 61),
       R(VGPR, src[0], 39, 32));

/* the same behind a VOP3, which has modifiers of its own */
LAYOUT(dpp16_vop3, 3, NO_PREFIX, U(dpp_ctrl, 80, 72), FLAG(dpp_fi, 82), FLAG(dpp_bound_ctrl, 83),
       U(dpp_bank_mask, 91, 88), U(dpp_row_mask, 95, 92), R(VGPR, src[0], 71, 64));
LAYOUT(dpp8_vop3, 3, NO_PREFIX, U(dpp8_sel[0], 74, 72), U(dpp8_sel[1], 77, 75), U(dpp8_sel[2], 80, 78),
       U(dpp8_sel[3], 83, 81), U(dpp8_sel[4], 86, 84), U(dpp8_sel[5], 89, 87), U(dpp8_sel[6], 92, 90),
       U(dpp8_sel[7], 95, 93), R(VGPR, src[0], 71, 64));

/* --- VALU, two dwords --- */
#define VOP3_SRCS R(SRC, src[0], 40, 32), R(SRC, src[1], 49, 41), R(SRC, src[2], 58, 50)
LAYOUT(vop3_gfx6, 2, PREFIX(0x34, 6), OP(25, 17), FLAG(clamp, 11), U(abs, 10, 8), U(omod, 60, 59), U(neg, 63, 61),
       R(VDST, dst, 7, 0), VOP3_SRCS);
LAYOUT(vop3b_gfx6, 2, PREFIX(0x34, 6), OP(25, 17), U(omod, 60, 59), U(neg, 63, 61), R(VDST, dst, 7, 0),
       R(SDST, dst2, 14, 8), VOP3_SRCS);
LAYOUT(vop3_gfx8, 2, PREFIX(0x34, 6), OP(25, 16), FLAG(clamp, 15), U(abs, 10, 8), U(omod, 60, 59), U(neg, 63, 61),
       R(VDST, dst, 7, 0), VOP3_SRCS);
LAYOUT(vop3_gfx9, 2, PREFIX(0x34, 6), OP(25, 16), FLAG(clamp, 15), U(op_sel, 14, 11), U(abs, 10, 8), U(omod, 60, 59),
       U(neg, 63, 61), R(VDST, dst, 7, 0), VOP3_SRCS);
LAYOUT(vop3b_gfx8, 2, PREFIX(0x34, 6), OP(25, 16), FLAG(clamp, 15), U(omod, 60, 59), U(neg, 63, 61),
       R(VDST, dst, 7, 0), R(SDST, dst2, 14, 8), VOP3_SRCS);
LAYOUT(vop3_gfx10, 2, PREFIX(0x35, 6), OP(25, 16), FLAG(clamp, 15), U(op_sel, 14, 11), U(abs, 10, 8), U(omod, 60, 59),
       U(neg, 63, 61), R(VDST, dst, 7, 0), VOP3_SRCS);
LAYOUT(vop3b_gfx10, 2, PREFIX(0x35, 6), OP(25, 16), FLAG(clamp, 15), U(omod, 60, 59), U(neg, 63, 61),
       R(VDST, dst, 7, 0), R(SDST, dst2, 14, 8), VOP3_SRCS);
/* SRC0 holds ATTR 37:32, ATTRCHAN 39:38 and, for halves, HIGH 40. */
LAYOUT(vop3_interp_gfx8, 2, PREFIX(0x34, 6), OP(25, 16), FLAG(clamp, 15), U(omod, 60, 59), U_AT(neg, 62, 62, 0),
       U_AT(abs, 9, 9, 0), R(VDST, dst, 7, 0), U(attr, 37, 32), U(chan, 39, 38), R(SRC, src[0], 49, 41));
LAYOUT(vop3_interp16_gfx8, 2, PREFIX(0x34, 6), OP(25, 16), FLAG(clamp, 15), U(omod, 60, 59), U_AT(neg, 63, 62, 0),
       U_AT(abs, 10, 9, 0), R(VDST, dst, 7, 0), U(attr, 37, 32), U(chan, 39, 38), U_AT(op_sel, 40, 40, 0),
       R(SRC, src[0], 49, 41), R(SRC, src[1], 58, 50));
LAYOUT(vop3_interp_gfx10, 2, PREFIX(0x35, 6), OP(25, 16), FLAG(clamp, 15), U(omod, 60, 59), U_AT(neg, 62, 62, 0),
       U_AT(abs, 9, 9, 0), R(VDST, dst, 7, 0), U(attr, 37, 32), U(chan, 39, 38), R(SRC, src[0], 49, 41));
LAYOUT(vop3_interp16_gfx10, 2, PREFIX(0x35, 6), OP(25, 16), FLAG(clamp, 15), U(omod, 60, 59), U_AT(neg, 63, 62, 0),
       U_AT(abs, 10, 9, 0), U_AT(op_sel, 14, 14, 3), R(VDST, dst, 7, 0), U(attr, 37, 32), U(chan, 39, 38), U_AT(op_sel, 40, 40, 0),
       R(SRC, src[0], 49, 41), R(SRC, src[1], 58, 50));

#define VOP3P_FIELDS                                                                                        \
   OP(22, 16), FLAG(clamp, 15), U_AT(op_sel_hi, 14, 14, 2), U(op_sel, 13, 11), U(neg_hi, 10, 8),            \
   U(op_sel_hi, 60, 59), U(neg, 63, 61), R(VDST, dst, 7, 0), VOP3_SRCS
LAYOUT(vop3p_gfx9, 2, PREFIX(0x1a7, 9), VOP3P_FIELDS);
/* Matrix ops: no modifiers, but controls and banks of the sources in their place. */
LAYOUT(mai, 2, PREFIX(0x1a7, 9), OP(22, 16), U(abid, 14, 11), U(cbsz, 10, 8), U(blgp, 63, 61), R(VDST, dst, 7, 0),
       VOP3_SRCS, ACC(15, OPERAND_DST | OPERAND_SRC(2)), ACC(59, OPERAND_SRC(0)), ACC(60, OPERAND_SRC(1)));
LAYOUT(accvgpr, 2, PREFIX(0x1a7, 9), OP(22, 16), CONSTANT(1, 14, 14), CONSTANT(3, 60, 59), R(VDST, dst, 7, 0),
       R(SRC, src[0], 40, 32));
LAYOUT(vop3p_gfx10, 2, PREFIX(0xcc, 8), VOP3P_FIELDS);

LAYOUT(vintrp_gfx6, 1, PREFIX(0x32, 6), OP(17, 16), R(VDST, dst, 25, 18), U(attr, 15, 10), U(chan, 9, 8),
       R(VGPR, src[0], 7, 0));
LAYOUT(vintrp_gfx8, 1, PREFIX(0x35, 6), OP(17, 16), R(VDST, dst, 25, 18), U(attr, 15, 10), U(chan, 9, 8),
       R(VGPR, src[0], 7, 0));
LAYOUT(vinterp_gfx11, 2, PREFIX(0xcd, 8), OP(22, 16), FLAG(clamp, 15), U(op_sel, 14, 11), U(imm, 10, 8),
       U(neg, 63, 61), R(VDST, dst, 7, 0), VOP3_SRCS);
LAYOUT(ldsdir_gfx11, 1, PREFIX(0xce, 8), OP(21, 20), U(imm, 19, 16), U(attr, 15, 10), U(chan, 9, 8),
       R(VDST, dst, 7, 0));
LAYOUT(ldsdir_gfx12, 1, PREFIX(0xce, 8), OP(21, 20), FLAG(scc_cache, 23), U(imm, 19, 16), U(attr, 15, 10), U(chan, 9, 8),
       R(VDST, dst, 7, 0));

/* --- LDS --- */
#define DS_OPERANDS \
   U(offset, 15, 0), R(VGPR, src[0], 39, 32), R(VGPR, src[1], 47, 40), R(VGPR, src[2], 55, 48), R(VGPR, dst, 63, 56)
LAYOUT(ds_gfx6, 2, PREFIX(0x36, 6), OP(25, 18), FLAG(gds, 17), DS_OPERANDS);
LAYOUT(ds_gfx8, 2, PREFIX(0x36, 6), OP(24, 17), FLAG(gds, 16), DS_OPERANDS);
LAYOUT(ds_gfx90a, 2, PREFIX(0x36, 6), OP(24, 17), FLAG(gds, 16), DS_OPERANDS,
       ACC(25, OPERAND_DST | OPERAND_SRC(1) | OPERAND_SRC(2)));
LAYOUT(ds_gfx12, 2, PREFIX(0x36, 6), OP(25, 18), DS_OPERANDS);

/* --- buffers --- */
#define BUF_OPERANDS R(VGPR, src[0], 39, 32), R(VDATA, dst, 47, 40), R(SRSRC, src[1], 52, 48), R(SSRC, src[2], 63, 56)
LAYOUT(mubuf_gfx6, 2, PREFIX(0x38, 6), OP(24, 18), FLAG(lds, 16), FLAG(addr64, 15), FLAG(glc, 14), FLAG(idxen, 13),
       FLAG(offen, 12), FLAG(slc, 54), FLAG(tfe, 55), U(offset, 11, 0), BUF_OPERANDS);
LAYOUT(mubuf_gfx8, 2, PREFIX(0x38, 6), OP(24, 18), FLAG(slc, 17), FLAG(lds, 16), FLAG(glc, 14), FLAG(idxen, 13),
       FLAG(offen, 12), FLAG(tfe, 55), U(offset, 11, 0), BUF_OPERANDS);
LAYOUT(mubuf_gfx90a, 2, PREFIX(0x38, 6), OP(24, 18), FLAG(slc, 17), FLAG(lds, 16), FLAG(scc_cache, 15), FLAG(glc, 14),
       FLAG(idxen, 13), FLAG(offen, 12), U(offset, 11, 0), BUF_OPERANDS,
       ACC(55, OPERAND_DST | OPERAND_SRC(3)));
LAYOUT(mubuf_gfx10, 2, PREFIX(0x38, 6), OP(25, 18), FLAG(lds, 16), FLAG(dlc, 15), FLAG(glc, 14), FLAG(idxen, 13),
       FLAG(offen, 12), FLAG(slc, 54), FLAG(tfe, 55), U(offset, 11, 0), BUF_OPERANDS);
LAYOUT(mubuf_gfx11, 2, PREFIX(0x38, 6), OP(25, 18), FLAG(glc, 14), FLAG(dlc, 13), FLAG(slc, 12), FLAG(tfe, 53),
       FLAG(offen, 54), FLAG(idxen, 55), U(offset, 11, 0), BUF_OPERANDS);
LAYOUT(mtbuf_gfx6, 2, PREFIX(0x3a, 6), OP(18, 16), U(dfmt, 22, 19), U(nfmt, 25, 23), FLAG(addr64, 15), FLAG(glc, 14),
       FLAG(idxen, 13), FLAG(offen, 12), FLAG(slc, 54), FLAG(tfe, 55), U(offset, 11, 0), BUF_OPERANDS);
LAYOUT(mtbuf_gfx8, 2, PREFIX(0x3a, 6), OP(18, 15), U(dfmt, 22, 19), U(nfmt, 25, 23), FLAG(glc, 14), FLAG(idxen, 13),
       FLAG(offen, 12), FLAG(slc, 54), FLAG(tfe, 55), U(offset, 11, 0), BUF_OPERANDS);
LAYOUT(mtbuf_gfx90a, 2, PREFIX(0x3a, 6), OP(18, 15), U(dfmt, 22, 19), U(nfmt, 25, 23), FLAG(glc, 14), FLAG(idxen, 13),
       FLAG(offen, 12), FLAG(scc_cache, 53), FLAG(slc, 54), U(offset, 11, 0), BUF_OPERANDS,
       ACC(55, OPERAND_DST | OPERAND_SRC(3)));
LAYOUT(mtbuf_gfx10, 2, PREFIX(0x3a, 6), OP(18, 16), OP_AT(53, 53, 3), U(dfmt, 22, 19), U(nfmt, 25, 23), FLAG(dlc, 15),
       FLAG(glc, 14), FLAG(idxen, 13), FLAG(offen, 12), FLAG(slc, 54), FLAG(tfe, 55), U(offset, 11, 0), BUF_OPERANDS);
LAYOUT(mtbuf_gfx11, 2, PREFIX(0x3a, 6), OP(18, 15), U(dfmt, 22, 19), U(nfmt, 25, 23), FLAG(glc, 14), FLAG(dlc, 13),
       FLAG(slc, 12), FLAG(tfe, 53), FLAG(offen, 54), FLAG(idxen, 55), U(offset, 11, 0), BUF_OPERANDS);
#define VBUFFER_FIELDS \
   FLAG(tfe, 22), U(scope, 51, 50), U(th, 54, 52), FLAG(offen, 62), FLAG(idxen, 63), S(offset, 95, 72),      \
   R(VGPR, src[0], 71, 64), R(VDATA, dst, 39, 32), R(SSRC, src[1], 49, 41), R(SSRC, src[2], 6, 0)
#define VBUFFER_MATCH(typed) 0xc4000000u | (typed) << 21, P(6) | 0x200000
LAYOUT(mubuf_gfx12, 3, VBUFFER_MATCH(0), OP(21, 14), CONSTANT(1, 61, 55), VBUFFER_FIELDS);
LAYOUT(mtbuf_gfx12, 3, VBUFFER_MATCH(1), OP(21, 14), VBUFFER_FIELDS, U(dfmt, 58, 55), U(nfmt, 61, 59));

/* --- images --- */
#define IMG_OPERANDS R(VGPR, src[0], 39, 32), R(VDATA, dst, 47, 40), R(SRSRC, src[1], 52, 48), R(SRSRC, src[2], 57, 53)
LAYOUT(mimg_gfx6, 2, PREFIX(0x3c, 6), OP(24, 18), FLAG(slc, 25), FLAG(lwe, 17), FLAG(tfe, 16), FLAG(r128, 15),
       FLAG(da, 14), FLAG(glc, 13), FLAG(unorm, 12), U(dmask, 11, 8), IMG_OPERANDS);
LAYOUT(mimg_gfx8, 2, PREFIX(0x3c, 6), OP(24, 18), FLAG(slc, 25), FLAG(lwe, 17), FLAG(tfe, 16), FLAG(r128, 15),
       FLAG(da, 14), FLAG(glc, 13), FLAG(unorm, 12), U(dmask, 11, 8), FLAG(d16, 63), IMG_OPERANDS);
LAYOUT(mimg_gfx9, 2, PREFIX(0x3c, 6), OP(24, 18), FLAG(slc, 25), FLAG(lwe, 17), FLAG(tfe, 16), FLAG(a16, 15),
       FLAG(da, 14), FLAG(glc, 13), FLAG(unorm, 12), U(dmask, 11, 8), FLAG(d16, 63), IMG_OPERANDS);
LAYOUT(mimg_gfx90a, 2, PREFIX(0x3c, 6), OP(24, 18), FLAG(slc, 25), FLAG(lwe, 17), FLAG(a16, 15), FLAG(da, 14),
       FLAG(glc, 13), FLAG(unorm, 12), FLAG(scc_cache, 7), U(dmask, 11, 8), FLAG(d16, 63), IMG_OPERANDS,
       ACC(16, OPERAND_DST | OPERAND_SRC(3)));
LAYOUT(mimg_gfx10, 2, PREFIX(0x3c, 6), OP(24, 18), OP_AT(0, 0, 7), FLAG(slc, 25), FLAG(lwe, 17), FLAG(tfe, 16),
       FLAG(r128, 15), FLAG(glc, 13), FLAG(unorm, 12), U(dmask, 11, 8), FLAG(dlc, 7), U(dim, 5, 3), U(nsa_dwords, 2, 1),
       FLAG(a16, 62), FLAG(d16, 63), IMG_OPERANDS);
LAYOUT(mimg_gfx11, 2, PREFIX(0x3c, 6), OP(25, 18), FLAG(d16, 17), FLAG(a16, 16), FLAG(r128, 15), FLAG(glc, 14),
       FLAG(dlc, 13), FLAG(slc, 12), U(dmask, 11, 8), FLAG(unorm, 7), U(dim, 4, 2), U(nsa_dwords, 0, 0),
       FLAG(tfe, 53), FLAG(lwe, 54), R(VGPR, src[0], 39, 32), R(VDATA, dst, 47, 40), R(SRSRC, src[1], 52, 48),
       R(SRSRC, src[2], 62, 58));

/* GFX12: every address component has a field; the last takes a range. */
#define IMG_GFX12                                                                                            \
   U(scope, 51, 50), U(th, 54, 52), U(dmask, 25, 22), U(dim, 2, 0), FLAG(r128, 4), FLAG(d16, 5), FLAG(a16, 6), \
   R(VGPR, src[0], 71, 64), U(nsa_addr[0], 79, 72), U(nsa_addr[1], 87, 80), U(nsa_addr[2], 95, 88),          \
   R(VDATA, dst, 39, 32), R(SSRC, src[1], 49, 41)
LAYOUT(vimage_gfx12, 3, PREFIX(0x34, 6), OP(21, 14), FLAG(tfe, 55), IMG_GFX12, U(nsa_addr[3], 63, 56));
LAYOUT(vsample_gfx12, 3, PREFIX(0x39, 6), OP(21, 14), FLAG(tfe, 3), FLAG(unorm, 13), FLAG(lwe, 40), IMG_GFX12,
       R(SSRC, src[2], 63, 55));

/* --- flat --- */
LAYOUT(flat_gfx7, 2, PREFIX(0x37, 6), OP(24, 18), FLAG(slc, 17), FLAG(glc, 16), FLAG(tfe, 55), R(VGPR, src[0], 39, 32),
       R(VGPR, src[1], 47, 40), R(VGPR, dst, 63, 56));
#define FLAT_GFX9 OP(24, 18), FLAG(slc, 17), FLAG(glc, 16), FLAG(lds, 13)
#define FLAT_OPERANDS R(SADDR, src[2], 54, 48), R(VGPR, src[0], 39, 32), R(VGPR, src[1], 47, 40), R(VGPR, dst, 63, 56)
#define FLAT_MATCH(seg) 0xdc000000u | (seg) << 14, P(6) | 0xc000
LAYOUT(flat_gfx9, 2, FLAT_MATCH(0), FLAT_GFX9, FLAG(nv, 55), U(offset, 11, 0), FLAT_OPERANDS);
LAYOUT(scratch_gfx9, 2, FLAT_MATCH(1), FLAT_GFX9, FLAG(nv, 55), S(offset, 12, 0), FLAT_OPERANDS);
LAYOUT(global_gfx9, 2, FLAT_MATCH(2), FLAT_GFX9, FLAG(nv, 55), S(offset, 12, 0), FLAT_OPERANDS);
#define FLAT_ACC ACC(55, OPERAND_DST | OPERAND_SRC(1))
#define FLAT_GFX90A OP(24, 18), FLAG(scc_cache, 25), FLAG(slc, 17), FLAG(glc, 16)
LAYOUT(flat_gfx90a, 2, FLAT_MATCH(0), FLAT_GFX90A, U(offset, 11, 0), FLAT_OPERANDS, FLAT_ACC);
LAYOUT(scratch_gfx90a, 2, FLAT_MATCH(1), FLAT_GFX90A, FLAG(lds, 13), S(offset, 12, 0), FLAT_OPERANDS, FLAT_ACC);
LAYOUT(scratch_gfx940, 2, FLAT_MATCH(1), FLAT_GFX90A, FLAG(offen, 13), S(offset, 12, 0), FLAT_OPERANDS, FLAT_ACC);
LAYOUT(global_gfx90a, 2, FLAT_MATCH(2), FLAT_GFX90A, FLAG(lds, 13), S(offset, 12, 0), FLAT_OPERANDS, FLAT_ACC);
#define FLAT_GFX10 OP(24, 18), FLAG(slc, 17), FLAG(glc, 16), FLAG(lds, 13), FLAG(dlc, 12)
LAYOUT(flat_gfx10, 2, FLAT_MATCH(0), FLAT_GFX10, U(offset, 10, 0), FLAT_OPERANDS);
LAYOUT(scratch_gfx10, 2, FLAT_MATCH(1), FLAT_GFX10, S(offset, 11, 0), FLAT_OPERANDS);
LAYOUT(global_gfx10, 2, FLAT_MATCH(2), FLAT_GFX10, S(offset, 11, 0), FLAT_OPERANDS);
#define FLAT_MATCH11(seg) 0xdc000000u | (seg) << 16, P(6) | 0x30000
#define FLAT_GFX11 OP(24, 18), FLAG(slc, 15), FLAG(glc, 14), FLAG(dlc, 13)
LAYOUT(flat_gfx11, 2, FLAT_MATCH11(0), FLAT_GFX11, U(offset, 11, 0), FLAT_OPERANDS);
LAYOUT(scratch_gfx11, 2, FLAT_MATCH11(1), FLAT_GFX11, FLAG(offen, 55), S(offset, 12, 0), FLAT_OPERANDS);
LAYOUT(global_gfx11, 2, FLAT_MATCH11(2), FLAT_GFX11, S(offset, 12, 0), FLAT_OPERANDS);

#define FLAT_MATCH12(seg) 0xec000000u | (seg) << 24, P(8)
#define FLAT_GFX12                                                                                           \
   OP(21, 14), FLAG(nv, 7), U(scope, 51, 50), U(th, 54, 52), S(offset, 95, 72), R(SADDR, src[2], 6, 0), R(VGPR, src[0], 71, 64), \
   R(VGPR, src[1], 62, 55), R(VGPR, dst, 39, 32)
LAYOUT(flat_gfx12, 3, FLAT_MATCH12(0), FLAT_GFX12);
LAYOUT(scratch_gfx12, 3, FLAT_MATCH12(1), OP(21, 14), FLAG(offen, 49), FLAT_GFX12);
LAYOUT(global_gfx12, 3, FLAT_MATCH12(2), FLAT_GFX12);

/* --- exports --- */
#define EXP_OPERANDS R(VGPR, src[0], 39, 32), R(VGPR, src[1], 47, 40), R(VGPR, src[2], 55, 48), R(VGPR, src[3], 63, 56)
#define EXP_FIELDS FLAG(exp_done, 11), U(exp_target, 9, 4), U(exp_en, 3, 0), EXP_OPERANDS
LAYOUT(exp_gfx6, 2, PREFIX(0x3e, 6), FLAG(exp_vm, 12), FLAG(exp_compr, 10), EXP_FIELDS);
LAYOUT(exp_gfx8, 2, PREFIX(0x31, 6), FLAG(exp_vm, 12), FLAG(exp_compr, 10), EXP_FIELDS);
LAYOUT(exp_gfx11, 2, PREFIX(0x3e, 6), FLAG(exp_row, 13), EXP_FIELDS);

#define SCALAR_FORMATS                                                                     \
   [ISA_ENC_SOP2] = &sop2, [ISA_ENC_SOPK] = &sopk, [ISA_ENC_SOP1] = &sop1, [ISA_ENC_SOPC] = &sopc, \
   [ISA_ENC_SOPP] = &sopp, [LAYOUT_SOPC_IDX] = &sopc_idx, [LAYOUT_SOP1_MSG] = &sop1_msg, \
   [LAYOUT_SOP2_MK] = &sop2_mk
#define SHORT_VALU \
   [ISA_ENC_VOP2] = &vop2, [ISA_ENC_VOP1] = &vop1, [ISA_ENC_VOPC] = &vopc, [LAYOUT_VOP2_MK] = &vop2_mk
#define GFX6_FORMATS                                                                       \
   SCALAR_FORMATS, SHORT_VALU, [LAYOUT_VOP2_LANE] = &vop2_lane, [ISA_ENC_SMEM] = &smrd_gfx6,               \
   [ISA_ENC_VOP3] = &vop3_gfx6, [LAYOUT_VOP3B] = &vop3b_gfx6, [ISA_ENC_VINTRP] = &vintrp_gfx6,             \
   [ISA_ENC_DS] = &ds_gfx6, [ISA_ENC_MUBUF] = &mubuf_gfx6, [ISA_ENC_MTBUF] = &mtbuf_gfx6,                  \
   [ISA_ENC_MIMG] = &mimg_gfx6, [ISA_ENC_EXP] = &exp_gfx6
#define GFX9_FORMATS                                                                       \
   SCALAR_FORMATS, SHORT_VALU, [ISA_ENC_SMEM] = &smem_gfx9, [ISA_ENC_VOP3] = &vop3_gfx9,                   \
   [LAYOUT_VOP3B] = &vop3b_gfx8, [ISA_ENC_VOP3P] = &vop3p_gfx9, [ISA_ENC_DS] = &ds_gfx8,                   \
   [LAYOUT_SDWA] = &sdwa_gfx9, [LAYOUT_SDWA_VOPC] = &sdwa_vopc_gfx9, [LAYOUT_DPP16] = &dpp16_gfx8
#define CDNA_FORMATS                                                                       \
   [LAYOUT_MAI] = &mai, [LAYOUT_ACCVGPR] = &accvgpr, [ISA_ENC_DS] = &ds_gfx90a,                            \
   [ISA_ENC_MUBUF] = &mubuf_gfx90a, [ISA_ENC_MTBUF] = &mtbuf_gfx90a, [ISA_ENC_FLAT] = &flat_gfx90a,        \
   [ISA_ENC_GLOBAL] = &global_gfx90a, [ISA_ENC_SCRATCH] = &scratch_gfx90a
#define GFX10_FORMATS                                                                      \
   SCALAR_FORMATS, SHORT_VALU, [ISA_ENC_SMEM] = &smem_gfx10, [ISA_ENC_VOP3] = &vop3_gfx10,                 \
   [LAYOUT_VOP3B] = &vop3b_gfx10, [LAYOUT_VOP3_INTERP] = &vop3_interp_gfx10,                               \
   [LAYOUT_VOP3_INTERP16] = &vop3_interp16_gfx10, [ISA_ENC_VOP3P] = &vop3p_gfx10,                          \
   [ISA_ENC_VINTRP] = &vintrp_gfx6, [ISA_ENC_DS] = &ds_gfx6, [ISA_ENC_MUBUF] = &mubuf_gfx10,               \
   [ISA_ENC_MTBUF] = &mtbuf_gfx10, [ISA_ENC_MIMG] = &mimg_gfx10, [ISA_ENC_FLAT] = &flat_gfx10,             \
   [ISA_ENC_GLOBAL] = &global_gfx10, [ISA_ENC_SCRATCH] = &scratch_gfx10, [ISA_ENC_EXP] = &exp_gfx6,        \
   [LAYOUT_SDWA] = &sdwa_gfx9, [LAYOUT_SDWA_VOPC] = &sdwa_vopc_gfx9, [LAYOUT_DPP16] = &dpp16_gfx10,        \
   [LAYOUT_DPP8] = &dpp8

const struct isa_layout *const isa_layouts[TGSIAMD_GFX_COUNT][LAYOUT_COUNT] = {
   [TGSIAMD_GFX6] = {GFX6_FORMATS},
   [TGSIAMD_GFX7] = {GFX6_FORMATS, [ISA_ENC_FLAT] = &flat_gfx7},
   [TGSIAMD_GFX8] = {SCALAR_FORMATS, SHORT_VALU, [ISA_ENC_SMEM] = &smem_gfx8, [ISA_ENC_VOP3] = &vop3_gfx8,
                     [LAYOUT_VOP3B] = &vop3b_gfx8, [LAYOUT_VOP3_INTERP] = &vop3_interp_gfx8,
                     [LAYOUT_VOP3_INTERP16] = &vop3_interp16_gfx8, [ISA_ENC_VINTRP] = &vintrp_gfx8,
                     [ISA_ENC_DS] = &ds_gfx8, [ISA_ENC_MUBUF] = &mubuf_gfx8, [ISA_ENC_MTBUF] = &mtbuf_gfx8,
                     [ISA_ENC_MIMG] = &mimg_gfx8, [ISA_ENC_FLAT] = &flat_gfx7, [ISA_ENC_EXP] = &exp_gfx8,
                     [LAYOUT_SDWA] = &sdwa_gfx8, [LAYOUT_SDWA_VOPC] = &sdwa_vopc_gfx8, [LAYOUT_DPP16] = &dpp16_gfx8},
   [TGSIAMD_GFX9] = {GFX9_FORMATS, [LAYOUT_VOP3_INTERP] = &vop3_interp_gfx8,
                     [LAYOUT_VOP3_INTERP16] = &vop3_interp16_gfx8, [ISA_ENC_VINTRP] = &vintrp_gfx8,
                     [ISA_ENC_MUBUF] = &mubuf_gfx8, [ISA_ENC_MTBUF] = &mtbuf_gfx8, [ISA_ENC_MIMG] = &mimg_gfx9,
                     [ISA_ENC_FLAT] = &flat_gfx9, [ISA_ENC_GLOBAL] = &global_gfx9, [ISA_ENC_SCRATCH] = &scratch_gfx9,
                     [ISA_ENC_EXP] = &exp_gfx8},
   [TGSIAMD_GFX90A] = {GFX9_FORMATS, CDNA_FORMATS, [ISA_ENC_MIMG] = &mimg_gfx90a},
   [TGSIAMD_GFX940] = {GFX9_FORMATS, CDNA_FORMATS, [ISA_ENC_SCRATCH] = &scratch_gfx940},
   [TGSIAMD_GFX950] = {GFX9_FORMATS, CDNA_FORMATS, [ISA_ENC_SCRATCH] = &scratch_gfx940},
   [TGSIAMD_GFX10] = {GFX10_FORMATS},
   [TGSIAMD_GFX10_3] = {GFX10_FORMATS},
   [TGSIAMD_GFX11] = {SCALAR_FORMATS, SHORT_VALU, [ISA_ENC_SMEM] = &smem_gfx11, [ISA_ENC_VOP3] = &vop3_gfx10,
                      [LAYOUT_VOP3B] = &vop3b_gfx10, [ISA_ENC_VOP3P] = &vop3p_gfx10, [ISA_ENC_VINTERP] = &vinterp_gfx11,
                      [ISA_ENC_LDSDIR] = &ldsdir_gfx11, [ISA_ENC_DS] = &ds_gfx6, [ISA_ENC_MUBUF] = &mubuf_gfx11,
                      [ISA_ENC_MTBUF] = &mtbuf_gfx11, [ISA_ENC_MIMG] = &mimg_gfx11, [ISA_ENC_FLAT] = &flat_gfx11,
                      [ISA_ENC_GLOBAL] = &global_gfx11, [ISA_ENC_SCRATCH] = &scratch_gfx11, [ISA_ENC_EXP] = &exp_gfx11,
                      [LAYOUT_DPP16] = &dpp16_gfx10, [LAYOUT_DPP8] = &dpp8,
                      [LAYOUT_DPP16_VOP3] = &dpp16_vop3, [LAYOUT_DPP8_VOP3] = &dpp8_vop3},
   [TGSIAMD_GFX12] = {SCALAR_FORMATS, SHORT_VALU, [ISA_ENC_SMEM] = &smem_gfx12, [ISA_ENC_VOP3] = &vop3_gfx10,
                      [LAYOUT_VOP3B] = &vop3b_gfx10, [ISA_ENC_VOP3P] = &vop3p_gfx10, [ISA_ENC_VINTERP] = &vinterp_gfx11,
                      [ISA_ENC_LDSDIR] = &ldsdir_gfx12, [ISA_ENC_DS] = &ds_gfx12, [ISA_ENC_MUBUF] = &mubuf_gfx12,
                      [ISA_ENC_MTBUF] = &mtbuf_gfx12,
                      [ISA_ENC_MIMG] = &vimage_gfx12, [LAYOUT_VSAMPLE] = &vsample_gfx12, [ISA_ENC_FLAT] = &flat_gfx12,
                      [ISA_ENC_GLOBAL] = &global_gfx12, [ISA_ENC_SCRATCH] = &scratch_gfx12, [ISA_ENC_EXP] = &exp_gfx11, [LAYOUT_DPP16] = &dpp16_gfx10,
                      [LAYOUT_DPP8] = &dpp8, [LAYOUT_DPP16_VOP3] = &dpp16_vop3, [LAYOUT_DPP8_VOP3] = &dpp8_vop3},
};

const struct isa_scalars isa_scalars[TGSIAMD_GFX_COUNT] = {
   [TGSIAMD_GFX6] = {.max_sgpr = 103, .ttmp0 = 112, .num_ttmp = 12, .has_tba = true, .has_vccz = true,
                     .has_lds_direct = true},
   [TGSIAMD_GFX7] = {.max_sgpr = 103, .flat_scratch = 104, .ttmp0 = 112, .num_ttmp = 12, .has_tba = true,
                     .has_vccz = true, .has_lds_direct = true},
   [TGSIAMD_GFX8] = {.max_sgpr = 101, .flat_scratch = 102, .ttmp0 = 112, .num_ttmp = 12, .has_tba = true, .has_inv_2pi = true, .has_vccz = true, .has_lds_direct = true},
#define GFX9_SCALARS                                                                                       \
   .max_sgpr = 101, .flat_scratch = 102, .xnack_mask = 104, .ttmp0 = 108, .num_ttmp = 16,                  \
   .has_apertures = true, .has_pops = true, .has_inv_2pi = true, .has_vccz = true
   [TGSIAMD_GFX9] = {GFX9_SCALARS, .has_lds_direct = true},
   [TGSIAMD_GFX90A] = {GFX9_SCALARS},
   [TGSIAMD_GFX940] = {GFX9_SCALARS},
   [TGSIAMD_GFX950] = {GFX9_SCALARS},
#define GFX10_SCALARS                                                                                      \
   .max_sgpr = 105, .ttmp0 = 108, .num_ttmp = 16, .has_null = true, .has_apertures = true, .has_inv_2pi = true
   [TGSIAMD_GFX10] = {GFX10_SCALARS, .has_pops = true, .has_vccz = true, .has_lds_direct = true},
   [TGSIAMD_GFX10_3] = {GFX10_SCALARS, .has_pops = true, .has_vccz = true, .has_lds_direct = true},
   [TGSIAMD_GFX11] = {GFX10_SCALARS, .swap_m0_null = true},
   [TGSIAMD_GFX12] = {GFX10_SCALARS, .swap_m0_null = true},
};
