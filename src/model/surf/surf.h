/* SPDX-License-Identifier: MIT */
/* Where an element of a surface lies in memory: GFX9 swizzle modes through
 * addrlib, turned into XOR tables once per layout so that a lookup is a few
 * table reads. Shared by TA, CB and DB. */
#ifndef MODEL_SURF_H
#define MODEL_SURF_H

#include <stdbool.h>
#include <stdint.h>

#define SURF_MAX_LEVELS 16
#define SURF_MAX_XY     16384
#define SURF_MAX_Z      8192

/* A layout as descriptors and registers give it. */
struct surf_desc {
   uint8_t swizzle_mode;    /* SW_MODE */
   uint8_t bytes_log2;      /* bytes per element: 0..4 (blocks for compressed formats) */
   uint8_t samples_log2;
   uint8_t resource_type;   /* 0 1D, 1 2D, 2 3D (ADDR_RSRC_*) */
   uint8_t num_levels;
   bool is_depth;           /* Z/stencil plane: depth micro tiles */
   bool is_fmask;           /* bytes_log2 is of the FMASK element, samples_log2 0 */
   uint32_t width, height;  /* elements, level 0 */
   uint32_t depth;          /* slices or 3D depth, level 0 */
   uint32_t epitch;         /* EPITCH field: pitch - 1 in elements, per GFX9 rules */
   uint32_t pipe_bank_xor;
};

/* Offsets inside a swizzle block: linear over GF(2) in all coordinate bits. */
struct surf_pattern {
   uint8_t block_log2, bw_log2, bh_log2, bd_log2;
   bool linear, is_xor;
   uint32_t s[16];
   const uint32_t *x, *y, *z; /* SURF_MAX_XY, SURF_MAX_XY, SURF_MAX_Z entries */
};

struct surf_level {
   uint64_t base;           /* bytes: where the level's blocks (linear: rows) begin */
   uint64_t row_pitch;      /* bytes from a row of blocks (linear: of elements) to the next */
   uint32_t tail;           /* XOR: position in the mip tail, and pipe_bank_xor */
   uint32_t width, height, depth; /* elements; depth shrinks for 3D only */
};

/* Immutable, cached inside surf, valid for the model's life. */
struct surf_layout {
   struct surf_desc desc;
   const struct surf_pattern *p;
   const uint32_t *px, *py, *pz;
   uint8_t block_log2, bw_log2, bh_log2, bd_log2;
   bool epitch_mismatch;    /* EPITCH contradicts the size and levels */
   uint64_t slice_pitch;    /* bytes, per block depth */
   uint64_t size;
   uint32_t base_align;
   struct surf_level level[SURF_MAX_LEVELS];
};

/* NULL when addrlib refuses (reported by the caller). Thread-safe. */
const struct surf_layout *surf_layout_get(void *addrlib, const struct surf_desc *desc);

/* One row of one slice and sample: the x part is added by surf_at(). */
struct surf_row { uint64_t base; uint32_t x_or; };

static inline struct surf_row surf_row(const struct surf_layout *l, unsigned level, uint32_t y,
                                       uint32_t slice, uint32_t sample)
{
   const struct surf_level *lv = &l->level[level];
   return (struct surf_row) {
      .base = lv->base + (y >> l->bh_log2) * lv->row_pitch +
              (slice >> l->bd_log2) * l->slice_pitch,
      .x_or = l->py[y & (SURF_MAX_XY - 1)] ^ l->pz[slice & (SURF_MAX_Z - 1)] ^
              l->p->s[sample & 15] ^ lv->tail,
   };
}
static inline uint64_t surf_at(const struct surf_layout *l, struct surf_row row, uint32_t x)
{
   return row.base + ((uint64_t)(x >> l->bw_log2) << l->block_log2) +
          (l->px[x & (SURF_MAX_XY - 1)] ^ row.x_or);
}
/* Byte offset from the surface's base address. Coordinates in elements. */
static inline uint64_t surf_offset(const struct surf_layout *l, unsigned level, uint32_t x, uint32_t y,
                                   uint32_t slice, uint32_t sample)
{
   return surf_at(l, surf_row(l, level, y, slice, sample), x);
}
static inline uint64_t surf_size(const struct surf_layout *l) { return l->size; }

/* Descriptors hold the pipe/bank XOR in the low bits of the base address (_X
 * and _T modes). Gives the address of the surface, and the XOR in *pbx. */
uint64_t surf_split_base(unsigned swizzle_mode, uint64_t va, uint32_t *pbx);

/* ADDR_HANDLE for a chip's GB_ADDR_CONFIG; NULL on error. */
void *surf_addrlib_create(uint32_t family, uint32_t external_rev, uint32_t gb_addr_config);
void surf_addrlib_destroy(void *addrlib);

/* Changes when a handle is destroyed: layouts kept from before are gone. */
unsigned surf_epoch(void);

/* ---- Metadata: DCC keys (a byte for 256 bytes of colour), HTILE (a dword for
 * 8x8 pixels), CMASK (a nibble for 8x8 pixels). Mip levels too. */
enum surf_meta_kind { SURF_META_DCC, SURF_META_HTILE, SURF_META_CMASK };

struct surf_meta;
/* `desc` is that of the data surface; for CMASK with FMASK it is that of
 * FMASK. NULL when addrlib refuses. Thread-safe; valid for the model's life. */
const struct surf_meta *surf_meta_get(void *addrlib, enum surf_meta_kind kind,
                                      const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned);
/* Address in units of nibbles (CMASK, DCC: twice the byte address) of the
 * metadata of an element; `va` may carry the pipe XOR in its low bits. */
uint64_t surf_meta_nibble(const struct surf_meta *m, uint64_t va, unsigned level, uint32_t x,
                          uint32_t y, uint32_t slice, uint32_t sample);
static inline uint64_t surf_meta_va(const struct surf_meta *m, uint64_t va, unsigned level, uint32_t x,
                                    uint32_t y, uint32_t slice, uint32_t sample)
{
   return surf_meta_nibble(m, va, level, x, y, slice, sample) >> 1;
}
/* Elements that one metadata item covers (log2). */
void surf_meta_block(const struct surf_meta *m, unsigned *w_log2, unsigned *h_log2, unsigned *d_log2);
uint64_t surf_meta_size(const struct surf_meta *m);

/* Metadata addresses (byte offset from the metadata's base, and for HTILE the
 * dword, DCC the byte, CMASK the nibble's bit position in *bit). */
uint64_t surf_htile_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                           uint32_t x, uint32_t y, uint32_t slice);
uint64_t surf_dcc_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                         unsigned level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample);
uint64_t surf_cmask_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                           uint32_t x, uint32_t y, uint32_t slice, unsigned *bit);

#endif
