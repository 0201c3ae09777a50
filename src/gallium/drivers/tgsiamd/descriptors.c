/* SPDX-License-Identifier: MIT */
/* Descriptor lists in GPU memory, laid out as abi.h says, and their addresses
 * in user SGPRs. A list is uploaded anew when something in it changes; only as
 * far as the shader reads it. */
#include "context.h"
#include "sample_positions.h"

#include "util/u_inlines.h"
#include "util/u_math.h"
#include "amdgfxregs.h"

static uint32_t *
alloc_list(struct tgsiamd_context *ctx, uint32_t bytes, uint64_t *va)
{
   struct pipe_resource *buffer = NULL;
   unsigned offset;
   void *map = NULL;

   u_upload_alloc(ctx->desc_uploader, 0, bytes, 64, &offset, &buffer, &map);
   if (!buffer)
      return NULL;
   tgsiamd_use(ctx, tgsiamd_resource(buffer), TGSIAMD_READ);
   *va = tgsiamd_resource(buffer)->va + offset;
   pipe_resource_reference(&buffer, NULL);
   memset(map, 0, bytes);
   return map;
}

/* V# of plain memory: dwords, `size` bytes. */
static void
raw_buffer(uint32_t *words, uint64_t va, uint32_t size)
{
   words[0] = va;
   words[1] = S_008F04_BASE_ADDRESS_HI(va >> 32);
   words[2] = size;
   words[3] = S_008F0C_DST_SEL_X(V_008F0C_SQ_SEL_X) | S_008F0C_DST_SEL_Y(V_008F0C_SQ_SEL_Y) |
              S_008F0C_DST_SEL_Z(V_008F0C_SQ_SEL_Z) | S_008F0C_DST_SEL_W(V_008F0C_SQ_SEL_W) |
              S_008F0C_NUM_FORMAT(V_008F0C_BUF_NUM_FORMAT_FLOAT) |
              S_008F0C_DATA_FORMAT(V_008F0C_BUF_DATA_FORMAT_32);
}

/* Puts the address into a T#, or into the V# in words 4..7 of a buffer's slot. */
static void
set_address(uint32_t *slot, struct tgsiamd_resource *res, uint64_t offset)
{
   uint64_t va = res->va + offset;

   if (res->base.target == PIPE_BUFFER) {
      slot[4] = va;
      slot[5] |= S_008F04_BASE_ADDRESS_HI(va >> 32);
   } else {
      slot[0] = va >> 8 | tgsiamd_texture(&res->base)->surf.tile_swizzle;
      slot[1] |= S_008F14_BASE_ADDRESS_HI(va >> 40);
   }
}

static void
write_shader_buffers(struct tgsiamd_context *ctx, const struct pipe_shader_buffer *buffers, uint32_t mask, uint32_t *list)
{
   u_foreach_bit(i, mask) {
      struct tgsiamd_resource *res = tgsiamd_resource(buffers[i].buffer);

      if (!res)
         continue;
      raw_buffer(list + i * 4, res->va + buffers[i].buffer_offset, buffers[i].buffer_size);
      tgsiamd_use(ctx, res, TGSIAMD_READ | TGSIAMD_WRITE);
   }
}

