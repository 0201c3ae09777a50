/* SPDX-License-Identifier: MIT */
/* Asynchronous submissions. A gate (a wait for memory that the CPU writes)
 * keeps the GPU busy for as long as a test needs. Runs itself once for each
 * set of options; the expectations are the kernel's rules for fences. */
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include <linux/sync_file.h>

#include "kernel_device.h"

/* b[0]: stream, b[1]: target, b[2]: gate */
struct gated { struct buffer b[3]; uint64_t seq; };

static struct gated gate_close(amdgpu_context_handle ctx, struct drm_amdgpu_cs_chunk *extra)
{
   struct gated g = { { buffer_new(4096), buffer_new(4096), buffer_new(4096) }, 0 };
   unsigned n = wait_mem(g.b[0].map, g.b[2].va, 1);
   n += write_data(g.b[0].map + n, g.b[1].va, 0x900d);
   CHECK(submit(ctx, &g.b[0], n, g.b, 3, extra, &g.seq) == 0, "submit");
   return g;
}

static void gate_open(struct gated *g)
{
   __atomic_store_n(g->b[2].map, 1, __ATOMIC_RELEASE);
}

static void test_waits(void)
{
   amdgpu_context_handle ctx = context_new();
   uint32_t out, first, sync_obj = 0, sync_fd = 0;
   bool busy = false;
   drmSyncobjCreate(fd, 0, &out);
   struct drm_amdgpu_cs_chunk_sem sem = { out };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_SYNCOBJ_OUT, 1, (uintptr_t)&sem };
   const int64_t start = now_ns();
   struct gated g = gate_close(ctx, &chunk);
   CHECK(wait_for(ctx, g.seq, 0) == -EBUSY, "a look");
   CHECK(wait_for(ctx, g.seq, 3000000) == -EBUSY && now_ns() - start >= 3000000, "3 ms");
   CHECK(g.b[1].map[0] == 0, "nothing written yet");
   CHECK(amdgpu_bo_wait_for_idle(g.b[1].bo, 1000000, &busy) == 0 && busy, "the buffer is busy");
   struct buffer other = buffer_new(4096);
   CHECK(amdgpu_bo_wait_for_idle(other.bo, 0, &busy) == 0 && !busy, "one that is not on the list is idle");
   CHECK(drmSyncobjWait(fd, &out, 1, 0, 0, &first) == -ETIME, "the object has a fence that pends");
   struct amdgpu_cs_fence f[2] = { { .context = ctx, .ip_type = AMDGPU_HW_IP_GFX, .fence = g.seq },
                                   { .context = ctx, .ip_type = AMDGPU_HW_IP_COMPUTE, .fence = 0 } };
   uint32_t status = 1;
   CHECK(amdgpu_cs_wait_fences(f, 1, true, 1000000, &status, &first) == 0 && status == 0, "wait for all");
   CHECK(amdgpu_cs_fence_to_handle(dev, f, AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD, &sync_fd) == 0, "sync file");
   CHECK(amdgpu_cs_fence_to_handle(dev, f, AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ, &sync_obj) == 0, "syncobj");
   struct pollfd p = { (int)sync_fd, POLLIN, 0 };
   CHECK(poll(&p, 1, 2) == 0, "the file does not poll: 0x%x", p.revents);
   struct sync_file_info info = { .num_fences = 0 };
   CHECK(ioctl((int)sync_fd, SYNC_IOC_FILE_INFO, &info) == 0 && info.status == 0, "its status %d", info.status);
   gate_open(&g);
   info.num_fences = 0;
   CHECK(poll(&p, 1, 2000) == 1 && p.revents == POLLIN, "it polls: 0x%x", p.revents);
   CHECK(ioctl((int)sync_fd, SYNC_IOC_FILE_INFO, &info) == 0 && info.status == 1, "its status %d", info.status);
   CHECK(g.b[1].map[0] == 0x900d, "what the fence stands for is there");
   CHECK(drmSyncobjWait(fd, &out, 1, INT64_MAX, 0, &first) == 0, "out");
   CHECK(drmSyncobjWait(fd, &sync_obj, 1, INT64_MAX, 0, &first) == 0, "of the fence");
   CHECK(wait_seq(ctx, g.seq) == 0, "wait");
   CHECK(amdgpu_bo_wait_for_idle(g.b[1].bo, AMDGPU_TIMEOUT_INFINITE, &busy) == 0 && !busy, "idle");
   close((int)sync_fd);
}

