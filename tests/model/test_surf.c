/* SPDX-License-Identifier: MIT */
/* The model's surface layouts against addrlib on random coordinates, and its
 * texel formats against Mesa's util/format. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "addrlib/inc/addrinterface.h"
#include "util/format/u_format.h"
#include "surf/fmt.h"
#include "surf/surf.h"
#include "surf/surf_internal.h"

#include "check.h"

static uint64_t rng_state = 0x9e3779b97f4a7c15ull;
static uint32_t rnd(uint32_t n)
{
   rng_state ^= rng_state << 13;
   rng_state ^= rng_state >> 7;
   rng_state ^= rng_state << 17;
   return n ? (uint32_t)(rng_state >> 32) % n : 0;
}

static void one_surface(void *lib, unsigned mode, unsigned bytes_log2, unsigned samples_log2,
                        unsigned type, unsigned levels, bool depth, unsigned *done)
{
   struct surf_desc d = {
      .swizzle_mode = mode, .bytes_log2 = bytes_log2, .samples_log2 = samples_log2,
      .resource_type = type, .num_levels = levels, .is_depth = depth,
      .width = 1 + rnd(600), .height = 1 + rnd(500), .depth = 1 + rnd(type == 2 ? 60 : 5),
      .pipe_bank_xor = 0,
   };
   if (type == 0)
      d.height = 1;
   uint32_t size = d.width > d.height ? d.width : d.height;
   if (levels > 1)
      while (levels > 1 && size >> (levels - 1) == 0)
         d.num_levels = --levels;
   ADDR2_MIP_INFO mips[16];
   ADDR2_COMPUTE_SURFACE_INFO_INPUT in = {
      .size = sizeof(in), .swizzleMode = mode, .resourceType = type, .bpp = 8u << bytes_log2,
      .width = d.width, .height = d.height, .numSlices = d.depth, .numMipLevels = levels,
      .numSamples = 1u << samples_log2, .numFrags = 1u << samples_log2,
   };
   in.flags.texture = 1;
   /* what addrlib takes only as depth or only as colour */
   if (depth && type == 1 && mode && (mode & 3) == 0)
      in.flags.depth = 1;
   else if (!((mode & 3) == 0 && samples_log2) && !((mode & 3) == 1 && type == 2))
      in.flags.color = 1;
   ADDR2_COMPUTE_SURFACE_INFO_OUTPUT out = { .size = sizeof(out), .pMipInfo = mips };
   if (!surf_desc_valid(&d) || Addr2ComputeSurfaceInfo(lib, &in, &out) != ADDR_OK)
      return;
   if (mode >= ADDR_SW_64KB_Z_T && !out.mipChainInTail && mode >= ADDR_SW_64KB_Z_X)
      d.pipe_bank_xor = rnd(4);
   d.epitch = (out.epitchIsHeight ? out.mipChainHeight : out.mipChainPitch) - 1;
   const struct surf_layout *l = surf_layout_get(lib, &d);
   CHECK(l, "mode %u bytes_log2 %u type %u refused", mode, bytes_log2, type);
   if (!l)
      return;
   CHECK(!l->epitch_mismatch, "mode %u: natural pitch taken as contradiction", mode);
   CHECK(l->size == out.surfSize, "mode %u size", mode);
   ++*done;
   for (unsigned i = 0; i < 200; i++) {
      unsigned level = rnd(levels);
      uint32_t w = d.width >> level, h = d.height >> level, z = type == 2 ? d.depth >> level : d.depth;
      ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_INPUT ci = {
         .size = sizeof(ci), .x = rnd(w), .y = type == 0 ? 0 : rnd(h), .slice = rnd(z), .sample = rnd(1u << samples_log2),
         .mipId = level, .swizzleMode = mode, .flags = in.flags, .resourceType = type, .bpp = in.bpp,
         .unalignedWidth = d.width, .unalignedHeight = d.height, .numSlices = d.depth,
         .numMipLevels = levels, .numSamples = in.numSamples, .numFrags = in.numFrags,
         .pipeBankXor = d.pipe_bank_xor,
      };
      ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_OUTPUT co = { .size = sizeof(co) };
      if (Addr2ComputeSurfaceAddrFromCoord(lib, &ci, &co) != ADDR_OK)
         continue;
      uint64_t got = surf_offset(l, level, ci.x, ci.y, ci.slice, ci.sample);
      CHECK(got == co.addr, "mode %u B %u s %u type %u lv %u/%u (%u,%u,%u,%u) of %ux%ux%u xor %u: 0x%llx, addrlib 0x%llx",
            mode, bytes_log2, samples_log2, type, level, levels, ci.x, ci.y, ci.slice, ci.sample, d.width,
            d.height, d.depth, d.pipe_bank_xor, (unsigned long long)got, (unsigned long long)co.addr);
   }
}

