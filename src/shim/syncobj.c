/* SPDX-License-Identifier: MIT */
/* DRM sync objects, binary and timeline, and sync files. Work is done when
 * its submission returns, so an object has no fence, or a signaled one; what
 * is left to wait for is the submission by another thread or process. An
 * exported object's state moves into a memfd that both sides map. */
#define _GNU_SOURCE
#include "shim.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <libdrm/drm.h>

#define SYNCOBJ_NAME   "tgsiamd-syncobj"
#define SYNC_FILE_NAME "tgsiamd-sync_file"

struct sync_state {
   uint32_t changes;    /* futex: counts changes */
   uint32_t has_fence;
   uint64_t point;      /* highest timeline point */
};

struct shim_syncobj {
   struct sync_state *state;
   int fd;              /* memfd with the state, -1: state is malloced */
};

static uint32_t any_change; /* futex for waits on several objects */

static void wake(uint32_t *word)
{
   __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
   syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

struct shim_syncobj *syncobj_get(struct shim_file *file, uint32_t handle)
{
   return handle && handle < file->max_syncobjs ? file->syncobjs[handle] : NULL;
}

bool syncobj_has_fence(const struct shim_syncobj *s)
{
   return __atomic_load_n(&s->state->has_fence, __ATOMIC_ACQUIRE);
}

bool syncobj_point_done(const struct shim_syncobj *s, uint64_t point)
{
   return syncobj_has_fence(s) && __atomic_load_n(&s->state->point, __ATOMIC_ACQUIRE) >= point;
}

void syncobj_signal(struct shim_syncobj *s, uint64_t point, int error)
{
   (void)error; /* a fence with an error is a signaled fence */
   if (point > s->state->point)
      __atomic_store_n(&s->state->point, point, __ATOMIC_RELEASE);
   else if (!point) /* a binary fence replaces the timeline */
      __atomic_store_n(&s->state->point, 0, __ATOMIC_RELEASE);
   __atomic_store_n(&s->state->has_fence, 1, __ATOMIC_RELEASE);
   wake(&s->state->changes);
   wake(&any_change);
}

int syncobj_new(struct shim_file *file, bool signaled, uint32_t *handle)
{
   const unsigned slot = shim_slot((void ***)&file->syncobjs, &file->max_syncobjs);
   struct shim_syncobj *s = slot ? calloc(1, sizeof(*s)) : NULL;
   if (s)
      s->state = calloc(1, sizeof(*s->state));
   if (!s || !s->state) {
      free(s);
      return -ENOMEM;
   }
   s->fd = -1;
   s->state->has_fence = signaled;
   file->syncobjs[slot] = s;
   *handle = slot;
   return 0;
}

static void destroy(struct shim_syncobj *s)
{
   if (s->fd >= 0) {
      munmap(s->state, SHIM_PAGE);
      real_close(s->fd);
   } else {
      free(s->state);
   }
   free(s);
}

void syncobj_drop(struct shim_file *file, uint32_t handle)
{
   destroy(file->syncobjs[handle]);
   file->syncobjs[handle] = NULL;
}

void syncobj_free_all(struct shim_file *file)
{
   for (unsigned i = 1; i < file->max_syncobjs; i++) {
      if (file->syncobjs[i])
         destroy(file->syncobjs[i]);
   }
   free(file->syncobjs);
   file->syncobjs = NULL;
   file->max_syncobjs = 0;
}

int syncobj_export(struct shim_file *file, uint32_t handle)
{
   struct shim_syncobj *s = syncobj_get(file, handle);
   if (s->fd < 0) {
      const int fd = shim_fd_move_high(shim_memfd(SYNCOBJ_NAME, SHIM_PAGE));
      if (fd < 0)
         return -EMFILE;
      struct sync_state *state = real_mmap(NULL, SHIM_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (state == MAP_FAILED) {
         real_close(fd);
         return -ENOMEM;
      }
      *state = *s->state;
      free(s->state);
      s->state = state;
      s->fd = fd;
   }
   const int fd = (int)syscall(SYS_fcntl, s->fd, F_DUPFD_CLOEXEC, 0);
   return fd < 0 ? -errno : fd;
}

static int import(struct shim_file *file, int fd, uint32_t *handle)
{
   if (!shim_fd_has_name(fd, SYNCOBJ_NAME))
      return -EINVAL;
   int r = syncobj_new(file, false, handle);
   if (r)
      return r;
   struct shim_syncobj *s = file->syncobjs[*handle];
   const int own = shim_fd_move_high((int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 0));
   struct sync_state *state =
      own < 0 ? MAP_FAILED : real_mmap(NULL, SHIM_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, own, 0);
   if (state == MAP_FAILED) {
      if (own >= 0)
         real_close(own);
      syncobj_drop(file, *handle);
      return -ENOMEM;
   }
   free(s->state);
   s->state = state;
   s->fd = own;
   return 0;
}

/* --- sync files: a signaled fence; a memfd polls as readable --- */

int sync_file_new(void)
{
   const int fd = shim_memfd(SYNC_FILE_NAME, 0);
   return fd < 0 ? -errno : fd;
}

bool sync_file_is(int fd)
{
   return shim_fd_has_name(fd, SYNC_FILE_NAME);
}

/* --- waits --- */

/* Sleeps until an object changes or the deadline passes. Objects that another
 * process may signal are looked at again every millisecond. */
static bool sleep_for_change(uint32_t seen, int64_t deadline_ns)
{
   int64_t left = deadline_ns - shim_now_ns();
   if (left <= 0)
      return false;
   if (left > 1000000)
      left = 1000000;
   const struct timespec ts = { left / 1000000000, left % 1000000000 };
   pthread_mutex_unlock(&shim_lock);
   syscall(SYS_futex, &any_change, FUTEX_WAIT, seen, &ts, NULL, 0);
   pthread_mutex_lock(&shim_lock);
   return true;
}

int syncobj_wait_submitted(struct shim_file *file, uint32_t handle, uint64_t point, int64_t deadline_ns)
{
   for (;;) {
      const uint32_t seen = __atomic_load_n(&any_change, __ATOMIC_SEQ_CST);
      const struct shim_syncobj *s = syncobj_get(file, handle);
      if (!s)
         return -ENOENT;
      if (syncobj_point_done(s, point))
         return 0;
      if (!sleep_for_change(seen, deadline_ns))
         return -ETIME;
   }
}

static int wait_many(struct shim_file *file, uint64_t handles_ptr, uint64_t points_ptr, uint32_t count,
                     uint32_t flags, int64_t deadline_ns, uint32_t *first)
{
   const uint32_t *handles = (const uint32_t *)(uintptr_t)handles_ptr;
   const uint64_t *points = (const uint64_t *)(uintptr_t)points_ptr;
   const bool all = flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   if (flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                           DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
      return -EINVAL;
   if (!count)
      return 0;
   if (!handles)
      return -EFAULT;
   for (;;) {
      const uint32_t seen = __atomic_load_n(&any_change, __ATOMIC_SEQ_CST);
      uint32_t done = 0;
      for (uint32_t i = 0; i < count; i++) {
         const struct shim_syncobj *s = syncobj_get(file, handles[i]);
         if (!s)
            return -ENOENT;
         if (syncobj_point_done(s, points ? points[i] : 0)) {
            if (done++ == 0)
               *first = i;
            if (!all)
               return 0;
         } else if (!(flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))) {
            return -EINVAL;
         }
      }
      if (done == count) {
         *first = ~0u;
         return 0;
      }
      if (!sleep_for_change(seen, deadline_ns))
         return -ETIME;
   }
}

#define LOCKED(expr)                      \
   pthread_mutex_lock(&shim_lock);        \
   const int r = (expr);                  \
   pthread_mutex_unlock(&shim_lock);      \
   return r

int ioctl_syncobj_wait(struct shim_file *file, void *arg)
{
   struct drm_syncobj_wait *w = arg;
   LOCKED(wait_many(file, w->handles, 0, w->count_handles, w->flags, w->timeout_nsec, &w->first_signaled));
}

int ioctl_syncobj_timeline_wait(struct shim_file *file, void *arg)
{
   struct drm_syncobj_timeline_wait *w = arg;
   LOCKED(wait_many(file, w->handles, w->points, w->count_handles, w->flags, w->timeout_nsec,
                    &w->first_signaled));
}

/* --- the other ioctls --- */

int ioctl_syncobj_create(struct shim_file *file, void *arg)
{
   struct drm_syncobj_create *c = arg;
   if (c->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
      return -EINVAL;
   LOCKED(syncobj_new(file, c->flags & DRM_SYNCOBJ_CREATE_SIGNALED, &c->handle));
}

int ioctl_syncobj_destroy(struct shim_file *file, void *arg)
{
   const struct drm_syncobj_destroy *d = arg;
   int r = -EINVAL;
   if (d->pad)
      return r;
   pthread_mutex_lock(&shim_lock);
   if (syncobj_get(file, d->handle)) {
      syncobj_drop(file, d->handle);
      r = 0;
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

static int handle_to_fd(struct shim_file *file, struct drm_syncobj_handle *h)
{
   const struct shim_syncobj *s = syncobj_get(file, h->handle);
   if (!s)
      return -ENOENT;
   int fd;
   if (h->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE) {
      if (!syncobj_has_fence(s))
         return -EINVAL;
      fd = sync_file_new();
   } else {
      fd = syncobj_export(file, h->handle);
   }
   h->fd = fd;
   return fd < 0 ? fd : 0;
}

int ioctl_syncobj_handle_to_fd(struct shim_file *file, void *arg)
{
   struct drm_syncobj_handle *h = arg;
   if (h->pad || (h->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE))
      return -EINVAL;
   LOCKED(handle_to_fd(file, h));
}

static int fd_to_handle(struct shim_file *file, struct drm_syncobj_handle *h)
{
   if (!(h->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE))
      return import(file, h->fd, &h->handle);
   struct shim_syncobj *s = syncobj_get(file, h->handle);
   if (!sync_file_is(h->fd))
      return -EINVAL;
   if (!s)
      return -ENOENT;
   syncobj_signal(s, 0, 0);
   return 0;
}

int ioctl_syncobj_fd_to_handle(struct shim_file *file, void *arg)
{
   struct drm_syncobj_handle *h = arg;
   if (h->pad || (h->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE))
      return -EINVAL;
   LOCKED(fd_to_handle(file, h));
}

/* Applies `what` to each handle of an array. */
enum array_op { ARRAY_RESET, ARRAY_SIGNAL, ARRAY_SIGNAL_POINT, ARRAY_QUERY };

static int for_array(struct shim_file *file, uint64_t handles_ptr, uint64_t points_ptr, uint32_t count,
                     enum array_op op)
{
   const uint32_t *handles = (const uint32_t *)(uintptr_t)handles_ptr;
   uint64_t *points = (uint64_t *)(uintptr_t)points_ptr;
   if (!count)
      return -EINVAL;
   if (!handles || (op >= ARRAY_SIGNAL_POINT && !points))
      return -EFAULT;
   for (uint32_t i = 0; i < count; i++) {
      if (!syncobj_get(file, handles[i]))
         return -ENOENT;
   }
   for (uint32_t i = 0; i < count; i++) {
      struct shim_syncobj *s = syncobj_get(file, handles[i]);
      switch (op) {
      case ARRAY_RESET:
         __atomic_store_n(&s->state->has_fence, 0, __ATOMIC_RELEASE);
         __atomic_store_n(&s->state->point, 0, __ATOMIC_RELEASE);
         break;
      case ARRAY_SIGNAL:
         syncobj_signal(s, 0, 0);
         break;
      case ARRAY_SIGNAL_POINT:
         syncobj_signal(s, points[i], 0);
         break;
      case ARRAY_QUERY:
         points[i] = s->state->point;
         break;
      }
   }
   return 0;
}

int ioctl_syncobj_reset(struct shim_file *file, void *arg)
{
   const struct drm_syncobj_array *a = arg;
   LOCKED(a->pad ? -EINVAL : for_array(file, a->handles, 0, a->count_handles, ARRAY_RESET));
}

int ioctl_syncobj_signal(struct shim_file *file, void *arg)
{
   const struct drm_syncobj_array *a = arg;
   LOCKED(a->pad ? -EINVAL : for_array(file, a->handles, 0, a->count_handles, ARRAY_SIGNAL));
}

int ioctl_syncobj_timeline_signal(struct shim_file *file, void *arg)
{
   const struct drm_syncobj_timeline_array *a = arg;
   LOCKED(a->flags ? -EINVAL : for_array(file, a->handles, a->points, a->count_handles, ARRAY_SIGNAL_POINT));
}

int ioctl_syncobj_query(struct shim_file *file, void *arg)
{
   const struct drm_syncobj_timeline_array *a = arg;
   LOCKED(a->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED
             ? -EINVAL : for_array(file, a->handles, a->points, a->count_handles, ARRAY_QUERY));
}

static int transfer(struct shim_file *file, const struct drm_syncobj_transfer *t)
{
   if (!syncobj_get(file, t->src_handle) || !syncobj_get(file, t->dst_handle))
      return -ENOENT;
   if (t->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) {
      const int r = syncobj_wait_submitted(file, t->src_handle, t->src_point, INT64_MAX);
      if (r)
         return r;
   }
   struct shim_syncobj *src = syncobj_get(file, t->src_handle), *dst = syncobj_get(file, t->dst_handle);
   if (!src || !dst)
      return -ENOENT;
   if (!syncobj_point_done(src, t->src_point))
      return -EINVAL;
   syncobj_signal(dst, t->dst_point, 0);
   return 0;
}

int ioctl_syncobj_transfer(struct shim_file *file, void *arg)
{
   const struct drm_syncobj_transfer *t = arg;
   LOCKED(t->pad ? -EINVAL : transfer(file, t));
}
