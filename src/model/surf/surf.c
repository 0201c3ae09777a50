/* SPDX-License-Identifier: MIT */
/* Layouts of image surfaces. Addresses come from Mesa's addrlib (the register
 * specification's swizzle modes in executable form); what is kept is one table
 * per coordinate, because the offset inside a swizzle block is linear over
 * GF(2) in the coordinate bits. */
#include <stdlib.h>
#include <string.h>
#include "surf_internal.h"

struct surf_pattern_node {
   struct surf_pattern p;
   uint8_t swizzle_mode, bytes_log2, samples_log2, resource_type;
   bool is_depth, is_fmask;
   struct surf_pattern_node *next;
   uint32_t x[SURF_MAX_XY], y[SURF_MAX_XY], z[SURF_MAX_Z];
};

struct surf_layout_node {
   struct surf_layout l;
   struct surf_desc key;
   bool bad;
   struct surf_layout_node *next;
};

pthread_mutex_t surf_lock = PTHREAD_MUTEX_INITIALIZER;
static struct surf_lib *surf_libs;
static unsigned epoch;

unsigned surf_epoch(void) { return __atomic_load_n(&epoch, __ATOMIC_RELAXED); }

/* Linear surfaces have no swizzle: all their tables read zero. */
static const uint32_t zero_table[SURF_MAX_XY];
static const struct surf_pattern linear_pattern = {
   .linear = true, .x = zero_table, .y = zero_table, .z = zero_table,
};

struct surf_lib *surf_lib_of(void *addrlib)
{
   for (struct surf_lib *l = surf_libs; l; l = l->next)
      if (l->addrlib == addrlib)
         return l;
   return NULL;
}

static void *ADDR_API addr_alloc(const ADDR_ALLOCSYSMEM_INPUT *in) { return malloc(in->sizeInBytes); }
static ADDR_E_RETURNCODE ADDR_API addr_free(const ADDR_FREESYSMEM_INPUT *in)
{
   free(in->pVirtAddr);
   return ADDR_OK;
}

void *surf_addrlib_create(uint32_t family, uint32_t external_rev, uint32_t gb_addr_config)
{
   ADDR_REGISTER_VALUE regs = { .gbAddrConfig = gb_addr_config };
   ADDR_CREATE_INPUT in = {
      .size = sizeof(in), .chipFamily = family, .chipRevision = external_rev,
      .callbacks = { .allocSysMem = addr_alloc, .freeSysMem = addr_free },
      .regValue = regs,
   };
   ADDR_CREATE_OUTPUT out = { .size = sizeof(out) };
   in.chipEngine = 0xd; /* CIASICIDGFXENGINE_ARCTICISLAND: GFX9 and later */

   pthread_mutex_lock(&surf_lock);
   struct surf_lib *lib = NULL;
   if (AddrCreate(&in, &out) == ADDR_OK && (lib = calloc(1, sizeof(*lib)))) {
      lib->addrlib = out.hLib;
      lib->pipes_log2 = gb_addr_config & 7;
      lib->next = surf_libs;
      surf_libs = lib;
   }
   pthread_mutex_unlock(&surf_lock);
   return lib ? lib->addrlib : NULL;
}

void surf_addrlib_destroy(void *addrlib)
{
   pthread_mutex_lock(&surf_lock);
   struct surf_lib **link = &surf_libs;
   while (*link && (*link)->addrlib != addrlib)
      link = &(*link)->next;
   struct surf_lib *lib = *link;
   if (lib) {
      __atomic_fetch_add(&epoch, 1, __ATOMIC_RELAXED);
      *link = lib->next;
      for (unsigned i = 0; i < SURF_HASH; i++) {
         for (struct surf_layout_node *n = lib->layouts[i], *next; n; n = next) {
            next = n->next;
            free(n);
         }
      }
      for (struct surf_pattern_node *n = lib->patterns, *next; n; n = next) {
         next = n->next;
         free(n);
      }
      surf_meta_free_all(lib);
      AddrDestroy(addrlib);
      free(lib);
   }
   pthread_mutex_unlock(&surf_lock);
}

struct surf_desc surf_desc_key(const struct surf_desc *d)
{
   struct surf_desc k;
   memset(&k, 0, sizeof(k));
   k.swizzle_mode = d->swizzle_mode;
   k.bytes_log2 = d->bytes_log2;
   k.samples_log2 = d->samples_log2;
   k.resource_type = d->resource_type;
   k.num_levels = d->num_levels ? d->num_levels : 1;
   k.is_depth = d->is_depth;
   k.is_fmask = d->is_fmask;
   k.width = d->width ? d->width : 1;
   k.height = d->height ? d->height : 1;
   k.depth = d->depth ? d->depth : 1;
   k.epitch = d->epitch;
   k.pipe_bank_xor = d->pipe_bank_xor;
   return k;
}

