/* SPDX-License-Identifier: MIT */
/* Wait states of CDNA's matrix and dot operations, which write their results
 * long after issue without an interlock: "Dependency Resolution: Required
 * Independent Instructions" of the CDNA2 and CDNA3 ISA manuals, CDNA4 as LLVM
 * has it. A matrix op takes `passes` of four cycles, and most rules are that
 * number and a constant. */
#include "hazards.h"

/* What an instruction is to the rules. */
enum kind {
   K_F32 = 1 << 0,    /* matrix ops on floats, which from CDNA3 on take another path than */
   K_XDL = 1 << 1,    /* all those on narrower types; on CDNA2 there is no difference */
   K_F64_4 = 1 << 2,
   K_F64_16 = 1 << 3,
   K_DOT = 1 << 4,
   K_VALU = 1 << 5,   /* anything else on the VALU, K_FMA64 included */
   K_MEMORY = 1 << 6, /* and exports */
   K_FMA64 = 1 << 7,
};
#define K_S (K_F32 | K_XDL)
#define K_F64 (K_F64_4 | K_F64_16)
#define K_MATRIX (K_S | K_F64)

/* What the second does with the result of the first, but for the last ones. */
enum dependency {
   D_AB,      /* reads it as a matrix A or B, or as the index of a sparse one */
   D_C,       /* reads part of it as matrix C */
   D_SAME_C,  /* reads all of it as matrix C, which is forwarded */
   D_READ,    /* no matrix op */
   D_WRITE,   /* no matrix op */
   D_WRITE_C, /* writes what the first reads as matrix C */
   D_EXEC,    /* the first writes EXEC */
   D_NONE,    /* no register in common */
};

#define GFX(a) (1u << TGSIAMD_##a)
#define CDNA2 GFX(GFX90A)
#define CDNA3 GFX(GFX940)
#define CDNA4 GFX(GFX950)
#define CDNA3_4 (CDNA3 | CDNA4)
#define CDNA (CDNA2 | CDNA3_4)

/* Passes are powers of two, so that a sum of them is a set. */
#define ANY (2 | 4 | 8 | 16)
#define LONG (4 | 8 | 16)
/* Those that are no matrix ops. */
#define OTHERS (K_DOT | K_VALU | K_MEMORY)

static const struct rule {
   uint32_t gfx;
   uint16_t first;
   uint8_t passes;     /* of the first */
   uint8_t dependency;
   uint16_t second;
   int8_t states;      /* these, */
   uint8_t per_pass;   /* and so many for each pass of the first */
} rules[] = {
   {CDNA2, K_S, ANY, D_AB, K_MATRIX, 3, 1},
   {CDNA2, K_S, ANY, D_C, K_S, 0, 1},
   {CDNA2, K_S, ANY, D_C, K_F64, 1, 1},
   {CDNA2, K_S, ANY, D_READ, OTHERS, 3, 1},
   {CDNA2, K_S, ANY, D_WRITE, OTHERS, 3, 1},
   {CDNA2, K_S, ANY, D_WRITE_C, OTHERS, -1, 1},

   {CDNA3_4, K_F32, ANY, D_AB, K_MATRIX, 2, 1},
   {CDNA3_4, K_F32, ANY, D_C, K_F32 | K_F64, 0, 1},
   {CDNA3_4, K_F32, ANY, D_READ, OTHERS, 2, 1},
   {CDNA3_4, K_F32, ANY, D_WRITE, OTHERS, 2, 1},
   {CDNA3_4, K_S, 2, D_SAME_C, K_MATRIX, 2, 0},

   {CDNA3, K_XDL, ANY, D_AB, K_MATRIX, 3, 1},
   {CDNA3, K_XDL, ANY, D_C, K_MATRIX, 1, 1},
   {CDNA3, K_XDL, ANY, D_READ, OTHERS, 3, 1},
   {CDNA3, K_XDL, ANY, D_WRITE, OTHERS, 3, 1},
   {CDNA4, K_XDL, 2, D_AB, K_MATRIX, 3, 1},
   {CDNA4, K_XDL, LONG, D_AB, K_MATRIX, 4, 1},
   {CDNA4, K_XDL, ANY, D_C, K_XDL, 2, 1},
   {CDNA4, K_XDL, 2, D_C, K_F32 | K_F64, 1, 1},
   {CDNA4, K_XDL, LONG, D_C, K_F32 | K_F64, 2, 1},
   {CDNA4, K_XDL, 2, D_READ, OTHERS, 3, 1},
   {CDNA4, K_XDL, LONG, D_READ, OTHERS, 4, 1},
   {CDNA4, K_XDL, 2, D_WRITE, OTHERS, 3, 1},
   {CDNA4, K_XDL, LONG, D_WRITE, OTHERS, 4, 1},
   {CDNA3_4, K_XDL, ANY, D_WRITE_C, OTHERS, -1, 1},

   {CDNA, K_F64_4, ANY, D_AB, K_MATRIX, 6, 0},
   {CDNA2, K_F64_4, ANY, D_C, K_F64, 4, 0},
   {CDNA3_4, K_F64_4, ANY, D_C, K_F32 | K_F64, 4, 0},
   {CDNA, K_F64_4, ANY, D_SAME_C, K_F64_4, 4, 0},
   {CDNA, K_F64_4, ANY, D_READ, K_DOT | K_VALU, 6, 0},
   {CDNA, K_F64_4, ANY, D_READ, K_MEMORY, 9, 0},
   {CDNA, K_F64_4, ANY, D_WRITE, OTHERS, 6, 0},

   {CDNA, K_F64_16, ANY, D_AB, K_MATRIX, 3, 1},
   {CDNA2, K_F64_16, ANY, D_C, K_F64, 1, 1},
   {CDNA3_4, K_F64_16, ANY, D_C, K_F32 | K_F64, 1, 1},
   {CDNA, K_F64_16, ANY, D_READ, K_DOT | K_VALU, 3, 1},
   {CDNA, K_F64_16, ANY, D_READ, K_MEMORY, 18, 0},
   {CDNA, K_F64_16, ANY, D_WRITE, OTHERS, 11, 0},

   {CDNA, K_F64, ANY, D_NONE, K_FMA64, 2, 0},
   {CDNA, K_VALU, ANY, D_AB, K_MATRIX, 2, 0},
   {CDNA, K_VALU, ANY, D_C, K_MATRIX, 2, 0},
   {CDNA, K_VALU, ANY, D_SAME_C, K_MATRIX, 2, 0},
   {CDNA, K_VALU | K_DOT, ANY, D_EXEC, K_MATRIX, 4, 0},
   {CDNA, K_DOT, ANY, D_READ, OTHERS, 3, 0},
   {CDNA, K_DOT, ANY, D_WRITE, OTHERS, 3, 0},
};

