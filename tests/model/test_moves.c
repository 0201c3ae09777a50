/* SPDX-License-Identifier: MIT */
/* Engines that move data: SDMA's tiled copies against addrlib, CP packets that
 * reach the GDS, fixed addresses and atomics against C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "addrlib/inc/addrinterface.h"
#include "amdgfxregs.h"
#include "sid.h"
#include "surf/surf.h"
#include "tgsiamd/model.h"

#include "check.h"

#define BASE   0x100000000ull
#define DATA   (BASE + 0x10000)
#define TILED  (BASE + 0x100000)   /* 64 KB aligned */
#define TILED2 (BASE + 0x500000)
#define LINEAR (BASE + 0x900000)
#define SIZE   0xd00000

static struct tgsiamd_model *model;
static struct tgsiamd_model_vm *vm;
static uint8_t *mem;
static void *addrlib;

static uint8_t *at(uint64_t va) { return mem + (va - BASE); }
static uint32_t *data(void) { return (uint32_t *)at(DATA); }

static int run(const uint32_t *stream, unsigned dwords, enum tgsiamd_model_ip ip)
{
   memcpy(mem, stream, 4 * dwords);
   const struct tgsiamd_model_ib ib = { BASE, dwords, 0 };
   return tgsiamd_model_submit(model, vm, ip, &ib, 1, NULL, 0);
}
#define RUN(ip, ...) run((const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, ip)
#define GFX(...)  RUN(TGSIAMD_MODEL_GFX, __VA_ARGS__)
#define SDMA(...) RUN(TGSIAMD_MODEL_SDMA, __VA_ARGS__)
#define LO(va) (uint32_t)(va)
#define HI(va) (uint32_t)((va) >> 32)

struct shape { unsigned mode, bytes_log2, type, levels, w, h, d, xor_bits; };

/* addrlib's answers for a shape: EPITCH, and the offset of an element. */
static bool layout(const struct shape *s, unsigned *epitch)
{
   ADDR2_MIP_INFO mips[16];
   ADDR2_COMPUTE_SURFACE_INFO_INPUT in = {
      .size = sizeof(in), .swizzleMode = s->mode, .resourceType = s->type, .bpp = 8u << s->bytes_log2, .width = s->w,
      .height = s->h, .numSlices = s->d, .numMipLevels = s->levels, .numSamples = 1, .numFrags = 1,
   };
   ADDR2_COMPUTE_SURFACE_INFO_OUTPUT out = { .size = sizeof(out), .pMipInfo = mips };
   in.flags.texture = 1;
   if (Addr2ComputeSurfaceInfo(addrlib, &in, &out) != ADDR_OK || out.surfSize > 0x400000)
      return false;
   *epitch = (out.epitchIsHeight ? out.mipChainHeight : out.mipChainPitch) - 1;
   return true;
}

static uint64_t offset(const struct shape *s, unsigned level, unsigned x, unsigned y, unsigned z)
{
   ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_INPUT in = {
      .size = sizeof(in), .x = x, .y = y, .slice = z, .mipId = level, .swizzleMode = s->mode, .resourceType = s->type,
      .bpp = 8u << s->bytes_log2, .unalignedWidth = s->w, .unalignedHeight = s->h, .numSlices = s->d,
      .numMipLevels = s->levels, .numSamples = 1, .numFrags = 1, .pipeBankXor = s->xor_bits,
   };
   ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_OUTPUT out = { .size = sizeof(out) };
   in.flags.texture = 1;
   if (Addr2ComputeSurfaceAddrFromCoord(addrlib, &in, &out) != ADDR_OK)
      return ~0ull;
   return out.addr;
}

static uint32_t format(const struct shape *s, unsigned epitch)
{
   return s->bytes_log2 | s->mode << 3 | s->type << 9 | epitch << 16;
}

static const struct shape shapes[] = {
   { 5, 0, 1, 1, 200, 100, 1, 0 }, { 9, 2, 1, 1, 130, 70, 3, 0 },  { 9, 2, 1, 5, 130, 70, 1, 0 },
   { 10, 2, 1, 1, 64, 200, 2, 0 }, { 25, 2, 1, 1, 300, 90, 1, 3 }, { 25, 4, 1, 4, 100, 90, 2, 1 },
   { 26, 3, 1, 1, 77, 55, 1, 2 },  { 9, 1, 2, 1, 50, 40, 20, 0 },  { 25, 2, 2, 1, 40, 40, 30, 0 },
   { 17, 0, 1, 1, 500, 300, 1, 0 },
};

