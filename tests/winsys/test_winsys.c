/* SPDX-License-Identifier: MIT */
/* The winsys on a device (the model, by preload, or a real GPU): buffers and
 * their reuse, streams with chained IBs, fences, sharing, process memory. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sid.h"
#include "amdgfxregs.h"
#include "tgsiamd/winsys.h"

static int failures;

#define CHECK(cond)                                                        \
   do {                                                                    \
      if (!(cond)) {                                                       \
         fprintf(stderr, "%s:%d: %s\n", __func__, __LINE__, #cond);        \
         failures++;                                                       \
      }                                                                    \
   } while (0)

static void
unref(struct tgsiamd_bo *bo)
{
   tgsiamd_bo_reference(&bo, NULL);
}

/* A packet that stores one dword. */
static void
write_dword(struct tgsiamd_stream *stream, struct tgsiamd_bo *bo, uint64_t offset, uint32_t value)
{
   struct tgsiamd_ib_space *ib = tgsiamd_stream_space(stream);
   uint64_t va = bo->va + offset;

   if (!tgsiamd_stream_reserve(stream, 5)) {
      failures++;
      return;
   }
   tgsiamd_stream_use(stream, bo, TGSIAMD_WRITE);
   ib->buf[ib->cdw++] = PKT3(PKT3_WRITE_DATA, 3, 0);
   ib->buf[ib->cdw++] = S_370_DST_SEL(V_370_MEM) | S_370_WR_CONFIRM(1) | S_370_ENGINE_SEL(V_370_ME);
   ib->buf[ib->cdw++] = va;
   ib->buf[ib->cdw++] = va >> 32;
   ib->buf[ib->cdw++] = value;
}

static void
test_device(struct tgsiamd_device *dev, int fd)
{
   struct tgsiamd_device *again = tgsiamd_device_open(fd, NULL);
   struct tgsiamd_memory_usage usage;
   const char *why = NULL;
   int null = open("/dev/null", O_RDWR);

   CHECK(again == dev);
   if (again)
      tgsiamd_device_unref(again);
   CHECK(tgsiamd_device_info(dev)->gfx_level == GFX9);
   tgsiamd_device_memory(dev, &usage);
   CHECK(usage.vram_total && usage.gtt_total);
   /* What is no GPU is refused with a reason. */
   CHECK(!tgsiamd_device_open(null, &why) && why);
   close(null);
}

static void
test_buffers(struct tgsiamd_device *dev)
{
   static const uint64_t sizes[] = {1, 256, 257, 4096, 32768, 32769, 1 << 20};
   struct tgsiamd_memory_usage before, after;
   struct tgsiamd_bo *bo, *small[3];
   uint64_t va;

   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      for (unsigned domain = 0; domain < 2; domain++) {
         uint8_t *map;
         bo = tgsiamd_bo_create(dev, sizes[i], 256, domain, TGSIAMD_BO_CPU_ACCESS);
         CHECK(bo && bo->size >= sizes[i] && bo->va % 256 == 0 && bo->domain == domain);
         map = tgsiamd_bo_map(bo);
         CHECK(map && map == tgsiamd_bo_map(bo));
         memset(map, 0xa5, sizes[i]);
         CHECK(map[sizes[i] - 1] == 0xa5);
         CHECK(tgsiamd_bo_wait(bo, 0, TGSIAMD_WRITE));
         unref(bo);
      }
   }
   /* Small buffers share a kernel buffer, yet not their bytes. */
   tgsiamd_device_memory(dev, &before);
   for (unsigned i = 0; i < 3; i++) {
      small[i] = tgsiamd_bo_create(dev, 512, 512, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
      memset(tgsiamd_bo_map(small[i]), i, 512);
   }
   tgsiamd_device_memory(dev, &after);
   CHECK(after.gtt_used - before.gtt_used <= 256 * 1024);
   for (unsigned i = 0; i < 3; i++) {
      CHECK(*(uint8_t *)tgsiamd_bo_map(small[i]) == i && small[i]->va % 512 == 0);
      unref(small[i]);
   }
   /* A freed buffer comes back for the same size; a new one starts as zero when asked. */
   bo = tgsiamd_bo_create(dev, 300000, 4096, TGSIAMD_VRAM, TGSIAMD_BO_CPU_ACCESS);
   va = bo->va;
   unref(bo);
   bo = tgsiamd_bo_create(dev, 290000, 4096, TGSIAMD_VRAM, TGSIAMD_BO_CPU_ACCESS);
   CHECK(bo->va == va);
   unref(bo);
   tgsiamd_device_trim(dev);
   bo = tgsiamd_bo_create(dev, 65536, 65536, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS | TGSIAMD_BO_ZEROED);
   CHECK(*(uint32_t *)tgsiamd_bo_map(bo) == 0 && bo->va % 65536 == 0);
   unref(bo);
   CHECK(!tgsiamd_bo_create(dev, 1ull << 50, 4096, TGSIAMD_VRAM, 0));
}

