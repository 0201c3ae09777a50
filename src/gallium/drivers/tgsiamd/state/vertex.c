/* SPDX-License-Identifier: MIT */
/* Vertex elements and buffers: the V# of an element is made in descriptors.c
 * from SQ_BUF_RSRC_WORD3, which is worked out here. */
#include "context.h"

#include "util/format/u_format.h"
#include "util/u_helpers.h"
#include "amdgfxregs.h"

static void *
create_vertex_elements(struct pipe_context *pctx, unsigned count,
                       const struct pipe_vertex_element *elements)
{
   const struct radeon_info *info = tgsiamd_context(pctx)->screen->info;
   struct tgsiamd_vertex_elements *v;

   if (count > TGSIAMD_MAX_VERTEX_ELEMENTS)
      return NULL;
   v = CALLOC_STRUCT(tgsiamd_vertex_elements);
   if (!v)
      return NULL;
   v->count = count;
   memcpy(v->elem, elements, count * sizeof(*elements));
   for (unsigned i = 0; i < count; i++) {
      const struct ac_vtx_format_info *vtx =
         ac_get_vtx_format_info(info->gfx_level, info->family, elements[i].src_format);
      unsigned hw = vtx->hw_format[MAX2(vtx->num_channels, 1) - 1];

      v->size[i] = vtx->element_size;
      v->fix_alpha[i] = vtx->alpha_adjust;
      /* Three small integers have no data format, and u_vbuf translates only
       * formats that become floats: the shader fetches them one by one. */
      if (vtx->num_channels == 3 && !(vtx->has_hw_format & 4) && vtx->chan_byte_size &&
          util_format_is_pure_integer(elements[i].src_format)) {
         hw = vtx->hw_format[0];
         v->fix_alpha[i] = vtx->chan_byte_size == 1 ? 4 : 5;
      }
      v->word3[i] = vtx->dst_sel | S_008F0C_DATA_FORMAT(hw & 0xf) | S_008F0C_NUM_FORMAT(hw >> 4);
   }
   return v;
}

static void
bind_vertex_elements(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->velems != state) {
      ctx->velems = state;
      ctx->dirty |= DIRTY_VERTEX;
   }
}

static void
delete_vertex_elements(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->velems == state)
      ctx->velems = NULL;
   FREE(state);
}

static void
set_vertex_buffers(struct pipe_context *pctx, unsigned start, unsigned count, unsigned unbind,
                   bool take_ownership, const struct pipe_vertex_buffer *buffers)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   util_set_vertex_buffers_mask(ctx->vbufs, &ctx->vbuf_mask, buffers, start, count, unbind,
                                take_ownership);
   ctx->dirty |= DIRTY_VERTEX;
}

void
tgsiamd_init_state_vertex(struct tgsiamd_context *ctx)
{
   ctx->base.create_vertex_elements_state = create_vertex_elements;
   ctx->base.bind_vertex_elements_state = bind_vertex_elements;
   ctx->base.delete_vertex_elements_state = delete_vertex_elements;
   ctx->base.set_vertex_buffers = set_vertex_buffers;
}
