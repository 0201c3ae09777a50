/* SPDX-License-Identifier: MIT */
#ifndef MODEL_DB_INTERNAL_H
#define MODEL_DB_INTERNAL_H

#include "db.h"
#include "surf/surf.h"
#include "vm/vm.h"
#include <string.h>

enum db_format { DB_Z_NONE, DB_Z16, DB_Z24, DB_Z32F };

/* The depth or the stencil plane in memory. */
struct db_plane {
   bool present;
   const struct surf_layout *layout;
   struct surf_desc desc;
   uint64_t base;
   unsigned bytes;
   uint8_t *host;          /* memory from base on */
   uint64_t host_size;
};

struct db_face { uint8_t func, fail, zpass, zfail, ref, mask, write_mask, op_val; };

struct db {
   const struct geom_samples *samples;
   uint32_t shader_control, render_control, count_control, alpha_to_mask;
   /* tests */
   bool z_test, z_write, s_test, bounds;
   uint8_t z_func;
   struct db_face face[2];
   float bounds_min, bounds_max;
   bool z_clear, s_clear;          /* write clear values instead */
   float z_clear_value;
   uint8_t s_clear_value;
   bool clamp;                     /* to the viewport's depth range */
   bool color_on_fail, no_color_on_pass; /* which samples of a test CB gets */
   bool copy_z, copy_s;            /* to colour target 0, instead of what the shader exports */
   bool early, noop;
   bool msaa;
   uint32_t col_format, z_format;
   bool count;
   unsigned z_samples_log2;
   bool eqaa;                      /* coverage has samples that depth has not: */
   uint8_t nearest[16];            /* they are tested where the nearest one lies */
   bool convert_samples;           /* SC has other samples than depth and colour */
   /* memory */
   enum db_format format;
   struct db_plane z, s;
   unsigned level, slice_start, slice_max;
   uint64_t htile_base;
   const struct surf_meta *htile_meta;
   bool htile, htile_stencil;
   bool expand_z, expand_s;        /* DB_RENDER_CONTROL.*_COMPRESS_DISABLE */
   uint32_t tile_x, tile_y, tile_slice; /* last tile made plain */
   bool tile_valid;
   uint32_t solid_z;               /* of db_solid_take() */
   uint64_t zpass[DB_MAX_RB];
   unsigned num_rb;
};

/* memory.c */
void db_memory_begin(struct db *db, const struct model_env *env);
/* Where a sample lies; NULL after a fault or beyond the view. */
static inline void *db_texel(struct db *db, const struct model_env *env, struct db_plane *p, uint32_t x,
                             uint32_t y, uint32_t slice, unsigned sample, bool write)
{
   uint64_t offset = surf_offset(p->layout, db->level, x, y, slice, sample);

   if (__builtin_expect(offset + p->bytes <= p->host_size, 1))
      return p->host + offset;
   return vm_ptr(env->vm, VM_DB, p->base + offset, p->bytes, write);
}
/* 1, 2 or 4 bytes, without a call. */
static inline uint32_t db_load(const void *from, unsigned bytes)
{
   uint16_t half;
   uint32_t word;

   switch (bytes) {
   case 1: return *(const uint8_t *)from;
   case 2: memcpy(&half, from, 2); return half;
   default: memcpy(&word, from, 4); return word;
   }
}
static inline void db_store(void *to, uint32_t value, unsigned bytes)
{
   uint16_t half = value;

   switch (bytes) {
   case 1: *(uint8_t *)to = value; break;
   case 2: memcpy(to, &half, 2); break;
   default: memcpy(to, &value, 4); break;
   }
}
/* Turns a fast-cleared tile into plain memory. */
void db_expand_tile(struct db *db, const struct model_env *env, uint32_t x, uint32_t y, uint32_t slice);
uint32_t db_z_encode(const struct db *db, double z);

#endif
