/* SPDX-License-Identifier: MIT */
/* What the model's wiring does with an address space. */
#ifndef MODEL_VM_INTERNAL_H
#define MODEL_VM_INTERNAL_H

#include <pthread.h>

#include "vm.h"

struct model_report;

struct tgsiamd_model_vm *vm_create(struct model_report *report);
/* Is held for vm_map and vm_unmap. */
pthread_mutex_t *vm_lock(struct tgsiamd_model_vm *vm);
void vm_destroy(struct tgsiamd_model_vm *vm);
int vm_map(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size, void *host, uint32_t flags, uint32_t bo);
int vm_unmap(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size);
/* The buffer list that the next accesses are checked against; NULL: no check. */
void vm_begin_submission(struct tgsiamd_model_vm *vm, const uint32_t *bos, unsigned num_bos);
/* Another thread's view of an address space while nothing unmaps: its own cache
 * of ranges and its own report. Only reads go through it. */
struct tgsiamd_model_vm *vm_view_create(struct model_report *report);
void vm_view_set(struct tgsiamd_model_vm *view, struct tgsiamd_model_vm *vm);

#endif
