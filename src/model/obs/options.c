/* SPDX-License-Identifier: MIT */
/* Parser of TGSIAMD_MODEL. */
#include "options.h"
#include "report_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void help(void)
{
   fprintf(stderr,
           "TGSIAMD_MODEL is a comma-separated list of:\n"
           "  help           this text\n"
           "  report         counters and violations on stderr when the process ends\n"
           "  trace          every packet as it executes\n"
           "  trace-waves=N  every instruction of the waves of draw or dispatch N, with its result\n"
           "  stats=FILE     counters and estimated clocks of every draw and of the run, as JSON (%%p: process id)\n"
           "  pixel=X:Y      what every draw does to the pixel in column X, row Y of memory (0 is the first); with\n"
           "                 trace-waves only the pixel wave that has it\n"
           "  dump-frame[=FIRST[-LAST]][:DIR]  every draw of these submissions (all) as a page with state, shaders,\n"
           "                 images and targets; open DIR/index.html (tgsiamd-dump; %%p: process id)\n"
           "  null           run packets, count draws and dispatches without executing them\n"
           "  threads=N      threads that execute pixel waves (as many as CPUs, at most 4); results do not differ\n"
           "  general        no short cuts for fills (gpu/solid.h); results do not differ\n"
           "  max-work=N     instructions, quads, primitives and packets of a submission before it counts as hung (2^32)\n"
           "  hang-ms=N      milliseconds after which a wait counts as a hang (500)\n"
           "  async          submissions run in a thread, in order\n"
           "  delay[=SEED]   they run in a thread after random delays, in any order that the kernel allows\n"
           "  reset-at=N     the GPU hangs in submission N and is reset\n"
           "  fail-ioctl=NAME:N:ERRNO  the N-th ioctl NAME (GEM_CREATE, GEM_VA, CS, SYNCOBJ_WAIT, ...) fails\n"
           "                 with ERRNO (ENOMEM, EINTR, 12, ...); may be given several times\n"
           "  vram=SIZE      size of VRAM and of GTT (bytes, or with k, m, g)\n"
           "  no-check=NAME  do not report a kind of violation; NAME is one of:\n"
           "                ");
   for (unsigned i = 0; i < CHECK_COUNT; i++)
      fprintf(stderr, " %s", model_check_name(i));
   fprintf(stderr, "\n");
}

static bool small_number(const char *w, const char *end, unsigned max, unsigned *out)
{
   uint64_t v;
   if (!model_options_number(w, (size_t)(end - w), max, &v))
      return false;
   *out = (unsigned)v;
   return true;
}

static bool pixel(struct model_options *o, const char *w, const char *end)
{
   const char *colon = memchr(w, ':', (size_t)(end - w));
   unsigned x, y;
   if (!colon || !small_number(w, colon, 16383, &x) || !small_number(colon + 1, end, 16383, &y))
      return false;
   o->watch_pixel = true;
   o->watch.x = (int)x;
   o->watch.y = (int)y;
   return true;
}

/* [=FIRST[-LAST]][:DIR] */
static bool dump_frame(struct model_options *o, const char *w, size_t n)
{
   const char *end = w + n, *colon = memchr(w, ':', n);
   const char *numbers = colon ? colon : end;
   const char *dash = memchr(w, '-', (size_t)(numbers - w));
   o->dump_first = 1;
   o->dump_last = ~0u;
   snprintf(o->dump_dir, sizeof(o->dump_dir), "tgsiamd-dump");
   if (w < numbers) {
      if (*w != '=' || !small_number(w + 1, dash ? dash : numbers, ~0u, &o->dump_first))
         return false;
      o->dump_last = o->dump_first;
      if (dash && !small_number(dash + 1, numbers, ~0u, &o->dump_last))
         return false;
   }
   if (colon) {
      const size_t len = (size_t)(end - colon) - 1;
      if (!len || len >= sizeof(o->dump_dir))
         return false;
      memcpy(o->dump_dir, colon + 1, len);
      o->dump_dir[len] = 0;
   }
   return o->dump_first >= 1 && o->dump_first <= o->dump_last;
}

static bool word(struct model_options *o, const char *w, size_t n)
{
#define IS(text) (n == sizeof(text) - 1 && memcmp(w, text, n) == 0)
   if (n == 0)
      return true;
   if (IS("help"))
      help();
   else if (IS("report"))
      o->report = true;
   else if (IS("trace"))
      o->trace = true;
   else if (IS("general"))
      o->general = true;
   else if (IS("null"))
      o->null = true;
   else if (n > 12 && memcmp(w, "trace-waves=", 12) == 0)
      return small_number(w + 12, w + n, ~0u, &o->trace_waves);
   else if (n > 9 && memcmp(w, "max-work=", 9) == 0)
      return model_options_number(w + 9, n - 9, 1ull << 48, &o->max_work) && o->max_work;
   else if (n > 6 && memcmp(w, "pixel=", 6) == 0)
      return pixel(o, w + 6, w + n);
   else if (n >= 10 && memcmp(w, "dump-frame", 10) == 0)
      return dump_frame(o, w + 10, n - 10);
   else if (n > 6 && n - 6 < sizeof(o->stats_path) && memcmp(w, "stats=", 6) == 0)
      memcpy(o->stats_path, w + 6, n - 6);
   else if (n > 8 && memcmp(w, "threads=", 8) == 0)
      return small_number(w + 8, w + n, 16, &o->threads) && o->threads;
   else if (n > 8 && memcmp(w, "hang-ms=", 8) == 0)
      return small_number(w + 8, w + n, 3600000, &o->hang_ms) && o->hang_ms;
   else if (model_options_kernel(&o->kernel, w, n))
      return true;
   else if (n > 9 && memcmp(w, "no-check=", 9) == 0) {
      for (unsigned i = 0; i < CHECK_COUNT; i++) {
         if (strlen(model_check_name(i)) == n - 9 && memcmp(model_check_name(i), w + 9, n - 9) == 0) {
            o->no_check |= 1u << i;
            return true;
         }
      }
      return false;
   } else
      return false;
   return true;
#undef IS
}

bool model_options_parse(struct model_options *o, const char *text)
{
   *o = (struct model_options){ .max_work = 1ull << 32, .hang_ms = 500 };
   while (text && *text) {
      const size_t n = strcspn(text, ",");
      if (!word(o, text, n)) {
         fprintf(stderr, "tgsiamd-model: TGSIAMD_MODEL: unknown option '%.*s'; 'help' lists them\n", (int)n, text);
         return false;
      }
      text += n;
      text += *text == ',';
   }
   return true;
}
