/* SPDX-License-Identifier: MIT */
/* Buffers that cross a process or API border: dma-buf, flink, KMS handles,
 * process memory, and the metadata that travels with them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/hash_table.h"
#include "util/u_math.h"
#include "private.h"

int
tgsiamd_bo_export(struct tgsiamd_bo *public_bo, enum tgsiamd_handle type, uint32_t *out)
{
   struct bo *bo = to_bo(public_bo);
   struct tgsiamd_device *dev = bo->dev;
   enum amdgpu_bo_handle_type kernel_type;
   int r;

   if (bo->parent || bo->user_pointer)
      return -EINVAL;
   switch (type) {
   case TGSIAMD_HANDLE_DMABUF:
      kernel_type = amdgpu_bo_handle_type_dma_buf_fd;
      break;
   case TGSIAMD_HANDLE_FLINK:
      kernel_type = amdgpu_bo_handle_type_gem_flink_name;
      break;
   case TGSIAMD_HANDLE_KMS:
      /* Stays in the process, but someone else now uses the memory. */
      kernel_type = amdgpu_bo_handle_type_kms;
      break;
   default:
      return -EINVAL;
   }
   r = amdgpu_bo_export(bo->handle, kernel_type, out);
   if (r)
      return r;
   simple_mtx_lock(&dev->share_lock);
   if (!bo->shared) {
      _mesa_hash_table_insert(dev->shared, bo->handle, bo);
      p_atomic_add(bo->base.domain == TGSIAMD_VRAM ? &dev->vram_used : &dev->gtt_used,
                   -(int64_t)bo->base.size);
      bo->shared = true;
   }
   simple_mtx_unlock(&dev->share_lock);
   return 0;
}

static struct bo *
wrap_import(struct tgsiamd_device *dev, const struct amdgpu_bo_import_result *result)
{
   struct amdgpu_bo_info info;
   struct bo *bo = calloc(1, sizeof(*bo));

   if (!bo)
      return NULL;
   bo->dev = dev;
   bo->handle = result->buf_handle;
   bo->shared = true;
   bo->base.refs = 1;
   bo->base.size = result->alloc_size;
   list_inithead(&bo->link);
   if (amdgpu_bo_query_info(bo->handle, &info) ||
       !bo_map_va(bo, MAX2(info.phys_alignment, 65536)) ||
       amdgpu_bo_export(bo->handle, amdgpu_bo_handle_type_kms, &bo->kms_handle)) {
      bo_destroy_kernel(bo);
      return NULL;
   }
   bo->base.domain = info.preferred_heap & AMDGPU_GEM_DOMAIN_VRAM ? TGSIAMD_VRAM : TGSIAMD_GTT;
   bo->base.flags = TGSIAMD_BO_SHAREABLE | TGSIAMD_BO_CPU_ACCESS;
   return bo;
}

struct tgsiamd_bo *
tgsiamd_bo_import(struct tgsiamd_device *dev, enum tgsiamd_handle type, uint32_t handle)
{
   struct amdgpu_bo_import_result result = {0};
   struct hash_entry *entry;
   struct bo *bo = NULL;
   enum amdgpu_bo_handle_type kernel_type;

   switch (type) {
   case TGSIAMD_HANDLE_DMABUF:
      kernel_type = amdgpu_bo_handle_type_dma_buf_fd;
      break;
   case TGSIAMD_HANDLE_FLINK:
      kernel_type = amdgpu_bo_handle_type_gem_flink_name;
      break;
   default:
      return NULL; /* a KMS handle has no meaning for libdrm's own fd */
   }
   simple_mtx_lock(&dev->share_lock);
   if (!amdgpu_bo_import(dev->handle, kernel_type, handle, &result)) {
      entry = _mesa_hash_table_search(dev->shared, result.buf_handle);
      if (entry) {
         bo = entry->data;
         p_atomic_inc(&bo->base.refs);
         amdgpu_bo_free(result.buf_handle); /* libdrm counted the import */
      } else {
         bo = wrap_import(dev, &result);
         if (bo)
            _mesa_hash_table_insert(dev->shared, bo->handle, bo);
      }
   }
   simple_mtx_unlock(&dev->share_lock);
   return bo ? &bo->base : NULL;
}

struct tgsiamd_bo *
tgsiamd_bo_from_pointer(struct tgsiamd_device *dev, void *pointer, uint64_t size)
{
   struct bo *bo = calloc(1, sizeof(*bo));

   if (!bo)
      return NULL;
   bo->dev = dev;
   bo->heap = HEAP_GTT;
   bo->user_pointer = true;
   bo->map = pointer;
   bo->base.refs = 1;
   bo->base.domain = TGSIAMD_GTT;
   bo->base.flags = TGSIAMD_BO_CPU_ACCESS | TGSIAMD_BO_NO_SUBALLOC;
   bo->base.size = align64(size, dev->info.gart_page_size);
   list_inithead(&bo->link);
   if (amdgpu_create_bo_from_user_mem(dev->handle, pointer, bo->base.size, &bo->handle)) {
      free(bo);
      return NULL;
   }
   if (!bo_map_va(bo, dev->info.gart_page_size) ||
       amdgpu_bo_export(bo->handle, amdgpu_bo_handle_type_kms, &bo->kms_handle)) {
      bo_destroy_kernel(bo);
      return NULL;
   }
   return &bo->base;
}

bool
tgsiamd_bo_set_metadata(struct tgsiamd_bo *public_bo, const struct tgsiamd_bo_metadata *md)
{
   struct amdgpu_bo_metadata kernel = {.tiling_info = md->tiling, .size_metadata = md->size};

   memcpy(kernel.umd_metadata, md->umd, sizeof(md->umd));
   return !amdgpu_bo_set_metadata(bo_backing(to_bo(public_bo))->handle, &kernel);
}

bool
tgsiamd_bo_get_metadata(struct tgsiamd_bo *public_bo, struct tgsiamd_bo_metadata *md)
{
   struct amdgpu_bo_info info = {0};

   if (amdgpu_bo_query_info(bo_backing(to_bo(public_bo))->handle, &info))
      return false;
   md->tiling = info.metadata.tiling_info;
   md->size = info.metadata.size_metadata;
   memcpy(md->umd, info.metadata.umd_metadata, sizeof(md->umd));
   return true;
}
