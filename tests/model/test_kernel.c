/* SPDX-License-Identifier: MIT */
/* The kernel's face as libdrm_amdgpu sees it. Runs with the preload library;
 * uses no header of ours. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/sync_file.h>

#include "../args.h"
#include "kernel_device.h"

static void test_device(void)
{
   struct amdgpu_gpu_info info;
   struct stat st;
   drmVersionPtr v = drmGetVersion(fd);
   CHECK(v && strcmp(v->name, "amdgpu") == 0 && v->version_major == 3, "version");
   drmFreeVersion(v);
   CHECK(amdgpu_query_gpu_info(dev, &info) == 0 && info.family_id == AMDGPU_FAMILY_RV, "family");
   CHECK(info.gb_addr_cfg == 0x24000042, "GB_ADDR_CONFIG 0x%x", info.gb_addr_cfg);
   CHECK(fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && major(st.st_rdev) == 226 && minor(st.st_rdev) == 128, "fstat");
   CHECK(stat("/dev/dri/renderD128", &st) == 0 && S_ISCHR(st.st_mode), "stat");
   CHECK(access("/dev/dri/card0", F_OK) != 0 && errno == ENOENT, "no KMS node");
   drmDevicePtr devices[4];
   const int n = drmGetDevices2(0, devices, 4);
   CHECK(n == 1, "%d devices", n);
   if (n == 1) {
      CHECK(devices[0]->bustype == DRM_BUS_PCI && devices[0]->deviceinfo.pci->vendor_id == 0x1002, "PCI");
      CHECK(devices[0]->deviceinfo.pci->device_id == 0x15dd, "device id");
      drmFreeDevices(devices, n);
   }
   uint32_t unknown = 0;
   CHECK(drmIoctl(fd, DRM_IOWR(DRM_COMMAND_BASE + 0x3f, uint32_t), &unknown) == -1 && errno == EINVAL, "unknown ioctl");
}

static void test_address_space(void)
{
   struct buffer b = buffer_new(3 * 4096);
   struct drm_amdgpu_gem_va v = { .handle = b.handle, .operation = AMDGPU_VA_OP_MAP, .map_size = 4096,
                                  .flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE };
#define VA_OP(op_, va_, off_, size_) \
   (v.operation = (op_), v.va_address = (va_), v.offset_in_bo = (off_), v.map_size = (size_), \
    drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_VA, &v) ? -errno : 0)
   CHECK(VA_OP(AMDGPU_VA_OP_MAP, b.va, 0, 4096) == -EINVAL, "overlap");
   CHECK(VA_OP(AMDGPU_VA_OP_MAP, 0x1000, 0, 4096) == -EINVAL, "reserved");
   CHECK(VA_OP(AMDGPU_VA_OP_MAP, 0x900000000000ull, 0, 4096) == -EINVAL, "hole");
   CHECK(VA_OP(AMDGPU_VA_OP_MAP, 0x700000000800ull, 0, 4096) == -EINVAL, "alignment");
   CHECK(VA_OP(AMDGPU_VA_OP_MAP, 0x700000000000ull, 4096, 3 * 4096) == -EINVAL, "beyond the buffer");
   CHECK(VA_OP(AMDGPU_VA_OP_MAP, 0x700000000000ull, 0, 3 * 4096) == 0, "map");
   CHECK(VA_OP(AMDGPU_VA_OP_UNMAP, 0x700000001000ull, 0, 4096) == -ENOENT, "unmap takes starts only");
   CHECK(VA_OP(AMDGPU_VA_OP_CLEAR, 0x700000001000ull, 0, 4096) == 0, "clear the middle");
   CHECK(VA_OP(AMDGPU_VA_OP_MAP, 0x700000001000ull, 0, 4096) == 0, "the middle is free");
   CHECK(VA_OP(AMDGPU_VA_OP_REPLACE, 0x700000000000ull, 0, 3 * 4096) == 0, "replace all");
   CHECK(VA_OP(AMDGPU_VA_OP_UNMAP, 0x700000000000ull, 0, 3 * 4096) == 0, "unmap");
   CHECK(VA_OP(AMDGPU_VA_OP_UNMAP, 0x700000000000ull, 0, 3 * 4096) == -ENOENT, "nothing left");
}

static void test_submit(amdgpu_context_handle ctx)
{
   struct buffer b[3] = { buffer_new(4096), buffer_new(8192), buffer_new(4096) };
   struct drm_amdgpu_cs_chunk_fence user_fence = { b[2].handle, 64 };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_FENCE, 2, (uintptr_t)&user_fence };
   uint64_t seq[2] = { 0, 0 };
   unsigned n = write_data(b[0].map, b[1].va + 4096, 0xcafe);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq[0]) == 0, "submit");
   CHECK(wait_seq(ctx, seq[0]) == 0, "wait");
   CHECK(b[1].map[1024] == 0xcafe, "0x%x", b[1].map[1024]);
   CHECK(submit(ctx, &b[0], n, b, 3, &chunk, &seq[1]) == 0, "with a user fence");
   CHECK(seq[1] == seq[0] + 1 && ((uint64_t *)b[2].map)[8] == seq[1], "user fence");
   CHECK(wait_seq(ctx, seq[1] + 1) == -EINVAL, "a fence of the future");
}

/* A bad stream: the submission succeeds, the context is lost, others go on. */
static void test_hang(amdgpu_context_handle other)
{
   amdgpu_context_handle ctx;
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   uint64_t seq = 0, flags = 0;
   CHECK(amdgpu_cs_ctx_create(dev, &ctx) == 0, "context");
   CHECK(amdgpu_cs_query_reset_state2(ctx, &flags) == 0 && flags == 0, "before");
   b[0].map[0] = 0xc000ee00; /* no such packet */
   CHECK(submit(ctx, &b[0], 2, b, 2, NULL, &seq) == 0, "the ioctl itself succeeds");
   CHECK(wait_seq(ctx, seq) == -ECANCELED, "its fence has an error");
   CHECK(amdgpu_cs_query_reset_state2(ctx, &flags) == 0 &&
         flags == (AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY), "flags 0x%llx",
         (unsigned long long)flags);
   unsigned n = write_data(b[0].map, b[1].va, 1);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == -ECANCELED, "a guilty context");
   CHECK(amdgpu_cs_query_reset_state2(other, &flags) == 0 && flags == AMDGPU_CTX_QUERY2_FLAGS_RESET, "innocent");
   CHECK(submit(other, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(other, seq) == 0, "others go on");
   CHECK(b[1].map[0] == 1, "and work");
   /* unmapped address */
   amdgpu_context_handle second;
   amdgpu_cs_ctx_create(dev, &second);
   n = write_data(b[0].map, 0x600000000000ull, 1);
   CHECK(submit(second, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(second, seq) == -ECANCELED, "fault");
   uint32_t state, hangs;
   CHECK(amdgpu_cs_query_reset_state(second, &state, &hangs) == 0 && state == AMDGPU_CTX_GUILTY_RESET && hangs == 1,
         "state %u hangs %u", state, hangs);
   amdgpu_cs_ctx_free(second);
   amdgpu_cs_ctx_free(ctx);
}

static void *signal_later(void *arg)
{
   uint32_t handle = *(uint32_t *)arg;
   uint64_t point = 7;
   usleep(20000);
   drmSyncobjTimelineSignal(fd, &handle, &point, 1);
   return NULL;
}

static void test_syncobj(amdgpu_context_handle ctx)
{
   uint32_t a, b, first;
   int sync_fd = -1;
   uint64_t point = 0;
   CHECK(drmSyncobjCreate(fd, 0, &a) == 0 && drmSyncobjCreate(fd, DRM_SYNCOBJ_CREATE_SIGNALED, &b) == 0, "create");
   CHECK(drmSyncobjWait(fd, &a, 1, 0, 0, &first) == -EINVAL, "no fence");
   CHECK(drmSyncobjWait(fd, &a, 1, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, &first) == -ETIME, "timeout");
   CHECK(drmSyncobjWait(fd, &b, 1, 0, 0, &first) == 0, "signaled");
   CHECK(drmSyncobjExportSyncFile(fd, a, &sync_fd) != 0 && errno == EINVAL, "no fence to export");
   CHECK(drmSyncobjExportSyncFile(fd, b, &sync_fd) == 0, "export");
   struct pollfd p = { sync_fd, POLLIN, 0 };
   CHECK(poll(&p, 1, 0) == 1 && (p.revents & POLLIN), "a sync file polls");
   CHECK(drmSyncobjImportSyncFile(fd, a, sync_fd) == 0 && drmSyncobjWait(fd, &a, 1, 0, 0, &first) == 0, "import");
   close(sync_fd);
   CHECK(drmSyncobjReset(fd, &a, 1) == 0 && drmSyncobjWait(fd, &a, 1, 0, 0, &first) == -EINVAL, "reset");
   /* signaled by a submission */
   struct buffer buf[2] = { buffer_new(4096), buffer_new(4096) };
   struct drm_amdgpu_cs_chunk_sem sem = { a };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_SYNCOBJ_IN, 1, (uintptr_t)&sem };
   uint64_t seq;
   unsigned n = write_data(buf[0].map, buf[1].va, 1);
   CHECK(submit(ctx, &buf[0], n, buf, 2, &chunk, &seq) == -EINVAL, "waits for no fence");
   chunk.chunk_id = AMDGPU_CHUNK_ID_SYNCOBJ_OUT;
   CHECK(submit(ctx, &buf[0], n, buf, 2, &chunk, &seq) == 0 && drmSyncobjWait(fd, &a, 1, 0, 0, &first) == 0, "out");
   /* timelines */
   uint32_t t;
   pthread_t thread;
   drmSyncobjCreate(fd, 0, &t);
   point = 7;
   pthread_create(&thread, NULL, signal_later, &t);
   CHECK(drmSyncobjTimelineWait(fd, &t, &point, 1, INT64_MAX, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, &first) == 0,
         "timeline wait");
   pthread_join(thread, NULL);
   CHECK(drmSyncobjQuery(fd, &t, &point, 1) == 0 && point == 7, "query %llu", (unsigned long long)point);
   CHECK(drmSyncobjTransfer(fd, b, 0, t, 7, 0) == 0, "transfer");
   drmSyncobjDestroy(fd, a);
   CHECK(drmSyncobjDestroy(fd, a) == -EINVAL || errno == EINVAL, "destroyed twice");
}

