/* SPDX-License-Identifier: MIT */
/* Command streams: IB memory with chaining, the buffer list, submission.
 *
 * An IB that fills up ends with an INDIRECT_BUFFER packet with the chain bit,
 * so the kernel only sees the first one. IB sizes are multiples of 8 dwords. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/u_math.h"
#include "sid.h"
#include "private.h"

#define IB_BYTES      (128 * 1024)
#define IB_ALIGN_DW   8
#define CHAIN_DW      4
#define NOP_DW        0xffff1000u /* PKT3 NOP of one dword */
#define HASH_SIZE     1024
#define MAX_WAITS     16

struct entry {
   struct bo *bo;
   uint32_t usage;
   int32_t next; /* entry with the same hash, -1: none */
};

/* One reference counted list entry per buffer, sub-allocated ones included:
 * their parents go to the kernel, their own sequence numbers are updated. */
struct list {
   struct entry *entries;
   uint32_t num, max;
   int32_t hash[HASH_SIZE]; /* newest entry with this hash, -1: none */
};

struct tgsiamd_stream {
   struct tgsiamd_ib_space space; /* of the current IB */
   struct tgsiamd_device *dev;
   struct timeline *timeline;     /* the stream dies with it */
   struct tgsiamd_bo *ib_bo;
   uint32_t ib_start_dw;          /* of the current IB in ib_bo */
   uint32_t ib_bo_dw;
   uint64_t first_va;             /* of the submission */
   uint32_t first_dw;
   uint32_t *size_patch;          /* where the chaining packet keeps the current IB's size */
   struct list list;
   uint64_t memory;
   struct tgsiamd_fence *waits[MAX_WAITS];
   uint32_t num_waits;
   tgsiamd_ib_observer observer;
   void *observer_data;
   struct drm_amdgpu_bo_list_entry *handles;
   uint32_t max_handles;
};

static uint32_t
hash_bo(const struct bo *bo)
{
   uint64_t v = bo->base.va >> 8;

   return (v ^ (v >> 10) ^ (v >> 20)) & (HASH_SIZE - 1);
}

static struct entry *
list_find(struct list *list, const struct bo *bo)
{
   for (int32_t i = list->hash[hash_bo(bo)]; i >= 0; i = list->entries[i].next) {
      if (list->entries[i].bo == bo)
         return &list->entries[i];
   }
   return NULL;
}

void
tgsiamd_stream_use(struct tgsiamd_stream *stream, struct tgsiamd_bo *public_bo, uint32_t usage)
{
   struct bo *bo = to_bo(public_bo);
   struct list *list = &stream->list;
   struct entry *entry = list_find(list, bo);

   if (!entry) {
      if (list->num == list->max) {
         uint32_t max = MAX2(list->max * 2, 64);
         struct entry *entries = realloc(list->entries, max * sizeof(*entries));
         if (!entries)
            return; /* the kernel will report the missing buffer */
         list->entries = entries;
         list->max = max;
      }
      entry = &list->entries[list->num];
      entry->next = list->hash[hash_bo(bo)];
      list->hash[hash_bo(bo)] = list->num++;
      entry->bo = bo;
      entry->usage = 0;
      p_atomic_inc(&bo->base.refs);
      stream->memory += bo->base.size;
   }
   entry->usage |= usage;
}

bool
tgsiamd_stream_references(struct tgsiamd_stream *stream, struct tgsiamd_bo *bo, uint32_t usage)
{
   struct entry *entry = list_find(&stream->list, to_bo(bo));

   return entry && (entry->usage & usage);
}

uint64_t
tgsiamd_stream_memory(const struct tgsiamd_stream *stream)
{
   return stream->memory;
}

static void
list_clear(struct list *list)
{
   for (uint32_t i = 0; i < list->num; i++) {
      struct tgsiamd_bo *bo = &list->entries[i].bo->base;
      tgsiamd_bo_reference(&bo, NULL);
   }
   list->num = 0;
   memset(list->hash, 0xff, sizeof(list->hash));
}

/* A place of at least `dwords` for an IB: behind the last one or in a new buffer. */
static bool
ib_start(struct tgsiamd_stream *stream, uint32_t dwords)
{
   uint32_t need = align(dwords + CHAIN_DW + IB_ALIGN_DW, IB_ALIGN_DW);

   if (!stream->ib_bo || stream->ib_start_dw + MAX2(need, 2048) > stream->ib_bo_dw) {
      struct tgsiamd_bo *bo =
         tgsiamd_bo_create(stream->dev, MAX2(IB_BYTES, need * 4), 4096, TGSIAMD_GTT,
                           TGSIAMD_BO_CPU_ACCESS | TGSIAMD_BO_WRITE_COMBINE | TGSIAMD_BO_NO_SUBALLOC);
      if (!bo)
         return false;
      if (!tgsiamd_bo_map(bo)) {
         tgsiamd_bo_reference(&bo, NULL);
         return false;
      }
      tgsiamd_bo_reference(&stream->ib_bo, NULL);
      stream->ib_bo = bo;
      stream->ib_start_dw = 0;
      stream->ib_bo_dw = bo->size / 4;
   }
   stream->space.buf = (uint32_t *)tgsiamd_bo_map(stream->ib_bo) + stream->ib_start_dw;
   stream->space.cdw = 0;
   stream->space.max_dw = stream->ib_bo_dw - stream->ib_start_dw - CHAIN_DW - IB_ALIGN_DW;
   tgsiamd_stream_use(stream, stream->ib_bo, TGSIAMD_READ);
   return true;
}

