/* SPDX-License-Identifier: MIT */
/* TGSIAMD_MODEL: comma-separated switches of the model. */
#ifndef MODEL_OPTIONS_H
#define MODEL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../msg.h"
#include "tgsiamd/model.h"

struct model_options {
   bool report;         /* report: counters and violations at exit */
   bool trace;          /* trace: each packet on stderr */
   unsigned trace_waves; /* trace-waves=N: instructions of draw N on stderr, 0 none */
   bool null;           /* null: packets run, draws and dispatches are only counted */
   unsigned hang_ms;    /* hang-ms=N: a wait that lasts longer has failed */
   char stats_path[256]; /* stats=FILE: counters of each draw as JSON, "" none */
   bool general;        /* no short cuts */
   unsigned threads;    /* threads=N: that execute pixel waves, 0: as many as CPUs, at most 4 */
   bool watch_pixel;    /* pixel=X:Y: its history on stderr */
   struct model_watch watch;
   char dump_dir[256];  /* dump-frame[=FIRST[-LAST]][:DIR]: draws of these submissions as pages, "" none */
   unsigned dump_first, dump_last;
   uint64_t max_work;   /* max-work=N: steps of a submission before it counts as hung */
   uint32_t no_check;   /* no-check=NAME: bit per enum model_check */
   struct tgsiamd_model_kernel_options kernel;
};

/* False with a line on stderr for a word that is no option. */
bool model_options_parse(struct model_options *o, const char *text);

/* A decimal number of exactly those characters, at most `max`. */
bool model_options_number(const char *text, size_t n, uint64_t max, uint64_t *out);

/* One word of the kernel's options (options_kernel.c); false: it is none. */
bool model_options_kernel(struct tgsiamd_model_kernel_options *k, const char *w, size_t n);

#endif
