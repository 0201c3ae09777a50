/* SPDX-License-Identifier: MIT */
/* The libc calls that libdrm, the loaders and drivers make on the render node
 * and its device files. Descriptors are real ones, so only the calls whose
 * answer differs from a memfd's are here. */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include "shim.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define REAL(ret, name, ...)                                   \
   static ret (*real)(__VA_ARGS__);                            \
   if (!real)                                                  \
      real = (ret (*)(__VA_ARGS__))real_symbol(name)
#define ALIAS(name, target) \
   EXPORT extern __typeof__(target) name __attribute__((alias(#target)))

static int fail(int err)
{
   errno = err;
   return -1;
}

/* --- open --- */

static int open_node(const struct vfs_node *node, int flags)
{
   if (node->kind == VFS_RENDER_NODE)
      return file_open(flags);
   if (node->kind == VFS_DIR || (flags & O_ACCMODE) != O_RDONLY)
      return fail(node->kind == VFS_DIR ? EISDIR : EACCES);
   const int fd = shim_memfd("tgsiamd-sysfs", 0);
   if (fd >= 0) {
      if (write(fd, node->data, node->size) != (ssize_t)node->size || lseek(fd, 0, SEEK_SET) != 0) {
         real_close(fd);
         return fail(EIO);
      }
      if (!(flags & O_CLOEXEC))
         syscall(SYS_fcntl, fd, F_SETFD, 0);
   }
   return fd;
}

static int open_any(int dirfd, const char *path, int flags, mode_t mode)
{
   bool missing;
   const struct vfs_node *node = vfs_lookup(path, !(flags & O_NOFOLLOW), &missing);
   if (node)
      return open_node(node, flags);
   if (missing)
      return fail(ENOENT);
   return (int)syscall(SYS_openat, dirfd, path, flags, mode);
}

#define OPEN_MODE(flags)                       \
   mode_t mode = 0;                            \
   if ((flags) & (O_CREAT | __O_TMPFILE)) {    \
      va_list ap;                              \
      va_start(ap, flags);                     \
      mode = va_arg(ap, mode_t);               \
      va_end(ap);                              \
   }

EXPORT int open(const char *path, int flags, ...)
{
   OPEN_MODE(flags)
   return open_any(AT_FDCWD, path, flags, mode);
}
ALIAS(open64, open);

EXPORT int openat(int dirfd, const char *path, int flags, ...)
{
   OPEN_MODE(flags)
   return open_any(dirfd, path, flags, mode);
}
ALIAS(openat64, openat);

EXPORT int __open_2(const char *path, int flags)
{
   return open_any(AT_FDCWD, path, flags, 0);
}
ALIAS(__open64_2, __open_2);

EXPORT int __openat_2(int dirfd, const char *path, int flags)
{
   return open_any(dirfd, path, flags, 0);
}
ALIAS(__openat64_2, __openat_2);

EXPORT FILE *fopen(const char *path, const char *mode)
{
   REAL(FILE *, "fopen", const char *, const char *);
   bool missing;
   const struct vfs_node *node = vfs_lookup(path, true, &missing);
   if (!node && !missing)
      return real(path, mode);
   if (!node || node->kind != VFS_FILE || mode[0] != 'r') {
      errno = node ? EACCES : ENOENT;
      return NULL;
   }
   return fmemopen((void *)node->data, node->size, "r");
}
ALIAS(fopen64, fopen);

EXPORT int close(int fd)
{
   dev_t dev;
   ino_t ino;
   const bool ours = shim_active && real_fstat_ids(fd, &dev, &ino, NULL) == 0 && file_owns(dev, ino);
   const int r = real_close(fd);
   if (ours)
      file_collect();
   return r;
}

/* --- stat --- */

static void stat_render(struct stat *st)
{
   st->st_mode = S_IFCHR | 0666;
   st->st_rdev = makedev(SHIM_RENDER_MAJOR, SHIM_RENDER_MINOR);
}

static int stat_node(const struct vfs_node *node, struct stat *st)
{
   memset(st, 0, sizeof(*st));
   st->st_dev = 0x7467;
   st->st_ino = (ino_t)(uintptr_t)node;
   st->st_nlink = 1;
   st->st_blksize = 4096;
   st->st_size = (off_t)node->size;
   switch (node->kind) {
   case VFS_DIR: st->st_mode = S_IFDIR | 0755; break;
   case VFS_FILE: st->st_mode = S_IFREG | 0444; break;
   case VFS_LINK: st->st_mode = S_IFLNK | 0777; break;
   case VFS_RENDER_NODE: stat_render(st); break;
   }
   return 0;
}

static int stat_fd(int fd, struct stat *st)
{
   const long r = syscall(SYS_fstat, fd, st);
   if (r == 0 && shim_active && st->st_nlink == 0 && file_owns(st->st_dev, st->st_ino))
      stat_render(st);
   return (int)r;
}

static int stat_at(int dirfd, const char *path, struct stat *st, int flags)
{
   bool missing;
   if (!path[0] && (flags & AT_EMPTY_PATH))
      return stat_fd(dirfd, st);
   const struct vfs_node *node = vfs_lookup(path, !(flags & AT_SYMLINK_NOFOLLOW), &missing);
   if (node)
      return stat_node(node, st);
   if (missing)
      return fail(ENOENT);
   return (int)syscall(SYS_newfstatat, dirfd, path, st, flags);
}

EXPORT int stat(const char *path, struct stat *st) { return stat_at(AT_FDCWD, path, st, 0); }
EXPORT int lstat(const char *path, struct stat *st) { return stat_at(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW); }
EXPORT int fstat(int fd, struct stat *st) { return stat_fd(fd, st); }
EXPORT int fstatat(int dirfd, const char *path, struct stat *st, int flags)
{
   return stat_at(dirfd, path, st, flags);
}
/* struct stat64 is struct stat on this architecture. */
EXPORT int stat64(const char *path, struct stat64 *st) { return stat_at(AT_FDCWD, path, (struct stat *)st, 0); }
EXPORT int lstat64(const char *path, struct stat64 *st)
{
   return stat_at(AT_FDCWD, path, (struct stat *)st, AT_SYMLINK_NOFOLLOW);
}
EXPORT int fstat64(int fd, struct stat64 *st) { return stat_fd(fd, (struct stat *)st); }
EXPORT int fstatat64(int dirfd, const char *path, struct stat64 *st, int flags)
{
   return stat_at(dirfd, path, (struct stat *)st, flags);
}
/* Programs linked against glibc before 2.33 */
EXPORT int __xstat(int ver, const char *path, struct stat *st) { (void)ver; return stat_at(AT_FDCWD, path, st, 0); }
EXPORT int __lxstat(int ver, const char *path, struct stat *st)
{
   (void)ver;
   return stat_at(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}
EXPORT int __fxstat(int ver, int fd, struct stat *st) { (void)ver; return stat_fd(fd, st); }
EXPORT int __fxstatat(int ver, int dirfd, const char *path, struct stat *st, int flags)
{
   (void)ver;
   return stat_at(dirfd, path, st, flags);
}
ALIAS(__xstat64, __xstat);
ALIAS(__lxstat64, __lxstat);
ALIAS(__fxstat64, __fxstat);
ALIAS(__fxstatat64, __fxstatat);

EXPORT int statx(int dirfd, const char *path, int flags, unsigned mask, struct statx *stx)
{
   bool missing;
   struct stat st;
   const bool by_fd = !path[0] && (flags & AT_EMPTY_PATH);
   const struct vfs_node *node =
      by_fd ? NULL : vfs_lookup(path, !(flags & AT_SYMLINK_NOFOLLOW), &missing);
   const long r = node ? 0 : syscall(SYS_statx, dirfd, path, flags, mask, stx);
   if (node) {
      stat_node(node, &st);
      memset(stx, 0, sizeof(*stx));
      stx->stx_mask = STATX_BASIC_STATS;
      stx->stx_nlink = 1;
      stx->stx_ino = st.st_ino;
      stx->stx_size = (uint64_t)st.st_size;
   } else if (r == 0 && by_fd && shim_active && stat_fd(dirfd, &st) == 0 && S_ISCHR(st.st_mode) &&
              major(st.st_rdev) == SHIM_RENDER_MAJOR) {
   } else {
      return (int)r;
   }
   stx->stx_mode = (uint16_t)st.st_mode;
   stx->stx_rdev_major = major(st.st_rdev);
   stx->stx_rdev_minor = minor(st.st_rdev);
   return 0;
}

static int access_any(int dirfd, const char *path, int mode, int flags)
{
   bool missing;
   const struct vfs_node *node = vfs_lookup(path, true, &missing);
   if (node)
      return (mode & X_OK) && node->kind != VFS_DIR ? fail(EACCES) : 0;
   if (missing)
      return fail(ENOENT);
   if (flags) {
      REAL(int, "faccessat", int, const char *, int, int);
      return real(dirfd, path, mode, flags);
   }
   return (int)syscall(SYS_faccessat, dirfd, path, mode);
}

EXPORT int access(const char *path, int mode) { return access_any(AT_FDCWD, path, mode, 0); }
EXPORT int faccessat(int dirfd, const char *path, int mode, int flags)
{
   return access_any(dirfd, path, mode, flags);
}

/* --- links --- */

static ssize_t readlink_any(int dirfd, const char *path, char *buf, size_t size)
{
   bool missing;
   const struct vfs_node *node = vfs_lookup(path, false, &missing);
   if (node && node->kind == VFS_LINK) {
      const size_t len = strlen(node->data);
      memcpy(buf, node->data, len < size ? len : size);
      return (ssize_t)(len < size ? len : size);
   }
   if (node || missing)
      return fail(node ? EINVAL : ENOENT);
   return syscall(SYS_readlinkat, dirfd, path, buf, size);
}

EXPORT ssize_t readlink(const char *path, char *buf, size_t size)
{
   return readlink_any(AT_FDCWD, path, buf, size);
}
EXPORT ssize_t readlinkat(int dirfd, const char *path, char *buf, size_t size)
{
   return readlink_any(dirfd, path, buf, size);
}
EXPORT ssize_t __readlink_chk(const char *path, char *buf, size_t size, size_t buflen)
{
   if (buflen < size)
      abort();
   return readlink_any(AT_FDCWD, path, buf, size);
}

EXPORT char *realpath(const char *path, char *resolved)
{
   REAL(char *, "realpath", const char *, char *);
   bool missing;
   const struct vfs_node *node = vfs_lookup(path, true, &missing);
   if (!node && !missing)
      return real(path, resolved);
   if (!node) {
      errno = ENOENT;
      return NULL;
   }
   return resolved ? strcpy(resolved, node->path) : strdup(node->path);
}
EXPORT char *__realpath_chk(const char *path, char *resolved, size_t len)
{
   if (len < PATH_MAX)
      abort();
   return realpath(path, resolved);
}

/* --- folders --- */

/* A stream of ours is told by its address in this table. */
static struct fake_dir {
   const struct vfs_node *node;
   unsigned pos;
   struct dirent entry;
} fake_dirs[16];

static struct fake_dir *fake_dir(DIR *dir)
{
   struct fake_dir *d = (struct fake_dir *)dir;
   return d >= fake_dirs && d < fake_dirs + 16 ? d : NULL;
}

EXPORT DIR *opendir(const char *path)
{
   REAL(DIR *, "opendir", const char *);
   bool missing;
   const struct vfs_node *node = vfs_lookup(path, true, &missing);
   if (!node && !missing)
      return real(path);
   if (node && node->kind == VFS_DIR) {
      for (unsigned i = 0; i < 16; i++) {
         const struct vfs_node *none = NULL;
         if (__atomic_compare_exchange_n(&fake_dirs[i].node, &none, node, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED)) {
            fake_dirs[i].pos = 0;
            return (DIR *)&fake_dirs[i];
         }
      }
   }
   errno = !node ? ENOENT : node->kind == VFS_DIR ? EMFILE : ENOTDIR;
   return NULL;
}

EXPORT struct dirent *readdir(DIR *dir)
{
   REAL(struct dirent *, "readdir", DIR *);
   static const unsigned char types[] = { DT_DIR, DT_REG, DT_LNK, DT_CHR };
   struct fake_dir *d = fake_dir(dir);
   if (!d)
      return real(dir);
   const struct vfs_node *node = vfs_child(d->node, d->pos);
   if (!node)
      return NULL;
   d->pos++;
   d->entry.d_ino = (ino_t)(uintptr_t)node;
   d->entry.d_type = types[node->kind];
   d->entry.d_reclen = sizeof(d->entry);
   snprintf(d->entry.d_name, sizeof(d->entry.d_name), "%s", vfs_name(node));
   return &d->entry;
}
EXPORT struct dirent64 *readdir64(DIR *dir)
{
   return (struct dirent64 *)readdir(dir);
}

EXPORT int closedir(DIR *dir)
{
   REAL(int, "closedir", DIR *);
   struct fake_dir *d = fake_dir(dir);
   if (!d)
      return real(dir);
   __atomic_store_n(&d->node, NULL, __ATOMIC_RELEASE);
   return 0;
}

EXPORT void rewinddir(DIR *dir)
{
   REAL(void, "rewinddir", DIR *);
   struct fake_dir *d = fake_dir(dir);
   if (d)
      d->pos = 0;
   else
      real(dir);
}

EXPORT int dirfd(DIR *dir)
{
   REAL(int, "dirfd", DIR *);
   return fake_dir(dir) ? fail(ENOTSUP) : real(dir);
}

EXPORT int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **))
{
   REAL(int, "scandir", const char *, struct dirent ***, int (*)(const struct dirent *),
        int (*)(const struct dirent **, const struct dirent **));
   bool missing;
   const struct vfs_node *node = vfs_lookup(path, true, &missing);
   if (!node && !missing)
      return real(path, list, filter, compare);
   if (!node || node->kind != VFS_DIR)
      return fail(node ? ENOTDIR : ENOENT);
   DIR *dir = opendir(path);
   struct dirent **out = calloc(32, sizeof(*out));
   int n = 0;
   if (!dir || !out)
      return fail(ENOMEM);
   for (struct dirent *e; n < 32 && (e = readdir(dir));) {
      if (filter && !filter(e))
         continue;
      out[n] = malloc(sizeof(*e));
      if (out[n])
         memcpy(out[n++], e, sizeof(*e));
   }
   closedir(dir);
   if (compare && n)
      qsort(out, (size_t)n, sizeof(*out), (int (*)(const void *, const void *))compare);
   *list = out;
   return n;
}
EXPORT int scandir64(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
                     int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
   return scandir(path, (struct dirent ***)list, (int (*)(const struct dirent *))filter,
                  (int (*)(const struct dirent **, const struct dirent **))compare);
}

/* --- ioctl, mmap, lseek --- */

EXPORT int ioctl(int fd, unsigned long request, ...)
{
   va_list ap;
   va_start(ap, request);
   void *arg = va_arg(ap, void *);
   va_end(ap);

   const unsigned type = (request >> 8) & 0xff;
   if (type == 'd') { /* DRM_IOCTL_BASE */
      struct shim_file *file = file_get(fd);
      if (file) {
         const int r = ioctl_dispatch(file, request, arg);
         file_put(file);
         return r < 0 ? fail(-r) : r;
      }
   } else if (shim_active && (type == '>' || type == 'b')) { /* sync files, dma-bufs */
      const int r = ioctl_shared_fd(fd, request, arg);
      if (r != -ENOTTY)
         return r < 0 ? fail(-r) : r;
   }
   return real_ioctl(fd, request, arg);
}

EXPORT void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
   if (fd >= 0 && shim_active && (uint64_t)offset >> SHIM_MMAP_SHIFT) {
      struct shim_file *file = file_get(fd);
      if (file) {
         void *p = MAP_FAILED;
         pthread_mutex_lock(&shim_lock);
         struct shim_bo *bo = file_bo(file, (uint32_t)((uint64_t)offset >> SHIM_MMAP_SHIFT));
         const uint64_t start = (uint64_t)offset & ((1ull << SHIM_MMAP_SHIFT) - 1);
         if (!bo || bo->fd < 0 || start > bo->size || length > bo->size - start)
            errno = EINVAL;
         else
            p = real_mmap(addr, length, prot, flags, bo->fd, (off_t)start);
         if (p != MAP_FAILED && bo)
            cpu_mapped(p, length, bo, start, (prot & (PROT_READ | PROT_WRITE)) == (PROT_READ | PROT_WRITE));
         pthread_mutex_unlock(&shim_lock);
         file_put(file);
         return p;
      }
   }
   return real_mmap(addr, length, prot, flags, fd, offset);
}
ALIAS(mmap64, mmap);

EXPORT int munmap(void *addr, size_t length)
{
   if (shim_active)
      cpu_unmapped(addr, length);
   return (int)syscall(SYS_munmap, addr, length);
}

/* The end of a dma-buf is the end of its buffer; our metadata lies behind. */
EXPORT off_t lseek(int fd, off_t offset, int whence)
{
   off_t size;
   if (shim_active && whence == SEEK_END && (size = bo_fd_size(fd)) > 0)
      return (off_t)syscall(SYS_lseek, fd, size + offset, SEEK_SET);
   return (off_t)syscall(SYS_lseek, fd, offset, whence);
}
ALIAS(lseek64, lseek);