static uint64_t
ib_va(const struct tgsiamd_stream *stream)
{
   return stream->ib_bo->va + (uint64_t)stream->ib_start_dw * 4;
}

static void
pad(struct tgsiamd_ib_space *space, uint32_t tail)
{
   while ((space->cdw + tail) % IB_ALIGN_DW)
      space->buf[space->cdw++] = NOP_DW;
}

/* The size of the IB just finished becomes known to whoever jumps to it. */
static void
ib_finish(struct tgsiamd_stream *stream)
{
   uint32_t dw = stream->space.cdw;

   if (stream->size_patch)
      *stream->size_patch |= dw;
   else
      stream->first_dw = dw;
   if (stream->observer)
      stream->observer(stream->observer_data, stream->space.buf, dw, ib_va(stream));
   stream->ib_start_dw += dw;
}

bool
tgsiamd_stream_reserve(struct tgsiamd_stream *stream, uint32_t dwords)
{
   struct tgsiamd_ib_space *space = &stream->space, old = *space;
   uint32_t *patch;
   struct tgsiamd_bo *old_bo = NULL;
   uint32_t old_start = stream->ib_start_dw;
   uint64_t next;

   if (space->cdw + dwords <= space->max_dw)
      return true;
   tgsiamd_bo_reference(&old_bo, stream->ib_bo);
   pad(&old, CHAIN_DW);
   /* The rest of the old buffer is used up by its tail. */
   stream->ib_start_dw = stream->ib_bo_dw;
   if (!ib_start(stream, dwords)) {
      stream->ib_start_dw = old_start;
      tgsiamd_bo_reference(&old_bo, NULL);
      return false;
   }
   next = ib_va(stream);
   old.buf[old.cdw++] = PKT3(PKT3_INDIRECT_BUFFER_CIK, 2, 0);
   old.buf[old.cdw++] = next;
   old.buf[old.cdw++] = next >> 32;
   patch = &old.buf[old.cdw];
   old.buf[old.cdw++] = S_3F2_CHAIN(1) | S_3F2_VALID(1);

   if (stream->size_patch)
      *stream->size_patch |= old.cdw;
   else
      stream->first_dw = old.cdw;
   if (stream->observer)
      stream->observer(stream->observer_data, old.buf, old.cdw, old_bo->va + (uint64_t)old_start * 4);
   stream->size_patch = patch;
   tgsiamd_bo_reference(&old_bo, NULL);
   return true;
}

static bool
begin(struct tgsiamd_stream *stream)
{
   list_clear(&stream->list);
   stream->memory = 0;
   stream->size_patch = NULL;
   stream->first_dw = 0;
   if (!ib_start(stream, 1024))
      return false;
   stream->first_va = ib_va(stream);
   return true;
}

struct tgsiamd_stream *
tgsiamd_stream_create(struct tgsiamd_device *dev)
{
   struct tgsiamd_stream *stream = calloc(1, sizeof(*stream));

   if (!stream)
      return NULL;
   stream->dev = dev;
   stream->timeline = timeline_renew(dev);
   if (!begin(stream)) {
      tgsiamd_stream_destroy(stream);
      return NULL;
   }
   return stream;
}

enum tgsiamd_reset
tgsiamd_stream_reset_status(struct tgsiamd_stream *stream)
{
   return timeline_reset_status(stream->timeline);
}

void
tgsiamd_stream_destroy(struct tgsiamd_stream *stream)
{
   list_clear(&stream->list);
   for (uint32_t i = 0; i < stream->num_waits; i++)
      tgsiamd_fence_reference(&stream->waits[i], NULL);
   tgsiamd_bo_reference(&stream->ib_bo, NULL);
   free(stream->list.entries);
   free(stream->handles);
   free(stream);
}

struct tgsiamd_ib_space *
tgsiamd_stream_space(struct tgsiamd_stream *stream)
{
   return &stream->space;
}

void
tgsiamd_stream_observe(struct tgsiamd_stream *stream, tgsiamd_ib_observer observer, void *data)
{
   stream->observer = observer;
   stream->observer_data = data;
}

void
tgsiamd_stream_wait_for(struct tgsiamd_stream *stream, struct tgsiamd_fence *fence)
{
   /* Work of this device runs in order anyway. */
   if (!fence->syncobj || fence->signalled)
      return;
   if (stream->num_waits == MAX_WAITS) {
      tgsiamd_fence_wait(fence, UINT64_MAX);
      return;
   }
   tgsiamd_fence_reference(&stream->waits[stream->num_waits++], fence);
}

