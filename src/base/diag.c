/* SPDX-License-Identifier: MIT */
/* Diagnostics sink. */
#include "tgsiamd/base.h"

#include <stdarg.h>

void tgsiamd_report(struct tgsiamd_diag *diag, enum tgsiamd_severity severity, const char *fmt, ...)
{
   static const char *const names[] = {"", "warning: ", "error: "};
   char text[1024];
   va_list args;

   va_start(args, fmt);
   vsnprintf(text, sizeof(text), fmt, args);
   va_end(args);
   if (diag && severity == TGSIAMD_ERROR)
      diag->num_errors++;
   if (diag && diag->report)
      diag->report(diag->data, severity, text);
   else
      fprintf(stderr, "tgsiamd: %s%s\n", names[severity], text);
}
