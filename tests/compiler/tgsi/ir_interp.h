/* SPDX-License-Identifier: MIT */
/* Runs IR for one lane, from its definition in ir_ops.h and nothing else: the
 * witness between a front end or a pass and the machine code. Operations that
 * need other lanes or textures are refused. */
#ifndef TGSIAMD_TEST_IR_INTERP_H
#define TGSIAMD_TEST_IR_INTERP_H

#include "ir/ir.h"

#define INTERP_MEMORIES      3
#define INTERP_MEMORY_DWORDS 64

struct interp_env {
   uint32_t attribs[TGSIAMD_MAX_VERTEX_ELEMENTS][4]; /* VS elements, PS attributes */
   const uint32_t *consts[TGSIAMD_MAX_CONST_BUFFERS];
   uint32_t const_dwords[TGSIAMD_MAX_CONST_BUFFERS];
   uint32_t sysvals[IR_SV_COUNT];
   uint32_t outputs[80][4];   /* by slot of sh->outputs */
   /* What is loaded and stored: 0: LDS, n: the buffer at 16 (n - 1) bytes in the list of images. */
   uint32_t memory[INTERP_MEMORIES][INTERP_MEMORY_DWORDS];
   bool killed;
   char why[128];             /* when interp_run gives false */
};

/* False when the program has an operation that is refused, or runs too long. */
bool interp_run(const struct ir_shader *sh, struct interp_env *env);

#endif
