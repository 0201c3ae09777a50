/* SPDX-License-Identifier: MIT */
/* Draws: shader choice, state, descriptors, VGT registers, draw packets. */
#include "context.h"
#include "draw.h"
#include "emit/emit.h"
#include "streamout.h"

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_prim.h"
#include "util/u_prim_restart.h"
#include "util/u_upload_mgr.h"
#include "amdgfxregs.h"

#define MEMORY_LIMIT  (512ull << 20) /* bytes that one submission may use */

static uint32_t
hw_primitive(enum pipe_prim_type prim)
{
   static const uint8_t types[] = {
      [PIPE_PRIM_POINTS] = V_008958_DI_PT_POINTLIST,
      [PIPE_PRIM_LINES] = V_008958_DI_PT_LINELIST,
      [PIPE_PRIM_LINE_LOOP] = V_008958_DI_PT_LINELOOP,
      [PIPE_PRIM_LINE_STRIP] = V_008958_DI_PT_LINESTRIP,
      [PIPE_PRIM_TRIANGLES] = V_008958_DI_PT_TRILIST,
      [PIPE_PRIM_TRIANGLE_STRIP] = V_008958_DI_PT_TRISTRIP,
      [PIPE_PRIM_TRIANGLE_FAN] = V_008958_DI_PT_TRIFAN,
      [PIPE_PRIM_QUADS] = V_008958_DI_PT_QUADLIST,
      [PIPE_PRIM_QUAD_STRIP] = V_008958_DI_PT_QUADSTRIP,
      [PIPE_PRIM_POLYGON] = V_008958_DI_PT_POLYGON,
      [PIPE_PRIM_LINES_ADJACENCY] = V_008958_DI_PT_LINELIST_ADJ,
      [PIPE_PRIM_LINE_STRIP_ADJACENCY] = V_008958_DI_PT_LINESTRIP_ADJ,
      [PIPE_PRIM_TRIANGLES_ADJACENCY] = V_008958_DI_PT_TRILIST_ADJ,
      [PIPE_PRIM_TRIANGLE_STRIP_ADJACENCY] = V_008958_DI_PT_TRISTRIP_ADJ,
   };

   return prim < ARRAY_SIZE(types) ? types[prim] : V_008958_DI_PT_NONE;
}

/* What VGT_GS_OUT_PRIM_TYPE and the rasterizer see. */
static uint32_t
output_primitive(enum pipe_prim_type prim)
{
   switch (u_reduced_prim(prim)) {
   case PIPE_PRIM_POINTS:
      return V_028A6C_POINTLIST;
   case PIPE_PRIM_LINES:
      return V_028A6C_LINESTRIP;
   default:
      return V_028A6C_TRISTRIP;
   }
}

void
tgsiamd_emit_vgt(struct tgsiamd_context *ctx, const struct pipe_draw_info *info)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   bool stipple = ctx->rs->state.line_stipple_enable;
   unsigned group = 128; /* primitives that go to one shader engine together */

   cs_set_uconfig_reg_index(cs, R_030908_VGT_PRIMITIVE_TYPE, 1, hw_primitive(info->mode));
   cs_set_uconfig_reg_index(cs, R_030960_IA_MULTI_VGT_PARAM, 4,
                            S_030960_PRIMGROUP_SIZE(group - 1) | S_030960_SWITCH_ON_EOP(stipple) |
                               S_030960_WD_SWITCH_ON_EOP(1) | S_030960_EN_INST_OPT_BASIC(1) |
                               S_030960_EN_INST_OPT_ADV(1));
   cs_set_reg(cs, R_028A6C_VGT_GS_OUT_PRIM_TYPE, output_primitive(ctx->rast_prim));
   cs_set_reg(cs, R_03092C_VGT_MULTI_PRIM_IB_RESET_EN,
              S_03092C_RESET_EN(info->index_size && info->primitive_restart));
   if (info->index_size && info->primitive_restart)
      cs_set_reg(cs, R_02840C_VGT_MULTI_PRIM_IB_RESET_INDX, info->restart_index);
}