/* Constant buffers, shader buffers, counters. Reads of a null V# return 0. */
static bool
upload_buffers(struct tgsiamd_context *ctx, struct tgsiamd_stage_state *stage,
               const struct tgsiamd_shader_info *info)
{
   const unsigned consts = util_last_bit(info->const_buffers), buffers = util_last_bit(info->shader_buffers);
   const unsigned counters = util_last_bit(info->hw_atomic_buffers);
   uint32_t *list;

   memset(stage->const0, 0, sizeof(stage->const0));
   if (!consts && !buffers && !counters)
      return true;
   list = alloc_list(ctx, counters ? TGSIAMD_HW_ATOMIC_BUFFER_OFFSET(counters) :
                          buffers ? TGSIAMD_SHADER_BUFFER_OFFSET(buffers) : TGSIAMD_CONST_BUFFER_OFFSET(consts),
                     &stage->list_va[LIST_BUFFERS]);
   if (!list)
      return false;
   for (unsigned i = 0; i < consts; i++) {
      const struct pipe_constant_buffer *cb = &stage->consts[i];
      struct tgsiamd_resource *res = tgsiamd_resource(cb->buffer);

      if (!res || !(info->const_buffers & (1u << i)))
         continue;
      raw_buffer(list + TGSIAMD_CONST_BUFFER_OFFSET(i) / 4, res->va + cb->buffer_offset, cb->buffer_size);
      if (i == 0)
         raw_buffer(stage->const0, res->va + cb->buffer_offset, cb->buffer_size);
      tgsiamd_use(ctx, res, TGSIAMD_READ);
   }
   write_shader_buffers(ctx, stage->buffers, info->shader_buffers, list + TGSIAMD_SHADER_BUFFER_OFFSET(0) / 4);
   write_shader_buffers(ctx, ctx->hw_atomics, info->hw_atomic_buffers, list + TGSIAMD_HW_ATOMIC_BUFFER_OFFSET(0) / 4);
   return true;
}

bool
tgsiamd_image_slot(struct tgsiamd_context *ctx, const struct pipe_image_view *image, uint32_t words[8])
{
   uint64_t offset;

   if (!image->resource || !tgsiamd_image_words(ctx, image, words, &offset))
      return false;
   set_address(words, tgsiamd_resource(image->resource), offset);
   return true;
}

static bool
upload_images(struct tgsiamd_context *ctx, struct tgsiamd_stage_state *stage,
              const struct tgsiamd_shader_info *info)
{
   unsigned count = util_last_bit(info->images);
   uint32_t *list;

   if (!count)
      return true;
   list = alloc_list(ctx, TGSIAMD_IMAGE_OFFSET(count), &stage->list_va[LIST_IMAGES]);
   if (!list)
      return false;
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_image_view *image = &stage->images[i];
      struct tgsiamd_resource *res = tgsiamd_resource(image->resource);
      uint32_t *slot = list + TGSIAMD_IMAGE_OFFSET(i) / 4;

      if (!(info->images & (1u << i)))
         continue;
      if (!tgsiamd_image_slot(ctx, image, slot)) {
         /* No memory: loads give 0, stores vanish. */
         slot[3] = S_008F1C_TYPE(V_008F1C_SQ_RSRC_IMG_1D);
         continue;
      }
      tgsiamd_use(ctx, res, image->access & PIPE_IMAGE_ACCESS_WRITE ? TGSIAMD_READ | TGSIAMD_WRITE
                                                                    : TGSIAMD_READ);
   }
   return true;
}

void
tgsiamd_texture_words(const struct tgsiamd_sampler_view *view, uint32_t words[8])
{
   memcpy(words, view->words, sizeof(view->words));
   set_address(words, tgsiamd_resource(view->base.texture), view->plane_offset);
}

static bool
upload_textures(struct tgsiamd_context *ctx, struct tgsiamd_stage_state *stage,
                const struct tgsiamd_shader_info *info)
{
   unsigned count = util_last_bit(info->samplers);
   bool msaa = false;
   uint32_t *list;

   if (!count)
      return true;
   /* Shaders that fetch samples look for an FMASK behind the slots: all null here. */
   for (unsigned i = 0; i < count; i++)
      msaa |= stage->views[i] && stage->views[i]->texture->nr_samples > 1;
   list = alloc_list(ctx, msaa ? TGSIAMD_FMASK_OFFSET(count) : TGSIAMD_TEXTURE_OFFSET(count),
                     &stage->list_va[LIST_TEXTURES]);
   if (!list)
      return false;
   for (unsigned i = 0; i < count; i++) {
      const struct tgsiamd_sampler_view *view = (struct tgsiamd_sampler_view *)stage->views[i];
      const struct tgsiamd_sampler *sampler = stage->samplers[i];

      if (!(info->samplers & (1u << i)))
         continue;
      if (view) {
         tgsiamd_texture_words(view, list + TGSIAMD_TEXTURE_OFFSET(i) / 4);
         tgsiamd_use(ctx, tgsiamd_resource(view->base.texture), TGSIAMD_READ);
      } else {
         /* Nothing bound: (0, 0, 0, 1) for everyone, whatever the coordinates. */
         list[TGSIAMD_TEXTURE_OFFSET(i) / 4 + 3] =
            S_008F1C_DST_SEL_W(V_008F1C_SQ_SEL_1) | S_008F1C_TYPE(V_008F1C_SQ_RSRC_IMG_1D);
      }
      if (sampler)
         memcpy(list + TGSIAMD_SAMPLER_OFFSET(i) / 4, sampler->words, sizeof(sampler->words));
   }
   return true;
}

