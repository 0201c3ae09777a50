/* SPDX-License-Identifier: MIT */
/* Tiles of 8x8 pixels in draws where every pixel passes: DB counts them, and
 * stores what the general path has stored for the first tile. */
#include "db_internal.h"
#include "amdgfxregs.h"

#define TILE 8
#define ALWAYS 7

bool db_solid_possible(const struct db *db)
{
   const uint32_t sc = db->shader_control;

   if (db->z_test && (db->z_func != ALWAYS || db->z_samples_log2 || db->z.host_size < db->z.layout->size))
      return false;
   return !db->s_test && !db->bounds && !db->convert_samples && !db->expand_z && !db->expand_s &&
          !db->copy_z && !db->copy_s && !(db->alpha_to_mask & 1) && db->samples->num == 1 &&
          !db->color_on_fail && !db->no_color_on_pass &&
          !G_02880C_Z_EXPORT_ENABLE(sc) && !G_02880C_STENCIL_TEST_VAL_EXPORT_ENABLE(sc) &&
          !G_02880C_STENCIL_OP_VAL_EXPORT_ENABLE(sc) && !G_02880C_MASK_EXPORT_ENABLE(sc) &&
          !G_02880C_COVERAGE_TO_MASK_ENABLE(sc);
}

bool db_solid_fits(const struct db *db, const struct msg_sc_prim *prim, int x, int y)
{
   if (!db->z_test)
      return true;
   const struct surf_level *size = &db->z.layout->level[db->level];
   return prim->z.dx == 0 && prim->z.dy == 0 && (uint32_t)x + TILE <= size->width && (uint32_t)y + TILE <= size->height;
}

static uint32_t slice_of(const struct db *db, unsigned layer)
{
   const uint32_t slice = db->slice_start + layer;
   return slice > db->slice_max ? db->slice_max : slice;
}

bool db_solid_take(struct db *db, int x, int y, unsigned layer)
{
   if (!db->z_write)
      return true;
   for (unsigned n = 0; n < TILE * TILE; n++) {
      const uint64_t at = surf_offset(db->z.layout, db->level, x + n % TILE, y + n / TILE, slice_of(db, layer), 0);
      const uint32_t v = db_load(db->z.host + at, db->z.bytes);
      if (n && v != db->solid_z)
         return false;
      db->solid_z = v;
   }
   return true;
}

void db_solid_tile(struct db *db, const struct model_env *env, int x, int y, unsigned layer)
{
   if (db->count)
      db->zpass[((x >> 3) ^ (y >> 3)) % db->num_rb] += TILE * TILE;
   if (!db->z_test)
      return;
   const uint32_t slice = slice_of(db, layer);
   db_expand_tile(db, env, x, y, slice);
   for (unsigned j = 0; db->z_write && j < TILE; j++) {
      const struct surf_row row = surf_row(db->z.layout, db->level, y + j, slice, 0);
      for (unsigned i = 0; i < TILE; i++)
         db_store(db->z.host + surf_at(db->z.layout, row, x + i), db->solid_z, db->z.bytes);
   }
}
