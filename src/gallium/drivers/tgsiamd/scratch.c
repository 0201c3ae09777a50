/* SPDX-License-Identifier: MIT */
/* Rings of scratch memory: SPI_TMPRING_SIZE and COMPUTE_TMPRING_SIZE say how many waves
 * have a place and how large it is. A wave for which there is none waits until another
 * one ends, so a ring need not have room for all that could run: with the largest places
 * (8 MiB) that would be gigabytes. */
#include "context.h"

#include "util/u_math.h"

#define MOST_BYTES   (256ull << 20)
/* Waves of a group of 1,024 lanes, which begin together, on one shader engine. */
#define GROUP_WAVES  16

/* Waves of `bytes` that have a place in a ring, at least and at most. Each shader engine
 * has its share. */
static void
choose_waves(const struct radeon_info *info, uint32_t bytes, uint32_t *fewest, uint32_t *most)
{
   const uint64_t all = ((uint64_t)info->vram_size_kb + info->gart_size_kb) * 1024;
   const uint32_t num_se = MAX2(info->max_se, 1), share = MIN2(MOST_BYTES, all / 8) / bytes / num_se * num_se;

   *fewest = GROUP_WAVES * num_se;
   *most = CLAMP(share, *fewest, MAX2(info->max_scratch_waves, *fewest));
}

static bool
no_memory(struct tgsiamd_context *ctx, struct tgsiamd_scratch *ring, uint32_t bytes, uint32_t waves)
{
   if (ring->missing != bytes) {
      util_debug_message(&ctx->debug, OUT_OF_MEMORY, "no memory for scratch of %u waves, %u bytes each", waves, bytes);
      tgsiamd_error("no memory for scratch of %u waves, %u bytes each", waves, bytes);
   }
   ring->missing = bytes;
   return false;
}

bool
tgsiamd_update_scratch(struct tgsiamd_context *ctx, struct tgsiamd_scratch *ring, uint32_t bytes)
{
   struct tgsiamd_bo *bo = NULL;
   const uint32_t num_se = MAX2(ctx->screen->info->max_se, 1);
   uint32_t fewest, waves;

   bytes = align(bytes, 1024);
   if (bytes <= ring->wave_bytes)
      return true;
   choose_waves(ctx->screen->info, bytes, &fewest, &waves);
   for (;; waves = MAX2(waves / 2 / num_se * num_se, fewest)) {
      bo = tgsiamd_bo_create(ctx->screen->dev, (uint64_t)bytes * waves, 4096, TGSIAMD_VRAM, 0);
      if (bo)
         break;
      if (waves == fewest)
         return no_memory(ctx, ring, bytes, waves);
   }
   /* Waves in flight use the old ring until the stream is done: it keeps a reference. */
   tgsiamd_bo_reference(&ring->bo, NULL);
   *ring = (struct tgsiamd_scratch){.bo = bo, .wave_bytes = bytes, .waves = waves};
   if (ring == &ctx->cs_scratch) {
      ctx->stage[TGSIAMD_CS].dirty_lists |= 1u << LIST_INTERNAL;
      return true;
   }
   ctx->dirty |= DIRTY_SCRATCH;
   for (unsigned s = 0; s < NUM_STAGES; s++) {
      if (s != TGSIAMD_CS)
         ctx->stage[s].dirty_lists |= 1u << LIST_INTERNAL;
   }
   return true;
}
