/* SPDX-License-Identifier: MIT */
/* Samples and the framebuffer: SAMPLE_POS, SAMPLE_INFO, INTERP_SAMPLE, FBFETCH.
 * The driver gives positions in tables (abi.h): of all sample counts, and of the
 * framebuffer's. */
#include "tex.h"
#include "ops.h"

static ir_val
internal_desc(struct tr *t, unsigned entry, unsigned comps)
{
   t->sh->info.internal |= 1u << entry;
   return ir_load_desc(B(t), IR_LIST_INTERNAL, comps, NULL, entry * 16);
}

/* Samples of the framebuffer: 8 bytes each. */
static ir_val
framebuffer_samples(struct tr *t, ir_val desc)
{
   return ir_lshr(B(t), ir_extract(B(t), desc, 2), ir_imm(B(t), 3));
}

/* Position of a sample of the framebuffer, 0 to 1 in the pixel; a number that
 * it does not have counts as the last. */
static void
framebuffer_sample_pos(struct tr *t, ir_val sample, ir_val pos[2])
{
   ir_val desc = internal_desc(t, TGSIAMD_INTERNAL_FB_SAMPLES, 4);
   ir_val last = ir_op2(B(t), IR_ISUB, framebuffer_samples(t, desc), ir_imm(B(t), 1));
   ir_val offset = ir_shl(B(t), ir_umin(B(t), sample, last), ir_imm(B(t), 3));
   ir_val xy = ir_load_const(B(t), desc, offset, 0, 2);

   for (unsigned i = 0; i < 2; i++)
      pos[i] = ir_extract(B(t), xy, i);
}

void
tr_op_interp_sample(struct tr *t)
{
   ir_val pos[2];

   if (t->stage != TGSIAMD_PS) {
      tr_error(t, "only pixel shaders have it");
      return;
   }
   framebuffer_sample_pos(t, tr_src_as(t, 1, 0, TGSI_TYPE_UNSIGNED), pos);
   for (unsigned i = 0; i < 2; i++)
      pos[i] = ir_fadd(B(t), pos[i], ir_immf(B(t), -0.5f));
   tr_interp_moved(t, pos);
}

/* Source 0 is a sampler view, or a register that stands for the render target.
 * Its swizzle is applied to the result. NULL without an error: the target. */
static const struct tex_target *
sampled_resource(struct tr *t)
{
   const struct tgsi_src_register *src = &t->inst->Src[0].Register;

   if (src->File == TGSI_FILE_TEMPORARY)
      return NULL;
   if (src->File != TGSI_FILE_SAMPLER_VIEW || src->Index < 0 ||
       src->Index >= (int)ARRAY_SIZE(t->scan->sview_target) ||
       t->scan->sview_target[src->Index] == TGSI_TEXTURE_UNKNOWN) {
      tr_error(t, "the source is no sampler view");
      return NULL;
   }
   return tex_target(t, t->scan->sview_target[src->Index]);
}

static void
store_swizzled(struct tr *t, ir_val v[4])
{
   ir_val out[4];

   for (unsigned c = 0; c < 4; c++)
      out[c] = v[tr_swizzle(&t->inst->Src[0], c)];
   tr_dst(t, out);
}

/* Number of samples in x; a resource without multisampling gives 0. */
void
tr_op_sample_info(struct tr *t)
{
   const struct tex_target *tt = sampled_resource(t);
   ir_val zero = ir_imm(B(t), 0), v[4] = { zero, zero, zero, zero };

   if (t->sh->error)
      return;
   if (!tt)
      v[0] = framebuffer_samples(t, internal_desc(t, TGSIAMD_INTERNAL_FB_SAMPLES, 4));
   else if (tt->sample >= 0)
      v[0] = tex_samples(t, tex_resource(t, tt, 0));
   store_swizzled(t, v);
}

