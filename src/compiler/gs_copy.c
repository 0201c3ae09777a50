/* SPDX-License-Identifier: MIT */
/* The copy shader: the hardware's vertex stage behind a geometry shader. Its
 * vertex index is the dword in the GSVS ring at which the vertex' first
 * component stands; the others follow in planes (tgsi/gs.c). Exports and
 * streamout are those of any last vertex stage. */
#include "passes.h"

/* The components of one stream, by slot of `sh`; declares the outputs. */
static void
load_stream(struct ir_builder *b, const struct ir_shader *gs, unsigned stream, ir_val (*vals)[4])
{
   ir_val ring = ir_load_desc(b, IR_LIST_INTERNAL, 4, NULL, TGSIAMD_INTERNAL_GSVS_RING * 16);
   ir_val addr = ir_shl(b, ir_sysval(b, IR_SV_VERTEX_ID), ir_imm(b, 2));
   uint32_t plane = 0;

   for (uint32_t i = 0; i < gs->num_outputs; i++) {
      const struct ir_output *out = &gs->outputs[i];
      unsigned slot = ir_output(b->sh, out->semantic, out->index);
      for (unsigned c = 0; c < 4; c++) {
         if (!(out->mask & (1u << c)) || (out->streams >> (2 * c) & 3) != stream)
            continue;
         ir_val v = ir_load_buf(b, ring, addr, plane++ * gs->info.gs_max_vertices * 64, 1);
         v->mem.glc = true; /* another wave has just written it */
         vals[slot][c] = v;
      }
   }
}

/* Streams behind the first only go to streamout buffers. */
static bool
stream_is_stored(const struct tgsiamd_streamout *so, unsigned stream)
{
   for (unsigned i = 0; i < so->num_outputs; i++) {
      if (so->outputs[i].stream == stream)
         return true;
   }
   return false;
}

struct ir_shader *
ir_gs_copy_shader(const struct ir_shader *gs)
{
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, gs->gfx, gs->key, gs->options);
   const struct tgsiamd_streamout *so = &gs->key->vs.so;
   const uint32_t *dwords = gs->info.gs_vertex_dwords;
   struct ir_builder b;
   ir_val stream = NULL;

   if (!sh)
      return NULL;
   if (gs->error) {
      ir_error(sh, "%s", gs->error);
      return sh;
   }
   ir_val (*vals)[4] = ir_alloc(sh, 80 * sizeof(*vals));
   sh->info.clip_dist_mask = gs->info.clip_dist_mask;
   sh->info.cull_dist_mask = gs->info.cull_dist_mask;
   sh->info.gs_vertex_dwords[0] = dwords[0];
   ir_builder_init(&b, sh);
   if (so->num_outputs && (dwords[1] | dwords[2] | dwords[3]))
      stream = ir_op3(&b, IR_UBFE, ir_sysval(&b, IR_SV_SO_CONFIG), ir_imm(&b, 24), ir_imm(&b, 2));
   for (unsigned s = 1; s < 4 && stream; s++) {
      if (!dwords[s] || !stream_is_stored(so, s))
         continue;
      memset(vals, 0, 80 * sizeof(*vals));
      ir_if(&b, ir_ieq(&b, stream, ir_imm(&b, s)));
      load_stream(&b, gs, s, vals);
      ir_lower_streamout(&b, so, s, vals);
      ir_endif(&b);
   }
   if (stream)
      ir_if(&b, ir_ieq(&b, stream, ir_imm(&b, 0)));
   memset(vals, 0, 80 * sizeof(*vals));
   load_stream(&b, gs, 0, vals);
   for (uint32_t i = 0; i < sh->num_outputs; i++) {
      for (unsigned c = 0; c < 4; c++) {
         if (vals[i][c])
            ir_store_output(&b, i, c, vals[i][c]);
      }
   }
   if (stream)
      ir_endif(&b);
   ir_builder_finish(&b);
   return sh;
}
