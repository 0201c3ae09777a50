/* SPDX-License-Identifier: MIT */
/* What the files of surf share: the lock around addrlib and the cache. */
#ifndef MODEL_SURF_INTERNAL_H
#define MODEL_SURF_INTERNAL_H

#include <pthread.h>
#include "addrlib/inc/addrinterface.h"
#include "surf.h"

struct surf_lib; /* per ADDR_HANDLE: patterns, layouts, metadata */

/* addrlib caches equations without locks of its own. */
extern pthread_mutex_t surf_lock;

/* The cache of a handle; call with surf_lock held. */
struct surf_lib *surf_lib_of(void *addrlib);

#define SURF_HASH 1024
struct surf_meta_node { struct surf_meta *meta; struct surf_meta_node *next; };
struct surf_lib {
   void *addrlib;
   unsigned pipes_log2;      /* NUM_PIPES of GB_ADDR_CONFIG */
   struct surf_lib *next;
   struct surf_pattern_node *patterns;
   struct surf_layout_node *layouts[SURF_HASH];
   struct surf_meta_node *metas[SURF_HASH];
};

static inline uint32_t surf_hash(const void *data, size_t size, uint32_t seed)
{
   const uint8_t *p = data;
   uint32_t h = 2166136261u ^ seed;
   for (size_t i = 0; i < size; i++)
      h = (h ^ p[i]) * 16777619u;
   return h ^ (h >> 15);
}

void surf_meta_free_all(struct surf_lib *lib);
ADDR2_SURFACE_FLAGS surf_flags(const struct surf_desc *d);
/* False for what GFX9's addressing does not have. */
bool surf_desc_valid(const struct surf_desc *d);
/* Copies field by field, so that padding is zero and the copy can be hashed. */
struct surf_desc surf_desc_key(const struct surf_desc *d);

#endif
