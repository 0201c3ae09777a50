/* SPDX-License-Identifier: MIT */
/* Depth, stencil and depth bounds tests of quads, before or after the shader. */
#include "db_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "util/half_float.h"
#include <string.h>

/* What the shader exported for the pixels of one quad; all NULL before it. */
struct exports {
   const uint32_t *z, *stencil; /* per pixel */
};

static bool compare(unsigned func, int64_t a, int64_t b)
{
   switch (func) {
   case 0: return false;
   case 1: return a < b;
   case 2: return a == b;
   case 3: return a <= b;
   case 4: return a > b;
   case 5: return a != b;
   case 6: return a >= b;
   default: return true;
   }
}

/* Floats in an order that integers have too. */
static int64_t sortable(const struct db *db, uint32_t v)
{
   if (db->format != DB_Z32F)
      return v;
   return v & 0x80000000u ? -(int64_t)(v & 0x7fffffffu) : (int64_t)v;
}

static uint8_t stencil_op(unsigned op, uint8_t s, uint8_t ref, uint8_t val)
{
   switch (op) {
   case V_02842C_STENCIL_KEEP: return s;
   case V_02842C_STENCIL_ZERO: return 0;
   case V_02842C_STENCIL_ONES: return 0xff;
   case V_02842C_STENCIL_REPLACE_TEST: return ref;
   case V_02842C_STENCIL_REPLACE_OP: return val;
   case V_02842C_STENCIL_ADD_CLAMP: return s + val > 255 ? 255 : s + val;
   case V_02842C_STENCIL_SUB_CLAMP: return s < val ? 0 : s - val;
   case V_02842C_STENCIL_INVERT: return ~s;
   case V_02842C_STENCIL_ADD_WRAP: return s + val;
   case V_02842C_STENCIL_SUB_WRAP: return s - val;
   case V_02842C_STENCIL_AND: return s & val;
   case V_02842C_STENCIL_OR: return s | val;
   case V_02842C_STENCIL_XOR: return s ^ val;
   case V_02842C_STENCIL_NAND: return ~(s & val);
   case V_02842C_STENCIL_NOR: return ~(s | val);
   default: return ~(s ^ val);
   }
}

static double sample_z(const struct db *db, const struct msg_quad *q, unsigned i, unsigned s, bool per_sample)
{
   const struct msg_sc_prim *p = q->prim;
   double x = q->x + (int)(i & 1) + 0.5 - p->x0, y = q->y + (int)(i >> 1) + 0.5 - p->y0;

   if (per_sample) {
      x += db->samples->x[i][s] / 16.0;
      y += db->samples->y[i][s] / 16.0;
   }
   return geom_plane_at(&p->z, x, y);
}

/* One sample; true when it passes. */
static bool test_sample(struct db *db, const struct model_env *env, const struct msg_quad *q, unsigned i,
                        unsigned s, uint32_t slice, double z, const uint32_t *exported, const uint32_t *exported_s)
{
   const unsigned where = db->eqaa ? db->nearest[s] : s;
   const bool own = where == s; /* otherwise only tested */
   uint32_t x = q->x + (i & 1), y = q->y + (i >> 1), zbits = 0, old = 0;
   const struct db_face *f = &db->face[q->prim->front ? 0 : 1];
   uint8_t ref = f->ref, op_val = f->op_val, *st = NULL;
   void *zp = NULL;
   bool s_pass = true, z_pass = true;

   if (db->z_test || db->bounds) {
      zp = db_texel(db, env, &db->z, x, y, slice, where, db->z_write);
      if (!zp)
         return false;
      old = db_load(zp, db->z.bytes);
      if (db->format == DB_Z24)
         old &= 0xffffff;
   }
   if (db->bounds) {
      double v = db->format == DB_Z16 ? old / 65535.0 : db->format == DB_Z24 ? old / 16777215.0 : geom_uif(old);
      if (v < db->bounds_min || v > db->bounds_max)
         return false;
   }
   if (exported_s) { /* bits 7:0 for the test, 15:8 for the operation */
      if (G_02880C_STENCIL_TEST_VAL_EXPORT_ENABLE(db->shader_control))
         ref = *exported_s;
      if (G_02880C_STENCIL_OP_VAL_EXPORT_ENABLE(db->shader_control))
         op_val = *exported_s >> 8;
   }
   if (db->s_test) {
      st = db_texel(db, env, &db->s, x, y, slice, where, true);
      if (!st)
         return false;
      s_pass = compare(f->func, ref & f->mask, *st & f->mask);
   }
   if (db->z_test) {
      const double before = z;
      if (db->clamp)
         z = z < q->prim->z_min ? q->prim->z_min : z > q->prim->z_max ? q->prim->z_max : z;
      zbits = db_z_encode(db, db->z_clear ? db->z_clear_value : z);
      /* A shader's value is stored as it came, NaNs too. */
      if (exported && db->format == DB_Z32F && !db->z_clear && !(z < before || z > before))
         zbits = *exported;
      z_pass = compare(db->z_func, sortable(db, zbits), sortable(db, old));
   }
   if (st && own) {
      uint8_t v = stencil_op(!s_pass ? f->fail : z_pass ? f->zpass : f->zfail, *st, ref, op_val);
      if (db->s_clear)
         v = db->s_clear_value;
      if (f->write_mask)
         *st = (*st & ~f->write_mask) | (v & f->write_mask);
   }
   if (!s_pass || !z_pass)
      return false;
   if (db->z_write && own)
      db_store(zp, zbits, db->z.bytes);
   return true;
}

