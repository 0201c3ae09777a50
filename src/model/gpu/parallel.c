/* SPDX-License-Identifier: MIT */
/* Pixel waves ahead of their turn: see parallel.h. A draw begins with waves one
 * after the other; they show whether threads are worth it and whether the
 * program does what needs its turn. */
#include "parallel.h"
#include "cache/cache.h"
#include "obs/report_internal.h"
#include "obs/stats.h"
#include "sq/sq.h"
#include "vm/vm_internal.h"
#include "workers.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_WAVES  24     /* of a draw: one after the other */
#define MIN_LENGTH   24     /* instructions of a wave; below, handing it over costs more */
#define MAX_AGAIN    4      /* waves of a draw that had to run again, before it goes on in order */
#define AHEAD_BUDGET (1u << 20)

struct job {
   struct spi_ps *ps;
   struct model_stats stats;
   bool again;              /* it was given up */
};

/* What a thread runs waves with. */
struct runner {
   struct parallel *p;
   struct spi *spi;
   struct sq *sq;
   struct spi_ports ports;
   struct model_env env;
   /* ahead of their turn only */
   struct tgsiamd_model_vm *vm;
   struct model_report *report;
   uint64_t draw;           /* that it is prepared for */
   uint32_t code;
};

struct parallel {
   unsigned threads;
   struct spi *spi;
   struct parallel_ports ports;
   struct workers *workers;
   struct runner turn;      /* the owner, waves in their turn */
   struct runner ahead[WORKERS_MAX + 1];
   struct job job[WORKERS_RING];
   bool ready, failed;      /* runners and jobs exist; could not be made */
   const struct model_env *env;
   const void *vm;          /* of the last draw */
   uint64_t draw;
   uint32_t code;           /* counts changes of shader code */
   bool on;                 /* waves are handed to threads */
   bool in_order;           /* ... and must not be for the rest of this draw */
   bool my_turn;            /* the owner runs or finishes a wave */
   unsigned waves, again;
   uint64_t length;         /* instructions of the first waves */
   uint64_t total, total_again;
};

static void run_wave(void *ctx, const struct sq_wave_init *waves, unsigned num_waves, unsigned lds_bytes,
                     const struct sq_sink *sink)
{
   struct runner *r = ctx;

   r->env.stats->waves[waves->stage] += num_waves;
   r->env.stats->lanes[waves->stage] += __builtin_popcountll(waves->exec);
   sq_run(r->sq, &r->env, waves, num_waves, lds_bytes, sink);
}

/* ---- ahead of their turn ---- */

static bool give_up(void *ctx)
{
   struct runner *r = ctx;
   model_order(r->report);
   return false;
}

static void prepare(struct runner *r)
{
   struct parallel *p = r->p;

   if (r->draw == p->draw)
      return;
   r->draw = p->draw;
   r->env = *p->env;
   r->env.vm = r->vm;
   r->env.report = r->report;
   r->env.stats_file = NULL;
   vm_view_set(r->vm, p->env->vm);
   spi_follow(r->spi, p->spi);
   if (r->code != p->code)
      sq_invalidate(r->sq);
   r->code = p->code;
}

static void run_ahead(void *ctx, unsigned thread, unsigned slot)
{
   struct parallel *p = ctx;
   struct runner *r = &p->ahead[thread];
   struct job *job = &p->job[slot];

   prepare(r);
   memset(&job->stats, 0, sizeof(job->stats));
   r->env.stats = &job->stats;
   report_ahead_begin(r->report);
   spi_ps_run(r->spi, job->ps, &r->env, &r->ports);
   job->again = model_failed(r->report);
}

/* ---- in their turn ---- */

static void run_in_turn(struct parallel *p, struct spi_ps *ps)
{
   p->my_turn = true;
   spi_ps_run(p->turn.spi, ps, p->env, &p->turn.ports);
   if (!model_failed(p->env->report))
      p->ports.pixels(p->ports.ctx, spi_ps_result(ps));
   p->my_turn = false;
}

/* Takes the oldest job out of the ring. */
static bool finish_oldest(struct parallel *p, bool wait)
{
   unsigned slot;
   const enum workers_state state = workers_oldest(p->workers, wait, &slot);
   struct job *job = &p->job[slot];

   if (state == WORKERS_BUSY)
      return false;
   p->total += state == WORKERS_DONE;
   p->total_again += state == WORKERS_DONE && job->again;
   if (!model_failed(p->env->report)) {
      if (state == WORKERS_DONE && !job->again) {
         stats_add(p->env->stats, &job->stats);
         p->my_turn = true;
         p->ports.pixels(p->ports.ctx, spi_ps_result(job->ps));
         p->my_turn = false;
      } else {
         if (state == WORKERS_DONE && ++p->again == MAX_AGAIN)
            p->in_order = true;
         run_in_turn(p, job->ps);
      }
   }
   workers_take(p->workers);
   return true;
}

static void finish_all(struct parallel *p)
{
   while (p->on && !workers_empty(p->workers))
      finish_oldest(p, true);
}

/* Something that shows the order of waves is about to happen on the owner's
 * thread: maybe in the middle of a wave of another stage. */
static void order(void *ctx)
{
   struct parallel *p = ctx;

   if (p->my_turn) {
      p->in_order = true;
      return;
   }
   if (!p->on || workers_empty(p->workers))
      return;
   struct model_where *where = model_where(p->env->report), saved = *where;
   const unsigned stage = cache_stage(p->env->cache);
   const uint32_t fp = sq_fp_begin();
   where->shader_va = where->pc = 0;
   where->disasm[0] = 0;
   where->lane = -1;
   finish_all(p);
   *where = saved;
   cache_begin_waves(p->env->cache, stage);
   sq_fp_end(fp);
}

