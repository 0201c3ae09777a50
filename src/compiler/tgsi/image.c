/* SPDX-License-Identifier: MIT */
/* Shader images: LOAD, STORE, atomics and RESQ on IMAGE[n]. The target stands
 * in the instruction; coordinates are integers, the sample of a multisample
 * image in w. Faces of cube maps are layers. */
#include "util/format/u_format.h"
#include "amdgfxregs.h"

#include "tex.h"
#include "image.h"
#include "memory.h"
#include "ops.h"

/* As the driver makes the T#: cube maps as 2D arrays. */
static const struct tex_target *
image_target(struct tr *t)
{
   static const struct tex_target cube = { IR_DIM_2D_ARRAY, 2, 2, -1, -1, false, true };
   const struct tex_target *tt =
      tex_target(t, t->inst->Instruction.Memory ? t->inst->Memory.Texture : TGSI_TEXTURE_UNKNOWN);

   if (tt && tt->ref >= 0) {
      tr_error(t, "images have no shadow targets");
      return NULL;
   }
   return tt && tt->cube ? &cube : tt;
}

static ir_val
image_desc(struct tr *t, const struct tex_target *tt, bool is_dst, int index, bool indirect,
           const struct tgsi_ind_register *ind)
{
   const bool buffer = tt->dim == IR_DIM_BUFFER;
   const bool is_handle = is_dst ? tr_dst_is_handle(t) : tr_is_handle(t, 0);
   const uint32_t first = buffer ? TGSIAMD_BUFFER_TEXTURE_OFFSET(0) : 0;

   if (is_handle)
      return ir_load_desc_at(B(t), is_dst ? tr_dst_handle(t) : tr_handle(t, 0), buffer ? 4 : 8, first);
   if (indirect) {
      unsigned num = CLAMP(t->scan->num_regs[TGSI_FILE_IMAGE], 1, TGSIAMD_MAX_IMAGES);
      ir_val unit = tr_uniform_index(t, index, ind, num);
      return ir_load_desc(B(t), IR_LIST_IMAGES, buffer ? 4 : 8,
                          ir_imul(B(t), unit, ir_imm(B(t), TGSIAMD_IMAGE_OFFSET(1))), first);
   }
   if (index < 0 || index >= TGSIAMD_MAX_IMAGES) {
      tr_error(t, "image %d is beyond the limit of %u", index, TGSIAMD_MAX_IMAGES);
      index = 0;
   }
   t->sh->info.images |= 1u << index;
   return ir_load_desc(B(t), IR_LIST_IMAGES, buffer ? 4 : 8, NULL,
                       TGSIAMD_IMAGE_OFFSET(index) + first);
}

static ir_val
src_desc(struct tr *t, const struct tex_target *tt)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];
   return image_desc(t, tt, false, src->Register.Index, src->Register.Indirect, &src->Indirect);
}

/* GFX9 ignores the T#'s BASE_ARRAY in a 3D image: a slice bound as a 2D image is
 * found by a third coordinate, which 2D images do not look at. */
static const bool slice_is_coordinate[TGSIAMD_GFX_COUNT] = {
   [TGSIAMD_GFX9] = true,
};

static ir_val
slice(struct tr *t, ir_val desc)
{
   return ir_op2(B(t), IR_IAND, ir_extract(B(t), desc, 5), ir_imm(B(t), S_008F24_BASE_ARRAY(~0u)));
}

/* Hardware coordinates out of source n; returns the dimension. */
static enum ir_tex_dim
image_coords(struct tr *t, const struct tex_target *tt, ir_val desc, unsigned n, ir_val coords[4],
             unsigned *num)
{
   struct ir_tex_args args = { .op = IR_TEX_FETCH };
   ir_val in[4], layer = NULL;

   for (unsigned i = 0; i < tt->num_coords; i++)
      in[i] = tr_src_as(t, n, i, TGSI_TYPE_SIGNED);
   if (tt->layer >= 0)
      layer = tr_src_as(t, n, tt->layer, TGSI_TYPE_SIGNED);
   tex_coords(t, tt, &args, in, layer);
   if (tt->sample >= 0)
      args.coords[args.num_coords++] = tr_src_as(t, n, 3, TGSI_TYPE_SIGNED);
   if (slice_is_coordinate[t->sh->gfx] && t->inst->Memory.Texture == TGSI_TEXTURE_2D && !t->sh->error) {
      args.coords[args.num_coords++] = slice(t, desc);
      args.dim = IR_DIM_3D;
   }
   memcpy(coords, args.coords, sizeof(args.coords));
   *num = args.num_coords;
   return args.dim;
}

