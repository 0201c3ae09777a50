/* SPDX-License-Identifier: MIT */
/* PM4 packet builders. */
#include "packets.h"
#include "sid.h"
#include "amdgfxregs.h"

void
pkt_context_control(struct tgsiamd_cs *cs)
{
   cs_emit(cs, PKT3(PKT3_CONTEXT_CONTROL, 1, 0));
   cs_emit(cs, CC0_UPDATE_LOAD_ENABLES(1));
   cs_emit(cs, CC1_UPDATE_SHADOW_ENABLES(1));
}

void
pkt_clear_state(struct tgsiamd_cs *cs)
{
   cs_emit(cs, PKT3(PKT3_CLEAR_STATE, 0, 0));
   cs_emit(cs, 0);
}

void
pkt_event_write(struct tgsiamd_cs *cs, uint32_t type, uint32_t index)
{
   cs_emit(cs, PKT3(PKT3_EVENT_WRITE, 0, 0));
   cs_emit(cs, EVENT_TYPE(type) | EVENT_INDEX(index));
}

void
pkt_event_write_data(struct tgsiamd_cs *cs, uint32_t type, uint32_t index, uint64_t va)
{
   cs_emit(cs, PKT3(PKT3_EVENT_WRITE, 2, 0));
   cs_emit(cs, EVENT_TYPE(type) | EVENT_INDEX(index));
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
}

void
pkt_acquire_mem(struct tgsiamd_cs *cs, uint32_t coher_cntl)
{
   cs_emit(cs, PKT3(PKT3_ACQUIRE_MEM, 5, 0));
   cs_emit(cs, coher_cntl);
   cs_emit(cs, 0xffffffff); /* COHER_SIZE */
   cs_emit(cs, 0x00ffffff); /* COHER_SIZE_HI */
   cs_emit(cs, 0);          /* COHER_BASE */
   cs_emit(cs, 0);          /* COHER_BASE_HI */
   cs_emit(cs, 0x0a);       /* POLL_INTERVAL */
}

void
pkt_release_mem(struct tgsiamd_cs *cs, uint32_t event, uint32_t tc_flags, uint32_t data_sel,
                uint64_t va, uint64_t value)
{
   bool partial_flush = event == V_028A90_CS_DONE || event == V_028A90_PS_DONE;
   uint32_t int_sel = data_sel == EOP_DATA_SEL_DISCARD ? EOP_INT_SEL_NONE
                                                       : EOP_INT_SEL_SEND_DATA_AFTER_WR_CONFIRM;

   cs_emit(cs, PKT3(PKT3_RELEASE_MEM, 6, 0));
   cs_emit(cs, EVENT_TYPE(event) | EVENT_INDEX(partial_flush ? 6 : 5) | tc_flags);
   cs_emit(cs, EOP_DST_SEL(EOP_DST_SEL_MEM) | EOP_INT_SEL(int_sel) | EOP_DATA_SEL(data_sel));
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
   cs_emit(cs, value);
   cs_emit(cs, value >> 32);
   cs_emit(cs, 0);
}

void
pkt_wait_reg_mem(struct tgsiamd_cs *cs, uint64_t va, uint32_t ref, uint32_t mask, uint32_t func)
{
   cs_emit(cs, PKT3(PKT3_WAIT_REG_MEM, 5, 0));
   cs_emit(cs, WAIT_REG_MEM_MEM_SPACE(1) | func);
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
   cs_emit(cs, ref);
   cs_emit(cs, mask);
   cs_emit(cs, 4); /* poll interval */
}

void
pkt_wait_reg(struct tgsiamd_cs *cs, uint32_t reg, uint32_t ref, uint32_t mask, uint32_t func)
{
   cs_emit(cs, PKT3(PKT3_WAIT_REG_MEM, 5, 0));
   cs_emit(cs, func);
   cs_emit(cs, reg / 4);
   cs_emit(cs, 0);
   cs_emit(cs, ref);
   cs_emit(cs, mask);
   cs_emit(cs, 4); /* poll interval */
}

