/* SPDX-License-Identifier: MIT */
/* Tells the cache checks which parts of depth and stencil a draw renders to. */
#include "cache/cache.h"
#include "db_internal.h"

static void note(const struct db *db, const struct model_env *env, const struct db_plane *p, bool written)
{
   const struct cache_part part = { .base = p->base, .size = surf_size(p->layout), .level0 = (uint16_t)db->level,
                                    .level1 = (uint16_t)db->level, .slice0 = (uint16_t)db->slice_start,
                                    .slice1 = (uint16_t)db->slice_max };
   if (written)
      cache_write(env->cache, CACHE_DB, &part);
   else
      cache_bind(env->cache, &part);
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
