/* SPDX-License-Identifier: MIT */
/* Geometry stage: VGT_GS_*, VGT_SHADER_STAGES_EN, the merged ES-GS program of
 * GFX9, sizes of its groups and of the GSVS ring. */
#include "context.h"
#include "emit.h"

#include "util/u_math.h"
#include "util/u_prim.h"
#include "amdgfxregs.h"
#include "sid.h"

/* Vertices and primitives that one group of waves takes; they share LDS. */
struct group {
   unsigned es_verts, gs_prims, lds_dwords;
};

#define MAX_LDS_DWORDS 8192  /* half of it: other stages run on the same unit */
#define MAX_OUT_PRIMS  32768 /* VGT_GS_MAX_PRIMS_PER_SUBGROUP */
#define MAX_ES_VERTS   255
#define WANTED_PRIMS   64

static struct group
group_size(const struct tgsiamd_shader_info *info)
{
   struct group g;
   unsigned verts = u_vertices_per_prim(info->gs_input_prim);
   bool adjacency = info->gs_input_prim >= PIPE_PRIM_LINES_ADJACENCY;
   unsigned max_prims = adjacency || info->gs_invocations > 1 ? 127 / info->gs_invocations : 255;
   unsigned item = info->esgs_item_dwords;
   /* Neighbours are mostly vertices of other primitives, too. */
   unsigned unique = adjacency ? verts / 2 : verts;

   if (info->gs_max_vertices)
      max_prims = MIN2(max_prims, MAX_OUT_PRIMS / (info->gs_max_vertices * info->gs_invocations));
   max_prims = MAX2(max_prims, 1);
   g.gs_prims = MIN2(WANTED_PRIMS, max_prims);
   if (MIN2(unique * g.gs_prims, MAX_ES_VERTS) * item > MAX_LDS_DWORDS)
      g.gs_prims = CLAMP(MAX_LDS_DWORDS / (item * unique), 1, max_prims);
   g.es_verts = MIN2(unique * g.gs_prims, MAX_ES_VERTS);
   /* The VGT looks at the limit after it has taken a whole primitive. */
   g.es_verts = MAX2(g.es_verts, verts);
   g.lds_dwords = g.es_verts * item;
   g.es_verts -= verts - 1;
   return g;
}

static uint32_t
gs_mode(unsigned max_vertices)
{
   unsigned cut = max_vertices <= 128   ? V_028A40_GS_CUT_128
                  : max_vertices <= 256 ? V_028A40_GS_CUT_256
                  : max_vertices <= 512 ? V_028A40_GS_CUT_512
                                        : V_028A40_GS_CUT_1024;

   /* "On chip" is what lies between ES and GS; the GSVS ring is in memory. */
   return S_028A40_MODE(V_028A40_GS_SCENARIO_G) | S_028A40_CUT_MODE(cut) |
          S_028A40_GS_WRITE_OPTIMIZE(1) | S_028A40_ONCHIP(1);
}

static void
emit_program(struct tgsiamd_context *ctx, const struct group *g)
{
   const struct tgsiamd_variant *v = ctx->gs_variant;
   const struct tgsiamd_shader_info *info = &v->info;
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t address[2] = {v->bo->va >> 8, S_00B214_MEM_BASE(v->bo->va >> 40)};
   uint32_t rsrc[2] = {
      S_00B228_VGPRS((MAX2(info->num_vgprs, 1) - 1) / 4) | S_00B228_SGPRS((MAX2(info->num_sgprs, 1) - 1) / 8) |
         S_00B228_FLOAT_MODE(info->float_mode) | S_00B228_DX10_CLAMP(info->dx10_clamp) |
         S_00B228_IEEE_MODE(info->ieee_mode) | S_00B228_GS_VGPR_COMP_CNT(3),
      S_00B22C_USER_SGPR(info->num_user_sgprs) | S_00B22C_USER_SGPR_MSB_GFX9(info->num_user_sgprs >> 5) |
         S_00B22C_ES_VGPR_COMP_CNT(info->vgpr_comp_cnt) |
         S_00B22C_SCRATCH_EN(info->scratch_bytes_per_wave > 0) |
         S_00B22C_LDS_SIZE(DIV_ROUND_UP(g->lds_dwords, 128)),
   };

   cs_set_regs(cs, R_00B210_SPI_SHADER_PGM_LO_ES, 2, address);
   cs_set_regs(cs, R_00B228_SPI_SHADER_PGM_RSRC1_GS, 2, rsrc);
   cs_set_reg(cs, R_00B21C_SPI_SHADER_PGM_RSRC3_GS, S_00B21C_CU_EN(0xffff) | S_00B21C_WAVE_LIMIT(0x3f));
   tgsiamd_stream_use(ctx->stream, v->bo, TGSIAMD_READ);
}

