/* SPDX-License-Identifier: MIT */
/* Buffer objects: each a memfd that another process can map, with a page of
 * metadata behind its contents. */
#define _GNU_SOURCE
#include "shim.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <libdrm/amdgpu_drm.h>

#define BO_NAME "tgsiamd-bo"
#define DOMAINS_ON_CHIP (AMDGPU_GEM_DOMAIN_GDS | AMDGPU_GEM_DOMAIN_GWS | AMDGPU_GEM_DOMAIN_OA)

static struct shim_bo *bo_all;
static uint32_t bo_last_id;

static struct shim_bo *bo_register(void)
{
   struct shim_bo *bo = calloc(1, sizeof(*bo));
   if (!bo)
      return NULL;
   bo->id = ++bo_last_id;
   bo->refs = 1;
   bo->fd = -1;
   bo->next = bo_all;
   bo_all = bo;
   return bo;
}

static int bo_map(struct shim_bo *bo)
{
   void *p = real_mmap(NULL, bo->size + SHIM_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, bo->fd, 0);
   if (p == MAP_FAILED)
      return -ENOMEM;
   bo->host = p;
   bo->meta = (struct bo_meta *)((char *)p + bo->size);
   return 0;
}

int bo_create(uint64_t size, uint64_t alignment, uint64_t domains, uint64_t flags, struct shim_bo **out)
{
   /* What does not fit into its heap, or into both with all the rest. */
   const uint64_t heaps = AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT;
   const uint64_t vram = bo_vram_size(), gtt = bo_gtt_size();
   if ((domains & heaps) && (size > (domains & AMDGPU_GEM_DOMAIN_GTT ? gtt : vram) ||
                             bo_usage(heaps) + size > vram + gtt))
      return -ENOMEM;
   struct shim_bo *bo = bo_register();
   int r = 0;
   if (!bo)
      return -ENOMEM;
   bo->size = (size + SHIM_PAGE - 1) & ~(SHIM_PAGE - 1);
   if (domains & DOMAINS_ON_CHIP) {
      bo->size = size;
      bo->meta = calloc(1, sizeof(*bo->meta));
      if (!bo->meta)
         r = -ENOMEM;
   } else {
      bo->fd = shim_fd_move_high(shim_memfd(BO_NAME, bo->size + SHIM_PAGE));
      if (bo->fd < 0) {
         r = -ENOMEM;
      } else {
         real_fstat_ids(bo->fd, &bo->dev, &bo->ino, NULL);
         r = bo_map(bo);
      }
   }
   if (r) {
      bo_unref(bo);
      return r;
   }
   *bo->meta = (struct bo_meta){ .magic = SHIM_META_MAGIC, .size = bo->size, .alignment = alignment,
                                 .domains = domains, .flags = flags };
   *out = bo;
   return 0;
}

int bo_create_userptr(void *addr, uint64_t size, bool readonly, struct shim_bo **out)
{
   struct shim_bo *bo = bo_register();
   if (!bo)
      return -ENOMEM;
   bo->meta = calloc(1, sizeof(*bo->meta));
   if (!bo->meta) {
      bo_unref(bo);
      return -ENOMEM;
   }
   bo->size = size;
   bo->host = addr;
   bo->userptr = true;
   bo->readonly = readonly;
   *bo->meta = (struct bo_meta){ .magic = SHIM_META_MAGIC, .size = size, .alignment = SHIM_PAGE,
                                 .domains = AMDGPU_GEM_DOMAIN_GTT };
   *out = bo;
   return 0;
}

bool bo_pin_userptr(const struct shim_bo *bo)
{
   if (madvise(bo->host, bo->size, bo->readonly ? MADV_POPULATE_READ : MADV_POPULATE_WRITE) == 0)
      return true;
   /* Kernels before 5.14 do not know the advice, not even for no bytes; msync
    * refuses holes at least. */
   return madvise(bo->host, 0, MADV_POPULATE_READ) != 0 && msync(bo->host, bo->size, MS_ASYNC) == 0;
}

int bo_import(int fd, struct shim_bo **out)
{
   dev_t dev;
   ino_t ino;
   off_t size;
   if (real_fstat_ids(fd, &dev, &ino, &size) != 0)
      return -EBADF;
   for (struct shim_bo *bo = bo_all; bo; bo = bo->next) {
      if (bo->fd >= 0 && bo->ino == ino && bo->dev == dev) {
         bo->refs++;
         bo->shared = true;
         *out = bo;
         return 0;
      }
   }
   if (!shim_fd_has_name(fd, BO_NAME) || size < (off_t)(2 * SHIM_PAGE))
      return -EINVAL;
   struct shim_bo *bo = bo_register();
   if (!bo)
      return -ENOMEM;
   bo->shared = true;
   bo->fd = shim_fd_move_high(dup(fd));
   bo->dev = dev;
   bo->ino = ino;
   bo->size = (uint64_t)size - SHIM_PAGE;
   int r = bo->fd < 0 ? -EMFILE : bo_map(bo);
   if (r == 0 && (bo->meta->magic != SHIM_META_MAGIC || bo->meta->size != bo->size))
      r = -EINVAL;
   if (r) {
      bo_unref(bo);
      return r;
   }
   *out = bo;
   return 0;
}

void bo_unref(struct shim_bo *bo)
{
   if (--bo->refs)
      return;
   for (struct shim_bo **p = &bo_all; *p; p = &(*p)->next) {
      if (*p == bo) {
         *p = bo->next;
         break;
      }
   }
   if (bo->fd >= 0) {
      if (bo->host)
         munmap(bo->host, bo->size + SHIM_PAGE);
      real_close(bo->fd);
   } else {
      free(bo->meta);
   }
   free(bo);
}

static uint64_t part_of_memory(uint64_t want, unsigned divide)
{
   struct sysinfo si;
   const uint64_t asked = tgsiamd_model_kernel_options(shim_model())->vram;
   if (asked)
      return asked;
   const uint64_t step = 256ull << 20;
   if (sysinfo(&si) != 0)
      return want;
   const uint64_t have = (uint64_t)si.totalram * si.mem_unit / divide / step * step;
   return have < step ? step : have < want ? have : want;
}

uint64_t bo_vram_size(void)
{
   return part_of_memory(2ull << 30, 4);
}

uint64_t bo_gtt_size(void)
{
   return part_of_memory(6ull << 30, 2);
}

uint64_t bo_usage(uint64_t domain)
{
   uint64_t sum = 0;
   for (struct shim_bo *bo = bo_all; bo; bo = bo->next) {
      if (bo->meta && (bo->meta->domains & domain))
         sum += bo->size;
   }
   return sum;
}

off_t bo_fd_size(int fd)
{
   dev_t dev;
   ino_t ino;
   off_t size;
   if (real_fstat_ids(fd, &dev, &ino, &size) != 0 || size < (off_t)(2 * SHIM_PAGE) ||
       !shim_fd_has_name(fd, BO_NAME))
      return 0;
   return size - (off_t)SHIM_PAGE;
}
