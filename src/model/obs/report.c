/* SPDX-License-Identifier: MIT */
/* Violations: one line per place on stderr as they happen, counts at the end. */
#include "report_internal.h"
#include "options.h"
#include "msg.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A message whose text differs every time is shown this often, then counted. */
#define MAX_LINES_PER_FORMAT 10
#define MAX_PLACES 4096 /* a power of two: places are a hash table */

struct place {
   uint64_t key;
   uint64_t count;
   enum model_check check;
   char text[160];
};

struct format_count { const char *fmt; unsigned lines; };

struct model_report {
   struct model_where where;
   uint32_t no_check;
   uint32_t explained;       /* checks whose rule was printed */
   unsigned trace_waves;
   void (*on_line)(void *ctx, const char *line);
   void *on_line_ctx;
   void (*on_order)(void *ctx);
   void *on_order_ctx;
   bool ahead;           /* of a wave ahead of its turn */
   int failed;
   uint64_t by_check[CHECK_COUNT];
   unsigned num_places, num_formats;
   uint64_t unlisted;
   struct place places[MAX_PLACES];
   struct format_count formats[256];
};

static const char *const check_names[CHECK_COUNT] = {
   [CHECK_PACKET] = "packet",       [CHECK_REGISTER] = "register",       [CHECK_VM] = "vm",
   [CHECK_BO_LIST] = "bo-list",     [CHECK_INSTRUCTION] = "instruction", [CHECK_WAITCNT] = "waitcnt",
   [CHECK_HAZARD] = "hazard",       [CHECK_UNINIT] = "uninit",           [CHECK_RANGE] = "range",
   [CHECK_EXEC] = "exec",           [CHECK_SURFACE] = "surface",
   [CHECK_DESCRIPTOR] = "descriptor", [CHECK_STATE] = "state",           [CHECK_CACHE] = "cache",
   [CHECK_HANG] = "hang",           [CHECK_MODEL] = "model",
};

/* Why: the rule behind each check, with where it is written. */
static const char *const check_rules[CHECK_COUNT] = {
   [CHECK_PACKET] = "the CP stops at a packet that it does not know or whose length is wrong (PM4, sid.h)",
   [CHECK_REGISTER] = "a register that does not exist, or reserved bits that must be 0 (register database, gfx9.json)",
   [CHECK_VM] = "each access needs a mapping that allows it: GPUVM raises a fault (amdgpu_drm.h, GEM_VA)",
   [CHECK_BO_LIST] = "the kernel may move or evict a buffer that a submission does not list (amdgpu_drm.h, CS)",
   [CHECK_INSTRUCTION] = "bits that are no instruction of this generation (Vega ISA, chapter Instruction Formats)",
   [CHECK_WAITCNT] = "memory results and export sources are safe only after s_waitcnt (Vega ISA 4.4, Data Dependency "
                     "Resolution)",
   [CHECK_HAZARD] = "hardware does not check these pairs, software inserts states (Vega ISA 4.5, Manually Inserted Wait "
                    "States)",
   [CHECK_UNINIT] = "registers, LDS and scratch hold what an earlier wave left (Vega ISA 3, Kernel State)",
   [CHECK_RANGE] = "a wave owns what its RSRC registers and LDS size allot (Vega ISA 3.6, GPRs and LDS)",
   [CHECK_EXEC] = "scalar and lane-crossing instructions run although EXEC is 0 (Vega ISA 3.3, EXEC)",
   [CHECK_DESCRIPTOR] = "reserved fields are 0 and fields go together (Vega ISA 8.1.8 and 8.2.5, resource descriptors)",
   [CHECK_STATE] = "the blocks behind trust these registers, and a submission inherits none of them",
   [CHECK_SURFACE] = "nothing keeps CB and DB from writing beyond a surface: its neighbours change",
   [CHECK_CACHE] = "CB, DB, L1, K$ and I$ do not snoop each other: waits, flushes and invalidations are the stream's "
                   "(ACQUIRE_MEM, RELEASE_MEM, EVENT_WRITE)",
   [CHECK_HANG] = "the kernel resets a ring that does not progress",
   [CHECK_MODEL] = "hardware can do it, this model does not yet",
};

const char *model_check_name(unsigned check)
{
   return check < CHECK_COUNT ? check_names[check] : "?";
}

