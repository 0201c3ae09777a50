/* SPDX-License-Identifier: MIT */
/* Command submission: buffer lists, CS chunks, waits. The model executes
 * inside the ioctl; when it returns, the submission's fence has signaled. A
 * submission that the model refuses is what a GPU hang is to the kernel: the
 * ioctl succeeds, the context is guilty afterwards. */
#include "shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libdrm/amdgpu_drm.h>

struct shim_bo_list { unsigned count; struct shim_bo *bos[]; };

static int compare_ids(const void *a, const void *b)
{
   const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
   return (x > y) - (x < y);
}

/* --- buffer lists --- */

static int list_from_user(struct shim_file *file, const struct drm_amdgpu_bo_list_in *in,
                          struct shim_bo_list **out)
{
   const char *entries = (const char *)(uintptr_t)in->bo_info_ptr;
   const size_t stride = in->bo_info_size;
   if (in->bo_number && (!entries || stride < sizeof(uint32_t)))
      return entries ? -EINVAL : -EFAULT;
   struct shim_bo_list *list = malloc(sizeof(*list) + in->bo_number * sizeof(list->bos[0]));
   if (!list)
      return -ENOMEM;
   list->count = in->bo_number;
   for (uint32_t i = 0; i < in->bo_number; i++) {
      uint32_t handle;
      memcpy(&handle, entries + i * stride, sizeof(handle));
      list->bos[i] = file_bo(file, handle);
      if (!list->bos[i]) {
         list->count = i;
         for (uint32_t k = 0; k < i; k++)
            bo_unref(list->bos[k]);
         free(list);
         return -ENOENT;
      }
      list->bos[i]->refs++;
   }
   *out = list;
   return 0;
}

static void list_free(struct shim_bo_list *list)
{
   for (unsigned i = 0; list && i < list->count; i++)
      bo_unref(list->bos[i]);
   free(list);
}

int ioctl_bo_list(struct shim_file *file, void *arg)
{
   union drm_amdgpu_bo_list *l = arg;
   const struct drm_amdgpu_bo_list_in in = l->in;
   struct shim_bo_list *list = NULL;
   int r = 0;
   pthread_mutex_lock(&shim_lock);
   const bool have = in.list_handle && in.list_handle < file->max_lists && file->lists[in.list_handle];
   unsigned slot = in.list_handle;
   switch (in.operation) {
   case AMDGPU_BO_LIST_OP_CREATE:
      r = list_from_user(file, &in, &list);
      if (r == 0) {
         slot = shim_slot((void ***)&file->lists, &file->max_lists);
         if (slot) {
            file->lists[slot] = list;
         } else {
            list_free(list);
            r = -ENOMEM;
         }
      }
      break;
   case AMDGPU_BO_LIST_OP_DESTROY:
      if (have) {
         list_free(file->lists[slot]);
         file->lists[slot] = NULL;
      }
      slot = 0;
      break;
   case AMDGPU_BO_LIST_OP_UPDATE:
      r = have ? list_from_user(file, &in, &list) : -ENOENT;
      if (r == 0) {
         list_free(file->lists[slot]);
         file->lists[slot] = list;
      }
      break;
   default:
      r = -EINVAL;
   }
   pthread_mutex_unlock(&shim_lock);
   if (r == 0) {
      memset(l, 0, sizeof(*l));
      l->out.list_handle = slot;
   }
   return r;
}

void cs_free_all(struct shim_file *file)
{
   for (unsigned i = 1; i < file->max_lists; i++)
      list_free(file->lists[i]);
   free(file->lists);
   file->lists = NULL;
   file->max_lists = 0;
}

/* --- submission --- */

#define MAX_IBS 64

struct submission {
   struct tgsiamd_model_ib ibs[MAX_IBS];
   uint8_t ip[MAX_IBS];
   unsigned num_ibs, ring;
   struct shim_bo *fence_bo;
   uint32_t fence_offset;
   uint32_t *bos;
   unsigned num_bos, max_bos;
   bool has_list;
};

static int add_bo(struct submission *s, const struct shim_bo *bo)
{
   if (bo->userptr && !bo_pin_userptr(bo))
      return -EFAULT;
   if (s->num_bos == s->max_bos) {
      const unsigned max = s->max_bos ? s->max_bos * 2 : 256;
      uint32_t *p = realloc(s->bos, max * sizeof(*p));
      if (!p)
         return -ENOMEM;
      s->bos = p;
      s->max_bos = max;
   }
   s->bos[s->num_bos++] = bo->id;
   return 0;
}