/* A box out of a random place of a level, and into another place. */
static void test_tiled(void)
{
   unsigned done = 0;
   for (unsigned n = 0; n < sizeof(shapes) / sizeof(shapes[0]); n++) {
      const struct shape *s = &shapes[n];
      const unsigned level = s->levels > 1 ? 1 : 0, bytes = 1u << s->bytes_log2;
      const unsigned lw = s->w >> level, lh = s->h >> level, ld = s->type == 2 ? s->d >> level : s->d;
      const unsigned x0 = 3, y0 = 5, z0 = ld > 1 ? 1 : 0, w = lw - 7, h = lh - 9, d = ld - z0, pitch = lw + 5;
      const unsigned lx = 2, ly = 1, slice = pitch * (lh + 3);
      unsigned epitch;
      if (!layout(s, &epitch)) {
         printf("shape %u is not addrlib's\n", n);
         continue;
      }
      const uint64_t va = TILED | s->xor_bits << 8;
      memset(at(TILED), 0xee, 0x400000);
      memset(at(LINEAR), 0xdd, 0x400000);
      for (unsigned z = 0; z < d; z++)
         for (unsigned y = 0; y < h; y++)
            for (unsigned x = 0; x < w * bytes; x++)
               at(LINEAR)[((z * slice) + (ly + y) * pitch + lx) * bytes + x] = (uint8_t)(x * 7 + y * 31 + z * 101);
      int r = SDMA(CIK_SDMA_PACKET(1, 5, 0) | (s->levels - 1) << 20 | level << 24, LO(va), HI(va), x0 | y0 << 16,
                   z0 | (s->w - 1) << 16, (s->h - 1) | (s->d - 1) << 16, format(s, epitch), LO(LINEAR), HI(LINEAR),
                   lx | ly << 16, (pitch - 1) << 16, slice - 1, (w - 1) | (h - 1) << 16, d - 1);
      CHECK(r == 0, "shape %u: %d", n, r);
      unsigned wrong = 0, other = 0;
      for (unsigned z = 0; z < ld; z++)
         for (unsigned y = 0; y < lh; y++)
            for (unsigned x = 0; x < lw; x++) {
               const uint8_t *p = at(TILED) + offset(s, level, x, y, z);
               const bool in = x >= x0 && x < x0 + w && y >= y0 && y < y0 + h && z >= z0;
               for (unsigned b = 0; b < bytes; b++)
                  if (in)
                     wrong += p[b] != (uint8_t)(((x - x0) * bytes + b) * 7 + (y - y0) * 31 + (z - z0) * 101);
                  else
                     other += p[b] != 0xee;
            }
      CHECK(!wrong && !other, "shape %u: %u bytes wrong, %u written outside of the box", n, wrong, other);
      /* and back, to the other half of the linear buffer */
      const uint64_t back = LINEAR + 0x200000;
      r = SDMA(CIK_SDMA_PACKET(1, 5, 0) | (s->levels - 1) << 20 | level << 24 | 1u << 31, LO(va), HI(va), x0 | y0 << 16,
               z0 | (s->w - 1) << 16, (s->h - 1) | (s->d - 1) << 16, format(s, epitch), LO(back), HI(back),
               lx | ly << 16, (pitch - 1) << 16, slice - 1, (w - 1) | (h - 1) << 16, d - 1);
      CHECK(r == 0 && !memcmp(at(LINEAR), at(back), 0x100000), "shape %u: the way back", n);
      done++;
   }
   CHECK(done >= 8, "only %u shapes", done);
}

static void test_tiled_to_tiled(void)
{
   const struct shape a = { 9, 2, 1, 1, 130, 70, 1, 0 }, b = { 25, 2, 1, 1, 200, 90, 1, 2 };
   unsigned ea = 0, eb = 0, wrong = 0;
   CHECK(layout(&a, &ea) && layout(&b, &eb), "layouts");
   const uint64_t to = TILED2 | b.xor_bits << 8;
   for (unsigned i = 0; i < 0x100000; i++)
      at(TILED)[i] = (uint8_t)(i * 13 + (i >> 8));
   memset(at(TILED2), 0, 0x100000);
   const int r = SDMA(CIK_SDMA_PACKET(1, 6, 0), LO(TILED), HI(TILED), 8 | 4 << 16, (a.w - 1) << 16, a.h - 1, format(&a, ea),
                      LO(to), HI(to), 100 | 20 << 16, (b.w - 1) << 16, b.h - 1, format(&b, eb), 63 | 31 << 16, 0);
   CHECK(r == 0, "%d", r);
   for (unsigned y = 0; y < 32; y++)
      for (unsigned x = 0; x < 64; x++)
         wrong += memcmp(at(TILED) + offset(&a, 0, 8 + x, 4 + y, 0), at(TILED2) + offset(&b, 0, 100 + x, 20 + y, 0), 4) != 0;
   CHECK(!wrong, "%u elements", wrong);
}

static void test_sdma_flow(void)
{
   memset(data(), 0, 256);
   data()[0] = 5;
   /* COND_EXE skips the first fence, not the second */
   int r = SDMA(9, LO(DATA), HI(DATA), 4, 4, CIK_SDMA_PACKET(5, 0, 0), LO(DATA + 16), HI(DATA), 1,
                9, LO(DATA), HI(DATA), 5, 4, CIK_SDMA_PACKET(5, 0, 0), LO(DATA + 20), HI(DATA), 2);
   CHECK(r == 0 && data()[4] == 0 && data()[5] == 2, "COND_EXE: %d %u %u", r, data()[4], data()[5]);
   r = SDMA(CIK_SDMA_PACKET(1, 0, 0) | 1u << 27, 3, 0, LO(DATA + 20), HI(DATA), LO(DATA + 24), HI(DATA), LO(DATA + 32),
            HI(DATA));
   CHECK(r == 0 && data()[6] == 2 && data()[8] == 2, "broadcast: %d %u %u", r, data()[6], data()[8]);
}

