/* SPDX-License-Identifier: MIT */
/* Tessellation of triangles, quads and lines with integer and fractional
 * spacing, after the rules that OpenGL 4.0 (11.2.2) and Direct3D 11 share.
 * Where points lie is exact; how rings are stitched is our own choice. Points come
 * in Direct3D's order, which point mode shows: ring by ring, clockwise from the
 * corner where only v is 1, the middle last. */
#include "tessellator.h"
#include "amdgfxregs.h"
#include <math.h>

/* Points along an edge: n segments; with a fraction, two of them are short. */
struct spacing {
   unsigned n;
   unsigned half_points;   /* points up to the middle */
   unsigned split;         /* index of the point that grows out of its neighbour */
   float fraction, inv_floor, inv_ceil;
   bool odd;
};

static unsigned without_msb(unsigned v) { return v ? v & ~(1u << (31 - __builtin_clz(v))) : 0; }

static struct spacing make_spacing(unsigned partitioning, float factor, float max)
{
   struct spacing s = { 0 };

   if (partitioning == V_028B6C_PART_FRAC_ODD)
      factor = fminf(fmaxf(factor, 1), max - 1);
   else if (partitioning == V_028B6C_PART_FRAC_EVEN)
      factor = fminf(fmaxf(factor, 2), max);
   else
      factor = ceilf(fminf(fmaxf(factor, 1), max));
   if (partitioning == V_028B6C_PART_POW2)
      factor = ldexpf(1, (int)ceilf(log2f(factor)));
   s.odd = partitioning == V_028B6C_PART_FRAC_ODD ||
           (partitioning != V_028B6C_PART_FRAC_EVEN && ((unsigned)factor & 1));

   float half = factor / 2 + (s.odd ? 0.5f : 0);
   unsigned lo = (unsigned)floorf(half), hi = (unsigned)ceilf(half);
   s.fraction = half - lo;
   s.half_points = hi;
   if (lo == hi)
      s.split = hi + 1;
   else if (s.odd)
      s.split = lo == 1 ? 0 : (without_msb(lo - 1) << 1) + 1;
   else
      s.split = (without_msb(lo) << 1) + 1;
   unsigned floor_segments = lo * 2 - s.odd;
   s.n = hi * 2 - s.odd;
   s.inv_floor = 1.0f / floor_segments;
   s.inv_ceil = 1.0f / s.n;
   return s;
}

static float place(const struct spacing *s, unsigned point)
{
   bool flip = false;

   if (point >= s->half_points) {
      point = s->n - point;
      flip = true;
   }
   if (point == s->half_points && !s->odd)
      return 0.5f;
   unsigned lo = point > s->split ? point - 1 : point;
   float at = lo * s->inv_floor * (1 - s->fraction) + point * s->inv_ceil * s->fraction;
   if (s->fraction == 0)
      at = point * s->inv_floor;
   return flip ? 1 - at : at;
}

static unsigned add_point(struct tess_out *o, float u, float v)
{
   if (o->num_points == TESS_MAX_POINTS)
      return 0;
   o->u[o->num_points] = u;
   o->v[o->num_points] = v;
   return o->num_points++;
}

static void add_tri(struct tess_out *o, unsigned a, unsigned b, unsigned c)
{
   float area = (o->u[b] - o->u[a]) * (o->v[c] - o->v[a]) - (o->u[c] - o->u[a]) * (o->v[b] - o->v[a]);

   if (o->num_prims == TESS_MAX_PRIMS || area == 0)
      return;
   /* Counter-clockwise with u to the right and v upwards. */
   uint16_t *p = o->prim[o->num_prims++];
   p[0] = a;
   p[1] = area > 0 ? b : c;
   p[2] = area > 0 ? c : b;
}

/* Triangles between two rows of points that run side by side. `at` gives the
 * position along the row. */
struct row { unsigned n; uint16_t point[66]; float at[66]; };

static void stitch(struct tess_out *o, const struct row *a, const struct row *b)
{
   unsigned i = 0, j = 0;

   while (i + 1 < a->n || j + 1 < b->n) {
      bool step_a;
      if (i + 1 == a->n)
         step_a = false;
      else if (j + 1 == b->n)
         step_a = true;
      else
         step_a = a->at[i] + a->at[i + 1] <= b->at[j] + b->at[j + 1];
      if (step_a) {
         add_tri(o, a->point[i], a->point[i + 1], b->point[j]);
         i++;
      } else {
         add_tri(o, a->point[i], b->point[j + 1], b->point[j]);
         j++;
      }
   }
}

