/* SPDX-License-Identifier: MIT */
/* Inner entry to the pipeline, for tests that start from text IR. */
#ifndef TGSIAMD_COMPILE_H
#define TGSIAMD_COMPILE_H

#include "ir/ir.h"

/* Compiles and destroys the shader. NULL only without memory. */
struct tgsiamd_shader_binary *compile_shader(struct ir_shader *sh);

/* Nanoseconds, for differences. */
uint64_t compiler_clock(void);

#endif
