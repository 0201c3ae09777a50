/* SPDX-License-Identifier: MIT */
/* Sampler states: S# (SQ_IMG_SAMP_WORD0..3) and the table of border colours. */
#include "context.h"

#include "util/u_math.h"
#include "amdgfxregs.h"

#define MAX_BORDER_COLORS 4096

static uint32_t
translate_wrap(unsigned wrap)
{
   switch (wrap) {
   case PIPE_TEX_WRAP_REPEAT:
      return V_008F30_SQ_TEX_WRAP;
   case PIPE_TEX_WRAP_CLAMP:
      return V_008F30_SQ_TEX_CLAMP_HALF_BORDER;
   case PIPE_TEX_WRAP_CLAMP_TO_EDGE:
      return V_008F30_SQ_TEX_CLAMP_LAST_TEXEL;
   case PIPE_TEX_WRAP_CLAMP_TO_BORDER:
      return V_008F30_SQ_TEX_CLAMP_BORDER;
   case PIPE_TEX_WRAP_MIRROR_REPEAT:
      return V_008F30_SQ_TEX_MIRROR;
   case PIPE_TEX_WRAP_MIRROR_CLAMP:
      return V_008F30_SQ_TEX_MIRROR_ONCE_HALF_BORDER;
   case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
      return V_008F30_SQ_TEX_MIRROR_ONCE_LAST_TEXEL;
   default:
      return V_008F30_SQ_TEX_MIRROR_ONCE_BORDER;
   }
}

static uint32_t
translate_filter(unsigned filter, bool aniso)
{
   if (filter == PIPE_TEX_FILTER_LINEAR)
      return aniso ? V_008F38_SQ_TEX_XY_FILTER_ANISO_BILINEAR : V_008F38_SQ_TEX_XY_FILTER_BILINEAR;
   return aniso ? V_008F38_SQ_TEX_XY_FILTER_ANISO_POINT : V_008F38_SQ_TEX_XY_FILTER_POINT;
}

static uint32_t
translate_mip_filter(unsigned filter)
{
   switch (filter) {
   case PIPE_TEX_MIPFILTER_NEAREST:
      return V_008F38_SQ_TEX_Z_FILTER_POINT;
   case PIPE_TEX_MIPFILTER_LINEAR:
      return V_008F38_SQ_TEX_Z_FILTER_LINEAR;
   default:
      return V_008F38_SQ_TEX_Z_FILTER_NONE;
   }
}

static bool
uses_border(unsigned wrap, bool linear)
{
   return wrap == PIPE_TEX_WRAP_CLAMP_TO_BORDER || wrap == PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER ||
          (linear && (wrap == PIPE_TEX_WRAP_CLAMP || wrap == PIPE_TEX_WRAP_MIRROR_CLAMP));
}

static bool
is_constant(const union pipe_color_union *c, bool is_integer, unsigned rgb, unsigned a)
{
   union pipe_color_union want;

   for (unsigned i = 0; i < 4; i++) {
      unsigned v = i == 3 ? a : rgb;
      if (is_integer)
         want.ui[i] = v;
      else
         want.f[i] = v;
   }
   return !memcmp(&want, c, sizeof(want));
}

static uint32_t
translate_border_color(struct tgsiamd_screen *screen, const struct pipe_sampler_state *s)
{
   const union pipe_color_union *color = &s->border_color;
   bool linear = s->min_img_filter != PIPE_TEX_FILTER_NEAREST ||
                 s->mag_img_filter != PIPE_TEX_FILTER_NEAREST;
   bool is_int = s->border_color_is_integer;
   uint32_t i;

   if ((!uses_border(s->wrap_s, linear) && !uses_border(s->wrap_t, linear) &&
        !uses_border(s->wrap_r, linear)) || is_constant(color, is_int, 0, 0))
      return S_008F3C_BORDER_COLOR_TYPE(V_008F3C_SQ_TEX_BORDER_COLOR_TRANS_BLACK);
   if (is_constant(color, is_int, 0, 1))
      return S_008F3C_BORDER_COLOR_TYPE(V_008F3C_SQ_TEX_BORDER_COLOR_OPAQUE_BLACK);
   if (is_constant(color, is_int, 1, 1))
      return S_008F3C_BORDER_COLOR_TYPE(V_008F3C_SQ_TEX_BORDER_COLOR_OPAQUE_WHITE);

   simple_mtx_lock(&screen->border_lock);
   for (i = 0; i < screen->num_border_colors; i++) {
      if (!memcmp(&screen->border_map[i], color, sizeof(*color)))
         break;
   }
   if (i == screen->num_border_colors && i < MAX_BORDER_COLORS)
      screen->border_map[screen->num_border_colors++] = *color;
   simple_mtx_unlock(&screen->border_lock);
   if (i == MAX_BORDER_COLORS) {
      /* The table in hardware is no larger: the colour becomes black. */
      tgsiamd_error("more than %u border colours", MAX_BORDER_COLORS);
      return S_008F3C_BORDER_COLOR_TYPE(V_008F3C_SQ_TEX_BORDER_COLOR_TRANS_BLACK);
   }
   return S_008F3C_BORDER_COLOR_PTR_GFX6(i) |
          S_008F3C_BORDER_COLOR_TYPE(V_008F3C_SQ_TEX_BORDER_COLOR_REGISTER);
}