static void row_add(struct row *r, unsigned point, float at)
{
   r->point[r->n] = point;
   r->at[r->n++] = at;
}

/* A factor of 1 inside a patch with finer edges counts as just above 1. */
static float at_least_inside(unsigned partitioning, float f, bool edges_fine)
{
   if (f > 1 || !edges_fine)
      return f;
   return partitioning == V_028B6C_PART_FRAC_ODD ? 1.0001f : 2;
}

/* Point on edge e of the triangle, `t` along it, `inward` away from it. */
static unsigned tri_point(struct tess_out *o, unsigned e, float inward, float t)
{
   float c[3];

   c[e] = inward;
   c[(e + 1) % 3] = 1 - inward - (t - inward / 2);
   c[(e + 2) % 3] = t - inward / 2;
   /* On the outline both ends of an edge must come out alike from either side. */
   if (inward == 0) {
      c[(e + 1) % 3] = 1 - t;
      c[(e + 2) % 3] = t;
   }
   return add_point(o, c[0], c[1]);
}

static void tessellate_tri(const struct tess_domain *d, const float f[6], struct tess_out *o)
{
   struct spacing edge[3], in;
   bool fine = false;
   struct row outer[3];

   for (unsigned e = 0; e < 3; e++) {
      edge[e] = make_spacing(d->partitioning, f[e], d->max_level);
      fine |= edge[e].n > 1;
   }
   in = make_spacing(d->partitioning, at_least_inside(d->partitioning, f[3], fine), d->max_level);

   /* Edge e runs from the corner where coordinate e + 1 is 1 to that of e + 2. */
   for (unsigned e = 0; e < 3; e++) {
      outer[e].n = 0;
      for (unsigned i = 0; i < edge[e].n; i++) {
         float t = place(&edge[e], i);
         row_add(&outer[e], tri_point(o, e, 0, t), t);
      }
   }
   for (unsigned e = 0; e < 3; e++)
      row_add(&outer[e], outer[(e + 1) % 3].point[0], 1);
   for (unsigned ring = 1;; ring++) {
      if (in.n < 2 * ring) /* one triangle is all */
         break;
      float inward = place(&in, ring) * (2.0f / 3.0f);
      unsigned segments = in.n - 2 * ring;
      struct row inner[3];
      if (segments == 0) {
         unsigned centre = add_point(o, 1.0f / 3, 1.0f / 3);
         for (unsigned e = 0; e < 3; e++) {
            inner[e].n = 0;
            row_add(&inner[e], centre, 0.5f);
            stitch(o, &outer[e], &inner[e]);
         }
         return;
      }
      for (unsigned e = 0; e < 3; e++) {
         inner[e].n = 0;
         for (unsigned i = 0; i < segments; i++) {
            float t = place(&in, ring + i);
            row_add(&inner[e], tri_point(o, e, inward, t), t);
         }
      }
      for (unsigned e = 0; e < 3; e++)
         row_add(&inner[e], inner[(e + 1) % 3].point[0], place(&in, ring + segments));
      for (unsigned e = 0; e < 3; e++) {
         stitch(o, &outer[e], &inner[e]);
         outer[e] = inner[e];
      }
      if (segments == 1)
         break;
   }
   add_tri(o, outer[0].point[0], outer[1].point[0], outer[2].point[0]);
}

/* The grid inside a quad. */
static void quad_grid(const struct spacing in[2], uint16_t grid[66][66], struct tess_out *o)
{
   unsigned lo = 1, u1 = in[0].n - 1, v1 = in[1].n - 1;

#define GRID(u, v) grid[v][u] = add_point(o, place(&in[0], u), place(&in[1], v))
   for (; lo < u1 && lo < v1; lo++, u1--, v1--) {
      for (unsigned v = v1; v > lo; v--)
         GRID(lo, v);
      for (unsigned u = lo; u < u1; u++)
         GRID(u, lo);
      for (unsigned v = lo; v < v1; v++)
         GRID(u1, v);
      for (unsigned u = u1; u > lo; u--)
         GRID(u, v1);
   }
   /* A row is left, or one point. */
   if (lo == u1) {
      for (unsigned v = v1; v >= lo; v--)
         GRID(lo, v);
   } else if (lo == v1) {
      for (unsigned u = lo; u <= u1; u++)
         GRID(u, lo);
   }
#undef GRID
}

