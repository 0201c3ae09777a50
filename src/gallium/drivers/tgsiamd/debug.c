/* SPDX-License-Identifier: MIT */
/* TGSIAMD_DEBUG: the flag table. */
#include "debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "c11/threads.h"
#include "util/macros.h"
#include "util/os_misc.h"
#include "util/u_debug.h"
#include "tgsiamd/compiler.h"

static const struct debug_named_value flag_table[] = {
   {"tgsi", DBG_TGSI, "print the TGSI of every shader"},
   {"ir", DBG_IR, "print the compiler's IR after every pass"},
   {"asm", DBG_ASM, "print the machine code"},
   {"stats", DBG_STATS, "print one line of numbers per shader"},
   {"times", DBG_TIMES, "print the CPU time that every shader took to compile"},
   {"noopt", DBG_NOOPT, "compile without optimisations"},
   {"nosched", DBG_NOSCHED, "compile without instruction scheduling"},
   {"waitall", DBG_WAITALL, "wait after every memory instruction"},
   {"spillall", DBG_SPILLALL, "spill as much as possible"},
   {"validate", DBG_VALIDATE, "run the IR validator after every pass"},
   {"ib", DBG_IB, "print every command stream"},
   {"sync", DBG_SYNC, "submit after every draw and wait for it"},
   {"flush", DBG_FLUSH, "print cache flushes with their reasons"},
   {"msg", DBG_MSG, "print errors as they happen (also in release builds)"},
   {"tex", DBG_TEX, "print the layout of every texture"},
   {"linear", DBG_LINEAR, "make colour textures linear"},
   {"info", DBG_INFO, "print what is known about the GPU"},
   {"cpucopy", DBG_CPUCOPY, "access tiled textures with the CPU instead of blits"},
   {"counters", DBG_COUNTERS, "say that there are atomic counters besides shader buffers (HWATOMIC)"},
   DEBUG_NAMED_VALUE_END,
};

DEBUG_GET_ONCE_FLAGS_OPTION(tgsiamd_debug, "TGSIAMD_DEBUG", flag_table, 0)

static bool
is_word(const char *text, size_t length, const char *word)
{
   return strlen(word) == length && !strncmp(text, word, length);
}

static bool
is_flag(const char *text, size_t length)
{
   for (unsigned i = 0; flag_table[i].name; i++) {
      if (is_word(text, length, flag_table[i].name))
         return true;
   }
   return is_word(text, length, "help") || is_word(text, length, "all");
}

/* A word that is none: one line with those that are. */
static void
check_words(const char *text)
{
   char known[512] = "";

   for (unsigned i = 0; flag_table[i].name; i++)
      snprintf(known + strlen(known), sizeof(known) - strlen(known), " %s", flag_table[i].name);
   for (size_t length; *text; text += length) {
      text += strspn(text, ", \t\n");
      length = strcspn(text, ", \t\n");
      if (length && !is_flag(text, length))
         tgsiamd_error("TGSIAMD_DEBUG has no word '%.*s'; its words are:%s", (int)length, text, known);
   }
}

static void
check_environment(void)
{
   const char *text = os_get_option("TGSIAMD_DEBUG");

   if (text)
      check_words(text);
}

uint32_t
tgsiamd_debug_flags(void)
{
   static once_flag once = ONCE_FLAG_INIT;

   call_once(&once, check_environment);
   return debug_get_option_tgsiamd_debug();
}

uint32_t
tgsiamd_debug_compile_options(uint32_t flags)
{
   static const struct {
      uint32_t flag, option;
   } map[] = {
      {DBG_TGSI, TGSIAMD_COMPILE_DUMP_TGSI}, {DBG_IR, TGSIAMD_COMPILE_DUMP_IR},
      {DBG_ASM, TGSIAMD_COMPILE_DUMP_ASM},   {DBG_NOOPT, TGSIAMD_COMPILE_NO_OPT},
      {DBG_NOSCHED, TGSIAMD_COMPILE_NO_SCHED}, {DBG_WAITALL, TGSIAMD_COMPILE_WAIT_ALL},
      {DBG_SPILLALL, TGSIAMD_COMPILE_SPILL_ALL}, {DBG_VALIDATE, TGSIAMD_COMPILE_VALIDATE},
      {DBG_TIMES, TGSIAMD_COMPILE_TIMES},
   };
   uint32_t options = 0;

   for (unsigned i = 0; i < ARRAY_SIZE(map); i++) {
      if (flags & map[i].flag)
         options |= map[i].option;
   }
   return options;
}

void
tgsiamd_error(const char *fmt, ...)
{
   va_list args;

   fputs("tgsiamd: ", stderr);
   va_start(args, fmt);
   vfprintf(stderr, fmt, args);
   va_end(args);
   fputc('\n', stderr);
}