static bool
collect_handles(struct tgsiamd_stream *stream, uint32_t *num)
{
   struct list *list = &stream->list;

   if (stream->max_handles < list->num + 1) {
      uint32_t max = MAX2(list->num * 2, 64);
      void *handles = realloc(stream->handles, max * sizeof(*stream->handles));
      if (!handles)
         return false;
      stream->handles = handles;
      stream->max_handles = max;
   }
   /* A parent of sub-allocations comes once: it is marked with the number of
    * the submission that will take it (under dev->submit_lock). */
   *num = 0;
   for (uint32_t i = 0; i < list->num; i++) {
      struct bo *bo = bo_backing(list->entries[i].bo);

      if (bo->listed_in == stream->dev->num_submits)
         continue;
      bo->listed_in = stream->dev->num_submits;
      stream->handles[(*num)++] = (struct drm_amdgpu_bo_list_entry){.bo_handle = bo->kms_handle};
   }
   stream->handles[(*num)++] =
      (struct drm_amdgpu_bo_list_entry){.bo_handle = stream->dev->user_fence->kms_handle};
   return true;
}

static int
submit_chunks(struct tgsiamd_stream *stream, uint64_t *seq)
{
   struct tgsiamd_device *dev = stream->dev;
   struct drm_amdgpu_bo_list_in list = {0};
   struct drm_amdgpu_cs_chunk_data fence_data = {0};
   struct drm_amdgpu_cs_chunk_ib ib = {0};
   struct drm_amdgpu_cs_chunk_sem waits[MAX_WAITS];
   struct amdgpu_cs_fence_info fence_info = {dev->user_fence->handle, stream->timeline->user_fence_offset};
   struct drm_amdgpu_cs_chunk chunks[4];
   uint32_t num_handles, n = 0;

   if (!collect_handles(stream, &num_handles))
      return -ENOMEM;
   list.operation = ~0u;
   list.list_handle = ~0u;
   list.bo_number = num_handles;
   list.bo_info_size = sizeof(*stream->handles);
   list.bo_info_ptr = (uintptr_t)stream->handles;
   chunks[n].chunk_id = AMDGPU_CHUNK_ID_BO_HANDLES;
   chunks[n].length_dw = sizeof(list) / 4;
   chunks[n++].chunk_data = (uintptr_t)&list;

   amdgpu_cs_chunk_fence_info_to_data(&fence_info, &fence_data);
   chunks[n].chunk_id = AMDGPU_CHUNK_ID_FENCE;
   chunks[n].length_dw = sizeof(struct drm_amdgpu_cs_chunk_fence) / 4;
   chunks[n++].chunk_data = (uintptr_t)&fence_data;

   if (stream->num_waits) {
      for (uint32_t i = 0; i < stream->num_waits; i++)
         waits[i].handle = stream->waits[i]->syncobj;
      chunks[n].chunk_id = AMDGPU_CHUNK_ID_SYNCOBJ_IN;
      chunks[n].length_dw = sizeof(waits[0]) / 4 * stream->num_waits;
      chunks[n++].chunk_data = (uintptr_t)waits;
   }

   ib.ip_type = AMDGPU_HW_IP_GFX;
   ib.va_start = stream->first_va;
   ib.ib_bytes = stream->first_dw * 4;
   chunks[n].chunk_id = AMDGPU_CHUNK_ID_IB;
   chunks[n].length_dw = sizeof(ib) / 4;
   chunks[n++].chunk_data = (uintptr_t)&ib;
   if (stream->timeline != dev->timeline)
      return -ECANCELED; /* the GPU was reset since, and others have gone on */
   int r = amdgpu_cs_submit_raw2(dev->handle, stream->timeline->ctx, 0, n, chunks, seq);
   *seq += stream->timeline->base;
   return r;
}

int
tgsiamd_stream_submit(struct tgsiamd_stream *stream, struct tgsiamd_fence **fence)
{
   struct tgsiamd_device *dev = stream->dev;
   uint64_t seq = 0;
   int r = 0;

   if (stream->space.cdw || stream->size_patch) {
      pad(&stream->space, 0);
      ib_finish(stream);
      /* The number that the kernel gives must be on every buffer before
       * anyone else can see a later one. */
      simple_mtx_lock(&dev->submit_lock);
      dev->num_submits++;
      r = submit_chunks(stream, &seq);
      if (!r) {
         dev->last_seq = seq;
         for (uint32_t i = 0; i < stream->list.num; i++) {
            struct entry *entry = &stream->list.entries[i];
            entry->bo->last_use = seq;
            if (entry->usage & TGSIAMD_WRITE)
               entry->bo->last_write = seq;
         }
      } else {
         stream->timeline->lost = true;
      }
      simple_mtx_unlock(&dev->submit_lock);
      for (uint32_t i = 0; i < stream->num_waits; i++)
         tgsiamd_fence_reference(&stream->waits[i], NULL);
      stream->num_waits = 0;
   }
   if (fence) {
      struct tgsiamd_fence *f = fence_create_seq(dev, dev->last_seq);
      tgsiamd_fence_reference(fence, NULL);
      *fence = f;
   }
   if (!begin(stream) && !r)
      r = -ENOMEM;
   return r;
}
