/* SPDX-License-Identifier: MIT */
/* Depth block: state of a draw, and the order of tests and shader.
 * DB_RENDER_CONTROL, DB_SHADER_CONTROL, DB_DEPTH_CONTROL, DB_STENCIL*. */
#include "db_internal.h"
#include "amdgfxregs.h"
#include "obs/report.h"
#include "regs/regs.h"
#include "tgsiamd/hw.h"
#include <stdlib.h>

struct db *db_create(void) { return calloc(1, sizeof(struct db)); }
void db_destroy(struct db *db) { free(db); }
bool db_tests_early(const struct db *db) { return db->early; }
bool db_shader_is_noop(const struct db *db) { return db->noop; }
bool db_copies(const struct db *db) { return db->copy_z || db->copy_s; }
uint64_t db_zpass_count(const struct db *db, unsigned rb) { return rb < DB_MAX_RB ? db->zpass[rb] : 0; }

static void read_faces(struct db *db, const struct regs *r)
{
   uint32_t dc = reg_ctx(r, R_028800_DB_DEPTH_CONTROL), sc = reg_ctx(r, R_02842C_DB_STENCIL_CONTROL);

   for (unsigned f = 0; f < 2; f++) {
      bool back = f && G_028800_BACKFACE_ENABLE(dc);
      uint32_t rm = reg_ctx(r, back ? R_028434_DB_STENCILREFMASK_BF : R_028430_DB_STENCILREFMASK);
      uint32_t ops = back ? sc >> 12 : sc;
      db->face[f] = (struct db_face){
         .func = back ? G_028800_STENCILFUNC_BF(dc) : G_028800_STENCILFUNC(dc),
         .fail = ops & 15, .zpass = ops >> 4 & 15, .zfail = ops >> 8 & 15,
         .ref = G_028430_STENCILTESTVAL(rm), .mask = G_028430_STENCILMASK(rm),
         .write_mask = G_028430_STENCILWRITEMASK(rm), .op_val = G_028430_STENCILOPVAL(rm),
      };
   }
}

/* Whether the tests may run before the shader. */
static bool early_allowed(const struct db *db)
{
   uint32_t sc = db->shader_control;

   if (G_02880C_DEPTH_BEFORE_SHADER(sc))
      return true;
   if (G_02880C_Z_ORDER(sc) == V_02880C_LATE_Z)
      return false;
   return !G_02880C_Z_EXPORT_ENABLE(sc) && !G_02880C_STENCIL_TEST_VAL_EXPORT_ENABLE(sc) &&
          !G_02880C_STENCIL_OP_VAL_EXPORT_ENABLE(sc) && !G_02880C_KILL_ENABLE(sc) &&
          !G_02880C_MASK_EXPORT_ENABLE(sc) && !G_02880C_COVERAGE_TO_MASK_ENABLE(sc) &&
          (!(db->alpha_to_mask & 1) || G_02880C_ALPHA_TO_MASK_DISABLE(sc));
}

/* For each sample the one of those that depth has that lies nearest. */
static void find_nearest(struct db *db)
{
   for (unsigned s = 0; s < db->samples->num && s < 16; s++) {
      int best = INT32_MAX;
      for (unsigned k = 0; k < 1u << db->z_samples_log2; k++) {
         const int dx = db->samples->x[0][s] - db->samples->x[0][k], dy = db->samples->y[0][s] - db->samples->y[0][k];
         if (s == k || (s >= 1u << db->z_samples_log2 && dx * dx + dy * dy < best)) {
            best = dx * dx + dy * dy;
            db->nearest[s] = k;
         }
      }
   }
}

