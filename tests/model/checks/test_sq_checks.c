/* SPDX-License-Identifier: MIT */
/* Mistakes of programs: waits, hazards, undefined values, ranges, EXEC.
 * Programs are assembled by LLVM for gfx902; the comments are its input. */
#include "bench.h"

#include <string.h>

#define S_LOAD_S8    0xc0020202, 0x00000000 /* s_load_dword s8, s[4:5], 0x0 */
#define WAIT_LGKM    0xbf8cc07f             /* s_waitcnt lgkmcnt(0) */
#define WAIT_VM      0xbf8c0f70             /* s_waitcnt vmcnt(0) */
#define NOP          0xbf800000             /* s_nop 0 */
#define LOAD_V1      0xe0500000, 0x80000100 /* buffer_load_dword v1, off, s[0:3], 0 */
#define STORE_V1     0xe0700000, 0x80000100 /* buffer_store_dword v1, off, s[0:3], 0 */
#define V1_ZERO      0x7e020280             /* v_mov_b32 v1, 0 */
#define V2_ZERO      0x7e040280             /* v_mov_b32 v2, 0 */

static void scalar_wait(struct bench *b, bool bad)
{
   DISPATCH(b, S_LOAD_S8, bad ? NOP : WAIT_LGKM, 0x80090808 /* s_add_u32 s9, s8, s8 */);
}

static void vector_wait(struct bench *b, bool bad)
{
   DISPATCH(b, LOAD_V1, bad ? NOP : WAIT_VM, 0x7e060301 /* v_mov_b32 v3, v1 */);
}

static void lds_wait(struct bench *b, bool bad)
{
   dispatch(b, PROGRAM(b, V2_ZERO, 0xd81a0000, 0x00000202 /* ds_write_b32 v2, v2 */, WAIT_LGKM,
                       0xd86c0000, 0x01000002 /* ds_read_b32 v1, v2 */, bad ? NOP : WAIT_LGKM,
                       0x7e060301 /* v_mov_b32 v3, v1 */), 64, 1);
}

static void readlane_hazard(struct bench *b, bool bad)
{
   /* VALU writes the SGPR that selects the lane: 4 states */
   DISPATCH(b, V1_ZERO, 0x7e100501 /* v_readfirstlane_b32 s8, v1 */, bad ? NOP : 0xbf800003 /* s_nop 3 */,
            0xd2890009, 0x00001101 /* v_readlane_b32 s9, v1, s8 */);
}

static void vmem_hazard(struct bench *b, bool bad)
{
   /* VALU writes an SGPR that vector memory reads: 5 states */
   DISPATCH(b, V1_ZERO, 0x7e100501 /* v_readfirstlane_b32 s8, v1 */, bad ? 0xbf800003 : 0xbf800004 /* s_nop */,
            0xe0500000, 0x08000300 /* buffer_load_dword v3, off, s[0:3], s8 */, WAIT_VM);
}

/* The second instruction comes one state too early. */
static void hazard(struct bench *b, bool bad, unsigned states, const uint32_t *first, unsigned num_first,
                   const uint32_t *second, unsigned num_second)
{
   static const uint32_t begin[] = {
      V1_ZERO, V2_ZERO, 0x7e080280, 0x7e0a0280, 0x7e0c0280, 0x7e0e0280 /* v_mov_b32 v4..v7, 0 */,
      0xbe880080 /* s_mov_b32 s8, 0 */, 0xbf80000f /* s_nop 15 */,
   };
   uint32_t code[32];
   unsigned n = sizeof(begin) / 4;
   memcpy(code, begin, sizeof(begin));
   memcpy(code + n, first, 4 * num_first);
   n += num_first;
   const unsigned between = bad ? states - 1 : states;
   if (between)
      code[n++] = 0xbf800000 | (between - 1); /* s_nop */
   memcpy(code + n, second, 4 * num_second);
   n += num_second;
   dispatch(b, program(b, code, n), 64, 0);
}
#define D(...) (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4
#define HAZARD(name, states, first, second) \
   static void name(struct bench *b, bool bad) { hazard(b, bad, states, first, second); }
HAZARD(setreg_getreg, 2, D(0xb9081801) /* s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8 */,
       D(0xb8891801) /* s_getreg_b32 s9, hwreg(HW_REG_MODE, 0, 4) */)
