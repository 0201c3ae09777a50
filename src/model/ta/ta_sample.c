/* SPDX-License-Identifier: MIT */
/* IMAGE_SAMPLE*, IMAGE_GATHER4*, IMAGE_GET_LOD: level of detail from quad
 * derivatives, filter choice, mip and anisotropic weighting. */
#include <math.h>
#include <string.h>
#include "ta_filter.h"

/* Addresses of one instruction, by part. */
struct parts {
   const uint32_t *offset, *bias, *zref, *lod, *clamp, *slice;
   const uint32_t *deriv[6];
   const uint32_t *coord[3];
};

/* Level of detail and anisotropy of one lane. */
struct footprint_size {
   float lod;       /* before bias and clamps */
   unsigned probes;
   float step[2];   /* along the major axis, normalised coordinates, whole length */
};

static const uint32_t zeros[64];

static void split_address(struct ta_ctx *c, const struct ta_image_op *op, const struct ta_image_info *info,
                          struct parts *p)
{
   const struct ta_tex *t = c->t;
   unsigned n = 0, body = t->dims + (t->cube ? 1 : t->dims == 3 ? 0 : op->inst->da ? 1 : 0);
   memset(p, 0, sizeof(*p));
#define NEXT() (n < op->num_addr && op->addr[n] ? op->addr[n++] : (n++, zeros))
   if (info->offset)
      p->offset = NEXT();
   if (info->bias)
      p->bias = NEXT();
   if (info->compare)
      p->zref = NEXT();
   if (info->derivs)
      for (unsigned i = 0; i < 2u * t->dims; i++)
         p->deriv[i] = NEXT();
   for (unsigned i = 0; i < t->dims; i++)
      p->coord[i] = NEXT();
   if (body > t->dims && info->kind != TA_GET_LOD)
      p->slice = NEXT();
   if (info->lod)
      p->lod = NEXT();
   if (info->clamp)
      p->clamp = NEXT();
#undef NEXT
   if (n > op->num_addr)
      model_violation(c->env->report, CHECK_INSTRUCTION, "image address needs %u registers, has %u", n,
                      op->num_addr);
}

/* From the two derivative vectors of one lane, in texels of the base level. */
static void measure(const struct ta_ctx *c, const float dx[3], const float dy[3], bool aniso, struct footprint_size *f)
{
   const struct ta_tex *t = c->t;
   const float size[3] = { ta_level_size(t->width, t->base_level), ta_level_size(t->height, t->base_level),
                           ta_level_size(t->depth, t->base_level) };
   float x2 = 0.0f, y2 = 0.0f;
   for (unsigned i = 0; i < t->dims; i++) {
      float sx = dx[i] * size[i], sy = dy[i] * size[i];
      x2 += sx * sx;
      y2 += sy * sy;
   }
   float max2 = x2 > y2 ? x2 : y2, min2 = x2 > y2 ? y2 : x2;
   f->probes = 1;
   if (!(max2 < 1e30f)) { /* overflow or NaN: the smallest level */
      f->lod = 16.0f;
      return;
   }
   f->lod = max2 > 1e-20f ? 0.5f * log2f(max2) : -16.0f;
   if (aniso && t->dims == 2 && max2 > 1.0f) {
      float max_n = (float)(1u << c->s.max_aniso_log2);
      float ratio = min2 > max2 / (max_n * max_n) ? sqrtf(max2 / min2) : max_n;
      unsigned n = (unsigned)ceilf(ratio - 1.0f / 16.0f);
      if (n > 1) {
         const float *major = x2 > y2 ? dx : dy;
         f->probes = n;
         f->lod -= log2f((float)n);
         f->step[0] = major[0];
         f->step[1] = major[1];
      }
   }
}

/* A quad across an edge of the cube: its pixels are projected onto the face
 * of the one that lies farthest inside its own face. Coordinates run from 1 to
 * 2 over a face. */
static void cube_derivatives(const struct parts *p, unsigned lane, float dx[3], float dy[3])
{
   float st[4][2], best = INFINITY;
   unsigned face[4], ref = 0;
   for (unsigned l = 0; l < 4; l++) {
      float f = fmt_u2f(p->slice[lane + l]);
      face[l] = f >= 0.0f && f < 65536.0f ? (unsigned)f & 7 : 0;
      st[l][0] = (fmt_u2f(p->coord[0][lane + l]) - 1.5f) * 2.0f;
      st[l][1] = (fmt_u2f(p->coord[1][lane + l]) - 1.5f) * 2.0f;
      float edge = fmaxf(fabsf(st[l][0]), fabsf(st[l][1]));
      if (edge < best) {
         best = edge;
         ref = face[l];
      }
   }
   for (unsigned l = 0; l < 3; l++)
      if (face[l] != ref && face[l] < 6 && ref < 6)
         ta_cube_reproject(face[l], ref, &st[l][0], &st[l][1]);
   for (unsigned i = 0; i < 2; i++) {
      dx[i] = (st[1][i] - st[0][i]) * 0.5f;
      dy[i] = (st[2][i] - st[0][i]) * 0.5f;
   }
}

