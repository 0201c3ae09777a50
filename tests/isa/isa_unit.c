/* SPDX-License-Identifier: MIT */
/* Unit tests of src/isa: limits, waits, hazards, names, constants, refusals, and
 * golden vectors from the files named on the command line (dwords|text). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../args.h"
#include "tgsiamd/isa.h"

static unsigned failures;

#define CHECK(cond)                                                        \
   do {                                                                    \
      if (!(cond)) {                                                       \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);        \
         failures++;                                                       \
      }                                                                    \
   } while (0)

static const enum tgsiamd_gfx GFX9 = TGSIAMD_GFX9;

static void test_waitcnt(void)
{
   unsigned vm, exp, lgkm;
   /* s_waitcnt's SIMM16 as the assembler makes it */
   CHECK(isa_waitcnt_pack(GFX9, 0, 0, 0) == 0);
   CHECK(isa_waitcnt_pack(GFX9, 63, 7, 15) == 0xcf7f);
   CHECK(isa_waitcnt_pack(GFX9, 1000, 1000, 1000) == 0xcf7f);
   CHECK(isa_waitcnt_pack(GFX9, 16, 7, 15) == 0x4f70);
   CHECK(isa_waitcnt_pack(TGSIAMD_GFX8, 99, 99, 99) == 0x0f7f);
   CHECK(isa_waitcnt_pack(TGSIAMD_GFX10_3, 99, 99, 99) == 0xff7f);
   CHECK(isa_waitcnt_pack(TGSIAMD_GFX11, 99, 99, 99) == 0xfff7);
   for (unsigned gfx = 0; gfx < TGSIAMD_GFX_COUNT; gfx++) {
      const struct isa_limits *l = isa_limits(gfx);
      for (unsigned v = 0; v <= l->max_vmcnt; v++) {
         isa_waitcnt_unpack(gfx, isa_waitcnt_pack(gfx, v, v & 7, v & l->max_lgkmcnt), &vm, &exp, &lgkm);
         CHECK(vm == v && exp == (v & 7) && lgkm == (v & l->max_lgkmcnt));
      }
   }
}

static void test_limits(void)
{
   const struct isa_limits *l = isa_limits(GFX9);
   CHECK(l->max_sgprs == 102 && l->sgpr_granule == 16 && l->phys_sgprs_per_simd == 800);
   CHECK(l->max_vgprs == 256 && l->vgpr_granule == 4 && l->max_waves_per_simd == 10 && l->simds_per_cu == 4);
   CHECK(l->max_vmcnt == 63 && l->constant_bus_limit == 1 && !l->vop3_literal && !l->has_wave32);
   CHECK(isa_limits(TGSIAMD_GFX10_3)->constant_bus_limit == 2 && isa_limits(TGSIAMD_GFX10_3)->vop3_literal);
}

/* What keeps a wave: all of it on GCN, the issue alone on RDNA and for memory. */
static void test_latency(void)
{
   CHECK(isa_issue_clocks(GFX9) == 4 && isa_issue_clocks(TGSIAMD_GFX11) == 1);
   CHECK(isa_latency(GFX9, ISA_V_RCP_F32) == 16 && isa_clocks(GFX9, ISA_V_RCP_F32).busy == 16);
   CHECK(isa_latency(TGSIAMD_GFX11, ISA_V_RCP_F32) == 10 && isa_clocks(TGSIAMD_GFX11, ISA_V_RCP_F32).busy == 1);
   CHECK(isa_latency(GFX9, ISA_S_LOAD_DWORD) == 120 && isa_clocks(GFX9, ISA_S_LOAD_DWORD).busy == 4);
   CHECK(isa_latency(TGSIAMD_GFX10_3, ISA_IMAGE_SAMPLE) > 255 && isa_clocks(TGSIAMD_GFX10_3, ISA_IMAGE_SAMPLE).busy == 1);
   CHECK(isa_latency(TGSIAMD_GFX10_3, ISA_V_FMA_F64) == 22 && isa_latency(TGSIAMD_GFX11, ISA_V_FMA_F64) == 38);
}

static void test_names(void)
{
   CHECK(isa_op_by_name(GFX9, "v_add_f32") == ISA_V_ADD_F32);
   CHECK(isa_op_by_name(GFX9, "v_add_u32") == ISA_V_ADD_U32);
   CHECK(isa_op_by_name(GFX9, "v_add_co_u32") == ISA_V_ADD_CO_U32);
   /* one mnemonic, three meanings */
   CHECK(isa_op_by_name(TGSIAMD_GFX8, "v_add_u32") == ISA_V_ADD_CO_U32);
   CHECK(isa_op_by_name(TGSIAMD_GFX6, "v_add_i32") == ISA_V_ADD_CO_U32);
   CHECK(isa_op_by_name(TGSIAMD_GFX10_3, "v_add_nc_u32") == ISA_V_ADD_U32);
   CHECK(isa_op_by_name(TGSIAMD_GFX11, "buffer_load_b32") == ISA_BUFFER_LOAD_DWORD);
   CHECK(isa_op_by_name(TGSIAMD_GFX11, "v_mad_f32") == ISA_OP_COUNT);
   CHECK(isa_op_by_name(GFX9, "v_nonsense") == ISA_OP_COUNT);
   CHECK(!strcmp(isa_op_infos[ISA_IMAGE_SAMPLE_L_O].name, "image_sample_l_o"));
   CHECK(isa_op_infos[ISA_V_MUL_F32].opcode[GFX9] == 5 && isa_op_infos[ISA_V_MUL_F32].opcode[TGSIAMD_GFX10] == 8);
}

