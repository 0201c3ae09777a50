/* SPDX-License-Identifier: MIT */
/* Buffers: kernel allocation, GPU addresses, mapping, reference counts. */
#include <stdlib.h>
#include <string.h>

#include "util/u_math.h"
#include "util/hash_table.h"
#include "private.h"

static const struct {
   uint32_t domain;
   uint64_t flags;
} heaps[HEAP_COUNT] = {
   [HEAP_VRAM_NO_CPU] = {AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_NO_CPU_ACCESS},
   [HEAP_VRAM] = {AMDGPU_GEM_DOMAIN_VRAM, AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED},
   [HEAP_GTT] = {AMDGPU_GEM_DOMAIN_GTT, 0},
   [HEAP_GTT_WC] = {AMDGPU_GEM_DOMAIN_GTT, AMDGPU_GEM_CREATE_CPU_GTT_USWC},
};

static enum heap
choose_heap(enum tgsiamd_domain domain, uint32_t flags)
{
   if (domain == TGSIAMD_VRAM)
      return flags & TGSIAMD_BO_CPU_ACCESS ? HEAP_VRAM : HEAP_VRAM_NO_CPU;
   return flags & TGSIAMD_BO_WRITE_COMBINE ? HEAP_GTT_WC : HEAP_GTT;
}

static void
account(struct bo *bo, int64_t bytes)
{
   if (bo->base.domain == TGSIAMD_VRAM)
      p_atomic_add(&bo->dev->vram_used, bytes);
   else
      p_atomic_add(&bo->dev->gtt_used, bytes);
}

bool
bo_map_va(struct bo *bo, uint64_t align)
{
   struct tgsiamd_device *dev = bo->dev;
   uint64_t va;

   if (amdgpu_va_range_alloc(dev->handle, amdgpu_gpu_va_range_general, bo->base.size,
                             MAX2(align, dev->info.gart_page_size), 0, &va, &bo->va_handle,
                             AMDGPU_VA_RANGE_HIGH))
      return false;
   if (amdgpu_bo_va_op_raw(dev->handle, bo->handle, 0, bo->base.size, va,
                           AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
                           AMDGPU_VM_PAGE_EXECUTABLE, AMDGPU_VA_OP_MAP)) {
      amdgpu_va_range_free(bo->va_handle);
      bo->va_handle = NULL;
      return false;
   }
   bo->base.va = va;
   return true;
}

struct bo *
bo_create_kernel(struct tgsiamd_device *dev, uint64_t size, uint32_t align, enum heap heap,
                 uint32_t flags)
{
   struct bo *bo = calloc(1, sizeof(*bo));
   struct amdgpu_bo_alloc_request request = {0};

   if (!bo)
      return NULL;
   size = align64(size, dev->info.gart_page_size);
   request.alloc_size = size;
   request.phys_alignment = align;
   request.preferred_heap = heaps[heap].domain;
   request.flags = heaps[heap].flags;
   if (flags & TGSIAMD_BO_ZEROED)
      request.flags |= AMDGPU_GEM_CREATE_VRAM_CLEARED;

   bo->dev = dev;
   bo->heap = heap;
   bo->align = align;
   bo->base.refs = 1;
   bo->base.size = size;
   bo->base.domain = heaps[heap].domain == AMDGPU_GEM_DOMAIN_VRAM ? TGSIAMD_VRAM : TGSIAMD_GTT;
   bo->base.flags = flags;
   list_inithead(&bo->link);

   if (amdgpu_bo_alloc(dev->handle, &request, &bo->handle)) {
      free(bo);
      return NULL;
   }
   if (!bo_map_va(bo, align) ||
       amdgpu_bo_export(bo->handle, amdgpu_bo_handle_type_kms, &bo->kms_handle)) {
      bo_destroy_kernel(bo);
      return NULL;
   }
   account(bo, size);
   return bo;
}

void
bo_destroy_kernel(struct bo *bo)
{
   if (bo->va_handle) {
      amdgpu_bo_va_op_raw(bo->dev->handle, bo->handle, 0, bo->base.size, bo->base.va, 0,
                          AMDGPU_VA_OP_UNMAP);
      amdgpu_va_range_free(bo->va_handle);
      if (!bo->shared && !bo->user_pointer && bo->kms_handle)
         account(bo, -(int64_t)bo->base.size);
   }
   if (bo->map && !bo->user_pointer)
      amdgpu_bo_cpu_unmap(bo->handle);
   amdgpu_bo_free(bo->handle);
   free(bo);
}