/* The tables of 1, 2, 4, 8 and 16 samples stand one behind the other. */
static void
resource_sample_pos(struct tr *t, const struct tex_target *tt, ir_val sample, ir_val pos[2])
{
   struct ir_builder *b = B(t);
   ir_val samples = tex_samples(t, tex_resource(t, tt, 0));
   ir_val entry = ir_iadd(b, ir_op2(b, IR_ISUB, samples, ir_imm(b, 1)), sample);
   ir_val desc = internal_desc(t, TGSIAMD_INTERNAL_SAMPLE_POS, 4);
   ir_val xy = ir_load_const(b, desc, ir_shl(b, entry, ir_imm(b, 3)), 0, 2);
   ir_val exists = ir_ult(b, sample, samples);

   for (unsigned i = 0; i < 2; i++)
      pos[i] = ir_select(b, exists, ir_extract(b, xy, i), ir_imm(b, 0));
}

void
tr_op_sample_pos(struct tr *t)
{
   const struct tex_target *tt = sampled_resource(t);
   ir_val zero = ir_imm(B(t), 0), v[4] = { zero, zero, zero, zero };

   if (t->sh->error)
      return;
   ir_val sample = tr_src_as(t, 1, 0, TGSI_TYPE_UNSIGNED);
   if (!tt)
      framebuffer_sample_pos(t, sample, v);
   else if (tt->sample >= 0)
      resource_sample_pos(t, tt, sample, v);
   store_swizzled(t, v);
}

#define MAX_COLOR_BUFFERS 8

/* The layer of the colour buffer's texture. */
static ir_val
framebuffer_layer(struct tr *t, unsigned buffer, ir_val ancillary)
{
   ir_val layer = ir_op3(B(t), IR_UBFE, ancillary, ir_imm(B(t), 16), ir_imm(B(t), 11));
   ir_val first;

   t->sh->info.internal |= 1u << TGSIAMD_INTERNAL_FB_SLICES;
   first = ir_load_desc(B(t), IR_LIST_INTERNAL, 1, NULL, TGSIAMD_INTERNAL_FB_SLICES * 16 + buffer * 4);
   return ir_iadd(B(t), layer, first);
}

/* FBFETCH dst, OUT[n]: the pixel's colour before this invocation. */
void
tr_op_fbfetch(struct tr *t)
{
   const struct tgsi_src_register *src = &t->inst->Src[0].Register;
   const unsigned kind = t->sh->key->ps.fbfetch;
   struct ir_builder *b = B(t);
   ir_val coords[4];
   unsigned n = 0;

   if (t->stage != TGSIAMD_PS || src->File != TGSI_FILE_OUTPUT || src->Indirect || src->Index < 0 ||
       src->Index >= TR_MAX_IO || t->scan->outputs[src->Index].semantic != TGSI_SEMANTIC_COLOR) {
      tr_error(t, "the source is no colour output of a pixel shader");
      return;
   }
   const unsigned buffer = t->scan->outputs[src->Index].index;
   if (buffer >= MAX_COLOR_BUFFERS) {
      tr_error(t, "there are only %u colour buffers", MAX_COLOR_BUFFERS);
      return;
   }
   t->sh->info.uses_fbfetch = true;
   ir_val xy = ir_sysval(b, IR_SV_POS_FIXED_PT), ancillary = NULL;
   if (kind & (TGSIAMD_FBFETCH_LAYERED | TGSIAMD_FBFETCH_MSAA))
      ancillary = ir_sysval(b, IR_SV_ANCILLARY);
   coords[n++] = ir_iand(b, xy, ir_imm(b, 0xffff));
   coords[n++] = ir_lshr(b, xy, ir_imm(b, 16));
   if (kind & TGSIAMD_FBFETCH_LAYERED)
      coords[n++] = framebuffer_layer(t, buffer, ancillary);
   if (kind & TGSIAMD_FBFETCH_MSAA)
      coords[n++] = ir_op3(b, IR_UBFE, ancillary, ir_imm(b, 8), ir_imm(b, 4));
   static const enum ir_tex_dim dims[4] = {
      IR_DIM_2D, IR_DIM_2D_MSAA, IR_DIM_2D_ARRAY, IR_DIM_2D_MSAA_ARRAY,
   };
   ir_val desc = internal_desc(t, TGSIAMD_INTERNAL_FBFETCH(buffer), 8);
   tex_store(t, ir_img_load(b, dims[kind & 3], desc, coords, n, 0xf, true), 0xf, NULL);
}
