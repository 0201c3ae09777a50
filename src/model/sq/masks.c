/* SPDX-License-Identifier: MIT */
/* Lane masks against words per lane, and blending by them. */
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include "valu.h"

uint64_t sq_movemask(const uint32_t *m)
{
   uint64_t r = 0;
#if defined(__SSE2__)
   const __m128i *p = (const __m128i *)m;
   for (unsigned n = 0; n < 4; n++, p += 4) {
      __m128i lo = _mm_packs_epi32(_mm_loadu_si128(p), _mm_loadu_si128(p + 1));
      __m128i hi = _mm_packs_epi32(_mm_loadu_si128(p + 2), _mm_loadu_si128(p + 3));
      r |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_packs_epi16(lo, hi)) << (16 * n);
   }
#else
   for (unsigned l = 0; l < 64; l++)
      r |= (uint64_t)(m[l] >> 31) << l;
#endif
   return r;
}

SQ_CLONES void sq_expand(uint32_t *m, uint64_t mask)
{
   uint32_t lo = (uint32_t)mask, hi = mask >> 32;
   for (unsigned l = 0; l < 32; l++)
      m[l] = 0u - (lo >> l & 1);
   for (unsigned l = 0; l < 32; l++)
      m[32 + l] = 0u - (hi >> l & 1);
}

SQ_CLONES void sq_blend(uint32_t *dst, const uint32_t *src, const uint32_t *mask, unsigned n)
{
   for (unsigned k = 0; k < n; k++, dst += 64, src += 64) {
      SQ_LANE_LOOP dst[l] = (src[l] & mask[l]) | (dst[l] & ~mask[l]);
   }
}

SQ_CLONES void sq_broadcast(uint32_t *dst, uint32_t v)
{
   SQ_LANE_LOOP dst[l] = v;
}

/* In front of a wave these sizes are a few hundred bytes to a few kilobytes,
 * where the compiler's own copies take longer to start than to run. The empty
 * statements keep it from making such a copy of the loop. */
MODEL_CLONES void sq_copy(uint32_t *dst, const uint32_t *src, unsigned n)
{
   typedef uint32_t words __attribute__((vector_size(32), aligned(4), may_alias));
   for (const uint32_t *end = src + n * 64; src < end; src += 32, dst += 32) {
      words a = *(const words *)src, b = *(const words *)(src + 8);
      words c = *(const words *)(src + 16), d = *(const words *)(src + 24);
      *(words *)dst = a;
      *(words *)(dst + 8) = b;
      *(words *)(dst + 16) = c;
      *(words *)(dst + 24) = d;
      __asm__ volatile("");
   }
}

MODEL_CLONES void sq_zero(void *dst, unsigned n)
{
   typedef uint32_t words __attribute__((vector_size(16), aligned(4), may_alias));
   words *p = dst, *end = p + (n + 3) / 4;
   const words zero = { 0 };
   for (; p + 4 <= end; p += 4) {
      p[0] = p[1] = p[2] = p[3] = zero;
      __asm__ volatile("");
   }
   for (; p < end; p++) {
      *p = zero;
      __asm__ volatile("");
   }
}