void
tgsiamd_emit_gs(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;

   if (!ctx->gs_variant) {
      cs_set_reg(cs, R_028B54_VGT_SHADER_STAGES_EN, S_028B54_MAX_PRIMGRP_IN_WAVE(2));
      /* Scenario A numbers primitives for a vertex shader. */
      bool prim_id = ctx->vs_variant->key.vs.export_prim_id;
      cs_set_reg(cs, R_028A40_VGT_GS_MODE, prim_id ? S_028A40_MODE(V_028A40_GS_SCENARIO_A) : 0);
      cs_set_reg(cs, R_028A84_VGT_PRIMITIVEID_EN, prim_id);
      return;
   }
   const struct tgsiamd_shader_info *info = &ctx->gs_variant->info;
   const struct group g = group_size(info);
   uint32_t ends[4], thread_dwords = 0; /* of the streams in a thread's part of the ring */

   for (unsigned s = 0; s < 4; s++)
      ends[s] = thread_dwords += info->gs_vertex_dwords[s] * info->gs_max_vertices;

   emit_program(ctx, &g);
   cs_set_reg(cs, R_028B54_VGT_SHADER_STAGES_EN,
              S_028B54_ES_EN(V_028B54_ES_STAGE_REAL) | S_028B54_GS_EN(1) |
                 S_028B54_VS_EN(V_028B54_VS_STAGE_COPY_SHADER) | S_028B54_MAX_PRIMGRP_IN_WAVE(2));
   cs_set_reg(cs, R_028A40_VGT_GS_MODE, gs_mode(info->gs_max_vertices));
   cs_set_reg(cs, R_028A84_VGT_PRIMITIVEID_EN, 0);
   cs_set_reg(cs, R_028A44_VGT_GS_ONCHIP_CNTL,
              S_028A44_ES_VERTS_PER_SUBGRP(g.es_verts) | S_028A44_GS_PRIMS_PER_SUBGRP(g.gs_prims) |
                 S_028A44_GS_INST_PRIMS_IN_SUBGRP(g.gs_prims * info->gs_invocations));
   cs_set_reg(cs, R_028A94_VGT_GS_MAX_PRIMS_PER_SUBGROUP,
              S_028A94_MAX_PRIMS_PER_SUBGROUP(g.gs_prims * info->gs_invocations * info->gs_max_vertices));
   cs_set_reg(cs, R_028AAC_VGT_ESGS_RING_ITEMSIZE, info->esgs_item_dwords);
   cs_set_regs(cs, R_028A60_VGT_GSVS_RING_OFFSET_1, 3, ends);
   cs_set_reg(cs, R_028AB0_VGT_GSVS_RING_ITEMSIZE, thread_dwords);
   cs_set_reg(cs, R_028B38_VGT_GS_MAX_VERT_OUT, info->gs_max_vertices);
   cs_set_regs(cs, R_028B5C_VGT_GS_VERT_ITEMSIZE, 4, info->gs_vertex_dwords);
   cs_set_reg(cs, R_028B90_VGT_GS_INSTANCE_CNT,
              S_028B90_CNT(MIN2(info->gs_invocations, 127)) | S_028B90_ENABLE(1));
}

void
tgsiamd_emit_gs_ring(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;

   if (!ctx->gsvs_ring)
      return;
   /* The size is no context register: earlier work must be through, and the
    * VGT's pointers into the old ring be forgotten. */
   pkt_event_write(cs, V_028A90_VS_PARTIAL_FLUSH, 4);
   pkt_event_write(cs, V_028A90_VGT_FLUSH, 0);
   cs_set_reg(cs, R_030904_VGT_GSVS_RING_SIZE, ctx->gsvs_ring_size / 256);
   tgsiamd_stream_use(ctx->stream, ctx->gsvs_ring, TGSIAMD_READ | TGSIAMD_WRITE);
}
