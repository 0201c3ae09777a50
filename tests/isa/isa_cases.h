/* SPDX-License-Identifier: MIT */
/* What the parts of isa_cases share: what cases are for, and how one is put out. */
#ifndef ISA_CASES_H
#define ISA_CASES_H

#include "hazards.h"

extern enum tgsiamd_gfx gfx;
extern const struct isa_processor *processor; /* one that differs from the generation, or NULL */
extern bool wave32;
extern bool table;                            /* one case of each form, for isa_table.py */
extern unsigned num_cases, num_failures;

/* Of the generation or processor; returns the dwords taken, 0 for none. */
unsigned decode(const uint32_t *words, unsigned num, struct isa_inst *inst);
/* Encodes and, when the encoder takes the instruction, checks the round trip
 * and writes the case. Returns whether it was taken. */
bool emit(struct isa_inst *inst);

#endif