static void test_layouts(void *lib)
{
   unsigned done = 0;
   for (unsigned mode = 0; mode <= ADDR_SW_64KB_R_X; mode++)
      for (unsigned b = 0; b < 5; b++)
         for (unsigned type = 0; type < 3; type++)
            for (unsigned depth = 0; depth < 2; depth++) {
               for (unsigned n = 0; n < 3; n++) {
                  one_surface(lib, mode, b, 0, type, 1, depth, &done);
                  one_surface(lib, mode, b, 0, type, 2 + rnd(8), depth, &done);
               }
               for (unsigned s = 1; s < 4; s++)
                  one_surface(lib, mode, b, s, type, 1, depth, &done);
            }
   printf("layouts compared: %u\n", done);
   CHECK(done > 500, "only %u layouts were accepted", done);
}

/* Every metadata item has its own place: no two blocks of a surface share one. */
static void one_meta(void *lib, enum surf_meta_kind kind, const struct surf_desc *d)
{
   const struct surf_meta *m = surf_meta_get(lib, kind, d, true, true);
   CHECK(m, "meta %d refused for mode %u", kind, d->swizzle_mode);
   if (!m)
      return;
   unsigned w, h, z, step = kind == SURF_META_HTILE ? 8 : kind == SURF_META_DCC ? 2 : 1;
   surf_meta_block(m, &w, &h, &z);
   uint64_t size = surf_meta_size(m) * 2;
   uint8_t *seen = calloc(1, size);
   for (unsigned lv = 0; lv < d->num_levels; lv++)
      for (uint32_t s = 0; s < (d->resource_type == 2 && d->depth >> lv ? d->depth >> lv : d->resource_type == 2 ? 1 : d->depth); s += 1u << z)
         for (uint32_t y = 0; y < (d->height >> lv ? d->height >> lv : 1); y += 1u << h)
            for (uint32_t x = 0; x < (d->width >> lv ? d->width >> lv : 1); x += 1u << w)
               for (unsigned f = 0; f < (kind == SURF_META_DCC ? 1u << d->samples_log2 : 1); f++) {
                  uint64_t n = surf_meta_nibble(m, 0, lv, x, y, s, f);
                  CHECK(n + step <= size && n % step == 0, "meta %d mode %u lv %u (%u,%u,%u) at %llu of %llu", kind,
                        d->swizzle_mode, lv, x, y, s, (unsigned long long)n, (unsigned long long)size);
                  if (n < size) {
                     CHECK(!seen[n], "meta %d mode %u B %u s %u lv %u (%u,%u,%u,%u) of %ux%ux%u L%u shares nibble %llu", kind,
                           d->swizzle_mode, d->bytes_log2, d->samples_log2, lv, x, y, s, f, d->width, d->height, d->depth, d->num_levels, (unsigned long long)n);
                     seen[n] = 1;
                  }
               }
   free(seen);
}

