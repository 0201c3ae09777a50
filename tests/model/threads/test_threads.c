/* SPDX-License-Identifier: MIT */
/* One thread, two and four run the same random draws, and one thread without
 * short cuts: memory, counters and reports must not differ. Programs load, store, count, read the target that
 * they draw to, read clocks, kill, do what is reported and what ends a
 * submission; colours blend, so that order shows.
 * Usage: test_model_threads [SEED [DRAWS]] */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "../../args.h"
#include "amdgfxregs.h"
#include "cache/cache.h"
#include "geom.h"
#include "obs/options.h"
#include "obs/report_internal.h"
#include "pipeline.h"
#include "programs.h"
#include "regs/regs_write.h"
#include "surf/surf.h"
#include "tgsiamd/hw.h"
#include "tgsiamd/model.h"
#include "vm/vm_internal.h"
#include "../check.h"

#define VA        0x100000000ull
#define SIZE      (16u << 20)
#define VS        0x1000u
#define PS        0x2000u
#define VERTICES  0x20000u
#define STORES    0x100000u
#define COLOR     0x400000u
#define DEPTH     0x800000u
#define CONSTANTS 0xf00000u  /* another buffer */
#define DIM       512
#define MACHINES  4
#define GENERAL   0          /* the machine without short cuts: others are compared with it */

struct machine {
   unsigned threads;
   bool general;
   struct model_report *report;
   struct tgsiamd_model_vm *vm;
   struct model_cache *cache;
   struct pipeline *pipeline;
   struct model_stats stats;
   uint8_t *memory;
   uint64_t ahead, again, tiles;
   char *said;
   size_t said_length, said_size;
};

static struct regs regs;
static uint64_t failed_draws, reported_draws, stored_draws;

static void on_line(void *ctx, const char *line)
{
   struct machine *m = ctx;
   const size_t n = strlen(line);
   if (m->said_length + n + 1 > m->said_size) {
      m->said_size = m->said_size ? m->said_size * 2 : 65536;
      m->said = realloc(m->said, m->said_size + n);
   }
   memcpy(m->said + m->said_length, line, n + 1);
   m->said_length += n;
}

static void make_pipeline(struct machine *m)
{
   m->pipeline = pipeline_create();
   pipeline_set_threads(m->pipeline, m->threads);
   pipeline_set_general(m->pipeline, m->general);
}

static bool machine_make(struct machine *m, unsigned threads, bool general)
{
   const struct model_options options = { 0 };
   memset(m, 0, sizeof(*m));
   m->threads = threads;
   m->report = report_create(&options);
   report_on_line(m->report, on_line, m);
   m->vm = vm_create(m->report);
   m->cache = cache_create(m->report);
   m->general = general;
   make_pipeline(m);
   m->memory = aligned_alloc(65536, SIZE);
   memset(m->memory, 0, SIZE);
   const uint32_t all = TGSIAMD_MODEL_READ | TGSIAMD_MODEL_WRITE | TGSIAMD_MODEL_EXEC;
   return !vm_map(m->vm, VA, CONSTANTS, m->memory, all, 1) &&
          !vm_map(m->vm, VA + CONSTANTS, SIZE - CONSTANTS, m->memory + CONSTANTS, all, 2);
}

static void machine_free(struct machine *m)
{
   pipeline_destroy(m->pipeline);
   cache_destroy(m->cache);
   vm_destroy(m->vm);
   report_destroy(m->report);
   free(m->memory);
   free(m->said);
}

static void ctx(uint32_t reg, uint32_t v) { regs.context[(reg - REGS_CONTEXT_BASE) / 4] = v; }
static void ctx_f(uint32_t reg, float f) { ctx(reg, geom_fui(f)); }
static void sh(uint32_t reg, uint32_t v) { regs.sh[(reg - REGS_SH_BASE) / 4] = v; }

static void descriptor(uint32_t reg, unsigned at, uint64_t va, unsigned stride, uint32_t records)
{
   const uint32_t w[4] = { (uint32_t)va, (uint32_t)(va >> 32) | stride << 16, records,
                           4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15 };
   for (unsigned i = 0; i < 4; i++)
      sh(reg + (at + i) * 4, w[i]);
}

