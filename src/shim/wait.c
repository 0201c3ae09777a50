/* SPDX-License-Identifier: MIT */
/* Waits for submissions: WAIT_CS, WAIT_FENCES, FENCE_TO_HANDLE, GEM_WAIT_IDLE. */
#include "fence.h"

#include <stdlib.h>
#include <string.h>

#include <libdrm/amdgpu_drm.h>

unsigned rings_of(uint32_t ip)
{
   static const uint8_t rings[] = { [AMDGPU_HW_IP_GFX] = 1, [AMDGPU_HW_IP_COMPUTE] = 8, [AMDGPU_HW_IP_DMA] = 1 };
   return ip < sizeof(rings) ? rings[ip] : 0;
}

int ctx_fence(struct shim_file *file, const struct drm_amdgpu_fence *name, struct shim_fence **out)
{
   struct shim_ctx *ctx = ctx_get(file, name->ctx_id);
   if (!ctx || name->ip_instance || name->ring >= rings_of(name->ip_type))
      return -EINVAL;
   const struct shim_entity *e = ctx_entity(ctx, name->ip_type, name->ring);
   const uint64_t seq = name->seq_no == ~0ull ? e->seq : name->seq_no;
   if (seq > e->seq)
      return -EINVAL;
   *out = seq > e->done ? sched_fence(e, seq) : NULL;
   if (!*out && (*out = fence_new(FENCE_JOB))) {
      (*out)->done = true;
      (*out)->error = seq && e->bad && seq >= e->bad ? -ECANCELED : 0;
   }
   return *out ? 0 : -ENOMEM;
}

/* The kernel takes times beyond 2^63 for ever. */
static int64_t deadline(uint64_t timeout_ns)
{
   return timeout_ns > INT64_MAX ? INT64_MAX : (int64_t)timeout_ns;
}

int ioctl_wait_cs(struct shim_file *file, void *arg)
{
   union drm_amdgpu_wait_cs *w = arg;
   const struct drm_amdgpu_wait_cs_in in = w->in;
   const struct drm_amdgpu_fence name = { .ctx_id = in.ctx_id, .ip_type = in.ip_type, .ip_instance = in.ip_instance,
                                          .ring = in.ring, .seq_no = in.handle };
   struct shim_fence *f = NULL;
   bool done = false;
   pthread_mutex_lock(&shim_lock);
   int r = ctx_fence(file, &name, &f);
   if (r == 0) {
      done = fence_wait(f, deadline(in.timeout));
      if (done)
         cpu_waited();
      r = done ? f->error : 0;
      fence_unref(f);
   }
   pthread_mutex_unlock(&shim_lock);
   if (r == 0) {
      memset(w, 0, sizeof(*w));
      w->out.status = !done;
   }
   return r;
}

/* One look at an array of fences: is the wait over? */
static bool over(struct shim_fence *const *fences, unsigned num, bool all, uint32_t *first)
{
   unsigned done = 0;
   for (unsigned i = 0; i < num; i++) {
      if (!fence_done(fences[i]))
         continue;
      if (done++ == 0)
         *first = i;
      if (!all)
         return true;
   }
   return done == num;
}

int ioctl_wait_fences(struct shim_file *file, void *arg)
{
   union drm_amdgpu_wait_fences *w = arg;
   const struct drm_amdgpu_wait_fences_in in = w->in;
   if (in.fence_count > 1u << 20)
      return -ENOMEM;
   struct drm_amdgpu_fence *names = malloc(in.fence_count * sizeof(*names) + 1);
   struct shim_fence **fences = calloc(in.fence_count + 1, sizeof(*fences));
   uint32_t first = 0;
   bool done = false;
   int r = !names || !fences ? -ENOMEM : user_read(names, in.fences, in.fence_count * sizeof(*names));
   pthread_mutex_lock(&shim_lock);
   for (uint32_t i = 0; i < in.fence_count && r == 0; i++)
      r = ctx_fence(file, &names[i], &fences[i]);
   if (r == 0) {
      while (!(done = over(fences, in.fence_count, in.wait_all, &first)) && shim_sleep(deadline(in.timeout_ns)))
         ;
      if (done)
         cpu_waited();
      for (uint32_t i = 0; i < in.fence_count && done; i++) {
         if (fences[i]->error && (in.wait_all || i == first))
            r = fences[i]->error;
      }
   }
   for (uint32_t i = 0; fences && i < in.fence_count; i++)
      fence_unref(fences[i]);
   pthread_mutex_unlock(&shim_lock);
   free(names);
   free(fences);
   if (r == 0) {
      memset(w, 0, sizeof(*w));
      w->out.status = done;
      w->out.first_signaled = in.wait_all ? 0 : first;
   }
   return r;
}

int ioctl_fence_to_handle(struct shim_file *file, void *arg)
{
   union drm_amdgpu_fence_to_handle *h = arg;
   const struct drm_amdgpu_fence name = h->in.fence;
   const uint32_t what = h->in.what;
   struct shim_fence *f = NULL;
   uint32_t handle = 0;
   pthread_mutex_lock(&shim_lock);
   int r = ctx_fence(file, &name, &f);
   if (r == 0 && what == AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD) {
      r = sync_file_new(f);
      handle = (uint32_t)r;
   } else if (r == 0) {
      r = what > AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD ? -EINVAL : syncobj_new(file, false, &handle);
      if (r == 0)
         r = syncobj_put(syncobj_get(file, handle), 0, f);
      if (r == 0 && what == AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD) {
         r = syncobj_export(file, handle);
         syncobj_drop(file, handle);
         handle = (uint32_t)r;
      }
   }
   fence_unref(f);
   pthread_mutex_unlock(&shim_lock);
   if (r >= 0) {
      h->out.handle = handle;
      r = 0;
   }
   return r;
}

int ioctl_gem_wait_idle(struct shim_file *file, void *arg)
{
   union drm_amdgpu_gem_wait_idle *w = arg;
   const struct drm_amdgpu_gem_wait_idle_in in = w->in;
   bool done = false;
   uint64_t domains = 0;
   pthread_mutex_lock(&shim_lock);
   struct shim_bo *bo = file_bo(file, in.handle);
   struct shim_fence *users = bo ? fence_new(FENCE_ARRAY) : NULL;
   int r = !bo ? -ENOENT : !users ? -ENOMEM : 0;
   if (r == 0)
      r = sched_users(bo, NULL, users);
   if (r == 0) {
      domains = bo->meta->domains;
      done = fence_wait(users, deadline(in.timeout));
      if (done)
         cpu_waited();
   }
   fence_unref(users);
   pthread_mutex_unlock(&shim_lock);
   if (r == 0) {
      memset(w, 0, sizeof(*w));
      w->out.status = !done;
      w->out.domain = domains & AMDGPU_GEM_DOMAIN_VRAM ? AMDGPU_GEM_DOMAIN_VRAM : (uint32_t)domains;
   }
   return r;
}
