/* SPDX-License-Identifier: MIT */
/* Patches: grouping for LS-HS (VGT_LS_HS_CONFIG), and what comes out of the
 * tessellator (VGT_TF_PARAM, VGT_TF_MEMORY_BASE) as batches of vertices. */
#include "vgt_internal.h"
#include "amdgfxregs.h"
#include "index.h"
#include "obs/report.h"
#include "obs/work.h"
#include "regs/regs.h"
#include "tessellator.h"
#include "vm/undef.h"
#include "vm/vm.h"
#include <stdlib.h>
#include <string.h>

static void send_group(struct vgt *vgt, const struct vgt_patch_sink *sink)
{
   if (vgt->patches.num_patches)
      sink->group(sink->ctx, &vgt->patches);
   vgt->patches.num_patches = 0;
}

void vgt_draw_patches(struct vgt *vgt, const struct model_env *env, const struct msg_draw *draw,
                      const struct vgt_patch_sink *sink)
{
   uint32_t config = reg_ctx(env->regs, R_028B58_VGT_LS_HS_CONFIG);
   unsigned max = G_028B58_NUM_PATCHES(config);
   struct msg_patches *p = &vgt->patches;
   struct vgt_indices in;

   p->in_points = G_028B58_HS_NUM_INPUT_CP(config);
   p->out_points = G_028B58_HS_NUM_OUTPUT_CP(config);
   p->num_patches = 0;
   if (!max || !p->in_points || !p->out_points || max * p->in_points > GEOM_MAX_PATCH_VERTS) {
      model_violation(env->report, CHECK_STATE, "VGT_LS_HS_CONFIG 0x%x: %u patches of %u and %u points", config,
                      max, p->in_points, p->out_points);
      return;
   }
   vgt_indices_init(&in, env, draw);
   for (uint32_t instance = 0; instance < draw->num_instances; instance++) {
      unsigned count = 0;
      uint32_t prim_id = 0;

      p->instance_id = instance;
      env->stats->indices += draw->num_indices;
      if (model_work_check(env))
         return;
      for (uint32_t i = 0; i < draw->num_indices; i++) {
         uint32_t *v = &p->vertex_id[p->num_patches * p->in_points];
         if (!vgt_index(&in, i, &v[count])) {
            count = 0;
            continue;
         }
         if (++count < p->in_points)
            continue;
         count = 0;
         p->prim_id[p->num_patches++] = prim_id++;
         env->stats->primitives++;
         if (p->num_patches == max)
            send_group(vgt, sink);
         if (model_work_check(env))
            return;
      }
      send_group(vgt, sink);
   }
}

/* Adds the primitives of the tessellated patch to the batch. */
static void add_patch(struct vgt *vgt, const struct tess_out *t, uint32_t rel_patch, uint32_t prim_id)
{
   static _Thread_local uint8_t lane_of[TESS_MAX_POINTS];
   static _Thread_local uint32_t stamp_of[TESS_MAX_POINTS];
   static _Thread_local uint32_t now;
   struct msg_vgt_batch *b = &vgt->batch;

   now++;
   for (unsigned i = 0; i < t->num_prims; i++) {
      if (b->num_verts + t->prim_verts > 64 || b->num_verts >= vgt->group_verts ||
          b->num_prims >= vgt->group_prims) {
         vgt_flush(vgt);
         now++;
      }
      struct msg_vgt_prim *p = &b->prims[b->num_prims++];
      for (unsigned k = 0; k < t->prim_verts; k++) {
         unsigned point = t->prim[i][k];
         if (!vgt->mode.reuse || stamp_of[point] != now) {
            unsigned lane = b->num_verts++;
            stamp_of[point] = now;
            lane_of[point] = lane;
            b->vertex_id[lane] = geom_fui(t->u[point]);
            b->instance_id[lane] = geom_fui(t->v[point]);
            b->prim_id[lane] = rel_patch;
            b->fourth[lane] = prim_id;
         }
         p->v[k] = lane_of[point];
      }
      for (unsigned k = t->prim_verts; k < 3; k++)
         p->v[k] = p->v[0];
      b->prim_verts = t->prim_verts;
      p->provoking = vgt->provoking_last ? t->prim_verts - 1 : 0;
      p->edges = 7;
      p->start = true;
      p->prim_id = prim_id;
   }
}

/* Factors that the tessellator looks at and no program wrote; an outer factor of
 * 0 drops the patch, whatever comes behind it. */
static void check_factors(const struct model_env *env, uint64_t va, const float *f, unsigned num)
{
   const unsigned outer = num - (num == 6 ? 2 : num == 4);

   for (unsigned k = 0; k < num; k++) {
      if (undef_test(env->undef, va + 4 * k)) {
         model_violation(env->report, CHECK_UNINIT, "undefined value as tessellation factor %u", k);
         return;
      }
      if (k < outer && !(f[k] > 0))
         return;
   }
}

void vgt_tessellate(struct vgt *vgt, const struct model_env *env, const struct msg_patches *patches,
                    const struct vgt_mode *mode, const struct vgt_sink *sink)
{
   static const uint8_t factors_of[3] = { 2, 4, 6 };
   static const enum geom_prim kinds[4] = { GEOM_POINTS, GEOM_LINES, GEOM_TRIANGLES, GEOM_TRIANGLES };
   const struct regs *r = env->regs;
   uint32_t param = reg_ctx(r, R_028B6C_VGT_TF_PARAM);
   uint64_t ring = (uint64_t)(reg_uc(r, R_030944_VGT_TF_MEMORY_BASE_HI) & 0xff) << 40 |
                   (uint64_t)reg_uc(r, R_030940_VGT_TF_MEMORY_BASE) << 8;
   const struct tess_domain d = {
      .type = G_028B6C_TYPE(param), .partitioning = G_028B6C_PARTITIONING(param),
      .topology = G_028B6C_TOPOLOGY(param), .max_level = reg_ctx_f(r, R_028A18_VGT_HOS_MAX_TESS_LEVEL),
   };

   if (d.type > V_028B6C_TESS_QUAD || d.topology > V_028B6C_OUTPUT_TRIANGLE_CCW ||
       !(d.max_level >= 2 && d.max_level <= 64) || d.partitioning > V_028B6C_PART_FRAC_EVEN) {
      model_violation(env->report, CHECK_STATE, "VGT_TF_PARAM 0x%x, VGT_HOS_MAX_TESS_LEVEL %g", param, d.max_level);
      return;
   }
   if (!vgt->tess)
      vgt->tess = malloc(sizeof(*vgt->tess));
   vgt->env = env;
   vgt->sink = sink;
   vgt_begin_batches(vgt, mode);
   vgt->provoking_last = G_028814_PROVOKING_VTX_LAST(reg_ctx(r, R_028814_PA_SU_SC_MODE_CNTL));
   vgt->batch.kind = kinds[d.topology];
   for (unsigned i = 0; i < patches->num_patches; i++) {
      unsigned n = factors_of[d.type];
      float f[6] = { 0 };
      if (!vm_read(env->vm, VM_INDEX, ring + i * n * 4, f, n * 4))
         return;
      if (env->undef && env->undef->count)
         check_factors(env, ring + i * n * 4, f, n);
      tess_run(&d, f, vgt->tess);
      add_patch(vgt, vgt->tess, i, patches->prim_id[i]);
   }
   vgt_flush(vgt);
}
