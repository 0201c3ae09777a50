/* SPDX-License-Identifier: MIT */
/* Hostile streams: whatever the bits, the model reports, gives an error and
 * stays inside its buffers. Starts from a whole draw with textures, loads and
 * stores, and breaks it: bits of registers, packets, programs and descriptors,
 * packets out of order, twice, cut off, or made of nothing.
 *
 * usage: fuzz_streams [SEED [RUNS]]; a failing run is repeated alone with its seed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../args.h"
#include "../checks/bench.h"

#define GUARD 0x100000 /* bytes before and after that nobody may touch */

static uint64_t state;

static uint32_t rnd(void)
{
   state = state * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(state >> 33) ^ (uint32_t)(state >> 13);
}

static uint32_t below(uint32_t n) { return n ? rnd() % n : 0; }

/* Values that break things: edges and near misses rather than noise. */
static uint32_t nasty(uint32_t old)
{
   static const uint32_t edges[] = { 0, 1, 3, 0x7f, 0xff, 0xffff, 0x10000, 0x3fff, 0x7fffffff, 0x80000000, 0xffffffff,
                                     0x7f800000, 0x7fc00000, 0xff800000, 0x3f800000, 0x00000001 };
   switch (below(5)) {
   case 0: return old ^ 1u << below(32);
   case 1: return edges[below(sizeof(edges) / sizeof(edges[0]))];
   case 2: return old + below(9) - 4;
   case 3: return rnd();
   default: return old ^ (rnd() & rnd() & rnd());
   }
}

/* A register that exists, most of the time. */
static uint32_t some_register(unsigned *op)
{
   static const struct { uint8_t op; uint32_t count; } banks[] = {
      { PKT3_SET_CONTEXT_REG, 0x400 }, { PKT3_SET_SH_REG, 0x400 }, { PKT3_SET_UCONFIG_REG, 0x300 },
      { PKT3_SET_CONTEXT_REG, 0x400 },
   };
   const unsigned i = below(4);
   *op = banks[i].op;
   return below(banks[i].count);
}

/* ---- the stream that is broken ---- */

/* s[4:5] is DATA: a T#, an S# and a V# stand there. */
static const uint32_t loads[] = {
   0xc00e0202, 0x00000000, /* s_load_dwordx8 s[8:15], s[4:5], 0x0 */
   0xc00a0002, 0x00000020, /* s_load_dwordx4 s[0:3], s[4:5], 0x20 */
   0xbf8cc07f, /* s_waitcnt lgkmcnt(0) */
   0xf0800f00, 0x00020100, /* image_sample v[1:4], v[0:2], s[8:15], s[0:3] dmask:0xf */
   0xf0001f00, 0x00020100, /* image_load v[1:4], v[0:3], s[8:15] dmask:0xf unorm */
   0xf1000100, 0x00020100, /* image_gather4 v[1:4], v[0:2], s[8:15], s[0:3] dmask:0x1 */
   0xbf8c0f70, /* s_waitcnt vmcnt(0) */
   0xf0201f00, 0x00020100, /* image_store v[1:4], v[0:3], s[8:15] dmask:0xf unorm */
   0xf0481100, 0x00020100, /* image_atomic_add v1, v[0:3], s[8:15] dmask:0x1 unorm */
   0xf0380f00, 0x00020100, /* image_get_resinfo v[1:4], v0, s[8:15] dmask:0xf */
   0xc00a0002, 0x00000030, /* s_load_dwordx4 s[0:3], s[4:5], 0x30 */
   0xbf8c0070, /* s_waitcnt vmcnt(0) lgkmcnt(0) */
   0xe00c2000, 0x80000100, /* buffer_load_format_xyzw v[1:4], v0, s[0:3], 0 idxen */
   0xbf8c0f70, /* s_waitcnt vmcnt(0) */
   0xe01c2000, 0x80000100, /* buffer_store_format_xyzw v[1:4], v0, s[0:3], 0 idxen */
   0xea51a000, 0x80000100, /* tbuffer_load_format_xyzw v[1:4], v0, s[0:3], 0 format:[BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UINT] idxen */
   0xe1082000, 0x80000000, /* buffer_atomic_add v0, v0, s[0:3], 0 idxen */
   0xd81a0004, 0x00000100, /* ds_write_b32 v0, v1 offset:4 */
   0xd8ec0008, 0x02000000, /* ds_read_b64 v[2:3], v0 offset:8 */
   0xbf8c0070, /* s_waitcnt vmcnt(0) lgkmcnt(0) */
   0x7e080206, /* v_mov_b32_e32 v4, s6 */
   0x7e0a0207, /* v_mov_b32_e32 v5, s7 */
   0xdc708000, 0x007f0104, /* global_store_dword v[4:5], v1, off */
   0xc0220000, 0x00000010, /* s_buffer_load_dword s0, s[0:3], 0x10 */
   0xbf8cc07f, /* s_waitcnt lgkmcnt(0) */
};

