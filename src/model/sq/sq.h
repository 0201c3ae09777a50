/* SPDX-License-Identifier: MIT */
/* The sequencer: executes waves instruction by instruction from the machine
 * code in GPU memory. Knows nothing of draws; memory goes through vm.h, images
 * and buffers through ta.h. */
#ifndef MODEL_SQ_H
#define MODEL_SQ_H

#include "../msg.h"

struct sq; /* program cache and wave storage; one per executing thread */

struct sq *sq_create(void);
void sq_destroy(struct sq *sq);
/* Forget decoded programs (instruction cache invalidate). */
void sq_invalidate(struct sq *sq);

/* Global data share: memory that all waves and the CP reach. */
uint8_t *sq_gds(struct sq *sq, uint32_t *size);
/* Runs one group of waves to their ends: `num_waves` waves that share
 * `lds_bytes` of LDS and meet at barriers. Graphics waves come one at a time,
 * num_waves 1. Reports through env->report; stops early after model_fail(). */
void sq_run(struct sq *sq, const struct model_env *env, const struct sq_wave_init *waves,
            unsigned num_waves, unsigned lds_bytes, const struct sq_sink *sink);

#endif