HAZARD(setreg_setreg, 2, D(0xb9081801), D(0xba001801, 0) /* s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0 */)
HAZARD(vskip_vector, 2, D(0xb9080701) /* s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s8 */, D(V1_ZERO))
HAZARD(vcc_vccz, 5, D(0x7d940100) /* v_cmp_eq_u32 vcc, v0, v0 */, D(0x7e0402fb) /* v_mov_b32 v2, src_vccz */)
HAZARD(vcc_div_fmas, 4, D(0x7d940100), D(0xd1e20002, 0x04060301) /* v_div_fmas_f32 v2, v1, v1, v1 */)
HAZARD(vgpr_dpp, 2, D(V1_ZERO), D(0x7e0402fa, 0xff000001) /* v_mov_b32_dpp v2, v1 quad_perm:[0,0,0,0] */)
HAZARD(exec_dpp, 5, D(0x7db40100) /* v_cmpx_eq_u32 vcc, v0, v0 */, D(0x7e0402fa, 0xff000001))
HAZARD(m0_movrel, 1, D(0xbefc0080) /* s_mov_b32 m0, 0 */, D(0xbe892a08) /* s_movrels_b32 s9, s8 */)
HAZARD(wide_store, 1, D(0xe07c0000, 0x80000400) /* buffer_store_dwordx4 v[4:7], off, s[0:3], 0 */,
       D(0x7e080280, 0xbf8c0f70) /* v_mov_b32 v4, 0; s_waitcnt vmcnt(0) */)

/* ---- scratch: 16 bytes a lane, at TARGET ---- */

#define SCRATCH_RSRC                                                                                             \
   0xbe8c0008 /* s_mov_b32 s12, s8 */, 0xbe880006 /* s_mov_b32 s8, s6 */,                                         \
      0x8709ff07, 0x80000000 /* s_or_b32 s9, s7, 0x80000000: swizzle */, 0xbe8a00c1 /* s_mov_b32 s10, -1 */,     \
      0xbe8b00ff, 0x00e00000 /* s_mov_b32 s11, 0xe00000: add the thread's number, 64 lanes apart */
#define SCRATCH_STORE(offset) 0xe0700000 | (offset), 0x0c020000 /* buffer_store_dword v0, off, s[8:11], s12 offset: */
#define SCRATCH_LOAD(offset)  0xe0500000 | (offset), 0x0c020100 /* buffer_load_dword v1, off, s[8:11], s12 offset: */

static void scratch_size(struct bench *b)
{
   b->scratch = true;
   SET_SH(b, R_00B860_COMPUTE_TMPRING_SIZE, S_00B860_WAVES(1) | S_00B860_WAVESIZE(1));
}

static void undefined_scratch(struct bench *b, bool bad)
{
   scratch_size(b);
   DISPATCH(b, SCRATCH_RSRC, SCRATCH_STORE(4), SCRATCH_LOAD(bad ? 8 : 4), WAIT_VM, STORE_V1);
}

static void scratch_range(struct bench *b, bool bad)
{
   scratch_size(b);
   /* each lane has its own: it reads back what it stored, or there is no such instruction */
   DISPATCH(b, SCRATCH_RSRC, SCRATCH_STORE(bad ? 16 : 4), SCRATCH_STORE(12), SCRATCH_LOAD(12), WAIT_VM,
            0x7d9a0101 /* v_cmp_ne_u32 vcc, v1, v0 */, 0xbf860001 /* s_cbranch_vccz 1 */, 0xbebf7f80);
}

static void undefined_store(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? NOP : V1_ZERO, STORE_V1);
}

static void undefined_branch(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? NOP : 0xbe880080 /* s_mov_b32 s8, 0 */, 0xbf068008 /* s_cmp_eq_u32 s8, 0 */,
            0xbf840000 /* s_cbranch_scc0 0 */);
}

static void undefined_address(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? NOP : V2_ZERO, V1_ZERO, 0xe0701000, 0x80000102 /* buffer_store_dword v1, v2, s[0:3], 0 offen */);
}

