/* SPDX-License-Identifier: MIT */
/* Random programs whose results show in which order waves ran. */
#ifndef THREADS_PROGRAMS_H
#define THREADS_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

/* User SGPRs of every program: buffers of constants, for stores, of the colour
 * target, and one that is not mapped. */
enum { S_CONST = 0, S_STORE = 4, S_TARGET = 8, S_NOWHERE = 12, USER_SGPRS = 16 };

/* What a pixel program may do besides arithmetic and loads of constants. */
#define DOES_STORE    1u
#define DOES_ATOMIC   2u
#define DOES_TARGET   4u    /* reads what the draw writes */
#define DOES_CLOCK    8u
#define DOES_GDS      16u
#define DOES_UNINIT   32u   /* is reported */
#define DOES_WAITCNT  64u   /* is reported */
#define DOES_FAULT    128u  /* ends the submission */
#define DOES_KILL     256u
#define DOES_DEPTH    512u  /* exports depth */

uint32_t rnd(void);
void rnd_seed(uint32_t seed);

/* Both give the number of dwords. */
unsigned program_vertex(uint32_t *code, uint32_t does);
unsigned program_pixel(uint32_t *code, uint32_t does, unsigned loops);
/* One colour for all of a primitive whose parameter is flat; `almost`: there is
 * something in it that may differ between lanes. */
unsigned program_fill(uint32_t *code, bool almost);

#endif
