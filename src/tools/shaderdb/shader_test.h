/* SPDX-License-Identifier: MIT */
/* The shaders of a piglit shader_test, without what it draws and probes. */
#ifndef SHADER_TEST_H
#define SHADER_TEST_H

#include <stdbool.h>

enum { TEST_VERTEX, TEST_TESS_CONTROL, TEST_TESS_EVAL, TEST_GEOMETRY, TEST_FRAGMENT, TEST_COMPUTE, TEST_STAGES };

struct shader_test {
   char *text[TEST_STAGES]; /* NULL: no such stage */
   bool foreign;            /* ARB programs, SPIR-V, GLSL ES: not for this tool */
   bool core;               /* wants a core profile */
};

/* False when the file cannot be read. */
bool shader_test_read(const char *path, struct shader_test *test);
void shader_test_free(struct shader_test *test);

#endif
