/* SPDX-License-Identifier: MIT */
/* Buffer copies and fills by the command processor (DMA_DATA), through L2. */
#include "context.h"

#include "util/u_inlines.h"
#include "util/u_math.h"

#define COPY_DWORDS 7

static bool
begin(struct tgsiamd_context *ctx)
{
   /* Earlier waves may still read what is overwritten or write what is read. */
   tgsiamd_barrier(ctx, BARRIER_WAVES_DONE, "CP DMA");
   if (!tgsiamd_reserve(ctx, BARRIER_DWORDS))
      return false;
   tgsiamd_emit_barriers(ctx);
   return true;
}

static void
end(struct tgsiamd_context *ctx)
{
   tgsiamd_barrier(ctx, BARRIER_INV_L1 | BARRIER_INV_SCALAR | BARRIER_PFP, "CP DMA has written");
}

void
tgsiamd_copy_buffer(struct tgsiamd_context *ctx, struct tgsiamd_resource *dst,
                    struct tgsiamd_resource *src, uint64_t dst_offset, uint64_t src_offset,
                    uint64_t size)
{
   if (!size || !begin(ctx))
      return;
   while (size) {
      uint32_t bytes = MIN2(size, DMA_DATA_MAX_BYTES);

      if (!tgsiamd_reserve(ctx, COPY_DWORDS))
         return;
      tgsiamd_use(ctx, dst, TGSIAMD_WRITE);
      tgsiamd_use(ctx, src, TGSIAMD_READ);
      size -= bytes;
      cs_begin(&ctx->cs, COPY_DWORDS);
      pkt_dma_data_copy(&ctx->cs, dst->va + dst_offset, src->va + src_offset, bytes, size == 0);
      cs_end(&ctx->cs);
      dst_offset += bytes;
      src_offset += bytes;
   }
   end(ctx);
}

static void
fill_dwords(struct tgsiamd_context *ctx, struct tgsiamd_resource *dst, uint64_t offset, uint64_t size,
            uint32_t value)
{
   if (!size || !begin(ctx))
      return;
   while (size) {
      uint32_t bytes = MIN2(size, DMA_DATA_MAX_BYTES);

      if (!tgsiamd_reserve(ctx, COPY_DWORDS))
         return;
      tgsiamd_use(ctx, dst, TGSIAMD_WRITE);
      size -= bytes;
      cs_begin(&ctx->cs, COPY_DWORDS);
      pkt_dma_data_fill(&ctx->cs, dst->va + offset, value, bytes, size == 0);
      cs_end(&ctx->cs);
      offset += bytes;
   }
   end(ctx);
}

void
tgsiamd_clear_buffer(struct pipe_context *pctx, struct pipe_resource *pdst, unsigned offset,
                     unsigned size, const void *value, int value_size)
{
   struct tgsiamd_context *ctx = tgsiamd_context(pctx);
   struct tgsiamd_resource *dst = tgsiamd_resource(pdst);
   uint32_t dword = 0;
   struct pipe_transfer *transfer;
   uint8_t *map;

   if (value_size <= 4 && offset % 4 == 0 && size % 4 == 0) {
      for (unsigned i = 0; i < 4; i++)
         ((uint8_t *)&dword)[i] = ((const uint8_t *)value)[i % value_size];
      if (value_size != 3) {
         fill_dwords(ctx, dst, offset, size, dword);
         util_range_add(pdst, &dst->valid_range, offset, offset + size);
         return;
      }
   }
   map = pipe_buffer_map_range(pctx, pdst, offset, size, PIPE_MAP_WRITE | PIPE_MAP_DISCARD_RANGE, &transfer);
   if (!map)
      return;
   for (unsigned i = 0; i < size; i++)
      map[i] = ((const uint8_t *)value)[i % value_size];
   pipe_buffer_unmap(pctx, transfer);
}
