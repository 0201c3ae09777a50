/* SPDX-License-Identifier: MIT */
/* Set-up of polygons: facing and culling, polygon mode, polygon offset, planes.
 * PA_SU_SC_MODE_CNTL, PA_SU_POLY_OFFSET_*. */
#include "pa_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include <math.h>
#include <string.h>

static void plane(struct geom_plane *p, double v0, double v1, double v2, const double d[4], double rdet)
{
   double a = v1 - v0, b = v2 - v0;

   p->c = v0;
   p->dx = (a * d[3] - b * d[1]) * rdet;
   p->dy = (b * d[0] - a * d[2]) * rdet;
}

/* All planes of the triangle a b c. False: it has no area. */
static bool planes(struct msg_sc_prim *out, const struct pa_vert *a, const struct pa_vert *b,
                   const struct pa_vert *c)
{
   const double s = 1.0 / GEOM_SUBPIX;
   const double d[4] = { (b->x - a->x) * s, (b->y - a->y) * s, (c->x - a->x) * s, (c->y - a->y) * s };
   double det = d[0] * d[3] - d[2] * d[1];

   if (det == 0)
      return false;
   double r = 1.0 / det;
   out->x0 = a->x * s;
   out->y0 = a->y * s;
   plane(&out->z, a->z, b->z, c->z, d, r);
   plane(&out->rw, a->rw, b->rw, c->rw, d, r);
   plane(&out->pi, a->b1 * a->rw, b->b1 * b->rw, c->b1 * c->rw, d, r);
   plane(&out->pj, a->b2 * a->rw, b->b2 * b->rw, c->b2 * c->rw, d, r);
   plane(&out->li, a->l1, b->l1, c->l1, d, r);
   plane(&out->lj, a->l2, b->l2, c->l2, d, r);
   out->affine = a->rw == b->rw && a->rw == c->rw;
   return true;
}

static double polygon_offset(const struct pa *pa, const struct geom_plane *z, const struct pa_vert *v,
                             unsigned n, bool front)
{
   unsigned side = !front;
   double m = fmax(fabs(z->dx), fabs(z->dy)), r;

   if (!(front ? G_028814_POLY_OFFSET_FRONT_ENABLE(pa->mode) : G_028814_POLY_OFFSET_BACK_ENABLE(pa->mode)))
      return 0;
   if (pa->db_float) {
      double max = 0;
      int e = 0;
      for (unsigned i = 0; i < n; i++)
         max = fmax(max, fabs(v[i].z));
      if (max > 0)
         frexp(max, &e);
      r = ldexp(1.0, e - 1 + pa->db_bits);
   } else {
      r = ldexp(1.0, pa->db_bits);
   }
   /* The slope's unit is 1/16 pixel. */
   double o = m * pa->offset_scale[side] / 16.0 + r * pa->offset_units[side];
   if (pa->offset_clamp > 0)
      o = fmin(o, pa->offset_clamp);
   else if (pa->offset_clamp < 0)
      o = fmax(o, pa->offset_clamp);
   return o;
}

static void fill(struct pa *pa, const struct pa_vert *v, unsigned n, double z_offset)
{
   for (unsigned i = 1; i + 1 < n; i++) {
      struct msg_sc_prim p = pa->out;
      const struct pa_vert *t[3] = { &v[0], &v[i], &v[i + 1] };

      if (!planes(&p, t[0], t[1], t[2]))
         continue;
      p.kind = SC_POLYGON;
      p.num_verts = 3;
      for (unsigned k = 0; k < 3; k++) {
         p.x[k] = t[k]->x;
         p.y[k] = t[k]->y;
      }
      p.z.c += z_offset;
      p.serial = ++pa->serial;
      pa_emit(pa, &p);
   }
}

/* Conservative rasterisation draws triangles without area, too: as the rules of
 * VK_EXT_conservative_rasterization describe this chip, they face back and are
 * the provoking vertex everywhere. */