void
tgsiamd_emit_scissor_again(struct tgsiamd_context *ctx)
{
   struct tgsiamd_cs *cs = &ctx->cs;

   if (cs->context_written && ctx->screen->info->has_gfx9_scissor_bug) {
      unsigned count = 2 * tgsiamd_num_viewports(ctx);

      for (unsigned i = 0; i < count; i++)
         shadow_forget(&cs->shadow, R_028250_PA_SC_VPORT_SCISSOR_0_TL + i * 4);
      tgsiamd_emit_sc_scissor(ctx);
   }
   cs->context_written = false;
}

void
tgsiamd_emit_num_instances(struct tgsiamd_context *ctx, uint32_t count)
{
   if (ctx->last_num_instances != count) {
      pkt_num_instances(&ctx->cs, count);
      ctx->last_num_instances = count;
   }
}

void
tgsiamd_emit_index_type(struct tgsiamd_context *ctx, unsigned size)
{
   uint32_t type = size == 1   ? V_028A7C_VGT_INDEX_8
                   : size == 2 ? V_028A7C_VGT_INDEX_16
                               : V_028A7C_VGT_INDEX_32;

   /* The hardware sets the type itself for automatic indices. */
   if (size)
      cs_set_uconfig_reg_index(&ctx->cs, R_03090C_VGT_INDEX_TYPE, 2, type);
   else
      shadow_forget(&ctx->cs.shadow, R_03090C_VGT_INDEX_TYPE);
}

static void
emit_draw(struct tgsiamd_context *ctx, const struct pipe_draw_info *info,
          const struct pipe_draw_start_count_bias *draw, uint32_t draw_id,
          struct tgsiamd_resource *indices, uint64_t index_offset)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t sgprs[2] = {info->index_size ? draw->index_bias : (int)draw->start, info->start_instance};

   STATIC_ASSERT(TGSIAMD_SGPR_VS_START_INSTANCE == TGSIAMD_SGPR_VS_BASE_VERTEX + 1);
   cs_set_regs(cs, tgsiamd_vs_user_data(ctx) + TGSIAMD_SGPR_VS_BASE_VERTEX * 4, 2, sgprs);
   cs_set_reg(cs, tgsiamd_vs_user_data(ctx) + TGSIAMD_SGPR_VS_DRAW_ID * 4, draw_id);
   tgsiamd_emit_index_type(ctx, info->index_size);
   if (info->index_size) {
      uint64_t start = index_offset + (uint64_t)draw->start * info->index_size;
      uint64_t left = indices->base.width0 > start ? indices->base.width0 - start : 0;

      pkt_draw_index_2(cs, indices->va + start, left / info->index_size, draw->count, false);
   } else {
      pkt_draw_index_auto(cs, draw->count, false, false);
   }
}

static bool
ready(struct tgsiamd_context *ctx)
{
   return ctx->blend && ctx->dsa && ctx->rs;
}

bool
tgsiamd_draw_prepare(struct tgsiamd_context *ctx, const struct pipe_draw_info *info)
{
   enum pipe_prim_type prim = ctx->gs ? ctx->gs->scan.properties[TGSI_PROPERTY_GS_OUTPUT_PRIM] : info->mode;

   if (ctx->rast_prim != prim) {
      ctx->rast_prim = prim;
      ctx->dirty |= DIRTY_PRIM;
   }
   /* GFX9 turns every second triangle when the last vertex provokes. The shader
    * turns them back, by the primitive's number. */
   if (ctx->strip_adj != (info->mode == PIPE_PRIM_TRIANGLE_STRIP_ADJACENCY)) {
      ctx->strip_adj = !ctx->strip_adj;
      if (ctx->gs)
         ctx->dirty |= DIRTY_GS;
   }
   if (ctx->indexed != (info->index_size > 0)) {
      ctx->indexed = info->index_size > 0;
      if (ctx->vs && ctx->vs->scan.uses_basevertex)
         ctx->dirty |= DIRTY_VS;
   }
   if (tgsiamd_stream_memory(ctx->stream) > MEMORY_LIMIT)
      tgsiamd_flush(ctx, NULL, "much memory in use");
   if (!tgsiamd_update_shaders(ctx) ||
       !tgsiamd_update_scratch(ctx, &ctx->scratch, MAX3(ctx->vs_variant->info.scratch_bytes_per_wave,
                                                        ctx->ps_variant->info.scratch_bytes_per_wave,
                                                        ctx->gs_variant ? ctx->gs_variant->info.scratch_bytes_per_wave
                                                                        : 0)) ||
       !tgsiamd_update_gs_ring(ctx))
      return false;
   if (!tgsiamd_reserve(ctx, BARRIER_DWORDS + 2 * STREAMOUT_DWORDS + STATE_DWORDS + DRAW_DWORDS))
      return false;
   if (!tgsiamd_update_descriptors(ctx))
      return false;
   tgsiamd_emit_barriers(ctx);
   if (ctx->dirty & (DIRTY_STREAMOUT | DIRTY_VS_VARIANT | DIRTY_QUERY))
      tgsiamd_streamout_begin(ctx);
   if (ctx->dirty)
      tgsiamd_emit_state(ctx);
   return true;
}

