/* SPDX-License-Identifier: MIT */
/* Debug flags of environment variables. */
#include "tgsiamd/base.h"

#include <stdlib.h>
#include <string.h>

static const char separators[] = ", +:";

static void print_help(const char *variable, const struct tgsiamd_flag *flags)
{
   fprintf(stderr, "%s takes these flags, separated by commas:\n", variable);
   for (; flags->name; flags++)
      fprintf(stderr, "  %-12s %s\n", flags->name, flags->help);
}

static const struct tgsiamd_flag *find(const struct tgsiamd_flag *flags, const char *name, size_t len)
{
   for (; flags->name; flags++) {
      if (strlen(flags->name) == len && !strncmp(flags->name, name, len))
         return flags;
   }
   return NULL;
}

uint64_t tgsiamd_parse_flags(const char *variable, const char *text, const struct tgsiamd_flag *flags)
{
   uint64_t bits = 0;
   while (text && *text) {
      size_t len = strcspn(text, separators);
      const struct tgsiamd_flag *flag = find(flags, text, len);
      if (flag)
         bits |= flag->bit;
      else if (len == 4 && !strncmp(text, "help", 4))
         print_help(variable, flags);
      else if (len)
         tgsiamd_report(NULL, TGSIAMD_WARNING, "%s: no flag %.*s (help lists them)", variable, (int)len, text);
      text += len;
      text += strspn(text, separators);
   }
   return bits;
}

uint64_t tgsiamd_env_flags(const char *variable, const struct tgsiamd_flag *flags)
{
   return tgsiamd_parse_flags(variable, getenv(variable), flags);
}