static void test_constants(void)
{
   uint16_t operand = 0;
   CHECK(isa_inline_constant(GFX9, 0, &operand) && operand == 128);
   CHECK(isa_inline_constant(GFX9, 64, &operand) && operand == 192);
   CHECK(isa_inline_constant(GFX9, (uint32_t)-16, &operand) && operand == 208);
   CHECK(isa_inline_constant(GFX9, 0x3f800000, &operand) && operand == ISA_F_1);
   CHECK(isa_inline_constant(GFX9, 0x3e22f983, &operand) && operand == ISA_F_INV_2PI);
   CHECK(!isa_inline_constant(TGSIAMD_GFX6, 0x3e22f983, &operand));
   CHECK(!isa_inline_constant(GFX9, 65, &operand) && !isa_inline_constant(GFX9, (uint32_t)-17, &operand));
}

static struct isa_inst valu2(enum isa_op op, unsigned enc, uint16_t dst, uint16_t a, uint16_t b)
{
   struct isa_inst inst;
   isa_inst_init(&inst, op);
   inst.enc = enc;
   inst.dst = dst;
   inst.src[0] = a;
   inst.src[1] = b;
   return inst;
}

static bool refused(struct isa_inst inst)
{
   uint32_t words[8];
   const char *why = NULL;
   return isa_encode(GFX9, &inst, words, &why) == 0 && why != NULL;
}

static void test_refusals(void)
{
   const unsigned E32 = ISA_ENC_VOP2, E64 = ISA_ENC_VOP3;
   CHECK(!refused(valu2(ISA_V_ADD_F32, E32, ISA_VGPR(0), ISA_SGPR(4), ISA_VGPR(1))));
   CHECK(refused(valu2(ISA_V_ADD_F32, E32, ISA_VGPR(0), ISA_VGPR(1), ISA_SGPR(4)))); /* src1 is a VGPR in VOP2 */
   CHECK(!refused(valu2(ISA_V_ADD_F32, E64, ISA_VGPR(0), ISA_VGPR(1), ISA_SGPR(4))));
   CHECK(refused(valu2(ISA_V_ADD_F32, E64, ISA_VGPR(0), ISA_SGPR(5), ISA_SGPR(4)))); /* constant bus */
   CHECK(!refused(valu2(ISA_V_ADD_F32, E64, ISA_VGPR(0), ISA_SGPR(4), ISA_SGPR(4))));
   CHECK(refused(valu2(ISA_V_ADD_F32, E64, ISA_VGPR(0), ISA_LITERAL, ISA_VGPR(4)))); /* no literal in VOP3 */
   CHECK(refused(valu2(ISA_V_ADD_F32, E32, ISA_SGPR(0), ISA_VGPR(0), ISA_VGPR(1))));
   CHECK(refused(valu2(ISA_V_ADD_F32, E32, ISA_VGPR(0), ISA_VGPR(0), ISA_NONE)));
   CHECK(refused(valu2(ISA_V_ADD_F64, E64, ISA_VGPR(255), ISA_VGPR(0), ISA_VGPR(2)))); /* v[255:256] */
   CHECK(refused(valu2(ISA_V_XNOR_B32, E32, ISA_VGPR(0), ISA_VGPR(0), ISA_VGPR(1))));  /* not on GFX9 */
   struct isa_inst mods = valu2(ISA_V_ADD_F32, E32, ISA_VGPR(0), ISA_VGPR(0), ISA_VGPR(1));
   mods.neg = 1;
   CHECK(refused(mods));
   mods.enc = E64;
   CHECK(!refused(mods));
   mods.neg = 4;
   CHECK(refused(mods));
   mods = valu2(ISA_V_AND_B32, E64, ISA_VGPR(0), ISA_VGPR(0), ISA_VGPR(1));
   mods.neg = 1;
   CHECK(refused(mods));

   struct isa_inst load;
   isa_inst_init(&load, ISA_BUFFER_LOAD_DWORD);
   load.dst = ISA_VGPR(0);
   load.src[1] = ISA_SGPR(4);
   load.src[2] = ISA_INT_0;
   CHECK(!refused(load));
   load.offset = 4096;
   CHECK(refused(load));
   load.offset = 0;
   load.src[1] = ISA_SGPR(5);
   CHECK(refused(load));
   load.src[1] = ISA_SGPR(4);
   load.offen = true; /* and no VADDR */
   CHECK(refused(load));
}

static void test_bad_code(void)
{
   static const uint32_t bad[][2] = {
      {0xffffffff, 0xffffffff},
      {0xd1010000, 0x04000000 | 0x1d5}, /* source code 213 */
      {0xdc500000 | 3 << 14, 0x007f0000}, /* FLAT segment 3 */
   };
   struct isa_inst inst;
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
      CHECK(isa_decode(GFX9, bad[i], 2, &inst) == 0);
   const uint32_t ignored = 0xbf8c3001; /* s_waitcnt vmcnt(1) expcnt(0) lgkmcnt(0), two unused bits set */
   CHECK(isa_decode(GFX9, &ignored, 1, &inst) == 1 && inst.imm == 1);
   const uint32_t cut = 0xd1010000; /* VOP3's second dword is missing */
   CHECK(isa_decode(GFX9, &cut, 1, &inst) == 0);
   const uint32_t literal = 0x020000ff;
   CHECK(isa_decode(GFX9, &literal, 1, &inst) == 0);
   CHECK(isa_decode(GFX9, &literal, 0, &inst) == 0);
}

