/* SPDX-License-Identifier: MIT */
/* Tells the cache checks which parts of depth and stencil a draw renders to. */
#include "cache/cache.h"
#include "db_internal.h"

static void note(const struct db *db, const struct model_env *env, const struct db_plane *p, bool written)
{
   const struct cache_part part = { .base = p->base, .size = surf_size(p->layout), .level0 = (uint16_t)db->level,
                                    .level1 = (uint16_t)db->level, .slice0 = (uint16_t)db->slice_start,
                                    .slice1 = (uint16_t)db->slice_max };
   /* L2 holds HTILE by itself, and stencil and multisampled depth beside the DB. */
   if (written) {
      cache_write(env->cache, CACHE_DB, &part,
                  (db->htile ? CACHE_INV_META : 0) |
                  (p == &db->s || p->desc.samples_log2 ? CACHE_INV_L2 : 0));
   } else {
      cache_bind(env->cache, &part);
      cache_read(env->cache, env->report, CACHE_RB, &part);
   }
}

void db_note(const struct db *db, const struct model_env *env, bool written)
{
   if (!env->cache)
      return;
   if (db->z.present && db->z.layout && (!written || db->z_write || db->z_clear))
      note(db, env, &db->z, written);
   if (db->s.present && db->s.layout && (!written || db->s_test || db->s_clear))
      note(db, env, &db->s, written);
}
