/* SPDX-License-Identifier: MIT */
/* The kernel as the driver sees it: device, buffers, command streams, fences,
 * on libdrm_amdgpu. Knows nothing of Gallium. All functions are thread-safe
 * except those on a stream, which belongs to one thread at a time.
 *
 * All work of a device goes through one kernel context and one GFX ring, so
 * submissions complete in order and a point in time is one sequence number. */
#ifndef TGSIAMD_WINSYS_H
#define TGSIAMD_WINSYS_H

#include <stdbool.h>
#include <stdint.h>

#include "ac_gpu_info.h"
#include "tgsiamd/ib.h"

struct tgsiamd_device;
struct tgsiamd_stream;
struct tgsiamd_fence;

/* ---- device ------------------------------------------------------------- */

/* Opens the GPU behind `fd`; the fd stays the caller's. Two calls for the same
 * GPU give the same device with one more reference. NULL on failure; then
 * *why, if not NULL, is a static sentence. */
struct tgsiamd_device *tgsiamd_device_open(int fd, const char **why);
/* The last reference closes it. The rest of this block: facts, valid as long as
 * the device; the fd is the device's own. */
void tgsiamd_device_unref(struct tgsiamd_device *dev);
const struct radeon_info *tgsiamd_device_info(const struct tgsiamd_device *dev);
const char *tgsiamd_device_marketing_name(struct tgsiamd_device *dev);
int tgsiamd_device_fd(struct tgsiamd_device *dev);

struct tgsiamd_memory_usage {
   uint64_t vram_total, vram_used, gtt_total, gtt_used; /* bytes; used: by this device */
};
void tgsiamd_device_memory(struct tgsiamd_device *dev, struct tgsiamd_memory_usage *usage);

/* ---- buffers ------------------------------------------------------------ */

enum tgsiamd_domain { TGSIAMD_VRAM, TGSIAMD_GTT };

#define TGSIAMD_BO_CPU_ACCESS   (1u << 0) /* will be mapped */
#define TGSIAMD_BO_WRITE_COMBINE (1u << 1) /* GTT: the CPU only writes */
#define TGSIAMD_BO_NO_SUBALLOC  (1u << 2) /* own kernel buffer (implied above 32 KiB) */
#define TGSIAMD_BO_SHAREABLE    (1u << 3) /* may be exported: never cached or sub-allocated */
#define TGSIAMD_BO_ZEROED       (1u << 4) /* contents start as zero */

struct tgsiamd_bo {
   int32_t refs;
   uint64_t va;      /* GPU address in canonical form */
   uint64_t size;    /* bytes */
   enum tgsiamd_domain domain;
   uint32_t flags;
};

#define TGSIAMD_READ  1u
#define TGSIAMD_WRITE 2u

/* Allocates `size` bytes at an address that is a multiple of `align` (power of
 * two, bytes). NULL when there is no memory. */
struct tgsiamd_bo *tgsiamd_bo_create(struct tgsiamd_device *dev, uint64_t size, uint32_t align,
                                     enum tgsiamd_domain domain, uint32_t flags);
/* *dst = src with reference counts kept; either may be NULL. */
void tgsiamd_bo_reference(struct tgsiamd_bo **dst, struct tgsiamd_bo *src);
/* CPU address; persistent until the buffer dies; does not wait. NULL on failure. */
void *tgsiamd_bo_map(struct tgsiamd_bo *bo);
/* Waits until no submitted work uses the buffer: `usage` TGSIAMD_WRITE waits
 * for all users, TGSIAMD_READ only for writers. False on timeout (ns; 0 polls,
 * UINT64_MAX forever). */
bool tgsiamd_bo_wait(struct tgsiamd_bo *bo, uint64_t timeout_ns, uint32_t usage);
/* Frees idle cached buffers. */
void tgsiamd_device_trim(struct tgsiamd_device *dev);

