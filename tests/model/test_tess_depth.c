/* SPDX-License-Identifier: MIT */
/* The tessellator covers its domain once for all factors; the depth block tests
 * and writes as its registers say, and HTILE clears read as their values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amdgfxregs.h"
#include "db/db.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "regs/regs.h"
#include "surf/surf.h"
#include "tgsiamd/hw.h"
#include "tgsiamd/model.h"
#include "vgt/tessellator.h"

#include "check.h"

/* ---- tessellator ---- */
static double area_of(const struct tess_out *o)
{
   double sum = 0;

   for (unsigned i = 0; i < o->num_prims; i++) {
      const uint16_t *p = o->prim[i];
      double a = ((double)o->u[p[1]] - o->u[p[0]]) * ((double)o->v[p[2]] - o->v[p[0]]) -
                 ((double)o->u[p[2]] - o->u[p[0]]) * ((double)o->v[p[1]] - o->v[p[0]]);
      if (a < 0)
         return -1;
      sum += a / 2;
   }
   return sum;
}

static float random_factor(void)
{
   static const float some[] = { 1, 1.5f, 2, 3, 3.2f, 4, 7.9f, 8, 15, 16.01f, 33, 63.5f, 64, 100 };
   return some[rand() % (sizeof(some) / sizeof(some[0]))];
}

/* Points of a patch that is not divided, in Direct3D's order. */
static void check_order(unsigned type, unsigned num, const float want[][2])
{
   const struct tess_domain d = { .type = type, .topology = V_028B6C_OUTPUT_POINT, .max_level = 64 };
   static struct tess_out out;

   tess_run(&d, (const float[]){ 1, 1, 1, 1, 1, 1 }, &out);
   CHECK(out.num_prims == num, "type %u: %u points", type, out.num_prims);
   for (unsigned i = 0; i < num; i++) {
      const unsigned p = out.prim[i][0];
      CHECK(out.u[p] == want[i][0] && out.v[p] == want[i][1], "type %u, point %u: %g %g", type, i, out.u[p], out.v[p]);
   }
}

static void test_tessellator(void)
{
   static const uint8_t parts[3] = { V_028B6C_PART_INTEGER, V_028B6C_PART_FRAC_ODD, V_028B6C_PART_FRAC_EVEN };
   static struct tess_out out;

   for (unsigned round = 0; round < 3000; round++) {
      struct tess_domain d = {
         .type = 1 + round % 2, .partitioning = parts[round / 2 % 3],
         .topology = V_028B6C_OUTPUT_TRIANGLE_CW, .max_level = 64,
      };
      float f[6];
      for (unsigned i = 0; i < 6; i++)
         f[i] = random_factor();
      tess_run(&d, f, &out);
      double want = d.type == V_028B6C_TESS_TRIANGLE ? 0.5 : 1;
      CHECK(fabs(area_of(&out) - want) < 1e-4, "type %u spacing %u factors %g %g %g %g %g %g: area %f of %f",
            d.type, d.partitioning, f[0], f[1], f[2], f[3], f[4], f[5], area_of(&out), want);
      CHECK(out.num_points < TESS_MAX_POINTS && out.num_prims < TESS_MAX_PRIMS, "the tables are too small");
   }
   struct tess_domain d = { .type = V_028B6C_TESS_QUAD, .topology = V_028B6C_OUTPUT_TRIANGLE_CW, .max_level = 64 };
   tess_run(&d, (float[]){ 3, 3, 3, 3, 3, 3 }, &out);
   CHECK(out.num_points == 16 && out.num_prims == 18, "a grid of 3x3: %u points, %u triangles", out.num_points, out.num_prims);
   check_order(V_028B6C_TESS_QUAD, 4, (const float[][2]){ { 0, 1 }, { 0, 0 }, { 1, 0 }, { 1, 1 } });
   check_order(V_028B6C_TESS_TRIANGLE, 3, (const float[][2]){ { 0, 1 }, { 0, 0 }, { 1, 0 } });
   tess_run(&d, (float[]){ 1, 1, 0, 1, 1, 1 }, &out);
   CHECK(out.num_prims == 0, "a factor of 0 culls the patch");
   tess_run(&d, (float[]){ 1, NAN, 1, 1, 1, 1 }, &out);
   CHECK(out.num_prims == 0, "NaN culls the patch");
   d.type = V_028B6C_TESS_ISOLINE;
   d.topology = V_028B6C_OUTPUT_LINE;
   tess_run(&d, (float[6]){ 4, 3 }, &out);
   CHECK(out.num_prims == 12 && out.num_points == 15, "3 lines of 4 segments: %u of %u points", out.num_prims, out.num_points);
}

