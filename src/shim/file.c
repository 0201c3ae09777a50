/* SPDX-License-Identifier: MIT */
/* Open file descriptions of the render node. Each open() makes a memfd of its
 * own, so a descriptor's inode names the description whatever way the
 * descriptor came here (dup, fork, a socket). */
#define _GNU_SOURCE
#include "fence.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_NAME "tgsiamd-render"

pthread_mutex_t shim_lock = PTHREAD_MUTEX_INITIALIZER;
bool shim_active;
static struct shim_file *files;
static struct tgsiamd_model *model;

const struct tgsiamd_chip *shim_chip(void)
{
   static const struct tgsiamd_chip *chip;
   if (!chip) {
      const char *name = getenv("TGSIAMD_GPU");
      chip = tgsiamd_chip_by_name(name && *name ? name : "raven");
      if (!chip || chip->gfx != TGSIAMD_GFX9 || !chip->pci_device) {
         fprintf(stderr, "tgsiamd-model: TGSIAMD_GPU=%s: %s; using raven\n", name,
                 chip ? "the model does not do this generation" : "no such GPU");
         chip = tgsiamd_chip_by_name("raven");
      }
   }
   return chip;
}

struct tgsiamd_model *shim_model(void)
{
   return model;
}

/* A forked child must not find the tables or the model locked by a thread it
 * has not; the jobs are the parent's. */
static void before_fork(void)
{
   pthread_mutex_lock(&shim_lock);
   sched_drain(2000);
   cpu_waited();
   tgsiamd_model_lock(model);
}

static void after_fork_parent(void)
{
   tgsiamd_model_unlock(model);
   pthread_mutex_unlock(&shim_lock);
}

static void after_fork_child(void)
{
   tgsiamd_model_unlock(model);
   sched_after_fork();
   pthread_mutex_unlock(&shim_lock);
}

static struct shim_file *file_new(dev_t dev, ino_t ino)
{
   if (!model) {
      model = tgsiamd_model_create(shim_chip(), getenv("TGSIAMD_MODEL"));
      if (model && !ioctl_fails_exist(tgsiamd_model_kernel_options(model))) {
         tgsiamd_model_destroy(model);
         model = NULL;
      }
      if (model)
         pthread_atfork(before_fork, after_fork_parent, after_fork_child);
   }
   struct shim_file *file = model ? calloc(1, sizeof(*file)) : NULL;
   if (!file)
      return NULL;
   file->dev = dev;
   file->ino = ino;
   file->vm = tgsiamd_model_vm_create(model);
   if (!file->vm) {
      free(file);
      return NULL;
   }
   file->next = files;
   files = file;
   shim_active = true;
   return file;
}

int file_open(int flags)
{
   int fd = shim_memfd(FILE_NAME, 0);
   dev_t dev;
   ino_t ino;
   if (fd < 0)
      return -1;
   if (!(flags & O_CLOEXEC))
      syscall(SYS_fcntl, fd, F_SETFD, 0);
   if (flags & O_NONBLOCK)
      syscall(SYS_fcntl, fd, F_SETFL, O_RDWR | O_NONBLOCK);
   real_fstat_ids(fd, &dev, &ino, NULL);
   pthread_mutex_lock(&shim_lock);
   const bool ok = file_new(dev, ino) != NULL;
   pthread_mutex_unlock(&shim_lock);
   if (!ok) {
      real_close(fd);
      errno = ENODEV;
      return -1;
   }
   return fd;
}

static struct shim_file *find(dev_t dev, ino_t ino)
{
   for (struct shim_file *f = files; f; f = f->next) {
      if (f->ino == ino && f->dev == dev && !f->dead)
         return f;
   }
   return NULL;
}

bool file_owns(dev_t dev, ino_t ino)
{
   pthread_mutex_lock(&shim_lock);
   const bool owns = find(dev, ino) != NULL;
   pthread_mutex_unlock(&shim_lock);
   return owns;
}

