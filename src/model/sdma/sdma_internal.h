/* SPDX-License-Identifier: MIT */
/* What the files of SDMA share. */
#ifndef MODEL_SDMA_INTERNAL_H
#define MODEL_SDMA_INTERNAL_H

#include "obs/report.h"
#include "sdma.h"
#include "vm/vm.h"

struct sdma {
   const struct model_env *env;
   struct model_report *report;
   unsigned hang_ms;
   uint64_t (*clock)(void *ctx);
   void *clock_ctx;
};

#define SDMA_LO_HI(lo, hi) ((uint64_t)(lo) | (uint64_t)(hi) << 32)

/* sdma_tiled.c: whole packets of COPY. */
void sdma_copy_tiled(struct sdma *s, const uint32_t b[14]);  /* TILED_SUB_WINDOW */
void sdma_copy_t2t(struct sdma *s, const uint32_t b[15]);    /* T2T_SUB_WINDOW */

#endif