/* Nothing keeps DB from going on behind the surface's last row or column. */
static void drop_outside(const struct db *db, const struct model_env *env, struct msg_quad *q,
                         const struct surf_level *size)
{
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t x = q->x + (i & 1), y = q->y + (i >> 1);
      if (!q->cover[i] || (x < size->width && y < size->height))
         continue;
      model_violation(env->report, CHECK_SURFACE, "pixel (%d,%d) outside of the %s surface (%ux%u)", (int)x, (int)y,
                      db->z.present ? "depth" : "stencil", size->width, size->height);
      q->cover[i] = 0;
   }
}

static void test_quad(struct db *db, const struct model_env *env, struct msg_quad *q, const struct exports *ex)
{
   uint32_t slice = db->slice_start + q->prim->layer;
   bool per_sample = db->msaa && db->z_samples_log2 > 0;
   bool any_test = db->z_test || db->s_test || db->bounds;
   const unsigned bytes = (db->z_test ? db->z.bytes : 0) + (db->s_test ? db->s.bytes : 0);
   unsigned passed = 0;

   if (!any_test && !db->count && !db->convert_samples && !db->expand_z && !db->expand_s)
      return;
   if (db->z.present || db->s.present) {
      if (slice > db->slice_max) /* a layer that the view has not: the last one */
         slice = db->slice_max;
      const struct surf_level *size = &(db->z.present ? &db->z : &db->s)->layout->level[db->level];
      if (__builtin_expect((uint32_t)q->x + 1 >= size->width || (uint32_t)q->y + 1 >= size->height, 0) && any_test)
         drop_outside(db, env, q, size);
      if (any_test || db->expand_z || db->expand_s)
         db_expand_tile(db, env, q->x, q->y, slice);
   }
   for (unsigned i = 0; i < 4; i++) {
      unsigned cover = q->cover[i];

      if (db->convert_samples && cover)
         cover = (1u << (1u << db->z_samples_log2)) - 1;
      if (any_test) {
         unsigned pass = cover;
         env->stats->read[VM_DB] += (unsigned)__builtin_popcount(cover) * bytes;
         for (unsigned m = cover, s; m; m &= ~(1u << s)) {
            /* Samples without depth of their own come first: they see what was there. */
            s = db->eqaa ? 31 - __builtin_clz(m) : __builtin_ctz(m);
            double z = ex->z ? geom_uif(ex->z[i]) : db->z_test ? sample_z(db, q, i, s, per_sample) : 0;
            if (!test_sample(db, env, q, i, s, slice, z, ex->z ? &ex->z[i] : NULL,
                             ex->stencil ? &ex->stencil[i] : NULL)) {
               pass &= ~(1u << s);
               env->stats->samples_killed_z++;
            }
         }
         passed += __builtin_popcount(pass);
         cover = (db->color_on_fail ? cover & ~pass : 0) | (db->no_color_on_pass ? 0 : pass);
      } else {
         passed += __builtin_popcount(cover);
      }
      q->cover[i] = cover;
   }
   env->stats->written[VM_DB] += db->z_write ? passed * db->z.bytes : 0;
   if (db->count)
      db->zpass[((q->x >> 3) ^ (q->y >> 3)) % db->num_rb] += passed;
}

