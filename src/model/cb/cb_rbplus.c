/* SPDX-License-Identifier: MIT */
/* RB+ (SX_PS_DOWNCONVERT, SX_MRTn_BLEND_OPT, SX_BLEND_OPT_CONTROL): the driver
 * tells the export path what the target and the blender need, so that it can
 * pack colours and drop pixels early. Set rightly it changes no pixel, and the
 * model does not need it; so it only checks that it is set rightly. */
#include "amdgfxregs.h"
#include "cb_internal.h"

/* Bits of R, G, B, A that each conversion keeps. */
static const uint8_t kept[16][4] = {
   [V_028754_SX_RT_EXPORT_NO_CONVERSION] = { 32, 32, 32, 32 }, [V_028754_SX_RT_EXPORT_32_R] = { 32, 0, 0, 0 },
   [V_028754_SX_RT_EXPORT_32_A] = { 0, 0, 0, 32 },             [V_028754_SX_RT_EXPORT_10_11_11] = { 11, 11, 10, 0 },
   [V_028754_SX_RT_EXPORT_2_10_10_10] = { 10, 10, 10, 2 },     [V_028754_SX_RT_EXPORT_8_8_8_8] = { 8, 8, 8, 8 },
   [V_028754_SX_RT_EXPORT_5_6_5] = { 5, 6, 5, 0 },             [V_028754_SX_RT_EXPORT_1_5_5_5] = { 5, 5, 5, 1 },
   [V_028754_SX_RT_EXPORT_4_4_4_4] = { 4, 4, 4, 4 },           [V_028754_SX_RT_EXPORT_16_16_GR] = { 16, 16, 0, 0 },
   [V_028754_SX_RT_EXPORT_16_16_AR] = { 16, 0, 0, 16 },
};

/* Whether what the SX assumes of a factor is true of it. Keeping more than
 * needed (PRESERVE_NONE_IGNORE_NONE) always is. */
static bool factor_is(unsigned opt, unsigned factor, unsigned other, bool alpha)
{
   switch (opt) {
   case V_028760_BLEND_OPT_PRESERVE_NONE_IGNORE_ALL: return factor == 0;
   case V_028760_BLEND_OPT_PRESERVE_ALL_IGNORE_NONE: return factor == 1 || (alpha && factor == 10);
   case V_028760_BLEND_OPT_PRESERVE_C1_IGNORE_C0: return factor == 2 && !alpha;
   case V_028760_BLEND_OPT_PRESERVE_C0_IGNORE_C1: return factor == 3 && !alpha;
   case V_028760_BLEND_OPT_PRESERVE_A1_IGNORE_A0: return factor == 4 || (alpha && factor == 2);
   case V_028760_BLEND_OPT_PRESERVE_A0_IGNORE_A1: return factor == 5 || (alpha && factor == 3);
   case V_028760_BLEND_OPT_PRESERVE_NONE_IGNORE_A0: return factor == 10 || other == 10 || factor == 4;
   default: return true;
   }
}

static bool function_is(unsigned opt, unsigned func)
{
   static const uint8_t func_opt[5] = { V_028760_OPT_COMB_ADD, V_028760_OPT_COMB_SUBTRACT, V_028760_OPT_COMB_MIN,
                                        V_028760_OPT_COMB_MAX, V_028760_OPT_COMB_REVSUBTRACT };
   return opt == V_028760_OPT_COMB_NONE || (func < 5 && opt == func_opt[func]) ||
          (opt == V_028760_OPT_COMB_SAFE_ADD && func == 0);
}

/* Conversions work on exports that they are made for: 32_R, 32_AR, halves. (The
 * driver that Raven was tested with leaves 32_R set for targets of 64 bits.) */
static bool conversion_works(unsigned conversion, unsigned export_fmt)
{
   switch (conversion) {
   case V_028754_SX_RT_EXPORT_NO_CONVERSION: return false;
   case V_028754_SX_RT_EXPORT_32_R: return export_fmt == V_028714_SPI_SHADER_32_R;
   case V_028754_SX_RT_EXPORT_32_A: return export_fmt == V_028714_SPI_SHADER_32_AR;
   default: return export_fmt >= V_028714_SPI_SHADER_FP16_ABGR && export_fmt <= V_028714_SPI_SHADER_SINT16_ABGR;
   }
}

void cb_check_rbplus(const struct model_env *env, const struct cb_target *t)
{
   const struct regs *r = env->regs;
   const unsigned conversion = reg_ctx(r, R_028754_SX_PS_DOWNCONVERT) >> (4 * t->index) & 15;
   const uint32_t opt = reg_ctx(r, R_028760_SX_MRT0_BLEND_OPT + 4 * t->index);
   const unsigned off = reg_ctx(r, R_02875C_SX_BLEND_OPT_CONTROL) >> (4 * t->index) & 3;
   const struct cb_blend *b = &t->blend;

   for (unsigned c = 0; c < t->fmt->num_comp && conversion_works(conversion, t->export_fmt); c++)
      if ((t->mem_mask >> c & 1) && t->fmt->bits[c] > kept[conversion][t->swap[c]]) {
         model_violation(env->report, CHECK_STATE,
                         "SX_PS_DOWNCONVERT %u of target %u keeps %u bits of %c, format %s has %u", conversion, t->index,
                         kept[conversion][t->swap[c]], "RGBA"[t->swap[c]], t->fmt->name, t->fmt->bits[c]);
         break;
      }
   if (!b->enable)
      return;
   const unsigned rgb = G_028760_COLOR_COMB_FCN(opt), alpha = G_028760_ALPHA_COMB_FCN(opt);
   const bool color_right = (off & 1) || rgb == V_028760_OPT_COMB_NONE ||
                            (function_is(rgb, b->func) && factor_is(G_028760_COLOR_SRC_OPT(opt), b->src, b->src, false) &&
                             factor_is(G_028760_COLOR_DST_OPT(opt), b->dst, b->src, false));
   const bool alpha_right = (off & 2) || alpha == V_028760_OPT_COMB_NONE ||
                            (function_is(alpha, b->func_a) &&
                             factor_is(G_028760_ALPHA_SRC_OPT(opt), b->src_a, b->src_a, true) &&
                             factor_is(G_028760_ALPHA_DST_OPT(opt), b->dst_a, b->src_a, true));
   if (!color_right || !alpha_right)
      model_violation(env->report, CHECK_STATE, "SX_MRT%u_BLEND_OPT 0x%08x does not fit blending (%u %u %u, alpha %u %u %u)",
                      t->index, opt, b->src, b->dst, b->func, b->src_a, b->dst_a, b->func_a);
}
