/* SPDX-License-Identifier: MIT */
/* A clock that counts work: basic blocks of the compiler that were executed. It
 * does not depend on the machine, nor on what else that does. Blocks of libc
 * (memset, memmove) are not counted. */
#include "compile.h"

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void);

void
__sanitizer_cov_trace_pc(void)
{
   blocks++;
}

uint64_t
compiler_clock(void)
{
   return blocks;
}
