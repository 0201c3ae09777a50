/* SPDX-License-Identifier: MIT */
/* The smallest part of a program of test_random that still fails: takes away
 * lines and whole blocks as long as it does. Shortens `text` in place. */
#ifndef TGSIAMD_TEST_REDUCE_H
#define TGSIAMD_TEST_REDUCE_H

#include <stdbool.h>

void reduce_program(char *text, bool (*fails)(const char *text, void *ctx), void *ctx);

#endif