static void quad_sizes(const struct ta_ctx *c, const struct parts *p, unsigned quad, bool aniso,
                       struct footprint_size f[4])
{
   unsigned dims = c->t->dims;
   float dx[3] = { 0 }, dy[3] = { 0 };
   if (p->deriv[0]) {
      for (unsigned l = 0; l < 4; l++) {
         for (unsigned i = 0; i < dims; i++) {
            dx[i] = fmt_u2f(p->deriv[i][quad * 4 + l]);
            dy[i] = fmt_u2f(p->deriv[dims + i][quad * 4 + l]);
         }
         measure(c, dx, dy, aniso, &f[l]);
      }
      return;
   }
   if (c->t->cube && p->slice) {
      cube_derivatives(p, quad * 4, dx, dy);
   } else {
      for (unsigned i = 0; i < dims; i++) {
         const uint32_t *v = p->coord[i] + quad * 4;
         dx[i] = fmt_u2f(v[1]) - fmt_u2f(v[0]);
         dy[i] = fmt_u2f(v[2]) - fmt_u2f(v[0]);
      }
   }
   measure(c, dx, dy, aniso, &f[0]);
   f[1] = f[2] = f[3] = f[0];
}

static inline float clampf(float v, float lo, float hi) { return v < lo ? lo : v > hi ? hi : v; }

/* Bias and clamps, in 1/256. */
static float final_lod(const struct ta_ctx *c, const struct parts *p, unsigned lane, float lod)
{
   const struct ta_tex *t = c->t;
   lod += c->s.bias;
   if (p->bias)
      lod += fmt_u2f(p->bias[lane]);
   lod = clampf(lod, c->s.min_lod, c->s.max_lod < c->s.min_lod ? c->s.min_lod : c->s.max_lod);
   if (p->clamp)
      lod = fmaxf(lod, fmt_u2f(p->clamp[lane]));
   lod = fmaxf(lod, t->min_lod - t->base_level);
   return rintf(lod * 256.0f) * (1.0f / 256.0f);
}

static inline int sext6(uint32_t v) { return (int32_t)(v << 26) >> 26; }

static void lane_point(const struct ta_ctx *c, const struct parts *p, unsigned lane, struct ta_point *pt)
{
   const struct ta_tex *t = c->t;
   for (unsigned i = 0; i < t->dims; i++) {
      pt->coord[i] = fmt_u2f(p->coord[i][lane]);
      if (t->cube)
         pt->coord[i] -= 1.0f; /* faces come as 1.0 .. 2.0 */
      pt->offset[i] = p->offset ? sext6(p->offset[lane] >> (8 * i)) : 0;
   }
   pt->slice = t->first_layer;
   if (p->slice && (t->array || t->cube)) {
      float f = rintf(fmt_u2f(p->slice[lane]));
      uint32_t s = f > 0.0f ? (f < 65535.0f ? (uint32_t)f : 65535u) : 0, max = t->last_layer - t->first_layer;
      if (t->cube) /* 8 * layer + face */
         s = (s >> 3) * 6 + ((s & 7) < 6 ? (s & 7) : 5);
      pt->slice += s < max ? s : max;
   }
   pt->zref = p->zref ? fmt_u2f(p->zref[lane]) : 0.0f;
   pt->compare = p->zref != NULL;
}

static void sample_probe(struct ta_ctx *c, const struct ta_point *pt, unsigned l0, unsigned l1, float w,
                         uint32_t out[4])
{
   ta_filter_level(c, pt, l0, out);
   if (l1 != l0 && w > 0.0f) {
      uint32_t b[4];
      ta_filter_level(c, pt, l1, b);
      for (unsigned i = 0; i < 4; i++) {
         float fa = fmt_u2f(out[i]), fb = fmt_u2f(b[i]);
         if (c->s.reduce) {
            out[i] = (c->s.reduce == 1 ? fb < fa : fb > fa) ? b[i] : out[i];
            continue;
         }
         out[i] = fmt_f2u(fa == fb ? fa : fa + (fb - fa) * w);
      }
   }
}

/* The levels and their weight. */
static void choose_levels(const struct ta_ctx *c, float lod, unsigned *l0, unsigned *l1, float *w)
{
   const struct ta_tex *t = c->t;
   unsigned range = t->last_level - t->base_level;
   *w = 0.0f;
   if (c->s.mip == 0 || lod <= 0.0f || range == 0) {
      *l0 = *l1 = t->base_level;
   } else if (c->s.mip == 2) {
      unsigned i = (unsigned)lod;
      *l0 = t->base_level + (i < range ? i : range);
      *l1 = t->base_level + (i + 1 < range ? i + 1 : range);
      *w = lod - (float)i;
   } else {
      unsigned i = (unsigned)(lod + 0.5f);
      *l0 = *l1 = t->base_level + (i < range ? i : range);
   }
}

