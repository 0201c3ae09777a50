/* SPDX-License-Identifier: MIT */
/* GEM_VA: the GPU address space of an open file. The model keeps the page
 * table; the list here knows which buffer lies where, so that a closed handle
 * takes its mappings along. */
#include "fence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libdrm/amdgpu_drm.h>

#define VA_RESERVED (2ull << 20)          /* AMDGPU_VA_RESERVED_SIZE: at both ends */
#define VA_HOLE_START 0x0000800000000000ull
#define VA_HOLE_END   0xffff800000000000ull
#define VA_MASK       0x0000ffffffffffffull

bool bo_is_always_valid(const struct shim_bo *bo)
{
   return bo->meta->flags & AMDGPU_GEM_CREATE_VM_ALWAYS_VALID;
}

/* First mapping whose end lies above va. */
static unsigned first_above(const struct shim_file *file, uint64_t va)
{
   unsigned lo = 0, hi = file->num_maps;
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      if (file->maps[mid].va + file->maps[mid].size > va)
         hi = mid;
      else
         lo = mid + 1;
   }
   return lo;
}

static int insert(struct shim_file *file, struct shim_mapping m)
{
   if (file->num_maps == file->max_maps) {
      const unsigned max = file->max_maps ? file->max_maps * 2 : 64;
      struct shim_mapping *p = realloc(file->maps, max * sizeof(*p));
      if (!p)
         return -ENOMEM;
      file->maps = p;
      file->max_maps = max;
   }
   const unsigned i = first_above(file, m.va);
   memmove(file->maps + i + 1, file->maps + i, (file->num_maps - i) * sizeof(m));
   file->maps[i] = m;
   file->num_maps++;
   return 0;
}

static void erase(struct shim_file *file, unsigned i)
{
   file->num_maps--;
   memmove(file->maps + i, file->maps + i + 1, (file->num_maps - i) * sizeof(*file->maps));
}

/* --- the model's page table --- */

/* A change waits until what was submitted before it is done, when it takes
 * pages away, and until the changes before it are applied. */
struct va_op {
   struct va_op *next;
   uint64_t va, size;
   void *host;           /* map */
   struct shim_bo *bo;   /* kept alive until then */
   uint32_t flags, id;
   bool unmap;
   uint64_t after;       /* number of the last job that needs the pages */
};

static int apply(struct shim_file *file, const struct va_op *op)
{
   return op->unmap ? tgsiamd_model_vm_unmap(file->vm, op->va, op->size)
                    : tgsiamd_model_vm_map(file->vm, op->va, op->size, op->host, op->flags, op->id);
}

static bool may_apply(const struct shim_file *file, const struct va_op *op)
{
   return !op->unmap || sched_first_number(file) > op->after;
}

static int change(struct shim_file *file, struct va_op op)
{
   op.after = sched_last_number();
   file->va_issued++;
   if (!file->va_ops && may_apply(file, &op)) {
      file->va_applied++;
      return apply(file, &op);
   }
   struct va_op *late = malloc(sizeof(*late)), **end = &file->va_ops;
   if (!late) {
      file->va_issued--;
      return -ENOMEM;
   }
   *late = op;
   late->next = NULL;
   if (late->bo)
      late->bo->refs++;
   while (*end)
      end = &(*end)->next;
   *end = late;
   return 0;
}

void va_apply(struct shim_file *file)
{
   while (file->va_ops && may_apply(file, file->va_ops)) {
      struct va_op *op = file->va_ops;
      file->va_ops = op->next;
      if (apply(file, op))
         fprintf(stderr, "tgsiamd-model: GEM_VA: a late change at 0x%llx failed\n", (unsigned long long)op->va);
      file->va_applied++;
      if (op->bo)
         bo_unref(op->bo);
      free(op);
   }
}

static int unmap_range(struct shim_file *file, uint64_t va, uint64_t size, struct shim_bo *bo)
{
   return change(file, (struct va_op){ .unmap = true, .va = va, .size = size, .bo = bo });
}

static uint32_t model_flags(const struct shim_bo *bo, uint32_t flags)
{
   uint32_t f = 0;
   if (flags & AMDGPU_VM_PAGE_READABLE)
      f |= TGSIAMD_MODEL_READ;
   if ((flags & AMDGPU_VM_PAGE_WRITEABLE) && !(bo && bo->readonly))
      f |= TGSIAMD_MODEL_WRITE;
   if (flags & AMDGPU_VM_PAGE_EXECUTABLE)
      f |= TGSIAMD_MODEL_EXEC;
   if (flags & AMDGPU_VM_PAGE_PRT)
      f |= TGSIAMD_MODEL_PRT;
   if (bo && bo_is_always_valid(bo))
      f |= TGSIAMD_MODEL_RESIDENT;
   return f;
}

