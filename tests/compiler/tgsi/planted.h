/* SPDX-License-Identifier: MIT */
/* Faults planted in good machine code, one at a time: the test of the tests. */
#ifndef TGSIAMD_TEST_PLANTED_H
#define TGSIAMD_TEST_PLANTED_H

#include <stdbool.h>
#include <stdint.h>

enum plant {
   PLANT_WAIT,     /* a counter of an s_waitcnt may be one higher */
   PLANT_NO_WAIT,  /* an s_waitcnt is gone */
   PLANT_STATES,   /* an s_nop is one state shorter */
   PLANT_NO_WRITE, /* an instruction that writes registers is gone */
   PLANT_SWAPPED,  /* min is max, and is or, add is subtract */
   NUM_PLANTS
};
extern const char *const plant_names[NUM_PLANTS];

struct plant_counts { unsigned planted[NUM_PLANTS], found[NUM_PLANTS]; };

/* Each fault of a program, of the kinds from `first`, one at a time. `fine` runs it and lets
 * plant() at the machine code before. */
void plant(uint32_t *code, unsigned num);
void plant_all(const char *name, bool (*fine)(const void *program), const void *program, enum plant first,
               struct plant_counts *counts);
/* Prints them. Some faults change nothing: what a program computes twice, code that is not
 * reached. Most must be found. */
bool plant_enough(const struct plant_counts *counts);

/* What a test with such faults says of its argument (args.h). */
#define ARGS_PLANTED \
   "[planted]\n\n" \
   "Compiles its programs and runs them on the model. With `planted', changes single instructions of the\n" \
   "machine code besides and looks whether that is found (TGSIAMD_PLANTED=1 lists what is not)."

/* A fault of the compiler that every program with the op has: `to` stands in its place. */
void plant_op(uint32_t *code, unsigned num, unsigned from, unsigned to);

/* Plants the nth fault of its kind; false when there is none. `what` says where. */
bool plant_fault(enum plant kind, unsigned n, uint32_t *code, unsigned num, char *what, unsigned what_size);

#endif
