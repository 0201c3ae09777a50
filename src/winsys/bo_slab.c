/* SPDX-License-Identifier: MIT */
/* Slab sub-allocation: small buffers are equal parts of a larger kernel
 * buffer. Each keeps its own busy state, so it is reused by itself. */
#include <stdlib.h>

#include "util/u_math.h"
#include "private.h"

void
slabs_init(struct tgsiamd_device *dev)
{
   simple_mtx_init(&dev->slab_lock, mtx_plain);
   list_inithead(&dev->reclaim);
   for (unsigned h = 0; h < HEAP_COUNT; h++) {
      for (unsigned o = 0; o < SLAB_ORDERS; o++)
         list_inithead(&dev->slabs[h][o]);
   }
}

static struct slab *
slab_create(struct tgsiamd_device *dev, enum heap heap, unsigned order)
{
   struct slab *slab = calloc(1, sizeof(*slab));
   uint32_t entry_size = 1u << (order + SLAB_MIN_LOG2);

   if (!slab)
      return NULL;
   slab->order = order;
   slab->num_entries = slab->num_free = SLAB_SIZE / entry_size;
   slab->entries = calloc(slab->num_entries, sizeof(*slab->entries));
   slab->backing = cache_take(dev, SLAB_SIZE, SLAB_SIZE, heap);
   if (!slab->backing)
      slab->backing = bo_create_kernel(dev, SLAB_SIZE, SLAB_SIZE, heap, 0);
   if (!slab->entries || !slab->backing) {
      if (slab->backing)
         bo_destroy_kernel(slab->backing);
      free(slab->entries);
      free(slab);
      return NULL;
   }
   list_inithead(&slab->free);
   for (unsigned i = 0; i < slab->num_entries; i++) {
      struct bo *bo = &slab->entries[i];

      bo->dev = dev;
      bo->heap = heap;
      bo->align = entry_size;
      bo->parent = slab->backing;
      bo->slab = slab;
      bo->base.va = slab->backing->base.va + (uint64_t)i * entry_size;
      bo->base.size = entry_size;
      bo->base.domain = slab->backing->base.domain;
      list_addtail(&bo->link, &slab->free);
   }
   list_add(&slab->link, &dev->slabs[heap][order]);
   return slab;
}

static void
slab_destroy(struct slab *slab)
{
   struct bo *backing = slab->backing;

   list_del(&slab->link);
   if (!cache_put(backing))
      bo_destroy_kernel(backing);
   free(slab->entries);
   free(slab);
}

static void
reclaim_entry(struct bo *bo)
{
   struct slab *slab = bo->slab;

   list_del(&bo->link);
   list_add(&bo->link, &slab->free);
   if (slab->num_free++ == 0)
      list_addtail(&slab->link, &bo->dev->slabs[bo->heap][slab->order]);
   if (slab->num_free == slab->num_entries) {
      /* Keep one whole slab of each kind against thrashing. */
      struct list_head *list = &bo->dev->slabs[bo->heap][slab->order];
      if (list->next != list->prev) {
         uint64_t last_use = 0;
         for (unsigned i = 0; i < slab->num_entries; i++)
            last_use = MAX2(last_use, slab->entries[i].last_use);
         slab->backing->last_use = last_use;
         slab_destroy(slab);
      }
   }
}

static void
reclaim_idle(struct tgsiamd_device *dev)
{
   list_for_each_entry_safe(struct bo, bo, &dev->reclaim, link) {
      if (!bo_is_idle(bo))
         break;
      reclaim_entry(bo);
   }
}

struct bo *
slab_take(struct tgsiamd_device *dev, uint64_t size, enum heap heap, uint32_t flags)
{
   unsigned order = MAX2(util_logbase2_ceil64(size), SLAB_MIN_LOG2) - SLAB_MIN_LOG2;
   struct list_head *list = &dev->slabs[heap][order];
   struct bo *bo = NULL;
   struct slab *slab;

   simple_mtx_lock(&dev->slab_lock);
   if (list_is_empty(list))
      reclaim_idle(dev);
   if (list_is_empty(list))
      slab_create(dev, heap, order);
   if (!list_is_empty(list)) {
      slab = list_first_entry(list, struct slab, link);
      bo = list_first_entry(&slab->free, struct bo, link);
      list_del(&bo->link);
      if (--slab->num_free == 0)
         list_delinit(&slab->link);
      bo->base.refs = 1;
      bo->base.flags = flags;
   }
   simple_mtx_unlock(&dev->slab_lock);
   return bo;
}

void
slab_put(struct bo *bo)
{
   struct tgsiamd_device *dev = bo->dev;

   simple_mtx_lock(&dev->slab_lock);
   list_addtail(&bo->link, &dev->reclaim);
   simple_mtx_unlock(&dev->slab_lock);
}

void
slabs_finish(struct tgsiamd_device *dev)
{
   list_for_each_entry_safe(struct bo, bo, &dev->reclaim, link)
      reclaim_entry(bo);
   for (unsigned h = 0; h < HEAP_COUNT; h++) {
      for (unsigned o = 0; o < SLAB_ORDERS; o++) {
         list_for_each_entry_safe(struct slab, slab, &dev->slabs[h][o], link)
            slab_destroy(slab);
      }
   }
   simple_mtx_destroy(&dev->slab_lock);
}
