/* SPDX-License-Identifier: MIT */
/* Row macros of the layout tables: bits as the manuals write them, high first. */
#ifndef TGSIAMD_ISA_LAYOUT_ROWS_H
#define TGSIAMD_ISA_LAYOUT_ROWS_H

#include "layout.h"

#define FIELD(conv, m, hi, lo, shift) \
   {offsetof(struct isa_inst, m), sizeof(((struct isa_inst *)0)->m), conv, lo, (hi) - (lo) + 1, shift}
#define U(m, hi, lo)           FIELD(CONV_U, m, hi, lo, 0)
#define U_AT(m, hi, lo, shift) FIELD(CONV_U, m, hi, lo, shift) /* part of m from bit `shift` */
#define FLAG(m, bit)           FIELD(CONV_U, m, bit, bit, 0)
#define S(m, hi, lo)           FIELD(CONV_S, m, hi, lo, 0)
#define OP(hi, lo)             FIELD(CONV_OP, op, hi, lo, 0)
#define OP_AT(hi, lo, shift)   FIELD(CONV_OP, op, hi, lo, shift)
/* a field of this format that has one value */
#define CONSTANT(value, hi, lo) {0, 0, CONV_CONSTANT, lo, (hi) - (lo) + 1, value}
/* the operands of the mask are AGPRs when the bit is set */
#define ACC(bit, operands) {0, 0, CONV_ACC, bit, 1, operands}
#define R(conv, m, hi, lo)     FIELD(CONV_##conv, m, hi, lo, 0)

/* `prefix` gives both match and mask. */
#define LAYOUT(name, dwords, prefix, ...)                                       \
   static const struct isa_field name##_fields[] = {__VA_ARGS__};               \
   static const struct isa_layout name = {dwords, sizeof(name##_fields) / sizeof(name##_fields[0]), \
                                          prefix, name##_fields}

/* Masks of prefixes by their number of bits. */
#define P(bits) (0xffffffffu << (32 - (bits)))
#define NO_PREFIX 0, 0
#define PREFIX(value, bits) ((uint32_t)(value) << (32 - (bits))), P(bits)

#endif