static bool
is_coherent(const struct tr *t)
{
   return t->inst->Memory.Qualifier & (TGSI_MEMORY_COHERENT | TGSI_MEMORY_VOLATILE);
}

/* LOAD dst, IMAGE[n], coordinates */
void
image_load(struct tr *t)
{
   const struct tex_target *tt = image_target(t);
   const unsigned mask = tr_mask(t);
   ir_val coords[4];
   unsigned num;

   if (!tt || !mask)
      return;
   ir_val desc = src_desc(t, tt);
   enum ir_tex_dim dim = image_coords(t, tt, desc, 1, coords, &num);
   if (!t->sh->error)
      tex_store(t, ir_img_load(B(t), dim, desc, coords, num, mask, is_coherent(t)), mask, NULL);
}

/* DATA_FORMAT | NUM_FORMAT << 4 of a format that STORE names, and its channels; 0
 * where a buffer's V# has to tell. */
static unsigned
buffer_format(enum pipe_format format, unsigned *channels)
{
   static const uint8_t data_formats[3][5] = {
      { 0, V_008F0C_BUF_DATA_FORMAT_8, V_008F0C_BUF_DATA_FORMAT_8_8, 0, V_008F0C_BUF_DATA_FORMAT_8_8_8_8 },
      { 0, V_008F0C_BUF_DATA_FORMAT_16, V_008F0C_BUF_DATA_FORMAT_16_16, 0, V_008F0C_BUF_DATA_FORMAT_16_16_16_16 },
      { 0, V_008F0C_BUF_DATA_FORMAT_32, V_008F0C_BUF_DATA_FORMAT_32_32, 0, V_008F0C_BUF_DATA_FORMAT_32_32_32_32 },
   };
   const struct util_format_description *d = util_format_description(format);

   if (!d || d->layout != UTIL_FORMAT_LAYOUT_PLAIN || !d->is_array || d->colorspace != UTIL_FORMAT_COLORSPACE_RGB)
      return 0;
   for (unsigned i = 0; i < d->nr_channels; i++) {
      if (d->swizzle[i] != i)
         return 0;
   }
   const struct util_format_channel_description *c = &d->channel[0];
   const unsigned size = c->size == 8 ? 0 : c->size == 16 ? 1 : c->size == 32 ? 2 : 3;
   const bool is_signed = c->type == UTIL_FORMAT_TYPE_SIGNED;
   unsigned number;

   if (c->type == UTIL_FORMAT_TYPE_FLOAT)
      number = V_008F0C_BUF_NUM_FORMAT_FLOAT;
   else if (c->pure_integer)
      number = is_signed ? V_008F0C_BUF_NUM_FORMAT_SINT : V_008F0C_BUF_NUM_FORMAT_UINT;
   else if (c->normalized)
      number = is_signed ? V_008F0C_BUF_NUM_FORMAT_SNORM : V_008F0C_BUF_NUM_FORMAT_UNORM;
   else
      return 0;
   if (size == 3 || !data_formats[size][d->nr_channels])
      return 0;
   *channels = d->nr_channels;
   return data_formats[size][d->nr_channels] | number << 4;
}

/* STORE IMAGE[n], coordinates, data: all components that the format has, whatever
 * the mask. */
void
image_store(struct tr *t)
{
   const struct tgsi_full_dst_register *dst = &t->inst->Dst[0];
   const struct tex_target *tt = image_target(t);
   ir_val coords[4], data[4];
   unsigned num;

   if (!tt)
      return;
   ir_val desc = image_desc(t, tt, true, dst->Register.Index, dst->Register.Indirect, &dst->Indirect);
   enum ir_tex_dim dim = image_coords(t, tt, desc, 0, coords, &num);
   unsigned channels = 4, format = tt->dim == IR_DIM_BUFFER ? buffer_format(t->inst->Memory.Format, &channels) : 0;
   for (unsigned c = 0; c < channels; c++)
      data[c] = tr_src_as(t, 1, c, TGSI_TYPE_UNTYPED);
   if (!t->sh->error)
      ir_img_store(B(t), dim, desc, coords, num, channels == 1 ? data[0] : ir_vec(B(t), channels, data),
                   format, is_coherent(t));
}

