/* SPDX-License-Identifier: MIT */
/* Primitive assembler: takes the exported vertices of a batch, drops what is
 * culled by distances, clips and hands on to set-up.
 * PA_CL_VS_OUT_CNTL, PA_CL_CLIP_CNTL, PA_CL_VTE_CNTL, PA_SU_*. */
#include "pa_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pa *pa_create(void) { return calloc(1, sizeof(struct pa)); }
void pa_destroy(struct pa *pa) { free(pa); }

void pa_counts(const struct pa *pa, uint64_t *in, uint64_t *out)
{
   *in = pa->prims_in;
   *out = pa->prims_out;
}

/* Position exports are packed: the misc vector and the clip distances take the
 * next free slot when PA_CL_VS_OUT_CNTL says that they come. */
static void export_slots(struct pa *pa)
{
   int slot = 1;

   pa->misc_slot = G_02881C_VS_OUT_MISC_VEC_ENA(pa->vs_out) ? slot++ : -1;
   pa->cc_slot[0] = G_02881C_VS_OUT_CCDIST0_VEC_ENA(pa->vs_out) ? slot++ : -1;
   pa->cc_slot[1] = G_02881C_VS_OUT_CCDIST1_VEC_ENA(pa->vs_out) ? slot++ : -1;
}

static void read_offset(struct pa *pa, const struct regs *r)
{
   uint32_t fmt = reg_ctx(r, R_028B78_PA_SU_POLY_OFFSET_DB_FMT_CNTL);

   pa->offset_scale[0] = reg_ctx_f(r, R_028B80_PA_SU_POLY_OFFSET_FRONT_SCALE);
   pa->offset_units[0] = reg_ctx_f(r, R_028B84_PA_SU_POLY_OFFSET_FRONT_OFFSET);
   pa->offset_scale[1] = reg_ctx_f(r, R_028B88_PA_SU_POLY_OFFSET_BACK_SCALE);
   pa->offset_units[1] = reg_ctx_f(r, R_028B8C_PA_SU_POLY_OFFSET_BACK_OFFSET);
   pa->offset_clamp = reg_ctx_f(r, R_028B7C_PA_SU_POLY_OFFSET_CLAMP);
   pa->db_bits = (int8_t)G_028B78_POLY_OFFSET_NEG_NUM_DB_BITS(fmt);
   pa->db_float = G_028B78_POLY_OFFSET_DB_IS_FLOAT_FMT(fmt);
}

static void read_sizes(struct pa *pa, const struct regs *r)
{
   uint32_t size = reg_ctx(r, R_028A00_PA_SU_POINT_SIZE), mm = reg_ctx(r, R_028A04_PA_SU_POINT_MINMAX);

   pa->point_size[0] = G_028A00_WIDTH(size) / 16.0;
   pa->point_size[1] = G_028A00_HEIGHT(size) / 16.0;
   pa->point_min = G_028A04_MIN_SIZE(mm) / 16.0;
   pa->point_max = G_028A04_MAX_SIZE(mm) / 16.0;
   pa->line_cntl = reg_ctx(r, R_028BDC_PA_SC_LINE_CNTL);
   pa->line_width = G_028A08_WIDTH(reg_ctx(r, R_028A08_PA_SU_LINE_CNTL)) / 8.0;
}

/* Modes that no OpenGL or Vulkan driver for this generation turns on, and whose
 * details no document gives. */
static void check_modes(const struct pa *pa, const struct model_env *env)
{
   const struct { uint32_t set; const char *name; } modes[] = {
      { G_02881C_USE_VTX_KILL_FLAG(pa->vs_out), "PA_CL_VS_OUT_CNTL.USE_VTX_KILL_FLAG" },
      { G_02881C_USE_VTX_GS_CUT_FLAG(pa->vs_out), "PA_CL_VS_OUT_CNTL.USE_VTX_GS_CUT_FLAG" },
      { G_02881C_USE_VTX_LINE_WIDTH_GFX8(pa->vs_out), "PA_CL_VS_OUT_CNTL.USE_VTX_LINE_WIDTH" },
      { G_02881C_USE_VTX_SHD_OBJPRIM_ID_GFX9(pa->vs_out), "PA_CL_VS_OUT_CNTL.USE_VTX_SHD_OBJPRIM_ID" },
      { pa->ucp_mask ? G_028810_PS_UCP_MODE(pa->clip) : 0, "PA_CL_CLIP_CNTL.PS_UCP_MODE" },
      { G_028810_VTE_VPORT_PROVOKE_DISABLE(pa->clip), "PA_CL_CLIP_CNTL.VTE_VPORT_PROVOKE_DISABLE" },
      { G_028810_ZCLIP_PROG_NEAR_ENA(pa->clip), "PA_CL_CLIP_CNTL.ZCLIP_PROG_NEAR_ENA" },
   };

   for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
      if (modes[i].set)
         model_violation(env->report, CHECK_MODEL, "%s is not done", modes[i].name);
}

