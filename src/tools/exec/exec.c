/* SPDX-License-Identifier: MIT */
/* tgsiamd-exec [--trace] FILE.json: one wave of machine code alone on the model's
 * sequencer. Reads registers, LDS and memory from a JSON object and prints an
 * object of the same shape with what they are at s_endpgm. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "sq/wave.h"
#include "tgsiamd/model.h"
#include "vm/vm_internal.h"

#define PAGE      4096ull
#define CODE_VA   0x7f0000000000ull
#define MAX_RANGES 4096

struct range {
   uint64_t at;
   size_t size;
   const char *key; /* as the input spelt it */
};

struct job {
   const struct json *in;
   struct tgsiamd_model_vm *vm;
   struct model_report *report;
   uint8_t named_s[128], named_v[256];
   struct range lds[MAX_RANGES], memory[MAX_RANGES];
   unsigned num_lds, num_memory;
   struct page { uint64_t va; uint8_t *host, *before; } *pages;
   unsigned num_pages;
   char *violations[4096];
   unsigned num_violations;
};

static void die(const char *fmt, const char *arg)
{
   fprintf(stderr, "tgsiamd-exec: ");
   fprintf(stderr, fmt, arg);
   fprintf(stderr, "\n");
   exit(2);
}

static uint64_t hex(const struct json *j, const char *what)
{
   char *end;
   if (j->kind == JSON_NUMBER && !(j->number >= 0 && j->number < 0x1p64))
      die("%s: a number is out of range", what);
   if (j->kind == JSON_NUMBER || j->kind == JSON_BOOL)
      return (uint64_t)j->number;
   if (j->kind != JSON_STRING)
      die("%s: a hexadecimal string expected", what);
   uint64_t v = strtoull(j->string, &end, 16);
   if (end == j->string || *end)
      die("%s: no hexadecimal number", j->string);
   return v;
}

static unsigned index_of(const char *key, unsigned limit, const char *what)
{
   char *end;
   unsigned long n = strtoul(key, &end, 10);
   if (end == key || *end || n >= limit)
      die(what, key);
   return (unsigned)n;
}

/* 0x and digits, 8 or 16 hexadecimal digits like every other word, or a decimal
 * number. */
static uint64_t address_of(const char *key)
{
   char *end;
   size_t n = strlen(key);
   bool word = (n == 8 || n == 16) && strspn(key, "0123456789abcdefABCDEF") == n;
   uint64_t v = strtoull(key, &end, word || !strncmp(key, "0x", 2) || !strncmp(key, "0X", 2) ? 16 : 10);
   if (end == key || *end)
      v = strtoull(key, &end, 16);
   if (end == key || *end)
      die("%s: no address", key);
   return v;
}

static size_t hex_bytes(const char *s, uint8_t *out, size_t max)
{
   size_t n = 0;
   for (; s[0]; s += 2) {
      char pair[3] = {s[0], s[1], 0}, *end;
      if (s[0] == ' ') {
         s--;
         continue;
      }
      unsigned long v = strtoul(pair, &end, 16);
      if (!s[1] || *end || n == max)
         die("%.32s: no list of bytes", s);
      out[n++] = (uint8_t)v;
   }
   return n;
}

/* ---- memory ---- */

static struct page *page_at(struct job *job, uint64_t va)
{
   for (unsigned n = 0; n < job->num_pages; n++)
      if (job->pages[n].va == va)
         return &job->pages[n];
   job->pages = realloc(job->pages, (job->num_pages + 1) * sizeof(*job->pages));
   struct page *p = &job->pages[job->num_pages++];
   p->va = va;
   p->host = aligned_alloc(PAGE, PAGE);
   p->before = calloc(1, PAGE);
   memset(p->host, 0, PAGE);
   int r = vm_map(job->vm, va, PAGE, p->host, TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE | TGSIAMD_MODEL_EXEC, 0);
   if (r)
      die("cannot map memory: %s", strerror(-r));
   return p;
}

static void poke(struct job *job, uint64_t va, const uint8_t *data, size_t size)
{
   for (size_t n = 0; n < size; n++) {
      struct page *p = page_at(job, (va + n) & ~(PAGE - 1));
      p->host[(va + n) & (PAGE - 1)] = data[n];
      p->before[(va + n) & (PAGE - 1)] = data[n];
   }
}
static uint8_t peek(struct job *job, uint64_t va)
{
   return page_at(job, va & ~(PAGE - 1))->host[va & (PAGE - 1)];
}

