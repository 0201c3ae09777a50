/* SPDX-License-Identifier: MIT */
/* Everything of vector arithmetic that is not the operation: fetching operands,
 * NEG/ABS, OMOD/CLAMP, SDWA and DPP selects, packed halves, lane masks as
 * sources and results, EXEC, and which lanes are defined afterwards. */
#include "valu.h"

enum {
   MASK_IN_SRC2 = 1, /* carry in, condition: a lane mask operand */
   MASK_IN_VCC = 2,  /* the same, implied */
   MASK_OUT = 4,     /* dst2 is a lane mask */
   MASK_DST = 8,     /* compare: the only result is a lane mask */
   MASK_EXEC = 16,   /* v_cmpx: EXEC too */
   DST_HALF = 32,    /* 16-bit result */
   MIX = 64,         /* v_mad_mix*: sources are halves or singles */
   SELECT = 128,     /* v_cndmask: undefined only where the chosen one is */
   LOW_ALONE = 256,  /* 64 bits whose low half needs no high halves: v_mad_u64_u32, left shifts */
   HIGH_ALONE = 512, /* the other way round: right shifts */
};

#define ALIGNED __attribute__((aligned(64)))

/* ---- plain operands ---- */

static inline const uint32_t *fetch(const struct sq_wave *w, const struct sq_src *s, uint32_t *tmp)
{
   if (s->kind == SQ_SRC_VGPR)
      return w->vgpr[s->reg];
   if (s->dw == 2) {
      uint64_t v = sq_src64(w, s);
      sq_broadcast(tmp, (uint32_t)v);
      sq_broadcast(tmp + 64, v >> 32);
   } else {
      sq_broadcast(tmp, sq_src32(w, s));
   }
   return tmp;
}

static inline uint64_t defined(const struct sq_wave *w, const struct sq_src *s)
{
   if (s->kind == SQ_SRC_VGPR) {
      uint64_t d = w->vdef[s->reg];
      for (unsigned n = 1; n < s->dw; n++)
         d &= w->vdef[s->reg + n];
      return d;
   }
   if (s->kind == SQ_SRC_SGPR) {
      uint32_t d = w->sdef[s->reg];
      for (unsigned n = 1; n < s->dw; n++)
         d &= w->sdef[s->reg + n];
      return d == ~0u ? ~0ull : 0;
   }
   return ~0ull;
}

/* ---- DPP ---- */

/* Which lane feeds lane l, -1 when there is none (GcnSdwaDpp: DPP_CTRL). */
static int dpp_lane(unsigned ctrl, int l)
{
   int row = l & ~15, in = l & 15, n = ctrl & 15;
   if (ctrl < 0x100)
      return (l & ~3) | (ctrl >> ((l & 3) * 2) & 3);
   switch (ctrl & 0x1f0) {
   case 0x100: return in + n < 16 ? l + n : -1;
   case 0x110: return in - n >= 0 ? l - n : -1;
   case 0x120: return row | ((in - n) & 15);
   }
   switch (ctrl) {
   case 0x130: return l + 1 < 64 ? l + 1 : -1;
   case 0x134: return (l + 1) & 63;
   case 0x138: return l - 1;
   case 0x13c: return (l - 1) & 63;
   case 0x140: return row | (15 - in);
   case 0x141: return (l & ~7) | (7 - (l & 7));
   case 0x142: return row ? row - 1 : -1;
   case 0x143: return l >= 32 ? 31 : -1;
   }
   return -1;
}

/* Derivatives: a permutation inside quads that are on or off as a whole. */
static bool dpp_quads(const struct isa_inst *isa, uint64_t exec, uint64_t def, const uint32_t *p, uint32_t *out)
{
   uint64_t any = exec | exec >> 1;
   any = (any | any >> 2) & 0x1111111111111111ull;
   if (isa->dpp_ctrl >= 0x100 || (isa->dpp_row_mask & isa->dpp_bank_mask) != 15 || def != ~0ull || exec != any * 15)
      return false;
   unsigned a = isa->dpp_ctrl & 3, b = isa->dpp_ctrl >> 2 & 3, c = isa->dpp_ctrl >> 4 & 3, d = isa->dpp_ctrl >> 6;
   for (unsigned q = 0; q < SQ_LANES; q += 4) {
      out[q] = p[q + a];
      out[q + 1] = p[q + b];
      out[q + 2] = p[q + c];
      out[q + 3] = p[q + d];
   }
   return true;
}

