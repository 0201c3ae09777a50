/* SPDX-License-Identifier: MIT */
/* The chips. Family and revision numbers as the kernel reports them
 * (AMDGPU_FAMILY_*, external_rev); GB_ADDR_CONFIG where the kernel's golden
 * value is known, 0 otherwise. */
#include "tgsiamd/hw.h"

#include <stddef.h>
#include <string.h>

static const struct tgsiamd_chip chips[] = {
   /* name, LLVM, generation, PCI id, family, rev, GB_ADDR_CONFIG, SE, SH, CU, RB */
   { "tahiti", "gfx600", TGSIAMD_GFX6, 0x6798, 110, 0x05, 0x12011003, 2, 2, 8, 8 },
   { "pitcairn", "gfx601", TGSIAMD_GFX6, 0x6818, 110, 0x15, 0x12011003, 2, 2, 5, 8 },
   { "hainan", "gfx602", TGSIAMD_GFX6, 0x6660, 110, 0x46, 0x02010001, 1, 1, 5, 1 },
   { "kaveri", "gfx700", TGSIAMD_GFX7, 0x130f, 125, 0x01, 0x02010001, 1, 1, 8, 2 },
   { "hawaii", "gfx701", TGSIAMD_GFX7, 0x67b0, 120, 0x28, 0x12011003, 4, 1, 11, 16 },
   { "bonaire", "gfx704", TGSIAMD_GFX7, 0x6658, 120, 0x14, 0x12010001, 2, 1, 7, 4 },
   { "tonga", "gfx802", TGSIAMD_GFX8, 0x6938, 130, 0x14, 0x22011003, 4, 1, 8, 8 },
   { "fiji", "gfx803", TGSIAMD_GFX8, 0x7300, 130, 0x3c, 0x22011003, 4, 1, 16, 16 },
   { "polaris10", "gfx803", TGSIAMD_GFX8, 0x67df, 130, 0x50, 0x22011003, 4, 1, 9, 8 },
   { "stoney", "gfx810", TGSIAMD_GFX8, 0x98e4, 135, 0x61, 0x22010001, 1, 1, 3, 1 },
   { "vega10", "gfx900", TGSIAMD_GFX9, 0x687f, 141, 0x01, 0x2a114042, 4, 1, 16, 16 },
   { "raven", "gfx902", TGSIAMD_GFX9, 0x15dd, 142, 0x41, 0x24000042, 1, 1, 11, 2 },
   { "vega12", "gfx904", TGSIAMD_GFX9, 0x69af, 141, 0x14, 0x24104041, 4, 1, 5, 8 },
   { "vega20", "gfx906", TGSIAMD_GFX9, 0x66af, 141, 0x28, 0x2a114042, 4, 1, 16, 16 },
   { "raven2", "gfx909", TGSIAMD_GFX9, 0x15d8, 142, 0x81, 0x26013041, 1, 1, 3, 1 },
   { "renoir", "gfx90c", TGSIAMD_GFX9, 0x1636, 142, 0x91, 0x24000042, 1, 1, 8, 2 },
   { "aldebaran", "gfx90a", TGSIAMD_GFX90A, 0x740c, 141, 0x3c, 0, 8, 1, 14, 0 },
   { "mi300", "gfx942", TGSIAMD_GFX940, 0x74a1, 0, 0, 0, 4, 1, 10, 0 },
   { "mi350", "gfx950", TGSIAMD_GFX950, 0x75a0, 0, 0, 0, 4, 1, 8, 0 },
   { "navi10", "gfx1010", TGSIAMD_GFX10, 0x731f, 143, 0x01, 0x00100044, 2, 2, 10, 16 },
   { "navi14", "gfx1012", TGSIAMD_GFX10, 0x7340, 143, 0x14, 0x00000043, 1, 2, 12, 8 },
   { "navi21", "gfx1030", TGSIAMD_GFX10_3, 0x73bf, 143, 0x28, 0, 4, 2, 10, 16 },
   { "vangogh", "gfx1033", TGSIAMD_GFX10_3, 0x163f, 144, 0x01, 0, 1, 1, 8, 2 },
   { "navi31", "gfx1100", TGSIAMD_GFX11, 0x744c, 145, 0x01, 0, 6, 2, 8, 24 },
   { "navi33", "gfx1102", TGSIAMD_GFX11, 0x7480, 145, 0x10, 0, 2, 2, 8, 8 },
   { "navi44", "gfx1200", TGSIAMD_GFX12, 0x7590, 152, 0x40, 0, 2, 2, 8, 8 },
   { "navi48", "gfx1201", TGSIAMD_GFX12, 0x7550, 152, 0x50, 0, 4, 2, 8, 16 },
};
#define NUM_CHIPS (sizeof(chips) / sizeof(chips[0]))

/* LLVM names that are no row of their own and share a row's instructions. */
static const struct { const char *alias, *name; } aliases[] = {
   { "gfx703", "gfx700" }, { "gfx801", "gfx802" }, { "gfx805", "gfx802" }, { "gfx908", "gfx906" },
   { "gfx940", "gfx942" }, { "gfx941", "gfx942" }, { "gfx1011", "gfx1012" }, { "gfx1031", "gfx1030" },
   { "gfx1032", "gfx1030" }, { "gfx1034", "gfx1030" }, { "gfx1035", "gfx1033" }, { "gfx1036", "gfx1033" },
   { "gfx1101", "gfx1100" }, { "gfx1103", "gfx1102" },
};

static const char *const generation_names[TGSIAMD_GFX_COUNT] = {
   [TGSIAMD_GFX6] = "gfx600",     [TGSIAMD_GFX7] = "gfx700",   [TGSIAMD_GFX8] = "gfx803",
   [TGSIAMD_GFX9] = "gfx900",     [TGSIAMD_GFX90A] = "gfx90a", [TGSIAMD_GFX940] = "gfx942",
   [TGSIAMD_GFX950] = "gfx950",   [TGSIAMD_GFX10] = "gfx1010", [TGSIAMD_GFX10_3] = "gfx1030",
   [TGSIAMD_GFX11] = "gfx1100",   [TGSIAMD_GFX12] = "gfx1200",
};

const struct tgsiamd_chip *tgsiamd_chip_by_name(const char *name)
{
   for (unsigned i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
      if (strcmp(aliases[i].alias, name) == 0)
         name = aliases[i].name;
   }
   for (unsigned i = 0; i < NUM_CHIPS; i++) {
      if (strcmp(chips[i].name, name) == 0 || strcmp(chips[i].llvm_name, name) == 0)
         return &chips[i];
   }
   return NULL;
}

const struct tgsiamd_chip *tgsiamd_chip_by_pci(uint16_t device)
{
   for (unsigned i = 0; device && i < NUM_CHIPS; i++) {
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
   return generation_names[gfx];
}
