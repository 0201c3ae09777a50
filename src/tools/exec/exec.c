/* SPDX-License-Identifier: MIT */
/* tgsiamd-exec [--trace] FILE.json: one wave of machine code alone on the model's
 * sequencer. Reads registers, LDS and memory from a JSON object and prints an
 * object of the same shape with what they are at s_endpgm. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "obs/options.h"
#include "obs/report_internal.h"
#include "state.h"
#include "surf/surf.h"
#include "tgsiamd/model.h"
#include "vm/vm_internal.h"

#define MAX_TEXT (256u << 20)

static const char help[] =
   "usage: tgsiamd-exec [--trace] FILE.json    ('-': standard input)\n"
   "       tgsiamd-exec --opcodes\n"
   "Runs one wave of machine code on the sequencer alone and prints its state at\n"
   "s_endpgm. The input is an object:\n"
   "  gpu       \"gfx900\" (required)\n"
   "  code      list of dwords, 8 hexadecimal digits each (required)\n"
   "  exec, vcc 16 hexadecimal digits; exec: all lanes when left out\n"
   "  scc       0 or 1\n"
   "  m0, mode  8 hexadecimal digits or a number; mode: 000001c0 (singles flush denormals, halves\n"
   "            and doubles keep them, round to nearest, DX10 clamp) when left out\n"
   "  sgpr      {index: 8 digits}, decimal index\n"
   "  vgpr      {index: list of 64 times 8 digits}\n"
   "  lds       {address: bytes}, memory {address: bytes}: pairs of digits in memory\n"
   "            order; an address is 0x..., 8 or 16 hexadecimal digits, or decimal\n"
   "v_interp_* read the primitive's parameters from what lds holds at M0[15:0]: for each\n"
   "attribute and channel the dwords P0, P10, P20.\n"
   "Registers that are left out are undefined. The output has the same keys, with each\n"
   "register that the input named or the program wrote, and violations (list of text).\n"
   "Memory is what the input names, in pages of 4 KiB; anything else faults.\n"
   "--trace: each instruction with its result on stderr.\n"
   "--opcodes: every opcode of the GPU and whether the sequencer executes it.\n"
   "Exit status: 0 the wave reached its end, 1 it did not (the state where it stopped is\n"
   "printed, violations say why), 2 the input is wrong (stderr says how).\n";

static void on_line(void *ctx, const char *text)
{
   struct job *job = ctx;
   if (job->num_violations < MAX_VIOLATIONS)
      job->violations[job->num_violations++] = strndup(text, strcspn(text, "\n"));
}

static void on_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr, bool done, bool vm,
                      uint64_t exec, const uint32_t *const src[4])
{
   (void)ctx, (void)wave, (void)target, (void)en, (void)compr, (void)done, (void)vm, (void)exec, (void)src;
}
static void on_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
   (void)ctx, (void)wave, (void)simm, (void)m0, (void)exec;
}

static char *read_file(const char *name)
{
   FILE *f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
   size_t size = 0, cap = 65536;
   char *text = malloc(cap);
   if (!f)
      die("%s: %s", name, strerror(errno));
   for (size_t n; text && (n = fread(text + size, 1, cap - size - 1, f)) > 0;) {
      size += n;
      if (size > MAX_TEXT)
         die("%s: more than %u MiB", name, MAX_TEXT >> 20);
      if (size + 1 == cap)
         text = realloc(text, cap *= 2);
   }
   if (!text)
      die("out of memory");
   if (ferror(f))
      die("%s: %s", name, strerror(errno));
   if (memchr(text, 0, size))
      die("%s: a zero byte is no JSON", name);
   text[size] = 0;
   if (f != stdin)
      fclose(f);
   return text;
}

static const struct tgsiamd_chip *chip_of(struct job *job)
{
   const struct json *gpu = json_get(job->in, "gpu");
   if (!gpu)
      die("gpu: missing");
   if (gpu->kind != JSON_STRING)
      die("gpu: a string expected");
   job->gpu = gpu->string;
   const struct tgsiamd_chip *chip = tgsiamd_chip_by_name(gpu->string);
   if (!chip && !strcmp(gpu->string, "gfx900"))
      chip = tgsiamd_chip_by_name("raven"); /* the same instructions */
   if (!chip || chip->gfx != TGSIAMD_GFX9 || isa_processor_by_name(chip->llvm_name)->set)
      die("gpu \"%.40s\": the model executes gfx900 only", gpu->string);
   return chip;
}

/* 0 when the wave came to its end. */
static int run(struct job *job, const struct tgsiamd_chip *chip, bool trace)
{
   static struct sq_wave_init init;
   static struct model_stats stats;
   const struct model_options options = {.trace_waves = trace};
   const struct sq_sink sink = {.export = on_export, .message = on_message};

   job->report = report_create(&options);
   report_on_line(job->report, on_line, job);
   job->vm = vm_create(job->report);
   report_begin(job->report);
   vm_begin_submission(job->vm, NULL, 0);
   model_where(job->report)->draw = 1;
   input_load(job);

   struct model_env env = {.vm = job->vm, .report = job->report, .stats = &stats, .chip = chip};
   env.addrlib = surf_addrlib_create(chip->family, chip->external_rev, chip->gb_addr_config);
   init.num_attrs = input_attributes(job, init.quad_attrs);
   init.stage = SQ_CS;
   init.pc = job->code_va;
   init.rsrc1 = 63 | 15 << 6 | 0xc0 << 12 | 1 << 21; /* all registers; singles flush, halves and doubles do not */
   init.exec = ~0ull;

   struct sq *sq = sq_create();
   sq_run_prepared(sq, &env, &init, 1, SQ_LDS_BYTES, &sink, input_prepare, job);
   int failed = model_failed(job->report);
   output_print(job, sq->waves[0]);
   sq_destroy(sq);
   surf_addrlib_destroy(env.addrlib);
   vm_destroy(job->vm);
   report_destroy(job->report);
   return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
   static struct job job;
   const char *why;
   size_t at;

   if (argc == 2 && !strcmp(argv[1], "--help")) {
      fputs(help, stdout);
      return 0;
   }
   if (argc == 2 && !strcmp(argv[1], "--opcodes")) {
      output_opcodes();
      return 0;
   }
   bool trace = argc > 2 && !strcmp(argv[1], "--trace");
   argc -= trace;
   argv += trace;
   if (argc != 2 || (argv[1][0] == '-' && argv[1][1])) {
      fputs(help, stderr);
      return 2;
   }
   char *text = read_file(argv[1]);
   struct json *in = json_parse(text, &why, &at);
   if (!in)
      die("%s: byte %zu: %s", argv[1], at, why ? why : "no JSON");
   if (in->kind != JSON_OBJECT)
      die("%s: an object expected", argv[1]);
   job.in = in;
   int status = run(&job, chip_of(&job), trace);
   json_free(in);
   free(text);
   if (fflush(stdout))
      die("standard output: %s", strerror(errno));
   return status;
}
