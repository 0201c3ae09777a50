/* SPDX-License-Identifier: MIT */
/* The system DMA engine, SDMA 4.x: copies, fills, writes, fences. */
#ifndef MODEL_SDMA_H
#define MODEL_SDMA_H

#include "msg.h"

/* Executes one indirect buffer. `clock` gives the GPU's timestamp. */
void sdma_run(const struct model_env *env, uint64_t va, uint32_t dwords, unsigned hang_ms,
              uint64_t (*clock)(void *ctx), void *clock_ctx);

#endif
