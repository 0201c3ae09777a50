/* SPDX-License-Identifier: MIT */
/* Image (T#) and sampler (S#) descriptors: SQ_IMG_RSRC_WORD0..7,
 * SQ_IMG_SAMP_WORD0..3 of GFX9. Decoded descriptors are cached by content. */
#include <string.h>
#include "amdgfxregs.h"
#include "util/format_srgb.h"

#include "ta_internal.h"

#define TEX_CACHE 256

static float unorm8_lut[256];
static const float *srgb_lut = util_format_srgb_8unorm_to_linear_float_table;

static const uint8_t bc_swizzles[6][4] = {
   { 0, 1, 2, 3 }, { 0, 3, 1, 2 }, { 3, 2, 1, 0 }, { 3, 0, 1, 2 }, { 2, 1, 0, 3 }, { 1, 0, 3, 2 },
};

static void set_type(struct ta_tex *t, unsigned type)
{
   t->type = type;
   t->array = type == IMG_1D_ARRAY || type == IMG_2D_ARRAY || type == IMG_2D_MSAA_ARRAY;
   t->cube = type == IMG_CUBE;
   t->msaa = type == IMG_2D_MSAA || type == IMG_2D_MSAA_ARRAY;
   t->dims = type == IMG_3D ? 3 : type == IMG_1D || type == IMG_1D_ARRAY ? 1 : 2;
}

static const char *set_format(struct ta_tex *t, unsigned data_format, unsigned num_format)
{
   t->fmt = fmt_image(data_format, num_format);
   t->missing = !t->fmt ? fmt_image_missing(data_format) : NULL;
   if (t->missing)
      return "image format not done";
   if (!t->fmt)
      return "data format and number format that GFX9 does not have together";
   bool rgba8 = !strcmp(t->fmt->name, "8_8_8_8") && (num_format == 0 || num_format == 9);
   if (t->fmt->fmask)
      t->path = TEX_FMASK;
   else if (t->fmt->block_log2 || t->fmt->pair)
      t->path = TEX_BLOCK;
   else
      t->path = rgba8 ? TEX_RGBA8 : TEX_FMT;
   t->lut = num_format == 9 ? srgb_lut : unorm8_lut;
   return NULL;
}

static void set_meta(struct ta_tex *t, const struct model_env *env, const struct surf_desc *d, const uint32_t w[8])
{
   bool pa = G_008F24_META_PIPE_ALIGNED(w[5]), ra = G_008F24_META_RB_ALIGNED(w[5]);
   t->meta_va = ((uint64_t)w[7] << 8) | ((uint64_t)G_008F24_META_DATA_ADDRESS(w[5]) << 40);
   t->alpha_is_on_msb = G_008F28_ALPHA_IS_ON_MSB(w[6]);
   bool z = d->swizzle_mode >= 4 && (d->swizzle_mode & 3) == 0 && d->resource_type == 1;
   struct surf_desc md = *d;
   if (z) {
      md.is_depth = true;
      /* the stencil plane shares the HTILE of a 16 or 32 bit depth plane */
      unsigned df = G_008F14_DATA_FORMAT(w[1]);
      if (df == 59)
         md.bytes_log2 = 1;
      else if (df == 60)
         md.bytes_log2 = 2;
      t->htile = surf_meta_get(env->addrlib, SURF_META_HTILE, &md, pa, ra);
      if (!t->htile)
         t->complaint = "compressed depth with a layout that has no HTILE";
   } else {
      t->dcc = surf_meta_get(env->addrlib, SURF_META_DCC, &md, pa, ra);
      if (!t->dcc)
         t->complaint = "COMPRESSION_EN with a layout that has no DCC";
   }
}

/* A descriptor that cannot be read through: reads give 0. */
static void refuse(struct ta_tex *t, const char *why)
{
   t->complaint = why;
   t->bad = true;
   t->path = TEX_ZERO;
}

static void set_start(struct ta_tex *t, const struct model_env *env, const uint32_t w[8])
{
   memset(t, 0, sizeof(*t));
   memcpy(t->key, w, sizeof(t->key));
   t->addrlib = env->addrlib;
   t->epoch = surf_epoch();
   t->used = true;
   t->path = TEX_ZERO;
   for (unsigned i = 0; i < 256; i++)
      unorm8_lut[i] = i / 255.0f;
}

static void set_selects(struct ta_tex *t, const uint32_t w[8])
{
   t->sel[0] = G_008F1C_DST_SEL_X(w[3]);
   t->sel[1] = G_008F1C_DST_SEL_Y(w[3]);
   t->sel[2] = G_008F1C_DST_SEL_Z(w[3]);
   t->sel[3] = G_008F1C_DST_SEL_W(w[3]);
   for (unsigned i = 0; i < 4; i++)
      if (t->sel[i] == 2 || t->sel[i] == 3)
         t->complaint = "reserved DST_SEL";
}

