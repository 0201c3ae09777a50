/* SPDX-License-Identifier: MIT */
/* Register files, occupancy and wait counters per generation. */
#include "tgsiamd/isa.h"

#define GCN_LIMITS                                                                                  \
   .max_vgprs = 256, .vgpr_granule = 4, .phys_vgprs_per_simd = 256, .simds_per_cu = 4,              \
   .lds_bytes_per_cu = 65536, .constant_bus_limit = 1, .max_expcnt = 7
#define GFX8_LIMITS                                                                                 \
   GCN_LIMITS, .max_sgprs = 102, .sgpr_granule = 16, .phys_sgprs_per_simd = 800, .lds_granule = 512, \
   .max_lgkmcnt = 15
#define CDNA_LIMITS                                                                                 \
   .max_sgprs = 102, .sgpr_granule = 16, .phys_sgprs_per_simd = 800, .max_vgprs = 512, .vgpr_granule = 8, \
   .phys_vgprs_per_simd = 512, .max_waves_per_simd = 8, .simds_per_cu = 4, .lds_granule = 512,      \
   .constant_bus_limit = 1, .max_vmcnt = 63, .max_expcnt = 7, .max_lgkmcnt = 15
/* A wave64 takes two of the 1024 wave32 registers of a SIMD; a "CU" is half a WGP. */
#define RDNA_LIMITS                                                                                 \
   .max_sgprs = 106, .sgpr_granule = 128, .phys_sgprs_per_simd = 0, .max_vgprs = 256, .simds_per_cu = 2, \
   .lds_bytes_per_cu = 65536, .lds_granule = 512, .constant_bus_limit = 2, .vop3_literal = true,    \
   .has_wave32 = true, .max_vmcnt = 63, .max_expcnt = 7, .max_lgkmcnt = 63, .max_vscnt = 63

static const struct isa_limits limits[TGSIAMD_GFX_COUNT] = {
   [TGSIAMD_GFX6] = {GCN_LIMITS, .max_sgprs = 104, .sgpr_granule = 8, .phys_sgprs_per_simd = 512,
                     .max_waves_per_simd = 10, .lds_granule = 256, .max_vmcnt = 15, .max_lgkmcnt = 15},
   [TGSIAMD_GFX7] = {GCN_LIMITS, .max_sgprs = 104, .sgpr_granule = 8, .phys_sgprs_per_simd = 512,
                     .max_waves_per_simd = 10, .lds_granule = 512, .max_vmcnt = 15, .max_lgkmcnt = 15},
   [TGSIAMD_GFX8] = {GFX8_LIMITS, .max_waves_per_simd = 10, .max_vmcnt = 15},
   [TGSIAMD_GFX9] = {GFX8_LIMITS, .max_waves_per_simd = 10, .max_vmcnt = 63},
   [TGSIAMD_GFX90A] = {CDNA_LIMITS, .lds_bytes_per_cu = 65536},
   [TGSIAMD_GFX940] = {CDNA_LIMITS, .lds_bytes_per_cu = 65536},
   [TGSIAMD_GFX950] = {CDNA_LIMITS, .lds_bytes_per_cu = 163840},
   [TGSIAMD_GFX10] = {RDNA_LIMITS, .vgpr_granule = 4, .phys_vgprs_per_simd = 512, .max_waves_per_simd = 20},
   [TGSIAMD_GFX10_3] = {RDNA_LIMITS, .vgpr_granule = 8, .phys_vgprs_per_simd = 512, .max_waves_per_simd = 16},
   [TGSIAMD_GFX11] = {RDNA_LIMITS, .vgpr_granule = 12, .phys_vgprs_per_simd = 768, .max_waves_per_simd = 16},
   [TGSIAMD_GFX12] = {RDNA_LIMITS, .vgpr_granule = 12, .phys_vgprs_per_simd = 768, .max_waves_per_simd = 16},
};

const struct isa_limits *isa_limits(enum tgsiamd_gfx gfx)
{
   return &limits[gfx];
}

/* SIMM16 of s_waitcnt: {low bit, bits} of each counter; VMCNT may be in two parts. */
struct waitcnt_layout {
   uint8_t vm_lo, vm_bits, vm_hi, vm_hi_bits;
   uint8_t exp_lo, lgkm_lo, lgkm_bits;
};
static const struct waitcnt_layout waitcnt_gfx6 = {0, 4, 0, 0, 4, 8, 4};
static const struct waitcnt_layout waitcnt_gfx9 = {0, 4, 14, 2, 4, 8, 4};
static const struct waitcnt_layout waitcnt_gfx10 = {0, 4, 14, 2, 4, 8, 6};
static const struct waitcnt_layout waitcnt_gfx11 = {10, 6, 0, 0, 0, 4, 6};
static const struct waitcnt_layout *const waitcnts[TGSIAMD_GFX_COUNT] = {
   [TGSIAMD_GFX6] = &waitcnt_gfx6,   [TGSIAMD_GFX7] = &waitcnt_gfx6,     [TGSIAMD_GFX8] = &waitcnt_gfx6,
   [TGSIAMD_GFX9] = &waitcnt_gfx9,   [TGSIAMD_GFX90A] = &waitcnt_gfx9,   [TGSIAMD_GFX940] = &waitcnt_gfx9,
   [TGSIAMD_GFX950] = &waitcnt_gfx9, [TGSIAMD_GFX10] = &waitcnt_gfx10,   [TGSIAMD_GFX10_3] = &waitcnt_gfx10,
   [TGSIAMD_GFX11] = &waitcnt_gfx11, [TGSIAMD_GFX12] = &waitcnt_gfx11,
};

static unsigned at_most(unsigned value, unsigned bits)
{
   unsigned max = (1u << bits) - 1;
   return value < max ? value : max;
}

uint16_t isa_waitcnt_pack(enum tgsiamd_gfx gfx, unsigned vm, unsigned exp, unsigned lgkm)
{
   const struct waitcnt_layout *l = waitcnts[gfx];
   vm = at_most(vm, l->vm_bits + l->vm_hi_bits);
   unsigned imm = (vm & ((1u << l->vm_bits) - 1)) << l->vm_lo;
   imm |= vm >> l->vm_bits << l->vm_hi;
   imm |= at_most(exp, 3) << l->exp_lo;
   imm |= at_most(lgkm, l->lgkm_bits) << l->lgkm_lo;
   return imm;
}

void isa_waitcnt_unpack(enum tgsiamd_gfx gfx, uint16_t imm, unsigned *vm, unsigned *exp, unsigned *lgkm)
{
   const struct waitcnt_layout *l = waitcnts[gfx];
   *vm = imm >> l->vm_lo & ((1u << l->vm_bits) - 1);
   *vm |= (imm >> l->vm_hi & ((1u << l->vm_hi_bits) - 1)) << l->vm_bits;
   *exp = imm >> l->exp_lo & 7;
   *lgkm = imm >> l->lgkm_lo & ((1u << l->lgkm_bits) - 1);
}