/* ---- depth ---- */
#define VA       0x100000000ull
#define STENCIL  0x40000ull
#define HTILE    0x80000ull
#define SIZE     0x100000ull
#define DIM      64

static struct regs regs;
static struct model_stats stats;
static struct model_env env;
static uint8_t *memory;

static void set(uint32_t reg, uint32_t v) { regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v; }

static void setup(unsigned format, bool htile)
{
   memset(&regs, 0, sizeof(regs));
   set(R_028038_DB_Z_INFO, S_028038_FORMAT(format) | S_028038_SW_MODE(24) | S_028038_TILE_SURFACE_ENABLE(htile));
   set(R_02803C_DB_STENCIL_INFO, S_02803C_FORMAT(1) | S_02803C_SW_MODE(24));
   set(R_028068_DB_Z_INFO2, S_028068_EPITCH(127));
   set(R_02806C_DB_STENCIL_INFO2, S_02806C_EPITCH(255));
   set(R_02801C_DB_DEPTH_SIZE, S_02801C_X_MAX(DIM - 1) | S_02801C_Y_MAX(DIM - 1));
   set(R_028050_DB_Z_WRITE_BASE, VA >> 8);
   set(R_028058_DB_STENCIL_WRITE_BASE, (VA + STENCIL) >> 8);
   set(R_028014_DB_HTILE_DATA_BASE, (VA + HTILE) >> 8);
   set(R_028ABC_DB_HTILE_SURFACE, S_028ABC_PIPE_ALIGNED(1) | S_028ABC_RB_ALIGNED(1));
   set(R_02880C_DB_SHADER_CONTROL, S_02880C_Z_ORDER(V_02880C_EARLY_Z_THEN_LATE_Z));
}

/* Draws one quad of depth z over pixels 2, 4..; returns how many passed. */
static unsigned draw(struct db *db, float z, bool front)
{
   static const struct geom_samples one = { .num = 1, .ps_iter = 1 };
   struct msg_sc_prim prim = { .front = front, .z = { .c = z }, .z_max = 1 };
   struct msg_quad q = { .prim = &prim, .x = 2, .y = 4, .cover = { 1, 1, 1, 1 } };

   db_begin_draw(db, &env, &one);
   db_early(db, &env, &q);
   return (q.cover[0] & 1) + (q.cover[1] & 1) + (q.cover[2] & 1) + (q.cover[3] & 1);
}