/* Permutes src0; *write loses the lanes that DPP does not write. */
static void dpp(const struct sq_wave *w, const struct sq_inst *i, const uint32_t *p, uint32_t *out,
                uint64_t *def, uint64_t *write)
{
   const struct isa_inst *isa = &i->isa;
   uint64_t exec = sq_exec(w), d = 0;
   if (dpp_quads(isa, exec, *def, p, out))
      return;
   for (int l = 0; l < SQ_LANES; l++) {
      int from = dpp_lane(isa->dpp_ctrl, l);
      bool ok = from >= 0 && exec >> from & 1;
      out[l] = ok ? p[from] : 0;
      if (ok ? *def >> from & 1 : 1)
         d |= 1ull << l;
      if ((!ok && !isa->dpp_bound_ctrl) || !(isa->dpp_row_mask >> (l >> 4) & 1) ||
          !(isa->dpp_bank_mask >> (l >> 2 & 3) & 1))
         *write &= ~(1ull << l);
   }
   *def = d;
}

/* ---- selects and signs ---- */

SQ_CLONES static void select_sdwa(const uint32_t *p, uint32_t *out, unsigned sel, bool sext)
{
   unsigned shift = sel < 4 ? sel * 8 : sel == 5 ? 16 : 0;
   unsigned bits = sel < 4 ? 8 : sel < 6 ? 16 : 32, up = 32 - bits;
   if (sext) {
      SQ_LANE_LOOP out[l] = (uint32_t)((int32_t)(p[l] >> shift << up) >> up);
   } else {
      SQ_LANE_LOOP out[l] = p[l] >> shift << up >> up;
   }
}

SQ_CLONES static const uint32_t *fetch_mod(struct sq_wave *w, const struct sq_inst *i, unsigned n, uint32_t *tmp,
                                 uint64_t *def, uint64_t *write)
{
   const struct sq_src *s = &i->src[n];
   const struct isa_inst *isa = &i->isa;
   const struct isa_op_info *info = &isa_op_infos[isa->op];
   const uint32_t *p = fetch(w, s, tmp);
   unsigned type = info->src_type[n];
   bool half = type >= ISA_TYPE_F16 && type <= ISA_TYPE_B16;
   bool neg = isa->neg >> n & 1, abs = isa->abs >> n & 1;

   *def = defined(w, s);
   if (isa->form == ISA_FORM_DPP16 && n == 0) {
      dpp(w, i, p, tmp, def, write);
      p = tmp;
   } else if (isa->form == ISA_FORM_SDWA && n < 2) {
      select_sdwa(p, tmp, isa->sdwa_sel[n], isa->sdwa_sext >> n & 1);
      p = tmp;
   }
   if (i->param & MIX) {
      bool hi = isa->op_sel >> n & 1, from_half = isa->op_sel_hi >> n & 1;
      abs = isa->neg_hi >> n & 1; /* VOP3P's NEG_HI is ABS here */
      if (from_half)
         SQ_LANE_LOOP tmp[l] = sq_u(sq_h2f(p[l] >> (hi ? 16 : 0) & 0xffff));
      else if (p != tmp)
         memcpy(tmp, p, 256);
      p = tmp;
   } else if (isa->enc == ISA_ENC_VOP3P) {
      unsigned lo = isa->op_sel >> n & 1 ? 16 : 0, hi = isa->op_sel_hi >> n & 1 ? 16 : 0;
      uint32_t flip = (isa->neg >> n & 1 ? 0x8000u : 0) | (isa->neg_hi >> n & 1 ? 0x80000000u : 0);
      SQ_LANE_LOOP tmp[l] = ((p[l] >> lo & 0xffff) | (p[l] >> hi & 0xffff) << 16) ^ flip;
      return tmp;
   } else if (half && isa->enc == ISA_ENC_VOP3 && isa->op_sel >> n & 1) {
      SQ_LANE_LOOP tmp[l] = p[l] >> 16;
      p = tmp;
   }
   if (neg || abs) {
      uint32_t sign = half ? 0x8000u : 0x80000000u;
      uint32_t clear = abs ? ~sign : ~0u, flip = neg ? sign : 0;
      unsigned at = s->dw == 2 ? 64 : 0;
      if (at && p != tmp)
         memcpy(tmp, p, 256);
      SQ_LANE_LOOP tmp[at + l] = (p[at + l] & clear) ^ flip;
      p = tmp;
   }
   return p;
}