void pa_begin_draw(struct pa *pa, const struct model_env *env)
{
   const struct regs *r = env->regs;

   pa->vte = reg_ctx(r, R_028818_PA_CL_VTE_CNTL);
   pa->clip = reg_ctx(r, R_028810_PA_CL_CLIP_CNTL);
   pa->vs_out = reg_ctx(r, R_02881C_PA_CL_VS_OUT_CNTL);
   pa->mode = reg_ctx(r, R_028814_PA_SU_SC_MODE_CNTL);
   pa->vtx_cntl = reg_ctx(r, R_028BE4_PA_SU_VTX_CNTL);
   for (unsigned i = 0; i < 16; i++) {
      struct pa_viewport *v = &pa->vport[i];
      for (unsigned c = 0; c < 3; c++) {
         v->scale[c] = reg_ctx_f(r, R_02843C_PA_CL_VPORT_XSCALE + i * 24 + c * 8);
         v->offset[c] = reg_ctx_f(r, R_02843C_PA_CL_VPORT_XSCALE + i * 24 + c * 8 + 4);
      }
      v->z_min = reg_ctx_f(r, R_0282D0_PA_SC_VPORT_ZMIN_0 + i * 8);
      v->z_max = reg_ctx_f(r, R_0282D4_PA_SC_VPORT_ZMAX_0 + i * 8);
   }
   for (unsigned i = 0; i < 6; i++)
      for (unsigned c = 0; c < 4; c++)
         pa->ucp[i][c] = reg_ctx_f(r, R_0285BC_PA_CL_UCP_0_X + i * 16 + c * 4);
   pa->gb_clip[0] = reg_ctx_f(r, R_028BF0_PA_CL_GB_HORZ_CLIP_ADJ);
   pa->gb_clip[1] = reg_ctx_f(r, R_028BE8_PA_CL_GB_VERT_CLIP_ADJ);
   pa->gb_disc[0] = reg_ctx_f(r, R_028BF4_PA_CL_GB_HORZ_DISC_ADJ);
   pa->gb_disc[1] = reg_ctx_f(r, R_028BEC_PA_CL_GB_VERT_DISC_ADJ);
   pa->ucp_mask = pa->clip & 0x3f;
   pa->cull_only = G_028810_UCP_CULL_ONLY_ENA(pa->clip);
   pa->dist_mask = (pa->cull_only ? 0 : pa->ucp_mask) | (pa->vs_out & 0xff) << 6;
   pa->cull_mask = pa->vs_out >> 8 & 0xff;
   export_slots(pa);
   read_offset(pa, r);
   read_sizes(pa, r);
   uint32_t wo = reg_ctx(r, R_028200_PA_SC_WINDOW_OFFSET);
   bool use_wo = G_028814_VTX_WINDOW_OFFSET_ENABLE(pa->mode);
   pa->window_offset[0] = use_wo ? (int16_t)G_028200_WINDOW_X_OFFSET(wo) * GEOM_SUBPIX : 0;
   pa->window_offset[1] = use_wo ? (int16_t)G_028200_WINDOW_Y_OFFSET(wo) * GEOM_SUBPIX : 0;
   pa->msaa = G_028A48_MSAA_ENABLE(reg_ctx(r, R_028A48_PA_SC_MODE_CNTL_0)) &&
              G_028BE0_MSAA_NUM_SAMPLES(reg_ctx(r, R_028BE0_PA_SC_AA_CONFIG));

   pa->over_rast = G_028C4C_OVER_RAST_ENABLE(reg_ctx(r, R_028C4C_PA_SC_CONSERVATIVE_RASTERIZATION_CNTL));
   check_modes(pa, env);
   if (((pa->vs_out & 0x0f0f) && pa->cc_slot[0] < 0) || ((pa->vs_out & 0xf0f0) && pa->cc_slot[1] < 0))
      model_violation(env->report, CHECK_STATE,
                      "PA_CL_VS_OUT_CNTL 0x%x enables clip distances that the shader does not export", pa->vs_out);
}

static void fetch(const struct pa *pa, struct pa_vert *v, unsigned lane)
{
   const struct msg_vs_out *vs = pa->vs;

   memset(v->dist, 0, sizeof(v->dist));
   for (unsigned c = 0; c < 4; c++)
      v->pos[c] = geom_uif(vs->pos[0][c][lane]);
   for (unsigned i = 0; i < 6; i++)
      if (pa->ucp_mask >> i & 1)
         v->dist[i] = pa->ucp[i][0] * v->pos[0] + pa->ucp[i][1] * v->pos[1] +
                      pa->ucp[i][2] * v->pos[2] + pa->ucp[i][3] * v->pos[3];
   for (unsigned h = 0; h < 2; h++)
      if (pa->cc_slot[h] >= 0)
         for (unsigned c = 0; c < 4; c++)
            v->dist[6 + h * 4 + c] = geom_uif(vs->pos[pa->cc_slot[h]][c][lane]);
   v->edge = true;
   if (pa->misc_slot >= 0 && G_02881C_USE_VTX_EDGE_FLAG(pa->vs_out))
      v->edge = vs->pos[pa->misc_slot][1][lane] & 1;
   v->psize = pa->misc_slot >= 0 ? geom_uif(vs->pos[pa->misc_slot][0][lane]) : 1.0f;
}