/* Levels, layers and samples. */
static void set_ranges(struct ta_tex *t, const uint32_t w[8])
{
   unsigned depth = G_008F20_DEPTH(w[4]);
   t->base_level = G_008F1C_BASE_LEVEL(w[3]);
   t->last_level = G_008F1C_LAST_LEVEL(w[3]);
   t->first_layer = t->type == IMG_3D ? 0 : G_008F24_BASE_ARRAY(w[5]);
   t->last_layer = t->type == IMG_3D ? 0 : depth;
   /* DEPTH limits whole cubes: all faces of the last one can be reached
    * (drivers leave 0 there for a single cube). */
   if (t->cube && t->last_layer >= t->first_layer)
      t->last_layer = t->first_layer + (t->last_layer - t->first_layer) / 6 * 6 + 5;
   t->depth = t->type == IMG_3D ? depth + 1 : 1;
   t->min_lod = G_008F14_MIN_LOD(w[1]) / 256.0f;
   if (t->msaa) {
      t->samples_log2 = t->last_level;
      t->base_level = t->last_level = 0;
      if (t->samples_log2 > 4)
         t->complaint = "more than 16 samples";
   } else if (t->last_level > G_008F24_MAX_MIP(w[5]) || t->base_level > t->last_level) {
      t->complaint = "BASE_LEVEL, LAST_LEVEL and MAX_MIP contradict each other";
      t->bad = true;
   }
   if (t->last_layer < t->first_layer && !(t->type == IMG_3D)) {
      t->complaint = "BASE_ARRAY beyond DEPTH (last layer)";
      t->last_layer = t->first_layer;
   }
}

static void set_swizzle(struct ta_tex *t, const uint32_t w[8])
{
   unsigned bc = G_008F20_BC_SWIZZLE(w[4]);
   memcpy(t->bc_swizzle, bc_swizzles[bc < 6 ? bc : 0], 4);
   if (bc >= 6)
      t->complaint = "reserved BC_SWIZZLE";
   if ((w[2] & 0x80000000u) || (w[3] & 0x0e000000u))
      t->complaint = "bits that belong to no field on GFX9 (word 2: 31, word 3: 27..25)";
}

/* The surface in memory; *d is what its layout follows from. */
static bool set_surface(struct ta_tex *t, const struct model_env *env, const uint32_t w[8], struct surf_desc *d)
{
   uint64_t va = ((uint64_t)w[0] << 8) | ((uint64_t)G_008F14_BASE_ADDRESS_HI(w[1]) << 40);
   unsigned sw = G_008F1C_SW_MODE(w[3]), block = (1u << t->fmt->block_log2) - 1;
   *d = (struct surf_desc){
      .swizzle_mode = sw, .bytes_log2 = 31 - __builtin_clz(t->fmt->bytes), .samples_log2 = t->samples_log2,
      .resource_type = t->type == IMG_3D ? 2 : t->dims == 1 ? 0 : 1,
      .num_levels = (t->msaa ? 0 : G_008F24_MAX_MIP(w[5])) + 1,
      .width = (t->width + block) >> t->fmt->block_log2, .height = (t->height + block) >> t->fmt->block_log2,
      .depth = t->type == IMG_3D ? t->depth : t->last_layer + 1,
      .epitch = G_008F20_PITCH(w[4]), .is_fmask = t->fmt->fmask,
   };
   t->step = 1;
   if (t->fmt->pair)
      d->width = (t->width + 1) >> 1;
   if (t->fmt->bytes == 12) {
      /* Three elements of 32 bits in a row; only linear layouts have them. */
      if (sw != 0) {
         refuse(t, "96-bit image format in a tiled layout");
         return false;
      }
      t->step = 3;
      d->bytes_log2 = 2;
      d->width *= 3;
      d->epitch = (((d->epitch + 1) * 3 + 63) & ~63u) - 1;
   }
   t->base = surf_split_base(sw, va, &d->pipe_bank_xor);
   t->l = surf_layout_get(env->addrlib, d);
   if (!t->l) {
      refuse(t, "no such layout: swizzle mode, size, levels and samples do not go together");
      return false;
   }
   if (t->l->epitch_mismatch)
      t->complaint = "PITCH does not follow from size and levels";
   return true;
}

static void decode(struct ta_tex *t, const struct model_env *env, const uint32_t w[8])
{
   unsigned data_format = G_008F14_DATA_FORMAT(w[1]), type = G_008F1C_TYPE(w[3]);
   struct surf_desc d;

   set_start(t, env, w);
   set_type(t, type < IMG_1D ? IMG_2D : type);
   t->width = G_008F18_WIDTH(w[2]) + 1;
   t->height = t->dims == 1 ? 1 : G_008F18_HEIGHT(w[2]) + 1;
   set_selects(t, w);
   if (type < IMG_1D) {
      refuse(t, "not an image resource (TYPE below 8)");
      return;
   }
   if (data_format == 0) /* the way to unbind a texture: reads give 0 */
      return;
   const char *why = set_format(t, data_format, G_008F14_NUM_FORMAT(w[1]));
   if (why) {
      refuse(t, why);
      return;
   }
   set_swizzle(t, w);
   set_ranges(t, w);
   if (set_surface(t, env, w, &d) && G_008F28_COMPRESSION_EN(w[6]))
      set_meta(t, env, &d, w);
}

