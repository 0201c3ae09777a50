/* SPDX-License-Identifier: MIT */
/* Scan converter: scissors, clip rectangles, sample masks and positions.
 * PA_SC_*_SCISSOR_*, PA_SC_CLIPRECT_*, PA_SC_AA_*, PA_SC_MODE_CNTL_*. */
#include "sc_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <stdlib.h>
#include <string.h>

struct sc *sc_create(void) { return calloc(1, sizeof(struct sc)); }
void sc_destroy(struct sc *sc) { free(sc); }
const struct geom_samples *sc_samples(const struct sc *sc) { return &sc->samples; }

static void intersect(struct sc_rect *r, const struct sc_rect *o)
{
   r->x0 = o->x0 > r->x0 ? o->x0 : r->x0;
   r->y0 = o->y0 > r->y0 ? o->y0 : r->y0;
   r->x1 = o->x1 < r->x1 ? o->x1 : r->x1;
   r->y1 = o->y1 < r->y1 ? o->y1 : r->y1;
}

static struct sc_rect rect_of(const struct regs *r, uint32_t tl_reg, bool offset)
{
   uint32_t tl = reg_ctx(r, tl_reg), br = reg_ctx(r, tl_reg + 4), wo = reg_ctx(r, R_028200_PA_SC_WINDOW_OFFSET);
   struct sc_rect rect = { tl & 0x7fff, tl >> 16 & 0x7fff, br & 0x7fff, br >> 16 & 0x7fff };

   if (offset && !G_028204_WINDOW_OFFSET_DISABLE(tl)) {
      int x = (int16_t)G_028200_WINDOW_X_OFFSET(wo), y = (int16_t)G_028200_WINDOW_Y_OFFSET(wo);
      rect.x0 += x, rect.x1 += x, rect.y0 += y, rect.y1 += y;
   }
   return rect;
}

static void read_scissors(struct sc *sc, const struct regs *r)
{
   uint32_t tl = reg_ctx(r, R_028030_PA_SC_SCREEN_SCISSOR_TL), br = reg_ctx(r, R_028034_PA_SC_SCREEN_SCISSOR_BR);
   struct sc_rect common = { (int16_t)(tl & 0xffff), (int16_t)(tl >> 16), (int16_t)(br & 0xffff), (int16_t)(br >> 16) };
   struct sc_rect window = rect_of(r, R_028204_PA_SC_WINDOW_SCISSOR_TL, true);
   struct sc_rect generic = rect_of(r, R_028240_PA_SC_GENERIC_SCISSOR_TL, true);
   bool vport = G_028A48_VPORT_SCISSOR_ENABLE(reg_ctx(r, R_028A48_PA_SC_MODE_CNTL_0));

   if (common.x0 < 0)
      common.x0 = 0;
   if (common.y0 < 0)
      common.y0 = 0;
   intersect(&common, &window);
   intersect(&common, &generic);
   for (unsigned i = 0; i < 16; i++) {
      sc->scissor[i] = common;
      if (vport) {
         struct sc_rect v = rect_of(r, R_028250_PA_SC_VPORT_SCISSOR_0_TL + i * 8, true);
         intersect(&sc->scissor[i], &v);
      }
   }
   sc->clip_rule = G_02820C_CLIP_RULE(reg_ctx(r, R_02820C_PA_SC_CLIPRECT_RULE));
   sc->cliprects = sc->clip_rule != 0xffff;
   for (unsigned i = 0; i < 4; i++)
      sc->cliprect[i] = rect_of(r, R_028210_PA_SC_CLIPRECT_0_TL + i * 8, false);
}

static int sext4(uint32_t v) { return (int)(v << 28) >> 28; }

