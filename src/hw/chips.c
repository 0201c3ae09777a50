/* SPDX-License-Identifier: MIT */
/* Chips. PCI ids, families and revision ranges as the kernel driver and Mesa's
 * radeon_info know them; gb_addr_config is 0 where it has not been verified. */
#include "tgsiamd/hw.h"

#include <stddef.h>
#include <string.h>

#define FAMILY_SI 110
#define FAMILY_CI 120
#define FAMILY_VI 130
#define FAMILY_AI 141
#define FAMILY_RV 142
#define FAMILY_NV 143
#define FAMILY_GC_11 145
#define FAMILY_GC_12 152

static const struct tgsiamd_chip chips[] = {
   /* name, LLVM, generation, PCI, family, revision, GB_ADDR_CONFIG, SE, SH/SE, CU/SH, RB */
   {"raven", "gfx902", TGSIAMD_GFX9, 0x15dd, FAMILY_RV, 0x41, 0x24000042, 1, 1, 11, 2},
   {"raven2", "gfx909", TGSIAMD_GFX9, 0x15d8, FAMILY_RV, 0x81, 0x26013041, 1, 1, 3, 1},
   {"renoir", "gfx90c", TGSIAMD_GFX9, 0x1636, FAMILY_RV, 0x91, 0x24000042, 1, 1, 8, 2},
   {"vega10", "gfx900", TGSIAMD_GFX9, 0x687f, FAMILY_AI, 0x01, 0x2a114042, 4, 1, 16, 16},
   {"vega12", "gfx904", TGSIAMD_GFX9, 0x69af, FAMILY_AI, 0x14, 0, 4, 1, 5, 8},
   {"vega20", "gfx906", TGSIAMD_GFX9, 0x66af, FAMILY_AI, 0x28, 0x2a114042, 4, 1, 16, 16},
   {"verde", "gfx601", TGSIAMD_GFX6, 0x683d, FAMILY_SI, 0x29, 0, 1, 2, 5, 4},
   {"tahiti", "gfx600", TGSIAMD_GFX6, 0x6798, FAMILY_SI, 0x05, 0, 2, 2, 8, 8},
   {"bonaire", "gfx704", TGSIAMD_GFX7, 0x6658, FAMILY_CI, 0x14, 0, 2, 1, 7, 4},
   {"hawaii", "gfx701", TGSIAMD_GFX7, 0x67b0, FAMILY_CI, 0x28, 0, 4, 1, 11, 16},
   {"tonga", "gfx802", TGSIAMD_GFX8, 0x6938, FAMILY_VI, 0x14, 0, 4, 1, 8, 8},
   {"fiji", "gfx803", TGSIAMD_GFX8, 0x7300, FAMILY_VI, 0x3c, 0, 4, 1, 16, 16},
   {"polaris10", "gfx803", TGSIAMD_GFX8, 0x67df, FAMILY_VI, 0x50, 0, 4, 1, 9, 8},
   {"aldebaran", "gfx90a", TGSIAMD_GFX90A, 0x7408, FAMILY_AI, 0x3c, 0, 8, 1, 14, 0},
   {"mi300x", "gfx942", TGSIAMD_GFX940, 0x74a1, FAMILY_AI, 0x46, 0, 4, 1, 10, 0},
   {"mi350x", "gfx950", TGSIAMD_GFX950, 0x75a0, FAMILY_AI, 0x50, 0, 4, 1, 8, 0},
   {"navi10", "gfx1010", TGSIAMD_GFX10, 0x731f, FAMILY_NV, 0x01, 0x00100044, 2, 2, 10, 16},
   {"navi14", "gfx1012", TGSIAMD_GFX10, 0x7340, FAMILY_NV, 0x14, 0x00000043, 1, 2, 12, 8},
   {"navi21", "gfx1030", TGSIAMD_GFX10_3, 0x73bf, FAMILY_NV, 0x28, 0, 4, 2, 10, 16},
   {"navi22", "gfx1031", TGSIAMD_GFX10_3, 0x73df, FAMILY_NV, 0x32, 0, 2, 2, 10, 8},
   {"navi23", "gfx1032", TGSIAMD_GFX10_3, 0x73ff, FAMILY_NV, 0x3c, 0, 2, 2, 8, 8},
   {"navi31", "gfx1100", TGSIAMD_GFX11, 0x744c, FAMILY_GC_11, 0x01, 0, 6, 2, 8, 24},
   {"navi33", "gfx1102", TGSIAMD_GFX11, 0x7480, FAMILY_GC_11, 0x10, 0, 2, 2, 8, 8},
   {"navi44", "gfx1200", TGSIAMD_GFX12, 0x7590, FAMILY_GC_12, 0x40, 0, 2, 2, 8, 8},
   {"navi48", "gfx1201", TGSIAMD_GFX12, 0x7550, FAMILY_GC_12, 0x50, 0, 4, 2, 8, 16},
};
#define NUM_CHIPS (sizeof(chips) / sizeof(chips[0]))

/* The name that stands for a generation, known to the assembler; it may be no
 * product of its own (gfx700 and the like). */
static const char *const gfx_names[TGSIAMD_GFX_COUNT] = {
   [TGSIAMD_GFX6] = "gfx600",   [TGSIAMD_GFX7] = "gfx700",   [TGSIAMD_GFX8] = "gfx803",
   [TGSIAMD_GFX9] = "gfx900",   [TGSIAMD_GFX90A] = "gfx90a", [TGSIAMD_GFX940] = "gfx942",
   [TGSIAMD_GFX950] = "gfx950", [TGSIAMD_GFX10] = "gfx1010", [TGSIAMD_GFX10_3] = "gfx1030",
   [TGSIAMD_GFX11] = "gfx1100", [TGSIAMD_GFX12] = "gfx1200",
};

/* Generations whose own name is no chip's: a chip without numbers stands for it. */
static const struct tgsiamd_chip generic[] = {
   {"gfx700", "gfx700", TGSIAMD_GFX7, 0, FAMILY_CI, 0, 0, 0, 0, 0, 0},
};

const struct tgsiamd_chip *tgsiamd_chip_by_name(const char *name)
{
   for (size_t i = 0; i < NUM_CHIPS; i++) {
      if (!strcmp(chips[i].name, name) || !strcmp(chips[i].llvm_name, name))
         return &chips[i];
   }
   for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
      if (!strcmp(generic[i].name, name))
         return &generic[i];
   }
   return NULL;
}

const struct tgsiamd_chip *tgsiamd_chip_by_pci(uint16_t device)
{
   for (size_t i = 0; i < NUM_CHIPS; i++) {
      if (chips[i].pci_device == device)
         return &chips[i];
   }
   return NULL;
}

const struct tgsiamd_chip *tgsiamd_chips(unsigned *count)
{
   *count = NUM_CHIPS;
   return chips;
}

const char *tgsiamd_gfx_llvm_name(enum tgsiamd_gfx gfx)
{
   return gfx_names[gfx];
}
