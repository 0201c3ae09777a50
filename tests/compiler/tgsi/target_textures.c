/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "amdgfxregs.h"
#include "surf/surf.h"
#include "util/macros.h"
#include "target_textures.h"
#include "compute_harness.h"

#define TYPE_2D 9
#define TYPE_3D 10
#define TYPE_CUBE 11
#define TYPE_2D_ARRAY 13
#define TYPE_2D_MSAA 14
#define TYPE_2D_MSAA_ARRAY 15

const struct target targets[NUM_TARGETS] = {
   { "BUFFER", BUFFER, 0, TEXELS, 1, 1, 1, 1, -1, -1 },
   { "1D", ONE_D, TYPE_2D, 16, 1, 1, 3, 1, -1, -1 },
   { "2D", 0, TYPE_2D, 16, 8, 1, 3, 2, -1, -1 },
   { "3D", THREE_D, TYPE_3D, 16, 8, 4, 3, 3, -1, -1 },
   { "CUBE", CUBE, TYPE_CUBE, 8, 8, 6, 3, 3, -1, -1 },
   { "RECT", RECT, TYPE_2D, 16, 8, 1, 1, 2, -1, -1 },
   { "SHADOW1D", SHADOW | ONE_D, TYPE_2D, 16, 1, 1, 3, 1, -1, 2 },
   { "SHADOW2D", SHADOW, TYPE_2D, 16, 8, 1, 3, 2, -1, 2 },
   { "SHADOWRECT", SHADOW | RECT, TYPE_2D, 16, 8, 1, 1, 2, -1, 2 },
   { "1D_ARRAY", ARRAY | ONE_D, TYPE_2D_ARRAY, 16, 1, 5, 3, 1, 1, -1 },
   { "2D_ARRAY", ARRAY, TYPE_2D_ARRAY, 16, 8, 5, 3, 2, 2, -1 },
   { "SHADOW1D_ARRAY", SHADOW | ARRAY | ONE_D, TYPE_2D_ARRAY, 16, 1, 5, 3, 1, 1, 2 },
   { "SHADOW2D_ARRAY", SHADOW | ARRAY | REF_IN_W, TYPE_2D_ARRAY, 16, 8, 5, 3, 2, 2, 3 },
   { "SHADOWCUBE", SHADOW | CUBE | REF_IN_W, TYPE_CUBE, 8, 8, 6, 3, 3, -1, 3 },
   { "2D_MSAA", MSAA, TYPE_2D_MSAA, 16, 8, 1, 1, 2, -1, -1 },
   { "2D_ARRAY_MSAA", MSAA | ARRAY, TYPE_2D_MSAA_ARRAY, 16, 8, 5, 1, 2, 2, -1 },
   { "CUBEARRAY", CUBE | ARRAY | REF_IN_W, TYPE_CUBE, 8, 8, 12, 3, 3, 3, -1 },
   { "SHADOWCUBEARRAY", SHADOW | CUBE | ARRAY | FIVE | REF_IN_W, TYPE_CUBE, 8, 8, 12, 3, 3, 3, 4 },
};

float
texel(const struct place *p, unsigned chan)
{
   return 1 + p->x + 16 * p->y + 256 * p->z + 4096 * p->level + 16384 * p->sample + 131072 * chan;
}

/* With the pitch that goes with the size. */
static const struct surf_layout *
layout(void *addrlib, struct surf_desc *desc)
{
   const struct surf_layout *l;

   for (;; desc->epitch++) {
      l = surf_layout_get(addrlib, desc);
      if (l && !l->epitch_mismatch)
         return l;
   }
}

