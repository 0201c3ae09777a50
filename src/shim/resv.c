/* SPDX-License-Identifier: MIT */
/* Who uses a shared buffer: slots in the buffer's metadata page, one for each
 * queue of each process, with the last job submitted and the last one done.
 * The kernel's counterpart is the buffer's reservation object. */
#include "fence.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool shim_process_lives(uint32_t pid)
{
   char path[40], text[256];
   snprintf(path, sizeof(path), "/proc/%u/stat", pid);
   FILE *f = fopen(path, "r");
   if (!f)
      return false;
   const size_t n = fread(text, 1, sizeof(text) - 1, f);
   fclose(f);
   text[n] = 0;
   const char *paren = strrchr(text, ')');
   return paren && paren[1] && paren[2] != 'Z' && paren[2] != 'X';
}

static void lock(struct bo_meta *m)
{
   const uint32_t self = (uint32_t)getpid();
   for (unsigned tries = 0;; tries++) {
      uint32_t holder = 0;
      if (__atomic_compare_exchange_n(&m->slot_lock, &holder, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
         return;
      /* A process that died with the lock. */
      if (tries % 4096 == 4095 && !shim_process_lives(holder))
         __atomic_compare_exchange_n(&m->slot_lock, &holder, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      sched_yield();
   }
}

static void unlock(struct bo_meta *m)
{
   __atomic_store_n(&m->slot_lock, 0, __ATOMIC_RELEASE);
}

static bool idle(const struct bo_slot *s)
{
   return !s->owner || __atomic_load_n(&s->done, __ATOMIC_ACQUIRE) >= s->submitted;
}

unsigned resv_begin(struct shim_bo *bo, uint64_t owner, uint64_t serial)
{
   struct bo_slot *slots = bo->meta->slots;
   unsigned found = SHIM_NO_SLOT;
   lock(bo->meta);
   for (unsigned i = 0; i < SHIM_BO_SLOTS; i++) {
      if (slots[i].owner == owner) {
         found = i;
         break;
      }
      if (found == SHIM_NO_SLOT && (idle(&slots[i]) || !shim_process_lives((uint32_t)(slots[i].owner >> 32))))
         found = i;
   }
   if (found != SHIM_NO_SLOT) {
      struct bo_slot *s = &slots[found];
      if (s->owner != owner)
         *s = (struct bo_slot){ .owner = owner };
      s->submitted = serial;
   }
   unlock(bo->meta);
   return found;
}

void resv_end(struct shim_bo *bo, unsigned slot, uint64_t owner, uint64_t serial)
{
   if (slot == SHIM_NO_SLOT)
      return;
   struct bo_slot *s = &bo->meta->slots[slot];
   lock(bo->meta);
   if (s->owner == owner)
      __atomic_store_n(&s->done, serial, __ATOMIC_RELEASE);
   unlock(bo->meta);
}

bool resv_slot_done(struct shim_bo *bo, unsigned slot, uint64_t owner, uint64_t serial)
{
   const struct bo_slot *s = &bo->meta->slots[slot];
   lock(bo->meta);
   const bool done = s->owner != owner || s->done >= serial;
   unlock(bo->meta);
   return done || !shim_process_lives((uint32_t)(owner >> 32));
}

int resv_others(struct shim_bo *bo, struct shim_fence *array)
{
   const uint32_t self = (uint32_t)getpid();
   int r = 0;
   lock(bo->meta);
   for (unsigned i = 0; i < SHIM_BO_SLOTS && r == 0; i++) {
      const struct bo_slot *s = &bo->meta->slots[i];
      if (idle(s) || s->owner >> 32 == self)
         continue;
      struct shim_fence *f = fence_new(FENCE_RESV);
      if (f) {
         bo->refs++;
         f->bo = bo;
         f->slot = i;
         f->owner = s->owner;
         f->serial = s->submitted;
      }
      r = fence_add(array, f);
   }
   unlock(bo->meta);
   return r;
}