/* ---- results ---- */

SQ_CLONES static void clamp_omod32(const struct sq_wave *w, const struct isa_inst *isa, uint32_t *d)
{
   static const float factor[4] = {1.0f, 2.0f, 4.0f, 0.5f};
   float f = factor[isa->omod];
   /* OMOD works only with denormals flushed and without IEEE mode */
   if (isa->omod && !(SQ_MODE_DENORM32(w->mode) & 2) && !(w->mode & SQ_MODE_IEEE))
      SQ_LANE_LOOP d[l] = sq_u(sq_f(d[l]) * f);
   if (isa->clamp) {
      bool keep_nan = !(w->mode & SQ_MODE_DX10_CLAMP);
      SQ_LANE_LOOP {
         float v = sq_f(d[l]);
         float r = v > 0.0f ? (v > 1.0f ? 1.0f : v) : 0.0f;
         d[l] = keep_nan && v != v ? d[l] : sq_u(r);
      }
   }
}

SQ_CLONES static void clamp_omod64(const struct sq_wave *w, const struct isa_inst *isa, uint32_t *d)
{
   static const double factor[4] = {1.0, 2.0, 4.0, 0.5};
   for (int l = 0; l < SQ_LANES; l++) {
      double v = sq_d(SQ_LO_HI(d, l));
      if (isa->omod && !(SQ_MODE_DENORM64(w->mode) & 2) && !(w->mode & SQ_MODE_IEEE))
         v *= factor[isa->omod];
      if (isa->clamp && (v == v || (w->mode & SQ_MODE_DX10_CLAMP)))
         v = v > 0.0 ? (v > 1.0 ? 1.0 : v) : 0.0;
      SQ_STORE64(d, l, sq_ud(v));
   }
}

SQ_CLONES static void clamp_omod16(const struct sq_wave *w, const struct isa_inst *isa, uint32_t *d, bool pair)
{
   static const float factor[4] = {1.0f, 2.0f, 4.0f, 0.5f};
   for (int l = 0; l < SQ_LANES; l++) {
      uint32_t r = 0;
      for (int s = 0; s < (pair ? 32 : 16); s += 16) {
         uint32_t h = d[l] >> s & 0xffff;
         float v = sq_h2f(h);
         if (isa->omod && !(SQ_MODE_DENORM64(w->mode) & 2) && !(w->mode & SQ_MODE_IEEE))
            v *= factor[isa->omod];
         if (isa->clamp && (v == v || (w->mode & SQ_MODE_DX10_CLAMP)))
            v = v > 0.0f ? (v > 1.0f ? 1.0f : v) : 0.0f;
         r |= sq_f2h(v, SQ_MODE_ROUND64(w->mode)) << s;
      }
      d[l] = r;
   }
}

/* Places a result narrower than a register among the old bits. */
SQ_CLONES static void merge(const struct sq_wave *w, const struct sq_inst *i, uint32_t *d)
{
   const struct isa_inst *isa = &i->isa;
   const uint32_t *old = w->vgpr[i->dst];
   if (isa->form == ISA_FORM_SDWA && isa->sdwa_dst_sel != 6) {
      unsigned sel = isa->sdwa_dst_sel;
      unsigned shift = sel < 4 ? sel * 8 : sel == 5 ? 16 : 0, bits = sel < 4 ? 8 : 16;
      uint32_t mask = ((1u << bits) - 1) << shift;
      uint32_t keep = isa->sdwa_dst_unused == 2 ? ~mask : 0;
      bool sext = isa->sdwa_dst_unused == 1;
      SQ_LANE_LOOP {
         uint32_t r = d[l] << shift & mask;
         uint32_t above = (uint32_t)((int32_t)(d[l] << (32 - bits)) >> 31) << (shift + bits - 1) << 1;
         d[l] = r | (sext ? above : 0) | (old[l] & keep);
      }
      return;
   }
   if (isa->op == ISA_V_MAD_MIXLO_F16 || isa->op == ISA_V_MAD_MIXHI_F16) {
      unsigned shift = isa->op == ISA_V_MAD_MIXHI_F16 ? 16 : 0;
      uint32_t round = SQ_MODE_ROUND64(w->mode);
      SQ_LANE_LOOP d[l] = sq_f2h(sq_f(d[l]), round) << shift | (old[l] & ~(0xffffu << shift));
      return;
   }
   if (!(i->param & DST_HALF))
      return;
   if (isa->enc == ISA_ENC_VOP3 && isa->op_sel & 8) {
      SQ_LANE_LOOP d[l] = d[l] << 16 | (old[l] & 0xffff);
   } else if (i->preserve_hi) {
      SQ_LANE_LOOP d[l] = (d[l] & 0xffff) | (old[l] & 0xffff0000u);
   }
}