/* The constant offset 255 of GFX7 is the number that elsewhere says that a literal follows. */
static void test_offset_255(void)
{
   const uint32_t load[2] = {0xc07125ff, 0}, far[2] = {0xc0712400 | ISA_LITERAL, 256}; /* s_load_dwordx2 s[34:35], s[36:37], 0xff */
   struct isa_inst inst;
   uint32_t code[8];
   CHECK(isa_decode(TGSIAMD_GFX7, load, 2, &inst) == 1 && inst.offset == 255 * 4);
   CHECK(isa_encode(TGSIAMD_GFX7, &inst, code, NULL) == 1 && code[0] == load[0]);
   inst.offset = 256 * 4;
   CHECK(isa_encode(TGSIAMD_GFX7, &inst, code, NULL) == 2 && code[0] == far[0] && code[1] == far[1]);
}

static void test_hazards(void)
{
   struct isa_inst write = valu2(ISA_V_CMP_LT_F32, ISA_ENC_VOP3, ISA_SGPR(8), ISA_VGPR(0), ISA_VGPR(1));
   struct isa_inst lane = valu2(ISA_V_READLANE_B32, ISA_ENC_VOP3, ISA_SGPR(0), ISA_VGPR(0), ISA_SGPR(8));
   CHECK(isa_hazard_states(GFX9, &write, &lane) == 4);
   lane.src[1] = ISA_SGPR(10);
   CHECK(isa_hazard_states(GFX9, &write, &lane) == 0);

   struct isa_inst load;
   isa_inst_init(&load, ISA_BUFFER_LOAD_DWORD);
   load.dst = ISA_VGPR(0);
   load.src[1] = ISA_SGPR(8);
   load.src[2] = ISA_INT_0;
   CHECK(isa_hazard_states(GFX9, &write, &load) == 5);
   load.src[1] = ISA_SGPR(12);
   CHECK(isa_hazard_states(GFX9, &write, &load) == 0);
   load.src[2] = ISA_SGPR(9);
   CHECK(isa_hazard_states(GFX9, &write, &load) == 5);

   struct isa_inst fmas = valu2(ISA_V_DIV_FMAS_F32, ISA_ENC_VOP3, ISA_VGPR(0), ISA_VGPR(0), ISA_VGPR(1));
   fmas.src[2] = ISA_VGPR(2);
   write.dst = ISA_VCC;
   CHECK(isa_hazard_states(GFX9, &write, &fmas) == 4);

   struct isa_inst mov = valu2(ISA_V_MOV_B32, ISA_ENC_VOP1, ISA_VGPR(3), ISA_VGPR(9), ISA_NONE);
   struct isa_inst dpp = valu2(ISA_V_MOV_B32, ISA_ENC_VOP1, ISA_VGPR(4), ISA_VGPR(3), ISA_NONE);
   dpp.form = ISA_FORM_DPP16;
   CHECK(isa_hazard_states(GFX9, &mov, &dpp) == 2);
   dpp.src[0] = ISA_VGPR(5);
   CHECK(isa_hazard_states(GFX9, &mov, &dpp) == 0);

   struct isa_inst m0 = valu2(ISA_S_MOV_B32, ISA_ENC_SOP1, ISA_M0, ISA_SGPR(0), ISA_NONE);
   struct isa_inst interp = valu2(ISA_V_INTERP_P1_F32, ISA_ENC_VINTRP, ISA_VGPR(0), ISA_VGPR(1), ISA_NONE);
   CHECK(isa_hazard_states(GFX9, &m0, &interp) == 1);

   struct isa_inst store;
   isa_inst_init(&store, ISA_BUFFER_STORE_DWORDX4);
   store.src[1] = ISA_SGPR(8);
   store.src[2] = ISA_INT_0;
   store.src[3] = ISA_VGPR(0);
   CHECK(isa_hazard_states(GFX9, &store, &mov) == 1);
   store.src[3] = ISA_VGPR(4);
   CHECK(isa_hazard_states(GFX9, &store, &mov) == 0);
   CHECK(isa_hazard_window(GFX9) == 5);
}

static bool encodes(enum tgsiamd_gfx gfx, struct isa_inst inst)
{
   uint32_t words[8];
   const char *why = NULL;
   unsigned num = isa_encode(gfx, &inst, words, &why);
   CHECK(num || why);
   return num != 0;
}

static void test_dual(void)
{
   struct isa_inst d;
   isa_inst_init(&d, ISA_V_ADD_F32);
   d.enc = ISA_ENC_VOPD;
   d.op_y = ISA_V_MUL_F32;
   d.dst = ISA_VGPR(2);
   d.dst2 = ISA_VGPR(5);
   d.src[0] = ISA_VGPR(0);
   d.src[1] = ISA_VGPR(4);
   d.src[2] = ISA_VGPR(1);
   d.src[3] = ISA_VGPR(7);
   CHECK(encodes(TGSIAMD_GFX11, d) && encodes(TGSIAMD_GFX12, d) && !encodes(TGSIAMD_GFX10_3, d));
   struct isa_inst bad = d;
   bad.dst2 = ISA_VGPR(4); /* both even */
   CHECK(!encodes(TGSIAMD_GFX11, bad));
   bad = d;
   bad.src[2] = ISA_VGPR(8); /* bank of v0 */
   CHECK(!encodes(TGSIAMD_GFX11, bad));
   bad = d;
   bad.src[3] = ISA_SGPR(7);
   CHECK(!encodes(TGSIAMD_GFX11, bad));
   bad = d;
   bad.op = ISA_V_AND_B32; /* Y only */
   CHECK(!encodes(TGSIAMD_GFX11, bad));
   bad = d;
   bad.op = bad.op_y = ISA_V_CNDMASK_B32; /* VCC and two SGPRs */
   CHECK(encodes(TGSIAMD_GFX11, bad));
   bad.src[0] = ISA_SGPR(1);
   CHECK(encodes(TGSIAMD_GFX11, bad));
   bad.src[2] = ISA_SGPR(2);
   CHECK(!encodes(TGSIAMD_GFX11, bad));
   bad = d;
   bad.op = bad.op_y = ISA_V_MOV_B32; /* the same bank, two moves: from GFX12 on */
   bad.src[1] = bad.src[3] = ISA_NONE;
   bad.src[2] = ISA_VGPR(4);
   CHECK(!encodes(TGSIAMD_GFX11, bad) && encodes(TGSIAMD_GFX12, bad));
}

