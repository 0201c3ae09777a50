/* SPDX-License-Identifier: MIT */
/* tgsiamd-disasm: machine code -> text in LLVM's assembler syntax.
 *
 *   tgsiamd-disasm --gpu NAME [FILE.bin]         a program, an instruction a line
 *   tgsiamd-disasm --gpu NAME --hex FILE or -    one instruction a line as 8-digit
 *                                                hex dwords in, one line of text
 *                                                out, "(bad)" for no instruction
 *   --wave32                                     code of waves of 32 lanes, GFX10 and later
 *
 * A program's dword that is no instruction prints as ".long" with "(bad)"; then
 * the exit status is 1. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsiamd/isa.h"

static int usage(FILE *out)
{
   fprintf(out, "usage: tgsiamd-disasm --gpu NAME [--wave32] [--hex FILE or -] [FILE.bin]\n"
                "NAME is LLVM's (gfx900, gfx1036, gfx11-generic, ...) or the chip's (raven, navi21, ...)\n"
                "--wave32: code of waves of 32 lanes, GFX10 and later\n"
                "--hex: an instruction a line, as dwords. What is no instruction prints as (bad);\n"
                "then the exit status is 1. 2: the input cannot be read\n");
   return out == stderr ? 2 : 0;
}

struct target {
   const struct isa_processor *processor;
   bool wave32;
};

static unsigned decode(const struct target *t, const uint32_t *code, unsigned num, struct isa_inst *inst)
{
   return isa_decode_on(t->processor, t->wave32, code, num, inst);
}

static FILE *open_input(const char *path)
{
   if (!strcmp(path, "-"))
      return stdin;
   FILE *f = fopen(path, "rb");
   if (!f)
      fprintf(stderr, "tgsiamd-disasm: %s: %s\n", path, strerror(errno));
   return f;
}

/* Parses the dwords of a line; returns how many, -1 when it is no hex. */
static int parse_dwords(const char *line, uint32_t *dwords, int max)
{
   int n = 0;
   for (;;) {
      line += strspn(line, " \t\r\n,");
      if (!*line || *line == '#')
         return n;
      char *end;
      unsigned long v = strtoul(line, &end, 16);
      if (end == line || v > 0xffffffffu || n == max || !strchr(" \t\r\n,", *end))
         return -1;
      dwords[n++] = v;
      line = end;
   }
}

static int disassemble_hex(const struct target *t, FILE *in)
{
   char *line = NULL, text[256];
   size_t size = 0;
   int status = 0;
   for (unsigned number = 1; getline(&line, &size, in) > 0; number++) {
      uint32_t dwords[8];
      struct isa_inst inst;
      int n = parse_dwords(line, dwords, 8);
      if (n > 0 && decode(t, dwords, n, &inst) == (unsigned)n) {
         isa_print(t->processor->gfx, &inst, text, sizeof(text));
         puts(text);
      } else {
         puts("(bad)");
         if (n < 0 && !status)
            fprintf(stderr, "tgsiamd-disasm: line %u is no list of up to 8 hexadecimal dwords\n", number);
         status = 1;
      }
   }
   free(line);
   if (ferror(in)) {
      perror("tgsiamd-disasm: cannot read");
      return 2;
   }
   return status;
}

#define MAX_CODE (256u << 20)

static int disassemble_program(const struct target *t, FILE *in)
{
   uint32_t *code = NULL;
   size_t size = 0, capacity = 0;
   int status = 0;
   for (;;) {
      if (size + 4096 > capacity) {
         capacity = capacity ? capacity * 2 : 65536;
         uint32_t *grown = realloc(code, capacity);
         if (!grown) {
            fprintf(stderr, "tgsiamd-disasm: out of memory\n");
            free(code);
            return 2;
         }
         code = grown;
      }
      size_t got = fread((char *)code + size, 1, 4096, in);
      if (got == 0)
         break;
      size += got;
      if (size > MAX_CODE) {
         fprintf(stderr, "tgsiamd-disasm: more than %u MiB of code\n", MAX_CODE >> 20);
         free(code);
         return 2;
      }
   }
   if (ferror(in)) {
      perror("tgsiamd-disasm: cannot read");
      free(code);
      return 2;
   }
   size_t num = size / 4;
   for (size_t at = 0; at < num;) {
      struct isa_inst inst;
      char text[256];
      size_t left = num - at;
      unsigned n = decode(t, code + at, left < 8 ? left : 8, &inst);
      if (n) {
         isa_print(t->processor->gfx, &inst, text, sizeof(text));
      } else {
         snprintf(text, sizeof(text), ".long 0x%08x ; (bad)", code[at]);
         status = 1;
         n = 1;
      }
      printf("%-60s ; %06zx:", text, at * 4);
      for (unsigned i = 0; i < n; i++)
         printf(" %08x", code[at + i]);
      putchar('\n');
      at += n;
   }
   if (size % 4) {
      fprintf(stderr, "tgsiamd-disasm: %zu bytes behind the last dword\n", size % 4);
      status = 1;
   }
   free(code);
   return status;
}

int main(int argc, char **argv)
{
   const char *gpu = NULL, *hex = NULL, *file = NULL;
   bool wave32 = false;
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--wave32"))
         wave32 = true;
      else if (!strcmp(argv[i], "--gpu") && i + 1 < argc)
         gpu = argv[++i];
      else if (!strcmp(argv[i], "--hex") && i + 1 < argc)
         hex = argv[++i];
      else if (!strcmp(argv[i], "--help"))
         return usage(stdout);
      else if (argv[i][0] == '-' && argv[i][1])
         return usage(stderr);
      else if (file)
         return usage(stderr);
      else
         file = argv[i];
   }
   if (!gpu || (hex && file))
      return usage(stderr);
   const struct tgsiamd_chip *chip = tgsiamd_chip_by_name(gpu);
   struct target target = {isa_processor_by_name(chip ? chip->llvm_name : gpu), wave32};
   if (!target.processor) {
      fprintf(stderr, "tgsiamd-disasm: no GPU is called %s\n", gpu);
      return 2;
   }
   if (target.processor->refused) {
      fprintf(stderr, "tgsiamd-disasm: %s: %s\n", gpu, target.processor->refused);
      return 2;
   }
   if (wave32 && !isa_limits(target.processor->gfx)->has_wave32) {
      fprintf(stderr, "tgsiamd-disasm: %s has no wave32\n", gpu);
      return 2;
   }
   FILE *in = open_input(hex ? hex : file ? file : "-");
   if (!in)
      return 2;
   int status = hex ? disassemble_hex(&target, in) : disassemble_program(&target, in);
   if (in != stdin)
      fclose(in);
   return status;
}
