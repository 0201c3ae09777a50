/* SPDX-License-Identifier: MIT */
/* Texture instructions, inside: targets, coordinates, descriptors. */
#ifndef TGSIAMD_TGSI_TEX_H
#define TGSIAMD_TGSI_TEX_H

#include "tr.h"

/* How TGSI packs the operands of a texture target, and what the hardware
 * calls it. Indices are into (src0.xyzw, src1.x); -1: there is none. */
struct tex_target {
   uint8_t dim;         /* enum ir_tex_dim */
   uint8_t num_coords;  /* without the layer */
   int8_t layer;
   int8_t ref;          /* shadow reference */
   int8_t sample;
   bool cube;
   bool no_mips;        /* TXF has no level */
};

/* The target of an instruction; NULL and an error when there is none. */
const struct tex_target *tex_target(struct tr *t, unsigned tgsi_target);

/* Fills the descriptors from a SAMPLER or SVIEW operand. */
ir_val tex_resource(struct tr *t, const struct tex_target *tt, unsigned src);
ir_val tex_sampler(struct tr *t, unsigned src);
/* FMASK of a multisample texture; zero: it has none. */
ir_val tex_fmask(struct tr *t, unsigned src);
void tr_dst_handle_at(struct tr *t, enum ir_list list, ir_val slot, uint32_t imm);
/* Byte offset of a unit's slot in the list when it is computed, else NULL and
 * the constant part in *imm. */
ir_val tex_slot(struct tr *t, unsigned src, uint32_t *imm);

/* Coordinates for the hardware out of TGSI's: `coords` (num_coords of them),
 * `layer`, and for TXD the derivatives in args->derivs (num_coords for x, then
 * for y). */
void tex_coords(struct tr *t, const struct tex_target *tt, struct ir_tex_args *args,
                const ir_val *coords, ir_val layer);
/* The level of detail comes from derivatives, where there are any. */
void tex_implicit_lod(struct tr *t, struct ir_tex_args *args);
/* Texel offset number n as the hardware packs it, NULL when there is none. */
ir_val tex_packed_offset(struct tr *t, const struct tex_target *tt, unsigned n);
/* Component c of texel offset n. */
ir_val tex_offset(struct tr *t, unsigned n, unsigned c);
/* The components of a texel that the write mask asks for through a swizzle
 * (NULL: none). */
unsigned tex_components(const struct tr *t, const uint8_t swizzle[4]);
/* A texel by the integer address in source 0; sample and level may be NULL. */
void tex_fetch(struct tr *t, const struct tex_target *tt, unsigned view, ir_val sample, ir_val lod,
               const uint8_t swizzle[4]);
void tex_size(struct tr *t, const struct tex_target *tt, unsigned view, ir_val v[4]);
/* Facts out of a descriptor: elements of a buffer (V#), samples (T#). */
ir_val tex_buffer_records(struct tr *t, ir_val desc);
ir_val tex_samples(struct tr *t, ir_val desc);
/* Stores the components of a result made with `dmask`. */
void tex_store(struct tr *t, ir_val result, unsigned dmask, const uint8_t swizzle[4]);

#endif
