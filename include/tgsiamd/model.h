/* SPDX-License-Identifier: MIT */
/* The GPU model: a GFX9 GPU in software that checks what hardware hides.
 *
 * The kernel's face (src/shim) is its only user besides tests: it maps memory
 * into address spaces and submits indirect buffers. The model knows nothing of
 * files, ioctls or processes. */
#ifndef TGSIAMD_MODEL_H
#define TGSIAMD_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tgsiamd/hw.h"

struct tgsiamd_model;
struct tgsiamd_model_vm;

/* `options`: the text of TGSIAMD_MODEL (comma-separated, "help" lists them on
 * stderr), may be NULL. NULL with a line on stderr when an option is unknown. */
struct tgsiamd_model *tgsiamd_model_create(const struct tgsiamd_chip *chip, const char *options);
void tgsiamd_model_destroy(struct tgsiamd_model *model);

/* An address space. Thread-safe, with one rule: nothing is unmapped from it
 * while a submission runs in it. */
struct tgsiamd_model_vm *tgsiamd_model_vm_create(struct tgsiamd_model *model);
void tgsiamd_model_vm_destroy(struct tgsiamd_model_vm *vm);

#define TGSIAMD_MODEL_READ  1u
#define TGSIAMD_MODEL_WRITE 2u
#define TGSIAMD_MODEL_EXEC  4u
#define TGSIAMD_MODEL_PRT   8u /* reads give 0, writes vanish; host may be NULL */
#define TGSIAMD_MODEL_RESIDENT 16u /* on every submission's buffer list */

/* Maps `size` bytes of host memory at GPU address `va` (both page aligned, not
 * overlapping another mapping). The memory must live until it is unmapped.
 * `bo` names the buffer in reports and in submit's list. Returns 0 or -errno
 * (-EINVAL overlap or range, -ENOMEM). */
int tgsiamd_model_vm_map(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size,
                         void *host, uint32_t flags, uint32_t bo);
/* Removes [va, va + size), splitting mappings that reach beyond it. */
int tgsiamd_model_vm_unmap(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size);

enum tgsiamd_model_ip { TGSIAMD_MODEL_GFX, TGSIAMD_MODEL_COMPUTE, TGSIAMD_MODEL_SDMA };

struct tgsiamd_model_ib {
   uint64_t va;      /* bytes, 4-byte aligned */
   uint32_t dwords;
   uint32_t flags;   /* AMDGPU_IB_FLAG_* */
};

/* Executes the buffers in order; returns when all is done and visible in
 * memory. `bos` is the submission's buffer list (sorted, NULL: no check).
 * Returns 0; -EFAULT after a memory fault, -EINVAL for a bad packet, -ETIME
 * for a wait or program that never ends: the rest of the submission did not
 * run and the context is lost, as after a GPU reset. */
int tgsiamd_model_submit(struct tgsiamd_model *model, struct tgsiamd_model_vm *vm,
                         enum tgsiamd_model_ip ip, const struct tgsiamd_model_ib *ibs,
                         unsigned num_ibs, const uint32_t *bos, unsigned num_bos);

/* Visibility to the CPU. Calls `wrote` for every range of addresses that shaders,
 * render backends, SDMA and CP DMA wrote since the last call: the program may not
 * look there before it has waited. Nothing with no-check=cache. */
typedef void (*tgsiamd_model_wrote)(void *ctx, uint64_t va, uint64_t size);
void tgsiamd_model_cpu_writes(struct tgsiamd_model *model, tgsiamd_model_wrote wrote, void *ctx);
/* It did so: reports the access to `va`, which `submission` wrote. */
void tgsiamd_model_cpu_access(struct tgsiamd_model *model, uint64_t va, bool write, uint64_t submission);

/* The GPU's clock counter (100 MHz on Raven), monotonic. */
uint64_t tgsiamd_model_clock(struct tgsiamd_model *model);

/* Did the options ask for a report at the end? */
bool tgsiamd_model_wants_report(const struct tgsiamd_model *model);

/* What the options ask of the kernel's face. */
#define TGSIAMD_MODEL_MAX_FAILS 8
struct tgsiamd_model_fail { char name[32]; unsigned at; int error; };
struct tgsiamd_model_kernel_options {
   bool async;           /* submissions run in a thread */
   bool delay;           /* ... after random delays, in any order allowed */
   uint64_t seed;        /* of delay */
   uint64_t reset_at;    /* this submission (from 1) hangs the GPU, 0 none */
   uint64_t vram;        /* bytes of VRAM and of GTT, 0: as the chip has */
   unsigned num_fails;   /* the at-th ioctl of a name fails with error */
   struct tgsiamd_model_fail fails[TGSIAMD_MODEL_MAX_FAILS];
};
const struct tgsiamd_model_kernel_options *tgsiamd_model_kernel_options(const struct tgsiamd_model *model);

/* Violations so far; the report in readable form: waves, instructions,
 * primitives, pixels, violations by check. */
uint64_t tgsiamd_model_violations(struct tgsiamd_model *model);
void tgsiamd_model_report(struct tgsiamd_model *model, FILE *out);

/* Around fork(): no other thread is inside the model meanwhile. */
void tgsiamd_model_lock(struct tgsiamd_model *model);
void tgsiamd_model_unlock(struct tgsiamd_model *model);

#endif
