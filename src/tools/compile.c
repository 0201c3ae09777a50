/* SPDX-License-Identifier: MIT */
/* tgsiamd-compile: TGSI text (or the compiler's own IR text, --from-ir) to
 * machine code, with dumps and numbers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipe/p_shader_tokens.h"
#include "tgsi/tgsi_text.h"
#include "pipe/p_state.h"

#include "compile.h"
#include "tgsiamd/compiler.h"
#include "tgsiamd/isa.h"
#include "tgsi_locate.h"


struct options {
   enum tgsiamd_gfx gfx;
   const char *input, *output;
   uint32_t flags;
   bool stats, from_ir, hex;
   uint32_t repeat;
   struct tgsiamd_key key;
};

static int
usage(FILE *out, int status)
{
   fprintf(out,
      "usage: tgsiamd-compile [options] FILE.tgsi (- reads standard input)\n"
      "  --gpu NAME          a chip or LLVM's name: raven, gfx902, ... (raven)\n"
      "  --tgsi --ir --asm   print the program, every pass, the machine code\n"
      "  --stats             print the numbers, and the time of every pass\n"
      "  --repeat N          compile N times; --stats then prints the fastest\n"
      "  --no-opt --no-sched --wait-all --spill-all   switch passes\n"
      "  --short-branches    branches reach 256 dwords or a 16th of the code\n"
      "  --validate          check the IR after every pass\n"
      "  --col-format HEX    SPI_SHADER_COL_FORMAT of pixel shaders (4: FP16 on colour 0)\n"
      "  --from-ir           FILE holds the compiler's IR as text\n"
      "  --hex               print the code as hexadecimal dwords\n"
      "  -o FILE             write the code\n");
   return status;
}

#define MAX_TEXT (256u << 20)

/* Text without zero bytes, lines as Unix ends them; NULL when it cannot be had. */
static char *
read_text(const char *name)
{
   FILE *f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
   size_t size = 0, max = 65536;
   char *text = malloc(max);
   if (!f) {
      fprintf(stderr, "tgsiamd-compile: %s: %s\n", name, strerror(errno));
      free(text);
      return NULL;
   }
   for (size_t n; text && size <= MAX_TEXT && (n = fread(text + size, 1, max - size - 1, f)) > 0;) {
      size += n;
      if (max - size < 2) {
         max *= 2;
         text = realloc(text, max);
      }
   }
   const char *why = !text ? "out of memory" : ferror(f) ? strerror(errno) : !size ? "the file is empty" :
                     size > MAX_TEXT ? "more than 256 MiB of text" : NULL;
   if (!why && memchr(text, 0, size))
      why = "a zero byte is no text";
   if (f != stdin)
      fclose(f);
   if (why) {
      fprintf(stderr, "tgsiamd-compile: %s: %s\n", name, why);
      free(text);
      return NULL;
   }
   text[size] = 0;
   for (char *p = text; (p = strstr(p, "\r\n"));)
      *p = ' ';
   return text;
}

static bool
number(const char *name, const char *value, int base, uint32_t max, uint32_t *out)
{
   char *end;
   errno = 0;
   unsigned long n = strtoul(value, &end, base);
   if (end == value || *end || errno || value[0] == '-' || n > max) {
      fprintf(stderr, base == 16 ? "tgsiamd-compile: %s takes a hexadecimal number up to %x, not `%s'\n"
                                 : "tgsiamd-compile: %s takes a number up to %u, not `%s'\n", name, max, value);
      return false;
   }
   *out = n;
   return true;
}

static bool
flag(struct options *o, const char *arg)
{
   static const struct { const char *name; uint32_t flag; } flags[] = {
      { "--tgsi", TGSIAMD_COMPILE_DUMP_TGSI }, { "--ir", TGSIAMD_COMPILE_DUMP_IR },
      { "--asm", TGSIAMD_COMPILE_DUMP_ASM }, { "--no-opt", TGSIAMD_COMPILE_NO_OPT },
      { "--no-sched", TGSIAMD_COMPILE_NO_SCHED }, { "--wait-all", TGSIAMD_COMPILE_WAIT_ALL },
      { "--spill-all", TGSIAMD_COMPILE_SPILL_ALL }, { "--short-branches", TGSIAMD_COMPILE_SHORT_BRANCHES },
      { "--validate", TGSIAMD_COMPILE_VALIDATE },
   };
   for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
      if (!strcmp(arg, flags[i].name)) {
         o->flags |= flags[i].flag;
         return true;
      }
   }
   return false;
}

static bool
choose_gpu(struct options *o, const char *name)
{
   const struct tgsiamd_chip *chip = tgsiamd_chip_by_name(name);
   const struct isa_processor *processor = isa_processor_by_name(chip ? chip->llvm_name : name);
   if (!processor || processor->refused) {
      fprintf(stderr, "tgsiamd-compile: unknown GPU `%s'%s%s\n", name, processor ? ": " : "",
              processor ? processor->refused : "");
      return false;
   }
   o->gfx = processor->gfx;
   return true;
}

