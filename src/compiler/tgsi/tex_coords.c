/* SPDX-License-Identifier: MIT */
/* Coordinates, descriptors and offsets of texture instructions, in the form
 * that MIMG instructions take (Vega ISA manual, "Image Instructions"). */
#include "tex.h"
#include "ops.h"

static const struct tex_target targets[TGSI_TEXTURE_COUNT] = {
   /*                              dim                   n  layer ref sample cube no_mips */
   [TGSI_TEXTURE_BUFFER]          = { IR_DIM_BUFFER,        1, -1, -1, -1, false, true },
   [TGSI_TEXTURE_1D]              = { IR_DIM_1D,            1, -1, -1, -1, false, false },
   [TGSI_TEXTURE_2D]              = { IR_DIM_2D,            2, -1, -1, -1, false, false },
   [TGSI_TEXTURE_3D]              = { IR_DIM_3D,            3, -1, -1, -1, false, false },
   [TGSI_TEXTURE_CUBE]            = { IR_DIM_CUBE,          3, -1, -1, -1, true, false },
   [TGSI_TEXTURE_RECT]            = { IR_DIM_2D,            2, -1, -1, -1, false, true },
   [TGSI_TEXTURE_SHADOW1D]        = { IR_DIM_1D,            1, -1, 2, -1, false, false },
   [TGSI_TEXTURE_SHADOW2D]        = { IR_DIM_2D,            2, -1, 2, -1, false, false },
   [TGSI_TEXTURE_SHADOWRECT]      = { IR_DIM_2D,            2, -1, 2, -1, false, true },
   [TGSI_TEXTURE_1D_ARRAY]        = { IR_DIM_1D_ARRAY,      1, 1, -1, -1, false, false },
   [TGSI_TEXTURE_2D_ARRAY]        = { IR_DIM_2D_ARRAY,      2, 2, -1, -1, false, false },
   [TGSI_TEXTURE_SHADOW1D_ARRAY]  = { IR_DIM_1D_ARRAY,      1, 1, 2, -1, false, false },
   [TGSI_TEXTURE_SHADOW2D_ARRAY]  = { IR_DIM_2D_ARRAY,      2, 2, 3, -1, false, false },
   [TGSI_TEXTURE_SHADOWCUBE]      = { IR_DIM_CUBE,          3, -1, 3, -1, true, false },
   [TGSI_TEXTURE_2D_MSAA]         = { IR_DIM_2D_MSAA,       2, -1, -1, 3, false, true },
   [TGSI_TEXTURE_2D_ARRAY_MSAA]   = { IR_DIM_2D_MSAA_ARRAY, 2, 2, -1, 3, false, true },
   [TGSI_TEXTURE_CUBE_ARRAY]      = { IR_DIM_CUBE,          3, 3, -1, -1, true, false },
   [TGSI_TEXTURE_SHADOWCUBE_ARRAY]= { IR_DIM_CUBE,          3, 3, 4, -1, true, false },
};

/* GFX9 has no 1D layouts with mip levels: the driver makes such textures 2D of
 * height 1, and the address gets a y. */
static const bool one_dim_is_two_dim[TGSIAMD_GFX_COUNT] = {
   [TGSIAMD_GFX9] = true, [TGSIAMD_GFX90A] = true, [TGSIAMD_GFX940] = true,
   [TGSIAMD_GFX950] = true,
};

const struct tex_target *
tex_target(struct tr *t, unsigned tgsi_target)
{
   if (tgsi_target >= TGSI_TEXTURE_UNKNOWN) {
      tr_error(t, "unknown texture target");
      return NULL;
   }
   return &targets[tgsi_target];
}

