/* SPDX-License-Identifier: MIT */
#include "sample_positions.h"

#include "context.h"

const struct tgsiamd_sample_pos *
tgsiamd_sample_positions(unsigned num_samples)
{
   static const struct tgsiamd_sample_pos one[] = {{0, 0}};
   static const struct tgsiamd_sample_pos two[] = {{4, 4}, {-4, -4}};
   static const struct tgsiamd_sample_pos four[] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
   static const struct tgsiamd_sample_pos eight[] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5},
                                                     {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
   switch (num_samples) {
   case 2:
      return two;
   case 4:
      return four;
   case 8:
      return eight;
   default:
      return one;
   }
}

static void
get_sample_position(struct pipe_context *pctx, unsigned num_samples, unsigned index, float *out)
{
   const struct tgsiamd_sample_pos *pos = tgsiamd_sample_positions(num_samples);

   if (index >= MAX2(num_samples, 1))
      index = 0;
   out[0] = (pos[index].x + 8) / 16.0f;
   out[1] = (pos[index].y + 8) / 16.0f;
}

void
tgsiamd_init_sample_positions(struct tgsiamd_context *ctx)
{
   ctx->base.get_sample_position = get_sample_position;
}