/* Where one half of a 64-bit result is defined by the same halves of the sources. */
static uint64_t half_defined(const struct sq_wave *w, const struct sq_inst *i, unsigned half)
{
   uint64_t d = ~0ull;
   for (unsigned n = 0; n < 3; n++) {
      struct sq_src s = i->src[n];
      if (s.dw == 2) {
         s.reg += half;
         s.dw = 1;
      }
      d &= defined(w, &s);
   }
   return d;
}

/* ---- execution ---- */

static void set_mask(struct sq_wave *w, unsigned reg, uint64_t v, uint64_t def)
{
   sq_set_s64(w, reg, v, def);
}

static inline __attribute__((always_inline)) void run(struct sq_wave *w, const struct sq_inst *i,
                                                      const bool mods, const bool masks)
{
   uint32_t ta[256] ALIGNED, tb[128] ALIGNED, tc[256] ALIGNED, td[256] ALIGNED;
   uint32_t mi[64] ALIGNED, mo[64] ALIGNED;
   uint64_t exec = sq_exec(w), write = exec, def;
   struct sq_valu x;

   if (!exec && !(masks && i->param & (MASK_OUT | MASK_DST)))
      return;
   if (mods) {
      uint64_t d;
      x.a = fetch_mod(w, i, 0, ta, &def, &write);
      x.b = x.c = x.a;
      if (i->src[1].kind) {
         x.b = fetch_mod(w, i, 1, tb, &d, &write);
         def &= d;
      }
      if (i->src[2].kind && !(masks && i->param & MASK_IN_SRC2)) {
         x.c = fetch_mod(w, i, 2, tc, &d, &write);
         def &= d;
      }
   } else {
      x.a = fetch(w, &i->src[0], ta);
      def = defined(w, &i->src[0]);
      x.b = x.c = x.a;
      if (i->src[1].kind) {
         x.b = fetch(w, &i->src[1], tb);
         def &= defined(w, &i->src[1]);
      }
      if (i->src[2].kind && !(masks && i->param & MASK_IN_SRC2)) {
         x.c = fetch(w, &i->src[2], tc);
         def &= defined(w, &i->src[2]);
      }
   }
   if (masks && i->param & (MASK_IN_SRC2 | MASK_IN_VCC)) {
      uint64_t m, mdef;
      if (i->param & MASK_IN_VCC) {
         m = sq_vcc(w);
         mdef = sq_sdef64(w, ISA_VCC);
      } else {
         m = sq_src64(w, &i->src[2]);
         mdef = sq_src_def64(w, &i->src[2]);
      }
      sq_expand(mi, m);
      if (i->param & SELECT && !mods)
         def = (m & defined(w, &i->src[1])) | (~m & defined(w, &i->src[0]));
      def &= mdef;
   }
   /* Before results overwrite sources, the carry's SGPRs among them. */
   const unsigned alone_half = i->param & LOW_ALONE ? 0 : 1;
   const uint64_t alone = i->param & (LOW_ALONE | HIGH_ALONE) ? half_defined(w, i, alone_half) : 0;
   x.mask_in = mi;
   x.mask_out = mo;
   x.mode = w->mode;
   bool direct = !mods && exec == ~0ull && i->dst_dw <= 2;
   x.d = direct ? w->vgpr[i->dst] : td;
   if (i->fp != SQ_FP_NONE)
      sq_fp_use(w, i->fp);
   i->kernel(&x);

   if (masks && i->param & (MASK_OUT | MASK_DST)) {
      uint64_t m = sq_movemask(mo) & write;
      set_mask(w, i->param & MASK_DST ? i->dst : i->dst2, m, def | ~exec);
      if (i->param & MASK_EXEC)
         set_mask(w, ISA_EXEC, m, def | ~exec);
      if (i->param & MASK_DST)
         return;
   }
   if (mods) {
      if (i->isa.omod || i->isa.clamp) {
         if (i->dst_fp == 32)
            clamp_omod32(w, &i->isa, td);
         else if (i->dst_fp == 64)
            clamp_omod64(w, &i->isa, td);
         else if (i->dst_fp == 16)
            clamp_omod16(w, &i->isa, td, i->isa.enc == ISA_ENC_VOP3P);
      }
      merge(w, i, td);
   }
   if (!direct) {
      if (mods && write != exec) {
         sq_expand(mi, write);
         sq_blend(w->vgpr[i->dst], td, mi, i->dst_dw);
      } else {
         sq_blend(w->vgpr[i->dst], td, sq_exec_words(w, exec), i->dst_dw);
      }
   }
   if (i->param & (LOW_ALONE | HIGH_ALONE)) {
      const unsigned one = i->dst + alone_half, other = i->dst + 1 - alone_half;
      w->vdef[one] = (w->vdef[one] & ~write) | (alone & write);
      w->vdef[other] = (w->vdef[other] & ~write) | (def & write);
      return;
   }
   for (unsigned n = 0; n < i->dst_dw; n++)
      w->vdef[i->dst + n] = (w->vdef[i->dst + n] & ~write) | (def & write);
}

