/* SPDX-License-Identifier: MIT */
/* Stream dumper: an IB as text, by Mesa's register database. */
#ifndef TGSIAMD_DUMP_H
#define TGSIAMD_DUMP_H

#include <stdint.h>
#include <stdio.h>
#include "amd_family.h"

void tgsiamd_dump_ib(FILE *f, const uint32_t *ib, uint32_t dwords, uint64_t va,
                     enum amd_gfx_level gfx_level);

#endif
