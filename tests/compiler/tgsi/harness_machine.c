/* SPDX-License-Identifier: MIT */
/* Machine code on the model's sequencer: a vertex wave with the registers and
 * descriptor lists that abi.h promises. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgfxregs.h"
#include "pipe/p_shader_tokens.h"
#include "tgsiamd/compiler.h"
#include "util/macros.h"
#include "harness.h"
#include "machine.h"

/* One mapping of 16 MB: code, then descriptor lists, then what they point to. */
#define SIZE         0x1000000u
#define CODE_SIZE    0x600000u
#define BUFFERS_AT   (CODE_SIZE)
#define VERTEX_AT    (CODE_SIZE + 0x1000)
#define INTERNAL_AT  (CODE_SIZE + 0x2000)
#define CONSTS_AT    (CODE_SIZE + 0x3000)
#define SCRATCH_AT   (CODE_SIZE + 0x10000)
#define SCRATCH_SIZE (8191u << 10) /* the most that there can be */
#define ATTRIBS_AT   (SCRATCH_AT + SCRATCH_SIZE)

static struct machine machine;
static struct harness_data *wave_data; /* of the wave that runs, and its program's */
static const struct tgsiamd_shader_info *wave_info;

/* V#: stride 0 counts bytes. */
static void
write_buffer(uint32_t at, uint32_t target, uint32_t stride, uint32_t records, uint32_t dfmt,
             uint32_t nfmt)
{
   const uint64_t va = MACHINE_VA + target;
   const uint32_t desc[4] = {
      (uint32_t)va,
      S_008F04_BASE_ADDRESS_HI(va >> 32) | S_008F04_STRIDE(stride),
      records,
      S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) | S_008F0C_DST_SEL_Y(V_008F0C_SQ_SEL_Y) |
         S_008F0C_DST_SEL_Z(V_008F0C_SQ_SEL_Z) | S_008F0C_DST_SEL_W(V_008F0C_SQ_SEL_W) |
         S_008F0C_NUM_FORMAT(nfmt) | S_008F0C_DATA_FORMAT(dfmt),
   };
   memcpy(machine.mem + at, desc, sizeof(desc));
}

static void
write_memory(const struct tgsiamd_shader_binary *bin, const struct harness_data *data)
{
   memcpy(machine.mem, bin->code, bin->code_dwords * 4);
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t at = CONSTS_AT + i * 0x1000;
      memcpy(machine.mem + at, data->consts[i], sizeof(data->consts[i]));
      write_buffer(BUFFERS_AT + TGSIAMD_CONST_BUFFER_OFFSET(i), at, 0,
                   i == 0 && data->const_bytes ? data->const_bytes : sizeof(data->consts[i]),
                   V_008F0C_BUF_DATA_FORMAT_32, V_008F0C_BUF_NUM_FORMAT_FLOAT);
   }
   for (unsigned i = 0; i < HARNESS_INPUTS; i++) {
      const uint32_t at = ATTRIBS_AT + i * HARNESS_VERTICES * 16;
      write_buffer(VERTEX_AT + TGSIAMD_VERTEX_BUFFER_OFFSET(i), at, 16, HARNESS_VERTICES,
                   V_008F0C_BUF_DATA_FORMAT_32_32_32_32, V_008F0C_BUF_NUM_FORMAT_UINT);
      for (unsigned l = 0; l < HARNESS_LANES; l++) {
         for (unsigned c = 0; c < 4; c++) {
            memcpy(machine.mem + at + (data->vertex_id[l] + data->base_vertex) * 16 + c * 4,
                   &data->in[i][c][l], 4);
         }
      }
   }
   /* Swizzled over 64 lanes, a dword each. */
   write_buffer(INTERNAL_AT + TGSIAMD_INTERNAL_SCRATCH * 16, SCRATCH_AT, 0, SCRATCH_SIZE,
                V_008F0C_BUF_DATA_FORMAT_32, V_008F0C_BUF_NUM_FORMAT_FLOAT);
   uint32_t *scratch = (uint32_t *)(machine.mem + INTERNAL_AT + TGSIAMD_INTERNAL_SCRATCH * 16);
   scratch[1] |= S_008F04_SWIZZLE_ENABLE_GFX6(1);
   scratch[3] |= S_008F0C_INDEX_STRIDE(3) | S_008F0C_ADD_TID_ENABLE(1);
}