static int map(struct shim_file *file, struct shim_bo *bo, const struct drm_amdgpu_gem_va *v, uint64_t va)
{
   const unsigned i = first_above(file, va);
   if (i < file->num_maps && file->maps[i].va < va + v->map_size)
      return -EINVAL;
   void *host = bo && bo->host ? (char *)bo->host + v->offset_in_bo : NULL;
   if (!host && !(v->flags & AMDGPU_VM_PAGE_PRT))
      return -EINVAL;
   int r = change(file, (struct va_op){ .va = va, .size = v->map_size, .host = host, .bo = bo,
                                       .flags = model_flags(bo, v->flags), .id = bo ? bo->id : 0 });
   if (r)
      return r;
   r = insert(file, (struct shim_mapping){ va, v->map_size, v->offset_in_bo, bo, v->flags });
   if (r)
      unmap_range(file, va, v->map_size, bo);
   return r;
}

/* UNMAP takes the mapping of this buffer that starts at va, whole. */
static int unmap(struct shim_file *file, struct shim_bo *bo, uint64_t va)
{
   const unsigned i = first_above(file, va);
   if (i >= file->num_maps || file->maps[i].va != va || file->maps[i].bo != bo)
      return -ENOENT;
   unmap_range(file, va, file->maps[i].size, bo);
   erase(file, i);
   return 0;
}

/* CLEAR removes a range and splits what reaches beyond it. */
static int clear(struct shim_file *file, uint64_t va, uint64_t size)
{
   const uint64_t end = va + size;
   for (unsigned i = first_above(file, va); i < file->num_maps && file->maps[i].va < end;) {
      struct shim_mapping m = file->maps[i];
      const uint64_t m_end = m.va + m.size, from = m.va > va ? m.va : va;
      const int r = unmap_range(file, from, (m_end < end ? m_end : end) - from, m.bo);
      if (r)
         return r;
      erase(file, i);
      if (m.va < va) {
         struct shim_mapping head = m;
         head.size = va - m.va;
         if (insert(file, head))
            return -ENOMEM;
         i++;
      }
      if (m_end > end) {
         struct shim_mapping tail = m;
         tail.va = end;
         tail.size = m_end - end;
         tail.offset += end - m.va;
         if (insert(file, tail))
            return -ENOMEM;
         i++;
      }
   }
   return 0;
}

void va_drop_bo(struct shim_file *file, struct shim_bo *bo)
{
   for (unsigned i = 0; i < file->num_maps;) {
      if (file->maps[i].bo == bo) {
         unmap_range(file, file->maps[i].va, file->maps[i].size, bo);
         erase(file, i);
      } else {
         i++;
      }
   }
}

void va_drop_all(struct shim_file *file)
{
   for (unsigned i = 0; i < file->num_maps; i++)
      unmap_range(file, file->maps[i].va, file->maps[i].size, file->maps[i].bo);
   file->num_maps = 0;
   va_apply(file);
}

int ioctl_gem_va(struct shim_file *file, void *arg)
{
   const struct drm_amdgpu_gem_va *v = arg;
   const uint32_t map_flags = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
                              AMDGPU_VM_PAGE_EXECUTABLE | AMDGPU_VM_MTYPE_MASK | (1u << 9);
   const uint32_t prt_flags = AMDGPU_VM_DELAY_UPDATE | AMDGPU_VM_PAGE_PRT;
   if (v->va_address < VA_RESERVED)
      return -EINVAL;
   if (v->va_address >= VA_HOLE_START && v->va_address < VA_HOLE_END)
      return -EINVAL;
   const uint64_t va = v->va_address & VA_MASK;
   if ((v->flags & ~map_flags) && (v->flags & ~prt_flags))
      return -EINVAL;
   if ((va | v->offset_in_bo | v->map_size) & (SHIM_PAGE - 1))
      return -EINVAL;
   if (v->operation != AMDGPU_VA_OP_UNMAP &&
       (!v->map_size || v->map_size > VA_MASK + 1 - VA_RESERVED || va + v->map_size > VA_MASK + 1 - VA_RESERVED))
      return -EINVAL;

   int r = 0;
   struct shim_bo *bo = NULL;
   pthread_mutex_lock(&shim_lock);
   if (v->operation != AMDGPU_VA_OP_CLEAR && !(v->flags & AMDGPU_VM_PAGE_PRT)) {
      bo = file_bo(file, v->handle);
      if (!bo)
         r = -ENOENT;
   }
   const bool maps = v->operation == AMDGPU_VA_OP_MAP || v->operation == AMDGPU_VA_OP_REPLACE;
   if (r == 0 && maps && bo && (v->offset_in_bo > bo->size || v->map_size > bo->size - v->offset_in_bo))
      r = -EINVAL;
   if (r == 0) {
      switch (v->operation) {
      case AMDGPU_VA_OP_MAP:
         r = map(file, bo, v, va);
         break;
      case AMDGPU_VA_OP_UNMAP:
         r = unmap(file, bo, va);
         break;
      case AMDGPU_VA_OP_CLEAR:
         r = clear(file, va, v->map_size);
         break;
      case AMDGPU_VA_OP_REPLACE:
         r = clear(file, va, v->map_size);
         if (r == 0)
            r = map(file, bo, v, va);
         break;
      default:
         r = -EINVAL;
      }
   }
   pthread_mutex_unlock(&shim_lock);
   return r;
}