void db_early(struct db *db, const struct model_env *env, struct msg_quad *quad)
{
   test_quad(db, env, quad, &(struct exports){ 0 });
}

/* MRTZ's components: depth, stencil, sample mask, alpha; packed into fewer
 * registers by SPI_SHADER_Z_FORMAT. */
static void decode_mrtz(const struct db *db, const struct model_env *env, const struct msg_pixels *px,
                        const uint32_t **z, const uint32_t **stencil, const uint32_t **mask, const uint32_t **alpha)
{
   uint32_t sc = db->shader_control;
   bool want_z = G_02880C_Z_EXPORT_ENABLE(sc);
   bool want_s = G_02880C_STENCIL_TEST_VAL_EXPORT_ENABLE(sc) || G_02880C_STENCIL_OP_VAL_EXPORT_ENABLE(sc);
   bool want_m = G_02880C_MASK_EXPORT_ENABLE(sc), want_a = G_02880C_COVERAGE_TO_MASK_ENABLE(sc);

   *z = *stencil = *mask = *alpha = NULL;
   if (!want_z && !want_s && !want_m && !want_a)
      return;
   if (!px->mrtz) {
      model_violation(env->report, CHECK_STATE, "DB_SHADER_CONTROL 0x%x expects an MRTZ export that the shader lacks", sc);
      return;
   }
   if (db->z_format == V_028710_SPI_SHADER_UINT16_ABGR && px->mrtz_compr) {
      /* Halves: stencil in 31:16 of the first dword, mask in the low half of the second. */
      static _Thread_local uint32_t halves[64];
      if (want_z)
         model_violation(env->report, CHECK_STATE, "16-bit MRTZ export with depth");
      for (unsigned i = 0; i < 64; i++)
         halves[i] = px->mrtz[0][i] >> 16;
      *stencil = want_s ? halves : NULL;
      *mask = want_m ? px->mrtz[1] : NULL;
      return;
   }
   if (px->mrtz_compr) {
      model_violation(env->report, CHECK_STATE, "compressed MRTZ export with SPI_SHADER_Z_FORMAT %u", db->z_format);
      return;
   }
   *z = want_z ? px->mrtz[0] : NULL;
   *stencil = want_s ? px->mrtz[1] : NULL;
   *mask = want_m ? px->mrtz[2] : NULL;
   *alpha = want_a ? px->mrtz[3] : NULL;
   unsigned need = want_z | want_s << 1 | want_m << 2 | want_a << 3;
   if (need & ~px->mrtz_en)
      model_violation(env->report, CHECK_STATE, "DB_SHADER_CONTROL 0x%x expects MRTZ components 0x%x, exported are 0x%x",
                      sc, need, px->mrtz_en);
}

/* Alpha of colour 0 as a float, whatever the export format. */
static float alpha_of(const struct db *db, const struct msg_pixels *px, unsigned lane)
{
   if (!px->color[0])
      return 1;
   unsigned fmt = db->col_format & 15;
   if (px->color_compr[0]) {
      uint32_t h = px->color[0][1][lane] >> 16;
      switch (fmt) {
      case V_028714_SPI_SHADER_FP16_ABGR: return _mesa_half_to_float(h);
      case V_028714_SPI_SHADER_UNORM16_ABGR: return h / 65535.0f;
      case V_028714_SPI_SHADER_SNORM16_ABGR: return (int16_t)h / 32767.0f;
      default: return 1;
      }
   }
   return geom_uif(px->color[0][3][lane]); /* 32_AR as well: GFX9 does not pack it */
}

/* DB_ALPHA_TO_MASK: as many samples as alpha says. Offsets of a quarter sample
 * per pixel of the quad dither it, 2 for all of them rounds to nearest. Which
 * samples is not documented; dithered pixels differ even where alpha needs no
 * rounding, so the offset also says with which sample a pixel begins. */
