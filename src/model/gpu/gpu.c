/* SPDX-License-Identifier: MIT */
/* Wires the blocks into a GPU: the model's public face. */
#include "tgsiamd/model.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache/cache.h"
#include "cp/cp.h"
#include "obs/dump.h"
#include "msg.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "obs/stats.h"
#include "pipeline.h"
#include "regs/regs_write.h"
#include "sdma/sdma.h"
#include "surf/surf.h"
#include "vm/undef.h"
#include "vm/vm_internal.h"

struct tgsiamd_model {
   pthread_mutex_t lock;        /* one submission at a time */
   const struct tgsiamd_chip *chip;
   struct model_options options;
   struct model_report *report;
   struct model_stats stats;
   struct dump *dump;           /* NULL without dump-frame */
   struct stats_file *stats_file; /* NULL without stats=FILE */
   struct regs regs;
   struct pipeline *pipeline;   /* NULL in null mode */
   struct cp *cp;
   struct model_cache *cache;   /* NULL with no-check=cache */
   struct model_undef *undef;   /* NULL with no-check=uninit */
   void *addrlib;
};

/* Crystal clock of Raven: 100 MHz. */
static uint64_t model_clock(void *ctx)
{
   (void)ctx;
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (uint64_t)ts.tv_sec * 100000000ull + (uint64_t)ts.tv_nsec / 10;
}

uint64_t tgsiamd_model_clock(struct tgsiamd_model *model)
{
   return model_clock(model);
}

static unsigned default_threads(void)
{
   cpu_set_t cpus;
   if (sched_getaffinity(0, sizeof(cpus), &cpus))
      return 1;
   const int n = CPU_COUNT(&cpus);
   return n < 1 ? 1 : n > 4 ? 4 : (unsigned)n;
}

struct tgsiamd_model *tgsiamd_model_create(const struct tgsiamd_chip *chip, const char *options)
{
   struct tgsiamd_model *m = calloc(1, sizeof(*m));
   if (!m || !model_options_parse(&m->options, options)) {
      free(m);
      return NULL;
   }
   pthread_mutex_init(&m->lock, NULL);
   m->chip = chip;
   m->report = report_create(&m->options);
   m->addrlib = surf_addrlib_create(chip->family, chip->external_rev, chip->gb_addr_config);
   if (!m->options.null)
      m->pipeline = pipeline_create();
   if (m->pipeline) {
      pipeline_set_general(m->pipeline, m->options.general);
      pipeline_set_threads(m->pipeline, m->options.threads ? m->options.threads : default_threads());
   }
   if (!(m->options.no_check >> CHECK_CACHE & 1))
      m->cache = cache_create(m->report);
   if (!(m->options.no_check >> CHECK_UNINIT & 1))
      m->undef = undef_create();
   if (m->options.dump_dir[0] && m->pipeline) {
      m->dump = dump_create(m->options.dump_dir, m->options.dump_first, m->options.dump_last);
      pipeline_set_threads(m->pipeline, 1); /* the list of a draw's images has one writer */
   }
   if (m->options.watch_pixel && m->pipeline)
      pipeline_set_threads(m->pipeline, 1); /* lines in the order of the waves */
   if (m->options.stats_path[0])
      m->stats_file = stats_file_create(m->options.stats_path, chip);
   regs_init(&m->regs, chip->gb_addr_config);
   const struct cp_config config = { .regs = &m->regs, .pipeline = m->pipeline, .num_rb = chip->num_rb,
                                     .hang_ms = m->options.hang_ms, .trace = m->options.trace,
                                     .clock = model_clock };
   m->cp = cp_create(&config);
   if (!m->report || !m->cp || !m->addrlib || (!m->options.null && !m->pipeline)) {
      fprintf(stderr, "tgsiamd-model: the model could not be made%s\n", m->addrlib ? "" : " (addrlib)");
      tgsiamd_model_destroy(m);
      return NULL;
   }
   return m;
}

void tgsiamd_model_destroy(struct tgsiamd_model *m)
{
   cp_destroy(m->cp);
   cache_destroy(m->cache);
   undef_destroy(m->undef);
   stats_file_destroy(m->stats_file);
   dump_destroy(m->dump);
   if (m->pipeline)
      pipeline_destroy(m->pipeline);
   if (m->addrlib)
      surf_addrlib_destroy(m->addrlib);
   report_destroy(m->report);
   pthread_mutex_destroy(&m->lock);
   free(m);
}

