/* SPDX-License-Identifier: MIT */
/* The model's sequencer with memory of its own, for machine code that no driver
 * starts: what the harnesses of the stages have in common. */
#ifndef TGSIAMD_TEST_MACHINE_H
#define TGSIAMD_TEST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sq/sq.h"

#define MACHINE_VA     0x100000000ull
#define MACHINE_OWN_VA (MACHINE_VA + 0x1000000) /* a test's own memory */

struct machine {
   struct tgsiamd_model_vm *vm;
   struct model_report *report;
   struct sq *sq;
   void *addrlib;
   uint8_t *mem, *own;  /* at MACHINE_VA and MACHINE_OWN_VA; NULL: not there */
   char line[200];      /* the first violation since machine_begin, or none */
};

/* `size` bytes of `fill` at MACHINE_VA. Waves end after `budget` instructions. Nothing when it has been started. */
void machine_start(struct machine *m, size_t size, uint8_t fill, bool writable, unsigned budget);
/* `size` bytes of 0 at MACHINE_OWN_VA, made when they are first asked for. */
uint8_t *machine_own(struct machine *m, size_t size, bool writable);
/* New code and data are in memory: caches forget, m->line is empty. */
void machine_begin(struct machine *m);
/* Runs waves of one group; false when they did what they may not: m->line. */
bool machine_run(struct machine *m, const struct sq_wave_init *waves, unsigned num, unsigned lds_bytes,
                 const struct sq_sink *sink);
/* The address of a descriptor list, in two SGPRs. */
static inline void
machine_list(struct sq_wave_init *w, unsigned sgpr, uint32_t at)
{
   w->sgpr[sgpr] = (uint32_t)(MACHINE_VA + at);
   w->sgpr[sgpr + 1] = (MACHINE_VA + at) >> 32;
}

#endif
