/* SPDX-License-Identifier: MIT */
/* Vertex elements and buffers: the V# of an element is made in descriptors.c
 * from SQ_BUF_RSRC_WORD3, which is worked out here. */
#include "context.h"

#include "util/format/u_format.h"
#include "util/u_helpers.h"
#include "amdgfxregs.h"

#define MAX_OFFSET 4095 /* of an MTBUF instruction */

static bool
can_share(const struct pipe_vertex_element *a, const struct pipe_vertex_element *b)
{
   return a->vertex_buffer_index == b->vertex_buffer_index && a->instance_divisor == b->instance_divisor;
}

/* Decides which elements have their format in the shader's instruction: those
 * that share a V# then, and those whose data has fewer components than four, as
 * the missing ones are constants that the compiler can use. For others it would
 * only make more variants. */
static void
choose_typed(struct tgsiamd_vertex_elements *v)
{
   for (unsigned i = 0; i < v->count; i++) {
      struct tgsiamd_vertex_fetch *f = &v->fetch[i];
      const unsigned format = G_008F0C_DATA_FORMAT(v->word3[i]) | G_008F0C_NUM_FORMAT(v->word3[i]) << 4;
      unsigned sharers = 0, first = i;

      if (v->fix_alpha[i] >= 4 || v->elem[i].src_offset > MAX_OFFSET || !G_008F0C_DATA_FORMAT(v->word3[i]))
         continue;
      for (unsigned k = 0; k < v->count; k++) {
         if (v->fix_alpha[k] >= 4 || v->elem[k].src_offset > MAX_OFFSET || !G_008F0C_DATA_FORMAT(v->word3[k]) ||
             !can_share(&v->elem[i], &v->elem[k]))
            continue;
         first = MIN2(first, k);
         sharers++;
      }
      if (sharers < 2 && G_008F0C_DST_SEL_W(v->word3[i]) >= V_008F0C_SQ_SEL_X)
         continue;
      f->format = format;
      f->desc = first;
      f->offset = v->elem[i].src_offset;
      f->sel = v->word3[i] & 0xfff;
   }
}

/* How the bound vertex shader fetches the bound elements. Doubles are pairs of
 * dwords: of a pair with a constant half both would have to be moved. */
const struct tgsiamd_vertex_fetch *
tgsiamd_vertex_fetch(const struct tgsiamd_context *ctx)
{
   static const struct tgsiamd_vertex_fetch by_descriptor[TGSIAMD_MAX_VERTEX_ELEMENTS];

   return ctx->velems && !ctx->vs->scan.uses_doubles ? ctx->velems->fetch : by_descriptor;
}

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
   choose_typed(v);
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
