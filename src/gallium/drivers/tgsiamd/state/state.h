/* SPDX-License-Identifier: MIT */
/* State objects: registers worked out when the object is created. */
#ifndef TGSIAMD_STATE_H
#define TGSIAMD_STATE_H

#include "pipe/p_state.h"
#include "tgsiamd/abi.h"

struct tgsiamd_context;

struct tgsiamd_blend {
   uint32_t cb_blend_control[8];   /* R_028780 */
   uint32_t cb_color_control;      /* R_028808 */
   uint32_t cb_target_mask;        /* R_028238, before unbound buffers are masked out */
   uint32_t db_alpha_to_mask;      /* R_028B70 */
   uint32_t enabled;               /* bit per colour buffer that blends */
   uint32_t needs_alpha;           /* ... and reads the source alpha */
   bool alpha_to_coverage, alpha_to_one, dual_src;
};

struct tgsiamd_dsa {
   uint32_t db_depth_control;      /* R_028800 */
   uint32_t db_stencil_control;    /* R_02842C */
   uint8_t value_mask[2], write_mask[2];
   float depth_bounds[2];
   bool depth_bounds_test;
   bool writes;                    /* depth or stencil may change */
};

struct tgsiamd_rasterizer {
   struct pipe_rasterizer_state state;
   uint32_t pa_su_sc_mode_cntl;    /* R_028814 */
   uint32_t pa_cl_clip_cntl;       /* R_028810 */
   uint32_t pa_su_point_size, pa_su_point_minmax, pa_su_line_cntl; /* R_028A00.. */
   uint32_t pa_sc_line_stipple;    /* R_028A0C */
   uint32_t pa_sc_mode_cntl_0;     /* R_028A48 */
   uint32_t pa_sc_edgerule;        /* R_028230 */
   uint32_t spi_interp_control;    /* R_0286D4 */
   float max_point_size;
   bool poly_offset;
};

struct tgsiamd_vertex_elements {
   unsigned count;
   struct pipe_vertex_element elem[TGSIAMD_MAX_VERTEX_ELEMENTS];
   uint32_t word3[TGSIAMD_MAX_VERTEX_ELEMENTS]; /* SQ_BUF_RSRC_WORD3 */
   uint8_t size[TGSIAMD_MAX_VERTEX_ELEMENTS];   /* bytes fetched */
   uint8_t fix_alpha[TGSIAMD_MAX_VERTEX_ELEMENTS];
   struct tgsiamd_vertex_fetch fetch[TGSIAMD_MAX_VERTEX_ELEMENTS];
};

struct tgsiamd_sampler {
   uint32_t words[4];              /* SQ_IMG_SAMP_WORD0..3 */
};

struct tgsiamd_sampler_view {
   struct pipe_sampler_view base;
   uint32_t words[8];              /* T#, or V# in words 4..7; without the address */
   uint64_t plane_offset;          /* bytes from the resource's address */
};

void tgsiamd_init_state_blend(struct tgsiamd_context *ctx);
void tgsiamd_init_state_dsa(struct tgsiamd_context *ctx);
void tgsiamd_init_state_rasterizer(struct tgsiamd_context *ctx);
void tgsiamd_init_state_framebuffer(struct tgsiamd_context *ctx);
void tgsiamd_init_state_vertex(struct tgsiamd_context *ctx);
const struct tgsiamd_vertex_fetch *tgsiamd_vertex_fetch(const struct tgsiamd_context *ctx);
void tgsiamd_init_state_sampler(struct tgsiamd_context *ctx);
void tgsiamd_init_state_view(struct tgsiamd_context *ctx);
void tgsiamd_init_state_const(struct tgsiamd_context *ctx);
void tgsiamd_init_state_storage(struct tgsiamd_context *ctx);
/* T# (or V# in words 4..7) of a shader image without its address; *plane_offset
 * as in tgsiamd_sampler_view. False when the format has no hardware form. */
bool tgsiamd_image_words(struct tgsiamd_context *ctx, const struct pipe_image_view *image,
                         uint32_t words[8], uint64_t *plane_offset);
/* The same of a colour buffer, for FBFETCH; `layered`: as an array in any case. */
bool tgsiamd_surface_image_words(struct tgsiamd_context *ctx, const struct pipe_surface *surf, bool layered,
                                 uint32_t words[8], uint64_t *plane_offset);
void tgsiamd_init_state_shader(struct tgsiamd_context *ctx);

#endif
