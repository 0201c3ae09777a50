/* SPDX-License-Identifier: MIT */
/* What caches may hold that memory does not, and the other way round. Memory
 * itself is always current in the model; this block only remembers who wrote
 * what since which flush, and reports reads that hardware could answer with old
 * data: CB and DB keep pixels until they are flushed, vector L1 and scalar K$
 * keep lines until they are invalidated. */
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

enum cache_writer { CACHE_CB, CACHE_DB, CACHE_CP };
enum cache_reader { CACHE_L1, CACHE_K, CACHE_L2_CLIENT /* CP, index fetch */ };

struct model_cache *cache_create(void);
void cache_destroy(struct model_cache *c);

/* Counts what can change an answer: a reader may skip a part that it checked
 * at the same serial. All functions accept NULL: no checks. */
uint32_t cache_serial(const struct model_cache *c);
/* What the draw that begins renders to. It may read there as well: then the
 * program, not the stream, says where reads and writes meet. */
void cache_unbind(struct model_cache *c);
void cache_bind(struct model_cache *c, const struct cache_part *p);
void cache_write(struct model_cache *c, enum cache_writer writer, const struct cache_part *p);
/* Reports through CHECK_CACHE. */
void cache_read(struct model_cache *c, struct model_report *report, enum cache_reader reader,
                const struct cache_part *p);
/* The same for plain bytes. Fast when nothing near was written. */
void cache_write_bytes(struct model_cache *c, enum cache_writer writer, uint64_t va, uint64_t size);
void cache_read_bytes(struct model_cache *c, struct model_report *report, enum cache_reader reader, uint64_t va,
                      uint64_t size);

#define CACHE_FLUSH_CB 1u
#define CACHE_FLUSH_DB 2u
#define CACHE_INV_L1   4u
#define CACHE_INV_K    8u
#define CACHE_ALL      15u
void cache_sync(struct model_cache *c, uint32_t what);

#endif
