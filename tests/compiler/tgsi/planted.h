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

/* Plants the nth fault of its kind; false when there is none. `what` says where. */
bool plant_fault(enum plant kind, unsigned n, uint32_t *code, unsigned num, char *what, unsigned what_size);

#endif
