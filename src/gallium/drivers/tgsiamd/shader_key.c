/* SPDX-License-Identifier: MIT */
/* From bound state to shader keys. */
#include "context.h"
#include "streamout.h"

#include "stipple.h"
#include "util/u_math.h"
#include "amdgfxregs.h"

const struct tgsiamd_shader *
tgsiamd_last_shader(const struct tgsiamd_context *ctx)
{
   return ctx->gs ? ctx->gs : ctx->vs;
}

static bool
reads_prim_id(const struct tgsi_shader_info *ps)
{
   for (unsigned i = 0; i < ps->num_inputs; i++) {
      if (ps->input_semantic_name[i] == TGSI_SEMANTIC_PRIMID)
         return true;
   }
   return false;
}

static void
vs_key(struct tgsiamd_context *ctx, struct tgsiamd_key *key)
{
   const struct tgsiamd_vertex_elements *v = ctx->velems;
   const struct tgsiamd_shader *last = tgsiamd_last_shader(ctx);
   unsigned clip = last->scan.num_written_clipdistance;

   memset(key, 0, sizeof(*key));
   const struct tgsiamd_vertex_fetch *fetch = tgsiamd_vertex_fetch(ctx);
   for (unsigned i = 0; v && i < v->count && i < ctx->vs->scan.num_inputs; i++) {
      key->vs.divisor[i] = v->elem[i].instance_divisor;
      key->vs.fix_alpha[i] = v->fix_alpha[i];
      key->vs.fetch[i] = fetch[i];
   }
   key->vs.clip_distances = clip ? ctx->rs->state.clip_plane_enable & BITFIELD_MASK(clip) : 0;
   key->vs.no_base_vertex = ctx->vs->scan.uses_basevertex && !ctx->indexed;
   key->vs.gs_turned = ctx->gs && ctx->strip_adj && !ctx->rs->state.flatshade_first;
   key->vs.export_prim_id = !ctx->gs && reads_prim_id(&ctx->ps->scan);
   if (ctx->num_so_targets && last->so.num_outputs)
      tgsiamd_streamout_key(last, &key->vs.so);
   key->vs.clip_distances |= BITFIELD_RANGE(clip, last->scan.num_written_culldistance);
}

/* What the colour block wants a pixel shader to export for a surface. */
static uint32_t
export_format(const struct tgsiamd_context *ctx, unsigned i)
{
   const struct tgsiamd_surface *surf = tgsiamd_surface(ctx->fb.cbufs[i]);
   const struct ac_spi_color_formats *spi = &surf->color.spi;
   bool blends = ctx->blend->enabled & (1u << i);
   bool alpha = (ctx->blend->needs_alpha & (1u << i)) || (i == 0 && ctx->blend->alpha_to_coverage);

   if (blends)
      return alpha ? spi->blend_alpha : spi->blend;
   return alpha ? spi->alpha : spi->normal;
}

static void
ps_key(struct tgsiamd_context *ctx, const struct tgsiamd_shader *ps, struct tgsiamd_key *key)
{
   const struct tgsi_shader_info *scan = &ps->scan;
   unsigned written = 0;

   memset(key, 0, sizeof(*key));
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++) {
      const struct tgsiamd_surface *surf = tgsiamd_surface(ctx->fb.cbufs[i]);

      if (!surf || !(ctx->blend->cb_target_mask & (0xfu << (4 * i))))
         continue;
      key->ps.col_format |= export_format(ctx, i) << (4 * i);
      key->ps.color_is_int8 |= surf->color.is_int8 << i;
      key->ps.color_is_int10 |= surf->color.is_int10 << i;
      written = i + 1;
   }
   /* Alpha to coverage takes the alpha of the first colour, bound or not. */
   if (ctx->blend->alpha_to_coverage && !(key->ps.col_format & 0xf))
      key->ps.col_format |= V_028714_SPI_SHADER_32_AR;
   /* The second colour of dual-source blending goes out like the first. */
   if (ctx->blend->dual_src && ctx->fb.nr_cbufs)
      key->ps.col_format |= (key->ps.col_format & 0xf) << 4;
   if (scan->properties[TGSI_PROPERTY_FS_COLOR0_WRITES_ALL_CBUFS])
      key->ps.write_all_cbufs = MAX2(written, 1);
   key->ps.alpha_to_one = ctx->blend->alpha_to_one && ctx->rs->state.multisample;
   key->ps.sample_shading = tgsiamd_sample_shading(ctx);
   key->ps.flatshade = ctx->rs->state.flatshade;
   key->ps.fbfetch = scan->uses_fbfetch ? tgsiamd_fbfetch_kind(ctx) : 0;
}

bool
tgsiamd_update_shaders(struct tgsiamd_context *ctx)
{
   struct tgsiamd_key key;
   struct tgsiamd_variant *v;

   if (!ctx->vs || !ctx->ps)
      return false;
   if (!ctx->vs_variant ||
       (ctx->dirty & (DIRTY_VS | DIRTY_GS | DIRTY_PS | DIRTY_VERTEX | DIRTY_RASTERIZER | DIRTY_STREAMOUT))) {
      vs_key(ctx, &key);
      struct tgsiamd_variant *gs = ctx->gs ? tgsiamd_get_gs_variant(ctx, ctx->gs, ctx->vs, &key) : NULL;
      v = ctx->gs ? (gs ? gs->copy : NULL) : tgsiamd_get_variant(ctx, ctx->vs, &key);
      if (v != ctx->vs_variant || gs != ctx->gs_variant) {
         ctx->vs_variant = v;
         ctx->gs_variant = gs;
         ctx->dirty |= DIRTY_VS_VARIANT;
         ctx->stage[TGSIAMD_VS].dirty_lists = ~0u;
         ctx->stage[TGSIAMD_GS].dirty_lists = ~0u;
      }
      if (gs && !gs->bo)
         return false;
   }
   if (ctx->gs && !(ctx->gs_variant && ctx->gs_variant->bo))
      return false;
   if (!ctx->ps_variant || (ctx->dirty & (DIRTY_PS | DIRTY_BLEND | DIRTY_RASTERIZER | DIRTY_FRAMEBUFFER | DIRTY_PRIM))) {
      struct tgsiamd_shader *ps = tgsiamd_stipple_shader(ctx);
      ps_key(ctx, ps, &key);
      v = tgsiamd_get_variant(ctx, ps, &key);
      if (v != ctx->ps_variant) {
         ctx->ps_variant = v;
         ctx->dirty |= DIRTY_PS_VARIANT;
         ctx->stage[TGSIAMD_PS].dirty_lists = ~0u;
         if (v && v->info.uses_fbfetch)
            tgsiamd_render_barrier(ctx, "a shader reads the framebuffer");
      }
   }
   return ctx->vs_variant && ctx->vs_variant->bo && ctx->ps_variant && ctx->ps_variant->bo;
}
