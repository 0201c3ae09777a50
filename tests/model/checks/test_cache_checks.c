/* SPDX-License-Identifier: MIT */
/* Streams that read what a cache may not have, each without one of the waits,
 * flushes or invalidations that it needs. */
#include "bench.h"

#define WAIT_LGKM 0xbf8cc07f /* s_waitcnt lgkmcnt(0) */
#define WAIT_VM   0xbf8c0f70 /* s_waitcnt vmcnt(0) */

static void store_data(struct bench *b) /* to DATA, by a shader */
{
   DISPATCH(b, 0x7e020280 /* v_mov_b32 v1, 0 */, 0x24040082 /* v_lshlrev_b32 v2, 2, v0 */,
            0xe0701000, 0x80000102 /* buffer_store_dword v1, v2, s[0:3], 0 offen */);
}

static void load_data(struct bench *b)
{
   DISPATCH(b, 0x24040082 /* v_lshlrev_b32 v2, 2, v0 */,
            0xe0501000, 0x80000102 /* buffer_load_dword v1, v2, s[0:3], 0 offen */, WAIT_VM);
}

static void load_data_scalar(struct bench *b)
{
   DISPATCH(b, 0xc0020202, 0x00000000 /* s_load_dword s8, s[4:5], 0x0 */, WAIT_LGKM);
}

static void write_data(struct bench *b, uint64_t va, uint32_t value)
{
   EMIT(b, PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_MEM) | S_370_WR_CONFIRM(1), LO(va), HI(va), value);
}

static void dma(struct bench *b, uint64_t dst, uint64_t src, uint32_t bytes, bool sync)
{
   EMIT(b, PKT3(PKT3_DMA_DATA, 5, 0),
        S_411_CP_SYNC(sync) | S_411_SRC_SEL(V_411_SRC_ADDR_TC_L2) | S_411_DST_SEL(V_411_DST_ADDR_TC_L2), LO(src),
        HI(src), LO(dst), HI(dst), bytes);
}

#define INV_L1 S_0301F0_TCL1_ACTION_ENA(1)
#define INV_K  S_0301F0_SH_KCACHE_ACTION_ENA(1)
#define INV_I  S_0301F0_SH_ICACHE_ACTION_ENA(1)

static void store_no_wait(struct bench *b, bool bad)
{
   store_data(b);
   if (!bad)
      event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, INV_L1);
   load_data(b);
}

static void store_wrong_wait(struct bench *b, bool bad)
{
   store_data(b);
   event(b, bad ? V_028A90_PS_PARTIAL_FLUSH : V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, INV_L1);
   load_data(b);
}

static void store_no_l1(struct bench *b, bool bad)
{
   store_data(b);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, bad ? INV_K : INV_L1);
   load_data(b);
}

static void invalidated_too_early(struct bench *b, bool bad)
{
   store_data(b);
   if (bad)
      acquire(b, INV_L1);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   if (!bad)
      acquire(b, INV_L1);
   load_data(b);
}

static void store_no_k(struct bench *b, bool bad)
{
   store_data(b);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, bad ? INV_L1 : INV_L1 | INV_K);
   load_data_scalar(b);
}

static void atomic_no_l1(struct bench *b, bool bad)
{
   DISPATCH(b, 0x7e020281 /* v_mov_b32 v1, 1 */, 0xe1080000, 0x80000100 /* buffer_atomic_add v1, off, s[0:3], 0 */);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, bad ? INV_K : INV_L1);
   load_data(b);
}

static void global_store_no_l1(struct bench *b, bool bad)
{
   DISPATCH(b, 0x7e020280 /* v_mov_b32 v1, 0 */, 0x24040082 /* v_lshlrev_b32 v2, 2, v0 */,
            0xdc708000, 0x00040102 /* global_store_dword v2, v1, s[4:5] */);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, bad ? INV_K : INV_L1);
   load_data(b);
}

static void scalar_store_no_writeback(struct bench *b, bool bad)
{
   DISPATCH(b, 0xbe880080 /* s_mov_b32 s8, 0 */, 0xc0420202, 0x00000000 /* s_store_dword s8, s[4:5], 0x0 */,
            WAIT_LGKM, bad ? 0xbf800000 : 0xc0840000, bad ? 0xbf800000 : 0 /* s_dcache_wb */);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, INV_L1);
   load_data(b);
}