static int chunk_bo_handles(struct shim_file *file, struct submission *s, const void *data)
{
   const struct drm_amdgpu_bo_list_in *in = data;
   const char *entries = (const char *)(uintptr_t)in->bo_info_ptr;
   if (in->bo_number && (!entries || in->bo_info_size < sizeof(uint32_t)))
      return -EINVAL;
   for (uint32_t i = 0; i < in->bo_number; i++) {
      uint32_t handle;
      memcpy(&handle, entries + (size_t)i * in->bo_info_size, sizeof(handle));
      const struct shim_bo *bo = file_bo(file, handle);
      if (!bo)
         return -ENOENT;
      const int r = add_bo(s, bo);
      if (r)
         return r;
   }
   s->has_list = true;
   return 0;
}

static unsigned rings_of(uint32_t ip)
{
   static const uint8_t rings[] = { [AMDGPU_HW_IP_GFX] = 1, [AMDGPU_HW_IP_COMPUTE] = 8, [AMDGPU_HW_IP_DMA] = 1 };
   return ip < sizeof(rings) ? rings[ip] : 0;
}

static int chunk_ib(struct submission *s, const void *data)
{
   const struct drm_amdgpu_cs_chunk_ib *ib = data;
   if (ib->ip_instance || ib->ring >= rings_of(ib->ip_type) || s->num_ibs == MAX_IBS)
      return -EINVAL;
   s->ibs[s->num_ibs] = (struct tgsiamd_model_ib){ ib->va_start, ib->ib_bytes / 4, ib->flags };
   s->ip[s->num_ibs++] = (uint8_t)ib->ip_type;
   s->ring = ib->ring;
   return 0;
}

static int chunk_fence(struct shim_file *file, struct submission *s, const void *data)
{
   const struct drm_amdgpu_cs_chunk_fence *f = data;
   struct shim_bo *bo = file_bo(file, f->handle);
   if (!bo || bo->userptr || bo->size != SHIM_PAGE || f->offset > bo->size - 8)
      return -EINVAL;
   if (s->fence_bo)
      bo_unref(s->fence_bo);
   bo->refs++;
   s->fence_bo = bo;
   s->fence_offset = f->offset;
   return add_bo(s, bo);
}

/* A fence that was handed out has signaled already; only its name is checked. */
static int check_fence(struct shim_file *file, uint32_t ctx_id, uint32_t ip, uint32_t instance, uint32_t ring,
                       uint64_t seq)
{
   const struct shim_ctx *ctx = ctx_get(file, ctx_id);
   if (!ctx || instance || ring >= rings_of(ip))
      return -EINVAL;
   if (seq != ~0ull && seq > ctx->seq[ip][ring])
      return -EINVAL;
   return 0;
}

static int chunk_dependencies(struct shim_file *file, const void *data, unsigned bytes)
{
   const struct drm_amdgpu_cs_chunk_dep *dep = data;
   int r = 0;
   for (unsigned i = 0; i < bytes / sizeof(*dep) && r == 0; i++)
      r = check_fence(file, dep[i].ctx_id, dep[i].ip_type, dep[i].ip_instance, dep[i].ring, dep[i].handle);
   return r;
}

static int chunk_wait(struct shim_file *file, uint32_t id, const void *data, unsigned bytes)
{
   int r = 0;
   if (id == AMDGPU_CHUNK_ID_SYNCOBJ_IN) {
      const struct drm_amdgpu_cs_chunk_sem *sem = data;
      for (unsigned i = 0; i < bytes / sizeof(*sem) && r == 0; i++) {
         struct shim_syncobj *so = syncobj_get(file, sem[i].handle);
         r = !so ? -ENOENT : syncobj_has_fence(so) ? 0 : -EINVAL;
      }
   } else {
      const struct drm_amdgpu_cs_chunk_syncobj *point = data;
      for (unsigned i = 0; i < bytes / sizeof(*point) && r == 0; i++) {
         if (!syncobj_get(file, point[i].handle))
            r = -ENOENT;
         else
            r = syncobj_wait_submitted(file, point[i].handle, point[i].point, INT64_MAX);
      }
   }
   return r;
}

