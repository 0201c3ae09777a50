/* SPDX-License-Identifier: MIT */
/* Screen creation: device, GPU info, addrlib, names. */
#include "screen.h"
#include "tgsiamd_public.h"
#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ac_surface.h"
#include "util/u_debug.h"
#include "util/os_file.h"
#include "util/simple_mtx.h"
#include "util/u_screen.h"

/* The generation that the compiler and the emit code know, or -1. */
static int
generation(const struct radeon_info *info)
{
   switch (info->gfx_level) {
   case GFX9:
      return TGSIAMD_GFX9;
   default:
      return -1;
   }
}

/* Frontends open the same file several times and expect to share resources
 * between the screens that they get: there is one screen per file description. */
static simple_mtx_t screens_lock = SIMPLE_MTX_INITIALIZER;
static struct list_head screens = {&screens, &screens};

static void
destroy(struct tgsiamd_screen *screen)
{
   if (screen->transfer_pool.element_size)
      slab_destroy_parent(&screen->transfer_pool);
   tgsiamd_finish_screen_bindless(screen);
   tgsiamd_finish_screen_border(screen);
   if (screen->addrlib)
      ac_addrlib_destroy(screen->addrlib);
   tgsiamd_device_unref(screen->dev);
   close(screen->fd);
   free(screen);
}

static void
screen_unref(struct pipe_screen *pscreen)
{
   struct tgsiamd_screen *screen = tgsiamd_screen(pscreen);
   bool last;

   simple_mtx_lock(&screens_lock);
   last = --screen->refs == 0;
   if (last)
      list_del(&screen->link);
   simple_mtx_unlock(&screens_lock);
   if (last)
      destroy(screen);
}

/* Mesa's noop driver (GALLIUM_NOOP=1: the front end alone, for benchmarks) hands
 * these on without looking whether the driver has them. */
static struct disk_cache *
no_disk_cache(struct pipe_screen *screen)
{
   return NULL;
}

static char *
keep_nir(struct pipe_screen *screen, void *nir)
{
   return NULL;
}

static struct tgsiamd_screen *
create(int fd)
{
   struct tgsiamd_screen *screen = calloc(1, sizeof(*screen));
   const char *why = NULL;
   int gfx;

   if (!screen)
      return NULL;
   screen->debug = tgsiamd_debug_flags();
   screen->dev = tgsiamd_device_open(fd, &why);
   if (!screen->dev) {
      tgsiamd_error("cannot open the GPU: %s", why);
      free(screen);
      return NULL;
   }
   screen->info = tgsiamd_device_info(screen->dev);
   if (screen->debug & DBG_INFO)
      ac_print_gpu_info((struct radeon_info *)screen->info, stdout);
   gfx = generation(screen->info);
   if (gfx < 0 || !screen->info->has_graphics) {
      tgsiamd_error("%s is of a generation that is not supported", screen->info->name);
      tgsiamd_device_unref(screen->dev);
      free(screen);
      return NULL;
   }
   screen->gfx = gfx;
   screen->fd = os_dupfd_cloexec(fd);
   screen->compile_options = tgsiamd_debug_compile_options(screen->debug);
   screen->num_rb = screen->info->max_render_backends;
   screen->addrlib = ac_addrlib_create(screen->info, NULL);
   slab_create_parent(&screen->transfer_pool, sizeof(struct tgsiamd_transfer), 32);
   /* All of them: destroy() undoes all. */
   bool memory = tgsiamd_init_screen_bindless(screen) & tgsiamd_init_screen_border(screen);
   if (!screen->addrlib || !memory) {
      tgsiamd_error(memory ? "addrlib does not know this GPU" : "no memory for a screen");
      destroy(screen);
      return NULL;
   }
   snprintf(screen->name, sizeof(screen->name), "tgsiamd %s (%s, DRM %u.%u)",
            tgsiamd_device_marketing_name(screen->dev), screen->info->lowercase_name,
            screen->info->drm_major, screen->info->drm_minor);

   screen->base.destroy = screen_unref;
   screen->base.context_create = tgsiamd_context_create;
   tgsiamd_init_caps(screen);
   tgsiamd_init_screen_fence(screen);
   tgsiamd_init_screen_resource(screen);
   /* NIR, as nir_to_tgsi needs help (nir_prepare.c). What runs without a driver
    * for benchmarks is all that is in front of the compiler: TGSI is asked for. */
   screen->preferred_ir = PIPE_SHADER_IR_NIR;
   if (debug_get_bool_option("GALLIUM_NOOP", false)) {
      screen->preferred_ir = PIPE_SHADER_IR_TGSI;
      screen->base.get_disk_shader_cache = no_disk_cache;
      screen->base.finalize_nir = keep_nir;
   }
   return screen;
}

struct pipe_screen *
tgsiamd_screen_create(int fd, const struct pipe_screen_config *config)
{
   struct tgsiamd_screen *found = NULL;

   simple_mtx_lock(&screens_lock);
   list_for_each_entry(struct tgsiamd_screen, screen, &screens, link) {
      if (os_same_file_description(screen->fd, fd) == 0) {
         found = screen;
         break;
      }
   }
   if (!found) {
      found = create(fd);
      if (found)
         list_add(&found->link, &screens);
   }
   if (found)
      found->refs++;
   simple_mtx_unlock(&screens_lock);
   return found ? &found->base : NULL;
}
