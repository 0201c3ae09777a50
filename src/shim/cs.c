/* SPDX-License-Identifier: MIT */
/* Command submission: the chunks of CS become a job. What the model refuses is
 * what a GPU hang is to the kernel: the ioctl succeeds, the fence gets an
 * error, the context is guilty afterwards. */
#include "fence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libdrm/amdgpu_drm.h>

#define MAX_CHUNKS      4096u
#define MAX_CHUNK_BYTES (16ull << 20)

/* A submission's chunks, copied from the caller. */
struct chunk { uint32_t id, bytes; const void *data; };
struct chunks { struct chunk *list; unsigned num; void *memory; };

static int gather(const struct user_span *spans, unsigned num)
{
   int r = 0;
   for (unsigned i = 0; i < num && r == 0; i += USER_MAX_SPANS)
      r = user_gather(spans + i, num - i < USER_MAX_SPANS ? num - i : USER_MAX_SPANS);
   return r;
}

/* Three reads: the pointers, the heads, the data. */
static int chunks_read(const struct drm_amdgpu_cs_in *in, struct chunks *out)
{
   if (!in->num_chunks || in->num_chunks > MAX_CHUNKS)
      return -EINVAL;
   const unsigned n = in->num_chunks;
   struct drm_amdgpu_cs_chunk *heads = malloc(n * sizeof(*heads));
   struct user_span *spans = malloc(n * sizeof(*spans));
   uint64_t *pointers = malloc(n * sizeof(*pointers)), total = 0;
   out->list = malloc(n * sizeof(*out->list));
   out->num = n;
   int r = heads && spans && pointers && out->list ? user_read(pointers, in->chunks, n * sizeof(*pointers)) : -ENOMEM;
   for (unsigned i = 0; i < n && r == 0; i++)
      spans[i] = (struct user_span){ &heads[i], pointers[i], sizeof(heads[i]) };
   if (r == 0)
      r = gather(spans, n);
   for (unsigned i = 0; i < n && r == 0; i++) {
      total += ((uint64_t)heads[i].length_dw * 4 + 7) & ~7ull;
      if (total > MAX_CHUNK_BYTES)
         r = -EINVAL;
   }
   if (r == 0 && !(out->memory = malloc(total + 1)))
      r = -ENOMEM;
   char *p = out->memory;
   for (unsigned i = 0; i < n && r == 0; i++) {
      const uint32_t bytes = heads[i].length_dw * 4;
      out->list[i] = (struct chunk){ heads[i].chunk_id, bytes, p };
      spans[i] = (struct user_span){ p, heads[i].chunk_data, bytes };
      p += (bytes + 7) & ~7u;
   }
   if (r == 0)
      r = gather(spans, n);
   free(heads);
   free(spans);
   free(pointers);
   return r;
}

/* --- chunks --- */

static int add_bo(struct shim_job *job, struct shim_bo *bo)
{
   if (bo->userptr && !bo_pin_userptr(bo))
      return -EFAULT;
   job->userptr |= bo->userptr;
   if (job->num_bos == job->max_bos) {
      const unsigned max = job->max_bos ? job->max_bos * 2 : 64;
      struct shim_job_bo *p = realloc(job->bos, max * sizeof(*p));
      if (!p)
         return -ENOMEM;
      job->bos = p;
      job->max_bos = max;
   }
   bo->refs++;
   job->bos[job->num_bos++] = (struct shim_job_bo){ bo, SHIM_NO_SLOT };
   return 0;
}

static int add_list(struct shim_job *job, const struct shim_bo_list *list)
{
   int r = 0;
   for (unsigned i = 0; i < list->count && r == 0; i++)
      r = add_bo(job, list->bos[i]);
   job->has_list = true;
   return r;
}

static int chunk_bo_handles(struct shim_file *file, struct shim_job *job, const void *data)
{
   struct shim_bo_list *list;
   int r = bo_list_read(file, data, &list);
   if (r)
      return r;
   r = add_list(job, list);
   bo_list_free(list);
   return r;
}

static int chunk_ib(struct shim_job *job, const void *data)
{
   const struct drm_amdgpu_cs_chunk_ib *ib = data;
   if (ib->ip_instance || ib->ring >= rings_of(ib->ip_type) || job->num_ibs == SHIM_MAX_IBS)
      return -EINVAL;
   job->ibs[job->num_ibs] = (struct tgsiamd_model_ib){ ib->va_start, ib->ib_bytes / 4, ib->flags };
   job->ip[job->num_ibs++] = (uint8_t)ib->ip_type;
   job->ring = ib->ring;
   return 0;
}

static int chunk_fence(struct shim_file *file, struct shim_job *job, const void *data)
{
   const struct drm_amdgpu_cs_chunk_fence *f = data;
   struct shim_bo *bo = file_bo(file, f->handle);
   if (!bo || bo->userptr || !bo->host || bo->size != SHIM_PAGE || f->offset > bo->size - 8 || f->offset % 8)
      return -EINVAL;
   if (job->fence_bo)
      bo_unref(job->fence_bo);
   bo->refs++;
   job->fence_bo = bo;
   job->fence_offset = f->offset;
   return add_bo(job, bo);
}

static int chunk_dependencies(struct shim_file *file, struct shim_job *job, const struct chunk *c)
{
   const struct drm_amdgpu_cs_chunk_dep *dep = c->data;
   int r = 0;
   for (unsigned i = 0; i < c->bytes / sizeof(*dep) && r == 0; i++) {
      struct shim_fence *f;
      r = ctx_fence(file, &(struct drm_amdgpu_fence){ .ctx_id = dep[i].ctx_id, .ip_type = dep[i].ip_type,
                                                      .ip_instance = dep[i].ip_instance, .ring = dep[i].ring,
                                                      .seq_no = dep[i].handle }, &f);
      if (r == 0)
         r = fence_add(job->deps, f);
   }
   return r;
}

