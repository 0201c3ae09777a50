/* SPDX-License-Identifier: MIT */
#include "tgsiamd_public.h"
#include <stddef.h>

struct pipe_screen *
tgsiamd_screen_create(int fd, const struct pipe_screen_config *config)
{
   return NULL;
}