static void load_memory(struct job *job)
{
   const struct json *m = json_get(job->in, "memory");
   for (const struct json *c = m ? m->child : NULL; c; c = c->next) {
      if (c->kind != JSON_STRING || job->num_memory == MAX_RANGES)
         die("memory %s: a string of hexadecimal bytes expected", c->key);
      size_t max = strlen(c->string) / 2 + 1;
      uint8_t *data = malloc(max);
      size_t n = hex_bytes(c->string, data, max);
      uint64_t at = address_of(c->key);
      poke(job, at, data, n);
      job->memory[job->num_memory++] = (struct range){at, n, c->key};
      free(data);
   }
}

static void load_code(struct job *job)
{
   const struct json *code = json_get(job->in, "code");
   if (!code || code->kind != JSON_ARRAY)
      die("%s: a list of 8-digit hexadecimal dwords expected", "code");
   uint64_t at = CODE_VA;
   for (const struct json *c = code->child; c; c = c->next, at += 4) {
      uint32_t v = (uint32_t)hex(c, "code");
      poke(job, at, (const uint8_t *)&v, 4);
   }
   uint32_t end = 0xbf810000; /* s_endpgm, should the code lack one */
   poke(job, at, (const uint8_t *)&end, 4);
}

/* ---- registers ---- */

static void set_s(struct sq_wave *w, const char *key, unsigned reg, const struct json *v)
{
   (void)key;
   sq_set_s32(w, reg, (uint32_t)hex(v, "sgpr"), ~0u);
}

static void prepare(struct sq_wave *w, void *ctx)
{
   struct job *job = ctx;
   const struct json *j;
   if ((j = json_get(job->in, "exec")))
      sq_set_s64(w, ISA_EXEC, hex(j, "exec"), ~0ull);
   if ((j = json_get(job->in, "vcc")))
      sq_set_s64(w, ISA_VCC, hex(j, "vcc"), ~0ull);
   if ((j = json_get(job->in, "m0")))
      sq_set_s32(w, ISA_M0, (uint32_t)hex(j, "m0"), ~0u);
   if ((j = json_get(job->in, "scc"))) {
      w->scc = hex(j, "scc") != 0;
      w->scc_def = true;
   }
   if ((j = json_get(job->in, "mode"))) {
      w->mode = (uint32_t)hex(j, "mode");
      w->idx_on = w->mode & SQ_MODE_GPR_IDX_EN;
      sq_mode_changed(w);
   }
   j = json_get(job->in, "sgpr");
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      unsigned reg = index_of(c->key, 128, "sgpr %s: no such register");
      job->named_s[reg] = 1;
      set_s(w, c->key, reg, c);
   }
   j = json_get(job->in, "vgpr");
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      unsigned reg = index_of(c->key, 256, "vgpr %s: no such register"), lane = 0;
      job->named_v[reg] = 1;
      for (const struct json *v = c->child; v; v = v->next, lane++)
         if (lane < 64)
            w->vgpr[reg][lane] = (uint32_t)hex(v, "vgpr");
      if (lane != 64)
         die("vgpr %s: 64 values expected", c->key);
      w->vdef[reg] = ~0ull;
   }
   j = json_get(job->in, "lds");
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      uint64_t at = address_of(c->key);
      if (c->kind != JSON_STRING || at >= SQ_LDS_BYTES || job->num_lds == MAX_RANGES)
         die("lds %s: no such address or no bytes", c->key);
      size_t n = hex_bytes(c->string, w->sq->lds + at, SQ_LDS_BYTES - at);
      for (size_t b = at; b < at + n; b++)
         w->sq->lds_def[b >> 3] |= 1u << (b & 7);
      job->lds[job->num_lds++] = (struct range){at, n, c->key};
   }
}

/* ---- output ---- */

static void on_line(void *ctx, const char *text)
{
   struct job *job = ctx;
   size_t n = strcspn(text, "\n");
   if (job->num_violations < 4096)
      job->violations[job->num_violations++] = strndup(text, n);
}