static void test_gds(void)
{
   const uint32_t to = S_415_DAS(1) | S_415_DAIC(1), from = S_415_SAS(1) | S_415_SAIC(1);
   memset(data(), 0, 256);
   data()[0] = 0x11111111;
   data()[1] = 0x22222222;
   const int r = GFX(
      PKT3(PKT3_DMA_DATA, 5, 0), S_411_DST_SEL(V_411_GDS) | S_411_SRC_SEL(V_411_DATA), 0xabcd1234, 0, 0x100, 0, 16 | to,
      PKT3(PKT3_DMA_DATA, 5, 0), S_411_DST_SEL(V_411_GDS), LO(DATA), HI(DATA), 0x104, 0, 8 | to,
      PKT3(PKT3_WRITE_DATA, 3, 0), S_370_DST_SEL(V_370_GDS), 0x110, 0, 0x33333333,
      PKT3(PKT3_DMA_DATA, 5, 0), S_411_SRC_SEL(1), 0x100, 0, LO(DATA + 64), HI(DATA), 20 | from,
      PKT3(PKT3_COPY_DATA, 4, 0), 3 | 5 << 8, 0x104, 0, LO(DATA + 96), HI(DATA));
   const uint32_t *d = data() + 16;
   CHECK(r == 0, "%d", r);
   CHECK(d[0] == 0xabcd1234 && d[1] == 0x11111111 && d[2] == 0x22222222 && d[3] == 0xabcd1234 && d[4] == 0x33333333,
         "GDS: %x %x %x %x %x", d[0], d[1], d[2], d[3], d[4]);
   CHECK(d[8] == 0x11111111, "COPY_DATA from GDS: %x", d[8]);
}

static void test_fixed(void)
{
   memset(data(), 0, 256);
   data()[0] = 7;
   data()[1] = 8;
   const int r = GFX(PKT3(PKT3_DMA_DATA, 5, 0), 0, LO(DATA), HI(DATA), LO(DATA + 32), HI(DATA), 16 | S_415_SAIC(1),
                     PKT3(PKT3_DMA_DATA, 5, 0), 0, LO(DATA), HI(DATA), LO(DATA + 64), HI(DATA), 8 | S_415_DAIC(1));
   CHECK(r == 0 && data()[8] == 7 && data()[11] == 7 && data()[12] == 0, "fixed source");
   CHECK(data()[16] == 8 && data()[17] == 0, "fixed destination: %u %u", data()[16], data()[17]);
}

static void test_atomics(void)
{
   static const struct { unsigned op; uint64_t old, data, expect; } t[] = {
      { 0x47, 5, 9, 9 }, { 0x4f, 0xffffffff, 2, 1 }, { 0x50, 1, 2, 0xffffffff }, { 0x51, 0xfffffffe, 1, 0xfffffffe },
      { 0x52, 0xfffffffe, 1, 1 }, { 0x53, 0xfffffffe, 1, 1 }, { 0x54, 0xfffffffe, 1, 0xfffffffe },
      { 0x55, 12, 10, 8 }, { 0x56, 12, 10, 14 }, { 0x57, 12, 10, 6 }, { 0x58, 3, 3, 0 }, { 0x58, 2, 3, 3 },
      { 0x59, 0, 3, 3 }, { 0x59, 2, 3, 1 }, { 0x6f, 0xffffffff, 1, 0x100000000ull }, { 0x0f, 1, 1, 2 },
      { 0x71, -5ull, 3, -5ull }, { 0x48, 5, 9, 9 }, { 0x48, 6, 9, 6 },
   };
   for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
      memcpy(data(), &t[i].old, 8);
      const int r = GFX(PKT3(PKT3_ATOMIC_MEM, 7, 0), t[i].op, LO(DATA), HI(DATA), LO(t[i].data), HI(t[i].data), 5, 0, 0);
      uint64_t v;
      memcpy(&v, data(), 8);
      CHECK(r == 0 && v == t[i].expect, "operation 0x%02x: %d 0x%llx", t[i].op, r, (unsigned long long)v);
   }
}

int main(void)
{
   const struct tgsiamd_chip *chip = tgsiamd_chip_by_name("raven");
   model = tgsiamd_model_create(chip, "hang-ms=20");
   if (!model)
      return 1;
   addrlib = surf_addrlib_create(chip->family, chip->external_rev, chip->gb_addr_config);
   vm = tgsiamd_model_vm_create(model);
   mem = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(tgsiamd_model_vm_map(vm, BASE, SIZE, mem, 7, 1) == 0, "map");
   test_tiled();
   test_tiled_to_tiled();
   test_sdma_flow();
   test_gds();
   test_fixed();
   test_atomics();
   CHECK(tgsiamd_model_violations(model) == 0, "the model complained");
   tgsiamd_model_vm_destroy(vm);
   tgsiamd_model_destroy(model);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
