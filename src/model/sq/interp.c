/* SPDX-License-Identifier: MIT */
/* VINTRP and the 16-bit interpolation of VOP3: parameters come from the
 * primitive of each quad (msg.h), barycentrics from VGPRs. */
#include "valu.h"

#define ALIGNED __attribute__((aligned(64)))

/* Parameter `p` (0 P0, 1 P10, 2 P20) of the lane's quad, per lane. */
static void parameter(struct sq_wave *w, const struct sq_inst *i, unsigned p, uint32_t *out)
{
   const struct sq_wave_init *init = w->init;
   unsigned attr = i->isa.attr, chan = i->isa.chan;
   if (attr >= init->num_attrs) {
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_STATE, "attribute %u is interpolated, the primitive has %u", attr,
                      init->num_attrs);
      memset(out, 0, 256);
      return;
   }
   if (w->one_primitive) {
      sq_broadcast(out, init->quad_attrs[0][attr][chan][p]);
      return;
   }
   for (unsigned q = 0; q < 16; q++) {
      uint32_t v = init->quad_attrs[q] ? init->quad_attrs[q][attr][chan][p] : 0;
      out[4 * q] = out[4 * q + 1] = out[4 * q + 2] = out[4 * q + 3] = v;
   }
}

SQ_KERNEL k_fma(struct sq_valu *x)
{
   SQ_OPERANDS(x)
   SQ_LANE_LOOP {
      float a = sq_f(A[l]), b = sq_f(B[l]), c = sq_f(C[l]);
      D[l] = sq_nan32(__builtin_fmaf(a, b, c), a, b, c);
   }
}

static void result(struct sq_wave *w, const struct sq_inst *i, const uint32_t *d, uint64_t def)
{
   uint64_t exec = sq_exec(w);
   sq_blend(w->vgpr[i->dst], d, sq_exec_words(w, exec), 1);
   w->vdef[i->dst] = (w->vdef[i->dst] & ~exec) | (def & exec);
}

/* D = a * parameter p + c */
static void interpolate(struct sq_wave *w, const struct sq_inst *i, unsigned p, const uint32_t *c, uint64_t def)
{
   uint32_t par[64] ALIGNED, d[64] ALIGNED;
   struct sq_valu x = {.d = d, .a = par, .b = w->vgpr[i->src[0].reg], .c = c, .mode = w->mode};
   sq_need_sgpr(w, i, ISA_M0, 1, "primitive mask in M0");
   parameter(w, i, p, par);
   sq_fp_use(w, SQ_FP_MAD);
   k_fma(&x);
   result(w, i, d, def & w->vdef[i->src[0].reg]);
}
static void h_p1(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t p0[64] ALIGNED;
   parameter(w, i, 0, p0);
   interpolate(w, i, 1, p0, ~0ull);
}
static void h_p2(struct sq_wave *w, const struct sq_inst *i)
{
   interpolate(w, i, 2, w->vgpr[i->dst], w->vdef[i->dst]);
}
static void h_mov(struct sq_wave *w, const struct sq_inst *i)
{
   static const uint8_t which[3] = {1, 2, 0}; /* P10, P20, P0 */
   uint32_t d[64] ALIGNED;
   unsigned sel = i->isa.src[0];
   sq_need_sgpr(w, i, ISA_M0, 1, "primitive mask in M0");
   parameter(w, i, which[sel < 3 ? sel : 2], d);
   result(w, i, d, ~0ull);
}

/* 16-bit: P0, P10, P20 are halves in the chosen half of the parameter. */
static void half_parameter(struct sq_wave *w, const struct sq_inst *i, unsigned p, uint32_t *out)
{
   unsigned shift = i->isa.op_sel & 1 ? 16 : 0;
   parameter(w, i, p, out);
   for (unsigned l = 0; l < 64; l++)
      out[l] = sq_u(sq_h2f(out[l] >> shift & 0xffff));
}
static void h_p1_f16(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t p0[64] ALIGNED, p10[64] ALIGNED, d[64] ALIGNED;
   uint64_t def = w->vdef[i->src[0].reg];
   half_parameter(w, i, 1, p10);
   if (i->isa.op == ISA_V_INTERP_P1LV_F16) {
      unsigned shift = i->isa.op_sel & 1 ? 16 : 0;
      for (unsigned l = 0; l < 64; l++)
         p0[l] = sq_u(sq_h2f(w->vgpr[i->src[1].reg][l] >> shift & 0xffff));
      def &= w->vdef[i->src[1].reg];
   } else {
      half_parameter(w, i, 0, p0);
   }
   struct sq_valu x = {.d = d, .a = p10, .b = w->vgpr[i->src[0].reg], .c = p0, .mode = w->mode};
   sq_fp_use(w, SQ_FP_MAD);
   k_fma(&x);
   result(w, i, d, def);
}
static void h_p2_f16(struct sq_wave *w, const struct sq_inst *i)
{
   uint32_t p20[64] ALIGNED, d[64] ALIGNED;
   uint64_t def = w->vdef[i->src[0].reg] & w->vdef[i->src[1].reg];
   half_parameter(w, i, 2, p20);
   struct sq_valu x = {.d = d, .a = p20, .b = w->vgpr[i->src[0].reg], .c = w->vgpr[i->src[1].reg], .mode = w->mode};
   sq_fp_use(w, SQ_FP_MAD);
   k_fma(&x);
   for (unsigned l = 0; l < 64; l++) {
      uint32_t h = sq_f2h(sq_f(d[l]), SQ_MODE_ROUND64(w->mode)), old = w->vgpr[i->dst][l];
      d[l] = i->isa.op_sel & 8 ? h << 16 | (old & 0xffff) :
             i->isa.op == ISA_V_INTERP_P2_F16 ? h | (old & 0xffff0000u) : h;
   }
   result(w, i, d, def);
}

bool sq_decode_interp(struct sq_inst *i)
{
   switch (i->isa.op) {
   case ISA_V_INTERP_P1_F32: i->fn = h_p1; break;
   case ISA_V_INTERP_P2_F32: i->fn = h_p2; break;
   case ISA_V_INTERP_MOV_F32: i->fn = h_mov; break;
   case ISA_V_INTERP_P1LL_F16: case ISA_V_INTERP_P1LV_F16: i->fn = h_p1_f16; break;
   case ISA_V_INTERP_P2_F16: case ISA_V_INTERP_P2_LEGACY_F16: i->fn = h_p2_f16; break;
   default: return false;
   }
   return true;
}