static void tessellate_quad(const struct tess_domain *d, const float f[6], struct tess_out *o)
{
   struct spacing edge[4], in[2];
   bool fine = false;
   uint16_t outer[4][66];

   for (unsigned e = 0; e < 4; e++) {
      edge[e] = make_spacing(d->partitioning, f[e], d->max_level);
      fine |= edge[e].n > 1;
   }
   fine |= make_spacing(d->partitioning, f[4], d->max_level).n > 1 ||
           make_spacing(d->partitioning, f[5], d->max_level).n > 1;
   for (unsigned k = 0; k < 2; k++)
      in[k] = make_spacing(d->partitioning, at_least_inside(d->partitioning, f[4 + k], fine), d->max_level);
   /* Edges: u = 0, v = 0, u = 1, v = 1. */
   for (unsigned e = 0; e < 4; e++) {
      const unsigned n = edge[e].n;
      for (unsigned k = 0; k < n; k++) {
         const unsigned i = e == 0 || e == 3 ? n - k : k;
         const float t = place(&edge[e], i);
         outer[e][i] = e & 1 ? add_point(o, t, e == 3) : add_point(o, e == 2, t);
      }
   }
   outer[0][0] = outer[1][0];
   outer[1][edge[1].n] = outer[2][0];
   outer[2][edge[2].n] = outer[3][edge[3].n];
   outer[3][0] = outer[0][edge[0].n];
   if (!fine) {
      add_tri(o, outer[1][0], outer[1][1], outer[3][1]);
      add_tri(o, outer[1][0], outer[3][1], outer[3][0]);
      return;
   }
   static _Thread_local uint16_t grid[66][66];
   quad_grid(in, grid, o);
   for (unsigned j = 1; j + 1 < in[1].n; j++) {
      for (unsigned i = 1; i + 1 < in[0].n; i++) {
         add_tri(o, grid[j][i], grid[j][i + 1], grid[j + 1][i + 1]);
         add_tri(o, grid[j][i], grid[j + 1][i + 1], grid[j + 1][i]);
      }
   }
   /* Each edge with the grid's border. */
   for (unsigned e = 0; e < 4; e++) {
      bool along_v = !(e & 1);
      const struct spacing *s = &in[along_v];
      unsigned border = e == 0 || e == 1 ? 1 : in[!along_v].n - 1;
      struct row out = { 0 }, inner = { 0 };

      for (unsigned i = 0; i <= edge[e].n; i++)
         row_add(&out, outer[e][i], place(&edge[e], i));
      for (unsigned i = 1; i < s->n; i++)
         row_add(&inner, along_v ? grid[i][border] : grid[border][i], place(s, i));
      stitch(o, &out, &inner);
   }
}

static void tessellate_lines(const struct tess_domain *d, const float f[6], struct tess_out *o)
{
   struct spacing detail = make_spacing(d->partitioning, f[0], d->max_level);
   unsigned lines = (unsigned)ceilf(fminf(fmaxf(f[1], 1), d->max_level));

   for (unsigned l = 0; l < lines; l++) {
      unsigned last = 0;
      for (unsigned i = 0; i <= detail.n; i++) {
         unsigned p = add_point(o, place(&detail, i), (float)l / lines);
         if (i && o->num_prims < TESS_MAX_PRIMS) {
            o->prim[o->num_prims][0] = last;
            o->prim[o->num_prims][2] = p; /* when the topology contradicts the domain */
            o->prim[o->num_prims++][1] = p;
         }
         last = p;
      }
   }
}

void tess_run(const struct tess_domain *d, const float f[6], struct tess_out *o)
{
   static const uint8_t outers[3] = { 2, 3, 4 };

   o->num_points = o->num_prims = 0;
   for (unsigned i = 0; i < outers[d->type]; i++)
      if (!(f[i] > 0)) /* NaN too */
         return;
   switch (d->type) {
   case V_028B6C_TESS_ISOLINE: tessellate_lines(d, f, o); break;
   case V_028B6C_TESS_TRIANGLE: tessellate_tri(d, f, o); break;
   default: tessellate_quad(d, f, o); break;
   }
   if (d->topology == V_028B6C_OUTPUT_POINT) {
      o->prim_verts = 1;
      o->num_prims = o->num_points;
      for (unsigned i = 0; i < o->num_points; i++)
         o->prim[i][0] = i;
   } else if (d->topology == V_028B6C_OUTPUT_LINE) {
      o->prim_verts = 2;
   } else {
      o->prim_verts = 3;
      if (d->topology == V_028B6C_OUTPUT_TRIANGLE_CCW) {
         for (unsigned i = 0; i < o->num_prims; i++) {
            uint16_t t = o->prim[i][1];
            o->prim[i][1] = o->prim[i][2];
            o->prim[i][2] = t;
         }
      }
   }
}
