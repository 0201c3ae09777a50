/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "obs/options.h"
#include "obs/report_internal.h"
#include "surf/surf.h"
#include "tgsiamd/model.h"
#include "vm/vm_internal.h"
#include "machine.h"

static void
on_line(void *ctx, const char *text)
{
   struct machine *m = ctx;

   if (!m->line[0])
      snprintf(m->line, sizeof(m->line), "%s", text);
}

static uint8_t *
map(struct machine *m, uint64_t va, size_t size, uint8_t fill, uint32_t flags)
{
   uint8_t *mem = aligned_alloc(65536, size);

   memset(mem, fill, size);
   vm_map(m->vm, va, size, mem, TGSIAMD_MODEL_READ | flags, 0);
   return mem;
}

void
machine_start(struct machine *m, size_t size, uint8_t fill, bool writable, unsigned budget)
{
   static struct model_options options;

   if (m->mem)
      return;
   m->report = report_create(&options);
   report_on_line(m->report, on_line, m);
   m->vm = vm_create(m->report);
   m->mem = map(m, MACHINE_VA, size, fill, TGSIAMD_MODEL_EXEC | (writable ? TGSIAMD_MODEL_WRITE : 0));
   m->sq = sq_create();
   sq_set_budget(m->sq, budget); /* what does not end, ends soon */
   m->addrlib = surf_addrlib_create(142, 0x41, 0x24000042); /* Raven */
}

uint8_t *
machine_own(struct machine *m, size_t size, bool writable)
{
   if (!m->own)
      m->own = map(m, MACHINE_OWN_VA, size, 0, writable ? TGSIAMD_MODEL_WRITE : 0);
   return m->own;
}

void
machine_begin(struct machine *m)
{
   m->line[0] = 0;
   report_begin(m->report);
   vm_begin_submission(m->vm, NULL, 0);
   sq_invalidate(m->sq);
}

bool
machine_run(struct machine *m, const struct sq_wave_init *waves, unsigned num, unsigned lds_bytes,
            const struct sq_sink *sink)
{
   static struct model_stats stats;
   const struct model_env env = {
      .vm = m->vm, .report = m->report, .stats = &stats, .chip = tgsiamd_chip_by_name("raven"), .addrlib = m->addrlib,
   };
   const uint64_t violations = report_violations(m->report); /* a place is only told once */

   sq_run(m->sq, &env, waves, num, lds_bytes, sink);
   return report_violations(m->report) == violations && !model_failed(m->report);
}