static void shaders(void)
{
   const uint32_t vs = R_00B130_SPI_SHADER_USER_DATA_VS_0, ps = R_00B030_SPI_SHADER_USER_DATA_PS_0;
   sh(R_00B120_SPI_SHADER_PGM_LO_VS, (uint32_t)((VA + VS) >> 8));
   sh(R_00B128_SPI_SHADER_PGM_RSRC1_VS, 7 | 4 << 6);
   sh(R_00B12C_SPI_SHADER_PGM_RSRC2_VS, USER_SGPRS << 1);
   sh(R_00B020_SPI_SHADER_PGM_LO_PS, (uint32_t)((VA + PS) >> 8));
   sh(R_00B028_SPI_SHADER_PGM_RSRC1_PS, 7 | 4 << 6);
   sh(R_00B02C_SPI_SHADER_PGM_RSRC2_PS, USER_SGPRS << 1);
   descriptor(vs, S_CONST, VA + VERTICES, 16, 4096);
   descriptor(ps, S_CONST, VA + CONSTANTS, 0, 65536);
   for (unsigned i = 0; i < 2; i++) {
      descriptor(i ? ps : vs, S_STORE, VA + STORES, 0, 65536);
      descriptor(i ? ps : vs, S_TARGET, VA + COLOR, 0, DIM * DIM * 4);
      descriptor(i ? ps : vs, S_NOWHERE, VA + (1ull << 32), 0, 65536);
   }
}

static void targets(bool depth, bool write, bool late, bool blend, bool export_depth, bool kill)
{
   ctx(R_028C60_CB_COLOR0_BASE, (uint32_t)((VA + COLOR) >> 8));
   ctx(R_028C64_CB_COLOR0_BASE_EXT, 0);
   ctx(R_028C68_CB_COLOR0_ATTRIB2, S_028C68_MIP0_WIDTH(DIM - 1) | S_028C68_MIP0_HEIGHT(DIM - 1));
   ctx(R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(10) | S_028C70_BLEND_CLAMP(1));
   ctx(R_028C74_CB_COLOR0_ATTRIB, S_028C74_RESOURCE_TYPE(1) | S_028C74_COLOR_SW_MODE(25));
   ctx(R_0287A0_CB_MRT0_EPITCH, S_0287A0_EPITCH(DIM - 1));
   ctx(R_028238_CB_TARGET_MASK, 15);
   ctx(R_02823C_CB_SHADER_MASK, 15);
   ctx(R_028714_SPI_SHADER_COL_FORMAT, V_028714_SPI_SHADER_32_ABGR);
   ctx(R_028808_CB_COLOR_CONTROL, S_028808_MODE(1) | S_028808_ROP3(0xcc));
   if (blend)
      ctx(R_028780_CB_BLEND0_CONTROL, S_028780_ENABLE(1) | S_028780_COLOR_SRCBLEND(V_028780_BLEND_SRC_ALPHA) |
                                      S_028780_COLOR_DESTBLEND(V_028780_BLEND_ONE_MINUS_SRC_ALPHA));
   ctx(R_02880C_DB_SHADER_CONTROL, S_02880C_Z_ORDER(late ? V_02880C_LATE_Z : V_02880C_EARLY_Z_THEN_LATE_Z) |
                                   S_02880C_Z_EXPORT_ENABLE(export_depth) | S_02880C_KILL_ENABLE(kill));
   ctx(R_028710_SPI_SHADER_Z_FORMAT, export_depth ? V_028710_SPI_SHADER_32_R : 0);
   if (!depth)
      return;
   ctx(R_028038_DB_Z_INFO, S_028038_FORMAT(3) | S_028038_SW_MODE(24));
   ctx(R_028068_DB_Z_INFO2, S_028068_EPITCH(DIM - 1));
   ctx(R_02801C_DB_DEPTH_SIZE, S_02801C_X_MAX(DIM - 1) | S_02801C_Y_MAX(DIM - 1));
   ctx(R_028050_DB_Z_WRITE_BASE, (uint32_t)((VA + DEPTH) >> 8));
   ctx(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_Z_WRITE_ENABLE(write) | S_028800_ZFUNC(1 + rnd() % 7));
   ctx(R_028004_DB_COUNT_CONTROL, S_028004_ZPASS_ENABLE(1));
}

