/* SPDX-License-Identifier: MIT */
/* What caches may hold that memory does not, and the other way round. Memory
 * itself is always current in the model; this block only remembers who wrote
 * what since which wait, flush and invalidation, and reports reads that hardware
 * could answer with old data:
 * - CB and DB keep pixels until they are flushed, K$ what scalar stores wrote;
 * - vector L1, K$ and I$ keep lines until they are invalidated, and so does L2
 *   for metadata and for what the render backends write around it;
 * - shaders, CP DMA and the ME run behind: who reads must have waited for them. */
#ifndef MODEL_CACHE_H
#define MODEL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct model_cache;
struct model_report;

/* Part of a surface or buffer. Two parts with the same base compare levels and
 * slices, others compare addresses. */
struct cache_part {
   uint64_t base, size;          /* bytes of the whole surface */
   uint16_t level0, level1, slice0, slice1; /* inclusive; buffers: all 0 */
};

/* What must still happen before a read is safe. */
enum cache_todo {
   CACHE_FLUSH_CB = 1 << 0,
   CACHE_FLUSH_DB = 1 << 1,
   CACHE_WB_K     = 1 << 2,
   CACHE_WAIT_VS  = 1 << 3, /* waves of VS, LS-HS and ES-GS */
   CACHE_WAIT_PS  = 1 << 4,
   CACHE_WAIT_CS  = 1 << 5,
   CACHE_WAIT_DMA = 1 << 6, /* CP DMA */
   CACHE_INV_L1   = 1 << 7,
   CACHE_INV_K    = 1 << 8,
   CACHE_INV_I    = 1 << 9,
   CACHE_INV_L2   = 1 << 10,
   CACHE_INV_META = 1 << 11, /* L2's copy of DCC, CMASK, HTILE */
   CACHE_SYNC_PFP = 1 << 12,
   CACHE_ALL      = (1 << 13) - 1,
};
#define CACHE_FLUSHES (CACHE_FLUSH_CB | CACHE_FLUSH_DB | CACHE_WB_K)
#define CACHE_WAITS   (CACHE_WAIT_VS | CACHE_WAIT_PS | CACHE_WAIT_CS | CACHE_WAIT_DMA)
/* These help only after the data are out: what comes before is lost. */
#define CACHE_LATE    (CACHE_INV_L1 | CACHE_INV_K | CACHE_INV_I | CACHE_INV_L2 | CACHE_INV_META | CACHE_SYNC_PFP)

enum cache_writer {
   CACHE_CB, CACHE_DB,
   CACHE_CP,      /* ME: WRITE_DATA, COPY_DATA, ATOMIC_MEM */
   CACHE_PFP,     /* the same by the prefetch parser */
   CACHE_DMA,     /* DMA_DATA without CP_SYNC */
   CACHE_EVENT,   /* counts and timestamps */
   CACHE_SHADER,  /* vector stores and atomics; the stage is cache_begin_waves()'s */
   CACHE_SCALAR,  /* scalar stores */
   CACHE_WRITERS,
};

enum cache_reader {
   CACHE_L1, CACHE_L1_META /* an image with metadata */, CACHE_K, CACHE_I,
   CACHE_L2_CLIENT, /* ME, GLC loads */
   CACHE_PREFETCH,  /* PFP: indices, indirect arguments, register loads */
   CACHE_RB,        /* CB and DB */
   CACHE_READERS,
};

/* `report` is where writes complain that would be lost. */
struct model_cache *cache_create(struct model_report *report);
void cache_destroy(struct model_cache *c);

/* All functions accept NULL: no checks. */

/* What the draw that begins renders to. It may read there as well: then the
 * program, not the stream, says where reads and writes meet. */
void cache_unbind(struct model_cache *c);
void cache_bind(struct model_cache *c, const struct cache_part *p);
/* A draw or dispatch begins: what it writes itself it may read. */
void cache_begin_work(struct model_cache *c);
void cache_end_work(struct model_cache *c);
/* Waves of a stage (enum sq_stage) run now. */
void cache_begin_waves(struct model_cache *c, unsigned stage);
/* The stage that cache_begin_waves() named last in this thread. */
unsigned cache_stage(const struct model_cache *c);
/* A program invalidated (or wrote back) caches of its own CU. */
void cache_own_sync(struct model_cache *c, uint32_t what);

/* `more`: what is needed beyond what the writer always needs. */
void cache_write(struct model_cache *c, enum cache_writer writer, const struct cache_part *p, uint32_t more);
/* Reports through CHECK_CACHE. */
void cache_read(struct model_cache *c, struct model_report *report, enum cache_reader reader,
                const struct cache_part *p);
/* The same for plain bytes. Fast when nothing near was written. */
void cache_write_bytes(struct model_cache *c, enum cache_writer writer, uint64_t va, uint64_t size);
void cache_read_bytes(struct model_cache *c, struct model_report *report, enum cache_reader reader, uint64_t va,
                      uint64_t size);

/* For the CPU: what was written since the last call, but for what the CP and
 * events write; programs poll that. */
void cache_cpu_writes(struct model_cache *c, void (*wrote)(void *ctx, uint64_t va, uint64_t size), void *ctx);
/* SDMA, which none of these caches serves. */
void cache_cpu_note(struct model_cache *c, uint64_t va, uint64_t size);

void cache_sync(struct model_cache *c, uint32_t what);
/* Only what was written within [lo, hi). */
void cache_sync_range(struct model_cache *c, uint32_t what, uint64_t lo, uint64_t hi);
/* An event at the end of the pipe does `what` some time later; then it writes
 * to `va` (0: nothing). Once the stream has waited for that, this and all
 * earlier events are done. */
void cache_release(struct model_cache *c, uint32_t what, uint64_t va);
void cache_waited(struct model_cache *c, uint64_t va);

#endif
