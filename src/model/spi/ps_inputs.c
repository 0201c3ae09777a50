/* SPDX-License-Identifier: MIT */
/* What a pixel wave starts with: parameters of its primitives as P0, P10, P20
 * (SPI_PS_INPUT_CNTL_n, SPI_INTERP_CONTROL_0) and the VGPRs that
 * SPI_PS_INPUT_ENA asks for, at the places that SPI_PS_INPUT_ADDR gives. */
#include "spi_internal.h"
#include "amdgfxregs.h"
#include "clones.h"
#include <string.h>
#include "util/half_float.h"
#include <string.h>

/* DEFAULT_VAL: constants for parameters that no vertex shader wrote. */
static const uint32_t default_values[4][4] = {
   { 0, 0, 0, 0 },
   { 0, 0, 0, 0x3f800000 },
   { 0x3f800000, 0x3f800000, 0x3f800000, 0 },
   { 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000 },
};

static void set_const(uint32_t a[3], uint32_t value)
{
   a[0] = value;
   a[1] = a[2] = 0;
}

/* Point sprite coordinates run along the barycentrics that PA gave the point. */
static void sprite_attr(const struct spi *spi, uint32_t attr[4][3])
{
   for (unsigned c = 0; c < 4; c++) {
      switch (spi->sprite_ovrd[c]) {
      case 0: set_const(attr[c], 0); break;
      case 1: set_const(attr[c], 0x3f800000); break;
      case 2:
         attr[c][0] = 0, attr[c][1] = 0x3f800000, attr[c][2] = 0;
         break;
      case 3:
         attr[c][0] = spi->sprite_top ? 0x3f800000 : 0;
         attr[c][1] = 0;
         attr[c][2] = spi->sprite_top ? 0xbf800000 : 0x3f800000;
         break;
      default: break; /* NONE: the vertex shader's value */
      }
   }
}

/* A point has one value. At a vertex it is exactly the vertex's. */
static void at_point(const struct msg_sc_prim *p, uint32_t a[3])
{
   double v = geom_uif(a[0]) + p->point_b[0] * geom_uif(a[1]) + p->point_b[1] * geom_uif(a[2]);

   if (p->point_b[0] != 0 || p->point_b[1] != 0)
      a[0] = geom_fui((float)v);
   a[1] = a[2] = 0;
}

/* CYL_WRAP: coordinates on a cylinder, of two ways the one below one half. */
static float short_way(float d)
{
   return d > 0.5f ? d - 1 : d < -0.5f ? d + 1 : d;
}

/* A parameter of two halves a component: each half has its own P0, P10, P20. */
static void half_attr(const struct spi *spi, const struct spi_prim *p, const struct spi_input *in,
                      uint32_t attr[4][3])
{
   const struct msg_vs_out *vs = p->prim.vs;
   const uint8_t *lane = p->prim.lane;

   memset(attr, 0, 4 * sizeof(attr[0]));
   for (unsigned h = 0; h < 2; h++) {
      bool use_default = h ? in->default_hi : in->use_default, sprite = h ? in->sprite_hi : in->sprite;
      uint32_t part[4][3];

      if (!in->valid[h])
         continue;
      for (unsigned c = 0; c < 4; c++) {
         if (use_default) {
            set_const(part[c], default_values[h ? in->default_val_hi : in->default_val][c]);
            continue;
         }
         const uint32_t *v = vs->param[in->offset][c];
         float f[3];
         for (unsigned k = 0; k < 3; k++)
            f[k] = _mesa_half_to_float(v[lane[k]] >> (16 * h) & 0xffff);
         part[c][0] = geom_fui(f[0]);
         part[c][1] = geom_fui(f[1] - f[0]);
         part[c][2] = geom_fui(f[2] - f[0]);
         if (p->prim.sprite)
            at_point(&p->prim, part[c]);
      }
      if (sprite && spi->sprite_ena && p->prim.sprite)
         sprite_attr(spi, part);
      for (unsigned c = 0; c < 4; c++)
         for (unsigned k = 0; k < 3; k++)
            attr[c][k] |= (uint32_t)_mesa_float_to_half(geom_uif(part[c][k])) << (16 * h);
   }
}