static unsigned alpha_mask(const struct db *db, float alpha, unsigned pixel)
{
   unsigned n = db->samples->num, offset = db->alpha_to_mask >> (8 + 2 * pixel) & 3, mask;
   float a = alpha > 0 ? alpha < 1 ? alpha : 1 : 0;
   unsigned count = (unsigned)(a * n + offset / 4.0f), first = offset % n;

   mask = (1u << (count > n ? n : count)) - 1;
   return (mask << first | mask >> (n - first)) & ((1u << n) - 1);
}

void db_late(struct db *db, const struct model_env *env, const struct msg_pixels *px, uint16_t coverage[64])
{
   const uint32_t *z, *stencil, *mask, *alpha;
   bool a2m = (db->alpha_to_mask & 1) && !G_02880C_ALPHA_TO_MASK_DISABLE(db->shader_control);

   decode_mrtz(db, env, px, &z, &stencil, &mask, &alpha);
   if (db->early && !mask && !a2m) { /* only the shader's kills are left */
      for (unsigned n = 0; n < px->num_quads; n++)
         for (unsigned i = 0; i < 4; i++)
            coverage[n * 4 + i] = px->valid >> (n * 4 + i) & 1 ? px->quads[n].cover[i] : 0;
      return;
   }
   for (unsigned n = 0; n < px->num_quads; n++) {
      struct msg_quad q = px->quads[n];
      for (unsigned i = 0; i < 4; i++) {
         unsigned lane = n * 4 + i;
         if (!(px->valid >> lane & 1))
            q.cover[i] = 0;
         if (mask)
            q.cover[i] &= mask[lane];
         if (a2m && q.cover[i])
            q.cover[i] &= alpha_mask(db, alpha ? geom_uif(alpha[lane]) : alpha_of(db, px, lane), i);
      }
      if (!db->early)
         test_quad(db, env, &q, &(struct exports){ z ? z + n * 4 : NULL, stencil ? stencil + n * 4 : NULL });
      memcpy(&coverage[n * 4], q.cover, sizeof(q.cover));
   }
}

/* DB_RENDER_CONTROL.COPY_SAMPLE says which sample; with COPY_CENTROID the
 * first one at or after it that the draw covers. */
static unsigned copied_sample(const struct db *db, unsigned cover)
{
   unsigned s = G_028000_COPY_SAMPLE(db->render_control);

   if (G_028000_COPY_CENTROID(db->render_control))
      for (unsigned k = s; k < 16; k++)
         if (cover >> k & 1)
            return k;
   return s;
}

static uint32_t depth_as_float(const struct db *db, uint32_t v)
{
   switch (db->format) {
   case DB_Z16: return geom_fui(v / 65535.0f);
   case DB_Z24: return geom_fui((float)((v & 0xffffff) / 16777215.0));
   default: return v;
   }
}

void db_copy(struct db *db, const struct model_env *env, const struct msg_pixels *px, const uint16_t coverage[64],
             uint32_t color[4][64])
{
   const unsigned last = (1u << db->z_samples_log2) - 1;

   for (unsigned lane = 0; lane < 4 * px->num_quads; lane++) {
      const struct msg_quad *q = &px->quads[lane / 4];
      uint32_t x = q->x + (lane & 1), y = q->y + (lane >> 1 & 1), slice = db->slice_start + q->prim->layer;
      unsigned s = copied_sample(db, coverage[lane]);
      const void *p;

      color[0][lane] = color[1][lane] = color[2][lane] = color[3][lane] = 0;
      if (!coverage[lane])
         continue;
      slice = slice > db->slice_max ? db->slice_max : slice;
      s = s > last ? last : s;
      db_expand_tile(db, env, x, y, slice);
      if (db->copy_z && (p = db_texel(db, env, &db->z, x, y, slice, s, false)))
         color[0][lane] = depth_as_float(db, db_load(p, db->z.bytes));
      if (db->copy_s && (p = db_texel(db, env, &db->s, x, y, slice, s, false)))
         color[1][lane] = db_load(p, 1);
   }
}
