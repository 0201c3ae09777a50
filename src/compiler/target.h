/* SPDX-License-Identifier: MIT */
/* What a generation offers to instruction selection and later passes. Passes
 * ask the target; they never compare generations. */
#ifndef TGSIAMD_TARGET_H
#define TGSIAMD_TARGET_H

#include "mir.h"

#define TGT_REV_SRC  (1u << 0) /* valu takes sources 0 and 1 exchanged (shifts) */
#define TGT_ADD_0    (1u << 1) /* needs a last source of 0 (v_bcnt) */
#define TGT_NO_SMODS (1u << 2) /* neg/abs are not possible on the sources */

/* Operation row: ISA_OP_COUNT where there is none. */
struct target_alu {
   uint16_t valu;
   uint16_t swapped; /* same with sources exchanged: sub/subrev, lt/gt */
   uint16_t salu;
   uint8_t flags;
};

/* MIMG op for a texture operation's variant. */
struct target_sample {
   uint8_t op;       /* enum ir_tex_op */
   uint8_t srcs;     /* IR_TEX_SRC_{OFFSET,BIAS,COMPARE,DERIVS,LOD} */
   uint8_t lod_zero;
   uint16_t isa_op;
};

struct compiler_target {
   enum tgsiamd_gfx gfx;
   const struct target_alu *alu;     /* by enum ir_op */
   const struct target_sample *samples;
   unsigned num_samples;
   unsigned max_sgprs;               /* allocatable, VCC not counted */
   unsigned max_vgprs;
   unsigned max_smem_offset;         /* largest immediate of scalar loads */
   bool smem_adds_both;              /* an SGPR and an immediate, without wrapping */
   unsigned max_mubuf_offset;
   unsigned max_scratch_dwords;      /* of a lane: what the field for a wave's size can say */
   unsigned prefetch_pad_dwords;     /* behind s_endpgm */
   bool tex_1d_is_2d;                /* 1D images are 2D ones of height 1 */
   uint32_t float_mode;              /* RSRC1.FLOAT_MODE: f32 flushes, f16/f64 keep denormals */
};

/* NULL when the compiler cannot make code for `gfx`. */
const struct compiler_target *compiler_target(enum tgsiamd_gfx gfx);
extern const struct compiler_target compiler_target_gfx9;

#endif
