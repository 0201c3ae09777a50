/* SPDX-License-Identifier: MIT */
/* IR containers: shader, instruction lists, operation table. */
#include "ir_builder.h"

#include <stdarg.h>
#include <stdlib.h>

const struct ir_op_info ir_op_infos[IR_OP_COUNT] = {
#define V IR_VARIADIC
#define X(name, text, srcs, result, flags) [IR_##name] = { text, srcs, #result[0], flags },
   IR_OPS(X)
#undef X
#undef V
};

const char *const ir_sysval_names[IR_SV_COUNT] = {
   [IR_SV_VERTEX_ID] = "vertex_id", [IR_SV_INSTANCE_ID] = "instance_id",
   [IR_SV_BASE_VERTEX] = "base_vertex", [IR_SV_START_INSTANCE] = "start_instance",
   [IR_SV_DRAW_ID] = "draw_id",
   [IR_SV_PERSP_SAMPLE_I] = "persp_sample_i", [IR_SV_PERSP_SAMPLE_J] = "persp_sample_j",
   [IR_SV_PERSP_CENTER_I] = "persp_center_i", [IR_SV_PERSP_CENTER_J] = "persp_center_j",
   [IR_SV_PERSP_CENTROID_I] = "persp_centroid_i", [IR_SV_PERSP_CENTROID_J] = "persp_centroid_j",
   [IR_SV_PERSP_PULL_I] = "persp_pull_i", [IR_SV_PERSP_PULL_J] = "persp_pull_j",
   [IR_SV_PERSP_PULL_W] = "persp_pull_w",
   [IR_SV_LINEAR_SAMPLE_I] = "linear_sample_i", [IR_SV_LINEAR_SAMPLE_J] = "linear_sample_j",
   [IR_SV_LINEAR_CENTER_I] = "linear_center_i", [IR_SV_LINEAR_CENTER_J] = "linear_center_j",
   [IR_SV_LINEAR_CENTROID_I] = "linear_centroid_i", [IR_SV_LINEAR_CENTROID_J] = "linear_centroid_j",
   [IR_SV_LINE_STIPPLE] = "line_stipple",
   [IR_SV_POS_X] = "pos_x", [IR_SV_POS_Y] = "pos_y", [IR_SV_POS_Z] = "pos_z", [IR_SV_POS_W] = "pos_w",
   [IR_SV_FRONT_FACE] = "front_face", [IR_SV_ANCILLARY] = "ancillary",
   [IR_SV_SAMPLE_COVERAGE] = "sample_coverage", [IR_SV_POS_FIXED_PT] = "pos_fixed_pt",
   [IR_SV_THREAD_ID_X] = "thread_id_x", [IR_SV_THREAD_ID_Y] = "thread_id_y",
   [IR_SV_THREAD_ID_Z] = "thread_id_z",
   [IR_SV_BLOCK_ID_X] = "block_id_x", [IR_SV_BLOCK_ID_Y] = "block_id_y", [IR_SV_BLOCK_ID_Z] = "block_id_z",
   [IR_SV_GRID_SIZE_X] = "grid_size_x", [IR_SV_GRID_SIZE_Y] = "grid_size_y",
   [IR_SV_GRID_SIZE_Z] = "grid_size_z",
   [IR_SV_BLOCK_SIZE_X] = "block_size_x", [IR_SV_BLOCK_SIZE_Y] = "block_size_y",
   [IR_SV_BLOCK_SIZE_Z] = "block_size_z",
   [IR_SV_SO_CONFIG] = "so_config", [IR_SV_SO_WRITE_INDEX] = "so_write_index",
   [IR_SV_SO_OFFSET_0] = "so_offset_0", [IR_SV_SO_OFFSET_1] = "so_offset_1",
   [IR_SV_SO_OFFSET_2] = "so_offset_2", [IR_SV_SO_OFFSET_3] = "so_offset_3",
   [IR_SV_GSVS_OFFSET] = "gsvs_offset", [IR_SV_WAVE_INFO] = "wave_info",
   [IR_SV_GS_VTX01] = "gs_vtx01", [IR_SV_GS_VTX23] = "gs_vtx23", [IR_SV_GS_VTX45] = "gs_vtx45",
   [IR_SV_PRIM_ID] = "prim_id", [IR_SV_GS_INVOCATION_ID] = "gs_invocation_id",
   [IR_SV_LANE_ID] = "lane_id",
   [IR_SV_PRIM_MASK] = "prim_mask", [IR_SV_LIVE_LANE] = "live_lane",
};