/* 0: go on; otherwise exit status + 1. */
static int
parse_arguments(int argc, char **argv, struct options *o)
{
   for (int i = 1; i < argc; i++) {
      const char *a = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
      if (flag(o, a))
         continue;
      if (!strcmp(a, "--help"))
         return usage(stdout, 0) + 1;
      if (!strcmp(a, "--stats")) {
         o->stats = true;
         o->flags |= TGSIAMD_COMPILE_TIMES;
      }
      else if (!strcmp(a, "--hex"))
         o->hex = true;
      else if (!strcmp(a, "--from-ir"))
         o->from_ir = true;
      else if (!strcmp(a, "--gpu") && value && (i++, true)) {
         if (!choose_gpu(o, value))
            return 3;
      } else if (!strcmp(a, "--col-format") && value && (i++, true)) {
         if (!number(a, value, 16, UINT32_MAX, &o->key.ps.col_format))
            return 3;
      } else if (!strcmp(a, "--repeat") && value && (i++, true)) {
         if (!number(a, value, 10, 1000000, &o->repeat))
            return 3;
      } else if (!strcmp(a, "-o") && value && (i++, true)) {
         o->output = value;
      } else if ((a[0] != '-' || !a[1]) && !o->input) {
         o->input = a;
      } else {
         return usage(stderr, 2) + 1;
      }
   }
   return o->input ? 0 : usage(stderr, 2) + 1;
}

static uint64_t
total_time(const struct tgsiamd_shader_binary *bin)
{
   uint64_t sum = 0;
   for (unsigned i = 0; bin->times && i < TGSIAMD_MAX_PASS_TIMES; i++)
      sum += bin->times[i].ns;
   return sum;
}

static struct tgsiamd_shader_binary *
compile_text(const struct options *o, const char *text)
{
   if (o->from_ir) {
      char why[200];
      struct ir_shader *sh = ir_parse(o->gfx, &o->key, o->flags, text, why, sizeof(why));
      if (!sh)
         fprintf(stderr, "tgsiamd-compile: %s: %s\n", o->input, why);
      return sh ? compile_shader(sh) : NULL;
   }
   /* A token has no less text than one character. */
   uint32_t max_tokens = strlen(text) + 1024;
   struct tgsi_token *tokens = calloc(max_tokens, sizeof(*tokens));
   struct tgsiamd_shader_binary *bin = NULL;
   char why[200];
   tgsi_fill_names();
   unsigned line = tgsi_locate_index(text, why, sizeof(why));
   if (line || !tokens || !tgsi_text_translate(text, tokens, max_tokens)) {
      if (!line)
         line = tgsi_locate_error(text, why, sizeof(why));
      fprintf(stderr, "tgsiamd-compile: %s:%u: %s\n", o->input, line, why);
   } else {
      bin = tgsiamd_compile(o->gfx, tokens, &o->key, o->flags);
      for (unsigned i = 1; i < o->repeat && bin; i++) {
         struct tgsiamd_shader_binary *again = tgsiamd_compile(o->gfx, tokens, &o->key, o->flags);
         bool faster = again && total_time(again) < total_time(bin);
         tgsiamd_shader_binary_free(faster ? bin : again);
         bin = faster ? again : bin;
      }
   }
   free(tokens);
   return bin;
}

static void
print_stats(const struct tgsiamd_shader_binary *bin)
{
   const struct tgsiamd_shader_stats *s = &bin->stats;
   printf("SGPRs %u VGPRs %u scratch %u waves %u bytes %u instructions %u salu %u valu %u smem %u vmem %u "
          "lds %u exports %u branches %u waits %u nops %u cycles %u sgpr_spills %u vgpr_spills %u lds_bytes %u\n",
          bin->info.num_sgprs, bin->info.num_vgprs, bin->info.scratch_bytes_per_wave, s->max_waves, s->code_bytes,
          s->instructions, s->salu, s->valu, s->smem, s->vmem, s->lds, s->exports, s->branches, s->waits, s->nops,
          s->est_cycles, s->sgpr_spills, s->vgpr_spills, bin->info.lds_bytes);
   printf("time_us %.1f", total_time(bin) / 1e3);
   for (unsigned i = 0; bin->times && i < TGSIAMD_MAX_PASS_TIMES && bin->times[i].pass; i++) {
      const char *name = bin->times[i].pass;
      putchar(' ');
      for (; *name; name++)
         putchar(*name == ' ' ? '_' : *name);
      printf(" %.1f", bin->times[i].ns / 1e3);
   }
   putchar('\n');
}

static int
write_code(const struct options *o, const struct tgsiamd_shader_binary *bin)
{
   if (o->hex) {
      for (uint32_t i = 0; i < bin->code_dwords; i++)
         printf("%08x%c", bin->code[i], i % 8 == 7 || i + 1 == bin->code_dwords ? '\n' : ' ');
   }
   if (!o->output)
      return 0;
   FILE *f = fopen(o->output, "wb");
   if (!f || fwrite(bin->code, 4, bin->code_dwords, f) != bin->code_dwords || fclose(f)) {
      perror(o->output);
      return 1;
   }
   return 0;
}

int
main(int argc, char **argv)
{
   static struct options o;
   int status = 0;
   o.gfx = TGSIAMD_GFX9;
   o.key.ps.col_format = 4;
   o.key.ps.write_all_cbufs = 1;
   status = parse_arguments(argc, argv, &o);
   if (status)
      return status - 1;
   char *text = read_text(o.input);
   if (!text)
      return 1;
   struct tgsiamd_shader_binary *bin = compile_text(&o, text);
   free(text);
   if (!bin)
      return 1;
   if (bin->dump)
      fputs(bin->dump, stdout);
   if (bin->error) {
      fprintf(stderr, "tgsiamd-compile: %s: %s\n", o.input, bin->error);
      status = 1;
   } else {
      if (o.stats)
         print_stats(bin);
      status = write_code(&o, bin);
   }
   tgsiamd_shader_binary_free(bin);
   if (fflush(stdout)) {
      perror("tgsiamd-compile: standard output");
      status = 1;
   }
   return status;
}
