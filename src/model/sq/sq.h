/* SPDX-License-Identifier: MIT */
/* The sequencer: executes waves instruction by instruction from the machine
 * code in GPU memory. Knows nothing of draws; memory goes through vm.h, images
 * and buffers through ta.h. */
#ifndef MODEL_SQ_H
#define MODEL_SQ_H

#include "../msg.h"

struct sq; /* program cache and wave storage; one per executing thread */

struct sq *sq_create(void);
/* Another one for the same thread, that may run waves while a wave of `of` waits
 * in its sq_order: programs, GDS and the clock are common. */
struct sq *sq_create_twin(struct sq *of);
void sq_destroy(struct sq *sq);
/* Called before an instruction that other waves can see or that depends on their
 * order: stores, atomics, GDS, clocks. False: the wave ends there. */
typedef bool (*sq_order)(void *ctx);
void sq_set_order(struct sq *sq, sq_order order, void *ctx);
/* Waves run ahead of their turn: they end after `budget` instructions. */
void sq_set_ahead(struct sq *sq, unsigned budget);
/* Instructions a wave may take before it counts as hung. */
void sq_set_budget(struct sq *sq, unsigned budget);
/* The host's FP unit as the model wants it, whatever the program set; the second
 * gives back what the first returned. */
uint32_t sq_fp_begin(void);
void sq_fp_end(uint32_t control);
/* Forget decoded programs (instruction cache invalidate). */
void sq_invalidate(struct sq *sq);

/* Whether a pixel program, once decoded, exports the same from every lane of a
 * wave whose EXEC is full and whose primitive has P10 and P20 of 0 in `attrs`,
 * whichever wave it is. 1 yes, 0 no, -1 not decoded yet. */
int sq_program_is_uniform(struct sq *sq, const struct model_env *env, uint64_t pc, unsigned user_sgprs,
                          uint32_t *attrs);

/* Global data share: memory that all waves and the CP reach. */
uint8_t *sq_gds(struct sq *sq, uint32_t *size);
/* Runs one group of waves to their ends: `num_waves` waves that share
 * `lds_bytes` of LDS and meet at barriers. Graphics waves come one at a time,
 * num_waves 1. Reports through env->report; stops early after model_fail(). */
void sq_run(struct sq *sq, const struct model_env *env, const struct sq_wave_init *waves,
            unsigned num_waves, unsigned lds_bytes, const struct sq_sink *sink);

#endif