/* What is taken away from under a job stays for it; later jobs see the new. */
static void test_unmap(void)
{
   amdgpu_context_handle ctx = context_new();
   struct gated g = gate_close(ctx, NULL);
   const uint64_t va = g.b[1].va;
   struct buffer keep = buffer_new(4096), ib = buffer_new(4096);
   uint64_t seq;
   uint32_t *old = g.b[1].map;
   CHECK(amdgpu_bo_va_op(g.b[1].bo, 0, 4096, va, 0, AMDGPU_VA_OP_UNMAP) == 0, "unmap of a busy buffer");
   CHECK(amdgpu_bo_va_op(keep.bo, 0, 4096, va, 0, AMDGPU_VA_OP_MAP) == 0, "another at its address");
   struct drm_gem_close close_arg = { .handle = g.b[1].handle };
   CHECK(drmIoctl(fd, DRM_IOCTL_GEM_CLOSE, &close_arg) == 0, "the handle goes as well");
   const unsigned n = write_data(ib.map, va, 0xbeef);
   struct buffer list[2] = { ib, keep };
   CHECK(submit(ctx, &ib, n, list, 2, NULL, &seq) == 0, "a job that sees the new one");
   gate_open(&g);
   CHECK(wait_seq(ctx, seq) == 0, "wait");
   CHECK(old[0] == 0x900d, "the first job wrote to the old buffer: 0x%x", old[0]);
   CHECK(keep.map[0] == 0xbeef, "the second to the new one: 0x%x", keep.map[0]);
}

static void test_timeline(void)
{
   amdgpu_context_handle ctx = context_new(), second = context_new();
   uint32_t t, copy, first;
   uint64_t point = 5, at = 99, later = 6;
   drmSyncobjCreate(fd, 0, &t);
   drmSyncobjCreate(fd, 0, &copy);
   struct drm_amdgpu_cs_chunk_syncobj sync = { t, 0, 5 };
   struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, sizeof(sync) / 4, (uintptr_t)&sync };
   struct gated g = gate_close(ctx, &chunk);
   CHECK(drmSyncobjQuery(fd, &t, &at, 1) == 0 && at == 0, "signaled %llu", (unsigned long long)at);
   CHECK(drmSyncobjQuery2(fd, &t, &at, 1, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED) == 0 && at == 5, "submitted %llu",
         (unsigned long long)at);
   CHECK(drmSyncobjTimelineWait(fd, &t, &point, 1, 0, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE, &first) == 0, "available");
   CHECK(drmSyncobjTimelineWait(fd, &t, &point, 1, 0, 0, &first) == -ETIME, "not done");
   CHECK(drmSyncobjTimelineWait(fd, &t, &later, 1, 0, 0, &first) == -EINVAL, "not submitted");
   CHECK(drmSyncobjTransfer(fd, copy, 0, t, 5, 0) == 0, "transfer");
   CHECK(drmSyncobjWait(fd, &copy, 1, 0, 0, &first) == -ETIME, "of a fence that pends");
   /* a job of another context that waits for the point, and signals the next */
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   struct drm_amdgpu_cs_chunk_syncobj waits = { t, 0, 5 };
   struct drm_amdgpu_cs_chunk wait_chunk =
      { AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT, sizeof(waits) / 4, (uintptr_t)&waits };
   uint64_t seq;
   const unsigned n = copy_data(b[0].map, b[1].va, g.b[1].va);
   struct buffer list[3] = { b[0], b[1], g.b[1] };
   CHECK(submit(second, &b[0], n, list, 3, &wait_chunk, &seq) == 0, "submit");
   waits.point = 6;
   CHECK(submit(second, &b[0], n, list, 3, &wait_chunk, &at) == -EINVAL, "a point that is not submitted");
   CHECK(drmSyncobjTimelineSignal(fd, &t, &later, 1) == 0, "the CPU signals 6");
   CHECK(drmSyncobjTimelineWait(fd, &t, &later, 1, 0, 0, &first) == -ETIME, "6 is behind 5");
   gate_open(&g);
   CHECK(drmSyncobjTimelineWait(fd, &t, &later, 1, INT64_MAX, 0, &first) == 0, "6");
   CHECK(drmSyncobjQuery(fd, &t, &at, 1) == 0 && at == 6, "signaled %llu", (unsigned long long)at);
   CHECK(drmSyncobjWait(fd, &copy, 1, INT64_MAX, 0, &first) == 0, "the copy");
   CHECK(wait_seq(second, seq) == 0 && b[1].map[0] == 0x900d, "in order: 0x%x", b[1].map[0]);
}

