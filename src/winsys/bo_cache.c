/* SPDX-License-Identifier: MIT */
/* Idle-buffer cache: a freed kernel buffer is kept for a while and handed out
 * again when size, alignment and heap fit and the GPU is done with it. */
#include <stdlib.h>

#include "util/os_time.h"
#include "util/u_math.h"
#include "private.h"

#define KEEP_US (500 * 1000)

void
cache_init(struct tgsiamd_device *dev)
{
   simple_mtx_init(&dev->cache_lock, mtx_plain);
   for (unsigned i = 0; i < HEAP_COUNT; i++)
      list_inithead(&dev->cache[i]);
}

static uint64_t
cache_limit(const struct tgsiamd_device *dev)
{
   return ((uint64_t)dev->info.vram_size_kb + dev->info.gart_size_kb) * 1024 / 8;
}

static void
drop(struct bo *bo)
{
   list_del(&bo->link);
   bo->dev->cache_bytes -= bo->base.size;
   bo_destroy_kernel(bo);
}

static void
drop_old(struct tgsiamd_device *dev, int64_t now)
{
   for (unsigned i = 0; i < HEAP_COUNT; i++) {
      list_for_each_entry_safe(struct bo, bo, &dev->cache[i], link) {
         if (now - bo->cached_at < KEEP_US)
            break;
         drop(bo);
      }
   }
}

struct bo *
cache_take(struct tgsiamd_device *dev, uint64_t size, uint32_t align, enum heap heap)
{
   struct bo *found = NULL;
   unsigned busy = 0;

   simple_mtx_lock(&dev->cache_lock);
   list_for_each_entry(struct bo, bo, &dev->cache[heap], link) {
      /* At most a quarter of the buffer may be wasted. */
      if (bo->base.size < size || bo->base.size > size + size / 3 ||
          (bo->base.va & (align - 1)))
         continue;
      if (bo_is_idle(bo)) {
         found = bo;
         break;
      }
      /* Oldest first: what follows was freed later and is hardly done sooner. */
      if (++busy == 4)
         break;
   }
   if (found) {
      list_del(&found->link);
      dev->cache_bytes -= found->base.size;
      found->base.refs = 1;
   }
   simple_mtx_unlock(&dev->cache_lock);
   return found;
}

bool
cache_put(struct bo *bo)
{
   struct tgsiamd_device *dev = bo->dev;
   bool kept = false;

   simple_mtx_lock(&dev->cache_lock);
   bo->cached_at = os_time_get();
   drop_old(dev, bo->cached_at);
   if (dev->cache_bytes + bo->base.size <= cache_limit(dev)) {
      list_addtail(&bo->link, &dev->cache[bo->heap]);
      dev->cache_bytes += bo->base.size;
      kept = true;
   }
   simple_mtx_unlock(&dev->cache_lock);
   return kept;
}

void
cache_clear(struct tgsiamd_device *dev)
{
   simple_mtx_lock(&dev->cache_lock);
   for (unsigned i = 0; i < HEAP_COUNT; i++) {
      list_for_each_entry_safe(struct bo, bo, &dev->cache[i], link)
         drop(bo);
   }
   simple_mtx_unlock(&dev->cache_lock);
}
