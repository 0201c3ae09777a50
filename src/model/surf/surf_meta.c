/* SPDX-License-Identifier: MIT */
/* Layouts of metadata surfaces (DCC, HTILE, CMASK). As for images, the
 * position inside a metadata block is linear over GF(2), so addrlib is asked
 * once per coordinate bit. Everything is counted in nibbles. */
#include <stdlib.h>
#include <string.h>
#include "surf_internal.h"

struct surf_meta {
   struct surf_desc key;
   uint8_t kind;
   bool pipe_aligned, rb_aligned, bad;
   uint8_t block_log2;               /* nibbles of a metadata block */
   uint8_t mw_log2, mh_log2, md_log2;
   uint8_t cw_log2, ch_log2, cd_log2; /* elements per item */
   uint32_t pitch_blocks, slice_blocks;
   uint64_t size, align;             /* bytes */
   uint32_t pipe_mask;               /* of the XOR in address bits 8.. */
   uint32_t desc_xor;
   struct { uint32_t x, y, z; } start[SURF_MAX_LEVELS];
   uint32_t s[16];
   /* Two tables a coordinate: low 7 bits, high 7 bits. */
   uint32_t xl[128], xh[128], yl[128], yh[128], zl[128], zh[128];
};

static unsigned log2_of(uint32_t v) { return v > 1 ? 31 - __builtin_clz(v) : 0; }

static void split_tables(uint32_t *lo, uint32_t *hi, const uint32_t *bits)
{
   for (unsigned i = 0; i < 128; i++) {
      lo[i] = hi[i] = 0;
      for (unsigned b = 0; b < 7; b++)
         if (i >> b & 1) {
            lo[i] ^= bits[b];
            hi[i] ^= bits[7 + b];
         }
   }
}

/* The nibble inside its metadata block at one coordinate. */
static bool probe(void *addrlib, const struct surf_meta *m, uint32_t x, uint32_t y, uint32_t z, uint32_t s,
                  uint32_t *out)
{
   const struct surf_desc *d = &m->key;
   uint64_t nibble;
   ADDR2_META_FLAGS mf = { .value = 0 };
   mf.pipeAligned = m->pipe_aligned;
   mf.rbAligned = m->rb_aligned;

   if (m->kind == SURF_META_DCC) {
      ADDR2_COMPUTE_DCC_ADDRFROMCOORD_INPUT in = {
         .size = sizeof(in), .x = x, .y = y, .slice = z, .sample = s,
         .mipId = d->num_levels > 1, .dccKeyFlags = mf, .colorFlags = surf_flags(d),
         .resourceType = d->resource_type, .swizzleMode = d->swizzle_mode, .bpp = 8u << d->bytes_log2,
         .unalignedWidth = SURF_MAX_XY, .unalignedHeight = SURF_MAX_XY, .numSlices = SURF_MAX_Z,
         .numMipLevels = 1, .numFrags = 1u << d->samples_log2,
         .pitch = SURF_MAX_XY, .height = SURF_MAX_XY,
         .compressBlkWidth = 1u << m->cw_log2, .compressBlkHeight = 1u << m->ch_log2,
         .compressBlkDepth = 1u << m->cd_log2, .metaBlkWidth = 1u << m->mw_log2,
         .metaBlkHeight = 1u << m->mh_log2, .metaBlkDepth = 1u << m->md_log2, .dccRamSliceSize = 1,
      };
      ADDR2_COMPUTE_DCC_ADDRFROMCOORD_OUTPUT o = { .size = sizeof(o) };
      if (Addr2ComputeDccAddrFromCoord(addrlib, &in, &o) != ADDR_OK)
         return false;
      nibble = o.addr * 2;
   } else if (m->kind == SURF_META_HTILE) {
      ADDR2_COMPUTE_HTILE_ADDRFROMCOORD_INPUT in = {
         .size = sizeof(in), .x = x, .y = y, .slice = z, .hTileFlags = mf, .depthflags = surf_flags(d),
         .swizzleMode = d->swizzle_mode, .bpp = 8u << d->bytes_log2,
         .unalignedWidth = SURF_MAX_XY, .unalignedHeight = SURF_MAX_XY, .numSlices = SURF_MAX_Z,
         .numMipLevels = 1, .numSamples = 1u << d->samples_log2,
      };
      ADDR2_COMPUTE_HTILE_ADDRFROMCOORD_OUTPUT o = { .size = sizeof(o) };
      if (Addr2ComputeHtileAddrFromCoord(addrlib, &in, &o) != ADDR_OK)
         return false;
      nibble = o.addr * 2;
   } else {
      /* addrlib asks for samples and fragments to know FMASK's element size. */
      static const uint8_t by_bytes[4][2] = { { 2, 2 }, { 8, 2 }, { 8, 8 }, { 16, 8 } };
      struct surf_desc color = *d;
      color.is_fmask = false;
      const unsigned samples = d->is_fmask ? by_bytes[d->bytes_log2 & 3][0] : 1u << d->samples_log2;
      const unsigned frags = d->is_fmask ? by_bytes[d->bytes_log2 & 3][1] : 1u << d->samples_log2;
      ADDR2_COMPUTE_CMASK_ADDRFROMCOORD_INPUT in = {
         .size = sizeof(in), .x = x, .y = y, .slice = z, .cMaskFlags = mf, .colorFlags = surf_flags(&color),
         .resourceType = d->resource_type, .swizzleMode = d->swizzle_mode,
         .unalignedWidth = SURF_MAX_XY, .unalignedHeight = SURF_MAX_XY, .numSlices = SURF_MAX_Z,
         .numSamples = samples, .numFrags = frags,
      };
      ADDR2_COMPUTE_CMASK_ADDRFROMCOORD_OUTPUT o = { .size = sizeof(o) };
      if (Addr2ComputeCmaskAddrFromCoord(addrlib, &in, &o) != ADDR_OK)
         return false;
      nibble = o.addr * 2 + (o.bitPosition >> 2);
   }
   *out = nibble & ((1ull << m->block_log2) - 1);
   return true;
}

