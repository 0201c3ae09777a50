/* SPDX-License-Identifier: MIT */
/* Vertex grouper: turns an index stream into primitives, and vertices into waves
 * of 64. VGT_PRIMITIVE_TYPE; a vertex that stands in the open wave is not shaded
 * again. Assembles what geometry shaders emit, too. Patches: patches.c. */
#include "vgt_internal.h"
#include "amdgfxregs.h"
#include "index.h"
#include "obs/report.h"
#include "obs/work.h"
#include "regs/regs.h"
#include <stdlib.h>
#include <string.h>

struct vgt *vgt_create(void) { return calloc(1, sizeof(struct vgt)); }

void vgt_destroy(struct vgt *vgt)
{
   if (vgt)
      free(vgt->tess);
   free(vgt);
}

void vgt_flush(struct vgt *vgt)
{
   if (vgt->batch.num_prims)
      vgt->sink->batch(vgt->sink->ctx, &vgt->batch);
   vgt->batch.num_prims = vgt->batch.num_verts = 0;
   vgt->now++;
}

/* In front of a geometry shader VGT_GS_ONCHIP_CNTL limits a group. Vertices are
 * counted after each primitive, so that the last one may go beyond. */
void vgt_begin_batches(struct vgt *vgt, const struct vgt_mode *mode)
{
   vgt->mode = *mode;
   vgt->group_prims = mode->max_prims;
   vgt->group_verts = 64;
   if (mode->adjacency) {
      uint32_t cntl = reg_ctx(vgt->env->regs, R_028A44_VGT_GS_ONCHIP_CNTL);
      unsigned prims = G_028A44_GS_PRIMS_PER_SUBGRP(cntl), verts = G_028A44_ES_VERTS_PER_SUBGRP(cntl);
      if (!prims || !verts || !G_028A44_GS_INST_PRIMS_IN_SUBGRP(cntl))
         model_violation(vgt->env->report, CHECK_STATE, "VGT_GS_ONCHIP_CNTL 0x%x: a group of nothing", cntl);
      else {
         vgt->group_prims = prims < vgt->group_prims ? prims : vgt->group_prims;
         vgt->group_verts = verts < 64 ? verts : 64;
      }
   }
   vgt->batch.num_prims = vgt->batch.num_verts = 0;
}

static uint8_t add_vertex(struct vgt *vgt, uint32_t index)
{
   struct msg_vgt_batch *b = &vgt->batch;
   unsigned slot = (index * 0x9e3779b1u) >> 24;

   if (vgt->mode.reuse && vgt->stamp[slot] == vgt->now && vgt->key[slot] == index)
      return vgt->lane[slot];
   unsigned lane = b->num_verts++;
   b->vertex_id[lane] = index;
   b->instance_id[lane] = vgt->instance;
   b->prim_id[lane] = vgt->prim_id;
   b->fourth[lane] = 0;
   vgt->key[slot] = index;
   vgt->stamp[slot] = vgt->now;
   vgt->lane[slot] = lane;
   return lane;
}

/* One primitive of n vertices; `provoking` is the vertex that flat parameters
 * come from. */
static void emit(struct vgt *vgt, unsigned n, const uint32_t *index, unsigned provoking,
                 unsigned edges, bool start)
{
   struct msg_vgt_batch *b = &vgt->batch;

   if (b->num_verts + n > 64 || b->num_verts >= vgt->group_verts || b->num_prims >= vgt->group_prims)
      vgt_flush(vgt);
   struct msg_vgt_prim *p = &b->prims[b->num_prims++];
   for (unsigned i = 0; i < n; i++)
      p->v[i] = add_vertex(vgt, index[i]);
   for (unsigned i = n; i < 3; i++)
      p->v[i] = p->v[0];
   b->prim_verts = n;
   p->provoking = provoking;
   p->edges = edges;
   p->start = start;
   p->prim_id = vgt->prim_id;
   vgt->emitted = true;
   vgt->env->stats->primitives++;
}