struct model_report *report_create(const struct model_options *options)
{
   struct model_report *r = calloc(1, sizeof(*r));
   if (r) {
      r->no_check = options->no_check;
      r->trace_waves = options->trace_waves;
      r->where.lane = -1;
   }
   return r;
}

void report_destroy(struct model_report *r)
{
   free(r);
}

void report_on_line(struct model_report *r, void (*fn)(void *ctx, const char *line), void *ctx)
{
   r->on_line = fn;
   r->on_line_ctx = ctx;
}

void report_on_order(struct model_report *r, void (*fn)(void *ctx), void *ctx)
{
   r->on_order = fn;
   r->on_order_ctx = ctx;
}

struct model_report *report_create_ahead(const struct model_report *of)
{
   struct model_report *r = calloc(1, sizeof(*r));
   if (r) {
      r->ahead = true;
      r->no_check = of->no_check;
      r->where.lane = -1;
   }
   return r;
}

void report_ahead_begin(struct model_report *r)
{
   r->failed = 0;
   r->where.shader_va = r->where.pc = 0;
}

void model_order(struct model_report *r)
{
   if (r->ahead)
      r->failed = ECANCELED;
   else if (r->on_order)
      r->on_order(r->on_order_ctx);
}

void report_begin(struct model_report *r)
{
   r->failed = 0;
   r->where.submission++;
   r->where.packet_va = r->where.shader_va = r->where.pc = 0;
   r->where.disasm[0] = 0;
   r->where.lane = -1;
}

void report_outside(struct model_report *r)
{
   r->where.packet_va = r->where.shader_va = r->where.pc = 0;
   r->where.disasm[0] = 0;
   r->where.lane = -1;
}

struct model_where *model_where(struct model_report *r)
{
   return &r->where;
}

int model_failed(const struct model_report *r)
{
   return r->failed;
}

bool model_traces_waves(const struct model_report *r)
{
   return r->trace_waves && r->trace_waves == r->where.draw;
}

uint64_t report_violations(const struct model_report *r)
{
   uint64_t sum = 0;
   for (unsigned i = 0; i < CHECK_COUNT; i++)
      sum += r->by_check[i];
   return sum;
}

static uint64_t hash(uint64_t h, const void *data, size_t n)
{
   const uint8_t *p = data;
   while (n--)
      h = (h ^ *p++) * 0x100000001b3ull; /* FNV-1a */
   return h;
}

static bool format_may_print(struct model_report *r, const char *fmt)
{
   for (unsigned i = 0; i < r->num_formats; i++) {
      if (r->formats[i].fmt == fmt)
         return ++r->formats[i].lines <= MAX_LINES_PER_FORMAT;
   }
   if (r->num_formats < 256)
      r->formats[r->num_formats++] = (struct format_count){ fmt, 1 };
   return true;
}

static void print_line(const struct model_report *r, enum model_check check, const char *text)
{
   const struct model_where *w = &r->where;
   char line[640];
   int n = snprintf(line, sizeof(line), "tgsiamd-model: %s: %s [submission %u, draw %u", check_names[check], text,
                    w->submission, w->draw);
   if (w->packet_va)
      n += snprintf(line + n, sizeof(line) - n, ", packet at 0x%llx%s%s", (unsigned long long)w->packet_va,
                    w->packet ? " " : "", w->packet ? w->packet : "");
   if (w->shader_va)
      n += snprintf(line + n, sizeof(line) - n, ", shader %08x 0x%llx+0x%llx: %.95s", w->shader_hash,
                    (unsigned long long)w->shader_va, (unsigned long long)(w->pc - w->shader_va), w->disasm);
   if (w->lane >= 0)
      n += snprintf(line + n, sizeof(line) - n, ", lane %d", w->lane);
   snprintf(line + n, sizeof(line) - n, "]\n");
   if (r->on_line) {
      r->on_line(r->on_line_ctx, line);
      return;
   }
   fputs(line, stderr);
   if (!(r->explained >> check & 1))
      fprintf(stderr, "tgsiamd-model:   why: %s\n", check_rules[check]);
}