/* The other process: writes through its own mapping, signals the timeline. */
static int child(int sock)
{
   int fds[2];
   uint32_t major_, minor_, handle;
   uint64_t point = 3;
   if (receive_fds(sock, fds, 2))
      return 1;
   const int own = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   amdgpu_device_handle d;
   struct amdgpu_bo_import_result import;
   struct amdgpu_bo_info info;
   void *map;
   if (amdgpu_device_initialize(own, &major_, &minor_, &d))
      return 2;
   if (amdgpu_bo_import(d, amdgpu_bo_handle_type_dma_buf_fd, (uint32_t)fds[0], &import) || import.alloc_size != 8192)
      return 3;
   if (amdgpu_bo_query_info(import.buf_handle, &info) || info.metadata.tiling_info != 0x1234)
      return 4;
   if (amdgpu_bo_cpu_map(import.buf_handle, &map))
      return 5;
   ((uint32_t *)map)[2047] = 0x600d;
   if (drmSyncobjFDToHandle(own, fds[1], &handle) || drmSyncobjTimelineSignal(own, &handle, &point, 1))
      return 6;
   return 0;
}

static void test_sharing(const char *self)
{
   int pair[2], fds[2], status = -1;
   uint32_t shared, handle2 = 0, t, first;
   uint64_t point = 3;
   struct buffer b = buffer_new(8192);
   struct amdgpu_bo_metadata meta = { .tiling_info = 0x1234 };
   CHECK(amdgpu_bo_set_metadata(b.bo, &meta) == 0, "metadata");
   CHECK(amdgpu_bo_export(b.bo, amdgpu_bo_handle_type_dma_buf_fd, &shared) == 0, "export");
   CHECK(lseek((int)shared, 0, SEEK_END) == 8192, "size of a dma-buf");
   CHECK(ftruncate((int)shared, 0) != 0, "it cannot shrink");
   CHECK(drmPrimeFDToHandle(fd, (int)shared, &handle2) == 0 && handle2 == b.handle, "one handle per file");
   drmSyncobjCreate(fd, 0, &t);
   fds[0] = (int)shared;
   CHECK(drmSyncobjHandleToFD(fd, t, &fds[1]) == 0, "syncobj export");
   socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
   const pid_t pid = fork();
   if (pid == 0) {
      char arg[16];
      snprintf(arg, sizeof(arg), "%d", pair[1]);
      execl(self, self, arg, NULL);
      _exit(99);
   }
   send_fds(pair[0], fds, 2);
   CHECK(drmSyncobjTimelineWait(fd, &t, &point, 1, INT64_MAX, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT, &first) == 0,
         "signaled by another process");
   waitpid(pid, &status, 0);
   CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child says %d", WEXITSTATUS(status));
   CHECK(b.map[2047] == 0x600d, "memory is shared");
}

