/* SPDX-License-Identifier: MIT */
/* Fences: one's own job, a point of a sync object, another process's use of a
 * buffer, a sync file, or several of them. All are guarded by shim_lock. What
 * must be told of a fence's end outside this process is on the watch list. */
#define _GNU_SOURCE
#include "fence.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pthread_cond_t changed;
static unsigned num_foreign;   /* fences alive that others end: waits must look again */

struct watch {
   struct watch *next;
   struct shim_fence *fence;
   struct shim_syncobj *syncobj; /* NULL: a sync file */
   uint64_t entry;
   int fd;
};
static struct watch *watches;

__attribute__((constructor)) static void fence_init(void)
{
   pthread_condattr_t attr;
   pthread_condattr_init(&attr);
   pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
   pthread_cond_init(&changed, &attr);
   pthread_condattr_destroy(&attr);
}

struct shim_fence *fence_new(enum fence_kind kind)
{
   struct shim_fence *f = calloc(1, sizeof(*f));
   if (!f)
      return NULL;
   f->refs = 1;
   f->kind = kind;
   f->fd = -1;
   num_foreign += kind == FENCE_SYNCOBJ || kind == FENCE_RESV || kind == FENCE_FILE;
   return f;
}

struct shim_fence *fence_ref(struct shim_fence *f)
{
   if (f)
      f->refs++;
   return f;
}

void fence_unref(struct shim_fence *f)
{
   if (!f || --f->refs)
      return;
   num_foreign -= f->kind == FENCE_SYNCOBJ || f->kind == FENCE_RESV || f->kind == FENCE_FILE;
   for (unsigned i = 0; i < f->num_parts; i++)
      fence_unref(f->parts[i]);
   free(f->parts);
   if (f->syncobj)
      syncobj_unref(f->syncobj);
   if (f->bo)
      bo_unref(f->bo);
   if (f->fd >= 0)
      real_close(f->fd);
   free(f);
}

int fence_add(struct shim_fence *array, struct shim_fence *part)
{
   if (!part)
      return -ENOMEM;
   struct shim_fence **p = realloc(array->parts, (array->num_parts + 1) * sizeof(*p));
   if (!p) {
      fence_unref(part);
      return -ENOMEM;
   }
   array->parts = p;
   p[array->num_parts++] = part;
   return 0;
}

static bool look(struct shim_fence *f)
{
   switch (f->kind) {
   case FENCE_JOB:
      return f->done;
   case FENCE_SYNCOBJ:
      return syncobj_entry_done(f->syncobj, f->serial, &f->error);
   case FENCE_RESV:
      return resv_slot_done(f->bo, f->slot, f->owner, f->serial);
   case FENCE_FILE:
      return sync_file_status(f->fd, &f->error) != 0;
   case FENCE_ARRAY:
      for (unsigned i = 0; i < f->num_parts; i++) {
         if (!fence_done(f->parts[i]))
            return false;
         if (f->parts[i]->error)
            f->error = f->parts[i]->error;
      }
      return true;
   }
   return true;
}

bool fence_done(struct shim_fence *f)
{
   if (!f->done)
      f->done = look(f);
   return f->done;
}

/* --- waiting --- */

void shim_changed(void)
{
   pthread_cond_broadcast(&changed);
}

bool shim_sleep(int64_t deadline_ns)
{
   const int64_t now = shim_now_ns();
   if (deadline_ns <= now)
      return false;
   /* What other processes do is seen by looking again. */
   int64_t until = num_foreign || syncobj_any_shared() ? now + 1000000 : now + 1000000000;
   if (until > deadline_ns)
      until = deadline_ns;
   const struct timespec ts = { until / 1000000000, until % 1000000000 };
   pthread_cond_timedwait(&changed, &shim_lock, &ts);
   return true;
}

bool fence_wait(struct shim_fence *f, int64_t deadline_ns)
{
   while (!fence_done(f)) {
      if (!shim_sleep(deadline_ns))
         return fence_done(f);
   }
   return true;
}

/* --- the watch list --- */

static int watch(struct shim_fence *f, struct shim_syncobj *syncobj, uint64_t entry, int fd)
{
   struct watch *w = malloc(sizeof(*w));
   if (!w)
      return -ENOMEM;
   *w = (struct watch){ watches, fence_ref(f), syncobj, entry, fd };
   if (syncobj)
      syncobj_ref(syncobj);
   watches = w;
   sched_need_thread();
   return 0;
}

int fence_watch_syncobj(struct shim_fence *f, struct shim_syncobj *syncobj, uint64_t entry)
{
   return watch(f, syncobj, entry, -1);
}

int fence_watch_file(struct shim_fence *f, int fd)
{
   return watch(f, NULL, 0, fd);
}

struct shim_fence *fence_watched(const struct shim_syncobj *syncobj, uint64_t entry)
{
   for (struct watch *w = watches; w; w = w->next) {
      if (w->syncobj == syncobj && w->entry == entry)
         return w->fence;
   }
   return NULL;
}

static void drop(struct watch *w)
{
   fence_unref(w->fence);
   if (w->syncobj)
      syncobj_unref(w->syncobj);
   if (w->fd >= 0)
      real_close(w->fd);
   free(w);
}

bool fence_run_watches(void)
{
   for (struct watch **p = &watches, *w; (w = *p);) {
      if (!fence_done(w->fence)) {
         p = &w->next;
         continue;
      }
      *p = w->next;
      if (w->syncobj)
         syncobj_entry_finish(w->syncobj, w->entry, w->fence->error);
      else
         sync_file_signal(w->fd, w->fence->error);
      if (!w->syncobj)
         cpu_waited(); /* who polls it needs no ioctl */
      drop(w);
      shim_changed();
   }
   return watches != NULL;
}

void fence_after_fork(void)
{
   fence_init(); /* with waiters that are not here */
   while (watches) {
      struct watch *w = watches;
      watches = w->next;
      drop(w);
   }
}
