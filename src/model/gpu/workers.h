/* SPDX-License-Identifier: MIT */
/* Threads that work on a ring of jobs. One thread owns it: it adds jobs, and it
 * takes them out in the order in which it added them. */
#ifndef MODEL_WORKERS_H
#define MODEL_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

#define WORKERS_RING 64
#define WORKERS_MAX  16

struct workers;

/* Runs job `slot` on `thread`: 0 is the owner, others count from 1. */
typedef void (*workers_job)(void *ctx, unsigned thread, unsigned slot);

/* `threads` without the owner. None is started yet. */
struct workers *workers_create(unsigned threads, workers_job run, void *ctx);
void workers_destroy(struct workers *w);
/* Starts the threads; after a fork the child needs it again. False: there are none. */
bool workers_start(struct workers *w);

/* All by the owner. The slot of the next job, while the ring is not full. */
unsigned workers_next(const struct workers *w);
bool workers_full(const struct workers *w);
bool workers_empty(const struct workers *w);
void workers_add(struct workers *w);
/* The oldest job, to be taken out. WORKERS_DONE: it has run. WORKERS_YOURS:
 * nobody has begun it. `wait`: runs others' jobs or sleeps until it is one of
 * these; otherwise WORKERS_BUSY may come. */
enum workers_state { WORKERS_BUSY, WORKERS_DONE, WORKERS_YOURS };
enum workers_state workers_oldest(struct workers *w, bool wait, unsigned *slot);
void workers_take(struct workers *w);

#endif
