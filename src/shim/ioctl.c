/* SPDX-License-Identifier: MIT */
/* ioctl numbers to handlers, and the kernel's rule for argument sizes: a
 * shorter or longer struct than ours is padded with zeros or cut. */
#include "fence.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include <libdrm/amdgpu_drm.h>
#include <libdrm/drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

#define NR(request) ((unsigned)(request) & 0xff)
#define SIZE(request) (((unsigned)(request) >> 16) & 0x3fff)
#define MAX_ARG 512

static const struct ioctl_row {
   const char *name;
   unsigned long request;
   shim_ioctl_fn fn;
} rows[256] = {
#define ROW(req, handler) [NR(req)] = { #req, req, ioctl_##handler }
   ROW(DRM_IOCTL_VERSION, version),
   ROW(DRM_IOCTL_GET_UNIQUE, get_unique),
   ROW(DRM_IOCTL_GET_MAGIC, get_magic),
   ROW(DRM_IOCTL_AUTH_MAGIC, auth_magic),
   ROW(DRM_IOCTL_GET_CAP, get_cap),
   ROW(DRM_IOCTL_SET_CLIENT_CAP, set_client_cap),
   ROW(DRM_IOCTL_SET_VERSION, set_version),
   ROW(DRM_IOCTL_GEM_CLOSE, gem_close),
   ROW(DRM_IOCTL_GEM_FLINK, gem_flink),
   ROW(DRM_IOCTL_GEM_OPEN, gem_open),
   ROW(DRM_IOCTL_PRIME_HANDLE_TO_FD, prime_handle_to_fd),
   ROW(DRM_IOCTL_PRIME_FD_TO_HANDLE, prime_fd_to_handle),
   ROW(DRM_IOCTL_AMDGPU_GEM_CREATE, gem_create),
   ROW(DRM_IOCTL_AMDGPU_GEM_MMAP, gem_mmap),
   ROW(DRM_IOCTL_AMDGPU_GEM_METADATA, gem_metadata),
   ROW(DRM_IOCTL_AMDGPU_GEM_OP, gem_op),
   ROW(DRM_IOCTL_AMDGPU_GEM_WAIT_IDLE, gem_wait_idle),
   ROW(DRM_IOCTL_AMDGPU_GEM_USERPTR, gem_userptr),
   ROW(DRM_IOCTL_AMDGPU_GEM_VA, gem_va),
   ROW(DRM_IOCTL_AMDGPU_INFO, info),
   ROW(DRM_IOCTL_AMDGPU_CTX, ctx),
   ROW(DRM_IOCTL_AMDGPU_SCHED, sched),
   ROW(DRM_IOCTL_AMDGPU_VM, vm),
   ROW(DRM_IOCTL_AMDGPU_BO_LIST, bo_list),
   ROW(DRM_IOCTL_AMDGPU_CS, cs),
   ROW(DRM_IOCTL_AMDGPU_WAIT_CS, wait_cs),
   ROW(DRM_IOCTL_AMDGPU_WAIT_FENCES, wait_fences),
   ROW(DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE, fence_to_handle),
   ROW(DRM_IOCTL_SYNCOBJ_CREATE, syncobj_create),
   ROW(DRM_IOCTL_SYNCOBJ_DESTROY, syncobj_destroy),
   ROW(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, syncobj_handle_to_fd),
   ROW(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, syncobj_fd_to_handle),
   ROW(DRM_IOCTL_SYNCOBJ_WAIT, syncobj_wait),
   ROW(DRM_IOCTL_SYNCOBJ_RESET, syncobj_reset),
   ROW(DRM_IOCTL_SYNCOBJ_SIGNAL, syncobj_signal),
   ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, syncobj_timeline_wait),
   ROW(DRM_IOCTL_SYNCOBJ_QUERY, syncobj_query),
   ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, syncobj_timeline_signal),
   ROW(DRM_IOCTL_SYNCOBJ_TRANSFER, syncobj_transfer),
#undef ROW
};

/* Is `name` the ioctl's, without DRM_IOCTL_ or DRM_IOCTL_AMDGPU_? */
static bool is_named(const struct ioctl_row *row, const char *name)
{
   const size_t drm = sizeof("DRM_IOCTL_") - 1, amdgpu = sizeof("DRM_IOCTL_AMDGPU_") - 1;
   return row->fn && (strcmp(row->name + drm, name) == 0 ||
                      (strncmp(row->name, "DRM_IOCTL_AMDGPU_", amdgpu) == 0 && strcmp(row->name + amdgpu, name) == 0));
}

