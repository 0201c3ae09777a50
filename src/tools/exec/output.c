/* SPDX-License-Identifier: MIT */
/* The output object: the input's keys with what they hold at the end, each
 * register that the input named or the program wrote, and the violations. */
#include <stdio.h>
#include <string.h>

#include "state.h"

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

static void begin_range(bool *comma, const char *key)
{
   printf("%s", *comma ? ", " : "");
   print_string(key);
   printf(": \"");
   *comma = true;
}
static void begin_address(bool *comma, uint64_t at)
{
   char key[24];
   snprintf(key, sizeof(key), "0x%llx", (unsigned long long)at);
   begin_range(comma, key);
}

static void print_lds(const struct job *job, const struct sq_wave *w)
{
   const struct sq *sq = w->sq;
   bool comma = false;
   printf("  \"lds\": {");
   for (unsigned k = 0; k < job->num_lds; k++) {
      begin_range(&comma, job->lds[k].key);
      for (size_t n = 0; n < job->lds[k].size; n++)
         printf("%02x", sq->lds[job->lds[k].at + n]);
      putchar('"');
   }
   /* what the program wrote elsewhere */
   for (unsigned at = 0, run = 0; at <= SQ_LDS_BYTES; at++) {
      bool on = at < SQ_LDS_BYTES && sq->lds_def[at >> 3] >> (at & 7) & 1 && !inside(job->lds, job->num_lds, at);
      if (on && !run)
         begin_address(&comma, at);
      if (on)
         printf("%02x", sq->lds[at]);
      else if (run)
         putchar('"');
      run = on;
   }
   printf("},\n");
}

static void print_memory(const struct job *job)
{
   bool comma = false;
   printf("  \"memory\": {");
   for (unsigned k = 0; k < job->num_memory; k++) {
      const struct range *r = &job->memory[k];
      begin_range(&comma, r->key);
      for (uint64_t va = r->at; va < r->at + r->size; va++)
         printf("%02x", input_page(job, va & ~(PAGE - 1))->host[va & (PAGE - 1)]);
      putchar('"');
   }
   for (unsigned p = 0; p < job->num_pages; p++) {
      const struct page *page = &job->pages[p];
      if (!memcmp(page->host, page->before, PAGE))
         continue;
      for (unsigned at = 0, run = 0; at <= PAGE; at++) {
         bool on = at < PAGE && page->host[at] != page->before[at] &&
                   !inside(job->memory, job->num_memory, page->va + at);
         if (on && !run)
            begin_address(&comma, page->va + at);
         if (on)
            printf("%02x", page->host[at]);
         else if (run)
            putchar('"');
         run = on;
      }
   }
   printf("},\n");
}

void output_print(struct job *job, struct sq_wave *w)
{
   bool comma = false;
   printf("{\n  \"gpu\": ");
   print_string(job->gpu);
   printf(",\n  \"code\": [");
   for (const struct json *c = json_get(job->in, "code")->child; c; c = c->next)
      printf("\"%s\"%s", c->string, c->next ? ", " : "");
   printf("],\n  \"exec\": \"%016llx\",\n  \"vcc\": \"%016llx\",\n  \"scc\": %u,\n  \"m0\": \"%08x\",\n  \"mode\": \"%08x\",\n",
          (unsigned long long)sq_exec(w), (unsigned long long)sq_vcc(w), w->scc, w->sgpr[ISA_M0], w->mode);
   printf("  \"sgpr\": {");
   for (unsigned n = 0; n < 128; n++) {
      /* VCC, M0 and EXEC have keys of their own */
      bool own = n == ISA_VCC || n == ISA_VCC_HI || n == ISA_M0 || n == ISA_EXEC || n == ISA_EXEC_HI;
      if (!job->named_s[n] && (own || !job->written[n]))
         continue;
      printf("%s\"%u\": \"%08x\"", comma ? ", " : "", n, w->sgpr[n]);
      comma = true;
   }
   printf("},\n  \"vgpr\": {");
   comma = false;
   for (unsigned n = 0; n < SQ_VGPRS; n++) {
      if (!job->named_v[n] && !job->written[256 + n])
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

void output_opcodes(void)
{
   static const char *const encodings[ISA_ENC_COUNT] = {
      [ISA_ENC_SOP2] = "SOP2", [ISA_ENC_SOPK] = "SOPK", [ISA_ENC_SOP1] = "SOP1", [ISA_ENC_SOPC] = "SOPC",
      [ISA_ENC_SOPP] = "SOPP", [ISA_ENC_SMEM] = "SMEM", [ISA_ENC_VOP2] = "VOP2", [ISA_ENC_VOP1] = "VOP1",
      [ISA_ENC_VOPC] = "VOPC", [ISA_ENC_VOP3] = "VOP3", [ISA_ENC_VOP3P] = "VOP3P", [ISA_ENC_VINTRP] = "VINTRP",
      [ISA_ENC_DS] = "DS", [ISA_ENC_MUBUF] = "MUBUF", [ISA_ENC_MTBUF] = "MTBUF", [ISA_ENC_MIMG] = "MIMG",
      [ISA_ENC_FLAT] = "FLAT", [ISA_ENC_GLOBAL] = "GLOBAL", [ISA_ENC_SCRATCH] = "SCRATCH", [ISA_ENC_EXP] = "EXP",
      [ISA_ENC_VINTERP] = "VINTERP", [ISA_ENC_LDSDIR] = "LDSDIR", [ISA_ENC_VOPD] = "VOPD",
   };
   for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
      const struct isa_op_info *info = &isa_op_infos[op];
      if (info->opcode[SQ_GFX] >= 0)
         printf("%s %s %d %s\n", info->name, encodings[info->enc], info->opcode[SQ_GFX],
                sq_modelled(op) ? "executed" : "missing");
   }
}
