/* SPDX-License-Identifier: MIT */
/* The ring of jobs: three counters that only grow. Jobs below `claimed` have a
 * thread; those from `taken` to `added` are in the ring. Threads without work
 * sleep. */
#include "workers.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WAKE_AT 32      /* jobs that wait before a thread is woken: waking costs as much as a short wave */
#define SPIN    400         /* looks before the owner sleeps */

struct worker { struct workers *w; unsigned index; pthread_t thread; };

struct workers {
   workers_job run;
   void *ctx;
   unsigned wanted, num;
   pid_t pid;                       /* in which the threads are */
   struct worker thread[WORKERS_MAX];
   pthread_mutex_t lock;
   pthread_cond_t work, done;
   bool quit;
   unsigned sleeping;               /* threads; bit patterns of these are read without the lock */
   unsigned owner_sleeps;
   uint64_t added __attribute__((aligned(64)));
   uint64_t claimed __attribute__((aligned(64)));
   uint64_t taken;                  /* the owner's */
   uint8_t ready[WORKERS_RING];
};

#define LOAD(x)     __atomic_load_n(&(x), __ATOMIC_SEQ_CST)
#define STORE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_SEQ_CST)

static bool claim(struct workers *w, unsigned *slot)
{
   uint64_t c = LOAD(w->claimed);
   do {
      if (c == LOAD(w->added))
         return false;
   } while (!__atomic_compare_exchange_n(&w->claimed, &c, c + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
   *slot = c % WORKERS_RING;
   return true;
}

static void *thread_main(void *arg)
{
   struct worker *self = arg;
   struct workers *w = self->w;
   unsigned slot;

   for (;;) {
      while (claim(w, &slot)) {
         w->run(w->ctx, self->index, slot);
         STORE(w->ready[slot], 1);
         if (LOAD(w->owner_sleeps)) {
            pthread_mutex_lock(&w->lock);
            pthread_cond_signal(&w->done);
            pthread_mutex_unlock(&w->lock);
         }
      }
      pthread_mutex_lock(&w->lock);
      STORE(w->sleeping, w->sleeping + 1);
      while (!w->quit && LOAD(w->claimed) == LOAD(w->added))
         pthread_cond_wait(&w->work, &w->lock);
      STORE(w->sleeping, w->sleeping - 1);
      const bool quit = w->quit;
      pthread_mutex_unlock(&w->lock);
      if (quit)
         return NULL;
   }
}

struct workers *workers_create(unsigned threads, workers_job run, void *ctx)
{
   struct workers *w = aligned_alloc(64, (sizeof(*w) + 63) & ~(size_t)63);

   if (!w)
      return NULL;
   memset(w, 0, sizeof(*w));
   w->run = run;
   w->ctx = ctx;
   w->wanted = threads < WORKERS_MAX ? threads : WORKERS_MAX;
   return w;
}

void workers_destroy(struct workers *w)
{
   if (!w)
      return;
   if (w->num && w->pid == getpid()) {
      pthread_mutex_lock(&w->lock);
      w->quit = true;
      pthread_cond_broadcast(&w->work);
      pthread_mutex_unlock(&w->lock);
      for (unsigned i = 0; i < w->num; i++)
         pthread_join(w->thread[i].thread, NULL);
      pthread_cond_destroy(&w->work);
      pthread_cond_destroy(&w->done);
      pthread_mutex_destroy(&w->lock);
   }
   free(w);
}

bool workers_start(struct workers *w)
{
   sigset_t all, old;

   if (w->pid == getpid())
      return w->num;
   pthread_mutex_init(&w->lock, NULL);
   pthread_cond_init(&w->work, NULL);
   pthread_cond_init(&w->done, NULL);
   w->pid = getpid();
   w->num = w->sleeping = w->owner_sleeps = 0;
   w->added = w->claimed = w->taken = 0;
   memset(w->ready, 0, sizeof(w->ready));
   /* The program's signal handlers run in the program's threads, except for what
    * a thread does itself. */
   sigfillset(&all);
   sigdelset(&all, SIGSEGV);
   sigdelset(&all, SIGBUS);
   sigdelset(&all, SIGILL);
   sigdelset(&all, SIGFPE);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   while (w->num < w->wanted) {
      struct worker *t = &w->thread[w->num];
      *t = (struct worker){ .w = w, .index = w->num + 1 };
      if (pthread_create(&t->thread, NULL, thread_main, t))
         break;
      pthread_setname_np(t->thread, "tgsiamd-sq");
      w->num++;
   }
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return w->num;
}

unsigned workers_next(const struct workers *w) { return w->added % WORKERS_RING; }
bool workers_full(const struct workers *w) { return w->added - w->taken == WORKERS_RING; }
bool workers_empty(const struct workers *w) { return w->added == w->taken; }

static void wake(struct workers *w, unsigned at)
{
   if (LOAD(w->sleeping) && w->added - LOAD(w->claimed) >= at) {
      pthread_mutex_lock(&w->lock);
      pthread_cond_signal(&w->work);
      pthread_mutex_unlock(&w->lock);
   }
}

void workers_add(struct workers *w)
{
   w->ready[w->added % WORKERS_RING] = 0;
   STORE(w->added, w->added + 1);
   wake(w, WAKE_AT);
}

static void sleep_until(struct workers *w, unsigned slot)
{
   for (unsigned i = 0; i < SPIN; i++) {
      if (LOAD(w->ready[slot]))
         return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
   }
   pthread_mutex_lock(&w->lock);
   STORE(w->owner_sleeps, 1);
   while (!LOAD(w->ready[slot]))
      pthread_cond_wait(&w->done, &w->lock);
   STORE(w->owner_sleeps, 0);
   pthread_mutex_unlock(&w->lock);
}

enum workers_state workers_oldest(struct workers *w, bool wait, unsigned *slot)
{
   uint64_t oldest = w->taken;
   unsigned other;

   *slot = oldest % WORKERS_RING;
   if (wait)
      wake(w, 2);
   for (;;) {
      if (LOAD(w->claimed) > oldest && LOAD(w->ready[*slot]))
         return WORKERS_DONE;
      if (!wait)
         return WORKERS_BUSY;
      if (LOAD(w->claimed) == oldest) {
         uint64_t expected = oldest;
         if (__atomic_compare_exchange_n(&w->claimed, &expected, oldest + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return WORKERS_YOURS;
      } else if (claim(w, &other)) {
         w->run(w->ctx, 0, other);
         STORE(w->ready[other], 1);
      } else {
         sleep_until(w, *slot);
      }
   }
}

void workers_take(struct workers *w) { w->taken++; }
