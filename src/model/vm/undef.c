/* SPDX-License-Identifier: MIT */
/* A hash table of addresses: what was once undefined keeps its entry. */
#include "undef.h"
#include <stdlib.h>
#include <string.h>

struct model_undef *undef_create(void)
{
   return calloc(1, sizeof(struct model_undef));
}

void undef_destroy(struct model_undef *u)
{
   if (!u)
      return;
   free(u->keys);
   free(u);
}

void undef_begin_draw(struct model_undef *u)
{
   if (!u || !u->used)
      return;
   memset(u->keys, 0, u->size * sizeof(u->keys[0]));
   u->used = u->count = 0;
}

/* The address's entry, or the empty one where it would go. */
static uint64_t *find(const struct model_undef *u, uint64_t va)
{
   const uint64_t dword = va / 4;
   unsigned at = (unsigned)(dword * 0x9e3779b97f4a7c15ull >> 32) & (u->size - 1);
   while (u->keys[at] && u->keys[at] >> 1 != dword)
      at = (at + 1) & (u->size - 1);
   return &u->keys[at];
}

static void grow(struct model_undef *u)
{
   const struct model_undef old = *u;
   u->size = old.size ? old.size * 2 : 1024;
   u->keys = calloc(u->size, sizeof(u->keys[0]));
   if (!u->keys)
      abort();
   for (unsigned i = 0; i < old.size; i++) {
      if (old.keys[i])
         *find(u, old.keys[i] >> 1 << 2) = old.keys[i];
   }
   free(old.keys);
}

void undef_set(struct model_undef *u, uint64_t va, bool undefined)
{
   uint64_t *key;
   if (!undefined && !u->count)
      return;
   if (u->used * 2 >= u->size)
      grow(u);
   key = find(u, va);
   if (!*key) {
      if (!undefined)
         return;
      u->used++;
      *key = va / 4 << 1;
   }
   u->count += undefined - (*key & 1);
   *key = va / 4 << 1 | undefined;
}

bool undef_test(const struct model_undef *u, uint64_t va)
{
   return u->count && (*find(u, va) & 1);
}