static void test_meta(void *lib)
{
   static const uint8_t color_modes[] = { ADDR_SW_64KB_S_X, ADDR_SW_64KB_D_X, ADDR_SW_64KB_R_X, ADDR_SW_64KB_S, ADDR_SW_64KB_D };
   for (unsigned n = 0; n < 60; n++) {
      struct surf_desc d = {
         .swizzle_mode = color_modes[rnd(5)], .bytes_log2 = rnd(4), .resource_type = 1,
         .width = 1 + rnd(1500), .height = 1 + rnd(1100), .depth = 1 + rnd(3), .num_levels = 1,
      };
      if (n % 3 == 0)
         d.num_levels = 1 + rnd(4);
      else if (n % 3 == 1)
         d.samples_log2 = rnd(4);
      one_meta(lib, SURF_META_DCC, &d);
      d.is_depth = true;
      d.swizzle_mode = ADDR_SW_64KB_Z_X;
      d.bytes_log2 = 1 + rnd(2);
      one_meta(lib, SURF_META_HTILE, &d);
      d.is_depth = false;
      d.bytes_log2 = 0;
      d.num_levels = 1;
      d.samples_log2 = 2;
      one_meta(lib, SURF_META_CMASK, &d);
   }
   /* and against addrlib itself, without mip levels */
   for (unsigned n = 0; n < 40; n++) {
      struct surf_desc d = {
         .swizzle_mode = ADDR_SW_64KB_Z_X, .bytes_log2 = 1 + rnd(2), .resource_type = 1, .is_depth = true,
         .samples_log2 = rnd(4), .width = 1 + rnd(3000), .height = 1 + rnd(2000), .depth = 1 + rnd(4), .num_levels = 1,
      };
      for (unsigned i = 0; i < 100; i++) {
         ADDR2_COMPUTE_HTILE_ADDRFROMCOORD_INPUT in = {
            .size = sizeof(in), .x = rnd(d.width), .y = rnd(d.height), .slice = rnd(d.depth),
            .hTileFlags = { { .pipeAligned = 1, .rbAligned = 1 } }, .depthflags = { { .depth = 1, .texture = 1 } },
            .swizzleMode = d.swizzle_mode, .bpp = 8u << d.bytes_log2, .unalignedWidth = d.width,
            .unalignedHeight = d.height, .numSlices = d.depth, .numMipLevels = 1, .numSamples = 1u << d.samples_log2,
         };
         ADDR2_COMPUTE_HTILE_ADDRFROMCOORD_OUTPUT out = { .size = sizeof(out) };
         if (Addr2ComputeHtileAddrFromCoord(lib, &in, &out) != ADDR_OK)
            continue;
         uint64_t got = surf_htile_offset(lib, &d, true, true, in.x, in.y, in.slice);
         CHECK(got == out.addr, "htile (%u,%u,%u) %llu, addrlib %llu", in.x, in.y, in.slice,
               (unsigned long long)got, (unsigned long long)out.addr);
      }
   }
}

