/* SPDX-License-Identifier: MIT */
/* VOPD of GFX11 and GFX12: two VALU operations of a wave32 in one instruction,
 * "VOPD" in the RDNA3 and RDNA4 ISA manuals. X is `op`, `dst`, src[0] and
 * src[1]; Y is `op_y`, `dst2`, src[2] and src[3]. src[1] and src[3] are VSRC1,
 * which for v_fmamk_f32 is the addend; K and a literal are `literal`, one for both. */
#include "layout.h"
#include "print_internal.h"

#define DUAL_HAS_VSRC1 1 /* and no v_mov_b32 */
#define DUAL_VSRC1_IS_SRC2 2
#define DUAL_K 4
#define DUAL_READS_DST 8
#define DUAL_READS_VCC 16

static const struct dual {
   uint16_t op;
   uint8_t number; /* from 16 on: Y only */
   uint8_t flags;
   const char *name; /* where the op has none on these generations */
} duals[] = {
   {ISA_V_FMAC_F32, 0, DUAL_HAS_VSRC1 | DUAL_READS_DST, NULL},
   {ISA_V_FMAAK_F32, 1, DUAL_HAS_VSRC1 | DUAL_K, NULL},
   {ISA_V_FMAMK_F32, 2, DUAL_HAS_VSRC1 | DUAL_K | DUAL_VSRC1_IS_SRC2, NULL},
   {ISA_V_MUL_F32, 3, DUAL_HAS_VSRC1, NULL},
   {ISA_V_ADD_F32, 4, DUAL_HAS_VSRC1, NULL},
   {ISA_V_SUB_F32, 5, DUAL_HAS_VSRC1, NULL},
   {ISA_V_SUBREV_F32, 6, DUAL_HAS_VSRC1, NULL},
   {ISA_V_MUL_LEGACY_F32, 7, DUAL_HAS_VSRC1, NULL},
   {ISA_V_MOV_B32, 8, 0, NULL},
   {ISA_V_CNDMASK_B32, 9, DUAL_HAS_VSRC1 | DUAL_READS_VCC, NULL},
   {ISA_V_MAX_F32, 10, DUAL_HAS_VSRC1, NULL},
   {ISA_V_MIN_F32, 11, DUAL_HAS_VSRC1, NULL},
   {ISA_V_DOT2C_F32_F16, 12, DUAL_HAS_VSRC1 | DUAL_READS_DST, "v_dot2acc_f32_f16"},
   {ISA_V_DOT2C_F32_BF16, 13, DUAL_HAS_VSRC1 | DUAL_READS_DST, "v_dot2acc_f32_bf16"},
   {ISA_V_ADD_U32, 16, DUAL_HAS_VSRC1, NULL},
   {ISA_V_LSHLREV_B32, 17, DUAL_HAS_VSRC1, NULL},
   {ISA_V_AND_B32, 18, DUAL_HAS_VSRC1, NULL},
};
#define NUM_DUALS (sizeof(duals) / sizeof(duals[0]))

static const struct dual *dual_of_op(unsigned op)
{
   for (unsigned i = 0; i < NUM_DUALS; i++) {
      if (duals[i].op == op)
         return &duals[i];
   }
   return NULL;
}

static const struct dual *dual_of_number(unsigned number)
{
   for (unsigned i = 0; i < NUM_DUALS; i++) {
      if (duals[i].number == number)
         return &duals[i];
   }
   return NULL;
}

int isa_vopd_op(unsigned number)
{
   const struct dual *d = dual_of_number(number);
   return d ? d->op : -1;
}

/* The VGPR in one of the three source positions of a half, or ISA_NONE. */
static uint16_t vgpr_of(const struct isa_inst *inst, const struct dual *d, bool y, unsigned n)
{
   uint16_t src0 = inst->src[y * 2], vsrc1 = d->flags & DUAL_HAS_VSRC1 ? inst->src[y * 2 + 1] : ISA_NONE;
   bool addend = d->flags & DUAL_VSRC1_IS_SRC2;
   switch (n) {
   case 0:
      return isa_is_vgpr(src0) ? src0 : ISA_NONE;
   case 1:
      return addend ? ISA_NONE : vsrc1;
   default:
      return addend ? vsrc1 : d->flags & DUAL_READS_DST ? (y ? inst->dst2 : inst->dst) : ISA_NONE;
   }
}

static const char *check(enum tgsiamd_gfx gfx, const struct isa_inst *inst, const struct dual *x, const struct dual *y)
{
   static const uint8_t bank_mask[] = {3, 3, 1};
   const struct dual *half[2] = {x, y};
   uint16_t bus[5];
   unsigned used = 0;

   for (unsigned h = 0; h < 2; h++) {
      uint16_t src0 = inst->src[h * 2], vsrc1 = inst->src[h * 2 + 1];
      if (src0 == ISA_NONE || (src0 >= 256 ? !isa_is_vgpr(src0) : !isa_valid_scalar(gfx, src0, 1, false)))
         return "no such first source";
      if (half[h]->flags & DUAL_HAS_VSRC1 ? !isa_is_vgpr(vsrc1) : vsrc1 != ISA_NONE)
         return "the second source is a VGPR, and v_mov_b32 has none";
      const uint16_t reads[3] = {src0, half[h]->flags & DUAL_K ? ISA_LITERAL : ISA_NONE,
                                 half[h]->flags & DUAL_READS_VCC ? ISA_VCC : ISA_NONE};
      for (unsigned i = 0; i < 3; i++) {
         bool counts = reads[i] < 128 || reads[i] == ISA_LITERAL || (reads[i] >= 235 && reads[i] <= 239) || reads[i] == ISA_SCC;
         for (unsigned k = 0; k < used; k++)
            counts &= bus[k] != reads[i];
         if (counts && reads[i] != ISA_NULL)
            bus[used++] = reads[i];
      }
   }
   if (used > isa_limits(gfx)->constant_bus_limit)
      return "more scalar values than the constant bus carries";
   if (!isa_is_vgpr(inst->dst) || !isa_is_vgpr(inst->dst2) || !((inst->dst ^ inst->dst2) & 1))
      return "one destination is even, the other odd";
   if (gfx >= TGSIAMD_GFX12 && x->op == ISA_V_MOV_B32 && y->op == ISA_V_MOV_B32)
      return NULL;
   for (unsigned n = 0; n < 3; n++) {
      uint16_t a = vgpr_of(inst, x, false, n), b = vgpr_of(inst, y, true, n);
      if (a != ISA_NONE && b != ISA_NONE && !((a ^ b) & bank_mask[n]))
         return "both halves read the same bank of VGPRs";
   }
   return NULL;
}