ir_val
tex_slot(struct tr *t, unsigned n, uint32_t *imm)
{
   const struct tgsi_full_src_register *src = &t->inst->Src[n];
   const unsigned file = src->Register.File;

   *imm = 0;
   if (file != TGSI_FILE_SAMPLER && file != TGSI_FILE_SAMPLER_VIEW) {
      tr_error(t, "operand of file %s", tgsi_file_name(file));
      return NULL;
   }
   if (src->Register.Indirect) {
      unsigned num = CLAMP(t->scan->num_regs[file], 1, TGSIAMD_MAX_SAMPLERS);
      ir_val unit = tr_uniform_index(t, src->Register.Index, &src->Indirect, num);
      return ir_imul(B(t), unit, ir_imm(B(t), TGSIAMD_TEXTURE_OFFSET(1)));
   }
   if (src->Register.Index < 0 || src->Register.Index >= TGSIAMD_MAX_SAMPLERS) {
      tr_error(t, "texture unit %d is beyond the limit of %u", src->Register.Index,
               TGSIAMD_MAX_SAMPLERS);
      return NULL;
   }
   *imm = TGSIAMD_TEXTURE_OFFSET(src->Register.Index);
   t->sh->info.samplers |= 1u << src->Register.Index;
   return NULL;
}

/* A part of a slot: of a unit's in the list, or of one that a handle points to. */
static ir_val
slot_desc(struct tr *t, unsigned src, unsigned comps, uint32_t offset)
{
   uint32_t imm;

   if (tr_is_handle(t, src))
      return ir_load_desc_at(B(t), tr_handle(t, src), comps, offset);
   ir_val slot = tex_slot(t, src, &imm);
   return ir_load_desc(B(t), IR_LIST_TEXTURES, comps, slot, imm + offset);
}

ir_val
tex_resource(struct tr *t, const struct tex_target *tt, unsigned src)
{
   if (tt->dim == IR_DIM_BUFFER)
      return slot_desc(t, src, 4, TGSIAMD_BUFFER_TEXTURE_OFFSET(0));
   return slot_desc(t, src, 8, TGSIAMD_TEXTURE_OFFSET(0));
}

ir_val
tex_sampler(struct tr *t, unsigned src)
{
   return slot_desc(t, src, 4, TGSIAMD_SAMPLER_OFFSET(0));
}

ir_val
tex_fmask(struct tr *t, unsigned src)
{
   uint32_t imm;

   if (tr_is_handle(t, src))
      return ir_load_desc_at(B(t), tr_handle(t, src), 8, TGSIAMD_HANDLE_FMASK_OFFSET);
   ir_val slot = tex_slot(t, src, &imm);
   if (slot)
      slot = ir_lshr(B(t), slot, ir_imm(B(t), 1)); /* 32 bytes a unit instead of 64 */
   return ir_load_desc(B(t), IR_LIST_TEXTURES, 8, slot, imm / 2 + TGSIAMD_FMASK_OFFSET(0));
}

/* SAMP2HND dst, SAMP[n]: a handle is the address of a slot. */
void
tr_op_samp2hnd(struct tr *t)
{
   uint32_t imm;

   if (t->inst->Instruction.Texture && (t->inst->Texture.Texture == TGSI_TEXTURE_2D_MSAA ||
                                        t->inst->Texture.Texture == TGSI_TEXTURE_2D_ARRAY_MSAA)) {
      tr_error(t, "the unit of a multisample texture is no handle: its FMASK lies elsewhere");
      return;
   }
   ir_val slot = tex_slot(t, 0, &imm);
   if (!t->sh->error)
      tr_dst_handle_at(t, IR_LIST_TEXTURES, slot, imm);
}

/* Destination: the address of `slot` + imm bytes in a list. */
void
tr_dst_handle_at(struct tr *t, enum ir_list list, ir_val slot, uint32_t imm)
{
   struct ir_builder *b = B(t);
   ir_val address = ir_list_address(b, list), lo = ir_extract(b, address, 0);
   ir_val offset = slot ? ir_iadd(b, slot, ir_imm(b, imm)) : ir_imm(b, imm);
   ir_val sum = ir_iadd(b, lo, offset);
   ir_val carry = ir_select(b, ir_ult(b, sum, lo), ir_imm(b, 1), ir_imm(b, 0));
   ir_val v[4] = { sum, ir_iadd(b, ir_extract(b, address, 1), carry), ir_imm(b, 0), ir_imm(b, 0) };
   tr_dst(t, v);
}

