/* SPDX-License-Identifier: MIT */
/* Wires the blocks of the graphics pipeline: the only file that sees them all.
 * A draw runs to its end before the next one starts, so blocks read their
 * registers once a draw. */
#include "pipeline.h"
#include "amdgfxregs.h"
#include "cache/cache.h"
#include "cb/cb.h"
#include "obs/dump.h"
#include "db/db.h"
#include "obs/report.h"
#include "obs/stats.h"
#include "obs/work.h"
#include "pa/pa.h"
#include "parallel.h"
#include "regs/regs.h"
#include "sc/sc.h"
#include "so/so.h"
#include "solid.h"
#include "spi/spi.h"
#include "sq/sq.h"
#include "vgt/vgt.h"
#include "vm/undef.h"
#include "watch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct pipeline {
   /* Index stream, behind the tessellator, behind the geometry shader */
   struct vgt *vgt, *ds_vgt, *gs_vgt;
   struct vgt_mode mode;
   struct spi *spi;
   struct pa *pa;
   struct sc *sc;
   struct db *db;
   struct cb *cb;
   struct so *so;
   struct sq *sq;
   struct parallel *parallel;   /* executes pixel waves */
   struct solid *solid;
   const struct model_env *env;
   struct spi_ports ports;
   struct pa_sink pa_sink;
   struct sc_sink sc_sink;
   bool run_ps;            /* pixels reach shader and colour */
   struct msg_vs_out vs_out;
   struct msg_gs_out *gs_out;
   unsigned gs_instances, gs_stream, rast_stream;
   uint64_t gs_invocations, gs_primitives, hs_invocations;
   uint64_t ia_vertices, ia_primitives, vs_invocations, ps_invocations, cs_invocations;
};

/* Draws can be endless as well as programs. */
static void check_work(struct pipeline *p)
{
   const struct model_env *env = p->env;
   if (!env->work_end || model_work(env->stats) + PARALLEL_BEHIND <= env->work_end)
      return;
   parallel_settle(p->parallel);
   model_work_check(env);
}

static void run_waves(void *ctx, const struct sq_wave_init *waves, unsigned num_waves,
                      unsigned lds_bytes, const struct sq_sink *sink)
{
   struct pipeline *p = ctx;
   struct model_stats *st = p->env->stats;

   st->waves[waves->stage] += num_waves;
   for (unsigned i = 0; i < num_waves; i++)
      st->lanes[waves->stage] += __builtin_popcountll(waves[i].exec);
   sq_run(p->sq, p->env, waves, num_waves, lds_bytes, sink);
   check_work(p);
}

/* Finished pixels: last tests, then colour. */
static struct spi_ps *on_wave(void *ctx, struct spi_ps *ps)
{
   struct pipeline *p = ctx;
   return parallel_wave(p->parallel, ps);
}

static void on_pixels(void *ctx, const struct msg_pixels *px)
{
   struct pipeline *p = ctx;
   struct msg_ps_quads out;
   unsigned samples = 0;

   watch_shaded(p->env, px);
   memset(out.coverage, 0, sizeof(out.coverage));
   db_late(p->db, p->env, px, out.coverage);
   out.num_quads = px->num_quads;
   for (unsigned q = 0; q < px->num_quads; q++) {
      out.x[q] = px->quads[q].x;
      out.y[q] = px->quads[q].y;
      out.layer[q] = px->quads[q].prim->layer;
   }
   for (unsigned i = 0; i < 64; i += 4) {
      uint64_t four;
      memcpy(&four, &out.coverage[i], 8);
      samples += __builtin_popcountll(four);
   }
   for (unsigned i = 0; i < 8; i++) {
      out.color[i] = px->color[i];
      out.color_en[i] = px->color_en[i];
      out.color_compr[i] = px->color_compr[i];
   }
   static _Thread_local uint32_t copied[4][64];
   out.from_db = samples && db_copies(p->db);
   if (out.from_db) {
      db_copy(p->db, p->env, px, out.coverage, copied);
      out.color[0] = copied;
   }
   if (samples) {
      p->env->stats->samples_written += samples;
      watch_color(p->env, px, out.coverage, p->cb, false);
      cb_write(p->cb, p->env, &out);
      watch_color(p->env, px, out.coverage, p->cb, true);
   }
}

