/* SPDX-License-Identifier: MIT */
/* Facts about AMD GPUs that more than one floor needs: generations and chips.
 * Numbers of packets and registers come from Mesa's database (amdgfxregs.h,
 * sid.h); this header only names generations. */
#ifndef TGSIAMD_HW_H
#define TGSIAMD_HW_H

#include <stdbool.h>
#include <stdint.h>

/* Instruction-set generations in order of age. Tables are indexed by it. */
enum tgsiamd_gfx {
   TGSIAMD_GFX6,
   TGSIAMD_GFX7,
   TGSIAMD_GFX8,
   TGSIAMD_GFX9,   /* gfx900, gfx902 (Raven), gfx90c */
   TGSIAMD_GFX90A,
   TGSIAMD_GFX940, /* gfx940, gfx942 */
   TGSIAMD_GFX950,
   TGSIAMD_GFX10,  /* gfx1010 */
   TGSIAMD_GFX10_3,
   TGSIAMD_GFX11,
   TGSIAMD_GFX12,
   TGSIAMD_GFX_COUNT,
};

/* One row per chip; the table is src/hw/chips.c. */
struct tgsiamd_chip {
   const char *name;      /* "raven" */
   const char *llvm_name; /* "gfx902" */
   enum tgsiamd_gfx gfx;
   uint16_t pci_device;   /* PCI device id, 0 when there is no such product */
   uint32_t family;       /* AMDGPU_FAMILY_* of amdgpu_drm.h */
   uint32_t external_rev; /* drm_amdgpu_info_device.external_rev */
   uint32_t gb_addr_config;
   uint8_t num_se, num_sh_per_se, num_cu_per_sh, num_rb;
};

/* Chip by LLVM's or the product's name, NULL when unknown. Static storage. */
const struct tgsiamd_chip *tgsiamd_chip_by_name(const char *name);
/* Chip by PCI device id, NULL when unknown. */
const struct tgsiamd_chip *tgsiamd_chip_by_pci(uint16_t device);
/* All chips, *count of them. */
const struct tgsiamd_chip *tgsiamd_chips(unsigned *count);
/* LLVM's -mcpu name that stands for a whole generation. */
const char *tgsiamd_gfx_llvm_name(enum tgsiamd_gfx gfx);

#endif
