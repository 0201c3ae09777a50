/* SPDX-License-Identifier: MIT */
/* Whole tiles of one colour: see solid.h. */
#include "solid.h"
#include "amdgfxregs.h"
#include "cb/cb.h"
#include "db/db.h"
#include "obs/report_internal.h"
#include "obs/stats.h"
#include "parallel.h"
#include "regs/regs.h"
#include "spi/spi.h"
#include "sq/sq.h"
#include <stdlib.h>

enum verdict { UNKNOWN, YES, NO };

struct solid {
   struct solid_blocks b;
   bool off;
   enum verdict draw;       /* state and program of this draw */
   uint32_t attrs;          /* that must not change over a primitive */
   uint64_t serial;         /* of the primitive that `prim` is about */
   enum verdict prim;
   struct model_stats tile; /* what one tile counts */
   uint64_t tiles;          /* filled without a wave */
};

struct solid *solid_create(const struct solid_blocks *blocks)
{
   struct solid *s = calloc(1, sizeof(*s));

   if (s)
      s->b = *blocks;
   return s;
}

void solid_destroy(struct solid *s) { free(s); }
void solid_set(struct solid *s, bool on) { s->off = !on; }

uint64_t solid_tiles(const struct solid *s) { return s->tiles; }

void solid_begin_draw(struct solid *s, const struct model_env *env, unsigned ps_iterations)
{
   const bool seen = env->watch || env->dump || model_traces_waves(env->report);

   s->serial = ~0ull;
   s->draw = s->off || seen || ps_iterations != 1 || !db_solid_possible(s->b.db) || !cb_solid_possible(s->b.cb) ? NO : UNKNOWN;
}

/* Asks anew until the program is decoded. */
static bool program_fits(struct solid *s, const struct model_env *env)
{
   const struct regs *r = env->regs;

   if (s->draw == UNKNOWN) {
      const uint32_t rsrc1 = reg_sh(r, R_00B028_SPI_SHADER_PGM_RSRC1_PS), rsrc2 = reg_sh(r, R_00B02C_SPI_SHADER_PGM_RSRC2_PS);
      const uint64_t pc = ((uint64_t)reg_sh(r, R_00B024_SPI_SHADER_PGM_HI_PS) & 0xff) << 40 |
                          (uint64_t)reg_sh(r, R_00B020_SPI_SHADER_PGM_LO_PS) << 8;
      const unsigned users = G_00B02C_USER_SGPR(rsrc2) | G_00B02C_USER_SGPR_MSB_GFX9(rsrc2) << 5;
      const bool nearest = !(G_00B028_FLOAT_MODE(rsrc1) & 3); /* elsewhere +0 and -0 may add up to -0 */
      const int uniform = sq_program_is_uniform(s->b.sq, env, pc, users, &s->attrs);
      if (uniform >= 0)
         s->draw = uniform && nearest ? YES : NO;
   }
   return s->draw == YES;
}

/* Draws the tile as every other and looks at what came out. */
static enum verdict reference(struct solid *s, const struct model_env *env, struct spi_ps *ps,
                              const struct msg_sc_prim *prim, int x, int y)
{
   const struct model_stats before = *env->stats;
   const uint64_t violations = report_violations(env->report);
   const struct msg_pixels *px;

   spi_tile_count(env);
   for (unsigned q = 0; q < 16 && db_tests_early(s->b.db); q++) {
      struct msg_quad quad = { .prim = prim, .x = x + (int)(q & 3) * 2, .y = y + (int)(q >> 2) * 2, .cover = { 1, 1, 1, 1 } };
      db_early(s->b.db, env, &quad);
   }
   parallel_wave_now(s->b.parallel, ps);
   s->tile = *env->stats;
   stats_difference(&s->tile, &before);
   px = spi_ps_result(ps);
   return !model_failed(env->report) && report_violations(env->report) == violations && px->valid == ~0ull && !px->mrtz &&
          db_solid_take(s->b.db, x, y, prim->layer) && cb_solid_take(s->b.cb, x, y, prim->layer) ? YES : NO;
}

bool solid_tile(struct solid *s, const struct model_env *env, const struct msg_sc_prim *prim, int x, int y)
{
   if (s->draw == NO || (s->serial == prim->serial && s->prim == NO) || !program_fits(s, env) ||
       !cb_solid_inside(s->b.cb, x, y) || !db_solid_fits(s->b.db, prim, x, y) || spi_tile_is_open(s->b.spi, prim, x, y))
      return false;
   if (s->serial != prim->serial) {
      struct spi_ps *ps = spi_tile(s->b.spi, prim, x, y, s->attrs);
      s->serial = prim->serial;
      s->prim = NO;
      if (!ps)
         return false;
      s->prim = reference(s, env, ps, prim, x, y);
      return true;
   }
   parallel_settle(s->b.parallel);
   if (model_failed(env->report))
      return true;
   stats_add(env->stats, &s->tile);
   db_solid_tile(s->b.db, env, x, y, prim->layer);
   cb_solid_tile(s->b.cb, env, x, y, prim->layer);
   s->tiles++;
   return true;
}