/* GPR indexing: M0 holds the index and which operands it moves; only vector
 * registers move. */
static void indexed(struct sq_wave *w, const struct sq_inst *i, bool mods, bool masks)
{
   struct sq_inst c = *i;
   unsigned m0 = w->sgpr[ISA_M0], idx = m0 & 0xff;
   sq_need_sgpr(w, i, ISA_M0, 1, "index of a vector register");
   for (unsigned n = 0; n < 3; n++)
      if (m0 >> (12 + n) & 1 && c.src[n].kind == SQ_SRC_VGPR)
         c.src[n].reg += idx;
   const bool vector = isa_is_vgpr(i->isa.dst);
   if (m0 >> 15 & 1 && vector)
      c.dst += idx;
   unsigned top = vector ? c.dst + c.dst_dw : 0;
   for (unsigned n = 0; n < 3; n++)
      if (c.src[n].kind == SQ_SRC_VGPR && c.src[n].reg + c.src[n].dw > top)
         top = c.src[n].reg + c.src[n].dw;
   if (top > w->alloc_vgprs || top > SQ_VGPRS) {
      sq_place(w, i, -1);
      model_violation(w->env->report, CHECK_RANGE, "index M0 = %u moves an operand to v%u, the wave has %u",
                      idx, top - 1, w->alloc_vgprs);
      return;
   }
   w->idx_on = false;
   run(w, &c, mods, masks);
   w->idx_on = w->mode & SQ_MODE_GPR_IDX_EN;
}

static void h_plain(struct sq_wave *w, const struct sq_inst *i)
{
   if (__builtin_expect(w->idx_on, 0))
      indexed(w, i, false, false);
   else
      run(w, i, false, false);
}
static void h_mask(struct sq_wave *w, const struct sq_inst *i)
{
   if (__builtin_expect(w->idx_on, 0))
      indexed(w, i, false, true);
   else
      run(w, i, false, true);
}
static void h_mods(struct sq_wave *w, const struct sq_inst *i)
{
   if (__builtin_expect(w->idx_on, 0))
      indexed(w, i, true, true);
   else
      run(w, i, true, true);
}

/* ---- decode ---- */

static const struct sq_valu_row *rows[ISA_OP_COUNT];

static void __attribute__((constructor)) collect_rows(void)
{
   const struct sq_valu_row *const lists[] = {sq_rows_f32, sq_rows_int, sq_rows_f64, sq_rows_f16,
                                              sq_rows_pk, sq_rows_cmp};
   for (unsigned n = 0; n < sizeof(lists) / sizeof(lists[0]); n++)
      for (const struct sq_valu_row *r = lists[n]; r->op != ISA_OP_COUNT; r++)
         rows[r->op] = r;
}