/* What FBFETCH reads: the colour buffers as images. */
static void
write_colour_buffers(struct tgsiamd_context *ctx, const struct tgsiamd_shader_info *info, uint32_t *list)
{
   const bool layered = tgsiamd_fbfetch_kind(ctx) & TGSIAMD_FBFETCH_LAYERED;
   uint64_t offset;

   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      const struct pipe_surface *surf = ctx->fb.cbufs[i];
      uint32_t *slot = list + TGSIAMD_INTERNAL_FBFETCH(i) * 4;

      if (!surf || !(info->internal & (1u << TGSIAMD_INTERNAL_FBFETCH(i))))
         continue;
      if (!tgsiamd_surface_image_words(ctx, surf, layered, slot, &offset))
         continue;
      set_address(slot, tgsiamd_resource(surf->texture), offset);
      tgsiamd_use(ctx, tgsiamd_resource(surf->texture), TGSIAMD_READ);
      if (surf->texture->target == PIPE_TEXTURE_3D)
         list[TGSIAMD_INTERNAL_FB_SLICES * 4 + i] = surf->u.tex.first_layer;
   }
}

/* Arguments, and the window of 32-bit addresses. */
static void
write_kernel_memory(struct tgsiamd_context *ctx, uint32_t *list)
{
   struct tgsiamd_resource *input = tgsiamd_resource(ctx->cs_input);

   raw_buffer(list + TGSIAMD_INTERNAL_GLOBAL * 4, ctx->global_base, UINT32_MAX);
   if (!input)
      return;
   raw_buffer(list + TGSIAMD_INTERNAL_CS_INPUT * 4, input->va + ctx->cs_input_offset, ctx->compute->input_bytes);
   tgsiamd_use(ctx, input, TGSIAMD_READ);
}

#define SAMPLE_ENTRIES (1u << TGSIAMD_INTERNAL_SAMPLE_POS | 1u << TGSIAMD_INTERNAL_FB_SAMPLES)

/* Tables of sample positions: of 1, 2, 4 and 8 samples one behind the other (16
 * samples there are none here), and where the framebuffer's begins. */
static bool
upload_sample_positions(struct tgsiamd_context *ctx, uint32_t *list)
{
   unsigned fb = tgsiamd_framebuffer_samples(ctx), entries = 2 * TGSIAMD_MAX_SAMPLES - 1;
   uint64_t va;
   float *table = (float *)alloc_list(ctx, entries * 8, &va);

   if (!table)
      return false;
   for (unsigned n = 1; n <= TGSIAMD_MAX_SAMPLES; n *= 2) {
      for (unsigned i = 0; i < n; i++) {
         const struct tgsiamd_sample_pos *pos = &tgsiamd_sample_positions(n)[i];
         table[(n - 1 + i) * 2] = (pos->x + 8) / 16.0f;
         table[(n - 1 + i) * 2 + 1] = (pos->y + 8) / 16.0f;
      }
   }
   raw_buffer(list + TGSIAMD_INTERNAL_SAMPLE_POS * 4, va, entries * 8);
   raw_buffer(list + TGSIAMD_INTERNAL_FB_SAMPLES * 4, va + (fb - 1) * 8, fb * 8);
   return true;
}