static void cp_write_no_k(struct bench *b, bool bad)
{
   write_data(b, DATA, 5);
   acquire(b, bad ? INV_L1 : INV_K);
   load_data_scalar(b);
}

static void dma_no_sync(struct bench *b, bool bad)
{
   dma(b, DATA, TARGET, 64, !bad);
   acquire(b, INV_L1);
   load_data(b);
}

static void dma_reads_shader(struct bench *b, bool bad)
{
   store_data(b);
   if (!bad)
      event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   dma(b, TARGET, DATA, 64, true);
}

static void copy_reads_shader(struct bench *b, bool bad)
{
   store_data(b);
   if (!bad)
      event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   EMIT(b, PKT3(PKT3_COPY_DATA, 4, 0), 1 | 5 << 8, LO(DATA), HI(DATA), LO(TARGET), HI(TARGET));
}

static void indirect_no_pfp(struct bench *b, bool bad)
{
   write_data(b, DATA, 1);
   write_data(b, DATA + 4, 1);
   write_data(b, DATA + 8, 1);
   if (!bad)
      EMIT(b, PKT3(PKT3_PFP_SYNC_ME, 0, 0), 0);
   dispatch(b, PROGRAM(b, 0xbf800000), 64, 0);
   EMIT(b, PKT3(PKT3_SET_BASE, 2, 0), 1, LO(DATA), HI(DATA),
        PKT3(PKT3_DISPATCH_INDIRECT, 1, 0), 0, S_00B800_COMPUTE_SHADER_EN(1) | S_00B800_FORCE_START_AT_000(1));
}

static void code_no_i(struct bench *b, bool bad)
{
   const uint64_t pc = PROGRAM(b, 0xbf800000 /* s_nop 0 */);
   dispatch(b, pc, 64, 0);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   write_data(b, pc, 0xbf800001 /* s_nop 1 */);
   acquire(b, bad ? INV_K : INV_I);
   dispatch(b, pc, 64, 0);
}

/* ---- render targets ---- */

static void load_target(struct bench *b)
{
   DISPATCH(b, 0xc0020203, 0x00000000 /* s_load_dword s8, s[6:7], 0x0 */, WAIT_LGKM);
}

static void target_no_flush(struct bench *b, bool bad)
{
   draw_state(b);
   draw(b);
   release_and_wait(b, bad ? V_028A90_FLUSH_AND_INV_DB_DATA_TS : V_028A90_FLUSH_AND_INV_CB_DATA_TS, true);
   acquire(b, INV_K);
   load_target(b);
}

static void target_no_fence_wait(struct bench *b, bool bad)
{
   draw_state(b);
   draw(b);
   release_and_wait(b, V_028A90_FLUSH_AND_INV_CB_DATA_TS, !bad);
   acquire(b, INV_K);
   load_target(b);
}

static void target_flush_only_started(struct bench *b, bool bad)
{
   draw_state(b);
   draw(b);
   event(b, V_028A90_FLUSH_AND_INV_CB_PIXEL_DATA, 0);
   release_and_wait(b, V_028A90_BOTTOM_OF_PIPE_TS, !bad);
   acquire(b, INV_K);
   load_target(b);
}

static void target_overwritten(struct bench *b, bool bad)
{
   draw_state(b);
   draw(b);
   if (!bad)
      release_and_wait(b, V_028A90_FLUSH_AND_INV_CB_DATA_TS, true);
   dma(b, TARGET, DATA, 64, true);
}

/* ---- images and indices ---- */

static void image_no_l1(struct bench *b, bool bad)
{
   image(b);
   DISPATCH(b, 0xc00e0202, 0x00000100 /* s_load_dwordx8 s[8:15], s[4:5], 0x100 */, 0x7e020280 /* v_mov_b32 v1, 0 */,
            0x7e040280, 0x7e060280 /* v_mov_b32 v2 and v3, 0 */, WAIT_LGKM,
            0xf0201100, 0x00020102 /* image_store v1, v[2:3], s[8:15] dmask:0x1 unorm */);
   event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   acquire(b, bad ? INV_K : INV_L1 | INV_K);
   DISPATCH(b, 0xc00e0202, 0x00000100, 0x7e040280, 0x7e060280, WAIT_LGKM,
            0xf0001100, 0x00020102 /* image_load v1, v[2:3], s[8:15] dmask:0x1 unorm */, WAIT_VM);
}

