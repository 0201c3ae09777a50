/* SPDX-License-Identifier: MIT */
/* The copy shader: the hardware's vertex stage behind a geometry shader. Its
 * vertex index is the dword in the GSVS ring at which the vertex' first
 * component stands; the others follow in planes (tgsi/gs.c). Exports and
 * streamout are those of any last vertex stage. */
#include "passes.h"

struct ir_shader *
ir_gs_copy_shader(const struct ir_shader *gs)
{
   struct ir_shader *sh = ir_shader_create(TGSIAMD_VS, gs->gfx, gs->key, gs->options);
   struct ir_builder b;
   uint32_t plane = 0;

   if (!sh)
      return NULL;
   if (gs->error) {
      ir_error(sh, "%s", gs->error);
      return sh;
   }
   sh->info.clip_dist_mask = gs->info.clip_dist_mask;
   sh->info.cull_dist_mask = gs->info.cull_dist_mask;
   sh->info.gs_vertex_dwords = gs->info.gs_vertex_dwords;
   ir_builder_init(&b, sh);
   ir_val ring = ir_load_desc(&b, IR_LIST_INTERNAL, 4, NULL, TGSIAMD_INTERNAL_GSVS_RING * 16);
   ir_val addr = ir_shl(&b, ir_sysval(&b, IR_SV_VERTEX_ID), ir_imm(&b, 2));
   for (uint32_t i = 0; i < gs->num_outputs; i++) {
      const struct ir_output *out = &gs->outputs[i];
      unsigned slot = ir_output(sh, out->semantic, out->index);
      for (unsigned c = 0; c < 4; c++) {
         if (!(out->mask & (1u << c)))
            continue;
         ir_val v = ir_load_buf(&b, ring, addr, plane++ * gs->info.gs_max_vertices * 64, 1);
         v->mem.glc = true; /* another wave has just written it */
         ir_store_output(&b, slot, c, v);
      }
   }
   ir_builder_finish(&b);
   return sh;
}
