/* SPDX-License-Identifier: MIT */
/* Opcodes on doubles and 64-bit integers, a pair of channels (.xy and .zw) a value: what
 * they take, corner values, and results where Mesa's interpreter has none. */
#ifndef TGSIAMD_TEST_OPCODES64_H
#define TGSIAMD_TEST_OPCODES64_H

#include "harness.h"

union value { double d; uint64_t l; int64_t i; };
typedef uint64_t (*rule_fn)(const union value s[3]);

/* src: a letter a source: d double, l long, f float, i int; dst likewise, with
 * f and i one dword a pair in .x and .y (conversions), c a compare in .x, .z.
 * A float reaches a rule as a double. */
struct opcode64 {
   const char *name, *src;
   char dst;
   uint8_t ulps;
   rule_fn rule;
};
extern const struct opcode64 opcodes64[];
extern const unsigned num_opcodes64;

extern const double corner_doubles[];
extern const uint64_t corner_longs[];
extern const float corner_floats[];
extern const uint32_t corner_ints[];
/* Of the list for a kind of source. */
unsigned num_values(char kind);

/* Does the conversion of d have a result? Others give what they like. */
bool fits(const struct opcode64 *op, double d);
void put_pair(struct harness_data *d, unsigned s, unsigned pair, unsigned lane, uint64_t v);
uint64_t get_pair(const struct harness_data *d, unsigned s, unsigned pair, unsigned lane);
/* The result of a rule into OUT[0]. */
void put_result(const struct opcode64 *op, struct harness_data *d, unsigned pair, unsigned lane, uint64_t v);
/* Write mask of the destination, and the channels that it stores. */
const char *mask_of(const struct opcode64 *op);
unsigned channels_of(const struct opcode64 *op);
/* Prints and returns how many results differ. */
unsigned compare_results(const struct opcode64 *op, const struct harness_data *want, const struct harness_data *got);

#endif