static void test_accumulators(void)
{
   struct isa_inst m;
   isa_inst_init(&m, ISA_V_MFMA_F32_32X32X2F32);
   m.dst = ISA_AGPR(0);
   m.src[0] = ISA_VGPR(0);
   m.src[1] = ISA_AGPR(1);
   m.src[2] = ISA_AGPR(0);
   CHECK(encodes(TGSIAMD_GFX90A, m) && !encodes(GFX9, m));
   m.src[2] = ISA_VGPR(0); /* the destination's bank */
   CHECK(!encodes(TGSIAMD_GFX90A, m));
   m.src[2] = ISA_AGPR(8); /* overlaps in part */
   CHECK(!encodes(TGSIAMD_GFX90A, m));
   m.src[2] = ISA_AGPR(16);
   CHECK(encodes(TGSIAMD_GFX90A, m));
   m.dst = ISA_AGPR(242); /* a[242:257] */
   CHECK(!encodes(TGSIAMD_GFX90A, m));
   struct isa_inst read;
   isa_inst_init(&read, ISA_V_ACCVGPR_READ_B32);
   read.dst = ISA_VGPR(1);
   read.src[0] = ISA_AGPR(2);
   CHECK(encodes(TGSIAMD_GFX90A, read));
   read.src[0] = ISA_VGPR(2);
   CHECK(!encodes(TGSIAMD_GFX90A, read));
   CHECK(!encodes(TGSIAMD_GFX90A, valu2(ISA_V_ADD_F32, ISA_ENC_VOP2, ISA_AGPR(0), ISA_VGPR(0), ISA_VGPR(1))));
}

static unsigned decode_all(enum tgsiamd_gfx gfx, const char *text, struct isa_inst insts[8])
{
   uint32_t words[16];
   unsigned n = 0, num = 0;
   for (char *end; n < 16; n++, text = end) {
      words[n] = strtoul(text, &end, 16);
      if (end == text)
         break;
   }
   for (unsigned at = 0, used; at < n && num < 8; at += used) {
      used = isa_decode(gfx, words + at, n - at, &insts[num++]);
      CHECK(used != 0);
      if (!used)
         break;
   }
   return num;
}

/* Walks back from the last of the instructions to `first`. */
static bool hazardous(enum tgsiamd_gfx gfx, enum isa_hazard hazard, struct isa_inst *insts, unsigned first, unsigned num,
                      struct isa_hazard_walk *w)
{
   enum isa_hazard_step step = ISA_HAZARD_GO_ON;
   if (!isa_hazard_begin(gfx, hazard, &insts[num - 1], w))
      return false;
   for (unsigned i = num - 1; i > first && step == ISA_HAZARD_GO_ON; i--)
      step = isa_hazard_back(gfx, w, &insts[i - 1]);
   return step == ISA_HAZARD_FOUND;
}