/* Block sizes, padded pitch and positions of the mip levels. */
static bool geometry(void *addrlib, struct surf_meta *m)
{
   const struct surf_desc *d = &m->key;
   ADDR2_META_MIP_INFO mips[SURF_MAX_LEVELS];
   memset(mips, 0, sizeof(mips));
   ADDR2_META_FLAGS mf = { .value = 0 };
   mf.pipeAligned = m->pipe_aligned;
   mf.rbAligned = m->rb_aligned;
   uint32_t pitch, height, mw, mh, md = 1;
   unsigned block_nibbles;

   if (m->kind == SURF_META_DCC) {
      ADDR2_COMPUTE_DCCINFO_INPUT in = {
         .size = sizeof(in), .dccKeyFlags = mf, .colorFlags = surf_flags(d), .resourceType = d->resource_type,
         .swizzleMode = d->swizzle_mode, .bpp = 8u << d->bytes_log2, .unalignedWidth = d->width,
         .unalignedHeight = d->height, .numSlices = d->depth, .numFrags = 1u << d->samples_log2,
         .numMipLevels = d->num_levels,
      };
      ADDR2_COMPUTE_DCCINFO_OUTPUT o = { .size = sizeof(o), .pMipInfo = mips };
      if (Addr2ComputeDccInfo(addrlib, &in, &o) != ADDR_OK)
         return false;
      pitch = o.pitch;
      height = o.height;
      mw = o.metaBlkWidth;
      mh = o.metaBlkHeight;
      md = o.metaBlkDepth;
      m->cw_log2 = log2_of(o.compressBlkWidth);
      m->ch_log2 = log2_of(o.compressBlkHeight);
      m->cd_log2 = log2_of(o.compressBlkDepth);
      block_nibbles = o.metaBlkSize * 2;
      m->size = o.dccRamSize;
      m->align = o.dccRamBaseAlign;
   } else if (m->kind == SURF_META_HTILE) {
      ADDR2_COMPUTE_HTILE_INFO_INPUT in = {
         .size = sizeof(in), .hTileFlags = mf, .depthFlags = surf_flags(d), .swizzleMode = d->swizzle_mode,
         .unalignedWidth = d->width, .unalignedHeight = d->height, .numSlices = d->depth,
         .numMipLevels = d->num_levels,
      };
      ADDR2_COMPUTE_HTILE_INFO_OUTPUT o = { .size = sizeof(o), .pMipInfo = mips };
      if (Addr2ComputeHtileInfo(addrlib, &in, &o) != ADDR_OK)
         return false;
      pitch = o.pitch;
      height = o.height;
      mw = o.metaBlkWidth;
      mh = o.metaBlkHeight;
      m->cw_log2 = m->ch_log2 = 3;
      block_nibbles = (mw / 8) * (mh / 8) * 8;
      m->size = o.htileBytes;
      m->align = o.baseAlign;
   } else {
      ADDR2_COMPUTE_CMASK_INFO_INPUT in = {
         .size = sizeof(in), .cMaskFlags = mf, .colorFlags = surf_flags(d), .resourceType = d->resource_type,
         .swizzleMode = d->swizzle_mode, .unalignedWidth = d->width, .unalignedHeight = d->height,
         .numSlices = d->depth, .numMipLevels = 1,
      };
      ADDR2_COMPUTE_CMASK_INFO_OUTPUT o = { .size = sizeof(o) };
      if (Addr2ComputeCmaskInfo(addrlib, &in, &o) != ADDR_OK)
         return false;
      pitch = o.pitch;
      height = o.height;
      mw = o.metaBlkWidth;
      mh = o.metaBlkHeight;
      m->cw_log2 = m->ch_log2 = 3;
      block_nibbles = (mw / 8) * (mh / 8);
      m->size = o.cmaskBytes;
      m->align = o.baseAlign;
   }
   m->mw_log2 = log2_of(mw);
   m->mh_log2 = log2_of(mh);
   m->md_log2 = log2_of(md);
   m->block_log2 = log2_of(block_nibbles);
   m->pitch_blocks = pitch / mw;
   m->slice_blocks = m->pitch_blocks * (height / mh);
   for (unsigned i = 0; i < d->num_levels; i++) {
      m->start[i].x = mips[i].startX;
      m->start[i].y = mips[i].startY;
      m->start[i].z = mips[i].startZ;
   }
   return true;
}

