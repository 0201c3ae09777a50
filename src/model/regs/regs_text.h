/* SPDX-License-Identifier: MIT */
/* Registers in words. */
#ifndef MODEL_REGS_TEXT_H
#define MODEL_REGS_TEXT_H

#include <stdint.h>
#include <stdio.h>

/* "NAME 0x%08x FIELD=3 OTHER=ENUM_NAME": fields that are zero are left out,
 * unless zero has a name; a register without fields shows its value as a float
 * too when that is a plausible one. No newline. */
void regs_print(FILE *out, uint32_t addr, uint32_t value);

#endif
