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
#define HARNESS_CONSTS 72
#define HARNESS_VERTICES 256 /* vertex_id + base_vertex is below it */

struct harness_data {
   uint32_t in[HARNESS_INPUTS][4][HARNESS_LANES];
   uint32_t consts[2][HARNESS_CONSTS][4];
   uint32_t const_bytes; /* of CONST[0]; 0: all */
   uint32_t instance_id, base_vertex;
   uint32_t vertex_id[HARNESS_LANES]; /* without base vertex, below HARNESS_VERTICES, distinct */
   uint32_t out[HARNESS_OUTPUTS][4][HARNESS_LANES];
   uint8_t out_mask[HARNESS_OUTPUTS]; /* channels that the program stores; set by the reference */
   bool by_lane; /* the reference runs once per lane */
   uint8_t out_doubles; /* outputs whose pairs of channels are compared as doubles */
};

/* By Mesa's interpreter; a program that stores to array elements is run once per lane, as
 * the interpreter takes the first lane's index for all.
 * Text must be a vertex program whose outputs are POSITION or GENERIC[n] in
 * OUT[n]. False with `why` when it cannot be run. */
bool harness_reference(const char *text, struct harness_data *data, char *why, unsigned why_size);

/* Ways to compile and run. */
enum harness_mode {
   HARNESS_IR,          /* front end, then the interpreter of the IR */
   HARNESS_IR_PASSES,   /* the IR passes too */
   HARNESS_MACHINE,     /* machine code on the model's sequencer */
   HARNESS_MACHINE_NO_OPT,
   HARNESS_MACHINE_SPILL, /* every value that can be goes to memory */
   HARNESS_MODES
};
extern const char *const harness_mode_names[HARNESS_MODES];

/* Reference and IR keep denormals: for programs that have doubles only. */
extern bool harness_keep_denormals;
/* Changes machine code before it runs: plants faults that must be found. */
extern void (*harness_patch)(uint32_t *code, unsigned num);

/* False with `why` when it does not compile or cannot be run. */
bool harness_run(enum harness_mode mode, const char *text, struct harness_data *data, char *why,
                 unsigned why_size);

/* Not for users: parts of harness_run in files of their own. */
struct ir_shader;
struct tgsiamd_shader_binary;
void harness_optimise(struct ir_shader *sh);
bool harness_machine(const struct tgsiamd_shader_binary *bin, struct harness_data *data, char *why, unsigned why_size);

/* Prints and returns the number of channels that differ. `ulps` and
 * `abs_error` allow for approximations: either is enough. NaN equals NaN; zeros of both signs are equal when
 * `ulps` is not 0. */
unsigned harness_differences(const struct harness_data *want, const struct harness_data *got, unsigned ulps,
                             float abs_error); /* the same, silent */
unsigned harness_compare(const char *name, const char *text, const struct harness_data *want,
                         const struct harness_data *got, unsigned ulps, float abs_error);

#endif