static void test_fences(amdgpu_context_handle ctx)
{
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   uint64_t seq;
   const unsigned n = write_data(b[0].map, b[1].va, 7);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0, "submit");
   struct amdgpu_cs_fence fence = { .context = ctx, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq };
   uint32_t status = 0, first = 0, syncobj = 0, merged_fd, fd1 = 0, fd2 = 0;
   CHECK(amdgpu_cs_wait_fences(&fence, 1, true, AMDGPU_TIMEOUT_INFINITE, &status, &first) == 0 && status == 1, "wait");
   CHECK(amdgpu_cs_fence_to_handle(dev, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &syncobj) == 0, "syncobj");
   CHECK(drmSyncobjWait(fd, &syncobj, 1, 0, 0, &first) == 0, "it has signaled");
   CHECK(amdgpu_cs_fence_to_handle(dev, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &fd1) == 0, "sync file");
   CHECK(amdgpu_cs_fence_to_handle(dev, &fence, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &fd2) == 0, "another");
   struct sync_merge_data merge = { .name = "both", .fd2 = (int)fd2 };
   CHECK(ioctl((int)fd1, SYNC_IOC_MERGE, &merge) == 0, "merge");
   merged_fd = (uint32_t)merge.fence;
   struct sync_file_info info = { .num_fences = 0 };
   CHECK(ioctl((int)merged_fd, SYNC_IOC_FILE_INFO, &info) == 0 && info.status == 1, "info");
   CHECK(ioctl(fd, SYNC_IOC_FILE_INFO, &info) == -1, "a render node is no sync file");
   close((int)fd1);
   close((int)fd2);
   close((int)merged_fd);
   /* a dependency on a submission that was never made */
   struct drm_amdgpu_cs_chunk_dep dep = { .ip_type = AMDGPU_HW_IP_GFX, .ctx_id = 1, .handle = seq + 1000 };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_DEPENDENCIES, sizeof(dep) / 4, (uintptr_t)&dep };
   CHECK(submit(ctx, &b[0], n, b, 2, &chunk, &seq) == -EINVAL, "future");
   chunk.chunk_id = 0x77;
   CHECK(submit(ctx, &b[0], n, b, 2, &chunk, &seq) == -EINVAL, "unknown chunk");
}