static void emit_tri(struct vgt *vgt, uint32_t a, uint32_t b, uint32_t c, unsigned provoking, unsigned edges)
{
   emit(vgt, 3, (const uint32_t[]){ a, b, c }, provoking, edges, !vgt->emitted);
}

/* Quad a b c d in order around; provoking vertex a or the one numbered last. */
static void emit_quad(struct vgt *vgt, uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool strip)
{
   if (!vgt->provoking_last) {
      emit_tri(vgt, a, b, c, 0, 3);
      emit_tri(vgt, a, c, d, 0, 6);
   } else if (strip) { /* last of the strip's numbering is c */
      emit_tri(vgt, a, b, c, 2, 3);
      emit_tri(vgt, a, c, d, 1, 6);
   } else {
      emit_tri(vgt, a, b, d, 2, 5);
      emit_tri(vgt, b, c, d, 2, 3);
   }
}

/* State of assembly within one strip (between restarts). */
struct assembly {
   unsigned count;      /* vertices since the strip began */
   uint32_t v[10];      /* latest vertices or the primitive being collected */
   uint32_t first;
};

static void lists(struct vgt *vgt, struct assembly *a, unsigned type, uint32_t index)
{
   static const uint8_t size[32] = {
      [V_008958_DI_PT_POINTLIST] = 1, [V_008958_DI_PT_LINELIST] = 2, [V_008958_DI_PT_TRILIST] = 3,
      [V_008958_DI_PT_LINELIST_ADJ] = 4, [V_008958_DI_PT_TRILIST_ADJ] = 6,
      [V_008958_DI_PT_RECTLIST] = 3, [V_008958_DI_PT_QUADLIST] = 4,
   };
   unsigned last = vgt->provoking_last;

   a->v[a->count++] = index;
   if (a->count < size[type])
      return;
   a->count = 0;
   switch (type) {
   case V_008958_DI_PT_POINTLIST: emit(vgt, 1, a->v, 0, 0, true); break;
   case V_008958_DI_PT_LINELIST: emit(vgt, 2, a->v, last, 1, true); break;
   case V_008958_DI_PT_LINELIST_ADJ:
      if (vgt->mode.adjacency)
         emit(vgt, 4, a->v, last, 1, true);
      else
         emit(vgt, 2, a->v + 1, last, 1, true);
      break;
   case V_008958_DI_PT_TRILIST: emit_tri(vgt, a->v[0], a->v[1], a->v[2], last ? 2 : 0, 7); break;
   case V_008958_DI_PT_TRILIST_ADJ:
      if (vgt->mode.adjacency)
         emit(vgt, 6, a->v, last ? 2 : 0, 7, true);
      else
         emit_tri(vgt, a->v[0], a->v[2], a->v[4], last ? 2 : 0, 7);
      break;
   case V_008958_DI_PT_RECTLIST: emit(vgt, 3, a->v, last ? 2 : 0, 7, true); break;
   case V_008958_DI_PT_QUADLIST: emit_quad(vgt, a->v[0], a->v[1], a->v[2], a->v[3], false); break;
   }
   vgt->prim_id++;
}

/* Triangle strip with adjacency: even numbered vertices are the strip. */
static void tri_of_strip(struct vgt *vgt, unsigned i, uint32_t v0, uint32_t v1, uint32_t v2)
{
   if (!(i & 1))
      emit_tri(vgt, v0, v1, v2, vgt->provoking_last ? 2 : 0, 7);
   else if (vgt->provoking_last)
      emit_tri(vgt, v1, v0, v2, 2, 7);
   else
      emit_tri(vgt, v0, v2, v1, 0, 7);
   vgt->prim_id++;
}

