/* SPDX-License-Identifier: MIT */
/* Passes on text IR. A case file holds cases:
 *
 *    # name
 *    passes: mem2reg algebraic dce      (or  asm,  or  error)
 *    ...program...
 *    ---
 *    ...expected...
 *
 * After IR passes the printed program must be the expected one (comments and
 * indentation aside). For `asm` the expected lines must occur in the machine
 * code in this order, each as part of a line; a line that starts with `!' must
 * not occur at all. Words behind `asm`: spill, short, nosched (options of the
 * compiler), kill=MASK (outputs that no pixel shader reads). For `error` parsing, validation or compilation must fail
 * with a message that contains the line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "passes.h"

struct test { char name[160], passes[160]; char *input, *expected; };

static void
p_algebraic(struct ir_shader *sh)
{
   ir_opt_dce(sh); /* counts uses */
   ir_opt_algebraic(sh);
}

static void
p_cse(struct ir_shader *sh)
{
   ir_opt_cse(sh);
}

static void
p_licm(struct ir_shader *sh)
{
   ir_opt_licm(sh);
}

static void
p_sink(struct ir_shader *sh)
{
   ir_opt_sink(sh);
}

static void
p_cf(struct ir_shader *sh)
{
   ir_opt_cf(sh);
}

static void
p_dce(struct ir_shader *sh)
{
   ir_opt_dce(sh);
}

static void
p_vectorize(struct ir_shader *sh)
{
   ir_opt_vectorize_loads(sh);
}

static void
p_memory(struct ir_shader *sh)
{
   ir_opt_merge_memory(sh);
}

static const struct { const char *name; void (*run)(struct ir_shader *); } passes[] = {
   { "arrays", ir_lower_arrays }, { "mem2reg", ir_mem2reg }, { "io", ir_lower_io }, { "int", ir_lower_int },
   { "algebraic", p_algebraic }, { "cse", p_cse }, { "dce", p_dce }, { "vectorize", p_vectorize }, { "memory", p_memory },
   { "licm", p_licm }, { "sink", p_sink }, { "cf", p_cf }, { "lcssa", ir_lower_lcssa }, { "divergence", ir_divergence },
};

/* Renumbers values by their first appearance: the numbers themselves mean nothing. */
static char *
renumber(char *text)
{
   unsigned seen[1024], n = 0;
   size_t size;
   char *out;
   FILE *f = open_memstream(&out, &size);
   for (char *p = text; *p;) {
      if (*p != '%') {
         fputc(*p++, f);
         continue;
      }
      unsigned id = strtoul(p + 1, &p, 10), i = 0;
      while (i < n && seen[i] != id)
         i++;
      if (i == n && n < 1024)
         seen[n++] = id;
      fprintf(f, "%%%u", i);
   }
   fclose(f);
   free(text);
   return out;
}

/* Copies lines without indentation, comments and blank lines. */
static char *
normalise(const char *text, bool keep_comments)
{
   char *out = calloc(1, strlen(text) + 2), *o = out;
   while (*text) {
      size_t len = strcspn(text, "\n"), use = keep_comments ? len : strcspn(text, ";\n");
      const char *line = text, *end = text + use;
      while (line < end && isspace((unsigned char)*line))
         line++;
      while (end > line && isspace((unsigned char)end[-1]))
         end--;
      if (end > line) {
         memcpy(o, line, end - line);
         o += end - line;
         *o++ = '\n';
      }
      text += len + (text[len] == '\n');
   }
   return out;
}

static char *
print(const struct ir_shader *sh, bool divergence)
{
   char *text = NULL;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   ir_print(sh, f);
   fclose(f);
   char *n = renumber(normalise(text, divergence));
   free(text);
   return n;
}

static const struct tgsiamd_key key = { .ps = { .col_format = 0x4, .write_all_cbufs = 1 } };

static bool
run_ir(const struct test *t)
{
   char why[200], list[160], *got = NULL, *want;
   struct ir_shader *sh = ir_parse(TGSIAMD_GFX9, &key, 0, t->input, why, sizeof(why));
   bool divergence = strstr(t->passes, "divergence"), ok = false;
   if (!sh) {
      printf("%s: %s\n", t->name, why);
      return false;
   }
   strcpy(list, t->passes);
   for (char *name = strtok(list, " \t"); name; name = strtok(NULL, " \t")) {
      unsigned i = 0, n = sizeof(passes) / sizeof(passes[0]);
      while (i < n && strcmp(passes[i].name, name))
         i++;
      if (i == n) {
         printf("%s: unknown pass %s\n", t->name, name);
         goto out;
      }
      passes[i].run(sh);
      if (sh->error || !ir_validate(sh, why, sizeof(why))) {
         printf("%s: after %s: %s\n", t->name, name, sh->error ? sh->error : why);
         goto out;
      }
   }
   got = print(sh, divergence);
   want = renumber(normalise(t->expected, divergence));
   ok = !strcmp(got, want);
   if (!ok)
      printf("%s: expected\n%sgot\n%s", t->name, want, got);
   free(want);
out:
   free(got);
   ir_shader_destroy(sh);
   return ok;
}

