/* SPDX-License-Identifier: MIT */
/* Sync files: a fence as a descriptor that any process can poll. Each is one
 * end of a pair of sockets; the other end sends the fence's error when it is
 * done, and nobody takes that message out. The name that an end is bound to
 * tells it from other sockets, and whose death ends the wait. */
#define _GNU_SOURCE
#include "fence.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define PREFIX "tgsiamd-sync_file/"

int sync_file_new(struct shim_fence *f)
{
   static unsigned counter;
   struct sockaddr_un name = { .sun_family = AF_UNIX };
   int ends[2];
   if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) != 0)
      return -errno;
   const int n = snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, PREFIX "%d/%u/%llx", (int)getpid(),
                          counter++, (unsigned long long)shim_now_ns());
   if (bind(ends[0], (struct sockaddr *)&name, (socklen_t)(sizeof(name.sun_family) + 1 + (size_t)n)) != 0) {
      real_close(ends[0]);
      real_close(ends[1]);
      return -ENOMEM;
   }
   int r = 0;
   if (fence_done(f)) {
      sync_file_signal(ends[1], f->error);
      real_close(ends[1]);
      cpu_waited(); /* who polls it needs no ioctl */
   } else {
      ends[1] = shim_fd_move_high(ends[1]);
      r = fence_watch_file(f, ends[1]);
   }
   if (r == 0)
      return ends[0];
   real_close(ends[0]);
   real_close(ends[1]);
   return r;
}

/* The process that ends it; 0: no sync file. */
static uint32_t maker(int fd)
{
   struct sockaddr_un name;
   socklen_t size = sizeof(name);
   memset(&name, 0, sizeof(name));
   if (getsockname(fd, (struct sockaddr *)&name, &size) != 0 || name.sun_family != AF_UNIX || name.sun_path[0] ||
       strncmp(name.sun_path + 1, PREFIX, sizeof(PREFIX) - 1) != 0)
      return 0;
   return (uint32_t)strtoul(name.sun_path + sizeof(PREFIX), NULL, 10);
}

bool sync_file_is(int fd)
{
   const int saved = errno;
   const bool is = maker(fd) != 0;
   errno = saved;
   return is;
}

int sync_file_status(int fd, int *error)
{
   const int saved = errno;
   int status = 0, value = 0;
   if (recv(fd, &value, sizeof(value), MSG_PEEK | MSG_DONTWAIT) == sizeof(value)) {
      status = value ? -1 : 1;
   } else if (!shim_process_lives(maker(fd))) {
      value = -ECANCELED; /* it died with the work not done */
      status = -1;
   }
   *error = value;
   errno = saved;
   return status;
}

void sync_file_signal(int fd, int error)
{
   send(fd, &error, sizeof(error), MSG_NOSIGNAL | MSG_DONTWAIT);
}

struct shim_fence *sync_file_fence(int fd)
{
   struct shim_fence *f = fence_new(FENCE_FILE);
   if (!f)
      return NULL;
   f->fd = shim_fd_move_high((int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 0));
   if (f->fd < 0) {
      fence_unref(f);
      return NULL;
   }
   fence_done(f);
   return f;
}
