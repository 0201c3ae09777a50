/* SPDX-License-Identifier: MIT */
/* Passes on text IR. A case file holds cases:
 *
 *    # name
 *    passes: mem2reg algebraic dce      (or  asm,  mir STAGE,  error)
 *    ...program...
 *    ---
 *    ...expected...
 *
 * In a program, the lines between `repeat N` and `end` stand N times; there, `%[M]`
 * is the value M + how many times they stand before.
 *
 * After IR passes the printed program must be the expected one (comments and
 * indentation aside, with the word `loose` also where constants, system values and
 * undefined values are made). The pass `gscopy` goes on with the copy shader of a
 * geometry shader. For `asm` the expected lines must occur in the machine code
 * in this order, each as part of a line; a line that starts with `!' must not
 * occur at all, one that starts with `Nx ' in N lines. `mir STAGE` is the same
 * for machine IR as it is when that stage is over (selected, coalesced, spilled
 * -- the last round --, allocated). For `error` parsing, validation or compilation
 * must fail with a message that contains the line.
 *
 * Words with = are the key's and the shader's:
 *    kill=MASK      outputs that no pixel shader reads
 *    col=FORMATS, int8=MASK, int10=MASK, clamp=0|1    colour buffers
 *    so=SEMANTIC:INDEX:START:NUM:BUFFER:OFFSET:STREAM, stride=BUFFER:DWORDS    streamout
 *    vertices=N, streams=SLOT:BITS    what a geometry shader emits
 * and of `asm` and `mir`: spill, short, nosched, waitall (options of the compiler). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../args.h"
#include "compile.h"
#include "passes.h"

struct test { char name[160], passes[240]; char *input, *expected; };

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

/* Puts constants, system values and undefined ones where they are used, so that
 * it does not matter in which order they are made, or how often. */
static char *
inline_values(char *text)
{
   enum { MAX = 1024 };
   char (*what)[32] = calloc(MAX, sizeof(*what));
   char *out;
   size_t size;
   FILE *f = open_memstream(&out, &size);
   for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      unsigned id;
      char name[24] = "";
      if ((sscanf(line, "%%%u = sysval %23s", &id, name) == 2 || sscanf(line, "%%%u = %23s", &id, name) == 2) && id < MAX) {
         const char *number = strstr(line, "= const ");
         if (number) {
            const char *dot = strchr(number, '.');
            float value = strtof(number + 8, NULL);
            uint32_t bits = strtoll(number + 8, NULL, 0);
            if (dot)
               memcpy(&bits, &value, 4);
            snprintf(what[id], sizeof(what[id]), "0x%x", bits);
         } else if (strstr(line, "= sysval ") || strstr(line, "= undef")) {
            strcpy(what[id], name);
         }
         if (what[id][0])
            continue;
      }
      for (char *p = line; *p;) {
         id = *p == '%' ? strtoul(p + 1, NULL, 10) : MAX;
         if (id >= MAX || !what[id][0]) {
            fputc(*p++, f);
            continue;
         }
         fputs(what[id], f);
         for (p++; isdigit((unsigned char)*p); p++)
            ;
      }
      fputc('\n', f);
   }
   fclose(f);
   free(what);
   free(text);
   return out;
}

/* The form in which programs are compared; `text` goes. */
static char *
canonical(char *text, bool divergence, bool loose)
{
   char *n = normalise(text, divergence);
   free(text);
   return renumber(loose ? inline_values(n) : n);
}

static char *
print(const struct ir_shader *sh)
{
   char *text = NULL;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   ir_print(sh, f);
   fclose(f);
   return text;
}

/* What a case asks for beside its passes. */
struct setup {
   struct tgsiamd_key key;
   uint32_t options, vertices;
   bool loose;
   uint8_t streams[80];
};

static void
set_streamout(struct tgsiamd_streamout *so, const char *value)
{
   unsigned v[7];
   if (sscanf(value, "%u:%u:%u:%u:%u:%u:%u", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6]) != 7)
      return;
   so->outputs[so->num_outputs++] = (struct tgsiamd_so_output){
      .semantic = v[0], .index = v[1], .start = v[2], .num = v[3], .buffer = v[4], .offset = v[5], .stream = v[6],
   };
   so->buffers |= 1u << v[4];
}