static void test_buffers(amdgpu_context_handle ctx)
{
   /* user memory, copied from by the GPU */
   uint32_t *user = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   amdgpu_bo_handle bo;
   amdgpu_va_handle va_handle;
   uint64_t va, seq;
   uint32_t handle;
   user[5] = 0xabc;
   CHECK(amdgpu_create_bo_from_user_mem(dev, user, 8192, &bo) == 0, "user memory");
   CHECK(amdgpu_va_range_alloc(dev, amdgpu_gpu_va_range_general, 8192, 4096, 0, &va, &va_handle, 0) == 0, "va");
   CHECK(amdgpu_bo_va_op(bo, 0, 8192, va, 0, AMDGPU_VA_OP_MAP) == 0, "map");
   amdgpu_bo_export(bo, amdgpu_bo_handle_type_kms, &handle);
   struct buffer b[2] = { buffer_new(4096), { .handle = handle } };
   const unsigned n = write_data(b[0].map, va + 4096, 0xdef);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(ctx, seq) == 0, "submit");
   CHECK(user[1024] == 0xdef && user[5] == 0xabc, "written in place");
   uint32_t shared;
   CHECK(amdgpu_bo_export(bo, amdgpu_bo_handle_type_dma_buf_fd, &shared) != 0, "user memory is not shared");
   amdgpu_bo_va_op(bo, 0, 8192, va, 0, AMDGPU_VA_OP_UNMAP);
   amdgpu_bo_free(bo);
   struct drm_amdgpu_gem_userptr bad = { .addr = (uintptr_t)user + 16, .size = 4096,
                                         .flags = AMDGPU_GEM_USERPTR_REGISTER | AMDGPU_GEM_USERPTR_ANONONLY };
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_USERPTR, &bad) == -1 && errno == EINVAL, "not aligned");
   /* memory that has gone by the time of the submission, or cannot be written */
   bad.addr = (uintptr_t)user;
   bad.size = 8192;
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_USERPTR, &bad) == 0, "another");
   b[1].handle = bad.handle;
   munmap(user, 8192);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == -EFAULT, "not there any more");
   user = mmap(user, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == -EFAULT, "not writable");
   munmap(user, 8192);
   bad.flags |= AMDGPU_GEM_USERPTR_VALIDATE;
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_USERPTR, &bad) == -1 && errno == EFAULT, "not mapped");

   /* what the kernel refuses */
   union drm_amdgpu_gem_create create = { .in = { 4096, 4096, 0, 0 } };
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &create) == -1 && errno == EINVAL, "no domain");
   create.in = (struct drm_amdgpu_gem_create_in){ 1ull << 42, 4096, AMDGPU_GEM_DOMAIN_GTT, 0 };
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &create) == -1 && errno == ENOMEM, "too large");
   create.in = (struct drm_amdgpu_gem_create_in){ 4096, 4096, AMDGPU_GEM_DOMAIN_VRAM,
                                                  AMDGPU_GEM_CREATE_VM_ALWAYS_VALID };
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &create) == 0, "local to the address space");
   int prime = -1;
   CHECK(drmPrimeHandleToFD(fd, create.out.handle, DRM_CLOEXEC, &prime) != 0 && errno == EPERM, "stays there");
   /* a mapping outlives its handle */
   union drm_amdgpu_gem_mmap m = { .in = { create.out.handle, 0 } };
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &m) == 0, "offset");
   uint32_t *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)m.out.addr_ptr);
   CHECK(p != MAP_FAILED && p[0] == 0, "mapped and cleared");
   CHECK(mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, (off_t)m.out.addr_ptr) == MAP_FAILED && errno == EINVAL, "beyond");
   struct drm_gem_close close_arg = { .handle = create.out.handle };
   CHECK(drmIoctl(fd, DRM_IOCTL_GEM_CLOSE, &close_arg) == 0, "close");
   p[1023] = 1;
   munmap(p, 4096);
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_MMAP, &(union drm_amdgpu_gem_mmap){ .in = { close_arg.handle, 0 } }) == -1 &&
         errno == ENOENT, "closed");
}

