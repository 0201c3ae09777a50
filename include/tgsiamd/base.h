/* SPDX-License-Identifier: MIT */
/* What every floor uses: a sink for diagnostics, tables of debug flags, a hex
 * dump. No state of its own beyond the sink that the caller owns. */
#ifndef TGSIAMD_BASE_H
#define TGSIAMD_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tgsiamd_severity {
   TGSIAMD_NOTE,    /* statistics, hints */
   TGSIAMD_WARNING, /* goes on, but somebody should know */
   TGSIAMD_ERROR,   /* what was asked for is not done */
};

/* Where messages go. `report` may be NULL: then they go to stderr, a line each
 * with "tgsiamd: " in front. The text has no newline and lives for the call. */
struct tgsiamd_diag {
   void (*report)(void *data, enum tgsiamd_severity severity, const char *text);
   void *data;
   unsigned num_errors; /* counted by tgsiamd_report */
};

/* Formats one message into the sink (NULL: stderr). Longer than 1 KiB is cut. */
void tgsiamd_report(struct tgsiamd_diag *diag, enum tgsiamd_severity severity, const char *fmt, ...)
   __attribute__((format(printf, 3, 4)));

/* A named bit of an environment variable such as TGSIAMD_DEBUG. */
struct tgsiamd_flag {
   const char *name;
   uint64_t bit;
   const char *help;
};

/* Bits named in `text` ("ir,asm"; separators are comma, space, plus, colon;
 * NULL is 0). "help" prints the table to stderr under the title `variable`;
 * an unknown name is reported there too and otherwise ignored. The table ends
 * with a NULL name. */
uint64_t tgsiamd_parse_flags(const char *variable, const char *text, const struct tgsiamd_flag *flags);

/* The same for an environment variable. */
uint64_t tgsiamd_env_flags(const char *variable, const struct tgsiamd_flag *flags);

/* Prints `size` bytes as dwords, eight a line, each line with its address
 * counted from `base`; a tail that is no whole dword in bytes. */
void tgsiamd_hexdump(FILE *file, const void *bytes, size_t size, uint64_t base);

#ifdef __cplusplus
}
#endif

#endif