/* A case for each; isa_hazards.py has the many, against LLVM. */
static void test_named_hazards(void)
{
   static const struct {
      enum isa_hazard hazard;
      enum tgsiamd_gfx gfx;
      const char *code;
      uint32_t remedy; /* what ends it, or the last instruction changed */
   } cases[] = {
      /* buffer_load soffset s8; s_mov s8 */
      {ISA_HAZARD_VMEM_SCALAR_WRITE, TGSIAMD_GFX10, "e0300000 08104600 be880380", 0xbfa3ff03},
      /* s_load s8; v_readfirstlane s8: s_mov null */
      {ISA_HAZARD_SMEM_VECTOR_WRITE, TGSIAMD_GFX10, "f4001404 fa000000 7e10053c", 0xbefd0380},
      /* v_cmpx; v_permlane16 v0: v_mov v0, v0 */
      {ISA_HAZARD_VCMPX_PERMLANE, TGSIAMD_GFX10, "7c227b3c d777004e 00f47b00", 0x7e000300},
      /* exp v0; v_cmpx */
      {ISA_HAZARD_VCMPX_EXEC_WAR, TGSIAMD_GFX10, "f800000f 3c3c3c00 7c227b3c", 0xbfa3ff1e},
      /* ds_read v0; s_cbranch_scc1; buffer_load to v0: s_waitcnt_vscnt null */
      {ISA_HAZARD_LDS_BRANCH_VMEM, TGSIAMD_GFX10, "d8d80000 46000000 bf850000 e0300000 80100000", 0xbbfd0000},
      /* image_sample_d, 5 addresses apart; buffer_load offset:6 */
      {ISA_HAZARD_NSA_VMEM, TGSIAMD_GFX10, "f0880f0c 0250463c 32281e14 00000036 e0300006 80104600", 0xbf800000},
      /* global_atomic_fmin; s_mov s9; s_denorm_mode: two states more */
      {ISA_HAZARD_DENORM_MODE, TGSIAMD_GFX10_3, "dcfc8000 007d3e3c be890380 bfa50000", 0xbf800001},
      /* v_mov v0; v_mov; lds_direct_load v0 wait_vdst:15: wait_vdst:1 */
      {ISA_HAZARD_LDS_DIRECT_VALU, TGSIAMD_GFX11, "7e00033c 7e8c02ff 00001234 ce1f0000", 0xce110000},
      /* ds_read v0; lds_direct_load v0 */
      {ISA_HAZARD_LDS_DIRECT_VMEM, TGSIAMD_GFX11, "d8d80000 46000000 ce1f0000", 0xbf88ff83},
      /* ds_read v0; ds_direct_load v0 wait_vm_vsrc:1: wait_vm_vsrc:0 */
      {ISA_HAZARD_LDS_DIRECT_VSRC, TGSIAMD_GFX12, "d8d80000 46000000 ce9f0000", 0xce1f0000},
      /* v_mov v0; s_mov exec; v_mov v1; v_add v0, v1 */
      {ISA_HAZARD_PARTIAL_FORWARD, TGSIAMD_GFX11, "7e00033c befe01c1 7e02033c 068c0300", 0xbf880f9f},
      /* v_rcp v0; v_mov; v_mov from v0 */
      {ISA_HAZARD_TRANS_USE, TGSIAMD_GFX11, "7e00553c 7e8c02ff 00001234 7e8c0300", 0xbf880f9f},
      /* v_wmma to v0; v_wmma, A in v0: v_nop */
      {ISA_HAZARD_WMMA, TGSIAMD_GFX11, "cc404000 1c02c95a cc40406e 1dbac900", 0x7e000000},
      /* v_cndmask by s8; s_mov s8 */
      {ISA_HAZARD_MASK_SALU, TGSIAMD_GFX11, "d5010046 00227d3d be880080", 0xbf88ff9e},
      /* v_cndmask by s8; v_readfirstlane s8 */
      {ISA_HAZARD_MASK_VALU, TGSIAMD_GFX11, "d5010046 00227d3d 7e10053c", 0xbf88f19f},
      /* v_div_fmas; v_cmp vcc */
      {ISA_HAZARD_MASK_VCC, TGSIAMD_GFX11, "d6370046 04fe7d3d 7c227b3c", 0xbf88ff9d},
      /* v_mov from s8; s_mov s8; v_mov from s8 */
      {ISA_HAZARD_SGPR_SALU, TGSIAMD_GFX12, "7e8c0208 be880080 7e8c0208", 0xbf88ff9e},
      /* v_mov from s8; v_readfirstlane s8; v_mov from s8 */
      {ISA_HAZARD_SGPR_VALU, TGSIAMD_GFX12, "7e8c0208 7e10053c 7e8c0208", 0xbf88f19f},
      /* v_cndmask by vcc; v_cmp vcc; v_div_fmas */
      {ISA_HAZARD_SGPR_VCC, TGSIAMD_GFX12, "028c7d3d 7c227b3c d6370046 04fe7d3d", 0xbf88ff9d},
      /* v_mov v0; v_mfma_f64; global_store v0: one state more */
      {ISA_HAZARD_DGEMM_VMEM, TGSIAMD_GFX90A, "7e00033c d3ef007c 0552a550 dc7c8000 007f003c", 0xbf800000},
   };
   uint32_t seen = 0;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      enum tgsiamd_gfx gfx = cases[i].gfx;
      enum isa_hazard hazard = cases[i].hazard;
      struct isa_inst insts[8], remedy;
      struct isa_hazard_walk w;
      uint32_t words[8];
      unsigned before = failures, num = decode_all(gfx, cases[i].code, insts);
      CHECK(isa_hazard_set(gfx) >> hazard & 1 && !(isa_hazard_set(GFX9) >> hazard & 1));
      CHECK(!hazardous(GFX9, hazard, insts, 0, num, &w));
      CHECK(!hazardous(gfx, hazard, insts, 1, num, &w)); /* not without the first */
      CHECK(hazardous(gfx, hazard, insts, 0, num, &w));
      if (!isa_hazard_remedy(gfx, &w, &insts[num - 1], &remedy)) {
         remedy = insts[num - 1];
         CHECK(!hazardous(gfx, hazard, insts, 0, num, &w));
      }
      CHECK(isa_encode(gfx, &remedy, words, NULL) == 1 && words[0] == cases[i].remedy);
      if (failures != before)
         fprintf(stderr, "   in case %u, %s\n", i, isa_hazard_info(hazard)->name);
      seen |= 1u << hazard;
   }
   CHECK(seen == (1u << ISA_HAZARD_COUNT) - 1);
}

static void test_hazards_alone(void)
{
   struct isa_inst branch, shift = valu2(ISA_V_LSHLREV_B64, ISA_ENC_VOP3, ISA_VGPR(2), ISA_VGPR(7), ISA_VGPR(4));
   isa_inst_init(&branch, ISA_S_CBRANCH_SCC1);
   branch.imm = 0x3f;
   CHECK(isa_hazard_alone(TGSIAMD_GFX10, &branch) && !isa_hazard_alone(TGSIAMD_GFX10_3, &branch));
   CHECK(isa_hazard_alone(TGSIAMD_GFX90A, &shift) && !isa_hazard_alone(TGSIAMD_GFX940, &shift));
   /* Not encoded, but decoded: other compilers' code may have it. */
   uint32_t code[8];
   struct isa_inst again;
   const char *why = NULL;
   CHECK(!isa_encode(TGSIAMD_GFX10, &branch, code, &why) && why && !strncmp(why, "OffsetBug3F", 11));
   CHECK(isa_encode(TGSIAMD_GFX10_3, &branch, code, &why) == 1 && isa_decode(TGSIAMD_GFX10, code, 1, &again) == 1);
   CHECK(!isa_encode(TGSIAMD_GFX90A, &shift, code, &why) && !strncmp(why, "Shift64HighRegBug", 17));
   CHECK(isa_encode(TGSIAMD_GFX940, &shift, code, &why) == 2 && isa_decode(TGSIAMD_GFX90A, code, 2, &again) == 2);
   branch.imm = 0x40;
   shift.src[0] = ISA_VGPR(8);
   CHECK(!isa_hazard_alone(TGSIAMD_GFX10, &branch) && !isa_hazard_alone(TGSIAMD_GFX90A, &shift));
}