/* A stream that never ends takes its context along, with what is queued there. */
static void test_hang(void)
{
   amdgpu_context_handle ctx = context_new(), other = context_new();
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   uint64_t seq[3];
   struct gated g = gate_close(ctx, NULL);
   const unsigned n = write_data(b[0].map, b[1].va, 7);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq[0]) == 0, "queued behind it");
   CHECK(wait_seq(ctx, g.seq) == -ECANCELED, "the hang");
   CHECK(wait_seq(ctx, seq[0]) == -ECANCELED && b[1].map[0] == 0, "what was queued is canceled");
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq[1]) == -ECANCELED, "no more for this context");
   CHECK(submit(other, &b[0], n, b, 2, NULL, &seq[2]) == 0 && wait_seq(other, seq[2]) == 0 && b[1].map[0] == 7,
         "others go on");
   uint64_t flags = 0;
   CHECK(amdgpu_cs_query_reset_state2(other, &flags) == 0 && flags == AMDGPU_CTX_QUERY2_FLAGS_RESET, "innocent");
}

/* The mistake that `delay` is for: a read without a wait. */
static void test_forgotten_wait(void)
{
   amdgpu_context_handle ctx = context_new(), other = context_new();
   struct buffer b[3] = { buffer_new(4096), buffer_new(4096), buffer_new(4096) };
   struct buffer second[2] = { b[2], b[1] };
   unsigned stale = 0, swapped = 0;
   uint64_t seq, seq2;
   for (uint32_t i = 1; i <= 40; i++) {
      const unsigned n = write_data(b[0].map, b[1].va, i);
      CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0, "submit");
      stale += b[1].map[0] != i;
      CHECK(wait_seq(ctx, seq) == 0 && b[1].map[0] == i, "%u after the wait: %u", i, b[1].map[0]);
   }
   CHECK(stale > 20, "%u of 40 reads without a wait saw old data", stale);
   /* two contexts are in no order, unless one waits for the other */
   const unsigned n = write_data(b[0].map, b[1].va, 1);
   write_data(b[2].map, b[1].va, 2);
   for (unsigned i = 0; i < 40; i++) {
      CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0 && submit(other, &b[2], n, second, 2, NULL, &seq2) == 0,
            "two");
      wait_seq(ctx, seq);
      wait_seq(other, seq2);
      swapped += b[1].map[0] == 1;
   }
   CHECK(swapped > 2 && swapped < 38, "%u of 40 in the other order", swapped);
   for (unsigned i = 0; i < 20; i++) {
      CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0, "first");
      struct amdgpu_cs_fence fence = { .context = ctx, .ip_type = AMDGPU_HW_IP_GFX, .fence = seq };
      struct drm_amdgpu_cs_chunk_dep dep;
      amdgpu_cs_chunk_fence_to_dep(&fence, &dep);
      struct drm_amdgpu_cs_chunk chunk = { AMDGPU_CHUNK_ID_DEPENDENCIES, sizeof(dep) / 4, (uintptr_t)&dep };
      CHECK(submit(other, &b[2], n, second, 2, &chunk, &seq2) == 0 && wait_seq(other, seq2) == 0, "then");
      CHECK(b[1].map[0] == 2, "a dependency orders them");
   }
}

/* A value passes through 60 buffers: each job copies it on, in one of several
 * contexts and on one of several rings, ordered after the one before it by what
 * the kernel has for that. What is no longer needed is unmapped and closed. */