static void print_string(const char *s)
{
   putchar('"');
   for (; *s; s++) {
      if (*s == '"' || *s == '\\')
         putchar('\\');
      if ((unsigned char)*s < 32)
         printf("\\u%04x", (unsigned)(unsigned char)*s);
      else
         putchar(*s);
   }
   putchar('"');
}

static bool inside(const struct range *r, unsigned n, uint64_t at)
{
   for (unsigned k = 0; k < n; k++)
      if (at >= r[k].at && at < r[k].at + r[k].size)
         return true;
   return false;
}

static void print_lds(struct job *job, struct sq_wave *w)
{
   bool comma = false;
   printf("  \"lds\": {");
   for (unsigned k = 0; k < job->num_lds; k++) {
      printf("%s\"%s\": \"", comma ? ", " : "", job->lds[k].key);
      for (size_t n = 0; n < job->lds[k].size; n++)
         printf("%02x", w->sq->lds[job->lds[k].at + n]);
      printf("\"");
      comma = true;
   }
   /* what the program wrote elsewhere */
   for (unsigned at = 0, run = 0; at <= SQ_LDS_BYTES; at++) {
      bool on = at < SQ_LDS_BYTES && w->sq->lds_def[at >> 3] >> (at & 7) & 1 && !inside(job->lds, job->num_lds, at);
      if (on && !run) {
         printf("%s\"0x%x\": \"", comma ? ", " : "", at);
         comma = true;
      }
      if (on)
         printf("%02x", w->sq->lds[at]);
      else if (run)
         printf("\"");
      run = on;
   }
   printf("},\n");
}

static void print_memory(struct job *job)
{
   bool comma = false;
   printf("  \"memory\": {");
   for (unsigned k = 0; k < job->num_memory; k++) {
      printf("%s\"%s\": \"", comma ? ", " : "", job->memory[k].key);
      for (size_t n = 0; n < job->memory[k].size; n++)
         printf("%02x", peek(job, job->memory[k].at + n));
      printf("\"");
      comma = true;
   }
   for (unsigned p = 0; p < job->num_pages; p++) {
      const struct page *page = &job->pages[p];
      for (unsigned at = 0, run = 0; at <= PAGE; at++) {
         bool on = at < PAGE && page->host[at] != page->before[at] &&
                   !inside(job->memory, job->num_memory, page->va + at);
         if (on && !run) {
            printf("%s\"0x%llx\": \"", comma ? ", " : "", (unsigned long long)(page->va + at));
            comma = true;
         }
         if (on)
            printf("%02x", page->host[at]);
         else if (run)
            printf("\"");
         run = on;
      }
   }
   printf("},\n");
}

static void print_state(struct job *job, struct sq_wave *w, const char *gpu)
{
   bool comma = false;
   printf("{\n  \"gpu\": \"%s\",\n  \"code\": [", gpu);
   for (const struct json *c = json_get(job->in, "code")->child; c; c = c->next)
      printf("\"%08x\"%s", (unsigned)hex(c, "code"), c->next ? ", " : "");
   printf("],\n  \"exec\": \"%016llx\",\n  \"vcc\": \"%016llx\",\n  \"scc\": %u,\n  \"m0\": \"%08x\",\n  \"mode\": \"%08x\",\n",
          (unsigned long long)sq_exec(w), (unsigned long long)sq_vcc(w), w->scc, w->sgpr[ISA_M0], w->mode);
   printf("  \"sgpr\": {");
   for (unsigned n = 0; n < 128; n++) {
      /* VCC, M0 and EXEC have fields of their own */
      if (!job->named_s[n] && (n >= ISA_VCC || (!w->sdef[n] && !w->sgpr[n])))
         continue;
      printf("%s\"%u\": \"%08x\"", comma ? ", " : "", n, w->sgpr[n]);
      comma = true;
   }
   printf("},\n  \"vgpr\": {");
   comma = false;
   for (unsigned n = 0; n < SQ_VGPRS; n++) {
      if (!job->named_v[n] && !w->vdef[n])
         continue;
      printf("%s\n    \"%u\": [", comma ? "," : "", n);
      for (unsigned l = 0; l < 64; l++)
         printf("\"%08x\"%s", w->vgpr[n][l], l < 63 ? ", " : "]");
      comma = true;
   }
   printf("},\n");
   print_lds(job, w);
   print_memory(job);
   printf("  \"violations\": [");
   for (unsigned n = 0; n < job->num_violations; n++) {
      printf("%s\n    ", n ? "," : "");
      print_string(job->violations[n]);
   }
   printf("]\n}\n");
}