static void undefined_lds(struct bench *b, bool bad)
{
   dispatch(b, PROGRAM(b, V2_ZERO, bad ? NOP : 0xd81a0000, bad ? NOP : 0x00000202 /* ds_write_b32 v2, v2 */, WAIT_LGKM,
                       0xd86c0000, 0x01000002 /* ds_read_b32 v1, v2 */, WAIT_LGKM, STORE_V1), 64, 1);
}

static void lds_range(struct bench *b, bool bad)
{
   dispatch(b, PROGRAM(b, V2_ZERO, 0xd81a0000 | (bad ? 512 : 508), 0x00000202 /* ds_write_b32 v2, v2 offset: */), 64, 1);
}

static void vgpr_range(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? 0x7e100280 /* v_mov_b32 v8, 0 */ : 0x7e0e0280 /* v_mov_b32 v7, 0 */);
}

static void sgpr_range(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? 0xbe900080 /* s_mov_b32 s16, 0 */ : 0xbe8f0080 /* s_mov_b32 s15, 0 */);
}

static void endless(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? 0xbf82ffff /* s_branch -1 */ : NOP);
}

static void no_instruction(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? 0xbebf7f80 /* SOP1 opcode 127 */ : NOP);
}

/* With no lane active v_readfirstlane reads lane 0, which the program left out. */
static void readlane_no_exec(struct bench *b, bool bad)
{
   DISPATCH(b, V1_ZERO, bad ? 0xbefe0180 /* s_mov_b64 exec, 0 */ : 0xbefe01c1 /* s_mov_b64 exec, -1 */,
            0x7e100501 /* v_readfirstlane_b32 s8, v1 */, NOP, NOP, NOP, NOP, 0xbf068008 /* s_cmp_eq_u32 s8, 0 */,
            0xbf840000 /* s_cbranch_scc0 0 */);
}

/* Scalar memory does not ask EXEC. */
static void scalar_store_no_exec(struct bench *b, bool bad)
{
   DISPATCH(b, 0xbe880080 /* s_mov_b32 s8, 0 */, bad ? 0xbefe0180 /* s_mov_b64 exec, 0 */ : NOP,
            0xc0420202, 0x00000000 /* s_store_dword s8, s[4:5], 0x0 */, 0xc0840000, 0 /* s_dcache_wb */);
}

static void unmapped_store(struct bench *b, bool bad)
{
   DISPATCH(b, V1_ZERO, bad ? 0xbe8100ff : NOP, bad ? 0x77 : NOP /* s_mov_b32 s1, 0x77 */, STORE_V1);
}

static void bad_descriptor(struct bench *b, bool bad)
{
   /* TYPE 1 is no buffer */
   DISPATCH(b, V1_ZERO, bad ? 0xbe8300ff : NOP, bad ? 0x40024fac : NOP /* s_mov_b32 s3, ... */, STORE_V1);
}

static void reserved_bit(struct bench *b, bool bad)
{
   DISPATCH(b, V1_ZERO, bad ? 0xbe831a9c /* s_bitset1_b32 s3, 28 */ : NOP, STORE_V1);
}

#define LOAD_IMAGE                                                                                          \
   0xc00e0202, 0x00000100 /* s_load_dwordx8 s[8:15], s[4:5], 0x100 */, V2_ZERO, 0x7e060280 /* v_mov_b32 v3, 0 */, \
      WAIT_LGKM, 0xf0001100, 0x00020102 /* image_load v1, v[2:3], s[8:15] dmask:0x1 unorm */, WAIT_VM

static void image_reserved(struct bench *b, bool bad)
{
   image(b)[3] |= bad ? 1u << 25 : 0;
   DISPATCH(b, LOAD_IMAGE);
}

static void image_levels(struct bench *b, bool bad)
{
   image(b)[3] |= bad ? S_008F1C_BASE_LEVEL(2) : 0;
   DISPATCH(b, LOAD_IMAGE);
}

static void image_pitch(struct bench *b, bool bad)
{
   image(b)[4] ^= bad ? S_008F20_PITCH(32) : 0;
   DISPATCH(b, LOAD_IMAGE);
}

static void scalar_descriptor(struct bench *b, bool bad)
{
   DISPATCH(b, bad ? 0xbe831a9e /* s_bitset1_b32 s3, 30 */ : NOP, 0xc0220200, 0 /* s_buffer_load_dword s8, s[0:3], 0x0 */,
            WAIT_LGKM);
}

