/* SPDX-License-Identifier: MIT */
/* The face of the driver towards its link units. */
#ifndef TGSIAMD_PUBLIC_H
#define TGSIAMD_PUBLIC_H

struct pipe_screen;
struct pipe_screen_config;

/* Opens the GPU behind `fd` (not taken over). NULL when it is none that the
 * driver knows; the reason is printed. */
struct pipe_screen *
tgsiamd_screen_create(int fd, const struct pipe_screen_config *config);

#endif