static bool order_in_turn(void *ctx)
{
   struct parallel *p = ctx;
   const int failed = p->env ? model_failed(p->env->report) : 0;
   order(p);
   return !p->env || failed || !model_failed(p->env->report);
}

/* ---- set up ---- */

static void runner_free(struct runner *r)
{
   if (r->spi)
      spi_destroy(r->spi);
   sq_destroy(r->sq);
   vm_destroy(r->vm);
   report_destroy(r->report);
}

static bool runner_init(struct runner *r, struct parallel *p, const struct model_report *report)
{
   *r = (struct runner){ .p = p, .spi = spi_create(), .sq = sq_create(), .report = report_create_ahead(report) };
   if (r->report)
      r->vm = vm_view_create(r->report);
   if (!r->spi || !r->sq || !r->vm)
      return false;
   r->ports = (struct spi_ports){ .ctx = r, .run = run_wave };
   sq_set_order(r->sq, give_up, r);
   sq_set_ahead(r->sq, AHEAD_BUDGET);
   return true;
}

/* When the first large draw comes. */
static bool make_ready(struct parallel *p)
{
   if (p->failed || p->threads < 2)
      return false;
   if (!p->ready) {
      p->workers = workers_create(p->threads - 1, run_ahead, p);
      p->failed = !p->workers;
      for (unsigned i = 0; i < p->threads && !p->failed; i++)
         p->failed = !runner_init(&p->ahead[i], p, p->env->report);
      for (unsigned i = 0; i < WORKERS_RING && !p->failed; i++)
         p->failed = !(p->job[i].ps = spi_ps_create());
      p->ready = true;
   }
   if (!p->failed)
      p->failed = !workers_start(p->workers);
   return !p->failed;
}

struct parallel *parallel_create(struct spi *spi, struct sq *front, const struct parallel_ports *ports)
{
   struct parallel *p = calloc(1, sizeof(*p));

   if (!p)
      return NULL;
   p->threads = 1;
   p->spi = spi;
   p->ports = *ports;
   p->turn = (struct runner){ .p = p, .spi = spi_create(), .sq = sq_create_twin(front) };
   p->turn.ports = (struct spi_ports){ .ctx = &p->turn, .run = run_wave };
   if (!p->turn.spi || !p->turn.sq) {
      runner_free(&p->turn);
      free(p);
      return NULL;
   }
   sq_set_order(front, order_in_turn, p);
   sq_set_order(p->turn.sq, order_in_turn, p);
   return p;
}

void parallel_destroy(struct parallel *p)
{
   if (!p)
      return;
   workers_destroy(p->workers);
   runner_free(&p->turn);
   for (unsigned i = 0; i <= WORKERS_MAX; i++)
      runner_free(&p->ahead[i]);
   for (unsigned i = 0; i < WORKERS_RING; i++)
      spi_ps_destroy(p->job[i].ps);
   free(p);
}

void parallel_set_threads(struct parallel *p, unsigned threads)
{
   if (!p->ready)
      p->threads = threads < WORKERS_MAX ? threads : WORKERS_MAX;
}

/* ---- draws ---- */

void parallel_begin_draw(struct parallel *p, const struct model_env *env)
{
   report_on_order(env->report, order, p);
   p->env = env;
   p->draw++;
   if (p->vm != env->vm)
      p->code++;
   p->vm = env->vm;
   p->on = false;
   p->again = p->waves = 0;
   p->length = 0;
   /* What is printed or kept on the way comes in order; without the cache checks
    * nobody knows what a wave reads. */
   p->in_order = p->threads < 2 || !env->cache || env->watch || env->dump || model_traces_waves(env->report);
   p->turn.env = *env;
   spi_follow(p->turn.spi, p->spi);
}

struct spi_ps *parallel_wave(struct parallel *p, struct spi_ps *ps)
{
   if (p->on && p->in_order) {
      finish_all(p);
      p->on = false;
   }
   if (!p->on) {
      const uint64_t before = p->env->stats->instructions;
      run_in_turn(p, ps);
      p->length += p->env->stats->instructions - before;
      if (++p->waves == FIRST_WAVES && !p->in_order)
         p->on = p->length >= FIRST_WAVES * MIN_LENGTH && make_ready(p);
      return ps;
   }
   while (workers_full(p->workers))
      finish_oldest(p, true);
   struct job *job = &p->job[workers_next(p->workers)];
   struct spi_ps *free_ps = job->ps;
   job->ps = ps;
   workers_add(p->workers);
   while (!workers_empty(p->workers) && finish_oldest(p, false))
      ;
   return free_ps;
}

void parallel_wave_now(struct parallel *p, struct spi_ps *ps)
{
   finish_all(p);
   if (!model_failed(p->env->report))
      run_in_turn(p, ps);
}

void parallel_settle(struct parallel *p) { order(p); }

void parallel_end_draw(struct parallel *p)
{
   finish_all(p);
   p->on = false;
   report_on_order(p->env->report, NULL, NULL);
   p->env = NULL;
}

uint64_t parallel_count(const struct parallel *p, uint64_t *again)
{
   *again = p->total_again;
   return p->total;
}

void parallel_invalidate_code(struct parallel *p) { p->code++; }