static unsigned kind_of(const struct isa_inst *inst)
{
   const struct isa_op_info *info = &isa_op_infos[inst->op];
   switch (info->unit) {
   case ISA_UNIT_VMEM:
   case ISA_UNIT_FLAT:
   case ISA_UNIT_LDS:
   case ISA_UNIT_GDS:
   case ISA_UNIT_EXPORT:
      return K_MEMORY;
   case ISA_UNIT_VALU:
      break;
   default:
      return 0;
   }
   if (info->flags & ISA_MATRIX && info->num_src == 3) {
      if (inst->op == ISA_V_MFMA_F64_4X4X4F64)
         return K_F64_4;
      if (inst->op == ISA_V_MFMA_F64_16X16X4F64)
         return K_F64_16;
      return info->src_type[0] == ISA_TYPE_F && info->src_dw[0] == 1 ? K_F32 : K_XDL;
   }
   if (!strncmp(info->name, "v_dot", 5))
      return K_DOT;
   if (inst->op == ISA_V_FMA_F64 || inst->op == ISA_V_FMAC_F64)
      return K_VALU | K_FMA64;
   return K_VALU;
}

bool isa_is_matrix(const struct isa_inst *inst)
{
   return kind_of(inst) & K_MATRIX;
}

static unsigned passes_of(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   unsigned passes = isa_latency(gfx, inst->op) / isa_issue_clocks(gfx);
   /* The formats 2 and above, of six and four bits, take half the time when both sources are such. */
   return isa_can_scale(inst->op) && inst->cbsz >= 2 && inst->blgp >= 2 ? passes / 2 : passes;
}

/* Matrix C of a matrix op. */
static struct isa_span matrix_c(enum tgsiamd_gfx gfx, const struct isa_inst *inst)
{
   return isa_is_smfmac(inst->op) ? isa_dst_span(gfx, inst) : isa_src_span(gfx, inst, 2);
}

/* The dependencies that hold of the two, a set. */
static unsigned dependencies(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second)
{
   struct isa_span exec = {ISA_EXEC, 2}, result = isa_dst_span(gfx, first);
   unsigned set = 1u << D_NONE;
   if (isa_writes(gfx, first, exec))
      set |= 1u << D_EXEC;
   if (isa_is_matrix(first) && isa_writes(gfx, second, matrix_c(gfx, first)))
      set |= 1u << D_WRITE_C;
   if (isa_writes(gfx, second, result))
      set |= 1u << D_WRITE;
   if (isa_is_matrix(second)) {
      struct isa_span c = matrix_c(gfx, second);
      unsigned num_ab = isa_is_smfmac(second->op) ? 3 : 2;
      for (unsigned i = 0; i < num_ab; i++) {
         if (isa_overlap(result, isa_src_span(gfx, second, i)))
            set |= 1u << D_AB;
      }
      for (unsigned i = 0; i < 2; i++) {
         if (isa_overlap(result, (struct isa_span){second->scale[i], second->scale[i] != 0}))
            set |= 1u << D_AB;
      }
      if (isa_overlap(result, c))
         set |= 1u << (c.first == result.first && c.num == result.num ? D_SAME_C : D_C);
   } else if (isa_reads(gfx, second, result)) {
      set |= 1u << D_READ;
   }
   return set;
}

/* The accumulator of one dot op after the other is forwarded. */
static bool accumulates(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second)
{
   struct isa_span result = isa_dst_span(gfx, first);
   return first->op == second->op && !isa_overlap(result, isa_src_span(gfx, second, 0)) &&
          !isa_overlap(result, isa_src_span(gfx, second, 1));
}

unsigned isa_matrix_states(enum tgsiamd_gfx gfx, const struct isa_inst *first, const struct isa_inst *second)
{
   if (!(CDNA >> gfx & 1))
      return 0;
   unsigned a = kind_of(first), b = kind_of(second), states = 0;
   if (!a || !b || (a == K_DOT && accumulates(gfx, first, second)) || !((a | b) & (K_MATRIX | K_DOT)))
      return 0;
   unsigned set = dependencies(gfx, first, second);
   unsigned passes = a & K_MATRIX ? passes_of(gfx, first) : 2;
   for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
      const struct rule *r = &rules[i];
      if (r->gfx >> gfx & 1 && r->first & a && r->second & b && r->passes & passes && set >> r->dependency & 1 &&
          r->states + r->per_pass * passes > states)
         states = r->states + r->per_pass * passes;
   }
   return states;
}

unsigned isa_matrix_window(enum tgsiamd_gfx gfx)
{
   return CDNA4 >> gfx & 1 ? 20 : CDNA >> gfx & 1 ? 19 : 0;
}