/* Where the shader runs more than once a pixel. */
static void add_iterations(struct pipeline *p, const struct msg_quad *quad, unsigned iters)
{
   /* The shader runs once for every group of samples. */
   static const uint16_t group[5] = { 0xffff, 0x5555, 0x1111, 0x0101, 0x0001 };
   unsigned log2 = __builtin_ctz(iters);
   for (unsigned it = 0; it < iters; it++) {
      struct msg_quad part = *quad;
      unsigned any = 0;
      for (unsigned i = 0; i < 4; i++)
         any |= part.cover[i] &= group[log2] << it;
      part.iter = it;
      if (any)
         spi_add_quad(p->spi, p->env, &p->ports, &part);
   }
}

static void on_quads(void *ctx, struct msg_quad *quads, unsigned num)
{
   struct pipeline *p = ctx;
   p->env->stats->raster_quads += num;
   check_work(p);
   if (model_failed(p->env->report))
      return;
   const unsigned iters = sc_samples(p->sc)->ps_iter;
   const bool early = db_tests_early(p->db);

   for (unsigned n = 0; n < num; n++) {
      struct msg_quad *q = &quads[n];
      const bool watched = watch_covered(p->env, q);
      if (early) {
         db_early(p->db, p->env, q);
         if (watched)
            watch_early(p->env, q);
         if (!(q->cover[0] | q->cover[1] | q->cover[2] | q->cover[3]))
            continue;
      }
      if (!p->run_ps)
         continue;
      if (iters == 1)
         spi_add_quad(p->spi, p->env, &p->ports, q);
      else
         add_iterations(p, q, iters);
   }
}

static bool on_tile(void *ctx, const struct msg_sc_prim *prim, int x, int y)
{
   struct pipeline *p = ctx;

   check_work(p);
   return p->run_ps && !model_failed(p->env->report) && solid_tile(p->solid, p->env, prim, x, y);
}

static void on_prim(void *ctx, const struct msg_sc_prim *prim)
{
   struct pipeline *p = ctx;

   sc_rasterise(p->sc, prim, &p->sc_sink);
}

/* The last vertex stage: vertex shader, or the copy shader behind a geometry
 * shader. Streams other than the rasterised one are only written to buffers. */
static void run_vs(struct pipeline *p, const struct msg_vgt_batch *batch, unsigned stream)
{
   struct msg_streamout so;
   bool streamout = so_active(p->so, stream);

   if (model_failed(p->env->report))
      return;
   if (streamout)
      so_wave(p->so, p->env, stream, batch->num_prims, batch->prim_verts, &so);
   spi_run_vs(p->spi, p->env, &p->ports, batch, streamout ? &so : NULL, &p->vs_out);
   if (model_failed(p->env->report) || stream != p->rast_stream)
      return;
   pa_process(p->pa, p->env, batch, &p->vs_out, &p->pa_sink);
}

static void on_batch(void *ctx, const struct msg_vgt_batch *batch)
{
   run_vs(ctx, batch, 0);
}

static void on_gs_batch(void *ctx, const struct msg_vgt_batch *batch)
{
   struct pipeline *p = ctx;

   run_vs(p, batch, p->gs_stream);
}

/* Vertices and primitives in front of a geometry shader. */
static void on_es_batch(void *ctx, const struct msg_vgt_batch *batch)
{
   struct pipeline *p = ctx;
   const struct vgt_sink sink = { .ctx = p, .batch = on_gs_batch };

   if (model_failed(p->env->report))
      return;
   spi_run_gs(p->spi, p->env, &p->ports, batch, p->gs_instances, p->gs_out);
   p->gs_invocations += p->gs_out->num_threads;
   for (unsigned s = 0; s < 4 && !model_failed(p->env->report); s++) {
      bool any = false;
      for (unsigned t = 0; t < p->gs_out->num_threads; t++)
         any |= p->gs_out->count[s][t];
      if (!any || (s != p->rast_stream && !so_active(p->so, s)))
         continue;
      uint64_t prims = p->env->stats->primitives;
      p->gs_stream = s;
      vgt_gs_out(p->gs_vgt, p->env, p->gs_out, s, !so_active(p->so, s), &sink);
      p->gs_primitives += p->env->stats->primitives - prims;
      p->env->stats->primitives = prims;
   }
}