bool
bo_is_idle(struct bo *bo)
{
   return seq_wait(bo->dev, bo->last_use, 0);
}

struct tgsiamd_bo *
tgsiamd_bo_create(struct tgsiamd_device *dev, uint64_t size, uint32_t align,
                  enum tgsiamd_domain domain, uint32_t flags)
{
   enum heap heap = choose_heap(domain, flags);
   bool private_bo = flags & (TGSIAMD_BO_SHAREABLE | TGSIAMD_BO_ZEROED);
   struct bo *bo = NULL;

   size = MAX2(size, 1);
   align = MAX2(align, 1);
   if (!private_bo && !(flags & TGSIAMD_BO_NO_SUBALLOC) && MAX2(size, align) <= 1u << SLAB_MAX_LOG2) {
      bo = slab_take(dev, MAX2(size, align), heap, flags);
      if (bo)
         return &bo->base;
   }
   size = align64(size, dev->info.gart_page_size);
   if (!private_bo)
      bo = cache_take(dev, size, align, heap);
   if (!bo)
      bo = bo_create_kernel(dev, size, align, heap, flags);
   if (!bo) {
      /* The cache may hold what is missing. */
      cache_clear(dev);
      bo = bo_create_kernel(dev, size, align, heap, flags);
   }
   if (!bo)
      return NULL;
   bo->base.flags = flags;
   if ((flags & TGSIAMD_BO_ZEROED) && domain == TGSIAMD_GTT) {
      void *map = tgsiamd_bo_map(&bo->base);
      if (map)
         memset(map, 0, bo->base.size);
   }
   return &bo->base;
}

static void
bo_release(struct bo *bo)
{
   if (bo->parent) {
      slab_put(bo);
      return;
   }
   if (bo->shared) {
      /* An import may find it in the table until the lock is held. */
      simple_mtx_lock(&bo->dev->share_lock);
      if (p_atomic_read(&bo->base.refs) > 0) {
         simple_mtx_unlock(&bo->dev->share_lock);
         return;
      }
      _mesa_hash_table_remove_key(bo->dev->shared, bo->handle);
      simple_mtx_unlock(&bo->dev->share_lock);
      bo_destroy_kernel(bo);
      return;
   }
   if (bo->user_pointer || (bo->base.flags & TGSIAMD_BO_SHAREABLE) || !cache_put(bo))
      bo_destroy_kernel(bo);
}

void
tgsiamd_bo_reference(struct tgsiamd_bo **dst, struct tgsiamd_bo *src)
{
   struct tgsiamd_bo *old = *dst;

   if (old == src)
      return;
   if (src)
      p_atomic_inc(&src->refs);
   *dst = src;
   if (old && p_atomic_dec_zero(&old->refs))
      bo_release(to_bo(old));
}

void *
tgsiamd_bo_map(struct tgsiamd_bo *public_bo)
{
   struct bo *bo = to_bo(public_bo), *backing = bo_backing(bo);
   void *map = p_atomic_read(&backing->map);

   if (!map) {
      simple_mtx_lock(&bo->dev->map_lock);
      if (!backing->map && !amdgpu_bo_cpu_map(backing->handle, &map))
         p_atomic_set(&backing->map, map);
      map = backing->map;
      simple_mtx_unlock(&bo->dev->map_lock);
   }
   return map ? (char *)map + (bo->base.va - backing->base.va) : NULL;
}

bool
tgsiamd_bo_wait(struct tgsiamd_bo *public_bo, uint64_t timeout_ns, uint32_t usage)
{
   struct bo *bo = to_bo(public_bo);
   uint64_t seq;

   simple_mtx_lock(&bo->dev->submit_lock);
   seq = usage & TGSIAMD_WRITE ? bo->last_use : bo->last_write;
   simple_mtx_unlock(&bo->dev->submit_lock);
   if (!seq_wait(bo->dev, seq, timeout_ns))
      return false;
   if (bo->shared) {
      bool busy = true;
      /* Other processes' work is only known to the kernel. */
      return !amdgpu_bo_wait_for_idle(bo->handle, timeout_ns, &busy) && !busy;
   }
   return true;
}
