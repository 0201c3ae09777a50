/* SPDX-License-Identifier: MIT */
/* Depth and stencil in memory: surfaces, formats, HTILE.
 * DB_Z_INFO, DB_STENCIL_INFO, DB_*_INFO2, DB_DEPTH_VIEW, DB_HTILE_SURFACE.
 *
 * The model never compresses: a tile is either fast-cleared (HTILE says so) or
 * plain, and it is made plain when it is first touched. */
#include "db_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include "vm/vm.h"
#include <math.h>
#include <string.h>

/* HTILE of a plain tile: depth range open, stencil results unknown. */
#define HTILE_PLAIN_Z    0xfffc000fu  /* layout without stencil */
#define HTILE_PLAIN_ZS_Z 0xfffff00fu  /* the depth part with stencil */
#define HTILE_ZS_Z_MASK  0xfffffc0fu
#define HTILE_PLAIN_ZS_S 0x00000300u
#define HTILE_ZS_S_MASK  0x000003f0u
#define HTILE_ZMASK(w)   ((w) & 15)
#define HTILE_SMEM(w)    ((w) >> 8 & 3)

static void open_plane(struct db_plane *p, const struct model_env *env, const char *name)
{
   uint64_t avail = 0;

   p->layout = surf_layout_get(env->addrlib, &p->desc);
   if (!p->layout) {
      model_violation(env->report, CHECK_STATE, "%s surface: no layout for swizzle mode %u, %ux%u",
                      name, p->desc.swizzle_mode, p->desc.width, p->desc.height);
      p->present = false;
      return;
   }
   p->host = vm_probe(env->vm, VM_DB, p->base, true, &avail);
   p->host_size = p->host ? avail : 0;
   if (p->host && avail < surf_size(p->layout))
      model_violation(env->report, CHECK_SURFACE, "%s surface at 0x%llx has %llu bytes, its buffer ends after %llu",
                      name, (unsigned long long)p->base, (unsigned long long)surf_size(p->layout),
                      (unsigned long long)avail);
}

static void describe(struct db_plane *p, const struct regs *r, unsigned bytes_log2, unsigned swizzle,
                     unsigned epitch, unsigned samples_log2, unsigned levels, unsigned slices)
{
   uint32_t size = reg_ctx(r, R_02801C_DB_DEPTH_SIZE);

   memset(&p->desc, 0, sizeof(p->desc));
   p->bytes = 1u << bytes_log2;
   p->desc.swizzle_mode = swizzle;
   p->desc.bytes_log2 = bytes_log2;
   p->desc.samples_log2 = samples_log2;
   p->desc.resource_type = 1;
   p->desc.num_levels = levels;
   p->desc.is_depth = true;
   p->desc.width = G_02801C_X_MAX(size) + 1;
   p->desc.height = G_02801C_Y_MAX(size) + 1;
   p->desc.depth = slices;
   p->desc.epitch = epitch;
}

void db_memory_begin(struct db *db, const struct model_env *env)
{
   const struct regs *r = env->regs;
   uint32_t zi = reg_ctx(r, R_028038_DB_Z_INFO), si = reg_ctx(r, R_02803C_DB_STENCIL_INFO);
   uint32_t view = reg_ctx(r, R_028008_DB_DEPTH_VIEW), hs = reg_ctx(r, R_028ABC_DB_HTILE_SURFACE);
   static const uint8_t bytes_log2[4] = { 0, 1, 2, 2 };
   unsigned levels = G_028038_MAXMIP(zi) + 1, samples = G_028038_NUM_SAMPLES(zi);

   db->format = G_028038_FORMAT(zi);
   db->level = G_028008_MIPID(view);
   db->slice_start = G_028008_SLICE_START(view);
   db->slice_max = G_028008_SLICE_MAX(view);
   db->z.present = db->format != DB_Z_NONE;
   db->s.present = G_02803C_FORMAT(si);
   db->tile_valid = false;
   if (db->z.present) {
      db->z.base = (uint64_t)(reg_ctx(r, R_028054_DB_Z_WRITE_BASE_HI) & 0xff) << 40 |
                   (uint64_t)reg_ctx(r, R_028050_DB_Z_WRITE_BASE) << 8;
      describe(&db->z, r, bytes_log2[db->format], G_028038_SW_MODE(zi),
               G_028068_EPITCH(reg_ctx(r, R_028068_DB_Z_INFO2)), samples, levels, db->slice_max + 1);
      open_plane(&db->z, env, "depth");
   }
   if (db->s.present) {
      db->s.base = (uint64_t)(reg_ctx(r, R_02805C_DB_STENCIL_WRITE_BASE_HI) & 0xff) << 40 |
                   (uint64_t)reg_ctx(r, R_028058_DB_STENCIL_WRITE_BASE) << 8;
      describe(&db->s, r, 0, G_02803C_SW_MODE(si), G_028068_EPITCH(reg_ctx(r, R_02806C_DB_STENCIL_INFO2)),
               samples, levels, db->slice_max + 1);
      open_plane(&db->s, env, "stencil");
   }
   db->htile = G_028038_TILE_SURFACE_ENABLE(zi) && (db->z.present || db->s.present);
   db->htile_stencil = db->htile && !G_02803C_TILE_STENCIL_DISABLE(si);
   db->htile_base = (uint64_t)(reg_ctx(r, R_028018_DB_HTILE_DATA_BASE_HI) & 0xff) << 40 |
                    (uint64_t)reg_ctx(r, R_028014_DB_HTILE_DATA_BASE) << 8;
   db->expand_z = G_028000_DEPTH_COMPRESS_DISABLE(db->render_control);
   db->expand_s = G_028000_STENCIL_COMPRESS_DISABLE(db->render_control);
   db->z_clear_value = reg_ctx_f(r, R_02802C_DB_DEPTH_CLEAR);
   db->s_clear_value = reg_ctx(r, R_028028_DB_STENCIL_CLEAR) & 0xff;
   db->htile_meta = NULL;
   if (db->htile) {
      db->htile_meta = surf_meta_get(env->addrlib, SURF_META_HTILE, db->z.present ? &db->z.desc : &db->s.desc,
                                     G_028ABC_PIPE_ALIGNED(hs), G_028ABC_RB_ALIGNED(hs));
      if (!db->htile_meta) {
         model_violation(env->report, CHECK_STATE, "HTILE of a surface with swizzle mode %u has no layout",
                         db->z.desc.swizzle_mode);
         db->htile = false;
      }
   }
}

