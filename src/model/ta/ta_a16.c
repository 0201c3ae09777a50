/* SPDX-License-Identifier: MIT */
/* A16: addresses as halves. What stands before the coordinates keeps a register
 * of its own (offsets and the compare value with 32 bits, the bias as a half in
 * the low bits). Derivatives come in pairs for each direction, then everything
 * else in pairs: coordinates, slice or face, LOD, clamp, sample. */
#include "ta_internal.h"

struct unpack { const struct ta_image_op *op; uint32_t (*regs)[64]; struct ta_image_op *out; bool is_int; unsigned in; };

static const uint32_t *take(struct unpack *u)
{
   return u->in < u->op->num_addr ? u->op->addr[u->in++] : NULL;
}

static void give(struct unpack *u, const uint32_t *src, unsigned shift)
{
   unsigned n = u->out->num_addr;
   if (!src || n >= 16)
      return;
   for (uint64_t e = u->op->exec; e; e &= e - 1) {
      unsigned lane = __builtin_ctzll(e);
      uint16_t h = src[lane] >> shift;
      u->regs[n][lane] = u->is_int ? h : fmt_f2u(fmt_half_to_float(h));
   }
   u->out->addr[n] = u->regs[n];
   u->out->num_addr++;
}

static void give_pairs(struct unpack *u, unsigned count)
{
   const uint32_t *src = NULL;
   for (unsigned i = 0; i < count; i++) {
      if (!(i & 1))
         src = take(u);
      give(u, src, 16 * (i & 1));
   }
}

static void give_whole(struct unpack *u)
{
   const uint32_t *src = take(u);
   if (src)
      u->out->addr[u->out->num_addr++] = src;
}

void ta_unpack_a16(const struct ta_tex *t, const struct ta_image_info *info, const struct ta_image_op *op,
                   uint32_t regs[16][64], struct ta_image_op *out)
{
   struct unpack u = { .op = op, .regs = regs, .out = out };
   const bool samples = info->kind == TA_SAMPLE || info->kind == TA_GATHER || info->kind == TA_GET_LOD;
   *out = *op;
   out->num_addr = 0;
   u.is_int = !samples;
   if (info->kind == TA_RESINFO) {
      give_pairs(&u, 1);
      return;
   }
   if (!samples) {
      give_pairs(&u, ta_num_coords(t, op->inst->da) + info->mip);
      return;
   }
   if (info->offset)
      give_whole(&u);
   if (info->bias)
      give_pairs(&u, 1);
   if (info->compare)
      give_whole(&u);
   if (info->derivs) {
      give_pairs(&u, t->dims);
      give_pairs(&u, t->dims);
   }
   give_pairs(&u, t->dims + (t->cube || (t->dims < 3 && op->inst->da)) + info->lod + info->clamp);
}