static void registers(void)
{
   regs_init(&regs, 0x24000042);
   memset(regs.sh_written, 1, sizeof(regs.sh_written));
   memset(regs.context_written, 1, sizeof(regs.context_written));
   memset(regs.uconfig_written, 1, sizeof(regs.uconfig_written));
   regs.context_serial = ++regs.sh_serial;
   ctx(R_028818_PA_CL_VTE_CNTL, 0x43f);
   ctx(R_028BE4_PA_SU_VTX_CNTL, 0x2d);
   ctx(R_028A48_PA_SC_MODE_CNTL_0, S_028A48_VPORT_SCISSOR_ENABLE(1));
   ctx(R_028208_PA_SC_WINDOW_SCISSOR_BR, DIM | DIM << 16);
   ctx_f(R_02843C_PA_CL_VPORT_XSCALE, DIM / 2);
   ctx_f(R_028440_PA_CL_VPORT_XOFFSET, DIM / 2);
   ctx_f(R_028444_PA_CL_VPORT_YSCALE, DIM / 2);
   ctx_f(R_028448_PA_CL_VPORT_YOFFSET, DIM / 2);
   ctx_f(R_02844C_PA_CL_VPORT_ZSCALE, 1);
   ctx(R_0286CC_SPI_PS_INPUT_ENA, 1 << 1 | 1 << 8 | 1 << 9);
   ctx(R_0286D0_SPI_PS_INPUT_ADDR, 1 << 1 | 1 << 8 | 1 << 9);
   ctx(R_0286D8_SPI_PS_IN_CONTROL, S_0286D8_NUM_INTERP(1));
   ctx(R_02870C_SPI_SHADER_POS_FORMAT, 4);
   regs.uconfig[(R_030908_VGT_PRIMITIVE_TYPE - REGS_UCONFIG_BASE) / 4] = V_008958_DI_PT_TRILIST;
   regs.uconfig[(R_030920_VGT_MAX_VTX_INDX - REGS_UCONFIG_BASE) / 4] = ~0u;
   shaders();
}

/* For what fills: flat parameters, formats of all sizes, tests that see nothing. */
static void fill_state(void)
{
   static const uint8_t formats[] = { 1, 2, 3, 4, 5, 10, 10, 10, 11, 12, 14 };
   if (rnd() % 4) {
      ctx(R_0286D4_SPI_INTERP_CONTROL_0, S_0286D4_FLAT_SHADE_ENA(1));
      ctx(R_028644_SPI_PS_INPUT_CNTL_0, S_028644_FLAT_SHADE(1));
   }
   ctx(R_02880C_DB_SHADER_CONTROL, S_02880C_Z_ORDER(rnd() % 2 ? V_02880C_LATE_Z : V_02880C_EARLY_Z_THEN_LATE_Z));
   ctx(R_028710_SPI_SHADER_Z_FORMAT, 0);
   if (rnd() % 2)
      ctx(R_028800_DB_DEPTH_CONTROL, 0);
   else if (rnd() % 2)
      ctx(R_028800_DB_DEPTH_CONTROL, S_028800_Z_ENABLE(1) | S_028800_Z_WRITE_ENABLE(rnd() % 4 != 0) | S_028800_ZFUNC(7));
   const unsigned format = formats[rnd() % sizeof(formats)], type = format == 14 || format == 4 || rnd() % 3 == 0 ? 7 : 0;
   ctx(R_028C70_CB_COLOR0_INFO, S_028C70_FORMAT_GFX6(format) |
                                S_028C70_NUMBER_TYPE(type == 7 && (format == 1 || format == 3 || format == 10) ? 0 : type) |
                                S_028C70_COMP_SWAP(0) | S_028C70_BLEND_CLAMP(1));
   if (rnd() % 8 == 0)
      ctx(R_028238_CB_TARGET_MASK, 7);
}

/* A program does one or two things that matter, or none. */
static uint32_t choose(uint32_t of)
{
   uint32_t does = 0;
   for (unsigned n = rnd() % 3; n; n--)
      does |= of & (1u << rnd() % 10);
   return does;
}

