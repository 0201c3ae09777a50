/* SPDX-License-Identifier: MIT */
/* Statistics per draw. Units run side by side, so a draw takes as long as its
 * busiest one; that SIMDs must also wait for memory is in the wave slots. The
 * rates are documented ones: 4 SIMDs and one of each other unit in a CU, 4
 * pixels a clock in an RB, a primitive and a vertex a clock in a shader engine.
 * Not counted: cache misses, launch costs, ROP bandwidth; estimates are for
 * comparing two programs that do the same, not for predicting milliseconds. */
#include "stats.h"
#include "out_file.h"
#include "report.h"
#include "tgsiamd/hw.h"
#include "tgsiamd/isa.h"
#include "vm/vm.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIXELS_PER_RB 4

_Static_assert(sizeof(((struct model_stats *)0)->read) == VM_CLIENT_COUNT * sizeof(uint64_t), "a counter for each client");
_Static_assert(ISA_UNIT_INTERNAL < sizeof(((struct model_stats *)0)->busy) / sizeof(uint64_t), "a counter for each unit");

void stats_add(struct model_stats *a, const struct model_stats *b)
{
   uint64_t *x = (uint64_t *)a;
   const uint64_t *y = (const uint64_t *)b;
   for (unsigned i = 0; i < sizeof(*a) / sizeof(*x); i++)
      x[i] += y[i];
}

void stats_difference(struct model_stats *a, const struct model_stats *b)
{
   uint64_t *x = (uint64_t *)a;
   const uint64_t *y = (const uint64_t *)b;
   for (unsigned i = 0; i < sizeof(*a) / sizeof(*x); i++)
      x[i] -= y[i];
}

uint64_t stats_clocks(const struct model_stats *s, const struct tgsiamd_chip *chip, const char **bound)
{
   const unsigned engines = chip->num_se, cus = engines * chip->num_sh_per_se * chip->num_cu_per_sh;
   const unsigned simds = cus * isa_limits(chip->gfx)->simds_per_cu;
   const struct { const char *name; uint64_t work; unsigned rate; } limits[] = {
      { "VALU", s->busy[ISA_UNIT_VALU], simds },
      { "wave slots", s->slot_cycles / MODEL_SLOT_UNIT, simds },
      { "scalar", s->busy[ISA_UNIT_SALU] + s->busy[ISA_UNIT_SMEM] + s->busy[ISA_UNIT_BRANCH], cus },
      { "VMEM", s->busy[ISA_UNIT_VMEM] + s->busy[ISA_UNIT_FLAT], cus },
      { "LDS", s->busy[ISA_UNIT_LDS], cus },
      { "export", s->busy[ISA_UNIT_EXPORT], engines },
      { "pixels", s->samples_written, PIXELS_PER_RB * chip->num_rb },
      { "quads", s->quads, chip->num_rb },
      { "primitives", s->primitives, engines },
      { "vertices", s->vertices, engines },
   };
   uint64_t most = 0;
   for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
      const uint64_t clocks = (limits[i].work + limits[i].rate - 1) / limits[i].rate;
      if (bound && (clocks > most || i == 0))
         *bound = limits[i].name;
      most = clocks > most ? clocks : most;
   }
   return most;
}

/* ---- the file ---- */

struct stats_file {
   FILE *out;
   const struct tgsiamd_chip *chip;
   pid_t owner;      /* a forked child must not write */
   long tail;        /* where the draws end */
   bool any;
   bool regular;     /* neither a pipe nor a device */
};

static const char *const stage_names[SQ_STAGE_COUNT] = { "VS", "PS", "CS", "LSHS", "ESGS" };
static const char *const client_names[VM_CLIENT_COUNT] = { "cp", "sdma", "index", "code", "scalar", "vector",
                                                           "cb", "db", "streamout" };
static const char *const unit_names[ISA_UNIT_INTERNAL + 1] = { "salu", "smem", "valu", "vmem", "lds", "gds",
                                                               "flat", "export", "branch", "internal" };
static const char *const export_names[4] = { "color", "depth", "position", "parameter" };

/* Counters that stand alone, by name and place in the struct. */
static const struct { const char *name; unsigned at; } scalars[] = {
#define ROW(field) { #field, offsetof(struct model_stats, field) }
   ROW(indices), ROW(vertices), ROW(primitives), ROW(prims_culled), ROW(prims_clipped), ROW(raster_quads), ROW(quads), ROW(pixels_shaded),
   ROW(samples_killed_z), ROW(samples_written), ROW(instructions), ROW(inst_salu), ROW(inst_valu), ROW(inst_smem),
   ROW(inst_vmem), ROW(inst_lds), ROW(inst_exp), ROW(inst_branch), ROW(valu_slow), ROW(valu_lanes),
   ROW(lds_conflicts),
#undef ROW
};