/* What a surface is used for does not move its texels, it only narrows what
 * addrlib accepts; hardware reads any legal swizzle mode. */
ADDR2_SURFACE_FLAGS surf_flags(const struct surf_desc *d)
{
   ADDR2_SURFACE_FLAGS f = { .value = 0 };
   f.texture = 1;
   f.fmask = d->is_fmask;
   return f;
}

/* addrlib asserts on what GFX9 does not have, so look first. */
bool surf_desc_valid(const struct surf_desc *d)
{
   enum { Z, S, D, R };
   unsigned m = d->swizzle_mode, kind = m & 3;
   bool linear = m == ADDR_SW_LINEAR, small = m >= ADDR_SW_256B_S && m <= ADDR_SW_256B_R;
   bool msaa = d->samples_log2 > 0, mips = d->num_levels > 1;
   bool t1d = d->resource_type == ADDR_RSRC_TEX_1D, t3d = d->resource_type == ADDR_RSRC_TEX_3D;

   if (m > ADDR_SW_64KB_R_X || (m >= 12 && m <= 15) || d->bytes_log2 > 4 || d->samples_log2 > 3 ||
       d->resource_type > ADDR_RSRC_TEX_3D || d->num_levels > SURF_MAX_LEVELS ||
       d->width > SURF_MAX_XY || d->height > SURF_MAX_XY || d->depth > SURF_MAX_Z)
      return false;
   if ((msaa && (mips || t1d || t3d || linear || small)) || (t1d && (!linear || d->height > 1)))
      return false;
   if (d->is_fmask && (linear || kind != Z || t1d || t3d))
      return false;
   if (small && (t3d || mips))
      return false;
   if (msaa && (1u << (m >= 4 && m <= 7 ? 4 : m >= 20 && m <= 23 ? 4 : 8)) < (1u << d->samples_log2))
      return false;
   if (!linear) {
      if (kind == Z && ((!t3d && d->bytes_log2 > 3) || (msaa && d->bytes_log2 > 2)))
         return false;
      if (kind == R && (d->bytes_log2 > 3 || t3d))
         return false;
      if (kind == D && t3d && mips && d->depth >= d->width && d->depth >= d->height)
         return false;
   }
   return true;
}

static unsigned log2_of(uint32_t v) { return v > 1 ? 31 - __builtin_clz(v) : 0; }

static bool swizzle_is_xor(unsigned mode) { return mode >= ADDR_SW_64KB_Z_T && mode <= ADDR_SW_64KB_R_X; }
static bool swizzle_is_linear(unsigned mode) { return mode == ADDR_SW_LINEAR; }

/* GFX9: 0 linear, 1..3 256 B, 4..7 and 20..23 4 KiB, the rest 64 KiB. */
static unsigned swizzle_block_log2(unsigned mode)
{
   if (mode >= ADDR_SW_256B_S && mode <= ADDR_SW_256B_R)
      return 8;
   if ((mode >= ADDR_SW_4KB_Z && mode <= ADDR_SW_4KB_R) || (mode >= ADDR_SW_4KB_Z_X && mode <= ADDR_SW_4KB_R_X))
      return 12;
   return 16;
}

uint64_t surf_split_base(unsigned swizzle_mode, uint64_t va, uint32_t *pbx)
{
   *pbx = 0;
   if (!swizzle_is_xor(swizzle_mode))
      return va;
   uint64_t mask = (1ull << swizzle_block_log2(swizzle_mode)) - 1;
   *pbx = (va & mask) >> 8;
   return va & ~mask;
}

/* The in-block offset of one coordinate, from addrlib. */
static bool probe(void *addrlib, const struct surf_desc *d, uint32_t x, uint32_t y, uint32_t z,
                  uint32_t s, uint32_t mask, uint32_t *out)
{
   ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_INPUT in = {
      .size = sizeof(in), .x = x, .y = y, .slice = z, .sample = s,
      .swizzleMode = d->swizzle_mode, .flags = surf_flags(d), .resourceType = d->resource_type,
      .bpp = 8u << d->bytes_log2,
      .unalignedWidth = SURF_MAX_XY, .unalignedHeight = SURF_MAX_XY, .numSlices = SURF_MAX_Z,
      .numMipLevels = 1, .numSamples = 1u << d->samples_log2, .numFrags = 1u << d->samples_log2,
   };
   ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_OUTPUT o = { .size = sizeof(o) };
   if (Addr2ComputeSurfaceAddrFromCoord(addrlib, &in, &o) != ADDR_OK)
      return false;
   *out = (uint32_t)o.addr & mask;
   return true;
}

