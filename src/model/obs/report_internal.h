/* SPDX-License-Identifier: MIT */
/* What the owner of a report does with it; blocks see report.h only. */
#ifndef MODEL_REPORT_INTERNAL_H
#define MODEL_REPORT_INTERNAL_H

#include <stdio.h>

#include "report.h"

struct model_options;
struct model_stats;

const char *model_check_name(unsigned check);

struct model_report *report_create(const struct model_options *options);
void report_destroy(struct model_report *r);
/* Sends the lines of violations to `fn` instead of stderr. */
void report_on_line(struct model_report *r, void (*fn)(void *ctx, const char *line), void *ctx);
/* Called by model_order(). */
void report_on_order(struct model_report *r, void (*fn)(void *ctx), void *ctx);
/* For waves that run ahead of their turn: reports nothing, anything to report is
 * a failure. report_ahead_begin() before each wave. */
struct model_report *report_create_ahead(const struct model_report *of);
void report_ahead_begin(struct model_report *r);
/* A new submission: clears the failure and the place. */
void report_begin(struct model_report *r);
/* What comes now is no packet's or shader's. */
void report_outside(struct model_report *r);
uint64_t report_violations(const struct model_report *r);
void report_print(const struct model_report *r, const struct model_stats *stats, FILE *out);

#endif