/* addrlib gives HTILE addresses of surfaces without mip levels only, whose
 * metadata block may be one bit wider and lower. Give that bit to y: the
 * mapping stays one to one, and only DB and TA ever see it. */
static void fix_htile_mips(struct surf_meta *m, uint32_t *xb, uint32_t *yb)
{
   for (unsigned b = 0; b < 14; b++) {
      bool in_x = b < m->mw_log2, in_y = b < m->mh_log2;
      if (!in_x && in_y && !(b == 13)) {
         yb[b] = xb[b];
         xb[b] = 0;
      } else {
         if (!in_x)
            xb[b] = 0;
         if (!in_y)
            yb[b] = 0;
      }
   }
}

static bool meta_fill(struct surf_lib *lib, struct surf_meta *m)
{
   void *addrlib = lib->addrlib;
   uint32_t xb[14] = { 0 }, yb[14] = { 0 }, zb[14] = { 0 }, sb[4] = { 0 };
   /* Metadata needs pipes and banks: 4 and 64 KiB blocks only. */
   if (!surf_desc_valid(&m->key) || m->key.swizzle_mode < 4 || !geometry(addrlib, m))
      return false;
   bool ok = true;
   for (unsigned b = 0; b < 14 && ok; b++)
      ok = probe(addrlib, m, 1u << b, 0, 0, 0, &xb[b]) && probe(addrlib, m, 0, 1u << b, 0, 0, &yb[b]);
   for (unsigned b = 0; b < 13 && ok; b++)
      ok = probe(addrlib, m, 0, 0, 1u << b, 0, &zb[b]);
   if (m->kind == SURF_META_DCC)
      for (unsigned b = 0; b < m->key.samples_log2 && ok; b++)
         ok = probe(addrlib, m, 0, 0, 0, 1u << b, &sb[b]);
   if (!ok)
      return false;
   if (m->kind == SURF_META_HTILE && m->key.num_levels > 1)
      fix_htile_mips(m, xb, yb);
   split_tables(m->xl, m->xh, xb);
   split_tables(m->yl, m->yh, yb);
   split_tables(m->zl, m->zh, zb);
   for (unsigned i = 0; i < 16; i++)
      for (unsigned b = 0; b < 4; b++)
         if (i >> b & 1)
            m->s[i] ^= sb[b];

   /* Only as many bits as there are pipes take part in the XOR. */
   m->pipe_mask = m->pipe_aligned ? (1u << lib->pipes_log2) - 1 : 0;
   m->desc_xor = (m->key.pipe_bank_xor & m->pipe_mask) << 9;
   return true;
}

