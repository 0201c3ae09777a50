/* SPDX-License-Identifier: MIT */
/* Depth block: DB_Z_INFO and the surfaces, depth and stencil tests, DB_SHADER_CONTROL. */
#include "context.h"
#include "emit.h"

#include "util/u_math.h"
#include "amdgfxregs.h"

static void
emit_no_surface(struct tgsiamd_cs *cs)
{
   uint32_t info[2] = {S_028038_FORMAT(V_028040_Z_INVALID), S_02803C_FORMAT(V_028044_STENCIL_INVALID)};

   cs_set_regs(cs, R_028038_DB_Z_INFO, 2, info);
}

void
tgsiamd_emit_db_surface(struct tgsiamd_context *ctx)
{
   struct pipe_surface *surf = ctx->fb.zsbuf;
   struct tgsiamd_cs *cs = &ctx->cs;
   struct tgsiamd_texture *tex;
   const struct gfx9_surf_layout *layout;
   const struct util_format_description *desc;
   uint64_t z, s;

   if (!surf) {
      emit_no_surface(cs);
      return;
   }
   tex = tgsiamd_texture(surf->texture);
   layout = &tex->surf.u.gfx9;
   desc = util_format_description(tex->r.base.format);
   z = tex->r.va >> 8;
   s = (tex->r.va + layout->zs.stencil_offset) >> 8;

   uint32_t htile_and_size[3] = {
      0, 0, /* no HTILE */
      S_02801C_X_MAX(tex->r.base.width0 - 1) | S_02801C_Y_MAX(tex->r.base.height0 - 1),
   };
   uint32_t info[10] = {
      S_028038_FORMAT(tgsiamd_depth_format(tex->r.base.format)) | S_028038_SW_MODE(layout->swizzle_mode) |
         S_028038_MAXMIP(tex->r.base.last_level) |
         S_028038_NUM_SAMPLES(util_logbase2(MAX2(tex->r.base.nr_samples, 1))),
      util_format_has_stencil(desc)
         ? S_02803C_FORMAT(V_028044_STENCIL_8) | S_02803C_SW_MODE(layout->zs.stencil_swizzle_mode)
         : S_02803C_FORMAT(V_028044_STENCIL_INVALID),
      z, S_028044_BASE_HI(z >> 32),
      s, S_02804C_BASE_HI(s >> 32),
      z, S_028054_BASE_HI(z >> 32),
      s, S_02805C_BASE_HI(s >> 32),
   };
   uint32_t pitch[2] = {
      S_028068_EPITCH(layout->epitch),
      S_02806C_EPITCH(layout->zs.stencil_epitch),
   };

   cs_set_regs(cs, R_028014_DB_HTILE_DATA_BASE, 3, htile_and_size);
   cs_set_regs(cs, R_028038_DB_Z_INFO, 10, info);
   cs_set_regs(cs, R_028068_DB_Z_INFO2, 2, pitch);
   cs_set_reg(cs, R_028008_DB_DEPTH_VIEW,
              S_028008_SLICE_START(surf->u.tex.first_layer) |
                 S_028008_SLICE_MAX(surf->u.tex.last_layer) | S_028008_MIPID(surf->u.tex.level));
   cs_set_reg(cs, R_028ABC_DB_HTILE_SURFACE, 0);
   tgsiamd_use(ctx, &tex->r, TGSIAMD_READ | TGSIAMD_WRITE);
}

/* When the depth test happens and what the shader exports to it. */
static uint32_t
shader_control(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_shader_info *ps = &ctx->ps_variant->info;
   uint32_t control = S_02880C_Z_EXPORT_ENABLE(ps->writes_z) |
                      S_02880C_STENCIL_TEST_VAL_EXPORT_ENABLE(ps->writes_stencil) |
                      S_02880C_MASK_EXPORT_ENABLE(ps->writes_samplemask && ctx->rs->state.multisample) |
                      S_02880C_KILL_ENABLE(ps->uses_kill) |
                      S_02880C_ALPHA_TO_MASK_DISABLE(!ctx->blend->alpha_to_coverage) |
                      S_02880C_DUAL_QUAD_DISABLE(1);

   if (ps->early_z_forced)
      control |= S_02880C_DEPTH_BEFORE_SHADER(1) | S_02880C_Z_ORDER(V_02880C_EARLY_Z_THEN_LATE_Z) |
                 S_02880C_EXEC_ON_NOOP(ps->writes_memory);
   else if (ps->writes_memory)
      control |= S_02880C_Z_ORDER(V_02880C_LATE_Z) | S_02880C_EXEC_ON_HIER_FAIL(1);
   else
      control |= S_02880C_Z_ORDER(V_02880C_EARLY_Z_THEN_LATE_Z);
   return control;
}

