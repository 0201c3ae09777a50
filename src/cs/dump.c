/* SPDX-License-Identifier: MIT */
/* Stream dumper. */
#include "dump.h"
#include "ac_debug.h"

void
tgsiamd_dump_ib(FILE *f, const uint32_t *ib, uint32_t dwords, uint64_t va,
                enum amd_gfx_level gfx_level)
{
   fprintf(f, "tgsiamd: IB at 0x%llx, %u dwords\n", (unsigned long long)va, dwords);
   ac_parse_ib_chunk(f, (uint32_t *)ib, dwords, NULL, 0, gfx_level, NULL, NULL);
   fflush(f);
}
