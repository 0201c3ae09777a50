/* SPDX-License-Identifier: MIT */
/* Violations: what a stream or shader did that hardware forbids or leaves
 * undefined. Reported once per place with a count. */
#ifndef MODEL_REPORT_H
#define MODEL_REPORT_H

#include <stdbool.h>
#include <stdint.h>

/* Each can be switched off by name: TGSIAMD_MODEL=no-check=NAME. */
enum model_check {
   CHECK_PACKET,      /* unknown or malformed PM4/SDMA packet */
   CHECK_REGISTER,    /* unknown register or reserved field, or read but never written */
   CHECK_VM,          /* unmapped address or wrong permission */
   CHECK_BO_LIST,     /* buffer not on the submission's list */
   CHECK_INSTRUCTION, /* bits that are no instruction, or one the model lacks */
   CHECK_WAITCNT,     /* register used while a load to it is outstanding */
   CHECK_HAZARD,      /* manual-documented wait states missing */
   CHECK_UNINIT,      /* undefined register or LDS reaches an address, branch, export or store */
   CHECK_EXEC,        /* what goes wrong when no lane is active */
   CHECK_RANGE,       /* register, LDS or scratch out of its allocation */
   CHECK_DESCRIPTOR,  /* reserved or contradictory V#/T#/S# */
   CHECK_STATE,       /* state contradicts the shader or itself */
   CHECK_SURFACE,     /* a surface reaches beyond its buffer, or is written beyond itself */
   CHECK_CACHE,       /* read through a cache that may be stale */
   CHECK_HANG,        /* a wait or a program that never ends */
   CHECK_MODEL,       /* valid, but the model does not do it: a gap of the model */
   CHECK_COUNT,
};

/* Where the GPU is; blocks fill in what they know before they report. */
struct model_where {
   uint32_t submission, draw;    /* running numbers, from 1 */
   uint64_t packet_va;           /* address of the packet's header */
   const char *packet;           /* its name; NULL: not a PM4 packet */
   uint64_t shader_va, pc;       /* 0 outside shaders */
   uint32_t shader_hash;         /* of the program's code: the same in every run */
   char disasm[96];
   int lane;                     /* -1 when not one lane's */
};

struct model_report;
/* Current place: one per thread that executes; writable by the blocks. */
struct model_where *model_where(struct model_report *r);
/* Reports; after it the block goes on with a harmless value (0) unless the
 * fault ends the submission, see model_fail(). */
void model_violation(struct model_report *r, enum model_check check, const char *fmt, ...)
   __attribute__((format(printf, 3, 4)));
/* Reports and marks the submission as failed with errno `err` (positive). The
 * CP stops before the next packet, the SQ before the next instruction. */
void model_fail(struct model_report *r, int err, enum model_check check, const char *fmt, ...)
   __attribute__((format(printf, 4, 5)));
/* What follows shows the order in which waves ran (it reads what they write, or
 * it is about to be reported): those before this one come first. A wave that
 * runs ahead of its turn has failed afterwards, and will run again. */
void model_order(struct model_report *r);
int model_failed(const struct model_report *r); /* errno or 0 */
/* True when the waves of the current draw are to be traced. */
bool model_traces_waves(const struct model_report *r);

#endif
