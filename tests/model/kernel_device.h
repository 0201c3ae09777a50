/* SPDX-License-Identifier: MIT */
/* What the tests of the kernel's face share: a device, buffers, packets,
 * submissions through libdrm. They use no header of the model's. */
#ifndef MODEL_TESTS_KERNEL_DEVICE_H
#define MODEL_TESTS_KERNEL_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <xf86drm.h>

#include "../args.h"
#include "check.h"

static int fd;
static amdgpu_device_handle dev;

struct buffer { amdgpu_bo_handle bo; amdgpu_va_handle va_handle; uint64_t va; uint32_t *map; uint32_t handle; };

static inline int device_open(void)
{
   uint32_t major_, minor_;
   fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   if (fd >= 0 && amdgpu_device_initialize(fd, &major_, &minor_, &dev) == 0)
      return 0;
   printf("no device: %s\n", strerror(errno));
   return -1;
}

static inline struct buffer buffer_mapped(amdgpu_bo_handle bo, uint64_t size)
{
   struct buffer b = { .bo = bo };
   CHECK(amdgpu_va_range_alloc(dev, amdgpu_gpu_va_range_general, size, 4096, 0, &b.va, &b.va_handle, 0) == 0, "va");
   CHECK(amdgpu_bo_va_op(b.bo, 0, size, b.va, 0, AMDGPU_VA_OP_MAP) == 0, "map");
   CHECK(amdgpu_bo_cpu_map(b.bo, (void **)&b.map) == 0, "cpu map");
   amdgpu_bo_export(b.bo, amdgpu_bo_handle_type_kms, &b.handle);
   return b;
}

static inline struct buffer buffer_new(uint64_t size)
{
   amdgpu_bo_handle bo = NULL;
   struct amdgpu_bo_alloc_request req = { .alloc_size = size, .phys_alignment = 4096,
                                          .preferred_heap = AMDGPU_GEM_DOMAIN_GTT };
   CHECK(amdgpu_bo_alloc(dev, &req, &bo) == 0, "alloc");
   return buffer_mapped(bo, size);
}

/* WRITE_DATA of one dword */
static inline unsigned write_data(uint32_t *ib, uint64_t va, uint32_t value)
{
   const uint32_t p[] = { 0xc0033700, 5 << 8, (uint32_t)va, (uint32_t)(va >> 32), value };
   memcpy(ib, p, sizeof(p));
   return 5;
}

/* COPY_DATA of one dword, memory to memory */
static inline unsigned copy_data(uint32_t *ib, uint64_t dst, uint64_t src)
{
   const uint32_t p[] = { 0xc0044000, 1 | 5 << 8 | 1 << 20, (uint32_t)src, (uint32_t)(src >> 32), (uint32_t)dst,
                          (uint32_t)(dst >> 32) };
   memcpy(ib, p, sizeof(p));
   return 6;
}

/* WAIT_REG_MEM: goes on when the dword equals the value */
static inline unsigned wait_mem(uint32_t *ib, uint64_t va, uint32_t value)
{
   const uint32_t p[] = { 0xc0053c00, 3 | 1 << 4, (uint32_t)va, (uint32_t)(va >> 32), value, ~0u, 4 };
   memcpy(ib, p, sizeof(p));
   return 7;
}

static inline int submit_ring(amdgpu_context_handle ctx, uint32_t ip, uint32_t ring, const struct buffer *ib,
                              unsigned dwords, const struct buffer *bufs, unsigned num,
                              struct drm_amdgpu_cs_chunk *extra, uint64_t *seq)
{
   struct drm_amdgpu_bo_list_entry entries[8];
   struct drm_amdgpu_bo_list_in list = { .operation = ~0u, .list_handle = ~0u, .bo_number = num,
                                         .bo_info_size = sizeof(entries[0]), .bo_info_ptr = (uintptr_t)entries };
   struct drm_amdgpu_cs_chunk_ib ib_chunk = { .va_start = ib->va, .ib_bytes = dwords * 4, .ip_type = ip, .ring = ring };
   struct drm_amdgpu_cs_chunk chunks[3] = {
      { AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(list) / 4, (uintptr_t)&list },
      { AMDGPU_CHUNK_ID_IB, sizeof(ib_chunk) / 4, (uintptr_t)&ib_chunk },
   };
   for (unsigned i = 0; i < num; i++)
      entries[i] = (struct drm_amdgpu_bo_list_entry){ bufs[i].handle, 0 };
   if (extra)
      chunks[2] = *extra;
   return amdgpu_cs_submit_raw2(dev, ctx, 0, extra ? 3 : 2, chunks, seq);
}

