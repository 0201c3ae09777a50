/* SPDX-License-Identifier: MIT */
/* The graphics pipeline as the CP sees it: one call per draw or dispatch. */
#ifndef MODEL_PIPELINE_H
#define MODEL_PIPELINE_H

#include "msg.h"

struct pipeline; /* VGT, PA, SC, SPI, DB, CB with their state; owns its SQs */
struct pipeline *pipeline_create(void);
/* Threads that execute waves, with the caller's; before the first draw. */
void pipeline_set_threads(struct pipeline *p, unsigned threads);
/* No short cuts; results do not differ. */
void pipeline_set_general(struct pipeline *p, bool general);
/* Tiles that were filled by the short cut. */
uint64_t pipeline_solid_tiles(const struct pipeline *p);
/* Pixel waves that ran ahead of their turn; *again: of these, in vain. */
uint64_t pipeline_waves_ahead(const struct pipeline *p, uint64_t *again);
void pipeline_destroy(struct pipeline *p);
void pipeline_draw(struct pipeline *p, const struct model_env *env, const struct msg_draw *draw);
void pipeline_dispatch(struct pipeline *p, const struct model_env *env, const struct msg_dispatch *d);
/* Occlusion counts as DB keeps them: per render backend, samples that passed
 * since power-up while DB_COUNT_CONTROL enabled counting. */
uint64_t pipeline_zpass_count(const struct pipeline *p, unsigned rb);
/* VGT/PA statistics in the order of SAMPLE_PIPELINESTAT. */
void pipeline_stats(const struct pipeline *p, uint64_t out[11]);
/* Streamout (VGT): the filled size of each buffer, in dwords from its base, and
 * per stream the primitives written and the primitives that needed storage. */
void pipeline_so_set_filled(struct pipeline *p, unsigned buffer, uint32_t dwords);
uint32_t pipeline_so_filled(const struct pipeline *p, unsigned buffer);
void pipeline_so_stats(const struct pipeline *p, unsigned stream, uint64_t out[2]);
/* The global data share. */
uint8_t *pipeline_gds(struct pipeline *p, uint32_t *size);
/* Shader code may have changed (ACQUIRE_MEM with I$ action). */
void pipeline_invalidate_code(struct pipeline *p);

#endif