static const struct { uint8_t data, num; enum pipe_format pf; } formats[] = {
   { 1, 0, PIPE_FORMAT_R8_UNORM }, { 1, 1, PIPE_FORMAT_R8_SNORM }, { 1, 4, PIPE_FORMAT_R8_UINT }, { 1, 5, PIPE_FORMAT_R8_SINT },
   { 1, 9, PIPE_FORMAT_R8_SRGB },
   { 2, 0, PIPE_FORMAT_R16_UNORM }, { 2, 1, PIPE_FORMAT_R16_SNORM }, { 2, 7, PIPE_FORMAT_R16_FLOAT },
   { 3, 0, PIPE_FORMAT_R8G8_UNORM }, { 3, 2, PIPE_FORMAT_R8G8_USCALED }, { 3, 3, PIPE_FORMAT_R8G8_SSCALED },
   { 4, 7, PIPE_FORMAT_R32_FLOAT }, { 4, 4, PIPE_FORMAT_R32_UINT }, { 5, 0, PIPE_FORMAT_R16G16_UNORM },
   { 5, 7, PIPE_FORMAT_R16G16_FLOAT }, { 6, 7, PIPE_FORMAT_R11G11B10_FLOAT }, { 8, 0, PIPE_FORMAT_NONE },
   { 9, 0, PIPE_FORMAT_R10G10B10A2_UNORM }, { 9, 1, PIPE_FORMAT_R10G10B10A2_SNORM }, { 9, 4, PIPE_FORMAT_R10G10B10A2_UINT },
   { 10, 0, PIPE_FORMAT_R8G8B8A8_UNORM }, { 10, 1, PIPE_FORMAT_R8G8B8A8_SNORM }, { 10, 4, PIPE_FORMAT_R8G8B8A8_UINT },
   { 10, 5, PIPE_FORMAT_R8G8B8A8_SINT }, { 10, 9, PIPE_FORMAT_R8G8B8A8_SRGB }, { 10, 2, PIPE_FORMAT_R8G8B8A8_USCALED },
   { 11, 7, PIPE_FORMAT_R32G32_FLOAT }, { 12, 0, PIPE_FORMAT_R16G16B16A16_UNORM }, { 12, 1, PIPE_FORMAT_R16G16B16A16_SNORM },
   { 12, 7, PIPE_FORMAT_R16G16B16A16_FLOAT }, { 12, 4, PIPE_FORMAT_R16G16B16A16_UINT }, { 14, 7, PIPE_FORMAT_R32G32B32A32_FLOAT },
   { 14, 5, PIPE_FORMAT_R32G32B32A32_SINT }, { 16, 0, PIPE_FORMAT_R5G6B5_UNORM }, { 17, 0, PIPE_FORMAT_R5G5B5A1_UNORM },
   { 19, 0, PIPE_FORMAT_R4G4B4A4_UNORM }, { 34, 7, PIPE_FORMAT_R9G9B9E5_FLOAT },
   { 35, 0, PIPE_FORMAT_DXT1_RGBA }, { 35, 9, PIPE_FORMAT_DXT1_SRGBA }, { 36, 0, PIPE_FORMAT_DXT3_RGBA }, { 37, 0, PIPE_FORMAT_DXT5_RGBA },
   { 38, 0, PIPE_FORMAT_RGTC1_UNORM }, { 38, 1, PIPE_FORMAT_RGTC1_SNORM }, { 39, 0, PIPE_FORMAT_RGTC2_UNORM },
   { 40, 0, PIPE_FORMAT_BPTC_RGB_UFLOAT }, { 40, 1, PIPE_FORMAT_BPTC_RGB_FLOAT }, { 41, 0, PIPE_FORMAT_BPTC_RGBA_UNORM },
};

static bool same(uint32_t a, uint32_t b, bool is_int)
{
   if (a == b)
      return true;
   float x = fmt_u2f(a), y = fmt_u2f(b);
   return !is_int && ((isnan(x) && isnan(y)) || fabsf(x - y) <= 2e-7f * fmaxf(fabsf(x), fabsf(y)));
}