static int wait_for(struct shim_file *file, struct shim_job *job, uint32_t handle, uint64_t point, uint32_t flags)
{
   struct shim_syncobj *s = syncobj_get(file, handle);
   struct shim_fence *f;
   if (!s)
      return -ENOENT;
   if (flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
      return -EINVAL;
   syncobj_ref(s);
   int r = flags ? syncobj_wait_submitted(s, point, INT64_MAX) : 0;
   if (r == 0)
      r = syncobj_fence(s, point, &f);
   syncobj_unref(s);
   return r ? r : fence_add(job->deps, f);
}

static int add_out(struct shim_file *file, struct shim_job *job, uint32_t handle, uint64_t point)
{
   struct shim_syncobj *s = syncobj_get(file, handle);
   if (!s)
      return -EINVAL;
   struct shim_job_out *p = realloc(job->outs, (job->num_outs + 1) * sizeof(*p));
   if (!p)
      return -ENOMEM;
   syncobj_ref(s);
   job->outs = p;
   p[job->num_outs++] = (struct shim_job_out){ s, point };
   return 0;
}

static int chunk_syncobjs(struct shim_file *file, struct shim_job *job, const struct chunk *c)
{
   const struct drm_amdgpu_cs_chunk_sem *sem = c->data;
   const struct drm_amdgpu_cs_chunk_syncobj *point = c->data;
   const bool timeline = c->id == AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT ||
                         c->id == AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL;
   const unsigned num = c->bytes / (timeline ? sizeof(*point) : sizeof(*sem));
   int r = 0;
   for (unsigned i = 0; i < num && r == 0; i++) {
      switch (c->id) {
      case AMDGPU_CHUNK_ID_SYNCOBJ_IN: r = wait_for(file, job, sem[i].handle, 0, 0); break;
      case AMDGPU_CHUNK_ID_SYNCOBJ_OUT: r = add_out(file, job, sem[i].handle, 0); break;
      case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
         r = wait_for(file, job, point[i].handle, point[i].point, point[i].flags);
         break;
      default: r = add_out(file, job, point[i].handle, point[i].point); break;
      }
   }
   return r;
}

static int chunk(struct shim_file *file, struct shim_job *job, const struct chunk *c, bool have_list)
{
   switch (c->id) {
   case AMDGPU_CHUNK_ID_IB:
      return c->bytes < sizeof(struct drm_amdgpu_cs_chunk_ib) ? -EINVAL : chunk_ib(job, c->data);
   case AMDGPU_CHUNK_ID_FENCE:
      return c->bytes < sizeof(struct drm_amdgpu_cs_chunk_fence) ? -EINVAL : chunk_fence(file, job, c->data);
   case AMDGPU_CHUNK_ID_BO_HANDLES:
      if (c->bytes < sizeof(struct drm_amdgpu_bo_list_in) || have_list)
         return -EINVAL;
      return chunk_bo_handles(file, job, c->data);
   case AMDGPU_CHUNK_ID_DEPENDENCIES:
   case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
      return chunk_dependencies(file, job, c);
   case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
   case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
   case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
   case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
      return chunk_syncobjs(file, job, c);
   default:
      fprintf(stderr, "tgsiamd-model: CS: unknown chunk 0x%x\n", c->id);
      return -EINVAL;
   }
}

/* --- the ioctl --- */

static int parse(struct shim_file *file, const struct drm_amdgpu_cs_in *in, struct shim_job *job)
{
   struct chunks chunks = { .num = 0 };
   int r = chunks_read(in, &chunks);
   if (r == 0 && in->bo_list_handle) {
      const bool have = in->bo_list_handle < file->max_lists && file->lists[in->bo_list_handle];
      r = have ? add_list(job, file->lists[in->bo_list_handle]) : -ENOENT;
   }
   for (unsigned i = 0; i < chunks.num && r == 0; i++)
      r = chunk(file, job, &chunks.list[i], in->bo_list_handle != 0);
   free(chunks.list);
   free(chunks.memory);
   return r == 0 && !job->num_ibs ? -EINVAL : r;
}

int ioctl_cs(struct shim_file *file, void *arg)
{
   union drm_amdgpu_cs *cs = arg;
   const struct drm_amdgpu_cs_in in = cs->in;
   struct shim_job *job = calloc(1, sizeof(*job));
   uint64_t seq = 0;
   if (!job)
      return -ENOMEM;
   pthread_mutex_lock(&shim_lock);
   job->file = file;
   job->ctx = ctx_get(file, in.ctx_id);
   job->fence = fence_new(FENCE_JOB);
   job->deps = fence_new(FENCE_ARRAY);
   int r = !job->ctx ? -EINVAL : !job->fence || !job->deps ? -ENOMEM : 0;
   if (job->ctx)
      job->ctx->refs++;
   if (r == 0)
      r = job->ctx->guilty ? -ECANCELED : parse(file, &in, job);
   if (r == 0) {
      job->entity = ctx_entity(job->ctx, job->ip[job->num_ibs - 1], job->ring);
      r = sched_submit(job, &seq);
   } else {
      job_free(job);
   }
   pthread_mutex_unlock(&shim_lock);
   if (r == 0) {
      memset(cs, 0, sizeof(*cs));
      cs->out.handle = seq;
   }
   return r;
}