static void list(FILE *out, const char *name, const char *const *names, const uint64_t *v, unsigned num)
{
   const char *comma = "";
   fprintf(out, ", \"%s\": {", name);
   for (unsigned i = 0; i < num; i++) {
      if (!v[i])
         continue;
      fprintf(out, "%s\"%s\": %llu", comma, names[i], (unsigned long long)v[i]);
      comma = ", ";
   }
   fputc('}', out);
}

static void counters(FILE *out, const struct model_stats *s)
{
   for (unsigned i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++)
      fprintf(out, ", \"%s\": %llu", scalars[i].name,
              (unsigned long long)*(const uint64_t *)((const char *)s + scalars[i].at));
   list(out, "waves", stage_names, s->waves, SQ_STAGE_COUNT);
   list(out, "lanes", stage_names, s->lanes, SQ_STAGE_COUNT);
   list(out, "stage_instructions", stage_names, s->stage_instructions, SQ_STAGE_COUNT);
   list(out, "wave_cycles", stage_names, s->wave_cycles, SQ_STAGE_COUNT);
   list(out, "exports", export_names, s->exports, 4);
   list(out, "busy", unit_names, s->busy, ISA_UNIT_INTERNAL + 1);
   list(out, "bytes_read", client_names, s->read, VM_CLIENT_COUNT);
   list(out, "bytes_written", client_names, s->written, VM_CLIENT_COUNT);
}

struct stats_file *stats_file_create(const char *path, const struct tgsiamd_chip *chip)
{
   struct stats_file *f = calloc(1, sizeof(*f));
   char name[4096];
   FILE *out = f ? out_file(out_path(path, name, sizeof(name)), "stats") : NULL;
   if (!out) {
      free(f);
      return NULL;
   }
   struct stat st;
   *f = (struct stats_file){ .out = out, .chip = chip, .owner = getpid() };
   f->regular = fstat(fileno(out), &st) == 0 && S_ISREG(st.st_mode);
   fprintf(out, "{\"gpu\": \"%s\",\n\"draws\": [", chip->name);
   f->tail = ftell(out);
   return f;
}

void stats_file_destroy(struct stats_file *f)
{
   if (f && f->owner == getpid())
      fclose(f->out);
   free(f);
}

void stats_file_draw(struct stats_file *f, const struct model_stats *s, const char *kind, const char *primitive,
                     const struct model_report *report)
{
   if (!f || f->owner != getpid())
      return;
   const struct model_where *where = model_where((struct model_report *)report);
   const char *bound = "";
   const uint64_t clocks = stats_clocks(s, f->chip, &bound);
   fprintf(f->out, "%s\n{\"number\": %u, \"submission\": %u, \"kind\": \"%s\"", f->any ? "," : "", where->draw,
           where->submission, kind);
   if (primitive)
      fprintf(f->out, ", \"primitive\": \"%s\"", primitive);
   fprintf(f->out, ", \"cycles\": %llu, \"bound\": \"%s\"", (unsigned long long)clocks, bound);
   counters(f->out, s);
   fputc('}', f->out);
   f->any = true;
   f->tail = ftell(f->out);
}

void stats_file_run(struct stats_file *f, const struct model_stats *run, uint64_t violations)
{
   if (!f || f->owner != getpid())
      return;
   fprintf(f->out, "],\n\"run\": {\"submissions\": %llu, \"packets\": %llu, \"draws\": %llu, \"dispatches\": %llu, "
           "\"violations\": %llu, \"cycles\": %llu", (unsigned long long)run->submissions,
           (unsigned long long)run->packets, (unsigned long long)run->draws, (unsigned long long)run->dispatches,
           (unsigned long long)violations, (unsigned long long)run->cycles);
   counters(f->out, run);
   fprintf(f->out, "}}\n");
   fflush(f->out);
   if (ferror(f->out) || (f->regular && ftruncate(fileno(f->out), ftell(f->out)) != 0)) {
      fprintf(stderr, "tgsiamd-model: stats: the file could not be written: %s\n", strerror(errno));
      clearerr(f->out);
   }
   fseek(f->out, f->tail, SEEK_SET);
}
