/* SPDX-License-Identifier: MIT */
/* What the files of the winsys share. */
#ifndef TGSIAMD_WINSYS_PRIVATE_H
#define TGSIAMD_WINSYS_PRIVATE_H

#include <amdgpu.h>
#include <amdgpu_drm.h>

#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"

#include "tgsiamd/winsys.h"

struct hash_table;

/* Slab entries have sizes 256 << n; a slab is one kernel buffer. */
#define SLAB_MIN_LOG2  8
#define SLAB_MAX_LOG2  15
#define SLAB_ORDERS    (SLAB_MAX_LOG2 - SLAB_MIN_LOG2 + 1)
#define SLAB_SIZE      (256 * 1024)

/* Buffers that may stand for each other: same domain, same mapping type. */
enum heap { HEAP_VRAM_NO_CPU, HEAP_VRAM, HEAP_GTT, HEAP_GTT_WC, HEAP_COUNT };

struct bo {
   struct tgsiamd_bo base; /* first: the public pointer is cast */
   struct tgsiamd_device *dev;
   enum heap heap;
   uint32_t align;
   /* Sequence numbers of the last submissions, under dev->submit_lock. */
   uint64_t last_use, last_write;

   /* Slab entries */
   struct bo *parent;    /* the kernel buffer that holds this one, or NULL */
   struct slab *slab;
   struct list_head link; /* in the slab's free list, the reclaim list or a cache list */

   /* Kernel buffers */
   amdgpu_bo_handle handle;
   amdgpu_va_handle va_handle;
   uint32_t kms_handle;
   uint64_t listed_in;   /* dev->num_submits when it was last put on the kernel's list */
   void *map;            /* under dev->map_lock until set, then constant */
   bool shared, user_pointer;
   int64_t cached_at;    /* microseconds */
};

struct slab {
   struct bo *backing;
   struct bo *entries;
   uint32_t num_entries, num_free, order;
   struct list_head free;
   struct list_head link; /* in dev->slabs while it has free entries */
};

/* A kernel context and the sequence numbers it hands out. After a reset the
 * next stream starts another one; what came before is over. */
struct timeline {
   amdgpu_context_handle ctx;
   uint64_t base;                      /* the device's number of the kernel's number 0 */
   uint32_t user_fence_offset;
   volatile uint64_t *user_fence_map;  /* the GPU stores finished kernel numbers here */
   bool lost;                          /* a submission was refused */
   struct timeline *older;
};

struct tgsiamd_device {
   int refs;
   struct list_head link; /* in the list of open devices */
   amdgpu_device_handle handle;
   struct timeline *timeline;          /* the present one; it never changes once it is here */
   struct radeon_info info;
   int fd;

   simple_mtx_t map_lock;
   simple_mtx_t cache_lock;
   struct list_head cache[HEAP_COUNT]; /* idle and soon idle buffers, oldest first */
   uint64_t cache_bytes;
   simple_mtx_t slab_lock;
   struct list_head slabs[HEAP_COUNT][SLAB_ORDERS];
   struct list_head reclaim;           /* freed slab entries that may be busy */
   simple_mtx_t share_lock;
   struct hash_table *shared;          /* amdgpu_bo_handle -> struct bo */

   simple_mtx_t submit_lock;
   uint64_t last_seq;                  /* of the newest submission */
   uint64_t num_submits;               /* tried, the present one included */
   struct bo *user_fence;              /* a slot for each timeline */
   uint64_t finished;                  /* highest sequence number known to be done */

   uint64_t vram_used, gtt_used;
};

/* The present timeline, a new one when the GPU was reset. */
struct timeline *timeline_renew(struct tgsiamd_device *dev);
enum tgsiamd_reset timeline_reset_status(struct timeline *timeline);

struct tgsiamd_fence {
   int refs;
   struct tgsiamd_device *dev;
   uint64_t seq;       /* 0 when it is a syncobj */
   uint32_t syncobj;
   bool signalled;
};

static inline struct bo *to_bo(struct tgsiamd_bo *bo) { return (struct bo *)bo; }
static inline struct bo *bo_backing(struct bo *bo) { return bo->parent ? bo->parent : bo; }

/* bo.c */
struct bo *bo_create_kernel(struct tgsiamd_device *dev, uint64_t size, uint32_t align,
                            enum heap heap, uint32_t flags);
void bo_destroy_kernel(struct bo *bo);
bool bo_is_idle(struct bo *bo);
/* Gives `bo` an address range and maps it there. */
bool bo_map_va(struct bo *bo, uint64_t align);

/* bo_cache.c */
void cache_init(struct tgsiamd_device *dev);
struct bo *cache_take(struct tgsiamd_device *dev, uint64_t size, uint32_t align, enum heap heap);
bool cache_put(struct bo *bo);
void cache_clear(struct tgsiamd_device *dev);

/* bo_slab.c */
void slabs_init(struct tgsiamd_device *dev);
struct bo *slab_take(struct tgsiamd_device *dev, uint64_t size, enum heap heap, uint32_t flags);
void slab_put(struct bo *bo);
void slabs_finish(struct tgsiamd_device *dev);

/* fence.c */
/* Whether submission `seq` is done within timeout_ns. */
bool seq_wait(struct tgsiamd_device *dev, uint64_t seq, uint64_t timeout_ns);
struct tgsiamd_fence *fence_create_seq(struct tgsiamd_device *dev, uint64_t seq);

#endif