struct swap { enum ir_tex_dim dim; ir_val desc; const ir_val *coords; unsigned num; };

static ir_val
swap_texel(struct tr *t, void *ctx, ir_val value, ir_val compare)
{
   const struct swap *s = ctx;
   return ir_img_atomic(B(t), s->dim, IR_ATOMIC_CMPSWAP, s->desc, s->coords, s->num, value, compare);
}

void
image_atomic(struct tr *t, enum ir_atomic op, ir_val data, ir_val compare)
{
   const struct tex_target *tt = image_target(t);
   ir_val coords[4];
   unsigned num;

   if (!tt)
      return;
   ir_val desc = src_desc(t, tt);
   enum ir_tex_dim dim = image_coords(t, tt, desc, 1, coords, &num);
   if (t->sh->error)
      return;
   if (op == IR_ATOMIC_FADD) {
      struct swap s = { dim, desc, coords, num };
      ir_val first = ir_extract(B(t), ir_img_load(B(t), dim, desc, coords, num, 1, true), 0);
      tr_dst_all(t, tr_swap_loop(t, first, data, swap_texel, &s));
      return;
   }
   tr_dst_all(t, ir_img_atomic(B(t), dim, op, desc, coords, num, data, compare));
}

/* Size; layers behind the last dimension, of cube arrays in whole cubes. w: samples. */
void
image_size(struct tr *t)
{
   const struct tex_target *tt = image_target(t);
   ir_val v[4], zero = ir_imm(B(t), 0);

   if (!tt)
      return;
   ir_val desc = src_desc(t, tt);
   if (t->sh->error)
      return;
   for (unsigned c = 0; c < 4; c++)
      v[c] = zero;
   if (tt->dim == IR_DIM_BUFFER) {
      v[0] = tex_buffer_records(t, desc);
      tr_dst(t, v);
      return;
   }

   struct ir_tex_args args = { .op = IR_TEX_RESINFO };
   tex_coords(t, tt, &args, v, tt->layer >= 0 ? zero : NULL);
   struct ir_tex_args query = {
      .op = IR_TEX_RESINFO, .dim = args.dim, .dmask = 0x7, .resource = desc, .lod = zero,
   };
   ir_val size = ir_tex(B(t), &query);
   for (unsigned c = 0; c < tt->num_coords; c++)
      v[c] = ir_extract(B(t), size, c);
   if (tt->layer >= 0)
      v[tt->num_coords] = ir_extract(B(t), size, args.dim == IR_DIM_1D_ARRAY ? 1 : 2);
   if (t->inst->Memory.Texture == TGSI_TEXTURE_CUBE_ARRAY)
      v[2] = ir_op2(B(t), IR_UDIV, v[2], ir_imm(B(t), 6));
   v[3] = tex_samples(t, desc);
   tr_dst(t, v);
}

/* IMG2HND dst, IMAGE[n] */
void
tr_op_img2hnd(struct tr *t)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[0];
   const int index = src->Register.Index;
   ir_val unit = NULL;

   if (src->Register.File != TGSI_FILE_IMAGE || index < 0 || index >= TGSIAMD_MAX_IMAGES) {
      tr_error(t, "the operand is no image");
      return;
   }
   if (src->Register.Indirect) {
      unsigned num = CLAMP(t->scan->num_regs[TGSI_FILE_IMAGE], 1, TGSIAMD_MAX_IMAGES);
      unit = ir_imul(B(t), tr_uniform_index(t, index, &src->Indirect, num), ir_imm(B(t), TGSIAMD_IMAGE_OFFSET(1)));
   } else {
      t->sh->info.images |= 1u << index;
   }
   tr_dst_handle_at(t, IR_LIST_IMAGES, unit, unit ? 0 : TGSIAMD_IMAGE_OFFSET(index));
}