static bool
upload_internal(struct tgsiamd_context *ctx, struct tgsiamd_stage_state *stage,
                const struct tgsiamd_shader_info *info)
{
   uint32_t *list, *scratch;

   if (!info->scratch_bytes_per_wave && !info->so_buffers && !info->gs_vertex_dwords[0] && !info->internal)
      return true;
   list = alloc_list(ctx, TGSIAMD_NUM_INTERNAL * 16, &stage->list_va[LIST_INTERNAL]);
   if (!list)
      return false;
   if ((info->internal & SAMPLE_ENTRIES) && !upload_sample_positions(ctx, list))
      return false;
   if (info->uses_fbfetch)
      write_colour_buffers(ctx, info, list);
   if (stage == &ctx->stage[TGSIAMD_CS])
      write_kernel_memory(ctx, list);
   for (unsigned i = 0; i < ctx->num_so_targets; i++) {
      struct pipe_stream_output_target *t = ctx->so_targets[i];

      if (!t || !(info->so_buffers & (1u << i)))
         continue;
      /* The VGT's offsets count from the buffer's start. */
      raw_buffer(list + TGSIAMD_INTERNAL_STREAMOUT(i) * 4, tgsiamd_resource(t->buffer)->va,
                 t->buffer_offset + t->buffer_size);
      tgsiamd_use(ctx, tgsiamd_resource(t->buffer), TGSIAMD_READ | TGSIAMD_WRITE);
   }
   if (info->gs_vertex_dwords[0])
      raw_buffer(list + TGSIAMD_INTERNAL_GSVS_RING * 4, ctx->gsvs_ring->va, ctx->gsvs_ring_size);
   if (!info->scratch_bytes_per_wave)
      return true;
   /* Every lane has its own dword at each address: stride and index come from
    * the lane number. */
   scratch = list + TGSIAMD_INTERNAL_SCRATCH * 4;
   raw_buffer(scratch, (stage == &ctx->stage[TGSIAMD_CS] ? &ctx->cs_scratch : &ctx->scratch)->bo->va, 0xffffffff);
   scratch[1] |= S_008F04_SWIZZLE_ENABLE_GFX6(1);
   scratch[3] |= S_008F0C_INDEX_STRIDE(3) | S_008F0C_ADD_TID_ENABLE(1);
   return true;
}

/* Vertices of the buffer that have all elements of the V# that stands at i, or
 * bytes without a stride. `left`: bytes from the V#'s address on. */
static uint32_t
count_vertices(const struct tgsiamd_vertex_elements *v, const struct tgsiamd_vertex_fetch *fetch, unsigned count,
               unsigned i, unsigned stride, uint64_t left)
{
   const bool typed = fetch[i].format;
   uint64_t records = UINT32_MAX;

   if (!stride)
      return left;
   for (unsigned k = i; k < (typed ? count : i + 1); k++) {
      const uint64_t end = v->size[k] + (typed ? fetch[k].offset : 0);
      if (k == i || (fetch[k].format && fetch[k].desc == i))
         records = MIN2(records, left < end ? 0 : (left - end) / stride + 1);
   }
   return records;
}

/* One V# per vertex element that the shader reads, or for several of one buffer. */
static bool
upload_vertex_list(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_vertex_elements *v = ctx->velems;
   unsigned count = v ? MIN2(v->count, ctx->vs->scan.num_inputs) : 0;
   const struct tgsiamd_vertex_fetch *fetch;
   uint32_t *list;

   memset(ctx->vertex_desc, 0, sizeof(ctx->vertex_desc));
   if (!count)
      return true;
   fetch = tgsiamd_vertex_fetch(ctx);
   list = alloc_list(ctx, TGSIAMD_VERTEX_BUFFER_OFFSET(count), &ctx->vertex_list_va);
   if (!list)
      return false;
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_vertex_element *e = &v->elem[i];
      const struct pipe_vertex_buffer *vb = &ctx->vbufs[e->vertex_buffer_index];
      struct tgsiamd_resource *res = tgsiamd_resource(vb->buffer.resource);
      uint32_t *words = list + TGSIAMD_VERTEX_BUFFER_OFFSET(i) / 4;
      const bool typed = fetch[i].format;
      uint64_t offset = (uint64_t)vb->buffer_offset + (typed ? 0 : e->src_offset);
      uint64_t va, left;

      if (typed && fetch[i].desc != i)
         continue;
      if (!res || offset >= res->base.width0)
         continue;
      va = res->va + offset;
      left = res->base.width0 - offset;
      /* Counted in strides when there is one: the last needs only the element. */
      raw_buffer(words, va, count_vertices(v, fetch, count, i, vb->stride, left));
      words[1] |= S_008F04_STRIDE(vb->stride);
      if (!typed)
         words[3] = v->word3[i];
      if (i < TGSIAMD_NUM_VERTEX_IN_SGPRS)
         memcpy(ctx->vertex_desc[i], words, sizeof(ctx->vertex_desc[i]));
      tgsiamd_use(ctx, res, TGSIAMD_READ);
   }
   return true;
}

