/* SPDX-License-Identifier: MIT */
/* The driver descriptor that Mesa's pipe loader looks up. GALLIUM_TGSIAMD keeps
 * drm_helper.h from defining a "driver missing" one. */
#ifndef TGSIAMD_TARGET_H
#define TGSIAMD_TARGET_H

#define GALLIUM_TGSIAMD
#include "target-helpers/drm_helper.h"
#include "tgsiamd/tgsiamd_public.h"

static struct pipe_screen *
pipe_tgsiamd_create_screen(int fd, const struct pipe_screen_config *config)
{
   struct pipe_screen *screen = tgsiamd_screen_create(fd, config);

   return screen ? debug_screen_wrap(screen) : NULL;
}

DRM_DRIVER_DESCRIPTOR(tgsiamd, NULL, 0)

#endif