static void write_everywhere(struct machine *m, uint32_t at, const void *data, size_t size)
{
   for (unsigned i = 0; i < MACHINES; i++)
      memcpy(m[i].memory + at, data, size);
}

/* `flat`: one depth a triangle. */
static void vertices(struct machine *m, unsigned num, bool small, bool flat)
{
   float v[4] = { 0 };
   for (unsigned i = 0; i < num; i++) {
      const float scale = small ? 0.2f : 1.3f, cx = small ? (i / 3 % 7) / 4.0f - 0.8f : 0;
      v[0] = cx + ((float)(rnd() % 2000) / 1000 - 1) * scale;
      v[1] = cx + ((float)(rnd() % 2000) / 1000 - 1) * scale;
      v[2] = flat && i % 3 ? v[2] : (float)(rnd() % 1000) / 1000;
      v[3] = rnd() % 4 ? 1 : 1.5f;
      write_everywhere(m, VERTICES + i * 16, v, sizeof(v));
   }
}

static void count_ahead(struct machine *m)
{
   uint64_t again;
   m->ahead += pipeline_waves_ahead(m->pipeline, &again);
   m->again += again;
   m->tiles += pipeline_solid_tiles(m->pipeline);
}

static void compare(struct machine *m, unsigned draw, uint32_t does)
{
   const bool failed = model_failed(m->report);
   for (unsigned i = 1; i < MACHINES; i++) {
      const unsigned t = m[i].threads;
      CHECK(m[i].said_length == m->said_length && (!m->said || !strcmp(m[i].said, m->said)),
            "draw %u (0x%x), %u threads: reports differ:\n%s---\n%s", draw, does, t, m->said ? m->said : "",
            m[i].said ? m[i].said : "");
      CHECK(model_failed(m[i].report) == model_failed(m->report), "draw %u (0x%x), %u threads: failure", draw, does, t);
      /* Early depth and counters have run ahead of a fault. */
      if (!failed) {
         uint64_t a[11], b[11];
         pipeline_stats(m->pipeline, a);
         pipeline_stats(m[i].pipeline, b);
         CHECK(!memcmp(&m[i].stats, &m->stats, sizeof(m->stats)), "draw %u (0x%x), %u threads: counters", draw, does, t);
         CHECK(!memcmp(a, b, sizeof(a)), "draw %u (0x%x), %u threads: pipeline statistics", draw, does, t);
         CHECK(pipeline_zpass_count(m[i].pipeline, 0) == pipeline_zpass_count(m->pipeline, 0),
               "draw %u (0x%x), %u threads: samples passed", draw, does, t);
      }
      const uint32_t colour = COLOR, size = failed ? DIM * DIM * 4 : SIZE - COLOR;
      CHECK(!memcmp(m[i].memory + colour, m->memory + colour, size), "draw %u (0x%x), %u threads: picture", draw, does, t);
      CHECK(!memcmp(m[i].memory, m->memory, COLOR), "draw %u (0x%x), %u threads: stores", draw, does, t);
      if (failed) {
         memcpy(m[i].memory, m->memory, SIZE);
         m[i].stats = m->stats;
         count_ahead(&m[i]);
         pipeline_destroy(m[i].pipeline);
         make_pipeline(&m[i]);
      }
   }
   if (failed) {
      pipeline_destroy(m->pipeline);
      make_pipeline(m);
   }
   failed_draws += failed;
   reported_draws += m->said_length != 0;
   stored_draws += does & (DOES_STORE | DOES_ATOMIC) ? 1 : 0;
   for (unsigned i = 0; i < MACHINES; i++)
      m[i].said_length = 0;
}

static void run(struct machine *m, void *addrlib, const struct msg_draw *draw, bool listed)
{
   static const uint32_t bos[2] = { 1, 2 };
   for (unsigned i = 0; i < MACHINES; i++) {
      const struct model_env env = { .vm = m[i].vm, .regs = &regs, .report = m[i].report, .stats = &m[i].stats,
                                     .chip = tgsiamd_chip_by_name("raven"), .cache = m[i].cache, .addrlib = addrlib };
      report_begin(m[i].report);
      model_where(m[i].report)->draw++;
      vm_begin_submission(m[i].vm, bos, listed ? 2 : 1);
      cache_sync(m[i].cache, CACHE_ALL);
      pipeline_invalidate_code(m[i].pipeline);
      pipeline_draw(m[i].pipeline, &env, draw);
   }
}

