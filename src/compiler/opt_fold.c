/* SPDX-License-Identifier: MIT */
/* Values of operations on constants, as the hardware computes them: denormals
 * flushed, round to nearest even, minnum/maxnum. Operations whose hardware
 * result is an approximation (exp2, sin...) are folded only where every correct
 * approximation gives the same; rcp and sqrt, which are good to one unit in the
 * last place, become the exact value. */
#include <math.h>

#include "opt_fold.h"

static float
as_float(uint32_t v)
{
   float f;
   if (!(v & 0x7f800000))
      v &= 0x80000000; /* flush */
   memcpy(&f, &v, 4);
   return f;
}

static uint32_t
as_bits(float f)
{
   uint32_t v;
   memcpy(&v, &f, 4);
   if (!(v & 0x7f800000))
      v &= 0x80000000;
   return v;
}

static bool
fold_float(enum ir_op op, const uint32_t *s, uint32_t *r)
{
   float a = as_float(s[0]), b = as_float(s[1]), c = as_float(s[2]);
   switch (op) {
   case IR_FADD: *r = as_bits(a + b); return true;
   case IR_FMUL: *r = as_bits(a * b); return true;
   case IR_FMUL_LEGACY: *r = a == 0 || b == 0 ? 0 : as_bits(a * b); return true;
   case IR_FMAD: { volatile float p = as_float(as_bits(a * b)); *r = as_bits(p + c); return true; }
   case IR_FFMA: *r = as_bits(fmaf(a, b, c)); return true;
   case IR_FMIN: *r = isnan(a) ? as_bits(b) : isnan(b) ? as_bits(a) : as_bits(a < b ? a : b); return a != b || s[0] == s[1];
   case IR_FMAX: *r = isnan(a) ? as_bits(b) : isnan(b) ? as_bits(a) : as_bits(a > b ? a : b); return a != b || s[0] == s[1];
   case IR_FNEG: *r = s[0] ^ 0x80000000; return true;
   case IR_FABS: *r = s[0] & 0x7fffffff; return true;
   case IR_FSAT: *r = !(a > 0) ? 0 : a > 1 ? 0x3f800000 : as_bits(a); return true;
   case IR_FFLOOR: *r = as_bits(floorf(a)); return true;
   case IR_FCEIL: *r = as_bits(ceilf(a)); return true;
   case IR_FTRUNC: *r = as_bits(truncf(a)); return true;
   case IR_FRNDNE: *r = as_bits(rintf(a)); return true;
   case IR_FRCP: *r = as_bits(1.0f / a); return true;
   case IR_FSQRT: *r = as_bits(sqrtf(a)); return true;
   case IR_FRSQ:
      *r = s[0];
      return a == 1.0f;
   case IR_F2I:
      *r = isnan(a) ? 0 : a >= 2147483648.0f ? 0x7fffffff : a <= -2147483648.0f ? 0x80000000u : (uint32_t)(int32_t)a;
      return true;
   case IR_F2U:
      *r = isnan(a) || a <= 0 ? 0 : a >= 4294967296.0f ? 0xffffffffu : (uint32_t)a;
      return true;
   case IR_I2F: *r = as_bits((float)(int32_t)s[0]); return true;
   case IR_U2F: *r = as_bits((float)s[0]); return true;
   case IR_FLT: *r = a < b; return true;
   case IR_FGE: *r = a >= b; return true;
   case IR_FEQ: *r = a == b; return true;
   case IR_FNE: *r = !(a == b); return true;
   default: return false;
   }
}

static bool
fold_int(enum ir_op op, const uint32_t *s, uint32_t *r)
{
   uint32_t a = s[0], b = s[1];
   int32_t ia = a, ib = b;
   switch (op) {
   case IR_IADD: *r = a + b; return true;
   case IR_ISUB: *r = a - b; return true;
   case IR_INEG: *r = -a; return true;
   case IR_IABS: *r = ia < 0 ? -a : a; return true;
   case IR_IMUL: *r = a * b; return true;
   case IR_UMUL_HI: *r = (uint64_t)a * b >> 32; return true;
   case IR_IMUL_HI: *r = (int64_t)ia * ib >> 32; return true;
   case IR_UDIV: *r = b ? a / b : ~0u; return true;
   case IR_UMOD: *r = b ? a % b : ~0u; return true;
   case IR_IMIN: *r = ia < ib ? a : b; return true;
   case IR_IMAX: *r = ia > ib ? a : b; return true;
   case IR_UMIN: *r = a < b ? a : b; return true;
   case IR_UMAX: *r = a > b ? a : b; return true;
   case IR_IAND: *r = a & b; return true;
   case IR_IOR: *r = a | b; return true;
   case IR_IXOR: *r = a ^ b; return true;
   case IR_INOT: *r = ~a; return true;
   case IR_SHL: *r = a << (b & 31); return true;
   case IR_LSHR: *r = a >> (b & 31); return true;
   case IR_ASHR: *r = ia >> (b & 31); return true;
   case IR_BFI: *r = (a & b) | (~a & s[2]); return true;
   case IR_BCNT: *r = __builtin_popcount(a); return true;
   case IR_ILT: *r = ia < ib; return true;
   case IR_IGE: *r = ia >= ib; return true;
   case IR_ULT: *r = a < b; return true;
   case IR_UGE: *r = a >= b; return true;
   case IR_IEQ: *r = a == b; return true;
   case IR_INE: *r = a != b; return true;
   default: return false;
   }
}

bool
ir_fold_op(enum ir_op op, const uint32_t *src, unsigned n, uint32_t *result)
{
   uint32_t s[3] = {0};
   if (n > 3)
      return false;
   for (unsigned i = 0; i < n; i++)
      s[i] = src[i];
   return fold_float(op, s, result) || fold_int(op, s, result);
}