struct pipeline *pipeline_create(void)
{
   struct pipeline *p = calloc(1, sizeof(*p));

   if (!p)
      return NULL;
   p->vgt = vgt_create();
   p->ds_vgt = vgt_create();
   p->gs_vgt = vgt_create();
   p->gs_out = malloc(sizeof(*p->gs_out));
   p->spi = spi_create();
   p->pa = pa_create();
   p->sc = sc_create();
   p->db = db_create();
   p->cb = cb_create();
   p->so = so_create();
   p->sq = sq_create();
   p->ports = (struct spi_ports){ .ctx = p, .run = run_waves, .wave = on_wave };
   p->pa_sink = (struct pa_sink){ .ctx = p, .prim = on_prim };
   p->sc_sink = (struct sc_sink){ .ctx = p, .quads = on_quads, .tile = on_tile };
   if (p->spi && p->sq)
      p->parallel = parallel_create(p->spi, p->sq, &(struct parallel_ports){ .ctx = p, .pixels = on_pixels });
   if (p->parallel)
      p->solid = solid_create(&(struct solid_blocks){ .sq = p->sq, .spi = p->spi, .db = p->db, .cb = p->cb, .parallel = p->parallel });
   if (!p->parallel || !p->solid || !p->vgt || !p->ds_vgt || !p->gs_vgt || !p->gs_out || !p->spi || !p->pa || !p->sc || !p->db ||
       !p->cb || !p->so || !p->sq) {
      pipeline_destroy(p);
      return NULL;
   }
   return p;
}

void pipeline_destroy(struct pipeline *p)
{
   if (!p)
      return;
   solid_destroy(p->solid);
   parallel_destroy(p->parallel);
   vgt_destroy(p->vgt);
   vgt_destroy(p->ds_vgt);
   vgt_destroy(p->gs_vgt);
   free(p->gs_out);
   spi_destroy(p->spi);
   pa_destroy(p->pa);
   sc_destroy(p->sc);
   db_destroy(p->db);
   so_destroy(p->so);
   if (p->cb)
      cb_destroy(p->cb);
   if (p->sq)
      sq_destroy(p->sq);
   free(p);
}

void pipeline_set_threads(struct pipeline *p, unsigned threads) { parallel_set_threads(p->parallel, threads); }

void pipeline_set_general(struct pipeline *p, bool general) { solid_set(p->solid, !general); }

uint64_t pipeline_solid_tiles(const struct pipeline *p) { return solid_tiles(p->solid); }

uint64_t pipeline_waves_ahead(const struct pipeline *p, uint64_t *again) { return parallel_count(p->parallel, again); }

static bool draw_is_possible(const struct model_env *env)
{
   uint32_t st = reg_ctx(env->regs, R_028B54_VGT_SHADER_STAGES_EN);
   bool tess = G_028B54_HS_EN(st);
   unsigned es = !G_028B54_GS_EN(st) ? V_028B54_ES_STAGE_OFF : tess ? V_028B54_ES_STAGE_DS : V_028B54_ES_STAGE_REAL;
   unsigned vs = G_028B54_GS_EN(st) ? V_028B54_VS_STAGE_COPY_SHADER : tess ? V_028B54_VS_STAGE_DS : V_028B54_VS_STAGE_REAL;

   if (G_028B54_LS_EN(st) != tess || G_028B54_ES_EN(st) != es || G_028B54_VS_EN(st) != vs) {
      model_violation(env->report, CHECK_STATE, "VGT_SHADER_STAGES_EN 0x%x is no known set of stages, draw skipped", st);
      return false;
   }
   return true;
}

static void on_patches(void *ctx, const struct msg_patches *patches)
{
   struct pipeline *p = ctx;
   const struct vgt_sink sink = { .ctx = p, .batch = p->gs_instances ? on_es_batch : on_batch };

   if (model_failed(p->env->report))
      return;
   spi_run_hs(p->spi, p->env, &p->ports, patches);
   p->hs_invocations += patches->num_patches;
   if (!model_failed(p->env->report))
      vgt_tessellate(p->ds_vgt, p->env, patches, &p->mode, &sink);
}