const struct surf_meta *surf_meta_get(void *addrlib, enum surf_meta_kind kind, const struct surf_desc *desc,
                                      bool pipe_aligned, bool rb_aligned)
{
   struct surf_desc key = surf_desc_key(desc);
   key.epitch = 0;
   uint32_t h = surf_hash(&key, sizeof(key), kind * 4 + pipe_aligned * 2 + rb_aligned) % SURF_HASH;
   struct surf_meta *m = NULL;

   pthread_mutex_lock(&surf_lock);
   struct surf_lib *lib = surf_lib_of(addrlib);
   if (lib) {
      struct surf_meta_node *n;
      for (n = lib->metas[h]; n; n = n->next) {
         m = n->meta;
         if (m->kind == kind && m->pipe_aligned == pipe_aligned && m->rb_aligned == rb_aligned &&
             !memcmp(&m->key, &key, sizeof(key)))
            break;
         m = NULL;
      }
      if (!m && (n = calloc(1, sizeof(*n)))) {
         if ((m = calloc(1, sizeof(*m)))) {
            m->key = key;
            m->kind = kind;
            m->pipe_aligned = pipe_aligned;
            m->rb_aligned = rb_aligned;
            m->bad = !meta_fill(lib, m);
            n->meta = m;
            n->next = lib->metas[h];
            lib->metas[h] = n;
         } else {
            free(n);
         }
      }
   }
   pthread_mutex_unlock(&surf_lock);
   return m && !m->bad ? m : NULL;
}

void surf_meta_free_all(struct surf_lib *lib)
{
   for (unsigned i = 0; i < SURF_HASH; i++)
      for (struct surf_meta_node *n = lib->metas[i], *next; n; n = next) {
         next = n->next;
         free(n->meta);
         free(n);
      }
}

uint64_t surf_meta_nibble(const struct surf_meta *m, uint64_t va, unsigned level, uint32_t x, uint32_t y,
                          uint32_t slice, uint32_t sample)
{
   x += m->start[level].x;
   y += m->start[level].y;
   slice += m->start[level].z;
   uint64_t block = (uint64_t)(slice >> m->md_log2) * m->slice_blocks +
                    (uint64_t)(y >> m->mh_log2) * m->pitch_blocks + (x >> m->mw_log2);
   uint32_t in_block = m->xl[x & 127] ^ m->xh[x >> 7 & 127] ^ m->yl[y & 127] ^ m->yh[y >> 7 & 127] ^
                       m->zl[slice & 127] ^ m->zh[slice >> 7 & 127] ^ m->s[sample & 15];
   uint64_t base = va & ~(m->align - 1);
   uint32_t xor_bits = m->desc_xor ^ (uint32_t)(va >> 8 & m->pipe_mask) << 9;
   return base * 2 + ((block << m->block_log2 | in_block) ^ xor_bits);
}

void surf_meta_block(const struct surf_meta *m, unsigned *w_log2, unsigned *h_log2, unsigned *d_log2)
{
   *w_log2 = m->cw_log2;
   *h_log2 = m->ch_log2;
   *d_log2 = m->cd_log2;
}

uint64_t surf_meta_size(const struct surf_meta *m) { return m->size; }

uint64_t surf_htile_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                           uint32_t x, uint32_t y, uint32_t slice)
{
   const struct surf_meta *m = surf_meta_get(addrlib, SURF_META_HTILE, desc, pipe_aligned, rb_aligned);
   return m ? surf_meta_va(m, 0, 0, x, y, slice, 0) : 0;
}

uint64_t surf_dcc_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                         unsigned level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
   const struct surf_meta *m = surf_meta_get(addrlib, SURF_META_DCC, desc, pipe_aligned, rb_aligned);
   return m ? surf_meta_va(m, 0, level, x, y, slice, sample) : 0;
}

uint64_t surf_cmask_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                           uint32_t x, uint32_t y, uint32_t slice, unsigned *bit)
{
   const struct surf_meta *m = surf_meta_get(addrlib, SURF_META_CMASK, desc, pipe_aligned, rb_aligned);
   uint64_t n = m ? surf_meta_nibble(m, 0, 0, x, y, slice, 0) : 0;
   *bit = (n & 1) * 4;
   return n >> 1;
}
