/* SPDX-License-Identifier: MIT */
/* Hex dump of command streams, programs and descriptors. */
#include "tgsiamd/base.h"

#include <inttypes.h>
#include <string.h>

void tgsiamd_hexdump(FILE *file, const void *bytes, size_t size, uint64_t base)
{
   const uint8_t *p = bytes;
   for (size_t at = 0; at < size; at += 32) {
      fprintf(file, "%08" PRIx64 ":", base + at);
      for (size_t k = at; k < at + 32 && k < size; k += 4) {
         if (size - k >= 4) {
            uint32_t dword;
            memcpy(&dword, p + k, 4);
            fprintf(file, " %08" PRIx32, dword);
         } else {
            for (size_t b = k; b < size; b++)
               fprintf(file, " %02x", p[b]);
         }
      }
      fputc('\n', file);
   }
}
