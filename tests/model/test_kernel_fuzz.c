/* SPDX-License-Identifier: MIT */
/* Random ioctls with arguments that are often half right. Nothing is expected
 * of their answers: the process lives, and a plain submission works after it. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "kernel_device.h"

#define CALLS 20000

static const unsigned long requests[] = {
   DRM_IOCTL_VERSION, DRM_IOCTL_GET_CAP, DRM_IOCTL_GEM_CLOSE, DRM_IOCTL_PRIME_HANDLE_TO_FD,
   DRM_IOCTL_PRIME_FD_TO_HANDLE, DRM_IOCTL_AMDGPU_GEM_CREATE, DRM_IOCTL_AMDGPU_GEM_MMAP, DRM_IOCTL_AMDGPU_GEM_METADATA,
   DRM_IOCTL_AMDGPU_GEM_OP, DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, DRM_IOCTL_AMDGPU_GEM_USERPTR, DRM_IOCTL_AMDGPU_GEM_VA,
   DRM_IOCTL_AMDGPU_INFO, DRM_IOCTL_AMDGPU_CTX, DRM_IOCTL_AMDGPU_VM, DRM_IOCTL_AMDGPU_BO_LIST, DRM_IOCTL_AMDGPU_CS,
   DRM_IOCTL_AMDGPU_WAIT_CS, DRM_IOCTL_AMDGPU_WAIT_FENCES, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, DRM_IOCTL_SYNCOBJ_CREATE,
   DRM_IOCTL_SYNCOBJ_DESTROY, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, DRM_IOCTL_SYNCOBJ_WAIT,
   DRM_IOCTL_SYNCOBJ_RESET, DRM_IOCTL_SYNCOBJ_SIGNAL, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, DRM_IOCTL_SYNCOBJ_QUERY,
   DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, DRM_IOCTL_SYNCOBJ_TRANSFER,
};

static uint64_t state = 88172645463325252ull;
static uint32_t small[64];  /* handles and the like, what pointers point at */
static uint64_t answers[256];
static struct buffer b[2];

static uint64_t next(void)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return state * 0x2545f4914f6cdd1dull >> 16;
}

static uint64_t value(void)
{
   switch (next() % 11) {
   case 0: return 0;
   case 1: return next() % 8;
   case 2: return next() % 40;
   case 3: return 1u << next() % 32;
   case 4: return (uintptr_t)small;
   case 5: return (uintptr_t)answers;
   case 6: return 4096 * (next() % 16);
   case 7: return ~0ull;
   case 8: return 0x700000000000ull + 4096 * (next() % 8);
   case 9: return next();
   default: return 1 + next() % 3;
   }
}

/* Pointers that the kernel writes to must not hit the test itself, and no wait
 * may last. */
static void tame(unsigned long request, void *arg)
{
   switch (request) {
   case DRM_IOCTL_AMDGPU_WAIT_CS: ((union drm_amdgpu_wait_cs *)arg)->in.timeout = 0; break;
   case DRM_IOCTL_AMDGPU_WAIT_FENCES: ((union drm_amdgpu_wait_fences *)arg)->in.timeout_ns = 0; break;
   case DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE: ((union drm_amdgpu_gem_wait_idle *)arg)->in.timeout = 0; break;
   case DRM_IOCTL_SYNCOBJ_WAIT: ((struct drm_syncobj_wait *)arg)->timeout_nsec = 0; break;
   case DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT: ((struct drm_syncobj_timeline_wait *)arg)->timeout_nsec = 0; break;
   case DRM_IOCTL_SYNCOBJ_TRANSFER: ((struct drm_syncobj_transfer *)arg)->flags = 0; break;
   case DRM_IOCTL_AMDGPU_GEM_OP:
      ((struct drm_amdgpu_gem_op *)arg)->value = next() % 2 ? (uintptr_t)answers : next() % 8;
      break;
   case DRM_IOCTL_AMDGPU_GEM_USERPTR:
      ((struct drm_amdgpu_gem_userptr *)arg)->addr = (uintptr_t)answers & ~4095ull;
      break;
   case DRM_IOCTL_SYNCOBJ_QUERY: {
      struct drm_syncobj_timeline_array *a = arg;
      a->handles = (uintptr_t)small;
      a->points = (uintptr_t)answers;
      a->count_handles %= 40;
      break;
   }
   case DRM_IOCTL_AMDGPU_INFO: {
      struct drm_amdgpu_info *i = arg;
      i->query = next() % 0x24;
      i->return_pointer = (uintptr_t)answers;
      i->return_size %= sizeof(answers);
      break;
   }
   case DRM_IOCTL_VERSION: {
      struct drm_version *v = arg;
      v->name = v->date = v->desc = (char *)answers;
      v->name_len = v->date_len = v->desc_len = next() % 64;
      break;
   }
   }
}

