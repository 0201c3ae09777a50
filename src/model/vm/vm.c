/* SPDX-License-Identifier: MIT */
/* GPU virtual memory: a sorted list of mapped ranges, and a small direct-mapped
 * cache of ranges for each client. Addresses have 48 bits (GFX9 GMC). */
#include "vm_internal.h"
#include "obs/report.h"
#include "tgsiamd/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VA_MASK 0x0000ffffffffffffull
#define PAGE 4096ull
#define CACHE_SHIFT 16
#define CACHE_SIZE 16
/* PRT ranges without memory answer from these; longer accesses are cut. */
#define PRT_BYTES 65536

struct range {
   uint64_t start, end;
   uint8_t *host;            /* of start */
   uint32_t flags, bo;
   /* When it was reported as not on the list: submission, and a bit per client. */
   uint64_t reported;
};

/* Mappings that were removed lately: a fault names them. */
#define MAX_GONE 64
struct gone { uint64_t start, end; uint32_t bo; };

struct cached { uint64_t start, end; uint8_t *host; uint32_t flags; };

struct tgsiamd_model_vm {
   struct model_report *report;
   pthread_mutex_t lock;     /* of the ranges: pages may come while a stream runs */
   struct range *ranges;
   unsigned num, max, num_gone;
   struct gone gone[MAX_GONE];
   const uint32_t *bos;      /* NULL: no check */
   unsigned num_bos;
   uint32_t submission;
   bool view;
   struct tgsiamd_model_vm *owner; /* of the ranges; itself unless it is a view */
   struct cached cache[VM_CLIENT_COUNT][CACHE_SIZE];
   uint8_t *prt_zero, *prt_sink;
};

static const char *const client_names[VM_CLIENT_COUNT] = {
   [VM_CP] = "CP", [VM_SDMA] = "SDMA", [VM_INDEX] = "index fetch", [VM_SQ_INST] = "instruction fetch",
   [VM_SQ_SCALAR] = "scalar load", [VM_TC] = "texture unit", [VM_CB] = "CB", [VM_DB] = "DB", [VM_SO] = "streamout",
};

struct tgsiamd_model_vm *vm_create(struct model_report *report)
{
   struct tgsiamd_model_vm *vm = calloc(1, sizeof(*vm));
   if (vm) {
      vm->report = report;
      vm->owner = vm;
      pthread_mutex_init(&vm->lock, NULL);
   }
   return vm;
}

pthread_mutex_t *vm_lock(struct tgsiamd_model_vm *vm)
{
   return &vm->lock;
}

void vm_destroy(struct tgsiamd_model_vm *vm)
{
   if (!vm)
      return;
   free(vm->prt_zero);
   free(vm->prt_sink);
   free(vm->ranges);
   pthread_mutex_destroy(&vm->lock);
   free(vm);
}

static void forget_cache(struct tgsiamd_model_vm *vm)
{
   memset(vm->cache, 0, sizeof(vm->cache));
}

void vm_begin_submission(struct tgsiamd_model_vm *vm, const uint32_t *bos, unsigned num_bos)
{
   vm->bos = bos;
   vm->num_bos = num_bos;
   vm->submission++;
   forget_cache(vm);
}

struct tgsiamd_model_vm *vm_view_create(struct model_report *report)
{
   struct tgsiamd_model_vm *vm = vm_create(report);
   if (vm)
      vm->view = true;
   return vm;
}

void vm_view_set(struct tgsiamd_model_vm *view, struct tgsiamd_model_vm *vm)
{
   view->owner = vm;
   view->bos = vm->bos;
   view->num_bos = vm->num_bos;
   view->submission = vm->submission;
   forget_cache(view);
}

/* First range that ends above va. */
static unsigned first_above(const struct tgsiamd_model_vm *vm, uint64_t va)
{
   unsigned lo = 0, hi = vm->num;
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      if (vm->ranges[mid].end > va)
         hi = mid;
      else
         lo = mid + 1;
   }
   return lo;
}

static int insert(struct tgsiamd_model_vm *vm, unsigned i, struct range r)
{
   if (vm->num == vm->max) {
      const unsigned max = vm->max ? vm->max * 2 : 128;
      struct range *p = realloc(vm->ranges, max * sizeof(*p));
      if (!p)
         return -ENOMEM;
      vm->ranges = p;
      vm->max = max;
   }
   memmove(vm->ranges + i + 1, vm->ranges + i, (vm->num - i) * sizeof(r));
   vm->ranges[i] = r;
   vm->num++;
   return 0;
}