bool ioctl_fails_exist(const struct tgsiamd_model_kernel_options *k)
{
   for (unsigned i = 0; i < k->num_fails; i++) {
      unsigned nr = 0;
      while (nr < 256 && !is_named(&rows[nr], k->fails[i].name))
         nr++;
      if (nr == 256) {
         fprintf(stderr, "tgsiamd-model: TGSIAMD_MODEL: fail-ioctl: no ioctl '%s'\n", k->fails[i].name);
         return false;
      }
   }
   return true;
}

/* TGSIAMD_MODEL=fail-ioctl=NAME:N:ERRNO */
static int must_fail(const struct ioctl_row *row)
{
   static unsigned calls[TGSIAMD_MODEL_MAX_FAILS];
   const struct tgsiamd_model_kernel_options *k = tgsiamd_model_kernel_options(shim_model());
   int error = 0;
   for (unsigned i = 0; i < k->num_fails; i++) {
      const struct tgsiamd_model_fail *f = &k->fails[i];
      if (is_named(row, f->name) && __atomic_add_fetch(&calls[i], 1, __ATOMIC_RELAXED) == f->at) {
         fprintf(stderr, "tgsiamd-model: %s number %u fails with %d, as asked for\n", row->name, f->at, f->error);
         error = f->error;
      }
   }
   return error;
}

/* Most arguments are variables of the callers close above: these are mapped
 * and writable. All others are copied, in case they are not. */
static bool on_stack(const void *arg, unsigned size)
{
   const uintptr_t frame = (uintptr_t)__builtin_frame_address(0), p = (uintptr_t)arg;
   return p > frame && p - frame < 1024 && size < 512;
}

int ioctl_dispatch(struct shim_file *file, unsigned long request, void *arg)
{
   const unsigned nr = NR(request);
   const struct ioctl_row *row = &rows[nr];
   if (!row->fn) {
      /* The kernel's answers: no such driver command, not allowed on a render node. */
      const bool driver = nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END;
      fprintf(stderr, "tgsiamd-model: ioctl: unknown request 0x%08lx (%s 0x%02x)\n", request,
              driver ? "amdgpu command" : "DRM command", driver ? nr - DRM_COMMAND_BASE : nr);
      return driver ? -EINVAL : -EACCES;
   }
   const int error = must_fail(row);
   if (error)
      return -error;
   const unsigned user = SIZE(request), ours = SIZE(row->request);
   if (user == ours && on_stack(arg, ours))
      return row->fn(file, arg);
   uint64_t buf[MAX_ARG / 8];
   if (user > MAX_ARG || ours > MAX_ARG)
      return -EFAULT;
   const unsigned both = user < ours ? user : ours;
   memset(buf, 0, sizeof(buf));
   if (user_read(buf, (uintptr_t)arg, both))
      return -EFAULT;
   const int r = row->fn(file, buf);
   if ((request & _IOC(_IOC_READ, 0, 0, 0)) && user_write((uintptr_t)arg, buf, both))
      return -EFAULT;
   return r;
}

/* --- sync files --- */

static int file_info(int fd, void *arg)
{
   struct sync_file_info info;
   struct sync_fence_info fence = { .obj_name = "model", .driver_name = "amdgpu" };
   int error;
   if (user_read(&info, (uintptr_t)arg, sizeof(info)))
      return -EFAULT;
   if (info.flags || info.pad)
      return -EINVAL;
   const int status = sync_file_status(fd, &error);
   fence.status = info.status = status < 0 ? error : status;
   memset(info.name, 0, sizeof(info.name));
   memcpy(info.name, "tgsiamd", 8);
   if (info.num_fences && user_write(info.sync_fence_info, &fence, sizeof(fence)))
      return -EFAULT;
   info.num_fences = 1;
   return user_write((uintptr_t)arg, &info, sizeof(info));
}