static void strips(struct vgt *vgt, struct assembly *a, unsigned type, uint32_t index)
{
   unsigned n = a->count++, last = vgt->provoking_last;

   if (n == 0)
      a->first = index;
   switch (type) {
   case V_008958_DI_PT_LINESTRIP:
   case V_008958_DI_PT_LINELOOP:
      if (n >= 1) {
         emit(vgt, 2, (const uint32_t[]){ a->v[0], index }, last, 1, n == 1);
         vgt->prim_id++;
      }
      a->v[0] = index;
      break;
   case V_008958_DI_PT_LINESTRIP_ADJ:
      if (n >= 3) {
         if (vgt->mode.adjacency)
            emit(vgt, 4, (const uint32_t[]){ a->v[0], a->v[1], a->v[2], index }, last, 1, n == 3);
         else
            emit(vgt, 2, (const uint32_t[]){ a->v[1], a->v[2] }, last, 1, n == 3);
         vgt->prim_id++;
      }
      a->v[0] = a->v[1], a->v[1] = a->v[2], a->v[2] = index;
      break;
   case V_008958_DI_PT_TRISTRIP:
      if (n >= 2)
         tri_of_strip(vgt, n - 2, a->v[0], a->v[1], index);
      a->v[0] = a->v[1], a->v[1] = index;
      break;
   case V_008958_DI_PT_TRIFAN:
      if (n >= 2) {
         if (last)
            emit_tri(vgt, a->first, a->v[0], index, 2, 7);
         else
            emit_tri(vgt, a->v[0], index, a->first, 0, 7);
         vgt->prim_id++;
      }
      a->v[0] = index;
      break;
   case V_008958_DI_PT_QUADSTRIP:
      if (n >= 3 && (n & 1)) {
         emit_quad(vgt, a->v[0], a->v[1], index, a->v[2], true);
         vgt->prim_id++;
      }
      if (n < 3) {
         a->v[n] = index;
      } else if (n & 1) {
         a->v[0] = a->v[2], a->v[1] = index;
      } else {
         a->v[2] = index;
      }
      break;
   }
}

/* A polygon's fan is emitted one triangle late: only the last closes the edge. */
static void polygon(struct vgt *vgt, struct assembly *a, uint32_t index)
{
   unsigned n = a->count++;

   if (n == 0)
      a->first = index;
   if (n >= 3)
      emit_tri(vgt, a->first, a->v[0], a->v[1], 0, n == 3 ? 3 : 2);
   a->v[0] = a->v[1];
   a->v[1] = index;
}

/* Triangle i of a strip with adjacency: its vertices are 2i, 2i + 2, 2i + 4,
 * the neighbours lie between; a->v holds the latest 10, v[9] the newest, which
 * is number a->count - 1. Neighbour of the edge to the next triangle: the
 * vertex after that one's third or, at the end, the strip's last. */
static void strip_adj_tri(struct vgt *vgt, const struct assembly *a, bool last)
{
   unsigned i = (a->count - (last ? 6 : 7)) / 2;
   const uint32_t *w = &a->v[10 - a->count + 2 * i]; /* w[n]: vertex 2i + n */
   uint32_t before = i ? w[-2] : w[1], after = last ? w[5] : w[6];

   if (!vgt->mode.adjacency) {
      tri_of_strip(vgt, i, w[0], w[2], w[4]);
      return;
   }
   unsigned provoking = vgt->provoking_last ? 2 : 0;
   /* With the last vertex provoking, every second triangle comes turned by one
    * corner: no fault of the model, Ravens and GFX8 do so. radeonsi's cure
    * (gs_tri_strip_adj_fix) gets lost on GFX9 in Mesa 22.3, and the tests that
    * the record of a Raven lists are those that see it. */
   if (!(i & 1))
      emit(vgt, 6, (const uint32_t[]){ w[0], before, w[2], after, w[4], w[3] }, provoking, 7, true);
   else if (vgt->provoking_last)
      emit(vgt, 6, (const uint32_t[]){ w[0], w[3], w[4], after, w[2], before }, provoking, 7, true);
   else
      emit(vgt, 6, (const uint32_t[]){ w[2], before, w[0], w[3], w[4], after }, provoking, 7, true);
   vgt->prim_id++;
}

