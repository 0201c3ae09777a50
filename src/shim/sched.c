/* SPDX-License-Identifier: MIT */
/* Jobs and who runs them. A job is ready when it is the first of its entity
 * (context and ring), its fences are done and the page table changes before it
 * are applied. By default the ioctl that submits a job runs it; with `async` a
 * thread runs them in the order of submission, with `delay` after random times
 * in a random order among those that are ready. */
#define _GNU_SOURCE
#include "fence.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libdrm/amdgpu_drm.h>

static struct shim_job *jobs;      /* in order of submission */
static uint64_t num_submitted;
static bool have_thread;

/* --- jobs --- */

void job_free(struct shim_job *job)
{
   for (unsigned i = 0; i < job->num_bos; i++)
      bo_unref(job->bos[i].bo);
   for (unsigned i = 0; i < job->num_outs; i++)
      syncobj_unref(job->outs[i].syncobj);
   if (job->fence_bo)
      bo_unref(job->fence_bo);
   fence_unref(job->fence);
   fence_unref(job->deps);
   if (job->ctx)
      ctx_unref(job->ctx);
   free(job->bos);
   free(job->ids);
   free(job->outs);
   free(job);
}

static bool uses(const struct shim_job *job, const struct shim_bo *bo)
{
   if (!job->has_list || bo_is_always_valid(bo))
      return true;
   unsigned lo = 0, hi = job->num_bos;
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      if (job->ids[mid] == bo->id)
         return true;
      if (job->ids[mid] < bo->id)
         lo = mid + 1;
      else
         hi = mid;
   }
   return false;
}

int sched_users(struct shim_bo *bo, const struct shim_file *but, struct shim_fence *array)
{
   int r = 0;
   for (struct shim_job *j = jobs; j && r == 0; j = j->next) {
      if (j->file != but && uses(j, bo))
         r = fence_add(array, fence_ref(j->fence));
   }
   if (r == 0 && bo->shared && bo->fd >= 0)
      r = resv_others(bo, array);
   return r;
}

struct shim_fence *sched_fence(const struct shim_entity *e, uint64_t seq)
{
   for (struct shim_job *j = jobs; j; j = j->next) {
      if (j->entity == e && j->seq == seq)
         return fence_ref(j->fence);
   }
   return NULL;
}

static int compare_ids(const void *a, const void *b)
{
   const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
   return (x > y) - (x < y);
}

/* The kernel orders uses of one buffer by several address spaces, unless the
 * buffer's flag says that its users do. Within one the program must. */
static int prepare(struct shim_job *job)
{
   int r = 0;
   job->ids = malloc((job->num_bos + 1) * sizeof(*job->ids));
   if (!job->ids)
      return -ENOMEM;
   for (unsigned i = 0; i < job->num_bos && r == 0; i++) {
      struct shim_bo *bo = job->bos[i].bo;
      job->ids[i] = bo->id;
      job->bos[i].slot = SHIM_NO_SLOT;
      if (bo->shared && bo->fd >= 0 && !(bo->meta->flags & AMDGPU_GEM_CREATE_EXPLICIT_SYNC))
         r = sched_users(bo, job->file, job->deps);
   }
   qsort(job->ids, job->num_bos, sizeof(*job->ids), compare_ids);
   return r;
}

/* --- running --- */

static bool is_ready(struct shim_job *job)
{
   return !job->running && job->entity->done + 1 == job->seq && job->file->va_applied >= job->va_ops &&
          fence_done(job->deps);
}

static int execute(const struct shim_job *job)
{
   static const uint8_t ips[] = { [AMDGPU_HW_IP_GFX] = TGSIAMD_MODEL_GFX,
                                  [AMDGPU_HW_IP_COMPUTE] = TGSIAMD_MODEL_COMPUTE,
                                  [AMDGPU_HW_IP_DMA] = TGSIAMD_MODEL_SDMA };
   const uint64_t reset_at = tgsiamd_model_kernel_options(shim_model())->reset_at;
   int r = 0;
   if (job->number == reset_at) {
      fprintf(stderr, "tgsiamd-model: submission %llu hangs, as asked for\n", (unsigned long long)reset_at);
      return -ETIME;
   }
   for (unsigned i = 0, n; i < job->num_ibs && r == 0; i += n) {
      for (n = 1; i + n < job->num_ibs && job->ip[i + n] == job->ip[i]; n++)
         ;
      /* Without any list every buffer of the address space is resident. */
      r = tgsiamd_model_submit(shim_model(), job->file->vm, ips[job->ip[i]], job->ibs + i, n,
                               job->has_list ? job->ids : NULL, job->num_bos);
   }
   return r;
}

static void complete(struct shim_job *job, int error)
{
   struct shim_file *file = job->file;
   for (struct shim_job **p = &jobs; *p; p = &(*p)->next) {
      if (*p == job) {
         *p = job->next;
         break;
      }
   }
   job->entity->done = job->seq;
   if (error && !job->entity->bad)
      job->entity->bad = job->seq;
   job->fence->error = error ? -ECANCELED : 0;
   job->fence->done = true;
   /* The kernel's user fence: a reset signals it as well. */
   if (job->fence_bo)
      __atomic_store_n((uint64_t *)((char *)job->fence_bo->host + job->fence_offset), job->seq, __ATOMIC_RELEASE);
   for (unsigned i = 0; i < job->num_bos; i++)
      resv_end(job->bos[i].bo, job->bos[i].slot, job->entity->owner, job->seq);
   job_free(job);
   va_apply(file);
   fence_run_watches();
   shim_changed();
   file_put_locked(file);
}

