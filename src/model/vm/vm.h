/* SPDX-License-Identifier: MIT */
/* GPU virtual memory: address to host memory, with faults. */
#ifndef MODEL_VM_H
#define MODEL_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tgsiamd_model_vm;

/* Who asks: named in faults and used by the cache checks. */
enum vm_client {
   VM_CP, VM_SDMA, VM_INDEX, VM_SQ_INST, VM_SQ_SCALAR, VM_TC, VM_CB, VM_DB, VM_SO, VM_CLIENT_COUNT,
};

/* Host address of [va, va + size) when it lies within one mapping that allows
 * the access; otherwise reports a fault (model_fail EFAULT) and returns NULL.
 * Fast: last mapping of each client is cached. Addresses are 48 bits, sign
 * extension is dropped. */
void *vm_ptr(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, uint64_t size, bool write);
/* The same without a fault: *avail gets the bytes that follow va in the
 * mapping. NULL when va is unmapped. */
void *vm_probe(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, bool write, uint64_t *avail);
/* True: reserved without memory (PRT): reads give 0, writes vanish. */
bool vm_is_prt(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va);
/* Copies, across mappings too. False after a fault (dst is zeroed). */
bool vm_read(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, void *dst, size_t size);
bool vm_write(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, const void *src, size_t size);

#endif