static void degenerate(struct pa *pa, const struct pa_vert *v, unsigned n)
{
   struct msg_sc_prim p = pa->out;
   const struct pa_vert *from = &v[n == 3 ? pa->src->provoking : 0];
   const double b1 = pa->src->provoking == 1, b2 = pa->src->provoking == 2;

   if (G_028814_CULL_BACK(pa->mode) || G_028814_POLY_MODE(pa->mode) == 1)
      return;
   p.front = false;
   p.kind = SC_POLYGON;
   p.affine = true;
   p.x0 = p.y0 = 0;
   p.z = (struct geom_plane){ from->z, 0, 0 };
   p.rw = (struct geom_plane){ from->rw, 0, 0 };
   p.pi = (struct geom_plane){ b1 * from->rw, 0, 0 };
   p.pj = (struct geom_plane){ b2 * from->rw, 0, 0 };
   p.li = (struct geom_plane){ b1, 0, 0 };
   p.lj = (struct geom_plane){ b2, 0, 0 };
   p.num_verts = 3;
   for (unsigned i = 1; i + 1 < n; i++) {
      p.x[0] = v[0].x, p.x[1] = v[i].x, p.x[2] = v[i + 1].x;
      p.y[0] = v[0].y, p.y[1] = v[i].y, p.y[2] = v[i + 1].y;
      p.serial = ++pa->serial;
      pa_emit(pa, &p);
   }
}

void pa_setup_polygon(struct pa *pa, struct pa_vert *v, unsigned n)
{
   int64_t area = 0;

   for (unsigned i = 1; i + 1 < n; i++)
      area += (int64_t)(v[i].x - v[0].x) * (v[i + 1].y - v[0].y) -
              (int64_t)(v[i + 1].x - v[0].x) * (v[i].y - v[0].y);
   if (area == 0) {
      if (pa->over_rast)
         degenerate(pa, v, n);
      return;
   }
   /* y runs downwards: negative is counter-clockwise, front when FACE is 0. */
   bool front = (area < 0) != G_028814_FACE(pa->mode);
   if (front ? G_028814_CULL_FRONT(pa->mode) : G_028814_CULL_BACK(pa->mode))
      return;
   pa->out.front = front;

   /* Slope of the polygon from its first part with an area. */
   struct msg_sc_prim p = pa->out;
   for (unsigned i = 1; i + 1 < n && !planes(&p, &v[0], &v[i], &v[i + 1]); i++)
      ;
   double z_offset = polygon_offset(pa, &p.z, v, n, front);

   unsigned ptype = 2;
   if (G_028814_POLY_MODE(pa->mode) == 1)
      ptype = front ? G_028814_POLYMODE_FRONT_PTYPE(pa->mode) : G_028814_POLYMODE_BACK_PTYPE(pa->mode);
   if (ptype == 2) {
      fill(pa, v, n, z_offset);
      return;
   }
   for (unsigned i = 0; i < n; i++) {
      if (!v[i].edge)
         continue;
      if (ptype == 1)
         pa_setup_line(pa, &v[i], &v[(i + 1) % n], z_offset);
      else
         pa_setup_point(pa, &v[i], z_offset);
      pa->out.stipple_start = false; /* stipple goes on around the polygon */
   }
}

/* Three corners of a rectangle whose sides are parallel to the axes. */
void pa_setup_rect(struct pa *pa, struct pa_vert v[3])
{
   struct msg_sc_prim p = pa->out;
   int32_t x0 = v[0].x, x1 = v[0].x, y0 = v[0].y, y1 = v[0].y;

   for (unsigned i = 1; i < 3; i++) {
      x0 = v[i].x < x0 ? v[i].x : x0;
      x1 = v[i].x > x1 ? v[i].x : x1;
      y0 = v[i].y < y0 ? v[i].y : y0;
      y1 = v[i].y > y1 ? v[i].y : y1;
   }
   for (unsigned i = 0; i < 3; i++) {
      if ((v[i].x != x0 && v[i].x != x1) || (v[i].y != y0 && v[i].y != y1)) {
         model_violation(pa->env->report, CHECK_STATE, "RECTLIST whose sides are not parallel to the axes");
         return;
      }
   }
   if (!planes(&p, &v[0], &v[1], &v[2]))
      return;
   p.kind = SC_POLYGON;
   p.num_verts = 4;
   p.x[0] = p.x[3] = x0;
   p.x[1] = p.x[2] = x1;
   p.y[0] = p.y[1] = y0;
   p.y[2] = p.y[3] = y1;
   p.serial = ++pa->serial;
   pa_emit(pa, &p);
}
