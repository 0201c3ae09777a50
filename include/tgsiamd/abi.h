/* SPDX-License-Identifier: MIT */
/* What the driver puts into registers and memory before a shader starts, as
 * the compiler expects it. Compiler and driver both include it; the model
 * never does. docs/abi.md explains it. */
#ifndef TGSIAMD_ABI_H
#define TGSIAMD_ABI_H

/* User SGPRs. Each list is a 64-bit address of an array of descriptors in memory
 * that scalar loads can read (16-byte aligned):
 *    INTERNAL  V# array of TGSIAMD_INTERNAL_*: scratch, rings, tables
 *    BUFFERS   V# array: constant buffers, shader buffers, buffers of atomic counters
 *    TEXTURES  T#/S# slots of sampler views
 *    IMAGES    T# array of shader images
 * What most programs of a stage read comes first: a wave starts with the SGPRs up
 * to the last one that its program reads (tgsiamd_shader_info.num_user_sgprs, at
 * least INTERNAL, which spilling may need), and system SGPRs follow there. */
#define TGSIAMD_SGPR_INTERNAL 0
/* Vertex shader. V#s aligned as instructions want them. */
#define TGSIAMD_SGPR_VS_BASE_VERTEX    2
#define TGSIAMD_SGPR_VS_START_INSTANCE 3
#define TGSIAMD_SGPR_VS_VERTEX(i)      (4 + 4 * (i)) /* V# of the first vertex elements; not in merged programs */
#define TGSIAMD_NUM_VERTEX_IN_SGPRS    3
#define TGSIAMD_SGPR_VS_CONST0         16 /* V# of constant buffer 0 */
#define TGSIAMD_SGPR_VS_VERTEX_BUFFERS 20 /* V# per vertex element */
#define TGSIAMD_SGPR_VS_BUFFERS        22
#define TGSIAMD_SGPR_VS_TEXTURES       24
#define TGSIAMD_SGPR_VS_IMAGES         26
#define TGSIAMD_SGPR_VS_DRAW_ID        28
#define TGSIAMD_NUM_SGPR_VS            29
/* Vertex and geometry shader in one program (the merged stage of GFX9): user
 * SGPRs start behind eight of the system. First the vertex shader's as above, in
 * place of its V#s the geometry shader's own lists. INTERNAL serves both halves. */
#define TGSIAMD_SGPR_MERGED_BASE 8
#define TGSIAMD_SGPR_GS_BUFFERS  4
#define TGSIAMD_SGPR_GS_TEXTURES 6
#define TGSIAMD_SGPR_GS_IMAGES   8
#define TGSIAMD_NUM_SGPR_GS      TGSIAMD_NUM_SGPR_VS
/* Pixel shader; PRIM_MASK (M0 for interpolation) follows as the first system SGPR. */
#define TGSIAMD_SGPR_PS_TEXTURES       2
#define TGSIAMD_SGPR_PS_CONST0         4  /* V# of constant buffer 0 */
#define TGSIAMD_SGPR_PS_BUFFERS        8
#define TGSIAMD_SGPR_PS_IMAGES         10
#define TGSIAMD_NUM_SGPR_PS            12
/* Compute shader; workgroup ids follow as system SGPRs (TGID_X, Y, Z in order). */
#define TGSIAMD_SGPR_CS_BUFFERS        2
#define TGSIAMD_SGPR_CS_TEXTURES       4
#define TGSIAMD_SGPR_CS_IMAGES         6
#define TGSIAMD_SGPR_CS_GRID_SIZE      8  /* three dwords */
#define TGSIAMD_SGPR_CS_BLOCK_SIZE     11 /* three dwords, only read by variable-size blocks */
#define TGSIAMD_NUM_SGPR_CS            14

/* BUFFERS list, 16 bytes an entry. */
#define TGSIAMD_MAX_CONST_BUFFERS  16
#define TGSIAMD_MAX_SHADER_BUFFERS 32
#define TGSIAMD_CONST_BUFFER_OFFSET(i)  ((i) * 16)
#define TGSIAMD_SHADER_BUFFER_OFFSET(i) ((TGSIAMD_MAX_CONST_BUFFERS + (i)) * 16)
#define TGSIAMD_MAX_HW_ATOMIC_BUFFERS 32 /* HWATOMIC[i]: a dword a counter */
#define TGSIAMD_HW_ATOMIC_BUFFER_OFFSET(i) TGSIAMD_SHADER_BUFFER_OFFSET(TGSIAMD_MAX_SHADER_BUFFERS + (i))

/* TEXTURES list: a slot of 64 bytes holds T# (32 bytes; a V# in its bytes 16..31
 * for buffer textures), then S# (16 bytes) and 16 bytes unused. MSAA views have
 * their FMASK T# in a second array behind. */
#define TGSIAMD_MAX_SAMPLERS 32
#define TGSIAMD_TEXTURE_OFFSET(i) ((i) * 64)
#define TGSIAMD_SAMPLER_OFFSET(i) ((i) * 64 + 32)
#define TGSIAMD_FMASK_OFFSET(i)   (TGSIAMD_MAX_SAMPLERS * 64 + (i) * 32)
#define TGSIAMD_BUFFER_TEXTURE_OFFSET(i) ((i) * 64 + 16)
/* A bindless handle is the GPU address of such a slot, 16-byte aligned, with the
 * FMASK T# (zero: none) right behind; of an image, the address of its T#. */
#define TGSIAMD_HANDLE_FMASK_OFFSET 64
#define TGSIAMD_TEXTURE_HANDLE_BYTES 96

#define TGSIAMD_MAX_IMAGES 16
#define TGSIAMD_IMAGE_OFFSET(i) ((i) * 32)

#define TGSIAMD_MAX_VERTEX_ELEMENTS 32
#define TGSIAMD_VERTEX_BUFFER_OFFSET(i) ((i) * 16)

/* INTERNAL list, 16 bytes an entry. */
#define TGSIAMD_INTERNAL_SCRATCH     0 /* swizzled V# of the scratch ring */
#define TGSIAMD_INTERNAL_SAMPLE_POS  1 /* float2 per sample, tables for 1,2,4,8,16 samples */
#define TGSIAMD_INTERNAL_STREAMOUT(i) (2 + (i)) /* 4 streamout targets */
#define TGSIAMD_INTERNAL_GSVS_RING   6 /* what geometry shaders emit: raw V# of the whole ring */
#define TGSIAMD_INTERNAL_FB_SAMPLES  7 /* float2 per sample of the framebuffer: raw V#, 8 bytes a sample */
#define TGSIAMD_INTERNAL_CS_INPUT    8 /* raw V# of a kernel's arguments */
#define TGSIAMD_INTERNAL_GLOBAL      9 /* raw V# of the window that 32-bit global addresses count in */
#define TGSIAMD_INTERNAL_FB_SLICES   10 /* a dword for each of 8 colour buffers: where layers count from (3D) */
#define TGSIAMD_INTERNAL_FBFETCH(i)  (12 + 2 * (i)) /* T# of colour buffer i */
#define TGSIAMD_NUM_INTERNAL         28

#endif
