/* SPDX-License-Identifier: MIT */
/* Mistakes of programs: waits, hazards, undefined values, ranges, EXEC.
 * Programs are assembled by LLVM for gfx902; the comments are its input. */
#include "bench.h"

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

static const struct plant plants[] = {
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
