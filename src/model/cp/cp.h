/* SPDX-License-Identifier: MIT */
/* The command processor: PM4 streams of the graphics and compute rings. */
#ifndef MODEL_CP_H
#define MODEL_CP_H

#include "msg.h"

struct cp;
struct pipeline;
struct regs;

struct cp_config {
   struct regs *regs;
   struct pipeline *pipeline; /* NULL: draws and dispatches are only counted */
   unsigned num_rb;
   unsigned hang_ms;
   bool trace;
   uint64_t (*clock)(void *ctx);
   void *clock_ctx;
};

struct cp *cp_create(const struct cp_config *config);
void cp_destroy(struct cp *cp);
/* Resets what a submission must set itself. */
void cp_begin_submission(struct cp *cp);
/* Executes one indirect buffer and what it calls or chains to. */
void cp_run(struct cp *cp, const struct model_env *env, bool compute, uint64_t va, uint32_t dwords);

#endif
