/* SPDX-License-Identifier: MIT */
/* Faults on purpose: a GPU reset, ioctls that fail, little memory. What the
 * kernel says then is in its headers and in what libdrm and drivers expect. */
#include <stdio.h>
#include <sys/ioctl.h>

#include "kernel_device.h"

/* reset-at=3: the third submission hangs. Raven resets without losing VRAM. */
static void test_reset(void)
{
   amdgpu_context_handle guilty = context_new(), other = context_new();
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   uint64_t seq, flags = 1;
   uint32_t state, hangs, lost = 9;
   for (uint32_t i = 1; i <= 2; i++) {
      const unsigned n = write_data(b[0].map, b[1].va, i);
      CHECK(submit(guilty, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(guilty, seq) == 0, "before");
   }
   CHECK(amdgpu_cs_query_reset_state2(guilty, &flags) == 0 && flags == 0, "flags 0x%llx", (unsigned long long)flags);
   const unsigned n = write_data(b[0].map, b[1].va, 3);
   CHECK(submit(guilty, &b[0], n, b, 2, NULL, &seq) == 0, "the hanging one is taken");
   CHECK(wait_seq(guilty, seq) == -ECANCELED, "its fence");
   CHECK(wait_seq(guilty, seq - 1) == 0, "the one before it");
   CHECK(b[1].map[0] == 2, "it did not get to its end");
   CHECK(amdgpu_cs_query_reset_state2(guilty, &flags) == 0 &&
         flags == (AMDGPU_CTX_QUERY2_FLAGS_RESET | AMDGPU_CTX_QUERY2_FLAGS_GUILTY), "guilty: 0x%llx",
         (unsigned long long)flags);
   CHECK(amdgpu_cs_query_reset_state2(other, &flags) == 0 && flags == AMDGPU_CTX_QUERY2_FLAGS_RESET, "innocent: 0x%llx",
         (unsigned long long)flags);
   CHECK(amdgpu_cs_query_reset_state(guilty, &state, &hangs) == 0 && state == AMDGPU_CTX_GUILTY_RESET && hangs == 1,
         "the old query: %u", state);
   CHECK(amdgpu_cs_query_reset_state(other, &state, &hangs) == 0 && state == AMDGPU_CTX_INNOCENT_RESET, "innocent");
   CHECK(amdgpu_cs_query_reset_state(other, &state, &hangs) == 0 && state == AMDGPU_CTX_NO_RESET, "told once");
   CHECK(amdgpu_query_info(dev, AMDGPU_INFO_VRAM_LOST_COUNTER, sizeof(lost), &lost) == 0 && lost == 0, "VRAM is kept");
   CHECK(submit(guilty, &b[0], n, b, 2, NULL, &seq) == -ECANCELED, "no more for the guilty one");
   CHECK(submit(other, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(other, seq) == 0, "others go on");
   amdgpu_context_handle fresh = context_new();
   CHECK(amdgpu_cs_query_reset_state2(fresh, &flags) == 0 && flags == 0, "a new context knows nothing");
   CHECK(submit(fresh, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(fresh, seq) == 0 && b[1].map[0] == 3, "and works");
}

static int create(uint64_t size, uint64_t domain, uint32_t *handle)
{
   union drm_amdgpu_gem_create c = { .in = { size, 4096, domain, 0 } };
   const int r = ioctl(fd, DRM_IOCTL_AMDGPU_GEM_CREATE, &c) ? -errno : 0;
   if (r == 0 && handle)
      *handle = c.out.handle;
   return r;
}

/* fail-ioctl, several: the calls are counted by name, libdrm repeats EINTR */
static void test_fail(void)
{
   amdgpu_context_handle ctx = context_new();
   CHECK(create(4096, AMDGPU_GEM_DOMAIN_GTT, NULL) == 0, "first");
   CHECK(create(4096, AMDGPU_GEM_DOMAIN_GTT, NULL) == -ENOSPC, "second: ENOSPC");
   CHECK(create(4096, AMDGPU_GEM_DOMAIN_GTT, NULL) == 0, "third");
   struct buffer b[2] = { buffer_new(4096), buffer_new(4096) };
   uint64_t seq;
   const unsigned n = write_data(b[0].map, b[1].va, 1);
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(ctx, seq) == 0, "EINTR and again");
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == -ENOMEM, "CS, not WAIT_CS, by number");
   CHECK(submit(ctx, &b[0], n, b, 2, NULL, &seq) == 0 && wait_seq(ctx, seq) == 0, "the context is well");
}

static struct drm_amdgpu_memory_info memory(void)
{
   struct drm_amdgpu_memory_info m;
   memset(&m, 0xff, sizeof(m));
   CHECK(amdgpu_query_info(dev, AMDGPU_INFO_MEMORY, sizeof(m), &m) == 0, "memory");
   return m;
}

/* vram=16m */
static void test_vram(void)
{
   const uint64_t size = 16u << 20;
   struct drm_amdgpu_info_vram_gtt heaps;
   struct amdgpu_heap_info heap;
   struct drm_amdgpu_memory_info before = memory(), m;
   uint32_t handle = 0;
   uint64_t usage = 0;
   CHECK(before.vram.total_heap_size == size && before.gtt.total_heap_size == size, "sizes");
   CHECK(before.cpu_accessible_vram.total_heap_size == size, "all of it is visible");
   CHECK(amdgpu_query_info(dev, AMDGPU_INFO_VRAM_GTT, sizeof(heaps), &heaps) == 0 && heaps.vram_size == size &&
         heaps.gtt_size == size, "the old query");
   CHECK(create(8u << 20, AMDGPU_GEM_DOMAIN_VRAM, &handle) == 0, "8 MB");
   m = memory();
   CHECK(m.vram.heap_usage == before.vram.heap_usage + (8u << 20), "usage");
   CHECK(m.gtt.heap_usage == before.gtt.heap_usage, "of the other heap");
   CHECK(amdgpu_query_info(dev, AMDGPU_INFO_VRAM_USAGE, sizeof(usage), &usage) == 0 && usage == m.vram.heap_usage,
         "usage");
   CHECK(amdgpu_query_heap_info(dev, AMDGPU_GEM_DOMAIN_VRAM, 0, &heap) == 0 && heap.heap_size == size &&
         heap.heap_usage == m.vram.heap_usage, "through libdrm");
   CHECK(create(17u << 20, AMDGPU_GEM_DOMAIN_VRAM, NULL) == -ENOMEM, "larger than the heap");
   /* both heaps, until nothing is left */
   unsigned got = 0;
   uint32_t handles[32];
   while (got < 32 && create(1u << 20, AMDGPU_GEM_DOMAIN_VRAM | AMDGPU_GEM_DOMAIN_GTT, &handles[got]) == 0)
      got++;
   CHECK(got >= 16 && got <= 24, "%u MB more", got);
   CHECK(create(1u << 20, AMDGPU_GEM_DOMAIN_GTT, NULL) == -ENOMEM, "full");
   struct drm_gem_close c = { .handle = handle };
   CHECK(drmIoctl(fd, DRM_IOCTL_GEM_CLOSE, &c) == 0 && create(1u << 20, AMDGPU_GEM_DOMAIN_VRAM, NULL) == 0, "freed");
}

/* What is no option: the device cannot be opened. */
static int test_bad_options(const char *self)
{
   static const char *const bad[] =
      { "vram=", "vram=12q", "vram=1", "vram=9999999g", "fail-ioctl=CS", "fail-ioctl=CS:1",
                                      "fail-ioctl=CS:1:EFOO", "fail-ioctl=NOTHING:1:EIO", "fail-ioctl=CS:0:EIO",
                                      "reset-at=0", "reset-at=x", "delay=x", "lose=3" };
   int wrong = 0;
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      int status = 0;
      const pid_t pid = fork();
      if (pid == 0) {
         setenv("TGSIAMD_MODEL", bad[i], 1);
         execl(self, self, "0", NULL);
         _exit(99);
      }
      waitpid(pid, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) {
         printf("%s is taken\n", bad[i]);
         wrong++;
      }
   }
   return wrong;
}

int main(int argc, char **argv)
{
   static const struct kernel_case cases[] = {
      { "reset", "reset-at=3", test_reset },
      { "reset, asynchronous", "async,reset-at=3", test_reset },
      { "failing ioctls", "fail-ioctl=GEM_CREATE:2:ENOSPC,fail-ioctl=CS:1:EINTR,fail-ioctl=CS:3:12", test_fail },
      { "memory", "vram=16m", test_vram },
   };
   const int bad = run_cases(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
   return argc > 1 ? bad : bad || test_bad_options(argv[0]);
}