static void submission(union drm_amdgpu_cs *cs)
{
   static struct drm_amdgpu_cs_chunk chunks[4];
   static struct drm_amdgpu_cs_chunk_ib ib;
   static struct drm_amdgpu_bo_list_in list;
   static uint64_t pointers[4];
   ib = (struct drm_amdgpu_cs_chunk_ib){ .va_start = b[0].va, .ib_bytes = 20, .ip_type = next() % 3,
                                         .ring = next() % 3 };
   list = (struct drm_amdgpu_bo_list_in){ .bo_number = next() % 4, .bo_info_size = 8, .bo_info_ptr = (uintptr_t)small };
   for (unsigned k = 0; k < 4; k++) {
      const void *data = next() % 2 ? (void *)small : answers;
      chunks[k] = (struct drm_amdgpu_cs_chunk){ next() % 11, next() % 24, (uintptr_t)data };
      pointers[k] = (uintptr_t)&chunks[k];
      if (chunks[k].chunk_id == AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT) {
         chunks[k].chunk_data = (uintptr_t)small;
         for (unsigned i = 1; i < 64; i += 4)
            small[i] = 0; /* not for points that never come */
      }
   }
   chunks[0] = (struct drm_amdgpu_cs_chunk){ AMDGPU_CHUNK_ID_IB, sizeof(ib) / 4, (uintptr_t)&ib };
   if (next() % 2)
      chunks[1] = (struct drm_amdgpu_cs_chunk){ AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(list) / 4, (uintptr_t)&list };
   cs->in = (struct drm_amdgpu_cs_in){ .ctx_id = 1 + (uint32_t)next() % 4, .num_chunks = 1 + (uint32_t)next() % 4,
                                       .bo_list_handle = next() % 8 ? 0 : next() % 4, .chunks = (uintptr_t)pointers };
}

static void test_random(void)
{
   unsigned taken = 0;
   b[0] = buffer_new(4096);
   b[1] = buffer_new(8192);
   const unsigned n = write_data(b[0].map, b[1].va, 1);
   for (unsigned i = 0; i < CALLS; i++) {
      uint64_t arg[64];
      for (unsigned k = 0; k < 64; k++) {
         arg[k] = next() % 2 ? value() : (value() & 0xffffffff) | value() << 32;
         small[k] = next() % 6;
         answers[k] = value();
      }
      const unsigned long request = requests[next() % (sizeof(requests) / sizeof(requests[0]))];
      tame(request, arg);
      if (request == DRM_IOCTL_AMDGPU_CS)
         submission((union drm_amdgpu_cs *)arg);
      if (ioctl(fd, request, arg))
         continue;
      taken++;
      /* what was exported comes back, sometimes as the wrong kind */
      struct drm_prime_handle prime;
      struct drm_syncobj_handle syncobj;
      memcpy(&prime, arg, sizeof(prime));
      memcpy(&syncobj, arg, sizeof(syncobj));
      const int shared = request == DRM_IOCTL_PRIME_HANDLE_TO_FD    ? prime.fd
                         : request == DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD ? syncobj.fd : -1;
      if (shared >= 0) {
         struct drm_prime_handle back = { .fd = shared };
         ioctl(fd, next() % 2 ? DRM_IOCTL_PRIME_FD_TO_HANDLE : DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &back);
         close(shared);
      }
   }
   printf("%u of %u calls were taken\n", taken, CALLS);
   CHECK(taken > CALLS / 50, "%u taken", taken);
   /* on a file of its own, since handles and mappings here may be gone */
   amdgpu_context_handle ctx;
   uint64_t seq;
   close(fd);
   CHECK(device_open() == 0, "the device opens again");
   b[0] = buffer_new(4096);
   b[1] = buffer_new(8192);
   ctx = context_new();
   write_data(b[0].map, b[1].va, 0x77);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(ctx, seq) == 0 && b[1].map[0] == 0x77, "and works");
}

int main(int argc, char **argv)
{
   static const struct kernel_case cases[] = {
      { "random calls", "threads=1", test_random },
      { "random calls, asynchronous", "async", test_random },
   };
   return run_cases(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