static void
on_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr, bool done, bool vm,
          uint64_t exec, const uint32_t *const src[4])
{
   unsigned reg = ~0u;

   if (target == V_008DFC_SQ_EXP_POS)
      reg = 0;
   for (unsigned i = 0; i < wave_info->num_io; i++) {
      const struct tgsiamd_io *io = &wave_info->io[i];
      if (io->semantic == TGSI_SEMANTIC_GENERIC && io->slot != 0xff &&
          target == (unsigned)V_008DFC_SQ_EXP_PARAM + io->slot)
         reg = io->index;
   }
   if (reg >= HARNESS_OUTPUTS)
      return;
   for (unsigned c = 0; c < 4; c++) {
      if (!(en & (1u << c)) || !src[c])
         continue;
      for (unsigned l = 0; l < HARNESS_LANES; l++)
         wave_data->out[reg][c][l] = src[c][l];
   }
}

static void
on_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
}

static void
start_wave(struct sq_wave_init *w, const struct tgsiamd_shader_info *info,
           const struct harness_data *data)
{
   static const struct { uint8_t sgpr; uint32_t at; } lists[] = {
      { TGSIAMD_SGPR_VS_BUFFERS, BUFFERS_AT },
      { TGSIAMD_SGPR_INTERNAL, INTERNAL_AT },
      { TGSIAMD_SGPR_VS_VERTEX_BUFFERS, VERTEX_AT },
   };

   memset(w, 0, sizeof(*w));
   w->stage = SQ_VS;
   w->pc = MACHINE_VA;
   w->rsrc1 = S_00B128_VGPRS((info->num_vgprs - 1) / 4) |
              S_00B128_SGPRS((info->num_sgprs - 1) / 16 * 2 + 1) |
              S_00B128_FLOAT_MODE(info->float_mode) | S_00B128_DX10_CLAMP(info->dx10_clamp) |
              S_00B128_IEEE_MODE(info->ieee_mode);
   w->num_sgprs = info->num_user_sgprs + (info->scratch_bytes_per_wave != 0);
   for (unsigned i = 0; i < ARRAY_SIZE(lists); i++)
      machine_list(w, lists[i].sgpr, lists[i].at);
   memcpy(&w->sgpr[TGSIAMD_SGPR_VS_CONST0], machine.mem + BUFFERS_AT + TGSIAMD_CONST_BUFFER_OFFSET(0), 16);
   memcpy(&w->sgpr[TGSIAMD_SGPR_VS_VERTEX(0)], machine.mem + VERTEX_AT, 16 * TGSIAMD_NUM_VERTEX_IN_SGPRS);
   w->sgpr[TGSIAMD_SGPR_VS_BASE_VERTEX] = data->base_vertex;
   w->sgpr[info->num_user_sgprs] = 0; /* scratch offset */
   w->num_vgprs = info->vgpr_comp_cnt + 1;
   for (unsigned l = 0; l < HARNESS_LANES; l++) {
      w->vgpr[0][l] = data->vertex_id[l];
      w->vgpr[1][l] = data->instance_id;
   }
   w->exec = BITFIELD_MASK(HARNESS_LANES);
}

static bool
run(const struct tgsiamd_shader_binary *bin, struct harness_data *data, char *why, unsigned why_size)
{
   static struct sq_wave_init wave;
   const struct sq_sink sink = { .export = on_export, .message = on_message };

   if (bin->code_dwords * 4 > CODE_SIZE) {
      snprintf(why, why_size, "the program is too long to be run here");
      return false;
   }
   write_memory(bin, data);
   start_wave(&wave, &bin->info, data);
   wave_data = data;
   wave_info = &bin->info;
   machine_begin(&machine);
   if (!machine_run(&machine, &wave, 1, 0, &sink)) {
      snprintf(why, why_size, "%s", machine.line[0] ? machine.line : "a violation, or the wave failed");
      return false;
   }
   return true;
}

bool
harness_machine(const struct tgsiamd_shader_binary *bin, struct harness_data *data, char *why, unsigned why_size)
{
   /* What nobody wrote counts for nothing. */
   machine_start(&machine, SIZE, 0xcd, true, 1u << 22);
   return run(bin, data, why, why_size);
}
