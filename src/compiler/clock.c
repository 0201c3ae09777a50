/* SPDX-License-Identifier: MIT */
/* What passes are measured with: CPU time of this thread. (tests/compiler/scaling
 * has a clock that counts work instead.) */
#include <time.h>

#include "compile.h"

uint64_t
compiler_clock(void)
{
   struct timespec t;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return t.tv_sec * 1000000000ull + t.tv_nsec;
}
