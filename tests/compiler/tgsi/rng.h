/* SPDX-License-Identifier: MIT */
/* The numbers that tests take for random: the same in every run. */
#ifndef TGSIAMD_TEST_RNG_H
#define TGSIAMD_TEST_RNG_H

#include <stdint.h>

/* A state for every seed. */
static inline uint64_t
rng_seeded(uint64_t seed)
{
   return (seed ? seed : 0x5851f42d4c957f2dull) * 0x9e3779b97f4a7c15ull;
}

/* 0 to n - 1; the state is not 0 (xorshift64). */
static inline uint32_t
rng_below(uint64_t *state, uint32_t n)
{
   *state ^= *state << 13;
   *state ^= *state >> 7;
   *state ^= *state << 17;
   return (*state >> 20) % n;
}

#endif
