/* SPDX-License-Identifier: MIT */
/* Fences, jobs and what they wait for. shim_lock is held for every function. */
#ifndef TGSIAMD_SHIM_FENCE_H
#define TGSIAMD_SHIM_FENCE_H

#include "shim.h"

enum fence_kind {
   FENCE_JOB,     /* done is set by the scheduler */
   FENCE_SYNCOBJ, /* entry `serial` of a sync object */
   FENCE_RESV,    /* another process's use of a buffer */
   FENCE_FILE,    /* a sync file from anywhere */
   FENCE_ARRAY,   /* all of its parts */
};

struct shim_fence {
   unsigned refs;
   enum fence_kind kind;
   bool done;
   int error;               /* 0 or a negative errno */
   struct shim_syncobj *syncobj;
   struct shim_bo *bo;
   unsigned slot;
   uint64_t owner, serial;
   int fd;
   struct shim_fence **parts;
   unsigned num_parts;
};

struct shim_fence *fence_new(enum fence_kind kind);
struct shim_fence *fence_ref(struct shim_fence *f);
void fence_unref(struct shim_fence *f);
/* Takes over `part`, which may be NULL for one that could not be made. */
int fence_add(struct shim_fence *array, struct shim_fence *part);
bool fence_done(struct shim_fence *f);
/* False at the deadline (CLOCK_MONOTONIC). shim_lock is released meanwhile. */
bool fence_wait(struct shim_fence *f, int64_t deadline_ns);

/* Something that a wait may look at has changed. */
void shim_changed(void);
/* Sleeps until then; false when the deadline has passed already. */
bool shim_sleep(int64_t deadline_ns);

/* Tell the sync object's entry, or the reader of the sync file, when the fence
 * is done. The descriptor is closed then. */
int fence_watch_syncobj(struct shim_fence *f, struct shim_syncobj *syncobj, uint64_t entry);
int fence_watch_file(struct shim_fence *f, int fd);
/* This process's fence behind an entry, NULL when it is another's. */
struct shim_fence *fence_watched(const struct shim_syncobj *syncobj, uint64_t entry);
/* Does what is due; false when no watch is left. */
bool fence_run_watches(void);
/* In a forked child: the parent ends what it has begun. */
void fence_after_fork(void);

/* --- sync objects (syncobj.c) --- */
void syncobj_ref(struct shim_syncobj *s);
void syncobj_unref(struct shim_syncobj *s);
bool syncobj_any_shared(void);
bool syncobj_entry_done(struct shim_syncobj *s, uint64_t entry, int *error);
void syncobj_entry_finish(struct shim_syncobj *s, uint64_t entry, int error);
/* The fence of a point (0: the last one), in *out with a reference; -EINVAL
 * when it was not submitted yet. */
int syncobj_fence(struct shim_syncobj *s, uint64_t point, struct shim_fence **out);
/* Puts a fence into the object: at a point of the timeline, or for point 0 in
 * place of all it held. */
int syncobj_put(struct shim_syncobj *s, uint64_t point, struct shim_fence *f);

/* --- sync files (sync_file.c) --- */
/* A descriptor that polls as readable when the fence is done. */
int sync_file_new(struct shim_fence *f);
bool sync_file_is(int fd);
/* 0: pending, 1: done, -1: done with *error. */
int sync_file_status(int fd, int *error);
void sync_file_signal(int fd, int error);
/* A fence of what fd holds; NULL: no memory. */
struct shim_fence *sync_file_fence(int fd);

/* --- implicit synchronisation of shared buffers (resv.c) --- */
#define SHIM_NO_SLOT ~0u
/* Notes the use by an entity's job; SHIM_NO_SLOT: the table is full. */
unsigned resv_begin(struct shim_bo *bo, uint64_t owner, uint64_t serial);
void resv_end(struct shim_bo *bo, unsigned slot, uint64_t owner, uint64_t serial);
bool resv_slot_done(struct shim_bo *bo, unsigned slot, uint64_t owner, uint64_t serial);
/* Adds a fence for every pending use by other processes. */
int resv_others(struct shim_bo *bo, struct shim_fence *array);
/* Is the process alive? */
bool shim_process_lives(uint32_t pid);

/* --- visibility to the CPU (cpu_watch.c) --- */
struct shim_job;
/* A submission has run: what it wrote is not for the program's eyes yet. */
void cpu_submitted(const struct shim_job *job);
/* --- jobs (sched.c) --- */
#define SHIM_MAX_IBS 64
struct shim_job_out { struct shim_syncobj *syncobj; uint64_t point; };
struct shim_job_bo { struct shim_bo *bo; unsigned slot; };
struct shim_job {
   struct shim_job *next;      /* in order of submission */
   struct shim_file *file;
   struct shim_ctx *ctx;
   struct shim_entity *entity;
   struct shim_fence *fence;
   struct shim_fence *deps;    /* an array */
   uint64_t number, seq, va_ops;
   bool running, userptr, has_list;
   struct tgsiamd_model_ib ibs[SHIM_MAX_IBS];
   uint8_t ip[SHIM_MAX_IBS];
   unsigned num_ibs, ring;
   struct shim_bo *fence_bo;
   uint32_t fence_offset;
   struct shim_job_bo *bos;
   uint32_t *ids;              /* of bos, sorted */
   unsigned num_bos, max_bos;
   struct shim_job_out *outs;
   unsigned num_outs;
};
/* Queues a job, or runs it when submissions are synchronous. The job belongs
 * to the scheduler then, even when it refuses it. */
int sched_submit(struct shim_job *job, uint64_t *seq);
void job_free(struct shim_job *job);
/* The fence of an entity's job under way, with a reference, or NULL. */
struct shim_fence *sched_fence(const struct shim_entity *e, uint64_t seq);
/* The fence of a submission by its name, done or not, with a reference. */
struct drm_amdgpu_fence;
int ctx_fence(struct shim_file *file, const struct drm_amdgpu_fence *name, struct shim_fence **out);
struct shim_entity *ctx_entity(struct shim_ctx *ctx, uint32_t ip, uint32_t ring);
unsigned rings_of(uint32_t ip);
/* Starts the thread that serves the watch list and asynchronous jobs. */
void sched_need_thread(void);
/* Waits until no job is left, for at most `ms`. */
void sched_drain(unsigned ms);
void sched_after_fork(void);
/* Number of the last job submitted; of the file's first one under way. */
uint64_t sched_last_number(void);
uint64_t sched_first_number(const struct shim_file *file);
/* A fence of all jobs under way that use the buffer, here and elsewhere. With
 * `but` set those of that file are left out. */
int sched_users(struct shim_bo *bo, const struct shim_file *but, struct shim_fence *array);

#endif
