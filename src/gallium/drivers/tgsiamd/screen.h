/* SPDX-License-Identifier: MIT */
/* The screen: one per open device file. */
#ifndef TGSIAMD_SCREEN_H
#define TGSIAMD_SCREEN_H

#include "pipe/p_defines.h"
#include "pipe/p_screen.h"
#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/slab.h"
#include "tgsiamd/compiler.h"
#include "tgsiamd/winsys.h"
#include "debug.h"

struct ac_addrlib;
struct hash_table_u64;

#define TGSIAMD_MAX_WINDOW_RECTS 4

struct tgsiamd_screen {
   struct pipe_screen base;
   int refs, fd;
   struct list_head link;     /* in the list of screens */
   struct tgsiamd_device *dev;
   const struct radeon_info *info;
   struct ac_addrlib *addrlib;
   enum tgsiamd_gfx gfx;
   uint32_t debug;            /* DBG_* */
   uint32_t compile_options;  /* TGSIAMD_COMPILE_* */
   struct slab_parent_pool transfer_pool;
   enum pipe_shader_ir preferred_ir;
   uint32_t num_rb;           /* occlusion counters, disabled render backends included */
   simple_mtx_t bindless_lock;
   struct hash_table_u64 *bindless; /* handle -> struct tgsiamd_bindless */
   /* Border colours, for samplers of all contexts: handles have samplers in them. */
   simple_mtx_t border_lock;
   struct tgsiamd_bo *border_bo;
   union pipe_color_union *border_map;
   uint32_t num_border_colors;
   char name[96];
};

static inline struct tgsiamd_screen *
tgsiamd_screen(struct pipe_screen *screen)
{
   return (struct tgsiamd_screen *)screen;
}

/* caps.c */
void tgsiamd_init_caps(struct tgsiamd_screen *screen);
/* format.c */
bool tgsiamd_is_format_supported(struct pipe_screen *screen, enum pipe_format format,
                                 enum pipe_texture_target target, unsigned sample_count,
                                 unsigned storage_sample_count, unsigned bind);
/* fence.c */
void tgsiamd_init_screen_fence(struct tgsiamd_screen *screen);
/* state/sampler.c */
bool tgsiamd_init_screen_border(struct tgsiamd_screen *screen);
void tgsiamd_finish_screen_border(struct tgsiamd_screen *screen);
/* bindless.c */
bool tgsiamd_init_screen_bindless(struct tgsiamd_screen *screen);
void tgsiamd_finish_screen_bindless(struct tgsiamd_screen *screen);
/* resource.c */
void tgsiamd_init_screen_resource(struct tgsiamd_screen *screen);

#endif
