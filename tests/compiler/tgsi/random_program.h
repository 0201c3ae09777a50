/* SPDX-License-Identifier: MIT */
/* Random programs for test_random: nested control flow, subroutines, arrays of all types with
 * indices of each lane, all kinds of sources and write masks, floats, integers, doubles and
 * 64-bit integers, operations with exact results only. */
#ifndef TGSIAMD_TEST_RANDOM_PROGRAM_H
#define TGSIAMD_TEST_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "harness.h"

#define RANDOM_TEXT_SIZE 65536

/* What a program may have beside what all have. */
enum {
   GEN_LANES = 1 << 0,  /* stores by every lane's index; calls, returns and breaks where only some lanes are:
                         * the interpreter runs it once per lane */
   GEN_TABLE = 1 << 1,  /* IMM[ADDR] */
   GEN_SYSVALS = 1 << 2,
   GEN_INPUTS = 1 << 3, /* IN[ADDR] */
   GEN_OUTPUTS = 1 << 4, /* outputs read, and by index */
   GEN_BUFFERS = 1 << 5, /* CONST[ADDR][ADDR] */
   GEN_WIDE_ARRAYS = 1 << 6,
   GEN_INT_ARRAY = 1 << 7,
   GEN_LOOP_CALLS = 1 << 8, /* calls in loops; else returns out of loops */
   GEN_ALL = (1 << 9) - 1,
};

struct gen {
   char text[RANDOM_TEXT_SIZE]; /* calls are written CAL :@n, of the nth subroutine */
   int len;
   uint64_t rng;
   unsigned depth, loops, statements, breakable, array;
   unsigned calls;
   unsigned switches;           /* around, inside the innermost loop */
   unsigned has, wide;          /* GEN_*; elements of the other arrays */
   bool in_sub;
};

void random_program(struct gen *g);
void random_data(struct gen *g, struct harness_data *d);
/* Text that can be parsed. */
void random_resolve(const char *text, char *out);

/* Inside: random_operands.c. */
#define ARRAY_AT 32  /* TEMP: floats */
#define DOUBLES_AT 80
#define LONGS_AT 100
#define INTS_AT 120
#define rnd random_number
#define put random_put
uint32_t random_number(struct gen *g, uint32_t n);
void random_put(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void put_declarations(struct gen *g);
/* Puts first values into all arrays. */
void put_array_values(struct gen *g);
/* A new index into ADDR[0]. */
void put_address(struct gen *g);
void put_src(struct gen *g, bool is_float);
void put_dst(struct gen *g, bool is_float);
struct wide_dst { unsigned reg; bool in_array; };
struct wide_dst put_wide_dst(struct gen *g, bool is_double, unsigned mask);
void put_wide_src(struct gen *g, bool is_double, struct wide_dst dst);

#endif
