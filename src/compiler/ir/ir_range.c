/* SPDX-License-Identifier: MIT */
/* What can be said of a value's bits without knowing its lanes: for offsets
 * that fold into memory instructions. `depth`: how far back to look. */
#include "ir_analysis.h"

unsigned
ir_zero_bits(ir_val v, unsigned depth)
{
   unsigned x, y;
   if (v->op == IR_READFIRST || v->op == IR_READ_LANE)
      v = v->src[0];
   if (v->op == IR_CONST)
      return v->imm ? __builtin_ctz(v->imm) : 32;
   if (depth == 0)
      return 0;
   switch (v->op) {
   case IR_SHL:
      if (v->src[1]->op != IR_CONST)
         return 0;
      x = ir_zero_bits(v->src[0], depth - 1) + (v->src[1]->imm & 31);
      return x < 32 ? x : 32;
   case IR_IADD: case IR_ISUB: case IR_IOR:
      x = ir_zero_bits(v->src[0], depth - 1);
      y = ir_zero_bits(v->src[1], depth - 1);
      return x < y ? x : y;
   case IR_IAND:
      x = ir_zero_bits(v->src[0], depth - 1);
      y = ir_zero_bits(v->src[1], depth - 1);
      return x > y ? x : y;
   case IR_IMUL:
      x = ir_zero_bits(v->src[0], depth - 1) + ir_zero_bits(v->src[1], depth - 1);
      return x < 32 ? x : 32;
   default:
      return 0;
   }
}

uint32_t
ir_largest(ir_val v, unsigned depth)
{
   uint64_t x;
   if (v->op == IR_READFIRST || v->op == IR_READ_LANE)
      v = v->src[0];
   if (v->op == IR_CONST)
      return v->imm;
   if (depth == 0)
      return ~0u;
   switch (v->op) {
   case IR_SYSVAL:
      switch (v->imm) {
      case IR_SV_THREAD_ID_X: case IR_SV_THREAD_ID_Y: case IR_SV_THREAD_ID_Z: return 0xffff; /* COMPUTE_NUM_THREAD_* */
      case IR_SV_LANE_ID: return 63;
      default: return ~0u;
      }
   case IR_IAND: case IR_UMIN: {
      uint32_t a = ir_largest(v->src[0], depth - 1), c = ir_largest(v->src[1], depth - 1);
      return a < c ? a : c;
   }
   case IR_LSHR:
      return v->src[1]->op == IR_CONST ? ir_largest(v->src[0], depth - 1) >> (v->src[1]->imm & 31) : ~0u;
   case IR_UBFE:
      return v->src[2]->op == IR_CONST ? (1u << (v->src[2]->imm & 31)) - 1 : ~0u;
   case IR_SHL:
      x = v->src[1]->op == IR_CONST ? (uint64_t)ir_largest(v->src[0], depth - 1) << (v->src[1]->imm & 31) : ~0ull;
      return x < ~0u ? x : ~0u;
   case IR_IADD:
      x = (uint64_t)ir_largest(v->src[0], depth - 1) + ir_largest(v->src[1], depth - 1);
      return x < ~0u ? x : ~0u;
   case IR_IMUL:
      x = (uint64_t)ir_largest(v->src[0], depth - 1) * ir_largest(v->src[1], depth - 1);
      return x < ~0u ? x : ~0u;
   default:
      return ~0u;
   }
}