/* True when the word is no pass. */
static bool
set_up(struct setup *s, const char *word)
{
   static const struct { const char *name; uint32_t flag; } words[] = {
      { "spill", TGSIAMD_COMPILE_SPILL_ALL }, { "short", TGSIAMD_COMPILE_SHORT_BRANCHES },
      { "nosched", TGSIAMD_COMPILE_NO_SCHED }, { "waitall", TGSIAMD_COMPILE_WAIT_ALL },
   };
   unsigned a, b;
   for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
      if (!strcmp(words[i].name, word)) {
         s->options |= words[i].flag;
         return true;
      }
   }
   if (!strcmp(word, "loose"))
      s->loose = true;
   else if (!strncmp(word, "kill=", 5))
      s->key.vs.kill_outputs[0] = strtoul(word + 5, NULL, 0);
   else if (!strncmp(word, "col=", 4))
      s->key.ps.col_format = strtoul(word + 4, NULL, 0);
   else if (!strncmp(word, "int8=", 5))
      s->key.ps.color_is_int8 = strtoul(word + 5, NULL, 0);
   else if (!strncmp(word, "int10=", 6))
      s->key.ps.color_is_int10 = strtoul(word + 6, NULL, 0);
   else if (!strncmp(word, "clamp=", 6))
      s->key.ps.clamp_color = strtoul(word + 6, NULL, 0);
   else if (!strncmp(word, "so=", 3))
      set_streamout(&s->key.vs.so, word + 3);
   else if (sscanf(word, "stride=%u:%u", &a, &b) == 2)
      s->key.vs.so.stride[a & 3] = b;
   else if (!strncmp(word, "vertices=", 9))
      s->vertices = strtoul(word + 9, NULL, 0);
   else if (sscanf(word, "streams=%u:%u", &a, &b) == 2 && a < 80)
      s->streams[a] = b;
   else
      return false;
   return true;
}

static const struct tgsiamd_key default_key = { .ps = { .col_format = 0x4, .write_all_cbufs = 1 } };

/* Splits t->passes: what is no setting goes to `list`, at most `max` words. */
static unsigned
split(const struct test *t, char *text, struct setup *s, const char **list, unsigned max)
{
   unsigned n = 0;
   *s = (struct setup){ .key = default_key };
   strcpy(text, t->passes);
   for (char *word = strtok(text, " \t"); word; word = strtok(NULL, " \t")) {
      if (!set_up(s, word) && n < max)
         list[n++] = word;
   }
   return n;
}

/* The copy shader, as the driver would ask for it with a geometry shader that
 * stores the outputs of `gs`. */
static struct ir_shader *
gs_copy(struct ir_shader *gs, const struct setup *s)
{
   gs->info.gs_max_vertices = s->vertices;
   for (uint32_t i = 0; i < gs->num_outputs; i++) {
      gs->outputs[i].streams = s->streams[i];
      for (unsigned c = 0; c < 4; c++)
         gs->info.gs_vertex_dwords[s->streams[i] >> (2 * c) & 3] += gs->outputs[i].mask >> c & 1;
   }
   struct ir_shader *copy = ir_gs_copy_shader(gs);
   ir_shader_destroy(gs);
   return copy;
}

static struct ir_shader *
run_pass(const struct test *t, const struct setup *s, struct ir_shader *sh, const char *name)
{
   char why[200];
   unsigned i = 0, n = sizeof(passes) / sizeof(passes[0]);
   if (!strcmp(name, "gscopy")) {
      sh = gs_copy(sh, s);
   } else {
      while (i < n && strcmp(passes[i].name, name))
         i++;
      if (i == n) {
         printf("%s: unknown pass %s\n", t->name, name);
         ir_shader_destroy(sh);
         return NULL;
      }
      passes[i].run(sh);
   }
   if (!sh->error && ir_validate(sh, why, sizeof(why)))
      return sh;
   printf("%s: after %s: %s\n", t->name, name, sh->error ? sh->error : why);
   ir_shader_destroy(sh);
   return NULL;
}

static bool
run_ir(const struct test *t)
{
   struct setup s;
   char why[200], text[240];
   const char *list[20];
   unsigned n = split(t, text, &s, list, 20);
   struct ir_shader *sh = ir_parse(TGSIAMD_GFX9, &s.key, 0, t->input, why, sizeof(why));
   bool divergence = strstr(t->passes, "divergence");
   if (!sh) {
      printf("%s: %s\n", t->name, why);
      return false;
   }
   for (unsigned i = 0; i < n; i++) {
      sh = run_pass(t, &s, sh, list[i]);
      if (!sh)
         return false;
   }
   char *got = canonical(print(sh), divergence, s.loose), *want = canonical(strdup(t->expected), divergence, s.loose);
   bool ok = !strcmp(got, want);
   if (!ok)
      printf("%s: expected\n%sgot\n%s", t->name, want, got);
   free(want);
   free(got);
   ir_shader_destroy(sh);
   return ok;
}

/* The stage's last section of the dump; cuts it off behind. NULL: there is none. */
static char *
section(char *dump, const char *stage)
{
   char title[80], *at = NULL;
   snprintf(title, sizeof(title), "; --- %s ---\n", stage);
   for (char *p = dump; (p = strstr(p, title)); p++)
      at = p + strlen(title);
   char *end = at ? strstr(at, "; ---") : NULL;
   if (end)
      *end = 0;
   return at;
}

static unsigned
lines_with(const char *text, const char *part)
{
   unsigned n = 0;
   while ((text = strstr(text, part))) {
      n++;
      text += strcspn(text, "\n");
   }
   return n;
}