static void strip_adj(struct vgt *vgt, struct assembly *a, uint32_t index)
{
   memmove(a->v, a->v + 1, 9 * sizeof(a->v[0]));
   a->v[9] = index;
   a->count++;
   /* A triangle is known not to be the last when the next one is complete. */
   if (a->count >= 8 && !(a->count & 1)) {
      struct assembly back = *a;
      memmove(back.v + 1, back.v, 9 * sizeof(back.v[0]));
      back.count--;
      strip_adj_tri(vgt, &back, false);
   }
}

static void end_strip(struct vgt *vgt, struct assembly *a, unsigned type)
{
   if (type == V_008958_DI_PT_LINELOOP && a->count >= 2) {
      emit(vgt, 2, (const uint32_t[]){ a->v[0], a->first }, vgt->provoking_last, 1, false);
      vgt->prim_id++;
   } else if (type == V_008958_DI_PT_POLYGON && a->count >= 3) {
      emit_tri(vgt, a->first, a->v[0], a->v[1], 0, a->count == 3 ? 7 : 6);
      vgt->prim_id++;
   } else if (type == V_008958_DI_PT_TRISTRIP_ADJ && a->count >= 6) {
      if (a->count & 1) { /* the odd one out is no triangle */
         memmove(a->v + 1, a->v, 9 * sizeof(a->v[0]));
         a->count--;
      }
      strip_adj_tri(vgt, a, true);
   }
   a->count = 0;
}

static bool kind_of(unsigned type, enum geom_prim *kind)
{
   switch (type) {
   case V_008958_DI_PT_POINTLIST: *kind = GEOM_POINTS; return true;
   case V_008958_DI_PT_LINELIST:
   case V_008958_DI_PT_LINESTRIP:
   case V_008958_DI_PT_LINELIST_ADJ:
   case V_008958_DI_PT_LINESTRIP_ADJ:
   case V_008958_DI_PT_LINELOOP: *kind = GEOM_LINES; return true;
   case V_008958_DI_PT_RECTLIST: *kind = GEOM_RECTS; return true;
   case V_008958_DI_PT_TRILIST:
   case V_008958_DI_PT_TRIFAN:
   case V_008958_DI_PT_TRISTRIP:
   case V_008958_DI_PT_TRILIST_ADJ:
   case V_008958_DI_PT_TRISTRIP_ADJ:
   case V_008958_DI_PT_QUADLIST:
   case V_008958_DI_PT_QUADSTRIP:
   case V_008958_DI_PT_POLYGON: *kind = GEOM_TRIANGLES; return true;
   default: return false;
   }
}

static bool is_list(unsigned type)
{
   return type == V_008958_DI_PT_POINTLIST || type == V_008958_DI_PT_LINELIST ||
          type == V_008958_DI_PT_TRILIST || type == V_008958_DI_PT_LINELIST_ADJ ||
          type == V_008958_DI_PT_TRILIST_ADJ || type == V_008958_DI_PT_RECTLIST ||
          type == V_008958_DI_PT_QUADLIST;
}

void vgt_draw(struct vgt *vgt, const struct model_env *env, const struct msg_draw *draw,
              const struct vgt_mode *mode, const struct vgt_sink *sink)
{
   unsigned type = G_030908_PRIM_TYPE(reg_uc(env->regs, R_030908_VGT_PRIMITIVE_TYPE));
   bool list = is_list(type);
   struct vgt_indices in;

   if (!kind_of(type, &vgt->batch.kind)) {
      model_violation(env->report, CHECK_STATE, "VGT_PRIMITIVE_TYPE %u is no primitive of vertices", type);
      return;
   }
   vgt->env = env;
   vgt->sink = sink;
   vgt->emitted = false;
   vgt->provoking_last = G_028814_PROVOKING_VTX_LAST(reg_ctx(env->regs, R_028814_PA_SU_SC_MODE_CNTL));
   vgt_begin_batches(vgt, mode);
   vgt_indices_init(&in, env, draw);

   for (uint32_t instance = 0; instance < draw->num_instances; instance++) {
      struct assembly a = { 0 };

      vgt->instance = instance;
      vgt->prim_id = 0;
      env->stats->indices += draw->num_indices;
      if (model_work_check(env))
         return;
      vgt->now++; /* vertices of another instance are other vertices */
      for (uint32_t i = 0; i < draw->num_indices; i++) {
         uint32_t index;
         if (i % 1024 == 0 && model_work_check(env))
            return;
         if (!vgt_index(&in, i, &index)) {
            end_strip(vgt, &a, type);
            continue;
         }
         if (type == V_008958_DI_PT_POLYGON)
            polygon(vgt, &a, index);
         else if (type == V_008958_DI_PT_TRISTRIP_ADJ)
            strip_adj(vgt, &a, index);
         else if (list)
            lists(vgt, &a, type, index);
         else
            strips(vgt, &a, type, index);
      }
      end_strip(vgt, &a, type);
      if (model_failed(env->report))
         return;
   }
   vgt_flush(vgt);
}

