/* SPDX-License-Identifier: MIT */
/* DRM core ioctls: version, capabilities, authentication, handles, PRIME. */
#define _GNU_SOURCE
#include "shim.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libdrm/drm.h>

static int put_string(char *dst, size_t *len, const char *text)
{
   const size_t n = strlen(text), room = *len;
   *len = n;
   return dst && room ? user_write((uintptr_t)dst, text, n < room ? n : room) : 0;
}

int ioctl_version(struct shim_file *file, void *arg)
{
   (void)file;
   struct drm_version *v = arg;
   v->version_major = 3;
   v->version_minor = 49;
   v->version_patchlevel = 0;
   size_t name = v->name_len, date = v->date_len, desc = v->desc_len;
   int r = put_string(v->name, &name, "amdgpu");
   if (r == 0)
      r = put_string(v->date, &date, "20150101");
   if (r == 0)
      r = put_string(v->desc, &desc, "AMD GPU");
   v->name_len = name;
   v->date_len = date;
   v->desc_len = desc;
   return r;
}

/* What the kernel keeps from render nodes. */
int ioctl_get_unique(struct shim_file *file, void *arg) { (void)file; (void)arg; return -EACCES; }
int ioctl_get_magic(struct shim_file *file, void *arg) { (void)file; (void)arg; return -EACCES; }
int ioctl_auth_magic(struct shim_file *file, void *arg) { (void)file; (void)arg; return -EACCES; }
int ioctl_set_version(struct shim_file *file, void *arg) { (void)file; (void)arg; return -EACCES; }
int ioctl_set_client_cap(struct shim_file *file, void *arg) { (void)file; (void)arg; return -EACCES; }
/* Global names are not for render nodes. */
int ioctl_gem_flink(struct shim_file *file, void *arg) { (void)file; (void)arg; return -EACCES; }
int ioctl_gem_open(struct shim_file *file, void *arg) { (void)file; (void)arg; return -EACCES; }

int ioctl_get_cap(struct shim_file *file, void *arg)
{
   (void)file;
   struct drm_get_cap *cap = arg;
   switch (cap->capability) {
   case DRM_CAP_TIMESTAMP_MONOTONIC:
   case DRM_CAP_SYNCOBJ:
   case DRM_CAP_SYNCOBJ_TIMELINE:
      cap->value = 1;
      return 0;
   case DRM_CAP_PRIME:
      cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   /* Mode setting: this device has no display. */
   default:
      cap->value = 0;
      return -EOPNOTSUPP;
   }
}

int ioctl_gem_close(struct shim_file *file, void *arg)
{
   const struct drm_gem_close *c = arg;
   int r = -EINVAL;
   pthread_mutex_lock(&shim_lock);
   struct shim_bo *bo = file_bo(file, c->handle);
   if (bo) {
      va_drop_bo(file, bo);
      file->handles[c->handle] = NULL;
      bo_unref(bo);
      r = 0;
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

int ioctl_prime_handle_to_fd(struct shim_file *file, void *arg)
{
   struct drm_prime_handle *p = arg;
   int r = 0;
   if (p->flags & ~(DRM_CLOEXEC | DRM_RDWR))
      return -EINVAL;
   pthread_mutex_lock(&shim_lock);
   struct shim_bo *bo = file_bo(file, p->handle);
   if (!bo) {
      r = -ENOENT;
   } else if (bo->userptr || bo->fd < 0 || bo_is_always_valid(bo)) {
      r = -EPERM; /* as amdgpu_gem_prime_export */
   } else {
      const int fd = (int)syscall(SYS_fcntl, bo->fd, p->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
      if (fd < 0)
         r = -errno;
      else
         p->fd = fd;
      bo->shared = true;
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

int ioctl_prime_fd_to_handle(struct shim_file *file, void *arg)
{
   struct drm_prime_handle *p = arg;
   struct shim_bo *bo = NULL;
   pthread_mutex_lock(&shim_lock);
   int r = bo_import(p->fd, &bo);
   if (r == 0) {
      /* The same buffer has one handle per file. */
      uint32_t handle = 0;
      for (uint32_t i = 1; i < file->max_handles && !handle; i++) {
         if (file->handles[i] == bo)
            handle = i;
      }
      if (handle)
         bo_unref(bo);
      else if ((r = file_add_bo(file, bo, &handle)) != 0)
         bo_unref(bo);
      p->handle = handle;
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}
