/* SPDX-License-Identifier: MIT */
/* BO_LIST: lists of buffers that submissions name. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

#include <libdrm/amdgpu_drm.h>

#define MAX_ENTRIES (128u * 1024u) /* the kernel's AMDGPU_BO_LIST_MAX_ENTRIES */

/* The handles of an array whose entries may be longer than ours. */
static int read_handles(const struct drm_amdgpu_bo_list_in *in, uint32_t *handles)
{
   struct user_span spans[USER_MAX_SPANS];
   const uint32_t size = in->bo_info_size < sizeof(*handles) ? in->bo_info_size : sizeof(*handles);
   int r = 0;
   for (uint32_t i = 0, n; i < in->bo_number && r == 0; i += n) {
      n = in->bo_number - i < USER_MAX_SPANS ? in->bo_number - i : USER_MAX_SPANS;
      for (uint32_t k = 0; k < n; k++)
         spans[k] = (struct user_span){ &handles[i + k], in->bo_info_ptr + (uint64_t)(i + k) * in->bo_info_size, size };
      r = user_gather(spans, n);
   }
   return r;
}

/* The usual entries, in one read. */
static int read_entries(const struct drm_amdgpu_bo_list_in *in, uint32_t *handles)
{
   struct drm_amdgpu_bo_list_entry fixed[128];
   const size_t bytes = (size_t)in->bo_number * sizeof(fixed[0]);
   struct drm_amdgpu_bo_list_entry *e = in->bo_number <= 128 ? fixed : malloc(bytes);
   int r = e ? user_read(e, in->bo_info_ptr, bytes) : -ENOMEM;
   for (uint32_t i = 0; i < in->bo_number && r == 0; i++)
      handles[i] = e[i].bo_handle;
   if (e != fixed)
      free(e);
   return r;
}

int bo_list_read(struct shim_file *file, const struct drm_amdgpu_bo_list_in *in, struct shim_bo_list **out)
{
   if (in->bo_number > MAX_ENTRIES)
      return -EINVAL;
   struct shim_bo_list *list = malloc(sizeof(*list) + in->bo_number * sizeof(list->bos[0]));
   uint32_t *handles = calloc(in->bo_number + 1, sizeof(*handles));
   int r = !list || !handles ? -ENOMEM
           : in->bo_info_size == sizeof(struct drm_amdgpu_bo_list_entry) ? read_entries(in, handles)
                                                                         : read_handles(in, handles);
   if (list)
      list->count = 0;
   for (uint32_t i = 0; i < in->bo_number && r == 0; i++) {
      struct shim_bo *bo = file_bo(file, handles[i]);
      if (bo) {
         bo->refs++;
         list->bos[list->count++] = bo;
      } else {
         r = -ENOENT;
      }
   }
   free(handles);
   if (r)
      bo_list_free(list);
   else
      *out = list;
   return r;
}

void bo_list_free(struct shim_bo_list *list)
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
      r = bo_list_read(file, &in, &list);
      if (r == 0) {
         slot = shim_slot((void ***)&file->lists, &file->max_lists);
         if (slot) {
            file->lists[slot] = list;
         } else {
            bo_list_free(list);
            r = -ENOMEM;
         }
      }
      break;
   case AMDGPU_BO_LIST_OP_DESTROY:
      if (have) {
         bo_list_free(file->lists[slot]);
         file->lists[slot] = NULL;
      }
      slot = 0;
      break;
   case AMDGPU_BO_LIST_OP_UPDATE:
      r = have ? bo_list_read(file, &in, &list) : -ENOENT;
      if (r == 0) {
         bo_list_free(file->lists[slot]);
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

void bo_list_free_all(struct shim_file *file)
{
   for (unsigned i = 1; i < file->max_lists; i++)
      bo_list_free(file->lists[i]);
   free(file->lists);
   file->lists = NULL;
   file->max_lists = 0;
}
