/* SPDX-License-Identifier: MIT */
/* State of one wave between JSON and the sequencer. */
#ifndef EXEC_STATE_H
#define EXEC_STATE_H

#include <stddef.h>
#include <stdint.h>

#include "json.h"
#include "sq/wave.h"

#define PAGE           4096ull
#define CODE_END       0x7f0000000000ull /* code ends where nothing is mapped */
#define MAX_CODE       65536             /* dwords */
#define MAX_MEMORY     (64u << 20)       /* bytes */
#define MAX_RANGES     4096
#define MAX_VIOLATIONS 4096

struct range {
   uint64_t at;
   size_t size;
   const char *key; /* as the input spelt it */
};

struct page {
   uint64_t va;
   uint8_t *host, *before;
};

struct job {
   const struct json *in;
   const char *gpu;
   struct tgsiamd_model_vm *vm;
   struct model_report *report;
   uint64_t code_va;
   unsigned code_dwords;
   uint8_t named_s[128], named_v[SQ_VGPRS]; /* in the input */
   uint8_t written[512];                    /* by the program; VGPRs from 256 */
   struct range lds[MAX_RANGES], memory[MAX_RANGES];
   unsigned num_lds, num_memory;
   struct page *pages;                      /* by address */
   unsigned num_pages, cap_pages;
   char *violations[MAX_VIOLATIONS];
   unsigned num_violations;
};

/* Says what is wrong with the input and ends with exit status 2. */
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Checks every key of the input; maps memory and code. */
void input_load(struct job *job);
/* Puts registers and LDS into the wave (callback of sq_run_prepared()). */
void input_prepare(struct sq_wave *w, void *ctx);
/* The parameters of v_interp_*: one primitive for all quads. Returns how many
 * attributes there are. */
unsigned input_attributes(const struct job *job, msg_prim_attrs **quads);
/* NULL when nothing is mapped at `va`. */
struct page *input_page(const struct job *job, uint64_t va);

void output_print(struct job *job, struct sq_wave *w);
/* Name and encoding of every opcode, and whether the sequencer executes it. */
void output_opcodes(void);

#endif
