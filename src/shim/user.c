/* SPDX-License-Identifier: MIT */
/* Copies from and to the caller's memory: a wild pointer is an error, as the
 * kernel's copy_from_user has it, not a crash. */
#define _GNU_SOURCE
#include "shim.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* A sandbox may forbid the call: then pointers are taken as they come. */
static bool forbidden(ssize_t n)
{
   return n < 0 && (errno == ENOSYS || errno == EPERM);
}

int user_read(void *dst, uint64_t src, size_t size)
{
   const struct iovec local = { dst, size }, remote = { (void *)(uintptr_t)src, size };
   if (!size)
      return 0;
   const int saved = errno;
   const ssize_t n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
   if (forbidden(n) && src) {
      memcpy(dst, remote.iov_base, size);
      errno = saved;
      return 0;
   }
   errno = saved;
   return n == (ssize_t)size ? 0 : -EFAULT;
}

int user_write(uint64_t dst, const void *src, size_t size)
{
   const struct iovec local = { (void *)src, size }, remote = { (void *)(uintptr_t)dst, size };
   if (!size)
      return 0;
   const int saved = errno;
   const ssize_t n = process_vm_writev(getpid(), &local, 1, &remote, 1, 0);
   if (forbidden(n) && dst) {
      memcpy(remote.iov_base, src, size);
      errno = saved;
      return 0;
   }
   errno = saved;
   return n == (ssize_t)size ? 0 : -EFAULT;
}

int user_gather(const struct user_span *spans, unsigned num)
{
   struct iovec local[USER_MAX_SPANS], remote[USER_MAX_SPANS];
   size_t total = 0;
   if (num > USER_MAX_SPANS)
      return -EINVAL;
   for (unsigned i = 0; i < num; i++) {
      local[i] = (struct iovec){ spans[i].dst, spans[i].size };
      remote[i] = (struct iovec){ (void *)(uintptr_t)spans[i].src, spans[i].size };
      total += spans[i].size;
   }
   if (!total)
      return 0;
   const int saved = errno;
   const ssize_t n = process_vm_readv(getpid(), local, num, remote, num, 0);
   const bool plain = forbidden(n);
   errno = saved;
   for (unsigned i = 0; plain && i < num; i++) {
      const int r = user_read(spans[i].dst, spans[i].src, spans[i].size);
      if (r)
         return r;
   }
   return plain || n == (ssize_t)total ? 0 : -EFAULT;
}
