/* SPDX-License-Identifier: MIT */
/* TGSIAMD_MODEL: comma-separated switches of the model. */
#ifndef MODEL_OPTIONS_H
#define MODEL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct model_options {
   bool report;         /* report: counters and violations at exit */
   bool trace;          /* trace: each packet on stderr */
   unsigned trace_waves; /* trace-waves=N: instructions of draw N on stderr, 0 none */
   bool null;           /* null: packets run, draws and dispatches are only counted */
   unsigned hang_ms;    /* hang-ms=N: a wait that lasts longer has failed */
   uint32_t no_check;   /* no-check=NAME: bit per enum model_check */
   unsigned lose;       /* lose=N: submission N ends as after a hang, 0 none */
   char fail_name[32];  /* fail=NAME:N: the N-th ioctl of that name fails with ENOMEM */
   unsigned fail_at;
};

/* False with a line on stderr for a word that is no option. */
bool model_options_parse(struct model_options *o, const char *text);

#endif
