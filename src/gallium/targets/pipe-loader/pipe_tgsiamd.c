/* SPDX-License-Identifier: MIT */
/* Entry point of pipe_tgsiamd.so: the exported `driver_descriptor`. */
#include "../tgsiamd_target.h"