/* Uploads what is dirty and sets the stage's user SGPRs of it; they start at
 * register `base`. */
static bool
update_stage(struct tgsiamd_context *ctx, enum tgsiamd_stage s, const struct tgsiamd_shader_info *info,
             uint32_t base)
{
   struct tgsiamd_stage_state *stage = &ctx->stage[s];
   static const uint8_t sgpr[NUM_STAGES][LIST_COUNT] = {
      [TGSIAMD_VS] = { TGSIAMD_SGPR_VS_BUFFERS, TGSIAMD_SGPR_VS_TEXTURES, TGSIAMD_SGPR_VS_IMAGES, TGSIAMD_SGPR_INTERNAL },
      [TGSIAMD_PS] = { TGSIAMD_SGPR_PS_BUFFERS, TGSIAMD_SGPR_PS_TEXTURES, TGSIAMD_SGPR_PS_IMAGES, TGSIAMD_SGPR_INTERNAL },
      [TGSIAMD_CS] = { TGSIAMD_SGPR_CS_BUFFERS, TGSIAMD_SGPR_CS_TEXTURES, TGSIAMD_SGPR_CS_IMAGES, TGSIAMD_SGPR_INTERNAL },
   };
   static const uint8_t const0[NUM_STAGES] = {
      [TGSIAMD_VS] = TGSIAMD_SGPR_VS_CONST0,
      [TGSIAMD_PS] = TGSIAMD_SGPR_PS_CONST0,
   };

   if ((stage->dirty_lists & (1u << LIST_BUFFERS)) && !upload_buffers(ctx, stage, info))
      return false;
   if ((stage->dirty_lists & (1u << LIST_TEXTURES)) && !upload_textures(ctx, stage, info))
      return false;
   if ((stage->dirty_lists & (1u << LIST_IMAGES)) && !upload_images(ctx, stage, info))
      return false;
   if ((stage->dirty_lists & (1u << LIST_INTERNAL)) && !upload_internal(ctx, stage, info))
      return false;
   if (stage->dirty_lists) {
      for (unsigned i = 0; i < LIST_COUNT; i++) {
         uint32_t va[2] = {stage->list_va[i], stage->list_va[i] >> 32};
         cs_set_regs(&ctx->cs, base + sgpr[s][i] * 4, 2, va);
      }
      if (const0[s])
         cs_set_regs(&ctx->cs, base + const0[s] * 4, 4, stage->const0);
   }
   stage->dirty_lists = 0;
   return true;
}

/* The geometry shader's own lists, behind those of the vertex shader in the
 * merged program, and the copy shader's only one. */
