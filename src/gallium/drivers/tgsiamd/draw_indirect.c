/* SPDX-License-Identifier: MIT */
/* Draws whose numbers are in GPU memory: indirect draws, which the CP reads by
 * DRAW_(INDEX_)INDIRECT_MULTI, and draws of what transform feedback wrote, whose
 * count the VGT works out from the filled size (VGT_STRMOUT_DRAW_OPAQUE_*). */
#include "context.h"
#include "draw.h"
#include "streamout.h"

#include "util/u_inlines.h"
#include "amdgfxregs.h"
#include "sid.h"

static uint32_t
first_sgpr(struct tgsiamd_context *ctx)
{
   return tgsiamd_vs_user_data(ctx) + TGSIAMD_SGPR_VS_BASE_VERTEX * 4;
}

static uint32_t
draw_id_sgpr(struct tgsiamd_context *ctx)
{
   return tgsiamd_vs_user_data(ctx) + TGSIAMD_SGPR_VS_DRAW_ID * 4;
}

static void
draw_opaque(struct tgsiamd_context *ctx, const struct pipe_draw_info *info, struct tgsiamd_so_target *t)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t sgprs[2] = {0, info->start_instance};

   if (!t->filled_valid || !t->stride || !info->instance_count || !tgsiamd_draw_prepare(ctx, info))
      return;
   tgsiamd_stream_use(ctx->stream, t->filled, TGSIAMD_READ);
   cs_begin(cs, DRAW_DWORDS);
   tgsiamd_emit_vgt(ctx, info);
   tgsiamd_emit_num_instances(ctx, info->instance_count);
   cs_set_regs(cs, first_sgpr(ctx), 2, sgprs);
   cs_set_reg(cs, draw_id_sgpr(ctx), 0);
   /* Dwords; the filled size counts from the start of the buffer. */
   cs_set_reg(cs, R_028B28_VGT_STRMOUT_DRAW_OPAQUE_OFFSET, t->base.buffer_offset / 4);
   cs_set_reg(cs, R_028B30_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE, t->stride);
   pkt_copy_data(cs, COPY_DATA_SRC_MEM, t->filled->va, COPY_DATA_REG,
                 R_028B2C_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE / 4);
   shadow_forget(&cs->shadow, R_028B2C_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE);
   tgsiamd_emit_scissor_again(ctx);
   tgsiamd_emit_index_type(ctx, 0);
   pkt_draw_index_auto(cs, 0, false, true);
   cs_end(cs);
   tgsiamd_draw_done(ctx);
}

static void
draw_from_memory(struct tgsiamd_context *ctx, const struct pipe_draw_info *info,
                 const struct pipe_draw_indirect_info *indirect)
{
   struct tgsiamd_cs *cs = &ctx->cs;
   struct tgsiamd_resource *args = tgsiamd_resource(indirect->buffer);
   struct tgsiamd_resource *count = tgsiamd_resource(indirect->indirect_draw_count);
   struct tgsiamd_resource *indices = info->index_size ? tgsiamd_resource(info->index.resource) : NULL;
   uint64_t count_va = count ? count->va + indirect->indirect_draw_count_offset : 0;

   if (!indirect->draw_count || !tgsiamd_draw_prepare(ctx, info))
      return;
   tgsiamd_use(ctx, args, TGSIAMD_READ);
   if (count)
      tgsiamd_use(ctx, count, TGSIAMD_READ);
   if (indices)
      tgsiamd_use(ctx, indices, TGSIAMD_READ);
   cs_begin(cs, DRAW_DWORDS);
   tgsiamd_emit_vgt(ctx, info);
   tgsiamd_emit_scissor_again(ctx);
   tgsiamd_emit_index_type(ctx, info->index_size);
   pkt_set_base_indirect(cs, args->va);
   if (indices) {
      pkt_index_base(cs, indices->va);
      pkt_index_buffer_size(cs, indices->base.width0 / info->index_size);
   }
   pkt_draw_indirect_multi(cs, indices != NULL, indirect->offset, first_sgpr(ctx),
                           draw_id_sgpr(ctx), indirect->draw_count, count_va, indirect->stride, false);
   cs_end(cs);
   /* The packet has written these. */
   shadow_forget(&cs->shadow, first_sgpr(ctx));
   shadow_forget(&cs->shadow, first_sgpr(ctx) + 4);
   shadow_forget(&cs->shadow, draw_id_sgpr(ctx));
   ctx->last_num_instances = ~0u;
   tgsiamd_draw_done(ctx);
}

void
tgsiamd_draw_indirect(struct tgsiamd_context *ctx, const struct pipe_draw_info *info,
                      const struct pipe_draw_indirect_info *indirect)
{
   if (indirect->count_from_stream_output)
      draw_opaque(ctx, info, (struct tgsiamd_so_target *)indirect->count_from_stream_output);
   else
      draw_from_memory(ctx, info, indirect);
}