/* 16-bit results that leave bits 31:16 alone; the others clear them. */
static bool preserves_hi(unsigned op)
{
   switch (op) {
   case ISA_V_MAD_F16: case ISA_V_MAD_U16: case ISA_V_MAD_I16: case ISA_V_FMA_F16: case ISA_V_DIV_FIXUP_F16:
   case ISA_V_MIN3_F16: case ISA_V_MIN3_I16: case ISA_V_MIN3_U16:
   case ISA_V_MAX3_F16: case ISA_V_MAX3_I16: case ISA_V_MAX3_U16:
   case ISA_V_MED3_F16: case ISA_V_MED3_I16: case ISA_V_MED3_U16:
   case ISA_V_ADD_I16: case ISA_V_SUB_I16:
   case ISA_V_MAC_F16: case ISA_V_MADMK_F16: case ISA_V_MADAK_F16:
   case ISA_V_INTERP_P2_F16:
      return true;
   }
   return false;
}

bool sq_decode_valu(struct sq_inst *i)
{
   const struct isa_inst *isa = &i->isa;
   const struct isa_op_info *info = &isa_op_infos[isa->op];
   const struct sq_valu_row *row = rows[isa->op];
   if (!row)
      return false;

   i->fp = row->fp;
   i->kernel = row->kernel;
   i->preserve_hi = preserves_hi(isa->op);
   bool half = info->dst_type >= ISA_TYPE_F16 && info->dst_type <= ISA_TYPE_B16;
   i->dst_fp = info->dst_type == ISA_TYPE_F ? info->dst_dw * 32 :
               info->dst_type == ISA_TYPE_F16 ? 16 : 0;
   if (info->dst_type == ISA_TYPE_PK16 && isa->enc == ISA_ENC_VOP3P && info->src_type[0] == ISA_TYPE_PK16 &&
       row->saturate == NULL)
      i->dst_fp = 16;
   if (isa->op == ISA_V_MAD_MIXLO_F16 || isa->op == ISA_V_MAD_MIXHI_F16)
      i->dst_fp = 32;
   i->param = half ? DST_HALF : 0;
   if (row->kernel == NULL)
      return false;

   bool mods = isa->form != ISA_FORM_PLAIN || isa->neg || isa->abs || isa->omod || isa->op_sel ||
               isa->enc == ISA_ENC_VOP3P || (half && i->preserve_hi);
   if (isa->clamp) {
      if (i->dst_fp)
         mods = true;
      else if (row->saturate)
         i->kernel = row->saturate;
   }
   if (info->dst_type == ISA_TYPE_MASK) {
      i->param |= MASK_DST;
      if (info->flags & ISA_WRITES_EXEC || !strncmp(info->name, "v_cmpx", 6))
         i->param |= MASK_EXEC;
   }
   if (isa->dst2 != ISA_NONE)
      i->param |= MASK_OUT;
   if (info->src_type[2] == ISA_TYPE_MASK)
      i->param |= MASK_IN_SRC2;
   else if (isa->op == ISA_V_DIV_FMAS_F32 || isa->op == ISA_V_DIV_FMAS_F64)
      i->param |= MASK_IN_VCC;
   if (isa->op == ISA_V_CNDMASK_B32)
      i->param |= SELECT;
   if (isa->op >= ISA_V_MAD_MIX_F32 && (isa->op == ISA_V_MAD_MIX_F32 || isa->op == ISA_V_MAD_MIXLO_F16 ||
                                        isa->op == ISA_V_MAD_MIXHI_F16))
      i->param |= MIX;
   if (isa->op == ISA_V_MAD_U64_U32 || isa->op == ISA_V_MAD_I64_I32 || isa->op == ISA_V_LSHLREV_B64)
      i->param |= LOW_ALONE;
   if (isa->op == ISA_V_LSHRREV_B64 || isa->op == ISA_V_ASHRREV_I64)
      i->param |= HIGH_ALONE;
   /* v_mac and friends: the destination is the third source */
   if (info->flags & ISA_READS_DST && !i->src[2].kind)
      i->src[2] = (struct sq_src){SQ_SRC_VGPR, i->dst_dw, i->dst, {0}};
   i->fn = mods ? h_mods : i->param & ~(DST_HALF | LOW_ALONE | HIGH_ALONE) ? h_mask : h_plain;
   return true;
}