void spi_build_attrs(struct spi *spi, struct spi_prim *p)
{
   const struct msg_vs_out *vs = p->prim.vs;
   const uint8_t *lane = p->prim.lane;

   for (unsigned i = 0; i < spi->num_inputs; i++) {
      const struct spi_input *in = &spi->input[i];
      uint32_t (*attr)[3] = p->attrs[i];

      if (in->use_default && !in->half) {
         for (unsigned c = 0; c < 4; c++)
            set_const(attr[c], default_values[in->default_val][c]);
      } else if (in->flat) {
         unsigned l = lane[p->prim.provoking];
         for (unsigned c = 0; c < 4; c++)
            set_const(attr[c], vs->param[in->offset][c][l]);
      } else if (in->half) {
         half_attr(spi, p, in, attr);
         continue;
      } else {
         for (unsigned c = 0; c < 4; c++) {
            const uint32_t *v = vs->param[in->offset][c];
            float v0 = geom_uif(v[lane[0]]), d1 = geom_uif(v[lane[1]]) - v0, d2 = geom_uif(v[lane[2]]) - v0;
            if (in->cyl_wrap >> c & 1) {
               d1 = short_way(d1);
               d2 = short_way(d2);
            }
            attr[c][0] = v[lane[0]];
            attr[c][1] = geom_fui(d1);
            attr[c][2] = geom_fui(d2);
            if (p->prim.sprite)
               at_point(&p->prim, attr[c]);
         }
      }
      if (in->sprite && spi->sprite_ena && p->prim.sprite)
         sprite_attr(spi, attr);
   }
   if (spi->param_gen) {
      /* PARAM_GEN: the coordinates within a point in the third and fourth component. */
      uint32_t (*attr)[3] = p->attrs[spi->num_inputs];
      for (unsigned c = 0; c < 4; c++)
         set_const(attr[c], 0);
      if (p->prim.sprite) {
         attr[2][1] = 0x3f800000;
         attr[3][2] = 0x3f800000;
      }
   }
}

enum location { AT_CENTER, AT_CENTROID, AT_SAMPLE };

/* Where in the pixel a lane evaluates, in pixels from its corner. */
static void location(const struct spi *spi, const struct msg_quad *q, unsigned i, enum location at,
                     double *x, double *y)
{
   const struct geom_samples *s = &spi->samples;
   int sample = -1;

   *x = *y = 0.5;
   if (s->num <= 1 || at == AT_CENTER)
      return;
   if (at == AT_SAMPLE) {
      if (s->ps_iter > 1)
         sample = q->iter;
   } else {
      unsigned all = (1u << s->num) - 1;
      if (q->input_cover[i] && (q->input_cover[i] & all) != all) {
         for (unsigned k = 0; k < s->num && sample < 0; k++)
            if (q->input_cover[i] >> s->centroid_order[k] & 1)
               sample = s->centroid_order[k];
      }
   }
   if (sample >= 0) {
      *x += s->x[i][sample] / 16.0;
      *y += s->y[i][sample] / 16.0;
   }
}

/* True when all lanes evaluate at their pixel's centre. */
static bool at_centres(const struct spi *spi, enum location at)
{
   return spi->samples.num <= 1 || at == AT_CENTER || (at == AT_SAMPLE && spi->samples.ps_iter <= 1);
}

/* The four pixels of a quad. */
typedef double quad_d __attribute__((vector_size(32)));
typedef float quad_f __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) void plane_at_quad(const struct geom_plane *p, const quad_d *x,
                                                                const quad_d *y, quad_d *out)
{
   *out = p->c + p->dx * *x + p->dy * *y;
}

static inline __attribute__((always_inline)) void store_quad(uint32_t *lanes, const quad_d *v)
{
   const quad_f f = __builtin_convertvector(*v, quad_f);
   memcpy(lanes, &f, sizeof(f));
}

/* Where the quad's lanes evaluate, in pixels from the primitive's origin. */
static inline __attribute__((always_inline)) void quad_places(const struct spi *spi, const struct msg_quad *quad,
                                                              enum location at, bool centres, quad_d *x, quad_d *y)
{
   const double qx = quad->x - quad->prim->x0, qy = quad->y - quad->prim->y0;

   if (centres) {
      *x = qx + (quad_d){ 0.5, 1.5, 0.5, 1.5 };
      *y = qy + (quad_d){ 0.5, 0.5, 1.5, 1.5 };
      return;
   }
   for (unsigned i = 0; i < 4; i++) {
      double lx, ly;
      location(spi, quad, i, at, &lx, &ly);
      (*x)[i] = lx + (qx + (i & 1));
      (*y)[i] = ly + (qy + (i >> 1));
   }
}

MODEL_CLONES static void persp(const struct spi *spi, struct sq_wave_init *w, unsigned v, enum location at, bool pull)
{
   const bool centres = at_centres(spi, at);

   for (unsigned q = 0; q < spi->ps->num_quads; q++) {
      const struct msg_quad *quad = &spi->ps->quad[q];
      const struct msg_sc_prim *p = quad->prim;
      quad_d x, y, pi, pj, rw;

      quad_places(spi, quad, at, centres, &x, &y);
      plane_at_quad(&p->pi, &x, &y, &pi);
      plane_at_quad(&p->pj, &x, &y, &pj);
      if (p->affine)
         rw = (quad_d){ p->rw.c, p->rw.c, p->rw.c, p->rw.c };
      else
         plane_at_quad(&p->rw, &x, &y, &rw);
      if (pull) {
         store_quad(&w->vgpr[v + 2][q * 4], &rw);
      } else {
         const quad_d scale = 1.0 / rw;
         pi *= scale;
         pj *= scale;
      }
      store_quad(&w->vgpr[v][q * 4], &pi);
      store_quad(&w->vgpr[v + 1][q * 4], &pj);
   }
}