static void on_export(void *ctx, unsigned wave, unsigned target, unsigned en, bool compr, bool done, bool vm,
                      uint64_t exec, const uint32_t *const src[4])
{
   (void)ctx, (void)wave, (void)target, (void)en, (void)compr, (void)done, (void)vm, (void)exec, (void)src;
}
static void on_message(void *ctx, unsigned wave, uint16_t simm, uint32_t m0, uint64_t exec)
{
   (void)exec;
   (void)ctx, (void)wave, (void)simm, (void)m0;
}

static char *read_file(const char *name)
{
   FILE *f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
   size_t size = 0, cap = 65536;
   char *text = malloc(cap);
   if (!f)
      die("cannot open: %s", strerror(errno));
   for (size_t n; (n = fread(text + size, 1, cap - size - 1, f)) > 0;) {
      size += n;
      if (size + 1 == cap)
         text = realloc(text, cap *= 2);
   }
   text[size] = 0;
   if (f != stdin)
      fclose(f);
   return text;
}

int main(int argc, char **argv)
{
   static struct job job;
   static struct sq_wave_init init;
   static struct model_stats stats;
   pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   struct model_options options = {0};
   const char *why;
   size_t at;

   bool trace = argc > 2 && !strcmp(argv[1], "--trace");
   argc -= trace;
   argv += trace;
   if (argc != 2 || !strcmp(argv[1], "--help")) {
      fprintf(stderr, "usage: tgsiamd-exec [--trace] FILE.json   ('-': standard input)\n"
                      "--trace: each instruction with its result on stderr\n"
                      "The object: gpu, code (list of dwords), exec, vcc (16 digits), scc, m0, mode,\n"
                      "sgpr {index: dword}, vgpr {index: [64 dwords]}, lds and memory {address: bytes}.\n"
                      "All but gpu and code may be left out: then all lanes are on, MODE is 000001c0\n"
                      "(singles flush denormals) and registers are undefined. Addresses: 0x..., 8 or 16\n"
                      "hexadecimal digits, or decimal. Exit status 0 when the state was printed.\n");
      return argc == 2 ? 0 : 2;
   }
   char *text = read_file(argv[1]);
   struct json *in = json_parse(text, &why, &at);
   if (!in || in->kind != JSON_OBJECT) {
      fprintf(stderr, "tgsiamd-exec: %s: byte %zu: %s\n", argv[1], at, in ? "an object expected" : why);
      return 2;
   }
   const struct json *gpu = json_get(in, "gpu");
   const struct tgsiamd_chip *chip = gpu && gpu->string ? tgsiamd_chip_by_name(gpu->string) : NULL;
   if (gpu && gpu->string && !chip && !strcmp(gpu->string, "gfx900"))
      chip = tgsiamd_chip_by_name("raven"); /* the same instructions */
   if (!chip || chip->gfx != TGSIAMD_GFX9)
      die("gpu %s: the model executes gfx900 only", gpu && gpu->string ? gpu->string : "missing");

   job.in = in;
   options.trace_waves = trace;
   job.report = report_create(&options);
   report_on_line(job.report, on_line, &job);
   job.vm = vm_create(job.report, &lock);
   report_begin(job.report);
   vm_begin_submission(job.vm, NULL, 0);
   model_where(job.report)->draw = 1;
   load_memory(&job);
   load_code(&job);

   const struct model_env env = {.vm = job.vm, .report = job.report, .stats = &stats, .chip = chip};
   const struct sq_sink sink = {.export = on_export, .message = on_message};
   init.stage = SQ_CS;
   init.pc = CODE_VA;
   init.rsrc1 = 63 | 15 << 6 | 0xc0 << 12 | 1 << 21; /* all registers; singles flush, halves and doubles do not */
   init.exec = ~0ull;

   struct sq *sq = sq_create();
   sq_run_prepared(sq, &env, &init, 1, SQ_LDS_BYTES, &sink, prepare, &job);
   print_state(&job, sq->waves[0], gpu->string);
   sq_destroy(sq);
   report_destroy(job.report);
   json_free(in);
   free(text);
   return 0;
}