struct shim_file *file_get(int fd)
{
   dev_t dev;
   ino_t ino;
   if (real_fstat_ids(fd, &dev, &ino, NULL) != 0)
      return NULL;
   pthread_mutex_lock(&shim_lock);
   struct shim_file *file = find(dev, ino);
   /* A descriptor inherited through exec or received from another process. */
   if (!file && shim_fd_has_name(fd, FILE_NAME))
      file = file_new(dev, ino);
   if (file)
      file->busy++;
   pthread_mutex_unlock(&shim_lock);
   return file;
}

static void file_free_locked(struct shim_file *file)
{
   for (struct shim_file **p = &files; *p; p = &(*p)->next) {
      if (*p == file) {
         *p = file->next;
         break;
      }
   }
   va_drop_all(file);
   for (unsigned i = 1; i < file->max_handles; i++) {
      if (file->handles[i])
         bo_unref(file->handles[i]);
   }
   ctx_free_all(file);
   bo_list_free_all(file);
   syncobj_free_all(file);
   tgsiamd_model_vm_destroy(file->vm);
   free(file->handles);
   free(file->maps);
   free(file);
}

void file_put_locked(struct shim_file *file)
{
   if (--file->busy == 0 && file->dead)
      file_free_locked(file);
}

void file_put(struct shim_file *file)
{
   pthread_mutex_lock(&shim_lock);
   file_put_locked(file);
   pthread_mutex_unlock(&shim_lock);
}

void file_collect(void)
{
   DIR *(*opendir_fn)(const char *) = (DIR *(*)(const char *))real_symbol("opendir");
   struct dirent *(*readdir_fn)(DIR *) = (struct dirent *(*)(DIR *))real_symbol("readdir");
   int (*closedir_fn)(DIR *) = (int (*)(DIR *))real_symbol("closedir");
   const int saved = errno;
   DIR *dir = opendir_fn("/proc/self/fd");
   if (!dir)
      return;
   pthread_mutex_lock(&shim_lock);
   for (struct shim_file *f = files; f; f = f->next)
      f->dead = true;
   for (struct dirent *e; (e = readdir_fn(dir));) {
      dev_t dev;
      ino_t ino;
      if (e->d_name[0] == '.' || real_fstat_ids(atoi(e->d_name), &dev, &ino, NULL) != 0)
         continue;
      for (struct shim_file *f = files; f; f = f->next) {
         if (f->ino == ino && f->dev == dev)
            f->dead = false;
      }
   }
   for (struct shim_file *f = files, *next; f; f = next) {
      next = f->next;
      if (f->dead && !f->busy)
         file_free_locked(f);
   }
   pthread_mutex_unlock(&shim_lock);
   closedir_fn(dir);
   errno = saved;
}

struct shim_bo *file_bo(struct shim_file *file, uint32_t handle)
{
   return handle && handle < file->max_handles ? file->handles[handle] : NULL;
}

unsigned shim_slot(void ***table, unsigned *max)
{
   for (unsigned i = 1; i < *max; i++) {
      if (!(*table)[i])
         return i;
   }
   const unsigned old = *max, now = old ? old * 2 : 16;
   void **p = realloc(*table, now * sizeof(*p));
   if (!p)
      return 0;
   memset(p + old, 0, (now - old) * sizeof(*p));
   *table = p;
   *max = now;
   return old ? old : 1;
}

/* Takes over the caller's reference. */
int file_add_bo(struct shim_file *file, struct shim_bo *bo, uint32_t *handle)
{
   const unsigned slot = shim_slot((void ***)&file->handles, &file->max_handles);
   if (!slot)
      return -ENOMEM;
   file->handles[slot] = bo;
   *handle = slot;
   return 0;
}

/* The end of the process: the GPU ends its work, as the kernel lets it when a
 * file is closed; then the report, when TGSIAMD_MODEL asks for it. */
__attribute__((destructor)) static void shim_exit(void)
{
   if (model && tgsiamd_model_kernel_options(model)->async) {
      pthread_mutex_lock(&shim_lock);
      sched_drain(10000);
      pthread_mutex_unlock(&shim_lock);
   }
   if (model && tgsiamd_model_wants_report(model))
      tgsiamd_model_report(model, stderr);
}