static struct tgsiamd_shader_binary *
compile(const struct test *t, char *why, size_t size)
{
   static const struct { const char *name; uint32_t flag; } words[] = {
      { "spill", TGSIAMD_COMPILE_SPILL_ALL }, { "short", TGSIAMD_COMPILE_SHORT_BRANCHES },
      { "nosched", TGSIAMD_COMPILE_NO_SCHED },
   };
   uint32_t options = TGSIAMD_COMPILE_DUMP_ASM | TGSIAMD_COMPILE_VALIDATE;
   struct tgsiamd_key own = key;
   const char *kill = strstr(t->passes, "kill=");
   for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
      options |= strstr(t->passes, words[i].name) ? words[i].flag : 0;
   if (kill)
      own.vs.kill_outputs[0] = strtoul(kill + 5, NULL, 0);
   struct ir_shader *sh = ir_parse(TGSIAMD_GFX9, &own, options, t->input, why, size);
   return sh ? compile_shader(sh) : NULL;
}

static bool
run_asm(const struct test *t)
{
   char why[200];
   struct tgsiamd_shader_binary *bin = compile(t, why, sizeof(why));
   bool ok = true;
   if (!bin || bin->error) {
      printf("%s: %s\n", t->name, bin ? bin->error : why);
      tgsiamd_shader_binary_free(bin);
      return false;
   }
   char *want = normalise(t->expected, false);
   const char *at = bin->dump;
   for (char *line = strtok(want, "\n"); line && ok; line = strtok(NULL, "\n")) {
      if (line[0] == '!') {
         ok = !strstr(bin->dump, line + 1);
      } else {
         at = strstr(at, line);
         ok = at != NULL;
      }
      if (!ok)
         printf("%s: `%s' in\n%s", t->name, line, bin->dump);
   }
   free(want);
   tgsiamd_shader_binary_free(bin);
   return ok;
}

static bool
run_error(const struct test *t)
{
   char why[300] = "no error";
   struct ir_shader *sh = ir_parse(TGSIAMD_GFX9, &key, 0, t->input, why, sizeof(why));
   char *want = normalise(t->expected, false);
   want[strcspn(want, "\n")] = 0;
   if (sh && ir_validate(sh, why, sizeof(why))) {
      struct tgsiamd_shader_binary *bin = compile_shader(sh);
      snprintf(why, sizeof(why), "%s", bin->error ? bin->error : "no error");
      tgsiamd_shader_binary_free(bin);
   } else {
      ir_shader_destroy(sh);
   }
   bool ok = strstr(why, want);
   if (!ok)
      printf("%s: expected `%s', got `%s'\n", t->name, want, why);
   free(want);
   return ok;
}

/* Takes the next case off *text; false at the end. */
static bool
next_case(char **text, struct test *t)
{
   char *p = *text;
   while (*p && *p != '#')
      p += strcspn(p, "\n") + 1;
   if (!*p)
      return false;
   if (sscanf(p, "# %159[^\n]\npasses: %159[^\n]\n", t->name, t->passes) != 2) {
      printf("bad case at `%.40s'\n", p);
      exit(1);
   }
   p = strchr(p, '\n') + 1;
   t->input = strchr(p, '\n') + 1;
   t->expected = strstr(t->input, "---\n");
   if (!t->expected) {
      printf("%s: no ---\n", t->name);
      exit(1);
   }
   *t->expected = 0;
   t->expected += 4;
   char *end = strstr(t->expected, "\n#");
   if (end) {
      end[0] = 0;
      *text = end + 1;
   } else {
      *text = t->expected + strlen(t->expected);
   }
   return true;
}

int
main(int argc, char **argv)
{
   unsigned n = 0, bad = 0;
   for (int i = 1; i < argc; i++) {
      FILE *f = fopen(argv[i], "rb");
      char *text = calloc(1, 1 << 20), *at = text;
      struct test t;
      if (!f || !fread(text, 1, (1 << 20) - 1, f)) {
         perror(argv[i]);
         return 1;
      }
      fclose(f);
      while (next_case(&at, &t)) {
         n++;
         bad += !(!strncmp(t.passes, "asm", 3) ? run_asm(&t) : !strcmp(t.passes, "error") ? run_error(&t) : run_ir(&t));
      }
      free(text);
   }
   printf("%u cases, %u bad\n", n, bad);
   return bad != 0 || n == 0;
}
