/* SPDX-License-Identifier: MIT */
/* DRM sync objects. An object holds a timeline: points up to `base` are done,
 * those behind it are pending in the order of submission. A binary object is a
 * timeline whose only point is 0. The state lies in a page of its own, which
 * moves into a memfd when the object is exported: both sides map it then. */
#define _GNU_SOURCE
#include "fence.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libdrm/drm.h>

#define SYNCOBJ_NAME "tgsiamd-syncobj"
#define MAX_ENTRIES  120

struct entry { uint64_t id, point; uint32_t owner, done; int32_t error, pad; };

struct sync_state {
   uint32_t lock;       /* the holder's process */
   uint32_t has_fence;
   uint32_t num;
   int32_t error;       /* of the last one done */
   uint64_t base;       /* highest point that is done */
   uint64_t last_id;
   struct entry entries[MAX_ENTRIES];
};
_Static_assert(sizeof(struct sync_state) <= SHIM_PAGE, "the state fits into a page");

struct shim_syncobj {
   struct shim_syncobj *next; /* of all shared ones */
   unsigned refs;
   struct sync_state *state;
   int fd;              /* memfd with the state, -1: state is malloced */
   dev_t dev;
   ino_t ino;
};
static struct shim_syncobj *shared;

/* --- the state --- */