/* Where vertex n of a thread lies in the GSVS ring, in dwords: threads stand in
 * groups of 16, within a group vertex by vertex, component planes apart. */
static uint32_t gsvs_place(uint32_t stream_dwords, uint32_t item_dwords, uint32_t wave_dwords, unsigned thread,
                           unsigned n)
{
   unsigned t = thread & 63;

   return (thread / 64) * wave_dwords + stream_dwords * 64 + (t / 16) * item_dwords * 16 + n * 16 + t % 16;
}

void vgt_gs_out(struct vgt *vgt, const struct model_env *env, const struct msg_gs_out *gs,
                unsigned stream, bool reuse, const struct vgt_sink *sink)
{
   static const enum geom_prim kinds[3] = { GEOM_POINTS, GEOM_LINES, GEOM_TRIANGLES };
   const struct regs *r = env->regs;
   uint32_t type_reg = reg_ctx(r, R_028A6C_VGT_GS_OUT_PRIM_TYPE);
   const uint32_t types[4] = { G_028A6C_OUTPRIM_TYPE(type_reg), G_028A6C_OUTPRIM_TYPE_1(type_reg),
                               G_028A6C_OUTPRIM_TYPE_2(type_reg), G_028A6C_OUTPRIM_TYPE_3(type_reg) };
   unsigned type = types[G_028A6C_UNIQUE_TYPE_PER_STREAM(type_reg) ? stream : 0];
   uint32_t item = reg_ctx(r, R_028B5C_VGT_GS_VERT_ITEMSIZE + stream * 4) * reg_ctx(r, R_028B38_VGT_GS_MAX_VERT_OUT);
   uint32_t base = stream ? reg_ctx(r, R_028A60_VGT_GSVS_RING_OFFSET_1 + (stream - 1) * 4) : 0;
   uint32_t wave = reg_ctx(r, R_028AB0_VGT_GSVS_RING_ITEMSIZE) * 64;

   if (type > 2) {
      model_violation(env->report, CHECK_REGISTER, "VGT_GS_OUT_PRIM_TYPE %u", type);
      return;
   }
   vgt->env = env;
   vgt->sink = sink;
   vgt_begin_batches(vgt, &(struct vgt_mode){ .reuse = reuse, .max_prims = GEOM_BATCH_PRIMS });
   vgt->provoking_last = G_028814_PROVOKING_VTX_LAST(reg_ctx(r, R_028814_PA_SU_SC_MODE_CNTL));
   vgt->instance = 0;
   vgt->emitted = false;
   vgt->batch.kind = kinds[type];
   vgt->now++;
   for (unsigned t = 0; t < gs->num_threads; t++) {
      struct assembly a = { 0 };

      for (unsigned n = 0; n < gs->count[stream][t]; n++) {
         uint32_t place = gsvs_place(base, item, wave, t, n);
         vgt->prim_id = gs->prim_id[t];
         if (gs->cut[stream][t][n])
            a.count = 0;
         if (type == 0)
            lists(vgt, &a, V_008958_DI_PT_POINTLIST, place);
         else
            strips(vgt, &a, type == 1 ? V_008958_DI_PT_LINESTRIP : V_008958_DI_PT_TRISTRIP, place);
      }
   }
   vgt_flush(vgt);
}