static bool
update_geometry(struct tgsiamd_context *ctx)
{
   struct tgsiamd_stage_state *stage = &ctx->stage[TGSIAMD_GS];
   const struct tgsiamd_shader_info *info = &ctx->gs_variant->info;
   const struct tgsiamd_shader_info own = {
      .const_buffers = info->gs_resources.const_buffers,
      .samplers = info->gs_resources.samplers,
      .images = info->gs_resources.images,
      .shader_buffers = info->gs_resources.shader_buffers,
      .hw_atomic_buffers = info->gs_resources.hw_atomic_buffers,
   };
   uint32_t values[6];

   STATIC_ASSERT(TGSIAMD_SGPR_GS_TEXTURES == TGSIAMD_SGPR_GS_BUFFERS + 2);
   STATIC_ASSERT(TGSIAMD_SGPR_GS_IMAGES == TGSIAMD_SGPR_GS_BUFFERS + 4);
   if (((stage->dirty_lists & (1u << LIST_BUFFERS)) && !upload_buffers(ctx, stage, &own)) ||
       ((stage->dirty_lists & (1u << LIST_TEXTURES)) && !upload_textures(ctx, stage, &own)) ||
       ((stage->dirty_lists & (1u << LIST_IMAGES)) && !upload_images(ctx, stage, &own)) ||
       ((stage->dirty_lists & (1u << LIST_INTERNAL)) && !upload_internal(ctx, stage, &ctx->vs_variant->info)))
      return false;
   stage->dirty_lists = 0;
   for (unsigned i = LIST_BUFFERS; i <= LIST_IMAGES; i++) {
      values[2 * i] = stage->list_va[i];
      values[2 * i + 1] = stage->list_va[i] >> 32;
   }
   cs_set_regs(&ctx->cs, R_00B330_SPI_SHADER_USER_DATA_ES_0 + TGSIAMD_SGPR_GS_BUFFERS * 4, 6, values);
   uint32_t internal[2] = {stage->list_va[LIST_INTERNAL], stage->list_va[LIST_INTERNAL] >> 32};
   cs_set_regs(&ctx->cs, R_00B130_SPI_SHADER_USER_DATA_VS_0 + TGSIAMD_SGPR_INTERNAL * 4, 2, internal);
   return true;
}

static bool
uses_handles(const struct tgsiamd_shader *shader)
{
   return shader->scan.uses_bindless_samplers || shader->scan.uses_bindless_images;
}

uint32_t
tgsiamd_vs_user_data(const struct tgsiamd_context *ctx)
{
   return ctx->gs_variant ? R_00B330_SPI_SHADER_USER_DATA_ES_0 : R_00B130_SPI_SHADER_USER_DATA_VS_0;
}

bool
tgsiamd_update_descriptors(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_shader_info *vs = ctx->gs_variant ? &ctx->gs_variant->info : &ctx->vs_variant->info;
   const uint32_t base = tgsiamd_vs_user_data(ctx);
   bool ok;

   if (uses_handles(ctx->vs) || uses_handles(ctx->ps) || (ctx->gs && uses_handles(ctx->gs)))
      tgsiamd_use_resident(ctx);

   if (ctx->dirty & (DIRTY_VERTEX | DIRTY_VS)) {
      if (!upload_vertex_list(ctx))
         return false;
   }
   cs_begin(&ctx->cs, 96);
   uint32_t vertex[2] = {ctx->vertex_list_va, ctx->vertex_list_va >> 32};
   cs_set_regs(&ctx->cs, base + TGSIAMD_SGPR_VS_VERTEX_BUFFERS * 4, 2, vertex);
   if (!ctx->gs_variant)
      cs_set_regs(&ctx->cs, base + TGSIAMD_SGPR_VS_VERTEX(0) * 4, 4 * TGSIAMD_NUM_VERTEX_IN_SGPRS, ctx->vertex_desc[0]);
   ok = update_stage(ctx, TGSIAMD_VS, vs, base) && (!ctx->gs_variant || update_geometry(ctx)) &&
        update_stage(ctx, TGSIAMD_PS, &ctx->ps_variant->info, R_00B030_SPI_SHADER_USER_DATA_PS_0);
   cs_end(&ctx->cs);
   return ok;
}

bool
tgsiamd_update_compute_descriptors(struct tgsiamd_context *ctx)
{
   bool ok;

   if (uses_handles(ctx->compute))
      tgsiamd_use_resident(ctx);
   cs_begin(&ctx->cs, 16);
   ok = update_stage(ctx, TGSIAMD_CS, &ctx->cs_variant->info, R_00B900_COMPUTE_USER_DATA_0);
   cs_end(&ctx->cs);
   return ok;
}

void
tgsiamd_rebind_resource(struct tgsiamd_context *ctx, struct tgsiamd_resource *res)
{
   /* Buffers change their memory rarely: looking for every place costs more. */
   ctx->dirty |= DIRTY_VERTEX;
   for (unsigned s = 0; s < NUM_STAGES; s++)
      ctx->stage[s].dirty_lists |= 1u << LIST_BUFFERS | 1u << LIST_TEXTURES | 1u << LIST_IMAGES;
}
