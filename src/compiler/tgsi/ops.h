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
#define TR_TEX_COMPARE 16u
#define TR_TEX_DERIVS  32u
#define TR_TEX_GATHER  64u

enum tr_vote { TR_VOTE_ANY, TR_VOTE_ALL, TR_VOTE_EQ };

/* op of 64-bit rows */
enum tr_d_special {
   TR_D_ABS, TR_D_NEG, TR_D_RCP, TR_D_RSQ, TR_D_SQRT, TR_D_DIV, TR_D_SSG,
};
enum tr_i64 {
   TR_I64_MUL, TR_I64_NEG, TR_I64_ABS, TR_I64_SSG,
   TR_I64_IMIN, TR_I64_IMAX, TR_I64_UMIN, TR_I64_UMAX,
   TR_I64_FROM_U32, TR_I64_FROM_I32, TR_I64_FROM_F_U, TR_I64_FROM_F_I,
   TR_I64_FROM_D_U, TR_I64_FROM_D_I,
};

/* clang-format off */
#define TR_HANDLERS(X)                                                          \
   /* alu.c */                                                                  \
   X(alu) X(alu_repl) X(mov) X(mul) X(mad) X(fset) X(iset) X(pow) X(lit) X(exp) \
   X(log) X(dst) X(dp) X(lrp) X(cmp) X(ssg) X(div) X(sincos) X(ldexp) X(arl)    \
   X(arr) X(pk2h) X(up2h) X(pk_norm) X(up_norm)                                 \
   /* int.c */                                                                  \
   X(umad) X(ucmp) X(issg) X(bfe) X(bfi) X(msb)                      \
   /* flow.c */                                                                 \
   X(if) X(uif) X(else) X(endif) X(bgnloop) X(endloop) X(brk) X(cont) X(switch) \
   X(case) X(default) X(endswitch) X(cal) X(ret) X(nop)                         \
   /* tex.c, tex_fetch.c, tex_sample.c */                                       \
   X(tex) X(txd) X(tg4) X(lodq) X(txf) X(txq) X(txqs) X(sample) X(sample_i)     \
   X(sviewinfo) X(lod)                                                          \
   /* misc.c */                                                                 \
   X(deriv) X(kill) X(kill_if) X(read_helper) X(interp_centroid)                \
   X(interp_offset) X(ballot) X(vote)                                           \
   /* double.c, int64.c */                                                      \
   X(d_alu) X(d_mad) X(d_special) X(d_cmp) X(d_from) X(d_to) X(d_ldexp)         \
   X(d_fracexp) X(i64) X(i64_alu) X(i64_shift) X(i64_cmp) X(i64_from)        \
   X(i64_to_f) X(i64_to_d)                                                      \
   /* buffer.c */                                                               \
   X(load) X(store) X(atomic) X(resq) X(barrier) X(membar)                    \
   /* lanes.c, framebuffer.c, handles of textures and images */                 \
   X(read_invoc) X(clock) X(interp_sample) X(sample_info) X(sample_pos)         \
   X(fbfetch) X(samp2hnd) X(img2hnd)                                            \
   /* gs.c */                                                                   \
   X(emit) X(endprim)
/* clang-format on */
#define X(name) void tr_op_##name(struct tr *t);
TR_HANDLERS(X)
#undef X
/* misc.c: an input (source 0) at an offset from the pixel's centre. */
void tr_interp_moved(struct tr *t, const ir_val off[2]);

#endif
