/* SPDX-License-Identifier: MIT */
/* Room in an indirect buffer: what the winsys hands out and the PM4 writer fills. */
#ifndef TGSIAMD_IB_H
#define TGSIAMD_IB_H

#include <stdint.h>

/* Dwords `cdw` to `max_dw` of `buf` are free. The writer advances cdw itself. */
struct tgsiamd_ib_space {
   uint32_t *buf;
   uint32_t cdw, max_dw;
};

#endif
