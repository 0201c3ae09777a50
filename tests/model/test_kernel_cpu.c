/* SPDX-License-Identifier: MIT */
/* Visibility to the CPU: bytes that a submission wrote, looked at before and
 * after a wait. The rules are the kernel's: a submission's results are there
 * once its fence has signaled. */
#include <stdio.h>

#include "kernel_device.h"

static amdgpu_context_handle ctx;
static struct buffer b[2]; /* stream, target */

/* DMA_DATA: fills `bytes` at `offset` of the target. */
static uint64_t fill(uint64_t offset, uint32_t bytes, uint32_t value)
{
   const uint64_t dst = b[1].va + offset;
   const uint32_t p[] = { 0xc0055000, 2u << 29 | 1u << 31, value, 0, (uint32_t)dst, (uint32_t)(dst >> 32), bytes };
   uint64_t seq = 0;
   memcpy(b[0].map, p, sizeof(p));
   CHECK(submit(ctx, &b[0], 7, b, 2, NULL, &seq) == 0, "submit");
   return seq;
}

/* What the model said about the CPU while `what` ran. */
static bool complains(uint32_t (*what)(uint64_t seq), uint64_t offset)
{
   char said[4096];
   FILE *file = tmpfile();
   const int saved = dup(2);
   static uint32_t value = 100;
   const uint64_t seq = fill(offset, 256, ++value);
   fflush(stderr);
   dup2(fileno(file), 2);
   const uint32_t got = what(seq);
   fflush(stderr);
   dup2(saved, 2);
   close(saved);
   const ssize_t n = pread(fileno(file), said, sizeof(said) - 1, 0);
   said[n > 0 ? n : 0] = 0;
   fclose(file);
   CHECK(got == 0 || got == value, "the program goes on with what it read: %u", got);
   CHECK(wait_seq(ctx, seq) == 0, "wait");
   return strstr(said, "tgsiamd-model: cache: the CPU ") != NULL;
}

static volatile uint32_t *at(uint64_t offset) { return b[1].map + offset / 4; }

static uint32_t read_now(uint64_t seq) { (void)seq; return *at(4096 + 64); }
static uint32_t write_now(uint64_t seq) { (void)seq; *at(4096 + 128) = 0; return 0; }
static uint32_t read_neighbour(uint64_t seq) { (void)seq; *at(4096 + 1024) = 0; return *at(4096 + 1024); }
static uint32_t read_other_page(uint64_t seq) { (void)seq; *at(0) = 0; return *at(0); }
static uint32_t wait_and_read(uint64_t seq) { CHECK(wait_seq(ctx, seq) == 0, "wait"); return *at(4096 + 64); }

static uint32_t idle_and_read(uint64_t seq)
{
   bool busy = true;
   (void)seq;
   CHECK(amdgpu_bo_wait_for_idle(b[1].bo, AMDGPU_TIMEOUT_INFINITE, &busy) == 0 && !busy, "idle");
   return *at(4096 + 64);
}

/* A program that unmaps and maps again finds its page. */
static uint32_t map_again(uint64_t seq)
{
   amdgpu_bo_cpu_unmap(b[1].bo);
   CHECK(amdgpu_bo_cpu_map(b[1].bo, (void **)&b[1].map) == 0, "map");
   CHECK(wait_seq(ctx, seq) == 0, "wait");
   return *at(4096 + 64);
}

int main(void)
{
   if (device_open() || amdgpu_cs_ctx_create(dev, &ctx))
      return 1;
   b[0] = buffer_new(4096);
   b[1] = buffer_new(16384);
   CHECK(complains(read_now, 4096), "a read before the wait");
   CHECK(complains(write_now, 4096), "a write before the wait");
   CHECK(!complains(wait_and_read, 4096), "a read after it");
   CHECK(!complains(idle_and_read, 4096), "after a wait for the buffer");
   CHECK(!complains(read_neighbour, 4096), "other bytes of the same page");
   CHECK(!complains(read_other_page, 4096), "another page");
   CHECK(!complains(map_again, 4096), "a new mapping");
   CHECK(complains(read_now, 4096), "again, after all that");
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
