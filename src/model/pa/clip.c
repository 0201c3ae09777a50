/* SPDX-License-Identifier: MIT */
/* Clipping in homogeneous coordinates: near and far plane, guard band
 * (PA_CL_GB_*), user planes and clip distances. */
#include "pa_internal.h"
#include "amdgfxregs.h"
#include <string.h>

#define PLANE_W     0
#define PLANE_NEAR  1
#define PLANE_FAR   2
#define PLANE_XMIN  3
#define PLANE_XMAX  4
#define PLANE_YMIN  5
#define PLANE_YMAX  6
#define PLANE_DIST0 7
#define NUM_PLANES  (PLANE_DIST0 + 14)

#define W_MIN 1e-30

static double distance(const struct pa *pa, unsigned plane, const struct pa_vert *v)
{
   double x = v->pos[0], y = v->pos[1], z = v->pos[2], w = v->pos[3];

   switch (plane) {
   case PLANE_W: return w - W_MIN;
   case PLANE_NEAR: return G_028810_DX_CLIP_SPACE_DEF(pa->clip) ? z : z + w;
   case PLANE_FAR: return w - z;
   case PLANE_XMIN: return w * pa->gb_clip[0] + x;
   case PLANE_XMAX: return w * pa->gb_clip[0] - x;
   case PLANE_YMIN: return w * pa->gb_clip[1] + y;
   case PLANE_YMAX: return w * pa->gb_clip[1] - y;
   default: return v->dist[plane - PLANE_DIST0];
   }
}

static unsigned enabled_planes(const struct pa *pa)
{
   unsigned mask = 1u << PLANE_W | 0xfu << PLANE_XMIN | pa->dist_mask << PLANE_DIST0;

   if (!G_028810_ZCLIP_NEAR_DISABLE(pa->clip))
      mask |= 1u << PLANE_NEAR;
   if (!G_028810_ZCLIP_FAR_DISABLE(pa->clip))
      mask |= 1u << PLANE_FAR;
   return mask;
}

/* Planes that v is outside of. */
static unsigned outcode(const struct pa *pa, unsigned planes, const struct pa_vert *v)
{
   unsigned code = 0;

   for (unsigned p = 0; p < NUM_PLANES; p++)
      if (planes >> p & 1 && !(distance(pa, p, v) >= 0))
         code |= 1u << p;
   return code;
}

bool pa_reject(const struct pa *pa, const struct pa_vert *v, unsigned n)
{
   unsigned all = 15;

   for (unsigned i = 0; i < n; i++) {
      double w = v[i].pos[3], dx = w * pa->gb_disc[0], dy = w * pa->gb_disc[1];
      unsigned code = (v[i].pos[0] < -dx) | (v[i].pos[0] > dx) << 1 | (v[i].pos[1] < -dy) << 2 |
                      (v[i].pos[1] > dy) << 3;
      all &= code;
   }
   return all;
}

bool pa_point_inside(const struct pa *pa, const struct pa_vert *v)
{
   /* Clip distances do not clip points, cull distances do; fixed planes cull them. */
   unsigned planes = enabled_planes(pa) & ~(0xffu << (PLANE_DIST0 + 6));

   return outcode(pa, planes, v) == 0;
}

void pa_interpolate(struct pa_vert *r, const struct pa_vert *a, const struct pa_vert *b, double t)
{
   for (unsigned c = 0; c < 4; c++)
      r->pos[c] = a->pos[c] + t * (b->pos[c] - a->pos[c]);
   for (unsigned i = 0; i < 14; i++)
      r->dist[i] = a->dist[i] + t * (b->dist[i] - a->dist[i]);
   r->b1 = a->b1 + t * (b->b1 - a->b1);
   r->b2 = a->b2 + t * (b->b2 - a->b2);
   /* How far the point is along the projected edge (DX_LINEAR_ATTR_CLIP_ENA). */
   double s = r->pos[3] != 0 ? t * b->pos[3] / r->pos[3] : t;
   r->l1 = a->l1 + s * (b->l1 - a->l1);
   r->l2 = a->l2 + s * (b->l2 - a->l2);
   r->psize = a->psize;
}

unsigned pa_clip_line(const struct pa *pa, struct pa_vert v[2])
{
   unsigned planes = enabled_planes(pa);
   unsigned c0 = outcode(pa, planes, &v[0]), c1 = outcode(pa, planes, &v[1]);
   double t0 = 0, t1 = 1;

   if (c0 & c1)
      return 0;
   if (!(c0 | c1))
      return 2;
   for (unsigned p = 0; p < NUM_PLANES; p++) {
      if (!((c0 | c1) >> p & 1))
         continue;
      double d0 = distance(pa, p, &v[0]), d1 = distance(pa, p, &v[1]), t = d0 / (d0 - d1);
      if (d0 < 0)
         t0 = t > t0 ? t : t0;
      else
         t1 = t < t1 ? t : t1;
   }
   if (t0 >= t1)
      return 0;
   struct pa_vert a = v[0], b = v[1];
   if (t0 > 0)
      pa_interpolate(&v[0], &a, &b, t0);
   if (t1 < 1)
      pa_interpolate(&v[1], &a, &b, t1);
   pa->env->stats->prims_clipped++;
   return 2;
}

/* Sutherland and Hodgman for one plane. BOUNDARY_EDGE_FLAG_ENA makes a new edge
 * along the plane an edge of the polygon. */
static unsigned clip_one(const struct pa *pa, unsigned plane, const struct pa_vert *in, unsigned n,
                         struct pa_vert *out)
{
   unsigned m = 0;

   for (unsigned i = 0; i < n; i++) {
      const struct pa_vert *a = &in[i], *b = &in[(i + 1) % n];
      double da = distance(pa, plane, a), db = distance(pa, plane, b);
      bool ia = da >= 0, ib = db >= 0;

      if (ia)
         out[m++] = *a;
      if (ia != ib) {
         /* From inside to outside always, so that both triangles at an edge
          * find the same point. */
         if (ia)
            pa_interpolate(&out[m], a, b, da / (da - db));
         else
            pa_interpolate(&out[m], b, a, db / (db - da));
         out[m].edge = ia ? G_028810_BOUNDARY_EDGE_FLAG_ENA(pa->clip) : a->edge;
         m++;
      }
   }
   return m;
}

unsigned pa_clip_polygon(const struct pa *pa, struct pa_vert *v, unsigned n)
{
   unsigned planes = enabled_planes(pa), any = 0, all = ~0u;
   struct pa_vert tmp[PA_MAX_VERTS];

   for (unsigned i = 0; i < n; i++) {
      unsigned code = outcode(pa, planes, &v[i]);
      any |= code;
      all &= code;
   }
   if (all)
      return 0;
   if (!any)
      return n;
   pa->env->stats->prims_clipped++;
   for (unsigned p = 0; p < NUM_PLANES && n >= 3; p++) {
      if (!(any >> p & 1))
         continue;
      n = clip_one(pa, p, v, n, tmp);
      memcpy(v, tmp, n * sizeof(*v));
   }
   return n >= 3 ? n : 0;
}
