/* SPDX-License-Identifier: MIT */
/* VGT_STRMOUT_*: how far each buffer is filled, how many primitives still fit. */
#include "so.h"
#include "amdgfxregs.h"
#include "regs/regs.h"
#include <stdlib.h>
#include <string.h>

struct so {
   bool enabled[4];           /* streams */
   uint8_t buffers[4];        /* mask of a stream's buffers */
   uint32_t size[4], stride[4]; /* dwords */
   uint32_t filled[4];
   uint64_t written[4], needed[4];
};

struct so *so_create(void) { return calloc(1, sizeof(struct so)); }
void so_destroy(struct so *so) { free(so); }

void so_begin_draw(struct so *so, const struct model_env *env)
{
   const struct regs *r = env->regs;
   uint32_t config = reg_ctx(r, R_028B94_VGT_STRMOUT_CONFIG);
   uint32_t buffers = reg_ctx(r, R_028B98_VGT_STRMOUT_BUFFER_CONFIG);

   for (unsigned i = 0; i < 4; i++) {
      so->enabled[i] = config >> i & 1;
      so->buffers[i] = buffers >> (i * 4) & 15;
      so->size[i] = reg_ctx(r, R_028AD0_VGT_STRMOUT_BUFFER_SIZE_0 + i * 16);
      so->stride[i] = reg_ctx(r, R_028AD4_VGT_STRMOUT_VTX_STRIDE_0 + i * 16);
   }
}

bool so_active(const struct so *so, unsigned stream) { return so->enabled[stream]; }

void so_wave(struct so *so, const struct model_env *env, unsigned stream, unsigned num_prims,
             unsigned verts, struct msg_streamout *out)
{
   unsigned fit = num_prims;

   (void)env;
   memset(out, 0, sizeof(*out));
   out->stream = stream;
   if (!so->enabled[stream])
      return;
   for (unsigned b = 0; b < 4; b++) {
      unsigned prim = so->stride[b] * verts, room;

      out->offset[b] = so->filled[b];
      if (!(so->buffers[stream] >> b & 1) || !prim)
         continue;
      room = so->size[b] > so->filled[b] ? (so->size[b] - so->filled[b]) / prim : 0;
      fit = room < fit ? room : fit;
   }
   for (unsigned b = 0; b < 4; b++)
      if (so->buffers[stream] >> b & 1)
         so->filled[b] += fit * verts * so->stride[b];
   out->num_vertices = fit * verts;
   if (so->buffers[stream]) /* a stream without buffers only counts what it would need */
      so->written[stream] += fit;
   so->needed[stream] += num_prims;
}

void so_set_filled(struct so *so, unsigned buffer, uint32_t dwords)
{
   if (buffer < 4)
      so->filled[buffer] = dwords;
}

uint32_t so_filled(const struct so *so, unsigned buffer) { return buffer < 4 ? so->filled[buffer] : 0; }

void so_stats(const struct so *so, unsigned stream, uint64_t out[2])
{
   out[0] = stream < 4 ? so->written[stream] : 0;
   out[1] = stream < 4 ? so->needed[stream] : 0;
}
