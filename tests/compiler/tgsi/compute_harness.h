/* SPDX-License-Identifier: MIT */
/* Compute programs on the model's sequencer: two waves a group, two groups, one
 * invocation a thread. What lies where is said at compute_run. */
#ifndef TGSIAMD_TEST_COMPUTE_HARNESS_H
#define TGSIAMD_TEST_COMPUTE_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#define THREADS    128u /* a group */
#define GROUPS     2u
#define WORDS      1024u
#define BUFFERS    4u   /* BUFFER[n] and HWATOMIC[n] are words n * 256 to the end */
#define CONST_WORDS 64u
#define TEXELS     256u /* of a buffer texture or image */
#define TEX_WIDTH  16u
#define TEX_HEIGHT 8u

/* Words start as this; those from 514 to 519 as 0. */
uint32_t compute_initial(uint32_t i);
/* CONST[n]; texel of SAMP[n] (unsigned, one channel) and of the 2D texture in
 * SVIEW[2]; word of a kernel's arguments. */
uint32_t compute_const(unsigned buffer, uint32_t i);
uint32_t compute_texel(unsigned unit, uint32_t i);
float compute_texel_2d(unsigned x, unsigned y, unsigned chan);
uint32_t compute_input(uint32_t i);
/* x (0) or y (1) of a sample of n. */
float compute_sample_pos(unsigned n, unsigned sample, unsigned axis);
#define COMPUTE_FB_SAMPLES 4u
/* Every sample of the multisample texture in SVIEW[3]. */
#define COMPUTE_MSAA_BITS 0x40e00000u

/* GLOBAL address of word 0; word i of the images (one channel, unsigned) lies at word 256 (1 + n) + i. */
#define COMPUTE_GLOBAL_WORDS 0x21000u

/* Memory for a test's own textures, and descriptors of units that it adds. A buffer is
 * BUFFER[COMPUTE_OWN_BUFFER], the first bytes of that memory. */
#define COMPUTE_OWN_BYTES  0x1400000u
#define COMPUTE_OWN_BUFFER 4u
#define COMPUTE_OWN_UNITS  8u /* the first; as many as one wants up to 32 */
uint8_t *compute_own_memory(uint64_t *va);
void *compute_addrlib(void);
void compute_own_unit(unsigned unit, const uint32_t rsrc[8], const uint32_t samp[4]);
/* The T# of its texture's FMASK; NULL: none. */
void compute_own_fmask(unsigned unit, const uint32_t rsrc[8]);
/* A unit's texture is IMAGE[COMPUTE_OWN_IMAGE]. */
#define COMPUTE_OWN_IMAGE 3u
void compute_own_image(int unit);

struct compute_program {
   const char *name, *text;
   bool (*want)(uint32_t *words); /* words start as compute_initial() */
   uint32_t private_bytes;
};

/* Runs each, optimised and not; prints what is wrong; number of failures. */
unsigned compute_check(const struct compute_program *programs, unsigned num);

/* One way to compile. What is wrong is kept when there is a patch, which changes
 * machine code before it runs and plants faults that must be found. */
bool compute_check_one(const struct compute_program *p, uint32_t options);
const char *compute_complaint(void);
extern void (*compute_patch)(uint32_t *code, unsigned num);

/* With the argument `planted' it plants faults too (planted.h), most of which must be found. */
int compute_main(const struct compute_program *programs, unsigned num, int argc, char **argv);

#endif