static void *
create_sampler_state(struct pipe_context *pctx, const struct pipe_sampler_state *s)
{
   struct tgsiamd_sampler *sampler = CALLOC_STRUCT(tgsiamd_sampler);
   /* 0: 1 sample, ... 4: 16 samples */
   unsigned aniso = s->max_anisotropy > 1 ? MIN2(util_logbase2(s->max_anisotropy), 4) : 0;
   bool nearest = s->min_img_filter == PIPE_TEX_FILTER_NEAREST &&
                  s->mag_img_filter == PIPE_TEX_FILTER_NEAREST;

   if (!sampler)
      return NULL;
   sampler->words[0] =
      S_008F30_CLAMP_X(translate_wrap(s->wrap_s)) | S_008F30_CLAMP_Y(translate_wrap(s->wrap_t)) |
      S_008F30_CLAMP_Z(translate_wrap(s->wrap_r)) | S_008F30_MAX_ANISO_RATIO(aniso) |
      S_008F30_DEPTH_COMPARE_FUNC(s->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE ? s->compare_func
                                                                                 : PIPE_FUNC_NEVER) |
      S_008F30_FORCE_UNNORMALIZED(s->unnormalized_coords) | S_008F30_ANISO_THRESHOLD(aniso >> 1) |
      S_008F30_ANISO_BIAS(aniso) | S_008F30_DISABLE_CUBE_WRAP(!s->seamless_cube_map) |
      S_008F30_TRUNC_COORD(nearest && s->compare_mode == PIPE_TEX_COMPARE_NONE) |
      S_008F30_COMPAT_MODE(1);
   sampler->words[1] = S_008F34_MIN_LOD(util_unsigned_fixed(CLAMP(s->min_lod, 0, 15), 8)) |
                       S_008F34_MAX_LOD(util_unsigned_fixed(CLAMP(s->max_lod, 0, 15), 8)) |
                       S_008F34_PERF_MIP(aniso ? aniso + 6 : 0);
   sampler->words[2] = S_008F38_LOD_BIAS(util_signed_fixed(CLAMP(s->lod_bias, -16, 16), 8)) |
                       S_008F38_XY_MAG_FILTER(translate_filter(s->mag_img_filter, aniso)) |
                       S_008F38_XY_MIN_FILTER(translate_filter(s->min_img_filter, aniso)) |
                       S_008F38_MIP_FILTER(translate_mip_filter(s->min_mip_filter)) |
                       S_008F38_FILTER_PREC_FIX(1) | S_008F38_ANISO_OVERRIDE_GFX8(1);
   sampler->words[3] = translate_border_color(tgsiamd_context(pctx)->screen, s);
   return sampler;
}

static void
bind_sampler_states(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                    unsigned count, void **states)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_stage_state *stage;

   stage = tgsiamd_stage_state(ctx, shader);
   if (!stage)
      return;
   for (unsigned i = 0; i < count && start + i < TGSIAMD_MAX_SAMPLERS; i++)
      stage->samplers[start + i] = states ? states[i] : NULL;
   stage->dirty_lists |= 1u << LIST_TEXTURES;
}

static void
delete_sampler_state(struct pipe_context *pctx, void *state)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);

   for (unsigned s = 0; s < NUM_STAGES; s++) {
      for (unsigned i = 0; i < TGSIAMD_MAX_SAMPLERS; i++) {
         if (ctx->stage[s].samplers[i] == state)
            ctx->stage[s].samplers[i] = NULL;
      }
   }
   FREE(state);
}

bool
tgsiamd_init_screen_border(struct tgsiamd_screen *screen)
{
   simple_mtx_init(&screen->border_lock, mtx_plain);
   screen->border_bo = tgsiamd_bo_create(screen->dev, MAX_BORDER_COLORS * sizeof(union pipe_color_union), 4096,
                                         TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   screen->border_map = screen->border_bo ? tgsiamd_bo_map(screen->border_bo) : NULL;
   return screen->border_map != NULL;
}

void
tgsiamd_finish_screen_border(struct tgsiamd_screen *screen)
{
   tgsiamd_bo_reference(&screen->border_bo, NULL);
   simple_mtx_destroy(&screen->border_lock);
}

void
tgsiamd_init_state_sampler(struct tgsiamd_context *ctx)
{
   ctx->base.create_sampler_state = create_sampler_state;
   ctx->base.bind_sampler_states = bind_sampler_states;
   ctx->base.delete_sampler_state = delete_sampler_state;
}