/* Bounds are rounded as depths are, or a depth of 0.5 would not lie within 0.5. As
 * not every depth of 24 bits is a float, to the outer side. */
static float
depth_bound(enum pipe_format format, float depth, bool upper)
{
   const struct util_format_description *desc = util_format_description(format);
   const unsigned bits = util_format_get_component_bits(format, UTIL_FORMAT_COLORSPACE_ZS, 0);

   if (!util_format_has_depth(desc) || util_format_is_float(format))
      return depth;
   const double scale = BITFIELD_MASK(bits);
   const double stored = round(depth * scale) / scale;
   const float f = stored;
   if (upper)
      return f < stored ? nextafterf(f, 1) : f;
   return f > stored ? nextafterf(f, 0) : f;
}

void
tgsiamd_emit_db_control(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_dsa *dsa = ctx->dsa;
   struct tgsiamd_cs *cs = &ctx->cs;
   uint32_t depth_control = dsa->db_depth_control;
   uint32_t render[2] = {0, 0}; /* DB_RENDER_CONTROL, DB_COUNT_CONTROL */

   if (!ctx->fb.zsbuf)
      depth_control = 0;
   else if (!util_format_has_stencil(util_format_description(ctx->fb.zsbuf->texture->format)))
      depth_control &= C_028800_STENCIL_ENABLE & C_028800_BACKFACE_ENABLE;

   if (ctx->num_occlusion)
      render[1] = S_028004_PERFECT_ZPASS_COUNTS(ctx->num_precise_occlusion > 0) |
                  S_028004_ZPASS_ENABLE(1) | S_028004_SLICE_EVEN_ENABLE(1) |
                  S_028004_SLICE_ODD_ENABLE(1);
   cs_set_regs(cs, R_028000_DB_RENDER_CONTROL, 2, render);
   cs_set_reg(cs, R_028800_DB_DEPTH_CONTROL, depth_control);
   cs_set_reg(cs, R_02842C_DB_STENCIL_CONTROL, dsa->db_stencil_control);
   if (dsa->depth_bounds_test && ctx->fb.zsbuf) {
      uint32_t bounds[2] = {
         fui(depth_bound(ctx->fb.zsbuf->format, dsa->depth_bounds[0], false)),
         fui(depth_bound(ctx->fb.zsbuf->format, dsa->depth_bounds[1], true)),
      };
      cs_set_regs(cs, R_028020_DB_DEPTH_BOUNDS_MIN, 2, bounds);
   }
   cs_set_reg(cs, R_02880C_DB_SHADER_CONTROL, shader_control(ctx));
}

void
tgsiamd_emit_db_stencil_ref(struct tgsiamd_context *ctx)
{
   const struct tgsiamd_dsa *dsa = ctx->dsa;
   const struct pipe_stencil_ref *ref = &ctx->stencil_ref;
   uint32_t values[2] = {
      S_028430_STENCILTESTVAL(ref->ref_value[0]) | S_028430_STENCILMASK(dsa->value_mask[0]) |
         S_028430_STENCILWRITEMASK(dsa->write_mask[0]) | S_028430_STENCILOPVAL(1),
      S_028434_STENCILTESTVAL_BF(ref->ref_value[1]) | S_028434_STENCILMASK_BF(dsa->value_mask[1]) |
         S_028434_STENCILWRITEMASK_BF(dsa->write_mask[1]) | S_028434_STENCILOPVAL_BF(1),
   };

   cs_set_regs(&ctx->cs, R_028430_DB_STENCILREFMASK, 2, values);
}