static void fill_linear(uint32_t *table, const uint32_t *bits, unsigned num_bits)
{
   table[0] = 0;
   for (unsigned b = 0; b < num_bits; b++)
      for (uint32_t i = 0; i < (1u << b); i++)
         table[(1u << b) + i] = table[i] ^ bits[b];
}

static const struct surf_pattern *pattern_get(struct surf_lib *lib, const struct surf_desc *d,
                                              const ADDR2_COMPUTE_SURFACE_INFO_OUTPUT *info)
{
   struct surf_pattern_node *n;
   for (n = lib->patterns; n; n = n->next)
      if (n->swizzle_mode == d->swizzle_mode && n->bytes_log2 == d->bytes_log2 &&
          n->samples_log2 == d->samples_log2 && n->resource_type == d->resource_type &&
          n->is_depth == d->is_depth && n->is_fmask == d->is_fmask)
         return &n->p;

   n = calloc(1, sizeof(*n));
   if (!n)
      return NULL;
   n->swizzle_mode = d->swizzle_mode;
   n->bytes_log2 = d->bytes_log2;
   n->samples_log2 = d->samples_log2;
   n->resource_type = d->resource_type;
   n->is_depth = d->is_depth;
   n->is_fmask = d->is_fmask;
   struct surf_pattern *p = &n->p;
   p->block_log2 = swizzle_block_log2(d->swizzle_mode);
   p->bw_log2 = log2_of(info->blockWidth);
   p->bh_log2 = log2_of(info->blockHeight);
   p->bd_log2 = log2_of(info->blockSlices);
   p->is_xor = swizzle_is_xor(d->swizzle_mode);

   uint32_t mask = (1u << p->block_log2) - 1, bits[14];
   bool ok = true;
   for (unsigned b = 0; b < 14 && ok; b++)
      ok = probe(lib->addrlib, d, 1u << b, 0, 0, 0, mask, &bits[b]);
   fill_linear(n->x, bits, 14);
   for (unsigned b = 0; b < 14 && ok; b++)
      ok = probe(lib->addrlib, d, 0, 1u << b, 0, 0, mask, &bits[b]);
   fill_linear(n->y, bits, 14);
   for (unsigned b = 0; b < 13 && ok; b++)
      ok = probe(lib->addrlib, d, 0, 0, 1u << b, 0, mask, &bits[b]);
   fill_linear(n->z, bits, 13);
   for (unsigned b = 0; b < d->samples_log2 && ok; b++)
      ok = probe(lib->addrlib, d, 0, 0, 0, 1u << b, mask, &bits[b]);
   fill_linear(p->s, bits, d->samples_log2);
   if (!ok) {
      free(n);
      return NULL;
   }
   p->x = n->x;
   p->y = n->y;
   p->z = n->z;
   n->next = lib->patterns;
   lib->patterns = n;
   return p;
}

/* Levels that a surface of this size can have. */
static unsigned max_levels(const struct surf_desc *d, unsigned scale_log2)
{
   uint32_t n = d->width > d->height ? d->width : d->height;
   n <<= scale_log2;
   if (d->resource_type == ADDR_RSRC_TEX_3D && d->depth > n)
      n = d->depth;
   return log2_of(n) + 1;
}

