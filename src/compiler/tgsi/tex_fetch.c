/* SPDX-License-Identifier: MIT */
/* Texels by integer address (TXF) and what a texture is like (TXQ, TXQS). */
#include "tex.h"
#include "ops.h"

/* Buffer textures: does NUM_RECORDS of their V# count bytes or elements? */
static const bool records_are_bytes[TGSIAMD_GFX_COUNT] = { [TGSIAMD_GFX8] = true };

static ir_val
int_arg(struct tr *t, unsigned chan)
{
   return tr_src_as(t, 0, chan, TGSI_TYPE_SIGNED);
}

/* A compressed multisample surface stores which of its fragments each sample
 * has, four bits a sample, in the FMASK. A view without one has a zero
 * descriptor there, and sample n is fragment n. */
static ir_val
fragment_of_sample(struct tr *t, const struct tex_target *tt, const ir_val *coords,
                   unsigned num_coords, ir_val sample, unsigned sampler)
{
   uint32_t var = ir_var(t->sh, "fragment");
   ir_val desc = tex_fmask(t, sampler);
   ir_store_var(B(t), var, sample);
   ir_if(B(t), ir_i2b(B(t), ir_extract(B(t), desc, 1)));
   struct ir_tex_args args = {
      .op = IR_TEX_FETCH,
      .dim = tt->layer >= 0 ? IR_DIM_2D_ARRAY : IR_DIM_2D,
      .dmask = 1,
      .resource = desc,
      .num_coords = num_coords,
   };
   memcpy(args.coords, coords, num_coords * sizeof(*coords));
   ir_val fmask = ir_extract(B(t), ir_tex(B(t), &args), 0);
   ir_val shift = ir_shl(B(t), sample, ir_imm(B(t), 2));
   ir_store_var(B(t), var, ir_op3(B(t), IR_UBFE, fmask, shift, ir_imm(B(t), 4)));
   ir_endif(B(t));
   return ir_load_var(B(t), var);
}

/* SAMPLE_I beyond a buffer gives 0, where TXF may give an alpha of 1. */
static ir_val
zero_outside(struct tr *t, ir_val desc, ir_val index, ir_val texel, unsigned n)
{
   ir_val inside = ir_ult(B(t), index, tex_buffer_records(t, desc)), v[4];

   for (unsigned c = 0; c < n; c++)
      v[c] = ir_select(B(t), inside, ir_extract(B(t), texel, c), ir_imm(B(t), 0));
   return ir_vec(B(t), n, v);
}

void
tex_fetch(struct tr *t, const struct tex_target *tt, unsigned view, ir_val sample, ir_val lod,
          const uint8_t swizzle[4])
{
   ir_val coords[4] = { NULL }, layer = NULL;
   unsigned dmask = tex_components(t, swizzle);

   if (!dmask)
      return;
   if (tt->dim == IR_DIM_BUFFER) {
      unsigned n = util_last_bit(dmask);
      ir_val desc = tex_resource(t, tt, view);
      if (t->sh->error)
         return;
      ir_val index = int_arg(t, 0), texel = ir_load_fmt(B(t), desc, index, n);
      if (swizzle && n > 1)
         texel = zero_outside(t, desc, index, texel, n);
      tex_store(t, texel, BITFIELD_MASK(n), swizzle);
      return;
   }

   struct ir_tex_args args = { .op = IR_TEX_FETCH, .dmask = dmask };
   for (unsigned i = 0; i < tt->num_coords; i++) {
      coords[i] = int_arg(t, i);
      if (t->inst->Texture.NumOffsets)
         coords[i] = ir_iadd(B(t), coords[i], tex_offset(t, 0, i));
   }
   if (tt->layer >= 0 && !tt->cube)
      layer = int_arg(t, tt->layer);
   tex_coords(t, tt, &args, coords, layer);
   if (tt->sample >= 0) {
      args.coords[args.num_coords] =
         fragment_of_sample(t, tt, args.coords, args.num_coords, sample, view);
      args.num_coords++;
   } else if (!tt->no_mips && lod && (lod->op != IR_CONST || lod->imm != 0)) {
      args.lod = lod;
   }
   args.resource = tex_resource(t, tt, view);
   if (!t->sh->error)
      tex_store(t, ir_tex(B(t), &args), dmask, swizzle);
}