/* Lines "dwords|text" of GFX9, or of the generation of an earlier line "@ NUMBER CPU". */
static void test_golden(const char *path)
{
   FILE *f = fopen(path, "r");
   char line[512];
   unsigned n = 0, gfx = GFX9;
   CHECK(f != NULL);
   while (f && fgets(line, sizeof(line), f)) {
      uint32_t words[8], again[8];
      unsigned num = 0;
      char *text = strchr(line, '|'), ours[256];
      if (line[0] == '@')
         gfx = atoi(line + 1);
      if (line[0] == '#' || !text || gfx >= TGSIAMD_GFX_COUNT)
         continue;
      *text++ = 0;
      text[strcspn(text, "\n")] = 0;
      for (char *p = strtok(line, " "); p && num < 8; p = strtok(NULL, " "))
         words[num++] = strtoul(p, NULL, 16);
      struct isa_inst inst;
      n++;
      if (isa_decode(gfx, words, num, &inst) != num) {
         fprintf(stderr, "%s: does not decode: %s\n", path, text);
         failures++;
         continue;
      }
      isa_print(gfx, &inst, ours, sizeof(ours));
      if (strcmp(ours, text)) {
         fprintf(stderr, "%s: %s, we print %s\n", path, text, ours);
         failures++;
      }
      CHECK(isa_encode(gfx, &inst, again, NULL) == num && !memcmp(words, again, num * 4));
   }
   CHECK(n > 0);
   if (f)
      fclose(f);
}

static uint32_t random_number(uint32_t *state)
{
   *state = *state * 1664525 + 1013904223;
   return *state >> 8;
}

/* Whatever stands in an instruction, shapes change nothing. */
static void test_shaped(void)
{
   static const uint16_t operands[] = {ISA_SGPR(0), ISA_SGPR(3), ISA_SGPR(4), ISA_SGPR(101), ISA_SGPR(105), ISA_VCC, ISA_VCC_HI,
      ISA_M0, ISA_NULL, ISA_EXEC, ISA_EXEC_HI, ISA_INT(0), ISA_INT(-16), 209, ISA_SHARED_BASE, ISA_F_1, ISA_F_INV_2PI, ISA_VCCZ,
      ISA_SCC, ISA_LDS_DIRECT, ISA_LITERAL, ISA_VGPR(0), ISA_VGPR(1), ISA_VGPR(130), ISA_VGPR(254), ISA_VGPR(255), ISA_AGPR(2)};
   const unsigned num_operands = sizeof(operands) / sizeof(operands[0]);
   uint32_t state = 1;
   unsigned plain = 0;
   for (unsigned gfx = 0; gfx < TGSIAMD_GFX_COUNT; gfx++) {
      struct isa_shapes shapes = {0};
      for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
         unsigned native = isa_op_infos[op].enc;
         for (unsigned n = 0; n < 48; n++) {
            struct isa_inst inst, again;
            uint32_t words[8] = {0}, shaped[8] = {0};
            const char *why = NULL, *shaped_why = NULL;
            isa_inst_init(&inst, op);
            if (n & 1 && native >= ISA_ENC_VOP2 && native <= ISA_ENC_VOPC)
               inst.enc = ISA_ENC_VOP3;
            uint16_t *fields[6] = {&inst.dst, &inst.dst2, &inst.src[0], &inst.src[1], &inst.src[2], &inst.src[3]};
            bool have[6] = {isa_op_infos[op].dst_type != ISA_TYPE_NONE, isa_op_infos[op].dst2_dw != 0};
            for (unsigned i = 0; i < isa_op_infos[op].num_src; i++)
               have[2 + i] = true;
            for (unsigned i = 0; i < 6; i++) { /* mostly what may stand there */
               uint32_t r = random_number(&state), pick = r >> 8 & 7, reg = r >> 12 & 15;
               bool mask = (i == 0 && isa_op_infos[op].dst_type == ISA_TYPE_MASK) || i == 1 ||
                           (i >= 2 && isa_op_infos[op].src_type[i - 2] == ISA_TYPE_MASK);
               if (have[i] == !(r & 63))
                  continue;
               if (pick == 0)
                  *fields[i] = operands[(r >> 12) % num_operands];
               else if (mask)
                  *fields[i] = pick & 1 ? ISA_VCC : ISA_SGPR(2 * reg);
               else
                  *fields[i] = native < ISA_ENC_VOP2 ? ISA_SGPR(4 * reg) : ISA_VGPR(2 * reg);
            }
            inst.literal = 0x12345678;
            uint32_t r = random_number(&state);
            inst.neg = r & 3 ? 0 : r >> 8 & 7;
            inst.abs = r & 6 ? 0 : r >> 11 & 7;
            inst.omod = r & 0xf0 ? 0 : 1;
            inst.clamp = !(r & 0xf000);
            inst.imm = r & 0xf0000 ? 0 : 3;
            inst.nfmt = r & 0xf00000 ? 0 : 1;
            again = inst;
            unsigned num = isa_encode(gfx, &inst, words, &why);
            CHECK(isa_encode_shaped(gfx, &shapes, &again, shaped, &shaped_why) == num && why == shaped_why);
            CHECK(!memcmp(words, shaped, sizeof(words)) && (!num || inst.num_dwords == again.num_dwords));
            plain += num && shapes.of[(op ^ inst.enc << 4) % ISA_NUM_SHAPES].plain;
         }
      }
   }
   CHECK(plain > 10000);
}

