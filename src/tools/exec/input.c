/* SPDX-License-Identifier: MIT */
/* The input object. Everything is checked before the wave starts: a width, a
 * type or a key that is not as documented ends the tool with one sentence. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"
#include "tgsiamd/model.h"
#include "vm/vm_internal.h"

void die(const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   fprintf(stderr, "tgsiamd-exec: ");
   vfprintf(stderr, fmt, ap);
   fputc('\n', stderr);
   va_end(ap);
   exit(2);
}

static void *must(void *p)
{
   if (!p)
      die("out of memory");
   return p;
}

/* ---- words ---- */

static uint64_t digits(const struct json *j, unsigned n, const char *what)
{
   if (j->kind != JSON_STRING)
      die("%s: a string of %u hexadecimal digits expected", what, n);
   if (strlen(j->string) != n || strspn(j->string, "0123456789abcdefABCDEF") != n)
      die("%s: \"%.40s\": %u hexadecimal digits expected", what, j->string, n);
   return strtoull(j->string, NULL, 16);
}

/* M0 and MODE may be numbers, too. */
static uint32_t word(const struct json *j, const char *what)
{
   if (j->kind != JSON_NUMBER)
      return (uint32_t)digits(j, 8, what);
   if (!(j->number >= 0 && j->number <= UINT32_MAX) || j->number != (uint32_t)j->number)
      die("%s: a number from 0 to %u expected", what, UINT32_MAX);
   return (uint32_t)j->number;
}

static unsigned index_of(const char *key, unsigned limit, const char *what)
{
   size_t n = strlen(key);
   unsigned long v = n > 0 && n <= 3 && strspn(key, "0123456789") == n ? strtoul(key, NULL, 10) : limit;
   if (v >= limit)
      die("%s \"%.40s\": no such register, 0 to %u are", what, key, limit - 1);
   return (unsigned)v;
}

/* 0x and digits, 8 or 16 hexadecimal digits like every other word, or a decimal
 * number; letters alone make it hexadecimal. */
static uint64_t address_of(const char *key, const char *what)
{
   const char *hex = "0123456789abcdefABCDEF", *s = key;
   size_t n = strlen(key);
   bool prefix = !strncmp(key, "0x", 2) || !strncmp(key, "0X", 2);
   if (prefix) {
      s += 2;
      n -= 2;
   }
   bool base16 = prefix || n == 8 || n == 16 || strspn(s, "0123456789") != n;
   if (n == 0 || strspn(s, base16 ? hex : "0123456789") != n || n > (base16 ? 16u : 19u))
      die("%s \"%.40s\": no address", what, key);
   return strtoull(s, NULL, base16 ? 16 : 10);
}

/* Bytes as pairs of digits; blanks may stand between pairs. */
static size_t bytes_of(const struct json *j, uint8_t *out, const char *what)
{
   size_t n = 0;
   if (j->kind != JSON_STRING)
      die("%s %.40s: a string of hexadecimal bytes expected", what, j->key);
   for (const char *s = j->string; *s;) {
      char pair[3] = {s[0], s[1], 0};
      if (*s == ' ') {
         s++;
         continue;
      }
      if (strspn(pair, "0123456789abcdefABCDEF") != 2)
         die("%s %.40s: no pair of hexadecimal digits at \"%.8s\"", what, j->key, s);
      out[n++] = (uint8_t)strtoul(pair, NULL, 16);
      s += 2;
   }
   return n;
}

static const struct json *member(const struct job *job, const char *key, int kind)
{
   const struct json *j = json_get(job->in, key);
   if (j && (int)j->kind != kind)
      die("%s: %s expected", key, kind == JSON_OBJECT ? "an object" : kind == JSON_ARRAY ? "a list" : "a string");
   return j;
}

/* ---- memory ---- */

