/* SPDX-License-Identifier: MIT */
/* Set-up of lines and points, also those of polygon modes. A line without
 * multisampling goes to SC as a line; with it, as a rectangle around the line.
 * PA_SU_LINE_CNTL, PA_SU_POINT_SIZE, PA_SU_POINT_MINMAX. */
#include "pa_internal.h"
#include "amdgfxregs.h"
#include <math.h>

static void constant(struct geom_plane *p, double v)
{
   p->c = v;
   p->dx = p->dy = 0;
}

/* Runs from v0 to v1 along (dx, dy), the same everywhere across it. */
static void along(struct geom_plane *p, double v0, double v1, double dx, double dy)
{
   double r = (v1 - v0) / (dx * dx + dy * dy);

   p->c = v0;
   p->dx = r * dx;
   p->dy = r * dy;
}

void pa_setup_line(struct pa *pa, const struct pa_vert *a, const struct pa_vert *b, double z_offset)
{
   struct msg_sc_prim p = pa->out;
   const double s = 1.0 / GEOM_SUBPIX;
   double dx = (b->x - a->x) * s, dy = (b->y - a->y) * s;

   if (dx == 0 && dy == 0)
      return;
   p.x0 = a->x * s;
   p.y0 = a->y * s;
   along(&p.z, a->z + z_offset, b->z + z_offset, dx, dy);
   along(&p.rw, a->rw, b->rw, dx, dy);
   along(&p.pi, a->b1 * a->rw, b->b1 * b->rw, dx, dy);
   along(&p.pj, a->b2 * a->rw, b->b2 * b->rw, dx, dy);
   along(&p.li, a->l1, b->l1, dx, dy);
   along(&p.lj, a->l2, b->l2, dx, dy);
   p.affine = a->rw == b->rw;
   p.orig = GEOM_LINES;
   p.line_width = pa->line_width;
   p.serial = ++pa->serial;
   if (pa->msaa) {
      double len = sqrt(dx * dx + dy * dy), h = pa->line_width * 0.5 * GEOM_SUBPIX;
      double ux = -dy / len, uy = dx / len;
      int32_t nx, ny;

      if (!G_028BDC_PERPENDICULAR_ENDCAP_ENA(pa->line_cntl)) {
         /* The ends run along the shorter axis; EXPAND_LINE_WIDTH keeps the
          * width across the line. */
         bool x_major = fabs(dx) >= fabs(dy);
         double expand = G_028BDC_EXPAND_LINE_WIDTH(pa->line_cntl) ? len / fmax(fabs(dx), fabs(dy)) : 1;
         ux = x_major ? 0 : expand;
         uy = x_major ? expand : 0;
      }
      nx = lrint(ux * h);
      ny = lrint(uy * h);
      p.kind = SC_POLYGON;
      p.num_verts = 4;
      p.x[0] = a->x + nx, p.y[0] = a->y + ny;
      p.x[1] = a->x - nx, p.y[1] = a->y - ny;
      p.x[2] = b->x - nx, p.y[2] = b->y - ny;
      p.x[3] = b->x + nx, p.y[3] = b->y + ny;
   } else {
      p.kind = SC_LINE;
      p.num_verts = 2;
      p.x[0] = a->x, p.y[0] = a->y;
      p.x[1] = b->x, p.y[1] = b->y;
   }
   pa_emit(pa, &p);
}

void pa_setup_point(struct pa *pa, const struct pa_vert *v, double z_offset)
{
   struct msg_sc_prim p = pa->out;
   double w = pa->point_size[0], h = pa->point_size[1];

   if (G_02881C_USE_VTX_POINT_SIZE(pa->vs_out))
      w = h = v->psize * 0.5; /* the shader exports a diameter */
   w = fmin(fmax(w, pa->point_min), pa->point_max);
   h = fmin(fmax(h, pa->point_min), pa->point_max);
   int32_t hx = lrint(w * GEOM_SUBPIX), hy = lrint(h * GEOM_SUBPIX);
   if (hx <= 0 || hy <= 0)
      return;

   p.kind = SC_POLYGON;
   p.num_verts = 4;
   p.x[0] = p.x[3] = v->x - hx;
   p.x[1] = p.x[2] = v->x + hx;
   p.y[0] = p.y[1] = v->y - hy;
   p.y[2] = p.y[3] = v->y + hy;
   p.x0 = (double)p.x[0] / GEOM_SUBPIX;
   p.y0 = (double)p.y[0] / GEOM_SUBPIX;
   constant(&p.z, v->z + z_offset);
   constant(&p.rw, v->rw);
   p.affine = true;
   p.orig = GEOM_POINTS;
   p.sprite = true;
   p.point_b[0] = v->b1;
   p.point_b[1] = v->b2;
   p.pi = (struct geom_plane){ 0, v->rw * GEOM_SUBPIX / (2.0 * hx), 0 };
   p.pj = (struct geom_plane){ 0, 0, v->rw * GEOM_SUBPIX / (2.0 * hy) };
   p.li = (struct geom_plane){ 0, GEOM_SUBPIX / (2.0 * hx), 0 };
   p.lj = (struct geom_plane){ 0, 0, GEOM_SUBPIX / (2.0 * hy) };
   p.serial = ++pa->serial;
   pa_emit(pa, &p);
}