static bool layout_fill(struct surf_lib *lib, struct surf_layout *l, const struct surf_desc *d)
{
   ADDR2_MIP_INFO mips[SURF_MAX_LEVELS] = { 0 };
   ADDR2_COMPUTE_SURFACE_INFO_INPUT in = {
      .size = sizeof(in), .flags = surf_flags(d), .swizzleMode = d->swizzle_mode,
      .resourceType = d->resource_type, .format = ADDR_FMT_INVALID, .bpp = 8u << d->bytes_log2,
      .width = d->width, .height = d->height, .numSlices = d->depth, .numMipLevels = d->num_levels,
      .numSamples = 1u << d->samples_log2, .numFrags = 1u << d->samples_log2,
   };
   ADDR2_COMPUTE_SURFACE_INFO_OUTPUT out = { .size = sizeof(out), .pMipInfo = mips };
   if (d->num_levels > 1 && d->num_levels > max_levels(d, 0)) {
      /* Block compressed, or a view of such a surface in units of blocks. */
      if (d->num_levels > max_levels(d, 2) || d->bytes_log2 < 3 || d->resource_type == ADDR_RSRC_TEX_1D || swizzle_is_linear(d->swizzle_mode) ||
          (d->swizzle_mode & 3) == 0 || (d->swizzle_mode & 3) == 3)
         return false;
      in.format = d->bytes_log2 == 3 ? ADDR_FMT_BC1 : ADDR_FMT_BC3;
      in.width *= 4;
      in.height *= 4;
   }
   if (!surf_desc_valid(d) || Addr2ComputeSurfaceInfo(lib->addrlib, &in, &out) != ADDR_OK)
      return false;

   /* The descriptor's pitch rules; addrlib's is what a minimal one would be. */
   uint32_t natural = out.epitchIsHeight ? out.mipChainHeight : out.mipChainPitch;
   if (natural != d->epitch + 1) {
      memset(mips, 0, sizeof(mips));
      if (d->num_levels == 1 && !out.epitchIsHeight) {
         in.pitchInElement = d->epitch + 1;
         if (Addr2ComputeSurfaceInfo(lib->addrlib, &in, &out) != ADDR_OK || out.mipChainPitch != d->epitch + 1) {
            in.pitchInElement = 0;
            l->epitch_mismatch = true;
            if (Addr2ComputeSurfaceInfo(lib->addrlib, &in, &out) != ADDR_OK)
               return false;
         }
      } else {
         l->epitch_mismatch = true;
         if (Addr2ComputeSurfaceInfo(lib->addrlib, &in, &out) != ADDR_OK)
            return false;
      }
   }

   l->desc = *d;
   l->size = out.surfSize;
   l->base_align = out.baseAlign;
   bool linear = swizzle_is_linear(d->swizzle_mode);
   l->p = linear ? &linear_pattern : pattern_get(lib, d, &out);
   if (!l->p)
      return false;
   l->px = l->p->x;
   l->py = l->p->y;
   l->pz = l->p->z;
   l->block_log2 = linear ? d->bytes_log2 : l->p->block_log2;
   l->bw_log2 = l->p->bw_log2;
   l->bh_log2 = l->p->bh_log2;
   l->bd_log2 = l->p->bd_log2;

   uint32_t xor_bits = l->p->is_xor ? (d->pipe_bank_xor << 8) & ((1u << l->block_log2) - 1) : 0;
   uint32_t pitch_blocks = out.mipChainPitch >> l->bw_log2;
   uint32_t height_blocks = out.mipChainHeight >> l->bh_log2;
   l->slice_pitch = linear ? out.sliceSize : ((uint64_t)pitch_blocks * height_blocks) << l->block_log2;
   for (unsigned i = 0; i < d->num_levels; i++) {
      struct surf_level *lv = &l->level[i];
      lv->width = d->width >> i ? d->width >> i : 1;
      lv->height = d->height >> i ? d->height >> i : 1;
      lv->depth = d->resource_type == ADDR_RSRC_TEX_3D ? (d->depth >> i ? d->depth >> i : 1) : d->depth;
      if (linear) {
         lv->base = mips[i].offset;
         lv->row_pitch = (uint64_t)mips[i].pitch << d->bytes_log2;
      } else {
         lv->base = mips[i].macroBlockOffset;
         lv->row_pitch = (uint64_t)pitch_blocks << l->block_log2;
         lv->tail = mips[i].mipTailOffset ^ xor_bits;
      }
   }
   return true;
}

const struct surf_layout *surf_layout_get(void *addrlib, const struct surf_desc *desc)
{
   struct surf_desc key = surf_desc_key(desc);
   uint32_t h = surf_hash(&key, sizeof(key), 0) % SURF_HASH;
   struct surf_layout_node *n = NULL;

   pthread_mutex_lock(&surf_lock);
   struct surf_lib *lib = surf_lib_of(addrlib);
   if (lib) {
      for (n = lib->layouts[h]; n; n = n->next)
         if (!memcmp(&n->key, &key, sizeof(key)))
            break;
      if (!n && (n = calloc(1, sizeof(*n)))) {
         n->key = key;
         n->bad = !layout_fill(lib, &n->l, &key);
         n->next = lib->layouts[h];
         lib->layouts[h] = n;
      }
   }
   pthread_mutex_unlock(&surf_lock);
   return n && !n->bad ? &n->l : NULL;
}