static void descriptors(uint32_t *d)
{
   static const uint8_t types[] = { 8, 9, 10, 11, 12, 13, 14, 15 };
   const uint32_t image[8] = { LO(TARGET >> 8), HI(TARGET >> 8) | below(64) << 20 | below(16) << 26,
                               below(64) | below(64) << 14, below(0x1000) | below(16) << 12 | below(16) << 16 |
                               below(32) << 20 | (uint32_t)types[below(8)] << 28, below(8) | below(64) << 13, below(16),
                               below(4) ? 0 : rnd(), below(4) ? 0 : LO(DATA >> 8) };
   const uint32_t sampler[4] = { rnd(), below(4096) | below(4096) << 12, rnd(), rnd() };
   const uint32_t buffer[4] = { LO(DATA), HI(DATA) | below(64) << 16, below(8192), below(0x1000) | below(8) << 12 | below(16) << 15 };
   memcpy(d, image, sizeof(image));
   memcpy(d + 8, sampler, sizeof(sampler));
   memcpy(d + 12, buffer, sizeof(buffer));
}

static void build(struct bench *b)
{
   for (unsigned i = 0; i < 0x10000 / 4; i++) /* descriptors and arguments by chance */
      b->mem[(DATA - BASE) / 4 + i] = below(4) ? nasty(0x80000000u | below(1 << 28)) : LO(DATA) + below(0x10000);
   descriptors(b->mem + (DATA - BASE) / 4);
   draw_state(b);
   if (below(2))
      shader_ps(b, program(b, loads, sizeof(loads) / 4));
   draw(b);
   if (below(4))
      dispatch(b, program(b, loads, sizeof(loads) / 4), 1 + below(256), below(20));
   EMIT(b, PKT3(PKT3_DMA_DATA, 5, 0), 0, LO(DATA), HI(DATA), LO(DATA + 64), HI(DATA), 8,
        PKT3(PKT3_WRITE_DATA, 4, 0), S_370_DST_SEL(V_370_MEM), LO(DATA), HI(DATA), 1, 2,
        PKT3(PKT3_COPY_DATA, 4, 0), 5 | 5 << 8, 7, 0, LO(DATA + 72), HI(DATA),
        PKT3(PKT3_COND_EXEC, 3, 0), LO(DATA), HI(DATA), 0, 5,
        PKT3(PKT3_STRMOUT_BUFFER_UPDATE, 4, 0), below(4) << 8, 0, 0, LO(DATA), HI(DATA),
        PKT3(PKT3_SET_BASE, 2, 0), 1, LO(DATA), HI(DATA), PKT3(PKT3_DRAW_INDIRECT, 3, 0), 0, 0x4e, 0x4f, 2);
   draw(b);
}

static void break_stream(struct bench *b)
{
   for (unsigned n = 1 + below(12); n--;) {
      const unsigned at = below(b->dwords);
      uint32_t *dw = &b->mem[at];
      unsigned op;
      switch (below(20)) {
      case 0: /* a packet of any kind */
         *dw = PKT3(below(256), below(12), 0);
         break;
      case 1: /* a piece again, elsewhere */
         memmove(dw, b->mem + below(b->dwords), 4 * below(b->dwords - at < 16 ? b->dwords - at : 16));
         break;
      case 2: case 3: case 4: case 5: /* anywhere in the stream but in a header */
         if (*dw >> 30 != 3)
            *dw = nasty(*dw);
         break;
      case 6: case 7: case 8: case 9: case 10: case 11: case 12: /* a register more, between two packets */
         if (*dw >> 30 == 3 && b->dwords + 3 < (CODE - BASE) / 4) {
            const uint32_t reg = some_register(&op);
            memmove(dw + 3, dw, 4 * (b->dwords - at));
            dw[0] = PKT3(op, 1, 0);
            dw[1] = reg;
            dw[2] = nasty(0);
            b->dwords += 3;
         }
         break;
      default: /* in a program or its data */
         dw = &b->mem[(CODE - BASE) / 4 + below((TARGET - CODE) / 4)];
         *dw = nasty(*dw);
      }
   }
}

