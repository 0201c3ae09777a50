/* SPDX-License-Identifier: MIT */
/* Rasterizer state: PA_SU_*, PA_CL_CLIP_CNTL, PA_SC_MODE_CNTL_0, PA_SC_EDGERULE,
 * SPI_INTERP_CONTROL_0. */
#include "context.h"

#include "stipple.h"
#include "util/u_math.h"
#include "amdgfxregs.h"

#define MAX_POINT_SIZE 2048.0f

/* Unsigned 12.4 fixed point of half a size: the registers count from the centre. */
static uint32_t
half_size_12_4(float size)
{
   float value = size / 2 * 16;

   return value <= 0 ? 0 : value >= 0xffff ? 0xffff : (uint32_t)value;
}

static uint32_t
fill_type(unsigned mode)
{
   switch (mode) {
   case PIPE_POLYGON_MODE_POINT:
      return V_028814_X_DRAW_POINTS;
   case PIPE_POLYGON_MODE_LINE:
      return V_028814_X_DRAW_LINES;
   default:
      return V_028814_X_DRAW_TRIANGLES;
   }
}

static bool
offset_enabled(const struct pipe_rasterizer_state *s, unsigned fill)
{
   switch (fill) {
   case PIPE_POLYGON_MODE_POINT:
      return s->offset_point;
   case PIPE_POLYGON_MODE_LINE:
      return s->offset_line;
   default:
      return s->offset_tri;
   }
}

/* Which pixels on an edge belong to a primitive: windows of GL have y upwards. */
static uint32_t
edge_rule(bool bottom)
{
   if (bottom)
      return S_028230_ER_TRI(0xa) | S_028230_ER_POINT(0x5) | S_028230_ER_RECT(0x9) |
             S_028230_ER_LINE_LR(0x29) | S_028230_ER_LINE_RL(0x29) | S_028230_ER_LINE_TB(0xa) |
             S_028230_ER_LINE_BT(0xa);
   return S_028230_ER_TRI(0xa) | S_028230_ER_POINT(0xa) | S_028230_ER_RECT(0xa) |
          S_028230_ER_LINE_LR(0x1a) | S_028230_ER_LINE_RL(0x26) | S_028230_ER_LINE_TB(0xa) |
          S_028230_ER_LINE_BT(0xa);
}

static void
init_sizes(struct tgsiamd_rasterizer *rs)
{
   const struct pipe_rasterizer_state *s = &rs->state;
   float min, max;

   if (s->point_size_per_vertex) {
      /* Smallest size that still covers a pixel, unless it is anti-aliased. */
      min = !s->point_quad_rasterization && !s->point_smooth && !s->multisample ? 1.0f : 0.0f;
      max = MAX_POINT_SIZE;
   } else {
      /* A size that the vertex shader writes must have no effect. */
      min = max = s->point_size;
   }
   rs->max_point_size = max;
   rs->pa_su_point_size = S_028A00_HEIGHT(half_size_12_4(s->point_size)) |
                          S_028A00_WIDTH(half_size_12_4(s->point_size));
   rs->pa_su_point_minmax = S_028A04_MIN_SIZE(half_size_12_4(min)) |
                            S_028A04_MAX_SIZE(half_size_12_4(max));
   rs->pa_su_line_cntl = S_028A08_WIDTH(half_size_12_4(s->line_width));
   rs->pa_sc_line_stipple = s->line_stipple_enable
                               ? S_028A0C_LINE_PATTERN(s->line_stipple_pattern) |
                                    S_028A0C_REPEAT_COUNT(s->line_stipple_factor)
                               : 0;
}