/* That an instruction is encoded by its shape shows when the shape has a bit too many. */
static bool is_shaped(struct isa_inst inst)
{
   struct isa_shapes shapes = {0};
   uint32_t words[8] = {0}, again[8] = {0};
   unsigned num = isa_encode_shaped(TGSIAMD_GFX9, &shapes, &inst, words, NULL);
   for (unsigned i = 0; i < ISA_NUM_SHAPES; i++)
      shapes.of[i].bits ^= 1ull << 31;
   CHECK(isa_encode_shaped(TGSIAMD_GFX9, &shapes, &inst, again, NULL) == num);
   return num && words[0] != again[0];
}

/* What most programs are made of is plain. */
static void test_plain(void)
{
   struct isa_inst inst = valu2(ISA_V_ADD_F32, ISA_ENC_VOP2, ISA_VGPR(255), ISA_VGPR(255), ISA_VGPR(3));
   CHECK(is_shaped(inst));
   inst.src[0] = ISA_SGPR(101);
   CHECK(is_shaped(inst));
   inst.src[0] = ISA_F_1;
   CHECK(is_shaped(inst));
   inst.src[0] = ISA_LITERAL;
   inst.literal = 0x12345678;
   CHECK(is_shaped(inst));
   inst = valu2(ISA_V_ADD_F32, ISA_ENC_VOP3, ISA_VGPR(0), ISA_VGPR(1), ISA_SGPR(3));
   inst.neg = 1;
   CHECK(is_shaped(inst));
   inst.neg = 0;
   inst.abs = 2;
   CHECK(is_shaped(inst));
   inst.clamp = true;
   CHECK(!is_shaped(inst));
   inst.clamp = false;
   inst.omod = 1;
   CHECK(!is_shaped(inst));
   inst = valu2(ISA_V_CMP_LT_F32, ISA_ENC_VOP3, ISA_SGPR(4), ISA_VGPR(1), ISA_VGPR(2));
   CHECK(is_shaped(inst));
   inst = valu2(ISA_V_CMP_LT_F32, ISA_ENC_VOPC, ISA_VCC, ISA_VGPR(1), ISA_VGPR(2));
   CHECK(is_shaped(inst));
   isa_inst_init(&inst, ISA_S_ADD_U32);
   inst.dst = ISA_SGPR(0);
   inst.src[0] = ISA_SGPR(1);
   inst.src[1] = ISA_LITERAL;
   CHECK(is_shaped(inst));
   isa_inst_init(&inst, ISA_S_MOV_B64);
   inst.dst = ISA_EXEC;
   inst.src[0] = ISA_SGPR(6);
   CHECK(is_shaped(inst));
   isa_inst_init(&inst, ISA_S_BRANCH);
   inst.imm = 7;
   CHECK(is_shaped(inst));
   isa_inst_init(&inst, ISA_V_MOV_B32);
   inst.dst = ISA_VGPR(7);
   inst.src[0] = ISA_VGPR(8);
   CHECK(is_shaped(inst));
   for (size_t at = offsetof(struct isa_inst, neg_hi); at < sizeof(inst); at++) {
      struct isa_inst more = inst;
      ((uint8_t *)&more)[at] = 1; /* whatever that is */
      CHECK(!is_shaped(more));
   }
}

static void test_wave32(void)
{
   /* v_cndmask_b32 v0, v1, v2, s5 (VOP3): an odd SGPR is a lane mask in wave32 alone */
   struct isa_inst inst = valu2(ISA_V_CNDMASK_B32, ISA_ENC_VOP3, ISA_VGPR(0), ISA_VGPR(1), ISA_VGPR(2)), decoded;
   uint32_t words[8];
   inst.src[2] = ISA_SGPR(5);
   CHECK(!isa_encode(TGSIAMD_GFX10_3, &inst, words, NULL));
   inst.wave32 = true;
   CHECK(isa_encode(TGSIAMD_GFX10_3, &inst, words, NULL) == 2);
   CHECK(!isa_decode(TGSIAMD_GFX10_3, words, 2, &decoded));
   CHECK(isa_decode_wave32(TGSIAMD_GFX10_3, words, 2, &decoded) == 2 && decoded.wave32 && decoded.src[2] == ISA_SGPR(5));
   const char *why = NULL;
   for (unsigned gfx = 0; gfx < TGSIAMD_GFX10; gfx++) {
      inst.src[2] = ISA_SGPR(4);
      CHECK(!isa_encode(gfx, &inst, words, &why) && !strcmp(why, "the generation has no wave32"));
      inst.wave32 = false;
      CHECK(isa_encode(gfx, &inst, words, &why) == 2 && !isa_decode_wave32(gfx, words, 2, &decoded));
      inst.wave32 = true;
   }
   /* VCC as data and as the implied mask */
   inst = valu2(ISA_V_CNDMASK_B32, ISA_ENC_VOP2, ISA_VGPR(0), ISA_VCC, ISA_VGPR(2));
   inst.src[2] = ISA_VCC;
   inst.wave32 = true;
   CHECK(isa_encode(TGSIAMD_GFX10_3, &inst, words, NULL) == 1);
   isa_inst_init(&inst, ISA_V_WMMA_F32_16X16X16_F16_GFX12);
   CHECK(isa_dst_dwords(TGSIAMD_GFX12, &inst) == 4 && isa_src_dwords(TGSIAMD_GFX12, &inst, 0) == 2);
   inst.wave32 = true;
   CHECK(isa_dst_dwords(TGSIAMD_GFX12, &inst) == 8 && isa_src_dwords(TGSIAMD_GFX12, &inst, 0) == 4);
   isa_inst_init(&inst, ISA_V_SWMMAC_I32_16X16X32_IU4);
   inst.wave32 = true;
   CHECK(isa_dst_dwords(TGSIAMD_GFX12, &inst) == 8 && isa_src_dwords(TGSIAMD_GFX12, &inst, 0) == 1 &&
         isa_src_dwords(TGSIAMD_GFX12, &inst, 1) == 2 && isa_src_dwords(TGSIAMD_GFX12, &inst, 2) == 1);
}

