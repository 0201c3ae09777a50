/* SPDX-License-Identifier: MIT */
/* Bad input to the kernel's face: pointers to nothing give EFAULT, lengths and
 * sizes that overflow EINVAL or ENOMEM, and the process lives on. */
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <linux/sync_file.h>

#include "kernel_device.h"

static void *gone;    /* an address with nothing there */
static void *locked;  /* readable only */

static int raw(unsigned long request, void *arg)
{
   return ioctl(fd, request, arg) ? -errno : 0;
}

static void test_arguments(void)
{
   static const unsigned long requests[] = {
      DRM_IOCTL_VERSION, DRM_IOCTL_GET_CAP, DRM_IOCTL_GEM_CLOSE, DRM_IOCTL_PRIME_HANDLE_TO_FD,
      DRM_IOCTL_PRIME_FD_TO_HANDLE, DRM_IOCTL_AMDGPU_GEM_CREATE, DRM_IOCTL_AMDGPU_GEM_MMAP,
      DRM_IOCTL_AMDGPU_GEM_METADATA, DRM_IOCTL_AMDGPU_GEM_OP, DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE,
      DRM_IOCTL_AMDGPU_GEM_USERPTR, DRM_IOCTL_AMDGPU_GEM_VA, DRM_IOCTL_AMDGPU_INFO, DRM_IOCTL_AMDGPU_CTX,
      DRM_IOCTL_AMDGPU_VM, DRM_IOCTL_AMDGPU_BO_LIST, DRM_IOCTL_AMDGPU_CS, DRM_IOCTL_AMDGPU_WAIT_CS,
      DRM_IOCTL_AMDGPU_WAIT_FENCES, DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, DRM_IOCTL_SYNCOBJ_CREATE,
      DRM_IOCTL_SYNCOBJ_DESTROY, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,
      DRM_IOCTL_SYNCOBJ_WAIT, DRM_IOCTL_SYNCOBJ_RESET, DRM_IOCTL_SYNCOBJ_SIGNAL, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
      DRM_IOCTL_SYNCOBJ_QUERY, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, DRM_IOCTL_SYNCOBJ_TRANSFER,
   };
   for (unsigned i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
      CHECK(raw(requests[i], NULL) == -EFAULT, "0x%lx with NULL", requests[i]);
      CHECK(raw(requests[i], gone) == -EFAULT, "0x%lx with a wild pointer", requests[i]);
      CHECK(raw(requests[i], (char *)gone - 4) == -EFAULT, "0x%lx across an edge", requests[i]);
   }
   union drm_amdgpu_gem_create *create = locked; /* all zeros */
   CHECK(raw(DRM_IOCTL_AMDGPU_GEM_CREATE, create) != 0, "an answer cannot be written");
   CHECK(raw(DRM_IOCTL_SYNCOBJ_CREATE, locked) == -EFAULT, "nor a handle");
}

/* libdrm hides its contexts' numbers. */
static uint32_t raw_context(void)
{
   union drm_amdgpu_ctx c = { .in = { .op = AMDGPU_CTX_OP_ALLOC_CTX } };
   CHECK(raw(DRM_IOCTL_AMDGPU_CTX, &c) == 0, "context");
   return c.out.alloc.ctx_id;
}

static int cs(uint32_t ctx, uint32_t num, const void *chunks)
{
   union drm_amdgpu_cs arg = { .in = { .ctx_id = ctx, .num_chunks = num, .chunks = (uintptr_t)chunks } };
   return raw(DRM_IOCTL_AMDGPU_CS, &arg);
}

static void test_submissions(uint32_t ctx, uintptr_t p)
{
   const unsigned long long a = p;
   uint32_t zeros[8] = { 0 };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_IB, sizeof(struct drm_amdgpu_cs_chunk_ib) / 4, p };
   const uint64_t pointers[1] = { (uintptr_t)&chunk };
   struct drm_amdgpu_bo_list_in in = { .operation = ~0u, .list_handle = ~0u, .bo_number = 1, .bo_info_size = 8,
                                       .bo_info_ptr = p };
   CHECK(cs(ctx, 1, (void *)p) == -EFAULT, "chunks 0x%llx", a);
   CHECK(cs(ctx, 1, &p) == -EFAULT, "chunk 0x%llx", a);
   CHECK(cs(ctx, 1, pointers) == -EFAULT, "chunk data 0x%llx", a);
   chunk = (struct drm_amdgpu_cs_chunk){ AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(in) / 4, (uintptr_t)&in };
   CHECK(cs(ctx, 1, pointers) == -EFAULT, "buffers of the chunk 0x%llx", a);
   chunk = (struct drm_amdgpu_cs_chunk){ AMDGPU_CHUNK_ID_IB, 0xffffffff, (uintptr_t)zeros };
   CHECK(cs(ctx, 1, pointers) == -EINVAL, "length that overflows");
   CHECK(cs(ctx, 0xffffffff, pointers) == -EINVAL, "count that overflows");
}

