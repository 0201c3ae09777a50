/* SPDX-License-Identifier: MIT */
/* Random programs for test_random: nested control flow, subroutines, arrays, all kinds of
 * sources and write masks, floats, integers, doubles and 64-bit integers, operations with
 * exact results only. */
#ifndef TGSIAMD_TEST_RANDOM_PROGRAM_H
#define TGSIAMD_TEST_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "harness.h"

#define RANDOM_TEXT_SIZE 65536

struct gen {
   char text[RANDOM_TEXT_SIZE]; /* calls are written CAL :@n, of the nth subroutine */
   int len;
   uint64_t rng;
   unsigned depth, loops, statements, breakable, array;
   bool in_sub;
};

void random_program(struct gen *g);
void random_data(struct gen *g, struct harness_data *d);
/* Text that can be parsed. */
void random_resolve(const char *text, char *out);

#endif
