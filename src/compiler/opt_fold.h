/* SPDX-License-Identifier: MIT */
#ifndef TGSIAMD_OPT_FOLD_H
#define TGSIAMD_OPT_FOLD_H

#include "ir/ir.h"

/* Result of `op` on constant sources (compares give 0 or 1); false when the
 * value is not known exactly. */
bool ir_fold_op(enum ir_op op, const uint32_t *src, unsigned n, uint32_t *result);

#endif