static void test_pointers(void)
{
   const uintptr_t wild[] =
      { 0, 8, (uintptr_t)gone, (uintptr_t)gone - 2, 0xffffffffffff0000ull, 0x0000800000000000ull };
   const uint32_t ctx = raw_context();
   uint32_t syncobj, handles[1];
   drmSyncobjCreate(fd, DRM_SYNCOBJ_CREATE_SIGNALED, &syncobj);
   handles[0] = syncobj;
   for (unsigned i = 0; i < sizeof(wild) / sizeof(wild[0]); i++) {
      const uintptr_t p = wild[i];
      const unsigned long long a = p;
      struct drm_amdgpu_info info = { .return_pointer = p, .return_size = 4, .query = AMDGPU_INFO_ACCEL_WORKING };
      CHECK(raw(DRM_IOCTL_AMDGPU_INFO, &info) == (p ? -EFAULT : -EINVAL), "INFO 0x%llx", a);
      struct drm_version version = { .name_len = 6, .name = (char *)p };
      CHECK(raw(DRM_IOCTL_VERSION, &version) == (p ? -EFAULT : 0), "VERSION 0x%llx", a);
      struct buffer b = buffer_new(4096);
      struct drm_amdgpu_gem_op op = { .handle = b.handle, .op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO, .value = p };
      CHECK(raw(DRM_IOCTL_AMDGPU_GEM_OP, &op) == -EFAULT, "GEM_OP 0x%llx", a);
      union drm_amdgpu_bo_list list = { .in = { .operation = AMDGPU_BO_LIST_OP_CREATE, .bo_number = 2,
                                                .bo_info_size = 8, .bo_info_ptr = p } };
      CHECK(raw(DRM_IOCTL_AMDGPU_BO_LIST, &list) == -EFAULT, "BO_LIST 0x%llx", a);
      list.in = (struct drm_amdgpu_bo_list_in){ .operation = AMDGPU_BO_LIST_OP_CREATE, .bo_number = 200,
                                                .bo_info_size = 0x7fffffff, .bo_info_ptr = p };
      CHECK(raw(DRM_IOCTL_AMDGPU_BO_LIST, &list) == -EFAULT, "BO_LIST with a stride 0x%llx", a);
      union drm_amdgpu_wait_fences fences = { .in = { .fences = p, .fence_count = 2 } };
      CHECK(raw(DRM_IOCTL_AMDGPU_WAIT_FENCES, &fences) == -EFAULT, "WAIT_FENCES 0x%llx", a);
      struct drm_syncobj_wait wait = { .handles = p, .count_handles = 2 };
      CHECK(raw(DRM_IOCTL_SYNCOBJ_WAIT, &wait) == -EFAULT, "SYNCOBJ_WAIT 0x%llx", a);
      struct drm_syncobj_array array = { .handles = p, .count_handles = 1 };
      CHECK(raw(DRM_IOCTL_SYNCOBJ_RESET, &array) == -EFAULT, "SYNCOBJ_RESET 0x%llx", a);
      struct drm_syncobj_timeline_array query = { .handles = (uintptr_t)handles, .points = p, .count_handles = 1 };
      CHECK(raw(DRM_IOCTL_SYNCOBJ_QUERY, &query) == -EFAULT, "SYNCOBJ_QUERY 0x%llx", a);
      if (p)
         CHECK(raw(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &query) == -EFAULT, "TIMELINE_SIGNAL 0x%llx", a);

      test_submissions(ctx, p);
      amdgpu_bo_va_op(b.bo, 0, 4096, b.va, 0, AMDGPU_VA_OP_UNMAP);
      amdgpu_bo_cpu_unmap(b.bo);
      amdgpu_bo_free(b.bo);
   }
}