static inline int submit(amdgpu_context_handle ctx, const struct buffer *ib, unsigned dwords, const struct buffer *bufs,
                         unsigned num, struct drm_amdgpu_cs_chunk *extra, uint64_t *seq)
{
   return submit_ring(ctx, AMDGPU_HW_IP_GFX, 0, ib, dwords, bufs, num, extra, seq);
}

/* 0 done, -EBUSY not within the time, or the fence's error */
static inline int wait_for(amdgpu_context_handle ctx, uint64_t seq, uint64_t ns)
{
   struct amdgpu_cs_fence fence = { .context = ctx, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq };
   uint32_t expired = 0;
   const int r = amdgpu_cs_query_fence_status(&fence, ns, 0, &expired);
   return r ? r : expired ? 0 : -EBUSY;
}

static inline int wait_seq(amdgpu_context_handle ctx, uint64_t seq)
{
   return wait_for(ctx, seq, AMDGPU_TIMEOUT_INFINITE);
}

static inline amdgpu_context_handle context_new(void)
{
   amdgpu_context_handle ctx = NULL;
   CHECK(amdgpu_cs_ctx_create(dev, &ctx) == 0, "context");
   return ctx;
}

static inline int64_t now_ns(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

static inline void send_fds(int sock, const int *fds, unsigned num)
{
   char control[CMSG_SPACE(4 * sizeof(int))] = { 0 }, byte = 0;
   struct iovec iov = { &byte, 1 };
   struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
                         .msg_controllen = CMSG_SPACE(num * sizeof(int)) };
   struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
   c->cmsg_level = SOL_SOCKET;
   c->cmsg_type = SCM_RIGHTS;
   c->cmsg_len = CMSG_LEN(num * sizeof(int));
   memcpy(CMSG_DATA(c), fds, num * sizeof(int));
   sendmsg(sock, &msg, 0);
}

static inline int receive_fds(int sock, int *fds, unsigned num)
{
   char control[CMSG_SPACE(4 * sizeof(int))], byte;
   struct iovec iov = { &byte, 1 };
   struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
                         .msg_controllen = sizeof(control) };
   if (recvmsg(sock, &msg, 0) != 1)
      return -1;
   memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&msg)), num * sizeof(int));
   return 0;
}

/* A test in a process of its own, since options hold for a process. */
struct kernel_case { const char *name, *options; void (*test)(void); };

static inline int run_cases(int argc, char **argv, const struct kernel_case *cases, unsigned num)
{
   const struct args args = args_begin(argc, argv, 1, "[NUMBER]\n\n"
      "Runs all cases, each in a process with its own TGSIAMD_MODEL; or that of one NUMBER in this process.");
   const uint64_t one = args_number(&args, 1, 0);
   int bad = 0;
   if (one >= num)
      args_usage(&args, stderr);
   if (argc > 1) {
      if (device_open())
         return 1;
      cases[one].test();
      printf("%u checks, %u failures\n", checks, failures);
      return failures != 0;
   }
   for (unsigned i = 0; i < num; i++) {
      char number[8];
      int status = -1;
      snprintf(number, sizeof(number), "%u", i);
      const pid_t pid = fork();
      if (pid == 0) {
         setenv("TGSIAMD_MODEL", cases[i].options, 1);
         execl(argv[0], argv[0], number, NULL);
         _exit(99);
      }
      waitpid(pid, &status, 0);
      printf("%s (%s): %s\n", cases[i].name, cases[i].options, status == 0 ? "right" : "WRONG");
      fflush(stdout);
      bad += status != 0;
   }
   return bad != 0;
}

#endif