static void run_vgt(struct pipeline *p, const struct model_env *env, const struct msg_draw *draw)
{
   uint32_t stages = reg_ctx(env->regs, R_028B54_VGT_SHADER_STAGES_EN);
   bool prim_ids = G_028A84_PRIMITIVEID_EN(reg_ctx(env->regs, R_028A84_VGT_PRIMITIVEID_EN));

   p->rast_stream = G_028B94_RAST_STREAM(reg_ctx(env->regs, R_028B94_VGT_STRMOUT_CONFIG));
   p->gs_instances = 0;
   /* The points of one patch share its number. */
   p->mode = (struct vgt_mode){ .reuse = (!prim_ids || G_028B54_HS_EN(stages)) && !so_active(p->so, 0),
                                .max_prims = GEOM_BATCH_PRIMS };
   if (G_028B54_GS_EN(stages)) {
      uint32_t cnt = reg_ctx(env->regs, R_028B90_VGT_GS_INSTANCE_CNT);
      p->gs_instances = G_028B90_ENABLE(cnt) && G_028B90_CNT(cnt) ? G_028B90_CNT(cnt) : 1;
      p->mode.reuse = true;
      p->mode.adjacency = true;
      p->mode.max_prims = p->gs_instances >= 64 ? 1 : 64 / p->gs_instances;
   }
   if (G_028B54_HS_EN(stages)) {
      const struct vgt_patch_sink sink = { .ctx = p, .group = on_patches };
      vgt_draw_patches(p->vgt, env, draw, &sink);
   } else {
      const struct vgt_sink sink = { .ctx = p, .batch = p->gs_instances ? on_es_batch : on_batch };
      vgt_draw(p->vgt, env, draw, &p->mode, &sink);
   }
}

/* Work that no GPU would finish before the kernel gives up on it. */
#define MAX_VERTICES (1ull << 31)
#define MAX_GROUPS   (1ull << 28)

static const char *primitive_name(const struct model_env *env)
{
   static const char *const names[64] = {
      [V_008958_DI_PT_POINTLIST] = "points", [V_008958_DI_PT_LINELIST] = "lines",
      [V_008958_DI_PT_LINESTRIP] = "line strip", [V_008958_DI_PT_TRILIST] = "triangles",
      [V_008958_DI_PT_TRIFAN] = "triangle fan", [V_008958_DI_PT_TRISTRIP] = "triangle strip",
      [V_008958_DI_PT_PATCH] = "patches", [V_008958_DI_PT_LINELIST_ADJ] = "lines adjacency",
      [V_008958_DI_PT_LINESTRIP_ADJ] = "line strip adjacency", [V_008958_DI_PT_TRILIST_ADJ] = "triangles adjacency",
      [V_008958_DI_PT_TRISTRIP_ADJ] = "triangle strip adjacency", [V_008958_DI_PT_RECTLIST] = "rectangles",
      [V_008958_DI_PT_LINELOOP] = "line loop", [V_008958_DI_PT_QUADLIST] = "quads",
      [V_008958_DI_PT_QUADSTRIP] = "quad strip", [V_008958_DI_PT_POLYGON] = "polygon",
   };
   const char *name = names[reg_uc(env->regs, R_030908_VGT_PRIMITIVE_TYPE) & 63];
   return name ? name : "?";
}

/* After a draw or dispatch: what it counted, and its estimated time. */
static void account(const struct model_env *env, const struct model_stats *before, const char *kind,
                    const char *primitive)
{
   struct model_stats own = *env->stats;
   stats_difference(&own, before);
   env->stats->cycles += stats_clocks(&own, env->chip, NULL);
   stats_file_draw(env->stats_file, &own, kind, primitive, env->report);
}