static void indices_no_pfp(struct bench *b, bool bad)
{
   draw_state(b);
   SET_UC(b, R_03090C_VGT_INDEX_TYPE, V_028A7C_VGT_INDEX_32);
   write_data(b, DATA, 0);
   if (!bad)
      EMIT(b, PKT3(PKT3_PFP_SYNC_ME, 0, 0), 0);
   EMIT(b, PKT3(PKT3_DRAW_INDEX_2, 4, 0), 3, LO(DATA), HI(DATA), 3, V_0287F0_DI_SRC_SEL_DMA);
}

static void target_no_wait(struct bench *b, bool bad)
{
   DISPATCH(b, 0x7e020280 /* v_mov_b32 v1, 0 */, 0x24040082 /* v_lshlrev_b32 v2, 2, v0 */,
            0xdc708000, 0x00060102 /* global_store_dword v2, v1, s[6:7] */);
   draw_state(b);
   if (!bad)
      event(b, V_028A90_CS_PARTIAL_FLUSH, 4);
   draw(b);
}

static void counter_no_k(struct bench *b, bool bad)
{
   EMIT(b, PKT3(PKT3_EVENT_WRITE, 2, 0), EVENT_TYPE(V_028A90_ZPASS_DONE) | EVENT_INDEX(1), LO(DATA), HI(DATA));
   acquire(b, bad ? INV_L1 : INV_K);
   load_data_scalar(b);
}

static const struct plant plants[] = {
   { "image store, L1 not invalidated", "cache", "missing L1 invalidation", image_no_l1 },
   { "indices read ahead", "cache", "index fetch reads", indices_no_pfp },
   { "target that a shader still writes", "cache", "CB or DB reads", target_no_wait },
   { "occlusion count, K$ not invalidated", "cache", "that an event wrote", counter_no_k },
   { "shader store, no wait", "cache", "that a shader wrote: missing CS_PARTIAL_FLUSH", store_no_wait },
   { "shader store, wrong wait", "cache", "missing CS_PARTIAL_FLUSH", store_wrong_wait },
   { "shader store, L1 not invalidated", "cache", "missing L1 invalidation", store_no_l1 },
   { "L1 invalidated before the shader ended", "cache", "missing L1 invalidation", invalidated_too_early },
   { "shader store, K$ not invalidated", "cache", "scalar load reads", store_no_k },
   { "atomic, L1 not invalidated", "cache", "missing L1 invalidation", atomic_no_l1 },
   { "global store, L1 not invalidated", "cache", "missing L1 invalidation", global_store_no_l1 },
   { "scalar store not written back", "cache", "s_dcache_wb", scalar_store_no_writeback },
   { "WRITE_DATA, K$ not invalidated", "cache", "that the CP wrote: missing K$ invalidation", cp_write_no_k },
   { "CP DMA not waited for", "cache", "that CP DMA wrote: missing DMA_DATA with CP_SYNC", dma_no_sync },
   { "CP DMA of what a shader still writes", "cache", "missing CS_PARTIAL_FLUSH", dma_reads_shader },
   { "COPY_DATA of what a shader still writes", "cache", "missing CS_PARTIAL_FLUSH", copy_reads_shader },
   { "indirect arguments read ahead", "cache", "missing PFP_SYNC_ME", indirect_no_pfp },
   { "code changed, I$ not invalidated", "cache", "missing I$ invalidation", code_no_i },
   { "render target, other cache flushed", "cache", "that CB wrote: missing CB flush", target_no_flush },
   { "render target, flush not waited for", "cache", "missing CB flush", target_no_fence_wait },
   { "render target, flush only started", "cache", "missing CB flush", target_flush_only_started },
   { "render target overwritten while dirty", "cache", "may hold it dirty", target_overwritten },
};

int main(void)
{
   return run_plants(plants, sizeof(plants) / sizeof(plants[0]));
}
