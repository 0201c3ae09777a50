/* SPDX-License-Identifier: MIT */
/* Loops that gain from AVX2 are compiled for it and for any host, and chosen
 * when the program starts. Both give the same bits: the build allows no fused
 * multiply-add. MODEL_ONE_TARGET leaves the portable one alone. */
#ifndef MODEL_CLONES_H
#define MODEL_CLONES_H

#if defined(__x86_64__) && !defined(MODEL_ONE_TARGET)
#define MODEL_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define MODEL_CLONES
#endif

#endif
