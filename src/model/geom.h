/* SPDX-License-Identifier: MIT */
/* Messages between the geometry blocks: VGT -> SPI -> PA -> SC -> DB -> SPI.
 * gpu/pipeline.c carries them; no block includes another one's header. */
#ifndef MODEL_GEOM_H
#define MODEL_GEOM_H

#include "msg.h"

/* Window coordinates are fixed point with 12 fractional bits, the finest of
 * PA_SU_VTX_CNTL.QUANT_MODE; coarser modes use some of the values. Pixel centres
 * lie at one half. */
#define GEOM_SUBPIX_BITS 12
#define GEOM_SUBPIX      (1 << GEOM_SUBPIX_BITS)
#define GEOM_MAX_PARAMS  32
#define GEOM_BATCH_PRIMS 256

/* VGT -> SPI, PA: vertices of one VS wave and the primitives that use them. */
enum geom_prim { GEOM_POINTS, GEOM_LINES, GEOM_TRIANGLES, GEOM_RECTS };

struct msg_vgt_prim {
   uint8_t v[6];        /* lanes of the wave; more than 3 only with adjacency */
   uint8_t provoking;   /* which of v[] */
   uint8_t edges;       /* bit i: v[i] -> v[i + 1] is an edge of the polygon */
   uint8_t start;       /* first primitive of a line strip: stipple starts anew */
   uint32_t prim_id;
};

struct msg_vgt_batch {
   enum geom_prim kind;
   unsigned num_verts, num_prims;
   unsigned prim_verts; /* vertices of each primitive */
   /* What the shader gets per vertex. After tessellation: u and v as floats,
    * the patch's number in its group and its primitive id. */
   uint32_t vertex_id[64], instance_id[64], prim_id[64], fourth[64];
   struct msg_vgt_prim prims[GEOM_BATCH_PRIMS];
};

/* VGT -> SPI: where a wave's vertices go in the streamout buffers. */
struct msg_streamout {
   unsigned stream;
   unsigned num_vertices;     /* of the wave, from lane 0, that have room */
   uint32_t offset[4];        /* of each buffer, dwords */
};

/* VGT -> SPI: patches of one LS-HS group. */
#define GEOM_MAX_PATCH_VERTS 4096
struct msg_patches {
   unsigned num_patches, in_points, out_points;
   uint32_t instance_id;
   uint32_t vertex_id[GEOM_MAX_PATCH_VERTS]; /* patch by patch */
   uint32_t prim_id[256];
};

/* GS -> VGT: what the threads of a geometry shader group emitted. */
#define GEOM_GS_MAX_THREADS 128
#define GEOM_GS_MAX_VERTS   1024
struct msg_gs_out {
   unsigned num_threads;
   uint16_t count[4][GEOM_GS_MAX_THREADS];     /* vertices, by stream */
   /* cut[stream][thread][n]: the strip ends before vertex n */
   uint8_t cut[4][GEOM_GS_MAX_THREADS][GEOM_GS_MAX_VERTS + 1];
   uint32_t prim_id[GEOM_GS_MAX_THREADS];
};

/* What a VS wave exported: position slots and the parameter cache. */
struct msg_vs_out {
   uint32_t pos[4][4][64];
   uint32_t param[GEOM_MAX_PARAMS][4][64];
   uint64_t pos_lanes[4];     /* lanes that exported the slot */
   uint64_t param_lanes[GEOM_MAX_PARAMS];
};

/* A value that is linear in window space: v = c + dx * (x - x0) + dy * (y - y0)
 * in pixels from the primitive's origin. */
struct geom_plane { double c, dx, dy; };

enum sc_kind {
   SC_POLYGON, /* convex, num_verts corners */
   SC_LINE,    /* aliased line by the diamond rule: corners 0 and 1 */
};

/* PA -> SC: one primitive in window space. */
struct msg_sc_prim {
   enum sc_kind kind;
   enum geom_prim orig;       /* for SPI: points get sprite coordinates */
   unsigned num_verts;
   int32_t x[4], y[4];        /* fixed point */
   float line_width;          /* pixels, SC_LINE */
   double x0, y0;             /* origin of the planes */
   struct geom_plane z;       /* window depth */
   struct geom_plane rw;      /* 1/w */
   struct geom_plane pi, pj;  /* barycentrics of vertices 1 and 2, over w */
   struct geom_plane li, lj;  /* barycentrics, linear in window space */
   bool affine;               /* w is the same everywhere */
   bool front;
   bool stipple_start;        /* first line of a strip */
   /* Points: pi, pj run over the point, 0..1 and downwards; parameters are
    * those at the barycentrics point_b of the primitive. */
   bool sprite;
   double point_b[2];
   uint8_t viewport;
   uint16_t layer;
   float z_min, z_max;        /* depth clamp */
   /* where the parameters are; valid during the call only */
   const struct msg_vs_out *vs;
   uint8_t lane[3];
   uint8_t provoking;         /* which of lane[] */
   uint32_t prim_id;
   uint64_t serial;           /* differs between all primitives */
};

/* SC -> DB -> SPI: 2x2 pixels of a primitive. Pixel i is (x + (i & 1), y + (i >> 1)). */
struct msg_quad {
   const struct msg_sc_prim *prim;
   int16_t x, y;              /* even */
   uint16_t cover[4];         /* samples inside, bit s */
   uint16_t input_cover[4];   /* the same before the split into runs per sample */
   uint8_t iter;              /* which sample is shaded when the shader runs per sample */
};

/* SPI -> DB, CB: a pixel wave's result, quads in order, lane 4q + i. */
struct msg_pixels {
   unsigned num_quads;
   const struct msg_quad *quads;      /* with copies of their primitives; valid during the call */
   uint64_t valid;                    /* lanes that were not killed */
   const uint32_t (*color[8])[64];    /* [4][64] per target, NULL: not exported */
   uint8_t color_en[8];
   bool color_compr[8];
   const uint32_t (*mrtz)[64];        /* [4][64]; NULL: not exported */
   uint8_t mrtz_en;
   bool mrtz_compr;
};

/* Sample positions of the current draw: 1/16 pixel from the pixel's centre,
 * for the 2x2 pixels of a quad. */
struct geom_samples {
   unsigned num, log2;
   int8_t x[4][16], y[4][16];
   uint8_t centroid_order[16];
   unsigned ps_iter;          /* times the shader runs per pixel */
};

static inline uint32_t geom_fui(float f) { union { float f; uint32_t u; } v = { .f = f }; return v.u; }
static inline float geom_uif(uint32_t u) { union { float f; uint32_t u; } v = { .u = u }; return v.f; }
static inline double geom_plane_at(const struct geom_plane *p, double x, double y)
{
   return p->c + p->dx * x + p->dy * y;
}

#endif