/* First pass over the chunks: everything that can fail. */
static int parse(struct shim_file *file, const struct drm_amdgpu_cs_in *in, struct submission *s)
{
   const uint64_t *chunks = (const uint64_t *)(uintptr_t)in->chunks;
   if (!in->num_chunks)
      return -EINVAL;
   if (!chunks)
      return -EFAULT;
   int r = 0;
   if (in->bo_list_handle) {
      if (in->bo_list_handle >= file->max_lists || !file->lists[in->bo_list_handle])
         return -ENOENT;
      const struct shim_bo_list *list = file->lists[in->bo_list_handle];
      for (unsigned i = 0; i < list->count && r == 0; i++)
         r = add_bo(s, list->bos[i]);
      s->has_list = true;
   }
   for (uint32_t i = 0; i < in->num_chunks && r == 0; i++) {
      const struct drm_amdgpu_cs_chunk *c = (const void *)(uintptr_t)chunks[i];
      if (!c || !c->chunk_data)
         return -EFAULT;
      const void *data = (const void *)(uintptr_t)c->chunk_data;
      const unsigned bytes = c->length_dw * 4;
      switch (c->chunk_id) {
      case AMDGPU_CHUNK_ID_IB:
         r = bytes < sizeof(struct drm_amdgpu_cs_chunk_ib) ? -EINVAL : chunk_ib(s, data);
         break;
      case AMDGPU_CHUNK_ID_FENCE:
         r = bytes < sizeof(struct drm_amdgpu_cs_chunk_fence) ? -EINVAL : chunk_fence(file, s, data);
         break;
      case AMDGPU_CHUNK_ID_BO_HANDLES:
         r = bytes < sizeof(struct drm_amdgpu_bo_list_in) || in->bo_list_handle ? -EINVAL
                                                                              : chunk_bo_handles(file, s, data);
         break;
      case AMDGPU_CHUNK_ID_DEPENDENCIES:
      case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
         r = chunk_dependencies(file, data, bytes);
         break;
      case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
      case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
         r = chunk_wait(file, c->chunk_id, data, bytes);
         break;
      case AMDGPU_CHUNK_ID_SYNCOBJ_OUT: {
         const struct drm_amdgpu_cs_chunk_sem *sem = data;
         for (unsigned k = 0; k < bytes / sizeof(*sem) && r == 0; k++)
            r = syncobj_get(file, sem[k].handle) ? 0 : -EINVAL;
         break;
      }
      case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL: {
         const struct drm_amdgpu_cs_chunk_syncobj *point = data;
         for (unsigned k = 0; k < bytes / sizeof(*point) && r == 0; k++)
            r = syncobj_get(file, point[k].handle) ? 0 : -EINVAL;
         break;
      }
      default:
         fprintf(stderr, "tgsiamd-model: CS: unknown chunk 0x%x\n", c->chunk_id);
         r = -EINVAL;
      }
   }
   return r == 0 && !s->num_ibs ? -EINVAL : r;
}

static int execute(struct shim_file *file, struct submission *s)
{
   static const uint8_t ips[] = { [AMDGPU_HW_IP_GFX] = TGSIAMD_MODEL_GFX,
                                  [AMDGPU_HW_IP_COMPUTE] = TGSIAMD_MODEL_COMPUTE,
                                  [AMDGPU_HW_IP_DMA] = TGSIAMD_MODEL_SDMA };
   int r = 0;
   if (s->num_bos)
      qsort(s->bos, s->num_bos, sizeof(*s->bos), compare_ids);
   for (unsigned i = 0, n; i < s->num_ibs && r == 0; i += n) {
      for (n = 1; i + n < s->num_ibs && s->ip[i + n] == s->ip[i]; n++)
         ;
      /* Without any list every buffer of the address space is resident. */
      r = tgsiamd_model_submit(shim_model(), file->vm, ips[s->ip[i]], s->ibs + i, n,
                               s->has_list ? s->bos : NULL, s->num_bos);
   }
   return r;
}

static void signal_out(struct shim_file *file, const struct drm_amdgpu_cs_in *in, int error)
{
   const uint64_t *chunks = (const uint64_t *)(uintptr_t)in->chunks;
   for (uint32_t i = 0; i < in->num_chunks; i++) {
      const struct drm_amdgpu_cs_chunk *c = (const void *)(uintptr_t)chunks[i];
      const unsigned bytes = c->length_dw * 4;
      if (c->chunk_id == AMDGPU_CHUNK_ID_SYNCOBJ_OUT) {
         const struct drm_amdgpu_cs_chunk_sem *sem = (const void *)(uintptr_t)c->chunk_data;
         for (unsigned k = 0; k < bytes / sizeof(*sem); k++) {
            struct shim_syncobj *so = syncobj_get(file, sem[k].handle);
            if (so)
               syncobj_signal(so, 0, error);
         }
      } else if (c->chunk_id == AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL) {
         const struct drm_amdgpu_cs_chunk_syncobj *point = (const void *)(uintptr_t)c->chunk_data;
         for (unsigned k = 0; k < bytes / sizeof(*point); k++) {
            struct shim_syncobj *so = syncobj_get(file, point[k].handle);
            if (so)
               syncobj_signal(so, point[k].point, error);
         }
      }
   }
}