/* Index of the page at `va`, or where it belongs. */
static unsigned page_index(const struct job *job, uint64_t va)
{
   unsigned lo = 0, hi = job->num_pages;
   while (lo < hi) {
      unsigned mid = (lo + hi) / 2;
      if (job->pages[mid].va < va)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo;
}

struct page *input_page(const struct job *job, uint64_t va)
{
   unsigned n = page_index(job, va);
   return n < job->num_pages && job->pages[n].va == va ? &job->pages[n] : NULL;
}

static struct page *make_page(struct job *job, uint64_t va)
{
   unsigned n = page_index(job, va);
   if (n < job->num_pages && job->pages[n].va == va)
      return &job->pages[n];
   if (job->num_pages >= MAX_MEMORY / PAGE)
      die("memory: more than %u MiB", MAX_MEMORY >> 20);
   if (job->num_pages == job->cap_pages) {
      job->cap_pages = job->cap_pages ? job->cap_pages * 2 : 16;
      job->pages = must(realloc(job->pages, job->cap_pages * sizeof(*job->pages)));
   }
   memmove(&job->pages[n + 1], &job->pages[n], (job->num_pages - n) * sizeof(*job->pages));
   job->num_pages++;
   struct page *p = &job->pages[n];
   p->va = va;
   p->host = must(aligned_alloc(PAGE, PAGE));
   p->before = must(calloc(1, PAGE));
   memset(p->host, 0, PAGE);
   int r = vm_map(job->vm, va, PAGE, p->host, TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE | TGSIAMD_MODEL_EXEC, 0);
   if (r)
      die("memory 0x%llx: cannot be mapped: %s", (unsigned long long)va, strerror(-r));
   return p;
}

static void poke(struct job *job, uint64_t va, const uint8_t *data, size_t size)
{
   while (size) {
      uint64_t in = va & (PAGE - 1);
      size_t n = size < PAGE - in ? size : PAGE - in;
      struct page *p = make_page(job, va - in);
      memcpy(p->host + in, data, n);
      memcpy(p->before + in, data, n);
      va += n;
      data += n;
      size -= n;
   }
}

static void load_memory(struct job *job)
{
   const struct json *m = member(job, "memory", JSON_OBJECT);
   for (const struct json *c = m ? m->child : NULL; c; c = c->next) {
      uint64_t at = address_of(c->key, "memory");
      uint8_t *data = must(malloc((c->kind == JSON_STRING ? strlen(c->string) : 0) / 2 + 1));
      size_t n = bytes_of(c, data, "memory");
      if (job->num_memory == MAX_RANGES)
         die("memory: more than %u ranges", MAX_RANGES);
      if (at >> 47 || (at + n) >> 47)
         die("memory %.40s: addresses have 47 bits", c->key);
      uint64_t code_page = job->code_va & ~(PAGE - 1);
      if (at < CODE_END && at + n > code_page)
         die("memory %.40s: 0x%llx to 0x%llx hold the code", c->key, (unsigned long long)code_page, CODE_END - 1);
      if (at >= CODE_END && at < CODE_END + PAGE)
         die("memory %.40s: the page at 0x%llx stays empty behind the code", c->key, CODE_END);
      for (unsigned k = 0; k < job->num_memory; k++)
         if (at < job->memory[k].at + job->memory[k].size && job->memory[k].at < at + n)
            die("memory %.40s: overlaps %.40s", c->key, job->memory[k].key);
      poke(job, at, data, n);
      job->memory[job->num_memory++] = (struct range){at, n, c->key};
      free(data);
   }
}

/* The last dword is followed by an empty page: a program without an end faults
 * there instead of running on into what lies behind. */
static void load_code(struct job *job)
{
   const struct json *code = member(job, "code", JSON_ARRAY);
   if (!code)
      die("code: missing, a list of 8-digit hexadecimal dwords expected");
   for (const struct json *c = code->child; c; c = c->next)
      job->code_dwords++;
   if (job->code_dwords == 0 || job->code_dwords > MAX_CODE)
      die("code: 1 to %u dwords expected, there are %u", MAX_CODE, job->code_dwords);
   uint64_t at = job->code_va = CODE_END - job->code_dwords * 4ull;
   for (const struct json *c = code->child; c; c = c->next, at += 4) {
      uint32_t v = (uint32_t)digits(c, 8, "code");
      poke(job, at, (const uint8_t *)&v, 4);
   }
}

/* ---- the object ---- */

static void check_keys(const struct job *job)
{
   static const char *const keys[] = {"gpu", "code", "exec", "vcc", "scc", "m0", "mode", "sgpr", "vgpr", "lds",
                                      "memory", "violations" /* so that an output can be an input */};
   unsigned seen = 0;
   for (const struct json *c = job->in->child; c; c = c->next) {
      unsigned n = 0, num = sizeof(keys) / sizeof(keys[0]);
      while (n < num && strcmp(keys[n], c->key))
         n++;
      if (n == num)
         die("%.40s: no such key", c->key);
      if (seen >> n & 1)
         die("%s: stands there twice", c->key);
      seen |= 1u << n;
   }
}

static void check_registers(struct job *job)
{
   const struct json *j = json_get(job->in, "scc");
   if (j && (j->kind != JSON_NUMBER || (j->number != 0 && j->number != 1)))
      die("scc: 0 or 1 expected");
   j = member(job, "sgpr", JSON_OBJECT);
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      unsigned reg = index_of(c->key, 128, "sgpr");
      if (job->named_s[reg]++)
         die("sgpr %u: stands there twice", reg);
      digits(c, 8, "sgpr");
   }
   j = member(job, "vgpr", JSON_OBJECT);
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      unsigned reg = index_of(c->key, SQ_VGPRS, "vgpr"), lanes = 0;
      if (job->named_v[reg]++)
         die("vgpr %u: stands there twice", reg);
      if (c->kind != JSON_ARRAY)
         die("vgpr %u: a list of 64 dwords expected", reg);
      for (const struct json *v = c->child; v; v = v->next, lanes++)
         digits(v, 8, "vgpr");
      if (lanes != 64)
         die("vgpr %u: 64 dwords expected, there are %u", reg, lanes);
   }
}