/* op: number of the sampler's operand; arg: TR_TEX_LZ. Sample or level in w. */
void
tr_op_txf(struct tr *t)
{
   const struct tex_target *tt =
      tex_target(t, t->inst->Instruction.Texture ? t->inst->Texture.Texture : TGSI_TEXTURE_UNKNOWN);

   if (tt) {
      tex_fetch(t, tt, t->op->op, tt->sample >= 0 ? int_arg(t, 3) : NULL,
                tt->sample >= 0 || t->op->arg & TR_TEX_LZ ? NULL : int_arg(t, 3), NULL);
   }
}

/* V# dword 1 has the stride, dword 2 the number of records. */
ir_val
tex_buffer_records(struct tr *t, ir_val desc)
{
   ir_val records = ir_extract(B(t), desc, 2);

   if (records_are_bytes[t->sh->gfx]) {
      ir_val stride = ir_op3(B(t), IR_UBFE, ir_extract(B(t), desc, 1), ir_imm(B(t), 16),
                             ir_imm(B(t), 14));
      records = ir_op2(B(t), IR_UDIV, records, stride);
   }
   return records;
}

/* x, y, z: the size (layers in the component behind the last dimension, 0 in
 * those behind it); w: the number of levels. */
void
tex_size(struct tr *t, const struct tex_target *tt, unsigned view, ir_val v[4])
{
   ir_val zero = ir_imm(B(t), 0);

   for (unsigned c = 0; c < 4; c++)
      v[c] = zero;
   if (tt->dim == IR_DIM_BUFFER) {
      v[0] = tex_buffer_records(t, tex_resource(t, tt, view));
      v[3] = ir_imm(B(t), 1);
      return;
   }

   struct ir_tex_args args = { .op = IR_TEX_RESINFO, .dmask = 0xf };
   ir_val none[4] = { zero, zero, zero, zero };
   if (tt->cube)
      args.dim = tt->dim;
   else
      tex_coords(t, tt, &args, none, tt->layer >= 0 ? zero : NULL);
   args.num_coords = 0; /* only the dimension was wanted */
   args.lod = tt->sample >= 0 ? zero : int_arg(t, 0);
   args.resource = tex_resource(t, tt, view);
   if (t->sh->error)
      return;

   ir_val size = ir_tex(B(t), &args);
   const unsigned dims = tt->cube ? 2 : tt->num_coords;
   for (unsigned c = 0; c < dims; c++)
      v[c] = ir_extract(B(t), size, c);
   if (tt->layer >= 0) {
      /* Layers are z for the hardware, unless it has real 1D arrays. */
      v[dims] = ir_extract(B(t), size, args.dim == IR_DIM_1D_ARRAY ? 1 : 2);
      if (tt->cube)
         v[dims] = ir_op2(B(t), IR_UDIV, v[dims], ir_imm(B(t), 6)); /* counted in faces */
   }
   v[3] = ir_extract(B(t), size, 3);
}

/* TXQ dst, level, sampler */
void
tr_op_txq(struct tr *t)
{
   const struct tex_target *tt =
      tex_target(t, t->inst->Instruction.Texture ? t->inst->Texture.Texture : TGSI_TEXTURE_UNKNOWN);
   ir_val v[4];

   if (!tt)
      return;
   tex_size(t, tt, 1, v);
   tr_dst(t, v);
}

/* The T# of a multisample surface has the log2 of its samples in LAST_LEVEL
 * (dword 3, bits 16 to 19); its type (bits 28 to 31) is 14 or 15. */
ir_val
tex_samples(struct tr *t, ir_val desc)
{
   ir_val word = ir_extract(B(t), desc, 3);
   ir_val log2 = ir_op3(B(t), IR_UBFE, word, ir_imm(B(t), 16), ir_imm(B(t), 4));
   ir_val is_msaa = ir_uge(B(t), word, ir_imm(B(t), 14u << 28));

   return ir_select(B(t), is_msaa, ir_shl(B(t), ir_imm(B(t), 1), log2), ir_imm(B(t), 1));
}

void
tr_op_txqs(struct tr *t)
{
   const struct tex_target *tt =
      tex_target(t, t->inst->Instruction.Texture ? t->inst->Texture.Texture : TGSI_TEXTURE_UNKNOWN);

   if (!tt)
      return;
   if (tt->dim == IR_DIM_BUFFER) {
      tr_dst_all(t, ir_imm(B(t), 1));
      return;
   }
   ir_val desc = tex_resource(t, tt, 0);
   if (!t->sh->error)
      tr_dst_all(t, tex_samples(t, desc));
}