int vm_map(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size, void *host, uint32_t flags, uint32_t bo)
{
   va &= VA_MASK;
   if (!size || ((va | size) & (PAGE - 1)) || va + size > VA_MASK + 1 || va + size < va)
      return -EINVAL;
   if (!host && !(flags & TGSIAMD_MODEL_PRT))
      return -EINVAL;
   const unsigned i = first_above(vm, va);
   if (i < vm->num && vm->ranges[i].start < va + size)
      return -EINVAL;
   return insert(vm, i, (struct range){ va, va + size, host, flags, bo, 0 });
}

static void remember(struct tgsiamd_model_vm *vm, const struct range *r, uint64_t va, uint64_t end)
{
   vm->gone[vm->num_gone++ % MAX_GONE] = (struct gone){ r->start > va ? r->start : va, r->end < end ? r->end : end, r->bo };
}

/* The buffer that was last at va; false: none in memory. */
static bool was_there(const struct tgsiamd_model_vm *vm, uint64_t va, uint32_t *bo)
{
   const unsigned have = vm->num_gone < MAX_GONE ? vm->num_gone : MAX_GONE;
   for (unsigned n = 1; n <= have; n++) {
      const struct gone *g = &vm->gone[(vm->num_gone - n) % MAX_GONE];
      if (va >= g->start && va < g->end) {
         *bo = g->bo;
         return true;
      }
   }
   return false;
}

int vm_unmap(struct tgsiamd_model_vm *vm, uint64_t va, uint64_t size)
{
   va &= VA_MASK;
   if (!size || ((va | size) & (PAGE - 1)))
      return -EINVAL;
   const uint64_t end = va + size;
   forget_cache(vm);
   unsigned i = first_above(vm, va);
   while (i < vm->num && vm->ranges[i].start < end) {
      struct range *r = &vm->ranges[i];
      remember(vm, r, va, end);
      if (r->start < va && r->end > end) {
         struct range tail = *r;
         tail.start = end;
         tail.host = r->host ? r->host + (end - r->start) : NULL;
         r->end = va;
         return insert(vm, i + 1, tail);
      }
      if (r->start < va) {
         r->end = va;
         i++;
      } else if (r->end > end) {
         r->host = r->host ? r->host + (end - r->start) : NULL;
         r->start = end;
         return 0;
      } else {
         vm->num--;
         memmove(r, r + 1, (vm->num - i) * sizeof(*r));
      }
   }
   return 0;
}

static bool on_list(const struct tgsiamd_model_vm *vm, uint32_t bo)
{
   unsigned lo = 0, hi = vm->num_bos;
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      if (vm->bos[mid] == bo)
         return true;
      if (vm->bos[mid] < bo)
         lo = mid + 1;
      else
         hi = mid;
   }
   return false;
}

/* Once per range and client in a submission, whatever the cache of ranges kept. */
static void not_on_list(struct tgsiamd_model_vm *vm, enum vm_client client, const struct range *r)
{
   const uint64_t stamp = (uint64_t)vm->submission << 32, bit = 1ull << client;
   const uint64_t old = r->reported;
   if (old >> 32 == vm->submission && old & bit)
      return;
   model_order(vm->report);
   if (vm->view)
      return;
   pthread_mutex_lock(&vm->lock);
   const unsigned i = first_above(vm, r->start);
   bool first = true;
   if (i < vm->num) { /* an earlier wave may have been the first */
      uint64_t *at = &vm->ranges[i].reported;
      first = *at >> 32 != vm->submission || !(*at & bit);
      *at = (*at >> 32 == vm->submission ? *at : stamp) | bit;
   }
   pthread_mutex_unlock(&vm->lock);
   if (!first)
      return;
   model_violation(vm->report, CHECK_BO_LIST,
                   "%s uses buffer %u (0x%llx..0x%llx), which is not on the submission's list",
                   client_names[client], r->bo, (unsigned long long)r->start, (unsigned long long)r->end);
}

/* Fills the cache entry of va; NULL when va is unmapped. */
static const struct cached *lookup(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va)
{
   struct cached *c = &vm->cache[client][(va >> CACHE_SHIFT) % CACHE_SIZE];
   if (va - c->start < c->end - c->start)
      return c;
   struct tgsiamd_model_vm *owner = vm->owner;
   struct range r = { .end = 0 };
   pthread_mutex_lock(&owner->lock);
   const unsigned i = first_above(owner, va);
   if (i < owner->num)
      r = owner->ranges[i];
   pthread_mutex_unlock(&owner->lock);
   if (!r.end || r.start > va)
      return NULL;
   if (vm->bos && !(r.flags & (TGSIAMD_MODEL_RESIDENT | TGSIAMD_MODEL_PRT)) && !on_list(vm, r.bo))
      not_on_list(vm, client, &r);
   *c = (struct cached){ r.start, r.end, r.host, r.flags };
   return c;
}