static int merge_files(int fd, void *arg)
{
   struct sync_merge_data merge;
   if (user_read(&merge, (uintptr_t)arg, sizeof(merge)))
      return -EFAULT;
   if (merge.flags || merge.pad)
      return -EINVAL;
   if (!sync_file_is(merge.fd2))
      return -ENOENT;
   pthread_mutex_lock(&shim_lock);
   struct shim_fence *both = fence_new(FENCE_ARRAY);
   int r = both ? fence_add(both, sync_file_fence(fd)) : -ENOMEM;
   if (r == 0)
      r = fence_add(both, sync_file_fence(merge.fd2));
   if (r == 0)
      merge.fence = r = sync_file_new(both);
   fence_unref(both);
   pthread_mutex_unlock(&shim_lock);
   return r < 0 ? r : user_write((uintptr_t)arg, &merge, sizeof(merge));
}

/* --- dma-bufs --- */

/* A fence of all that use the buffer, in this process and others. */
static int users_of(int fd, struct shim_fence **out)
{
   struct shim_bo *bo;
   int r = bo_import(fd, &bo);
   if (r)
      return r;
   *out = fence_new(FENCE_ARRAY);
   r = *out ? sched_users(bo, NULL, *out) : -ENOMEM;
   if (r)
      fence_unref(*out);
   bo_unref(bo);
   return r;
}

/* The start of a CPU access waits for the GPU, its end does nothing. */
static int buffer_sync(int fd, void *arg)
{
   struct dma_buf_sync sync;
   struct shim_fence *f;
   if (user_read(&sync, (uintptr_t)arg, sizeof(sync)))
      return -EFAULT;
   if (sync.flags & ~(uint64_t)DMA_BUF_SYNC_VALID_FLAGS_MASK || !(sync.flags & DMA_BUF_SYNC_RW))
      return -EINVAL;
   if (sync.flags & DMA_BUF_SYNC_END)
      return 0;
   pthread_mutex_lock(&shim_lock);
   const int r = users_of(fd, &f);
   if (r == 0) {
      fence_wait(f, INT64_MAX);
      fence_unref(f);
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

#ifdef DMA_BUF_IOCTL_EXPORT_SYNC_FILE
static int buffer_export(int fd, void *arg)
{
   struct dma_buf_export_sync_file e;
   struct shim_fence *f;
   if (user_read(&e, (uintptr_t)arg, sizeof(e)))
      return -EFAULT;
   if (e.flags & ~DMA_BUF_SYNC_RW || !(e.flags & DMA_BUF_SYNC_RW))
      return -EINVAL;
   pthread_mutex_lock(&shim_lock);
   int r = users_of(fd, &f);
   if (r == 0) {
      e.fd = r = sync_file_new(f);
      fence_unref(f);
   }
   pthread_mutex_unlock(&shim_lock);
   return r < 0 ? r : user_write((uintptr_t)arg, &e, sizeof(e));
}

/* A fence given to the buffer: buffers hold none but those of jobs here, so
 * it is waited for. */
static int buffer_import(void *arg)
{
   struct dma_buf_import_sync_file i;
   if (user_read(&i, (uintptr_t)arg, sizeof(i)))
      return -EFAULT;
   if (!sync_file_is(i.fd))
      return -EINVAL;
   pthread_mutex_lock(&shim_lock);
   struct shim_fence *f = sync_file_fence(i.fd);
   if (f)
      fence_wait(f, INT64_MAX);
   fence_unref(f);
   pthread_mutex_unlock(&shim_lock);
   return f ? 0 : -ENOMEM;
}
#endif

int ioctl_shared_fd(int fd, unsigned long request, void *arg)
{
   if ((request == SYNC_IOC_FILE_INFO || request == SYNC_IOC_MERGE) && sync_file_is(fd))
      return request == SYNC_IOC_MERGE ? merge_files(fd, arg) : file_info(fd, arg);
   if (request == DMA_BUF_IOCTL_SYNC && bo_fd_size(fd) > 0)
      return buffer_sync(fd, arg);
#ifdef DMA_BUF_IOCTL_EXPORT_SYNC_FILE
   if (request == DMA_BUF_IOCTL_EXPORT_SYNC_FILE && bo_fd_size(fd) > 0)
      return buffer_export(fd, arg);
   if (request == DMA_BUF_IOCTL_IMPORT_SYNC_FILE && bo_fd_size(fd) > 0)
      return buffer_import(arg);
#endif
   return -ENOTTY;
}
