/* SPDX-License-Identifier: MIT */
#include "out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const char *out_path(const char *path, char *out, size_t size)
{
   const char *percent = strstr(path, "%p");
   if (percent)
      snprintf(out, size, "%.*s%ld%s", (int)(percent - path), path, (long)getpid(), percent + 2);
   else
      snprintf(out, size, "%s", path);
   return out;
}

FILE *out_file(const char *path, const char *what)
{
   struct stat st;
   const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
   if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      fprintf(stderr, "tgsiamd-model: %s: another process writes %s; %%p in the name makes one for each\n", what, path);
      close(fd);
      return NULL;
   }
   FILE *out = NULL;
   if (fd >= 0 && fstat(fd, &st) == 0 && (!S_ISREG(st.st_mode) || ftruncate(fd, 0) == 0))
      out = fdopen(fd, "w");
   if (!out) {
      fprintf(stderr, "tgsiamd-model: %s: cannot write %s: %s\n", what, path, strerror(errno));
      if (fd >= 0)
         close(fd);
   }
   return out;
}