static bool is_bad(const struct pa_vert *v)
{
   return isnan(v->pos[0]) || isnan(v->pos[1]) || isnan(v->pos[2]) || isnan(v->pos[3]);
}

/* All vertices lie outside of one of the planes in `mask` (entries of dist). */
static bool culled_by_distance(const struct pa_vert *v, unsigned n, unsigned mask)
{
   for (; mask; mask &= mask - 1) {
      unsigned i = __builtin_ctz(mask);
      bool out = true;
      for (unsigned k = 0; k < n; k++)
         out &= !(v[k].dist[i] >= 0); /* NaN is outside */
      if (out)
         return true;
   }
   return false;
}

/* Layer and viewport come from the provoking vertex; GFX9 packs both into the
 * third component: layer 10:0, viewport 19:16. */
static void routing(struct pa *pa)
{
   uint32_t packed = 0;

   if (pa->misc_slot >= 0)
      packed = pa->vs->pos[pa->misc_slot][2][pa->src->v[pa->src->provoking]];
   pa->out.layer = G_02881C_USE_VTX_RENDER_TARGET_INDX(pa->vs_out) ? packed & 0x7ff : 0;
   pa->out.viewport = G_02881C_USE_VTX_VIEWPORT_INDX(pa->vs_out) ? packed >> 16 & 0xf : 0;
   pa->out.z_min = pa->vport[pa->out.viewport].z_min;
   pa->out.z_max = pa->vport[pa->out.viewport].z_max;
}

static void process_prim(struct pa *pa, enum geom_prim kind, const struct msg_vgt_prim *src)
{
   static const uint8_t num[4] = { 1, 2, 3, 3 };
   bool clip_disable = G_028810_CLIP_DISABLE(pa->clip);
   struct pa_vert v[PA_MAX_VERTS];
   unsigned n = num[kind];

   pa->src = src;
   for (unsigned i = 0; i < n; i++) {
      fetch(pa, &v[i], src->v[i]);
      v[i].edge &= src->edges >> i & 1;
      v[i].b1 = v[i].l1 = i == 1;
      v[i].b2 = v[i].l2 = i == 2;
      if (is_bad(&v[i]))
         return;
   }
   if (culled_by_distance(v, n, pa->cull_mask << 6))
      return;
   if (pa->cull_only && culled_by_distance(v, n, pa->ucp_mask))
      return;
   pa->out.orig = kind;
   pa->out.vs = pa->vs;
   memcpy(pa->out.lane, src->v, 3);
   pa->out.provoking = src->provoking;
   pa->out.prim_id = src->prim_id;
   pa->out.stipple_start = src->start;
   pa->out.front = true;
   pa->out.sprite = false;
   routing(pa);

   if (!clip_disable && kind != GEOM_RECTS) {
      if (pa_reject(pa, v, n))
         return;
      if (kind == GEOM_POINTS)
         n = pa_point_inside(pa, v);
      else if (kind == GEOM_LINES)
         n = pa_clip_line(pa, v);
      else
         n = pa_clip_polygon(pa, v, n);
      if (n < (kind == GEOM_TRIANGLES ? 3u : num[kind]))
         return;
   }
   for (unsigned i = 0; i < n; i++)
      pa_to_window(pa, &v[i]);
   switch (kind) {
   case GEOM_POINTS: pa_setup_point(pa, v, 0); break;
   case GEOM_LINES: pa_setup_line(pa, &v[0], &v[1], 0); break;
   case GEOM_TRIANGLES: pa_setup_polygon(pa, v, n); break;
   case GEOM_RECTS: pa_setup_rect(pa, v); break;
   }
}

void pa_emit(struct pa *pa, const struct msg_sc_prim *prim)
{
   pa->prims_out++;
   pa->sink->prim(pa->sink->ctx, prim);
}

void pa_process(struct pa *pa, const struct model_env *env, const struct msg_vgt_batch *batch,
                const struct msg_vs_out *vs, const struct pa_sink *sink)
{
   if (G_028810_DX_RASTERIZATION_KILL(pa->clip))
      return;
   pa->env = env;
   pa->sink = sink;
   pa->vs = vs;
   for (unsigned i = 0; i < batch->num_prims; i++) {
      uint64_t before = pa->prims_out;
      pa->prims_in++;
      process_prim(pa, batch->kind, &batch->prims[i]);
      if (pa->prims_out == before)
         env->stats->prims_culled++;
   }
}