void pipeline_draw(struct pipeline *p, const struct model_env *env, const struct msg_draw *draw)
{
   if (!draw->num_indices || !draw->num_instances || !draw_is_possible(env))
      return;
   if ((uint64_t)draw->num_indices * draw->num_instances > MAX_VERTICES) {
      model_fail(env->report, ETIME, CHECK_HANG, "a draw of %u vertices, %u instances", draw->num_indices,
                 draw->num_instances);
      return;
   }
   const struct model_stats before = *env->stats;
   const uint32_t fp = sq_fp_begin();
   p->env = env;
   env->stats->draws++;
   dump_begin(env->dump, env);
   pa_begin_draw(p->pa, env);
   sc_begin_draw(p->sc, env);
   db_begin_draw(p->db, env, sc_samples(p->sc));
   spi_begin_draw(p->spi, env, sc_samples(p->sc));
   cb_begin_draw(p->cb, env);
   so_begin_draw(p->so, env);
   undef_begin_draw(env->undef);
   cache_begin_work(env->cache);
   cache_unbind(env->cache);
   cb_note(p->cb, env, false);
   db_note(p->db, env, false);
   p->run_ps = !db_shader_is_noop(p->db);

   uint64_t vertices = env->stats->vertices, pixels = env->stats->pixels_shaded, prims = env->stats->primitives;
   parallel_begin_draw(p->parallel, env);
   solid_begin_draw(p->solid, env, sc_samples(p->sc)->ps_iter);
   run_vgt(p, env, draw);
   spi_flush(p->spi, env, &p->ports);
   parallel_end_draw(p->parallel);
   cb_note(p->cb, env, true);
   db_note(p->db, env, true);
   cache_unbind(env->cache);
   cache_end_work(env->cache);
   p->ia_vertices += (uint64_t)draw->num_indices * draw->num_instances;
   p->ia_primitives += env->stats->primitives - prims;
   p->vs_invocations += env->stats->vertices - vertices;
   p->ps_invocations += env->stats->pixels_shaded - pixels;
   account(env, &before, "draw", primitive_name(env));
   dump_end(env->dump, env, draw, NULL, p->cb, p->db);
   sq_fp_end(fp);
}

void pipeline_dispatch(struct pipeline *p, const struct model_env *env, const struct msg_dispatch *d)
{
   uint64_t lanes = env->stats->lanes[SQ_CS];

   if ((double)d->groups[0] * d->groups[1] * d->groups[2] > MAX_GROUPS) {
      model_fail(env->report, ETIME, CHECK_HANG, "a dispatch of %u x %u x %u groups", d->groups[0], d->groups[1],
                 d->groups[2]);
      return;
   }

   const struct model_stats before = *env->stats;
   const uint32_t fp = sq_fp_begin();
   p->env = env;
   env->stats->dispatches++;
   dump_begin(env->dump, env);
   cache_begin_work(env->cache);
   spi_dispatch(p->spi, env, &p->ports, d);
   cache_end_work(env->cache);
   p->cs_invocations += env->stats->lanes[SQ_CS] - lanes;
   account(env, &before, "dispatch", NULL);
   dump_end(env->dump, env, NULL, d, p->cb, p->db);
   sq_fp_end(fp);
}

uint64_t pipeline_zpass_count(const struct pipeline *p, unsigned rb)
{
   return db_zpass_count(p->db, rb);
}

void pipeline_stats(const struct pipeline *p, uint64_t out[11])
{
   uint64_t clip_in, clip_out;

   pa_counts(p->pa, &clip_in, &clip_out);
   /* PS, clipper primitives out and in, VS, GS invocations, GS primitives,
    * IA primitives, IA vertices, HS, DS, CS */
   const uint64_t v[11] = {
      p->ps_invocations, clip_out, clip_in, p->vs_invocations, p->gs_invocations, p->gs_primitives,
      p->ia_primitives, p->ia_vertices, p->hs_invocations, 0, p->cs_invocations,
   };
   memcpy(out, v, sizeof(v));
}

void pipeline_so_set_filled(struct pipeline *p, unsigned buffer, uint32_t dwords)
{
   so_set_filled(p->so, buffer, dwords);
}

uint32_t pipeline_so_filled(const struct pipeline *p, unsigned buffer) { return so_filled(p->so, buffer); }

void pipeline_so_stats(const struct pipeline *p, unsigned stream, uint64_t out[2])
{
   so_stats(p->so, stream, out);
}

uint8_t *pipeline_gds(struct pipeline *p, uint32_t *size) { return sq_gds(p->sq, size); }

void pipeline_invalidate_code(struct pipeline *p)
{
   sq_invalidate(p->sq);
   parallel_invalidate_code(p->parallel);
}
