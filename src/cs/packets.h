/* SPDX-License-Identifier: MIT */
/* One builder per PM4 packet, named after the packet. Each states how many
 * dwords it writes; the caller has opened a section for them. Encodings: sid.h
 * and the PM4 headers of the amdgpu kernel driver (GFX9). */
#ifndef TGSIAMD_PACKETS_H
#define TGSIAMD_PACKETS_H

#include "pm4.h"

/* 3 */
void pkt_context_control(struct tgsiamd_cs *cs);
/* 2 */
void pkt_clear_state(struct tgsiamd_cs *cs);
/* 2: event `type` of V_028A90_*, without data */
void pkt_event_write(struct tgsiamd_cs *cs, uint32_t type, uint32_t index);
/* 4: event whose data goes to `va` (ZPASS_DONE, SAMPLE_PIPELINESTAT, ...) */
void pkt_event_write_data(struct tgsiamd_cs *cs, uint32_t type, uint32_t index, uint64_t va);
/* 7: cache actions over all of memory, S_0085F0_ and S_0301F0_ fields */
void pkt_acquire_mem(struct tgsiamd_cs *cs, uint32_t coher_cntl);
/* 8: end-of-pipe event; `tc_flags` EVENT_TC_*; `data_sel` EOP_DATA_SEL_* */
void pkt_release_mem(struct tgsiamd_cs *cs, uint32_t event, uint32_t tc_flags, uint32_t data_sel,
                     uint64_t va, uint64_t value);
/* 7: ME waits until (memory & mask) compares with ref; `func` WAIT_REG_MEM_* */
void pkt_wait_reg_mem(struct tgsiamd_cs *cs, uint64_t va, uint32_t ref, uint32_t mask, uint32_t func);
/* 7: the same for a register (byte address) */
void pkt_wait_reg(struct tgsiamd_cs *cs, uint32_t reg, uint32_t ref, uint32_t mask, uint32_t func);
/* 6: where streamout buffer `i` goes on: the dword count at `va`, or `offset` when va is 0 */
void pkt_strmout_load(struct tgsiamd_cs *cs, unsigned i, uint64_t va, uint32_t offset);
/* 6: stores the dword count of streamout buffer `i` */
void pkt_strmout_store(struct tgsiamd_cs *cs, unsigned i, uint64_t va);
/* 4 + count */
void pkt_write_data(struct tgsiamd_cs *cs, uint64_t va, uint32_t count, const uint32_t *data);
/* 7: CP DMA copy through L2; `sync`: the next packet waits for it */
void pkt_dma_data_copy(struct tgsiamd_cs *cs, uint64_t dst, uint64_t src, uint32_t bytes, bool sync);
/* 7: CP DMA fill with a dword */
void pkt_dma_data_fill(struct tgsiamd_cs *cs, uint64_t dst, uint32_t value, uint32_t bytes, bool sync);
/* 2 */
void pkt_pfp_sync_me(struct tgsiamd_cs *cs);
/* 2 */
void pkt_num_instances(struct tgsiamd_cs *cs, uint32_t count);
/* 3 */
void pkt_draw_index_auto(struct tgsiamd_cs *cs, uint32_t count, bool predicate, bool use_opaque);
/* 6: `va` of the first index, `max_size` indices readable from there */
void pkt_draw_index_2(struct tgsiamd_cs *cs, uint64_t va, uint32_t max_size, uint32_t count, bool predicate);
/* 4: base of indirect arguments */
void pkt_set_base_indirect(struct tgsiamd_cs *cs, uint64_t va);
/* 10: DRAW_INDIRECT_MULTI or DRAW_INDEX_INDIRECT_MULTI. Registers are byte
 * addresses of user SGPRs: base vertex and start instance in a row, draw index. `count_va`: where the number of draws is, at most `count`; 0: `count`. */
void pkt_draw_indirect_multi(struct tgsiamd_cs *cs, bool indexed, uint32_t offset, uint32_t first_reg,
                             uint32_t draw_id_reg, uint32_t count, uint64_t count_va, uint32_t stride, bool predicate);
/* 5: groups in x, y, z; `initiator` R_00B800 */
void pkt_dispatch_direct(struct tgsiamd_cs *cs, const uint32_t groups[3], uint32_t initiator);
/* 3: `offset` bytes from the base of indirect arguments */
void pkt_dispatch_indirect(struct tgsiamd_cs *cs, uint32_t offset, uint32_t initiator);
/* 3 and 2 */
void pkt_index_base(struct tgsiamd_cs *cs, uint64_t va);
void pkt_index_buffer_size(struct tgsiamd_cs *cs, uint32_t indices);
/* 4: `op` of PREDICATION_OP_*; GFX9 form */
void pkt_set_predication(struct tgsiamd_cs *cs, uint32_t op, uint64_t va);
/* 6 */
void pkt_copy_data(struct tgsiamd_cs *cs, uint32_t src_sel, uint64_t src, uint32_t dst_sel, uint64_t dst);

/* Largest byte count of one DMA_DATA that keeps its end aligned to 32 bytes. */
#define DMA_DATA_MAX_BYTES 0x3ffffe0u

#endif
