/* SPDX-License-Identifier: MIT */
/* Where an element of a surface lies in memory: GFX9 swizzle modes through
 * addrlib, turned into XOR tables once per layout so that a lookup is a few
 * table reads. Shared by TA, CB and DB. */
#ifndef MODEL_SURF_H
#define MODEL_SURF_H

#include <stdbool.h>
#include <stdint.h>

/* A layout as descriptors and registers give it. */
struct surf_desc {
   uint8_t swizzle_mode;    /* SW_MODE */
   uint8_t bytes_log2;      /* bytes per element: 0..4 (blocks for compressed formats) */
   uint8_t samples_log2;
   uint8_t resource_type;   /* 0 1D, 1 2D, 2 3D (ADDR_RSRC_*) */
   uint8_t num_levels;
   bool is_depth;           /* Z/stencil plane: depth micro tiles */
   uint32_t width, height;  /* elements, level 0 */
   uint32_t depth;          /* slices or 3D depth, level 0 */
   uint32_t epitch;         /* EPITCH field: pitch - 1 in elements, per GFX9 rules */
   uint32_t pipe_bank_xor;
};

struct surf_layout; /* immutable, cached inside surf, valid for the model's life */

/* NULL when addrlib refuses (reported by the caller). Thread-safe. */
const struct surf_layout *surf_layout_get(void *addrlib, const struct surf_desc *desc);
/* Byte offset from the surface's base address. Coordinates in elements. */
uint64_t surf_offset(const struct surf_layout *l, unsigned level, uint32_t x, uint32_t y,
                     uint32_t slice, uint32_t sample);
uint64_t surf_size(const struct surf_layout *l);

/* ADDR_HANDLE for a chip's GB_ADDR_CONFIG; NULL on error. */
void *surf_addrlib_create(uint32_t family, uint32_t external_rev, uint32_t gb_addr_config);
void surf_addrlib_destroy(void *addrlib);

/* Metadata addresses (byte offset from the metadata's base, and for HTILE the
 * dword, DCC the byte, CMASK the nibble's bit position in *bit). */
uint64_t surf_htile_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                           uint32_t x, uint32_t y, uint32_t slice);
uint64_t surf_dcc_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                         unsigned level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample);
uint64_t surf_cmask_offset(void *addrlib, const struct surf_desc *desc, bool pipe_aligned, bool rb_aligned,
                           uint32_t x, uint32_t y, uint32_t slice, unsigned *bit);

#endif