/* Linear RGBA floats would do; 64 kB blocks are what textures have. */
void
target_texture(const struct target *t, void *addrlib, uint8_t *base, uint64_t va, uint32_t rsrc[8], uint32_t samp[4])
{
   const unsigned samples_log2 = t->flags & MSAA ? 2 : 0;
   struct surf_desc desc = {
      .swizzle_mode = samples_log2 ? 10 : 9, .bytes_log2 = 4, .samples_log2 = samples_log2, .num_levels = t->levels,
      .resource_type = t->flags & THREE_D ? 2 : 1, .width = t->w, .height = t->h, .depth = t->d,
   };
   const struct surf_layout *l = layout(addrlib, &desc);

   if (l->size > TEXTURE_BYTES)
      printf("%s takes %llu bytes\n", t->name, (unsigned long long)l->size);
   for (struct place p = { 0 }; p.level < t->levels; p.level++) {
      const unsigned d = t->flags & THREE_D ? minified(t->d, p.level) : t->d;
      for (unsigned i = 0; i < 16 * 8 * d << samples_log2; i++) {
         p.x = i & 15, p.y = i >> 4 & 7, p.z = (i >> 7) % d, p.sample = (i >> 7) / d;
         if (p.x >= minified(t->w, p.level) || p.y >= minified(t->h, p.level))
            continue;
         for (unsigned c = 0; c < 4; c++) {
            float f = texel(&p, c);
            memcpy(base + surf_offset(l, p.level, p.x, p.y, p.z, p.sample) + 4 * c, &f, 4);
         }
      }
   }
   const uint32_t image[8] = {
      va >> 8,
      S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(V_008F14_IMG_DATA_FORMAT_32_32_32_32) |
         S_008F14_NUM_FORMAT(V_008F14_IMG_NUM_FORMAT_FLOAT),
      S_008F18_WIDTH(t->w - 1) | S_008F18_HEIGHT(t->h - 1),
      S_008F1C_DST_SEL_X(4) | S_008F1C_DST_SEL_Y(5) | S_008F1C_DST_SEL_Z(6) | S_008F1C_DST_SEL_W(7) |
         S_008F1C_LAST_LEVEL(samples_log2 ? samples_log2 : t->levels - 1) | S_008F1C_SW_MODE(desc.swizzle_mode) |
         S_008F1C_TYPE(t->type),
      S_008F20_DEPTH(t->d - 1) | S_008F20_PITCH(desc.epitch),
      S_008F24_MAX_MIP(samples_log2 ? samples_log2 : t->levels - 1),
   };
   const uint32_t sampler[4] = {
      S_008F30_DEPTH_COMPARE_FUNC(V_008F30_SQ_TEX_DEPTH_COMPARE_LESSEQUAL) | S_008F30_CLAMP_X(2) | S_008F30_CLAMP_Y(2) |
         S_008F30_CLAMP_Z(2) | S_008F30_FORCE_UNNORMALIZED(!!(t->flags & RECT)),
      S_008F34_MAX_LOD(0xfff), S_008F38_MIP_FILTER(1),
   };
   memcpy(rsrc, image, sizeof(image));
   memcpy(samp, sampler, sizeof(sampler));
}

/* A byte a pixel: two bits for each of four samples, in Z order as colour blocks write it. */
void
target_fmask(const struct target *t, void *addrlib, uint8_t *base, uint64_t va, uint32_t rsrc[8])
{
   struct surf_desc desc = {
      .swizzle_mode = 8, .num_levels = 1, .resource_type = 1, .is_fmask = true, .width = t->w, .height = t->h, .depth = t->d,
   };
   const struct surf_layout *l = layout(addrlib, &desc);

   for (struct place p = { 0 }; p.z < t->d; p.z++) {
      for (p.y = 0; p.y < t->h; p.y++) {
         for (p.x = 0; p.x < t->w; p.x++) {
            uint8_t fragments = 0;
            for (p.sample = 0; p.sample < 4; p.sample++)
               fragments |= target_fragment(&p) << 2 * p.sample;
            base[surf_offset(l, 0, p.x, p.y, p.z, 0)] = fragments;
         }
      }
   }
   const uint32_t image[8] = {
      va >> 8,
      S_008F14_BASE_ADDRESS_HI(va >> 40) | S_008F14_DATA_FORMAT(V_008F14_IMG_DATA_FORMAT_FMASK) |
         S_008F14_NUM_FORMAT(V_008F14_IMG_NUM_FORMAT_FMASK_8_4_4),
      S_008F18_WIDTH(t->w - 1) | S_008F18_HEIGHT(t->h - 1),
      S_008F1C_DST_SEL_X(4) | S_008F1C_DST_SEL_Y(4) | S_008F1C_DST_SEL_Z(4) | S_008F1C_DST_SEL_W(4) |
         S_008F1C_SW_MODE(desc.swizzle_mode) | S_008F1C_TYPE(t->flags & ARRAY ? TYPE_2D_ARRAY : TYPE_2D),
      S_008F20_DEPTH(t->d - 1) | S_008F20_PITCH(desc.epitch),
   };
   memcpy(rsrc, image, sizeof(image));
}

static const struct target *
find(const char *name)
{
   const struct target *t = targets;

   while (strcmp(t->name, name))
      t++;
   return t;
}

/* Room for a texture and an FMASK. */
static unsigned
unit_memory(unsigned unit)
{
   return 2 * (1 + unit % 8) * TEXTURE_BYTES;
}

void
target_unit_fmask(unsigned unit, const char *target)
{
   uint64_t va;
   uint8_t *base = compute_own_memory(&va);
   uint32_t rsrc[8];
   const unsigned at = unit_memory(unit) + TEXTURE_BYTES;

   target_fmask(find(target), compute_addrlib(), base + at, va + at, rsrc);
   compute_own_fmask(unit, rsrc);
}

void
target_unit(unsigned unit, const char *target, bool fmask)
{
   uint64_t va;
   uint8_t *base = compute_own_memory(&va);
   uint32_t rsrc[8], samp[4];
   const unsigned at = unit_memory(unit);

   target_texture(find(target), compute_addrlib(), base + at, va + at, rsrc, samp);
   compute_own_unit(unit, rsrc, samp);
   if (fmask)
      target_unit_fmask(unit, target);
}

/* A point of a face, -1 to 1, as a direction: the table of GL's chapter on cube maps. */
void
target_direction(unsigned face, float s, float t, float out[3])
{
   const float table[6][3] = { { 1, -t, -s }, { -1, -t, s }, { s, 1, t }, { s, -1, -t }, { s, -t, 1 }, { -s, -t, -1 } };
   memcpy(out, table[face], sizeof(table[face]));
}