static void test_formats(void)
{
   unsigned done = 0;
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      const struct fmt *f = fmt_image(formats[i].data, formats[i].num);
      CHECK(f, "format %u/%u missing", formats[i].data, formats[i].num);
      if (!f || formats[i].pf == PIPE_FORMAT_NONE)
         continue;
      const struct util_format_description *desc = util_format_description(formats[i].pf);
      done++;
      CHECK(desc->block.bits / 8 == f->bytes, "%s: bytes", desc->name);
      for (unsigned n = 0; n < 4000; n++) {
         uint8_t src[16];
         uint32_t out[4], ref[4], block[4][4][4];
         for (unsigned b = 0; b < 16; b++)
            src[b] = rnd(256);
         if (f->block_log2) {
            unsigned x = rnd(4), y = rnd(4);
            util_format_unpack_rgba_rect(formats[i].pf, block, sizeof(block[0]), src, 16, 4, 4);
            f->texel(f, src, x, y, out);
            memcpy(ref, block[y][x], 16);
         } else {
            f->unpack(f, src, out);
            util_format_unpack_rgba(formats[i].pf, ref, src, 1);
         }
         for (unsigned c = 0; c < f->num_comp; c++) {
            if (f->num[c] == FMT_SNORM && fmt_u2f(ref[c]) < -1.0f)
               ref[c] = 0xbf800000; /* the most negative code is -1 too */
            CHECK(same(out[c], ref[c], f->is_int), "%s [%u]: 0x%08x (%g), Mesa 0x%08x (%g)", desc->name, c, out[c],
                  fmt_u2f(out[c]), ref[c], fmt_u2f(ref[c]));
         }
         if (f->pack && n < 1000) {
            uint8_t packed[16], again[4 * 4];
            f->pack(f, out, packed, false);
            f->unpack(f, packed, (uint32_t *)again);
            for (unsigned c = 0; c < f->num_comp; c++)
               CHECK(same(((uint32_t *)again)[c], out[c], f->is_int), "%s [%u] does not survive: 0x%08x 0x%08x", desc->name, c,
                     out[c], ((uint32_t *)again)[c]);
            if (!f->is_int && desc->channel[0].type != UTIL_FORMAT_TYPE_FLOAT && desc->channel[0].normalized) {
               uint32_t rgba[4];
               for (unsigned c = 0; c < 4; c++)
                  rgba[c] = fmt_f2u(rnd(10001) / 10000.0f);
               f->pack(f, rgba, packed, false);
               uint8_t want[16] = { 0 };
               util_format_pack_rgba(formats[i].pf, want, rgba, 1);
               uint32_t a[4], b2[4];
               f->unpack(f, packed, a);
               f->unpack(f, want, b2);
               for (unsigned c = 0; c < f->num_comp; c++)
                  CHECK(fabsf(fmt_u2f(a[c]) - fmt_u2f(b2[c])) <= 1.01f / ((1u << (f->bits[c] > 15 ? 15 : f->bits[c])) - 1),
                        "%s [%u] packs to %g, Mesa %g", desc->name, c, fmt_u2f(a[c]), fmt_u2f(b2[c]));
            }
         }
      }
   }
   printf("formats compared: %u\n", done);
}

/* ETC1 is the part of ETC2 that util/format knows: individual mode, and
 * differential mode without overflow. */
static void test_etc(void)
{
   const struct fmt *f = fmt_image(24, 0);
   CHECK(f, "ETC2_RGB missing");
   for (unsigned n = 0; f && n < 20000; n++) {
      uint8_t src[8];
      float ref[4][4][4];
      for (unsigned b = 0; b < 8; b++)
         src[b] = rnd(256);
      if (src[3] & 2) /* bases 8..23: no 3-bit difference leaves 0..31 */
         for (unsigned b = 0; b < 3; b++)
            src[b] = (8 + rnd(16)) << 3 | (src[b] & 7);
      util_format_unpack_rgba_rect(PIPE_FORMAT_ETC1_RGB8, ref, sizeof(ref[0]), src, 8, 4, 4);
      unsigned x = rnd(4), y = rnd(4);
      uint32_t out[4];
      f->texel(f, src, x, y, out);
      for (unsigned c = 0; c < 3; c++)
         CHECK(fabsf(fmt_u2f(out[c]) - ref[y][x][c]) < 1e-4f, "ETC1 (%u,%u) [%u]: %g, Mesa %g", x, y, c, fmt_u2f(out[c]),
               ref[y][x][c]);
   }
}

int main(void)
{
   /* Raven: family 142, revision 0x41, 4 pipes, 2 render backends */
   void *lib = surf_addrlib_create(142, 0x41, 0x24000042);
   CHECK(lib, "no addrlib");
   if (!lib)
      return 1;
   test_layouts(lib);
   test_meta(lib);
   test_formats();
   test_etc();
   surf_addrlib_destroy(lib);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