bool isa_has_vopd(enum tgsiamd_gfx gfx)
{
   return gfx == TGSIAMD_GFX11 || gfx == TGSIAMD_GFX12;
}

static bool has_literal(const struct isa_inst *inst, const struct dual *x, const struct dual *y)
{
   return inst->src[0] == ISA_LITERAL || inst->src[2] == ISA_LITERAL || (x->flags | y->flags) & DUAL_K;
}

static unsigned source_bits(enum tgsiamd_gfx gfx, uint16_t operand)
{
   return operand < 256 ? isa_scalar_code(gfx, operand) : operand;
}

unsigned isa_vopd_encode(enum tgsiamd_gfx gfx, struct isa_inst *inst, uint32_t *out, const char **why)
{
   const struct dual *x = dual_of_op(inst->op), *y = dual_of_op(inst->op_y);
   const char *reason = !isa_has_vopd(gfx) ? "the generation has no VOPD"
                        : !x || !y || x->number >= 16 ? "the op is no half of a VOPD"
                                                      : check(gfx, inst, x, y);
   inst->num_dwords = 0;
   if (reason) {
      if (why)
         *why = reason;
      return 0;
   }
   unsigned vsrc1_x = inst->src[1] == ISA_NONE ? 0 : inst->src[1] - 256;
   unsigned vsrc1_y = inst->src[3] == ISA_NONE ? 0 : inst->src[3] - 256;
   out[0] = 0xc8000000u | (uint32_t)x->number << 22 | (uint32_t)y->number << 17 | vsrc1_x << 9 | source_bits(gfx, inst->src[0]);
   out[1] = (uint32_t)(inst->dst - 256) << 24 | (uint32_t)(inst->dst2 - 256) >> 1 << 17 | vsrc1_y << 9 |
            source_bits(gfx, inst->src[2]);
   inst->num_dwords = 2;
   if (has_literal(inst, x, y))
      out[inst->num_dwords++] = inst->literal;
   return inst->num_dwords;
}

unsigned isa_vopd_decode(enum tgsiamd_gfx gfx, const uint32_t *code, unsigned num, struct isa_inst *inst)
{
   if (num < 2)
      return 0;
   const struct dual *half[2] = {dual_of_number(code[0] >> 22 & 15), dual_of_number(code[0] >> 17 & 31)};
   if (!half[0] || !half[1])
      return 0;
   inst->enc = ISA_ENC_VOPD;
   inst->op = half[0]->op;
   inst->op_y = half[1]->op;
   inst->dst = ISA_VGPR(code[1] >> 24);
   inst->dst2 = ISA_VGPR((code[1] >> 17 & 0x7f) << 1 | !(inst->dst & 1));
   for (unsigned h = 0; h < 2; h++) {
      unsigned src0 = code[h] & 0x1ff, vsrc1 = code[h] >> 9 & 0xff;
      inst->src[h * 2] = src0 < 256 ? isa_scalar_code(gfx, src0) : src0;
      inst->src[h * 2 + 1] = half[h]->flags & DUAL_HAS_VSRC1 ? ISA_VGPR(vsrc1) : ISA_NONE;
      if (!(half[h]->flags & DUAL_HAS_VSRC1) && vsrc1)
         return 0;
   }
   unsigned used = 2;
   if (has_literal(inst, half[0], half[1])) {
      if (num < 3)
         return 0;
      inst->literal = code[used++];
   }
   if (check(gfx, inst, half[0], half[1]))
      return 0;
   inst->num_dwords = used;
   return used;
}

void isa_print_vopd(struct printer *p)
{
   const struct isa_inst *inst = p->inst;
   for (unsigned h = 0; h < 2; h++) {
      const struct dual *d = dual_of_op(h ? inst->op_y : inst->op);
      if (!d) {
         isa_puts(p, "<no half of a VOPD>");
         continue;
      }
      p->first = true;
      isa_puts(p, h ? " :: v_dual_" : "v_dual_");
      isa_puts(p, (d->name ? d->name : isa_names + isa_op_name[p->gfx][d->op]) + 2);
      isa_separator(p);
      isa_print_operand(p, h ? inst->dst2 : inst->dst, 1, ISA_TYPE_B);
      isa_separator(p);
      isa_print_operand(p, inst->src[h * 2], 1, ISA_TYPE_B);
      bool addend = d->flags & DUAL_VSRC1_IS_SRC2;
      for (unsigned i = 0; i < 2; i++) {
         if (i == addend && d->flags & DUAL_HAS_VSRC1) {
            isa_separator(p);
            isa_print_operand(p, inst->src[h * 2 + 1], 1, ISA_TYPE_B);
         } else if (i != addend && d->flags & DUAL_K) {
            isa_separator(p);
            isa_printf(p, "0x%x", inst->literal);
         }
      }
   }
}
