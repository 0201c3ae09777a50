/* SPDX-License-Identifier: MIT */
#ifndef MODEL_SC_INTERNAL_H
#define MODEL_SC_INTERNAL_H

#include "sc.h"

struct sc_rect { int x0, y0, x1, y1; }; /* x1, y1 exclusive */

struct sc {
   struct geom_samples samples;
   bool msaa;                 /* coverage per sample, otherwise by the centre */
   int conservative;          /* triangles get pixels that: 1 they touch, -1 they cover; 0 off */
   uint16_t all_samples;
   uint16_t aa_mask[4];       /* per pixel of a quad */
   bool aa_mask_full;
   struct sc_rect scissor[16]; /* per viewport */
   bool cliprects;
   uint16_t clip_rule;
   struct sc_rect cliprect[4];
   /* lines */
   uint32_t line_cntl, stipple_reg;
   bool stipple, line_bottom_rule;
   unsigned stipple_pos;
};

/* Applies AA mask and clip rectangles, then passes on the quads of which something is left. */
void sc_send(const struct sc *sc, struct msg_quad *quads, unsigned num, const struct sc_sink *sink);
void sc_polygon(const struct sc *sc, const struct msg_sc_prim *prim, const struct sc_sink *sink);
void sc_stippled_polygon(struct sc *sc, const struct msg_sc_prim *prim, const struct sc_sink *sink);
void sc_line(struct sc *sc, const struct msg_sc_prim *prim, const struct sc_sink *sink);

#endif