void db_begin_draw(struct db *db, const struct model_env *env, const struct geom_samples *samples)
{
   const struct regs *r = env->regs;
   uint32_t dc = reg_ctx(r, R_028800_DB_DEPTH_CONTROL), eqaa = reg_ctx(r, R_028804_DB_EQAA);
   uint32_t view = reg_ctx(r, R_028008_DB_DEPTH_VIEW);

   db->samples = samples;
   db->shader_control = reg_ctx(r, R_02880C_DB_SHADER_CONTROL);
   db->render_control = reg_ctx(r, R_028000_DB_RENDER_CONTROL);
   db->count_control = reg_ctx(r, R_028004_DB_COUNT_CONTROL);
   db->alpha_to_mask = reg_ctx(r, R_028B70_DB_ALPHA_TO_MASK);
   db->msaa = G_028A48_MSAA_ENABLE(reg_ctx(r, R_028A48_PA_SC_MODE_CNTL_0)) && samples->num > 1;
   db->col_format = reg_ctx(r, R_028714_SPI_SHADER_COL_FORMAT);
   db->z_format = reg_ctx(r, R_028710_SPI_SHADER_Z_FORMAT);
   db_memory_begin(db, env);
   db->z_test = G_028800_Z_ENABLE(dc) && db->z.present;
   db->z_write = db->z_test && G_028800_Z_WRITE_ENABLE(dc) && !G_028008_Z_READ_ONLY(view);
   db->s_test = G_028800_STENCIL_ENABLE(dc) && db->s.present;
   db->bounds = G_028800_DEPTH_BOUNDS_ENABLE(dc) && db->z.present;
   db->z_func = G_028800_ZFUNC(dc);
   read_faces(db, r);
   if (G_028008_STENCIL_READ_ONLY(view))
      db->face[0].write_mask = db->face[1].write_mask = 0;
   db->bounds_min = reg_ctx_f(r, R_028020_DB_DEPTH_BOUNDS_MIN);
   db->bounds_max = reg_ctx_f(r, R_028024_DB_DEPTH_BOUNDS_MAX);
   db->z_clear = G_028000_DEPTH_CLEAR_ENABLE(db->render_control);
   db->s_clear = G_028000_STENCIL_CLEAR_ENABLE(db->render_control);
   db->clamp = !G_02800C_DISABLE_VIEWPORT_CLAMP(reg_ctx(r, R_02800C_DB_RENDER_OVERRIDE));
   db->color_on_fail = G_028800_ENABLE_COLOR_WRITES_ON_DEPTH_FAIL(dc);
   db->no_color_on_pass = G_028800_DISABLE_COLOR_WRITES_ON_DEPTH_PASS(dc);
   db->copy_z = G_028000_DEPTH_COPY(db->render_control) && db->z.present;
   db->copy_s = G_028000_STENCIL_COPY(db->render_control) && db->s.present;
   if (G_02880C_PRIMITIVE_ORDERED_PIXEL_SHADER(db->shader_control)) /* needs POPS_CNTL and an S_SETREG of its own */
      model_violation(env->report, CHECK_MODEL, "DB_SHADER_CONTROL.PRIMITIVE_ORDERED_PIXEL_SHADER is not done");
   db->early = early_allowed(db);
   db->noop = db->early && !db->col_format &&
              !G_02880C_EXEC_ON_NOOP(db->shader_control) && !G_02880C_EXEC_ON_HIER_FAIL(db->shader_control) &&
              !G_02880C_KILL_ENABLE(db->shader_control) && !db->copy_z && !db->copy_s;
   db->count = G_028004_ZPASS_ENABLE(db->count_control) && !G_028004_ZPASS_INCREMENT_DISABLE(db->count_control);
   db->z_samples_log2 = G_028804_MAX_ANCHOR_SAMPLES(eqaa);
   if (db->z_samples_log2 > 4) {
      model_violation(env->report, CHECK_REGISTER, "DB_EQAA.MAX_ANCHOR_SAMPLES is %u", db->z_samples_log2);
      db->z_samples_log2 = 0;
   }
   /* Smoothing rasterises with more samples than the targets have; with
    * multisampling off it is one sample for all of the targets'. */
   db->eqaa = db->msaa && samples->log2 > db->z_samples_log2 && !G_028804_OVERRASTERIZATION_AMOUNT(eqaa);
   if (db->eqaa)
      find_nearest(db);
   db->convert_samples = samples->log2 != db->z_samples_log2 && !db->eqaa;
   db->num_rb = env->chip->num_rb ? env->chip->num_rb : 1;
   if (db->num_rb > DB_MAX_RB)
      db->num_rb = DB_MAX_RB;
}
