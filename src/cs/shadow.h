/* SPDX-License-Identifier: MIT */
/* Register shadow: the values that the stream has written so far, so that
 * redundant writes can be left out. Three banks: context, SH and the graphics
 * part of UCONFIG. */
#ifndef TGSIAMD_SHADOW_H
#define TGSIAMD_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

#define SHADOW_BANK_REGS 1024
enum shadow_bank { SHADOW_CONTEXT, SHADOW_SH, SHADOW_UCONFIG, SHADOW_BANKS };

struct tgsiamd_shadow {
   uint32_t value[SHADOW_BANKS][SHADOW_BANK_REGS];
   uint32_t known[SHADOW_BANKS][SHADOW_BANK_REGS / 32];
};

/* The hardware may hold anything. */
void shadow_forget_all(struct tgsiamd_shadow *shadow);
/* The hardware may have changed register `reg` (byte address) by itself. */
void shadow_forget(struct tgsiamd_shadow *shadow, uint32_t reg);
/* Records the write; true when it changes what is known to be there. */
bool shadow_write(struct tgsiamd_shadow *shadow, uint32_t reg, uint32_t count, const uint32_t *values);

#endif
