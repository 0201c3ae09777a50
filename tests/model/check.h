/* SPDX-License-Identifier: MIT */
/* CHECK(condition, format, ...): counts, and says where and why it failed; after
 * 40 failures only counts. A test's main returns failures != 0. */
#ifndef MODEL_TESTS_CHECK_H
#define MODEL_TESTS_CHECK_H

#include <stdio.h>

static unsigned checks, failures;
#define CHECK(cond, ...)                                               \
   do {                                                                \
      checks++;                                                        \
      if (!(cond) && failures++ < 40) {                                \
         fprintf(stderr, "FAIL %s:%d: %s: ", __FILE__, __LINE__, #cond); \
         fprintf(stderr, __VA_ARGS__);                                 \
         fputc('\n', stderr);                                          \
      }                                                                \
   } while (0)

#endif