static void sample_lane(struct ta_ctx *c, const struct parts *p, unsigned lane, float lod,
                        const struct footprint_size *f, uint32_t texel[4])
{
   struct ta_point pt;
   unsigned l0, l1;
   float w;
   lane_point(c, p, lane, &pt);
   unsigned xy = lod <= 0.0f ? c->s.mag : c->s.min;
   pt.linear = (xy & 1) && !c->t->fmt->is_int;
   pt.zlinear = c->s.zfilter == 2 || (c->s.zfilter == 0 && pt.linear);
   choose_levels(c, lod, &l0, &l1, &w);
   if (c->t->fmt->is_int)
      w = 0.0f;
   if (f->probes <= 1 || !(xy & 2) || c->t->fmt->is_int) {
      sample_probe(c, &pt, l0, l1, w, texel);
      return;
   }
   float sum[4] = { 0 }, u = pt.coord[0], v = pt.coord[1];
   for (unsigned k = 0; k < f->probes; k++) {
      float at = ((float)k + 0.5f) / (float)f->probes - 0.5f;
      pt.coord[0] = u + f->step[0] * at;
      pt.coord[1] = v + f->step[1] * at;
      sample_probe(c, &pt, l0, l1, w, texel);
      for (unsigned i = 0; i < 4; i++) {
         float v = fmt_u2f(texel[i]);
         if (!c->s.reduce)
            sum[i] += v;
         else if (k == 0 || (c->s.reduce == 1 ? v < sum[i] : v > sum[i]))
            sum[i] = v;
      }
   }
   for (unsigned i = 0; i < 4; i++)
      texel[i] = fmt_f2u(c->s.reduce ? sum[i] : sum[i] / (float)f->probes);
}

static void gather_lane(struct ta_ctx *c, const struct parts *p, unsigned lane, float lod, unsigned dmask,
                        uint32_t out[4])
{
   const struct ta_tex *t = c->t;
   struct ta_point pt;
   unsigned l0, l1;
   float w;
   lane_point(c, p, lane, &pt);
   choose_levels(c, lod, &l0, &l1, &w);
   unsigned chan = dmask ? __builtin_ctz(dmask) : 0, sel = t->sel[chan];
   if (sel < 4) {
      for (unsigned i = 0; i < 4; i++)
         out[i] = sel == 1 ? (t->fmt->is_int ? 1 : 0x3f800000) : 0;
      return;
   }
   ta_gather_level(c, &pt, l0, sel - 4, out);
}

void ta_sample(struct ta_ctx *c, const struct ta_image_op *op, const struct ta_image_info *info)
{
   const struct ta_tex *t = c->t;
   struct parts p;
   split_address(c, op, info, &p);
   if (op->inst->unorm)
      c->s.unnormalized = true;
   bool implicit = !info->lod && !info->lz && !c->s.unnormalized && (t->last_level > t->base_level ||
                   c->s.mag != c->s.min || info->kind == TA_GET_LOD || (c->s.mag & 2));
   bool aniso = c->s.max_aniso_log2 && ((c->s.mag | c->s.min) & 2);
   if (info->compare && t->fmt->is_int)
      model_violation(c->env->report, CHECK_DESCRIPTOR, "depth compare with an integer format");

   if (info->kind == TA_SAMPLE && !info->compare && !info->offset && ta_sample_plain(c, op, p.coord[0], p.coord[1]))
      return;
   for (unsigned q = 0; q < 16; q++) {
      unsigned lanes = op->exec >> (4 * q) & 15;
      if (!lanes)
         continue;
      struct footprint_size f[4] = { { 0, 1 }, { 0, 1 }, { 0, 1 }, { 0, 1 } };
      if (implicit)
         quad_sizes(c, &p, q, aniso, f);
      for (; lanes; lanes &= lanes - 1) {
         unsigned l = __builtin_ctz(lanes), lane = 4 * q + l;
         float raw = p.lod ? fmt_u2f(p.lod[lane]) : f[l].lod;
         float lod = info->lz || c->s.unnormalized ? 0.0f : final_lod(c, &p, lane, raw);
         uint32_t v[4], texel[4];
         if (info->kind == TA_GET_LOD) {
            float top = (float)(t->last_level - t->base_level);
            v[0] = fmt_f2u(c->s.mip == 0 ? 0.0f : clampf(c->s.mip == 1 ? rintf(lod) : lod, 0.0f, top));
            v[1] = fmt_f2u(raw + c->s.bias);
            v[2] = v[3] = 0;
            ta_write_result(c, op, lane, v, op->inst->dmask);
         } else if (info->kind == TA_GATHER) {
            gather_lane(c, &p, lane, lod, op->inst->dmask, v);
            ta_write_result(c, op, lane, v, 0xf);
         } else {
            sample_lane(c, &p, lane, lod, &f[l], texel);
            for (unsigned i = 0; i < 4; i++)
               v[i] = ta_select(t, i, texel);
            ta_write_result(c, op, lane, v, op->inst->dmask);
         }
      }
   }
}