/* Ops that a processor has or lacks against its generation, as LLVM's tables have them. */
static void test_processors(void)
{
   const struct isa_processor *vega20 = isa_processor_by_name("gfx906"), *strix = isa_processor_by_name("gfx1150");
   const struct isa_processor *raven = isa_processor_by_name("gfx902");
   const char *why = NULL;
   uint32_t code[8];
   struct isa_inst inst, decoded;
   unsigned num_processors, num_chips;
   CHECK(vega20 && strix && raven && raven->set == 0 && !isa_processor_by_name("gfx9000") && !isa_processor_by_name("raven"));
   CHECK(isa_processor_by_name("gfx908")->refused && isa_processor_by_name("gfx810")->refused);
   /* one number, v_mad_mix_f32 on one and v_fma_mix_f32 on the other */
   CHECK(isa_processor_has(raven, ISA_V_MAD_MIX_F32) && !isa_processor_has(raven, ISA_V_FMA_MIX_F32));
   CHECK(!isa_processor_has(vega20, ISA_V_MAD_MIX_F32) && isa_processor_has(vega20, ISA_V_FMA_MIX_F32));
   isa_inst_init(&inst, ISA_V_FMA_MIX_F32);
   inst.dst = ISA_VGPR(0);
   inst.src[0] = inst.src[1] = inst.src[2] = ISA_VGPR(1);
   CHECK(!isa_encode(GFX9, &inst, code, &why) && !isa_encode_on(raven, &inst, code, &why));
   CHECK(isa_encode_on(vega20, &inst, code, &why) == 2);
   CHECK(isa_decode_on(vega20, false, code, 2, &decoded) == 2 && decoded.op == ISA_V_FMA_MIX_F32);
   CHECK(isa_decode_on(raven, false, code, 2, &decoded) == 2 && decoded.op == ISA_V_MAD_MIX_F32);
   CHECK(isa_decode(GFX9, code, 2, &decoded) == 2 && decoded.op == ISA_V_MAD_MIX_F32);
   inst.op = ISA_V_MAD_MIX_F32;
   CHECK(isa_encode_on(raven, &inst, code, &why) == 2 && !isa_encode_on(vega20, &inst, code, &why));
   /* a scalar behind DPP, and floats of the scalar unit */
   inst = valu2(ISA_V_ADD_F32, ISA_ENC_VOP3, ISA_VGPR(0), ISA_VGPR(1), ISA_SGPR(2));
   inst.form = ISA_FORM_DPP16;
   inst.dpp_ctrl = 0xe4;
   CHECK(!isa_encode(TGSIAMD_GFX11, &inst, code, &why) && isa_encode_on(strix, &inst, code, &why) == 3);
   CHECK(isa_encode(TGSIAMD_GFX12, &inst, code, &why) == 3);
   CHECK(isa_processor_has(strix, ISA_S_ADD_F32) && isa_op_infos[ISA_S_ADD_F32].opcode[TGSIAMD_GFX11] < 0);
   CHECK(!(isa_processor_hazards(strix) >> ISA_HAZARD_TRANS_USE & 1) && isa_hazard_set(TGSIAMD_GFX11) >> ISA_HAZARD_TRANS_USE & 1);
   const struct isa_processor *processors = isa_processors(&num_processors);
   for (unsigned i = 0; i < num_processors; i++)
      CHECK(isa_processor_by_name(processors[i].name) == &processors[i]);
   const struct tgsiamd_chip *chips = tgsiamd_chips(&num_chips);
   for (unsigned i = 0; i < num_chips; i++) {
      const struct isa_processor *p = isa_processor_by_name(chips[i].llvm_name);
      CHECK(p && p->gfx == chips[i].gfx && !p->refused);
   }
}

int main(int argc, char **argv)
{
   args_begin(argc, argv, -1, "[FILE...]\n\nUnit tests of the instruction tables; the files have lines of code and the text that they are.");
   test_waitcnt();
   test_limits();
   test_latency();
   test_names();
   test_processors();
   test_constants();
   test_refusals();
   test_bad_code();
   test_offset_255();
   test_hazards();
   test_named_hazards();
   test_hazards_alone();
   test_dual();
   test_accumulators();
   test_shaped();
   test_plain();
   test_wave32();
   for (int i = 1; i < argc; i++)
      test_golden(argv[i]);
   if (failures)
      fprintf(stderr, "%u failures\n", failures);
   return failures != 0;
}