static void check_lds(struct job *job)
{
   const struct json *j = member(job, "lds", JSON_OBJECT);
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      uint64_t at = address_of(c->key, "lds");
      uint8_t *data = must(malloc((c->kind == JSON_STRING ? strlen(c->string) : 0) / 2 + 1));
      size_t n = bytes_of(c, data, "lds");
      free(data);
      if (at > SQ_LDS_BYTES || n > SQ_LDS_BYTES - at)
         die("lds %.40s: %zu bytes end beyond the %u that there are", c->key, n, SQ_LDS_BYTES);
      if (job->num_lds == MAX_RANGES)
         die("lds: more than %u ranges", MAX_RANGES);
      job->lds[job->num_lds++] = (struct range){at, n, c->key};
   }
}

static void check_words(struct job *job)
{
   static const struct { const char *key; unsigned digits; } words[] = {{"exec", 16}, {"vcc", 16}, {"m0", 8}, {"mode", 8}};
   for (unsigned n = 0; n < 4; n++) {
      const struct json *j = json_get(job->in, words[n].key);
      if (j && words[n].digits == 8)
         word(j, words[n].key);
      else if (j)
         digits(j, words[n].digits, words[n].key);
   }
}

void input_load(struct job *job)
{
   check_keys(job);
   check_words(job);
   check_registers(job);
   check_lds(job);
   load_code(job);
   load_memory(job);
}

unsigned input_attributes(const struct job *job, msg_prim_attrs **quads)
{
   static uint8_t lds[SQ_LDS_BYTES], given[SQ_LDS_BYTES];
   static uint32_t attrs[32][4][3];
   const struct json *m0 = json_get(job->in, "m0"), *j = json_get(job->in, "lds");
   unsigned n = 0, at = m0 ? word(m0, "m0") & 0xffff : 0;
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      uint64_t first = address_of(c->key, "lds");
      size_t size = bytes_of(c, lds + first, "lds");
      memset(given + first, 1, size);
   }
   for (; n < 32 && at + sizeof(attrs[0]) <= SQ_LDS_BYTES; n++, at += sizeof(attrs[0])) {
      if (memchr(given + at, 0, sizeof(attrs[0])))
         break;
      memcpy(&attrs[n], lds + at, sizeof(attrs[0]));
   }
   for (unsigned q = 0; n && q < 16; q++)
      quads[q] = attrs;
   return n;
}

void input_prepare(struct sq_wave *w, void *ctx)
{
   struct job *job = ctx;
   const struct json *j;
   w->written = job->written;
   w->slow |= SQ_SLOW_TRACE;
   j = json_get(job->in, "sgpr");
   for (const struct json *c = j ? j->child : NULL; c; c = c->next)
      sq_set_s32(w, index_of(c->key, 128, "sgpr"), (uint32_t)digits(c, 8, "sgpr"), ~0u);
   if ((j = json_get(job->in, "exec")))
      sq_set_s64(w, ISA_EXEC, digits(j, 16, "exec"), ~0ull);
   if ((j = json_get(job->in, "vcc")))
      sq_set_s64(w, ISA_VCC, digits(j, 16, "vcc"), ~0ull);
   if ((j = json_get(job->in, "m0")))
      sq_set_s32(w, ISA_M0, word(j, "m0"), ~0u);
   if ((j = json_get(job->in, "scc"))) {
      w->scc = j->number != 0;
      w->scc_def = true;
   }
   if ((j = json_get(job->in, "mode"))) {
      w->mode = word(j, "mode");
      w->idx_on = w->mode & SQ_MODE_GPR_IDX_EN;
      sq_mode_changed(w);
   }
   j = json_get(job->in, "vgpr");
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      unsigned reg = index_of(c->key, SQ_VGPRS, "vgpr"), lane = 0;
      for (const struct json *v = c->child; v; v = v->next)
         w->vgpr[reg][lane++] = (uint32_t)digits(v, 8, "vgpr");
      w->vdef[reg] = ~0ull;
   }
   j = json_get(job->in, "lds");
   for (const struct json *c = j ? j->child : NULL; c; c = c->next) {
      uint64_t at = address_of(c->key, "lds");
      size_t n = bytes_of(c, w->sq->lds + at, "lds");
      for (size_t b = at; b < at + n; b++)
         w->sq->lds_def[b >> 3] |= 1u << (b & 7);
   }
}