uint32_t db_z_encode(const struct db *db, double z)
{
   switch (db->format) {
   case DB_Z16:
      z = z > 0 ? z < 1 ? z : 1 : 0;
      return (uint32_t)lrint(z * 65535.0);
   case DB_Z24:
      z = z > 0 ? z < 1 ? z : 1 : 0;
      return (uint32_t)lrint(z * 16777215.0);
   default: return geom_fui((float)z);
   }
}

static void fill_tile(struct db *db, const struct model_env *env, struct db_plane *p, uint32_t x, uint32_t y,
                      uint32_t slice, uint32_t value)
{
   uint32_t w = p->desc.width >> db->level, h = p->desc.height >> db->level;
   unsigned samples = 1u << p->desc.samples_log2;

   w = w ? w : 1;
   h = h ? h : 1;
   for (uint32_t j = y; j < y + 8 && j < h; j++) {
      for (uint32_t i = x; i < x + 8 && i < w; i++) {
         for (unsigned s = 0; s < samples; s++) {
            void *d = db_texel(db, env, p, i, j, slice, s, true);
            if (!d)
               return;
            db_store(d, value, p->bytes);
         }
      }
   }
}

void db_expand_tile(struct db *db, const struct model_env *env, uint32_t x, uint32_t y, uint32_t slice)
{
   uint32_t word, now;

   x &= ~7u;
   y &= ~7u;
   if (!db->htile || (db->tile_valid && db->tile_x == x && db->tile_y == y && db->tile_slice == slice))
      return;
   db->tile_valid = true;
   db->tile_x = x;
   db->tile_y = y;
   db->tile_slice = slice;
   uint64_t va = surf_meta_va(db->htile_meta, db->htile_base, db->level, x, y, slice, 0);
   uint32_t *h = vm_ptr(env->vm, VM_DB, va, 4, true);
   if (!h)
      return;
   word = now = *h;
   if (db->z.present && HTILE_ZMASK(word) != 15) {
      if (HTILE_ZMASK(word) != 0)
         model_violation(env->report, CHECK_MODEL, "HTILE 0x%08x at 0x%llx: a compressed tile", word,
                         (unsigned long long)va);
      fill_tile(db, env, &db->z, x, y, slice, db_z_encode(db, db->z_clear_value));
      now = db->htile_stencil ? (now & ~HTILE_ZS_Z_MASK) | HTILE_PLAIN_ZS_Z : HTILE_PLAIN_Z;
   }
   if (db->s.present && db->htile_stencil && HTILE_SMEM(word) != 3) {
      if (HTILE_SMEM(word) != 0)
         model_violation(env->report, CHECK_MODEL, "HTILE 0x%08x at 0x%llx: a compressed stencil tile", word,
                         (unsigned long long)va);
      fill_tile(db, env, &db->s, x, y, slice, db->s_clear_value);
      now = (now & ~HTILE_ZS_S_MASK) | HTILE_PLAIN_ZS_S;
   }
   if (now != word)
      *h = now;
}
