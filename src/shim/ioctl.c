/* SPDX-License-Identifier: MIT */
/* ioctl numbers to handlers, and the kernel's rule for argument sizes: a
 * shorter or longer struct than ours is padded with zeros or cut. */
#include "shim.h"

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

/* TGSIAMD_MODEL=fail=NAME:N */
static bool must_fail(const struct ioctl_row *row)
{
   static unsigned calls;
   unsigned at;
   const char *name = tgsiamd_model_fault(shim_model(), &at);
   const size_t len = name ? strlen(name) : 0, have = strlen(row->name);
   if (!len || have <= len || strcmp(row->name + have - len, name) != 0 || row->name[have - len - 1] != '_')
      return false;
   if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) != at)
      return false;
   fprintf(stderr, "tgsiamd-model: %s number %u fails, as asked for\n", row->name, at);
   return true;
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
   if (must_fail(row))
      return -ENOMEM;
   uint64_t buf[MAX_ARG / 8];
   const unsigned user = SIZE(request), ours = SIZE(row->request);
   if (user == ours)
      return arg ? row->fn(file, arg) : -EFAULT;
   if (!arg || user > MAX_ARG || ours > MAX_ARG)
      return -EFAULT;
   memset(buf, 0, sizeof(buf));
   memcpy(buf, arg, user < ours ? user : ours);
   const int r = row->fn(file, buf);
   if (request & _IOC(_IOC_READ, 0, 0, 0))
      memcpy(arg, buf, user < ours ? user : ours);
   return r;
}

int ioctl_shared_fd(int fd, unsigned long request, void *arg)
{
   if (request == SYNC_IOC_FILE_INFO && sync_file_is(fd)) {
      struct sync_file_info *info = arg;
      const struct sync_fence_info fence = { .obj_name = "model", .driver_name = "amdgpu", .status = 1 };
      memset(info->name, 0, sizeof(info->name));
      memcpy(info->name, "tgsiamd", 8);
      info->status = 1;
      if (info->num_fences && info->sync_fence_info)
         memcpy((void *)(uintptr_t)info->sync_fence_info, &fence, sizeof(fence));
      info->num_fences = 1;
      return 0;
   }
   if (request == SYNC_IOC_MERGE && sync_file_is(fd)) {
      struct sync_merge_data *merge = arg;
      if (!sync_file_is(merge->fd2))
         return -ENOENT;
      merge->fence = sync_file_new();
      return merge->fence < 0 ? merge->fence : 0;
   }
   /* All GPU work is done when its submission returns. */
   if (request == DMA_BUF_IOCTL_SYNC && bo_fd_size(fd) > 0)
      return 0;
#ifdef DMA_BUF_IOCTL_EXPORT_SYNC_FILE
   if (request == DMA_BUF_IOCTL_EXPORT_SYNC_FILE && bo_fd_size(fd) > 0) {
      struct dma_buf_export_sync_file *e = arg;
      e->fd = sync_file_new();
      return e->fd < 0 ? e->fd : 0;
   }
   if (request == DMA_BUF_IOCTL_IMPORT_SYNC_FILE && bo_fd_size(fd) > 0)
      return sync_file_is(((struct dma_buf_import_sync_file *)arg)->fd) ? 0 : -EINVAL;
#endif
   return -ENOTTY;
}