static void note(struct model_report *r, enum model_check check, const char *fmt, va_list ap)
{
   char text[320];
   if (r->no_check >> check & 1)
      return;
   const int failed = r->failed;
   model_order(r);
   if (r->ahead || (!failed && r->failed)) /* an earlier wave ended the submission */
      return;
   r->by_check[check]++;
   vsnprintf(text, sizeof(text), fmt, ap);
   /* Inside a shader the instruction is the place; outside, what is said. */
   uint64_t key = hash(0xcbf29ce484222325ull + check, text, strlen(text));
   if (r->where.shader_va) {
      key = hash(0xcbf29ce484222325ull + check, fmt, strlen(fmt));
      key = hash(key, &r->where.pc, sizeof(r->where.pc));
   }
   struct place *p = &r->places[key % MAX_PLACES];
   while (p->count && p->key != key)
      p = p + 1 < r->places + MAX_PLACES ? p + 1 : r->places;
   if (p->count++)
      return;
   if (r->num_places == MAX_PLACES / 2) { /* keep the table sparse */
      p->count = 0;
      r->unlisted++;
      return;
   }
   r->num_places++;
   p->key = key;
   p->check = check;
   snprintf(p->text, sizeof(p->text), "%s", text);
   if (format_may_print(r, fmt)) {
      print_line(r, check, text);
      r->explained |= 1u << check;
   }
}

void model_violation(struct model_report *r, enum model_check check, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   note(r, check, fmt, ap);
   va_end(ap);
}

void model_fail(struct model_report *r, int err, enum model_check check, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   note(r, check, fmt, ap);
   va_end(ap);
   model_order(r);
   if (!r->failed)
      r->failed = err;
}

static void print_stats(const struct model_stats *s, FILE *out)
{
   static const char *const stages[] = { "VS", "PS", "CS", "LS-HS", "ES-GS" };
#define U(x) (unsigned long long)(s->x)
   fprintf(out, "  submissions %llu, packets %llu, draws %llu, dispatches %llu\n", U(submissions), U(packets),
           U(draws), U(dispatches));
   fprintf(out, "  vertices %llu, primitives %llu (culled %llu, clipped %llu)\n", U(vertices), U(primitives),
           U(prims_culled), U(prims_clipped));
   fprintf(out, "  quads %llu, pixels shaded %llu, samples written %llu, failed depth or stencil %llu\n", U(quads),
           U(pixels_shaded), U(samples_written), U(samples_killed_z));
   fprintf(out, "  waves:");
   for (unsigned i = 0; i < 5; i++)
      fprintf(out, " %s %llu (%.1f lanes)", stages[i], U(waves[i]),
              s->waves[i] ? (double)s->lanes[i] / (double)s->waves[i] : 0.0);
   fprintf(out, "\n  instructions %llu: VALU %llu, SALU %llu, SMEM %llu, VMEM %llu, LDS %llu, export %llu, branch %llu\n",
           U(instructions), U(inst_valu), U(inst_salu), U(inst_smem), U(inst_vmem), U(inst_lds), U(inst_exp),
           U(inst_branch));
   uint64_t read = 0, written = 0;
   for (unsigned i = 0; i < sizeof(s->read) / sizeof(s->read[0]); i++) {
      read += s->read[i];
      written += s->written[i];
   }
   fprintf(out, "  bytes read %llu, written %llu\n", (unsigned long long)read, (unsigned long long)written);
   fprintf(out, "  estimated clocks %llu\n", U(cycles));
#undef U
}

void report_print(const struct model_report *r, const struct model_stats *stats, FILE *out)
{
   fprintf(out, "tgsiamd-model: report\n");
   print_stats(stats, out);
   fprintf(out, "  violations %llu\n", (unsigned long long)report_violations(r));
   for (unsigned c = 0; c < CHECK_COUNT; c++) {
      if (!r->by_check[c])
         continue;
      fprintf(out, "    %s %llu\n", check_names[c], (unsigned long long)r->by_check[c]);
      for (unsigned i = 0, shown = 0; i < MAX_PLACES && shown < 8; i++) {
         if (r->places[i].count && r->places[i].check == c) {
            fprintf(out, "      %llu x %s\n", (unsigned long long)r->places[i].count, r->places[i].text);
            shown++;
         }
      }
   }
   if (r->unlisted)
      fprintf(out, "    %llu at places beyond the first %u\n", (unsigned long long)r->unlisted, MAX_PLACES / 2);
   if (r->no_check)
      fprintf(out, "    (some checks are off)\n");
}
