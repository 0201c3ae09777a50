/* SPDX-License-Identifier: MIT */
/* Visibility to the CPU: what a submission wrote may be read by the program only
 * after it has waited. Pages of buffers that the program has mapped and that the
 * GPU wrote are taken away until it waits; an access before that comes here as a
 * fault, is reported if the GPU wrote these very bytes, and goes on.
 *
 * A wait is any wait that an ioctl or sync file answers with "done", and a look
 * at the user fence, which lies in memory: its page is taken away as well. What
 * the CP and events write is left out: programs may poll labels and results. */
#define _GNU_SOURCE
#include "fence.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define MAX_MAPPINGS 4096
#define MAX_GUARDS   48 /* each may split a mapping of the process in three */

struct mapping { uintptr_t lo, hi; uint64_t offset; uint32_t bo; };

struct guard {
   uintptr_t page_lo, page_hi; /* taken away */
   uintptr_t lo, hi;           /* written by the GPU; empty: a user fence */
   uint64_t va;                /* of lo */
   uint64_t submission;
};

static int locked;             /* a spin lock: taken in a signal handler */
static struct mapping mappings[MAX_MAPPINGS];
static unsigned num_mappings;
static struct guard guards[MAX_GUARDS];
static unsigned num_guards;
static struct sigaction before;

static void lock(void)
{
   while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
      ;
}

static void unlock(void)
{
   __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

static void give_back(unsigned i)
{
   mprotect((void *)guards[i].page_lo, guards[i].page_hi - guards[i].page_lo, PROT_READ | PROT_WRITE);
   guards[i] = guards[--num_guards];
}

/* --- faults --- */

static bool is_write(const ucontext_t *uc)
{
#if defined(__x86_64__)
   return uc->uc_mcontext.gregs[REG_ERR] & 2;
#else
   (void)uc;
   return false;
#endif
}

/* Given back by another thread between the fault and now: the access works when
 * it is tried again. More often than this it is another kind of fault. */
#define MAX_RETRIES 1000

static bool was_ours(uintptr_t at)
{
   static _Thread_local uintptr_t last;
   static _Thread_local unsigned retries;
   retries = at == last ? retries + 1 : 0;
   last = at;
   for (unsigned i = 0; i < num_mappings; i++) {
      if (at >= mappings[i].lo && at < mappings[i].hi)
         return retries < MAX_RETRIES;
   }
   return false;
}

/* True: it was a guard's page. *hit is set when the GPU wrote that byte. */
static bool access_at(uintptr_t at, struct guard *hit)
{
   bool ours = false;
   lock();
   for (unsigned i = 0; i < num_guards && !ours; i++) {
      const struct guard g = guards[i];
      if (at < g.page_lo || at >= g.page_hi)
         continue;
      ours = true;
      if (g.lo == g.hi) { /* the program looks at a fence */
         while (num_guards)
            give_back(num_guards - 1);
         break;
      }
      if (at >= g.lo && at < g.hi)
         *hit = g;
      give_back(i);
   }
   if (!ours)
      ours = was_ours(at);
   unlock();
   return ours;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
   struct guard hit = { 0 };
   const uintptr_t at = (uintptr_t)info->si_addr;
   if (access_at(at, &hit)) {
      if (hit.hi)
         tgsiamd_model_cpu_access(shim_model(), hit.va + (at - hit.lo), is_write(context), hit.submission);
      return;
   }
   if (before.sa_flags & SA_SIGINFO) {
      before.sa_sigaction(sig, info, context);
   } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
      before.sa_handler(sig);
   } else { /* the instruction faults again, as without us */
      signal(sig, SIG_DFL);
   }
}

/* Programs that set a handler of their own afterwards lose the check: then a
 * fault must not happen either. */
static bool have_handler(void)
{
   static bool asked;
   struct sigaction now;
   if (!asked) {
      const struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK };
      asked = sigaction(SIGSEGV, &act, &before) == 0;
   }
   return asked && sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault;
}

/* --- mappings --- */

void cpu_mapped(void *addr, size_t length, const struct shim_bo *bo, uint64_t offset, bool writable)
{
   lock();
   if (num_mappings < MAX_MAPPINGS && writable)
      mappings[num_mappings++] = (struct mapping){ (uintptr_t)addr, (uintptr_t)addr + length, offset, bo->id };
   unlock();
}

void cpu_unmapped(void *addr, size_t length)
{
   const uintptr_t lo = (uintptr_t)addr, hi = lo + length;
   lock();
   for (unsigned i = 0; i < num_guards;) {
      if (guards[i].page_lo < hi && guards[i].page_hi > lo)
         give_back(i);
      else
         i++;
   }
   for (unsigned i = 0; i < num_mappings;) {
      if (mappings[i].lo < hi && mappings[i].hi > lo)
         mappings[i] = mappings[--num_mappings];
      else
         i++;
   }
   unlock();
}

/* --- submissions --- */

static void take_away(uint32_t bo, uint64_t offset, uint64_t size, uint64_t va, uint64_t submission)
{
   for (unsigned i = 0; i < num_mappings; i++) {
      const struct mapping *m = &mappings[i];
      const uint64_t end = m->offset + (m->hi - m->lo);
      if (m->bo != bo || offset >= end || offset + (size ? size : 1) <= m->offset)
         continue;
      const uint64_t from = offset > m->offset ? offset : m->offset, to = offset + size < end ? offset + size : end;
      struct guard g = { .lo = m->lo + (from - m->offset), .va = va + (from - offset), .submission = submission };
      g.hi = size ? m->lo + (to - m->offset) : g.lo;
      g.page_lo = g.lo & ~(SHIM_PAGE - 1);
      g.page_hi = (g.hi + (g.hi == g.lo) + SHIM_PAGE - 1) & ~(SHIM_PAGE - 1);
      if (num_guards == MAX_GUARDS)
         give_back(0);
      if (mprotect((void *)g.page_lo, g.page_hi - g.page_lo, PROT_NONE) == 0)
         guards[num_guards++] = g;
   }
}

/* The GPU wrote [va, va + size): where that lies in buffers. shim_lock is held. */
static void on_wrote(void *ctx, uint64_t va, uint64_t size)
{
   const struct shim_job *job = ctx;
   const struct shim_file *file = job->file;
   va &= 0xffffffffffffull;
   for (unsigned i = 0; i < file->num_maps; i++) {
      const struct shim_mapping *m = &file->maps[i];
      const uint64_t start = m->va & 0xffffffffffffull, end = start + m->size;
      if (!m->bo || m->bo->userptr || start >= va + size || end <= va)
         continue;
      const uint64_t lo = va > start ? va : start, hi = va + size < end ? va + size : end;
      take_away(m->bo->id, m->offset + (lo - start), hi - lo, lo, job->number);
   }
}

void cpu_submitted(const struct shim_job *job)
{
   if (!num_mappings || !have_handler())
      return;
   lock();
   tgsiamd_model_cpu_writes(shim_model(), on_wrote, (void *)job);
   if (num_guards && job->fence_bo)
      take_away(job->fence_bo->id, job->fence_offset, 0, 0, job->number);
   unlock();
}

void cpu_waited(void)
{
   if (!__atomic_load_n(&num_guards, __ATOMIC_RELAXED))
      return;
   lock();
   while (num_guards)
      give_back(num_guards - 1);
   unlock();
}
