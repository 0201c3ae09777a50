/* SPDX-License-Identifier: MIT */
/* PM4 writer and register shadow, on memory of the test. Packet sizes are those
 * that packets.h states; every packet must be whole: a walk over headers that
 * follows their counts ends exactly at the end. */
#include <stdio.h>
#include <stdlib.h>

#include "packets.h"
#include "sid.h"
#include "amdgfxregs.h"

static int failures;
static uint32_t memory[4096];

#define CHECK(cond)                                                        \
   do {                                                                    \
      if (!(cond)) {                                                       \
         fprintf(stderr, "%s:%d: %s\n", __func__, __LINE__, #cond);        \
         failures++;                                                       \
      }                                                                    \
   } while (0)

static unsigned
count_packets(const struct tgsiamd_ib_space *ib)
{
   unsigned count = 0;
   uint32_t at = 0;

   while (at < ib->cdw) {
      if (PKT_TYPE_G(memory[at]) != 3)
         return ~0u;
      at += 2 + PKT_COUNT_G(memory[at]);
      count++;
   }
   return at == ib->cdw ? count : ~0u;
}

static void
test_sizes(void)
{
   struct tgsiamd_ib_space ib = {memory, 0, 4096};
   static struct tgsiamd_cs cs;
   uint32_t data[3] = {1, 2, 3}, start;

#define SIZE(n, call)                                                      \
   do {                                                                    \
      start = ib.cdw;                                                      \
      cs_begin(&cs, n);                                                    \
      call;                                                                \
      cs_end(&cs);                                                         \
      CHECK(ib.cdw - start == (n));                                        \
   } while (0)

   cs.ib = &ib;
   SIZE(3, pkt_context_control(&cs));
   SIZE(2, pkt_clear_state(&cs));
   SIZE(2, pkt_event_write(&cs, V_028A90_PS_PARTIAL_FLUSH, 4));
   SIZE(4, pkt_event_write_data(&cs, V_028A90_ZPASS_DONE, 1, 0x1000));
   SIZE(7, pkt_acquire_mem(&cs, S_0085F0_TC_ACTION_ENA(1)));
   SIZE(8, pkt_release_mem(&cs, V_028A90_BOTTOM_OF_PIPE_TS, 0, EOP_DATA_SEL_TIMESTAMP, 0x1000, 0));
   SIZE(7, pkt_wait_reg_mem(&cs, 0x1000, 1, ~0u, WAIT_REG_MEM_EQUAL));
   SIZE(7, pkt_write_data(&cs, 0x1000, 3, data));
   SIZE(7, pkt_dma_data_copy(&cs, 0x1000, 0x2000, 64, true));
   SIZE(7, pkt_dma_data_fill(&cs, 0x1000, 5, 64, false));
   SIZE(2, pkt_pfp_sync_me(&cs));
   SIZE(2, pkt_num_instances(&cs, 4));
   SIZE(3, pkt_draw_index_auto(&cs, 3, false, false));
   SIZE(6, pkt_draw_index_2(&cs, 0x1000, 10, 3, false));
   SIZE(4, pkt_set_base_indirect(&cs, 0x1000));
   SIZE(10, pkt_draw_indirect_multi(&cs, true, 0, SI_SH_REG_OFFSET, SI_SH_REG_OFFSET + 8, 3, 0, 20, false));
   SIZE(3, pkt_index_base(&cs, 0x1000));
   SIZE(2, pkt_index_buffer_size(&cs, 10));
   SIZE(4, pkt_set_predication(&cs, 0, 0x1000));
   SIZE(6, pkt_copy_data(&cs, COPY_DATA_SRC_MEM, 0x1000, COPY_DATA_DST_MEM, 0x2000));
   CHECK(count_packets(&ib) == 20);
}

static void
test_shadow(void)
{
   struct tgsiamd_ib_space ib = {memory, 0, 4096};
   static struct tgsiamd_cs cs;
   uint32_t values[4] = {1, 2, 3, 4}, at;

   cs.ib = &ib;
   shadow_forget_all(&cs.shadow);
   cs_begin(&cs, 100);
   cs_set_regs(&cs, R_028414_CB_BLEND_RED, 4, values);
   CHECK(ib.cdw == 6);
   cs_set_regs(&cs, R_028414_CB_BLEND_RED, 4, values);
   cs_set_reg(&cs, R_028414_CB_BLEND_RED + 8, 3);
   CHECK(ib.cdw == 6); /* nothing new */
   cs_set_reg(&cs, R_028414_CB_BLEND_RED + 8, 9);
   CHECK(ib.cdw == 9 && memory[8] == 9);
   cs_set_regs(&cs, R_028414_CB_BLEND_RED, 4, values);
   CHECK(ib.cdw == 15); /* the third differs now */

   /* The three banks do not disturb each other. */
   cs_set_reg(&cs, R_00B130_SPI_SHADER_USER_DATA_VS_0, 1);
   cs_set_reg(&cs, R_030908_VGT_PRIMITIVE_TYPE, 1);
   CHECK(ib.cdw == 21);
   cs_set_reg(&cs, R_00B130_SPI_SHADER_USER_DATA_VS_0, 1);
   cs_set_uconfig_reg_index(&cs, R_030908_VGT_PRIMITIVE_TYPE, 1, 1);
   CHECK(ib.cdw == 21);

   at = ib.cdw;
   shadow_forget(&cs.shadow, R_030908_VGT_PRIMITIVE_TYPE);
   cs_set_uconfig_reg_index(&cs, R_030908_VGT_PRIMITIVE_TYPE, 1, 1);
   CHECK(ib.cdw == at + 3);
   shadow_forget_all(&cs.shadow);
   cs_set_reg(&cs, R_00B130_SPI_SHADER_USER_DATA_VS_0, 1);
   CHECK(ib.cdw == at + 6);
   cs_end(&cs);
   CHECK(count_packets(&ib) != ~0u);
}

int
main(void)
{
   test_sizes();
   test_shadow();
   printf("%s\n", failures ? "FAILED" : "ok");
   return failures != 0;
}