/* The expected lines in `text`; prints the first that is wrong. */
static bool
has_lines(const struct test *t, const char *text)
{
   char *want = normalise(t->expected, false);
   const char *at = text;
   bool ok = true;
   for (char *line = strtok(want, "\n"); line && ok; line = strtok(NULL, "\n")) {
      unsigned num;
      int skip = 0;
      if (line[0] == '!') {
         ok = !strstr(text, line + 1);
      } else if (sscanf(line, "%ux %n", &num, &skip) == 1 && skip && line[skip - 1] == ' ') {
         ok = lines_with(text, line + skip) == num;
      } else {
         at = strstr(at, line);
         ok = at != NULL;
      }
      if (!ok)
         printf("%s: `%s' in\n%s", t->name, line, text);
   }
   free(want);
   return ok;
}

/* The code, and behind it what the driver is told. */
static char *
with_facts(const struct tgsiamd_shader_binary *bin)
{
   const struct tgsiamd_shader_info *i = &bin->info;
   char *text;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   fprintf(f, "%s", bin->dump);
   fprintf(f, "facts: vgpr_comps %u, ps_inputs %#x, z_format %u, colours %#x, positions %u, parameters %u\n", i->vgpr_comp_cnt,
           i->spi_ps_input_ena, i->z_format, i->col_format_written, i->num_pos_exports, i->num_param_exports);
   fprintf(f, "facts: clip %#x, cull %#x, kills %u, streamout %#x, scratch %u\n", i->clip_dist_mask, i->cull_dist_mask,
           i->uses_kill, i->so_buffers, i->scratch_bytes_per_wave);
   fclose(f);
   return text;
}

/* `asm` and `mir STAGE`. */
static bool
run_code(const struct test *t)
{
   struct setup s;
   char why[200], text[240];
   const char *list[3], *stage = NULL;
   if (split(t, text, &s, list, 3) == 2)
      stage = list[1];
   s.options |= TGSIAMD_COMPILE_VALIDATE | (stage ? TGSIAMD_COMPILE_DUMP_IR : TGSIAMD_COMPILE_DUMP_ASM);
   struct ir_shader *sh = ir_parse(TGSIAMD_GFX9, &s.key, s.options, t->input, why, sizeof(why));
   struct tgsiamd_shader_binary *bin = sh ? compile_shader(sh) : NULL;
   bool ok = false;
   if (!bin || bin->error) {
      printf("%s: %s\n", t->name, bin ? bin->error : why);
   } else if (stage) {
      const char *part = section(bin->dump, stage);
      ok = part && has_lines(t, part);
      if (!part)
         printf("%s: no stage %s\n", t->name, stage);
   } else {
      char *all = with_facts(bin);
      ok = has_lines(t, all);
      free(all);
   }
   tgsiamd_shader_binary_free(bin);
   return ok;
}

static bool
run_error(const struct test *t)
{
   char why[300] = "no error";
   struct ir_shader *sh = ir_parse(TGSIAMD_GFX9, &default_key, 0, t->input, why, sizeof(why));
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

/* One line; values with [] count on from round to round. */
static void
write_line(const char *line, size_t len, unsigned round, FILE *f)
{
   for (const char *end = line + len; line < end;) {
      unsigned first;
      int used = 0;
      if (*line == '%' && sscanf(line, "%%[%u]%n", &first, &used) == 1 && used) {
         fprintf(f, "%%%u", first + round);
         line += used;
      } else {
         fputc(*line++, f);
      }
   }
}

/* `text` with the lines between `repeat N` and `end` N times; to be freed. */
static char *
unroll(const char *text)
{
   char *out;
   size_t size;
   FILE *f = open_memstream(&out, &size);
   const char *again = NULL; /* first line to be repeated */
   unsigned left = 0, round = 0;
   while (*text) {
      size_t len = strcspn(text, "\n");
      len += text[len] == '\n';
      if (sscanf(text, "repeat %u", &left) == 1) {
         again = text + len;
         round = 0;
      } else if (again && !strncmp(text, "end\n", 4)) {
         if (--left) {
            round++;
            text = again;
            continue;
         }
         again = NULL;
      } else {
         write_line(text, len, round, f);
      }
      text += len;
   }
   fclose(f);
   return out;
}

static bool
run(struct test *t)
{
   t->input = unroll(t->input);
   bool ok = !strncmp(t->passes, "asm", 3) || !strncmp(t->passes, "mir ", 4) ? run_code(t)
             : !strcmp(t->passes, "error") ? run_error(t) : run_ir(t);
   free(t->input);
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
   if (sscanf(p, "# %159[^\n]\npasses: %239[^\n]\n", t->name, t->passes) != 2) {
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
   args_begin(argc, argv, -1, "FILE...\n\nRuns the cases in the files: passes, text in front of them and behind.");
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
         bad += !run(&t);
      }
      free(text);
   }
   printf("%u cases, %u bad\n", n, bad);
   return bad != 0 || n == 0;
}