void
tgsiamd_draw_done(struct tgsiamd_context *ctx)
{
   ctx->has_draws = true;
   ctx->cb_dirty |= ctx->fb.nr_cbufs > 0;
   ctx->db_dirty |= ctx->fb.zsbuf != NULL;
   if (ctx->screen->debug & DBG_SYNC) {
      struct tgsiamd_fence *fence = NULL;
      tgsiamd_flush(ctx, &fence, "TGSIAMD_DEBUG=sync");
      if (fence)
         tgsiamd_fence_wait(fence, UINT64_MAX);
      tgsiamd_fence_reference(&fence, NULL);
   }
}

/* Behind a restart that follows an odd number of triangles, a primitive's number does
 * not say any more whether the hardware turned it (tgsiamd_draw_prepare): every strip
 * gets a draw of its own. Not in draws from memory, and not when the program would
 * see other numbers then. */
static bool
must_split(const struct tgsiamd_context *ctx, const struct pipe_draw_info *info)
{
   return info->primitive_restart && info->index_size && info->mode == PIPE_PRIM_TRIANGLE_STRIP_ADJACENCY &&
          ctx->gs && !ctx->gs->scan.uses_primid && !ctx->rs->state.flatshade_first;
}

static void
draw_vbo(struct pipe_context *pctx, const struct pipe_draw_info *info, unsigned drawid_offset,
         const struct pipe_draw_indirect_info *indirect,
         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct pipe_resource *indices = NULL;
   uint64_t index_offset = 0;

   if (!ready(ctx) || !tgsiamd_check_render_condition(ctx))
      return;
   if (indirect) {
      tgsiamd_draw_indirect(ctx, info, indirect);
      return;
   }
   if (!info->instance_count)
      return;

   for (unsigned i = 0; i < num_draws; i++) {
      if (!draws[i].count)
         continue;
      if (must_split(ctx, info)) {
         struct pipe_draw_info strips = *info;
         strips.take_index_buffer_ownership = false;
         util_draw_vbo_without_prim_restart(pctx, &strips, drawid_offset + (info->increment_draw_id ? i : 0), NULL,
                                            &draws[i]);
         continue;
      }
      if (info->index_size) {
         if (info->has_user_indices) {
            unsigned offset = 0;
            unsigned start = draws[i].start * info->index_size;

            pipe_resource_reference(&indices, NULL);
            u_upload_data(pctx->stream_uploader, start, draws[i].count * info->index_size, 4,
                          (const char *)info->index.user + start, &offset, &indices);
            if (!indices)
               break;
            index_offset = (int64_t)offset - start;
         } else {
            pipe_resource_reference(&indices, info->index.resource);
         }
      }
      if (!tgsiamd_draw_prepare(ctx, info))
         break;
      if (indices)
         tgsiamd_use(ctx, tgsiamd_resource(indices), TGSIAMD_READ);
      cs_begin(&ctx->cs, DRAW_DWORDS);
      tgsiamd_emit_vgt(ctx, info);
      tgsiamd_emit_scissor_again(ctx);
      tgsiamd_emit_num_instances(ctx, info->instance_count);
      emit_draw(ctx, info, &draws[i], drawid_offset + (info->increment_draw_id ? i : 0),
                tgsiamd_resource(indices), index_offset);
      cs_end(&ctx->cs);
      tgsiamd_draw_done(ctx);
   }
   pipe_resource_reference(&indices, NULL);
   if (info->index_size && info->take_index_buffer_ownership && !info->has_user_indices) {
      struct pipe_resource *owned = info->index.resource;
      pipe_resource_reference(&owned, NULL);
   }
}

void
tgsiamd_init_draw(struct tgsiamd_context *ctx)
{
   ctx->base.draw_vbo = draw_vbo;
}
