/* SPDX-License-Identifier: MIT */
/* Direct3D's sampling opcodes: sampler views and samplers are numbered apart,
 * the view's declaration says the target, and the swizzle of the view's
 * operand is applied to the result. */
#include "tex.h"
#include "ops.h"

/* Sources of all of them: address, view, sampler (not SAMPLE_I), then extras. */
#define ADDRESS 0
#define VIEW    1
#define SAMPLER 2
#define EXTRA   3

static const struct tex_target *
view_target(struct tr *t)
{
   const struct tgsi_src_register *view = &t->inst->Src[VIEW].Register;

   if (view->File != TGSI_FILE_SAMPLER_VIEW || view->Index < 0 ||
       view->Index >= (int)ARRAY_SIZE(t->scan->sview_target) ||
       t->scan->sview_target[view->Index] == TGSI_TEXTURE_UNKNOWN) {
      tr_error(t, "the sampler view is not declared");
      return NULL;
   }
   return tex_target(t, t->scan->sview_target[view->Index]);
}

static void
view_swizzle(const struct tr *t, uint8_t swizzle[4])
{
   for (unsigned c = 0; c < 4; c++)
      swizzle[c] = tr_swizzle(&t->inst->Src[VIEW], c);
}

static ir_val
float_src(struct tr *t, unsigned n, unsigned chan)
{
   return tr_src_as(t, n, chan, TGSI_TYPE_FLOAT);
}

/* arg: TR_TEX_*; what the extra operand is follows from it. */
void
tr_op_sample(struct tr *t)
{
   const struct tex_target *tt = view_target(t);
   const unsigned flags = t->op->arg;
   ir_val coords[4], layer;
   uint8_t swizzle[4];

   if (!tt)
      return;
   if (tt->dim == IR_DIM_BUFFER || tt->sample >= 0) {
      tr_error(t, "this target cannot be sampled");
      return;
   }
   view_swizzle(t, swizzle);
   for (unsigned i = 0; i < tt->num_coords; i++)
      coords[i] = float_src(t, ADDRESS, i);
   layer = tt->layer >= 0 ? float_src(t, ADDRESS, tt->layer) : NULL;

   const bool gather = flags & TR_TEX_GATHER;
   struct ir_tex_args args = {
      .op = gather ? IR_TEX_GATHER4 : IR_TEX_SAMPLE,
      .dmask = gather ? 1 : tex_components(t, swizzle),
      .lod_zero = gather || (flags & TR_TEX_LZ),
      .offset = tex_packed_offset(t, tt, 0),
      .bias = flags & TR_TEX_BIAS ? float_src(t, EXTRA, 0) : NULL,
      .lod = flags & TR_TEX_LOD ? float_src(t, EXTRA, 0) : NULL,
      .compare = flags & TR_TEX_COMPARE ? float_src(t, EXTRA, 0) : NULL,
   };
   if (flags & TR_TEX_DERIVS) {
      args.num_derivs = 2 * tt->num_coords;
      for (unsigned i = 0; i < tt->num_coords; i++) {
         args.derivs[i] = float_src(t, EXTRA, i);
         args.derivs[tt->num_coords + i] = float_src(t, EXTRA + 1, i);
      }
   } else if (!args.lod) {
      tex_implicit_lod(t, &args);
   }
   tex_coords(t, tt, &args, coords, layer);
   args.resource = tex_resource(t, tt, VIEW);
   args.sampler = tex_sampler(t, SAMPLER);
   if (!t->sh->error && tr_mask(t))
      tex_store(t, ir_tex(B(t), &args), gather ? 0xf : args.dmask, swizzle);
}

/* SAMPLE_I: level in address.w. SAMPLE_I_MS: sample in a third source. */
void
tr_op_sample_i(struct tr *t)
{
   const struct tex_target *tt = view_target(t);
   uint8_t swizzle[4];

   if (!tt)
      return;
   const bool ms = t->inst->Instruction.NumSrcRegs > 2;
   if (tt->cube || ms != (tt->sample >= 0)) {
      tr_error(t, "not on this target");
      return;
   }
   view_swizzle(t, swizzle);
   tex_fetch(t, tt, VIEW, ms ? tr_src_as(t, 2, 0, TGSI_TYPE_SIGNED) : NULL,
             ms ? NULL : tr_src_as(t, ADDRESS, 3, TGSI_TYPE_SIGNED), swizzle);
}

/* SVIEWINFO dst, level, view: the view's swizzle is ignored. 1D arrays have nothing
 * behind the number of their layers. */
void
tr_op_sviewinfo(struct tr *t)
{
   const struct tex_target *tt = view_target(t);
   ir_val v[4];

   if (!tt)
      return;
   tex_size(t, tt, VIEW, v);
   if (tt->num_coords == 1 && tt->layer >= 0)
      v[2] = v[3] = ir_imm(B(t), 0);
   tr_dst(t, v);
}

/* LOD dst, address, view, sampler: like LODQ; 0 where the swizzle says z or w. */
void
tr_op_lod(struct tr *t)
{
   const struct tex_target *tt = view_target(t);
   ir_val coords[4];
   uint8_t swizzle[4];

   if (!tt)
      return;
   if (tt->dim == IR_DIM_BUFFER || tt->sample >= 0 || t->stage != TGSIAMD_PS) {
      tr_error(t, "there is no level of detail");
      return;
   }
   view_swizzle(t, swizzle);
   for (unsigned i = 0; i < tt->num_coords; i++)
      coords[i] = float_src(t, ADDRESS, i);
   struct ir_tex_args args = { .op = IR_TEX_LOD, .dmask = 0x3 };
   tex_coords(t, tt, &args, coords, NULL);
   args.resource = tex_resource(t, tt, VIEW);
   args.sampler = tex_sampler(t, SAMPLER);
   if (!t->sh->error)
      tex_store(t, ir_tex(B(t), &args), args.dmask, swizzle);
}
