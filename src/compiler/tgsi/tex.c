/* SPDX-License-Identifier: MIT */
/* Sampling: TEX and its variants, TXD, TG4, LODQ. */
#include "tex.h"
#include "ops.h"

/* Component i of TGSI's packing: src0.xyzw, then src1. */
static ir_val
packed_arg(struct tr *t, int i)
{
   return tr_src_as(t, i / 4, i % 4, TGSI_TYPE_FLOAT);
}

static void
read_coords(struct tr *t, const struct tex_target *tt, ir_val *coords, ir_val *layer)
{
   for (unsigned i = 0; i < tt->num_coords; i++)
      coords[i] = packed_arg(t, i);
   *layer = tt->layer >= 0 ? packed_arg(t, tt->layer) : NULL;
}

static const struct tex_target *
sampling_target(struct tr *t)
{
   const struct tex_target *tt =
      tex_target(t, t->inst->Instruction.Texture ? t->inst->Texture.Texture : TGSI_TEXTURE_UNKNOWN);
   if (tt && (tt->dim == IR_DIM_BUFFER || tt->sample >= 0)) {
      tr_error(t, "this target cannot be sampled");
      return NULL;
   }
   return tt;
}

/* Outside of pixel shaders there are no derivatives: level 0. */
void
tex_implicit_lod(struct tr *t, struct ir_tex_args *args)
{
   if (t->stage != TGSIAMD_PS) {
      args->lod_zero = true;
      args->bias = NULL;
   }
}

/* op: number of the sampler's operand; arg: TR_TEX_*. */
void
tr_op_tex(struct tr *t)
{
   const struct tex_target *tt = sampling_target(t);
   const unsigned sampler = t->op->op, flags = t->op->arg;
   ir_val coords[4], layer, ref = NULL, modifier = NULL;

   if (!tt)
      return;
   if (tt->ref >= 4 * (int)sampler) {
      tr_error(t, "no operand for the shadow reference");
      return;
   }
   if (sampler == 1 && (flags & (TR_TEX_BIAS | TR_TEX_LOD | TR_TEX_PROJ)) &&
       (tt->ref == 3 || tt->layer == 3)) {
      tr_error(t, "w is taken by this target's coordinates");
      return;
   }
   read_coords(t, tt, coords, &layer);
   if (tt->ref >= 0)
      ref = packed_arg(t, tt->ref);
   if (flags & (TR_TEX_BIAS | TR_TEX_LOD | TR_TEX_PROJ))
      modifier = packed_arg(t, sampler == 1 ? 3 : tt->ref == 4 ? 5 : 4);

   if (flags & TR_TEX_PROJ) {
      ir_val rcp = ir_frcp(B(t), modifier);
      for (unsigned i = 0; i < tt->num_coords; i++)
         coords[i] = ir_fmul(B(t), coords[i], rcp);
      if (ref)
         ref = ir_fmul(B(t), ref, rcp);
   }

   struct ir_tex_args args = {
      .op = IR_TEX_SAMPLE,
      .dmask = tr_mask(t),
      .lod_zero = flags & TR_TEX_LZ,
      .offset = tex_packed_offset(t, tt, 0),
      .compare = ref,
      .bias = flags & TR_TEX_BIAS ? modifier : NULL,
      .lod = flags & TR_TEX_LOD ? modifier : NULL,
   };
   if (args.lod && args.lod->op == IR_CONST && args.lod->imm == 0) {
      args.lod = NULL;
      args.lod_zero = true;
   }
   if (!args.lod && !args.lod_zero)
      tex_implicit_lod(t, &args);
   tex_coords(t, tt, &args, coords, layer);
   args.resource = tex_resource(t, tt, sampler);
   args.sampler = tex_sampler(t, sampler);
   if (!t->sh->error && args.dmask)
      tex_store(t, ir_tex(B(t), &args), args.dmask, NULL);
}

/* TXD dst, coordinates, ddx, ddy, sampler */
void
tr_op_txd(struct tr *t)
{
   const struct tex_target *tt = sampling_target(t);
   ir_val coords[4], layer;

   if (!tt)
      return;
   if (tt->ref >= 4) {
      tr_error(t, "no operand for the shadow reference");
      return;
   }
   read_coords(t, tt, coords, &layer);
   struct ir_tex_args args = {
      .op = IR_TEX_SAMPLE,
      .dmask = tr_mask(t),
      .offset = tex_packed_offset(t, tt, 0),
      .compare = tt->ref >= 0 ? packed_arg(t, tt->ref) : NULL,
      .num_derivs = 2 * tt->num_coords,
   };
   for (unsigned i = 0; i < tt->num_coords; i++) {
      args.derivs[i] = tr_src_as(t, 1, i, TGSI_TYPE_FLOAT);
      args.derivs[tt->num_coords + i] = tr_src_as(t, 2, i, TGSI_TYPE_FLOAT);
   }
   tex_coords(t, tt, &args, coords, layer);
   args.resource = tex_resource(t, tt, 3);
   args.sampler = tex_sampler(t, 3);
   if (!t->sh->error && args.dmask)
      tex_store(t, ir_tex(B(t), &args), args.dmask, NULL);
}

/* TG4 dst, coordinates, component (or shadow reference), sampler: the four
 * texels that a bilinear filter would use, of level 0. Four offsets give one
 * texel each: the one at (0, 0) of its footprint, which comes in w. */
void
tr_op_tg4(struct tr *t)
{
   const struct tex_target *tt = sampling_target(t);
   ir_val coords[4], layer, v[4] = { NULL };
   uint32_t component = 0;

   if (!tt)
      return;
   read_coords(t, tt, coords, &layer);
   if (tt->ref < 0 && (!tr_src_immediate(t, 1, 0, &component) || component > 3)) {
      tr_error(t, "the component is no immediate from 0 to 3");
      return;
   }
   struct ir_tex_args args = {
      .op = IR_TEX_GATHER4,
      .dmask = 1u << component,
      .lod_zero = true,
      .compare = tt->ref >= 0 ? packed_arg(t, tt->ref) : NULL,
   };
   tex_coords(t, tt, &args, coords, layer);
   args.resource = tex_resource(t, tt, 2);
   args.sampler = tex_sampler(t, 2);
   if (t->sh->error)
      return;

   const bool four = t->inst->Texture.NumOffsets == 4;
   ir_val texels = NULL;
   for (unsigned c = 0; c < 4; c++) {
      if (!(tr_mask(t) & (1u << c)))
         continue;
      if (four || !texels) {
         args.offset = tex_packed_offset(t, tt, four ? c : 0);
         texels = ir_tex(B(t), &args);
      }
      v[c] = ir_extract(B(t), texels, four ? 3 : c);
   }
   tr_dst(t, v);
}

/* LODQ: x = level that would be accessed, y = computed level of detail. */
void
tr_op_lodq(struct tr *t)
{
   const struct tex_target *tt = sampling_target(t);
   ir_val coords[4], layer;

   if (!tt)
      return;
   read_coords(t, tt, coords, &layer);
   struct ir_tex_args args = { .op = IR_TEX_LOD, .dmask = 0x3 };
   tex_coords(t, tt, &args, coords, layer);
   args.resource = tex_resource(t, tt, 1);
   args.sampler = tex_sampler(t, 1);
   if (!t->sh->error)
      tex_store(t, ir_tex(B(t), &args), args.dmask, NULL);
}