static void read_samples(struct sc *sc, const struct model_env *env)
{
   const struct regs *r = env->regs;
   struct geom_samples *s = &sc->samples;

   s->log2 = G_028BE0_MSAA_NUM_SAMPLES(reg_ctx(r, R_028BE0_PA_SC_AA_CONFIG));
   if (s->log2 > 4) {
      model_violation(env->report, CHECK_REGISTER, "PA_SC_AA_CONFIG.MSAA_NUM_SAMPLES is %u", s->log2);
      s->log2 = 0;
   }
   s->num = 1u << s->log2;
   for (unsigned p = 0; p < 4; p++) {
      for (unsigned n = 0; n < 16; n++) {
         uint32_t v = reg_ctx(r, R_028BF8_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0 + p * 16 + n / 4 * 4) >> (n % 4 * 8);
         s->x[p][n] = sext4(v & 15);
         s->y[p][n] = sext4(v >> 4 & 15);
      }
   }
   for (unsigned n = 0; n < 16; n++)
      s->centroid_order[n] = reg_ctx(r, R_028BD4_PA_SC_CENTROID_PRIORITY_0 + n / 8 * 4) >> (n % 8 * 4) & 15;
   s->ps_iter = 1;
   if (G_028A4C_PS_ITER_SAMPLE(reg_ctx(r, R_028A4C_PA_SC_MODE_CNTL_1)))
      s->ps_iter = 1u << G_028804_PS_ITER_SAMPLES(reg_ctx(r, R_028804_DB_EQAA));
   if (s->ps_iter > s->num)
      s->ps_iter = s->num;
   sc->msaa = G_028A48_MSAA_ENABLE(reg_ctx(r, R_028A48_PA_SC_MODE_CNTL_0)) && s->num > 1;
   sc->all_samples = (1u << s->num) - 1;
   for (unsigned y = 0; y < 2; y++) {
      uint32_t mask = reg_ctx(r, R_028C38_PA_SC_AA_MASK_X0Y0_X1Y0 + y * 4);
      sc->aa_mask[y * 2] = mask & 0xffff;
      sc->aa_mask[y * 2 + 1] = mask >> 16;
   }
   sc->aa_mask_full = true;
   for (unsigned p = 0; p < 4; p++)
      sc->aa_mask_full &= (sc->aa_mask[p] & sc->all_samples) == sc->all_samples;
}

void sc_begin_draw(struct sc *sc, const struct model_env *env)
{
   const struct regs *r = env->regs;

   read_scissors(sc, r);
   read_samples(sc, env);
   sc->line_cntl = reg_ctx(r, R_028BDC_PA_SC_LINE_CNTL);
   sc->stipple_reg = reg_ctx(r, R_028A0C_PA_SC_LINE_STIPPLE);
   sc->stipple = G_028A48_LINE_STIPPLE_ENABLE(reg_ctx(r, R_028A48_PA_SC_MODE_CNTL_0));
   /* Rule for lines on the border between rows: the codes of both directions
    * are alike when the row of the smaller y gets the line. */
   uint32_t rule = reg_ctx(r, R_028230_PA_SC_EDGERULE);
   sc->line_bottom_rule = G_028230_ER_LINE_LR(rule) == G_028230_ER_LINE_RL(rule);
   uint32_t cons = reg_ctx(r, R_028C4C_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL);
   sc->conservative = G_028C4C_OVER_RAST_ENABLE(cons) ? 1 : G_028C4C_UNDER_RAST_ENABLE(cons) ? -1 : 0;
   if (G_028C4C_OVER_RAST_ENABLE(cons) && G_028C4C_UNDER_RAST_ENABLE(cons))
      model_violation(env->report, CHECK_MODEL, "inner coverage next to conservative rasterisation is not done");
}

static bool inside(const struct sc_rect *r, int x, int y)
{
   return x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
}

static void clip_quad(const struct sc *sc, struct msg_quad *q)
{
   for (unsigned i = 0; i < 4; i++) {
      unsigned in = 0;
      for (unsigned c = 0; c < 4; c++)
         in |= inside(&sc->cliprect[c], q->x + (int)(i & 1), q->y + (int)(i >> 1)) << c;
      if (!(sc->clip_rule >> in & 1))
         q->cover[i] = 0;
   }
}

void sc_send(const struct sc *sc, struct msg_quad *quads, unsigned num, const struct sc_sink *sink)
{
   unsigned left = 0;

   for (unsigned n = 0; n < num; n++) {
      struct msg_quad *q = &quads[n];
      if (!sc->aa_mask_full)
         for (unsigned i = 0; i < 4; i++)
            q->cover[i] &= sc->aa_mask[i];
      if (sc->cliprects)
         clip_quad(sc, q);
      if (!(q->cover[0] | q->cover[1] | q->cover[2] | q->cover[3]))
         continue;
      memcpy(q->input_cover, q->cover, sizeof(q->cover));
      if (left != n)
         quads[left] = *q;
      left++;
   }
   if (left)
      sink->quads(sink->ctx, quads, left);
}

void sc_rasterise(struct sc *sc, const struct msg_sc_prim *prim, const struct sc_sink *sink)
{
   const struct sc_rect *s = &sc->scissor[prim->viewport];

   if (s->x0 >= s->x1 || s->y0 >= s->y1)
      return;
   if (prim->kind == SC_LINE)
      sc_line(sc, prim, sink);
   else if (sc->stipple && prim->orig == GEOM_LINES)
      sc_stippled_polygon(sc, prim, sink);
   else
      sc_polygon(sc, prim, sink);
}