/* Derivatives along one screen axis of a direction vector, projected onto the
 * face that the direction hits: for f = s / m, f' = (s' - f * m') / m, with s
 * and m chosen and signed as the face says. `st` is s / |2 major axis|. */
static void
cube_derivs(struct tr *t, ir_val id, ir_val ma, ir_val inv_ma, const ir_val st[2],
            const ir_val in[3], ir_val out[2])
{
   struct ir_builder *b = B(t);
   ir_val sign = ir_select(b, ir_fge(b, ma, ir_imm(b, 0)), ir_immf(b, 1.0f), ir_immf(b, -1.0f));
   ir_val is_z = ir_fge(b, id, ir_immf(b, 4.0f));
   ir_val ge_y = ir_fge(b, id, ir_immf(b, 2.0f));
   ir_val is_y = ir_op2(b, IR_BAND, ge_y, ir_op1(b, IR_BNOT, is_z));
   ir_val is_x = ir_op1(b, IR_BNOT, ge_y);
   ir_val neg_sign = ir_fneg(b, sign);

   /*       sc          tc          major
    * X     -sign z     -y          x
    * Y     x           sign z      y
    * Z     sign x      -y          z */
   ir_val sc = ir_fmul(b, ir_select(b, is_x, in[2], in[0]),
                       ir_select(b, is_x, neg_sign,
                                 ir_select(b, is_y, ir_immf(b, 1.0f), sign)));
   ir_val tc = ir_fmul(b, ir_select(b, is_y, in[2], in[1]),
                       ir_select(b, is_y, sign, ir_immf(b, -1.0f)));
   ir_val major = ir_select(b, is_z, in[2], ir_select(b, is_y, in[1], in[0]));
   /* ma is twice the major axis; the face coordinate divides by its magnitude. */
   ir_val dma = ir_fmul(b, ir_fmul(b, major, sign), ir_immf(b, 2.0f));

   dma = ir_fmul(b, dma, inv_ma);
   out[0] = ir_fadd(b, ir_fmul(b, sc, inv_ma), ir_fneg(b, ir_fmul(b, dma, st[0])));
   out[1] = ir_fadd(b, ir_fmul(b, tc, inv_ma), ir_fneg(b, ir_fmul(b, dma, st[1])));
}

/* A direction to the face coordinates and the face's number. Faces of an array
 * are 8 apart. */
static void
cube_coords(struct tr *t, struct ir_tex_args *args, const ir_val *dir, ir_val layer)
{
   struct ir_builder *b = B(t);
   ir_val id = ir_op3(b, IR_CUBE_ID, dir[0], dir[1], dir[2]);
   ir_val sc = ir_op3(b, IR_CUBE_SC, dir[0], dir[1], dir[2]);
   ir_val tc = ir_op3(b, IR_CUBE_TC, dir[0], dir[1], dir[2]);
   ir_val ma = ir_op3(b, IR_CUBE_MA, dir[0], dir[1], dir[2]);
   ir_val inv_ma = ir_frcp(b, ir_fabs(b, ma));
   ir_val half = ir_immf(b, 1.5f);

   if (args->num_derivs) {
      ir_val st[2] = { ir_fmul(b, sc, inv_ma), ir_fmul(b, tc, inv_ma) };
      ir_val out[4];
      cube_derivs(t, id, ma, inv_ma, st, &args->derivs[0], &out[0]);
      cube_derivs(t, id, ma, inv_ma, st, &args->derivs[3], &out[2]);
      memcpy(args->derivs, out, sizeof(out));
      args->num_derivs = 4;
   }
   args->coords[0] = ir_fmad(b, sc, inv_ma, half);
   args->coords[1] = ir_fmad(b, tc, inv_ma, half);
   args->coords[2] = layer ? ir_fmad(b, layer, ir_immf(b, 8.0f), id) : id;
   args->num_coords = 3;
}