static void
test_streams(struct tgsiamd_device *dev)
{
   struct tgsiamd_stream *stream = tgsiamd_stream_create(dev);
   struct tgsiamd_bo *bo = tgsiamd_bo_create(dev, 1 << 20, 4096, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   volatile uint32_t *map = tgsiamd_bo_map(bo);
   struct tgsiamd_fence *fence = NULL;
   uint64_t memory = tgsiamd_stream_memory(stream);

   memset((void *)map, 0, bo->size);
   CHECK(!tgsiamd_stream_references(stream, bo, TGSIAMD_READ | TGSIAMD_WRITE));
   /* More than three IBs' worth of packets. */
   for (uint32_t i = 0; i < 100000; i++)
      write_dword(stream, bo, i * 4, i ^ 0x5a5a5a5a);
   CHECK(tgsiamd_stream_references(stream, bo, TGSIAMD_WRITE));
   CHECK(!tgsiamd_stream_references(stream, bo, TGSIAMD_READ));
   CHECK(tgsiamd_stream_memory(stream) - memory < bo->size * 5);
   CHECK(!tgsiamd_stream_submit(stream, &fence));
   CHECK(!tgsiamd_stream_references(stream, bo, TGSIAMD_READ | TGSIAMD_WRITE));
   CHECK(tgsiamd_bo_wait(bo, UINT64_MAX, TGSIAMD_READ));
   CHECK(tgsiamd_fence_wait(fence, UINT64_MAX) && tgsiamd_fence_wait(fence, 0));
   for (uint32_t i = 0; i < 100000; i++) {
      if (map[i] != (i ^ 0x5a5a5a5a)) {
         fprintf(stderr, "dword %u of the chained stream was not written\n", i);
         failures++;
         break;
      }
   }
   CHECK(tgsiamd_stream_reset_status(stream) == TGSIAMD_RESET_NONE);
   /* An empty stream still gives a fence. */
   CHECK(!tgsiamd_stream_submit(stream, &fence) && tgsiamd_fence_wait(fence, UINT64_MAX));
   tgsiamd_fence_reference(&fence, NULL);
   tgsiamd_stream_destroy(stream);
   unref(bo);
}

/* A stream that the GPU chokes on: it is over with that stream and those that
 * were there, and a new one works. */
static void
test_reset(struct tgsiamd_device *dev)
{
   struct tgsiamd_stream *bad = tgsiamd_stream_create(dev), *bystander = tgsiamd_stream_create(dev);
   struct tgsiamd_bo *bo = tgsiamd_bo_create(dev, 4096, 4096, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   struct tgsiamd_fence *fences[2] = {NULL, NULL};
   struct tgsiamd_ib_space *space;

   CHECK(tgsiamd_stream_reset_status(bad) == TGSIAMD_RESET_NONE);
   write_dword(bad, bo, 0, 1);
   space = tgsiamd_stream_space(bad);
   space->buf[space->cdw++] = 0xc000ee00; /* no such packet */
   space->buf[space->cdw++] = 0;
   CHECK(!tgsiamd_stream_submit(bad, &fences[0]));
   CHECK(tgsiamd_fence_wait(fences[0], UINT64_MAX));
   CHECK(tgsiamd_stream_reset_status(bad) == TGSIAMD_RESET_GUILTY);
   for (uint32_t i = 2; i < 5; i++) {
      struct tgsiamd_stream *stream = tgsiamd_stream_create(dev);
      CHECK(tgsiamd_stream_reset_status(stream) == TGSIAMD_RESET_NONE);
      write_dword(stream, bo, 0, i);
      CHECK(!tgsiamd_stream_submit(stream, &fences[1]) && tgsiamd_fence_wait(fences[1], UINT64_MAX));
      CHECK(*(volatile uint32_t *)tgsiamd_bo_map(bo) == i);
      tgsiamd_stream_destroy(stream);
   }
   write_dword(bystander, bo, 0, 9);
   CHECK(tgsiamd_stream_submit(bystander, NULL) == -ECANCELED);
   CHECK(tgsiamd_stream_reset_status(bystander) != TGSIAMD_RESET_NONE);
   CHECK(tgsiamd_fence_wait(fences[0], 0));
   int fd = tgsiamd_fence_export_sync_file(fences[0]);
   CHECK(fd >= 0);
   close(fd);
   tgsiamd_fence_reference(&fences[0], NULL);
   tgsiamd_fence_reference(&fences[1], NULL);
   tgsiamd_stream_destroy(bad);
   tgsiamd_stream_destroy(bystander);
   unref(bo);
}

/* Many buffers: each gets its own bytes, whatever shares a kernel buffer. */
static void
test_many_buffers(struct tgsiamd_device *dev)
{
   enum { COUNT = 5000 };
   static struct tgsiamd_bo *bos[COUNT];
   struct tgsiamd_stream *stream = tgsiamd_stream_create(dev);
   struct tgsiamd_fence *fence = NULL;

   for (uint32_t i = 0; i < COUNT; i++) {
      bos[i] = tgsiamd_bo_create(dev, 64, 4, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
      write_dword(stream, bos[i], 4, i);
      write_dword(stream, bos[i], 8, ~i);
   }
   CHECK(!tgsiamd_stream_submit(stream, &fence) && tgsiamd_fence_wait(fence, UINT64_MAX));
   for (uint32_t i = 0; i < COUNT; i++) {
      uint32_t *map = tgsiamd_bo_map(bos[i]);
      if (map[1] != i || map[2] != ~i) {
         fprintf(stderr, "buffer %u has wrong contents\n", i);
         failures++;
         break;
      }
   }
   for (uint32_t i = 0; i < COUNT; i++)
      unref(bos[i]);
   tgsiamd_fence_reference(&fence, NULL);
   tgsiamd_stream_destroy(stream);
}

static void
test_fences(struct tgsiamd_device *dev)
{
   struct tgsiamd_stream *stream = tgsiamd_stream_create(dev);
   struct tgsiamd_bo *bo = tgsiamd_bo_create(dev, 4096, 4096, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   struct tgsiamd_fence *fence = NULL, *imported;
   struct pollfd pfd = {.events = POLLIN};
   int fd;

   write_dword(stream, bo, 0, 1);
   CHECK(!tgsiamd_stream_submit(stream, &fence));
   fd = tgsiamd_fence_export_sync_file(fence);
   CHECK(fd >= 0);
   imported = fd >= 0 ? tgsiamd_fence_import(dev, fd, false) : NULL;
   CHECK(imported);
   if (imported) {
      tgsiamd_stream_wait_for(stream, imported);
      write_dword(stream, bo, 4, 2);
      CHECK(!tgsiamd_stream_submit(stream, &fence));
      CHECK(tgsiamd_fence_wait(imported, UINT64_MAX));
      tgsiamd_fence_reference(&imported, NULL);
   }
   CHECK(tgsiamd_fence_wait(fence, 10000000000ull));
   CHECK(((uint32_t *)tgsiamd_bo_map(bo))[1] == 2);
   if (fd >= 0) {
      pfd.fd = fd;
      CHECK(poll(&pfd, 1, 10000) == 1);
      close(fd);
   }
   CHECK(!tgsiamd_fence_import(dev, -1, false));
   tgsiamd_fence_reference(&fence, NULL);
   tgsiamd_stream_destroy(stream);
   unref(bo);
}

static void
test_sharing(struct tgsiamd_device *dev)
{
   struct tgsiamd_bo *bo = tgsiamd_bo_create(dev, 65536, 4096, TGSIAMD_GTT,
                                             TGSIAMD_BO_CPU_ACCESS | TGSIAMD_BO_SHAREABLE);
   struct tgsiamd_bo *small = tgsiamd_bo_create(dev, 64, 64, TGSIAMD_GTT, TGSIAMD_BO_CPU_ACCESS);
   struct tgsiamd_bo *again;
   struct tgsiamd_bo_metadata out = {.tiling = 5, .size = 8, .umd = {1, 2}}, in;
   uint32_t fd = ~0u, kms;

   CHECK(!tgsiamd_bo_export(bo, TGSIAMD_HANDLE_DMABUF, &fd));
   CHECK(!tgsiamd_bo_export(bo, TGSIAMD_HANDLE_KMS, &kms) && kms);
   again = tgsiamd_bo_import(dev, TGSIAMD_HANDLE_DMABUF, fd);
   CHECK(again == bo);
   if (again)
      unref(again);
   close(fd);
   CHECK(tgsiamd_bo_set_metadata(bo, &out) && tgsiamd_bo_get_metadata(bo, &in));
   CHECK(in.tiling == 5 && in.size == 8 && in.umd[1] == 2);
   /* A part of a slab cannot leave the process. */
   CHECK(tgsiamd_bo_export(small, TGSIAMD_HANDLE_DMABUF, &fd) < 0);
   CHECK(!tgsiamd_bo_import(dev, TGSIAMD_HANDLE_DMABUF, 12345));
   unref(bo);
   unref(small);
}

static void
test_user_memory(struct tgsiamd_device *dev)
{
   struct tgsiamd_stream *stream = tgsiamd_stream_create(dev);
   struct tgsiamd_fence *fence = NULL;
   uint32_t *memory = aligned_alloc(4096, 8192);
   struct tgsiamd_bo *bo;

   memset(memory, 0, 8192);
   bo = tgsiamd_bo_from_pointer(dev, memory, 8192);
   CHECK(bo && tgsiamd_bo_map(bo) == memory);
   if (bo) {
      write_dword(stream, bo, 4100, 77);
      CHECK(!tgsiamd_stream_submit(stream, &fence) && tgsiamd_fence_wait(fence, UINT64_MAX));
      CHECK(memory[1025] == 77);
      unref(bo);
   }
   tgsiamd_fence_reference(&fence, NULL);
   tgsiamd_stream_destroy(stream);
   free(memory);
}

int
main(void)
{
   int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
   const char *why = NULL;
   struct tgsiamd_device *dev = fd >= 0 ? tgsiamd_device_open(fd, &why) : NULL;

   if (!dev) {
      fprintf(stderr, "no device: %s\n", why ? why : "/dev/dri/renderD128 is not there");
      return 77;
   }
   test_device(dev, fd);
   test_buffers(dev);
   test_streams(dev);
   test_many_buffers(dev);
   test_fences(dev);
   test_sharing(dev);
   test_user_memory(dev);
   tgsiamd_device_unref(dev);
   close(fd);
   printf("%s\n", failures ? "FAILED" : "ok");
   return failures != 0;
}