MODEL_CLONES static void linear(const struct spi *spi, struct sq_wave_init *w, unsigned v, enum location at)
{
   const bool centres = at_centres(spi, at);

   for (unsigned q = 0; q < spi->ps->num_quads; q++) {
      const struct msg_quad *quad = &spi->ps->quad[q];
      quad_d x, y, li, lj;

      quad_places(spi, quad, at, centres, &x, &y);
      plane_at_quad(&quad->prim->li, &x, &y, &li);
      plane_at_quad(&quad->prim->lj, &x, &y, &lj);
      store_quad(&w->vgpr[v][q * 4], &li);
      store_quad(&w->vgpr[v + 1][q * 4], &lj);
   }
}

/* X, Y, Z, W of the fragment: POS_FLOAT_LOCATION 0 centre, 1 centroid, 2 sample. */
static void position(const struct spi *spi, struct sq_wave_init *w, unsigned v, unsigned chan)
{
   static const enum location where[4] = { AT_CENTER, AT_CENTROID, AT_SAMPLE, AT_CENTER };
   enum location at = where[G_0286E0_POS_FLOAT_LOCATION(spi->baryc_cntl)];
   bool ulc = G_0286E0_POS_FLOAT_ULC(spi->baryc_cntl);

   for (unsigned q = 0; q < spi->ps->num_quads; q++) {
      const struct msg_quad *quad = &spi->ps->quad[q];
      const struct msg_sc_prim *p = quad->prim;

      for (unsigned i = 0; i < 4; i++) {
         double x, y;
         float out;
         location(spi, quad, i, at, &x, &y);
         x += quad->x + (int)(i & 1);
         y += quad->y + (int)(i >> 1);
         if (chan == 0) {
            out = ulc ? quad->x + (int)(i & 1) : x;
         } else if (chan == 1) {
            out = ulc ? quad->y + (int)(i >> 1) : y;
         } else if (chan == 2) {
            out = geom_plane_at(&p->z, x - p->x0, y - p->y0);
            out = out < p->z_min ? p->z_min : out > p->z_max ? p->z_max : out;
         } else {
            out = 1.0 / (p->affine ? p->rw.c : geom_plane_at(&p->rw, x - p->x0, y - p->y0));
         }
         w->vgpr[v][q * 4 + i] = geom_fui(out);
      }
   }
}

static uint32_t misc_input(const struct spi *spi, const struct msg_quad *q, unsigned i, unsigned input)
{
   const struct msg_sc_prim *p = q->prim;

   switch (input) {
   case 12:
      if (G_0286E0_FRONT_FACE_ALL_BITS(spi->baryc_cntl))
         return p->front ? ~0u : 0;
      return p->front ? 0x3f800000 : 0xbf800000;
   case 13: /* layer, sample, 0 point 1 line 2 triangle */
      return (uint32_t)p->layer << 16 | (uint32_t)q->iter << 8 |
             (p->orig == GEOM_POINTS ? 0 : p->orig == GEOM_LINES ? 1 : 2);
   case 14:
      return q->input_cover[i];
   case 15:
      return ((uint32_t)(q->y + (i >> 1)) & 0xffff) << 16 | ((uint32_t)(q->x + (i & 1)) & 0xffff);
   default: /* line stipple: reported by spi_begin_draw */
      return 0;
   }
}

void spi_fill_ps_vgprs(struct spi *spi, struct sq_wave_init *w)
{
   static const uint8_t size[16] = { 2, 2, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
   static const enum location at[7] = {
      AT_SAMPLE, AT_CENTER, AT_CENTROID, AT_CENTER, AT_SAMPLE, AT_CENTER, AT_CENTROID,
   };
   unsigned v = 0;

   for (unsigned n = 0; n < 16; n++) {
      if (!(spi->ps_addr >> n & 1))
         continue;
      if (spi->ps_ena >> n & 1) {
         if (n < 4) {
            persp(spi, w, v, at[n], n == 3);
         } else if (n < 7) {
            linear(spi, w, v, at[n]);
         } else if (n >= 8 && n < 12) {
            position(spi, w, v, n - 8);
         } else {
            for (unsigned lane = 0; lane < spi->ps->num_quads * 4; lane++)
               w->vgpr[v][lane] = misc_input(spi, &spi->ps->quad[lane / 4], lane & 3, n);
         }
      }
      v += size[n];
   }
   w->num_vgprs = v;
}