static void test_depth(void)
{
   static const bool less_than[8] = { 0, 1, 0, 1, 0, 1, 0, 1 }, equal[8] = { 0, 0, 1, 1, 0, 0, 1, 1 },
                     greater[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
   struct db *db = db_create();

   for (unsigned format = 1; format <= 3; format++) {
      for (unsigned func = 0; func < 8; func++) {
         setup(format, false);
         memset(memory, 0, SIZE);
         set(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_Z_WRITE_ENABLE(1) | S_028800_ZFUNC(7));
         CHECK(draw(db, 0.5f, true) == 4, "ALWAYS passes");
         set(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_ZFUNC(func));
         CHECK((draw(db, 0.25f, true) == 4) == less_than[func], "format %u function %u less", format, func);
         CHECK((draw(db, 0.5f, true) == 4) == equal[func], "format %u function %u equal", format, func);
         CHECK((draw(db, 0.75f, true) == 4) == greater[func], "format %u function %u greater", format, func);
      }
   }
   /* Stencil: replace on pass, invert on fail, for the face that is drawn. */
   setup(3, false);
   memset(memory, 0, SIZE);
   set(R_028800_DB_DEPTH_CONTROL, S_028800_STENCIL_ENABLE(1) | S_028800_STENCILFUNC(2) | S_028800_BACKFACE_ENABLE(1) |
                                  S_028800_STENCILFUNC_BF(7));
   set(R_02842C_DB_STENCIL_CONTROL, S_02842C_STENCILFAIL(V_02842C_STENCIL_INVERT) |
                                    S_02842C_STENCILZPASS_BF(V_02842C_STENCIL_REPLACE_TEST));
   set(R_028430_DB_STENCILREFMASK, S_028430_STENCILTESTVAL(5) | S_028430_STENCILMASK(0xff) | S_028430_STENCILWRITEMASK(0xf0));
   set(R_028434_DB_STENCILREFMASK_BF, S_028434_STENCILTESTVAL_BF(5) | S_028434_STENCILMASK_BF(0xff) |
                                      S_028434_STENCILWRITEMASK_BF(0xff));
   CHECK(draw(db, 0, true) == 0, "5 is not 0");
   CHECK(draw(db, 0, false) == 4, "the back's function passes");
   CHECK(draw(db, 0, true) == 4, "the back wrote 5");
   /* Counting */
   uint64_t before = db_zpass_count(db, 0) + db_zpass_count(db, 1);
   set(R_028004_DB_COUNT_CONTROL, S_028004_ZPASS_ENABLE(1) | S_028004_PERFECT_ZPASS_COUNTS(1));
   draw(db, 0, true);
   CHECK(db_zpass_count(db, 0) + db_zpass_count(db, 1) == before + 4, "four samples are counted");
   /* A fast-cleared tile has the clear value, whatever lies in memory. */
   setup(3, true);
   memset(memory, 0xff, SIZE);
   memset(memory + HTILE, 0, SIZE - HTILE);
   set(R_02802C_DB_DEPTH_CLEAR, 0x3f000000);
   set(R_028028_DB_STENCIL_CLEAR, 7);
   set(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_ZFUNC(2) | S_028800_STENCIL_ENABLE(1) | S_028800_STENCILFUNC(2));
   set(R_028430_DB_STENCILREFMASK, S_028430_STENCILTESTVAL(7) | S_028430_STENCILMASK(0xff));
   CHECK(draw(db, 0.5f, true) == 4, "depth and stencil of a cleared tile");
   db_destroy(db);
}

/* Depth bounds test what memory holds; colour writes can follow the outcome of
 * the tests; the count does not. */
static void test_depth_control(void)
{
   struct db *db = db_create();

   for (unsigned format = 1; format <= 3; format++) {
      setup(format, false);
      memset(memory, 0, SIZE);
      set(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_Z_WRITE_ENABLE(1) | S_028800_ZFUNC(7));
      draw(db, 0.5f, true);
      set(R_028800_DB_DEPTH_CONTROL, S_028800_DEPTH_BOUNDS_ENABLE(1));
      for (unsigned i = 0; i < 4; i++) {
         static const float lo[4] = { 0.25f, 0.6f, 0, 0 }, hi[4] = { 0.75f, 1, 0.4f, 1 };
         set(R_028020_DB_DEPTH_BOUNDS_MIN, geom_fui(lo[i]));
         set(R_028024_DB_DEPTH_BOUNDS_MAX, geom_fui(hi[i]));
         CHECK(draw(db, 0.9f, true) == (i == 0 || i == 3 ? 4 : 0), "format %u bounds %g..%g", format, lo[i], hi[i]);
      }
   }
   set(R_028004_DB_COUNT_CONTROL, S_028004_ZPASS_ENABLE(1));
   for (unsigned i = 0; i < 4; i++) {
      const bool on_fail = i & 1, not_on_pass = i & 2;
      set(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_ZFUNC(1) |
          S_028800_ENABLE_COLOR_WRITES_ON_DEPTH_FAIL(on_fail) | S_028800_DISABLE_COLOR_WRITES_ON_DEPTH_PASS(not_on_pass));
      uint64_t before = db_zpass_count(db, 0) + db_zpass_count(db, 1);
      CHECK(draw(db, 0.25f, true) == (not_on_pass ? 0 : 4), "colour of what passes, %u", i);
      CHECK(db_zpass_count(db, 0) + db_zpass_count(db, 1) == before + 4, "it counts");
      CHECK(draw(db, 0.75f, true) == (on_fail ? 4 : 0), "colour of what fails, %u", i);
      CHECK(db_zpass_count(db, 0) + db_zpass_count(db, 1) == before + 4, "it does not count");
   }
   db_destroy(db);
}

/* Exports of a shader: a stencil value for the test in bits 7:0, for the
 * operation in 15:8. Afterwards, copies of both planes for the colour block. */
static void test_exports_and_copies(void)
{
   static const struct geom_samples one = { .num = 1, .ps_iter = 1 };
   static uint32_t mrtz[4][64], color[4][64];
   struct msg_sc_prim prim = { .front = true, .z = { .c = 0.5 }, .z_max = 1 };
   struct msg_quad q = { .prim = &prim, .x = 2, .y = 4, .cover = { 1, 1, 1, 1 } };
   struct msg_pixels px = { .num_quads = 1, .quads = &q, .valid = 15, .mrtz = mrtz, .mrtz_en = 3 };
   uint16_t coverage[64] = { 0 };
   struct db *db = db_create();

   for (unsigned format = 1; format <= 3; format++) {
      static const float exact[4] = { 0, 1, 0.5f, 0.25f };
      setup(format, false);
      memset(memory, 0, SIZE);
      set(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_Z_WRITE_ENABLE(1) | S_028800_ZFUNC(7) |
          S_028800_STENCIL_ENABLE(1) | S_028800_STENCILFUNC(6));
      set(R_02842C_DB_STENCIL_CONTROL, S_02842C_STENCILZPASS(V_02842C_STENCIL_REPLACE_OP));
      set(R_028430_DB_STENCILREFMASK, S_028430_STENCILMASK(0xff) | S_028430_STENCILWRITEMASK(0xff));
      set(R_02880C_DB_SHADER_CONTROL, S_02880C_Z_EXPORT_ENABLE(1) | S_02880C_STENCIL_TEST_VAL_EXPORT_ENABLE(1) |
          S_02880C_STENCIL_OP_VAL_EXPORT_ENABLE(1));
      for (unsigned i = 0; i < 4; i++) {
         memcpy(&mrtz[0][i], &exact[i], 4);
         mrtz[1][i] = 3 | (0x40 + i) << 8;
      }
      db_begin_draw(db, &env, &one);
      CHECK(!db_tests_early(db), "exports test late");
      db_late(db, &env, &px, coverage);
      CHECK(coverage[0] && coverage[3], "3 >= 0");
      set(R_02880C_DB_SHADER_CONTROL, S_02880C_Z_ORDER(V_02880C_EARLY_Z_THEN_LATE_Z));
      set(R_028800_DB_DEPTH_CONTROL, 0);
      set(R_028000_DB_RENDER_CONTROL, S_028000_DEPTH_COPY(1) | S_028000_STENCIL_COPY(1) | S_028000_COPY_CENTROID(1));
      db_begin_draw(db, &env, &one);
      CHECK(db_copies(db) && !db_shader_is_noop(db), "a copy is an effect");
      db_copy(db, &env, &px, coverage, color);
      for (unsigned i = 0; i < 4; i++) {
         float z;
         memcpy(&z, &color[0][i], 4);
         CHECK(z > exact[i] - 1.0f / 65535 && z < exact[i] + 1.0f / 65535 && color[1][i] == 0x40 + i,
               "format %u copy %u: %g 0x%x", format, i, z, color[1][i]);
      }
   }
   db_destroy(db);
}

int main(void)
{
   struct model_options options = { 0 };
   const struct tgsiamd_chip *chip = tgsiamd_chip_by_name("raven");
   struct tgsiamd_model *model = tgsiamd_model_create(chip, NULL);

   memory = aligned_alloc(4096, SIZE);
   env.regs = &regs;
   env.stats = &stats;
   env.chip = chip;
   env.report = report_create(&options);
   env.vm = tgsiamd_model_vm_create(model);
   env.addrlib = surf_addrlib_create(chip->family, chip->external_rev, chip->gb_addr_config);
   CHECK(env.addrlib, "no addrlib");
   CHECK(!tgsiamd_model_vm_map(env.vm, VA, SIZE, memory, TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE, 1), "no mapping");
   test_tessellator();
   test_depth();
   test_depth_control();
   test_exports_and_copies();
   CHECK(report_violations(env.report) == 0, "violations");
   surf_addrlib_destroy(env.addrlib);
   tgsiamd_model_vm_destroy(env.vm);
   tgsiamd_model_destroy(model);
   report_destroy(env.report);
   free(memory);
   printf("%u checks, %u failures\n", checks, failures);
   return failures != 0;
}
