/* SPDX-License-Identifier: MIT */
/* Tells the cache checks which parts of which surfaces a draw renders to. */
#include "cache/cache.h"
#include "cb_internal.h"

void cb_note(const struct cb *cb, const struct model_env *env, bool written)
{
   if (!env->cache || cb->mode == CB_DISABLE)
      return;
   for (unsigned i = 0; i < cb->num; i++) {
      const struct cb_target *t = &cb->t[i];
      if (!t->bound || (!t->enabled && cb->mode == CB_NORMAL))
         continue;
      const bool volume = t->l->desc.resource_type == 2;
      const struct cache_part part = { .base = t->base, .size = t->l->size, .level0 = (uint16_t)t->level,
                                       .level1 = (uint16_t)t->level, .slice0 = volume ? 0 : (uint16_t)t->slice_start,
                                       .slice1 = volume ? UINT16_MAX : (uint16_t)t->slice_max };
      /* L2 holds metadata by itself, and multisampled pixels beside the CB. */
      if (written) {
         cache_write(env->cache, CACHE_CB, &part,
                     (t->dcc || t->cmask ? CACHE_INV_META : 0) | (t->samples_log2 ? CACHE_INV_L2 : 0));
      } else {
         cache_bind(env->cache, &part);
         cache_read(env->cache, env->report, CACHE_RB, &part);
      }
   }
}