int main(int argc, char **argv)
{
   static const unsigned threads[MACHINES] = { 1, 1, 2, 4 };
   const struct args args = args_begin(argc, argv, 2, "[SEED [COUNT]]\n\n"
      "COUNT random draws (90) with 1, 2 and 4 threads must do the same. SEED (1) is any number.");
   const unsigned draws = args_number(&args, 2, 90);
   const struct tgsiamd_chip *chip = tgsiamd_chip_by_name("raven");
   void *addrlib = surf_addrlib_create(chip->family, chip->external_rev, 0x24000042);
   static struct machine m[MACHINES];
   static uint32_t code[4096], constants[16384];

   rnd_seed(args_number(&args, 1, 1));
   for (unsigned i = 0; i < MACHINES; i++)
      if (!machine_make(&m[i], threads[i], i == GENERAL))
         return 1;
   for (unsigned i = 0; i < 16384; i++)
      constants[i] = rnd();
   write_everywhere(m, CONSTANTS, constants, sizeof(constants));
   for (unsigned n = 0; n < draws; n++) {
      const uint32_t does = choose(~DOES_FAULT) | (rnd() % 8 ? 0 : DOES_FAULT);
      const uint32_t front = rnd() % 4 ? 0 : choose(DOES_STORE | DOES_ATOMIC | DOES_TARGET | DOES_CLOCK | DOES_UNINIT);
      const unsigned num = 3 * (1 + rnd() % (rnd() % 3 ? 4 : 40));
      const bool fill = rnd() % 3 == 0;
      registers();
      targets(rnd() % 2, rnd() % 2, rnd() % 2, rnd() % 2, does & DOES_DEPTH, does & DOES_KILL);
      vertices(m, num, rnd() % 2, fill && rnd() % 4);
      write_everywhere(m, VS, code, program_vertex(code, front) * 4);
      write_everywhere(m, PS, code, (fill ? program_fill(code, rnd() % 4 == 0) : program_pixel(code, does, rnd() % 5)) * 4);
      if (fill)
         fill_state();
      const struct msg_draw draw = { .num_indices = num, .num_instances = 1 };
      run(m, addrlib, &draw, rnd() % 8);
      compare(m, n, does | front << 16);
   }
   /* The same at the end: counts of each place too. */
   char *text[MACHINES];
   size_t length[MACHINES];
   for (unsigned i = 0; i < MACHINES; i++) {
      FILE *f = open_memstream(&text[i], &length[i]);
      report_print(m[i].report, &m[i].stats, f);
      fclose(f);
      CHECK(!strcmp(text[i], text[0]), "%u threads: the report at the end:\n%s---\n%s", m[i].threads, text[0], text[i]);
   }
   printf("%u draws (%llu reported something, %llu failed, %llu with stores), %llu pixel waves; %u checks, %u failures\n",
          draws, (unsigned long long)reported_draws, (unsigned long long)failed_draws, (unsigned long long)stored_draws,
          (unsigned long long)m->stats.waves[SQ_PS], checks, failures);
   bool seen = stored_draws && reported_draws && failed_draws;
   for (unsigned i = 1; i < MACHINES; i++) {
      count_ahead(&m[i]);
      printf("%u threads: %llu tiles filled\n", m[i].threads, (unsigned long long)m[i].tiles);
      seen &= m[i].tiles > 100;
      if (m[i].threads == 1)
         continue;
      printf("%u threads: %llu waves ahead of their turn, %llu of them in vain\n", m[i].threads,
             (unsigned long long)m[i].ahead, (unsigned long long)m[i].again);
      seen &= m[i].ahead > m->stats.waves[SQ_PS] / 10 && m[i].again;
   }
   for (unsigned i = 0; i < MACHINES; i++) {
      free(text[i]);
      machine_free(&m[i]);
   }
   surf_addrlib_destroy(addrlib);
   return failures != 0 || (!seen && argc == 1); /* other seeds and counts may see less */
}
