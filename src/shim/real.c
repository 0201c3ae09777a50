/* SPDX-License-Identifier: MIT */
/* libc and the kernel as they are without the interposer. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Descriptors below stay free for programs that call select(). */
#define HIGH_FD 1024

void *real_symbol(const char *name)
{
   return dlsym(RTLD_NEXT, name);
}

int real_close(int fd)
{
   static int (*fn)(int);
   if (!fn)
      fn = (int (*)(int))real_symbol("close");
   return fn(fd);
}

void *real_mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
   return (void *)syscall(SYS_mmap, addr, length, prot, flags, fd, offset);
}

int real_ioctl(int fd, unsigned long request, void *arg)
{
   return (int)syscall(SYS_ioctl, fd, request, arg);
}

int real_fstat_ids(int fd, dev_t *dev, ino_t *ino, off_t *size)
{
   struct stat st;
   if (syscall(SYS_fstat, fd, &st) != 0)
      return -1;
   *dev = st.st_dev;
   *ino = st.st_ino;
   if (size)
      *size = st.st_size;
   return 0;
}

int shim_fd_move_high(int fd)
{
   static bool raised;
   if (fd < 0)
      return fd;
   if (!raised) {
      struct rlimit lim;
      raised = true;
      if (getrlimit(RLIMIT_NOFILE, &lim) == 0 && lim.rlim_cur < 65536 && lim.rlim_cur < lim.rlim_max) {
         lim.rlim_cur = lim.rlim_max < 65536 ? lim.rlim_max : 65536;
         setrlimit(RLIMIT_NOFILE, &lim);
      }
   }
   const int high = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIGH_FD);
   if (high < 0)
      return fd;
   real_close(fd);
   return high;
}

int shim_memfd(const char *name, size_t size)
{
   const int fd = (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC | (size ? MFD_ALLOW_SEALING : 0));
   if (fd < 0)
      return -1;
   /* Like a dma-buf's, the size is for good: what is mapped here stays. */
   if (size && (ftruncate(fd, (off_t)size) != 0 ||
                syscall(SYS_fcntl, fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
      const int err = errno;
      real_close(fd);
      errno = err;
      return -1;
   }
   return fd;
}

bool shim_fd_has_name(int fd, const char *name)
{
   char path[64], link[128], want[96];
   snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
   const ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, path, link, sizeof(link) - 1);
   if (n <= 0)
      return false;
   link[n] = 0;
   const int len = snprintf(want, sizeof(want), "/memfd:%s", name);
   return strncmp(link, want, (size_t)len) == 0 && (link[len] == 0 || link[len] == ' ');
}

int64_t shim_now_ns(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}
