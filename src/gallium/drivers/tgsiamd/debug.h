/* SPDX-License-Identifier: MIT */
/* TGSIAMD_DEBUG flags and messages of the driver. */
#ifndef TGSIAMD_DRIVER_DEBUG_H
#define TGSIAMD_DRIVER_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#define DBG_TGSI     (1u << 0)
#define DBG_IR       (1u << 1)
#define DBG_ASM      (1u << 2)
#define DBG_STATS    (1u << 3)
#define DBG_NOOPT    (1u << 4)
#define DBG_NOSCHED  (1u << 5)
#define DBG_WAITALL  (1u << 6)
#define DBG_SPILLALL (1u << 7)
#define DBG_VALIDATE (1u << 8)
#define DBG_IB       (1u << 9)
#define DBG_SYNC     (1u << 10)
#define DBG_FLUSH    (1u << 11)
#define DBG_MSG      (1u << 12)
#define DBG_TEX      (1u << 13)
#define DBG_LINEAR   (1u << 14)
#define DBG_INFO     (1u << 15)
#define DBG_CPUCOPY  (1u << 16)
#define DBG_TIMES    (1u << 17)
#define DBG_COUNTERS (1u << 18)

/* Reads TGSIAMD_DEBUG once; "help" prints the table. */
uint32_t tgsiamd_debug_flags(void);
/* The compiler's options that the flags ask for. */
uint32_t tgsiamd_debug_compile_options(uint32_t flags);
/* One "tgsiamd: ..." line on stderr. */
void tgsiamd_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