const struct ta_tex *ta_tex_get(const struct model_env *env, const uint32_t rsrc[8])
{
   static __thread struct ta_tex cache[TEX_CACHE];
   uint32_t h = 0;
   for (unsigned i = 0; i < 8; i++)
      h = (h ^ rsrc[i]) * 0x9e3779b1u;
   struct ta_tex *t = &cache[h >> 24];
   if (!t->used || t->addrlib != env->addrlib || t->epoch != surf_epoch() || memcmp(t->key, rsrc, sizeof(t->key)))
      decode(t, env, rsrc);
   return t;
}

static float sfixed(uint32_t v, unsigned bits)
{
   return ((int32_t)(v << (32 - bits)) >> (32 - bits)) / 256.0f;
}

void ta_samp_decode(const uint32_t w[4], struct ta_samp *s)
{
   s->clamp[0] = G_008F30_CLAMP_X(w[0]);
   s->clamp[1] = G_008F30_CLAMP_Y(w[0]);
   s->clamp[2] = G_008F30_CLAMP_Z(w[0]);
   s->max_aniso_log2 = G_008F30_MAX_ANISO_RATIO(w[0]);
   s->compare = G_008F30_DEPTH_COMPARE_FUNC(w[0]);
   s->unnormalized = G_008F30_FORCE_UNNORMALIZED(w[0]);
   s->trunc_coord = G_008F30_TRUNC_COORD(w[0]);
   s->cube_wrap = !G_008F30_DISABLE_CUBE_WRAP(w[0]);
   s->reduce = G_008F30_FILTER_MODE(w[0]);
   s->min_lod = G_008F34_MIN_LOD(w[1]) / 256.0f;
   s->max_lod = G_008F34_MAX_LOD(w[1]) / 256.0f;
   s->bias = sfixed(G_008F38_LOD_BIAS(w[2]), 14);
   s->mag = G_008F38_XY_MAG_FILTER(w[2]);
   s->min = G_008F38_XY_MIN_FILTER(w[2]);
   s->zfilter = G_008F38_Z_FILTER(w[2]);
   s->mip = G_008F38_MIP_FILTER(w[2]);
   s->border_ptr = w[3] & 0xfff;
   s->border_type = G_008F3C_BORDER_COLOR_TYPE(w[3]);
}

bool ta_ctx_init(struct ta_ctx *c, const struct model_env *env, const uint32_t rsrc[8])
{
   memset(c, 0, sizeof(*c));
   c->env = env;
   c->t = ta_tex_get(env, rsrc);
   c->meta_probe = ~0ull;
   if (c->t->missing)
      model_violation(env->report, CHECK_MODEL, "image format %s", c->t->missing);
   else if (c->t->complaint)
      model_violation(env->report, CHECK_DESCRIPTOR,
                      "T# %08x %08x %08x %08x %08x %08x %08x %08x: %s", rsrc[0], rsrc[1], rsrc[2], rsrc[3],
                      rsrc[4], rsrc[5], rsrc[6], rsrc[7], c->t->complaint);
   if (c->t->bad || c->t->path == TEX_ZERO)
      return false;

   c->prt = vm_is_prt(env->vm, VM_TC, c->t->base);
   c->host = vm_probe(env->vm, VM_TC, c->t->base, false, &c->avail);
   if (!c->host || c->prt)
      c->avail = 0;
   return true;
}

/* The border colour in memory order: TRANS_BLACK, OPAQUE_BLACK, OPAQUE_WHITE,
 * or an entry of the table at TA_BC_BASE_ADDR. */
void ta_border_init(struct ta_ctx *c)
{
   const struct ta_tex *t = c->t;
   uint32_t one = t->fmt && t->fmt->is_int ? 1 : 0x3f800000, rgba[4] = { 0 };
   switch (c->s.border_type) {
   case 0: break;
   case 1: rgba[3] = one; break;
   case 2: rgba[0] = rgba[1] = rgba[2] = rgba[3] = one; break;
   case 3: {
      const struct regs *r = c->env->regs;
      uint64_t va = (uint64_t)reg_ctx(r, R_028080_TA_BC_BASE_ADDR) << 8 |
                    (uint64_t)(reg_ctx(r, R_028084_TA_BC_BASE_ADDR_HI) & 0xff) << 40;
      if (!va)
         va = (uint64_t)reg_uc(r, R_030E00_TA_CS_BC_BASE_ADDR) << 8 |
              (uint64_t)(reg_uc(r, R_030E04_TA_CS_BC_BASE_ADDR_HI) & 0xff) << 40;
      if (!va)
         model_violation(c->env->report, CHECK_STATE, "border colour from a table, but TA_BC_BASE_ADDR is 0");
      else
         vm_read(c->env->vm, VM_TC, va + 16u * c->s.border_ptr, rgba, 16);
      break;
   }
   }
   for (unsigned i = 0; i < 4; i++)
      c->border[i] = rgba[t->bc_swizzle[i]];
}
