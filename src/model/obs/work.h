/* SPDX-License-Identifier: MIT */
/* The end of what never ends: streams, draws and programs. */
#ifndef MODEL_WORK_H
#define MODEL_WORK_H

#include <errno.h>

#include "../msg.h"
#include "report.h"

/* Fails the submission, as a GPU hang, once it has done more than max-work steps.
 * True when it has failed, for this or another reason. */
static inline bool model_work_check(const struct model_env *env)
{
   if (env->work_end && model_work(env->stats) > env->work_end && !model_failed(env->report))
      model_fail(env->report, ETIME, CHECK_HANG, "the submission does not end: it has done all the steps of max-work");
   return model_failed(env->report);
}

#endif