void
tex_coords(struct tr *t, const struct tex_target *tt, struct ir_tex_args *args,
           const ir_val *coords, ir_val layer)
{
   const bool fetch = args->op == IR_TEX_FETCH;
   unsigned n = 0;

   args->dim = tt->dim;
   if (layer && !fetch)
      layer = ir_frndne(B(t), layer);
   if (args->op == IR_TEX_LOD)
      layer = NULL; /* the level does not depend on it */
   if (tt->cube && !fetch) { /* texels of cube maps are addressed by x, y, 6 * layer + face */
      cube_coords(t, args, coords, layer);
      return;
   }

   for (unsigned i = 0; i < tt->num_coords; i++)
      args->coords[n++] = coords[i];
   if (one_dim_is_two_dim[t->sh->gfx] && (tt->dim == IR_DIM_1D || tt->dim == IR_DIM_1D_ARRAY)) {
      args->dim = tt->dim == IR_DIM_1D ? IR_DIM_2D : IR_DIM_2D_ARRAY;
      args->coords[n++] = fetch ? ir_imm(B(t), 0) : ir_immf(B(t), 0.5f);
      if (args->num_derivs) {
         args->derivs[2] = args->derivs[1];
         args->derivs[1] = args->derivs[3] = ir_imm(B(t), 0);
         args->num_derivs = 4;
      }
   }
   if (layer)
      args->coords[n++] = layer;
   args->num_coords = n;
}

ir_val
tex_offset(struct tr *t, unsigned n, unsigned c)
{
   const struct tgsi_texture_offset *o = &t->inst->TexOffsets[n];
   const unsigned swizzle[3] = { o->SwizzleX, o->SwizzleY, o->SwizzleZ };

   return tr_fetch(t, o->File, o->Index, swizzle[c]);
}

ir_val
tex_packed_offset(struct tr *t, const struct tex_target *tt, unsigned n)
{
   ir_val packed = NULL;

   if (n >= t->inst->Texture.NumOffsets || tt->cube)
      return NULL;
   for (unsigned c = 0; c < tt->num_coords; c++) {
      ir_val v = tex_offset(t, n, c);
      if (v->op == IR_CONST)
         v = ir_imm(B(t), (v->imm & 0x3f) << (8 * c));
      else
         v = ir_shl(B(t), ir_iand(B(t), v, ir_imm(B(t), 0x3f)), ir_imm(B(t), 8 * c));
      if (!packed)
         packed = v;
      else if (packed->op == IR_CONST && v->op == IR_CONST)
         packed = ir_imm(B(t), packed->imm | v->imm);
      else
         packed = ir_ior(B(t), packed, v);
   }
   /* An instruction without an offset is shorter. */
   return packed->op == IR_CONST && packed->imm == 0 ? NULL : packed;
}

unsigned
tex_components(const struct tr *t, const uint8_t swizzle[4])
{
   unsigned dmask = 0;

   for (unsigned c = 0; c < 4; c++) {
      if (tr_mask(t) & (1u << c))
         dmask |= 1u << (swizzle ? swizzle[c] : c);
   }
   return dmask;
}

void
tex_store(struct tr *t, ir_val result, unsigned dmask, const uint8_t swizzle[4])
{
   static const uint8_t identity[4] = { 0, 1, 2, 3 };
   ir_val v[4] = { NULL };

   if (!swizzle)
      swizzle = identity;
   for (unsigned c = 0; c < 4; c++) {
      if (!(tr_mask(t) & (1u << c)))
         continue;
      unsigned bit = 1u << swizzle[c];
      v[c] = dmask & bit ? ir_extract(B(t), result, util_bitcount(dmask & (bit - 1)))
                         : ir_imm(B(t), 0);
   }
   tr_dst(t, v);
}
