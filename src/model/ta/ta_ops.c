/* SPDX-License-Identifier: MIT */
/* Image opcodes as data: which parts their address has (Vega ISA, "Vector
 * Memory Operations": offset, bias, z-compare, derivatives, body, LOD or clamp)
 * and the atomic operations. */
#include "ta_internal.h"

#define S(name, ...) [ISA_IMAGE_##name] = { .kind = TA_SAMPLE, __VA_ARGS__ },
#define G(name, ...) [ISA_IMAGE_##name] = { .kind = TA_GATHER, __VA_ARGS__ },
#define C .compare = true
#define O .offset = true
#define D .derivs = true
#define B .bias = true
#define L .lod = true
#define LZ .lz = true
#define CL .clamp = true
#define A(name, a) [ISA_IMAGE_ATOMIC_##name] = { .kind = TA_ATOMIC, .atomic = a },

static const struct ta_image_info infos[ISA_OP_COUNT] = {
   S(SAMPLE, ) S(SAMPLE_CL, CL) S(SAMPLE_D, D) S(SAMPLE_D_CL, D, CL) S(SAMPLE_L, L) S(SAMPLE_B, B)
   S(SAMPLE_B_CL, B, CL) S(SAMPLE_LZ, LZ)
   S(SAMPLE_C, C) S(SAMPLE_C_CL, C, CL) S(SAMPLE_C_D, C, D) S(SAMPLE_C_D_CL, C, D, CL) S(SAMPLE_C_L, C, L)
   S(SAMPLE_C_B, C, B) S(SAMPLE_C_B_CL, C, B, CL) S(SAMPLE_C_LZ, C, LZ)
   S(SAMPLE_O, O) S(SAMPLE_CL_O, O, CL) S(SAMPLE_D_O, O, D) S(SAMPLE_D_CL_O, O, D, CL) S(SAMPLE_L_O, O, L)
   S(SAMPLE_B_O, O, B) S(SAMPLE_B_CL_O, O, B, CL) S(SAMPLE_LZ_O, O, LZ)
   S(SAMPLE_C_O, O, C) S(SAMPLE_C_CL_O, O, C, CL) S(SAMPLE_C_D_O, O, C, D) S(SAMPLE_C_D_CL_O, O, C, D, CL)
   S(SAMPLE_C_L_O, O, C, L) S(SAMPLE_C_B_O, O, C, B) S(SAMPLE_C_B_CL_O, O, C, B, CL) S(SAMPLE_C_LZ_O, O, C, LZ)
   /* coarse derivatives: the same addresses */
   S(SAMPLE_CD, D) S(SAMPLE_CD_CL, D, CL) S(SAMPLE_C_CD, C, D) S(SAMPLE_C_CD_CL, C, D, CL)
   S(SAMPLE_CD_O, O, D) S(SAMPLE_CD_CL_O, O, D, CL) S(SAMPLE_C_CD_O, O, C, D) S(SAMPLE_C_CD_CL_O, O, C, D, CL)
   G(GATHER4, ) G(GATHER4_CL, CL) G(GATHER4_L, L) G(GATHER4_B, B) G(GATHER4_B_CL, B, CL) G(GATHER4_LZ, LZ)
   G(GATHER4_C, C) G(GATHER4_C_CL, C, CL) G(GATHER4_C_L, C, L) G(GATHER4_C_B, C, B) G(GATHER4_C_B_CL, C, B, CL)
   G(GATHER4_C_LZ, C, LZ)
   G(GATHER4_O, O) G(GATHER4_CL_O, O, CL) G(GATHER4_L_O, O, L) G(GATHER4_B_O, O, B) G(GATHER4_B_CL_O, O, B, CL)
   G(GATHER4_LZ_O, O, LZ)
   G(GATHER4_C_O, O, C) G(GATHER4_C_CL_O, O, C, CL) G(GATHER4_C_L_O, O, C, L) G(GATHER4_C_B_O, O, C, B)
   G(GATHER4_C_B_CL_O, O, C, B, CL) G(GATHER4_C_LZ_O, O, C, LZ)
   [ISA_IMAGE_GET_LOD] = { .kind = TA_GET_LOD },
   [ISA_IMAGE_LOAD] = { .kind = TA_LOAD },
   [ISA_IMAGE_LOAD_MIP] = { .kind = TA_LOAD, .mip = true },
   [ISA_IMAGE_STORE] = { .kind = TA_STORE },
   [ISA_IMAGE_STORE_MIP] = { .kind = TA_STORE, .mip = true },
   [ISA_IMAGE_LOAD_PCK] = { .kind = TA_LOAD_PCK },
   [ISA_IMAGE_LOAD_PCK_SGN] = { .kind = TA_LOAD_PCK, .sign = true },
   [ISA_IMAGE_LOAD_MIP_PCK] = { .kind = TA_LOAD_PCK, .mip = true },
   [ISA_IMAGE_LOAD_MIP_PCK_SGN] = { .kind = TA_LOAD_PCK, .mip = true, .sign = true },
   [ISA_IMAGE_STORE_PCK] = { .kind = TA_STORE_PCK },
   [ISA_IMAGE_STORE_MIP_PCK] = { .kind = TA_STORE_PCK, .mip = true },
   [ISA_IMAGE_GET_RESINFO] = { .kind = TA_RESINFO },
   A(SWAP, ATOMIC_SWAP) A(CMPSWAP, ATOMIC_CMPSWAP) A(ADD, ATOMIC_ADD) A(SUB, ATOMIC_SUB)
   A(SMIN, ATOMIC_SMIN) A(UMIN, ATOMIC_UMIN) A(SMAX, ATOMIC_SMAX) A(UMAX, ATOMIC_UMAX)
   A(AND, ATOMIC_AND) A(OR, ATOMIC_OR) A(XOR, ATOMIC_XOR) A(INC, ATOMIC_INC) A(DEC, ATOMIC_DEC)
};

const struct ta_image_info *ta_image_info(unsigned op)
{
   if (op >= ISA_OP_COUNT)
      return NULL;
   const struct ta_image_info *i = &infos[op];
   /* TA_SAMPLE is 0, as is a hole; a plain sample has no flag at all. */
   if (i->kind == TA_SAMPLE && op != ISA_IMAGE_SAMPLE && !i->offset && !i->bias && !i->compare && !i->derivs &&
       !i->lod && !i->lz && !i->clamp)
      return NULL;
   return i;
}
