/* SPDX-License-Identifier: MIT */
/* Sync object ioctls on arrays of handles: waits, signals, queries. */
#include "fence.h"

#include <stdlib.h>
#include <string.h>

#include <libdrm/drm.h>

#define LOCKED(expr)                      \
   pthread_mutex_lock(&shim_lock);        \
   const int r = (expr);                  \
   pthread_mutex_unlock(&shim_lock);      \
   return r

/* The objects behind a user array of handles, with references. */
struct set { struct shim_syncobj **objs; uint64_t *points; unsigned num; };

static void set_free(struct set *set)
{
   for (unsigned i = 0; i < set->num; i++)
      syncobj_unref(set->objs[i]);
   free(set->objs);
   free(set->points);
}

#define MAX_HANDLES (1u << 20)

static int set_read(struct shim_file *file, uint64_t handles_ptr, uint64_t points_ptr, uint32_t count, struct set *set)
{
   *set = (struct set){ .num = 0 };
   if (count > MAX_HANDLES)
      return -ENOMEM;
   uint32_t *handles = malloc(count * sizeof(*handles) + 1);
   set->objs = malloc(count * sizeof(*set->objs) + 1);
   set->points = calloc(count + 1, sizeof(*set->points));
   int r = handles && set->objs && set->points ? 0 : -ENOMEM;
   if (r == 0)
      r = user_read(handles, handles_ptr, count * sizeof(*handles));
   if (r == 0 && points_ptr)
      r = user_read(set->points, points_ptr, count * sizeof(*set->points));
   for (uint32_t i = 0; i < count && r == 0; i++) {
      struct shim_syncobj *s = syncobj_get(file, handles[i]);
      if (!s) {
         r = -ENOENT;
         break;
      }
      syncobj_ref(s);
      set->objs[set->num++] = s;
   }
   free(handles);
   if (r)
      set_free(set);
   return r;
}

/* --- waits --- */

int syncobj_wait_submitted(struct shim_syncobj *s, uint64_t point, int64_t deadline_ns)
{
   while (syncobj_state(s, point) == SYNCOBJ_ABSENT) {
      if (!shim_sleep(deadline_ns))
         return -ETIME;
   }
   return 0;
}

/* One look at all: 0 when the wait is over, 1 to go on. A fence that was found
 * once is waited for even when the object gets another one. */
static int look(const struct set *set, struct shim_fence **fences, uint32_t flags, uint32_t *first)
{
   const bool all = flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   const bool available = flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
   const bool may_come = available || (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT);
   unsigned done = 0;
   for (unsigned i = 0; i < set->num; i++) {
      if (!fences[i]) {
         const int r = syncobj_fence(set->objs[i], set->points[i], &fences[i]);
         if (r && (r != -EINVAL || !may_come))
            return r;
      }
      if (!fences[i] || !(available || fence_done(fences[i])))
         continue;
      if (done++ == 0)
         *first = i;
      if (!all)
         return 0;
   }
   return done == set->num ? 0 : 1;
}

static int wait_many(struct shim_file *file, uint64_t handles, uint64_t points, uint32_t count, uint32_t flags,
                     int64_t deadline_ns, uint32_t *first)
{
   const uint32_t known = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
                          (points ? DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE : 0);
   struct set set;
   if (flags & ~known)
      return -EINVAL;
   if (!count)
      return 0;
   int r = set_read(file, handles, points, count, &set);
   if (r)
      return r;
   struct shim_fence **fences = calloc(count, sizeof(*fences));
   r = fences ? 1 : -ENOMEM;
   while (r == 1) {
      r = look(&set, fences, flags, first);
      if (r == 1 && !shim_sleep(deadline_ns))
         r = -ETIME;
   }
   if (r == 0 && !(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
      cpu_waited();
   for (uint32_t i = 0; fences && i < count; i++)
      fence_unref(fences[i]);
   free(fences);
   set_free(&set);
   return r;
}

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

/* --- arrays --- */

enum array_op { ARRAY_RESET, ARRAY_SIGNAL, ARRAY_SIGNAL_POINT, ARRAY_QUERY, ARRAY_QUERY_SUBMITTED };

static int for_array(struct shim_file *file, uint64_t handles, uint64_t points, uint32_t count, enum array_op op)
{
   struct set set;
   if (!count)
      return -EINVAL;
   int r = set_read(file, handles, op == ARRAY_SIGNAL_POINT ? points : 0, count, &set);
   if (r)
      return r;
   for (unsigned i = 0; i < set.num && r == 0; i++) {
      switch (op) {
      case ARRAY_RESET:
         syncobj_reset(set.objs[i]);
         break;
      case ARRAY_SIGNAL:
      case ARRAY_SIGNAL_POINT:
         r = syncobj_put(set.objs[i], set.points[i], NULL);
         break;
      case ARRAY_QUERY:
      case ARRAY_QUERY_SUBMITTED:
         set.points[i] = syncobj_point(set.objs[i], op == ARRAY_QUERY_SUBMITTED);
         break;
      }
   }
   if (r == 0 && op >= ARRAY_QUERY)
      r = user_write(points, set.points, count * sizeof(*set.points));
   set_free(&set);
   return r;
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
   cpu_waited(); /* what it says is done the program may look at */
   LOCKED(a->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED
             ? -EINVAL : for_array(file, a->handles, a->points, a->count_handles,
                                   a->flags ? ARRAY_QUERY_SUBMITTED : ARRAY_QUERY));
}

static int transfer(struct shim_file *file, const struct drm_syncobj_transfer *t)
{
   struct shim_syncobj *src = syncobj_get(file, t->src_handle), *dst = syncobj_get(file, t->dst_handle);
   struct shim_fence *f;
   if (!src || !dst)
      return -ENOENT;
   syncobj_ref(src);
   syncobj_ref(dst);
   int r = t->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT ? syncobj_wait_submitted(src, t->src_point, INT64_MAX) : 0;
   if (r == 0)
      r = syncobj_fence(src, t->src_point, &f);
   if (r == 0) {
      r = syncobj_put(dst, t->dst_point, f);
      fence_unref(f);
   }
   syncobj_unref(src);
   syncobj_unref(dst);
   return r;
}

int ioctl_syncobj_transfer(struct shim_file *file, void *arg)
{
   const struct drm_syncobj_transfer *t = arg;
   LOCKED(t->pad ? -EINVAL : transfer(file, t));
}
