/* SPDX-License-Identifier: MIT */
/* The kernel's face: what the files of this folder share.
 *
 * One process holds one GPU model. Kernel objects live in process memory;
 * what another process can reach (buffer pages, exported sync objects) lies
 * in memfds. All tables are guarded by shim_lock; functions whose names end
 * in _locked expect it held. */
#ifndef TGSIAMD_SHIM_H
#define TGSIAMD_SHIM_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tgsiamd/model.h"

#define SHIM_RENDER_MAJOR 226
#define SHIM_RENDER_MINOR 128
#define SHIM_PAGE 4096ull
/* mmap offsets that GEM_MMAP hands out: handle << SHIM_MMAP_SHIFT. */
#define SHIM_MMAP_SHIFT 36

extern pthread_mutex_t shim_lock;

/* --- libc as it is without us (real.c) --- */
int real_close(int fd);
void *real_mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
int real_ioctl(int fd, unsigned long request, void *arg);
int real_fstat_ids(int fd, dev_t *dev, ino_t *ino, off_t *size);
void *real_symbol(const char *name);
/* Moves fd above the range that programs that use select() need. */
int shim_fd_move_high(int fd);
/* A memfd of `size` bytes, -1 with errno. */
int shim_memfd(const char *name, size_t size);
/* Is fd a memfd of that name? Works for descriptors from other processes. */
bool shim_fd_has_name(int fd, const char *name);

/* --- virtual files (vfs.c) --- */
enum vfs_kind { VFS_DIR, VFS_FILE, VFS_LINK, VFS_RENDER_NODE };
struct vfs_node {
   const char *path;
   enum vfs_kind kind;
   const char *data;  /* contents, or a link's target */
   size_t size;
};
/* Node of a path; symbolic links on the way are followed, the last one only
 * when `follow`. NULL: not ours. *missing is set for a path below a folder of
 * ours that does not exist. */
const struct vfs_node *vfs_lookup(const char *path, bool follow, bool *missing);
/* The n-th entry of a folder, NULL after the last. */
const struct vfs_node *vfs_child(const struct vfs_node *dir, unsigned n);
const char *vfs_name(const struct vfs_node *node);

/* --- buffers (bo.c) --- */
#define SHIM_META_MAGIC 0x6f626774
/* A queue's use of a shared buffer: owner is the process and the queue. */
#define SHIM_BO_SLOTS 64
struct bo_slot { uint64_t owner, submitted, done; };
/* Lies in the page behind the buffer's last one, so that it goes along when
 * the buffer is shared with another process. */
struct bo_meta {
   uint32_t magic;
   uint64_t size, alignment, domains, flags;
   uint64_t tiling_info, umd_flags;
   uint32_t umd_size;
   uint32_t umd[64];
   uint32_t slot_lock;   /* the holder's process */
   struct bo_slot slots[SHIM_BO_SLOTS];
};
_Static_assert(sizeof(struct bo_meta) <= SHIM_PAGE, "metadata fits into its page");
struct shim_bo {
   struct shim_bo *next;
   uint32_t id;          /* process-wide, names it in the model's reports */
   unsigned refs;
   int fd;               /* memfd, -1 for user pointers and GDS */
   dev_t dev;
   ino_t ino;
   uint64_t size;        /* page aligned */
   void *host;           /* NULL for GDS, GWS, OA */
   struct bo_meta *meta;
   bool userptr, readonly;
   bool shared;          /* another process may have it */
};
int bo_create(uint64_t size, uint64_t alignment, uint64_t domains, uint64_t flags, struct shim_bo **out);
int bo_create_userptr(void *addr, uint64_t size, bool readonly, struct shim_bo **out);
/* Faults the pages of user memory in, as the kernel does before the GPU may
 * use them: false when they are not there or not writable. */
bool bo_pin_userptr(const struct shim_bo *bo);
int bo_import(int fd, struct shim_bo **out);
void bo_unref(struct shim_bo *bo);
uint64_t bo_usage(uint64_t domain);
/* Sizes of the heaps: a Raven's, less on a machine with little memory, or
 * what vram= says. */
uint64_t bo_vram_size(void);
uint64_t bo_gtt_size(void);
/* Size of the buffer behind a dma-buf descriptor, 0 when fd is none. */
off_t bo_fd_size(int fd);
bool bo_is_always_valid(const struct shim_bo *bo);

/* --- open file descriptions (file.c) --- */
struct shim_mapping { uint64_t va, size, offset; struct shim_bo *bo; uint32_t flags; };

struct shim_file {
   struct shim_file *next;
   dev_t dev;
   ino_t ino;
   unsigned busy;        /* ioctls and jobs under way; the file stays while they run */
   bool dead;
   struct tgsiamd_model_vm *vm;
   struct va_op *va_ops;      /* not applied yet: jobs under way see the old page table */
   uint64_t va_issued, va_applied;
   struct shim_mapping *maps; /* sorted by va */
   unsigned num_maps, max_maps;
   struct shim_bo **handles;  /* by GEM handle; [0] unused */
   unsigned max_handles, next_handle;
   struct shim_ctx **ctxs;
   unsigned max_ctxs;
   struct shim_bo_list **lists;
   unsigned max_lists;
   struct shim_syncobj **syncobjs;
   unsigned max_syncobjs;
};

struct tgsiamd_model *shim_model(void);
const struct tgsiamd_chip *shim_chip(void);
/* The file behind a descriptor, NULL when it is not the render node's. Takes
 * a busy count; give it back with file_put. */