/* A hang is the end of its context: what is still queued there is canceled. */
static void run(struct shim_job *job)
{
   int error = -ECANCELED;
   job->running = true;
   if (!job->ctx->guilty) {
      pthread_mutex_unlock(&shim_lock);
      error = execute(job);
      pthread_mutex_lock(&shim_lock);
      if (error) {
         job->ctx->guilty = true;
         job->ctx->hangs++;
         shim_reset_counter++;
      }
   }
   if (!error)
      cpu_submitted(job);
   complete(job, error);
}

/* --- the thread --- */

static uint64_t random_next(void)
{
   static uint64_t state;
   if (!state)
      state = tgsiamd_model_kernel_options(shim_model())->seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return state * 0x2545f4914f6cdd1dull >> 32;
}

/* Half of the jobs start soon, a few late enough for a program to go on for
 * several frames. */
static void random_pause(void)
{
   const uint64_t r = random_next(), dice = r % 16, part = r / 16 % 1024;
   const long us = (long)(dice < 8 ? part / 4 : dice < 15 ? 4 * part : 5000 + 15 * part);
   const struct timespec ts = { 0, us * 1000 };
   pthread_mutex_unlock(&shim_lock);
   nanosleep(&ts, NULL);
   pthread_mutex_lock(&shim_lock);
}

static struct shim_job *pick(bool at_random)
{
   struct shim_job *choice = NULL;
   unsigned num = 0;
   for (struct shim_job *j = jobs; j; j = j->next) {
      if (!is_ready(j))
         continue;
      if (!at_random)
         return j;
      if (random_next() % ++num == 0)
         choice = j;
   }
   return choice;
}

static void *thread_main(void *arg)
{
   (void)arg;
   const struct tgsiamd_model_kernel_options *k = tgsiamd_model_kernel_options(shim_model());
   pthread_mutex_lock(&shim_lock);
   for (;;) {
      fence_run_watches();
      if (k->async && pick(false)) {
         if (k->delay)
            random_pause();
         struct shim_job *job = pick(k->delay);
         if (job)
            run(job);
         continue;
      }
      shim_sleep(INT64_MAX);
   }
   return NULL;
}

void sched_need_thread(void)
{
   pthread_t thread;
   sigset_t all, old;
   if (have_thread)
      return;
   /* Signals are the program's. */
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   have_thread = pthread_create(&thread, NULL, thread_main, NULL) == 0;
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   if (have_thread) {
      pthread_setname_np(thread, "tgsiamd-gpu");
      pthread_detach(thread);
   } else {
      fprintf(stderr, "tgsiamd-model: no thread for the GPU\n");
   }
}

/* --- submission --- */

int sched_submit(struct shim_job *job, uint64_t *seq)
{
   const bool async = tgsiamd_model_kernel_options(shim_model())->async;
   const int r = prepare(job);
   if (r) {
      job_free(job);
      return r;
   }
   struct shim_job **end = &jobs;
   while (*end)
      end = &(*end)->next;
   *end = job;
   job->file->busy++;
   job->number = ++num_submitted;
   *seq = job->seq = ++job->entity->seq;
   job->va_ops = job->file->va_issued;
   for (unsigned i = 0; i < job->num_bos; i++) {
      if (job->bos[i].bo->shared && job->bos[i].bo->fd >= 0)
         job->bos[i].slot = resv_begin(job->bos[i].bo, job->entity->owner, job->seq);
   }
   struct shim_fence *fence = fence_ref(job->fence);
   struct shim_job_out *outs = job->outs;
   const unsigned num_outs = job->num_outs;
   const bool userptr = job->userptr;
   job->outs = NULL;
   job->num_outs = 0;
   if (!async) {
      while (!is_ready(job))
         shim_sleep(INT64_MAX);
      run(job); /* so the objects below get a fence that is done */
   } else {
      sched_need_thread();
      shim_changed();
   }
   for (unsigned i = 0; i < num_outs; i++) {
      syncobj_put(outs[i].syncobj, outs[i].point, fence);
      syncobj_unref(outs[i].syncobj);
   }
   free(outs);
   /* Memory of the program's may be gone before the GPU comes to it; the kernel
    * waits for the GPU when that happens, here the submission does. */
   if (userptr)
      fence_wait(fence, INT64_MAX);
   fence_unref(fence);
   return 0;
}

void sched_drain(unsigned ms)
{
   const int64_t deadline = shim_now_ns() + ms * 1000000ll;
   while ((jobs || fence_run_watches()) && shim_sleep(deadline))
      ;
}

uint64_t sched_last_number(void)
{
   return num_submitted;
}

uint64_t sched_first_number(const struct shim_file *file)
{
   for (const struct shim_job *j = jobs; j; j = j->next) {
      if (j->file == file)
         return j->number;
   }
   return UINT64_MAX;
}

/* The child of a fork has no GPU thread and no jobs: those are the parent's. */
void sched_after_fork(void)
{
   have_thread = false;
   fence_after_fork();
   while (jobs) {
      struct shim_job *j = jobs;
      jobs = j->next;
      j->entity->done = j->seq;
      j->fence->done = true;
      j->file->busy--;
      job_free(j);
   }
}