void
pkt_strmout_load(struct tgsiamd_cs *cs, unsigned i, uint64_t va, uint32_t offset)
{
   cs_emit(cs, PKT3(PKT3_STRMOUT_BUFFER_UPDATE, 4, 0));
   cs_emit(cs, STRMOUT_SELECT_BUFFER(i) |
                  STRMOUT_OFFSET_SOURCE(va ? STRMOUT_OFFSET_FROM_MEM : STRMOUT_OFFSET_FROM_PACKET));
   cs_emit(cs, 0);
   cs_emit(cs, 0);
   cs_emit(cs, va ? (uint32_t)va : offset);
   cs_emit(cs, va >> 32);
}

void
pkt_strmout_store(struct tgsiamd_cs *cs, unsigned i, uint64_t va)
{
   cs_emit(cs, PKT3(PKT3_STRMOUT_BUFFER_UPDATE, 4, 0));
   cs_emit(cs, STRMOUT_SELECT_BUFFER(i) | STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_NONE) |
                  STRMOUT_STORE_BUFFER_FILLED_SIZE);
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
   cs_emit(cs, 0);
   cs_emit(cs, 0);
}

void
pkt_write_data(struct tgsiamd_cs *cs, uint64_t va, uint32_t count, const uint32_t *data)
{
   cs_emit(cs, PKT3(PKT3_WRITE_DATA, 2 + count, 0));
   cs_emit(cs, S_370_DST_SEL(V_370_MEM) | S_370_WR_CONFIRM(1) | S_370_ENGINE_SEL(V_370_ME));
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
   cs_emit_array(cs, data, count);
}

void
pkt_dma_data_copy(struct tgsiamd_cs *cs, uint64_t dst, uint64_t src, uint32_t bytes, bool sync)
{
   cs_emit(cs, PKT3(PKT3_DMA_DATA, 5, 0));
   cs_emit(cs, S_411_CP_SYNC(sync) | S_411_SRC_SEL(V_411_SRC_ADDR_TC_L2) |
                  S_411_DST_SEL(V_411_DST_ADDR_TC_L2));
   cs_emit(cs, src);
   cs_emit(cs, src >> 32);
   cs_emit(cs, dst);
   cs_emit(cs, dst >> 32);
   cs_emit(cs, S_415_BYTE_COUNT_GFX9(bytes) | S_415_DISABLE_WR_CONFIRM_GFX9(!sync));
}

void
pkt_dma_data_fill(struct tgsiamd_cs *cs, uint64_t dst, uint32_t value, uint32_t bytes, bool sync)
{
   cs_emit(cs, PKT3(PKT3_DMA_DATA, 5, 0));
   cs_emit(cs, S_411_CP_SYNC(sync) | S_411_SRC_SEL(V_411_DATA) |
                  S_411_DST_SEL(V_411_DST_ADDR_TC_L2));
   cs_emit(cs, value);
   cs_emit(cs, 0);
   cs_emit(cs, dst);
   cs_emit(cs, dst >> 32);
   cs_emit(cs, S_415_BYTE_COUNT_GFX9(bytes) | S_415_DISABLE_WR_CONFIRM_GFX9(!sync));
}

void
pkt_pfp_sync_me(struct tgsiamd_cs *cs)
{
   cs_emit(cs, PKT3(PKT3_PFP_SYNC_ME, 0, 0));
   cs_emit(cs, 0);
}

void
pkt_num_instances(struct tgsiamd_cs *cs, uint32_t count)
{
   cs_emit(cs, PKT3(PKT3_NUM_INSTANCES, 0, 0));
   cs_emit(cs, count);
}

void
pkt_draw_index_auto(struct tgsiamd_cs *cs, uint32_t count, bool predicate, bool use_opaque)
{
   cs_emit(cs, PKT3(PKT3_DRAW_INDEX_AUTO, 1, predicate));
   cs_emit(cs, count);
   cs_emit(cs, S_0287F0_SOURCE_SELECT(V_0287F0_DI_SRC_SEL_AUTO_INDEX) |
                  S_0287F0_USE_OPAQUE(use_opaque));
}