static void test_descriptors(void)
{
   /* another open file has handles and an address space of its own */
   const int second = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC), copy = dup(fd);
   struct drm_gem_close close_arg = { .handle = 1 };
   struct drm_amdgpu_gem_op op = { .handle = 1, .op = AMDGPU_GEM_OP_GET_GEM_CREATE_INFO };
   struct drm_amdgpu_gem_create_in info;
   op.value = (uintptr_t)&info;
   CHECK(drmIoctl(second, DRM_IOCTL_GEM_CLOSE, &close_arg) == -1 && errno == EINVAL, "no handle there");
   CHECK(drmIoctl(copy, DRM_IOCTL_AMDGPU_GEM_OP, &op) == 0, "dup shares handles");
   close(second);
   close(copy);
   CHECK(drmIoctl(fd, DRM_IOCTL_AMDGPU_GEM_OP, &op) == 0, "the file lives while a descriptor does");
}

int main(int argc, char **argv)
{
   amdgpu_context_handle ctx;
   args_begin(argc, argv, 1, "\n\nAn argument is how it starts itself, for a process that shares a buffer.");
   if (argc > 1)
      return child(atoi(argv[1]));
   if (device_open())
      return 1;
   CHECK(amdgpu_cs_ctx_create(dev, &ctx) == 0, "context");
   test_device();
   test_address_space();
   test_submit(ctx);
   test_syncobj(ctx);
   test_fences(ctx);
   test_buffers(ctx);
   test_sharing(argv[0]);
   test_descriptors();
   test_hang(ctx);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