enum tgsiamd_handle { TGSIAMD_HANDLE_DMABUF, TGSIAMD_HANDLE_FLINK, TGSIAMD_HANDLE_KMS };
/* DMABUF: *out is an fd that the caller owns. 0 or a negative errno. */
int tgsiamd_bo_export(struct tgsiamd_bo *bo, enum tgsiamd_handle type, uint32_t *out);
/* DMABUF: the fd stays the caller's. The same buffer comes back for the same memory. */
struct tgsiamd_bo *tgsiamd_bo_import(struct tgsiamd_device *dev, enum tgsiamd_handle type, uint32_t handle);
/* Makes page-aligned process memory visible to the GPU. It must outlive the buffer. */
struct tgsiamd_bo *tgsiamd_bo_from_pointer(struct tgsiamd_device *dev, void *pointer, uint64_t size);

struct tgsiamd_bo_metadata {
   uint64_t tiling;       /* AMDGPU_TILING_* */
   uint32_t size;         /* bytes used of umd */
   uint32_t umd[64];
};
bool tgsiamd_bo_set_metadata(struct tgsiamd_bo *bo, const struct tgsiamd_bo_metadata *md);
bool tgsiamd_bo_get_metadata(struct tgsiamd_bo *bo, struct tgsiamd_bo_metadata *md);

/* ---- fences ------------------------------------------------------------- */

/* *dst = src with reference counts kept; either may be NULL. */
void tgsiamd_fence_reference(struct tgsiamd_fence **dst, struct tgsiamd_fence *src);
/* True when signalled within timeout_ns (0 polls, UINT64_MAX forever). */
bool tgsiamd_fence_wait(struct tgsiamd_fence *fence, uint64_t timeout_ns);
/* A sync file that signals with the fence; -1 on failure. The caller owns it. */
int tgsiamd_fence_export_sync_file(struct tgsiamd_fence *fence);
/* From a sync file or syncobj fd (left to the caller); NULL on failure. */
struct tgsiamd_fence *tgsiamd_fence_import(struct tgsiamd_device *dev, int fd, bool is_syncobj);

/* ---- command streams ---------------------------------------------------- */

/* An empty stream of the device, which must outlive it; NULL when there is no memory. */
struct tgsiamd_stream *tgsiamd_stream_create(struct tgsiamd_device *dev);

enum tgsiamd_reset { TGSIAMD_RESET_NONE, TGSIAMD_RESET_GUILTY, TGSIAMD_RESET_INNOCENT, TGSIAMD_RESET_UNKNOWN };
/* Whether the GPU was reset, or a submission refused, since the stream was
 * made. Such a stream submits nothing any more; a new one does. */
enum tgsiamd_reset tgsiamd_stream_reset_status(struct tgsiamd_stream *stream);
/* What was not submitted is dropped. */
void tgsiamd_stream_destroy(struct tgsiamd_stream *stream);
/* Where packets are written (ib.h); belongs to the stream. */
struct tgsiamd_ib_space *tgsiamd_stream_space(struct tgsiamd_stream *stream);
/* Makes room for `dwords` more, chaining to a new IB when needed. */
bool tgsiamd_stream_reserve(struct tgsiamd_stream *stream, uint32_t dwords);
/* Puts the buffer on the submission's list; cheap when it is there. The list
 * keeps a reference until the submission. */
void tgsiamd_stream_use(struct tgsiamd_stream *stream, struct tgsiamd_bo *bo, uint32_t usage);
/* Whether unsubmitted commands use the buffer this way (READ|WRITE: at all). */
bool tgsiamd_stream_references(struct tgsiamd_stream *stream, struct tgsiamd_bo *bo, uint32_t usage);
/* Bytes of memory on the list: a hint to submit before it does not fit. */
uint64_t tgsiamd_stream_memory(const struct tgsiamd_stream *stream);
/* The next submission waits for the fence first. */
void tgsiamd_stream_wait_for(struct tgsiamd_stream *stream, struct tgsiamd_fence *fence);
/* Sees the IBs just before they go to the kernel. */
typedef void (*tgsiamd_ib_observer)(void *data, const uint32_t *ib, uint32_t dwords, uint64_t va);
void tgsiamd_stream_observe(struct tgsiamd_stream *stream, tgsiamd_ib_observer observer, void *data);
/* Submits and starts an empty stream. *fence (may be NULL) gets a reference to
 * its fence. 0 or the kernel's negative errno; then the work is lost. */
int tgsiamd_stream_submit(struct tgsiamd_stream *stream, struct tgsiamd_fence **fence);

#endif
