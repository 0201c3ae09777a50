/* SPDX-License-Identifier: MIT */
/* Viewport transform (VTE) and the snap to the subpixel grid (PA_SU_VTX_CNTL). */
#include "pa_internal.h"
#include "amdgfxregs.h"
#include <math.h>

/* Beyond the guard band nothing is exact; this bound keeps 64-bit edge
 * functions from overflowing. */
#define FIXED_LIMIT (1 << 28)

static int32_t snap(const struct pa *pa, double v)
{
   /* QUANT_MODE: steps in a pixel */
   static const int16_t steps[8] = { 16, 8, 4, 2, 1, 256, 1024, 4096 };
   const int n = steps[G_028BE4_QUANT_MODE(pa->vtx_cntl)], unit = GEOM_SUBPIX / n;
   double f = v * n;

   if (!(f > -FIXED_LIMIT / unit))
      return -FIXED_LIMIT;
   if (f > FIXED_LIMIT / unit)
      return FIXED_LIMIT;
   switch (G_028BE4_ROUND_MODE(pa->vtx_cntl)) {
   case 0: return (int32_t)f * unit;           /* truncate */
   case 1: return (int32_t)floor(f + 0.5) * unit;
   default: return (int32_t)lrint(f) * unit;   /* to even, to odd */
   }
}

void pa_to_window(const struct pa *pa, struct pa_vert *v)
{
   const struct pa_viewport *vp = &pa->vport[pa->out.viewport];
   double p[3];

   v->rw = G_028818_VTX_W0_FMT(pa->vte) ? 1.0 / v->pos[3] : v->pos[3];
   for (unsigned c = 0; c < 3; c++) {
      bool divided = c < 2 ? G_028818_VTX_XY_FMT(pa->vte) : G_028818_VTX_Z_FMT(pa->vte);
      p[c] = divided ? v->pos[c] : v->pos[c] * v->rw;
      if (pa->vte >> (c * 2) & 1)
         p[c] *= vp->scale[c];
      if (pa->vte >> (c * 2 + 1) & 1)
         p[c] += vp->offset[c];
   }
   /* With centres at whole numbers the grid lies half a pixel off. */
   double centre = G_028BE4_PIX_CENTER(pa->vtx_cntl) ? 0 : 0.5;
   v->x = snap(pa, p[0] + centre) + pa->window_offset[0];
   v->y = snap(pa, p[1] + centre) + pa->window_offset[1];
   v->z = p[2];
}