int ioctl_cs(struct shim_file *file, void *arg)
{
   union drm_amdgpu_cs *cs = arg;
   const struct drm_amdgpu_cs_in in = cs->in;
   struct submission s = { .num_ibs = 0 };
   pthread_mutex_lock(&shim_lock);
   struct shim_ctx *ctx = ctx_get(file, in.ctx_id);
   int r = !ctx ? -EINVAL : ctx->guilty ? -ECANCELED : parse(file, &in, &s);
   if (r == 0) {
      pthread_mutex_unlock(&shim_lock);
      const int err = execute(file, &s);
      pthread_mutex_lock(&shim_lock);
      ctx = ctx_get(file, in.ctx_id); /* another thread may have freed it */
      uint64_t seq = 1;
      if (ctx) {
         const unsigned ip = s.ip[s.num_ibs - 1];
         seq = ++ctx->seq[ip][s.ring];
         if (err) {
            ctx->guilty = true;
            ctx->hangs++;
            ctx->bad_seq[ip][s.ring] = seq;
         }
      }
      if (err)
         shim_reset_counter++;
      /* The kernel's user fence: a reset signals it as well. */
      if (s.fence_bo)
         __atomic_store_n((uint64_t *)((char *)s.fence_bo->host + s.fence_offset), seq, __ATOMIC_RELEASE);
      signal_out(file, &in, err ? -ECANCELED : 0);
      memset(cs, 0, sizeof(*cs));
      cs->out.handle = seq;
   }
   if (s.fence_bo)
      bo_unref(s.fence_bo);
   pthread_mutex_unlock(&shim_lock);
   free(s.bos);
   return r;
}

/* --- waits --- */

int ioctl_wait_cs(struct shim_file *file, void *arg)
{
   union drm_amdgpu_wait_cs *w = arg;
   const struct drm_amdgpu_wait_cs_in in = w->in;
   pthread_mutex_lock(&shim_lock);
   int r = check_fence(file, in.ctx_id, in.ip_type, in.ip_instance, in.ring, in.handle);
   if (r == 0) {
      const struct shim_ctx *ctx = ctx_get(file, in.ctx_id);
      const uint64_t seq = in.handle == ~0ull ? ctx->seq[in.ip_type][in.ring] : in.handle;
      if (seq && seq == ctx->bad_seq[in.ip_type][in.ring])
         r = -ECANCELED;
      memset(w, 0, sizeof(*w));
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}

int ioctl_wait_fences(struct shim_file *file, void *arg)
{
   union drm_amdgpu_wait_fences *w = arg;
   const struct drm_amdgpu_wait_fences_in in = w->in;
   const struct drm_amdgpu_fence *f = (const void *)(uintptr_t)in.fences;
   if (!f)
      return -EFAULT;
   int r = 0;
   pthread_mutex_lock(&shim_lock);
   for (uint32_t i = 0; i < in.fence_count && r == 0; i++)
      r = check_fence(file, f[i].ctx_id, f[i].ip_type, f[i].ip_instance, f[i].ring, f[i].seq_no);
   pthread_mutex_unlock(&shim_lock);
   if (r == 0) {
      memset(w, 0, sizeof(*w));
      w->out.status = 1;
   }
   return r;
}

int ioctl_fence_to_handle(struct shim_file *file, void *arg)
{
   union drm_amdgpu_fence_to_handle *h = arg;
   const struct drm_amdgpu_fence f = h->in.fence;
   const uint32_t what = h->in.what;
   uint32_t handle = 0;
   pthread_mutex_lock(&shim_lock);
   int r = check_fence(file, f.ctx_id, f.ip_type, f.ip_instance, f.ring, f.seq_no);
   if (r == 0 && what != AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD)
      r = what > AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD ? -EINVAL : syncobj_new(file, true, &handle);
   if (r == 0 && what == AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD) {
      const int fd = syncobj_export(file, handle);
      syncobj_drop(file, handle);
      handle = (uint32_t)fd;
      r = fd < 0 ? fd : 0;
   }
   pthread_mutex_unlock(&shim_lock);
   if (r == 0 && what == AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD) {
      const int fd = sync_file_new();
      handle = (uint32_t)fd;
      r = fd < 0 ? fd : 0;
   }
   if (r == 0)
      h->out.handle = handle;
   return r;
}
