/* SPDX-License-Identifier: MIT */
/* The handlers that the table of opcodes (ops.c) names. */
#ifndef TGSIAMD_TGSI_OPS_H
#define TGSIAMD_TGSI_OPS_H

#include "tr.h"

/* arg of texture rows */
#define TR_TEX_BIAS 1u
#define TR_TEX_LOD  2u
#define TR_TEX_PROJ 4u
#define TR_TEX_LZ   8u

/* clang-format off */
#define TR_HANDLERS(X)                                                          \
   /* alu.c */                                                                  \
   X(alu) X(alu_repl) X(mov) X(mul) X(mad) X(fset) X(iset) X(pow) X(lit) X(exp) \
   X(log) X(dst) X(dp) X(lrp) X(cmp) X(ssg) X(div) X(sincos) X(ldexp) X(arl)    \
   X(arr) X(pk2h) X(up2h) X(pk_norm) X(up_norm)                                 \
   /* int.c */                                                                  \
   X(umad) X(ucmp) X(issg) X(idivmod) X(bfe) X(bfi) X(msb)                      \
   /* flow.c */                                                                 \
   X(if) X(uif) X(else) X(endif) X(bgnloop) X(endloop) X(brk) X(cont) X(switch) \
   X(case) X(default) X(endswitch) X(cal) X(ret) X(nop)                         \
   /* tex.c, tex_fetch.c */                                                     \
   X(tex) X(txd) X(tg4) X(lodq) X(txf) X(txq) X(txqs)                           \
   /* misc.c */                                                                 \
   X(deriv) X(kill) X(kill_if) X(read_helper) X(interp_centroid)                \
   X(interp_offset) X(ballot)
/* clang-format on */
#define X(name) void tr_op_##name(struct tr *t);
TR_HANDLERS(X)
#undef X

#endif
