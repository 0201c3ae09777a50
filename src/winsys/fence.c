/* SPDX-License-Identifier: MIT */
/* Fences: a sequence number of the device's only timeline, or a syncobj that
 * came from elsewhere. */
#include <stdlib.h>
#include <unistd.h>

#include "util/os_time.h"
#include "util/u_math.h"
#include "private.h"

static struct amdgpu_cs_fence
kernel_fence(struct timeline *timeline, uint64_t seq)
{
   while (seq <= timeline->base && timeline->older)
      timeline = timeline->older;
   return (struct amdgpu_cs_fence){
      .context = timeline->ctx, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq - timeline->base,
   };
}

static void
note_finished(struct tgsiamd_device *dev, uint64_t seq)
{
   uint64_t known = p_atomic_read(&dev->finished);

   while (known < seq) {
      uint64_t before = p_atomic_cmpxchg(&dev->finished, known, seq);
      if (before == known)
         break;
      known = before;
   }
}

bool
seq_wait(struct tgsiamd_device *dev, uint64_t seq, uint64_t timeout_ns)
{
   uint32_t expired = 0;
   struct amdgpu_cs_fence fence;
   struct timeline *timeline = p_atomic_read(&dev->timeline);

   if (seq <= p_atomic_read(&dev->finished))
      return true;
   note_finished(dev, timeline->base + *timeline->user_fence_map);
   if (seq <= p_atomic_read(&dev->finished))
      return true;
   if (!timeout_ns)
      return false;
   fence = kernel_fence(timeline, seq);
   if (amdgpu_cs_query_fence_status(&fence, timeout_ns, 0, &expired)) {
      /* The kernel gave up on the context: nothing will ever finish. */
      timeline->lost = true;
      note_finished(dev, dev->last_seq);
      return true;
   }
   if (expired)
      note_finished(dev, seq);
   return expired;
}

struct tgsiamd_fence *
fence_create_seq(struct tgsiamd_device *dev, uint64_t seq)
{
   struct tgsiamd_fence *fence = calloc(1, sizeof(*fence));

   if (fence) {
      fence->refs = 1;
      fence->dev = dev;
      fence->seq = seq;
   }
   return fence;
}

void
tgsiamd_fence_reference(struct tgsiamd_fence **dst, struct tgsiamd_fence *src)
{
   struct tgsiamd_fence *old = *dst;

   if (old == src)
      return;
   if (src)
      p_atomic_inc(&src->refs);
   *dst = src;
   if (old && p_atomic_dec_zero(&old->refs)) {
      if (old->syncobj)
         amdgpu_cs_destroy_syncobj(old->dev->handle, old->syncobj);
      free(old);
   }
}

bool
tgsiamd_fence_wait(struct tgsiamd_fence *fence, uint64_t timeout_ns)
{
   if (fence->signalled)
      return true;
   if (fence->syncobj) {
      int64_t deadline = timeout_ns ? os_time_get_absolute_timeout(timeout_ns) : 0;
      fence->signalled = !amdgpu_cs_syncobj_wait(fence->dev->handle, &fence->syncobj, 1,
                                                 deadline, 0, NULL);
   } else {
      fence->signalled = seq_wait(fence->dev, fence->seq, timeout_ns);
   }
   return fence->signalled;
}

int
tgsiamd_fence_export_sync_file(struct tgsiamd_fence *fence)
{
   struct tgsiamd_device *dev = fence->dev;
   int fd = -1;

   if (fence->syncobj) {
      if (amdgpu_cs_syncobj_export_sync_file(dev->handle, fence->syncobj, &fd))
         return -1;
   } else {
      struct amdgpu_cs_fence kernel = kernel_fence(p_atomic_read(&dev->timeline), fence->seq);
      uint32_t handle;
      if (amdgpu_cs_fence_to_handle(dev->handle, &kernel,
                                    AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &handle))
         return -1;
      fd = handle;
   }
   return fd;
}

struct tgsiamd_fence *
tgsiamd_fence_import(struct tgsiamd_device *dev, int fd, bool is_syncobj)
{
   struct tgsiamd_fence *fence = calloc(1, sizeof(*fence));
   int r;

   if (!fence)
      return NULL;
   fence->refs = 1;
   fence->dev = dev;
   if (is_syncobj) {
      r = amdgpu_cs_import_syncobj(dev->handle, fd, &fence->syncobj);
   } else {
      r = amdgpu_cs_create_syncobj(dev->handle, &fence->syncobj);
      if (!r)
         r = amdgpu_cs_syncobj_import_sync_file(dev->handle, fence->syncobj, fd);
   }
   if (r) {
      if (fence->syncobj)
         amdgpu_cs_destroy_syncobj(dev->handle, fence->syncobj);
      free(fence);
      return NULL;
   }
   return fence;
}