static void *
create_rasterizer_state(struct pipe_context *pctx, const struct pipe_rasterizer_state *s)
{
   struct tgsiamd_rasterizer *rs = CALLOC_STRUCT(tgsiamd_rasterizer);
   bool poly_mode;

   if (!rs)
      return NULL;
   rs->state = *s;
   rs->poly_offset = s->offset_point || s->offset_line || s->offset_tri;
   init_sizes(rs);

   poly_mode = (s->fill_front != PIPE_POLYGON_MODE_FILL && !(s->cull_face & PIPE_FACE_FRONT)) ||
               (s->fill_back != PIPE_POLYGON_MODE_FILL && !(s->cull_face & PIPE_FACE_BACK));
   rs->pa_su_sc_mode_cntl =
      S_028814_PROVOKING_VTX_LAST(!s->flatshade_first) |
      S_028814_CULL_FRONT(!!(s->cull_face & PIPE_FACE_FRONT)) |
      S_028814_CULL_BACK(!!(s->cull_face & PIPE_FACE_BACK)) | S_028814_FACE(!s->front_ccw) |
      S_028814_POLY_OFFSET_FRONT_ENABLE(offset_enabled(s, s->fill_front)) |
      S_028814_POLY_OFFSET_BACK_ENABLE(offset_enabled(s, s->fill_back)) |
      S_028814_POLY_OFFSET_PARA_ENABLE(s->offset_point || s->offset_line) |
      S_028814_POLY_MODE(poly_mode) | S_028814_POLYMODE_FRONT_PTYPE(fill_type(s->fill_front)) |
      S_028814_POLYMODE_BACK_PTYPE(fill_type(s->fill_back));
   rs->pa_cl_clip_cntl = S_028810_DX_CLIP_SPACE_DEF(s->clip_halfz) |
                         S_028810_ZCLIP_NEAR_DISABLE(!s->depth_clip_near) |
                         S_028810_ZCLIP_FAR_DISABLE(!s->depth_clip_far) |
                         S_028810_DX_RASTERIZATION_KILL(s->rasterizer_discard) |
                         S_028810_DX_LINEAR_ATTR_CLIP_ENA(1);
   rs->pa_sc_mode_cntl_0 = S_028A48_LINE_STIPPLE_ENABLE(s->line_stipple_enable) |
                           S_028A48_MSAA_ENABLE(s->multisample || s->line_smooth || s->poly_smooth) |
                           S_028A48_VPORT_SCISSOR_ENABLE(1) | S_028A48_ALTERNATE_RBS_PER_TILE(1);
   rs->pa_sc_edgerule = edge_rule(s->bottom_edge_rule);
   rs->spi_interp_control =
      S_0286D4_FLAT_SHADE_ENA(1) | S_0286D4_PNT_SPRITE_ENA(s->point_quad_rasterization) |
      S_0286D4_PNT_SPRITE_OVRD_X(V_0286D4_SPI_PNT_SPRITE_SEL_S) |
      S_0286D4_PNT_SPRITE_OVRD_Y(V_0286D4_SPI_PNT_SPRITE_SEL_T) |
      S_0286D4_PNT_SPRITE_OVRD_Z(V_0286D4_SPI_PNT_SPRITE_SEL_0) |
      S_0286D4_PNT_SPRITE_OVRD_W(V_0286D4_SPI_PNT_SPRITE_SEL_1) |
      S_0286D4_PNT_SPRITE_TOP_1(s->sprite_coord_mode != PIPE_SPRITE_COORD_UPPER_LEFT);
   return rs;
}

static void
bind_rasterizer_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->rs != state) {
      ctx->rs = state;
      ctx->dirty |= DIRTY_RASTERIZER;
   }
}

static void
delete_rasterizer_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   if (ctx->rs == state)
      ctx->rs = NULL;
   FREE(state);
}

static void
set_polygon_stipple(struct pipe_context *pctx, const struct pipe_poly_stipple *stipple)
{
   tgsiamd_stipple_set(tgsiamd_context(pctx), stipple);
}

static void
set_clip_state(struct pipe_context *pctx, const struct pipe_clip_state *clip)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   ctx->clip = *clip;
   ctx->dirty |= DIRTY_CLIP;
}

void
tgsiamd_init_state_rasterizer(struct tgsiamd_context *ctx)
{
   ctx->base.create_rasterizer_state = create_rasterizer_state;
   ctx->base.bind_rasterizer_state = bind_rasterizer_state;
   ctx->base.delete_rasterizer_state = delete_rasterizer_state;
   ctx->base.set_polygon_stipple = set_polygon_stipple;
   ctx->base.set_clip_state = set_clip_state;
}