static void test_sizes(void)
{
   struct buffer b = buffer_new(8192);
   union drm_amdgpu_gem_create c = { .in = { ~0ull, 4096, AMDGPU_GEM_DOMAIN_GTT, 0 } };
   CHECK(raw(DRM_IOCTL_AMDGPU_GEM_CREATE, &c) == -EINVAL, "a size that overflows");
   c.in = (struct drm_amdgpu_gem_create_in){ 1ull << 50, 4096, AMDGPU_GEM_DOMAIN_GTT, 0 };
   CHECK(raw(DRM_IOCTL_AMDGPU_GEM_CREATE, &c) == -ENOMEM, "a size that is too large");
   struct drm_amdgpu_gem_va v = { .handle = b.handle, .operation = AMDGPU_VA_OP_MAP, .va_address = 0x700000000000ull,
                                  .flags = AMDGPU_VM_PAGE_READABLE };
#define VA(op, va, offset, size) \
   (v.operation = (op), v.va_address = (va), v.offset_in_bo = (offset), v.map_size = (size), \
    raw(DRM_IOCTL_AMDGPU_GEM_VA, &v))
   CHECK(VA(AMDGPU_VA_OP_MAP, 0x700000000000ull, 4096, ~0xfffull) == -EINVAL, "size");
   CHECK(VA(AMDGPU_VA_OP_MAP, 0x700000000000ull, ~0xfffull, 8192) == -EINVAL, "offset");
   CHECK(VA(AMDGPU_VA_OP_MAP, 0xfffffffffffff000ull, 0, 8192) == -EINVAL, "wrap");
   CHECK(VA(AMDGPU_VA_OP_CLEAR, 0x700000000000ull, 0, ~0xfffull) == -EINVAL, "clear");
   CHECK(VA(77, 0x700000000000ull, 0, 4096) == -EINVAL, "operation");
   struct drm_amdgpu_gem_userptr u = { .addr = ~0xfffull, .size = 8192,
                                       .flags = AMDGPU_GEM_USERPTR_REGISTER | AMDGPU_GEM_USERPTR_ANONONLY };
   CHECK(raw(DRM_IOCTL_AMDGPU_GEM_USERPTR, &u) == -EINVAL, "user memory that wraps");
   union drm_amdgpu_bo_list list = { .in = { .operation = AMDGPU_BO_LIST_OP_CREATE, .bo_number = 0xffffffff,
                                             .bo_info_size = 0xffffffff, .bo_info_ptr = (uintptr_t)&b } };
   CHECK(raw(DRM_IOCTL_AMDGPU_BO_LIST, &list) == -EINVAL, "entries");
   union drm_amdgpu_wait_fences fences = { .in = { .fences = (uintptr_t)&b, .fence_count = 0xffffffff } };
   CHECK(raw(DRM_IOCTL_AMDGPU_WAIT_FENCES, &fences) == -ENOMEM, "fences");
   struct drm_syncobj_wait wait = { .handles = (uintptr_t)&b, .count_handles = 0xffffffff };
   CHECK(raw(DRM_IOCTL_SYNCOBJ_WAIT, &wait) == -ENOMEM, "handles");
   CHECK(mmap(NULL, 1ull << 40, PROT_READ, MAP_SHARED, fd, (off_t)((uint64_t)b.handle << 36)) == MAP_FAILED, "mmap");
   struct drm_gem_close close_arg = { .handle = 0xffffffff };
   CHECK(raw(DRM_IOCTL_GEM_CLOSE, &close_arg) == -EINVAL, "handle");
   struct drm_prime_handle prime = { .fd = -1 };
   CHECK(raw(DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) == -EBADF, "descriptor");
   prime.fd = 0;
   CHECK(raw(DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) != 0, "a descriptor of something else");
}

/* The price of the checks: an empty submission. */
static void measure(amdgpu_context_handle ctx)
{
   struct buffer b = buffer_new(4096);
   uint64_t seq;
   b.map[0] = 0xffff1000; /* one-dword NOP */
   const int64_t start = now_ns();
   for (unsigned i = 0; i < 1000; i++)
      submit(ctx, &b, 1, &b, 1, NULL, &seq);
   printf("%.1f us an empty submission\n", (double)(now_ns() - start) / 1e6);
   CHECK(wait_seq(ctx, seq) == 0, "wait");
}

int main(void)
{
   amdgpu_context_handle ctx;
   if (device_open())
      return 1;
   char *pages = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   gone = pages + 4096;
   locked = pages + 2 * 4096;
   mprotect(gone, 4096, PROT_NONE); /* a hole would be filled again */
   mprotect(locked, 4096, PROT_READ);
   ctx = context_new();
   test_arguments();
   test_pointers();
   test_sizes();
   measure(ctx);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
