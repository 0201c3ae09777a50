/* SPDX-License-Identifier: MIT */
/* amdgpu buffer ioctls: create, map, metadata, placement, user pointers. */
#define _GNU_SOURCE
#include "shim.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/amdgpu_drm.h>

#define CREATE_FLAGS                                                                       \
   (AMDGPU_GEM_CREATE_CPU_ACCESS_REQUIRED | AMDGPU_GEM_CREATE_NO_CPU_ACCESS |              \
    AMDGPU_GEM_CREATE_CPU_GTT_USWC | AMDGPU_GEM_CREATE_VRAM_CLEARED |                      \
    AMDGPU_GEM_CREATE_VM_ALWAYS_VALID | AMDGPU_GEM_CREATE_EXPLICIT_SYNC |                  \
    AMDGPU_GEM_CREATE_ENCRYPTED | AMDGPU_GEM_CREATE_PREEMPTIBLE | (1u << 12))
#define DOMAINS_ON_CHIP (AMDGPU_GEM_DOMAIN_GDS | AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA)

int ioctl_gem_create(struct shim_file *file, void *arg)
{
   union drm_amdgpu_gem_create *c = arg;
   const struct drm_amdgpu_gem_create_in in = c->in;
   struct shim_bo *bo = NULL;
   uint32_t handle = 0;
   if (in.domain_flags & ~(uint64_t)CREATE_FLAGS)
      return -EINVAL;
   if (!in.domains || (in.domains & ~(uint64_t)AMDGPU_GEM_DOMAIN_MASK) || !in.bo_size)
      return -EINVAL;
   if ((in.domains & DOMAINS_ON_CHIP) && (in.domain_flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID))
      return -EINVAL;
   if (in.bo_size > UINT64_MAX - SHIM_PAGE)
      return -EINVAL;
   if (in.bo_size > 1ull << (SHIM_MMAP_SHIFT - 1))
      return -ENOMEM;
   pthread_mutex_lock(&shim_lock);
   int r = bo_create(in.bo_size, in.alignment, in.domains, in.domain_flags, &bo);
   if (r == 0 && (r = file_add_bo(file, bo, &handle)) != 0)
      bo_unref(bo);
   pthread_mutex_unlock(&shim_lock);
   if (r == 0) {
      memset(c, 0, sizeof(*c));
      c->out.handle = handle;
   }
   return r;
}

int ioctl_gem_mmap(struct shim_file *file, void *arg)
{
   union drm_amdgpu_gem_mmap *m = arg;
   const uint32_t handle = m->in.handle;
   int r = 0;
   pthread_mutex_lock(&shim_lock);
   struct shim_bo *bo = file_bo(file, handle);
   if (!bo)
      r = -ENOENT;
   else if (bo->userptr || bo->fd < 0 || (bo->meta->flags & AMDGPU_GEM_CREATE_NO_CPU_ACCESS))
      r = -EPERM;
   else
      m->out.addr_ptr = (uint64_t)handle << SHIM_MMAP_SHIFT;
   pthread_mutex_unlock(&shim_lock);
   return r;
}

int ioctl_gem_metadata(struct shim_file *file, void *arg)
{
   struct drm_amdgpu_gem_metadata *m = arg;
   int r = 0;
   pthread_mutex_lock(&shim_lock);
   struct shim_bo *bo = file_bo(file, m->handle);
   if (!bo) {
      r = -ENOENT;
   } else if (m->op == AMDGPU_GEM_METADATA_OP_GET_METADATA) {
      m->data.flags = bo->meta->umd_flags;
      m->data.tiling_info = bo->meta->tiling_info;
      m->data.data_size_bytes = bo->meta->umd_size;
      memcpy(m->data.data, bo->meta->umd, sizeof(m->data.data));
   } else if (m->op == AMDGPU_GEM_METADATA_OP_SET_METADATA) {
      if (m->data.data_size_bytes > sizeof(m->data.data)) {
         r = -EINVAL;
      } else {
         bo->meta->tiling_info = m->data.tiling_info;
         bo->meta->umd_flags = m->data.flags;
         bo->meta->umd_size = m->data.data_size_bytes;
         memcpy(bo->meta->umd, m->data.data, m->data.data_size_bytes);
      }
   } else {
      r = -EINVAL;
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

int ioctl_gem_op(struct shim_file *file, void *arg)
{
   struct drm_amdgpu_gem_op *op = arg;
   int r = 0;
   pthread_mutex_lock(&shim_lock);
   struct shim_bo *bo = file_bo(file, op->handle);
   if (!bo) {
      r = -ENOENT;
   } else if (op->op == AMDGPU_GEM_OP_GET_GEM_CREATE_INFO) {
      const struct drm_amdgpu_gem_create_in out = { bo->meta->size, bo->meta->alignment, bo->meta->domains,
                                                    bo->meta->flags };
      r = user_write(op->value, &out, sizeof(out));
   } else if (op->op == AMDGPU_GEM_OP_SET_PLACEMENT) {
      if (bo->userptr)
         r = -EPERM;
      else
         bo->meta->domains = op->value & (AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT | AMDGPU_GEM_DOMAIN_CPU);
   } else {
      r = -EINVAL;
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

int ioctl_gem_userptr(struct shim_file *file, void *arg)
{
   struct drm_amdgpu_gem_userptr *u = arg;
   const uint32_t known = AMDGPU_GEM_USERPTR_READONLY | AMDGPU_GEM_USERPTR_ANONONLY |
                          AMDGPU_GEM_USERPTR_VALIDATE | AMDGPU_GEM_USERPTR_REGISTER;
   struct shim_bo *bo = NULL;
   if ((u->addr | u->size) & (SHIM_PAGE - 1) || !u->size || u->addr + u->size < u->addr ||
       (u->flags & ~known))
      return -EINVAL;
   /* A writable pointer must be watched for changes. */
   if (!(u->flags & AMDGPU_GEM_USERPTR_READONLY) && !(u->flags & AMDGPU_GEM_USERPTR_REGISTER))
      return -EACCES;
   pthread_mutex_lock(&shim_lock);
   int r = bo_create_userptr((void *)(uintptr_t)u->addr, u->size, u->flags & AMDGPU_GEM_USERPTR_READONLY, &bo);
   if (r == 0) {
      r = (u->flags & AMDGPU_GEM_USERPTR_VALIDATE) && !bo_pin_userptr(bo) ? -EFAULT : file_add_bo(file, bo, &u->handle);
      if (r)
         bo_unref(bo);
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}