static uint32_t need(enum vm_client client, bool write)
{
   return write ? TGSIAMD_MODEL_WRITE
                : client == VM_SQ_INST ? TGSIAMD_MODEL_READ | TGSIAMD_MODEL_EXEC : TGSIAMD_MODEL_READ;
}

static void fault(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, uint64_t size, bool write,
                  const struct cached *c)
{
   const char *verb = write ? "writes" : "reads";
   const unsigned long long a = va, n = size;
   if (c && va + size > c->end && (c->flags & need(client, write)) == need(client, write)) {
      model_fail(vm->report, EFAULT, CHECK_VM, "%s %s %llu bytes at 0x%llx, beyond the mapping 0x%llx..0x%llx",
                 client_names[client], verb, n, a, (unsigned long long)c->start, (unsigned long long)c->end);
   } else if (c) {
      model_fail(vm->report, EFAULT, CHECK_VM, "%s %s 0x%llx: the mapping does not allow it (%s%s%s)",
                 client_names[client], verb, a, c->flags & TGSIAMD_MODEL_READ ? "r" : "-",
                 c->flags & TGSIAMD_MODEL_WRITE ? "w" : "-", c->flags & TGSIAMD_MODEL_EXEC ? "x" : "-");
   } else {
      struct tgsiamd_model_vm *owner = vm->owner;
      pthread_mutex_lock(&owner->lock);
      const unsigned i = first_above(owner, va);
      const uint64_t below = i ? owner->ranges[i - 1].end : 0;
      uint32_t bo = 0;
      const bool gone = was_there(owner, va, &bo);
      pthread_mutex_unlock(&owner->lock);
      if (gone)
         model_fail(vm->report, EFAULT, CHECK_VM,
                    "%s %s %llu bytes at unmapped address 0x%llx: buffer %u was there until it was unmapped",
                    client_names[client], verb, n, a, bo);
      else if (i)
         model_fail(vm->report, EFAULT, CHECK_VM,
                    "%s %s %llu bytes at unmapped address 0x%llx (the mapping below ends at 0x%llx)",
                    client_names[client], verb, n, a, (unsigned long long)below);
      else
         model_fail(vm->report, EFAULT, CHECK_VM, "%s %s %llu bytes at unmapped address 0x%llx",
                    client_names[client], verb, n, a);
   }
}

static uint8_t *prt_page(struct tgsiamd_model_vm *vm, bool write)
{
   uint8_t **page = write ? &vm->prt_sink : &vm->prt_zero;
   if (!*page)
      *page = calloc(1, PRT_BYTES);
   return *page;
}

void *vm_probe(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, bool write, uint64_t *avail)
{
   va &= VA_MASK;
   const struct cached *c = lookup(vm, client, va);
   if (!c)
      return NULL;
   if (!c->host) {
      *avail = c->end - va < PRT_BYTES ? c->end - va : PRT_BYTES;
      return prt_page(vm, write);
   }
   if ((c->flags & need(client, write)) != need(client, write))
      return NULL;
   *avail = c->end - va;
   return c->host + (va - c->start);
}

bool vm_is_prt(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va)
{
   const struct cached *c = lookup(vm, client, va & VA_MASK);
   return c && !c->host;
}

void *vm_ptr(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, uint64_t size, bool write)
{
   va &= VA_MASK;
   const struct cached *c = lookup(vm, client, va);
   if (c && c->end - va >= size) {
      if (!c->host)
         return size <= PRT_BYTES ? prt_page(vm, write) : NULL;
      if ((c->flags & need(client, write)) == need(client, write))
         return c->host + (va - c->start);
   }
   fault(vm, client, va, size, write, c);
   return NULL;
}

bool vm_read(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, void *dst, size_t size)
{
   uint8_t *d = dst;
   while (size) {
      uint64_t avail;
      const void *p = vm_probe(vm, client, va, false, &avail);
      if (!p) {
         memset(d, 0, size);
         fault(vm, client, va & VA_MASK, size, false, lookup(vm, client, va & VA_MASK));
         return false;
      }
      const size_t n = avail < size ? (size_t)avail : size;
      memcpy(d, p, n);
      d += n;
      va += n;
      size -= n;
   }
   return true;
}

bool vm_write(struct tgsiamd_model_vm *vm, enum vm_client client, uint64_t va, const void *src, size_t size)
{
   const uint8_t *s = src;
   while (size) {
      uint64_t avail;
      void *p = vm_probe(vm, client, va, true, &avail);
      if (!p) {
         fault(vm, client, va & VA_MASK, size, true, lookup(vm, client, va & VA_MASK));
         return false;
      }
      const size_t n = avail < size ? (size_t)avail : size;
      memcpy(p, s, n);
      s += n;
      va += n;
      size -= n;
   }
   return true;
}