void *
ir_temp_grow(struct ir_shader *sh, const void *old, uint32_t *max, size_t size)
{
   void *grown = ir_temp_any(sh, (*max ? *max * 2 : 64) * size);
   if (*max)
      memcpy(grown, old, *max * size);
   *max = *max ? *max * 2 : 64;
   return grown;
}

struct ir_shader *
ir_shader_create(enum tgsiamd_stage stage, enum tgsiamd_gfx gfx, const struct tgsiamd_key *key, uint32_t options)
{
   static const struct tgsiamd_key no_key;
   struct ir_shader *sh = calloc(1, sizeof(*sh));
   if (!sh)
      return NULL;
   sh->stage = stage;
   sh->gfx = gfx;
   sh->key = key ? key : &no_key;
   sh->options = options;
   return sh;
}

void
ir_shader_destroy(struct ir_shader *sh)
{
   if (!sh)
      return;
   ir_arena_free(&sh->arena);
   ir_arena_free(&sh->temp);
   free(sh);
}

void
ir_renumber(struct ir_shader *sh)
{
   const uint32_t *before = sh->first_ids, num = sh->num_first_ids;
   sh->first_ids = ir_arena_alloc(&sh->arena, (sh->num_ids + 1) * sizeof(*sh->first_ids));
   sh->num_ids = 0;
   ir_foreach_block(sh, b) {
      ir_foreach_inst(b, inst) {
         sh->first_ids[sh->num_ids] = !before ? inst->id : inst->id < num ? before[inst->id] : ~0u;
         inst->id = sh->num_ids++;
      }
   }
   sh->num_first_ids = sh->num_ids;
}

void
ir_error(struct ir_shader *sh, const char *fmt, ...)
{
   if (sh->error)
      return;
   va_list ap;
   char text[256];
   va_start(ap, fmt);
   vsnprintf(text, sizeof(text), fmt, ap);
   va_end(ap);
   sh->error = ir_alloc(sh, strlen(text) + 1);
   strcpy(sh->error, text);
}

void
ir_origin(struct ir_shader *sh, uint32_t pc)
{
   if (sh->num_origins == sh->max_origins) {
      uint32_t max = sh->max_origins ? sh->max_origins * 2 : 64;
      struct ir_origin *origins = ir_arena_alloc(&sh->arena, max * sizeof(*origins));
      if (sh->num_origins)
         memcpy(origins, sh->origins, sh->num_origins * sizeof(*origins));
      sh->origins = origins;
      sh->max_origins = max;
   }
   sh->origins[sh->num_origins++] = (struct ir_origin){ sh->num_ids, pc };
}

void
ir_remove(struct ir_inst *inst)
{
   struct ir_block *block = inst->block;
   if (inst->prev)
      inst->prev->next = inst->next;
   else
      block->first = inst->next;
   if (inst->next)
      inst->next->prev = inst->prev;
   else
      block->last = inst->prev;
   inst->block = NULL;
}

struct ir_block *
ir_block_create(struct ir_shader *sh, struct ir_loop *loop)
{
   struct ir_block *block = ir_alloc(sh, sizeof(*block));
   block->loop = loop;
   block->index = ~0u;
   return block;
}

uint32_t
ir_add_to_table(struct ir_shader *sh, const uint32_t *dwords, uint32_t num)
{
   const uint32_t at = sh->num_table;
   uint32_t *all = ir_alloc(sh, (at + num) * sizeof(*all));
   if (at)
      memcpy(all, sh->table, at * sizeof(*all));
   memcpy(all + at, dwords, num * sizeof(*all));
   sh->table = all;
   sh->num_table += num;
   return at;
}