struct shim_file *file_get(int fd);
void file_put(struct shim_file *file);
void file_put_locked(struct shim_file *file);
int file_open(int flags);
/* After an fd of ours was closed: drops files that no descriptor names. */
void file_collect(void);
bool file_owns(dev_t dev, ino_t ino);
/* True once the process opened the render node: before it no call needs a look. */
extern bool shim_active;

struct shim_bo *file_bo(struct shim_file *file, uint32_t handle);
int file_add_bo(struct shim_file *file, struct shim_bo *bo, uint32_t *handle);
/* Grows a table of pointers and returns a free index >= 1, or 0. */
unsigned shim_slot(void ***table, unsigned *max);

/* --- address space (va.c) --- */
void va_drop_bo(struct shim_file *file, struct shim_bo *bo);
void va_drop_all(struct shim_file *file);
/* Applies what no job under way hinders any more. */
void va_apply(struct shim_file *file);

/* --- visibility to the CPU (cpu_watch.c) --- */
/* The program mapped a part of a buffer; unmapped whatever lies there. */
void cpu_mapped(void *addr, size_t length, const struct shim_bo *bo, uint64_t offset, bool writable);
void cpu_unmapped(void *addr, size_t length);
/* It has waited. */
void cpu_waited(void);

/* --- contexts and sync objects --- */
void ctx_free_all(struct shim_file *file);
void syncobj_free_all(struct shim_file *file);

struct shim_syncobj;
struct shim_fence;
struct shim_syncobj *syncobj_get(struct shim_file *file, uint32_t handle);
enum syncobj_state { SYNCOBJ_ABSENT, SYNCOBJ_PENDING, SYNCOBJ_DONE };
int syncobj_state(struct shim_syncobj *s, uint64_t point);
void syncobj_reset(struct shim_syncobj *s);
/* Highest point that is done, or was submitted. */
uint64_t syncobj_point(struct shim_syncobj *s, bool submitted);
/* Waits for a point to be submitted; shim_lock is released meanwhile. */
int syncobj_wait_submitted(struct shim_syncobj *s, uint64_t point, int64_t deadline_ns);
int syncobj_new(struct shim_file *file, bool signaled, uint32_t *handle);
/* A descriptor that other processes can import; drop frees the handle. */
int syncobj_export(struct shim_file *file, uint32_t handle);
void syncobj_drop(struct shim_file *file, uint32_t handle);

#define SHIM_RINGS 8
/* Jobs of one context on one ring run in order. */
struct shim_entity {
   uint64_t owner;               /* process and queue, for other processes */
   uint64_t seq, done;           /* last sequence number submitted, ended */
   uint64_t bad;                 /* from this one on they were canceled, 0 none */
};
struct shim_ctx {
   unsigned refs;
   int32_t priority;
   bool guilty;
   uint32_t hangs, queried_hangs;
   uint32_t resets_at_creation;
   struct shim_entity entities[3][SHIM_RINGS];
};
extern uint32_t shim_reset_counter;
struct shim_ctx *ctx_get(struct shim_file *file, uint32_t id);
void ctx_unref(struct shim_ctx *ctx);

/* Buffer lists (bo_list.c). */
struct shim_bo_list { unsigned count; struct shim_bo *bos[]; };
/* The buffers of a user array of entries, with references. */
struct drm_amdgpu_bo_list_in;
int bo_list_read(struct shim_file *file, const struct drm_amdgpu_bo_list_in *in, struct shim_bo_list **out);
void bo_list_free(struct shim_bo_list *list);
void bo_list_free_all(struct shim_file *file);

/* --- the caller's memory (user.c): 0 or -EFAULT --- */
int user_read(void *dst, uint64_t src, size_t size);
int user_write(uint64_t dst, const void *src, size_t size);
#define USER_MAX_SPANS 64
struct user_span { void *dst; uint64_t src; size_t size; };
/* Several reads at the price of one; -EINVAL when there are too many. */
int user_gather(const struct user_span *spans, unsigned num);

/* --- ioctls: return 0 or positive, or -errno --- */
typedef int (*shim_ioctl_fn)(struct shim_file *file, void *arg);
/* Are the ioctls that fail-ioctl= names known? */
bool ioctl_fails_exist(const struct tgsiamd_model_kernel_options *k);
int ioctl_dispatch(struct shim_file *file, unsigned long request, void *arg);
/* ioctls on sync files and dma-bufs; -ENOTTY when fd is not one of ours. */
int ioctl_shared_fd(int fd, unsigned long request, void *arg);

#define SHIM_IOCTLS(X) \
   X(version) X(get_unique) X(get_magic) X(auth_magic) X(get_cap) X(set_client_cap) X(set_version) \
   X(gem_close) X(gem_flink) X(gem_open) X(prime_handle_to_fd) X(prime_fd_to_handle) \
   X(gem_create) X(gem_mmap) X(gem_metadata) X(gem_op) X(gem_wait_idle) X(gem_userptr) X(gem_va) \
   X(info) X(ctx) X(sched) X(vm) X(bo_list) X(cs) X(wait_cs) X(wait_fences) X(fence_to_handle) \
   X(syncobj_create) X(syncobj_destroy) X(syncobj_handle_to_fd) X(syncobj_fd_to_handle) \
   X(syncobj_wait) X(syncobj_reset) X(syncobj_signal) X(syncobj_timeline_wait) X(syncobj_query) \
   X(syncobj_timeline_signal) X(syncobj_transfer)
#define SHIM_DECLARE(name) int ioctl_##name(struct shim_file *file, void *arg);
SHIM_IOCTLS(SHIM_DECLARE)

int64_t shim_now_ns(void); /* CLOCK_MONOTONIC */

#endif