static void lock(struct shim_syncobj *s)
{
   if (s->fd < 0)
      return; /* shim_lock is enough */
   const uint32_t self = (uint32_t)getpid();
   for (unsigned tries = 0;; tries++) {
      uint32_t holder = 0;
      if (__atomic_compare_exchange_n(&s->state->lock, &holder, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
         return;
      if (tries % 4096 == 4095 && !shim_process_lives(holder))
         __atomic_compare_exchange_n(&s->state->lock, &holder, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      sched_yield();
   }
}

static void unlock(struct shim_syncobj *s)
{
   if (s->fd >= 0)
      __atomic_store_n(&s->state->lock, 0, __ATOMIC_RELEASE);
}

/* Drops what is done from the front of the timeline. */
static void advance(struct shim_syncobj *s)
{
   struct sync_state *t = s->state;
   unsigned done = 0;
   while (done < t->num && done < MAX_ENTRIES) {
      struct entry *e = &t->entries[done];
      if (!e->done && s->fd >= 0 && e->owner != (uint32_t)getpid() && !shim_process_lives(e->owner)) {
         e->done = 1;
         e->error = -ECANCELED;
      }
      if (!e->done)
         break;
      if (e->point > t->base)
         t->base = e->point;
      t->error = e->error;
      done++;
   }
   if (done) {
      t->num -= done;
      memmove(t->entries, t->entries + done, t->num * sizeof(t->entries[0]));
   }
}

/* The entry that a wait for the point ends with: its index, or -1 when all is
 * done, -2 when the point was not submitted. */
static int entry_of(struct shim_syncobj *s, uint64_t point)
{
   struct sync_state *t = s->state;
   advance(s);
   if (!t->has_fence)
      return -2;
   if (!point)
      return (int)t->num - 1;
   if (point <= t->base)
      return -1;
   for (unsigned i = 0; i < t->num; i++) {
      if (t->entries[i].point >= point)
         return (int)i;
   }
   return -2;
}

bool syncobj_entry_done(struct shim_syncobj *s, uint64_t entry, int *error)
{
   struct sync_state *t = s->state;
   bool pending = false;
   lock(s);
   advance(s);
   for (unsigned i = 0; i < t->num && !pending; i++)
      pending = t->entries[i].id == entry && !t->entries[i].done;
   *error = pending ? 0 : t->error;
   unlock(s);
   return !pending;
}

void syncobj_entry_finish(struct shim_syncobj *s, uint64_t entry, int error)
{
   struct sync_state *t = s->state;
   lock(s);
   for (unsigned i = 0; i < t->num; i++) {
      if (t->entries[i].id == entry) {
         t->entries[i].done = 1;
         t->entries[i].error = error;
      }
   }
   advance(s);
   unlock(s);
   shim_changed();
}

static void reset(struct shim_syncobj *s)
{
   s->state->has_fence = 0;
   s->state->num = 0;
   s->state->base = 0;
   s->state->error = 0;
}

int syncobj_put(struct shim_syncobj *s, uint64_t point, struct shim_fence *f)
{
   struct sync_state *t = s->state;
   const bool done = !f || fence_done(f);
   int r = 0;
   uint64_t id = 0;
   lock(s);
   if (!point)
      reset(s);
   advance(s);
   if (t->num == MAX_ENTRIES) {
      r = -ENOMEM;
   } else if (done && !t->num) {
      if (point > t->base)
         t->base = point;
      t->error = f ? f->error : 0;
   } else {
      id = ++t->last_id;
      t->entries[t->num++] = (struct entry){ .id = id, .point = point, .owner = (uint32_t)getpid(), .done = done,
                                             .error = f ? f->error : 0 };
   }
   t->has_fence |= r == 0;
   unlock(s);
   if (r == 0 && !done && (r = fence_watch_syncobj(f, s, id)) != 0)
      syncobj_entry_finish(s, id, r);
   shim_changed();
   return r;
}

int syncobj_fence(struct shim_syncobj *s, uint64_t point, struct shim_fence **out)
{
   struct shim_fence *array = fence_new(FENCE_ARRAY);
   if (!array)
      return -ENOMEM;
   lock(s);
   const int last = entry_of(s, point);
   int r = last == -2 ? -EINVAL : 0;
   if (last == -1)
      array->error = s->state->error;
   for (int i = 0; i <= last && r == 0; i++) {
      const struct entry *e = &s->state->entries[i];
      struct shim_fence *f = e->done ? NULL : fence_ref(fence_watched(s, e->id));
      if (e->done)
         continue;
      if (!f && (f = fence_new(FENCE_SYNCOBJ))) {
         syncobj_ref(s);
         f->syncobj = s;
         f->serial = e->id;
      }
      r = fence_add(array, f);
   }
   unlock(s);
   if (r)
      fence_unref(array);
   else
      *out = array;
   return r;
}

bool syncobj_any_shared(void)
{
   return shared != NULL;
}

/* --- handles --- */

struct shim_syncobj *syncobj_get(struct shim_file *file, uint32_t handle)
{
   return handle && handle < file->max_syncobjs ? file->syncobjs[handle] : NULL;
}

void syncobj_ref(struct shim_syncobj *s)
{
   s->refs++;
}

void syncobj_unref(struct shim_syncobj *s)
{
   if (--s->refs)
      return;
   for (struct shim_syncobj **p = &shared; *p; p = &(*p)->next) {
      if (*p == s) {
         *p = s->next;
         break;
      }
   }
   if (s->fd >= 0) {
      munmap(s->state, SHIM_PAGE);
      real_close(s->fd);
   } else {
      free(s->state);
   }
   free(s);
}

static int add(struct shim_file *file, struct shim_syncobj *s, uint32_t *handle)
{
   const unsigned slot = shim_slot((void ***)&file->syncobjs, &file->max_syncobjs);
   if (!slot)
      return -ENOMEM;
   file->syncobjs[slot] = s;
   *handle = slot;
   return 0;
}

static struct shim_syncobj *object(struct sync_state *state)
{
   struct shim_syncobj *s = state ? calloc(1, sizeof(*s)) : NULL;
   if (s) {
      s->refs = 1;
      s->state = state;
      s->fd = -1;
   }
   return s;
}

int syncobj_new(struct shim_file *file, bool signaled, uint32_t *handle)
{
   struct sync_state *state = calloc(1, sizeof(*state));
   struct shim_syncobj *s = object(state);
   if (!s) {
      free(state);
      return -ENOMEM;
   }
   state->has_fence = signaled;
   const int r = add(file, s, handle);
   if (r)
      syncobj_unref(s);
   return r;
}

void syncobj_drop(struct shim_file *file, uint32_t handle)
{
   syncobj_unref(file->syncobjs[handle]);
   file->syncobjs[handle] = NULL;
}

void syncobj_free_all(struct shim_file *file)
{
   for (unsigned i = 1; i < file->max_syncobjs; i++) {
      if (file->syncobjs[i])
         syncobj_unref(file->syncobjs[i]);
   }
   free(file->syncobjs);
   file->syncobjs = NULL;
   file->max_syncobjs = 0;
}

/* --- sharing --- */

static struct sync_state *map_state(int fd)
{
   void *p = real_mmap(NULL, SHIM_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   return p == MAP_FAILED ? NULL : p;
}

static void become_shared(struct shim_syncobj *s, int fd)
{
   s->fd = fd;
   real_fstat_ids(fd, &s->dev, &s->ino, NULL);
   s->next = shared;
   shared = s;
}

int syncobj_export(struct shim_file *file, uint32_t handle)
{
   struct shim_syncobj *s = syncobj_get(file, handle);
   if (s->fd < 0) {
      const int fd = shim_fd_move_high(shim_memfd(SYNCOBJ_NAME, SHIM_PAGE));
      struct sync_state *state = fd < 0 ? NULL : map_state(fd);
      if (!state) {
         if (fd >= 0)
            real_close(fd);
         return fd < 0 ? -EMFILE : -ENOMEM;
      }
      *state = *s->state;
      free(s->state);
      s->state = state;
      become_shared(s, fd);
   }
   const int fd = (int)syscall(SYS_fcntl, s->fd, F_DUPFD_CLOEXEC, 0);
   return fd < 0 ? -errno : fd;
}

static int import(struct shim_file *file, int fd, uint32_t *handle)
{
   dev_t dev;
   ino_t ino;
   off_t size;
   if (!shim_fd_has_name(fd, SYNCOBJ_NAME) || real_fstat_ids(fd, &dev, &ino, &size) != 0 || size != (off_t)SHIM_PAGE)
      return -EINVAL;
   struct shim_syncobj *s = shared;
   while (s && (s->ino != ino || s->dev != dev))
      s = s->next;
   if (s) {
      s->refs++;
   } else {
      const int own = shim_fd_move_high((int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 0));
      struct sync_state *state = own < 0 ? NULL : map_state(own);
      s = object(state);
      if (!s) {
         if (state)
            munmap(state, SHIM_PAGE);
         if (own >= 0)
            real_close(own);
         return -ENOMEM;
      }
      become_shared(s, own);
   }
   const int r = add(file, s, handle);
   if (r)
      syncobj_unref(s);
   return r;
}

static int handle_to_fd(struct shim_file *file, struct drm_syncobj_handle *h)
{
   struct shim_syncobj *s = syncobj_get(file, h->handle);
   if (!s)
      return h->flags ? -ENOENT : -EINVAL;
   int fd;
   if (h->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE) {
      struct shim_fence *f;
      const int r = syncobj_fence(s, 0, &f);
      if (r)
         return r;
      fd = sync_file_new(f);
      fence_unref(f);
   } else {
      fd = syncobj_export(file, h->handle);
   }
   h->fd = fd;
   return fd < 0 ? fd : 0;
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
   struct shim_fence *f = sync_file_fence(h->fd);
   if (!f)
      return -ENOMEM;
   const int r = syncobj_put(s, 0, f);
   fence_unref(f);
   return r;
}

#define LOCKED(expr)                      \
   pthread_mutex_lock(&shim_lock);        \
   const int r = (expr);                  \
   pthread_mutex_unlock(&shim_lock);      \
   return r

int ioctl_syncobj_handle_to_fd(struct shim_file *file, void *arg)
{
   struct drm_syncobj_handle *h = arg;
   if (h->pad || (h->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE))
      return -EINVAL;
   LOCKED(handle_to_fd(file, h));
}

int ioctl_syncobj_fd_to_handle(struct shim_file *file, void *arg)
{
   struct drm_syncobj_handle *h = arg;
   if (h->pad || (h->flags & ~(uint32_t)DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE))
      return -EINVAL;
   LOCKED(fd_to_handle(file, h));
}

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

/* --- arrays of handles (syncobj_ops.c) see the state through these --- */

int syncobj_state(struct shim_syncobj *s, uint64_t point)
{
   lock(s);
   const int e = entry_of(s, point);
   unlock(s);
   return e == -2 ? SYNCOBJ_ABSENT : e == -1 ? SYNCOBJ_DONE : SYNCOBJ_PENDING;
}

void syncobj_reset(struct shim_syncobj *s)
{
   lock(s);
   reset(s);
   unlock(s);
   shim_changed();
}

uint64_t syncobj_point(struct shim_syncobj *s, bool submitted)
{
   lock(s);
   advance(s);
   uint64_t point = s->state->base;
   for (unsigned i = 0; submitted && i < s->state->num; i++) {
      if (s->state->entries[i].point > point)
         point = s->state->entries[i].point;
   }
   unlock(s);
   return point;
}
