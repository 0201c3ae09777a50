/* SPDX-License-Identifier: MIT */
/* Which reads the cache checks accept. */
#include <stdio.h>

#include "cache/cache.h"
#include "msg.h"
#include "obs/options.h"
#include "obs/report_internal.h"

static unsigned checks, failures;
static struct model_cache *cache;
static struct model_report *report;

static void expect(const char *what, enum cache_reader reader, struct cache_part part, bool bad)
{
   const uint64_t before = report_violations(report);
   cache_read(cache, report, reader, &part);
   checks++;
   if ((report_violations(report) != before) != bad) {
      failures++;
      printf("FAIL %s: %s\n", what, bad ? "not reported" : "reported");
   }
}

#define SURFACE(l0, l1, s0, s1) (struct cache_part){ 0x100000, 0x10000, l0, l1, s0, s1 }
#define BYTES(va) (struct cache_part){ va, 64, 0, 65535, 0, 65535 }

int main(void)
{
   struct model_options options;
   model_options_parse(&options, "");
   report = report_create(&options);
   cache = cache_create(report);

   expect("nothing written", CACHE_L1, SURFACE(0, 0, 0, 0), false);
   cache_write(cache, CACHE_CB, &SURFACE(1, 1, 0, 3), 0);
   expect("texture read of what CB holds", CACHE_L1, SURFACE(0, 2, 0, 0), true);
   expect("another level", CACHE_L1, SURFACE(0, 0, 0, 0), false);
   expect("another slice", CACHE_L1, SURFACE(1, 1, 4, 5), false);
   expect("bytes inside", CACHE_K, BYTES(0x104000), true);
   expect("bytes outside", CACHE_K, BYTES(0x110000), false);
   cache_bind(cache, &SURFACE(1, 1, 0, 3));
   expect("a render target of this draw", CACHE_L1, SURFACE(1, 1, 0, 0), false);
   cache_unbind(cache);
   cache_sync(cache, CACHE_INV_L1 | CACHE_INV_K);
   expect("invalidated before the flush", CACHE_L1, SURFACE(1, 1, 0, 0), true);
   cache_sync(cache, CACHE_FLUSH_DB);
   expect("the other flush", CACHE_L2_CLIENT, SURFACE(1, 1, 0, 0), true);
   cache_sync(cache, CACHE_FLUSH_CB);
   expect("flushed: memory is right", CACHE_L2_CLIENT, SURFACE(1, 1, 0, 0), false);
   expect("flushed, L1 is not", CACHE_L1, SURFACE(1, 1, 0, 0), true);
   cache_sync(cache, CACHE_INV_L1);
   expect("L1 invalidated", CACHE_L1, SURFACE(1, 1, 0, 0), false);
   expect("K$ is not", CACHE_K, BYTES(0x100000), true);
   cache_sync(cache, CACHE_INV_K);
   expect("K$ invalidated", CACHE_K, BYTES(0x100000), false);

   cache_write_bytes(cache, CACHE_CP, 0x200000, 256);
   expect("CP's write, by the CP", CACHE_L2_CLIENT, BYTES(0x200000), false);
   expect("CP's write, scalar", CACHE_K, BYTES(0x2000c0), true);
   expect("beside it", CACHE_K, BYTES(0x200100), false);
   cache_sync(cache, CACHE_ALL);
   expect("a new submission", CACHE_K, BYTES(0x200000), false);

   /* metadata and what L2 keeps beside the render backends */
   cache_write(cache, CACHE_DB, &SURFACE(0, 0, 0, 0), CACHE_INV_META | CACHE_INV_L2);
   cache_sync(cache, CACHE_FLUSH_DB);
   cache_sync(cache, CACHE_INV_L1);
   expect("L2 beside the DB", CACHE_L1, SURFACE(0, 0, 0, 0), true);
   cache_sync(cache, CACHE_INV_L2);
   expect("plain texels", CACHE_L1, SURFACE(0, 0, 0, 0), false);
   expect("metadata", CACHE_L1_META, SURFACE(0, 0, 0, 0), true);
   cache_sync(cache, CACHE_INV_META);
   expect("metadata invalidated", CACHE_L1_META, SURFACE(0, 0, 0, 0), false);
   cache_sync(cache, CACHE_ALL);

   /* CB and DB see their own cache, not each other's */
   cache_write(cache, CACHE_CB, &SURFACE(0, 0, 0, 0), 0);
   expect("CB again", CACHE_RB, SURFACE(0, 0, 0, 0), false);
   cache_sync(cache, CACHE_ALL);

   /* a program reads what its own draw stored, the next one does not */
   cache_begin_work(cache);
   cache_begin_waves(cache, SQ_VS);
   cache_write_bytes(cache, CACHE_SHADER, 0x200000, 64);
   expect("the same draw", CACHE_L1, BYTES(0x200000), false);
   cache_end_work(cache);
   expect("the CP behind it", CACHE_L2_CLIENT, BYTES(0x200000), true);
   cache_begin_work(cache);
   expect("the next draw", CACHE_L1, BYTES(0x200000), true);
   cache_end_work(cache);

   /* events: a wait for the second is one for the first, later writes are not in it */
   cache_release(cache, CACHE_WAITS, 0x9000);
   cache_release(cache, 0, 0x9008);
   cache_write_bytes(cache, CACHE_SHADER, 0x210000, 64);
   cache_end_work(cache);
   cache_waited(cache, 0x9010);
   expect("another fence", CACHE_L2_CLIENT, BYTES(0x200000), true);
   cache_waited(cache, 0x9008);
   expect("what was before the fence", CACHE_L2_CLIENT, BYTES(0x200000), false);
   expect("what was after it", CACHE_L2_CLIENT, BYTES(0x210000), true);
   cache_sync(cache, CACHE_ALL);

   /* More writes than the list holds: none may be reported wrongly. */
   for (unsigned i = 0; i < 200; i++)
      cache_write_bytes(cache, CACHE_CP, 0x300000 + 0x1000 * i, 64);
   expect("the last one", CACHE_K, BYTES(0x300000 + 0x1000 * 199), true);
   expect("between", CACHE_K, BYTES(0x300000 + 0x1000 * 199 + 64), false);

   printf("%u checks, %u failures\n", checks, failures);
   cache_destroy(cache);
   report_destroy(report);
   return failures != 0;
}