/* Two waves meet at a GWS barrier that the first one set up for two, or for three. */
static void gws_barrier(struct bench *b, bool bad)
{
   dispatch(b, PROGRAM(b, 0xbefc0080 /* s_mov_b32 m0, 0 */, bad ? 0x7e020282 : 0x7e020281 /* v_mov_b32 v1, 1 */,
                       0x7e100500 /* v_readfirstlane_b32 s8, v0 */, 0xbf078008 /* s_cmp_lg_u32 s8, 0 */,
                       0xbf850003 /* s_cbranch_scc1 3 */, 0xd9330000, 0x00000001 /* ds_gws_init v1 gds */, WAIT_LGKM,
                       0xd93b0000, 0x00000001 /* ds_gws_barrier v1 gds */, WAIT_LGKM), 128, 0);
}

static const struct plant plants[] = {
   { "s_setreg, s_getreg", "hazard", "1 wait states missing", setreg_getreg },
   { "s_setreg, s_setreg", "hazard", "1 wait states missing", setreg_setreg },
   { "VSKIP, vector", "hazard", "1 wait states missing", vskip_vector },
   { "VCC, VCCZ", "hazard", "1 wait states missing", vcc_vccz },
   { "VCC, v_div_fmas", "hazard", "1 wait states missing", vcc_div_fmas },
   { "VGPR, DPP", "hazard", "1 wait states missing", vgpr_dpp },
   { "EXEC, DPP", "hazard", "1 wait states missing", exec_dpp },
   { "M0, s_movrels", "hazard", "1 wait states missing", m0_movrel },
   { "wide store, its data overwritten", "hazard", "1 wait states missing", wide_store },
   { "scratch that nobody stored to", "uninit", "undefined value as buffer store", undefined_scratch },
   { "scratch beyond the wave's", "range", "scratch offset 0x400", scratch_range },
   { "reserved bit of a V#", "descriptor", "reserved bits 0x10000000", reserved_bit },
   { "reserved bit of a T#", "descriptor", "bits that belong to no field", image_reserved },
   { "levels of a T#", "descriptor", "contradict each other", image_levels },
   { "pitch of a T#", "descriptor", "PITCH does not follow", image_pitch },
   { "scalar load with no V#", "descriptor", "not a buffer resource", scalar_descriptor },
   { "scalar load read too early", "waitcnt", "s8 is read before s_waitcnt lgkmcnt(0)", scalar_wait },
   { "vector load read too early", "waitcnt", "v1 is read before s_waitcnt vmcnt(0)", vector_wait },
   { "LDS read too early", "waitcnt", "v1 is read before s_waitcnt lgkmcnt(0)", lds_wait },
   { "lane select after VALU", "hazard", "3 wait states missing", readlane_hazard },
   { "SGPR of vector memory after VALU", "hazard", "1 wait states missing", vmem_hazard },
   { "undefined store data", "uninit", "undefined value as buffer store", undefined_store },
   { "undefined branch", "uninit", "undefined value as", undefined_branch },
   { "undefined address", "uninit", "undefined value as buffer address", undefined_address },
   { "LDS that nobody wrote", "uninit", "undefined value as", undefined_lds },
   { "LDS beyond the group's", "range", "0x200", lds_range },
   { "VGPR beyond RSRC1", "range", "v8 is beyond the 8 registers", vgpr_range },
   { "SGPR beyond RSRC1", "range", "s16 is beyond the 16 registers", sgpr_range },
   { "endless program", "hang", "s_branch", endless, -62 },
   { "GWS barrier for one wave more", "hang", "waits for a GWS resource", gws_barrier, -62 },
   { "no instruction", "instruction", "no instruction", no_instruction, -22 },
   { "v_readfirstlane without a lane", "exec", "v_readfirstlane_b32", readlane_no_exec },
   { "scalar store without a lane", "exec", "s_store_dword", scalar_store_no_exec },
   { "store to an unmapped address", "vm", "unmapped address", unmapped_store, -14 },
   { "V# of the wrong type", "descriptor", "not a buffer resource", bad_descriptor },
};

int main(void)
{
   return run_plants(plants, sizeof(plants) / sizeof(plants[0]));
}
