/* SPDX-License-Identifier: MIT */
/* Runs one TGSI text program two ways, four lanes at a time: by Mesa's
 * interpreter, and compiled. */
#ifndef TGSIAMD_TEST_HARNESS_H
#define TGSIAMD_TEST_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#define HARNESS_LANES 4
#define HARNESS_INPUTS 8
#define HARNESS_OUTPUTS 8
#define HARNESS_CONSTS 32

struct harness_data {
   uint32_t in[HARNESS_INPUTS][4][HARNESS_LANES];
   uint32_t consts[2][HARNESS_CONSTS][4];
   uint32_t instance_id, base_vertex, vertex_id[HARNESS_LANES];
   uint32_t out[HARNESS_OUTPUTS][4][HARNESS_LANES];
   uint8_t out_mask[HARNESS_OUTPUTS]; /* channels that the program stores; compiled runs only */
};

/* Text must be a vertex program whose outputs are POSITION or GENERIC[n] in
 * OUT[n]. False with `why` when it cannot be run. */
bool harness_reference(const char *text, struct harness_data *data, char *why, unsigned why_size);

/* Front end and IR interpreter; optimised: after the IR passes too. */
bool harness_ir(const char *text, struct harness_data *data, bool optimised, char *why,
                unsigned why_size);

/* Not for users: the IR passes of harness_ir (harness_passes.c). */
struct ir_shader;
void harness_optimise(struct ir_shader *sh);

/* Prints and returns the number of channels that differ. `ulps` and
 * `abs_error` allow for approximations: either is enough. NaN equals NaN; zeros of both signs are equal when
 * `ulps` is not 0. */
unsigned harness_compare(const char *name, const char *text, const struct harness_data *want,
                         const struct harness_data *got, unsigned ulps, float abs_error);

#endif