static void noise(struct bench *b)
{
   b->dwords = 1 + below(256);
   for (unsigned i = 0; i < b->dwords; i++)
      b->mem[i] = below(3) ? PKT3(below(256), below(8), below(2)) : rnd();
}

static void sdma(struct bench *b)
{
   b->dwords = 1 + below(128);
   for (unsigned i = 0; i < b->dwords; i++)
      b->mem[i] = below(2) ? below(16) | below(32) << 8 | below(4) << 29 : below(2) ? LO(DATA) + below(0x8000) : nasty(1);
}

/* ---- runs ---- */

static bool untouched(const uint8_t *p)
{
   for (unsigned i = 0; i < GUARD; i += 64)
      if (p[i] != 0xa5)
         return false;
   return true;
}

static bool run(uint64_t seed)
{
   struct bench b = { 0 };
   state = seed * 0x9e3779b97f4a7c15ull + 1;
   uint8_t *all = mmap(NULL, SIZE + 2 * GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   memset(all, 0xa5, GUARD);
   memset(all + GUARD + SIZE, 0xa5, GUARD);
   b.mem = (uint32_t *)(all + GUARD);
   b.model = tgsiamd_model_create(tgsiamd_chip_by_name("raven"), "hang-ms=1,max-work=200000");
   b.vm = tgsiamd_model_vm_create(b.model);
   tgsiamd_model_vm_map(b.vm, BASE, SIZE, b.mem, 7, 1);
   const unsigned kind = below(10);
   for (unsigned submission = 0; submission < 2; submission++) {
      const enum tgsiamd_model_ip ip = kind == 0 ? TGSIAMD_MODEL_SDMA : below(30) ? TGSIAMD_MODEL_GFX : TGSIAMD_MODEL_COMPUTE;
      b.dwords = b.programs = 0;
      if (kind == 0) {
         sdma(&b);
      } else if (kind == 1) {
         noise(&b);
      } else {
         build(&b);
         break_stream(&b);
      }
      const struct tgsiamd_model_ib ib = { BASE + (below(50) ? 0 : below(SIZE)), b.dwords, 0 };
      tgsiamd_model_submit(b.model, b.vm, ip, &ib, 1, NULL, 0);
   }
   tgsiamd_model_vm_destroy(b.vm);
   tgsiamd_model_destroy(b.model);
   const bool ok = untouched(all) && untouched(all + GUARD + SIZE);
   munmap(all, SIZE + 2 * GUARD);
   return ok;
}

static volatile uint64_t current;

/* A run that never ends is a fault as well. */
static void alarmed(int sig)
{
   (void)sig;
   printf("seed %llu does not end\n", (unsigned long long)current);
   fflush(stdout);
   abort();
}

int main(int argc, char **argv)
{
   const struct args args = args_begin(argc, argv, 2, "[FIRST [COUNT]]\n\n"
      "Runs COUNT damaged command streams (1500) with the seeds from FIRST (1) on; of one alone the violations\nare printed.");
   const uint64_t first = args_number(&args, 1, 1), runs = args_number(&args, 2, 1500);
   unsigned failures = 0;
   signal(SIGALRM, alarmed);
   if (runs > 1)
      stderr = fopen("/dev/null", "w"); /* violations by the thousand; sanitizers write to the file */
   for (current = first; current < first + runs; current++) {
      alarm(60);
      if (!run(current)) {
         printf("seed %llu: memory beyond the buffer was written\n", (unsigned long long)current);
         failures++;
      }
   }
   printf("%llu runs, %u failures\n", (unsigned long long)runs, failures);
   return failures != 0;
}