void
pkt_draw_index_2(struct tgsiamd_cs *cs, uint64_t va, uint32_t max_size, uint32_t count, bool predicate)
{
   cs_emit(cs, PKT3(PKT3_DRAW_INDEX_2, 4, predicate));
   cs_emit(cs, max_size);
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
   cs_emit(cs, count);
   cs_emit(cs, S_0287F0_SOURCE_SELECT(V_0287F0_DI_SRC_SEL_DMA));
}

void
pkt_set_base_indirect(struct tgsiamd_cs *cs, uint64_t va)
{
   cs_emit(cs, PKT3(PKT3_SET_BASE, 2, 0));
   cs_emit(cs, 1);
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
}

void
pkt_draw_indirect_multi(struct tgsiamd_cs *cs, bool indexed, uint32_t offset, uint32_t first_reg,
                        uint32_t draw_id_reg, uint32_t count, uint64_t count_va, uint32_t stride, bool predicate)
{
   uint32_t reg = (first_reg - SI_SH_REG_OFFSET) / 4;

   cs_emit(cs, PKT3(indexed ? PKT3_DRAW_INDEX_INDIRECT_MULTI : PKT3_DRAW_INDIRECT_MULTI, 8, predicate));
   cs_emit(cs, offset);
   cs_emit(cs, reg);
   cs_emit(cs, reg + 1);
   cs_emit(cs, (draw_id_reg - SI_SH_REG_OFFSET) / 4 | S_2C3_DRAW_INDEX_ENABLE(1) | S_2C3_COUNT_INDIRECT_ENABLE(count_va != 0));
   cs_emit(cs, count);
   cs_emit(cs, count_va);
   cs_emit(cs, count_va >> 32);
   cs_emit(cs, stride);
   cs_emit(cs, S_0287F0_SOURCE_SELECT(indexed ? V_0287F0_DI_SRC_SEL_DMA
                                              : V_0287F0_DI_SRC_SEL_AUTO_INDEX));
}

void
pkt_dispatch_direct(struct tgsiamd_cs *cs, const uint32_t groups[3], uint32_t initiator)
{
   cs_emit(cs, PKT3(PKT3_DISPATCH_DIRECT, 3, 0) | PKT3_SHADER_TYPE_S(1));
   cs_emit_array(cs, groups, 3);
   cs_emit(cs, initiator);
}

void
pkt_dispatch_indirect(struct tgsiamd_cs *cs, uint32_t offset, uint32_t initiator)
{
   cs_emit(cs, PKT3(PKT3_DISPATCH_INDIRECT, 1, 0) | PKT3_SHADER_TYPE_S(1));
   cs_emit(cs, offset);
   cs_emit(cs, initiator);
}

void
pkt_index_base(struct tgsiamd_cs *cs, uint64_t va)
{
   cs_emit(cs, PKT3(PKT3_INDEX_BASE, 1, 0));
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
}

void
pkt_index_buffer_size(struct tgsiamd_cs *cs, uint32_t indices)
{
   cs_emit(cs, PKT3(PKT3_INDEX_BUFFER_SIZE, 0, 0));
   cs_emit(cs, indices);
}

void
pkt_set_predication(struct tgsiamd_cs *cs, uint32_t op, uint64_t va)
{
   cs_emit(cs, PKT3(PKT3_SET_PREDICATION, 2, 0));
   cs_emit(cs, op);
   cs_emit(cs, va);
   cs_emit(cs, va >> 32);
}

void
pkt_copy_data(struct tgsiamd_cs *cs, uint32_t src_sel, uint64_t src, uint32_t dst_sel, uint64_t dst)
{
   cs_emit(cs, PKT3(PKT3_COPY_DATA, 4, 0));
   cs_emit(cs, COPY_DATA_SRC_SEL(src_sel) | COPY_DATA_DST_SEL(dst_sel) | COPY_DATA_WR_CONFIRM);
   cs_emit(cs, src);
   cs_emit(cs, src >> 32);
   cs_emit(cs, dst);
   cs_emit(cs, dst >> 32);
}
