/* SPDX-License-Identifier: MIT */
#ifndef MODEL_PA_INTERNAL_H
#define MODEL_PA_INTERNAL_H

#include "pa.h"

#define PA_MAX_VERTS 32   /* 3 and one more for every plane */

struct pa_viewport {
   float scale[3], offset[3];
   float z_min, z_max;
};

/* A vertex between clip space and set-up. */
struct pa_vert {
   double pos[4];
   double dist[14];        /* user planes 0..5, clip distances 6..13 */
   double b1, b2;          /* barycentrics within the primitive as it came */
   double l1, l2;          /* the same for what is linear on the screen */
   bool edge;              /* the edge to the next vertex is one of the polygon */
   float psize;
   /* window */
   int32_t x, y;
   double z, rw;
};

struct pa {
   /* derived at begin_draw */
   struct pa_viewport vport[16];
   float ucp[6][4];
   uint32_t vte, clip, vs_out, mode, vtx_cntl;
   double gb_clip[2], gb_disc[2];   /* horizontal, vertical */
   unsigned dist_mask;              /* entries of pa_vert.dist that clip */
   unsigned cull_mask;              /* clip and cull distances that cull, bits 0..7 */
   unsigned ucp_mask;
   bool cull_only;                  /* user planes cull, but do not clip */
   int misc_slot, cc_slot[2];       /* position export that has it, -1 none */
   int32_t window_offset[2];        /* fixed point */
   float offset_scale[2], offset_units[2], offset_clamp; /* front, back */
   int db_bits;
   bool db_float;
   double point_size[2], point_min, point_max; /* half sizes: width, height */
   double line_width;
   uint32_t line_cntl;
   bool msaa, over_rast;
   /* the primitive at hand */
   const struct model_env *env;
   const struct pa_sink *sink;
   const struct msg_vs_out *vs;
   const struct msg_vgt_prim *src;
   struct msg_sc_prim out;          /* fields that all its parts share are set */
   uint64_t serial;
   uint64_t prims_in, prims_out;
};

/* clip.c: cuts v[0..n) by the enabled planes; returns the vertices left. */
unsigned pa_clip_polygon(const struct pa *pa, struct pa_vert *v, unsigned n);
unsigned pa_clip_line(const struct pa *pa, struct pa_vert v[2]);
bool pa_point_inside(const struct pa *pa, const struct pa_vert *v);
/* True when no part can be visible. */
bool pa_reject(const struct pa *pa, const struct pa_vert *v, unsigned n);
void pa_interpolate(struct pa_vert *r, const struct pa_vert *a, const struct pa_vert *b, double t);

/* viewport.c: pos to window coordinates. */
void pa_to_window(const struct pa *pa, struct pa_vert *v);

/* setup.c, lines.c: vertices are in window space. */
void pa_setup_polygon(struct pa *pa, struct pa_vert *v, unsigned n);
void pa_setup_rect(struct pa *pa, struct pa_vert v[3]);
void pa_setup_line(struct pa *pa, const struct pa_vert *a, const struct pa_vert *b, double z_offset);
void pa_setup_point(struct pa *pa, const struct pa_vert *v, double z_offset);
void pa_emit(struct pa *pa, const struct msg_sc_prim *prim);

#endif
