/* SPDX-License-Identifier: MIT */
/* Opening a GPU: libdrm device, kernel context, GPU info. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xf86drm.h>

#include "util/hash_table.h"
#include "util/os_file.h"
#include "private.h"

static simple_mtx_t devices_lock = SIMPLE_MTX_INITIALIZER;
static struct list_head devices = {&devices, &devices};

static struct tgsiamd_device *
find_open(amdgpu_device_handle handle)
{
   list_for_each_entry(struct tgsiamd_device, dev, &devices, link) {
      if (dev->handle == handle)
         return dev;
   }
   return NULL;
}

static bool
init_user_fence(struct tgsiamd_device *dev)
{
   dev->user_fence = bo_create_kernel(dev, dev->info.gart_page_size, 4096, HEAP_GTT,
                                      TGSIAMD_BO_CPU_ACCESS | TGSIAMD_BO_NO_SUBALLOC);
   if (!dev->user_fence)
      return false;
   void *map = tgsiamd_bo_map(&dev->user_fence->base);
   if (!map)
      return false;
   memset(map, 0, dev->info.gart_page_size);
   return true;
}

static struct timeline *
timeline_create(struct tgsiamd_device *dev, struct timeline *older)
{
   struct timeline *timeline = calloc(1, sizeof(*timeline));

   if (!timeline)
      return NULL;
   if (amdgpu_cs_ctx_create2(dev->handle, AMDGPU_CTX_PRIORITY_NORMAL, &timeline->ctx)) {
      free(timeline);
      return NULL;
   }
   timeline->older = older;
   timeline->base = older ? dev->last_seq : 0;
   /* A slot of its own: what an older context still writes must not be taken
    * for progress of this one. */
   if (older)
      timeline->user_fence_offset = (older->user_fence_offset + 8) % dev->info.gart_page_size;
   timeline->user_fence_map = (uint64_t *)((char *)tgsiamd_bo_map(&dev->user_fence->base) +
                                           timeline->user_fence_offset);
   *timeline->user_fence_map = 0;
   return timeline;
}

struct timeline *
timeline_renew(struct tgsiamd_device *dev)
{
   simple_mtx_lock(&dev->submit_lock);
   if (timeline_reset_status(dev->timeline) != TGSIAMD_RESET_NONE) {
      struct timeline *timeline = timeline_create(dev, dev->timeline);
      if (timeline)
         p_atomic_set(&dev->timeline, timeline);
   }
   struct timeline *timeline = dev->timeline;
   simple_mtx_unlock(&dev->submit_lock);
   return timeline;
}

static void
device_destroy(struct tgsiamd_device *dev)
{
   if (dev->user_fence)
      bo_destroy_kernel(dev->user_fence);
   slabs_finish(dev);
   cache_clear(dev);
   _mesa_hash_table_destroy(dev->shared, NULL);
   while (dev->timeline) {
      struct timeline *older = dev->timeline->older;
      amdgpu_cs_ctx_free(dev->timeline->ctx);
      free(dev->timeline);
      dev->timeline = older;
   }
   amdgpu_device_deinitialize(dev->handle);
   simple_mtx_destroy(&dev->map_lock);
   simple_mtx_destroy(&dev->share_lock);
   simple_mtx_destroy(&dev->submit_lock);
   if (dev->fd >= 0)
      close(dev->fd);
   free(dev);
}

static struct tgsiamd_device *
device_create(int fd, amdgpu_device_handle handle, uint32_t major, uint32_t minor, const char **why)
{
   struct tgsiamd_device *dev = calloc(1, sizeof(*dev));

   if (!dev) {
      *why = "out of memory";
      amdgpu_device_deinitialize(handle);
      return NULL;
   }
   dev->refs = 1;
   dev->handle = handle;
   dev->fd = os_dupfd_cloexec(fd);
   dev->info.drm_major = major;
   dev->info.drm_minor = minor;
   dev->info.is_amdgpu = true;
   simple_mtx_init(&dev->map_lock, mtx_plain);
   simple_mtx_init(&dev->share_lock, mtx_plain);
   simple_mtx_init(&dev->submit_lock, mtx_plain);
   cache_init(dev);
   slabs_init(dev);
   dev->shared = _mesa_pointer_hash_table_create(NULL);

   if (!dev->shared || dev->fd < 0)
      *why = "out of memory";
   else if (!ac_query_gpu_info(fd, handle, &dev->info))
      *why = "the kernel does not answer the GPU information queries";
   else if (!init_user_fence(dev))
      *why = "the kernel refuses a buffer";
   else if (!(dev->timeline = timeline_create(dev, NULL)))
      *why = "the kernel refuses a GPU context";
   else
      return dev;
   device_destroy(dev);
   return NULL;
}

struct tgsiamd_device *
tgsiamd_device_open(int fd, const char **why)
{
   uint32_t major, minor;
   amdgpu_device_handle handle;
   struct tgsiamd_device *dev = NULL;
   const char *reason = NULL;

   simple_mtx_lock(&devices_lock);
   if (amdgpu_device_initialize(fd, &major, &minor, &handle)) {
      reason = "libdrm_amdgpu cannot open the device";
   } else {
      dev = find_open(handle);
      if (dev) {
         /* libdrm counted one more user of the handle. */
         amdgpu_device_deinitialize(handle);
         dev->refs++;
      } else {
         dev = device_create(fd, handle, major, minor, &reason);
         if (dev)
            list_add(&dev->link, &devices);
      }
   }
   simple_mtx_unlock(&devices_lock);
   if (why)
      *why = reason;
   return dev;
}

void
tgsiamd_device_unref(struct tgsiamd_device *dev)
{
   simple_mtx_lock(&devices_lock);
   if (--dev->refs == 0) {
      list_del(&dev->link);
      device_destroy(dev);
   }
   simple_mtx_unlock(&devices_lock);
}

const struct radeon_info *
tgsiamd_device_info(const struct tgsiamd_device *dev)
{
   return &dev->info;
}

const char *
tgsiamd_device_marketing_name(struct tgsiamd_device *dev)
{
   const char *name = amdgpu_get_marketing_name(dev->handle);

   return name ? name : dev->info.name;
}

int
tgsiamd_device_fd(struct tgsiamd_device *dev)
{
   return dev->fd;
}

enum tgsiamd_reset
timeline_reset_status(struct timeline *timeline)
{
   uint64_t flags = 0;

   if (amdgpu_cs_query_reset_state2(timeline->ctx, &flags))
      return timeline->lost ? TGSIAMD_RESET_UNKNOWN : TGSIAMD_RESET_NONE;
   if (flags & AMDGPU_CTX_QUERY2_FLAGS_RESET)
      return flags & AMDGPU_CTX_QUERY2_FLAGS_GUILTY ? TGSIAMD_RESET_GUILTY : TGSIAMD_RESET_INNOCENT;
   return timeline->lost ? TGSIAMD_RESET_UNKNOWN : TGSIAMD_RESET_NONE;
}

void
tgsiamd_device_memory(struct tgsiamd_device *dev, struct tgsiamd_memory_usage *usage)
{
   usage->vram_total = (uint64_t)dev->info.vram_size_kb * 1024;
   usage->gtt_total = (uint64_t)dev->info.gart_size_kb * 1024;
   usage->vram_used = p_atomic_read(&dev->vram_used);
   usage->gtt_used = p_atomic_read(&dev->gtt_used);
}

void
tgsiamd_device_trim(struct tgsiamd_device *dev)
{
   cache_clear(dev);
}