static void test_chain(void)
{
   enum { STEPS = 60, CONTEXTS = 3 };
   amdgpu_context_handle ctx[CONTEXTS];
   struct buffer b[STEPS + 1], ib[STEPS];
   uint32_t binary, timeline, first, random = 12345, last_ip = 0, last_ring = 0;
   uint64_t seq = 0, point = 0;
   amdgpu_context_handle last = NULL;
   drmSyncobjCreate(fd, 0, &binary);
   drmSyncobjCreate(fd, 0, &timeline);
   for (unsigned i = 0; i < CONTEXTS; i++)
      ctx[i] = context_new();
   b[0] = buffer_new(4096);
   b[0].map[0] = 0x70cea;
   for (unsigned i = 0; i < STEPS; i++) {
      b[i + 1] = buffer_new(4096);
      ib[i] = buffer_new(4096);
      random = random * 1664525 + 1013904223;
      amdgpu_context_handle now = ctx[(random >> 8) % CONTEXTS];
      const uint32_t ip = random >> 12 & 1 ? AMDGPU_HW_IP_COMPUTE : AMDGPU_HW_IP_GFX;
      const uint32_t ring = ip == AMDGPU_HW_IP_COMPUTE ? (random >> 16) % 8 : 0;
      const unsigned how = i ? (random >> 20) % 3 : 3, n = copy_data(ib[i].map, b[i + 1].va, b[i].va);
      struct buffer list[3] = { ib[i], b[i], b[i + 1] };
      struct drm_amdgpu_bo_list_entry entries[3] = { { ib[i].handle, 0 }, { b[i].handle, 0 }, { b[i + 1].handle, 0 } };
      struct drm_amdgpu_bo_list_in in = { .operation = ~0u, .list_handle = ~0u, .bo_number = 3, .bo_info_size = 8,
                                          .bo_info_ptr = (uintptr_t)entries };
      struct drm_amdgpu_cs_chunk_ib data = { .va_start = ib[i].va, .ib_bytes = n * 4, .ip_type = ip, .ring = ring };
      struct drm_amdgpu_cs_chunk_sem sem = { binary };
      struct drm_amdgpu_cs_chunk_syncobj wait = { timeline, 0, point }, signal = { timeline, 0, point + 1 };
      struct drm_amdgpu_cs_chunk_dep dep;
      struct amdgpu_cs_fence fence = { .context = last, .ip_type = last_ip, .ring = last_ring, .fence = seq };
      struct drm_amdgpu_cs_chunk chunks[5] = {
         { AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(in) / 4, (uintptr_t)&in },
         { AMDGPU_CHUNK_ID_IB, sizeof(data) / 4, (uintptr_t)&data },
         { AMDGPU_CHUNK_ID_SYNCOBJ_OUT, 1, (uintptr_t)&sem },
         { AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL, sizeof(signal) / 4, (uintptr_t)&signal },
      };
      if (how == 0) {
         amdgpu_cs_chunk_fence_to_dep(&fence, &dep);
         chunks[4] = (struct drm_amdgpu_cs_chunk){ AMDGPU_CHUNK_ID_DEPENDENCIES, sizeof(dep) / 4, (uintptr_t)&dep };
      } else if (how == 1) {
         chunks[4] = (struct drm_amdgpu_cs_chunk){ AMDGPU_CHUNK_ID_SYNCOBJ_IN, 1, (uintptr_t)&sem };
      } else if (how == 2) {
         chunks[4] = (struct drm_amdgpu_cs_chunk){ AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT, sizeof(wait) / 4,
                                                   (uintptr_t)&wait };
      }
      CHECK(amdgpu_cs_submit_raw2(dev, now, 0, how == 3 ? 4 : 5, chunks, &seq) == 0, "step %u", i);
      last = now;
      last_ip = ip;
      last_ring = ring;
      point++;
      for (unsigned k = 0; k < 2 && random >> 28; k++) { /* mostly */
         amdgpu_bo_va_op(list[k].bo, 0, 4096, list[k].va, 0, AMDGPU_VA_OP_UNMAP);
         amdgpu_va_range_free(list[k].va_handle);
         amdgpu_bo_cpu_unmap(list[k].bo);
         amdgpu_bo_free(list[k].bo);
      }
   }
   CHECK(drmSyncobjTimelineWait(fd, &timeline, &point, 1, INT64_MAX, 0, &first) == 0, "the last point");
   CHECK(b[STEPS].map[0] == 0x70cea, "arrived: 0x%x", b[STEPS].map[0]);
   CHECK(drmSyncobjWait(fd, &binary, 1, INT64_MAX, 0, &first) == 0, "the last fence");
}

int main(int argc, char **argv)
{
   static const struct kernel_case cases[] = {
      { "waits", "async,hang-ms=20000", test_waits },       { "unmap", "async,hang-ms=20000", test_unmap },
      { "timeline", "async,hang-ms=20000", test_timeline }, { "hang", "async,hang-ms=100", test_hang },
      { "delay 1", "delay=1", test_forgotten_wait },        { "delay 2", "delay=2", test_forgotten_wait },
      { "delay 3", "delay=3", test_forgotten_wait },        { "chain", "async", test_chain },
      { "chain 1", "delay=1", test_chain },                 { "chain 2", "delay=2", test_chain },
      { "chain 3", "delay=3", test_chain },
   };
   return run_cases(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