bool tgsiamd_model_wants_report(const struct tgsiamd_model *m)
{
   return m->options.report;
}

const struct tgsiamd_model_kernel_options *tgsiamd_model_kernel_options(const struct tgsiamd_model *m)
{
   return &m->options.kernel;
}

void tgsiamd_model_cpu_writes(struct tgsiamd_model *m, tgsiamd_model_wrote wrote, void *ctx)
{
   cache_cpu_writes(m->cache, wrote, ctx);
}

void tgsiamd_model_cpu_access(struct tgsiamd_model *m, uint64_t va, bool write, uint64_t submission)
{
   pthread_mutex_lock(&m->lock);
   report_outside(m->report);
   model_violation(m->report, CHECK_CACHE, "the CPU %s 0x%llx, which submission %llu wrote, without having waited for it",
                   write ? "writes" : "reads", (unsigned long long)va, (unsigned long long)submission);
   pthread_mutex_unlock(&m->lock);
}

uint64_t tgsiamd_model_violations(struct tgsiamd_model *m)
{
   return report_violations(m->report);
}

void tgsiamd_model_report(struct tgsiamd_model *m, FILE *out)
{
   report_print(m->report, &m->stats, out);
}

void tgsiamd_model_lock(struct tgsiamd_model *m)
{
   pthread_mutex_lock(&m->lock);
}

void tgsiamd_model_unlock(struct tgsiamd_model *m)
{
   pthread_mutex_unlock(&m->lock);
}

/* --- address spaces --- */

struct tgsiamd_model_vm *tgsiamd_model_vm_create(struct tgsiamd_model *m)
{
   return vm_create(m->report);
}

void tgsiamd_model_vm_destroy(struct tgsiamd_model_vm *vm)
{
   vm_destroy(vm);
}

int tgsiamd_model_vm_map(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size, void *host, uint32_t flags,
                         uint32_t bo)
{
   pthread_mutex_t *lock = vm_lock(vm);
   pthread_mutex_lock(lock);
   const int r = vm_map(vm, va, size, host, flags, bo);
   pthread_mutex_unlock(lock);
   return r;
}

int tgsiamd_model_vm_unmap(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size)
{
   pthread_mutex_t *lock = vm_lock(vm);
   pthread_mutex_lock(lock);
   const int r = vm_unmap(vm, va, size);
   pthread_mutex_unlock(lock);
   return r;
}

/* --- submission --- */

/* The size field of the packet by which the ring calls a buffer. */
#define MAX_IB_DWORDS 0xfffffu

int tgsiamd_model_submit(struct tgsiamd_model *m, struct tgsiamd_model_vm *vm, enum tgsiamd_model_ip ip,
                         const struct tgsiamd_model_ib *ibs, unsigned num_ibs, const uint32_t *bos, unsigned num_bos)
{
   pthread_mutex_lock(&m->lock);
   const struct model_env env = {
      .vm = vm, .regs = &m->regs, .report = m->report, .stats = &m->stats, .chip = m->chip, .cache = m->cache,
      .undef = m->undef, .addrlib = m->addrlib, .dump = m->dump, .watch = m->options.watch_pixel ? &m->options.watch : NULL,
      .stats_file = m->stats_file, .work_end = model_work(&m->stats) + m->options.max_work,
   };
   m->stats.submissions++;
   report_begin(m->report);
   vm_begin_submission(vm, bos, num_bos);
   regs_begin_submission(&m->regs);
   cp_begin_submission(m->cp);
   /* The kernel invalidates all caches before it runs a stream. */
   if (m->pipeline)
      pipeline_invalidate_code(m->pipeline);
   cache_sync(m->cache, CACHE_ALL);
   for (unsigned i = 0; i < num_ibs && !model_failed(m->report); i++) {
      if (ibs[i].dwords > MAX_IB_DWORDS)
         model_fail(m->report, EINVAL, CHECK_PACKET, "an indirect buffer of %u dwords: %u is the most", ibs[i].dwords,
                    MAX_IB_DWORDS);
      else if (ip == TGSIAMD_MODEL_SDMA)
         sdma_run(&env, ibs[i].va, ibs[i].dwords, m->options.hang_ms, model_clock, NULL);
      else
         cp_run(m->cp, &env, ip == TGSIAMD_MODEL_COMPUTE, ibs[i].va, ibs[i].dwords);
   }
   const int err = model_failed(m->report);
   stats_file_run(m->stats_file, &m->stats, report_violations(m->report));
   pthread_mutex_unlock(&m->lock);
   return -err;
}
